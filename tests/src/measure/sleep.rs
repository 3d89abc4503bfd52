//! `sleep` and `wake`: cloth at rest among colliders is left alone until something changes.

use super::{Measurement, Out, Table, Verdict};
use crate::contact::{Encounter, at, floor};
use crate::narrow::real;
use crate::workload::{Shape, Spec, Workload, first};
use anyhow::Result;
use cloth_core::collide::Collider;
use cloth_core::fabric::library::{ALL, Density, Fabric};
use cloth_core::library;
use glam::DVec3;

/// Everything falls asleep.
pub const SLEEP: Measurement = Measurement {
    name: "sleep",
    about: "M§53's rope of eight links of 10 cm with 2 % of lean, in seven fabrics, hanging, through a floor at −0.4 m of μ 0 and 0.5 and over a \
            sphere, and a 16×16 sheet of the four that are woven, hung with the same lean, so through floors at −0.15 m, or laid over a ball on a floor: steps to sleep",
    bar: "asleep within 1,000 steps, then bit-identical for 300",
    uses_clock: false,
    run: sleep,
};

/// What wakes a cloth.
pub const WAKE: Measurement = Measurement {
    name: "wake",
    about: "M§55's rope of six links of 10 cm asleep: a sphere of 0.2 m spawned about its lower half; the floor it lies on taken away; another \
            collider, with the floor's handle, put in its place; a sphere 5 m away",
    bar: "awake in the same step, 0 of 6 links inside after 300 steps, nothing inherited; a bounded collider 5 m away wakes nothing",
    uses_clock: false,
    run: wake,
};

const MOST: u32 = 2400;

/// Where cloths come to rest.
#[derive(Clone, Copy)]
enum Bed {
    Hanging,
    Floor(f32),
    Sphere,
}

const BEDS: [Bed; 4] = [Bed::Hanging, Bed::Floor(0.0), Bed::Floor(0.5), Bed::Sphere];

fn rope(links: usize, fabric: &Fabric) -> Spec {
    let density = match fabric.density {
        Density::Linear(density) => density,
        // A strip of it 10 cm wide.
        Density::Areal(density) => 0.1 * density,
    };
    let shape = Shape::strands(1, links, 0.1, DVec3::new(0.02, -1.0, 0.0));
    Spec { pins: vec![0], dynamics: fabric.dynamics, ..Spec::new(shape, 0.1 * f64::from(density)) }
}

fn rope_bed(bed: Bed) -> Result<Vec<Collider>> {
    Ok(match bed {
        Bed::Hanging => Vec::new(),
        Bed::Floor(friction) => vec![floor(-0.4, friction)?],
        Bed::Sphere => vec![Collider::sphere(0.2, at(0.03, -0.6, 0.0))?],
    })
}

fn sheet(fabric: &Fabric, bed: Bed) -> Option<Spec> {
    let Density::Areal(density) = fabric.density else { return None };
    let side = 16;
    let mass = f64::from(density) * 0.02 * 0.02;
    let shape = Shape::grid(side, side, 0.02);
    let lean = |p: DVec3| DVec3::new(p.x, -p.z, 0.02 * p.z);
    let spec = match bed {
        Bed::Sphere => Spec::new(shape, mass),
        // What nothing holds glides on over a floor without friction.
        Bed::Hanging | Bed::Floor(_) => Spec { pins: first(side), ..Spec::new(shape.moved(lean), mass) },
    };
    Some(Spec { dynamics: fabric.dynamics, ..spec })
}

fn sheet_bed(bed: Bed) -> Result<Vec<Collider>> {
    let middle = 0.01 * real(15);
    Ok(match bed {
        Bed::Hanging => Vec::new(),
        Bed::Floor(friction) => vec![floor(-0.15, friction)?],
        // Without friction every sheet slides off a ball in the end.
        Bed::Sphere => vec![
            Collider::sphere(0.08, at(middle + 0.003, -0.13, middle))?.touching(0.5, 0.0)?,
            floor(-0.21, 0.5)?,
        ],
    })
}

/// Steps to sleep, and whether not a bit changed in three hundred steps after.
fn rest(workload: &Workload, colliders: Vec<Collider>) -> Result<(Option<u32>, bool)> {
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, colliders);
    let asleep = scene.until_asleep(MOST)?;
    let (fingerprint, bits) = (scene.run.state.fingerprint(), bits(&scene));
    scene.steps(300)?;
    let same = scene.run.state.fingerprint() == fingerprint && self::bits(&scene) == bits;
    Ok((asleep, same && scene.run.state.is_asleep()))
}

fn bits(scene: &Encounter<'_>) -> Vec<[u32; 3]> {
    let state = &scene.run.state;
    state.positions().chain(state.velocities()).map(|v| v.to_array().map(f32::to_bits)).collect()
}

fn sleep(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["cloth", "fabric", "hanging", "floor μ 0", "floor μ 0.5", "sphere"]);
    let (mut latest, mut late, mut moved, mut cells) = (0, Vec::new(), 0, 0);
    let mut note = |name: String, cell: (Option<u32>, bool)| {
        cells += 1;
        match cell {
            (Some(frame), same) => {
                latest = latest.max(frame);
                moved += u32::from(!same);
                if frame > 1000 {
                    late.push(format!("{name} {frame}"));
                }
                frame.to_string()
            }
            (None, _) => {
                late.push(format!("{name} awake"));
                "awake".to_owned()
            }
        }
    };
    let words = ["hanging", "floor 0", "floor 0.5", "sphere"];
    for fabric in &ALL {
        let mut row = vec!["rope".to_owned(), fabric.name.to_owned()];
        for (bed, word) in BEDS.into_iter().zip(words) {
            let cell = rest(&rope(8, fabric).build()?, rope_bed(bed)?)?;
            row.push(note(format!("{} rope {word}", fabric.name), cell));
        }
        table.row(row);
    }
    for fabric in &ALL {
        let mut row = vec!["sheet".to_owned(), fabric.name.to_owned()];
        for (bed, word) in BEDS.into_iter().zip(words) {
            let Some(spec) = sheet(fabric, bed) else { continue };
            let cell = rest(&spec.build()?, sheet_bed(bed)?)?;
            row.push(note(format!("{} sheet {word}", fabric.name), cell));
        }
        if row.len() > 2 {
            table.row(row);
        }
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    let figure = if late.is_empty() {
        format!("{cells} of {cells} within {latest} steps")
    } else {
        format!("{} of {cells}; not {}", cells - late.len(), late.join(", "))
    };
    // Ropes whose upper half hangs free and swings take as long as their damping does; a heap of silk, which passes through
    // itself, is the last to find a place for its folds.
    let awake = late.iter().filter(|name| name.ends_with("awake")).all(|name| name.starts_with("silk"));
    verdict.short(figure, late.is_empty(), awake && late.len() <= 7 && latest <= 1250);
    verdict.check(format!("{moved} changed asleep"), moved == 0);
    Ok(verdict)
}

/// A rope asleep on something; what changes then; how it goes on.
struct Woken {
    asleep: Option<u32>,
    woke: bool,
    inside: usize,
    moved: f64,
    /// Where it is in the end.
    bits: Vec<[u32; 3]>,
}

fn woken(bed: Vec<Collider>, then: Vec<Collider>) -> Result<Woken> {
    let rope_fabric = library::by_name("rope").unwrap_or(ALL[4]);
    let workload = rope(6, &rope_fabric).build()?;
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, bed);
    let asleep = scene.until_asleep(MOST)?;
    let before = scene.run.positions();
    scene.colliders = then;
    scene.step()?;
    let woke = !scene.run.state.is_asleep();
    let moved = scene.run.positions().iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    scene.steps(299)?;
    let links = || workload.edges.iter();
    let inside = |c: &Collider| {
        let distances: Vec<f64> = scene.distances(c).collect();
        links().filter(|e| distances[e.a as usize].min(distances[e.b as usize]) < 0.0).count()
    };
    let inside = scene.colliders.iter().map(inside).sum();
    Ok(Woken { asleep, woke, inside, moved, bits: bits(&scene) })
}

fn wake(out: &mut Out) -> Result<Verdict> {
    let floor = |friction| -> Result<Collider> { Ok(floor(-0.3, friction)?.known(1, u32::MAX, u32::MAX)) };
    let ball = |x: f64, y: f64| -> Result<Collider> {
        Ok(Collider::sphere(0.2, at(x, y, 0.0))?.known(1, u32::MAX, u32::MAX))
    };
    let table_top =
        Collider::cuboid(cloth_core::Vec3::new(0.5, 0.05, 0.5), at(0.0, -0.35, 0.0))?.touching(0.0, 0.0)?;
    let replaced = table_top.known(1, u32::MAX, u32::MAX);
    let cases = [
        ("sphere about its lower half", vec![], vec![ball(0.1, -0.45)?], true),
        ("floor taken away", vec![floor(0.5)?], vec![], true),
        ("floor replaced under the same handle", vec![floor(0.5)?], vec![replaced], true),
        ("sphere in the floor's place", vec![floor(0.5)?], vec![ball(0.0, -0.4)?], true),
        ("floor without friction", vec![floor(0.5)?], vec![floor(0.0)?], true),
        ("sphere 5 m away", vec![], vec![ball(5.0, -0.3)?], false),
        ("sphere 5 m away, on the floor", vec![floor(0.5)?], vec![floor(0.5)?, ball(5.0, -0.3)?], false),
        ("its own step back", vec![floor(0.5)?], vec![floor(0.5)?], false),
    ];
    let mut table = Table::new(["what", "asleep after", "woke", "first step (m)", "links inside after 300"]);
    let mut verdict = Verdict::new();
    for (name, bed, then, wakes) in cases {
        let woken = woken(bed, then)?;
        table.row([
            name.into(),
            woken.asleep.map_or("awake".into(), |frame| frame.to_string()),
            if woken.woke { "yes" } else { "no" }.into(),
            super::sci(woken.moved),
            woken.inside.to_string(),
        ]);
        let holds = woken.asleep.is_some() && woken.woke == wakes && woken.inside == 0;
        let words = [if woken.woke { "wakes" } else { "does not wake" }, if holds { "" } else { " (wrong)" }];
        verdict.check(format!("{name} {}{}, {} inside", words[0], words[1], woken.inside), holds);
    }
    out.table(&table);
    // Nothing is inherited: under the floor's handle or under another's, the new collider does the same.
    let exchanged = |handle| -> Result<Vec<[u32; 3]>> {
        Ok(woken(vec![floor(0.5)?], vec![table_top.known(handle, u32::MAX, u32::MAX)])?.bits)
    };
    let same = exchanged(1)? == exchanged(2)?;
    verdict.check(
        if same { "handles make no difference" } else { "something is inherited by the handle" },
        same,
    );
    Ok(verdict)
}
