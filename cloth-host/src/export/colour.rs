//! Colours: sRGB bytes outside, linear light inside.

use glam::Vec3;

/// Linear light of an sRGB colour.
pub fn linear(rgb: [u8; 3]) -> Vec3 {
    Vec3::from(rgb.map(|byte| {
        let value = f32::from(byte) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }))
}

/// The sRGB colour of linear light, what is too bright cut off.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in 0…255 by the clamp")]
pub fn srgb(light: Vec3) -> [u8; 3] {
    light.to_array().map(|value| {
        let value = value.clamp(0.0, 1.0);
        let coded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (coded * 255.0 + 0.5) as u8
    })
}

/// Colliders (sRGB): grey, so that they are no cloth and no strain.
pub const SOLID: [u8; 3] = [0x9a, 0xa0, 0xa8];
/// Planes among the colliders (sRGB): a little paler than what stands on them.
pub const PLANE: [u8; 3] = [0xbd, 0xc2, 0xc9];

/// Stops of the strain scale, none to most: blue, cyan, green, yellow, red.
const STRAIN: [[u8; 3]; 6] = [
    [0x2b, 0x4c, 0xb3],
    [0x2f, 0x9c, 0xd3],
    [0x3f, 0xb9, 0x86],
    [0xb9, 0xcf, 0x45],
    [0xf2, 0xa5, 0x2b],
    [0xd0, 0x24, 0x24],
];

/// Stops of the scale of the air's speed, still to fast: light to dark, and no colour of cloth is likely to be all of them.
const AIR: [[u8; 3]; 4] = [[0xc9, 0x5f, 0x8f], [0x8b, 0x6f, 0xc9], [0x34, 0x7f, 0xc4], [0x0b, 0x4a, 0x8c]];

/// The linear colour of air as a share of the fastest that is shown (0…1).
pub fn air(share: f32) -> Vec3 {
    of_scale(&AIR, share)
}

/// The linear colour of a strain as a share of the scale's end (0…1).
pub fn strain(share: f32) -> Vec3 {
    of_scale(&STRAIN, share)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the stops by the clamp")]
fn of_scale<const N: usize>(stops: &[[u8; 3]; N], share: f32) -> Vec3 {
    let at = share.clamp(0.0, 1.0) * (N - 1) as f32;
    let stop = (at as usize).min(N - 2);
    linear(stops[stop]).lerp(linear(stops[stop + 1]), at - stop as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_way_there_and_back() {
        for byte in 0..=255 {
            assert_eq!(srgb(linear([byte; 3])), [byte; 3]);
        }
    }

    #[test]
    fn the_scale_runs_from_blue_to_red() {
        assert_eq!(srgb(strain(0.0)), STRAIN[0]);
        assert_eq!(srgb(strain(1.0)), STRAIN[5]);
        assert_eq!(srgb(strain(9.0)), STRAIN[5]);
        assert_eq!(srgb(strain(0.4)), STRAIN[2]);
    }
}
