//! The command line: the only layer that prints, reads the environment and the clock, and sets exit codes.

// Elsewhere both are refused, since nothing that is computed may depend on them.
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

/// Writes a line to standard error.
macro_rules! errln {
    ($($text:tt)*) => { $crate::cli::terminal::write_err(format_args!("{}\n", format_args!($($text)*))) };
}

/// Writes to standard error.
macro_rules! err {
    ($($text:tt)*) => { $crate::cli::terminal::write_err(format_args!($($text)*)) };
}

mod baseline;
mod broken;
mod check;
mod diff;
mod exit;
mod explain;
mod failures;
mod generate;
mod import;
mod judge;
mod lisp;
mod list;
mod merge;
mod new;
mod progress;
mod record;
mod replayed;
mod review;
mod run;
mod schema;
mod script;
mod show;
mod snapshots;
mod suite;
mod terminal;
mod token_cache;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use ptc_lisp::hint::nearest;
use terminal::Color;

/// Golden-file testing and evaluation for agents that answer with programs.
///
/// Without a command: run.
#[derive(Parser)]
#[command(name = "ptc-eval", version, override_usage = "ptc-eval [OPTIONS] [COMMAND]")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value = "auto")]
    color: Color,
}

#[derive(Subcommand)]
enum Command {
    /// Replay scenarios under every strategy, compare, write reports
    Run(Box<run::Arguments>),
    /// Go through changed snapshots by cause
    Review(review::Arguments),
    /// What the model saw: tokens by part, the cached prefix, the evidence that is missing
    Explain(explain::Arguments),
    /// The trace of one scenario
    Show(show::Arguments),
    /// Two results, or two strategies' requests, next to each other
    Diff(diff::Arguments),
    /// Join the reports of shards
    Merge(merge::Arguments),
    /// A commented scenario to start from
    New(new::Arguments),
    /// Read and validate scenarios only
    Check(check::Arguments),
    /// Evaluate PTC-Lisp
    Lisp(lisp::Arguments),
    /// What there is
    List(list::Arguments),
    /// Let a live model answer a scenario, and keep its answers
    Record(record::Arguments),
    /// Make scenarios from transcripts of chats
    Import(import::Arguments),
    /// The JSON Schema of a file
    Schema(schema::Arguments),
    /// Completions for a shell
    Completions(generate::Completions),
    /// The manual page
    Man(generate::Man),
}

/// Runs what the command line asks for.
pub fn main() -> ExitCode {
    if let Some(error) = mistyped(std::env::args_os().nth(1)) {
        err!("{error}");
        return exit::Exit::Unreadable.into();
    }
    let CommandLine { command, color } = CommandLine::parse_from(with_command(std::env::args_os().collect()));
    match &command {
        Command::Run(run) => run::run(run, color),
        Command::Review(review) => review::run(review, color),
        Command::Explain(explain) => explain::run(explain).into(),
        Command::Show(show) => show::run(show).into(),
        Command::Diff(diff) => diff::run(diff, color).into(),
        Command::Merge(merge) => merge::run(merge, color).into(),
        Command::New(new) => new::run(new).into(),
        Command::Check(check) => check::run(check).into(),
        Command::Lisp(lisp) => lisp::run(lisp),
        Command::List(list) => list::run(list).into(),
        Command::Record(record) => record::run(record).into(),
        Command::Import(import) => import::run(import).into(),
        Command::Schema(schema) => schema::run(schema).into(),
        Command::Completions(completions) => {
            generate::completions(completions, CommandLine::command()).into()
        }
        Command::Man(man) => generate::man(man, CommandLine::command()).into(),
    }
}

/// What to say of a first word that is neither a command nor a path but close to a command.
fn mistyped(word: Option<OsString>) -> Option<String> {
    let is_word = |word: &String| !word.starts_with('-') && !Path::new(word).exists();
    let word = word?.into_string().ok().filter(is_word)?;
    let command = CommandLine::command();
    let names = command.get_subcommands().map(clap::Command::get_name).chain(["help"]);
    let known: Vec<&str> = names.collect();
    let meant = nearest(&word, known.iter().copied()).filter(|_| !known.contains(&word.as_str()))?;
    Some(format!(
        "error: there is no command '{word}', and no file or folder\n  = help: did you mean '{meant}'?\n"
    ))
}

/// The arguments with `run` put in where no command is named.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let command = CommandLine::command();
    let is_command =
        |word: &OsString| word == "help" || command.get_subcommands().any(|known| *word == *known.get_name());
    let is_about = |word: &OsString| ["-h", "--help", "-V", "--version"].iter().any(|about| word == *about);
    let mut words = arguments.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--color" {
            words.next();
        } else if is_about(word) || is_command(word) {
            return arguments;
        } else if !word.to_string_lossy().starts_with("--color=") {
            break;
        }
    }
    arguments.insert(1.min(arguments.len()), "run".into());
    arguments
}
