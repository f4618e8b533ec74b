//! Transducers that contain functions of the program. Such a function takes a reducing function and returns another, so
//! here every stage is a function that the stage before it calls. Values cannot change, so the interpreter keeps the state
//! of built-in steps.

use std::collections::BTreeMap;

use triomphe::Arc;

use crate::builtin;
use crate::builtin::Builtin;
use crate::builtins::{Call, Source};
use crate::error::{ErrorKind, Eval, raise};
use crate::eval::Interpreter;
use crate::items::Items;
use crate::value::{Composed, Function, Held, Value};

use super::{Flow, Halt, Stage, Step, feed, finish};

static SEGMENT: Builtin = builtin!("transducer", call_segment);

/// The running steps. The functions made of them contain their numbers.
#[derive(Default)]
pub struct Segments {
    made: i64,
    open: BTreeMap<i64, Segment>,
}

/// Built-in steps, and the function for their output.
struct Segment {
    /// None while they are working.
    steps: Option<Vec<Step>>,
    next: Value,
}

/// Folds a source with a function of the stages' output.
pub fn reduce(
    cx: &mut Interpreter<'_>,
    stages: Vec<Stage>,
    function: Value,
    initial: Value,
    source: Source,
) -> Eval {
    let first = cx.segments.made;
    let result = fold(cx, stages, function, initial, source);
    let mut used = cx.segments.open.split_off(&first);
    match used.values_mut().find_map(Segment::halt) {
        Some(halt) => halt.result(cx, result?),
        None => result,
    }
}

fn fold(
    cx: &mut Interpreter<'_>,
    stages: Vec<Stage>,
    function: Value,
    initial: Value,
    mut source: Source,
) -> Eval {
    let function = applied(cx, stages, function)?;
    let mut result = initial;
    while let Some(item) = source.next(cx)? {
        result = cx.call(&function, &mut [result, item])?;
        if let Value::Reduced(last) = &result {
            result = last.0.clone();
            break;
        }
    }
    cx.call(&function, &mut [result])
}

/// A reducing function made by a transducer. It is valid as long as its reduction or program runs.
pub(super) fn applied(cx: &mut Interpreter<'_>, stages: Vec<Stage>, function: Value) -> Eval {
    stages.into_iter().rev().try_fold(function, |next, stage| match stage {
        Stage::Steps(steps) => open(cx, steps, next),
        Stage::Own(transducer) => cx.call(&transducer, &mut [next]),
    })
}

/// A function: it sends its argument through the steps, and their output to the next function.
fn open(cx: &mut Interpreter<'_>, steps: Vec<Step>, next: Value) -> Eval {
    cx.allocate(super::STEP_BYTES)?;
    let number = cx.segments.made;
    cx.segments.made += 1;
    cx.segments.open.insert(number, Segment { steps: Some(steps), next });
    let parts = Items::from(vec![Value::Int(number)]);
    Ok(Value::Function(Function::Composed(Arc::new(Composed { run: &SEGMENT, parts }))))
}

fn call_segment(cx: &mut Call, number: i64, arguments: &mut [Value]) -> Eval {
    let Some(segment) = cx.segments.open.get_mut(&number) else { return closed() };
    let Some(mut steps) = segment.steps.take() else { return closed() };
    let next = segment.next.clone();
    let result = match arguments {
        [] => cx.call(&next, &mut []),
        [result] => complete(cx, &mut steps, &next, result.take()),
        [result, item, ..] => step(cx, &mut steps, &next, result.take(), item.take()),
    };
    if let Some(segment) = cx.segments.open.get_mut(&number) {
        segment.steps = Some(steps);
    }
    result
}

/// The error of a function called after its reduction, or by itself.
fn closed() -> Eval {
    raise(ErrorKind::NotCallable, "cannot call the reducing function of a transducer outside of its run")
}

fn step(cx: &mut Interpreter<'_>, steps: &mut [Step], next: &Value, result: Value, item: Value) -> Eval {
    let mut result = result;
    let flow = feed(cx, steps, item, &mut |cx, item| send(cx, next, &mut result, item))?;
    Ok(match flow {
        Flow::More => result,
        Flow::Done => Value::Reduced(Arc::new(Held(result))),
    })
}

fn complete(cx: &mut Interpreter<'_>, steps: &mut [Step], next: &Value, result: Value) -> Eval {
    let mut result = result;
    if steps.iter().any(Step::has_halted) {
        return Ok(result);
    }
    finish(cx, steps, &mut |cx, item| send(cx, next, &mut result, item))?;
    cx.call(next, &mut [result])
}

fn send(cx: &mut Interpreter<'_>, next: &Value, result: &mut Value, item: Value) -> Eval<Flow> {
    *result = cx.call(next, &mut [result.take(), item])?;
    let Value::Reduced(last) = &*result else { return Ok(Flow::More) };
    *result = last.0.clone();
    Ok(Flow::Done)
}

impl Segment {
    fn halt(&mut self) -> Option<Halt> {
        self.steps.as_mut()?.iter_mut().find_map(Step::halt)
    }
}
