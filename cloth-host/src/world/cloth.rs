//! What an author says of a cloth: components on its anchor and on what hangs from it.

use std::sync::Arc;

use cloth_core::anchor::TeleportLimits;
use cloth_core::step::Escape;
use cloth_core::{Baked, BuildError, ClothDynamics, ModelBuilder};

/// How often a cloth is stepped: less often where nobody looks closely.
///
/// A cloth that is stepped every fourth tick takes steps four ticks long with the substeps of one, for a quarter of the cost.
/// [`World::interpolate`](super::World::interpolate) shows it moving all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum Rate {
    /// Every tick.
    #[default]
    Every,
    /// Every second tick.
    Second,
    /// Every fourth tick.
    Fourth,
}

impl Rate {
    /// Ticks from one step to the next.
    pub const fn ticks(self) -> u32 {
        match self {
            Self::Every => 1,
            Self::Second => 2,
            Self::Fourth => 4,
        }
    }
}

/// A component: the entity is the anchor of a cloth. What is attached to it is the cloth's nodes, unless it has a
/// [`ClothMesh`] or a [`ClothModel`] besides.
///
/// Every field may change between two ticks. `density`, `stiff_bend` and `colliders` go into the cloth's tables: another value
/// of those, another scale of the anchor or another mesh seeds it anew from its authored pose, and nothing else does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloth {
    /// The fabric.
    pub dynamics: ClothDynamics,
    /// What it weighs: kg/m of what is attached, kg/m² of a mesh. `None` for the builder's 0.1 and 0.15.
    pub density: Option<f32>,
    /// How much of the simulation is shown (1): 0 is the authored pose to the bit, 1 the simulation. The simulation goes on
    /// whatever it is.
    pub blend: f32,
    /// Layers the cloth is in, a bit each.
    pub layer: u32,
    /// Layers of colliders it meets, a bit each.
    pub mask: u32,
    /// Whether it is simulated. A cloth that is not stands still relative to its anchor, costs nothing, and goes on from there
    /// when it is again, without a jolt.
    pub visible: bool,
    /// How often it is stepped.
    pub rate: Rate,
    /// Whether it may fall asleep.
    pub sleeps: bool,
    /// Whether hinges are solved one by one (see [`ModelBuilder::stiff_bend`]).
    pub stiff_bend: bool,
    /// Most colliders that it can meet at a time.
    pub colliders: u32,
    /// Most substeps that a step may take where a collider passes faster than the fabric's own can follow
    /// ([`StepInput::most_substeps`]): what bounds a step. 0 to 1024, and no fewer than the fabric's are taken.
    ///
    /// [`StepInput::most_substeps`]: cloth_core::StepInput::most_substeps
    pub most_substeps: u32,
    /// Motion of the anchor in a step from which on it counts as a teleport, and as which.
    pub limits: TeleportLimits,
    /// When a node that nothing frees goes back to where it was authored.
    pub escape: Escape,
}

impl Default for Cloth {
    fn default() -> Self {
        Self {
            dynamics: ClothDynamics::default(),
            density: None,
            blend: 1.0,
            layer: u32::MAX,
            mask: u32::MAX,
            visible: true,
            rate: Rate::Every,
            sleeps: true,
            stiff_bend: false,
            colliders: 64,
            most_substeps: 256,
            limits: TeleportLimits::default(),
            escape: Escape::default(),
        }
    }
}

impl Cloth {
    /// A cloth of a fabric.
    pub fn of(dynamics: ClothDynamics) -> Self {
        Self { dynamics, ..Self::default() }
    }
}

/// A component: neither the entity nor what is attached to it is part of the cloth above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClothExclude;

/// A component of a node: it is held where it was authored, relative to the anchor. The anchor itself always is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClothPin;

/// A triangle mesh in the anchor's space.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct MeshSource {
    /// Vertices, in the anchor's own size (m).
    pub positions: Vec<[f32; 3]>,
    /// Triangles by vertex.
    pub triangles: Vec<[u32; 3]>,
    /// Vertices that are held.
    pub pins: Vec<u32>,
    /// Vertices closer than this are joined (m).
    pub weld: Option<f32>,
}

impl MeshSource {
    /// The builder of the mesh, `scale` times as large.
    pub(super) fn builder(&self, scale: f64) -> ModelBuilder {
        let sized = |p: &[f32; 3]| crate::pose::narrow(p.map(|x| f64::from(x) * scale));
        let positions: Vec<[f32; 3]> = self.positions.iter().map(sized).collect();
        let builder = ModelBuilder::mesh(&positions, &self.triangles).pins(&self.pins);
        self.weld.into_iter().fold(builder, ModelBuilder::weld)
    }

    /// A square sheet of so many vertices a side, 2 cm apart, held by one corner.
    #[cfg(test)]
    pub(super) fn sheet(side: u16) -> Self {
        let place = |v: u16| [f32::from(v % side) * 0.02, 0.0, f32::from(v / side) * 0.02];
        let down = u32::from(side);
        let corners = (0..down * (down - 1)).filter(|v| v % down != down - 1);
        let triangles = corners.flat_map(|v| [[v, v + down, v + 1], [v + 1, v + down, v + down + 1]]);
        let positions = (0..side * side).map(place).collect();
        Self { positions, triangles: triangles.collect(), pins: vec![0], weld: None }
    }
}

/// A component beside [`Cloth`]: the cloth is a mesh, shared by whoever wears the same.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothMesh(pub Arc<MeshSource>);

impl ClothMesh {
    /// A mesh of its own.
    pub fn new(source: MeshSource) -> Self {
        Self(Arc::new(source))
    }
}

/// A component beside [`Cloth`]: the cloth is a model that was built before, shared by whoever wears the same. Density, stiff
/// bend and room for colliders are the model's then, and the anchor's scale has to be 1.
#[derive(Clone, Debug)]
pub struct ClothModel(pub Arc<Baked>);

impl ClothModel {
    /// Builds a model to share.
    ///
    /// # Errors
    /// As [`ModelBuilder::build`].
    pub fn build(builder: ModelBuilder) -> Result<Self, BuildError> {
        Ok(Self(Arc::new(builder.build()?)))
    }
}

/// A component beside [`Cloth`]: where the vertices' targets are when the next step ends, in the anchor's frame (m), one for
/// each vertex: what holds a pin, and what slack leashes and `blend` go by. Without it they are where they were authored.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClothTargets(pub Vec<[f32; 3]>);
