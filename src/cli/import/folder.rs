//! The output folder of `import`. Existing files are never replaced, and all written files pass `check`.

use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cli::error::CliError;
use crate::cli::new::write_file;
use crate::cli::suite::{Permission, known};
use crate::scenario::files;
use crate::scenario::names::folded;
use crate::scenario::{ScenarioSource, Severity, SourceContent, SourceFormat, Suite};
use crate::snapshot::atomic::folder_of;

/// A folder for scenarios and transcripts, and its suite.
pub(super) struct Folder {
    path: PathBuf,
    suite: Suite,
}

/// Names of the conversations in this import.
#[derive(Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    /// How often each name was requested.
    wanted: FxHashMap<String, usize>,
}

impl Names {
    /// Returns a unique name: the requested one, with a number appended if necessary.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        let number = self.wanted.entry(folded(wanted)).or_default();
        loop {
            *number += 1;
            let name = if *number == 1 { wanted.to_owned() } else { format!("{wanted}-{number}") };
            if self.taken.insert(folded(&name)) {
                return name;
            }
        }
    }
}

impl Folder {
    /// # Errors
    /// The suite's file has problems.
    pub(super) fn open(path: &Path) -> Result<Folder, CliError> {
        let there = path.ancestors().find(|folder| fs::metadata(folder).is_ok());
        let suite = Suite::open(there.unwrap_or(Path::new(".")), known(&Permission::default(), None))?;
        Ok(Folder { path: path.to_owned(), suite })
    }

    /// Why `check` would reject a scenario or transcript with this text, if it would.
    pub(super) fn refusal(&self, name: &str, format: SourceFormat, text: &str) -> Option<String> {
        let path = self.file(name, format);
        let source = ScenarioSource {
            name: Some(self.suite.name_of(&path.display().to_string())),
            path: path.display().to_string(),
            folder: folder_of(&path).to_owned(),
            line: 1,
            content: SourceContent::Text { bytes: text.as_bytes().to_vec(), format },
        };
        let error = self.suite.load(&source).err()?;
        error.problems.into_iter().find(|problem| problem.severity == Severity::Error).map(|problem| {
            let place = problem.place.map_or_else(String::new, |place| format!(" ({place})"));
            format!("{}{place}", problem.message)
        })
    }

    /// Writes a new file. An equal file left by an interrupted import is fine.
    ///
    /// # Errors
    /// There is another scenario of this name, or writing fails.
    pub(super) fn write(
        &self,
        name: &str,
        format: SourceFormat,
        text: &str,
        tally: &str,
    ) -> Result<(), CliError> {
        let path = self.file(name, format);
        // Two files with different extensions would be the same scenario.
        for known in [SourceFormat::Yaml, SourceFormat::Transcript].map(|format| self.file(name, format)) {
            let is_same = known == path && files::read(&path).is_ok_and(|there| there == text.as_bytes());
            if (known.exists() || known.is_symlink()) && !is_same {
                return Err(CliError::Exists { path: known, help: "choose another folder with --output" });
            }
        }
        write_file(&path, text)?;
        outln!("{}: {tally}", path.display());
        Ok(())
    }

    fn file(&self, name: &str, format: SourceFormat) -> PathBuf {
        let ending = if format == SourceFormat::Yaml { "yaml" } else { "transcript.json" };
        self.path.join(format!("{name}.{ending}"))
    }
}
