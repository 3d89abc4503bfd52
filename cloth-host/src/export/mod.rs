//! What a run leaves behind: an animation, two pictures, a table and a report.

mod camera;
mod colour;
mod glb;
mod light;
mod picture;
mod raster;
mod ribbon;
mod sheet;
mod solid;
mod tables;
mod text;

use std::path::{Component, Path, PathBuf};

pub use glb::{animation, check_animation};
pub use picture::Picture;
pub use sheet::{Sheets, contact_sheets};
pub use tables::{frames_csv, report_json};

use crate::error::{Error, Problem};
use crate::run::{Recording, Skin};
use crate::scene::{Scene, share};

/// At most so many morph targets: more, and viewers begin to refuse or crawl.
pub const MAX_TARGETS: u32 = 150;

/// The frames a run must keep: those that become morph targets, and those that become pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Frames of the morph targets, rising, the last frame among them.
    pub targets: Vec<u32>,
    /// Frames of the pictures, rising, the first and the last among them. Fewer than asked for where there are
    /// fewer frames.
    pub tiles: Vec<u32>,
}

impl Plan {
    /// Chooses frames evenly: at most [`MAX_TARGETS`] targets from 1 to the last, and the view's pictures from 0 on.
    pub fn new(scene: &Scene) -> Self {
        Self::between(scene, 0, scene.frames)
    }

    /// The same of the frames between two.
    pub fn between(scene: &Scene, from: u32, to: u32) -> Self {
        let count = to.saturating_sub(from).min(MAX_TARGETS);
        Self {
            targets: (1..=count).map(|index| share(from, to, index, count)).collect(),
            tiles: scene.pictures(from, to),
        }
    }

    /// Every frame to keep, rising; the start always, because targets are differences from it.
    pub fn keep(&self) -> Vec<u32> {
        let mut keep: Vec<u32> = [0].iter().chain(&self.targets).chain(&self.tiles).copied().collect();
        keep.sort_unstable();
        keep.dedup();
        keep
    }
}

/// Asks whether everything a run leaves could be written into `folder`, so that a long run need not end with finding out.
/// Nothing of it stays: a run that fails has made no folder.
///
/// # Errors
/// [`Error`] names the folder, or the first file that could not be written.
pub fn check_folder(scene: &Scene, folder: &Path) -> Result<(), Error> {
    let refused = |path: &Path, error| Problem::Write(error).in_file(&path.display().to_string());
    let files = file_names(scene);
    if folder.is_dir() {
        for path in files.map(|file| folder.join(file)) {
            let is_new = !path.exists();
            try_file(&path)
                .and_then(|()| if is_new { std::fs::remove_file(&path) } else { Ok(()) })
                .map_err(|error| refused(&path, error))?;
        }
        return Ok(());
    }
    // What is missing is tried under a name of our own: another run may be making the same folders, and must not find
    // them gone again.
    let whole = std::path::absolute(folder).map_err(|error| refused(folder, error))?;
    let there = whole.ancestors().find(|above| above.exists()).unwrap_or(Path::new(""));
    let trial = trial_folder(there).map_err(|error| refused(folder, error))?;
    // Steps upward would lead out of it.
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
    let below = whole.strip_prefix(there).unwrap_or(&whole);
    let missing = trial.join(below.components().filter(is_name).collect::<PathBuf>());
    let tried = std::fs::create_dir_all(&missing).map_err(|error| refused(folder, error)).and_then(|()| {
        files.iter().try_for_each(|file| {
            try_file(&missing.join(file)).map_err(|error| refused(&folder.join(file), error))
        })
    });
    let removed = std::fs::remove_dir_all(&trial).map_err(|error| refused(&trial, error));
    tried.and(removed)
}

/// Makes a folder in `place` that was not there.
fn trial_folder(place: &Path) -> std::io::Result<PathBuf> {
    let names = (0..1000).map(|count| place.join(format!(".cloth-{}-{count}", std::process::id())));
    let mut made = names.map(|path| std::fs::create_dir(&path).map(|()| path));
    let is_taken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::AlreadyExists;
    made.find(|made| !made.as_ref().is_err_and(is_taken))
        .unwrap_or_else(|| Err(std::io::ErrorKind::AlreadyExists.into()))
}

/// Opens a file as one that is to be written, and leaves what is in it.
fn try_file(path: &Path) -> std::io::Result<()> {
    std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(path).map(drop)
}

/// What [`write_all`] writes, in its order.
fn file_names(scene: &Scene) -> [String; 5] {
    let name = &scene.name;
    [
        format!("{name}.glb"),
        format!("{name}.png"),
        format!("{name}-strain.png"),
        "frames.csv".into(),
        "report.json".into(),
    ]
}

/// Writes everything a run leaves into `folder`, which is made if it is missing, and returns the paths in the
/// order: animation, picture, strain picture, table, report.
///
/// # Errors
/// [`Error`] names the file that could not be written; the animation is read back and checked first.
pub fn write_all(
    scene: &Scene,
    recording: &Recording,
    plan: &Plan,
    folder: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let skin = Skin::of(scene, &recording.welded);
    let sheets = contact_sheets(scene, &skin, recording, plan);
    let contents = [
        animation(scene, &skin, recording, &plan.targets),
        sheets.shaded.to_png(),
        sheets.strain.to_png(),
        frames_csv(&recording.rows),
        report_json(scene, recording),
    ];
    let shown = |path: &Path| path.display().to_string();
    // All is encoded before the first of it is written.
    let mut files = Vec::new();
    for (file, bytes) in file_names(scene).into_iter().zip(contents) {
        let path = folder.join(file);
        let bytes = bytes.map_err(|problem| problem.in_file(&shown(&path)))?;
        files.push((path, bytes));
    }
    std::fs::create_dir_all(folder).map_err(|error| Problem::Write(error).in_file(&shown(folder)))?;
    files
        .into_iter()
        .map(|(path, bytes)| match std::fs::write(&path, bytes) {
            Ok(()) => Ok(path),
            Err(error) => Err(Problem::Write(error).in_file(&shown(&path))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(frames: u32, columns: u32, rows: u32) -> Plan {
        let mut scene = Scene::bundled("rope").expect("is bundled").expect("is sound");
        scene.frames = frames;
        scene.view.columns = columns;
        scene.view.rows = rows;
        Plan::new(&scene)
    }

    #[test]
    fn frames_are_chosen_evenly_and_end_with_the_last() {
        let long = plan(1000, 4, 3);
        assert_eq!((long.targets.len(), long.targets[0], long.targets[149]), (150, 6, 1000));
        assert!(long.targets.windows(2).all(|pair| (6..=7).contains(&(pair[1] - pair[0]))));
        assert_eq!((long.tiles.len(), long.tiles[0], long.tiles[11]), (12, 0, 1000));
        let short = plan(2, 4, 3);
        assert_eq!((short.targets, short.tiles), (vec![1, 2], vec![0, 1, 2]));
        assert_eq!(plan(5, 1, 1).tiles, [5]);
        assert_eq!(plan(2, 1, 1).keep(), [0, 1, 2]);
    }
}
