//! Terminal sessions in the documentation against the program's output.

use std::fs;
use std::path::Path;
use std::process::Command;

use ptc_eval::compression::STRATEGIES;
use ptc_eval::report::STRATEGY_COLUMNS;
use ptc_eval::snapshot::requests::requests_of;
use ptc_eval::snapshot::text::RUN;
use ptc_eval::snapshot::{RunSections, Store};

use super::suite::Suite;
use crate::benchmark::with_table;
use crate::golden::{Golden, is_blessing};
use ptc_prices::{Price, PriceTable};

/// Stands for lines that are left out.
const GAP: &str = "[…]";

/// A terminal session in the documentation.
struct Console {
    page: String,
    block: String,
    commands: String,
    output: Vec<String>,
}

/// The terminals of a page, in order.
fn consoles(page: &str) -> Vec<Console> {
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let console = |block: &str| {
        let (mut commands, mut output) = (String::new(), Vec::new());
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => commands.push_str(&format!("{command}\n")),
                None => output.push(line.to_owned()),
            }
        }
        Console { page: page.to_owned(), block: block.to_owned(), commands, output }
    };
    blocks.map(console).collect()
}

impl Console {
    /// Runs the commands in the suite's folder and compares their output.
    #[track_caller]
    fn holds_in(&self, suite: &Suite) {
        let folder = Path::new(env!("CARGO_BIN_EXE_ptc-eval")).parent().unwrap().display();
        let script = format!("exec 2>&1\nPATH='{folder}':$PATH\n{}", self.commands);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(suite.path());
        shell
            .env("NO_COLOR", "1")
            .env("PTC_EVAL_CACHE", "off")
            .env("PTC_EVAL_TODAY", "2026-11-24")
            .env_remove("CI");
        let printed = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        let shown = self.output.join("\n");
        let [shown, lines] = [&shown, &printed].map(|text| text.trim_end().lines().collect::<Vec<_>>());
        let holds = aligned(&shown, &lines, is_same).is_some();
        if !holds && is_blessing() {
            let whole = || (!shown.contains(&GAP)).then(|| lines.clone());
            if let Some(now) = aligned(&shown, &lines, is_same_but_for_numbers).or_else(whole) {
                return self.write(&now);
            }
        }
        assert!(holds, "{}does not print what is shown but\n{printed}", self.commands);
    }
}

impl Console {
    /// Writes the printed lines into the page.
    fn write(&self, lines: &[&str]) {
        let commands = self.commands.lines().map(|command| format!("$ {command}"));
        let time = self.output.iter().find(|line| is_time(line));
        let kept = |line: &&str| time.filter(|_| is_time(line)).map_or(line.to_string(), String::clone);
        let block = commands.chain(lines.iter().map(kept)).collect::<Vec<_>>().join("\n");
        let page = fs::read_to_string(&self.page).unwrap();
        let [before, after] = [&self.block, &block].map(|block| format!("```console\n{block}\n```"));
        fs::write(&self.page, page.replacen(&before, &after, 1)).unwrap();
    }
}

/// Matches shown lines with printed lines. Returns the printed lines and the gaps, or `None` if a line has no
/// counterpart. Times keep the shown value.
fn aligned<'t>(
    shown: &[&'t str],
    printed: &[&'t str],
    is_counterpart: fn(&str, &str) -> bool,
) -> Option<Vec<&'t str>> {
    let (first, mut others) = match (shown, printed) {
        ([], []) => return Some(Vec::new()),
        ([GAP, shown @ ..], printed) => {
            let rest = |skipped| aligned(shown, &printed[skipped..], is_counterpart);
            (GAP, (0..=printed.len()).find_map(rest)?)
        }
        ([line, shown @ ..], [other, printed @ ..]) if is_counterpart(line, other) => {
            (if is_time(other) { *line } else { *other }, aligned(shown, printed, is_counterpart)?)
        }
        _ => return None,
    };
    others.insert(0, first);
    Some(others)
}

/// True if the lines are the same. Any time is the same as any other.
fn is_same(line: &str, other: &str) -> bool {
    line == other || is_time(line) && is_time(other)
}

/// True if the lines have the same words.
fn is_same_but_for_numbers(line: &str, other: &str) -> bool {
    let words = |line: &str| line.replace(|c: char| c.is_ascii_digit(), "");
    words(line) == words(other)
}

/// `0.07 s`
fn is_time(line: &str) -> bool {
    line.strip_prefix("took ")
        .and_then(|rest| rest.strip_suffix(" s"))
        .is_some_and(|number| number.parse::<f64>().is_ok())
}

/// The suite of this repository, in a folder of its own.
fn shipped() -> Suite {
    let suite = Suite::with(&[]);
    for folder in ["scenarios", "snapshots", "reports"] {
        let copied = Command::new("cp").args(["-r", folder]).arg(suite.path()).status().unwrap();
        assert!(copied.success());
    }
    suite
}

const OVERDUE: &str = "scenarios/library/overdue.yaml";

/// The scenario of the page on the first one.
fn overdue() -> Suite {
    let page = fs::read_to_string("docs/first-scenario.md").unwrap();
    let (_, rest) = page.split_once("````yaml\n").unwrap();
    let suite = Suite::with(&[]);
    suite.write(OVERDUE, rest.split("````").next().unwrap());
    suite
}

/// Changes the scenario as described on the page.
fn edit(suite: &Suite, from: &str, to: &str) {
    let text = suite.read(OVERDUE);
    assert!(text.contains(from), "{from}");
    suite.write(OVERDUE, &text.replace(from, to));
}

#[test]
fn the_readme_and_the_first_scenario_show_what_is_printed() {
    let suite = shipped();
    consoles("README.md").iter().for_each(|console| console.holds_in(&suite));
    // The verdict, the table and the command to use fit a screen.
    let screen = suite.run(&[]).ends(0).out.clone();
    let before = screen.lines().position(|line| line.starts_with("use:   ")).unwrap();
    assert!(before <= 31 && screen.lines().count() <= 38, "{screen}");
    let page = consoles("docs/first-scenario.md");
    let [new, accept, request, changed, review, broken] = page.as_slice() else {
        panic!("the page on the first scenario has {} terminals", page.len())
    };
    let suite = overdue();
    [new, accept, request].iter().for_each(|console| console.holds_in(&suite));
    edit(&suite, "Cents for this many days", "Fee in cents for this many days");
    [changed, review].iter().for_each(|console| console.holds_in(&suite));
    edit(&suite, "owed: 290", "owed: 280");
    broken.holds_in(&suite);
}

#[test]
fn the_guide_shows_what_is_printed() {
    let suite = shipped();
    let consoles = ["docs/logs.md", "docs/screens.md"].into_iter().flat_map(consoles);
    consoles.for_each(|console| console.holds_in(&suite));
}

/// The site has each page.
#[test]
fn each_page_is_in_the_table_of_contents() {
    let contents = fs::read_to_string("docs/SUMMARY.md").unwrap();
    let pages = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = pages.filter(|name| name.ends_with(".md") && name != "SUMMARY.md");
    pages.for_each(|page| {
        assert!(contents.contains(&format!("({page})")), "{page} is not in docs/SUMMARY.md")
    });
}

#[test]
fn the_page_on_the_command_line_shows_what_is_printed() {
    let (example, shipped) = (overdue(), shipped());
    for console in consoles("docs/cli.md") {
        match console.commands.as_str() {
            "ptc-eval check\n" => {
                edit(&example, "mission:", "misssion:");
                console.holds_in(&example);
                edit(&example, "misssion:", "mission:");
            }
            of_shipped if of_shipped.contains("shop/") => console.holds_in(&shipped),
            _ => console.holds_in(&example),
        }
    }
}

/// The annotated example of a scenario, under the suite file that is shown, with the prices that are.
#[test]
fn the_examples_of_files_hold() {
    let scenarios = fs::read_to_string("docs/scenarios.md").unwrap();
    let metrics = fs::read_to_string("docs/metrics.md").unwrap();
    let suite = Suite::with(&[("example", blocks(&scenarios, "````yaml")[0])]);
    let settings = blocks(&scenarios, "```yaml").into_iter().find(|block| block.contains("thresholds:"));
    suite.write("scenarios/suite.yaml", settings.unwrap());
    for prompt in ["current", "shorter"] {
        suite.write(
            &format!("scenarios/prompts/{prompt}.md"),
            &format!("Be {prompt}.\n\n{{{{answer_format}}}}\n"),
        );
    }
    let rows = blocks(&metrics, "```yaml")[0];
    let table = PriceTable::built_in().unwrap();
    for row in serde_yaml::from_str::<Vec<Price>>(rows).unwrap() {
        assert!(table.rows().contains(&row), "docs/metrics.md has another row of {}", row.model);
    }
    suite.write("prices.yaml", rows);
    suite.run(&["check"]).ends(0);
    suite.run(&["--accept"]).ends(0).says("requests: expectations and 1 threshold met");
    suite.run(&["--prices", "prices.yaml"]).ends(0);
}

/// The blocks of a page that open with this fence and close with its backticks.
fn blocks<'t>(text: &'t str, fence: &str) -> Vec<&'t str> {
    let backticks = fence.trim_end_matches(char::is_alphabetic);
    let opening = format!("\n{fence}\n");
    text.split(&opening).skip(1).map(|rest| rest.split(&format!("\n{backticks}\n")).next().unwrap()).collect()
}

/// Lines without their indentation, so that a method is found in its type.
fn unindented(text: &str) -> String {
    text.trim().lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

fn texts_below(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => texts_below(&path, found),
            false => found.push(fs::read_to_string(path).unwrap()),
        }
    }
}

/// Each message that a snapshot of a strategy shows.
fn messages_of_snapshots() -> Vec<String> {
    let store = Store::new("snapshots");
    let body = |key: &str| store.bodies(key).unwrap()[0].clone().unwrap();
    let keys = store.orphans(&store.list().unwrap(), |_| false);
    let strategies = keys.iter().filter_map(|key| key.rsplit_once('/')).filter(|(_, name)| *name != RUN);
    let mut messages = std::collections::BTreeSet::new();
    for (scenario, name) in strategies {
        let run = body(&format!("{scenario}/{RUN}"));
        let [accepted, _] = store.request_bodies(&format!("{scenario}/{name}")).unwrap();
        let requests = requests_of(&accepted.unwrap(), &RunSections::of(&run)).unwrap();
        let sent = requests.into_iter().flat_map(|request| request.messages);
        messages.extend(sent.map(|message| message.content.to_string()));
    }
    messages.into_iter().collect()
}

/// The example requests in the sections of strategies, each with setting, scenario and turn:
/// `edge/growing-program`, request 3, with `window=1`.
fn requests_that_are_named(page: &str) -> Vec<(String, (String, String))> {
    let request = r"`([a-z]+/[a-z-]+)`,\s+request\s+(\d+)(?:,\s+with\s+`([^`]+)`)?";
    let request = regex::Regex::new(request).unwrap();
    let mut requests = Vec::new();
    for section in page.split("\n## `").skip(1) {
        let (strategy, text) = section.split_once("`\n").unwrap();
        for found in request.captures_iter(text) {
            let options = found.get(3).map_or(String::new(), |options| format!(",{}", options.as_str()));
            requests.push((format!("{strategy}{options}"), (found[1].to_owned(), found[2].to_owned())));
        }
    }
    requests
}

#[test]
fn the_page_on_the_strategies_shows_what_is_sent_and_what_is_written() {
    let suite = shipped();
    let mut sources = messages_of_snapshots();
    ["scenarios/strategies", "crates/history-strategies/src", "src/compression"]
        .iter()
        .for_each(|folder| texts_below(Path::new(folder), &mut sources));
    let mut requests = requests_that_are_named(&fs::read_to_string("docs/strategies.md").unwrap());
    let by_default = ("shop/well-reviewed".to_owned(), "3".to_owned());
    requests.extend(STRATEGIES.iter().map(|strategy| (strategy.name.to_owned(), by_default.clone())));
    for (setting, (scenario, turn)) in &requests {
        let shown = ["show", scenario, "--view", "compressed", "--strategy", setting, "--turn", turn];
        sources.push(suite.run(&shown).ends(0).out.clone());
    }
    let usage = ["show", "warehouse/reorder", "--usage", "--strategy", "single-user-coalesced"];
    sources.push(suite.run(&usage).out);
    let sources: Vec<String> = sources.iter().map(|source| unindented(source)).collect();
    let page = ["docs/strategies.md", "docs/extending.md"].map(|page| fs::read_to_string(page).unwrap());
    let page = page.concat();
    let sent = blocks(&page, "````text").into_iter().flat_map(|block| block.split(GAP));
    let written = blocks(&page, "```rust");
    for shown in sent.chain(written) {
        let shown = unindented(shown);
        assert!(sources.iter().any(|source| source.contains(&shown)), "this is nowhere:\n{shown}");
    }
    let program = fs::read_to_string("scenarios/strategies/last-two.clj").unwrap();
    assert!(page.contains(&format!("\n```clojure\n{program}```\n")), "last-two.clj is another");
}

/// The page has each command in the words of `--help`, and each exit code. Options are in `--help` alone.
#[test]
fn the_page_on_the_command_line_has_the_commands_of_help() {
    let page = fs::read_to_string("docs/cli.md").unwrap();
    let suite = Suite::with(&[]);
    let help = suite.run(&["--help"]).out;
    for line in help.lines() {
        let Some((command, about)) = line.get(9..).and_then(|row| row.split_once(' ')) else { continue };
        if line.get(8..9) != Some(" ")
            || line.starts_with("Usage")
            || line.starts_with("ptc-eval")
            || command.is_empty()
        {
            continue;
        }
        let about = about.trim();
        let row = format!("| `{command}` | {}{} |", about[..1].to_lowercase(), &about[1..]);
        assert!(page.replace('`', "").contains(&row.replace('`', "")), "{row}");
    }
    let (_, codes) = help.split_once("\nExit: ").unwrap();
    for code in codes.split(", ") {
        let (code, _) = code.split_once(' ').unwrap();
        assert!(page.contains(&format!("\n| {code} | ")), "{code}");
    }
}

/// Formats of logs and columns of reports are listed in the words of the program.
#[test]
fn generated_tables_are_those_of_the_program() {
    let mut formats = "| format | is read from |\n|---|---|\n".to_owned();
    for line in Suite::with(&[]).run(&["list", "formats"]).out.lines() {
        let (name, about) = line.split_once(' ').unwrap();
        let about = about.trim().replace('<', "&lt;").replace('|', "\\|");
        formats += &format!("| `{name}` | {about} |\n");
    }
    let mut columns = "| column | value |\n|---|---|\n".to_owned();
    for column in STRATEGY_COLUMNS {
        columns += &format!("| `{}` | {} |\n", column.name, column.doc);
    }
    let mut golden = Golden::default();
    for (page, name, table) in
        [("docs/transcripts.md", "formats", formats), ("docs/metrics.md", "columns", columns)]
    {
        golden.holds(Path::new(page), &with_table(&fs::read_to_string(page).unwrap(), name, &table));
    }
    golden.assert_none_differs();
}

/// A page without its blocks of code.
fn prose(page: &Path) -> String {
    let mut fence = None;
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let lines = text.lines().filter(|line| {
        let backticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if backticks >= 3 => fence = Some(backticks),
            Some(open) if backticks == open => fence = None,
            _ => return fence.is_none(),
        }
        false
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The anchors of a page's headings.
fn anchors(page: &Path) -> Vec<String> {
    let text = prose(page);
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#'));
    let kept = |c: &char| c.is_alphanumeric() || "-_ ".contains(*c);
    let anchor = |heading: &str| heading.trim().to_lowercase().chars().filter(kept).collect::<String>();
    headings.map(|heading| anchor(heading).replace(' ', "-")).collect()
}

/// Links lead to files and headings. Pages of the site link to the site or with a whole address, and so does the page of the
/// Python package.
#[test]
fn links_lead_somewhere() {
    let site = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    let site = site.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md"];
    let others = others.into_iter().chain([
        "crates/conversation/README.md",
        "crates/conversation-bills/README.md",
        "crates/history-evidence/README.md",
        "crates/history-strategies/README.md",
        "crates/ptc-lisp/README.md",
        "crates/ptc-prices/README.md",
        "crates/ptc-tokens/README.md",
        "crates/agent-logs/README.md",
    ]);
    let link = regex::Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    for page in site.chain(others.map(Into::into)) {
        let text = prose(&page);
        for link in link.captures_iter(&text).map(|found| found[1].to_owned()) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            assert!(
                anchor.is_empty() || anchors(&target).contains(&anchor.to_owned()),
                "{}: {link}",
                page.display()
            );
            let is_shown_elsewhere = page.starts_with("docs") || page.starts_with("python");
            assert!(!is_shown_elsewhere || !file.starts_with(".."), "{}: {link}", page.display());
        }
    }
}

/// Nothing was released, so what a registry gives under the name would be somebody else's.
#[test]
fn no_page_installs_the_program_from_a_registry() {
    let site = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    let pages = site.filter(|path| path.is_file()).chain(["README.md", "python/README.md"].map(Into::into));
    let from_registry =
        r"(?:pip|pipx|npm|cargo|uv)\d? (?:install|binstall|add)(?: -\S+)* ptc-eval|npx ptc-eval|ghcr\.io";
    let from_registry = regex::Regex::new(from_registry).unwrap();
    for page in pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        let found = from_registry.find(&text).map(|found| found.as_str());
        assert_eq!(found, None, "{}", page.display());
    }
}

#[test]
fn the_page_on_the_language_shows_what_is_printed() {
    let suite = Suite::with(&[]);
    consoles("docs/language.md").iter().for_each(|console| console.holds_in(&suite));
}
