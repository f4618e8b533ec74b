//! `index.html`: the page for people, one file without any network access. It contains the totals as plain JSON and the
//! packed texts of each scenario; its script draws them. No text of a run is parsed as markup.

mod pack;
mod trigrams;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::json;

use super::advice::{Advice, COMPARED};
use super::agents::{sum_sentence, unjudged_text};
use super::change::page_list;
use super::changes::Changes;
use super::comparison::Comparison;
use super::header::Header;
use super::public;
use super::recommend::Standing;
use super::record::ScenarioRecord;
use super::results::StrategyRecord;
use super::tables::SET_APART;
use super::thresholds::promise;
use crate::agent::SystemPrompt;
use crate::compression::{self, RECORDED};
use crate::measure::MeasuredRun;
use ptc_prices::Money;

/// The most scenarios on a page; browsers become slow with more. `results.json` has all of them.
pub const MOST_SCENARIOS: u64 = 5_000;

/// The page with placeholders for the data of an evaluation.
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

/// In order of dependency.
const SCRIPTS: &[&str] = &[
    include_str!("script/elements.js"),
    include_str!("script/numbers.js"),
    include_str!("script/data.js"),
    include_str!("script/diff.js"),
    include_str!("script/recommend.js"),
    include_str!("script/chart.js"),
    include_str!("script/agents.js"),
    include_str!("script/screen.js"),
    include_str!("script/changes.js"),
    include_str!("script/overview.js"),
    include_str!("script/request.js"),
    include_str!("script/timeline.js"),
    include_str!("script/scenario.js"),
    include_str!("script/list.js"),
    include_str!("script/keyboard.js"),
    include_str!("script/main.js"),
];

/// The page before the scenarios, between them and the totals, and after the totals.
static PAGE: LazyLock<[String; 3]> = LazyLock::new(|| {
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash_source(&script),
        hash_source(STYLE)
    );
    let (head, rest) = TEMPLATE.split_once("{scenarios}").unwrap_or((TEMPLATE, ""));
    let (middle, tail) = rest.split_once("{totals}").unwrap_or((rest, ""));
    let filled = head.replace("{policy}", &policy).replace("{style}", STYLE);
    [filled, middle.to_owned(), tail.replace("{script}", &script)]
});

/// A text needed by several scenarios. It is written once.
pub struct SharedText {
    /// Equal for equal texts.
    pub hash: u64,
    pub text: Vec<u8>,
}

pub fn head(_: &Header, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(PAGE[0].as_bytes())
}

/// Writes the scenario's entry for the list, its search index, and its texts, in an element that browsers do not run.
pub fn scenario(header: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    out.write_all(b"<script type=\"text/plain\" class=\"scenario\">")?;
    write_json(&make_entry(header, record), out)?;
    let contents = pack::contents(header, record);
    writeln!(out, "\n{}", trigrams::index(&contents.searched_text()))?;
    pack::write_packed(&contents, out)?;
    out.write_all(b"</script>\n")
}

/// The scenario's own SYSTEM text, if it has one. All logs of an agent share it, and it often has several kilobytes.
pub fn shared(record: &ScenarioRecord) -> io::Result<Option<SharedText>> {
    let Some(system) = &record.system else { return Ok(None) };
    let hash = pack::system_hash(system);
    let id = pack::system_id(system);
    let mut text = Vec::new();
    write!(text, "<script type=\"text/plain\" id=\"system-{id}\">")?;
    pack::write_packed(system, &mut text)?;
    text.write_all(b"</script>\n")?;
    Ok(Some(SharedText { hash, text }))
}

pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(PAGE[1].as_bytes())?;
    write_json(&page_totals(comparison), out)?;
    out.write_all(PAGE[2].as_bytes())
}

fn page_totals(comparison: &Comparison) -> impl Serialize {
    let header = &comparison.header;
    let advice = Advice::new(comparison);
    let thresholds = comparison.judged_thresholds().map(|(threshold, crossed)| {
        let name = format!("{}: {}", threshold.strategy, threshold.metric);
        json!({ "name": name, "promise": promise(threshold), "found": crossed.map(|crossed| &crossed.message) })
    });
    let changes = comparison.changes();
    let against = comparison.against.as_ref().filter(|_| changes.is_some());
    json!({
        "tokenizer": header.tokenizer,
        "baseline": header.baseline,
        "models": header.models,
        "price_dates": comparison.price_dates(),
        "max_short": header.tolerance.max_short,
        "min_saving": header.tolerance.min_saving,
        "happened": RECORDED.name(),
        "baseline_was_sent": header.bounds().baseline_was_sent,
        "sentence": advice.sentence(),
        "certainty": advice.certainty(),
        "notes": advice.notes().collect::<Vec<_>>(),
        "refused": advice.refused(),
        "recommended": advice.recommended.map(|strategy| &strategy.name),
        "usage": comparison.usage,
        "too_little": comparison.too_little.map(|too_little| too_little.sentence()),
        "names_cheapest": comparison.too_little.is_some_and(|too_little| too_little.names_cheapest()),
        "copies": advice.copies(),
        "prompts": comparison.prompt_sentences(),
        "changes": page_list(&comparison.differences, &header.model_names(), &since_words(comparison)),
        "own_calls": advice.own_calls(),
        "proof": comparison.proof.json(),
        "words": advice.words(),
        "untested": advice.untested(),
        "takes_any_kind": header.tolerance.takes_any_kind,
        "against": against.map(|against| &against.name),
        "system": SystemPrompt::text(),
        "request_fields": pack::REQUEST_FIELDS,
        "scenarios": comparison.scenarios,
        "is_advice": header.is_advice,
        "failed": comparison.failed,
        "changed_snapshots": comparison.counts.changed_snapshots,
        "new_snapshots": comparison.counts.new_snapshots,
        "thresholds": thresholds.collect::<Vec<_>>(),
        "facts": comparison.facts.iter().map(|fact| &fact.text).collect::<Vec<_>>(),
        "first_screen": comparison.first_screen,
        "spending": comparison.spending.section(),
        "agents": page_agents(comparison),
        "table": page_table(comparison, &advice),
        "unreadable": comparison.verdicts.unreadable,
        "strategies": page_strategies(comparison, changes.as_ref()),
    })
}

/// The agents whose logs were read together; none if there is one.
fn page_agents(comparison: &Comparison) -> impl Serialize {
    json!({
        "judged": comparison.agents,
        "sum": sum_sentence(&comparison.agents, &comparison.unjudged_agents),
        "found": comparison.agents.len() + comparison.unjudged_agents.len(),
        "unjudged": unjudged_text(&comparison.unjudged_agents, |name| name.into()),
    })
}

/// The words above and below the table of strategies.
fn page_table(comparison: &Comparison, advice: &Advice<'_>) -> impl Serialize {
    json!({
        "compared": (!comparison.header.is_advice).then_some(COMPARED),
        "notes": advice.explanations(),
        "set_apart": SET_APART,
        "marks_limit": advice.marks_limit(),
    })
}

/// Introduces the list of changes: `Since accepted`, or since a named earlier report.
fn since_words(comparison: &Comparison) -> String {
    match &comparison.against {
        Some(against) if comparison.counts.changed_snapshots == 0 => format!("Since {}", against.name),
        _ => "Since accepted".to_owned(),
    }
}

/// The totals of each strategy, with the earlier values of changed ones. `costs` are exact, one per model. `judged`
/// covers runs without a duplicate, with their number of answers that lack a fact.
fn page_strategies(comparison: &Comparison, changes: Option<&Changes>) -> Vec<impl Serialize> {
    let baseline = comparison.strategy(&comparison.header.baseline);
    let mut strategies = Vec::with_capacity(comparison.strategies.len());
    for strategy in &comparison.strategies {
        let record = StrategyRecord::of(strategy);
        let mut was = BTreeMap::new();
        for change in changes.iter().flat_map(|changes| &changes.strategies) {
            if change.name == record.name {
                was.extend(change.numbers.iter().map(|number| (&number.metric, &number.before)));
            }
        }
        strategies.push(json!({
            "name": record.name,
            "doc": describe_strategy(&comparison.header, comparison.index(strategy)),
            "totals": record.totals,
            "was": was,
            "estimates": record.estimates,
            "rewrites_calls": strategy.sums.rewrites_calls,
            "is_set_apart": comparison.is_set_apart(strategy),
            "instead": comparison.instead_of_numbers(strategy),
            "over_window": strategy.sums.over_window,
            "is_whole": baseline.is_some_and(|baseline| strategy.is_whole(baseline)),
            "is_complete": baseline.is_some_and(|baseline| strategy.is_complete(baseline))
                && comparison.header.prompt(comparison.index(strategy)).is_none(),
            "costs": strategy.costs.iter().map(|row| row.cost.exact().to_string()).collect::<Vec<_>>(),
            "judged": strategy.standings.iter().map(page_standing).collect::<Vec<_>>(),
            "cliff": strategy.course.cliff.map(|cliff| cliff.sentence(&strategy.name)),
            "runs_past_cliff": strategy.course.cliff.map(|cliff| cliff.remedy(&strategy.name)),
            "is_supported": comparison.header.supports(comparison.index(strategy)),
            "why_not": public::why_not(comparison.header.severity(comparison.index(strategy))),
            "most_turns": comparison.header.most_turns_in_hundredths(comparison.index(strategy)),
            "source_of_turns": comparison.header.source_of_turns(comparison.index(strategy)),
            "in_public": comparison.in_public(strategy),
            "tail": strategy.course.tail.to_string(),
            "by_turn": strategy.course.shares,
        }));
    }
    strategies
}

/// What a strategy does; `None` for strategies of users.
fn describe_strategy(header: &Header, index: usize) -> Option<String> {
    let name = header.strategies.get(index)?;
    if let Ok(strategy) = compression::find(name) {
        return Some(strategy.doc.to_owned());
    }
    // The family of a variant begins with the name of its strategy.
    let family = &header.settings.get(index)?.family;
    let strategy = compression::find(family.split([' ', ',']).next()?).ok()?;
    Some(format!("{} ({} with other settings)", strategy.doc, strategy.name))
}

fn page_standing(standing: &Standing) -> impl Serialize {
    json!({ "cost": standing.cost.to_string(), "needing": standing.needing, "short": standing.short })
}

/// Writes JSON without `<`, so no text can end its element or begin another.
fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    out.write_all(text.replace('<', "\\u003c").as_bytes())
}

/// The hash of a text for the content security policy. Nothing else in the page may run.
fn hash_source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(hmac_sha256::Hash::hash(text.as_bytes())))
}

/// A scenario in the list, with all data for search and filters.
#[derive(Serialize)]
struct Entry<'r> {
    name: &'r str,
    outcome: &'r str,
    turns: usize,
    tags: &'r [String],
    /// The hash of its own SYSTEM text.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    /// Number of failed expectations.
    failures: usize,
    /// Number of snapshots different from the accepted ones.
    snapshots: usize,
    /// Number of answers that need evidence.
    needing: usize,
    /// In the order of the suite.
    strategies: Vec<EntryRun>,
}

#[derive(Serialize)]
struct EntryRun {
    input_tokens: u64,
    /// Dollars by model.
    costs: Vec<f64>,
    /// Turns of answers that lack a fact.
    short: Vec<u32>,
}

fn make_entry<'r>(header: &Header, record: &'r ScenarioRecord) -> Entry<'r> {
    let requests = record.baseline(header).map_or(&[][..], |baseline| &baseline.requests);
    Entry {
        name: &record.name,
        outcome: &record.outcome,
        turns: record.output_tokens.len(),
        tags: &record.tags,
        system: record.system.as_deref().map(pack::system_id),
        failures: record.failures.len(),
        snapshots: record.snapshots.len(),
        needing: requests.iter().filter(|request| request.evidence.needed() > 0).count(),
        strategies: record.strategies.iter().map(|run| of_run(header, run)).collect(),
    }
}

fn of_run(header: &Header, run: &MeasuredRun) -> EntryRun {
    let mut costs = vec![Money::default(); header.models.len()];
    let mut short = Vec::new();
    for request in &run.requests {
        for (cost, bill) in costs.iter_mut().zip(&request.bills) {
            *cost += bill.cost;
        }
        if request.evidence.lacks_fact() {
            short.push(request.turn);
        }
    }
    let costs = costs.into_iter().map(Money::dollars).collect();
    EntryRun { input_tokens: run.input_tokens(), costs, short }
}
