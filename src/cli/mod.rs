//! The command line: the only layer that prints, reads the environment and sets exit codes.

mod lisp;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Golden-file testing and evaluation for agents that answer with programs.
#[derive(Parser)]
#[command(name = "ptc-eval", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Evaluate PTC-Lisp
    Lisp(lisp::Arguments),
}

/// Runs the program that the command line asks for.
pub fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Lisp(arguments) => lisp::run(&arguments),
    }
}
