//! What air a cloth's next step is told.

use cloth_core::Vec3;
use cloth_core::air::MAX_SPEED;

use super::extent;
use crate::pose::{Bounds, Pose, narrow};
use crate::world::wind::{Asker, Blown, Room, Volumes, Weather};
use crate::world::work::Breath;
use crate::world::{AirTold, Work};

/// What blows in a tick, and room to find out what of it reaches a cloth.
pub(in crate::world) struct Sky<'s> {
    pub weather: &'s Weather,
    pub volumes: &'s Volumes,
    pub room: &'s mut Room,
}

/// Finds the air where the cloth is when the step begins – its vertices in the frame that stands at `stood` – and tells it
/// along the axes that its anchor has when the step ends, at `to`. Whose fabric feels none is told none.
#[inline(never)]
pub(super) fn tell(work: &mut Work, asker: Asker, stood: &Pose, to: &Pose, sky: &mut Sky<'_>) -> AirTold {
    work.told.breath = Breath::None;
    if work.told.dynamics.drag <= 0.0 {
        return AirTold::None;
    }
    let state = work.state();
    let bounds = || {
        let (low, high) = extent(state);
        let mut bounds = Bounds::NONE;
        for corner in 0..8_usize {
            let at =
                core::array::from_fn(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
            bounds = bounds.with(stood.apply(at));
        }
        bounds
    };
    let points = |at: &mut Vec<[f64; 3]>| {
        at.extend(state.positions().map(|vertex| stood.apply(vertex.to_array().map(f64::from))));
    };
    let blown = sky.weather.blow(sky.volumes, asker, sky.room, bounds, points);
    let points = u32::try_from(sky.room.at.len()).unwrap_or(u32::MAX);
    let felt = |velocity: [f64; 3]| narrow(to.unturn(velocity).map(limited));
    match blown {
        Blown::Nothing => AirTold::None,
        Blown::Evenly(velocity) => {
            work.told.breath = Breath::Uniform(Vec3::from_array(felt(velocity)));
            AirTold::Uniform { points }
        }
        Blown::Each => {
            work.told.breath = Breath::Each;
            let breezes = &mut work.told.breezes;
            breezes.clear();
            breezes.extend(sky.room.air.iter().map(|velocity| felt(*velocity)));
            AirTold::Each { points }
        }
    }
}

/// No faster than a step takes (m/s): several sources may add up to more. What is no number stays none, and the step refuses it.
fn limited(speed: f64) -> f64 {
    let most = f64::from(MAX_SPEED);
    if speed > most {
        most
    } else if speed < -most {
        -most
    } else {
        speed
    }
}
