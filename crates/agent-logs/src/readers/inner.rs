//! Reads requests to any provider and their responses, nested in another log.

use serde_json::Value;

use super::{anthropic, dialects, openai_chat, openai_responses};
use crate::format::{LogFormat, Reader};
use crate::json::Json;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

/// Formats of requests to providers. Only logs of model calls contain them. The first one to recognise a value reads it.
pub(super) const PROVIDERS: [LogFormat; 7] = [
    openai_responses::FORMAT,
    dialects::LANGCHAIN,
    dialects::AI_SDK,
    dialects::BEDROCK,
    dialects::GEMINI,
    anthropic::FORMAT,
    openai_chat::FORMAT,
];

/// Readers for the nested formats, one per format because requests of a conversation may alternate with others.
pub(super) struct Inner {
    /// Name of the outer format.
    name: &'static str,
    readers: Vec<(&'static str, Box<dyn Reader>)>,
}

impl Inner {
    pub(super) fn for_format(name: &'static str) -> Inner {
        Inner { name, readers: Vec::new() }
    }

    /// Reads a request and its response, with the times of both. Returns false if no format recognises it.
    pub(super) fn read_exchange(
        &mut self,
        value: &Value,
        times: (Option<LogTime>, Option<LogTime>),
        place: &LogPlace,
        sink: &mut Sink,
    ) -> bool {
        if let Some(response) = value.get("response") {
            sink.conserved.search_bills(&response.to_string(), place);
        }
        sink.exchange = times;
        let is_read = self.read_inner(value, place, sink);
        sink.exchange = (None, None);
        is_read
    }

    /// Reads a value with the first format that recognises it. Returns false if there is none.
    fn read_inner(&mut self, value: &Value, place: &LogPlace, sink: &mut Sink) -> bool {
        let text = value.to_string();
        let Ok(json) = Json::parse(&text) else { return false };
        let Some(object) = json.object() else { return false };
        let Some(format) = PROVIDERS.iter().find(|format| (format.recognises)(&object)) else { return false };
        sink.container = Some(self.name);
        // A gateway alternates between providers, so each provider's requests grow in a reader of their own.
        let known = self.readers.iter().position(|(name, _)| *name == format.name);
        let at = known.unwrap_or(self.readers.len());
        if known.is_none() {
            self.readers.push((format.name, (format.reader)()));
        }
        if let Some((_, reader)) = self.readers.get_mut(at) {
            reader.read_value(json, place.clone(), sink);
        }
        true
    }
}

/// The value itself, or parsed if it is JSON in a string.
pub(super) fn parse_json(value: Json) -> Value {
    let text = value.text().filter(|text| text.trim_start().starts_with(['{', '[', '"']));
    let inside = text.and_then(|text| serde_json::from_str(&text).ok());
    inside.or_else(|| value.read()).unwrap_or_default()
}
