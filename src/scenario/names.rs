//! Checks the names of tools, data and scenarios.

use rustc_hash::FxHashSet;
use unicode_normalization::UnicodeNormalization;
use xxhash_rust::xxh3::xxh3_64;

use super::Origin;
use super::problem::{Problem, ScenarioError};
use super::walk::TRANSCRIPT_FILE;
use ptc_lisp::builtins;
use ptc_lisp::form::FormKind;
use ptc_lisp::read::read;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::source::Source;

/// The message and the help for an invalid name of a tool or of data. `None` if it is valid.
pub fn refuse_symbol(kind: &str, name: &str) -> Option<(String, &'static str)> {
    if is_symbol(name) {
        return None;
    }
    let message = format!("{kind} cannot be called '{name}': programs could not write that name");
    Some((message, "use letters, digits, - and _, and begin with a letter"))
}

fn is_symbol(name: &str) -> bool {
    let Ok(forms) = read(&Source::new("", name)) else { return false };
    let [form] = forms.as_slice() else { return false };
    !name.contains('/') && matches!(form.kind, FormKind::Symbol(read) if read.name() == name)
}

/// Returns true for the name of a builtin. Tools and data may shadow it (`docs/language.md` §6.2).
pub fn is_builtin(name: &str) -> bool {
    builtins::value(name).is_some()
}

/// Returns true for the name of a special form.
pub fn is_special_form(name: &str) -> bool {
    SPECIAL_FORMS.iter().any(|form| form.name == name)
}

/// Maximum bytes of one part of a name. File systems allow 255 bytes, including the longest extension.
const MOST_BYTES: usize = 255 - TRANSCRIPT_FILE.len();
/// Maximum bytes of a name. Systems allow paths of 4,096 bytes, including the folders above.
const MOST_BYTES_IN_ALL: usize = 2_048;

/// The help for an invalid name of a variant. `None` if it is valid. Snapshot files are named after variants.
pub fn refuse_variant(name: &str) -> Option<&'static str> {
    match name {
        _ if name.contains('/') => Some("leave out the slash"),
        _ if name.eq_ignore_ascii_case("run") => {
            Some("run.snap is the snapshot of the run; choose another name")
        }
        _ => refuse_scenario(name),
    }
}

/// A name as compared by case-insensitive or normalizing file systems: lower case, and é as a single character.
pub fn folded(name: &str) -> String {
    if name.is_ascii() { name.to_ascii_lowercase() } else { name.nfc().collect::<String>().to_lowercase() }
}

/// Returns true if Windows opens a device under this name.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    if let Some(port) = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt")) {
        return matches!(port.as_bytes(), [b'1'..=b'9']);
    }
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
}

/// The help for an invalid name of a scenario. `None` if it is valid. The name becomes part of the paths of its snapshots.
pub fn refuse_scenario(name: &str) -> Option<&'static str> {
    if name.split('/').any(|part| part.len() > MOST_BYTES) || name.len() > MOST_BYTES_IN_ALL {
        return Some("a name takes at most 239 bytes between slashes and 2,048 in all");
    }
    if name.split('/').any(is_snapshot) {
        return Some("names that end in .snap or .snap.new are those of snapshots");
    }
    if name.split('/').any(is_device) {
        return Some(
            "Windows keeps names such as con, nul, aux, com1 and lpt1, also before a dot, for devices",
        );
    }
    let parts_are_plain = name.split('/').all(|part| {
        !part.is_empty() && !part.starts_with('.') && !part.ends_with(['.', ' ']) && !part.starts_with(' ')
    });
    if name.contains(is_odd) {
        return Some("a name holds no control characters and none of \\ : * ? \" < > |");
    }
    (!parts_are_plain)
        .then_some("a name is one or more words between slashes, none of which begins with a dot")
}

fn is_odd(c: char) -> bool {
    c.is_control() || "\\:*?\"<>|".contains(c)
}

fn is_snapshot(part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    part.ends_with(".snap") || part.ends_with(".snap.new")
}

/// Turns the name of a log into a valid scenario name.
pub fn scenario_called(log: &str) -> String {
    let name = log.replace(|c: char| is_odd(c) || c == '/', "-");
    // Short enough for paths of snapshots on Windows.
    let name = name.get(..name.floor_char_boundary(100)).unwrap_or_default().trim_matches(['.', ' ']);
    if refuse_scenario(name).is_none() { name.to_owned() } else { format!("log-{}", name.replace('.', "-")) }
}

/// Advice for two names with the same file on some file systems.
pub const SAME_FILE: &str = "on some systems they would be one file; rename one of the two";

/// The scenario names so far, as hashes. A name takes about ten bytes whatever its length, twice that if it has capitals.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Hashes of names unchanged by [`folded`].
    folded: FxHashSet<u64>,
    /// Hashes of all other names, both original and folded.
    others: FxHashSet<u64>,
}

impl Names {
    /// Records the name of a scenario.
    ///
    /// # Errors
    /// The name is a duplicate, or differs from another one only in case.
    pub fn claim(&mut self, name: &str, origin: &Origin) -> Result<(), ScenarioError> {
        let folded = folded(name);
        let (hash, hash_of_folded) = (xxh3_64(name.as_bytes()), xxh3_64(folded.as_bytes()));
        let is_taken = self.folded.contains(&hash_of_folded) || self.others.contains(&hash_of_folded);
        let alike = if name == folded { &mut self.folded } else { &mut self.others };
        let (message, help) = if alike.contains(&hash) {
            (format!("another scenario is called '{name}' too"), "rename one of the two")
        } else if is_taken {
            (format!("another name differs from '{name}' in upper and lower case only"), SAME_FILE)
        } else {
            alike.extend([hash, hash_of_folded]);
            return Ok(());
        };
        Err(Problem::of_file(&origin.to_string(), message, help).into())
    }
}
