//! Work on several threads whose results come back in the order in which it was handed out, so that the
//! number of threads changes no byte (invariant 6).

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

/// How many pieces of work wait for each thread: enough to keep it busy, few enough to stay small.
const WAITING: usize = 16;

/// A pool of threads of our own.
pub struct Pool {
    threads: rayon::ThreadPool,
}

impl Pool {
    /// A pool of this many threads; 0: one a core.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(jobs: usize) -> Result<Pool, ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(16 << 20).build()?;
        Ok(Pool { threads })
    }
}

/// Hands every item to `work` on the pool and what comes of it to `take`, in the order of the items. Only
/// a few items stand in memory at a time, however many there are. Stops when `take` says so.
pub fn in_order<T: Send, R: Send>(
    pool: &Pool,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> std::ops::ControlFlow<()>,
) {
    let batch = pool.threads.current_num_threads() * WAITING;
    let mut items = items.peekable();
    while items.peek().is_some() {
        let waiting: Vec<T> = items.by_ref().take(batch).collect();
        let done: Vec<R> = pool.threads.install(|| waiting.into_par_iter().map(&work).collect());
        for result in done {
            if take(result).is_break() {
                return;
            }
        }
    }
}
