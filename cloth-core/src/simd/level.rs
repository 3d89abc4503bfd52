//! Which of the ways to compute eight floats is taken.

use super::{Kernel, Lanes, scalar::Scalar};

// The conditions are those under which `simd` has the modules.
cfg_select! {
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        use super::{avx2::Avx2, sse2::Sse2};

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            Scalar,
            Sse2,
            Avx2(Avx2),
        }

        #[cfg(target_feature = "avx2")]
        const PROMISED: Kind = Kind::Avx2(Avx2::PROMISED);
        #[cfg(not(target_feature = "avx2"))]
        const PROMISED: Kind = Kind::Sse2;
        /// Four lanes are to be had even where eight are promised.
        const FOUR: Kind = Kind::Sse2;
    }
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => {
        use super::neon::Neon;

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            Scalar,
            Neon,
        }

        const PROMISED: Kind = Kind::Neon;
        const FOUR: Kind = Kind::Neon;
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        use super::wasm::Simd128;

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            Scalar,
            Simd128,
        }

        const PROMISED: Kind = Kind::Simd128;
        const FOUR: Kind = Kind::Simd128;
    }
    _ => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            Scalar,
        }

        const PROMISED: Kind = Kind::Scalar;
        const FOUR: Kind = Kind::Scalar;
    }
}

/// A way to compute eight floats that is known to work here. Which one changes the time a step takes, and no bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Kind);

impl Level {
    /// One lane at a time, in ordinary arithmetic.
    pub const SCALAR: Self = Self(Kind::Scalar);

    /// Four lanes at a time where the target promises them at compile time (SSE2, NEON, simd128), else
    /// [`Level::SCALAR`].
    pub const FOUR: Self = Self(FOUR);

    /// The widest that the target promises at compile time. Kernels that run at most once a step, or for few cloths, run at this one
    /// whatever was asked for: a version for every level would make the C library 15 kB larger and save no time worth it.
    pub const BASELINE: Self = Self(PROMISED);

    /// The widest that this processor has. Asks it on every call, some hundred cycles: keep the answer.
    pub fn detect() -> Self {
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        if let Some(avx2) = Avx2::detect() {
            return Self(Kind::Avx2(avx2));
        }
        Self::BASELINE
    }

    /// Lanes to a register: 1, 4 or 8.
    pub fn lanes(self) -> usize {
        self.run(Width)
    }

    /// What users call it: "scalar", "SSE2", "AVX2", "NEON", "simd128".
    pub fn name(self) -> &'static str {
        self.run(Name)
    }

    /// Runs `kernel` at this level.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Scalar => kernel.run(Scalar::LEVEL),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Kind::Sse2 => kernel.run(Sse2::LEVEL),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Kind::Avx2(avx2) => avx2.run(kernel),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Kind::Neon => kernel.run(Neon::LEVEL),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => kernel.run(Simd128::LEVEL),
        }
    }
}

struct Width;

impl Kernel for Width {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> usize {
        L::WIDTH
    }
}

struct Name;

impl Kernel for Name {
    type Output = &'static str;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> &'static str {
        L::NAME
    }
}
