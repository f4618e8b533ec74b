//! How a scenario's requests changed, in the form of records and `changes.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ptc_prices::Money;

/// The reason of a change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A key that an author changed.
    Edit(String),
    /// Several keys that changed the same text together.
    Together(Vec<String>),
    /// The static SYSTEM text of the program.
    System,
    /// The program itself: today's version renders the earlier suite differently.
    Program,
    /// The first layer of the run that differs. The earlier suite is not available.
    Guess(String),
}

/// What changed for the model in one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioDifference {
    /// Strategies with a request that differs.
    pub strategies: Vec<String>,
    /// Requests that differ, under all strategies.
    pub requests: u64,
    /// The sums over all requests of these strategies, before and after. None: the earlier suite is not at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sums: Option<[Sums; 2]>,
    /// By cause.
    pub parts: Vec<DifferencePart>,
}

/// What one cause changed in a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DifferencePart {
    pub cause: Cause,
    pub strategies: Vec<String>,
    pub requests: u64,
    /// Requests missing on the other side.
    #[serde(default)]
    pub new_requests: u64,
    #[serde(default)]
    pub gone_requests: u64,
    /// Lines missing from some request now, and new lines.
    pub removed: ChangedLines,
    pub added: ChangedLines,
    /// The sums with this cause alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sums: Option<[Sums; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
}

/// Lines of one side of a change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedLines {
    /// Distinct lines, summed over the scenarios.
    pub count: u64,
    /// The lines of most requests. Of lines that differ in numbers only, one.
    pub first: Vec<ChangedLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedLine {
    pub text: String,
    pub requests: u64,
    /// Number of lines that it represents.
    pub lines: u64,
}

/// Sums over requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sums {
    pub requests: u64,
    pub tokens: u64,
    /// One a model, in the order of the models of the report.
    pub costs: Vec<Money>,
    /// Answers that use facts.
    pub needing: u64,
    /// Those of them whose request lacks one.
    pub short: u64,
}

/// The request with the most newly lost facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Worst {
    pub strategy: String,
    pub turn: u32,
    /// Number of facts.
    pub facts: u32,
    /// The first of them, and the turn that produced it.
    pub fact: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
}

/// A line after its sign. A line with a sign of its own gets a wider gap, to keep the two apart.
pub(super) fn signed(mark: &str, line: &str) -> String {
    let gap = if line.starts_with(['-', '+', '−']) { "  " } else { " " };
    format!("{mark}{gap}{line}")
}

impl DifferencePart {
    /// The cause as a title, then the first lines with `-` and `+`.
    pub fn describe(&self) -> String {
        self.cause.describe(&self.removed, &self.added)
    }
}

impl Cause {
    /// The cause as a title, then the first of these lines with `-` and `+`.
    pub(super) fn describe(&self, removed: &ChangedLines, added: &ChangedLines) -> String {
        let mut text = self.title();
        for (mark, lines) in [("-", removed), ("+", added)] {
            for line in &lines.first {
                text.push('\n');
                text.push_str(&signed(mark, &line.text));
            }
        }
        text
    }

    pub fn title(&self) -> String {
        match self {
            Cause::Edit(title) => title.clone(),
            Cause::Together(titles) => format!("together: {}", titles.join("; ")),
            Cause::System => "the SYSTEM text of the program".to_owned(),
            Cause::Program => "the program itself".to_owned(),
            Cause::Guess(layer) => layer.clone(),
        }
    }
}
