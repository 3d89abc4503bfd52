//! From points to the words of their convex hull.
//!
//! Every three points whose plane has no other point in front of it lie on a face, whose polygon is the hull, in the plane,
//! of all points on it. That is slower than growing a hull point by point, cubic in their number, and has no case that
//! goes wrong by rounding: points in one plane need not be told apart from those nearly so.

use super::{ON_PLANE, ShapeError, at_most, checked, counts, header, put, radius};
use crate::Vec3;
use crate::bake::weld;
use crate::collide::hull::Plane;
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

/// The faces' polygons, counterclockwise from outside.
fn faces(points: &[Vec3]) -> Result<Vec<Vec<u32>>, ShapeError> {
    let middle = points.iter().fold(Vec3::ZERO, |sum, p| sum + *p) / real::from_count(len32(points).max(1));
    let spread: Vec<Vec3> = points.iter().map(|point| *point - middle).collect();
    // Rounding of coordinates is by their own size, not by that of the hull.
    let slack = ON_PLANE * real::max(radius(points), radius(&spread));
    let count = len32(points);
    let at = |vertex: u32| points[vertex as usize];
    let mut faces: Vec<Vec<u32>> = Vec::new();
    // Points on each face's plane, those that are no corners included.
    let mut known: Vec<Vec<u32>> = Vec::new();
    let mut has_volume = false;
    for a in 0..count {
        for b in a + 1..count {
            for c in b + 1..count {
                let triangle = [at(a), at(b), at(c)];
                let Some(normal) = normal(triangle) else {
                    continue;
                };
                let height = |vertex: u32| normal.dot(at(vertex) - triangle[0]);
                let (mut above, mut below) = (false, false);
                for vertex in 0..count {
                    above |= height(vertex) > slack;
                    below |= height(vertex) < -slack;
                    if above && below {
                        break;
                    }
                }
                has_volume |= above || below;
                if above == below || known.iter().any(|on| [a, b, c].iter().all(|vertex| on.contains(vertex)))
                {
                    continue;
                }
                let outward = if above { -normal } else { normal };
                let on: Vec<u32> = (0..count).filter(|&vertex| real::abs(height(vertex)) <= slack).collect();
                faces.push(polygon(&on, points, outward));
                known.push(on);
            }
        }
    }
    if !has_volume {
        return Err(ShapeError::NoVolume);
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
