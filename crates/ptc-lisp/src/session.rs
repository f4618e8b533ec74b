//! A sequence of programs that share `user/` and `*1 *2 *3`, such as the turns of an agent. The caller validates the result
//! of each and commits it or rolls it back.

use std::sync;

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use triomphe::Arc;

use super::error::{Error, ErrorKind, Eval, Unwind, raise};
use super::eval::{Interpreter, UNBOUNDED};
use super::expr::{Global, Program};
use super::hint::is_respelling;
use super::lenient::{Reading, read_lenient};
use super::limits::{Limits, Usage};
use super::memory::{Definition, Memory};
use super::print::TypeLabel;
use super::resolve::{IsKnown, is_qualified, resolve, resolve_prelude};
use super::source::Source;
use super::symbol::Symbol;
use super::table::Map;
use super::value::{Function, Value};

/// Named values, in a fixed order.
pub type Bindings = IndexMap<Symbol, Value, FxBuildHasher>;

/// 2024-01-01T00:00:00Z in milliseconds since 1970: when every program runs (`docs/language.md` §16.2).
pub const CLOCK: i64 = 1_704_067_200_000;

/// Tools, data and clock of programs.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Names of the registered tools, sorted.
    pub tools: Vec<Symbol>,
    /// `data/`, sorted by name.
    pub data: sync::Arc<Bindings>,
    /// The clock, in milliseconds since 1970; it does not advance.
    pub now: i64,
}

/// Arguments of a tool call (`docs/language.md` §7.1).
#[derive(Clone, Debug)]
pub enum Arguments {
    /// By name.
    Named(Arc<Map>),
    /// By position.
    Positional(Vec<Value>),
}

/// A call of a tool, not yet checked.
#[derive(Clone, Debug)]
pub struct ToolRequest {
    /// The tool.
    pub name: Symbol,
    /// The arguments as the program passed them.
    pub arguments: Arguments,
    /// Made while the value of a `def` was being evaluated.
    pub captured: bool,
}

/// Answers tool calls. It records them too; the interpreter keeps no record.
pub trait Host {
    /// The result of the call, or the error that ends the program. The interpreter can run a tool written in PTC-Lisp:
    /// during the call it has no tools and captures no prints.
    fn call_tool(&mut self, interpreter: &mut Interpreter<'_>, request: ToolRequest) -> Eval<Value>;
}

/// The host of programs that have no tools.
pub struct NoTools;

impl Host for NoTools {
    fn call_tool(&mut self, _: &mut Interpreter<'_>, request: ToolRequest) -> Eval {
        raise(ErrorKind::ToolNotFound, format!("Unknown tool: {}. No tools available.", request.name))
    }
}

/// The end of a program.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It ran to its end with this value.
    Value(Value),
    /// `(return value)`
    Return(Value),
    /// `(fail value)`
    Fail(Value),
    /// An error that nothing caught.
    Error(Error),
}

/// Result of one program (`docs/language.md` §10).
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The end of the program.
    pub ended: Ended,
    /// One entry per print.
    pub prints: Vec<EcoString>,
    /// Resources that it spent.
    pub usage: Usage,
}

/// The state that programs leave behind.
pub struct Session {
    environment: Environment,
    limits: Limits,
    state: State,
    /// Definitions before the last program.
    before: Memory,
}

/// Definitions, and the changes of the running program.
#[derive(Default)]
pub struct State {
    memory: Memory,
    places: FxHashMap<Symbol, u32>,
    /// Definitions of preludes, by their names with namespaces.
    preludes: FxHashMap<Symbol, Value>,
    /// `*1 *2 *3`
    history: [Value; 3],
    /// The turn of the program at hand.
    turn: u32,
    /// Entries that it defined.
    defined: Vec<u32>,
    /// The last id given to a closure.
    last_id: u32,
    /// Types that functions returned last, by id.
    returned: Vec<Option<TypeLabel>>,
    /// The types before this program, for functions that returned another one since.
    returned_before: Vec<(u32, Option<TypeLabel>)>,
}

impl Session {
    /// A session without definitions.
    pub fn new(environment: Environment, limits: Limits) -> Session {
        Session { environment, limits, state: State::default(), before: Memory::default() }
    }

    /// The names of the tools.
    pub fn tools(&self) -> &[Symbol] {
        &self.environment.tools
    }

    /// The values of `data/`.
    pub fn data(&self) -> &sync::Arc<Bindings> {
        &self.environment.data
    }

    /// Sets `data/` of later programs, sorted by name.
    pub fn provide(&mut self, data: sync::Arc<Bindings>) {
        self.environment.data = data;
    }

    /// Runs a prelude, which begins with `(ns NAME …)`. Later programs and preludes call its definitions as
    /// `NAME/name`. It has no tools while it runs, but its functions do.
    ///
    /// # Errors
    /// The prelude is no program, or does not run to its end.
    pub fn load(&mut self, name: &str, prelude: &str) -> Result<(), Error> {
        let known = |name: Symbol| self.state.is_defined(name);
        let Reading { source, forms } = read_lenient(&Source::new(name, prelude));
        let source = sync::Arc::new(source);
        let program = forms.and_then(|forms| resolve_prelude(&source, &forms, &known));
        let program = program.map_err(|error| error.in_source(&source))?;
        let mut host = NoTools;
        let mut interpreter = Interpreter::new(self.limits, &self.environment, &mut self.state, &mut host);
        match interpreter.run(&program).map_err(|unwind| *unwind) {
            Ok(_) => Ok(()),
            Err(Unwind::Error(error)) => Err(error),
            Err(Unwind::Return(_) | Unwind::Fail(_)) => {
                Err(Error::new(ErrorKind::InvalidForm, "a prelude defines names; it has nothing to return"))
            }
        }
    }

    /// Returns true if a definition, tool or data has the name.
    pub fn knows(&self, name: Symbol) -> bool {
        self.state.is_defined(name) || self.environment.has(name)
    }

    /// `user/` after the last program.
    pub fn memory(&self) -> &Memory {
        &self.state.memory
    }

    /// Reads, analyses and runs one program, the one of this turn (from 1). Its definitions are pending
    /// until [`Session::commit`] or [`Session::roll_back`] is called.
    pub fn run(&mut self, name: &str, program: &str, turn: u32, host: &mut dyn Host) -> Outcome {
        self.before = self.state.memory.clone();
        self.state.begin(turn);
        let program = match prepare(name, program, &|name| self.knows(name)) {
            Ok(program) => program,
            Err(error) => {
                return Outcome { ended: Ended::Error(error), prints: Vec::new(), usage: Usage::default() };
            }
        };
        let mut interpreter = Interpreter::new(self.limits, &self.environment, &mut self.state, host);
        let ended = match interpreter.run(&program) {
            Ok(value) => Ended::Value(value),
            Err(unwind) => match *unwind {
                Unwind::Return(value) => Ended::Return(value),
                Unwind::Fail(value) => Ended::Fail(value),
                Unwind::Error(error) => Ended::Error(error),
            },
        };
        let ended = match ended {
            Ended::Value(Value::Generator(_))
            | Ended::Return(Value::Generator(_))
            | Ended::Fail(Value::Generator(_)) => {
                Ended::Error(Error::new(ErrorKind::InfiniteSequence, UNBOUNDED))
            }
            ended => ended,
        };
        let (prints, usage) = interpreter.finish();
        Outcome { ended, prints, usage }
    }

    /// Keeps what the last program defined. A value shifts `*1 *2 *3` (`docs/language.md` §6.5).
    pub fn commit(&mut self, value: Option<Value>) {
        self.state.commit();
        if let Some(value) = value {
            self.state.history.rotate_right(1);
            self.state.history[0] = value;
        }
    }

    /// Forgets what the last program defined and what functions returned in it.
    pub fn roll_back(&mut self) {
        self.state.roll_back(self.before.clone());
    }
}

/// Reads and resolves a program. `is_known` returns true for names defined before it runs.
///
/// # Errors
/// When the text is no program.
pub fn prepare(name: &str, text: &str, is_known: IsKnown<'_>) -> Result<Program, Error> {
    let Reading { source, forms } = read_lenient(&Source::new(name, text));
    let source = sync::Arc::new(source);
    let program = forms.and_then(|forms| resolve(&source, &forms, is_known));
    program.map_err(|error| error.in_source(&source))
}

impl Environment {
    /// Returns true if a bare name could mean a tool or data.
    fn has(&self, name: Symbol) -> bool {
        if is_qualified(name.name()) {
            return false;
        }
        self.tools.iter().chain(self.data.keys()).any(|other| is_respelling(name.name(), other.name()))
    }
}

impl State {
    fn begin(&mut self, turn: u32) {
        self.turn = turn;
        self.defined.clear();
        self.returned_before.clear();
    }

    /// Returns true for a definition, and for the namespace of a prelude with a slash at its end.
    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        let is_in_namespace = |known: &Symbol| known.name().starts_with(name.name());
        self.places.contains_key(&name)
            || self.preludes.contains_key(&name)
            || name.name().ends_with('/') && self.preludes.keys().any(is_in_namespace)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.memory.iter().map(|definition| definition.name)
    }

    /// The value of a definition; the name remembers its place.
    #[inline]
    pub(super) fn lookup(&self, global: &Global) -> Option<&Value> {
        match self.memory.get(global.place()) {
            Some(definition) if definition.name == global.name => Some(&definition.value),
            _ => self.find(global),
        }
    }

    #[cold]
    fn find(&self, global: &Global) -> Option<&Value> {
        let Some(&place) = self.places.get(&global.name) else { return self.preludes.get(&global.name) };
        global.remember(place);
        self.memory.get(place as usize).map(|definition| &definition.value)
    }

    pub(super) fn history(&self, index: u8) -> Value {
        self.history.get(index as usize).cloned().unwrap_or_default()
    }

    /// Defines a name at once; a closure gets an id under which its return types are recorded.
    pub(super) fn define(&mut self, name: Symbol, value: Value, docstring: Option<EcoString>) {
        if is_qualified(name.name()) {
            self.preludes.insert(name, value);
            return;
        }
        let (value, id) = self.with_id(value);
        let return_type = self.returned.get(id as usize).copied().flatten();
        let definition = Definition { name, value, docstring, turn: self.turn, return_type };
        let place = *self.places.entry(name).or_insert(self.memory.len() as u32);
        match self.memory.get_mut(place as usize) {
            Some(old) => *old = definition,
            None => self.memory.add_definition(definition),
        }
        if !self.defined.contains(&place) {
            self.defined.push(place);
        }
    }

    fn with_id(&mut self, value: Value) -> (Value, u32) {
        let Value::Function(Function::Closure(closure)) = &value else { return (value, 0) };
        if closure.id != 0 {
            let id = closure.id;
            return (value, id);
        }
        self.last_id += 1;
        let closure = Arc::new(closure.sibling(closure.member, self.last_id));
        (Value::Function(Function::Closure(closure)), self.last_id)
    }

    /// Records what a defined function returned; the latest call that came back wins.
    pub(super) fn returned(&mut self, id: u32, label: TypeLabel) {
        let index = id as usize;
        if self.returned.get(index) == Some(&Some(label)) {
            return;
        }
        if self.returned.len() <= index {
            self.returned.resize(index + 1, None);
        }
        let before = self.returned[index].replace(label);
        self.returned_before.push((id, before));
    }

    fn commit(&mut self) {
        if !self.returned_before.is_empty() {
            for place in 0..self.memory.len() {
                self.update_return_type(place);
            }
            self.returned_before.clear();
        }
        self.defined.sort_unstable();
        self.memory.set_latest(std::mem::take(&mut self.defined));
    }

    fn roll_back(&mut self, memory: Memory) {
        let kept = memory.len() as u32;
        self.places.retain(|_, place| *place < kept);
        self.memory = memory;
        for (id, before) in self.returned_before.drain(..).rev() {
            if let Some(returned) = self.returned.get_mut(id as usize) {
                *returned = before;
            }
        }
    }

    fn update_return_type(&mut self, place: usize) {
        let Some(definition) = self.memory.get(place) else { return };
        let Value::Function(Function::Closure(closure)) = &definition.value else { return };
        let Some(label) = self.returned.get(closure.id as usize).copied().flatten() else { return };
        if definition.return_type != Some(label)
            && let Some(definition) = self.memory.get_mut(place)
        {
            definition.return_type = Some(label);
        }
    }
}
