//! Conversions that lose range or digits, in one place and on purpose.

/// The nearest `f32`.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose of this function")]
pub fn to_f32(value: f64) -> f32 {
    value as f32
}

/// An index of a workload as the `u32` the core counts in.
///
/// # Panics
///
/// Past 2³² − 1; no workload is near it.
pub fn to_u32(index: usize) -> u32 {
    u32::try_from(index).expect("a workload has fewer than 2^32 vertices")
}

/// A count as a real number.
pub fn real(count: usize) -> f64 {
    f64::from(to_u32(count))
}
