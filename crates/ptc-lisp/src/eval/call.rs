//! Calls: of closures, builtins and everything else that can stand in call position. A call in tail
//! position does not nest.

use std::borrow::Cow;

use triomphe::Arc;

use crate::error::{Error, ErrorKind, Eval, Unwind};
use crate::expr::{Call, Expr, FnArity, Lambda};
use crate::flexible;
use crate::hint;
use crate::items::Items;
use crate::meter;
use crate::print::TypeLabel;
use crate::session::State;
use crate::stack::guarded;
use crate::value::{Closure, Composed, Function, Value};

use super::{Done, Frame, Interpreter, at, bad_index, in_source, not_callable, wrong_count};

/// The most values that may lie on the stack: calls of functions with many locals nest less deeply.
const MAX_STACK: usize = 4 << 20;

impl Interpreter<'_> {
    /// Calls any callable. Takes the arguments out of the slice. Counts the ticks and depth of the call.
    pub fn call(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match callee {
            Value::Function(Function::Closure(closure)) => {
                for argument in &mut *arguments {
                    self.push(argument);
                }
                let mut value = Value::Nil;
                self.enter_to(closure, arguments.len(), &mut value)?;
                Ok(value)
            }
            Value::Function(Function::Composed(composed)) => {
                self.tick(1)?;
                self.nested(|cx| cx.call_composed(composed, arguments))
            }
            _ => {
                self.tick(1)?;
                self.call_plain(callee, arguments)
            }
        }
    }

    /// Puts what a function makes of a value in its place.
    pub fn call_in_place(&mut self, callee: &Value, value: &mut Value) -> Eval<()> {
        let Value::Function(Function::Closure(closure)) = callee else {
            let mut arguments = [Value::Nil];
            value.move_to(&mut arguments[0]);
            self.call(callee, &mut arguments)?.move_to(value);
            return Ok(());
        };
        self.push(value);
        self.enter_to(closure, 1, value)
    }

    /// Puts what a function makes of a copy of a value into a place that holds nothing yet.
    pub fn call_on(&mut self, callee: &Value, value: &Value, out: &mut Value) -> Eval<()> {
        match (callee, value) {
            (Value::Function(Function::Closure(closure)), _) => {
                self.push_copy(value);
                return self.enter_to(closure, 1, out);
            }
            // A keyword need not hold the map that it reads.
            (Value::Keyword(_), Value::Map(map)) => {
                self.tick(1)?;
                match flexible::lookup(map, callee) {
                    Some(found) => found.copy_to(out),
                    None => flexible::refuse_missing(value, callee)?,
                }
            }
            _ => {
                let mut arguments = [Value::Nil];
                value.copy_to(&mut arguments[0]);
                self.call(callee, &mut arguments)?.move_to(out);
            }
        }
        Ok(())
    }

    /// Puts what a function makes of a value and one more in the place of the first.
    pub fn fold_in_place(&mut self, callee: &Value, value: &mut Value, next: &Value) -> Eval<()> {
        if let Value::Function(Function::Closure(closure)) = callee {
            self.push(value);
            self.push_copy(next);
            return self.enter_to(closure, 2, value);
        }
        let mut arguments = [Value::Nil, Value::Nil];
        value.move_to(&mut arguments[0]);
        next.copy_to(&mut arguments[1]);
        let folded = match callee {
            Value::Function(Function::Builtin(builtin)) if builtin.arity.admits(2) => {
                self.tick(1)?;
                builtin.call(self, &mut arguments)
            }
            _ => self.call(callee, &mut arguments),
        };
        folded?.move_to(value);
        Ok(())
    }

    /// Moves a value to the top of the stack.
    #[inline]
    fn push(&mut self, value: &mut Value) {
        match value {
            Value::Int(integer) => self.stack.push_integer(*integer),
            other => self.stack.push(other.take()),
        }
    }

    /// Puts a copy of a value on top of the stack.
    #[inline]
    fn push_copy(&mut self, value: &Value) {
        match value {
            Value::Int(integer) => self.stack.push_integer(*integer),
            Value::Map(map) => self.stack.push(Value::Map(map.clone())),
            Value::Function(Function::Closure(closure)) => {
                self.stack.push(Value::Function(Function::Closure(closure.clone())));
            }
            other => self.stack.push(other.clone()),
        }
    }

    /// Puts the value of a form on top of the stack; `out` is there for values on their way.
    #[inline(always)]
    pub(super) fn push_value_of(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        let integer = match self.operand(expr, frame, out) {
            Done::Int(integer) => integer,
            Done::Left(unwind) => return Err(unwind),
            Done::Stored | Done::Recur | Done::Tail(_) => {
                self.stack.push(out.take());
                return Ok(());
            }
        };
        self.stack.push_integer(integer);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn eval_call(&mut self, call: &Call, frame: &Frame<'_>, out: &mut Value) -> Done {
        match &call.callee {
            Expr::Global(global) => match (self.state.lookup(global), frame.closure) {
                (Some(Value::Function(Function::Closure(callee))), Some(own)) if Arc::ptr_eq(callee, own) => {
                    self.eval_closure_call(Cow::Borrowed(own), call, frame, out)
                }
                (Some(Value::Function(Function::Closure(callee))), _) => {
                    let callee = Cow::Owned(callee.clone());
                    self.eval_closure_call(callee, call, frame, out)
                }
                _ => self.eval_other_call(call, frame, out),
            },
            Expr::Last(slot) => match self.take_closure(frame.base + *slot as usize) {
                Some(callee) => self.eval_closure_call(Cow::Owned(callee), call, frame, out),
                None => self.eval_other_call(call, frame, out),
            },
            Expr::Captured(index) => self.eval_call_of(frame.captured(*index), call, frame, out),
            Expr::Const(callee) => self.eval_call_of(callee, call, frame, out),
            _ => self.eval_other_call(call, frame, out),
        }
    }

    /// Moves a closure off the stack, and nothing but a closure.
    #[inline]
    fn take_closure(&mut self, index: usize) -> Option<Arc<Closure>> {
        let place = &mut self.stack[index];
        if !matches!(place, Value::Function(Function::Closure(_))) {
            return None;
        }
        match place.take() {
            Value::Function(Function::Closure(closure)) => Some(closure),
            _ => None,
        }
    }

    fn eval_other_call(&mut self, call: &Call, frame: &Frame<'_>, out: &mut Value) -> Done {
        match self.eval(&call.callee, frame) {
            Ok(callee) => self.eval_call_of(&callee, call, frame, out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    fn eval_call_of(&mut self, callee: &Value, call: &Call, frame: &Frame<'_>, out: &mut Value) -> Done {
        match callee {
            Value::Function(Function::Closure(closure)) => {
                self.eval_closure_call(Cow::Borrowed(closure), call, frame, out)
            }
            _ => Done::of(self.eval_plain_call(callee, call, frame), out),
        }
    }

    /// The closure is borrowed where somebody keeps it anyway: counting its holders is what takes long.
    fn eval_closure_call(
        &mut self,
        closure: Cow<'_, Arc<Closure>>,
        call: &Call,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        for argument in &call.arguments {
            if let Err(unwind) = self.push_value_of(argument, frame, out) {
                return Done::Left(unwind);
            }
        }
        if call.tail {
            self.pending = call.arguments.len();
            return Done::Tail(closure.into_owned());
        }
        match self.enter(&closure, call.arguments.len(), out) {
            Done::Left(unwind) => Done::Left(at(call.span)(unwind)),
            done => done,
        }
    }

    #[inline(never)]
    fn eval_plain_call(&mut self, callee: &Value, call: &Call, frame: &Frame<'_>) -> Eval {
        let result = match &*call.arguments {
            [a] => {
                let mut arguments = [self.eval(a, frame)?];
                self.call_unticked(callee, &mut arguments)
            }
            several => {
                let mut arguments = self.eval_all(several, frame)?;
                self.call_unticked(callee, &mut arguments)
            }
        };
        result.map_err(|unwind| at(call.span)(hint::of_hidden(call.hidden, callee, unwind)))
    }

    fn call_unticked(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match callee {
            Value::Function(Function::Closure(_)) => self.call(callee, arguments),
            Value::Function(Function::Composed(composed)) => {
                self.nested(|cx| cx.call_composed(composed, arguments))
            }
            _ => self.call_plain(callee, arguments),
        }
    }

    #[inline(never)]
    fn enter_to(&mut self, closure: &Arc<Closure>, count: usize, out: &mut Value) -> Eval<()> {
        self.enter(closure, count, out).settle(out)
    }

    /// Runs the closure on the arguments on top of the stack, and whatever it calls in tail position.
    #[inline(always)]
    fn enter(&mut self, closure: &Arc<Closure>, count: usize, out: &mut Value) -> Done {
        let base = self.stack.top() - count;
        self.depth += 1;
        if self.depth > self.usage.max_depth
            && let Err(unwind) = self.go_deeper()
        {
            return Done::Left(unwind);
        }
        let done = match guarded(|| self.run_closure(closure, base, out)) {
            Done::Tail(next) => self.go_on(closure.id, next, base, out),
            done => {
                if closure.id != 0 && !matches!(done, Done::Left(_)) {
                    self.state.returned(closure.id, done.label(out));
                }
                done
            }
        };
        if let Done::Left(_) = done {
            return done;
        }
        self.stack.lower(base);
        self.depth -= 1;
        done
    }

    /// Notes that calls have nested deeper than before.
    #[inline(never)]
    fn go_deeper(&mut self) -> Eval<()> {
        if self.depth > self.limits.depth {
            return Err(self.too_deep());
        }
        self.usage.max_depth = self.depth;
        Ok(())
    }

    #[cold]
    fn too_deep(&self) -> Box<Unwind> {
        Error::new(ErrorKind::DepthExceeded, format!("call depth exceeded: {}", self.limits.depth)).into()
    }

    /// Runs calls in tail position until one gives a value, which is that of every function on the way.
    #[inline(never)]
    fn go_on(&mut self, first: u32, next: Arc<Closure>, base: usize, out: &mut Value) -> Done {
        let (mut closure, mut callers) = (next, Callers { latest: first, others: Vec::new() });
        loop {
            callers.add(closure.id);
            // Its arguments take the place of those of the function before.
            self.stack.move_down(self.stack.top() - self.pending, base);
            self.stack.lower(base + self.pending);
            match guarded(|| self.run_closure(&closure, base, out)) {
                Done::Tail(next) => closure = next,
                Done::Left(unwind) => return Done::Left(unwind),
                done => {
                    if callers.have_ids() {
                        let label = done.label(out);
                        callers.all().for_each(|id| self.state.returned(id, label));
                    }
                    return done;
                }
            }
        }
    }

    /// One function body, its arguments from `base` to the top of the stack.
    #[inline(never)]
    fn run_closure(&mut self, closure: &Arc<Closure>, base: usize, out: &mut Value) -> Done {
        let done = match self.admitted(closure, base) {
            Ok(arity) => {
                self.lay_out(arity, closure, base);
                let frame = Frame { base, closure: Some(closure) };
                self.rounds_of(arity, &frame, out)
            }
            Err(unwind) => Done::Left(unwind),
        };
        match done {
            Done::Left(unwind) => Done::Left(in_source(unwind, &closure.group.source)),
            done => done,
        }
    }

    /// The parameter list that takes the arguments. A tick is spent.
    #[inline]
    fn admitted<'c>(&mut self, closure: &'c Closure, base: usize) -> Eval<&'c FnArity> {
        let lambda = closure.lambda();
        let count = self.stack.top() - base;
        match lambda.arities.iter().find(|arity| arity.admits(count)) {
            Some(arity) => {
                self.tick(arity.weight)?;
                match base + arity.frame as usize {
                    ..=MAX_STACK => Ok(arity),
                    _ => Err(self.too_deep()),
                }
            }
            None => {
                self.tick(1)?;
                let given: Vec<&Value> = (base..self.stack.top()).map(|index| &self.stack[index]).collect();
                wrong_arguments(lambda, &given)
            }
        }
    }

    /// Gathers the rest parameter, makes room for locals, fills in siblings.
    #[inline]
    fn lay_out(&mut self, arity: &FnArity, closure: &Arc<Closure>, base: usize) {
        if arity.variadic {
            self.gather_rest(base + arity.required as usize);
        }
        self.stack.raise(base + arity.frame as usize);
        if !arity.siblings.is_empty() {
            self.fill_in_siblings(arity, closure, base);
        }
    }

    #[inline(never)]
    fn gather_rest(&mut self, first: usize) {
        let rest: Vec<Value> = (first..self.stack.top()).map(|index| self.stack[index].take()).collect();
        self.stack.lower(first);
        self.stack.push(if rest.is_empty() { Value::Nil } else { Value::list(rest) });
    }

    #[inline(never)]
    fn fill_in_siblings(&mut self, arity: &FnArity, closure: &Arc<Closure>, base: usize) {
        for (member, slot) in &arity.siblings {
            let sibling = if *member == closure.member {
                closure.clone()
            } else {
                Arc::new(Closure::sibling(closure, *member, 0))
            };
            self.stack[base + *slot as usize] = Value::Function(Function::Closure(sibling));
        }
    }

    /// The body, again for each `recur`.
    #[inline]
    fn rounds_of(&mut self, arity: &FnArity, frame: &Frame<'_>, out: &mut Value) -> Done {
        loop {
            if !arity.patterns.is_empty()
                && let Err(unwind) = self.take_apart(arity, frame)
            {
                return Done::Left(unwind);
            }
            match self.eval_into(&arity.body, frame, out) {
                Done::Recur => {}
                done => return done,
            }
            if let Err(unwind) = self.tick(arity.weight) {
                return Done::Left(unwind);
            }
        }
    }

    /// Binds the patterns of parameters.
    #[inline(never)]
    fn take_apart(&mut self, arity: &FnArity, frame: &Frame<'_>) -> Eval<()> {
        for parameter in &arity.patterns {
            let value = self.stack[frame.base + parameter.slot as usize].take();
            if arity.variadic && parameter.slot == arity.required {
                let rest = self.items("fn", value)?;
                self.bind_rest(&parameter.pattern, rest, frame).map_err(at(parameter.span))?;
            } else {
                self.bind(&parameter.pattern, value, frame).map_err(at(parameter.span))?;
            }
        }
        Ok(())
    }

    /// Counts a call that is no closure's towards the depth.
    pub(crate) fn nested<T>(&mut self, call: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        self.depth += 1;
        if self.depth > self.limits.depth {
            return Err(self.too_deep());
        }
        let result = guarded(|| call(self));
        self.depth -= 1;
        result
    }

    fn call_composed(&mut self, composed: &Composed, arguments: &mut [Value]) -> Eval {
        meter::owe_copy(16 * composed.parts.len());
        let mut all = Vec::with_capacity(composed.parts.len() + arguments.len());
        all.extend(composed.parts.iter().cloned());
        all.extend(arguments.iter_mut().map(Value::take));
        let arity = composed.run.arity;
        if !arity.admits(all.len()) {
            let expected = arity.after(composed.parts.len()).to_string();
            return wrong_count(composed.run.name, &expected, arguments.len());
        }
        composed.run.call(self, &mut all)
    }

    fn call_plain(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match (callee, &mut *arguments) {
            (Value::Function(Function::Builtin(builtin)), _) => {
                if builtin.arity.admits(arguments.len()) {
                    return builtin.call(self, arguments);
                }
                wrong_count(builtin.name, &builtin.arity.to_string(), arguments.len())
            }
            (Value::Function(Function::Tool(name)), _) => self.call_tool(*name, arguments),
            (Value::Function(Function::Transducer(transducer)), [function]) => {
                transducer.applied(self, function.take())
            }
            (Value::Function(Function::Transducer(_)), _) => wrong_count("transducer", "1", arguments.len()),
            (Value::Keyword(_), [collection]) => Ok(flexible::find(collection, callee)?.unwrap_or_default()),
            (Value::Keyword(_), [collection, default]) => {
                Ok(flexible::find(collection, callee)?.unwrap_or_else(|| default.take()))
            }
            (Value::Keyword(name), _) => wrong_count(&format!(":{name}"), "1 or 2", arguments.len()),
            (Value::Map(_) | Value::Set(_), [key]) => Ok(flexible::find(callee, key)?.unwrap_or_default()),
            (Value::Map(_), [key, default]) => {
                Ok(flexible::find(callee, key)?.unwrap_or_else(|| default.take()))
            }
            (Value::Map(_), _) => wrong_count("map", "1 or 2", arguments.len()),
            (Value::Set(_), _) => wrong_count("set", "1", arguments.len()),
            (Value::Vector(items), [index]) => nth(items, index),
            (Value::Vector(_), _) => wrong_count("vector", "1", arguments.len()),
            (Value::Var(name), _) => {
                let current = self.var_value(*name)?;
                self.nested(|cx| cx.call_unticked(&current, arguments))
            }
            _ => not_callable(callee, arguments),
        }
    }

    /// Runs code of another program, such as a tool's, which defines and finds names in a `user/` of its
    /// own. However that code ends, the program at hand can go on.
    pub fn within(&mut self, state: &mut State, work: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let (height, depth, capturing) = (self.stack.top(), self.depth, self.capturing);
        // What that code throws is its own to catch.
        let handled = std::mem::take(&mut self.handled);
        std::mem::swap(self.state, state);
        let result = work(self);
        std::mem::swap(self.state, state);
        self.handled = handled;
        self.stack.lower(height);
        (self.depth, self.capturing) = (depth, capturing);
        result
    }

    /// Evaluates a form of another program, such as a tool's, and gives its value.
    pub fn evaluate(&mut self, name: &str, text: &str) -> Eval {
        let program = super::super::session::prepare(name, text, &|_| false)?;
        let base = self.stack.top();
        self.stack.raise(base + program.frame as usize);
        let body: &Expr = &program.body;
        let result = self.eval(body, &Frame::outermost(base));
        self.stack.lower(base);
        result.map_err(|unwind| in_source(unwind, &program.source))
    }
}

/// The ids of functions that called each other in tail position.
struct Callers {
    latest: u32,
    others: Vec<u32>,
}

impl Callers {
    #[inline]
    fn have_ids(&self) -> bool {
        self.latest != 0 || !self.others.is_empty()
    }

    #[inline]
    fn add(&mut self, id: u32) {
        if id != self.latest {
            self.add_other(id);
        }
    }

    fn add_other(&mut self, id: u32) {
        if self.latest != 0 && !self.others.contains(&self.latest) {
            self.others.push(self.latest);
        }
        self.latest = id;
    }

    fn all(self) -> impl Iterator<Item = u32> {
        let latest = Some(self.latest).filter(|id| *id != 0 && !self.others.contains(id));
        self.others.into_iter().chain(latest)
    }
}

static ANY_INTEGER: Value = Value::Int(0);

impl Done {
    /// The type of the value that came back.
    #[inline]
    fn label(&self, out: &Value) -> TypeLabel {
        match self {
            Done::Int(_) => TypeLabel::of(&ANY_INTEGER),
            _ => TypeLabel::of(out),
        }
    }
}

#[cold]
fn wrong_arguments<T>(lambda: &Lambda, given: &[&Value]) -> Eval<T> {
    let name = lambda.name.map_or("fn", |name| name.name());
    let failed = wrong_count(name, &lambda.arity_text(), given.len());
    match &*lambda.arities {
        [arity] if !arity.variadic => failed.map_err(|unwind| hint::of_pair(arity.required, given, unwind)),
        _ => failed,
    }
}

fn nth(items: &Items, index: &Value) -> Eval {
    match index {
        Value::Int(at) => match usize::try_from(*at).ok().and_then(|at| items.get(at)) {
            Some(item) => Ok(item.clone()),
            None => bad_index(items, index),
        },
        _ => bad_index(items, index),
    }
}
