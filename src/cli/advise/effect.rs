//! `ptc-eval effect`: compares logs from before and after a change, request by request at the same places of sessions.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::own_lines::OwnPattern;
use super::recognize::{RecognizedBySizes, recognize};
use super::settings::LogSources;
use super::titles::days_in_words;
use super::{
    Cached, Conversations, JudgeSettings, LogSuite, ReportPlace, SuiteStrategies, judge_logs, read_logs,
};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::priced::{Priced, price_table};
use crate::cli::recommendation::wrapped;
use crate::cli::scratch::Scratch;
use crate::cli::suite::{Permission, StrategyChoice, as_typed, count, known};
use crate::cli::terminal::columns;
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::{Product, TRIGGER};
use crate::measure::numbers::{dollars, grouped, signed_percent};
use crate::report::effect::{Effect, SessionCosts};
use crate::scenario::{JsonOptions, Known};
use ptc_prices::PriceTable;
use ptc_tokens::Tokenizer;

/// Compactions at sizes this close count as one setting. Chosen, not measured.
const NEAR: f64 = 0.05;
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
    let [before, after] = [("before", &arguments.before), ("after", &arguments.after)]
        .map(|(name, path)| Side::read(name, path, &table));
    let (before, after) = (before?, after?);
    let Some(effect) = Effect::of(&before.costs(), &after.costs()) else {
        say("No request after the change has one at the same place of a session before it.");
        print_sides(&before, &after);
        return Ok(Exit::NothingSelected);
    };
    let compactions = [&before, &after].map(|side| side.conversations.compacted());
    let tokenizer = CachedTokenizer::named(None)?;
    let seen = Seen::between(&before, &after, arguments.strategy.as_ref(), &tokenizer)?;
    let predicted = match (&arguments.strategy, &seen) {
        (Some(strategy), _) => before.predict(strategy, &tokenizer)?,
        (None, Seen::Lifetime) => before.predict_lifetime(),
        (None, Seen::Lines(strategy) | Seen::Compaction(strategy)) => before.predict(strategy, &tokenizer)?,
        (None, Seen::BySizes(recognized)) => before.predict(&recognized.strategy, &tokenizer)?,
        (None, Seen::SameCompaction(_) | Seen::Nothing) => None,
    };
    say(&effect.verdict(predicted));
    print_sides(&before, &after);
    print_costs(effect, before.longest());
    let [earlier, later] = compactions.map(|compactions| compactions.in_words());
    say(&format!("History was shortened: before {earlier}; after {later}"));
    seen.line().iter().for_each(|line| say(line));
    Ok(Exit::Success)
}

/// Prints the logs compared.
fn print_sides(before: &Side, after: &Side) {
    out_of_order(before, after).iter().for_each(|warning| say(warning));
    outln!();
    say(&before.line());
    say(&after.line());
}

/// A warning if the sessions of the two sides are not one before the other.
fn out_of_order(before: &Side, after: &Side) -> Option<String> {
    let (earlier, later) = before.conversations.span().zip(after.conversations.span())?;
    if earlier.0 > later.0 {
        return Some("BEFORE begins later than AFTER: are they swapped?".to_owned());
    }
    if earlier.1 <= later.0 {
        return None;
    }
    let warning = "Warning: some sessions of BEFORE are later than the first of AFTER. Sort the sessions by the day of the \
                   change, and run this again.";
    Some(warning.to_owned())
}

/// The logs from before or after the change.
struct Side {
    name: &'static str,
    path: PathBuf,
    known: Known,
    conversations: Conversations,
}

impl Side {
    fn read(name: &'static str, path: &Path, table: &PriceTable) -> Result<Side, CliError> {
        let conversations = read_logs(&LogSources::find(&[path.to_owned()])?, table)?;
        let known = known(&Permission::default(), Some(table));
        let side = Side { name, path: path.to_owned(), known, conversations };
        if side.costs().iter().all(Vec::is_empty) {
            return Err(CliError::NoCosts { path: path.to_owned(), reason: side.without_costs(table) });
        }
        Ok(side)
    }

    /// Why no request has a cost.
    fn without_costs(&self, table: &PriceTable) -> String {
        if self.conversations.all.is_empty() {
            return format!("there is no conversation{}", self.conversations.logs.left_out_in_words());
        }
        let kept = || self.conversations.all.iter();
        let counted = kept().flat_map(|conversation| &conversation.inputs).flatten().count();
        if counted == 0 {
            let has_sums = kept().any(|conversation| conversation.billed.is_some());
            let reason =
                if has_sums { "token counts are of whole sessions" } else { "no request has token counts" };
            return reason.to_owned();
        }
        let requests = count(counted, "request");
        let answers = self.conversations.answers();
        match answers.iter().find(|(model, _)| table.find(model, table.day()).is_err()) {
            Some((model, _)) => format!("{model} has no price (--prices adds one)"),
            None if answers.iter().next().is_none() => format!("{requests} with token counts name no model"),
            None => format!("{requests} with token counts have no cache counts"),
        }
    }

    /// The costs of the requests of each session.
    fn costs(&self) -> Vec<SessionCosts> {
        self.conversations.all.iter().map(|conversation| conversation.costs.clone()).collect()
    }

    /// The most requests of a session.
    fn longest(&self) -> usize {
        self.conversations.all.iter().map(|conversation| conversation.costs.len()).max().unwrap_or(0)
    }

    /// `before: 8 sessions of Claude Code in logs/january, 640 requests, $12.30, 5 Jan to 9 Feb 2026`
    fn line(&self) -> String {
        let costs = self.costs();
        let requests = count(costs.iter().map(Vec::len).sum(), "request");
        let days =
            self.conversations.span().map_or_else(String::new, |days| format!(", {}", days_in_words(days)));
        let sessions = count(costs.len(), "session");
        let product = self.conversations.format().and_then(Product::of_logs);
        let product = product.map_or_else(String::new, |product| format!(" of {}", product.title));
        let total = dollars(costs.iter().flatten().sum());
        format!(
            "{:<7} {sessions}{product} in {}, {requests}, {total}{days}",
            format!("{}:", self.name),
            self.path.display()
        )
    }

    /// The strategy recognized by billed request sizes.
    fn recognize(
        &self,
        asked: Option<&StrategyChoice>,
        tokenizer: &Tokenizer,
    ) -> Result<Option<RecognizedBySizes>, CliError> {
        let (conversations, known) = (&self.conversations, &self.known);
        let priced = Priced::of_logs(&known.prices, &conversations.answers(), conversations.span(), None)?;
        let strategies = SuiteStrategies { compacted: false, rewriting: false };
        let suite = LogSuite::new(&priced.models, strategies, &[], Cached::default());
        let suite = suite.open_suite(known.clone(), conversations.transcripts())?;
        let inputs: Vec<(&str, &[Option<u64>])> = conversations
            .all
            .iter()
            .map(|conversation| (conversation.name.as_str(), conversation.inputs.as_slice()))
            .collect();
        recognize(&suite, tokenizer, asked, &inputs)
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
    fn predict(&self, strategy: &StrategyChoice, tokenizer: &Tokenizer) -> Result<Option<f64>, CliError> {
        let mut judging = JudgeSettings { known: self.known.clone(), ..JudgeSettings::default() };
        judging.suite.strategies = vec![strategy.clone()];
        let scratch = Scratch::new()?;
        let place = ReportPlace::in_scratch(&scratch);
        let advised = judge_logs(&self.conversations, &place, &judging, tokenizer)?;
        // Strategies given on the command line come first.
        let predicted = advised.comparison.strategies.first();
        Ok(predicted.and_then(|strategy| strategy.costs.first()?.ratio).map(|ratio| ratio - 1.0))
    }

    /// The same for the long cache lifetime, which the main conversations alone get.
    fn predict_lifetime(&self) -> Option<f64> {
        let spending = self.conversations.spending();
        let change = spending.with_long?.change - spending.subagents.with_long;
        Some(change / spending.parts.total())
    }
}

/// Prints the mean costs, and how many requests were compared. `longest` is the longest session before the change, in requests.
fn print_costs(effect: Effect, longest: usize) {
    let [before, after] = [effect.before, effect.after].map(dollars);
    say(&format!(
        "A request cost {before} before and {after} after, at the same place of a session: {}",
        signed_percent(effect.change())
    ));
    if effect.compared < effect.requests {
        say(&format!(
            "Compared: {} of {} requests after the change. The longest session before it has {}, so later ones have \
             nothing to be compared with.",
            grouped(effect.compared as u64),
            grouped(effect.requests as u64),
            count(longest, "request")
        ));
    }
}

/// The change seen in the logs.
enum Seen {
    /// One of our own strategies, by lines that only our own code writes.
    Lines(StrategyChoice),
    /// The long cache lifetime.
    Lifetime,
    /// The product's own compaction, at another size than before.
    Compaction(StrategyChoice),
    /// The same at about the same size.
    SameCompaction(StrategyChoice),
    BySizes(RecognizedBySizes),
    Nothing,
}

impl Seen {
    fn between(
        before: &Side,
        after: &Side,
        asked: Option<&StrategyChoice>,
        tokenizer: &Tokenizer,
    ) -> Result<Seen, CliError> {
        let [earlier, later] = [before, after].map(|side| &side.conversations);
        if later.times().ttl().is_some() && earlier.times().ttl().is_none() {
            return Ok(Seen::Lifetime);
        }
        let pattern = later.own_lines().most_frequent();
        if let Some(strategy) = pattern.and_then(OwnPattern::strategy) {
            return Ok(Seen::Lines(strategy));
        }
        // Clearings by our own code are no compactions of a product.
        let compaction = if later.compacted().number() > 0 { after.compaction() } else { None };
        let Some(strategy) = compaction else {
            let recognized = after.recognize(asked, tokenizer)?;
            return Ok(recognized.map_or(Seen::Nothing, Seen::BySizes));
        };
        let sizes = [earlier, later].map(|side| side.compacted().mean_before().map(|size| size as f64));
        let is_same = matches!(sizes, [Some(one), Some(other)] if (one - other).abs() <= NEAR * one);
        Ok(if is_same { Seen::SameCompaction(strategy) } else { Seen::Compaction(strategy) })
    }

    fn line(&self) -> Option<String> {
        Some(match self {
            Seen::Lifetime => "The cache is now kept for 1 h; before the change it was not.".to_owned(),
            Seen::Lines(strategy) => {
                format!("{} is on: its lines replace old results.", as_typed(strategy))
            }
            Seen::Compaction(strategy) => {
                format!("{} is on: it compacts at this size.", as_typed(strategy))
            }
            Seen::SameCompaction(strategy) => {
                format!(
                    "The agent compacts at about the same size as before ({}), so that is not the reason for a change.",
                    as_typed(strategy)
                )
            }
            Seen::BySizes(RecognizedBySizes { strategy, explained, by_whole, requests }) => format!(
                "{} is on: it explains the size of {} of {} requests, the whole history that of {}.",
                as_typed(strategy),
                grouped(*explained as u64),
                grouped(*requests as u64),
                grouped(*by_whole as u64)
            ),
            Seen::Nothing => return None,
        })
    }
}

/// Prints a line, wrapped to the width of the terminal.
fn say(line: &str) {
    outln!("{}", wrapped(line, columns()));
}
