//! The content of messages: texts, and parts that are images, files and reasoning.

use super::json::{Json, Object};
use super::notes::Notes;
use super::place::LogPlace;

/// Text of a message, and its number of images and files.
#[derive(Default)]
pub(super) struct Content {
    pub(super) lines: Option<String>,
    pub(super) images: u32,
}

impl Content {
    pub(super) fn add(&mut self, text: &str) {
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

/// Reads a text or a list of parts, whose kinds all formats share.
pub(super) fn content(value: Option<Json>, place: &LogPlace, notes: &mut Notes) -> Content {
    let mut content = Content::default();
    add_parts(&mut content, value, place, notes);
    content
}

fn add_parts(content: &mut Content, value: Option<Json>, place: &LogPlace, notes: &mut Notes) {
    let Some(value) = value else { return };
    match (value.list(), value.text()) {
        (Some(parts), _) => {
            for (index, part) in parts.into_iter().enumerate() {
                add_part(content, part, &place.item("content", index), notes);
            }
        }
        (None, Some(text)) => content.add(&text),
        (None, None) => add_part(content, value, place, notes),
    }
}

/// Notes the fields of an object that are not read although they hold words.
pub(super) fn note_unread(object: &Object, read: &[&str], of: &str, place: &LogPlace, notes: &mut Notes) {
    for (key, value) in object.fields() {
        if !read.contains(&key) && !NOT_SENT.contains(&key) && value.has_words() {
            notes.lost(format!("fields {key} of {of} left out"), place.clone());
        }
    }
}

/// Fields of parts without a type.
const KEYS: [&str; 9] = [
    "image",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "document",
    "video",
    "cachePoint",
    "reasoningContent",
];

/// Fields of parts, calls and results whose words no provider takes back, or which repeat others.
const NOT_SENT: [&str; 17] = [
    "type",
    "citations",
    "annotations",
    "logprobs",
    "metadata",
    "providerMetadata",
    "providerOptions",
    "callProviderMetadata",
    "structured_content",
    "structuredContent",
    "rawInput",
    "displayName",
    "description",
    "resultDisplay",
    "parsed_arguments",
    "timestamp",
    "internal",
];

/// Fields of images and files, which stand as a line.
const FILE: [&str; 20] = [
    "image",
    "image_url",
    "source",
    "data",
    "file",
    "filename",
    "file_name",
    "name",
    "file_id",
    "file_data",
    "uri",
    "url",
    "inlineData",
    "inline_data",
    "fileData",
    "document",
    "video",
    "input_audio",
    "title",
    "mediaType",
];

/// Adds one part of a content.
pub(super) fn add_part(content: &mut Content, part: Json, place: &LogPlace, notes: &mut Notes) {
    match part.object() {
        Some(object) => add_object(content, &object, place, notes),
        None => content.add(&part.plain()),
    }
}

/// Adds one part of a content that is an object.
pub(super) fn add_object(content: &mut Content, object: &Object, place: &LogPlace, notes: &mut Notes) {
    // Parts of Gemini and Bedrock have a field of this name in place of a type.
    let key = || KEYS.iter().find(|key| object.has(key)).map(|key| (*key).to_owned());
    // Pydantic AI has another in its place.
    let other = || object.text("kind").filter(|_| !object.has("text"));
    let kind = object.text("type").or_else(key).or_else(other).unwrap_or_default();
    let is_image = object.text("media_type").is_some_and(|media| media.starts_with("image/"));
    let kind = if kind == "binary" && is_image { "image".to_owned() } else { kind };
    let text_key = ["text", "content", "refusal"].into_iter().find(|key| object.has(key));
    let text = text_key.and_then(|key| object.text(key));
    let below = object.object("document");
    let document = below.as_ref().unwrap_or(object);
    let source = document.below("source");
    match (kind.as_str(), text) {
        _ if object.is_true("thought") => reasoning(place, notes),
        (
            "think" | "thinking" | "redacted_thinking" | "reasoning" | "reasoning_content"
            | "reasoningContent",
            _,
        ) => {
            reasoning(place, notes);
        }
        (
            "text" | "text-plain" | "text-content" | "structured-content" | "input_text" | "output_text"
            | "summary_text" | "refusal" | "",
            Some(text),
        ) => {
            content.add(&text);
            note_unread(object, text_key.as_slice(), "parts", place, notes);
        }
        ("document", _) if ["text", "content"].iter().any(|kind| source.is_a(kind) || source.has(kind)) => {
            let texts = ["name", "title", "context"].iter().filter_map(|key| document.text(key));
            texts
                .chain(source.first(&["data", "text"]).and_then(Json::text))
                .for_each(|text| content.add(&text));
            add_parts(content, source.get("content"), place, notes);
        }
        ("search_result", _) => {
            let texts = ["title", "source"].iter().filter_map(|key| object.text(key));
            texts.for_each(|text| content.add(&text));
            add_parts(content, object.get("content"), place, notes);
        }
        (
            "image"
            | "image_url"
            | "input_image"
            | "computer_screenshot"
            | "inlineData"
            | "inline_data"
            | "image-url"
            | "image-data"
            | "image-file-id",
            _,
        ) => {
            content.images += 1;
            notes.note("images, which stand as [image]", place.clone());
            content.add("[image]");
            note_unread(object, &FILE, "parts", place, notes);
        }
        // Cline sends files as their text.
        ("file", Some(text)) if object.has("path") => {
            object.text("path").into_iter().for_each(|path| content.add(&path));
            content.add(&text);
        }
        (
            "file" | "input_file" | "document" | "audio" | "input_audio" | "video" | "blob" | "uri"
            | "fileData" | "file_data" | "media" | "file-url" | "file-data" | "file-id" | "binary"
            | "uploaded-file" | "document-url" | "audio-url" | "video-url",
            _,
        ) => {
            content.images += 1;
            notes.note("files, which stand as [file NAME]", place.clone());
            content.add(&file_line(object));
            note_unread(object, &FILE, "parts", place, notes);
        }
        ("", None) => content.add(object.json().compact().get()),
        ("encrypted_content", _) => {
            notes.note("parts that the provider encrypted, so that their text is unknown", place.clone());
        }
        ("source-url" | "source-document" | "source" | "cachePoint" | "cache-point", _) => {
            notes.note(format!("parts of the type {kind}, which are not sent"), place.clone());
        }
        (other, _) => notes.lost(format!("parts of the type {other} left out"), place.clone()),
    }
}

pub(super) fn reasoning(place: &LogPlace, notes: &mut Notes) {
    notes.note("reasoning left out", place.clone());
}

fn file_line(object: &Object) -> String {
    let keys = ["filename", "file_name", "title", "name", "file_id", "uri"];
    let inside = object.below("file");
    let name = object.first(&keys).or_else(|| inside.first(&keys)).and_then(Json::text);
    name.map_or("[file]".to_owned(), |name| format!("[file {name}]"))
}
