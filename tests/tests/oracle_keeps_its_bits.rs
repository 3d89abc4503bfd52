//! The oracle stays the solver that was recorded, also when no product step is left to compare it with: what it gave
//! while the two were bit for bit the same.

use anyhow::Result;
use cloth_core::ClothDynamics;
use cloth_tests::oracle::VertexRun;
use cloth_tests::random::Random;
use cloth_tests::workload::{BARE, Spec, absurd, scenes};

/// FNV-1a of every position and velocity after some frames, −0 counted as 0.
fn fingerprint(spec: Spec, mut events: Option<Random>, frames: u32) -> Result<u64> {
    let workload = spec.build()?;
    let mut run = VertexRun::new(&workload);
    for _ in 0..frames {
        if let Some(random) = &mut events {
            run.suffer(absurd::draw(random, &workload.spec));
        }
        run.step();
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for component in run.cloth.positions().chain(run.cloth.velocities()).flat_map(|v| v.to_array()) {
        for byte in (component + 0.0).to_bits().to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

#[test]
fn sheet_with_bend_and_tethers() -> Result<()> {
    assert_eq!(format!("{:016x}", fingerprint(scenes::sheet(16), None, 120)?), "fde38c328ee25a8e");
    Ok(())
}

/// Hinges with a curved rest shape on an irregular mesh.
#[test]
fn skirt_of_a_bare_fabric() -> Result<()> {
    let dynamics = ClothDynamics { bend: 1e-5, ..BARE };
    let skirt = Spec { dynamics, ..scenes::skirt()?.0 };
    assert_eq!(format!("{:016x}", fingerprint(skirt, None, 60)?), "d60b39a652584cf4");
    Ok(())
}

#[test]
fn chain_at_rest() -> Result<()> {
    assert_eq!(
        format!("{:016x}", fingerprint(scenes::chain(20, 5e-4).damping(0.5), None, 400)?),
        "4c3e620ec2af3eba"
    );
    Ok(())
}

/// Soft rows, leashes, strain limits, skip rows, pins taken and let go.
#[test]
fn absurd_cloth() -> Result<()> {
    let mut all = 0_u64;
    for number in 0..40 {
        let (spec, random) = absurd::cloth(number);
        all = all.rotate_left(1) ^ fingerprint(spec, Some(random), 60)?;
    }
    assert_eq!(format!("{all:016x}"), "2c9dafe6b722a819");
    Ok(())
}
