//! Readers of the logs of other programs, one file per format or family of formats.

mod adk;
mod agents_sdk;
mod aider;
mod amp;
mod anthropic;
mod atif;
mod attachments;
mod attributes;
mod autogen;
mod bodies;
mod braintrust;
mod chat;
mod chat_values;
mod claude_code;
mod claude_lines;
mod cli_events;
mod cline;
mod codex;
mod copilot_cli;
mod cursor;
mod dialects;
mod droid;
mod dsh;
mod event_stream;
mod exchanges;
mod gateways;
mod gemini_cli;
mod goose;
mod graphs;
mod inner;
mod inspect;
mod interactions;
mod kimi;
mod kimi_code;
mod langfuse;
mod langsmith;
mod letta;
mod message;
mod mlflow;
mod openai_chat;
mod openai_responses;
mod opencode;
mod openhands;
mod otel_genai;
mod pi;
mod prompts;
mod providers;
mod ptc_journal;
mod pydantic_ai;
mod qwen;
mod relogged;
mod roo;
mod sharegpt;
mod smolagents;
mod span_tree;
mod swe_agent;
mod tiers;
mod transcript;
mod usage;
mod vcr;
mod vscode_chat;
mod web_exports;

use std::sync::LazyLock;

pub(super) use aider::split_sessions as aider_sessions;

use super::format::{LogFormat, Reader};

/// All formats, in order of precedence: the first one to recognise a value reads it.
pub static FORMATS: LazyLock<Vec<LogFormat>> =
    LazyLock::new(|| [LOGS, &inner::PROVIDERS, &[smolagents::FORMAT]].concat());

/// Formats of programs. They precede the formats of providers, because most contain messages of providers.
const LOGS: &[LogFormat] = &[
    transcript::FORMAT,
    vcr::FORMAT,
    langfuse::FORMAT,
    langsmith::FORMAT,
    mlflow::FORMAT,
    braintrust::FORMAT,
    gateways::HELICONE,
    gateways::BEDROCK,
    adk::FORMAT,
    amp::FORMAT,
    vscode_chat::FORMAT,
    qwen::FORMAT,
    dsh::FORMAT,
    agents_sdk::FORMAT,
    copilot_cli::FORMAT,
    gemini_cli::FORMAT,
    goose::FORMAT,
    kimi_code::FORMAT,
    kimi::FORMAT,
    letta::FORMAT,
    roo::FORMAT,
    aider::FORMAT,
    autogen::FORMAT,
    web_exports::CHATGPT,
    web_exports::CLAUDE,
    otel_genai::FORMAT,
    ptc_journal::FORMAT,
    inspect::FORMAT,
    atif::FORMAT,
    swe_agent::FORMAT,
    sharegpt::FORMAT,
    openhands::FORMAT,
    opencode::FORMAT,
    droid::FORMAT,
    cursor::FORMAT,
    pi::FORMAT,
    pydantic_ai::FORMAT,
    claude_code::FORMAT,
    cline::FORMAT,
    codex::FORMAT,
    cli_events::FORMAT,
];

impl LogFormat {
    /// Finds a format by name.
    pub fn named(name: &str) -> Option<&'static LogFormat> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// The reader of the neutral format.
pub(super) fn neutral() -> Box<dyn Reader> {
    (transcript::FORMAT.reader)()
}
