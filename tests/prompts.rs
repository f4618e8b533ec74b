//! Texts around a run: programs found in answers, placeholders of missions, SYSTEM, observations.

use ecow::EcoString;
use ptc_eval::agent::extract::{program_in, response_with, without_blank_ends};
use ptc_eval::agent::feedback::{FINAL_TURN, feedback};
use ptc_eval::agent::{
    GeneratedPart, LanguageSpec, MessagePart, MissionExpander, ProgramTurn, PromptFrame, SystemPiece,
    SystemPrompt, Template, Work,
};
use ptc_lisp::builtin::Builtin;
use ptc_lisp::builtins;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::pr_str;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::session::{Bindings, Ended, Environment, NoTools, Session};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

#[test]
fn programs_are_found_in_answers() {
    let cases = [
        ("prose\n```clojure\n(+ 1 2)\n```\nmore", "(+ 1 2)"),
        ("```clj\n\n  (def a 1)\n\n```\n```text\n(no)\n```\n```lisp\na\n```", "  (def a 1)\n\n\na"),
        ("```\nnot code\n```\n```json\n(x)\n```", "(x)"),
        ("```\nnot code\n```\n(y)", ""),
        ("  (+ 1\n 2)  \n", "(+ 1\n 2)"),
        ("```clojure\n(never closed)", "(never closed)"),
        ("```clojure\r\n(a)\r\n```\r\n", "(a)"),
        ("\u{feff}```clojure\n42\n```", "42"),
        ("```clojure\n(println \"```\")\n``` \n", "(println \"```\")"),
        ("Say ```clojure (a)``` inline", ""),
        ("```(a)```\n```clojure\n(b)\n```", "(b)"),
        ("````clojure\n```\n(b)\n````", "```\n(b)"),
        ("```Clojure\n(b)\n```", "(b)"),
        ("```clojure\n\n```", ""),
        ("", ""),
        ("just words (really)", ""),
    ];
    for (response, program) in cases {
        let found = program_in(response).unwrap_or_default();
        assert_eq!(found, program, "{response:?}");
    }
}

#[test]
fn a_scripted_program_is_found_again() {
    assert_eq!(response_with("(a)\n\n"), "```clojure\n(a)\n\n```");
    assert_eq!(program_in(&response_with("(a)\n")).unwrap(), "(a)");
}

#[test]
fn blank_lines_go_from_both_ends() {
    let cases = [
        ("\n \n  a\n\nb  \n \n", "  a\n\nb  "),
        ("a", "a"),
        (" a ", " a "),
        (" \n ", ""),
        ("", ""),
        ("\r\na\r\n", "a"),
    ];
    for (text, kept) in cases {
        assert_eq!(without_blank_ends(text), kept, "{text:?}");
    }
}

/// BRK-003
#[test]
fn other_braces_stay() {
    let cases = [
        ("a {{x}} b {{ x }}", "a <x> b <x>"),
        ("{{{x}}}", "{<x>}"),
        ("{{two words}} {{}} {x} {{x}", "{{two words}} {{}} {x} {{x}"),
        ("{{ {{x}}", "{{ <x>"),
        ("{{:k}} {{{:a 1}}}", "{{:k}} {{{:a 1}}}"),
        ("{{", "{{"),
        ("é{{größe}}", "é<größe>"),
    ];
    for (text, expected) in cases {
        let filled = Template::new(text).fill(|name, _| Some(ecow::eco_format!("<{name}>")));
        assert_eq!(filled.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn a_missing_placeholder_names_its_place() {
    let error = Template::new("ok {{a}}\né {{b}}").fill(|name, _| (name == "a").then(EcoString::new));
    let error = error.unwrap_err();
    assert_eq!((error.name.as_str(), error.line, error.column), ("b", 2, 3));
    assert_eq!(error.to_string(), "no data for the placeholder {{b}} at line 2, column 3; there is no data");
}

#[test]
fn values_of_placeholders_are_bounded_in_all() {
    let text = "{{a}} ".repeat(17) + "{{b}}";
    let mebibyte = EcoString::from("é".repeat(1 << 19));
    let of = |count: usize| Template::new(&text[..6 * count]).fill(|_, _| Some(mebibyte.clone()));
    assert_eq!(of(16).unwrap().len(), (16 << 20) + 16);
    let message =
        "the placeholder {{a}} at line 1, column 97 makes the text longer by more than 16777216 bytes";
    assert_eq!(of(17).unwrap_err().to_string(), message);
    let asked = std::cell::RefCell::new(Vec::new());
    let ask = |name: &str, bytes: usize| {
        asked.borrow_mut().push(bytes);
        Some(EcoString::from(name))
    };
    assert_eq!(Template::new("{{abc}}{{d}}").fill(ask).as_deref(), Ok("abcd"));
    assert_eq!(*asked.borrow(), [16 << 20, (16 << 20) - 3]);
}

/// BRK-006
#[test]
fn placeholders_print_as_str_does() {
    let data: Bindings = [
        ("category", Value::str("Toys")),
        ("limit", Value::Nil),
        ("max-price", Value::float(2.0)),
        ("tags", Value::vector(vec![Value::str("a"), Value::keyword("b")])),
    ]
    .into_iter()
    .map(|(name, value)| (Symbol::new(name), value))
    .collect();
    let expander = MissionExpander::new(&data);
    let mission = "\n\nFind {{category}}{{limit}} under {{max_price}} {{tags}}\n";
    assert_eq!(expander.expand(mission).unwrap(), "Find Toys under 2.0 [\"a\" :b]");
    assert_eq!(
        expander.expand("{{categry}}").unwrap_err().to_string(),
        "no data for the placeholder {{categry}} at line 1, column 1; there is data for category, \
         limit, max-price, tags"
    );
}

fn work(number: u32, prints: &[&str]) -> Work {
    Work { number, prints: prints.iter().map(|text| (*text).into()).collect(), ..Work::default() }
}

#[test]
fn result_output_and_turn_line() {
    let turn = ProgramTurn::of_success(work(1, &["a", "b\nc"]), Value::str("x"), Memory::default());
    let message = feedback(&turn, 5);
    assert_eq!(message.content, "Result: \"x\"\n\n;; Output:\na\nb\nc\n\nTurn 2 of 5");
    assert_eq!(&*message.parts, [(MessagePart::Output, 13), (MessagePart::TurnsLeft, 31)]);
}

#[test]
fn error_and_final_turn() {
    let error = Error::new(ErrorKind::UndefinedSymbol, "undefined symbol 'y'");
    let turn = ProgramTurn::of_failure(work(4, &[]), error, Memory::default());
    let message = feedback(&turn, 5);
    assert_eq!(message.content, format!("Error: undefined symbol 'y'\n\n{FINAL_TURN}"));
    assert_eq!(&*message.parts, [(MessagePart::Error, 0), (MessagePart::TurnsLeft, 29)]);
}

/// BRK-005, MIG-004
#[test]
fn prefix_and_suffix_stand_a_blank_line_apart() {
    let frame = PromptFrame {
        prefix: Some("\n\nBe careful.\n".into()),
        suffix: Some(" \n".into()),
        ..PromptFrame::default()
    };
    let framed = SystemPrompt::frame_prompt(&frame);
    assert_eq!(framed, format!("Be careful.\n\n{}", SystemPrompt::text()));
    assert_eq!(SystemPrompt::frame_prompt(&PromptFrame::default()), SystemPrompt::text());
    assert!(framed.ends_with("the result."));
}

/// It is sent with every request of every strategy.
#[test]
fn the_text_is_short() {
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(SystemPrompt::text()).len();
    assert!(tokens <= 1_800, "{tokens} tokens");
}

/// The lines of the fenced blocks of a text.
fn code(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside {
            lines.push(line);
        }
    }
    lines
}

/// BRK-007
#[test]
fn every_example_is_true() {
    let mut session = Session::new(Environment::default(), Limits::default());
    let mut checked = 0;
    for (line, turn) in code(LanguageSpec::text()).into_iter().zip(1..) {
        let (expression, expected) = line.split_once(";=>").expect("an example has a value");
        let outcome = session.run("example", expression, turn, &mut NoTools);
        let Ended::Value(value) = outcome.ended else { panic!("{line}: {:?}", outcome.ended) };
        assert_eq!(pr_str(&value), expected.trim(), "{line}");
        session.commit(Some(value));
        checked += 1;
    }
    assert!(checked > 20);
}

/// The names between backquotes in the lists of the text.
fn names(text: &str) -> Vec<&str> {
    let listed = text.split("## What is there").nth(1).and_then(|rest| rest.split("\n## ").next());
    let spans = listed.expect("the list of names").split('`').skip(1).step_by(2);
    spans.flat_map(|span| span.split(['(', ')', ' '])).filter(|name| name.len() > 1).collect()
}

fn exists(name: &str) -> bool {
    if ["clojure.core", "clojure.string"].contains(&name)
        || SPECIAL_FORMS.iter().any(|form| form.name == name)
    {
        return true;
    }
    let mut session = Session::new(Environment::default(), Limits::default());
    let outcome = session.run("name", name, 1, &mut NoTools);
    matches!(outcome.ended, Ended::Value(_))
}

#[test]
fn every_name_in_it_exists() {
    let unknown: Vec<&str> = names(LanguageSpec::text()).into_iter().filter(|name| !exists(name)).collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

/// Models try these from habit, so the prompt need not grow.
const UNMENTIONED: &str = "Patterns of dates and periods";

#[test]
fn every_family_of_builtins_is_mentioned() {
    let text = LanguageSpec::text();
    let is_mentioned = |row: &&Builtin| {
        text.match_indices(row.name).any(|(at, name)| {
            let around = [text[..at].chars().next_back(), text[at + name.len()..].chars().next()];
            around.iter().flatten().all(|c| !(c.is_alphanumeric() || "-?!*>".contains(*c)))
        })
    };
    let silent = builtins::FAMILIES.iter().filter(|family| !family.rows.iter().any(is_mentioned));
    assert_eq!(silent.map(|family| family.title).collect::<Vec<_>>(), [UNMENTIONED]);
}

#[test]
fn the_example_of_an_answer_runs() {
    let text = SystemPrompt::text();
    let answer = text.split_once("# How to answer").expect("the answer format").1;
    let mut session = Session::new(Environment::default(), Limits::default());
    let outcome = session.run("example", &code(answer).join("\n"), 1, &mut NoTools);
    assert!(matches!(outcome.ended, Ended::Value(_)), "{:?}", outcome.ended);
    assert_eq!(outcome.prints, ["rows: 2"]);
}

/// The default is the static text, byte for byte, and pieces join to the text that they are of.
#[test]
fn placeholders_stand_for_the_generated_parts() {
    assert_eq!(
        SystemPrompt::fill_template("\n{{language}}\n\n{{ answer_format }}\n").unwrap(),
        SystemPrompt::text()
    );
    let own = SystemPrompt::fill_template("A {{:a 1}\n{{answer_format}}\n\nB").unwrap();
    let [
        SystemPiece::Lines("A {{:a 1}"),
        SystemPiece::Generated(GeneratedPart::AnswerFormat),
        SystemPiece::Lines("\nB"),
    ] = SystemPrompt::split_pieces(&own)[..]
    else {
        panic!("{:?}", SystemPrompt::split_pieces(&own));
    };
    assert_eq!(SystemPrompt::fill_template("{{languages}}").unwrap_err().name, "languages");
    // Within a line it is text of the user.
    let inline = format!("Say {}", GeneratedPart::Language.text());
    assert_eq!(SystemPrompt::split_pieces(&inline), [SystemPiece::Lines(&inline)]);
}
