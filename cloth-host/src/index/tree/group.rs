//! Bodies that come and go together, and whole indices that come.

use super::boxes::Boxes;
use super::{Entry, Gone, Home, Item, Tree};
use crate::hash::Hasher;
use crate::index::nearest::Met;
use crate::index::{Body, Handle, Query};
use crate::pose::Bounds;

/// A group of bodies: the first of its handles, which are consecutive, a body each in the order they were given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(pub Handle);

/// A group's bodies.
#[derive(Clone, Debug)]
pub(super) struct Members {
    first: Handle,
    bodies: Vec<Body>,
    /// Their boxes, inflation left out.
    bounds: Vec<Bounds>,
    boxes: Boxes<usize>,
    /// Those without bounds.
    aside: Vec<usize>,
    home: Home,
    /// All that any of them is in and meets.
    layer: u32,
    mask: u32,
    /// The tick it came in.
    pub came: u64,
}

impl Members {
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
            first: Handle(0),
            boxes: Boxes::of(&mut leaves),
            layer: bodies.iter().fold(0, |layer, body| layer | body.shape.layer),
            mask: bodies.iter().fold(0, |mask, body| mask | body.shape.mask),
            bodies: bodies.to_vec(),
            bounds,
            aside,
            home: Home::Aside,
            came: 0,
        }
    }

    /// The box with all in it.
    fn extent(&self) -> Bounds {
        if self.aside.is_empty() { self.boxes.extent() } else { Bounds::EVERYWHERE }
    }

    pub fn gone(&self) -> Gone {
        Gone { bounds: self.extent(), layer: self.layer, mask: self.mask }
    }

    pub fn body(&self, which: u64) -> Option<&Body> {
        self.bodies.get(usize::try_from(which).ok()?)
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
        let mut tell = |which: usize| {
            let body = &self.bodies[which];
            let handle = Handle(self.first.0 + which as u64);
            met(Met { handle, body, previous: body.pose, bounds: self.bounds[which] });
        };
        self.boxes.walk(
            waiting,
            |bounds| {
                looked();
                bounds.meets(&query.bounds)
            },
            // What does not move has no slack: its leaf is its box.
            |which, _| {
                if self.bodies[which].is_for(query) {
                    tell(which);
                }
            },
        );
        for &which in &self.aside {
            looked();
            let body = &self.bodies[which];
            if body.is_for(query) && body.meets(&body.pose, &query.bounds, shapes) {
                tell(which);
            }
        }
    }

    pub fn hash(&self, hasher: &mut Hasher) {
        for body in &self.bodies {
            body.hash(hasher);
        }
    }

    /// Memory beside its own size, at most (bytes).
    pub fn bytes(&self) -> usize {
        self.bodies.capacity() * size_of::<Body>()
            + self.bounds.capacity() * size_of::<Bounds>()
            + self.aside.capacity() * size_of::<usize>()
            + self.boxes.bytes()
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
        self.count -= members.bodies.len();
        true
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
        let count = members.bodies.len().max(1) as u64;
        (members.first, members.came) = (self.ledger.give(count, Item::Group(place)), self.tick);
        members.home = self.settle(&members.extent(), Item::Group(place));
        self.count += members.bodies.len();
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
