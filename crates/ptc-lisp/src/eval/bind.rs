//! Taking values apart (`docs/language.md` §3.1).

use super::*;
use crate::builtins::{Call, Walk};
use crate::expr::{MapPattern, SequencePattern};
use crate::{flexible, generator};

impl Interpreter<'_> {
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value, frame: &Frame<'_>) -> Eval<()> {
        match pattern {
            Pattern::Slot(slot) => {
                *self.slot(*slot, frame) = value;
                Ok(())
            }
            _ => self.bind_copy(pattern, &value, frame),
        }
    }

    /// Binds a borrowed value. Copies only the parts in the pattern.
    #[inline]
    pub(super) fn bind_copy(&mut self, pattern: &Pattern, value: &Value, frame: &Frame<'_>) -> Eval<()> {
        match pattern {
            Pattern::Slot(slot) => {
                *self.slot(*slot, frame) = value.clone();
                Ok(())
            }
            Pattern::Sequence(pattern) => self.bind_sequence(pattern, value, frame),
            Pattern::Map(pattern) => self.bind_map(pattern, value, frame),
        }
    }

    #[inline(never)]
    fn bind_sequence(&mut self, pattern: &SequencePattern, value: &Value, frame: &Frame<'_>) -> Eval<()> {
        if let Some(slot) = pattern.whole {
            *self.slot(slot, frame) = value.clone();
        }
        match value {
            Value::Vector(items) | Value::List(items) => self.bind_all(pattern, items, frame),
            Value::Nil => self.bind_all(pattern, &Items::default(), frame),
            Value::Str(text) => {
                let characters = self.characters(text, pattern)?;
                self.bind_all(pattern, &characters, frame)
            }
            // As in Clojure only a pattern with a rest takes what has no positions.
            Value::Map(_) | Value::Set(_) if pattern.rest.is_some() => {
                let items = Walk::new(&mut Call::new("let", self), value.clone())?.items;
                self.bind_all(pattern, &items, frame)
            }
            Value::Generator(unbounded) => {
                let mut rest = unbounded.clone();
                let items = generator::leading(self, &mut rest, pattern.items.len())?;
                if let Some(pattern) = &pattern.rest {
                    let more = generator::or_nil(self, rest)?;
                    self.bind(pattern, more, frame)?;
                }
                self.bind_items(pattern, &items, frame)
            }
            other => {
                let message = format!("cannot destructure {} as a sequence", describe(other));
                raise(ErrorKind::DestructureError, message)
            }
        }
    }

    fn bind_all(&mut self, pattern: &SequencePattern, items: &Items, frame: &Frame<'_>) -> Eval<()> {
        self.bind_items(pattern, items, frame)?;
        match &pattern.rest {
            Some(rest) => self.bind_rest(rest, items.clone().skip(pattern.items.len()), frame),
            None => Ok(()),
        }
    }

    fn bind_items(&mut self, pattern: &SequencePattern, items: &[Value], frame: &Frame<'_>) -> Eval<()> {
        for (index, item) in pattern.items.iter().enumerate() {
            self.bind_copy(item, items.get(index).unwrap_or(&Value::Nil), frame)?;
        }
        Ok(())
    }

    /// The characters for the items of a pattern; all characters if it has a rest.
    fn characters(&mut self, text: &str, pattern: &SequencePattern) -> Eval<Items> {
        let taken = if pattern.rest.is_some() { usize::MAX } else { pattern.items.len() };
        let characters: Items = text.chars().take(taken).map(Value::from).collect();
        self.tick(characters.len() / 64)?;
        Ok(characters)
    }

    /// Binds the pattern after `&`: nil if there are no more items.
    pub(super) fn bind_rest(&mut self, pattern: &Pattern, rest: Items, frame: &Frame<'_>) -> Eval<()> {
        let value = if rest.is_empty() { Value::Nil } else { Value::List(rest) };
        self.bind(pattern, value, frame)
    }

    #[inline(never)]
    fn bind_map(&mut self, pattern: &MapPattern, value: &Value, frame: &Frame<'_>) -> Eval<()> {
        if let Value::List(items) = value {
            meter::owe_copy(16 * items.len());
            return self.bind_entries(pattern, &trailing_map(items), frame);
        }
        self.bind_entries(pattern, value, frame)
    }

    fn bind_entries(&mut self, pattern: &MapPattern, value: &Value, frame: &Frame<'_>) -> Eval<()> {
        for entry in &pattern.entries {
            let computed;
            let key = match &entry.key {
                Expr::Const(key) => key,
                other => {
                    computed = self.eval(other, frame)?;
                    &computed
                }
            };
            if let Value::Map(map) = value
                && let Some(found) = flexible::lookup(map, key)
            {
                self.bind_copy(&entry.pattern, found, frame)?;
                continue;
            }
            let found = match value {
                Value::Map(_) => flexible::refuse_missing(value, key).map(|()| None)?,
                _ => flexible::find(value, key)?,
            };
            let value = match (found, &entry.default) {
                (Some(found), _) => found,
                (None, Some(default)) => self.eval(default, frame)?,
                (None, None) => Value::Nil,
            };
            self.bind(&entry.pattern, value, frame)?;
        }
        if let Some(slot) = pattern.whole {
            *self.slot(slot, frame) = value.clone();
        }
        Ok(())
    }
}

/// A list as a map pattern sees it: `k v …`, with one map more or a map alone.
fn trailing_map(rest: &[Value]) -> Value {
    if let [single @ Value::Map(_)] = rest {
        return single.clone();
    }
    let mut map = Map::new();
    for pair in rest.chunks(2) {
        match pair {
            [key, value] => drop(map.insert(key.clone(), value.clone())),
            [Value::Map(more)] => more.iter().for_each(|(k, v)| drop(map.insert(k.clone(), v.clone()))),
            _ => {}
        }
    }
    Value::map(map)
}
