//! The folder where `advise --save` writes logs as a suite. It only updates suites it wrote itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::SUITE_FILE;
use crate::cli::error::CliError;
use crate::cli::new::write_file;
use crate::cli::secrets::hide_in;
use crate::scenario::{LOGS_FILE, SUITE_FOLDER, files};
use crate::secrets::Secrets;
use crate::snapshot::atomic::{remove_all_left, write_atomically};
use agent_logs::{Notes, Shelf, ShelvedTranscript};

/// The last line of the suite's file, followed by a hash of all lines above.
const SEAL: &str = "# advise --save replaces this file until you change it: ";

/// A folder without a suite, or with one written by `advise --save`.
pub(super) struct SaveFolder {
    folder: PathBuf,
    keeps_secrets: bool,
}

impl SaveFolder {
    /// # Errors
    /// Suite or logs in the folder come from elsewhere, or the suite was changed.
    pub(super) fn open(folder: PathBuf, keeps_secrets: bool) -> Result<SaveFolder, CliError> {
        let file = folder.join(SUITE_FILE);
        let suite =
            files::read_if_there(&file).map_err(|error| CliError::Read { path: file.clone(), error })?;
        let refuse = |file: PathBuf, help| Err(CliError::Exists { path: file, help });
        // A suite includes all conversations below its folder, also those of suites inside.
        if let Some(inner) = suite_below(&folder) {
            return refuse(
                inner,
                "choose another folder with --save; this one holds the suites of several agents",
            );
        }
        match suite {
            Some(suite) if !is_sealed(&suite) => refuse(
                file,
                "choose another folder with --save; a suite that you made or changed is not replaced",
            ),
            // The suite is written first, so logs without a suite come from elsewhere.
            None if folder.join(LOGS_FILE).exists() => {
                refuse(folder.join(LOGS_FILE), "choose another folder with --save")
            }
            _ => Ok(SaveFolder { folder, keeps_secrets }),
        }
    }

    /// Removes secrets from the conversations and prints notes on them. Returns `None` if there are none, or with `--keep-secrets`.
    ///
    /// # Errors
    /// The temporary file of large logs cannot be read or written.
    pub(super) fn hide_secrets(
        &self,
        transcripts: &[ShelvedTranscript],
    ) -> io::Result<Option<Vec<ShelvedTranscript>>> {
        if self.keeps_secrets {
            return Ok(None);
        }
        let (mut secrets, mut shelf) = (Secrets::default(), Shelf::default());
        let mut hidden = Vec::with_capacity(transcripts.len());
        let mut notes = Notes { file: LOGS_FILE.to_owned(), ..Notes::default() };
        for (transcript, number) in transcripts.iter().zip(1..) {
            let mut transcript = Arc::unwrap_or_clone(transcript.open()?);
            hide_in(&mut secrets, &mut transcript, number, &mut notes);
            hidden.push(shelf.add(transcript)?);
        }
        if notes.notes.is_empty() {
            return Ok(None);
        }
        notes.short_lines().iter().for_each(|line| errln!("note: {line}"));
        Ok(Some(hidden))
    }

    /// The folder of the suite.
    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// The file of the logs.
    pub(super) fn logs_file(&self) -> PathBuf {
        self.folder.join(LOGS_FILE)
    }

    /// Writes the suite and its logs. After an interruption, running it again completes them.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(&self, settings: &str, transcripts: &[ShelvedTranscript]) -> Result<(), CliError> {
        remove_all_left(&self.folder);
        write_file(&self.folder.join(SUITE_FILE), &sealed(settings))?;
        let path = self.logs_file();
        let written = write_atomically(&path, |out| {
            for transcript in transcripts {
                serde_json::to_writer(&mut *out, &*transcript.open()?)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        });
        written.map_err(|error| CliError::Write { path, error })
    }
}

/// A suite file in a subfolder, or in a subfolder's scenario folder.
fn suite_below(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let suites =
        entries.flat_map(|entry| [entry.join(SUITE_FILE), entry.join(SUITE_FOLDER).join(SUITE_FILE)]);
    let mut suites: Vec<PathBuf> = suites.collect();
    suites.sort();
    suites.into_iter().find(|suite| suite.is_file())
}

fn sealed(settings: &str) -> String {
    format!("{settings}{SEAL}{:016x}\n", xxh3_64(settings.as_bytes()))
}

/// Returns true if the file is unchanged since it was written, apart from line ends converted by git.
fn is_sealed(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file).replace("\r\n", "\n");
    text.rfind(SEAL).and_then(|at| text.get(..at)).is_some_and(|settings| sealed(settings) == text)
}
