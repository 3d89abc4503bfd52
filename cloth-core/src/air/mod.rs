//! The air around a cloth, and what it does to it.
//!
//! A particle of velocity v in air of velocity u is taken along with the acceleration
//!
//! ```text
//! a = response·facing·(u − v),   response = (1 − e^(−60·drag·h))/h
//! ```
//!
//! in every substep h: the solution of v' = 60·drag·(u − v), whatever h is. What faces the air closes 1 − e^(−60·drag·h) of its gap
//! to it in a substep, and so 1 − e^(−60·drag·dt) of it in a step, into however many substeps that is cut
//! ([`ClothDynamics::closed`](crate::ClothDynamics::closed)). The share is below 1, so nothing overshoots the air at any length of
//! a step.
//!
//! [`facing`] says how much of the flow a particle's neighbours do not let past (1): |û·n| on a surface, the flow across a chain.
//! It is found once a step, where the cloth is when the step begins; v is that of each substep. As seen by the air, a
//! force along u − v only takes energy, whatever share of it is taken: a facing that is a step old drives nothing. A velocity
//! that is a step old would: what swings more than half a period in a step gained energy from it.
//!
//! **Lift** pushes a surface aside. With w = u − v, ŵ its direction and n a normal of the surface, of either sign,
//!
//! ```text
//! a = response·lift·(ŵ·n)·|w|·(n − (ŵ·n)·ŵ)
//! ```
//!
//! is across w, so as seen by the air it does no work; with drag it is response·(w·n)·n and what is left of the drag at lift 1: what
//! meets a surface aslant pushes along its normal (the form of Ling, Damodaran and Gay, *Aerodynamic force models for animating cloth
//! motion in an air flow* (1996), and of Keckeisen, Kimmerle, Thomaszewski and Wacker, *Modelling effects of wind fields in cloth
//! animations* (2004), without their densities and areas). n is that of the step's begin, as [`facing`] finds it, times √s where a surface collapses to a line; w is that of the
//! substep. A substep **turns** w instead of adding to it, by arctan of what the law asks for to the third order: |u − v| is after
//! it what it was before, whatever n is, and drag takes its share of that. Like bend and tension it is asked every second substep, for two.
//!
//! This is what makes a flag flutter. Small waves y across a flag along x, in wind U and under a tension T, obey
//! m·y_tt = T·y_xx − k·(y_t + U·y_x), k = m·response·lift: of a wave that runs downwind more slowly than U the push has the sign of its
//! velocity, and the wave grows; one that runs faster, or upwind, is damped. Drag alone has |ŵ·n| in k's place, which is 0 in a flag that lies
//! along its wind. (Quasi-steady thin-aerofoil lift; of its added mass and its wake, as in Argentina and Mahadevan, *Fluid-flow-induced
//! flutter of a flag* (2005), there is nothing here.)
//!
//! **Chains** have no lift. Across a line every direction is a normal; which of them a flow aslant is pushed to is its own part across,
//! which turns with the flow and drives no waves: it would be another lean.
//!
//! The mass of a particle is not in the law, and neither is its area: `drag` is what a fabric's density and weave come to.

pub mod facing;

use crate::Vec3;
use crate::math::real;
use crate::model::MAX_LENGTH;

/// The air of a step.
///
/// Velocities are those of the air past **the world**, the space in which [`StepInput::anchor`](crate::StepInput::anchor) says how
/// the anchor moves, with cloth-local components as gravity has them (m/s): along the axes that the anchor has when the step
/// ends. Who gives a world's wind turns it into these axes, and that is all: what of the anchor's own motion goes past the
/// air the step takes off. With v and ω, how all of `anchor.moved` goes (root motion, vehicles, and what a low inertia
/// keeps from the cloth included: in still air every anchor that moves has the wind of its way in its face), the air is at
///
/// ```text
/// u(x) = velocity − v − (ω − λ·ω_felt) × x
/// ```
///
/// in the frame that the step is computed in, of whose turning λ·ω_felt is felt as it is. An anchor that jumps has no
/// velocity. Air that goes along with what carries a cloth, as within a vehicle, has the vehicle's velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Air<'a> {
    /// No air: nothing resists the cloth, nothing is computed.
    #[default]
    None,
    /// Air of one velocity all around the cloth (m/s). At zero it stands still, and resists a cloth that moves.
    Uniform(Vec3),
    /// Air of another velocity at each source vertex (m/s), shape (sources, 3). Where vertices were welded, the first one of each
    /// particle counts.
    Each(&'a [[f32; 3]]),
}

/// Fastest air along an axis (m/s).
pub const MAX_SPEED: f32 = MAX_LENGTH;

/// Whether a velocity may be one of the air.
pub(crate) fn is_velocity(velocity: [f32; 3]) -> bool {
    velocity.iter().all(|component| real::abs(*component) <= MAX_SPEED)
}
