//! `cloth inspect`.

use cloth_host::Error;
use cloth_host::error::Problem;
use cloth_host::import::{ImportOptions, read_mesh};
use cloth_host::inspect::{Inspection, Loop};

use crate::InspectArgs;

/// Defects and loops that are printed one by one; `--json` lists all.
const SHOWN: usize = 20;

/// Prints what the builder sees; answers whether the mesh is sound.
pub fn inspect(args: &InspectArgs) -> Result<bool, Error> {
    let options = ImportOptions { unit: args.unit, scale: args.scale, part: args.part.clone() };
    let surface = read_mesh(&args.mesh, &options)?;
    let seen = Inspection::new(&surface, args.weld);
    let file = args.mesh.display().to_string();
    if args.json {
        println!("{}", seen.to_json().map_err(|problem| Problem::Run(problem).in_file(&file))?);
    } else {
        print(&file, &seen);
    }
    Ok(seen.is_sound())
}

fn print(file: &str, seen: &Inspection) {
    let [x, y, z] = seen.size;
    println!("{file}");
    println!(
        "  {} vertices, {} triangles, {} edges; {x:.3} x {y:.3} x {z:.3} m; {}",
        seen.vertices,
        seen.triangles,
        seen.edges,
        pieces(seen.components),
    );
    if seen.particles != seen.vertices {
        println!("  {} vertices after welding", seen.particles);
    }
    println!("  boundary loops: {}", seen.loops.len());
    let (top, bottom) = (extreme(&seen.loops, 1.0), extreme(&seen.loops, -1.0));
    for (index, edge) in seen.loops.iter().enumerate().take(SHOWN) {
        let name = match (top == Some(index), bottom == Some(index)) {
            (true, true) => "  top and bottom",
            (true, false) => "  top",
            (false, true) => "  bottom",
            (false, false) => "",
        };
        let count = edge.vertices.len();
        println!("    {index}: {count} vertices, {:.3} m, mean height {:.3} m{name}", edge.length, edge.height);
    }
    more(seen.loops.len());
    match &seen.built {
        Some(built) => println!(
            "  builds to {} stretch rows, {} bend rows, {} colours; model {} bytes, state {} bytes",
            built.stretch_rows, built.bend_rows, built.colours, built.model_bytes, built.state_bytes
        ),
        None => println!("  cannot be built as it is"),
    }
    if seen.is_sound() {
        println!("  sound: no defects");
        return;
    }
    println!("  defects: {}", seen.defects.len());
    for finding in seen.defects.iter().take(SHOWN) {
        let place = finding.line.map(|line| format!("{file}:{line}: ")).unwrap_or_default();
        println!("    {place}{}", finding.defect);
        println!("      remedy: {}", finding.remedy());
    }
    more(seen.defects.len());
}

fn pieces(count: u32) -> String {
    if count == 1 { "one piece".into() } else { format!("{count} pieces") }
}

fn more(count: usize) {
    if count > SHOWN {
        println!("    and {} more; --json lists all", count - SHOWN);
    }
}

/// The loop that `loop = "top"` (sign 1) or `"bottom"` (sign −1) names.
fn extreme(loops: &[Loop], sign: f32) -> Option<usize> {
    (0..loops.len()).max_by(|a, b| (sign * loops[*a].height).total_cmp(&(sign * loops[*b].height)))
}
