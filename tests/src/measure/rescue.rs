//! `rescue`: the escape hatch frees what nothing else does, and leaves alone what is only pulled, struck or crumpled.

use super::{Measurement, Out, Table, Verdict};
use crate::contact::jaws;
use crate::golden;
use crate::workload::{Run, Shape, Spec, Workload, first};
use anyhow::{Context as _, Result};
use cloth_core::collide::Collider;
use cloth_core::replay::Replay;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{Block, State, StepInput, Target, Targets, Vec3, library, step};
use cloth_host::run::{prepare, simulate};
use cloth_host::scene::{BUNDLED, Scene};
use glam::DVec3;

/// The hatch.
pub const RESCUE: Measurement = Measurement {
    name: "rescue",
    about: "a rope of ten links, the lower five in two boxes that overlap by 8 cm, with targets above them, and a 12×12 sheet of each fabric whose lower \
            two thirds are in two boxes that overlap by 3 cm: when particles go to their targets, where they are when they are let go, whether any is inside after 15 s; the \
            same without the hatch; and how many go in every golden but absurd, whose rows are torn by design, and pinch, which is there for it, and in every bundled scene",
    bar: "frees a particle pinched between two colliders: let go on its target to the bit, none inside later, where some are without it; never fires on the bundled \
          garments",
    uses_clock: false,
    run,
};

/// What became of those in the jaws.
#[derive(Default)]
struct Freed {
    /// The first step in which any set out.
    first: Option<u64>,
    gone: u32,
    /// Those that were not on their targets, or not at rest, when they were let go.
    astray: u32,
    inside: usize,
}

const FRAMES: u32 = 900;

fn free(run: &mut Run<'_>, boxes: &[Collider], targets: &[Target], escape: Escape) -> Result<Freed> {
    let mut freed = Freed::default();
    let mut going: Vec<u32> = Vec::new();
    for _ in 0..FRAMES {
        let input = StepInput {
            colliders: Colliders { records: boxes, shapes: &[] },
            targets: Targets::Listed(targets),
            escape,
            sleep: true,
            ..run.workload.input()
        };
        let report = run.step_with(&input)?;
        freed.gone += report.escaped;
        if report.escaped > 0 && freed.first.is_none() {
            freed.first = Some(run.state.steps());
        }
        for target in targets.iter().filter(|target| going.contains(&target.vertex)) {
            if !run.state.is_escaping(target.vertex) {
                let place = run.state.position(target.vertex).context("no such vertex")?;
                let on = place == Vec3::from_array(target.position)
                    && run.state.velocity(target.vertex) == Some(Vec3::ZERO)
                    && !run.state.is_held(target.vertex);
                freed.astray += u32::from(!on);
            }
        }
        going = (0..run.state.model().source_count()).filter(|v| run.state.is_escaping(*v)).collect();
    }
    freed.inside = run.state.positions().filter(|x| jaws::is_inside(boxes, *x)).count();
    Ok(freed)
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table =
        Table::new(["pinched", "hatch", "first step", "went", "let go elsewhere", "inside after 15 s"]);
    let mut stuck = 0;
    let mut rows = |what: &str, [on, off]: [Freed; 2]| {
        for (name, freed) in [("on", &on), ("off", &off)] {
            let first = freed.first.map_or("-".into(), |step| step.to_string());
            let rest = [freed.gone.to_string(), freed.astray.to_string(), freed.inside.to_string()];
            table.row([what.to_owned(), name.to_owned(), first].into_iter().chain(rest));
        }
        // What is thick comes out by itself.
        let needed = off.inside > 0;
        stuck += u32::from(needed);
        let good = on.inside == 0 && on.astray == 0 && off.gone == 0 && (on.gone > 0 || !needed);
        verdict
            .check(format!("{what}: {} went, {} inside, {} without", on.gone, on.inside, off.inside), good);
    };

    let (rope, boxes, targets) = (jaws::rope().build()?, jaws::jaws(-0.55, 0.08)?, jaws::goals());
    let both = |workload: &Workload, boxes: &[Collider], targets: &[Target]| -> Result<[Freed; 2]> {
        let with = |escape| free(&mut workload.start(&mut workload.memory())?, boxes, targets, escape);
        Ok([with(Escape::default())?, with(Escape::OFF)?])
    };
    rows("rope", both(&rope, &boxes, &targets)?);

    // The overlap is narrower than the first row is deep, or that would leave by the top and draw the others after it.
    let side = 12_usize;
    let boxes = jaws::jaws(-0.17, 0.03)?;
    for fabric in &library::ALL {
        let shape = Shape::grid(side, side, 0.04).moved(|p| DVec3::new(0.01 * p.x, -p.z, p.x - 0.22));
        let sheet =
            Spec { pins: first(side), dynamics: fabric.dynamics, ..Spec::new(shape, 1e-3) }.build()?;
        let targets: Vec<Target> = (0..)
            .zip(&sheet.spec.shape.positions)
            .filter(|(_, [_, y, _])| *y < -0.19)
            .map(|(vertex, &[x, y, z])| Target { vertex, position: [x - (y.abs() - 0.15), -0.15, z] })
            .collect();
        rows(&format!("sheet of {}", fabric.name), both(&sheet, &boxes, &targets)?);
    }
    verdict.check(format!("{stuck} of 8 do not come out without"), stuck > 0);
    out.table(&table);

    let mut quiet = Table::new(["scene", "steps", "went"]);
    for name in golden::SCENES.into_iter().filter(|name| !["absurd", "pinch"].contains(name)) {
        let (frames, gone) = of_golden(name)?;
        quiet.row([format!("golden {name}"), frames.to_string(), gone.to_string()]);
        verdict.check(format!("golden {name}: {gone}"), gone == 0);
    }
    for bundled in &BUNDLED {
        let scene = Scene::bundled(bundled.name).context("there is no such scene")??;
        let recording = simulate(&scene, &prepare(&scene)?, &[], |_| {})?;
        let gone = recording.escaped;
        quiet.row([bundled.name.to_owned(), scene.frames.to_string(), gone.to_string()]);
        verdict.check(format!("{}: {gone}", bundled.name), gone == 0);
    }
    out.table(&quiet);
    Ok(verdict)
}

/// How many frames a golden has, and how many particles went to their targets in them.
fn of_golden(name: &str) -> Result<(u32, u64)> {
    let bytes = golden::replay(name)?;
    let mut blocks = vec![Block::default(); Replay::blocks_for(&bytes)?];
    let replay = Replay::load(&bytes, &mut blocks)?;
    let mut memory = vec![Block::default(); replay.model().state_blocks()];
    let mut state: State<'_> = replay.start(&mut memory)?;
    let (mut frames, mut gone) = (0, 0);
    for frame in replay.frames() {
        for event in frame.events() {
            event.happen(&mut state)?;
        }
        gone += u64::from(step(&mut state, &frame.input())?.escaped);
        frames += 1;
    }
    Ok((frames, gone))
}
