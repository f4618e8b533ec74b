//! One message with one line per section, and shapes instead of samples, for the tightest budgets.

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt::Write;

use crate::agent::{Agent, MessagePart, Role, Turn};
use crate::compression::run::past_of;
use crate::compression::sections::samples::write_label;
use crate::compression::sections::{error, stable, summary, user};
use conversation::MessageBuilder;
use conversation::cut::{on_one_line, shortened};
use history_strategies::{BuiltIn, Form, Options, RequestDraft, Shown, View, write_words_of_view};
use ptc_lisp::memory::{Definition, Memory};
use ptc_lisp::print::{TypeLabel, to_clojure};
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// The most keys of a shape.
const KEYS: usize = 8;
/// The most characters of an output or error line.
const LINE_CHARACTERS: usize = 200;

/// `aggressive`
pub const AGGRESSIVE: BuiltIn = BuiltIn {
    name: "aggressive",
    doc: "one message of one-line sections, for the tightest budgets",
    form: Form::Text,
    options: &[],
    severity: None,
    render,
};

fn render(view: &View<'_>, _: &Options) -> RequestDraft {
    let mut message = MessageBuilder::default();
    message.part(MessagePart::Mission, |out| out.push_str(past_of(view).mission()));
    message.part(MessagePart::Conversation, |out| write_words_of_view(out, view));
    let (lines, shown) = write_lines(view);
    message.append_parts(lines);
    message.part(MessagePart::TurnsLeft, |out| summary::turns_left(out, view));
    view.started_by(&message.finish(Role::User), shown)
}

/// The lines between the mission and the turns-left line. Empty lines are omitted.
fn write_lines(view: &View<'_>) -> (MessageBuilder, Shown) {
    let mut lines = MessageBuilder::default();
    let mut shown = Shown::default();
    let past = past_of(view);
    if let Some(agent) = past.agent() {
        write_line(&mut lines, MessagePart::Tool, ";; tool: ", |out| write_tools(out, agent));
        write_line(&mut lines, MessagePart::Data, ";; data: ", |out| write_data(out, &agent.data));
        write_line(&mut lines, MessagePart::Return, ";; return: ", |out| write_returns(out, agent));
    }
    if let Some(memory) = past.memory() {
        write_line(&mut lines, MessagePart::User, ";; user: ", |out| write_definitions(out, view, memory));
    }
    shown.tool_calls = write_line(&mut lines, MessagePart::Calls, ";; calls: ", |out| write_calls(out, view));
    shown.printlns =
        write_line(&mut lines, MessagePart::Output, ";; output: ", |out| write_output(out, view));
    if let Some(failed) = summary::failed_last(view) {
        shown.failed_turns = 1;
        write_line(&mut lines, MessagePart::Error, ";; error: ", |out| write_error(out, failed));
    }
    (lines, shown)
}

/// Adds a part with the text of `write` after its title.
fn write_line<T>(
    lines: &mut MessageBuilder,
    part: MessagePart,
    title: &str,
    write: impl FnOnce(&mut String) -> T,
) -> T {
    lines.line(part, |out| write_titled(out, title, write))
}

/// Writes the title and the text of `write`; nothing if that is empty.
fn write_titled<T>(out: &mut String, title: &str, write: impl FnOnce(&mut String) -> T) -> T {
    let start = out.len();
    out.push_str(title);
    let written = write(out);
    if out.len() == start + title.len() {
        out.truncate(start);
    }
    written
}

/// `get-inventory() -> :map, search-reviews(...)`
fn write_tools(out: &mut String, agent: &Agent) {
    for (index, tool) in agent.tools.iter().enumerate() {
        write_separator(out, index, ", ");
        stable::signature(out, tool, "(...)");
    }
}

/// `category string products list[7]{:name :price}`
fn write_data(out: &mut String, data: &Bindings) {
    for (index, (name, value)) in data.iter().enumerate() {
        write_separator(out, index, " ");
        write_named_shape(out, *name, value);
    }
}

fn write_returns(out: &mut String, agent: &Agent) {
    if let Some(signature) = &agent.signature {
        let _ = write!(out, "{}", signature.returns);
    }
}

/// The shapes of the definitions in the newest request, in order of first definition.
#[derive(Default)]
struct Shapes(Vec<Shape>);

/// The shape of a definition.
struct Shape {
    /// The turn with the definition. A later turn may define the name again.
    turn: u32,
    is_function: bool,
    text: String,
}

impl Shape {
    fn new(definition: &Definition) -> Shape {
        let mut text = String::new();
        if definition.is_function() {
            user::function_head(&mut text, definition);
        } else {
            write_named_shape(&mut text, definition.name, &definition.value);
        }
        Shape { turn: definition.turn, is_function: definition.is_function(), text }
    }
}

/// `(pricey? [p]) total integer`
fn write_definitions(out: &mut String, view: &View<'_>, memory: &Memory) {
    view.carry(|Shapes(shapes): &mut Shapes| {
        for (index, definition) in memory.iter().enumerate() {
            match shapes.get_mut(index) {
                Some(shape) if shape.turn == definition.turn => {}
                Some(shape) => *shape = Shape::new(definition),
                None => shapes.push(Shape::new(definition)),
            }
        }
        let mut written = 0;
        for wants_functions in [true, false] {
            for shape in shapes.iter() {
                if shape.is_function == wants_functions {
                    write_separator(out, written, " ");
                    out.push_str(&shape.text);
                    written += 1;
                }
            }
        }
    });
}

/// The calls of the successful turns before the newest request.
#[derive(Default)]
struct Calls {
    turns: usize,
    /// In order of first call.
    by_name: IndexMap<EcoString, u32, FxBuildHasher>,
}

/// `search-reviews x3, get-inventory`, in order of first call. Returns the number of calls.
fn write_calls(out: &mut String, view: &View<'_>) -> u32 {
    view.carry(|Calls { turns, by_name }: &mut Calls| {
        for turn in past_of(view).turns().skip(*turns) {
            if !turn.has_succeeded() {
                continue;
            }
            for call in turn.calls() {
                match by_name.get_mut(call.name()) {
                    Some(count) => *count += 1,
                    None => drop(by_name.insert(call.name().into(), 1)),
                }
            }
        }
        *turns = view.completed();
        for (index, (name, count)) in by_name.iter().enumerate() {
            write_separator(out, index, ", ");
            out.push_str(name);
            if *count > 1 {
                let _ = write!(out, " x{count}");
            }
        }
        by_name.values().sum()
    })
}

/// Writes the last print unless it is empty. Returns the number of prints shown.
fn write_output(out: &mut String, view: &View<'_>) -> u32 {
    match summary::newest_prints(past_of(view), 1).first() {
        Some(print) if !print.is_empty() => {
            write_shortened(out, print);
            1
        }
        _ => 0,
    }
}

fn write_error(out: &mut String, failed: Turn<'_>) {
    write_shortened(out, &error::message(failed));
}

fn write_shortened(out: &mut String, text: &str) {
    out.push_str(&shortened(&on_one_line(text), LINE_CHARACTERS));
}

/// `products list[7]{:name :price}`
fn write_named_shape(out: &mut String, name: Symbol, value: &Value) {
    out.push_str(name.name());
    out.push(' ');
    write_label(out, TypeLabel::of(value));
    if let Some(map) = keyed_fields(value) {
        write_keys(out, map);
    }
}

/// The map with the keys for the shape: the value itself, or the first item of a list. `None` for an empty map.
fn keyed_fields(value: &Value) -> Option<&Map> {
    match value {
        Value::Map(map) if !map.is_empty() => Some(map),
        list => match list.as_items()?.first()? {
            Value::Map(map) => Some(map),
            _ => None,
        },
    }
}

/// `{:name :price}`
fn write_keys(out: &mut String, map: &Map) {
    out.push('{');
    for (index, key) in map.keys().take(KEYS).enumerate() {
        write_separator(out, index, " ");
        out.push_str(&to_clojure(key, KEYS, LINE_CHARACTERS).0);
    }
    out.push_str(if map.len() > KEYS { " ...}" } else { "}" });
}

fn write_separator(out: &mut String, index: usize, separator: &str) {
    if index > 0 {
        out.push_str(separator);
    }
}
