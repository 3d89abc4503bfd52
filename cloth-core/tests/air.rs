//! The air: what it does to a particle, how much of it a particle faces, and what wakes a cloth.

mod common;

use cloth_core::air::MAX_SPEED;
use cloth_core::air::facing::Span;
use cloth_core::collide::Pose;
use cloth_core::replay::{Recorder, verify};
use cloth_core::simd::{Kernel, Lanes, Level};
use cloth_core::{
    Air, AnchorMotion, Block, ClothDynamics, ModelBuilder, NONE, Replay, ReplayError, State, StepError,
    StepInput, Vec3, step,
};
use common::{DT, GRAVITY, baked, chain, sheet};

type Outcome = Result<(), Box<dyn core::error::Error>>;

/// What a particle with neighbours in these directions faces of a flow.
fn facing(ways: &[Vec3], flow: Vec3, is_surface: bool) -> f32 {
    struct One<'a>(&'a [Vec3], Vec3, bool);
    impl Kernel for One<'_> {
        type Output = f32;
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> f32 {
            let mut found = [0.0; 8];
            for l in l.parts() {
                let splat = |v: Vec3| [l.splat(v.x), l.splat(v.y), l.splat(v.z)];
                let mut span = Span::none(l);
                for way in self.0 {
                    span = span.with(l, splat(*way));
                }
                l.store(span.facing(l, splat(self.1), self.2), &mut found);
            }
            assert!(found.iter().all(|one| one.to_bits() == found[0].to_bits()));
            found[0]
        }
    }
    let found = Level::SCALAR.run(One(ways, flow, is_surface));
    assert_eq!(Level::detect().run(One(ways, flow, is_surface)).to_bits(), found.to_bits());
    found
}

/// A drag of 1, and no other comfort.
fn limp() -> ClothDynamics {
    ClothDynamics { drag: 1.0, damping: 0.0, ..ClothDynamics::default() }
}

#[test]
fn surfaces_face_what_goes_through_them_and_chains_what_goes_across() {
    let (x, z, flat) = (Vec3::X * 0.05, Vec3::Z * 0.02, Vec3::new(0.03, 0.0, -0.02));
    let half = Vec3::new(1.0, 1.0, 0.0);
    for ways in [&[x, -x, z, -z, flat, -flat][..], &[x, z, -z, flat], &[x, z]] {
        for (flow, expected) in [
            (Vec3::Y, 1.0),
            (Vec3::X, 0.0),
            (Vec3::new(3.0, 0.0, -8.0), 0.0),
            (half, core::f32::consts::FRAC_1_SQRT_2),
        ] {
            let found = facing(ways, flow * 7.0, true);
            assert!((found - expected).abs() < 1e-6, "{} neighbours, {flow}: {found}", ways.len());
        }
    }
    let off = Vec3::new(0.5, 0.866_025_4, 0.0);
    for ways in [&[x, -x][..], &[x]] {
        for is_surface in [false, true] {
            for (flow, expected) in [(Vec3::X, 0.0), (Vec3::Y, 1.0), (off, 0.866_025)] {
                let found = facing(ways, flow, is_surface);
                assert!((found - expected).abs() < 1e-6, "{} neighbours, {flow}: {found}", ways.len());
            }
        }
    }
    assert!((facing(&[], Vec3::new(1.0, -2.0, 3.0), true) - 1.0).abs() < 1e-6);
    assert_eq!(facing(&[x, z], Vec3::ZERO, true).to_bits(), 0);
}

#[test]
fn a_turned_surface_is_edge_on_to_the_last_digits() {
    // The normal is not found from a difference of squares: nothing is left of 3e-4 that would be.
    let (a, b) = (Vec3::new(0.6, 0.48, -0.64) * 0.02, Vec3::new(-0.8, 0.36, -0.48) * 0.02);
    let ways = [a, b, -a, -b, a - b, b - a];
    let along = facing(&ways, a * 3.0 + b * 200.0, true);
    assert!(along < 2e-6, "{along:e}");
}

#[test]
fn a_surface_that_collapses_to_a_line_becomes_one_without_a_step() {
    let mut previous = [1.0_f32; 2];
    for degrees in 0..=90_u8 {
        let angle = f32::from(degrees).to_radians();
        let ways = [Vec3::X, Vec3::new(angle.cos(), 0.0, angle.sin())];
        // Across the line, within the plane.
        let middle = Vec3::new((0.5 * angle).cos(), 0.0, (0.5 * angle).sin());
        let across = facing(&ways, Vec3::new(-middle.z, 0.0, middle.x), true);
        assert!(across <= previous[0] + 1e-6, "{degrees}°: {across} after {}", previous[0]);
        assert!(previous[0] - across < 0.12, "{degrees}°: {across} after {}", previous[0]);
        let expected =
            if degrees <= 7 { Some((0.5 * angle).cos().powi(2)) } else { (degrees >= 31).then_some(0.0) };
        if let Some(expected) = expected {
            assert!((across - expected).abs() < 1e-5, "{degrees}°: {across}");
        }
        // What comes along the normal or along the line never notices.
        assert!((facing(&ways, Vec3::Y, true) - 1.0).abs() < 1e-5, "{degrees}°");
        assert!(facing(&ways, middle, true) < 0.25, "{degrees}°");
        previous = [across, facing(&ways, Vec3::Y, false)];
    }
    // A chain stays one however far it is bent.
    let bent = [Vec3::X, Vec3::Z];
    let within = facing(&bent, Vec3::new(1.0, 0.0, 1.0), false);
    assert!((within - 0.5).abs() < 1e-6, "{within}");
    assert!((facing(&bent, Vec3::Y, false) - 1.0).abs() < 1e-6);
}

#[test]
fn a_free_particle_closes_the_same_share_of_its_gap_whatever_the_step() -> Outcome {
    // M§49.
    let table = [
        (0.25_f32 / 60.0, 0.221_199, 9.9326),
        (1.0 / 60.0, 0.632_121, 10.0),
        (1.0 / 30.0, 0.864_665, 10.0),
        (0.1, 0.997_521, 10.0),
        (0.2, 0.999_994, 10.0),
    ];
    for (dt, closed, after) in table {
        for substeps in [1, 2, 3, 8, 64] {
            let (baked, mut memory) = baked(ModelBuilder::chains(&[[0.0; 3], [10.0, 0.0, 0.0]], &[NONE, 0]))?;
            let mut state = State::seed(&baked.model(), &mut memory)?;
            let dynamics = ClothDynamics { substeps, ..limp() };
            let air = Air::Uniform(Vec3::Z * 10.0);
            let input = StepInput { air, ..StepInput::new(dt, Vec3::ZERO, &dynamics) };
            step(&mut state, &input)?;
            let first = state.velocity(0).unwrap_or_default();
            assert!((first.z / 10.0 - closed).abs() < 6e-6, "dt {dt}, {substeps} substeps: {first}");
            for _ in 1..20 {
                step(&mut state, &input)?;
            }
            let last = state.velocity(0).unwrap_or_default().z;
            assert!((last - after).abs() < 2e-4 && last < 10.0001, "dt {dt}, {substeps} substeps: {last}");
        }
    }
    Ok(())
}

#[test]
fn no_air_is_no_instruction_and_still_air_resists() -> Outcome {
    let run = |air: Air<'_>, drag: f32| -> Result<(Vec<Vec3>, u64), Box<dyn core::error::Error>> {
        let (baked, mut memory) = baked(sheet(6, 0.05).pins(&[0, 5]))?;
        let mut state = State::seed(&baked.model(), &mut memory)?;
        let dynamics = ClothDynamics { drag, ..ClothDynamics::default() };
        for _ in 0..120 {
            step(&mut state, &StepInput { air, ..StepInput::new(DT, GRAVITY, &dynamics) })?;
        }
        Ok((state.positions().collect(), state.fingerprint().0))
    };
    let none = run(Air::None, 0.4)?;
    // A drag of 0 is no air, and without air it does not matter.
    assert_eq!(none, run(Air::None, 0.0)?);
    assert_eq!(none, run(Air::Uniform(Vec3::X * 5.0), 0.0)?);
    let still = run(Air::Uniform(Vec3::ZERO), 0.4)?;
    assert_ne!(none.0, still.0);
    // A free particle in still air falls no faster than gravity over the rate.
    let (baked, mut memory) = baked(ModelBuilder::chains(&[[0.0; 3], [1.0, 0.0, 0.0]], &[NONE, 0]))?;
    let mut state = State::seed(&baked.model(), &mut memory)?;
    let dynamics = ClothDynamics { drag: 0.05, damping: 0.0, ..ClothDynamics::default() };
    for _ in 0..600 {
        let air = Air::Uniform(Vec3::ZERO);
        step(&mut state, &StepInput { air, ..StepInput::new(DT, GRAVITY, &dynamics) })?;
    }
    let speed = -state.velocity(0).unwrap_or_default().y;
    assert!((speed - 9.81 / 3.0).abs() < 0.02, "{speed} m/s");
    Ok(())
}

#[test]
fn air_at_each_vertex_is_that_of_the_vertex() -> Outcome {
    let (baked, mut memory) = baked(sheet(5, 0.05))?;
    let model = baked.model();
    let dynamics = limp();
    let run = |air: Air<'_>, memory: &mut [Block]| -> Result<Vec<Vec3>, Box<dyn core::error::Error>> {
        let mut state = State::seed(&model, memory)?;
        step(&mut state, &StepInput { air, ..StepInput::new(DT, Vec3::ZERO, &dynamics) })?;
        Ok(state.velocities().collect())
    };
    let same = run(Air::Each(&[[1.0, 2.0, -0.5]; 25]), &mut memory)?;
    assert_eq!(same, run(Air::Uniform(Vec3::new(1.0, 2.0, -0.5)), &mut memory)?);
    let mut one = [[0.0; 3]; 25];
    one[12] = [0.0, 1.0, 0.0];
    let blown = run(Air::Each(&one), &mut memory)?;
    let highest = (0..25).max_by(|a, b| blown[*a].y.total_cmp(&blown[*b].y));
    assert_eq!(highest, Some(12));
    Ok(())
}

#[test]
fn what_is_no_air_is_refused_by_name() -> Outcome {
    let (baked, mut memory) = baked(sheet(3, 0.05).pins(&[0]))?;
    let mut state = State::seed(&baked.model(), &mut memory)?;
    let dynamics = limp();
    let base = StepInput::new(DT, GRAVITY, &dynamics);
    let before = state.fingerprint();
    let mut wild = [[0.0; 3]; 9];
    wild[7][1] = f32::NAN;
    let mut fast = [[0.0; 3]; 9];
    fast[4][2] = -1.1e6;
    let cases = [
        (Air::Uniform(Vec3::new(0.0, f32::NAN, 0.0)), StepError::Air),
        (Air::Uniform(Vec3::new(f32::INFINITY, 0.0, 0.0)), StepError::Air),
        (Air::Uniform(Vec3::new(0.0, 0.0, 1.1e6)), StepError::Air),
        (Air::Each(&[]), StepError::AirCount { expected: 9, provided: 0 }),
        (Air::Each(&wild[..8]), StepError::AirCount { expected: 9, provided: 8 }),
        (Air::Each(&wild), StepError::AirVelocity { index: 7 }),
        (Air::Each(&fast), StepError::AirVelocity { index: 4 }),
    ];
    for (air, expected) in cases {
        assert_eq!(step(&mut state, &StepInput { air, ..base }), Err(expected));
        assert!(expected.to_string().contains("air"));
    }
    assert_eq!(state.fingerprint(), before);
    Ok(())
}

#[test]
fn an_anchor_has_the_wind_of_its_way_in_its_face_whatever_its_inertia() -> Outcome {
    let travel = Vec3::new(0.0, 0.0, 6.0);
    let mut blown = Vec::new();
    for inertia in [0.0, 0.5, 1.0] {
        for (air, moved) in [
            (Air::Uniform(Vec3::ZERO), Pose::at(travel * DT)),
            (Air::Uniform(-travel), Pose::IDENTITY),
            (Air::Uniform(travel), Pose::at(travel * DT)),
        ] {
            let (baked, mut memory) = baked(chain(10, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))?;
            let mut state = State::seed(&baked.model(), &mut memory)?;
            let dynamics = ClothDynamics { drag: 0.2, inertia, damping: 1.0, ..ClothDynamics::default() };
            for _ in 0..600 {
                let anchor = AnchorMotion::to(moved);
                step(&mut state, &StepInput { air, anchor, ..StepInput::new(DT, GRAVITY, &dynamics) })?;
            }
            blown.push(state.position(10).unwrap_or_default());
        }
    }
    for tips in blown.chunks(3) {
        let [own, wind, along] = tips else { continue };
        assert!(wind.z < -0.8 && (*own - *wind).length() < 1e-3, "{own} and {wind}");
        assert!(along.z.abs() < 1e-3, "in air that goes along it hangs at {along}");
    }
    Ok(())
}

#[test]
fn an_anchor_that_turns_goes_through_air() -> Outcome {
    // A rope lies along the radius of a carousel without gravity: what air holds back trails, more the further out.
    let turn = Pose { translation: Vec3::ZERO, rotation: Pose::IDENTITY.rotation };
    let half = 0.5 * 2.0 * DT;
    let turn = Pose { rotation: [0.0, half.sin(), 0.0, half.cos()], ..turn };
    let mut tips = Vec::new();
    for (inertia, air) in [(1.0, Air::Uniform(Vec3::ZERO)), (0.0, Air::Uniform(Vec3::ZERO)), (1.0, Air::None)]
    {
        let (baked, mut memory) = baked(chain(10, Vec3::new(0.1, 0.0, 0.0)).pins(&[0]))?;
        let mut state = State::seed(&baked.model(), &mut memory)?;
        let dynamics = ClothDynamics { drag: 0.1, inertia, damping: 1.0, ..ClothDynamics::default() };
        state.hold(0, Vec3::new(0.5, 0.0, 0.0))?;
        for _ in 0..900 {
            let anchor = AnchorMotion::to(turn);
            step(&mut state, &StepInput { air, anchor, ..StepInput::new(DT, Vec3::ZERO, &dynamics) })?;
        }
        tips.push(state.position(10).unwrap_or_default());
    }
    // About Y, x turns towards −z: it trails towards +z.
    assert!(tips[0].z > 0.2, "felt: {}", tips[0]);
    assert!(tips[1].z > 0.2, "welded: {}", tips[1]);
    assert!(tips[2].z.abs() < 0.02, "no air: {}", tips[2]);
    Ok(())
}

#[test]
fn it_sleeps_where_steady_air_holds_it_and_wakes_when_the_air_changes() -> Outcome {
    let (baked, mut memory) = baked(chain(10, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))?;
    let mut state = State::seed(&baked.model(), &mut memory)?;
    let dynamics = ClothDynamics { drag: 0.05, damping: 1.0, ..ClothDynamics::default() };
    let base = StepInput { sleep: true, ..StepInput::new(DT, GRAVITY, &dynamics) };
    let (wind, each) = (Vec3::new(2.0, 0.0, 0.0), [[2.0, 0.0, 0.0]; 11]);
    let sleeps = |state: &mut State<'_>, air: Air<'_>| -> Result<(), StepError> {
        for _ in 0..2000 {
            if step(state, &StepInput { air, ..base })?.asleep {
                return Ok(());
            }
        }
        panic!("awake after 2000 steps in {air:?}");
    };
    sleeps(&mut state, Air::Uniform(wind))?;
    let tip = state.position(10).unwrap_or_default();
    assert!(tip.x > 0.4, "it sleeps at {tip}");
    assert!(step(&mut state, &StepInput { air: Air::Uniform(wind), ..base })?.asleep);
    assert!(!step(&mut state, &StepInput { air: Air::Uniform(Vec3::new(2.0, 0.0, 1e-6)), ..base })?.asleep);
    sleeps(&mut state, Air::Uniform(wind))?;
    assert!(!step(&mut state, &StepInput { air: Air::None, ..base })?.asleep);
    sleeps(&mut state, Air::None)?;
    assert!(!step(&mut state, &StepInput { air: Air::Uniform(Vec3::ZERO), ..base })?.asleep);
    sleeps(&mut state, Air::Each(&each))?;
    let mut other = each;
    other[10][1] = 1e-3;
    assert!(!step(&mut state, &StepInput { air: Air::Each(&other), ..base })?.asleep);
    // Air that changes all the time lets nobody sleep, however little it moves: asleep it would be stopped dead.
    for number in 0..200_u8 {
        let breath = Vec3::new(2.0 + 1e-6 * f32::from(number), 0.0, 0.0);
        assert!(!step(&mut state, &StepInput { air: Air::Uniform(breath), ..base })?.asleep, "step {number}");
    }
    Ok(())
}

#[test]
fn wind_from_the_other_side_is_the_mirror_image_to_the_bit() -> Outcome {
    let run = |wind: Vec3, side: f32| -> Result<Vec<[u32; 3]>, Box<dyn core::error::Error>> {
        let (baked, mut memory) = baked(sheet(8, 0.05).pins(&[0, 7]))?;
        let mut state = State::seed(&baked.model(), &mut memory)?;
        let dynamics = ClothDynamics { drag: 0.3, ..ClothDynamics::default() };
        for _ in 0..120 {
            let air = Air::Uniform(wind);
            step(&mut state, &StepInput { air, ..StepInput::new(DT, Vec3::new(0.0, 0.0, 4.0), &dynamics) })?;
        }
        let mirrored = |x: Vec3| [x.x, x.y * side, x.z].map(|component| (component + 0.0).to_bits());
        Ok(state.positions().map(mirrored).collect())
    };
    let one = run(Vec3::new(0.5, 3.0, 1.0), 1.0)?;
    assert_eq!(one, run(Vec3::new(0.5, -3.0, 1.0), -1.0)?);
    assert_ne!(one, run(Vec3::new(0.5, 3.1, 1.0), 1.0)?);
    Ok(())
}

#[test]
fn a_recorded_wind_blows_again() -> Outcome {
    let (baked, mut memory) = baked(sheet(5, 0.05).pins(&[0, 4]))?;
    let model = baked.model();
    let mut again = memory.clone();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = limp();
    let each = [[0.5, 2.0, 0.0]; 25];
    let mut recorder = Recorder::new(&state)?;
    for frame in 0..40 {
        let air = match frame {
            0..10 => Air::Uniform(Vec3::Y * 3.0),
            10..20 => Air::Each(&each),
            20..30 => Air::Uniform(Vec3::ZERO),
            _ => Air::None,
        };
        let input = StepInput { air, ..StepInput::new(DT, GRAVITY, &dynamics) };
        step(&mut state, &input)?;
        recorder.frame(&input, state.fingerprint());
    }
    let recording = recorder.finish()?;
    let verified = verify(&recording.replay()?, &mut again, Level::SCALAR)?;
    assert_eq!((verified.frames, verified.last), (40, state.fingerprint()));
    // The version before had no air and nothing else that this one has not.
    let mut bytes = recording.to_bytes();
    bytes[8] = 2;
    let mut blocks = vec![Block::default(); Replay::blocks_for(&bytes)?];
    assert!(Replay::load(&bytes, &mut blocks).is_ok());
    bytes[8] = 1;
    assert_eq!(Replay::blocks_for(&bytes), Err(ReplayError::Version { found: 1 }));
    Ok(())
}

#[test]
fn a_gale_is_survived() -> Outcome {
    for is_chain in [false, true] {
        let builder =
            if is_chain { chain(12, Vec3::new(0.0, -0.05, 0.0)) } else { sheet(10, 0.05) }.pins(&[0, 1]);
        let (baked, mut memory) = baked(builder)?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let dynamics = ClothDynamics { drag: 1.0, damping: 1.0, ..ClothDynamics::default() };
        let limit = model.extent() * 8.0 / DT * 1.001;
        let blow = |state: &mut State<'_>, speed: f32| -> Result<(), StepError> {
            for _ in 0..120 {
                let air = Air::Uniform(Vec3::new(0.6, 0.0, 0.8) * speed);
                let report = step(state, &StepInput { air, ..StepInput::new(DT, GRAVITY, &dynamics) })?;
                assert_eq!(report.rescued, 0, "{speed} m/s");
                assert!(report.max_speed <= limit, "{speed} m/s of air: {} m/s", report.max_speed);
                assert!(state.positions().all(|x| x.is_finite()), "{speed} m/s");
            }
            Ok(())
        };
        for speed in [1.0, 10.0, 100.0, 1000.0] {
            blow(&mut state, speed)?;
            assert!(state.positions().all(|x| x.length() < 5.0), "{speed} m/s");
        }
        let asleep = (0..1500).any(|_| {
            let input = StepInput { sleep: true, ..StepInput::new(DT, GRAVITY, &dynamics) };
            step(&mut state, &input).is_ok_and(|report| report.asleep)
        });
        assert!(asleep, "no rest after the gale");
        // The fastest there may be.
        blow(&mut state, MAX_SPEED)?;
    }
    Ok(())
}
