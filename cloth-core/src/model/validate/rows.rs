//! Checks of rows in groups of eight.

use super::super::header::LANES32;
use super::super::record::{Ends, PairGroup};
use super::super::regions::Region;
use super::super::{MAX_LENGTH, Model, ModelError, derived};
use super::{LENGTHS, MAX_COEFFICIENT, STIFFNESSES, check, index_of, is_usable, items_of, same};
use crate::index::at;
use crate::math::real;

/// What rows say about lengths (m).
pub(super) struct Lengths {
    /// The shortest stretch or skip row, `+∞` of none.
    pub shortest: f32,
    /// The longest stretch row as the header tells it, 0 of none.
    pub longest: f32,
}

/// Checks stretch rows, skip rows and hinges, and returns the lengths of the first two.
pub(super) fn all(model: &Model) -> Result<Lengths, ModelError> {
    let header = &model.header;
    let soft = 1.0 / STIFFNESSES.end()..=1.0 / STIFFNESSES.start();
    let stretchable = |compliance: f32| compliance.to_bits() == 0 || soft.contains(&compliance);
    let stretch = Pairs {
        ends: items_of(model, Region::StretchEnds),
        groups: model.stretch,
        region: Region::Stretch.name(),
        count: header.stretch,
    };
    let skip = Pairs {
        ends: items_of(model, Region::SkipEnds),
        groups: model.skip,
        region: Region::Skip.name(),
        count: header.skip,
    };
    let stretch = stretch.check(model, stretchable)?;
    let skipped = skip.check(model, |compliance| compliance.to_bits() == 0)?;
    reach(model, skip.ends)?;
    hinges(model, items_of(model, Region::HingeEnds))?;
    let shortest = real::min(skipped.shortest, stretch.shortest);
    Ok(Lengths { shortest, longest: stretch.longest })
}

/// Whether all nodes of a group are different ones, inert lanes apart.
pub(super) fn are_apart<const N: usize>(ends: &Ends<N>, inert: u32) -> bool {
    let mut later = ends.as_flattened();
    while let Some((node, others)) = later.split_first() {
        if index_of(*node) != inert && others.contains(node) {
            return false;
        }
        later = others;
    }
    true
}

/// Stretch rows or skip rows.
struct Pairs<'a> {
    ends: &'a [Ends<2>],
    groups: &'a [PairGroup],
    region: &'static str,
    /// Lanes that are not inert.
    count: u32,
}

impl Pairs<'_> {
    /// Checks all groups and returns their lengths.
    fn check(&self, model: &Model, compliant: impl Fn(f32) -> bool) -> Result<Lengths, ModelError> {
        let inert = model.header.inert();
        let mass = |particle: u32| at(model.particles, particle).mass;
        let is_pin = |particle: u32| at(model.reach, particle).is_pin();
        let (mut active, mut shortest, mut longest) = (0, f32::INFINITY, derived::Longest::default());
        for (index, ([a, b], group)) in (0..).zip(self.ends.iter().zip(self.groups)) {
            check(are_apart(&[*a, *b], inert), self.region, index)?;
            let sizes = group.rest.iter().zip(&group.inverse_rest);
            let weights = group.compliance.iter().zip(&group.inertia);
            for ((a, b), ((rest, inverse), (compliance, inertia))) in a.iter().zip(b).zip(sizes.zip(weights))
            {
                let (a, b) = (index_of(*a), index_of(*b));
                let good = if a == inert && b == inert {
                    same(*rest, 1.0) && compliance.to_bits() == 0 && inertia.to_bits() == 0
                } else {
                    active += 1;
                    shortest = real::min(*rest, shortest);
                    longest = longest.with(*rest, is_pin(a) && is_pin(b));
                    a < b
                        && b < inert
                        && LENGTHS.contains(rest)
                        && compliant(*compliance)
                        && same(*inertia, derived::pair_inertia(mass(a), mass(b)))
                };
                check(good && same(*inverse, 1.0 / *rest), self.region, index)?;
            }
        }
        check(active == self.count, self.region, u32::MAX)?;
        Ok(Lengths { shortest, longest: longest.row() })
    }
}

/// Skip rows are no shorter than their particles say; for stretch rows the slots tell.
fn reach(model: &Model, ends: &[Ends<2>]) -> Result<(), ModelError> {
    let inert = model.header.inert();
    for ([a, b], group) in ends.iter().zip(model.skip) {
        for (particles, rest) in a.iter().zip(b).zip(&group.rest) {
            for particle in [particles.0, particles.1] {
                let particle = index_of(*particle);
                let fits = particle == inert || at(model.reach, particle).shortest_row <= *rest;
                check(fits, Region::Reach.name(), particle)?;
            }
        }
    }
    Ok(())
}

fn hinges(model: &Model, ends: &[Ends<4>]) -> Result<(), ModelError> {
    let name = Region::Hinges.name();
    let inert = model.header.inert();
    let mut active = 0;
    for (index, (ends, group)) in (0..).zip(ends.iter().zip(model.hinges)) {
        check(are_apart(ends, inert), name, index)?;
        for lane in 0..LANES32 {
            let p = ends.map(|end| index_of(at(&end, lane)));
            let c = group.c.map(|c| at(&c, lane));
            let (scale, rest) = (at(&group.scale, lane), at(&group.rest, lane));
            let good = if p == [inert; 4] {
                c.map(f32::to_bits) == [0; 4] && scale.to_bits() == 0 && rest.to_bits() == 0
            } else {
                active += 1;
                is_hinge(model, p, c, scale) && real::abs(rest) <= MAX_LENGTH
            };
            check(good, name, index)?;
        }
    }
    check(active == model.header.hinges, name, u32::MAX)
}

/// Four particles of a hinge, with coefficients whose inertia can be divided by.
fn is_hinge(model: &Model, p: [u32; 4], c: [f32; 4], scale: f32) -> bool {
    let mass = p.map(|particle| at(model.particles, particle).mass);
    let [first, second, ..] = p;
    first < second
        && p.iter().all(|particle| *particle < model.header.particles)
        && c.iter().all(|c| real::abs(*c) <= MAX_COEFFICIENT)
        && is_usable(scale)
        && is_usable(derived::hinge_inertia(c, scale, mass))
}
