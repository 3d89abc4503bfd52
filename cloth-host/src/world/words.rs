//! Components as words: how snapshots and replays hold them, value by value and in one order.

use cloth_core::anchor::{Teleport, TeleportLimits};
use cloth_core::step::Escape;
use cloth_core::{ClothDynamics, ClothFlags};
use hecs::Entity;

use super::{
    AirTold, Attachment, Cloth, ClothCollider, ClothTargets, Collider, MeshSource, Overflow, Rate, Shape,
    Transform, WordsKind,
};
use crate::pose::Pose;

/// What can be written as words and read again.
pub(crate) trait Words: Sized {
    /// Appends its words.
    fn put(&self, to: &mut Vec<u32>);

    /// Reads as many; `None` where they are none of it.
    fn take(from: &mut Reader<'_>) -> Option<Self>;
}

/// Words that are read one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'w> {
    rest: &'w [u32],
}

impl<'w> Reader<'w> {
    pub fn new(words: &'w [u32]) -> Self {
        Self { rest: words }
    }

    /// So many words at once.
    pub fn run(&mut self, count: usize) -> Option<&'w [u32]> {
        let (run, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(run)
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn take<T: Words>(&mut self) -> Option<T> {
        T::take(self)
    }
}

/// Appends a list of vectors: how many, and their components.
pub(crate) fn put_vectors<const N: usize>(vectors: &[[f32; N]], to: &mut Vec<u32>) {
    to.push(u32::try_from(vectors.len()).unwrap_or(u32::MAX));
    to.extend(vectors.as_flattened().iter().map(|value| value.to_bits()));
}

/// Reads a list of vectors into one that has memory already.
pub(crate) fn take_vectors<const N: usize>(from: &mut Reader<'_>, into: &mut Vec<[f32; N]>) -> Option<()> {
    let count = from.take::<u32>()? as usize;
    let words = from.run(count.checked_mul(N)?)?;
    into.clear();
    into.extend(words.as_chunks::<N>().0.iter().map(|vector| vector.map(f32::from_bits)));
    Some(())
}

impl Words for u32 {
    fn put(&self, to: &mut Vec<u32>) {
        to.push(*self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.run(1)?.first().copied()
    }
}

impl Words for u64 {
    fn put(&self, to: &mut Vec<u32>) {
        let [a, b, c, d, e, f, g, h] = self.to_le_bytes();
        to.extend([u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.run(2)? {
            [low, high] => Some(Self::from(*low) | Self::from(*high) << 32),
            _ => None,
        }
    }
}

impl Words for f32 {
    fn put(&self, to: &mut Vec<u32>) {
        to.push(self.to_bits());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.take().map(Self::from_bits)
    }
}

impl Words for f64 {
    fn put(&self, to: &mut Vec<u32>) {
        self.to_bits().put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.take().map(Self::from_bits)
    }
}

impl Words for bool {
    fn put(&self, to: &mut Vec<u32>) {
        to.push(u32::from(*self));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<u32>()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Words + Copy + Default, const N: usize> Words for [T; N] {
    fn put(&self, to: &mut Vec<u32>) {
        self.iter().for_each(|item| item.put(to));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::take(from)?;
        }
        Some(items)
    }
}

impl<T: Words> Words for Option<T> {
    fn put(&self, to: &mut Vec<u32>) {
        to.push(u32::from(self.is_some()));
        if let Some(value) = self {
            value.put(to);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<u32>()? {
            0 => Some(None),
            1 => T::take(from).map(Some),
            _ => None,
        }
    }
}

impl Words for Entity {
    fn put(&self, to: &mut Vec<u32>) {
        self.to_bits().get().put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Self::from_bits(from.take()?)
    }
}

/// Writes and reads a struct field by field: one that is added has to be named, behind `but` if it is not in the words
/// and is its default where they are read.
macro_rules! fields {
    ($($name:ident { $($field:ident),* $(,)? $(; but $($other:ident),*)? })*) => { $(
        impl $crate::world::words::Words for $name {
            fn put(&self, to: &mut Vec<u32>) {
                let Self { $($field,)* $($($other: _),*)? } = self;
                $($field.put(to);)*
            }

            fn take(from: &mut $crate::world::words::Reader<'_>) -> Option<Self> {
                // Fields are evaluated in the order in which they are written.
                Some(Self { $($field: from.take()?,)* $($($other: Default::default()),*)? })
            }
        }
    )* };
}
pub(crate) use fields;

/// Enums without fields, by number.
macro_rules! numbers {
    ($($name:ident { $($variant:ident = $number:literal),* $(,)? })*) => { $(
        impl Words for $name {
            fn put(&self, to: &mut Vec<u32>) {
                to.push(match self { $(Self::$variant => $number),* });
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                match from.take::<u32>()? {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    )* };
}

fields! {
    Pose { translation, rotation }
    Transform { translation, rotation, scale }
    Attachment { parent, local }
    TeleportLimits { distance, angle, beyond }
    Escape { strain, distance, steps, window }
    Cloth {
        dynamics, density, blend, layer, mask, visible, rate, sleeps, stiff_bend, colliders, most_substeps, limits, escape
    }
    Collider { shape, friction, layer, mask }
    ClothCollider { inflation, friction_scale, layer, mask, enabled }
    Overflow { colliders, out_of_range }
    MeshSource { positions, triangles, pins, weld }
}

numbers! {
    Teleport { Keep = 1, Reset = 2 }
    Rate { Every = 1, Second = 2, Fourth = 4 }
    WordsKind { Hull = 0, Mesh = 1, Field = 2 }
}

impl<T: Words> Words for Vec<T> {
    fn put(&self, to: &mut Vec<u32>) {
        to.push(u32::try_from(self.len()).unwrap_or(u32::MAX));
        self.iter().for_each(|item| item.put(to));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let count = from.take::<u32>()? as usize;
        // No more than can be there: every item has a word at least.
        if count > from.left() {
            return None;
        }
        (0..count).map(|_| T::take(from)).collect()
    }
}

impl Words for ClothTargets {
    fn put(&self, to: &mut Vec<u32>) {
        put_vectors(&self.0, to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let mut targets = Vec::new();
        take_vectors(from, &mut targets)?;
        Some(Self(targets))
    }
}

/// Beside the flags: a word of lift follows. What was written before there was any has neither.
const LIFTS: u32 = 1 << 31;

impl Words for ClothDynamics {
    fn put(&self, to: &mut Vec<u32>) {
        let Self {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        } = *self;
        [slack, stretch, bend, skip, inertia, damping, drag, thickness].put(to);
        [substeps, iterations].put(to);
        let at = to.len();
        flags.put(to);
        if lift.to_bits() << 1 != 0 {
            to[at] |= LIFTS;
            lift.put(to);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let [slack, stretch, bend, skip, inertia, damping, drag, thickness] = from.take()?;
        let [substeps, iterations] = from.take()?;
        let bits = from.take::<u32>()?;
        let flags = ClothFlags::take(&mut Reader::new(&[bits & !LIFTS]))?;
        let lift = if bits & LIFTS != 0 { from.take()? } else { 0.0 };
        Some(Self {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        })
    }
}

impl Words for ClothFlags {
    fn put(&self, to: &mut Vec<u32>) {
        let flags = [Self::STRAIN_LIMIT, Self::SELF_CONTACT];
        to.push((0..).zip(flags).map(|(bit, flag)| u32::from(self.contains(flag)) << bit).sum());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let bits = from.take::<u32>()?;
        let flag = |bit: u32, flag: Self| if bits & bit != 0 { flag } else { Self::NONE };
        (bits < 4).then(|| flag(1, Self::STRAIN_LIMIT).with(flag(2, Self::SELF_CONTACT)))
    }
}

impl Words for Shape {
    fn put(&self, to: &mut Vec<u32>) {
        match *self {
            Self::Sphere { radius } => (0_u32, radius).put(to),
            Self::Capsule { half_height, radius } => (1_u32, [half_height, radius]).put(to),
            Self::TaperedCapsule { half_height, lower_radius, upper_radius } => {
                (2_u32, [half_height, lower_radius, upper_radius]).put(to);
            }
            Self::Box { half_extents } => (3_u32, half_extents).put(to),
            Self::Cylinder { half_height, radius } => (4_u32, [half_height, radius]).put(to),
            Self::Cone { half_height, radius } => (5_u32, [half_height, radius]).put(to),
            Self::Plane => to.push(6),
            Self::Words { kind, data } => (7_u32, (kind, data)).put(to),
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.take::<u32>()? {
            0 => Self::Sphere { radius: from.take()? },
            1 => Self::Capsule { half_height: from.take()?, radius: from.take()? },
            2 => Self::TaperedCapsule {
                half_height: from.take()?,
                lower_radius: from.take()?,
                upper_radius: from.take()?,
            },
            3 => Self::Box { half_extents: from.take()? },
            4 => Self::Cylinder { half_height: from.take()?, radius: from.take()? },
            5 => Self::Cone { half_height: from.take()?, radius: from.take()? },
            6 => Self::Plane,
            7 => Self::Words { kind: from.take()?, data: from.take()? },
            _ => return None,
        })
    }
}

impl Words for AirTold {
    fn put(&self, to: &mut Vec<u32>) {
        match *self {
            Self::None => to.push(0),
            Self::Uniform { points } => [1, points].put(to),
            Self::Each { points } => [2, points].put(to),
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.take::<u32>()? {
            0 => Some(Self::None),
            1 => Some(Self::Uniform { points: from.take()? }),
            2 => Some(Self::Each { points: from.take()? }),
            _ => None,
        }
    }
}

impl<A: Words, B: Words> Words for (A, B) {
    fn put(&self, to: &mut Vec<u32>) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some((from.take()?, from.take()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_lift_have_the_words_they_had() {
        for (lift, count) in [(0.0, 11), (0.25, 12)] {
            let dynamics = ClothDynamics { lift, ..cloth_core::library::SILK };
            let mut words = Vec::new();
            dynamics.put(&mut words);
            assert_eq!(words.len(), count);
            let mut reader = Reader::new(&words);
            assert_eq!((ClothDynamics::take(&mut reader), reader.left()), (Some(dynamics), 0));
        }
    }
}
