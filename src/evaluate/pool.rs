//! Work on several threads whose results come back in the order in which it was handed out, so that the
//! number of threads changes no byte (invariant 6).

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use rayon::ThreadPoolBuildError;

/// Items that are handed out for each thread: enough to keep it busy while a slow one is awaited, few enough to stay
/// small.
const AHEAD: usize = 8;

/// A pool of threads.
pub struct Pool {
    threads: rayon::ThreadPool,
}

impl Pool {
    /// A pool of this many threads; 0: one a core.
    pub fn new(jobs: usize) -> Result<Pool, ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(16 << 20).build()?;
        Ok(Pool { threads })
    }
}

/// Passes every item to `work` on the pool and each result to `take`, in the order of the items. Only a few items are in
/// progress at a time. Stops when `take` breaks.
pub fn in_order<T: Send, R: Send>(
    pool: &Pool,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) {
    let ahead = pool.threads.current_num_threads() * AHEAD;
    let (work, is_over) = (&work, &AtomicBool::new(false));
    let mut items = items.fuse();
    pool.threads.in_place_scope(|scope| {
        let (sender, done) = mpsc::channel();
        let (mut handed_out, mut taken) = (0, 0);
        let mut early = BTreeMap::new();
        loop {
            while handed_out < taken + ahead
                && let Some(item) = items.next()
            {
                let (sender, index) = (sender.clone(), handed_out);
                handed_out += 1;
                scope.spawn(move |_| {
                    if !is_over.load(Ordering::Relaxed) {
                        // Nobody listens any more once `take` has said that it is enough.
                        let _ = sender.send((index, catch_unwind(AssertUnwindSafe(|| work(item)))));
                    }
                });
            }
            if taken == handed_out {
                return;
            }
            let Ok((index, result)) = done.recv() else { return };
            early.insert(index, result.unwrap_or_else(|panic| resume_unwind(panic)));
            while let Some(result) = early.remove(&taken) {
                taken += 1;
                if take(result).is_break() {
                    return is_over.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}
