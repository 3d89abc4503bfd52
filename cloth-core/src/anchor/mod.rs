//! The frame a cloth lives in: how its anchor moves in a step, and how much of that the cloth feels.
//!
//! Positions and velocities of a cloth are those in the frame of its **anchor**, the body it is worn by. A host says in every
//! step where the anchor is when the step ends, seen from where it was when the step began, A = A₀⁻¹·A₁, rounded once from
//! whatever the host counts in: no coordinate of the world gets here, and ten thousand kilometres from its origin a cloth is the
//! same to the bit.
//!
//! What is **felt** of that is B = C⁻¹·A, C being the part that carries the cloth along by decree (root motion), and of B the
//! share λ = [`ClothDynamics::inertia`](crate::ClothDynamics::inertia): translation λ·d, rotation the blend of quaternions
//! towards B's. The cloth is stepped as if its anchor had moved by that in a world at rest. λ = 0 is welded to the frame, λ = 1 is
//! physics.
//!
//! A step is computed in the frame that has the axes the anchor ends with and the steady velocity λ·v of its origin, v = Rᵀ·d/dt
//! with the felt rotation R: there are no forces of inertia in it. A particle that was at x begins at Rᵀ·x, whoever is held goes
//! from there in a straight line to its target, substep by substep, and of velocities,
//!
//! ```text
//! u' = Rᵀ·(u + λ·ω₀ × x) + λ·(Rᵀ·v₀ − v)   when the step begins, v₀ and ω₀ of the last step, in its axes
//! u = u' − λ·ω × x                          when it ends
//! ```
//!
//! So an anchor that goes on as it went is felt by nobody, to the bit, and one that starts, stops or turns as in the world.
//! It goes straight through a step, as targets do: its velocity changes between steps. Spread over the substeps as a force, that
//! change would come half a step late for whoever stays behind in the world: a rope on a walk told sixty times a second is within
//! 12 mm of itself told two hundred and forty times (`measure locomotion`), and was 66 mm off with the change spread.

use crate::Vec3;
use crate::math::{Pose, vector};

/// Farthest an anchor goes in a step (m).
const MAX_WAY: f32 = 1.0e6;

/// A jump of the anchor that is no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Teleport {
    /// The cloth is carried along as it is: positions and velocities in the anchor's frame stay to the bit, and the step is that
    /// of an anchor that stands. The fingerprint is another until the next step all the same: the state notes that how fast the
    /// anchor was is not known.
    Keep = 1,
    /// Every particle goes to its target of this step, at rest, and what tensions and contacts had learnt is forgotten. Nothing else
    /// happens in the step; the next twenty **settle** the cloth: speed is limited to k/20 of ten of its lengths a second in
    /// the k-th, and damped at a rate that fades from 20 1/s, besides the fabric's own.
    Reset = 2,
}

/// How far an anchor goes in a step before that is a jump.
///
/// Both limits are held against all of B, the motion that is not carried, whatever the inertia λ: two metres in a step are a jump at
/// λ = 0 too. Infinite ones are for whoever wants no jumps. They lift no limit of the cloth's: what is felt is a speed like any
/// other, and no particle goes further in a substep than the cloth's longest side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeleportLimits {
    /// Way of its origin (m a step); `+∞` for any. 1 m by default, at sixty steps a second 216 km/h.
    pub distance: f32,
    /// Angle (rad a step); `+∞` for any. Half a radian by default, five turns a second. An upper bound of the angle is compared
    /// ([`Pose::angle_bound`]), which is above it by less than 1 % below half a radian and by less than 16 % anywhere: 0.5 is passed
    /// from 0.497 rad on, 1 from 0.977, 2 from 1.86, 3 from 2.66.
    pub angle: f32,
    /// What happens beyond either: [`Teleport::Reset`] by default. `None` makes every motion one.
    pub beyond: Option<Teleport>,
}

impl TeleportLimits {
    /// A metre and half a radian a step, beyond which the cloth is reset.
    pub const DEFAULT: Self = Self { distance: 1.0, angle: 0.5, beyond: Some(Teleport::Reset) };
}

impl Default for TeleportLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What a cloth's anchor does in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorMotion {
    /// Where it is when the step ends, in the frame it had when the step began: A₀⁻¹·A₁. Of an anchor that stands this is
    /// [`Pose::IDENTITY`] itself: what is left of a rounding is felt, and who feels its anchor move does not sleep. What is
    /// carried whole, and what an inertia of 0 leaves of a motion, wakes nobody.
    pub moved: Pose,
    /// The part of it that carries the cloth along and is not felt, whatever the inertia, in the frame the anchor had when the
    /// step began: a vehicle, a lift, an animation's root. `moved` itself for all of it.
    pub carried: Pose,
    /// What is known to be a jump; `None` leaves it to `limits`. Beyond a million metres `moved` has to be the identity.
    pub teleport: Option<Teleport>,
    /// When a motion is a jump.
    pub limits: TeleportLimits,
}

impl AnchorMotion {
    /// An anchor that stands.
    pub const STANDING: Self = Self {
        moved: Pose::IDENTITY,
        carried: Pose::IDENTITY,
        teleport: None,
        limits: TeleportLimits::DEFAULT,
    };

    /// An anchor that moves, and is felt.
    #[must_use]
    pub const fn to(moved: Pose) -> Self {
        Self { moved, ..Self::STANDING }
    }

    /// The first field that is none, if any: poses that are not finite, further than a million metres along an axis, or whose
    /// quaternion has no direction (others are made unit); limits that are negative or no numbers.
    #[must_use]
    #[inline(never)]
    pub fn invalid_field(&self) -> Option<&'static str> {
        let limit = |limit: f32| limit >= 0.0;
        let fields = [
            (is_pose(&self.moved), "moved"),
            (is_pose(&self.carried), "carried"),
            (limit(self.limits.distance), "limits.distance"),
            (limit(self.limits.angle), "limits.angle"),
        ];
        fields.iter().find(|(good, _)| !good).map(|(_, name)| *name)
    }

    /// B: what is not carried along.
    fn felt(&self) -> Pose {
        if is_identity(&self.carried) {
            return self.moved;
        }
        if self.carried == self.moved {
            // To the bit, whatever the product rounds to.
            return Pose::IDENTITY;
        }
        unit(self.moved).seen_from(&unit(self.carried))
    }

    /// Which jump this is, if it is one: what is known to be, or what is beyond the limits.
    #[must_use]
    pub fn jump(&self) -> Option<Teleport> {
        self.jump_of(&unit(self.felt()))
    }

    fn jump_of(&self, felt: &Pose) -> Option<Teleport> {
        let TeleportLimits { distance, angle, beyond } = self.limits;
        let is_beyond =
            vector::length(felt.translation) > distance || Pose::IDENTITY.angle_bound(felt) > angle;
        self.teleport.or(beyond.filter(|_| is_beyond))
    }

    /// How a step of `dt` (s) is entered at this inertia.
    pub(crate) fn entry(&self, inertia: f32, dt: f32) -> Entry {
        let felt = unit(self.felt());
        if let Some(teleport) = self.jump_of(&felt) {
            return Entry::Jumps(teleport);
        }
        if is_identity(&felt) {
            return Entry::Stands;
        }
        if inertia <= 0.0 {
            return Entry::Welded;
        }
        let [x, y, z, w] = Pose::IDENTITY.between(&felt, inertia).rotation;
        let back = Pose { translation: Vec3::ZERO, rotation: [-x, -y, -z, w] };
        Entry::Moves { back, rates: Rates::of(&felt, &back, dt) }
    }

    /// How all of the anchor moves in a step of `dt` (s), carried or not and whatever of it is felt.
    pub(crate) fn rates(&self, dt: f32) -> Rates {
        let moved = unit(self.moved);
        if is_identity(&moved) {
            return Rates::default();
        }
        let [x, y, z, w] = moved.rotation;
        Rates::of(&moved, &Pose { translation: Vec3::ZERO, rotation: [-x, -y, -z, w] }, dt)
    }
}

impl Default for AnchorMotion {
    fn default() -> Self {
        Self::STANDING
    }
}

/// What an anchor does to a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry {
    Stands,
    /// It moves, and nothing of that is felt.
    Welded,
    Jumps(Teleport),
    Moves {
        /// Rᵀ of the share that is felt.
        back: Pose,
        rates: Rates,
    },
}

/// How an anchor moves, in the axes it ends with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rates {
    /// v (m/s).
    pub linear: Vec3,
    /// ω (rad/s): 2·sin(θ/2) for the angle θ, the chord of its arc as the ways of a step are.
    pub angular: Vec3,
}

impl Rates {
    /// Those of a motion in a step of `dt` (s), `back` being what takes its axes to those it ends with.
    fn of(motion: &Pose, back: &Pose, dt: f32) -> Self {
        let [x, y, z, w] = motion.rotation;
        let twice = if w < 0.0 { -2.0 } else { 2.0 };
        let angular = Vec3::new(x, y, z) * (twice / dt);
        Self { linear: back.rotate(motion.translation) / dt, angular }
    }
}

/// Whether a pose is within reach, and turned.
#[inline(never)]
fn is_pose(pose: &Pose) -> bool {
    let way = pose.translation.to_array();
    way.into_iter().all(|x| (-MAX_WAY..=MAX_WAY).contains(&x)) && pose.normalised().is_some()
}

/// The pose with its quaternion made unit.
#[inline(never)]
fn unit(pose: Pose) -> Pose {
    pose.normalised().unwrap_or(Pose::IDENTITY)
}

/// Whether a pose is no motion. Of the two quaternions that turn nothing both are.
fn is_identity(pose: &Pose) -> bool {
    let [x, y, z, _] = pose.rotation;
    pose.translation == Vec3::ZERO && x == 0.0 && y == 0.0 && z == 0.0
}
