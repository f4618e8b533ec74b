//! Runs work on several threads. Results come back in the order of the items, so the number of threads never changes the output (invariant
//! 6).

use std::collections::BTreeMap;
use std::io;
use std::iter::Fuse;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use rayon::Scope;

/// Items queued per thread: enough to keep it busy behind a slow item, few enough to save memory.
const AHEAD: usize = 8;

/// A pool of threads.
pub struct Pool {
    threads: rayon::ThreadPool,
}

impl Pool {
    /// A pool of `jobs` threads, or one per core if 0.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn new(jobs: usize) -> io::Result<Pool> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(16 << 20).build();
        Ok(Pool { threads: threads.map_err(io::Error::other)? })
    }
}

/// Passes every item to `work` on the pool. `consume` gets the results in the order of the items. Only a few items are in progress at a
/// time. When `consume` returns or drops the iterator, no more items are started, and those in progress are awaited.
///
/// This takes a closure instead of returning an iterator, since the threads borrow `work` and must end before it does.
pub fn in_order<T: Send, R: Send, O>(
    pool: &Pool,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    consume: impl FnOnce(&mut dyn Iterator<Item = R>) -> O,
) -> O {
    let ahead = pool.threads.current_num_threads() * AHEAD;
    let (work, is_over) = (&work, &AtomicBool::new(false));
    pool.threads.in_place_scope(|scope| {
        let (sender, done) = mpsc::channel();
        let (handed_out, taken, early) = (0, 0, BTreeMap::new());
        let items = items.fuse();
        consume(&mut Results { scope, ahead, work, is_over, sender, done, items, handed_out, taken, early })
    })
}

/// Results in the order of the items.
struct Results<'s, 'scope, I, W, R> {
    scope: &'s Scope<'scope>,
    /// Most items in progress: queued, but with the result not taken yet.
    ahead: usize,
    work: &'scope W,
    is_over: &'scope AtomicBool,
    sender: Sender<(usize, thread::Result<R>)>,
    done: Receiver<(usize, thread::Result<R>)>,
    items: Fuse<I>,
    handed_out: usize,
    taken: usize,
    /// Results of items out of order.
    early: BTreeMap<usize, thread::Result<R>>,
}

impl<'scope, T, R, I, W> Results<'_, 'scope, I, W, R>
where
    T: Send + 'scope,
    R: Send + 'scope,
    I: Iterator<Item = T>,
    W: Fn(T) -> R + Sync,
{
    fn hand_out(&mut self) {
        while self.handed_out < self.taken + self.ahead
            && let Some(item) = self.items.next()
        {
            let (work, is_over, sender) = (self.work, self.is_over, self.sender.clone());
            let index = self.handed_out;
            self.handed_out += 1;
            self.scope.spawn(move |_| {
                if !is_over.load(Ordering::Relaxed) {
                    // Fails if the iterator was dropped.
                    let _ = sender.send((index, catch_unwind(AssertUnwindSafe(|| work(item)))));
                }
            });
        }
    }
}

impl<'scope, T, R, I, W> Iterator for Results<'_, 'scope, I, W, R>
where
    T: Send + 'scope,
    R: Send + 'scope,
    I: Iterator<Item = T>,
    W: Fn(T) -> R + Sync,
{
    type Item = R;

    fn next(&mut self) -> Option<R> {
        self.hand_out();
        let result = loop {
            if let Some(result) = self.early.remove(&self.taken) {
                break result;
            }
            if self.taken == self.handed_out {
                return None;
            }
            let (index, result) = self.done.recv().ok()?;
            self.early.insert(index, result);
        };
        self.taken += 1;
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl<I, W, R> Drop for Results<'_, '_, I, W, R> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
