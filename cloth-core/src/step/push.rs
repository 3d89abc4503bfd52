//! Force of merged bend rows and of tensions, over mass.
//!
//! Both are sums over neighbours, a_i = w_i·Σ_j (B·q_ij + T_ij)·(x_j − x_i), with q_ij = q_ji from the model and T the
//! tension of the row between i and j over its length (N/m): central forces between pairs, which keep both momenta.
//!
//! The sum is formed at the positions that the cloth will have, going straight on, in the middle of the time the force is
//! then held for. For a spring of angular frequency ω held over H that is neither damped nor driven while ω·H < 2
//! (the transition matrix has determinant 1); a flat stencil of stiffness limited to [`MAX_BEND`] stays below that.

use super::predict::store;
use super::{PUSH_SPAN, Pass};
use crate::math::real;
use crate::model::Model;
use crate::model::record::LANES;
use crate::row::pull::{Vec3x8, difference, plus};
use crate::simd::{Cut, Floats as _, Groups, Kernel, Lanes, Mask as _, cut, cut_mut};
use crate::state::State;
use crate::state::layout::{Record, Vectors};

/// Largest stiffness of a merged bend row over its own inertia and the square of the time it is held for. A particle is in
/// about twelve hinges, which act together: ω²·H² stays near 3, below the 4 up to which it is stable.
const MAX_BEND: f32 = 0.25;

/// Notes what the tensions and the merged bend rows do in every slot.
///
/// Once a step where tensions only leak, before every push where they grow: read a step late they ring.
#[inline(never)]
pub(super) fn begin(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    pass.run(Factors {
        rows: model.link_rows(),
        bends: model.link_bend(),
        tensions: fields.tensions,
        factors: fields.factors.as_chunks_mut::<LANES>().0,
        bend: bend(&model, pass),
    });
}

/// Bend stiffness B of the merged rows, limited for the longest time it is held (N·m); 0 without any.
pub(super) fn bend(model: &Model, pass: &Pass) -> f32 {
    if model.header().merged_hinges == 0 {
        return 0.0;
    }
    real::min(pass.input.dynamics.bend, limit(model, pass.numbers.h))
}

/// The largest B that merged rows carry at substeps of h (N·m).
fn limit(model: &Model, h: f32) -> f32 {
    let time = h * real::from_count(PUSH_SPAN);
    MAX_BEND * model.header().bend_inertia / (time * time)
}

// Here and not with the model, which lies below and knows no step.
impl Model<'_> {
    /// The largest bending stiffness that merged bend rows have in a step of `dt` (s) cut into `substeps` (N·m): what
    /// [`ClothDynamics::bend`](crate::ClothDynamics::bend) asks for beyond it they do not get, and
    /// [`StepReport::bend`](crate::StepReport::bend) says so. B ≤ I/(4·H²), with the least inertia I of a merged row
    /// (kg·m²) and H two substeps (s), for which a force is held.
    ///
    /// `+∞` for a model without merged rows, as `ModelBuilder::stiff_bend` builds it: what is solved one by one has no
    /// limit. 0 for no substeps.
    #[must_use]
    pub fn merged_bend_limit(&self, dt: f32, substeps: u32) -> f32 {
        if self.header().merged_hinges == 0 {
            return f32::INFINITY;
        }
        if substeps == 0 {
            return 0.0;
        }
        limit(self, dt / real::from_count(substeps))
    }
}

struct Factors<'a> {
    rows: Groups<'a, 1>,
    bends: &'a [[f32; LANES]],
    tensions: &'a [f32],
    factors: &'a mut [[f32; LANES]],
    bend: f32,
}

impl Kernel for Factors<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let bend = l.splat(self.bend);
        let slots = self.rows.iter().zip(self.bends);
        for (([row], q), factor) in slots.zip(self.factors) {
            for l in l.parts() {
                l.store(bend * l.load(q) + row.gather_words(l, self.tensions), factor);
            }
        }
    }
}

/// Fills `pushes`, at the places ahead.
#[inline(never)]
pub(super) fn push(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    pass.run(Push {
        model: &model,
        first: 0,
        ahead: fields.ahead,
        factors: fields.factors.as_chunks::<LANES>().0,
        pushes: fields.pushes,
        bend: bend(&model, pass),
    });
}

struct Push<'a> {
    model: &'a Model<'a>,
    /// The first of the groups of particles.
    first: usize,
    ahead: &'a [Record],
    factors: &'a [[f32; LANES]],
    pushes: &'a mut [Vectors],
    /// B, limited (N·m).
    bend: f32,
}

impl Kernel for Push<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let model = self.model;
        let bend = l.splat(self.bend);
        let (links, across) = (model.link_ends(), model.bend_ends());
        if !(links.fit(self.ahead.len()) && across.fit(self.ahead.len())) {
            return;
        }
        let first = self.first;
        let link_starts = model.link_starts().get(first..).unwrap_or(&[]);
        let bend_starts = model.bend_starts().get(first..).unwrap_or(&[]);
        let starts = link_starts.windows(2).zip(bend_starts.windows(2));
        let groups = self.ahead.as_chunks::<LANES>().0.get(first..).unwrap_or(&[]).iter().zip(self.pushes);
        for ((node, push), starts) in groups.zip(starts) {
            let ([link, link_end], [bent, bent_end]) = starts else { continue };
            let (link, bent) = (*link as usize..*link_end as usize, *bent as usize..*bent_end as usize);
            let factors = self.factors.get(link.clone()).unwrap_or(&[]);
            let stencil = model.bend().get(bent.clone()).unwrap_or(&[]);
            let (links, across) = (links.range(link.start, link.end), across.range(bent.start, bent.end));
            for l in l.looped_parts() {
                let [x, y, z, w] = l.load_records(node);
                let mut sum: Vec3x8<L> = [l.splat(0.0); 3];
                for ([other], factor) in links.iter().zip(factors) {
                    let [ox, oy, oz, _] = other.gather(l, self.ahead);
                    sum = plus::<L>(sum, difference::<L>([ox, oy, oz], [x, y, z]), l.load(factor));
                }
                if self.bend > 0.0 {
                    let mut bent: Vec3x8<L> = [l.splat(0.0); 3];
                    for ([other], q) in across.iter().zip(stencil) {
                        let [ox, oy, oz, _] = other.gather(l, self.ahead);
                        bent = plus::<L>(bent, difference::<L>([ox, oy, oz], [x, y, z]), l.load(q));
                    }
                    sum = plus::<L>(sum, bent, bend);
                }
                // A held particle is pushed by nothing, whatever its neighbours do.
                let free = l.splat(0.0).lt(w);
                let out = [free.keep(sum[0] * w), free.keep(sum[1] * w), free.keep(sum[2] * w)];
                store(l, out, push);
            }
        }
    }
}

impl Cut for Factors<'_> {
    fn groups(&self) -> usize {
        self.rows.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (rows, other_rows) = (self.rows.range(0, at), self.rows.range(at, self.rows.len()));
        let ((bends, other_bends), (factors, other_factors)) =
            (cut(self.bends, at), cut_mut(self.factors, at));
        (
            Self { rows, bends, factors, ..self },
            Self { rows: other_rows, bends: other_bends, factors: other_factors, ..self },
        )
    }
}

impl Cut for Push<'_> {
    fn groups(&self) -> usize {
        self.pushes.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (pushes, others) = cut_mut(self.pushes, at);
        (Self { pushes, ..self }, Self { pushes: others, first: self.first + at, ..self })
    }
}
