//! Threads that share the step of one large cloth.

use std::num::NonZero;
use std::thread;

use cloth_core::Team;

/// Threads that take parts of one cloth's step, started for each step and gone when it ends.
///
/// They change no bit. A cloth that is too small for them is stepped by one thread ([`cloth_core::step::sharing`] says which is); so is
/// one whose threads could not be started, as much of it as they would have done. While a step lasts they take a core each, also
/// where they wait: for many cloths, step those beside each other instead. A world's large cloths are shared by
/// the workers of `Rayon`, which starts no thread for it.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    count: usize,
}

impl Threads {
    /// So many, the one that asks included, but not more than this machine has cores: they wait for each other. 0 for one a core.
    pub fn new(requested: usize) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self { count: if requested == 0 { cores } else { requested.min(cores) } }
    }

    /// Exactly so many, at least one, whatever the machine: to see that their number changes no bit.
    pub fn oversubscribed(count: usize) -> Self {
        Self { count: count.max(1) }
    }
}

impl Team for Threads {
    fn threads(&self) -> usize {
        self.count
    }

    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for number in 1..self.count {
                // Who is not there is not missed.
                _ = thread::Builder::new().name(format!("cloth part {number}")).spawn_scoped(scope, help);
            }
            lead();
        });
    }

    fn pause(&self) {
        thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth_core::step::sharing;
    use cloth_core::{Apart, Block, ClothDynamics, Sharing, State, StepInput, Vec3, step, step_by};

    use crate::world::MeshSource;

    #[test]
    fn they_share_a_large_cloth_and_leave_a_small_one_alone() {
        let sheet = |side| {
            let builder = MeshSource::sheet(side).builder(1.0).areal_density(0.15);
            builder.build().expect("a sheet")
        };
        let (small, large) = (sheet(8), sheet(92));
        let team = Threads::oversubscribed(2);
        assert!(matches!(sharing(&team, &small.model()), Sharing::Small { particles: 64, .. }));
        assert_eq!(sharing(&team, &large.model()), Sharing::Shared { threads: 2 });
        assert_eq!(sharing(&Threads::oversubscribed(0), &large.model()), Sharing::Alone);
        let model = large.model();
        let mut memories = [(); 2].map(|()| vec![Block::default(); model.state_blocks()]);
        let [one, other] = &mut memories;
        let mut alone = State::seed(&model, one).expect("room");
        let mut shared = State::seed(&model, other).expect("room");
        let apart = Apart::find(&mut shared);
        let dynamics = ClothDynamics::default();
        let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &dynamics);
        for _ in 0..5 {
            assert_eq!(step(&mut alone, &input), step_by(&team, &apart, &mut shared, &input));
            assert_eq!(alone.fingerprint(), shared.fingerprint());
        }
    }

    #[test]
    fn there_are_no_more_than_cores() {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        assert_eq!([0, 1, 1000].map(|requested| Threads::new(requested).threads()), [cores, 1, cores]);
    }
}
