//! The six sides of the box.
//!
//! Through a side that the prevailing wind comes in by, it comes in as it is. All others are open: pressure is 0 outside. A side
//! that the wind goes along, or meets at less than some six degrees, is open too, or else the air that goes round a body would be
//! held in as by a tube.

use cloth_core::math::{real, sqrt};

/// Least share of the speed that goes across a side by which wind comes in: the sine of six degrees.
const ACROSS: f32 = 0.1;

/// Which sides the wind comes in by: low and high along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides {
    pub inflow: [[bool; 2]; 3],
}

impl Sides {
    /// With a prevailing wind (m/s).
    pub fn of(wind: [f32; 3]) -> Self {
        let speed = sqrt(wind.iter().fold(0.0, |sum, x| sum + x * x));
        let is_across = |x: f32| real::abs(x) > ACROSS * speed;
        Self { inflow: wind.map(|x| [x > 0.0 && is_across(x), x < 0.0 && is_across(x)]) }
    }
}
