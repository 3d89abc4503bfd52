//! Absurd cloth: random topology, masses, stiffness, budget and time step, far outside what anyone should author.
//!
//! The generator's integers decide everything, so cloth number 17 is the same on every machine.

use super::{BARE, Shape, Spec, Topology};
use crate::narrow::{to_f32, to_u32};
use crate::random::Random;
use cloth_core::step::Escape;
use cloth_core::{ClothDynamics, ClothFlags, NONE, State, Vec3, replay};

/// Extreme `number`: a spec, and the generator to go on drawing its events from.
pub fn cloth(number: u64) -> (Spec, Random) {
    let mut random = Random::new(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let shape = if random.one_in(2) { torn_grid(&mut random) } else { tree(&mut random) };
    let count = shape.positions.len();
    let vertices = to_u32(count);
    let pins = (0..random.below(4)).map(|_| random.below(vertices)).collect();
    // Neighbouring masses ten decades apart, or one mass for all.
    let masses = if random.one_in(2) {
        (0..count).map(|_| random.magnitude(-20, 13)).collect()
    } else {
        vec![random.magnitude(-20, 13); count]
    };
    let mut row_stiffness = Vec::new();
    for edge in shape.edges() {
        if random.one_in(3) {
            row_stiffness.push((edge.a, edge.b, random.magnitude(-10, 33)));
        }
    }
    let dynamics = ClothDynamics {
        slack: to_f32(random.real(0.1, 1.0)),
        stretch: to_f32(random.real(0.0, 1.0)),
        bend: random.magnitude(-20, 18),
        skip: random.magnitude(-10, 18),
        damping: if random.one_in(2) { 0.0 } else { random.magnitude(-6, 6) },
        substeps: random.between(1, 4),
        iterations: random.between(1, 8),
        flags: if random.one_in(2) { ClothFlags::STRAIN_LIMIT } else { ClothFlags::NONE },
        ..BARE
    };
    let reach = if random.one_in(4) { 1e4 } else { 10.0 };
    let spec = Spec {
        pins,
        masses,
        tethers: random.one_in(2),
        bend_rows: random.one_in(2),
        stiffness: if random.one_in(2) { f32::INFINITY } else { random.magnitude(-10, 33) },
        row_stiffness,
        dynamics,
        gravity: random.vector(reach),
        dt: random.magnitude(-10, -3),
        // What tears every row would have everybody go home, and nothing left to look at.
        escape: Escape::OFF,
        ..Spec::new(shape, 0.0)
    };
    (spec, random)
}

/// What happens to one vertex of a running absurd cloth.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// It is moved by as much and gets this velocity (m, m/s).
    Throw(Vec3, Vec3),
    /// It is held this far from where it is (m).
    Hold(Vec3),
    /// It is let go.
    Release,
}

/// Draws a vertex, and what happens to it; most often nothing does.
pub fn draw(random: &mut Random, spec: &Spec) -> (u32, Option<Event>) {
    let vertex = random.below(to_u32(spec.shape.positions.len()));
    let event = match random.below(40) {
        0 => Some(Event::Throw(random.vector(1.0), random.vector(100.0))),
        1 => Some(Event::Hold(random.vector(0.5))),
        2 => Some(Event::Release),
        _ => None,
    };
    (vertex, event)
}

/// Now and then something is to happen to a running absurd cloth: a particle is thrown, held far away or let go.
pub fn event(state: &State<'_>, random: &mut Random, spec: &Spec) -> Option<replay::Event> {
    let (vertex, event) = draw(random, spec);
    let here = state.position(vertex).unwrap_or(Vec3::ZERO);
    Some(match event? {
        Event::Throw(by, velocity) => replay::Event::Place { vertex, position: here + by, velocity },
        Event::Hold(by) => replay::Event::Hold { vertex, target: here + by },
        Event::Release => replay::Event::Release { vertex },
    })
}

/// A small grid with holes and a ragged last row, crushed and crumpled at random; some triangles are slivers.
fn torn_grid(random: &mut Random) -> Shape {
    let (columns, rows) = (random.between(2, 8) as usize, random.between(3, 8) as usize);
    let spacing = f64::from(random.magnitude(-8, 3));
    let mut shape = Shape::grid(columns, rows, spacing);
    for position in &mut shape.positions {
        let jitter = random.vector(0.45 * spacing);
        for (axis, by) in position.iter_mut().zip(jitter.to_array()) {
            *axis += by;
        }
    }
    let Topology::Triangles(mut triangles) = shape.topology else { return shape };
    // Holes touch neither the rim nor each other: two that met in a point would be no surface.
    let rim =
        |v: usize| (v % columns).is_multiple_of(columns - 1) || v < columns || v >= (rows - 2) * columns;
    let mut taken: Vec<bool> = (0..shape.positions.len()).map(rim).collect();
    triangles.retain(|&[a, b, c]| {
        let hole = random.one_in(4) && ![a, b, c].iter().any(|&v| taken[v as usize]);
        if hole {
            for v in [a, b, c] {
                taken[v as usize] = true;
            }
        }
        !hole
    });
    // The last row is as long as it likes, and vertices past its end are in no triangle.
    let last_row = 2 * (columns - 1);
    triangles.truncate(triangles.len() - random.below(to_u32(last_row)) as usize);
    let used = triangles.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    shape.positions.truncate(used);
    Shape { topology: Topology::Triangles(triangles), ..shape }
}

/// Trees of every form between one long chain and one star, links of very different lengths.
fn tree(random: &mut Random) -> Shape {
    let count = random.between(2, 48);
    let bushiness = random.between(1, count);
    let mut positions = vec![[0.0; 3]];
    let mut parents = vec![NONE];
    for index in 1..count {
        let back = random.between(1, bushiness.min(index));
        let parent = index - back;
        let length = f64::from(random.magnitude(-8, 3));
        let from = Vec3::from_array(positions[parent as usize]);
        // One axis is never small, so that no link is of zero length.
        let aside = random.vector(length) + Vec3::new(0.0, 0.0, to_f32(1.5 * length));
        positions.push((from + aside).to_array());
        parents.push(parent);
    }
    Shape { positions, topology: Topology::Chains(parents) }
}

#[cfg(test)]
mod tests {
    use super::cloth;

    #[test]
    fn every_absurd_cloth_can_be_built() {
        for number in 0..1000 {
            if let Err(error) = cloth(number).0.build() {
                panic!("cloth {number}: {error:#}");
            }
        }
    }
}
