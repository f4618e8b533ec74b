//! Room for recursion. Programs and values may nest far deeper than a thread's stack; every recursive
//! walk goes through [`guarded`], which continues on a fresh segment when little is left.

use std::cell::Cell;

const RED_ZONE: usize = 1 << 20;
const SEGMENT: usize = 16 << 20;

thread_local! {
    /// Above this address, at least a mebibyte of stack is free. Unknown at first.
    static FLOOR: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs `walk` with at least a mebibyte of stack.
#[inline]
pub fn guarded<R>(walk: impl FnOnce() -> R) -> R {
    if here() > FLOOR.get() { walk() } else { with_room(walk) }
}

/// Runs `walk` once the floor of this segment is known, or on a new segment.
#[cold]
#[inline(never)]
fn with_room<R>(walk: impl FnOnce() -> R) -> R {
    match stacker::remaining_stack() {
        Some(left) if left >= RED_ZONE => {
            FLOOR.set(here().saturating_sub(left - RED_ZONE));
            walk()
        }
        _ => {
            let _outer = Floor(FLOOR.replace(usize::MAX));
            stacker::grow(SEGMENT, walk)
        }
    }
}

/// The floor of the segment to return to.
struct Floor(usize);

impl Drop for Floor {
    fn drop(&mut self) {
        FLOOR.set(self.0);
    }
}

/// Address of the top of the stack. It grows towards lower addresses.
#[inline(always)]
fn here() -> usize {
    let mark = 0_u8;
    std::ptr::from_ref(&mark).addr()
}
