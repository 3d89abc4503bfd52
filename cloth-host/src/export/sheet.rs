//! Contact sheets: the motion in a grid of pictures, shaded and coloured by strain.

use glam::{Vec2, Vec3};

use super::camera::Camera;
use super::picture::Picture;
use super::raster::{Pose, Stage};
use super::ribbon::Air;
use super::solid::{Shown, Solid};
use super::{Plan, colour, text};
use crate::run::{Recording, Shot, Skin, Slice};
use crate::scene::Scene;

/// Space between pictures and round them (pixels).
const GAP: usize = 8;
/// Height of the strip below them (pixels).
const STRIP: usize = 40;
/// The sheet behind the pictures (sRGB).
const PAPER: [u8; 3] = [0xff, 0xff, 0xff];
/// Labels (sRGB).
const INK: [u8; 3] = [0x3a, 0x44, 0x52];

/// Height of a plane's normal from which on it is level, as a floor is.
const LEVEL: f32 = 0.999;

/// The two sheets of a motion.
#[derive(Clone, Debug)]
pub struct Sheets {
    /// As cloth.
    pub shaded: Picture,
    /// The same pictures, coloured by strain.
    pub strain: Picture,
    /// The strain that is shown red: the 99th percentile of all that is shown, rounded up to 1, 2 or 5 times a
    /// power of ten (1).
    pub full_scale: f32,
}

/// Draws the frames that the plan chose.
pub fn contact_sheets(scene: &Scene, skin: &Skin, recording: &Recording, plan: &Plan) -> Sheets {
    let solids = solids(scene, recording);
    let stage = stage(scene, skin, &solids, recording);
    let shots: Vec<&Shot> = plan.tiles.iter().filter_map(|frame| recording.shot(*frame)).collect();
    let full_scale = full_scale(shots.iter().flat_map(|shot| skin.strain(&shot.positions)).collect());
    let (slice, fastest) = (Slice::of(scene), fastest(&shots));
    let set = Set { scene, skin, solids: &solids, stage: &stage, full_scale, slice, fastest };
    let tiles = draw_all(&set, &shots);

    let columns = (scene.view.columns as usize).min(shots.len()).max(1);
    let rows = shots.len().div_ceil(columns);
    let width = GAP + columns * (stage.width + GAP);
    let height = GAP + rows * (stage.height + GAP) + STRIP;
    let mut sheets = [Picture::new(width, height, PAPER), Picture::new(width, height, PAPER)];
    for (index, (tile, shot)) in tiles.iter().zip(&shots).enumerate() {
        let x = GAP + index % columns * (stage.width + GAP);
        let y = GAP + index / columns * (stage.height + GAP);
        for (sheet, picture) in sheets.iter_mut().zip(tile) {
            sheet.paste(picture, x, y);
            let label = format!("{:.2} s", shot.time);
            text::write(sheet, x + 10, y + stage.height - text::LINE - 8, &label, INK);
        }
    }
    let line = height - STRIP + (STRIP - GAP - text::LINE) / 2;
    let caption = format!(
        "{}, {}, {} frames at {} fps, grid {}",
        scene.name,
        scene.fabric.name,
        scene.frames,
        scene.fps,
        metres(stage.grid)
    );
    for sheet in &mut sheets {
        text::write(sheet, GAP + 4, line, &caption, INK);
    }
    strain_legend(&mut sheets[1], line, full_scale);
    if let Some(fastest) = fastest {
        air_legend(&mut sheets[0], line, fastest);
    }
    let [shaded, strain] = sheets;
    Sheets { shaded, strain, full_scale }
}

/// The box round the whole motion of the cloth: its middle, and half its diagonal (m).
fn extent(recording: &Recording) -> (Vec3, f32) {
    let (low, high) = (Vec3::from(recording.low), Vec3::from(recording.high));
    ((low + high) * 0.5, ((high - low) * 0.5).length().max(1e-3))
}

/// What colliders look like; of planes, the part round the cloth.
pub(super) fn solids(scene: &Scene, recording: &Recording) -> Vec<Solid> {
    let (centre, radius) = extent(recording);
    let shown = Shown { centre, reach: 1.3 * radius };
    scene.colliders.iter().map(|collider| Solid::new(collider, shown)).collect()
}

/// The camera and the ground for the whole motion.
fn stage(scene: &Scene, skin: &Skin, solids: &[Solid], recording: &Recording) -> Stage {
    let mut points: Vec<Vec3> =
        recording.shots.iter().flat_map(|shot| skin.positions(&shot.positions)).collect();
    let (middle, radius) = extent(recording);
    // Of colliders what is near: cloth on the ground of a valley is to be seen, and not the valley.
    // Where air is simulated, more of what it goes round.
    let near = if scene.air.fluids.is_empty() { 0.6 } else { 1.5 };
    let (low, high) = (Vec3::from(recording.low) - near * radius, Vec3::from(recording.high) + near * radius);
    let mut floor = f32::INFINITY;
    for (collider, solid) in scene.colliders.iter().zip(solids) {
        for shot in &recording.shots {
            let pose = collider.pose(shot.time);
            if !solid.is_plane {
                let (positions, _) = solid.at(&pose);
                points.extend(positions.iter().filter(|p| p.cmpge(low).all() && p.cmple(high).all()));
            } else if pose.rotate(Vec3::Y).y > LEVEL {
                floor = floor.min(pose.apply(Vec3::ZERO).y);
            }
            if collider.is_still() {
                break;
            }
        }
    }
    let (camera, height) = Camera::framing(&scene.view, points.iter().copied());
    // The ground is the lowest level plane, or else under everything.
    let ground = if floor.is_finite() {
        floor
    } else {
        points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min)
    };
    let centre = Vec2::new(middle.x, middle.z);
    let grid = round_up(radius / 5.0);
    let detail = skin.mean_edge();
    Stage { camera, height, width: scene.view.tile as usize, ground, centre, radius, grid, detail }
}

/// What all pictures are drawn from.
struct Set<'a> {
    scene: &'a Scene,
    skin: &'a Skin,
    solids: &'a [Solid],
    stage: &'a Stage,
    full_scale: f32,
    slice: Slice,
    fastest: Option<f32>,
}

impl Set<'_> {
    /// One moment, as cloth and coloured by strain.
    fn draw(&self, shot: &Shot) -> [Picture; 2] {
        let (scene, skin) = (self.scene, self.skin);
        let mut positions = skin.positions(&shot.positions);
        let mut normals = skin.normals(&positions);
        let mut triangles = skin.triangles.clone();
        let mut cloth = vec![colour::linear(scene.view.colour); positions.len()];
        let strain = skin.strain(&shot.positions);
        let mut strain: Vec<Vec3> =
            strain.iter().map(|strain| colour::strain(strain / self.full_scale)).collect();
        let mut casters = 0;
        // Planes last: they throw no shadows.
        for planes in [false, true] {
            if planes {
                casters = triangles.len();
            }
            for (collider, solid) in scene.colliders.iter().zip(self.solids) {
                let pose = collider.pose(shot.time);
                // A plane is a half space: from behind it would hide everything.
                let is_behind = solid.is_plane && pose.undo(self.stage.camera.eye).y < 0.0;
                if solid.is_plane != planes || is_behind {
                    continue;
                }
                let (places, directions) = solid.at(&pose);
                let first = u32::try_from(positions.len()).unwrap_or(u32::MAX);
                triangles.extend(solid.triangles.iter().map(|corners| corners.map(|vertex| vertex + first)));
                let colour = colour::linear(if planes { colour::PLANE } else { colour::SOLID });
                cloth.extend(places.iter().map(|_| colour));
                strain.extend(places.iter().map(|_| colour));
                positions.extend(places);
                normals.extend(directions);
            }
        }
        let mut held: Vec<usize> = scene.pins.iter().map(|vertex| *vertex as usize).collect();
        // Ropes beside it follow on it, each held at its start.
        let mut start = scene.body.positions().len();
        for rope in &scene.ropes {
            held.push(start);
            start += rope.places.len();
        }
        let pins: Vec<Vec3> = held.into_iter().map(|vertex| Vec3::from(shot.positions[vertex])).collect();
        #[expect(clippy::cast_possible_truncation, reason = "a distance in a picture")]
        let spacing = self.slice.spacing() as f32;
        let air = self.fastest.map(|full_scale| Air {
            lines: &shot.air,
            spacing,
            full_scale,
            ground: self.stage.ground,
        });
        let pose = Pose {
            positions: &positions,
            normals: &normals,
            triangles: &triangles,
            casters,
            pins: &pins,
            air,
        };
        self.stage.draw(&pose, [&cloth, &strain])
    }
}

/// Draws every shot, on as many threads as the machine has; each picture depends on its own shot only.
fn draw_all(set: &Set<'_>, shots: &[&Shot]) -> Vec<[Picture; 2]> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = shots.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = shots
            .chunks(share)
            .map(|shots| scope.spawn(move || shots.iter().map(|shot| set.draw(shot)).collect::<Vec<_>>()))
            .collect();
        let results = workers.into_iter().map(|worker| match worker.join() {
            Ok(pictures) => pictures,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.flatten().collect()
    })
}

/// The strain that is shown red.
fn full_scale(mut strains: Vec<f32>) -> f32 {
    strains.sort_by(f32::total_cmp);
    let high = strains.get(strains.len() * 99 / 100).copied().unwrap_or(0.0);
    round_up(high.max(1e-3))
}

/// The end of the scale of the air's speed (m/s): the 99th percentile of all that is shown, rounded up to two digits but for what
/// nobody would see; none where there is no air.
fn fastest(shots: &[&Shot]) -> Option<f32> {
    let velocities = shots.iter().flat_map(|shot| &shot.air).flat_map(|line| &line.velocities);
    let mut speeds: Vec<f32> = velocities.map(|velocity| Vec3::from(*velocity).length()).collect();
    speeds.sort_by(f32::total_cmp);
    let high = speeds.get(speeds.len() * 99 / 100).copied().filter(|speed| *speed > 0.0)?;
    let tenth = 10.0_f32.powf(high.log10().floor() - 1.0);
    Some((high / tenth - 0.25).ceil() * tenth)
}

/// The next of 1, 2, 5, 10, … times a power of ten.
fn round_up(value: f32) -> f32 {
    let power = 10.0_f32.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.iter().map(|step| step * power).find(|rounded| *rounded >= value * 0.9999).unwrap_or(value)
}

fn metres(length: f32) -> String {
    if length < 0.995 { format!("{:.3} cm", length * 100.0) } else { format!("{length:.3} m") }
        .replacen(".000", "", 1)
}

/// A speed in two digits.
fn short(speed: f32) -> String {
    let digits = if speed < 0.095 {
        3
    } else if speed < 0.95 {
        2
    } else {
        usize::from(speed < 9.95)
    };
    let text = format!("{speed:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// The scale of strain at the right of the strip.
fn strain_legend(sheet: &mut Picture, line: usize, full_scale: f32) {
    let digits = if full_scale < 0.009_5 { 1 } else { 0 };
    let high = format!("{:.digits$} % and more", full_scale * 100.0);
    legend(sheet, line, ["strain 0 %", &high], colour::strain);
}

/// The scale of the air's speed there.
fn air_legend(sheet: &mut Picture, line: usize, fastest: f32) {
    legend(sheet, line, ["air 0 m/s", &format!("{} m/s and more", short(fastest))], colour::air);
}

/// A colour scale with what its ends mean.
fn legend(sheet: &mut Picture, line: usize, [low, high]: [&str; 2], scale: fn(f32) -> Vec3) {
    const LENGTH: usize = 180;
    let end = sheet.width.saturating_sub(GAP + 4 + text::width(high));
    let start = end.saturating_sub(LENGTH + 10);
    for x in 0..LENGTH {
        let colour = colour::srgb(scale(x as f32 / (LENGTH - 1) as f32));
        for y in 2..text::LINE - 2 {
            sheet.put(start + x, line + y, colour);
        }
    }
    text::write(sheet, start.saturating_sub(text::width(low) + 10), line, low, INK);
    text::write(sheet, end, line, high, INK);
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;
    use crate::run::Streamline;

    #[test]
    fn scales_round_up_to_plain_numbers() {
        for (value, rounded) in [(0.0011, 0.002), (0.02, 0.02), (0.021, 0.05), (0.51, 1.0), (3.0, 5.0)] {
            assert!((round_up(value) / rounded - 1.0).abs() < 1e-4, "{value} → {}", round_up(value));
        }
        assert_eq!(full_scale(vec![0.0; 5]), round_up(1e-3));
        let mut strains = vec![0.004; 990];
        strains.extend([0.9; 5]);
        assert!((full_scale(strains) - 0.005).abs() < 1e-6);
    }

    #[test]
    fn the_scale_of_speed_ends_with_the_fastest() {
        let shot = |speed: f32| Shot {
            frame: 0,
            time: 0.0,
            positions: Vec::new(),
            air: vec![Streamline { points: vec![[0.0; 3]], velocities: vec![[0.0, speed, 0.0]] }],
        };
        for (speed, end) in [
            (6.0, "6"),
            (6.02, "6"),
            (6.09, "6.1"),
            (10.9, "11"),
            (0.031, "0.031"),
            (0.5, "0.5"),
            (20.0, "20"),
        ] {
            let shown = fastest(&[&shot(speed)]).map(short);
            assert_eq!(shown.as_deref(), Some(end), "{speed}");
        }
        assert_eq!(fastest(&[]), None);
    }

    #[test]
    fn lengths_read_plainly() {
        assert_eq!(metres(0.1), "10 cm");
        assert_eq!(metres(0.005), "0.500 cm");
        assert_eq!(metres(2.0), "2 m");
    }
}
