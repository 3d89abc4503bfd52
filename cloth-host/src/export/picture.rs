//! A picture of 8-bit sRGB pixels, and its PNG.

use std::io::Cursor;

use glam::Vec3;

use super::colour;
use crate::error::Problem;
use crate::run::RunProblem;

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue, row by row from the top.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, rgb: [u8; 3]) -> Self {
        Self { width, height, rgb: rgb.repeat(width * height) }
    }

    /// Puts a pixel; outside the picture nothing happens.
    pub fn put(&mut self, x: usize, y: usize, rgb: [u8; 3]) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 3;
            self.rgb[at..at + 3].copy_from_slice(&rgb);
        }
    }

    /// Blends a pixel towards a colour by `cover` (0…1), in linear light.
    pub fn blend(&mut self, x: usize, y: usize, rgb: [u8; 3], cover: f32) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 3;
            let under = colour::linear([self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]);
            self.put(x, y, colour::srgb(under.lerp(colour::linear(rgb), cover.clamp(0.0, 1.0))));
        }
    }

    /// Puts a pixel of linear light.
    pub fn put_light(&mut self, x: usize, y: usize, light: Vec3) {
        self.put(x, y, colour::srgb(light));
    }

    /// Copies another picture in, its top left corner at (x, y).
    pub fn paste(&mut self, other: &Self, x: usize, y: usize) {
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let width = other.width.min(self.width.saturating_sub(x));
            let from = row * other.width * 3;
            let to = ((y + row) * self.width + x) * 3;
            self.rgb[to..to + width * 3].copy_from_slice(&other.rgb[from..from + width * 3]);
        }
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// [`RunProblem::Encode`] if the picture has no pixels or more than PNG can count.
    pub fn to_png(&self) -> Result<Vec<u8>, Problem> {
        let failed = |what: String| Problem::Run(RunProblem::Encode(what));
        let size = |length: usize| u32::try_from(length).map_err(|error| failed(error.to_string()));
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = png::Encoder::new(&mut bytes, size(self.width)?, size(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&self.rgb).and_then(|()| writer.finish()))
            .map_err(|error| failed(error.to_string()))?;
        Ok(bytes.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_decodes_to_the_same_pixels() {
        let mut picture = Picture::new(37, 21, [10, 20, 30]);
        for x in 0..37 {
            picture.put(x, x % 21, [200, 5, u8::try_from(x * 6).unwrap()]);
        }
        picture.put(99, 0, [1, 2, 3]);
        let bytes = picture.to_png().unwrap();
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!((info.width, info.height), (37, 21));
        assert_eq!(rgb, picture.rgb);
    }

    #[test]
    fn pasting_cuts_at_the_border() {
        let mut picture = Picture::new(4, 4, [0; 3]);
        picture.paste(&Picture::new(3, 3, [9; 3]), 2, 3);
        assert_eq!(picture.rgb.iter().filter(|byte| **byte == 9).count(), 6);
    }
}
