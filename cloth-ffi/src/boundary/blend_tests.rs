//! Positions blended with targets, called as C calls them.

use super::tests::{DONE, Opened, sheet, vector};
use super::*;
use crate::*;
use core::mem::MaybeUninit;

#[test]
fn positions_are_blended_with_targets() {
    let baked = sheet();
    let mut opened = Opened::new(&baked);
    opened.step(&cloth_default_step()).expect("a step");
    let copied = |blend: f32| {
        let mut out = [vector([7.0; 3]); 25];
        // SAFETY: an open cloth, and room for as many vectors as it has vertices.
        let status =
            unsafe { cloth_blended_positions(&raw const *opened.cloth, blend, out.as_mut_ptr(), 12, 25) };
        assert_eq!(status, DONE);
        out
    };
    let mut plain = [vector([7.0; 3]); 25];
    // SAFETY: as above.
    assert_eq!(unsafe { cloth_positions(&raw const *opened.cloth, plain.as_mut_ptr(), 12, 25) }, DONE);
    assert_eq!(copied(1.0), plain);
    for (vertex, target) in (0..).zip(copied(f32::NAN)) {
        let mut found = MaybeUninit::uninit();
        // SAFETY: an open cloth, and a reference.
        let found: ClothVertex = unsafe {
            assert_eq!(cloth_vertex(&raw const *opened.cloth, vertex, found.as_mut_ptr()), DONE);
            found.assume_init()
        };
        assert_eq!(target, found.target);
    }
    assert_ne!(copied(0.0), plain);
}
