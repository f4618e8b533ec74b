//! `ptc-eval effect`: compares logs from before and after a change, request by request at the same places of sessions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::compacted::Compacted;
use super::own_lines::OwnPattern;
use super::recognize::{RecognizedBySizes, recognize};
use super::titles::days_in_words;
use super::{Cached, Conversations, LogSuite, ReportPlace, Settings, SuiteStrategies, judge_logs, read_logs};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::priced::{Priced, price_table};
use crate::cli::recommendation::wrapped;
use crate::cli::scratch::Scratch;
use crate::cli::suite::{Permission, StrategyChoice, count, known, spelled};
use crate::cli::terminal::columns;
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::{Product, TRIGGER};
use crate::measure::numbers::{dollars, grouped, signed_percent};
use crate::report::effect::{Effect, SessionCosts};
use crate::scenario::JsonOptions;
use ptc_tokens::Tokenizer;

/// Larger sizes of compactions are rounded down to a multiple of this many tokens.
const ROUNDED: u64 = 1_000;

#[derive(Args)]
pub(in crate::cli) struct EffectArguments {
    /// A log from before the change, or a folder of them
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// A log from after the change, or a folder of them
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// The strategy that was switched on, as `advise` prints it; default: detected from the sizes of requests. Its predicted saving is
    /// computed from the logs before the change
    #[arg(long, value_name = "NAME[,OPTION=VALUE...]")]
    strategy: Option<StrategyChoice>,
    /// Prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

pub(in crate::cli) fn run(arguments: &EffectArguments) -> CliResult {
    let table = price_table(arguments.prices.as_deref())?;
    let mut sides = Vec::new();
    for (name, path) in [("before", &arguments.before), ("after", &arguments.after)] {
        let settings = Settings::of_logs(vec![path.clone()], table.clone());
        let conversations = read_logs(&settings.logs, &table)?;
        let side = Side { name, path: path.clone(), settings, conversations };
        if side.costs().iter().all(Vec::is_empty) {
            return Err(CliError::NoBills { path: path.clone() });
        }
        sides.push(side);
    }
    let [before, after] =
        <[Side; 2]>::try_from(sides).map_err(|_| CliError::NoBills { path: PathBuf::new() })?;
    say(&before.line());
    say(&after.line());
    let Some(effect) = Effect::of(&before.costs(), &after.costs()) else {
        outln!();
        say("No request after the change has one at the same place of a session before it.");
        return Ok(Exit::NothingSelected);
    };
    print_effect(effect);
    print_compactions(&before.conversations.compacted(), &after.conversations.compacted());
    let tokenizer = CachedTokenizer::named(None)?;
    let recognized = after.recognize(arguments.strategy.as_ref(), &tokenizer)?;
    if let Some(recognized) = &recognized {
        print_recognized(recognized);
    }
    let strategy = arguments.strategy.clone().or(recognized.map(Recognized::strategy));
    if let Some(strategy) = strategy {
        print_promise(
            effect,
            before.promise(&strategy, &tokenizer)?,
            &spelled(&strategy.name, &strategy.options),
        );
    }
    Ok(Exit::Success)
}

/// The logs from before or after the change.
struct Side {
    name: &'static str,
    path: PathBuf,
    settings: Settings,
    conversations: Conversations,
}

impl Side {
    /// The costs of the requests of each session.
    fn costs(&self) -> Vec<SessionCosts> {
        self.conversations.all.iter().map(|conversation| conversation.costs.clone()).collect()
    }

    /// `before: 8 sessions, 640 requests with a bill, 5 Jan to 9 Feb 2026 (logs/january)`
    fn line(&self) -> String {
        let costs = self.costs();
        let requests = count(costs.iter().map(Vec::len).sum(), "request");
        let days =
            self.conversations.span().map_or_else(String::new, |days| format!(", {}", days_in_words(days)));
        let sessions = count(costs.len(), "session");
        format!(
            "{:<7} {sessions}, {requests} with a bill{days} ({})",
            format!("{}:", self.name),
            self.path.display()
        )
    }

    /// The strategy that is on: one of our own with its lines in the log, the product's compaction if the logs contain some, or else the
    /// one recognized by billed request sizes.
    fn recognize(
        &self,
        asked: Option<&StrategyChoice>,
        tokenizer: &Tokenizer,
    ) -> Result<Option<Recognized>, CliError> {
        let (conversations, table) = (&self.conversations, &self.settings.prices);
        let pattern = conversations.own_lines().most_frequent();
        if let Some(strategy) = pattern.and_then(OwnPattern::strategy) {
            return Ok(Some(Recognized::Lines(strategy)));
        }
        // Clearings by our own code are no compactions of a product.
        let compaction = if conversations.compacted().number() > 0 { self.compaction() } else { None };
        if let Some(compaction) = compaction {
            return Ok(Some(Recognized::Compaction(compaction)));
        }
        let priced = Priced::of_logs(table, &conversations.answers(), conversations.span(), None)?;
        let strategies = SuiteStrategies { compacted: false, rewriting: false };
        let suite = LogSuite::new(&priced.models, strategies, &[], Cached::default());
        let known = known(&Permission::default(), Some(table));
        let suite = suite.open_suite(known, conversations.transcripts())?;
        let inputs: BTreeMap<&str, &[Option<u64>]> = conversations
            .all
            .iter()
            .map(|conversation| (conversation.name.as_str(), conversation.inputs.as_slice()))
            .collect();
        let by_sizes = recognize(&suite, tokenizer, asked, |name| inputs.get(name).copied())?;
        Ok(by_sizes.map(Recognized::BySizes))
    }

    /// The preset of the product's compaction, with the size at which these logs compact. `None` for an unknown product, or without bills
    /// around compactions.
    fn compaction(&self) -> Option<StrategyChoice> {
        let preset = Product::of_logs(self.conversations.format()?)?.compaction()?;
        let mean = self.conversations.compacted().mean_before()?;
        let tokens = if mean > ROUNDED { mean / ROUNDED * ROUNDED } else { mean };
        let options = JsonOptions::from_iter([(TRIGGER.to_owned(), json!({ "tokens": tokens }))]);
        Some(StrategyChoice { name: preset.name.clone(), options })
    }

    /// The relative change in cost predicted for a strategy on these logs. `None` without prices.
    fn promise(mut self, strategy: &StrategyChoice, tokenizer: &Tokenizer) -> Result<Option<f64>, CliError> {
        self.settings.suite.strategies = vec![strategy.clone()];
        let scratch = Scratch::new()?;
        let place = ReportPlace::in_scratch(&scratch);
        let advised = judge_logs(&self.conversations, &place, &self.settings, tokenizer)?;
        // Strategies given on the command line come first.
        let promised = advised.comparison.strategies.first();
        Ok(promised.and_then(|strategy| strategy.costs.first()?.ratio).map(|ratio| ratio - 1.0))
    }
}

fn print_effect(effect: Effect) {
    let [before, after] = [effect.before, effect.after].map(dollars);
    outln!();
    say(&format!(
        "A request costs {after}, before at the same place of a session {before}: {}",
        signed_percent(effect.change())
    ));
    match effect.interval {
        Some((least, most)) => say(&format!(
            "In 95 of 100 random samples of these sessions: {} to {}",
            signed_percent(least),
            signed_percent(most)
        )),
        None => say("One session says little: add sessions on both sides for an interval."),
    }
    if effect.compared < effect.requests {
        say(&format!(
            "{} of {} requests are compared; no session before was as long as the others.",
            grouped(effect.compared as u64),
            grouped(effect.requests as u64)
        ));
    }
}

/// Prints how the agent shortened its history before and after the change.
fn print_compactions(before: &Compacted, after: &Compacted) {
    outln!();
    say(&format!("History was shortened: before {}; after {}", before.in_words(), after.in_words()));
}

/// How the strategy that is on was recognized.
enum Recognized {
    /// By lines that only our own code writes.
    Lines(StrategyChoice),
    Compaction(StrategyChoice),
    BySizes(RecognizedBySizes),
}

impl Recognized {
    fn strategy(self) -> StrategyChoice {
        match self {
            Recognized::Lines(strategy) | Recognized::Compaction(strategy) => strategy,
            Recognized::BySizes(recognized) => recognized.strategy,
        }
    }
}

fn print_recognized(recognized: &Recognized) {
    match recognized {
        Recognized::Lines(strategy) => {
            let name = spelled(&strategy.name, &strategy.options);
            say(&format!("{name} is on: its lines stand in place of old results."));
        }
        Recognized::Compaction(strategy) => {
            say(&format!("{} is on: it compacts at this size.", spelled(&strategy.name, &strategy.options)));
        }
        Recognized::BySizes(RecognizedBySizes { strategy, explained, by_whole, requests }) => say(&format!(
            "{} is on: it explains the billed size of {} of {} requests, the whole history of {}.",
            spelled(&strategy.name, &strategy.options),
            grouped(*explained as u64),
            grouped(*requests as u64),
            grouped(*by_whole as u64)
        )),
    }
}

/// Prints a line, wrapped to the width of the terminal.
fn say(line: &str) {
    outln!("{}", wrapped(line, columns()));
}

fn print_promise(effect: Effect, promised: Option<f64>, strategy: &str) {
    let Some(promised) = promised else { return };
    let verdict = match effect.interval {
        Some((least, most)) if (least..=most).contains(&promised) => "the interval contains it",
        Some((least, _)) if promised < least => "less was saved",
        Some(_) => "more was saved",
        None => "one session cannot confirm it",
    };
    say(&format!("Promised by {strategy} on the logs before: {}; {verdict}.", signed_percent(promised)));
}
