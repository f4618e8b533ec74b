//! The limits of one program (`docs/language.md` §15). All are counted, none is timed.

/// Limits of one program. Each is named as scenarios name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: closure entries, iterations, callbacks, elements taken.
    pub ticks: u64,
    /// Nested calls that are not tail calls.
    pub depth: u32,
    /// Allocation in MiB, never given back.
    pub memory_mib: u64,
    /// Code points of one print; longer ones are cut.
    pub print_length: usize,
    /// Prints of one program.
    pub prints: usize,
    /// Tool calls of one turn; none: no bound.
    pub tool_calls: Option<u32>,
}

/// The largest collection.
pub const MAX_ITEMS: usize = 1_000_000;
/// The longest string, in bytes.
pub const MAX_STRING: usize = 4 << 20;
/// The longest source, in bytes.
pub const MAX_SOURCE: usize = 256 << 10;
/// The deepest nesting of forms in a source.
pub const MAX_NESTING: u32 = 200;
/// The most MiB that can be configured; their bytes are a number of 64 bits.
pub const MAX_MEMORY_MIB: u64 = u64::MAX >> 20;
/// The largest configurable call depth.
pub const MAX_DEPTH: u32 = 10_000;

impl Limits {
    /// The limit of allocation in bytes, and of copies.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_mib << 20
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            ticks: 1_000_000,
            depth: 1_000,
            memory_mib: 64,
            print_length: 2_000,
            prints: 1_000,
            tool_calls: None,
        }
    }
}

/// Resources that a program has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Steps.
    pub ticks: u64,
    /// Bytes, by the rules of `docs/language.md` §15.
    pub allocated: u64,
    /// Depth of the deepest call.
    pub max_depth: u32,
}
