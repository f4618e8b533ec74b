//! Random edits of a suite, as an author makes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_yaml::{Mapping, Value};

/// The files of a suite: text by path.
pub type Files = BTreeMap<String, String>;

/// One changed file.
pub struct RandomEdit {
    pub kind: &'static str,
    pub file: String,
    pub text: String,
    /// The possible starts of the title: the file, and the key.
    pub keys: Vec<String>,
}

/// Numbers that follow each other, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        list.get(self.below(list.len()))
    }
}

/// The file, the keys that may be named, and the new text.
type Edited = Option<(String, Vec<String>, String)>;
type Edit = fn(&Files, &mut Random) -> Edited;

/// The kinds of edits.
const KINDS: [(&str, Edit); 22] = [
    ("mission", |files, random| edit_leaf(files, random, |key| key == "mission")),
    ("max_turns", |files, random| edit_leaf(files, random, |key| key == "max_turns")),
    ("description of a tool", |files, random| edit_leaf(files, random, |key| of_tool(key, "description"))),
    ("result of a tool", |files, random| edit_leaf(files, random, |key| of_tool(key, "returns"))),
    ("failure of a tool", |files, random| edit_leaf(files, random, |key| of_tool(key, "fails"))),
    ("data", |files, random| edit_leaf(files, random, |key| key.starts_with("data."))),
    ("limit", |files, random| edit_leaf(files, random, |key| key.starts_with("limits."))),
    ("answer", edit_answer),
    ("new answer", insert_answer),
    ("removed answer", remove_answer),
    ("new tool", add_tool),
    ("removed tool", remove_tool),
    ("renamed tool", rename_tool),
    ("order of tools", swap_tools),
    ("option of a scenario", |files, random| {
        let file = scenario(files, random)?;
        add_option(files, random, file)
    }),
    ("option of the suite", |files, random| add_option(files, random, SUITE.to_owned())),
    ("option of a variant", edit_variant),
    ("strategies", edit_strategies),
    ("prefix of a scenario", |files, random| add_prefix(files, scenario(files, random)?)),
    ("prefix of the suite", |files, _| add_prefix(files, SUITE.to_owned())),
    ("data file", edit_data_file),
    ("strategy program", edit_program),
];

const SUITE: &str = "suite.yaml";

/// A random edit of this kind. `None` if the chosen file has no place for it.
pub fn random_edit(kind: usize, files: &Files, random: &mut Random) -> Option<RandomEdit> {
    let (kind, edit) = KINDS[kind % KINDS.len()];
    let (file, keys, text) = edit(files, random)?;
    let keys = keys.iter().map(|key| format!("{file}  {key}").trim_end().to_owned()).collect();
    (files.get(&file) != Some(&text)).then_some(RandomEdit { kind, file, text, keys })
}

/// The files of a folder.
pub fn read_files(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_files(&entry.path(), &format!("{name}/"), files);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            files.insert(name, text);
        }
    }
}

fn of_tool(key: &str, name: &str) -> bool {
    let is_there = key.split(['.', '[']).any(|step| step.trim_end_matches(']') == name);
    key.starts_with("tools.") && is_there && !key.contains(".when.")
}

fn scenario(files: &Files, random: &mut Random) -> Option<String> {
    let names: Vec<&String> = files.keys().filter(|file| file.ends_with(".yaml") && *file != SUITE).collect();
    random.pick(&names).map(|name| (*name).clone())
}

fn tree(files: &Files, file: &str) -> Option<Value> {
    serde_yaml::from_str(files.get(file)?).ok()
}

fn written(tree: &Value) -> Option<String> {
    serde_yaml::to_string(tree).ok()
}

fn edit_leaf(files: &Files, random: &mut Random, is_wanted: fn(&str) -> bool) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let mut leaves = Vec::new();
    leaves_of(&tree, String::new(), &mut leaves);
    leaves.retain(|leaf| is_wanted(leaf));
    let leaf = random.pick(&leaves)?.clone();
    let value = at(&mut tree, &leaf)?;
    *value = match value {
        Value::Number(number) => (number.as_i64()? + 1).into(),
        Value::String(text) => format!("{text} Be quick.").into(),
        _ => return None,
    };
    Some((file, vec![leaf], written(&tree)?))
}

/// The answers of a scenario.
fn answers(tree: &mut Value) -> Option<&mut Vec<Value>> {
    tree.get_mut("responses")?.as_sequence_mut().filter(|answers| !answers.is_empty())
}

fn edit_answer(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let list = answers(&mut tree)?;
    let number = random.below(list.len());
    let answer = &mut list[number];
    let mut key = format!("responses[{number}]");
    let program = match answer {
        Value::Mapping(map) => {
            key.push_str(".program");
            map.get_mut("program")?
        }
        other => other,
    };
    let Value::String(text) = program else { return None };
    *text = match text.contains("```") {
        true => format!("Now I think of it: {text}"),
        false => format!("(println \"now\" \"then\")\n{text}"),
    };
    Some((file, vec![key], written(&tree)?))
}

fn insert_answer(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let list = answers(&mut tree)?;
    let number = random.below(list.len());
    let mut answer = Mapping::new();
    answer.insert("program".into(), "(println \"one more\" \"look\")".into());
    list.insert(number, Value::Mapping(answer));
    Some((file, vec![format!("responses[{number}]")], written(&tree)?))
}

fn remove_answer(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let list = answers(&mut tree)?;
    if list.len() < 2 {
        return None;
    }
    let number = random.below(list.len());
    let removed = list.remove(number);
    // Which of several equal answers in a row was removed cannot be decided.
    let from = list[..number].iter().rev().take_while(|answer| **answer == removed).count();
    let to = list[number..].iter().take_while(|answer| **answer == removed).count();
    let keys = (number - from..=number + to).map(|number| format!("responses[{number}]")).collect();
    Some((file, keys, written(&tree)?))
}

fn tools(tree: &mut Value) -> Option<&mut Mapping> {
    tree.get_mut("tools")?.as_mapping_mut().filter(|tools| !tools.is_empty())
}

fn add_tool(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let mut tool = Mapping::new();
    tool.insert("signature".into(), "(days :int) -> :string".into());
    tool.insert("description".into(), "Forecast of the tides".into());
    tool.insert("returns".into(), "high at noon".into());
    tools(&mut tree)?.insert("tide-forecast".into(), Value::Mapping(tool));
    Some((file, vec!["tools.tide-forecast".to_owned()], written(&tree)?))
}

fn remove_tool(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let map = tools(&mut tree)?;
    let number = random.below(map.len());
    let name = map.keys().nth(number)?.as_str()?.to_owned();
    let is_last = map.len() == 1;
    map.shift_remove(name.as_str());
    if is_last {
        tree.as_mapping_mut()?.shift_remove("tools");
        return Some((file, vec!["tools".to_owned()], written(&tree)?));
    }
    Some((file, vec![format!("tools.{name}")], written(&tree)?))
}

/// Another name of a tool, also where answers call it.
fn rename_tool(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let map = tools(&mut tree)?;
    let name = map.keys().nth(random.below(map.len()))?.as_str()?.to_owned();
    let text = files.get(&file)?;
    let other = format!("other-{name}");
    let renamed = text
        .replace(&format!("tool/{name}"), &format!("tool/{other}"))
        .replace(&format!("\n  {name}:"), &format!("\n  {other}:"));
    let _ = serde_yaml::from_str::<Value>(&renamed).ok()?.get("tools")?.get(other.as_str())?;
    Some((file, vec!["tools".to_owned(), "responses".to_owned(), "mission".to_owned()], renamed))
}

fn swap_tools(files: &Files, random: &mut Random) -> Edited {
    let file = scenario(files, random)?;
    let mut tree = tree(files, &file)?;
    let map = tools(&mut tree)?;
    let first = map.keys().next()?.clone();
    let value = map.shift_remove(&first)?;
    map.insert(first, value);
    Some((file, vec!["tools (the order)".to_owned()], written(&tree)?))
}

fn add_option(files: &Files, random: &mut Random, file: String) -> Edited {
    let mut tree = tree(files, &file)?;
    let options = [
        ("println_limit", 14),
        ("println_limit", 3),
        ("keep_recent_turns", 1),
        ("tool_call_limit", 3),
        ("tool_call_limit", 1),
    ];
    let (name, number) = options[random.below(options.len())];
    let map = tree.as_mapping_mut()?;
    let list = map.entry("compression".into()).or_insert_with(|| Value::Mapping(Mapping::new()));
    list.as_mapping_mut()?.insert(name.into(), number.into());
    Some((file, vec![format!("compression.{name}")], written(&tree)?))
}

fn edit_variant(files: &Files, random: &mut Random) -> Edited {
    let keys = ["variants.coalesced-late.trigger.turns", "variants.last-two.turns"];
    let key = keys[random.below(keys.len())];
    let mut tree = tree(files, SUITE)?;
    let more = random.below(4) + 1;
    let value = at(&mut tree, key)?;
    *value = (value.as_u64()? + more as u64).into();
    Some((SUITE.to_owned(), vec![key.to_owned()], written(&tree)?))
}

fn edit_strategies(files: &Files, random: &mut Random) -> Edited {
    let mut tree = tree(files, SUITE)?;
    let list = tree.get_mut("strategies")?.as_sequence_mut()?;
    let number = 1 + random.below(list.len() - 1);
    match random.below(2) {
        0 => list.push("clear-tool-results".into()),
        _ => drop(list.remove(number)),
    }
    Some((SUITE.to_owned(), vec!["strategies".to_owned()], written(&tree)?))
}

fn add_prefix(files: &Files, file: String) -> Edited {
    let mut tree = tree(files, &file)?;
    let mut prompt = Mapping::new();
    prompt.insert("prefix".into(), "You are a careful analyst.".into());
    tree.as_mapping_mut()?.insert("system_prompt".into(), Value::Mapping(prompt));
    Some((file, vec!["system_prompt".to_owned()], written(&tree)?))
}

/// Another digit or word in a file of data.
fn edit_data_file(files: &Files, random: &mut Random) -> Edited {
    let is_data = |file: &&String| file.contains("/data/");
    let names: Vec<&String> = files.keys().filter(is_data).collect();
    let file = (*random.pick(&names)?).clone();
    let text = files.get(&file)?;
    let digits: Vec<usize> =
        text.match_indices(|c: char| ('1'..'9').contains(&c)).map(|(at, _)| at).collect();
    let at = *random.pick(&digits)?;
    let digit = text[at..=at].parse::<u32>().ok()? + 1;
    Some((file.clone(), vec![String::new()], format!("{}{digit}{}", &text[..at], &text[at + 1..])))
}

fn edit_program(files: &Files, random: &mut Random) -> Edited {
    let file = "strategies/last-two.clj".to_owned();
    let text = files.get(&file)?;
    let edits = [
        (";; === turn ", ";; === step "),
        ("\";   \"", "\";  \""),
        ("section [:tool", "section [:return :tool"),
        ("(:prints turn)", "(reverse (:prints turn))"),
    ];
    let (from, to) = edits[random.below(edits.len())];
    Some((file, vec![String::new()], text.replace(from, to)))
}

/// The keys of all numbers and texts, as titles write them.
fn leaves_of(tree: &Value, path: String, leaves: &mut Vec<String>) {
    match tree {
        Value::Mapping(map) => {
            for (key, value) in map {
                let Some(key) = key.as_str().filter(|key| !key.contains(['.', '[', ']'])) else { continue };
                let below = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                leaves_of(value, below, leaves);
            }
        }
        Value::Sequence(list) => {
            for (number, value) in list.iter().enumerate() {
                leaves_of(value, format!("{path}[{number}]"), leaves);
            }
        }
        Value::Number(_) | Value::String(_) => leaves.push(path),
        _ => {}
    }
}

fn at<'t>(tree: &'t mut Value, path: &str) -> Option<&'t mut Value> {
    let mut place = tree;
    for step in path.split(['.', '[']) {
        place = match step.strip_suffix(']') {
            Some(number) => place.get_mut(number.parse::<usize>().ok()?)?,
            None => place.get_mut(step)?,
        };
    }
    Some(place)
}
