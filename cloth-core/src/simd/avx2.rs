//! Eight lanes of AVX2, where the processor turns out to have it.

use super::{Floats, Kernel, Lanes, Mask};
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;
use arch::{
    __m128, __m256, _CMP_LE_OQ, _CMP_LT_OQ, _mm_add_ps, _mm_loadu_ps, _mm_storeu_ps, _mm256_add_ps, _mm256_and_ps,
    _mm256_andnot_ps, _mm256_blendv_ps, _mm256_castps128_ps256, _mm256_castps256_ps128, _mm256_cmp_ps, _mm256_div_ps,
    _mm256_extractf128_ps, _mm256_insertf128_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
    _mm256_mul_ps, _mm256_or_ps, _mm256_permute2f128_ps, _mm256_set1_ps, _mm256_setr_ps, _mm256_shuffle_ps, _mm256_sqrt_ps, _mm256_storeu_ps,
    _mm256_sub_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps, _mm256_xor_ps,
};
use core::cell::Cell;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Proof that the processor has AVX2 and the system saves its registers: values are made here alone, after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

/// Made with an [`Avx2`] alone, so it proves the same.
#[derive(Clone, Copy)]
pub struct Ymm(__m256);

/// All bits or none in each lane; made of [`Ymm`]s alone.
#[derive(Clone, Copy)]
pub struct YmmMask(__m256);

/// Calls an intrinsic on registers.
macro_rules! avx2 {
    ($name:ident $(::<$constant:ident>)? ($($register:expr),*)) => {
        // SAFETY: an `Avx2`, or lanes made with one, are at hand: AVX2 is there. No memory is touched.
        unsafe { $name $(::<$constant>)? ($($register),*) }
    };
}

impl Avx2 {
    /// What was promised at compile time.
    #[cfg(target_feature = "avx2")]
    pub const PROMISED: Self = Self(());

    /// Asks the processor.
    pub fn detect() -> Option<Self> {
        has_avx2().then_some(Self(()))
    }

    /// Runs `kernel` in a function that may use AVX2, into which all of it is inlined.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2")]
        fn inside<K: Kernel>(l: Avx2, kernel: K) -> K::Output {
            kernel.run(l)
        }
        // SAFETY: `self` is proof of AVX2.
        unsafe { inside(self, kernel) }
    }

    /// Entry `a` taken off `b`: an entry fills a register.
    #[inline(always)]
    fn apart(self, a: &[[f32; 4]; 2], b: &[[f32; 4]; 2]) -> Ymm {
        self.load(bytemuck::cast_ref(b)) - self.load(bytemuck::cast_ref(a))
    }
}

/// Intel's procedure (Software Developer's Manual, volume 1, 14.3 and 14.7.1): the processor has AVX and AVX2, and the
/// system has switched on the saving of the upper halves of the registers.
fn has_avx2() -> bool {
    #[cfg(any(target_env = "sgx", miri))]
    {
        // CPUID is not to be had in an enclave, nor in Miri.
        cfg!(target_feature = "avx2")
    }
    #[cfg(not(any(target_env = "sgx", miri)))]
    {
        const OSXSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
        const XMM_AND_YMM_STATE: u64 = 0b110;
        const AVX2: u32 = 1 << 5;

        #[target_feature(enable = "xsave")]
        fn saved_state() -> u64 {
            // SAFETY: the caller has seen OSXSAVE, which is what makes XGETBV with 0 legal.
            unsafe { arch::_xgetbv(0) }
        }

        if arch::__cpuid(0).eax < 7 || arch::__cpuid(1).ecx & OSXSAVE_AND_AVX != OSXSAVE_AND_AVX {
            return false;
        }
        // SAFETY: OSXSAVE was just seen; it implies XSAVE.
        let saved = unsafe { saved_state() };
        saved & XMM_AND_YMM_STATE == XMM_AND_YMM_STATE && arch::__cpuid_count(7, 0).ebx & AVX2 != 0
    }
}

impl Lanes for Avx2 {
    type F = Ymm;

    const NAME: &str = "AVX2";
    const WIDTH: usize = 8;

    #[inline(always)]
    fn parts(self) -> impl Iterator<Item = Self> {
        core::iter::once(self)
    }

    #[inline(always)]
    fn first(self) -> usize {
        0
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Ymm {
        splat(x)
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Ymm {
        // SAFETY: `self` is proof of AVX2; reads, without need of alignment, the 32 bytes that are borrowed.
        Ymm(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, lanes: Ymm, to: &mut [f32; 8]) {
        // SAFETY: `self` is proof of AVX2; writes, without need of alignment, the 32 bytes that are borrowed.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), lanes.0) }
    }

    #[inline(always)]
    fn collect(self, word: impl Fn(usize) -> f32) -> Ymm {
        Ymm(avx2!(_mm256_setr_ps(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))))
    }

    #[inline(always)]
    fn collect_records<'a>(self, record: impl Fn(usize) -> &'a [f32; 4]) -> [Ymm; 4] {
        transpose([
            join(record(0), record(4)),
            join(record(1), record(5)),
            join(record(2), record(6)),
            join(record(3), record(7)),
        ])
    }

    #[inline(always)]
    fn spread_records<'a>(self, words: [Ymm; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [ae, bf, cg, dh] = transpose(words);
        put_low(ae, record(0));
        put_low(bf, record(1));
        put_low(cg, record(2));
        put_low(dh, record(3));
        put_high(ae, record(4));
        put_high(bf, record(5));
        put_high(cg, record(6));
        put_high(dh, record(7));
    }

    #[inline(always)]
    fn differences<'a>(
        self,
        a: impl Fn(usize) -> &'a [[f32; 4]; 2],
        b: impl Fn(usize) -> &'a [[f32; 4]; 2],
    ) -> [[Ymm; 3]; 2] {
        let [x, y, z, _] = transpose([
            self.apart(a(0), b(0)),
            self.apart(a(1), b(1)),
            self.apart(a(2), b(2)),
            self.apart(a(3), b(3)),
        ]);
        let [u, v, t, _] = transpose([
            self.apart(a(4), b(4)),
            self.apart(a(5), b(5)),
            self.apart(a(6), b(6)),
            self.apart(a(7), b(7)),
        ]);
        [[lower(x, u), lower(y, v), lower(z, t)], [upper(x, u), upper(y, v), upper(z, t)]]
    }

    #[inline(always)]
    fn add_words<'a>(self, words: [Ymm; 4], record: impl Fn(usize) -> &'a Cell<[f32; 4]>) {
        let [ae, bf, cg, dh] = transpose(words);
        add_low(ae, record(0));
        add_low(bf, record(1));
        add_low(cg, record(2));
        add_low(dh, record(3));
        add_high(ae, record(4));
        add_high(bf, record(5));
        add_high(cg, record(6));
        add_high(dh, record(7));
    }
}

/// Lanes 0–3 of both.
#[inline(always)]
fn lower(a: Ymm, b: Ymm) -> Ymm {
    // SAFETY: as for `avx2!`.
    Ymm(unsafe { _mm256_permute2f128_ps::<0x20>(a.0, b.0) })
}

/// Lanes 4–7 of both.
#[inline(always)]
fn upper(a: Ymm, b: Ymm) -> Ymm {
    // SAFETY: as for `avx2!`.
    Ymm(unsafe { _mm256_permute2f128_ps::<0x31>(a.0, b.0) })
}

#[inline(always)]
fn add_low(lanes: Ymm, to: &Cell<[f32; 4]>) {
    add_to(avx2!(_mm256_castps256_ps128(lanes.0)), to);
}

#[inline(always)]
fn add_high(lanes: Ymm, to: &Cell<[f32; 4]>) {
    // SAFETY: as for `avx2!`.
    add_to(unsafe { _mm256_extractf128_ps::<1>(lanes.0) }, to);
}

#[inline(always)]
fn add_to(more: __m128, to: &Cell<[f32; 4]>) {
    // SAFETY: as for `put`; reads the same 16 bytes.
    let sum = unsafe { _mm_add_ps(_mm_loadu_ps(to.as_ptr().cast()), more) };
    put(sum, to);
}

#[inline(always)]
fn splat(x: f32) -> Ymm {
    Ymm(avx2!(_mm256_set1_ps(x)))
}

/// One record in lanes 0–3, another in lanes 4–7.
#[inline(always)]
fn join(low: &[f32; 4], high: &[f32; 4]) -> Ymm {
    // SAFETY: every x86 that gets here has SSE2; reads the 16 bytes that are borrowed.
    let (low, high) = unsafe { (_mm_loadu_ps(low.as_ptr()), _mm_loadu_ps(high.as_ptr())) };
    let low = avx2!(_mm256_castps128_ps256(low));
    // SAFETY: as for `avx2!`.
    Ymm(unsafe { _mm256_insertf128_ps::<1>(low, high) })
}

#[inline(always)]
fn put_low(lanes: Ymm, to: &Cell<[f32; 4]>) {
    put(avx2!(_mm256_castps256_ps128(lanes.0)), to);
}

#[inline(always)]
fn put_high(lanes: Ymm, to: &Cell<[f32; 4]>) {
    // SAFETY: as for `avx2!`.
    put(unsafe { _mm256_extractf128_ps::<1>(lanes.0) }, to);
}

#[inline(always)]
fn put(record: __m128, to: &Cell<[f32; 4]>) {
    // SAFETY: every x86 that gets here has SSE2; writes the 16 bytes of the cell, which may change while it is shared and
    // of which no reference to the inside exists.
    unsafe { _mm_storeu_ps(to.as_ptr().cast(), record) }
}

/// Transposes lanes 0–3 and lanes 4–7, each for themselves: lane i of result k is lane k of `rows[i]`.
#[inline(always)]
fn transpose(rows: [Ymm; 4]) -> [Ymm; 4] {
    /// Lanes 0 and 1 of both operands.
    const LOW: i32 = 0b01_00_01_00;
    /// Lanes 2 and 3 of both operands.
    const HIGH: i32 = 0b11_10_11_10;

    let [a, b, c, d] = rows;
    let xy_low = avx2!(_mm256_unpacklo_ps(a.0, b.0));
    let xy_high = avx2!(_mm256_unpacklo_ps(c.0, d.0));
    let zw_low = avx2!(_mm256_unpackhi_ps(a.0, b.0));
    let zw_high = avx2!(_mm256_unpackhi_ps(c.0, d.0));
    [
        Ymm(avx2!(_mm256_shuffle_ps::<LOW>(xy_low, xy_high))),
        Ymm(avx2!(_mm256_shuffle_ps::<HIGH>(xy_low, xy_high))),
        Ymm(avx2!(_mm256_shuffle_ps::<LOW>(zw_low, zw_high))),
        Ymm(avx2!(_mm256_shuffle_ps::<HIGH>(zw_low, zw_high))),
    ]
}

impl Floats for Ymm {
    type Mask = YmmMask;

    #[inline(always)]
    fn root(self) -> Self {
        Self(avx2!(_mm256_sqrt_ps(self.0)))
    }

    // VMINPS and VMAXPS keep their second operand of two zeros and beside a NaN, as `math::real` does.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(avx2!(_mm256_min_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(avx2!(_mm256_max_ps(self.0, other.0)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(avx2!(_mm256_andnot_ps(splat(-0.0).0, self.0)))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> YmmMask {
        YmmMask(avx2!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)))
    }

    #[inline(always)]
    fn le(self, other: Self) -> YmmMask {
        YmmMask(avx2!(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)))
    }
}

impl Add for Ymm {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(avx2!(_mm256_add_ps(self.0, other.0)))
    }
}

impl Sub for Ymm {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(avx2!(_mm256_sub_ps(self.0, other.0)))
    }
}

impl Mul for Ymm {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(avx2!(_mm256_mul_ps(self.0, other.0)))
    }
}

impl Div for Ymm {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(avx2!(_mm256_div_ps(self.0, other.0)))
    }
}

impl Neg for Ymm {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(avx2!(_mm256_xor_ps(self.0, splat(-0.0).0)))
    }
}

impl Mask<Ymm> for YmmMask {
    #[inline(always)]
    fn select(self, yes: Ymm, no: Ymm) -> Ymm {
        Ymm(avx2!(_mm256_blendv_ps(no.0, yes.0, self.0)))
    }

    #[inline(always)]
    fn keep(self, x: Ymm) -> Ymm {
        Ymm(avx2!(_mm256_and_ps(self.0, x.0)))
    }

    #[inline(always)]
    fn any(self) -> bool {
        avx2!(_mm256_movemask_ps(self.0)) != 0
    }

    #[inline(always)]
    fn all(self) -> bool {
        avx2!(_mm256_movemask_ps(self.0)) == 0xff
    }
}

impl BitAnd for YmmMask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(avx2!(_mm256_and_ps(self.0, other.0)))
    }
}

impl BitOr for YmmMask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(avx2!(_mm256_or_ps(self.0, other.0)))
    }
}
