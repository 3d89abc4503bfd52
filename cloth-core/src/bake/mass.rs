//! How masses are given.

use super::BuildError;
use crate::index::len32;
use crate::math::real::is_finite;
use alloc::vec::Vec;

/// Where the particles' masses come from.
#[derive(Clone, Debug)]
pub(crate) enum Masses {
    /// Density times each particle's share of area or length.
    Density,
    /// A total (kg), the same to each particle.
    Uniform(f32),
    /// One mass (kg) for each vertex; a welded particle has the sum of its vertices'.
    Each(Vec<f32>),
}

impl Masses {
    /// The masses (kg) of the nodes; `share` is theirs of the area (m²) or length (m), `density` in kg to that.
    pub(crate) fn of(&self, share: &[f32], node_of: &[u32], density: f32) -> Result<Vec<f32>, BuildError> {
        match self {
            Self::Density if is_amount(density) => Ok(share.iter().map(|share| share * density).collect()),
            Self::Density => Err(BuildError::Density { density }),
            Self::Uniform(total) if is_amount(*total) => {
                Ok(alloc::vec![total / share.len() as f32; share.len()])
            }
            Self::Uniform(total) => Err(BuildError::TotalMass { mass: *total }),
            Self::Each(given) if given.len() != node_of.len() => {
                Err(BuildError::MassCount { given: given.len(), vertices: len32(node_of) })
            }
            Self::Each(given) => {
                let mut masses = alloc::vec![0.0; share.len()];
                for ((&mass, &node), vertex) in given.iter().zip(node_of).zip(0..) {
                    if !is_amount(mass) {
                        return Err(BuildError::Mass { vertex, mass });
                    }
                    masses[node as usize] += mass;
                }
                Ok(masses)
            }
        }
    }
}

fn is_amount(x: f32) -> bool {
    x > 0.0 && is_finite(x)
}
