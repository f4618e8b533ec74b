//! Parts a log whose conversations alternate, value by value.

use std::io;

use rustc_hash::FxHashMap;

use super::json::Json;
use super::place::LogPlace;
use super::sink::Sink;
use super::spill::{Extent, Spill, Spilled};

/// Bytes of a value in memory beside its text, about.
const VALUE: usize = 400;

/// A part of a log, such as a session.
pub(super) trait Part {
    /// Reads its next value.
    fn read(&mut self, value: Json, place: LogPlace, sink: &mut Sink);

    /// Hands over its conversations.
    fn finish(self, sink: &mut Sink);
}

/// The parts of a log, by identifier. Nothing in the log says that one of them is over.
pub(super) struct Alternating<T> {
    /// In the order of their first values.
    open: Vec<Open<T>>,
    by_id: FxHashMap<String, usize>,
    /// Bytes that the parts take in memory, about.
    used: usize,
    spill: Spill,
}

struct Open<T> {
    part: T,
    /// Its values for which there was no memory, in order.
    on_disk: Vec<Extent>,
}

impl<T> Default for Alternating<T> {
    fn default() -> Alternating<T> {
        Alternating { open: Vec::new(), by_id: FxHashMap::default(), used: 0, spill: Spill::default() }
    }
}

impl<T: Part> Alternating<T> {
    /// Reads the next value of a part, which begins with it if it is not known.
    pub(super) fn read(
        &mut self,
        id: &str,
        value: Json,
        place: LogPlace,
        sink: &mut Sink,
        new: impl FnOnce() -> T,
    ) {
        let at = self.by_id.get(id).copied().unwrap_or_else(|| {
            self.open.push(Open { part: new(), on_disk: Vec::new() });
            self.by_id.insert(id.to_owned(), self.open.len() - 1);
            self.open.len() - 1
        });
        // A log of one part needs no less memory when the part is read later.
        let has_memory = self.used <= sink.memory || self.open.len() == 1;
        let Some(open) = self.open.get_mut(at) else { return };
        // Once a value of a part is on disk, the values after it have to wait behind it.
        if open.on_disk.is_empty() && has_memory {
            self.used += value.raw().len() + VALUE;
            return open.part.read(value, place, sink);
        }
        let piece = serde_json::to_vec(&(place, value.raw())).map_err(io::Error::from);
        match piece.and_then(|piece| self.spill.add(&piece)) {
            Ok(extent) => open.on_disk.push(extent),
            Err(error) => sink.fail(error),
        }
    }

    /// Hands over all parts, in the order of their first values.
    pub(super) fn finish(&mut self, sink: &mut Sink) {
        let Alternating { open, spill, .. } = std::mem::take(self);
        let finished = spill
            .finish()
            .and_then(|mut spilled| open.into_iter().try_for_each(|open| open.finish(&mut spilled, sink)));
        if let Err(error) = finished {
            sink.fail(error);
        }
    }
}

impl<T: Part> Open<T> {
    fn finish(mut self, spilled: &mut Spilled, sink: &mut Sink) -> io::Result<()> {
        for extent in &self.on_disk {
            let piece = spilled.read(extent)?;
            let (place, text): (LogPlace, String) = serde_json::from_slice(&piece)?;
            // It was parsed once, before it was written.
            if let Ok(value) = Json::parse(&text) {
                self.part.read(value, place, sink);
            }
        }
        self.part.finish(sink);
        Ok(())
    }
}
