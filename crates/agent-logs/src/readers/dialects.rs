//! Chats with the same content as those of OpenAI and Anthropic, but other field names.

use super::chat::Chats;
use super::chat_values::{find_messages, find_request, find_response, is_message};
use super::providers::CHATS;
use crate::format::LogFormat;
use crate::json::{Json, Object};

pub(super) const GEMINI: LogFormat = LogFormat {
    name: "gemini",
    doc: "chats of Gemini: contents with text, functionCall and functionResponse; sessions of its CLI",
    recognises: |object| {
        // Sessions of the CLI start with these fields, whatever their content.
        let is_session = object.has("projectHash") && object.has("sessionId");
        is_session
            || has_contents(object)
            || find_request(object).as_ref().is_some_and(has_contents)
            || is_chat_with(object, &["\"functionCall\"", "\"candidates\"", "\"toolCalls\""])
    },
    reader: || Chats::boxed_reader("gemini"),
};

pub(super) const BEDROCK: LogFormat = LogFormat {
    name: "bedrock",
    doc: "chats of Bedrock's Converse API: messages with text, toolUse and toolResult",
    recognises: |object| is_chat_with(object, &["\"toolUse\"", "\"toolResult\""]),
    reader: || Chats::boxed_reader("bedrock"),
};

pub(super) const LANGCHAIN: LogFormat = LogFormat {
    name: "langchain",
    doc: "messages of LangChain, alone, in states of graphs and in runs of LangSmith",
    recognises: |object| {
        is_message(object) && CHATS.inner_message(object).is_some()
            || !object.has("contents")
                && is_chat_with(
                    object,
                    &["\"lc\"", "\"human\"", "\"ai\"", "\"usage_metadata\"", "\"response_metadata\""],
                )
    },
    reader: || Chats::boxed_reader("langchain"),
};

fn has_contents(object: &Object) -> bool {
    object.has("contents") && find_messages(object).is_some()
}

pub(super) const AI_SDK: LogFormat = LogFormat {
    name: "ai-sdk",
    doc: "messages of Vercel's AI SDK: UI messages, model messages, and steps of runs",
    recognises: |object| {
        let response = object.object("response").filter(|_| object.has("finishReason"));
        let is_step = response.is_some_and(|response| find_messages(&response).is_some());
        if is_step || is_chat_with(object, &["\"toolCallId\"", "\"step-start\""]) {
            return true;
        }
        let mut parts = object.list("parts").into_iter().flatten().filter_map(Json::object);
        is_message(object) && parts.any(|part| part.has("type"))
    },
    reader: || Chats::boxed_reader("ai-sdk"),
};

/// Returns true if the object has messages, and contains one of these words in quotes: as a key or a whole string.
fn is_chat_with(object: &Object, words: &[&str]) -> bool {
    // Most logs contain none of these words, and a substring search is cheaper than parsing the messages.
    if !words.iter().any(|word| object.json().raw().contains(word)) {
        return false;
    }
    is_message(object)
        || find_messages(object).is_some()
        || find_request(object).is_some()
        || find_response(object).is_some()
}
