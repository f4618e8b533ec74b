//! Strategies on recorded conversations: providers accept every request, and no words of people are lost.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy as _, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::json;

use super::story::named;
use agent_logs::Transcript;
use ptc_eval::agent::LoggedConversation;
use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::{STRATEGIES, Variant, history_of};

/// Tokens are words, so that a reader can count them.
pub(super) fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

pub(super) fn read(value: serde_json::Value) -> LoggedConversation {
    LoggedConversation::new(&serde_json::from_value::<Transcript>(value).unwrap(), 0, None)
}

fn requests(recording: &LoggedConversation, variant: &Variant<'_>) -> Vec<Vec<Message>> {
    let history = history_of(recording.past(), &words);
    let turns = recording.conversation.turns.len();
    (0..turns).map(|completed| variant.render(&history.after(completed)).unwrap().messages).collect()
}

pub(super) fn text(messages: &[Message]) -> String {
    let line = |message: &Message| {
        let calls: Vec<String> = message
            .calls()
            .iter()
            .map(|call| format!("{}={}{}", call.id, call.name, call.arguments))
            .collect();
        let result = message.result_of().map(|call| format!("({call})")).unwrap_or_default();
        format!("{}{result}: {}{}\n", message.role.name(), message.content, calls.join(" "))
    };
    messages.iter().map(line).collect()
}

/// The rule that a provider would apply to refuse the messages, if one does.
pub(super) fn refusal(messages: &[Message]) -> Option<String> {
    let mut rest = messages.iter().skip_while(|message| message.role == Role::System).peekable();
    if rest.peek().is_none_or(|first| first.role != Role::User) {
        return Some("the first message is not the user's".to_owned());
    }
    if messages.last().is_some_and(|last| last.role == Role::Assistant) {
        return Some("the last message is the assistant's".to_owned());
    }
    while let Some(message) = rest.next() {
        if message.content.trim().is_empty() && message.native.is_none() {
            return Some("a message is empty".to_owned());
        }
        if message.role == Role::Tool {
            return Some(format!("the result of {:?} has no call before it", message.result_of()));
        }
        if message.calls().iter().any(|call| call.name.is_empty()) {
            return Some("a call has no name".to_owned());
        }
        let mut calls: Vec<&str> = message.calls().iter().map(|call| call.id.as_str()).collect();
        while let Some(result) = rest.next_if(|next| next.role == Role::Tool && !calls.is_empty()) {
            let Some(at) = calls.iter().position(|call| Some(*call) == result.result_of().map(|id| &**id))
            else {
                return Some(format!("the result of {:?} answers no open call", result.result_of()));
            };
            calls.swap_remove(at);
        }
        if !calls.is_empty() {
            return Some(format!("calls without results: {calls:?}"));
        }
    }
    None
}

/// One message of a conversation, before identifiers are given.
#[derive(Clone, Debug)]
pub(super) enum Said {
    User(String),
    Observation(String),
    Assistant(String, usize),
    /// The result of a call that was made this many calls ago.
    Result(usize, String, bool),
}

pub(super) fn any_said() -> impl proptest::strategy::Strategy<Value = Said> {
    let text = || prop_oneof![Just(String::new()), "[a-z]{1,6}( [a-z]{1,6}){0,30}"];
    prop_oneof![
        text().prop_map(Said::User),
        text().prop_map(Said::Observation),
        (text(), 0..4usize).prop_map(|(text, calls)| Said::Assistant(text, calls)),
        (0..5usize, text(), any::<bool>()).prop_map(|(back, text, failed)| Said::Result(back, text, failed)),
        (0..5usize, text(), any::<bool>()).prop_map(|(back, text, failed)| Said::Result(back, text, failed)),
    ]
}

/// A conversation in the neutral format, and all words of people in it.
pub(super) fn conversation(said: &[Said], system: bool) -> (serde_json::Value, Vec<String>) {
    let (mut calls, mut messages, mut people) = (Vec::new(), Vec::new(), Vec::new());
    for (number, said) in said.iter().enumerate() {
        messages.push(match said {
            Said::User(text) => {
                let text = if text.is_empty() { String::new() } else { format!("words-{number} {text}") };
                people.push(text.clone());
                json!({"role": "user", "content": text})
            }
            Said::Observation(text) => json!({"role": "user", "content": text, "is_observation": true}),
            Said::Assistant(text, count) => {
                let (first, name) = (calls.len(), if text.is_empty() { "" } else { "look" });
                calls.extend((first..first + count).map(|call| format!("c{call}")));
                let made: Vec<_> = calls[first..]
                    .iter()
                    .map(|id| json!({"id": id, "name": name, "arguments": {"q": format!("x {id}")}}))
                    .collect();
                json!({"role": "assistant", "content": text, "tool_calls": made})
            }
            Said::Result(back, text, failed) => {
                let call = calls.iter().rev().nth(*back).cloned();
                let call = call.unwrap_or_else(|| "unknown".to_owned());
                json!({"role": "tool", "call": call, "content": text, "is_error": failed})
            }
        });
    }
    let mut transcript = json!({"messages": messages});
    if system {
        transcript["system"] = "Be brief.".into();
    }
    (transcript, people)
}

/// All strategies with default options, and those that decide by size with small bounds.
fn variants() -> Vec<Variant<'static>> {
    let with = |name: &str, option: &str, value: i64| named(name).with(option, value).unwrap();
    let small = |variant: Variant<'static>| variant.with("keep_recent_turns", 1_i64).unwrap();
    let trigger = json!({"tokens": 20});
    let mut variants: Vec<Variant<'_>> = STRATEGIES.iter().map(|strategy| Variant::new(*strategy)).collect();
    variants.extend([
        with("trim", "step", 3),
        with("observation-masking", "step", 2),
        with("rolling-window", "window", 1),
        small(named("fold")),
        small(named("fold")).with("into", "summary").unwrap(),
        with("clear-tool-results", "keep", 1).with("trigger", trigger.clone()).unwrap(),
        with("clear-tool-results", "keep_start", 3)
            .with("trigger", trigger)
            .and_then(|clear| clear.with("to_file", true)?.with("clear_tool_inputs", true))
            .unwrap(),
        named("single-user-coalesced").with("cache_first", true).unwrap(),
    ]);
    variants
}

proptest! {
    #[test]
    fn providers_accept_every_request_and_no_word_is_lost(
        said in vec(any_said(), 1..24),
        system in any::<bool>(),
    ) {
        let (transcript, people) = conversation(&said, system);
        let recording = read(transcript);
        let answers = said.iter().enumerate().filter(|(_, said)| matches!(said, Said::Assistant(..)));
        let before: Vec<usize> = answers.map(|(index, _)| index).collect();
        for variant in variants() {
            let requests = requests(&recording, &variant);
            prop_assert_eq!(requests.len(), before.len());
            for (request, end) in requests.iter().zip(&before) {
                let shown = text(request);
                prop_assert_eq!(refusal(request), None, "{}\n{}", variant.name, shown);
                let spoken = said[..*end].iter().filter(|said| matches!(said, Said::User(_))).count();
                for words in people.iter().take(spoken) {
                    prop_assert!(shown.contains(words.as_str()), "{} lost {words}\n{shown}", variant.name);
                }
            }
        }
    }
}

/// A conversation of `turns` calls, with results of `size` words each.
fn run_of(turns: usize, size: impl Fn(usize) -> usize) -> LoggedConversation {
    let mut messages = vec![json!({"role": "user", "content": "Find the error."})];
    for turn in 0..turns {
        let (id, result) = (format!("c{turn}"), vec!["line"; size(turn)].join(" "));
        let call = json!([{"id": id, "name": "read", "arguments": {"page": turn}}]);
        let content = format!("I read page {turn}. {}", vec!["because"; 30 + turn * 31 % 90].join(" "));
        messages.push(json!({"role": "assistant", "content": content, "tool_calls": call}));
        messages.push(json!({"role": "tool", "call": id, "content": result}));
    }
    read(json!({"system": vec!["rule"; 2000].join(" "), "messages": messages}))
}

/// Cost of requests where tokens after the first difference from the request before are written and all others are read.
fn cost(requests: &[Vec<Message>], read: f64, write: f64) -> f64 {
    let mut before: &[Message] = &[];
    let mut total = 0.0;
    for request in requests {
        let shared = Message::shared_start(request, before);
        let tokens = |messages: &[Message]| messages.iter().map(|message| message.tokens(words)).sum::<u64>();
        total += read * tokens(&request[..shared]) as f64 + write * tokens(&request[shared..]) as f64;
        before = request;
    }
    total
}

/// The least cost of any schedule of folds that keeps `keep` turns, found with knowledge of the future: the cheapest way
/// to the last request with each border, from the borders of the request before.
fn optimum(recording: &LoggedConversation, keep: usize, read: f64, write: f64) -> f64 {
    let history = history_of(recording.past(), &words);
    let turns = recording.conversation.turns.len();
    let last = |variant: Variant<'_>| variant.render(&history.after(turns)).unwrap().messages;
    let sizes = |messages: Vec<Message>| -> Vec<u64> {
        messages.iter().map(|message| message.tokens(words)).collect()
    };
    let whole = sizes(last(named("full-history")));
    let masked = sizes(last(named("observation-masking").with("keep_recent_turns", 1_i64).unwrap()));
    // SYSTEM and the opening, then an answer and a result for each turn.
    let tokens = |border: usize, from: usize, to: usize| -> f64 {
        (from..to).map(|at| if at < 2 + 2 * border { masked[at] } else { whole[at] }).sum::<u64>() as f64
    };
    let end = |completed: usize| 2 + 2 * completed;
    let mut best = vec![write * tokens(0, 0, 2)];
    for completed in 1..turns {
        let way = |(before, spent): (usize, &f64), border: usize| {
            let shared = if before == border { end(completed - 1) } else { 2 + 2 * before + 1 };
            spent + read * tokens(border, 0, shared) + write * tokens(border, shared, end(completed))
        };
        let to = |border: usize| {
            best.iter().enumerate().take(border + 1).map(|from| way(from, border)).reduce(f64::min).unwrap()
        };
        best = (0..=completed.saturating_sub(keep)).map(to).collect();
    }
    best.into_iter().reduce(f64::min).unwrap()
}

/// Prices of reading and of writing a cached token, as shares of a fresh one.
const PRICES: [(f64, f64); 4] = [(0.1, 1.0), (0.1, 1.25), (0.05, 1.25), (0.02, 1.0)];

#[test]
fn fold_costs_little_more_than_the_best_schedule() {
    for (read, write) in PRICES {
        for (turns, least) in [(10, 100), (20, 100), (40, 100), (20, 600), (40, 600)] {
            let (mut full, mut masked, mut folded, mut best) = (0.0, 0.0, 0.0, 0.0);
            for run in 1..6 {
                let recording = run_of(turns, |turn| least + (turn + run) * 7919 * run % (4 * least));
                let fold = named("fold").with("read", read).unwrap().with("write", write).unwrap();
                let cost_of = |variant: &Variant<'_>| cost(&requests(&recording, variant), read, write);
                full += cost_of(&named("full-history"));
                masked += cost_of(&named("observation-masking").with("keep_recent_turns", 5_i64).unwrap());
                folded += cost_of(&fold);
                best += optimum(&recording, 5, read, write);
            }
            let says = format!("{turns} turns from {least}, {read}/{write}: {full} {masked} {folded} {best}");
            assert!(folded <= 1.1 * best && folded <= 1.07 * full && folded < masked, "{says}");
            assert!((turns, least) != (40, 600) || read < 0.1 || folded < 0.85 * full, "{says}");
        }
    }
}

#[test]
fn folds_are_rare_and_small_observations_stay() {
    let recording = run_of(40, |_| 300);
    let requests = requests(&recording, &named("fold"));
    let folds = requests.windows(2).filter(|pair| Message::shared_start(&pair[0], &pair[1]) < pair[0].len());
    assert!((1..6).contains(&folds.count()));
    let mixed = run_of(40, |turn| if turn % 2 == 0 { 300 } else { 12 });
    let last = self::requests(&mixed, &named("fold")).pop().unwrap();
    let stays = ["line"; 12].join(" "); // 16 tokens, as many as a mask
    assert_eq!(last.iter().filter(|message| message.content == stays).count(), 19);
    assert!(text(&last).contains("omitted"));
    let small = run_of(40, |_| 5);
    assert_eq!(self::requests(&small, &named("fold")), self::requests(&small, &named("full-history")));
}

/// With limits of no call and no result, a request has a line in place of each, and the counts match.
#[test]
fn summaries_of_a_log_count_calls_and_results() {
    let recording = run_of(4, |_| 3);
    let history = history_of(recording.past(), &words);
    let summary = |calls: i64, results: i64| {
        let variant = named("per-turn-summary").with("tool_call_limit", calls).unwrap();
        variant.with("println_limit", results).unwrap().render(&history.after(4)).unwrap()
    };
    for (calls, results) in [(4, 4), (1, 2), (0, 0)] {
        let rendered = summary(calls, results);
        let shown = (rendered.statistics.tool_calls_shown, rendered.statistics.printlns_shown);
        assert_eq!((i64::from(shown.0), i64::from(shown.1)), (calls, results));
        assert_eq!(refusal(&rendered.messages), None);
    }
    for strategy in ["single-user-coalesced", "aggressive", "turn-log"] {
        let request = named(strategy).render(&history.after(2)).unwrap().messages;
        assert!(!text(&request).contains("Turns left"), "{strategy}: nobody counts the turns of a log");
    }
}

#[test]
fn settings_of_fold_share_a_history() {
    let recording = run_of(40, |_| 300);
    let history = history_of(recording.past(), &words);
    let summary = named("fold").with("into", "summary").unwrap().with("read", 1.0).unwrap();
    assert!(text(requests(&recording, &summary).last().unwrap()).contains("; Output:"), "it folds");
    for variant in [named("fold"), summary] {
        let alone = requests(&recording, &variant);
        let shared = (0..40).map(|completed| variant.render(&history.after(completed)).unwrap().messages);
        assert!(shared.eq(alone));
    }
}

#[test]
fn results_are_cleared_above_the_trigger_at_least_so_many_tokens_at_a_time() {
    let recording = run_of(8, |_| 100);
    let trigger = json!({"tokens": 2700});
    let clear = named("clear-tool-results").with("keep", 2_i64).unwrap().with("trigger", trigger).unwrap();
    let omitted = |variant: &Variant<'_>| -> Vec<usize> {
        requests(&recording, variant).iter().map(|request| text(request).matches("omitted").count()).collect()
    };
    assert_eq!(omitted(&clear), [0, 0, 0, 0, 2, 3, 4, 5]);
    assert_eq!(omitted(&clear.clone().with("clear_at_least", 250_i64).unwrap()), [0, 0, 0, 0, 0, 3, 3, 3]);
    let names = json!(["read"]);
    assert_eq!(omitted(&clear.with("exclude_tools", names).unwrap()), [0; 8]);
}

/// Options of products select what stays, and the text in place of the rest.
#[test]
fn products_keep_ends_files_and_tokens_of_results() {
    let recording = run_of(8, |_| 100);
    let trigger = json!({"tokens": 1500});
    let clear = named("clear-tool-results").with("keep", 0_i64).unwrap().with("trigger", trigger).unwrap();
    let last = |variant: &Variant<'_>| requests(&recording, variant).pop().unwrap();
    let cleared = |variant: &Variant<'_>| {
        let tools = last(variant).into_iter().filter(|message| message.role == Role::Tool);
        tools.map(|message| message.content.contains("[output of turn ")).collect::<Vec<_>>()
    };
    assert_eq!(cleared(&clear), [true, true, true, true, true, true, true]);
    // A result has 104 tokens with what the format adds, so 311 are two.
    let newest = clear.clone().with("keep_tokens", 311_i64).unwrap();
    assert_eq!(cleared(&newest), [true, true, true, true, true, false, false]);
    // The larger of both.
    let both = newest.clone().with("keep", 4_i64).unwrap();
    assert_eq!(cleared(&both), [true, true, true, false, false, false, false]);
    let ends = clear.clone().with("keep_start", 4_i64).unwrap().with("keep_end", 9_i64).unwrap();
    let first = |variant: &Variant<'_>| {
        let found = last(variant).into_iter().find(|message| message.role == Role::Tool);
        found.unwrap().content
    };
    assert_eq!(first(&ends), "line\n[output of turn 1 omitted: 499 characters]\nline line");
    let all = clear.clone().with("keep_start", 400_i64).unwrap().with("keep_end", 99_i64).unwrap();
    assert_eq!(cleared(&all), [false; 7], "nothing is left of what goes");
    let file = clear.clone().with("to_file", true).unwrap();
    assert_eq!(first(&file), "[output of turn 1 is in results/turn-1.txt: 499 characters]");
    for variant in [newest, both, ends, all, file] {
        for request in requests(&recording, &variant) {
            assert_eq!(refusal(&request), None);
        }
    }
}

/// An answer that was cut off has an open block.
#[test]
fn the_action_of_an_answer_is_its_last_code_block() {
    let action = |answer: &str| {
        let recording = read(json!({"messages": [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": answer},
            {"role": "user", "content": "file.txt", "is_observation": true},
            {"role": "assistant", "content": "Done."},
        ]}));
        recording.conversation.turns[0].calls[0].text.to_string()
    };
    assert_eq!(action("First\n```\nls\n```\nthen\n```bash\ncat a\n```\nI wait."), "cat a");
    assert_eq!(action("```bash\nls\n```\nthen\n```bash\ncat a\ncat b"), "cat a\ncat b");
    assert_eq!(action("Like ```ls``` so:\n```\ncat a\n```"), "cat a");
    assert_eq!(action("```ls```\nThat is all."), "```ls```\nThat is all.");
    assert_eq!(action("look around"), "look around");
}

/// A trigger by turns alone is met by turns alone.
#[test]
fn results_are_cleared_after_so_many_turns() {
    let recording = run_of(6, |_| 500);
    let trigger = json!({"turns": 3});
    let clear = named("clear-tool-results").with("keep", 1_i64).unwrap().with("trigger", trigger).unwrap();
    let cleared: Vec<usize> = requests(&recording, &clear)
        .into_iter()
        .map(|request| text(&request).matches("[output of").count())
        .collect();
    assert_eq!(cleared[..6], [0, 0, 0, 0, 3, 4]);
}

/// A line that names a file is longer than one that does not, so results of its size stay.
#[test]
fn a_result_is_shorter_than_the_line_that_names_its_file() {
    let recording = run_of(4, |_| 15);
    let trigger = json!({"tokens": 1});
    let clear = named("clear-tool-results").with("keep", 0_i64).unwrap().with("trigger", trigger).unwrap();
    let lines = |variant: &Variant<'_>| {
        text(requests(&recording, variant).last().unwrap()).matches("[output of").count()
    };
    assert_eq!(lines(&clear), 3);
    assert_eq!(lines(&clear.with("to_file", true).unwrap()), 0);
}

/// The input of a call goes with its result, and stays with it.
#[test]
fn inputs_of_calls_are_cleared_with_their_results() {
    let messages = json!([
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "Both.", "tool_calls": [
            {"id": "a", "name": "read", "arguments": {"path": "src/first.rs"}},
            {"id": "b", "name": "look", "arguments": {"path": "src/second.rs"}}]},
        {"role": "tool", "call": "a", "content": (["line"; 90].join(" "))},
        {"role": "tool", "call": "b", "content": (["line"; 90].join(" "))},
        {"role": "assistant", "content": "Done."}
    ]);
    let transcript = serde_json::from_value::<Transcript>(json!({ "messages": messages })).unwrap();
    let recording = LoggedConversation::new(&transcript, 0, None);
    let trigger = json!({"tokens": 1});
    let clear = named("clear-tool-results").with("keep", 0_i64).unwrap().with("trigger", trigger).unwrap();
    let names = json!(["look"]);
    let clear = clear.with("exclude_tools", names).unwrap().with("clear_tool_inputs", true).unwrap();
    let last = requests(&recording, &clear).pop().unwrap();
    let calls = last.iter().find(|message| message.role == Role::Assistant).unwrap().calls();
    assert_eq!(calls[0].arguments, "{}");
    assert!(calls[1].arguments.contains("src/second.rs"));
    assert_eq!(refusal(&last), None);
}

/// By what is sent, clearing waits until that is large again; by the whole history it goes on at every request.
#[test]
fn results_are_cleared_before_every_request_if_that_is_asked_for() {
    let recording = run_of(8, |turn| if turn == 0 { 1000 } else { 20 });
    let trigger = json!({"tokens": 3200});
    let clear = named("clear-tool-results").with("keep", 1_i64).unwrap().with("trigger", trigger).unwrap();
    let omitted = |variant: &Variant<'_>| -> Vec<usize> {
        requests(&recording, variant).iter().map(|request| text(request).matches("omitted").count()).collect()
    };
    assert_eq!(omitted(&clear), [0, 0, 0, 2, 2, 2, 2, 2]);
    assert_eq!(omitted(&clear.with("every_request", true).unwrap()), [0, 0, 0, 2, 3, 4, 5, 6]);
}

#[test]
fn images_count_what_the_suite_says_until_they_are_masked() {
    let transcript = |images: u32| {
        let call = json!([{"id": "c", "name": "look", "arguments": {}}]);
        let messages = json!([
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": "", "tool_calls": call},
            {"role": "tool", "call": "c", "content": "[image]", "images": images},
            {"role": "assistant", "content": "Again."}, {"role": "user", "content": "Yes."},
            {"role": "assistant", "content": "Done."}
        ]);
        serde_json::from_value::<Transcript>(json!({ "messages": messages })).unwrap()
    };
    let tokens = |images, variant: &Variant<'_>| -> u64 {
        let requests = requests(&LoggedConversation::new(&transcript(images), 700, None), variant);
        requests.last().unwrap().iter().map(|message| message.tokens(words)).sum()
    };
    let full = named("full-history");
    assert_eq!(tokens(2, &full) - tokens(0, &full), 1_400);
    let masked = named("observation-masking").with("keep_recent_turns", 1_i64).unwrap();
    assert_eq!(tokens(2, &masked), tokens(0, &masked));
}

#[test]
fn a_step_keeps_the_prefix_between_borders() {
    let recording = run_of(20, |_| 50);
    for name in ["trim", "observation-masking"] {
        let stepped = named(name).with("step", 5_i64).unwrap();
        let requests = requests(&recording, &stepped);
        let breaks =
            requests.windows(2).filter(|pair| Message::shared_start(&pair[0], &pair[1]) < pair[0].len());
        assert_eq!(breaks.count(), 3, "{name}");
    }
}

/// An agent that clears a result, then puts a summary in the place of its first turns, then another in the place of that.
#[test]
fn as_recorded_sends_what_the_agent_sent() {
    let asked = |id: &str| json!({"role": "assistant", "content": "", "tool_calls": [{"id": id, "name": "look", "arguments": {}}]});
    let told = |id: &str, text: &str| json!({"role": "tool", "call": id, "content": text});
    let recording = read(json!({
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "Count."},
            asked("a"), told("a", "one"),
            asked("b"), told("b", "two"),
            asked("c"), told("c", "three"), {"role": "user", "content": "And on."},
            asked("d"), told("d", "four"),
            {"role": "assistant", "content": "Four."},
        ],
        "compactions": [
            {"before": 5, "kind": "clear", "removed": [[2, 2]], "text": "[cleared]"},
            {"before": 7, "kind": "summary", "removed": [[0, 4]], "text": "Two so far."},
            {"before": 10, "kind": "summary", "removed": [[0, 6]], "text": "Three so far."},
        ],
    }));
    let sent: Vec<String> =
        requests(&recording, &named("as-recorded")).iter().map(|sent| text(sent)).collect();
    let expected = [
        "system: Be brief.\nuser: Count.\n",
        "system: Be brief.\nuser: Count.\nassistant: a=look{}\ntool(a): one\n",
        "system: Be brief.\nuser: Count.\nassistant: a=look{}\ntool(a): [cleared]\nassistant: b=look{}\ntool(b): two\n",
        "system: Be brief.\nuser: Two so far.\nassistant: c=look{}\ntool(c): three\nuser: And on.\n",
        "system: Be brief.\nuser: Three so far.\nuser: And on.\nassistant: d=look{}\ntool(d): four\n",
    ];
    assert_eq!(sent, expected);
    for messages in requests(&recording, &named("as-recorded")) {
        assert_eq!(refusal(&messages), None);
    }
    let whole = requests(&recording, &named("full-history")).pop().unwrap();
    assert!(text(&whole).contains("tool(a): one\n") && !text(&whole).contains("so far"));
}
