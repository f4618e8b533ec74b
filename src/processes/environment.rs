//! The environment variables of started programs: a short allow-list, plus variables named by the user.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// Variables needed to find files, folders and the user's language. None of them contains a key.
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
    // For interpreters to find modules and libraries.
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "NODE_PATH",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    // Required by almost every program on Windows.
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
/// Prefix of locale settings.
const LOCALE: &str = "LC_";

/// The variables of a started program.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: Arc<[(OsString, OsString)]>,
}

impl Environment {
    /// Keeps the allowed variables and the `named` ones.
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

/// Compares two names. Windows ignores case.
fn is_same_name(name: &OsStr, other: &str) -> bool {
    if cfg!(windows) { name.eq_ignore_ascii_case(other) } else { name == other }
}
