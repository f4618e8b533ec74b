//! The evaluator: walks a resolved tree over one stack of values and counts ticks, depth and allocation.

mod bind;
mod budget;
mod call;
mod collection;
pub(super) mod fast;
mod iterate;
mod leave;
mod name;
mod output;

use triomphe::Arc;

use super::error::{ErrorKind, Eval, Unwind, describe, raise, type_error};
use super::exception::{Class, Classes, of_class};
use super::expr::{
    Binding, BuiltinCall, Capture, Case, Cond, Def, Expr, Global, Group, LetFn, Loop, MakeFn, Pattern,
    Program, Slot,
};
use super::hint;
use super::items::Items;
use super::limits::{Limits, Usage};
use super::meter::{self, Account};
use super::session::{Environment, Host, State};
use super::source::{Source, Span};
use super::symbol::Symbol;
use super::table::Map;
use super::transducer::Segments;
use super::value::{Closure, Function, Value};
use output::Output;

pub use budget::{UNBOUNDED, infinite};

/// A running program, as builtins and hosts see it.
pub struct Interpreter<'h> {
    limits: Limits,
    /// Ticks at the next check for a stop signal, at most the limit.
    checkpoint: u64,
    usage: Usage,
    environment: &'h Environment,
    state: &'h mut State,
    /// None while a tool is being called: tools have no tools.
    host: Option<&'h mut dyn Host>,
    output: Output,
    /// Frames of all calls, the innermost last.
    stack: Vec<Value>,
    depth: u32,
    /// The call announced by [`Evaluated::Tail`].
    tail_call: Option<TailCall>,
    /// Number of `def`s whose value is being evaluated.
    capturing: u32,
    /// Classes caught by the enclosing `try`s.
    handled: Classes,
    /// Ticks for the hint of the last undefined name, charged when its error is caught.
    searched: usize,
    tool_calls: u32,
    /// Effort spent on compiling the program's patterns.
    pattern_effort: usize,
    /// True once there is a sequence of `lazy-seq`.
    pub(super) is_lazy: bool,
    /// Results kept by `memoize`, by function and arguments.
    pub(super) memo: Map,
    /// Running transducers with functions of the program.
    pub(super) segments: Segments,
}

/// The slots and captures of the function being evaluated.
#[derive(Clone, Copy)]
struct Frame<'c> {
    base: usize,
    /// The function itself; none: the program.
    closure: Option<&'c Arc<Closure>>,
}

/// Result of evaluating a form. Numbers and truth values are returned in registers, because tight loops would spend most
/// of their time on moving values through memory.
#[derive(Clone, Copy)]
enum Evaluated {
    Int(i64),
    Bool(bool),
    /// The value is where the caller wants it.
    Stored,
    /// A `recur` has put its values in place; the function starts over.
    Recur,
    /// The nearest call goes on with `Interpreter::tail_call`.
    Tail,
}

/// An `Eval<Evaluated>` on its way out of a function. Rust returns it in two registers, since all payloads
/// lie in the same place; it would write the other to memory.
enum Returned {
    Int(i64),
    True,
    False,
    Stored,
    Recur,
    Tail,
    Left(Box<Unwind>),
}

/// A call in tail position. Its arguments lie on top of the stack.
struct TailCall {
    callee: Arc<Closure>,
    arguments: usize,
}

impl<'c> Frame<'c> {
    /// The frame of a program.
    fn outermost(base: usize) -> Frame<'static> {
        Frame { base, closure: None }
    }

    fn captured(&self, index: u32) -> &'c Value {
        let captures: &[Value] = self.closure.map_or(&[], |closure| &closure.captures);
        &captures[index as usize]
    }
}

impl Returned {
    #[inline(always)]
    fn of(work: impl FnOnce() -> Eval<Evaluated>) -> Returned {
        match work() {
            Ok(Evaluated::Int(integer)) => Returned::Int(integer),
            Ok(Evaluated::Bool(true)) => Returned::True,
            Ok(Evaluated::Bool(false)) => Returned::False,
            Ok(Evaluated::Stored) => Returned::Stored,
            Ok(Evaluated::Recur) => Returned::Recur,
            Ok(Evaluated::Tail) => Returned::Tail,
            Err(unwind) => Returned::Left(unwind),
        }
    }

    #[inline(always)]
    fn get(self) -> Eval<Evaluated> {
        Ok(match self {
            Returned::Int(integer) => Evaluated::Int(integer),
            Returned::True => Evaluated::Bool(true),
            Returned::False => Evaluated::Bool(false),
            Returned::Stored => Evaluated::Stored,
            Returned::Recur => Evaluated::Recur,
            Returned::Tail => Evaluated::Tail,
            Returned::Left(unwind) => return Err(unwind),
        })
    }
}

impl Evaluated {
    #[inline]
    fn of(value: Value, out: &mut Value) -> Evaluated {
        match value {
            Value::Int(integer) => Evaluated::Int(integer),
            Value::Bool(truth) => Evaluated::Bool(truth),
            value => {
                out.fill(value);
                Evaluated::Stored
            }
        }
    }

    #[inline]
    fn copied(value: &Value, out: &mut Value) -> Evaluated {
        match value {
            Value::Int(integer) => Evaluated::Int(*integer),
            Value::Bool(truth) => Evaluated::Bool(*truth),
            value => {
                out.fill(value.clone());
                Evaluated::Stored
            }
        }
    }

    /// Puts a number or truth value into the place where other values are stored.
    #[inline(always)]
    fn store(self, place: &mut Value) {
        match self {
            Evaluated::Int(integer) => place.fill(Value::Int(integer)),
            Evaluated::Bool(truth) => place.fill(Value::Bool(truth)),
            Evaluated::Stored | Evaluated::Recur | Evaluated::Tail => {}
        }
    }
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
            checkpoint: 0,
            usage: Usage::default(),
            environment,
            state,
            host: Some(host),
            output: Output::default(),
            stack: Vec::new(),
            depth: 0,
            tail_call: None,
            capturing: 0,
            handled: Classes::default(),
            searched: 0,
            tool_calls: 0,
            pattern_effort: 0,
            is_lazy: false,
            memo: Map::new(),
            segments: Segments::default(),
        }
    }

    /// Runs a program to its end.
    pub(super) fn run(&mut self, program: &Program) -> Eval {
        self.on_account(|cx| match cx.evaluate(program).map_err(|unwind| *unwind) {
            Ok(value) => cx.realized(value),
            Err(Unwind::Return(value)) => Err(Unwind::Return(cx.realized(value)?).into()),
            Err(Unwind::Fail(value)) => Err(Unwind::Fail(cx.realized(value)?).into()),
            Err(error) => Err(error.into()),
        })
    }

    /// Calls a program's function after the program has ended.
    pub(super) fn run_call(&mut self, function: &Value, arguments: &mut [Value]) -> Eval {
        self.on_account(|cx| cx.call(function, arguments))
    }

    /// Evaluates a program within the one at hand, such as the text of a tool, and gives its value.
    pub fn evaluate(&mut self, program: &Program) -> Eval {
        let base = self.stack.len();
        self.stack.resize_with(base + program.frame as usize, Value::default);
        let result = self.eval(&program.body, &Frame::outermost(base));
        self.stack.truncate(base);
        result.map_err(|unwind| in_source(unwind, &program.source))
    }

    /// The value of a definition.
    pub(super) fn defined(&self, name: Symbol) -> Option<Value> {
        self.state.lookup(&Global::new(name, Default::default(), Box::default())).cloned()
    }

    /// Runs `work`, then charges what values still owe to the [`Account`]: ticks and memory.
    fn on_account(&mut self, work: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let _account = Account::open(self.limits.ticks, self.limits.memory_bytes());
        let result = work(self);
        match (self.tick(0), result) {
            // Prefer the program's own error: it has a source position. A limit exceeded later has none.
            (Err(unpaid), Ok(_)) => Err(unpaid),
            (Err(unpaid), Err(left)) if !matches!(*left, Unwind::Error(_)) => Err(unpaid),
            (_, result) => result,
        }
    }

    /// Prints of the program, and what it spent.
    pub(super) fn finish(self) -> (Vec<ecow::EcoString>, Usage) {
        (self.output.finish(&self.limits), self.usage)
    }

    /// The scenario's clock, in milliseconds since 1970; it does not advance.
    pub fn now(&self) -> i64 {
        self.environment.now
    }

    /// Evaluates a form outside of tail position.
    fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval {
        let mut value = Value::Nil;
        self.eval_to(expr, frame, &mut value)?;
        Ok(value)
    }

    /// Writes the value of a form outside tail position to an empty place.
    #[inline(always)]
    fn eval_to(&mut self, expr: &Expr, frame: &Frame<'_>, place: &mut Value) -> Eval<()> {
        self.operand(expr, frame, place)?.store(place);
        Ok(())
    }

    /// Puts the value of a form into a slot.
    fn eval_to_slot(&mut self, expr: &Expr, slot: Slot, frame: &Frame<'_>) -> Eval<()> {
        let mut place = Value::Nil;
        let evaluated = self.operand(expr, frame, &mut place)?;
        self.put(slot, frame, evaluated, place);
        Ok(())
    }

    /// Puts a value into a slot: a number, a truth value, or what is in `place`.
    #[inline(always)]
    fn put(&mut self, slot: Slot, frame: &Frame<'_>, evaluated: Evaluated, mut place: Value) {
        match evaluated {
            Evaluated::Int(integer) => {
                self.slot(slot, frame).fill(Value::Int(integer));
                // `place` is still nil. `forget` saves the compiler's drop check.
                std::mem::forget(place);
            }
            evaluated => {
                evaluated.store(&mut place);
                *self.slot(slot, frame) = place;
            }
        }
    }

    /// Evaluates a form. A value too large for registers is written to `out`, empty until then. Tail
    /// positions and loop rounds continue in this Rust frame, without a call.
    #[inline(never)]
    fn eval_into(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Returned {
        Returned::of(|| self.eval_form(expr, frame, out))
    }

    #[inline(always)]
    fn eval_form(&mut self, mut expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Eval<Evaluated> {
        // The target of a `recur` in tail position: a loop, or `None` for the function.
        let mut around: Option<&Loop> = None;
        let value = loop {
            let next = match expr {
                Expr::If(parts) => {
                    let [test, then, otherwise] = &**parts;
                    Some(if self.test(test, frame)? { then } else { otherwise })
                }
                Expr::Cond(form) => Some(self.first_that_holds(form, frame)?),
                Expr::Case(form) => Some(self.choose(form, frame)?),
                Expr::Let(form) => {
                    form.bindings.iter().try_for_each(|binding| self.eval_binding(binding, frame))?;
                    Some(&form.body)
                }
                Expr::LetFn(form) => {
                    self.make_siblings(form, frame)?;
                    Some(&form.body)
                }
                Expr::Do(steps) => self.until(steps, frame, out, |_| false)?,
                Expr::And(steps) => self.until(steps, frame, out, |value| !value.is_truthy())?,
                Expr::Or(steps) => self.until(steps, frame, out, Value::is_truthy)?,
                Expr::Loop(form) => {
                    self.begin_loop(form, frame)?;
                    around = Some(form);
                    Some(&form.body)
                }
                Expr::Recur(form) => {
                    self.eval_recur(form.first, &form.values, frame)?;
                    let Some(form) = around else { return Ok(Evaluated::Recur) };
                    self.begin_round(form, frame)?;
                    Some(&form.body)
                }
                Expr::Int(integer) => return Ok(Evaluated::Int(*integer)),
                Expr::Call(call) => return self.eval_call(call, frame, out).get(),
                Expr::Binary(form) => return self.eval_binary(form, frame, out).get(),
                Expr::Const(value) => return Ok(Evaluated::copied(value, out)),
                Expr::Local(slot) => return Ok(Evaluated::copied(self.slot(*slot, frame), out)),
                Expr::Last(slot) => return Ok(Evaluated::of(self.slot(*slot, frame).take(), out)),
                Expr::Captured(index) => return Ok(Evaluated::copied(frame.captured(*index), out)),
                Expr::Builtin(call) => return self.eval_builtin(call, frame, out).get(),
                Expr::Vector(items) => break self.eval_vector(items, frame)?,
                Expr::Map(parts) => break self.eval_map(parts, frame)?,
                Expr::Set(items) => break self.eval_set(items, frame)?,
                Expr::Fn(form) => break self.make_closure(form, frame)?,
                Expr::Global(global) => break self.global(global)?,
                Expr::User(global) => break self.user(global)?,
                Expr::Tool(name, span) => break self.tool_value(*name).map_err(at(*span))?,
                Expr::Data(name, span) => break self.data_value(*name).map_err(at(*span))?,
                Expr::History(index) => break self.state.history(*index),
                Expr::Def(def) => break self.eval_def(def, frame)?,
                Expr::Iterate(form) => break self.eval_iterate(form, frame)?,
                Expr::Repeat(form) => break self.eval_repeat(form, frame)?,
                Expr::While(form) => break self.eval_while(form, frame)?,
                Expr::Try(form) => break self.eval_try(form, frame)?,
                Expr::Leave(form) => break self.eval_leave(form, frame)?,
            };
            match next {
                Some(part) => expr = part,
                None => return Ok(Evaluated::Stored),
            }
        };
        Ok(Evaluated::of(value, out))
    }

    #[inline(always)]
    fn slot(&mut self, slot: Slot, frame: &Frame<'_>) -> &mut Value {
        &mut self.stack[frame.base + slot as usize]
    }

    #[inline(never)]
    fn eval_binding(&mut self, binding: &Binding, frame: &Frame<'_>) -> Eval<()> {
        match binding.pattern {
            Pattern::Slot(slot) => self.eval_to_slot(&binding.value, slot, frame),
            ref pattern => {
                let value = self.eval(&binding.value, frame)?;
                self.bind_copy(pattern, &value, frame).map_err(at(binding.span))
            }
        }
    }

    /// Evaluates steps until a value satisfies `stop` and writes it to `out`. Otherwise returns the last step unevaluated.
    #[inline(never)]
    fn until<'e>(
        &mut self,
        steps: &'e [Expr],
        frame: &Frame<'_>,
        out: &mut Value,
        stop: fn(&Value) -> bool,
    ) -> Eval<Option<&'e Expr>> {
        let Some((last, first)) = steps.split_last() else { return Ok(None) };
        for step in first {
            self.eval_to(step, frame, out)?;
            if stop(out) {
                return Ok(None);
            }
            *out = Value::Nil;
        }
        Ok(Some(last))
    }

    #[inline(never)]
    fn make_closure(&mut self, form: &MakeFn, frame: &Frame<'_>) -> Eval {
        let closure = self.first_closure(&form.group, &form.captures, frame)?;
        Ok(Value::Function(Function::Closure(closure)))
    }

    /// The first function of a group, with what all of them capture.
    fn first_closure(
        &mut self,
        group: &Arc<Group>,
        captures: &[Capture],
        frame: &Frame<'_>,
    ) -> Eval<Arc<Closure>> {
        self.allocate_closure(captures.len())?;
        let value = |capture: &Capture| match capture {
            Capture::Local(slot) => self.slot(*slot, frame).clone(),
            Capture::Last(slot) => self.slot(*slot, frame).take(),
            Capture::Captured(index) => frame.captured(*index).clone(),
        };
        let captures = captures.iter().map(value).collect();
        Ok(Arc::new(Closure { group: group.clone(), member: 0, id: 0, captures }))
    }

    #[inline(never)]
    fn make_siblings(&mut self, form: &LetFn, frame: &Frame<'_>) -> Eval<()> {
        let first = self.first_closure(&form.group, &form.captures, frame)?;
        for (member, slot) in (0..).zip(&form.slots) {
            let closure = if member == 0 {
                first.clone()
            } else {
                self.allocate_closure(0)?;
                Arc::new(first.sibling(member, 0))
            };
            *self.slot(*slot, frame) = Value::Function(Function::Closure(closure));
        }
        Ok(())
    }

    #[inline(never)]
    fn eval_builtin(&mut self, call: &BuiltinCall, frame: &Frame<'_>, out: &mut Value) -> Returned {
        Returned::of(|| {
            self.with_arguments(&call.arguments, frame, |cx, arguments| {
                let value = call.builtin.call(cx, arguments).map_err(at(call.span))?;
                Ok(Evaluated::of(value, out))
            })
        })
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
    fn first_that_holds<'e>(&mut self, form: &'e Cond, frame: &Frame<'_>) -> Eval<&'e Expr> {
        for (test, value) in &form.clauses {
            if self.test(test, frame)? {
                return Ok(value);
            }
        }
        Ok(&form.otherwise)
    }

    #[inline(never)]
    fn choose<'e>(&mut self, case: &'e Case, frame: &Frame<'_>) -> Eval<&'e Expr> {
        let subject = self.eval(&case.subject, frame)?;
        let branch = case.constants.get(&subject).and_then(|index| case.branches.get(*index));
        Ok(branch.unwrap_or(&case.default))
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

/// Adds the source text to an error on its way out of the source.
#[cold]
#[inline(never)]
fn in_source(mut unwind: Box<Unwind>, source: &Source) -> Box<Unwind> {
    if let Unwind::Error(error) = &mut *unwind
        && error.form.is_none()
    {
        // Each caught error counts its line from the top of the source again.
        meter::owe_text(error.span.unwrap_or_default().start as usize);
        *error = error.clone().in_source(source);
    }
    unwind
}

/// `cannot call TYPE VALUE as a function`
fn not_callable<T>(value: &Value, arguments: &[Value]) -> Eval<T> {
    let hint = hint::not_callable(value, arguments).map_or(String::new(), |hint| format!(". {hint}"));
    raise(ErrorKind::NotCallable, format!("cannot call {} as a function{hint}", describe(value)))
        .map_err(of_class(Class::of_wrong(value)))
}

/// The error for calling a vector with anything but one of its indices.
fn bad_index<T>(items: &Items, index: &Value) -> Eval<T> {
    type_error("vector", &format!("an index below {}", items.len()), index)
        .map_err(of_class(Class::of_wrong_index(index)))
}
