//! Small cloths for the tests of one crate.
#![expect(clippy::cast_precision_loss, reason = "test geometry of a few particles")]

use cloth_core::{Baked, Block, BuildError, ModelBuilder, NONE, Vec3};

/// Standard gravity (m/s²).
pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
/// Sixty steps a second (s).
pub const DT: f32 = 1.0 / 60.0;

/// A level sheet of n × n particles, `spacing` apart; vertex j·n + i lies at (i, 0, j)·spacing.
pub fn sheet(n: u32, spacing: f32) -> ModelBuilder {
    let place = |i: u32, j: u32| [i as f32 * spacing, 0.0, j as f32 * spacing];
    let positions: Vec<[f32; 3]> = (0..n * n).map(|v| place(v % n, v / n)).collect();
    let mut triangles = Vec::new();
    for j in 0..n - 1 {
        for i in 0..n - 1 {
            let corner = j * n + i;
            triangles.push([corner, corner + n, corner + 1]);
            triangles.push([corner + 1, corner + n, corner + n + 1]);
        }
    }
    ModelBuilder::mesh(&positions, &triangles)
}

/// A chain of `links` links along a direction, from the origin; vertex i is i links away.
pub fn chain(links: u32, link: Vec3) -> ModelBuilder {
    let positions: Vec<[f32; 3]> = (0..=links).map(|i| (link * i as f32).to_array()).collect();
    let parents: Vec<u32> = (0..=links).map(|i| if i == 0 { NONE } else { i - 1 }).collect();
    ModelBuilder::chains(&positions, &parents)
}

/// Builds, with memory for one state.
pub fn baked(builder: ModelBuilder) -> Result<(Baked, Vec<Block>), BuildError> {
    let baked = builder.build()?;
    let memory = vec![Block::default(); baked.model().state_blocks()];
    Ok((baked, memory))
}
