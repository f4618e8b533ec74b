//! The environment variables that a started program sees: those of a short list, and those that the user names.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// Variables that programs need to find files, folders and the language of the user. None of them holds a key.
const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TMP",
    "TEMP",
    // Where interpreters find their modules and libraries.
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "NODE_PATH",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    // Windows starts hardly any program without them.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
];
/// The start of the names of locale settings.
const LOCALE: &str = "LC_";

/// The variables of a started program.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: Arc<[(OsString, OsString)]>,
}

impl Environment {
    /// The allowed ones of these variables, and those that are named.
    pub fn filter(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        named: &[String],
    ) -> Environment {
        let mut kept = Vec::new();
        for (name, value) in variables {
            if is_allowed(&name) || named.iter().any(|named| is_same_name(&name, named)) {
                kept.push((name, value));
            }
        }
        Environment { variables: kept.into() }
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        let variable = self.variables.iter().find(|(known, _)| is_same_name(known, name))?;
        Some(&variable.1)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = &(OsString, OsString)> {
        self.variables.iter()
    }
}

fn is_allowed(name: &OsStr) -> bool {
    let is_locale = name.to_str().is_some_and(|name| name.starts_with(LOCALE));
    is_locale || ALLOWED.iter().any(|allowed| is_same_name(name, allowed))
}

/// Returns true for two spellings of one name. Windows ignores their case.
fn is_same_name(name: &OsStr, other: &str) -> bool {
    if cfg!(windows) { name.eq_ignore_ascii_case(other) } else { name == other }
}
