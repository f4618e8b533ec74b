//! `ptc-eval completions` and `ptc-eval man`, generated from the definition of the command line.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

use super::error::{CliError, CliResult};
use super::exit::Exit;

#[derive(Args)]
pub(super) struct CompletionsArguments {
    /// The shell that is to complete commands and options
    shell: Shell,
}

#[derive(Args)]
pub(super) struct ManArguments {
    /// The command to describe; default: the program
    command: Option<String>,
}

/// Prints the completions that a shell loads.
pub(super) fn completions(arguments: &CompletionsArguments, mut program: Command) -> CliResult {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "ptc-eval", &mut script);
    print(&script)
}

/// Prints a manual page.
pub(super) fn man(arguments: &ManArguments, program: Command) -> CliResult {
    let program = program.disable_help_subcommand(true);
    let page = match &arguments.command {
        None => Some(program.clone()),
        Some(name) => program.find_subcommand(name).map(|command| {
            // A page is called `ptc-eval-run`, what it describes is called by `ptc-eval run`.
            command.clone().name(format!("ptc-eval-{name}")).bin_name(format!("ptc-eval {name}"))
        }),
    };
    let Some(page) = page else {
        let name = arguments.command.clone().unwrap_or_default();
        let nearest = ptc_lisp::hint::did_you_mean(&name, program.get_subcommands().map(Command::get_name));
        let hint = nearest.unwrap_or_else(|| "ptc-eval --help lists the commands".to_string());
        return Err(CliError::UnknownCommand(name, hint));
    };
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(page).render(&mut text);
    print(&text)
}

fn print(bytes: &[u8]) -> CliResult {
    Ok(if io::stdout().lock().write_all(bytes).is_ok() { Exit::Success } else { Exit::Interrupted })
}
