//! The progress bar of an evaluation on standard error, if that is a terminal. It is removed at the end.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// Templates for a known and an unknown number of bytes.
const WITH_END: &str = "{wide_bar:.dim} {percent:>3}% {msg}, {eta} left";
const WITHOUT_END: &str = "{spinner} {msg}, {elapsed}";
#[cfg(feature = "live")]
const OF_RECORDINGS: &str = "{pos} of {len} recorded  {wide_msg:.dim}";

/// The progress of an evaluation. It counts bytes of scenario files, because the number of scenarios is unknown before reading.
pub(super) struct Progress {
    bar: ProgressBar,
    scenarios: u64,
}

impl Progress {
    pub(super) fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), scenarios: 0 }
    }

    /// The progress over files with this total size.
    pub(super) fn of_bytes(bytes: impl FnOnce() -> u64) -> Progress {
        Progress::drawn(|| ProgressBar::new(bytes()), WITH_END)
    }

    /// The progress over a stream of unknown length.
    pub(super) fn of_stream() -> Progress {
        Progress::drawn(ProgressBar::no_length, WITHOUT_END)
    }

    /// The progress over recordings, with the last answer.
    #[cfg(feature = "live")]
    pub(super) fn of_recordings(number: u64) -> Progress {
        Progress::drawn(|| ProgressBar::new(number), OF_RECORDINGS)
    }

    /// Counts a finished recording.
    #[cfg(feature = "live")]
    pub(super) fn advance_one(&self) {
        self.bar.inc(1);
    }

    /// Shows a line next to the bar until the next one. Without a bar the line goes to standard error.
    #[cfg(feature = "live")]
    pub(super) fn show(&self, line: String) {
        if self.bar.is_hidden() { errln!("{line}") } else { self.bar.set_message(line) }
    }

    fn drawn(bar: impl FnOnce() -> ProgressBar, template: &str) -> Progress {
        // A CI log would contain every state of the bar.
        if !io::stderr().is_terminal() {
            return Progress::hidden();
        }
        let bar = bar();
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Progress { bar: bar.with_finish(ProgressFinish::AndClear), scenarios: 0 }
    }

    /// Counts a scenario and the bytes of its text.
    pub(super) fn advance(&mut self, bytes: u64) {
        self.scenarios += 1;
        if !self.bar.is_hidden() {
            let plural = if self.scenarios == 1 { "" } else { "s" };
            self.bar.set_message(format!("{} scenario{plural}", self.scenarios));
            self.bar.inc(bytes);
        }
    }

    /// Hides the bar while `write` runs.
    pub(super) fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
