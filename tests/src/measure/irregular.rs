//! `irregular`: meshes that are no grid, against the grid.

use super::{Measurement, Out, Table, Verdict, rest, sci, swing};
use crate::pareto::{Product, fall, skirt};
use anyhow::Result;

/// Random triangles and a garment.
pub const IRREGULAR: Measurement = Measurement {
    name: "irregular",
    about: "the falling sheet of 1,024 particles in random triangles against the exact chain, the skirt with its waist driven \
            ±0.15 m at 1 Hz against itself at 64 substeps, and both at rest, over what the grid has",
    bar: "random triangulation (against the exact chain) and the skirt (against our own 64-substep run): hem error and rest within 2× of the grid's",
    uses_clock: false,
    run,
};

/// Times the grid's figure that is allowed.
const TIMES: f64 = 2.0;

fn run(out: &mut Out) -> Result<Verdict> {
    let product = Product::library();
    let (grid, grid_rest) = (swing::sheet()?, rest::sheet()?);
    let random = (fall::irregular(&product)?.hem, crate::pareto::rest::irregular(&product)?);
    let garment = (skirt::hem_error(&product)?, crate::pareto::rest::skirt(&product)?);
    let mut table = Table::new(["mesh", "hem rms (mm)", "mean strain at rest", "worst strain at rest"]);
    let mut row = |name: &str, hem: f64, rest: &crate::pareto::rest::Rest| {
        table.row([name.into(), format!("{:.1}", 1e3 * hem), sci(rest.mean), sci(rest.worst)]);
    };
    row("grid", grid.hem, &grid_rest);
    row("random triangles", random.0, &random.1);
    row("skirt", garment.0, &garment.1);
    out.table(&table);
    let mut verdict = Verdict::new();
    for (name, (hem, rest)) in [("random", random), ("skirt", garment)] {
        let hem = hem / grid.hem;
        let [mean, worst] = [rest.mean / grid_rest.mean, rest.worst / grid_rest.worst];
        // The skirt is a shell: what it is compressed no bound carries, and 64 substeps are not its limit either.
        let known = name == "skirt";
        verdict.short(format!("{name}: hem {hem:.2}×"), hem <= TIMES, known && hem <= 25.0);
        verdict.short(format!("mean at rest {mean:.2}×"), mean <= TIMES, known && mean <= 120.0);
        verdict.short(format!("worst at rest {worst:.2}×"), worst <= TIMES, known && worst <= 500.0);
    }
    Ok(verdict)
}
