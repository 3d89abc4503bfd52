//! The key light: a distant lamp with a shadow map.

use glam::{Vec2, Vec3};

/// Cells of the shadow map along each side.
const SIZE: usize = 768;

/// A lamp far away and what stands in its way.
#[derive(Clone, Debug)]
pub struct Light {
    /// Towards the lamp.
    pub direction: Vec3,
    right: Vec3,
    up: Vec3,
    low: Vec2,
    /// Cells a metre.
    density: f32,
    /// Greatest height towards the lamp in each cell (m).
    depth: Vec<f32>,
}

impl Light {
    /// A lamp in a direction, with the shadows that triangles throw.
    pub fn new(direction: Vec3, positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (right, up) = direction.any_orthonormal_pair();
        let flat = |point: Vec3| Vec2::new(point.dot(right), point.dot(up));
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for vertex in triangles.iter().flatten() {
            let point = flat(positions[*vertex as usize]);
            (low, high) = (low.min(point), high.max(point));
        }
        let extent = (high - low).max_element().max(1e-3) * 1.02;
        let density = (SIZE - 1) as f32 / extent;
        let mut light =
            Self { direction, right, up, low, density, depth: vec![f32::NEG_INFINITY; SIZE * SIZE] };
        for corners in triangles {
            light.shade(corners.map(|vertex| positions[vertex as usize]));
        }
        light
    }

    fn cell(&self, point: Vec3) -> Vec2 {
        (Vec2::new(point.dot(self.right), point.dot(self.up)) - self.low) * self.density
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the map")]
    fn shade(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners.map(|corner| self.cell(corner));
        let depth = corners.map(|corner| corner.dot(self.direction));
        let area = (b - a).perp_dot(c - a);
        if area.abs() < 1e-12 {
            return;
        }
        let last = (SIZE - 1) as f32;
        let low = a.min(b).min(c).floor().clamp(Vec2::ZERO, Vec2::splat(last));
        let high = a.max(b).max(c).ceil().clamp(Vec2::ZERO, Vec2::splat(last));
        for y in low.y as usize..=high.y as usize {
            for x in low.x as usize..=high.x as usize {
                let p = Vec2::new(x as f32, y as f32);
                let u = (c - b).perp_dot(p - b) / area;
                let v = (a - c).perp_dot(p - c) / area;
                let w = 1.0 - u - v;
                if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                    let cell = &mut self.depth[y * SIZE + x];
                    *cell = cell.max(u * depth[0] + v * depth[1] + w * depth[2]);
                }
            }
        }
    }

    /// How much of the lamp reaches a point (0…1): the share of four cells around it, `offset` cells away from it,
    /// whose surface is not more than `bias` (m) nearer to the lamp.
    #[expect(clippy::cast_possible_truncation, reason = "cut off on purpose; what is outside is not found")]
    pub fn reaching(&self, point: Vec3, offset: Vec2, bias: f32) -> f32 {
        let cell = self.cell(point) + offset;
        let depth = point.dot(self.direction) + bias;
        let (x, y) = (cell.x.floor(), cell.y.floor());
        let lit = |dx: f32, dy: f32| {
            let (x, y) = ((x + dx) as i64, (y + dy) as i64);
            let inside = |i: i64| usize::try_from(i).ok().filter(|i| *i < SIZE);
            match (inside(x), inside(y)) {
                (Some(x), Some(y)) if self.depth[y * SIZE + x] > depth => 0.0,
                _ => 1.0,
            }
        };
        let (fx, fy) = (cell.x - x, cell.y - y);
        let upper = lit(0.0, 0.0) * (1.0 - fx) + lit(1.0, 0.0) * fx;
        let lower = lit(0.0, 1.0) * (1.0 - fx) + lit(1.0, 1.0) * fx;
        upper * (1.0 - fy) + lower * fy
    }

    /// Size of a cell (m).
    pub fn cell_size(&self) -> f32 {
        1.0 / self.density
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roof_throws_a_shadow() {
        let roof = [
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::new(1.0, 1.0, -1.0),
            Vec3::new(1.0, 1.0, 1.0),
            Vec3::new(-1.0, 1.0, 1.0),
        ];
        let light = Light::new(Vec3::Y, &roof, &[[0, 1, 2], [0, 2, 3]]);
        let at = |x: f32, y: f32| light.reaching(Vec3::new(x, y, 0.0), Vec2::ZERO, 0.01);
        assert!(at(0.0, 0.0) < 0.01 && at(0.9, 0.0) < 0.01);
        assert!(at(1.5, 0.0) > 0.99, "beside it");
        assert!(at(0.0, 1.0) > 0.99, "on it");
        assert!(at(0.0, 2.0) > 0.99, "above it");
    }
}
