//! Rules that no lint checks: the order of layers, file sizes, module docs, one place for a strategy.

mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// A layer may use only those before it.
const LAYERS: &[&str] = &[
    "processes",
    "secrets",
    "signature",
    "log_bills",
    "agent",
    "compression",
    "scenario",
    "snapshot",
    "measure",
    "report",
    "evaluate",
    "cli",
];
/// Most lines of a file.
const MAX_LINES: usize = 700;
/// Most `unwrap_or_default` in a thousand lines of a folder.
const MAX_DEFAULTS: usize = 2;
/// Most closures in variables, `let is_new = |…|`, in a thousand lines of a folder.
const MAX_STORED_CLOSURES: usize = 2;
/// Folders with more of them.
const MORE_STORED_CLOSURES: [(&str, usize); 3] =
    [("src/cli", 4), ("crates/history-evidence/src", 4), ("crates/ptc-lisp/src", 4)];

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(Path::new(folder), &mut found);
    found.sort();
    assert!(!found.is_empty(), "no sources below {folder}");
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

/// The layer of a file: its folder below `src`.
fn layer(path: &Path) -> Option<&str> {
    let first = path.strip_prefix("src").ok()?.components().next()?;
    LAYERS.iter().copied().find(|layer| first.as_os_str() == *layer)
}

fn complain(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn layers_use_only_earlier_layers() {
    let rank = |layer: &str| LAYERS.iter().position(|known| *known == layer);
    let mut problems = Vec::new();
    for (path, text) in sources("src") {
        let Some(own) = layer(&path) else { continue };
        for (line, used) in used_from(&text, "crate::") {
            if rank(used) > rank(own) {
                problems.push(format!("{}:{line}: {own} uses {used}", path.display()));
            }
        }
    }
    complain(&problems);
}

/// The first names of all paths below a prefix, with their lines. `crate::{report::Header, cli}` has two.
fn used_from<'t>(text: &'t str, prefix: &str) -> Vec<(usize, &'t str)> {
    let mut used = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let line = text[..at].matches('\n').count() + 1;
        used.extend(first_names(&text[at + prefix.len()..]).into_iter().map(|name| (line, name)));
    }
    used
}

/// The name that a path begins with, or those in the braces that it begins with, but not in braces inside of them.
fn first_names(path: &str) -> Vec<&str> {
    let name = |path: &'_ str| path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    if !path.starts_with('{') {
        return vec![&path[..name(path)]];
    }
    let (mut names, mut depth) = (Vec::new(), 0);
    for (at, character) in path.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(character, '{' | ',') {
            let rest = path[at + 1..].trim_start();
            names.push(&rest[..name(rest)]);
        }
    }
    names
}

/// Crates of this repository, each with those that it may use.
const CRATES: [(&str, &[&str]); 8] = [
    ("agent-logs", &[]),
    ("ptc-lisp", &[]),
    ("ptc-prices", &[]),
    ("ptc-tokens", &[]),
    ("conversation", &["ptc-prices", "ptc-tokens"]),
    ("history-strategies", &["ptc-prices", "ptc-tokens", "conversation"]),
    ("conversation-bills", &["ptc-prices", "ptc-tokens", "conversation", "history-strategies"]),
    ("history-evidence", &["ptc-tokens", "conversation", "history-strategies"]),
];

/// Strategies can be used without an interpreter, and logs without strategies.
#[test]
fn crates_use_only_the_crates_that_they_may() {
    let mut problems = Vec::new();
    for (name, allowed) in CRATES {
        let manifest = fs::read_to_string(format!("crates/{name}/Cargo.toml")).unwrap();
        let used = manifest.lines().filter_map(|line| line.strip_suffix(".workspace = true"));
        let own = used.filter(|used| CRATES.iter().any(|(known, _)| known == used));
        problems.extend(own.filter(|used| !allowed.contains(used)).map(|used| format!("{name} uses {used}")));
    }
    let folders =
        fs::read_dir("crates").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let unknown = folders.filter(|folder| CRATES.iter().all(|(known, _)| known != folder));
    problems.extend(unknown.map(|folder| format!("{folder} has no row")));
    complain(&problems);
}

/// Files of a folder import each other in one direction.
#[test]
fn files_import_without_circles() {
    for folder in ["report", "scenario", "snapshot"] {
        let root = format!("src/{folder}");
        let name = |path: &Path| {
            let below = path.strip_prefix(&root).unwrap().components().next().unwrap();
            below.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
        };
        let files = sources(&root).into_iter().filter(|(path, _)| !path.ends_with(format!("{root}/mod.rs")));
        let mut open: Vec<(String, String)> = files.map(|(path, text)| (name(&path), text)).collect();
        loop {
            let names: BTreeSet<String> = open.iter().map(|(name, _)| name.clone()).collect();
            let is_tied = |(own, text): &(String, String)| {
                imported(folder, text).any(|used| used != own && names.contains(used))
            };
            let before = open.len();
            open.retain(is_tied);
            if open.len() == before {
                break;
            }
        }
        assert!(
            open.is_empty(),
            "imports of {folder} in circles: {:?}",
            open.iter().map(|(name, _)| name).collect::<Vec<_>>()
        );
    }
}

/// The first names of the paths that a file imports from its own folder.
fn imported<'t>(folder: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let own = format!("\nuse crate::{folder}::");
    let prefixes = ["\nuse super::", &own];
    prefixes.map(|prefix| used_from(text, prefix)).into_iter().flatten().map(|(_, name)| name)
}

/// A default in place of what is missing hides that it is missing.
#[test]
fn defaults_are_few() {
    let layers = LAYERS.iter().map(|layer| format!("src/{layer}"));
    let mut problems = Vec::new();
    for folder in layers.chain(["crates/agent-logs/src".to_owned()]) {
        let texts: Vec<String> = sources(&folder).into_iter().map(|(_, text)| text).collect();
        let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
        let defaults: usize = texts.iter().map(|text| text.matches("unwrap_or_default").count()).sum();
        if defaults * 1_000 > lines * MAX_DEFAULTS {
            problems.push(format!("{folder}: {defaults} unwrap_or_default in {lines} lines"));
        }
    }
    complain(&problems);
}

/// A function has a name that a search finds. A closure in a variable makes its reader jump back.
#[test]
fn stored_closures_are_few() {
    let stored = Regex::new(r"(?m)^\s*let (mut )?\w+(: [^=;]+)?\s*=\s*(move )?\|").unwrap();
    let layers = LAYERS.iter().map(|layer| format!("src/{layer}"));
    let crates = CRATES.iter().map(|(name, _)| format!("crates/{name}/src"));
    let mut problems = Vec::new();
    for folder in layers.chain(crates) {
        let texts: Vec<String> = sources(&folder).into_iter().map(|(_, text)| text).collect();
        let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
        let found: usize = texts.iter().map(|text| stored.find_iter(text).count()).sum();
        let more = MORE_STORED_CLOSURES.iter().find(|(known, _)| *known == folder);
        let most = more.map_or(MAX_STORED_CLOSURES, |(_, most)| *most);
        if found * 1_000 > lines * most {
            problems.push(format!(
                "{folder}: {found} closures in variables in {lines} lines; {most} in 1,000 are allowed"
            ));
        }
    }
    complain(&problems);
}

#[test]
fn every_module_is_a_layer() {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let declared: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(declared, LAYERS.iter().copied().collect());
}

#[test]
fn files_are_short_enough_to_read() {
    let all = ["src", "crates", "tests"].into_iter().flat_map(sources);
    let long = all.filter(|(_, text)| text.lines().count() > MAX_LINES);
    complain(
        &long
            .map(|(path, text)| format!("{}: {} lines", path.display(), text.lines().count()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn files_begin_with_module_docs() {
    let all = ["src", "crates", "tests"].into_iter().flat_map(sources);
    let silent = all.filter(|(_, text)| !text.starts_with("//! "));
    complain(&silent.map(|(path, _)| format!("{} has no module docs", path.display())).collect::<Vec<_>>());
}

/// No `cargo test` runs a test in a library, which would be compiled twice.
#[test]
fn tests_stand_outside_of_libraries() {
    let crates = sources("crates")
        .into_iter()
        .filter(|(path, _)| path.components().any(|part| part.as_os_str() == "src"));
    let tested = sources("src").into_iter().chain(crates).filter(|(_, text)| text.contains("#[test]"));
    complain(&tested.map(|(path, _)| format!("{} has a test", path.display())).collect::<Vec<_>>());
}

/// Folders of strategies: that of the crate, and that of strategies that write what programs left.
const STRATEGY_FOLDERS: [&str; 2] =
    ["crates/history-strategies/src/strategies", "src/compression/strategies"];

/// No other file names a strategy's module or its name, except the registry of its folder: once, and once more for the default.
#[test]
fn a_strategy_is_one_file_and_one_line() {
    use ptc_eval::compression::{DEFAULT, STRATEGIES};
    let rank = |path: &Path| LAYERS.iter().position(|known| Some(*known) == layer(path));
    let first = LAYERS.iter().position(|layer| *layer == "compression");
    let users = sources("src").into_iter().filter(|(path, _)| rank(path) >= first);
    let all: Vec<_> = users.chain(sources("crates/history-strategies/src")).collect();
    let mut problems = Vec::new();
    // Summaries are also parts of requests and reports.
    for strategy in STRATEGIES.iter().filter(|strategy| strategy.name != "summary") {
        let (name, module) = (strategy.name, strategy.name.replace('-', "_"));
        let own = STRATEGY_FOLDERS.map(|folder| Path::new(folder).join(format!("{module}.rs")));
        let Some(own) = own.iter().find(|path| path.exists()) else {
            problems.push(format!("{name} is in none of {STRATEGY_FOLDERS:?}"));
            continue;
        };
        let registry = own.with_file_name("mod.rs");
        for (path, text) in all.iter().filter(|(path, _)| path != own) {
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            let known =
                |line: &&str| line.contains(&format!("{module}::")) || line.contains(&format!("\"{name}\""));
            let count = code.filter(known).count();
            let expected = if *path == registry { 1 + usize::from(DEFAULT.name() == name) } else { 0 };
            if count != expected {
                problems.push(format!("{} knows {name} {count} times", path.display()));
            }
        }
    }
    complain(&problems);
}

/// A package holds the files of its folder only, and on Windows git writes a link as a file with the path.
/// A slip of a shell leaves a file with signs in its name.
#[test]
fn names_at_the_top_are_plain() {
    let mut problems = Vec::new();
    for entry in fs::read_dir(".").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) {
            problems.push(format!("{name}: an odd name"));
        }
    }
    complain(&problems);
}

#[test]
fn packages_have_the_licences_as_files() {
    let crates = CRATES.map(|(name, _)| format!("crates/{name}"));
    for folder in crates.iter().map(String::as_str).chain(["python/licenses"]) {
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let path = Path::new(folder).join(name);
            assert!(!path.is_symlink(), "{}", path.display());
            assert_eq!(fs::read(&path).unwrap(), fs::read(name).unwrap(), "{}", path.display());
        }
    }
}
