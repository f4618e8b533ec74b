//! What the requests of a conversation show, followed from each request to the next.

use rustc_hash::FxHashSet;

use crate::index::{AtomIndex, Present};
use crate::matching::Atom;
use conversation::{MessageId, Table};
use history_strategies::SentRequest;

/// What the current request shows.
#[derive(Default)]
pub(crate) struct Shown {
    present: Present,
    /// Messages with their text in a file that the request names.
    in_files: FxHashSet<MessageId>,
}

impl Shown {
    /// Goes on to the next request, which lacks the `replaced` messages of the one before.
    pub(crate) fn advance(&mut self, request: &SentRequest, replaced: &[MessageId], table: &Table) {
        for id in replaced {
            if let Some(text) = table.in_file(*id) {
                self.in_files.remove(&text);
            }
            self.present.remove(*id, table);
        }
        for id in request.added() {
            self.in_files.extend(table.in_file(id));
            self.present.add(id, table);
        }
    }

    /// Returns true if the request shows the atom.
    pub(crate) fn shows(&self, atom: &Atom, index: &mut AtomIndex, table: &Table) -> bool {
        self.present.shows(index.places(atom, table))
    }

    /// Returns true if the request names a file with the text of this message.
    pub(crate) fn names_file_of(&self, id: MessageId) -> bool {
        self.in_files.contains(&id)
    }
}
