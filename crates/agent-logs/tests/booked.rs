//! Copies, beginnings, forks and repetitions of a session in other files of a folder never change what is booked, whatever the format.

use std::fs;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use agent_logs::{FORMATS, HashedTranscript, Ledger, Novelty, Repeats, Transcript, TranscriptUsage, read};
use proptest::prelude::*;
use serde_json::Value;

use crate::readers::files;

/// Calls, input tokens and output tokens.
pub type Booked = (usize, u64, u64);

/// A folder of logs, booked as `advise` does.
#[derive(Default)]
pub struct Books {
    repeats: Repeats,
    ledger: Ledger,
    /// The calls of each conversation; none for one that another one continues.
    conversations: Vec<Booked>,
}

impl Books {
    pub fn add_log(&mut self, log: &str) {
        // A log that is cut may hold no conversation.
        let _ = read(log.as_bytes(), "LOG", None, &mut |transcript| {
            self.add_conversation(transcript);
            ControlFlow::Continue(())
        });
    }

    fn add_conversation(&mut self, transcript: Transcript) {
        let mut hashed = HashedTranscript::from(transcript);
        let number = self.conversations.len();
        let Novelty::New(continued) = self.repeats.add(&hashed, number) else { return };
        for earlier in continued {
            self.conversations[earlier] = Booked::default();
            self.ledger.release(earlier);
        }
        self.ledger.book(&mut hashed, number, &number.to_string());
        self.conversations.push(sum_bills(&hashed.transcript));
    }

    pub fn total(&self) -> Booked {
        self.conversations
            .iter()
            .fold(Booked::default(), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2))
    }
}

fn sum_bills(transcript: &Transcript) -> Booked {
    let of_messages = transcript.messages.iter().filter_map(|message| message.usage.as_ref());
    let of_compactions = transcript.compactions.iter().filter_map(|compaction| compaction.usage.as_ref());
    let of_run = transcript.outcome.iter().filter_map(|outcome| outcome.usage.as_ref());
    let own: Vec<&TranscriptUsage> =
        of_messages.chain(of_compactions).chain(of_run).filter(|usage| usage.copied_from.is_none()).collect();
    let tokens = |of: fn(&TranscriptUsage) -> Option<u64>| own.iter().filter_map(|usage| of(usage)).sum();
    (own.len(), tokens(|usage| usage.input_tokens), tokens(|usage| usage.output_tokens))
}

fn book(logs: &[String]) -> Booked {
    let mut books = Books::default();
    logs.iter().for_each(|log| books.add_log(log));
    books.total()
}

/// A log that can be split into values, and the identifiers of its sessions.
struct Session {
    name: String,
    log: String,
    values: Vec<Value>,
    is_list: bool,
    ids: Vec<String>,
    booked: Booked,
    /// Calls that the log names as missing, and their input tokens.
    missing: (usize, u64),
}

/// All logs with bills, of all formats.
fn sessions() -> Vec<Session> {
    let mut sessions = Vec::new();
    for file in files().iter().filter(|file| !file.starts_with("tests/logs/broken")) {
        let Ok(log) = fs::read_to_string(file) else { continue };
        let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&log).into_iter().collect();
        let Ok(mut values) = values else { continue };
        let is_list = values.len() == 1 && values[0].is_array();
        if is_list {
            values = values[0].as_array().unwrap().clone();
        }
        let mut ids = Vec::new();
        let _ = read(log.as_bytes(), "LOG", None, &mut |transcript| {
            ids.extend(transcript.source.and_then(|source| source.id));
            ControlFlow::Continue(())
        });
        if book(std::slice::from_ref(&log)) != Booked::default() {
            let (booked, missing) = (book(std::slice::from_ref(&log)), missing(&log));
            let name = file.display().to_string();
            sessions.push(Session { name, log, values, is_list, ids, booked, missing });
        }
    }
    sessions
}

impl Session {
    fn write(&self, values: &[Value]) -> String {
        match (self.is_list, values) {
            (true, _) => Value::from(values.to_vec()).to_string(),
            (false, [one]) => one.to_string(),
            (false, _) => values.iter().map(|value| format!("{value}\n")).collect(),
        }
    }

    fn derive(&self, way: Way) -> String {
        match way {
            Way::Copy => self.log.clone(),
            Way::Beginning(at) => self.write(&self.values[..=at.index(self.values.len())]),
            Way::Repetition(at) => {
                let again = &self.values[..=at.index(self.values.len())];
                self.write(&[&self.values, again].concat())
            }
            Way::Fork => {
                let mut log = self.log.clone();
                for id in self.ids.iter().filter(|id| id.len() > 3) {
                    log = log.replace(&format!("\"{id}\""), &format!("\"{id}-forked\""));
                }
                log
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Copy,
    Beginning(prop::sample::Index),
    Repetition(prop::sample::Index),
    /// The same session under another identifier.
    Fork,
}

fn any_way() -> impl Strategy<Value = Way> {
    prop_oneof![
        Just(Way::Copy),
        any::<prop::sample::Index>().prop_map(Way::Beginning),
        any::<prop::sample::Index>().prop_map(Way::Repetition),
        Just(Way::Fork),
    ]
}

/// Lists of messages without identifiers of calls: repeated in one log, they are a longer conversation.
const PLAIN: [&str; 9] = [
    "ai-sdk/steps-of-7.json",
    "langchain/advised.json",
    "langchain/messages.jsonl",
    "langchain/streamed-calls.json",
    "openai-chat/lines-with-bills.jsonl",
    "opencode/messages.json",
    "openhands/events.json",
    "pydantic-ai/messages.json",
    "smolagents/code.json",
];
/// A trace truncated between the span of an agent and its child spans; the agent's span has their sum.
const SUM: &str = "otel-genai/agent-alone.jsonl";
/// A rollout repeats its parent once, at its beginning.
const FORKED: &str = "codex/forked-";

impl Session {
    fn is_fit_for(&self, way: Way) -> bool {
        match way {
            Way::Copy | Way::Fork => true,
            Way::Beginning(_) => !self.name.ends_with(SUM),
            Way::Repetition(_) => {
                !self.name.ends_with(SUM)
                    && !self.name.contains(FORKED)
                    && !PLAIN.iter().any(|name| self.name.ends_with(name))
            }
        }
    }

    /// The difference that copies make to what is booked, if any.
    fn difference(&self, ways: &[Way], turned: usize) -> Option<String> {
        let mut logs = vec![self.log.clone()];
        logs.extend(ways.iter().filter(|way| self.is_fit_for(**way)).map(|way| self.derive(*way)));
        let turned = turned % logs.len();
        logs.rotate_left(turned);
        let (calls, input, output) = book(&logs);
        let (once, missing) = (&self.booked, &self.missing);
        // A call that a session went back from is named as missing there, and an earlier log of the session may hold it.
        let is_same = (once.0..=once.0 + missing.0).contains(&calls)
            && (once.1..=once.1 + missing.1).contains(&input)
            // A log that ends within an answer has fewer output tokens of it than were billed, or the start of the stream.
            && (output == once.2 || missing.0 > 0 || ways.iter().any(|way| matches!(way, Way::Beginning(_) | Way::Repetition(_))));
        (!is_same).then(|| format!("{}: {:?} for {once:?}", self.name, (calls, input, output)))
    }
}

static SESSIONS: LazyLock<Vec<Session>> = LazyLock::new(sessions);

/// Calls, input and output tokens that the log names as missing from its conversations.
fn missing(log: &str) -> (usize, u64) {
    let notes = read(log.as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(()));
    let missing = notes.unwrap().tallies.missing_calls;
    (usize::try_from(missing.number).unwrap(), missing.input_tokens)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_other_files_repeat_is_booked_once(
        ways in prop::collection::vec(any_way(), 1..4),
        turned in 0_usize..4,
    ) {
        let wrong: Vec<String> =
            SESSIONS.iter().filter_map(|session| session.difference(&ways, turned)).collect();
        prop_assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Every format with bills is here.
#[test]
fn all_formats_with_bills_are_booked() {
    let is_here =
        |name: &str| SESSIONS.iter().any(|session| session.name.starts_with(&format!("tests/logs/{name}/")));
    let without: Vec<&str> = FORMATS.iter().map(|format| format.name).filter(|name| !is_here(name)).collect();
    assert_eq!(without, WITHOUT_BILLS);
}

const WITHOUT_BILLS: [&str; 7] = ["letta", "roo", "aider", "chatgpt", "claude", "sharegpt", "bedrock"];

/// A rollout that was cut before its compaction, beside a copy under another id: neither continues the other.
#[test]
fn a_cut_copy_under_another_id_is_booked_once() {
    let session = SESSIONS.iter().find(|one| one.name.ends_with("codex/compacted-locally.jsonl")).unwrap();
    let copy = session.derive(Way::Fork);
    for cut in 0..session.values.len() {
        let cut = session.write(&session.values[..=cut]);
        for logs in [[&cut, &copy, &session.log], [&copy, &session.log, &cut]] {
            assert_eq!(book(&logs.map(String::clone)), session.booked);
        }
    }
}

/// A session that ends at its compaction, beside copies cut before it: the last answer is the same.
#[test]
fn a_compaction_at_the_end_is_booked_beside_a_cut_copy() {
    let session = SESSIONS.iter().find(|one| one.name.ends_with("deepseek-harness/results.jsonl")).unwrap();
    let (_, until_compaction) = session.values.split_last().unwrap();
    let whole = session.write(until_compaction);
    let once = book(std::slice::from_ref(&whole));
    let before_compaction = session.write(&until_compaction[..until_compaction.len() - 1]);
    assert!(book(std::slice::from_ref(&before_compaction)).0 < once.0, "the compaction has a bill");
    for logs in [[&before_compaction, &whole, &whole], [&whole, &before_compaction, &whole]] {
        assert_eq!(book(&logs.map(String::clone)), once);
    }
}
