//! Work on disjoint parts of a grid, done by whoever is given it.

/// Does all parts, in whatever order and on whatever threads.
pub type Share<'s> = &'s mut dyn FnMut(&mut [&mut (dyn FnMut() + Send)]);

/// Most parts of a grid.
pub(super) const MOST: usize = 16;

/// Does all parts here, one after the other.
pub fn one_after_the_other(parts: &mut [&mut (dyn FnMut() + Send)]) {
    for part in parts {
        part();
    }
}

/// Does `work` with each of up to [`MOST`] jobs, which have all they write to themselves.
pub(super) fn each<J: Send>(share: Share<'_>, jobs: impl IntoIterator<Item = J>, work: impl Fn(J) + Sync) {
    let mut jobs = jobs.into_iter().fuse();
    let mut slots: [Option<J>; MOST] = core::array::from_fn(|_| jobs.next());
    let count = slots.iter().take_while(|slot| slot.is_some()).count();
    if count == 1 {
        // Of a small grid: nothing to share.
        slots.iter_mut().filter_map(Option::take).for_each(work);
        return;
    }
    let work = &work;
    let mut calls = slots.each_mut().map(|slot| {
        move || {
            if let Some(job) = slot.take() {
                work(job);
            }
        }
    });
    let mut calls = calls.each_mut().map(|call| call as &mut (dyn FnMut() + Send));
    share(&mut calls[..count]);
}
