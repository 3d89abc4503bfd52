//! The immutable part of the oracle's cloth: particles and rows in the order of its sweep.

use super::colour;
use crate::told::{Told, hinge_inertia, inverse};
use cloth_core::math::{real, sum};
use cloth_core::row::bend::HingeRow;
use cloth_core::row::skip::SkipRow;
use cloth_core::row::stretch::{self, StretchRow};
use cloth_core::row::tether::Reach;
use cloth_core::{Model, NONE, Vec3};

/// One incidence of a two-particle row on the particle whose list it stands in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairSlot {
    /// The particle at the other end.
    pub other: usize,
    /// The row.
    pub row: usize,
}

/// One incidence of a hinge on the particle whose list it stands in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HingeSlot {
    /// The hinge.
    pub row: usize,
    /// Which of its four particles this is.
    pub corner: usize,
}

/// How far a particle may be from the pin it is tied to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tie {
    /// The nearest build-time pin along the rows; `None` where none can be reached.
    pub pin: Option<usize>,
    /// Length of the shortest path along the rows to that pin (m); 0 on a pin itself.
    pub geodesic: f32,
    /// Whether a tether row to the pin was built.
    pub tethered: bool,
    /// Whether the particle was pinned at build time.
    pub pinned: bool,
}

/// Particles by colour and then by first vertex, rows by their particles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Net {
    /// Vertex → particle.
    pub particle_of: Vec<usize>,
    /// Rest positions (m).
    pub rest: Vec<Vec3>,
    /// Masses (kg); pins have one too, so that they can be let go.
    pub masses: Vec<f32>,
    /// The shortest row that touches each particle (m), `+∞` without rows: the cap of one update.
    pub caps: Vec<f32>,
    /// What each particle is tied to.
    pub ties: Vec<Tie>,
    /// `a < b`, sorted by (a, b).
    pub stretch: Vec<StretchRow>,
    /// `a < b`, sorted by (a, b).
    pub skip: Vec<SkipRow>,
    /// `p[0] < p[1]`, sorted by p.
    pub hinges: Vec<HingeRow>,
    /// 1/(scale·Σ c_i²/m_i) of each hinge (kg·m²): bend stiffness times h² stays below eight of these.
    pub hinge_inertias: Vec<f32>,
    /// The rows of each particle, ascending.
    pub stretch_of: Vec<Vec<PairSlot>>,
    /// The same of skip rows.
    pub skip_of: Vec<Vec<PairSlot>>,
    /// The same of hinges.
    pub hinges_of: Vec<Vec<HingeSlot>>,
    /// Sum of all masses (kg).
    pub mass: f32,
    /// Shortest row of the cloth (m), `+∞` without rows.
    pub shortest_row: f32,
    /// Largest stiffness over effective inertia, k·(1/m_a + 1/m_b), of the soft stretch rows (1/s²); 0 without.
    pub stiffest: f32,
}

impl Net {
    /// The net of a model.
    pub(super) fn new(model: &Model<'_>) -> Self {
        Self::of(Told::by(model))
    }

    /// The net of what was told, whatever order that has.
    fn of(told: Told) -> Self {
        let place = places(&told);
        let Told { particle_of, particles, reach, stretch, skip, hinges, .. } = told.renumbered(&place);
        let masses: Vec<f32> = particles.iter().map(|p| p.mass).collect();
        let tie = |reach: &Reach| Tie {
            pin: (reach.pin != NONE).then_some(reach.pin as usize),
            geodesic: reach.geodesic,
            tethered: reach.is_tethered(),
            pinned: reach.is_pin(),
        };
        let stretch_ends: Vec<[u32; 2]> = stretch.iter().map(|row| [row.a, row.b]).collect();
        let skip_ends: Vec<[u32; 2]> = skip.iter().map(|row| [row.a, row.b]).collect();
        let hinge_ends: Vec<[u32; 4]> = hinges.iter().map(|row| row.p).collect();
        let pair = |row, corner: usize, ends: &[u32; 2]| PairSlot { other: ends[1 - corner] as usize, row };
        let count = masses.len();
        let caps = caps(count, &stretch, &skip);
        let inertia = |row| hinge_inertia(row, |particle| masses[particle as usize]);
        Self {
            particle_of: particle_of.into_iter().map(|particle| particle as usize).collect(),
            rest: particles.iter().map(|p| Vec3::from_array(p.rest)).collect(),
            ties: reach.iter().map(tie).collect(),
            stretch_of: slots(count, &stretch_ends, pair),
            skip_of: slots(count, &skip_ends, pair),
            hinges_of: slots(count, &hinge_ends, |row, corner, _| HingeSlot { row, corner }),
            hinge_inertias: hinges.iter().map(inertia).collect(),
            mass: sum::sum(masses.iter().copied()),
            shortest_row: caps.iter().fold(f32::INFINITY, |least, &cap| real::min(cap, least)),
            stiffest: stiffest(&stretch, &masses),
            caps,
            masses,
            stretch,
            skip,
            hinges,
        }
    }

    /// How many particles there are.
    pub(super) fn count(&self) -> usize {
        self.masses.len()
    }
}

/// The place of each particle in the order of the sweep: by colour, then by first vertex.
fn places(told: &Told) -> Vec<usize> {
    // Nodes are the particles in the order of their first vertices.
    let node = told.places_by_vertex();
    let nodes = |[a, b]: [u32; 2]| [node[a as usize], node[b as usize]];
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    pairs.extend(told.stretch.iter().map(|row| nodes([row.a, row.b])));
    pairs.extend(told.skip.iter().map(|row| nodes([row.a, row.b])));
    // The other five pairs of a hinge are edges of its triangles, and so stretch rows.
    pairs.extend(told.hinges.iter().map(|row| nodes([row.p[2], row.p[3]])));
    let colours = colour::colours(node.len(), &pairs);
    let mut order: Vec<usize> = (0..node.len()).collect();
    order.sort_unstable_by_key(|&node| (colours[node], node));
    let place = inverse(&order);
    node.into_iter().map(|node| place[node]).collect()
}

/// Which rows stand on each particle, in row order.
fn slots<T, const N: usize>(
    particles: usize,
    rows: &[[u32; N]],
    slot: impl Fn(usize, usize, &[u32; N]) -> T,
) -> Vec<Vec<T>> {
    let mut slots: Vec<Vec<T>> = (0..particles).map(|_| Vec::new()).collect();
    for (row, ends) in rows.iter().enumerate() {
        for (corner, &particle) in ends.iter().enumerate() {
            slots[particle as usize].push(slot(row, corner, ends));
        }
    }
    slots
}

/// The shortest row on each particle. Tethers are rows too, but a path to a pin begins with a stretch row and is no
/// shorter.
fn caps(particles: usize, stretch: &[StretchRow], skip: &[SkipRow]) -> Vec<f32> {
    let mut caps = vec![f32::INFINITY; particles];
    let stretch = stretch.iter().map(|row| (row.a, row.b, row.rest));
    let skip = skip.iter().map(|row| (row.a, row.b, row.rest));
    for (a, b, rest) in stretch.chain(skip) {
        for end in [a, b] {
            let cap = &mut caps[end as usize];
            *cap = real::min(rest, *cap);
        }
    }
    caps
}

fn stiffest(rows: &[StretchRow], masses: &[f32]) -> f32 {
    let inverse_mass = |particle: u32| 1.0 / masses[particle as usize];
    let soft = rows.iter().filter(|row| !stretch::is_hard(row));
    soft.fold(0.0, |most, row| real::max(row.stiffness * (inverse_mass(row.a) + inverse_mass(row.b)), most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::to_u32;
    use crate::random::Random;
    use crate::workload::{Workload, absurd, scenes};

    /// What a model would have said whose particles and rows stand in a random order.
    fn shuffled(model: &Model<'_>, random: &mut Random) -> Told {
        let mut order: Vec<usize> = (0..model.particles().len()).collect();
        shuffle(&mut order, random);
        let place = inverse(&order);
        let new = |index: u32| if index == NONE { NONE } else { to_u32(place[index as usize]) };
        let mut told = Told {
            particle_of: model.particle_of().iter().copied().map(new).collect(),
            source_of: order.iter().map(|&index| model.source_of()[index]).collect(),
            particles: order.iter().map(|&index| model.particles()[index]).collect(),
            reach: order.iter().map(|&index| model.reach()[index]).collect(),
            stretch: model.stretch_rows().to_vec(),
            skip: model.skip_rows().to_vec(),
            hinges: model.hinge_rows().to_vec(),
        };
        for reach in &mut told.reach {
            reach.pin = new(reach.pin);
        }
        for row in &mut told.stretch {
            (row.a, row.b) = (new(row.b), new(row.a));
        }
        for row in &mut told.skip {
            (row.a, row.b) = (new(row.b), new(row.a));
        }
        for row in &mut told.hinges {
            let ([a, b, left, right], [c0, c1, c2, c3]) = (row.p.map(new), row.c);
            (row.p, row.c) = ([b, a, right, left], [c1, c0, c3, c2]);
        }
        shuffle(&mut told.stretch, random);
        shuffle(&mut told.skip, random);
        shuffle(&mut told.hinges, random);
        told
    }

    fn shuffle<T>(items: &mut [T], random: &mut Random) {
        for last in (1..items.len()).rev() {
            items.swap(last, random.below(to_u32(last + 1)) as usize);
        }
    }

    /// The skirt with its curved hinges, and absurd cloth: chains with skip rows, pins that can't be reached.
    fn cloths() -> anyhow::Result<Vec<Workload>> {
        let absurd = (0..20).map(|number| absurd::cloth(number).0);
        std::iter::once(scenes::skirt()?.0).chain(absurd).map(|spec| spec.build()).collect()
    }

    #[test]
    fn the_order_of_the_model_does_not_matter() -> anyhow::Result<()> {
        let mut random = Random::new(1);
        for cloth in cloths()? {
            let net = Net::new(&cloth.model());
            assert!(Net::of(shuffled(&cloth.model(), &mut random)) == net);
        }
        Ok(())
    }
}
