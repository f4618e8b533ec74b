//! The suite and its golden files at a commit, to attribute changes since then to edits.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::committed::{MOST_BYTES, committed_files};
use super::scratch::Scratch;
use crate::evaluate::{EarlierSuite, GoldenFiles, OpenedSuite};
use crate::scenario::edits::{Edit, SuiteFiles, find_edits, with_edits};
use crate::scenario::files;
use crate::scenario::{Known, Suite};
use crate::snapshot::store::body_of;

/// Folders next to scenarios that don't belong to the suite.
const OTHER_FOLDERS: [&str; 2] = ["snapshots", "reports"];
/// The extension of golden files.
const SNAP: &str = ".snap";

/// The suite at a commit, read lazily, because most evaluations find no change.
pub(super) struct CommittedSuite {
    revision: String,
    root: PathBuf,
    /// The folder of golden files, including texts by models.
    golden: PathBuf,
    known: Known,
    read: OnceLock<Option<ReadSuite>>,
}

struct ReadSuite {
    scratch: Scratch,
    old: SuiteFiles,
    new: SuiteFiles,
    edits: Vec<Edit>,
    /// Opened suites, keyed by their edits.
    opened: Mutex<BTreeMap<BTreeSet<usize>, Option<Arc<OpenedSuite>>>>,
}

impl CommittedSuite {
    /// The suite at a revision. Its commands never run.
    pub(super) fn at(revision: &str, suite: &Suite, known: Known, golden: &Path) -> CommittedSuite {
        CommittedSuite {
            revision: revision.to_owned(),
            root: suite.root.clone(),
            golden: golden.to_owned(),
            known: Known { command_environment: None, ..known },
            read: OnceLock::new(),
        }
    }

    fn suite(&self) -> Option<&ReadSuite> {
        let read = self.read.get_or_init(|| {
            let old = committed_files(&self.root, &self.revision).filter(|files| !files.is_empty())?;
            let new = files_below(&self.root).ok()?;
            let edits = find_edits(&old, &new);
            Some(ReadSuite { scratch: Scratch::new().ok()?, old, new, edits, opened: Mutex::default() })
        });
        read.as_ref()
    }
}

impl EarlierSuite for CommittedSuite {
    fn is_known(&self) -> bool {
        self.suite().is_some()
    }

    fn reaching(&self, file: &str) -> Vec<usize> {
        let Some(suite) = self.suite() else { return Vec::new() };
        let edits = suite.edits.iter().enumerate();
        let reaching = edits.filter(|(_, edit)| edit.reaches(file, &suite.old, &suite.new));
        reaching.map(|(index, _)| index).collect()
    }

    fn title(&self, edit: usize) -> String {
        self.suite().and_then(|suite| suite.edits.get(edit)).map_or_else(String::new, Edit::title)
    }

    fn count(&self) -> usize {
        self.suite().map_or(0, |suite| suite.edits.len())
    }

    fn with(&self, edits: &BTreeSet<usize>) -> Option<Arc<OpenedSuite>> {
        let suite = self.suite()?;
        let mut opened = suite.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.get(edits) {
            return known.clone();
        }
        let folder = suite.scratch.path().join(opened.len().to_string()).join(self.root.file_name()?);
        let files = with_edits(&suite.old, &suite.new, &suite.edits, |edit| edits.contains(&edit));
        let written = write_files(&folder, &files).ok();
        let made = written.and_then(|()| OpenedSuite::open(&folder, self.known.clone(), &self.golden));
        let made = made.map(Arc::new);
        opened.insert(edits.clone(), made.clone());
        made
    }
}

/// The golden files of a commit.
pub(super) struct CommittedGolden(BTreeMap<String, String>);

impl CommittedGolden {
    /// Reads the golden files in a folder at a revision. `None` if there are none.
    pub(super) fn at(revision: &str, folder: &Path) -> Option<CommittedGolden> {
        let files = committed_files(folder, revision).filter(|files| !files.is_empty())?;
        let mut bodies = BTreeMap::new();
        for (file, bytes) in files {
            if let (Some(key), Ok(text)) = (file.strip_suffix(SNAP), String::from_utf8(bytes)) {
                bodies.insert(key.to_owned(), body_of(&text).to_owned());
            }
        }
        Some(CommittedGolden(bodies))
    }
}

impl GoldenFiles for CommittedGolden {
    fn body(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }
}

/// The files below a suite's folder, except hidden files, snapshots and reports.
fn files_below(root: &Path) -> io::Result<SuiteFiles> {
    let (mut files, mut folders, mut bytes) = (SuiteFiles::new(), vec![root.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with('.') || OTHER_FOLDERS.contains(&name.as_str()) {
                continue;
            }
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push(path),
                // Skip links out of the folder to the user's files. The commit contains no links either.
                kind if path.is_file() && !(kind.is_symlink() && files::leads_out(root, &path)) => {
                    let below = path.strip_prefix(root).unwrap_or(&path);
                    let text = files::read(&path)?;
                    bytes += text.len();
                    if bytes > MOST_BYTES {
                        return Err(io::ErrorKind::FileTooLarge.into());
                    }
                    files.insert(below.to_string_lossy().replace('\\', "/"), text);
                }
                _ => {}
            }
        }
    }
    Ok(files)
}

fn write_files(folder: &Path, files: &SuiteFiles) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (file, bytes) in files {
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}
