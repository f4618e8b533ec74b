//! Strategies for shortening an agent's history: pure functions from the turns so far to the messages of the next request.
//!
//! [`Variant`] is a strategy with options; [`Variant::shorten`] takes a conversation and returns the messages to send. [`STRATEGIES`] lists
//! the strategies of this crate. To render many requests of one conversation, use [`History`], which caches what they share. A [`View`] of
//! it ends before some request, and [`Rendered`] is a request with its cache borders and statistics. Implement [`Strategy`] to add a
//! strategy.
//!
//! This crate is independent of languages and log formats, and does no I/O.

mod borders;
mod call;
mod draft;
mod error;
mod gauge;
mod history;
pub mod lines;
mod masking;
mod options;
mod request;
mod requests;
mod severity;
mod shown_turns;
mod statistics;
mod strategies;
mod strategy;
mod turn_memo;
pub mod turn_summary;
mod variant;
mod words;

pub use borders::RequestBorder;
pub use call::{ReportedUsage, StrategyCall, TextKey, WrittenText};
pub use draft::RequestDraft;
pub use error::{ErrorPlace, SettingError, StrategyError};
pub use gauge::{Gauge, RequestGauge};
pub use history::{Exchange, History, Run, View};
pub use masking::{ONLY_TOOLS, RESULT_LIMIT, can_be_masked};
pub use options::{
    CACHE_FIRST, CountOption, ERROR_CONTEXT, FactorOption, FlagOption, KEEP_RECENT_TURNS, NamesOption,
    OptionKind, OptionRow, Options, PRINTLN_LIMIT, PROMPT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, STEP,
    ShareOption, SizeOption, TOKENS_OF_TRIGGER, TOOL_CALL_LIMIT, TRIGGER, Trigger, WINDOW, WRITER,
    WordOption, Writer,
};
pub use request::{BrokenStrategy, Request};
pub use requests::{Requests, SentRequest};
pub use severity::{Kind, Severity};
pub use shown_turns::ShownTurns;
pub use statistics::{Shown, Statistics, TurnTotals};
pub use strategies::{
    AS_RECORDED, BASELINE, CALL_TOKENS, CLEARING, FOLDING, FULL_HISTORY, KEEP_OPENING, KEEP_RECENT_TOKENS,
    MASKING, RECORDED, STRATEGIES, SUMMARIES, SUMMARY_TURNS, TRIMMING, find, summary_trigger,
};
pub use strategy::{AnyStrategy, BuiltIn, Form, Rendered, Strategy, option_names};
pub use turn_memo::{LeftOfTurn, TurnMemo};
pub use variant::Variant;
pub use words::{write_words, write_words_of_view};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
