//! The binary: `ptc_eval::cli` does everything.

// Without huge pages: they triple the memory of a run and make a short one slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    ptc_eval::cli::main()
}
