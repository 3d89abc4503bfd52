//! What a call answers.

use cloth_core::ModelError;
use core::ffi::{CStr, c_char};

/// How a call ended. Numbers are never used again for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothStatus {
    /// Done.
    Ok = 0,
    /// A pointer is null.
    NullPointer = 1,
    /// A pointer is not aligned for what it points at (16 bytes for blocks).
    Misaligned = 2,
    /// A count is larger than any memory.
    CountTooLarge = 3,
    /// Fewer blocks than the model's header says.
    ModelTooShort = 16,
    /// The blocks do not begin with a model.
    NotAModel = 17,
    /// The model is in the other byte order.
    ModelByteOrder = 18,
    /// The model has a layout version this library does not read.
    ModelVersion = 19,
    /// The model was written by a build with other records.
    ModelLayout = 20,
    /// The model's header contradicts itself.
    ModelHeader = 21,
    /// An item of the model is out of range.
    ModelItem = 22,
    /// The model was refused for a reason that has no number yet.
    ModelRefused = 23,
}

impl ClothStatus {
    /// Every status and its message.
    const MESSAGES: [(Self, &'static CStr); 12] = [
        (Self::Ok, c"done"),
        (Self::NullPointer, c"a pointer is null"),
        (Self::Misaligned, c"a pointer is not aligned: blocks want 16 bytes, results what their type wants"),
        (Self::CountTooLarge, c"a count is larger than any memory"),
        (Self::ModelTooShort, c"fewer blocks than the model's header says: pass all of them"),
        (Self::NotAModel, c"the blocks do not begin with a cloth model"),
        (Self::ModelByteOrder, c"the model is in the other byte order: load it from its file form"),
        (Self::ModelVersion, c"another layout version of the model: bake it again"),
        (Self::ModelLayout, c"the model was written by a build with other records: bake it again"),
        (Self::ModelHeader, c"the model's header contradicts itself: the data is damaged"),
        (Self::ModelItem, c"an item of the model is out of range: the data is damaged"),
        (Self::ModelRefused, c"the model was refused"),
    ];
}

impl From<ModelError> for ClothStatus {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::TooShort { .. } => Self::ModelTooShort,
            ModelError::NotAModel => Self::NotAModel,
            ModelError::ByteOrder => Self::ModelByteOrder,
            ModelError::Version { .. } => Self::ModelVersion,
            ModelError::Layout => Self::ModelLayout,
            ModelError::Header => Self::ModelHeader,
            ModelError::Item { .. } => Self::ModelItem,
            _ => Self::ModelRefused,
        }
    }
}

/// A sentence in English about a status, for a log: a static string, never null, "unknown status" for a number
/// that is none. It takes a plain number because a C program may pass any.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_status_message(status: u32) -> *const c_char {
    let known = ClothStatus::MESSAGES.iter().find(|(known, _)| *known as u32 == status);
    known.map_or(c"unknown status", |(_, message)| *message).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::string::String;

    fn message(status: u32) -> String {
        // SAFETY: the function answers with a static, terminated string.
        unsafe { CStr::from_ptr(cloth_status_message(status)) }.to_str().expect("ASCII").into()
    }

    #[test]
    fn every_status_has_a_message_of_its_own() {
        let messages: BTreeSet<String> =
            ClothStatus::MESSAGES.iter().map(|(s, _)| message(*s as u32)).collect();
        assert_eq!(messages.len(), ClothStatus::MESSAGES.len());
        assert!(!messages.contains("unknown status"));
    }

    #[test]
    fn other_numbers_are_unknown() {
        for number in [4, 15, 24, u32::MAX] {
            assert_eq!(message(number), "unknown status");
        }
    }

    /// The numbers are part of the ABI: this list may grow and never change.
    #[test]
    fn numbers_stay() {
        let numbers: std::vec::Vec<u32> = ClothStatus::MESSAGES.iter().map(|(s, _)| *s as u32).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23]);
    }
}
