//! Messages in request bodies of providers. An unchanged message is written as its original JSON, so unknown fields are kept.
//!
//! ```
//! use conversation::bodies::openai;
//! use serde_json::json;
//!
//! let body = [
//!     json!({"role": "user", "content": "Where is the parcel?", "name": "ada"}),
//!     json!({"role": "assistant", "content": "In Osaka."}),
//!     json!({"role": "user", "content": "And now?"}),
//! ];
//! let messages = openai::read_messages(&body)?;
//! // Without the answer. The unknown field `name` of the first message stays.
//! let [first, _, last] = messages.messages() else { return Ok(()) };
//! let sent = openai::write_messages(&messages, &[first.clone(), last.clone()]);
//! assert_eq!(sent, [body[0].clone(), body[2].clone()]);
//! # Ok::<(), conversation::bodies::BodyError>(())
//! ```

pub mod anthropic;
pub mod openai;

use std::fmt;

use ptc_tokens::Key;
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::message::Message;

/// Error of a body, with the place of the invalid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyError {
    /// `messages[3].content`
    pub place: String,
    pub expected: &'static str,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.place, self.expected)
    }
}

impl std::error::Error for BodyError {}

fn refuse_body(place: impl Into<String>, expected: &'static str) -> BodyError {
    BodyError { place: place.into(), expected }
}

/// The messages of a body, each with its JSON. The default is empty: then all messages are written anew.
#[derive(Clone, Debug, Default)]
pub struct BodyMessages {
    messages: Vec<Message>,
    sources: Vec<Source>,
}

/// The JSON of a message.
#[derive(Clone, Debug)]
struct Source {
    /// The index of the message in the body. With Anthropic, several messages may share one.
    index: usize,
    json: Json,
}

/// Where a message to send comes from.
#[derive(Clone, Copy)]
enum Origin<'b> {
    /// Unchanged from the body.
    Same(&'b Source),
    /// A result in the body, with its text replaced.
    Replaced(&'b Source),
    New,
}

impl Source {
    /// The JSON of a result, with its text replaced. Cache breakpoints and error flags are kept.
    fn with_content(&self, text: &str) -> Json {
        let mut json = self.json.clone();
        json["content"] = Json::from(text);
        json
    }
}

impl BodyMessages {
    /// The messages, for [`Conversation::from_messages`](crate::Conversation::from_messages).
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    fn add_message(&mut self, message: Message, index: usize, json: Json) {
        self.messages.push(message);
        self.sources.push(Source { index, json });
    }

    /// The origins of messages to send: a subsequence of these, mixed with new ones.
    fn origins_of(&self, sent: &[Message]) -> Vec<Origin<'_>> {
        let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        // Some agents reuse call identifiers in later turns.
        let mut results: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (place, message) in self.messages.iter().enumerate() {
            places.entry(Key::of(&message.content)).or_default().push(place);
            if let Some(call) = message.result_of() {
                results.entry(call).or_default().push(place);
            }
        }
        let mut next = 0;
        let mut origins = Vec::with_capacity(sent.len());
        for message in sent {
            let equal = places_from(places.get(&Key::of(&message.content)), next);
            if let Some(place) = equal.iter().find(|place| self.messages[**place].says_same(message)) {
                origins.push(Origin::Same(&self.sources[*place]));
                next = place + 1;
                continue;
            }
            if let Some(call) = message.result_of()
                && let Some(place) = places_from(results.get(call.as_str()), next).first()
            {
                origins.push(Origin::Replaced(&self.sources[*place]));
                next = place + 1;
                continue;
            }
            origins.push(Origin::New);
        }
        origins
    }
}

/// The sorted places, from `from` on.
fn places_from(places: Option<&Vec<usize>>, from: usize) -> &[usize] {
    let places = places.map_or(&[][..], Vec::as_slice);
    &places[places.partition_point(|place| *place < from)..]
}

/// The text of a string or a list of blocks, joined by line breaks. Blocks without text are skipped.
fn text_of(content: &Json, place: &str) -> Result<String, BodyError> {
    match content {
        Json::Null => Ok(String::new()),
        Json::String(text) => Ok(text.clone()),
        Json::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
            Ok(texts.collect::<Vec<_>>().join("\n"))
        }
        _ => Err(refuse_body(place, "a string or a list of blocks")),
    }
}

fn read_string<'j>(json: &'j Json, field: &str, place: &str) -> Result<&'j str, BodyError> {
    let text = json.get(field).and_then(Json::as_str);
    text.ok_or_else(|| refuse_body(format!("{place}.{field}"), "a string"))
}
