//! What lift does to a flag: `flutter`.

use super::{Measurement, Out, Table, Verdict};
use crate::narrow::{real, to_f32};
use crate::workload::{Spec, wind};
use anyhow::{Context as _, Result};
use cloth_core::{Air, ClothDynamics, StepInput, Vec3};

/// A flag in steady wind.
pub const FLUTTER: Measurement = Measurement {
    name: "flutter",
    about: "a flag of silk of 1.5 by 1 m in steady wind along it, 15 s of it, the first five left out: how fast its fly edge moves across \
            (mean over the edge, root mean square), how often it changes sides, and when 0.15 m downwind do what columns did; a \
            rope in the same wind",
    bar: "with lift: not decaying, ≥ 5 times what it does without, waves downwind and slower than the wind; a rope: lift changes no bit",
    uses_clock: false,
    run: flutter,
};

/// Particles along the flag and down it.
const COLUMNS: usize = 31;
const ROWS: usize = 21;
/// Length of the flag (m).
const LENGTH: f64 = 1.5;
/// Where waves are looked at: columns, 0.15 m apart.
const STATIONS: [usize; 7] = [12, 15, 18, 21, 24, 27, 30];
const APART: f64 = 0.15;
/// Frames of a second, of the run, and of what is left out.
const SECOND: usize = 60;
const FRAMES: usize = 15 * SECOND;
const BEFORE: usize = 5 * SECOND;
/// How fast the columns of a flag move across the wind, on average over each, frame by frame (m/s).
struct Motion {
    stations: Vec<Vec<f64>>,
    edge: Vec<f64>,
}

/// A flag in wind, and where its middle row is in the last frame: places along the wind and across (m).
fn flown(speed: f64, lift: f32) -> Result<(Motion, Vec<[f64; 2]>)> {
    let workload = wind::flag(COLUMNS, ROWS, lift).build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let input = StepInput { air: Air::Uniform(wind::past_flag(speed)), ..workload.input() };
    let mut motion = Motion { stations: vec![Vec::new(); STATIONS.len()], edge: Vec::new() };
    for frame in 0..FRAMES {
        run.step_with(&input)?;
        if frame < BEFORE {
            continue;
        }
        let velocities: Vec<Vec3> = run.state.velocities().collect();
        let across = |column: usize| {
            let rows = velocities.chunks(COLUMNS).filter_map(|row| row.get(column));
            rows.map(|v| f64::from(v.z)).sum::<f64>() / real(ROWS)
        };
        for (station, column) in motion.stations.iter_mut().zip(STATIONS) {
            station.push(across(column));
        }
        motion.edge.push(across(COLUMNS - 1));
    }
    let positions = run.positions();
    let row = positions.chunks(COLUMNS).nth(ROWS / 2).context("there is a middle row")?;
    Ok((motion, row.iter().map(|p| [p.x, p.z]).collect()))
}

fn rms(values: &[f64]) -> f64 {
    (values.iter().map(|v| v * v).sum::<f64>() / real(values.len())).sqrt()
}

/// How often a signal goes to and fro (1/s): half as often as it changes its sign.
fn frequency(values: &[f64]) -> f64 {
    let changes = values.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count();
    0.5 * real(changes) * real(SECOND) / real(values.len())
}

/// After how many frames what stations did is likest to what those downwind of each do, negative where they do it before, and how like
/// it is (1). Within half a period: a wave is as like after any whole one.
fn lag(stations: &[Vec<f64>], period: f64) -> (f64, f64) {
    let like = |frames: usize, upwind: bool| {
        let mut product = 0.0;
        for pair in stations.windows(2) {
            let (from, to) = if upwind { (&pair[1], &pair[0]) } else { (&pair[0], &pair[1]) };
            let to = &to[frames..];
            let sum: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
            product += sum / (rms(&from[..to.len()]) * rms(to) * real(to.len())).max(1e-12);
        }
        product / real(stations.len() - 1)
    };
    let near = (0..SECOND).take_while(|frames| real(*frames) <= 0.5 * period);
    let both =
        near.flat_map(|frames| [(real(frames), like(frames, false)), (-real(frames), like(frames, true))]);
    both.fold((0.0, -1.0), |best, one| if one.1 > best.1 { one } else { best })
}

fn flutter(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new([
        "wind (m/s)",
        "lift",
        "edge, 5–10 s (m/s)",
        "10–15 s",
        "frequency (1/s)",
        "f·L/U",
        "likest after (s)",
        "likeness",
        "wave over wind",
    ]);
    let (mut least, mut decay, mut slowest, mut fastest) =
        (f64::INFINITY, f64::INFINITY, f64::INFINITY, 0.0_f64);
    let mut likeness = f64::INFINITY;
    let mut shape = Vec::new();
    for speed in [2.0, 4.0, 6.0, 8.0, 10.0, 12.0] {
        let mut residue = 0.0;
        for lift in [0.0, 0.5, 1.0] {
            let (motion, row) = flown(speed, lift)?;
            let (early, late) = motion.edge.split_at(motion.edge.len() / 2);
            let (early, late) = (rms(early), rms(late));
            let often = frequency(&motion.edge);
            let (frames, like) = lag(&motion.stations, real(SECOND) / often);
            let wave = APART * real(SECOND) / frames / speed;
            if lift <= 0.0 {
                residue = late;
            } else if lift >= 1.0 {
                (least, decay) = (least.min(late / residue), decay.min(late / early));
                (slowest, fastest) = (slowest.min(wave), fastest.max(wave));
                likeness = likeness.min(like);
                if speed == 8.0 {
                    shape = row;
                }
            }
            table.row([
                format!("{speed}"),
                format!("{lift}"),
                format!("{early:.3}"),
                format!("{late:.3}"),
                format!("{often:.2}"),
                format!("{:.2}", often * LENGTH / speed),
                format!("{:.3}", frames / real(SECOND)),
                format!("{like:.2}"),
                format!("{wave:.2}"),
            ]);
        }
    }
    out.table(&table);
    let mut profile = Table::new(["along the wind (m)", "across (m)"]);
    for [x, z] in shape.iter().step_by(3) {
        profile.row([format!("{x:.3}"), format!("{z:+.3}")]);
    }
    out.line("The middle row at 8 m/s with lift, in the last frame:\n");
    out.table(&profile);
    verdict.check(format!("{least:.1} times what it does without lift at least"), least >= 5.0);
    verdict.check(format!("{decay:.2} of it there five seconds later at least"), decay >= 0.5);
    verdict.check(
        format!("waves downwind at {slowest:.2} to {fastest:.2} of the wind, alike to {likeness:.2}"),
        slowest > 0.1 && fastest < 1.0 && likeness > 0.3,
    );
    let streamer = |lift: f32| -> Result<(u64, f64)> {
        let rope = wind::rope(20);
        let shape = rope.shape.moved(|p| glam::DVec3::new(-p.y, 0.0, 0.0));
        let dynamics = ClothDynamics { lift, ..rope.dynamics };
        let workload = Spec { shape, dynamics, ..rope }.build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        let input = StepInput { air: Air::Uniform(wind::past_flag(8.0)), ..workload.input() };
        let mut tip = Vec::new();
        for _ in 0..FRAMES {
            run.step_with(&input)?;
            tip.push(f64::from(run.state.velocity(20).unwrap_or_default().z));
        }
        Ok((run.state.fingerprint().0, rms(&tip[BEFORE..])))
    };
    let ((none, still), (lifted, _)) = (streamer(0.0)?, streamer(to_f32(1.0))?);
    verdict.check("a rope: the same bits with lift", none == lifted);
    verdict.tell(format!("its tip {still:.3} m/s across at 8 m/s"));
    Ok(verdict)
}
