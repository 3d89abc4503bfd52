//! A hierarchy of boxes: leaves that come, go and are found by the boxes they meet.
//!
//! A binary tree, each node's box being the smallest with those of its children in it. Leaves are inserted where the surface of all
//! boxes grows least (J. Goldsmith & J. Salmon, *Automatic creation of object hierarchies for ray tracing*, 1987). On the
//! way up a child changes places with a nephew where that makes a box smaller, and comes up where it is much higher than its sibling, so
//! that what comes in a row makes no list (E. Catto, *Dynamic bounding volume hierarchies*, GDC 2019).
//!
//! Boxes are kept as they are given, in `f64`: unions round nothing. The shape of the tree follows from its history;
//! what is found does not.

use crate::pose::Bounds;
use core::cmp::Ordering;
use slab::Slab;

/// By how much one child may not be higher than the other: less, and boxes are forced together that belong apart.
const STEEP: u32 = 4;

/// Leaves by what they stand for.
#[derive(Clone, Debug)]
pub(super) struct Boxes<T> {
    nodes: Slab<Node<T>>,
    root: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Node<T> {
    bounds: Bounds,
    parent: Option<usize>,
    height: u32,
    inside: Inside<T>,
}

#[derive(Clone, Copy, Debug)]
enum Inside<T> {
    Leaf(T),
    Two([usize; 2]),
}

impl<T> Default for Boxes<T> {
    fn default() -> Self {
        Self { nodes: Slab::new(), root: None }
    }
}

impl<T: Copy> Boxes<T> {
    /// A hierarchy of all leaves at once: cheaper than one by one, and as good.
    pub fn of(leaves: &mut [(Bounds, T)]) -> Self {
        let mut boxes = Self { nodes: Slab::with_capacity((2 * leaves.len()).saturating_sub(1)), root: None };
        boxes.root = boxes.halved(leaves);
        boxes
    }

    /// The node of some leaves: the halves to both sides of the median, along the axis on which their middles are furthest apart.
    fn halved(&mut self, leaves: &mut [(Bounds, T)]) -> Option<usize> {
        let middle = |bounds: &Bounds, axis: usize| 0.5 * bounds.low[axis] + 0.5 * bounds.high[axis];
        if let [(bounds, item)] = leaves {
            return Some(self.leaf(*bounds, *item));
        }
        let spread = leaves.iter().fold(Bounds::NONE, |spread, (bounds, _)| {
            spread.with([0, 1, 2].map(|axis| middle(bounds, axis)))
        });
        let width = |axis: usize| spread.high[axis] - spread.low[axis];
        let axis = [1, 2]
            .into_iter()
            .fold(0, |widest, axis| if width(axis) > width(widest) { axis } else { widest });
        let half = leaves.len() / 2;
        if half == 0 {
            return None;
        }
        leaves.sort_by(|(a, _), (b, _)| middle(a, axis).total_cmp(&middle(b, axis)));
        let (left, right) = leaves.split_at_mut(half);
        let children = [self.halved(left)?, self.halved(right)?];
        Some(self.join(children, None))
    }

    fn leaf(&mut self, bounds: Bounds, item: T) -> usize {
        self.nodes.insert(Node { bounds, parent: None, height: 0, inside: Inside::Leaf(item) })
    }

    /// A node above two.
    fn join(&mut self, children: [usize; 2], parent: Option<usize>) -> usize {
        let inside = Inside::Two(children);
        let node = self.nodes.insert(Node { bounds: Bounds::NONE, parent, height: 0, inside });
        for child in children {
            self.nodes[child].parent = Some(node);
        }
        self.fit(node);
        node
    }

    /// Puts a leaf in; its number is its own until it is removed.
    pub fn insert(&mut self, bounds: Bounds, item: T) -> usize {
        let leaf = self.leaf(bounds, item);
        let Some(mut at) = self.root else {
            self.root = Some(leaf);
            return leaf;
        };
        while let Inside::Two([a, b]) = self.nodes[at].inside {
            let joined = surface(&self.nodes[at].bounds.union(&bounds));
            // What the boxes from here up grow by is paid whichever child takes it.
            let inherited = joined - surface(&self.nodes[at].bounds);
            let below = |child: usize| {
                let Node { bounds: old, inside, .. } = &self.nodes[child];
                let grown = surface(&old.union(&bounds));
                inherited + if matches!(inside, Inside::Leaf(_)) { grown } else { grown - surface(old) }
            };
            let (a_costs, b_costs) = (below(a), below(b));
            if joined < a_costs && joined < b_costs {
                break;
            }
            at = if a_costs < b_costs { a } else { b };
        }
        let above = self.nodes[at].parent;
        let parent = self.join([at, leaf], above);
        self.put(above, at, parent);
        let parent = self.balanced(parent);
        self.fit(parent);
        self.refit(above);
        leaf
    }

    /// Takes a leaf out.
    pub fn remove(&mut self, leaf: usize) {
        let Node { parent, .. } = self.nodes.remove(leaf);
        let Some(parent) = parent else {
            self.root = None;
            return;
        };
        let Node { parent: above, inside, .. } = self.nodes.remove(parent);
        if let Inside::Two([a, b]) = inside {
            let sibling = if a == leaf { b } else { a };
            self.nodes[sibling].parent = above;
            self.put(above, parent, sibling);
        }
        self.refit(above);
    }

    /// A leaf's box.
    pub fn bounds(&self, leaf: usize) -> Bounds {
        self.nodes[leaf].bounds
    }

    /// The box with all in it.
    pub fn extent(&self) -> Bounds {
        self.root.map_or(Bounds::NONE, |root| self.nodes[root].bounds)
    }

    /// Calls `each` for the leaves whose boxes `opens` opens, and those of all nodes above them; in no order that means anything.
    /// `waiting` is room for nodes on the way, which `each` may use for a walk of its own.
    pub fn walk(
        &self,
        waiting: &mut Vec<usize>,
        mut opens: impl FnMut(&Bounds) -> bool,
        mut each: impl FnMut(T, &mut Vec<usize>),
    ) {
        let begin = waiting.len();
        waiting.extend(self.root.filter(|&root| opens(&self.nodes[root].bounds)));
        while let Some(node) = waiting.get(begin..).and_then(|own| own.last().copied()) {
            waiting.pop();
            match self.nodes[node].inside {
                Inside::Leaf(item) => each(item, waiting),
                Inside::Two(children) => {
                    waiting.extend(children.into_iter().filter(|&child| opens(&self.nodes[child].bounds)));
                }
            }
        }
    }

    /// Memory of its nodes, at most (bytes).
    pub fn bytes(&self) -> usize {
        super::bytes_of(&self.nodes)
    }

    /// Puts a node in another's place below their parent.
    fn put(&mut self, parent: Option<usize>, old: usize, new: usize) {
        let Some(parent) = parent else {
            self.root = Some(new);
            return;
        };
        if let Inside::Two(children) = &mut self.nodes[parent].inside {
            *children = children.map(|child| if child == old { new } else { child });
        }
    }

    /// Makes a node's box and height what its children's make it.
    fn fit(&mut self, node: usize) {
        if let Inside::Two([a, b]) = self.nodes[node].inside {
            let (a, b) = (&self.nodes[a], &self.nodes[b]);
            let (bounds, height) = (a.bounds.union(&b.bounds), a.height.max(b.height) + 1);
            let node = &mut self.nodes[node];
            (node.bounds, node.height) = (bounds, height);
        }
    }

    /// Balances, rotates and fits a node and those above it, as far up as that changes anything.
    fn refit(&mut self, mut node: Option<usize>) {
        while let Some(at) = node {
            let before = (self.nodes[at].bounds, self.nodes[at].height);
            let at = self.balanced(at);
            self.rotate(at);
            self.fit(at);
            let Node { bounds, height, parent, .. } = self.nodes[at];
            node = if before == (bounds, height) { None } else { parent };
        }
    }

    /// Lets a child of a node and a child of its other child change places where that makes the other child smallest, and smaller
    /// than it was.
    fn rotate(&mut self, node: usize) {
        let Inside::Two([a, b]) = self.nodes[node].inside else {
            return;
        };
        let mut best = (0.0, None);
        for (near, far) in [(a, b), (b, a)] {
            let Inside::Two([c, d]) = self.nodes[far].inside else {
                continue;
            };
            let size = surface(&self.nodes[far].bounds);
            for (up, stays) in [(c, d), (d, c)] {
                let gain = size - surface(&self.nodes[near].bounds.union(&self.nodes[stays].bounds));
                if gain > best.0 {
                    best = (gain, Some((near, far, up, stays)));
                }
            }
        }
        if let (_, Some((near, far, up, stays))) = best {
            self.nodes[node].inside = Inside::Two([up, far]);
            self.nodes[far].inside = Inside::Two([near, stays]);
            self.nodes[up].parent = Some(node);
            self.nodes[near].parent = Some(far);
            self.fit(far);
        }
    }

    /// Of a node one child of which is higher than the other by [`STEEP`] and more: the child comes up in its place, keeps the higher of
    /// its own children, and the node takes the other one; of equally high ones that which makes it smaller. The node that is
    /// there now.
    fn balanced(&mut self, node: usize) -> usize {
        let Inside::Two([a, b]) = self.nodes[node].inside else {
            return node;
        };
        let height = |of: usize| self.nodes[of].height;
        let (low, high) = if height(a) < height(b) { (a, b) } else { (b, a) };
        let Inside::Two([c, d]) = self.nodes[high].inside else {
            return node;
        };
        if height(high) < height(low) + STEEP {
            return node;
        }
        let taken = |child: usize| surface(&self.nodes[low].bounds.union(&self.nodes[child].bounds));
        let keeps_first = match height(c).cmp(&height(d)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => taken(d) < taken(c),
        };
        let (kept, given) = if keeps_first { (c, d) } else { (d, c) };
        let above = self.nodes[node].parent;
        self.put(above, node, high);
        self.nodes[high].parent = above;
        self.nodes[high].inside = Inside::Two([node, kept]);
        self.nodes[node].parent = Some(high);
        self.nodes[node].inside = Inside::Two([low, given]);
        self.nodes[given].parent = Some(node);
        self.fit(node);
        high
    }
}

/// Half of a box's surface (m²).
fn surface(bounds: &Bounds) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| bounds.high[axis] - bounds.low[axis]);
    x * y + y * z + z * x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(x: f64, y: f64) -> Bounds {
        Bounds { low: [x, y, 0.0], high: [x + 0.5, y + 0.5, 0.5] }
    }

    /// Links, boxes and heights of all nodes are right; returns how many leaves there are.
    fn check(boxes: &Boxes<u32>) -> usize {
        let mut leaves = 0_usize;
        for (number, node) in &boxes.nodes {
            match node.parent {
                None => assert_eq!(boxes.root, Some(number)),
                Some(parent) => {
                    assert!(matches!(boxes.nodes[parent].inside, Inside::Two(c) if c.contains(&number)))
                }
            }
            match node.inside {
                Inside::Leaf(_) => leaves += 1,
                Inside::Two([a, b]) => {
                    let (a, b) = (&boxes.nodes[a], &boxes.nodes[b]);
                    assert_eq!(node.bounds, a.bounds.union(&b.bounds));
                    assert_eq!(node.height, a.height.max(b.height) + 1);
                }
            }
        }
        assert_eq!(boxes.nodes.len(), (2 * leaves).saturating_sub(1));
        leaves
    }

    fn met(boxes: &Boxes<u32>, within: Bounds) -> (Vec<u32>, usize) {
        let (mut items, mut looked_at) = (Vec::new(), 0);
        boxes.walk(
            &mut Vec::new(),
            |bounds| {
                looked_at += 1;
                bounds.meets(&within)
            },
            |item, _| items.push(item),
        );
        items.sort_unstable();
        (items, looked_at)
    }

    #[test]
    fn what_comes_in_a_row_makes_no_list() {
        let mut boxes = Boxes::default();
        for i in 0..1024_u32 {
            boxes.insert(cube(f64::from(i), 0.0), i);
        }
        assert_eq!(check(&boxes), 1024);
        let height = boxes.nodes[boxes.root.unwrap()].height;
        assert!(height <= 15, "{height} high");
        let (items, looked_at) = met(&boxes, cube(500.2, 0.2));
        assert_eq!(items, [500]);
        assert!(looked_at <= 40, "{looked_at} boxes looked at");
    }

    #[test]
    fn boxes_at_one_place_are_all_found_and_all_removed() {
        let mut boxes = Boxes::default();
        let leaves: Vec<usize> = (0..200).map(|i| boxes.insert(cube(0.0, 0.0), i)).collect();
        assert!(boxes.nodes[boxes.root.unwrap()].height <= 12);
        assert_eq!(met(&boxes, cube(0.1, 0.1)).0.len(), 200);
        for (gone, &leaf) in leaves.iter().enumerate() {
            boxes.remove(leaf);
            assert_eq!(check(&boxes), 199 - gone);
        }
        assert!(boxes.root.is_none() && boxes.extent() == Bounds::NONE);
    }

    #[test]
    fn all_at_once_finds_what_one_by_one_finds() {
        for count in [0, 1, 2, 3, 100_u32] {
            let mut leaves: Vec<(Bounds, u32)> =
                (0..count).map(|i| (cube(f64::from(i % 10), f64::from(i / 10)), i)).collect();
            let mut single = Boxes::default();
            for &(bounds, i) in &leaves {
                single.insert(bounds, i);
            }
            let whole = Boxes::of(&mut leaves);
            assert_eq!((check(&whole), check(&single)), (leaves.len(), leaves.len()));
            let within = Bounds { low: [1.2, 2.2, 0.0], high: [4.2, 5.2, 1.0] };
            assert_eq!(met(&whole, within).0, met(&single, within).0);
        }
    }
}
