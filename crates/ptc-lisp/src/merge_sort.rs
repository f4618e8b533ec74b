//! A stable merge sort that accepts inconsistent comparators and calls them the same number of times everywhere.

use super::error::Eval;

/// Sorts by merging ever longer runs; the later of two stands first only if `before` says that it must.
pub(super) fn merge_sort<T>(items: Vec<T>, before: impl FnMut(&T, &T) -> Eval<bool>) -> Eval<Vec<T>> {
    let order = order_of(&items, before)?;
    Ok(arrange(items, order))
}

/// The indices of the items in sorted order.
pub(super) fn order_of<T>(items: &[T], mut before: impl FnMut(&T, &T) -> Eval<bool>) -> Eval<Vec<u32>> {
    let indices = (0..items.len() as u32).collect();
    let (order, _) = sort_copies(indices, |a, b| before(&items[a as usize], &items[b as usize]))?;
    Ok(order)
}

/// The items in order, and the number of comparisons.
pub(super) fn sort_copies<T: Copy>(
    mut items: Vec<T>,
    mut before: impl FnMut(T, T) -> Eval<bool>,
) -> Eval<(Vec<T>, usize)> {
    let mut merged = items.clone();
    let mut comparisons = 0;
    let mut width = 1;
    while width < items.len() {
        for (run, out) in items.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            let (left, right) = run.split_at(width.min(run.len()));
            comparisons += merge(left, right, out, &mut before)?;
        }
        std::mem::swap(&mut items, &mut merged);
        width *= 2;
    }
    Ok((items, comparisons))
}

/// Merges two sorted runs and returns the number of comparisons, which is one if they are in order already.
fn merge<T: Copy>(
    left: &[T],
    right: &[T],
    out: &mut [T],
    before: &mut impl FnMut(T, T) -> Eval<bool>,
) -> Eval<usize> {
    let (Some(last), Some(first)) = (left.last(), right.first()) else {
        out.copy_from_slice(left);
        return Ok(0);
    };
    let in_order = !before(*first, *last)?;
    let (mut from_left, mut from_right) = (0, 0);
    let mut slots = out.iter_mut();
    while !in_order
        && let (Some(l), Some(r)) = (left.get(from_left), right.get(from_right))
        && let Some(slot) = slots.next()
    {
        // Which of them it is cannot be guessed: it is computed, not branched on.
        let is_right = before(*r, *l)?;
        *slot = if is_right { *r } else { *l };
        from_left += usize::from(!is_right);
        from_right += usize::from(is_right);
    }
    let compared = from_left + from_right;
    for (slot, item) in slots.zip(left[from_left..].iter().chain(&right[from_right..])) {
        *slot = *item;
    }
    Ok(1 + compared)
}

/// The items in the order of the indices.
pub(super) fn arrange<T>(items: Vec<T>, order: Vec<u32>) -> Vec<T> {
    let mut slots: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let mut arranged = Vec::with_capacity(order.len());
    arranged.extend(order.iter().filter_map(|index| slots.get_mut(*index as usize)?.take()));
    arranged
}
