//! The most violated features of a surface, at most four.

use super::{MAX_FEATURES, Surface};

/// Cosine of the angle within which two planes are one, if they are as far away: 1.4 mrad.
const ONE_PLANE: f32 = 1.0 - 1.0e-6;

/// Features in the order of their distance, equal ones in that of their keys.
#[derive(Debug)]
pub(super) struct Features<'a> {
    found: &'a mut [Surface; MAX_FEATURES],
    count: usize,
}

impl<'a> Features<'a> {
    pub(super) fn new(found: &'a mut [Surface; MAX_FEATURES]) -> Self {
        Self { found, count: 0 }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds a feature, unless it is there, or one of the same plane and a smaller key; distances within `same` are equal
    /// there. What is no number is none.
    pub(super) fn insert(&mut self, surface: Surface, same: f32) {
        if !surface.is_sound() {
            return;
        }
        let is_same = |other: &Surface| {
            let apart = other.distance - surface.distance;
            other.feature == surface.feature
                || (-same <= apart && apart <= same && other.normal.dot(surface.normal) > ONE_PLANE)
        };
        if let Some(at) = self.filled().iter().position(is_same) {
            if self.filled().get(at).is_some_and(|other| other.feature <= surface.feature) {
                return;
            }
            self.remove(at);
        }
        let is_before = |other: &Surface| {
            other.distance < surface.distance
                || (other.distance <= surface.distance && other.feature < surface.feature)
        };
        let place = self.filled().iter().take_while(|other| is_before(other)).count();
        let mut carried = surface;
        for slot in self.found.iter_mut().skip(place) {
            core::mem::swap(slot, &mut carried);
        }
        self.count = (self.count + 1).min(MAX_FEATURES);
    }

    fn filled(&self) -> &[Surface] {
        self.found.get(..self.count).unwrap_or(&[])
    }

    fn remove(&mut self, at: usize) {
        if let Some(tail) = self.found.get_mut(at..self.count)
            && !tail.is_empty()
        {
            tail.rotate_left(1);
            self.count -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use std::vec::Vec;

    fn keys(inserted: &[(f32, Vec3, u32)]) -> Vec<u32> {
        let mut found = [Surface::default(); MAX_FEATURES];
        let mut features = Features::new(&mut found);
        for &(distance, normal, feature) in inserted {
            features.insert(Surface { distance, normal, feature }, 1e-6);
        }
        let count = features.count();
        found.iter().take(count).map(|surface| surface.feature).collect()
    }

    #[test]
    fn the_most_violated_come_first_and_equal_ones_by_key() {
        let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
        assert_eq!(keys(&[(0.3, x, 1), (0.1, y, 2), (0.2, z, 3)]), [2, 3, 1]);
        assert_eq!(keys(&[(0.1, x, 9), (0.1, y, 4), (0.1, z, 6)]), [4, 6, 9]);
        assert_eq!(keys(&[(0.5, x, 1), (0.4, y, 2), (0.3, z, 3), (0.2, -x, 4), (0.1, -y, 5)]), [5, 4, 3, 2]);
        assert_eq!(keys(&[(0.1, x, 1), (0.2, y, 2), (0.3, z, 3), (0.4, -x, 4), (0.5, -y, 5)]), [1, 2, 3, 4]);
    }

    #[test]
    fn a_plane_counts_once_whoever_comes_first() {
        assert_eq!(keys(&[(0.1, Vec3::Y, 7), (0.1, Vec3::Y, 3), (0.1, Vec3::Y, 5)]), [3]);
        assert_eq!(keys(&[(0.1, Vec3::Y, 3), (0.2, Vec3::Y, 4)]), [3, 4], "parallel, and not the same");
        assert_eq!(keys(&[(0.1, Vec3::Y, 3), (0.1, Vec3::X, 4), (0.1, Vec3::Y, 3)]), [3, 4]);
    }
}
