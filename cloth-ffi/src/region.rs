//! Parts of a state and where two states part, as C sees them.

use cloth_core::{Difference, Region};
use core::ffi::{CStr, c_char};

/// A part of a cloth's state, in the order in which two are compared. All values are cloth-local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothRegion {
    /// Where particles are (m).
    Positions = 0,
    /// How fast they are (m/s).
    Velocities = 1,
    /// Where they are held or what their slack leashes are tied to (m), and inverse masses (1/kg), 0 of who is held.
    Targets = 2,
    /// Tensions of the stretch rows, its multipliers (N/m), and for how many substeps the cloth has been calm.
    Tensions = 3,
    /// What contacts left: whether something was touched, or struck the cloth, and who is in trouble (ClothEscape).
    Contacts = 4,
    /// The sleep window, where particles were when it opened (m), what the world was, and the number of steps.
    Sleep = 5,
    /// How fast the anchor was (m/s, rad/s), and how many steps the cloth yet settles.
    Anchor = 6,
}

/// How many values ClothRegion has.
pub const CLOTH_REGION_COUNT: usize = 7;
/// Room for the name of a value, the zero at its end included.
pub const CLOTH_FIELD_LENGTH: usize = 24;

const _: () = assert!(CLOTH_REGION_COUNT == Region::ALL.len());

/// The first value in which two states differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ClothDifference {
    /// A ClothRegion: the first that differs. UINT32_MAX where the states agree in all; then nothing else here says anything.
    pub region: u32,
    /// The first particle in it that differs (ClothPermutation::source_of), or the stretch row of a tension; UINT32_MAX where
    /// it is a value of the cloth as a whole.
    pub item: u32,
    /// The first source vertex of that particle; UINT32_MAX of rows and of the cloth as a whole.
    pub vertex: u32,
    /// 1 where the bits are those of a float, in the unit of its region, 0 where they are a whole number.
    pub is_float: u32,
    /// Both values, the first cloth's first: the bits of a float, -0 as 0 and every NaN as one, or a whole number.
    pub bits: [u32; 2],
    /// Which value of the item, in English: "x", "inverse mass", "tension". Ends with a zero.
    pub field: [c_char; CLOTH_FIELD_LENGTH],
}

impl ClothRegion {
    /// The region of that number, as core has it.
    fn find(number: u32) -> Option<Region> {
        Region::ALL.into_iter().find(|region| *region as u32 == number)
    }

    /// Its name; `None` of a number that is none.
    pub(crate) fn name(number: u32) -> Option<&'static CStr> {
        Some(match Self::find(number)? {
            Region::Positions => c"positions",
            Region::Velocities => c"velocities",
            Region::Targets => c"targets",
            Region::Tensions => c"tensions",
            Region::Contacts => c"contacts",
            Region::Sleep => c"sleep",
            Region::Anchor => c"anchor",
            _ => return None,
        })
    }
}

impl ClothDifference {
    /// What stands for "none" in region, item and vertex.
    const NONE: u32 = u32::MAX;

    pub(crate) fn of_core(found: Option<Difference>) -> Self {
        let mut difference = Self {
            region: Self::NONE,
            item: Self::NONE,
            vertex: Self::NONE,
            is_float: 0,
            bits: [0; 2],
            field: [0; CLOTH_FIELD_LENGTH],
        };
        if let Some(Difference { region, item, vertex, field, bits, is_float }) = found {
            difference =
                Self { region: region as u32, item, vertex, is_float: is_float.into(), bits, ..difference };
            // The last stays zero, however long a name core may come to have. Letter by letter: what counts down the room
            // instead is unfolded into four kilobytes.
            let (letters, _) = difference.field.split_at_mut(CLOTH_FIELD_LENGTH - 1);
            for (index, letter) in field.bytes().enumerate() {
                if let Some(to) = letters.get_mut(index) {
                    *to = c_char::from_ne_bytes([letter]);
                }
            }
        }
        difference
    }
}

macro_rules! same_number {
    ($($name:ident)*) => { $(const _: () = assert!(ClothRegion::$name as u32 == Region::$name as u32);)* };
}
same_number!(Positions Velocities Targets Tensions Contacts Sleep Anchor);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_cores_names() {
        for region in Region::ALL {
            let name = ClothRegion::name(region as u32).and_then(|name| name.to_str().ok());
            assert_eq!(name, Some(region.name()));
        }
        assert_eq!(ClothRegion::name(7), None);
    }
}
