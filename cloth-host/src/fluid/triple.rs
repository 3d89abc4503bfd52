//! One array of places for each axis.

/// Values at the faces across each axis.
pub(super) type Triple = [Vec<f32>; 3];

/// The arrays of part after part, to be written beside each other.
pub(super) fn parts(of: &mut Triple, part: usize) -> impl Iterator<Item = [&mut [f32]; 3]> {
    let [x, y, z] = of.each_mut().map(|values| values.chunks_mut(part));
    x.zip(y).zip(z).map(|((x, y), z)| [x, y, z])
}

/// To be read.
pub(super) fn read(of: &Triple) -> [&[f32]; 3] {
    of.each_ref().map(Vec::as_slice)
}
