//! `cloth inspect`.

use std::fmt::{self, Display, Formatter};

use cloth_core::bake::Defect;
use cloth_host::Error;
use cloth_host::error::Problem;
use cloth_host::import::read_mesh;
use cloth_host::inspect::{Finding, Inspection, Loop};
use cloth_host::scene::SceneProblem;

use crate::InspectArgs;

/// Defects and loops that are printed one by one; `--json` lists all.
const SHOWN: usize = 20;

/// Looks a mesh over; answers what there is to say and whether the mesh is sound.
pub fn inspect(args: &InspectArgs) -> Result<(String, bool), Error> {
    if args.file.extension().is_some_and(|ending| ending == "toml") {
        let shown = args.file.display().to_string();
        let what = "is a scene, and inspect looks meshes over".into();
        let remedy = format!("`cloth run {shown}` runs it; give inspect the file that its [mesh] names");
        return Err(Problem::Scene(SceneProblem { what, remedy }).in_file(&shown));
    }
    let surface = read_mesh(&args.file, &args.mesh.options())?;
    let seen = Inspection::new(&surface, args.mesh.weld_distance());
    let file = args.file.display().to_string();
    let text = if args.json {
        seen.to_json().map_err(|problem| Problem::Run(problem).in_file(&file))? + "\n"
    } else {
        Page { file: &file, seen: &seen }.to_string()
    };
    Ok((text, seen.is_sound()))
}

/// An inspection as text.
struct Page<'a> {
    file: &'a str,
    seen: &'a Inspection,
}

impl Display for Page<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { file, seen } = self;
        writeln!(f, "{file}")?;
        let [x, y, z] = seen.size.map(length);
        let pieces =
            if seen.components == 1 { "one piece".into() } else { format!("{} pieces", seen.components) };
        writeln!(
            f,
            "  {} vertices, {} triangles, {} edges, {pieces}; {x} x {y} x {z}",
            seen.vertices, seen.triangles, seen.edges
        )?;
        if seen.particles != seen.vertices {
            writeln!(f, "  {} vertices after welding", seen.particles)?;
        }
        writeln!(f, "  boundary loops: {}", seen.loops.len())?;
        let (top, bottom) = (Loop::top(&seen.loops), Loop::bottom(&seen.loops));
        for (index, edge) in seen.loops.iter().enumerate().take(SHOWN) {
            let name = match (top == Some(index), bottom == Some(index)) {
                (true, true) => " (top and bottom)",
                (true, false) => " (top)",
                (false, true) => " (bottom)",
                (false, false) => "",
            };
            let (count, around, height) = (edge.vertices.len(), length(edge.length), length(edge.height));
            writeln!(f, "    {index}: {count} vertices, {around} round, mean height {height}{name}")?;
        }
        more(f, seen.loops.len())?;
        match &seen.built {
            Some(built) => writeln!(
                f,
                "  builds to {} stretch rows, {} bend rows, {} colours; model {} bytes, state {} bytes",
                built.stretch_rows, built.bend_rows, built.colours, built.model_bytes, built.state_bytes
            )?,
            None => writeln!(f, "  cannot be built as it is")?,
        }
        if let Some(why) = &seen.refusal {
            writeln!(f, "    {why}")?;
            writeln!(f, "      remedy: check the unit and the scale")?;
        }
        if seen.is_sound() {
            return writeln!(f, "  sound: no defects");
        }
        let (twins, defects): (Vec<_>, Vec<_>) =
            seen.defects.iter().partition(|finding| matches!(finding.defect, Defect::DuplicateVertex { .. }));
        self.twins(f, &twins)?;
        if !defects.is_empty() {
            writeln!(f, "  defects: {}", defects.len())?;
        }
        for finding in defects.iter().take(SHOWN) {
            writeln!(f, "    {}{}", self.place(finding), finding.defect)?;
            writeln!(f, "      remedy: {}", finding.remedy())?;
        }
        more(f, defects.len())
    }
}

impl Page<'_> {
    /// A mesh split along its seams has hundreds of vertices that lie where others lie, for one reason.
    fn twins(&self, f: &mut Formatter<'_>, twins: &[&Finding]) -> fmt::Result {
        let Some(first) = twins.first() else { return Ok(()) };
        let count = match twins.len() {
            1 => "one vertex lies where another lies".into(),
            count => format!("{count} vertices lie where others lie"),
        };
        writeln!(f, "  warning: {count}, and nothing joins them; the first:")?;
        writeln!(f, "    {}{}", self.place(first), first.defect)?;
        let distance = first.weld.unwrap_or_default();
        writeln!(
            f,
            "      remedy: if the cloth is to hold together there, `--weld {distance}` here and `weld = {distance}` in the scene"
        )
    }

    fn place(&self, finding: &Finding) -> String {
        finding.line.map(|line| format!("{}:{line}: ", self.file)).unwrap_or_default()
    }
}

fn more(f: &mut Formatter<'_>, count: usize) -> fmt::Result {
    if count > SHOWN { writeln!(f, "    and {} more; --json lists all", count - SHOWN) } else { Ok(()) }
}

/// Metres with four digits, in the unit that suits.
fn length(metres: f32) -> String {
    match metres.abs() {
        0.0 => "0 m".into(),
        size if size < 0.01 => format!("{:.4} mm", metres * 1000.0),
        size if size < 10_000.0 => format!("{metres:.3} m"),
        _ => format!("{:.3} km", metres / 1000.0),
    }
}
