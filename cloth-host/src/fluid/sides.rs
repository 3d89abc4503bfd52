//! The six sides of the box.
//!
//! Through a side that the prevailing wind leaves by, whatever is there goes out: pressure is 0 beyond it. Through all others goes what of
//! the wind goes across them, as in a wind tunnel whose walls are where the air is undisturbed. A side that the wind goes along, or
//! leaves by at less than some six degrees, is one of these: were it open, the air that a body turns aside would be gone for good, and
//! all behind the body would stand still (`measure fluid-wake` has the wake it is now). With no wind to speak of all six are open.

use cloth_core::math::{real, sqrt};

/// Least share of the speed that goes across a side by which wind goes out: the sine of six degrees.
const ACROSS: f32 = 0.1;
/// Slowest wind that has a direction (m/s).
const SLOWEST: f32 = 0.05;

/// Which sides have a given velocity: low and high along each axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub given: [[bool; 2]; 3],
}

impl Sides {
    /// With a prevailing wind (m/s).
    pub fn of(wind: [f32; 3]) -> Self {
        let speed = sqrt(wind.iter().fold(0.0, |sum, x| sum + x * x));
        if speed < SLOWEST {
            return Self::default();
        }
        let least = real::max(ACROSS * speed, 0.0);
        Self { given: wind.map(|across| [across >= -least, across <= least]) }
    }
}
