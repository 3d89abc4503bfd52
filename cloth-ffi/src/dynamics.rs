//! The settings of a cloth, as C sees them, and the library's fabrics.

use crate::status::{ClothStatus, Refused};
use cloth_core::library::Density;
use cloth_core::{ClothFlags, library};
use core::ffi::{CStr, c_char};

/// Strain-limit rows act.
pub const CLOTH_FLAG_STRAIN_LIMIT: u32 = 1;
/// The fabric is meant to collide with itself. No step does that yet.
pub const CLOTH_FLAG_SELF_CONTACT: u32 = 2;

/// The live settings of a cloth: every field may change between two steps and works on the next. Dials run from 0 to
/// 1; everything else is in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothDynamics {
    /// Dial: how far a particle may leave its target, as a share of what its tether allows: within 2*slack*d, d being
    /// the geodesic distance to its pin (m). 1 is no leash, 0 welds the cloth to its targets.
    pub slack: f32,
    /// Dial of the strain limit: rows are pulled back to 1 + 0.25*0.004^stretch times their rest length. Read with
    /// CLOTH_FLAG_STRAIN_LIMIT.
    pub stretch: f32,
    /// Bending stiffness B of a surface (N*m): the energy of a curvature k (1/m) is B*k^2/2 a square metre. Limited in
    /// models with merged bend rows (cloth_model_bend_limit).
    pub bend: f32,
    /// Stiffness of the skip rows of a chain (N/m).
    pub skip: f32,
    /// Dial: the share of its anchor's motion that the cloth feels (ClothAnchor). 0 is welded to the anchor's frame, to the
    /// bit; 1 is physics.
    pub inertia: f32,
    /// Damping rate d (1/s): the half-life of a speed is ln 2/d seconds.
    pub damping: f32,
    /// Dial: how much the air takes the cloth along (ClothStep::air). What faces it closes its gap to the air's velocity at a
    /// rate of 60*drag (1/s).
    pub drag: f32,
    /// Dial: the share of what the air pushes a surface aside by, across its own way past it. 0 is drag alone; at 1 air that
    /// meets a surface aslant pushes along its normal, and a flag flutters. A chain has none.
    pub lift: f32,
    /// Thickness (m), 0 to 1e6: how far from colliders particles are kept, besides a collider's own inflation, which
    /// says what much of either costs on a height field.
    pub thickness: f32,
    /// Substeps a step is cut into, 1 to 64; one that follows a collider takes more, up to ClothStep::most_substeps.
    pub substeps: u32,
    /// Sweeps over aggregates and rows a substep, 1 to 64. A step costs in proportion to
    /// iterations*max(substeps, most_substeps) at worst, and nothing bounds the product.
    pub iterations: u32,
    /// CLOTH_FLAG_ values.
    pub flags: u32,
}

/// Names of the fields that a step may refuse, in the order of the struct.
const FIELDS: [&str; 11] = [
    "slack",
    "stretch",
    "bend",
    "skip",
    "inertia",
    "damping",
    "drag",
    "lift",
    "thickness",
    "substeps",
    "iterations",
];

/// Which field of [`ClothDynamics`] has that name, counted from 0.
pub(crate) fn number_of(field: &str) -> u32 {
    crate::status::number_in(&FIELDS, field)
}

const FLAGS: [(u32, ClothFlags); 2] = [
    (CLOTH_FLAG_STRAIN_LIMIT, ClothFlags::STRAIN_LIMIT),
    (CLOTH_FLAG_SELF_CONTACT, ClothFlags::SELF_CONTACT),
];

impl ClothDynamics {
    /// The settings as core has them.
    pub(crate) fn to_core(self) -> Result<cloth_core::ClothDynamics, Refused> {
        let mut flags = ClothFlags::NONE;
        let mut unknown = self.flags;
        for (bit, flag) in FLAGS {
            if self.flags & bit != 0 {
                flags = flags.with(flag);
                unknown &= !bit;
            }
        }
        if unknown != 0 {
            return Err(ClothStatus::UnknownValue.into());
        }
        let Self {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            ..
        } = self;
        Ok(cloth_core::ClothDynamics {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        })
    }

    /// Core's settings as C sees them.
    pub(crate) fn of_core(core: &cloth_core::ClothDynamics) -> Self {
        let cloth_core::ClothDynamics {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        } = *core;
        let flags =
            FLAGS.iter().fold(0, |bits, (bit, flag)| if flags.contains(*flag) { bits | bit } else { bits });
        Self {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        }
    }
}

/// What a fabric's density is a mass of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothDensityKind {
    /// A surface: kg/m^2.
    Areal = 1,
    /// A chain: kg/m.
    Linear = 2,
}

/// A fabric of the library.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothFabric {
    /// Its name, lower case; a static string.
    pub name: *const c_char,
    /// Its settings.
    pub dynamics: ClothDynamics,
    /// Its density, in the unit of density_kind.
    pub density: f32,
    /// A ClothDensityKind.
    pub density_kind: u32,
}

/// The library's names as C reads them, in its order.
const NAMES: [&CStr; 7] = [c"silk", c"cotton", c"denim", c"leather", c"rope", c"chain", c"hair"];

/// How many fabrics the library has.
pub const CLOTH_FABRIC_COUNT: u32 = 7;
const _: () = assert!(CLOTH_FABRIC_COUNT as usize == library::ALL.len());

/// A fabric by its number.
pub(crate) fn fabric(number: u32) -> Result<ClothFabric, Refused> {
    let index = number as usize;
    let (Some(fabric), Some(name)) = (library::ALL.get(index), NAMES.get(index)) else {
        return Err(Refused::at(ClothStatus::NotFound, number));
    };
    let (density, kind) = match fabric.density {
        Density::Areal(density) => (density, ClothDensityKind::Areal),
        Density::Linear(density) => (density, ClothDensityKind::Linear),
    };
    let dynamics = ClothDynamics::of_core(&fabric.dynamics);
    Ok(ClothFabric { name: name.as_ptr(), dynamics, density, density_kind: kind as u32 })
}

/// The number of the fabric of that name.
pub(crate) fn fabric_number(name: &CStr) -> Result<u32, Refused> {
    let found = (0..).zip(NAMES).find(|(_, known)| *known == name);
    found.map(|(number, _)| number).ok_or(ClothStatus::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_went() {
        for fabric in library::ALL {
            assert_eq!(ClothDynamics::of_core(&fabric.dynamics).to_core(), Ok(fabric.dynamics));
        }
        let unknown = ClothDynamics { flags: 4, ..ClothDynamics::of_core(&library::SILK) };
        assert_eq!(unknown.to_core(), Err(ClothStatus::UnknownValue.into()));
    }

    #[test]
    fn names_are_the_librarys() {
        for (number, (fabric, name)) in (0..).zip(library::ALL.iter().zip(NAMES)) {
            assert_eq!(name.to_str(), Ok(fabric.name));
            assert_eq!(fabric_number(name), Ok(number));
        }
        assert_eq!(fabric_number(c"wool"), Err(ClothStatus::NotFound.into()));
        assert!(fabric(CLOTH_FABRIC_COUNT).is_err());
    }

    #[test]
    fn fields_are_counted_as_the_struct_has_them() {
        let good = cloth_core::ClothDynamics::default();
        for (number, spoil) in [
            (0, cloth_core::ClothDynamics { slack: f32::NAN, ..good }),
            (5, cloth_core::ClothDynamics { damping: -1.0, ..good }),
            (7, cloth_core::ClothDynamics { lift: 2.0, ..good }),
            (10, cloth_core::ClothDynamics { iterations: 0, ..good }),
        ] {
            assert_eq!(spoil.invalid_field().map(number_of), Some(number));
        }
    }
}
