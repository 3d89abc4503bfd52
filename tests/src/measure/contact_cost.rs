//! `contact-cost`: what colliders cost a step, counted.

use super::callgrind::{self, Child};
use super::{Measurement, Out, Table, Verdict};
use crate::contact::{Encounter, at, turned};
use crate::narrow::to_f32;
use crate::workload::motion::library_settings;
use crate::workload::{Spec, scenes};
use anyhow::Result;
use cloth_core::Block;
use cloth_core::collide::Collider;
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// Instructions of contact.
pub const CONTACT_COST: Measurement = Measurement {
    name: "contact-cost",
    about: "instructions a frame of the hung 32×32 sheet at library settings after 100 frames among 20 spheres of 4 cm, and among 20 wires of \
            4 mm with and without faces, over those of the same without colliders (callgrind, ten frames, AVX2 where there is)",
    bar: "20 colliders out of reach ≤ 3 % of a step, 20 touching ≤ 60 % of it; the face tier priced",
    uses_clock: false,
    run,
};

/// What stands about the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Nothing.
    Nothing,
    /// Twenty spheres five metres away.
    Far,
    /// Twenty spheres in the sheet's own box, a hand's breadth before it.
    Near,
    /// Twenty spheres pushed 5 mm into it.
    Touching,
    /// Twenty capsules across it.
    Wires,
    /// The same, met by particles only.
    WiresWithoutFaces,
}

fn colliders(among: Among) -> Result<Vec<Collider>> {
    let mut all = Vec::new();
    for i in 0..20_u32 {
        let (column, row) = (f64::from(i % 5), f64::from(i / 5));
        let place = DVec3::new(0.07 + 0.12 * column, -0.1 - 0.14 * row, 0.0);
        let ball = |z: f64| Collider::sphere(0.04, at(place.x, place.y, z));
        let thickness = f64::from(settings().dynamics.thickness);
        all.push(
            match among {
                Among::Nothing => break,
                Among::Far => ball(-5.0)?,
                Among::Near => ball(-0.12)?,
                Among::Touching => ball(-0.04 - thickness + 0.005)?,
                Among::Wires | Among::WiresWithoutFaces => {
                    // Half way between rows of particles.
                    let height = -0.03 - 0.02 * f64::from(i);
                    Collider::capsule(
                        0.4,
                        0.002,
                        turned(DVec3::new(0.31, height, -0.003), DVec3::Z, FRAC_PI_2),
                    )?
                }
            }
            .touching(0.5, 0.0)?,
        );
    }
    Ok(all)
}

fn settings() -> Spec {
    let spec = library_settings(scenes::hung_sheet(32), 0.0);
    let mut spec = spec;
    spec.dynamics.thickness = to_f32(0.004);
    spec
}

/// A hundred frames, or ten from a state a hundred have led to.
fn encounter<R>(among: Among, then: impl FnOnce(&mut Encounter<'_>) -> Result<R>) -> Result<R> {
    let workload = settings().build()?;
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, colliders(among)?);
    scene.faces = among != Among::WiresWithoutFaces;
    then(&mut scene)
}

/// Does what the observed process is there for.
///
/// # Errors
///
/// An unfitting state.
pub fn child(among: Among, state: &[u8]) -> Result<()> {
    encounter(among, |scene| {
        let mut blocks = vec![Block::default(); scene.run.state.model().snapshot_blocks()];
        bytemuck::cast_slice_mut::<Block, u8>(&mut blocks).copy_from_slice(state);
        scene.run.state.restore(&blocks)?;
        measured_frames(scene)
    })
}

/// Where counting is switched on.
#[inline(never)]
fn measured_frames(scene: &mut Encounter<'_>) -> Result<()> {
    scene.steps(callgrind::MEASURED)
}

fn run(out: &mut Out) -> Result<Verdict> {
    let kinds = [
        ("nothing", Among::Nothing, Child::ContactNothing),
        ("20 spheres 5 m away", Among::Far, Child::ContactFar),
        ("20 spheres 8 cm before it", Among::Near, Child::ContactNear),
        ("20 spheres touching", Among::Touching, Child::ContactTouching),
        ("20 wires, particles only", Among::WiresWithoutFaces, Child::ContactWiresWithoutFaces),
        ("20 wires, and faces", Among::Wires, Child::ContactWires),
    ];
    let mut table = Table::new([
        "among",
        "contacts a frame",
        "substeps",
        "instructions a frame",
        "more than among nothing",
    ]);
    let mut shares = Vec::new();
    let mut free = 0;
    for (name, among, child) in kinds {
        let (blocks, contacts, substeps) = encounter(among, |scene| {
            scene.steps(callgrind::WARM_UP)?;
            let mut blocks = vec![Block::default(); scene.run.state.model().snapshot_blocks()];
            scene.run.state.snapshot(&mut blocks)?;
            let before = scene.seen.contacts;
            scene.steps(callgrind::MEASURED)?;
            Ok((blocks, scene.seen.contacts - before, scene.seen.substeps))
        })?;
        let instructions = callgrind::instructions_of(child, bytemuck::cast_slice(&blocks))?;
        if among == Among::Nothing {
            free = instructions;
        }
        let share = super::absurd::rational(instructions, free) - 1.0;
        table.row([
            name.into(),
            (contacts / u64::from(callgrind::MEASURED)).to_string(),
            substeps.to_string(),
            instructions.to_string(),
            format!("{:+.1} %", 100.0 * share),
        ]);
        shares.push(share);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    // Each collider is taken into the frame of the anchor before it is looked at.
    verdict.short(format!("out of reach {:+.2} %", 100.0 * shares[1]), shares[1] <= 0.03, shares[1] <= 0.032);
    verdict.short(format!("touching {:+.1} %", 100.0 * shares[3]), shares[3] <= 0.6, shares[3] <= 0.8);
    verdict.tell(format!("faces {:+.1} % on {:+.1} %", 100.0 * (shares[5] - shares[4]), 100.0 * shares[4]));
    Ok(verdict)
}
