//! All strategies of a suite: those of the crate `history_strategies`, those based on the definitions and prints of programs, and custom
//! ones.
//!
//! Built-in strategies cannot run code. Custom strategies in PTC-Lisp run in the sandbox. Commands run only with the user's permission.

mod command;
mod products;
mod program;
mod recount;
mod run;
pub mod sections;
mod setting;
mod strategies;
mod turn_summary;

pub use command::{CommandStrategy, CommandWriter};
pub use conversation::{MessageBuilder, cut};
pub use history_strategies::{
    AnyStrategy, BASELINE, BrokenStrategy, BuiltIn, CALL_TOKENS, CLEARING, CountOption, ErrorPlace, Exchange,
    FOLDING, FactorOption, FlagOption, Form, History, KEEP_OPENING, KEEP_RECENT_TOKENS, Kind, LeftOfTurn,
    MASKING, NamesOption, ONLY_TOOLS, OptionKind, OptionRow, Options, PROMPT, RECORDED, RESULT_LIMIT,
    Rendered, ReportedUsage, Request, RequestBorder, RequestDraft, SUMMARIES, SUMMARY_TURNS, SettingError,
    Severity, Shown, SizeOption, Statistics, Strategy, StrategyCall, StrategyError, TOKENS_OF_TRIGGER,
    TRIGGER, TRIMMING, TextKey, Trigger, TurnMemo, TurnTotals, Variant, View, WRITER, WordOption, Writer,
    WrittenText, option_names, summary_trigger,
};
pub use products::{
    BreakCommands, CompactionSetting, Evidence, Hook, OutOfReach, OutputLimit, PlainSetting, Preset, Product,
    presets, products, read_products,
};
pub use program::Program;
pub use recount::recounted;
pub use run::{history_of, past_of, turns_left};
pub use setting::{Setting, explain_refusal, named, normalize};
pub use strategies::{DEFAULT, STRATEGIES, find, is_default};
