//! Wind in a part of the world.

use super::{Reach, Wind, eddies, is_velocity};
use crate::pose::{Bounds, Pose, add, dot, greater, length, lesser, mix, scaled, sub, turn};

/// Lengths that a zone may have, and its eddies (m).
pub(super) const LENGTHS: core::ops::RangeInclusive<f32> = 1.0e-3..=1.0e6;

/// Shares of its speed that eddies may have (1).
pub(super) const TURBULENCES: core::ops::RangeInclusive<f32> = 0.0..=10.0;

/// Where a zone is, about its entity's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum ZoneShape {
    /// A box along the entity's axes.
    Box {
        /// Half of what it measures along X, Y and Z (m).
        half_extents: [f32; 3],
    },
    /// A ball.
    Sphere {
        /// Its radius (m).
        radius: f32,
    },
}

/// What a zone does to the air that would be there without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ZoneBlend {
    /// Its wind is added: a fan in a breeze.
    #[default]
    Add,
    /// Its wind takes its place: a room, out of the breeze.
    Replace,
}

/// A component: wind in a part of the world, about its entity's [`Transform`](crate::world::Transform), whose scale has to be 1.
///
/// ```text
/// w(x) = s²(3 − 2s),   s = depth of x within the shape/falloff, 0 to 1
/// z(x) = velocity + |velocity|·turbulence·T((x − velocity·t)/eddy)
/// u    = u₀ + w·z  where it adds,   u₀ + w·(z − u₀)  where it replaces
/// ```
///
/// u₀ being the air of the sources before it, t the age of who asks (s), and T a field of eddies without divergence and with |T| ≤ 1. So the
/// zone's own wind is no faster than (1 + turbulence)·|velocity|, and its eddies drift with it. A cloth none of whose vertices
/// is within the shape is not reached.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct WindZone {
    /// Where it is.
    pub shape: ZoneShape,
    /// Its wind (m/s), along the entity's axes: turn the entity, and the wind turns.
    pub velocity: [f32; 3],
    /// How strong its eddies are, as a share of its speed (1).
    pub turbulence: f32,
    /// How large the largest of them are (m).
    pub eddy: f32,
    /// How far inwards from its surface it comes to its full strength (m); at 0 it does so at once.
    pub falloff: f32,
    /// What it does to the air that would be there without it.
    pub blend: ZoneBlend,
    /// Layers of cloth that feel it, a bit each.
    pub mask: u32,
}

impl Default for WindZone {
    /// Still air in a ball of 1 m, which adds nothing.
    fn default() -> Self {
        Self {
            shape: ZoneShape::Sphere { radius: 1.0 },
            velocity: [0.0; 3],
            turbulence: 0.0,
            eddy: 1.0,
            falloff: 0.0,
            blend: ZoneBlend::Add,
            mask: u32::MAX,
        }
    }
}

impl WindZone {
    /// A steady wind (m/s) in a shape.
    pub fn of(shape: ZoneShape, velocity: [f32; 3]) -> Self {
        Self { shape, velocity, ..Self::default() }
    }

    /// The first field that is none.
    pub(super) fn invalid_field(&self) -> Option<&'static str> {
        let shape = match self.shape {
            ZoneShape::Box { half_extents } => {
                (half_extents.iter().all(|half| LENGTHS.contains(half)), "shape.half_extents")
            }
            ZoneShape::Sphere { radius } => (LENGTHS.contains(&radius), "shape.radius"),
        };
        let fields = [
            shape,
            (is_velocity(&self.velocity), "velocity"),
            (TURBULENCES.contains(&self.turbulence), "turbulence"),
            (LENGTHS.contains(&self.eddy), "eddy"),
            ((0.0..=*LENGTHS.end()).contains(&self.falloff), "falloff"),
        ];
        fields.iter().find(|(good, _)| !good).map(|(_, name)| *name)
    }

    /// How deep a point of its frame is within it (m); negative outside.
    fn depth(&self, at: [f64; 3]) -> f64 {
        match self.shape {
            ZoneShape::Box { half_extents } => {
                let gap = |axis: usize| f64::from(half_extents[axis]) - greater(at[axis], -at[axis]);
                lesser(gap(0), lesser(gap(1), gap(2)))
            }
            ZoneShape::Sphere { radius } => f64::from(radius) - length(at),
        }
    }

    /// w at a point of its frame (1).
    fn weight(&self, at: [f64; 3]) -> f64 {
        let (depth, falloff) = (self.depth(at), f64::from(self.falloff));
        if depth <= 0.0 {
            return 0.0;
        }
        let share = if depth < falloff { depth / falloff } else { 1.0 };
        share * share * (3.0 - 2.0 * share)
    }

    /// z at a point of its frame (m/s), along its axes.
    fn wind(&self, at: [f64; 3], age: f64) -> [f64; 3] {
        let velocity = self.velocity.map(f64::from);
        let strength = length(velocity) * f64::from(self.turbulence);
        if strength <= 0.0 {
            return velocity;
        }
        let place = scaled(sub(at, scaled(velocity, age)), 1.0 / f64::from(self.eddy));
        add(velocity, scaled(eddies::at(place), strength))
    }

    /// Half of what it measures along its axes, at most (m).
    fn half_extents(&self) -> [f64; 3] {
        match self.shape {
            ZoneShape::Box { half_extents } => half_extents.map(f64::from),
            ZoneShape::Sphere { radius } => [f64::from(radius); 3],
        }
    }
}

/// Whether a box of so much to all sides about a pose may have a point in common with a box of the world: never `false` where it has.
pub(super) fn meets(half: [f64; 3], stands: &Pose, within: &Bounds) -> bool {
    let mut bounds = Bounds::NONE;
    for corner in corners(half) {
        bounds = bounds.with(stands.apply(corner));
    }
    bounds.meets(within)
}

/// The corners of a box about the origin.
pub(super) fn corners(half: [f64; 3]) -> [[f64; 3]; 8] {
    core::array::from_fn(|corner| {
        core::array::from_fn(|axis| if corner >> axis & 1 == 0 { -half[axis] } else { half[axis] })
    })
}

impl Wind for WindZone {
    fn reach(&self, stands: &Pose, within: &Bounds) -> Reach {
        if !meets(self.half_extents(), stands, within) {
            return Reach::Nowhere;
        }
        let varies =
            self.turbulence > 0.0 && dot(self.velocity.map(f64::from), self.velocity.map(f64::from)) > 0.0;
        let middle = [0, 1, 2].map(|axis| 0.5 * within.low[axis] + 0.5 * within.high[axis]);
        let half = [0, 1, 2].map(|axis| 0.5 * within.high[axis] - 0.5 * within.low[axis]);
        // Where it has its full strength is convex: it has that in a box whose corners are there.
        let full = |corner| self.weight(stands.undo(add(middle, corner))) >= 1.0;
        if !varies && corners(half).into_iter().all(full) { Reach::Evenly } else { Reach::Unevenly }
    }

    fn blow(&self, stands: &Pose, age: f64, at: &[[f64; 3]], air: &mut [[f64; 3]]) -> bool {
        let mut reached = false;
        for (at, velocity) in at.iter().zip(air) {
            let place = stands.undo(*at);
            let weight = self.weight(place);
            if weight <= 0.0 {
                continue;
            }
            reached = true;
            let wind = turn(stands.rotation, self.wind(place, age));
            *velocity = match self.blend {
                ZoneBlend::Add => add(*velocity, scaled(wind, weight)),
                ZoneBlend::Replace if weight >= 1.0 => wind,
                ZoneBlend::Replace => mix(*velocity, wind, weight),
            };
        }
        reached
    }

    fn mask(&self) -> u32 {
        self.mask
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;
    use crate::pose::unit;

    fn crate_of(half: f32) -> ZoneShape {
        ZoneShape::Box { half_extents: [half, 2.0 * half, 3.0 * half] }
    }

    fn felt(zone: &WindZone, stands: &Pose, at: [f64; 3], before: [f64; 3]) -> Option<[f64; 3]> {
        let mut air = [before];
        zone.blow(stands, 0.7, &[at], &mut air).then_some(air[0])
    }

    #[test]
    fn it_is_where_it_says_and_comes_to_its_strength_over_its_falloff() {
        for shape in [crate_of(1.0), ZoneShape::Sphere { radius: 1.0 }] {
            let zone = WindZone { falloff: 0.5, ..WindZone::of(shape, [4.0, 0.0, 0.0]) };
            let at = |x: f64| felt(&zone, &Pose::IDENTITY, [x, 0.0, 0.0], [0.0, 1.0, 0.0]);
            assert_eq!([at(1.0), at(-1.0), at(7.0)], [None; 3]);
            assert_eq!([at(0.5), at(0.0)], [Some([4.0, 1.0, 0.0]); 2]);
            assert_eq!(at(0.75), Some([2.0, 1.0, 0.0]), "half way in half of it");
            let replaces = WindZone { blend: ZoneBlend::Replace, ..zone };
            let at = |x: f64| felt(&replaces, &Pose::IDENTITY, [x, 0.0, 0.0], [0.0, 1.0, 0.0]);
            assert_eq!([at(0.2), at(-0.75)], [Some([4.0, 0.0, 0.0]), Some([2.0, 0.5, 0.0])]);
        }
    }

    #[test]
    fn it_turns_and_goes_with_its_entity() {
        let half_turn = unit([0.0, 1.0, 0.0, 1.0]).expect("it has a direction");
        let stands = Pose { translation: [10.0, 0.0, 0.0], rotation: half_turn };
        let zone = WindZone::of(crate_of(1.0), [0.0, 0.0, 2.0]);
        // Its long side lies along X now, and so does its wind.
        let wind = felt(&zone, &stands, [12.9, 0.0, 0.9], [0.0; 3]).expect("it is within");
        assert!(length(sub(wind, [2.0, 0.0, 0.0])) < 1e-12, "{wind:?}");
        assert_eq!(felt(&zone, &stands, [10.0, 0.0, 1.1], [0.0; 3]), None);
    }

    #[test]
    fn eddies_stay_within_their_bound_and_drift_with_the_wind() {
        let shape = ZoneShape::Sphere { radius: 100.0 };
        let zone = WindZone { turbulence: 0.5, eddy: 2.0, ..WindZone::of(shape, [0.0, 3.0, 4.0]) };
        let wind = |at: [f64; 3], age: f64| {
            let mut air = [[0.0; 3]];
            zone.blow(&Pose::IDENTITY, age, &[at], &mut air);
            air[0]
        };
        let mut differs = 0;
        for step in 0..1000_u32 {
            let at = [0.03, -0.02, 0.05].map(|x| x * f64::from(step));
            let eddy = length(sub(wind(at, 1.0), [0.0, 3.0, 4.0]));
            assert!(eddy <= 2.5, "{eddy}");
            differs += u32::from(eddy > 0.5);
            let later = wind(add(at, [0.0, 0.3, 0.4]), 1.1);
            assert!(length(sub(later, wind(at, 1.0))) < 1e-9, "{at:?}");
        }
        assert!(differs > 500, "{differs}");
    }

    #[test]
    fn what_it_promises_of_a_box_it_keeps() {
        let stands =
            Pose { translation: [1.0, -2.0, 0.5], rotation: unit([0.3, 0.1, -0.2, 0.9]).expect("one") };
        let mut seen = [0; 3];
        for shape in [crate_of(0.5), ZoneShape::Sphere { radius: 1.2 }] {
            for turbulence in [0.0, 0.3] {
                let zone = WindZone { falloff: 0.2, turbulence, ..WindZone::of(shape, [1.0, 2.0, 0.0]) };
                for step in 0..600_u32 {
                    let far = |seed: f64| (f64::from(step) * seed).sin();
                    let middle = add(stands.translation, [1.3 * far(1.3), 1.6 * far(2.7), 1.9 * far(0.9)]);
                    let half = [0.02 + 0.2 * far(0.37).abs(); 3];
                    let within = Bounds { low: sub(middle, half), high: add(middle, half) };
                    let points: Vec<[f64; 3]> = (0..125_usize)
                        .map(|at| {
                            let part = [at % 5, at / 5 % 5, at / 25]
                                .map(|x| f64::from(u32::try_from(x).expect("small")) / 4.0);
                            [0, 1, 2].map(|axis| {
                                within.low[axis] + part[axis] * (within.high[axis] - within.low[axis])
                            })
                        })
                        .collect();
                    let mut air = vec![[0.0; 3]; points.len()];
                    let reached = zone.blow(&stands, 0.3, &points, &mut air);
                    match zone.reach(&stands, &within) {
                        Reach::Nowhere => {
                            assert!(!reached);
                            seen[0] += 1;
                        }
                        Reach::Evenly => {
                            assert!(reached && air.iter().all(|velocity| velocity == &air[0]));
                            seen[1] += 1;
                        }
                        Reach::Unevenly => seen[2] += 1,
                    }
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
    }

    #[test]
    fn what_is_none_is_named() {
        let good = WindZone::of(crate_of(1.0), [1.0, 2.0, 3.0]);
        assert_eq!(good.invalid_field(), None);
        let bad = [
            (
                WindZone { shape: ZoneShape::Box { half_extents: [1.0, 0.0, 1.0] }, ..good },
                "shape.half_extents",
            ),
            (WindZone { shape: ZoneShape::Sphere { radius: f32::NAN }, ..good }, "shape.radius"),
            (WindZone { velocity: [0.0, f32::INFINITY, 0.0], ..good }, "velocity"),
            (WindZone { turbulence: -0.1, ..good }, "turbulence"),
            (WindZone { eddy: 0.0, ..good }, "eddy"),
            (WindZone { falloff: -1.0, ..good }, "falloff"),
        ];
        for (zone, field) in bad {
            assert_eq!(zone.invalid_field(), Some(field));
        }
    }
}
