//! The parts of a state by name: a fingerprint of each, and where two states part.

use super::layout::{Padded, StateHeader};
use super::{State, Trouble};
use crate::hash::{Fingerprint, Hasher, canonical_bits};
use crate::index::NONE;

/// A part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum Region {
    /// Where particles are (m).
    Positions = 0,
    /// How fast they are (m/s).
    Velocities = 1,
    /// Where they are held or what their leashes are tied to (m), and inverse masses (1/kg): 0 of who is held.
    Targets = 2,
    /// Tensions of the stretch rows (N/m), and for how long the cloth has been calm enough for them to grow.
    Tensions = 3,
    /// What collisions left: whether something was touched, or struck the cloth, and who is in trouble.
    Contacts = 4,
    /// The sleep window, where particles were when it opened (m), and what the world was.
    Sleep = 5,
    /// How fast the anchor was, and how long the cloth yet settles.
    Anchor = 6,
}

impl Region {
    /// All of them, in the order in which two states are compared.
    pub const ALL: [Self; 7] = [
        Self::Positions,
        Self::Velocities,
        Self::Targets,
        Self::Tensions,
        Self::Contacts,
        Self::Sleep,
        Self::Anchor,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Velocities => "velocities",
            Self::Targets => "targets",
            Self::Tensions => "tensions",
            Self::Contacts => "contacts",
            Self::Sleep => "sleep",
            Self::Anchor => "anchor",
        }
    }
}

impl core::fmt::Display for Region {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// One value of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    /// The particle or row it is of; [`NONE`] of the cloth as a whole.
    item: u32,
    field: &'static str,
    /// Canonical bits of a float, or a word.
    bits: u32,
    is_float: bool,
}

/// Where two states of one model part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first region with a difference.
    pub region: Region,
    /// The first particle in it that differs, or the stretch row of a tension; [`NONE`] where it is a value of the
    /// cloth as a whole.
    pub item: u32,
    /// The first source vertex of that particle; [`NONE`] of rows and of the cloth as a whole.
    pub vertex: u32,
    /// Which value of it.
    pub field: &'static str,
    /// Both values: the bits of a float, one zero and one NaN, or a word.
    pub bits: [u32; 2],
    /// Whether the bits are those of a float.
    pub is_float: bool,
}

impl core::fmt::Display for Difference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.region)?;
        match (self.item, self.vertex) {
            (NONE, _) => {}
            (item, NONE) => write!(f, " of row {item}")?,
            (item, vertex) => write!(f, " of particle {item} (vertex {vertex})")?,
        }
        write!(f, ", {}: ", self.field)?;
        let [a, b] = self.bits;
        if self.is_float {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            write!(f, "{x:?} ({a:08x}) and {y:?} ({b:08x})")
        } else {
            write!(f, "{a} and {b}")
        }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Component `axis` of a vector.
fn component(vector: [f32; 3], axis: u32) -> f32 {
    vector.get(axis as usize).copied().unwrap_or(0.0)
}

fn axis_name(axis: u32) -> &'static str {
    AXES.get(axis as usize).copied().unwrap_or("")
}

fn float(item: u32, field: &'static str, value: f32) -> Value {
    Value { item, field, bits: canonical_bits(value), is_float: true }
}

fn word(field: &'static str, bits: u32) -> Value {
    Value { item: NONE, field, bits, is_float: false }
}

impl State<'_> {
    /// A hash of one region's values: equal on every machine for equal values, −0 being 0 and every NaN one.
    #[inline(never)]
    pub fn region_fingerprint(&self, region: Region) -> Fingerprint {
        let mut hasher = Hasher::new();
        let mut index = 0;
        while let Some(value) = self.value(region, index) {
            hasher.word(value.bits);
            index += 1;
        }
        hasher.finish()
    }

    /// The fingerprints of [`Region::ALL`], in that order.
    pub fn region_fingerprints(&self) -> [Fingerprint; Region::ALL.len()] {
        Region::ALL.map(|region| self.region_fingerprint(region))
    }

    /// Whether another state is of the same model, as far as the fingerprints noted in both say.
    pub fn is_of_model_of(&self, other: &State<'_>) -> bool {
        self.fields.header.model == other.fields.header.model
    }

    /// The first value in which two states of one model differ; `None` where they agree in all. Of states of two models
    /// ([`State::is_of_model_of`]) it means nothing.
    pub fn difference(&self, other: &State<'_>) -> Option<Difference> {
        for region in Region::ALL {
            let mut index = 0;
            while let Some((a, b)) = self.value(region, index).zip(other.value(region, index)) {
                if a.bits != b.bits {
                    let is_row = region == Region::Tensions;
                    let vertex = if is_row { NONE } else { self.first_vertex(a.item) };
                    let Value { item, field, is_float, .. } = a;
                    return Some(Difference {
                        region,
                        item,
                        vertex,
                        field,
                        bits: [a.bits, b.bits],
                        is_float,
                    });
                }
                index += 1;
            }
        }
        None
    }

    /// The first source vertex that a particle simulates.
    fn first_vertex(&self, particle: u32) -> u32 {
        let found = (0..).zip(self.model.particle_of()).find(|(_, of)| **of == particle);
        found.map_or(NONE, |(vertex, _)| vertex)
    }

    /// The value of this number in a region; `None` behind the last. Not inlined: unfolded for every region and both callers it
    /// was eight of the C library's kilobytes.
    #[inline(never)]
    fn value(&self, region: Region, index: u32) -> Option<Value> {
        let head = &*self.fields.header;
        let count = self.model.particle_count();
        let flag = |flags: u32| head.flags & flags;
        match region {
            Region::Positions => {
                let (item, axis) = (index / 3, index % 3);
                let body = self.fields.bodies.get(item as usize).filter(|_| item < count)?;
                Some(float(item, axis_name(axis), component(body.position, axis)))
            }
            Region::Velocities => self.vector(self.fields.velocities, index),
            Region::Targets => {
                let (item, axis) = (index / 4, index % 4);
                if axis < 3 {
                    let target = self.fields.targets.get(item as usize).filter(|_| item < count)?;
                    return Some(float(item, axis_name(axis), component(target.value, axis)));
                }
                let body = self.fields.bodies.get(item as usize)?;
                Some(float(item, "inverse mass", body.inv_mass))
            }
            Region::Tensions => {
                let Some(row) = index.checked_sub(1) else { return Some(word("calm substeps", head.calm)) };
                self.fields.tensions.get(row as usize).map(|tension| float(row, "tension", *tension))
            }
            Region::Contacts => {
                let left = StateHeader::TOUCHING | StateHeader::STRUCK | StateHeader::CARRIED;
                let of = left | StateHeader::TROUBLED;
                let Some(item) = index.checked_sub(1) else { return Some(word("flags", flag(of))) };
                let anchor = self.fields.anchors.get(item as usize).filter(|_| item < count)?;
                let troubled = flag(StateHeader::TROUBLED) != 0;
                let bits = if troubled { Trouble::of(anchor).word() } else { 0 };
                Some(Value { item, field: "trouble", bits, is_float: false })
            }
            Region::Sleep => match index {
                0 => Some(word("asleep", flag(StateHeader::ASLEEP))),
                1 => Some(word("still steps", head.still)),
                2 | 3 => head.world.get(index as usize - 2).map(|half| word("hash of the world", *half)),
                4 | 5 => head.steps.get(index as usize - 4).map(|half| word("steps", *half)),
                _ => self.vector(self.fields.anchors, index - 6),
            },
            Region::Anchor => match index {
                0..3 => Some(float(NONE, "velocity", component(head.linear, index))),
                3..6 => Some(float(NONE, "angular velocity", component(head.angular, index - 3))),
                6 => Some(word("steps to settle", head.settle)),
                7 => Some(word("flags", flag(StateHeader::PUT | StateHeader::WELDED))),
                _ => None,
            },
        }
    }

    /// A component of a particle's vector.
    fn vector(&self, vectors: &[Padded], index: u32) -> Option<Value> {
        let (item, axis) = (index / 3, index % 3);
        let vector = vectors.get(item as usize).filter(|_| item < self.model.particle_count())?;
        Some(float(item, axis_name(axis), component(vector.value, axis)))
    }
}
