//! A stable merge sort that accepts inconsistent comparators and calls them the same number of times everywhere.

use super::error::Eval;

/// Sorts by merging ever longer runs. Stable: the later of two items comes first only if `before` returns true.
pub(super) fn merge_sort<T>(items: Vec<T>, before: impl FnMut(&T, &T) -> Eval<bool>) -> Eval<Vec<T>> {
    let order = order_of(&items, before)?;
    Ok(arrange(items, order))
}

/// The indices of the items in sorted order.
pub(super) fn order_of<T>(items: &[T], mut before: impl FnMut(&T, &T) -> Eval<bool>) -> Eval<Vec<u32>> {
    let mut before = |a: u32, b: u32| before(&items[a as usize], &items[b as usize]);
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let mut merged = Vec::with_capacity(order.len());
    let mut width = 1;
    while width < order.len() {
        for run in order.chunks(2 * width) {
            let (left, right) = run.split_at(width.min(run.len()));
            merge(left, right, &mut merged, &mut before)?;
        }
        order = std::mem::replace(&mut merged, Vec::with_capacity(order.len()));
        width *= 2;
    }
    Ok(order)
}

/// Appends two sorted runs merged into one. Those that are in order already take one comparison.
fn merge(
    mut left: &[u32],
    mut right: &[u32],
    out: &mut Vec<u32>,
    before: &mut impl FnMut(u32, u32) -> Eval<bool>,
) -> Eval<()> {
    if let (Some(last), Some(first)) = (left.last(), right.first())
        && before(*first, *last)?
    {
        while let ([l, lefts @ ..], [r, rights @ ..]) = (left, right) {
            if before(*r, *l)? {
                out.push(*r);
                right = rights;
            } else {
                out.push(*l);
                left = lefts;
            }
        }
    }
    out.extend(left.iter().chain(right));
    Ok(())
}

/// The items in the order of the indices.
pub(super) fn arrange<T>(items: Vec<T>, order: Vec<u32>) -> Vec<T> {
    let mut slots: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let mut arranged = Vec::with_capacity(order.len());
    arranged.extend(order.iter().filter_map(|index| slots.get_mut(*index as usize)?.take()));
    arranged
}
