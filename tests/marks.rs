//! The blocks into which requests are cut, and what is cached of them with a mark at every border.

use std::fs;

use ptc_eval::agent::{Message, Native, NativeCall, Role};
use ptc_eval::compression::RequestBorder;
use ptc_eval::evaluate::{Plan, ReplayedScenario, replay};
use ptc_eval::report::{Gauges, ScenarioRecord};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_prices::{Border, Price};
use ptc_tokens::Tokenizer;

use Border::{Definitions, Last, Opening, System};

const SCENARIO: &str = "mission: Add\nresponses: [{program: (def x 1)}, {program: (return 1)}]\n";
/// Its calls, results and images are native.
const TRANSCRIPT: &str = r#"{"system": "You help.", "tools": [{"name": "search", "parameters": {"type": "object"}}],
 "messages": [
   {"role": "user", "content": "A flight, please.\n[image]", "images": 1},
   {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "search", "arguments": {"to": "OSL"}}]},
   {"role": "tool", "call": "c1", "content": "two flights"},
   {"role": "assistant", "content": "", "tool_calls": [{"id": "c2", "name": "search", "arguments": {"to": "BGO"}}]},
   {"role": "tool", "call": "c2", "content": "no flight"},
   {"role": "assistant", "content": "There are two flights."}]}"#;

fn replayed(file: &str, text: &str, strategy: &str) -> ReplayedScenario {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.yaml"), "image_tokens: 100").unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let suite = Suite::open(folder.path(), Known::default()).unwrap();
    let plan = Plan::new(&suite, &[(strategy.to_owned(), JsonOptions::default())]).unwrap();
    let scenario = suite.scenarios(&Selection::default()).unwrap().next().unwrap().unwrap();
    replay(scenario, &plan, &|_| 0).unwrap()
}

/// Writing costs less than input, so every border is marked.
fn measured(result: &ReplayedScenario, warm_system: bool) -> ScenarioRecord {
    let row = "{model: m, date: 2026-11-01, source: s, input: 4, read: 1, write: 2, output: 10, \
               cache: {breakpoints: {marks: 8, minimum: 1}}}";
    let models: [Price; 1] = [serde_yaml::from_str(row).unwrap()];
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    result.measure(0, &Gauges { tokenizer: &tokenizer, models: &models, logged: None, warm_system })
}

/// Input, cached and written tokens of each request.
fn numbers(record: &ScenarioRecord) -> Vec<(u32, u32, u32)> {
    let requests = &record.strategies[0].requests;
    requests.iter().map(|r| (r.input_tokens, r.bills[0].cached_tokens, r.bills[0].written_tokens)).collect()
}

fn count(text: &str) -> u32 {
    Tokenizer::named("o200k_base").unwrap().count(text)
}

/// Each request begins with the whole one before, native calls, results and images included.
#[test]
fn whole_messages_are_found_again() {
    for (file, text) in [("a.yaml", SCENARIO), ("a.transcript.json", TRANSCRIPT)] {
        let found = numbers(&measured(&replayed(file, text, "full-history"), false));
        let mut before = 0;
        for (input, cached, written) in found {
            assert_eq!((cached, cached + written), (before, input - 3));
            before = input - 3;
        }
    }
}

#[test]
fn a_warm_run_finds_system_and_tools() {
    let result = replayed("a.transcript.json", TRANSCRIPT, "full-history");
    let tools = &result.scenario.logged().unwrap().conversation.tools;
    let expected = count("You help.") + 4 + tools.iter().map(|tool| count(tool)).sum::<u32>();
    assert!(expected > 10);
    let [first, ..] = numbers(&measured(&result, true))[..] else { panic!("no request") };
    assert_eq!((first.1, first.1 + first.2), (expected, first.0 - 3));
    let record = measured(&result, true);
    let costs = record.strategies[0].other_costs[0];
    let sum = record.strategies[0].requests.iter().map(|request| request.bills[0].cost).sum();
    assert_eq!(costs.warm, sum);
    assert_eq!(costs.cold.exact() - costs.warm.exact(), 1_000_000 * u128::from(expected));
}

/// The lists of the second request begin like those of the first.
#[test]
fn a_border_cuts_a_message() {
    let opening = "Do it, with care.\n\n";
    let list = ";; === user/ ===\nx ; = 1\n\n";
    let mut result = replayed("a.yaml", SCENARIO, "full-history");
    let system = result.strategies[0].requests[0].messages[0].clone();
    let before = count(&system.content) + 4;
    let inside = |kind, bytes: usize| RequestBorder { kind, messages: 1, bytes: bytes as u32 };
    let ends = ["Turns left: 2", "Turns left: 1"];
    for (request, end) in result.strategies[0].requests.iter_mut().zip(ends) {
        let content = format!("{opening}{list}{end}");
        request.messages = vec![system.clone(), Message::new(Role::User, content)];
        request.borders = vec![
            RequestBorder::after(System, 1),
            inside(Opening, opening.len()),
            inside(Definitions, opening.len() + list.len()),
            RequestBorder::after(Last, 2),
        ];
    }
    let shared = before + 4 + count(opening) + count(list);
    let found = numbers(&measured(&result, false));
    assert_eq!((found[1].0, found[1].1), (shared + count(ends[1]) + 3, shared));

    // With another list, the opening is left.
    let other = format!("{opening};; === user/ ===\ny ; = 2\n\n{}", ends[1]);
    result.strategies[0].requests[1].messages[1] = Message::new(Role::User, other);
    assert_eq!(numbers(&measured(&result, false))[1].1, before + 4 + count(opening));

    // The same text with another role is another block.
    let content = result.strategies[0].requests[0].messages[1].content.clone();
    result.strategies[0].requests[1].messages[1] = Message::new(Role::Assistant, content);
    assert_eq!(numbers(&measured(&result, false))[1].1, before);

    // The images of a message count with its first block.
    for (request, end) in result.strategies[0].requests.iter_mut().zip(ends) {
        let text = format!("{opening}{list}{end}");
        request.messages[1] = Message { image_tokens: 70, ..Message::new(Role::User, text) };
    }
    assert_eq!(numbers(&measured(&result, false))[1].1, shared + 70);
}

/// A call with other arguments is another message.
#[test]
fn native_fields_tell_messages_apart() {
    let cached = |change: fn(&mut Message)| {
        let mut result = replayed("a.transcript.json", TRANSCRIPT, "full-history");
        let index = result.strategies[0].requests[0].messages.len();
        change(&mut result.strategies[0].requests[2].messages[index]);
        let found = numbers(&measured(&result, false));
        (found[2].1, found[0].0 - 3, found[1].0 - 3)
    };
    let (same, _, whole) = cached(|_| {});
    assert_eq!(same, whole);
    let (with_other_call, first, _) = cached(|message| {
        let other = NativeCall { id: "c1".into(), name: "search".into(), arguments: "{}".into() };
        message.native = Some(Native::Calls(vec![other]).into());
    });
    assert_eq!(with_other_call, first);
}
