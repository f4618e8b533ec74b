//! Writes suites of any size, the same on every machine: scenarios of an agent that works through a
//! table of orders. Names, numbers and texts differ from one to the next, so that nothing is counted twice
//! for being the same by accident. Generated scenarios are for measuring, not for reading.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Size of a generated suite.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub scenarios: u32,
    /// Of each scenario; the last one returns.
    pub turns: u32,
}

/// Rows of data that each scenario begins with.
const ROWS: u32 = 12;
/// After this many definitions names are used again, so that what is defined does not grow for ever.
const NAMES: u32 = 40;
/// One in this many turns fails.
const FAILS: u32 = 10;

const WORDS: [&str; 32] = [
    "amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbor", "inlet", "jetty", "kernel",
    "lagoon", "meadow", "nectar", "orchard", "prairie", "quarry", "ridge", "summit", "timber", "upland",
    "valley", "willow", "yonder", "zephyr", "atlas", "beacon", "cobalt", "dynamo", "estuary", "falcon",
    "glacier",
];

/// Writes a suite folder with one YAML file a scenario, a hundred to a folder, run under these strategies.
///
/// # Errors
/// A file cannot be written.
pub fn write_suite(folder: &Path, size: Size, strategies: &[&str]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let suite = format!("strategies: [{}]\nmodels: [gpt-5, claude-sonnet-4-5]\n", strategies.join(", "));
    fs::write(folder.join("suite.yaml"), suite)?;
    for index in 0..size.scenarios {
        let folder = folder.join(format!("group-{:04}", index / 100));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("orders-{index:07}.yaml")), Story::new(index, size.turns).yaml())?;
    }
    Ok(())
}

/// Writes the scenarios as lines of JSON.
///
/// # Errors
/// `out` cannot be written.
pub fn write_lines(out: &mut impl Write, size: Size) -> io::Result<()> {
    (0..size.scenarios).try_for_each(|index| writeln!(out, "{}", Story::new(index, size.turns).json()))
}

/// One scenario before it is written down.
struct Story {
    index: u32,
    turns: u32,
    dice: Dice,
}

/// A small generator of numbers, so that texts are the same on every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(index: u32) -> Dice {
        Dice(u64::from(index).wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1)
    }

    pub fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(sides)) as u32
    }

    pub fn word(&mut self) -> &'static str {
        WORDS[self.roll(WORDS.len() as u32) as usize]
    }

    /// Such as `cedar-417`.
    pub fn name(&mut self) -> String {
        format!("{}-{}", self.word(), self.roll(1_000))
    }
}

impl Story {
    fn new(index: u32, turns: u32) -> Story {
        Story { index, turns, dice: Dice::new(index) }
    }

    fn rows(&mut self) -> Vec<String> {
        let row = |id| {
            let (customer, region) = (self.dice.name(), self.dice.word());
            let (amount, units) = (self.dice.roll(90_000), 1 + self.dice.roll(40));
            format!(
                "{{\"id\": {id}, \"customer\": \"{customer}\", \"region\": \"{region}\", \"amount\": {}.{:02}, \"units\": {units}}}",
                amount / 100,
                amount % 100
            )
        };
        (1..=ROWS).map(row).collect()
    }

    fn mission(&mut self) -> String {
        let (region, customer) = (self.dice.word(), self.dice.name());
        format!(
            "Go through the orders of the {region} warehouse step by step, check the stock of what {customer} wants, and say how many orders there are."
        )
    }

    fn programs(&mut self) -> Vec<String> {
        let working = (1..self.turns).map(|turn| self.program(turn)).collect::<Vec<_>>();
        working.into_iter().chain(std::iter::once("(return (count data/orders))".to_owned())).collect()
    }

    /// The answer of one turn: it defines something, prints something or calls a tool.
    fn program(&mut self, turn: u32) -> String {
        let (name, region, limit) =
            (format!("{}-{}", self.dice.word(), turn % NAMES), self.dice.word(), self.dice.roll(900));
        let id = 1 + self.dice.roll(ROWS);
        if self.dice.roll(FAILS) == 0 {
            return format!("(def {name} (sum-of :amount (filter #(> (:amount %) {limit}) data/orders)))");
        }
        match self.dice.roll(5) {
            0 => format!(
                "(def {name} (filter #(> (:amount %) {limit}.5) data/orders))\n(println \"above {limit}:\" (map :customer {name}))"
            ),
            1 => format!(
                "(def {name} (group-by :region data/orders))\n(println \"regions near {region}:\" (keys {name}))"
            ),
            2 => format!(
                "(def {name} (tool/stock {{:id {id} :place \"{region}-{limit}\"}}))\n(println \"stock of {id}:\" {name})"
            ),
            3 => format!(
                "(def {name}\n  (->> data/orders\n       (sort-by :amount)\n       (take {id})\n       (mapv #(select-keys % [:id :customer :amount]))))\n(println \"cheapest {id} in {region}:\" (last {name}))"
            ),
            _ => format!(
                "(def {name} (reduce + {limit} (map :units data/orders)))\n(def note-{turn_name} \"{region} has {limit} to spare\")\n(println \"units and {limit}:\" {name} note-{turn_name})",
                turn_name = turn % NAMES
            ),
        }
    }

    fn yaml(&mut self) -> String {
        let mut out = String::new();
        let mission = self.mission();
        let _ = writeln!(out, "description: Orders, generated, number {}", self.index);
        let _ = writeln!(
            out,
            "tags: [generated]\nmission: {mission}\nmax_turns: {}\nsignature: \"() -> :int\"",
            self.turns
        );
        let _ = writeln!(out, "data:\n  orders:");
        for row in self.rows() {
            let _ = writeln!(out, "    - {row}");
        }
        let _ = write!(
            out,
            "tools:\n  stock:\n    signature: \"(id :int, place :string) -> {{id :int, left :int, place :string}}\"\n    description: What is left of an order's goods in a place\n    program: \"(fn [{{:keys [id place]}}] {{:id id :left (* 7 id) :place place}})\"\nresponses:\n"
        );
        for program in self.programs() {
            out.push_str("  - program: |\n");
            for line in program.lines() {
                let _ = writeln!(out, "      {line}");
            }
        }
        let _ = writeln!(out, "expect: {{outcome: return, value: {ROWS}, turns: {}}}", self.turns);
        out
    }

    fn json(&mut self) -> String {
        let mission = self.mission();
        let rows = self.rows().join(", ");
        let programs: Vec<String> =
            self.programs().iter().map(|program| format!("{{\"program\": {program:?}}}")).collect();
        format!(
            "{{\"name\": \"orders-{index:07}\", \"tags\": [\"generated\"], \"mission\": \"{mission}\", \"max_turns\": {turns}, \"signature\": \"() -> :int\", \"data\": {{\"orders\": [{rows}]}}, \"tools\": {{\"stock\": {{\"signature\": \"(id :int, place :string) -> {{id :int, left :int, place :string}}\", \"description\": \"What is left of an order's goods in a place\", \"program\": \"(fn [{{:keys [id place]}}] {{:id id :left (* 7 id) :place place}})\"}}}}, \"responses\": [{programs}], \"expect\": {{\"outcome\": \"return\", \"value\": {ROWS}, \"turns\": {turns}}}}}",
            index = self.index,
            turns = self.turns,
            programs = programs.join(", ")
        )
    }
}
