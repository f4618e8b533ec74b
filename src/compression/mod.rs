//! Strategies: pure functions from the turns of a run to the messages of the next request. Strategies that come with the program
//! cannot run code. Those that users write in PTC-Lisp run in the sandbox. Those that are commands run only with the permission of the
//! user.

mod borders;
mod call;
mod command;
pub mod cut;
mod draft;
mod error;
mod history;
mod masking;
mod message_builder;
mod options;
mod products;
mod program;
mod recount;
mod request;
pub mod sections;
mod setting;
mod severity;
mod statistics;
mod strategies;
mod strategy;
mod turn_memo;
mod turn_summary;
mod variant;

pub use borders::RequestBorder;
pub use call::{ReportedUsage, StrategyCall, TextKey, WrittenText};
pub use command::{CommandStrategy, CommandWriter};
pub use draft::RequestDraft;
pub use error::{ErrorPlace, SettingError, StrategyError};
pub use history::{Exchange, History, View};
pub use message_builder::MessageBuilder;
pub use options::{
    CountOption, FactorOption, FlagOption, NamesOption, OptionKind, OptionRow, Options, PROMPT, SizeOption,
    TRIGGER, Trigger, WRITER, WordOption, Writer,
};
pub use products::{
    BreakCommands, CompactionSetting, Evidence, Hook, OutOfReach, PlainSetting, Preset, Product, presets,
    products, read_products,
};
pub use program::Program;
pub use request::{BrokenStrategy, Request};
pub use setting::{Setting, normalize};
pub use severity::{Kind, Severity};
pub use statistics::{Shown, Statistics, TurnTotals};
pub use strategies::{
    BASELINE, CALL_TOKENS, CLEARING, DEFAULT, KEEP_OPENING, KEEP_RECENT_TOKENS, MASKING, RECORDED,
    STRATEGIES, SUMMARIES, SUMMARY_TURNS, TRIMMING, find, is_default, summary_trigger,
};
pub use strategy::{AnyStrategy, BuiltIn, Form, Rendered, Strategy, option_names};
pub use turn_memo::{LeftOfTurn, TurnMemo};
pub use variant::Variant;
