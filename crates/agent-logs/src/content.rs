//! The content of messages: text, images, files and reasoning.

use super::json::{Json, Object};
use super::names::{Dialect, PartKind};
use super::notes::Notes;
use super::place::LogPlace;
use super::unread::Fields;

/// Text of a message, and its number of images and files.
#[derive(Default)]
pub(super) struct Content {
    pub(super) lines: Option<String>,
    pub(super) images: u32,
}

impl Content {
    pub(super) fn add_text(&mut self, text: &str) {
        match &mut self.lines {
            Some(lines) => {
                lines.push('\n');
                lines.push_str(text);
            }
            None => self.lines = Some(text.to_owned()),
        }
    }

    pub(super) fn of(text: String) -> Content {
        Content { lines: Some(text), images: 0 }
    }

    pub(super) fn is_none(&self) -> bool {
        self.lines.is_none()
    }

    pub(super) fn text(self) -> String {
        self.lines.unwrap_or_default()
    }
}

/// Fields of documents and of their sources.
const DOCUMENT: Fields = Fields {
    below: &["document", "source"],
    known: &["bytes", "cache_control", "citations", "content", "context", "data", "name", "text", "title"],
};

/// Fields of search results.
const SEARCH_RESULT: Fields =
    Fields { below: &[], known: &["cache_control", "citations", "content", "source", "title"] };

/// Fields of a Cline file.
const FILE: Fields = Fields { below: &[], known: &["content", "path", "text"] };

impl Dialect {
    /// Reads a text or a list of parts.
    pub(super) fn read_content(self, value: Option<Json>, place: &LogPlace, notes: &mut Notes) -> Content {
        let mut content = Content::default();
        self.add_parts(&mut content, value, place, notes);
        content
    }

    fn add_parts(self, content: &mut Content, value: Option<Json>, place: &LogPlace, notes: &mut Notes) {
        let Some(value) = value else { return };
        match (value.list(), value.text()) {
            (Some(parts), _) => {
                for (index, part) in parts.into_iter().enumerate() {
                    self.add_part(content, part, &place.item("content", index), notes);
                }
            }
            (None, Some(text)) => content.add_text(&text),
            (None, None) => self.add_part(content, value, place, notes),
        }
    }

    /// Adds one content part.
    pub(super) fn add_part(self, content: &mut Content, part: Json, place: &LogPlace, notes: &mut Notes) {
        match part.object() {
            Some(object) => self.add_object(content, &object, place, notes),
            None => content.add_text(&part.to_plain_text()),
        }
    }

    /// Adds one content part given as an object.
    pub(super) fn add_object(
        self,
        content: &mut Content,
        part: &Object,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        let (word, kind) = self.kind_of(part);
        let text_key = self.all_names(|names| names.parts.text).find(|key| part.has(key));
        let text = text_key.and_then(|key| part.text(key));
        // Gemini marks thoughts with a flag on text parts.
        if kind == Some(PartKind::Reasoning) || part.is_true("thought") {
            return note_reasoning(place, notes);
        }
        match (kind, text) {
            (Some(PartKind::Text), Some(text)) => {
                content.add_text(&text);
                self.note_unread(part, text_key.as_slice(), "parts", place, notes);
            }
            // A value without a type is a tool's output.
            (Some(PartKind::Text), None) if word.is_empty() => {
                content.add_text(part.json().to_compact().get())
            }
            (Some(PartKind::Document), _) if self.add_document(content, part, place, notes) => {}
            (Some(PartKind::SearchResult), _) => {
                SEARCH_RESULT.note_unread(part, "parts", place, notes);
                add_texts(content, part, &["title", "source"]);
                self.add_parts(content, part.get("content"), place, notes);
            }
            (Some(PartKind::Image), _) => {
                content.images += 1;
                notes.note("images replaced by [image]", place.clone());
                content.add_text("[image]");
                self.note_unread_of_file(part, place, notes);
            }
            // Cline sends files as text.
            (Some(PartKind::File), Some(text)) if part.has("path") => {
                FILE.note_unread(part, "parts", place, notes);
                add_texts(content, part, &["path"]);
                content.add_text(&text);
            }
            (Some(PartKind::File | PartKind::Document), _) => {
                content.images += 1;
                notes.note("files replaced by [file NAME]", place.clone());
                content.add_text(&self.file_line(part));
                self.note_unread_of_file(part, place, notes);
            }
            (Some(PartKind::Encrypted), _) => {
                let kind = "parts encrypted by the provider, left out";
                notes.note(kind, place.clone());
            }
            (Some(PartKind::Compaction), _) => {
                notes.lost("compactions outside of answers left out", place.clone());
            }
            (Some(PartKind::Unsent), _) => {
                notes.note(format!("parts of the type {word}, which are not sent"), place.clone());
            }
            (Some(PartKind::Text | PartKind::Reasoning) | None, _) => {
                notes.lost(format!("parts of the type {word} left out"), place.clone());
            }
        }
    }

    /// The type word of a part, and its kind if known. A part without a type is text.
    pub(super) fn kind_of(self, part: &Object) -> (String, Option<PartKind>) {
        if let Some(word) = part.text("type")
            && !word.is_empty()
        {
            let kind = self.kind_of_type(&word);
            return (word, kind);
        }
        for names in self.0 {
            for (key, kind) in names.parts.fields {
                if part.has(key) {
                    return ((*key).to_owned(), Some(*kind));
                }
            }
        }
        let named = self.first_value(part, |names| names.parts.kind);
        if let Some(word) = named.and_then(Json::text)
            && !part.has("text")
        {
            // Pydantic AI uses `binary` for both images and files.
            let is_binary_image = word == "binary" && is_image(part);
            let kind = if is_binary_image { Some(PartKind::Image) } else { self.kind_of_type(&word) };
            return (word, kind);
        }
        (String::new(), Some(PartKind::Text))
    }

    fn kind_of_type(self, word: &str) -> Option<PartKind> {
        for names in self.0 {
            for (known, kind) in names.parts.types {
                if *known == word {
                    return Some(*kind);
                }
            }
        }
        None
    }

    /// Adds a document if its text is logged. Otherwise returns false.
    fn add_document(self, content: &mut Content, part: &Object, place: &LogPlace, notes: &mut Notes) -> bool {
        // Bedrock uses a field named `document`, Anthropic a type.
        let below = part.object("document");
        let document = below.as_ref().unwrap_or(part);
        let Some(source) = document.object("source") else { return false };
        let kind = source.kind();
        if kind != "text" && kind != "content" && !source.has("text") && !source.has("content") {
            return false;
        }
        DOCUMENT.note_unread(part, "parts", place, notes);
        add_texts(content, document, &["name", "title", "context"]);
        if let Some(text) = source.first(&["data", "text"]).and_then(Json::text) {
            content.add_text(&text);
        }
        self.add_parts(content, source.get("content"), place, notes);
        true
    }

    /// Notes fields with prose that are neither read nor known as unsent.
    pub(super) fn note_unread(
        self,
        object: &Object,
        read: &[&str],
        of: &str,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        for (key, value) in object.fields() {
            let is_known =
                key == "type" || read.contains(&key) || self.has_name(key, |names| names.parts.unsent);
            if !is_known && value.has_words() {
                notes.lost(format!("fields {key} of {of} left out"), place.clone());
            }
        }
    }

    fn note_unread_of_file(self, part: &Object, place: &LogPlace, notes: &mut Notes) {
        let read: Vec<&str> = self.all_names(|names| names.parts.file).collect();
        self.note_unread(part, &read, "parts", place, notes);
    }

    fn file_line(self, part: &Object) -> String {
        match self.first_at(part, |names| names.parts.file_name).and_then(Json::text) {
            Some(name) => format!("[file {name}]"),
            None => "[file]".to_owned(),
        }
    }
}

fn add_texts(content: &mut Content, object: &Object, keys: &[&str]) {
    for key in keys {
        if let Some(text) = object.text(key) {
            content.add_text(&text);
        }
    }
}

fn is_image(part: &Object) -> bool {
    matches!(part.text("media_type"), Some(media) if media.starts_with("image/"))
}

pub(super) fn note_reasoning(place: &LogPlace, notes: &mut Notes) {
    notes.note("reasoning left out", place.clone());
}
