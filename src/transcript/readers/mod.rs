//! Readers of the logs of other programs: a file each and a row for each format.

mod adk;
mod anthropic;
mod atif;
mod autogen;
mod chat;
mod claude_code;
mod cli_events;
mod cline;
mod codex;
mod dialects;
mod inner;
mod inspect;
mod langfuse;
mod langsmith;
mod message;
mod openai_chat;
mod openai_responses;
mod opencode;
mod openhands;
mod otel_genai;
mod pi;
mod ptc_journal;
mod pydantic_ai;
mod sharegpt;
mod smolagents;
mod swe_agent;
mod transcript;
mod vcr;
mod web_exports;

use super::json::{Json, Object};
use super::notes::LogPlace;
use super::read::Sink;

/// A format of logs.
pub struct LogFormat {
    pub name: &'static str,
    pub doc: &'static str,
    /// Returns true if a value of the log is in this format.
    pub(super) recognises: fn(&Object) -> bool,
    pub(super) reader: fn() -> Box<dyn Reader>,
}

/// All formats. The first that recognises a value is its format.
pub static FORMATS: &[LogFormat] = &[
    transcript::FORMAT,
    vcr::FORMAT,
    langfuse::FORMAT,
    langsmith::FORMAT,
    adk::FORMAT,
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
    pi::FORMAT,
    pydantic_ai::FORMAT,
    claude_code::FORMAT,
    cline::FORMAT,
    codex::FORMAT,
    cli_events::FORMAT,
    openai_responses::FORMAT,
    dialects::LANGCHAIN,
    dialects::AI_SDK,
    dialects::BEDROCK,
    dialects::GEMINI,
    anthropic::FORMAT,
    openai_chat::FORMAT,
    smolagents::FORMAT,
];

impl LogFormat {
    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static LogFormat> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// The reader of the neutral format.
pub(super) fn neutral() -> Box<dyn Reader> {
    (transcript::FORMAT.reader)()
}

/// Reads the values of a log, one after the other.
pub(super) trait Reader {
    /// Reads a value: a conversation, or a part of one.
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink);

    /// Hands over what is open, at the end of a list or of the log.
    fn end(&mut self, _sink: &mut Sink) {}
}

/// A reader of values that each hold whole conversations.
struct Whole(fn(&Object, LogPlace, &mut Sink));

impl Reader for Whole {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        match value.object() {
            Some(object) => self.0(&object, place, sink),
            None => sink.notes.lost("values that are no object", place),
        }
    }
}
