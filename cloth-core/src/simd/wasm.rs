//! Four lanes of WebAssembly's simd128, where the module is compiled for it.

use super::four::{Four, Quad};
use core::arch::wasm32::{
    f32x4_abs, f32x4_add, f32x4_div, f32x4_le, f32x4_lt, f32x4_mul, f32x4_neg, f32x4_pmax, f32x4_pmin,
    f32x4_splat, f32x4_sqrt, f32x4_sub, i32x4_shuffle, u32x4_all_true, v128, v128_and, v128_any_true, v128_bitselect,
    v128_load, v128_or, v128_store,
};
use core::cell::Cell;

/// The level of WebAssembly with simd128.
pub type Simd128 = Four<Vector>;

#[derive(Clone, Copy)]
pub struct Vector(v128);

impl Quad for Vector {
    type Mask = v128;

    const NAME: &str = "simd128";

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(f32x4_splat(x))
    }

    #[inline(always)]
    fn load(from: &[f32; 4]) -> Self {
        // SAFETY: reads, without need of alignment, the 16 bytes that are borrowed.
        Self(unsafe { v128_load(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn put(self, to: &Cell<[f32; 4]>) {
        // SAFETY: writes, without need of alignment, the 16 bytes of the cell, which may change while it is shared and
        // of which no reference to the inside exists.
        unsafe { v128_store(to.as_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        let xy_low = i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0);
        let xy_high = i32x4_shuffle::<0, 4, 1, 5>(c.0, d.0);
        let zw_low = i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0);
        let zw_high = i32x4_shuffle::<2, 6, 3, 7>(c.0, d.0);
        [
            Self(i32x4_shuffle::<0, 1, 4, 5>(xy_low, xy_high)),
            Self(i32x4_shuffle::<2, 3, 6, 7>(xy_low, xy_high)),
            Self(i32x4_shuffle::<0, 1, 4, 5>(zw_low, zw_high)),
            Self(i32x4_shuffle::<2, 3, 6, 7>(zw_low, zw_high)),
        ]
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }

    #[inline(always)]
    fn neg(self) -> Self {
        Self(f32x4_neg(self.0))
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }

    // The pseudo-minimum of (p, q) is q where q < p, else p: that of `math::real` with its operands exchanged. So is
    // the pseudo-maximum.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(f32x4_pmin(other.0, self.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(other.0, self.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(f32x4_abs(self.0))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> v128 {
        f32x4_lt(self.0, other.0)
    }

    #[inline(always)]
    fn le(self, other: Self) -> v128 {
        f32x4_le(self.0, other.0)
    }

    #[inline(always)]
    fn select(mask: v128, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, mask))
    }

    #[inline(always)]
    fn and(a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }

    #[inline(always)]
    fn or(a: v128, b: v128) -> v128 {
        v128_or(a, b)
    }

    #[inline(always)]
    fn any(mask: v128) -> bool {
        v128_any_true(mask)
    }

    #[inline(always)]
    fn all(mask: v128) -> bool {
        u32x4_all_true(mask)
    }
}
