//! A step that threads share has the bits of one that they don't, whoever the threads are.
#![expect(clippy::cast_precision_loss, reason = "test geometry of a few particles")]

mod common;

use cloth_core::collide::{Collider, Pose};
use cloth_core::simd::{Cut, Groups, Kernel, Lanes, MOST_RUNS, PLACE, Rows, Runs, Worth};
use cloth_core::step::Colliders;
use cloth_core::{
    Air, Apart, Block, ClothDynamics, Level, Model, ModelBuilder, NONE, Sharing, State, StepInput, Targets,
    Team, Vec3, library, step, step_by,
};
use common::{DT, GRAVITY, baked, chain, sheet};
use proptest::prelude::*;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

type Outcome = Result<(), Box<dyn Error>>;

/// Every part is worth a thread.
const ALL: Worth = Worth { particles: 1, groups: 1 };

/// So many threads.
struct Threads(usize);

impl Team for Threads {
    fn threads(&self) -> usize {
        self.0
    }

    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        std::thread::scope(|scope| {
            for _ in 1..self.0 {
                scope.spawn(help);
            }
            lead();
        });
    }

    fn pause(&self) {
        std::thread::yield_now();
    }

    fn worth(&self) -> Worth {
        ALL
    }
}

/// A team that is not what it says it is.
#[derive(Clone, Copy, Debug)]
enum Odd {
    /// Nobody helps.
    Alone,
    /// Not even the leader is called.
    Idle,
    /// Helpers come when all is done.
    Late,
    /// More come than were asked for.
    Crowd,
    /// The leader is called again.
    Twice,
}

impl Team for Odd {
    fn threads(&self) -> usize {
        3
    }

    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        match self {
            Self::Alone => lead(),
            Self::Idle => {}
            Self::Late => {
                lead();
                help();
                help();
            }
            Self::Crowd => std::thread::scope(|scope| {
                (0..12).for_each(|_| _ = scope.spawn(help));
                lead();
            }),
            Self::Twice => (0..2).for_each(|_| lead()),
        }
    }

    fn pause(&self) {}

    fn worth(&self) -> Worth {
        ALL
    }
}

/// Steps two states of a model, one alone and one by a team, and compares every bit after every step.
fn compare(model: &Model, team: &dyn Team, steps: u16, input: impl Fn(u16) -> Tick) -> Outcome {
    let mut memories = [(); 2].map(|()| vec![Block::default(); model.state_blocks()]);
    let [one, other] = &mut memories;
    let (mut alone, mut shared) = (State::seed(model, one)?, State::seed(model, other)?);
    let apart = Apart::find(&mut shared);
    let mut snapshots = [(); 2].map(|()| vec![Block::default(); model.snapshot_blocks()]);
    let gust = |vertex: u32| [2.0, 0.01 * vertex as f32, -1.0];
    let gusts: Vec<[f32; 3]> = (0..model.source_count()).map(gust).collect();
    for tick in 0..steps {
        let Tick { dynamics, colliders, targets, level } = input(tick);
        let records: Vec<Collider> = colliders;
        let input = StepInput {
            level,
            // Uniform, then vertex by vertex, then none.
            air: match tick % 6 {
                0 | 1 => Air::Uniform(Vec3::new(1.0, 0.5, -2.0)),
                2 | 3 => Air::Each(&gusts),
                _ => Air::None,
            },
            colliders: Colliders { records: &records, shapes: &[] },
            targets: if targets.is_empty() { Targets::Keep } else { Targets::All(&targets) },
            ..StepInput::new(DT, GRAVITY, &dynamics)
        };
        let reports = [step(&mut alone, &input)?, step_by(team, &apart, &mut shared, &input)?];
        assert_eq!(reports[0], reports[1], "report of step {tick}");
        alone.snapshot(&mut snapshots[0])?;
        shared.snapshot(&mut snapshots[1])?;
        assert!(snapshots[0] == snapshots[1], "state after step {tick}");
    }
    assert!(alone.steps() == u64::from(steps) || alone.is_asleep());
    Ok(())
}

/// What a tick brings.
struct Tick {
    dynamics: ClothDynamics,
    colliders: Vec<Collider>,
    targets: Vec<[f32; 3]>,
    level: Level,
}

impl Tick {
    fn of(dynamics: ClothDynamics) -> Self {
        Self { dynamics, colliders: Vec::new(), targets: Vec::new(), level: Level::detect() }
    }
}

/// A ring of cloth about the y axis, held at its upper edge.
fn skirt(around: u32, down: u32) -> ModelBuilder {
    let place = |v: u32| {
        let angle = core::f32::consts::TAU * (v % around) as f32 / around as f32;
        let radius = 0.2 + 0.01 * (v / around) as f32;
        [radius * angle.cos(), -0.03 * (v / around) as f32, radius * angle.sin()]
    };
    let positions: Vec<[f32; 3]> = (0..around * down).map(place).collect();
    let mut triangles = Vec::new();
    for row in 0..down - 1 {
        for column in 0..around {
            let (a, b) = (row * around + column, row * around + (column + 1) % around);
            triangles.push([a, b, a + around]);
            triangles.push([b, b + around, a + around]);
        }
    }
    ModelBuilder::mesh(&positions, &triangles).pins(&(0..around).collect::<Vec<_>>()).areal_density(0.15)
}

#[test]
fn any_number_of_parts_gives_the_bits_of_one() -> Outcome {
    let builders = [
        ("sheet", sheet(24, 0.02).pins(&[0, 23]).areal_density(0.15)),
        ("free", sheet(11, 0.02).areal_density(0.15)),
        ("skirt", skirt(40, 8)),
        ("chain", chain(70, Vec3::new(0.02, 0.0, 0.0)).pins(&[0]).linear_density(0.05)),
        ("hinges", sheet(12, 0.02).pins(&[5]).areal_density(0.15).stiff_bend(true)),
        ("soft", sheet(12, 0.02).pins(&[0]).areal_density(0.15).stretch_stiffness(300.0)),
    ];
    for (name, builder) in builders {
        let baked = builder.build()?;
        let model = baked.model();
        for (threads, level) in [
            (1, Level::BASELINE),
            (2, Level::detect()),
            (3, Level::FOUR),
            (5, Level::detect()),
            (8, Level::SCALAR),
            (100, Level::detect()),
        ] {
            println!("{name}, {threads} threads");
            compare(&model, &Threads(threads), 12, |tick| Tick {
                level,
                // Limits, comforts and damping one step, none the next: each pass that is shared runs.
                ..Tick::of(if tick % 3 == 2 { library::ROPE } else { library::COTTON })
            })?;
        }
    }
    Ok(())
}

#[test]
fn it_does_among_colliders_and_with_targets_that_move() -> Outcome {
    let baked = sheet(16, 0.02).pins(&[0, 15]).areal_density(0.15).build()?;
    let model = baked.model();
    let rest: Vec<[f32; 3]> =
        (0..256).map(|v| [(v % 16) as f32 * 0.02, 0.0, (v / 16) as f32 * 0.02]).collect();
    for threads in [2, 3] {
        compare(&model, &Threads(threads), 40, |tick| {
            let way = f32::from(tick) * 0.01;
            let at = |y: f32| Pose::at(Vec3::new(0.15, y, 0.15));
            let sphere =
                Collider::sphere(0.08, at(-0.4 + way)).and_then(|sphere| sphere.moved(at(-0.39 + way)));
            let wire = Collider::capsule(0.3, 0.002, Pose::at(Vec3::new(0.1, -0.15, 0.2)));
            Tick {
                colliders: [sphere, wire].into_iter().flatten().collect(),
                targets: rest.iter().map(|[x, y, z]| [x + 0.3 * way, *y, *z]).collect(),
                ..Tick::of(library::SILK)
            }
        })?;
    }
    Ok(())
}

#[test]
fn whoever_the_team_is() -> Outcome {
    let baked = sheet(20, 0.02).pins(&[0, 19]).areal_density(0.15).build()?;
    let model = baked.model();
    for odd in [Odd::Alone, Odd::Idle, Odd::Late, Odd::Crowd, Odd::Twice] {
        println!("{odd:?}");
        compare(&model, &odd, 10, |_| Tick::of(library::COTTON))?;
    }
    Ok(())
}

#[test]
fn a_cloth_that_comes_to_rest_does_so_for_all() -> Outcome {
    // Tensions grow, and factors are noted before every push.
    let baked = chain(40, Vec3::new(0.0, -0.02, 0.0)).pins(&[0]).linear_density(0.05).build()?;
    compare(&baked.model(), &Threads(2), 200, |_| Tick::of(library::ROPE))
}

#[test]
fn an_input_that_is_refused_changes_nothing() -> Outcome {
    let (baked, mut memory) = baked(sheet(20, 0.02).pins(&[0]).areal_density(0.15))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let before = state.fingerprint();
    let dynamics = library::COTTON;
    let refused = StepInput::new(-1.0, GRAVITY, &dynamics);
    let apart = Apart::find(&mut state);
    assert_eq!(step_by(&Threads(2), &apart, &mut state, &refused), step(&mut state, &refused));
    assert!(step_by(&Threads(2), &apart, &mut state, &refused).is_err());
    assert_eq!((state.fingerprint(), state.steps()), (before, 0));
    Ok(())
}

#[test]
fn it_says_when_it_is_not_worth_it() -> Outcome {
    /// A team that leaves it to core what is worth it.
    struct Plain(usize);
    impl Team for Plain {
        fn threads(&self) -> usize {
            self.0
        }
        fn gather(&self, _: &mut dyn FnMut(), _: &(dyn Fn() + Sync)) {
            panic!("nobody was to be called");
        }
        fn pause(&self) {}
    }
    let baked = sheet(20, 0.02).pins(&[0]).areal_density(0.15).build()?;
    let model = baked.model();
    let small = step::sharing(&Plain(4), &model);
    assert_eq!(small, Sharing::Small { particles: 400, least: Worth::default().particles });
    assert!(small.to_string().contains("the cloth has 400 particles"), "{small}");
    assert_eq!(step::sharing(&Plain(1), &model), Sharing::Alone);
    assert_eq!(step::sharing(&Threads(100), &model), Sharing::Shared { threads: 8 });
    compare(&model, &Plain(4), 3, |_| Tick::of(library::COTTON))
}

/// A star: each row a run of its own, more than are told apart.
#[test]
fn rows_that_all_meet_are_one_thread_s() -> Outcome {
    let links = u32::try_from(MOST_RUNS)? + 60;
    let tips = (0..links).map(|tip| [0.1 * (tip as f32).cos(), 0.001 * tip as f32, 0.1 * (tip as f32).sin()]);
    let positions: Vec<[f32; 3]> = core::iter::once([0.0; 3]).chain(tips).collect();
    let parents: Vec<u32> = core::iter::once(NONE).chain((0..links).map(|_| 0)).collect();
    let baked = ModelBuilder::chains(&positions, &parents).pins(&[0]).linear_density(0.05).build()?;
    compare(&baked.model(), &Threads(3), 6, |_| Tick::of(library::ROPE))
}

/// The groups of bounds of one level may stand in any order: a model whose colours are none is a model all the same.
#[test]
fn colours_are_found_and_not_believed() -> Outcome {
    let mut blocks = sheet(16, 0.02).pins(&[0]).areal_density(0.15).build()?.into_blocks();
    let (first, last, bounds, runs) = {
        let model = Model::from_blocks(&blocks)?;
        let finest = model.levels()[0];
        let bounds = (model.bound_groups().as_ptr() as usize - blocks.as_ptr() as usize) / size_of::<Block>();
        (finest.bounds as usize, finest.bounds_end as usize - 2, bounds, runs_of_bounds(&model))
    };
    // Four blocks of rest lengths a group, and before them all four of ends.
    let groups = Model::from_blocks(&blocks)?.bound_groups().len();
    for region in [bounds, bounds - 4 * groups] {
        (0..4).for_each(|block| blocks.swap(region + 4 * first + block, region + 4 * last + block));
    }
    let model = Model::from_blocks(&blocks)?;
    assert!(runs_of_bounds(&model) > runs, "the order is no longer broken");
    for threads in [2, 3] {
        compare(&model, &Threads(threads), 30, |_| Tick::of(library::COTTON))?;
    }
    Ok(())
}

fn runs_of_bounds(model: &Model) -> usize {
    let nodes = model.header().nodes() as usize;
    Runs::find(model.bound_ends(), &mut vec![[0; 8]; nodes]).count()
}

/// Adds to what a row's ends lead to.
struct Add<'t>(Rows<'t, [[f32; 4]; 2], 2>);

impl Kernel for Add<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> usize {
        for [a, b] in self.0.iter() {
            for l in l.parts() {
                let [now, _] = a.differences(b, l);
                a.add_nth(l, 0, now);
                b.add_nth(l, 1, now);
            }
        }
        self.0.len()
    }
}

impl Cut for Add<'_> {
    fn groups(&self) -> usize {
        self.0.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (one, other) = self.0.cut(at);
        (Self(one), Self(other))
    }
}

proptest! {
    /// Groups of a run share no entry; all groups are in one, in order; whoever goes through them gets the same.
    #[test]
    fn runs_are_apart(
        groups in prop::collection::vec(prop::array::uniform2(prop::array::uniform8(0_u32..60)), 0..40),
        threads in 2_usize..5,
    ) {
        let places: Vec<[[u32; 8]; 2]> = groups.iter().map(|group| group.map(|end| end.map(|index| index * PLACE))).collect();
        let groups_of = Groups::new(&places, 60).expect("below 60");
        let runs = Runs::find(groups_of, &mut [[7; 8]; 60]);
        let mut next = 0;
        for run in runs.within(0, groups.len()) {
            prop_assert_eq!(run.first, next);
            next = run.end;
            for (one, other) in (run.first..run.end).flat_map(|one| (run.first..one).map(move |other| (one, other))) {
                let meet = groups[one].as_flattened().iter().any(|index| groups[other].as_flattened().contains(index));
                prop_assert!(!meet, "groups {} and {} of run {}", one, other, run.number);
            }
        }
        prop_assert_eq!(next, groups.len());
        let table = || (0..60_u8).map(|i| [[f32::from(i) * 0.37; 4], [1.0 / f32::from(i + 1); 4]]).collect::<Vec<_>>();
        let (mut alone, mut shared) = (table(), table());
        Level::detect().run(Add(Rows::new(groups_of, &mut alone)));
        let passed = AtomicUsize::new(0);
        cloth_core::simd::gather(&Threads(threads), threads, |crew| {
            for run in runs.within(0, groups.len()) {
                let of_parts = crew.run(Level::detect(), Add(runs.rows(run, &mut shared)));
                passed.fetch_add(of_parts.into_iter().flatten().sum(), Ordering::Relaxed);
            }
        });
        prop_assert_eq!(passed.into_inner(), groups.len());
        let bits = |table: Vec<[[f32; 4]; 2]>| -> Vec<u32> {
            table.into_iter().flat_map(|entry| entry.into_iter().flatten().map(f32::to_bits)).collect()
        };
        prop_assert_eq!(bits(alone), bits(shared));
    }

    /// A run that somebody made up, across two that were found, is not cut.
    #[test]
    fn nobody_makes_up_a_run(first in 0_usize..12, end in 0_usize..12, number in 0_usize..12) {
        // Three runs of two groups.
        let group = |run: u32, nth: u32| [[(8 * nth) * PLACE; 8], [(8 * nth + 1 + run) * PLACE; 8]];
        let places: Vec<[[u32; 8]; 2]> = (0..3).flat_map(|run| (0..2).map(move |nth| group(run, nth))).collect();
        let runs = Runs::find(Groups::new(&places, 20).expect("below 20"), &mut [[0; 8]; 20]);
        prop_assert_eq!(runs.count(), 3);
        let mut table = vec![[[0.0; 4]; 2]; 20];
        let rows = runs.rows(cloth_core::simd::Run { first, end, number }, &mut table);
        let is_within = number < 3 && 2 * number <= first && end <= 2 * number + 2;
        prop_assert!(!rows.is_apart() || is_within);
        prop_assert_eq!(rows.is_apart(), is_within);
        let all = rows.len();
        let (one, other) = rows.cut(1);
        prop_assert_eq!(one.len() + other.len(), all);
        prop_assert!(is_within || other.is_empty());
    }

    /// With too few stamps, or a table that is too short, nothing is apart.
    #[test]
    fn what_was_not_looked_at_is_not_apart(stamps in 0_usize..20) {
        let places = [[[0; 8], [19 * PLACE; 8]], [[PLACE; 8], [2 * PLACE; 8]]];
        let groups = Groups::new(&places, 20).expect("below 20");
        let runs = Runs::find(groups, &mut vec![[0; 8]; stamps]);
        prop_assert_eq!(runs.count(), 0);
        let mut table = vec![[[0.0; 4]; 2]; 20];
        for run in runs.within(0, 2) {
            prop_assert!(!runs.rows(run, &mut table).is_apart());
            prop_assert!(runs.rows(run, &mut table[..stamps]).is_empty());
        }
    }

    /// Sheets with holes, bent and pinned at random.
    #[test]
    fn random_cloth_has_the_same_bits(
        side in 3_u32..14,
        holes in prop::collection::vec(0_usize..400, 0..60),
        lift in prop::collection::vec(-0.01_f32..0.01, 200),
        pins in prop::collection::vec(0_u32..200, 0..4),
        soft in prop::option::of(50.0_f32..1e5),
        stiff_bend in any::<bool>(),
        threads in 2_usize..6,
    ) {
        let positions: Vec<[f32; 3]> = (0..side * side)
            .zip(&lift)
            .map(|(v, lift)| [(v % side) as f32 * 0.02, *lift, (v / side) as f32 * 0.02])
            .collect();
        let mut triangles = Vec::new();
        for corner in (0..side * (side - 1)).filter(|corner| corner % side != side - 1) {
            triangles.push([corner, corner + side, corner + 1]);
            triangles.push([corner + 1, corner + side, corner + side + 1]);
        }
        let kept: Vec<[u32; 3]> = (0..).zip(triangles).filter(|(nth, _)| !holes.contains(nth)).map(|(_, t)| t).collect();
        let pins: Vec<u32> = pins.into_iter().filter(|pin| *pin < side * side).collect();
        let mut builder = ModelBuilder::mesh(&positions, &kept).pins(&pins).uniform_mass(0.2).stiff_bend(stiff_bend);
        if let Some(stiffness) = soft {
            builder = builder.stretch_stiffness(stiffness);
        }
        let Ok(baked) = builder.build() else { return Ok(()) };
        compare(&baked.model(), &Threads(threads), 6, |tick| {
            Tick::of(if tick % 2 == 0 { library::SILK } else { library::LEATHER })
        })
        .expect("equal");
    }
}

#[test]
fn what_was_found_in_another_model_is_not_used() -> Outcome {
    let (one, mut memory) = baked(sheet(20, 0.02).pins(&[0]).areal_density(0.15))?;
    let (other, mut others) = baked(sheet(24, 0.02).pins(&[5]).areal_density(0.15))?;
    let (one, other) = (one.model(), other.model());
    let mut state = State::seed(&one, &mut memory)?;
    let apart = Apart::find(&mut State::seed(&other, &mut others)?);
    assert!(apart.is_of(&other) && !apart.is_of(&one));
    let mut twin_memory = vec![Block::default(); one.state_blocks()];
    let mut twin = State::seed(&one, &mut twin_memory)?;
    let dynamics = library::COTTON;
    let input = StepInput::new(DT, GRAVITY, &dynamics);
    for _ in 0..10 {
        assert_eq!(step_by(&Threads(3), &apart, &mut state, &input), step(&mut twin, &input));
        assert_eq!(state.fingerprint(), twin.fingerprint());
    }
    Ok(())
}

/// Parts of which one panics. The first, which is the leader's, waits until another thread has that one, where there are others.
struct Breaks<'t> {
    parts: core::ops::Range<usize>,
    broken: usize,
    is_led_alone: bool,
    begun: &'t AtomicBool,
}

impl Kernel for Breaks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        if self.parts.contains(&self.broken) {
            self.begun.store(true, Ordering::Release);
            panic!("planted in part {}", self.broken);
        }
        while self.parts.start == 0 && !self.is_led_alone && !self.begun.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    }
}

impl Cut for Breaks<'_> {
    fn groups(&self) -> usize {
        self.parts.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let at = self.parts.start + at;
        let Self { parts, broken, is_led_alone, begun } = self;
        let of = |parts| Self { parts, broken, is_led_alone, begun };
        (of(parts.start..at), of(at..parts.end))
    }
}

/// Core does not panic. Were it to, nobody would wait for ever: neither for who panicked nor for who does not know of it.
#[test]
fn a_part_that_panics_ends_the_step_and_not_the_team() {
    let run = |team: &dyn Team, broken, is_led_alone| {
        let begun = AtomicBool::new(false);
        catch_unwind(AssertUnwindSafe(|| {
            cloth_core::simd::gather(team, 3, |crew| {
                let breaks = Breaks { parts: 0..3, broken, is_led_alone, begun: &begun };
                crew.run(Level::SCALAR, breaks);
                // It goes on as long as it does not know.
                let sound = Breaks { parts: 0..3, broken: 3, is_led_alone: true, begun: &begun };
                crew.run(Level::SCALAR, sound);
            });
        }))
    };
    for broken in 0..3 {
        assert!(run(&Odd::Alone, broken, true).is_err(), "part {broken}, by the leader");
    }
    for broken in 1..3 {
        assert!(run(&Threads(3), broken, false).is_err(), "part {broken}, by another");
    }
    assert!(run(&Threads(3), 3, true).is_ok());
}
