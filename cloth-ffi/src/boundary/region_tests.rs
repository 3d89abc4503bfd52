//! Fingerprints of regions and differences, called as C calls them.

use super::tests::{DONE, Opened, sheet, vector};
use super::*;
use crate::*;
use core::ffi::CStr;
use core::mem::MaybeUninit;
use core::ptr;
use std::boxed::Box;

type Prints = [u64; CLOTH_REGION_COUNT];

fn prints(opened: &Opened) -> Prints {
    let mut found = [0; CLOTH_REGION_COUNT];
    // SAFETY: an open cloth, and room for all.
    let status = unsafe {
        cloth_region_fingerprints(&raw const *opened.cloth, found.as_mut_ptr(), CLOTH_REGION_COUNT)
    };
    assert_eq!(status, DONE);
    found
}

fn untouched() -> ClothDifference {
    ClothDifference {
        region: 99,
        item: 99,
        vertex: 99,
        is_float: 99,
        bits: [99; 2],
        field: [99; CLOTH_FIELD_LENGTH],
    }
}

fn between(one: &Opened, other: &Opened) -> ClothDifference {
    let mut found = untouched();
    // SAFETY: open cloths, and a reference.
    let status = unsafe { cloth_difference(&raw const *one.cloth, &raw const *other.cloth, &raw mut found) };
    assert_eq!(status, DONE);
    found
}

fn field(found: &ClothDifference) -> &CStr {
    // SAFETY: a name that ends with a zero, which the library promises and the array's end would show.
    unsafe { CStr::from_ptr(found.field.as_ptr()) }
}

fn place(opened: &mut Opened, vertex: u32, position: [f32; 3], velocity: [f32; 3]) {
    // SAFETY: an open cloth.
    let status = unsafe { cloth_place(&raw mut *opened.cloth, vertex, vector(position), vector(velocity)) };
    assert_eq!(status, DONE);
}

#[test]
fn what_differs_is_named_and_nothing_else_has_another_fingerprint() {
    let (mut one, mut other) = (Opened::new(&sheet()), Opened::new(&sheet()));
    for opened in [&mut one, &mut other] {
        opened.step(&cloth_default_step()).expect("a step");
    }
    assert_eq!(prints(&one), prints(&other));
    assert_eq!((between(&one, &other).region, between(&one, &one).region), (u32::MAX, u32::MAX));

    for opened in [&mut one, &mut other] {
        place(opened, 12, [0.1, 0.2, 0.3], [0.0; 3]);
    }
    assert_eq!(between(&one, &other).region, u32::MAX, "placed alike");
    place(&mut other, 12, [0.1, 0.25, 0.3], [0.0, 0.0, 1.0]);
    let (mine, theirs) = (prints(&one), prints(&other));
    let differ = (0..CLOTH_REGION_COUNT).filter(|region| mine[*region] != theirs[*region]);
    assert!(differ.eq([ClothRegion::Positions as usize, ClothRegion::Velocities as usize]));
    let found = between(&one, &other);
    assert_eq!((found.region, found.vertex, found.is_float), (ClothRegion::Positions as u32, 12, 1));
    let values = [0.2_f32, 0.25].map(f32::to_bits);
    assert_eq!((found.bits, field(&found)), (values, c"y"));
    // And seen from the other side.
    assert_eq!(between(&other, &one).bits, [values[1], values[0]]);
}

#[test]
fn a_word_of_the_whole_cloth_has_no_item() {
    let (mut one, mut other) = (Opened::new(&sheet()), Opened::new(&sheet()));
    for opened in [&mut one, &mut other] {
        for vertex in 0..25 {
            let mut at = MaybeUninit::uninit();
            // SAFETY: an open cloth and memory for the result, which is there if the call says so.
            unsafe {
                assert_eq!(cloth_vertex(&raw const *opened.cloth, vertex, at.as_mut_ptr()), DONE);
                assert_eq!(cloth_hold(&raw mut *opened.cloth, vertex, at.assume_init().position), DONE);
            }
        }
    }
    // Nothing can move, so that only what is of the whole cloth remains.
    let calm = ClothStep { flags: CLOTH_STEP_SLEEP, ..cloth_default_step() };
    one.step(&calm).expect("a step");
    let found = between(&one, &other);
    assert_eq!(found.item, u32::MAX);
    assert_eq!((found.vertex, found.is_float), (u32::MAX, 0));
    assert!(found.bits[0] != found.bits[1]);
    assert!(!field(&found).is_empty());
}

#[test]
fn misuse_is_a_status_and_writes_nothing() {
    let (opened, chain) = (
        Opened::new(&sheet()),
        Opened::new(
            &cloth_core::ModelBuilder::chains(&[[0.0; 3], [0.1, 0.0, 0.0]], &[u32::MAX, 0])
                .pins(&[0])
                .build()
                .expect("a chain is a cloth"),
        ),
    );
    let cloth = &raw const *opened.cloth;
    let copy = Box::new(*opened.cloth);
    let zero = Box::new(Cloth { opaque: [0; CLOTH_WORDS] });
    let mut room = [7_u64; CLOTH_REGION_COUNT + 1];
    let out = room.as_mut_ptr();
    let mut found = untouched();
    let to = &raw mut found;
    // SAFETY: whatever passes the checks leads to as much memory as is said.
    unsafe {
        for (handle, out, count, status) in [
            (ptr::null(), out, CLOTH_REGION_COUNT, ClothStatus::NullPointer),
            (cloth, ptr::null_mut(), CLOTH_REGION_COUNT, ClothStatus::NullPointer),
            (cloth, ptr::null_mut(), 0, ClothStatus::BufferTooSmall),
            (cloth, out.wrapping_byte_add(1), CLOTH_REGION_COUNT, ClothStatus::Misaligned),
            (cloth, out, CLOTH_REGION_COUNT - 1, ClothStatus::BufferTooSmall),
            (cloth, out, usize::MAX, ClothStatus::CountTooLarge),
            (cloth, cloth.cast_mut().cast(), CLOTH_REGION_COUNT, ClothStatus::Overlap),
            (&raw const *copy, out, CLOTH_REGION_COUNT, ClothStatus::HandleMoved),
            (&raw const *zero, out, CLOTH_REGION_COUNT, ClothStatus::NotOpen),
        ] {
            assert_eq!(cloth_region_fingerprints(handle, out, count), status);
        }
        assert_eq!(room, [7; CLOTH_REGION_COUNT + 1], "an error wrote");
        for (one, other, to, status) in [
            (ptr::null(), cloth, to, ClothStatus::NullPointer),
            (cloth, ptr::null(), to, ClothStatus::NullPointer),
            (cloth, cloth, ptr::null_mut(), ClothStatus::NullPointer),
            (cloth, cloth, to.wrapping_byte_add(1), ClothStatus::Misaligned),
            (cloth, &raw const *copy, to, ClothStatus::HandleMoved),
            (&raw const *zero, cloth, to, ClothStatus::NotOpen),
            (cloth, &raw const *chain.cloth, to, ClothStatus::OtherModel),
            (cloth, cloth, cloth.cast_mut().cast(), ClothStatus::Overlap),
            (
                cloth,
                &raw const *chain.cloth,
                (&raw const *chain.cloth).cast_mut().cast(),
                ClothStatus::Overlap,
            ),
        ] {
            assert_eq!(cloth_difference(one, other, to), status);
        }
        assert_eq!(found, untouched(), "an error wrote");
        // More room than there are regions is left alone.
        assert_eq!(cloth_region_fingerprints(cloth, out, room.len()), DONE);
    }
    assert_eq!(room[CLOTH_REGION_COUNT], 7);
    let name = |number| {
        // SAFETY: the function answers with a static, terminated string.
        unsafe { CStr::from_ptr(cloth_region_name(number)) }
    };
    assert_eq!((name(0), name(6), name(7)), (c"positions", c"anchor", c"unknown region"));
}
