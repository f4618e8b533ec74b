//! Reads a log: detects its format by content and passes its values to the reader.

use std::borrow::Cow;
use std::io::BufRead;
use std::ops::ControlFlow;

use super::error::ReadError;
use super::format::{LogFormat, Reader};
use super::json::{Json, Object, without_nan};
use super::notes::Notes;
use super::observations::Observations;
use super::place::LogPlace;
use super::readers::{FORMATS, aider_sessions};
use super::sink::Sink;
use super::stream::whole_response;
use super::transcript::Transcript;
use super::units::{Layout, Unit, Units};

/// Maximum number of values inspected to detect a format.
const MAX_UNKNOWN: usize = 100;
/// Memory limit for conversations that may continue later in the log, in bytes.
const MEMORY: usize = 256 << 20;
/// Keys that identify logs in YAML.
const YAML_KEYS: [&str; 4] = ["messages:", "interactions:", "http_interactions:", "requests:"];
/// Keys of cassettes in YAML.
const CASSETTE_KEYS: [&str; 3] = ["interactions", "http_interactions", "requests"];
/// Maximum depth of nested lists: a list of conversations, each a list of messages.
const MAX_DEPTH: usize = 2;
/// Depth of objects around a streamed response: `response.body.string`.
const RESPONSE_DEPTH: usize = 2;

/// A test for a log without whole conversations, by its first value, and advice for it.
type Piece = (fn(&Object) -> bool, &'static str);

const PIECES: &[Piece] = &[
    (
        |object| object.has("session_id") && (object.has("result") || object.has("response")),
        "the result of a run without its messages; run it with --output-format stream-json",
    ),
    (
        |object| {
            object.has("evalId") && object.has("results") || object.has("promptIdx") && object.has("testIdx")
        },
        "results of promptfoo, which are single answers and no conversations; log the requests of the agent itself, e.g. as \
         spans of OpenTelemetry",
    ),
    (
        |object| object.has("role") && object.below("message").list("content").is_some(),
        "a transcript of Cursor, which has neither results of tools nor bills; record the requests themselves, e.g. with a \
         gateway that logs them (helicone, LiteLLM)",
    ),
    (
        |object| object.has("composerId") || object.has("bubbleId"),
        "chats of Cursor's editor, which have neither requests nor bills; record the requests themselves, e.g. with a gateway that \
         logs them (helicone, LiteLLM)",
    ),
    (
        |object| object.has("sessionID") && object.has("part"),
        "events of opencode without what was said to it; write the session with opencode export",
    ),
];

/// Known facts about a log.
#[derive(Clone, Copy, Default)]
pub struct ReadOptions {
    /// The format; detected by content if `None`.
    pub from: Option<&'static LogFormat>,
    pub observations: Observations,
}

impl From<Option<&'static LogFormat>> for ReadOptions {
    fn from(from: Option<&'static LogFormat>) -> ReadOptions {
        ReadOptions { from, ..ReadOptions::default() }
    }
}

/// Reads a log and passes each transcript to `take` as soon as it is complete. A file `*.transcript.*` is in the neutral format.
///
/// ```
/// use std::ops::ControlFlow;
///
/// let log = r#"{"messages": [{"role": "user", "content": "A flight to Oslo?"},
///                            {"role": "assistant", "content": "There are two."}]}"#;
/// let mut lengths = Vec::new();
/// let notes = agent_logs::read(log.as_bytes(), "log.json", None, &mut |transcript| {
///     lengths.push(transcript.messages.len());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(lengths, [2]);
/// assert!(!notes.has_losses());
/// # Ok::<(), agent_logs::ReadError>(())
/// ```
///
/// # Errors
/// The log cannot be read, has no known format, or contains no conversation.
pub fn read(
    source: impl BufRead,
    file: &str,
    options: impl Into<ReadOptions>,
    take: &mut dyn FnMut(Transcript) -> ControlFlow<()>,
) -> Result<Notes, ReadError> {
    read_within(MEMORY, source, file, options, take)
}

/// Like [`read`], with a limit (approximate, in bytes) on the memory for unfinished conversations. Beyond it, they go to a temporary file.
///
/// # Errors
/// Those of [`read`], or the disk has no room for the temporary file.
pub fn read_within(
    memory: usize,
    source: impl BufRead,
    file: &str,
    options: impl Into<ReadOptions>,
    take: &mut dyn FnMut(Transcript) -> ControlFlow<()>,
) -> Result<Notes, ReadError> {
    let ReadOptions { from, observations } = options.into();
    let from = from.or_else(|| LogFormat::named("transcript").filter(|_| file.contains(".transcript.")));
    let mut units = Units::new(source).map_err(ReadError::Io)?;
    if let Some(advice) = units.advice {
        return Err(ReadError::UnknownFormat(advice.to_owned()));
    }
    let format = from.map(|format| format.name);
    let notes = Notes { file: file.to_owned(), format, ..Notes::default() };
    let mut reading = Reading {
        reader: from.map(|format| (format.reader)()),
        waiting: Vec::new(),
        plausible: None,
        is_recognised: false,
        wrapper: Vec::new(),
        has_json_texts: false,
        sink: Sink::new(notes, take, observations, memory),
    };
    if units.layout == Layout::NoJson {
        let text = units.read_rest().map_err(ReadError::Io)?;
        if let Some(sessions) = aider_sessions(&text) {
            for session in sessions {
                reading.read_text(&session.value.to_string(), LogPlace::at(session.line));
            }
            return reading.finish();
        }
        let value: Result<serde_json::Value, _> = serde_yaml::from_str(&text);
        match value {
            Ok(value) if CASSETTE_KEYS.iter().any(|key| value.get(key).is_some()) => {
                reading.read_text(&value.to_string(), LogPlace::default());
            }
            Ok(value) if value.get("messages").is_some() => {
                reading.reader.get_or_insert_with(super::readers::neutral);
                reading.read_text(&value.to_string(), LogPlace::default());
            }
            Err(error) if text.lines().any(|line| YAML_KEYS.iter().any(|key| line.starts_with(key))) => {
                reading.sink.notes.lost(format!("no YAML: {error}"), LogPlace::default());
            }
            _ => return Err(ReadError::UnknownFormat("text that is not JSON".to_owned())),
        }
        return reading.finish();
    }
    let mut index = 0;
    while let Some(unit) = units.next().map_err(ReadError::Io)? {
        match unit {
            Unit::Value(line, bytes) => {
                let mut place = LogPlace::at(line);
                if units.is_in_list {
                    place = place.item("", index);
                    index += 1;
                }
                let bytes = bytes.trim_ascii_end();
                let text =
                    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
                if let Cow::Owned(_) = text {
                    reading.sink.notes.lost("text that is not UTF-8", place.clone());
                }
                reading.read_text(&text, place);
            }
            Unit::EndOfList => {
                reading.end_log();
                index = 0;
            }
            Unit::Broken(line, reason) => reading.sink.note_broken(reason, LogPlace::at(line)),
        }
        if reading.sink.is_stopped() {
            return reading.sink.finish();
        }
        // Headers, settings and file snapshots precede the first message of a session.
        if reading.reader.is_none() && reading.waiting.len() >= MAX_UNKNOWN {
            reading.settle_format();
            if reading.reader.is_none() {
                return Err(reading.unknown_format());
            }
        }
    }
    reading.finish()
}

struct Reading<'t> {
    reader: Option<Box<dyn Reader>>,
    /// Values read before the format was detected.
    waiting: Vec<(String, LogPlace)>,
    /// The format of the waiting values, if many formats match them.
    plausible: Option<&'static LogFormat>,
    /// True if a value was recognised, even if the format was given.
    is_recognised: bool,
    /// Fields with the actual values inside each logged value, such as `data`.
    wrapper: Vec<String>,
    /// True if lists and objects are logged as JSON text in string fields.
    has_json_texts: bool,
    sink: Sink<'t>,
}

impl Reading<'_> {
    fn read_text(&mut self, text: &str, place: LogPlace) {
        let parsed = Json::parse(text);
        let without = parsed.is_err().then(|| without_nan(text)).flatten();
        if without.is_some() {
            self.sink
                .notes
                .note("numbers that JSON does not have (NaN, Infinity), taken as null", place.clone());
        }
        match without.as_deref().map_or(parsed, Json::parse) {
            Ok(value) => {
                if value.has_half_characters() {
                    let kind = "texts with half a character, which stands as U+FFFD";
                    self.sink.notes.note(kind, place.clone());
                }
                self.read_value(value, place, 0);
            }
            Err(error) => {
                let said = error.to_string();
                let reason = said.split_once(" at line ").map_or(said.as_str(), |(reason, _)| reason);
                let place = LogPlace { line: place.line + error.line().saturating_sub(1), ..place };
                self.sink.note_broken(reason, place.key(&format!("column {}", error.column())));
            }
        }
    }

    /// Reassembles the streamed responses in a value. `None` if there are none.
    fn with_whole_responses(&mut self, value: Json, place: &LogPlace) -> Option<String> {
        let has_stream = ["\"data:", "\"event:"].iter().any(|start| value.raw().contains(start));
        let object = value.object().filter(|_| has_stream)?;
        object.with_texts(RESPONSE_DEPTH, &mut |text| {
            whole_response(&text, place, &mut self.sink.notes).map(|whole| whole.to_string())
        })
    }

    fn read_value(&mut self, value: Json, place: LogPlace, depth: usize) {
        match value.list().filter(|_| depth < MAX_DEPTH) {
            Some(items) => {
                if items.is_empty() {
                    self.sink.notes.note("empty conversations left out", place.clone());
                }
                for (index, item) in items.into_iter().enumerate() {
                    self.read_value(item, place.item("", index), depth + 1);
                }
                self.end_log();
            }
            None => {
                let whole = self.with_whole_responses(value, &place).or_else(|| with_bodies(value));
                let whole = whole.as_deref().and_then(|text| Json::parse(text).ok());
                self.read_object(whole.unwrap_or(value), place, depth);
            }
        }
    }

    fn is_unknown(&self) -> bool {
        !self.is_recognised && self.wrapper.is_empty()
    }

    /// Detects the format or the wrapper from the first value that has one.
    fn recognise_format(&mut self, value: Json, object: &Object) {
        if self.is_recognised {
            return;
        }
        let found = without_loss(&recognising_formats(object).collect::<Vec<_>>(), value);
        // Later values may be clearer, for example calls between the messages of a session.
        if self.reader.is_none() && is_plain(object) {
            self.plausible = self.plausible.or(found);
            return;
        }
        self.is_recognised = found.is_some();
        self.sink.notes.format = self.sink.notes.format.or(found.map(|format| format.name));
        if self.is_unknown() {
            self.wrapper = fields_of_format(object);
        }
        self.reader = self.reader.take().or(found.map(|format| (format.reader)()));
    }

    fn read_object(&mut self, value: Json, place: LogPlace, depth: usize) {
        if self.is_recognised && self.wrapper.is_empty() && !self.has_json_texts {
            return self.give_value(value, place);
        }
        let Some(object) = value.object() else { return self.give_value(value, place) };
        self.recognise_format(value, &object);
        let text = if self.is_unknown() || self.has_json_texts { object.with_texts_read() } else { None };
        let (mut value, mut object) = (value, object);
        if let Some(inner) = text.as_deref().and_then(|text| Json::parse(text).ok()?.object()) {
            self.recognise_format(inner.json(), &inner);
            self.has_json_texts = !self.is_unknown();
            if self.has_json_texts {
                (value, object) = (inner.json(), inner);
            }
        }
        let mut wrapper = std::mem::take(&mut self.wrapper);
        if !wrapper.is_empty() && !has_any(&object, &wrapper) && recognising_formats(&object).next().is_none()
        {
            // In graph updates, the key is the name of the updated node.
            wrapper = Some(fields_of_format(&object)).filter(|own| !own.is_empty()).unwrap_or(wrapper);
        }
        if !has_any(&object, &wrapper) {
            self.give_value(value, place);
        } else {
            for (key, value) in object.fields().filter(|(_, value)| !value.is_empty()) {
                if wrapper.iter().any(|own| own == key) {
                    self.read_value(value, place.key(key), depth);
                } else {
                    self.sink.notes.note(format!("fields {key} of the log left out"), place.clone());
                }
            }
        }
        self.wrapper = wrapper;
    }

    /// Passes a value to the reader, after the waiting ones. Without a reader the value waits too.
    fn give_value(&mut self, value: Json, place: LogPlace) {
        let Some(mut reader) = self.reader.take() else {
            return self.waiting.push((value.raw().to_owned(), place));
        };
        self.give_waiting(&mut *reader);
        self.sink.conserved.look(value.raw(), &place);
        reader.read_value(value, place, &mut self.sink);
        self.reader = Some(reader);
    }

    /// Reads the waiting values in their plausible format.
    fn settle_format(&mut self) {
        let Some(format) = self.plausible.filter(|_| self.reader.is_none()) else { return };
        self.is_recognised = true;
        self.sink.notes.format = Some(format.name);
        let mut reader = (format.reader)();
        self.give_waiting(&mut *reader);
        self.reader = Some(reader);
    }

    fn give_waiting(&mut self, reader: &mut dyn Reader) {
        for (text, place) in self.waiting.drain(..) {
            if let Ok(value) = Json::parse(&text) {
                self.sink.conserved.look(value.raw(), &place);
                reader.read_value(value, place, &mut self.sink);
            }
        }
    }

    fn end_log(&mut self) {
        self.settle_format();
        if let Some(reader) = &mut self.reader {
            reader.finish_log(&mut self.sink);
        }
    }

    /// The error for a log in an unknown format.
    fn unknown_format(&self) -> ReadError {
        let first = self.waiting.first().and_then(|(text, _)| Json::parse(text).ok()?.object());
        let keys: Vec<String> =
            first.iter().flat_map(Object::fields).map(|(key, _)| key.chars().take(30).collect()).collect();
        if let Some((_, advice)) = PIECES.iter().find(|(is_piece, _)| first.as_ref().is_some_and(is_piece)) {
            return ReadError::UnknownFormat((*advice).to_owned());
        }
        let more = if keys.len() > 8 { ", …" } else { "" };
        let keys = keys.get(..8).unwrap_or(&keys).join(", ");
        ReadError::UnknownFormat(match first {
            Some(_) => format!("an object with the fields {keys}{more}"),
            None => "a value that is no object".to_owned(),
        })
    }

    fn finish(mut self) -> Result<Notes, ReadError> {
        self.end_log();
        if self.reader.is_none() && !self.waiting.is_empty() {
            return Err(self.unknown_format());
        }
        self.sink.finish()
    }
}

/// The formats matching a value, by precedence.
fn recognising_formats<'o>(object: &'o Object<'o>) -> impl Iterator<Item = &'static LogFormat> + 'o {
    FORMATS.iter().filter(move |format| (format.recognises)(object))
}

/// Replaces a request by its body if the body is logged as JSON text, as by most providers of the AI SDK.
fn with_bodies(value: Json) -> Option<String> {
    let object = Some(value).filter(|value| value.raw().contains("\"body\":"))?.object()?;
    let bodies = [Some(json_body(&object, "request")?), json_body(&object, "response")];
    object.with_texts(1, &mut |text| bodies.iter().flatten().any(|body| *body == text).then_some(text))
}

/// The body of a request or response, if it is logged as the text of a JSON object.
fn json_body(object: &Object, key: &str) -> Option<String> {
    object.object(key)?.text("body").filter(|body| body.starts_with('{'))
}

fn has_any(object: &Object, keys: &[String]) -> bool {
    keys.iter().any(|key| object.has(key))
}

/// Returns true for a message with only a role and a text, as in many formats.
fn is_plain(object: &Object) -> bool {
    let mut keys = object.fields().map(|(key, _)| key);
    object.has("role")
        && object.text("content").is_some()
        && keys.all(|key| ["role", "content", "type", "id"].contains(&key))
}

/// Of the matching formats, the first one without losses, or else the first.
fn without_loss(formats: &[&'static LogFormat], value: Json) -> Option<&'static LogFormat> {
    match formats {
        // Test-reading is slow, so do it only if two formats match, like MINT and AgentBench.
        [first, _, ..] => Some(formats.iter().find(|format| loses_nothing(format, value)).unwrap_or(first)),
        _ => formats.first(),
    }
    .copied()
}

/// Returns true if the value alone is a conversation in this format, without losses.
fn loses_nothing(format: &LogFormat, value: Json) -> bool {
    let mut count = |_| ControlFlow::Continue(());
    let mut sink = Sink::new(Notes::default(), &mut count, Observations::None, MEMORY);
    let mut reader = (format.reader)();
    reader.read_value(value, LogPlace::default(), &mut sink);
    reader.finish_log(&mut sink);
    sink.finish().is_ok_and(|notes| !notes.has_losses())
}

/// Fields of an unknown object with values of a known format, alone or in lists.
fn fields_of_format(object: &Object) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, mut first) in object.fields() {
        for _ in 0..MAX_DEPTH {
            first = first.list().and_then(|list| list.first().copied()).unwrap_or(first);
        }
        if first.object().is_some_and(|first| recognising_formats(&first).next().is_some()) {
            keys.push(key.to_owned());
        }
    }
    keys
}
