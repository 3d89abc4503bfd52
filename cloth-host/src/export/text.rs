//! Labels.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use super::picture::Picture;

/// Height of a line of text (pixels).
pub const LINE: usize = RasterHeight::Size16.val();

/// Width of a text (pixels).
pub fn width(text: &str) -> usize {
    text.chars().count() * get_raster_width(FontWeight::Regular, RasterHeight::Size16)
}

/// Writes a line, its top left corner at (x, y). A character the font has not is left blank.
pub fn write(picture: &mut Picture, x: usize, y: usize, text: &str, rgb: [u8; 3]) {
    let advance = width(" ");
    for (index, character) in text.chars().enumerate() {
        let Some(raster) = get_raster(character, FontWeight::Regular, RasterHeight::Size16) else { continue };
        for (dy, row) in raster.rows().enumerate() {
            for (dx, cover) in row.iter().enumerate().filter(|(_, cover)| **cover > 0) {
                picture.blend(x + index * advance + dx, y + dy, rgb, f32::from(*cover) / 255.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_leaves_ink_inside_its_box_only() {
        let mut picture = Picture::new(100, 40, [255; 3]);
        write(&mut picture, 10, 8, "0.5 s", [0; 3]);
        let dark: Vec<_> =
            (0..100 * 40).filter(|at| picture.rgb[at * 3] < 220).map(|at| (at % 100, at / 100)).collect();
        assert!(dark.len() > 30);
        assert!(dark.iter().all(|(x, y)| (10..10 + width("0.5 s")).contains(x) && (8..8 + LINE).contains(y)));
    }
}
