//! A cloth in a snapshot: all that the world keeps of it beside its state.

use std::sync::Arc;

use cloth_core::{Baked, SavedState, StateError, StepError};
use hecs::Entity;

use super::super::seed::{Recipe, Subtree};
use super::super::write_back::Skeleton;
use super::super::{ClothDiagnostics, Work};
use super::{Asked, Live};
use crate::pose::Pose;
use crate::world::words::{Reader, Words as _, fields, put_vectors, take_vectors};

/// What a cloth was made from: shared, because nothing changes it.
#[derive(Clone, Debug)]
pub(in crate::world) struct Form {
    pub entity: Entity,
    recipe: Recipe,
    subtree: Arc<Subtree>,
    model: Arc<Baked>,
    /// Not in the words: no file has it, and a step says it anew.
    refused: Option<StepError>,
}

impl Form {
    /// Of a cloth that is not with an executor.
    pub fn of(live: &Live) -> Option<Self> {
        let model = live.work.as_ref()?.baked().clone();
        let (recipe, subtree) = (live.recipe.clone(), live.subtree.clone());
        Some(Self { entity: live.entity, recipe, subtree, model, refused: live.diagnostics.refused })
    }

    /// Whether a cloth is the one that was made from this.
    pub fn is_of(&self, live: &Live) -> bool {
        let model = live.work.as_ref().map(Work::baked);
        live.entity == self.entity
            && Arc::ptr_eq(&live.subtree, &self.subtree)
            && model.is_some_and(|model| Arc::ptr_eq(model, &self.model))
    }

    /// Makes the cloth again, at rest.
    pub fn make(&self) -> Result<Live, StateError> {
        let Self { entity, recipe, subtree, model, .. } = self.clone();
        // What it was made from has been checked when it was.
        let poses = subtree.poses(recipe.scale()).unwrap_or_default();
        let skeleton = Skeleton::new(&subtree, poses);
        let work = Work::seed(model)?;
        Ok(Live::new(entity, recipe, subtree, skeleton, work, Pose::IDENTITY, 1.0))
    }

    /// What a snapshot's words do not say.
    pub fn refused(&self) -> Option<StepError> {
        self.refused
    }
}

fields! {
    Asked { teleport, carried, wake }
    // All that follows from states and inputs.
    ClothDiagnostics {
        steps, max_strain, mean_strain, max_speed, kinetic_energy, substeps, colliders, contacts, overflow, air, rescued, escaped,
        missed_crossings, asleep, culled, teleported, subtree_changed;
        but refused, milliseconds
    }
}

impl Live {
    /// Writes down what was asked for since the last step.
    pub fn put_asked(&self, to: &mut Vec<u32>) {
        self.asked.put(to);
        self.jumps.put(to);
    }

    /// Whether anything was.
    pub fn has_asked(&self) -> bool {
        let Asked { teleport, carried, wake } = &self.asked;
        teleport.is_some() || *wake || !carried.is(&Pose::IDENTITY)
    }

    /// Asks for what [`Live::put_asked`] wrote.
    pub fn take_asked(&mut self, from: &mut Reader<'_>) -> Option<()> {
        (self.asked, self.jumps) = from.take()?;
        Some(())
    }

    /// Reads past what [`Live::put_asked`] wrote.
    pub fn skip_asked(from: &mut Reader<'_>) -> Option<()> {
        from.take::<(Asked, bool)>().map(drop)
    }

    /// Writes down what a later tick depends on or may show, beside the state; and saves that.
    pub fn put(&self, to: &mut Vec<u32>, state: &mut SavedState) {
        // What the cloth was made from is a `Form`.
        let Self {
            entity,
            recipe: _,
            subtree: _,
            skeleton: _,
            moves: _,
            diagnostics,
            work,
            // Nobody is away when a snapshot is taken.
            flown: _,
            acquaintances,
            stepped,
            anchors,
            shapes: [before, now],
            lived,
            since,
            age,
            fresh,
            span,
            waits,
            is_led,
            touched,
            jumps,
            follows,
            followed,
            blend,
            asked,
        } = self;
        entity.put(to);
        stepped.put(to);
        let [last, this] = anchors;
        last.put(to);
        this.put(to);
        lived.put(to);
        [*since, *age, *span, *waits].put(to);
        (*fresh, [*is_led, *touched, *jumps, *follows, *followed]).put(to);
        blend.put(to);
        asked.put(to);
        diagnostics.put(to);
        acquaintances.put(to);
        put_vectors(before, to);
        put_vectors(now, to);
        if let Some(work) = work {
            work.state().save(state);
        }
    }

    /// Takes over what [`Live::put`] wrote of a cloth that was made from the same; its entity has been read.
    pub fn take(
        &mut self,
        from: &mut Reader<'_>,
        state: &SavedState,
        refused: Option<StepError>,
    ) -> Option<()> {
        self.stepped = from.take()?;
        self.anchors = [from.take()?, from.take()?];
        self.flown = None;
        self.lived = from.take()?;
        [self.since, self.age, self.span, self.waits] = from.take()?;
        (self.fresh, [self.is_led, self.touched, self.jumps, self.follows, self.followed]) = from.take()?;
        self.blend = from.take()?;
        self.asked = from.take()?;
        let milliseconds = self.diagnostics.milliseconds;
        self.diagnostics = ClothDiagnostics { refused, milliseconds, ..from.take()? };
        self.acquaintances.take(from)?;
        let [before, now] = &mut self.shapes;
        take_vectors(from, before)?;
        take_vectors(from, now)?;
        self.work.as_mut()?.with_state(|held| held.load(state)).ok()
    }
}
