//! The time limit of scenarios. One thread counts time steps of running scenarios and signals those over the limit to stop. A stopped
//! scenario has no result, so results never depend on the clock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ptc_lisp::stop::Obeyed;

/// The precision of limits.
const STEP: Duration = Duration::from_millis(100);

/// Running scenarios by position, each with its remaining steps and stop signal.
type Running = Arc<Mutex<BTreeMap<u64, (u128, Arc<AtomicBool>)>>>;

/// The time limit of each scenario of an evaluation.
pub struct TimeLimit {
    limit: Duration,
    running: Running,
    /// Dropping it ends the thread.
    _end: Sender<()>,
}

/// A running scenario.
pub struct Timed<'t> {
    limit: &'t TimeLimit,
    position: u64,
    signal: Arc<AtomicBool>,
    _obeyed: Obeyed,
}

impl TimeLimit {
    /// Starts the timer thread.
    ///
    /// # Errors
    /// The thread cannot be started.
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

    /// Starts the clock for the scenario at this position, evaluated on the current thread.
    pub fn begin(&self, position: u64) -> Timed<'_> {
        let signal = Arc::new(AtomicBool::new(false));
        let steps = self.limit.as_millis() / STEP.as_millis() + 1;
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.insert(position, (steps, Arc::clone(&signal)));
        Timed { limit: self, position, _obeyed: Obeyed::new(Arc::clone(&signal)), signal }
    }

    /// The error message for a scenario over the limit.
    pub fn message(&self) -> String {
        format!("it was not evaluated within {} s", self.limit.as_secs())
    }
}

impl Timed<'_> {
    /// Returns true after the time limit. The scenario's results are then incomplete.
    pub fn is_over(&self) -> bool {
        self.signal.load(Ordering::Relaxed)
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.limit.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.position);
    }
}
