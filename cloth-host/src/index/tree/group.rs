//! Bodies that come and go together, and whole indices that come.

use std::sync::Arc;

use super::boxes::Boxes;
use super::{Entry, Gone, Home, Item, Tree};
use crate::hash::Hasher;
use crate::index::nearest::Met;
use crate::index::{Body, Handle, Query};
use crate::pose::Bounds;

/// A group of bodies: the first of its handles, which are consecutive, a body each in the order they were given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(pub Handle);

/// A group in a tree.
#[derive(Clone, Debug)]
pub(super) struct Members {
    first: Handle,
    of: Arc<Standing>,
    home: Home,
    /// The tick it came in.
    pub came: u64,
}

/// A group's bodies. They never change, so whoever keeps the group keeps these.
#[derive(Debug)]
struct Standing {
    bodies: Vec<Body>,
    /// Their boxes, inflation left out.
    bounds: Vec<Bounds>,
    boxes: Boxes<usize>,
    /// Those without bounds.
    aside: Vec<usize>,
    /// All that any of them is in and meets.
    layer: u32,
    mask: u32,
}

/// A group as a snapshot has it: under which handles, and the bodies, which are shared.
#[derive(Clone, Debug)]
pub(crate) struct HeldGroup {
    first: Handle,
    of: Arc<Standing>,
}

impl HeldGroup {
    /// Whether it is that group.
    fn is(&self, members: &Members) -> bool {
        self.first == members.first && Arc::ptr_eq(&self.of, &members.of)
    }
}

/// Two are equal that have the same handles and equal bodies.
impl PartialEq for HeldGroup {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first && (Arc::ptr_eq(&self.of, &other.of) || self.of.bodies == other.of.bodies)
    }
}

impl Members {
    fn new(bodies: &[Body], shapes: &[u32]) -> Self {
        let of = Arc::new(Standing::new(bodies, shapes));
        Self { first: Handle(0), of, home: Home::Aside, came: 0 }
    }

    pub fn gone(&self) -> Gone {
        Gone { bounds: self.of.extent(), layer: self.of.layer, mask: self.of.mask }
    }

    pub fn body(&self, which: u64) -> Option<&Body> {
        self.of.bodies.get(usize::try_from(which).ok()?)
    }

    /// Calls `met` for all that meets the query, and `looked` for every comparison.
    pub fn collect<'t>(
        &'t self,
        query: &Query,
        shapes: &[u32],
        met: &mut impl FnMut(Met<'t>),
        looked: &impl Fn(),
        waiting: &mut Vec<usize>,
    ) {
        let Standing { bodies, bounds, boxes, aside, .. } = &*self.of;
        let mut tell = |which: usize| {
            let body = &bodies[which];
            let handle = Handle(self.first.0 + which as u64);
            met(Met { handle, body, previous: body.pose, bounds: bounds[which] });
        };
        boxes.walk(
            waiting,
            |bounds| {
                looked();
                bounds.meets(&query.bounds)
            },
            // What does not move has no slack: its leaf is its box.
            |which, _| {
                if bodies[which].is_for(query) {
                    tell(which);
                }
            },
        );
        for &which in aside {
            looked();
            let body = &bodies[which];
            if body.is_for(query) && body.meets(&body.pose, &query.bounds, shapes) {
                tell(which);
            }
        }
    }

    pub fn hash(&self, hasher: &mut Hasher) {
        for body in &self.of.bodies {
            body.hash(hasher);
        }
    }

    /// Memory beside its own size, at most (bytes): also where a snapshot has a share in it.
    pub fn bytes(&self) -> usize {
        let Standing { bodies, bounds, boxes, aside, .. } = &*self.of;
        size_of::<Standing>()
            + bodies.capacity() * size_of::<Body>()
            + bounds.capacity() * size_of::<Bounds>()
            + aside.capacity() * size_of::<usize>()
            + boxes.bytes()
    }
}

impl Standing {
    fn new(bodies: &[Body], shapes: &[u32]) -> Self {
        let bounds: Vec<Bounds> = bodies.iter().map(|body| body.bounds(&body.pose, shapes)).collect();
        let (mut leaves, mut aside) = (Vec::with_capacity(bodies.len()), Vec::new());
        for (which, (body, bounds)) in bodies.iter().zip(&bounds).enumerate() {
            let grown = bounds.grown(f64::from(body.shape.inflation));
            if grown.is_finite() {
                leaves.push((grown, which));
            } else {
                aside.push(which);
            }
        }
        Self {
            boxes: Boxes::of(&mut leaves),
            layer: bodies.iter().fold(0, |layer, body| layer | body.shape.layer),
            mask: bodies.iter().fold(0, |mask, body| mask | body.shape.mask),
            bodies: bodies.to_vec(),
            bounds,
            aside,
        }
    }

    /// The box with all in it.
    fn extent(&self) -> Bounds {
        if self.aside.is_empty() { self.boxes.extent() } else { Bounds::EVERYWHERE }
    }
}

impl Tree {
    /// Puts bodies in that never move and go together. It costs what a hierarchy of them alone costs, k·log²k for k bodies, and
    /// one leaf here. [`ColliderIndex`](super::ColliderIndex)'s `remove`, `set_pose` and `replace` know none of them.
    ///
    /// A group of no bodies has a handle too, which no body has.
    pub fn insert_group(&mut self, bodies: &[Body], shapes: &[u32]) -> Group {
        self.take_in(Members::new(bodies, shapes), None)
    }

    /// Takes a group out; `false` where there is none.
    pub fn remove_group(&mut self, group: Group) -> bool {
        let Some((Item::Group(place), 0)) = self.ledger.find(group.0) else {
            return false;
        };
        let members = self.groups.remove(place);
        self.unsettle(members.home, Item::Group(place));
        self.gone[0].push(members.gone());
        self.ledger.strike(group.0);
        self.count -= members.of.bodies.len();
        true
    }

    /// All groups, by rising handle.
    pub(crate) fn held_groups(&self) -> impl Iterator<Item = HeldGroup> + '_ {
        let groups = self.ledger.iter().filter_map(|(_, item)| match item {
            Item::Group(place) => self.groups.get(place),
            Item::Body(_) => None,
        });
        groups.map(|Members { first, of, .. }| HeldGroup { first: *first, of: of.clone() })
    }

    /// Takes out all groups but these, which are by rising handle.
    pub(crate) fn retain_groups(&mut self, held: &[HeldGroup]) {
        let place = |first: Handle| held.binary_search_by_key(&first, |group| group.first);
        let goes = |members: &&Members| !place(members.first).is_ok_and(|place| held[place].is(members));
        let gone: Vec<Group> =
            self.groups.iter().map(|(_, members)| members).filter(goes).map(|it| Group(it.first)).collect();
        for group in gone {
            self.remove_group(group);
        }
    }

    /// Puts those groups in again under their handles that are not there.
    pub(crate) fn return_groups(&mut self, held: &[HeldGroup]) {
        for HeldGroup { first, of } in held {
            if self.ledger.find(*first).is_some() {
                continue;
            }
            let (first, of) = (*first, of.clone());
            let place = self.groups.vacant_key();
            let (count, extent) = (of.bodies.len(), of.extent());
            self.ledger.put_back(first, count.max(1) as u64, Item::Group(place));
            let home = self.settle(&extent, Item::Group(place));
            self.count += count;
            self.groups.insert(Members { first, of, home, came: self.tick });
        }
    }

    /// Takes all bodies and groups of another index over, one that another thread filled, say. Returns by how much their handles
    /// rise: [`Handle::risen`] and [`Group::risen`] are what they have here. They come after all that is here, in the order they
    /// had, and bodies that moved in this tick there have moved here. Groups are taken over whole, without a look at their bodies.
    pub fn absorb(&mut self, mut other: Self) -> u64 {
        let by = self.ledger.next();
        let lines: Vec<(Handle, Item)> = other.ledger.iter().collect();
        for (handle, item) in lines {
            let handle = handle.risen(by);
            match item {
                Item::Body(place) => self.take_over(handle, other.bodies.remove(place)),
                Item::Group(place) => {
                    self.take_in(other.groups.remove(place), Some(handle));
                }
            }
        }
        self.ledger.skip_to(by + other.ledger.next());
        by
    }

    fn take_over(&mut self, handle: Handle, entry: Entry) {
        self.ledger.skip_to(handle.0);
        self.ledger.give(1, Item::Body(self.bodies.vacant_key()));
        let has_moved = entry.has_moved;
        // Nobody here saw it move in the last tick.
        let place = self.admit(Entry { handle, trail: Bounds::NONE, ..entry });
        if has_moved {
            self.moved.push(place);
        }
    }

    fn take_in(&mut self, mut members: Members, handle: Option<Handle>) -> Group {
        let place = self.groups.vacant_key();
        self.ledger.skip_to(handle.map_or(0, |handle| handle.0));
        let count = members.of.bodies.len().max(1) as u64;
        (members.first, members.came) = (self.ledger.give(count, Item::Group(place)), self.tick);
        members.home = self.settle(&members.of.extent(), Item::Group(place));
        self.count += members.of.bodies.len();
        let group = Group(members.first);
        self.groups.insert(members);
        group
    }
}

impl Group {
    /// The group that it is in the index that absorbed its own.
    #[must_use]
    pub fn risen(self, by: u64) -> Self {
        Self(self.0.risen(by))
    }
}
