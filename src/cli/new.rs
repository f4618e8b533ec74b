//! `ptc-eval new`: a commented scenario to start from, which runs as it is. It overwrites nothing.

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::schema;
use super::suite::{DEFAULT_FOLDER, default_folder};
use crate::scenario::names::refuse_scenario;
use crate::scenario::suite::find_root;
use crate::snapshot::atomic::write_atomically;

const TEMPLATE: &str = include_str!("new.yaml");

/// The schema for editors, below the suite's folder. Names that begin with a dot are no scenarios.
const SCHEMA: &str = ".schema/scenario.json";

#[derive(Args)]
pub(super) struct NewArguments {
    /// The scenario's name, such as shop/in-stock: its path below the suite's folder, without extension
    name: String,
    /// The suite's folder; default: the one that other commands use, else scenarios/
    #[arg(long, value_name = "FOLDER")]
    suite: Option<PathBuf>,
}

pub(super) fn run(arguments: &NewArguments) -> CliResult {
    let name = arguments.name.strip_suffix(".yaml").unwrap_or(&arguments.name);
    if let Some(help) = refuse_scenario(name) {
        return Err(CliError::ScenarioName(name.to_owned(), help));
    }
    let root = arguments.suite.clone().unwrap_or_else(here);
    let path = root.join(format!("{name}.yaml"));
    if path.exists() || path.is_symlink() {
        return Err(CliError::Exists(path, "choose another name"));
    }
    let depth = name.matches('/').count();
    let text = format!("# yaml-language-server: $schema={}{SCHEMA}\n{TEMPLATE}", "../".repeat(depth));
    write_file(&root.join(SCHEMA), &schema::scenario())?;
    write_file(&path, &text)?;
    let shown = path.display();
    outln!("{shown}\n\nNext: edit it, then ptc-eval run {shown}; ptc-eval review shows its snapshots");
    Ok(Exit::Success)
}

/// The suite's folder that other commands would find.
fn here() -> PathBuf {
    let folder = default_folder();
    if folder.is_dir() { find_root(&folder) } else { PathBuf::from(DEFAULT_FOLDER) }
}

/// Writes a file, and the folders above it.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), CliError> {
    write_atomically(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| CliError::Write(path.to_owned(), error))
}
