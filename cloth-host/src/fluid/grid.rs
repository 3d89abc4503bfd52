//! Where the numbers of a volume lie: a marker-and-cell grid in planes of rows.
//!
//! Pressures stand at the centres of cells and velocities at the faces they go through (F. H. Harlow, J. E. Welch, Numerical
//! calculation of time-dependent viscous incompressible flow of fluid with free surface, 1965). All arrays have one layout, with a
//! layer of cells round the box: place (k·(ny + 2) + j)·(nx + 2) + i, the cells of the box being 1 to n along an axis. At
//! the place of a cell stand its pressure and the velocities through its lower face along each axis, so that faces are 1 to n + 1.
//! A stencil then has the same offsets everywhere, and reads what is outside as it reads what is within.

use core::ops::Range;

use super::parts::MOST;

/// Fewest cells along an axis.
const FEWEST: u64 = 4;
/// Fewest places a part works on: below it waiting for another thread takes longer than the work.
const PART: usize = 1 << 14;

/// Counts and strides of a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Cells along each axis.
    pub count: [usize; 3],
    /// Side of a cell (m).
    pub cell: f32,
}

/// ⌈2·half/cell⌉, at least four; of what is within rounding of a whole number, that number.
pub(super) fn cells_along(half: f32, cell: f32) -> u64 {
    let exact = 2.0 * f64::from(half) / f64::from(cell);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cut off, above zero by the checks before"
    )]
    let cut = (exact - 1.0e-5) as u64;
    (cut + 1).max(FEWEST)
}

impl Grid {
    /// Of counts whose product was found to be no more than [`MOST_CELLS`](super::volume::MOST_CELLS).
    pub fn new(counts: [u64; 3], cell: f32) -> Self {
        Self { count: counts.map(|count| usize::try_from(count).unwrap_or(usize::MAX)), cell }
    }

    /// Half as many cells, rounded up, each twice as long.
    pub fn coarser(&self) -> Self {
        Self { count: self.count.map(|n| n.div_ceil(2)), cell: self.cell * 2.0 }
    }

    /// Places of a row.
    pub fn row(&self) -> usize {
        self.count[0] + 2
    }

    /// Places of a plane.
    pub fn plane(&self) -> usize {
        self.row() * (self.count[1] + 2)
    }

    /// All places.
    pub fn places(&self) -> usize {
        self.plane() * (self.count[2] + 2)
    }

    /// Distance of neighbours along each axis.
    pub fn strides(&self) -> [usize; 3] {
        [1, self.row(), self.plane()]
    }

    /// A place.
    pub fn at(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * (self.count[1] + 2) + j) * self.row() + i
    }

    /// How many planes a part has: by the size of the grid and nothing else, so that sums by parts are the same on any machine.
    pub fn planes_a_part(&self) -> usize {
        let planes = self.count[2] + 2;
        let parts = (self.places() / PART).clamp(1, MOST);
        planes.div_ceil(parts)
    }

    /// How many places a part has.
    pub fn part(&self) -> usize {
        self.planes_a_part() * self.plane()
    }

    /// The planes of part number `part` that lie in `within`.
    pub fn planes(&self, part: usize, within: Range<usize>) -> Range<usize> {
        let first = part * self.planes_a_part();
        first.max(within.start)..(first + self.planes_a_part()).min(within.end)
    }

    /// The cells of the box, by place along each axis.
    pub fn cells(&self) -> [Range<usize>; 3] {
        self.count.map(|n| 1..n + 1)
    }

    /// The faces across an axis, by place along each.
    pub fn faces(&self, axis: usize) -> [Range<usize>; 3] {
        core::array::from_fn(|along| 1..self.count[along] + 1 + usize::from(along == axis))
    }

    /// Whether a place has a face across an axis.
    pub fn is_face(&self, axis: usize, place: [usize; 3]) -> bool {
        self.faces(axis).iter().zip(&place).all(|(faces, place)| faces.contains(place))
    }

    /// Where the centre of a face is (m).
    pub fn face_centre(&self, axis: usize, place: [usize; 3]) -> [f64; 3] {
        let half = self.half();
        core::array::from_fn(|along| {
            let within = if along == axis { 1.0 } else { 0.5 };
            (as_f64(place[along]) - within) * f64::from(self.cell) - half[along]
        })
    }

    /// Calls with every face of a side: those across `axis` at place `face` along it.
    pub fn for_side(&self, axis: usize, face: usize, call: impl FnMut(usize)) {
        let mut ranges = self.faces(axis);
        ranges[axis] = face..face + 1;
        self.for_each(ranges, call);
    }

    /// Calls with every place of a box of them, as an index.
    #[inline(always)]
    pub fn for_each(&self, places: [Range<usize>; 3], mut call: impl FnMut(usize)) {
        self.for_each_place(places, |place| call(self.at(place)));
    }

    /// Calls with every place of a box of them.
    #[inline(always)]
    pub fn for_each_place(&self, [x, y, z]: [Range<usize>; 3], mut call: impl FnMut([usize; 3])) {
        for k in z {
            for j in y.clone() {
                for i in x.clone() {
                    call([i, j, k]);
                }
            }
        }
    }

    /// Half the box along each axis (m).
    pub fn half(&self) -> [f64; 3] {
        self.count.map(|n| 0.5 * as_f64(n) * f64::from(self.cell))
    }
}

/// A count as a number, exact.
#[expect(clippy::cast_precision_loss, reason = "exact below 2⁵³, and counts are below 2²⁴")]
pub(super) fn as_f64(count: usize) -> f64 {
    count as f64
}

/// A count as a number, exact.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2²⁴, which no count passes")]
pub(super) fn as_f32(count: usize) -> f32 {
    count as f32
}
