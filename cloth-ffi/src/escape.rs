//! When a particle goes back to its target by itself, as C sees it.

use cloth_core::step::Escape;

/// When a particle that nothing frees goes back to its target. In trouble at the end of a step is a free particle of a hard row that is
/// off its rest length by more than strain times it, or that is inside a collider with another near, or that is further than
/// distance from its target. In trouble for so many steps in a row it is taken to its target in a straight line, through
/// whatever is in its way, and let go there at rest. A ClothStep begins with a hatch that never acts on cloth that is merely
/// pulled, struck or crumpled: after sixty steps with a row at twice its length or between colliders.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothEscape {
    /// How far a hard stretch row may be off its rest length, over that (1), 0.01 and above; infinite asks none.
    pub strain: f32,
    /// How far a particle may be from its target (m), above 0; infinite, the default, asks none.
    pub distance: f32,
    /// Steps in trouble after which a particle goes, at most 60000; 0 turns the hatch off.
    pub steps: u32,
    /// Steps it takes to its target, 1 to 60000.
    pub window: u32,
}

const FIELDS: [&str; 4] = ["strain", "distance", "steps", "window"];

/// The number of a field of core, counted from 0 in [`ClothEscape`].
pub(crate) fn number_of(field: &str) -> u32 {
    crate::status::number_in(&FIELDS, field)
}

impl ClothEscape {
    /// The hatch as core has it.
    pub(crate) fn to_core(self) -> Escape {
        let Self { strain, distance, steps, window } = self;
        Escape { strain, distance, steps, window }
    }

    pub(crate) fn of_core(core: &Escape) -> Self {
        let Escape { strain, distance, steps, window } = *core;
        Self { strain, distance, steps, window }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::{ClothStatus, Refused};
    use cloth_core::StepError;

    #[test]
    fn every_field_that_core_refuses_has_its_number() {
        for (number, field) in (0..).zip(FIELDS) {
            let refused = Refused::from(StepError::Escape { field });
            assert_eq!((refused.status, refused.element), (ClothStatus::Escape, number));
        }
        assert_eq!(ClothEscape::of_core(&Escape::OFF).to_core(), Escape::OFF);
    }
}
