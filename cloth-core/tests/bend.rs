//! The bend law in lanes is the scalar one.

use cloth_core::row::bend::{Eight, HingeRow, curvature, curvature_vector, normal};
use cloth_core::simd::{Kernel, Lanes, Level};
use cloth_core::{ModelBuilder, Vec3};
use proptest::prelude::*;

/// Eight hinges where they are; what the lanes make of them is excess, then bound.
struct Laws<'a> {
    hinges: &'a [(HingeRow, [Vec3; 4])],
}

impl Kernel for Laws<'_> {
    type Output = [[f32; 8]; 4];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [[f32; 8]; 4] {
        let mut found = [[f32::NAN; 8]; 4];
        for l in l.parts() {
            let mut x = [[l.splat(0.0); 3]; 4];
            let mut c = [l.splat(0.0); 4];
            for (corner, (x, c)) in x.iter_mut().zip(&mut c).enumerate() {
                for (axis, x) in x.iter_mut().enumerate() {
                    *x = l.collect(|lane| self.hinges[lane].1[corner][axis]);
                }
                *c = l.collect(|lane| self.hinges[lane].0.c[corner]);
            }
            let law = Eight::new(l, &x, &c, l.collect(|lane| self.hinges[lane].0.rest));
            for (axis, excess) in law.excess.into_iter().enumerate() {
                l.store(excess, &mut found[axis]);
            }
            l.store(law.bound, &mut found[3]);
        }
        found
    }
}

/// Two triangles over the edge from the origin along x, their other corners `apex` along and away from it, the right one
/// folded up by `fold` (rad).
fn wings(edge: f32, apex: [f32; 4], fold: f32) -> [Vec3; 4] {
    let (sin, cos) = fold.sin_cos();
    let [along_left, left, along_right, right] = apex;
    [
        Vec3::ZERO,
        Vec3::X * edge,
        Vec3::new(along_left, left, 0.0) * edge,
        Vec3::new(along_right, -right * cos, right * sin) * edge,
    ]
}

/// A hinge as it is baked, and where its corners are now.
fn hinge() -> impl Strategy<Value = (HingeRow, [Vec3; 4])> {
    let apex = || (0.1_f32..0.9, 0.3_f32..1.2, 0.1_f32..0.9, 0.3_f32..1.2);
    let away = prop::array::uniform3(-1.0_f32..1.0);
    // A hinge whose rest value is far beyond what it can reach is pulled along its normal.
    let sharpness = prop::sample::select(vec![1.0_f32, 1.0, 1.0, -1.0, 300.0, 1e6]);
    let fold = || prop_oneof![Just(0.0_f32), -2.5_f32..2.5];
    (apex(), fold(), apex(), fold(), 0.01_f32..0.3, away, sharpness).prop_map(
        |(rest_apex, rest_fold, apex, fold, edge, away, sharpness)| {
            let rest = wings(edge, rest_apex.into(), rest_fold);
            let triangles = [[0, 1, 2], [1, 0, 3]];
            let positions = rest.map(|x| x.to_array());
            let mesh = || ModelBuilder::mesh(&positions, &triangles).areal_density(0.2);
            let rows = mesh().rows().expect("two triangles over an edge are a mesh");
            let baked = mesh().build().expect("the same mesh");
            let mut row = rows.hinges[0];
            row.rest *= sharpness;
            let now = wings(edge * 1.1, apex.into(), fold).map(|x| x + Vec3::from_array(away));
            let vertex = |particle: u32| baked.model().source_of()[particle as usize];
            (row, row.p.map(|particle| now[vertex(particle) as usize]))
        },
    )
}

proptest! {
    #[test]
    fn eight_hinges_at_a_time_follow_the_scalar_law(hinges in prop::collection::vec(hinge(), 8)) {
        let found = [Level::SCALAR, Level::FOUR, Level::detect()].map(|level| level.run(Laws { hinges: &hinges }));
        for (lane, (row, x)) in hinges.iter().enumerate() {
            let law = curvature(row, x);
            // The scalar law sums coordinates, the lanes their differences: that far apart are two values of K·x, and with
            // them two lengths that `rest` is divided by.
            let reach: f32 = row.c.iter().zip(x).map(|(c, x)| c.abs() * x.length()).sum();
            let noise = 4.0 * f32::EPSILON * reach;
            let (vector, least) = (curvature_vector(row, x), 1e-3 * row.rest.abs());
            let long = vector.length();
            let known = long > least;
            // Where rounding decides which side it is on, or whether its direction counts, either answer is right.
            let side = vector.dot(normal(x)).abs();
            let aside = side <= 2.0 * noise * normal(x).length();
            if row.rest.abs() > 0.0 && ((known && aside) || (long - least).abs() <= noise) {
                continue;
            }
            let turned = if known {
                2.0 * row.rest.abs() / long * noise
            } else {
                // The normal is a product of differences.
                let [edge, left, right] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
                let sides = edge.length() * (left.length() + right.length());
                8.0 * f32::EPSILON * row.rest.abs() * sides / normal(x).length()
            };
            let tolerance = noise + turned + 4.0 * f32::EPSILON * law.excess.length();
            for level in &found {
                let excess = Vec3::new(level[0][lane], level[1][lane], level[2][lane]);
                let off = (excess - law.excess).length();
                prop_assert!(off <= tolerance, "excess {excess} and not {}: {off:e} of {tolerance:e}", law.excess);
                let share = if known { tolerance / long } else { 0.0 };
                let off = (level[3][lane] - law.bound).abs();
                prop_assert!(off <= share + 4.0 * f32::EPSILON * law.bound, "bound {} and not {}", level[3][lane], law.bound);
            }
        }
    }
}
