//! The payload of vectors and lists: a shared run of values with a window on it. Taking the rest of a list moves the
//! window; pushing at either end works in place if the run is not shared.

use std::mem::ManuallyDrop;
use std::ops::{Deref, Range};

use smallvec::{SmallVec, smallvec};
use triomphe::Arc;

use super::meter;
use super::stack::guarded;
use super::value::Value;

/// A run of values, cheap to clone and to cut.
#[derive(Clone)]
pub struct Items {
    run: Arc<Run>,
    /// Start of the window, with the mark of a queue or an entry.
    start: u32,
    end: u32,
}

/// Marks the items of a queue; no collection is so long that it needs the bit, nor the next one.
const QUEUE: u32 = 1 << 31;
/// Marks the key and the value of an entry of a map.
const ENTRY: u32 = 1 << 30;
const MARKS: u32 = QUEUE | ENTRY;

/// The values, a few of them inline. Dropping a deeply nested one must not overflow the stack.
struct Run(ManuallyDrop<Values>);

pub(super) type Values = SmallVec<[Value; 4]>;

/// Clears inline values one by one, because most have nothing to drop.
impl Drop for Run {
    fn drop(&mut self) {
        if self.0.spilled() {
            guarded(|| drop(std::mem::take(&mut *self.0)));
        } else {
            guarded(|| self.0.iter_mut().for_each(Value::clear));
        }
    }
}

impl Run {
    fn new(values: Values) -> Run {
        Run(ManuallyDrop::new(values))
    }
}

impl Items {
    /// Two items.
    pub fn pair(first: Value, second: Value) -> Items {
        Items::of(SmallVec::from_buf_and_len([first, second, Value::Nil, Value::Nil], 2))
    }

    pub(super) fn of(values: Values) -> Items {
        let end = values.len() as u32;
        Items { run: Arc::new(Run::new(values)), start: 0, end }
    }

    /// The range of the window in the shared run.
    fn window(&self) -> Range<usize> {
        (self.start & !MARKS) as usize..self.end as usize
    }

    /// The items of a list to which `conj` adds at the end. What is cut from it is an ordinary list.
    pub fn into_queue(mut self) -> Items {
        self.start |= QUEUE;
        self
    }

    /// The key and value of an entry of a map. What is made of an entry is an ordinary collection.
    pub fn into_entry(mut self) -> Items {
        self.start |= ENTRY;
        self
    }

    /// The same items without a mark.
    pub fn into_list(mut self) -> Items {
        self.start &= !MARKS;
        self
    }

    /// Returns true if both are windows on one run.
    pub fn is_shared_with(&self, other: &Items) -> bool {
        Arc::ptr_eq(&self.run, &other.run)
    }

    /// Returns true for the items of a queue.
    pub fn is_queue(&self) -> bool {
        self.start & QUEUE != 0
    }

    /// Returns true for the items of an entry of a map.
    pub fn is_entry(&self) -> bool {
        self.start & ENTRY != 0
    }

    /// The same items, a part of them. The range is clamped to what there is.
    pub fn slice(&self, range: Range<usize>) -> Items {
        let len = self.len();
        let end = range.end.min(len);
        let start = range.start.min(end);
        let first = self.window().start as u32;
        Items { run: self.run.clone(), start: first + start as u32, end: first + end as u32 }
    }

    /// Drops the first `count` items without copying.
    pub fn skip(mut self, count: usize) -> Items {
        self.start = (self.window().start + count).min(self.end as usize) as u32;
        self
    }

    /// Keeps the first `count` items without copying.
    pub fn truncate(mut self, count: usize) -> Items {
        self.start &= !MARKS;
        self.end = self.end.min(self.start.saturating_add(count.min(u32::MAX as usize) as u32));
        self
    }

    /// The items to change, copied first if they are shared.
    pub fn make_mut(&mut self) -> &mut [Value] {
        self.start &= !ENTRY;
        let window = self.window();
        if Arc::get_mut(&mut self.run).is_none() {
            meter::owe_kept(16 * window.len());
            *self = Items::of(self.run.0[window].iter().cloned().collect());
        }
        let window = self.window();
        match Arc::get_mut(&mut self.run) {
            Some(run) => &mut run.0[window],
            None => &mut [],
        }
    }

    /// Adds at the end, in place unless the run is shared.
    pub fn push(&mut self, value: Value) {
        self.start &= !ENTRY;
        let Range { start, end } = self.window();
        if let Some(run) = Arc::get_mut(&mut self.run) {
            run.0.truncate(end);
            run.0.push(value);
        } else {
            meter::owe_kept(16 * (end - start));
            let mut copy = Values::with_capacity(end - start + 1);
            copy.extend(self.run.0[start..end].iter().cloned());
            copy.push(value);
            self.start &= QUEUE;
            self.run = Arc::new(Run::new(copy));
        }
        self.end = self.run.0.len() as u32;
    }

    /// Adds in front. Reserves space there, so that repeated calls take constant time.
    pub fn push_front(&mut self, value: Value) {
        self.start &= !MARKS;
        let is_shared = Arc::get_mut(&mut self.run).is_none();
        if is_shared {
            meter::owe_kept(16 * self.len());
        }
        if is_shared || self.start == 0 {
            let room = if is_shared { 4 } else { self.len().max(4) };
            let mut copy: Values = smallvec![Value::Nil; room];
            copy.extend(self.iter().cloned());
            self.start = room as u32;
            self.end = copy.len() as u32;
            self.run = Arc::new(Run::new(copy));
        }
        if let Some(run) = Arc::get_mut(&mut self.run) {
            self.start -= 1;
            run.0[self.start as usize] = value;
        }
    }

    /// The items as an owned vector, moved out unless they are shared. Copies are not metered.
    pub fn into_vec(self) -> Vec<Value> {
        self.try_into_vec().unwrap_or_else(|shared| shared.to_vec())
    }

    /// The items as an owned vector, unless they are shared.
    pub fn try_into_vec(self) -> Result<Vec<Value>, Items> {
        self.try_into_values().map(SmallVec::into_vec)
    }

    fn try_into_values(mut self) -> Result<Values, Items> {
        let window = self.window();
        let Some(run) = Arc::get_mut(&mut self.run) else { return Err(self) };
        let mut values = std::mem::take(&mut *run.0);
        values.truncate(window.end);
        values.drain(..window.start);
        Ok(values)
    }
}

impl Default for Items {
    fn default() -> Items {
        Items::from(Vec::new())
    }
}

impl From<Vec<Value>> for Items {
    fn from(values: Vec<Value>) -> Items {
        Items::of(SmallVec::from_vec(values))
    }
}

impl FromIterator<Value> for Items {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Items {
        Items::of(values.into_iter().collect())
    }
}

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.run.0[self.window()]
    }
}

/// The items, moved out, or copied if they are shared.
impl IntoIterator for Items {
    type Item = Value;
    type IntoIter = smallvec::IntoIter<[Value; 4]>;

    fn into_iter(self) -> Self::IntoIter {
        self.try_into_values().unwrap_or_else(|shared| shared.iter().cloned().collect()).into_iter()
    }
}

impl<'a> IntoIterator for &'a Items {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
