//! Attachments of Claude Code: files, changes, reminders and queued commands that it sends with a message.

use crate::content::Content;
use crate::json::{Json, Object};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::unread::Fields;

/// Known fields of attachments, and of the object with a memory file.
const ATTACHMENT: Fields = Fields {
    below: &[],
    known: &[
        "addedLines",
        "command",
        "content",
        "displayPath",
        "filename",
        "hookName",
        "names",
        "path",
        "prompt",
        "snippet",
        "stderr",
        "stdout",
    ],
};

/// Known fields of a rendered attachment.
const RENDERED: Fields = Fields { below: &[], known: &["content"] };

/// Returns the text of an attachment, and false if the user wrote it (a queued command). `None` if it has no text or isn't sent.
pub(super) fn read_attachment(
    line: &Object,
    dialect: Dialect,
    place: &LogPlace,
    notes: &mut Notes,
) -> Option<(Content, bool)> {
    let attached = &line.below("attachment");
    let kind = attached.kind();
    // Since 2.1.332 at the latest, the line has the text as it was sent.
    let rendered = line.list("rendered").filter(|_| kind != "queued_command");
    let rendered = rendered.filter(|items| items.iter().all(|item| item.object().is_some()));
    if let Some(rendered) = rendered.filter(|rendered| !rendered.is_empty()) {
        let mut all = Content::default();
        for item in rendered.into_iter().filter_map(Json::object) {
            RENDERED.note_unread(&item, "rendered attachments", place, notes);
            let content = dialect.read_content(item.get("content"), place, notes);
            all.images += content.images;
            all.add_text(&content.text());
        }
        return Some((all, true));
    }
    // `addedLines` has one line per newly available tool or agent; `snippet` has the changes of a file.
    let given = attached.first(&["prompt", "content", "addedLines", "snippet"]);
    // Memory files are logged as an object.
    let given = given.and_then(|given| given.object().map_or(Some(given), |inner| inner.get("content")));
    match given.filter(|given| is_text(*given)) {
        Some(text) if text.is_empty() => {
            notes.note("attachments without a text, which are not sent", place.clone());
            None
        }
        Some(text) => {
            ATTACHMENT.note_unread(attached, "attachments", place, notes);
            if let Some(file) = attached.object("content") {
                ATTACHMENT.note_unread(&file, "content", &place.key("content"), notes);
            }
            Some((dialect.read_content(Some(text), place, notes), kind != "queued_command"))
        }
        None => {
            notes.lost(format!("attachments of the type {kind:?} left out"), place.clone());
            None
        }
    }
}

/// Returns true for a text, or a list of parts of a message.
fn is_text(given: Json) -> bool {
    let Some(parts) = given.list() else { return given.text().is_some() };
    parts.iter().all(|part| part.text().is_some() || part.object().is_some_and(|part| part.has("type")))
}
