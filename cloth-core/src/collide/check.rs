//! What a collider has to be before a step may read it.

use super::field::Field;
use super::hull::Hull;
use super::mesh::Mesh;
use super::{Collider, ColliderError, Kind, TableError};
use crate::index;
use crate::math::{Pose, real};
use crate::model::MAX_LENGTH;
use core::ops::RangeInclusive;

/// Sizes a shape may have (m): a micrometre is finer than anything cloth can meet, and squares stay normal numbers.
pub(super) const SIZES: RangeInclusive<f32> = 1.0e-6..=MAX_LENGTH;

/// Scales a shape may have (1).
pub(super) const SCALES: RangeInclusive<f32> = 1.0e-6..=1.0e6;

/// Friction (1) and inflation (m).
const CONTACTS: RangeInclusive<f32> = 0.0..=1.0e6;

/// How far the square of a quaternion from outside may be off 1: its length by half as much.
const UNIT: RangeInclusive<f32> = 0.998..=1.002;

/// A pose with its quaternion made unit.
pub(super) fn pose(pose: Pose) -> Result<Pose, ColliderError> {
    let pose = pose.normalised().ok_or(ColliderError::Pose)?;
    if is_position(pose.translation.to_array()) { Ok(pose) } else { Err(ColliderError::Pose) }
}

fn is_position(position: [f32; 3]) -> bool {
    position.iter().all(|x| real::abs(*x) <= MAX_LENGTH)
}

pub(super) fn contact(name: &'static str, value: f32) -> Result<(), ColliderError> {
    if CONTACTS.contains(&value) { Ok(()) } else { Err(ColliderError::Contact { name, value }) }
}

/// How much of a shape's words a check reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// The header.
    Header,
    /// Every word.
    All,
}

impl Collider {
    /// Looks through a record from outside and through all of its words: what whoever makes, loads or receives a shape does
    /// once. What it has passed answers every query rightly.
    ///
    /// The time is linear in the words but for a hull, where it is vertices times faces.
    ///
    /// # Errors
    ///
    /// Every [`ColliderError`] but [`ColliderError::NonUniformScale`].
    pub fn check(&self, shapes: &[u32]) -> Result<(), ColliderError> {
        self.check_to(shapes, Depth::All)
    }

    /// Looks through a record from outside, and of its words at where they lie and at their header: kind and version, counts
    /// that fit the run, bounds that are numbers. A step does so each time, in the same time however many words there are.
    ///
    /// What is wrong in words behind the header gives wrong answers, and no worse: the module says what still holds.
    ///
    /// # Errors
    ///
    /// As [`Collider::check`]; of [`ColliderError::Damaged`] only a damaged header.
    pub fn check_record(&self, shapes: &[u32]) -> Result<(), ColliderError> {
        self.check_to(shapes, Depth::Header)
    }

    fn check_to(&self, shapes: &[u32], depth: Depth) -> Result<(), ColliderError> {
        self.check_data(self.check_fields()?, shapes, depth)
    }

    /// Looks through a record from outside, and not at its words: what can be said of a collider without them. Answers what it is.
    ///
    /// # Errors
    ///
    /// As [`Collider::check`] but for what is said of words.
    pub fn check_fields(&self) -> Result<Kind, ColliderError> {
        let kind = Kind::of(self.kind).ok_or(ColliderError::UnknownKind { kind: self.kind })?;
        for (position, [x, y, z, w]) in
            [(self.position, self.rotation), (self.previous_position, self.previous_rotation)]
        {
            if !is_position(position) || !UNIT.contains(&(x * x + y * y + z * z + w * w)) {
                return Err(ColliderError::Pose);
            }
        }
        let names = kind.sizes();
        for (i, value) in self.sizes.into_iter().enumerate() {
            match names.get(i) {
                Some(name) if !SIZES.contains(&value) => return Err(ColliderError::Size { name, value }),
                None if value.to_bits() != 0 => return Err(ColliderError::Padding),
                _ => {}
            }
        }
        if !SCALES.contains(&self.scale) {
            return Err(ColliderError::Scale { scale: self.scale });
        }
        contact("friction", self.friction)?;
        contact("inflation", self.inflation)?;
        if self.reserved != [0; 2] || (!kind.has_data() && (self.data, self.data_count) != (0, 0)) {
            return Err(ColliderError::Padding);
        }
        Ok(kind)
    }

    fn check_data(&self, kind: Kind, shapes: &[u32], depth: Depth) -> Result<(), ColliderError> {
        if !kind.has_data() {
            return Ok(());
        }
        let Some(words) = self.words(shapes) else {
            let (first, count) = (self.data, self.data_count);
            return Err(ColliderError::DataRange { first, count, words: shapes.len() });
        };
        let unknown = ColliderError::NotThisShape;
        match (kind, depth) {
            (Kind::Hull, Depth::All) => Hull::open(words).ok_or(unknown)?.check(),
            (Kind::Hull, Depth::Header) => Hull::open(words).ok_or(unknown)?.check_header(),
            (Kind::Mesh, Depth::All) => Mesh::open(words).ok_or(unknown)?.check(),
            (Kind::Mesh, Depth::Header) => Mesh::open(words).ok_or(unknown)?.check_header(),
            (_, Depth::All) => Field::open(words).ok_or(unknown)?.check(),
            (_, Depth::Header) => Field::open(words).ok_or(unknown)?.check_header(),
        }
    }

    /// The collider's own words; `None` where the run does not lie within `shapes`.
    #[inline(always)]
    pub(super) fn words<'a>(&self, shapes: &'a [u32]) -> Option<&'a [u32]> {
        let first = self.data as usize;
        shapes.get(first..first.checked_add(self.data_count as usize)?)
    }
}

/// Looks through a whole table and all words its records point into: not more than `capacity`, each a collider, no handle
/// twice. Words that several records share are looked through once.
///
/// # Errors
///
/// The first fault found, too many before all others.
pub fn check_all(colliders: &[Collider], shapes: &[u32], capacity: u32) -> Result<(), TableError> {
    if colliders.len() > capacity as usize {
        return Err(TableError::TooMany { given: colliders.len(), capacity });
    }
    for (index, collider) in (0..index::len32(colliders)).zip(colliders) {
        // Tables are short; a sorted copy would need memory.
        let before = colliders.get(..index as usize).unwrap_or(&[]);
        let shape = |other: &Collider| (other.kind, other.data, other.data_count);
        let is_known = before.iter().any(|other| shape(other) == shape(collider));
        let depth = if is_known { Depth::Header } else { Depth::All };
        collider.check_to(shapes, depth).map_err(|error| TableError::Entry { index, error })?;
        if before.iter().any(|other| other.handle == collider.handle) {
            return Err(TableError::HandleTwice { handle: collider.handle, index });
        }
    }
    Ok(())
}
