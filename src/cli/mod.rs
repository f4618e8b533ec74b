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
mod check;
mod exit;
mod lisp;
mod list;
mod review;
mod run;
mod show;
mod snapshots;
mod suite;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use terminal::Color;

/// Golden-file testing and evaluation for agents that answer with programs.
///
/// Without a command: run.
#[derive(Parser)]
#[command(name = "ptc-eval", version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Arguments,
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
    /// The trace of one scenario
    Show(show::Arguments),
    /// Read and validate scenarios only
    Check(check::Arguments),
    /// Evaluate PTC-Lisp
    Lisp(lisp::Arguments),
    /// What there is
    List(list::Arguments),
}

/// Runs what the command line asks for.
pub fn main() -> ExitCode {
    let arguments = CommandLine::parse();
    match &arguments.command {
        None => run::run(&arguments.run, arguments.color),
        Some(Command::Run(run)) => run::run(run, arguments.color),
        Some(Command::Review(review)) => review::run(review, arguments.color).into(),
        Some(Command::Show(show)) => show::run(show).into(),
        Some(Command::Check(check)) => check::run(check).into(),
        Some(Command::Lisp(lisp)) => lisp::run(lisp),
        Some(Command::List(list)) => list::run(list).into(),
    }
}
