//! The `[fabric]` section, of the cloth or of a rope beside it: a library fabric and what the scene changes about it.

use cloth_core::fabric::library::{self, Density};
use cloth_core::{ClothDynamics, ClothFlags};

use super::SceneFabric;
use super::file::{At, FabricSection, RunSection};
use super::read::Reader;
use super::shape::Body;
use crate::error::Error;

/// The fabric that a section writes, called `called`.
pub(super) fn resolve(
    reader: &Reader<'_>,
    called: &str,
    section: &FabricSection,
    run: &RunSection,
    body: &Body,
) -> Result<SceneFabric, Error> {
    let chain = matches!(body, Body::Chain { .. });
    let default = if chain { "rope" } else { "cotton" };
    let name = section.name.as_ref().map_or(default, |name| name.get_ref());
    let Some(fabric) = library::by_name(name) else {
        let names: Vec<_> = library::ALL.iter().map(|fabric| fabric.name).collect();
        let at = reader.span_of(section.name.as_ref());
        return Err(reader.fail(
            at,
            &format!("{called}.name"),
            format!("there is no fabric \"{name}\""),
            format!("write one of {}", names.join(", ")),
        ));
    };

    let mut dynamics = fabric.dynamics;
    let numbers: [(&str, &mut f32, &Option<At<f64>>); 9] = [
        ("slack", &mut dynamics.slack, &section.slack),
        ("stretch", &mut dynamics.stretch, &section.stretch),
        ("bend", &mut dynamics.bend, &section.bend),
        ("skip", &mut dynamics.skip, &section.skip),
        ("inertia", &mut dynamics.inertia, &section.inertia),
        ("damping", &mut dynamics.damping, &section.damping),
        ("drag", &mut dynamics.drag, &section.drag),
        ("lift", &mut dynamics.lift, &section.lift),
        ("thickness", &mut dynamics.thickness, &section.thickness),
    ];
    let mut written = Vec::new();
    for (key, field, value) in numbers {
        if let Some(value) = value {
            *field = reader.narrow(*value.get_ref());
            written.push((key, value.span(), *value.get_ref()));
        }
    }
    dynamics.substeps = reader.count("run.substeps", run.substeps.as_ref(), 1..=64, dynamics.substeps)?;
    dynamics.iterations =
        reader.count("run.iterations", run.iterations.as_ref(), 1..=64, dynamics.iterations)?;
    let flags = [
        (ClothFlags::STRAIN_LIMIT, &section.strain_limit),
        (ClothFlags::SELF_CONTACT, &section.self_contact),
    ];
    for (flag, value) in flags {
        dynamics.flags = match value.as_ref().map(At::get_ref) {
            Some(true) => dynamics.flags.with(flag),
            Some(false) => dynamics.flags.without(flag),
            None => dynamics.flags,
        };
    }
    // Core knows what a step can use; the scene only says where the value stands.
    if let Some(field) = dynamics.invalid_field() {
        let at = written.iter().find(|(key, _, _)| *key == field).map(|(_, span, _)| span.clone());
        let value = written.iter().find(|(key, _, _)| *key == field).map_or(f64::NAN, |(_, _, value)| *value);
        let range = ClothDynamics::range_of(field);
        let dial = matches!(field, "slack" | "stretch" | "inertia" | "drag" | "lift");
        let (kind, remedy) = if dial {
            ("is a dial and", "0 is none of it, 1 all of it")
        } else {
            ("is a number that", "leave the key out to keep the fabric's own value")
        };
        let what = format!("{kind} must lie between {} and {}, it is {value}", range.start(), range.end());
        return Err(reader.fail(at, &format!("{called}.{field}"), what, remedy));
    }

    let density = density(reader, called, section, fabric, chain)?;
    let stiff_bend = section.stiff_bend.as_ref().map(|value| *value.get_ref());
    Ok(SceneFabric { name: fabric.name, dynamics, density, stiff_bend })
}

fn density(
    reader: &Reader<'_>,
    called: &str,
    section: &FabricSection,
    fabric: library::Fabric,
    chain: bool,
) -> Result<Density, Error> {
    if let Some(value) = &section.density {
        let number =
            reader.narrow(reader.number(&format!("{called}.density"), Some(value), 1e-6..=1e6, 0.0)?);
        return Ok(if chain { Density::Linear(number) } else { Density::Areal(number) });
    }
    match (fabric.density, chain) {
        (Density::Linear(_), true) | (Density::Areal(_), false) => Ok(fabric.density),
        (Density::Linear(_), false) => Err(reader.fail(
            reader.span_of(section.name.as_ref()),
            &format!("{called}.name"),
            format!("\"{}\" is made for chains and this cloth is a surface", fabric.name),
            "take silk, cotton, denim or leather, or write density = (kg/m²)",
        )),
        (Density::Areal(_), true) => Err(reader.fail(
            reader.span_of(section.name.as_ref()),
            &format!("{called}.name"),
            format!("\"{}\" is made for surfaces and this cloth is a rope", fabric.name),
            "take rope, chain or hair, or write density = (kg/m)",
        )),
    }
}
