//! `ptc-eval completions` and `ptc-eval man`, generated from the definition of the command line.

use clap::{Args, Command};
use clap_complete::Shell;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::terminal::StandardOutput;

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
    clap_complete::generate(arguments.shell, &mut program, "ptc-eval", &mut StandardOutput);
    Ok(Exit::Success)
}

/// Prints a manual page.
pub(super) fn man(arguments: &ManArguments, program: Command) -> CliResult {
    let program = program.disable_help_subcommand(true);
    let page = match &arguments.command {
        None => program,
        Some(name) => page_of(&program, name)?,
    };
    clap_mangen::Man::new(page).render(&mut StandardOutput)?;
    Ok(Exit::Success)
}

fn page_of(program: &Command, name: &str) -> Result<Command, CliError> {
    let Some(command) = program.find_subcommand(name) else {
        let nearest = ptc_lisp::hint::did_you_mean(name, program.get_subcommands().map(Command::get_name));
        let hint = nearest.unwrap_or_else(|| "ptc-eval --help lists the commands".to_string());
        return Err(CliError::UnknownCommand { name: name.to_owned(), hint });
    };
    // A page is called `ptc-eval-run`, what it describes is called by `ptc-eval run`.
    Ok(command.clone().name(format!("ptc-eval-{name}")).bin_name(format!("ptc-eval {name}")))
}
