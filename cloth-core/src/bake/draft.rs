//! A cloth before its particles are numbered: nodes in the order of their first vertices, and rows between them.

use super::aggregate::Facing;
use super::sets::Sets;
use crate::Vec3;
use crate::index::len32;
use crate::model::record::Backstop;
use alloc::vec::Vec;

/// Everything about a cloth that does not depend on the numbering of particles.
#[derive(Default)]
pub(crate) struct Draft {
    /// Vertex → node.
    pub(crate) node_of: Vec<u32>,
    /// Node → first vertex.
    pub(crate) source_of: Vec<u32>,
    /// Rest positions (m).
    pub(crate) rest: Vec<Vec3>,
    /// Each node's share of the area (m²) or length (m), for densities.
    pub(crate) share: Vec<f32>,
    /// Which way each node's triangles face; none of chains.
    pub(crate) facing: Vec<Facing>,
    /// Masses (kg).
    pub(crate) mass: Vec<f32>,
    pub(crate) pinned: Vec<bool>,
    /// Whether particles are tethered to their nearest pins.
    pub(crate) tethers: bool,
    /// Whether no bend rows are merged.
    pub(crate) stiff_bend: bool,
    /// Ends of the stretch rows, `a < b`, sorted.
    pub(crate) stretch: Vec<[u32; 2]>,
    /// Stiffness of each stretch row (N/m).
    pub(crate) stiffness: Vec<f32>,
    /// Ends of the skip rows, `a < b`, sorted.
    pub(crate) skip: Vec<[u32; 2]>,
    /// Ends of shared edges and the corners opposite, the third left of the first two.
    pub(crate) hinges: Vec<[u32; 4]>,
    /// Triangles the rows came from.
    pub(crate) triangles: u32,
    /// Their corners as they are wound; links of chains are in `stretch`.
    pub(crate) faces: Vec<[u32; 3]>,
    /// Each vertex's backstop; empty for none.
    pub(crate) backstops: Vec<Backstop>,
    /// Most colliders at a time.
    pub(crate) colliders: u32,
}

impl Draft {
    /// How many pieces there are without a stretch row between them.
    pub(crate) fn components(&self) -> u32 {
        let mut pieces = Sets::new(len32(&self.rest));
        for &[a, b] in &self.stretch {
            pieces.join(a, b);
        }
        let roots =
            pieces.into_names().into_iter().zip(0..).filter(|&(name, node): &(u32, u32)| name == node);
        roots.fold(0, |count, _| count + 1)
    }
}
