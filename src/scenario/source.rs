//! The text of a scenario before it is read.

use std::path::PathBuf;

/// The text of one scenario, not yet read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// From the path; a JSON line names itself.
    pub name: Option<String>,
    /// The file as messages name it.
    pub path: String,
    /// The folder to which paths in the scenario are relative.
    pub folder: PathBuf,
    /// The line on which the text begins.
    pub line: u32,
    pub text: Vec<u8>,
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Yaml,
    JsonLine,
}
