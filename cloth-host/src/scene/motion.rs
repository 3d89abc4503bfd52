//! How the pins move: keyframes, and a swing on top of them.
//!
//! Everything here ends in pin targets and so in the state's bits: it uses `+ − × ÷`, `sqrt` and
//! [`trig`](super::trig) on `f64`, nothing else.

use super::trig::sin_cos;

/// Radians per degree.
const RADIAN: f64 = core::f64::consts::PI / 180.0;

/// Where the pins are carried at one time.
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

/// The motion of the pins. Without keys and swing they stay where they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The point that turns leave in place (m).
    pub pivot: [f64; 3],
    /// Keys by rising time. Before the first and after the last the pose is held.
    pub keys: Vec<Key>,
    /// How time runs between keys.
    pub interpolation: Interpolation,
    /// What is added to the keys' translation.
    pub swing: Option<Swing>,
}

/// A rigid motion of the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rows of the rotation matrix.
    rotation: [[f64; 3]; 3],
    pivot: [f64; 3],
    translation: [f64; 3],
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
        Pose { rotation: rotation(turn), pivot: self.pivot, translation }
    }

    fn key_at(&self, time: f64) -> ([f64; 3], [f64; 3]) {
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
        let arm = [0, 1, 2].map(|axis| f64::from(point[axis]) - self.pivot[axis]);
        let turned = self.rotation.map(|row| dot(row, arm));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding is wanted; core checks that it is finite"
        )]
        add(add(turned, self.pivot), self.translation).map(|value| value as f32)
    }
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

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn mix(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * s)
}

/// Length of a vector.
#[cfg_attr(
    not(test),
    expect(clippy::disallowed_methods, reason = "std guarantees that f64::sqrt is correctly rounded")
)]
pub(super) fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;

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
            swing: None,
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
    fn no_keys_is_still() {
        assert!(Motion::default().is_still());
        assert_eq!(Motion::default().pose(2.0).carry([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    }
}
