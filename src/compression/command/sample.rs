//! A conversation with three answers, used by `check` to test a command.

use crate::agent::LoggedConversation;
use agent_logs::Transcript;

const SAMPLE: &str = r#"{"system": "Answer in one sentence.", "tools": [{"name": "search"}], "messages": [
    {"role": "user", "content": "Which train is the first to arrive?"},
    {"role": "assistant", "tool_calls": [{"id": "sample-1", "name": "search", "arguments": {"query": "trains"}}]},
    {"role": "tool", "call": "sample-1", "content": "R1 arrives at 9:10\nR2 arrives at 9:40"},
    {"role": "assistant", "content": "I look for late ones.", "tool_calls": [
        {"id": "sample-2", "name": "search", "arguments": {"query": "late trains"}}]},
    {"role": "tool", "call": "sample-2", "content": "R1 is 45 minutes late"},
    {"role": "assistant", "content": "R2 arrives first, at 9:40."}]}"#;

/// The sample conversation.
pub fn conversation() -> serde_json::Result<LoggedConversation> {
    serde_json::from_str::<Transcript>(SAMPLE).map(|transcript| LoggedConversation::new(&transcript, 0, None))
}
