//! `rescue`: the escape hatch frees what nothing else does, and leaves alone what is only pulled, struck or crumpled.

use super::{Measurement, Out, Table, Verdict};
use crate::golden;
use crate::workload::{Run, Shape, Spec, first};
use anyhow::{Context as _, Result};
use cloth_core::collide::{Collider, Pose};
use cloth_core::replay::Replay;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{Block, State, StepInput, Target, Targets, Vec3, library, step};
use cloth_host::run::{prepare, simulate};
use cloth_host::scene::{BUNDLED, Scene};
use glam::DVec3;

/// The hatch.
pub const RESCUE: Measurement = Measurement {
    name: "rescue",
    about: "a rope of ten links, the lower five in two boxes that overlap by 8 cm, with targets above them, and a 12×12 sheet of each fabric whose middle \
            is in two such boxes: when particles go to their targets, where they are when they are let go, whether any is inside ten seconds later; the \
            same without the hatch; and how many go in every golden but absurd, whose rows are torn by design, and in every bundled scene",
    bar: "frees a particle pinched between two colliders: let go on its target to the bit, none inside later; without it some are; never fires on the bundled \
          garments",
    uses_clock: false,
    run,
};

/// Half the edges of a box (m), and by how much two of them overlap.
const HALF: Vec3 = Vec3::new(0.2, 0.5, 0.5);
const OVERLAP: f32 = 0.08;

/// Two boxes whose tops are at a height, side by side and overlapping.
fn jaws(top: f32) -> Result<[Collider; 2]> {
    let side = |side: f32| -> Result<Collider> {
        let place = Vec3::new(side * (HALF.x - 0.5 * OVERLAP), top - HALF.y, 0.0);
        Ok(Collider::cuboid(HALF, Pose::at(place))?.touching(0.5, 0.0)?)
    };
    Ok([side(-1.0)?, side(1.0)?])
}

fn is_inside(jaws: &[Collider], x: Vec3) -> bool {
    jaws.iter().any(|jaw| (HALF - (x - Vec3::from_array(jaw.position)).abs()).min_element() > 0.0)
}

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

fn free(run: &mut Run<'_>, jaws: &[Collider], targets: &[Target], escape: Escape) -> Result<Freed> {
    let mut freed = Freed::default();
    let mut going: Vec<u32> = Vec::new();
    for _ in 0..FRAMES {
        let input = StepInput {
            colliders: Colliders { records: jaws, shapes: &[] },
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
                let on = place.to_array() == target.position
                    && run.state.velocity(target.vertex) == Some(Vec3::ZERO)
                    && !run.state.is_held(target.vertex);
                freed.astray += u32::from(!on);
            }
        }
        going = (0..run.state.model().source_count()).filter(|v| run.state.is_escaping(*v)).collect();
    }
    freed.inside = run.state.positions().filter(|x| is_inside(jaws, *x)).count();
    Ok(freed)
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table =
        Table::new(["pinched", "hatch", "first step", "went", "let go elsewhere", "inside after 15 s"]);
    let hatches = [("on", Escape::default()), ("off", Escape::OFF)];
    let mut row = |what: &str, (name, freed): (&str, Freed)| {
        let first = freed.first.map_or("-".into(), |step| step.to_string());
        let rest = [freed.gone.to_string(), freed.astray.to_string(), freed.inside.to_string()];
        table.row([what.to_owned(), name.to_owned(), first].into_iter().chain(rest));
        let good = match name {
            "on" => freed.gone > 0 && freed.astray == 0 && freed.inside == 0,
            _ => freed.gone == 0 && freed.inside > 0,
        };
        verdict.check(format!("{what}, {name}: {} went, {} inside", freed.gone, freed.inside), good);
    };

    let rope = Spec {
        pins: vec![0],
        dynamics: library::ROPE,
        ..Spec::new(Shape::strands(1, 10, 0.1, DVec3::NEG_Y), 0.02)
    }
    .build()?;
    let boxes = jaws(-0.55)?;
    let aside = |vertex: u16| Target {
        vertex: vertex.into(),
        position: [-0.1 * (f32::from(vertex) - 5.0), -0.5, 0.0],
    };
    let targets: Vec<Target> = (6..=10).map(aside).collect();
    for (name, escape) in hatches {
        let mut memory = rope.memory();
        row("rope", (name, free(&mut rope.start(&mut memory)?, &boxes, &targets, escape)?));
    }

    // Hung by one edge over the gap's end; targets above the boxes.
    let side = 12_usize;
    let boxes = jaws(-0.2)?;
    for fabric in &library::ALL {
        let shape = Shape::grid(side, side, 0.04).moved(|p| DVec3::new(0.01 * p.x, -p.z, p.x - 0.22));
        let sheet =
            Spec { pins: first(side), dynamics: fabric.dynamics, ..Spec::new(shape, 1e-3) }.build()?;
        let targets: Vec<Target> = (0..)
            .zip(&sheet.spec.shape.positions)
            .filter(|(_, [_, y, _])| *y < -0.19)
            .map(|(vertex, &[x, y, z])| Target { vertex, position: [x - (y.abs() - 0.17), -0.17, z] })
            .collect();
        for (name, escape) in hatches {
            let mut memory = sheet.memory();
            row(fabric.name, (name, free(&mut sheet.start(&mut memory)?, &boxes, &targets, escape)?));
        }
    }
    out.table(&table);

    let mut quiet = Table::new(["scene", "steps", "went"]);
    for name in golden::SCENES.into_iter().filter(|name| *name != "absurd") {
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
