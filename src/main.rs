//! The binary: `ptc_eval::cli` does everything.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    ptc_eval::cli::main()
}
