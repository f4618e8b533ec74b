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

impl BodyMessages {
    /// The messages, for [`Conversation::from_messages`](crate::Conversation::from_messages).
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    fn add(&mut self, message: Message, index: usize, json: Json) {
        self.messages.push(message);
        self.sources.push(Source { index, json });
    }

    /// The sources of messages that are some of these, in the same order, or new.
    fn sources_of(&self, sent: &[Message]) -> Vec<Option<&Source>> {
        let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        for (place, message) in self.messages.iter().enumerate() {
            places.entry(Key::of(&message.content)).or_default().push(place);
        }
        let mut next = 0;
        let mut sources = Vec::with_capacity(sent.len());
        for message in sent {
            let same = places.get(&Key::of(&message.content)).map_or(&[][..], Vec::as_slice);
            let later = &same[same.partition_point(|place| *place < next)..];
            let found = later.iter().find(|place| self.messages[**place].says_same(message));
            next = found.map_or(next, |place| place + 1);
            sources.push(found.map(|place| &self.sources[*place]));
        }
        sources
    }
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
