//! `broadphase`: what gathering costs a world of many colliders, counted.

use super::absurd::rational;
use super::callgrind::{self, Child, MEASURED};
use super::{Measurement, Out, Table, Verdict};
use crate::narrow::real;
use crate::workload::bodies::Crowd;
use anyhow::Result;
use cloth_host::index::{ColliderIndex, Handle, Query, Scan, Tree};
use cloth_host::pose::{Bounds, Pose};
use std::hint::black_box;

/// The tree against scans.
pub const BROADPHASE: Measurement = Measurement {
    name: "broadphase",
    about: "4,096 colliders that turn and drift, most at up to 2 m/s and every eighth at up to 10 m/s, in 96×8×96 m, and 64 cloths of \
            0.8×1.2×0.8 m among them, ten ticks: instructions of gathering by the tree, by a loop over boxes that somebody else keeps up \
            to date, and by the scan that is the tree's oracle (callgrind); answers at the origin and 10,000 km from it along each axis",
    bar: "gather ≥ 10× cheaper than the cheapest scan; nothing lost at 10,000 km from the origin",
    uses_clock: false,
    run,
};

const BODIES: usize = 4096;
const CLOTHS: usize = 64;

/// What is counted of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// 64 gathers by the tree.
    Tree,
    /// By a loop over boxes as they are.
    Boxes,
    /// By [`Scan`].
    Scan,
    /// The tree is told where 4,096 bodies are.
    TreeMoves,
    /// [`Scan`] is.
    ScanMoves,
}

/// Where counting is switched on.
#[inline(never)]
pub(super) fn measured_frames(work: &mut dyn FnMut()) {
    work();
}

/// A crowd that an index knows.
struct Known<I> {
    crowd: Crowd,
    handles: Vec<Handle>,
    index: I,
}

impl<I: ColliderIndex + Default> Known<I> {
    fn new(origin: [f64; 3]) -> Self {
        let (crowd, mut index) = (Crowd::new(BODIES, CLOTHS, origin), I::default());
        let handles = crowd.bodies.iter().map(|body| index.insert(*body, &[])).collect();
        let mut known = Self { crowd, handles, index };
        // A while, so that leaves are where moving has put them.
        for _ in 0..20 {
            known.drift();
        }
        known
    }

    fn drift(&mut self) {
        self.crowd.drift();
        self.tell();
    }

    fn tell(&mut self) {
        self.index.advance(&[]);
        for (handle, body) in self.handles.iter().zip(&self.crowd.bodies) {
            self.index.set_pose(*handle, body.pose, &[]);
        }
    }

    fn count_gathers(mut self) {
        for _ in 0..MEASURED {
            self.drift();
            measured_frames(&mut || {
                for query in &self.crowd.cloths {
                    black_box(self.index.gather(query, &[], &mut |found| {
                        black_box(found.handle);
                    }));
                }
            });
        }
    }

    fn count_moves(mut self) {
        for _ in 0..MEASURED {
            self.crowd.drift();
            measured_frames(&mut || self.tell());
        }
    }
}

/// Boxes and layers side by side: the least that a scan has to look at.
fn boxes(bodies: &[(Handle, Pose)], index: &Scan) -> Vec<(Handle, [u32; 2], Bounds)> {
    let kept = |(handle, previous): &(Handle, Pose)| {
        let body = index.body(*handle)?;
        let bounds = body.bounds(previous, &[]).grown(f64::from(body.shape.inflation));
        Some((*handle, [body.shape.layer, body.shape.mask], bounds))
    };
    bodies.iter().filter_map(kept).collect()
}

fn count_loop(mut known: Known<Scan>) {
    for _ in 0..MEASURED {
        let before: Vec<(Handle, Pose)> =
            known.handles.iter().copied().zip(known.crowd.bodies.iter().map(|body| body.pose)).collect();
        known.drift();
        let boxes = boxes(&before, &known.index);
        measured_frames(&mut || {
            for Query { bounds, layer, mask, .. } in &known.crowd.cloths {
                let mut found = Vec::new();
                for (handle, [own_layer, own_mask], own) in &boxes {
                    if own_mask & layer != 0 && mask & own_layer != 0 && own.meets(bounds) {
                        found.push(*handle);
                    }
                }
                black_box(found);
            }
        });
    }
}

/// Does what the observed process is there for.
pub fn child(part: Part) {
    const HERE: [f64; 3] = [0.0; 3];
    match part {
        Part::Tree => Known::<Tree>::new(HERE).count_gathers(),
        Part::Boxes => count_loop(Known::new(HERE)),
        Part::Scan => Known::<Scan>::new(HERE).count_gathers(),
        Part::TreeMoves => Known::<Tree>::new(HERE).count_moves(),
        Part::ScanMoves => Known::<Scan>::new(HERE).count_moves(),
    }
}

/// What a query is answered with.
fn answers(index: &impl ColliderIndex, query: &Query) -> (Vec<Handle>, usize) {
    let mut handles = Vec::new();
    let dropped = index.gather(query, &[], &mut |found| handles.push(found.handle));
    (handles, dropped)
}

/// What comparing both indices showed.
#[derive(Default)]
struct Compared {
    asked: usize,
    differ: usize,
    found: usize,
    looked_at: usize,
}

/// Ten ticks of all cloths, and of points on the six faces of all bodies' boxes.
fn compare(origin: [f64; 3]) -> Compared {
    let (mut tree, mut scan) = (Known::<Tree>::new(origin), Known::<Scan>::new(origin));
    let mut all = Compared::default();
    for _ in 0..MEASURED {
        let before: Vec<Pose> = tree.crowd.bodies.iter().map(|body| body.pose).collect();
        tree.drift();
        scan.drift();
        for query in &tree.crowd.cloths {
            let (got, expected) = (answers(&tree.index, query), answers(&scan.index, query));
            all.asked += 1;
            all.differ += usize::from(got != expected);
            all.found += got.0.len();
            all.looked_at += tree.index.looked_at(query, &[]);
        }
        for ((handle, body), previous) in tree.handles.iter().zip(&tree.crowd.bodies).zip(&before) {
            let bounds = body.bounds(previous, &[]).grown(f64::from(body.shape.inflation));
            for axis in 0..3 {
                for side in [bounds.low, bounds.high] {
                    let mut point = [0, 1, 2].map(|axis| 0.5 * bounds.low[axis] + 0.5 * bounds.high[axis]);
                    point[axis] = side[axis];
                    let bounds = Bounds { low: point, high: point };
                    let query = Query { bounds, layer: 1, mask: 1, capacity: BODIES };
                    all.asked += 1;
                    all.differ += usize::from(!answers(&tree.index, &query).0.contains(handle));
                }
            }
        }
    }
    all
}

fn run(out: &mut Out) -> Result<Verdict> {
    let count = |child| callgrind::instructions_of(child, &[]);
    let (tree, boxes, scan) =
        (count(Child::BroadphaseTree)?, count(Child::BroadphaseBoxes)?, count(Child::BroadphaseScan)?);
    let (tree_moves, scan_moves) = (count(Child::BroadphaseTreeMoves)?, count(Child::BroadphaseScanMoves)?);
    let gathers = CLOTHS as u64;
    let mut table =
        Table::new(["by", "instructions a gather", "times the tree's", "4,096 poses a tick, each"]);
    let bodies = BODIES as u64;
    for (name, gather, moves) in [
        ("the tree", tree, Some(tree_moves)),
        ("a loop over boxes", boxes, None),
        ("the oracle's scan", scan, Some(scan_moves)),
    ] {
        table.row([
            name.into(),
            (gather / gathers).to_string(),
            format!("{:.1}", rational(gather, tree)),
            moves.map_or("–".into(), |moves| (moves / bodies).to_string()),
        ]);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    let ratio = rational(boxes.min(scan), tree);
    verdict.check(format!("{ratio:.1}× the instructions of a gather"), ratio >= 10.0);
    const FAR: f64 = 1.0e7;
    for (name, origin) in [("at the origin", [0.0; 3]), ("10,000 km away", [FAR, -FAR, FAR])] {
        let Compared { asked, differ, found, looked_at } = compare(origin);
        let gathers = real(CLOTHS) * f64::from(MEASURED);
        out.line(format!(
            "{name}: {:.1} bodies found by a gather, {:.0} boxes looked at of {BODIES}.",
            real(found) / gathers,
            real(looked_at) / gathers
        ));
        verdict.check(format!("{differ} of {asked} answers otherwise {name}"), differ == 0);
    }
    out.line("");
    Ok(verdict)
}
