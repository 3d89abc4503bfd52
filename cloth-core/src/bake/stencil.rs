//! Which hinges are merged into stencils over their particles' neighbours, and these stencils.
//!
//! The energy of a flat hinge is quadratic, ½·B·scale·‖Σ c_k x_k‖², and its force on particle i is
//! −B·scale·c_i·Σ_j c_j x_j. As Σ c_j = 0 this is B·Σ_j q_ij·(x_j − x_i) with q_ij = −scale·c_i·c_j, and the q_ij of all
//! hinges that have both particles add up to one number for each pair, whatever pose the cloth is in.

use super::slots::Slots;
use crate::math::real::{is_finite, min};
use crate::model::header::Header;
use crate::model::record::LANES;
use crate::row::bend::HingeRow;
use alloc::vec::Vec;

/// A flat hinge with less than this share of the flat hinges' median inertia is a sliver's. All merged hinges share the
/// limit of the lightest, so a single sliver would keep the whole cloth limp. Along the border of a regular grid, where
/// particles weigh less, hinges have a sixth of the median, at its corners an eleventh.
const SLIVER: f32 = 0.0625;

/// A neighbour of a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbour {
    pub(crate) particle: u32,
    /// The row to it: eight times its group plus its lane.
    pub(crate) row: u32,
    /// −Σ scale·c_i·c_j (1/m²).
    pub(crate) bend: f32,
}

/// The neighbours of all particles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stencil {
    /// Along stretch rows.
    pub(crate) links: Slots<Neighbour>,
    /// Across merged hinges and not along a row.
    pub(crate) bend: Slots<Neighbour>,
}

/// For each hinge, whether it is merged: those at rest when flat, slivers apart.
pub(crate) fn merged(hinges: &[HingeRow]) -> Vec<bool> {
    let is_flat = |hinge: &HingeRow| hinge.rest.to_bits() << 1 == 0;
    let mut inertias: Vec<f32> =
        hinges.iter().filter(|hinge| is_flat(hinge)).map(|hinge| hinge.inertia).collect();
    // Positive floats are in the order of their bits.
    inertias.sort_unstable_by_key(|inertia| inertia.to_bits());
    let median = inertias.get(inertias.len() / 2).copied().unwrap_or(0.0);
    hinges.iter().map(|hinge| is_flat(hinge) && hinge.inertia >= SLIVER * median).collect()
}

/// Least inertia of the merged hinges (kg·m²), `+∞` without.
pub(crate) fn least_inertia(hinges: &[HingeRow], merged: &[bool]) -> f32 {
    let inertias = hinges.iter().zip(merged).filter(|(_, merged)| **merged).map(|(hinge, _)| hinge.inertia);
    inertias.fold(f32::INFINITY, |least, inertia| min(inertia, least))
}

/// −Σ scale·c_i·c_j for every two particles of a merged hinge, in the order of the pairs.
fn couplings(hinges: &[HingeRow], merged: &[bool]) -> Vec<([u32; 2], f32)> {
    let mut terms: Vec<([u32; 2], u32, f32)> = Vec::new();
    for ((hinge, merged), number) in hinges.iter().zip(merged).zip(0..) {
        if *merged {
            for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let [a, b] = [hinge.p[i], hinge.p[j]];
                let term = -(hinge.scale * (hinge.c[i] * hinge.c[j]));
                terms.push(([a.min(b), a.max(b)], number, term));
            }
        }
    }
    terms.sort_unstable_by_key(|&(pair, number, _)| (pair, number));
    let of_pair = terms.chunk_by(|one, other| one.0 == other.0);
    of_pair.map(|terms| (terms[0].0, terms.iter().fold(0.0, |sum, term| sum + term.2))).collect()
}

impl Stencil {
    /// `stretch` are the ends of the stretch rows, ascending, and `groups` their order in the sweep.
    ///
    /// # Errors
    /// A particle whose coefficients are not finite.
    pub(crate) fn new(
        header: &Header,
        stretch: &[[u32; 2]],
        groups: &[[u32; LANES]],
        hinges: &[HingeRow],
        merged: &[bool],
    ) -> Result<Self, u32> {
        let couplings = couplings(hinges, merged);
        if let Some(([particle, _], _)) = couplings.iter().find(|(_, bend)| !is_finite(*bend)) {
            return Err(*particle);
        }
        let mut place = alloc::vec![0; stretch.len()];
        for (&row, lane) in groups.as_flattened().iter().zip(0_u32..) {
            if let Some(place) = place.get_mut(row as usize) {
                *place = lane;
            }
        }
        let (mut links, mut across) = (Vec::new(), Vec::new());
        let both = |list: &mut Vec<(u32, Neighbour)>, [a, b]: [u32; 2], row: u32, bend: f32| {
            list.extend([
                (a, Neighbour { particle: b, row, bend }),
                (b, Neighbour { particle: a, row, bend }),
            ]);
        };
        for (ends, row) in stretch.iter().zip(&place) {
            let found = couplings.binary_search_by_key(ends, |coupling| coupling.0);
            both(&mut links, *ends, *row, found.map_or(0.0, |found| couplings[found].1));
        }
        for (pair, bend) in &couplings {
            // Across the long side of two right triangles nothing is coupled.
            if stretch.binary_search(pair).is_err() && bend.to_bits() << 1 != 0 {
                both(&mut across, *pair, header.no_row(), *bend);
            }
        }
        let [links, bend] = [links, across].map(|mut list| {
            list.sort_unstable_by_key(|&(particle, neighbour)| (particle, neighbour.particle));
            let blank = |particle| Neighbour { particle, row: header.no_row(), bend: 0.0 };
            Slots::new(header.particle_groups(), &list, blank)
        });
        Ok(Self { links, bend })
    }
}
