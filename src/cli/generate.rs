//! `ptc-eval generate`: prints completions, manual pages and schemas, from the definitions in the code.

use std::ffi::OsStr;

use clap::{Args, Command, Subcommand, ValueEnum};
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::schema::{self, SchemaArguments};
use super::suite::ScenarioChoice;
use super::terminal::StandardOutput;
use crate::compression::STRATEGIES;
use crate::scenario::suite::{Walk, find_root};

/// The environment variable in which a shell requests completions from this program.
pub(super) const COMPLETE: &str = "PTC_EVAL_COMPLETE";

#[derive(Args)]
pub(super) struct GenerateArguments {
    #[command(subcommand)]
    what: Generated,
}

#[derive(Subcommand)]
enum Generated {
    /// Completions that a shell loads; they know scenarios and strategies
    Completions(CompletionsArguments),
    /// The manual page of the program or of a command
    Man(ManArguments),
    /// The JSON Schema of a file
    Schema(SchemaArguments),
}

#[derive(Args)]
pub(super) struct CompletionsArguments {
    /// The shell that is to complete commands, options, scenarios and strategies
    shell: Shell,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    #[value(name = "powershell")]
    Power,
    Zsh,
}

#[derive(Args)]
pub(super) struct ManArguments {
    /// The command to describe; default: the program
    command: Option<String>,
}

pub(super) fn run(arguments: &GenerateArguments, program: Command) -> CliResult {
    match &arguments.what {
        Generated::Completions(arguments) => completions(arguments),
        Generated::Man(arguments) => man(arguments, program),
        Generated::Schema(arguments) => schema::run(arguments),
    }
}

/// Prints a completion script for a shell. The script calls this program.
pub(super) fn completions(arguments: &CompletionsArguments) -> CliResult {
    let completer: &dyn EnvCompleter = match arguments.shell {
        Shell::Bash => &Bash,
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::Power => &Powershell,
        Shell::Zsh => &Zsh,
    };
    completer.write_registration(COMPLETE, "ptc-eval", "ptc-eval", "ptc-eval", &mut StandardOutput)?;
    Ok(Exit::Success)
}

/// Completes names of scenarios from file names, without reading any file.
pub(super) fn complete_scenarios(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let Ok(folder) = super::suite::or_default(None) else { return Vec::new() };
    let root = find_root(&folder);
    let mut names = Vec::new();
    for file in Walk::new(&root, &[]).into_iter().flatten().flatten() {
        if file.name.starts_with(&*typed) && is_plain(&file.name) {
            names.push(CompletionCandidate::new(file.name));
        }
    }
    names
}

/// Completes names of strategies and of the suite's variants.
pub(super) fn complete_strategies(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let mut names: Vec<String> = STRATEGIES.iter().map(|strategy| strategy.name.to_owned()).collect();
    if let Ok(suite) = ScenarioChoice::default().open() {
        names.extend(suite.variants.iter().map(|variant| variant.strategy.name.clone()));
    }
    names.retain(|name| name.starts_with(&*typed) && is_plain(name));
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// Returns true for a name without special characters for a shell. A stranger's suite may contain others.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c)) && !name.starts_with('-')
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
    // The title of a page is `ptc-eval-run`, the command in it is `ptc-eval run`.
    Ok(command.clone().name(format!("ptc-eval-{name}")).bin_name(format!("ptc-eval {name}")))
}
