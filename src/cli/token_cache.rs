//! A cache of token counts between evaluations, in a file. The file can be deleted at any time. If it is missing or unreadable, tokens are
//! counted again.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::error::CliError;
use crate::scenario::Suite;
use crate::scenario::files;
use crate::snapshot::atomic::write_atomically;
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer, counts_file};

/// The environment variable for the cache folder, or `off`.
const VARIABLE: &str = "PTC_EVAL_CACHE";

/// A tokenizer with cached counts of earlier evaluations. It saves new counts when dropped.
pub(super) struct CachedTokenizer {
    tokenizer: Tokenizer,
    /// `None` if the cache is off.
    path: Option<PathBuf>,
}

impl CachedTokenizer {
    /// The tokenizer with this name, else the suite's, else the default one.
    pub(super) fn of(wanted: Option<&str>, suite: &Suite) -> Result<CachedTokenizer, CliError> {
        CachedTokenizer::named(wanted.or(suite.tokenizer.as_deref()))
    }

    /// The tokenizer with this name, else the default one.
    pub(super) fn named(name: Option<&str>) -> Result<CachedTokenizer, CliError> {
        let name = name.unwrap_or(DEFAULT_TOKENIZER);
        let tokenizer = Tokenizer::named(name)?;
        let path = folder().map(|folder| folder.join(format!("{name}.counts")));
        let kept = path.as_deref().map_or_else(Vec::new, read);
        tokenizer.learn_words(counts_file::read_counts(name, &kept));
        Ok(CachedTokenizer { tokenizer, path })
    }
}

impl Deref for CachedTokenizer {
    type Target = Tokenizer;

    fn deref(&self) -> &Tokenizer {
        &self.tokenizer
    }
}

impl Drop for CachedTokenizer {
    /// Writes the counts if there are new ones.
    fn drop(&mut self) {
        let tokenizer = &self.tokenizer;
        let (Some(path), (known, true)) = (&self.path, tokenizer.known_words()) else { return };
        // Another process may have written in the meantime, so merge.
        let kept = read(path);
        let others =
            counts_file::read_counts(tokenizer.name(), &kept).filter(|(key, _)| !tokenizer.knows_word(key));
        // Ignore errors: the next evaluation counts again.
        let _ = write(path, &counts_file::write_counts(tokenizer.name(), known.into_iter().chain(others)));
    }
}

/// Reads a file. Returns no bytes on error, because tokens can be counted again.
fn read(path: &Path) -> Vec<u8> {
    files::read(path).unwrap_or_default()
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    write_atomically(path, |file| file.write_all(bytes))
}

/// The folder in the environment variable, or the platform's cache folder.
fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return (!named.is_empty() && named != "off").then(|| named.into());
    }
    let platform = if cfg!(windows) {
        path_in_variable("LOCALAPPDATA")
    } else {
        let of_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        // The XDG specification says to ignore a relative path.
        let named = path_in_variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        named.or_else(|| path_in_variable("HOME").map(|home| home.join(of_home)))
    };
    platform.map(|folder| folder.join("ptc-eval"))
}

/// The path in an environment variable. `None` if it is missing or empty.
pub(super) fn path_in_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
