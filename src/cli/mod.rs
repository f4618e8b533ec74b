//! The command line: parses arguments, prints, and sets exit codes. No other layer reads the environment or the clock.

// Banned elsewhere, because results must not depend on them.
#![allow(clippy::disallowed_methods)]

/// Writes a line to standard output.
macro_rules! outln {
    () => { $crate::cli::terminal::write_out(format_args!("\n")) };
    ($($text:tt)*) => { $crate::cli::terminal::write_out(format_args!("{}\n", format_args!($($text)*))) };
}

/// Writes to standard output.
macro_rules! out {
    ($($text:tt)*) => { $crate::cli::terminal::write_out(format_args!($($text)*)) };
}

/// Writes one line to standard error, whatever the names in it.
macro_rules! errln {
    ($($text:tt)*) => { $crate::cli::terminal::write_err_line(format_args!($($text)*)) };
}

/// Writes to standard error.
macro_rules! err {
    ($($text:tt)*) => { $crate::cli::terminal::write_err(format_args!($($text)*)) };
}

mod advise;
mod apply;
mod baseline;
mod broken;
mod check;
mod committed;
mod crossed;
mod demo;
mod diff;
mod earlier;
mod endpoint;
mod error;
mod exit;
mod explain;
mod failures;
mod generate;
mod git;
mod import;
mod input;
mod interrupt;
mod journal;
#[cfg(feature = "live")]
mod kept;
mod lisp;
mod list;
mod log_options;
mod logged;
mod logs;
mod merge;
mod new;
mod opencode;
mod priced;
mod progress;
mod recommendation;
mod record;
mod replayed;
mod review;
mod roo;
mod run;
mod schema;
mod scratch;
mod script;
mod secrets;
mod show;
mod suite;
mod terminal;
mod today;
mod token_cache;
mod tune;
mod verify;

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::CompleteEnv;

use crate::processes;
#[cfg(feature = "live")]
pub use endpoint::answers_in;
use error::{CliError, CliResult};
use ptc_lisp::hint::nearest;
use terminal::Color;

/// Golden-file testing and evaluation of message-history compression for agents.
///
/// Without a command it does what `run` does, with the options of `run`.
#[derive(Parser)]
#[command(name = "ptc-eval", version, help_template = HELP, after_long_help = EXIT_CODES)]
#[command(override_usage = "ptc-eval [OPTIONS] [PATH]...\n       ptc-eval <COMMAND>")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Use of colour
    #[arg(long, global = true, value_enum, default_value = "auto")]
    color: Color,
}

/// The first screen: every command in its group.
const HELP: &str = "\
What an agent's message history costs, and what a shorter one would lose

Usage: ptc-eval [COMMAND] [OPTIONS]          without a command: run

Logs     advise    Where the money went, what to change: LOGS or --agent NAME
         apply     Print the code or setting that switches a strategy on
         effect    Compare costs before and after a change
         import    Turn logs into a suite of scenarios and transcripts
Suites   run       Replay, compare with golden files, as in CI; --tune searches
         check     Validate scenarios and logs without running them
         review    Decide on changed golden files, one question for each change
         show      Show a run; SCENARIO@TURN --request or --why shows a turn
         diff      Compare two results
         new       Write a scenario, or a suite (--suite); --demo shows one
         merge     Merge the results of several shards
Live     record    Have a model answer scenarios, and keep its answers
         verify    Ask a model again, with and without what a strategy drops
Other    lisp      Evaluate PTC-Lisp; --in SCENARIO@TURN opens a turn
         list      List strategies, models, log formats, presets, scenarios
         generate  Print shell completions, manual pages, JSON Schemas

ptc-eval COMMAND --help describes a command; also --version, --color WHEN
Exit: 0 fine, 1 failed, 2 wrong input, 3 to review, 4 nothing matched, 5 stale
";

const EXIT_CODES: &str = "Exit codes:
  0    all checks passed
  1    a scenario, snapshot, expectation or threshold failed
  2    wrong usage, or input that cannot be read
  3    new snapshots wait for review
  4    nothing matched the selection
  5    stale reports, or snapshots without a scenario
  130  interrupted
  141  the reader of the output closed it";

#[derive(Subcommand)]
enum Command {
    /// Show where the money of an agent's logs went, and what to change
    Advise(advise::AdviseArguments),
    /// Print the code or setting that switches a strategy on in an agent
    Apply(apply::ApplyArguments),
    /// Compare the cost of requests before and after a change, in the logs of an agent
    Effect(advise::effect::EffectArguments),
    /// Turn the logs of any agent into scenarios and transcripts
    Import(import::ImportArguments),
    /// Test a suite: replay it under every strategy and compare with the golden files
    ///
    /// A scenario is a scripted run of an agent, or a log. A strategy is a way to shorten the message history. `run` renders every request
    /// of every scenario under each strategy and compares it with its golden file (a snapshot). Then it prints what each strategy costs, and
    /// how many answers would lack a fact that they use. New and changed snapshots wait for `ptc-eval review`. No model is asked.
    ///
    /// Logs are replayed too, with their models, prices and bills. They have no snapshots, and their reports go to reports/selection.
    /// For a recommendation on your logs use `ptc-eval advise`.
    Run(Box<run::RunArguments>),
    /// Validate scenarios and logs without running them
    ///
    /// For a log, `check` prints the detected format, what the log lacks for exact numbers, and what could not be read.
    Check(check::CheckArguments),
    /// Accept or reject changed golden files, one question for each change
    Review(review::ReviewArguments),
    /// Show a run turn by turn, the requests that the model gets, or why a request costs what it does
    ///
    /// The default view has the answers of the run and their results. `--request` shows the messages sent to the model under a strategy, a
    /// way to shorten the history. `--why` explains the cost of a request and lists the facts that it lacks.
    Show(show::ShowArguments),
    /// Compare two results, or the requests of two strategies
    Diff(diff::DiffArguments),
    /// Write a commented scenario, or a small suite, to start from
    #[command(
        override_usage = "ptc-eval new [OPTIONS] NAME\n       ptc-eval new --suite [FOLDER]\n       ptc-eval new --demo"
    )]
    New(new::NewArguments),
    /// Merge the results of several shards
    Merge(merge::MergeArguments),
    /// Let a live model answer scenarios, and save its answers as new scenarios
    ///
    /// Each saved scenario replays offline with `ptc-eval run`. Try `--estimate` first: it prints the cost and asks nothing.
    Record(record::RecordArguments),
    /// Test with a live model whether a strategy loses answers
    ///
    /// A strategy is a way to shorten the message history. `verify` picks turns whose answer would lack a fact under the strategy, and as
    /// many other turns for comparison. The model continues from each turn twice: with the full history and with the shortened one. The
    /// result is the number of conversations that only one of them gets right, with a confidence interval.
    ///
    /// Try `--estimate` first: it prints the cost and asks nothing. An interrupted `verify` continues where it stopped.
    Verify(Box<verify::VerifyArguments>),
    /// Evaluate PTC-Lisp
    Lisp(lisp::LispArguments),
    /// List strategies, tools, builtins, scenarios, models, formats of logs or presets
    List(list::ListArguments),
    /// Print completions, manual pages or JSON Schemas
    Generate(generate::GenerateArguments),
    /// Now `run --tune`
    #[command(hide = true)]
    Tune(tune::TuneArguments),
    /// Now `show --why`
    #[command(hide = true)]
    Explain(explain::ExplainArguments),
    /// Now `new --demo`
    #[command(hide = true)]
    Demo,
    /// Now `generate schema`
    #[command(hide = true)]
    Schema(schema::SchemaArguments),
    /// Now `generate completions`
    #[command(hide = true)]
    Completions(generate::CompletionsArguments),
    /// Now `generate man`
    #[command(hide = true)]
    Man(generate::ManArguments),
}

impl Command {
    /// Returns true for commands with byte-exact output for programs and without content of logs. Secrets in it are not hidden, except in errors.
    fn prints_source(&self) -> bool {
        if let Command::Lisp(arguments) = self {
            return !arguments.opens_turn();
        }
        matches!(
            self,
            Command::Apply(_)
                | Command::Schema(_)
                | Command::Generate(_)
                | Command::Completions(_)
                | Command::Man(_)
        )
    }
}

/// The grammar of the command line.
pub fn command_line() -> clap::Command {
    CommandLine::command()
}

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    let exit = run_command().unwrap_or_else(CliError::tell);
    processes::end_all();
    exit.into()
}

fn run_command() -> CliResult {
    CompleteEnv::with_factory(command_line).var(generate::COMPLETE).complete();
    refuse_mistyped(std::env::args_os().nth(1))?;
    let CommandLine { command, color } =
        match CommandLine::try_parse_from(with_command(std::env::args_os().collect())) {
            Ok(line) => line,
            // Help and version are errors here too, and printing them may fail.
            Err(about) => {
                let mut about = no_number(&about).unwrap_or(about);
                name_commands_with_option(&mut about);
                print_about(&about).map_err(|error| CliError::Output { error })?;
                std::process::exit(about.exit_code());
            }
        };
    if command.prints_source() {
        terminal::print_source();
    }
    match &command {
        Command::Run(arguments) => run::run(arguments, color),
        Command::Advise(arguments) => {
            let mut settings = arguments.settings()?;
            match arguments.find_input(&mut settings)? {
                advise::AdviseInput::Suite(folder, tokenizer) => {
                    advise::run_on_suite(&folder, tokenizer.as_deref(), &settings, color)
                }
                advise::AdviseInput::Logs(logs) => advise::run(&logs, &settings, color),
            }
        }
        Command::Apply(arguments) => apply::run(arguments),
        Command::Effect(arguments) => advise::effect::run(arguments),
        Command::Tune(arguments) => tune::run(arguments, color),
        Command::Review(arguments) => review::run(arguments, color),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Show(arguments) => show::run(arguments, color),
        Command::Diff(arguments) => diff::run(arguments, color),
        Command::Merge(arguments) => merge::run(arguments, color),
        Command::New(arguments) => new::run(arguments, color),
        Command::Demo => demo::run(color),
        Command::Check(arguments) => check::run(arguments),
        Command::Lisp(arguments) => lisp::run(arguments),
        Command::List(arguments) => list::run(arguments),
        Command::Record(arguments) => record::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Import(arguments) => import::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Generate(arguments) => generate::run(arguments, command_line()),
        Command::Completions(arguments) => generate::completions(arguments),
        Command::Man(arguments) => generate::man(arguments, command_line()),
    }
}

/// Prints help or an error. An error may repeat a key of the command line.
fn print_about(about: &clap::Error) -> io::Result<()> {
    // Compiling the patterns of secrets takes ten times as long as printing help.
    if !about.use_stderr() {
        return about.print();
    }
    let plain = about.render().to_string();
    let hidden = terminal::without_secrets(&plain);
    if hidden == plain {
        return about.print();
    }
    err!("{hidden}");
    Ok(())
}

/// Replaces the standard library's error for an invalid number with one that names the expected value.
fn no_number(about: &clap::Error) -> Option<clap::Error> {
    let error: &ParseIntError = about.source()?.downcast_ref()?;
    if !matches!(error.kind(), IntErrorKind::InvalidDigit | IntErrorKind::Empty) {
        return None;
    }
    let (argument, value) = (about.get(ContextKind::InvalidArg)?, about.get(ContextKind::InvalidValue)?);
    let message = format!("invalid value '{value}' for '{argument}': expected a whole number");
    Some(CommandLine::command().error(ErrorKind::ValueValidation, message))
}

/// Replaces clap's tip (to pass the option as a file name) when only other commands have the option.
fn name_commands_with_option(about: &mut clap::Error) {
    if about.kind() != ErrorKind::UnknownArgument || about.get(ContextKind::SuggestedArg).is_some() {
        return;
    }
    let Some(ContextValue::String(option)) = about.get(ContextKind::InvalidArg) else { return };
    let Some(name) = option.strip_prefix("--") else { return };
    let program = CommandLine::command();
    let mut commands = Vec::new();
    for command in program.get_subcommands() {
        let has_option = command.get_arguments().any(|argument| argument.get_long() == Some(name));
        if has_option && !command.is_hide_set() {
            commands.push(command.get_name());
        }
    }
    let tip = format!("{option} is an option of {}", commands.join(", "));
    let tips = if commands.is_empty() { Vec::new() } else { vec![tip.into()] };
    about.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}

/// Returns an error if the first word looks like a mistyped command: neither a command nor a path, but close to a command.
fn refuse_mistyped(word: Option<OsString>) -> Result<(), CliError> {
    let Some(word) = word.and_then(|word| word.into_string().ok()) else { return Ok(()) };
    if word.starts_with('-') || Path::new(&word).exists() {
        return Ok(());
    }
    let command = command_line();
    let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    match nearest(&word, known.iter().copied()).filter(|_| !known.contains(&word.as_str())) {
        Some(meant) => Err(CliError::MistypedCommand { word, meant: meant.to_string() }),
        None => Ok(()),
    }
}

/// Inserts `run` if the arguments name no command.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let command = command_line();
    let mut known = vec!["help", "-h", "--help", "-V", "--version"];
    known.extend(command.get_subcommands().map(clap::Command::get_name));
    let mut words = arguments.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--color" {
            words.next();
        } else if known.iter().any(|known| word == known) {
            return arguments;
        } else if !word.to_string_lossy().starts_with("--color=") {
            break;
        }
    }
    arguments.insert(1.min(arguments.len()), "run".into());
    arguments
}
