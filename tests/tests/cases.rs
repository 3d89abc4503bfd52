//! The cases R9 to R12 and R16 to R19: small inputs that reports from users of other cloth systems boil down to.

use anyhow::Result;
use cloth_core::bake::{Defect, Shapes};
use cloth_core::collide::{Collider, ColliderError, Data, Kind, Pose};
use cloth_core::model::record::Backstop;
use cloth_core::step::{Colliders, StepError};
use cloth_core::{Block, BuildError, ModelBuilder, NONE, State, StepInput, Vec3, library, step};
use cloth_tests::contact::{Encounter, at};
use cloth_tests::measure::bad_meshes::{Builder, CASES};
use cloth_tests::measure::crossing::{chains, sweep};
use cloth_tests::physics::finite;
use cloth_tests::workload::{GRAVITY, Run, Shape, Spec, Topology, Workload, first, scenes};

/// R10: every bad mesh gets its named defect or repair; what builds also steps.
#[test]
fn r10_every_mesh_is_answered_by_name() -> Result<()> {
    for case in &CASES {
        let (answer, right) = case.build()?;
        assert!(right, "{}: {answer}", case.file);
        if matches!(case.builder, Builder::Refuses(_) | Builder::Unreadable(_)) {
            continue;
        }
        let text = std::fs::read_to_string(case.path())?;
        let workload = Spec::new(Shape::from_obj(&text, 1.0)?, 0.01).build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        run.steps(30)?;
        assert!(finite(&run.positions()) && finite(&run.velocities()), "{}", case.file);
    }
    Ok(())
}

/// R10: a hinge whose vertices have all come to one place, which has no direction to bend back in.
#[test]
fn r10_coincident_hinges_stay_finite() -> Result<()> {
    // A ridge, so that the rest curvature is not zero, and a flat pair.
    for height in [0.0, 0.05] {
        let positions = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 0.1], [0.1, height, 0.05], [-0.1, height, 0.05]];
        let shape = Shape { positions, topology: Topology::Triangles(vec![[0, 1, 2], [1, 0, 3]]) };
        let mut spec = Spec::new(shape, 0.001);
        spec.dynamics.bend = 1e-3;
        let workload = spec.build()?;
        for together in [&[2, 3][..], &[0, 1], &[0, 1, 2, 3], &[0, 2]] {
            let mut memory = workload.memory();
            let mut run = workload.start(&mut memory)?;
            for &vertex in together {
                run.state.place(vertex, Vec3::new(0.3, 0.2, 0.1), Vec3::ZERO)?;
            }
            for frame in 0..120 {
                let report = run.step()?;
                assert_eq!(report.rescued, 0, "{together:?} at height {height}, frame {frame}");
            }
            assert!(finite(&run.positions()) && finite(&run.velocities()));
        }
    }
    Ok(())
}

/// R10: a vertex without a single row is named; rows can be there without a bend or skip row among them.
#[test]
fn r10_no_rows_at_all() -> Result<()> {
    let lone = ModelBuilder::chains(&[[0.0; 3]], &[NONE]).build();
    assert_eq!(lone.map(drop), Err(BuildError::Defect(Defect::IsolatedVertex { vertex: 0 })));
    let empty = ModelBuilder::mesh(&[], &[]).build();
    assert_eq!(empty.map(drop), Err(BuildError::Defect(Defect::Empty)));
    assert_eq!(ModelBuilder::chains(&[], &[]).build().map(drop), Err(BuildError::NoVertices));

    let spec = Spec { bend_rows: false, tethers: false, ..scenes::sheet(4) };
    let workload = spec.build()?;
    let model = workload.model();
    assert!(
        model.hinge_groups().is_empty() && model.bend_ends().is_empty() && model.skip_groups().is_empty()
    );
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    assert_eq!(run.steps(60)?.rescued, 0);
    assert!(finite(&run.positions()));
    Ok(())
}

/// R10, R11: no pins and everything pinned are valid; the latter does not move.
#[test]
fn all_pinned_stays_put() -> Result<()> {
    let spec = Spec { pins: first(16), ..Spec::new(Shape::grid(4, 4, 0.1), 0.01) };
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let before = run.positions();
    let report = run.steps(10)?;
    assert_eq!(run.positions(), before);
    assert!(report.max_speed.to_bits() == 0);
    Ok(())
}

/// R11: welded, a seam holds and a soup is one sheet: both fall as the control does, bit for bit where the
/// particles are the same.
#[test]
fn r11_welding_joins_what_coincides() -> Result<()> {
    for case in CASES.iter().filter(|case| matches!(case.builder, Builder::Splits(_))) {
        let text = std::fs::read_to_string(case.path())?;
        let shape = Shape::from_obj(&text, 1.0)?;
        let Builder::Splits(apart) = case.builder else { unreachable!() };
        let builder = || ModelBuilder::mesh(&shape.positions, shape.triangles()).pins(&[0, 1]);
        assert_eq!(builder().build()?.report.components, apart, "{}", case.file);
        let welded = builder().weld(1e-4).build()?;
        assert_eq!(welded.report.components, 1, "{}", case.file);
        assert_eq!(welded.report.particles, 16, "{}", case.file);
        let model = welded.model();
        let mut memory = vec![Block::default(); model.state_blocks()];
        let mut state = State::seed(&model, &mut memory)?;
        let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::COTTON);
        for _ in 0..60 {
            step(&mut state, &input)?;
        }
        // Vertices that were at one place are so for good.
        let now: Vec<Vec3> = state.positions().collect();
        for (i, a) in shape.positions.iter().enumerate() {
            for (j, b) in shape.positions.iter().enumerate().take(i) {
                if a.map(f32::to_bits) == b.map(f32::to_bits) {
                    assert_eq!(now[i], now[j], "{}: vertices {j} and {i} came apart", case.file);
                }
            }
        }
    }
    Ok(())
}

/// R12: the order and repetition of pins is irrelevant, and so is how they are told.
#[test]
fn r12_pins_in_any_order_give_the_same_bytes() -> Result<()> {
    let shape = Shape::grid(7, 6, 0.03);
    let blocks = |pins: &[&[u32]]| -> Result<Vec<Block>> {
        let mut builder = ModelBuilder::mesh(&shape.positions, shape.triangles());
        for pins in pins {
            builder = builder.pins(pins);
        }
        Ok(builder.areal_density(0.2).build()?.into_blocks())
    };
    let reference = blocks(&[&[0, 3, 6]])?;
    assert_eq!(blocks(&[&[6, 0, 3]])?, reference);
    assert_eq!(blocks(&[&[3], &[0, 6], &[3, 3]])?, reference);
    let before_masses = ModelBuilder::mesh(&shape.positions, shape.triangles())
        .areal_density(0.2)
        .pins(&[0, 3, 6])
        .build()?;
    assert_eq!(before_masses.into_blocks(), reference);
    Ok(())
}

/// R12: the same input gives the same bytes, the same model the same bits; triangles in another order are
/// another input whose cloth is nevertheless the same surface.
#[test]
fn r12_same_input_same_bytes_same_bits() -> Result<()> {
    let spec = scenes::sheet(9);
    let (one, two) = (spec.clone().build()?, spec.clone().build()?);
    assert_eq!(one.blocks, two.blocks);
    let fingerprint = |workload: &Workload| -> Result<_> {
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        run.steps(60)?;
        Ok(run.state.fingerprint())
    };
    assert_eq!(fingerprint(&one)?, fingerprint(&two)?);

    let mut shuffled = spec;
    if let Topology::Triangles(triangles) = &mut shuffled.shape.topology {
        triangles.reverse();
    }
    let shuffled = shuffled.build()?;
    assert_eq!(shuffled.edges, one.edges);
    assert_eq!(shuffled.model().particle_count(), one.model().particle_count());
    let mut memory = shuffled.memory();
    let mut run = shuffled.start(&mut memory)?;
    run.steps(60)?;
    assert!(finite(&run.positions()));
    Ok(())
}

/// R9: cloth on its own backstop for a minute: bounded, and still.
#[test]
fn r9_a_minute_on_its_own_backstop() -> Result<()> {
    for radius in [f32::INFINITY, 0.1] {
        let backstops = vec![Backstop { distance: 0.01, radius }; 64];
        let spec = Spec {
            pins: vec![0],
            backstops,
            dynamics: library::COTTON,
            ..Spec::new(Shape::grid(8, 8, 0.02), 6e-5)
        };
        let workload = spec.build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        // From the round ones it slides, and hangs beside them by its corner.
        for frame in 0..3600 {
            let report = run.step()?;
            assert!(
                report.max_speed < 4.0 && report.rescued == 0,
                "radius {radius}, frame {frame}: {report:?}"
            );
            assert!(frame < 1800 || report.max_speed < 1e-3, "radius {radius}, frame {frame}: {report:?}");
        }
        let lowest = run.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        // No lower than straight behind its target, or by its corner beside spheres.
        let deepest = if radius.is_finite() { -0.25 } else { -0.01 - 1e-6 };
        assert!((deepest..=-0.0099).contains(&lowest), "radius {radius}: {lowest}");
    }
    Ok(())
}

/// A sheet that falls on whatever it is given.
fn falling() -> Result<Workload> {
    Spec { dynamics: library::COTTON, ..Spec::new(Shape::grid(8, 8, 0.02), 6e-5) }.build()
}

/// One step among colliders.
fn step_among(
    run: &mut Run<'_>,
    records: &[Collider],
    shapes: &[u32],
) -> Result<cloth_core::StepReport, StepError> {
    let input = StepInput { colliders: Colliders { records, shapes }, ..run.workload.input() };
    step(&mut run.state, &input)
}

fn bits(run: &Run<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::default(); run.state.model().snapshot_blocks()];
    run.state.snapshot(&mut blocks).expect("it fits");
    blocks
}

/// R16: a collider scaled by one number is the larger one; any other scale is a typed error.
#[test]
fn r16_scales() -> Result<()> {
    let workload = falling()?;
    let place = at(0.07, -0.12, 0.075);
    let small = Collider::sphere(0.05, place)?.touching(0.5, 0.0)?;
    let cases = [
        (small.scaled(Vec3::ONE)?, small),
        (small.scaled(Vec3::splat(2.0))?, Collider::sphere(0.1, place)?.touching(0.5, 0.0)?),
    ];
    for (scaled, same) in cases {
        let (mut one, mut other) = (workload.memory(), workload.memory());
        let (mut one, mut other) = (workload.start(&mut one)?, workload.start(&mut other)?);
        let mut contacts = 0;
        for _ in 0..60 {
            contacts += step_among(&mut one, &[scaled], &[])?.contacts;
            step_among(&mut other, &[same], &[])?;
        }
        assert!(contacts > 100, "{contacts} contacts are no test");
        assert_eq!(one.state.fingerprint(), other.state.fingerprint());
    }
    assert_eq!(small.scaled(Vec3::new(1.0, 2.0, 1.0)), Err(ColliderError::NonUniformScale));
    for scale in [-1.0, 0.0, f32::NAN, f32::INFINITY] {
        let Err(ColliderError::Scale { scale: found }) = small.scaled(Vec3::splat(scale)) else {
            panic!("a scale of {scale} was taken")
        };
        assert_eq!(found.to_bits(), scale.to_bits());
        let bad = Collider { scale, ..small };
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        let before = bits(&run);
        let refused = step_among(&mut run, &[small, bad], &[]);
        assert!(
            matches!(refused, Err(StepError::Collider { index: 1, error: ColliderError::Scale { .. } })),
            "{refused:?}"
        );
        assert!(bits(&run) == before);
    }
    Ok(())
}

/// R17: one sphere more than there is room for, one taken away in the middle of a contact, a shape without words.
#[test]
fn r17_tables_that_overflow_shrink_and_are_empty() -> Result<()> {
    let shape = Shape::grid(8, 8, 0.02);
    let baked = ModelBuilder::mesh(&shape.positions, shape.triangles()).colliders(32).build()?;
    let model = baked.model();
    assert_eq!(model.collider_capacity(), 32);
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory)?;
    let input = StepInput::new(1.0 / 60.0, GRAVITY, &library::COTTON);
    let mut spheres = Vec::new();
    for i in 0..33_u32 {
        let (column, row) = (f64::from(i % 6), f64::from(i / 6));
        spheres.push(Collider::sphere(0.02, at(0.03 * column, -0.04, 0.03 * row))?.known(
            i,
            u32::MAX,
            u32::MAX,
        ));
    }
    let mut contacts = 0;
    let mut dropped = 0;
    for _ in 0..30 {
        let colliders = Colliders { records: &spheres, shapes: &[] };
        let report = step(&mut state, &StepInput { colliders, ..input })?;
        assert!(report.dropped_colliders >= dropped, "all are within reach in the end");
        dropped = report.dropped_colliders;
        contacts += report.contacts;
    }
    assert!(contacts > 100 && dropped == 1, "{contacts} contacts, {dropped} dropped");
    // Any of them goes, in the middle of its contact, and one that was dropped gets its place.
    spheres.swap_remove(7);
    let report =
        step(&mut state, &StepInput { colliders: Colliders { records: &spheres, shapes: &[] }, ..input })?;
    assert_eq!(report.dropped_colliders, 0);
    // None at all is a table too.
    let report =
        step(&mut state, &StepInput { colliders: Colliders { records: &[], shapes: &[] }, ..input })?;
    assert_eq!((report.dropped_colliders, report.contacts), (0, 0));
    assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));

    let mut shapes = Shapes::new();
    let hull = shapes.hull(&[[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])?;
    let empty = Data { first: hull.first, count: 0 };
    let made = Collider::shaped(Kind::Hull, empty, shapes.words(), Pose::IDENTITY);
    assert!(matches!(made, Err(ColliderError::NotThisShape)), "{made:?}");
    let good = Collider::shaped(Kind::Hull, hull, shapes.words(), Pose::IDENTITY)?;
    let before = state.fingerprint();
    for (bad, words) in [(Collider { data_count: 0, ..good }, shapes.words()), (good, &[][..])] {
        let refused =
            step(&mut state, &StepInput { colliders: Colliders { records: &[bad], shapes: words }, ..input });
        assert!(matches!(refused, Err(StepError::Collider { index: 0, .. })), "{refused:?}");
        assert_eq!(state.fingerprint(), before);
    }
    Ok(())
}

/// What is no collider is refused by name wherever it stands in the table, and not a bit has changed.
#[test]
fn bad_colliders_are_refused_and_change_nothing() -> Result<()> {
    let workload = falling()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let good = Collider::sphere(0.05, at(0.07, -0.06, 0.07))?;
    for _ in 0..20 {
        step_among(&mut run, &[good], &[])?;
    }
    let nan = f32::NAN;
    let bad = [
        Collider { position: [nan, 0.0, 0.0], ..good },
        Collider { previous_position: [0.0, f32::INFINITY, 0.0], ..good },
        Collider { rotation: [nan; 4], ..good },
        Collider { previous_rotation: [0.0; 4], ..good },
        Collider { sizes: [0.0; 3], ..good },
        Collider { sizes: [-0.05, 0.0, 0.0], ..good },
        Collider { sizes: [nan, 0.0, 0.0], ..good },
        Collider { friction: -0.1, ..good },
        Collider { friction: nan, ..good },
        Collider { inflation: -1e-3, ..good },
        Collider { kind: 0, ..good },
        Collider { kind: Kind::Hull as u32, sizes: [0.0; 3], ..good },
        Collider { reserved: [1, 0], ..good },
    ];
    let before = bits(&run);
    for record in bad {
        for table in [vec![record], vec![good, record], vec![record, good]] {
            let index = u32::from(table[0] == good);
            let refused = step_among(&mut run, &table, &[]);
            let Err(StepError::Collider { index: found, error }) = refused else {
                panic!("{record:?} was taken: {refused:?}")
            };
            assert_eq!(found, index, "{error}");
            assert!(bits(&run) == before, "{record:?} changed something");
        }
    }
    // An empty hull, a mesh of nothing; an open mesh is one, and says so.
    let mut shapes = Shapes::new();
    assert!(shapes.hull(&[]).is_err() && shapes.mesh(&[], &[]).is_err());
    assert!(shapes.words().is_empty());
    let corners = [[-1.0, -0.05, -1.0], [-1.0, -0.05, 1.0], [1.0, -0.05, -1.0], [1.0, -0.05, 1.0]];
    let (open, report) = shapes.mesh(&corners, &[[0, 1, 2], [2, 1, 3]])?;
    assert!(report.is_open());
    let mesh = Collider::shaped(Kind::Mesh, open, shapes.words(), Pose::IDENTITY)?;
    let mut contacts = 0;
    for _ in 0..60 {
        contacts += step_among(&mut run, &[mesh], shapes.words())?.contacts;
    }
    assert!(contacts > 100 && finite(&run.positions()));
    // A mesh that was damaged after it was checked is refused by the next step.
    let mut damaged = shapes.words().to_vec();
    damaged[0] ^= 1;
    let before = bits(&run);
    assert!(matches!(step_among(&mut run, &[mesh], &damaged), Err(StepError::Collider { index: 0, .. })));
    assert!(bits(&run) == before);
    let too_many = StepInput { most_substeps: 1025, ..workload.input() };
    assert_eq!(step(&mut run.state, &too_many), Err(StepError::MostSubsteps));
    assert!(bits(&run) == before);
    Ok(())
}

/// R18: a limb that goes through a hung sheet at up to a metre a frame tunnels nowhere, or says so.
#[test]
fn r18_a_limb_through_a_sheet() -> Result<()> {
    for way in [0.05, 0.2, 0.5, 1.0] {
        let swept = sweep(60.0 * way, 0.05)?;
        assert!(swept.finite && swept.contacts > 0, "{way} m a frame: {swept:?}");
        assert!(swept.deep == 0 || swept.missed > 0, "{way} m a frame: {swept:?}");
    }
    Ok(())
}

/// R19: a sphere between the joints of a chain is found on the segment; cross rows hold the spacing.
#[test]
fn r19_a_sphere_between_two_chains() -> Result<()> {
    for joined in [false, true] {
        let found = chains(3.0, joined)?;
        assert!(
            found.contacts > 0 && found.deepest < 1e-4 && found.missed == 0,
            "joined {joined}: {found:?}"
        );
        assert!(found.spacing < 0.05, "joined {joined}: {found:?}");
    }
    // Particles alone do not find it: the test can fail.
    let workload =
        Spec { pins: vec![0], ..Spec::new(Shape::strands(1, 4, 0.2, glam::DVec3::NEG_Y), 0.02) }.build()?;
    let mut memory = workload.memory();
    let ball = Collider::sphere(0.06, at(0.0, -0.5, 0.05))?;
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
    scene.faces = false;
    scene.steps(10)?;
    assert_eq!(scene.seen.contacts, 0);
    scene.faces = true;
    scene.steps(10)?;
    assert!(scene.seen.contacts > 0);
    Ok(())
}
