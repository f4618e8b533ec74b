//! Fields of a log that its reader does not know.

use super::json::Object;
use super::names::NameList;
use super::notes::Notes;
use super::place::LogPlace;

/// Names of the fields of a format that may hold words. Each reader has a table of its own.
pub(super) struct Fields {
    /// Objects and lists of objects whose fields have to be known too.
    pub(super) below: NameList,
    /// Fields that are read, or whose words no request has.
    pub(super) known: NameList,
}

impl Fields {
    /// Notes the fields of an object, and of what it holds, that have words and are not known.
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
