//! Air in a box: an incompressible flow on a grid, about bodies that stand and move in it.
//!
//! Knows nothing of entities: [`FluidVolume`] says what is asked for, [`Fluid`] is the air, and all positions and velocities are
//! along the volume's own axes, about its centre (m, m/s). A step is
//!
//! | pass | module |
//! |---|---|
//! | a box that moved put into the air as it is there | `shift` |
//! | bodies and sides drawn, if they are not what they were; air for what bodies left | `bodies`, `openings`, `sides` |
//! | velocities carry themselves along | `advect` |
//! | swirls get back what the grid smears | `confinement` |
//! | towards the prevailing wind, towards rest, mixed with bodies | `prevailing` |
//! | pressure: no cell of air takes in more than it gives away | `pressure`, `multigrid`, `stencil` |
//!
//! The law is that of incompressible air without viscosity, du/dt = −(u·∇)u − ∇p/ρ + f and div u = 0, split as J. Stam (Stable fluids,
//! 1999) splits it, on the grid of Harlow and Welch (1965). It is stable at any step and any speed. What smears in it is the grid: by
//! that much air is thicker than it is.
//!
//! Only `+ − × ÷ √`, in an order that the number of cells alone decides: parts of the grid write what is theirs, and sums are by
//! parts. So whoever does the parts, and in what order, changes no bit.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod advect;
mod bodies;
mod confinement;
mod grid;
mod multigrid;
mod obstacles;
mod openings;
mod parts;
mod pressure;
mod prevailing;
mod report;
mod sample;
mod shift;
mod sides;
mod sleep;
mod stencil;
#[cfg(test)]
mod tests;
mod triple;
mod volume;
mod words;

use core::mem;

pub use obstacles::Obstacle;
pub use parts::{Share, one_after_the_other};
pub use report::FluidReport;
pub use volume::{FluidError, FluidVolume, MOST_CELLS};

use bodies::Bodies;
use cloth_core::math::real;
use grid::Grid;
use multigrid::Level;
use openings::Openings;
use pressure::Pressure;
use prevailing::Course;
use sides::Sides;
use sleep::Rest;
use stencil::Stencil;
use triple::Triple;

/// Memory of a cell, all arrays together (bytes).
const BYTES_PER_CELL: u64 = 132;

/// Longest step (s).
const LONGEST: f64 = 10.0;

/// Air in a box.
#[derive(Clone, Debug)]
pub struct Fluid {
    grid: Grid,
    border: f32,
    /// Velocities through faces (m/s).
    flow: Triple,
    /// Those a step ends with.
    next: Triple,
    spare: Triple,
    bodies: Bodies,
    pressure: Pressure,
    rest: Rest,
    /// Whether there is air in it.
    has_begun: bool,
    /// Length of the last step (s).
    last: f64,
    /// How fast the box goes past the world in the step that comes (m/s), along its axes.
    goes: [f32; 3],
    report: FluidReport,
}

impl Fluid {
    /// Air that has not begun yet: the first step fills the box with the prevailing wind. All memory is taken here.
    ///
    /// # Errors
    /// What [`FluidVolume::check`] refuses, and [`FluidError::Memory`].
    pub fn new(volume: &FluidVolume) -> Result<Self, FluidError> {
        let grid = volume.grid()?;
        let cells = grid.places() as u64;
        Self::with(grid, volume.border)
            .ok_or(FluidError::Memory { cells, bytes: cells.saturating_mul(BYTES_PER_CELL) })
    }

    /// `None` where there is no memory for it.
    fn with(grid: Grid, border: f32) -> Option<Self> {
        let triple = || zeros::<3>(&grid);
        let openings = || Some(Openings { open: triple()?, rest: triple()? });
        let bytes = || filled::<u8>(grid.places());
        let mut waiting = Vec::new();
        waiting.try_reserve_exact(grid.places()).ok()?;
        let levels = multigrid::grids(&grid).map(|grid| Some(Level::new(grid, zeros(&grid)?)));
        Some(Self {
            grid,
            border,
            flow: triple()?,
            next: triple()?,
            spare: triple()?,
            bodies: Bodies::new(openings()?, openings()?, [bytes()?, bytes()?, bytes()?, bytes()?], waiting),
            pressure: Pressure::new(zeros(&grid)?, levels.collect::<Option<_>>()?),
            rest: Rest::default(),
            has_begun: false,
            last: 1.0,
            goes: [0.0; 3],
            report: FluidReport::default(),
        })
    }

    /// Whether it has the cells that `volume` asks for; where it has not, another one is needed.
    pub fn fits(&self, volume: &FluidVolume) -> bool {
        volume.grid().is_ok_and(|grid| grid == self.grid)
    }

    /// What the last step came to.
    pub fn report(&self) -> FluidReport {
        self.report
    }

    /// Sets the air: `velocity` (m/s) at points of the volume's frame (m). What of it piles up is gone after the next step.
    pub fn fill(&mut self, velocity: impl Fn([f64; 3]) -> [f64; 3]) {
        let grid = self.grid;
        for (axis, flow) in self.flow.iter_mut().enumerate() {
            grid.for_each_place(grid.faces(axis), |place| {
                let [speed] = crate::pose::narrow([velocity(grid.face_centre(axis, place))[axis]]);
                flow[grid.at(place)] = openings::limited(speed);
            });
        }
        copy_sides(&grid, &mut self.flow);
        self.rest = Rest::default();
        self.has_begun = true;
    }

    /// Goes on by `dt` (s), with a prevailing wind along the volume's axes (m/s) and bodies in the volume's frame.
    ///
    /// Answers with numbers whatever it is told: a step that is none or none in length leaves all as it is, one beyond 10 s is one of 10 s, a
    /// wind that is none is none, and settings out of range are the nearest that go.
    pub fn step(
        &mut self,
        volume: &FluidVolume,
        dt: f64,
        prevailing: [f64; 3],
        obstacles: &[Obstacle<'_>],
        parts: Share<'_>,
    ) -> FluidReport {
        self.border = real::clamp(volume.border, 0.0, 1.0e5);
        if dt.is_nan() || dt < f64::from(f32::MIN_POSITIVE) {
            return self.report;
        }
        let dt = crate::pose::lesser(dt, LONGEST);
        let [short] = crate::pose::narrow([dt]);
        let fastest = volume::FASTEST_WIND;
        let wind = crate::pose::narrow(prevailing)
            .map(|x| if x.is_nan() { 0.0 } else { real::clamp(x, -fastest, fastest) });
        if !self.has_begun {
            self.flow.iter_mut().zip(wind).for_each(|(values, speed)| values.fill(speed));
            self.has_begun = true;
        }
        if self.rest.sleeps(&self.grid, volume, wind, obstacles) {
            self.report = FluidReport { asleep: true, sweeps: 0, change: 0.0, ..self.report };
            return self.report;
        }
        let goes = mem::take(&mut self.goes);
        let sides = Sides::of([0, 1, 2].map(|axis| wind[axis] - goes[axis]));
        let Self { grid, flow, next, spare, bodies, pressure, .. } = self;
        if bodies.draw(grid, obstacles, &sides, dt, parts) {
            bodies.fill(grid, flow, wind);
            pressure.open(grid, &bodies.openings.open);
        }
        advect::advect(grid, flow, next, short, wind, parts);
        let strength = confinement::strength(volume.confinement, self.report.speed, grid, short);
        if strength > 0.0 {
            confinement::confine(grid, next, pressure.room(), spare, strength, parts);
        }
        let rate = |rate: f32| real::clamp(rate, 0.0, 1.0e3);
        let course = Course::new(wind, rate(volume.relaxation), rate(volume.damping), short);
        prevailing::take_along(grid, next, &course, &bodies.openings, &sides, parts);
        let fine = Stencil { grid, open: triple::read(&bodies.openings.open) };
        let tolerance = real::clamp(volume.tolerance, 1.0e-5, 0.1);
        let [scale] = crate::pose::narrow([crate::pose::lesser(dt / self.last, 1.0e3)]);
        let solved = pressure.project(fine, next, flow, (tolerance, scale), parts);
        copy_sides(grid, next);
        mem::swap(flow, next);
        self.last = dt;
        self.rest.note(solved.change, solved.speed);
        self.report = solved.report();
        self.report
    }
}

/// Gives the layer round the box what is beside it: all of it, edges and what is below the lowest faces too, so that nothing of an
/// earlier step stays anywhere.
fn copy_sides(grid: &Grid, flow: &mut Triple) {
    for (of, values) in flow.iter_mut().enumerate() {
        let mut along = grid.faces(of);
        for axis in [of, (of + 1) % 3, (of + 2) % 3] {
            let (stride, count) = (grid.strides()[axis], grid.count[axis]);
            let mut beside = along.clone();
            beside[axis] = 1..2;
            grid.for_each(beside.clone(), |at| values[at - stride] = values[at]);
            if axis != of {
                beside[axis] = count..count + 1;
                grid.for_each(beside, |at| values[at + stride] = values[at]);
            }
            along[axis] = 0..count + 2;
        }
    }
}

fn filled<T: Clone + Default>(count: usize) -> Option<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).ok()?;
    values.resize(count, T::default());
    Some(values)
}

fn zeros<const N: usize>(grid: &Grid) -> Option<[Vec<f32>; N]> {
    let mut all = [const { Vec::new() }; N];
    for values in &mut all {
        *values = filled(grid.places())?;
    }
    Some(all)
}
