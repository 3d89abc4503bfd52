//! A cloth that lives: what the world keeps of it from tick to tick, and the two phases of a tick around its step.

mod saved;

use std::sync::Arc;

use cloth_core::anchor::{AnchorMotion, Teleport, TeleportLimits};
use cloth_core::{Level, StepError, Vec3};
use hecs::{Entity, World as Entities};

use super::gather::{Acquaintances, Surroundings};
use super::seed::{Authored, Recipe, Subtree};
use super::write_back::Skeleton;
use super::{Attachment, Cloth, ClothDiagnostics, Work};
use crate::index::ColliderIndex;
use crate::pose::{Pose, greater, length, narrow, scaled, sqrt, sub, unit};

pub(super) use saved::Form;

/// Farthest an anchor goes in a step as far as core is told (m).
const FARTHEST_WAY: f64 = 1.0e6;

/// What somebody asked for since the last step.
#[derive(Clone, Copy, Debug)]
struct Asked {
    teleport: Option<Teleport>,
    carried: Pose,
    wake: bool,
}

impl Asked {
    const NOTHING: Self = Self { teleport: None, carried: Pose::IDENTITY, wake: false };
}

/// What every cloth of a tick is told alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tick {
    /// How often the index has been told to begin a tick.
    pub number: u64,
    /// Length of the tick (s).
    pub step: f64,
    /// Gravity in the world (m/s²).
    pub gravity: [f64; 3],
    /// Whether steps are timed.
    pub timed: bool,
    /// In which lanes they are computed.
    pub level: Level,
}

/// A cloth that lives.
#[derive(Debug)]
pub(super) struct Live {
    pub entity: Entity,
    pub recipe: Recipe,
    pub subtree: Arc<Subtree>,
    pub skeleton: Skeleton,
    pub authored: Authored,
    pub diagnostics: ClothDiagnostics,
    /// Missing while an executor has it.
    pub work: Option<Work>,
    acquaintances: Acquaintances,
    /// Where the anchor was when the last step ended.
    stepped: Pose,
    /// Where the anchor was in the last tick and is in this.
    anchors: [Pose; 2],
    /// Positions that were published last but one and last, in the anchor's frame (m).
    shapes: [Vec<[f32; 3]>; 2],
    /// Ticks since the last step.
    since: u32,
    /// Ticks that the last step was long.
    span: u32,
    /// The blend that was published last.
    blend: f32,
    asked: Asked,
}

impl Live {
    /// A cloth at its rest pose, its anchor at `anchor`.
    pub fn new(
        entity: Entity,
        recipe: Recipe,
        subtree: Arc<Subtree>,
        skeleton: Skeleton,
        work: Work,
        anchor: Pose,
        blend: f32,
    ) -> Self {
        let shape: Vec<[f32; 3]> = work.state().positions().map(|at| at.to_array()).collect();
        let above = |node| subtree.parent(entity, node);
        let nodes = subtree.nodes.iter();
        let authored =
            nodes.map(|node| (node.entity.id(), (node.entity, above(node), node.authored))).collect();
        Self {
            entity,
            recipe,
            skeleton,
            authored,
            subtree,
            diagnostics: ClothDiagnostics::default(),
            work: Some(work),
            acquaintances: Acquaintances::default(),
            stepped: anchor,
            anchors: [anchor; 2],
            shapes: [shape.clone(), shape],
            // The tick that seeds is the first to step.
            since: u32::MAX,
            span: 1,
            blend,
            asked: Asked::NOTHING,
        }
    }

    pub fn wake(&mut self) {
        self.asked.wake = true;
    }

    /// The next step is a jump; of two kinds the one that changes more counts.
    pub fn teleport(&mut self, kind: Teleport) {
        let asked = &mut self.asked.teleport;
        *asked = if *asked == Some(Teleport::Reset) { *asked } else { Some(kind) };
    }

    /// This part of the anchor's next motion carries the cloth along.
    pub fn carry(&mut self, part: Pose) {
        self.asked.carried = self.asked.carried.place(&part);
    }

    /// First phase: fills in what the step is to be told, the anchor being at `anchor`, and hands the work over if it is to be
    /// stepped in this tick.
    pub fn advance(
        &mut self,
        tick: &Tick,
        cloth: &Cloth,
        targets: Option<&[[f32; 3]]>,
        anchor: Pose,
        shapes: &Arc<Vec<u32>>,
        index: &impl ColliderIndex,
    ) -> Option<Work> {
        self.anchors = [self.anchors[1], anchor];
        if !cloth.visible {
            self.cull(anchor);
            return None;
        }
        if self.diagnostics.culled {
            self.diagnostics.culled = false;
            // As it was when it went, relative to its anchor, wherever that went meanwhile.
            self.teleport(Teleport::Keep);
            self.since = u32::MAX;
        }
        self.since = self.since.saturating_add(1);
        let ticks = cloth.rate.ticks();
        if self.since < ticks {
            return None;
        }
        let mut work = self.work.take()?;
        let (from, to) = (self.stepped, anchor);
        let blend_changed = cloth.blend.to_bits() != self.blend.to_bits();
        if self.asked.wake || blend_changed {
            work.with_state(|state| state.wake());
        }
        let told = &mut work.told;
        let [dt] = narrow([tick.step * f64::from(ticks)]);
        told.dt = dt;
        told.gravity = Vec3::from_array(narrow(to.unturn(tick.gravity)));
        told.anchor = self.motion(&from, &to, ticks, &cloth.limits);
        told.targets = targets.map(<[_]>::to_vec);
        told.dynamics = cloth.dynamics;
        (told.layer, told.mask, told.sleep, told.escape) =
            (cloth.layer, cloth.mask, cloth.sleeps, cloth.escape);
        if !Arc::ptr_eq(&told.shapes, shapes) {
            told.shapes = shapes.clone();
        }
        self.span = ticks;
        self.diagnostics.overflow = super::Overflow::default();
        if index.is_empty() {
            work.told.colliders.clear();
            self.acquaintances.lose();
        } else {
            // What jumps has not swept the way there.
            let from = if work.told.anchor.teleport.is_some() { to } else { from };
            let around = surroundings(&work, from, to, ticks, tick);
            let capacity = work.state().model().collider_capacity() as usize;
            let left = self.acquaintances.gather(index, &around, capacity, &mut work.told, tick.number);
            let overflow = &mut self.diagnostics.overflow;
            overflow.colliders = u32::try_from(left.dropped).unwrap_or(u32::MAX);
            overflow.out_of_range = left.out_of_range;
        }
        self.diagnostics.colliders = u32::try_from(work.told.colliders.len()).unwrap_or(u32::MAX);
        (work.timed, work.level) = (tick.timed, tick.level);
        Some(work)
    }

    /// Stands still relative to its anchor until it is seen again.
    fn cull(&mut self, anchor: Pose) {
        self.stepped = anchor;
        if !self.diagnostics.culled {
            self.diagnostics.culled = true;
            self.acquaintances.lose();
            self.settle();
        }
    }

    /// What was published last is all there is to show.
    fn settle(&mut self) {
        let [before, now] = &mut self.shapes;
        before.clone_from(now);
    }

    fn motion(&self, from: &Pose, to: &Pose, ticks: u32, limits: &TeleportLimits) -> AnchorMotion {
        let seen = if from.is(to) { Pose::IDENTITY } else { from.see(to) };
        let rigid = |pose: Pose| Pose { rotation: unit(pose.rotation).unwrap_or(pose.rotation), ..pose };
        let [share] = narrow([f64::from(ticks)]);
        let limits =
            TeleportLimits { distance: limits.distance * share, angle: limits.angle * share, ..*limits };
        let (moved, carried) = (rigid(seen), rigid(self.asked.carried));
        let teleport = self.asked.teleport;
        if length(moved.translation) < FARTHEST_WAY && length(carried.translation) < FARTHEST_WAY {
            return AnchorMotion { moved: moved.narrow(), carried: carried.narrow(), teleport, limits };
        }
        let teleport = teleport.or(limits.beyond).or(Some(Teleport::Keep));
        AnchorMotion { teleport, limits, ..AnchorMotion::STANDING }
    }

    /// Last phase: takes the work back, and writes what it came to into the world.
    ///
    /// # Errors
    /// What the step refused; nothing is written then.
    pub fn finish(
        &mut self,
        mut work: Work,
        cloth: &Cloth,
        has_targets: bool,
        entities: &mut Entities,
    ) -> Result<(), StepError> {
        let result = work.take_result();
        let (steps, milliseconds) = (work.state().steps(), work.milliseconds);
        self.work = Some(work);
        let report = match result {
            Some(Ok(report)) => report,
            Some(Err(error)) => {
                self.diagnostics.refused = Some(error);
                return Err(error);
            }
            None => return Ok(()),
        };
        let slept = self.diagnostics.asleep;
        let blend_changed = cloth.blend.to_bits() != self.blend.to_bits();
        self.since = 0;
        self.stepped = self.anchors[1];
        self.asked = Asked::NOTHING;
        self.blend = cloth.blend;
        self.diagnostics.refused = None;
        self.diagnostics.note(&report);
        (self.diagnostics.steps, self.diagnostics.milliseconds) = (steps, milliseconds);
        if report.asleep && report.substeps == 0 && slept && !blend_changed {
            // Nothing was computed: what is written stays as it is, to the bit.
            self.settle();
            return Ok(());
        }
        self.publish(cloth.blend);
        if report.teleported.is_some() {
            // Nothing was between here and there, so nothing is shown between.
            self.anchors[0] = self.anchors[1];
            self.settle();
        }
        if cloth.blend <= 0.0 && !has_targets {
            self.restore(entities);
        } else if self.recipe.is_subtree() {
            let wide: Vec<[f64; 3]> = self.shapes[1].iter().map(|at| at.map(f64::from)).collect();
            self.skeleton.write(self.entity, &self.subtree, &wide, entities);
        }
        Ok(())
    }

    /// What is simulated becomes what is shown, as far as it is blended in.
    fn publish(&mut self, blend: f32) {
        let Some(work) = &self.work else { return };
        let [before, now] = &mut self.shapes;
        core::mem::swap(before, now);
        now.clear();
        now.extend(work.state().blended(blend).map(|at| at.to_array()));
    }

    /// Gives every node its authored local transform back, where it still hangs where it did.
    pub fn restore(&self, entities: &mut Entities) {
        for (entity, parent, local) in self.authored.values() {
            if let Ok(mut attachment) = entities.get::<&mut Attachment>(*entity)
                && attachment.parent == *parent
            {
                attachment.local = *local;
            }
        }
    }

    /// Where the anchor is shown at `alpha` of the way from the last tick to this, and the positions about it (m).
    pub fn shown(&self, alpha: f64) -> (Pose, Vec<[f64; 3]>) {
        let [before, now] = &self.shapes;
        let since = f64::from(if self.diagnostics.culled { 0 } else { self.since.min(self.span) });
        let t = crate::pose::lesser((since + alpha) / f64::from(self.span.max(1)), 1.0);
        let positions = before.iter().zip(now).map(|(a, b)| {
            let (a, b) = (a.map(f64::from), b.map(f64::from));
            if t >= 1.0 { b } else { crate::pose::mix(a, b, t) }
        });
        (self.anchors[0].between(&self.anchors[1], alpha), positions.collect())
    }

    /// Positions that were published last, in the anchor's frame (m).
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.shapes[1]
    }

    /// The anchor's pose that the last step ran on.
    pub fn anchor(&self) -> Pose {
        self.stepped
    }
}

/// Where the cloth is about its anchor, and how far it may go.
fn surroundings(work: &Work, from: Pose, to: Pose, ticks: u32, tick: &Tick) -> Surroundings {
    let state = work.state();
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for [x, y, z, _] in state.bodies() {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip([*x, *y, *z]) {
            if value < *low {
                *low = value;
            }
            if value > *high {
                *high = value;
            }
        }
    }
    let mut fastest = 0.0_f32;
    for [x, y, z, _] in state.particle_velocities() {
        let square = x * x + y * y + z * z;
        if square > fastest {
            fastest = square;
        }
    }
    let mut pull = 0.0;
    for (vertex, target) in (0..).zip(work.told.targets.iter().flatten()) {
        if let (true, Some(at)) = (state.is_held(vertex), state.position(vertex)) {
            let way = sub(target.map(f64::from), at.to_array().map(f64::from));
            pull = greater(pull, length(way));
        }
    }
    let dt = tick.step * f64::from(ticks);
    let way = sqrt(f64::from(fastest)) * dt + length(scaled(tick.gravity, dt * dt)) + pull;
    Surroundings { from, to, ticks, low: low.map(f64::from), high: high.map(f64::from), way }
}
