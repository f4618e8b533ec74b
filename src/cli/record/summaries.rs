//! Records the summaries needed by strategies: a live model writes missing and stale ones.

use std::fs::{self, File};
use std::path::Path;

use ecow::EcoString;

use super::RecordArguments;
use crate::agent::Message;
use crate::cli::endpoint::{Answer, Endpoint, Failure, LiveRequest};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::kept::tell_interruptions;
use crate::cli::progress::Progress;
use crate::cli::suite::{beside, count, path_for_shell};
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::{History, StrategyCall, TextKey, Variant, WRITER, Writer};
use crate::evaluate::{Execution, Plan, Pool, execute, in_order, turns_with_calls, write_in_turn};
use crate::measure::size_by_bills;
use crate::scenario::files::{refuse_link, refuse_links_below};
use crate::scenario::{JsonOptions, Scenario, Suite};
use crate::snapshot::atomic::{lock_folder, try_lock_folder};
use crate::snapshot::{GoldenText, GoldenTexts, Lack};
use conversation::MessageId;

/// Scenario and strategy, with a line on the recorded texts, if any.
type Recorded = (String, Result<Option<String>, CliError>);

pub(super) fn run(arguments: &RecordArguments) -> CliResult {
    let (suite, scenarios) = arguments.scenarios.open()?;
    let plan = plan_of_summaries(arguments, &suite)?;
    if scenarios.is_empty() {
        errln!("there is nothing to record");
        return Ok(Exit::NothingSelected);
    }
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let endpoint = Endpoint::new(&arguments.endpoint)?;
    let pool = Pool::new(arguments.jobs.into()).map_err(|error| CliError::Threads { error })?;
    let progress = Progress::of_recordings(scenarios.len() as u64);
    tell_interruptions("the summaries so far are kept".to_owned());
    let recorder =
        Recorder { arguments, suite: &suite, plan: &plan, endpoint, tokenizer: &tokenizer, progress };
    let (mut failed, mut all) = (Vec::new(), 0);
    in_order(
        &pool,
        scenarios.into_iter(),
        |scenario| recorder.scenario(scenario),
        |recorded| {
            for of_scenario in recorded {
                recorder.progress.advance_one();
                for (name, result) in of_scenario {
                    all += 1;
                    recorder.progress.pause(|| match result {
                        Ok(line) => line.iter().for_each(|line| outln!("{line}")),
                        Err(error) => {
                            err!("{}", error.report());
                            failed.push(name);
                        }
                    });
                }
            }
        },
    );
    recorder.progress.end();
    if failed.len() < all {
        outln!("Next: ptc-eval run {}", path_for_shell(&suite.root));
    }
    if failed.is_empty() {
        return Ok(Exit::Success);
    }
    errln!("{} of {all} failed: {}", failed.len(), failed.join(", "));
    errln!("the same command goes on where it stopped");
    Ok(Exit::Failed)
}

/// The strategies that need summaries from a live model: the requested one, else all in the suite.
fn plan_of_summaries(arguments: &RecordArguments, suite: &Suite) -> Result<Plan, CliError> {
    let mut wanted = suite.strategies.clone();
    if let Some(choice) = &arguments.strategy {
        let wanted_alone = [(choice.name.clone(), choice.options.clone())];
        let asked = Plan::new(suite, &wanted_alone)?;
        if !choice.options.is_empty() {
            return Err(CliError::SummariesOfOptions { label: asked.names().concat() });
        }
        wanted = vec![choice.name.clone()];
    }
    wanted.retain(|name| {
        suite.known.strategy(name).is_some_and(|known| known.base.options().contains(&WRITER))
    });
    if wanted.is_empty() {
        return Err(CliError::NoSummaries);
    }
    let wanted: Vec<_> = wanted.into_iter().map(|name| (name, JsonOptions::default())).collect();
    Ok(Plan::new(suite, &wanted)?)
}

/// Lets a live model write summaries.
struct Recorder<'r> {
    arguments: &'r RecordArguments,
    suite: &'r Suite,
    plan: &'r Plan,
    endpoint: Endpoint<'r>,
    tokenizer: &'r CachedTokenizer,
    progress: Progress,
}

impl Recorder<'_> {
    fn scenario(&self, scenario: Scenario) -> Vec<Recorded> {
        let name = scenario.name.clone();
        let execution = match execute(scenario, self.plan) {
            Ok(execution) => execution,
            Err(error) => return vec![(name, Err(error.into()))],
        };
        let tokens = |text: &str| u64::from(self.tokenizer.count(text));
        let history = execution.history(&tokens);
        size_by_bills(&execution.scenario, execution.conversation.past(), &history, self.tokenizer);
        let mut recorded = Vec::new();
        for variant in &execution.variants {
            recorded.push((format!("{name}/{}", variant.name), self.variant(&execution, variant, &history)));
        }
        recorded
    }

    /// Writes the summaries of a strategy in one scenario. Returns a line on them, or `None` if it needs none.
    fn variant(
        &self,
        execution: &Execution<'_>,
        variant: &Variant<'_>,
        history: &History<'_>,
    ) -> Result<Option<String>, CliError> {
        let name = format!("{}/{}", execution.scenario.name, variant.name);
        if !matches!(variant.options.writer(), None | Some(Writer::Recorded)) {
            self.tell(&format!("{name} is skipped: its writer is another"));
            return Ok(None);
        }
        let turns = turns_with_calls(execution, variant, history)?;
        if turns.is_empty() {
            self.tell(&format!("{name} needs no summaries"));
            return Ok(None);
        }
        let folder = beside(&self.suite.root, "snapshots");
        let of_scenario = folder.join(&execution.scenario.name);
        refuse_link(&folder)
            .and_then(|()| refuse_links_below(&folder, &of_scenario))
            .map_err(|error| CliError::Write { path: of_scenario.clone(), error })?;
        // Otherwise another process could ask for the same texts and overwrite these.
        let _lock = self.lock_folder(&of_scenario)?;
        let golden = GoldenTexts::read(&folder, &execution.scenario.name, &variant.name);
        let golden = golden.map_err(|error| CliError::Read { path: folder.clone(), error })?;
        let mut record = SummaryRecord { recorder: self, name, golden, new: 0 };
        let repeats = record.golden.repeats().max(self.arguments.repeat.unwrap_or(1));
        for repeat in 1..=repeats {
            record.write(repeat, variant, history, &turns)?;
        }
        Ok(Some(record.result_line()))
    }

    /// Waits until no other process records in this folder. `None` if the file system has no locks.
    fn lock_folder(&self, folder: &Path) -> Result<Option<File>, CliError> {
        let made = fs::create_dir_all(folder);
        made.map_err(|error| CliError::Write { path: folder.to_owned(), error })?;
        Ok(try_lock_folder(folder).or_else(|| {
            self.tell(&format!("waits for another process that records in {}", folder.display()));
            lock_folder(folder)
        }))
    }

    fn tell(&self, line: &str) {
        self.progress.pause(|| errln!("{line}"));
    }
}

/// The golden texts of a strategy in one scenario during recording.
struct SummaryRecord<'r> {
    recorder: &'r Recorder<'r>,
    /// `SCENARIO/STRATEGY`.
    name: String,
    golden: GoldenTexts,
    /// Number of newly written texts.
    new: usize,
}

impl SummaryRecord<'_> {
    /// Writes the texts of one repetition in order. Each is saved at once.
    fn write(
        &mut self,
        repeat: u32,
        variant: &Variant<'_>,
        history: &History<'_>,
        turns: &[u32],
    ) -> Result<(), CliError> {
        let mut keys = Vec::new();
        write_in_turn(variant, history, turns, |_, call| {
            let Some(key) = call.key else { return Ok(EcoString::new()) };
            keys.push(key);
            let lack = match self.golden.find(repeat, &key) {
                Ok(found) if !self.recorder.arguments.again => return Ok(found.text.clone()),
                Ok(_) => None,
                Err(lack) => Some(lack),
            };
            self.ask((repeat, key, lack), call, history)
        })?;
        let removed = self.golden.keep(repeat, &keys);
        if removed > 0 {
            let removed = count(removed, "text");
            self.recorder.tell(&format!("{}: {removed} removed, since the run needs no more", self.name));
            self.save()?;
        }
        Ok(())
    }

    /// Asks for a text and saves it.
    fn ask(
        &mut self,
        (repeat, key, lack): (u32, TextKey, Option<Lack>),
        call: &StrategyCall<MessageId>,
        history: &History<'_>,
    ) -> Result<EcoString, CliError> {
        let Recorder { endpoint, arguments, tokenizer, progress, .. } = self.recorder;
        let messages = history.messages();
        let request: Vec<Message> = call.messages.iter().map(|id| messages.message(*id)).collect();
        if let Some(stale) = lack.filter(|lack| *lack != Lack::Missing) {
            self.recorder.tell(&format!(
                "{}: {}, so it is asked for again",
                self.name,
                stale.sentence(key.turns)
            ));
        }
        let tell = |line: &str| self.recorder.tell(&format!("{}: {line}", self.name));
        let asked = LiveRequest { messages: &request, borders: &call.borders, may_call: false };
        let answer = endpoint.ask(asked, &tell).map_err(|failure| self.unfinished_error(failure))?;
        progress.show(format!("{}: written by {}", self.name, answer.origin()));
        let (first, last) = key.turns;
        let size = tokenizer.count(&answer.text);
        if size > call.most_tokens {
            tell(&format!(
                "the summary of turns {first} to {last} has {size} tokens, more than the option tokens: {}",
                call.most_tokens
            ));
        }
        let text = golden_text(repeat, answer, arguments.today.date());
        let written = text.text.clone();
        self.golden.put(text.with_key(&key));
        self.new += 1;
        self.save()?;
        Ok(written)
    }

    fn unfinished_error(&self, failure: Failure) -> CliError {
        let help = if self.golden.texts.is_empty() {
            String::new()
        } else {
            format!("{} keeps {}", self.golden.path.display(), count(self.golden.texts.len(), "text"))
        };
        CliError::Unfinished { name: self.name.clone(), reason: failure.message(), help }
    }

    fn save(&self) -> Result<(), CliError> {
        let write = self.golden.write();
        write.map_err(|error| CliError::Write { path: self.golden.path.clone(), error })
    }

    /// `snapshots/logs/a/summary.summaries.yaml: 3 texts, 1 new`
    fn result_line(&self) -> String {
        let all = count(self.golden.texts.len(), "text");
        let new = if self.new == 0 { "all there already".to_owned() } else { format!("{} new", self.new) };
        format!("{}: {all}, {new}", self.golden.path.display())
    }
}

fn golden_text(repeat: u32, answer: Answer, date: String) -> GoldenText {
    let usage = answer.usage.map(|usage| agent_logs::TranscriptUsage {
        input_tokens: Some(usage.input),
        cached_tokens: Some(usage.cached),
        cache_write_tokens: Some(usage.written).filter(|written| *written > 0),
        output_tokens: Some(usage.output),
        ..Default::default()
    });
    GoldenText {
        repeat,
        turns: (0, 0),
        messages: String::new(),
        prompt: String::new(),
        model: answer.model,
        date,
        temperature: answer.temperature,
        usage,
        text: answer.text.into(),
    }
}
