//! Chains: every vertex hangs on its parent.

use super::aggregate::Facing;
use super::draft::Draft;
use super::measure::{self, extent, length};
use super::mesh::is_place;
use super::{BuildError, Defect, LIMIT};
use crate::Vec3;
use crate::index::NONE;
use crate::index::len32;
use crate::math::real::{is_finite, max};
use alloc::vec::Vec;

/// Nodes and rows of the chains: stretch rows to parents, skip rows to grandparents if `bend_rows`.
pub(crate) fn draft(positions: &[[f32; 3]], parents: &[u32], bend_rows: bool) -> Result<Draft, BuildError> {
    if positions.len() > LIMIT as usize {
        return Err(BuildError::TooMany { given: positions.len(), limit: LIMIT });
    }
    if positions.len() != parents.len() {
        return Err(BuildError::ParentCount { positions: positions.len(), parents: parents.len() });
    }
    if positions.is_empty() {
        return Err(BuildError::NoVertices);
    }
    let rest: Vec<Vec3> = positions.iter().map(|p| Vec3::from_array(*p)).collect();
    check_points(&rest)?;
    check_parents(parents)?;

    let no_length = measure::no_length(rest.iter().fold(0.0, |reach, p| max(extent(*p), reach)));
    let mut share = alloc::vec![0.0_f32; rest.len()];
    let mut linked = alloc::vec![false; rest.len()];
    let (mut stretch, mut skip) = (Vec::new(), Vec::new());
    for (&parent, child) in parents.iter().zip(0_u32..) {
        if parent == NONE {
            continue;
        }
        let long = length(rest[child as usize] - rest[parent as usize]);
        if long <= no_length {
            return Err(Defect::ZeroLengthEdge { a: parent.min(child), b: parent.max(child) }.into());
        }
        for end in [child, parent] {
            share[end as usize] += 0.5 * long;
            linked[end as usize] = true;
        }
        stretch.push([child.min(parent), child.max(parent)]);
        let grandparent = parents[parent as usize];
        if bend_rows && grandparent != NONE {
            if length(rest[child as usize] - rest[grandparent as usize]) <= no_length {
                return Err(BuildError::FoldedChain { vertex: child });
            }
            skip.push([child.min(grandparent), child.max(grandparent)]);
        }
    }
    if let Some((vertex, _)) = (0..).zip(&linked).find(|(_, linked)| !**linked) {
        return Err(Defect::IsolatedVertex { vertex }.into());
    }
    stretch.sort_unstable();
    skip.sort_unstable();
    let node_of: Vec<u32> = (0..len32(&rest)).collect();
    let facing = alloc::vec![Facing::default(); rest.len()];
    Ok(Draft { source_of: node_of.clone(), node_of, rest, share, facing, stretch, skip, ..Draft::default() })
}

fn check_points(points: &[Vec3]) -> Result<(), BuildError> {
    match (0..).zip(points).find(|(_, p)| !is_place(**p)) {
        None => Ok(()),
        Some((vertex, p)) if p.to_array().map(is_finite) == [true; 3] => {
            Err(Defect::TooLarge { vertex }.into())
        }
        Some((vertex, _)) => Err(Defect::NonFinite { vertex }.into()),
    }
}

/// Every parent exists, and following parents ends at a root.
fn check_parents(parents: &[u32]) -> Result<(), BuildError> {
    let count = len32(parents);
    for (&parent, vertex) in parents.iter().zip(0..) {
        if parent != NONE && parent >= count {
            return Err(BuildError::ParentOutOfRange { vertex, parent, count });
        }
    }
    // The walk that first came by a vertex; a walk that meets itself has gone round.
    let mut walk_of = alloc::vec![NONE; parents.len()];
    for walk in 0..count {
        let mut at = walk;
        while at != NONE && walk_of[at as usize] == NONE {
            walk_of[at as usize] = walk;
            at = parents[at as usize];
        }
        if at != NONE && walk_of[at as usize] == walk {
            // Walks start in ascending order, but the cycle may have been entered from outside it.
            let mut vertex = at;
            let mut on = parents[at as usize];
            while on != at {
                vertex = vertex.min(on);
                on = parents[on as usize];
            }
            return Err(BuildError::ParentCycle { vertex });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const LINE: [[f32; 3]; 4] = [[0.0; 3], [0.0, -1.0, 0.0], [0.0, -3.0, 0.0], [0.0, -4.0, 0.0]];

    fn error(positions: &[[f32; 3]], parents: &[u32]) -> Option<BuildError> {
        draft(positions, parents, true).err()
    }

    #[test]
    fn rows_and_shares_of_a_chain() -> Result<(), BuildError> {
        let draft = draft(&LINE, &[NONE, 0, 1, 2], true)?;
        assert_eq!(draft.stretch, vec![[0, 1], [1, 2], [2, 3]]);
        assert_eq!(draft.skip, vec![[0, 2], [1, 3]]);
        assert_eq!(draft.share, vec![0.5, 1.5, 1.5, 0.5]);
        Ok(())
    }

    #[test]
    fn parents_may_come_later_and_branch() -> Result<(), BuildError> {
        let draft = draft(&LINE, &[2, 2, 3, NONE], false)?;
        assert_eq!(draft.stretch, vec![[0, 2], [1, 2], [2, 3]]);
        assert!(draft.skip.is_empty());
        Ok(())
    }

    #[test]
    fn faults_name_their_vertices() {
        assert_eq!(error(&[], &[]), Some(BuildError::NoVertices));
        assert_eq!(error(&LINE, &[NONE]), Some(BuildError::ParentCount { positions: 4, parents: 1 }));
        let out = BuildError::ParentOutOfRange { vertex: 2, parent: 9, count: 4 };
        assert_eq!(error(&LINE, &[NONE, 0, 9, 2]), Some(out));
        assert_eq!(error(&LINE, &[NONE, 0, 2, 2]), Some(BuildError::ParentCycle { vertex: 2 }));
        assert_eq!(error(&LINE, &[3, 2, 3, 1]), Some(BuildError::ParentCycle { vertex: 1 }));
        let isolated = Defect::IsolatedVertex { vertex: 3 };
        assert_eq!(error(&LINE, &[NONE, 0, 1, NONE]), Some(isolated.into()));
        let mut positions = LINE;
        positions[2] = positions[1];
        assert_eq!(error(&positions, &[NONE, 0, 1, 2]), Some(Defect::ZeroLengthEdge { a: 1, b: 2 }.into()));
        positions[2] = positions[0];
        assert_eq!(error(&positions, &[NONE, 0, 1, 2]), Some(BuildError::FoldedChain { vertex: 2 }));
        positions[2] = [f32::NAN, 0.0, 0.0];
        assert_eq!(error(&positions, &[NONE, 0, 1, 2]), Some(Defect::NonFinite { vertex: 2 }.into()));
        positions[2] = [-2e6, 0.0, 0.0];
        assert_eq!(error(&positions, &[NONE, 0, 1, 2]), Some(Defect::TooLarge { vertex: 2 }.into()));
    }
}
