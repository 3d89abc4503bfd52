//! `fp-env`: the bits of a caller in a strange floating-point environment.

use super::targets::{Outcome, ask, summary};
use super::{Measurement, Out, Verdict};
use crate::c_library::{self, Build};
use crate::golden;
use crate::object::output;
use crate::workload::Workload;
use crate::workload::scenes;
use anyhow::{Context as _, Result};
use cloth_core::collide::{Collider, Pose};
use cloth_core::step::Colliders;
use cloth_core::{Block, State, StepInput, Vec3, library, step};
use std::process::Command;

/// The library in strange environments.
pub const FP_ENV: Measurement = Measurement {
    name: "fp-env",
    about: "a C program that rounds up, down or towards zero, flushes denormals, or both: its bits, core's, and its settings after every call; on AArch64, ARMv7, RISC-V, POWER, s390x and i686 by `.ci/targets`",
    bar: "core's and golden bits in every environment; the caller's settings restored by every call",
    uses_clock: false,
    run,
};

const STEPS: u32 = 60;
/// A golden that is verified in every environment.
const GOLDEN: &str = "drape";
/// Other targets whose registers have settings; `.ci/targets` runs the program there.
const OTHERS: [&str; 6] = ["aarch64", "armv7", "riscv64", "ppc64le", "s390x", "i686"];

fn run(out: &mut Out) -> Result<Verdict> {
    let library = c_library::library(Build::Static)?;
    let program = c_library::program("environment", &library, &["-frounding-math"])?;
    let golden = c_library::write_file("golden.replay", &golden::replay(GOLDEN)?)?;
    let mut verdict = Verdict::new();
    for (name, spec) in [("sheet", scenes::hung_sheet(12)), ("rig", scenes::rig())] {
        let workload = spec.build()?;
        let path = c_library::write_model(name, &workload.model())?;
        let said = output(Command::new(&program).arg(&path).arg(STEPS.to_string()).arg(&golden))?;
        out.line(format!("{name}:\n{}", said.trim_end()));
        let expected = format!("fingerprint {:016x}", job(&workload)?);
        let ways = said.lines().filter(|line| line.contains("fingerprint")).count();
        let same = said.lines().filter(|line| line.contains(&expected)).count();
        verdict.check(
            format!("{name}: core's bits in {same} of {ways} environments"),
            same == ways && ways == 6,
        );
        let golden = said.lines().filter(|line| line.contains("golden, ")).count();
        verdict.check(format!("{GOLDEN}: the golden bits in {golden}"), golden == ways);
    }
    let text = ask(&OTHERS)?;
    for (name, outcome) in summary(&text) {
        let head = format!("{name}/fp-env: ");
        let mut said = text.lines().filter_map(|line| line.strip_prefix(&head));
        match outcome {
            Outcome::Absent(remedy) => verdict.unmeasured(format!("{name} (first {remedy})")),
            _ => verdict.check(name, said.any(|line| line == "the same everywhere")),
        }
    }
    Ok(verdict)
}

/// What `environment.c` does, by core.
fn job(workload: &Workload) -> Result<u64> {
    let model = workload.model();
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory)?;
    let pose = Pose { translation: Vec3::new(0.1, -0.15, 0.0), rotation: [0.0, 0.1, 0.0, 1.0] };
    let records = [Collider::sphere(0.05, pose)?];
    let colliders = Colliders { records: &records, shapes: &[] };
    let input =
        StepInput { colliders, ..StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::COTTON) };
    state.hold(model.source_count() / 2, Vec3::new(0.05, 0.06, 0.07))?;
    for _ in 0..STEPS {
        step(&mut state, &input)?;
    }
    let still = Vec3::new(1e-40, 0.0, 0.0);
    state.place(model.source_count() - 1, still, still).context("a vertex")?;
    step(&mut state, &input)?;
    Ok(state.fingerprint().0)
}
