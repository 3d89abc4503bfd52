//! What can go wrong with a file, said for the person who made it: where, what, and what to do about it.

use std::io;

use thiserror::Error as ThisError;

use crate::import::{GltfProblem, ObjProblem};
use crate::replay::ReplayError;
use crate::run::RunProblem;
use crate::scene::SceneProblem;

/// A complaint about a file.
///
/// Its text is `path:line: what`, then a second line with the remedy.
#[derive(Debug, ThisError)]
#[error("{}: {problem}\n  remedy: {}", place(.path, *.line), .problem.remedy())]
pub struct Error {
    /// The file as the user named it.
    pub path: String,
    /// The line, counted from 1, where the file has lines and the fault has one.
    pub line: Option<usize>,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Problem {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The file could not be written.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// The name ends in nothing we read.
    #[error("is neither .obj, .gltf nor .glb")]
    UnknownFormat,
    /// An OBJ file's text.
    #[error(transparent)]
    Obj(#[from] ObjProblem),
    /// A glTF file's content.
    #[error(transparent)]
    Gltf(#[from] GltfProblem),
    /// A scene file's text.
    #[error(transparent)]
    Scene(#[from] SceneProblem),
    /// A cloth that cannot be built or stepped.
    #[error(transparent)]
    Run(#[from] RunProblem),
    /// A replay that cannot be recorded, read or played as it was.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Problem {
    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Read(error) if error.kind() == io::ErrorKind::NotFound => {
                "check the name; paths inside a scene count from the scene file's folder".into()
            }
            Self::Read(_) => "check that it is a file you may read".into(),
            Self::Write(_) => {
                "check that the folder can be written and the disk has room, or choose another".into()
            }
            Self::UnknownFormat => "export the mesh as OBJ (.obj) or glTF (.glb, .gltf)".into(),
            Self::Obj(problem) => problem.remedy(),
            Self::Gltf(problem) => problem.remedy(),
            Self::Scene(problem) => problem.remedy.clone(),
            Self::Run(problem) => problem.remedy(),
            Self::Replay(
                ReplayError::Differs { .. }
                | ReplayError::Single { error: cloth_core::ReplayError::Differs { .. }, .. },
            ) => "record it anew on this machine, and let `cloth diff` say where the two part".into(),
            Self::Replay(ReplayError::NoSuchTick { count, .. }) => format!("choose ticks from 0 to {count}"),
            Self::Replay(ReplayError::Order { from, to }) => format!("write --from {to} --to {from}"),
            Self::Replay(ReplayError::OtherScene { .. }) => {
                "name the scene that was recorded, as it was then, or leave --scene out".into()
            }
            Self::Replay(ReplayError::Trails { byte, .. }) => {
                format!("take what follows away: the recording is the first {byte} bytes")
            }
            Self::Replay(ReplayError::OtherKind { .. }) => {
                "record both with `cloth record --single`, or both without".into()
            }
            Self::Replay(ReplayError::NoScene) => {
                "leave --scene out, or record the scene without `--single`".into()
            }
            Self::Replay(ReplayError::Write(_)) => "check that the disk has room".into(),
            Self::Replay(_) => "docs/replay.md has the format; record it anew with `cloth record`".into(),
        }
    }

    /// The complaint about `path` as a whole.
    pub fn in_file(self, path: &str) -> Error {
        Error { path: path.into(), line: None, problem: self }
    }

    /// The complaint about one line of `path`.
    pub fn at_line(self, path: &str, line: usize) -> Error {
        Error { path: path.into(), line: Some(line), problem: self }
    }
}

fn place(path: &str, line: Option<usize>) -> String {
    line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"))
}
