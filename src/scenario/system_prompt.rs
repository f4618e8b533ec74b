//! The system prompts of scenarios and suites: text around the built-in prompt, or a user's text with placeholders for the built-in parts.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::data_files::{Refused, display, read_text};
use super::document::Document;
use crate::agent::extract::without_blank_ends;
use crate::agent::{PlaceholderError, PromptFrame, SystemPrompt};

/// Help for unknown placeholders.
const PLACEHOLDERS: &str = "{{language}} becomes the language reference, {{answer_format}} the answer format";

/// A text, `{file: PATH}` or `{text: TEXT}`, with optional prefix and suffix.
#[derive(Clone, Debug, Default)]
pub struct SystemPromptFile(SystemPromptMap);

/// The keys of a system prompt.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SystemPromptMap {
    /// Text before it, a blank line between.
    prefix: Option<String>,
    /// Text after it, a blank line between.
    suffix: Option<String>,
    /// The text in place of the built-in one; {{language}} and {{answer_format}} are replaced by its parts.
    text: Option<String>,
    /// A file with that text, relative to this file.
    file: Option<String>,
}

/// A prompt among the `prompts:` of a suite: the path of a file, `{file: PATH}` or `{text: TEXT}`.
#[derive(Clone, Debug)]
pub struct PromptFile(PromptMap);

/// The keys of a prompt.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PromptMap {
    /// The text; {{language}} and {{answer_format}} are replaced by the parts of the built-in one.
    text: Option<String>,
    /// A file with that text, relative to this file.
    file: Option<String>,
}

/// One of several system prompts to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitePrompt {
    pub name: String,
    /// The text, with placeholders filled in. `None`: the built-in prompt, or the one in the log.
    pub text: Option<String>,
}

/// An invalid key, and the reason.
pub type RefusedKey = (&'static str, Refused);

/// The base folders for paths in a file: the suite's folder, and the file's own.
#[derive(Clone, Copy)]
pub struct Folders<'f> {
    pub root: &'f Path,
    pub folder: &'f Path,
}

impl SystemPromptFile {
    /// Returns true if it replaces the built-in text.
    pub fn has_text(&self) -> bool {
        self.0.text.is_some() || self.0.file.is_some()
    }

    /// The prompt. Missing parts come from `outer`.
    ///
    /// # Errors
    /// A file is unreadable, or a placeholder is unknown.
    pub fn frame(&self, folders: Folders<'_>, outer: &PromptFrame) -> Result<PromptFrame, RefusedKey> {
        let SystemPromptMap { prefix, suffix, text, file } = &self.0;
        let text = text_of(text.as_deref(), file.as_deref(), folders)?;
        Ok(PromptFrame {
            prefix: trim_part(prefix.as_deref()).or_else(|| outer.prefix.clone()),
            suffix: trim_part(suffix.as_deref()).or_else(|| outer.suffix.clone()),
            text: text.or_else(|| outer.text.clone()),
        })
    }
}

impl PromptFile {
    /// The text, with placeholders filled in. `None` for the built-in prompt.
    ///
    /// # Errors
    /// Fails like [`SystemPromptFile::frame`].
    pub fn text(&self, folders: Folders<'_>) -> Result<Option<String>, RefusedKey> {
        text_of(self.0.text.as_deref(), self.0.file.as_deref(), folders)
    }
}

/// The text without blank ends. `None` if it is blank.
fn trim_part(text: Option<&str>) -> Option<String> {
    text.map(without_blank_ends).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn text_of(
    text: Option<&str>,
    file: Option<&str>,
    Folders { root, folder }: Folders<'_>,
) -> Result<Option<String>, RefusedKey> {
    match (text, file) {
        (None, None) => Ok(None),
        (Some(text), None) => match SystemPrompt::fill_template(text) {
            Ok(filled) => Ok(Some(filled)),
            Err(error) => Err(("text", Refused::Path(message_of(&error), PLACEHOLDERS))),
        },
        (None, Some(path)) => {
            let (path, text) = read_text(root, folder, path).map_err(|refused| ("file", refused))?;
            let filled = SystemPrompt::fill_template(&text).map_err(|error| {
                let shown = display(&path);
                let (message, written) = (message_of(&error), format!("{{{{{}}}}}", error.name));
                let at = text.find(&written).unwrap_or(0);
                let document = Document::new(&shown, &text);
                ("file", document.problem_at(at, written.len(), message, PLACEHOLDERS).into())
            })?;
            Ok(Some(filled))
        }
        (Some(_), Some(_)) => {
            let message = "a prompt has a text or a file, not both".to_owned();
            Err(("file", Refused::Path(message, "remove one of the two")))
        }
    }
}

fn message_of(error: &PlaceholderError) -> String {
    format!("unknown placeholder {{{{{}}}}} in a system prompt", error.name)
}

impl<'de> Deserialize<'de> for SystemPromptFile {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<SystemPromptFile, D::Error> {
        parser.deserialize_any(SystemPromptVisitor)
    }
}

struct SystemPromptVisitor;

impl<'de> Visitor<'de> for SystemPromptVisitor {
    type Value = SystemPromptFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, or a map with prefix, suffix, text or file")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SystemPromptFile, E> {
        Ok(SystemPromptFile(SystemPromptMap { text: Some(text.to_owned()), ..SystemPromptMap::default() }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SystemPromptFile, A::Error> {
        SystemPromptMap::deserialize(MapAccessDeserializer::new(map)).map(SystemPromptFile)
    }
}

impl<'de> Deserialize<'de> for PromptFile {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<PromptFile, D::Error> {
        parser.deserialize_any(PromptVisitor)
    }
}

struct PromptVisitor;

impl<'de> Visitor<'de> for PromptVisitor {
    type Value = PromptFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the path of a file, or a map with file or text")
    }

    fn visit_unit<E: Error>(self) -> Result<PromptFile, E> {
        Ok(PromptFile(PromptMap::default()))
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<PromptFile, E> {
        if path.contains('\n') {
            return Err(E::custom("expected the path of a file, found a text\nwrite {text: TEXT}"));
        }
        Ok(PromptFile(PromptMap { file: Some(path.to_owned()), text: None }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PromptFile, A::Error> {
        PromptMap::deserialize(MapAccessDeserializer::new(map)).map(PromptFile)
    }
}

impl JsonSchema for SystemPromptFile {
    fn schema_name() -> Cow<'static, str> {
        "SystemPromptFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<SystemPromptMap>();
        json_schema!({ "description": "The system prompt, or text around the built-in one.", "anyOf": [{ "type": "string" }, map] })
    }
}

impl JsonSchema for PromptFile {
    fn schema_name() -> Cow<'static, str> {
        "PromptFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<PromptMap>();
        json_schema!({
            "description": "A system prompt: a file, a text, or nothing for the built-in one.",
            "anyOf": [{ "type": "string" }, { "type": "null" }, map]
        })
    }
}
