//! Edits of a suite between two revisions: finds the changed keys, and builds suites with only some of the edits.

mod tree;

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::Value;

use super::walk::SUITE_FILE;
use crate::agent::DEFAULT_MAX_TURNS;
use crate::compression::{OptionKind, STRATEGIES};
use tree::{Pick, Step, mix, text_of};

/// The files of a suite: bytes by path. Paths are below the suite's folder, with `/`.
pub type SuiteFiles = BTreeMap<String, Vec<u8>>;

/// A changed key, or the same change in several files.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    places: Vec<EditPlace>,
}

/// A changed key of a file. An unparsable file counts as a single key.
#[derive(Clone, Debug, PartialEq)]
struct EditPlace {
    file: String,
    path: Vec<Step>,
    old: Option<Value>,
    new: Option<Value>,
}

/// Maximum characters of a value in a title.
const SHOWN: usize = 40;

/// The edits between the old and the new files. Added and deleted files are not edits: they are other scenarios, or follow from an edited
/// reference to them.
pub fn find_edits(old: &SuiteFiles, new: &SuiteFiles) -> Vec<Edit> {
    let mut places = Vec::new();
    for (file, old) in old {
        let Some(new) = new.get(file) else { continue };
        if new == old {
            continue;
        }
        match (parse(file, old), parse(file, new)) {
            (Some(old), Some(new)) => {
                let mut found = Found { file, places: &mut places };
                mix(&old, &new, &mut Vec::new(), &mut found);
            }
            _ => places.push(EditPlace { file: file.clone(), path: Vec::new(), old: None, new: None }),
        }
    }
    group_places(places)
}

/// The old files with the edits selected by `is_chosen`, called with their index. Also includes all new files except scenarios.
pub fn with_edits(
    old: &SuiteFiles,
    new: &SuiteFiles,
    edits: &[Edit],
    is_chosen: impl Fn(usize) -> bool,
) -> SuiteFiles {
    let mut files = old.clone();
    for (file, bytes) in new {
        if !is_scenario(file) && !files.contains_key(file) {
            files.insert(file.clone(), bytes.clone());
        }
    }
    let mut chosen: BTreeMap<&str, Vec<&[Step]>> = BTreeMap::new();
    for (index, edit) in edits.iter().enumerate() {
        if !is_chosen(index) {
            continue;
        }
        for place in &edit.places {
            chosen.entry(&place.file).or_default().push(&place.path);
        }
    }
    for (file, paths) in chosen {
        let (Some(before), Some(after)) = (old.get(file), new.get(file)) else { continue };
        let mixed = match (parse(file, before), parse(file, after)) {
            (Some(before), Some(after)) => {
                write_tree(file, mix(&before, &after, &mut Vec::new(), &mut Chosen { paths: &paths }))
            }
            _ => None,
        };
        let mixed = match mixed {
            Some(mixed) => mixed,
            None => after.clone(),
        };
        files.insert(file.to_owned(), mixed);
    }
    files
}

impl Edit {
    /// The file and the key, such as `suite.yaml  compression.println_limit 15 → 14`.
    pub fn title(&self) -> String {
        let Some(place) = self.places.first() else { return String::new() };
        let mut title = place.file.clone();
        let key = key_of(&place.path);
        if !key.is_empty() {
            title = format!("{title}  {key}");
        }
        if let Some(values) = place.values() {
            title = format!("{title} {values}");
        }
        match self.places.len() {
            1 => title,
            count => format!("{title}, and {} like it", count - 1),
        }
    }

    /// Returns true if the edit can affect the scenarios of this file.
    pub fn reaches(&self, scenario: &str, old: &SuiteFiles, new: &SuiteFiles) -> bool {
        for place in &self.places {
            match users_of(&place.file, [old, new]) {
                Some(users) if !users.contains(scenario) => {}
                _ => return true,
            }
        }
        false
    }
}

impl EditPlace {
    /// `15 → 14`, if both values are short enough for a title.
    fn values(&self) -> Option<String> {
        if self.old.is_none() && self.new.is_none() || !is_short(&self.old) || !is_short(&self.new) {
            return None;
        }
        let default = default_of(&self.path);
        let default = default.as_deref().unwrap_or("(none)");
        let old = self.old.as_ref().map_or_else(|| default.to_owned(), in_words);
        let new = self.new.as_ref().map_or_else(|| default.to_owned(), in_words);
        Some(format!("{old} → {new}"))
    }

    /// A word and the one in its place, if that is all that differs, in any number of places.
    fn renamed_word(&self) -> Option<(String, String)> {
        let (old, new) = (in_words(self.old.as_ref()?), in_words(self.new.as_ref()?));
        let start = boundary(&old, common_bytes(&old, &new));
        let (from, to) = (word_at(&old, start), word_at(&new, start));
        let is_rename = from != to && from.len() > 1 && to.len() > 1 && old.replace(from, to) == new;
        if is_rename { Some((from.to_owned(), to.to_owned())) } else { None }
    }

    /// The old and the new text, without their common start and end.
    fn words(&self) -> (String, String) {
        let old = self.old.as_ref().map_or(String::new(), in_words);
        let new = self.new.as_ref().map_or(String::new(), in_words);
        let start = boundary(&old, common_bytes(&old, &new));
        let most = old.len().min(new.len()) - start;
        let pairs = old.bytes().rev().zip(new.bytes().rev()).take(most);
        let end = pairs.take_while(|(a, b)| a == b).count();
        let end = old.len() - boundary_after(&old, old.len() - end);
        (middle(&old, start, end).to_owned(), middle(&new, start, end).to_owned())
    }
}

/// The word at this byte.
fn word_at(text: &str, at: usize) -> &str {
    let Some(rest) = text.get(at..) else { return "" };
    let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or(rest)
}

/// The default of a missing key, if it is independent of other keys.
fn default_of(path: &[Step]) -> Option<String> {
    let (Step::Key(key), above) = path.split_last()? else { return None };
    match above {
        [] if key == "max_turns" => Some(DEFAULT_MAX_TURNS.to_string()),
        [Step::Key(map)] if map == "compression" => default_of_option(key),
        _ => None,
    }
}

/// The default of an option, if it is the same in all strategies.
fn default_of_option(name: &str) -> Option<String> {
    let mut default = None;
    for row in STRATEGIES.iter().flat_map(|strategy| strategy.options) {
        if row.name != name {
            continue;
        }
        if matches!(row.kind, OptionKind::Writer | OptionKind::File) {
            return None;
        }
        let of_strategy = row.kind.default_text().to_string();
        match &default {
            Some(known) if *known != of_strategy => return None,
            _ => default = Some(of_strategy),
        }
    }
    default
}

/// Number of equal bytes at the start of two texts.
fn common_bytes(old: &str, new: &str) -> usize {
    old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count()
}

/// The start of the word at this byte.
fn boundary(text: &str, mut at: usize) -> usize {
    while at > 0 && (!text.is_char_boundary(at) || text[..at].ends_with(is_of_word)) {
        at -= 1;
    }
    at
}

/// The end of the word at this byte.
fn boundary_after(text: &str, mut at: usize) -> usize {
    while at < text.len() && (!text.is_char_boundary(at) || text[at..].starts_with(is_of_word)) {
        at += 1;
    }
    at
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Groups places into edits: the same text change below the same key of several files, or a renamed word within a file.
fn group_places(places: Vec<EditPlace>) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut known: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for place in places {
        let mut keys = Vec::new();
        if !place.path.is_empty() {
            let (old, new) = place.words();
            keys.push((shape_of(&place.path), old, new));
        }
        if let Some((old, new)) = place.renamed_word() {
            keys.push((format!("={}", place.file), old, new));
        }
        let at = keys.iter().find_map(|key| known.get(key)).copied().unwrap_or(edits.len());
        for key in keys {
            known.entry(key).or_insert(at);
        }
        match edits.get_mut(at) {
            Some(edit) => edit.places.push(place),
            None => edits.push(Edit { places: vec![place] }),
        }
    }
    edits
}

/// Collects all differences and picks none.
struct Found<'f> {
    file: &'f str,
    places: &'f mut Vec<EditPlace>,
}

impl Pick for Found<'_> {
    fn takes_new(&mut self, path: &[Step], old: Option<&Value>, new: Option<&Value>) -> bool {
        let (file, path) = (self.file.to_owned(), path.to_owned());
        self.places.push(EditPlace { file, path, old: old.cloned(), new: new.cloned() });
        false
    }
}

/// Picks the differences with these paths.
struct Chosen<'c> {
    paths: &'c [&'c [Step]],
}

impl Pick for Chosen<'_> {
    fn takes_new(&mut self, path: &[Step], _: Option<&Value>, _: Option<&Value>) -> bool {
        self.paths.contains(&path)
    }
}

/// The scenario files affected by a change of this file. `None` means all.
fn users_of(file: &str, sides: [&SuiteFiles; 2]) -> Option<BTreeSet<String>> {
    if is_scenario(file) {
        return Some(BTreeSet::from([file.to_owned()]));
    }
    if file == SUITE_FILE {
        return None;
    }
    let mut users = BTreeSet::new();
    for files in sides {
        for (user, bytes) in files {
            if !is_tree(user) {
                continue;
            }
            let folder = match user.rsplit_once('/') {
                Some((folder, _)) => folder,
                None => "",
            };
            let name = relative(file, folder);
            if memchr::memmem::find(bytes, name.as_bytes()).is_some() {
                users.insert(user.clone());
            }
        }
    }
    if users.contains(SUITE_FILE) { None } else { Some(users) }
}

/// The path of a file relative to a folder.
fn relative(file: &str, folder: &str) -> String {
    let mut rest = file;
    let mut above = folder.split('/').filter(|part| !part.is_empty()).peekable();
    while let Some(part) = above.peek() {
        match rest.strip_prefix(part).and_then(|rest| rest.strip_prefix('/')) {
            Some(after) => rest = after,
            None => break,
        }
        above.next();
    }
    format!("{}{rest}", "../".repeat(above.count()))
}

/// Returns true for a file with scenarios.
fn is_scenario(file: &str) -> bool {
    is_tree(file) && file != SUITE_FILE || file.ends_with(".transcript.json")
}

/// Returns true for a file to compare key by key.
fn is_tree(file: &str) -> bool {
    let is_data = file.starts_with("data/") || file.contains("/data/");
    !is_data && [".yaml", ".yml", ".jsonl"].iter().any(|extension| file.ends_with(extension))
}

fn parse(file: &str, bytes: &[u8]) -> Option<Value> {
    if !is_tree(file) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    if !file.ends_with(".jsonl") {
        return serde_yaml::from_str(text).ok();
    }
    let mut lines = serde_yaml::Mapping::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            continue;
        }
        let tree: Value = serde_yaml::from_str(line).ok()?;
        let name = tree.get("name")?.clone();
        lines.insert(name, tree);
    }
    Some(Value::Mapping(lines))
}

fn write_tree(file: &str, tree: Value) -> Option<Vec<u8>> {
    if !file.ends_with(".jsonl") {
        return serde_yaml::to_string(&tree).ok().map(String::into_bytes);
    }
    let mut text = String::new();
    for (_, line) in tree.as_mapping()? {
        text.push_str(&serde_json::to_string(line).ok()?);
        text.push('\n');
    }
    Some(text.into_bytes())
}

/// `tools.look.description`, `responses[2].program`
fn key_of(path: &[Step]) -> String {
    let mut key = String::new();
    for step in path {
        match step {
            Step::Key(name) if key.is_empty() => key.push_str(name),
            Step::Key(name) => key.push_str(&format!(".{name}")),
            Step::Item(index) => key.push_str(&format!("[{index}]")),
            Step::Added => key.push_str(" (new)"),
            Step::Removed => key.push_str(" (removed)"),
            Step::Name => key.push_str(" (its name)"),
            Step::Order => key.push_str(" (the order)"),
        }
    }
    key
}

/// The path with all list indexes set to 0, for grouping.
fn shape_of(path: &[Step]) -> String {
    let mut steps = path.to_vec();
    for step in &mut steps {
        if let Step::Item(index) = step {
            *index = 0;
        }
    }
    key_of(&steps)
}

/// A value on one line.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => text_of(other).trim_end().to_owned(),
    }
}

/// Returns true if a title has room for the value.
fn is_short(value: &Option<Value>) -> bool {
    match value {
        None => true,
        Some(Value::String(text)) => text.len() <= SHOWN && !text.contains('\n'),
        Some(value) => matches!(value, Value::Number(_) | Value::Bool(_) | Value::Null),
    }
}

/// The text without its first `start` and last `end` bytes.
fn middle(text: &str, start: usize, end: usize) -> &str {
    text.get(start..text.len() - end).unwrap_or(text)
}
