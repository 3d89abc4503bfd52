//! A small reader of Wavefront OBJ.
//!
//! Ours because the libraries for the job name no line in their errors and let NaN through, and both are what
//! an artist with a broken export needs most. It reads `v`, `f`, `g` and `o`; every other statement is passed
//! over. Faces may have any number of corners in any of the forms `v`, `v/vt`, `v//vn`, `v/vt/vn`, with
//! negative (relative) indices; a backslash at a line's end continues it. Lines may end in LF, CR LF or CR, and a
//! UTF-8 byte order mark may come first.
//!
//! A quad is split along its shorter diagonal, and along the one with the lowest vertex index if both are
//! equally long: the rule does not depend on the corner a face starts with. Faces of more corners become a fan
//! round their first corner, which is right for convex ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use thiserror::Error as ThisError;

use super::{ImportOptions, Surface};
use crate::error::{Error, Problem};

/// What is wrong with an OBJ file. Vertices are counted from 0.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum ObjProblem {
    /// A vertex with fewer than three numbers.
    #[error("vertex {vertex} (counted from 0) has {count} numbers instead of 3")]
    ShortVertex {
        /// The vertex.
        vertex: usize,
        /// How many numbers the line has.
        count: usize,
    },
    /// A coordinate that is not a number.
    #[error("vertex {vertex} (counted from 0): \"{text}\" is not a number")]
    NotANumber {
        /// The vertex.
        vertex: usize,
        /// What stands there.
        text: String,
    },
    /// NaN, an infinity, or more than an `f32` holds.
    #[error("vertex {vertex} (counted from 0): its {axis} is {text}, which is not a finite coordinate")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// What stands there.
        text: String,
    },
    /// A face of fewer than three corners.
    #[error("this face has {corners} corners; a face needs 3 or more")]
    ShortFace {
        /// How many it has.
        corners: usize,
    },
    /// A corner that is not an index.
    #[error("corner \"{text}\" of this face is not a vertex index")]
    BadCorner {
        /// What stands there.
        text: String,
    },
    /// A corner that names a vertex the file does not have.
    #[error("corner \"{text}\" of this face names a vertex that is not there; the file has {count}")]
    OutOfRange {
        /// What stands there.
        text: String,
        /// Vertices in the file (negative indices: so far).
        count: usize,
    },
    /// Text in two bytes a character.
    #[error("is UTF-16 text; OBJ is read as UTF-8")]
    Utf16,
    /// No face at all.
    #[error("has {vertices} vertices and no faces")]
    NoFaces {
        /// Vertices in the file.
        vertices: usize,
    },
    /// The wanted group is not there.
    #[error("has no group or object \"{part}\" with faces; it has {}", super::name_list(.there))]
    NoPart {
        /// What was asked for.
        part: String,
        /// What the file has.
        there: Vec<String>,
    },
}

impl ObjProblem {
    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::ShortVertex { .. } => "write x, y and z: \"v 0.1 1.5 0.0\"; the file may be cut short",
            Self::NotANumber { .. } => "write plain decimals with a point: \"v 0.1 1.5 0.0\"",
            Self::NotFinite { .. } => {
                "move that vertex to a real place in the modelling program and export again"
            }
            Self::ShortFace { .. } => "delete loose edges and points in the modelling program",
            Self::BadCorner { .. } => {
                "corners are written v, v/vt, v//vn or v/vt/vn, for example \"f 1 2 3\""
            }
            Self::OutOfRange { .. } => {
                "indices count from 1, negative ones back from the last vertex; export the mesh again"
            }
            Self::Utf16 => "save it as UTF-8 in a text editor, or export it again",
            Self::NoFaces { .. } => "export a surface; curves and point clouds cannot be cloth",
            Self::NoPart { .. } => "name one of those as `part`, or leave `part` out to take the whole file",
        }
        .into()
    }
}

/// A face's corners before all vertices are known.
struct Face {
    line: usize,
    corners: Vec<u32>,
}

/// Reads an OBJ file that is in memory. `name` is what errors call it.
///
/// With [`ImportOptions::part`] only faces under a `g` or `o` statement of that name are taken, and the vertices
/// no such face uses are left out; the rest keep their order.
///
/// # Errors
/// [`Error`] with an [`ObjProblem`], naming the line.
pub fn parse_obj(name: &str, bytes: &[u8], options: &ImportOptions) -> Result<Surface, Error> {
    let text = text(bytes).ok_or_else(|| Problem::Obj(ObjProblem::Utf16).in_file(name))?;
    let factor = options.factor();
    let mut surface = Surface::default();
    let mut faces = Vec::new();
    let mut parts = BTreeSet::new();
    let mut current: Vec<String> = Vec::new();
    let mut object = String::new();

    for (line, statement) in statements(&text) {
        let at = |problem: ObjProblem| Problem::Obj(problem).at_line(name, line);
        let mut words = statement.split_whitespace();
        match words.next() {
            Some("v") => {
                let position = vertex(surface.positions.len(), words, factor).map_err(at)?;
                surface.positions.push(position);
                surface.vertex_lines.push(line);
            }
            Some("f") => {
                let corners = words
                    .map(|word| corner(word, surface.positions.len()))
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(at)?;
                if corners.len() < 3 {
                    return Err(at(ObjProblem::ShortFace { corners: corners.len() }));
                }
                parts.extend(current.iter().chain(Some(&object)).filter(|name| !name.is_empty()).cloned());
                let wanted = options
                    .part
                    .as_ref()
                    .is_none_or(|part| object == *part || current.iter().any(|group| group == part));
                if wanted {
                    faces.push(Face { line, corners });
                }
            }
            Some("g") => current = words.map(str::to_owned).collect(),
            Some("o") => object = words.collect::<Vec<_>>().join(" "),
            _ => {}
        }
    }

    if faces.is_empty() {
        let problem = match &options.part {
            Some(part) => ObjProblem::NoPart { part: part.clone(), there: parts.into_iter().collect() },
            None => ObjProblem::NoFaces { vertices: surface.positions.len() },
        };
        return Err(Problem::Obj(problem).in_file(name));
    }
    for face in &faces {
        let count = surface.positions.len();
        if let Some(corner) = face.corners.iter().find(|corner| **corner as usize >= count) {
            let text = (u64::from(*corner) + 1).to_string();
            return Err(Problem::Obj(ObjProblem::OutOfRange { text, count }).at_line(name, face.line));
        }
        split(&surface.positions, &face.corners, &mut surface.triangles);
        surface.triangle_lines.resize(surface.triangles.len(), face.line);
    }
    if options.part.is_some() {
        keep_used(&mut surface);
    }
    Ok(surface)
}

/// The file's text with lines ended by `\n`, however the file ends them, and without a byte order mark; `None` if
/// it is UTF-16, by its mark or by the zero bytes that its ASCII has.
fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || bytes.iter().take(64).any(|b| *b == 0)
    {
        return None;
    }
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    Some(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text })
}

/// Statements with the line each starts on, comments cut and continued lines joined.
fn statements(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut statement = uncommented(first).to_owned();
        while statement.ends_with('\\') {
            statement.pop();
            statement.push(' ');
            match lines.next() {
                Some((_, next)) => statement.push_str(uncommented(next)),
                None => break,
            }
        }
        Some((number + 1, statement))
    })
}

fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim_end()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the result is checked to be finite, and rounding is wanted"
)]
fn vertex<'t>(
    vertex: usize,
    words: impl Iterator<Item = &'t str>,
    factor: f64,
) -> Result<[f32; 3], ObjProblem> {
    let mut position = [0.0_f32; 3];
    let mut count = 0;
    // What follows x, y, z may be a weight or a colour.
    for ((word, place), axis) in words.zip(&mut position).zip(['x', 'y', 'z']) {
        let value: f64 =
            word.parse().map_err(|_| ObjProblem::NotANumber { vertex, text: word.to_owned() })?;
        *place = (value * factor) as f32;
        if !place.is_finite() {
            return Err(ObjProblem::NotFinite { vertex, axis, text: word.to_owned() });
        }
        count += 1;
    }
    if count < 3 { Err(ObjProblem::ShortVertex { vertex, count }) } else { Ok(position) }
}

/// The vertex index (from 0) of a corner; `so_far` is how many vertices stand above it.
fn corner(word: &str, so_far: usize) -> Result<u32, ObjProblem> {
    let bad = || ObjProblem::BadCorner { text: word.to_owned() };
    let number: i64 = word.split('/').next().unwrap_or_default().parse().map_err(|_| bad())?;
    let index = match number {
        0 => return Err(bad()),
        1.. => Some(number - 1),
        _ => i64::try_from(so_far).ok().map(|so_far| so_far + number),
    };
    index
        .and_then(|index| u32::try_from(index).ok())
        .ok_or_else(|| ObjProblem::OutOfRange { text: word.to_owned(), count: so_far })
}

/// Splits a face into triangles, by the rule of this module.
fn split(positions: &[[f32; 3]], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    if let &[a, b, c, d] = corners {
        let (ac, bd) = (squared_distance(positions, a, c), squared_distance(positions, b, d));
        if ac < bd || (ac <= bd && a.min(c) < b.min(d)) {
            triangles.extend([[a, b, c], [a, c, d]]);
        } else {
            triangles.extend([[a, b, d], [b, c, d]]);
        }
        return;
    }
    triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
}

fn squared_distance(positions: &[[f32; 3]], a: u32, b: u32) -> f64 {
    let (a, b) = (positions[a as usize], positions[b as usize]);
    (0..3).map(|axis| f64::from(a[axis]) - f64::from(b[axis])).map(|d| d * d).sum()
}

/// Leaves out the vertices that no triangle uses.
fn keep_used(surface: &mut Surface) {
    let mut renumbered = vec![u32::MAX; surface.positions.len()];
    for corner in surface.triangles.iter().flatten() {
        renumbered[*corner as usize] = 0;
    }
    for (next, place) in (0..).zip(renumbered.iter_mut().filter(|place| **place == 0)) {
        *place = next;
    }
    let used = |vertex: usize| renumbered[vertex] != u32::MAX;
    surface.positions = pick(&surface.positions, used);
    surface.vertex_lines = pick(&surface.vertex_lines, used);
    for corner in surface.triangles.iter_mut().flatten() {
        *corner = renumbered[*corner as usize];
    }
}

fn pick<T: Copy>(all: &[T], wanted: impl Fn(usize) -> bool) -> Vec<T> {
    all.iter().enumerate().filter(|(index, _)| wanted(*index)).map(|(_, item)| *item).collect()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;
    use crate::import::Unit;

    fn parse(text: &str) -> Result<Surface, Error> {
        parse_obj("test.obj", text.as_bytes(), &ImportOptions::default())
    }

    fn problem(text: &str) -> (Option<usize>, ObjProblem) {
        let error = parse(text).expect_err("the file is broken");
        match error.problem {
            Problem::Obj(problem) => (error.line, problem),
            other => panic!("{other}"),
        }
    }

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\n";

    #[test]
    fn faces_in_every_form() {
        for face in ["f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//2 3//3", "f 1/1/1 2/2/2 3/3/3", "f -4 -3 -2"] {
            let surface = parse(&format!("{SQUARE}{face}\n")).unwrap();
            assert_eq!(surface.triangles, [[0, 1, 2]], "{face}");
            assert_eq!(surface.triangle_lines, [5]);
        }
        assert_eq!(parse(&format!("f 1 2 3\n{SQUARE}")).unwrap().triangles, [[0, 1, 2]]);
        assert_eq!(parse(&format!("{SQUARE}f 1 \\\n 2 3 # corner\n")).unwrap().triangles, [[0, 1, 2]]);
    }

    #[test]
    fn marks_and_line_ends_of_every_system() {
        let plain = format!("{SQUARE}f 1 2 3\n# quad\nf 1 2 3 4\n");
        let expected = parse(&plain).unwrap();
        let odd = [
            format!("\u{feff}{plain}"),
            plain.replace('\n', "\r\n"),
            plain.replace('\n', "\r"),
            format!("\u{feff}{}", plain.replace('\n', "\r")),
        ];
        for text in odd {
            assert_eq!(parse(&text).unwrap(), expected, "{text:?}");
        }
        for (mark, swap) in [(true, false), (false, false), (true, true), (false, true)] {
            let units = mark.then_some(0xfeff).into_iter().chain(plain.encode_utf16());
            let bytes: Vec<u8> =
                units.flat_map(|u| if swap { u.to_be_bytes() } else { u.to_le_bytes() }).collect();
            let said = parse_obj("t.obj", &bytes, &ImportOptions::default()).unwrap_err().to_string();
            assert!(said.contains("is UTF-16"), "{said}");
        }
    }

    #[test]
    fn a_quad_is_split_along_its_shorter_diagonal_whatever_its_first_corner() {
        let kite = "v 0 0 0\nv 1 0 0\nv 3 0 1\nv 0 0 1\n";
        for face in ["f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3"] {
            let triangles = parse(&format!("{kite}{face}\n")).unwrap().triangles;
            assert!(triangles.iter().all(|t| t.contains(&1) && t.contains(&3)), "{face}: {triangles:?}");
            let square = parse(&format!("{SQUARE}{face}\n")).unwrap().triangles;
            assert!(square.iter().all(|t| t.contains(&0) && t.contains(&2)), "{face}: {square:?}");
        }
    }

    #[test]
    fn a_pentagon_becomes_a_fan() {
        let surface = parse(&format!("{SQUARE}v -1 0 0.5\nf 1 2 3 4 5\n")).unwrap();
        assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
        assert_eq!(surface.triangle_lines, [6, 6, 6]);
    }

    #[test]
    fn unit_and_scale_multiply() {
        let options = ImportOptions { unit: Unit::Decimetre, scale: 2.0, part: None };
        let surface = parse_obj("t.obj", b"v 1 2 3\nv 0 0 0\nv 1 0 0\nf 1 2 3", &options).unwrap();
        assert_eq!(surface.positions[0], [0.2, 0.4, 0.6]);
    }

    #[test]
    fn a_part_is_taken_alone_and_renumbered() {
        let text = format!("{SQUARE}g body\nf 1 2 3\ng skirt helper\nf 1 3 4\n");
        let options = |part: &str| ImportOptions { part: Some(part.into()), ..Default::default() };
        let surface = parse_obj("t.obj", text.as_bytes(), &options("skirt")).unwrap();
        assert_eq!(surface.triangles, [[0, 1, 2]]);
        assert_eq!(surface.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
        assert_eq!(surface.vertex_lines, [1, 3, 4]);
        let error = parse_obj("t.obj", text.as_bytes(), &options("hat")).unwrap_err().to_string();
        assert!(error.contains("\"hat\"") && error.contains("body, helper, skirt"), "{error}");
    }

    #[test]
    fn errors_name_the_line_and_the_element() {
        assert_eq!(problem("v 0 0 0\nv 1 0\n"), (Some(2), ObjProblem::ShortVertex { vertex: 1, count: 2 }));
        assert_eq!(
            problem("v 0 0 0\nv 1 nan 0\n"),
            (Some(2), ObjProblem::NotFinite { vertex: 1, axis: 'y', text: "nan".into() })
        );
        assert!(matches!(problem("v 0 0 inf\n"), (Some(1), ObjProblem::NotFinite { axis: 'z', .. })));
        assert!(matches!(problem("v 1e39 0 0\n"), (Some(1), ObjProblem::NotFinite { axis: 'x', .. })));
        assert!(matches!(problem("v 0 1,5 0\n"), (Some(1), ObjProblem::NotANumber { .. })));
        assert_eq!(
            problem(&format!("{SQUARE}f 1 2 x\n")),
            (Some(5), ObjProblem::BadCorner { text: "x".into() })
        );
        assert_eq!(problem(&format!("{SQUARE}f 1 2\n")), (Some(5), ObjProblem::ShortFace { corners: 2 }));
        assert!(matches!(problem(&format!("{SQUARE}f 0 1 2\n")), (Some(5), ObjProblem::BadCorner { .. })));
        for far in ["9", "-9", "4294967296", "4294967295"] {
            let (line, found) = problem(&format!("{SQUARE}f 1 2 {far}\n"));
            assert_eq!((line, found), (Some(5), ObjProblem::OutOfRange { text: far.into(), count: 4 }));
        }
        assert_eq!(problem(SQUARE), (None, ObjProblem::NoFaces { vertices: 4 }));
    }
}
