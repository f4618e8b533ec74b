//! Anthropic messages: content blocks with `tool_use` and `tool_result`, and `system` outside the messages.

use super::chat::Chats;
use super::chat_values::{find_messages, find_request, find_response};
use crate::format::LogFormat;
use crate::json::{Json, Object};

const NAME: &str = "anthropic";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "messages of Anthropic: text, tool_use and tool_result; requests with responses",
    recognises: recognises_chat,
    reader: || Chats::boxed_reader(NAME),
};

/// Block types found only in Anthropic messages.
const BLOCKS: [&str; 7] = [
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "server_tool_use",
    "mcp_tool_use",
    "compaction",
];

/// Returns true for a message, a request or a response of Anthropic.
fn is_own(object: &Object) -> bool {
    let messages = find_messages(object);
    object.is_a("message") && object.has("role") && object.has("usage")
        || messages.is_some() && object.has("system")
        || messages.into_iter().flatten().filter_map(Json::object).any(|message| has_blocks(&message))
        || object.has("role") && has_blocks(object)
}

fn recognises_chat(object: &Object) -> bool {
    is_own(object)
        || find_request(object).as_ref().is_some_and(is_own)
        || find_response(object).as_ref().is_some_and(is_own)
}

fn has_blocks(message: &Object) -> bool {
    let mut blocks = message.list("content").into_iter().flatten().filter_map(Json::object);
    blocks.any(|block| BLOCKS.iter().any(|kind| block.is_a(kind)))
}
