//! Bend: the hinge of two triangles, E = ½·B·scale·(s − rest)², scale = 1/(A₀ + A₁).
//!
//! K·x = Σ c_i x_i is the integrated curvature vector of the hinge (Bergou, Wardetzky, Harmon, Zorin and
//! Grinspun, *A Quadratic Bending Model for Inextensible Surfaces*, 2006, eq. 7): it is normal to the
//! surface, zero when the hinge is flat, and linear in the positions. The quadratic model measures its
//! square and so forgets any curved rest shape; here s is its length **with the sign** of the side it points
//! to, and `rest` the value of the shape the model was built from, so that a cylinder stays a cylinder. The
//! force on particle i is −B·scale·(s − rest)·c_i·d with d = K·x/s, which exerts no net force (Σ c_i = 0) and
//! no net torque (K·x × d = 0). A flat hinge never forms s or d.
//!
//! The paper's factor 3/(A₀ + A₁) makes a sheet three times as stiff as its B: its three edges a triangle each
//! count the whole curvature. With 1/(A₀ + A₁) the energy of a cylinder of curvature κ is ½·B·κ² a square metre,
//! exactly and in every direction on equilateral triangles, and along the rows of a grid of right ones (along
//! its one diagonal too, three times as much along the other); a clamped flap sinks as a beam does.
//!
//! Hinges merged into stencils have a limited stiffness (`step::push`); those solved one by one are implicit and have none.

use crate::Vec3;
use crate::math::{real, sqrt};
use crate::row::pull::{Vec3x8, cross, difference, dot, length, minus, plus};
use crate::simd::{Floats as _, Lanes, Mask as _};
use bytemuck::{Pod, Zeroable};

/// A bend row over the hinge of two triangles (see the module).
///
/// `p[0]`, `p[1]` are the ends of the shared edge; `p[2]`, `p[3]` the vertices opposite to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct HingeRow {
    /// The four particles; seen along the edge from `p[0]` to `p[1]`, `p[2]` is on the left of its triangle.
    pub p: [u32; 4],
    /// Stencil coefficients (1/m·m = 1): K·x = Σ c_i x_i is the hinge's integrated curvature vector (m).
    pub c: [f32; 4],
    /// 1/(A₀ + A₁) (1/m²).
    pub scale: f32,
    /// Signed rest value of ‖K·x‖ (m); 0 for a flat rest shape.
    pub rest: f32,
    /// 1/(scale·Σ c_i²/m_i) (kg·m²): the least of them limits what merged hinges may have.
    pub inertia: f32,
    /// Explicit padding, zero.
    pub pad: u32,
}

/// Below this share of its rest value a curvature vector is too short to trust its direction, and the hinge's
/// normal is taken.
const MIN_SHARE: f32 = 1.0e-3;

/// A hinge's resistance along its direction, per unit of B·scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curvature {
    /// (s − rest)·d (m): the force on particle i is −B·scale·c_i times this.
    pub excess: Vec3,
    /// An upper bound of the derivative of `excess` by K·x (1): the curvature of the energy on particle i is
    /// at most B·scale·c_i² times this in any direction.
    pub bound: f32,
}

/// K·x = Σ c_i x_i (m).
#[inline(always)]
pub fn curvature_vector(row: &HingeRow, x: &[Vec3; 4]) -> Vec3 {
    let [c0, c1, c2, c3] = row.c;
    let [x0, x1, x2, x3] = *x;
    (x0 * c0 + x1 * c1) + (x2 * c2 + x3 * c3)
}

/// Sum of the area vectors of the hinge's two triangles as they are wound (m²): p0, p1, p2 and p1, p0, p3.
#[inline(always)]
pub fn normal(x: &[Vec3; 4]) -> Vec3 {
    let [x0, x1, x2, x3] = *x;
    let edge = x1 - x0;
    edge.cross(x2 - x0) + (x3 - x0).cross(edge)
}

/// The law: (s − rest)·d at positions `x`.
#[inline(always)]
pub fn curvature(row: &HingeRow, x: &[Vec3; 4]) -> Curvature {
    let vector = curvature_vector(row, x);
    if row.rest.to_bits() << 1 == 0 {
        return Curvature { excess: vector, bound: 1.0 };
    }
    curved(row.rest, vector, normal(x))
}

/// The part of the law that only curved rest shapes need.
fn curved(rest: f32, vector: Vec3, normal: Vec3) -> Curvature {
    let length = sqrt(vector.dot(vector));
    let side = vector.dot(normal);
    if length > MIN_SHARE * real::abs(rest) {
        let signed = if side < 0.0 { -length } else { length };
        // (s − rest)·d = K·x·(1 − rest/s): both carry the sign, so it cancels out of d. Across d the derivative
        // is 1 − rest/s, along it 1.
        let across = 1.0 - rest / signed;
        return Curvature { excess: vector * across, bound: real::max(across, 1.0) };
    }
    let area = sqrt(normal.dot(normal));
    let pull = if area > 0.0 { normal * (rest / area) } else { Vec3::ZERO };
    Curvature { excess: vector - pull, bound: 1.0 }
}

/// The law for eight hinges at a time: [`Curvature`] in lanes.
#[derive(Clone, Copy)]
pub struct Eight<L: Lanes> {
    /// (s − rest)·d (m).
    pub excess: Vec3x8<L>,
    /// An upper bound of its derivative (1).
    pub bound: L::F,
}

impl<L: Lanes> Eight<L> {
    /// At positions `x`, with stencil coefficients `c` and signed rest values `rest`.
    #[inline(always)]
    pub fn new(l: L, x: &[Vec3x8<L>; 4], c: &[L::F; 4], rest: L::F) -> Self {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        // Σ c = 0: from the hinge's own corner the sum is the most exact.
        let edge = difference::<L>(x[1], x[0]);
        let left = difference::<L>(x[2], x[0]);
        let right = difference::<L>(x[3], x[0]);
        let first = [edge[0] * c[1], edge[1] * c[1], edge[2] * c[1]];
        let vector = plus::<L>(plus::<L>(first, left, c[2]), right, c[3]);
        let normal = plus::<L>(cross::<L>(edge, left), cross::<L>(right, edge), one);
        let long = length(l, vector);
        let area = length(l, normal);
        let side = dot::<L>(vector, normal);
        let signed = side.lt(zero).select(-long, long);
        let across = one - rest / signed;
        let known = (l.splat(MIN_SHARE) * rest.abs()).lt(long);
        let pull = minus::<L>(vector, normal, rest / area);
        let excess = [
            known.select(vector[0] * across, pull[0]),
            known.select(vector[1] * across, pull[1]),
            known.select(vector[2] * across, pull[2]),
        ];
        Self { excess, bound: known.select(across.max(one), one) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hinge of two right triangles over a unit edge along x, folded by an angle about it.
    fn fold(angle: f64) -> [Vec3; 4] {
        let (sin, cos) = angle.sin_cos();
        #[expect(clippy::cast_possible_truncation, reason = "test geometry")]
        let wing = Vec3::new(0.0, sin as f32, -cos as f32);
        [Vec3::ZERO, Vec3::X, Vec3::Z, wing]
    }

    /// The stencil of the flat hinge above: cotangents 0 at p0, 1 at p1, in both triangles.
    fn row(rest: f32) -> HingeRow {
        HingeRow { p: [0, 1, 2, 3], c: [2.0, 0.0, -1.0, -1.0], scale: 1.0, rest, inertia: 1.0, pad: 0 }
    }

    fn signed(x: &[Vec3; 4]) -> f32 {
        let vector = curvature_vector(&row(0.0), x);
        let length = sqrt(vector.dot(vector));
        if vector.dot(normal(x)) < 0.0 { -length } else { length }
    }

    #[test]
    fn flat_is_free_of_force_and_the_sign_tells_the_side() {
        assert!(curvature(&row(0.0), &fold(0.0)).excess.abs().max_element() < 1e-7);
        assert!(signed(&fold(0.4)) * signed(&fold(-0.4)) < 0.0);
    }

    #[test]
    fn a_curved_hinge_rests_at_its_own_fold_only() {
        let rest = signed(&fold(0.5));
        assert!(curvature(&row(rest), &fold(0.5)).excess.abs().max_element() < 1e-6);
        // Its mirror image has the same ‖K·x‖ and is not at rest.
        assert!(curvature(&row(rest), &fold(-0.5)).excess.abs().max_element() > 0.5 * rest.abs());
        assert!(curvature(&row(rest), &fold(0.0)).excess.abs().max_element() > 0.5 * rest.abs());
    }

    #[test]
    fn excess_is_the_gradient_of_the_energy() {
        let rest = signed(&fold(0.5));
        let x = fold(0.9);
        let energy = |x: &[Vec3; 4]| {
            let excess = f64::from(signed(x)) - f64::from(rest);
            0.5 * excess * excess
        };
        let here = curvature(&row(rest), &x);
        for particle in 0..4 {
            for axis in 0..3 {
                let (mut up, mut down) = (x, x);
                up[particle][axis] += 1e-3;
                down[particle][axis] -= 1e-3;
                let slope = (energy(&up) - energy(&down)) / 2e-3;
                let law = f64::from(row(rest).c[particle] * here.excess[axis]);
                assert!((slope - law).abs() < 1e-3, "particle {particle} axis {axis}: {slope} against {law}");
            }
        }
    }

    #[test]
    fn coincident_corners_answer_finitely() {
        let point = [Vec3::ONE; 4];
        for rest in [0.0, 0.3, -0.3] {
            let here = curvature(&row(rest), &point);
            assert!(here.excess.is_finite() && here.bound.is_finite());
        }
    }
}
