//! Geometry to the builder, text to the OBJ reader.
#![no_main]

use arbitrary::Arbitrary;
use cloth_core::{Baked, Block, ModelBuilder, State, StepInput, Vec3, library, step};
use cloth_host::import::{ImportOptions, parse_obj};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Input {
    Mesh { positions: Vec<[f32; 3]>, triangles: Vec<[u8; 3]>, pins: Vec<u8>, weld: Option<f32> },
    Soup { positions: Vec<[f32; 3]>, weld: Option<f32> },
    Chains { positions: Vec<[f32; 3]>, parents: Vec<Option<u8>>, pins: Vec<u8> },
    Obj(Vec<u8>),
}

fn exercise(baked: &Baked) {
    let model = baked.model();
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory).expect("a built model can be seeded");
    let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::ROPE);
    for _ in 0..3 {
        step(&mut state, &input).expect("a valid input");
    }
    assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));
}

fn welded(builder: ModelBuilder, weld: Option<f32>) -> ModelBuilder {
    match weld {
        Some(distance) => builder.weld(distance),
        None => builder,
    }
}

fuzz_target!(|input: Input| {
    let wide = |small: &[u8]| -> Vec<u32> { small.iter().map(|&v| u32::from(v)).collect() };
    let builder = match input {
        Input::Mesh { positions, triangles, pins, weld } => {
            let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(u32::from)).collect();
            welded(ModelBuilder::mesh(&positions, &triangles).pins(&wide(&pins)), weld)
        }
        Input::Soup { positions, weld } => welded(ModelBuilder::triangle_soup(&positions), weld),
        Input::Chains { positions, parents, pins } => {
            let parents: Vec<u32> = parents.iter().map(|p| p.map_or(cloth_core::NONE, u32::from)).collect();
            ModelBuilder::chains(&positions, &parents).pins(&wide(&pins))
        }
        Input::Obj(bytes) => match parse_obj("fuzz.obj", &bytes, &ImportOptions::default()) {
            Ok(surface) => ModelBuilder::mesh(&surface.positions, &surface.triangles),
            Err(error) => {
                // Its message must be writable whatever the bytes were.
                let _ = error.to_string();
                return;
            }
        },
    };
    match builder.build() {
        Ok(baked) => exercise(&baked),
        Err(error) => drop(error.to_string()),
    }
});
