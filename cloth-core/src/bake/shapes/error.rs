//! Why a shape could not be built.

use core::fmt;

/// Why points, triangles or heights are no shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is not a number, or beyond [`crate::model::MAX_LENGTH`].
    NonFinite {
        /// The vertex it is of.
        vertex: u32,
    },
    /// More than the layout or a query's budget has room for.
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many there may be.
        limit: u32,
    },
    /// The points of a hull span no volume: there are none, or they lie in one point, line or plane.
    NoVolume,
    /// Points of a hull are so nearly in line or in plane that rounding does not tell its faces apart.
    Unclear,
    /// No triangle of a mesh has an area, or no cell of a field is left.
    NoSurface,
    /// A triangle's corner does not exist.
    NoSuchVertex {
        /// The triangle.
        triangle: u32,
        /// The corner.
        vertex: u32,
        /// How many vertices there are.
        count: u32,
    },
    /// Three triangles or more share an edge, which then has no inside.
    SharedEdge {
        /// The first triangle found.
        triangle: u32,
        /// Its edge.
        edge: [u32; 2],
    },
    /// Two triangles that share an edge look to different sides.
    Flipped {
        /// The second of them.
        triangle: u32,
        /// The edge.
        edge: [u32; 2],
    },
    /// A triangle is there twice.
    Doubled {
        /// The second of them.
        triangle: u32,
        /// The first.
        first: u32,
    },
    /// A field needs two vertices along each axis and one height for each.
    Heights {
        /// Heights needed.
        required: u64,
        /// Heights given.
        given: usize,
    },
    /// A field's holes are one for each cell, or none are given.
    Holes {
        /// Cells there are.
        cells: u64,
        /// Holes given.
        given: usize,
    },
    /// The width of a field's cells is outside 1e-6…1e6 m.
    Cell {
        /// What it was (m).
        width: f32,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NonFinite { vertex } => {
                write!(f, "vertex {vertex} is not finite, or beyond a million metres")
            }
            Self::TooMany { what, given, limit } => write!(f, "{given} {what}: there may be {limit}"),
            Self::NoVolume => {
                f.write_str("the points of the hull span no volume: give four that are not in one plane")
            }
            Self::Unclear => f.write_str(
                "points of the hull are nearly in line or in plane: leave out those that do not matter",
            ),
            Self::NoSurface => f.write_str("the shape has no triangle with an area"),
            Self::NoSuchVertex { triangle, vertex, count } => {
                write!(f, "triangle {triangle} has vertex {vertex} of {count}")
            }
            Self::SharedEdge { triangle, edge: [a, b] } => {
                write!(
                    f,
                    "three triangles or more, {triangle} among them, share the edge {a}–{b}: split the mesh there"
                )
            }
            Self::Flipped { triangle, edge: [a, b] } => {
                write!(
                    f,
                    "triangle {triangle} and its neighbour across the edge {a}–{b} look to different sides: flip one"
                )
            }
            Self::Doubled { triangle, first } => {
                write!(f, "triangle {triangle} is triangle {first} once more: leave one out")
            }
            Self::Heights { required, given } => {
                write!(
                    f,
                    "the field needs two vertices along each axis and {required} heights; {given} were given"
                )
            }
            Self::Holes { cells, given } => {
                write!(f, "{given} holes for {cells} cells: give one for each, or none")
            }
            Self::Cell { width } => write!(f, "cells are {width} m wide: it must lie between 1e-6 and 1e6"),
        }
    }
}

impl core::error::Error for ShapeError {}
