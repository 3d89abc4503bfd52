//! Where wind comes from: the sources of a world, and what of them reaches a cloth.
//!
//! Sources are components. What a cloth is told is made up anew for each of its steps, on the thread that owns the scene, where the
//! cloth is when the step begins: nothing is kept from one step to the next but the air of volumes, so a source that is turned, changed,
//! spawned or despawned counts from the next step on. In this order
//!
//! 1. what blows everywhere adds up ([`AmbientWind`]),
//! 2. volumes of simulated air take its place ([`FluidVolume`](crate::fluid::FluidVolume)), each with the weight that it has there,
//! 3. zones add to that or take its place, likewise ([`WindZone`]),
//! 4. a host's own sources come last ([`WindSource`]),
//!
//! each kind in the order of the entities' numbers. A cloth that no source reaches is in no air, and computes nothing of it. One that any
//! source reaches at any of its vertices is in air everywhere: where no source is, that stands still, and resists.
//!
//! Gusts and eddies go by the **age** of the cloth that asks: the time that its own steps took since it was seeded. So its n-th
//! step has the same wind whoever takes the steps and whenever it was spawned. What is culled does not age.

mod ambient;
mod eddies;
mod saved;
mod volumes;
mod weather;
mod zone;

use std::sync::Arc;

pub use ambient::AmbientWind;
pub use zone::{WindZone, ZoneBlend, ZoneShape};

pub(super) use volumes::Volumes;
pub(super) use weather::{Asker, Blown, Room, Weather};

use crate::pose::{Bounds, Pose};

/// Fastest wind along an axis (m/s): what a step takes.
pub(super) const FASTEST: f32 = cloth_core::air::MAX_SPEED;

/// How a source lies in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nowhere in it.
    Nowhere,
    /// Everywhere in it alike: one point is as good as any other, and a cloth in the box is told one velocity.
    Evenly,
    /// Here and there, or differently from place to place: every vertex of the cloth is asked for.
    Unevenly,
}

/// A source of wind.
///
/// It is asked on the thread that owns the scene, once for every step of every cloth that it may reach. What it answers feeds
/// the step: whoever wants the same bits on every machine computes with `+ − × ÷ √` alone, and by nothing but what it is given.
pub trait Wind: Send + Sync {
    /// How it lies in a box of the world, where its entity stands at `stands`. [`Reach::Evenly`] and [`Reach::Nowhere`] are promises.
    fn reach(&self, stands: &Pose, within: &Bounds) -> Reach;

    /// Makes of the air at points of the world (m) what it is with this source: `air` has the velocities (m/s, world) that the sources
    /// before it left there, which it adds to or replaces. `age` is the time that the asker's steps took until now (s). Whether it
    /// reached any of the points.
    fn blow(&self, stands: &Pose, age: f64, at: &[[f64; 3]], air: &mut [[f64; 3]]) -> bool;

    /// Layers of cloth that feel it, a bit each.
    fn mask(&self) -> u32 {
        u32::MAX
    }
}

/// A component: a source of wind of the host's own. It stands at its entity's [`Transform`](super::Transform), if that has one.
///
/// Snapshots share it and roll nothing of it back: what it keeps for itself is its host's. Files and recordings cannot hold it,
/// and say so.
#[derive(Clone)]
pub struct WindSource(pub Arc<dyn Wind>);

impl core::fmt::Debug for WindSource {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("WindSource").finish_non_exhaustive()
    }
}

/// Whether a velocity is one that wind may have.
fn is_velocity(velocity: &[f32; 3]) -> bool {
    velocity.iter().all(|component| (-FASTEST..=FASTEST).contains(component))
}

/// What a setting of a source may be, for messages.
pub(super) fn range_of(field: &str) -> String {
    match field {
        "velocity" | "gust" => format!("-{FASTEST} to {FASTEST} m/s along each axis"),
        "period" => format!("{} to {} s", ambient::PERIODS.start(), ambient::PERIODS.end()),
        "turbulence" => format!("{} to {}", zone::TURBULENCES.start(), zone::TURBULENCES.end()),
        "eddy" => format!("{} to {} m", zone::LENGTHS.start(), zone::LENGTHS.end()),
        "falloff" => format!("0 to {} m", zone::LENGTHS.end()),
        // Half extents and radii.
        _ => format!("{} to {} m", zone::LENGTHS.start(), zone::LENGTHS.end()),
    }
}
