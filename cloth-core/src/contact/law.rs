//! Contact: C = φ(x) − offset ≥ 0, hard, and Coulomb friction, at the level of positions.
//!
//! φ is a collider's signed distance and *offset* the cloth's thickness plus the collider's inflation. Everything is seen
//! by the collider as it stands when the substep ends: a particle that was at x₀ when it began counts as having been at
//! `start`, where x₀ would be now had the collider carried it along. What is left, now − start, is motion relative to the
//! surface, however the collider moves and turns.
//!
//! - A particle that began outside is stopped where its way meets the surface φ = offset. The way is followed by sphere
//!   tracing (Hart 1996): φ changes by no more than the distance gone, so steps of φ − offset never overshoot, and a
//!   collider that is crossed whole within a substep is met on the side the particle came from.
//! - One that began inside is brought out, no faster than a **recovery** for each substep, and without the speed that the
//!   difference of positions would give it: where the substep began is moved along.
//! - Of the way along the surface, friction takes back up to μ times the way that the surface took from the particle
//!   against its normal n. Both are impulses times h/m, so this is Coulomb's ‖F_t‖ ≤ μ·F_n in each substep, impacts
//!   included, and a particle that sticks is exactly where the collider has carried it.
//!
//! There is no multiplier: a load that rests is met anew in each substep, in full, and nothing is inherited by a surface
//! that takes another's place.

use crate::Vec3;
use crate::collide::Surface;
use crate::math::{real, vector};

/// Steps along a particle's way before it counts as having met the surface where it is.
const TRACE_STEPS: u32 = 24;

/// Share of the offset that a traced way may end above the surface (1).
const TRACE_TOLERANCE: f32 = 1.0e-3;

/// A substep's way of a point, as the collider sees it.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Where the point would be now, had the collider carried it (m).
    pub start: Vec3,
    /// Where it is (m).
    pub now: Vec3,
}

/// How a surface is met.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// How far from it a point is kept (m).
    pub offset: f32,
    /// How far a point that began inside may be brought out (m).
    pub recovery: f32,
    /// Whether φ is the distance from a convex shape.
    pub is_convex: bool,
}

/// What a surface does to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Unit normal out of the surface.
    pub normal: Vec3,
    /// How far the point is moved (m).
    pub push: Vec3,
    /// How much of it brings a point out that began inside (m).
    pub recovered: f32,
    /// How far along the normal the surface stopped the point (m): normal impulse times h/m.
    pub stopped: f32,
}

impl Meeting {
    /// What friction takes back of the way (m), and by how much the point counts as having begun elsewhere (m).
    #[inline]
    pub fn grip(&self, way: Way, coefficient: f32) -> (Vec3, Vec3) {
        let shift = self.normal * self.recovered;
        let slid = way.now + self.push - (way.start + shift);
        (friction(slid, self.normal, coefficient, self.stopped), shift)
    }
}

/// Where a way meets the surface φ = `offset`, if it does.
///
/// `recovery` is how far a point that began inside may be brought out (m). Of a convex shape φ is a convex function, which
/// lies above its tangents; where those of the two ends of the way meet above zero, nothing need be traced.
#[inline]
pub fn meet(
    distance: impl Fn(Vec3) -> Surface,
    way: Way,
    end: Surface,
    Reach { offset, recovery, is_convex }: Reach,
) -> Option<Meeting> {
    let path = way.now - way.start;
    let length = vector::length(path);
    let after = end.distance - offset;
    if after >= length {
        return None;
    }
    let begin = distance(way.start);
    let before = begin.distance - offset;
    // Deeper than one is brought out from: there is no telling how it got there.
    if !real::is_finite(before) {
        return None;
    }
    if after >= 0.0 && before + after >= length {
        return None;
    }
    let same_side = begin.normal.dot(end.normal) > 0.0;
    if before < 0.0 {
        let normal = if same_side { end.normal } else { begin.normal };
        let reached = if same_side { after } else { before + normal.dot(path) };
        let recovery = real::min(-before, recovery);
        let missing = before + recovery - reached;
        if missing <= 0.0 {
            return None;
        }
        let recovered = real::min(missing, recovery);
        return Some(Meeting { normal, push: normal * missing, recovered, stopped: missing - recovered });
    }
    if after < 0.0 && begin.normal.dot(end.normal) > 0.5 {
        let stopped = -after;
        return Some(Meeting { normal: end.normal, push: end.normal * stopped, recovered: 0.0, stopped });
    }
    if is_convex && after >= 0.0 && lowest(begin.normal.dot(path), before, end.normal.dot(path), after) >= 0.0
    {
        return None;
    }
    let hit = trace(&distance, way.start, path, length, before, offset);
    let height = hit.as_ref().map_or(0.0, |hit| hit.normal.dot(way.now - hit.point) + hit.above);
    // What leaves one face of a hollow may have gone into another.
    if height >= 0.0 && after >= 0.0 {
        return None;
    }
    let facing = hit.map_or(end.normal, |hit| hit.normal);
    let mut push = facing * real::max(-height, 0.0);
    // Behind an edge or on the far side of a curve the plane through the hit is not all there is.
    let left = distance(way.now + push);
    if left.distance < offset {
        push += left.normal * (offset - left.distance);
    }
    let stopped = vector::length(push);
    let normal = vector::unit_or(push, facing);
    Some(Meeting { normal, push, recovered: 0.0, stopped })
}

/// A bound below which a convex function does not go between 0, where it is `before` and changes by `down`, and 1, where it is
/// `after` and changes by `up`.
fn lowest(down: f32, before: f32, up: f32, after: f32) -> f32 {
    if down >= 0.0 {
        return before;
    }
    if up <= 0.0 {
        return after;
    }
    before + down * ((before - after + up) / (up - down))
}

struct Hit {
    point: Vec3,
    normal: Vec3,
    /// How far above φ = offset it is (m).
    above: f32,
}

/// The first point of the way, from outside, that is on the surface φ = `offset` to a thousandth of it.
fn trace(
    distance: &impl Fn(Vec3) -> Surface,
    start: Vec3,
    path: Vec3,
    length: f32,
    before: f32,
    offset: f32,
) -> Option<Hit> {
    let mut gone = 0.0;
    let mut above = before;
    let mut hit = None;
    for _ in 0..TRACE_STEPS {
        gone += above;
        if gone >= length {
            return None;
        }
        let point = start + path * (gone / length);
        let surface = distance(point);
        above = surface.distance - offset;
        hit = Some(Hit { point, normal: surface.normal, above });
        let least = offset * TRACE_TOLERANCE;
        if above <= least && surface.normal.dot(path) < 0.0 {
            break;
        }
        // Along the surface or away from it: nothing has been met there.
        above = real::max(above, least);
    }
    hit
}

/// What friction takes back of a way along the surface (m): up to μ·`stopped` of `way`'s part across `normal`.
#[inline]
fn friction(way: Vec3, normal: Vec3, coefficient: f32, stopped: f32) -> Vec3 {
    let along = way - normal * normal.dot(way);
    let slip = vector::length(along);
    let most = coefficient * stopped;
    if slip <= most { along } else { along * (most / slip) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Above two planes that meet in a valley along Z at the origin, each rising by 3/4.
    fn valley(point: Vec3) -> Surface {
        let sides = [Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.6, 0.8, 0.0)];
        let [one, other] = sides.map(|normal| Surface { distance: normal.dot(point), normal, feature: 0 });
        if one.distance < other.distance { one } else { other }
    }

    #[test]
    fn what_leaves_one_side_of_a_hollow_is_met_by_the_other() {
        // On the left slope, going right and through the other one.
        let start = Vec3::new(-0.4, 0.3, 0.0) + Vec3::new(0.6, 0.8, 0.0) * 0.01;
        for now in [Vec3::new(0.45, 0.31, 0.0), Vec3::new(1.5, 0.5, 0.0)] {
            let end = valley(now);
            assert!(end.distance < 0.0);
            let meeting = meet(
                valley,
                Way { start, now },
                end,
                Reach { offset: 0.01, recovery: 1.0, is_convex: false },
            )
            .expect("it is met");
            assert!(valley(now + meeting.push).distance > 0.0, "{meeting:?}");
        }
    }

    /// A ball of radius 1 about the origin.
    fn ball(point: Vec3) -> Surface {
        Surface { distance: vector::length(point) - 1.0, normal: vector::unit_or(point, Vec3::Y), feature: 0 }
    }

    /// The half space below y = 0.
    fn floor(point: Vec3) -> Surface {
        Surface { distance: point.y, normal: Vec3::Y, feature: 0 }
    }

    fn met(surface: fn(Vec3) -> Surface, start: Vec3, now: Vec3, offset: f32) -> Option<Meeting> {
        meet(surface, Way { start, now }, surface(now), Reach { offset, recovery: 0.01, is_convex: true })
    }

    #[test]
    fn what_stays_away_meets_nothing() {
        assert_eq!(met(floor, Vec3::new(0.0, 0.5, 0.0), Vec3::new(1.0, 0.2, 0.0), 0.1), None);
        // Past the ball, however far the way.
        assert_eq!(met(ball, Vec3::new(-5.0, 1.2, 0.0), Vec3::new(5.0, 1.2, 0.0), 0.1), None);
    }

    #[test]
    fn a_fall_ends_on_the_offset_and_is_stopped_by_what_was_missing() {
        let meeting =
            met(floor, Vec3::new(0.0, 0.15, 0.0), Vec3::new(0.0, 0.05, 0.0), 0.1).expect("it is below");
        assert!((meeting.push - Vec3::Y * 0.05).length() < 1e-6 && meeting.recovered == 0.0);
        assert!((meeting.stopped - 0.05).abs() < 1e-6);
    }

    #[test]
    fn a_ball_that_is_crossed_whole_is_met_on_the_near_side() {
        for height in [0.0, 0.3, -0.7] {
            let (start, now) = (Vec3::new(-4.0, height, 0.1), Vec3::new(4.0, height, 0.1));
            let meeting = met(ball, start, now, 0.1).expect("it is in the way");
            let left = now + meeting.push;
            assert!(ball(left).distance >= 0.1 - 2e-4, "{height}: {left}");
            // It keeps its way along the surface, so a glancing one ends beside the ball.
            let aside = real::abs(height) > 0.5;
            assert!((left.x < 0.0 || aside) && meeting.normal.x < 0.0, "{height}: {left}");
        }
    }

    #[test]
    fn what_passes_a_convex_shape_is_known_by_its_tangents() {
        // x² − 1/4 about 1/2: tangents at 0 and 1 meet at −1/2 below its least, −1/4; a line is its own tangent.
        assert!((lowest(-1.0, 0.0, 1.0, 0.0) + 0.5).abs() < 1e-6);
        assert!((lowest(-1.0, 2.0, 3.0, 2.5) - 1.375).abs() < 1e-6);
        assert!((lowest(0.1, 0.5, 0.1, 0.6) - 0.5).abs() < 1e-6);
        assert!((lowest(-0.1, 0.5, -0.1, 0.4) - 0.4).abs() < 1e-6);
    }

    #[test]
    fn what_began_inside_comes_out_slowly_and_without_an_impulse() {
        let deep = Vec3::new(0.0, -0.5, 0.0);
        let meeting = met(floor, deep, deep, 0.1).expect("it is inside");
        assert!((meeting.push - Vec3::Y * 0.01).length() < 1e-6, "{meeting:?}");
        assert!((meeting.recovered - 0.01).abs() < 1e-6 && meeting.stopped.abs() < 1e-6);
        // What goes deeper meanwhile is stopped for that.
        let meeting = met(floor, deep, deep - Vec3::Y * 0.02, 0.1).expect("it is inside");
        assert!((meeting.stopped - 0.02).abs() < 1e-6 && (meeting.recovered - 0.01).abs() < 1e-6);
        // And what leaves faster than that is left alone.
        assert_eq!(met(floor, deep, deep + Vec3::Y * 0.02, 0.1), None);
    }

    #[test]
    fn friction_takes_back_a_slide_up_to_its_cone() {
        let way = Vec3::new(0.3, -0.1, 0.4);
        let all = friction(way, Vec3::Y, 2.0, 1.0);
        assert!((all - Vec3::new(0.3, 0.0, 0.4)).length() < 1e-6);
        let some = friction(way, Vec3::Y, 0.5, 0.2);
        assert!(
            (vector::length(some) - 0.1).abs() < 1e-6 && some.cross(Vec3::new(0.3, 0.0, 0.4)).length() < 1e-6
        );
        assert_eq!(friction(Vec3::ZERO, Vec3::Y, 0.0, 0.0), Vec3::ZERO);
    }
}
