//! Detects duplicate runs: the same answers, and the same requests under every strategy. A duplicate adds no
//! evidence, so it counts once.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::texts::Texts;
use crate::agent::{Past, Role};
use crate::compression::View;
use crate::measure::{MeasuredRequest, MeasuredRun};
use agent_logs::hash_of;
use xxhash_rust::xxh3::xxh3_64;

/// The fewest bytes of an opening to identify a task; a greeting does not. For shorter ones the name of the
/// run is used.
const OPENING: usize = 40;

/// A hash of a model's answers and of its requests, equal on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// The fingerprint of a run's opening without SYSTEM; `None` if it is too short to identify a task.
    pub fn of_opening(view: &View<'_>) -> Option<Fingerprint> {
        let head = view.head().iter().filter(|message| message.role != Role::System);
        let texts: Vec<&str> = head.chain([view.opening()]).map(|message| message.content.as_str()).collect();
        let length: usize = texts.iter().map(|text| text.len()).sum();
        (length >= OPENING).then(|| Fingerprint(hash_of(&texts)))
    }

    /// The key of a run's task: its opening, or the name of the run if the opening is too short.
    pub fn task(opening: Option<Fingerprint>, name: &str) -> u64 {
        opening.map_or_else(|| xxh3_64(name.as_bytes()), |opening| opening.0)
    }

    /// The fingerprint of a run. `texts` has its messages; `system` is the text of those without one.
    pub fn of(past: Past<'_>, system: &str, texts: &Texts, strategies: &[MeasuredRun]) -> Fingerprint {
        let answers = past.turns().map(|turn| {
            let native = turn.logged().map_or(&[][..], |turn| turn.answer.calls());
            (turn.text(), native)
        });
        let requests = strategies.iter().map(|run| run.requests.iter().map(hashed).collect::<Vec<_>>());
        let (answers, requests): (Vec<_>, Vec<_>) = (answers.collect(), requests.collect());
        Fingerprint(hash_of(&(system, answers, texts, requests)))
    }
}

/// The parts of a request relevant for the fingerprint.
fn hashed(request: &MeasuredRequest) -> impl Serialize + '_ {
    let MeasuredRequest { messages, input_tokens, evidence, .. } = request;
    // Images and the author's `needs:` are not part of the messages' texts, so include their effects.
    (messages.kept, messages.added.listed(), *input_tokens, evidence.needed(), evidence.shown)
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Fingerprint, String> {
        let parsed = u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16);
        parsed.map(Fingerprint).ok_or_else(|| format!("expected sixteen hexadecimal digits, found '{text}'"))
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fingerprint, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Fingerprint {
    fn schema_name() -> Cow<'static, str> {
        "Fingerprint".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "the same for scenarios with the same answers and the same requests under every strategy",
            "type": "string",
            "pattern": "^[0-9a-f]{16}$",
        })
    }
}
