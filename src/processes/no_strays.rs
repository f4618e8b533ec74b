//! Where the system hands over no processes that left their group.

/// Returns false: none are held.
pub fn adopt() -> bool {
    false
}

/// Does nothing.
pub fn end() {}
