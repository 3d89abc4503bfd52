//! The air at one moment as lines along its flow, or as arrows, on a slice through the scene.
//!
//! Lines are evenly spaced (Jobard and Lefer 1997, "Creating evenly-spaced streamlines of arbitrary density"): the first goes through the
//! slice's middle, others start a distance beside those that are there, and each ends where it would come within half that distance of
//! another. They are followed along the part u of the velocity that is within the slice, by the midpoint rule along u/|u| in steps of an
//! eighth of the distance, and carry the velocity itself. Where air goes through the slice there is no line; arrows show it.

use std::collections::{BTreeMap, VecDeque};

use crate::pose::{Bounds, add, cross, length, narrow, scaled, sub};
use crate::scene::AirView;

/// Lines, or arrows, over the longer side of the slice.
const ACROSS: f64 = 20.0;
/// Steps of a line over the distance between lines.
const STEPS: f64 = 8.0;
/// How near a line may come to another, as a share of the distance between lines.
const NEAREST: f64 = 0.5;
/// What is slower than this share of the fastest is still air.
const STILL: f64 = 0.01;
/// The longest line, over the diagonal of the box.
const LONGEST: f64 = 2.0;
/// The shortest line, over the distance between lines.
const SHORTEST: f64 = 3.0;

/// A line along the flow, from where the air comes from; of one point where arrows are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Streamline {
    /// Points along it (m).
    pub points: Vec<[f32; 3]>,
    /// The air's velocity at each of them (m/s).
    pub velocities: Vec<[f32; 3]>,
}

/// A plane through a box, across one of the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// The box: lines do not leave it along the plane (m).
    pub bounds: Bounds,
    /// The axis that the plane is across: 0 is X.
    pub axis: usize,
    /// Where on that axis it is (m).
    pub at: f64,
}

impl Slice {
    /// The distance between lines, or arrows (m).
    pub fn spacing(&self) -> f64 {
        let [first, second] = self.along().map(|axis| self.size(axis));
        (if first > second { first } else { second }) / ACROSS
    }

    /// The axes within the plane.
    fn along(&self) -> [usize; 2] {
        [(self.axis + 1) % 3, (self.axis + 2) % 3]
    }

    fn size(&self, axis: usize) -> f64 {
        self.bounds.high[axis] - self.bounds.low[axis]
    }

    /// The middle of the slice (m).
    pub fn middle(&self) -> [f64; 3] {
        let mut middle = scaled(add(self.bounds.low, self.bounds.high), 0.5);
        middle[self.axis] = self.at;
        middle
    }

    /// A grid of points on the slice about its middle, each a spacing from the next (m).
    fn grid(&self) -> Vec<[f64; 3]> {
        let (spacing, middle) = (self.spacing(), self.middle());
        let [first, second] = self.along();
        #[expect(clippy::cast_possible_truncation, reason = "at most half of ACROSS")]
        let steps = |axis: usize| (0.5 * self.size(axis) / spacing + 1e-9) as i32;
        let mut points = Vec::new();
        for row in -steps(second)..=steps(second) {
            for column in -steps(first)..=steps(first) {
                let mut point = middle;
                point[first] += f64::from(column) * spacing;
                point[second] += f64::from(row) * spacing;
                points.push(point);
            }
        }
        points
    }

    fn holds(&self, point: [f64; 3]) -> bool {
        self.along()
            .iter()
            .all(|axis| (self.bounds.low[*axis]..=self.bounds.high[*axis]).contains(&point[*axis]))
    }

    /// The part of a velocity that is along the slice.
    fn flat(&self, mut velocity: [f64; 3]) -> [f64; 3] {
        velocity[self.axis] = 0.0;
        velocity
    }

    /// The air on the slice, as `sample` tells its velocity (m/s) at points of the world (m). Where it is still there is nothing.
    pub fn trace(
        &self,
        view: AirView,
        mut sample: impl FnMut(&[[f64; 3]]) -> Vec<[f64; 3]>,
    ) -> Vec<Streamline> {
        let grid = self.grid();
        let there = sample(&grid);
        let fastest = there.iter().map(|velocity| length(*velocity)).fold(0.0, f64::max);
        let moves = |velocity: &[f64; 3]| length(*velocity) > STILL * fastest;
        match view {
            AirView::None => Vec::new(),
            AirView::Arrows => grid
                .into_iter()
                .zip(there)
                .filter(|(_, velocity)| moves(velocity))
                .map(|(point, velocity)| Streamline {
                    points: vec![narrow(point)],
                    velocities: vec![narrow(velocity)],
                })
                .collect(),
            AirView::Lines => {
                let mut tracer = Tracer {
                    slice: self,
                    sample: &mut sample,
                    spacing: self.spacing(),
                    still: STILL * fastest,
                    taken: BTreeMap::new(),
                };
                tracer.lines(grid)
            }
        }
    }
}

/// A point and the velocity there.
type Met = ([f64; 3], [f64; 3]);

/// Lines while they are drawn.
struct Tracer<'a, S> {
    slice: &'a Slice,
    sample: &'a mut S,
    spacing: f64,
    /// What is no faster is still (m/s).
    still: f64,
    /// Points of lines by the cell they are in, which is as wide as lines are apart.
    taken: BTreeMap<[i64; 3], Vec<[f64; 3]>>,
}

impl<S: FnMut(&[[f64; 3]]) -> Vec<[f64; 3]>> Tracer<'_, S> {
    /// Lines beside lines, and then from whatever points of the grid none came near.
    fn lines(&mut self, grid: Vec<[f64; 3]>) -> Vec<Streamline> {
        let mut lines = Vec::new();
        let mut starts = VecDeque::from([self.slice.middle()]);
        let mut rest = grid.into_iter();
        while let Some(start) = starts.pop_front().or_else(|| rest.next()) {
            // A line's own distance from its neighbour is one spacing but for rounding.
            if !self.slice.holds(start) || self.is_near(start, 0.98 * self.spacing) {
                continue;
            }
            let line = self.line(start);
            let reach = line.windows(2).map(|pair| length(sub(pair[1].0, pair[0].0))).sum::<f64>();
            if reach < SHORTEST * self.spacing {
                continue;
            }
            for (point, velocity) in line.iter().step_by(4) {
                self.taken.entry(self.cell(*point)).or_default().push(*point);
                let mut normal = [0.0; 3];
                normal[self.slice.axis] = 1.0;
                let aside = cross(normal, *velocity);
                let size = length(aside);
                for side in [self.spacing, -self.spacing] {
                    starts.push_back(add(*point, scaled(aside, side / size)));
                }
            }
            lines.push(Streamline {
                points: line.iter().map(|(point, _)| narrow(*point)).collect(),
                velocities: line.iter().map(|(_, velocity)| narrow(*velocity)).collect(),
            });
        }
        lines
    }

    /// The line through a point, both ways.
    fn line(&mut self, start: [f64; 3]) -> Vec<Met> {
        let mut line = self.half(start, -1.0, &[]);
        let ahead = self.half(start, 1.0, &line);
        line.reverse();
        line.extend(ahead.into_iter().skip(1));
        line
    }

    /// The line from a point on, with the flow or against it; what it has the other way is known then.
    fn half(&mut self, start: [f64; 3], sense: f64, other: &[Met]) -> Vec<Met> {
        let step = self.spacing / STEPS;
        let diagonal = length(sub(self.slice.bounds.high, self.slice.bounds.low));
        let mut line: Vec<Met> = Vec::new();
        let (mut at, mut gone) = (start, 0.0);
        while self.slice.holds(at) && gone < 0.5 * LONGEST * diagonal {
            let velocity = self.velocity(at);
            let flat = self.slice.flat(velocity);
            let speed = length(flat);
            let ends = self.is_near(at, NEAREST * self.spacing) || self.comes_round(&line, other, at);
            if speed <= self.still || ends {
                break;
            }
            line.push((at, velocity));
            let middle = self.velocity(add(at, scaled(flat, 0.5 * sense * step / speed)));
            let middle = self.slice.flat(middle);
            let along = length(middle);
            if along <= self.still {
                break;
            }
            at = add(at, scaled(middle, sense * step / along));
            gone += step;
        }
        line
    }

    /// Whether a line is back where it was, as in an eddy: it has gone on so far from its start, and so far the other way.
    fn comes_round(&self, line: &[Met], other: &[Met], at: [f64; 3]) -> bool {
        // What lies right behind is near anyway.
        const BEHIND: usize = 16;
        let own = &line[..line.len().saturating_sub(BEHIND)];
        let other = &other[BEHIND.saturating_sub(line.len()).min(other.len())..];
        let mut met = own.iter().chain(other).step_by(2);
        met.any(|(point, _)| length(sub(*point, at)) < 0.5 * NEAREST * self.spacing)
    }

    fn velocity(&mut self, at: [f64; 3]) -> [f64; 3] {
        (self.sample)(&[at]).first().copied().unwrap_or_default()
    }

    #[expect(clippy::cast_possible_truncation, reason = "a box has no more cells than lines have steps")]
    fn cell(&self, point: [f64; 3]) -> [i64; 3] {
        sub(point, self.slice.bounds.low).map(|x| (x / self.spacing).floor() as i64)
    }

    /// Whether a line that is there comes within a distance of a point, which is at most a spacing.
    fn is_near(&self, point: [f64; 3], reach: f64) -> bool {
        let [x, y, z] = self.cell(point);
        let around = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
        let mut cells = around.filter_map(|cell| self.taken.get(&cell));
        cells.any(|points| points.iter().any(|there| length(sub(*there, point)) < reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice() -> Slice {
        Slice { bounds: Bounds { low: [-1.0, -0.5, -1.0], high: [1.0, 0.5, 1.0] }, axis: 1, at: 0.1 }
    }

    fn each(field: impl Fn([f64; 3]) -> [f64; 3]) -> impl Fn(&[[f64; 3]]) -> Vec<[f64; 3]> {
        move |points| points.iter().map(|point| field(*point)).collect()
    }

    #[test]
    fn lines_of_a_uniform_wind_are_straight_and_evenly_apart() {
        for direction in [[3.0, 0.0, 0.0], [2.0, 0.0, -1.0]] {
            let slice = slice();
            let lines = slice.trace(AirView::Lines, each(|_| direction));
            assert!(lines.len() >= 14, "{}", lines.len());
            let unit = scaled(direction, 1.0 / length(direction));
            let mut across: Vec<f64> = Vec::new();
            for line in &lines {
                let sides = line.points.iter().map(|point| cross(unit, point.map(f64::from))[1]);
                let (low, high) =
                    sides.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
                assert!(high - low < 1e-5 && line.points.iter().all(|point| (point[1] - 0.1).abs() < 1e-6));
                across.push(low);
            }
            across.sort_by(f64::total_cmp);
            let gaps: Vec<f64> =
                across.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 1e-4).collect();
            assert!(gaps.iter().all(|gap| *gap > 0.9 * slice.spacing()), "{gaps:?}");
            assert!(gaps.iter().all(|gap| *gap < 2.1 * slice.spacing()), "{gaps:?}");
        }
    }

    #[test]
    fn a_line_in_a_vortex_keeps_its_radius_and_ends() {
        let lines = slice().trace(AirView::Lines, each(|[x, _, z]| [z, 0.0, -x]));
        assert!(lines.len() > 5);
        for line in &lines {
            let radii = line.points.iter().map(|[x, _, z]| x.hypot(*z));
            let (low, high) = radii.fold((f32::MAX, f32::MIN), |(low, high), r| (low.min(r), high.max(r)));
            assert!(high - low < 0.01 * high, "{low} to {high}");
            let length: f32 = line
                .points
                .windows(2)
                .map(|pair| {
                    let [a, b] = [pair[0], pair[1]];
                    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
                })
                .sum();
            assert!(length < 1.2 * core::f32::consts::TAU * high, "goes round more than once");
        }
    }

    #[test]
    fn still_air_has_no_lines_and_a_still_part_has_none() {
        for view in [AirView::Lines, AirView::Arrows] {
            assert!(slice().trace(view, each(|_| [0.0; 3])).is_empty());
            let half = slice().trace(view, each(|[x, ..]| if x > 0.0 { [0.0, 0.0, 2.0] } else { [0.0; 3] }));
            assert!(!half.is_empty());
            assert!(half.iter().flat_map(|line| &line.points).all(|[x, ..]| *x > 0.0));
        }
        assert!(slice().trace(AirView::None, each(|_| [1.0, 0.0, 0.0])).is_empty());
        assert!(slice().trace(AirView::Lines, |_: &[[f64; 3]]| Vec::new()).is_empty());
    }

    #[test]
    fn arrows_stand_on_a_grid_and_tell_the_velocity() {
        let arrows = slice().trace(AirView::Arrows, each(|[x, _, z]| [1.0 + x, 2.0, z]));
        assert_eq!(arrows.len(), 21 * 21);
        for arrow in &arrows {
            let ([x, y, z], [u, v, w]) = (arrow.points[0], arrow.velocities[0]);
            assert!(
                (y - 0.1).abs() < 1e-6
                    && (u - 1.0 - x).abs() < 1e-6
                    && (v - 2.0).abs() < 1e-6
                    && (w - z).abs() < 1e-6
            );
        }
    }
}
