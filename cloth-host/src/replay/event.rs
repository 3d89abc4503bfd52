//! What happens to a cloth's state between two ticks, as words.

use cloth_core::Vec3;
use cloth_core::replay::Event;

use crate::world::words::{Reader, Words};

/// An event in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Filed(pub Event);

impl Words for Filed {
    fn put(&self, to: &mut Vec<u32>) {
        match self.0 {
            Event::Hold { vertex, target } => ([1, vertex], target.to_array()).put(to),
            Event::Release { vertex } => [2, vertex].put(to),
            Event::Place { vertex, position, velocity } => {
                ([3, vertex], (position.to_array(), velocity.to_array())).put(to);
            }
            Event::Wake => 4_u32.put(to),
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let vector = |from: &mut Reader<'_>| from.take::<[f32; 3]>().map(Vec3::from_array);
        Some(Self(match from.take::<u32>()? {
            1 => Event::Hold { vertex: from.take()?, target: vector(from)? },
            2 => Event::Release { vertex: from.take()? },
            3 => {
                let vertex = from.take()?;
                Event::Place { vertex, position: vector(from)?, velocity: vector(from)? }
            }
            4 => Event::Wake,
            _ => return None,
        }))
    }
}
