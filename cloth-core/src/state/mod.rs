//! The mutable part of a cloth: a view over memory the caller owns.
//!
//! A state is seeded from a model into `Model::state_blocks()` blocks, or attached to blocks that already
//! hold one. After either succeeded no method panics and none allocates. The memory can be copied, moved and
//! attached again; a snapshot is the part of it that matters, and equal snapshots give equal futures.

pub(crate) mod check;
mod error;
pub(crate) mod fields;
pub(crate) mod layout;
mod regions;
#[cfg(feature = "alloc")]
mod saved;
mod snapshot;
mod trouble;

pub use error::StateError;
pub use regions::{Difference, Region};
#[cfg(feature = "alloc")]
pub use saved::SavedState;
pub(crate) use trouble::Trouble;

use crate::Vec3;
use crate::index::{at, put};
use crate::math::real;
#[cfg(feature = "team")]
use crate::model::plan::Plan;
use crate::model::record::Block;
use crate::model::{MAX_LENGTH, Model};
use fields::Fields;
use layout::{Body, Padded, StateHeader};

/// One cloth's state, viewed over memory the caller gave.
pub struct State<'m> {
    pub(crate) model: Model<'m>,
    pub(crate) fields: Fields<'m>,
}

impl<'m> State<'m> {
    /// Fills `memory` with the model's rest pose at rest, build-time pins held where they are, and returns
    /// the view of it. Memory past [`Model::state_blocks`] is left alone.
    ///
    /// # Errors
    /// [`StateError::BufferTooSmall`]; nothing was written.
    pub fn seed(model: &Model<'m>, memory: &'m mut [Block]) -> Result<Self, StateError> {
        let own = own_blocks(model, memory)?;
        own.fill(Block::default());
        let fields = split(model, own)?;
        let fingerprint = model.fingerprint().0;
        *fields.header = StateHeader {
            magic: layout::MAGIC,
            byte_order: crate::model::header::BYTE_ORDER,
            version: layout::VERSION,
            model: low_high(fingerprint),
            ..StateHeader::default()
        };
        let poses = fields.bodies.iter_mut().zip(fields.targets.iter_mut().zip(fields.anchors.iter_mut()));
        for ((particle, reach), (body, (target, anchor))) in
            model.particles().iter().zip(model.reach()).zip(poses)
        {
            let inv_mass = if reach.is_pin() { 0.0 } else { 1.0 / particle.mass };
            *body = Body { position: particle.rest, inv_mass };
            *target = Padded { value: particle.rest, pad: 0 };
            *anchor = *target;
        }
        Ok(Self { model: *model, fields })
    }

    /// Views memory that already holds a state of this model, after checking every value in it.
    ///
    /// # Errors
    /// [`StateError`] names what is wrong; nothing was changed.
    pub fn attach(model: &Model<'m>, memory: &'m mut [Block]) -> Result<Self, StateError> {
        check::snapshot(model, memory, model.state_blocks())?;
        let fields = split(model, own_blocks(model, memory)?)?;
        Ok(Self { model: *model, fields })
    }

    /// The model the state belongs to.
    pub fn model(&self) -> &Model<'m> {
        &self.model
    }

    /// Steps taken since seeding.
    pub fn steps(&self) -> u64 {
        let [low, high] = self.fields.header.steps;
        u64::from(low) | u64::from(high) << 32
    }

    /// Positions in source order, cloth-local (m), shape (sources).
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        let bodies = &*self.fields.bodies;
        self.model.particle_of().iter().map(move |particle| Vec3::from_array(at(bodies, *particle).position))
    }

    /// Velocities in source order, cloth-local (m/s), shape (sources).
    pub fn velocities(&self) -> impl Iterator<Item = Vec3> + '_ {
        let velocities = &*self.fields.velocities;
        self.model.particle_of().iter().map(move |particle| Vec3::from_array(at(velocities, *particle).value))
    }

    /// Particles in internal order, cloth-local, shape (particles, 4): position (m), then inverse mass (1/kg), 0 of a held
    /// one. [`Model::particle_of`] leads here from source vertices.
    pub fn bodies(&self) -> &[[f32; 4]] {
        bytemuck::cast_slice(self.fields.bodies).get(..self.model.particle_count() as usize).unwrap_or(&[])
    }

    /// Velocities in internal order, cloth-local (m/s), shape (particles, 4); the fourth component is 0.
    pub fn particle_velocities(&self) -> &[[f32; 4]] {
        bytemuck::cast_slice(self.fields.velocities)
            .get(..self.model.particle_count() as usize)
            .unwrap_or(&[])
    }

    /// Position of one source vertex, cloth-local (m).
    pub fn position(&self, vertex: u32) -> Option<Vec3> {
        let particle = self.particle(vertex).ok()?;
        Some(Vec3::from_array(at(self.fields.bodies, particle).position))
    }

    /// Positions blended with the targets, t + blend·(x − t), in source order, cloth-local (m), shape (sources): the targets
    /// themselves at 0 and below, the positions themselves at 1 and above.
    ///
    /// For drawing, or for a host that fades its cloth in: the cloth goes on as it does and knows nothing of it.
    pub fn blended(&self, blend: f32) -> impl Iterator<Item = Vec3> + '_ {
        let (bodies, targets) = (&*self.fields.bodies, &*self.fields.targets);
        self.model.particle_of().iter().map(move |particle| {
            let position = Vec3::from_array(at(bodies, *particle).position);
            let target = Vec3::from_array(at(targets, *particle).value);
            if blend >= 1.0 {
                position
            } else if blend > 0.0 {
                target + (position - target) * blend
            } else {
                target
            }
        })
    }

    /// Velocity of one source vertex, cloth-local (m/s).
    pub fn velocity(&self, vertex: u32) -> Option<Vec3> {
        let particle = self.particle(vertex).ok()?;
        Some(Vec3::from_array(at(self.fields.velocities, particle).value))
    }

    /// Target of one source vertex, cloth-local (m): where it is held, or what its slack leash is tied to.
    pub fn target(&self, vertex: u32) -> Option<Vec3> {
        let particle = self.particle(vertex).ok()?;
        Some(Vec3::from_array(at(self.fields.targets, particle).value))
    }

    /// Puts a vertex at a position with a velocity at once, without a step.
    ///
    /// # Errors
    /// [`StateError::NoSuchVertex`], [`StateError::NonFinite`]; nothing was changed.
    pub fn place(&mut self, vertex: u32, position: Vec3, velocity: Vec3) -> Result<(), StateError> {
        let particle = self.particle(vertex)?;
        if !is_vector(position) || !is_vector(velocity) {
            return Err(StateError::NonFinite { vertex });
        }
        let mut inv_mass = at(self.fields.bodies, particle).inv_mass;
        if self.is_escaping(vertex) {
            inv_mass = 1.0 / at(self.model.particles(), particle).mass;
        }
        self.clear_trouble(particle);
        put(self.fields.bodies, particle, Body { position: position.to_array(), inv_mass });
        put(self.fields.velocities, particle, Padded { value: velocity.to_array(), pad: 0 });
        self.wake();
        Ok(())
    }

    /// Holds a vertex: the next step takes it in a straight line from where it is to `target`, and it stays
    /// there (or follows [`crate::Targets`]) until it is let go. Holding a held vertex moves its target.
    ///
    /// # Errors
    /// [`StateError::NoSuchVertex`], [`StateError::NonFinite`]; nothing was changed.
    pub fn hold(&mut self, vertex: u32, target: Vec3) -> Result<(), StateError> {
        let particle = self.particle(vertex)?;
        if !is_vector(target) {
            return Err(StateError::NonFinite { vertex });
        }
        let position = at(self.fields.bodies, particle).position;
        put(self.fields.bodies, particle, Body { position, inv_mass: 0.0 });
        self.clear_trouble(particle);
        put(self.fields.targets, particle, Padded { value: target.to_array(), pad: 0 });
        self.wake();
        Ok(())
    }

    /// Lets a vertex go with the velocity it has; a build-time pin takes its tethers with it. Letting go of
    /// a free vertex does nothing.
    ///
    /// # Errors
    /// [`StateError::NoSuchVertex`].
    pub fn release(&mut self, vertex: u32) -> Result<(), StateError> {
        let particle = self.particle(vertex)?;
        let position = at(self.fields.bodies, particle).position;
        let inv_mass = 1.0 / at(self.model.particles(), particle).mass;
        put(self.fields.bodies, particle, Body { position, inv_mass });
        self.clear_trouble(particle);
        self.wake();
        Ok(())
    }

    /// Wakes the cloth: the next steps are computed until it has been still for a while again. Placing, holding and
    /// letting go wake it, and so does every step whose input is not that of the last one.
    pub fn wake(&mut self) {
        self.fields.header.set(StateHeader::ASLEEP, false);
        self.fields.header.still = 0;
        // What the cloth had settled under is another load now.
        self.fields.header.calm = 0;
    }

    /// Whether the cloth sleeps: steps change nothing until something wakes it.
    pub fn is_asleep(&self) -> bool {
        self.fields.header.flags & StateHeader::ASLEEP != 0
    }

    /// Whether a vertex is held; `false` for a vertex that is not there.
    pub fn is_held(&self, vertex: u32) -> bool {
        self.particle(vertex).is_ok_and(|particle| is_held(at(self.fields.bodies, particle)))
    }

    /// What threads may share of the steps of this state's model. The nodes of the sweep are written over.
    #[cfg(feature = "team")]
    pub(crate) fn plan(&mut self) -> Plan<'m> {
        Plan::new(&self.model, bytemuck::cast_slice_mut(self.fields.nodes))
    }

    /// The particle that simulates a source vertex.
    pub(crate) fn particle(&self, vertex: u32) -> Result<u32, StateError> {
        let count = self.model.source_count();
        let found = self.model.particle_of().get(vertex as usize).copied();
        found.ok_or(StateError::NoSuchVertex { vertex, count })
    }
}

/// Whether a body is held: it then has no inverse mass.
#[inline(always)]
pub(crate) fn is_held(body: Body) -> bool {
    body.inv_mass <= 0.0
}

/// Whether anything is held.
pub(crate) fn any_held(state: &State) -> bool {
    state.model.particles().iter().zip(state.fields.bodies.iter()).any(|(_, body)| is_held(*body))
}

/// Whether every component is a number of a magnitude up to `largest`.
#[inline(always)]
pub(crate) fn is_within(value: [f32; 3], largest: f32) -> bool {
    value.iter().all(|component| real::abs(*component) <= largest)
}

/// Whether a caller's vector may enter a state.
pub(crate) fn is_vector(value: Vec3) -> bool {
    is_within(value.to_array(), MAX_LENGTH)
}

pub(crate) fn low_high(value: u64) -> [u32; 2] {
    let bytes = value.to_le_bytes();
    let [a, b, c, d, e, f, g, h] = bytes;
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// The state's own part of the memory, split into its regions.
fn own_blocks<'m>(model: &Model, memory: &'m mut [Block]) -> Result<&'m mut [Block], StateError> {
    let (required, provided) = (model.state_blocks(), memory.len());
    memory.get_mut(..required).ok_or(StateError::BufferTooSmall { required, provided })
}

fn split<'m>(model: &Model, own: &'m mut [Block]) -> Result<Fields<'m>, StateError> {
    let (required, provided) = (model.state_blocks(), own.len());
    fields::split(model.header(), own).ok_or(StateError::BufferTooSmall { required, provided })
}
