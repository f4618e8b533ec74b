//! Lists of ascending numbers.

/// Ascending numbers, stored as differences of one or two bytes. Space matters: a strategy may show a name in a different piece
/// in every request.
#[derive(Default)]
pub struct Ascending {
    /// Variable-length integers: seven bits per byte, the lowest first. The highest bit marks a continuation.
    distances: Vec<u8>,
    last: Option<u32>,
}

impl Ascending {
    /// Adds a number, unless it equals the last one. Numbers must not decrease.
    pub fn push(&mut self, number: u32) {
        if self.last == Some(number) {
            return;
        }
        // The first difference is relative to 0, as in `iter`.
        let mut distance = number - self.last.unwrap_or(0);
        if self.distances.len() == self.distances.capacity() {
            // There is one list per atom, so spare capacity must stay small.
            self.distances.reserve_exact(self.distances.len() / 4 + 4);
        }
        while distance >= 0x80 {
            self.distances.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        self.distances.push(distance as u8);
        self.last = Some(number);
    }

    /// Removes all numbers from `end` on.
    pub fn truncate_at(&mut self, end: u32) {
        if self.last < Some(end) {
            return;
        }
        let mut kept = Ascending::default();
        self.iter().take_while(|number| *number < end).for_each(|number| kept.push(number));
        *self = kept;
    }

    /// Iterates over the numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (mut bytes, mut number) = (self.distances.iter(), 0);
        std::iter::from_fn(move || {
            let (mut byte, mut shift) = (*bytes.next()?, 0);
            while byte >= 0x80 {
                number += u32::from(byte & 0x7f) << shift;
                (byte, shift) = (*bytes.next()?, shift + 7);
            }
            number += u32::from(byte) << shift;
            Some(number)
        })
    }
}
