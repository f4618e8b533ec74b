//! `ptc-eval migrate`: writes the files of older versions as this one writes them. Their content stays the same.

use std::path::PathBuf;

use clap::Args;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::suite::{beside, count, or_default};
use crate::report::ResultsReader;
use crate::scenario::suite::{find_root, is_within_suite};
use crate::snapshot::requests::requests_of;
use crate::snapshot::text::RUN;
use crate::snapshot::{RunSections, Store, body_of, repeated_strategy};

#[derive(Args)]
pub(super) struct MigrateArguments {
    /// The suite's folder; default: the one that other commands use
    path: Option<PathBuf>,
}

pub(super) fn run(arguments: &MigrateArguments) -> CliResult {
    let path = or_default(arguments.path.as_ref())?;
    path.metadata().map_err(|error| CliError::Read(path.clone(), error))?;
    let root = find_root(&path);
    if !is_within_suite(&root) {
        return Err(CliError::OutsideSuite("migrate", path));
    }
    let store = Store::new(beside(&root, "snapshots"));
    let keys = store.orphans(|_| false)?;
    let (mut rewritten, mut unreadable) = (0, 0);
    for key in &keys {
        let shown = store.path_of(key);
        match migrated(&store, key)? {
            Ok(None) => {}
            Ok(Some(body)) => {
                store.rewrite(key, &body)?;
                rewritten += 1;
                outln!("rewritten: {}", shown.display());
            }
            Err(message) => {
                unreadable += 1;
                errln!("{}: {message}; ptc-eval run writes it anew, for review", shown.display());
            }
        }
    }
    store.sync()?;
    let results = beside(&root, "reports").join("results.json");
    if results.exists()
        && let Err(error) = ResultsReader::open(&results)
    {
        errln!("{error}");
    }
    let left = keys.len() - rewritten - unreadable;
    outln!("{} rewritten, {left} left as they are", count(rewritten, "snapshot"));
    Ok(if unreadable == 0 { Exit::Success } else { Exit::Failed })
}

/// The body of a strategy's golden file as this version writes it, if that is another one.
fn migrated(store: &Store, key: &str) -> Result<Result<Option<String>, String>, CliError> {
    let Some((scenario, name)) = key.rsplit_once('/').filter(|(_, name)| *name != RUN) else {
        return Ok(Ok(None));
    };
    let [old, _] = store.bodies(key)?;
    let [run, _] = store.bodies(&format!("{scenario}/{RUN}"))?;
    let (old, run) = (old.unwrap_or_default(), run.unwrap_or_default());
    if repeated_strategy(&old).is_some() {
        return Ok(Ok(None));
    }
    let run = RunSections::of(&run);
    let read = match requests_of(&old, &run) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if read.len() != old.lines().filter(|line| line.starts_with("=== ")).count() {
        return Ok(Err(format!("not every section of {name} is a request")));
    }
    let new = body_of(&read, Some(&run));
    Ok(Ok((new.trim_end() != old.trim_end()).then_some(new)))
}
