//! The air in a picture: streamlines as ribbons that widen with the flow, with heads like arrows, coloured by speed.
//!
//! They are drawn over what is there, sample by sample, where they are not behind it. In front of cloth and solids they are faint, so
//! that these can be seen.

use glam::{Vec2, Vec3};

use super::camera::{Camera, Seen};
use super::colour;
use super::raster::{Samples, cover};
use crate::run::Streamline;

/// Width of a ribbon at its end, of a picture of 400 pixels (pixels).
const WIDTH: f32 = 2.2;
/// Its width where it begins, over that.
const TAIL: f32 = 0.35;
/// Length of a head, over the spacing of lines.
const HEAD: f32 = 0.34;
/// Width of a head, over its length.
const BROAD: f32 = 0.62;
/// Lines have a head every so many spacings.
const HEADS: f32 = 4.5;
/// The longest arrow, over the spacing of arrows.
const ARROW: f32 = 0.95;
/// How much of what is behind a ribbon it hides: the ground and the sky; cloth and solids.
const HIDES: [f32; 2] = [0.85, 0.3];
/// A ribbon this much farther than a surface is on it still.
const ON: f32 = 1.002;

/// Air to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Air<'a> {
    /// Lines, and arrows where they have one point.
    pub lines: &'a [Streamline],
    /// Distance between lines (m).
    pub spacing: f32,
    /// The speed that is the scale's end (m/s).
    pub full_scale: f32,
    /// The height of the ground, under which there is none to be seen (m).
    pub ground: f32,
}

/// What the samples of a picture see of the air: a colour, and how much of what is behind it hides.
#[derive(Clone, Debug)]
pub struct Veil {
    /// Of each sample the share of the scale and of what is hidden in 255ths; none hidden where there is no air.
    seen: Vec<[u8; 2]>,
    nearness: Vec<f32>,
}

impl Veil {
    /// The air in front of what samples see.
    pub fn new(air: &Air<'_>, camera: &Camera, width: usize, samples: &Samples) -> Self {
        let count = samples.all.len();
        let veil = Self { seen: vec![[0; 2]; count], nearness: vec![0.0; count] };
        let pixel = width as f32 / 400.0 * samples.scale;
        let mut pen =
            Pen { air, camera, samples, veil, half_width: (0.5 * WIDTH * pixel).max(0.3 * samples.scale) };
        for line in air.lines {
            pen.line(line);
        }
        pen.veil
    }

    /// What a sample sees in place of what is behind (linear light).
    pub fn over(&self, sample: usize, behind: Vec3) -> Vec3 {
        match self.seen.get(sample) {
            Some([share, hidden]) if *hidden > 0 => {
                let air = colour::air(f32::from(*share) / 255.0);
                behind.lerp(air, f32::from(*hidden) / 255.0)
            }
            _ => behind,
        }
    }
}

/// A point of a ribbon in the picture.
#[derive(Clone, Copy)]
struct Place {
    seen: Seen,
    /// How high it is (m).
    height: f32,
    /// Speed over the scale's end.
    share: f32,
}

struct Pen<'a> {
    air: &'a Air<'a>,
    camera: &'a Camera,
    samples: &'a Samples,
    veil: Veil,
    /// Half of a ribbon's width at its end (samples): three fifths of a pixel wide at least, or small pictures would show nothing.
    half_width: f32,
}

impl Pen<'_> {
    fn place(&self, at: Vec3, velocity: Vec3) -> Place {
        let share = velocity.length() / self.air.full_scale;
        Place { height: at.y, seen: self.camera.see(at, self.samples.scale), share }
    }

    fn line(&mut self, line: &Streamline) {
        let met = line.points.iter().zip(&line.velocities);
        let met: Vec<(Vec3, Vec3)> = met.map(|(at, v)| (Vec3::from(*at), Vec3::from(*v))).collect();
        if let [(at, velocity)] = met[..] {
            self.arrow(at, velocity);
            return;
        }
        let places: Vec<Place> = met.iter().map(|(at, velocity)| self.place(*at, *velocity)).collect();
        self.ribbon(&places, 1.0);
        let (every, head) = (HEADS * self.air.spacing, HEAD * self.air.spacing);
        let length: f32 = met.windows(2).map(|pair| pair[0].0.distance(pair[1].0)).sum();
        // Evenly along the line, the last of them at its end.
        let count = (length / every).round().max(1.0);
        let (mut gone, mut next) = (0.0, length / count - 1e-3 * head);
        for pair in met.windows(2) {
            gone += pair[0].0.distance(pair[1].0);
            if gone >= next {
                next += length / count;
                let along = pair[1].1.normalize_or(Vec3::X);
                self.head(pair[1].0 + along * (0.5 * head), pair[1].1, head);
            }
        }
    }

    /// An arrow about a point, as long as the air there is fast.
    fn arrow(&mut self, at: Vec3, velocity: Vec3) {
        let share = (velocity.length() / self.air.full_scale).clamp(0.0, 1.0);
        let along = velocity.normalize_or(Vec3::X) * (ARROW * self.air.spacing * share);
        let head = (HEAD * self.air.spacing).min(0.6 * along.length());
        let tip = at + along * 0.5;
        let neck = tip - along.normalize_or(Vec3::X) * (0.6 * head);
        let shaft = [at - along * 0.5, neck].map(|at| self.place(at, velocity));
        self.ribbon(&shaft, 0.8);
        self.head(tip, velocity, head);
    }

    /// A ribbon along points, which faces the eye.
    fn ribbon(&mut self, places: &[Place], width: f32) {
        let last = places.len().saturating_sub(1);
        let flat = |place: &Place| Vec2::new(place.seen.x, place.seen.y);
        let mut before: Option<[Seen; 2]> = None;
        for (index, place) in places.iter().enumerate() {
            let along = flat(&places[(index + 1).min(last)]) - flat(&places[index.saturating_sub(1)]);
            if place.height < self.air.ground {
                before = None;
                continue;
            }
            let share = index as f32 / last.max(1) as f32;
            let half = self.half_width * width * (TAIL + (1.0 - TAIL) * share);
            let aside = along.normalize_or(Vec2::X).perp() * half;
            let sides = [aside, -aside].map(|aside| Seen {
                x: place.seen.x + aside.x,
                y: place.seen.y + aside.y,
                nearness: place.seen.nearness,
            });
            if let Some(before) = before {
                self.paint([before[0], before[1], sides[0]], place.share);
                self.paint([before[1], sides[1], sides[0]], place.share);
            }
            before = Some(sides);
        }
    }

    /// A head whose tip is at a point.
    fn head(&mut self, tip: Vec3, velocity: Vec3, length: f32) {
        let along = velocity.normalize_or(Vec3::X);
        let aside = along.cross(self.camera.eye - tip).normalize_or(Vec3::Y) * (0.5 * BROAD * length);
        let base = tip - along * length;
        let corners = [tip, base + aside, base - aside].map(|corner| self.place(corner, velocity));
        if corners.iter().any(|corner| corner.height < self.air.ground) {
            return;
        }
        self.paint(corners.map(|corner| corner.seen), corners[0].share);
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
    fn paint(&mut self, corners: [Seen; 3], share: f32) {
        let byte = |share: f32| (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let Self { samples, veil, .. } = self;
        cover(corners, samples.width, samples.height(), |at, _, nearness| {
            let behind = samples.all[at];
            if nearness * ON < behind.nearness || nearness <= veil.nearness[at] {
                return;
            }
            veil.nearness[at] = nearness;
            veil.seen[at] = [byte(share), byte(HIDES[usize::from(behind.is_something())])];
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::View;

    const PIXELS: usize = 200;

    /// What a picture of 200 pixels sees of a line through x = −1…1 at a place: hidden shares of the samples that it covers.
    fn seen(line: &Streamline, wall: f32, ground: f32) -> Vec<u8> {
        let view = View { azimuth: 0.0, elevation: 0.0, tile: 200, ..View::default() };
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let (camera, height) = Camera::framing(&view, corners.into_iter());
        let samples = Samples::of(camera.see(Vec3::ZERO, 1.0).nearness * wall, PIXELS, height);
        let lines = core::slice::from_ref(line);
        let air = Air { lines, spacing: 0.3, full_scale: 4.0, ground };
        let veil = Veil::new(&air, &camera, PIXELS, &samples);
        veil.seen.iter().filter(|[_, hidden]| *hidden > 0).map(|[_, hidden]| *hidden).collect()
    }

    fn line(points: usize, height: f32) -> Streamline {
        let at = |index: usize| [2.0 * index as f32 / (points.max(2) - 1) as f32 - 1.0, height, 0.0];
        Streamline { points: (0..points).map(at).collect(), velocities: vec![[2.0, 0.0, 0.0]; points] }
    }

    #[test]
    fn what_is_in_front_is_seen_through_and_what_is_behind_is_not_seen() {
        for line in [line(20, 0.3), line(1, 0.3)] {
            let [open, on, behind] = [0.0, 0.9, 1.1].map(|wall| seen(&line, wall, -5.0));
            assert!(open.len() > 50 && on.len() == open.len(), "{} and {}", open.len(), on.len());
            assert!(open.iter().all(|hidden| *hidden > 200) && on.iter().all(|hidden| *hidden < 100));
            assert!(behind.is_empty());
            assert!(seen(&line, 0.0, 0.5).is_empty(), "under the ground");
        }
    }

    #[test]
    fn a_line_has_heads_and_an_arrow_is_as_long_as_the_air_is_fast() {
        let slow = Streamline { velocities: vec![[0.5, 0.0, 0.0]], ..line(1, 0.0) };
        let (slow, fast) = (seen(&slow, 0.0, -5.0).len(), seen(&line(1, 0.0), 0.0, -5.0).len());
        assert!(slow > 0 && 2 * slow < fast, "{slow} and {fast}");
        let (short, long) = (line(20, 0.0), line(40, 0.0));
        let half =
            Streamline { points: long.points[20..].to_vec(), velocities: long.velocities[20..].to_vec() };
        let (half, whole) = (seen(&half, 0.0, -5.0).len(), seen(&short, 0.0, -5.0).len());
        assert!(half < whole && half > whole / 3, "{half} and {whole}");
    }

    #[test]
    fn a_line_of_nothing_draws_nothing() {
        assert!(seen(&Streamline::default(), 0.0, -5.0).is_empty());
    }
}
