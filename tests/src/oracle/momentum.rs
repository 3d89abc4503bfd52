//! Velocity from the rows' forces: the part of a substep's motion that position differences forget.

use super::cloth::{Fields, leash_length};
use super::laws::{self, Span};
use super::net::Net;
use super::{Pass, penalty, vertex};
use cloth_core::Vec3;

/// How far (m) the multipliers at the end of a substep would carry a free particle beyond where the sweeps left it:
/// h² times the acceleration by gravity and by every row, at the present positions, less what the particle did.
///
/// Zero where the sweeps converged. Rows' forces are equal and opposite and those of position differences are not,
/// so a velocity that takes this in loses less of the cloth's momentum.
pub(super) fn unmoved(net: &Net, fields: &Fields, pass: &Pass<'_>, particle: usize) -> Vec3 {
    let numbers = &pass.numbers;
    let ratio = pass.input.constants.penalty_ratio;
    let x = fields.positions[particle];
    let own = fields.inv_masses[particle];
    let mut moved = fields.inertial[particle] - x;
    let mut add = |span: Span, force: f32| moved -= span.direction * force;
    for slot in &net.stretch_of[particle] {
        let row = &net.stretch[slot.row];
        let other = fields.inv_masses[slot.other];
        let span = laws::span(fields.positions[slot.other], x);
        let hard = penalty::hard(ratio, own, other);
        if row.is_hard() {
            add(span, hard * (row.rest - fields.stretch[slot.row]));
        } else {
            let soft = penalty::soft(row.stiffness * numbers.h2, pass.soft_ratio, own, other);
            add(span, soft * (span.length - row.rest));
        }
        if let Some(allowance) = numbers.allowance {
            add(span, hard * (laws::strain_limit(row.rest, allowance) - fields.strain[slot.row]));
        }
    }
    if numbers.skip > 0.0 {
        for slot in &net.skip_of[particle] {
            let span = laws::span(fields.positions[slot.other], x);
            let other = fields.inv_masses[slot.other];
            let k = penalty::soft(numbers.skip, penalty::MAX_BEND_RATIO, own, other);
            add(span, k * (span.length - net.skip[slot.row].rest));
        }
    }
    let tie = &net.ties[particle];
    if let Some(anchor) = fields.tether_anchor(net, particle) {
        add(laws::span(anchor, x), ratio * (tie.geodesic - fields.tether[particle]));
    }
    if let Some(length) = leash_length(net, numbers.slack, particle) {
        add(laws::span(fields.targets[particle], x), ratio * (length - fields.leash[particle]));
    }
    if numbers.bend > 0.0 {
        for slot in &net.hinges_of[particle] {
            let row = &net.hinges[slot.row];
            let law = laws::curvature(row, &vertex::corners(row.p, fields));
            let k = penalty::bend(numbers.bend, row.inertia, row.scale) * own;
            moved -= law.excess * (k * row.c[slot.corner]);
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use crate::oracle::{Improvements, VertexRun};
    use crate::physics::finite;
    use crate::workload::{mean, scenes};

    /// A sheet without pins and weight, one edge of which is thrown: speed of its centre after a while, over what it
    /// was at the start.
    fn thrown(from_forces: f32) -> anyhow::Result<f64> {
        let mut spec = scenes::tilted();
        spec.gravity = cloth_core::Vec3::ZERO;
        let workload = spec.build()?;
        let mut run = VertexRun::new(&workload).improved(Improvements { from_forces, aggregates: false });
        for vertex in 0..16 {
            run.cloth.place(vertex, run.cloth.position(vertex), cloth_core::Vec3::new(0.0, 1.6, 0.0));
        }
        run.steps(20);
        let velocities = run.velocities();
        anyhow::ensure!(finite(&velocities));
        Ok(mean(velocities.iter().map(|v| v.y)) / 0.1)
    }

    #[test]
    fn forces_keep_the_momentum_that_position_differences_lose() -> anyhow::Result<()> {
        let (differences, forces) = (thrown(0.0)?, thrown(1.0)?);
        assert!((forces - 1.0).abs() < 1e-4, "{forces} of its momentum");
        assert!((differences - 1.0).abs() > 0.02, "{differences} of its momentum");
        Ok(())
    }

    /// The most energy a falling sheet has above its start (J), by sweeps a substep.
    fn made(iterations: u32) -> anyhow::Result<f64> {
        let workload = scenes::sheet(16).budget(3, iterations).build()?;
        let mut run = VertexRun::new(&workload).improved(Improvements { from_forces: 1.0, aggregates: true });
        let start = run.energy().total();
        let mut most = 0.0_f64;
        for _ in 0..120 {
            run.step();
            most = most.max(run.energy().total() - start);
        }
        Ok(most)
    }

    #[test]
    fn all_from_forces_makes_no_energy_with_three_sweeps_but_does_with_one() -> anyhow::Result<()> {
        let (three, one) = (made(3)?, made(1)?);
        assert!(three <= 0.0 && one > 0.1, "{three} J and {one} J");
        Ok(())
    }
}
