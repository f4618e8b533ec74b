//! Records one scenario: saves answers as they arrive, then writes them as the scenario's script.

use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::RecordArguments;
use super::yaml::{recording, takes_responses};
use crate::agent::{self, Agent, Ending, Response};
use crate::cli::endpoint::{Answer, Endpoint, Failure, LiveRequest, Usage};
use crate::cli::error::CliError;
use crate::cli::kept::{KeptFile, QuestionKey};
use crate::cli::progress::Progress;
use crate::cli::replayed::strategy_of;
use crate::cli::suite::{count, same_place};
use crate::compression::Rendered;
use crate::evaluate::verify::{ArmRequests, request_hash, scripted_requests};
use crate::evaluate::{LiveModel, Plan, execute, wrong_ending};
use crate::measure::Gauges;
use crate::measure::numbers::grouped;
use crate::scenario::files::{self, refuse_links_below};
use crate::scenario::{
    RecordedAnswer, Scenario, ScenarioError, ScenarioSource, SourceContent, SourceFormat, Suite,
};
use crate::snapshot::atomic::write_atomically;
use crate::snapshot::yaml::{of_json, scalar};
use agent_logs::TranscriptUsage;
use conversation::TextTokens;
use ptc_lisp::error::ErrorKind;
use ptc_prices::Money;

/// A recording in progress.
pub(super) struct LiveRecording<'a> {
    /// The name of the scenario, with a number if it is repeated.
    pub name: String,
    arguments: &'a RecordArguments,
    suite: &'a Suite,
    scenario: &'a Scenario,
    agent: &'a Agent,
    plan: Plan,
    repeat: u32,
    /// The YAML text of the scenario.
    original: String,
    output: PathBuf,
}

/// A saved answer.
#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    key: QuestionKey,
    text: String,
    recorded: RecordedAnswer,
}

/// A finished recording.
pub(super) struct Recorded {
    pub output: PathBuf,
    /// The name of the scenario. Several recordings may share it.
    pub scenario: String,
    /// True if the run ended as expected by the scenario.
    pub is_right: bool,
    pub line: String,
}

impl Kept {
    /// The tokens counted by the endpoint, if known.
    fn usage(&self) -> Option<Usage> {
        let usage = self.recorded.usage.as_ref()?;
        Some(Usage {
            input: usage.input_tokens?,
            cached: usage.cached_tokens.unwrap_or(0),
            written: usage.cache_write_tokens.unwrap_or(0),
            output: usage.output_tokens?,
        })
    }

    /// Returns true if this is an answer of the scenario's script.
    fn is(&self, (text, recorded): (&Response, &Option<Box<RecordedAnswer>>)) -> bool {
        *text == Response::Text(self.text.as_str().into()) && recorded.as_deref() == Some(&self.recorded)
    }

    fn is_in(&self, scenario: &Scenario) -> bool {
        answers_of(scenario).any(|text| self.is(text))
    }
}

/// Returns true if all answers of a scenario come from live models.
pub(super) fn is_recording(scenario: &Scenario) -> bool {
    let mut answers = answers_of(scenario).peekable();
    answers.peek().is_some() && answers.all(|(_, origin)| origin.is_some())
}

/// The scripted answers, each with its origin if it comes from a live model.
fn answers_of(scenario: &Scenario) -> impl Iterator<Item = (&Response, &Option<Box<RecordedAnswer>>)> {
    let script = scenario.script().into_iter();
    script.flat_map(|script| script.responses.iter().zip(&script.recorded_answers))
}

impl<'a> LiveRecording<'a> {
    /// Prepares a recording of a scenario, or one repetition. Prints a line and returns `None` if it already exists.
    ///
    /// # Errors
    /// The file could not be written, or its strategy does not exist.
    pub(super) fn new(
        arguments: &'a RecordArguments,
        suite: &'a Suite,
        (scenario, agent): (&'a Scenario, &'a Agent),
        repeat: Option<u32>,
    ) -> Result<Option<LiveRecording<'a>>, CliError> {
        let path = Path::new(&scenario.origin.path);
        let number = repeat.map_or_else(String::new, |number| format!("-{number}"));
        let output = match &arguments.output {
            Some(output) => with_end(output, &number),
            None => with_end(path, &format!("{number}.recorded")),
        };
        if arguments.output.is_none() && output.is_relative() {
            let refused = refuse_links_below(Path::new(""), &output);
            refused.map_err(|error| CliError::Write { path: output.clone(), error })?;
        }
        let original =
            files::read_to_string(path).map_err(|error| CliError::Read { path: path.to_owned(), error })?;
        if !takes_responses(&original) {
            return Err(CliError::TakesNoResponses { path: scenario.origin.path.clone() });
        }
        let plan = Plan::new(suite, &[strategy_of(arguments.strategy.as_ref(), scenario, suite)])?;
        plan.variants_for(scenario)?;
        let name = format!("{}{number}", scenario.name);
        let recording = LiveRecording {
            name,
            arguments,
            suite,
            scenario,
            agent,
            plan,
            repeat: repeat.unwrap_or(1),
            original,
            output,
        };
        recording.load_text(&self::recording(&recording.original, "responses: []\n"))?;
        Ok(recording.is_wanted()?.then_some(recording))
    }

    /// Returns true if the recording does not exist yet or must be replaced.
    ///
    /// # Errors
    /// The file exists but is not a recording.
    fn is_wanted(&self) -> Result<bool, CliError> {
        let output = &self.output;
        let there = match files::read_to_string(output) {
            Ok(text) => text,
            Err(error) if error.kind() == NotFound => return Ok(true),
            Err(error) => return Err(CliError::Read { path: output.clone(), error }),
        };
        let is_own = same_place(output, Path::new(&self.scenario.origin.path));
        let recording = self.load_text(&there).ok().filter(|scenario| !is_own && is_recording(scenario));
        let Some(recording) = recording else {
            return Err(CliError::Exists {
                path: output.clone(),
                help: "only a recording is replaced; name another file with --output",
            });
        };
        if !self.arguments.again {
            self.forget_answers_of(&recording);
            let is_same = self::recording(&there, "") == self::recording(&self.original, "");
            let change = if is_same { "" } else { ", of a scenario that changed since" };
            errln!("{} is there already{change}; --again records it anew", output.display());
        }
        Ok(self.arguments.again)
    }

    /// Removes saved answers found in the recording: an earlier process was killed after writing it.
    fn forget_answers_of(&self, recording: &Scenario) {
        let part = self.path_of_part();
        // Keep the file if another process is recording, or if it cannot be read.
        if let Some((file, kept)) = part.is_file().then(|| KeptFile::open::<Kept>(&part).ok()).flatten() {
            let _ = file.end(&kept.iter().filter(|kept| !kept.is_in(recording)).collect::<Vec<_>>());
        }
    }

    /// The file with the answers received so far.
    fn path_of_part(&self) -> PathBuf {
        self.output.with_added_extension("part")
    }

    /// Parses a text as if it were the output file.
    fn load_text(&self, text: &str) -> Result<Scenario, ScenarioError> {
        let stem = self.output.file_stem().unwrap_or_default();
        self.suite.load(&ScenarioSource {
            name: Some(stem.to_string_lossy().into_owned()),
            path: self.output.display().to_string(),
            folder: self.output.parent().unwrap_or(Path::new("")).to_owned(),
            line: 1,
            content: SourceContent::Text { bytes: text.into(), format: SourceFormat::Yaml },
        })
    }

    /// The requests of the scenario's script under the strategy. `None` without a script.
    ///
    /// # Errors
    /// The strategy fails.
    pub(super) fn scripted(
        &self,
        gauges: &Gauges<'_>,
        tokens: &TextTokens<'_>,
    ) -> Result<Option<ArmRequests>, CliError> {
        if self.scenario.responses().is_empty() {
            return Ok(None);
        }
        let execution = execute(self.scenario.clone(), &self.plan)?;
        let requests = scripted_requests(&execution, gauges, tokens);
        requests.map(Some).map_err(|broken| CliError::BrokenStrategy { error: broken.error })
    }

    /// Most calls of a run.
    pub(super) fn most_calls(&self) -> u32 {
        self.agent.max_turns
    }

    /// Asks for all answers not yet saved, and writes the scenario.
    ///
    /// # Errors
    /// Answers are missing. Those received are saved.
    pub(super) fn record(
        &self,
        endpoint: &Endpoint<'_>,
        tokens: &TextTokens<'_>,
        progress: &Progress,
    ) -> Result<Recorded, CliError> {
        let part = self.path_of_part();
        let (mut file, kept) = KeptFile::open::<Kept>(&part)?;
        let label = self.plan.names().concat();
        let key = |turn: u32, request: u64| {
            QuestionKey::new(
                &self.arguments.endpoint,
                &label,
                &self.scenario.name,
                (turn, request),
                self.repeat,
            )
        };
        let mut answers: Vec<Kept> = Vec::new();
        let send = |request: &Rendered| {
            let turn = answers.len() as u32 + 1;
            let key = key(turn, request_hash(&request.messages));
            let answer = match kept.iter().find(|kept| kept.key == key) {
                Some(kept) => kept.clone(),
                None => {
                    let tell = |line: &str| progress.pause(|| errln!("{} turn {turn}: {line}", self.name));
                    if kept.iter().any(|kept| kept.key.is_of_run(&key) && kept.key.turn == turn) {
                        tell("the scenario changed, so its answers from here on are asked for again");
                    }
                    let Rendered { messages, borders, .. } = request;
                    let asked = LiveRequest { messages, borders, may_call: false };
                    let answer = endpoint.ask(asked, &tell).map_err(Failure::message)?;
                    progress.show(format!("{} turn {turn}: answered by {}", self.name, answer.origin()));
                    let answer = self.keep_answer(key, answer);
                    file.add(&answer).map_err(|error| error.to_string())?;
                    answer
                }
            };
            let text = answer.text.clone();
            answers.push(answer);
            Ok(text)
        };
        let variant =
            self.plan.variants_for(self.scenario)?.into_iter().next().ok_or(CliError::NoStrategy)?;
        let outcome = agent::run(self.agent, &mut LiveModel::new(variant, tokens, send));
        let number = count(answers.len(), "answer");
        let line = match &outcome.ending {
            Ending::Error(error)
                if matches!(error.kind, ErrorKind::ModelError | ErrorKind::ToolUnscripted) =>
            {
                let mut help = String::new();
                if answers.is_empty() && kept.is_empty() {
                    file.end::<Kept>(&[])?;
                } else {
                    help = format!("{} keeps {number}", part.display());
                }
                return Err(CliError::Unfinished {
                    name: self.name.clone(),
                    reason: error.message.to_string(),
                    help,
                });
            }
            Ending::Error(error) => format!("{number}, then {}", error.kind),
            Ending::Fail(_) => format!("{number}, the model gave up"),
            Ending::Return(_) => format!("{number}, the model returned"),
        };
        let wrong = wrong_ending(self.scenario, outcome.borrowed());
        self.write_scenario(&answers)?;
        let first = key(0, 0);
        file.end(&kept.iter().filter(|kept| !kept.key.is_of_run(&first)).collect::<Vec<_>>())?;
        let bill = self.describe_bill(&answers);
        Ok(Recorded {
            output: self.output.clone(),
            scenario: self.scenario.name.clone(),
            is_right: wrong.is_none(),
            line: match wrong {
                None => format!("right: {line}{bill}"),
                Some(wrong) => format!("wrong: {line}{bill}; {wrong}"),
            },
        })
    }

    /// `; 5,000 tokens in (100 cached), 7 out, $0.0123`. Empty if the usage of an answer is unknown, without dollars if the price is.
    fn describe_bill(&self, answers: &[Kept]) -> String {
        let (mut sum, mut cost) = (Usage::default(), Money::default());
        let price = self.arguments.endpoint.price().ok();
        for answer in answers {
            let Some(usage) = answer.usage() else { return String::new() };
            sum += usage;
            if let Some(price) = &price {
                cost += usage.cost(price);
            }
        }
        let dollars = price.map_or_else(String::new, |_| format!(", ${:.4}", cost.dollars()));
        let (input, cached, output) = (grouped(sum.input), grouped(sum.cached), grouped(sum.output));
        format!("; {input} tokens in ({cached} cached), {output} out{dollars}")
    }

    /// An answer with its origin.
    fn keep_answer(&self, key: QuestionKey, answer: Answer) -> Kept {
        let usage = answer.usage.map(|usage| TranscriptUsage {
            input_tokens: Some(usage.input),
            cached_tokens: Some(usage.cached),
            cache_write_tokens: Some(usage.written).filter(|written| *written > 0),
            output_tokens: Some(usage.output),
            ..TranscriptUsage::default()
        });
        let recorded = RecordedAnswer {
            model: answer.model,
            date: self.arguments.today.date(),
            strategy: key.strategy.clone(),
            temperature: answer.temperature,
            usage,
        };
        Kept { key, text: answer.text, recorded }
    }

    /// Writes the scenario with these answers, checking before and after writing that it can be read back.
    fn write_scenario(&self, answers: &[Kept]) -> Result<(), CliError> {
        let mut responses = "responses:\n".to_owned();
        for answer in answers {
            let recorded = serde_json::to_value(&answer.recorded)
                .map_err(|error| CliError::Write { path: self.output.clone(), error: error.into() })?;
            responses +=
                &format!("  - response: {}\n    recorded: {}\n", scalar(&answer.text, 6), of_json(&recorded));
        }
        let text = recording(&self.original, &responses);
        let scenario = self.load_text(&text)?;
        let is_same = scenario.responses().len() == answers.len()
            && answers_of(&scenario).zip(answers).all(|(text, answer)| answer.is(text));
        if !is_same {
            return Err(CliError::NotReadBack { path: self.output.clone() });
        }
        let written = write_atomically(&self.output, |out| out.write_all(text.as_bytes()));
        written.map_err(|error| CliError::Write { path: self.output.clone(), error })?;
        let read =
            files::read(&self.output).map_err(|error| CliError::Read { path: self.output.clone(), error })?;
        if read == text.as_bytes() {
            Ok(())
        } else {
            Err(CliError::NotReadBack { path: self.output.clone() })
        }
    }
}

/// Appends to the stem of the file name.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(end);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
