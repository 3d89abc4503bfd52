//! Fingerprints of what stands in a world: FNV-1a over little-endian words, one zero and one NaN, as core does for states.

use cloth_core::Fingerprint;

/// Collects values in a fixed order.
pub(crate) struct Hasher(u64);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn word(&mut self, value: u32) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn long(&mut self, value: u64) {
        let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
        self.word(u32::from_le_bytes([a, b, c, d]));
        self.word(u32::from_le_bytes([e, f, g, h]));
    }

    /// Eight bytes by one multiplication, for what is compared within a process and many times a second: what is kept or sent is
    /// hashed byte by byte.
    pub(crate) fn whole(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    pub(crate) fn float(&mut self, value: f64) {
        self.long(if value.is_nan() {
            0x7ff8_0000_0000_0000
        } else if value == 0.0 {
            0
        } else {
            value.to_bits()
        });
    }

    pub(crate) fn finish(&self) -> Fingerprint {
        Fingerprint(self.0)
    }
}
