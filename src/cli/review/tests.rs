//! Reviews without a terminal: keys in, screens and files out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use console::Key;
use proptest::prelude::*;

use super::questions::Decision;
use super::screen::{Size, screen};
use super::state::{Extent, KeyEffect};
use super::{Review, TerminalSettings, USUAL, prompt};
use crate::agent::Role;
use crate::cli::terminal::Color;
use crate::evaluate::{Plan, replay};
use crate::scenario::{JsonOptions, Known, Selection, Suite};
use crate::snapshot::store::Store;

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
struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn with(scenarios: &[&str], edit: impl Fn(&str) -> String) -> Fixture {
        let fixture = Fixture { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(fixture.folder.path().join("scenarios")).unwrap();
        for name in scenarios {
            fs::write(fixture.folder.path().join(format!("scenarios/{name}.yaml")), TICKETS).unwrap();
        }
        fixture.accept_then(edit);
        fixture
    }

    fn accept_then(&self, edit: impl Fn(&str) -> String) {
        let (suite, selection) = (self.suite(), Selection::default());
        let wanted =
            ["full-history", "single-user-coalesced"].map(|name| (name.to_string(), JsonOptions::default()));
        let plan = Plan::new(&suite, &wanted).unwrap();
        for scenario in suite.scenarios(&selection).unwrap() {
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
                self.store().accept(&snapshot).unwrap();
                if edited != snapshot {
                    self.store().write_pending(&edited).unwrap();
                }
            }
        }
    }

    fn suite(&self) -> Suite {
        Suite::open(&self.folder.path().join("scenarios"), Known::default()).unwrap()
    }

    fn store(&self) -> Store {
        Store::new(self.folder.path().join("snapshots"))
    }

    fn review(&self) -> Review {
        Review::open(self.store(), self.suite()).unwrap()
    }

    /// Every file below `snapshots/`.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        collect(&self.store().folder, &mut files);
        files
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.store().folder.join(name)).unwrap()
    }

    fn exists(&self, name: &str) -> bool {
        self.store().folder.join(name).exists()
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.display().to_string(), fs::read_to_string(&path).unwrap());
        }
    }
}

/// Presses keys as a person would, the screen drawn before each; says where the last one led.
fn press(review: &mut Review, keys: &str) -> KeyEffect {
    keys.chars().fold(KeyEffect::Stay, |_, key| {
        let extent = screen(&review.questions, &review.state, None, USUAL).extent;
        let key = match key {
            '↓' => Key::ArrowDown,
            '⏎' => Key::Enter,
            '⎋' => Key::Escape,
            '^' => Key::CtrlC,
            key => Key::Char(key),
        };
        review.press(&key, extent).unwrap()
    })
}

fn drawn(review: &mut Review) -> String {
    let at = review.state.at();
    review.impacts.of(&review.questions, at);
    let screen = screen(&review.questions, &review.state, review.impacts.known(at), USUAL);
    screen.rows.iter().map(|row| format!("{row}\n")).collect()
}

fn golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../tests/review");
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
    let fixture = Fixture::with(&["a", "b", "c"], two_edits);
    let mut review = fixture.review();
    golden("cause", &drawn(&mut review));
    press(&mut review, "v");
    golden("side-by-side", &drawn(&mut review));
    press(&mut review, "vo");
    golden("place", &drawn(&mut review));
    press(&mut review, "nn");
    golden("third-place", &drawn(&mut review));
    press(&mut review, "?");
    golden("help", &drawn(&mut review));
    press(&mut review, "xa");
    golden("second-cause", &drawn(&mut review));
    press(&mut review, "sss");
    golden("closing", &drawn(&mut review));
}

#[test]
fn a_new_snapshot_is_shown_whole() {
    let fixture = Fixture::with(&["a"], |body| body.to_string());
    fs::rename(
        fixture.store().folder.join("a/full-history.snap"),
        fixture.store().folder.join("a/full-history.snap.new"),
    )
    .unwrap();
    let mut review = fixture.review();
    press(&mut review, "↓↓");
    golden("new", &drawn(&mut review));
    press(&mut review, "a");
    assert!(fixture.exists("a/full-history.snap") && !fixture.exists("a/full-history.snap.new"));
    press(&mut review, "ur");
    assert!(!fixture.exists("a/full-history.snap") && !fixture.exists("a/full-history.snap.new"));
    press(&mut review, "us");
    assert!(!fixture.exists("a/full-history.snap") && fixture.exists("a/full-history.snap.new"));
}

#[test]
fn long_lines_are_compared_by_word() {
    let long = |word: &str| format!("{}{word}{}", "before ".repeat(30), " after".repeat(30));
    let fixture = Fixture::with(&["a"], |body| {
        body.replace("Close the oldest ticket.", &long("the newest \u{202e}ticket"))
    });
    for file in ["a/full-history.snap", "a/single-user-coalesced.snap"] {
        let path = fixture.store().folder.join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("Close the oldest ticket.", &long("the oldest ticket"))).unwrap();
    }
    let mut review = fixture.review();
    golden("long", &drawn(&mut review));
    press(&mut review, "v");
    golden("long-side-by-side", &drawn(&mut review));
}

#[test]
fn what_is_accepted_and_what_is_open_stand_in_two_files() {
    let fixture = Fixture::with(&["a"], two_edits);
    let mut review = fixture.review();
    press(&mut review, "as");
    let (accepted, pending) = (fixture.read("a/full-history.snap"), fixture.read("a/full-history.snap.new"));
    assert_ne!(
        accepted.contains("that is open"),
        accepted.contains("T-14\n") && !accepted.contains(";; Output:")
    );
    assert_eq!(pending, {
        let both = Fixture::with(&["a"], two_edits);
        both.read("a/full-history.snap.new")
    });
    press(&mut review, "ua");
    assert_eq!(fixture.read("a/full-history.snap"), pending);
    assert!(!fixture.exists("a/full-history.snap.new"));
}

/// Decisions that were made before stay.
#[test]
fn all_that_is_left_is_accepted_at_once() {
    let fixture = Fixture::with(&["a", "b"], two_edits);
    let mut review = fixture.review();
    let questions = review.questions.len();
    press(&mut review, "rA");
    assert_eq!(review.state.decisions.len(), questions);
    assert_eq!(review.state.decisions[0], Decision::Rejected);
    assert!(questions > 1 && review.state.decisions[1..].iter().all(|one| *one == Decision::Accepted));
    assert_eq!(fixture.review().questions.len(), 0);
    press(&mut review, "u");
    assert_eq!(fixture.review().questions.len(), 1, "each can be taken back");
}

#[test]
fn an_interrupted_review_keeps_what_was_decided() {
    let fixture = Fixture::with(&["a", "b"], two_edits);
    let before = fixture.files();
    let mut review = fixture.review();
    assert_eq!(press(&mut review, "a^"), KeyEffect::Interrupt);
    assert_eq!(review.state.decisions, [Decision::Accepted]);
    let after = fixture.files();
    assert_ne!(before, after);
    assert_eq!(fixture.review().questions.len(), fixture.review().questions.causes.len());
    assert!(fixture.review().questions.len() < review.questions.len(), "what was decided is not asked again");
}

/// The impact of a change is what replaying it would show: the number is lost, and with it half of the
/// evidence of a run in which two of three answers rest on it.
#[test]
fn a_change_says_what_it_costs() {
    let fixture = Fixture::with(&["a"], two_edits);
    let mut review = fixture.review();
    let number = review.questions.causes.iter().position(|cause| {
        let (_, hunk) = review.questions.member(cause, 0).unwrap();
        hunk.removed.iter().any(|line| line.contains("T-14"))
    });
    let impact = review.impacts.of(&review.questions, number.unwrap()).unwrap().clone();
    let lost: Vec<(u32, &str, Option<u32>)> =
        impact.losses.iter().map(|loss| (loss.turn, loss.what.what.as_str(), loss.what.turn)).collect();
    assert!(lost.contains(&(2, "T-14", Some(1))), "{lost:?}");
    for strategy in &impact.strategies {
        assert!(strategy.after.evidence() < strategy.before.evidence(), "{strategy:?}");
        assert!(strategy.after.input_tokens < strategy.before.input_tokens, "{strategy:?}");
    }
}

#[test]
fn a_review_can_go_line_by_line() {
    let fixture = Fixture::with(&["a", "b"], two_edits);
    let mut review = fixture.review();
    let (mut out, terminal) = (Vec::new(), TerminalSettings { size: USUAL, color: Color::Never });
    prompt::ask(&mut review, terminal, &mut "o\na\nu\nnonsense\nr\nq\n".as_bytes(), &mut out).unwrap();
    golden("lines", &String::from_utf8(out).unwrap());
    assert_eq!(review.state.decisions, [Decision::Rejected]);
}

#[test]
fn the_last_decision_can_be_taken_back_line_by_line() {
    let fixture = Fixture::with(&["a"], two_edits);
    let (mut review, before) = (fixture.review(), fixture.files());
    let terminal = TerminalSettings { size: USUAL, color: Color::Never };
    let (questions, mut out) = (review.questions.len(), Vec::new());
    let keys = "a\n".repeat(questions) + &"u\n".repeat(questions) + "q\n";
    prompt::ask(&mut review, terminal, &mut keys.as_bytes(), &mut out).unwrap();
    assert_eq!(fixture.files(), before);
    assert!(String::from_utf8(out).unwrap().contains("all decided: undo or quit? [u/q]"));
    let keys = "a\n".repeat(questions) + "u\nr\n";
    prompt::ask(&mut review, terminal, &mut keys.as_bytes(), &mut Vec::new()).unwrap();
    assert_eq!(review.state.decisions.last(), Some(&Decision::Rejected));
}

#[test]
fn the_end_of_input_leaves_the_rest() {
    let fixture = Fixture::with(&["a"], two_edits);
    let (mut review, before) = (fixture.review(), fixture.files());
    let terminal = TerminalSettings { size: USUAL, color: Color::Never };
    prompt::ask(&mut review, terminal, &mut "".as_bytes(), &mut Vec::new()).unwrap();
    assert_eq!(fixture.files(), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The files say what was decided, whichever way led there, and nothing when all is taken back.
    #[test]
    fn any_number_of_decisions_can_be_taken_back(keys in "[arsuovnp?jkG ]{0,24}") {
        let (fixture, same) = (Fixture::with(&["a", "b"], two_edits), Fixture::with(&["a", "b"], two_edits));
        let before = fixture.files();
        let mut review = fixture.review();
        press(&mut review, &keys);
        let mut straight = same.review();
        for decision in review.state.decisions.clone() {
            press(&mut straight, match decision {
                Decision::Accepted => "a",
                Decision::Rejected => "r",
                Decision::Skipped => "s",
            });
        }
        let contents = |fixture: &Fixture| fixture.files().into_values().collect::<Vec<_>>();
        prop_assert_eq!(contents(&fixture), contents(&same));
        press(&mut review, "⎋⎋");
        press(&mut review, &"u".repeat(keys.len()));
        prop_assert_eq!(fixture.files(), before);
    }

    #[test]
    fn a_screen_fits_whatever_its_size(keys in "[arsuovnp?jkG↓⏎ ]{0,12}", rows in 8_usize..60, columns in 40_usize..140) {
        let fixture = Fixture::with(&["a"], two_edits);
        let mut review = fixture.review();
        press(&mut review, &keys);
        let at = review.state.at();
        review.impacts.of(&review.questions, at);
        let screen = screen(&review.questions, &review.state, review.impacts.known(at), Size { rows, columns });
        prop_assert_eq!(screen.rows.len(), rows);
        let widest = screen.rows.iter().map(|row| row.width()).max().unwrap_or_default();
        prop_assert!(widest <= columns, "{} columns", widest);
        let Extent { rows: all, page } = screen.extent;
        prop_assert!(page <= rows && (all == 0 || page > 0));
    }
}
