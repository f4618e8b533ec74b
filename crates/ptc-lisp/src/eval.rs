//! The evaluator: walks a resolved tree over one stack of values. Ticks, depth and allocation are counted
//! here and by builtins, so that every program ends.

mod bind;
mod budget;
mod call;
mod collection;
mod integer;
mod iterate;
mod leave;
mod name;
mod output;
mod read;
mod slots;

use std::mem::ManuallyDrop;

use triomphe::Arc;

use super::error::{ErrorKind, Eval, Unwind, arity_error, raise, type_error};
use super::exception::{Class, Classes, of_class};
use super::expr::{
    Binding, BuiltinCall, Capture, Case, Cond, Def, Expr, Global, LetFn, Lookup, Loop, MakeFn, Pattern,
    Program, Slot,
};
use super::items::Items;
use super::limits::{Limits, Usage};
use super::meter::Account;
use super::session::{Environment, Host, State};
use super::source::Span;
use super::symbol::Symbol;
use super::table::Map;
use super::transducer::Segments;
use super::value::{Closure, Function, Value};
use super::{flexible, hint};
use integer::Test;
use output::Output;
use slots::Slots;

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
    stack: Slots,
    depth: u32,
    /// How many arguments of a call in tail position lie on top of the stack.
    pending: usize,
    /// How many `def`s around are evaluating their value.
    capturing: u32,
    /// Classes that the `try`s around would catch.
    handled: Classes,
    /// Ticks for the names among which the last undefined one was sought, due when its error is caught.
    searched: usize,
    tool_calls: u32,
    /// How much the patterns took that the program made.
    pattern_effort: usize,
    /// What `memoize` remembers: a result by function and arguments.
    pub(super) memo: Map,
    /// What transducers with functions of the program have at work.
    pub(super) segments: Segments,
}

/// The slots and captures of the function being evaluated.
#[derive(Clone, Copy)]
struct Frame<'c> {
    base: usize,
    /// The function itself; none: the program.
    closure: Option<&'c Arc<Closure>>,
}

/// What evaluating a form came to. An integer comes back in a register, since moving values through
/// memory is what tight loops would spend most of their time on.
enum Done {
    Int(i64),
    /// The value is where the caller wants it.
    Stored,
    /// A `recur` has put its values in place; the nearest loop or function starts over.
    Recur,
    /// A call in tail position: the nearest call goes on with this function.
    Tail(Arc<Closure>),
    Left(Box<Unwind>),
}

/// How far a row of forms got.
enum Chain<'e> {
    /// The last one remains.
    Last(&'e Expr),
    Done(Done),
}

impl<'c> Frame<'c> {
    /// That of a program.
    fn outermost(base: usize) -> Frame<'static> {
        Frame { base, closure: None }
    }

    /// What the function captured. Most captures are read once a call, most functions have none.
    #[inline]
    fn captured(&self, index: u32) -> &'c Value {
        let captures: &[Value] = self.closure.map_or(&[], |closure| closure.captures());
        &captures[index as usize]
    }

    #[inline(never)]
    fn copy_captured(&self, index: u32, out: &mut Value) -> Done {
        Done::copied(self.captured(index), out)
    }
}

impl Done {
    #[inline]
    fn stored(value: Value, out: &mut Value) -> Done {
        out.fill(value);
        Done::Stored
    }

    #[inline(never)]
    fn copied(value: &Value, out: &mut Value) -> Done {
        match value {
            Value::Int(integer) => return Done::Int(*integer),
            value => value.copy_parts_to(out),
        }
        Done::Stored
    }

    /// Sees to it that the value is where the caller wants it.
    #[inline(always)]
    fn settle(self, out: &mut Value) -> Eval<()> {
        match self {
            Done::Int(integer) => write_integer(out, integer),
            Done::Left(unwind) => return Err(unwind),
            Done::Tail(callee) => drop(callee),
            // There is nothing to drop, which the compiler would look for.
            nothing => std::mem::forget(nothing),
        }
        Ok(())
    }

    #[inline]
    fn of(result: Eval, out: &mut Value) -> Done {
        // What is no more than a number leaves nothing to drop, which the compiler would look for.
        match result {
            Ok(Value::Int(integer)) => {
                std::mem::forget(result);
                Done::Int(integer)
            }
            Ok(Value::Bool(truth)) => {
                std::mem::forget(result);
                Done::stored(Value::Bool(truth), out)
            }
            Ok(Value::Keyword(name)) => {
                std::mem::forget(result);
                Done::stored(Value::Keyword(name), out)
            }
            // Moved part by part, see `Value::copy_to`.
            Ok(Value::Map(map)) => Done::stored(Value::Map(map), out),
            Ok(value) => Done::stored(value, out),
            Err(unwind) => Done::Left(unwind),
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
            usage: Usage::default(),
            environment,
            state,
            host: Some(host),
            output: Output::default(),
            stack: Slots::default(),
            depth: 0,
            pending: 0,
            capturing: 0,
            handled: Classes::default(),
            searched: 0,
            tool_calls: 0,
            pattern_effort: 0,
            memo: Map::new(),
            segments: Segments::default(),
        }
    }

    /// Runs a program to its end.
    pub(super) fn run(&mut self, program: &Program) -> Eval {
        let result = self.on_account(|cx| {
            let base = cx.stack.top();
            cx.stack.raise(base + program.frame as usize);
            let result = cx.eval(&program.body, &Frame::outermost(base));
            cx.stack.lower(base);
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
        self.state.lookup(&Global::new(name, Default::default(), Box::default())).cloned()
    }

    /// Work that pays for what values owe at its end.
    fn on_account(&mut self, work: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let _account = Account::open(self.limits.ticks, self.limits.memory_bytes());
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

    /// The value of a form that is not in tail position.
    fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval {
        let mut value = Value::Nil;
        self.eval_to(expr, frame, &mut value)?;
        Ok(value)
    }

    /// The same, into a place that holds nothing yet.
    fn eval_to(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        self.eval_element(expr, frame, out)
    }

    /// Evaluates a form. A value that is no integer goes to `out`, which holds nothing yet. All that is done
    /// here is to jump to what evaluates this kind of form: each has registers of its own to save, or none.
    #[inline(never)]
    fn eval_into(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Done {
        match expr {
            Expr::Int(integer) => Done::Int(*integer),
            Expr::Const(value) => Done::copied(value, out),
            Expr::Local(slot) => self.copy_local(*slot, frame, out),
            Expr::Last(slot) => self.move_local(*slot, frame, out),
            Expr::Captured(index) => frame.copy_captured(*index, out),
            Expr::Call(call) => self.eval_call(call, frame, out),
            Expr::Arithmetic(form) => self.eval_arithmetic(form, frame, out),
            Expr::Comparison(form) => self.eval_comparison(form, frame, out),
            Expr::Step(step) => self.eval_step(step, frame, out),
            Expr::Builtin(call) => self.eval_builtin(call, frame, out),
            Expr::Read(form) => self.eval_read(form, frame, out),
            Expr::Lookup(lookup) => self.eval_lookup(lookup, frame, out),
            Expr::Vector(items) => self.eval_vector(items, frame, out),
            Expr::Record(form) => self.eval_record(form, frame, out),
            Expr::Map(parts) => self.eval_map(parts, frame, out),
            Expr::Fn(form) => self.eval_fn(form, frame, out),
            Expr::If(_)
            | Expr::Cond(_)
            | Expr::Let(_)
            | Expr::Do(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::LetFn(_)
            | Expr::Case(_)
            | Expr::Loop(_)
            | Expr::Recur(_) => self.eval_body(expr, frame, out),
            other => self.eval_other(other, frame, out),
        }
    }

    #[inline(never)]
    fn copy_local(&self, slot: Slot, frame: &Frame<'_>, out: &mut Value) -> Done {
        Done::copied(&self.stack[frame.base + slot as usize], out)
    }

    #[inline(never)]
    fn move_local(&mut self, slot: Slot, frame: &Frame<'_>, out: &mut Value) -> Done {
        match &mut self.stack[frame.base + slot as usize] {
            Value::Int(integer) => Done::Int(*integer),
            value => Done::stored(value.take(), out),
        }
    }

    /// Evaluates a form that comes to the value of another form, and then that one.
    #[inline(never)]
    fn eval_body(&mut self, mut expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Done {
        // The loop that a `recur` in tail position goes back to; none: the function.
        let mut around: Option<&Loop> = None;
        loop {
            match expr {
                Expr::If(parts) => {
                    let [test, then, otherwise] = &**parts;
                    expr = match self.test(test, frame, out) {
                        Test::Holds => then,
                        Test::Fails => otherwise,
                        Test::Left(unwind) => return Done::Left(unwind),
                    };
                }
                Expr::Cond(form) => match self.first_that_holds(form, frame, out) {
                    Ok(value) => expr = value,
                    Err(unwind) => return Done::Left(unwind),
                },
                Expr::Let(form) => {
                    for binding in &form.bindings {
                        if let Err(unwind) = self.eval_binding(binding, frame, out) {
                            return Done::Left(unwind);
                        }
                    }
                    expr = &form.body;
                }
                Expr::Do(steps) => match self.until(steps, frame, out, |_| false) {
                    Chain::Last(last) => expr = last,
                    Chain::Done(done) => return done,
                },
                Expr::And(steps) => match self.until(steps, frame, out, |value| !value.is_truthy()) {
                    Chain::Last(last) => expr = last,
                    Chain::Done(done) => return done,
                },
                Expr::Or(steps) => match self.until(steps, frame, out, Value::is_truthy) {
                    Chain::Last(last) => expr = last,
                    Chain::Done(done) => return done,
                },
                Expr::LetFn(form) => match self.make_siblings(form, frame) {
                    Ok(()) => expr = &form.body,
                    Err(unwind) => return Done::Left(unwind),
                },
                Expr::Case(case) => match self.choose(case, frame) {
                    Ok(branch) => expr = branch,
                    Err(unwind) => return Done::Left(unwind),
                },
                Expr::Loop(form) => {
                    if let Err(unwind) = self.begin_loop(form, frame, out) {
                        return Done::Left(unwind);
                    }
                    around = Some(&**form);
                    expr = &form.body;
                }
                Expr::Recur(form) => {
                    if let Err(unwind) = self.eval_recur(form, frame, out) {
                        return Done::Left(unwind);
                    }
                    let Some(form) = around else { return Done::Recur };
                    if let Err(unwind) = self.begin_round(form, frame) {
                        return Done::Left(unwind);
                    }
                    expr = &form.body;
                }
                Expr::Arithmetic(form) => return self.eval_arithmetic(form, frame, out),
                Expr::Call(call) => return self.eval_call(call, frame, out),
                Expr::Local(slot) => return self.copy_local(*slot, frame, out),
                Expr::Last(slot) => return self.move_local(*slot, frame, out),
                other => return self.eval_into(other, frame, out),
            }
        }
    }

    /// Forms that are no part of tight loops, or do so much that moving a value is nothing.
    #[inline(never)]
    fn eval_other(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Done {
        Done::of(self.eval_rare(expr, frame), out)
    }

    fn eval_rare(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval {
        match expr {
            Expr::Global(global) => self.global(global),
            Expr::User(global) => self.user(global),
            Expr::Tool(name, span) => self.tool_value(*name).map_err(at(*span)),
            Expr::Data(name, span) => self.data_value(*name).map_err(at(*span)),
            Expr::History(index) => Ok(self.state.history(*index)),
            Expr::Set(items) => self.eval_set(items, frame),
            Expr::Def(def) => self.eval_def(def, frame),
            Expr::Iterate(form) => self.eval_iterate(form, frame),
            Expr::Repeat(form) => self.eval_repeat(form, frame),
            Expr::While(form) => self.eval_while(form, frame),
            Expr::Try(form) => self.eval_try(form, frame),
            Expr::Leave(form) => self.eval_leave(form, frame),
            in_eval_into => self.eval(in_eval_into, frame),
        }
    }

    #[inline]
    fn eval_binding(&mut self, binding: &Binding, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        match binding.pattern {
            Pattern::Slot(slot) => self.eval_to_slot(&binding.value, slot, frame, out),
            ref pattern => {
                let mut value = Value::Nil;
                self.eval_to(&binding.value, frame, &mut value)?;
                self.bind_copy(pattern, &value, frame).map_err(at(binding.span))
            }
        }
    }

    /// The value of a form in a slot; `out` is there for values on their way.
    #[inline(always)]
    fn eval_to_slot(&mut self, expr: &Expr, slot: Slot, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        let integer = match self.operand(expr, frame, out) {
            Done::Int(integer) => integer,
            Done::Left(unwind) => return Err(unwind),
            Done::Stored | Done::Recur | Done::Tail(_) => {
                self.set(frame, slot, out.take());
                return Ok(());
            }
        };
        self.put_integer(frame, slot, integer);
        Ok(())
    }

    #[inline(always)]
    fn put_integer(&mut self, frame: &Frame<'_>, slot: Slot, integer: i64) {
        write_integer(&mut self.stack[frame.base + slot as usize], integer);
    }

    /// Evaluates all steps but the last, until one satisfies `stop`.
    #[inline]
    fn until<'e>(
        &mut self,
        steps: &'e [Expr],
        frame: &Frame<'_>,
        out: &mut Value,
        stop: fn(&Value) -> bool,
    ) -> Chain<'e> {
        let Some((last, first)) = steps.split_last() else {
            return Chain::Done(Done::stored(Value::Nil, out));
        };
        for step in first {
            match self.eval_into(step, frame, out) {
                Done::Int(integer) if !stop(&Value::Int(integer)) => {}
                Done::Stored if !stop(out) => *out = Value::Nil,
                done => return Chain::Done(done),
            }
        }
        Chain::Last(last)
    }

    #[inline(never)]
    fn eval_fn(&mut self, form: &MakeFn, frame: &Frame<'_>, out: &mut Value) -> Done {
        match self.make_closure(form, frame) {
            Ok(closure) => Done::stored(Value::Function(Function::Closure(closure)), out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    fn make_closure(&mut self, form: &MakeFn, frame: &Frame<'_>) -> Eval<Arc<Closure>> {
        self.allocate_closure(form.captures.len())?;
        let group = form.group.clone();
        Ok(Arc::new(match &*form.captures {
            [single] => Closure::with_one(group, self.captured(single, frame)),
            several => Closure::new(group, self.all_captured(several, frame)),
        }))
    }

    #[inline(never)]
    fn make_siblings(&mut self, form: &LetFn, frame: &Frame<'_>) -> Eval<()> {
        self.allocate_closure(form.captures.len())?;
        let first = Arc::new(Closure::new(form.group.clone(), self.all_captured(&form.captures, frame)));
        for (member, slot) in form.slots.iter().enumerate() {
            if member > 0 {
                self.allocate_closure(0)?;
            }
            let closure = if member == 0 {
                first.clone()
            } else {
                Arc::new(Closure::sibling(&first, member as u32, 0))
            };
            self.set(frame, *slot, Value::Function(Function::Closure(closure)));
        }
        Ok(())
    }

    #[inline(never)]
    fn set(&mut self, frame: &Frame<'_>, slot: Slot, value: Value) {
        self.stack[frame.base + slot as usize] = value;
    }

    fn captured(&mut self, capture: &Capture, frame: &Frame<'_>) -> Value {
        match capture {
            Capture::Local(slot) => self.stack[frame.base + *slot as usize].clone(),
            Capture::Last(slot) => self.stack[frame.base + *slot as usize].take(),
            Capture::Captured(index) => frame.captured(*index).clone(),
        }
    }

    fn all_captured(&mut self, captures: &[Capture], frame: &Frame<'_>) -> Vec<Value> {
        captures.iter().map(|capture| self.captured(capture, frame)).collect()
    }

    #[inline(never)]
    fn eval_builtin(&mut self, call: &BuiltinCall, frame: &Frame<'_>, out: &mut Value) -> Done {
        match call.arguments.len() {
            1 => self.eval_builtin_of::<1>(call, frame, out),
            2 => self.eval_builtin_of::<2>(call, frame, out),
            3 => self.eval_builtin_of::<3>(call, frame, out),
            4 => self.eval_builtin_of::<4>(call, frame, out),
            5 => self.eval_builtin_of::<5>(call, frame, out),
            6 => self.eval_builtin_of::<6>(call, frame, out),
            _ => self.eval_builtin_of_many(call, frame, out),
        }
    }

    /// Calls a builtin with a known number of arguments, which need no row of their own.
    #[inline(never)]
    fn eval_builtin_of<const N: usize>(
        &mut self,
        call: &BuiltinCall,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        let Some(arguments) = call.arguments.first_chunk::<N>() else {
            return self.eval_builtin_of_many(call, frame, out);
        };
        // They are cleared after the call, where one look at each is enough: mostly there is nothing left
        // to drop.
        let mut places = ManuallyDrop::new([const { Value::Nil }; N]);
        let mut evaluated = Ok(());
        for (argument, place) in arguments.iter().zip(places.iter_mut()) {
            evaluated = self.eval_to(argument, frame, place);
            if evaluated.is_err() {
                break;
            }
        }
        let done = match evaluated {
            Ok(()) => self.run_builtin(call, &mut *places, out),
            Err(unwind) => Done::Left(unwind),
        };
        places.iter_mut().for_each(Value::clear);
        done
    }

    #[inline(never)]
    fn eval_builtin_of_many(&mut self, call: &BuiltinCall, frame: &Frame<'_>, out: &mut Value) -> Done {
        match self.eval_all(&call.arguments, frame) {
            Ok(mut arguments) => self.run_builtin(call, &mut arguments, out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    #[inline(always)]
    fn run_builtin(&mut self, call: &BuiltinCall, arguments: &mut [Value], out: &mut Value) -> Done {
        match call.builtin.call(self, arguments) {
            Err(unwind) => left_at(unwind, call.span),
            value => Done::of(value, out),
        }
    }

    /// A local need not be copied to be read.
    #[inline(never)]
    fn eval_lookup(&mut self, lookup: &Lookup, frame: &Frame<'_>, out: &mut Value) -> Done {
        let subject = self.subject(&lookup.collection, frame).filter(|_| lookup.default.is_none());
        let Some(collection) = subject else { return self.eval_long_lookup(lookup, frame, out) };
        let done = look_up(collection, &lookup.key, out)
            .unwrap_or_else(|| not_there(collection, lookup, Value::Nil, out));
        self.forget_last(&lookup.collection, frame);
        done
    }

    #[inline(never)]
    fn eval_long_lookup(&mut self, lookup: &Lookup, frame: &Frame<'_>, out: &mut Value) -> Done {
        let (mut held, mut otherwise) = (Value::Nil, Value::Nil);
        let evaluated =
            self.eval_to(&lookup.collection, frame, &mut held).and_then(|()| match &lookup.default {
                Some(default) => self.eval_to(default, frame, &mut otherwise),
                None => Ok(()),
            });
        match evaluated {
            Ok(()) => {
                look_up(&held, &lookup.key, out).unwrap_or_else(|| not_there(&held, lookup, otherwise, out))
            }
            Err(unwind) => Done::Left(unwind),
        }
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

    #[inline]
    fn first_that_holds<'e>(&mut self, form: &'e Cond, frame: &Frame<'_>, out: &mut Value) -> Eval<&'e Expr> {
        for (test, value) in &form.clauses {
            match self.test(test, frame, out) {
                Test::Holds => return Ok(value),
                Test::Fails => {}
                Test::Left(unwind) => return Err(unwind),
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

/// Integers are written and read by tag and number, never as a block of memory: a block that was written
/// in parts a moment ago cannot be read before the parts have left the processor's store buffer.
#[inline(always)]
fn write_integer(place: &mut Value, integer: i64) {
    match place {
        Value::Int(old) => *old = integer,
        other => other.fill(Value::Int(integer)),
    }
}

/// What a collection holds under a key, if anything.
#[inline]
fn look_up(collection: &Value, key: &Value, out: &mut Value) -> Option<Done> {
    match collection {
        Value::Map(map) => flexible::lookup(map, key).map(|found| Done::copied(found, out)),
        other => flexible::get(other, key).map(|found| Done::stored(found, out)),
    }
}

/// What comes of a key that is not there.
#[inline(never)]
fn not_there(collection: &Value, lookup: &Lookup, otherwise: Value, out: &mut Value) -> Done {
    match flexible::refuse_missing(collection, &lookup.key) {
        Ok(()) => Done::stored(otherwise, out),
        Err(unwind) => left_at(unwind, lookup.span),
    }
}

#[cold]
fn left_at(unwind: Box<Unwind>, span: Span) -> Done {
    Done::Left(at(span)(unwind))
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
#[cold]
#[inline(never)]
fn in_source(mut unwind: Box<Unwind>, source: &super::source::Source) -> Box<Unwind> {
    if let Unwind::Error(error) = &mut *unwind
        && error.form.is_none()
    {
        // The line is counted from the top of the source, again for each error that is caught.
        super::meter::owe_text(error.span.unwrap_or_default().start as usize);
        *error = error.clone().in_source(source);
    }
    unwind
}

/// `Wrong number of arguments to NAME: expected SPEC, got N`.
fn wrong_count<T>(name: &str, expected: &str, got: usize) -> Eval<T> {
    arity_error(name, expected, got)
}

/// `cannot call TYPE VALUE as a function`
fn not_callable<T>(value: &Value, arguments: &[Value]) -> Eval<T> {
    let message = format!("cannot call {} as a function", super::error::describe(value));
    let refused = match hint::not_callable(value, arguments) {
        Some(hint) => raise(ErrorKind::NotCallable, format!("{message}. {hint}")),
        None => raise(ErrorKind::NotCallable, message),
    };
    refused.map_err(of_class(Class::of_wrong(value)))
}

/// A vector called with what is no index in it.
fn bad_index<T>(items: &Items, index: &Value) -> Eval<T> {
    type_error("vector", &format!("an index below {}", items.len()), index)
        .map_err(of_class(Class::of_wrong_index(index)))
}
