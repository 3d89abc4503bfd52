//! Seven fabrics, each with the density it is meant for.
//!
//! Densities and stiffnesses are those of real cloth of the kind; budgets, dials and thicknesses come from
//! the measurement record and were looked at in motion.

use super::dynamics::{ClothDynamics, ClothFlags};

/// How heavy a fabric is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Density {
    /// A surface's mass an area (kg/m²).
    Areal(f32),
    /// A chain's mass a length (kg/m).
    Linear(f32),
}

/// A fabric of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Its name, lower case.
    pub name: &'static str,
    /// Its settings.
    pub dynamics: ClothDynamics,
    /// Its density.
    pub density: Density,
}

const NONE: ClothFlags = ClothFlags::NONE;
const STRAIN_LIMIT: ClothFlags = ClothFlags::STRAIN_LIMIT;
const SELF_CONTACT: ClothFlags = ClothFlags::SELF_CONTACT;

/// What the fabrics share; each entry below overrides what makes it itself.
const BASE: ClothDynamics = ClothDynamics {
    slack: 1.0,
    stretch: 0.5,
    bend: 0.0,
    skip: 0.0,
    inertia: 1.0,
    damping: 0.0,
    drag: 0.0,
    lift: 0.0,
    thickness: 0.0,
    substeps: 8,
    iterations: 1,
    flags: NONE,
};

/// Thin, light, lively: 0.06 kg/m².
pub const SILK: ClothDynamics = ClothDynamics {
    bend: 4e-6,
    inertia: 0.9,
    damping: 0.3,
    drag: 0.45,
    thickness: 0.004,
    flags: SELF_CONTACT,
    ..BASE
};

/// Shirts and skirts: 0.15 kg/m².
pub const COTTON: ClothDynamics = ClothDynamics {
    bend: 1e-5,
    inertia: 0.85,
    damping: 0.6,
    drag: 0.2,
    thickness: 0.008,
    flags: SELF_CONTACT,
    ..BASE
};

/// Heavy twill: 0.40 kg/m².
pub const DENIM: ClothDynamics = ClothDynamics {
    stretch: 0.7,
    bend: 1e-4,
    inertia: 0.8,
    damping: 1.5,
    drag: 0.08,
    thickness: 0.014,
    flags: STRAIN_LIMIT,
    ..BASE
};

/// Stiff hide: 0.90 kg/m².
pub const LEATHER: ClothDynamics = ClothDynamics {
    stretch: 0.8,
    bend: 1e-3,
    inertia: 0.75,
    damping: 1.2,
    drag: 0.05,
    thickness: 0.02,
    flags: STRAIN_LIMIT,
    ..BASE
};

/// Laid rope: 0.10 kg/m.
pub const ROPE: ClothDynamics = ClothDynamics {
    stretch: 1.0,
    skip: 20.0,
    inertia: 0.95,
    damping: 0.5,
    drag: 0.12,
    thickness: 0.015,
    substeps: 12,
    flags: STRAIN_LIMIT,
    ..BASE
};

/// Metal links, free to turn: 0.50 kg/m.
pub const CHAIN: ClothDynamics = ClothDynamics {
    stretch: 1.0,
    inertia: 0.95,
    damping: 1.0,
    drag: 0.05,
    thickness: 0.012,
    substeps: 12,
    flags: STRAIN_LIMIT,
    ..BASE
};

/// Strands: 0.02 kg/m.
pub const HAIR: ClothDynamics = ClothDynamics {
    stretch: 0.7,
    skip: 5.0,
    inertia: 0.8,
    damping: 1.0,
    drag: 0.3,
    thickness: 0.006,
    substeps: 12,
    flags: SELF_CONTACT,
    ..BASE
};

/// Every fabric, by name.
pub const ALL: [Fabric; 7] = [
    Fabric { name: "silk", dynamics: SILK, density: Density::Areal(0.06) },
    Fabric { name: "cotton", dynamics: COTTON, density: Density::Areal(0.15) },
    Fabric { name: "denim", dynamics: DENIM, density: Density::Areal(0.40) },
    Fabric { name: "leather", dynamics: LEATHER, density: Density::Areal(0.90) },
    Fabric { name: "rope", dynamics: ROPE, density: Density::Linear(0.10) },
    Fabric { name: "chain", dynamics: CHAIN, density: Density::Linear(0.50) },
    Fabric { name: "hair", dynamics: HAIR, density: Density::Linear(0.02) },
];

/// The fabric of a name, if the library has it.
#[must_use]
pub fn by_name(name: &str) -> Option<Fabric> {
    ALL.iter().find(|fabric| fabric.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fabric_is_usable_and_found_by_its_name() {
        for fabric in ALL {
            assert_eq!(fabric.dynamics.invalid_field(), None, "{}", fabric.name);
            assert_eq!(by_name(fabric.name), Some(fabric));
        }
        assert_eq!(by_name("wool"), None);
    }
}
