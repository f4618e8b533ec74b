//! `ptc-eval run --watch`: evaluates again whenever a file below the suite's folder changes. It polls modification times and lengths,
//! because polling works the same on every operating system and file system.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{INTERRUPT, RunArguments};
use crate::cli::exit::Exit;
use crate::cli::suite::{default_folder, same_place};
use crate::scenario::suite::find_root;

/// Polling interval.
const INTERVAL: Duration = Duration::from_millis(300);

/// Modification time and length of a file.
type Stamp = (Option<SystemTime>, u64);

/// The watched files of a suite.
struct Watched {
    folder: PathBuf,
    /// Folders of reports and snapshots. They may be inside the suite's folder.
    written: Vec<PathBuf>,
}

/// Evaluates at once and after each change, until Ctrl-C.
pub(super) fn watch(arguments: &RunArguments, run: impl Fn() -> Exit) -> Exit {
    loop {
        let watched = Watched::new(arguments);
        // Taken before the evaluation, to notice changes made during it.
        let before = watched.stamps_of_files();
        let exit = run();
        if INTERRUPT.load(Ordering::Relaxed) || !watched.folder.is_dir() {
            return exit;
        }
        errln!("waiting for a change below {}; Ctrl-C ends", watched.folder.display());
        let Some(after) = watched.wait(&before) else { return Exit::Interrupted };
        errln!("{} at {} UTC", describe_changes(&before, &after), time_of_day());
    }
}

impl Watched {
    fn new(arguments: &RunArguments) -> Watched {
        let path = arguments.choice.paths.first().cloned().unwrap_or_else(default_folder);
        let written = [&arguments.report_dir, &arguments.snapshot_dir].into_iter().flatten();
        Watched { folder: find_root(&path), written: written.cloned().collect() }
    }

    /// Waits until the files differ from `before`, and returns them. `None` after Ctrl-C.
    fn wait(&self, before: &BTreeMap<PathBuf, Stamp>) -> Option<BTreeMap<PathBuf, Stamp>> {
        let mut last = before.clone();
        loop {
            sleep(INTERVAL);
            if INTERRUPT.load(Ordering::Relaxed) {
                return None;
            }
            let now = self.stamps_of_files();
            // Editors write in several steps, so wait until nothing has changed for an interval.
            if now == last && now != *before {
                return Some(now);
            }
            last = now;
        }
    }

    /// All files below the folder except hidden and written ones: scenarios, data, programs and `suite.yaml`.
    fn stamps_of_files(&self) -> BTreeMap<PathBuf, Stamp> {
        let mut stamps = BTreeMap::new();
        let mut pending = vec![self.folder.clone()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_name().as_encoded_bytes().starts_with(b".") {
                    continue;
                }
                if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    stamps.extend(stamp_of_file(&path).map(|stamp| (path, stamp)));
                } else if !self.is_written(&path) {
                    pending.push(path);
                }
            }
        }
        stamps
    }

    fn is_written(&self, folder: &Path) -> bool {
        self.written.iter().any(|written| same_place(written, folder))
    }
}

/// Returns `None` if the file no longer exists.
fn stamp_of_file(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.modified().ok(), file.len()))
}

/// `scenarios/sum.yaml changed and 2 more files`
fn describe_changes(before: &BTreeMap<PathBuf, Stamp>, after: &BTreeMap<PathBuf, Stamp>) -> String {
    let changed = after.iter().filter_map(|(path, stamp)| match before.get(path) {
        None => Some((path, "was added")),
        Some(old) if old != stamp => Some((path, "changed")),
        Some(_) => None,
    });
    let gone = before.keys().filter(|path| !after.contains_key(*path)).map(|path| (path, "was removed"));
    let mut all = changed.chain(gone);
    let first = all.next().map_or_else(String::new, |(path, how)| format!("{} {how}", path.display()));
    match all.count() {
        0 => first,
        1 => format!("{first} and 1 more file"),
        more => format!("{first} and {more} more files"),
    }
}

/// `14:03:21`
fn time_of_day() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % (24 * 60 * 60);
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
