//! The time limit of scenarios. One thread counts steps of time for the scenarios that are being evaluated, and asks those to end that
//! have had too many. A scenario that ends in this way has no result, so no result depends on the clock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ptc_lisp::stop::Obeyed;

/// The precision of limits.
const STEP: Duration = Duration::from_millis(100);

/// Scenarios that are being evaluated, each with the steps that it has left.
type Running = Arc<Mutex<BTreeMap<u64, (u128, Arc<AtomicBool>)>>>;

/// The time limit of each scenario of an evaluation.
pub struct TimeLimit {
    limit: Duration,
    running: Running,
    /// Ends the thread when it is dropped.
    _end: Sender<()>,
}

/// A scenario that is being evaluated.
pub struct Timed<'t> {
    limit: &'t TimeLimit,
    position: u64,
    signal: Arc<AtomicBool>,
    _obeyed: Obeyed,
}

impl TimeLimit {
    /// A limit for each scenario.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(limit: Duration) -> std::io::Result<TimeLimit> {
        let running = Running::default();
        let (end, ended) = channel::<()>();
        let counted = Arc::clone(&running);
        thread::Builder::new().spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(STEP) {
                for (left, signal) in counted.lock().unwrap_or_else(PoisonError::into_inner).values_mut() {
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        signal.store(true, Ordering::Relaxed);
                    }
                }
            }
        })?;
        Ok(TimeLimit { limit, running, _end: end })
    }

    /// Begins the evaluation of the scenario at this position, on this thread.
    pub fn begin(&self, position: u64) -> Timed<'_> {
        let signal = Arc::new(AtomicBool::new(false));
        let steps = self.limit.as_millis() / STEP.as_millis() + 1;
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.insert(position, (steps, Arc::clone(&signal)));
        Timed { limit: self, position, _obeyed: Obeyed::new(Arc::clone(&signal)), signal }
    }

    /// The words for a scenario that did not end in time.
    pub fn message(&self) -> String {
        format!("it was not evaluated within {} s", self.limit.as_secs())
    }
}

impl Timed<'_> {
    /// Returns true once the time is over. What was made of the scenario is incomplete then.
    pub fn is_over(&self) -> bool {
        self.signal.load(Ordering::Relaxed)
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.limit.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.position);
    }
}
