//! Four lanes of SSE2, which every x86-64 has.

use super::four::{Four, Quad};
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;
use arch::{
    __m128, _mm_add_ps, _mm_and_ps, _mm_andnot_ps, _mm_castpd_ps, _mm_cmple_ps, _mm_cmplt_ps, _mm_div_ps, _mm_loadu_ps, _mm_max_ps,
    _mm_min_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_movemask_ps, _mm_mul_ps, _mm_or_ps, _mm_set1_ps, _mm_load_sd, _mm_loadh_pd, _mm_shuffle_ps,
    _mm_sqrt_ps, _mm_storeu_ps, _mm_sub_ps, _mm_unpackhi_ps, _mm_unpacklo_ps, _mm_xor_ps,
};
use core::cell::Cell;

/// The level of x86 without a look at the processor.
pub type Sse2 = Four<Xmm>;

#[derive(Clone, Copy)]
pub struct Xmm(__m128);

/// Calls an intrinsic on registers.
macro_rules! sse2 {
    ($name:ident($($register:expr),*)) => {
        // SAFETY: the target has SSE2, or this file would not be compiled; no memory is touched.
        unsafe { $name($($register),*) }
    };
}

/// Words `FIRST` and `FIRST` + 1, 0 or 2, of two records.
#[inline(always)]
fn halves<const FIRST: usize>(a: &[f32; 4], b: &[f32; 4]) -> __m128 {
    let [a, b]: [&[[f32; 2]; 2]; 2] = [bytemuck::cast_ref(a), bytemuck::cast_ref(b)];
    let which = (FIRST / 2) & 1;
    // Two words are moved as if they were one number of twice the width: there is no other way to load half a register.
    // SAFETY: the target has SSE2; reads, without need of alignment, the 8 bytes of each of the two borrowed pairs.
    unsafe { _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(a[which].as_ptr().cast()), b[which].as_ptr().cast())) }
}

/// Lanes 0 and 2 of both operands.
#[inline(always)]
fn even(a: __m128, b: __m128) -> __m128 {
    // SAFETY: as for `sse2!`.
    unsafe { _mm_shuffle_ps::<0b10_00_10_00>(a, b) }
}

/// Lanes 1 and 3 of both operands.
#[inline(always)]
fn odd(a: __m128, b: __m128) -> __m128 {
    // SAFETY: as for `sse2!`.
    unsafe { _mm_shuffle_ps::<0b11_01_11_01>(a, b) }
}

impl Quad for Xmm {
    type Mask = __m128;

    const NAME: &str = "SSE2";

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(sse2!(_mm_set1_ps(x)))
    }

    #[inline(always)]
    fn load(from: &[f32; 4]) -> Self {
        // SAFETY: the target has SSE2; reads, without need of alignment, the 16 bytes that are borrowed.
        Self(unsafe { _mm_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn put(self, to: &Cell<[f32; 4]>) {
        // SAFETY: the target has SSE2; writes, without need of alignment, the 16 bytes of the cell, which may change
        // while it is shared and of which no reference to the inside exists.
        unsafe { _mm_storeu_ps(to.as_ptr().cast(), self.0) }
    }

    // Halves of records come with a load and are laid side by side by another: two shuffles less than to load them whole.
    #[inline(always)]
    fn columns(rows: [&[f32; 4]; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        let (xy_low, xy_high) = (halves::<0>(a, b), halves::<0>(c, d));
        let (zw_low, zw_high) = (halves::<2>(a, b), halves::<2>(c, d));
        [
            Self(even(xy_low, xy_high)),
            Self(odd(xy_low, xy_high)),
            Self(even(zw_low, zw_high)),
            Self(odd(zw_low, zw_high)),
        ]
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = rows;
        let xy_low = sse2!(_mm_unpacklo_ps(a.0, b.0));
        let xy_high = sse2!(_mm_unpacklo_ps(c.0, d.0));
        let zw_low = sse2!(_mm_unpackhi_ps(a.0, b.0));
        let zw_high = sse2!(_mm_unpackhi_ps(c.0, d.0));
        [
            Self(sse2!(_mm_movelh_ps(xy_low, xy_high))),
            Self(sse2!(_mm_movehl_ps(xy_high, xy_low))),
            Self(sse2!(_mm_movelh_ps(zw_low, zw_high))),
            Self(sse2!(_mm_movehl_ps(zw_high, zw_low))),
        ]
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(sse2!(_mm_add_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(sse2!(_mm_sub_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(sse2!(_mm_mul_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(sse2!(_mm_div_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn neg(self) -> Self {
        Self(sse2!(_mm_xor_ps(self.0, Self::splat(-0.0).0)))
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(sse2!(_mm_sqrt_ps(self.0)))
    }

    // MINPS and MAXPS keep their second operand of two zeros and beside a NaN, as `math::real` does.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(sse2!(_mm_min_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(sse2!(_mm_max_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(sse2!(_mm_andnot_ps(Self::splat(-0.0).0, self.0)))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> __m128 {
        sse2!(_mm_cmplt_ps(self.0, other.0))
    }

    #[inline(always)]
    fn le(self, other: Self) -> __m128 {
        sse2!(_mm_cmple_ps(self.0, other.0))
    }

    #[inline(always)]
    fn select(mask: __m128, yes: Self, no: Self) -> Self {
        Self(Self::or(sse2!(_mm_and_ps(mask, yes.0)), sse2!(_mm_andnot_ps(mask, no.0))))
    }

    #[inline(always)]
    fn and(a: __m128, b: __m128) -> __m128 {
        sse2!(_mm_and_ps(a, b))
    }

    #[inline(always)]
    fn or(a: __m128, b: __m128) -> __m128 {
        sse2!(_mm_or_ps(a, b))
    }

    #[inline(always)]
    fn any(mask: __m128) -> bool {
        sse2!(_mm_movemask_ps(mask)) != 0
    }

    #[inline(always)]
    fn all(mask: __m128) -> bool {
        sse2!(_mm_movemask_ps(mask)) == 0xf
    }
}
