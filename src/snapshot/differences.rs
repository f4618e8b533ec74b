//! Differences between two lists of texts. They are deterministic: other libraries cut off long comparisons by the clock, so results would
//! depend on the machine.

use std::hash::Hash;
use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// A range of the old list and its replacement in the new one. One of them may be empty.
pub type Difference = (Range<usize>, Range<usize>);

/// The differences, in order.
pub fn differences<T: Copy + Eq + Hash + AsRef<[u8]>>(old: &[T], new: &[T]) -> Vec<Difference> {
    let interner = Interner::new(old.len() + new.len());
    let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner };
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    ranges(&diff)
}

/// The differences between lists of numbers, in order.
pub fn differing_numbers(old: &[u32], new: &[u32]) -> Vec<Difference> {
    // Most requests only add lines.
    if old.is_empty() || new.is_empty() {
        let is_same = old.len() == new.len();
        return if is_same { Vec::new() } else { vec![(0..old.len(), 0..new.len())] };
    }
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    ranges(&diff)
}

fn ranges(diff: &Diff) -> Vec<Difference> {
    diff.hunks().map(|hunk| (positions(hunk.before), positions(hunk.after))).collect()
}

fn positions(range: Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
