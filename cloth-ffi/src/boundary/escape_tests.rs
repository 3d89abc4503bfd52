//! The escape hatch, called as C calls it.

use super::tests::{DONE, Opened, sheet, vector};
use super::*;
use crate::*;
use core::mem::MaybeUninit;

/// What holds a vertex, and whether it is on its target.
fn held(opened: &Opened, vertex: u32) -> (u32, bool) {
    let mut found = MaybeUninit::uninit();
    // SAFETY: an open cloth and memory for the result, which is there if the call says so.
    let found: ClothVertex = unsafe {
        assert_eq!(cloth_vertex(&raw const *opened.cloth, vertex, found.as_mut_ptr()), DONE);
        found.assume_init()
    };
    (found.held, found.position == found.target)
}

#[test]
fn who_is_held_and_who_is_on_the_way_are_told_apart() {
    const PIN: u32 = 0;
    const FAR: u32 = 24;
    let mut opened = Opened::new(&sheet());
    // What is free falls further than that in a step.
    let escape = ClothEscape { distance: 5e-4, steps: 1, window: 3, ..cloth_default_step().escape };
    let input = ClothStep { escape, ..cloth_default_step() };
    assert_eq!((held(&opened, PIN), held(&opened, FAR)), ((1, true), (0, true)));
    assert!(opened.step(&input).expect("a step").escaped > 0);
    for _ in 0..2 {
        assert_eq!((held(&opened, PIN).0, held(&opened, FAR)), (1, (2, false)));
        opened.step(&input).expect("a step");
    }
    assert_eq!(held(&opened, FAR), (2, false));
    opened.step(&input).expect("a step");
    assert_eq!(held(&opened, FAR), (0, true));

    // Whoever takes hold of it on the way holds it.
    opened.step(&input).expect("a step");
    assert_eq!(held(&opened, FAR).0, 2);
    // SAFETY: an open cloth.
    assert_eq!(unsafe { cloth_hold(&raw mut *opened.cloth, FAR, vector([0.4, 0.0, 0.4])) }, DONE);
    assert_eq!(held(&opened, FAR).0, 1);
}
