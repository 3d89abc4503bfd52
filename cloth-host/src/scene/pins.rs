//! The `[pins]` section: which vertices are held. Every key adds to the set.

use std::collections::BTreeSet;

use toml::Value;

use super::file::{At, PinsSection};
use super::read::Reader;
use super::shape::Shape;
use crate::error::Error;
use crate::inspect::Loop;

/// The pinned vertices in rising order. `loops` are the surface's boundary loops.
pub(super) fn resolve(
    reader: &Reader<'_>,
    section: &PinsSection,
    shape: &Shape,
    loops: &[Loop],
) -> Result<Vec<u32>, Error> {
    let positions = shape.body.positions();
    let mut pins = BTreeSet::new();
    if let Some(value) = &section.boundary {
        pins.extend(&loops[boundary(reader, value, loops)?].vertices);
    }
    let heights = [("pins.above", &section.above, true), ("pins.below", &section.below, false)];
    for (key, value, above) in heights {
        let Some(value) = value else { continue };
        let limit = height(reader, key, value, positions)?;
        let held: Vec<u32> = (0..)
            .zip(positions)
            .filter(|(_, position)| {
                let y = f64::from(position[1]);
                if above { y >= limit } else { y <= limit }
            })
            .map(|(vertex, _)| vertex)
            .collect();
        if held.is_empty() {
            let (low, high) = extent(positions);
            return Err(reader.fail(
                Some(value.span()),
                key,
                format!("no vertex lies there; the mesh reaches from {low:.4} m to {high:.4} m"),
                "heights are metres after unit and scale; or write a share of the height: \"95%\"",
            ));
        }
        pins.extend(held);
    }
    if let Some(value) = &section.edge {
        for name in edge_names(reader, value)? {
            let Some((_, edge)) = shape.edges.iter().find(|(edge, _)| *edge == name) else {
                let names: Vec<_> = shape.edges.iter().map(|(edge, _)| *edge).collect();
                let remedy = if names.is_empty() {
                    "a mesh from a file has no named edges; use loop, above, below or vertices".into()
                } else {
                    format!("write one of {}", names.join(", "))
                };
                let what = format!("there is no edge \"{name}\"");
                return Err(reader.fail(Some(value.span()), "pins.edge", what, remedy));
            };
            pins.extend(edge);
        }
    }
    if let Some(value) = &section.vertices {
        for number in value.get_ref() {
            match u32::try_from(*number) {
                Ok(vertex) if (vertex as usize) < positions.len() => pins.insert(vertex),
                _ => {
                    return Err(reader.fail(
                        Some(value.span()),
                        "pins.vertices",
                        format!("there is no vertex {number}; the cloth has {}", positions.len()),
                        "vertices count from 0: OBJ's first vertex is 0 here",
                    ));
                }
            };
        }
    }
    Ok(pins.into_iter().collect())
}

fn boundary(reader: &Reader<'_>, value: &At<Value>, loops: &[Loop]) -> Result<usize, Error> {
    let fail = |what: String, remedy: &str| Err(reader.fail(Some(value.span()), "pins.loop", what, remedy));
    if loops.is_empty() {
        let remedy = "use above, below, edge or vertices, or cut the mesh open where it is to be held";
        return fail("the cloth has no boundary loop".into(), remedy);
    }
    let chosen = match value.get_ref() {
        Value::String(name) if name == "top" => Loop::top(loops),
        Value::String(name) if name == "bottom" => Loop::bottom(loops),
        Value::Integer(number) => usize::try_from(*number).ok().filter(|index| *index < loops.len()),
        _ => None,
    };
    match chosen {
        Some(index) => Ok(index),
        None => fail(
            format!("{} is no loop; the cloth has {}, counted from 0", value.get_ref(), loops.len()),
            "write \"top\", \"bottom\" or a loop's number as `cloth inspect` lists it",
        ),
    }
}

/// A height in metres, or a share of the cloth's height.
fn height(reader: &Reader<'_>, key: &str, value: &At<Value>, positions: &[[f32; 3]]) -> Result<f64, Error> {
    let (low, high) = extent(positions);
    let number = match value.get_ref() {
        Value::Float(metres) => Some(*metres),
        #[expect(clippy::cast_precision_loss, reason = "no height needs more than 53 bits")]
        Value::Integer(metres) => Some(*metres as f64),
        Value::String(text) => text
            .strip_suffix('%')
            .and_then(|share| share.trim().parse::<f64>().ok())
            .filter(|share| (0.0..=100.0).contains(share))
            .map(|share| low + (high - low) * share / 100.0),
        _ => None,
    };
    number.filter(|height| height.is_finite()).ok_or_else(|| {
        reader.fail(
            Some(value.span()),
            key,
            format!("{} is no height", value.get_ref()),
            "write metres (above = 1.2) or a share of the cloth's height (above = \"95%\")",
        )
    })
}

fn extent(positions: &[[f32; 3]]) -> (f64, f64) {
    positions
        .iter()
        .map(|position| f64::from(position[1]))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
            (if y < low { y } else { low }, if y > high { y } else { high })
        })
}

fn edge_names(reader: &Reader<'_>, value: &At<Value>) -> Result<Vec<String>, Error> {
    let names = match value.get_ref() {
        Value::String(name) => Some(vec![name.clone()]),
        Value::Array(names) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => None,
    };
    names.ok_or_else(|| {
        reader.fail(
            Some(value.span()),
            "pins.edge",
            format!("{} is no edge name", value.get_ref()),
            "write edge = \"top\" or edge = [\"top\", \"left\"]",
        )
    })
}
