//! `bad-meshes`: every file of tests/cases/meshes, through the builder and through `cloth inspect`.

use super::{Measurement, Out, Table, Verdict};
use crate::workload::scenes::workspace;
use crate::workload::{Shape, Topology};
use anyhow::{Context as _, Result};
use cloth_core::bake::{Defect, Repair};
use cloth_core::{BuildError, ModelBuilder};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Named defects, no crash.
pub const BAD_MESHES: Measurement = Measurement {
    name: "bad-meshes",
    about: "every mesh of tests/cases, through the builder (which gets exactly what the file says) and through `cloth inspect`",
    bar: "every file of `../shared/cases/meshes` (three controls build clean): named defect, no crash, through the builder and through `cloth inspect`",
    uses_clock: false,
    run,
};

/// What the builder is to answer.
pub enum Builder {
    /// A model, nothing repaired, nothing noted but the missing pins.
    Clean,
    /// A model, with this repair reported.
    Repairs(Repair),
    /// A model of so many components, and of one when welded.
    Splits(u32),
    /// This defect.
    Refuses(Defect),
    /// Nothing: the file can't be read as a mesh, in this line.
    Unreadable(usize),
}

/// A file and what is known about it.
pub struct Case {
    /// Its name.
    pub file: &'static str,
    /// What the builder is to answer.
    pub builder: Builder,
    /// What `cloth inspect` is to say.
    pub says: &'static str,
}

/// All files.
pub const CASES: [Case; 18] = [
    case("ok_grid", Builder::Clean, "sound"),
    case("tiny", Builder::Clean, "sound"),
    case("huge", Builder::Clean, "sound"),
    case("empty", Builder::Refuses(Defect::Empty), "no faces"),
    case("no_faces", Builder::Refuses(Defect::Empty), "no faces"),
    case("malformed", Builder::Unreadable(3), "malformed.obj:3: vertex 1"),
    case("nan_vertex", Builder::Refuses(Defect::NonFinite { vertex: 5 }), "vertex 5"),
    case("inf_vertex", Builder::Refuses(Defect::NonFinite { vertex: 9 }), "vertex 9"),
    case(
        "index_out_of_range",
        Builder::Refuses(Defect::IndexOutOfRange { triangle: 18, vertex: 99, count: 16 }),
        "\"100\" of this face names a vertex that is not there",
    ),
    case(
        "repeated_index",
        Builder::Refuses(Defect::RepeatedIndex { triangle: 18, vertex: 3 }),
        "triangle 18 names vertex 3 twice",
    ),
    case(
        "zero_length_edge",
        Builder::Refuses(Defect::ZeroLengthEdge { a: 5, b: 6 }),
        "edge 5-6 has no length",
    ),
    case(
        "zero_area_triangle",
        Builder::Refuses(Defect::ZeroAreaTriangle { triangle: 18 }),
        "triangle 18 has no area",
    ),
    case(
        "non_manifold_edge",
        Builder::Refuses(Defect::NonManifoldEdge { a: 5, b: 6, triangles: 3 }),
        "edge 5-6 carries 3 triangles",
    ),
    case("two_triangle_bow_tie", Builder::Refuses(Defect::NonManifoldVertex { vertex: 2 }), "vertex 2"),
    case(
        "isolated_vertex",
        Builder::Refuses(Defect::IsolatedVertex { vertex: 16 }),
        "vertex 16 is in no triangle",
    ),
    case(
        "flipped_triangle",
        Builder::Repairs(Repair::Flipped { triangle: 7 }),
        "triangle 7 is wound against",
    ),
    case("seam_duplicates", Builder::Splits(2), "2 pieces"),
    case("unindexed_plane", Builder::Splits(18), "18 pieces"),
];

const fn case(file: &'static str, builder: Builder, says: &'static str) -> Case {
    Case { file, builder, says }
}

impl Case {
    /// Where the file is.
    pub fn path(&self) -> PathBuf {
        folder().join(self.file).with_extension("obj")
    }

    /// What the builder answers, and whether that is what it is to answer.
    ///
    /// # Errors
    ///
    /// A file that is missing.
    pub fn build(&self) -> Result<(String, bool)> {
        let text = std::fs::read_to_string(self.path()).context(self.file)?;
        let shape = match (Shape::from_obj(&text, 1.0), &self.builder) {
            (Ok(shape), _) => shape,
            (Err(error), Builder::Unreadable(line)) => {
                let text = format!("{error:#}");
                return Ok((format!("not a mesh: {text}"), text.contains(&format!("line {line}"))));
            }
            (Err(error), _) => return Ok((format!("not a mesh: {error:#}"), false)),
        };
        let Topology::Triangles(triangles) = &shape.topology else { unreachable!("an OBJ has triangles") };
        let builder = || ModelBuilder::mesh(&shape.positions, triangles);
        let built = builder().build();
        Ok(match (&built, &self.builder) {
            (Ok(baked), Builder::Clean) => {
                let clean = baked.report.repairs.is_empty() && baked.report.components == 1;
                (format!("builds, {} repairs", baked.report.repairs.len()), clean)
            }
            (Ok(baked), Builder::Repairs(repair)) => {
                let repairs: Vec<String> = baked.report.repairs.iter().map(ToString::to_string).collect();
                (format!("builds; {}", repairs.join(", ")), baked.report.repairs == [*repair])
            }
            (Ok(baked), Builder::Splits(components)) => {
                let welded = builder().weld(1e-4).build().context("welding")?.report.components;
                let apart = baked.report.components;
                let noted = !baked.report.notes.is_empty();
                let text = format!("builds; {apart} components, welded {welded}");
                (text, apart == *components && welded == 1 && noted)
            }
            (Err(BuildError::Defect(found)), Builder::Refuses(defect)) => {
                (found.to_string(), found == defect)
            }
            (Err(error), _) => (error.to_string(), false),
            (Ok(_), _) => ("builds".into(), false),
        })
    }

    /// What `cloth inspect` says in the line that matters, and whether it is what it is to say.
    fn inspect(&self, cloth: &Path) -> Result<(String, bool)> {
        let output = Command::new(cloth).arg("inspect").arg(self.path()).output().context("running cloth")?;
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|line| line.contains(self.says));
        let sound = matches!(self.builder, Builder::Clean);
        // A crash has no exit code of its own, or 101.
        let code = output.status.code();
        let fits = line.is_some() && code == Some(i32::from(!sound));
        let folder = format!("{}/", folder().display());
        let text = line.or(said.lines().next()).unwrap_or("nothing").trim().replace(&folder, "");
        Ok((text, fits))
    }
}

fn folder() -> PathBuf {
    workspace().join("tests/cases/meshes")
}

fn run(out: &mut Out) -> Result<Verdict> {
    let cloth = cloth_command()?;
    let mut table = Table::new(["file", "builder", "cloth inspect", "as it should be"]);
    let mut wrong = Vec::new();
    for case in &CASES {
        let (built, builds_right) = case.build()?;
        let (said, says_right) = case.inspect(&cloth)?;
        let right = builds_right && says_right;
        table.row([case.file.into(), built, said, if right { "yes" } else { "no" }.into()]);
        if !right {
            wrong.push(case.file);
        }
    }
    out.table(&table);
    let files = std::fs::read_dir(folder())?.count();
    let mut verdict = Verdict::new();
    verdict.check(format!("{} of {files} files known", CASES.len()), CASES.len() == files);
    let figure = if wrong.is_empty() {
        "all as they should be".into()
    } else {
        format!("wrong: {}", wrong.join(", "))
    };
    verdict.check(figure, wrong.is_empty());
    Ok(verdict)
}

/// Builds the `cloth` command in the profile this program was built in.
fn cloth_command() -> Result<PathBuf> {
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "-p", "cloth-host", "--bin", "cloth"]).current_dir(workspace());
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let output = build.output().context("building cloth")?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(std::env::current_exe()?.with_file_name("cloth"))
}
