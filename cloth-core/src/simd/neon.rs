//! Four lanes of NEON, which every AArch64 with floating point has.

use super::four::{Four, Quad};
use core::arch::aarch64::{
    float32x4_t, uint32x4_t, vabsq_f32, vaddq_f32, vandq_u32, vbslq_f32, vcleq_f32, vcltq_f32, vdivq_f32,
    vdupq_n_f32, vld1q_f32, vmaxvq_u32, vminvq_u32, vmulq_f32, vnegq_f32, vorrq_u32, vreinterpretq_f32_f64,
    vreinterpretq_f64_f32, vsqrtq_f32, vst1q_f32, vsubq_f32, vtrn1q_f32, vtrn1q_f64, vtrn2q_f32, vtrn2q_f64,
};
use core::cell::Cell;

/// The level of AArch64.
pub type Neon = Four<Vector>;

#[derive(Clone, Copy)]
pub struct Vector(float32x4_t);

/// Calls an intrinsic on registers.
macro_rules! neon {
    ($name:ident($($register:expr),*)) => {
        // SAFETY: the target has NEON, or this file would not be compiled; no memory is touched.
        unsafe { $name($($register),*) }
    };
}

impl Quad for Vector {
    type Mask = uint32x4_t;

    const NAME: &str = "NEON";

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(neon!(vdupq_n_f32(x)))
    }

    #[inline(always)]
    fn load(from: &[f32; 4]) -> Self {
        // SAFETY: the target has NEON; reads the 16 bytes that are borrowed, aligned as floats are.
        Self(unsafe { vld1q_f32(from.as_ptr()) })
    }

    #[inline(always)]
    fn put(self, to: &Cell<[f32; 4]>) {
        // SAFETY: the target has NEON; writes the 16 bytes of the cell, aligned as floats are, which may change while
        // it is shared and of which no reference to the inside exists.
        unsafe { vst1q_f32(to.as_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        // Even and odd columns of two rows at a time, then halves of two such.
        let ab = (neon!(vtrn1q_f32(a.0, b.0)), neon!(vtrn2q_f32(a.0, b.0)));
        let cd = (neon!(vtrn1q_f32(c.0, d.0)), neon!(vtrn2q_f32(c.0, d.0)));
        let ab = (neon!(vreinterpretq_f64_f32(ab.0)), neon!(vreinterpretq_f64_f32(ab.1)));
        let cd = (neon!(vreinterpretq_f64_f32(cd.0)), neon!(vreinterpretq_f64_f32(cd.1)));
        [
            neon!(vtrn1q_f64(ab.0, cd.0)),
            neon!(vtrn1q_f64(ab.1, cd.1)),
            neon!(vtrn2q_f64(ab.0, cd.0)),
            neon!(vtrn2q_f64(ab.1, cd.1)),
        ]
        .map(
            #[inline(always)]
            |halves| Self(neon!(vreinterpretq_f32_f64(halves))),
        )
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(neon!(vaddq_f32(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(neon!(vsubq_f32(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(neon!(vmulq_f32(self.0, other.0)))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(neon!(vdivq_f32(self.0, other.0)))
    }

    #[inline(always)]
    fn neg(self) -> Self {
        Self(neon!(vnegq_f32(self.0)))
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(neon!(vsqrtq_f32(self.0)))
    }

    // FMIN and FMAX answer a NaN for one, and choose between zeros by sign: `math::real` does not.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(other.lt(self), self, other)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(neon!(vabsq_f32(self.0)))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> uint32x4_t {
        neon!(vcltq_f32(self.0, other.0))
    }

    #[inline(always)]
    fn le(self, other: Self) -> uint32x4_t {
        neon!(vcleq_f32(self.0, other.0))
    }

    #[inline(always)]
    fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self {
        Self(neon!(vbslq_f32(mask, yes.0, no.0)))
    }

    #[inline(always)]
    fn and(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        neon!(vandq_u32(a, b))
    }

    #[inline(always)]
    fn or(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        neon!(vorrq_u32(a, b))
    }

    #[inline(always)]
    fn any(mask: uint32x4_t) -> bool {
        neon!(vmaxvq_u32(mask)) != 0
    }

    #[inline(always)]
    fn all(mask: uint32x4_t) -> bool {
        neon!(vminvq_u32(mask)) != 0
    }
}
