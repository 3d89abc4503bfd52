//! Lane by lane with the arithmetic of `math`: what the other levels are compared with.

use super::{Floats, Lanes, Mask};
use crate::math::{real, sqrt};
use core::cell::Cell;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// The level that is everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar;

#[derive(Clone, Copy)]
pub struct Eight([f32; 8]);

#[derive(Clone, Copy)]
pub struct Flags([bool; 8]);

impl Eight {
    #[inline(always)]
    fn each(mut self, op: impl Fn(f32) -> f32) -> Self {
        for a in &mut self.0 {
            *a = op(*a);
        }
        self
    }

    #[inline(always)]
    fn with(mut self, other: Self, op: impl Fn(f32, f32) -> f32) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = op(*a, *b);
        }
        self
    }

    #[inline(always)]
    fn compare(self, other: Self, op: impl Fn(f32, f32) -> bool) -> Flags {
        let mut flags = [false; 8];
        for (flag, (a, b)) in flags.iter_mut().zip(self.0.iter().zip(&other.0)) {
            *flag = op(*a, *b);
        }
        Flags(flags)
    }
}

impl Lanes for Scalar {
    type F = Eight;

    const NAME: &str = "scalar";
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(self, x: f32) -> Eight {
        Eight([x; 8])
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Eight {
        Eight(*from)
    }

    #[inline(always)]
    fn store(self, lanes: Eight, to: &mut [f32; 8]) {
        *to = lanes.0;
    }

    #[inline(always)]
    fn collect(self, from: [&f32; 8]) -> Eight {
        Eight(from.map(|word| *word))
    }

    #[inline(always)]
    fn collect_records(self, from: [&[f32; 4]; 8]) -> [Eight; 4] {
        [
            Eight(from.map(|record| record[0])),
            Eight(from.map(|record| record[1])),
            Eight(from.map(|record| record[2])),
            Eight(from.map(|record| record[3])),
        ]
    }

    #[inline(always)]
    fn spread_records(self, words: [Eight; 4], to: [&Cell<[f32; 4]>; 8]) {
        let [x, y, z, w] = words;
        for ((((record, x), y), z), w) in to.iter().zip(&x.0).zip(&y.0).zip(&z.0).zip(&w.0) {
            record.set([*x, *y, *z, *w]);
        }
    }
}

impl Floats for Eight {
    type Mask = Flags;

    #[inline(always)]
    fn root(self) -> Self {
        self.each(sqrt)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, real::min)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, real::max)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.each(real::abs)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Flags {
        self.compare(other, |a, b| a < b)
    }

    #[inline(always)]
    fn le(self, other: Self) -> Flags {
        self.compare(other, |a, b| a <= b)
    }
}

impl Add for Eight {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for Eight {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl Mul for Eight {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
}

impl Div for Eight {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }
}

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|a| -a)
    }
}

impl Mask<Eight> for Flags {
    #[inline(always)]
    fn select(self, yes: Eight, no: Eight) -> Eight {
        let mut chosen = no;
        for ((to, from), flag) in chosen.0.iter_mut().zip(&yes.0).zip(&self.0) {
            *to = if *flag { *from } else { *to };
        }
        chosen
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.contains(&true)
    }
}

impl BitAnd for Flags {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= *b;
        }
        self
    }
}

impl BitOr for Flags {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= *b;
        }
        self
    }
}
