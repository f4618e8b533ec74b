//! Ctrl-C and termination signals: child processes end first.

use std::sync::{Mutex, Once, PoisonError};

use super::exit::Exit;
use crate::processes;

type Handler = Box<dyn Fn() + Send>;

/// The handler of the running command. If there is none, the process exits.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
static START: Once = Once::new();

/// Sets the function to call at each signal. Replaces an earlier one.
pub(super) fn handle(handler: impl Fn() + Send + 'static) {
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handler));
    end_processes();
}

/// Makes signals end child processes too.
pub(super) fn end_processes() {
    START.call_once(|| {
        processes::hold_strays();
        // If this fails, a signal ends this process, and child processes see the end of their input.
        let _ = ctrlc::set_handler(|| {
            processes::end_all();
            match &*HANDLER.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(handler) => handler(),
                None => std::process::exit(Exit::Interrupted.code().into()),
            }
        });
    });
}
