//! Operations and inputs to a state; the same program twice.
#![no_main]

use arbitrary::Arbitrary;
use cloth_core::math::Pose;
use cloth_core::{
    Air, AnchorMotion, Block, ClothDynamics, ClothFlags, Fingerprint, Model, ModelBuilder, SolverConstants,
    State, StepInput, Target, Targets, Teleport, Vec3, step,
};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Op {
    Hold(u8, [f32; 3]),
    Release(u8),
    Place(u8, [f32; 3], [f32; 3]),
    Step(Box<Settings>),
    SnapshotRestore,
}

#[derive(Arbitrary, Debug)]
struct Settings {
    dt: f32,
    gravity: [f32; 3],
    fields: [f32; 9],
    air: Option<[f32; 3]>,
    budget: (u8, u8),
    strain_limit: bool,
    constants: (f32, f32),
    targets: Vec<(u8, [f32; 3])>,
    moved: ([f32; 3], [f32; 4]),
    jumps: Option<bool>,
}

fn run(model: &Model, program: &[Op]) -> Fingerprint {
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(model, &mut memory).expect("room enough");
    for op in program {
        let before = state.fingerprint();
        let done = match op {
            Op::Hold(vertex, x) => state.hold((*vertex).into(), Vec3::from_array(*x)).is_ok(),
            Op::Release(vertex) => state.release((*vertex).into()).is_ok(),
            Op::Place(vertex, x, v) => {
                state.place((*vertex).into(), Vec3::from_array(*x), Vec3::from_array(*v)).is_ok()
            }
            Op::Step(settings) => advance(&mut state, settings),
            Op::SnapshotRestore => {
                let mut copy = vec![Block::default(); model.snapshot_blocks()];
                state.snapshot(&mut copy).expect("room enough");
                state.restore(&copy).expect("its own snapshot");
                assert_eq!(state.fingerprint(), before);
                true
            }
        };
        assert!(done || state.fingerprint() == before, "a refused operation changed the state");
        assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));
    }
    state.fingerprint()
}

fn advance(state: &mut State, settings: &Settings) -> bool {
    let [slack, stretch, bend, skip, inertia, damping, drag, lift, thickness] = settings.fields;
    let dynamics = ClothDynamics {
        slack,
        stretch,
        bend,
        skip,
        inertia,
        damping,
        drag,
        lift,
        thickness,
        substeps: u32::from(settings.budget.0 % 10),
        iterations: u32::from(settings.budget.1 % 10),
        flags: if settings.strain_limit { ClothFlags::STRAIN_LIMIT } else { ClothFlags::NONE },
    };
    let targets: Vec<Target> = settings
        .targets
        .iter()
        .map(|&(vertex, position)| Target { vertex: vertex.into(), position })
        .collect();
    let plain = StepInput::new(settings.dt, Vec3::from_array(settings.gravity), &dynamics);
    let (turn, carry) = settings.constants;
    let constants = SolverConstants { turn, carry, ..SolverConstants::default() };
    let (translation, rotation) = settings.moved;
    let moved = Pose { translation: Vec3::from_array(translation), rotation };
    let kind = |keeps: bool| if keeps { Teleport::Keep } else { Teleport::Reset };
    let anchor = AnchorMotion { teleport: settings.jumps.map(kind), ..AnchorMotion::to(moved) };
    // Four numbers are hardly ever a unit quaternion.
    let anchor = moved.normalised().map_or(anchor, |moved| AnchorMotion { moved, ..anchor });
    let air = settings.air.map_or(Air::None, |velocity| Air::Uniform(Vec3::from_array(velocity)));
    step(state, &StepInput { targets: Targets::Listed(&targets), anchor, constants, air, ..plain }).is_ok()
}

fuzz_target!(|program: Vec<Op>| {
    let positions: Vec<[f32; 3]> = (0..9_u8).map(|i| [f32::from(i % 3), 0.0, f32::from(i / 3)]).collect();
    let triangles = [[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5], [3, 6, 4], [4, 6, 7], [4, 7, 5], [5, 7, 8]];
    let baked = ModelBuilder::mesh(&positions, &triangles).pins(&[0, 2]).build().expect("a good mesh");
    assert_eq!(run(&baked.model(), &program), run(&baked.model(), &program), "the same program, other bits");
});
