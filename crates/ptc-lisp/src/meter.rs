//! Counts the work of values themselves: hashing and comparing keys, copying shared collections. Tables and runs have no
//! access to the interpreter, so their work is counted here, per thread, and charged at the next tick. Small work is free:
//! ordinary programs spend the amounts of `docs/language.md` §15. Nothing here depends on addresses or time, because the
//! program alone decides what is shared and copied.
//!
//! Copies do not count as allocation: by §15 a change in place costs as much as a copy. But a program may keep all copies,
//! so they have a limit of the same size.
//!
//! | work | ticks |
//! |---|---|
//! | comparing two keys | one for each element after the first 64 |
//! | hashing a string of 4 KiB or more, comparing two of them | one for 64 bytes |
//! | copying a shared collection of 1 KiB or more (16 bytes a slot, 32 an entry) | one for 256 bytes |
//! | comparing a key with more than four others of the same hash | one each |
//! | steps past gaps that removals left, or to a character of a string | one for 64 |
//! | searching one text again and again with a regex | one for 2 KiB that are left of the text, after 64 KiB |
//! | compiling patterns that the program made | one for four characters, after 64 KiB; `.` and `[^a]` are 24 of them, `\p{L}` 600 |

use std::cell::Cell;

/// Free bytes of a string, and elements of a key.
const FREE_TEXT: usize = 4 << 10;
const FREE_ELEMENTS: u32 = 64;
/// Free bytes of a copy.
const FREE_COPY: usize = 1 << 10;

/// Ticks owed once the limit of copies is exceeded: more than any program has, to make its next tick fail.
pub(super) const COPIED_OUT: u64 = 1 << 63;

thread_local! {
    /// Ticks owed since they were last collected.
    static OWED: Cell<u64> = const { Cell::new(0) };
    /// Work stops when more is owed than this.
    static LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Remaining bytes for copies. Negative once the limit is exceeded.
    static COPYABLE: Cell<i64> = const { Cell::new(i64::MAX) };
    /// Remaining free elements of the current comparison.
    static FREE: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The counts of the running program. When it ends, its caller's counts come back.
pub(super) struct Account {
    owed: u64,
    limit: u64,
    copyable: i64,
}

impl Account {
    /// Opens an account with this many ticks, and bytes of copies.
    pub(super) fn open(ticks: u64, copyable: u64) -> Account {
        let copyable = copyable.try_into().unwrap_or(i64::MAX);
        Account { owed: OWED.replace(0), limit: LIMIT.replace(ticks), copyable: COPYABLE.replace(copyable) }
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        OWED.set(self.owed);
        LIMIT.set(self.limit);
        COPYABLE.set(self.copyable);
    }
}

/// Takes the owed ticks.
#[inline]
pub(super) fn collect() -> u64 {
    match OWED.get() {
        0 => 0,
        owed => {
            OWED.set(0);
            owed
        }
    }
}

/// Adds ticks. Returns false once more are owed than the program has: the work can stop.
pub(super) fn owe(ticks: u64) -> bool {
    let owed = OWED.get().saturating_add(ticks);
    OWED.set(owed);
    owed <= LIMIT.get()
}

/// Charges a tick for every 64 steps.
pub(super) fn owe_steps(steps: usize) {
    if steps >= 64 {
        owe(steps as u64 / 64);
    }
}

/// Charges for reading a string as a key. Returns false if the work can stop.
pub(super) fn owe_text(bytes: usize) -> bool {
    bytes < FREE_TEXT || owe(bytes as u64 / 64)
}

/// Charges for a lasting copy, with its size in bytes as in §15.
#[inline(never)]
pub(super) fn owe_kept(bytes: usize) {
    owe_copy(bytes);
    let left = COPYABLE.get().saturating_sub(bytes as i64);
    COPYABLE.set(left);
    if left < 0 {
        OWED.set(OWED.get() | COPIED_OUT);
    }
}

/// Returns true if the limit of copies is exceeded.
pub(super) fn is_copied_out() -> bool {
    COPYABLE.get() < 0
}

/// Charges for a temporary copy, with its size in bytes as in §15.
pub(super) fn owe_copy(bytes: usize) {
    if bytes >= FREE_COPY {
        owe(bytes as u64 / 256);
    }
}

/// A comparison of two keys. Comparisons inside it, such as a look-up in a map, share its free elements; otherwise the free
/// elements had no bound.
pub(super) struct Comparison {
    is_outermost: bool,
}

impl Comparison {
    pub(super) fn begin() -> Comparison {
        let is_outermost = FREE.get().is_none();
        if is_outermost {
            FREE.set(Some(FREE_ELEMENTS));
        }
        Comparison { is_outermost }
    }

    /// Returns true if one more element may be compared.
    #[inline]
    pub(super) fn look(&self) -> bool {
        match FREE.get() {
            Some(left @ 1..) => {
                FREE.set(Some(left - 1));
                true
            }
            _ => owe(1),
        }
    }
}

impl Drop for Comparison {
    fn drop(&mut self) {
        if self.is_outermost {
            FREE.set(None);
        }
    }
}
