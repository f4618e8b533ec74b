//! Finds the messages, the request and the response in a value of a chat log.

use super::providers::CHATS;
use crate::json::{Json, Object};

/// Fields with the messages of a conversation: `contents` is Gemini's, `traj` tau-bench's, the others are from data sets and
/// programs that log requests. Except for `messages`, all may hold something else.
pub(super) const MESSAGES: [&str; 8] =
    ["messages", "contents", "traj", "conversation", "chat_history", "history", "input", "prompt"];

/// Fields with the request, if the log has it next to the response.
pub(super) const REQUESTS: [&str; 6] = ["request", "body", "params", "kwargs", "inputs", "input"];

/// Fields with the response to a request.
pub(super) const RESPONSES: [&str; 6] = ["response", "output", "outputs", "completion", "result", "message"];

/// Fields with the choices of a response, for OpenAI, Gemini and LangChain.
pub(super) const CHOICES: [&str; 3] = ["choices", "candidates", "generations"];

/// Returns true for a message with content, but not for a provider's response.
pub(super) fn is_message(object: &Object) -> bool {
    let inner = CHATS.inner_message(object);
    let said = inner.as_ref().unwrap_or(object);
    let has_content = said.first(&["content", "parts", "blocks", "tool_calls", "function_call"]).is_some();
    CHATS.role_of(object).is_some() && has_content && !object.has("messages") && !object.has("usage")
}

/// The messages of a conversation or a request.
pub(super) fn find_messages<'a>(object: &Object<'a>) -> Option<Vec<Json<'a>>> {
    for key in MESSAGES {
        let Some(mut list) = object.list(key) else { continue };
        // Some logs wrap the list in another list.
        if let [only] = list[..]
            && let Some(inner) = only.list()
        {
            list = inner;
        }
        if key == "messages" || key == "traj" && list.is_empty() || begins_with_message(&list) {
            return Some(list);
        }
    }
    None
}

fn begins_with_message(list: &[Json]) -> bool {
    let Some(first) = list.first().copied().and_then(Json::object) else { return false };
    is_message(&first)
}

/// The request logged next to its response.
pub(super) fn find_request<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    for key in REQUESTS {
        let Some(inner) = object.object(key) else { continue };
        let inner = inner.object("body").unwrap_or(inner);
        if find_messages(&inner).is_some() {
            return Some(inner);
        }
    }
    None
}

/// The response of a provider, or a message used as one.
pub(super) fn find_response<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    for key in RESPONSES {
        let Some(inner) = object.object(key) else { continue };
        // Ollama and Cohere log the bill outside the message.
        if inner.has("usage") && is_response(&inner) {
            return Some(inner);
        }
        if let Some(further) = inner.first_object(&["body", "message"])
            && is_response(&further)
        {
            return Some(further);
        }
        if is_response(&inner) {
            return Some(inner);
        }
    }
    None
}

pub(super) fn is_response(object: &Object) -> bool {
    has_choices(object)
        || has_role_and_content(object)
        || wraps_answer(object)
        || wraps_answer(&object.below("output"))
}

pub(super) fn has_choices(object: &Object) -> bool {
    object.first(&CHOICES).is_some()
}

fn has_role_and_content(object: &Object) -> bool {
    CHATS.role_of(object).is_some()
        && object.first(&["content", "parts", "tool_calls", "function_call"]).is_some()
}

/// Returns true if the answer is in the field `message`.
fn wraps_answer(object: &Object) -> bool {
    has_role_and_content(&object.below("message"))
}

/// A response with the messages of a graph state or a step.
pub(super) fn find_state<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    for key in RESPONSES {
        if let Some(state) = object.object(key)
            && find_messages(&state).is_some()
        {
            return Some(state);
        }
    }
    None
}

pub(super) fn is_answer(said: &Json) -> bool {
    role_of_message(Some(said)).as_deref() == Some("assistant")
}

pub(super) fn role_of_message(said: Option<&Json>) -> Option<String> {
    CHATS.role_of(&said?.object()?)
}
