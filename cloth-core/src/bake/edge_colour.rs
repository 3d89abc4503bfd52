//! Colours of rows: rows of one colour share no node and may be solved at the same time.

use crate::index::{NONE, len32};
use crate::model::record::LANES;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The colours that the rows at a node have taken.
#[derive(Clone, Default)]
struct Taken {
    /// All colours below this one are.
    below: u32,
    /// So are these, and `below` is none of them.
    above: BTreeSet<u32>,
}

impl Taken {
    fn holds(&self, colour: u32) -> bool {
        colour < self.below || self.above.contains(&colour)
    }

    fn take(&mut self, colour: u32) {
        self.above.insert(colour);
        while self.above.first() == Some(&self.below) {
            self.above.pop_first();
            self.below += 1;
        }
    }
}

/// A colour for each of `rows` between nodes below `nodes`, numbered from 0 without gaps: in the order of the rows, each
/// takes the lowest colour that is free at all its nodes.
///
/// A sweep by these colours is a stable one. The lowest free colour follows the order of the rows, so on a grid a
/// colour holds rows of one direction, and there are few: at most 2Δ − 1 for rows of two nodes with Δ rows at the
/// busiest of them (Vizing's Δ + 1 need an order that runs back and forth over the cloth).
pub(crate) fn colours<const N: usize>(nodes: u32, rows: &[[u32; N]]) -> Vec<u32> {
    let mut taken = alloc::vec![Taken::default(); nodes as usize];
    let mut colours = Vec::with_capacity(rows.len());
    for row in rows {
        let mut colour = row.iter().map(|node| taken[*node as usize].below).max().unwrap_or(0);
        while row.iter().any(|node| taken[*node as usize].holds(colour)) {
            colour += 1;
        }
        for node in row {
            taken[*node as usize].take(colour);
        }
        colours.push(colour);
    }
    colours
}

/// How many colours there are.
pub(crate) fn count(colours: &[u32]) -> u32 {
    colours.iter().max().map_or(0, |last| last + 1)
}

/// The rows in the order of a sweep: by colour and then by number, each colour cut into groups of eight. The last group
/// of a colour is filled up with [`NONE`].
pub(crate) fn groups(colours: &[u32]) -> Vec<[u32; LANES]> {
    let mut order: Vec<u32> = (0..len32(colours)).collect();
    let colour = |row: u32| colours[row as usize];
    order.sort_unstable_by_key(|row| (colour(*row), *row));
    let of_colour = order.chunk_by(|one, other| colour(*one) == colour(*other));
    let full = of_colour.flat_map(|rows| rows.chunks(LANES));
    full.map(|rows| core::array::from_fn(|lane| rows.get(lane).copied().unwrap_or(NONE))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn a_path_takes_two_colours_and_a_star_as_many_as_it_has_rows() {
        assert_eq!(colours(5, &[[0, 1], [1, 2], [2, 3], [3, 4]]), vec![0, 1, 0, 1]);
        let star: Vec<[u32; 2]> = (1..4000).map(|leaf| [0, leaf]).collect();
        assert_eq!(colours(4000, &star), (0..3999).collect::<Vec<u32>>());
        assert_eq!(count(&colours(3, &[] as &[[u32; 2]])), 0);
    }

    #[test]
    fn groups_hold_one_colour_each() {
        let mut colours = vec![0; 9];
        colours.extend([2, 1, 2]);
        let last =
            |rows: &[u32]| -> [u32; LANES] { core::array::from_fn(|lane| *rows.get(lane).unwrap_or(&NONE)) };
        assert_eq!(groups(&colours), vec![[0, 1, 2, 3, 4, 5, 6, 7], last(&[8]), last(&[10]), last(&[9, 11])]);
        assert_eq!(groups(&[]), vec![[0; LANES]; 0]);
    }

    proptest! {
        #[test]
        fn rows_of_a_colour_share_no_node_and_none_could_have_a_lower_one(
            draws in prop::collection::vec(prop::array::uniform4(0_u32..40), 0..200),
        ) {
            let apart = |row: &[u32; 4]| (0..4).all(|i| (0..i).all(|j| row[i] != row[j]));
            let mut rows: Vec<[u32; 4]> = draws.into_iter().filter(apart).collect();
            rows.sort_unstable();
            rows.dedup();
            let found = colours(40, &rows);
            for (place, row) in rows.iter().enumerate() {
                let meet = |other: usize| rows[other].iter().any(|node| row.contains(node));
                prop_assert!((0..place).all(|other| found[other] != found[place] || !meet(other)));
                for lower in 0..found[place] {
                    prop_assert!((0..place).any(|other| found[other] == lower && meet(other)));
                }
            }
            let groups = groups(&found);
            let mut swept: Vec<u32> = groups.as_flattened().iter().copied().filter(|row| *row != NONE).collect();
            prop_assert!(swept.iter().map(|row| (found[*row as usize], *row)).is_sorted());
            swept.sort_unstable();
            prop_assert_eq!(swept, (0..len32(&rows)).collect::<Vec<u32>>());
        }
    }
}
