//! Random programs of anchors, jumps and escapes against one cloth: whatever a host says that is not refused, the state stays one that
//! a snapshot of it can be made of, nobody is held whom nobody holds, and the same program gives the same bits from any snapshot on.

use cloth_core::anchor::{AnchorMotion, Teleport, TeleportLimits};
use cloth_core::collide::Collider;
use cloth_core::math::Pose;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{Block, ModelBuilder, NONE, State, StepInput, Targets, Vec3, library, step};

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap_or(0)
    }

    fn vertex(&mut self, count: u32) -> u32 {
        u32::try_from(self.next() % u64::from(count)).unwrap_or(0)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.unit() * size, self.unit() * size, self.unit() * size)
    }

    fn pose(&mut self) -> Pose {
        let sizes = [0.0, 1.0e-40, 1.0e-6, 0.01, 0.3, 5.0, 1.0e4, 9.0e5];
        let size = self.of(&sizes);
        let translation = self.vector(size);
        let turn = self.of(&[0.0, 1.0e-30, 1.0e-4, 0.1, 1.0, 30.0]);
        let [x, y, z] = self.vector(turn).to_array();
        let w = self.of(&[1.0, -1.0, 1.0e-20, 0.0, 1.0e18]);
        let rotation = if self.below(3) == 0 { [0.0, 0.0, 0.0, 1.0] } else { [x, y, z, w] };
        Pose { translation, rotation }
    }
}

fn play(seed: u64, length: usize) {
    let mut dice = Dice(seed);
    let model = if dice.below(2) == 0 {
        let positions: Vec<[f32; 3]> = (0..9_u8).map(|i| [f32::from(i) * 0.1, 0.0, 0.0]).collect();
        let parents: Vec<u32> = (0..9).map(|i| if i == 0 { NONE } else { i - 1 }).collect();
        ModelBuilder::chains(&positions, &parents).pins(&[0]).build()
    } else {
        let at = |i: u8| [f32::from(i % 5) * 0.1, 0.0, f32::from(i / 5) * 0.1];
        let positions: Vec<[f32; 3]> = (0..25).map(at).collect();
        let cell = |c: u32| [[c, c + 5, c + 1], [c + 1, c + 5, c + 6]];
        let triangles: Vec<[u32; 3]> =
            (0..4).flat_map(|r| (0..4).flat_map(move |c| cell(r * 5 + c))).collect();
        let pins: &[u32] = if dice.below(4) == 0 { &[] } else { &[0, 4] };
        ModelBuilder::mesh(&positions, &triangles).pins(pins).build()
    }
    .expect("a cloth");
    let model = model.model();
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut spare = memory.clone();
    let mut state = State::seed(&model, &mut memory).expect("room");
    let mut other = State::seed(&model, &mut spare).expect("room");
    let count = model.source_count();
    let mut held: Vec<bool> = (0..count).map(|vertex| state.is_held(vertex)).collect();
    let mut snapshot = vec![Block::default(); model.snapshot_blocks()];
    let mut dynamics = library::ALL[dice.below(7)].dynamics;
    let mut escape = Escape::default();
    for turn in 0..length {
        match dice.below(12) {
            0 => {
                let vertex = dice.vertex(count);
                let size = dice.of(&[0.1, 1.0e3]);
                state.hold(vertex, dice.vector(size)).expect("it is there");
                held[vertex as usize] = true;
            }
            1 => {
                let vertex = dice.vertex(count);
                state.release(vertex).expect("it is there");
                held[vertex as usize] = false;
            }
            2 => {
                let vertex = dice.vertex(count);
                let (size, speed) = (dice.of(&[0.1, 1.0e5]), dice.of(&[0.0, 10.0, 1.0e5]));
                state.place(vertex, dice.vector(size), dice.vector(speed)).expect("it is there");
            }
            3 => state.wake(),
            4 => dynamics.inertia = dice.of(&[0.0, 0.2, 1.0]),
            5 => {
                escape = Escape {
                    strain: dice.of(&[0.01, 0.1, f32::INFINITY]),
                    distance: dice.of(&[1.0e-30, 0.01, 0.3, f32::INFINITY]),
                    steps: dice.of(&[0, 1, 4, 60_000]),
                    window: dice.of(&[1, 2, 7, 60_000]),
                };
            }
            _ => {}
        }
        let targets: Vec<[f32; 3]> = (0..count).map(|_| dice.vector(0.5).to_array()).collect();
        let ball = Collider::sphere(0.3, Pose::at(dice.vector(0.5))).expect("a ball");
        let balls =
            [ball, Collider::sphere(0.3, Pose::at(dice.vector(0.5))).expect("a ball").known(1, !0, !0)];
        let anchor = AnchorMotion {
            moved: if dice.below(3) == 0 { Pose::IDENTITY } else { dice.pose() },
            carried: if dice.below(2) == 0 { Pose::IDENTITY } else { dice.pose() },
            teleport: dice.of(&[None, None, None, None, Some(Teleport::Keep), Some(Teleport::Reset)]),
            limits: TeleportLimits {
                distance: dice.of(&[0.0, 1.0, f32::INFINITY]),
                angle: dice.of(&[0.0, 0.5, f32::INFINITY]),
                beyond: dice.of(&[None, Some(Teleport::Keep), Some(Teleport::Reset)]),
            },
        };
        let (dt, pull) = (dice.of(&[1.0e-5, 1.0 / 60.0, 1.0 / 15.0, 1.0]), dice.of(&[0.0, 9.81, 1.0e6]));
        let input = StepInput {
            anchor,
            escape,
            targets: if dice.below(3) == 0 { Targets::All(&targets) } else { Targets::Keep },
            colliders: Colliders { records: &balls[..dice.below(3)], shapes: &[] },
            ..StepInput::new(dt, dice.vector(pull), &dynamics)
        };
        state.snapshot(&mut snapshot).expect("room");
        let before = state.fingerprint();
        other.restore(&snapshot).expect("what a step left is a state");
        assert_eq!(other.fingerprint(), before);
        let (a, b) = (step(&mut state, &input), step(&mut other, &input));
        assert_eq!(state.fingerprint(), other.fingerprint(), "seed {seed}, turn {turn}: another future");
        assert_eq!(a.is_ok(), b.is_ok());
        if a.is_err() {
            assert_eq!(state.fingerprint(), before, "an error changes nothing");
        }
        for (vertex, held) in (0..count).zip(&held) {
            let is = state.is_held(vertex) && !state.is_escaping(vertex);
            assert_eq!(is, *held, "seed {seed}, turn {turn}: vertex {vertex}");
            let at = state.position(vertex).expect("it is there").to_array();
            assert!(at.iter().all(|x| x.is_finite()), "seed {seed}, turn {turn}: {at:?}");
        }
    }
}

#[test]
fn whatever_an_anchor_does() {
    let count = std::env::var("CLOTH_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_u64);
    for seed in 0..count {
        play(seed, 150);
    }
}
