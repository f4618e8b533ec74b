//! Two strategies' requests for the same turns of one scenario, side by side.

use crate::cli::exit::Exit;
use crate::cli::suite::Wanted;

pub(super) fn run(scenario: &str, strategies: [&Wanted; 2], turn: Option<u32>) -> Exit {
    let [left, right] = strategies;
    let turn = turn.map_or(String::new(), |turn| format!(" --turn {turn}"));
    for Wanted { name, .. } in [left, right] {
        outln!("ptc-eval show {scenario} --view compressed --strategy {name}{turn}");
    }
    Exit::Success
}
