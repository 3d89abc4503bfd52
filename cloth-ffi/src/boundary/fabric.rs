//! Settings and fabrics.

use super::call;
use super::pointer::{check, write};
use crate::dynamics::{self, ClothDynamics, ClothFabric};
use crate::status::ClothStatus;
use core::ffi::{CStr, c_char};

/// Room for any name of the library, by hand because a machine without a C library has no `strlen`.
const LONGEST: usize = 16;

/// The settings of a plain cloth: no bending stiffness, damping 0.1 1/s, 8 substeps of one sweep, strain limit on.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_default_dynamics() -> ClothDynamics {
    ClothDynamics::of_core(&cloth_core::ClothDynamics::default())
}

/// A fabric of the library by its number, from 0 to CLOTH_FABRIC_COUNT - 1.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_fabric(number: u32, fabric: *mut ClothFabric) -> ClothStatus {
    call(|| {
        check(fabric)?;
        let found = dynamics::fabric(number)?;
        // SAFETY: the caller's promise.
        unsafe { write(fabric, found) }
    })
}

/// A fabric of the library by its name in lower case: "silk", "cotton", "denim", "leather", "rope", "chain", "hair".
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md. The name ends with a zero.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_fabric_by_name(name: *const c_char, fabric: *mut ClothFabric) -> ClothStatus {
    call(|| {
        check(name)?;
        check(fabric)?;
        let mut text = [0; LONGEST];
        for (index, letter) in text.iter_mut().enumerate() {
            // SAFETY: not null by the check above; terminated and unwritten by the caller's promise, and no zero so far.
            *letter = unsafe { name.cast::<u8>().add(index).read() };
            if *letter == 0 {
                break;
            }
        }
        // None of the library's names is as long as what has no zero by now.
        let name = CStr::from_bytes_until_nul(&text).map_err(|_| ClothStatus::NotFound)?;
        let number = dynamics::fabric_number(name)?;
        let found = dynamics::fabric(number)?;
        // SAFETY: the caller's promise.
        unsafe { write(fabric, found) }
    })
}
