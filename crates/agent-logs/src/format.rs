//! A log format and its reader.

use super::json::{Json, Object};
use super::place::LogPlace;
use super::sink::Sink;

/// A format of logs.
#[derive(Clone, Copy)]
pub struct LogFormat {
    pub name: &'static str,
    pub doc: &'static str,
    /// Returns true if a value of the log is in this format.
    pub(super) recognises: fn(&Object) -> bool,
    pub(super) reader: fn() -> Box<dyn Reader>,
}

/// Reads the values of a log, one after the other.
pub(super) trait Reader {
    /// Reads a value: a conversation, or a part of one.
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink);

    /// Passes on open conversations at the end of a list or of the log.
    fn finish_log(&mut self, _sink: &mut Sink) {}
}

/// A reader for values with whole conversations in each.
pub(super) struct Whole(pub(super) fn(&Object, LogPlace, &mut Sink));

impl Reader for Whole {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        if let Some(object) = sink.read_object(value, &place) {
            self.0(&object, place, sink);
        }
    }
}
