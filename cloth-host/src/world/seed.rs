//! From what hangs on an anchor to a model: the walk, the authored pose, and the one builder.

use std::collections::BTreeMap;
use std::sync::Arc;

use cloth_core::bake::Defect;
use cloth_core::{Baked, BuildError, Fingerprint, ModelBuilder, NONE};
use hecs::{Entity, World as Entities};

use super::attachment::Link;
use super::authored::Authored;
use super::{
    Attachment, Cloth, ClothExclude, ClothMesh, ClothModel, ClothPin, MeshSource, Transform, WorldError,
};
use crate::hash::Hasher;
use crate::pose::{Pose, narrow, scaled};

/// A node of a subtree: an entity that cloth moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// The entity; vertex i + 1 of the cloth, the anchor being vertex 0.
    pub entity: Entity,
    /// The vertex it hangs on.
    pub parent: u32,
    /// Its local transform as it was authored.
    pub authored: Transform,
    /// Whether it is held.
    pub pinned: bool,
}

/// What a subtree consists of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Subtree {
    /// Parents before children, siblings by number.
    pub nodes: Vec<Node>,
    /// A hash of who they are, what they hang on and whether they are held.
    print: u64,
}

impl Subtree {
    /// Walks down from an anchor. It stops at entities that are excluded and at those that are anchors themselves. `authored`
    /// has what is known of nodes that a cloth moved before.
    pub fn walk(entities: &Entities, links: &[Link], anchor: Entity, authored: &Authored) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut vertex_of: BTreeMap<u32, u32> = BTreeMap::from([(anchor.id(), 0)]);
        // Links come by depth: parents are met before their children.
        for link in links {
            let Some(parent) = vertex_of.get(&link.parent.id()).copied() else { continue };
            let stops =
                entities.satisfies::<&ClothExclude>(link.child) || entities.satisfies::<&Cloth>(link.child);
            if stops || link.child == anchor {
                continue;
            }
            let Ok(attachment) = entities.get::<&Attachment>(link.child) else { continue };
            let pinned = entities.satisfies::<&ClothPin>(link.child);
            let authored = authored.local(link.child, link.parent).unwrap_or(attachment.local);
            nodes.push(Node { entity: link.child, parent, authored, pinned });
            vertex_of.insert(link.child.id(), u32::try_from(nodes.len()).unwrap_or(NONE));
        }
        let mut hasher = Hasher::new();
        for Node { entity, parent, pinned, .. } in &nodes {
            hasher.long(entity.to_bits().get());
            hasher.word(*parent);
            hasher.word(u32::from(*pinned));
        }
        let Fingerprint(print) = hasher.finish();
        Self { nodes, print }
    }

    /// A hash of what [`Subtree::is_like`] compares; the same on every machine. 0 of a cloth that is no subtree.
    pub fn print(&self) -> u64 {
        self.print
    }

    /// The entity that a node hangs on, `top` being the anchor.
    pub fn parent(&self, top: Entity, node: &Node) -> Entity {
        let place = (node.parent as usize).checked_sub(1);
        place.and_then(|place| self.nodes.get(place)).map_or(top, |parent| parent.entity)
    }

    /// Whether both have the same nodes on the same parents, held alike: what rows follow from besides places.
    pub fn is_like(&self, other: &Self) -> bool {
        let key = |node: &Node| (node.entity, node.parent, node.pinned);
        self.nodes.len() == other.nodes.len()
            && self.nodes.iter().zip(&other.nodes).all(|(a, b)| key(a) == key(b))
    }

    /// Authored poses of the vertices in the anchor's frame, the anchor's first, in the world's size (m), and their sizes.
    ///
    /// # Errors
    /// [`WorldError::Transform`], [`WorldError::NonUniformScale`].
    pub fn poses(&self, scale: f64) -> Result<Vec<(Pose, f64)>, WorldError> {
        let mut poses = vec![(Pose::IDENTITY, scale)];
        for Node { entity, parent, authored, .. } in &self.nodes {
            let entity = *entity;
            let local = authored.checked().map_err(|fault| WorldError::Transform { entity, fault })?;
            let own = local.uniform_scale().ok_or(WorldError::NonUniformScale { entity })?;
            let Some((above, size)) = poses.get(*parent as usize).copied() else { continue };
            let seen = Pose { translation: scaled(local.translation, size), rotation: local.rotation };
            let mut pose = above.place(&seen);
            pose.rotation = crate::pose::unit(pose.rotation).unwrap_or(pose.rotation);
            poses.push((pose, size * own));
        }
        Ok(poses)
    }

    fn builder(&self, poses: &[(Pose, f64)]) -> ModelBuilder {
        let positions: Vec<[f32; 3]> = poses.iter().map(|(pose, _)| narrow(pose.translation)).collect();
        let parents: Vec<u32> =
            core::iter::once(NONE).chain(self.nodes.iter().map(|node| node.parent)).collect();
        let held = (1..).zip(&self.nodes).filter(|(_, node)| node.pinned).map(|(vertex, _)| vertex);
        let pins: Vec<u32> = core::iter::once(0).chain(held).collect();
        ModelBuilder::chains(&positions, &parents).pins(&pins)
    }

    /// The entity that a builder's complaint is about.
    fn part(&self, error: &BuildError) -> Option<Entity> {
        let vertex = match *error {
            BuildError::Defect(Defect::ZeroLengthEdge { b: vertex, .. })
            | BuildError::Defect(Defect::TooLarge { vertex } | Defect::NonFinite { vertex })
            | BuildError::FoldedChain { vertex } => vertex,
            _ => return None,
        };
        self.nodes.get(vertex.checked_sub(1)? as usize).map(|node| node.entity)
    }
}

/// What the tables of a cloth depend on besides the subtree. Another one seeds the cloth anew.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    density: Option<u32>,
    scale: u64,
    stiff_bend: bool,
    colliders: u32,
    source: Source,
}

/// Where the rows come from.
#[derive(Clone, Debug)]
enum Source {
    Subtree,
    Mesh(Arc<MeshSource>),
    Model(Arc<Baked>),
}

impl Recipe {
    /// The recipe of a cloth whose anchor has this scale.
    pub fn new(cloth: &Cloth, mesh: Option<&ClothMesh>, model: Option<&ClothModel>, scale: f64) -> Self {
        let source = match (model, mesh) {
            (Some(ClothModel(model)), _) => Source::Model(model.clone()),
            (None, Some(ClothMesh(mesh))) => Source::Mesh(mesh.clone()),
            (None, None) => Source::Subtree,
        };
        let Cloth { density, stiff_bend, colliders, .. } = *cloth;
        Self { density: density.map(f32::to_bits), scale: scale.to_bits(), stiff_bend, colliders, source }
    }

    /// The anchor's scale.
    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }

    /// Whether the cloth is what is attached to its anchor.
    pub fn is_subtree(&self) -> bool {
        matches!(self.source, Source::Subtree)
    }

    /// Whether both make the same tables.
    pub fn is_like(&self, other: &Self) -> bool {
        let settings = |recipe: &Self| (recipe.density, recipe.scale, recipe.stiff_bend, recipe.colliders);
        match (&self.source, &other.source) {
            (Source::Model(a), Source::Model(b)) => Arc::ptr_eq(a, b),
            (Source::Subtree, Source::Subtree) => settings(self) == settings(other),
            (Source::Mesh(a), Source::Mesh(b)) => {
                settings(self) == settings(other) && (Arc::ptr_eq(a, b) || a == b)
            }
            _ => false,
        }
    }

    /// Builds the model. `poses` are the subtree's.
    ///
    /// # Errors
    /// [`WorldError`], naming the anchor and, where it can, the part.
    pub fn build(
        &self,
        entity: Entity,
        subtree: &Subtree,
        poses: &[(Pose, f64)],
    ) -> Result<Arc<Baked>, WorldError> {
        let density = self.density.map(f32::from_bits);
        let builder = match &self.source {
            Source::Model(baked) => {
                return Ok(baked.clone());
            }
            Source::Mesh(mesh) => {
                let builder = mesh.builder(f64::from_bits(self.scale));
                density.into_iter().fold(builder, ModelBuilder::areal_density)
            }
            Source::Subtree if subtree.nodes.is_empty() => {
                return Err(WorldError::NothingToSimulate { entity });
            }
            Source::Subtree => density.into_iter().fold(subtree.builder(poses), ModelBuilder::linear_density),
        };
        let built = builder.stiff_bend(self.stiff_bend).colliders(self.colliders).build();
        built.map(Arc::new).map_err(|error| {
            let part = if self.is_subtree() { subtree.part(&error) } else { None };
            WorldError::Build { entity, part, error }
        })
    }
}
