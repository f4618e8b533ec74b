//! `ptc-eval effect`: compares logs from before and after a change, request by request at the same places of sessions.

mod seen;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use self::seen::Seen;
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
use crate::measure::numbers::{dollars, grouped, percentage};
use crate::report::effect::{
    Effect, MoreSessions, Outcome, Promise, SessionCosts, less_or_more, may_be_chance,
};
use crate::report::{AnswerTally, StrategyComparison};
use crate::scenario::{JsonOptions, Known};
use ptc_prices::PriceTable;
use ptc_tokens::Tokenizer;

/// A larger difference of the shares of answers without a token count has a warning. Chosen, not measured.
const OTHER_GAPS: f64 = 0.1;
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
    let costs = [before.costs(), after.costs()];
    let Some(effect) = Effect::of(&costs[0], &costs[1]) else {
        say("No request after the change has one at the same place of a session before it.");
        print_sides(&before, &after);
        return Ok(Exit::NothingSelected);
    };
    let tokenizer = CachedTokenizer::named(None)?;
    let seen = Seen::between(&before, &after, arguments.strategy.as_ref(), &tokenizer)?;
    let strategy = arguments.strategy.as_ref().or(seen.strategy());
    let earlier = before.judge(strategy, &tokenizer)?;
    let later = after.judge(seen.strategy_in_sizes(), &tokenizer)?;
    let absent = arguments.strategy.as_ref().and_then(|asked| Some((asked, seen.absence_of(asked)?)));
    let predicted = match (absent, &seen) {
        // The change is another one than the strategy that was asked for.
        (Some(_), _) => None,
        (None, Seen::Lifetime) => before.predict_lifetime(),
        (None, _) => earlier.change,
    };
    let more = MoreSessions::of(&effect, predicted, &costs[0], &costs[1]);
    say(&effect.verdict(predicted));
    if let Some((asked, absence)) = absent {
        say(&format!(
            "{} {absence}, so its prediction{} cannot be checked.",
            as_typed(asked),
            earlier.change.map_or_else(String::new, |change| format!(" ({})", less_or_more(change)))
        ));
    }
    let mut step = next_step(effect.outcome(predicted), &seen, &after);
    if let Some(more) = more {
        step = format!("{step} {}", more.sentence(&effect, predicted));
    }
    say(&match order_of(&before, &after) {
        Order::Right => format!("What to do: {step}"),
        Order::Swapped => {
            "What to do first: swap BEFORE and AFTER: BEFORE begins later than AFTER. Then run this \
                           again."
                .to_owned()
        }
        Order::Overlapping { sort } => {
            format!("What to do first: {sort} If the result stays the same: {step}")
        }
    });
    let warnings = [other_models(&before, &after), other_gaps(&before, &after)];
    warnings.iter().flatten().for_each(|warning| say(warning));
    print_sides(&before, &after);
    print_costs(effect, before.longest());
    say(&seen.line(&before, &after, arguments.strategy.as_ref()));
    if let Some(predicted) = predicted {
        say(&source_of_prediction(predicted, &before, arguments.strategy.as_ref(), &seen));
    }
    print_compactions(&before, &after);
    // Logs that keep the whole history show only under the strategy what requests lacked.
    let later = if seen.strategy_in_sizes().is_some() { later.under_strategy } else { later.sent };
    print_lost_facts(earlier.sent, later);
    say(&trust_in_dollars(&before, &after));
    Ok(Exit::Success)
}

/// What to do now.
fn next_step(outcome: Outcome, seen: &Seen, after: &Side) -> String {
    let undo = seen.undo(after);
    match outcome {
        Outcome::OneSession => "run this again with more sessions.".to_owned(),
        Outcome::Nothing => format!("check that the change is on. If it is, it saves nothing here: {undo}."),
        Outcome::Undecided(Promise::Missed) => {
            format!("do not count on the prediction. To stop here, {undo}; to see if it saves less, add sessions.")
        }
        Outcome::Undecided(_) => {
            let keep = match seen.name(after) {
                Some(name) => format!("keep {name} on for now"),
                None => "leave your settings as they are".to_owned(),
            };
            format!("{keep}. No extra cost is proven, so there is nothing to undo. Run this again with more sessions.")
        }
        Outcome::Fell(_) | Outcome::Rose(_) if !seen.is_recognized() => {
            "find the cause. The logs show no setting that was switched on; other tasks, another model or longer answers \
             change the cost too."
                .to_owned()
        }
        Outcome::Fell(_) => format!("keep {} on.", seen.name(after).as_deref().unwrap_or("it")),
        Outcome::Rose(_) => format!("{undo}, unless the tasks or the model changed too."),
    }
}

/// Where the predicted change comes from.
fn source_of_prediction(
    predicted: f64,
    before: &Side,
    asked: Option<&StrategyChoice>,
    seen: &Seen,
) -> String {
    let (predicted, sessions) = (less_or_more(predicted), count(before.costs().len(), "session"));
    let how = match asked.or(seen.strategy()) {
        Some(strategy) => {
            format!("ptc-eval replayed the {sessions} from before the change with {}", as_typed(strategy))
        }
        None => format!(
            "ptc-eval priced the {sessions} from before the change as if the cache had been kept for 1 h"
        ),
    };
    format!("The predicted {predicted}: {how}. No model was called.")
}

/// Prints how often the history was shortened.
fn print_compactions(before: &Side, after: &Side) {
    let [earlier, later] = [before, after].map(|side| side.conversations.compacted().in_words());
    say(&format!("History was shortened: before {earlier}; after {later}."));
}

/// Prints how many answers used a fact that was no longer sent.
fn print_lost_facts(earlier: AnswerTally, later: AnswerTally) {
    let may_be_right = if earlier.short + later.short > 0 { " They may still be right." } else { "" };
    let unknown = match (earlier.needing, later.needing) {
        (0, 0) => Some(("on both sides", String::new())),
        (0, _) => Some((
            "before the change",
            format!(" Of those after it, {} had a request without that text.", short_of(later)),
        )),
        (_, 0) => Some((
            "after the change",
            format!(" Of those before it, {} had a request without that text.", short_of(earlier)),
        )),
        _ => None,
    };
    if let Some((side, other)) = unknown {
        say(&format!(
            "Lost facts: unknown {side}, since no answer there uses a name, number or line of earlier text.{other}{may_be_right}"
        ));
        return;
    }
    // By cross-multiplication, without rounding.
    let is_more = later.short * earlier.needing > earlier.short * later.needing;
    let is_chance = may_be_chance((earlier.short, earlier.needing), (later.short, later.needing));
    let verdict = match (is_more, is_chance) {
        (true, false) => "more than before",
        (true, true) => "about as many as before (the difference may be chance)",
        (false, _) => "not more than before",
    };
    say(&format!(
        "Lost facts: {verdict}. Of the answers with a name, number or line of earlier text, these had a request without it: \
         before {}, after {}.{may_be_right}",
        short_of(earlier),
        short_of(later)
    ));
}

/// `3 of 40 (7.5%)`
fn short_of(AnswerTally { needing, short, .. }: AnswerTally) -> String {
    format!("{} of {} ({})", grouped(short), grouped(needing), percentage(short as f64 / needing as f64))
}

/// What the dollars are, and what they lack.
fn trust_in_dollars(before: &Side, after: &Side) -> String {
    let mut line =
        "Dollars: the token counts of the logs at API prices; a subscription is billed otherwise.".to_owned();
    let [earlier, later] = [before, after].map(|side| side.conversations.spending().without_output);
    if earlier + later > 0 {
        line += &format!(
            " Too low: the answers of {} before and {} after have no token count in the logs.",
            count(earlier as usize, "request"),
            grouped(later)
        );
    }
    line
}

/// Prints the logs compared.
fn print_sides(before: &Side, after: &Side) {
    outln!();
    say(&before.line());
    say(&after.line());
}

/// A warning if different shares of the answers have no token count: their cost is missing.
fn other_gaps(before: &Side, after: &Side) -> Option<String> {
    let [earlier, later] = [before, after].map(|side| {
        let spending = side.conversations.spending();
        spending.without_output as f64 / spending.requests.max(1) as f64
    });
    if (earlier - later).abs() < OTHER_GAPS {
        return None;
    }
    let (side, effect) = match earlier > later {
        true => ("before", "The real saving is larger, or the extra cost smaller."),
        false => ("after", "The real saving is smaller, or the extra cost larger."),
    };
    Some(format!(
        "Warning: {} of the answers before and {} after have no token count in the logs, so more of the cost is missing {side} \
         the change. {effect}",
        percentage(earlier),
        percentage(later)
    ))
}

/// A warning if the sessions of the two sides are mostly by different models.
fn other_models(before: &Side, after: &Side) -> Option<String> {
    let (earlier, later) = (before.main_model()?, after.main_model()?);
    if earlier == later {
        return None;
    }
    Some(format!(
        "Warning: most answers are by {earlier} before and by {later} after, so the change of the cost may include that of \
         the price."
    ))
}

/// The days of the sessions of the two sides.
enum Order {
    /// One side before the other, or unknown.
    Right,
    /// All of BEFORE after all of AFTER.
    Swapped,
    /// With what to do about it.
    Overlapping { sort: String },
}

fn order_of(before: &Side, after: &Side) -> Order {
    let days = before.conversations.span().zip(after.conversations.span());
    let Some((earlier, later)) = days else { return Order::Right };
    if earlier.1 <= later.0 {
        return Order::Right;
    }
    if later.1 <= earlier.0 {
        return Order::Swapped;
    }
    let sort = format!(
        "the folders overlap: BEFORE ends on {}, and AFTER begins on {}. Sort the sessions by the day of the change, and run this \
         again.",
        days_in_words((earlier.1, earlier.1)),
        days_in_words((later.0, later.0))
    );
    Order::Overlapping { sort }
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
        if side.costs().is_empty() {
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

    /// The costs of the requests of each session, without sessions that have none. Subagents belong to their session.
    fn costs(&self) -> Vec<SessionCosts> {
        let mut sessions: Vec<SessionCosts> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let billed = || self.conversations.all.iter().filter(|conversation| !conversation.costs.is_empty());
        for conversation in billed().filter(|conversation| !conversation.is_subagent) {
            if let Some(session) = &conversation.session {
                places.insert(session, sessions.len());
            }
            sessions.push(vec![conversation.costs.clone()]);
        }
        for conversation in billed().filter(|conversation| conversation.is_subagent) {
            let new = sessions.len();
            let place = match &conversation.session {
                Some(session) => *places.entry(session).or_insert(new),
                None => new,
            };
            match sessions.get_mut(place) {
                Some(session) => session.push(conversation.costs.clone()),
                None => sessions.push(vec![conversation.costs.clone()]),
            }
        }
        sessions
    }

    /// The product that wrote all logs.
    fn product(&self) -> Option<&'static Product> {
        self.conversations.format().and_then(Product::of_logs)
    }

    /// The most requests of a session.
    fn longest(&self) -> usize {
        self.conversations.all.iter().map(|conversation| conversation.costs.len()).max().unwrap_or(0)
    }

    /// `before: 8 sessions of Claude Code in logs/january, 640 requests, $12.30, 5 Jan to 9 Feb 2026`
    fn line(&self) -> String {
        let costs = self.costs();
        let requests = count(costs.iter().flatten().map(Vec::len).sum(), "request");
        let days =
            self.conversations.span().map_or_else(String::new, |days| format!(", {}", days_in_words(days)));
        let mut sessions = count(costs.len(), "session");
        let product = self.product().map_or_else(String::new, |product| format!(" of {}", product.title));
        sessions += &product;
        let subagents = self.conversations.number_of_subagents();
        if subagents > 0 {
            sessions += &format!(" with {}", count(subagents, "subagent"));
        }
        let total = dollars(costs.iter().flatten().flatten().sum());
        format!(
            "{:<7} {sessions} in {}, {requests}, {total}{days}",
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
        let preset = self.product()?.compaction()?;
        let mean = self.conversations.compacted().mean_before()?;
        let tokens = if mean > ROUNDED { mean / ROUNDED * ROUNDED } else { mean };
        let options = JsonOptions::from_iter([(TRIGGER.to_owned(), json!({ "tokens": tokens }))]);
        Some(StrategyChoice { name: preset.name.clone(), options })
    }

    /// The model of most answers.
    fn main_model(&self) -> Option<String> {
        let answers = self.conversations.answers();
        answers.iter().max_by_key(|(_, number)| *number).map(|(model, _)| model.to_owned())
    }

    /// Replays these logs under a strategy, or as they were sent without one.
    fn judge(
        &self,
        strategy: Option<&StrategyChoice>,
        tokenizer: &Tokenizer,
    ) -> Result<JudgedSide, CliError> {
        let mut judging = JudgeSettings { known: self.known.clone(), ..JudgeSettings::default() };
        judging.suite.strategies = strategy.cloned().into_iter().collect();
        let scratch = Scratch::new()?;
        let place = ReportPlace::in_scratch(&scratch);
        let comparison = judge_logs(&self.conversations, &place, &judging, tokenizer)?.comparison;
        let baseline = comparison.strategy(&comparison.header.baseline);
        // Strategies given on the command line come first.
        let first = strategy.and_then(|_| comparison.strategies.first());
        let change = first.and_then(|strategy| strategy.costs.first()?.ratio).map(|ratio| ratio - 1.0);
        let answers = |judged: &StrategyComparison| judged.sums.answers;
        Ok(JudgedSide {
            change,
            sent: baseline.map(answers).unwrap_or_default(),
            under_strategy: first.map(answers).unwrap_or_default(),
        })
    }

    /// The same for the long cache lifetime, which the main conversations alone get.
    fn predict_lifetime(&self) -> Option<f64> {
        let spending = self.conversations.spending();
        let change = spending.with_long?.change - spending.subagents.with_long;
        Some(change / spending.parts.total())
    }
}

/// The logs of a side under a strategy.
struct JudgedSide {
    /// The relative change in cost. `None` without prices or a strategy.
    change: Option<f64>,
    /// Answers lacking a fact as the logs were sent, and under the strategy.
    sent: AnswerTally,
    under_strategy: AnswerTally,
}

/// Prints the mean costs, and how many requests were compared. `longest` is the longest session before the change, in requests.
fn print_costs(effect: Effect, longest: usize) {
    let [before, after] = [effect.before, effect.after].map(dollars);
    say(&format!(
        "Compared: the cost of a request, which is one call of the model: {after} after the change, {before} at the same \
         places of sessions before it (the first request with the first, the 40th with the 40th).",
    ));
    if effect.compared < effect.requests {
        say(&format!(
            "Requests compared: {} of {} after the change. The longest session before it has {}, so later ones have \
             nothing to be compared with.",
            grouped(effect.compared as u64),
            grouped(effect.requests as u64),
            count(longest, "request")
        ));
    }
}

/// Prints a line, wrapped to the width of the terminal.
fn say(line: &str) {
    outln!("{}", wrapped(line, columns()));
}
