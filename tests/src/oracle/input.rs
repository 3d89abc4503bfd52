//! What a step of the oracle is told.

use crate::workload::Collider;
use cloth_core::{ClothDynamics, Vec3};

/// The two constants of the vertex solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// Share of a hard row's multiplier that a substep starts from (the product α·γ of the literature: the
    /// two act through it alone while the penalty band is a single point).
    pub multiplier_decay: f32,
    /// Penalty of a hard row over its effective inertia and 1/h² (1).
    pub penalty_ratio: f32,
}

impl Default for Constants {
    /// Decay 0.25, ratio 8: hanging chains stop resting at a decay of 0.4, and falling capes make energy from a
    /// ratio of 12 on (`measure constants`).
    fn default() -> Self {
        Self { multiplier_decay: 0.25, penalty_ratio: 8.0 }
    }
}

/// What improves on the recorded solver; by default nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Improvements {
    /// Share s of the velocity that comes from gravity and the rows' forces f, 0 to 1:
    /// v = (1 − s)·(x − x₀)/h + s·(v₀ + h·f/m), the record's being the first alone. A share of 1 keeps the momentum
    /// that sweeps which have not converged lose, and wants at least three of them a substep.
    pub from_forces: f32,
    /// Whether coarse rows between aggregates of particles pull, as impulses, before the sweeps.
    pub aggregates: bool,
}

/// The inputs of one step. They are not checked: what an author may set is the product's to say.
#[derive(Clone, Copy, Debug)]
pub struct OracleInput<'a> {
    /// Length of the step (s).
    pub dt: f32,
    /// Gravity, cloth-local (m/s²).
    pub gravity: Vec3,
    /// The fabric's settings; their budget is not read.
    pub dynamics: &'a ClothDynamics,
    /// Substeps a step is cut into, at most 65,535.
    pub substeps: u32,
    /// Sweeps over all particles a substep, at most 65,535.
    pub iterations: u32,
    /// The solver's constants.
    pub constants: Constants,
    /// What improves on the recorded solver.
    pub improvements: Improvements,
    /// Where targets are at the end of the step, by vertex (m); the others stay where they are. A held particle is
    /// exactly on its target then, and moves there in a straight line through the substeps; free particles are
    /// tied to theirs by slack leashes only. Of two for one particle the last counts.
    pub targets: &'a [(u32, Vec3)],
    /// What particles must be outside of after every substep.
    pub colliders: &'a [Collider],
}

impl<'a> OracleInput<'a> {
    /// A step of the dynamics' own budget without moving targets, with the default constants.
    pub fn new(dt: f32, gravity: Vec3, dynamics: &'a ClothDynamics) -> Self {
        let ClothDynamics { substeps, iterations, .. } = *dynamics;
        let constants = Constants::default();
        let improvements = Improvements::default();
        Self {
            dt,
            gravity,
            dynamics,
            substeps,
            iterations,
            constants,
            improvements,
            targets: &[],
            colliders: &[],
        }
    }
}
