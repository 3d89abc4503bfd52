//! From points to the words of their convex hull.
//!
//! Every three points whose plane has no other point in front of it lie on a face, whose polygon is the hull, in the plane,
//! of all points on it. That is slower than growing a hull point by point, cubic in their number, and has no case that
//! goes wrong by rounding: points in one plane need not be told apart from those nearly so. Nearly all triples have points on
//! both sides, and two witnesses that a neighbouring triple had show it (see [`Witnesses`]).

use super::{ON_PLANE, ShapeError, at_most, checked, counts, header, put, radius};
use crate::Vec3;
use crate::bake::weld;
use crate::collide::hull::Plane;
use crate::collide::look;
use crate::collide::words::HULL;
use crate::index::{NONE, len32};
use crate::math::{real, vector};
use alloc::vec;
use alloc::vec::Vec;

/// Most points, for the work above.
const POINTS: u32 = 256;

/// Three points whose triangle is flatter than this have no plane that f32 can tell.
const FLATTEST: f32 = 1.0e-3;

/// The points that are different, and where each is among those given.
fn different(given: &[[f32; 3]]) -> Result<(Vec<Vec3>, Vec<u32>), ShapeError> {
    let points = checked(given)?;
    let first_of = weld::groups(&points, 0.0);
    let kept: Vec<u32> =
        first_of.iter().zip(0..).filter(|(first, i)| **first == *i).map(|(_, i)| i).collect();
    at_most("points of a hull", kept.len(), POINTS)?;
    Ok((kept.iter().map(|&i| points[i as usize]).collect(), kept))
}

pub(super) fn polygons(given: &[[f32; 3]]) -> Result<Vec<Vec<u32>>, ShapeError> {
    let (points, kept) = different(given)?;
    let faces = faces(&points)?;
    Ok(faces.iter().map(|face| face.iter().map(|&vertex| kept[vertex as usize]).collect()).collect())
}

pub(super) fn words(given: &[[f32; 3]]) -> Result<Vec<u32>, ShapeError> {
    let (points, _) = different(given)?;
    let faces = faces(&points)?;

    let mut number = vec![NONE; points.len()];
    let mut is_used = vec![false; points.len()];
    faces.iter().flatten().for_each(|&vertex| is_used[vertex as usize] = true);
    let used: Vec<u32> = (0..len32(&points)).filter(|&vertex| is_used[vertex as usize]).collect();
    for (&vertex, new) in used.iter().zip(0..) {
        number[vertex as usize] = new;
    }
    let vertices: Vec<Vec3> = used.iter().map(|&vertex| points[vertex as usize]).collect();
    let corners: Vec<u32> = faces.iter().flatten().map(|&vertex| number[vertex as usize]).collect();
    let mut starts = vec![0];
    for face in &faces {
        starts.push(starts[starts.len() - 1] + len32(face));
    }
    let planes: Vec<Plane> = faces.iter().map(|face| plane(face, &points)).collect();

    let head = header(HULL, &vertices, counts([vertices.len(), planes.len(), corners.len()]));
    let mut words = Vec::new();
    put(&mut words, &[head]);
    put(&mut words, &vertices.iter().map(|vertex| vertex.to_array()).collect::<Vec<_>>());
    put(&mut words, &planes);
    put(&mut words, &starts);
    put(&mut words, &corners);
    Ok(words)
}

/// A set of points.
#[derive(Clone, Copy, Default)]
struct Members([u64; POINTS as usize / 64]);

impl Members {
    fn add(&mut self, vertex: u32) {
        self.0[vertex as usize / 64] |= 1 << (vertex % 64);
    }

    fn holds(&self, vertex: u32) -> bool {
        self.0[vertex as usize / 64] >> (vertex % 64) & 1 != 0
    }

    fn add_all(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }
}

/// Points in the order in which they are asked on which side of a plane they are: those that last showed one to cut the hull
/// first.
struct Witnesses {
    order: Vec<u32>,
    /// Heights below this, over the product of the lengths of two sides of the triangle, may be rounding (m).
    doubt: f32,
}

impl Witnesses {
    /// Heights above a plane by its unit normal n and by the cross product m of two sides at one corner are off by rounding: n by
    /// 9u over the sine of the triangle's largest angle, m by 5u over that at the corner, which is smaller, a height itself by
    /// 4u, u being ε/2. With distances of no more than `across` that is 9ε·`across`; 16 are allowed for.
    fn new(count: u32, slack: f32, across: f32) -> Self {
        Self { order: (0..count).collect(), doubt: 1.001 * slack + 16.0 * f32::EPSILON * across }
    }

    /// Whether points on both sides of the plane through a point and the ends of two ways from there are further from it than
    /// the slack for certain. `ways` lead from that point to all, with their lengths (m).
    fn cut(&mut self, ways: &[(Vec3, f32)], [b, c]: [(Vec3, f32); 2]) -> bool {
        let least = self.doubt * (b.1 * c.1);
        // Below, products leave the normal numbers.
        if least < 1.0e-30 {
            return false;
        }
        let cross = b.0.cross(c.0);
        let (mut above, mut below) = (None, None);
        for (place, &vertex) in self.order.iter().enumerate() {
            look(1);
            let height = cross.dot(ways[vertex as usize].0);
            if height > least {
                above = above.or(Some(place));
            } else if height < -least {
                below = below.or(Some(place));
            }
            if let (Some(one), Some(other)) = (above, below) {
                if one.max(other) > 1 {
                    self.order.swap(0, one.min(other));
                    self.order.swap(1, one.max(other));
                }
                return true;
            }
        }
        false
    }
}

/// Whether all points are within `slack` of a line or plane: that through the point furthest from the first, the one furthest
/// from that, and the one furthest from the line through the two.
fn is_flat(points: &[Vec3], slack: f32) -> bool {
    let Some(&first) = points.first() else {
        return true;
    };
    let furthest = |of: &dyn Fn(Vec3) -> f32| {
        points.iter().copied().fold(first, |most, point| if of(point) > of(most) { point } else { most })
    };
    let a = furthest(&|point| vector::length(point - first));
    let b = furthest(&|point| vector::length(point - a));
    let along = vector::unit_or(b - a, Vec3::ZERO);
    let beside = |point: Vec3| (point - a) - along * along.dot(point - a);
    let c = beside(furthest(&|point| vector::length(beside(point))));
    if vector::length(c) <= slack {
        return true;
    }
    let normal = along.cross(vector::unit_or(c, Vec3::ZERO));
    points.iter().all(|point| real::abs(normal.dot(*point - a)) <= slack)
}

/// The faces' polygons, counterclockwise from outside.
fn faces(points: &[Vec3]) -> Result<Vec<Vec<u32>>, ShapeError> {
    let middle = points.iter().fold(Vec3::ZERO, |sum, p| sum + *p) / real::from_count(len32(points).max(1));
    let spread: Vec<Vec3> = points.iter().map(|point| *point - middle).collect();
    // Rounding of coordinates is by their own size, not by that of the hull.
    let slack = ON_PLANE * real::max(radius(points), radius(&spread));
    if is_flat(points, slack) {
        return Err(ShapeError::NoVolume);
    }
    let count = len32(points);
    let at = |vertex: u32| points[vertex as usize];
    let mut witnesses = Witnesses::new(count, slack, 2.0 * radius(&spread));
    let mut faces: Vec<Vec<u32>> = Vec::new();
    // Points on each face's plane, those that are no corners included.
    let mut known: Vec<Members> = Vec::new();
    for a in 0..count {
        let mut known_here: Vec<Members> = known.iter().filter(|on| on.holds(a)).copied().collect();
        let way = |point: &Vec3| (*point - at(a), vector::length(*point - at(a)));
        let ways: Vec<(Vec3, f32)> = points.iter().map(way).collect();
        for b in a + 1..count {
            let mut is_done = Members::default();
            known_here.iter().filter(|on| on.holds(b)).for_each(|on| is_done.add_all(on));
            let to_b = ways[b as usize];
            for c in b + 1..count {
                if is_done.holds(c) {
                    continue;
                }
                if witnesses.cut(&ways, [to_b, ways[c as usize]]) {
                    continue;
                }
                let Some(normal) = normal([at(a), at(b), at(c)]) else {
                    continue;
                };
                look(points.len());
                let height = |vertex: u32| normal.dot(at(vertex) - at(a));
                let above = (0..count).any(|vertex| height(vertex) > slack);
                let below = (0..count).any(|vertex| height(vertex) < -slack);
                if above == below {
                    continue;
                }
                let outward = if above { -normal } else { normal };
                let on: Vec<u32> = (0..count).filter(|&vertex| real::abs(height(vertex)) <= slack).collect();
                faces.push(polygon(&on, points, outward));
                let mut members = Members::default();
                on.iter().for_each(|&vertex| members.add(vertex));
                is_done.add_all(&members);
                known_here.push(members);
                known.push(members);
            }
        }
    }
    if is_closed(&faces) { Ok(faces) } else { Err(ShapeError::Unclear) }
}

/// Unit normal of a triangle, by its two shorter sides; `None` where it is too flat to have one.
fn normal([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let squares = [ab.dot(ab), bc.dot(bc), ca.dot(ca)];
    let (u, v) = if squares[0] >= squares[1] && squares[0] >= squares[2] {
        (bc, ca)
    } else if squares[1] >= squares[2] {
        (ca, ab)
    } else {
        (ab, bc)
    };
    let unit = |v: Vec3| vector::unit_or(v, Vec3::ZERO);
    let cross = unit(u).cross(unit(v));
    (vector::length(cross) > FLATTEST).then(|| unit(cross))
}

/// The convex hull, in their plane, of points on a face; counterclockwise about the normal. Points between two others on an
/// edge are no corners.
///
/// Source: Andrew, *Another efficient algorithm for convex hulls in two dimensions* (1979).
fn polygon(on: &[u32], points: &[Vec3], normal: Vec3) -> Vec<u32> {
    let [x, y, z] = normal.to_array().map(real::abs);
    let other = if x <= y && x <= z {
        Vec3::X
    } else if y <= z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let across = vector::unit_or(other.cross(normal), Vec3::X);
    let along = normal.cross(across);
    let origin = points[on[0] as usize];
    let mut flat: Vec<(f32, f32, u32)> = on
        .iter()
        .map(|&vertex| {
            let out = points[vertex as usize] - origin;
            (out.dot(across), out.dot(along), vertex)
        })
        .collect();
    flat.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    // Whether b is on the left of the way from a to c, or so near it that it is no corner.
    let is_idle = |a: (f32, f32, u32), b: (f32, f32, u32), c: (f32, f32, u32)| {
        let (ux, uy, vx, vy) = (b.0 - a.0, b.1 - a.1, c.0 - a.0, c.1 - a.1);
        let lengths = vector::length(Vec3::new(ux, uy, 0.0)) * vector::length(Vec3::new(vx, vy, 0.0));
        ux * vy - uy * vx <= 1.0e-6 * lengths
    };
    let chain = |flat: &mut dyn Iterator<Item = (f32, f32, u32)>| {
        let mut chain: Vec<(f32, f32, u32)> = Vec::new();
        for point in flat {
            while chain.len() >= 2 && is_idle(chain[chain.len() - 2], chain[chain.len() - 1], point) {
                chain.pop();
            }
            chain.push(point);
        }
        // The last point begins the other chain.
        chain.pop();
        chain
    };
    let lower = chain(&mut flat.iter().copied());
    let upper = chain(&mut flat.iter().rev().copied());
    lower.into_iter().chain(upper).map(|point| point.2).collect()
}

/// Whether every side of a polygon is the side of one other, the other way round.
fn is_closed(faces: &[Vec<u32>]) -> bool {
    let sides = faces.iter().flat_map(|face| {
        face.iter().zip(face.iter().skip(1).chain(face.first())).map(|(from, to)| (*from, *to))
    });
    let mut sides: Vec<(u32, u32)> = sides.collect();
    sides.sort_unstable();
    let has_reverse = |&(from, to): &(u32, u32)| sides.binary_search(&(to, from)).is_ok();
    let all_once = sides.windows(2).all(|pair| pair[0] != pair[1]);
    faces.len() >= 4 && faces.iter().all(|face| face.len() >= 3) && all_once && sides.iter().all(has_reverse)
}

/// The plane of a polygon: its normal by the areas its sides span with its first corner, its distance that of the furthest
/// point, so that none is in front of it.
fn plane(face: &[u32], points: &[Vec3]) -> Plane {
    let at = |vertex: u32| points[vertex as usize];
    let first = at(face[0]);
    let spans = face.windows(2).map(|pair| (at(pair[0]) - first).cross(at(pair[1]) - first));
    let sum = spans.fold(Vec3::ZERO, |sum, span| sum + span);
    let normal = vector::unit_or(sum, Vec3::Y);
    let furthest = points.iter().fold(f32::NEG_INFINITY, |most, point| real::max(normal.dot(*point), most));
    Plane { normal: normal.to_array(), offset: furthest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::looked;
    use proptest::prelude::*;

    /// What [`faces`] says it does, without witnesses.
    fn plainly(points: &[Vec3], slack: f32) -> Vec<Vec<u32>> {
        let count = len32(points);
        let at = |vertex: u32| points[vertex as usize];
        let (mut faces, mut known): (Vec<Vec<u32>>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
            for c in b + 1..count {
                let Some(normal) = normal([at(a), at(b), at(c)]) else { continue };
                let height = |vertex: u32| normal.dot(at(vertex) - at(a));
                let above = (0..count).any(|vertex| height(vertex) > slack);
                let below = (0..count).any(|vertex| height(vertex) < -slack);
                let is_known = known.iter().any(|on| [a, b, c].iter().all(|vertex| on.contains(vertex)));
                if above != below && !is_known {
                    let on: Vec<u32> = (0..count).filter(|&v| real::abs(height(v)) <= slack).collect();
                    faces.push(polygon(&on, points, if above { -normal } else { normal }));
                    known.push(on);
                }
            }
        }
        faces
    }

    fn unit() -> impl Strategy<Value = Vec3> {
        proptest::array::uniform3(-1.0..1.0_f32).prop_map(Vec3::from_array)
    }

    /// Points of every unpleasant kind: on balls, on grids, nearly in plane, in needles, far from the origin.
    fn clouds() -> impl Strategy<Value = Vec<Vec3>> {
        let cloud = proptest::collection::vec(unit(), 4..28);
        (cloud, 0..6_u8, unit(), -12..3_i32).prop_map(|(cloud, kind, place, power)| {
            let grid = |p: Vec3, n: f32| (p * n).round() / n;
            let shaped = |p: Vec3| match kind {
                0 => vector::unit_or(p, Vec3::X),
                1 => grid(p, 2.0),
                2 => Vec3::new(p.x, p.y * 1e-5, p.z),
                3 => Vec3::new(p.x * 1e-3, p.y, p.z * 1e-3),
                4 => grid(p, 2.0) + p * 3e-6,
                _ => vector::unit_or(p, Vec3::X) + place * 1e3,
            };
            cloud.into_iter().map(|p| shaped(p) * 2.0_f32.powi(power)).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        #[test]
        fn witnesses_change_no_hull(cloud in clouds()) {
            let given: Vec<[f32; 3]> = cloud.iter().map(|p| p.to_array()).collect();
            let Ok((points, _)) = different(&given) else { return Ok(()) };
            let middle = points.iter().fold(Vec3::ZERO, |sum, p| sum + *p) / real::from_count(len32(&points));
            let spread: Vec<Vec3> = points.iter().map(|point| *point - middle).collect();
            let expected = plainly(&points, ON_PLANE * real::max(radius(&points), radius(&spread)));
            match faces(&points) {
                Ok(found) => prop_assert_eq!(found, expected),
                Err(ShapeError::Unclear) => prop_assert!(!is_closed(&expected)),
                Err(error) => {
                    prop_assert_eq!(error, ShapeError::NoVolume);
                    prop_assert!(!is_closed(&expected), "{:?} have a volume", points);
                }
            }
        }
    }

    /// As many points as there may be, of kinds that leave much to look at: a ball, a drum, a cube of lattice points, a cone
    /// with all its base in one plane, and points that are no hull.
    #[test]
    fn the_largest_hulls_are_no_work() {
        let turn = |share: f32| {
            let (sin, cos) = (share * std::f32::consts::TAU).sin_cos();
            Vec3::new(cos, 0.0, sin)
        };
        let real = |i: u32| i as f32;
        let ball = |i: u32| {
            let y = 1.0 - 2.0 * (real(i) + 0.5) / 256.0;
            turn(real(i) * 0.618_034) * (1.0 - y * y).sqrt() + Vec3::Y * y
        };
        let drum = |i: u32| turn(real(i / 2) / 128.0) + Vec3::Y * real(i % 2);
        let lattice = |i: u32| Vec3::new(real(i % 8), real(i / 8 % 8), real(i / 64));
        let cone = |i: u32| if i == 0 { Vec3::Y } else { turn(real(i) / 255.0) };
        let flat = |i: u32| Vec3::new(real(i % 16), 0.0, real(i / 16));
        let looks = |name: &str, at: &dyn Fn(u32) -> Vec3, expected: Option<usize>| {
            let points: Vec<Vec3> = (0..256).map(at).collect();
            looked::take();
            let found = faces(&points);
            let looked = looked::take();
            assert_eq!(found.ok().map(|faces| faces.len()), expected, "{name}");
            // Of 2,763,520 triples.
            assert!(looked < 10_000_000, "{name}: {looked}");
        };
        looks("ball", &ball, Some(508));
        looks("drum", &drum, Some(130));
        looks("lattice", &lattice, Some(6));
        looks("cone", &cone, Some(256));
        looks("flat", &flat, None);
    }
}
