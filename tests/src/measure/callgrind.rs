//! `instructions`, `lane-speed` and `scaling`: what a frame costs, counted; times are reported beside and decide nothing.
//!
//! The parent steps the sheet to frame 100 natively and writes its state to a file; the child, under callgrind,
//! builds the same model, restores the state and steps ten frames inside one function, which is where
//! counting is switched on. A candidate of the experiment bench has no such state: its child puts the particles where they
//! were and as fast, which leaves out what a solver carries from frame to frame but not the work it does.

use super::contact_cost::{self, Among};
use super::{Measurement, Out, Table, Verdict};
use super::{air, broadphase, fluid, streaming, wind};
use crate::pareto::{self, Candidate, Simulation};
use crate::workload::{Run, Spec, motion, scenes};
use anyhow::{Context as _, Result};
use cloth_core::Block;
use cloth_core::simd::Level;
use glam::DVec3;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Instructions a frame by pass.
pub const INSTRUCTIONS: Measurement = Measurement {
    name: "instructions",
    about: "instructions a frame of the 32×32 sheet with tethers at library settings, in the baseline's lanes and in the widest (callgrind, frames 100–109)",
    bar: "≤ 1.4 M AVX2, ≤ 2.6 M baseline x86-64",
    uses_clock: false,
    run: instructions,
};

/// What wide lanes are worth.
pub const LANE_SPEED: Measurement = Measurement {
    name: "lane-speed",
    about: "the same sheet scalar, four lanes at a time and in the widest lanes: instructions, and times alternating in one run",
    bar: "AVX2 over SSE2 instructions ≤ 0.70; times of scalar, SSE2, AVX2 in one run reported",
    uses_clock: false,
    run: lane_speed,
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
    /// The 32×32 sheet, ten frames, in the widest lanes.
    Sheet32,
    /// The same, four lanes at a time.
    Sheet32Four,
    /// The same, lane by lane.
    Sheet32Scalar,
    /// The 128×128 sheet, ten frames.
    Sheet128,
    /// The 32×32 sheet under the candidate the state names, ten frames.
    Candidate,
    /// The hung sheet without colliders, ten frames.
    ContactNothing,
    /// The hung sheet, colliders far away.
    ContactFar,
    /// The hung sheet, colliders near it.
    ContactNear,
    /// The hung sheet, colliders touching it.
    ContactTouching,
    /// The hung sheet on wires.
    ContactWires,
    /// The hung sheet on wires that only particles meet.
    ContactWiresWithoutFaces,
    /// Gathers of a crowd by the tree.
    BroadphaseTree,
    /// By a loop over boxes.
    BroadphaseBoxes,
    /// By the scan.
    BroadphaseScan,
    /// The tree is told where the crowd is.
    BroadphaseTreeMoves,
    /// The scan is.
    BroadphaseScanMoves,
    /// A tile of a town comes.
    StreamAdd,
    /// A tile goes.
    StreamRemove,
    /// The town is made anew, tile by tile.
    StreamTiles,
    /// In one piece.
    StreamWhole,
    /// Gathers after tiles have come and gone.
    StreamQueries,
    /// Gathers of a town made tile by tile.
    FreshQueries,
    /// Gathers of a town made in one piece.
    FreshWholeQueries,
    /// A crowd in capes, ten ticks.
    Crowd,
    /// The same crowd, culled.
    CrowdCulled,
    /// The same crowd without cloth.
    CrowdBare,
    /// The crowd in capes that are surfaces.
    CrowdSurfaces,
    /// A walker in a large garment that is a surface, stepped beside the scene.
    OffloadSurface,
    /// The same, stepped by the thread that owns the scene.
    OffloadSurfaceSerial,
    /// A walker in a large garment of strips, stepped beside the scene.
    OffloadStrips,
    /// The same, stepped by the thread that owns the scene.
    OffloadStripsSerial,
    /// The sheet without air, ten frames.
    AirNone,
    /// The same in air without drag.
    AirDragless,
    /// The same in uniform air that changes no bit.
    AirUniform,
    /// The same in such air at each vertex.
    AirEach,
    /// [`Child::AirUniform`] with lift.
    AirLift,
    /// [`Child::AirEach`] with lift.
    AirLiftEach,
    /// A rope without air.
    AirRopeNone,
    /// The same rope in uniform air that changes no bit.
    AirRope,
    /// The sheet in a world with ambient wind, ten ticks.
    WindAmbient,
    /// The same in a volume of air.
    WindFluid,
    /// Air past a post, ten steps.
    FluidStep,
    /// All goldens: their fingerprints, a line each.
    Goldens,
}

impl Child {
    fn side(self) -> Option<usize> {
        match self {
            Self::Sheet32 | Self::Sheet32Four | Self::Sheet32Scalar => Some(32),
            Self::Sheet128 => Some(128),
            _ => None,
        }
    }
}

impl Child {
    fn level(self) -> Level {
        match self {
            Self::Sheet32Four => Level::FOUR,
            Self::Sheet32Scalar => Level::SCALAR,
            _ => Level::detect(),
        }
    }

    /// The name on the command line.
    fn argument(self) -> &'static str {
        match self {
            Self::Sheet32 => "sheet32",
            Self::Sheet32Four => "sheet32-four",
            Self::Sheet32Scalar => "sheet32-scalar",
            Self::Sheet128 => "sheet128",
            Self::Candidate => "candidate",
            Self::ContactNothing => "contact-nothing",
            Self::ContactFar => "contact-far",
            Self::ContactNear => "contact-near",
            Self::ContactTouching => "contact-touching",
            Self::ContactWires => "contact-wires",
            Self::ContactWiresWithoutFaces => "contact-wires-without-faces",
            Self::BroadphaseTree => "broadphase-tree",
            Self::BroadphaseBoxes => "broadphase-boxes",
            Self::BroadphaseScan => "broadphase-scan",
            Self::BroadphaseTreeMoves => "broadphase-tree-moves",
            Self::BroadphaseScanMoves => "broadphase-scan-moves",
            Self::StreamAdd => "stream-add",
            Self::StreamRemove => "stream-remove",
            Self::StreamTiles => "stream-tiles",
            Self::StreamWhole => "stream-whole",
            Self::StreamQueries => "stream-queries",
            Self::FreshQueries => "fresh-queries",
            Self::FreshWholeQueries => "fresh-whole-queries",
            Self::OffloadSurface => "offload-surface",
            Self::OffloadSurfaceSerial => "offload-surface-serial",
            Self::OffloadStrips => "offload-strips",
            Self::OffloadStripsSerial => "offload-strips-serial",
            Self::Crowd => "crowd",
            Self::CrowdCulled => "crowd-culled",
            Self::CrowdBare => "crowd-bare",
            Self::CrowdSurfaces => "crowd-surfaces",
            Self::AirNone => "air-none",
            Self::AirDragless => "air-dragless",
            Self::AirUniform => "air-uniform",
            Self::AirEach => "air-each",
            Self::AirLift => "air-lift",
            Self::AirLiftEach => "air-lift-each",
            Self::AirRopeNone => "air-rope-none",
            Self::AirRope => "air-rope",
            Self::WindAmbient => "wind-ambient",
            Self::WindFluid => "wind-fluid",
            Self::FluidStep => "fluid-step",
            Self::Goldens => "goldens",
        }
    }

    /// What `broadphase` counts.
    fn broadphase(self) -> Option<broadphase::Part> {
        use broadphase::Part;
        Some(match self {
            Self::BroadphaseTree => Part::Tree,
            Self::BroadphaseBoxes => Part::Boxes,
            Self::BroadphaseScan => Part::Scan,
            Self::BroadphaseTreeMoves => Part::TreeMoves,
            Self::BroadphaseScanMoves => Part::ScanMoves,
            _ => return None,
        })
    }

    /// What `streaming` counts.
    fn streaming(self) -> Option<streaming::Part> {
        use streaming::Part;
        Some(match self {
            Self::StreamAdd => Part::Add,
            Self::StreamRemove => Part::Remove,
            Self::StreamTiles => Part::Tiles,
            Self::StreamWhole => Part::Whole,
            Self::StreamQueries => Part::Streamed,
            Self::FreshQueries => Part::Fresh,
            Self::FreshWholeQueries => Part::FreshWhole,
            _ => return None,
        })
    }

    /// What stands about the sheet of `contact-cost`.
    fn among(self) -> Option<Among> {
        Some(match self {
            Self::ContactNothing => Among::Nothing,
            Self::ContactFar => Among::Far,
            Self::ContactNear => Among::Near,
            Self::ContactTouching => Among::Touching,
            Self::ContactWires => Among::Wires,
            Self::ContactWiresWithoutFaces => Among::WiresWithoutFaces,
            _ => return None,
        })
    }
}

/// The sheet that is counted: at library settings, undamped, with tethers.
fn counted_sheet(side: usize, level: Level) -> Spec {
    Spec { level, ..motion::library_settings(scenes::sheet(side), 0.0) }
}

/// Frames before counting.
pub(super) const WARM_UP: u32 = 100;
/// Frames that are counted.
pub(super) const MEASURED: u32 = 10;

/// Does what the observed process is there for.
///
/// # Errors
///
/// A missing or unfitting state, or a golden that doesn't run.
pub fn child(child: Child, state: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    if let Some(among) = child.among() {
        return contact_cost::child(
            among,
            &std::fs::read(state.context("the observed sheet needs --state")?)?,
        );
    }
    if let Some(path) = state
        && let Some(done) = air::child(child, &std::fs::read(path)?)
    {
        return done;
    }
    if let Some(part) = child.broadphase() {
        broadphase::child(part);
        return Ok(());
    }
    if let Some(part) = child.streaming() {
        streaming::child(part);
        return Ok(());
    }
    let side = match (child, child.side()) {
        (_, Some(side)) => side,
        (
            Child::Crowd
            | Child::CrowdCulled
            | Child::CrowdBare
            | Child::CrowdSurfaces
            | Child::OffloadSurface
            | Child::OffloadSurfaceSerial
            | Child::OffloadStrips
            | Child::OffloadStripsSerial,
            None,
        ) => return super::world::child(child),
        (Child::WindAmbient | Child::WindFluid, None) => return wind::child(child),
        (Child::FluidStep, None) => return fluid::child(),
        (Child::Candidate, None) => return candidate_child(state.context("a candidate needs --state")?),
        (_, None) => return super::same_bits::print_goldens(out),
    };
    let sheet = counted_sheet(side, child.level()).build()?;
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
    counted_sheet(32, Level::detect())
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
    let profile = observe(Child::Candidate.argument(), text.as_bytes(), &folder)?;
    Ok(profile.total / u64::from(MEASURED))
}

fn instructions(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["lanes", "function", "with what it calls", "share"]);
    let mut verdict = Verdict::new();
    for (child, most, reached) in
        [(Child::Sheet32, 1_400_000, 1_850_000), (Child::Sheet32Four, 2_600_000, 3_450_000)]
    {
        let profile = profile(child)?;
        let name = child.level().name();
        let total = profile.total / u64::from(MEASURED);
        for (function, cost) in profile.by_inclusive() {
            let inclusive = cost.inclusive / u64::from(MEASURED);
            let share = super::absurd::rational(inclusive, total);
            if function.contains("cloth_core::step") && share >= 0.001 {
                table.row([
                    name.into(),
                    function.to_owned(),
                    inclusive.to_string(),
                    format!("{:.1} %", 100.0 * share),
                ]);
            }
        }
        verdict.short(
            format!("{name}: {:.2} M instructions a frame", super::absurd::rational(total, 1_000_000)),
            total <= most,
            total <= reached,
        );
    }
    out.line("Instructions a frame; a function the compiler inlined is part of its caller.\n");
    out.table(&table);
    Ok(verdict)
}

fn lane_speed(out: &mut Out) -> Result<Verdict> {
    let children = [Child::Sheet32Scalar, Child::Sheet32Four, Child::Sheet32];
    let mut counts = Vec::new();
    for child in children {
        counts.push(profile(child)?.total / u64::from(MEASURED));
    }
    let times = times(children)?;
    let mut table = Table::new(["lanes", "instructions a frame", "least time of a frame (ms)"]);
    for ((child, count), time) in children.iter().zip(&counts).zip(times) {
        table.row([child.level().name().into(), count.to_string(), format!("{time:.3}")]);
    }
    out.line("Times are minima of frames 100–109 over twenty rounds, the levels taking turns; they decide nothing.\n");
    out.table(&table);
    let ratio = super::absurd::rational(counts[2], counts[1]);
    let mut verdict = Verdict::new();
    if Level::detect().lanes() > Level::FOUR.lanes() {
        verdict.check(format!("{ratio:.2} of the instructions"), ratio <= 0.70);
    } else {
        verdict.unmeasured("AVX2 over SSE2: this processor has no wider lanes than four");
    }
    Ok(verdict)
}

/// Least milliseconds of a frame in each child's lanes.
fn times(children: [Child; 3]) -> Result<[f64; 3]> {
    let mut least = [f64::INFINITY; 3];
    for _ in 0..20 {
        for (least, child) in least.iter_mut().zip(children) {
            let sheet = counted_sheet(32, child.level()).build()?;
            let mut memory = sheet.memory();
            let mut run = sheet.start(&mut memory)?;
            run.steps(WARM_UP)?;
            let begun = std::time::Instant::now();
            measured_frames(&mut run)?;
            *least = least.min(begun.elapsed().as_secs_f64() * 1e3 / f64::from(MEASURED));
        }
    }
    Ok(least)
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
    let sheet = counted_sheet(side, Level::detect()).build()?;
    let mut memory = sheet.memory();
    let mut run = sheet.start(&mut memory)?;
    run.steps(WARM_UP)?;
    let mut blocks = vec![Block::default(); sheet.model().snapshot_blocks()];
    run.state.snapshot(&mut blocks)?;
    observe(child.argument(), bytemuck::cast_slice::<Block, u8>(&blocks), &Scratch::new()?)
}

/// Instructions a frame of a child that starts from a state.
///
/// # Errors
///
/// No valgrind, or what the child objects to.
pub(super) fn instructions_of(child: Child, state: &[u8]) -> Result<u64> {
    Ok(observe(child.argument(), state, &Scratch::new()?)?.total / u64::from(MEASURED))
}

/// Instructions a frame of a child that makes its own state, and those of one function of it with what it calls.
///
/// # Errors
///
/// No valgrind, or what the child objects to.
pub(super) fn instructions_within(child: Child, function: &str) -> Result<(u64, u64)> {
    let profile = observe(child.argument(), &[], &Scratch::new()?)?;
    let within = profile.functions.iter().filter(|(name, _)| name.as_str() == function);
    let within: u64 = within.map(|(_, cost)| cost.inclusive).sum();
    Ok((profile.total / u64::from(MEASURED), within / u64::from(MEASURED)))
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
