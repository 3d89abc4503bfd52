//! Eight lanes as two registers of four.

use super::{Floats, Lanes, Mask};
use core::cell::Cell;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Four lanes in one register, as the target promises them at compile time. The laws are those of [`Floats`].
pub trait Quad: Copy {
    /// All bits or none in each lane.
    type Mask: Copy;

    fn splat(x: f32) -> Self;
    fn load(from: &[f32; 4]) -> Self;
    fn store(self, to: &mut [f32; 4]);
    fn put(self, to: &Cell<[f32; 4]>);
    fn collect(from: [&f32; 4]) -> Self;
    /// Lane i of result k is lane k of `rows[i]`.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn root(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;

    fn lt(self, other: Self) -> Self::Mask;
    fn le(self, other: Self) -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn any(mask: Self::Mask) -> bool;
}

/// Lanes 0–3 and 4–7.
#[derive(Clone, Copy)]
pub struct Pair<Q>(Q, Q);

/// Masks of lanes 0–3 and 4–7.
#[derive(Clone, Copy)]
pub struct PairMask<Q: Quad>(Q::Mask, Q::Mask);

/// A level of two registers of four lanes.
pub trait Paired: Copy {
    /// Its register.
    type Quad: Quad;

    /// What users call it.
    const NAME: &str;
}

impl<P: Paired> Lanes for P {
    type F = Pair<P::Quad>;

    const NAME: &str = <P as Paired>::NAME;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        let lanes = P::Quad::splat(x);
        Pair(lanes, lanes)
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::F {
        let [a, b, c, d, e, f, g, h] = *from;
        Pair(P::Quad::load(&[a, b, c, d]), P::Quad::load(&[e, f, g, h]))
    }

    #[inline(always)]
    fn store(self, lanes: Self::F, to: &mut [f32; 8]) {
        let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
        lanes.0.store(&mut low);
        lanes.1.store(&mut high);
        let ([a, b, c, d], [e, f, g, h]) = (low, high);
        *to = [a, b, c, d, e, f, g, h];
    }

    #[inline(always)]
    fn collect(self, from: [&f32; 8]) -> Self::F {
        let [a, b, c, d, e, f, g, h] = from;
        Pair(P::Quad::collect([a, b, c, d]), P::Quad::collect([e, f, g, h]))
    }

    #[inline(always)]
    fn collect_records(self, from: [&[f32; 4]; 8]) -> [Self::F; 4] {
        let [a, b, c, d, e, f, g, h] = from;
        let low = [P::Quad::load(a), P::Quad::load(b), P::Quad::load(c), P::Quad::load(d)];
        let high = [P::Quad::load(e), P::Quad::load(f), P::Quad::load(g), P::Quad::load(h)];
        let ([x, y, z, w], [p, q, r, s]) = (P::Quad::transpose(low), P::Quad::transpose(high));
        [Pair(x, p), Pair(y, q), Pair(z, r), Pair(w, s)]
    }

    #[inline(always)]
    fn spread_records(self, words: [Self::F; 4], to: [&Cell<[f32; 4]>; 8]) {
        let [x, y, z, w] = words;
        let low = P::Quad::transpose([x.0, y.0, z.0, w.0]);
        let high = P::Quad::transpose([x.1, y.1, z.1, w.1]);
        let ([a, b, c, d], [e, f, g, h]) = (low, high);
        for (record, to) in [a, b, c, d, e, f, g, h].iter().zip(to) {
            record.put(to);
        }
    }
}

impl<Q: Quad> Floats for Pair<Q> {
    type Mask = PairMask<Q>;

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.root(), self.1.root())
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn lt(self, other: Self) -> PairMask<Q> {
        PairMask(self.0.lt(other.0), self.1.lt(other.1))
    }

    #[inline(always)]
    fn le(self, other: Self) -> PairMask<Q> {
        PairMask(self.0.le(other.0), self.1.le(other.1))
    }
}

impl<Q: Quad> Add for Pair<Q> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0), self.1.add(other.1))
    }
}

impl<Q: Quad> Sub for Pair<Q> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0), self.1.sub(other.1))
    }
}

impl<Q: Quad> Mul for Pair<Q> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(other.0), self.1.mul(other.1))
    }
}

impl<Q: Quad> Div for Pair<Q> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0.div(other.0), self.1.div(other.1))
    }
}

impl<Q: Quad> Neg for Pair<Q> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.neg(), self.1.neg())
    }
}

impl<Q: Quad> Mask<Pair<Q>> for PairMask<Q> {
    #[inline(always)]
    fn select(self, yes: Pair<Q>, no: Pair<Q>) -> Pair<Q> {
        Pair(Q::select(self.0, yes.0, no.0), Q::select(self.1, yes.1, no.1))
    }

    #[inline(always)]
    fn any(self) -> bool {
        Q::any(Q::or(self.0, self.1))
    }
}

impl<Q: Quad> BitAnd for PairMask<Q> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(Q::and(self.0, other.0), Q::and(self.1, other.1))
    }
}

impl<Q: Quad> BitOr for PairMask<Q> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(Q::or(self.0, other.0), Q::or(self.1, other.1))
    }
}
