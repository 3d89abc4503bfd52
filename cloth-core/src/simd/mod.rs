//! `f32` in groups of eight, with the same bits at every width.
//!
//! A [`Kernel`] is written once over [`Lanes`] and run by [`Level::run`] with one lane, four or eight in a
//! register: it goes through its groups, and through the [parts](Lanes::parts) of each that fill a register. The lanes of
//! a group must not depend on each other, and two parts not on the order they come in. Every operation acts on each lane by itself and is the one that `math` has for a single `f32`; there
//! is no sum over lanes, nothing fused and nothing estimated, so all levels give the same bits (of a NaN only
//! that it is one; rule 4 of determinism).
//!
//! | level | registers | where |
//! |---|---|---|
//! | scalar | one lane | everywhere: the oracle, and the path of targets that have nothing wider |
//! | SSE2, NEON, simd128 | 4 lanes | what the target promises at compile time |
//! | AVX2 | 8 lanes | x86 whose processor has it: [`Level::detect`] |
//!
//! Who steps (host, ffi, a program) asks for a level once and passes it in; nothing in a step looks at the
//! processor. A level that was asked for is proof that its instructions may run, which is why the arithmetic below it
//! needs no `unsafe` in a kernel.
//!
//! ```
//! use cloth_core::simd::{Floats as _, Groups, Kernel, Lanes, Level, PLACE};
//!
//! /// Brings the two ends of each row to their rest length, eight rows at a time.
//! struct Rows<'a> {
//!     ends: Groups<'a, 2>,
//!     rest: &'a [[f32; 8]],
//!     /// x, y, z (m) and inverse mass (1/kg).
//!     particles: &'a mut [[f32; 4]],
//! }
//!
//! impl Kernel for Rows<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run<L: Lanes>(self, l: L) {
//!         for ([a, b], rest) in self.ends.iter().zip(self.rest) {
//!             for l in l.parts() {
//!                 let [ax, ay, az, aw] = a.gather(l, self.particles);
//!                 let [bx, by, bz, bw] = b.gather(l, self.particles);
//!                 let (dx, dy, dz) = (bx - ax, by - ay, bz - az);
//!                 let length = (dx * dx + dy * dy + dz * dz).max(l.splat(1e-24)).root();
//!                 // Two held ends weigh nothing: the floor keeps 0/0 away.
//!                 let weight = ((aw + bw) * length).max(l.splat(1e-24));
//!                 let s = (length - l.load(rest)) / weight;
//!                 let (sa, sb) = (s * aw, s * bw);
//!                 a.scatter(l, self.particles, [ax + dx * sa, ay + dy * sa, az + dz * sa, aw]);
//!                 b.scatter(l, self.particles, [bx - dx * sb, by - dy * sb, bz - dz * sb, bw]);
//!             }
//!         }
//!     }
//! }
//!
//! // One row, 0 to 1, 3 m long and 1 m at rest; seven lanes with nothing to do move a record that is no particle.
//! let ends = [[[0, 2, 2, 2, 2, 2, 2, 2], [1, 2, 2, 2, 2, 2, 2, 2]].map(|end| end.map(|index: u32| index * PLACE))];
//! let start = [[0.0, 0.0, 0.0, 1.0], [3.0, 0.0, 0.0, 1.0], [0.0; 4]];
//! let move_once = |level: Level| {
//!     let mut particles = start;
//!     let ends = Groups::new(&ends, particles.len()).expect("0, 1 and 2 are below 3");
//!     level.run(Rows { ends, rest: &[[1.0; 8]], particles: &mut particles });
//!     particles
//! };
//! assert_eq!(move_once(Level::SCALAR), [[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0], [0.0; 4]]);
//! assert_eq!(move_once(Level::detect()), move_once(Level::SCALAR));
//! ```

mod columns;
#[cfg(feature = "team")]
mod crew;
mod cut;
mod groups;
mod lanes;
mod level;
mod rows;
#[cfg(feature = "team")]
mod runs;
mod scalar;

cfg_select! {
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        #[expect(unsafe_code, reason = "core has no safe way to these instructions")]
        mod avx2;
        mod four;
        #[expect(unsafe_code, reason = "core has no safe way to these instructions")]
        mod sse2;
    }
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => {
        #[expect(unsafe_code, reason = "core has no safe way to these instructions")]
        mod neon;
        mod four;
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        mod four;
        #[expect(unsafe_code, reason = "core has no safe way to these instructions")]
        mod wasm;
    }
    _ => {}
}

pub use columns::{Backs, Fronts, columns};
#[cfg(feature = "team")]
pub use crew::{Crew, MOST_PARTS, Team, Worth, gather};
pub use cut::Cut;
pub(crate) use cut::{cut, cut_mut};
pub use groups::{Group, Groups, PLACE};
pub use lanes::{Floats, Lanes, Mask};
pub use level::Level;
pub use rows::{Row, Rows};
#[cfg(feature = "team")]
pub use runs::{MOST_RUNS, Run, Runs, Stamp};
pub(crate) use scalar::Scalar;

/// Work that is written once for every [`Level`].
pub trait Kernel {
    /// What the work comes to.
    type Output;

    /// Does the work.
    ///
    /// Must be `#[inline(always)]`, as must be every function of yours it hands lanes to, or the operations stand in
    /// a function that may not use the level's instructions and each becomes a call. For the same reason: loops, and
    /// no closures with lanes inside. Slow is all that comes of it; the bits don't change.
    fn run<L: Lanes>(self, l: L) -> Self::Output;
}
