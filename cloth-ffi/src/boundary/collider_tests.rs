//! The functions about colliders, called as C calls them.

use super::tests::{DONE, here, vector};
use super::*;
use crate::*;
use core::mem::MaybeUninit;
use core::ptr;

#[test]
fn colliders_move_and_are_placed() {
    let mut made = MaybeUninit::uninit();
    let there = ClothPose { translation: vector([1.0, 0.0, 0.0]), ..here() };
    // SAFETY: references and memory for the result, which is there if the call says so.
    let mut made = unsafe {
        let sizes = vector([0.1, 0.2, 0.3]);
        assert_eq!(cloth_collider(ClothColliderKind::Box as u32, sizes, &here(), made.as_mut_ptr()), DONE);
        made.assume_init()
    };
    // SAFETY: references.
    unsafe {
        assert_eq!(cloth_collider_move(&there, &raw mut made), DONE);
        assert_eq!((made.previous_position, made.position), (here().translation, there.translation));
        assert_eq!(cloth_collider_place(&there, &raw mut made), DONE);
        assert_eq!((made.previous_position, made.position), (there.translation, there.translation));
        let nowhere = ClothPose { rotation: ClothVec4::default(), ..there };
        let before = made;
        assert_eq!(cloth_collider_move(&nowhere, &raw mut made), ClothStatus::ColliderPose);
        assert_eq!(made, before);
        let mut surface = ClothSurface { normal: vector([0.0; 3]), distance: 0.0 };
        let point = vector([1.0, 1.0, 0.0]);
        assert_eq!(cloth_collider_surface(&raw const made, ptr::null(), 0, point, &raw mut surface), DONE);
        assert!((surface.distance - 0.8).abs() < 1e-6 && surface.normal.y > 0.999);
    }
}

#[test]
fn what_is_no_collider_goes_nowhere() {
    let there = ClothPose { translation: vector([1.0, 0.0, 0.0]), ..here() };
    let ball = {
        let mut made = MaybeUninit::uninit();
        let sizes = vector([0.1, 0.0, 0.0]);
        // SAFETY: references and memory for the result, which is there if the call says so.
        unsafe {
            assert_eq!(
                cloth_collider(ClothColliderKind::Sphere as u32, sizes, &here(), made.as_mut_ptr()),
                DONE
            );
            made.assume_init()
        }
    };
    let nowhere = ClothVec4 { w: 2.0, ..ClothVec4::default() };
    let far = vector([0.0, -1.0e7, 0.0]);
    for (garbage, status) in [
        (ClothCollider { kind: 0, ..ball }, ClothStatus::ColliderKind),
        (ClothCollider { kind: u32::MAX, ..ball }, ClothStatus::ColliderKind),
        (ClothCollider { rotation: nowhere, ..ball }, ClothStatus::ColliderPose),
        (ClothCollider { position: far, ..ball }, ClothStatus::ColliderPose),
        (ClothCollider { previous_rotation: nowhere, ..ball }, ClothStatus::ColliderPose),
        (ClothCollider { previous_position: far, ..ball }, ClothStatus::ColliderPose),
        (ClothCollider { sizes: [f32::NAN, 0.0, 0.0], ..ball }, ClothStatus::ColliderSize),
        (ClothCollider { sizes: [0.1, 1.0, 0.0], ..ball }, ClothStatus::ColliderPadding),
        (ClothCollider { scale: 0.0, ..ball }, ClothStatus::ColliderScale),
        (ClothCollider { friction: -1.0, ..ball }, ClothStatus::ColliderContact),
        (ClothCollider { inflation: f32::INFINITY, ..ball }, ClothStatus::ColliderContact),
        (ClothCollider { reserved: [0, 1], ..ball }, ClothStatus::ColliderPadding),
        (ClothCollider { data_count: 4, ..ball }, ClothStatus::ColliderPadding),
    ] {
        for change in [cloth_collider_move, cloth_collider_place] {
            let mut collider = garbage;
            // SAFETY: references.
            assert_eq!(unsafe { change(&there, &raw mut collider) }, status, "{garbage:?}");
            let words = |collider: &ClothCollider| std::format!("{collider:?}");
            assert_eq!(words(&collider), words(&garbage), "an error wrote a collider");
        }
    }
}
