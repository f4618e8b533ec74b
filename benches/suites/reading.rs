//! Writes the suite of an agent that reads long pages, the same on every machine. Each turn calls a tool with
//! a result of 2 to 10 KB, and prints it or keeps it. Such runs make large requests, snapshots and reports.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use super::generate::{Dice, Size};

/// Writes a suite folder with one YAML file a scenario, run under these strategies.
///
/// # Errors
/// A file cannot be written.
pub fn write_suite(folder: &Path, size: Size, strategies: &[&str]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let suite = format!("strategies: [{}]\nmodels: [gpt-5, claude-sonnet-4-5]\n", strategies.join(", "));
    fs::write(folder.join("suite.yaml"), suite)?;
    for index in 0..size.scenarios {
        fs::write(folder.join(format!("reading-{index:03}.yaml")), scenario(index, size.turns))?;
    }
    Ok(())
}

fn scenario(index: u32, turns: u32) -> String {
    let mut dice = Dice::new(index);
    let (place, other) = (dice.word(), dice.word());
    let (mut texts, mut tables, mut programs) = (String::new(), String::new(), String::new());
    for turn in 1..turns {
        let rows = 20 + dice.roll(80);
        let (read, table) =
            (format!("(tool/read {{:page {turn}}})"), format!("(tool/rows {{:page {turn}}})"));
        let program = match dice.roll(8) {
            0 => format!("(def page-{turn} {read})\n(println (count page-{turn}) \"characters\")"),
            1 => format!("(def rows-{turn} {table})\n(doseq [row rows-{turn}] (println row))"),
            2 | 3 => format!("(println \"page {turn}:\" {table})"),
            4 => format!("(doseq [line (split-lines {read})] (println line))"),
            _ => format!("(println {read})"),
        };
        if program.contains("tool/rows") {
            let _ = writeln!(tables, "      - when: {{page: {turn}}}\n        returns:");
            for id in 0..rows {
                let (name, note) = (dice.name(), sentence(&mut dice, 8));
                let _ = writeln!(tables, "          - {{id: {id}, name: {name}, note: {note}}}");
            }
        } else {
            let _ = writeln!(texts, "      - when: {{page: {turn}}}\n        returns: |");
            for _ in 0..rows {
                let _ = writeln!(texts, "          {}", sentence(&mut dice, 13));
            }
        }
        let _ = writeln!(programs, "  - program: |\n      {}", program.replace('\n', "\n      "));
    }
    format!(
        "description: Pages that are read, generated, number {index}\ntags: [generated]\n\
         mission: Read the pages about {place} and {other} one after the other and say how many there are.\n\
         max_turns: {turns}\nlimits: {{print_length: 20000}}\nsignature: \"() -> :int\"\ntools:\n  read:\n\
         \x20   signature: \"(page :int) -> :string\"\n    description: The text of a page\n    cases:\n{texts}\
         \x20 rows:\n    signature: \"(page :int) -> [{{id :int, name :string, note :string}}]\"\n\
         \x20   description: The table of a page\n    cases:\n{tables}responses:\n{programs}\
         \x20 - program: (return {turns})\nexpect: {{outcome: return, value: {turns}, turns: {turns}}}\n"
    )
}

fn sentence(dice: &mut Dice, words: u32) -> String {
    (0..words).map(|_| format!("{} ", dice.word())).collect::<String>() + &dice.roll(10_000).to_string()
}
