//! How much of the flow a particle's neighbours do not let past.
//!
//! Of a flow in direction û a particle faces ‖û − proj_T(û)‖, T being the span of the directions d̂ to its neighbours along stretch
//! rows as they are now:
//!
//! | neighbours span | what it is | it faces |
//! |---|---|---|
//! | a plane | a point of a surface | \|û·n\| |
//! | a line | a link of a chain | √(1 − (û·t)²) |
//! | nothing | a particle by itself | 1 |
//!
//! No normal is stored, none has a side, and nothing is remembered. Whether it is a plane or a line is no question of a
//! threshold: with A = Σ d̂·d̂ᵀ and P = A/tr A, which is the projection onto the line where there is only one,
//!
//! ```text
//! facing = ‖(s·N + (1 − s)·(I − P))·û‖,   N = adj A/‖adj A‖
//! ```
//!
//! adj A = λ₁·λ₂·n·nᵀ of a plane, so N is n·nᵀ there, and where neighbours bend out of it their mean plane's to the second
//! order. **Chains** have s = 0 always, however they hang: a draped rope whose links span a plane at every bend does not become
//! a sail. Of a bent chain P is the mean over its links. **Surfaces** have s = 1 as long as their neighbours span a plane and go over to
//! the chain's law where they collapse to a line: φ being the angle between two directions that spread as these do,
//! sin²φ = 4·tr(adj A)/(tr A)², s rises from 0 at φ = 7.2° to 1 at 30° as x²·(3 − 2x) of sin²φ. In between, at 14.5°, the
//! record had its threshold. Skip rows and strain limits are no directions: they lie along others.

use crate::row::pull::Vec3x8;
use crate::row::pull::{dot, plus, times};
use crate::simd::{Floats as _, Lanes, Mask as _};

/// sin²φ up to which a surface is a line: (1/8)².
const LINE: f32 = 0.015_625;
/// sin²φ from which on it is a surface: (1/2)².
const PLANE: f32 = 0.25;
/// Square of the shortest distance that has a direction (m²), and least of what is divided by.
const TINY: f32 = 1.0e-24;

/// Six components of a symmetric matrix: xx, yy, zz, yz, zx, xy.
#[derive(Clone, Copy)]
struct Symmetric<L: Lanes>([L::F; 6]);

impl<L: Lanes> Symmetric<L> {
    #[inline(always)]
    fn times(self, s: L::F) -> Self {
        let [a, b, c, d, e, f] = self.0;
        Self([a * s, b * s, c * s, d * s, e * s, f * s])
    }

    #[inline(always)]
    fn trace(self) -> L::F {
        let [xx, yy, zz, ..] = self.0;
        xx + yy + zz
    }

    #[inline(always)]
    fn of(self, v: Vec3x8<L>) -> Vec3x8<L> {
        let ([xx, yy, zz, yz, zx, xy], [x, y, z]) = (self.0, v);
        [xx * x + xy * y + zx * z, xy * x + yy * y + yz * z, zx * x + yz * y + zz * z]
    }

    #[inline(always)]
    fn adjugate(self) -> Self {
        let [xx, yy, zz, yz, zx, xy] = self.0;
        Self([
            yy * zz - yz * yz,
            zz * xx - zx * zx,
            xx * yy - xy * xy,
            zx * xy - xx * yz,
            xy * yz - yy * zx,
            yz * zx - zz * xy,
        ])
    }

    /// Of the adjugate of P: how much of a surface its directions span, s.
    #[inline(always)]
    fn plane(self, l: L) -> L::F {
        let spread = self.trace() * l.splat(4.0);
        let part = (spread - l.splat(LINE)) * l.splat(1.0 / (PLANE - LINE));
        let part = part.clamp(l.splat(0.0), l.splat(1.0));
        part * part * (l.splat(3.0) - part * l.splat(2.0))
    }

    /// Sum of the squares of all nine elements.
    #[inline(always)]
    fn square(self, l: L) -> L::F {
        let [xx, yy, zz, yz, zx, xy] = self.0;
        (xx * xx + yy * yy + zz * zz) + (yz * yz + zx * zx + xy * xy) * l.splat(2.0)
    }
}

/// Directions to the neighbours of eight particles, as they are collected: A.
#[derive(Clone, Copy)]
pub struct Span<L: Lanes>(Symmetric<L>);

impl<L: Lanes> Span<L> {
    /// No neighbours.
    #[inline(always)]
    pub fn none(l: L) -> Self {
        Self(Symmetric([l.splat(0.0); 6]))
    }

    /// With one more, which is `way` off (m). One in the same place is none.
    #[inline(always)]
    #[must_use]
    pub fn with(self, l: L, way: Vec3x8<L>) -> Self {
        let [xx, yy, zz, yz, zx, xy] = self.0.0;
        let share = l.splat(1.0) / dot::<L>(way, way).max(l.splat(TINY));
        let ([x, y, z], [u, v, t]) = (way, times::<L>(way, share));
        Self(Symmetric([xx + x * u, yy + y * v, zz + z * t, yz + y * t, zx + z * u, xy + x * v]))
    }

    /// What they face of a flow past them (m/s), 0 to 1, on a surface or on a chain. Of no flow it is 0.
    #[inline(always)]
    pub fn facing(self, l: L, flow: Vec3x8<L>, is_surface: bool) -> L::F {
        let (one, tiny) = (l.splat(1.0), l.splat(TINY));
        let onto = self.0.times(one / self.0.trace().max(tiny));
        let along = onto.of(flow);
        let mut past = [flow[0] - along[0], flow[1] - along[1], flow[2] - along[2]];
        if is_surface {
            let adjugate = onto.adjugate();
            let plane = adjugate.plane(l);
            let normal = adjugate.square(l).max(tiny).root();
            past = plus::<L>(times::<L>(past, one - plane), adjugate.of(flow), plane / normal);
        }
        (dot::<L>(past, past) / dot::<L>(flow, flow).max(tiny)).root().min(one)
    }

    /// √s·n of a point of a surface (1), with either sign of the normal n; 0 where its neighbours span no plane.
    ///
    /// adj A of a plane is n·nᵀ but for a factor, and every column of that is n but for another. The longest has most digits.
    #[inline(always)]
    pub fn normal(self, l: L) -> Vec3x8<L> {
        let tiny = l.splat(TINY);
        let adjugate = self.0.times(l.splat(1.0) / self.0.trace().max(tiny)).adjugate();
        let [xx, yy, zz, yz, zx, xy] = adjugate.0;
        let is_y = xx.lt(yy);
        let column = [is_y.select(xy, xx), is_y.select(yy, xy), is_y.select(yz, zx)];
        let is_z = xx.max(yy).lt(zz);
        let column = [is_z.select(zx, column[0]), is_z.select(yz, column[1]), is_z.select(zz, column[2])];
        let square = dot::<L>(column, column).max(tiny);
        times::<L>(column, (adjugate.plane(l) / square).root())
    }
}
