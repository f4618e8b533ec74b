//! The text of each section under `single-user-coalesced`, and when it is left out.

use super::story::*;
use ptc_eval::agent::{MessagePart, ToolCall};
use ptc_eval::signature::Shape;
use ptc_lisp::builtins;
use ptc_lisp::value::{Function, Value};

/// The second request of a run after this turn.
fn after_one(turn: Told) -> String {
    Story::plain(vec![turn]).summary()
}

/// The line in `user/` of a definition in a run without prints.
fn user_line(definition: ptc_lisp::memory::Definition) -> String {
    let summary = after_one(ok("").defines(vec![definition]));
    let (section, _) = summary.split_once("\n\n").unwrap();
    section.strip_prefix(";; === user/ (your prelude) ===\n").unwrap().to_string()
}

/// FMT-001…FMT-005, FMT-011, FMT-012, FMT-014, FMT-015, MSG-003, MSG-004, ARC-009, NS-008, S1-08, S2-11
#[test]
fn all_sections_stand_in_order_joined_by_one_blank_line() {
    let turn = ok("…")
        .defines(vec![
            value("electronics", products(4)),
            returning(documented(function("pricey?", &["[p]"]), "Costs over 100"), &Value::Bool(true)),
        ])
        .calls(vec![call("search-reviews", vec![Value::from("Electronics")])])
        .prints(&["Found 5 matching products"]);
    let story = Story::of(shop_agent(), vec![turn]);
    assert_eq!(
        story.messages("single-user-coalesced"),
        r#"[user]
Find well-reviewed products in stock

;; === tool/ ===
tool/get-inventory() -> :map
tool/search-reviews(query :string) -> :string  ; Customer reviews for a category

;; === data/ ===
data/products                 ; list[7], sample: {:name "Laptop", :price 1200, :category "Electronics"}

;; Return: [{name :string}]

;; === user/ (your prelude) ===
(pricey? [p])                 ; "Costs over 100" -> boolean
electronics                   ; = list[4]

;; Tool calls made:
;   search-reviews("Electronics")

;; Output:
Found 5 matching products

Turns left: 4"#
    );
}

/// FMT-016, S2-23, S3-10, S4-02, S4-06: `Message::parts` returns the start of each part.
#[test]
fn parts_begin_where_the_message_says() {
    let turn = ok("").defines(vec![value("x", Value::Int(1))]).prints(&["seen"]);
    let story = Story::of(shop_agent(), vec![turn, failed("(oops)", "no")]);
    let rendered = story.last(&named("single-user-coalesced"));
    let message = rendered.messages.last().unwrap();
    let begins: Vec<(MessagePart, &str)> = message
        .parts
        .iter()
        .map(|(part, start)| (*part, message.content[*start as usize..].lines().next().unwrap()))
        .collect();
    assert_eq!(
        begins,
        vec![
            (MessagePart::Mission, "Find well-reviewed products in stock"),
            (MessagePart::Tool, ";; === tool/ ==="),
            (MessagePart::Data, ";; === data/ ==="),
            (MessagePart::Return, ";; Return: [{name :string}]"),
            (MessagePart::User, ";; === user/ (your prelude) ==="),
            (MessagePart::Calls, ";; No tool calls made"),
            (MessagePart::Output, ";; Output:"),
            (MessagePart::Error, "---"),
            (MessagePart::TurnsLeft, "Turns left: 3"),
        ]
    );
}

/// NS-010, S2-15, S4-04: without a successful turn there is no summary at all.
#[test]
fn first_request_has_mission_and_turns_left_only() {
    let story = Story::plain(vec![]);
    assert_eq!(story.messages("single-user-coalesced"), "[user]\nDo it\n\nTurns left: 5");
}

/// FMT-004: tools without signature, and with no description.
#[test]
fn tools_are_listed_with_what_is_known_of_them() {
    let mut agent = agent();
    agent.tools = vec![
        tool("a", None, Some("Does something")),
        tool("b", Some(signature(vec![field("x", Shape::Int), field("y", Shape::Any)], Shape::Bool)), None),
    ];
    let text = Story::of(agent, vec![]).messages("single-user-coalesced");
    assert_eq!(
        text,
        "[user]\nDo it\n\n;; === tool/ ===\ntool/a(...) -> :any  ; Does something\n\
         tool/b(x :int, y :any) -> :bool\n\nTurns left: 5"
    );
}

/// FMT-005: `data/` always has samples, also after prints; not where there is nothing to show.
#[test]
fn data_shows_types_and_samples() {
    let mut agent = agent();
    agent.data = bindings(vec![
        ("a-name-that-is-longer-than-the-column", Value::Int(1)),
        ("category", Value::from("Electronics")),
        ("none", Value::Nil),
        ("nothing", Value::vector(vec![])),
        ("numbers", ints(1..=9)),
    ]);
    let text = Story::of(agent, vec![ok("").prints(&["seen"])]).summary();
    assert_eq!(
        text,
        r#";; === data/ ===
data/a-name-that-is-longer-than-the-column ; integer, sample: 1
data/category                 ; string, sample: "Electronics"
data/none                     ; nil
data/nothing                  ; list[0]
data/numbers                  ; list[9], sample: [1 2 3 ...] (9 items, showing first 3)

;; No tool calls made

;; Output:
seen"#
    );
}

/// FMT-006…FMT-008, PRE-003
#[test]
fn functions_show_parameters_docstring_and_return_type() {
    let plain = || function("f", &["[a & rest]"]);
    assert_eq!(user_line(plain()), "(f [a & rest])");
    assert_eq!(user_line(returning(plain(), &ints(1..=3))), "(f [a & rest]) -> list[3]");
    assert_eq!(user_line(documented(plain(), "Sums")), r#"(f [a & rest])                ; "Sums""#);
    assert_eq!(
        user_line(returning(documented(plain(), "Sums"), &Value::Int(1))),
        r#"(f [a & rest])                ; "Sums" -> integer"#
    );
    assert_eq!(
        user_line(function("g", &["[a]", "[{:keys [x y]} [[k v]]]"])),
        "(g [a] [{:keys [x y]} [[k v]]])"
    );
}

/// FMT-009, FMT-010, DEF-003…DEF-005, TRN-002, S1-13, SAM-001, SAM-003
#[test]
fn values_show_type_sample_and_docstring() {
    let long = "x".repeat(99);
    let cut = format!("x{:29}; = string, sample: \"{}...\"", "", "x".repeat(80));
    assert_eq!(user_line(value("x", Value::Int(1))), "x                             ; = integer, sample: 1");
    assert_eq!(user_line(value("x", Value::from(long.as_str()))), cut);
    assert_eq!(user_line(value("x", Value::Nil)), "x                             ; = nil");
    assert_eq!(user_line(value("x", Value::vector(vec![]))), "x                             ; = list[0]");
    assert_eq!(
        user_line(documented(value("x", products(4)), "In stock")),
        "x                             ; \"In stock\" = list[4], sample: \
         {:name \"Laptop\", :price 1200, :category \"Electronics\"}"
    );
}

/// Characters are code points, and a long name keeps one space.
#[test]
fn names_are_padded_to_column_thirty() {
    let line = |name: &str| user_line(value(name, Value::Nil));
    assert_eq!(line(&"é".repeat(28)), format!("{}  ; = nil", "é".repeat(28)));
    assert_eq!(line(&"n".repeat(29)), format!("{} ; = nil", "n".repeat(29)));
    assert_eq!(line(&"n".repeat(30)), format!("{} ; = nil", "n".repeat(30)));
    assert_eq!(line(&"n".repeat(40)), format!("{} ; = nil", "n".repeat(40)));
}

/// A closure counts as function; any other function is a value of type `fn` without sample.
#[test]
fn builtins_are_values() {
    let inc = builtins::all().next().map(|builtin| Value::Function(Function::Builtin(builtin)));
    if let Some(builtin) = inc {
        assert_eq!(user_line(value("f", builtin)), "f                             ; = fn");
    }
    let tool = Value::Function(Function::Tool(ptc_lisp::symbol::Symbol::new("search")));
    assert_eq!(user_line(value("t", tool)), "t                             ; = fn");
}

/// DEF-001, DEF-002, DEF-008, DEF-009, NS-003, NS-011, S1-05, S2-17: functions first, each group in order
/// of first definition, and the latest value wins.
#[test]
fn definitions_accumulate_and_the_latest_wins() {
    let story = Story::plain(vec![
        ok("").defines(vec![
            value("b", Value::Int(1)),
            function("g", &["[]"]),
            documented(value("a", Value::Int(1)), "Old"),
        ]),
        ok("").defines(vec![value("a", Value::from("new")), function("f", &["[x]"]), value("c", Value::Nil)]),
    ]);
    assert_eq!(
        story.summary(),
        r#";; === user/ (your prelude) ===
(g [])
(f [x])
b                             ; = integer, sample: 1
a                             ; = string, sample: "new"
c                             ; = nil

;; No tool calls made"#
    );
}

/// SAM-002, S1-09, S2-18, S3-20, FMT-017: after any print, no definition has a sample.
#[test]
fn samples_or_output_not_both() {
    let definition = || vec![value("x", Value::Int(1))];
    let story = Story::plain(vec![ok("").prints(&["seen"]), ok("").defines(definition())]);
    assert_eq!(
        story.summary(),
        ";; === user/ (your prelude) ===\nx                             ; = integer\n\n\
         ;; No tool calls made\n\n;; Output:\nseen"
    );
    // What a failed turn printed is shown nowhere, so samples stay (FMT-017).
    let story = Story::plain(vec![failed("(oops)", "no").prints(&["lost"]), ok("").defines(definition())]);
    assert_eq!(
        story.summary(),
        ";; === user/ (your prelude) ===\nx                             ; = integer, sample: 1\n\n\
         ;; No tool calls made"
    );
}

/// FMT-012, AMB-007, TC-003, TRN-003, S3-08: equal calls are not folded.
#[test]
fn calls_show_their_arguments() {
    let calls = vec![
        call("list-bins", vec![]),
        call("find-stock", vec![Value::from("N4"), Value::Int(3)]),
        named_call("find-stock", map(vec![(":bin", Value::from("N4"))])),
        named_call("list-bins", map(vec![])),
        call("sum", vec![ints(1..=4)]),
        call("say", vec![Value::from("x".repeat(61).as_str())]),
        call("list-bins", vec![]),
        call("list-bins", vec![]),
    ];
    let expected = format!(
        r#";; Tool calls made:
;   list-bins()
;   find-stock("N4", 3)
;   find-stock({{:bin "N4"}})
;   list-bins()
;   sum([1 2 3 ...] (4 items, showing first 3))
;   say("{}...")
;   list-bins()
;   list-bins()"#,
        "x".repeat(60)
    );
    assert_eq!(after_one(ok("").calls(calls)), expected);
}

/// FMT-013, S2-15: only if no turn made a call, and only after a success.
#[test]
fn no_tool_calls_made_is_said_only_when_true() {
    assert_eq!(after_one(ok("")), ";; No tool calls made");
    let caller = || failed("(tool/a)", "no").calls(vec![call("a", vec![])]);
    assert_eq!(Story::plain(vec![caller(), ok("")]).summary(), "");
    assert!(!Story::plain(vec![failed("(oops)", "no")]).summary().contains("No tool calls"));
}

/// TC-004, TC-006, AMB-005, S3-18: an uncaptured result is shown if nothing was printed.
#[test]
fn loose_results_are_shown_when_nothing_was_printed() {
    let failure = ToolCall { error: Some("down".to_string()), ..loose_call("d", vec![], Value::Nil) };
    let calls = vec![
        loose_call("a", vec![], products(5)),
        loose_call("b", vec![], Value::Nil),
        ToolCall { result: Value::Int(7), ..call("c", vec![]) },
        failure,
    ];
    assert_eq!(
        after_one(ok("").calls(calls.clone())),
        r#";; Tool calls made:
;   a() -> list[5], sample: {:name "Laptop", :price 1200, :category "Electronics"}
;   b() -> nil
;   c()
;   d()"#
    );
    assert_eq!(
        after_one(ok("").calls(calls).prints(&["seen"])),
        ";; Tool calls made:\n;   a()\n;   b()\n;   c()\n;   d()\n\n;; Output:\nseen"
    );
}

/// FMT-015, FMT-018, TRN-007: prints are shown unchanged.
#[test]
fn output_is_shown_as_it_was_printed() {
    let long = "y".repeat(500);
    let prints = ["one\ntwo", "", ";; === data/ ===", "Turns left: 9", long.as_str()];
    let expected =
        format!(";; No tool calls made\n\n;; Output:\none\ntwo\n\n;; === data/ ===\nTurns left: 9\n{long}");
    assert_eq!(after_one(ok("").prints(&prints)), expected);
}

/// FMT-017, TC-001, TC-002, TC-007, TRN-010, AMB-008, S2-16, S3-27: the newest, over turns, oldest first.
#[test]
fn limits_keep_the_newest() {
    let turn = |name: &str| {
        let calls = (0..2).map(|index| call(name, vec![Value::Int(index)])).collect();
        ok("").calls(calls).prints(&[format!("{name}0"), format!("{name}1")])
    };
    let middle = failed("(oops)", "no").calls(vec![call("lost", vec![])]).prints(&["lost"]);
    let story = Story::plain(vec![turn("a"), middle, turn("b"), ok("")]);
    let limited = |calls: i64, prints: i64| {
        let variant = named("single-user-coalesced").with("tool_call_limit", calls).unwrap();
        story.middle(&variant.with("println_limit", prints).unwrap())
    };
    assert_eq!(limited(3, 1), ";; Tool calls made:\n;   a(1)\n;   b(0)\n;   b(1)\n\n;; Output:\nb1");
    assert_eq!(limited(1, 3), ";; Tool calls made:\n;   b(1)\n\n;; Output:\na1\nb0\nb1");
    assert_eq!(limited(0, 0), "");
}

/// API-004, API-005, S4-10, TC-002, TRN-010: without any option, the newest 20 calls and 15 prints.
#[test]
fn limits_hold_by_default() {
    let calls = (1..=21).map(|index| call("a", vec![Value::Int(index)])).collect();
    let prints: Vec<String> = (1..=16).map(|index| format!("print {index}")).collect();
    let rendered =
        Story::plain(vec![ok("").calls(calls).prints(&prints)]).last(&named("single-user-coalesced"));
    let text = &rendered.messages[1].content;
    assert!(text.contains(";; Tool calls made:\n;   a(2)\n") && text.contains("\n;   a(21)\n"), "{text}");
    assert!(text.contains(";; Output:\nprint 2\n") && text.contains("\nprint 16\n"), "{text}");
    let statistics = rendered.statistics;
    assert_eq!((statistics.tool_calls_shown, statistics.tool_calls_dropped), (20, 1));
    assert_eq!((statistics.printlns_shown, statistics.printlns_dropped), (15, 1));
}

/// TRN-006: a print of thirty lines counts once.
#[test]
fn limits_count_prints_not_lines() {
    let long = (1..=30).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
    let story = Story::plain(vec![ok("").prints(&["gone", long.as_str(), "last"])]);
    let limited = named("single-user-coalesced").with("println_limit", 2i64).unwrap();
    assert_eq!(story.middle(&limited), format!(";; No tool calls made\n\n;; Output:\n{long}\nlast"));
}

/// ERR-001…ERR-005, AMB-011, CMP-002, S0-01, S3-11, S3-19, S3-28, S4-09
#[test]
fn only_the_newest_error_is_shown_and_only_until_a_success() {
    let good = || ok("").defines(vec![value("x", Value::Int(1))]);
    let block = "---\nYour previous attempt:\n```clojure\n(second)\n```\n\nError: two\n---";
    let story = Story::plain(vec![failed("(first)", "one"), failed("(second)", "two")]);
    assert_eq!(story.summary(), block);
    let story = Story::plain(vec![failed("(first)", "one"), good()]);
    assert!(!story.summary().contains("---"));
    let story = Story::plain(vec![good(), failed("(first)", "one"), good(), failed("(second)", "two")]);
    assert_eq!(
        story.summary(),
        format!(
            ";; === user/ (your prelude) ===\nx                             ; = integer, sample: 1\n\n\
             ;; No tool calls made\n\n{block}"
        )
    );
}

/// A response without a program is shown itself, cut to 500 characters.
#[test]
fn a_response_without_program_is_shown_as_text() {
    let failure = |response: &str| failed("", "no code").raw(response);
    assert_eq!(
        after_one(failure("I cannot.")),
        "---\nYour previous attempt:\n```text\nI cannot.\n```\n\nError: no code\n---"
    );
    let shown = |characters: usize| after_one(failure(&"é".repeat(characters)));
    assert!(shown(500).contains(&format!("\n{}\n", "é".repeat(500))));
    assert!(shown(501).contains(&format!("\n{}...\n", "é".repeat(500))));
}

/// MSG-005, AMB-003, S2-04, S2-14
#[test]
fn the_last_turn_is_announced() {
    let story = Story::plain(vec![ok(""); 4]);
    let last_line = |completed: usize| {
        let messages = story.after(&named("single-user-coalesced"), completed).messages;
        messages[1].content.lines().last().unwrap().to_string()
    };
    let expected = [
        "Turns left: 5",
        "Turns left: 4",
        "Turns left: 3",
        "Turns left: 2",
        "FINAL TURN - you must call (return result) or (fail reason) now.",
    ];
    assert_eq!([0, 1, 2, 3, 4].map(last_line), expected);
}

/// Options change samples of `user/` and of results; `data/` is the same in every request (ARC-012).
#[test]
fn sample_options_override() {
    let mut agent = agent();
    agent.data = bindings(vec![("d", ints(1..=3))]);
    let turn = ok("")
        .defines(vec![value("x", ints(1..=3)), value("y", Value::from("abcdef"))])
        .calls(vec![loose_call("a", vec![], ints(1..=3))]);
    let variant = named("single-user-coalesced").with("sample_limit", 2i64).unwrap();
    let text = Story::of(agent, vec![turn]).middle(&variant.with("sample_printable_limit", 4i64).unwrap());
    assert_eq!(
        text,
        r#";; === data/ ===
data/d                        ; list[3], sample: [1 2 3]

;; === user/ (your prelude) ===
x                             ; = list[3], sample: [1 2 ...] (3 items, showing first 2)
y                             ; = string, sample: "abcd..."

;; Tool calls made:
;   a() -> list[3], sample: [1 2 ...] (3 items, showing first 2)"#
    );
}
