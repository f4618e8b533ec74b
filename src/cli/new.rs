//! `ptc-eval new`: writes a commented scenario or a small suite, ready to run. It never overwrites a file.

use std::path::{Path, PathBuf};

use clap::Args;

use super::demo;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::input::{holds_logs, other_input};
use super::schema::SchemaFile;
use super::suite::{DEFAULT_FOLDER, beside, default_folder, for_shell, path_for_shell};
use super::terminal::Color;
use crate::scenario::files::{refuse_link, refuse_links_below};
use crate::scenario::names::refuse_scenario;
use crate::scenario::suite::{find_root, is_within_suite};
use crate::snapshot::atomic::{folder_of, write_atomically};

const SCENARIO: &str = include_str!("new/scenario.yaml");
const SUITE: &str = include_str!("new/suite.yaml");
/// The pattern of snapshots waiting for review.
const WAITING: &str = "*.snap.new";
const TRANSCRIPT: &str = include_str!("new/transcript.json");

#[derive(Args)]
pub(super) struct NewArguments {
    /// The scenario's name, such as shop/in-stock: its path below the suite's folder, without extension
    #[arg(required_unless_present_any = ["suite", "demo"])]
    name: Option<String>,
    /// Compare the strategies on three built-in scenarios, and write nothing
    #[arg(long, conflicts_with_all = ["name", "suite"])]
    demo: bool,
    /// The suite's folder, or its parent; default: `scenarios`. Without NAME, write a small suite there
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    suite: Option<Option<PathBuf>>,
}

pub(super) fn run(arguments: &NewArguments, color: Color) -> CliResult {
    if arguments.demo {
        return demo::run(color);
    }
    let root = match arguments.suite.clone().flatten() {
        Some(folder) => suite_in(folder),
        None => current_folder(),
    };
    let is_named = arguments.suite.as_ref().is_some_and(Option::is_some);
    if !is_named {
        refuse_link(&root).map_err(|error| CliError::Write { path: root.clone(), error })?;
    }
    let Some(name) = &arguments.name else {
        write_new(&root, "suite.yaml", SUITE, Some(SchemaFile::Suite))?;
        write_new(&root, "shop/in-stock.yaml", SCENARIO, Some(SchemaFile::Scenario))?;
        write_new(&root, "support/late-parcel.transcript.json", TRANSCRIPT, None)?;
        write_attributes(&root)?;
        write_ignored(&root)?;
        let run = if root == current_folder() {
            "ptc-eval".into()
        } else {
            format!("ptc-eval run {}", path_for_shell(&root))
        };
        outln!("\nNext: {run}; ptc-eval review shows its snapshots");
        return Ok(Exit::Success);
    };
    let path = Path::new(name);
    if path.is_file() && holds_logs(path)? {
        let instead = format!("ptc-eval import {} makes scenarios and transcripts of it", for_shell(name));
        if let Some(error) = other_input(path, "the name of a new scenario", instead) {
            return Err(error);
        }
    }
    let name = name.strip_suffix(".yaml").unwrap_or(name);
    if let Some(help) = refuse_scenario(name) {
        return Err(CliError::ScenarioName { name: name.to_owned(), help });
    }
    let file = format!("{name}.yaml");
    write_new(&root, &file, SCENARIO, Some(SchemaFile::Scenario))?;
    outln!(
        "\nNext: edit it, then ptc-eval run {}; ptc-eval review shows its snapshots",
        path_for_shell(&root.join(file))
    );
    Ok(Exit::Success)
}

/// Writes a new file and prints its path. Its first line refers editors to the schema, which is also written into the suite.
fn write_new(root: &Path, file: &str, text: &str, schema: Option<SchemaFile>) -> Result<(), CliError> {
    let path = root.join(file);
    let refused = refuse_links_below(root, folder_of(&path));
    refused.map_err(|error| CliError::Write { path: path.clone(), error })?;
    if path.exists() || path.is_symlink() {
        return Err(CliError::Exists { path, help: "choose another name, or another folder with --suite" });
    }
    let first = schema.map(|schema| {
        // Hidden files are not read as scenarios.
        let place = format!(".schema/{}.json", schema.name());
        let up = "../".repeat(file.matches('/').count());
        (schema, format!("# yaml-language-server: $schema={up}{place}\n"), place)
    });
    if let Some((schema, _, place)) = &first {
        let place = root.join(place);
        let refused = refuse_links_below(root, &place);
        refused.map_err(|error| CliError::Write { path: place.clone(), error })?;
        write_file(&place, &schema.text())?;
    }
    write_file(&path, &(first.map_or_else(String::new, |(_, line, _)| line) + text))?;
    outln!("{}", path.display());
    Ok(())
}

/// Writes a `.gitattributes` file, so that git does not convert line ends in the suite, snapshots and reports. An existing file stays
/// unchanged.
fn write_attributes(root: &Path) -> Result<(), CliError> {
    let path = beside(root, ".gitattributes");
    let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    // Other characters may be special in a pattern.
    let pattern = name.replace(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'), "?");
    let folders = [pattern.as_str(), "snapshots", "reports"];
    let lines: String = folders.map(|folder| format!("/{folder}/** text=auto eol=lf\n")).concat();
    if path.exists() || path.is_symlink() {
        outln!("{} stays as it is; add to it:\n{}", path.display(), lines.trim_end());
        return Ok(());
    }
    write_file(&path, &format!("# The same line ends in every clone.\n{lines}"))?;
    outln!("{}", path.display());
    Ok(())
}

/// Writes a `.gitignore` file for snapshots waiting for review. An existing file stays unchanged.
fn write_ignored(root: &Path) -> Result<(), CliError> {
    let path = beside(root, ".gitignore");
    if path.exists() || path.is_symlink() {
        outln!("{} stays as it is; add to it:\n{WAITING}", path.display());
        return Ok(());
    }
    write_file(&path, &format!("# Snapshots that wait for review.\n{WAITING}\n"))?;
    outln!("{}", path.display());
    Ok(())
}

/// The folder itself if it is a suite, else the folder `scenarios` in it.
fn suite_in(folder: PathBuf) -> PathBuf {
    // Snapshots and reports are next to a suite, so two suites in one folder would share them.
    let is_suite = folder.ends_with(DEFAULT_FOLDER) || is_within_suite(&folder);
    if is_suite { folder } else { folder.join(DEFAULT_FOLDER) }
}

/// The default folder of the suite, as in other commands.
fn current_folder() -> PathBuf {
    let folder = default_folder();
    if folder.is_dir() { find_root(&folder) } else { PathBuf::from(DEFAULT_FOLDER) }
}

/// Writes a file. Creates its parent folders.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), CliError> {
    write_atomically(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| CliError::Write { path: path.to_owned(), error })
}
