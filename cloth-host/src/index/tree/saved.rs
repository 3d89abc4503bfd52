//! Bodies as they were: what a world that goes back to a snapshot asks of its index.

use super::{ColliderIndex as _, Entry, Home, Item, Tree};
use crate::index::{Body, Handle};
use crate::pose::{Bounds, Pose};
use cloth_core::collide::Collider;

impl Tree {
    /// A body, and where it was when the tick began.
    pub(crate) fn stands(&self, handle: Handle) -> Option<(&Body, &Pose)> {
        let entry = self.bodies.get(self.place(handle)?)?;
        Some((&entry.body, &entry.previous))
    }

    /// Lets a body stand where it stood, on the way it was on, and puts it in again under its handle if it went. What it is only
    /// changes if `shape` says so; `false` where it is not there and nobody says what it is.
    pub(crate) fn put_back(
        &mut self,
        handle: Handle,
        shape: Option<Collider>,
        [previous, pose]: [Pose; 2],
        words: &[u32],
    ) -> bool {
        let moves = !previous.is(&pose);
        let Some(place) = self.place(handle) else {
            let Some(shape) = shape else { return false };
            let body = Body { shape, pose };
            let (bounds, trail) = (body.bounds(&previous, words), Bounds::NONE);
            self.ledger.put_back(handle, 1, Item::Body(self.bodies.vacant_key()));
            let changed = self.tick;
            let home = Home::Aside;
            let place =
                self.admit(Entry { handle, body, previous, bounds, trail, home, changed, has_moved: moves });
            if moves {
                self.moved.push(place);
            }
            return true;
        };
        let entry = &mut self.bodies[place];
        if shape.is_none() && entry.body.pose.is(&pose) && entry.previous.is(&previous) {
            return true;
        }
        self.gone[0].push(entry.gone());
        (entry.body.shape, entry.body.pose) = (shape.unwrap_or(entry.body.shape), pose);
        entry.previous = previous;
        (entry.bounds, entry.trail) = (entry.body.bounds(&previous, words), Bounds::NONE);
        entry.changed = self.tick;
        if moves && !entry.has_moved {
            entry.has_moved = true;
            self.moved.push(place);
        }
        self.house(place);
        true
    }

    /// The handle that the next body gets.
    pub(crate) fn next_handle(&self) -> u64 {
        self.ledger.next()
    }

    /// Takes out what came since `next` was the next handle, of the bodies that `goes` names, and gives their handles out again.
    pub(crate) fn rewind(&mut self, next: u64, goes: impl IntoIterator<Item = Handle>) {
        for handle in goes {
            self.remove(handle);
        }
        self.ledger.rewind(next);
    }
}
