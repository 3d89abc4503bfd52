//! The floating-point environment of a call.
//!
//! Rust computes in the default environment – round to nearest, denormals kept, no traps – and core's bits are those of
//! that environment. A C caller may be in another: engines run with flush-to-zero and denormals-are-zero, interval
//! arithmetic rounds upwards. Every call that could touch a float begins by putting the caller's control register away and
//! ends by putting it back, sticky exception flags included. Where both agree already the register is only read.
//!
//! | target | register | what is set |
//! |---|---|---|
//! | x86-64, x86 with SSE2 | MXCSR | nearest, FTZ and DAZ off, exceptions masked |
//! | AArch64 | FPCR (and FPSR back) | nearest, FZ, FZ16, AH, DN off, no traps |
//! | 32-bit Arm, hard-float ABI | FPSCR | nearest, FZ and DN off, scalar, no traps |
//! | RISC-V with F | fcsr | nearest; there is no flush-to-zero |
//! | s390x | fpc | nearest, no traps; there is no flush-to-zero |
//! | powerpc64le | FPSCR | nearest, NI off, no traps |
//!
//! WebAssembly has one environment and nothing to set. Targets without a floating-point unit compute in software that has
//! no modes. On targets that are none of these, 32-bit Arm with the soft-float ABI and big-endian POWER among them, the
//! caller's environment has to be the default one.

use core::arch::asm;

/// The caller's settings.
pub(super) struct Environment {
    caller: Register,
}

impl Environment {
    /// Takes on the environment of Rust.
    #[inline(always)]
    pub(super) fn enter() -> Self {
        let caller = read();
        if control(caller) != DEFAULT {
            write(DEFAULT);
        }
        Self { caller }
    }

    /// Goes back to the caller's.
    #[inline(always)]
    pub(super) fn leave(self) {
        if read() != self.caller {
            write(self.caller);
        }
    }
}

cfg_select! {
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        type Register = u32;
        /// All exceptions masked, everything else off.
        const DEFAULT: Register = 0x1f80;

        /// Without the sticky flags.
        #[inline(always)]
        fn control(register: Register) -> Register {
            register & !0x3f
        }

        #[inline(always)]
        fn read() -> Register {
            let mut register = DEFAULT;
            // SAFETY: writes four bytes to a variable of ours. That this is also a barrier to memory keeps the
            // compiler from moving loads and stores across.
            unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
            register
        }

        #[inline(always)]
        fn write(register: Register) {
            // SAFETY: reads four bytes of a variable of ours, which hold the default or what `read` has seen: no
            // reserved bit is set. The caller of `enter` and `leave` computes nothing in an environment but Rust's.
            unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags)) };
        }
    }
    target_arch = "aarch64" => {
        /// FPCR, then FPSR.
        type Register = [u64; 2];
        const DEFAULT: Register = [0; 2];

        /// Without the sticky flags.
        #[inline(always)]
        fn control([control, _]: Register) -> Register {
            [control, 0]
        }

        #[inline(always)]
        fn read() -> Register {
            let (control, status);
            // SAFETY: reads two registers.
            unsafe { asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) status, options(nostack, preserves_flags)) };
            [control, status]
        }

        #[inline(always)]
        fn write([control, status]: Register) {
            // SAFETY: zero, or what `read` has seen. The caller of `enter` and `leave` computes nothing in an
            // environment but Rust's.
            unsafe { asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) status, options(nostack, preserves_flags)) };
        }
    }
    // As in core's square root: the hard-float ABI says that the unit is there.
    all(target_arch = "arm", target_abi = "eabihf") => {
        type Register = u32;
        const DEFAULT: Register = 0;

        /// Without the sticky flags and those of the last comparison.
        #[inline(always)]
        fn control(register: Register) -> Register {
            register & 0x07ff_9f00
        }

        #[inline(always)]
        fn read() -> Register {
            let register;
            // SAFETY: reads a register.
            unsafe { asm!("vmrs {}, fpscr", out(reg) register, options(nostack)) };
            register
        }

        #[inline(always)]
        fn write(register: Register) {
            // SAFETY: zero, or what `read` has seen. The caller of `enter` and `leave` computes nothing in an
            // environment but Rust's.
            unsafe { asm!("vmsr fpscr, {}", in(reg) register, options(nostack)) };
        }
    }
    // As in core's square root: stable compilers do not show `f` to a condition yet; on Linux every RISC-V target has it.
    any(
        all(any(target_arch = "riscv32", target_arch = "riscv64"), target_feature = "f"),
        all(target_arch = "riscv64", target_os = "linux"),
    ) => {
        type Register = usize;
        const DEFAULT: Register = 0;

        /// Without the sticky flags.
        #[inline(always)]
        fn control(register: Register) -> Register {
            register & 0xe0
        }

        #[inline(always)]
        fn read() -> Register {
            let register;
            // SAFETY: reads a register.
            unsafe { asm!("frcsr {}", out(reg) register, options(nostack)) };
            register
        }

        #[inline(always)]
        fn write(register: Register) {
            // SAFETY: zero, or what `read` has seen. The caller of `enter` and `leave` computes nothing in an
            // environment but Rust's.
            unsafe { asm!("fscsr {}", in(reg) register, options(nostack)) };
        }
    }
    target_arch = "s390x" => {
        type Register = u32;
        const DEFAULT: Register = 0;

        /// Masks of traps and the rounding modes, of binary and of decimal numbers.
        #[inline(always)]
        fn control(register: Register) -> Register {
            register & 0xf800_0077
        }

        #[inline(always)]
        fn read() -> Register {
            let register;
            // SAFETY: reads a register.
            unsafe { asm!("efpc {}", out(reg) register, options(nostack)) };
            register
        }

        #[inline(always)]
        fn write(register: Register) {
            // SAFETY: zero, or what `read` has seen. The caller of `enter` and `leave` computes nothing in an
            // environment but Rust's.
            unsafe { asm!("sfpc {}", in(reg) register, options(nostack)) };
        }
    }
    all(target_arch = "powerpc64", target_endian = "little") => {
        type Register = u64;
        const DEFAULT: Register = 0;

        /// Traps, NI and the rounding modes, of binary and of decimal numbers.
        #[inline(always)]
        fn control(register: Register) -> Register {
            register & 0x7_0000_00ff
        }

        #[inline(always)]
        fn read() -> Register {
            let register: f64;
            // SAFETY: reads a register into another.
            unsafe { asm!("mffs {}", out(freg) register, options(nostack)) };
            // A move of bits: nothing is computed with what only looks like a float.
            register.to_bits()
        }

        #[inline(always)]
        fn write(register: Register) {
            // SAFETY: zero, or what `read` has seen. The caller of `enter` and `leave` computes nothing in an
            // environment but Rust's.
            unsafe { asm!("mtfsf 255, {}, 1, 0", in(freg) f64::from_bits(register), options(nostack)) };
        }
    }
    _ => {
        type Register = ();
        const DEFAULT: Register = ();

        fn control((): Register) -> Register {}
        fn read() -> Register {}
        fn write((): Register) {}
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// Runs with a register that is put back whatever happens.
    fn with<T>(register: Register, work: impl FnOnce() -> T) -> T {
        let before = read();
        write(register);
        let answer = work();
        write(before);
        answer
    }

    #[test]
    fn the_callers_settings_come_back() {
        // Upwards, flush-to-zero, denormals-are-zero, and a sticky flag.
        let strange = DEFAULT | 0x4000 | 0x8000 | 0x0040 | 0x0020;
        let (inside, after) = with(strange, || {
            let environment = Environment::enter();
            let inside = read();
            environment.leave();
            (inside, read())
        });
        assert_eq!((inside, after), (DEFAULT, strange));
    }

    #[test]
    fn what_a_call_raises_does_not_stay() {
        let after = with(DEFAULT, || {
            let environment = Environment::enter();
            std::hint::black_box(std::hint::black_box(1.0_f32) / std::hint::black_box(3.0_f32));
            environment.leave();
            read()
        });
        assert_eq!(after, DEFAULT);
    }
}
