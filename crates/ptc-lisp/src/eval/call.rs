//! Calls of all callable values. A call in tail position does not nest.

use std::borrow::Cow;

use super::*;
use crate::error::{Error, arity_error};
use crate::expr::{Call, FnArity, Lambda};
use crate::flexible;
use crate::print::TypeLabel;
use crate::stack::guarded;
use crate::value::Composed;

/// The most values that may lie on the stack: calls of functions with many locals nest less deeply.
const MAX_STACK: usize = 4 << 20;

impl Interpreter<'_> {
    /// Calls any callable. Takes the arguments out of the slice. Counts the ticks and depth of the call.
    pub fn call(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        if !matches!(callee, Value::Function(Function::Closure(_))) {
            self.tick(1)?;
        }
        self.call_unticked(callee, arguments)
    }

    /// Puts the result of a function of a value and a copy of another in the place of the first.
    pub fn fold_in_place(&mut self, callee: &Value, value: &mut Value, next: &Value) -> Eval<()> {
        if let Value::Function(Function::Closure(closure)) = callee {
            self.push(value);
            self.push_copy(next);
            return self.enter_to(closure, 2, value);
        }
        *value = self.call(callee, &mut [value.take(), next.clone()])?;
        Ok(())
    }

    /// Moves a value to the top of the stack.
    fn push(&mut self, value: &mut Value) {
        match value {
            Value::Int(integer) => self.stack.push(Value::Int(*integer)),
            other => self.stack.push(other.take()),
        }
    }

    fn push_copy(&mut self, value: &Value) {
        match value {
            Value::Int(integer) => self.stack.push(Value::Int(*integer)),
            other => self.stack.push(other.clone()),
        }
    }

    /// Runs a closure on the arguments on top of the stack and puts its value into a place.
    fn enter_to(&mut self, closure: &Arc<Closure>, arguments: usize, out: &mut Value) -> Eval<()> {
        self.enter(closure, arguments, out).get()?.store(out);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn eval_call(&mut self, call: &Call, frame: &Frame<'_>, out: &mut Value) -> Returned {
        Returned::of(|| self.eval_any_call(call, frame, out))
    }

    #[inline(always)]
    fn eval_any_call(&mut self, call: &Call, frame: &Frame<'_>, out: &mut Value) -> Eval<Evaluated> {
        // Borrowed from its owner, because counting references is slow.
        let callee = match &call.callee {
            Expr::Captured(index) => Cow::Borrowed(frame.captured(*index)),
            Expr::Const(callee) => Cow::Borrowed(&**callee),
            Expr::Global(global) => Cow::Owned(self.global(global)?),
            other => Cow::Owned(self.eval(other, frame)?),
        };
        match &*callee {
            Value::Function(Function::Closure(closure)) => self.eval_closure_call(closure, call, frame, out),
            _ => match self.short_lookup(&callee, &call.arguments, frame, out) {
                Some(found) => Ok(found),
                None => Ok(Evaluated::of(self.eval_plain_call(&callee, call, frame)?, out)),
            },
        }
    }

    #[inline(always)]
    fn eval_closure_call(
        &mut self,
        closure: &Arc<Closure>,
        call: &Call,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Eval<Evaluated> {
        for argument in &call.arguments {
            self.push_value_of(argument, frame)?;
        }
        let arguments = call.arguments.len();
        if call.tail {
            self.tail_call = Some(TailCall { callee: closure.clone(), arguments });
            return Ok(Evaluated::Tail);
        }
        self.enter(closure, arguments, out).get().map_err(at(call.span))
    }

    /// Puts the value of a form on top of the stack.
    #[inline(always)]
    pub(super) fn push_value_of(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval<()> {
        let mut value = Value::Nil;
        match self.operand(expr, frame, &mut value)? {
            Evaluated::Int(integer) => {
                self.stack.push(Value::Int(integer));
                std::mem::forget(value);
            }
            evaluated => {
                evaluated.store(&mut value);
                self.stack.push(value);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn eval_plain_call(&mut self, callee: &Value, call: &Call, frame: &Frame<'_>) -> Eval {
        let result = self.with_arguments(&call.arguments, frame, |cx, arguments| {
            Ok(cx.call_unticked(callee, arguments))
        })?;
        result.map_err(|unwind| at(call.span)(hint::of_hidden(call.hidden, callee, unwind)))
    }

    /// Calls any callable. Only a closure counts ticks.
    fn call_unticked(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match callee {
            Value::Function(Function::Closure(closure)) => {
                for argument in arguments.iter_mut() {
                    self.push(argument);
                }
                let mut value = Value::Nil;
                self.enter_to(closure, arguments.len(), &mut value)?;
                Ok(value)
            }
            Value::Function(Function::Composed(composed)) => {
                self.nested(|cx| cx.call_composed(composed, arguments))
            }
            _ => self.call_plain(callee, arguments),
        }
    }

    /// Runs the closure on the arguments on top of the stack, and whatever it calls in tail position.
    #[inline(never)]
    fn enter(&mut self, closure: &Arc<Closure>, arguments: usize, out: &mut Value) -> Returned {
        Returned::of(|| self.call_on_stack(closure, arguments, out))
    }

    #[inline(always)]
    fn call_on_stack(
        &mut self,
        closure: &Arc<Closure>,
        arguments: usize,
        out: &mut Value,
    ) -> Eval<Evaluated> {
        let base = self.stack.len() - arguments;
        self.depth += 1;
        if self.depth > self.usage.max_depth {
            if self.depth > self.limits.depth {
                return Err(self.too_deep());
            }
            self.usage.max_depth = self.depth;
        }
        let mut evaluated = guarded(|| self.run_closure(closure, base, out)).get()?;
        if matches!(evaluated, Evaluated::Tail) {
            evaluated = self.go_on(closure.id, base, out)?;
        } else if closure.id != 0 {
            self.state.returned(closure.id, evaluated.label(out));
        }
        self.lower(base);
        self.depth -= 1;
        Ok(evaluated)
    }

    /// Runs calls in tail position until one gives a value.
    #[inline(never)]
    fn go_on(&mut self, first: u32, base: usize, out: &mut Value) -> Eval<Evaluated> {
        let (mut callers, mut evaluated) = (Vec::new(), Evaluated::Stored);
        let mut returns = |id| {
            if id != 0 && !callers.contains(&id) {
                callers.push(id);
            }
        };
        returns(first);
        while let Some(TailCall { callee, arguments }) = self.tail_call.take() {
            // Its arguments replace those of the previous function.
            let given = self.stack.len() - arguments;
            for index in 0..arguments {
                self.stack.swap(base + index, given + index);
            }
            self.lower(base + arguments);
            returns(callee.id);
            evaluated = guarded(|| self.run_closure(&callee, base, out)).get()?;
        }
        for id in callers {
            self.state.returned(id, evaluated.label(out));
        }
        Ok(evaluated)
    }

    #[cold]
    fn too_deep(&self) -> Box<Unwind> {
        Error::new(ErrorKind::DepthExceeded, format!("call depth exceeded: {}", self.limits.depth)).into()
    }

    /// One function body, its arguments from `base` to the top of the stack.
    #[inline(never)]
    fn run_closure(&mut self, closure: &Arc<Closure>, base: usize, out: &mut Value) -> Returned {
        Returned::of(|| {
            let mut run = || {
                let arity = self.admitted(closure, base)?;
                self.lay_out(arity, closure, base);
                self.rounds_of(arity, &Frame { base, closure: Some(closure) }, out)
            };
            run().map_err(|unwind| in_source(unwind, &closure.group.source))
        })
    }

    /// Finds the parameter list for the arguments. Spends a tick.
    #[inline]
    fn admitted<'c>(&mut self, closure: &'c Closure, base: usize) -> Eval<&'c FnArity> {
        let lambda = closure.lambda();
        let given = &self.stack[base..];
        let Some(arity) = lambda.arities.iter().find(|arity| arity.admits(given.len())) else {
            let wrong = wrong_arguments(lambda, given);
            return self.tick(1).and(wrong);
        };
        self.tick(arity.weight)?;
        if base + arity.frame as usize > MAX_STACK {
            return Err(self.too_deep());
        }
        Ok(arity)
    }

    /// Gathers the rest parameter, makes room for locals, fills in siblings.
    #[inline]
    fn lay_out(&mut self, arity: &FnArity, closure: &Arc<Closure>, base: usize) {
        if arity.variadic {
            let rest: Vec<Value> = self.stack.drain(base + arity.required as usize..).collect();
            self.stack.push(if rest.is_empty() { Value::Nil } else { Value::list(rest) });
        }
        while self.stack.len() < base + arity.frame as usize {
            self.stack.push(Value::Nil);
        }
        for (member, slot) in &arity.siblings {
            let sibling = if *member == closure.member {
                closure.clone()
            } else {
                Arc::new(closure.sibling(*member, 0))
            };
            self.stack[base + *slot as usize] = Value::Function(Function::Closure(sibling));
        }
    }

    /// The body, again for each `recur`.
    #[inline]
    fn rounds_of(&mut self, arity: &FnArity, frame: &Frame<'_>, out: &mut Value) -> Eval<Evaluated> {
        loop {
            if !arity.patterns.is_empty() {
                self.take_apart(arity, frame)?;
            }
            match self.eval_into(&arity.body, frame, out).get()? {
                Evaluated::Recur => self.tick(arity.weight)?,
                evaluated => return Ok(evaluated),
            }
        }
    }

    /// Binds the patterns of parameters.
    #[inline(never)]
    fn take_apart(&mut self, arity: &FnArity, frame: &Frame<'_>) -> Eval<()> {
        for parameter in &arity.patterns {
            let value = self.slot(parameter.slot, frame).take();
            if arity.variadic && parameter.slot == arity.required {
                let rest = self.items("fn", value)?;
                self.bind_rest(&parameter.pattern, rest, frame).map_err(at(parameter.span))?;
            } else {
                self.bind(&parameter.pattern, value, frame).map_err(at(parameter.span))?;
            }
        }
        Ok(())
    }

    /// Adds a call to the depth, for calls of anything but closures.
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
            return arity_error(composed.run.name, &expected, arguments.len());
        }
        composed.run.call(self, &mut all)
    }

    fn call_plain(&mut self, callee: &Value, arguments: &mut [Value]) -> Eval {
        match (callee, &mut *arguments) {
            (Value::Function(Function::Builtin(builtin)), _) => {
                if builtin.arity.admits(arguments.len()) {
                    return builtin.call(self, arguments);
                }
                arity_error(builtin.name, &builtin.arity.to_string(), arguments.len())
            }
            (Value::Function(Function::Tool(name)), _) => self.call_tool(*name, arguments),
            (Value::Function(Function::Transducer(transducer)), [function]) => {
                transducer.applied(self, function.take())
            }
            (Value::Function(Function::Transducer(_)), _) => arity_error("transducer", "1", arguments.len()),
            (Value::Keyword(_), [collection]) => Ok(flexible::find(collection, callee)?.unwrap_or_default()),
            (Value::Keyword(_), [collection, default]) => {
                Ok(flexible::find(collection, callee)?.unwrap_or_else(|| default.take()))
            }
            (Value::Keyword(name), _) => arity_error(&format!(":{name}"), "1 or 2", arguments.len()),
            (Value::Map(_) | Value::Set(_), [key]) => Ok(flexible::find(callee, key)?.unwrap_or_default()),
            (Value::Map(_), [key, default]) => {
                Ok(flexible::find(callee, key)?.unwrap_or_else(|| default.take()))
            }
            (Value::Map(_), _) => arity_error(&describe(callee), "1 or 2", arguments.len()),
            (Value::Set(_), _) => arity_error(&describe(callee), "1", arguments.len()),
            (Value::Vector(items), [index]) => nth(items, index),
            (Value::Vector(_), _) => arity_error(&describe(callee), "1", arguments.len()),
            (Value::Var(name), _) => {
                let current = self.var_value(*name)?;
                self.nested(|cx| cx.call_unticked(&current, arguments))
            }
            _ => not_callable(callee, arguments),
        }
    }

    /// Runs code of another program, such as a tool's, in a `user/` of its own. The program at hand can go on.
    pub fn within(&mut self, state: &mut State, work: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let (height, depth, capturing) = (self.stack.len(), self.depth, self.capturing);
        // That code catches its own exceptions.
        let handled = std::mem::take(&mut self.handled);
        std::mem::swap(self.state, state);
        let result = work(self);
        std::mem::swap(self.state, state);
        self.handled = handled;
        self.stack.truncate(height);
        (self.depth, self.capturing) = (depth, capturing);
        result
    }
}

impl Evaluated {
    /// The type of the value.
    fn label(self, out: &Value) -> TypeLabel {
        match self {
            Evaluated::Int(integer) => TypeLabel::of(&Value::Int(integer)),
            Evaluated::Bool(truth) => TypeLabel::of(&Value::Bool(truth)),
            Evaluated::Stored | Evaluated::Recur | Evaluated::Tail => TypeLabel::of(out),
        }
    }
}

#[cold]
fn wrong_arguments<T>(lambda: &Lambda, given: &[Value]) -> Eval<T> {
    let name = lambda.name.map_or("fn", |name| name.name());
    let failed = arity_error(name, &lambda.arity_text(), given.len());
    match &*lambda.arities {
        [arity] if !arity.variadic => failed.map_err(|unwind| hint::of_pair(arity.required, given, unwind)),
        _ => failed,
    }
}

fn nth(items: &Items, index: &Value) -> Eval {
    match index {
        Value::Int(at) => {
            if let Ok(at) = usize::try_from(*at)
                && let Some(item) = items.get(at)
            {
                return Ok(item.clone());
            }
            bad_index(items, index)
        }
        _ => bad_index(items, index),
    }
}
