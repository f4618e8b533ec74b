//! Chat completions of OpenAI: `messages[]` with roles, alone or as request and response.

use super::chat::{Chats, is_message, messages, request, response};
use crate::format::LogFormat;

const NAME: &str = "openai-chat";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "chats of OpenAI: messages with roles and tool_calls; requests with choices",
    recognises: |object| {
        is_message(object)
            || object.has("choices")
            || messages(object).is_some()
            || request(object).is_some()
            || response(object).is_some()
    },
    reader: || Chats::reader(NAME),
};
