//! The oracle is the solver that was recorded: bit for bit the product's step, for as long as that is the same solver.

use anyhow::{Context as _, Result};
use cloth_core::{StepReport, Targets, Vec3};
use cloth_tests::golden::{self, Kind, Scene};
use cloth_tests::oracle::{OracleReport, VertexRun};
use cloth_tests::random::Random;
use cloth_tests::workload::absurd;

fn bits(vectors: impl Iterator<Item = Vec3>) -> Vec<[u32; 3]> {
    vectors.map(|v| v.to_array().map(f32::to_bits)).collect()
}

fn report_bits(report: &StepReport) -> [u32; 5] {
    let StepReport { max_strain, mean_strain, max_speed, kinetic_energy, rescued } = *report;
    let [a, b, c, d] = [max_strain, mean_strain, max_speed, kinetic_energy].map(f32::to_bits);
    [a, b, c, d, rescued]
}

fn oracle_bits(report: &OracleReport) -> [u32; 5] {
    let OracleReport { max_strain, mean_strain, max_speed, kinetic_energy, rescued } = *report;
    let [a, b, c, d] = [max_strain, mean_strain, max_speed, kinetic_energy].map(f32::to_bits);
    [a, b, c, d, rescued]
}

/// Steps a scene on both and compares positions, velocities and reports after every frame.
fn compare(scene: &Scene, events: Option<Random>) -> Result<()> {
    let workload = scene.spec()?.build()?;
    let mut memory = workload.memory();
    let mut product = workload.start(&mut memory)?;
    let mut oracle = VertexRun::new(&workload);
    let (mut events, mut same_events) = (events.clone(), events);
    for frame in 1..=scene.frames {
        if let Some((one, other)) = events.as_mut().zip(same_events.as_mut()) {
            absurd::event(&mut product.state, one, &workload.spec)?;
            oracle.suffer(absurd::draw(other, &workload.spec));
        }
        let targets = scene.targets(&workload, frame);
        let same: Vec<(u32, Vec3)> =
            targets.iter().map(|target| (target.vertex, Vec3::from_array(target.position))).collect();
        let report = product.step_to(Targets::Listed(&targets))?;
        let oracle_report = oracle.step_to(&same);
        assert_eq!(report_bits(&report), oracle_bits(&oracle_report), "report of frame {frame}");
        assert!(
            bits(product.state.positions()) == bits(oracle.cloth.positions()),
            "positions, frame {frame}"
        );
        assert!(
            bits(product.state.velocities()) == bits(oracle.cloth.velocities()),
            "velocities, frame {frame}"
        );
    }
    Ok(())
}

#[test]
fn on_the_goldens() -> Result<()> {
    for name in golden::SCENES {
        let scene = golden::scene(name)?;
        let events = match scene.workload {
            Kind::Absurd { number } => Some(absurd::cloth(number).1),
            _ => None,
        };
        compare(&scene, events).context(name)?;
    }
    Ok(())
}

#[test]
fn on_absurd_cloth() -> Result<()> {
    let scene = golden::scene("absurd")?;
    for number in 0..60 {
        let scene = Scene { frames: 40, workload: Kind::Absurd { number }, ..scene.clone() };
        compare(&scene, Some(absurd::cloth(number).1)).with_context(|| format!("cloth {number}"))?;
    }
    Ok(())
}
