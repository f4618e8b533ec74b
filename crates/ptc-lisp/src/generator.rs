//! Unbounded sequences (`docs/language.md` §4.6): a rule that makes one item after another. Being a value, a
//! generator never changes; whoever reads one steps a copy of it.

use std::collections::VecDeque;

use triomphe::Arc;

use super::builtins::sum;
use super::error::Eval;
use super::eval::Interpreter;
use super::items::Items;
use super::stack::guarded;
use super::transducer::{Flow, Step, feed};
use super::value::Value;

/// An unbounded sequence and how far it has been read.
#[derive(Clone)]
pub struct Generator {
    rule: Rule,
}

/// The rule that makes the items of a generator.
#[derive(Clone)]
pub enum Rule {
    /// `(range)`: `next`, `next + step`, …
    Count { next: Value, step: Value },
    /// `(repeat x)`: the same value again and again.
    Repeat(Value),
    /// `(repeatedly f)`: results of a function without arguments.
    Repeatedly(Value),
    /// `(iterate f x)`: the function is called only for the items after the first.
    Iterate { function: Value, current: Value, started: bool },
    /// `(cycle items)`, which are never empty.
    Cycle { items: Items, next: usize },
    /// `map` over generators alone.
    Map { function: Value, sources: Vec<Arc<Generator>> },
    /// `map-indexed`: results of a function on index and item.
    MapIndexed { function: Value, source: Arc<Generator>, index: i64 },
    /// `filter`, or `remove` where the predicate is to fail.
    Filter { predicate: Value, source: Arc<Generator>, wanted: bool },
    /// The output of a transducer for the items; `ready` holds output that was not read yet.
    Through { steps: Vec<Step>, source: Arc<Generator>, ready: VecDeque<Value> },
    /// The first `size` items, then those that begin `by` items later, and so on.
    Windows { size: usize, by: usize, source: Arc<Generator> },
    /// Items, then those of a generator.
    After { items: Items, next: usize, source: Arc<Generator> },
    /// `reductions`: the function is called only for the items after the first.
    Reductions { function: Value, current: Option<Value>, source: Arc<Generator>, started: bool },
}

/// The items again and again; of none, the empty list.
pub fn cycling(items: Items) -> Value {
    if items.is_empty() { Value::List(items) } else { Rule::Cycle { items, next: 0 }.into() }
}

/// The items that the steps of a transducer, none of which ends early, make of those of a generator.
pub fn through(steps: Vec<Step>, source: Arc<Generator>) -> Value {
    Rule::Through { steps, source, ready: VecDeque::new() }.into()
}

impl Generator {
    pub fn new(rule: Rule) -> Generator {
        Generator { rule }
    }
}

impl From<Rule> for Value {
    fn from(rule: Rule) -> Value {
        Value::Generator(Arc::new(Generator::new(rule)))
    }
}

/// Takes the next item; other holders do not notice. A tick for each step of each generator involved.
pub fn step(generator: &mut Arc<Generator>, cx: &mut Interpreter<'_>) -> Eval {
    cx.tick(1)?;
    Arc::make_mut(generator).rule.next(cx)
}

/// The first `count` items, their slots spent.
pub fn leading(cx: &mut Interpreter<'_>, generator: Arc<Generator>, count: usize) -> Eval<Vec<Value>> {
    cx.allocate_slots(count)?;
    let mut generator = generator;
    (0..count).map(|_| step(&mut generator, cx)).collect()
}

/// The generator of what follows the first `count` items.
pub fn without(cx: &mut Interpreter<'_>, mut generator: Arc<Generator>, count: usize) -> Eval {
    for _ in 0..count {
        step(&mut generator, cx)?;
    }
    Ok(Value::Generator(generator))
}

/// The item at an index.
pub fn nth(cx: &mut Interpreter<'_>, mut generator: Arc<Generator>, index: usize) -> Eval {
    for _ in 0..index {
        step(&mut generator, cx)?;
    }
    step(&mut generator, cx)
}

/// The list of the items up to the first that fails a predicate.
pub fn take_while(cx: &mut Interpreter<'_>, generator: Arc<Generator>, predicate: &Value) -> Eval {
    let mut generator = generator;
    let mut items = Vec::new();
    loop {
        let item = step(&mut generator, cx)?;
        if !cx.call(predicate, &mut [item.clone()])?.is_truthy() {
            return Ok(Value::list(items));
        }
        cx.allocate_slots(1)?;
        items.push(item);
    }
}

impl Rule {
    fn next(&mut self, cx: &mut Interpreter<'_>) -> Eval {
        guarded(|| match self {
            Rule::Count { next, step } => Ok(std::mem::replace(next, sum(next, step)?)),
            Rule::Repeat(value) => Ok(value.clone()),
            Rule::Repeatedly(function) => cx.call(function, &mut []),
            Rule::Iterate { function, current, started } => {
                if std::mem::replace(started, true) {
                    *current = cx.call(function, &mut [current.take()])?;
                }
                Ok(current.clone())
            }
            Rule::Cycle { items, next } => {
                let item = items.get(*next).cloned().unwrap_or_default();
                *next = (*next + 1) % items.len().max(1);
                Ok(item)
            }
            Rule::Map { function, sources } => {
                let items: Eval<Vec<Value>> = sources.iter_mut().map(|source| step(source, cx)).collect();
                cx.call(function, &mut items?)
            }
            Rule::MapIndexed { function, source, index } => {
                let position = Value::Int(*index);
                *index += 1;
                let item = step(source, cx)?;
                cx.call(function, &mut [position, item])
            }
            Rule::Filter { predicate, source, wanted } => loop {
                let item = step(source, cx)?;
                if cx.call(predicate, &mut [item.clone()])?.is_truthy() == *wanted {
                    return Ok(item);
                }
            },
            Rule::Through { steps, source, ready } => loop {
                if let Some(item) = ready.pop_front() {
                    return Ok(item);
                }
                let item = step(source, cx)?;
                feed(cx, steps, item, &mut |_, item| {
                    ready.push_back(item);
                    Ok(Flow::More)
                })?;
            },
            Rule::Windows { size, by, source } => {
                let part = leading(cx, source.clone(), *size)?;
                for _ in 0..*by {
                    step(source, cx)?;
                }
                Ok(Value::list(part))
            }
            Rule::After { items, next, source } => match items.get(*next) {
                Some(item) => {
                    *next += 1;
                    Ok(item.clone())
                }
                None => step(source, cx),
            },
            Rule::Reductions { function, current, source, started } => {
                let value = match current.take() {
                    Some(value) if *started => {
                        let item = step(source, cx)?;
                        cx.call(function, &mut [value, item])?
                    }
                    Some(initial) => initial,
                    None => step(source, cx)?,
                };
                *started = true;
                Ok(current.insert(value).clone())
            }
        })
    }
}

/// Generators may be built on generators to any depth, and so may what they are made of.
impl Drop for Generator {
    fn drop(&mut self) {
        guarded(|| self.rule = Rule::Repeat(Value::Nil));
    }
}
