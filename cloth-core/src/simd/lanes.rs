//! What a level can do with eight floats.

use core::cell::Cell;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// A level that may be used: makes lanes, and moves them to and from memory.
///
/// A value of such a type is proof that its instructions are there, and so is every value made with it.
pub trait Lanes: Copy {
    /// Eight floats.
    type F: Floats;

    /// What users call it.
    const NAME: &str;

    /// Lanes to a register: 1, 4 or 8.
    const WIDTH: usize;

    /// `x` in every lane.
    fn splat(self, x: f32) -> Self::F;

    /// Lane i is `from[i]`.
    fn load(self, from: &[f32; 8]) -> Self::F;

    /// Lane i to `to[i]`.
    fn store(self, lanes: Self::F, to: &mut [f32; 8]);

    /// Lane i is what `from[i]` points at.
    fn collect(self, from: [&f32; 8]) -> Self::F;

    /// Eight records, transposed: lane i of result k is word k of record i.
    fn collect_records(self, from: [&[f32; 4]; 8]) -> [Self::F; 4];

    /// Lanes back into eight records, the inverse of [`Lanes::collect_records`]; where two of them are one, the
    /// later lane stays.
    fn spread_records(self, words: [Self::F; 4], to: [&Cell<[f32; 4]>; 8]);

    /// [`Lanes::collect_records`] of eight neighbours.
    #[inline(always)]
    fn load_records(self, from: &[[f32; 4]; 8]) -> [Self::F; 4] {
        self.collect_records(from.each_ref())
    }

    /// [`Lanes::spread_records`] to eight neighbours.
    #[inline(always)]
    fn store_records(self, words: [Self::F; 4], to: &mut [[f32; 4]; 8]) {
        self.spread_records(words, Cell::from_mut(to).as_array_of_cells().each_ref());
    }
}

/// Eight floats. Each operation is, in every lane, the one of IEEE 754 or of `math` that it is named after.
pub trait Floats:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// What comparing gives.
    type Mask: Mask<Self>;

    /// [`math::sqrt`](crate::math::sqrt()): correctly rounded.
    fn root(self) -> Self;

    /// [`math::real::min`](crate::math::real::min()): `other` unless `self` is less.
    fn min(self, other: Self) -> Self;

    /// [`math::real::max`](crate::math::real::max()): `other` unless `self` is greater.
    fn max(self, other: Self) -> Self;

    /// [`math::real::abs`](crate::math::real::abs()): without the sign bit.
    fn abs(self) -> Self;

    /// `self < other`; false where either is a NaN.
    fn lt(self, other: Self) -> Self::Mask;

    /// `self <= other`; false where either is a NaN.
    fn le(self, other: Self) -> Self::Mask;

    /// [`math::real::clamp`](crate::math::real::clamp()): `low` for a NaN, `high` where the bounds are crossed.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
}

/// Yes or no in eight lanes.
pub trait Mask<F>: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// In each lane `yes` where the mask is set, else `no`, bit for bit.
    fn select(self, yes: F, no: F) -> F;

    /// Whether any of the eight lanes is set: the same answer at every level, so a group may be skipped on it.
    fn any(self) -> bool;
}
