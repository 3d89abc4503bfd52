//! `lanes`: the width of the lanes changes no bit.

use super::{Measurement, Out, Table, Verdict};
use crate::golden::{self, Golden};
use anyhow::Result;
use cloth_core::simd::Level;

/// The goldens lane by lane, four at a time and eight at a time.
pub const LANES: Measurement = Measurement {
    name: "lanes",
    about: "all goldens lane by lane, four lanes at a time and in the widest lanes of this machine (`same-bits` has the dev build)",
    bar: "scalar = 4 = 8 lanes, SSE2 = AVX2, debug = release: same fingerprints on all goldens",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let levels = [Level::SCALAR, Level::FOUR, Level::detect()];
    let mut heads = vec!["golden".to_owned()];
    heads.extend(levels.map(|level| format!("{}, {} lanes", level.name(), level.lanes())));
    let mut table = Table::of(heads);
    let mut verdict = Verdict::new();
    for name in golden::SCENES {
        let minted = levels.map(|level| at(name, level));
        let mut row = vec![name.to_owned()];
        let mut same = true;
        let [Ok(scalar), ..] = &minted else { anyhow::bail!("{name} does not run") };
        for golden in &minted {
            let equal = golden.as_ref().is_ok_and(|golden| golden::difference(scalar, golden).is_none());
            row.push(if equal { "same" } else { "differs" }.to_owned());
            same &= equal;
        }
        table.row(row);
        verdict.check(format!("{name} {}", if same { "same" } else { "differs" }), same);
    }
    out.table(&table);
    Ok(verdict)
}

fn at(name: &str, level: Level) -> Result<Golden> {
    let scene = golden::scene(name)?;
    let mut spec = scene.spec()?;
    spec.level = level;
    let workload = spec.build()?;
    let mut memory = workload.memory();
    scene.run_on(&workload, workload.model(), &mut memory)
}
