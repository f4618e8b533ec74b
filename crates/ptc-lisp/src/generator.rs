//! Unbounded sequences (`docs/language.md` §4.6): a rule that makes one item after another. A generator is a value and
//! never changes; reading steps a copy of it. Generators of `lazy-seq` may end.

use std::collections::VecDeque;

use triomphe::Arc;

use super::builtins::sum;
use super::error::Eval;
use super::eval::Interpreter;
use super::items::Items;
use super::stack::guarded;
use super::transducer::{Flow, Step, feed, finish};
use super::value::{Function, Value};

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
    /// The output of a transducer for the items. `ready` is unread output.
    Through { steps: Vec<Step>, source: Arc<Generator>, ready: VecDeque<Value> },
    /// The first `size` items, then those that begin `by` items later, and so on.
    Windows { size: usize, by: usize, source: Arc<Generator> },
    /// `lazy-seq`: the items returned by a function without arguments, called when the first item is read.
    Lazy(Value),
    /// No items.
    Done,
    /// Items, then those of a generator.
    After { items: Items, next: usize, source: Arc<Generator> },
    /// `reductions`: the function is called only for the items after the first.
    Reductions { function: Value, current: Option<Value>, source: Arc<Generator>, started: bool },
}

/// `(cycle items)`: the items again and again, or the empty list if there are none.
pub fn cycling(items: Items) -> Value {
    if items.is_empty() { Value::List(items) } else { Rule::Cycle { items, next: 0 }.into() }
}

/// The output of a transducer's steps for the items of a generator. No step may end early.
pub fn through(steps: Vec<Step>, source: Arc<Generator>) -> Value {
    Rule::Through { steps, source, ready: VecDeque::new() }.into()
}

impl Generator {
    pub fn new(rule: Rule) -> Generator {
        Generator { rule }
    }

    /// Returns true if the items may come to an end.
    pub fn may_end(&self) -> bool {
        guarded(|| match &self.rule {
            Rule::Lazy(_) | Rule::Done => true,
            Rule::Map { sources, .. } => sources.iter().any(|source| source.may_end()),
            Rule::Reductions { function: Value::Function(Function::Closure(_)), .. } => true,
            Rule::MapIndexed { source, .. }
            | Rule::Filter { source, .. }
            | Rule::Through { source, .. }
            | Rule::Windows { source, .. }
            | Rule::After { source, .. }
            | Rule::Reductions { source, .. } => source.may_end(),
            _ => false,
        })
    }
}

impl From<Rule> for Value {
    fn from(rule: Rule) -> Value {
        Value::Generator(Arc::new(Generator::new(rule)))
    }
}

/// Takes the next item, if there is one; other references stay as they are. Costs a tick for each step of each generator.
pub fn step(generator: &mut Arc<Generator>, cx: &mut Interpreter<'_>) -> Eval<Option<Value>> {
    cx.tick(1)?;
    Arc::make_mut(generator).rule.next(cx)
}

/// Takes the first `count` items, or as many as there are, their slots spent.
pub fn leading(cx: &mut Interpreter<'_>, generator: &mut Arc<Generator>, count: usize) -> Eval<Vec<Value>> {
    cx.allocate_slots(count)?;
    (0..count).map_while(|_| step(generator, cx).transpose()).collect()
}

/// The generator of what follows the first `count` items.
pub fn without(cx: &mut Interpreter<'_>, mut generator: Arc<Generator>, count: usize) -> Eval {
    for _ in 0..count {
        step(&mut generator, cx)?;
    }
    Ok(Value::Generator(generator))
}

/// The items, or nil if they have come to an end.
pub fn or_nil(cx: &mut Interpreter<'_>, mut generator: Arc<Generator>) -> Eval {
    if !generator.may_end() {
        return Ok(Value::Generator(generator));
    }
    Ok(match step(&mut generator, cx)? {
        Some(first) => Rule::After { items: Items::from(vec![first]), next: 0, source: generator }.into(),
        None => Value::Nil,
    })
}

/// The item at an index.
pub fn nth(cx: &mut Interpreter<'_>, mut generator: Arc<Generator>, index: usize) -> Eval<Option<Value>> {
    for _ in 0..index {
        step(&mut generator, cx)?;
    }
    step(&mut generator, cx)
}

/// The list of the items up to the first that fails a predicate.
pub fn take_while(cx: &mut Interpreter<'_>, generator: Arc<Generator>, predicate: &Value) -> Eval {
    let mut generator = generator;
    let mut items = Vec::new();
    while let Some(item) = step(&mut generator, cx)? {
        if !cx.call(predicate, &mut [item.clone()])?.is_truthy() {
            break;
        }
        cx.allocate_slots(1)?;
        items.push(item);
    }
    Ok(Value::list(items))
}

impl Rule {
    fn next(&mut self, cx: &mut Interpreter<'_>) -> Eval<Option<Value>> {
        guarded(|| {
            loop {
                let following = match self {
                    Rule::Lazy(body) => match cx.call(body, &mut [])? {
                        Value::Generator(source) => source.rule.clone(),
                        other => {
                            let source = Arc::new(Generator::new(Rule::Done));
                            Rule::After { items: cx.items("lazy-seq", other)?, next: 0, source }
                        }
                    },
                    // Chains of these would grow with every item.
                    Rule::After { items, next, source } if *next == items.len() && source.may_end() => {
                        source.rule.clone()
                    }
                    _ => return self.item(cx),
                };
                *self = following;
            }
        })
    }

    fn item(&mut self, cx: &mut Interpreter<'_>) -> Eval<Option<Value>> {
        let item = match self {
            Rule::Lazy(_) | Rule::Done => return Ok(None),
            Rule::Count { next, step } => std::mem::replace(next, sum(next, step)?),
            Rule::Repeat(value) => value.clone(),
            Rule::Repeatedly(function) => cx.call(function, &mut [])?,
            Rule::Iterate { function, current, started } => {
                if std::mem::replace(started, true) {
                    *current = cx.call(function, &mut [current.take()])?;
                }
                current.clone()
            }
            Rule::Cycle { items, next } => {
                let item = items.get(*next).cloned().unwrap_or_default();
                *next = (*next + 1) % items.len().max(1);
                item
            }
            Rule::Map { function, sources } => {
                let items = sources.iter_mut().map(|source| step(source, cx).transpose());
                let Some(items) = items.collect::<Option<Eval<Vec<Value>>>>() else { return Ok(None) };
                cx.call(function, &mut items?)?
            }
            Rule::MapIndexed { function, source, index } => {
                let position = Value::Int(*index);
                *index += 1;
                let Some(item) = step(source, cx)? else { return Ok(None) };
                cx.call(function, &mut [position, item])?
            }
            Rule::Filter { predicate, source, wanted } => loop {
                let Some(item) = step(source, cx)? else { return Ok(None) };
                if cx.call(predicate, &mut [item.clone()])?.is_truthy() == *wanted {
                    break item;
                }
            },
            Rule::Through { steps, source, ready } => loop {
                if let Some(item) = ready.pop_front() {
                    break item;
                }
                let item = step(source, cx)?;
                let is_end = item.is_none();
                let mut sink = |_: &mut Interpreter<'_>, item| {
                    ready.push_back(item);
                    Ok(Flow::More)
                };
                match item {
                    Some(item) => drop(feed(cx, steps, item, &mut sink)?),
                    None => finish(cx, steps, &mut sink)?,
                }
                if is_end && ready.is_empty() {
                    return Ok(None);
                }
            },
            Rule::Windows { size, by, source } => {
                let part = leading(cx, &mut source.clone(), *size)?;
                if part.len() < *size {
                    return Ok(None);
                }
                for _ in 0..*by {
                    step(source, cx)?;
                }
                Value::list(part)
            }
            Rule::After { items, next, source } => match items.get(*next) {
                Some(item) => {
                    *next += 1;
                    item.clone()
                }
                None => return step(source, cx),
            },
            Rule::Reductions { function, current, source, started } => {
                let value = match current.take() {
                    Some(initial) if !*started => initial,
                    before => match (step(source, cx)?, before) {
                        (Some(item), Some(value)) => cx.call(function, &mut [value, item])?,
                        (Some(first), None) => first,
                        (None, None) => cx.call(function, &mut [])?,
                        (None, Some(_)) => {
                            *self = Rule::Done;
                            return Ok(None);
                        }
                    },
                };
                *started = true;
                if let Value::Reduced(last) = &value {
                    let last = last.0.clone();
                    *self = Rule::Done;
                    return Ok(Some(last));
                }
                current.insert(value).clone()
            }
        };
        Ok(Some(item))
    }
}

/// Generators nest to any depth, so dropping one must not overflow the stack.
impl Drop for Generator {
    fn drop(&mut self) {
        guarded(|| self.rule = Rule::Repeat(Value::Nil));
    }
}
