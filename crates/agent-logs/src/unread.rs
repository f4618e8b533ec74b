//! Fields of a log unknown to its reader.

use super::json::Object;
use super::names::NameList;
use super::notes::Notes;
use super::place::LogPlace;

/// A format's fields that may contain prose. Each reader has its own table.
pub(super) struct Fields {
    /// Objects, or lists of objects, to check recursively.
    pub(super) below: NameList,
    /// Fields that are read, or never sent in a request.
    pub(super) known: NameList,
}

impl Fields {
    /// Notes unknown fields with prose, in the object and the objects nested in it.
    pub(super) fn note_unread(&self, object: &Object, of: &str, place: &LogPlace, notes: &mut Notes) {
        for (key, value) in object.fields() {
            if self.known.contains(&key) {
                continue;
            }
            if !self.below.contains(&key) {
                if value.has_words() {
                    notes.lost(format!("fields {key} of {of} left out"), place.clone());
                }
                continue;
            }
            if let Some(inner) = value.object() {
                self.note_unread(&inner, key, &place.key(key), notes);
            }
            for (index, item) in value.list().into_iter().flatten().enumerate() {
                if let Some(inner) = item.object() {
                    self.note_unread(&inner, key, &place.item(key, index), notes);
                }
            }
        }
    }
}
