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
/// Maximum number and length of keys in the error for an unknown format.
const MAX_KEYS: usize = 8;
const MAX_KEY: usize = 30;

/// Advice on a log without whole conversations, if its first value is in a known format of that kind.
fn advise_on_piece(object: &Object) -> Option<&'static str> {
    if object.has("session_id") && (object.has("result") || object.has("response")) {
        return Some("the result of a run without its messages; run it with --output-format stream-json");
    }
    if object.has("evalId") && object.has("results") || object.has("promptIdx") && object.has("testIdx") {
        return Some(
            "results of promptfoo: single answers, not conversations; log the agent's own requests, e.g. as OpenTelemetry spans",
        );
    }
    if object.has("role") && object.below("message").list("content").is_some() {
        return Some(
            "a Cursor transcript, without tool results and bills; log the requests instead, e.g. with a gateway such as \
             Helicone or LiteLLM",
        );
    }
    if object.has("composerId") || object.has("bubbleId") {
        return Some(
            "chats of the Cursor editor, without requests and bills; log the requests instead, e.g. with a gateway such as \
             Helicone or LiteLLM",
        );
    }
    if object.has("sessionID") && object.has("part") {
        return Some(
            "events of opencode without the user's messages; write the session with opencode export",
        );
    }
    None
}

/// What is known about a log before it is read.
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

/// Reads a log and passes each [`Transcript`] to `take` as soon as it is complete. A file `*.transcript.*` is in the neutral format. The
/// returned [`Notes`] list everything that the transcripts lack.
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
    let ReadOptions { mut from, observations } = options.into();
    if from.is_none() && file.contains(".transcript.") {
        from = LogFormat::named("transcript");
    }
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
        return reading.read_no_json(&units.read_rest().map_err(ReadError::Io)?);
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
                // Checking a whole line is faster than converting it piece by piece.
                let text = match str::from_utf8(bytes) {
                    Ok(text) => Cow::Borrowed(text),
                    Err(_) => String::from_utf8_lossy(bytes),
                };
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
    /// The likeliest format of the waiting values, if many formats match them.
    plausible: Option<&'static LogFormat>,
    /// True if a value was recognised, even if the format was given.
    is_recognised: bool,
    /// Fields that wrap the actual values, such as `data`.
    wrapper: Vec<String>,
    /// True if lists and objects are logged as JSON text in string fields.
    has_json_texts: bool,
    sink: Sink<'t>,
}

impl Reading<'_> {
    /// Reads an Aider history, a cassette in YAML, or a transcript in YAML.
    ///
    /// # Errors
    /// The text is in another format, or contains no conversation.
    fn read_no_json(mut self, text: &str) -> Result<Notes, ReadError> {
        if let Some(sessions) = aider_sessions(text) {
            for session in sessions {
                self.read_text(&session.value.to_string(), LogPlace::at(session.line));
            }
            return self.finish();
        }
        match serde_yaml::from_str::<serde_json::Value>(text) {
            Ok(value) if CASSETTE_KEYS.iter().any(|key| value.get(key).is_some()) => {
                self.read_text(&value.to_string(), LogPlace::default());
            }
            Ok(value) if value.get("messages").is_some() => {
                self.reader.get_or_insert_with(super::readers::neutral);
                self.read_text(&value.to_string(), LogPlace::default());
            }
            Err(error) if text.lines().any(has_yaml_key) => {
                self.sink.notes.lost(format!("invalid YAML: {error}"), LogPlace::default());
            }
            _ => return Err(ReadError::UnknownFormat("text that is not JSON".to_owned())),
        }
        self.finish()
    }

    fn read_text(&mut self, text: &str, place: LogPlace) {
        let error = match Json::parse(text) {
            Ok(value) => return self.read_parsed(value, place),
            Err(error) => error,
        };
        let Some(without) = without_nan(text) else { return self.note_broken_json(&error, place) };
        self.sink.notes.note("values NaN or Infinity, read as null", place.clone());
        match Json::parse(&without) {
            Ok(value) => self.read_parsed(value, place),
            Err(error) => self.note_broken_json(&error, place),
        }
    }

    fn read_parsed(&mut self, value: Json, place: LogPlace) {
        if value.has_half_characters() {
            self.sink.notes.note("texts with half a surrogate pair, replaced by U+FFFD", place.clone());
        }
        self.read_value(value, place, 0);
    }

    fn note_broken_json(&mut self, error: &serde_json::Error, place: LogPlace) {
        let message = error.to_string();
        let reason = match message.split_once(" at line ") {
            Some((reason, _)) => reason,
            None => &message,
        };
        let place = LogPlace { line: place.line + error.line().saturating_sub(1), ..place };
        self.sink.note_broken(reason, place.key(&format!("column {}", error.column())));
    }

    /// Reassembles the streamed responses in a value. `None` if there are none.
    fn with_whole_responses(&mut self, value: Json, place: &LogPlace) -> Option<String> {
        // A stream begins with data, or with comments and names of events before them.
        if !value.raw().contains("\"data:") && !value.raw().contains("\\ndata:") {
            return None;
        }
        value.object()?.with_texts(RESPONSE_DEPTH, &mut |text| {
            Some(whole_response(&text, place, &mut self.sink.notes)?.to_string())
        })
    }

    fn read_value(&mut self, value: Json, place: LogPlace, depth: usize) {
        if depth < MAX_DEPTH
            && let Some(items) = value.list()
        {
            if items.is_empty() {
                self.sink.notes.note("empty conversations left out", place.clone());
            }
            for (index, item) in items.into_iter().enumerate() {
                self.read_value(item, place.item("", index), depth + 1);
            }
            return self.end_log();
        }
        let whole = self.with_whole_responses(value, &place).or_else(|| with_bodies(value));
        match whole.as_deref().map(Json::parse) {
            Some(Ok(whole)) => self.read_object(whole, place, depth),
            Some(Err(_)) | None => self.read_object(value, place, depth),
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
            let own = fields_of_format(&object);
            if !own.is_empty() {
                wrapper = own;
            }
        }
        if has_any(&object, &wrapper) {
            self.read_wrapped(&object, &wrapper, &place, depth);
        } else {
            self.give_value(value, place);
        }
        self.wrapper = wrapper;
    }

    /// Reads the values in the wrapper fields of an object.
    fn read_wrapped(&mut self, object: &Object, wrapper: &[String], place: &LogPlace, depth: usize) {
        for (key, value) in object.fields() {
            if value.is_empty() {
                continue;
            }
            if wrapper.iter().any(|own| own == key) {
                self.read_value(value, place.key(key), depth);
            } else {
                self.sink.notes.note(format!("fields {key} of the log left out"), place.clone());
            }
        }
    }

    /// Passes a value to the reader, after the waiting ones. Without a reader the value waits too.
    fn give_value(&mut self, value: Json, place: LogPlace) {
        let Some(mut reader) = self.reader.take() else {
            return self.waiting.push((value.raw().to_owned(), place));
        };
        self.give_waiting(&mut *reader);
        self.sink.conserved.search_bills(value.raw(), &place);
        reader.read_value(value, place, &mut self.sink);
        self.reader = Some(reader);
    }

    /// Reads the waiting values in their plausible format.
    fn settle_format(&mut self) {
        let Some(format) = self.plausible else { return };
        if self.reader.is_some() {
            return;
        }
        self.is_recognised = true;
        self.sink.notes.format = Some(format.name);
        let mut reader = (format.reader)();
        self.give_waiting(&mut *reader);
        self.reader = Some(reader);
    }

    fn give_waiting(&mut self, reader: &mut dyn Reader) {
        for (text, place) in self.waiting.drain(..) {
            if let Ok(value) = Json::parse(&text) {
                self.sink.conserved.search_bills(value.raw(), &place);
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
        let Some(object) = first else {
            return ReadError::UnknownFormat("a value that is not an object".to_owned());
        };
        if let Some(advice) = advise_on_piece(&object) {
            return ReadError::UnknownFormat(advice.to_owned());
        }
        let mut keys: Vec<String> = Vec::new();
        for (key, _) in object.fields() {
            if keys.len() == MAX_KEYS {
                keys.push("…".to_owned());
                break;
            }
            keys.push(key.chars().take(MAX_KEY).collect());
        }
        ReadError::UnknownFormat(format!("an object with the fields {}", keys.join(", ")))
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
    if !value.raw().contains("\"body\":") {
        return None;
    }
    let object = value.object()?;
    let request = json_body(&object, "request")?;
    let response = json_body(&object, "response");
    object.with_texts(1, &mut |text| {
        let is_body = text == request || Some(&text) == response.as_ref();
        is_body.then_some(text)
    })
}

/// The body of a request or response, if it is logged as the text of a JSON object.
fn json_body(object: &Object, key: &str) -> Option<String> {
    object.object(key)?.text("body").filter(|body| body.starts_with('{'))
}

fn has_any(object: &Object, keys: &[String]) -> bool {
    keys.iter().any(|key| object.has(key))
}

fn has_yaml_key(line: &str) -> bool {
    YAML_KEYS.iter().any(|key| line.starts_with(key))
}

/// Returns true for a message with only a role and a text, as in many formats.
fn is_plain(object: &Object) -> bool {
    object.has("role")
        && object.text("content").is_some()
        && object.fields().all(|(key, _)| ["role", "content", "type", "id"].contains(&key))
}

/// The first matching format without losses, or else the first one.
fn without_loss(formats: &[&'static LogFormat], value: Json) -> Option<&'static LogFormat> {
    // Test-reading is slow, so do it only if two formats match, like MINT and AgentBench.
    if formats.len() > 1 {
        for format in formats {
            if loses_nothing(format, value) {
                return Some(format);
            }
        }
    }
    formats.first().copied()
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
            if let Some(list) = first.list()
                && let Some(element) = list.first()
            {
                first = *element;
            }
        }
        if let Some(first) = first.object()
            && recognising_formats(&first).next().is_some()
        {
            keys.push(key.to_owned());
        }
    }
    keys
}
