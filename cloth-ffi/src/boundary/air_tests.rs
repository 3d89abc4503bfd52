//! Air, told as C tells it.

use super::tests::{Opened, sheet, vector};
use crate::*;

#[test]
fn air_takes_a_cloth_along_and_what_is_none_changes_nothing() {
    let mut opened = Opened::new(&sheet());
    let good = cloth_default_step();
    let before = opened.facts();
    let mut gusts = [vector([0.0; 3]); 25];
    gusts[7].y = f32::NAN;
    let (uniform, each) = (ClothAir::Uniform as u32, ClothAir::Each as u32);
    let wild = ClothStep { air_mode: uniform, air: vector([0.0, f32::INFINITY, 0.0]), ..good };
    let at = |count: usize| ClothStep {
        air_mode: each,
        air_velocities: gusts.as_ptr(),
        air_velocity_count: count,
        ..good
    };
    let none = u32::MAX;
    for (input, status, element) in [
        (wild, ClothStatus::Air, none),
        (at(2), ClothStatus::AirCount, none),
        (at(25), ClothStatus::AirVelocity, 7),
    ] {
        let fault = opened.step(&input).expect_err("a bad step");
        assert_eq!(fault, ClothFault { status: status as u32, element, other: none });
        assert_eq!(opened.facts(), before, "{status:?}");
    }
    for (input, status) in [
        (ClothStep { air_velocities: core::ptr::null(), ..at(25) }, ClothStatus::NullPointer),
        (ClothStep { air_mode: 3, ..good }, ClothStatus::UnknownValue),
    ] {
        assert_eq!(opened.step(&input).expect_err("a bad step").status, status as u32);
        assert_eq!(opened.facts(), before, "{status:?}");
    }
    for lift in [f32::NAN, 2.0, -0.5] {
        let dynamics = ClothDynamics { lift, ..good.dynamics };
        let fault = opened.step(&ClothStep { dynamics, ..good }).expect_err("a bad dial");
        assert_eq!(fault, ClothFault { status: ClothStatus::Dynamics as u32, element: 7, other: none });
        assert_eq!(opened.facts(), before, "{lift}");
    }
    // What is not asked for is not read.
    let blown = ClothStep { air_mode: uniform, air: vector([0.0, 20.0, 3.0]), ..good };
    let ways =
        [ClothStep { air: wild.air, ..good }, blown, ClothStep { air_mode: uniform, ..good }].map(|input| {
            let mut opened = Opened::new(&sheet());
            opened.step(&blown).expect("a step");
            opened.step(&input).expect("a step").kinetic_energy
        });
    assert!(ways[1] > ways[0] && ways[2] < ways[0], "{ways:?}");
}
