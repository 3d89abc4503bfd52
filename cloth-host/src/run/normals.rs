//! Normals for display.

use glam::Vec3;

/// Smooth vertex normals: the sum of the normals of the triangles at a vertex, each weighted by its area (its
/// unnormalised cross product), normalised. A vertex without area around it gets +Y.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize]);
        let weighted = (b - a).cross(c - a);
        for vertex in corners {
            normals[*vertex as usize] += weighted;
        }
    }
    normals.into_iter().map(|normal| normal.try_normalize().unwrap_or(Vec3::Y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_triangles_weigh_more() {
        // A large floor and a small wall share an edge.
        let positions = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 0.0, -4.0), Vec3::new(0.0, 1.0, 0.0)];
        let normals = smooth_normals(&positions, &[[0, 1, 2], [0, 1, 3]]);
        assert!((normals[2] - Vec3::Y).length() < 1e-6);
        assert!((normals[3] - Vec3::Z).length() < 1e-6);
        assert!((normals[0] - Vec3::new(0.0, 4.0, 1.0).normalize()).length() < 1e-6);
    }

    #[test]
    fn no_area_gives_a_unit_vector_all_the_same() {
        let normals = smooth_normals(&[Vec3::ZERO; 4], &[[0, 1, 2]]);
        assert_eq!(normals, [Vec3::Y; 4]);
    }
}
