//! Runs made by hand: turns built by a test, put together as the agent loop would.

use std::fmt;
use std::sync::Arc;

use ptc_eval::agent::{Agent, Behaviour, Message, ProgramRun, ProgramTurn, Tool, ToolCall};
use ptc_eval::compression::{Rendered, StrategyError, Variant, history_of};
use ptc_eval::signature::{Field, Shape, Signature, Type};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::limits::{Limits, Usage};
use ptc_lisp::memory::Definition;
use ptc_lisp::print::TypeLabel;
use ptc_lisp::session::{Arguments, Bindings, Ended, Environment, NoTools, Session};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// A run and its agent.
pub struct Story {
    pub agent: Agent,
    pub turns: Vec<ProgramTurn>,
}

impl fmt::Debug for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.messages("full-history"))
    }
}

/// A turn under construction.
#[derive(Clone, Debug)]
pub struct Told {
    raw_response: Option<String>,
    program: String,
    result: Result<Value, Error>,
    prints: Vec<String>,
    calls: Vec<ToolCall>,
    definitions: Vec<Definition>,
}

/// A successful turn.
pub fn ok(program: &str) -> Told {
    Told {
        raw_response: None,
        program: program.to_string(),
        result: Ok(Value::Nil),
        prints: vec![],
        calls: vec![],
        definitions: vec![],
    }
}

/// A failed turn.
pub fn failed(program: &str, message: &str) -> Told {
    Told { result: Err(Error::new(ErrorKind::TypeError, message)), ..ok(program) }
}

impl Told {
    pub fn raw(mut self, raw_response: &str) -> Told {
        self.raw_response = Some(raw_response.to_string());
        self
    }

    pub fn gives(mut self, value: Value) -> Told {
        self.result = Ok(value);
        self
    }

    pub fn prints<T: AsRef<str>>(mut self, prints: &[T]) -> Told {
        self.prints = prints.iter().map(|print| print.as_ref().to_string()).collect();
        self
    }

    pub fn calls(mut self, calls: Vec<ToolCall>) -> Told {
        self.calls = calls;
        self
    }

    pub fn defines(mut self, definitions: Vec<Definition>) -> Told {
        self.definitions = definitions;
        self
    }
}

impl Story {
    /// These turns of this agent.
    pub fn of(agent: Agent, told: Vec<Told>) -> Story {
        let mut turns = Vec::new();
        let mut definitions: Vec<Definition> = Vec::new();
        for (number, told) in (1..).zip(told) {
            let success = told.result.is_ok();
            if success {
                told.definitions.iter().for_each(|definition| define(&mut definitions, definition, number));
            }
            let response = format!("```clojure\n{}\n```", told.program);
            turns.push(ProgramTurn {
                number,
                raw_response: told.raw_response.unwrap_or(response).into(),
                program: told.program.into(),
                result: told.result,
                prints: told.prints.into_iter().map(Into::into).collect(),
                tool_calls: told.calls,
                memory: definitions.iter().cloned().collect(),
                success,
                usage: Usage::default(),
            });
        }
        Story { agent, turns }
    }

    /// These turns of an agent with nothing but a mission.
    pub fn plain(turns: Vec<Told>) -> Story {
        Story::of(agent(), turns)
    }

    pub fn run(&self) -> ProgramRun {
        ProgramRun { agent: Arc::new(self.agent.clone()), turns: self.turns.clone() }
    }

    /// The request after the first `completed` turns.
    pub fn after(&self, variant: &Variant<'_>, completed: usize) -> Rendered {
        self.try_after(variant, completed).unwrap()
    }

    /// The request, or the error of rendering it.
    pub fn try_after(&self, variant: &Variant<'_>, completed: usize) -> Result<Rendered, StrategyError> {
        let tokens = |text: &str| text.len() as u64;
        variant.render(&history_of(self.run().past(), &tokens).after(completed))
    }

    /// The last request.
    pub fn last(&self, variant: &Variant<'_>) -> Rendered {
        self.after(variant, self.turns.len())
    }

    /// The last request under this strategy, without SYSTEM.
    pub fn messages(&self, strategy: &str) -> String {
        script(&self.last(&named(strategy)).messages)
    }

    /// The last message of the last request under `single-user-coalesced`, without mission and turns left.
    pub fn summary(&self) -> String {
        self.middle(&named("single-user-coalesced"))
    }

    /// The last message of the last request, without mission and turns left.
    pub fn middle(&self, variant: &Variant<'_>) -> String {
        let messages = self.last(variant).messages;
        let text = messages.last().unwrap().content.as_str();
        let text = text.strip_prefix("Do it").expect("the mission comes first (MSG-003)");
        let end = text.rfind("\n\n").expect("turns left come last (MSG-005)");
        text[..end].strip_prefix("\n\n").unwrap_or_default().to_string()
    }
}

/// A redefinition keeps the place of the first and forgets docstring and type (DEF-001, DEF-002).
fn define(definitions: &mut Vec<Definition>, new: &Definition, turn: u32) {
    let new = Definition { turn, ..new.clone() };
    match definitions.iter_mut().find(|definition| definition.name == new.name) {
        Some(definition) => *definition = new,
        None => definitions.push(new),
    }
}

/// The messages after SYSTEM, each under a line with its role.
pub fn script(messages: &[Message]) -> String {
    let blocks =
        messages.iter().skip(1).map(|message| format!("[{}]\n{}", message.role.name(), message.content));
    blocks.collect::<Vec<_>>().join("\n")
}

pub fn named(strategy: &str) -> Variant<'static> {
    ptc_eval::compression::named(strategy).unwrap()
}

/// An agent with nothing but a mission and five turns.
pub fn agent() -> Agent {
    Agent { mission: "Do it".to_string(), max_turns: 5, ..Agent::default() }
}

/// The agent of the examples: two tools, one entry of data, a return type.
pub fn shop_agent() -> Agent {
    let returns = list_type(Shape::Record(vec![field("name", Shape::String)]));
    let search = signature(vec![field("query", Shape::String)], Shape::String);
    Agent {
        mission: "Find well-reviewed products in stock".to_string(),
        tools: vec![
            tool("get-inventory", Some(signature(vec![], Shape::Map)), None),
            tool("search-reviews", Some(search), Some("Customer reviews for a category")),
        ],
        data: bindings(vec![("products", products(7))]),
        signature: Some(signature(vec![], returns)),
        ..agent()
    }
}

pub fn tool(name: &str, signature: Option<Signature>, description: Option<&str>) -> Tool {
    Tool {
        name: Symbol::new(name),
        signature,
        description: description.map(str::to_string),
        behaviour: Behaviour::Always(vec![]),
    }
}

pub fn bindings(entries: Vec<(&str, Value)>) -> Arc<Bindings> {
    Arc::new(entries.into_iter().map(|(name, value)| (Symbol::new(name), value)).collect())
}

pub fn signature(parameters: Vec<Field>, returns: Shape) -> Signature {
    Signature { parameters, returns: required(returns) }
}

pub fn field(name: &str, shape: Shape) -> Field {
    Field { name: name.to_string(), kind: required(shape) }
}

pub fn list_type(shape: Shape) -> Shape {
    Shape::List(Box::new(required(shape)))
}

fn required(shape: Shape) -> Type {
    Type { shape, optional: false }
}

/// A list of this many products, all laptops.
pub fn products(count: usize) -> Value {
    let laptop = map(vec![
        (":name", Value::from("Laptop")),
        (":price", Value::Int(1200)),
        (":category", Value::from("Electronics")),
    ]);
    Value::vector(vec![laptop; count])
}

/// Keys that begin with a colon are keywords.
pub fn map(entries: Vec<(&str, Value)>) -> Value {
    let mut map = Map::new();
    for (key, value) in entries {
        let key = key.strip_prefix(':').map_or_else(|| Value::from(key), Value::keyword);
        map.insert(key, value);
    }
    Value::map(map)
}

pub fn ints(numbers: impl IntoIterator<Item = i64>) -> Value {
    Value::vector(numbers.into_iter().map(Value::Int).collect::<Vec<_>>())
}

/// A positional call with a captured result.
pub fn call(name: &str, arguments: Vec<Value>) -> ToolCall {
    ToolCall {
        name: Symbol::new(name),
        arguments: Arguments::Positional(arguments),
        result: Value::Nil,
        error: None,
        warnings: vec![],
        captured: true,
    }
}

/// A positional call without a captured result.
pub fn loose_call(name: &str, arguments: Vec<Value>, result: Value) -> ToolCall {
    ToolCall { result, captured: false, ..call(name, arguments) }
}

pub fn named_call(name: &str, arguments: Value) -> ToolCall {
    let Value::Map(map) = arguments else { panic!("named arguments are a map") };
    ToolCall { arguments: Arguments::Named(map), ..call(name, vec![]) }
}

pub fn value(name: &str, value: Value) -> Definition {
    Definition { name: Symbol::new(name), value, docstring: None, turn: 0, return_type: None }
}

/// A function with these parameter lists.
pub fn function(name: &str, parameters: &[&str]) -> Definition {
    let lists: String = parameters.iter().map(|list| format!("({list} nil)")).collect();
    let mut session = Session::new(Environment::default(), Limits::default());
    match session.run("test", &format!("(fn {name} {lists})"), 1, &mut NoTools).ended {
        Ended::Value(function) => value(name, function),
        other => panic!("{name}: {other:?}"),
    }
}

pub fn documented(definition: Definition, docstring: &str) -> Definition {
    Definition { docstring: Some(docstring.into()), ..definition }
}

pub fn returning(definition: Definition, value: &Value) -> Definition {
    Definition { return_type: Some(TypeLabel::of(value)), ..definition }
}
