//! The `[wind]`, `[[zone]]` and `[[fluid]]` sections: the air.

use super::file::{At, FluidSection, WindSection, ZoneSection};
use super::motion::{self, Motion, Stand};
use super::reach::Clock;
use super::read::Reader;
use crate::error::Error;
use crate::fluid::{FluidError, FluidVolume};
use crate::pose::Pose;
use crate::world::{AmbientWind, WindZone, ZoneBlend, ZoneShape};

/// Most zones of a scene, and most volumes of simulated air.
const MOST: usize = 64;

/// Sizes of zones and volumes, of eddies and of cells (m).
const SIZES: core::ops::RangeInclusive<f64> = 1e-3..=1e5;

/// What to do about a number that is out of its range.
const OTHERWISE: &str = "change the value, or leave the key out";

/// The air of a scene. Without any of it cloth is in none, and nothing of it is computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneAir {
    /// What blows everywhere.
    pub wind: Option<AmbientWind>,
    /// Where it blows differently.
    pub zones: Vec<Standing<WindZone>>,
    /// Where it is simulated.
    pub fluids: Vec<Standing<FluidVolume>>,
}

/// A source of wind, where it stands and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing<T> {
    /// The source.
    pub source: T,
    /// Where it stands before its motion.
    pub stand: Stand,
    /// How it moves.
    pub motion: Motion,
}

impl<T> Standing<T> {
    /// Where it is at a time (s).
    pub fn place(&self, time: f64) -> Pose {
        self.motion.pose(time).place_body(&self.stand)
    }
}

impl SceneAir {
    /// Whether there is any.
    pub fn is_some(&self) -> bool {
        self.wind.is_some() || !self.zones.is_empty() || !self.fluids.is_empty()
    }
}

/// The air that the sections of a scene write.
pub(super) fn resolve(reader: &Reader<'_>, clock: &Clock, written: &Written<'_>) -> Result<SceneAir, Error> {
    let few = |name: &str, beyond: Option<core::ops::Range<usize>>| match beyond {
        Some(at) => Err(reader.fail(Some(at), name, format!("there are more than {MOST}"), "leave some out")),
        None => Ok(()),
    };
    few("zone", written.zones.get(MOST).map(At::span))?;
    few("fluid", written.fluids.get(MOST).map(At::span))?;
    Ok(SceneAir {
        wind: written.wind.map(|section| wind(reader, section)).transpose()?,
        zones: written.zones.iter().map(|section| zone(reader, clock, section)).collect::<Result<_, _>>()?,
        fluids: written
            .fluids
            .iter()
            .map(|section| fluid(reader, clock, section))
            .collect::<Result<_, _>>()?,
    })
}

/// The sections that are about air.
pub(super) struct Written<'a> {
    pub wind: Option<&'a WindSection>,
    pub zones: &'a [At<ZoneSection>],
    pub fluids: &'a [At<FluidSection>],
}

fn wind(reader: &Reader<'_>, section: &WindSection) -> Result<AmbientWind, Error> {
    let default = AmbientWind::default();
    if let (Some(period), None) = (&section.period, &section.gust) {
        let remedy = "write gust = [x, y, z], or leave the period out";
        return Err(reader.fail(
            Some(period.span()),
            "wind.period",
            "is that of gusts, and there are none",
            remedy,
        ));
    }
    Ok(AmbientWind {
        velocity: velocity(reader, "wind.velocity", section.velocity.as_ref())?,
        gust: velocity(reader, "wind.gust", section.gust.as_ref())?,
        period: number(reader, "wind.period", section.period.as_ref(), 1e-3..=1e6, default.period)?,
        ..default
    })
}

fn zone(reader: &Reader<'_>, clock: &Clock, section: &At<ZoneSection>) -> Result<Standing<WindZone>, Error> {
    let section = section.get_ref();
    let (stand, motion) = motion::of_body(
        reader,
        clock,
        "zone",
        section.position.as_ref(),
        section.rotation.as_ref(),
        section.motion.as_ref(),
    )?;
    let wanted = section.shape.get_ref().as_str();
    let missing = |key: &str| {
        let what = format!("is missing, and a {wanted} has one");
        reader.fail(Some(section.shape.span()), &format!("zone.{key}"), what, format!("write {key} = …"))
    };
    let alien = |key: &str, at: core::ops::Range<usize>| {
        let what = format!("means nothing for a {wanted}");
        reader.fail(Some(at), &format!("zone.{key}"), what, "leave it out")
    };
    let shape = match (wanted, &section.half_extents, &section.radius) {
        ("box", Some(half), None) => {
            ZoneShape::Box { half_extents: reader.extents("zone.half_extents", half, SIZES)? }
        }
        ("sphere", None, Some(radius)) => {
            ZoneShape::Sphere { radius: number(reader, "zone.radius", Some(radius), SIZES, 0.0)? }
        }
        ("box", None, _) => return Err(missing("half_extents")),
        ("sphere", _, None) => return Err(missing("radius")),
        ("box", _, Some(radius)) => return Err(alien("radius", radius.span())),
        ("sphere", Some(half), _) => return Err(alien("half_extents", half.span())),
        _ => {
            let what = format!("there is no shape \"{wanted}\"");
            let remedy = "write \"box\" or \"sphere\"";
            return Err(reader.fail(Some(section.shape.span()), "zone.shape", what, remedy));
        }
    };
    let default = WindZone::default();
    let blend = match section.blend.as_ref().map(|blend| (blend, blend.get_ref().as_str())) {
        None | Some((_, "add")) => ZoneBlend::Add,
        Some((_, "replace")) => ZoneBlend::Replace,
        Some((blend, other)) => {
            let what = format!("\"{other}\" is no way to blend");
            let remedy = "write \"add\" or \"replace\"";
            return Err(reader.fail(Some(blend.span()), "zone.blend", what, remedy));
        }
    };
    let source = WindZone {
        shape,
        velocity: velocity(reader, "zone.velocity", section.velocity.as_ref())?,
        turbulence: number(
            reader,
            "zone.turbulence",
            section.turbulence.as_ref(),
            0.0..=10.0,
            default.turbulence,
        )?,
        eddy: number(reader, "zone.eddy", section.eddy.as_ref(), SIZES, default.eddy)?,
        falloff: number(reader, "zone.falloff", section.falloff.as_ref(), 0.0..=1e5, default.falloff)?,
        blend,
        ..default
    };
    Ok(Standing { source, stand, motion })
}

fn fluid(
    reader: &Reader<'_>,
    clock: &Clock,
    written: &At<FluidSection>,
) -> Result<Standing<FluidVolume>, Error> {
    let section = written.get_ref();
    let (stand, motion) = motion::of_body(
        reader,
        clock,
        "fluid",
        section.position.as_ref(),
        section.rotation.as_ref(),
        section.motion.as_ref(),
    )?;
    let default = FluidVolume::default();
    let prevailing = section.prevailing.as_ref();
    let dial = |key: &str, value: &Option<At<f64>>, most: f64, default: f32| {
        number(reader, &format!("fluid.{key}"), value.as_ref(), 0.0..=most, default)
    };
    let source = FluidVolume {
        half_extents: reader.extents("fluid.half_extents", &section.half_extents, SIZES)?,
        cell: number(reader, "fluid.cell", section.cell.as_ref(), 1e-3..=1e3, default.cell)?,
        prevailing: match prevailing {
            Some(_) => Some(velocity(reader, "fluid.prevailing", prevailing)?),
            None => None,
        },
        relaxation: dial("relaxation", &section.relaxation, 1e3, default.relaxation)?,
        damping: dial("damping", &section.damping, 1e3, default.damping)?,
        confinement: dial("confinement", &section.confinement, 1.0, default.confinement)?,
        border: dial("border", &section.border, 1e5, default.border)?,
        ..default
    };
    source.check().map_err(|error| refused(reader, section, &error))?;
    Ok(Standing { source, stand, motion })
}

/// What a volume is refused for besides: a setting, where it is written, or too many cells.
fn refused(reader: &Reader<'_>, section: &FluidSection, error: &FluidError) -> Error {
    let FluidError::Setting { field, value, low, high } = error else {
        let remedy = "write a larger cell, or a smaller box";
        return reader.fail(Some(section.half_extents.span()), "fluid", error.to_string(), remedy);
    };
    let (at, remedy) = match *field {
        "prevailing" => (reader.span_of(section.prevailing.as_ref()), "write a slower wind"),
        "cell" => (reader.span_of(section.cell.as_ref()), OTHERWISE),
        "relaxation" => (reader.span_of(section.relaxation.as_ref()), OTHERWISE),
        "damping" => (reader.span_of(section.damping.as_ref()), OTHERWISE),
        "confinement" => (reader.span_of(section.confinement.as_ref()), OTHERWISE),
        "border" => (reader.span_of(section.border.as_ref()), OTHERWISE),
        _ => (Some(section.half_extents.span()), OTHERWISE),
    };
    let what = format!("must lie between {low} and {high}, it is {value}");
    reader.fail(at, &format!("fluid.{field}"), what, remedy)
}

fn number(
    reader: &Reader<'_>,
    key: &str,
    value: Option<&At<f64>>,
    range: core::ops::RangeInclusive<f64>,
    default: f32,
) -> Result<f32, Error> {
    Ok(reader.narrow(reader.number(key, value, range, f64::from(default))?))
}

/// A velocity that a step takes (m/s); none is still air.
fn velocity(reader: &Reader<'_>, key: &str, value: Option<&At<[f64; 3]>>) -> Result<[f32; 3], Error> {
    Ok(reader.vector(key, value)?.unwrap_or_default().map(|component| reader.narrow(component)))
}
