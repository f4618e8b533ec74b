//! The documentation against what it documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptc_eval::compression::STRATEGIES;
use ptc_lisp::limits::Limits;
use ptc_lisp::print::pr_str;
use ptc_lisp::session::{Ended, Environment, NoTools, Session};

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(PathBuf::from);
    let mut pages: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")).chain(top).collect();
    pages.sort();
    pages
}

/// Targets of the links of a page, except those to the web.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).collect()
}

/// The headings of a page as anchors of links.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let kept = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| kept(*c)).collect()
    };
    headings.map(anchor).collect()
}

/// S4-23
#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = read(&page);
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let has_anchor = || anchor.is_empty() || anchors(&read(&target)).iter().any(|it| it == anchor);
            if !target.exists() || !has_anchor() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// All files and folders below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    if folder.is_dir() {
        fs::read_dir(folder).unwrap().for_each(|entry| found.extend(below(&entry.unwrap().path())));
    }
    found
}

/// The recipes give paths, the last parts of paths, and names with the file that has them: `FORMATS` (`src/report/format.rs`).
#[test]
fn recipes_name_what_there_is() {
    let page = read("CONTRIBUTING.md");
    let recipes = page.split("\n## ").find(|section| section.starts_with("Recipes\n")).unwrap();
    let roots = ["src", "crates", "tests", "docs", "scenarios", "examples"].map(Path::new);
    let paths: Vec<PathBuf> = roots.into_iter().flat_map(below).collect();
    let named = |name: &str| -> Vec<&PathBuf> {
        let is_it = |path: &&PathBuf| path.ends_with(name) || path.with_extension("").ends_with(name);
        paths.iter().filter(is_it).collect()
    };
    let mut missing = Vec::new();
    let path = regex::Regex::new(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:rs|py|tsv|txt|json|yaml))`").unwrap();
    let found = path.captures_iter(recipes).filter_map(|found| found.get(1));
    let found: Vec<&str> = found.map(|found| found.as_str()).collect();
    assert!(found.len() > 60, "only {} paths were found", found.len());
    for name in found.into_iter().filter(|name| !name.contains("NAME") && !name.contains("FAMILY")) {
        if !Path::new(name).exists() && named(name).is_empty() {
            missing.push(name.to_owned());
        }
    }
    let pair = regex::Regex::new(r"`([\w:]+)!?`\s+\(`([^`]+)`").unwrap();
    let pairs: Vec<_> = pair.captures_iter(recipes).collect();
    assert!(pairs.len() > 20, "only {} names were found", pairs.len());
    for found in pairs {
        let (name, file) = (found[1].rsplit("::").next().unwrap(), &found[2]);
        if !named(file).iter().any(|path| path.is_file() && read(path).contains(name)) {
            missing.push(format!("{name} in {file}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// S4-23: the guide has every strategy, and how to write one of one's own.
#[test]
fn every_strategy_is_documented() {
    let guide = read("docs/strategies.md");
    for strategy in STRATEGIES {
        let name = strategy.name;
        assert!(guide.contains(&format!("\n| `{name}` |")), "{name} is not in the table");
        assert!(guide.contains(&format!("\n## `{name}`")), "{name} has no section");
    }
    assert!(read("docs/extending.md").contains("\n## A program in PTC-Lisp"));
}

/// S4-23
#[test]
fn every_command_is_documented() {
    let help = Command::new(env!("CARGO_BIN_EXE_ptc-eval")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, groups) = help.split_once("\n\nLogs ").unwrap();
    let (groups, _) = groups.split_once("\n\n").unwrap();
    let rows: Vec<String> = format!("Logs {groups}").lines().map(|line| line[9..].to_owned()).collect();
    assert_eq!(rows.len(), 16);
    let page = read("docs/cli.md");
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
    for command in rows.iter().filter_map(|line| line.split_whitespace().next()) {
        let is_headed = headings.iter().any(|heading| heading.contains(&format!("`{command}")));
        assert!(is_headed, "docs/cli.md says nothing of {command}");
    }
}

/// S4-23: the page on metrics has every column of every file.
#[test]
fn every_column_is_documented() {
    let page = read("docs/metrics.md");
    let is_named = |name: &str| page.contains(&format!("`{name}`"));
    for file in ["requests", "scenarios", "strategies"] {
        let golden = read(format!("tests/reports/{file}.csv"));
        let header = golden.lines().next().unwrap();
        for column in header.split(',') {
            let kind = if file == "scenarios" { "STRATEGY" } else { "MODEL" };
            let column =
                column.split_once(':').map_or(column.to_owned(), |(name, _)| format!("{name}:{kind}"));
            // `tool_calls_total`, `_shown`, `_dropped`
            let ending = column.rsplit('_').next().map(|ending| format!("_{ending}")).unwrap();
            assert!(is_named(&column) || is_named(&ending), "{file}.csv: {column}");
        }
    }
}

/// The printed value of an expression.
fn printed(expression: &str) -> String {
    let session = &mut Session::new(Environment::default(), Limits::default());
    match session.run("language.md", expression, 1, &mut NoTools).ended {
        Ended::Value(value) => pr_str(&value),
        other => format!("{other:?}"),
    }
}

/// S4-23: examples in the language reference give the values it states.
#[test]
fn examples_of_the_language_hold() {
    let page = read("docs/language.md").replace('\n', " ");
    let examples: Vec<_> = page.match_indices("` → `").collect();
    assert!(examples.len() > 60, "only {} examples were found", examples.len());
    for (at, arrow) in examples {
        let (_, expression) = page[..at].rsplit_once('`').unwrap();
        let (value, _) = page[at + arrow.len()..].split_once('`').unwrap();
        assert_eq!(printed(expression), value, "{expression}");
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(of).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The code cites sections by number; each must exist.
#[test]
fn cited_sections_exist() {
    let page = read("docs/language.md");
    let headings: Vec<&str> =
        page.lines().filter_map(|line| line.split_once("# ")?.1.split_once(' ')).map(|it| it.0).collect();
    let mut missing = Vec::new();
    for path in sources(Path::new("src")) {
        let text = read(&path);
        for cited in text.split('§').skip(1) {
            let number =
                cited.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap().trim_end_matches('.');
            if !headings.iter().any(|heading| heading.trim_end_matches('.') == number) {
                missing.push(format!("{}: §{number}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
