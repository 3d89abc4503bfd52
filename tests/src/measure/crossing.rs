//! `capsule-sweep`, `fast-sphere`, `thrown`, `spin` and `thin`: colliders that are fast, turn, or fit between particles.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::contact::crossing::{Step, between, is_pierced};
use crate::contact::{Encounter, at, pair, turned};
use crate::narrow::to_f32;
use crate::workload::{DT, Shape, Spec, Workload, scenes};
use anyhow::Result;
use cloth_core::collide::{Collider, Pose};
use cloth_core::{ClothDynamics, library};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// A limb through a sheet.
pub const CAPSULE_SWEEP: Measurement = Measurement {
    name: "capsule-sweep",
    about: "a level capsule of 5 cm radius and 30 cm straight length driven through the middle of the hung 32×32 sheet of cotton: \
            contacts, and particle-steps deeper in it than half its radius",
    bar: "2, 5, 10, 20, 40 m/s: rows at every speed, no particle-step deeper than half the radius",
    uses_clock: false,
    run: capsule_sweep,
};

/// A ball through a sheet.
pub const FAST_SPHERE: Measurement = Measurement {
    name: "fast-sphere",
    about: "a kinematic sphere of 5 cm, μ = 0.3, through the middle of the hung 32×32 sheet of cotton, 4 phases a quarter of a frame apart. \
            Caught: its centre goes through no triangle while \
            both move in straight lines from step to step, in a second run of sixteen steps a frame of one substep or more; by frames \
            the same of the run as it is, which goes far in a frame",
    bar: "2, 10, 20, 40 m/s: caught 16 of 16; the sheet finite, strain ≤ 50 %",
    uses_clock: false,
    run: fast_sphere,
};

/// A particle at a capsule.
pub const THROWN: Measurement = Measurement {
    name: "thrown",
    about: "two linked particles, 8 mm thick, thrown across a static capsule of 3 cm without gravity, 1 to 12 m/s in half steps, from four \
            distances a quarter of a frame's way apart, 8 substeps of one sweep",
    bar: "stopped at every speed (record: 6 m/s)",
    uses_clock: false,
    run: thrown,
};

/// A turning box.
pub const SPIN: Measurement = Measurement {
    name: "spin",
    about: "a box of 50×20×2 cm turning about its short side by 0.5 rad a step, against particles and a sheet at rest in the way of its broad \
            side: which of them it takes along until they leave past its end, none found behind it",
    bar: "caught (the record misses it)",
    uses_clock: false,
    run: spin,
};

/// Wires and balls between particles.
pub const THIN: Measurement = Measurement {
    name: "thin",
    about: "a capsule of 2 mm across the hung 16×16 sheet at 2 cm, 1 mm thick, between two rows of particles, until it is 10 cm past; through: \
            its axis goes through a triangle, or a point of it crosses one between two of sixteen steps a frame of one substep or more. And R19: a sphere of 6 cm \
            between the joints of two chains of five joints 20 cm apart, alone and joined by cross rows",
    bar: "held: found on the segment at every speed, nothing goes through, cross rows hold the spacing",
    uses_clock: false,
    run: thin,
};

/// Middle of the hung sheet (m).
const MIDDLE: DVec3 = DVec3::new(0.31, -0.31, 0.0);

fn cotton(spec: Spec) -> Spec {
    Spec { dynamics: library::COTTON, ..spec }
}

/// A fabric solved in single substeps.
fn single(dynamics: ClothDynamics) -> ClothDynamics {
    ClothDynamics { substeps: 1, ..dynamics }
}

fn capsule_sweep(out: &mut Out) -> Result<Verdict> {
    const RADIUS: f64 = 0.05;
    let mut table = Table::new([
        "speed (m/s)",
        "contacts",
        "deepest (m)",
        "deep particle-steps",
        "worst strain",
        "most substeps",
        "missed",
    ]);
    let mut verdict = Verdict::new();
    for speed in [2.0, 5.0, 10.0, 20.0, 40.0] {
        let swept = sweep(speed, RADIUS)?;
        table.row([
            speed.to_string(),
            swept.contacts.to_string(),
            sci(swept.deepest),
            swept.deep.to_string(),
            sci(swept.strain),
            swept.substeps.to_string(),
            swept.missed.to_string(),
        ]);
        let holds = swept.contacts > 0 && swept.deep == 0;
        verdict.check(format!("{speed} m/s: {} contacts, {} deep", swept.contacts, swept.deep), holds);
    }
    out.table(&table);
    Ok(verdict)
}

/// What a sweep of a capsule through a sheet did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Swept {
    /// Contacts.
    pub contacts: u64,
    /// The deepest a particle was in the capsule (m).
    pub deepest: f64,
    /// Particle-steps deeper than half its radius.
    pub deep: u64,
    /// The worst strain.
    pub strain: f64,
    /// Most substeps of a step.
    pub substeps: u32,
    /// Missed crossings.
    pub missed: u64,
    /// Whether all stayed finite.
    pub finite: bool,
}

/// Drives a level capsule through the hung sheet.
///
/// # Errors
///
/// What the core objects to.
pub fn sweep(speed: f64, radius: f64) -> Result<Swept> {
    let workload = cotton(scenes::hung_sheet(32)).build()?;
    let mut memory = workload.memory();
    let start = -0.5;
    let pose = |way: f64| turned(MIDDLE + DVec3::Z * (start + way), DVec3::Z, FRAC_PI_2);
    let capsule = Collider::capsule(0.15, to_f32(radius), pose(0.0))?.touching(0.3, 0.0)?;
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![capsule]);
    let mut swept = Swept { deepest: f64::NEG_INFINITY, finite: true, ..Swept::default() };
    let mut way = 0.0;
    while way < 1.0 + 0.5 * speed {
        way += speed / 60.0;
        scene.drive(0, pose(way))?;
        scene.step()?;
        for distance in scene.distances(&scene.colliders[0]) {
            swept.deepest = swept.deepest.max(-distance);
            swept.deep += u64::from(distance < -0.5 * radius);
        }
        swept.strain = swept.strain.max(scene.strain().worst);
        swept.finite &= crate::physics::finite(&scene.run.positions());
    }
    Ok(Swept {
        contacts: scene.seen.contacts,
        substeps: scene.seen.substeps,
        missed: scene.seen.missed,
        ..swept
    })
}

/// Steps a frame of the run that is looked at closely.
const SLICES: u32 = 16;

/// What a sphere through the sheet did.
#[derive(Clone, Copy, Default)]
struct Shot {
    crossed: u32,
    strain: f64,
    stretch: f64,
    late: f64,
    substeps: u32,
    missed: u64,
    finite: bool,
}

/// Shoots a sphere at the sheet, so many steps a frame.
fn shoot(workload: &Workload, speed: f64, phase: u32, steps: u32, most_substeps: u32) -> Result<Shot> {
    const RADIUS: f32 = 0.05;
    let mut memory = workload.memory();
    let start = -0.5 - f64::from(phase) * speed / 240.0;
    let place = |way: f64| MIDDLE + DVec3::Z * (start + way);
    let pose = |way: f64| Pose::at(crate::workload::narrow(place(way)));
    let ball = Collider::sphere(RADIUS, pose(0.0))?.touching(0.3, 0.0)?;
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
    scene.most_substeps = most_substeps;
    let triangles = workload.spec.shape.triangles();
    let mut shot = Shot { finite: true, ..Shot::default() };
    let mut before = scene.run.positions();
    let mut way = 0.0;
    // Until it is a metre past, and half a second more.
    let most = 1.5 + 0.5 * speed;
    while way < most {
        let next = way + speed / (60.0 * f64::from(steps));
        scene.drive(0, pose(next))?;
        scene.step()?;
        let after = scene.run.positions();
        let step = Step { surface: [&before, &after], point: [place(way), place(next)] };
        shot.crossed += step.crossed(triangles);
        let strain = scene.strain();
        shot.strain = shot.strain.max(strain.worst);
        shot.stretch = shot.stretch.max(strain.worst_stretch);
        shot.late = strain.worst;
        shot.finite &= crate::physics::finite(&after);
        (before, way) = (after, next);
    }
    Ok(Shot { substeps: scene.seen.substeps, missed: scene.seen.missed, ..shot })
}

fn fast_sphere(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "speed (m/s)",
        "phase",
        "crossed, by frames",
        "by sixteenths",
        "worst strain",
        "stretch",
        "at the end",
        "worst, sixteenths",
        "most substeps",
        "missed",
    ]);
    let (mut caught, mut strain, mut finite) = (0, 0.0_f64, true);
    for speed in [2.0, 10.0, 20.0, 40.0] {
        for phase in 0..4 {
            let workload = cotton(scenes::hung_sheet(32)).build()?;
            let shot = shoot(&workload, speed, phase, 1, workload.input().most_substeps)?;
            let spec = cotton(scenes::hung_sheet(32));
            let spec = Spec { dynamics: single(spec.dynamics), dt: DT / to_f32(f64::from(SLICES)), ..spec };
            let close = spec.build()?;
            let close = shoot(&close, speed, phase, SLICES, close.input().most_substeps)?;
            caught += u32::from(close.crossed == 0);
            strain = strain.max(close.strain);
            strain = strain.max(shot.strain);
            finite &= shot.finite && close.finite;
            table.row([
                speed.to_string(),
                phase.to_string(),
                shot.crossed.to_string(),
                close.crossed.to_string(),
                sci(shot.strain),
                sci(shot.stretch),
                sci(shot.late),
                sci(close.strain),
                shot.substeps.to_string(),
                shot.missed.to_string(),
            ]);
        }
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("caught {caught} of 16"), caught == 16);
    verdict.check(if finite { "finite" } else { "not finite" }, finite);
    verdict.check(format!("strain {:.0} %", 100.0 * strain), strain <= 0.5);
    Ok(verdict)
}

fn thrown(out: &mut Out) -> Result<Verdict> {
    let mut through = Vec::new();
    let mut table =
        Table::new(["speed (m/s)", "stopped of 4", "farthest (m)", "nearest the axis (m)", "missed"]);
    for half in 2..=24_u32 {
        let speed = 0.5 * f64::from(half);
        let (mut stopped, mut farthest, mut nearest, mut missed) = (0, f64::NEG_INFINITY, f64::INFINITY, 0);
        for phase in 0..4_u32 {
            let back = f64::from(phase) * speed / 240.0;
            let workload = pair(DVec3::new(-0.5 - back, -0.05, 0.0), 0.008).build()?;
            let mut memory = workload.memory();
            let capsule = Collider::capsule(0.5, 0.03, at(0.0, 0.0, 0.0))?;
            let mut scene = Encounter::new(workload.start(&mut memory)?, vec![capsule]);
            scene.throw(DVec3::X * speed)?;
            for _ in 0..120 {
                scene.step()?;
                let axis = |x: &DVec3| x.x.hypot(x.z);
                nearest = scene.run.positions().iter().map(axis).fold(nearest, f64::min);
            }
            let end = scene.run.positions().iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max);
            farthest = farthest.max(end);
            stopped += u32::from(end < 0.0);
            missed += scene.seen.missed;
        }
        if stopped < 4 {
            through.push(speed.to_string());
        }
        table.row([speed.to_string(), stopped.to_string(), sci(farthest), sci(nearest), missed.to_string()]);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    let figure = if through.is_empty() {
        "stopped at every speed".to_owned()
    } else {
        format!("through at {} m/s", through.join(", "))
    };
    verdict.check(figure, through.is_empty());
    Ok(verdict)
}

/// What is in the way of the turning box.
fn in_the_way(radius: f64, thickness: f32) -> [(&'static str, Spec); 2] {
    // Half a radian ahead of the box's broad side.
    let (sin, cos) = 0.5_f64.sin_cos();
    let (along, ahead) = (DVec3::new(cos, 0.0, -sin), DVec3::new(-sin, 0.0, -cos));
    let pair = pair(along * radius + DVec3::NEG_Y * 0.05, thickness);
    let patch = Shape::grid(6, 6, 0.02)
        .moved(|p| along * (radius + p.x - 0.05) + DVec3::Y * (p.z - 0.05) + ahead * 0.01);
    let mut patch = Spec { gravity: cloth_core::Vec3::ZERO, ..Spec::new(patch, 5e-4) }.budget(8, 1);
    patch.dynamics.thickness = thickness;
    [("particles", pair), ("patch", patch)]
}

fn spin(out: &mut Out) -> Result<Verdict> {
    const HALF: DVec3 = DVec3::new(0.25, 0.1, 0.01);
    let mut table = Table::new([
        "what",
        "from the axis (m)",
        "runs",
        "caught",
        "contacts",
        "most behind (m)",
        "worst strain",
        "missed",
    ]);
    let (mut runs, mut caught) = (0, 0);
    for radius in [0.1, 0.17, 0.22] {
        for (name, spec) in in_the_way(radius, 0.004) {
            let workload = spec.build()?;
            let (mut good, mut contacts, mut behind, mut strain, mut missed) =
                (0, 0, f64::NEG_INFINITY, 0.0_f64, 0);
            for phase in 0..8_u32 {
                let begin = -0.5 * f64::from(phase) / 8.0;
                let pose = |angle: f64| turned(DVec3::ZERO, DVec3::Y, begin + angle);
                let mut memory = workload.memory();
                let bat = Collider::cuboid(crate::workload::narrow(HALF), pose(0.0))?;
                let mut scene = Encounter::new(workload.start(&mut memory)?, vec![bat]);
                let mut worst = f64::NEG_INFINITY;
                for frame in 1..=6_u32 {
                    scene.drive(0, pose(0.5 * f64::from(frame)))?;
                    scene.step()?;
                    strain = strain.max(scene.strain().worst);
                    let pose = scene.colliders[0].pose();
                    for x in scene.run.state.positions().map(|x| crate::workload::wide(pose.undo(x))) {
                        // It turns towards −z of its own at +x; what is still over its broad side has to be there. What it
                        // has passed is no further behind than a step's turn; what it has thrown ahead comes round further out.
                        if x.x > 0.02 && x.x < HALF.x && x.y.abs() < HALF.y && x.z < 0.15 {
                            worst = worst.max(x.z + HALF.z);
                        }
                    }
                }
                let holds = scene.seen.contacts > 0 && worst < 1e-4;
                good += u32::from(holds);
                contacts += scene.seen.contacts;
                behind = behind.max(worst);
                missed += scene.seen.missed;
            }
            runs += 8;
            caught += good;
            table.row([
                name.into(),
                radius.to_string(),
                "8".into(),
                good.to_string(),
                contacts.to_string(),
                sci(behind),
                sci(strain),
                missed.to_string(),
            ]);
        }
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("caught {caught} of {runs}"), caught == runs);
    Ok(verdict)
}

fn thin(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new([
        "wire (m/s)",
        "contacts",
        "frames it is through",
        "sixteenths",
        "nearest axis to edge (m)",
        "worst strain",
        "missed",
    ]);
    for speed in [0.5, 2.0, 5.0, 10.0] {
        let (wire, close) = (wire(speed, 1)?, wire(speed, SLICES)?);
        table.row([
            speed.to_string(),
            wire.contacts.to_string(),
            wire.through.to_string(),
            close.through.to_string(),
            sci(wire.nearest.min(close.nearest)),
            sci(wire.strain.max(close.strain)),
            wire.missed.to_string(),
        ]);
        let held = wire.contacts > 0 && wire.through + close.through == 0;
        verdict.check(format!("wire at {speed} m/s {}", if held { "held" } else { "through" }), held);
    }
    out.table(&table);
    let mut table = Table::new([
        "sphere (m/s)",
        "chains",
        "contacts",
        "deepest in the sphere (m)",
        "spacing off",
        "worst strain",
        "missed",
    ]);
    let mut tally = [(0, 0, 0.0_f64, 0.0_f64); 2];
    for speed in [1.0, 3.0, 6.0, 12.0] {
        for (joined, tally) in [false, true].into_iter().zip(&mut tally) {
            let r19 = chains(speed, joined)?;
            table.row([
                speed.to_string(),
                if joined { "joined" } else { "alone" }.into(),
                r19.contacts.to_string(),
                sci(r19.deepest),
                if joined { format!("{:.2} %", 100.0 * r19.spacing) } else { "–".into() },
                sci(r19.strain),
                r19.missed.to_string(),
            ]);
            tally.0 += u32::from(r19.contacts > 0 && r19.deepest < 0.5 * RADIUS);
            tally.1 += 1;
            tally.2 = tally.2.max(r19.deepest);
            tally.3 = tally.3.max(r19.spacing);
        }
    }
    out.table(&table);
    for ((held, of, deepest, spacing), name) in tally.into_iter().zip(["alone", "joined"]) {
        verdict.check(
            format!("sphere at chains {name}: held {held} of {of}, deepest {} m", sci(deepest)),
            held == of,
        );
        if name == "joined" {
            verdict.check(format!("spacing off by {:.1} %", 100.0 * spacing), spacing <= 0.05);
        }
    }
    Ok(verdict)
}

/// What a wire through a sheet did.
struct Wire {
    contacts: u64,
    through: u32,
    nearest: f64,
    strain: f64,
    missed: u64,
}

/// A wire of 2 mm through the hung sheet, level, half way between two rows of particles, so many steps a frame.
fn wire(speed: f64, steps: u32) -> Result<Wire> {
    let mut spec = cotton(scenes::hung_sheet(16));
    spec.dynamics.thickness = 0.001;
    if steps > 1 {
        spec = Spec { dynamics: single(spec.dynamics), dt: DT / to_f32(f64::from(steps)), ..spec };
    }
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let half = 0.25;
    // Past the hem's height in the end the sheet has slid off; until then it is on the wire.
    let middle = |way: f64| DVec3::new(0.15, -0.15, way - 0.1);
    let pose = |way: f64| turned(middle(way), DVec3::Z, FRAC_PI_2);
    let made = Collider::capsule(to_f32(half), 0.001, pose(0.0))?.touching(0.3, 0.0)?;
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![made]);
    let mut wire = Wire { contacts: 0, through: 0, nearest: f64::INFINITY, strain: 0.0, missed: 0 };
    let triangles = workload.spec.shape.triangles();
    let mut before = scene.run.positions();
    let (mut way, step) = (0.0, speed / (60.0 * f64::from(steps)));
    while way + step < 0.2 + 1e-9 {
        let next = way + step;
        scene.drive(0, pose(next))?;
        scene.step()?;
        let after = scene.run.positions();
        let axis = [middle(next) - DVec3::X * half, middle(next) + DVec3::X * half];
        let edges = workload.edges.iter().map(|e| [after[e.a as usize], after[e.b as usize]]);
        wire.nearest = edges.map(|edge| between(axis, edge)).fold(wire.nearest, f64::min);
        let crosses = |along: f64| {
            let point = [way, next].map(|way| middle(way) + DVec3::X * along);
            Step { surface: [&before, &after], point }.crossed(triangles) > 0
        };
        let through = is_pierced(triangles, &after, axis)
            || steps > 1 && [-0.13, -0.09, -0.04, 0.0, 0.05, 0.09, 0.13].into_iter().any(crosses);
        wire.through += u32::from(through);
        wire.strain = wire.strain.max(scene.strain().worst);
        (before, way) = (after, next);
    }
    Ok(Wire { contacts: scene.seen.contacts, missed: scene.seen.missed, ..wire })
}

/// R19's sphere (m).
const RADIUS: f64 = 0.06;
/// R19's distance of chains and of joints (m).
const SPACING: f64 = 0.2;

/// What R19 did.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// Contacts.
    pub contacts: u64,
    /// How deep the sphere had a link in it (m).
    pub deepest: f64,
    /// How far the chains were off their distance, over it (1).
    pub spacing: f64,
    /// The worst strain.
    pub strain: f64,
    /// Missed crossings.
    pub missed: u64,
}

/// R19: a sphere at the middle of a link of one of two hanging chains, which cross rows may join.
///
/// # Errors
///
/// What the core objects to.
pub fn chains(speed: f64, joined: bool) -> Result<Between> {
    let shape = if joined {
        Shape::grid(2, 5, SPACING).moved(|p| DVec3::new(p.x, -p.z, 0.0))
    } else {
        Shape::strands(2, 4, SPACING, DVec3::NEG_Y)
    };
    let pins = if joined { vec![0, 1] } else { vec![0, 5] };
    let spec = Spec { pins, dynamics: library::ROPE, ..Spec::new(shape, 0.02) };
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let pose = |way: f64| at(0.0, -2.5 * SPACING, way - 0.3);
    let ball = Collider::sphere(to_f32(RADIUS), pose(0.0))?.touching(0.3, 0.0)?;
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
    let mut found = Between { contacts: 0, deepest: f64::NEG_INFINITY, spacing: 0.0, strain: 0.0, missed: 0 };
    let mut way = 0.0;
    while way < 0.6 {
        way += speed / 60.0;
        scene.drive(0, pose(way))?;
        scene.step()?;
        let x = scene.run.positions();
        let centre = crate::workload::wide(scene.colliders[0].pose().translation);
        let point = [centre, centre + DVec3::Y * 1e-9];
        let nearest = workload.edges.iter().map(|e| between([x[e.a as usize], x[e.b as usize]], point));
        found.deepest = nearest.map(|gap| RADIUS - gap).fold(found.deepest, f64::max);
        if joined {
            let off = (0..5).map(|row| (x[2 * row].distance(x[2 * row + 1]) / SPACING - 1.0).abs());
            found.spacing = off.fold(found.spacing, f64::max);
        }
        found.strain = found.strain.max(scene.strain().worst);
    }
    Ok(Between { contacts: scene.seen.contacts, missed: scene.seen.missed, ..found })
}
