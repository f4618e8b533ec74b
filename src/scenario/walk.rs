//! Finds the suite's folder and its scenario files, in the same order on every system.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::data_files::{display, unreadable};
use super::files;
use super::problem::{Problem, ScenarioError};

/// A folder with this file is a suite.
pub const SUITE_FILE: &str = "suite.yaml";
/// The usual name of a suite's folder.
pub const SUITE_FOLDER: &str = "scenarios";
/// Folders without scenarios.
const SKIPPED: [&str; 2] = ["data", "strategies"];

/// A file with one scenario, or with one on each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkedFile {
    pub path: PathBuf,
    /// The path below the suite's folder, without extension.
    pub name: String,
    /// True if each line is a scenario.
    pub has_lines: bool,
}

/// File name suffix of a single transcript.
pub const TRANSCRIPT_FILE: &str = ".transcript.json";

/// File name suffix of golden texts.
pub const GOLDEN_TEXTS: &str = ".summaries.yaml";
/// The start of the first line of golden texts.
pub const GOLDEN_TEXTS_HEAD: &str = "# Texts that a live model wrote.";

/// The nearest folder at or above a path with a `suite.yaml` or the name `scenarios`. If there is none: the path, or its folder if it is a
/// file.
pub fn find_root(path: &Path) -> PathBuf {
    let start = if path.exists() && !path.is_dir() { parent_folder(path) } else { path.to_owned() };
    folders_above(&start).into_iter().find(|folder| is_suite(folder)).unwrap_or(start)
}

/// Returns true for the folder of a suite and folders below it.
pub fn is_within_suite(folder: &Path) -> bool {
    folders_above(folder).iter().any(|folder| is_suite(folder))
}

/// Returns true for the folder of a suite.
pub fn is_suite(folder: &Path) -> bool {
    if folder.join(SUITE_FILE).symlink_metadata().is_ok() {
        return true;
    }
    folder.canonicalize().is_ok_and(|folder| folder.file_name() == Some(OsStr::new(SUITE_FOLDER)))
}

/// A folder and its ancestors, spelt as in `start`, so that messages show what the user typed.
fn folders_above(start: &Path) -> Vec<PathBuf> {
    // If `a` is a link, `a/..` is not the parent of `a/../b`.
    if start.components().any(|part| part == Component::ParentDir) {
        let real = start.canonicalize();
        let start = real.as_deref().unwrap_or(start);
        return start.ancestors().map(Path::to_owned).collect();
    }
    let mut folders = Vec::new();
    for folder in start.ancestors() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folders.push(folder.to_owned());
    }
    if start.is_relative()
        && let Ok(here) = Path::new(".").canonicalize()
    {
        let mut above = PathBuf::new();
        for _ in here.ancestors().skip(1) {
            above.push("..");
            folders.push(above.clone());
        }
    }
    folders
}

fn parent_folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Iterator over the scenario files below some paths.
pub struct Walk {
    root: PathBuf,
    /// Entries to visit, the next one last.
    pending: Vec<Entry>,
}

struct Entry {
    path: PathBuf,
    is_folder: bool,
    is_link: bool,
}

impl Walk {
    /// Walks these paths below the root, or the whole root if there are none. A path inside another one is walked once. Explicit paths are
    /// never skipped, whatever their name.
    ///
    /// # Errors
    /// A path does not exist or is outside the root.
    pub fn new(root: &Path, paths: &[PathBuf]) -> Result<Walk, ScenarioError> {
        let everything = [root.to_owned()];
        let paths = if paths.is_empty() { &everything } else { paths };
        let mut starts = Vec::with_capacity(paths.len());
        for path in paths {
            starts.push(path_below(root, path)?);
        }
        starts.sort_by_cached_key(|start| sort_path(start));
        let mut kept: Vec<PathBuf> = Vec::new();
        for start in starts {
            if !kept.iter().any(|outer| start.starts_with(outer)) {
                kept.push(start);
            }
        }
        let mut pending = Vec::with_capacity(kept.len());
        for path in kept.into_iter().rev() {
            let path = root_join(root, &path);
            pending.push(Entry { is_folder: path.is_dir(), is_link: false, path });
        }
        Ok(Walk { root: root.to_owned(), pending })
    }

    fn open_folder(&mut self, folder: &Path) -> Result<(), ScenarioError> {
        let own_suite = folder.join(SUITE_FILE);
        if folder != self.root && own_suite.exists() {
            let message = format!("a suite of its own, within the suite in {}", display(&self.root));
            return Err(Problem::of_file(&display(&own_suite), message, "run each suite by itself").into());
        }
        let mut entries = match list_entries(folder) {
            Ok(entries) => entries,
            Err(error) => return Err(unreadable(&display(folder), &error)),
        };
        entries.retain(Entry::is_wanted);
        entries.sort_by(|a, b| b.sort_key().cmp(&a.sort_key()));
        self.pending.extend(entries);
        Ok(())
    }

    fn walked_file(&self, path: PathBuf) -> Result<WalkedFile, ScenarioError> {
        let mut relative = path.strip_prefix(&self.root).unwrap_or(&path).with_extension("");
        if is_transcript(&path) {
            relative.set_extension("");
        }
        let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
        let Some(parts) = parts else {
            let message = "the name of the file is not UTF-8";
            return Err(Problem::of_file(&display(&path), message, "rename it").into());
        };
        let name = parts.join("/");
        let has_lines = has_extension(&path, &["jsonl"]);
        Ok(WalkedFile { path, name, has_lines })
    }
}

fn list_entries(folder: &Path) -> std::io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        entries.push(Entry { path: entry.path(), is_folder: kind.is_dir(), is_link: kind.is_symlink() });
    }
    Ok(entries)
}

impl Iterator for Walk {
    type Item = Result<WalkedFile, ScenarioError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = self.pending.pop()?;
            if !entry.is_folder {
                if entry.is_link
                    && let Err(error) = refuse_outside(&self.root, &entry.path)
                {
                    return Some(Err(error));
                }
                return Some(self.walked_file(entry.path));
            }
            if let Err(error) = self.open_folder(&entry.path) {
                return Some(Err(error));
            }
        }
    }
}

impl Entry {
    fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    fn is_wanted(&self) -> bool {
        let name = self.name().as_encoded_bytes();
        if name.starts_with(b".") || name.starts_with(b"_") {
            return false;
        }
        if self.is_folder {
            return SKIPPED.map(OsStr::new).iter().all(|skipped| self.name() != *skipped);
        }
        let is_scenario = has_extension(&self.path, &["yaml", "yml", "jsonl"]);
        // Includes pipes and broken links with such a name: reading them is an error for users to see.
        (is_scenario || is_transcript(&self.path)) && self.name() != SUITE_FILE && !is_golden_text(&self.path)
    }

    /// Sorts by the bytes of the scenario name, and a file before the folder of the same name.
    fn sort_key(&self) -> (&[u8], bool, &[u8]) {
        let stem = if self.is_folder { self.name() } else { self.path.file_stem().unwrap_or_default() };
        (stem.as_encoded_bytes(), self.is_folder, self.name().as_encoded_bytes())
    }
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    let Some(extension) = path.extension() else { return false };
    wanted.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
}

/// Refuses a link out of the suite's folder. An error or a request could reveal a file of the user.
///
/// # Errors
/// The path is such a link.
pub fn refuse_outside(root: &Path, path: &Path) -> Result<(), ScenarioError> {
    if !files::leads_out(root, path) {
        return Ok(());
    }
    let message = "it is a link that leads out of the suite's folder";
    Err(Problem::of_file(&display(path), message, "move the file below the suite's folder").into())
}

/// Returns true for a file with one transcript.
pub fn is_transcript(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    name.as_encoded_bytes().ends_with(TRANSCRIPT_FILE.as_bytes())
}

/// Returns true for a file of golden texts. They are among scenarios if `--snapshot-dir` is inside the suite.
fn is_golden_text(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    name.as_encoded_bytes().ends_with(GOLDEN_TEXTS.as_bytes())
        && files::read(path).is_ok_and(|text| text.starts_with(GOLDEN_TEXTS_HEAD.as_bytes()))
}

/// The path relative to the root, however the two are spelt.
fn path_below(root: &Path, path: &Path) -> Result<PathBuf, ScenarioError> {
    let (real, root) = (real_path(path)?, real_path(root)?);
    let Ok(below) = real.strip_prefix(&root) else {
        let message = format!("this is not below the suite's folder {}", display(&root));
        return Err(Problem::of_file(&display(path), message, "run each suite by itself").into());
    };
    Ok(below.to_owned())
}

fn real_path(path: &Path) -> Result<PathBuf, ScenarioError> {
    path.canonicalize().map_err(|error| unreadable(&display(path), &error))
}

fn root_join(root: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { root.to_owned() } else { root.join(path) }
}

fn sort_path(path: &Path) -> Vec<Vec<u8>> {
    path.with_extension("").components().map(|part| part.as_os_str().as_encoded_bytes().to_vec()).collect()
}

/// The path of a sibling of the suite's folder.
pub fn beside(root: &Path, name: &str) -> PathBuf {
    match (root.file_name(), root.parent()) {
        (Some(_), Some(parent)) => parent.join(name),
        // `.` and `..` have no name to replace.
        _ => root.join("..").join(name),
    }
}
