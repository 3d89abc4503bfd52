//! Lane by lane with the arithmetic of `math`: what the other levels are compared with.

use super::{Floats, Lanes, Mask};
use crate::math::{real, sqrt};
use core::cell::Cell;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// The level that is everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// 0 to 7.
    lane: usize,
}

impl Scalar {
    /// At the first lane.
    pub const LEVEL: Self = Self { lane: 0 };
}

#[derive(Clone, Copy)]
pub struct One(f32);

#[derive(Clone, Copy)]
pub struct Flag(bool);

impl Lanes for Scalar {
    type F = One;

    const NAME: &str = "scalar";
    const WIDTH: usize = 1;

    #[inline(always)]
    fn parts(self) -> impl Iterator<Item = Self> {
        (0..8).map(|lane| Self { lane })
    }

    #[inline(always)]
    fn first(self) -> usize {
        self.lane
    }

    #[inline(always)]
    fn splat(self, x: f32) -> One {
        One(x)
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> One {
        One(from[self.lane & 7])
    }

    #[inline(always)]
    fn store(self, lanes: One, to: &mut [f32; 8]) {
        to[self.lane & 7] = lanes.0;
    }

    #[inline(always)]
    fn collect(self, word: impl Fn(usize) -> f32) -> One {
        One(word(self.lane))
    }

    #[inline(always)]
    fn collect_records<'a>(self, record: impl Fn(usize) -> &'a [f32; 4]) -> [One; 4] {
        record(self.lane).map(One)
    }

    #[inline(always)]
    fn spread_records<'a>(self, words: [One; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [x, y, z, w] = words;
        record(self.lane).set([x.0, y.0, z.0, w.0]);
    }

    #[inline(always)]
    fn add_words<'a>(self, words: [One; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [x, y, z, w] = words;
        let to = record(self.lane);
        let [a, b, c, d] = to.get();
        to.set([a + x.0, b + y.0, c + z.0, d + w.0]);
    }
}

impl Floats for One {
    type Mask = Flag;

    #[inline(always)]
    fn root(self) -> Self {
        Self(sqrt(self.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(real::min(self.0, other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(real::max(self.0, other.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(real::abs(self.0))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Flag {
        Flag(self.0 < other.0)
    }

    #[inline(always)]
    fn le(self, other: Self) -> Flag {
        Flag(self.0 <= other.0)
    }
}

impl Add for One {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for One {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for One {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for One {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for One {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mask<One> for Flag {
    #[inline(always)]
    fn select(self, yes: One, no: One) -> One {
        if self.0 { yes } else { no }
    }

    #[inline(always)]
    fn keep(self, x: One) -> One {
        self.select(x, One(0.0))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0
    }

    #[inline(always)]
    fn all(self) -> bool {
        self.0
    }
}

impl BitAnd for Flag {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Flag {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
