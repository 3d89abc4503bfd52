//! Threads that take parts of one step.

use super::{Cut, Kernel, Level};
use core::cell::{Cell, UnsafeCell};
use core::marker::PhantomData;
use core::num::NonZero;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// Most threads that share a step.
pub const MOST_PARTS: usize = 8;

/// So often somebody who waits looks again at once, some ten microseconds, before he tells his team that he waits.
const LOOKS: u32 = 1000;

/// Threads of a host that may be asked to help with a step.
///
/// What they do decides how long a step takes, and no bit of it: whoever is late, or does not come at all, has his part done by the
/// others.
pub trait Team: Sync {
    /// How many threads there are, the one that asks included.
    fn threads(&self) -> usize;

    /// Calls `lead` here, and `help` on other threads, once on each, meanwhile; returns when all have returned.
    ///
    /// `help` returns when `lead` has: called before it on the same thread, it waits for ever. Called after it, or not at all, it
    /// is not missed. A panic of any is passed on when all have returned.
    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync));

    /// From what size on sharing pays. The same bits come out whatever this says.
    fn worth(&self) -> Worth {
        Worth::default()
    }

    /// Called again and again by a thread that has waited for some time: lets others run, if there are any.
    fn pause(&self);
}

/// From what size on work is worth another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Particles of a cloth whose steps are shared.
    pub particles: u32,
    /// Groups of eight in each part of what is shared: to ask another thread and to wait for it takes about as long as a dozen.
    pub groups: usize,
}

impl Default for Worth {
    /// As measured with two threads (`measure within-cloth`).
    fn default() -> Self {
        Self { particles: 8192, groups: 32 }
    }
}

/// Nobody has anything to do here.
const IDLE: u32 = 0;
/// There is a part to be done.
const OPEN: u32 = 1;
/// Somebody does it.
const TAKEN: u32 = 2;
/// There will be no more.
const OVER: u32 = 3;

/// Where a helper waits for his parts. On lines of its own: each is written by two threads.
#[repr(align(128))]
struct Seat {
    state: AtomicU32,
    work: AtomicPtr<Head>,
}

/// The part of the work at hand that is done by whom.
struct Seats<'t> {
    team: &'t dyn Team,
    seats: [Seat; MOST_PARTS],
    /// Helpers that have come.
    come: AtomicU32,
}

/// Who leads a step, with the threads that help.
pub struct Crew<'s> {
    seats: &'s Seats<'s>,
    parts: usize,
    /// Least groups of a part.
    least: NonZero<usize>,
    /// One thread leads.
    own: PhantomData<Cell<()>>,
}

/// What all work begins with.
#[repr(C)]
struct Head {
    /// Does a part of it.
    ///
    /// # Safety
    /// The pointer is to the `Work` that this stands in, which outlives the call, and the part is nobody else's.
    part: unsafe fn(*const Head, usize),
}

/// A kernel, cut into parts.
#[repr(C)]
struct Work<K: Kernel> {
    head: Head,
    level: Level,
    parts: [UnsafeCell<Part<K>>; MOST_PARTS],
}

enum Part<K: Kernel> {
    None,
    Open(K),
    Done(K::Output),
}

/// Gathers a team for what `lead` does.
pub fn gather(team: &dyn Team, parts: usize, lead: impl FnOnce(&Crew)) {
    let seat = || Seat { state: AtomicU32::new(IDLE), work: AtomicPtr::new(ptr::null_mut()) };
    let seats = Seats { team, seats: core::array::from_fn(|_| seat()), come: AtomicU32::new(0) };
    let crew = Crew {
        seats: &seats,
        parts: parts.clamp(1, MOST_PARTS),
        least: NonZero::new(team.worth().groups).unwrap_or(NonZero::<usize>::MIN),
        own: PhantomData,
    };
    let mut lead = Some(lead);
    let mut leads = || {
        let _over = Over(&seats);
        if let Some(lead) = lead.take() {
            lead(&crew);
        }
    };
    team.gather(&mut leads, &|| seats.help());
    if let Some(lead) = lead {
        // A team that does not even call who leads.
        lead(&crew);
    }
}

/// Sends helpers home, also where a team panics.
struct Over<'s>(&'s Seats<'s>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        for seat in &self.0.seats {
            seat.state.store(OVER, Ordering::Release);
        }
    }
}

/// Waits until nobody is at work any more, also where a team panics: what they work on lies on the stack.
struct Settled<'s>(&'s [Seat]);

impl Drop for Settled<'_> {
    fn drop(&mut self) {
        for seat in self.0 {
            drop(seat.take());
            while seat.state.load(Ordering::Acquire) == TAKEN {
                core::hint::spin_loop();
            }
        }
    }
}

impl Seats<'_> {
    /// Does parts until there will be no more.
    #[expect(unsafe_code, reason = "work is of any type, and lent for as long as it takes")]
    fn help(&self) {
        // The first seat is the leader's.
        let own = (self.come.fetch_add(1, Ordering::Relaxed) as usize).wrapping_add(1);
        let Some(seat) = self.seats.get(own) else { return };
        let mut looks = 0;
        loop {
            match seat.state.load(Ordering::Relaxed) {
                OVER => return,
                OPEN => {
                    let Some(_taken) = seat.take() else { continue };
                    let work = seat.work.load(Ordering::Relaxed);
                    // SAFETY: the state was OPEN, which the leader sets after he put the work there, and puts no other there
                    // before it is IDLE again; `take` has seen that. He does not let go of the work before nothing of it is
                    // TAKEN. A part is taken by one of those who try.
                    unsafe { ((*work).part)(work, own) };
                    looks = 0;
                }
                _ => self.wait(&mut looks),
            }
        }
    }

    fn wait(&self, looks: &mut u32) {
        if *looks < LOOKS {
            *looks += 1;
            core::hint::spin_loop();
        } else {
            self.team.pause();
        }
    }
}

impl Seat {
    /// Takes what is to be done here; `None` where somebody else has, or there is nothing.
    fn take(&self) -> Option<Taken<'_>> {
        let taken = self.state.compare_exchange(OPEN, TAKEN, Ordering::Acquire, Ordering::Relaxed);
        taken.is_ok().then(|| Taken(self))
    }
}

/// A part that somebody has, until he has done it, also where it panics: the leader waits for that.
struct Taken<'s>(&'s Seat);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.state.store(IDLE, Ordering::Release);
    }
}

impl Crew<'_> {
    /// Whether so many groups make more than one part.
    pub fn is_worth_it(&self, groups: usize) -> bool {
        groups / self.least > 1
    }

    /// Runs a kernel in as many parts as there are threads, but with no fewer groups in each than are worth it, and returns what
    /// they came to, in the order of the groups.
    #[expect(unsafe_code, reason = "work is of any type, and lent for as long as it takes")]
    pub fn run<K>(&self, level: Level, kernel: K) -> [Option<K::Output>; MOST_PARTS]
    where
        K: Kernel + Cut + Send,
        K::Output: Send,
    {
        let mut outputs = [const { None }; MOST_PARTS];
        // Not `clamp`, which panics where bounds are crossed.
        let parts = (kernel.groups() / self.least).min(self.parts).max(1);
        if parts == 1 {
            outputs[0] = Some(level.run(kernel));
            return outputs;
        }
        let mut work = Work::<K> {
            head: Head { part: Work::<K>::part },
            level,
            parts: [const { UnsafeCell::new(Part::None) }; MOST_PARTS],
        };
        let mut rest = Some(kernel);
        for (slot, left) in work.parts.iter_mut().zip((1..=parts).rev()) {
            let Some(kernel) = rest.take() else { break };
            if left == 1 {
                *slot.get_mut() = Part::Open(kernel);
            } else {
                let at = kernel.groups().checked_div(left).unwrap_or(0);
                let (own, others) = kernel.cut(at);
                *slot.get_mut() = Part::Open(own);
                rest = Some(others);
            }
        }
        let head = (&raw const work).cast::<Head>();
        let seats = self.seats.seats.get(1..parts).unwrap_or(&[]);
        {
            let settled = Settled(seats);
            for seat in seats {
                seat.work.store(head.cast_mut(), Ordering::Relaxed);
                seat.state.store(OPEN, Ordering::Release);
            }
            // SAFETY: `head` is to `work`, which is there; the first part is the leader's.
            unsafe { Work::<K>::part(head, 0) };
            for (seat, part) in seats.iter().zip(1..) {
                if let Some(_taken) = seat.take() {
                    // SAFETY: likewise, and the part was taken.
                    unsafe { Work::<K>::part(head, part) };
                }
            }
            let mut looks = 0;
            for seat in seats {
                while seat.state.load(Ordering::Acquire) == TAKEN {
                    self.seats.wait(&mut looks);
                }
            }
            drop(settled);
        }
        for (output, part) in outputs.iter_mut().zip(work.parts) {
            if let Part::Done(value) = part.into_inner() {
                *output = Some(value);
            }
        }
        outputs
    }
}

impl<K: Kernel> Work<K> {
    /// [`Head::part`].
    ///
    /// # Safety
    /// As there.
    #[expect(unsafe_code, reason = "work is of any type, and lent for as long as it takes")]
    unsafe fn part(head: *const Head, part: usize) {
        // SAFETY: by the caller `head` is to a `Work<K>`, of which it is the first field, and which is there.
        let work = unsafe { &*head.cast::<Self>() };
        let Some(slot) = work.parts.get(part) else { return };
        // SAFETY: by the caller nobody else has this part.
        let slot = unsafe { &mut *slot.get() };
        if let Part::Open(kernel) = core::mem::replace(slot, Part::None) {
            *slot = Part::Done(work.level.run(kernel));
        }
    }
}
