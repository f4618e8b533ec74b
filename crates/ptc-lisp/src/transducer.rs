//! Transducers (`docs/language.md` §4.7): `map`, `filter` and the like without a collection. A transducer is a row of
//! steps; running it sends each item of a source through them, one at a time. `own` runs transducers that contain
//! functions of the program.

mod own;

use triomphe::Arc;

use super::builtins::{CAT, Call, IDENTITY, Rows, Source, Substitutes, Walk};
use super::error::Eval;
use super::eval::Interpreter;
use super::meter;
use super::stack::guarded;
use super::table::Set;
use super::value::{Function, Value};

pub use own::{Segments, reduce};

/// Cost of a step, in bytes.
const STEP_BYTES: usize = 64;

/// Result of `map`, `filter` and the like without a collection.
pub struct Transducer {
    stages: Vec<Stage>,
}

/// A part of a transducer.
#[derive(Clone)]
pub enum Stage {
    Steps(Vec<Step>),
    /// A function of the program that makes a reducing function of another.
    Own(Value),
}

/// One transformation together with its state, which in a transducer is the initial one.
#[derive(Clone)]
pub enum Step {
    Map(Value),
    MapIndexed {
        function: Value,
        index: i64,
    },
    Mapcat(Value),
    Cat,
    Filter {
        predicate: Value,
        wanted: bool,
    },
    Keep(Value),
    KeepIndexed {
        function: Value,
        index: i64,
    },
    /// Number of items that may still pass.
    Take(usize),
    TakeWhile(Value),
    TakeNth {
        step: usize,
        index: usize,
    },
    /// Number of items still to drop.
    Drop(usize),
    /// The predicate, until it has failed.
    DropWhile(Option<Value>),
    Replace(Substitutes),
    Distinct(Set),
    /// The last item.
    Dedupe(Option<Value>),
    PartitionAll {
        size: usize,
        part: Vec<Value>,
    },
    PartitionBy {
        function: Value,
        key: Option<Value>,
        part: Vec<Value>,
    },
    Interpose {
        separator: Value,
        started: bool,
    },
    /// `found` is the item that the predicate has accepted.
    HaltWhen {
        predicate: Value,
        combine: Value,
        found: Option<Value>,
    },
}

/// Answer of a step or sink: go on, or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    More,
    Done,
}

/// The item at which `halt-when` ended everything, and what makes the result of it.
pub struct Halt {
    item: Value,
    combine: Value,
}

/// Takes the items that come out at the end.
pub type Sink<'s> = dyn FnMut(&mut Interpreter<'_>, Value) -> Eval<Flow> + 's;

/// Output of a step for one item.
enum Output {
    Nothing,
    One(Value),
    /// One item, and no other will follow.
    Last(Value),
    Many(Walk),
    /// A part that is complete. The step keeps the first item of the next one.
    Part(Value),
    Stop,
}

/// The transducer that applies these in order. Values that are no transducers are left out.
pub fn compose(cx: &mut Interpreter<'_>, parts: &[Value]) -> Eval {
    let mut stages = Vec::new();
    for part in parts {
        for stage in stages_of(part).unwrap_or_default() {
            cx.allocate(STEP_BYTES * stage.len())?;
            match (stages.last_mut(), stage) {
                (Some(Stage::Steps(steps)), Stage::Steps(added)) => steps.extend(added),
                (_, stage) => stages.push(stage),
            }
        }
    }
    Ok(value_of(stages))
}

/// True if a value can be part of a transducer: a transducer, `cat`, `identity`, or a function of the program.
pub fn is_part(value: &Value) -> bool {
    is_own(value) || matches!(value, Value::Function(Function::Transducer(_))) || built_in(value).is_some()
}

fn is_own(value: &Value) -> bool {
    matches!(value, Value::Function(Function::Closure(_) | Function::Composed(_)))
}

/// The stages of a transducer that contains functions of the program, for `reduce`; none of any other value.
pub fn own_stages(transducer: &Value) -> Option<Vec<Stage>> {
    stages_of(transducer).filter(|stages| stages.iter().any(|stage| matches!(stage, Stage::Own(_))))
}

/// Sends the items of a source through a transducer into a sink.
pub fn run(cx: &mut Call, transducer: &Value, mut source: Source, sink: &mut Sink<'_>) -> Eval<Option<Halt>> {
    let Some(mut steps) = steps_of(transducer) else { return cx.type_error("a transducer", transducer) };
    while let Some(item) = source.next(cx)? {
        if feed(cx, &mut steps, item, sink)? == Flow::Done {
            break;
        }
    }
    let halt = steps.iter_mut().find_map(Step::halt);
    if halt.is_none() {
        finish(cx, &mut steps, sink)?;
    }
    Ok(halt)
}

/// Like `run` for several collections: the first step, of `map` or `mapcat`, gets an item of each.
pub fn run_rows(cx: &mut Call, transducer: &Value, mut rows: Rows, sink: &mut Sink<'_>) -> Eval<()> {
    let mut steps = steps_of(transducer).unwrap_or_default();
    let function = match steps.first_mut() {
        Some(Step::Map(function)) => function.take(),
        Some(Step::Mapcat(function)) => function.take(),
        _ => return cx.type_error("a transducer that begins with map", transducer),
    };
    match steps.first_mut() {
        Some(first @ Step::Mapcat(_)) => *first = Step::Cat,
        _ => drop(steps.remove(0)),
    }
    while let Some(mut row) = rows.next(cx)? {
        let item = cx.call(&function, &mut row)?;
        if feed(cx, &mut steps, item, sink)? == Flow::Done {
            break;
        }
    }
    finish(cx, &mut steps, sink)
}

/// The steps of a transducer in their initial state; none if it contains a function of the program.
fn steps_of(value: &Value) -> Option<Vec<Step>> {
    match stages_of(value)?.as_mut_slice() {
        [] => Some(Vec::new()),
        [Stage::Steps(steps)] => Some(std::mem::take(steps)),
        _ => None,
    }
}

fn stages_of(value: &Value) -> Option<Vec<Stage>> {
    match value {
        Value::Function(Function::Transducer(transducer)) => Some(transducer.copied_stages()),
        own if is_own(own) => Some(vec![Stage::Own(own.clone())]),
        other => built_in(other).map(|steps| vec![Stage::Steps(steps)]),
    }
}

/// The steps of a builtin that is a transducer itself; `identity` has none.
fn built_in(value: &Value) -> Option<Vec<Step>> {
    let Value::Function(Function::Builtin(builtin)) = value else { return None };
    if std::ptr::eq(*builtin, &IDENTITY) {
        return Some(Vec::new());
    }
    std::ptr::eq(*builtin, &CAT).then(|| vec![Step::Cat])
}

fn value_of(stages: Vec<Stage>) -> Value {
    Value::Function(Function::Transducer(Arc::new(Transducer { stages })))
}

/// Sends one item through the steps into a sink.
pub fn feed(cx: &mut Interpreter<'_>, steps: &mut [Step], item: Value, sink: &mut Sink<'_>) -> Eval<Flow> {
    let mut item = item;
    let mut flow = Flow::More;
    let mut steps = steps;
    while let Some((step, later)) = steps.split_first_mut() {
        match step.apply(cx, item)? {
            Output::Nothing => return Ok(flow),
            Output::Stop => return Ok(Flow::Done),
            Output::One(output) => item = output,
            Output::Last(output) => (item, flow) = (output, Flow::Done),
            Output::Part(part) => {
                let sent = guarded(|| feed(cx, later, part, sink))?;
                // As in Clojure: where nothing more is wanted, no part has begun.
                if let (Flow::Done, Step::PartitionBy { part, .. }) = (sent, step) {
                    part.clear();
                }
                return Ok(sent.or(flow));
            }
            Output::Many(walk) => {
                return Ok(guarded(|| feed_all(cx, later, &walk, sink))?.or(flow));
            }
        }
        steps = later;
    }
    Ok(sink(cx, item)?.or(flow))
}

fn feed_all(cx: &mut Interpreter<'_>, steps: &mut [Step], walk: &Walk, sink: &mut Sink<'_>) -> Eval<Flow> {
    for item in &walk.items {
        walk.tick(cx)?;
        if feed(cx, steps, item.clone(), sink)? == Flow::Done {
            return Ok(Flow::Done);
        }
    }
    Ok(Flow::More)
}

/// Sends the items that the steps still keep.
pub fn finish(cx: &mut Interpreter<'_>, steps: &mut [Step], sink: &mut Sink<'_>) -> Eval<()> {
    let mut steps = steps;
    while let Some((step, later)) = steps.split_first_mut() {
        if let Step::PartitionAll { part, .. } | Step::PartitionBy { part, .. } = step
            && !part.is_empty()
        {
            let part = cx.vector(std::mem::take(part))?;
            feed(cx, later, part, sink)?;
        }
        steps = later;
    }
    Ok(())
}

impl Transducer {
    /// A transducer of one step, as a value.
    pub fn of(step: Step) -> Value {
        value_of(vec![Stage::Steps(vec![step])])
    }

    /// The reducing function that it makes of another one.
    pub fn applied(&self, cx: &mut Interpreter<'_>, function: Value) -> Eval {
        own::applied(cx, self.copied_stages(), function)
    }

    /// Copies are charged by the size of the copied part.
    fn copied_stages(&self) -> Vec<Stage> {
        meter::owe_copy(STEP_BYTES * self.stages.iter().map(Stage::len).sum::<usize>());
        self.stages.clone()
    }
}

/// Transducers nest to any depth, so dropping one must not overflow the stack.
impl Drop for Transducer {
    fn drop(&mut self) {
        guarded(|| self.stages.clear());
    }
}

impl Halt {
    /// The result of it all, given what there would be without the item.
    pub fn result(mut self, cx: &mut Interpreter<'_>, completed: Value) -> Eval {
        match self.combine {
            Value::Nil => Ok(self.item.take()),
            combine => cx.call(&combine, &mut [completed, self.item.take()]),
        }
    }
}

impl Flow {
    fn or(self, other: Flow) -> Flow {
        if other == Flow::Done { other } else { self }
    }
}

impl Stage {
    fn len(&self) -> usize {
        match self {
            Stage::Steps(steps) => steps.len(),
            Stage::Own(_) => 1,
        }
    }
}

impl Step {
    fn has_halted(&self) -> bool {
        matches!(self, Step::HaltWhen { found: Some(_), .. })
    }

    fn halt(&mut self) -> Option<Halt> {
        match self {
            Step::HaltWhen { combine, found, .. } => {
                found.take().map(|item| Halt { item, combine: combine.take() })
            }
            _ => None,
        }
    }

    fn apply(&mut self, cx: &mut Interpreter<'_>, item: Value) -> Eval<Output> {
        cx.tick(1)?;
        match self {
            Step::Map(function) => cx.call(function, &mut [item]).map(Output::One),
            Step::MapIndexed { function, index } => {
                let position = next_index(index);
                cx.call(function, &mut [position, item]).map(Output::One)
            }
            Step::Mapcat(function) => {
                let result = cx.call(function, &mut [item])?;
                Ok(Output::Many(Walk::new(&mut Call::new("mapcat", cx), result)?))
            }
            Step::Cat => Ok(Output::Many(Walk::new(&mut Call::new("cat", cx), item)?)),
            Step::Filter { predicate, wanted } => {
                let holds = cx.call(predicate, &mut [item.clone()])?.is_truthy();
                Ok(Output::if_so(holds == *wanted, item))
            }
            Step::Keep(function) => {
                let result = cx.call(function, &mut [item])?;
                Ok(Output::if_so(!result.is_nil(), result))
            }
            Step::KeepIndexed { function, index } => {
                let position = next_index(index);
                let result = cx.call(function, &mut [position, item])?;
                Ok(Output::if_so(!result.is_nil(), result))
            }
            // As in Clojure, it stops only when an item comes.
            Step::Take(0) => Ok(Output::Stop),
            Step::Take(left) => {
                *left -= 1;
                Ok(if *left == 0 { Output::Last(item) } else { Output::One(item) })
            }
            Step::TakeWhile(predicate) => {
                let holds = cx.call(predicate, &mut [item.clone()])?.is_truthy();
                Ok(if holds { Output::One(item) } else { Output::Stop })
            }
            Step::TakeNth { step, index } => {
                let passes = index.is_multiple_of(*step);
                *index += 1;
                Ok(Output::if_so(passes, item))
            }
            Step::Drop(0) => Ok(Output::One(item)),
            Step::Drop(left) => {
                *left -= 1;
                Ok(Output::Nothing)
            }
            Step::DropWhile(predicate) => {
                if let Some(still) = predicate
                    && cx.call(still, &mut [item.clone()])?.is_truthy()
                {
                    return Ok(Output::Nothing);
                }
                *predicate = None;
                Ok(Output::One(item))
            }
            Step::Replace(substitutes) => substitutes.of("replace", item).map(Output::One),
            Step::Distinct(seen) => {
                cx.allocate_entries(1)?;
                let new = seen.insert(item.clone(), ()).is_none();
                Ok(Output::if_so(new, item))
            }
            Step::Dedupe(last) => {
                let new = last.as_ref() != Some(&item);
                *last = Some(item.clone());
                Ok(Output::if_so(new, item))
            }
            Step::PartitionAll { size, part } => {
                part.push(item);
                if part.len() < *size {
                    return Ok(Output::Nothing);
                }
                cx.vector(std::mem::take(part)).map(Output::One)
            }
            Step::HaltWhen { predicate, found, .. } => {
                if !cx.call(predicate, &mut [item.clone()])?.is_truthy() {
                    return Ok(Output::One(item));
                }
                *found = Some(item);
                Ok(Output::Stop)
            }
            Step::PartitionBy { function, key, part } => {
                let new = Some(cx.call(function, &mut [item.clone()])?);
                let ended = key.is_some() && *key != new;
                *key = new;
                if !ended {
                    part.push(item);
                    return Ok(Output::Nothing);
                }
                let whole = std::mem::replace(part, vec![item]);
                cx.vector(whole).map(Output::Part)
            }
            Step::Interpose { started, .. } if !*started => {
                *started = true;
                Ok(Output::One(item))
            }
            Step::Interpose { separator, .. } => {
                let both = Value::vector(vec![separator.clone(), item]);
                Walk::new(&mut Call::new("interpose", cx), both).map(Output::Many)
            }
        }
    }
}

impl Output {
    fn if_so(passes: bool, item: Value) -> Output {
        if passes { Output::One(item) } else { Output::Nothing }
    }
}

fn next_index(index: &mut i64) -> Value {
    *index += 1;
    Value::Int(*index - 1)
}
