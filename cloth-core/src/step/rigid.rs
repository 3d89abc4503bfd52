//! The linear and angular motion of a cloth that nothing holds.

use crate::Vec3;
use crate::math::real;
use crate::math::solve::{self, Sym3};
use crate::math::sum::TreeSum;
use crate::model::Model;
use crate::state::layout::{Node, Vectors};

/// Share of the trace of the inertia tensor that is added to its diagonal: a straight chain has no inertia
/// about itself, and no rotation about it is told from rest then. Takes a millionth off a rotation rate.
const REGULAR: f32 = 1.0e-6;

/// A rigid motion: velocity at a point is `linear` + `angular` × (point − `centre`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Motion {
    /// Centre of mass (m).
    pub centre: Vec3,
    /// Its velocity (m/s).
    pub linear: Vec3,
    /// Angular velocity (rad/s).
    pub angular: Vec3,
}

impl Motion {
    /// Velocity of the motion at a point (m/s).
    #[inline(always)]
    pub(super) fn at(&self, point: Vec3) -> Vec3 {
        self.linear + self.angular.cross(point - self.centre)
    }
}

/// Sums what `of` makes of the place and the velocity of each particle, weighted with its mass, in the fixed tree order.
fn sum<const N: usize>(
    model: &Model,
    nodes: &[Node],
    velocities: &[Vectors],
    of: impl Fn(Vec3, Vec3) -> [Vec3; N],
) -> [Vec3; N] {
    let mut sums = [[TreeSum::default(); 3]; N];
    for ((particle, [[x, y, z, _], _]), v) in model.particles().iter().zip(nodes).zip(each(velocities)) {
        for (sums, value) in sums.iter_mut().zip(of(Vec3::new(*x, *y, *z), v)) {
            for (sum, component) in sums.iter_mut().zip((value * particle.mass).to_array()) {
                sum.push(component);
            }
        }
    }
    sums.map(|sums| Vec3::from_array(sums.map(|sum| sum.finish())))
}

/// The vectors one by one.
fn each(vectors: &[Vectors]) -> impl Iterator<Item = Vec3> + '_ {
    let components = |[x, y, z]: &Vectors| (*x, *y, *z);
    vectors
        .iter()
        .map(components)
        .flat_map(|(x, y, z)| x.into_iter().zip(y).zip(z).map(|((x, y), z)| Vec3::new(x, y, z)))
}

/// The motion with the linear and angular momentum of the whole cloth.
pub(super) fn motion(model: &Model, nodes: &[Node], velocities: &[Vectors]) -> Option<Motion> {
    let mass = model.header().mass;
    if mass <= 0.0 {
        return None;
    }
    let [centre, linear] = sum(model, nodes, velocities, |x, v| [x, v]).map(|sum| sum / mass);
    let [momentum, squares, products] = sum(model, nodes, velocities, |x, v| {
        let r = x - centre;
        [r.cross(v - linear), r * r, Vec3::new(r.x * r.y, r.x * r.z, r.y * r.z)]
    });
    let trace = squares.x + squares.y + squares.z;
    if !(trace > 0.0 && real::is_finite(trace)) {
        return Some(Motion { centre, linear, angular: Vec3::ZERO });
    }
    // Divided by the trace the tensor is a pure number of order 1, and so is the pivots' floor.
    let inertia = Sym3 {
        xx: (squares.y + squares.z) / trace + REGULAR,
        yy: (squares.x + squares.z) / trace + REGULAR,
        zz: (squares.x + squares.y) / trace + REGULAR,
        xy: -products.x / trace,
        xz: -products.y / trace,
        yz: -products.z / trace,
    };
    let solution = solve::ldlt_solve(&inertia, momentum / trace, REGULAR);
    let angular = if solution.x.is_finite() { solution.x } else { Vec3::ZERO };
    Some(Motion { centre, linear, angular })
}
