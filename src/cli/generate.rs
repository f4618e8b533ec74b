//! `ptc-eval completions` and `ptc-eval man`: what shells and packagers install. Both follow from the
//! command line itself.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::Exit;

#[derive(Args)]
pub(super) struct Completions {
    /// The shell that is to complete commands and options
    shell: Shell,
}

#[derive(Args)]
pub(super) struct Man {
    /// The command to describe; default: the program
    command: Option<String>,
}

/// Prints the completions that a shell loads.
pub(super) fn completions(arguments: &Completions, mut program: Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "ptc-eval", &mut script);
    print(&script)
}

/// Prints a manual page.
pub(super) fn man(arguments: &Man, program: Command) -> Exit {
    let page = match &arguments.command {
        None => Some(program.clone()),
        Some(name) => program.find_subcommand(name).map(|command| {
            // A page is called `ptc-eval-run`, what it describes is called by `ptc-eval run`.
            command.clone().name(format!("ptc-eval-{name}")).bin_name(format!("ptc-eval {name}"))
        }),
    };
    let Some(page) = page else {
        let name = arguments.command.as_deref().unwrap_or_default();
        let names = program.get_subcommands().map(Command::get_name);
        let nearest = ptc_lisp::hint::did_you_mean(name, names);
        let hint = nearest.unwrap_or_else(|| "ptc-eval --help lists the commands".to_string());
        errln!("error: there is no command '{name}'\n  = help: {hint}");
        return Exit::Unreadable;
    };
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(page).render(&mut text);
    print(&text)
}

fn print(bytes: &[u8]) -> Exit {
    match io::stdout().lock().write_all(bytes) {
        Ok(()) => Exit::Success,
        Err(_) => std::process::exit(super::terminal::INTERRUPTED.into()),
    }
}
