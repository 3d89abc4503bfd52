//! What an author sets of a volume of air, and what no volume can be.

use thiserror::Error as ThisError;

use super::grid::{self, Grid};

/// A component: a box about its entity's origin in which air is simulated. The axes are the entity's, whose scale must be 1.
///
/// The box is whole cells: ⌈2·`half_extents`/`cell`⌉ of them along an axis, four at least, about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct FluidVolume {
    /// Half of what it measures along its axes (m), 1e-3 to 1e5.
    pub half_extents: [f32; 3],
    /// Side of a cell (m), 1e-3 to 1e3. A wall thinner than two cells may let some or all of the air through, by where it lies in the
    /// grid: choose no more than half the thinnest wall that matters.
    pub cell: f32,
    /// Velocity of the air that comes in (m/s), along the world's axes, at most 1,000 a component. `None`: the sum of
    /// the ambient winds that share a layer with `mask`, each component cut to ±1,000. Every cloth that feels the volume then feels all
    /// of them, those of layers that it is not in too: where that matters, give a wind here, or volumes with narrower masks.
    pub prevailing: Option<[f32; 3]>,
    /// Rate at which the air within goes over to the prevailing wind (1/s), 0 to 1,000.
    pub relaxation: f32,
    /// Rate at which the air within comes to rest (1/s), 0 to 1,000.
    pub damping: f32,
    /// Vorticity confinement, a dial from 0 to 1: how much of the swirl that the grid smears is given back.
    pub confinement: f32,
    /// Largest divergence a step leaves in a cell, |div u|·cell as a share of the mean speed (1), 1e-5 to 0.1.
    pub tolerance: f32,
    /// Width of the border over which it blends into the air outside (m), 0 to 1e5.
    pub border: f32,
    /// Layers of cloth that feel it, a bit each.
    pub mask: u32,
    /// Layers of colliders that stand in it, a bit each.
    pub obstacles: u32,
}

impl Default for FluidVolume {
    fn default() -> Self {
        Self {
            half_extents: [1.0; 3],
            cell: 0.125,
            prevailing: None,
            relaxation: 0.2,
            damping: 0.0,
            confinement: 0.0,
            tolerance: 1.0e-3,
            border: 0.25,
            mask: u32::MAX,
            obstacles: u32::MAX,
        }
    }
}

/// Most cells of a volume, with the layer round it that every side has.
pub const MOST_CELLS: u64 = 1 << 24;

/// Fastest prevailing wind along an axis (m/s).
pub(super) const FASTEST_WIND: f32 = 1000.0;

/// Smallest and largest value of a setting, by field.
const RANGES: [(&str, f32, f32); 7] = [
    ("half_extents", 1.0e-3, 1.0e5),
    ("cell", 1.0e-3, 1.0e3),
    ("relaxation", 0.0, 1.0e3),
    ("damping", 0.0, 1.0e3),
    ("confinement", 0.0, 1.0),
    ("tolerance", 1.0e-5, 0.1),
    ("border", 0.0, 1.0e5),
];

/// Why there is no such volume of air.
#[derive(Clone, Copy, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum FluidError {
    /// A setting that is none, or out of range.
    #[error("{field} of a fluid volume is {value}: it must lie within {low} and {high}")]
    Setting {
        /// The field.
        field: &'static str,
        /// What was given.
        value: f32,
        /// The smallest that goes.
        low: f32,
        /// The largest that goes.
        high: f32,
    },
    /// More cells than a volume may have.
    #[error(
        "a fluid volume of {cells} cells ({bytes} bytes) is too large, {allowed} cells are allowed: choose a larger cell, or a smaller box"
    )]
    TooLarge {
        /// Cells asked for, with the layer round them.
        cells: u64,
        /// What they would take.
        bytes: u64,
        /// Most cells.
        allowed: u64,
    },
    /// The machine has not the memory.
    #[error(
        "there is no memory for a fluid volume of {cells} cells ({bytes} bytes): choose a larger cell, or a smaller box"
    )]
    Memory {
        /// Cells asked for, with the layer round them.
        cells: u64,
        /// What they would take.
        bytes: u64,
    },
}

impl FluidVolume {
    /// Whether there can be such a volume.
    ///
    /// # Errors
    /// [`FluidError::Setting`] with the first field that is out of range, [`FluidError::TooLarge`].
    pub fn check(&self) -> Result<(), FluidError> {
        self.grid().map(|_| ())
    }

    /// Half of what its box of whole cells measures along its axes (m); none of one that cannot be.
    pub fn half(&self) -> [f64; 3] {
        self.grid().map_or([0.0; 3], |grid| grid.half())
    }

    /// The cells it has.
    pub(super) fn grid(&self) -> Result<Grid, FluidError> {
        let [x, y, z] = self.half_extents;
        let given = [
            ("half_extents", x),
            ("half_extents", y),
            ("half_extents", z),
            ("cell", self.cell),
            ("relaxation", self.relaxation),
            ("damping", self.damping),
            ("confinement", self.confinement),
            ("tolerance", self.tolerance),
            ("border", self.border),
        ];
        for (name, value) in given {
            let Some((field, low, high)) = RANGES.into_iter().find(|(field, ..)| *field == name) else {
                continue;
            };
            if !(low..=high).contains(&value) {
                return Err(FluidError::Setting { field, value, low, high });
            }
        }
        for value in self.prevailing.into_iter().flatten() {
            if !(-FASTEST_WIND..=FASTEST_WIND).contains(&value) {
                let (low, high) = (-FASTEST_WIND, FASTEST_WIND);
                return Err(FluidError::Setting { field: "prevailing", value, low, high });
            }
        }
        let counts = self.half_extents.map(|half| grid::cells_along(half, self.cell));
        let cells = counts.iter().fold(1_u64, |all, count| all.saturating_mul(count + 2));
        if cells > MOST_CELLS {
            let bytes = cells.saturating_mul(super::BYTES_PER_CELL);
            return Err(FluidError::TooLarge { cells, bytes, allowed: MOST_CELLS });
        }
        Ok(Grid::new(counts, self.cell))
    }
}
