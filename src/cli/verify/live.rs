//! Chooses requests, asks the model, keeps the results and tells what they say.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::VerifyArguments;
use crate::agent::{Ending, Message};
use crate::cli::endpoint::{Endpoint, Failure, Usage};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::kept::{KeptFile, QuestionKey, tell_interruptions};
use crate::cli::suite::{beside, count};
use crate::cli::token_cache::CachedTokenizer;
use crate::evaluate::verify::{Finding, Group, Subject, VerifyCase, choose};
use crate::evaluate::{Plan, execute};
use crate::messages::TextTokens;
use crate::report::Gauges;
use ptc_lisp::print::to_clojure;

/// Failed calls in a row after which no more are made.
const MAX_FAILED: u32 = 3;
/// Bounds of a value in the text of an ending.
const VALUE_ITEMS: usize = 10;
const VALUE_CHARACTERS: usize = 200;

/// A run of a live model from one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    key: QuestionKey,
    /// True if the scripted answer is short.
    short: bool,
    /// True if the run ended as expected.
    right: bool,
    ending: String,
    /// Calls of the model.
    calls: u32,
    /// Sums over the calls.
    usage: Usage,
}

pub(in crate::cli) fn run(arguments: &VerifyArguments) -> CliResult {
    let (suite, scenarios) = arguments.scenarios.open()?;
    let strategy = (arguments.strategy.name.clone(), arguments.strategy.options.clone());
    let plan = Plan::new(&suite, &[strategy])?;
    let label = plan.names().concat();
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let tokens = |text: &str| u64::from(tokenizer.count(text));
    let gauges = Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false };
    let mut subjects = Vec::new();
    for scenario in scenarios {
        let name = scenario.name.clone();
        if scenario.recorded.is_some() {
            errln!("{name} is skipped: nothing can run the tools of a transcript");
            continue;
        }
        let subject = Subject::new(execute(scenario, &plan)?, &gauges, &tokens)
            .map_err(|broken| CliError::BrokenStrategy { error: broken.error })?;
        if subject.is_sound() {
            subjects.push(subject);
        } else {
            errln!("{name} is skipped: its own answers do not end as it expects, ptc-eval run shows why");
        }
    }
    let cases = choose(&subjects, arguments.seed, arguments.max_requests.map(|most| most as usize));
    if cases.is_empty() {
        errln!("no answer is short under {label}, so there is nothing to verify");
        return Ok(Exit::NothingSelected);
    }
    let path =
        arguments.results.clone().unwrap_or_else(|| beside(&suite.root, "reports").join("verify.jsonl"));
    let (file, kept) = KeptFile::open(&path)?;
    let mut verification = Verification { arguments, label, kept, file, path, has_failed: false };
    verification.ask(&subjects, &cases, &tokens)?;
    verification.tell(&cases);
    Ok(if verification.has_failed { Exit::Failed } else { Exit::Success })
}

/// The runs of a live model from chosen requests.
struct Verification<'a> {
    arguments: &'a VerifyArguments,
    /// The strategy with its options.
    label: String,
    /// Results of this and of earlier evaluations.
    kept: Vec<Kept>,
    file: KeptFile,
    path: PathBuf,
    has_failed: bool,
}

impl Verification<'_> {
    fn key(&self, case: &VerifyCase, repeat: u32) -> QuestionKey {
        let question = (case.turn, case.request);
        QuestionKey::new(&self.arguments.endpoint, &self.label, &case.scenario, question, repeat)
    }

    fn result(&self, key: &QuestionKey) -> Option<&Kept> {
        self.kept.iter().find(|kept| kept.key == *key)
    }

    /// Asks what has no result yet: every request once before any a second time, so that whoever ends it early has most of
    /// the requests.
    fn ask(
        &mut self,
        subjects: &[Subject<'_>],
        cases: &[VerifyCase],
        tokens: &TextTokens<'_>,
    ) -> Result<(), CliError> {
        let repeats = self.arguments.repeat;
        let mut missing: Vec<(&VerifyCase, u32)> = Vec::new();
        for repeat in 1..=repeats {
            let is_missing = |case: &&VerifyCase| self.result(&self.key(case, repeat)).is_none();
            missing.extend(cases.iter().filter(is_missing).map(|case| (case, repeat)));
        }
        let short = cases.iter().filter(|case| case.is_short).count();
        let (all, known) = (cases.len() * repeats as usize, cases.len() * repeats as usize - missing.len());
        errln!(
            "{}, {short} with short answers, {} each: {known} of {all} known, at least {} to {}",
            count(cases.len(), "request"),
            count(repeats as usize, "run"),
            count(missing.len(), "call"),
            self.arguments.endpoint.model
        );
        if missing.is_empty() {
            return Ok(());
        }
        let endpoint = Endpoint::new(&self.arguments.endpoint)?;
        tell_interruptions(format!("{} keeps the results so far", self.path.display()));
        let mut failed: Vec<&VerifyCase> = Vec::new();
        let mut in_a_row = 0;
        for (number, (case, repeat)) in missing.iter().enumerate() {
            let subject = subjects.iter().find(|subject| subject.execution.scenario.name == case.scenario);
            let Some(subject) = subject.filter(|_| !failed.contains(case)) else { continue };
            let place = format!("{}/{} {}@{}", number + 1, missing.len(), case.scenario, case.turn);
            match one_run(subject, case, self.key(case, *repeat), &endpoint, tokens) {
                Ok(kept) => {
                    self.file.add(&kept)?;
                    errln!("{place} {}: {}", if kept.right { "right" } else { "wrong" }, kept.ending);
                    self.kept.push(kept);
                    in_a_row = 0;
                }
                Err(message) => {
                    errln!("{place} failed: {message}");
                    self.has_failed = true;
                    failed.push(case);
                    in_a_row += 1;
                    if in_a_row == MAX_FAILED {
                        errln!("no more calls: {MAX_FAILED} in a row failed");
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Prints the table and the finding.
    fn tell(&self, cases: &[VerifyCase]) {
        let [short, others] = [true, false].map(|is_short| {
            let mut group = Group::default();
            for case in cases.iter().filter(|case| case.is_short == is_short) {
                let results =
                    (1..=self.arguments.repeat).filter_map(|repeat| self.result(&self.key(case, repeat)));
                let before = group.runs;
                for kept in results {
                    group.runs += 1;
                    group.right += u32::from(kept.right);
                }
                group.requests += u32::from(group.runs > before);
            }
            group
        });
        outln!("{} under {}", self.arguments.endpoint.model, self.label);
        outln!();
        outln!("answers    requests   runs  right  share  95% interval");
        row("short", short);
        row("not short", others);
        outln!();
        outln!("{}", sentence(Finding::of(short, others)));
        outln!("{}", self.path.display());
    }
}

fn row(name: &str, group: Group) {
    let Group { requests, runs, right } = group;
    if runs == 0 {
        return outln!("{name:<10}{requests:>9}{runs:>7}{right:>7}      –");
    }
    let ((low, high), share) = (group.interval(), group.share());
    let [low, high, share] = [low, high, share].map(|share| format!("{:.0}%", share * 100.0));
    outln!("{name:<10}{requests:>9}{runs:>7}{right:>7}{share:>7}  {low} to {high}");
}

fn sentence(finding: Finding) -> String {
    match finding {
        Finding::More => "Short answers fail more often: the intervals are apart.".to_string(),
        Finding::Less => "Short answers fail less often: the intervals are apart.".to_string(),
        Finding::Alike(at_most) => {
            format!("Short answers do not fail more often, or by at most {:.0} points.", at_most * 100.0)
        }
        Finding::Unknown(Some(more)) => format!(
            "It cannot be told yet if short answers fail more often: about {} more of each kind {} needed.",
            count(more as usize, "request"),
            if more == 1 { "is" } else { "are" }
        ),
        Finding::Unknown(None) => {
            "It cannot be told if short answers fail more often: of the others there is none, or nearly all fail."
                .to_string()
        }
    }
}

/// Runs a scenario from a request on.
///
/// # Errors
/// A call failed.
fn one_run(
    subject: &Subject<'_>,
    case: &VerifyCase,
    key: QuestionKey,
    endpoint: &Endpoint<'_>,
    tokens: &TextTokens<'_>,
) -> Result<Kept, String> {
    let (mut calls, mut usage, mut failed) = (0, Usage::default(), None);
    let send = |request: &[Message]| {
        calls += 1;
        let answer = endpoint.ask(request, &|line| errln!("{line}")).map_err(|failure| {
            if let Failure::Call(message) = &failure {
                failed = Some(message.clone());
            }
            failure.message()
        })?;
        usage += answer.usage.unwrap_or_default();
        Ok(answer.text)
    };
    let outcome = subject.run(case.turn, tokens, send).ok_or("no strategy")?;
    if let Some(message) = failed {
        return Err(message);
    }
    let ending = ending(&outcome.ending);
    Ok(Kept { key, short: case.is_short, right: subject.is_right(&outcome), ending, calls, usage })
}

/// The ending of a run in a few words.
fn ending(ending: &Ending) -> String {
    let shown = |value| to_clojure(value, VALUE_ITEMS, VALUE_CHARACTERS).0;
    match ending {
        Ending::Return(value) => format!("return {}", shown(value)),
        Ending::Fail(value) => format!("fail {}", shown(value)),
        Ending::Error(error) => format!("{}: {}", error.kind, error.message),
        Ending::Recorded(_) => String::new(),
    }
}
