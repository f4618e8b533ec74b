//! Custom strategies as external programs, in any language. A process reads a line of JSON for each request and answers with a line of
//! messages. `docs/extending.md` describes both.

mod process;
mod protocol;
mod sample;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use history_strategies::{
    CountOption, OptionRow, Options, Rendered, Strategy, StrategyCall, StrategyError, View,
};

use super::recount::recounted;
use super::run::history_of;
use crate::processes::Environment;
pub use writer::CommandWriter;

use process::Process;
use protocol::{Question, Reply};

const TIMEOUT_SECONDS: CountOption =
    CountOption::new("timeout_seconds", 30, 1, "seconds that the program has for each request")
        .at_most(MOST_SECONDS);
/// The most seconds for a request. Chosen, not measured: the default of `--timeout`, the limit for a scenario.
const MOST_SECONDS: u32 = 600;

/// A strategy run as an external command.
pub struct CommandStrategy {
    /// The words of the command, joined by spaces.
    name: String,
    words: Vec<String>,
    /// The working directory of the processes.
    folder: PathBuf,
    /// The environment of its processes. `None` without permission to run.
    environment: Option<Environment>,
    /// Idle processes, at most one per thread.
    idle: Mutex<Vec<Process>>,
}

impl CommandStrategy {
    /// A command of the suite in this folder. It is never started if `environment` is `None`.
    pub fn new(words: &[String], folder: &Path, environment: Option<Environment>) -> CommandStrategy {
        CommandStrategy {
            name: words.join(" "),
            words: words.to_vec(),
            folder: folder.to_owned(),
            environment,
            idle: Mutex::default(),
        }
    }

    fn start_process(&self) -> Result<Process, StrategyError> {
        let Some(environment) = &self.environment else {
            return Err(self.make_error(
                "not run: a command may do anything on this machine; --allow-commands or PTC_EVAL_ALLOW_COMMANDS=1 \
                 lets the commands of a suite run",
                &[],
            ));
        };
        Process::start_program(&self.words, &self.folder, environment)
            .map_err(|error| self.make_error(&format!("cannot be started: {error}"), &[]))
    }

    /// An error message of the command, with the last lines of its standard error.
    fn make_error(&self, reason: &str, stderr_lines: &[String]) -> StrategyError {
        let mut message = format!("{}: {reason}", self.name);
        for line in stderr_lines {
            message += "\n  | ";
            message += line;
        }
        StrategyError::new(message)
    }

    fn ask_for_reply(
        &self,
        process: &mut Process,
        view: &View<'_>,
        options: &Options,
    ) -> Result<Reply, String> {
        let history = protocol::full_history(view);
        let request = protocol::request(view, &history, options)?;
        let limit = Duration::from_secs(options.get(&TIMEOUT_SECONDS) as u64);
        let first = Question::new(&request, 1);
        let reply = first.reply(&process.ask(first.line.clone(), limit)?, view, &history)?;
        let turn = view.completed() + 1;
        if is_asked_twice(turn) {
            let second = Question::new(&request, 2);
            let again = second.reply(&process.ask(second.line.clone(), limit)?, view, &history)?;
            if !again.says_same(&reply) {
                return Err(format!("not deterministic: two answers to the request of turn {turn} differ"));
            }
        }
        Ok(reply)
    }

    /// Asks for each request of a sample conversation.
    fn try_out(&self, process: &mut Process, options: &Options) -> Result<(), String> {
        let sample = sample::conversation().map_err(|error| error.to_string())?;
        // Programs must not depend on the tokenizer, so counting words is good enough for a test.
        let history = history_of(sample.past(), &|text| text.split_whitespace().count() as u64);
        for completed in 0..sample.conversation.turns.len() {
            self.ask_for_reply(process, &history.after(completed), options)?;
        }
        Ok(())
    }
}

impl Strategy for CommandStrategy {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> &'static [OptionRow] {
        const { &[TIMEOUT_SECONDS.row()] }
    }

    fn takes_any_option(&self) -> bool {
        true
    }

    fn check(&self, options: &Options) -> Result<(), StrategyError> {
        let mut process = self.start_process()?;
        self.try_out(&mut process, options).map_err(|reason| self.make_error(&reason, &process.end()))
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut process = match waiting {
            Some(process) => process,
            None => self.start_process()?,
        };
        match self.ask_for_reply(&mut process, view, options) {
            Ok(Reply::Messages(messages, usage)) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                let call = usage.map(StrategyCall::reported);
                Ok(Rendered { call, ..recounted(self.name(), view, messages) })
            }
            Ok(Reply::Error(reason)) | Err(reason) => Err(self.make_error(&reason, &process.end())),
        }
    }
}

/// Returns true for turns 1, 4, 16, 64 and so on. The check for determinism doubles the cost, so only these requests are sent twice.
fn is_asked_twice(turn: usize) -> bool {
    turn.is_power_of_two() && turn.trailing_zeros().is_multiple_of(2)
}
