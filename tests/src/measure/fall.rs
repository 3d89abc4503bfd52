//! `free-fall`: cases R6 and R7, a tilted sheet without pins.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::physics;
use crate::workload::{DT, G, scenes};
use anyhow::Result;

/// Free fall, bare and damped.
pub const FREE_FALL: Measurement = Measurement {
    name: "free-fall",
    about: "a tilted 16×16 sheet of hard rows without pins, one second: velocity, distance from the parabola, sideways drift and spin (R6, R7)",
    bar: "R6, R7: velocity after 1 s within 2.5 % of −9.81 m/s with hard rows, with damping too; drift and spin reported (the next issue bars them)",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "damping (1/s)",
        "velocity (m/s)",
        "off the parabola (m)",
        "sideways drift (m)",
        "sideways velocity (m/s)",
        "spin (rad/s)",
        "worst strain",
    ]);
    let mut verdict = Verdict::new();
    for damping in [0.0, 0.5, 2.0] {
        let sheet = scenes::tilted().damping(damping).build()?;
        let mut memory = sheet.memory();
        let mut run = sheet.start(&mut memory)?;
        let start = physics::motion(&run);
        let mut off = 0.0_f64;
        for _ in 0..60 {
            run.step()?;
            let t = f64::from(run.frame) * f64::from(DT);
            let parabola = start.centre.y - 0.5 * G * t * t;
            off = off.max((physics::motion(&run).centre.y - parabola).abs());
        }
        let end = physics::motion(&run);
        let sideways = |v: glam::DVec3| glam::DVec3::new(v.x, 0.0, v.z).length();
        let spin = end.angular_momentum.length() / end.inertia;
        table.row([
            damping.to_string(),
            format!("{:.4}", end.velocity.y),
            sci(off),
            sci(sideways(end.centre - start.centre)),
            sci(sideways(end.velocity)),
            sci(spin),
            sci(physics::strain(&sheet, &run.positions()).worst),
        ]);
        let miss = (end.velocity.y / -G - 1.0).abs();
        verdict.check(format!("{:.3} m/s at damping {damping}", end.velocity.y), miss <= 0.025);
        if damping <= 0.0 {
            verdict.tell(format!(
                "drift {} m, spin {} rad/s",
                sci(sideways(end.centre - start.centre)),
                sci(spin)
            ));
        }
    }
    out.table(&table);
    out.line(
        "A second of exact fall ends at −9.81 m/s, 4.905 m down. \"Spin\" is angular momentum over Σ m r².",
    );
    Ok(verdict)
}
