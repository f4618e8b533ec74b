//! `results.json`: everything, for programs; the input of `diff` and `merge`. One line a scenario, written
//! as it comes, so that no texts are kept. Each distinct message stands once, SYSTEM once for all.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::comparison::{Comparison, CostRow, Header, StrategyComparison};
use super::evidence::Evidence;
use super::format::Part;
use super::measure::{MeasuredRequest, MeasuredRun};
use super::numbers::Cell;
use crate::agent::{Ending, Message, Role, SystemPrompt, ToolCall, Turn};
use crate::lisp::json::to_json;
use crate::lisp::memory::Definition;
use crate::lisp::print::to_clojure;
use crate::lisp::session::Arguments;

/// Changes when what programs read changes its meaning.
pub const VERSION: u32 = 1;

/// How much of a definition's value is shown, as in the feedback of a turn.
const VALUE_ITEMS: usize = 20;
const VALUE_CHARACTERS: usize = 500;

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let Header { tokenizer, baseline, models, .. } = header;
    write!(out, "{{\"version\":{VERSION}")?;
    field(out, "tokenizer", tokenizer)?;
    field(out, "baseline", baseline)?;
    field(out, "models", models)?;
    field(out, "system", SystemPrompt::text())?;
    write!(out, ",\n\"scenarios\":[")
}

pub fn scenario(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (result, measured) = (part.result, part.measured);
    let agent = &result.scenario.agent;
    let system = SystemPrompt::framed(&agent.system_prompt);
    out.write_all(if part.index == 0 { b"\n{" } else { b",\n{" })?;
    write!(out, "\"name\":{}", serde_json::to_string(&measured.name)?)?;
    field(
        out,
        "origin",
        &json!({ "path": result.scenario.origin.path, "line": result.scenario.origin.line }),
    )?;
    field(out, "description", &result.scenario.description)?;
    field(out, "tags", &result.scenario.tags)?;
    field(out, "compression", &measured.compression)?;
    field(out, "max_turns", &agent.max_turns)?;
    field(out, "outcome", &measured.outcome)?;
    field(out, "result", &ending(&result.step.ending))?;
    field(out, "failures", &failures(part))?;
    if system != SystemPrompt::text() {
        field(out, "system", &system)?;
    }
    list(out, "turns", result.step.turns.turns().iter().map(turn))?;
    let messages = measured.messages.iter().filter_map(|place| place.find(result));
    list(out, "messages", messages.map(|text| message(text, &system)))?;
    list(out, "strategies", measured.strategies.iter().map(|strategy| run(strategy, part)))?;
    out.write_all(b"}")
}

pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\n]")?;
    list(out, "strategies", comparison.strategies.iter().map(totals))?;
    out.write_all(b"}\n")
}

fn field(out: &mut dyn Write, name: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    write!(out, ",\"{name}\":")?;
    Ok(serde_json::to_writer(out, value)?)
}

/// A field whose entries are written one at a time.
fn list(out: &mut dyn Write, name: &str, entries: impl Iterator<Item = Json>) -> io::Result<()> {
    write!(out, ",\"{name}\":[")?;
    for (index, entry) in entries.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &entry)?;
    }
    out.write_all(b"]")
}

/// What was returned, or the reason why nothing was.
pub(super) fn ending(ending: &Ending) -> Json {
    match ending {
        Ending::Return(value) | Ending::Fail(value) => json!({ "value": to_json(value) }),
        Ending::Error(error) => json!({ "kind": error.kind.to_string(), "message": error.message.as_str() }),
    }
}

pub(super) fn failures(part: &Part<'_>) -> Vec<Json> {
    let failures = part.measured.failures.iter();
    failures
        .map(|failure| json!({ "what": failure.what, "expected": failure.expected, "found": failure.found }))
        .collect()
}

/// The eight fields (DBG-002, S4-21). Its memory is what the turn itself defined.
fn turn(turn: &Turn) -> Json {
    let result = match &turn.result {
        Ok(value) => to_json(value),
        Err(error) => json!({ "kind": error.kind.to_string(), "message": error.message.as_str() }),
    };
    let defined = turn.memory.defined_last().filter(|definition| definition.turn == turn.number);
    json!({
        "number": turn.number,
        "raw_response": turn.raw_response.as_str(),
        "program": turn.program.as_str(),
        "result": result,
        "prints": turn.prints,
        "tool_calls": turn.tool_calls.iter().map(call).collect::<Vec<_>>(),
        "memory": defined.map(definition).collect::<Vec<_>>(),
        "success": turn.success,
    })
}

fn call(call: &ToolCall) -> Json {
    let arguments = match &call.arguments {
        Arguments::Named(map) => to_json(&crate::lisp::value::Value::Map(map.clone())),
        Arguments::Positional(values) => values.iter().map(to_json).collect(),
    };
    json!({
        "name": call.name.name(),
        "arguments": arguments,
        "result": to_json(&call.result),
        "error": call.error,
        "warnings": call.warnings,
        "captured": call.captured,
    })
}

fn definition(definition: &Definition) -> Json {
    json!({
        "name": definition.name.name(),
        "value": to_clojure(&definition.value, VALUE_ITEMS, VALUE_CHARACTERS).0.as_str(),
        "docstring": definition.docstring,
        "turn": definition.turn,
        "return_type": definition.return_type.as_ref().map(ToString::to_string),
    })
}

/// A message; the SYSTEM text itself is not repeated (DBG-006).
fn message(message: &Message, system: &str) -> Json {
    match message.role == Role::System && message.content == system {
        true => json!({ "role": message.role }),
        false => json!({ "role": message.role, "content": message.content.as_str() }),
    }
}

fn run(run: &MeasuredRun, part: &Part<'_>) -> Json {
    let requests = run.requests.iter().map(|measured| request(measured, part.header));
    json!({ "name": run.name.as_str(), "requests": requests.collect::<Vec<_>>() })
}

fn request(request: &MeasuredRequest, header: &Header) -> Json {
    let bills = header.models.iter().zip(&request.bills).map(|(price, bill)| {
        let numbers = json!({
            "cached_tokens": bill.cached_tokens,
            "written_tokens": bill.written_tokens,
            "cost": bill.cost.to_string(),
        });
        (price.model.clone(), numbers)
    });
    json!({
        "turn": request.turn,
        "messages": request.messages,
        "input_tokens": request.input_tokens,
        "output_tokens": request.output_tokens,
        "prefix_tokens": request.prefix_tokens,
        "break_at": request.break_at.to_string(),
        "evidence": evidence(&request.evidence),
        "hidden_tool_calls": request.hidden_tool_calls,
        "valid": request.valid,
        "stats": request.statistics,
        "models": bills.collect::<serde_json::Map<_, _>>(),
    })
}

fn evidence(evidence: &Evidence) -> Json {
    json!({ "needed": evidence.needed, "shown": evidence.shown, "lost": evidence.lost })
}

pub(super) fn totals(strategy: &StrategyComparison) -> Json {
    let cells = strategy.cells().into_iter().map(|(name, cell)| (name, number(&cell)));
    json!({
        "name": strategy.name,
        "totals": cells.collect::<serde_json::Map<_, _>>(),
        "by_turns_of_run": strategy.by_length,
        "by_turn": strategy.by_turn,
        "costs_by_turn": by_model(strategy, |row| json!(row.by_turn)),
        "efficient_for": strategy.costs.iter().filter(|row| row.is_efficient).map(model).collect::<Vec<_>>(),
        "estimates": strategy.costs.iter().filter(|row| row.is_estimate).map(model).collect::<Vec<_>>(),
    })
}

fn by_model(strategy: &StrategyComparison, value: impl Fn(&CostRow) -> Json) -> Json {
    strategy.costs.iter().map(|row| (row.model.clone(), value(row))).collect::<serde_json::Map<_, _>>().into()
}

fn model(row: &CostRow) -> &str {
    &row.model
}

fn number(cell: &Cell) -> Json {
    match cell {
        Cell::Count(count) => json!(count),
        Cell::Ratio(ratio) => json!(ratio),
        Cell::Money(money) => json!(money.to_string()),
        Cell::Text(text) => json!(text),
    }
}
