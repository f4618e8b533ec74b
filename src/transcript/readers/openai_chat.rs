//! Chat completions of OpenAI: `messages[]` with roles, alone or as request and response.

use super::LogFormat;
use super::chat::{Chats, is_message};
use crate::transcript::json::Object;

const NAME: &str = "openai-chat";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "chats of OpenAI: messages with roles and tool_calls; requests with choices",
    recognises,
    reader: || Chats::reader(NAME),
};

fn recognises(object: &Object) -> bool {
    let has_chat = |object: &Object| {
        object.get("messages").is_some_and(|messages| messages.list().is_some()) || object.has("choices")
    };
    let below = |key| object.object(key).is_some_and(|inner: Object| has_chat(&inner) || inner.has("body"));
    has_chat(object) || is_message(object) || ["request", "response", "body", "kwargs"].into_iter().any(below)
}
