//! Messages in the bodies of requests to providers. A message that stays is written as the JSON that it was read from, so nothing
//! that this crate does not know is lost.

pub mod anthropic;
pub mod openai;

use std::fmt;

use ptc_tokens::Key;
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::message::Message;

/// Error of a body, with the place of what is wrong.
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

fn wrong(place: impl Into<String>, expected: &'static str) -> BodyError {
    BodyError { place: place.into(), expected }
}

/// The messages of a body, each with its source. The default has none: then all messages are written anew.
#[derive(Clone, Debug, Default)]
pub struct BodyMessages {
    messages: Vec<Message>,
    sources: Vec<Source>,
}

/// The JSON of a message.
#[derive(Clone, Debug)]
struct Source {
    /// The index of the message of the body. Of Anthropic's messages, several may come from one.
    index: usize,
    json: Json,
}

/// The origin of a message that is sent.
#[derive(Clone, Copy)]
enum Origin<'b> {
    /// The message is one of the body.
    Same(&'b Source),
    /// The message is a result of the body with another text.
    Replaced(&'b Source),
    New,
}

impl Source {
    /// The JSON of a result with another text. Marks of the cache and of errors stay.
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

    fn add(&mut self, message: Message, index: usize, json: Json) {
        self.messages.push(message);
        self.sources.push(Source { index, json });
    }

    /// The origins of messages that are some of these, in the same order, or new.
    fn origins_of(&self, sent: &[Message]) -> Vec<Origin<'_>> {
        let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        // Some agents use an identifier of a call again in later turns.
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
            let same = later(places.get(&Key::of(&message.content)), next);
            let same = same.iter().find(|place| self.messages[**place].says_same(message));
            let replaced =
                message.result_of().and_then(|call| later(results.get(call.as_str()), next).first());
            let (origin, place) = match (same, replaced) {
                (Some(place), _) => (Origin::Same(&self.sources[*place]), place),
                (None, Some(place)) => (Origin::Replaced(&self.sources[*place]), place),
                (None, None) => {
                    origins.push(Origin::New);
                    continue;
                }
            };
            origins.push(origin);
            next = place + 1;
        }
        origins
    }
}

/// The places from one on, of places in order.
fn later(places: Option<&Vec<usize>>, from: usize) -> &[usize] {
    let places = places.map_or(&[][..], Vec::as_slice);
    &places[places.partition_point(|place| *place < from)..]
}

/// The text of a string or of the blocks of a list, joined by line breaks. Blocks without text count nothing.
fn text_of(content: &Json, place: &str) -> Result<String, BodyError> {
    match content {
        Json::Null => Ok(String::new()),
        Json::String(text) => Ok(text.clone()),
        Json::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
            Ok(texts.collect::<Vec<_>>().join("\n"))
        }
        _ => Err(wrong(place, "a string or a list of blocks")),
    }
}

fn string<'j>(json: &'j Json, field: &str, place: &str) -> Result<&'j str, BodyError> {
    let text = json.get(field).and_then(Json::as_str);
    text.ok_or_else(|| wrong(format!("{place}.{field}"), "a string"))
}
