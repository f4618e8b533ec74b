//! Calls: of closures, builtins and everything else that can stand in call position. A call in tail
//! position does not nest.

use std::sync::Arc;

use crate::lisp::error::{ErrorKind, Eval, raise};
use crate::lisp::expr::{Call, Expr, FnArity};
use crate::lisp::flexible;
use crate::lisp::items::Items;
use crate::lisp::meter;
use crate::lisp::print::TypeLabel;
use crate::lisp::session::State;
use crate::lisp::stack::guarded;
use crate::lisp::value::{Closure, Composed, Function, Value};

use super::{Frame, Interpreter, at, bad_index, in_source, not_callable, wrong_count};

impl Interpreter<'_> {
    /// Calls any callable. Takes the arguments out of the slice. Counts the ticks and depth of the call.
    pub fn call(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match callee {
            Value::Function(Function::Closure(closure)) => {
                self.stack.extend(arguments.iter_mut().map(Value::take));
                self.enter(closure, arguments.len())
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

    pub(super) fn eval_call(&mut self, call: &Call, frame: &Frame<'_>) -> Eval {
        let callee = self.eval(&call.callee, frame)?;
        match &callee {
            Value::Function(Function::Closure(closure)) => {
                for argument in &call.arguments {
                    let value = match self.quick_integer(argument, frame) {
                        Some(value) => Value::Int(value),
                        None => self.eval(argument, frame)?,
                    };
                    self.stack.push(value);
                }
                if call.tail {
                    self.pending = Some((closure.clone(), call.arguments.len()));
                    return Ok(Value::Nil);
                }
                self.enter(closure, call.arguments.len()).map_err(at(call.span))
            }
            _ => self.eval_plain_call(&callee, call, frame),
        }
    }

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
        result.map_err(at(call.span))
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

    /// Runs the closure on the arguments on top of the stack, and whatever it calls in tail position.
    fn enter(&mut self, closure: &Arc<Closure>, count: usize) -> Eval {
        let base = self.stack.len() - count;
        self.depth += 1;
        if self.depth > self.limits.depth {
            return self.too_deep();
        }
        self.usage.max_depth = self.usage.max_depth.max(self.depth);
        let mut value = guarded(|| self.run_closure(closure, base))?;
        if self.pending.is_some() {
            value = self.go_on(closure.id, base)?;
        } else if closure.id != 0 {
            self.state.returned(closure.id, TypeLabel::of(&value));
        }
        self.stack.truncate(base);
        self.depth -= 1;
        Ok(value)
    }

    #[cold]
    fn too_deep<T>(&self) -> Eval<T> {
        raise(ErrorKind::DepthExceeded, format!("call depth exceeded: {}", self.limits.depth))
    }

    /// Runs pending tail calls until one gives a value, which is that of every function on the way.
    fn go_on(&mut self, first: u32, base: usize) -> Eval {
        let mut callers = vec![first];
        while let Some((closure, count)) = self.pending.take() {
            if !callers.contains(&closure.id) {
                callers.push(closure.id);
            }
            let arguments = self.stack.len() - count;
            self.stack.drain(base..arguments);
            let value = guarded(|| self.run_closure(&closure, base))?;
            if self.pending.is_none() {
                let label = TypeLabel::of(&value);
                callers.iter().filter(|id| **id != 0).for_each(|id| self.state.returned(*id, label));
                return Ok(value);
            }
        }
        Ok(Value::Nil)
    }

    /// One function body, its arguments from `base` to the top of the stack.
    fn run_closure(&mut self, closure: &Arc<Closure>, base: usize) -> Eval {
        self.tick(1)?;
        let lambda = closure.lambda();
        let count = self.stack.len() - base;
        let Some(arity) = lambda.arities.iter().find(|arity| arity.admits(count)) else {
            let name = lambda.name.map_or("fn", |name| name.name());
            return wrong_count(name, &lambda.arity_text(), count);
        };
        self.lay_out(arity, closure, base);
        let frame = Frame { base, captures: &closure.captures };
        let result = self.rounds_of(arity, &frame);
        result.map_err(|unwind| in_source(unwind, &closure.group.source))
    }

    /// Gathers the rest parameter, makes room for locals, fills in siblings.
    fn lay_out(&mut self, arity: &FnArity, closure: &Arc<Closure>, base: usize) {
        if arity.variadic {
            let rest: Vec<Value> = self.stack.drain(base + arity.required as usize..).collect();
            self.stack.push(if rest.is_empty() { Value::Nil } else { Value::list(rest) });
        }
        let top = base + arity.frame as usize;
        if self.stack.len() < top {
            self.stack.resize(top, Value::Nil);
        }
        for (member, slot) in &arity.siblings {
            let sibling = if *member == closure.member {
                closure.clone()
            } else {
                let (group, captures) = (closure.group.clone(), closure.captures.clone());
                Arc::new(Closure { group, member: *member, id: 0, captures })
            };
            self.stack[base + *slot as usize] = Value::Function(Function::Closure(sibling));
        }
    }

    /// The body, again for each `recur`.
    fn rounds_of(&mut self, arity: &FnArity, frame: &Frame<'_>) -> Eval {
        loop {
            for parameter in &arity.patterns {
                let value = self.stack[frame.base + parameter.slot as usize].take();
                if arity.variadic && parameter.slot == arity.required {
                    let rest = self.items("fn", value)?;
                    self.bind_rest(&parameter.pattern, rest, frame).map_err(at(parameter.span))?;
                } else {
                    self.bind(&parameter.pattern, value, frame).map_err(at(parameter.span))?;
                }
            }
            let value = self.eval(&arity.body, frame)?;
            if !std::mem::take(&mut self.recurring) {
                return Ok(value);
            }
            self.tick(1)?;
        }
    }

    /// Counts a call that is no closure's towards the depth.
    pub(in crate::lisp) fn nested<T>(&mut self, call: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        self.depth += 1;
        if self.depth > self.limits.depth {
            return self.too_deep();
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
        (composed.run.run)(self, &mut all)
    }

    fn call_plain(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match (callee, &mut *arguments) {
            (Value::Function(Function::Builtin(builtin)), _) => {
                if builtin.arity.admits(arguments.len()) {
                    return (builtin.run)(self, arguments);
                }
                wrong_count(builtin.name, &builtin.arity.to_string(), arguments.len())
            }
            (Value::Function(Function::Tool(name)), _) => self.call_tool(*name, arguments),
            (Value::Keyword(_), [collection]) => Ok(flexible::get(collection, callee).unwrap_or_default()),
            (Value::Keyword(_), [collection, default]) => {
                Ok(flexible::get(collection, callee).unwrap_or_else(|| default.take()))
            }
            (Value::Keyword(name), _) => wrong_count(&format!(":{name}"), "1 or 2", arguments.len()),
            (Value::Map(_), [key]) => Ok(flexible::get(callee, key).unwrap_or_default()),
            (Value::Map(_), [key, default]) => {
                Ok(flexible::get(callee, key).unwrap_or_else(|| default.take()))
            }
            (Value::Map(_), _) => wrong_count("map", "1 or 2", arguments.len()),
            (Value::Set(set), [key]) => Ok(set.entry(key).map(|(key, ())| key.clone()).unwrap_or_default()),
            (Value::Set(_), _) => wrong_count("set", "1", arguments.len()),
            (Value::Vector(items), [index]) => nth(items, index),
            (Value::Vector(_), _) => wrong_count("vector", "1", arguments.len()),
            (Value::Var(name), _) => {
                let current = self.var_value(*name)?;
                self.nested(|cx| cx.call_unticked(&current, arguments))
            }
            _ => not_callable(callee),
        }
    }

    /// Runs code of another program, such as a tool's, which defines and finds names in a `user/` of its
    /// own. However that code ends, the program at hand can go on.
    pub fn within(&mut self, state: &mut State, work: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let (height, depth, capturing) = (self.stack.len(), self.depth, self.capturing);
        std::mem::swap(self.state, state);
        let result = work(self);
        std::mem::swap(self.state, state);
        self.stack.truncate(height);
        (self.depth, self.capturing) = (depth, capturing);
        result
    }

    /// Evaluates a form of another program, such as a tool's, and gives its value.
    pub fn evaluate(&mut self, name: &str, text: &str) -> Eval {
        let program = super::super::session::prepare(name, text, &|_| false)?;
        let base = self.stack.len();
        self.stack.resize(base + program.frame as usize, Value::Nil);
        let body: &Expr = &program.body;
        let result = self.eval(body, &Frame { base, captures: &[] });
        self.stack.truncate(base);
        result.map_err(|unwind| in_source(unwind, &program.source))
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
