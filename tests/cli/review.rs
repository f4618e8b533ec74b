//! Reviews: keys in, screens and files out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::suite::{Ran, Suite, git};
use super::terminal::{COLUMNS, CTRL_C, ROWS, last_screen};

/// The number in the last two programs can only be known from what the first one printed.
const TICKETS: &str = "
description: finds a ticket, then names it
mission: Close the oldest ticket.
data: {tickets: [{age: 9}, {age: 2}]}
responses:
  - program: |
      (def age (apply max (map :age data/tickets)))
      (println (str \"the oldest ticket is T-\" (+ age 5)))
      (println \"nobody has asked for it\")
  - program: (def closed \"T-14\")
  - program: (return \"T-14\")
";

const SUITE: &str = "strategies: [full-history, single-user-coalesced]\n";

/// A suite with accepted and committed snapshots, and the results of edits.
struct Fixture(Suite);

impl Fixture {
    /// Scenarios changed by `edit`, with one print fewer under the strategies that limit prints.
    fn with(scenarios: &[&str], edit: impl Fn(&str) -> String) -> Fixture {
        let scenarios: Vec<_> = scenarios.iter().map(|name| (*name, TICKETS)).collect();
        let suite = Suite::with(&scenarios);
        suite.write("scenarios/suite.yaml", SUITE);
        suite.run(&["--accept"]).ends(0);
        git(suite.path(), &["init", "--quiet"]);
        git(suite.path(), &["add", "--all"]);
        git(suite.path(), &["commit", "--quiet", "--message", "one"]);
        for (name, text) in scenarios {
            suite.write(&format!("scenarios/{name}.yaml"), &edit(text));
        }
        suite.write("scenarios/suite.yaml", &format!("{SUITE}compression: {{println_limit: 1}}\n"));
        suite.run(&["run"]).ends(1);
        Fixture(suite)
    }

    /// The path of a file below `snapshots/`.
    fn snapshot(&self, name: &str) -> PathBuf {
        self.0.path().join("snapshots").join(name)
    }

    /// Reviews in a terminal of this size until Ctrl-C.
    fn review_in(&self, size: (u16, u16), keys: &str) -> Ran {
        let keys = keys.replace('↓', "\u{1b}[B").replace('⏎', "\r");
        self.0.run_in_terminal(size, &["review"], &(keys + CTRL_C))
    }

    fn review(&self, keys: &str) -> Ran {
        self.review_in((ROWS, COLUMNS), keys)
    }

    /// The number of questions that are left.
    fn questions(&self) -> usize {
        let print = self.0.run(&["review", "--print"]).out;
        let is_title = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains("   ");
        print.lines().filter(is_title).count()
    }

    /// Every file below `snapshots/`.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let root = self.snapshot("");
        collect(&root, &root, &mut files);
        files
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.snapshot(name)).unwrap()
    }

    /// True for the accepted file and the one that waits, if they are there.
    fn has(&self, key: &str) -> [bool; 2] {
        ["snap", "snap.new"].map(|extension| self.snapshot(&format!("{key}.{extension}")).exists())
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            files.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

fn golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../review");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Another mission, beside the print that is gone.
fn other_mission(text: &str) -> String {
    text.replace("Close the oldest ticket.", "Close the oldest ticket that is open.")
}

#[test]
fn screens_are_as_they_were() {
    for (name, keys) in [
        ("change", ""),
        ("snapshot", "o"),
        ("third-snapshot", "onn"),
        ("side-by-side", "ov"),
        ("help", "?"),
        ("second-change", "a"),
        ("closing", "aa"),
    ] {
        let fixture = Fixture::with(&["a", "b", "c"], other_mission);
        golden(name, &last_screen(&fixture.review(keys)).join("\n"));
    }
}

#[test]
fn a_new_snapshot_is_shown_whole() {
    let reviewed = |keys: &str| {
        let fixture = Fixture::with(&["a"], |text| text.to_owned());
        let file = |extension: &str| fixture.snapshot(&format!("a/full-history.{extension}"));
        fs::rename(file("snap"), file("snap.new")).unwrap();
        fs::remove_file(fixture.snapshot("a/single-user-coalesced.snap.new")).unwrap();
        (fixture.review(keys), fixture.has("a/full-history"))
    };
    golden("new", &last_screen(&reviewed("↓↓").0).join("\n"));
    assert_eq!(reviewed("↓↓a").1, [true, false]);
    assert_eq!(reviewed("aur").1, [false, false]);
    assert_eq!(reviewed("aurus").1, [false, true]);
}

#[test]
fn long_lines_are_compared_by_word() {
    let long = |word: &str| format!("{}{word}{}", "before ".repeat(30), " after".repeat(30));
    let fixture = Fixture::with(&["a"], |text| {
        text.replace("Close the oldest ticket.", &long("the newest \u{202e}ticket"))
    });
    let text =
        fixture.read("a/full-history.snap").replace("Close the oldest ticket.", &long("the oldest ticket"));
    fs::write(fixture.snapshot("a/full-history.snap"), text).unwrap();
    golden("long", &last_screen(&fixture.review("o")).join("\n"));
    golden("long-side-by-side", &last_screen(&fixture.review("ov")).join("\n"));
}

/// A snapshot with two changes is accepted with the last of them. It stays if one of them is rejected.
#[test]
fn a_snapshot_with_several_changes_waits_for_all_of_them() {
    let fixture = Fixture::with(&["a"], other_mission);
    let both = fixture.read("a/single-user-coalesced.snap.new");
    let before = fixture.read("a/single-user-coalesced.snap");
    fixture.review("as");
    let [one, other] = ["a/full-history", "a/single-user-coalesced"].map(|key| fixture.has(key));
    assert!(other == [true, true], "{other:?}");
    assert_eq!(fixture.read("a/single-user-coalesced.snap"), before);
    let fixture = Fixture::with(&["a"], other_mission);
    fixture.review("aa");
    assert_eq!(fixture.read("a/single-user-coalesced.snap"), both);
    assert_eq!([fixture.has("a/full-history"), fixture.has("a/single-user-coalesced")], [[true, false]; 2]);
    let fixture = Fixture::with(&["a"], other_mission);
    fixture.review("ar");
    assert_eq!(fixture.read("a/single-user-coalesced.snap"), before);
    assert!(one[0] && !fixture.has("a/single-user-coalesced")[1]);
}

/// Changes that the last run does not explain are one question.
#[test]
fn unexplained_snapshots_are_one_question() {
    let fixture = Fixture::with(&["a", "b"], other_mission);
    fs::remove_file(fixture.0.path().join("reports/changes.json")).unwrap();
    assert_eq!(fixture.questions(), 1);
    fixture.0.run(&["review", "--print"]).ends(1).says("not explained by the last run");
    fixture.0.run(&["review", "--accept-all"]).ends(0).says("0 left");
}

/// Decisions that were made before stay.
#[test]
fn all_that_is_left_is_accepted_at_once() {
    let fixture = Fixture::with(&["a", "b"], other_mission);
    assert!(fixture.questions() > 1);
    fixture.review("rA");
    assert_eq!(fixture.questions(), 0);
    let accepted = fixture.read("a/full-history.snap");
    assert!(accepted.contains("that is open"), "the others were accepted");
    assert!(!fixture.read("a/single-user-coalesced.snap").contains("that is open"), "the first was rejected");
    let fixture = Fixture::with(&["a", "b"], other_mission);
    fixture.review("rAu");
    assert!(fixture.questions() > 0, "each can be taken back");
}

#[test]
fn an_interrupted_review_keeps_what_was_decided() {
    let fixture = Fixture::with(&["a", "b"], other_mission);
    let (files, questions) = (fixture.files(), fixture.questions());
    fixture.review("sa").ends(130);
    assert_ne!(fixture.files(), files);
    assert!(fixture.questions() <= questions);
    assert_eq!(fixture.has("a/full-history"), [true, false], "what was decided is not asked again");
}

#[test]
fn a_review_can_go_line_by_line() {
    let fixture = Fixture::with(&["a", "b"], other_mission);
    let ran = fixture.0.run_by_lines(&["review"], "o\na\nu\nnonsense\nr\nq\n");
    let lines = ran.out.trim_end().rsplit_once(" [a/r/s/A/u/o/q] ").unwrap().0;
    golden("lines", &format!("{lines} [a/r/s/A/u/o/q] "));
    assert!(!fixture.read("a/full-history.snap").contains("that is open"));
}

#[test]
fn the_last_decision_can_be_taken_back_line_by_line() {
    let fixture = Fixture::with(&["a"], other_mission);
    let (before, questions) = (fixture.files(), fixture.questions());
    let keys = "a\n".repeat(questions) + &"u\n".repeat(questions) + "q\n";
    let ran = fixture.0.run_by_lines(&["review"], &keys);
    assert_eq!(fixture.files(), before);
    ran.says("all decided: undo or quit? [u/q]");
    let ran = fixture.0.run_by_lines(&["review"], &("a\n".repeat(questions) + "u\nr\n"));
    assert!(!ran.ends(0).out.contains(" 0 rejected"), "{}", ran.out);
}

#[test]
fn the_end_of_input_leaves_the_rest() {
    let fixture = Fixture::with(&["a"], other_mission);
    let before = fixture.files();
    fixture.0.run_by_lines(&["review"], "").ends(1);
    assert_eq!(fixture.files(), before);
}

/// The decisions that are left of some keys, as keys.
fn decided(keys: &str, questions: usize) -> String {
    let (mut decided, mut is_helped) = (String::new(), false);
    for key in keys.chars() {
        match key {
            _ if is_helped => is_helped = false,
            '?' => is_helped = true,
            'a' | 'r' | 's' if decided.len() < questions => decided.push(key),
            'u' => drop(decided.pop()),
            _ => {}
        }
    }
    decided
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// The files hold the decisions, in whatever order they were made, and nothing when all are undone.
    #[test]
    fn any_number_of_decisions_can_be_taken_back(keys in "[arsuovnp?jkG ]{0,24}") {
        let [fixture, straight, back] = [(); 3].map(|()| Fixture::with(&["a", "b"], other_mission));
        let before = fixture.files();
        fixture.review(&keys);
        straight.review(&decided(&keys, straight.questions()));
        prop_assert_eq!(fixture.files(), straight.files());
        back.review(&format!("{keys}x{}", "u".repeat(keys.len())));
        prop_assert_eq!(back.files(), before);
    }

    #[test]
    fn a_screen_fits_whatever_its_size(keys in "[arsuovnp?jkG↓⏎ ]{0,12}", rows in 16_u16..60, columns in 60_u16..140) {
        let ran = Fixture::with(&["a"], other_mission).review_in((rows, columns), &keys);
        let screen = last_screen(&ran);
        prop_assert_eq!(screen.len(), usize::from(rows));
        let widest = screen.iter().map(|row| console::measure_text_width(row)).max().unwrap_or_default();
        prop_assert!(widest <= columns.into(), "{} columns", widest);
    }
}
