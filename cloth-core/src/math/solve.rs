//! The symmetric 3×3 system of a vertex, solved by LDLᵀ with a floor under the pivots.

use super::real;
use glam::Vec3;

/// A symmetric 3×3 matrix by its upper triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym3 {
    /// Row x, column x.
    pub xx: f32,
    /// Row x, column y.
    pub xy: f32,
    /// Row x, column z.
    pub xz: f32,
    /// Row y, column y.
    pub yy: f32,
    /// Row y, column z.
    pub yz: f32,
    /// Row z, column z.
    pub zz: f32,
}

/// What [`ldlt_solve`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// x of H·x = f.
    pub x: Vec3,
    /// The pivots as they came out of the factorisation, before the floor.
    pub pivots: [f32; 3],
}

/// x of H·x = f by H = L·D·Lᵀ, each pivot replaced by max(pivot, `floor`).
///
/// Where H ≥ floor·I in exact arithmetic no exact pivot is below `floor`, so the replacement corrects rounding
/// and nothing else; a pivot that came out as a NaN is replaced too. With `floor = −∞` nothing is replaced, and a
/// zero pivot gives infinities or NaNs. Never an inverse by cofactors: on the stiff, nearly flat systems of a taut
/// cloth its products cancel, and f32 keeps no digit of the determinant.
///
/// Source: Golub and Van Loan, *Matrix Computations* (2013), §4.1.
#[inline(always)]
pub fn ldlt_solve(h: &Sym3, f: Vec3, floor: f32) -> Solution {
    let pivot_x = h.xx;
    let inverse_x = 1.0 / real::max(pivot_x, floor);
    let l_yx = h.xy * inverse_x;
    let l_zx = h.xz * inverse_x;

    let pivot_y = h.yy - l_yx * h.xy;
    let inverse_y = 1.0 / real::max(pivot_y, floor);
    let rest_yz = h.yz - l_zx * h.xy;
    let l_zy = rest_yz * inverse_y;

    let pivot_z = h.zz - l_zx * h.xz - l_zy * rest_yz;
    let inverse_z = 1.0 / real::max(pivot_z, floor);

    let y_y = f.y - l_yx * f.x;
    let y_z = f.z - l_zx * f.x - l_zy * y_y;
    let z = y_z * inverse_z;
    let y = y_y * inverse_y - l_zy * z;
    let x = f.x * inverse_x - l_yx * y - l_zx * z;
    Solution { x: Vec3::new(x, y, z), pivots: [pivot_x, pivot_y, pivot_z] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaussian elimination with full pivoting in f64.
    fn reference(h: &Sym3, f: Vec3) -> [f64; 3] {
        let mut rows = [
            [h.xx, h.xy, h.xz, f.x].map(f64::from),
            [h.xy, h.yy, h.yz, f.y].map(f64::from),
            [h.xz, h.yz, h.zz, f.z].map(f64::from),
        ];
        let mut columns = [0, 1, 2];
        for k in 0..3 {
            let (mut row, mut column) = (k, k);
            for i in k..3 {
                for j in k..3 {
                    if rows[i][j].abs() > rows[row][column].abs() {
                        (row, column) = (i, j);
                    }
                }
            }
            rows.swap(k, row);
            columns.swap(k, column);
            for r in &mut rows {
                r.swap(k, column);
            }
            for i in 0..3 {
                if i != k {
                    let factor = rows[i][k] / rows[k][k];
                    let pivot_row = rows[k];
                    for (entry, above) in rows[i].iter_mut().zip(pivot_row) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        let mut x = [0.0; 3];
        for k in 0..3 {
            x[columns[k]] = rows[k][3] / rows[k][k];
        }
        x
    }

    /// ‖x − exact‖/‖exact‖.
    fn error(solution: &Solution, exact: [f64; 3]) -> f64 {
        let mut off = 0.0;
        let mut size = 0.0;
        for (got, want) in solution.x.to_array().into_iter().zip(exact) {
            off += (f64::from(got) - want) * (f64::from(got) - want);
            size += want * want;
        }
        (off / size).sqrt()
    }

    fn next(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// I + Σ k·ggᵀ over `rows` unit-ish gradients: what a vertex with that many rows meets.
    fn system(seed: &mut u64, rows: u32, k: f32) -> Sym3 {
        let mut h = Sym3 { xx: 1.0, yy: 1.0, zz: 1.0, ..Sym3::default() };
        for _ in 0..rows {
            let g = [next(seed), next(seed), next(seed)];
            h.xx += k * g[0] * g[0];
            h.xy += k * g[0] * g[1];
            h.xz += k * g[0] * g[2];
            h.yy += k * g[1] * g[1];
            h.yz += k * g[1] * g[2];
            h.zz += k * g[2] * g[2];
        }
        h
    }

    #[test]
    fn diagonal_systems_are_exact() {
        let h = Sym3 { xx: 2.0, yy: 4.0, zz: 8.0, ..Sym3::default() };
        let solution = ldlt_solve(&h, Vec3::new(1.0, 1.0, 1.0), 1.0);
        assert_eq!(solution, Solution { x: Vec3::new(0.5, 0.25, 0.125), pivots: [2.0, 4.0, 8.0] });
    }

    #[test]
    fn ordinary_systems_agree_with_f64() {
        let mut seed = 1;
        let mut worst = 0.0_f64;
        for case in 0..20_000 {
            let h = system(&mut seed, 6, [1.0, 8.0, 16.0, 32.0][case % 4]);
            let f = Vec3::new(next(&mut seed), next(&mut seed), next(&mut seed));
            let solution = ldlt_solve(&h, f, 1.0);
            worst = worst.max(error(&solution, reference(&h, f)));
            // H ≥ I exactly; in f32 the smallest pivot may round below by a few units of the largest entry.
            assert!(solution.pivots.iter().all(|&p| p > 0.999), "{h:?}");
        }
        assert!(worst < 1e-4, "{worst:e}");
    }

    #[test]
    fn a_stiff_row_leaves_its_normal_plane_alone() {
        // H = I + k·ggᵀ and f ⟂ g: x = f whatever k is, as long as f32 can hold the identity beside k.
        let mut seed = 7;
        for _ in 0..5_000 {
            let g = Vec3::new(next(&mut seed), next(&mut seed), next(&mut seed));
            let k = 1e3 / g.length_squared();
            let h = Sym3 {
                xx: 1.0 + k * g.x * g.x,
                xy: k * g.x * g.y,
                xz: k * g.x * g.z,
                yy: 1.0 + k * g.y * g.y,
                yz: k * g.y * g.z,
                zz: 1.0 + k * g.z * g.z,
            };
            let f = Vec3::new(next(&mut seed), next(&mut seed), next(&mut seed)).cross(g);
            let off = error(&ldlt_solve(&h, f, 1.0), f.to_array().map(f64::from));
            assert!(off < 1e-2, "{h:?} {f:?} {off}");
        }
    }

    /// The matrix on which a cofactor inverse was seen to fail in f64: one very stiff row against a small mass term
    /// of 0.1198, which here is scaled to 1. Its condition number is 4.5e9, so f32 loses the identity altogether:
    /// what can be asked is a finite answer of the right size, and that the raw pivots tell.
    #[test]
    fn a_vertex_beyond_f32_stays_bounded_by_the_floor() {
        let s = 1.0 / 0.1198;
        let h = Sym3 {
            xx: s * 1.7099e8,
            xy: s * -2.1651e8,
            xz: s * 1.2729e8,
            yy: s * 2.7415e8,
            yz: s * -1.6118e8,
            zz: s * 9.4759e7,
        };
        let f = Vec3::new(1.0, 2.0, -1.0);
        let floored = ldlt_solve(&h, f, 1.0);
        let raw = ldlt_solve(&h, f, f32::NEG_INFINITY);
        assert_eq!(floored.pivots[..2], raw.pivots[..2]);
        assert!(raw.pivots[0] > 0.0 && raw.pivots.iter().any(|&p| p < 1.0), "{raw:?}");
        // Exact arithmetic gives a step no longer than f.
        assert!(floored.x.is_finite() && floored.x.length() < 10.0 * f.length(), "{floored:?}");
    }

    #[test]
    fn rounding_below_the_floor_is_reported_and_corrected() {
        // I + k·(1,1,1)(1,1,1)ᵀ with k far above 2²⁴: the identity is rounded away.
        let k = 1e10;
        let h = Sym3 { xx: k, xy: k, xz: k, yy: k, yz: k, zz: k };
        let solution = ldlt_solve(&h, Vec3::new(1.0, -1.0, 0.0), 1.0);
        assert!(solution.pivots[1] < 1.0 && solution.pivots[2] < 1.0, "{solution:?}");
        assert!(solution.x.is_finite() && solution.x.length() < 4.0, "{solution:?}");
        let unfloored = ldlt_solve(&h, Vec3::new(1.0, -1.0, 0.0), f32::NEG_INFINITY);
        assert!(!unfloored.x.is_finite(), "{unfloored:?}");
    }

    #[test]
    fn a_nan_pivot_is_floored_too() {
        let h = Sym3 { xx: f32::NAN, yy: 1.0, zz: 1.0, ..Sym3::default() };
        assert_eq!(ldlt_solve(&h, Vec3::new(3.0, 2.0, 1.0), 1.0).x, Vec3::new(3.0, 2.0, 1.0));
    }
}
