//! The evaluator: walks a resolved tree over one stack of values. Ticks, depth and allocation are counted
//! here and by builtins, so that every program ends.

mod bind;
mod budget;
mod call;
mod iterate;
mod name;
mod output;

use std::sync::Arc;

use super::error::{Error, ErrorKind, Eval, Unwind, arity_error, raise, type_error};
use super::expr::{
    Binary, BuiltinCall, Capture, Case, Def, Expr, Global, Leave, LetFn, Lookup, MakeFn, Operation, Pattern,
    Program, Slot, Step, Try, Way,
};
use super::items::Items;
use super::limits::{Limits, Usage};
use super::meter::Account;
use super::print::Style;
use super::session::{Environment, Host, State};
use super::source::Span;
use super::symbol::Symbol;
use super::table::{Map, Set};
use super::value::{Closure, Function, Value};
use output::Output;

pub use budget::{UNBOUNDED, infinite};

/// A running program: what builtins see of it.
pub struct Interpreter<'h> {
    limits: Limits,
    usage: Usage,
    environment: &'h Environment,
    state: &'h mut State,
    /// None while a tool is being called: tools have no tools.
    host: Option<&'h mut dyn Host>,
    output: Output,
    /// Frames of all calls, the innermost last.
    stack: Vec<Value>,
    depth: u32,
    /// A `recur` has put its values in place; the nearest loop or function starts over.
    recurring: bool,
    /// A call in tail position: the function to go on with, its arguments on top of the stack.
    pending: Option<(Arc<Closure>, usize)>,
    /// How many `def`s around are evaluating their value.
    capturing: u32,
    tool_calls: u32,
    /// How much the patterns took that the program made.
    pattern_effort: usize,
    /// What `memoize` remembers: a result by function and arguments.
    pub(super) memo: Map,
}

/// The slots and captures of the function being evaluated.
#[derive(Clone, Copy)]
struct Frame<'c> {
    base: usize,
    captures: &'c [Value],
}

impl<'h> Interpreter<'h> {
    pub(super) fn new(
        limits: Limits,
        environment: &'h Environment,
        state: &'h mut State,
        host: &'h mut dyn Host,
    ) -> Interpreter<'h> {
        Interpreter {
            limits,
            usage: Usage::default(),
            environment,
            state,
            host: Some(host),
            output: Output::default(),
            stack: Vec::new(),
            depth: 0,
            recurring: false,
            pending: None,
            capturing: 0,
            tool_calls: 0,
            pattern_effort: 0,
            memo: Map::new(),
        }
    }

    /// Runs a program to its end.
    pub(super) fn run(&mut self, program: &Program) -> Eval {
        let result = self.on_account(|cx| {
            let base = cx.stack.len();
            cx.stack.resize(base + program.frame as usize, Value::Nil);
            let result = cx.eval(&program.body, &Frame { base, captures: &[] });
            cx.stack.truncate(base);
            result
        });
        result.map_err(|unwind| in_source(unwind, &program.source))
    }

    /// Calls a function that a program defined, after the program.
    pub(super) fn run_call(&mut self, function: &Value, arguments: &mut [Value]) -> Eval {
        self.on_account(|cx| cx.call(function, arguments))
    }

    /// The value of a definition.
    pub(super) fn defined(&self, name: Symbol) -> Option<Value> {
        self.state.lookup(&Global::new(name, Default::default(), Box::default()))
    }

    /// Work that pays for what values owe at its end.
    fn on_account(&mut self, work: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let _account = Account::open(self.limits.ticks);
        let result = work(self);
        match (self.tick(0), result) {
            // The error that ended the program says where; one that is owed after the end does not.
            (Err(unpaid), Ok(_)) => Err(unpaid),
            (Err(unpaid), Err(left)) if !matches!(*left, Unwind::Error(_)) => Err(unpaid),
            (_, result) => result,
        }
    }

    /// What the program printed and spent.
    pub(super) fn finish(self) -> (Vec<ecow::EcoString>, Usage) {
        (self.output.finish(&self.limits), self.usage)
    }

    /// The scenario's clock, in milliseconds since 1970; it does not advance.
    pub fn now(&self) -> i64 {
        self.environment.now
    }

    fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval {
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Local(slot) => Ok(self.stack[frame.base + *slot as usize].clone()),
            Expr::Last(slot) => Ok(self.stack[frame.base + *slot as usize].take()),
            Expr::Captured(index) => Ok(frame.captures[*index as usize].clone()),
            Expr::Global(global) => self.global(global),
            Expr::User(global) => self.user(global),
            Expr::Tool(name, span) => self.tool_value(*name).map_err(at(*span)),
            Expr::Data(name, span) => self.data_value(*name).map_err(at(*span)),
            Expr::History(index) => Ok(self.state.history(*index)),
            Expr::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let branch = if self.test(test, frame)? { then } else { otherwise };
                self.eval(branch, frame)
            }
            Expr::And(steps) => self.until(steps, frame, |value| !value.is_truthy()),
            Expr::Or(steps) => self.until(steps, frame, Value::is_truthy),
            Expr::Do(steps) => self.until(steps, frame, |_| false),
            Expr::Let(form) => {
                for binding in &form.bindings {
                    let value = self.eval(&binding.value, frame)?;
                    match binding.pattern {
                        Pattern::Slot(slot) => self.set(frame, slot, value),
                        ref pattern => self.bind(pattern, value, frame).map_err(at(binding.span))?,
                    }
                }
                self.eval(&form.body, frame)
            }
            Expr::Loop(form) => self.eval_loop(form, frame),
            Expr::Recur(form) => self.eval_recur(form.first, &form.values, frame),
            Expr::Fn(form) => self.eval_fn(form, frame),
            Expr::LetFn(form) => self.eval_letfn(form, frame),
            Expr::Vector(items) => self.eval_vector(items, frame),
            Expr::Map(parts) => self.eval_map(parts, frame),
            Expr::Set(items) => self.eval_set(items, frame),
            Expr::Call(call) => self.eval_call(call, frame),
            Expr::Builtin(call) => self.eval_builtin(call, frame),
            Expr::Binary(binary) => self.eval_binary(binary, frame),
            Expr::Step(step) => self.eval_step(step, frame),
            Expr::Lookup(lookup) => self.eval_lookup(lookup, frame),
            Expr::Def(def) => self.eval_def(def, frame),
            Expr::Case(case) => self.eval_case(case, frame),
            Expr::Iterate(form) => self.eval_iterate(form, frame),
            Expr::Repeat(form) => self.eval_repeat(form, frame),
            Expr::While(parts) => self.eval_while(parts, frame),
            Expr::Try(form) => self.eval_try(form, frame),
            Expr::Leave(form) => self.eval_leave(form, frame),
        }
    }

    /// Whether a form is truthy; a comparison of integers makes no value of it.
    #[inline]
    fn test(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval<bool> {
        if let Expr::Binary(binary) = expr
            && let (Some(a), Some(b)) =
                (self.quick_integer(&binary.left, frame), self.quick_integer(&binary.right, frame))
            && let Some(holds) = binary.operation.holds(a, b)
        {
            return Ok(holds);
        }
        Ok(self.eval(expr, frame)?.is_truthy())
    }

    /// An integer that takes at most one operation on locals and constants. Nothing is moved and nothing
    /// has happened where there is none.
    #[inline]
    fn quick_integer(&self, expr: &Expr, frame: &Frame<'_>) -> Option<i64> {
        match expr {
            Expr::Binary(binary) => {
                let (a, b) = (self.integer(&binary.left, frame)?, self.integer(&binary.right, frame)?);
                binary.operation.integer(a, b)
            }
            Expr::Step(step) => self.integer(&step.operand, frame)?.checked_add(step.by),
            simple => self.integer(simple, frame),
        }
    }

    /// The value of a local or constant, if it is an integer. Nothing is moved.
    #[inline]
    fn integer(&self, expr: &Expr, frame: &Frame<'_>) -> Option<i64> {
        match expr {
            Expr::Local(slot) | Expr::Last(slot) => match self.stack[frame.base + *slot as usize] {
                Value::Int(value) => Some(value),
                _ => None,
            },
            Expr::Const(Value::Int(value)) => Some(*value),
            _ => None,
        }
    }

    #[inline(never)]
    fn eval_fn(&mut self, form: &MakeFn, frame: &Frame<'_>) -> Eval {
        self.allocate(64)?;
        let captures = self.captured(&form.captures, frame);
        let closure = Closure { group: form.group.clone(), member: 0, id: 0, captures };
        Ok(Value::Function(Function::Closure(Arc::new(closure))))
    }

    #[inline(never)]
    fn eval_letfn(&mut self, form: &LetFn, frame: &Frame<'_>) -> Eval {
        let captures = self.captured(&form.captures, frame);
        for (member, slot) in form.slots.iter().enumerate() {
            self.allocate(64)?;
            let (group, captures) = (form.group.clone(), captures.clone());
            let closure = Closure { group, member: member as u32, id: 0, captures };
            self.set(frame, *slot, Value::Function(Function::Closure(Arc::new(closure))));
        }
        self.eval(&form.body, frame)
    }

    #[inline(never)]
    fn eval_vector(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_slots(items.len())?;
        Ok(Value::vector(self.eval_all(items, frame)?))
    }

    #[inline(never)]
    fn eval_set(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(items.len())?;
        let items = self.eval_all(items, frame)?;
        Ok(Value::set(items.into_iter().map(|item| (item, ())).collect::<Set>()))
    }

    #[inline]
    fn set(&mut self, frame: &Frame<'_>, slot: Slot, value: Value) {
        self.stack[frame.base + slot as usize] = value;
    }

    /// Evaluates steps until one satisfies `stop`; gives the last value.
    #[inline(never)]
    fn until(&mut self, steps: &[Expr], frame: &Frame<'_>, stop: fn(&Value) -> bool) -> Eval {
        let Some((last, first)) = steps.split_last() else { return Ok(Value::Nil) };
        for step in first {
            let value = self.eval(step, frame)?;
            if stop(&value) {
                return Ok(value);
            }
        }
        self.eval(last, frame)
    }

    fn eval_all(&mut self, exprs: &[Expr], frame: &Frame<'_>) -> Eval<Vec<Value>> {
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            values.push(self.eval(expr, frame)?);
        }
        Ok(values)
    }

    fn captured(&mut self, captures: &[Capture], frame: &Frame<'_>) -> Items {
        let values = captures.iter().map(|capture| match capture {
            Capture::Local(slot) => self.stack[frame.base + *slot as usize].clone(),
            Capture::Last(slot) => self.stack[frame.base + *slot as usize].take(),
            Capture::Captured(index) => frame.captures[*index as usize].clone(),
        });
        Items::from(values.collect::<Vec<Value>>())
    }

    /// A key that comes twice: the last value wins.
    #[inline(never)]
    fn eval_map(&mut self, parts: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(parts.len() / 2)?;
        let mut map = Map::with_capacity(parts.len() / 2);
        for pair in parts.chunks_exact(2) {
            let key = self.eval(&pair[0], frame)?;
            let value = self.eval(&pair[1], frame)?;
            map.insert(key, value);
        }
        Ok(Value::map(map))
    }

    #[inline(never)]
    fn eval_builtin(&mut self, call: &BuiltinCall, frame: &Frame<'_>) -> Eval {
        let run = call.builtin.run;
        let result = match &*call.arguments {
            [] => run(self, &mut []),
            [a] => {
                let mut arguments = [self.eval(a, frame)?];
                run(self, &mut arguments)
            }
            [a, b] => {
                let mut arguments = [self.eval(a, frame)?, self.eval(b, frame)?];
                run(self, &mut arguments)
            }
            [a, b, c] => {
                let mut arguments = [self.eval(a, frame)?, self.eval(b, frame)?, self.eval(c, frame)?];
                run(self, &mut arguments)
            }
            several => {
                let mut arguments = self.eval_all(several, frame)?;
                run(self, &mut arguments)
            }
        };
        result.map_err(at(call.span))
    }

    fn eval_binary(&mut self, binary: &Binary, frame: &Frame<'_>) -> Eval {
        if let (Some(a), Some(b)) =
            (self.quick_integer(&binary.left, frame), self.quick_integer(&binary.right, frame))
            && let Some(value) = binary.operation.on_integers(a, b)
        {
            return Ok(value);
        }
        self.eval_binary_values(binary, frame)
    }

    fn eval_step(&mut self, step: &Step, frame: &Frame<'_>) -> Eval {
        let operand = self.eval(&step.operand, frame)?;
        if let Value::Int(value) = operand
            && let Some(next) = value.checked_add(step.by)
        {
            return Ok(Value::Int(next));
        }
        (step.builtin.run)(self, &mut [operand]).map_err(at(step.span))
    }

    #[inline(never)]
    fn eval_binary_values(&mut self, binary: &Binary, frame: &Frame<'_>) -> Eval {
        let left = self.eval(&binary.left, frame)?;
        let right = self.eval(&binary.right, frame)?;
        if let (Value::Int(a), Value::Int(b)) = (&left, &right)
            && let Some(value) = binary.operation.on_integers(*a, *b)
        {
            return Ok(value);
        }
        (binary.builtin.run)(self, &mut [left, right]).map_err(at(binary.span))
    }

    #[inline(never)]
    fn eval_lookup(&mut self, lookup: &Lookup, frame: &Frame<'_>) -> Eval {
        let collection = self.eval(&lookup.collection, frame)?;
        let default = match &lookup.default {
            Some(default) => self.eval(default, frame)?,
            None => Value::Nil,
        };
        Ok(super::flexible::get(&collection, &lookup.key).unwrap_or(default))
    }

    #[inline(never)]
    fn eval_def(&mut self, def: &Def, frame: &Frame<'_>) -> Eval {
        if let Some(value) = &def.value
            && !(def.once && self.state.is_defined(def.name))
        {
            self.capturing += 1;
            let value = self.eval(value, frame)?;
            self.tick(0)?;
            self.capturing -= 1;
            self.state.define(def.name, value, def.docstring.clone());
        }
        Ok(Value::Var(def.name))
    }

    #[inline(never)]
    fn eval_case(&mut self, case: &Case, frame: &Frame<'_>) -> Eval {
        let subject = self.eval(&case.subject, frame)?;
        let branch = case.constants.get(&subject).and_then(|index| case.branches.get(*index));
        self.eval(branch.unwrap_or(&case.default), frame)
    }

    /// Only errors are caught, and no spent limit; what the body left on the stack is taken away.
    #[inline(never)]
    fn eval_try(&mut self, form: &Try, frame: &Frame<'_>) -> Eval {
        let (height, depth, capturing) = (self.stack.len(), self.depth, self.capturing);
        let mut result = self.eval(&form.body, frame);
        if let Err(unwind) = &mut result {
            self.stack.truncate(height);
            (self.depth, self.capturing) = (depth, capturing);
            if let (Unwind::Error(error), Some((slot, catch))) = (&mut **unwind, &form.catch)
                && error.kind.is_catchable()
            {
                let caught = caught(error);
                self.set(frame, *slot, caught);
                result = self.eval(catch, frame);
            }
        }
        if let Some(finally) = &form.finally {
            self.eval(finally, frame)?;
        }
        result
    }

    #[inline(never)]
    fn eval_leave(&mut self, form: &Leave, frame: &Frame<'_>) -> Eval {
        let value = self.eval(&form.value, frame)?;
        match form.way {
            Way::Return => Err(Box::new(Unwind::Return(value))),
            Way::Fail => Err(Box::new(Unwind::Fail(value))),
            Way::Throw => {
                let thrown = self.thrown(value).map_err(at(form.span))?;
                Err(thrown.at(form.span).into())
            }
            Way::FailedAssertion => {
                let text = self.str_of(&value).map_err(at(form.span))?;
                raise(ErrorKind::AssertionFailed, format!("Assert failed: {text}")).map_err(at(form.span))
            }
        }
    }
}

impl Interpreter<'_> {
    /// The error of `(throw value)`.
    fn thrown(&mut self, value: Value) -> Eval<Error> {
        let part = |name: &str| super::flexible::get(&value, &Value::keyword(name));
        let message = match &value {
            Value::Str(text) => text.clone(),
            Value::Map(_) if let Some(message) = part("message") => self.str_of(&message)?,
            other => self.printed(Style::Readable, std::slice::from_ref(other), "")?,
        };
        let is_exception = part("kind").is_some() && part("message").is_some();
        let cause = part("cause").filter(|_| is_exception).map(Box::new);
        let data = if is_exception { part("data").unwrap_or(Value::Nil) } else { value };
        Ok(Error { data, cause, ..Error::new(ErrorKind::Thrown, message) })
    }

    /// What `str` makes of a value, within the program's limits.
    fn str_of(&mut self, value: &Value) -> Eval<ecow::EcoString> {
        self.print_with(Style::Readable, |printer| printer.write_str_argument(value))
    }
}

impl Operation {
    #[inline]
    /// The result for two integers; none where the builtin has to decide.
    fn on_integers(self, a: i64, b: i64) -> Option<Value> {
        match self.holds(a, b) {
            Some(holds) => Some(Value::Bool(holds)),
            None => self.integer(a, b).map(Value::Int),
        }
    }

    /// The integer that arithmetic gives; none for comparisons and where the builtin has to decide.
    #[inline]
    fn integer(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Operation::Add => a.checked_add(b),
            Operation::Subtract => a.checked_sub(b),
            Operation::Multiply => a.checked_mul(b),
            Operation::Quotient => a.checked_div(b),
            Operation::Remainder => a.checked_rem(b),
            Operation::Modulo => {
                let remainder = a.checked_rem(b)?;
                Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
            }
            _ => None,
        }
    }

    /// What a comparison of two integers says; none for arithmetic.
    #[inline]
    fn holds(self, a: i64, b: i64) -> Option<bool> {
        Some(match self {
            Operation::Less => a < b,
            Operation::Greater => a > b,
            Operation::AtMost => a <= b,
            Operation::AtLeast => a >= b,
            Operation::Equal => a == b,
            _ => return None,
        })
    }
}

/// Adds the place to an error on its way out.
fn at(span: Span) -> impl FnOnce(Box<Unwind>) -> Box<Unwind> {
    move |mut unwind| {
        if let Unwind::Error(error) = &mut *unwind {
            error.span = error.span.or(Some(span));
        }
        unwind
    }
}

/// Adds the text to an error that leaves the source in which it happened.
fn in_source(mut unwind: Box<Unwind>, source: &super::source::Source) -> Box<Unwind> {
    if let Unwind::Error(error) = &mut *unwind
        && error.form.is_none()
    {
        *error = error.clone().in_source(source);
    }
    unwind
}

/// What `catch` binds: the map that `ex-info` made, or one like it.
fn caught(error: &mut Error) -> Value {
    let mut map = Map::new();
    map.insert(Value::keyword("kind"), Value::keyword(error.kind.name()));
    map.insert(Value::keyword("message"), Value::Str(error.message.clone()));
    map.insert(Value::keyword("data"), error.data.take());
    if let Some(cause) = error.cause.take() {
        map.insert(Value::keyword("cause"), *cause);
    }
    Value::map(map)
}

/// `Wrong number of arguments to NAME: expected SPEC, got N`.
fn wrong_count<T>(name: &str, expected: &str, got: usize) -> Eval<T> {
    arity_error(name, expected, got)
}

/// `cannot call TYPE VALUE as a function`
fn not_callable<T>(value: &Value) -> Eval<T> {
    raise(ErrorKind::NotCallable, format!("cannot call {} as a function", super::error::describe(value)))
}

/// A vector called with what is no index in it.
fn bad_index<T>(items: &Items, index: &Value) -> Eval<T> {
    type_error("vector", &format!("an index below {}", items.len()), index)
}
