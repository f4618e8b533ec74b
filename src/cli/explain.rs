//! `ptc-eval show --why`: the tokens of a request by part, the break of its cached prefix, and its missing evidence.

use clap::Args;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::priced::{kept_for, logged_prices, price_table, prices_named};
use super::replayed::{Replayed, name_and_turn, no_such_turn, replayed, strategy_of};
use super::show::shown_content;
use super::suite::{Permission, StrategyChoice};
use super::token_cache::CachedTokenizer;
use crate::agent::{Message, Role};
use crate::compression::Request;
use crate::evaluate::ReplayedScenario;
use crate::measure::evidence::{EvidenceItem, EvidenceKind, Grade};
use crate::measure::numbers::grouped;
use crate::measure::{BreakAt, MeasuredRequest, MeasuredRun};
use crate::measure::{Gauges, refusal};
use crate::scenario::JsonOptions;
use conversation::cut::shortened_with;
use ptc_prices::Price;
use ptc_tokens::{MESSAGE_OVERHEAD, REQUEST_OVERHEAD};

/// The most characters of a line in the message about a break.
const SHOWN_OF_LINE: usize = 66;

#[derive(Args)]
pub(super) struct ExplainArguments {
    /// The scenario: its name, its file, or a log, LOG#N for its Nth conversation; @N asks about the request before turn N
    /// alone
    #[arg(value_name = "SCENARIO[@TURN]")]
    pub(super) scenario: String,
    /// The strategy that composed the requests; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    pub(super) strategy: Option<StrategyChoice>,
    /// Models whose cache and prices count (repeatable); default: those of the suite
    #[arg(long, value_name = "NAME")]
    pub(super) model: Vec<String>,
    /// Prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE")]
    pub(super) prices: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub(super) permission: Permission,
}

/// The requests of a run under a strategy, and the measures under that strategy and the baseline.
struct Explained {
    result: ReplayedScenario,
    requests: Vec<Request>,
    run: MeasuredRun,
    baseline: MeasuredRun,
    tokenizer: CachedTokenizer,
    models: Vec<Price>,
}

pub(super) fn run(arguments: &ExplainArguments) -> CliResult {
    let (name, turn) = name_and_turn(&arguments.scenario);
    let explained = Explained::new(arguments, name)?;
    let turns = match turn {
        Some(turn) => turn as usize..=turn as usize,
        None => 1..=explained.run.requests.len(),
    };
    for number in turns.clone() {
        if number > *turns.start() {
            outln!();
        }
        explained.print_request(number)?;
    }
    Ok(Exit::Success)
}

impl Explained {
    fn new(arguments: &ExplainArguments, name: &str) -> Result<Explained, CliError> {
        let replayed = replayed(name, &arguments.permission, |scenario, suite| {
            let baseline = (suite.baseline.clone(), JsonOptions::default());
            vec![strategy_of(arguments.strategy.as_ref(), scenario, suite), baseline]
        })?;
        let suite = &replayed.suite;
        let names = if arguments.model.is_empty() { &suite.models } else { &arguments.model };
        let models = prices_named(&price_table(arguments.prices.as_deref())?, names)?;
        let models = kept_for(models, suite.ttl);
        let logged = logged_prices(suite, &arguments.model, suite.ttl);
        let gauges = Gauges {
            tokenizer: &replayed.tokenizer,
            models: &models,
            logged: logged.as_ref(),
            warm_system: suite.warm_system,
        };
        let measured = replayed.measured(gauges)?;
        let [run, baseline]: [MeasuredRun; 2] = measured.try_into().map_err(|_| CliError::NoStrategy)?;
        let Replayed { result, tokenizer, .. } = replayed;
        let requests = result.strategies.first().into_iter().flat_map(|run| run.answered());
        Ok(Explained { requests: requests.cloned().collect(), result, run, baseline, tokenizer, models })
    }

    fn print_request(&self, number: usize) -> Result<(), CliError> {
        let index = number.wrapping_sub(1);
        let (Some(request), Some(measured)) = (self.requests.get(index), self.run.requests.get(index)) else {
            return Err(no_such_turn(&self.result));
        };
        outln!("=== Request {number} of {} under {} ===\n", self.result.scenario.name, self.run.name);
        // The facts are what most readers look for, and a request may have a hundred parts.
        print_evidence(measured);
        outln!();
        self.print_tokens(request, measured, index);
        if let Some(reason) = refusal(&request.messages, self.result.conversation.past()) {
            outln!("Refused\n  by a chat model: {reason}\n");
        }
        self.print_prefix(request, measured, index);
        Ok(())
    }

    fn print_tokens(&self, request: &Request, measured: &MeasuredRequest, index: usize) {
        outln!("Tokens by part ({})", self.tokenizer.name());
        for (label, tokens) in self.count_parts(&request.messages) {
            outln!("  {label:<24}{:>9}", grouped(u64::from(tokens)));
        }
        let overhead = MESSAGE_OVERHEAD * request.messages.len() as u32 + REQUEST_OVERHEAD;
        outln!("  {:<24}{:>9}", "chat format", grouped(u64::from(overhead)));
        let total = grouped(u64::from(measured.input_tokens));
        let compared = match self.baseline.requests.get(index).map(|request| request.input_tokens) {
            Some(most) if self.baseline.name != self.run.name && most > 0 => {
                let ratio = f64::from(measured.input_tokens) / f64::from(most);
                format!("   {ratio:.2}x {} ({})", self.baseline.name, grouped(u64::from(most)))
            }
            _ => String::new(),
        };
        outln!("  {:<24}{total:>9}{compared}", "input tokens");
        let script = self.result.scenario.script();
        let origin = script.and_then(|script| script.recorded_answers.get(index)?.as_deref());
        // The bill only applies to the request that was sent.
        if let Some(answer) = origin
            && answer.strategy == self.run.name
            && let Some(billed) = answer.usage.as_ref().and_then(|usage| usage.input_tokens)
        {
            let ratio = f64::from(measured.input_tokens) / billed.max(1) as f64;
            let label = format!("billed by {}", answer.model);
            outln!("  {label:<24}{:>9}   counted {ratio:.2}x", grouped(billed));
        }
        outln!();
    }

    /// The name and token count of each part. A token shared by two parts counts for the later part, so the sum is that of the whole
    /// message.
    fn count_parts(&self, messages: &[Message]) -> Vec<(String, u32)> {
        let mut parts = Vec::new();
        let tools = self.result.conversation.past().declared_tools();
        let tools: u32 = tools.iter().map(|tool| self.tokenizer.count(tool)).sum();
        parts.extend((tools > 0).then(|| ("declared tools".to_string(), tools)));
        for (number, message) in (1..).zip(messages) {
            let calls = message.native.as_ref().map_or(0, |native| {
                let tokens = native.tokens(|text| u64::from(self.tokenizer.count(text)));
                u32::try_from(tokens).unwrap_or(u32::MAX)
            });
            self.add_content(number, message, &mut parts);
            parts.extend((calls > 0).then(|| (format!("message {number}, calls"), calls)));
            let images = message.image_tokens;
            parts.extend((images > 0).then(|| (format!("message {number}, no text"), images)));
        }
        parts
    }

    fn add_content(&self, number: usize, message: &Message, parts: &mut Vec<(String, u32)>) {
        if message.parts.is_empty() {
            let label = match message.role {
                Role::System => "system".to_string(),
                role => format!("message {number}, {}", role.name()),
            };
            let tokens = self.tokenizer.count(&message.content);
            // An answer with calls only has no content.
            parts.extend((tokens > 0).then_some((label, tokens)));
            return;
        }
        let ends = message.parts.iter().skip(1).map(|(_, start)| *start as usize);
        let ends = ends.chain([message.content.len()]);
        // A token may span the end of a part, so each part is counted together with the text before it.
        let mut before = 0;
        for ((part, _), end) in message.parts.iter().zip(ends) {
            let upto = self.tokenizer.count(message.content.get(..end).unwrap_or(&message.content));
            parts.push((part.name().to_string(), upto.saturating_sub(before)));
            before = before.max(upto);
        }
    }

    fn print_prefix(&self, request: &Request, measured: &MeasuredRequest, index: usize) {
        outln!("Cached prefix");
        match index.checked_sub(1).and_then(|before| self.requests.get(before)) {
            None => outln!("  the first request, nothing is cached yet"),
            Some(before) => {
                let tokens = grouped(u64::from(measured.prefix_tokens));
                outln!(
                    "  {tokens} tokens begin as in request {index}; {}",
                    describe_break(measured.break_at)
                );
                print_break(&before.messages, &request.messages);
            }
        }
        for (model, bill) in self.models.iter().zip(&measured.bills) {
            let fresh = measured.input_tokens - bill.cached_tokens - bill.written_tokens;
            outln!(
                "  {}: {} read from the cache, {} written to it, {} fresh; ${:.6}",
                model.model,
                grouped(u64::from(bill.cached_tokens)),
                grouped(u64::from(bill.written_tokens)),
                grouped(u64::from(fresh)),
                bill.cost.dollars(),
            );
        }
    }
}

fn describe_break(at: BreakAt) -> String {
    match at {
        BreakAt::Nowhere => "this one goes on from there".to_string(),
        BreakAt::Part(part) => format!("the first difference lies in the part {}", part.name()),
        BreakAt::Message(number) => format!("the first difference lies in message {number}"),
    }
}

/// Prints the first different line, before and now. Each call in a message is a line.
fn print_break(before: &[Message], now: &[Message]) {
    let at = Message::shared_start(before, now);
    let (Some(before), Some(now)) = (before.get(at), now.get(at)) else { return };
    let [before, now] = [before, now].map(shown_content);
    let (mut old, mut new) = (before.lines(), now.lines());
    loop {
        match (old.next(), new.next()) {
            (None, None) => return,
            (old, new) if old == new => {}
            (old, new) => {
                outln!("    before: {}", shown_line(old));
                outln!("    now:    {}", shown_line(new));
                return;
            }
        }
    }
}

fn shown_line(line: Option<&str>) -> String {
    let line = match line {
        None => return "(the end)".to_string(),
        Some("") => return "(an empty line)".to_string(),
        Some(line) => line,
    };
    shortened_with(line, SHOWN_OF_LINE, " ...").into_owned()
}

fn print_evidence(measured: &MeasuredRequest) {
    let evidence = &measured.evidence;
    match evidence.needed() {
        0 => outln!("Facts: the answer uses none of earlier messages"),
        needed => outln!("Facts that the answer uses: the request shows {} of {needed}", evidence.shown),
    }
    for lost in &evidence.lost {
        outln!("  {}", lost_line(lost, measured.turn));
    }
    for lost in &evidence.instructions {
        let place = lost.turn.map_or(" (in the opening)".to_owned(), |turn| format!(" (after turn {turn})"));
        outln!("  instruction no longer shown: {lost}{place}");
    }
}

/// `gone: 5150; turn 2 had produced it, turn 3 uses it`
fn lost_line(lost: &EvidenceItem, turn: u32) -> String {
    let who = match lost.kind {
        EvidenceKind::Used => format!("turn {turn} uses it"),
        EvidenceKind::Listed => format!("turn {turn} lists it as needed"),
        EvidenceKind::Instruction => "a person said it".to_owned(),
    };
    let origin = match (lost.turn, lost.grade) {
        (Some(turn), Grade::Own) => format!("the answer of turn {turn} contained it, "),
        (Some(produced), _) => format!("turn {produced} had produced it, "),
        (None, _) if lost.kind == EvidenceKind::Used => "the opening had it, ".to_owned(),
        (None, _) => String::new(),
    };
    format!("{}: {lost}; {origin}{who}", lost.grade)
}
