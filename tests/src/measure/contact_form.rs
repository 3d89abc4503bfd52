//! `contact-form`: the simplest contact with fixed colliders, friction, and soft rows, in the solvers of these tests.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::candidates::Pairwise;
use crate::narrow::to_f32;
use crate::pareto::{Candidate, VertexSolver, soft, sphere};
use crate::workload::motion::library_settings;
use crate::workload::{Collider, Shape, Spec, Surface};
use anyhow::Result;
use glam::DVec3;

/// How contact holds, and what a soft row reads.
pub const CONTACT_FORM: Measurement = Measurement {
    name: "contact-form",
    about: "position-level contact and friction after the rows: a patch on a tilted plane for ten seconds, the slope it slips on, a sheet on a sphere; soft rows at rest",
    bar: "the winner's sibling: depth ≤ 1e-6 m, drift ≤ 1e-6 m in 10 s, slips within 0.5 % of tan θ = μ, speed of sliding within 0.5 % of (sin θ − μ·cos θ)·g·t, soft rows within 1e-4 of Hooke, the sheet on the sphere stays with ≤ 1e-6 J",
    uses_clock: false,
    run,
};

/// Coefficient of friction.
const FRICTION: f64 = 0.5;

/// A patch of 8×8 particles of cotton's bend, on a plane through the origin.
struct Patch {
    /// Direction straight up the plane.
    up: DVec3,
    normal: DVec3,
    spec: Spec,
}

impl Patch {
    /// On a plane that rises by `slope` per metre.
    fn new(slope: f64) -> Self {
        let up = DVec3::new(0.0, slope, 1.0).normalize();
        let normal = DVec3::new(0.0, 1.0, -slope).normalize();
        let shape = Shape::grid(8, 8, 0.02).moved(|p| DVec3::X * p.x + up * p.z + normal * p.y);
        Self { up, normal, spec: library_settings(Spec::new(shape, 5e-4), 0.0) }
    }

    /// What the patch does in so many frames.
    fn slide(&self, candidate: &dyn Candidate, frames: u32) -> Result<Slide> {
        let workload = candidate.prepare(self.spec.clone()).build()?;
        let mut memory = Vec::new();
        let mut simulation = candidate.start(&workload, &mut memory)?;
        // Through the lowest particle, so that rounding of the rest pose leaves none below the plane.
        let heights = workload.rest.iter().map(|x| self.normal.dot(*x));
        let offset = heights.fold(f64::INFINITY, f64::min);
        let surface = Surface::Plane { normal: self.normal, offset };
        anyhow::ensure!(simulation.add_collider(Collider { surface, friction: FRICTION })?, "no colliders");
        let mut slide = Slide::default();
        for _ in 0..frames {
            simulation.step(&[])?;
            for (x, start) in simulation.positions().iter().zip(&workload.rest) {
                slide.depth = slide.depth.max(offset - self.normal.dot(*x));
                slide.drift = slide.drift.max(x.distance(*start));
            }
        }
        let speeds = simulation.velocities().into_iter().map(|v| -self.up.dot(v));
        slide.speed = crate::workload::mean(speeds);
        Ok(slide)
    }
}

/// How a patch went down.
#[derive(Clone, Copy, Debug, Default)]
struct Slide {
    /// Deepest below the plane (m).
    depth: f64,
    /// Farthest a particle went (m).
    drift: f64,
    /// Mean speed down the plane at the end (m/s).
    speed: f64,
}

/// The slope from which on a patch slips, over μ.
fn slip(candidate: &dyn Candidate) -> Result<f64> {
    let (mut sticks, mut slips) = (0.9, 1.1);
    for _ in 0..9 {
        let middle = 0.5 * (sticks + slips);
        if Patch::new(middle * FRICTION).slide(candidate, 120)?.drift > 1e-4 {
            slips = middle;
        } else {
            sticks = middle;
        }
    }
    Ok(0.5 * (sticks + slips))
}

/// Speed after a second on a slope of 2μ, over that of a block.
fn sliding(candidate: &dyn Candidate) -> Result<f64> {
    let slope = 2.0 * FRICTION;
    let angle = slope.atan();
    let block = (angle.sin() - FRICTION * angle.cos()) * crate::workload::G;
    Ok(Patch::new(slope).slide(candidate, 60)?.speed / block)
}

/// The extension of a soft row under a weight over Hooke's.
fn hooke(candidate: &dyn Candidate) -> Result<f64> {
    let (mass, stiffness) = (0.05, 1000.0);
    let hung = Spec {
        pins: vec![0],
        stiffness: to_f32(stiffness),
        ..Spec::new(Shape::strands(1, 1, 0.1, DVec3::NEG_Y), mass)
    };
    let film = crate::pareto::Film::shoot(candidate, library_settings(hung, 4.0), 600)?;
    let (rest, last) = (&film.workload.rest, &film.poses[film.poses.len() - 1]);
    let extension = last[0].distance(last[1]) - rest[0].distance(rest[1]);
    Ok(extension * stiffness / (f64::from(to_f32(mass)) * crate::workload::G))
}

fn run(out: &mut Out) -> Result<Verdict> {
    let [_, vertex] = VertexSolver::both();
    let solvers: [Box<dyn Candidate>; 2] = [Box::new(Pairwise::winner()), Box::new(vertex)];
    let mut table = Table::new([
        "solver",
        "depth (m)",
        "drift in 10 s (m)",
        "slips at tan θ/μ",
        "sliding: speed of a block's",
        "one soft row: of Hooke's",
        "ten: off Hooke",
        "on the sphere: depth (m)",
        "energy (J)",
        "stays",
    ]);
    let mut verdict = Verdict::new();
    for (index, solver) in solvers.iter().enumerate() {
        let still = Patch::new(0.8 * FRICTION).slide(&**solver, 600)?;
        let (slip, sliding) = (slip(&**solver)?, sliding(&**solver)?);
        let (one, ten) = (hooke(&**solver)?, soft::hooke(&**solver)?);
        let Some(landing) = sphere::landing(&**solver)? else { anyhow::bail!("no colliders") };
        table.row([
            solver.name(),
            sci(still.depth),
            sci(still.drift),
            format!("{slip:.4}"),
            format!("{sliding:.4}"),
            format!("{one:.6}"),
            sci(ten),
            sci(landing.depth),
            sci(landing.kinetic),
            if landing.stays { "yes".into() } else { "no".to_owned() },
        ]);
        if index == 0 {
            let deepest = still.depth.max(landing.depth);
            verdict.check(format!("depth {} m", sci(deepest)), deepest <= 1e-6);
            verdict.check(format!("drift {} m", sci(still.drift)), still.drift <= 1e-6);
            verdict.check(format!("slips at {slip:.4}"), (slip - 1.0).abs() <= 5e-3);
            verdict.check(format!("slides at {sliding:.4}"), (sliding - 1.0).abs() <= 5e-3);
            let off = (one - 1.0).abs().max(ten);
            verdict.check(format!("{} off Hooke", sci(off)), off <= 1e-4);
            verdict.check(
                format!("{} J on the sphere", sci(landing.kinetic)),
                landing.stays && landing.kinetic <= 1e-6,
            );
        }
    }
    out.table(&table);
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_sticks_below_the_angle_of_friction_and_slides_as_a_block_above() {
        let winner = Pairwise::winner();
        let still = Patch::new(0.99 * FRICTION).slide(&winner, 120).unwrap();
        assert!(still.depth < 1e-9 && still.drift < 1e-6, "{still:?}");
        assert!(Patch::new(1.01 * FRICTION).slide(&winner, 120).unwrap().drift > 1e-3);
        let sliding = sliding(&winner).unwrap();
        assert!((sliding - 1.0).abs() < 5e-3, "{sliding}");
    }
}
