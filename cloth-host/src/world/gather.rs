//! Which bodies a cloth may meet in its next step, as it sees them.

mod saved;

use cloth_core::Vec3;
use cloth_core::collide::{Collider, Kind};

use super::work::Told;
use crate::index::{Body, ColliderIndex, Found, Handle, Query};
use crate::pose::{Bounds, Pose, add, dot, greater, length, scaled, sqrt, sub};

/// Least distance beyond the offset at which bodies are looked for, over the thickness (1): for what rows pull beyond the cloth's
/// own way. A step looks further among what it is handed, so that it need not look again (M§59: 0.0209 m of a rope at rest).
const MARGIN: f64 = 0.25;

/// What is lost, at most, of a pose that was put into the world and is seen from its carrier again, over the lengths in between (1):
/// some ten operations there and as many back.
const LOST: f64 = 64.0 * f64::EPSILON;

/// Distance of a plane's origin from the cloth from which on another point of the plane stands in for it (m).
const FAR_PLANE: f64 = 1.0e5;

/// The anchor's way through a step, and where the cloth is about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surroundings {
    /// Where the anchor is when the step begins.
    pub from: Pose,
    /// Where it is when the step ends.
    pub to: Pose,
    /// Ticks that the step is long.
    pub ticks: u32,
    /// Box of the particles in the anchor's frame, low and high corner (m).
    pub low: [f64; 3],
    /// Its high corner.
    pub high: [f64; 3],
    /// Farthest that the cloth goes by itself in the step: at its fastest, falling, with its targets (m).
    pub way: f64,
}

/// The bodies that a cloth knows by numbers of its own, which nothing elsewhere in the world can change.
#[derive(Clone, Debug, Default)]
pub(super) struct Acquaintances {
    known: Vec<Known>,
    next: u32,
    /// Whether this cloth has not looked at them for a while: where it last saw them is long ago.
    lost: bool,
    /// What the last answer was given to, where asking again could give it again.
    asked: Option<Asked>,
}

/// All that the bodies of a step follow from but the bodies themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    around: Surroundings,
    /// How far beyond it bodies are looked for (m).
    own: f64,
    layer: u32,
    mask: u32,
    capacity: usize,
}

/// A question of a tick to which the answer was bodies that stood.
#[derive(Clone, Copy, Debug)]
struct Asked {
    question: Question,
    /// The tick's number.
    tick: u64,
    left: Left,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    handle: Handle,
    number: u32,
    /// Where it was when this cloth was last stepped.
    pose: Pose,
}

/// What a gather did not hand on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    pub dropped: usize,
    pub out_of_range: u32,
}

impl Surroundings {
    /// The box that the cloth does not leave in the step, `more` included (m).
    ///
    /// Particles begin in the box about the anchor as it was and end in that about the anchor as it is; in between they go no
    /// further than both boxes grown by their own way and by what the anchor's way could add to it.
    fn bounds(&self, more: f64) -> Bounds {
        let middle = scaled(add(self.low, self.high), 0.5);
        let half = scaled(sub(self.high, self.low), 0.5);
        let reach = length(middle) + length(half);
        // A point of the box goes no further with the anchor than its origin does and its turn takes the farthest.
        let seen = self.from.see(&self.to);
        let [x, y, z, _] = seen.rotation;
        let turn = 2.0 * sqrt(dot([x, y, z], [x, y, z]));
        let travel = if self.from.is(&self.to) { 0.0 } else { length(seen.translation) + turn * reach };
        let about = |pose: &Pose| {
            let mut bounds = Bounds::NONE;
            for corner in 0..8_usize {
                let at: [f64; 3] = core::array::from_fn(|axis| {
                    if corner >> axis & 1 == 0 { self.low[axis] } else { self.high[axis] }
                });
                bounds = bounds.with(pose.apply(at));
            }
            bounds
        };
        about(&self.from).union(&about(&self.to)).grown(self.way + travel + more)
    }
}

impl Acquaintances {
    /// Loses sight of bodies: where they were says nothing when they are met again, which they are is still known.
    pub fn lose(&mut self) {
        self.lost = true;
        self.asked = None;
    }

    /// Whether the colliders of the last step are those of this one. They are for a cloth that sleeps where nobody came, went,
    /// moved or was replaced: the same question as a tick ago, then answered with bodies that stood, and no change since. A
    /// plane's change is one everywhere, a change before the last tick would not be told.
    fn same_as_before(&self, index: &impl ColliderIndex, question: &Question, tick: u64) -> Option<Left> {
        let asked = self.asked.filter(|asked| asked.tick.wrapping_add(1) == tick)?;
        let bounds = question.around.bounds(question.own);
        let same = asked.question == *question && !index.changed_in(&bounds, question.layer, question.mask);
        same.then_some(asked.left)
    }

    /// Fills in the colliders of a step, in the tick of this number. Those that `told` has must be the last that were filled in.
    pub fn gather(
        &mut self,
        index: &impl ColliderIndex,
        around: &Surroundings,
        capacity: usize,
        told: &mut Told,
        tick: u64,
    ) -> Left {
        let own = (1.0 + MARGIN) * f64::from(told.dynamics.thickness);
        let question = Question { around: *around, own, layer: told.layer, mask: told.mask, capacity };
        if let Some(left) = self.same_as_before(index, &question, tick) {
            self.asked = Some(Asked { question, tick, left });
            return left;
        }
        let (left, farthest) = self.look(index, &question, told);
        self.asked = (farthest <= 0.0).then_some(Asked { question, tick, left });
        left
    }

    /// Looks for the colliders of a step; what did not fit, and the farthest that any body goes (m).
    fn look(&mut self, index: &impl ColliderIndex, question: &Question, told: &mut Told) -> (Left, f64) {
        let Question { around, own, layer, mask, capacity } = *question;
        told.colliders.clear();
        if index.is_empty() {
            self.known.clear();
            return (Left::default(), 0.0);
        }
        let query = |more: f64| Query { bounds: around.bounds(more), layer, mask, capacity };
        let shapes = told.shapes.as_slice();
        // What a body takes along it takes as far as it goes itself, into others.
        let mut farthest = 0.0;
        let mut count = 0_usize;
        let ticks = f64::from(around.ticks);
        let mut dropped = index.gather(&query(own), shapes, &mut |found| {
            count += 1;
            farthest = greater(farthest, travel(&found, shapes) * ticks);
        });
        if count == 0 && dropped == 0 {
            self.known.clear();
            return (Left::default(), 0.0);
        }
        let mut met: Vec<Known> = Vec::with_capacity(count);
        let mut out_of_range = 0;
        let (known, next, records) = (&self.known, &mut self.next, &mut told.colliders);
        dropped = dropped.max(index.gather(&query(own + farthest), shapes, &mut |found| {
            let before = known.binary_search_by_key(&found.handle, |known| known.handle);
            let before = before.ok().and_then(|place| known.get(place));
            let number = before.map_or(*next, |known| known.number);
            if before.is_none() {
                *next = next.wrapping_add(1);
            }
            let body = found.body;
            met.push(Known { handle: found.handle, number, pose: body.pose });
            let previous = match before {
                // Over several ticks only the cloth knows where it last saw the body.
                Some(known) if around.ticks > 1 && !self.lost => known.pose,
                _ => found.previous,
            };
            let record = seen(body, &previous, &around, number);
            if record.check_record(shapes).is_ok() {
                records.push(record);
            } else {
                out_of_range += 1;
            }
        }));
        self.known = met;
        self.lost = false;
        (Left { dropped, out_of_range }, farthest)
    }
}

/// How far a body goes in the tick, at most (m).
fn travel(found: &Found<'_>, shapes: &[u32]) -> f64 {
    let (from, to) = (&found.previous, &found.body.pose);
    if from.is(to) {
        return 0.0;
    }
    // Seen from where it was the numbers are small. Of a plane only its own way counts here: what it takes along by turning
    // far out is within its reach anyway, because all below it is.
    let seen = Pose { translation: sub(to.translation, from.translation), ..*to };
    let start = Pose { translation: [0.0; 3], ..*from };
    f64::from(found.body.record(&start, &seen, 0).travel(shapes, Vec3::ZERO, 0.0))
}

/// A body as the cloth sees it: each pose in the frame the anchor had then.
fn seen(body: &Body, previous: &Pose, around: &Surroundings, number: u32) -> Collider {
    let (mut from, mut to) = (around.from.see(previous), around.to.see(&body.pose));
    let size = length(around.to.translation) + length(body.pose.translation);
    if !around.from.is(&around.to) && differ_by(&from, &to) <= LOST * (1.0 + size) {
        // It is worn: it goes along with the anchor and stands before the cloth. Rounding alone must not make it move.
        from = to;
    }
    if Kind::of(body.shape.kind) == Some(Kind::Plane) && length(to.translation) > FAR_PLANE {
        // Any point of a plane may be its origin: the one nearest to the anchor.
        for pose in [&mut from, &mut to] {
            let normal = crate::pose::turn(pose.rotation, [0.0, 1.0, 0.0]);
            pose.translation = scaled(normal, dot(normal, pose.translation));
        }
    }
    body.record(&from, &to, number)
}

/// By how much two poses differ at most, in a component (m, 1).
fn differ_by(a: &Pose, b: &Pose) -> f64 {
    let pairs = a.translation.iter().zip(&b.translation).chain(a.rotation.iter().zip(&b.rotation));
    pairs.map(|(a, b)| greater(a - b, b - a)).fold(0.0, greater)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::unit;
    use cloth_core::collide;

    /// An anchor after so many steps of a walk that turns, far from the origin.
    fn anchor(step: f64) -> Pose {
        let turn = [0.1 * (0.3 * step).sin(), (0.02 * step).sin(), 0.05, (0.02 * step).cos()];
        Pose {
            translation: [2.0e6 + 0.02 * step, 1.4 + 0.02 * (0.2 * step).sin(), -7.0e5 + 0.013 * step],
            rotation: unit(turn).expect("it has a direction"),
        }
    }

    #[test]
    fn what_is_worn_stands_before_the_cloth_and_what_moves_on_its_wearer_moves() {
        let shape = Collider::capsule(0.3, 0.1, collide::Pose::IDENTITY).expect("a capsule");
        let worn =
            Pose { translation: [0.09, -0.4, 0.03], rotation: unit([0.3, 0.1, -0.2, 0.9]).expect("one") };
        let mut rounded = 0;
        for step in 0..500_u32 {
            let (from, to) = (anchor(f64::from(step)), anchor(f64::from(step + 1)));
            let around = Surroundings { from, to, ticks: 1, low: [0.0; 3], high: [0.0; 3], way: 0.0 };
            let body = Body { shape, pose: to.place(&worn) };
            let previous = from.place(&worn);
            assert!(!seen(&body, &previous, &around, 0).moves(), "step {step}");
            rounded += u32::from(from.see(&previous) != to.see(&body.pose));
            // A tenth of a micrometre a step is a motion.
            let swung = Pose { translation: [0.09 + 1.0e-7, -0.4, 0.03], ..worn };
            let body = Body { shape, pose: to.place(&swung) };
            assert!(seen(&body, &previous, &around, 0).moves(), "step {step}");
        }
        assert!(rounded > 0, "rounding shows where nobody looks for it");
    }
}
