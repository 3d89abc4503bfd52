//! A cloth that lives: what the world keeps of it from tick to tick, and the two phases of a tick around its step.

mod air;
mod saved;

use std::sync::Arc;

use cloth_core::anchor::{AnchorMotion, Teleport, TeleportLimits};
use cloth_core::{Level, State, Vec3};
use hecs::{Entity, World as Entities};

use super::authored::{Authored, Moves};
use super::gather::{Acquaintances, Surroundings};
use super::seed::{Recipe, Subtree};
use super::wind::Asker;
use super::work::Unstepped;
use super::write_back::{Skeleton, write};
use super::{AirTold, Cloth, ClothDiagnostics, Overflow, Work};
use crate::index::ColliderIndex;
use crate::pose::{Pose, greater, length, narrow, scaled, sqrt, sub, unit};

pub(super) use air::Sky;
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

    /// Of two kinds of jump the one that changes more counts.
    fn teleport(&mut self, kind: Teleport) {
        self.teleport = if self.teleport == Some(Teleport::Reset) { self.teleport } else { Some(kind) };
    }

    fn carry(&mut self, part: &Pose) {
        self.carried = self.carried.place(part);
    }

    /// This, and what was asked for after it.
    fn then(mut self, later: &Self) -> Self {
        if let Some(kind) = later.teleport {
            self.teleport(kind);
        }
        if !later.carried.is(&Pose::IDENTITY) {
            self.carry(&later.carried);
        }
        self.wake |= later.wake;
        self
    }
}

/// What a step was handed over with and counts when it comes back, whatever the scene has done in between.
#[derive(Clone, Copy, Debug)]
struct Flown {
    /// Where the anchor is when the step ends.
    anchor: Pose,
    /// Ticks that the step is long.
    span: u32,
    /// Ticks since the step before.
    since: u32,
    blend: f32,
    has_targets: bool,
    asked: Asked,
    followed: bool,
    colliders: u32,
    overflow: Overflow,
    /// How old the cloth was before it.
    lived: f64,
    air: AirTold,
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

/// What is around the cloths of a tick.
pub(super) struct Scene<'s, I> {
    /// Words of shapes.
    pub shapes: &'s Arc<Vec<u32>>,
    pub index: &'s I,
    pub sky: Sky<'s>,
}

/// A cloth that lives.
#[derive(Debug)]
pub(super) struct Live {
    pub entity: Entity,
    pub recipe: Recipe,
    pub subtree: Arc<Subtree>,
    pub skeleton: Arc<Skeleton>,
    /// Which of its nodes it moves.
    moves: Moves,
    pub diagnostics: ClothDiagnostics,
    /// Missing while an executor has it, and where it was lost.
    pub work: Option<Work>,
    /// Of the step that an executor has.
    flown: Option<Flown>,
    acquaintances: Acquaintances,
    /// Where the anchor was when the last step ended.
    stepped: Pose,
    /// Where the anchor was in the last tick and is in this.
    anchors: [Pose; 2],
    /// Positions that were published last but one and last, in the anchor's frame (m).
    shapes: [Vec<[f32; 3]>; 2],
    /// Time that the steps took that were handed over since it was seeded (s): what gusts go by.
    lived: f64,
    /// Ticks since the last step was handed over.
    since: u32,
    /// Ticks since a step was published last.
    age: u32,
    /// Whether that was in the tick that comes, before its first phase.
    fresh: bool,
    /// Ticks that the last step that was published was long.
    span: u32,
    /// Ticks from one step to the next at the rate of the last tick.
    waits: u32,
    /// Whether its last step was told targets.
    is_led: bool,
    /// Whether somebody had his hands on the state since the last step.
    touched: bool,
    /// Whether somebody called what the anchor does until the next tick a jump.
    jumps: bool,
    /// Whether what it hangs on jumps until the next tick: the world's own to see, and no input of the host's.
    follows: bool,
    /// Whether it has since the last step.
    followed: bool,
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
        Self {
            entity,
            recipe,
            skeleton: Arc::new(skeleton),
            moves: Moves::default(),
            subtree,
            diagnostics: ClothDiagnostics::default(),
            work: Some(work),
            flown: None,
            acquaintances: Acquaintances::default(),
            stepped: anchor,
            anchors: [anchor; 2],
            shapes: [shape.clone(), shape],
            lived: 0.0,
            // The tick that seeds is the first to step.
            since: u32::MAX,
            age: u32::MAX,
            fresh: false,
            span: 1,
            waits: 1,
            is_led: false,
            touched: false,
            jumps: false,
            follows: false,
            followed: false,
            blend,
            asked: Asked::NOTHING,
        }
    }

    pub fn wake(&mut self) {
        self.asked.wake = true;
    }

    /// Does something with the state.
    pub fn with_state<T>(&mut self, work: impl FnOnce(&mut State<'_>) -> T) -> Option<T> {
        let held = self.work.as_mut()?;
        self.touched = true;
        Some(held.with_state(work))
    }

    /// The next step is a jump; of two kinds the one that changes more counts.
    pub fn teleport(&mut self, kind: Teleport) {
        self.jumps = true;
        self.asked.teleport(kind);
    }

    /// What its anchor hangs on was reset, and takes it along: no motion of its own.
    pub fn follow(&mut self) {
        self.follows = true;
    }

    /// This part of the anchor's next motion carries the cloth along.
    pub fn carry(&mut self, part: Pose) {
        self.asked.carry(&part);
    }

    /// First phase: fills in what the step is to be told, the anchor being at `anchor`, and hands the work over if it is to be
    /// stepped in this tick.
    pub fn advance(
        &mut self,
        tick: &Tick,
        cloth: &Cloth,
        targets: Option<&[[f32; 3]]>,
        anchor: Pose,
        scene: &mut Scene<'_, impl ColliderIndex>,
    ) -> Option<Work> {
        let ticks = cloth.rate.ticks();
        let follows = core::mem::take(&mut self.follows);
        self.followed |= follows;
        let is_jump =
            core::mem::take(&mut self.jumps) || follows || self.is_jump(&anchor, ticks, &cloth.limits);
        self.anchors = [if is_jump { anchor } else { self.anchors[1] }, anchor];
        let waited = core::mem::replace(&mut self.waits, ticks);
        let fresh = core::mem::take(&mut self.fresh);
        if !cloth.visible {
            self.cull(anchor);
            return None;
        }
        if self.diagnostics.culled {
            self.diagnostics.culled = false;
            // As it was when it went, relative to its anchor, wherever that went meanwhile.
            self.asked.teleport(Teleport::Keep);
            (self.since, self.age) = (u32::MAX, u32::MAX);
        }
        self.since = self.since.saturating_add(1);
        self.age = if fresh { 0 } else { self.age.saturating_add(1) };
        if self.since < ticks {
            return None;
        }
        // Of a rate that became a quicker one the step is as long as the time that went by.
        let ticks = if self.since <= waited { self.since } else { ticks };
        let mut work = self.work.take()?;
        let (from, to) = (self.stepped, anchor);
        let blend_changed = cloth.blend.to_bits() != self.blend.to_bits();
        if self.asked.wake || blend_changed {
            work.with_state(|state| state.wake());
        }
        // Who led its targets and stopped is to find them where they were authored.
        let authored = (self.is_led && targets.is_none()).then(|| work.rest());
        let told = &mut work.told;
        let length = tick.step * f64::from(ticks);
        let [dt] = narrow([length]);
        told.dt = dt;
        told.gravity = Vec3::from_array(narrow(to.unturn(tick.gravity)));
        told.anchor = self.motion(&from, &to, ticks, &cloth.limits);
        told.targets = targets.map(<[_]>::to_vec).or(authored);
        told.dynamics = cloth.dynamics;
        (told.layer, told.mask, told.sleep, told.escape) =
            (cloth.layer, cloth.mask, cloth.sleeps, cloth.escape);
        told.most_substeps = cloth.most_substeps;
        if !Arc::ptr_eq(&told.shapes, scene.shapes) {
            told.shapes = scene.shapes.clone();
        }
        let mut stood = from;
        if told.anchor.jump().is_some() {
            // Nothing was between here and there, so nothing is shown between.
            (self.anchors[0], stood) = (anchor, to);
        }
        let asker = Asker { layer: cloth.layer, age: self.lived };
        let air = air::tell(&mut work, asker, &stood, &to, &mut scene.sky);
        let index = scene.index;
        let mut overflow = Overflow::default();
        if index.is_empty() {
            work.told.colliders.clear();
            self.acquaintances.lose();
        } else {
            // What jumps has not swept the way there.
            let from = if work.told.anchor.teleport.is_some() { to } else { from };
            let around = surroundings(&work, from, to, ticks, tick);
            let capacity = work.state().model().collider_capacity() as usize;
            let left = self.acquaintances.gather(index, &around, capacity, &mut work.told, tick.number);
            overflow.colliders = u32::try_from(left.dropped).unwrap_or(u32::MAX);
            overflow.out_of_range = left.out_of_range;
        }
        let has_targets = targets.is_some();
        let is_placed = self.recipe.is_subtree() && (cloth.blend > 0.0 || has_targets);
        work.published.skeleton = is_placed.then(|| self.skeleton.clone());
        work.published.blend = cloth.blend;
        work.published.stays = self.diagnostics.asleep && !blend_changed && !self.touched;
        self.flown = Some(Flown {
            anchor,
            span: ticks,
            since: core::mem::take(&mut self.since),
            blend: cloth.blend,
            has_targets,
            asked: core::mem::replace(&mut self.asked, Asked::NOTHING),
            followed: core::mem::take(&mut self.followed),
            colliders: u32::try_from(work.told.colliders.len()).unwrap_or(u32::MAX),
            overflow,
            lived: self.lived,
            air,
        });
        self.lived += length;
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

    /// Whether the anchor goes further in a tick than it may in a step: that is a jump, even if the step is yet to come.
    fn is_jump(&self, to: &Pose, ticks: u32, limits: &TeleportLimits) -> bool {
        let from = &self.anchors[1];
        if from.is(to) || !self.asked.carried.is(&Pose::IDENTITY) {
            return false;
        }
        let moved = from.see(to);
        if length(moved.translation) >= FARTHEST_WAY {
            return true;
        }
        let limits = of_ticks(limits, ticks);
        AnchorMotion { limits, ..AnchorMotion::to(moved.narrow()) }.jump().is_some()
    }

    fn motion(&self, from: &Pose, to: &Pose, ticks: u32, limits: &TeleportLimits) -> AnchorMotion {
        let seen = if from.is(to) { Pose::IDENTITY } else { from.see(to) };
        let rigid = |pose: Pose| Pose { rotation: unit(pose.rotation).unwrap_or(pose.rotation), ..pose };
        let limits = of_ticks(limits, ticks);
        let (moved, carried) = (rigid(seen), rigid(self.asked.carried));
        let teleport = self.asked.teleport.or(self.followed.then_some(Teleport::Keep));
        if length(moved.translation) < FARTHEST_WAY && length(carried.translation) < FARTHEST_WAY {
            return AnchorMotion { moved: moved.narrow(), carried: carried.narrow(), teleport, limits };
        }
        let teleport = teleport.or(limits.beyond).or(Some(Teleport::Keep));
        AnchorMotion { teleport, limits, ..AnchorMotion::STANDING }
    }

    /// Last phase: takes the work back, and writes what it came to into the world. `late` where that is when the next tick
    /// begins, before its first phase.
    ///
    /// # Errors
    /// Why there was no step; nothing is written then, and after a panic the cloth is lost.
    pub fn finish(
        &mut self,
        mut work: Work,
        authored: &Authored,
        entities: &mut Entities,
        late: bool,
    ) -> Result<(), Unstepped> {
        // A cloth that took another's place has handed nothing over.
        let Some(flown) = self.flown.take() else { return Ok(()) };
        let answer = work.take_result();
        let (steps, milliseconds) = (work.state().steps(), work.milliseconds);
        let report = match answer {
            Some(Ok(report)) => report,
            Some(Err(Unstepped::Panicked(message))) => return Err(Unstepped::Panicked(message)),
            refused => {
                self.work = Some(work);
                // It is all still to be done, and what was asked for since comes after.
                (self.since, self.lived) = (flown.since, flown.lived);
                self.asked = flown.asked.then(&self.asked);
                self.followed |= flown.followed;
                return match refused {
                    Some(Err(Unstepped::Refused(error))) => {
                        self.diagnostics.refused = Some(error);
                        Err(Unstepped::Refused(error))
                    }
                    _ => Ok(()),
                };
            }
        };
        self.work = Some(work);
        (self.age, self.fresh, self.span) = (0, late, flown.span);
        self.stepped = flown.anchor;
        self.blend = flown.blend;
        self.is_led = flown.has_targets;
        self.touched = false;
        self.diagnostics.refused = None;
        (self.diagnostics.colliders, self.diagnostics.overflow) = (flown.colliders, flown.overflow);
        self.diagnostics.air = flown.air;
        self.diagnostics.note(&report);
        (self.diagnostics.steps, self.diagnostics.milliseconds) = (steps, milliseconds);
        let Self { work: Some(work), shapes: [before, now], .. } = self else { return Ok(()) };
        if !work.published.is_new {
            self.settle();
            return Ok(());
        }
        // The memory of the shape before those goes back for the next.
        core::mem::swap(before, now);
        core::mem::swap(now, &mut work.published.positions);
        if work.published.skeleton.is_some() {
            let moves = self.moves.of(self.entity, &self.subtree, authored);
            write(self.entity, &self.subtree, moves, &work.published.locals, entities);
        } else {
            authored.show(self.entity, &self.subtree, entities);
        }
        if report.teleported.is_some() {
            self.settle();
        }
        Ok(())
    }

    /// Where the anchor is shown at `alpha` of the way from the last tick to this, and the positions about it (m).
    pub fn shown(&self, alpha: f64) -> (Pose, Vec<[f64; 3]>) {
        let [before, now] = &self.shapes;
        let since = f64::from(if self.diagnostics.culled { 0 } else { self.age.min(self.span) });
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

    /// Time that its steps took since it was seeded (s).
    pub fn lived(&self) -> f64 {
        self.lived
    }

    /// The anchor's pose that the last step ran on.
    pub fn anchor(&self) -> Pose {
        self.stepped
    }
}

/// The limits of a step of so many ticks.
fn of_ticks(limits: &TeleportLimits, ticks: u32) -> TeleportLimits {
    let [share] = narrow([f64::from(ticks)]);
    TeleportLimits { distance: limits.distance * share, angle: limits.angle * share, ..*limits }
}

/// The box of its particles in the anchor's frame, low and high corner (m).
fn extent(state: &State<'_>) -> ([f64; 3], [f64; 3]) {
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
    (low.map(f64::from), high.map(f64::from))
}

/// Where the cloth is about its anchor, and how far it may go.
fn surroundings(work: &Work, from: Pose, to: Pose, ticks: u32, tick: &Tick) -> Surroundings {
    let state = work.state();
    let (low, high) = extent(state);
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
    Surroundings { from, to, ticks, low, high, way }
}
