//! `big-sheet`, `any-dt`: sizes, steps and weights the budget was not made for.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::Product;
use crate::pareto::size;
use anyhow::Result;

/// Large sheets.
pub const BIG_SHEET: Measurement = Measurement {
    name: "big-sheet",
    about: "falling sheets of 64², 96² and 128² particles at library settings, 600 frames; the same without bend and tethers, \
            240 frames",
    bar: "64², 96², 128² at default settings: worst ≤ 100 %, late ≤ 5 %; without bend and tethers: finite, energy bounded",
    uses_clock: false,
    run: big_sheet,
};

/// Long steps and heavy gravity.
pub const ANY_DT: Measurement = Measurement {
    name: "any-dt",
    about: "the falling 32×32 sheet at library settings, 300 frames of 0.2 s, and at a thousand times gravity",
    bar: "dt = 0.2 s, and gravity ×1000: finite, worst ≤ 100 %",
    uses_clock: false,
    run: any_dt,
};

/// Energy above the start that counts as bounded, over the energy between horizontal and hanging: a row's residual.
const BOUNDED: f64 = 0.01;

/// Sides of the large sheets.
const SIDES: [usize; 3] = [64, 96, 128];

fn big_sheet(out: &mut Out) -> Result<Verdict> {
    let mut table =
        Table::new(["sheet", "late strain", "worst strain", "bare: finite", "bare: energy over the start"]);
    let mut verdict = Verdict::new();
    // Two threads share the work; each simulation is its own thread's.
    let (sheets, bare) = std::thread::scope(|scope| {
        let bare = scope.spawn(|| SIDES.map(|side| size::unaided(&Product::library(), side)));
        (SIDES.map(|side| size::big(&Product::library(), side)), bare.join())
    });
    let bare = bare.map_err(|_| anyhow::anyhow!("the thread of the bare sheets panicked"))?;
    for ((side, stretch), bare) in SIDES.into_iter().zip(sheets).zip(bare) {
        let (stretch, bare) = (stretch?, bare?);
        let name = format!("{side}²");
        verdict.check(format!("{name}: worst {} %", sci(100.0 * stretch.worst)), stretch.worst <= 1.0);
        verdict.check(format!("late {} %", sci(100.0 * stretch.late)), stretch.late <= 0.05);
        verdict.check(format!("bare {} over", sci(bare.made)), bare.finite && bare.made <= BOUNDED);
        let finite = if bare.finite { "yes" } else { "no" };
        table.row([name, sci(stretch.late), sci(stretch.worst), finite.into(), sci(bare.made)]);
    }
    out.table(&table);
    Ok(verdict)
}

fn any_dt(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["sheet", "late strain", "worst strain"]);
    let mut verdict = Verdict::new();
    let product = Product::library();
    for (name, stretch) in [("0.2 s", size::long_step(&product)?), ("gravity ×1000", size::heavy(&product)?)]
    {
        // An infinite strain is a position that is no number.
        verdict.check(format!("{name}: worst {} %", sci(100.0 * stretch.worst)), stretch.worst <= 1.0);
        table.row([name.into(), sci(stretch.late), sci(stretch.worst)]);
    }
    out.table(&table);
    Ok(verdict)
}
