//! `ptc-eval new`: a commented scenario to start from, which runs as it is. It overwrites nothing.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::Exit;
use super::schema;
use super::suite::{DEFAULT_FOLDER, default_folder};
use crate::scenario::names::refuse_scenario;
use crate::scenario::reason;
use crate::scenario::suite::find_root;
use crate::snapshot::atomic::write_atomically;

const TEMPLATE: &str = include_str!("new.yaml");

/// Where editors find the schema, below the suite's folder; names that begin with a dot are no scenarios.
const SCHEMA: &str = ".schema/scenario.json";

#[derive(Args)]
pub(super) struct Arguments {
    /// The scenario's name, such as shop/in-stock: its path below the suite's folder, without extension
    name: String,
    /// The suite's folder; default: the one that commands find here, else scenarios/
    #[arg(long, value_name = "FOLDER")]
    suite: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    match create(arguments) {
        Ok(path) => {
            let shown = path.display();
            outln!(
                "{shown}\n\nNext: edit it, then ptc-eval run {shown}; ptc-eval review shows its snapshots"
            );
            Exit::Success
        }
        Err(message) => {
            errln!("error: {message}");
            Exit::Unreadable
        }
    }
}

fn create(arguments: &Arguments) -> Result<PathBuf, String> {
    let name = arguments.name.strip_suffix(".yaml").unwrap_or(&arguments.name);
    if let Some(help) = refuse_scenario(name) {
        return Err(format!("a scenario cannot be called '{name}'\n  = help: {help}"));
    }
    let root = arguments.suite.clone().unwrap_or_else(here);
    let path = root.join(format!("{name}.yaml"));
    if path.exists() {
        return Err(format!("{} is there already\n  = help: choose another name", path.display()));
    }
    let depth = name.matches('/').count();
    let text = format!("# yaml-language-server: $schema={}{SCHEMA}\n{TEMPLATE}", "../".repeat(depth));
    write(&root.join(SCHEMA), &schema::scenario())?;
    write(&path, &text)?;
    Ok(path)
}

/// The suite's folder that other commands would find.
fn here() -> PathBuf {
    let folder = default_folder();
    if folder.is_dir() { find_root(&folder) } else { PathBuf::from(DEFAULT_FOLDER) }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("cannot write {}: {}", path.display(), reason(&error));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    write_atomically(path, |out| out.write_all(text.as_bytes())).map_err(cannot)
}
