//! Which of the ways to compute eight floats is taken.

use super::{Kernel, Lanes};

// The conditions are those under which `simd` has the modules. What depends on them stands here, and nowhere else.
cfg_select! {
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        use super::{avx2::Avx2, sse2::Sse2};

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            #[cfg(any(test, feature = "scalar"))]
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
        #[cfg(any(test, feature = "scalar"))]
        const ONE: Kind = Kind::Scalar;
        #[cfg(not(any(test, feature = "scalar")))]
        const ONE: Kind = FOUR;

        fn widest() -> Kind {
            Avx2::detect().map_or(PROMISED, Kind::Avx2)
        }

        #[inline]
        fn run<K: Kernel>(kind: Kind, kernel: K) -> K::Output {
            match kind {
                #[cfg(any(test, feature = "scalar"))]
                Kind::Scalar => kernel.run(super::scalar::Scalar::LEVEL),
                Kind::Sse2 => kernel.run(Sse2::LEVEL),
                Kind::Avx2(avx2) => avx2.run(kernel),
            }
        }
    }
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => {
        use super::neon::Neon;

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            #[cfg(any(test, feature = "scalar"))]
            Scalar,
            Neon,
        }

        const PROMISED: Kind = Kind::Neon;
        const FOUR: Kind = Kind::Neon;
        #[cfg(any(test, feature = "scalar"))]
        const ONE: Kind = Kind::Scalar;
        #[cfg(not(any(test, feature = "scalar")))]
        const ONE: Kind = FOUR;

        fn widest() -> Kind {
            PROMISED
        }

        #[inline]
        fn run<K: Kernel>(kind: Kind, kernel: K) -> K::Output {
            match kind {
                #[cfg(any(test, feature = "scalar"))]
                Kind::Scalar => kernel.run(super::scalar::Scalar::LEVEL),
                Kind::Neon => kernel.run(Neon::LEVEL),
            }
        }
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        use super::wasm::Simd128;

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            #[cfg(any(test, feature = "scalar"))]
            Scalar,
            Simd128,
        }

        const PROMISED: Kind = Kind::Simd128;
        const FOUR: Kind = Kind::Simd128;
        #[cfg(any(test, feature = "scalar"))]
        const ONE: Kind = Kind::Scalar;
        #[cfg(not(any(test, feature = "scalar")))]
        const ONE: Kind = FOUR;

        fn widest() -> Kind {
            PROMISED
        }

        #[inline]
        fn run<K: Kernel>(kind: Kind, kernel: K) -> K::Output {
            match kind {
                #[cfg(any(test, feature = "scalar"))]
                Kind::Scalar => kernel.run(super::scalar::Scalar::LEVEL),
                Kind::Simd128 => kernel.run(Simd128::LEVEL),
            }
        }
    }
    _ => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind {
            Scalar,
        }

        const PROMISED: Kind = Kind::Scalar;
        const FOUR: Kind = Kind::Scalar;
        const ONE: Kind = Kind::Scalar;

        fn widest() -> Kind {
            PROMISED
        }

        #[inline]
        fn run<K: Kernel>(kind: Kind, kernel: K) -> K::Output {
            match kind {
                Kind::Scalar => kernel.run(super::scalar::Scalar::LEVEL),
            }
        }
    }
}

/// A way to compute eight floats that is known to work here. Which one changes the time a step takes, and no bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Kind);

impl Level {
    /// One lane at a time, in ordinary arithmetic: what the others are compared with. [`Level::FOUR`] in a build without the feature
    /// `scalar` for a target that promises four lanes, where nobody else has a use for it.
    pub const SCALAR: Self = Self(ONE);

    /// Four lanes at a time where the target promises them at compile time (SSE2, NEON, simd128), else
    /// [`Level::SCALAR`].
    pub const FOUR: Self = Self(FOUR);

    /// The widest that the target promises at compile time. Kernels that run at most once a step, or for few cloths, run at this one
    /// whatever was asked for: a version for every level would make the C library 15 kB larger and save no time worth it.
    pub const BASELINE: Self = Self(PROMISED);

    /// The widest that this processor has. Asks it on every call, some hundred cycles: keep the answer.
    pub fn detect() -> Self {
        Self(widest())
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
        run(self.0, kernel)
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
