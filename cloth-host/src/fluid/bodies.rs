//! All bodies of a volume, drawn again where something about them has changed.

use super::grid::Grid;
use super::obstacles::Obstacle;
use super::openings::Openings;
use super::parts::Share;
use super::sides::Sides;
use super::triple::Triple;
use crate::hash::Hasher;

/// A face that is open.
const OPEN: u8 = 0;
/// One that a body closes.
const SHUT: u8 = 1;
/// One that a body has just left, and no air is known at.
const LEFT: u8 = 2;
/// One that has been given air in this pass.
const FILLED: u8 = 3;

/// How far air is taken from into what bodies left, in faces.
const REACH: usize = 8;

/// Bodies as the grid knows them.
#[derive(Clone, Debug)]
pub(super) struct Bodies {
    /// Openings that those leave which stand, found once however much others move: a query of a large mesh is slow.
    standing: Openings,
    stood: Option<u64>,
    /// Openings that all of them leave, and the sides.
    pub openings: Openings,
    are: Option<u64>,
    /// Which faces bodies close.
    shut: [Vec<u8>; 3],
    /// Room for [`Openings::close_pockets`].
    reached: Vec<u8>,
    waiting: Vec<u32>,
}

impl Bodies {
    pub fn new(standing: Openings, openings: Openings, bytes: [Vec<u8>; 4], waiting: Vec<u32>) -> Self {
        let [x, y, z, reached] = bytes;
        Self { standing, stood: None, openings, are: None, shut: [x, y, z], reached, waiting }
    }

    /// Draws them, if anything about them or the sides has changed, and says whether it has.
    pub fn draw(
        &mut self,
        grid: &Grid,
        obstacles: &[Obstacle<'_>],
        sides: &Sides,
        dt: f64,
        share: Share<'_>,
    ) -> bool {
        let near = || obstacles.iter().filter(|body| body.is_near(grid));
        let are = hash_of(near(), sides, dt);
        if self.are == Some(are) {
            return false;
        }
        let stand = || near().filter(|body| body.stands());
        let stood = hash_of(stand(), &Sides::default(), 0.0);
        if self.stood != Some(stood) {
            self.standing.clear();
            for body in stand() {
                self.standing.stamp(grid, body, dt, share);
            }
            self.stood = Some(stood);
        }
        self.openings.copy_from(&self.standing);
        for body in near().filter(|body| !body.stands()) {
            self.openings.stamp(grid, body, dt, share);
        }
        for (shut, open) in self.shut.iter_mut().zip(&self.openings.open) {
            for (shut, open) in shut.iter_mut().zip(open) {
                *shut = match (*open > 0.0, *shut) {
                    (false, _) => SHUT,
                    (true, SHUT) => LEFT,
                    (true, other) => other,
                };
            }
        }
        self.openings.close_sides(grid, sides);
        if near().next().is_some() {
            self.openings.close_pockets(grid, &mut self.reached, &mut self.waiting);
        }
        self.are = Some(are);
        true
    }

    /// Gives air to what bodies have left: the mean of what is next to it, from the outside in, and the prevailing wind where
    /// that comes from too far.
    pub fn fill(&mut self, grid: &Grid, flow: &mut Triple, wind: [f32; 3]) {
        let strides = grid.strides();
        for axis in 0..3 {
            let (shut, flow) = (&mut self.shut[axis], &mut flow[axis]);
            if !shut.contains(&LEFT) {
                continue;
            }
            let faces = grid.faces(axis);
            let all = || {
                let [x, y, z] = faces.clone();
                z.flat_map(move |k| {
                    let x = x.clone();
                    y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k]))
                })
            };
            for _ in 0..REACH {
                let mut some_left = false;
                for place in all() {
                    let at = grid.at(place);
                    if shut[at] != LEFT {
                        continue;
                    }
                    let (mut sum, mut count) = (0.0, 0.0);
                    for (along, stride) in strides.into_iter().enumerate() {
                        for (is_there, next) in [
                            (place[along] > faces[along].start, at - stride),
                            (place[along] + 1 < faces[along].end, at + stride),
                        ] {
                            if is_there && shut[next] == OPEN {
                                sum += flow[next];
                                count += 1.0;
                            }
                        }
                    }
                    if count > 0.0 {
                        flow[at] = sum / count;
                        shut[at] = FILLED;
                    } else {
                        some_left = true;
                    }
                }
                shut.iter_mut().filter(|mark| **mark == FILLED).for_each(|mark| *mark = OPEN);
                if !some_left {
                    break;
                }
            }
            for (shut, flow) in shut.iter_mut().zip(flow.iter_mut()).filter(|(shut, _)| **shut == LEFT) {
                (*shut, *flow) = (OPEN, wind[axis]);
            }
        }
    }

    /// Which faces are shut, a bit each: all of it that is not found again from the bodies themselves.
    pub fn put(&self, to: &mut Vec<u32>) {
        for shut in &self.shut {
            to.extend(
                shut.chunks(32).map(|run| {
                    run.iter().rev().fold(0_u32, |word, mark| word << 1 | u32::from(*mark == SHUT))
                }),
            );
        }
    }

    /// What [`Bodies::put`] wrote. The bodies are drawn again in the next step.
    pub fn take(&mut self, from: &mut crate::world::words::Reader<'_>) -> Option<()> {
        for shut in &mut self.shut {
            let words = from.run(shut.len().div_ceil(32))?;
            for (run, word) in shut.chunks_mut(32).zip(words) {
                for (bit, mark) in (0..).zip(run) {
                    *mark = if word >> bit & 1 == 1 { SHUT } else { OPEN };
                }
            }
        }
        (self.stood, self.are) = (None, None);
        Some(())
    }
}

/// What bodies and sides are. How long a step is matters only to what moves.
fn hash_of<'b, 's: 'b>(bodies: impl Iterator<Item = &'b Obstacle<'s>>, sides: &Sides, dt: f64) -> u64 {
    let mut hash = Hasher::new();
    let mut moves = false;
    for body in bodies {
        body.hash(&mut hash);
        moves |= !body.stands();
    }
    for side in sides.given.as_flattened() {
        hash.whole(u64::from(*side));
    }
    if moves {
        hash.whole(dt.to_bits());
    }
    hash.finish().0
}
