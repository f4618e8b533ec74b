//! Writes a suite of any size to measure with:
//! `cargo run --release --example generate_suite -- FOLDER|- [SCENARIOS [TURNS [reading|logs]]]`. With `-` the
//! scenarios go to standard output as lines of JSON, for `ptc-eval run -`; with `reading` each turn gets a long result.
//! With `- … logs` they are logs of an agent that calls tools, for `ptc-eval advise`.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use generate::Size;
use ptc_eval::compression::STRATEGIES;

#[path = "../benches/suites/generate.rs"]
mod generate;
#[path = "../benches/suites/logs.rs"]
mod logs;
#[path = "../benches/suites/reading.rs"]
mod reading;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize, default| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default);
    let size = Size { scenarios: number(1, 1_000), turns: number(2, 10) };
    match arguments.first().map(String::as_str) {
        None => Err(io::Error::other("usage: generate_suite FOLDER|- [SCENARIOS [TURNS [reading|logs]]]")),
        Some("-") => {
            let mut out = BufWriter::new(io::stdout().lock());
            let are_logs = arguments.get(3).is_some_and(|kind| kind == "logs");
            if are_logs {
                logs::write_logs(&mut out, size)?
            } else {
                generate::write_lines(&mut out, size)?
            }
            out.flush()
        }
        Some(folder) => {
            let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
            let is_reading = arguments.get(3).is_some_and(|kind| kind == "reading");
            let write = if is_reading { reading::write_suite } else { generate::write_suite };
            write(Path::new(folder), size, &names)
        }
    }
}
