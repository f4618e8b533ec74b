//! `index.html`: the page for people. One file that needs no network: what all scenarios say together stands
//! open in it, the texts of each scenario packed. Nothing of a run is ever read as markup. All of its numbers
//! come from elsewhere; the script of the page draws them.

mod entry;
mod pack;

use std::io::{self, Write};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::comparison::Comparison;
use super::header::Header;
use super::record::ScenarioRecord;
use super::results::StrategyRecord;
use super::thresholds::promise;
use crate::agent::SystemPrompt;
use crate::scenario::suite::Threshold;

/// How many scenarios a page holds; with more no browser opens it gladly. `results.json` has them all.
pub const MOST_SCENARIOS: u64 = 5_000;

/// The page with places for what a run fills in.
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

/// In the order in which they use each other.
const SCRIPTS: &[&str] = &[
    include_str!("script/elements.js"),
    include_str!("script/numbers.js"),
    include_str!("script/data.js"),
    include_str!("script/diff.js"),
    include_str!("script/plot.js"),
    include_str!("script/charts.js"),
    include_str!("script/table.js"),
    include_str!("script/request.js"),
    include_str!("script/scenario.js"),
    include_str!("script/list.js"),
    include_str!("script/keyboard.js"),
    include_str!("script/main.js"),
];

/// The page up to where scenarios stand, and from there to where the totals stand, and the rest.
static PAGE: LazyLock<[String; 3]> = LazyLock::new(|| {
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        fingerprint(&script),
        fingerprint(STYLE)
    );
    let (head, rest) = TEMPLATE.split_once("{scenarios}").unwrap_or((TEMPLATE, ""));
    let (middle, tail) = rest.split_once("{totals}").unwrap_or((rest, ""));
    let filled = head.replace("{policy}", &policy).replace("{style}", STYLE);
    [filled, middle.to_owned(), tail.replace("{script}", &script)]
});

pub fn head(_: &Header, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(PAGE[0].as_bytes())
}

/// What the list says of the scenario, then its texts, both in an element that no browser runs.
pub fn scenario(header: &Header, record: &ScenarioRecord, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<script type=\"text/plain\" class=\"scenario\">")?;
    write_json(&entry::entry(header, record), out)?;
    writeln!(out)?;
    out.write_all(pack::packed(header, record)?.as_bytes())?;
    out.write_all(b"</script>\n")
}

pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(PAGE[1].as_bytes())?;
    write_json(&totals(comparison), out)?;
    out.write_all(PAGE[2].as_bytes())
}

/// The same objects as in `results.json`.
fn totals(comparison: &Comparison) -> impl Serialize {
    let header = &comparison.header;
    json!({
        "tokenizer": header.tokenizer,
        "baseline": header.baseline,
        "models": header.models,
        "price_dates": comparison.price_dates(),
        "system": SystemPrompt::text(),
        "request_fields": pack::REQUEST_FIELDS,
        "scenarios": comparison.scenarios,
        "failed": comparison.failed,
        "changed_snapshots": comparison.counts.changed_snapshots,
        "new_snapshots": comparison.counts.new_snapshots,
        "thresholds": thresholds(comparison),
        "unreadable": comparison.verdicts.unreadable,
        "strategies": comparison.strategies.iter().map(StrategyRecord::of).collect::<Vec<_>>(),
    })
}

/// What the suite demands, and what was found where that does not hold; nothing where it is not judged.
fn thresholds(comparison: &Comparison) -> Vec<serde_json::Value> {
    let thresholds = if comparison.is_judged() { comparison.header.thresholds.as_slice() } else { &[] };
    let crossed = |threshold: &Threshold| {
        let mut crossed = comparison.verdicts.thresholds_crossed.iter();
        crossed.find(|crossed| crossed.threshold == *threshold).map(|crossed| crossed.message.as_str())
    };
    let row = |threshold| json!({ "promise": promise(threshold), "found": crossed(threshold) });
    thresholds.iter().map(row).collect()
}

/// JSON in which no text can end the element it stands in or begin another.
fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    out.write_all(text.replace('<', "\\u003c").as_bytes())
}

/// What a content security policy calls a text: nothing else that stands in the page may run.
fn fingerprint(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
