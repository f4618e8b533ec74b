//! Custom writers: external programs that write texts for a strategy. A line of JSON for each call, answered with a line with the text.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ecow::EcoString;
use history_strategies::{ReportedUsage, StrategyError, WrittenText};
use serde::{Deserialize, Serialize};

use super::CommandStrategy;
use super::process::Process;
use super::protocol::{Question, SentMessage, answer, check_usage, to_json_line, to_sent_message};
use crate::agent::Message;
use crate::processes::Environment;

/// The time limit for one text: the program may ask a model.
const LIMIT: Duration = Duration::from_secs(600);

/// A running program for texts.
pub struct CommandWriter {
    command: CommandStrategy,
    process: Process,
}

#[derive(Serialize)]
struct Request<'a> {
    /// The messages of the call: the history and an instruction.
    messages: Vec<SentMessage<'a>>,
    most_tokens: u32,
}

#[derive(Deserialize)]
struct Answer {
    text: Option<EcoString>,
    error: Option<String>,
    usage: Option<ReportedUsage>,
}

impl CommandWriter {
    /// Starts the command of a suite in this folder.
    ///
    /// # Errors
    /// The command is not allowed to run, or cannot be started.
    pub fn start(
        words: &[String],
        folder: &Path,
        environment: Option<Environment>,
    ) -> Result<CommandWriter, StrategyError> {
        let command = CommandStrategy::new(words, folder, environment);
        let process = command.start_process()?;
        Ok(CommandWriter { command, process })
    }

    /// Asks for a text for a call with these messages, each with its token count.
    ///
    /// # Errors
    /// The program returned an error or no text.
    pub fn write(
        &mut self,
        messages: &[(Message, u64)],
        most_tokens: u32,
    ) -> Result<WrittenText, StrategyError> {
        let messages = messages.iter().map(|(message, tokens)| to_sent_message(message, *tokens)).collect();
        self.ask_for_text(&Request { messages, most_tokens })
            .map_err(|reason| self.command.make_error(&reason, &self.process.last_lines()))
    }

    fn ask_for_text(&mut self, request: &Request<'_>) -> Result<WrittenText, String> {
        let question = Question::new(&to_json_line(request)?, 1);
        let line = self.process.ask(Arc::clone(&question.line), LIMIT)?;
        question.check_id(&line)?;
        match answer::<Answer>(&line)? {
            Answer { error: Some(error), .. } => Err(error),
            Answer { text: Some(text), usage, .. } => {
                check_usage(usage.as_ref())?;
                Ok(WrittenText { text, usage })
            }
            Answer { .. } => Err("wrong answer: there is no text".to_owned()),
        }
    }
}
