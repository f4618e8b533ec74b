//! Lists that input can make long: each costs time in proportion to its length.

use std::time::{Duration, Instant};

use super::suite::Suite;

const END: &str = "\nresponses: [{program: (return 1)}]\n";
const NEEDS: &str = "responses:\n  - program: (println \"word7\")\n  - program: (return 1)\n    needs:\n";

/// Scenarios after `mission: m`, with a part that stands many times; `#` is its number.
const LISTS: [[&str; 3]; 16] = [
    ["tags:\n", "  - tag#\n", END],
    ["data:\n", "  name#: {a: #}\n", END],
    ["data:\n  all:\n", "    - 9999999999999999999#\n", END],
    ["data:\n  a: &a {b: 1}\n  all:\n", "    - {<<: *a, c: #}\n", END],
    ["tools:\n", "  name#: {returns: #}\n", END],
    ["tools:\n", "  name#: {}\n", END],
    ["tools:\n  f:\n    cases:\n", "      - {when: {a: #}, returns: #}\n", END],
    ["compression:\n  strategy: aggressive\n", "  option#: 1\n", END],
    ["expect:\n  tokens:\n", "    name#: {max_total: 1}\n", END],
    ["expect:\n  value:\n", "    - #\n", "responses: [{program: (return (set (range COUNT)))}]"],
    [
        "expect:\n  value:\n",
        "    k#: #\n",
        "responses: [{program: (return (zipmap (map (fn [i] (str \"k\" i)) (range COUNT)) (range COUNT)))}]",
    ],
    [NEEDS, "      - word#\n", ""],
    [NEEDS, "      - word# word7\n", "      - word7 #(\n"],
    ["responses:\n  - program: (return 1)\n    needs: [word7 #c]\n", "  - {needs: [word#]}\n", ""],
    ["data_files: {table: table.csv}", "", END],
    ["responses:\n  - program: |\n      [", "\"word#\" ", "]\n"],
];

/// Time of a run with a list of this length.
fn time([before, part, after]: [&str; 3], length: usize) -> Duration {
    let parts: String = (0..length).map(|number| part.replace('#', &number.to_string())).collect();
    let after = after.replace("COUNT", &length.to_string());
    let suite = Suite::with(&[("list", &format!("mission: m\n{before}{parts}{after}"))]);
    let columns: Vec<String> = (0..length).map(|number| format!("column{number}")).collect();
    suite.write("scenarios/table.csv", &columns.join(","));
    let start = Instant::now();
    suite.run(&["run", "-j", "1"]);
    start.elapsed()
}

/// Run by hand, since it measures time: twice the length may take three times as long.
#[test]
#[ignore = "measures time"]
fn every_list_costs_linear_time() {
    let differences = LISTS.iter().filter_map(|list| {
        let [one, two, four] = [2_000, 4_000, 8_000].map(|length| time(*list, length));
        let (first, second) = (two.saturating_sub(one), four.saturating_sub(two));
        let is_linear = four < 3 * two || second < 3 * first || four < Duration::from_millis(500);
        (!is_linear).then(|| format!("{list:?}: {one:?} {two:?} {four:?}"))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The place of each problem is sought in the whole file, so only so many are listed.
#[test]
fn problems_past_the_first_hundred_are_counted() {
    let tools: String = (0..250).map(|number| format!("  name{number}: {{}}\n")).collect();
    let suite = Suite::with(&[("many", &format!("mission: m\ntools:\n{tools}{END}"))]);
    let ran = suite.run(&["check"]);
    ran.ends(2).complains("many.yaml: 150 more problems\n  = help: mend those above first\n");
    assert_eq!(ran.err.matches("the tool says nothing").count(), 100);
    let shadows: String = (0..101).map(|number| format!("  - (f {number} #(x {number}))\n")).collect();
    let suite = Suite::with(&[("cut", &format!("mission: m\nmax_turns: 1\nresponses:\n{shadows}"))]);
    let ran = suite.run(&["check"]);
    assert_eq!(ran.err.matches("takes what follows for a comment").count(), 100, "{}", ran.err);
}

#[test]
fn needs_past_the_first_twenty_that_are_not_produced_are_counted() {
    let needs: String = (0..50).map(|number| format!("      - word{number}\n")).collect();
    let suite = Suite::with(&[("needs", &format!("mission: m\n{NEEDS}{needs}"))]);
    let ran = suite.run(&["run"]);
    ran.ends(1).says("needs: expected a text that an earlier turn produced, found 29 more that none did");
    assert_eq!(ran.out.matches("did you mean 'word7'?").count(), 20, "{}", ran.out);
}

#[test]
fn data_in_a_mission_is_bounded() {
    let text = "a".repeat(1 << 16);
    let mission = "{{long}}".repeat(257);
    let scenario = format!("mission: \"{mission}\"\ndata: {{long: {text}}}{END}");
    let suite = Suite::with(&[("long", &scenario)]);
    let message = "with {{long}} more than 16777216 bytes of data stand in the mission";
    suite.run(&["check"]).ends(2).complains(message).complains("leave it to programs to read data/long");
}
