//! For the tightest budgets: one message, one line a section, shapes in place of samples (S2-26).

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt::Write;

use super::cut::{on_one_line, shortened};
use super::history::View;
use super::message_builder::MessageBuilder;
use super::options::{OptionRow, Options};
use super::sections::samples::write_label;
use super::sections::{error, newest, stable, turns_left, user};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError};
use crate::agent::{Agent, Part, Role, Turn};
use ptc_lisp::memory::Memory;
use ptc_lisp::print::{TypeLabel, pr_str};
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// Keys of a shape that are shown.
const KEYS: usize = 8;
/// Characters of the output and error lines that are shown.
const LINE_CHARACTERS: usize = 200;

/// `aggressive`
pub struct Aggressive;

impl Strategy for Aggressive {
    fn name(&self) -> &str {
        "aggressive"
    }

    fn doc(&self) -> &str {
        "one message of one-line sections, for the tightest budgets"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[]
    }

    fn to_messages(&self, view: &View<'_>, _: &Options) -> Result<Rendered, StrategyError> {
        let mut message = MessageBuilder::default();
        message.part(Part::Mission, |out| out.push_str(&view.agent.mission));
        let (lines, shown) = lines(view);
        message.append(lines);
        message.part(Part::TurnsLeft, |out| turns_left::section(out, view));
        let messages = vec![view.system().clone(), message.finish(Role::User)];
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}

/// The lines between mission and turns left; one with nothing to show is omitted.
fn lines(view: &View<'_>) -> (MessageBuilder, Shown) {
    let mut lines = MessageBuilder::default();
    let mut shown = Shown::default();
    lines.line(Part::Tool, |out| titled(out, ";; tool: ", |out| tools(out, view.agent)));
    lines.line(Part::Data, |out| titled(out, ";; data: ", |out| data(out, &view.agent.data)));
    lines.line(Part::Return, |out| titled(out, ";; return: ", |out| returns(out, view.agent)));
    lines.line(Part::User, |out| titled(out, ";; user: ", |out| definitions(out, view.memory)));
    shown.tool_calls = lines.line(Part::Calls, |out| titled(out, ";; calls: ", |out| calls(out, view.turns)));
    shown.printlns =
        lines.line(Part::Output, |out| titled(out, ";; output: ", |out| output(out, view.turns)));
    let failed = view.failed_last();
    shown.failed_turns = failed.iter().count() as u32;
    lines.line(Part::Error, |out| titled(out, ";; error: ", |out| error_line(out, failed)));
    (lines, shown)
}

/// What `write` writes, after the title; nothing if it writes nothing.
fn titled<T>(out: &mut String, title: &str, write: impl FnOnce(&mut String) -> T) -> T {
    let start = out.len();
    out.push_str(title);
    let written = write(out);
    if out.len() == start + title.len() {
        out.truncate(start);
    }
    written
}

/// `get-inventory() -> :map, search-reviews(...)`
fn tools(out: &mut String, agent: &Agent) {
    for (index, tool) in agent.tools.iter().enumerate() {
        separate(out, index, ", ");
        stable::signature(out, tool, "(...)");
    }
}

/// `category string products list[7]{:name :price}`
fn data(out: &mut String, data: &Bindings) {
    for (index, (name, value)) in data.iter().enumerate() {
        separate(out, index, " ");
        write_named_shape(out, *name, value);
    }
}

fn returns(out: &mut String, agent: &Agent) {
    if let Some(signature) = &agent.signature {
        let _ = write!(out, "{}", signature.returns);
    }
}

/// `(pricey? [p]) total integer`
fn definitions(out: &mut String, memory: &Memory) {
    for (index, definition) in user::functions_first(|| memory.iter()).enumerate() {
        separate(out, index, " ");
        match definition.is_function() {
            true => user::function_head(out, definition),
            false => write_named_shape(out, definition.name, &definition.value),
        }
    }
}

/// `search-reviews x3, get-inventory`, in order of first call. Gives the number of calls.
fn calls(out: &mut String, turns: &[Turn]) -> u32 {
    let mut counts: IndexMap<Symbol, u32, FxBuildHasher> = IndexMap::default();
    for call in turns.iter().filter(|turn| turn.success).flat_map(|turn| &turn.tool_calls) {
        *counts.entry(call.name).or_default() += 1;
    }
    for (index, (name, count)) in counts.iter().enumerate() {
        separate(out, index, ", ");
        out.push_str(name.name());
        if *count > 1 {
            let _ = write!(out, " x{count}");
        }
    }
    counts.values().sum()
}

/// The last print. Gives how many are shown; an empty one is not.
fn output(out: &mut String, turns: &[Turn]) -> u32 {
    let last = newest(turns, 1, |turn| &turn.prints).next().filter(|print| !print.is_empty());
    last.map_or(0, |print| {
        write_shortened(out, print);
        1
    })
}

fn error_line(out: &mut String, failed: Option<&Turn>) {
    if let Some(turn) = failed {
        write_shortened(out, &error::message(turn));
    }
}

fn write_shortened(out: &mut String, text: &str) {
    out.push_str(&shortened(&on_one_line(text), LINE_CHARACTERS));
}

/// `products list[7]{:name :price}`
fn write_named_shape(out: &mut String, name: Symbol, value: &Value) {
    out.push_str(name.name());
    out.push(' ');
    write_label(out, TypeLabel::of(value));
    if let Some(map) = keyed(value) {
        write_keys(out, map);
    }
}

/// The map whose keys say what is inside: the value itself unless empty, or the first item of a list.
fn keyed(value: &Value) -> Option<&Map> {
    match value {
        Value::Map(map) if !map.is_empty() => Some(map),
        other => match other.as_items()?.first()? {
            Value::Map(map) => Some(map),
            _ => None,
        },
    }
}

/// `{:name :price}`
fn write_keys(out: &mut String, map: &Map) {
    out.push('{');
    for (index, key) in map.keys().take(KEYS).enumerate() {
        separate(out, index, " ");
        out.push_str(&pr_str(key));
    }
    out.push_str(if map.len() > KEYS { " ...}" } else { "}" });
}

fn separate(out: &mut String, index: usize, separator: &str) {
    if index > 0 {
        out.push_str(separator);
    }
}
