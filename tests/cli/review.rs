//! Reviews: keys in, screens and files out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use ptc_eval::agent::Role;
use ptc_eval::evaluate::{Plan, replay};
use ptc_eval::scenario::{self, JsonOptions, Known, Selection};
use ptc_eval::snapshot::Store;

use super::suite::{Ran, Suite};
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
  - program: (def closed \"T-14\")
  - program: (return \"T-14\")
";

/// A suite with accepted snapshots, and what one edit makes of them.
struct Fixture(Suite);

impl Fixture {
    fn with(scenarios: &[&str], edit: impl Fn(&str) -> String) -> Fixture {
        let scenarios: Vec<_> = scenarios.iter().map(|name| (*name, TICKETS)).collect();
        let fixture = Fixture(Suite::with(&scenarios));
        fixture.accept_then(edit);
        fixture
    }

    fn accept_then(&self, edit: impl Fn(&str) -> String) {
        let suite = scenario::Suite::open(&self.0.path().join("scenarios"), Known::default()).unwrap();
        let store = Store::new(self.snapshot(""));
        let wanted =
            ["full-history", "single-user-coalesced"].map(|name| (name.to_string(), JsonOptions::default()));
        let plan = Plan::new(&suite, &wanted).unwrap();
        for scenario in suite.scenarios(&Selection::default()).unwrap() {
            let mut result = replay(scenario.unwrap(), &plan, &|_| 0).unwrap();
            let accepted = result.snapshots();
            let requests = result.strategies.iter_mut().flat_map(|run| &mut run.requests);
            let messages = requests.flat_map(|request| &mut request.messages);
            for message in messages.filter(|message| message.role != Role::System) {
                message.content = edit(&message.content).into();
            }
            for (mut snapshot, mut edited) in accepted.into_iter().zip(result.snapshots()) {
                if edited.key.ends_with("/run") {
                    edited.body = edit(&edited.body);
                }
                snapshot.source = "scenarios/tickets.yaml".into();
                edited.source.clone_from(&snapshot.source);
                store.accept(&snapshot).unwrap();
                if edited != snapshot {
                    store.write_pending(&edited).unwrap();
                }
            }
        }
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
        let title = print.lines().find_map(|line| line.strip_prefix("1 of "));
        title.map_or(0, |title| title.split(':').next().unwrap().parse().unwrap())
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

/// Drops what was printed, and calls the mission a task.
fn two_edits(body: &str) -> String {
    let lines = body.split('\n').filter(|line| !matches!(*line, ";; Output:" | "the oldest ticket is T-14"));
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace("Close the oldest ticket.", "Close the oldest ticket that is open.")
}

#[test]
fn screens_are_as_they_were() {
    for (name, keys) in [
        ("cause", ""),
        ("side-by-side", "v"),
        ("place", "vvo"),
        ("third-place", "vvonn"),
        ("help", "vvonn?"),
        ("second-cause", "vvonn?xa"),
        ("closing", "vvonn?xasss"),
    ] {
        let fixture = Fixture::with(&["a", "b", "c"], two_edits);
        golden(name, &last_screen(&fixture.review(keys)).join("\n"));
    }
}

#[test]
fn a_new_snapshot_is_shown_whole() {
    let reviewed = |keys: &str| {
        let fixture = Fixture::with(&["a"], |body| body.to_string());
        let file = |extension: &str| fixture.snapshot(&format!("a/full-history.{extension}"));
        fs::rename(file("snap"), file("snap.new")).unwrap();
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
    let fixture = Fixture::with(&["a"], |body| {
        body.replace("Close the oldest ticket.", &long("the newest \u{202e}ticket"))
    });
    for file in ["a/full-history.snap", "a/single-user-coalesced.snap"] {
        let text = fixture.read(file).replace("Close the oldest ticket.", &long("the oldest ticket"));
        fs::write(fixture.snapshot(file), text).unwrap();
    }
    golden("long", &last_screen(&fixture.review("")).join("\n"));
    golden("long-side-by-side", &last_screen(&fixture.review("v")).join("\n"));
}

#[test]
fn what_is_accepted_and_what_is_open_stand_in_two_files() {
    let fixture = Fixture::with(&["a"], two_edits);
    let waiting = fixture.read("a/full-history.snap.new");
    fixture.review("as");
    let (accepted, pending) = (fixture.read("a/full-history.snap"), fixture.read("a/full-history.snap.new"));
    assert_ne!(
        accepted.contains("that is open"),
        accepted.contains("T-14\n") && !accepted.contains(";; Output:")
    );
    assert_eq!(pending, waiting);
    let fixture = Fixture::with(&["a"], two_edits);
    fixture.review("asua");
    assert_eq!(fixture.read("a/full-history.snap"), pending);
    assert_eq!(fixture.has("a/full-history"), [true, false]);
}

/// Decisions that were made before stay.
#[test]
fn all_that_is_left_is_accepted_at_once() {
    let fixture = Fixture::with(&["a", "b"], two_edits);
    assert!(fixture.questions() > 1);
    fixture.review("rA");
    assert_eq!(fixture.questions(), 0);
    let accepted = fixture.read("a/full-history.snap");
    assert!(!accepted.contains("that is open"), "the first was rejected");
    assert!(!accepted.contains("the oldest ticket is T-14\n"), "the others were accepted");
    let fixture = Fixture::with(&["a", "b"], two_edits);
    fixture.review("rAu");
    assert_eq!(fixture.questions(), 1, "each can be taken back");
}

#[test]
fn an_interrupted_review_keeps_what_was_decided() {
    let fixture = Fixture::with(&["a", "b"], two_edits);
    let (files, questions) = (fixture.files(), fixture.questions());
    fixture.review("a").ends(130);
    assert_ne!(fixture.files(), files);
    assert_eq!(fixture.questions(), questions - 1, "what was decided is not asked again");
}

#[test]
fn a_review_can_go_line_by_line() {
    let fixture = Fixture::with(&["a", "b"], two_edits);
    let ran = fixture.0.run_by_lines(&["review"], "o\na\nu\nnonsense\nr\nq\n");
    let lines = ran.out.trim_end().rsplit_once(" [a/r/s/A/u/o/q] ").unwrap().0;
    golden("lines", &format!("{lines} [a/r/s/A/u/o/q] "));
    assert_eq!(fixture.questions(), 2, "one of three was rejected");
    assert!(!fixture.read("a/full-history.snap").contains("that is open"));
}

#[test]
fn the_last_decision_can_be_taken_back_line_by_line() {
    let fixture = Fixture::with(&["a"], two_edits);
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
    let fixture = Fixture::with(&["a"], two_edits);
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

    /// The files say what was decided, whichever way led there, and nothing when all is taken back.
    #[test]
    fn any_number_of_decisions_can_be_taken_back(keys in "[arsuovnp?jkG ]{0,24}") {
        let [fixture, straight, back] = [(); 3].map(|()| Fixture::with(&["a", "b"], two_edits));
        let before = fixture.files();
        fixture.review(&keys);
        straight.review(&decided(&keys, straight.questions()));
        prop_assert_eq!(fixture.files(), straight.files());
        back.review(&format!("{keys}x{}", "u".repeat(keys.len())));
        prop_assert_eq!(back.files(), before);
    }

    #[test]
    fn a_screen_fits_whatever_its_size(keys in "[arsuovnp?jkG↓⏎ ]{0,12}", rows in 16_u16..60, columns in 60_u16..140) {
        let ran = Fixture::with(&["a"], two_edits).review_in((rows, columns), &keys);
        let screen = last_screen(&ran);
        prop_assert_eq!(screen.len(), usize::from(rows));
        let widest = screen.iter().map(|row| console::measure_text_width(row)).max().unwrap_or_default();
        prop_assert!(widest <= columns.into(), "{} columns", widest);
    }
}
