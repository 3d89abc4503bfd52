//! From particles to the entities of a subtree: where each is, and how it is turned.

use super::authored::Authored;
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
        Self { rest, toward, parents }
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
        let mut poses = Vec::with_capacity(self.rest.len());
        let mut turns: Vec<[f64; 4]> = Vec::with_capacity(self.rest.len());
        let links = self.rest.iter().zip(&self.toward).zip(&self.parents).zip(positions);
        for (vertex, ((((rest, _), toward), parent), position)) in links.enumerate() {
            let above = turns.get(*parent).copied().unwrap_or(IDENTITY);
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
            turns.push(swing);
            let rotation = times(swing, rest.rotation);
            poses.push(Pose { translation: *position, rotation: unit(rotation).unwrap_or(rotation) });
        }
        poses
    }

    /// Writes the local transforms of the subtree of `top` for positions in the anchor's frame. The cascade that follows writes from
    /// them where in the world that is.
    pub fn write(
        &self,
        top: Entity,
        subtree: &Subtree,
        positions: &[[f64; 3]],
        authored: &Authored,
        entities: &mut Entities,
    ) {
        let poses = self.poses(positions);
        let mut attached = entities.query::<&mut Attachment>();
        let mut attached = attached.view();
        for (node, pose) in subtree.nodes.iter().zip(poses.iter().skip(1)) {
            let (Some(above), Some((_, above_size))) =
                (poses.get(node.parent as usize), self.rest.get(node.parent as usize))
            else {
                continue;
            };
            // An entity that went, or hangs elsewhere by now, or on another cloth, is left alone.
            if !authored.is_moved_by(node.entity, top) {
                continue;
            }
            let Some(attachment) = attached.get_mut(node.entity) else { continue };
            if attachment.parent != subtree.parent(top, node) {
                continue;
            }
            attachment.local = Transform::from_seen(above, *above_size, pose, node.authored.scale);
        }
    }
}
