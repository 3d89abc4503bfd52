//! How pins and colliders move: keyframes, and a swing on top of them.
//!
//! Everything here ends in pin targets and poses of colliders and so in the state's bits: it uses `+ − × ÷`, `sqrt` and
//! [`trig`](crate::trig) on `f64`, nothing else.

use cloth_core::collide;

use super::file::{At, MotionSection, RotationSection};
use super::reach::Clock;
use super::read::Reader;
use crate::error::Error;
pub(super) use crate::pose::length;
use crate::pose::{add, dot, mix, narrow, times};
use crate::trig::sin_cos;

/// Radians per degree.
const RADIAN: f64 = core::f64::consts::PI / 180.0;

/// Where things are carried at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// When (s).
    pub time: f64,
    /// Shift from the rest pose (m).
    pub translation: [f64; 3],
    /// Turn from the rest pose as a rotation vector: axis times angle (rad).
    pub turn: [f64; 3],
}

impl Key {
    /// A rotation vector from an axis of any length above 0 and an angle in degrees.
    pub fn turn_about(axis: [f64; 3], degrees: f64) -> [f64; 3] {
        let factor = degrees * RADIAN / length(axis);
        axis.map(|component| component * factor)
    }
}

/// How time runs between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// At one speed.
    Linear,
    /// Starting and ending at rest: s = 3u² − 2u³.
    #[default]
    Smooth,
}

/// A shift to and fro along an axis, `amplitude · (1 − cos(2π · frequency · t))`: from the rest pose, at rest,
/// to twice the amplitude and back. A sine would begin with a jerk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Unit direction.
    pub axis: [f64; 3],
    /// Half the way from one end to the other (m).
    pub amplitude: f64,
    /// Swings a second (Hz).
    pub frequency: f64,
}

impl Swing {
    /// A swing along an axis of any length above 0.
    pub fn new(axis: [f64; 3], amplitude: f64, frequency: f64) -> Self {
        let length = length(axis);
        Self { axis: axis.map(|component| component / length), amplitude, frequency }
    }
}

/// The motion of the pins, or of a collider. Without keys and swing they stay where they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The point that turns leave in place (m).
    pub pivot: [f64; 3],
    /// Keys by rising time. Before the first the pose is held, after the last too unless it loops.
    pub keys: Vec<Key>,
    /// The time of a key from which the motion is repeated after the last (s).
    pub loop_from: Option<f64>,
    /// How time runs between keys.
    pub interpolation: Interpolation,
    /// What is added to the keys' translation.
    pub swing: Option<Swing>,
}

/// A rigid motion of the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The rotation as a vector: axis times angle (rad).
    turn: [f64; 3],
    /// Rows of the same rotation's matrix: points are many, and poses of bodies few.
    rotation: [[f64; 3]; 3],
    pivot: [f64; 3],
    translation: [f64; 3],
}

/// Where a body stands in the rest pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stand {
    /// Its origin (m).
    pub position: [f64; 3],
    /// How it is turned, as a rotation vector: axis times angle (rad).
    pub turn: [f64; 3],
}

impl Motion {
    /// Whether the pins never move.
    pub fn is_still(&self) -> bool {
        self.keys.is_empty() && self.swing.is_none()
    }

    /// The pose at a time (s). Rotation vectors are interpolated by component: round one axis a turn of any
    /// number of revolutions runs at the pace of the interpolation.
    pub fn pose(&self, time: f64) -> Pose {
        let (mut translation, turn) = self.key_at(time);
        if let Some(swing) = &self.swing {
            let shift = swing.amplitude * (1.0 - sin_cos(time * swing.frequency * core::f64::consts::TAU).1);
            translation = add(translation, swing.axis.map(|component| component * shift));
        }
        Pose { turn, rotation: rotation(turn), pivot: self.pivot, translation }
    }

    /// The time within the keys that a time repeats (s).
    fn within_loop(&self, time: f64) -> f64 {
        match (self.loop_from, self.keys.last()) {
            (Some(from), Some(last)) if time > last.time => {
                let period = last.time - from;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "cutting off is meant"
                )]
                let rounds = ((time - from) / period) as u64;
                #[expect(clippy::cast_precision_loss, reason = "no run has 2⁵³ rounds")]
                let start = rounds as f64 * period;
                time - start
            }
            _ => time,
        }
    }

    fn key_at(&self, time: f64) -> ([f64; 3], [f64; 3]) {
        let time = self.within_loop(time);
        let after = self.keys.partition_point(|key| key.time <= time);
        match (after.checked_sub(1).and_then(|before| self.keys.get(before)), self.keys.get(after)) {
            (Some(a), Some(b)) => {
                let u = (time - a.time) / (b.time - a.time);
                let s = match self.interpolation {
                    Interpolation::Linear => u,
                    Interpolation::Smooth => u * u * (3.0 - 2.0 * u),
                };
                (mix(a.translation, b.translation, s), mix(a.turn, b.turn, s))
            }
            (Some(key), None) | (None, Some(key)) => (key.translation, key.turn),
            (None, None) => ([0.0; 3], [0.0; 3]),
        }
    }
}

impl Pose {
    /// Where a point of the rest pose is carried: pivot + R(p − pivot) + translation (m).
    pub fn carry(&self, point: [f32; 3]) -> [f32; 3] {
        narrow(self.image(point.map(f64::from)))
    }

    /// Where a body is carried.
    pub fn carry_body(&self, stand: &Stand) -> collide::Pose {
        self.place_body(stand).narrow()
    }

    /// Where a body is carried in a world.
    pub fn place_body(&self, stand: &Stand) -> crate::pose::Pose {
        crate::pose::Pose {
            translation: self.image(stand.position),
            rotation: times(quaternion(self.turn), quaternion(stand.turn)),
        }
    }

    /// Where a point of the rest pose is carried, before it is rounded (m).
    pub(super) fn image(&self, point: [f64; 3]) -> [f64; 3] {
        let arm = [0, 1, 2].map(|axis| point[axis] - self.pivot[axis]);
        let turned = self.rotation.map(|row| dot(row, arm));
        add(add(turned, self.pivot), self.translation)
    }

    /// Whether both carry every point within a metre of the pivot to one place, but for rounding.
    fn is_like(&self, other: &Self) -> bool {
        let near = |a: f64, b: f64| (-1e-6..=1e-6).contains(&(a - b));
        let rows = self.rotation.iter().flatten().zip(other.rotation.iter().flatten());
        rows.chain(self.translation.iter().zip(&other.translation)).all(|(a, b)| near(*a, *b))
    }
}

/// The unit quaternion (x, y, z, w) of a rotation vector.
fn quaternion(turn: [f64; 3]) -> [f64; 4] {
    let angle = length(turn);
    if angle <= 0.0 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let (s, c) = sin_cos(0.5 * angle);
    let [x, y, z] = turn.map(|component| component / angle * s);
    [x, y, z, c]
}

/// A rotation vector as a scene writes it.
pub(super) fn turn(
    reader: &Reader<'_>,
    key: &str,
    section: Option<&RotationSection>,
) -> Result<[f64; 3], Error> {
    let Some(rotation) = section else { return Ok([0.0; 3]) };
    let axis = reader.axis(&format!("{key}.axis"), &rotation.axis)?;
    let degrees = reader.number(&format!("{key}.degrees"), Some(&rotation.degrees), -1e6..=1e6, 0.0)?;
    Ok(Key::turn_about(axis, degrees))
}

/// Where a body stands and how it moves, as its section writes them, called `name`.
pub(super) fn of_body(
    reader: &Reader<'_>,
    clock: &Clock,
    name: &str,
    position: Option<&At<[f64; 3]>>,
    rotation: Option<&RotationSection>,
    motion: Option<&MotionSection>,
) -> Result<(Stand, Motion), Error> {
    let stand = Stand {
        position: reader.vector(&format!("{name}.position"), position)?.unwrap_or_default(),
        turn: turn(reader, &format!("{name}.rotation"), rotation)?,
    };
    let Some(section) = motion else { return Ok((stand, Motion::default())) };
    let motion = format!("{name}.motion");
    if let Some(moves) = &section.moves {
        let remedy = match name {
            "collider" => "leave it out; worn = true takes a collider along",
            _ => "leave it out",
        };
        let what = format!("means nothing for a {name}");
        return Err(reader.fail(Some(moves.span()), &format!("{motion}.moves"), what, remedy));
    }
    let resolved = resolve(reader, &motion, section)?;
    clock.check(reader, &motion, section, &resolved, "its origin", &[stand.position])?;
    Ok((stand, resolved))
}

/// A motion as a scene writes it, in the section `name`.
pub(super) fn resolve(reader: &Reader<'_>, name: &str, section: &MotionSection) -> Result<Motion, Error> {
    let key = |end: &str| format!("{name}.{end}");
    let interpolation = match &section.interpolation {
        None => Interpolation::default(),
        Some(name) => match name.get_ref().as_str() {
            "linear" => Interpolation::Linear,
            "smooth" => Interpolation::Smooth,
            other => {
                let what = format!("there is no interpolation \"{other}\"");
                let remedy = "write \"linear\" or \"smooth\"";
                return Err(reader.fail(Some(name.span()), &key("interpolation"), what, remedy));
            }
        },
    };
    let mut keys: Vec<Key> = Vec::new();
    for written in &section.keys {
        let time = reader.number(&key("keys.time"), Some(&written.time), 0.0..=1e6, 0.0)?;
        if let Some(last) = keys.last().filter(|last| last.time >= time) {
            let what = format!("is {time} s, and the key before it is at {} s", last.time);
            let remedy = "list the keys by time, each later than the one before";
            return Err(reader.fail(Some(written.time.span()), &key("keys.time"), what, remedy));
        }
        let translation =
            reader.vector(&key("keys.translation"), written.translation.as_ref())?.unwrap_or_default();
        keys.push(Key {
            time,
            translation,
            turn: turn(reader, &key("keys.rotation"), written.rotation.as_ref())?,
        });
    }
    let swing = match section.swing.as_ref().map(At::get_ref) {
        Some(swing) => Some(Swing::new(
            reader.axis(&key("swing.axis"), &swing.axis)?,
            reader.number(&key("swing.amplitude"), Some(&swing.amplitude), 0.0..=1e3, 0.0)?,
            reader.number(&key("swing.frequency"), Some(&swing.frequency), 0.0..=1e3, 0.0)?,
        )),
        None => None,
    };
    let pivot = reader.vector(&key("pivot"), section.pivot.as_ref())?.unwrap_or_default();
    let motion = Motion { pivot, keys, loop_from: None, interpolation, swing };
    let Some(from) = &section.loop_from else { return Ok(motion) };
    check_loop(reader, &key("loop_from"), from, &motion)?;
    Ok(Motion { loop_from: Some(*from.get_ref()), ..motion })
}

/// A loop goes from the last key's pose on from an earlier key that has the same, or everything would jump there.
fn check_loop(reader: &Reader<'_>, key: &str, from: &At<f64>, motion: &Motion) -> Result<(), Error> {
    let fail = |what: String, remedy: &str| Err(reader.fail(Some(from.span()), key, what, remedy));
    let time = *from.get_ref();
    let earlier = motion.keys.split_last().map_or(&[][..], |(_, earlier)| earlier);
    if !earlier.iter().any(|key| key.time.to_bits() == time.to_bits()) {
        let times: Vec<String> = earlier.iter().map(|key| key.time.to_string()).collect();
        let known = if times.is_empty() { "none".to_owned() } else { times.join(", ") };
        let what = format!("no key before the last is at {time} s; there is {known}");
        return fail(what, "write the time of the key that follows on the last one");
    }
    let keys = Motion { swing: None, ..motion.clone() };
    let last = motion.keys.last().map_or(time, |key| key.time);
    if !keys.pose(time).is_like(&keys.pose(last)) {
        let what = format!("the poses at {time} s and at {last} s, the last key's, are not the same");
        return fail(what, "give the last key the pose it goes on from, or what moves would jump");
    }
    Ok(())
}

/// Rodrigues' formula: R = cos θ·I + (1 − cos θ)·a aᵀ + sin θ·[a]ₓ.
fn rotation(turn: [f64; 3]) -> [[f64; 3]; 3] {
    let angle = length(turn);
    if angle <= 0.0 {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let [x, y, z] = turn.map(|component| component / angle);
    let (s, c) = sin_cos(angle);
    let k = 1.0 - c;
    [
        [c + k * x * x, k * x * y - s * z, k * x * z + s * y],
        [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
        [k * x * z - s * y, k * y * z + s * x, c + k * z * z],
    ]
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;
    use cloth_core::Vec3;

    fn key(time: f64, x: f64, degrees: f64) -> Key {
        Key { time, translation: [x, 0.0, 0.0], turn: Key::turn_about([0.0, 2.0, 0.0], degrees) }
    }

    fn close(a: [f32; 3], b: [f32; 3]) -> bool {
        (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-6)
    }

    #[test]
    fn keys_hold_at_both_ends_and_interpolate_between() {
        let mut motion = Motion {
            keys: vec![key(1.0, 0.0, 0.0), key(3.0, 4.0, 0.0)],
            interpolation: Interpolation::Linear,
            ..Motion::default()
        };
        let x = |motion: &Motion, time| motion.pose(time).carry([0.0; 3])[0];
        for (time, expected) in [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (2.0, 2.0), (3.0, 4.0), (9.0, 4.0)] {
            assert!((x(&motion, time) - expected).abs() < 1e-6, "at {time}");
        }
        motion.interpolation = Interpolation::Smooth;
        assert!((x(&motion, 1.5) - 4.0 * 0.156_25).abs() < 1e-6);
        assert!(x(&motion, 1.01) < 0.001, "starts at rest");
    }

    #[test]
    fn a_turn_is_about_the_pivot_and_may_exceed_a_revolution() {
        let motion = Motion {
            pivot: [1.0, 0.0, 0.0],
            keys: vec![key(0.0, 0.0, 0.0), key(1.0, 0.0, 810.0)],
            interpolation: Interpolation::Linear,
            ..Motion::default()
        };
        // 90° about +Y takes +X to −Z.
        assert!(close(motion.pose(1.0).carry([2.0, 5.0, 0.0]), [1.0, 5.0, -1.0]));
        assert!(close(motion.pose(360.0 / 810.0).carry([2.0, 5.0, 0.0]), [2.0, 5.0, 0.0]));
        assert!(close(motion.pose(0.5).carry([1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]));
    }

    #[test]
    fn a_turn_keeps_lengths() {
        let pose = Motion {
            keys: vec![Key {
                time: 0.0,
                translation: [0.0; 3],
                turn: Key::turn_about([1.0, -2.0, 0.5], 133.0),
            }],
            ..Motion::default()
        }
        .pose(0.0);
        let [x, y, z] = pose.carry([0.3, -0.4, 1.2]);
        assert!((x * x + y * y + z * z - 1.69).abs() < 1e-5);
    }

    #[test]
    fn a_swing_goes_twice_its_amplitude_and_starts_without_a_jerk() {
        let motion = Motion { swing: Some(Swing::new([0.0, 0.0, 5.0], 0.15, 2.0)), ..Motion::default() };
        assert!(close(motion.pose(0.125).carry([1.0, 1.0, 1.0]), [1.0, 1.0, 1.15]));
        assert!(close(motion.pose(0.25).carry([1.0, 1.0, 1.0]), [1.0, 1.0, 1.3]));
        assert!(close(motion.pose(0.5).carry([1.0, 1.0, 1.0]), [1.0, 1.0, 1.0]));
        let [_, _, early] = motion.pose(1e-4).carry([1.0, 1.0, 1.0]);
        assert!((early - 1.0).abs() < 1e-6);
        assert!(close(motion.pose(0.0).carry([1.0, 1.0, 1.0]), [1.0, 1.0, 1.0]));
    }

    #[test]
    fn a_loop_goes_on_from_its_key() {
        let motion = Motion {
            keys: vec![key(0.0, 0.0, 0.0), key(1.0, 2.0, 0.0), key(2.0, -2.0, 0.0), key(3.0, 2.0, 360.0)],
            loop_from: Some(1.0),
            interpolation: Interpolation::Linear,
            ..Motion::default()
        };
        let x = |time| motion.pose(time).carry([0.0; 3])[0];
        for (time, expected) in
            [(0.5, 1.0), (1.5, 0.0), (3.0, 2.0), (3.5, 0.0), (4.0, -2.0), (5.0, 2.0), (9.25, 1.0)]
        {
            assert!((x(time) - expected).abs() < 1e-6, "at {time}: {}", x(time));
        }
    }

    #[test]
    fn a_body_goes_where_its_points_go() {
        let stand = Stand { position: [0.3, -0.2, 1.0], turn: Key::turn_about([1.0, 2.0, 0.0], 70.0) };
        let pose = Motion {
            pivot: [0.0, 1.0, 0.5],
            keys: vec![Key {
                time: 0.0,
                translation: [0.1, 0.2, 0.3],
                turn: Key::turn_about([0.5, -1.0, 0.25], 250.0),
            }],
            ..Motion::default()
        }
        .pose(0.0);
        let still = Motion::default().pose(0.0).carry_body(&stand);
        let body = pose.carry_body(&stand);
        for point in [Vec3::ZERO, Vec3::X, Vec3::new(0.2, 0.7, -0.4)] {
            let expected = pose.carry(still.apply(point).to_array());
            assert!(close(body.apply(point).to_array(), expected), "{point}");
        }
    }

    #[test]
    fn no_keys_is_still() {
        assert!(Motion::default().is_still());
        assert_eq!(Motion::default().pose(2.0).carry([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    }
}
