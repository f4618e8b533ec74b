//! The output of `advise`: text for readers; for programs the verdict as one object, or all measures as lines of JSON.

use std::collections::BTreeMap;
use std::io;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use super::conversations::Conversations;
use super::layout::layout_screen;
use super::settings::Output;
use super::verdict::Advised;
use crate::cli::recommendation::{below_first_screen, look_at_log, wrapped_on_terminal};
use crate::cli::run::strategies_json;
use crate::cli::suite::path_for_shell;
use crate::cli::terminal::{Color, visible, write_json, write_painted};
use crate::measure::numbers::grouped;
use crate::report::{Advice, Header, RECORDS_VERSION, ScenarioRecord};

/// Most lines of the first screen above its last line.
const SCREEN: usize = 24;
/// Lines of the heading shared by several agents.
const SHARED: usize = 4;

/// The output of `advise`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AdviceFormat {
    /// A recommendation and a table
    #[default]
    Human,
    /// One object
    Json,
    /// A line a conversation with the numbers of each request, between the settings and the object
    Records,
}

/// Writes a line for each conversation of an agent, if they are printed.
pub(super) struct ConversationLines<'c> {
    is_written: bool,
    agent: Option<&'c str>,
    /// The log of each conversation, by name.
    logs: BTreeMap<&'c str, &'c str>,
}

impl<'c> ConversationLines<'c> {
    pub(super) fn new(is_written: bool, conversations: &'c Conversations) -> ConversationLines<'c> {
        ConversationLines {
            is_written,
            agent: conversations.agent.as_deref(),
            logs: conversations.log_files(),
        }
    }

    pub(super) fn write_settings(&self, header: &Header) -> io::Result<()> {
        let agent = self.agent;
        self.write(&json!({"version": RECORDS_VERSION, "agent": agent, "run": header}))
    }

    pub(super) fn write_conversation(&self, scenario: &ScenarioRecord) -> io::Result<()> {
        #[derive(Serialize)]
        struct Line<'r> {
            log: Option<&'r str>,
            scenario: &'r ScenarioRecord,
        }
        let log = self.logs.get(scenario.name.as_str()).copied();
        self.write(&Line { log, scenario })
    }

    fn write(&self, line: &impl Serialize) -> io::Result<()> {
        if self.is_written {
            write_json(&serde_json::to_string(line)?);
        }
        Ok(())
    }
}

impl Output {
    /// Returns true if notes are printed. Programs get them always.
    pub(super) fn prints_notes(self) -> bool {
        self.notes || self.format != AdviceFormat::Human
    }

    /// Returns true if a line is printed for each conversation.
    pub(super) fn prints_conversations(self) -> bool {
        self.format == AdviceFormat::Records
    }

    /// Writes the verdict on one agent, or on the largest of several.
    pub(super) fn write_verdict(self, advised: &Advised, conversations: &Conversations, color: Color) {
        if self.prints_notes() {
            advised.notes.iter().for_each(|note| errln!("note: {note}"));
        }
        match self.format {
            AdviceFormat::Human => write_painted(&self.verdict_text(advised, conversations, color)),
            AdviceFormat::Json => write_json(&self.summary(advised, conversations)),
            AdviceFormat::Records => write_json(&json!({"summary": self.summary(advised, conversations)})),
        }
    }

    /// Writes the verdict on another agent. Only `Records` prints it: the others show it on the page.
    pub(super) fn write_other(self, advised: &Advised, conversations: &Conversations) {
        if self.prints_conversations() {
            self.write_verdict(advised, conversations, Color::Never);
        }
    }

    fn summary(self, advised: &Advised, conversations: &Conversations) -> Value {
        let comparison = &advised.comparison;
        json!({
            "exit_code": advised.exit().code(),
            "agent": conversations.agent,
            "conversations": comparison.scenarios,
            "requests": advised.requests,
            "unreadable": comparison.verdicts.unreadable.len(),
            "recommended": Advice::new(comparison).recommended.map(|strategy| &strategy.name),
            "baseline": comparison.header.baseline,
            "is_strong": comparison.is_strong,
            "text": self.verdict_text(advised, conversations, Color::Never),
            "apply": advised.apply,
            "strategies": strategies_json(comparison),
            "agents": comparison.agents,
        })
    }

    /// The first screen, followed by the table if requested.
    fn verdict_text(self, advised: &Advised, conversations: &Conversations, color: Color) -> String {
        // Several agents share a heading above.
        let has_others = !advised.comparison.agents.is_empty();
        let lines = if has_others { SCREEN - SHARED } else { SCREEN };
        let screen = advised.comparison.first_screen.as_ref();
        let screen = screen.map(|screen| layout_screen(screen, lines)).unwrap_or_default();
        let mut text = visible(&screen).into_owned();
        if self.table {
            text.push('\n');
            return text + &table_text(advised, conversations, color);
        }
        let notes = match conversations.logs.notes.short_lines().len() + advised.notes.len() {
            0 => String::new(),
            1 => "1 note: --notes; ".to_owned(),
            number => format!("{} notes: --notes; ", grouped(number as u64)),
        };
        text += &visible(&format!("{notes}all strategies: --table; page: {}\n", advised.page.display()));
        if let Some(line) = suite_line(advised) {
            text += &visible(&line);
            text.push('\n');
        }
        text
    }
}

/// The table below the first screen, with further sentences and next commands.
fn table_text(advised: &Advised, conversations: &Conversations, color: Color) -> String {
    let mut text = below_first_screen(&advised.comparison, advised.prices.as_deref(), color);
    for line in lines_below(advised) {
        text += &wrapped_on_terminal(&visible(&conversations.with_titles(&line)));
        text.push('\n');
    }
    text
}

/// The facts below the table, and next commands.
fn lines_below(advised: &Advised) -> Vec<String> {
    let facts = advised.comparison.facts.iter().filter(|fact| fact.decides);
    let mut lines: Vec<String> = facts.map(|fact| fact.text.clone()).collect();
    lines.extend(look_at_log(&advised.comparison, advised.saved.as_deref()));
    lines.push(format!("page:  {}", advised.page.display()));
    lines.extend(advised.apply.iter().map(|command| format!("apply: {command}")));
    lines.extend(suite_line(advised));
    lines
}

/// A line on the suite saved from the logs.
fn suite_line(advised: &Advised) -> Option<String> {
    let saved = advised.saved.as_ref()?;
    let (folder, argument) = (saved.display(), path_for_shell(saved));
    Some(match Advice::new(&advised.comparison).recommended {
        Some(_) => format!("suite: {folder}; ptc-eval run {argument} fails if its thresholds are crossed"),
        None => format!("suite: {folder}; without thresholds, since nothing is recommended"),
    })
}
