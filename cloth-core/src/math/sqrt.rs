//! The square root, correctly rounded, without `std` and without libm.
//!
//! Every machine with a square-root instruction rounds it as IEEE 754 demands, so the instruction and the
//! integer algorithm below are the same function; `sqrt_is_the_same_on_all_inputs` compares them on all 2³²
//! inputs. An arm is taken only where the target promises the instruction at compile time.

/// √x, rounded to nearest, ties to even: `sqrt(−0) = −0`, `sqrt(+∞) = +∞`, NaN for a NaN and below zero.
///
/// The bits of a resulting NaN are the machine's; those of every other result are the same everywhere.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    root(x)
}

/// The one NaN that [`sqrt_software`] answers.
const NAN_BITS: u32 = 0x7fc0_0000;
/// Bits of +∞: every larger pattern without the sign is a NaN.
const INFINITE_BITS: u32 = 0x7f80_0000;
/// Bits after the binary point of a significand.
const FRACTION_BITS: u32 = 23;

/// [`sqrt`] by integer arithmetic alone; its NaN is always `0x7fc00000`.
pub fn sqrt_software(x: f32) -> f32 {
    let bits = x.to_bits();
    if bits << 1 == 0 {
        return x;
    }
    if bits >= INFINITE_BITS {
        // +∞ is its own root; what lies above it is a NaN or has the sign bit set.
        return f32::from_bits(if bits == INFINITE_BITS { bits } else { NAN_BITS });
    }

    // x = significand · 2^(exponent − 150), with bit 23 of the significand set; a denormal is shifted up to that.
    let mut significand = bits & ((1 << FRACTION_BITS) - 1);
    let mut exponent = bits >> FRACTION_BITS;
    // The biased exponent of a denormal would go below zero: an even number more keeps everything unsigned.
    const LIFT: u32 = 64;
    exponent += LIFT;
    if exponent == LIFT {
        let shift = significand.leading_zeros() - (31 - FRACTION_BITS);
        significand <<= shift;
        exponent = exponent + 1 - shift;
    } else {
        significand |= 1 << FRACTION_BITS;
    }
    // The bias 127 and the LIFT together are odd: an even sum stands for an odd power of two, whose spare factor
    // of two goes into the significand.
    if exponent & 1 == 0 {
        significand <<= 1;
    }
    // The result's biased exponent, ⌊e/2⌋ + 127 for x in [2ᵉ, 2ᵉ⁺¹).
    let half = (exponent + 127 - LIFT) / 2;

    // root = ⌊√(significand · 2²⁵)⌋ has 25 bits: the 24 of the result and one to round by. Bit by bit, `rest`
    // holds (significand · 2²⁵ − root²)/bit, which never passes 2²⁸.
    let mut root = 0;
    let mut rest = significand << 1;
    let mut bit = 1 << (FRACTION_BITS + 1);
    while bit != 0 {
        let needed = 2 * root + bit;
        if rest >= needed {
            rest -= needed;
            root += bit;
        }
        rest <<= 1;
        bit >>= 1;
    }
    // A square root never lies exactly between two floats (it would have 25 significant bits and its square
    // more than 24), so rounding up at half is rounding to nearest whatever the rest is.
    let rounded = (root + 1) >> 1;
    f32::from_bits(((half - 1) << FRACTION_BITS) + rounded)
}

cfg_select! {
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        #[expect(unsafe_code, reason = "core has no safe way to the square-root instruction")]
        #[inline(always)]
        fn root(x: f32) -> f32 {
            #[cfg(target_arch = "x86")]
            use core::arch::x86 as arch;
            #[cfg(target_arch = "x86_64")]
            use core::arch::x86_64 as arch;
            // SAFETY: the intrinsics need SSE, which the target has by the condition of this arm.
            unsafe { arch::_mm_cvtss_f32(arch::_mm_sqrt_ss(arch::_mm_set_ss(x))) }
        }
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        #[inline(always)]
        fn root(x: f32) -> f32 {
            use core::arch::wasm32::{f32x4_extract_lane, f32x4_splat, f32x4_sqrt};
            f32x4_extract_lane::<0>(f32x4_sqrt(f32x4_splat(x)))
        }
    }
    all(target_arch = "aarch64", target_feature = "neon") => {
        #[expect(unsafe_code, reason = "core has no safe way to the square-root instruction")]
        #[inline(always)]
        fn root(x: f32) -> f32 {
            let y;
            // SAFETY: register to register, touches nothing else; part of every AArch64 with floating point.
            unsafe {
                core::arch::asm!("fsqrt {y:s}, {x:s}", y = lateout(vreg) y, x = in(vreg) x,
                    options(pure, nomem, nostack, preserves_flags));
            }
            y
        }
    }
    // Every hard-float ABI of 32-bit Arm passes floats in VFP registers, so the unit is there.
    all(target_arch = "arm", target_abi = "eabihf") => {
        #[expect(unsafe_code, reason = "core has no safe way to the square-root instruction")]
        #[inline(always)]
        fn root(x: f32) -> f32 {
            let y;
            // A single-precision unit (Cortex-M4F) has no `vfp2` in the compiler's eyes, which then refuses
            // `sreg` operands and drops clobbers of `s0`: the value goes through integer registers and `s0`
            // is put back by hand.
            // SAFETY: touches no memory and leaves every register but its outputs as it was.
            unsafe {
                core::arch::asm!("vmov {keep}, s0", "vmov s0, {x}", "vsqrt.f32 s0, s0", "vmov {y}, s0",
                    "vmov s0, {keep}", keep = out(reg) _, x = in(reg) x, y = lateout(reg) y,
                    options(pure, nomem, nostack, preserves_flags));
            }
            y
        }
    }
    // Stable compilers do not show `f` to a condition yet; on Linux every RISC-V target has it.
    any(
        all(any(target_arch = "riscv32", target_arch = "riscv64"), target_feature = "f"),
        all(target_arch = "riscv64", target_os = "linux"),
    ) => {
        #[expect(unsafe_code, reason = "core has no safe way to the square-root instruction")]
        #[inline(always)]
        fn root(x: f32) -> f32 {
            let y;
            // SAFETY: register to register; it may raise the inexact flag, which Rust does not observe.
            unsafe {
                core::arch::asm!("fsqrt.s {y}, {x}, rne", y = lateout(freg) y, x = in(freg) x,
                    options(pure, nomem, nostack));
            }
            y
        }
    }
    all(target_arch = "s390x", target_os = "linux") => {
        #[expect(unsafe_code, reason = "core has no safe way to the square-root instruction")]
        #[inline(always)]
        fn root(x: f32) -> f32 {
            let y;
            // SAFETY: register to register, touches nothing else; part of every z/Architecture machine.
            unsafe {
                core::arch::asm!("sqebr {y}, {x}", y = lateout(freg) y, x = in(freg) x,
                    options(pure, nomem, nostack, preserves_flags));
            }
            y
        }
    }
    // ELFv2 asks for a POWER8.
    all(target_arch = "powerpc64", target_endian = "little", target_os = "linux") => {
        #[expect(unsafe_code, reason = "core has no safe way to the square-root instruction")]
        #[inline(always)]
        fn root(x: f32) -> f32 {
            let y;
            // SAFETY: register to register, touches nothing else.
            unsafe {
                core::arch::asm!("fsqrts {y}, {x}", y = lateout(freg) y, x = in(freg) x,
                    options(pure, nomem, nostack, preserves_flags));
            }
            y
        }
    }
    _ => {
        fn root(x: f32) -> f32 {
            sqrt_software(x)
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    fn canonical(x: f32) -> u32 {
        if x.is_nan() { NAN_BITS } else { x.to_bits() }
    }

    fn first_difference(inputs: impl Iterator<Item = u32>) -> Option<u32> {
        inputs.into_iter().find(|&bits| {
            let x = f32::from_bits(bits);
            canonical(sqrt(x)) != sqrt_software(x).to_bits()
        })
    }

    #[test]
    fn special_values() {
        for (x, root) in [
            (0x0000_0000, 0x0000_0000), // +0
            (0x8000_0000, 0x8000_0000), // −0
            (0x7f80_0000, 0x7f80_0000), // +∞
            (0xff80_0000, NAN_BITS),    // −∞
            (0x7f80_0001, NAN_BITS),    // signalling NaN
            (0xffff_ffff, NAN_BITS),    // NaN with a sign
            (0x8000_0001, NAN_BITS),    // the negative number next to zero
            (0x0000_0001, 0x1a35_04f3), // 2^−149: √2·2^−75
            (0x7f7f_ffff, 0x5f7f_ffff), // the largest float
            (0x4080_0000, 0x4000_0000), // √4 = 2
            (0x3f7f_ffff, 0x3f7f_ffff), // next below 1: its root lies nearer to itself than to 1
        ] {
            assert_eq!(sqrt_software(f32::from_bits(x)).to_bits(), root, "software, {x:#010x}");
            assert_eq!(canonical(sqrt(f32::from_bits(x))), root, "hardware, {x:#010x}");
        }
    }

    #[test]
    fn software_is_hardware_on_a_sample() {
        // A step without a common factor with 2³² visits exponents and significands evenly.
        assert_eq!(first_difference((0..1 << 18).map(|i: u32| i.wrapping_mul(0x9e37_79b1))), None);
        // All denormals' exponents, and the neighbourhood of every power of two.
        assert_eq!(
            first_difference(
                (0..512_u32).flat_map(|e| (0..9).map(move |d| (e << 23).wrapping_add(d).wrapping_sub(4)))
            ),
            None
        );
        assert_eq!(first_difference((0..23).map(|shift| 1 << shift)), None);
    }

    #[test]
    #[ignore = "2³² inputs; a minute in release, see .ci/run"]
    fn sqrt_is_the_same_on_all_inputs() {
        // Odd and even patterns: negative ones cost nothing, so halves by sign would leave one thread idle.
        let half = std::thread::spawn(|| first_difference((0..1 << 31).map(|i| 2 * i)));
        assert_eq!(first_difference((0..1 << 31).map(|i| 2 * i + 1)), None);
        assert_eq!(half.join().expect("the other half ran"), None);
    }
}
