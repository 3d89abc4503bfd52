//! Fingerprints: a 64-bit hash of canonical values.
//!
//! FNV-1a over little-endian words, so that the byte order of the machine does not matter. Floats are
//! canonicalised first: −0 counts as +0 and every NaN as one NaN, because targets disagree on both.

use core::hash::Hasher as _;
use fnv::FnvHasher;

/// A hash of a model's or a state's values, equal on every machine for equal values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl core::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl core::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Collects values in a fixed order into a [`Fingerprint`].
pub(crate) struct Hasher(FnvHasher);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self(FnvHasher::default())
    }

    #[inline]
    pub(crate) fn word(&mut self, value: u32) {
        self.0.write(&value.to_le_bytes());
    }

    #[inline]
    pub(crate) fn float(&mut self, value: f32) {
        self.word(canonical_bits(value));
    }

    pub(crate) fn finish(&self) -> Fingerprint {
        Fingerprint(self.0.finish())
    }
}

/// The bits of a value with one zero and one NaN.
#[inline]
pub(crate) fn canonical_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    match bits & 0x7fff_ffff {
        0 => 0,
        size if size > f32::INFINITY.to_bits() => 0x7fc0_0000,
        _ => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_nans_are_one_value_each() {
        assert_eq!(canonical_bits(-0.0), canonical_bits(0.0));
        assert_eq!(canonical_bits(f32::from_bits(0xffc0_1234)), canonical_bits(f32::NAN));
        assert_ne!(canonical_bits(f32::MIN_POSITIVE), canonical_bits(0.0));
    }

    #[test]
    fn fnv_reference_value() {
        // FNV-1a of the bytes "foobar\0\0": reference from the published algorithm, computed by hand below.
        let mut expected = 0xcbf2_9ce4_8422_2325_u64;
        for byte in *b"foobar\0\0" {
            expected = (expected ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut hasher = Hasher::new();
        hasher.word(u32::from_le_bytes(*b"foob"));
        hasher.word(u32::from_le_bytes(*b"ar\0\0"));
        assert_eq!(hasher.finish(), Fingerprint(expected));
    }
}
