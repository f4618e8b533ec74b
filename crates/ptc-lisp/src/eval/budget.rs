//! Spending ticks and allocation, and what builtins need to do so.

use ecow::EcoString;

use super::*;
use crate::error::type_error_hint;
use crate::generator;
use crate::limits::{MAX_ITEMS, MAX_STRING};
use crate::print::{Printer, Style};
use crate::stack::guarded;
use crate::stop;

/// Free effort for patterns.
const FREE_PATTERN_EFFORT: usize = 64 << 10;
/// Ticks between two looks for a signal to end: some milliseconds of work.
const BETWEEN_CHECKPOINTS: u64 = 64 << 10;

impl Interpreter<'_> {
    /// Spends ticks, one per element of a collection, and those owed by values.
    #[inline]
    pub fn tick(&mut self, count: usize) -> Eval<()> {
        self.usage.ticks = self.usage.ticks.saturating_add(count as u64).saturating_add(meter::collect());
        if self.usage.ticks <= self.checkpoint { Ok(()) } else { self.pass_checkpoint() }
    }

    /// Looks for a signal to end, and goes on to the next checkpoint, or fails at the limit.
    #[cold]
    fn pass_checkpoint(&mut self) -> Eval<()> {
        if self.usage.ticks > self.limits.ticks {
            return self.out_of_ticks();
        }
        if stop::is_asked() {
            return raise(ErrorKind::TickLimitExceeded, "evaluation was stopped from outside");
        }
        self.checkpoint = self.usage.ticks.saturating_add(BETWEEN_CHECKPOINTS).min(self.limits.ticks);
        Ok(())
    }

    fn out_of_ticks(&mut self) -> Eval<()> {
        if meter::is_copied_out() {
            self.usage.ticks &= !meter::COPIED_OUT;
            return self.out_of_memory();
        }
        raise(ErrorKind::TickLimitExceeded, format!("evaluation limit exceeded: {} ticks", self.limits.ticks))
    }

    /// Spends the ticks of reading a string: one per 64 bytes.
    pub fn tick_text(&mut self, text: &str) -> Eval<()> {
        self.tick(text.len() / 64)
    }

    /// Spends the ticks of compiling a pattern: one for four characters, after the first 64 KiB of them.
    pub fn tick_pattern(&mut self, effort: usize) -> Eval<()> {
        self.pattern_effort = self.pattern_effort.saturating_add(effort);
        if self.pattern_effort <= FREE_PATTERN_EFFORT { Ok(()) } else { self.tick(effort / 4) }
    }

    /// Spends allocation, in bytes.
    #[inline]
    pub fn allocate(&mut self, bytes: usize) -> Eval<()> {
        self.usage.allocated = self.usage.allocated.saturating_add(bytes as u64);
        if self.usage.allocated <= self.limits.memory_bytes() { Ok(()) } else { self.out_of_memory() }
    }

    #[cold]
    fn out_of_memory(&self) -> Eval<()> {
        let mib = self.limits.memory_mib;
        raise(ErrorKind::MemoryExceeded, format!("allocation limit exceeded: {mib} MiB"))
    }

    /// Spends the allocation of a closure: 64 bytes, and 16 for each captured value after the first 64.
    #[inline]
    pub(super) fn allocate_closure(&mut self, captures: usize) -> Eval<()> {
        if captures > 4 {
            meter::owe_kept(16 * (captures - 4));
        }
        self.allocate(64 + 16 * captures.saturating_sub(64))
    }

    /// Spends the allocation of a vector or list of this many slots: 16 bytes each.
    pub fn allocate_slots(&mut self, slots: usize) -> Eval<()> {
        self.check_size(slots)?;
        self.allocate(16 * slots)
    }

    /// Spends the allocation of this many entries added to a map or set: 32 bytes each.
    pub fn allocate_entries(&mut self, entries: usize) -> Eval<()> {
        self.check_size(entries)?;
        self.allocate(32 * entries)
    }

    /// Refuses a collection of more than a million items.
    pub fn check_size(&self, items: usize) -> Eval<()> {
        if items <= MAX_ITEMS {
            return Ok(());
        }
        raise(ErrorKind::MemoryExceeded, format!("collection limit exceeded: {MAX_ITEMS} items"))
    }

    /// A new string as a value, its bytes spent.
    pub fn string(&mut self, text: impl Into<EcoString>) -> Eval {
        let text = text.into();
        self.allocate_text(text.len())?;
        Ok(Value::Str(text))
    }

    fn allocate_text(&mut self, bytes: usize) -> Eval<()> {
        if bytes <= MAX_STRING {
            return self.allocate(bytes);
        }
        raise(ErrorKind::MemoryExceeded, format!("string limit exceeded: {MAX_STRING} bytes"))
    }

    /// A new vector, its slots spent.
    pub fn vector(&mut self, items: Vec<Value>) -> Eval {
        self.allocate_slots(items.len())?;
        Ok(Value::vector(items))
    }

    /// A new list, its slots spent.
    pub fn list(&mut self, items: Vec<Value>) -> Eval {
        self.allocate_slots(items.len())?;
        Ok(Value::list(items))
    }

    /// The items of anything that can be walked (`docs/language.md` §4.1): nil, vectors, lists, maps as pairs,
    /// sets, strings as strings of one character. `name` is the function that asks. No tick is spent: the
    /// caller spends one for each item.
    pub fn items(&mut self, name: &str, collection: Value) -> Eval<Items> {
        match collection {
            Value::Nil => Ok(Items::default()),
            Value::Vector(items) | Value::List(items) => Ok(items.into_list()),
            Value::Map(map) => Ok(map.iter().map(|(k, v)| Value::entry(k.clone(), v.clone())).collect()),
            Value::Set(set) => Ok(set.keys().cloned().collect()),
            Value::Str(text) => Ok(text.chars().map(Value::from).collect()),
            Value::Generator(mut generator) if generator.may_end() => {
                let mut items = Vec::new();
                while let Some(item) = generator::step(&mut generator, self)? {
                    self.check_size(items.len() + 1)?;
                    self.allocate(16)?;
                    items.push(item);
                }
                Ok(items.into())
            }
            Value::Generator(_) => infinite(),
            other => {
                let refused = match hint::swapped(name, &other) {
                    Some(hint) => type_error_hint(name, "a collection", &other, &hint),
                    None => type_error(name, "a collection", &other),
                };
                refused.map_err(of_class(Class::IllegalArgumentException))
            }
        }
    }

    /// The value with lists in the place of the sequences of `lazy-seq`, at any depth.
    pub fn realized(&mut self, value: Value) -> Eval {
        let each = |cx: &mut Self, items: Items| -> Eval<Items> {
            guarded(|| items.into_iter().map(|item| cx.realized(item)).collect::<Eval<Vec<Value>>>())
                .map(Items::from)
        };
        Ok(match value {
            Value::Generator(_) => {
                let items = self.items("seq", value)?;
                Value::List(each(self, items)?)
            }
            Value::Vector(items) if self.is_lazy => Value::Vector(each(self, items)?),
            Value::List(items) if self.is_lazy && !items.is_queue() => Value::List(each(self, items)?),
            Value::Map(map) if self.is_lazy && !map.is_sorted() => {
                let entries = map.iter().map(|(key, value)| Ok((key.clone(), self.realized(value.clone())?)));
                Value::map(guarded(|| entries.collect::<Eval<Map>>())?)
            }
            other => other,
        })
    }

    /// Prints values into a new text, spending ticks for what they hold.
    pub fn printed(&mut self, style: Style, values: &[Value], separator: &str) -> Eval<EcoString> {
        self.print_with(style, |printer| {
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    printer.push(separator);
                }
                printer.write(value);
            }
        })
    }

    /// Runs a printer with the limits of this program.
    pub fn print_with(&mut self, style: Style, write: impl FnOnce(&mut Printer)) -> Eval<EcoString> {
        let left = self.limits.ticks.saturating_sub(self.usage.ticks);
        let mut printer = Printer::limited(style, left, MAX_STRING);
        write(&mut printer);
        let (text, elements) = printer.finish();
        self.tick(elements as usize)?;
        Ok(text)
    }
}

/// Message for a sequence without end.
pub const UNBOUNDED: &str = "cannot realise an unbounded sequence; use (take n …)";

/// Refuses to realise an unbounded sequence.
pub fn infinite<T>() -> Eval<T> {
    raise(ErrorKind::InfiniteSequence, UNBOUNDED)
}
