//! Chooses pairs of requests, asks the model, saves the results and prints the finding.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::VerifyArguments;
use super::told;
use crate::agent::Ending;
use crate::cli::endpoint::{Endpoint, Failure, LiveRequest, Usage};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::kept::{KeptFile, QuestionKey, tell_interruptions};
use crate::cli::suite::{beside, count};
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::{BASELINE, Rendered};
use crate::evaluate::verify::{Arm, PairedRuns, Subject, VerifyCase, choose};
use crate::evaluate::{Plan, Pool, execute, in_order};
use crate::report::Gauges;
use crate::scenario::suite::is_suite;
use crate::scenario::{JsonOptions, Suite};
use crate::secrets::without_secrets;
use conversation::TextTokens;
use conversation::cut::split_start;
use ptc_lisp::print::to_clojure;
use ptc_lisp::value::Value;

/// Stop after this many failed calls in a row.
const MAX_FAILED: u32 = 3;
/// Limits for printing a result value.
const VALUE_ITEMS: usize = 10;
const VALUE_CHARACTERS: usize = 200;
/// Characters searched for secrets.
const READ_CHARACTERS: usize = 8_000;

/// The result of a live model's run from one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    key: QuestionKey,
    /// True if the run ended as expected.
    right: bool,
    ending: String,
    /// Number of calls to the model.
    calls: u32,
    /// Total over all calls.
    usage: Usage,
}

pub(in crate::cli) fn run(arguments: &VerifyArguments) -> CliResult {
    let (suite, scenarios) = arguments.scenarios.open()?;
    let strategy = arguments.strategy.in_suite(&suite);
    let label = Plan::new(&suite, std::slice::from_ref(&strategy))?.names().concat();
    if label == BASELINE.name() {
        errln!("{label} is what strategies are compared with, so there is nothing to verify");
        return Ok(Exit::NothingSelected);
    }
    let plan = Plan::new(&suite, &[strategy, (BASELINE.name().to_owned(), JsonOptions::default())])?;
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let tokens = |text: &str| u64::from(tokenizer.count(text));
    let prices: Vec<_> = arguments.endpoint.price().into_iter().collect();
    let gauges = Gauges { tokenizer: &tokenizer, models: &prices, logged: None, warm_system: false };
    let mut subjects = Vec::new();
    for scenario in scenarios {
        let name = scenario.name.clone();
        let subject = Subject::new(execute(scenario, &plan)?, &gauges, &tokens)
            .map_err(|broken| CliError::BrokenStrategy { error: broken.error })?;
        if subject.is_sound() {
            subjects.push(subject);
        } else {
            errln!("{name} is skipped: its own answers do not end as it expects, ptc-eval run shows why");
        }
    }
    let cases = choose(&subjects, arguments.seed, arguments.max_pairs.map(|most| most as usize));
    if cases.is_empty() {
        errln!("no answer would lack a fact under {label}, so there is nothing to verify");
        return Ok(Exit::NothingSelected);
    }
    let path = arguments.results.clone().unwrap_or_else(|| reports_of(&suite).join("verify.jsonl"));
    let (file, kept) = if arguments.estimate {
        (None, KeptFile::read(&path)?)
    } else {
        let (file, kept) = KeptFile::open(&path)?;
        (Some(file), kept)
    };
    let mut verification = Verification { arguments, label, kept, path, has_failed: false };
    let missing = verification.missing(&cases);
    verification.tell_before(&cases, &missing, !prices.is_empty());
    let Some(file) = file else { return Ok(Exit::Success) };
    if !missing.is_empty() {
        verification.ask(&subjects, missing, &tokens, file)?;
    }
    verification.tell(&cases);
    Ok(if verification.has_failed { Exit::Failed } else { Exit::Success })
}

/// The report folder: next to the suite, or in the working directory for logs without a suite.
fn reports_of(suite: &Suite) -> PathBuf {
    let is_of_logs = suite.root == Path::new(".") && !is_suite(&suite.root);
    if is_of_logs { PathBuf::from("reports") } else { beside(&suite.root, "reports") }
}

/// A run to make.
#[derive(Clone, Copy)]
struct Question<'c> {
    case: &'c VerifyCase,
    arm: Arm,
    repeat: u32,
}

/// `shop/sum@4, full history`
impl fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = if self.arm == Arm::FullHistory { "full history" } else { "strategy" };
        write!(f, "{}@{}, {with}", self.case.scenario, self.case.turn)
    }
}

/// Runs a live model from chosen requests.
struct Verification<'a> {
    arguments: &'a VerifyArguments,
    /// The strategy with its options.
    label: String,
    /// Results of this and earlier evaluations.
    kept: Vec<Kept>,
    path: PathBuf,
    has_failed: bool,
}

impl Verification<'_> {
    fn question_key(&self, question: Question<'_>) -> QuestionKey {
        let Question { case, arm, repeat } = question;
        let strategy = match arm {
            Arm::FullHistory => BASELINE.name(),
            Arm::Strategy => &self.label,
        };
        let turn = (case.turn, case.requests(arm).first);
        QuestionKey::new(&self.arguments.endpoint, strategy, &case.scenario, turn, repeat)
    }

    fn known_result(&self, question: Question<'_>) -> Option<&Kept> {
        let key = self.question_key(question);
        self.kept.iter().find(|kept| kept.key == key)
    }

    /// The runs without a result. Repetitions come after all pairs, so an interrupted run still covers most pairs.
    fn missing<'c>(&self, cases: &'c [VerifyCase]) -> Vec<Question<'c>> {
        let mut missing = Vec::new();
        for repeat in 1..=self.arguments.repeat {
            for case in cases {
                let both = Arm::BOTH.map(|arm| Question { case, arm, repeat });
                missing.extend(both.into_iter().filter(|question| self.known_result(*question).is_none()));
            }
        }
        missing
    }

    /// Prints the questions, their estimated cost, and the effect size they can detect.
    fn tell_before(&self, cases: &[VerifyCase], missing: &[Question<'_>], is_priced: bool) {
        let lacking = cases.iter().filter(|case| case.lacks_fact).count();
        let all = cases.len() * self.arguments.repeat as usize * Arm::BOTH.len();
        errln!(
            "{}, {lacking} with answers that would lack a fact, {} each: {} of {all} known",
            count(cases.len(), "pair"),
            count(self.arguments.repeat as usize, "run"),
            all - missing.len()
        );
        let requests = missing.iter().map(|question| question.case.requests(question.arm));
        errln!("{}", told::estimate(requests, &self.arguments.endpoint.model, is_priced));
        errln!("{}", told::power(count_tasks(cases.iter().filter(|case| case.lacks_fact))));
    }

    fn ask(
        &mut self,
        subjects: &[Subject<'_>],
        missing: Vec<Question<'_>>,
        tokens: &TextTokens<'_>,
        file: KeptFile,
    ) -> Result<(), CliError> {
        let endpoint = Endpoint::new(&self.arguments.endpoint)?;
        let pool = Pool::new(self.arguments.jobs.into())?;
        tell_interruptions(format!("{} keeps the results so far", self.path.display()));
        let number = missing.len();
        let keys: Vec<QuestionKey> = missing.iter().map(|question| self.question_key(*question)).collect();
        let asker = Asker {
            subjects,
            endpoint: &endpoint,
            tokens,
            file: Mutex::new(file),
            in_a_row: AtomicU32::new(0),
            is_stopped: AtomicBool::new(false),
        };
        let questions = missing.into_iter().zip(keys);
        in_order(
            &pool,
            questions,
            |(question, key)| asker.answer(question, key),
            |all| {
                for (at, (question, answered)) in all.enumerate() {
                    let place = format!("{}/{number} {question}", at + 1);
                    match answered {
                        Some(Ok(result)) => {
                            let right = if result.right { "right" } else { "wrong" };
                            errln!("{place} {right}: {}", result.ending);
                            self.kept.push(result);
                        }
                        Some(Err(Failure::Budget(message))) => errln!("{place} is not asked: {message}"),
                        Some(Err(failure)) => {
                            errln!("{place} failed: {}", failure.message());
                            self.has_failed = true;
                        }
                        // The reason was printed when the earlier call failed.
                        None => {}
                    }
                }
            },
        );
        if asker.has_given_up() {
            errln!("no more calls: {MAX_FAILED} in a row failed");
        }
        endpoint.cost_line().iter().for_each(|line| errln!("{line}"));
        Ok(())
    }

    /// Prints the table and the finding.
    fn tell(&self, cases: &[VerifyCase]) {
        let [lacking, control] = [true, false].map(|lacks_fact| {
            let mut by_task: IndexMap<u64, PairedRuns> = IndexMap::new();
            for case in cases.iter().filter(|case| case.lacks_fact == lacks_fact) {
                self.add_pairs(case, by_task.entry(case.task).or_default());
            }
            by_task.into_values().collect::<Vec<_>>()
        });
        let (model, label) = (&self.arguments.endpoint.model, &self.label);
        out!("{}", told::table(model, label, &lacking, &control));
        outln!("{}", self.path.display());
    }

    /// Adds the runs of a case with both results known.
    fn add_pairs(&self, case: &VerifyCase, runs: &mut PairedRuns) {
        for repeat in 1..=self.arguments.repeat {
            let [full, strategy] = Arm::BOTH.map(|arm| self.known_result(Question { case, arm, repeat }));
            if let (Some(full), Some(strategy)) = (full, strategy) {
                runs.runs += 1;
                runs.right_with_full += u32::from(full.right);
                runs.right_with_strategy += u32::from(strategy.right);
            }
        }
    }
}

/// The number of different tasks in these cases.
fn count_tasks<'c>(cases: impl Iterator<Item = &'c VerifyCase>) -> u32 {
    let mut tasks: Vec<u64> = cases.map(|case| case.task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    u32::try_from(tasks.len()).unwrap_or(u32::MAX)
}

/// The result of a run, or the reason for having none.
type Answered = Result<Kept, Failure>;

/// Makes runs on several threads.
struct Asker<'a> {
    subjects: &'a [Subject<'a>],
    endpoint: &'a Endpoint<'a>,
    tokens: &'a TextTokens<'a>,
    file: Mutex<KeptFile>,
    /// Consecutive failed runs.
    in_a_row: AtomicU32,
    /// True after a call was not made because of its possible cost.
    is_stopped: AtomicBool,
}

impl Asker<'_> {
    fn has_given_up(&self) -> bool {
        self.in_a_row.load(Ordering::SeqCst) >= MAX_FAILED
    }

    /// Makes a run and saves its result at once. Returns `None` after too many failures, or when the budget is used up. Runs in progress on
    /// other threads are still saved.
    fn answer<'c>(&self, question: Question<'c>, key: QuestionKey) -> (Question<'c>, Option<Answered>) {
        if self.has_given_up() || self.is_stopped.load(Ordering::SeqCst) {
            return (question, None);
        }
        let mut answered = self.run(question, key);
        if let Ok(kept) = &answered
            && let Err(error) = self.file.lock().unwrap_or_else(PoisonError::into_inner).add(kept)
        {
            answered = Err(Failure::Call(error.report()));
        }
        match &answered {
            Ok(_) => self.in_a_row.store(0, Ordering::SeqCst),
            Err(Failure::Call(_)) => _ = self.in_a_row.fetch_add(1, Ordering::SeqCst),
            Err(Failure::Budget(_)) => self.is_stopped.store(true, Ordering::SeqCst),
            Err(Failure::Answer(_)) => {}
        }
        (question, Some(answered))
    }

    /// Runs a scenario from a request on.
    ///
    /// # Errors
    /// A call failed, or was not made because of its possible cost.
    fn run(&self, Question { case, arm, .. }: Question<'_>, key: QuestionKey) -> Result<Kept, Failure> {
        let subject = self.subjects.iter().find(|subject| subject.execution.scenario.name == case.scenario);
        let subject = subject.ok_or_else(|| Failure::Call("no such scenario".to_owned()))?;
        if subject.is_log() {
            return self.next_answer(subject, case, arm, key);
        }
        let (mut calls, mut usage, mut failed) = (0, Usage::default(), None);
        let send = |request: &Rendered| {
            calls += 1;
            let Rendered { messages, borders, .. } = request;
            let asked = LiveRequest { messages, borders, may_call: false };
            let answer = self.endpoint.ask(asked, &|line| errln!("{line}"));
            let answer = answer.map_err(|failure| {
                let message = failure.to_string();
                if !matches!(failure, Failure::Answer(_)) {
                    failed = Some(failure);
                }
                message
            })?;
            if let Some(used) = answer.usage {
                usage += used;
            }
            Ok(answer.text)
        };
        let outcome = subject.run(case.turn, arm, self.tokens, send);
        let outcome = outcome.ok_or_else(|| Failure::Call("no strategy".to_owned()))?;
        if let Some(failure) = failed {
            return Err(failure);
        }
        let ending = describe_ending(&outcome.ending);
        Ok(Kept { key, right: subject.is_right(&outcome), ending, calls, usage })
    }

    /// Asks for the next answer in a log. It is right if it uses a fact used by the logged answer.
    ///
    /// # Errors
    /// The call failed, or was not made because of its possible cost.
    fn next_answer(
        &self,
        subject: &Subject<'_>,
        case: &VerifyCase,
        arm: Arm,
        key: QuestionKey,
    ) -> Result<Kept, Failure> {
        let request = subject.request(case.turn, arm, self.tokens);
        let Rendered { messages, borders, .. } = request.map_err(|error| Failure::Call(error.to_string()))?;
        let asked = LiveRequest { messages: &messages, borders: &borders, may_call: true };
        let (text, used) = match self.endpoint.ask(asked, &|line| errln!("{line}")) {
            Ok(answer) => (answer.text, answer.usage),
            // A truncated answer counts as an answer.
            Err(Failure::Answer(message)) => (message, None),
            Err(failure) => return Err(failure),
        };
        let mut usage = Usage::default();
        if let Some(used) = used {
            usage += used;
        }
        let ending = shown_text(&text);
        Ok(Kept { key, right: case.is_shown_by(&text), ending, calls: 1, usage })
    }
}

/// A short text on the ending of a run.
fn describe_ending(ending: &Ending) -> String {
    match ending {
        Ending::Return(value) => format!("return {}", shown_value(value)),
        Ending::Fail(value) => format!("fail {}", shown_value(value)),
        Ending::Error(error) => format!("{}: {}", error.kind, without_secrets(&error.message)),
    }
}

fn shown_value(value: &Value) -> String {
    shown_text(&to_clojure(value, VALUE_ITEMS, READ_CHARACTERS).0)
}

/// The start of a text without secrets. They are replaced first: no rule finds the start of a key.
fn shown_text(text: &str) -> String {
    let read = split_start(text, READ_CHARACTERS).0;
    split_start(&without_secrets(read), VALUE_CHARACTERS).0.to_owned()
}
