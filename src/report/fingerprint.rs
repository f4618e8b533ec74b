//! Tells whether two scenarios are the same run: the same answers, and the same requests under every strategy. A copy
//! of a run says nothing that the run does not say, so it counts once where runs are evidence.

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

/// The fewest bytes of an opening that tells tasks apart: a greeting does not. Where it is shorter the name of the run decides.
const OPENING: usize = 40;

/// A hash of the answers of a model and of its requests. It is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// The fingerprint of what a run begins with, without SYSTEM; none of a text that many tasks may begin with.
    pub fn of_opening(view: &View<'_>) -> Option<Fingerprint> {
        let head = view.head().iter().filter(|message| message.role != Role::System);
        let texts: Vec<&str> = head.chain([view.opening()]).map(|message| message.content.as_str()).collect();
        let length: usize = texts.iter().map(|text| text.len()).sum();
        (length >= OPENING).then(|| Fingerprint(hash_of(&texts)))
    }

    /// The fingerprint of a run. `texts` are its messages, and `system` is the text of those that have none.
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

/// The parts of a request that the fingerprint covers.
fn hashed(request: &MeasuredRequest) -> impl Serialize + '_ {
    let MeasuredRequest { messages, input_tokens, evidence, .. } = request;
    // Images, and what the author lists as needed, are in no text.
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
