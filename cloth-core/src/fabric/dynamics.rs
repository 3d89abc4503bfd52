//! What an author sets.

use super::map;
use crate::math::real;
use core::ops::RangeInclusive;

/// Switches of a cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClothFlags(u32);

impl ClothFlags {
    /// No switch set.
    pub const NONE: Self = Self(0);
    /// Strain-limit rows act (see [`ClothDynamics::stretch`]).
    pub const STRAIN_LIMIT: Self = Self(1);
    /// The fabric is meant to collide with itself. The step of this version has no self-contact yet.
    pub const SELF_CONTACT: Self = Self(2);

    /// Both sets of switches.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These switches without `other`'s.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of `other`'s switches are set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Words of [`ClothDynamics::each_word`] without lift.
const WORDS: usize = 11;

/// Values of a dial.
const DIAL: RangeInclusive<f32> = 0.0..=1.0;
/// Values of a quantity, in its unit.
const QUANTITY: RangeInclusive<f32> = 0.0..=map::MAX_QUANTITY;

/// The live settings of a cloth: every field may change between two steps and works on the next.
///
/// Dials run from 0 to 1; everything else is in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothDynamics {
    /// Dial: how far a particle may leave its target, as a share of what its tether allows. A leash holds it
    /// within 2·slack·d, d being the geodesic distance to its pin (m). 1 is no leash, because the triangle
    /// inequality already gives it; 0 welds the cloth to its targets.
    pub slack: f32,
    /// Dial of the strain limit: a stretch row is pulled back to 1 + 0.25·0.004^stretch times its rest length
    /// (8 % at 0.2, 1.6 % at 0.5, 0.1 % at 1) by two sweeps a substep over the rows beyond it. No bound: rows of fast
    /// cloth stay longer than that. A falling rope of 24 links at 12 substeps and stretch 1 reaches 0.5 %, and 1.2 % without
    /// the limit (`measure strain-limit`). Read with [`ClothFlags::STRAIN_LIMIT`].
    pub stretch: f32,
    /// Bending stiffness B of a surface (N·m): the energy of a curvature κ (1/m) is ½·B·κ² a square metre.
    /// Of flat rest shapes limited to what a force held for two substeps can carry, about 8e-6 N·m for 0.15 kg/m² at 2 cm
    /// and 8 substeps of 1/60 s, in proportion to density, to the fourth power of the edge and to the square of the
    /// substeps: [`Model::merged_bend_limit`](crate::Model::merged_bend_limit) has it for a model, and
    /// [`StepReport::bend`](crate::StepReport::bend) what rows had in a step. Of curved ones, and of all where the model was
    /// built with `ModelBuilder::stiff_bend`, not limited.
    pub bend: f32,
    /// Stiffness of the skip rows of a chain (N/m).
    pub skip: f32,
    /// Dial: the share of its anchor's motion that the cloth feels ([`crate::anchor`]). 0 is welded to the anchor's frame, to
    /// the bit; 1 is physics.
    pub inertia: f32,
    /// Damping rate d (1/s). A substep h takes a speed v to max(0, v − d·h·0.01 m/s)/(1 + d·h): its half-life is ln 2/d
    /// seconds (0.69/d; an oscillation loses its speed half as fast, being slow half of the time), and what is
    /// slower than a centimetre a second comes to rest instead of fading for ever, as the friction of threads does. 0
    /// keeps a pendulum swinging. A cloth without any held particle is damped in what it does besides moving and turning as
    /// a whole.
    pub damping: f32,
    /// Dial: how much the air takes the cloth along ([`crate::air`]). What faces it closes its gap to the air's velocity at a rate
    /// of 60·drag (1/s): 0 is no air, at 1 the cloth is a sixtieth of a second behind it.
    pub drag: f32,
    /// Dial: the share of what the air pushes a surface aside by, across its own way past it ([`crate::air`]). 0 is drag alone; at 1
    /// air that meets a surface aslant pushes along its normal, and a flag flutters. A chain has none.
    pub lift: f32,
    /// Thickness (m), 0 to 1e6: how far from colliders particles are kept, besides a collider's own
    /// [`inflation`](crate::collide::Collider::inflation), which says what much of either costs on a height field.
    pub thickness: f32,
    /// Substeps a step is cut into, 1 to 64; one that follows a collider takes more, up to
    /// [`StepInput::most_substeps`](crate::StepInput::most_substeps).
    pub substeps: u32,
    /// Sweeps over aggregates and rows a substep, 1 to 64. Substeps are worth more. A step costs in proportion to
    /// iterations·max(substeps, most_substeps) at worst, and nothing bounds the product.
    pub iterations: u32,
    /// Switches.
    pub flags: ClothFlags,
}

impl Default for ClothDynamics {
    /// A plain cloth: no bending stiffness, damping 0.1 1/s, 8 substeps of one sweep, strain limit on.
    fn default() -> Self {
        Self {
            slack: 1.0,
            stretch: 0.5,
            bend: 0.0,
            skip: 0.0,
            inertia: 1.0,
            damping: 0.1,
            drag: 0.1,
            lift: 0.0,
            thickness: 0.01,
            substeps: 8,
            iterations: 1,
            flags: ClothFlags::STRAIN_LIMIT,
        }
    }
}

impl ClothDynamics {
    /// The first field whose value no step could use, if any: dials outside 0…1, negative or non-finite
    /// quantities, budgets outside 1…64.
    #[must_use]
    pub fn invalid_field(&self) -> Option<&'static str> {
        let dial = |value: f32| DIAL.contains(&value);
        let quantity = |value: f32| QUANTITY.contains(&value);
        let budget = |value: u32| (1..=map::MAX_BUDGET).contains(&value);
        let fields = [
            (dial(self.slack), "slack"),
            (dial(self.stretch), "stretch"),
            (quantity(self.bend), "bend"),
            (quantity(self.skip), "skip"),
            (dial(self.inertia), "inertia"),
            (quantity(self.damping), "damping"),
            (dial(self.drag), "drag"),
            (dial(self.lift), "lift"),
            (quantity(self.thickness), "thickness"),
            (budget(self.substeps), "substeps"),
            (budget(self.iterations), "iterations"),
        ];
        fields.iter().find(|(good, _)| !good).map(|(_, name)| *name)
    }

    /// Every field, as a word; lift as the last, where there is any: what knew none is told by the words it was always told by.
    pub(crate) fn each_word(&self, mut word: impl FnMut(u32)) {
        let Self {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        } = *self;
        for value in [slack, stretch, bend, skip, inertia, damping, drag, thickness] {
            word(value.to_bits());
        }
        for value in [substeps, iterations, flags.0] {
            word(value);
        }
        // A number that is none is told too: who reads it refuses it.
        if lift.to_bits() << 1 != 0 {
            word(lift.to_bits());
        }
    }

    /// Fields from their words, in the order of [`ClothDynamics::each_word`], whatever their values; `None` where a switch is
    /// set that does not exist, or the words are too few or too many.
    pub(crate) fn from_words(words: &[u32]) -> Option<Self> {
        let known = ClothFlags::STRAIN_LIMIT.with(ClothFlags::SELF_CONTACT);
        let (words, lift) = words.split_first_chunk::<WORDS>()?;
        let lift = match lift {
            [] => 0.0,
            [lift] => f32::from_bits(*lift),
            _ => return None,
        };
        let [slack, stretch, bend, skip, inertia, damping, drag, thickness, substeps, iterations, flags] =
            *words;
        let [slack, stretch, bend, skip, inertia, damping, drag, thickness] =
            [slack, stretch, bend, skip, inertia, damping, drag, thickness].map(f32::from_bits);
        let flags = ClothFlags(flags);
        known.contains(flags).then_some(Self {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        })
    }

    /// The values that a field may have, for messages: a dial's where there is no field of that name.
    #[must_use]
    pub fn range_of(field: &str) -> RangeInclusive<f32> {
        match field {
            "bend" | "skip" | "damping" | "thickness" => QUANTITY,
            "substeps" | "iterations" => 1.0..=real::from_count(map::MAX_BUDGET),
            _ => DIAL,
        }
    }

    /// The share of the gap between its own velocity and the air's that a particle which faces the air closes in a time (s):
    /// 1 − e^(−60·drag·time) (1), exact for any time and below 1. Over the time it is the response (1/s) of [`crate::air`].
    #[must_use]
    pub fn closed(&self, time: f32) -> f32 {
        map::closed(self.drag, time)
    }

    /// The strain a strain-limit row allows: 0.25·0.004^stretch (1).
    #[must_use]
    pub fn strain_allowance(&self) -> f32 {
        map::strain_allowance(real::clamp(self.stretch, 0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_lift_are_those_there_were() {
        for (lift, count) in [(0.0, WORDS), (-0.0, WORDS), (0.5, WORDS + 1), (f32::NAN, WORDS + 1)] {
            let dynamics = ClothDynamics { lift, drag: 0.3, ..ClothDynamics::default() };
            let mut words = [0; WORDS + 2];
            let mut written = 0;
            dynamics.each_word(|word| {
                words[written] = word;
                written += 1;
            });
            assert_eq!(written, count, "{lift}");
            let read = ClothDynamics::from_words(&words[..count]).expect("what was written");
            assert_eq!(read.lift.to_bits() << 1, lift.to_bits() << 1);
            assert_eq!(ClothDynamics { lift: 0.0, ..read }, ClothDynamics { lift: 0.0, ..dynamics });
            assert_eq!(ClothDynamics::from_words(&words[..WORDS - 1]), None);
            assert_eq!(ClothDynamics::from_words(&words), None);
        }
    }
}
