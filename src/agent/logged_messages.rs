//! Builds messages of requests from a log.

use std::sync::Arc;

use ecow::EcoString;
use serde_json::value::RawValue;

use agent_logs::TranscriptCall;
use conversation::{Message, MessagePart, Native, NativeCall, Role};

/// Replaces empty content. Providers reject empty messages.
pub(super) const EMPTY: &str = "[empty message]";
/// Replaces a missing name of a call.
const UNNAMED: &str = "unnamed";

pub(super) fn user(content: &str, part: MessagePart) -> Message {
    let content = if content.trim().is_empty() { EMPTY } else { content };
    Message::with_parts(Role::User, content, vec![(part, 0)])
}

pub(super) fn result(call: &EcoString, content: &str) -> Message {
    let native = Some(Arc::new(Native::ResultOf(call.clone())));
    Message { native, ..Message::with_parts(Role::Tool, content, vec![(MessagePart::Output, 0)]) }
}

pub(super) fn native_call(call: &TranscriptCall) -> NativeCall {
    let arguments = call.arguments.get();
    NativeCall {
        id: call.id.as_str().into(),
        name: if call.name.is_empty() { UNNAMED } else { &call.name }.into(),
        arguments: compact_json(&call.arguments).unwrap_or_else(|| arguments.into()),
    }
}

fn compact_json(json: &RawValue) -> Option<EcoString> {
    let value: serde_json::Value = serde_json::from_str(json.get()).ok()?;
    Some(value.to_string().into())
}
