//! How far a motion carries what it moves: core steps nothing that lies further out than [`MAX_LENGTH`].

use cloth_core::model::MAX_LENGTH;

use super::file::MotionSection;
use super::motion::{Motion, length};
use super::read::Reader;
use crate::error::Error;

/// The frames of a run, as far as they decide when a motion is looked at.
pub(super) struct Clock {
    /// How many.
    pub frames: u32,
    /// How many a second (1/s).
    pub fps: f64,
}

impl Clock {
    /// Refuses a motion that carries one of `points` (m) out of range at the time of a key, be it after the run, or of a
    /// frame. `what` says what the points are.
    pub(super) fn check(
        &self,
        reader: &Reader<'_>,
        name: &str,
        section: &MotionSection,
        motion: &Motion,
        what: &str,
        points: &[[f64; 3]],
    ) -> Result<(), Error> {
        if farthest(motion, points) <= f64::from(MAX_LENGTH) {
            return Ok(());
        }
        let frames = (0..=self.frames).map(|frame| f64::from(frame) / self.fps);
        let Some((time, place)) = motion
            .keys
            .iter()
            .map(|key| key.time)
            .chain(frames)
            .find_map(|time| Some((time, beyond(motion, time, points)?)))
        else {
            return Ok(());
        };
        let unswung = Motion { swing: None, ..motion.clone() };
        let (key, at) = match &section.swing {
            Some(swing) if beyond(&unswung, time, points).is_none() => ("swing", Some(swing.span())),
            _ => {
                let before = section.keys.iter().take_while(|key| *key.time.get_ref() <= time);
                let key = before.last().or(section.keys.first());
                ("keys", reader.span_of(key.map(|key| &key.time)))
            }
        };
        let [x, y, z] = place;
        Err(reader.fail(
            at,
            &format!("{name}.{key}"),
            format!("at {time} s {what} is carried to [{x}, {y}, {z}], beyond ±{MAX_LENGTH} m"),
            "keep what is moved nearer to the origin: change its place, the pivot, the translation or the amplitude",
        ))
    }
}

/// A distance from the origin that no point is carried beyond (m): |pivot| + |p − pivot| + |translation| + 2·amplitude.
fn farthest(motion: &Motion, points: &[[f64; 3]]) -> f64 {
    let most = |lengths: &mut dyn Iterator<Item = f64>| {
        lengths.fold(0.0, |most, length| if length > most { length } else { most })
    };
    let pivot = motion.pivot;
    let arm = most(&mut points.iter().map(|point| length([0, 1, 2].map(|axis| point[axis] - pivot[axis]))));
    let shift = most(&mut motion.keys.iter().map(|key| length(key.translation)));
    length(pivot) + arm + shift + motion.swing.map_or(0.0, |swing| 2.0 * swing.amplitude)
}

/// Where the first point comes to be that is out of range at a time (m).
fn beyond(motion: &Motion, time: f64, points: &[[f64; 3]]) -> Option<[f64; 3]> {
    let pose = motion.pose(time);
    let within = -f64::from(MAX_LENGTH)..=f64::from(MAX_LENGTH);
    let mut places = points.iter().map(|point| pose.image(*point));
    places.find(|place| !place.iter().all(|component| within.contains(component)))
}

/// The corners of the box that holds all positions (m): where they are carried to bounds where the positions are.
pub(super) fn corners(positions: &[[f32; 3]]) -> [[f64; 3]; 8] {
    let [mut low, mut high] = [positions.first().copied().unwrap_or_default(); 2];
    for position in positions {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(*position) {
            if value < *low {
                *low = value;
            }
            if value > *high {
                *high = value;
            }
        }
    }
    let ends = [low, high].map(|end| end.map(f64::from));
    core::array::from_fn(|corner| core::array::from_fn(|axis| ends[corner >> axis & 1][axis]))
}
