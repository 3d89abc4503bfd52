//! What a step does to small cloths, against what they must do.
#![expect(clippy::cast_precision_loss, reason = "test geometry of a few particles")]

mod common;

use cloth_core::{Block, ClothDynamics, ClothFlags, ModelBuilder, State, StepInput, Vec3, step};
use common::{DT, GRAVITY, baked, chain, sheet};
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// No damping, no strain limit.
fn plain() -> ClothDynamics {
    ClothDynamics { damping: 0.0, flags: ClothFlags::NONE, ..ClothDynamics::default() }
}

fn run(state: &mut State, dynamics: &ClothDynamics, steps: u32) -> Outcome {
    for _ in 0..steps {
        step(state, &StepInput::new(DT, GRAVITY, dynamics))?;
    }
    Ok(())
}

#[test]
fn a_soft_row_reads_hookes_law() -> Outcome {
    for (mass, stiffness) in [(0.05_f32, 100.0_f32), (0.5, 1e3), (1e-3, 2.0)] {
        let link = chain(1, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]).masses(&[mass; 2]);
        let (baked, mut memory) = baked(link.stretch_stiffness(stiffness))?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        // A tether along a soft row would be shorter than the spring, so there is none.
        assert!(model.reach().iter().all(|reach| !reach.is_tethered()));
        let dynamics = ClothDynamics { damping: 8.0, ..plain() };
        run(&mut state, &dynamics, 900)?;
        let extension = -state.position(1).unwrap_or_default().y - 0.1;
        let hooke = mass * 9.81 / stiffness;
        assert!(
            (extension / hooke - 1.0).abs() < 1e-3,
            "{mass} kg on {stiffness} N/m: {extension} for {hooke}"
        );
    }
    Ok(())
}

#[test]
fn free_cloth_falls_and_keeps_turning_whatever_its_damping() -> Outcome {
    for damping in [0.0, 5.0] {
        let (baked, mut memory) = baked(sheet(8, 0.05))?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let spin = Vec3::new(0.0, 3.0, 0.0);
        let centre = Vec3::new(0.175, 0.0, 0.175);
        for vertex in 0..64 {
            let position = state.position(vertex).unwrap_or_default();
            state.place(vertex, position, spin.cross(position - centre))?;
        }
        let dynamics = ClothDynamics { damping, ..plain() };
        run(&mut state, &dynamics, 30)?;
        let mean = state.velocities().fold(Vec3::ZERO, |sum, velocity| sum + velocity) / 64.0;
        assert!((mean - GRAVITY * 0.5).length() < 0.01, "damping {damping}: {mean}");
        let middle = state.positions().fold(Vec3::ZERO, |sum, position| sum + position) / 64.0;
        let turning = |arm: Vec3, velocity: Vec3| arm.cross(velocity).y / (arm.x * arm.x + arm.z * arm.z);
        let rate = state.positions().zip(state.velocities()).map(|(x, v)| turning(x - middle, v - mean));
        let rate = rate.sum::<f32>() / 64.0;
        assert!(rate > 2.0, "damping {damping}: turns at {rate} of 3 rad/s after half a second");
    }
    Ok(())
}

#[test]
fn damping_halves_a_speed_in_its_half_life() -> Outcome {
    // A particle on a long soft spring at rest moves freely for a while; the pin makes the frame.
    let pair = ModelBuilder::chains(&[[0.0; 3], [1000.0, 0.0, 0.0]], &[cloth_core::NONE, 0]);
    let (baked, mut memory) = baked(pair.pins(&[0]).tethers(false).stretch_stiffness(1e-9))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    state.place(1, Vec3::new(1000.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0))?;
    let damping = core::f32::consts::LN_2 / 0.5;
    let dynamics = ClothDynamics { damping, substeps: 8, ..plain() };
    for _ in 0..30 {
        step(&mut state, &StepInput::new(DT, Vec3::ZERO, &dynamics))?;
    }
    let speed = state.velocity(1).unwrap_or_default().length();
    assert!((speed - 2.0).abs() < 0.02, "{speed} m/s after one half-life of 4");
    Ok(())
}

#[test]
fn slack_holds_cloth_to_its_targets() -> Outcome {
    let mut last = -1.0;
    for slack in [0.0, 0.1, 0.3, 1.0] {
        let (baked, mut memory) = baked(chain(10, Vec3::new(0.05, 0.0, 0.0)).pins(&[0]))?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let dynamics = ClothDynamics { slack, damping: 2.0, ..plain() };
        run(&mut state, &dynamics, 300)?;
        let strayed = (state.position(10).unwrap_or_default() - Vec3::new(0.5, 0.0, 0.0)).length();
        let leash = 2.0 * slack * 0.5;
        assert!(strayed <= leash + 0.005, "slack {slack}: strayed {strayed} m on a leash of {leash} m");
        assert!(strayed > last, "slack {slack}: no further than with less");
        last = strayed;
    }
    Ok(())
}

#[test]
fn slack_works_on_the_next_step() -> Outcome {
    let (baked, mut memory) = baked(chain(10, Vec3::new(0.05, 0.0, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let loose = ClothDynamics { damping: 2.0, ..plain() };
    run(&mut state, &loose, 200)?;
    let tight = ClothDynamics { slack: 0.0, ..loose };
    run(&mut state, &tight, 60)?;
    let strayed = (state.position(10).unwrap_or_default() - Vec3::new(0.5, 0.0, 0.0)).length();
    assert!(strayed < 0.005, "{strayed} m from its target with no slack");
    Ok(())
}

#[test]
fn a_curved_rest_shape_comes_back() -> Outcome {
    // A tube of 12 × 6 particles, radius 5 cm: squeezed flat-ish and let go, it is round again. A bend row
    // that forgot its rest curvature would leave it wherever the flat law rests.
    let (around, along) = (12_u32, 6_u32);
    let place = |vertex: u32| {
        let angle = core::f32::consts::TAU * (vertex % around) as f32 / around as f32;
        [0.05 * angle.cos(), 0.02 * (vertex / around) as f32, 0.05 * angle.sin()]
    };
    let rest: Vec<[f32; 3]> = (0..around * along).map(place).collect();
    let mut triangles = Vec::new();
    for ring in 0..along - 1 {
        for i in 0..around {
            let (a, b) = (ring * around + i, ring * around + (i + 1) % around);
            triangles.push([a, a + around, b]);
            triangles.push([b, a + around, b + around]);
        }
    }
    let built = ModelBuilder::mesh(&rest, &triangles).areal_density(0.3).build()?;
    let model = built.model();
    assert!(model.hinge_groups().iter().any(|group| group.rest.iter().any(|rest| *rest > 1e-4)));
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory)?;
    for vertex in 0..around * along {
        let [x, y, z] = place(vertex);
        state.place(vertex, Vec3::new(x * 1.3, y, z * 0.6), Vec3::ZERO)?;
    }
    let dynamics = ClothDynamics { bend: 1e-3, damping: 20.0, ..plain() };
    for _ in 0..600 {
        step(&mut state, &StepInput::new(DT, Vec3::ZERO, &dynamics))?;
    }
    // Diameters do not mind that the tube turns as a whole.
    let x: Vec<Vec3> = state.positions().collect();
    for vertex in (0..x.len()).filter(|vertex| vertex % 12 < 6) {
        let diameter = (x[vertex] - x[vertex + 6]).length();
        assert!((diameter - 0.1).abs() < 1e-3, "vertex {vertex}: {diameter} m across instead of 0.1");
    }
    Ok(())
}

#[test]
fn more_bending_stiffness_droops_less() -> Outcome {
    let mut droops = Vec::new();
    for bend in [0.0, 1e-4, 3e-4] {
        let held: Vec<u32> = (0..14).collect();
        let (baked, mut memory) = baked(sheet(7, 0.02).pins(&held).areal_density(0.15).stiff_bend(true))?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let dynamics = ClothDynamics { bend, damping: 3.0, iterations: 16, ..plain() };
        run(&mut state, &dynamics, 300)?;
        droops.push(-state.position(45).unwrap_or_default().y);
    }
    assert!(droops.windows(2).all(|pair| pair[1] < 0.95 * pair[0]), "{droops:?}");
    Ok(())
}

#[test]
fn a_cantilever_bends_as_a_beam_does() -> Outcome {
    // Two rows clamp a flap of n rows, a spacing s apart. A beam of hinges at the n clamped-side rows sinks by
    // ρ·g·s⁴/(2·B)·(n·(n + 1)/2)² under its own weight, and a little more where its sides are free to curl.
    // Rows are 5 mm apart, so a pass over the hinges carries this stiffness only in short substeps (one ten times as stiff
    // sinks 1.4 times as far as its beam); the load is light, so that angles stay small.
    let (width, n, spacing, density, bend, gravity) = (4_u32, 8_u32, 0.005_f32, 0.15, 8e-6, 0.16);
    let place = |v: u32| [(v % width) as f32 * spacing, 0.0, (v / width) as f32 * spacing];
    let positions: Vec<[f32; 3]> = (0..width * (n + 2)).map(place).collect();
    let corners = (0..width * (n + 1)).filter(|v| v % width < width - 1);
    let triangles: Vec<[u32; 3]> =
        corners.flat_map(|v| [[v, v + width, v + 1], [v + 1, v + width, v + width + 1]]).collect();
    let held: Vec<u32> = (0..2 * width).collect();
    let flap = ModelBuilder::mesh(&positions, &triangles).pins(&held).areal_density(density);
    let (baked, mut memory) = baked(flap.tethers(false).stiff_bend(true))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics { bend, damping: 1.0, substeps: 64, iterations: 1, ..plain() };
    for _ in 0..900 {
        step(&mut state, &StepInput::new(DT, Vec3::new(0.0, -gravity, 0.0), &dynamics))?;
    }
    let hinges = (n * (n + 1) / 2) as f32;
    let beam = density * gravity * spacing.powi(4) / (2.0 * bend) * hinges * hinges;
    let edge = state.positions().skip((width * (n + 1)) as usize);
    let sunk = -edge.map(|x| x.y).sum::<f32>() / width as f32;
    assert!((0.95..1.25).contains(&(sunk / beam)), "sank {sunk} m, a beam {beam} m");
    Ok(())
}

#[test]
fn the_report_says_what_the_positions_say() -> Outcome {
    let (baked, mut memory) = baked(chain(3, Vec3::new(0.1, 0.0, 0.0)).pins(&[0]).masses(&[0.01; 4]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let mut report = step(&mut state, &StepInput::new(DT, GRAVITY, &plain()))?;
    for _ in 0..20 {
        report = step(&mut state, &StepInput::new(DT, GRAVITY, &plain()))?;
    }
    let x: Vec<Vec3> = state.positions().collect();
    let strains: Vec<f32> = x.windows(2).map(|p| ((p[1] - p[0]).length() / 0.1 - 1.0).abs()).collect();
    let worst = strains.iter().fold(0.0_f32, |worst, strain| worst.max(*strain));
    assert!((report.max_strain - worst).abs() < 1e-6);
    assert!((report.mean_strain - strains.iter().sum::<f32>() / 3.0).abs() < 1e-6);
    let energy: f32 = state.velocities().map(|v| 0.005 * v.length_squared()).sum();
    assert!((report.kinetic_energy - energy).abs() < 1e-6 * energy);
    let fastest = state.velocities().fold(0.0_f32, |fastest, v| fastest.max(v.length()));
    assert!((report.max_speed - fastest).abs() < 1e-5);
    assert_eq!(report.rescued, 0);
    Ok(())
}

#[test]
fn what_merged_rows_do_not_carry_of_the_stiffness_is_said() -> Outcome {
    let stepped = |builder, bend: f32, substeps: u32| -> Result<(f32, f32), Box<dyn Error>> {
        let (baked, mut memory) = baked(builder)?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let dynamics = ClothDynamics { bend, substeps, ..plain() };
        let report = step(&mut state, &StepInput::new(DT, GRAVITY, &dynamics))?;
        Ok((report.bend, model.merged_bend_limit(DT, substeps)))
    };
    let cloth = || sheet(8, 0.02).pins(&[0, 7]).areal_density(0.15);
    for substeps in [1, 8, 24] {
        let (low, limit) = stepped(cloth(), 1e-9, substeps)?;
        assert!((low - 1e-9).abs() < 1e-15 && limit > 1e-8, "{low} of {limit} N·m");
        let (high, _) = stepped(cloth(), 1.0, substeps)?;
        assert_eq!(high.to_bits(), limit.to_bits(), "{high} of {limit} N·m");
    }
    // In proportion to the square of the substeps and to the density.
    let limit = |builder, substeps| stepped(builder, 0.0, substeps).map(|(_, limit)| limit);
    assert!((limit(cloth(), 16)? / limit(cloth(), 8)? - 4.0).abs() < 1e-5);
    assert!((limit(cloth().areal_density(0.6), 8)? / limit(cloth(), 8)? - 4.0).abs() < 1e-5);
    assert_eq!(stepped(cloth().stiff_bend(true), 1.0, 8)?, (0.0, f32::INFINITY));
    assert_eq!(stepped(chain(3, Vec3::X).pins(&[0]), 1.0, 8)?, (0.0, f32::INFINITY));
    let said = 8e-6;
    assert!((limit(cloth(), 8)? / said - 1.0).abs() < 0.05, "ClothDynamics::bend says {said} N·m");
    Ok(())
}

#[test]
fn the_wildest_inputs_leave_numbers_behind() -> Outcome {
    let (baked, mut memory) = baked(sheet(4, 0.1).pins(&[0, 3]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    state.place(10, Vec3::splat(1e6), Vec3::splat(-1e6))?;
    let dynamics = ClothDynamics { bend: 1e6, skip: 1e6, slack: 0.5, ..ClothDynamics::default() };
    for dt in [1.0, 1e-5, 0.2] {
        for _ in 0..50 {
            step(&mut state, &StepInput::new(dt, Vec3::new(0.0, -1e6, 0.0), &dynamics))?;
            assert!(state.positions().chain(state.velocities()).all(|vector| vector.is_finite()));
        }
    }
    Ok(())
}

#[test]
fn what_decays_ends_at_zero_and_not_in_denormal_numbers() -> Outcome {
    // A sideways motion dies away about a coordinate of exactly zero, where floats have no coarsest digit.
    let (baked, mut memory) = baked(chain(3, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    state.place(3, Vec3::new(0.0, -0.3, 0.0), Vec3::new(0.01, 0.0, 0.0))?;
    let dynamics = ClothDynamics { damping: 5.0, ..plain() };
    for _ in 0..4000 {
        step(&mut state, &StepInput::new(DT, GRAVITY, &dynamics))?;
        let denormal = |value: f32| value.abs() > 0.0 && value.abs() < f32::MIN_POSITIVE;
        assert!(!state.velocities().any(|velocity| velocity.to_array().into_iter().any(denormal)));
    }
    Ok(())
}
