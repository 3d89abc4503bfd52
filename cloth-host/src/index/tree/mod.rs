//! The index of worlds: a dynamic hierarchy of swept boxes.
//!
//! # Leaves
//! A leaf is made where a body first stands, so that nothing is put into the tree at a place it never was at. Its box is that which the
//! body does not leave in this tick and did not leave in the last, grown by the body's inflation and by a slack of
//! 5 cm, and it reaches ahead where the body goes. As long as that box holds, a body's motion costs nothing but its own box; a body that leaves it is taken out and put in
//! anew, because a box that is merely enlarged drags all boxes above it along to where it does not belong. Boxes are `f64`: growing
//! one rounds to no less than it was, and a union rounds nothing, so that no leaf is ever smaller than its body's box,
//! wherever in the world that is.
//!
//! A query tests the body's own box at each leaf that it reaches, the one that [`Scan`](super::Scan) tests. What has no bounds, planes
//! before all, stands in a list beside the tree, and so does what is not finite.
//!
//! # Groups
//! [`Tree::insert_group`] takes bodies that come and go together and never move. They have a hierarchy of their own, built at once,
//! which is one leaf here: coming and going, a group costs what its own bodies cost, and nothing of what is there already.
//!
//! # Handles
//! They rise and are never used again, so that nothing that came can be taken for what went, and no place has to be held back for a
//! step after its body has gone. Places inside are used again at once.
//!
//! # Why this is ours
//! `parry3d-f64` 0.31 has a hierarchy in `f64` that puts leaves in anew (`Bvh::reinsert_or_update_with_change_detection`). It
//! brings 31 more packages into a world that has 19, among them a second version of glam. `rstar` removes by searching for what equals
//! the removed, through all boxes that contain its own: of bodies at one place, each one's move would look at all others;
//! it does not tell its memory either. `bvh` finds what it removes among all shapes in one slice, and panics where there is none.

mod boxes;
mod group;
mod ledger;
mod saved;

pub use group::Group;
pub(crate) use group::HeldGroup;

use super::nearest::{self, Met};
use super::{Body, ColliderIndex, Found, Handle, Query};
use crate::hash::Hasher;
use crate::pose::{Bounds, Pose, add, length, scaled, sub};
use boxes::Boxes;
use cloth_core::Fingerprint;
use core::cell::Cell;
use group::Members;
use ledger::Ledger;
use slab::Slab;

/// By how much a leaf is larger than its body's box on all sides (m): three ticks of a walk.
const SLACK: f64 = 0.05;

/// How many ticks ahead a leaf reaches when its body moves on as it did.
const AHEAD: f64 = 4.0;

/// By how many slacks, beside twice what it reaches ahead, a leaf may be too large before it is put in anew.
const ROOM: f64 = 4.0;

/// The index of worlds.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    bodies: Slab<Entry>,
    groups: Slab<Members>,
    boxes: Boxes<Item>,
    /// What has no place in the tree.
    aside: Vec<Item>,
    ledger: Ledger,
    /// Places of bodies that moved in this tick.
    moved: Vec<usize>,
    /// Places of bodies that moved in the last.
    settling: Vec<usize>,
    /// What left a place in this tick and in the last, and was not on its way from there.
    gone: [Vec<Gone>; 2],
    tick: u64,
    count: usize,
}

/// By its place among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Body(usize),
    Group(usize),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    handle: Handle,
    body: Body,
    previous: Pose,
    /// The box it does not leave in this tick, inflation left out.
    bounds: Bounds,
    /// The box it did not leave in the last, if it moved.
    trail: Bounds,
    home: Home,
    /// The tick of its last change.
    changed: u64,
    has_moved: bool,
}

/// Where a body or group is looked for.
#[derive(Clone, Copy, Debug)]
enum Home {
    Leaf(usize),
    Aside,
}

/// Where something was that is there no more.
#[derive(Clone, Copy, Debug)]
struct Gone {
    bounds: Bounds,
    layer: u32,
    mask: u32,
}

impl Entry {
    /// The box that it is looked for in.
    fn wanted(&self) -> Bounds {
        self.bounds.union(&self.trail).grown(f64::from(self.body.shape.inflation))
    }

    fn gone(&self) -> Gone {
        let Body { shape, .. } = &self.body;
        Gone { bounds: self.wanted(), layer: shape.layer, mask: shape.mask }
    }

    /// Whether it is in a box in this tick.
    fn meets(&self, within: &Bounds, shapes: &[u32]) -> bool {
        match self.home {
            Home::Leaf(_) => self.bounds.grown(f64::from(self.body.shape.inflation)).meets(within),
            Home::Aside => self.body.meets(&self.previous, within, shapes),
        }
    }

    fn met(&self) -> Met<'_> {
        Met { handle: self.handle, body: &self.body, previous: self.previous, bounds: self.bounds }
    }
}

impl Tree {
    /// How many boxes and bodies a query is compared with: what it costs.
    pub fn looked_at(&self, query: &Query, shapes: &[u32]) -> usize {
        let count = Cell::new(0);
        self.collect(query, shapes, &mut |_| (), &|| count.set(count.get() + 1));
        count.get()
    }

    /// All that it holds in memory, its own size included, at most (bytes).
    pub fn bytes(&self) -> usize {
        let lists = (self.moved.capacity() + self.settling.capacity()) * size_of::<usize>()
            + self.aside.capacity() * size_of::<Item>()
            + self.gone.iter().map(|gone| gone.capacity() * size_of::<Gone>()).sum::<usize>();
        let groups = self.groups.iter().map(|(_, members)| members.bytes()).sum::<usize>();
        let places = bytes_of(&self.bodies) + bytes_of(&self.groups);
        size_of::<Self>() + places + groups + self.boxes.bytes() + self.ledger.bytes() + lists
    }

    /// Calls `met` for all that meets the query, in no order that means anything, and `looked` for every comparison.
    fn collect<'t>(
        &'t self,
        query: &Query,
        shapes: &[u32],
        met: &mut impl FnMut(Met<'t>),
        looked: &impl Fn(),
    ) {
        let mut tell = |item: Item, waiting: &mut Vec<usize>| match item {
            Item::Body(place) => {
                looked();
                let entry = &self.bodies[place];
                if entry.body.is_for(query) && entry.meets(&query.bounds, shapes) {
                    met(entry.met());
                }
            }
            Item::Group(place) => self.groups[place].collect(query, shapes, met, looked, waiting),
        };
        // A path is some 3/2·log₂ n long, and next to each node of it one may wait.
        let mut waiting = Vec::with_capacity(64);
        let opens = |bounds: &Bounds| {
            looked();
            bounds.meets(&query.bounds)
        };
        self.boxes.walk(&mut waiting, opens, &mut tell);
        for item in &self.aside {
            tell(*item, &mut waiting);
        }
    }

    /// A body that is none of a group.
    fn place(&self, handle: Handle) -> Option<usize> {
        match self.ledger.find(handle)? {
            (Item::Body(place), _) => Some(place),
            (Item::Group(_), _) => None,
        }
    }

    /// Finds a home for a box: in the tree if it is one.
    fn settle(&mut self, bounds: &Bounds, item: Item) -> Home {
        if bounds.is_finite() {
            return Home::Leaf(self.boxes.insert(*bounds, item));
        }
        self.aside.push(item);
        Home::Aside
    }

    fn unsettle(&mut self, home: Home, item: Item) {
        match home {
            Home::Leaf(leaf) => self.boxes.remove(leaf),
            Home::Aside => self.aside.retain(|other| *other != item),
        }
    }

    /// Whether a body is still found where it is looked for.
    fn is_housed(&self, entry: &Entry, wanted: &Bounds) -> bool {
        match entry.home {
            Home::Leaf(leaf) => self.boxes.bounds(leaf).contains(wanted),
            Home::Aside => !wanted.is_finite(),
        }
    }

    /// Puts a body's leaf in anew where it has left it, or has too much of it.
    fn house(&mut self, place: usize) {
        let entry = &self.bodies[place];
        let (wanted, home) = (entry.wanted(), entry.home);
        let ahead = scaled(sub(entry.body.pose.translation, entry.previous.translation), AHEAD);
        let has_room = match home {
            Home::Leaf(leaf) => {
                let most = wanted.grown(ROOM * SLACK + 2.0 * length(ahead));
                !most.contains(&self.boxes.bounds(leaf))
            }
            Home::Aside => false,
        };
        if has_room || !self.is_housed(entry, &wanted) {
            let moved_on = Bounds { low: add(wanted.low, ahead), high: add(wanted.high, ahead) };
            self.unsettle(home, Item::Body(place));
            let home = self.settle(&wanted.union(&moved_on).grown(SLACK), Item::Body(place));
            self.bodies[place].home = home;
        }
    }

    /// Puts in what has a handle already, or is about to get one.
    fn admit(&mut self, mut entry: Entry) -> usize {
        let place = self.bodies.vacant_key();
        entry.home = self.settle(&entry.wanted().grown(SLACK), Item::Body(place));
        entry.changed = self.tick;
        self.bodies.insert(entry);
        self.count += 1;
        place
    }

    /// Whether a change of that tick is one of this tick or the last.
    fn is_recent(&self, changed: u64) -> bool {
        changed + 1 >= self.tick
    }
}

impl ColliderIndex for Tree {
    fn insert(&mut self, body: Body, shapes: &[u32]) -> Handle {
        let handle = self.ledger.give(1, Item::Body(self.bodies.vacant_key()));
        self.admit(Entry {
            handle,
            body,
            previous: body.pose,
            bounds: body.bounds(&body.pose, shapes),
            trail: Bounds::NONE,
            home: Home::Aside,
            changed: self.tick,
            has_moved: false,
        });
        handle
    }

    fn remove(&mut self, handle: Handle) -> bool {
        let Some(place) = self.place(handle) else {
            return false;
        };
        let entry = self.bodies.remove(place);
        self.unsettle(entry.home, Item::Body(place));
        self.gone[0].push(entry.gone());
        self.ledger.strike(handle);
        self.count -= 1;
        true
    }

    fn set_pose(&mut self, handle: Handle, pose: Pose, shapes: &[u32]) -> bool {
        let Some(place) = self.place(handle) else {
            return false;
        };
        let entry = &mut self.bodies[place];
        if entry.body.pose.is(&pose) {
            return true;
        }
        entry.body.pose = pose;
        entry.bounds = entry.body.bounds(&entry.previous, shapes);
        entry.changed = self.tick;
        if !entry.has_moved {
            entry.has_moved = true;
            self.moved.push(place);
        }
        self.house(place);
        true
    }

    fn replace(&mut self, handle: Handle, body: Body, shapes: &[u32]) -> bool {
        let Some(place) = self.place(handle) else {
            return false;
        };
        let entry = &mut self.bodies[place];
        self.gone[0].push(entry.gone());
        (entry.body, entry.previous) = (body, body.pose);
        (entry.bounds, entry.trail) = (body.bounds(&body.pose, shapes), Bounds::NONE);
        entry.changed = self.tick;
        self.house(place);
        true
    }

    fn body(&self, handle: Handle) -> Option<&Body> {
        match self.ledger.find(handle)? {
            (Item::Body(place), _) => self.bodies.get(place).map(|entry| &entry.body),
            (Item::Group(place), which) => self.groups.get(place)?.body(which),
        }
    }

    fn advance(&mut self, shapes: &[u32]) {
        self.tick += 1;
        self.gone.swap(0, 1);
        self.gone[0].clear();
        // A place may have been left, and even taken by another body since: what is done here is right for any body.
        for place in core::mem::take(&mut self.settling) {
            if let Some(entry) = self.bodies.get_mut(place).filter(|entry| !entry.has_moved) {
                entry.trail = Bounds::NONE;
                self.house(place);
            }
        }
        self.settling = core::mem::take(&mut self.moved);
        for at in 0..self.settling.len() {
            let place = self.settling[at];
            if let Some(entry) = self.bodies.get_mut(place).filter(|entry| entry.has_moved) {
                (entry.trail, entry.previous, entry.has_moved) = (entry.bounds, entry.body.pose, false);
                entry.bounds = entry.body.bounds(&entry.previous, shapes);
                // Its leaf has its last way in it, and room for the next. What another rounding puts outside of it goes in anew.
                let entry = &self.bodies[place];
                if !self.is_housed(entry, &entry.wanted()) {
                    self.house(place);
                }
            }
        }
    }

    fn gather(&self, query: &Query, shapes: &[u32], each: &mut dyn FnMut(Found<'_>)) -> usize {
        let mut met = Vec::new();
        self.collect(query, shapes, &mut |body| met.push(body), &|| ());
        nearest::tell(met, query, each)
    }

    fn changed_in(&self, bounds: &Bounds, layer: u32, mask: u32) -> bool {
        let query = Query { bounds: *bounds, layer, mask, capacity: 0 };
        let was_here =
            |gone: &Gone| gone.mask & layer != 0 && mask & gone.layer != 0 && gone.bounds.meets(bounds);
        if self.gone.iter().flatten().any(was_here) {
            return true;
        }
        let is_change = |item: &Item| match *item {
            Item::Body(place) => {
                let entry = &self.bodies[place];
                // Of what stands aside that is more than need be: a plane changes for everyone.
                self.is_recent(entry.changed) && entry.body.is_for(&query) && entry.wanted().meets(bounds)
            }
            Item::Group(place) => {
                let members = &self.groups[place];
                self.is_recent(members.came) && was_here(&members.gone())
            }
        };
        let mut is_changed = self.aside.iter().any(is_change);
        let looked = |item, _: &mut Vec<usize>| is_changed |= is_change(&item);
        self.boxes.walk(&mut Vec::new(), |node| node.meets(bounds), looked);
        is_changed
    }

    fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Hasher::new();
        for (_, item) in self.ledger.iter() {
            match item {
                Item::Body(place) => self.bodies[place].body.hash(&mut hasher),
                Item::Group(place) => self.groups[place].hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    fn len(&self) -> usize {
        self.count
    }
}

/// Memory of a list of places, at most: as if each had a word beside it that tells whether it is taken (bytes).
fn bytes_of<T>(places: &Slab<T>) -> usize {
    places.capacity() * size_of::<(usize, T)>()
}

#[cfg(test)]
mod tests;
