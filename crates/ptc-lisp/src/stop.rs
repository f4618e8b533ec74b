//! A signal from outside that programs of a thread shall end, such as a time limit of their caller. No result of a program depends on it
//! unless the caller sets it, and then the caller drops the result.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static SIGNAL: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Programs of this thread obey the signal until this value is dropped.
pub struct Obeyed {
    before: Option<Arc<AtomicBool>>,
}

impl Obeyed {
    /// Obeys this signal from now on.
    pub fn new(signal: Arc<AtomicBool>) -> Obeyed {
        Obeyed { before: SIGNAL.replace(Some(signal)) }
    }
}

impl Drop for Obeyed {
    fn drop(&mut self) {
        SIGNAL.replace(self.before.take());
    }
}

/// Returns true once the programs of this thread shall end.
pub fn is_asked() -> bool {
    SIGNAL.with_borrow(|signal| signal.as_ref().is_some_and(|signal| signal.load(Ordering::Relaxed)))
}
