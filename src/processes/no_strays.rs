//! Stub for systems that cannot adopt strays.

/// Always returns false: strays are not supported.
pub fn adopt() -> bool {
    false
}

/// Does nothing.
pub fn end() {}
