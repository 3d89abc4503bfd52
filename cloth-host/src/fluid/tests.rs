//! What the air does, whatever is asked of it.

use super::*;
use crate::pose::{Pose, length, sub};
use crate::world::words::Reader;
use cloth_core::Vec3;
use cloth_core::collide::{Collider, Pose as Standing};
use proptest::prelude::*;

const DT: f64 = 1.0 / 60.0;
const WIND: [f64; 3] = [0.0, 0.0, 9.0];

fn stream() -> FluidVolume {
    FluidVolume { half_extents: [0.72, 0.72, 1.16], cell: 0.08, ..FluidVolume::default() }
}

/// A volume of several parts.
fn large() -> FluidVolume {
    FluidVolume { half_extents: [1.5, 1.5, 3.0], cell: 0.1, confinement: 0.5, ..FluidVolume::default() }
}

fn post(radius: f32) -> Collider {
    Collider::cylinder(4.0, radius, Standing::IDENTITY).unwrap()
}

fn cuboid(half: [f32; 3]) -> Collider {
    Collider::cuboid(Vec3::from_array(half), Standing::IDENTITY).unwrap()
}

fn at(translation: [f64; 3]) -> Pose {
    Pose { translation, ..Pose::IDENTITY }
}

fn still(collider: &Collider, place: [f64; 3]) -> Obstacle<'_> {
    moving(collider, place, place)
}

fn moving(collider: &Collider, from: [f64; 3], to: [f64; 3]) -> Obstacle<'_> {
    Obstacle { collider, shapes: &[], pose: at(to), previous: at(from) }
}

/// On a way to and fro, half a metre a second at most.
fn swaying(collider: &Collider, step: u32) -> Obstacle<'_> {
    let place = |step: u32| {
        let phase = f64::from(step % 120) / 60.0 - 1.0;
        [0.4 * phase * phase, 0.0, -0.3]
    };
    moving(collider, place(step), place(step + 1))
}

fn serial(fluid: &mut Fluid, volume: &FluidVolume, wind: [f64; 3], bodies: &[Obstacle<'_>]) -> FluidReport {
    fluid.step(volume, DT, wind, bodies, &mut one_after_the_other)
}

/// All that a step leaves, as words.
fn words(fluid: &Fluid) -> Vec<u32> {
    let mut words = Vec::new();
    fluid.put(&mut words);
    words
}

fn is_finite(fluid: &Fluid) -> bool {
    fluid.flow.iter().chain([&fluid.pressure.values]).flatten().all(|value| value.is_finite())
}

/// Largest outflow of a cell that has an open face, over the mean speed; found from the faces alone.
fn piled_up(fluid: &Fluid) -> f32 {
    let Fluid { grid, flow, bodies, .. } = fluid;
    let strides = grid.strides();
    let (mut most, mut speeds, mut cells) = (0.0_f32, 0.0, 0.0);
    grid.for_each(grid.cells(), |at| {
        let sum = |of: &Triple, sign: f32| -> f32 {
            (0..3).map(|axis| of[axis][at + strides[axis]] + sign * of[axis][at]).sum()
        };
        if sum(&bodies.openings.open, 1.0) > 0.0 {
            most = most.max(sum(flow, -1.0).abs());
        }
        let middle = [0, 1, 2].map(|axis| 0.5 * (flow[axis][at] + flow[axis][at + strides[axis]]));
        speeds += middle.iter().map(|x| x * x).sum::<f32>().sqrt();
        cells += 1.0;
    });
    most / (speeds / cells)
}

#[test]
fn no_cell_takes_in_more_than_it_gives_away() {
    let (post, ball) = (post(0.2), Collider::sphere(0.25, Standing::IDENTITY).unwrap());
    let mut fluid = Fluid::new(&stream()).unwrap();
    for step in 0..60 {
        let bodies = [still(&post, [0.2, 0.0, -0.5]), swaying(&ball, step)];
        let report = serial(&mut fluid, &stream(), WIND, &bodies[..if step < 30 { 1 } else { 2 }]);
        let found = piled_up(&fluid);
        assert!(found <= 1.0e-3, "{found} of the mean speed at step {step}, {report:?}");
        assert!((found - report.divergence).abs() < 2.0e-5, "{found} is told as {report:?}");
        assert!((1..40).contains(&report.sweeps), "{report:?}");
    }
}

#[test]
fn uniform_wind_stays_uniform_whichever_way_it_goes() {
    for wind in [[9.0, 0.0, 0.0], [0.0, -3.0, 0.1], [2.0, 3.0, -4.0], [0.0; 3], [0.01, 0.0, 0.0]] {
        let mut fluid = Fluid::new(&stream()).unwrap();
        for _ in 0..20 {
            serial(&mut fluid, &stream(), wind, &[]);
        }
        for point in [[0.0; 3], [0.7, -0.7, 1.1], [-0.33, 0.2, -1.15]] {
            let (speed, _) = fluid.sample(point);
            let off = length(sub(speed, wind));
            assert!(off <= 1.0e-6 * length(wind), "{speed:?} of {wind:?} at {point:?}");
        }
    }
}

#[test]
fn a_wind_that_turns_is_taken_up() {
    let volume = FluidVolume { relaxation: 0.0, ..stream() };
    let mut fluid = Fluid::new(&volume).unwrap();
    serial(&mut fluid, &volume, WIND, &[]);
    for _ in 0..120 {
        serial(&mut fluid, &volume, [5.0, 0.0, 0.0], &[]);
    }
    let (speed, _) = fluid.sample([0.0; 3]);
    assert!(length(sub(speed, [5.0, 0.0, 0.0])) < 0.25, "{speed:?}");
}

#[test]
fn rates_are_exact_whatever_the_step() {
    let volume = FluidVolume { relaxation: 2.0, damping: 1.0, ..stream() };
    for steps in [1_u32, 7, 60] {
        let mut fluid = Fluid::new(&volume).unwrap();
        fluid.fill(|_| [0.0; 3]);
        for _ in 0..steps {
            let wind = [0.02, 0.0, 0.0];
            fluid.step(&volume, 0.5 / f64::from(steps), wind, &[], &mut one_after_the_other);
        }
        // 2/3 of the wind, of which 1 − e^(−1.5) has been gone.
        let expected = 0.02 * 2.0 / 3.0 * (1.0 - (-1.5_f64).exp());
        let ([x, ..], _) = fluid.sample([0.0; 3]);
        assert!((x - expected).abs() < 2.0e-3 * expected, "{x} is not {expected} in {steps} steps");
    }
}

#[test]
fn a_box_that_moves_pushes_air_before_it_and_drags_it_behind() {
    let body = cuboid([0.2, 0.2, 0.1]);
    let mut fluid = Fluid::new(&stream()).unwrap();
    let place = |step: u32| [0.0, 0.0, -0.6 + 0.02 * f64::from(step)];
    for step in 0..30 {
        serial(&mut fluid, &stream(), [0.0; 3], &[moving(&body, place(step), place(step + 1))]);
    }
    let along = |z: f64| fluid.sample([0.0, 0.0, place(30)[2] + z]).0[2];
    // It goes at 1.2 m/s.
    assert!((along(0.0) - 1.2).abs() < 1.0e-3, "{} within", along(0.0));
    assert!((0.4..1.2).contains(&along(0.22)), "{} before it", along(0.22));
    assert!((0.4..1.6).contains(&along(-0.22)), "{} behind it", along(-0.22));
    let beside = fluid.sample([0.4, 0.0, place(30)[2]]).0[2];
    assert!(beside < 0.1, "{beside} beside it, where air gives way");
}

#[test]
fn what_turns_takes_air_round() {
    let body = cuboid([0.3, 0.6, 0.3]);
    let turned = |step: u32| {
        let half = 0.02 * f64::from(step);
        Pose { rotation: [0.0, half.sin(), 0.0, half.cos()], ..Pose::IDENTITY }
    };
    let mut fluid = Fluid::new(&stream()).unwrap();
    for step in 0..30 {
        let body = Obstacle { collider: &body, shapes: &[], pose: turned(step + 1), previous: turned(step) };
        serial(&mut fluid, &stream(), [0.0; 3], &[body]);
    }
    // 0.04 rad a step are 2.4 rad/s; about +y, x goes to −z.
    let within = fluid.sample([0.2, 0.0, 0.0]).0[2];
    assert!((within + 0.48).abs() < 0.02, "{within} within");
    let outside = fluid.sample([0.5, 0.0, 0.0]).0[2];
    assert!(outside < -0.1, "{outside} outside");
}

#[test]
fn mirrored_bodies_in_mirrored_wind_have_mirrored_air() {
    let ball = Collider::sphere(0.25, Standing::IDENTITY).unwrap();
    let run = |side: f64| {
        let mut fluid = Fluid::new(&stream()).unwrap();
        for _ in 0..20 {
            serial(&mut fluid, &stream(), [2.0 * side, 0.0, 9.0], &[still(&ball, [0.1 * side, 0.05, -0.3])]);
        }
        fluid
    };
    let (one, other) = (run(1.0), run(-1.0));
    for i in 0..200 {
        let f = f64::from(i);
        let point = [0.003 * f - 0.3, 0.3 - 0.002 * f, 0.01 * f - 1.0];
        let ([x, y, z], _) = one.sample(point);
        let mirrored = other.sample([-point[0], point[1], point[2]]).0;
        // Within what the tolerance leaves open.
        assert!(length(sub([-x, y, z], mirrored)) < 0.02, "{:?} and {mirrored:?}", [x, y, z]);
    }
}

#[test]
fn who_does_the_parts_changes_no_bit() {
    let volume = large();
    let (post, ball) = (post(0.3), Collider::sphere(0.4, Standing::IDENTITY).unwrap());
    let mut fluids = [0, 1, 2].map(|_| Fluid::new(&volume).unwrap());
    let mut most = 0;
    for step in 0..100 {
        let bodies = [still(&post, [0.2, 0.0, -1.5]), swaying(&ball, step)];
        let mut backwards = |parts: &mut [&mut (dyn FnMut() + Send)]| {
            most = most.max(parts.len());
            parts.iter_mut().rev().for_each(|part| part());
        };
        let mut threads = |parts: &mut [&mut (dyn FnMut() + Send)]| {
            std::thread::scope(|scope| {
                for part in parts.iter_mut() {
                    scope.spawn(part);
                }
            });
        };
        let [one, two, three] = &mut fluids;
        let report = one.step(&volume, DT, WIND, &bodies, &mut one_after_the_other);
        assert_eq!(report, two.step(&volume, DT, WIND, &bodies, &mut backwards));
        assert_eq!(report, three.step(&volume, DT, WIND, &bodies, &mut threads));
        let expected = words(one);
        assert!(words(two) == expected && words(three) == expected, "step {step}");
    }
    assert!(most >= 3, "{most} parts are none to speak of");
}

#[test]
fn words_go_on_as_if_nothing_had_been() {
    let volume = FluidVolume { confinement: 0.3, ..stream() };
    let (post, ball) = (post(0.2), Collider::sphere(0.25, Standing::IDENTITY).unwrap());
    let bodies = |step: u32| [still(&post, [0.2, 0.0, -0.5]), swaying(&ball, step)];
    // From where a body stands, from where one moves, and into another that has been elsewhere.
    for (until, moves) in [(20, false), (20, true)] {
        let mut fluid = Fluid::new(&volume).unwrap();
        let step = |fluid: &mut Fluid, step: u32| {
            let bodies = bodies(step);
            serial(fluid, &volume, WIND, &bodies[..if moves { 2 } else { 1 }])
        };
        for number in 0..until {
            step(&mut fluid, number);
        }
        let saved = words(&fluid);
        let mut other = Fluid::new(&volume).unwrap();
        for _ in 0..3 {
            serial(&mut other, &volume, [4.0, 0.0, 0.0], &[still(&ball, [0.0; 3])]);
        }
        let mut reader = Reader::new(&saved);
        other.take(&mut reader).unwrap();
        assert_eq!(reader.left(), 0);
        // What is not in the words is not read either.
        for values in other.next.iter_mut().chain(&mut other.spare) {
            values.fill(f32::NAN);
        }
        assert!(words(&other) == saved);
        for number in until..until + 20 {
            assert_eq!(step(&mut fluid, number), step(&mut other, number));
            assert!(words(&fluid) == words(&other), "step {number}");
        }
    }
}

#[test]
fn words_that_are_none_are_refused() {
    let mut fluid = Fluid::new(&stream()).unwrap();
    serial(&mut fluid, &stream(), WIND, &[]);
    let saved = words(&fluid);
    assert!(fluid.take(&mut Reader::new(&saved[..saved.len() - 1])).is_none());
    let mut spoiled = saved.clone();
    spoiled[1] += 1;
    assert!(fluid.take(&mut Reader::new(&spoiled)).is_none());
    let mut spoiled = saved.clone();
    spoiled[500] = f32::NAN.to_bits();
    assert!(fluid.take(&mut Reader::new(&spoiled)).is_none());
}

#[test]
fn the_same_flow_is_as_fast_in_cells_of_any_size() {
    for cell in [0.25, 0.5, 1.0, 2.0] {
        let volume = FluidVolume { half_extents: [4.0; 3], cell, ..FluidVolume::default() };
        let mut fluid = Fluid::new(&volume).unwrap();
        fluid.fill(|[_, y, _]| [0.0, 0.0, 6.0 + 0.5 * y]);
        for (y, expected) in [(0.0, 6.0), (1.0, 6.5), (-2.2, 4.9)] {
            let ([.., z], weight) = fluid.sample([0.3, y, -0.7]);
            assert!((z - expected).abs() < 1.0e-5, "{z} in cells of {cell}");
            assert!((weight - 1.0).abs() < 1.0e-12);
        }
    }
}

#[test]
fn what_settles_sleeps_and_what_changes_wakes_it() {
    let volume = stream();
    let small = post(0.05);
    let body = |x: f64| still(&small, [x, 0.0, -0.5]);
    let asleep = || {
        let mut fluid = Fluid::new(&volume).unwrap();
        let slept = (0..600).find(|_| serial(&mut fluid, &volume, [0.0, 0.0, 2.0], &[body(0.0)]).asleep);
        assert!(slept.is_some(), "{:?}", fluid.report());
        fluid
    };
    let slept = asleep();
    let mut fluid = slept.clone();
    let before = words(&fluid);
    assert!(serial(&mut fluid, &volume, [0.0, 0.0, 2.0], &[body(0.0)]).asleep);
    assert!(words(&fluid) == before);
    // What only says who is told what wakes nobody.
    let elsewhere = FluidVolume { mask: 1, border: 0.1, ..volume };
    assert!(serial(&mut fluid, &elsewhere, [0.0, 0.0, 2.0], &[body(0.0)]).asleep);
    // Nor does what moves elsewhere.
    let far = moving(&small, [7.0, 0.0, 3.0], [7.5, 0.0, 3.0]);
    assert!(serial(&mut fluid, &volume, [0.0, 0.0, 2.0], &[body(0.0), far]).asleep);
    let told: [(FluidVolume, [f64; 3], Vec<Obstacle<'_>>); 6] = [
        (volume, [0.0, 0.0, 2.1], vec![body(0.0)]),
        (volume, [0.0, 0.0, 2.0], vec![body(0.001)]),
        (volume, [0.0, 0.0, 2.0], vec![moving(&small, [0.001, 0.0, -0.5], [0.0, 0.0, -0.5])]),
        (volume, [0.0, 0.0, 2.0], vec![]),
        (FluidVolume { relaxation: 1.0, ..volume }, [0.0, 0.0, 2.0], vec![body(0.0)]),
        (FluidVolume { confinement: 0.5, ..volume }, [0.0, 0.0, 2.0], vec![body(0.0)]),
    ];
    for (volume, wind, bodies) in told {
        let mut fluid = slept.clone();
        assert!(!serial(&mut fluid, &volume, wind, &bodies).asleep);
        assert!(words(&fluid) != before);
    }
    let mut other = Fluid::new(&volume).unwrap();
    other.take(&mut Reader::new(&before)).unwrap();
    assert!(serial(&mut other, &volume, [0.0, 0.0, 2.0], &[body(0.0)]).asleep);
}

#[test]
fn where_a_body_was_there_is_air_again() {
    let body = cuboid([0.4; 3]);
    let mut fluid = Fluid::new(&stream()).unwrap();
    for _ in 0..30 {
        serial(&mut fluid, &stream(), WIND, &[still(&body, [0.0; 3])]);
    }
    assert!(length(fluid.sample([0.0; 3]).0) < 1.0e-6);
    serial(&mut fluid, &stream(), WIND, &[still(&body, [0.0, 0.0, 50.0])]);
    let slowest = (-3..=3)
        .flat_map(|x| (-3..=3).map(move |z| (x, z)))
        .map(|(x, z)| length(fluid.sample([0.1 * f64::from(x), 0.0, 0.1 * f64::from(z)]).0));
    // None of it is the body's.
    let slowest = slowest.fold(f64::INFINITY, f64::min);
    assert!(slowest > 0.3, "{slowest}");
}

#[test]
fn air_that_is_shut_in_keeps_nobody_waiting() {
    // A hollow box of six walls about 0.8 m wide, one of them closing it further.
    let walls = [cuboid([0.5, 0.5, 0.1]), cuboid([0.5, 0.1, 0.5]), cuboid([0.1, 0.5, 0.5])];
    let mut fluid = Fluid::new(&stream()).unwrap();
    let away = 0.5;
    for step in 0..20 {
        let z = away - 0.01 * f64::from(step);
        let bodies = [
            moving(&walls[0], [0.0, 0.0, z], [0.0, 0.0, z - 0.01]),
            still(&walls[0], [0.0, 0.0, -away]),
            still(&walls[1], [0.0, away, 0.0]),
            still(&walls[1], [0.0, -away, 0.0]),
            still(&walls[2], [away, 0.0, 0.0]),
            still(&walls[2], [-away, 0.0, 0.0]),
        ];
        let report = serial(&mut fluid, &stream(), WIND, &bodies);
        assert!(report.sweeps < 30 && report.divergence <= 1.0e-3, "{report:?}");
        assert!(length(fluid.sample([0.0; 3]).0) < 1.0e-6);
    }
    // A wall across the whole stream.
    let wall = cuboid([9.0, 9.0, 0.2]);
    let report = serial(&mut fluid, &stream(), WIND, &[still(&wall, [0.0; 3])]);
    assert!(report.sweeps < 30 && is_finite(&fluid), "{report:?}");
    // And nothing but wall.
    let all = cuboid([9.0; 3]);
    let report = serial(&mut fluid, &stream(), WIND, &[still(&all, [0.0; 3])]);
    assert!(report.sweeps == 0 && is_finite(&fluid), "{report:?}");
}

#[test]
fn nothing_it_is_told_makes_a_number_none() {
    let volume = stream();
    let ball = Collider::sphere(0.3, Standing::IDENTITY).unwrap();
    let nan = f64::NAN;
    let mut fluid = Fluid::new(&volume).unwrap();
    let before = serial(&mut fluid, &volume, WIND, &[still(&ball, [0.0; 3])]);
    let kept = words(&fluid);
    for dt in [0.0, -1.0, nan, f64::MIN_POSITIVE] {
        let report = fluid.step(&volume, dt, WIND, &[still(&ball, [0.1; 3])], &mut one_after_the_other);
        assert!(report == before && words(&fluid) == kept, "{dt}");
    }
    let poses = [
        at([nan; 3]),
        at([1.0e300, 0.0, 0.0]),
        at([0.1, 0.0, 0.0]),
        Pose { rotation: [nan; 4], ..Pose::IDENTITY },
        Pose { rotation: [0.0; 4], ..Pose::IDENTITY },
    ];
    let odd = FluidVolume {
        relaxation: f32::NAN,
        damping: f32::INFINITY,
        confinement: f32::NAN,
        tolerance: f32::NAN,
        border: f32::NAN,
        ..volume
    };
    for dt in [1.0e-30, 1.0e-9, 1.0e-3, 1.0, 1.0e9, f64::INFINITY] {
        for wind in [WIND, [1.0e3, -1.0e3, 0.0], [1.0e300, nan, f64::INFINITY], [0.0; 3], [1.0e-40, 0.0, 0.0]]
        {
            for (pose, previous) in poses.iter().zip(poses.iter().cycle().skip(2)) {
                for volume in [volume, odd] {
                    let body = Obstacle { collider: &ball, shapes: &[], pose: *pose, previous: *previous };
                    fluid.step(&volume, dt, wind, &[body], &mut one_after_the_other);
                    assert!(is_finite(&fluid), "dt {dt}, wind {wind:?}, {pose:?}");
                    let (speed, weight) = fluid.sample([0.1, nan, 0.0]);
                    assert!(length(speed).is_finite() && weight <= 0.0);
                }
            }
        }
    }
}

#[test]
fn it_counts_from_nothing_outside_to_all_within_its_border() {
    let volume = FluidVolume { half_extents: [1.0; 3], cell: 0.25, border: 0.5, ..FluidVolume::default() };
    let mut fluid = Fluid::new(&volume).unwrap();
    serial(&mut fluid, &volume, WIND, &[]);
    let weight = |x: f64| fluid.sample([x, 0.0, 0.0]).1;
    for x in [-1.001, 1.001, 5.0, f64::INFINITY, f64::NAN] {
        assert!(weight(x) <= 0.0, "{x}");
    }
    for x in [0.0, 0.5, -0.49] {
        assert!((weight(x) - 1.0).abs() < 1.0e-12, "{x}");
    }
    assert!((weight(0.75) - 0.5).abs() < 1.0e-12);
    // Its slope has no jump: second differences stay of the order of the step's square.
    let h = 1.0e-3;
    for i in 0..1200 {
        let x = h * f64::from(i);
        let bend = weight(x - h) - 2.0 * weight(x) + weight(x + h);
        assert!(bend.abs() < 30.0 * h * h, "{bend} at {x}");
    }
}

#[test]
fn what_cannot_be_a_volume_is_named() {
    let volume = FluidVolume::default();
    assert_eq!(volume.check(), Ok(()));
    let named = |volume: FluidVolume| match Fluid::new(&volume) {
        Err(FluidError::Setting { field, .. }) => field,
        other => panic!("{:?}", other.map(drop)),
    };
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1.0e-40] {
        assert_eq!(named(FluidVolume { cell: bad, ..volume }), "cell");
        assert_eq!(named(FluidVolume { half_extents: [1.0, bad, 1.0], ..volume }), "half_extents");
    }
    for bad in [-1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(named(FluidVolume { relaxation: bad, ..volume }), "relaxation");
        assert_eq!(named(FluidVolume { damping: bad, ..volume }), "damping");
        assert_eq!(named(FluidVolume { confinement: bad, ..volume }), "confinement");
        assert_eq!(named(FluidVolume { tolerance: bad, ..volume }), "tolerance");
        assert_eq!(named(FluidVolume { border: bad, ..volume }), "border");
    }
    assert_eq!(named(FluidVolume { prevailing: Some([0.0, f32::NAN, 0.0]), ..volume }), "prevailing");
    let large = FluidVolume { half_extents: [1.0e5; 3], cell: 1.0e-3, ..volume };
    let Err(error @ FluidError::TooLarge { cells, bytes, allowed }) = Fluid::new(&large) else {
        panic!("a cube of 2e8 cells' side");
    };
    assert!(cells > allowed && bytes >= cells);
    assert!(error.to_string().contains("larger cell"), "{error}");
    // Thin ones have four cells all the same.
    assert_eq!(
        Fluid::new(&FluidVolume { half_extents: [1.0, 0.01, 1.0], ..volume }).unwrap().grid.count,
        [16, 4, 16]
    );
}

#[test]
fn a_cell_takes_no_more_memory_than_is_said() {
    let fluid = Fluid::new(&large()).unwrap();
    let floats = fluid.flow.len() + fluid.next.len() + fluid.spare.len();
    let stated = BYTES_PER_CELL * fluid.grid.places() as u64;
    // Openings of standing and of all bodies, six for the pressure, three marks and a byte and a word of room.
    let plain = (floats as u64 + 12 + 6) * 4 + 3 + 1 + 4;
    let coarse: u64 = multigrid::grids(&fluid.grid).map(|grid| 7 * 4 * grid.places() as u64).sum();
    assert!(plain * fluid.grid.places() as u64 + coarse <= stated, "{plain} and {coarse} of {stated}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Any bodies, winds and rates: numbers, and no cell piles up.
    #[test]
    fn any_scene_is_numbers_without_piles(
        counts in prop::array::uniform3(4_u16..14),
        cell in prop::sample::select(vec![0.03_f32, 0.25, 2.0]),
        dt in prop::sample::select(vec![1.0e-4, 1.0 / 240.0, 1.0 / 60.0, 0.2, 1.0]),
        wind in prop::array::uniform3(-20.0_f64..20.0),
        confinement in 0.0_f32..1.0,
        relaxation in 0.0_f32..4.0,
        bodies in prop::collection::vec(
            (0_u8..4, 0.3_f32..4.0, prop::array::uniform3(-6.0_f64..6.0), prop::array::uniform3(-1.0_f64..1.0)),
            0..4,
        ),
    ) {
        let half_extents = counts.map(|n| 0.5 * cell * f32::from(n));
        let volume = FluidVolume { half_extents, cell, confinement, relaxation, ..FluidVolume::default() };
        let mut fluid = Fluid::new(&volume).unwrap();
        prop_assert_eq!(fluid.grid.count.map(|n| u16::try_from(n).unwrap()), counts);
        let wide = f64::from(cell);
        let shapes: Vec<Collider> = bodies.iter().map(|(kind, size, ..)| {
            let size = size * cell;
            match kind {
                0 => Collider::sphere(size, Standing::IDENTITY),
                1 => Collider::cuboid(Vec3::splat(size), Standing::IDENTITY),
                2 => Collider::capsule(size, 0.5 * size, Standing::IDENTITY),
                _ => Collider::plane(Standing::IDENTITY),
            }.unwrap()
        }).collect();
        for step in 0..6_u32 {
            let place = |from: &[f64; 3], way: &[f64; 3], step: u32| {
                [0, 1, 2].map(|axis| wide * (from[axis] + way[axis] * f64::from(step)))
            };
            let bodies: Vec<Obstacle<'_>> = shapes.iter().zip(&bodies).map(|(shape, (_, _, from, way))| {
                moving(shape, place(from, way, step), place(from, way, step + 1))
            }).collect();
            let report = fluid.step(&volume, dt, wind, &bodies, &mut one_after_the_other);
            prop_assert!(is_finite(&fluid));
            prop_assert!(report.divergence <= 1.0e-3, "{:?} at step {}", report, step);
            prop_assert!(report.sweeps < pressure::MOST_SWEEPS, "{:?} at step {}", report, step);
        }
    }
}

#[test]
fn a_box_that_goes_with_its_body_has_the_wake_of_one_that_stands_in_wind() {
    let volume = FluidVolume { half_extents: [1.0, 0.6, 0.6], cell: 0.1, ..FluidVolume::default() };
    let ball = Collider::sphere(0.2, Standing::IDENTITY).unwrap();
    let speed = 6.0;
    let mut stands = Fluid::new(&volume).unwrap();
    let mut goes = Fluid::new(&volume).unwrap();
    let way = [speed * DT, 0.0, 0.0];
    for _ in 0..240 {
        let still_ball = still(&ball, [0.0; 3]);
        serial(&mut stands, &volume, [-speed, 0.0, 0.0], &[still_ball]);
        // In still air, as seen from where the box is when the step ends.
        goes.shift(&at(way), [0.0; 3], DT);
        let carried = moving(&ball, [-way[0], 0.0, 0.0], [0.0; 3]);
        serial(&mut goes, &volume, [0.0; 3], &[carried]);
    }
    let mean = |fluid: &Fluid, x: f64| {
        let points = [-0.1, 0.0, 0.1].map(|y| fluid.sample([x, y, 0.0]).0[0]);
        points.iter().sum::<f64>() / 3.0
    };
    // Ahead of the ball the air comes against it, behind it air is taken along: as seen by the ball both times.
    for (x, most) in [(0.7, 0.6), (0.5, 0.8), (-0.45, 2.0), (-0.7, 2.0)] {
        let (standing, going) = (mean(&stands, x), mean(&goes, x) - speed);
        assert!((standing - going).abs() < most, "at {x}: {standing} m/s in wind, {going} on the way");
    }
    assert!(mean(&goes, -0.45) > 2.0 && mean(&goes, 0.7) < 1.0, "the wake is behind");
}

#[test]
fn wind_stays_what_it_is_in_a_box_that_turns_and_goes() {
    let volume = FluidVolume { half_extents: [1.0, 0.6, 0.6], cell: 0.1, ..FluidVolume::default() };
    let mut fluid = Fluid::new(&volume).unwrap();
    let step = Pose {
        translation: [0.03, -0.02, 0.0],
        rotation: crate::pose::unit([0.02, 0.07, -0.01, 1.0]).unwrap(),
    };
    let (mut stands, wind) = (Pose::IDENTITY, [5.0, 1.0, -2.0]);
    for _ in 0..100 {
        stands = stands.place(&step);
        fluid.shift(&step, stands.unturn(wind), DT);
        let report = serial(&mut fluid, &volume, stands.unturn(wind), &[]);
        assert!(report.divergence <= 1.0e-3 && !report.asleep);
        for point in [[0.0; 3], [0.9, 0.5, -0.5], [-0.9, 0.0, 0.55]] {
            let found = crate::pose::turn(stands.rotation, fluid.sample(point).0);
            assert!(length(sub(found, wind)) < 0.02, "{found:?} at {point:?}");
        }
    }
    // A jump leaves nothing of it.
    fluid.shift(&at([50.0, 0.0, 0.0]), [0.0; 3], DT);
    serial(&mut fluid, &volume, [0.0; 3], &[]);
    assert!(length(fluid.sample([0.0; 3]).0) < 1e-6);
}
