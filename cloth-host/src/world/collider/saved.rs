//! The bodies of entities in a snapshot.

use hecs::Entity;

use super::{Bodies, ClothCollider, Collider, Told, record};
use crate::index::{Handle, Index};
use crate::pose::Pose;
use crate::world::WorldError;
use crate::world::words::{Reader, Words};

/// A body as a snapshot has it.
struct Saved {
    entity: Entity,
    handle: Handle,
    what: (Collider, ClothCollider, f64),
    /// Whether the words of shapes are those it was checked of.
    checked: bool,
    poses: [Pose; 2],
}

impl Words for Saved {
    fn put(&self, to: &mut Vec<u32>) {
        let Self { entity, handle, what: (collider, cloth, scale), checked, poses: [previous, pose] } = self;
        (*entity, handle.0).put(to);
        collider.put(to);
        cloth.put(to);
        (*scale, *checked).put(to);
        previous.put(to);
        pose.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let (entity, handle) = from.take()?;
        let (collider, cloth, (scale, checked)) = (from.take()?, from.take()?, from.take()?);
        let (what, poses) = ((collider, cloth, scale), [from.take()?, from.take()?]);
        Some(Self { entity, handle: Handle(handle), what, checked, poses })
    }
}

impl Bodies {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.told.len()
    }

    /// Writes down all bodies and how the index knows them; `words` are those of all shapes.
    pub fn put(&self, index: &Index, words: &[u32], to: &mut Vec<u32>) {
        index.next_handle().put(to);
        to.push(u32::try_from(self.told.len()).unwrap_or(u32::MAX));
        for told in self.told.values() {
            let Told { handle, entity, what, words: checked } = *told;
            // What the index was told of is there.
            let (previous, pose) =
                index.stands(handle).map_or_else(Default::default, |(body, previous)| (*previous, body.pose));
            let checked = checked == words.len();
            Saved { entity, handle, what, checked, poses: [previous, pose] }.put(to);
        }
    }

    /// Whether the bodies that [`Bodies::put`] wrote down are those that are here.
    ///
    /// # Errors
    /// [`WorldError::OtherShape`], naming the first that is not; [`WorldError::NotASnapshot`].
    pub fn compare(&self, from: &mut Reader<'_>) -> Result<(), WorldError> {
        let none = WorldError::NotASnapshot { what: "a body in it is none" };
        let (_, count) = (from.take::<u64>().ok_or(none.clone())?, from.take::<u32>().ok_or(none.clone())?);
        let mut here = self.told.values();
        for _ in 0..count {
            let saved = from.take::<Saved>().ok_or(none.clone())?;
            let other = |what| Err(WorldError::OtherShape { entity: saved.entity, what });
            match here.next() {
                Some(told) if told.entity == saved.entity => {
                    if told.what != saved.what {
                        return other("has another Collider, ClothCollider or scale here");
                    }
                }
                _ => return other("has no collider here"),
            }
        }
        match here.next() {
            Some(told) => Err(WorldError::OtherShape {
                entity: told.entity,
                what: "has a collider here and none there",
            }),
            None => Ok(()),
        }
    }

    /// Lets all bodies stand as [`Bodies::put`] wrote them down, and takes those out that came since.
    pub fn take(&mut self, index: &mut Index, words: &[u32], from: &mut Reader<'_>) -> Option<()> {
        let (next, count) = (from.take()?, from.take::<u32>()?);
        let here = self.told.values().map(|told| (told.entity, told.handle));
        let mut gone = Vec::new();
        if !here.eq(known(*from, count)) {
            // Both are by number of their entity.
            let known: Vec<(Entity, Handle)> = known(*from, count).collect();
            self.told.retain(|id, told| {
                let place = known.binary_search_by_key(id, |(entity, _)| entity.id());
                let stays = place.is_ok_and(|place| known[place] == (told.entity, told.handle));
                if !stays {
                    gone.push(told.handle);
                }
                stays
            });
        }
        index.rewind(next, gone);
        for _ in 0..count {
            let Saved { entity, handle, what, checked, poses } = from.take()?;
            let known = self.told.get(&entity.id());
            let same = known.is_some_and(|told| told.what == what);
            // Words of shapes are never taken away, so what was a shape is one.
            let shape = if same { None } else { record(&what.0, &what.1, what.2, words).ok() };
            index.put_back(handle, shape, poses, words);
            let words = if checked { words.len() } else { usize::MAX };
            self.told.insert(entity.id(), Told { handle, entity, what, words });
        }
        Some(())
    }
}

/// Who so many bodies are, and under which handles.
fn known(mut from: Reader<'_>, count: u32) -> impl Iterator<Item = (Entity, Handle)> + '_ {
    (0..count).map_while(move |_| from.take::<Saved>().map(|saved| (saved.entity, saved.handle)))
}
