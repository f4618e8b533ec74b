//! Ctrl-C, and signals that ask this process to end: programs that it started end first.

use std::sync::{Mutex, Once, PoisonError};

use super::exit::Exit;
use crate::processes;

type Handler = Box<dyn Fn() + Send>;

/// The reaction of the running command. Without it the process ends.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
static START: Once = Once::new();

/// Calls a function at each signal, in place of an earlier one.
pub(super) fn handle(handler: impl Fn() + Send + 'static) {
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handler));
    end_processes();
}

/// Lets no signal end this process alone, without the programs that it started.
pub(super) fn end_processes() {
    START.call_once(|| {
        processes::hold_strays();
        // Without a handler the system ends this process, and the programs meet the end of their input.
        let _ = ctrlc::set_handler(|| {
            processes::end_all();
            match &*HANDLER.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(handler) => handler(),
                None => std::process::exit(Exit::Interrupted.code().into()),
            }
        });
    });
}
