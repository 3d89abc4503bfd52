//! Bakes the models and runs them once on the host: the firmware gets a model's bytes, the blocks its state needs, and the
//! fingerprint it has to end with.

#[path = "src/scene.rs"]
mod scene;

use cloth_core::{Block, ModelBuilder, State};
use scene::{Cloth, FRAMES, LINKS, SIDE};
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut text = String::new();
    for (cloth, name) in [(Cloth::Rope, "ROPE"), (Cloth::Flag, "FLAG")] {
        let baked = builder(cloth).colliders(32).build()?;
        let model = baked.model();
        let mut bytes = vec![0; model.byte_len()];
        model.save(&mut bytes)?;
        let file = format!("{}.cloth", name.to_lowercase());
        std::fs::write(out.join(&file), &bytes)?;
        let blocks = model.state_blocks();
        let mut memory = vec![Block::default(); blocks];
        let mut state = State::seed(&model, &mut memory)?;
        let ball = cloth.ball()?;
        for frame in 1..=FRAMES {
            cloth.step(&mut state, &ball, frame)?;
        }
        let fingerprint = state.fingerprint().0;
        writeln!(
            text,
            "pub static {name}: &Aligned<[u8; {}]> = &Aligned(*include_bytes!({file:?}));",
            bytes.len()
        )?;
        writeln!(text, "pub const {name}_STATE: usize = {blocks};")?;
        writeln!(text, "pub const {name}_FINGERPRINT: u64 = {fingerprint:#018x};")?;
    }
    std::fs::write(out.join("models.rs"), text)?;
    if std::env::var("CARGO_CFG_TARGET_OS")? == "none" {
        println!("cargo:rustc-link-search={}", std::env::var("CARGO_MANIFEST_DIR")?);
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
    }
    for path in ["build.rs", "src/scene.rs", "memory.x"] {
        println!("cargo:rerun-if-changed={path}");
    }
    Ok(())
}

fn builder(cloth: Cloth) -> ModelBuilder {
    let pins: Vec<u32> = (0..u32::from(cloth.pins())).collect();
    let positions =
        |count: u16| -> Vec<[f32; 3]> { (0..count).map(|vertex| cloth.position(vertex)).collect() };
    match cloth {
        Cloth::Rope => {
            let parents: Vec<u32> = (0..=u32::from(LINKS)).map(|node| node.wrapping_sub(1)).collect();
            ModelBuilder::chains(&positions(LINKS + 1), &parents).linear_density(0.1).pins(&pins)
        }
        Cloth::Flag => {
            let side = u32::from(SIDE);
            let corner = |column: u32, row: u32| column * side + row;
            let cells = (0..side - 1).flat_map(|column| (0..side - 1).map(move |row| (column, row)));
            let triangles: Vec<[u32; 3]> = cells
                .flat_map(|(column, row)| {
                    let [a, b] = [corner(column, row), corner(column + 1, row)];
                    let [c, d] = [corner(column, row + 1), corner(column + 1, row + 1)];
                    [[a, c, b], [b, c, d]]
                })
                .collect();
            ModelBuilder::mesh(&positions(SIDE * SIDE), &triangles).areal_density(0.15).pins(&pins)
        }
    }
}
