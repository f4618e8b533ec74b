//! The index of a message table and the search in texts find the same atoms, and a request shows what its reader can write.

use conversation::{Message, Messages, Role};
use history_evidence::{Atom, AtomIndex, OpeningLines};
use proptest::prelude::*;
use serde_json::json;

use crate::evidence::{lacking_after, needed_after};

/// Parts of names, numbers, dates, hashes and paths, with whatever may touch them.
const PARTS: [&str; 36] = [
    "read",
    "Line",
    "must",
    "Of",
    "s",
    "tree",
    "sitter",
    "go",
    "n",
    "_",
    "__",
    "-",
    "-",
    " ",
    " ",
    "/",
    "\\",
    "\\n",
    "\\t",
    "\t",
    "\n",
    "\"",
    "'",
    ".",
    ":",
    ",",
    "0",
    "12",
    "20",
    "th",
    "2026-05-13",
    "T10",
    "-12-",
    "0123abcd",
    "0123abcd0123abcd0123abcd0123abcd",
    "Turn 3 of 9",
];

/// An atom of the kind with this number.
fn atom_of(kind: usize, text: &str) -> Option<Atom> {
    let line = text.trim();
    if line.contains('\n') || !line.contains(char::is_alphanumeric) {
        return None;
    }
    match kind {
        0 => Some(Atom::Line(line.into())),
        1 => Some(Atom::Name(line.into())),
        2 => Atom::of_text(&format!(":{line}")),
        _ => Atom::of_text(line),
    }
}

/// True if the index finds the atom in the message.
fn is_indexed(atom: &Atom, message: &Message, opening: &OpeningLines) -> bool {
    let tokens = |text: &str| text.len() as u64;
    let messages = Messages::new(&tokens);
    messages.add(message);
    let table = messages.table();
    let mut index = AtomIndex::of([atom.clone()], opening.clone());
    index.read(&table);
    let places = index.places(atom, &table);
    places.pieces(message.is_answer()).iter().next().is_some() || !places.messages().is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_index_finds_what_a_search_finds(
        parts in prop::collection::vec(0..PARTS.len(), 1..10),
        range in (0..10_usize, 1..7_usize),
        kind in 0..6_usize,
        is_answer in any::<bool>(),
    ) {
        let parts: Vec<&str> = parts.into_iter().map(|part| PARTS[part]).collect();
        let (start, length) = (range.0 % parts.len(), range.1);
        let inside = &parts[start..(start + length).min(parts.len())];
        let Some(atom) = atom_of(kind, &inside.concat()) else { return Ok(()) };
        let role = if is_answer { Role::Assistant } else { Role::Tool };
        let opening = OpeningLines::of([&Message::new(Role::User, "readLine\ngo")].into_iter());
        let message = Message::new(role, parts.concat());
        let is_found = atom.prepare_search().is_shown(&message, &opening);
        prop_assert_eq!(is_indexed(&atom, &message, &opening), is_found, "{:?} in {:?}", atom, parts.concat());
    }

    /// A line with its escapes and in another layout.
    #[test]
    fn the_index_finds_a_line_in_each_layout(words in prop::collection::vec("[a-z]{1,9}", 2..9), tab in 0..9_usize) {
        let mut line = words.join(" ");
        if let Some(at) = line.match_indices(' ').map(|(at, _)| at).nth(tab) {
            line.replace_range(at..=at, "\t");
        }
        let opening = OpeningLines::default();
        let atom = Atom::Line(line.as_str().into());
        for text in [line.clone(), json!({ "text": format!("{line}\nend") }).to_string(), format!("12\t{line}"), words.join("  ")] {
            let message = Message::new(Role::Tool, text.clone());
            prop_assert!(atom.prepare_search().is_shown(&message, &opening), "{line:?} in {text:?}");
            prop_assert!(is_indexed(&atom, &message, &opening), "{line:?} in {text:?}");
        }
    }
}

#[test]
fn a_name_is_shown_by_the_ends_of_a_longer_one_and_not_by_its_middle() {
    let opening = OpeningLines::default();
    let shows = |text: &str, name: &str| {
        let (atom, message) = (Atom::of_text(name).unwrap(), Message::new(Role::Tool, text));
        assert_eq!(
            atom.prepare_search().is_shown(&message, &opening),
            is_indexed(&atom, &message, &opening),
            "{text} {name}"
        );
        is_indexed(&atom, &message, &opening)
    };
    for (text, name) in [
        ("readLineOf", "readLine"),
        ("mustReadLines", "ReadLine"),
        ("my_read_line", "read_line"),
        ("tree-sitters", "tree-sitter"),
        ("readLine-old", "readLine"),
        ("src/my-file-12-code", "src/my-file"),
    ] {
        assert!(shows(text, name), "{text} {name}");
    }
    for (text, name) in [("mustReadLineOf", "ReadLine"), ("reader", "read"), ("treesitter", "tree-sitter")] {
        assert!(!shows(text, name), "{text} {name}");
    }
}

#[test]
fn an_absolute_path_needs_its_root() {
    let path = "/home/ada/shop/src/cart/total.rs";
    let lacks = |shown: &str| lacking_after(path, shown, &[json!(format!("SAYS See {path} now."))]);
    assert_eq!(lacks("ada/shop and src/cart/total.rs"), [path]);
    assert_eq!(lacks("shop/src/cart and total.rs"), [path]);
    assert_eq!(lacks("cd /home/ada/shop and src/cart/total.rs"), [""; 0]);
    assert_eq!(lacks("/home/ada/shop/src/cart/list.rs has what total.rs has"), [""; 0]);
}

#[test]
fn prose_is_no_style_of_a_name_with_capitals() {
    let lacks =
        |name: &str, shown: &str| lacking_after(name, shown, &[json!(format!("SAYS See {name} now."))]);
    assert_eq!(lacks("latePayment", "a late payment"), ["latePayment"]);
    assert_eq!(lacks("latePayment", "late_payment"), [""; 0]);
    assert_eq!(lacks("late_payment", "a late payment"), [""; 0]);
}

#[test]
fn a_line_of_common_words_shows_nothing_of_its_neighbour() {
    let line = "settle_order(row_8, hold_7) and report that";
    let lacks = |neighbour: &str| {
        let text = format!("{neighbour}\n{line}");
        lacking_after(&text, &format!("{neighbour}\nrow_8 hold_7 settle_order"), &[json!({ "text": text })])
    };
    assert_eq!(lacks("take row_9 and the sum of all old orders there"), [""; 0]);
    assert_eq!(lacks("take the sum of all old orders there"), [line]);
}

#[test]
fn an_apostrophe_hides_nothing_of_a_command() {
    let again = |command: &str| {
        needed_after("so", &[json!({ "text": "row_8" }), json!(["sh", { "command": command }])])
    };
    for search in ["grep 'row_8 | x'", "grep \"row_8; it's\" | head", "grep row_8 # don't"] {
        assert_eq!(again(search), [""; 0], "{search}");
    }
    for other in ["echo don't | mend row_8 | echo don't", "echo \\' | mend row_8 '"] {
        assert_eq!(again(other), ["row_8"], "{other}");
    }
}

#[test]
fn public_tools_are_known() {
    let told = "LangSmith tau-bench SWE-bench GitHub Claude Code rowSmith";
    assert_eq!(
        needed_after(told, &[json!("SAYS As LangSmith and `tau-bench` say, rowSmith is on GitHub.")]),
        ["rowSmith"]
    );
    assert_eq!(needed_after(told, &[json!("SAYS I use Claude Code for this, and rowSmith.")]), ["rowSmith"]);
}

#[test]
fn conventions_lead_from_one_name_to_another() {
    let lacks = |name: &str, shown: &str| lacking_after(name, shown, &[json!({ "text": name })]);
    for (name, shown) in [
        ("certificate_8544743", "Certificate 8544743"),
        ("gift_card_6276644", "Gift Card 6276644"),
        ("json:\"row_path,omitempty\"", "RowPath string `json:\"id,omitempty\"`"),
        ("core/row-session.js", "src/core/row-session.ts"),
        ("rows/explain_test.go", "rows/explain.go"),
        ("rowName :=", "rowName = 1"),
    ] {
        assert_eq!(lacks(name, shown), [""; 0], "{name}");
        assert!(!lacks(name, "something else").is_empty(), "{name}");
    }
    assert!(!lacks("certificate_8544743", "Certificate 8544744").is_empty());
    assert!(!lacks("row_123", "Row 123").is_empty());
}

#[test]
fn a_longer_name_is_no_source() {
    let text = |text: &str| [json!({ "text": text })];
    assert_eq!(needed_after("has_old_rows old_rows old_row_list", &text("old_row")), [""; 0]);
    assert_eq!(needed_after("has_old_rows old_row", &text("old_row")), ["old_row"]);
}
