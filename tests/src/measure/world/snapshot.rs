//! `snapshot`: what going back costs.

use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::{Context as _, Result};
use cloth_core::{SavedState, library};
use cloth_host::import::Surface;
use cloth_host::scene::{Body, Grid, Shape};
use cloth_host::world::{Cloth, ClothMesh, MeshSource, Snapshot, Transform, World};
use std::hint::black_box;
use std::time::Instant;

/// Bytes and time.
pub const SNAPSHOT: Measurement = Measurement {
    name: "snapshot",
    about: "a hung sheet of 32×32 vertices in a world, after 120 ticks: bytes a particle; and saving and going back, of the world and of the \
            state alone, over two copies of as many bytes, out and in (minima of 200 rounds that take turns, of 16 each)",
    bar: "1,024-particle cloth: snapshot + restore ≤ 2 × memcpy of the same bytes; ≤ 48 bytes a particle plus contacts",
    uses_clock: true,
    run,
};

const CELLS: u32 = 31;
const ROUNDS: u32 = 200;
const EACH: u32 = 16;

/// Bytes a particle may take up.
const MOST: f64 = 48.0;

fn run(out: &mut Out) -> Result<Verdict> {
    let Shape { body, edges } = Grid { width: 1.0, height: 1.0, columns: CELLS, rows: CELLS }.cape(1.5);
    let Body::Surface(Surface { positions, triangles, .. }) = body else {
        anyhow::bail!("a cape is a surface")
    };
    let (_, pins) = edges.into_iter().find(|(name, _)| *name == "top").context("it has a top")?;
    let mesh = ClothMesh::new(MeshSource { positions, triangles, pins, weld: None });
    let mut world = World::new();
    let anchor = world.spawn((Transform::at([0.0, 1.5, 0.0]), Cloth::of(library::COTTON), mesh));
    for _ in 0..120 {
        world.tick()?;
    }
    let mut snapshot = Snapshot::new();
    world.snapshot(&mut snapshot);
    let size = *snapshot.sizes().first().context("it has a cloth")?;
    let count = f64::from(size.particles);

    let mut table = Table::new(["what", "bytes", "a particle"]);
    let mut row = |what: &str, bytes: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let each = bytes as f64 / count;
        table.row([what.into(), bytes.to_string(), format!("{each:.1}")]);
        each
    };
    let state = world.state(anchor).context("it has a cloth")?;
    let head = state.model().header();
    let nodes = head.particle_nodes() as usize;
    let (rows, lanes) = (4 * head.stretch as usize, 4 * head.tensions());
    let arrays = [
        ("positions", 12 * nodes),
        ("beside them inverse masses, 0 of who is held: a bit, as the model has the masses", 4 * nodes),
        ("velocities", 12 * nodes),
        ("beside them zeros", 4 * nodes),
        ("targets", 12 * nodes),
        ("beside them zeros", 4 * nodes),
        ("where the sleep window opened", 12 * nodes),
        ("beside it what the escape hatch counts, zeros of a cloth that has no trouble", 4 * nodes),
        ("tensions of the stretch rows, those of inert lanes among them", lanes),
    ];
    for (what, bytes) in arrays {
        row(what, bytes);
    }
    row("the header", size.state - arrays.iter().map(|(_, bytes)| bytes).sum::<usize>());
    let each = row("the state", size.state);
    let particles = size.particles as usize;
    row(
        "what no other array has: four vectors of twelve, a bit, a tension a row",
        48 * particles + particles / 8 + rows,
    );
    row("beside it: what is shown, now and before, the anchor, diagnostics", size.beside);
    row("the world", snapshot.size());
    out.table(&table);

    let mut saved = SavedState::new();
    let copy = |bytes: usize| (vec![1_u32; bytes / 4], vec![2_u32; bytes / 4]);
    let ((mut a, mut b), (mut c, mut d)) = (copy(snapshot.size()), copy(size.state));
    let mut least = [f64::INFINITY; 6];
    for _ in 0..ROUNDS {
        let mut time = |which: usize, work: &mut dyn FnMut()| {
            let begun = Instant::now();
            (0..EACH).for_each(|_| work());
            let took = begun.elapsed().as_secs_f64() * 1e6 / f64::from(EACH);
            least[which] = least[which].min(took);
        };
        time(0, &mut || world.snapshot(black_box(&mut snapshot)));
        time(1, &mut || drop(black_box(world.restore(&snapshot))));
        time(2, &mut || {
            black_box(&mut b).copy_from_slice(black_box(&a));
            black_box(&mut a).copy_from_slice(black_box(&b));
        });
        time(3, &mut || {
            if let Some(state) = world.state(anchor) {
                state.save(black_box(&mut saved));
            }
        });
        time(4, &mut || drop(black_box(world.with_state(anchor, |state| state.load(&saved)))));
        time(5, &mut || {
            black_box(&mut d).copy_from_slice(black_box(&c));
            black_box(&mut c).copy_from_slice(black_box(&d));
        });
    }
    let [save, back, copies, state_save, state_back, state_copies] = least;
    let mut table = Table::new(["µs", "out", "in", "two copies", "ratio"]);
    let mut row = |what: &str, [out, back, copies]: [f64; 3]| {
        let ratio = (out + back) / copies;
        let micro = |x: f64| format!("{x:.2}");
        table.row([what.into(), micro(out), micro(back), micro(copies), micro(ratio)]);
        ratio
    };
    let whole = row("the world", [save, back, copies]);
    let alone = row("the state", [state_save, state_back, state_copies]);
    out.table(&table);

    let mut verdict = Verdict::new();
    verdict.check(format!("world {whole:.2}× two copies, state {alone:.2}×"), whole <= 2.0);
    // Sixteen bytes a vector, because steps read them as such.
    verdict.short(format!("{each:.1} bytes a particle"), each <= MOST, each <= 77.0);
    Ok(verdict)
}
