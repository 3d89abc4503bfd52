//! `instructions` and `scaling`: what a frame costs, counted and not timed.
//!
//! The parent steps the sheet to frame 100 natively and writes its state to a file; the child, under callgrind,
//! builds the same model, restores the state and steps ten frames inside one function, which is where
//! counting is switched on. A candidate of the experiment bench has no such state: its child puts the particles where they
//! were and as fast, which leaves out what a solver carries from frame to frame but not the work it does.

use super::{Measurement, Out, Table, Verdict};
use crate::pareto::{self, Candidate, Simulation};
use crate::workload::{Run, Spec, motion, scenes};
use anyhow::{Context as _, Result};
use cloth_core::Block;
use glam::DVec3;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Instructions a frame by pass.
pub const INSTRUCTIONS: Measurement = Measurement {
    name: "instructions",
    about: "instructions a frame of the 32×32 sheet with tethers at 2×4, by pass (callgrind, frames 100–109)",
    bar: "the 1,024-particle sheet with tethers at 2×4, instructions a frame by callgrind: reported per pass (prototype, scalar: 5.6–12.5 M)",
    uses_clock: false,
    run: instructions,
};

/// Growth with size.
pub const SCALING: Measurement = Measurement {
    name: "scaling",
    about: "instructions a frame of the 128×128 sheet over the 32×32 sheet's, sixteen times the particles",
    bar: "128² ≤ 17.5× the instructions of 32²",
    uses_clock: false,
    run: scaling,
};

/// A process another measurement observes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Child {
    /// The 32×32 sheet, ten frames.
    Sheet32,
    /// The 128×128 sheet, ten frames.
    Sheet128,
    /// The 32×32 sheet under the candidate the state names, ten frames.
    Candidate,
    /// All goldens: their fingerprints, a line each.
    Goldens,
}

impl Child {
    fn side(self) -> Option<usize> {
        match self {
            Self::Sheet32 => Some(32),
            Self::Sheet128 => Some(128),
            Self::Candidate | Self::Goldens => None,
        }
    }
}

const WARM_UP: u32 = 100;
const MEASURED: u32 = 10;

/// Does what the observed process is there for.
///
/// # Errors
///
/// A missing or unfitting state, or a golden that doesn't run.
pub fn child(child: Child, state: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    let side = match (child, child.side()) {
        (_, Some(side)) => side,
        (Child::Candidate, None) => return candidate_child(state.context("a candidate needs --state")?),
        (_, None) => return super::same_bits::print_goldens(out),
    };
    let sheet = scenes::sheet(side).build()?;
    let mut memory = sheet.memory();
    let mut run = sheet.start(&mut memory)?;
    let bytes = std::fs::read(state.context("the observed sheet needs --state")?)?;
    let mut blocks = vec![Block::default(); sheet.model().snapshot_blocks()];
    bytemuck::cast_slice_mut::<Block, u8>(&mut blocks).copy_from_slice(&bytes);
    run.state.restore(&blocks)?;
    measured_frames(&mut run)
}

/// Where counting is switched on.
#[inline(never)]
fn measured_frames(run: &mut Run<'_>) -> Result<()> {
    run.steps(MEASURED).map(drop)
}

/// The sheet candidates are counted on: library settings, no damping.
fn candidate_sheet() -> Spec {
    motion::library_settings(scenes::sheet(32), 0.0)
}

/// Steps a named candidate from the positions and velocities of a file.
fn candidate_child(state: &Path) -> Result<()> {
    let text = std::fs::read_to_string(state)?;
    let (name, numbers) = text.split_once('\n').context("a name, then numbers")?;
    let all = pareto::candidates();
    let candidate =
        all.iter().find(|c| c.name() == name).with_context(|| format!("no candidate {name:?}"))?;
    let numbers: Vec<f64> = numbers.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let sheet = candidate.prepare(candidate_sheet()).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&sheet, &mut memory)?;
    for (vertex, &[x, y, z, u, v, w]) in (0..).zip(numbers.as_chunks().0) {
        if !sheet.spec.pins.contains(&vertex) {
            simulation.place(vertex, DVec3::new(x, y, z), DVec3::new(u, v, w))?;
        }
    }
    candidates_measured_frames(&mut *simulation)
}

/// Where counting is switched on for a candidate.
#[inline(never)]
fn candidates_measured_frames(simulation: &mut dyn Simulation) -> Result<()> {
    (0..MEASURED).try_for_each(|_| simulation.step(&[]))
}

/// Instructions a frame of a candidate of [`pareto::candidates`] on the 32×32 sheet.
///
/// # Errors
///
/// No valgrind, or what the candidate objects to.
pub fn candidate_instructions(candidate: &dyn Candidate) -> Result<u64> {
    let sheet = candidate.prepare(candidate_sheet()).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&sheet, &mut memory)?;
    for _ in 0..WARM_UP {
        simulation.step(&[])?;
    }
    let mut text = candidate.name() + "\n";
    for (x, v) in simulation.positions().iter().zip(simulation.velocities()) {
        let numbers = [x.x, x.y, x.z, v.x, v.y, v.z].map(|number| number.to_string());
        text += &(numbers.join(" ") + "\n");
    }
    let folder = Scratch::new()?;
    let profile = observe("candidate", text.as_bytes(), &folder)?;
    Ok(profile.total / u64::from(MEASURED))
}

fn instructions(out: &mut Out) -> Result<Verdict> {
    let profile = profile(Child::Sheet32)?;
    let mut table = Table::new(["function", "its own", "with what it calls", "share"]);
    let total = profile.total / u64::from(MEASURED);
    for (name, cost) in profile.by_inclusive() {
        let (own, inclusive) = (cost.own / u64::from(MEASURED), cost.inclusive / u64::from(MEASURED));
        let share = super::absurd::rational(inclusive, total);
        if name.contains("cloth_core") && share >= 0.001 {
            table.row([
                name.to_owned(),
                own.to_string(),
                inclusive.to_string(),
                format!("{:.1} %", 100.0 * share),
            ]);
        }
    }
    out.line("Instructions a frame; a function the compiler inlined is part of its caller.\n");
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict
        .check(format!("{:.2} M instructions a frame", super::absurd::rational(total, 1_000_000)), total > 0);
    Ok(verdict)
}

fn scaling(out: &mut Out) -> Result<Verdict> {
    let small = profile(Child::Sheet32)?.total;
    let large = profile(Child::Sheet128)?.total;
    let ratio = super::absurd::rational(large, small);
    let mut table = Table::new(["sheet", "instructions a frame"]);
    table.row(["32×32".into(), (small / u64::from(MEASURED)).to_string()]);
    table.row(["128×128".into(), (large / u64::from(MEASURED)).to_string()]);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{ratio:.2}×"), ratio <= 17.5);
    Ok(verdict)
}

/// Profiles a sheet of the product from frame 100 on.
fn profile(child: Child) -> Result<Profile> {
    let side = child.side().context("only sheets are profiled")?;
    let sheet = scenes::sheet(side).build()?;
    let mut memory = sheet.memory();
    let mut run = sheet.start(&mut memory)?;
    run.steps(WARM_UP)?;
    let mut blocks = vec![Block::default(); sheet.model().snapshot_blocks()];
    run.state.snapshot(&mut blocks)?;
    let name = if side == 32 { "sheet32" } else { "sheet128" };
    observe(name, bytemuck::cast_slice::<Block, u8>(&blocks), &Scratch::new()?)
}

/// Runs a child under callgrind, with a state for it to start from.
fn observe(child: &str, state: &[u8], folder: &Scratch) -> Result<Profile> {
    let (path, counts) = (folder.0.join("state"), folder.0.join("counts"));
    std::fs::write(&path, state)?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*measured_frames*"])
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(std::env::current_exe()?)
        .args(["--workload", child, "--state"])
        .arg(&path)
        .output()
        .context("running valgrind, which counts the instructions (Debian: apt-get install valgrind)")?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "valgrind: {said}");
    let text =
        std::fs::read_to_string(&counts).with_context(|| format!("valgrind left no counts: {said}"))?;
    let profile = Profile::parse(&text)?;
    anyhow::ensure!(profile.total > 0, "callgrind counted nothing: {said}");
    Ok(profile)
}

/// A folder that goes when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        static USED: AtomicU32 = AtomicU32::new(0);
        let number = USED.fetch_add(1, Ordering::Relaxed);
        let name = format!("cloth-measure-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What one function cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cost {
    own: u64,
    inclusive: u64,
}

/// A callgrind profile.
#[derive(Debug, Default)]
struct Profile {
    functions: BTreeMap<String, Cost>,
    total: u64,
}

impl Profile {
    /// Reads callgrind's output format: `fn=(id) name` opens a function, `line cost` is its own cost, and the
    /// line after `calls=` what a call cost with everything below it.
    fn parse(text: &str) -> Result<Self> {
        let mut names = BTreeMap::<&str, &str>::new();
        let mut profile = Self::default();
        let mut current = "";
        let mut call = false;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
                let (id, name) = rest.split_once(' ').unwrap_or((rest, ""));
                if !name.is_empty() {
                    names.insert(id, name);
                }
                if line.starts_with("fn=") {
                    current = names.get(id).copied().unwrap_or(id);
                }
            } else if line.starts_with("calls=") {
                call = true;
            } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
                let cost = line.split_whitespace().nth(1).unwrap_or("0");
                let cost: u64 = cost.parse().with_context(|| format!("a cost in {line:?}"))?;
                let entry = profile.functions.entry(current.to_owned()).or_default();
                entry.inclusive += cost;
                if !std::mem::take(&mut call) {
                    entry.own += cost;
                    profile.total += cost;
                }
            }
        }
        Ok(profile)
    }

    fn by_inclusive(&self) -> Vec<(&str, Cost)> {
        let mut all: Vec<_> = self.functions.iter().map(|(name, &cost)| (name.as_str(), cost)).collect();
        all.sort_by_key(|&(_, cost)| std::cmp::Reverse(cost.inclusive));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_own_and_inclusive_costs() {
        let text = "events: Ir\n\nfl=(1) a.rs\nfn=(1) outer\n10 5\ncfn=(2) inner\ncalls=3 20\n11 90\n+1 7\n\n\
                    fn=(2)\n20 90\n\ntotals: 102\n";
        let profile = Profile::parse(text).unwrap();
        assert_eq!(profile.functions["outer"], Cost { own: 12, inclusive: 102 });
        assert_eq!(profile.functions["inner"], Cost { own: 90, inclusive: 90 });
        assert_eq!(profile.total, 102);
    }
}
