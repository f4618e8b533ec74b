//! The static sections, equal in every request of a run: mission, `tool/`, `data/`, Return.

use std::fmt::Write;

use conversation::MessageBuilder;

use crate::agent::{Agent, MessagePart, Tool};
use crate::signature::Fields;
use ptc_lisp::session::Bindings;

use super::samples::{Samples, write_type};
use super::user::pad;

/// The opening of an agent: all static sections.
pub fn opening(agent: &Agent) -> MessageBuilder {
    let mut message = MessageBuilder::default();
    message.part(MessagePart::Mission, |out| out.push_str(&agent.mission));
    message.part(MessagePart::Tool, |out| tools(out, &agent.tools));
    message.part(MessagePart::Data, |out| data(out, &agent.data));
    message.part(MessagePart::Return, |out| returns(out, agent));
    message
}

/// `;; === tool/ ===` and a line for each tool.
pub fn tools(out: &mut String, tools: &[Tool]) {
    if tools.is_empty() {
        return;
    }
    out.push_str(";; === tool/ ===");
    for tool in tools {
        out.push_str("\ntool/");
        signature(out, tool, "(...) -> :any");
        if let Some(description) = &tool.description {
            out.push_str("  ; ");
            out.push_str(description);
        }
    }
}

/// `search-reviews(query :string) -> :string`; `unknown` follows the name of a tool without a signature.
pub fn signature(out: &mut String, tool: &Tool, unknown: &str) {
    out.push_str(tool.name.name());
    match &tool.signature {
        Some(signature) => {
            let _ = write!(out, "({}) -> {}", Fields(&signature.parameters), signature.returns);
        }
        None => out.push_str(unknown),
    }
}

/// `;; === data/ ===` and a line for each entry, always with a sample.
pub fn data(out: &mut String, data: &Bindings) {
    if data.is_empty() {
        return;
    }
    out.push_str(";; === data/ ===");
    for (name, value) in data {
        out.push('\n');
        let start = out.len();
        out.push_str("data/");
        out.push_str(name.name());
        pad(out, start);
        out.push_str("; ");
        write_type(out, value, Some(Samples::DEFAULT));
    }
}

/// `;; Return: [{name :string}]`, if the agent has a signature.
pub fn returns(out: &mut String, agent: &Agent) {
    if let Some(signature) = &agent.signature {
        let _ = write!(out, ";; Return: {}", signature.returns);
    }
}
