//! Every body, one after the other: the answers that any index has to give.

use super::nearest::{self, Met};
use super::{Body, ColliderIndex, Found, Handle, Query};
use crate::hash::Hasher;
use crate::pose::Pose;
use cloth_core::Fingerprint;

/// The index that looks at every body.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// By rising handle.
    entries: Vec<Entry>,
    next: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    handle: Handle,
    body: Body,
    previous: Pose,
}

impl Scan {
    fn place(&self, handle: Handle) -> Option<usize> {
        self.entries.binary_search_by_key(&handle, |entry| entry.handle).ok()
    }

    fn entry(&mut self, handle: Handle) -> Option<&mut Entry> {
        let place = self.place(handle)?;
        self.entries.get_mut(place)
    }
}

impl ColliderIndex for Scan {
    fn insert(&mut self, body: Body, _: &[u32]) -> Handle {
        let handle = Handle(self.next);
        self.next += 1;
        self.entries.push(Entry { handle, body, previous: body.pose });
        handle
    }

    fn remove(&mut self, handle: Handle) -> bool {
        self.place(handle).map(|place| self.entries.remove(place)).is_some()
    }

    fn set_pose(&mut self, handle: Handle, pose: Pose, _: &[u32]) -> bool {
        self.entry(handle).map(|entry| entry.body.pose = pose).is_some()
    }

    fn replace(&mut self, handle: Handle, body: Body, _: &[u32]) -> bool {
        self.entry(handle).map(|entry| (entry.body, entry.previous) = (body, body.pose)).is_some()
    }

    fn body(&self, handle: Handle) -> Option<&Body> {
        self.entries.get(self.place(handle)?).map(|entry| &entry.body)
    }

    fn advance(&mut self, _: &[u32]) {
        for entry in &mut self.entries {
            entry.previous = entry.body.pose;
        }
    }

    fn gather(&self, query: &Query, shapes: &[u32], each: &mut dyn FnMut(Found<'_>)) -> usize {
        let meets = |entry: &&Entry| {
            entry.body.is_for(query) && entry.body.meets(&entry.previous, &query.bounds, shapes)
        };
        let met = self.entries.iter().filter(meets).map(|Entry { handle, body, previous }| Met {
            handle: *handle,
            body,
            previous: *previous,
            bounds: body.bounds(previous, shapes),
        });
        nearest::tell(met.collect(), query, each)
    }

    fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Hasher::new();
        for entry in &self.entries {
            entry.body.hash(&mut hasher);
        }
        hasher.finish()
    }

    fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Bounds;
    use cloth_core::collide::{self, Collider};

    fn ball(x: f64) -> Body {
        let shape = Collider::sphere(0.5, collide::Pose::IDENTITY).expect("a sphere").known(0, 1, 1);
        Body { shape, pose: Pose { translation: [x, 0.0, 0.0], ..Pose::IDENTITY } }
    }

    fn gathered(index: &Scan, low: f64, high: f64, capacity: usize) -> (Vec<u64>, usize) {
        let bounds = Bounds { low: [low, 0.0, 0.0], high: [high, 0.0, 0.0] };
        let mut handles = Vec::new();
        let query = Query { bounds, layer: 1, mask: 1, capacity };
        let dropped = index.gather(&query, &[], &mut |found| handles.push(found.handle.0));
        (handles, dropped)
    }

    #[test]
    fn what_moves_is_met_along_its_way_and_only_for_that_tick() {
        let mut index = Scan::default();
        let handle = index.insert(ball(0.0), &[]);
        index.advance(&[]);
        assert!(index.set_pose(handle, ball(8.0).pose, &[]));
        assert_eq!(gathered(&index, 4.0, 4.1, 8), (vec![0], 0));
        index.advance(&[]);
        assert_eq!(gathered(&index, 4.0, 4.1, 8), (vec![], 0));
        assert!(
            index.remove(handle) && !index.remove(handle) && !index.set_pose(handle, Pose::IDENTITY, &[])
        );
    }

    #[test]
    fn the_nearest_stay_and_handles_are_never_used_again() {
        let mut index = Scan::default();
        let first = index.insert(ball(1.9), &[]);
        for x in [-0.2, 1.0, 2.9] {
            index.insert(ball(x), &[]);
        }
        assert_eq!(gathered(&index, 0.0, 4.0, 2), (vec![0, 3], 2));
        index.remove(first);
        assert!(index.insert(ball(1.9), &[]) > first);
        assert_eq!(gathered(&index, 0.0, 4.0, 9), (vec![1, 2, 3, 4], 0));
    }

    #[test]
    fn a_fingerprint_tells_what_is_there_and_not_how_it_came() {
        let (mut a, mut b) = (Scan::default(), Scan::default());
        let gone = a.insert(ball(7.0), &[]);
        for index in [&mut a, &mut b] {
            index.insert(ball(1.0), &[]);
            index.insert(ball(2.0), &[]);
        }
        assert_ne!(a.fingerprint(), b.fingerprint());
        a.remove(gone);
        assert_eq!(a.fingerprint(), b.fingerprint());
    }

    #[test]
    fn far_from_the_origin_nothing_is_lost() {
        let mut index = Scan::default();
        index.insert(ball(1.0e7 + 0.25), &[]);
        assert_eq!(gathered(&index, 1.0e7 + 0.7, 1.0e7 + 0.8, 1).0, [0]);
        assert_eq!(gathered(&index, 1.0e7 + 0.76, 1.0e7 + 0.8, 1).0, [] as [u64; 0]);
    }
}
