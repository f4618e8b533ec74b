//! Work that values cause by themselves: hashing and comparing keys, copying what somebody else still
//! holds. It happens far from the interpreter, inside of tables and runs, so it is written down here, on
//! the thread that runs the program, and paid as ticks at the next tick. Small work is free, so that
//! ordinary programs spend what `docs/language.md` §15 says. Nothing here depends on addresses or time: what
//! is shared, and so what is copied, follows from the program alone.
//!
//! Copies are no allocation, since §15 wants the same of a change whether it is made in place or not. But a
//! program may keep them all, so there is a limit to them as well, as high as that of allocation.
//!
//! | work | ticks |
//! |---|---|
//! | comparing two keys | one for each element after the first 64 |
//! | hashing a string of 4 KiB or more, comparing two of them | one for 64 bytes |
//! | copying a shared collection of 1 KiB or more (16 bytes a slot, 32 an entry) | one for 256 bytes |
//! | comparing a key with more than four others of the same hash | one each |
//! | steps past gaps that removals left, or to a character of a string | one for 64 |
//! | searching one text again and again with a regex | one for 2 KiB that are left of the text, after 64 KiB |
//! | compiling patterns that the program made | one for four characters, after 64 KiB |

use std::cell::Cell;

/// Bytes of a string, and elements of a key, that cost nothing.
const FREE_TEXT: usize = 4 << 10;
const FREE_ELEMENTS: u32 = 64;
/// Bytes of a copy that cost nothing.
const FREE_COPY: usize = 1 << 10;

/// Ticks owed once more was copied than may be: more than programs have, so that the next tick notices.
pub(super) const COPIED_OUT: u64 = 1 << 63;

thread_local! {
    /// Ticks owed since they were last collected.
    static OWED: Cell<u64> = const { Cell::new(0) };
    /// Work stops when more is owed than this.
    static LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Bytes that may still be copied; below zero when they were more.
    static COPYABLE: Cell<i64> = const { Cell::new(i64::MAX) };
    /// Elements that the comparison under way may still look at for nothing.
    static FREE: Cell<Option<u32>> = const { Cell::new(None) };
}

/// A program's account, open while it is run; the account of a program around it waits.
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

/// The ticks owed so far, which are then no longer owed.
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

/// Writes ticks down. False once they are more than the program ever had, so that the work may stop.
pub(super) fn owe(ticks: u64) -> bool {
    let owed = OWED.get().saturating_add(ticks);
    OWED.set(owed);
    owed <= LIMIT.get()
}

/// Work in small steps, of which 64 are free.
pub(super) fn owe_steps(steps: usize) {
    if steps >= 64 {
        owe(steps as u64 / 64);
    }
}

/// A string is read as a key. False where it need not be read any more.
pub(super) fn owe_text(bytes: usize) -> bool {
    bytes < FREE_TEXT || owe(bytes as u64 / 64)
}

/// Something shared is copied to be changed, and the copy may be kept; in bytes as §15 counts them.
#[inline(never)]
pub(super) fn owe_kept(bytes: usize) {
    owe_copy(bytes);
    let left = COPYABLE.get().saturating_sub(bytes as i64);
    COPYABLE.set(left);
    if left < 0 {
        OWED.set(OWED.get() | COPIED_OUT);
    }
}

/// Returns true if more was copied than may be.
pub(super) fn is_copied_out() -> bool {
    COPYABLE.get() < 0
}

/// Something shared is copied for a moment; in bytes as §15 counts them.
pub(super) fn owe_copy(bytes: usize) {
    if bytes >= FREE_COPY {
        owe(bytes as u64 / 256);
    }
}

/// A comparison of two keys. One that happens inside of another, as where keys of maps are looked up, is
/// part of it: else each would begin with elements that cost nothing, and there may be no end of them.
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

    /// Returns true if one more element may be looked at.
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
