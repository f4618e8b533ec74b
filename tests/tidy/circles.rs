//! Modules of a crate import each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::sources;

/// The path of a module below the crate, such as `readers::chat`; empty for the crate itself.
type Module = String;

#[test]
fn modules_of_agent_logs_import_without_circles() {
    let mut open = imports("crates/agent-logs/src");
    assert!(open.values().map(BTreeSet::len).sum::<usize>() > 100, "imports are not seen: {open:?}");
    while let Some(free) = open.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        open.remove(&free);
        open.values_mut().for_each(|used| used.retain(|module| *module != free));
    }
    assert!(
        open.is_empty(),
        "these modules, or modules between them, import each other in circles: {open:#?}"
    );
}

/// The modules of a crate, each with the others that it names.
fn imports(root: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let files: BTreeMap<Module, String> = sources(root)
        .into_iter()
        .map(|(path, text)| (module(path.strip_prefix(root).unwrap()), text))
        .collect();
    let used = |own: &Module, text: &str| {
        let named = paths(text).into_iter().filter_map(|path| absolute(own, &path, &files));
        named.filter(|used| used != own).collect()
    };
    files.iter().map(|(own, text)| (own.clone(), used(own, text))).collect()
}

fn module(file: &Path) -> Module {
    let names = file.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap());
    names.filter(|name| !["lib", "mod"].contains(name)).collect::<Vec<_>>().join("::")
}

/// The module that a path leads to: the longest beginning of it that is one.
fn absolute(own: &Module, path: &str, files: &BTreeMap<Module, String>) -> Option<Module> {
    let mut base: Vec<&str> = own.split("::").filter(|name| !name.is_empty()).collect();
    let mut names: Vec<&str> = path.split("::").collect();
    let is_rooted = ["crate", "super", "self"].contains(names.first()?);
    while let Some(step) = names.first().copied().filter(|name| ["crate", "super", "self"].contains(name)) {
        match step {
            "crate" => base.clear(),
            "super" => drop(base.pop()),
            _ => {}
        }
        names.remove(0);
    }
    let prefixes =
        (0..=names.len()).rev().map(|length| (length, [&base, &names[..length]].concat().join("::")));
    let (length, found) = prefixes.into_iter().find(|(_, module)| files.contains_key(module))?;
    // A path without a root is one of a module only if it begins with a module inside this one.
    (is_rooted || length > 0).then_some(found)
}

/// All paths in code. Paths in braces get the part before the braces.
fn paths(text: &str) -> Vec<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
    let (mut found, mut before, mut path) = (Vec::new(), vec![String::new()], String::new());
    for character in code.chars() {
        match character {
            ':' | '_' => path.push(character),
            character if character.is_alphanumeric() => path.push(character),
            '{' if path.ends_with("::") => {
                before.push(format!("{}{path}", before.last().unwrap()));
                path.clear();
            }
            _ => {
                found.extend(path.contains("::").then(|| path.clone()));
                if before.len() > 1 && !path.is_empty() {
                    found.push(format!("{}{path}", before.last().unwrap()));
                }
                path.clear();
                if character == '}' && before.len() > 1 {
                    before.pop();
                }
            }
        }
    }
    found
}

#[test]
fn paths_are_seen_wherever_they_stand() {
    let text = "use crate::{a::{b, c::D}, e};\nfn f() { super::g::h(i::J) } // k::l";
    let expected = ["crate::a::b", "c::D", "crate::a::c::D", "crate::e", "super::g::h", "i::J"];
    assert_eq!(paths(text), expected);
}
