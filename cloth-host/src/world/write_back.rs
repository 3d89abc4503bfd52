//! From particles to the entities of a subtree: where each is, and how it is turned.

use super::seed::Subtree;
use super::{Attachment, Transform};
use crate::pose::{IDENTITY, Pose, arc, sub, times, turn, unit};
use hecs::{Entity, World as Entities};

/// What a subtree looked like when it was seeded, and how its nodes are turned with their links.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    /// Authored poses in the anchor's frame, and sizes; the anchor first.
    rest: Vec<(Pose, f64)>,
    /// For each vertex the one its link leads to: the first that hangs on it, or itself if none does.
    toward: Vec<usize>,
    parents: Vec<usize>,
    /// Authored scales of the nodes, in their parents; the anchor has none.
    scales: Vec<[f64; 3]>,
}

/// Where a vertex is, and how far its link is turned from its authored direction.
#[derive(Clone, Copy, Debug)]
struct Placed {
    pose: Pose,
    swing: [f64; 4],
}

impl Skeleton {
    /// The skeleton of a subtree.
    pub fn new(subtree: &Subtree, rest: Vec<(Pose, f64)>) -> Self {
        let mut toward: Vec<usize> = (0..rest.len()).collect();
        let mut parents = vec![0; rest.len()];
        for (vertex, node) in (1..).zip(&subtree.nodes) {
            let parent = node.parent as usize;
            parents[vertex] = parent;
            if toward[parent] == parent {
                toward[parent] = vertex;
            }
        }
        let scales = subtree.nodes.iter().map(|node| node.authored.scale).collect();
        Self { rest, toward, parents, scales }
    }

    /// Authored poses in the anchor's frame, and sizes; the anchor first.
    pub fn rest(&self) -> &[(Pose, f64)] {
        &self.rest
    }

    /// Poses of the vertices in the anchor's frame for positions there (m); the anchor's own first.
    ///
    /// A node is turned as its link to the first node below it is, by the shortest arc from where its parent's turn would have
    /// left that link; a last one as the link that leads to it. So a twist is passed on and none is made up.
    pub fn poses(&self, positions: &[[f64; 3]]) -> Vec<Pose> {
        self.place(positions).into_iter().map(|placed| placed.pose).collect()
    }

    fn place(&self, positions: &[[f64; 3]]) -> Vec<Placed> {
        let mut placed: Vec<Placed> = Vec::with_capacity(self.rest.len());
        let links = self.rest.iter().zip(&self.toward).zip(&self.parents).zip(positions);
        for (vertex, ((((rest, _), toward), parent), position)) in links.enumerate() {
            let above = placed.get(*parent).map_or(IDENTITY, |parent| parent.swing);
            let swing = match (self.rest.get(*toward), positions.get(*toward)) {
                _ if vertex == 0 => IDENTITY,
                (Some((end, _)), Some(now)) if *toward != vertex => {
                    let link = turn(above, sub(end.translation, rest.translation));
                    unit(times(arc(link, sub(*now, *position)), above)).unwrap_or(above)
                }
                _ => match (self.rest.get(*parent), positions.get(*parent)) {
                    // A last node on a node that looks elsewhere has a link of its own.
                    (Some((start, _)), Some(from)) if self.toward.get(*parent) != Some(&vertex) => {
                        let link = turn(above, sub(rest.translation, start.translation));
                        unit(times(arc(link, sub(*position, *from)), above)).unwrap_or(above)
                    }
                    _ if *parent == 0 => match positions.first() {
                        Some(from) => arc(rest.translation, sub(*position, *from)),
                        None => above,
                    },
                    _ => above,
                },
            };
            let rotation = times(swing, rest.rotation);
            let pose = Pose { translation: *position, rotation: unit(rotation).unwrap_or(rotation) };
            placed.push(Placed { pose, swing });
        }
        placed
    }

    /// Fills in the local transforms of the nodes for positions in the anchor's frame (m). Whoever took the step does this, beside the
    /// thread that owns the scene.
    pub fn locals(&self, positions: &[[f32; 3]], locals: &mut Vec<Transform>) {
        let wide: Vec<[f64; 3]> = positions.iter().map(|at| at.map(f64::from)).collect();
        let placed = self.place(&wide);
        let nodes = placed.iter().zip(&self.parents).skip(1).zip(&self.scales);
        locals.clear();
        locals.extend(nodes.filter_map(|((node, parent), scale)| {
            let (above, (_, size)) = (placed.get(*parent)?, self.rest.get(*parent)?);
            Some(Transform::from_seen(&above.pose, *size, &node.pose, *scale))
        }));
    }
}

/// Writes the local transforms of the nodes of `top` that it moves, of which `moves` tells. The cascade that follows writes from them
/// where in the world that is.
pub(super) fn write(
    top: Entity,
    subtree: &Subtree,
    moves: &[bool],
    locals: &[Transform],
    entities: &mut Entities,
) {
    let mut attached = entities.query::<&mut Attachment>();
    let mut attached = attached.view();
    for ((node, moves), local) in subtree.nodes.iter().zip(moves).zip(locals) {
        // An entity that went, or hangs elsewhere by now, or on another cloth, is left alone.
        if !moves {
            continue;
        }
        let Some(attachment) = attached.get_mut(node.entity) else { continue };
        if attachment.parent == subtree.parent(top, node) {
            attachment.local = *local;
        }
    }
}
