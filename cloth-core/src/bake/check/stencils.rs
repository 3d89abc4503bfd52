//! Properties of the stencils that hinges are merged into.

use super::super::layout::Layout;
use super::super::parts::Parts;
use super::super::slots::Slots;
use super::super::stencil::{Neighbour, merged};
use super::{Mesh, built, meshes};
use crate::index::{NONE, len32};
use crate::row::bend::HingeRow;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;

fn layout(parts: &Parts) -> Layout {
    Layout::new(parts).unwrap_or_else(|error| panic!("{error}"))
}

/// The neighbours that the slots name for each of `count` particles.
fn lists(slots: &Slots<Neighbour>, count: usize) -> Vec<Vec<Neighbour>> {
    let mut lists = vec![vec![]; slots.starts.len() * 8];
    for (group, ends) in slots.starts.windows(2).enumerate() {
        for slot in &slots.slots[ends[0] as usize..ends[1] as usize] {
            for (lane, neighbour) in slot.iter().enumerate() {
                let own = 8 * group + lane;
                if neighbour.particle as usize == own {
                    assert_eq!(neighbour.bend.to_bits(), 0);
                } else {
                    lists[own].push(*neighbour);
                }
            }
        }
    }
    assert!(lists.split_off(count).iter().all(Vec::is_empty));
    lists
}

/// The bend force over B on each particle in some pose, given by particles, and the sum of the sizes of its terms: by
/// stencil, and hinge by hinge.
fn forces(parts: &Parts, pose: &[[f64; 3]]) -> [Vec<([f64; 3], f64)>; 2] {
    let count = parts.particles.len();
    let layout = layout(parts);
    let (links, across) = (lists(&layout.stencil.links, count), lists(&layout.stencil.bend, count));
    let mut by_stencil = vec![([0.0; 3], 0.0); count];
    for ((own, (force, size)), here) in by_stencil.iter_mut().enumerate().zip(pose) {
        for neighbour in links[own].iter().chain(&across[own]) {
            let there = &pose[neighbour.particle as usize];
            for (force, way) in force.iter_mut().zip(there.iter().zip(here).map(|(there, here)| there - here))
            {
                *force += f64::from(neighbour.bend) * way;
                *size += (f64::from(neighbour.bend) * way).abs();
            }
        }
    }
    let mut by_hinge = vec![([0.0; 3], 0.0); count];
    for (hinge, _) in parts.rows.hinges.iter().zip(merged(&parts.rows.hinges)).filter(|(_, merged)| *merged) {
        let corners = hinge.p.map(|particle| pose[particle as usize]);
        (0..3).for_each(|axis| {
            let term = |k: usize| f64::from(hinge.c[k]) * corners[k][axis];
            let curvature: f64 = (0..4).map(term).sum();
            let size: f64 = (0..4).map(|k| term(k).abs()).sum();
            for k in 0..4 {
                let own = &mut by_hinge[hinge.p[k] as usize];
                own.0[axis] -= f64::from(hinge.scale) * f64::from(hinge.c[k]) * curvature;
                own.1 += (f64::from(hinge.scale) * f64::from(hinge.c[k])).abs() * size;
            }
        });
    }
    [by_stencil, by_hinge]
}

/// A flat sheet of uneven triangles.
fn sheets() -> impl Strategy<Value = Mesh> {
    (3_u32..8, 3_u32..8, any::<u64>(), any::<u64>()).prop_map(|(columns, rows, cuts, noise)| {
        Mesh::grid(columns, rows, cuts, false).map(|p| {
            let shake = |salt: u64| {
                let place = (p[0] * 31.0 + p[2] * 7.0) as u64 + salt;
                (noise.wrapping_mul(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) >> 40) as f32
                    / 16_777_216.0
                    - 0.5
            };
            [p[0] + 0.3 * shake(0), 0.0, p[2] + 0.3 * shake(1)]
        })
    })
}

fn rest(parts: &Parts) -> Vec<[f64; 3]> {
    parts.particles.iter().map(|particle| particle.rest.map(f64::from)).collect()
}

#[test]
fn only_flat_hinges_that_are_no_slivers_are_merged() {
    let hinge = |rest: f32, inertia: f32| HingeRow { rest, inertia, ..HingeRow::default() };
    let hinges = [hinge(0.0, 4.0), hinge(0.1, 4.0), hinge(0.0, 0.25), hinge(0.0, 0.24), hinge(0.0, 9.0)];
    assert_eq!(merged(&hinges), vec![true, false, true, false, true]);
    assert_eq!(merged(&[]), vec![false; 0]);
}

#[test]
fn a_regular_grid_bends_along_rows_and_across_hinges() {
    let (parts, report) = built(Mesh::grid(6, 6, 0, false).builder().pins(&[0]));
    assert!(layout(&parts).header.hinges == 0 && layout(&parts).header.merged_hinges == report.hinge_rows);
    // Lift one vertex inside by z: it is pulled back as by four neighbours two steps away along the axes.
    let lifted = parts.particle_of[14] as usize;
    let mut pose = rest(&parts);
    pose[lifted][1] += 1.0;
    let [by_stencil, _] = forces(&parts, &pose);
    assert!(by_stencil[lifted].0[1] < -1.0 && by_stencil[parts.particle_of[35] as usize].0[1].abs() < 1e-6);
    let total: f64 = by_stencil.iter().map(|(force, _)| force[1]).sum();
    assert!(total.abs() < 1e-6, "{total}");
}

proptest! {
    #[test]
    fn slots_name_rows_and_hinges(mesh in meshes(), pin in 0_u32..4) {
        let (parts, _) = built(mesh.builder().pins(&[pin]));
        let layout = layout(&parts);
        let count = parts.particles.len();
        let (links, across) = (lists(&layout.stencil.links, count), lists(&layout.stencil.bend, count));
        let mut rows: Vec<Vec<u32>> = vec![vec![]; count];
        for row in &parts.rows.stretch {
            rows[row.a as usize].push(row.b);
            rows[row.b as usize].push(row.a);
        }
        let mut bits = BTreeMap::new();
        for own in 0..len32(&parts.particles) {
            let (links, across) = (&links[own as usize], &across[own as usize]);
            rows[own as usize].sort_unstable();
            prop_assert_eq!(&links.iter().map(|link| link.particle).collect::<Vec<_>>(), &rows[own as usize]);
            prop_assert!(across.iter().map(|other| other.particle).is_sorted_by(|one, next| one < next));
            prop_assert!(across.iter().all(|other| !rows[own as usize].contains(&other.particle)));
            for link in links {
                let row = layout.stretch[link.row as usize / 8][link.row as usize % 8];
                prop_assert!(row != NONE);
                let row = parts.rows.stretch[row as usize];
                prop_assert_eq!([row.a, row.b], [own.min(link.particle), own.max(link.particle)]);
            }
            for other in links.iter().chain(across) {
                bits.insert((own, other.particle), other.bend.to_bits());
            }
        }
        for (&(one, other), own) in &bits {
            prop_assert_eq!(bits.get(&(other, one)), Some(own));
        }
    }

    #[test]
    fn the_stencil_is_the_sum_of_its_hinges(mesh in sheets(), pose in prop::collection::vec(prop::array::uniform3(-3.0_f64..3.0), 64)) {
        let (parts, _) = built(mesh.builder().pins(&[0]));
        let pose = &pose[..parts.particles.len()];
        let [by_stencil, by_hinge] = forces(&parts, pose);
        for (one, other) in by_stencil.iter().zip(&by_hinge) {
            for axis in 0..3 {
                prop_assert!((one.0[axis] - other.0[axis]).abs() <= 2e-6 * other.1, "{one:?} against {other:?}");
            }
        }
    }

    #[test]
    fn flat_cloth_is_free_of_force_in_any_affine_image_of_it(
        mesh in sheets(),
        u in prop::array::uniform3(-2.0_f64..2.0),
        v in prop::array::uniform3(-2.0_f64..2.0),
    ) {
        let (parts, _) = built(mesh.builder().pins(&[0]));
        let map = |[x, _, z]: [f64; 3]| core::array::from_fn(|axis| 5.0 + u[axis] * x + v[axis] * z);
        let pose: Vec<[f64; 3]> = rest(&parts).into_iter().map(map).collect();
        let [by_stencil, by_hinge] = forces(&parts, &pose);
        for (one, (_, size)) in by_stencil.iter().zip(&by_hinge) {
            for axis in 0..3 {
                prop_assert!(one.0[axis].abs() <= 2e-6 * size, "{one:?} of {size}");
            }
        }
    }
}
