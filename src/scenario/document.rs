//! Parses the text of a file, and locates nodes in it. The parser gives no positions for nodes, only for errors. To report a problem, a
//! visitor parses the text again and fails at the node.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::nesting;
use super::node::{ALIAS_BOMB, MAX_NESTING, Node, Reading, Refusal, TOO_DEEP, TOO_DEEP_HELP};
use super::problem::{LISTED, Place, Problem, Severity};

/// The text of a file.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The path as shown in messages.
    pub path: &'a str,
    pub text: &'a str,
    /// The line of the file where the text begins, from 1.
    pub first_line: u32,
}

/// One step from a node to one inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Key(String),
    Index(usize),
}

/// Part of an entry: its key or its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Key,
    Value,
}

/// The steps from the top of a document to a node.
pub type Trail = Vec<Step>;

impl From<&str> for Step {
    fn from(key: &str) -> Step {
        Step::Key(key.to_owned())
    }
}

impl From<&String> for Step {
    fn from(key: &String) -> Step {
        Step::Key(key.clone())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(index)
    }
}

/// `trail!["tools", name, 3]`
macro_rules! trail {
    ($($step:expr),* $(,)?) => { [$($crate::scenario::document::Step::from($step)),*] };
}
pub(crate) use trail;

/// The trail extended by more steps.
pub fn below<const N: usize>(trail: &[Step], steps: [Step; N]) -> Trail {
    trail.iter().cloned().chain(steps).collect()
}

/// A trail as shown in messages: `tools.rank.cases[2]`.
pub fn trail_text(trail: &[Step]) -> String {
    let mut text = String::new();
    for step in trail {
        match step {
            Step::Index(index) => text += &format!("[{index}]"),
            Step::Key(key) if text.is_empty() => text += key,
            Step::Key(key) => text += &format!(".{key}"),
        }
    }
    text
}

impl<'a> Document<'a> {
    pub fn new(path: &'a str, text: &'a str) -> Document<'a> {
        Document { path, text: text.strip_prefix('\u{feff}').unwrap_or(text), first_line: 1 }
    }

    /// Parses the text as YAML.
    pub fn yaml(&self) -> Result<Node, Problem> {
        self.refuse_control_characters()?;
        if let Some(byte) = nesting::too_deep(self.text, MAX_NESTING) {
            return Err(self.problem_at(byte, 1, TOO_DEEP, TOO_DEEP_HELP));
        }
        let reading = Reading::new(self.text.len());
        match reading.read(serde_yaml::Deserializer::from_str(self.text)) {
            Ok(node) => Ok(node),
            Err(error) => Err(self.yaml_problem(&error, reading.refusal())),
        }
    }

    /// Parses the text as JSON.
    pub fn json(&self) -> Result<Node, Problem> {
        let document = Document { text: self.text.trim_end(), ..*self };
        let reading = Reading::new(document.text.len());
        let mut parser = serde_json::Deserializer::from_str(document.text);
        let read = match reading.read(&mut parser) {
            Ok(node) => parser.end().map(|()| node),
            Err(error) => Err(error),
        };
        read.map_err(|error| document.json_problem(&error, reading.refusal()))
    }

    /// Parses the text as JSON into a type. `help` is shown if the JSON is valid but has another type.
    pub fn parse_json<T: serde::de::DeserializeOwned>(&self, help: &str) -> Result<T, Problem> {
        serde_json::from_str(self.text).map_err(|error| {
            let problem = self.json_problem(&error, None);
            if !error.is_data() {
                return problem;
            }
            let message = without_place(&error.to_string()).to_owned();
            Problem { message, help: Some(help.to_owned()), ..problem }
        })
    }

    /// A problem at a node, or at its nearest existing ancestor.
    pub fn problem(&self, trail: &[Step], target: Target, message: impl Into<String>, help: &str) -> Problem {
        let (offset, width) = self.locate_node(trail, target);
        let within = match (target, trail) {
            (Target::Key, [parents @ .., _]) => trail_text(parents),
            _ => trail_text(trail),
        };
        Problem {
            place: Some(Box::new(Place::new(self.text, self.first_line, offset, width, within))),
            ..self.problem_at(0, 1, message, help)
        }
    }

    /// The position of a key, if it exists.
    pub fn place_of_key(&self, trail: &[Step]) -> Option<Place> {
        let offset = self.find_offset(trail, Target::Key)?;
        Some(Place::new(self.text, self.first_line, offset, self.width_at(offset), String::new()))
    }

    /// The byte offset of a value, if it exists.
    pub fn offset_of(&self, trail: &[Step]) -> Option<usize> {
        self.find_offset(trail, Target::Value)
    }

    /// The byte offset of a comment directly after this unquoted text, if there is one.
    pub fn comment_after(&self, trail: &[Step], text: &str) -> Option<usize> {
        let mut rest = self.text.get(self.find_offset(trail, Target::Value)?..)?;
        for word in text.split_whitespace() {
            rest = rest.trim_start().strip_prefix(word)?;
        }
        let comment = rest.trim_start_matches([' ', '\t']);
        if comment.len() == rest.len() || !comment.starts_with('#') {
            return None;
        }
        Some(self.text.len() - comment.len())
    }

    /// A problem at a byte offset of the text.
    pub fn problem_at(&self, offset: usize, width: usize, message: impl Into<String>, help: &str) -> Problem {
        Problem {
            severity: Severity::Error,
            code: None,
            path: self.path.to_owned(),
            place: Some(Box::new(Place::new(self.text, self.first_line, offset, width, String::new()))),
            message: message.into(),
            help: if help.is_empty() { None } else { Some(help.to_owned()) },
        }
    }

    /// The problems of integers beyond 64 bits. If there are too many, the last problem counts the rest.
    pub fn huge_integers(&self, node: &Node) -> Vec<Problem> {
        let mut huge = Vec::new();
        collect_huge(node, &mut Vec::new(), &mut huge);
        let mut problems = Vec::new();
        for trail in huge.iter().take(LISTED) {
            let message = "this integer does not fit into 64 bits";
            let help = "put it in quotes to keep it as text";
            problems.push(self.problem(trail, Target::Value, message, help));
        }
        if let more @ 1.. = huge.len().saturating_sub(LISTED) {
            problems.push(Problem::more(self.path, more));
        }
        problems
    }

    fn refuse_control_characters(&self) -> Result<(), Problem> {
        let Some((byte, character)) = self.text.char_indices().find(|(_, c)| is_refused(*c)) else {
            return Ok(());
        };
        let message = format!("the character {character:?} is not allowed in YAML");
        let help = format!("remove it, or write it as \"\\u{:04X}\" in double quotes", character as u32);
        Err(self.problem_at(byte, 1, message, &help))
    }

    fn yaml_problem(&self, error: &serde_yaml::Error, refusal: Option<Refusal>) -> Problem {
        let location = error.location();
        let offset = location.as_ref().map_or(0, serde_yaml::Location::index);
        if let Some(Refusal { message, help }) = refusal {
            return self.problem_at(offset, self.width_at(offset), message, &help);
        }
        let message = error.to_string();
        let message = match &location {
            Some(at) => message.replacen(&format!(" at line {} column {}", at.line(), at.column()), "", 1),
            None => message,
        };
        let is_at_tab = location.is_some() && self.text.as_bytes().get(offset) == Some(&b'\t');
        let (message, help) = yaml_wording(if is_at_tab { TAB } else { &message });
        let offset = match self.text.rfind("\n---") {
            _ if message != SECOND_DOCUMENT => offset,
            Some(at) => at + 1,
            None => 0,
        };
        self.problem_at(offset, 1, message, help)
    }

    fn json_problem(&self, error: &serde_json::Error, refusal: Option<Refusal>) -> Problem {
        let line: usize = self.text.split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
        let offset = (line + error.column().max(1) - 1).min(self.text.len());
        if let Some(Refusal { message, help }) = refusal {
            return self.problem_at(offset, 1, message, &help);
        }
        let message = error.to_string();
        let message = without_place(&message);
        if message == "recursion limit exceeded" {
            return self.problem_at(offset, 1, TOO_DEEP, TOO_DEEP_HELP);
        }
        let help = "check quotes, commas and brackets up to here";
        self.problem_at(offset, 1, format!("this is not JSON: {message}"), help)
    }

    /// The byte offset of a node, and its width in bytes on that line.
    fn locate_node(&self, trail: &[Step], target: Target) -> (usize, usize) {
        if let Some(offset) = self.find_offset(trail, target) {
            return (offset, self.width_at(offset));
        }
        let mut steps = (0..trail.len()).rev();
        let nearest = steps.find_map(|steps| self.find_offset(&trail[..steps], Target::Value));
        (nearest.unwrap_or(0), 1)
    }

    /// The byte offset of a node, if it exists.
    fn find_offset(&self, trail: &[Step], target: Target) -> Option<usize> {
        let seed = Probe { trail, target };
        let error = seed.deserialize(serde_yaml::Deserializer::from_str(self.text)).err()?;
        // `index()` is in bytes, `column()` in code points.
        if !error.to_string().contains(FOUND) {
            return None;
        }
        Some(error.location()?.index())
    }

    /// Width in bytes of the scalar at this offset, within its line. 1 for everything else.
    fn width_at(&self, offset: usize) -> usize {
        let Some(rest) = self.text.get(offset..) else { return 1 };
        let line = match rest.split_once(['\n', '\r']) {
            Some((line, _)) => line,
            None => rest,
        };
        match line.chars().next() {
            None | Some('[' | '{' | '|' | '>' | '&' | '-') => 1,
            Some(quote @ ('"' | '\'')) => match line[1..].find(quote) {
                Some(end) => end + 2,
                None => line.trim_end().len(),
            },
            Some(_) => trim_line(line).len().max(1),
        }
    }
}

/// The message of a JSON error without its position.
fn without_place(message: &str) -> &str {
    match message.split_once(" at line ") {
        Some((message, _)) => message,
        None => message,
    }
}

fn collect_huge(node: &Node, trail: &mut Trail, huge: &mut Vec<Trail>) {
    match node {
        Node::Huge(_) => huge.push(trail.clone()),
        Node::List(items) => {
            for (index, item) in items.iter().enumerate() {
                trail.push(Step::Index(index));
                collect_huge(item, trail, huge);
                trail.pop();
            }
        }
        Node::Map(entries) => {
            for (key, item) in entries.iter() {
                trail.push(Step::from(key.as_str()));
                collect_huge(item, trail, huge);
                trail.pop();
            }
        }
        _ => {}
    }
}

/// The unquoted scalar at the start of a line.
fn trim_line(line: &str) -> &str {
    let ends = [": ", " #", ", ", "]", "}"].iter().filter_map(|end| line.find(end)).min();
    let text = line.get(..ends.unwrap_or(line.len())).unwrap_or(line).trim_end();
    text.strip_suffix(':').unwrap_or(text)
}

/// The start of the parser's errors about tabs.
const TAB: &str = "found a tab character";
const SECOND_DOCUMENT: &str = "a second document begins here";

/// Maps an error of the parser to a message and help. An empty message in a row keeps the parser's own.
fn yaml_wording(of_parser: &str) -> (String, &'static str) {
    const ROWS: &[(&str, &str, &str)] = &[
        (
            "deserializing from YAML containing more than one",
            SECOND_DOCUMENT,
            "put each scenario into its own file, or use a .jsonl file with one a line",
        ),
        (
            "repetition limit exceeded",
            ALIAS_BOMB,
            "write the repeated parts out, or move them to a data file",
        ),
        ("recursion limit exceeded", "lists and maps are nested too deep", TOO_DEEP_HELP),
        ("unknown anchor", "there is no anchor of this name above", "put text that begins with * in quotes"),
        ("found character that cannot start any token", "", "put text that begins with @, ` or % in quotes"),
        (TAB, "YAML does not allow tabs here", "indent with spaces"),
        (
            "mapping values are not allowed in this context",
            "",
            "put text with `: ` in quotes, or below a `|`",
        ),
        (
            "did not find expected ',' or",
            "",
            "close the bracket; inside it, put text with brackets, quotes, commas or # in quotes",
        ),
        ("did not find expected key", "", "check the indentation, and quote text with quotes or brackets"),
        (
            "found invalid Unicode character escape code",
            "this escape is not a character",
            "YAML has no pairs of \\u as JSON has: write the character itself, or \\U and eight digits",
        ),
        (
            "could not find expected ':'",
            "",
            "check that the line above is complete, and that keys end with a colon",
        ),
    ];
    let (message, help) = match ROWS.iter().find(|(begin, _, _)| of_parser.starts_with(begin)) {
        Some((_, message, help)) => (*message, *help),
        None => ("", "check indentation, quotes and brackets up to here"),
    };
    if message.is_empty() {
        (format!("this is not YAML: {of_parser}"), help)
    } else {
        (message.to_owned(), help)
    }
}

/// Error raised by the probe at its target.
const FOUND: &str = "the place that was sought";

/// Follows a trail and fails at its end, so that the parser reports the position.
#[derive(Clone, Copy)]
struct Probe<'a> {
    trail: &'a [Step],
    target: Target,
}

impl<'de> DeserializeSeed<'de> for Probe<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Probe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.trail.is_empty() { FOUND } else { "a list or map on the way" })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Some((step, rest)) = self.trail.split_first() else { return Err(refuse_as_found()) };
        for index in 0.. {
            let more = match step {
                Step::Index(sought) if *sought == index => {
                    items.next_element_seed(Probe { trail: rest, ..self })?
                }
                _ => items.next_element::<IgnoredAny>()?.map(|_| ()),
            };
            if more.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Some((step, rest)) = self.trail.split_first() else { return Err(refuse_as_found()) };
        let sought = match step {
            Step::Key(key) => key.as_str(),
            Step::Index(_) => "",
        };
        let fails_here = rest.is_empty() && self.target == Target::Key;
        while let Some(matches) = items.next_key_seed(ProbeKey { sought, fails: fails_here })? {
            if matches {
                items.next_value_seed(Probe { trail: rest, ..self })?;
            } else {
                items.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Compares a key with the sought one. If `fails` is true, a match raises [`FOUND`] instead of returning true.
struct ProbeKey<'a> {
    sought: &'a str,
    fails: bool,
}

impl<'de> DeserializeSeed<'de> for ProbeKey<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<bool, D::Error> {
        parser.deserialize_str(self)
    }
}

impl Visitor<'_> for ProbeKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<bool, E> {
        if self.fails && key == self.sought { Err(refuse_as_found()) } else { Ok(key == self.sought) }
    }
}

fn refuse_as_found<E: serde::de::Error>() -> E {
    E::custom(FOUND)
}

/// Returns true for characters that YAML forbids.
fn is_refused(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}');
    is_control || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{feff}')
}
