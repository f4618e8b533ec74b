//! Lookup of names while the program runs (`docs/language.md` §6.2), and calls of tools (§7.1).

use super::*;
use crate::error::Error;
use crate::resolve::SPECIAL_FORMS;
use crate::session::{Arguments, ToolRequest};
use crate::{atom, builtins};

impl Interpreter<'_> {
    /// A free name: definitions, then tools and data, then builtins.
    pub(super) fn global(&mut self, global: &Global) -> Eval {
        if let Some(value) = self.state.lookup(global) {
            return Ok(value.clone());
        }
        let (tool, data) = (self.find_tool(global.name), self.find_data(global.name));
        match (tool, data) {
            (Some(_), Some(_)) => {
                let message = format!(
                    "Symbol '{}' exists in both tool/ and data/ namespaces. Use explicit namespace.",
                    global.name
                );
                raise(ErrorKind::AmbiguousReference, message).map_err(at(global.span))
            }
            (Some(tool), None) => Ok(Value::Function(Function::Tool(tool))),
            (None, Some(value)) => Ok(value),
            (None, None) => match builtins::value(global.name.name()) {
                Some(value) => Ok(value),
                None => Err(self.undefined(global.name, &global.locals)).map_err(at(global.span)),
            },
        }
    }

    /// `user/name`
    pub(super) fn user(&mut self, global: &Global) -> Eval {
        match self.state.lookup(global) {
            Some(value) => Ok(value.clone()),
            None => Err(self.undefined(global.name, &[])).map_err(at(global.span)),
        }
    }

    /// The value of a variable when it is called.
    pub(super) fn var_value(&mut self, name: Symbol) -> Eval {
        self.global(&Global::new(name, Default::default(), Box::default()))
    }

    /// `tool/name`
    pub(super) fn tool_value(&mut self, name: Symbol) -> Eval {
        match self.find_tool(name) {
            Some(tool) => Ok(Value::Function(Function::Tool(tool))),
            None => raise(ErrorKind::ToolNotFound, self.unknown_tool(name)),
        }
    }

    /// `data/name`
    pub(super) fn data_value(&mut self, name: Symbol) -> Eval {
        if let Some(value) = self.find_data(name) {
            return Ok(value);
        }
        let mut names: Vec<&str> = self.environment.data.keys().map(|key| key.name()).collect();
        names.sort_unstable();
        let available = match names.as_slice() {
            [] => "No data available.".to_string(),
            names => format!("Available data: {}", names.join(", ")),
        };
        raise(ErrorKind::DataNotFound, format!("data/{name} is not defined. {available}"))
    }

    fn find_tool(&self, name: Symbol) -> Option<Symbol> {
        let tools = if self.host.is_some() { self.environment.tools.as_slice() } else { &[] };
        find_name(tools.iter().copied(), name)
    }

    fn find_data(&self, name: Symbol) -> Option<Value> {
        let data = &self.environment.data;
        if let Some(value) = data.get(&name) {
            return Some(value.clone());
        }
        find_name(data.keys().copied(), name).and_then(|key| data.get(&key).cloned())
    }

    fn unknown_tool(&self, name: Symbol) -> String {
        match (self.host.is_some(), self.environment.tools.as_slice()) {
            (false, _) | (_, []) => format!("Unknown tool: {name}. No tools available."),
            (true, tools) => {
                let mut names: Vec<&str> = tools.iter().map(|tool| tool.name()).collect();
                names.sort_unstable();
                format!("Unknown tool: {name}. Available tools: {}", names.join(", "))
            }
        }
    }

    /// The search for what was meant costs a tick for eight names, once a program catches the error and goes on.
    fn undefined(&mut self, name: Symbol, locals: &[Symbol]) -> Box<Unwind> {
        let own = locals.len() + self.state.names().count();
        let given = self.environment.tools.len() + self.environment.data.len();
        self.searched = (own + given + hint::LANGUAGE_NAMES) / 8;
        let known = locals
            .iter()
            .copied()
            .chain(self.state.names())
            .chain(self.environment.tools.iter().copied())
            .chain(self.environment.data.keys().copied())
            .map(|name| name.name());
        let forms: Vec<&str> = SPECIAL_FORMS.iter().map(|form| form.name).collect();
        let shown = atom::shown(name.name());
        let message = match hint::undefined(name.name(), &forms, known) {
            Some(hint) => format!("undefined symbol '{shown}'. {hint}"),
            None => format!("undefined symbol '{shown}'"),
        };
        Error::new(ErrorKind::UndefinedSymbol, message).into()
    }

    /// While the tool runs there are no tools and prints go nowhere.
    pub(super) fn call_tool(&mut self, name: Symbol, arguments: &mut [Value]) -> Eval {
        self.tick(0)?;
        let Some(host) = self.host.take() else {
            return raise(ErrorKind::ToolNotFound, self.unknown_tool(name));
        };
        if let Some(limit) = self.limits.tool_calls
            && self.tool_calls >= limit
        {
            self.host = Some(host);
            let message = format!("tool call limit exceeded: {limit} calls per turn");
            return raise(ErrorKind::ToolCallLimitExceeded, message);
        }
        self.tool_calls += 1;
        let request = ToolRequest { name, arguments: passed(arguments), captured: self.capturing > 0 };
        let muted = std::mem::replace(&mut self.output.muted, true);
        let result = host.call_tool(self, request);
        self.output.muted = muted;
        self.host = Some(host);
        if was_refused(&result) {
            self.tool_calls -= 1;
        }
        result
    }
}

/// A call with wrong arguments is not recorded and does not count towards the limit.
fn was_refused(result: &Eval) -> bool {
    match result.as_ref().map_err(|unwind| &**unwind) {
        Err(Unwind::Error(error)) => matches!(error.kind, ErrorKind::ToolArgsError | ErrorKind::ToolNotFound),
        _ => false,
    }
}

/// A map, or keywords and values in turn, are named arguments; anything else is positional.
fn passed(arguments: &mut [Value]) -> Arguments {
    match arguments {
        [] => Arguments::Named(Arc::new(Map::new())),
        [Value::Map(map)] => Arguments::Named(map.clone()),
        several if is_named(several) => {
            let pairs = several.chunks_exact_mut(2).map(|pair| (pair[0].take(), pair[1].take()));
            Arguments::Named(Arc::new(pairs.collect()))
        }
        several => Arguments::Positional(several.iter_mut().map(Value::take).collect()),
    }
}

fn is_named(arguments: &[Value]) -> bool {
    arguments.len().is_multiple_of(2)
        && arguments.iter().step_by(2).all(|key| matches!(key, Value::Keyword(_)))
}

/// The name itself, or its only spelling with other `-` and `_`.
fn find_name(mut names: impl Iterator<Item = Symbol> + Clone, wanted: Symbol) -> Option<Symbol> {
    if names.clone().any(|name| name == wanted) {
        return Some(wanted);
    }
    let found = names.find(|name| hint::is_respelling(wanted.name(), name.name()))?;
    names.all(|name| !hint::is_respelling(wanted.name(), name.name())).then_some(found)
}
