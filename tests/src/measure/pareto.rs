//! `pareto`: every candidate on every scene of the experiment bench.

use super::callgrind::candidate_instructions;
use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::pendulum::PERIOD;
use crate::pareto::{
    Candidate, candidates, endurance, fall, momentum, pendulum, rest, runner, size, skirt, soft, sphere,
};
use crate::workload::scenes;
use anyhow::Result;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The whole table.
pub const PARETO: Measurement = Measurement {
    name: "pareto",
    about: "every candidate at its budget on every scene: cost, motion, strain, momentum, rest, endurance",
    bar: "no candidate is cheaper than the product and at once no worse in hem error, energy lost, late strain and worst strain at rest",
    uses_clock: false,
    run,
};

/// What one candidate showed, in the order of the table.
struct Card {
    name: String,
    cells: Vec<(&'static str, String)>,
    notes: Vec<String>,
    /// Instructions, hem error, energy lost, late strain, worst strain at rest; all the less the better.
    merits: Option<[f64; 5]>,
}

impl Card {
    /// Fills in the figures of a scene, or dashes with a note where the candidate could not run it.
    fn add<const N: usize>(&mut self, labels: [&'static str; N], found: Result<[String; N]>) {
        let figures = found.unwrap_or_else(|error| {
            self.notes.push(format!("{}, {}: {error:#}", self.name, labels[0]));
            std::array::from_fn(|_| "–".to_owned())
        });
        self.cells.extend(labels.into_iter().zip(figures));
    }
}

fn percent(share: f64) -> String {
    format!("{} %", sci(100.0 * share))
}

fn millimetres(length: f64) -> String {
    format!("{:.1}", 1e3 * length)
}

fn card(candidate: &dyn Candidate) -> Card {
    let mut card = Card { name: candidate.name(), cells: Vec::new(), notes: Vec::new(), merits: None };
    let instructions = candidate_instructions(candidate);
    let millions = |count: &u64| super::absurd::rational(*count, 1_000_000);
    let cost = instructions.as_ref().map(millions).ok();
    card.add(["instructions a frame (M)"], instructions.map(|count| [format!("{:.2}", millions(&count))]));
    let sheet = fall::sheet(candidate);
    let sheet_rest = rest::sheet(candidate);
    if let (Some(cost), Ok(fall), Ok(rest)) = (cost, &sheet, &sheet_rest) {
        card.merits = Some([cost, fall.hem, fall.lost, fall.late, rest.worst]);
    }
    motion(&mut card, candidate, sheet);
    still(&mut card, candidate, sheet_rest);
    harsh(&mut card, candidate);
    card
}

/// The scenes about motion.
fn motion(card: &mut Card, candidate: &dyn Candidate, sheet: Result<fall::Fall>) {
    let lag = |fall: &fall::Fall| fall.lag.map_or("–".into(), |lag| format!("{lag:+.2}"));
    card.add(
        ["sheet: hem (mm)", "lag (frames)", "lost at 1 s", "peak over start", "late strain", "worst strain"],
        sheet.map(|f| {
            [millimetres(f.hem), lag(&f), percent(f.lost), percent(f.peak), percent(f.late), percent(f.worst)]
        }),
    );
    let short =
        |fall: fall::Fall| [millimetres(fall.hem), lag(&fall), percent(fall.peak), percent(fall.worst)];
    card.add(
        ["heavy hem: hem (mm)", "heavy hem: lag", "heavy hem: peak", "heavy hem: worst strain"],
        fall::heavy_hem(candidate).map(short),
    );
    card.add(
        ["chain: tip (mm)", "chain: lag", "chain: peak", "chain: worst strain"],
        fall::chain(candidate).map(short),
    );
    card.add(
        ["random triangles: hem (mm)", "random: lag", "random: peak", "random: worst strain"],
        fall::irregular(candidate).map(short),
    );
    card.add(
        ["skirt: hem (mm)"],
        skirt::hem_error(candidate, scenes::skirt).map(|error| [millimetres(error)]),
    );
    let swing = |tethers| {
        pendulum::small(candidate, tethers).map(|s| {
            [format!("{:+.2} %", 100.0 * (s.period / PERIOD - 1.0)), format!("{:.2} %", 100.0 * s.loss)]
        })
    };
    card.add(["5° pendulum: period off", "loss a period"], swing(false));
    card.add(["with tethers: period off", "with tethers: loss"], swing(true));
    card.add(
        ["runner: peak off", "runner: lag"],
        runner::cape(candidate)
            .map(|c| [format!("{:+.1} %", 100.0 * (c.peak / c.exact - 1.0)), format!("{:+.2}", c.lag)]),
    );
    card.add(
        ["free fall (m/s)", "fall: drift (m)", "fall: spin (rad/s)"],
        momentum::free_fall(candidate).map(|f| [format!("{:.4}", f.velocity), sci(f.drift), sci(f.spin)]),
    );
    for (label, normal) in [("turning about normal: kept", true), ("turning aside: kept", false)] {
        card.add([label], momentum::rotation(candidate, normal).map(|kept| [percent(kept)]));
    }
    card.add(
        ["flag let go: off (m/s)", "flag: angular momentum kept"],
        momentum::flag(candidate).map(|f| [sci(f.off), percent(f.kept)]),
    );
}

fn settled(frame: Option<u32>) -> String {
    frame.map_or("never".into(), |frame| frame.to_string())
}

/// The scenes about rest.
fn still(card: &mut Card, candidate: &dyn Candidate, sheet: Result<rest::Rest>) {
    let figures = |rest: rest::Rest| {
        [percent(rest.mean), percent(rest.worst), sci(rest.kinetic), settled(rest.settled)]
    };
    card.add(["rest: mean strain", "rest: worst", "rest: energy (J)", "rest: asleep at"], sheet.map(figures));
    let corner = rest::corner(candidate);
    let spin = corner.as_ref().map_or_else(|_| "–".into(), |rest| sci(rest.spin));
    card.add(
        ["corner: mean strain", "corner: worst", "corner: energy (J)", "corner: asleep at"],
        corner.map(figures),
    );
    card.add(["corner: spin (rad/s)"], Ok([spin]));
    card.add(["soft rows: off Hooke"], soft::hooke(candidate).map(|off| [percent(off)]));
    card.add(["soft chain: tip (mm)"], soft::swing(candidate).map(|error| [millimetres(error)]));
    card.add(["rope off catenary, of length"], rest::rope(candidate).map(|off| [percent(off)]));
}

/// The scenes nothing was made for.
fn harsh(card: &mut Card, candidate: &dyn Candidate) {
    let stretch = |found: Result<crate::pareto::Stretch>| found.map(|s| [percent(s.late), percent(s.worst)]);
    card.add(["64²: late", "64²: worst"], stretch(size::big(candidate, 64)));
    card.add(["0.2 s: late", "0.2 s: worst"], stretch(size::long_step(candidate)));
    card.add(["1000 g: late", "1000 g: worst"], stretch(size::heavy(candidate)));
    card.add(
        ["64² bare: energy over start"],
        size::unaided(candidate, 64).map(|u| [if u.finite { sci(u.made) } else { "not finite".into() }]),
    );
    let survival = |found: Result<endurance::Survival>| found.map(|s| [format!("{}/{}", s.survived, s.of)]);
    card.add(["hostile regimes"], survival(endurance::survives_hostile(candidate)));
    card.add(["absurd cloths"], survival(endurance::survives_absurd(candidate)));
    card.add(
        [
            "sphere: depth (mm)",
            "sphere: worst strain",
            "sphere: energy (J)",
            "sphere: asleep at",
            "sphere: stays",
        ],
        sphere::landing(candidate).map(|landing| {
            let Some(landing) = landing else { return std::array::from_fn(|_| "no colliders".into()) };
            [
                millimetres(landing.depth),
                percent(landing.stretch.worst),
                sci(landing.kinetic),
                settled(landing.settled),
                if landing.stays { "yes".into() } else { "no".into() },
            ]
        }),
    );
}

fn run(out: &mut Out) -> Result<Verdict> {
    let candidates = candidates();
    // Two threads take one after the other; each of its simulations is its own thread's.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(candidate) = candidates.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(card(&**candidate));
        }
        done
    };
    let (mut cards, others) = std::thread::scope(|scope| {
        let others = scope.spawn(work);
        (work(), others.join())
    });
    cards.extend(others.map_err(|_| anyhow::anyhow!("a thread panicked"))?);
    cards.sort_by_key(|card| candidates.iter().position(|candidate| candidate.name() == card.name));
    let mut table =
        Table::of(std::iter::once("".to_owned()).chain(cards.iter().map(|card| card.name.clone())).collect());
    for (row, &(label, _)) in cards[0].cells.iter().enumerate() {
        table
            .row(std::iter::once(label.to_owned()).chain(cards.iter().map(|card| card.cells[row].1.clone())));
    }
    out.line("Instructions of all candidates but the product are those of scalar code.\n");
    out.table(&table);
    for note in cards.iter().flat_map(|card| &card.notes) {
        out.line(note);
    }
    let mut verdict = Verdict::new();
    verdict.tell(format!("{} candidates, {} figures each", cards.len(), cards[0].cells.len()));
    let product = cards[0].merits;
    let better = |card: &&Card| match (card.merits, product) {
        (Some(other), Some(product)) => other.iter().zip(&product).all(|(other, ours)| other <= ours),
        _ => false,
    };
    for card in cards[1..].iter().filter(better) {
        verdict.check(format!("{} is better at once", card.name), false);
    }
    verdict.check("the product's figures are whole", product.is_some());
    Ok(verdict)
}
