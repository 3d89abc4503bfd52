//! Four lanes, half a group at a time.

use super::{Floats, Lanes, Mask};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Four lanes in one register, as the target promises them at compile time. The laws are those of [`Floats`].
pub trait Quad: Copy + 'static {
    /// All bits or none in each lane.
    type Mask: Copy;

    /// What users call the level.
    const NAME: &str;

    fn splat(x: f32) -> Self;
    fn load(from: &[f32; 4]) -> Self;
    fn put(self, to: &Cell<[f32; 4]>);
    /// Lane i of result k is word k of `rows[i]`.
    #[inline(always)]
    fn columns(rows: [&[f32; 4]; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        Self::transpose([Self::load(a), Self::load(b), Self::load(c), Self::load(d)])
    }
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
    #[inline(always)]
    fn keep(mask: Self::Mask, x: Self) -> Self {
        Self::select(mask, x, Self::splat(0.0))
    }
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn any(mask: Self::Mask) -> bool;
    fn all(mask: Self::Mask) -> bool;
}

/// The level of a register of four: the lower or the upper half of a group.
#[derive(Clone, Copy)]
pub struct Four<Q> {
    /// 0 or 1.
    half: usize,
    register: PhantomData<Q>,
}

impl<Q> Four<Q> {
    /// At the lower half.
    pub const LEVEL: Self = Self { half: 0, register: PhantomData };
}

/// Four lanes.
#[derive(Clone, Copy)]
pub struct Words<Q>(Q);

/// Yes or no in four lanes.
#[derive(Clone, Copy)]
pub struct WordMask<Q: Quad>(Q::Mask);

impl<Q: Quad> Lanes for Four<Q> {
    type F = Words<Q>;

    const NAME: &str = Q::NAME;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn parts(self) -> impl Iterator<Item = Self> {
        (0..2).map(|half| Self { half, register: PhantomData })
    }

    #[inline(always)]
    fn looped_parts(self) -> impl Iterator<Item = Self> {
        (0..core::hint::black_box(2)).map(|half| Self { half, register: PhantomData })
    }

    #[inline(always)]
    fn first(self) -> usize {
        self.half * 4
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Words<Q> {
        Words(Q::splat(x))
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Words<Q> {
        let halves: &[[f32; 4]; 2] = bytemuck::cast_ref(from);
        Words(Q::load(&halves[self.half & 1]))
    }

    #[inline(always)]
    fn store(self, lanes: Words<Q>, to: &mut [f32; 8]) {
        let halves: &mut [[f32; 4]; 2] = bytemuck::cast_mut(to);
        lanes.0.put(Cell::from_mut(&mut halves[self.half & 1]));
    }

    #[inline(always)]
    fn collect(self, word: impl Fn(usize) -> f32) -> Words<Q> {
        let first = self.first();
        Words(Q::load(&[word(first), word(first + 1), word(first + 2), word(first + 3)]))
    }

    #[inline(always)]
    fn collect_records<'a>(self, record: impl Fn(usize) -> &'a [f32; 4]) -> [Words<Q>; 4] {
        let first = self.first();
        let [x, y, z, w] = Q::columns([record(first), record(first + 1), record(first + 2), record(first + 3)]);
        [Words(x), Words(y), Words(z), Words(w)]
    }

    #[inline(always)]
    fn spread_records<'a>(self, words: [Words<Q>; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [x, y, z, w] = words;
        let [a, b, c, d] = Q::transpose([x.0, y.0, z.0, w.0]);
        let first = self.first();
        a.put(record(first));
        b.put(record(first + 1));
        c.put(record(first + 2));
        d.put(record(first + 3));
    }

    #[inline(always)]
    fn differences<'a>(
        self,
        a: impl Fn(usize) -> &'a [[f32; 4]; 2],
        b: impl Fn(usize) -> &'a [[f32; 4]; 2],
    ) -> [[Words<Q>; 3]; 2] {
        let first = self.first();
        let a = [a(first), a(first + 1), a(first + 2), a(first + 3)];
        let b = [b(first), b(first + 1), b(first + 2), b(first + 3)];
        [apart(&a, &b, 0), apart(&a, &b, 1)]
    }

    #[inline(always)]
    fn differences_to<'a>(
        self,
        a: impl Fn(usize) -> &'a [[f32; 4]; 2],
        ends: &'a [[[f32; 4]; 2]; 8],
    ) -> [[Words<Q>; 3]; 2] {
        let first = self.first();
        let a = [a(first), a(first + 1), a(first + 2), a(first + 3)];
        let b = half_of(self.half, ends).each_ref();
        [apart(&a, &b, 0), apart(&a, &b, 1)]
    }

    #[inline(always)]
    fn add_words<'a>(self, words: [Words<Q>; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [x, y, z, w] = words;
        let [a, b, c, d] = Q::transpose([x.0, y.0, z.0, w.0]);
        let first = self.first();
        add_to(a, record(first));
        add_to(b, record(first + 1));
        add_to(c, record(first + 2));
        add_to(d, record(first + 3));
    }

    #[inline(always)]
    fn load_records(self, from: &[[f32; 4]; 8]) -> [Words<Q>; 4] {
        let [x, y, z, w] = Q::columns(half_of(self.half, from).each_ref());
        [Words(x), Words(y), Words(z), Words(w)]
    }

    #[inline(always)]
    fn store_records(self, words: [Words<Q>; 4], to: &mut [[f32; 4]; 8]) {
        let cells = Cell::from_mut(half_of_mut(self.half, to)).as_array_of_cells();
        let [x, y, z, w] = words;
        let [a, b, c, d] = Q::transpose([x.0, y.0, z.0, w.0]);
        a.put(&cells[0]);
        b.put(&cells[1]);
        c.put(&cells[2]);
        d.put(&cells[3]);
    }

    #[inline(always)]
    fn load_nth(self, nth: usize, from: &[[[f32; 4]; 2]; 8]) -> [Words<Q>; 4] {
        let [a, b, c, d] = half_of(self.half, from);
        let [x, y, z, w] = Q::columns([&a[nth & 1], &b[nth & 1], &c[nth & 1], &d[nth & 1]]);
        [Words(x), Words(y), Words(z), Words(w)]
    }

    #[inline(always)]
    fn store_nth(self, nth: usize, words: [Words<Q>; 4], to: &mut [[[f32; 4]; 2]; 8]) {
        let cells = Cell::from_mut(half_of_mut(self.half, to)).as_array_of_cells();
        let [x, y, z, w] = words;
        let [a, b, c, d] = Q::transpose([x.0, y.0, z.0, w.0]);
        a.put(&cells[0].as_array_of_cells()[nth & 1]);
        b.put(&cells[1].as_array_of_cells()[nth & 1]);
        c.put(&cells[2].as_array_of_cells()[nth & 1]);
        d.put(&cells[3].as_array_of_cells()[nth & 1]);
    }

    #[inline(always)]
    fn add_nth(self, nth: usize, words: [Words<Q>; 3], to: &mut [[[f32; 4]; 2]; 8]) {
        let cells = Cell::from_mut(half_of_mut(self.half, to)).as_array_of_cells();
        let [x, y, z] = words;
        let [a, b, c, d] = Q::transpose([x.0, y.0, z.0, Q::splat(0.0)]);
        add_to(a, &cells[0].as_array_of_cells()[nth & 1]);
        add_to(b, &cells[1].as_array_of_cells()[nth & 1]);
        add_to(c, &cells[2].as_array_of_cells()[nth & 1]);
        add_to(d, &cells[3].as_array_of_cells()[nth & 1]);
    }
}

/// The lower or the upper half of eight neighbours. With constant distances between them an address is computed once.
#[inline(always)]
fn half_of<T>(half: usize, of: &[T; 8]) -> &[T; 4] {
    let (halves, _) = of.as_chunks::<4>();
    &halves[half & 1]
}

#[inline(always)]
fn half_of_mut<T>(half: usize, of: &mut [T; 8]) -> &mut [T; 4] {
    let (halves, _) = of.as_chunks_mut::<4>();
    &mut halves[half & 1]
}

/// Records `nth` of `a` taken off those of `b`, transposed.
#[inline(always)]
fn apart<Q: Quad>(a: &[&[[f32; 4]; 2]; 4], b: &[&[[f32; 4]; 2]; 4], nth: usize) -> [Words<Q>; 3] {
    let nth = nth & 1;
    let [x, y, z, _] = Q::transpose([
        Q::load(&b[0][nth]).sub(Q::load(&a[0][nth])),
        Q::load(&b[1][nth]).sub(Q::load(&a[1][nth])),
        Q::load(&b[2][nth]).sub(Q::load(&a[2][nth])),
        Q::load(&b[3][nth]).sub(Q::load(&a[3][nth])),
    ]);
    [Words(x), Words(y), Words(z)]
}

#[inline(always)]
fn add_to<Q: Quad>(more: Q, to: &Cell<[f32; 4]>) {
    Q::load(&to.get()).add(more).put(to);
}

impl<Q: Quad> Floats for Words<Q> {
    type Mask = WordMask<Q>;

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.root())
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    #[inline(always)]
    fn lt(self, other: Self) -> WordMask<Q> {
        WordMask(self.0.lt(other.0))
    }

    #[inline(always)]
    fn le(self, other: Self) -> WordMask<Q> {
        WordMask(self.0.le(other.0))
    }
}

impl<Q: Quad> Add for Words<Q> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
}

impl<Q: Quad> Sub for Words<Q> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
}

impl<Q: Quad> Mul for Words<Q> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(other.0))
    }
}

impl<Q: Quad> Div for Words<Q> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0.div(other.0))
    }
}

impl<Q: Quad> Neg for Words<Q> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.neg())
    }
}

impl<Q: Quad> Mask<Words<Q>> for WordMask<Q> {
    #[inline(always)]
    fn select(self, yes: Words<Q>, no: Words<Q>) -> Words<Q> {
        Words(Q::select(self.0, yes.0, no.0))
    }

    #[inline(always)]
    fn keep(self, x: Words<Q>) -> Words<Q> {
        Words(Q::keep(self.0, x.0))
    }

    #[inline(always)]
    fn any(self) -> bool {
        Q::any(self.0)
    }

    #[inline(always)]
    fn all(self) -> bool {
        Q::all(self.0)
    }
}

impl<Q: Quad> BitAnd for WordMask<Q> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(Q::and(self.0, other.0))
    }
}

impl<Q: Quad> BitOr for WordMask<Q> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(Q::or(self.0, other.0))
    }
}
