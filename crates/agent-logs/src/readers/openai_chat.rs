//! Chat completions of OpenAI: `messages[]` with roles, alone or as request and response.

use super::chat::Chats;
use super::chat_values::{find_messages, find_request, find_response, is_message};
use crate::format::LogFormat;

const NAME: &str = "openai-chat";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "chats of OpenAI: messages with roles and tool_calls; requests with choices",
    recognises: |object| {
        is_message(object)
            || object.has("choices")
            || find_messages(object).is_some()
            || find_request(object).is_some()
            || find_response(object).is_some()
    },
    reader: || Chats::boxed_reader(NAME),
};
