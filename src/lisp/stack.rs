//! Room for recursion. Programs and values may nest far deeper than a thread's stack; every recursive
//! walk goes through [`guarded`], which continues on a fresh segment when little is left.

const RED_ZONE: usize = 1 << 20;
const SEGMENT: usize = 16 << 20;

/// Runs `walk` with at least a mebibyte of stack.
#[inline]
pub fn guarded<R>(walk: impl FnOnce() -> R) -> R {
    match stacker::remaining_stack() {
        Some(left) if left >= RED_ZONE => walk(),
        _ => stacker::grow(SEGMENT, walk),
    }
}
