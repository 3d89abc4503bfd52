//! What a level can do with the floats of a group of eight, as many at a time as its registers hold.

use core::cell::Cell;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// A level that may be used, standing at some of a group's eight lanes: makes floats, and moves those lanes to and from
/// memory.
///
/// A value of such a type is proof that its instructions are there, and so is every value made with it.
pub trait Lanes: Copy {
    /// [`Lanes::WIDTH`] floats, one for each lane it stands at.
    type F: Floats;

    /// What users call it.
    const NAME: &str;

    /// Lanes to a register: 1, 4 or 8.
    const WIDTH: usize;

    /// The level at each part of a group in turn: lanes 0 to WIDTH − 1, the next WIDTH, up to lane 7.
    fn parts(self) -> impl Iterator<Item = Self>;

    /// The same in a loop that the compiler does not write out: half the code of a long body, for two instructions more a part.
    #[inline(always)]
    fn looped_parts(self) -> impl Iterator<Item = Self> {
        self.parts()
    }

    /// The first of the lanes it stands at, 0 to 7.
    fn first(self) -> usize;

    /// `x` in every lane.
    fn splat(self, x: f32) -> Self::F;

    /// Lane i is `from[i]`.
    fn load(self, from: &[f32; 8]) -> Self::F;

    /// Lane i to `to[i]`; the lanes it does not stand at are left as they are.
    fn store(self, lanes: Self::F, to: &mut [f32; 8]);

    /// Lane i is `word(i)`.
    fn collect(self, word: impl Fn(usize) -> f32) -> Self::F;

    /// Records, transposed: lane i of result k is word k of `record(i)`.
    fn collect_records<'a>(self, record: impl Fn(usize) -> &'a [f32; 4]) -> [Self::F; 4];

    /// Lanes back into records, lane i into `record(i)`, the inverse of [`Lanes::collect_records`]; where two of them are
    /// one, the later lane stays.
    fn spread_records<'a>(self, words: [Self::F; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>);

    /// Differences of entries of two records, transposed: lane i of result n, k is word k of record n of `a(i)` taken off that
    /// of `b(i)`, k below 3. Subtracted before they are transposed, two entries cost no more shuffles than one.
    #[inline(always)]
    fn differences<'a>(
        self,
        a: impl Fn(usize) -> &'a [[f32; 4]; 2],
        b: impl Fn(usize) -> &'a [[f32; 4]; 2],
    ) -> [[Self::F; 3]; 2] {
        let [ax, ay, az, _] = self.collect_records(|lane| &a(lane)[0]);
        let [bx, by, bz, _] = self.collect_records(|lane| &b(lane)[0]);
        let [au, av, at, _] = self.collect_records(|lane| &a(lane)[1]);
        let [bu, bv, bt, _] = self.collect_records(|lane| &b(lane)[1]);
        [[bx - ax, by - ay, bz - az], [bu - au, bv - av, bt - at]]
    }

    /// [`Lanes::differences`] of eight neighbours from `a`.
    #[inline(always)]
    fn differences_to<'a>(
        self,
        a: impl Fn(usize) -> &'a [[f32; 4]; 2],
        ends: &'a [[[f32; 4]; 2]; 8],
    ) -> [[Self::F; 3]; 2] {
        self.differences(a, |lane| &ends[lane & 7])
    }

    /// Adds lanes to records: lane i of word k to word k of `record(i)`, one lane after the other. Its last word is not -0 and
    /// stays.
    #[inline(always)]
    fn add_to_records<'a>(self, words: [Self::F; 3], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [x, y, z] = words;
        self.add_words([x, y, z, self.splat(0.0)], record);
    }

    /// As [`Lanes::add_to_records`], to all four words.
    fn add_words<'a>(self, words: [Self::F; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>);

    /// [`Lanes::collect_records`] of neighbours.
    #[inline(always)]
    fn load_records(self, from: &[[f32; 4]; 8]) -> [Self::F; 4] {
        self.collect_records(|lane| &from[lane & 7])
    }

    /// [`Lanes::spread_records`] to neighbours.
    #[inline(always)]
    fn store_records(self, words: [Self::F; 4], to: &mut [[f32; 4]; 8]) {
        let cells = Cell::from_mut(to).as_array_of_cells();
        self.spread_records(words, |lane| &cells[lane & 7]);
    }

    /// [`Lanes::load_records`] of records `nth` of entries of two.
    #[inline(always)]
    fn load_nth(self, nth: usize, from: &[[[f32; 4]; 2]; 8]) -> [Self::F; 4] {
        self.collect_records(|lane| &from[lane & 7][nth & 1])
    }

    /// [`Lanes::store_records`] to records `nth` of entries of two.
    #[inline(always)]
    fn store_nth(self, nth: usize, words: [Self::F; 4], to: &mut [[[f32; 4]; 2]; 8]) {
        let cells = Cell::from_mut(to).as_array_of_cells();
        self.spread_records(words, |lane| &cells[lane & 7].as_array_of_cells()[nth & 1]);
    }

    /// [`Lanes::add_to_records`], records `nth` of entries of two.
    #[inline(always)]
    fn add_nth(self, nth: usize, words: [Self::F; 3], to: &mut [[[f32; 4]; 2]; 8]) {
        let cells = Cell::from_mut(to).as_array_of_cells();
        self.add_to_records(words, |lane| &cells[lane & 7].as_array_of_cells()[nth & 1]);
    }
}

/// Floats in lanes. Each operation is, in every lane, the one of IEEE 754 or of `math` that it is named after.
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

    /// In each lane `x` where the mask is set, else +0: less work than to select.
    fn keep(self, x: F) -> F;

    /// Whether any of its lanes is set. How many lanes that are depends on the level, so no bit of a result may depend on
    /// the answer: only work that would change nothing may be skipped on it.
    fn any(self) -> bool;

    /// Whether all of its lanes are set, with the same reserve.
    fn all(self) -> bool;
}
