//! The strategies of `examples/strategies/`. They need Python and Node.js with what `requirements.txt` and
//! `package.json` name, so they are tested by `.ci/run`.

use std::path::Path;
use std::process::Command;

use agent_logs::Transcript;
use ptc_eval::agent::LoggedConversation;
use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::{CommandStrategy, Variant, history_of};
use ptc_eval::processes::Environment;
use serde_json::{Value as Json, json};

use super::story::named;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/strategies");

fn command(words: [&str; 2]) -> CommandStrategy {
    let environment = Environment::filter(std::env::vars_os(), &[]);
    CommandStrategy::new(&words.map(str::to_owned), Path::new(FOLDER), Some(environment))
}

/// A conversation of 60 turns: results of all sizes, two calls at once, observations, words of the user.
fn recording(seed: usize) -> LoggedConversation {
    let mut state = seed;
    let mut random = |below: usize| {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        (state >> 8) % below
    };
    let mut messages = vec![json!({"role": "user", "content": "Which flight is it?"})];
    for turn in 0..60 {
        let words = |count: usize| "naïve 🛫 words\n".repeat(count);
        let call = |call: usize| json!({"id": format!("c{turn}-{call}"), "name": if turn % 3 == 0 { "read" } else { "search" }, "arguments": {"q": "x y", "n": 1.0}});
        match random(8) {
            0 => {
                messages.push(json!({"role": "assistant", "content": "look"}));
                let observation = words(random(90));
                messages.push(
                    json!({"role": "user", "content": format!("saw {observation}"), "is_observation": true}),
                );
            }
            1 => {
                messages.push(json!({"role": "assistant", "content": "Is it this one?"}));
                messages.push(json!({"role": "user", "content": words(1 + random(30))}));
            }
            count => {
                let calls: Vec<Json> = (0..1 + count % 2).map(call).collect();
                messages.push(json!({"role": "assistant", "content": words(random(3)), "tool_calls": calls}));
                for call in calls {
                    let most = if random(4) == 0 { 400 } else { 20 };
                    let result = words(random(most));
                    messages.push(
                        json!({"role": "tool", "call": call["id"], "content": format!("found {result}")}),
                    );
                }
            }
        }
    }
    messages.push(json!({"role": "assistant", "content": "This one."}));
    // Pauses of some seconds and of some minutes.
    let mut seconds = 0;
    for (index, answer) in messages.iter_mut().filter(|message| message["role"] == "assistant").enumerate() {
        seconds += if (index + seed).is_multiple_of(7) { 100 * seed + 50 } else { 5 };
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        answer["time"] = json!(format!("2026-10-02T{hours:02}:{minutes:02}:{:02}.250Z", seconds % 60));
    }
    let transcript = json!({"name": "t", "system": "Be brief.", "messages": messages});
    LoggedConversation::new(&serde_json::from_value::<Transcript>(transcript).unwrap(), 0, None)
}

fn requests(recording: &LoggedConversation, variant: &Variant<'_>) -> Vec<Vec<Message>> {
    let words = |text: &str| text.split_whitespace().count() as u64;
    let history = history_of(recording.past(), &words);
    let turns = recording.conversation.turns.len();
    (0..turns).map(|completed| variant.render(&history.after(completed)).unwrap().messages).collect()
}

/// Fails unless the programs send what the strategy sends, under these options.
fn assert_same(strategy: &str, programs: [[&str; 2]; 2], options: &[Json]) {
    let same: Vec<_> = options.iter().map(|options| (options.clone(), options.clone())).collect();
    assert_same_as(strategy, programs, &same);
}

/// The same with options of the strategy, and the equivalent options of the programs.
fn assert_same_as(strategy: &str, programs: [[&str; 2]; 2], options: &[(Json, Json)]) {
    for seed in 1..6 {
        let recording = recording(seed);
        let whole = requests(&recording, &named("full-history"));
        for (options, of_program) in options {
            let [options, of_program] = [options, of_program].map(|options| options.as_object().unwrap());
            let expected = requests(&recording, &named(strategy).with_all(options).unwrap());
            assert_ne!(expected, whole, "{strategy} changes nothing");
            for program in programs {
                let command = command(program);
                let own = requests(&recording, &Variant::new(&command).with_all(of_program).unwrap());
                for (turn, (own, expected)) in (1..).zip(own.iter().zip(&expected)) {
                    // A program does not mark the parts of its messages.
                    let same = Message::shared_start(own, expected);
                    assert!(
                        same == own.len() && same == expected.len(),
                        "{program:?} {options:?}, seed {seed}, request {turn}: {own:#?}"
                    );
                }
            }
        }
    }
}

#[test]
#[ignore = "needs Python and Node.js"]
fn fold_in_other_languages_is_fold() {
    let options = [
        json!({}),
        json!({"keep_recent_turns": 1, "ttl": 400}),
        json!({"ttl": 0}),
        json!({"read": 0.5, "write": 1, "keep_recent_turns": 8}),
    ];
    assert_same("fold", [["python3", "fold.py"], ["node", "build/fold.js"]], &options);
}

#[test]
#[ignore = "needs Python and Node.js"]
fn masking_in_other_languages_is_observation_masking() {
    let options = [json!({}), json!({"keep_recent_turns": 4, "step": 10})];
    assert_same("observation-masking", [["python3", "masking.py"], ["node", "build/masking.js"]], &options);
}

#[test]
#[ignore = "needs Python and Node.js"]
fn trim_in_other_languages_is_trim() {
    let options = [json!({}), json!({"keep_recent_turns": 4, "step": 10})];
    assert_same("trim", [["python3", "trim.py"], ["node", "build/trim.js"]], &options);
}

#[test]
#[ignore = "needs Python and Node.js"]
fn clear_in_other_languages_is_clear_tool_results() {
    let options = [
        (json!({"trigger": {"tokens": 900}}), json!({"trigger_tokens": 900, "fixed": 3})),
        (
            json!({"trigger": {"tokens": 1500}, "keep": 7, "clear_at_least": 700}),
            json!({"trigger_tokens": 1500, "fixed": 3, "keep": 7, "clear_at_least": 700}),
        ),
        (
            json!({"trigger": {"tokens": 900}, "exclude_tools": ["search"]}),
            json!({"trigger_tokens": 900, "fixed": 3, "exclude_tools": ["search"]}),
        ),
    ];
    assert_same_as("clear-tool-results", [["python3", "clear.py"], ["node", "build/clear.js"]], &options);
}

/// In the shape of the Anthropic API results are parts of a user message. Words beside them keep it whole.
#[test]
#[ignore = "needs Python and Node.js"]
fn results_of_the_anthropic_api_are_left_out() {
    let result =
        |id: &str, content: Json| json!({"type": "tool_result", "tool_use_id": id, "content": content});
    let answer = |text: &str| json!({"role": "assistant", "content": [{"type": "text", "text": text}]});
    let user = |content: Json| json!({"role": "user", "content": content});
    let history = |first: Json, second: Json| {
        let words = json!([result("c", json!("kept")), {"type": "text", "text": "Hurry."}]);
        json!([
            user(json!("Go.")),
            answer("1"),
            user(json!([first, second])),
            answer("2"),
            user(words),
            answer("3"),
            user(json!([result("d", json!("new"))]))
        ])
    };
    let text = json!([{"type": "text", "text": "found"}, {"type": "text", "text": "é"}]);
    let whole = history(result("a", json!("four")), result("b", text));
    let omitted =
        |id, characters| result(id, json!(format!("[output of turn 1 omitted: {characters} characters]")));
    let expected = history(omitted("a", 4), omitted("b", 7));
    let tokens = "[9, 9, 40, 9, 99, 9, 9]";
    let run = |program: &str, script: String| -> Json {
        let flag = if program == "node" { "--input-type=module" } else { "-B" };
        let option = if program == "node" { "-e" } else { "-c" };
        let ran = Command::new(program).current_dir(FOLDER).args([flag, option, &script]).output().unwrap();
        serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"))
    };
    let python = |call: &str| {
        let script = "import json, fold, masking; history = json.loads(input());";
        let script = script.replace("input()", &format!("{:?}", whole.to_string()));
        run("python3", format!("{script} print(json.dumps({call}))"))
    };
    let node = |call: &str| {
        let imports = "import { fold } from './build/fold.js'; import { mask } from './build/masking.js';";
        run("node", format!("{imports} const history = {whole}; console.log(JSON.stringify({call}))"))
    };
    assert_eq!(python("masking.mask(history, keep_recent_turns=1)"), expected);
    assert_eq!(node("mask(history, { keep_recent_turns: 1 })"), expected);
    assert_eq!(python(&format!("fold.fold(history, {tokens}, keep_recent_turns=1, read=9)")), expected);
    assert_eq!(node(&format!("fold(history, {tokens}, {{ keep_recent_turns: 1, read: 9 }})")), expected);
    let small = tokens.replace("40", "32");
    assert_eq!(node(&format!("fold(history, {small}, {{ keep_recent_turns: 1, read: 9 }})")), whole);
    assert_eq!(python(&format!("fold.fold(history, {small}, keep_recent_turns=1, read=9)")), whole);
}

/// LangChain keeps SYSTEM and the newest messages, starting at a user message. The AI SDK keeps the last
/// messages and words of people.
#[test]
#[ignore = "needs Python and Node.js"]
fn libraries_trim_conversations() {
    let recording = recording(3);
    let whole = requests(&recording, &named("full-history"));
    let words = |messages: &[Message]| {
        messages
            .iter()
            .map(|message| message.tokens(|text| text.split_whitespace().count() as u64))
            .sum::<u64>()
    };
    let langchain = command(["python3", "trim_messages.py"]);
    let own = requests(&recording, &Variant::new(&langchain).with("max_tokens", 6000_usize).unwrap());
    for (own, whole) in own.iter().zip(&whole) {
        assert!(words(own) <= 6000 && whole.ends_with(&own[1..]));
        assert_eq!((own[0].role, own[1].role), (Role::System, Role::User));
    }
    assert!(own.last().unwrap().len() > 5);
    let ai_sdk = command(["node", "trim.mjs"]);
    let own = requests(&recording, &Variant::new(&ai_sdk).with("keep", 4_usize).unwrap());
    for (own, whole) in own.iter().zip(&whole) {
        let kept = whole.len().min(4);
        assert!(own.ends_with(&whole[whole.len() - kept..]));
        let said =
            |messages: &[Message]| messages.iter().filter(|message| message.role == Role::User).count();
        assert_eq!(said(own), said(whole));
        assert!(own.iter().flat_map(Message::calls).count() <= 8);
        assert!(own.iter().filter(|message| message.role == Role::Tool).count() <= 4);
    }
    assert!(whole.last().unwrap().iter().flat_map(Message::calls).count() > 40);
}
