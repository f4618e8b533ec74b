//! The output of `advise` for programs: the verdict as one object, or all measures as lines of JSON.

use std::collections::BTreeMap;
use std::io;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use super::AdviseArguments;
use super::conversations::Conversations;
use super::verdict::Advised;
use crate::cli::run::strategies_json;
use crate::cli::terminal::{Color, write_json, write_painted};
use crate::report::{Advice, Header, RECORDS_VERSION, ScenarioRecord};

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

/// Writes a line for each conversation of an agent, if the format has such lines.
pub(super) struct ConversationLines<'c> {
    is_written: bool,
    agent: Option<&'c str>,
    /// The log of each conversation, by name.
    logs: BTreeMap<&'c str, &'c str>,
}

impl<'c> ConversationLines<'c> {
    pub(super) fn new(format: AdviceFormat, conversations: &'c Conversations) -> ConversationLines<'c> {
        ConversationLines {
            is_written: format == AdviceFormat::Records,
            agent: conversations.agent.as_deref(),
            logs: conversations.logs(),
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

impl AdviceFormat {
    /// Writes the verdict on one agent, or on the largest of several.
    pub(super) fn write_verdict(
        self,
        advised: &Advised,
        arguments: &AdviseArguments,
        logs: &Conversations,
        color: Color,
    ) {
        if arguments.notes || self != AdviceFormat::Human {
            advised.notes.iter().for_each(|note| errln!("note: {note}"));
        }
        match self {
            AdviceFormat::Human => write_painted(&advised.text(arguments, logs, color)),
            AdviceFormat::Json => write_json(&summary(advised, arguments, logs)),
            AdviceFormat::Records => write_json(&json!({"summary": summary(advised, arguments, logs)})),
        }
    }

    /// Writes the verdict on another agent. Only `Records` prints it: the others show it on the page.
    pub(super) fn write_other(self, advised: &Advised, arguments: &AdviseArguments, logs: &Conversations) {
        if self == AdviceFormat::Records {
            self.write_verdict(advised, arguments, logs, Color::Never);
        }
    }
}

fn summary(advised: &Advised, arguments: &AdviseArguments, logs: &Conversations) -> Value {
    let comparison = &advised.comparison;
    json!({
        "exit_code": advised.exit().code(),
        "agent": logs.agent,
        "conversations": comparison.scenarios,
        "requests": advised.requests,
        "unreadable": comparison.verdicts.unreadable.len(),
        "recommended": Advice::new(comparison).recommended.map(|strategy| &strategy.name),
        "baseline": comparison.header.baseline,
        "is_strong": comparison.is_strong,
        "text": advised.text(arguments, logs, Color::Never),
        "apply": advised.apply,
        "strategies": strategies_json(comparison),
        "agents": comparison.agents,
    })
}
