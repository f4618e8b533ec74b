//! The binary: `ptc_eval::cli` does everything.

// Without huge pages: they triple the memory of a run and make a short one slower. The second version, since
// the third takes a slow path for most sizes of ours.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    ptc_eval::cli::main()
}
