//! `ptc-eval show`: prints the trace of one scenario.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCompleter;

use super::diff::side_by_side;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::explain::{self, ExplainArguments};
use super::generate::{complete_scenarios, complete_strategies};
use super::replayed::{name_and_turn, no_such_turn, replayed, strategy_of};
use super::suite::{Permission, StrategyChoice, count};
use super::terminal::{Color, for_reader};
use crate::agent::{
    Conversation, Ending, GeneratedPart, LoggedTurn, Message, ProgramTurn, Role, SystemPiece, SystemPrompt,
    Turn,
};
use crate::compression::{Request, Statistics};
use crate::evaluate::ReplayedScenario;
use crate::measure::MeasuredRun;
use crate::scenario::Place;
use ptc_lisp::error::Error;
use ptc_lisp::print::{pr_str, to_clojure};

/// The most items and characters of a result in the trace, as in the feedback of a turn.
const RESULT_ITEMS: usize = 20;
const RESULT_CHARACTERS: usize = 500;

#[derive(Args, Clone)]
pub(super) struct ShowArguments {
    /// A scenario's name, its file, or a log; LOG#3 is the third conversation of a log, NAME@7 is turn 7 alone
    #[arg(value_name = "SCENARIO[@TURN]", add = ArgValueCompleter::new(complete_scenarios))]
    scenario: String,
    /// Show the messages sent to the model before each turn
    #[arg(long)]
    request: bool,
    /// Explain each request: tokens by part, the cached prefix, the facts that it lacks
    #[arg(long, conflicts_with_all = ["request", "raw", "usage", "view"])]
    why: bool,
    /// Compare the requests with those under another strategy, side by side
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]", conflicts_with_all = ["why", "raw", "usage", "view"],
        add = ArgValueCompleter::new(complete_strategies))]
    against: Option<StrategyChoice>,
    /// Content of the trace
    #[arg(long, value_enum, default_value = "turns", hide = true, conflicts_with = "request")]
    view: View,
    /// Add the model's whole answer for every turn
    #[arg(long)]
    raw: bool,
    /// Add token counts, and how much the strategy left out
    #[arg(long)]
    usage: bool,
    /// Only this turn
    #[arg(long, value_name = "N", hide = true)]
    turn: Option<u32>,
    /// Show requests under this strategy; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]", add = ArgValueCompleter::new(complete_strategies))]
    strategy: Option<StrategyChoice>,
    /// With --why: explain the cost with this model (repeatable); default: the models of the suite
    #[arg(long, value_name = "NAME", requires = "why")]
    model: Vec<String>,
    /// With --why: prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE", requires = "why")]
    prices: Option<PathBuf>,
    #[command(flatten)]
    permission: Permission,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// Programs and results
    Turns,
    /// The requests that the model is sent
    Compressed,
}

pub(super) fn run(arguments: &ShowArguments, color: Color) -> CliResult {
    let (name, turn) = name_and_turn(&arguments.scenario);
    if arguments.why {
        return explain::run(&arguments.as_explain());
    }
    if let Some(other) = &arguments.against {
        let strategies = [arguments.strategy.as_ref(), Some(other)];
        return side_by_side((name, &arguments.permission), strategies, turn.or(arguments.turn), color);
    }
    let arguments = &ShowArguments {
        scenario: name.to_owned(),
        turn: turn.or(arguments.turn),
        view: if arguments.request { View::Compressed } else { arguments.view },
        ..arguments.clone()
    };
    let replayed = replayed(&arguments.scenario, &arguments.permission, |scenario, suite| {
        vec![strategy_of(arguments.strategy.as_ref(), scenario, suite)]
    })?;
    let measured = if arguments.usage { replayed.sized()? } else { Vec::new() };
    out!("{}", Trace { arguments, result: &replayed.result, measured }.text()?);
    Ok(Exit::Success)
}

impl ShowArguments {
    /// The same arguments for `--why`.
    fn as_explain(&self) -> ExplainArguments {
        ExplainArguments {
            scenario: match self.turn {
                Some(turn) => format!("{}@{turn}", self.scenario),
                None => self.scenario.clone(),
            },
            strategy: self.strategy.clone(),
            model: self.model.clone(),
            prices: self.prices.clone(),
            permission: self.permission.clone(),
        }
    }
}

/// The trace of one scenario.
struct Trace<'a> {
    arguments: &'a ShowArguments,
    result: &'a ReplayedScenario,
    /// The measured requests; empty without `--usage`.
    measured: Vec<MeasuredRun>,
}

impl Trace<'_> {
    fn text(&self) -> Result<String, CliError> {
        let requests = self.requests()?;
        let mut out = String::new();
        for request in &requests {
            match self.arguments.view {
                View::Compressed => write_request(&mut out, request),
                View::Turns => {
                    if let Some(turn) = self.result.conversation.past().turn(request.turn as usize - 1) {
                        self.write_turn(&mut out, turn);
                    }
                }
            }
            let measured = self.measured.first();
            if let Some(measured) = measured.and_then(|run| run.requests.get(request.turn as usize - 1)) {
                let _ = writeln!(out, "Tokens: {} input\n", measured.input_tokens);
            }
        }
        if self.arguments.view == View::Turns && self.arguments.turn.is_none() {
            let _ = writeln!(out, "{}", ending_line(&self.result.conversation));
        }
        if let (true, Some(last)) = (self.arguments.usage, requests.last()) {
            out.push_str(&statistics_box(&last.statistics));
        }
        Ok(out)
    }

    fn requests(&self) -> Result<Vec<&Request>, CliError> {
        let mut requests: Vec<&Request> =
            self.result.strategies.iter().flat_map(|run| run.answered()).collect();
        if let Some(turn) = self.arguments.turn {
            requests.retain(|request| request.turn == turn);
        }
        match (requests.is_empty(), self.arguments.turn) {
            (true, Some(_)) => Err(no_such_turn(self.result)),
            _ => Ok(requests),
        }
    }

    fn write_turn(&self, out: &mut String, turn: Turn<'_>) {
        let _ = writeln!(out, "=== Turn {} ===", turn.number());
        if self.arguments.raw {
            let _ = writeln!(out, "Response:\n{}\n", turn.text());
        }
        match turn {
            Turn::Program(turn) => self.write_program_turn(out, turn),
            Turn::Logged(turn) => write_logged_turn(out, turn),
        }
    }

    fn write_program_turn(&self, out: &mut String, turn: &ProgramTurn) {
        let _ = writeln!(out, "Program:\n{}\n", turn.program);
        for print in &turn.prints {
            let _ = writeln!(out, "Output: {print}");
        }
        let _ = match &turn.result {
            Ok(value) => {
                writeln!(
                    out,
                    "Result: {}\n",
                    show_text(&to_clojure(value, RESULT_ITEMS, RESULT_CHARACTERS).0)
                )
            }
            Err(error) => writeln!(out, "Error{}\n", show_text(&self.of_error(turn, error))),
        };
    }

    /// The error with its place in the scenario file: ` at scenarios/sum.yaml:7:22: undefined symbol 'x'`.
    fn of_error(&self, turn: &ProgramTurn, error: &Error) -> String {
        let (origin, index) = (&self.result.scenario.origin, turn.number as usize - 1);
        let place = error.position.and_then(|at| origin.place_in_program(index, &turn.program, at));
        match place {
            Some(Place { line, column, .. }) => {
                let message = origin.in_file(index, &turn.program, &error.message);
                format!(" at {}:{line}:{column}: {message}", origin.path)
            }
            None => format!(": {}", error.message),
        }
    }
}

fn write_logged_turn(out: &mut String, turn: &LoggedTurn) {
    let _ = writeln!(out, "Answer:\n{}\n", with_calls(&turn.answer));
    for output in &turn.outputs {
        let _ = writeln!(out, "Output: {output}");
    }
    if let Some(error) = &turn.error {
        let _ = writeln!(out, "Error: {}", show_text(error));
    }
    out.push('\n');
}

fn write_request(out: &mut String, request: &Request) {
    let _ = writeln!(out, "=== Request {} ===", request.turn);
    for message in &request.messages {
        let _ = writeln!(out, "[{}]\n{}\n", message.role.name().to_uppercase(), shown_content(message));
    }
}

/// The content of a message. Standard parts of the system prompt are replaced by their names, because they are the same in every request.
pub(super) fn shown_content(message: &Message) -> Cow<'_, str> {
    match message.role {
        Role::System => with_named_parts(&message.content),
        _ if message.calls().is_empty() => message.content.as_str().into(),
        _ => with_calls(message).into(),
    }
}

/// A system prompt with one line in place of each generated part.
pub(super) fn with_named_parts(text: &str) -> Cow<'_, str> {
    let mut lines = Vec::new();
    for piece in SystemPrompt::split_pieces(text) {
        lines.push(match piece {
            SystemPiece::Lines(text) => text.to_owned(),
            SystemPiece::Generated(part) => {
                let name = match part {
                    GeneratedPart::Whole => "static",
                    GeneratedPart::Language => "the language reference",
                    GeneratedPart::AnswerFormat => "the answer format",
                };
                let length = count(part.text().lines().count(), "line");
                format!("({name}, {length}: snapshots/system-prompt.snap)")
            }
        });
    }
    lines.join("\n").into()
}

/// The content of a message, and a line for each call.
fn with_calls(message: &Message) -> String {
    let text = Some(message.content.to_string()).filter(|content| !content.is_empty());
    let calls = message.calls().iter().map(|call| format!("-> {}({})", call.name, call.arguments));
    text.into_iter().chain(calls).collect::<Vec<_>>().join("\n")
}

fn show_text(text: &str) -> Cow<'_, str> {
    for_reader(text, io::stdout().is_terminal())
}

fn ending_line(conversation: &Conversation) -> String {
    match conversation {
        Conversation::Program { ending, .. } => ending_of_run(ending),
        Conversation::Logged(logged) => format!("Recorded: {}", logged.success_text()),
    }
}

fn ending_of_run(ending: &Ending) -> String {
    match ending {
        Ending::Return(value) => format!("Returned: {}", show_text(&pr_str(value))),
        Ending::Fail(value) => format!("Failed: {}", show_text(&pr_str(value))),
        Ending::Error(error) => format!("Ended by {}: {}", error.kind, show_text(&error.message)),
    }
}

/// The compression statistics in a box; empty if nothing was compressed.
fn statistics_box(statistics: &Statistics) -> String {
    if !statistics.enabled {
        return String::new();
    }
    let mut lines = vec![
        "+- Compression -------------------------------------------+".to_string(),
        format!("|   Strategy:     {}", statistics.strategy),
        format!("|   Turns:        {} compressed", statistics.turns_compressed),
    ];
    let s = statistics;
    for (label, total, shown, dropped) in [
        ("Tool calls:", s.tool_calls_total, s.tool_calls_shown, s.tool_calls_dropped),
        ("Printlns:", s.printlns_total, s.printlns_shown, s.printlns_dropped),
    ] {
        if total > 0 {
            let dropped = if dropped > 0 { format!(" ({dropped} dropped)") } else { String::new() };
            lines.push(format!("|   {label:<14}{shown}/{total} shown{dropped}"));
        }
    }
    if s.error_turns_collapsed > 0 {
        lines.push(format!("|   {:<14}{} turn(s) collapsed", "Errors:", s.error_turns_collapsed));
    }
    lines.push("+---------------------------------------------------------+\n".to_string());
    lines.join("\n")
}
