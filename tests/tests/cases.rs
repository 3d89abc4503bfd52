//! The cases R10, R11 and R12: small inputs that reports from users of other cloth systems boil down to.

use anyhow::Result;
use cloth_core::bake::Defect;
use cloth_core::{Block, BuildError, ModelBuilder, NONE, State, StepInput, Vec3, library, step};
use cloth_tests::measure::bad_meshes::{Builder, CASES};
use cloth_tests::physics::finite;
use cloth_tests::workload::{Shape, Spec, Topology, first, scenes};

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
    let fingerprint = |workload: &cloth_tests::workload::Workload| -> Result<_> {
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
