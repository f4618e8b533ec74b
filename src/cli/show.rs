//! `ptc-eval show`: the trace of one scenario, in the views of DBG-007…DBG-010.

use clap::{Args, ValueEnum};

use super::exit::Exit;
use super::suite::{Choice, Wanted, find, usage_error};
use crate::agent::{Ending, Role, Turn};
use crate::compression::Statistics;
use crate::lisp::print::{pr_str, to_clojure};
use crate::replay::{Plan, Request, ScenarioResult, replay};
use crate::scenario::{Options, Scenario, Suite};
use crate::tokens::{DEFAULT_TOKENIZER, Tokenizer};

/// How much of a result the trace shows.
const RESULT_ITEMS: usize = 20;
const RESULT_CHARACTERS: usize = 500;

#[derive(Args)]
pub(super) struct Arguments {
    /// The scenario: its name or its file
    scenario: String,
    /// What the trace shows
    #[arg(long, value_enum, default_value = "turns")]
    view: View,
    /// Add the raw response of every turn
    #[arg(long)]
    raw: bool,
    /// Add tokens and the statistics of compression
    #[arg(long)]
    usage: bool,
    /// Only this turn
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
    /// The strategy under which requests are shown; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: Option<Wanted>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// Programs and results
    Turns,
    /// What the model saw
    Compressed,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let choice = Choice { paths: Vec::new(), tag: Vec::new(), filter: None };
    match replayed(arguments, &choice) {
        Ok((result, tokenizer)) => show(arguments, &result, &tokenizer),
        Err(message) => {
            err!("{message}");
            Exit::Unreadable
        }
    }
}

fn replayed(arguments: &Arguments, choice: &Choice) -> Result<(ScenarioResult, Tokenizer), String> {
    let (suite, scenario) = find(&arguments.scenario, choice)?;
    let wanted = strategy_of(arguments.strategy.as_ref(), &scenario, &suite);
    let tokenizer = Tokenizer::named(suite.tokenizer.as_deref().unwrap_or(DEFAULT_TOKENIZER))
        .map_err(|error| format!("error: {error}\n"))?;
    let plan = Plan::new(&suite, &[wanted]).map_err(|error| usage_error(&error))?;
    let result = replay(scenario, &plan, &|text| u64::from(tokenizer.count(text)))
        .map_err(|error| usage_error(&error))?;
    Ok((result, tokenizer))
}

/// The strategy that is asked for, else the scenario's own, else the suite's baseline.
pub(super) fn strategy_of(wanted: Option<&Wanted>, scenario: &Scenario, suite: &Suite) -> (String, Options) {
    match (wanted, &scenario.compression) {
        (Some(wanted), _) => (wanted.name.clone(), wanted.options.clone()),
        (None, Some(own)) => (own.strategy.clone(), Options::default()),
        (None, None) => (suite.baseline.clone(), Options::default()),
    }
}

fn show(arguments: &Arguments, result: &ScenarioResult, tokenizer: &Tokenizer) -> Exit {
    let Some(run) = result.strategies.first() else { return Exit::NothingSelected };
    let selected = |turn: u32| arguments.turn.is_none_or(|wanted| wanted == turn);
    let requests: Vec<&Request> = run.requests.iter().filter(|request| selected(request.turn)).collect();
    if requests.is_empty() {
        errln!("error: {} has no such turn, it took {}", result.scenario.name, run.requests.len());
        return Exit::Unreadable;
    }
    for request in &requests {
        match (arguments.view, result.step.turns.turns().get(request.turn as usize - 1)) {
            (View::Compressed, _) => print_request(request),
            (View::Turns, Some(turn)) => print_turn(turn, arguments.raw),
            (View::Turns, None) => {}
        }
        if arguments.usage {
            let contents = request.messages.iter().map(|message| message.content.as_str());
            outln!("Tokens: {} input", tokenizer.request_tokens(contents));
            outln!();
        }
    }
    if arguments.view == View::Turns && arguments.turn.is_none() {
        outln!("{}", ending_line(&result.step.ending));
    }
    if let (true, Some(last)) = (arguments.usage, requests.last()) {
        out!("{}", statistics_box(&last.statistics));
    }
    Exit::Success
}

fn print_request(request: &Request) {
    outln!("=== Request {} ===", request.turn);
    for message in &request.messages {
        let content = if message.role == Role::System {
            system_line(&message.content)
        } else {
            message.content.to_string()
        };
        outln!("[{}]\n{content}\n", message.role.name().to_uppercase());
    }
}

/// SYSTEM is the same in every request (DBG-006); `ptc-eval show` says so instead of repeating it.
fn system_line(content: &str) -> String {
    format!("(static, {} lines: snapshots/system-prompt.snap)", content.lines().count())
}

fn print_turn(turn: &Turn, raw: bool) {
    outln!("=== Turn {} ===", turn.number);
    if raw {
        outln!("Response:\n{}\n", turn.raw_response);
    }
    outln!("Program:\n{}\n", turn.program);
    for print in &turn.prints {
        outln!("Output: {print}");
    }
    match &turn.result {
        Ok(value) => outln!("Result: {}\n", to_clojure(value, RESULT_ITEMS, RESULT_CHARACTERS).0),
        Err(error) => outln!("Error: {}\n", error.message),
    }
}

fn ending_line(ending: &Ending) -> String {
    match ending {
        Ending::Return(value) => format!("Returned: {}", pr_str(value)),
        Ending::Fail(value) => format!("Failed: {}", pr_str(value)),
        Ending::Error(error) => format!("Ended by {}: {}", error.kind, error.message),
    }
}

/// The box of seed 2 (S4-14); empty where nothing was compressed.
fn statistics_box(statistics: &Statistics) -> String {
    if !statistics.enabled {
        return String::new();
    }
    let mut lines = vec![
        "+- Compression -------------------------------------------+".to_string(),
        format!("|   Strategy:     {}", statistics.strategy),
        format!("|   Turns:        {} compressed", statistics.turns_compressed),
    ];
    let shown = |label: &str, total: u32, shown: u32, dropped: u32| {
        let dropped = if dropped > 0 { format!(" ({dropped} dropped)") } else { String::new() };
        (total > 0).then(|| format!("|   {label:<14}{shown}/{total} shown{dropped}"))
    };
    let s = statistics;
    lines.extend(shown("Tool calls:", s.tool_calls_total, s.tool_calls_shown, s.tool_calls_dropped));
    lines.extend(shown("Printlns:", s.printlns_total, s.printlns_shown, s.printlns_dropped));
    if s.error_turns_collapsed > 0 {
        lines.push(format!("|   {:<14}{} turn(s) collapsed", "Errors:", s.error_turns_collapsed));
    }
    lines.push("+---------------------------------------------------------+\n".to_string());
    lines.join("\n")
}
