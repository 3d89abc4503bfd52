//! Sources of wind as words.

use super::{AmbientWind, WindZone, ZoneBlend, ZoneShape};
use crate::fluid::FluidVolume;
use crate::world::words::{Reader, Words, fields};

fields! {
    AmbientWind { velocity, gust, period, mask }
    WindZone { shape, velocity, turbulence, eddy, falloff, blend, mask }
    FluidVolume {
        half_extents, cell, prevailing, relaxation, damping, confinement, tolerance, border, mask, obstacles
    }
}

impl Words for ZoneShape {
    fn put(&self, to: &mut Vec<u32>) {
        match *self {
            Self::Box { half_extents } => (0_u32, half_extents).put(to),
            Self::Sphere { radius } => (1_u32, radius).put(to),
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<u32>()? {
            0 => Some(Self::Box { half_extents: from.take()? }),
            1 => Some(Self::Sphere { radius: from.take()? }),
            _ => None,
        }
    }
}

impl Words for ZoneBlend {
    fn put(&self, to: &mut Vec<u32>) {
        to.push(match self {
            Self::Add => 0,
            Self::Replace => 1,
        });
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<u32>()? {
            0 => Some(Self::Add),
            1 => Some(Self::Replace),
            _ => None,
        }
    }
}
