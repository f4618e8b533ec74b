//! Splits a log of interleaved conversations, value by value.

use std::io;

use rustc_hash::FxHashMap;

use super::json::Json;
use super::place::LogPlace;
use super::sink::Sink;
use super::spill::{Extent, Spill, Spilled};

/// Approximate memory overhead of a value, in bytes.
const VALUE: usize = 400;

/// A part of a log, such as a session.
pub(super) trait Part {
    /// Reads the part's next value.
    fn read_part(&mut self, value: Json, place: LogPlace, sink: &mut Sink);

    /// Passes the part's conversations to the sink.
    fn finish_conversation(self, sink: &mut Sink);
}

/// The parts of a log, by identifier. All stay open, because the log never marks the end of a part.
pub(super) struct Alternating<T> {
    /// Ordered by first value.
    open: Vec<Open<T>>,
    by_id: FxHashMap<String, usize>,
    /// Approximate memory use of the parts, in bytes.
    used: usize,
    spill: Spill,
}

struct Open<T> {
    part: T,
    /// Values that did not fit in memory, in order.
    on_disk: Vec<Extent>,
}

impl<T> Default for Alternating<T> {
    fn default() -> Alternating<T> {
        Alternating { open: Vec::new(), by_id: FxHashMap::default(), used: 0, spill: Spill::default() }
    }
}

impl<T: Part> Alternating<T> {
    /// Reads the next value of a part, starting the part if it is new.
    pub(super) fn read(
        &mut self,
        id: &str,
        value: Json,
        place: LogPlace,
        sink: &mut Sink,
        new: impl FnOnce() -> T,
    ) {
        let at = match self.by_id.get(id) {
            Some(at) => *at,
            None => {
                self.open.push(Open { part: new(), on_disk: Vec::new() });
                self.by_id.insert(id.to_owned(), self.open.len() - 1);
                self.open.len() - 1
            }
        };
        // With a single part, deferring values would not save memory.
        let has_memory = self.used <= sink.memory || self.open.len() == 1;
        let Some(open) = self.open.get_mut(at) else { return };
        // Values must be read in order, so a part on disk stays there.
        if open.on_disk.is_empty() && has_memory {
            self.used += value.raw().len() + VALUE;
            return open.part.read_part(value, place, sink);
        }
        let piece = serde_json::to_vec(&(place, value.raw())).map_err(io::Error::from);
        match piece.and_then(|piece| self.spill.add_piece(&piece)) {
            Ok(extent) => open.on_disk.push(extent),
            Err(error) => sink.fail_with(error),
        }
    }

    /// Finishes all parts, in the order of their first values.
    pub(super) fn finish(&mut self, sink: &mut Sink) {
        if let Err(error) = std::mem::take(self).finish_parts(sink) {
            sink.fail_with(error);
        }
    }

    fn finish_parts(self, sink: &mut Sink) -> io::Result<()> {
        let mut spilled = self.spill.finish_writing()?;
        for open in self.open {
            open.finish(&mut spilled, sink)?;
        }
        Ok(())
    }
}

impl<T: Part> Open<T> {
    fn finish(mut self, spilled: &mut Spilled, sink: &mut Sink) -> io::Result<()> {
        for extent in &self.on_disk {
            let piece = spilled.read_piece(extent)?;
            let (place, text): (LogPlace, String) = serde_json::from_slice(&piece)?;
            // It was parsed before it was written.
            if let Ok(value) = Json::parse(&text) {
                self.part.read_part(value, place, sink);
            }
        }
        self.part.finish_conversation(sink);
        Ok(())
    }
}
