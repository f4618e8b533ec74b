//! The list of changes for the model: one for each edit, with true signs, the same in every output.

use std::fs;
use std::path::Path;

use super::random_edits::{Files, Random, random_edit, read_files};
use super::suite::{Ran, Suite, git};

/// Three pages are printed, and the last answer names a line of the first.
const PAGES: &str = "
mission: Tell which page names the animal.
tools:
  look:
    signature: \"(number :int) -> :string\"
    description: Looks a page up
    returns: \"nothing new here\"
responses:
  - program: (println (str \"page 1 says zanzi\" \"bar\"))
  - program: (println (str \"page 2 says quo\" \"kka\"))
  - program: (println (str \"page 3 says noth\" \"ing\"))
  - program: (println (tool/look {:number 4}))
  - program: (return \"zanzibar\")
";
const SUITE: &str = "strategies: [full-history, single-user-coalesced]\n";

/// A suite that is accepted and committed.
fn committed(scenarios: &[(&str, &str)], suite_file: &str) -> Suite {
    let suite = Suite::with(scenarios);
    suite.write("scenarios/suite.yaml", suite_file);
    suite.run(&["--accept"]).ends(0);
    git(suite.path(), &["init", "--quiet"]);
    commit(&suite);
    suite
}

fn commit(suite: &Suite) {
    git(suite.path(), &["add", "--all"]);
    git(suite.path(), &["commit", "--quiet", "--message", "more"]);
}

/// Every output with changes: the screen, the review, the comment and the test report.
fn outputs(suite: &Suite) -> [String; 4] {
    let run: Ran = suite.run(&["run"]);
    let review = suite.run(&["review", "--print"]).out;
    [run.out, review, suite.read("reports/changes.md"), suite.read("reports/junit.xml")]
}

/// A line that no longer reaches the model is removed in every output, and in the diff of the golden files.
#[test]
fn a_loss_is_removed_text_everywhere() {
    let suite = committed(&[("pages", PAGES)], SUITE);
    suite.write("scenarios/suite.yaml", &format!("{SUITE}compression: {{println_limit: 2}}\n"));
    let outputs = outputs(&suite);
    for output in &outputs {
        assert!(output.contains("suite.yaml  compression.println_limit 15 → 2"), "{output}");
        assert!(
            output.contains("- page 1 says zanzibar") || output.contains("− page 1 says zanzibar"),
            "{output}"
        );
        assert!(!output.contains("+ page") && !output.contains("+ -"), "{output}");
    }
    let [run, review, comment, _] = &outputs;
    for screen in [run, review] {
        assert!(screen.contains("answers that would lack a fact they use: 0 → 1 of"), "{screen}");
        assert!(
            screen.contains("worst: pages@5 under single-user-coalesced: it uses \"zanzibar\" of turn 1"),
            "{screen}"
        );
    }
    assert!(run.contains("1 change for the model, it loses facts"), "{run}");
    // The command to look further is about this edit, and prints the missing fact first.
    let look = run.lines().find_map(|line| line.strip_prefix("look:  ")).unwrap();
    assert_eq!(look, "ptc-eval show pages@5 --why --strategy single-user-coalesced");
    let why = suite.run_typed(look).ends(0).out.clone();
    assert!(why.find("  gone: ").unwrap() < why.find("Tokens by part").unwrap(), "{why}");
    assert!(comment.contains("look at the worst answer first: `ptc-eval show pages@5 --why"), "{comment}");
    assert!(comment.starts_with("# `suite.yaml  compression.println_limit 15 → 2`: "), "{comment}");
    let [old, new] =
        ["snap", "snap.new"].map(|end| suite.read(&format!("snapshots/pages/single-user-coalesced.{end}")));
    assert!(old.contains("\n2-| page 1 says zanzibar\n"), "{old}");
    assert!(new.contains("\n2-3| page 1 says zanzibar\n"), "{new}");
}

/// Cost and loss on top of the comment are the sums of its table, also if scenarios lack facts that the edit does not reach.
#[test]
fn the_summary_of_a_comment_has_the_numbers_of_its_table() {
    let few = format!("{PAGES}compression: {{println_limit: 2}}\n");
    let other = few.replace("animal", "bird");
    let suite_file = "strategies: [full-history, single-user-coalesced, aggressive]\nmodels: [gpt-5]\n";
    let suite = committed(&[("pages", PAGES), ("other", &other)], suite_file);
    suite.write("scenarios/pages.yaml", &few);
    suite.run(&["run"]).ends(1);
    let comment = suite.read("reports/changes.md");
    let rows: Vec<Vec<&str>> = comment
        .lines()
        .skip_while(|line| !line.starts_with("| strategy | answers"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let last = rows.last().unwrap();
    let [short, cost] = [last[2], last[5]];
    let pair = short.rsplit_once(" (").unwrap().0;
    assert!(pair.contains(" → ") && !pair.starts_with("0 "), "{comment}");
    assert!(comment.contains(&format!("lack a fact that it uses: {pair} of ")), "{comment}");
    assert!(
        comment.contains(&format!(": {cost} with gpt-5. A run of a scenario costs on average $")),
        "{comment}"
    );
    assert!(comment.contains(" Under the baseline `full-history` every request is as before."), "{comment}");
    assert!(cost.starts_with('$') && cost.ends_with("%)"), "{cost}");
    assert!(
        comment.contains(
            "`ptc-eval show pages@5 --why --strategy single-user-coalesced`. Its answer uses `zanzibar` of turn 1"
        ),
        "{comment}"
    );
    // Above the last row the table falls by the column that its title names.
    let increase = |row: &Vec<&str>| {
        row[2].rsplit_once("(+").map_or(0, |(_, more)| more.trim_end_matches(')').parse().unwrap())
    };
    let increases: Vec<u32> = rows.iter().filter(|row| !row[1].starts_with("**")).map(increase).collect();
    assert!(increases.is_sorted_by(|one, next| one >= next), "{increases:?}");
}

/// A strategy with a cost of 0 before has a row, although its change has no percentage.
#[test]
fn costs_that_were_zero_before_have_rows_of_their_own() {
    let suite_file = "strategies: [full-history, trim, aggressive]\nmodels: [gpt-5]\n";
    let suite = committed(&[("pages", PAGES)], suite_file);
    let report = suite.read("reports/strategies.csv");
    let cost = report.lines().next().unwrap().split(',').position(|column| column == "cost:gpt-5").unwrap();
    let mut free = String::new();
    for (number, line) in report.lines().enumerate() {
        let mut cells: Vec<&str> = line.split(',').collect();
        if number > 0 {
            cells[cost] = "0.000000";
        }
        free += &format!("{}\n", cells.join(","));
    }
    suite.write("reports/strategies.csv", &free);
    commit(&suite);
    suite.run(&["run"]).ends(0);
    let comment = suite.read("reports/changes.md");
    for strategy in ["full-history", "trim", "aggressive"] {
        assert!(comment.contains(&format!("\n| {strategy} | ")), "{comment}");
    }
    assert!(!comment.contains(" others |"), "{comment}");
}

/// The answers of before are those of the report of before.
#[test]
fn a_loss_is_of_the_answers_of_its_time() {
    let suite = committed(&[("pages", PAGES)], SUITE);
    let report = suite.read("reports/strategies.csv");
    let names: Vec<&str> = report.lines().next().unwrap().split(',').collect();
    let needing = names.iter().position(|name| *name == "answers_needing").unwrap();
    let mut more = String::new();
    for line in report.lines() {
        let mut cells: Vec<&str> = line.split(',').collect();
        if cells[0] == "single-user-coalesced" {
            assert_eq!(cells[needing], "1");
            cells[needing] = "2";
        }
        more += &format!("{}\n", cells.join(","));
    }
    suite.write("reports/strategies.csv", &more);
    commit(&suite);
    suite.write("scenarios/suite.yaml", &format!("{SUITE}compression: {{println_limit: 2}}\n"));
    suite.run(&["run"]).ends(1);
    let comment = suite.read("reports/changes.md");
    assert!(comment.contains("lack a fact that it uses: 0 of 2 → 1 of 1**"), "{comment}");
}

/// Three edits of one scenario are three changes, each with its own lines, in every output.
#[test]
fn edits_that_meet_in_one_scenario_come_apart() {
    let suite = committed(&[("pages", PAGES), ("other", &PAGES.replace("animal", "bird"))], SUITE);
    let edited = PAGES
        .replace("names the animal", "names the animal first")
        .replace("Looks a page up", "Looks a page up and caches it")
        .replace("mission:", "system_prompt: {prefix: Be careful.}\nmission:");
    suite.write("scenarios/pages.yaml", &edited);
    for output in outputs(&suite) {
        for line in ["Be careful.", "names the animal first", "and caches it"] {
            assert!(output.contains(line), "{line}: {output}");
        }
        for key in ["system_prompt", "mission", "tools.look.description"] {
            assert!(output.contains(&format!("pages.yaml  {key}")), "{key}: {output}");
        }
        assert!(!output.contains("together"), "{output}");
    }
    suite.run(&["run"]).ends(1).says("3 changes for the model\n");
    assert_eq!(suite.run(&["review", "--print"]).out.matches(" requests in 1 scenario").count(), 3);
}

/// Another name of a tool is one change, also where one answer calls it twice.
#[test]
fn a_renamed_tool_is_one_change() {
    let twice = PAGES.replace("(tool/look {:number 4})", "(tool/look {:number 4}) (tool/look {:number 5})");
    let suite = committed(&[("pages", &twice)], SUITE);
    let renamed = twice.replace("  look:", "  open-page:").replace("tool/look", "tool/open-page");
    suite.write("scenarios/pages.yaml", &renamed);
    let run = suite.run(&["run"]);
    run.says("1 change for the model\n");
    run.says("1  pages.yaml  tools.look (its name) look → open-page, and 1 like it   ");
}

/// An answer that is new in the list of answers, or removed from it, is one change.
#[test]
fn a_new_answer_is_one_change() {
    let suite = committed(&[("pages", PAGES)], SUITE);
    let answer = "  - program: (println (str \"page 3 says noth\" \"ing\"))\n";
    suite.write("scenarios/pages.yaml", &PAGES.replace(answer, &format!("{answer}  - program: (def x 1)\n")));
    suite.run(&["run"]).says("1 change for the model").says("1  pages.yaml  responses[3] (new)   ");
    suite.write("scenarios/pages.yaml", &PAGES.replace(answer, ""));
    suite.run(&["run"]).says("1 change for the model").says("1  pages.yaml  responses[2] (removed)   ");
}

/// The same edit of several files is one change.
#[test]
fn the_same_edit_of_several_files_is_one_change() {
    let suite = committed(&[("a", PAGES), ("b", &PAGES.replace("animal", "bird"))], SUITE);
    for name in ["a", "b"] {
        let path = format!("scenarios/{name}.yaml");
        suite.write(
            &path,
            &suite.read(&path).replace("mission:", "system_prompt: {prefix: Be careful.}\nmission:"),
        );
    }
    suite
        .run(&["run"])
        .ends(1)
        .says("1 change for the model\n")
        .says(", and 1 like it   20 requests in 2 scenarios");
}

/// Options are independent keys, also where the map that holds them is new.
#[test]
fn options_of_a_new_map_are_changes_of_their_own() {
    let suite = committed(&[("pages", PAGES)], "strategies: [full-history, single-user-coalesced, trim]\n");
    let options = "compression: {println_limit: 2, keep_recent_turns: 1}\n";
    suite.write("scenarios/suite.yaml", &(suite.read("scenarios/suite.yaml") + options));
    let run = suite.run(&["run"]);
    run.ends(1).says("2 changes for the model");
    run.says("  suite.yaml  compression.println_limit 15 → 2   ");
    run.says("  suite.yaml  compression.keep_recent_turns ");
    let page = suite.read("reports/index.html");
    assert!(
        page.contains("\"title\":\"2 changes for the model") && page.contains("\"since\":\"Since accepted\"")
    );
    assert!(
        suite.read("reports/junit.xml").contains("<testsuite name=\"changes for the model\" tests=\"2\"")
    );
}

/// The old number is printed beside the new one if it changed and the scenarios are the same.
#[test]
fn the_first_screen_says_what_was_before() {
    let suite = committed(&[("pages", PAGES)], "strategies: [full-history, single-user-coalesced]\n");
    assert!(!suite.run(&["run"]).out.contains("(was "));
    suite.write("scenarios/suite.yaml", &format!("{SUITE}compression: {{println_limit: 2}}\n"));
    let before = suite.read("reports/strategies.csv");
    let run = suite.run(&["run"]);
    let row = run.out.lines().find(|line| line.contains("single-user-co") && line.contains("(was ")).unwrap();
    assert!(row.contains("% (was ") && row.contains("1 (was 0)"), "{row}");
    let ratio = |csv: &str| -> f64 {
        let names =
            csv.lines().next().unwrap().split(',').position(|name| name.starts_with("cost_ratio:")).unwrap();
        let row = csv.lines().find(|line| line.starts_with("single-user-coalesced,")).unwrap();
        row.split(',').nth(names).unwrap().parse().unwrap()
    };
    let was = format!(
        "{:+.1}% (was {:+.1}%)",
        ratio(&suite.read("reports/strategies.csv")) * 100.0 - 100.0,
        ratio(&before) * 100.0 - 100.0
    );
    assert!(row.contains(&was), "{was}: {row}");
    // Over other scenarios nothing is compared.
    suite.write("scenarios/more.yaml", PAGES);
    assert!(!suite.run(&["run"]).out.contains("(was "));
}

/// One snapshot is accepted by its name, or all of a scenario; the others wait.
#[test]
fn a_snapshot_is_accepted_by_its_name() {
    let suite = committed(&[("a", PAGES), ("b", &PAGES.replace("animal", "bird"))], SUITE);
    for name in ["a", "b"] {
        let path = format!("scenarios/{name}.yaml");
        suite.write(&path, &suite.read(&path).replace("Tell", "Say"));
    }
    let run = suite.run(&["run", "--accept", "a/full-history"]);
    run.ends(1).says("1 snapshot accepted in snapshots");
    assert!(suite.read("snapshots/a/full-history.snap").contains("Say which page"));
    assert!(suite.exists("snapshots/a/single-user-coalesced.snap.new"));
    suite.run(&["run", "--accept", "b"]).ends(1).says("2 snapshots accepted");
    assert!(!suite.exists("snapshots/b/full-history.snap.new"));
    suite
        .run(&["run", "--accept", "c"])
        .ends(2)
        .complains("this run has no scenario and no snapshot called 'c'");
    assert!(suite.read("snapshots/a/single-user-coalesced.snap").contains("Tell which page"));
    // A path is no name: all of it is accepted.
    suite.run(&["run", "--accept", "scenarios"]).ends(0);
    assert!(suite.read("snapshots/a/single-user-coalesced.snap").contains("Say which page"));
}

/// A line of a list begins with a sign of its own, which is not read as one of a difference.
#[test]
fn lines_that_begin_with_a_sign_stand_apart() {
    let listed = PAGES.replace("nothing new here", "- one item\\n- another item");
    let suite = committed(&[("pages", &listed)], SUITE);
    suite.write("scenarios/pages.yaml", &listed.replace("another", "one more"));
    let outputs = outputs(&suite);
    for output in &outputs {
        assert!(output.contains("  - one more item") && !output.contains("+ -"), "{output}");
    }
}

/// Changes accepted in a commit are compared with the commit before, with the suite of that time.
#[test]
fn accepted_changes_are_told_against_a_revision() {
    let suite = committed(&[("pages", PAGES)], SUITE);
    suite.write("scenarios/suite.yaml", &format!("{SUITE}compression: {{println_limit: 2}}\n"));
    suite.write("scenarios/late.yaml", &PAGES.replace("animal", "fish"));
    suite.run(&["--accept"]).ends(0);
    commit(&suite);
    suite.run(&["--locked"]).ends(0);
    assert!(!suite.read("reports/changes.md").contains("**Edited**"));
    let run = suite.run(&["--locked", "--against", "HEAD~1"]);
    run.ends(0).says("1 change for the model, it loses facts").says("\nnew scenarios, not compared: late\n");
    let comment = suite.read("reports/changes.md");
    assert!(comment.contains("\n- page 1 says zanzibar\n"), "{comment}");
    assert!(comment.contains("New scenarios, not included in these numbers: `late`."), "{comment}");
}

/// Without the suite before, the first layer that differs is named, and the signs are as true.
#[test]
fn without_a_commit_the_cause_is_guessed() {
    let suite = Suite::with(&[("pages", PAGES)]);
    suite.write("scenarios/suite.yaml", SUITE);
    suite.run(&["--accept"]).ends(0);
    for (from, to, layer) in [
        ("names the animal", "names the beast", "pages  mission"),
        ("Looks a page up", "Looks it up", "pages  tools"),
        ("nothing new here", "something new", "pages  results of tools, or data"),
        ("mission:", "system_prompt: {suffix: Be brief.}\nmission:", "pages  SYSTEM"),
    ] {
        suite.write("scenarios/pages.yaml", &PAGES.replace(from, to));
        let ran = suite.run(&["run"]);
        ran.ends(1).says(&format!("1  {layer}   ")).says("the suite before cannot be replayed");
    }
}

/// `1  suite.yaml  compression.println_limit 15 → 14   1,136 requests in 94 scenarios`
fn is_title(line: &str) -> bool {
    let extent = line.rsplit_once("   ").map_or("", |(_, extent)| extent);
    line.starts_with(|c: char| c.is_ascii_digit()) && extent.contains(" request") && extent.contains(" in ")
}

/// Random single edits of the shipped suite are one change each, and their key is the cause. `PTC_EVAL_EDITS`
/// sets the number of edits; each takes a second or two.
#[test]
fn a_random_edit_of_the_shipped_suite_is_one_change_with_its_key() {
    let count = std::env::var("PTC_EVAL_EDITS").map_or(4, |count| count.parse().unwrap());
    let suite = Suite::with(&[]);
    for folder in ["scenarios", "snapshots"] {
        copy(Path::new(folder), &suite.path().join(folder));
    }
    git(suite.path(), &["init", "--quiet"]);
    commit(&suite);
    let (mut random, mut files) = (Random(17), Files::new());
    read_files(&suite.path().join("scenarios"), "", &mut files);
    let (mut told, mut silent, mut wrong) = (0, Vec::new(), Vec::new());
    for kind in 0.. {
        if told + silent.len() + wrong.len() >= count {
            break;
        }
        // Few scenarios have what some kinds of edits need.
        let Some(edit) = (0..200).find_map(|_| random_edit(kind, &files, &mut random)) else { continue };
        suite.write(&format!("scenarios/{}", edit.file), &edit.text);
        let out = suite.run(&["run", "--locked", "--allow-commands"]).out;
        suite.write(&format!("scenarios/{}", edit.file), &files[&edit.file]);
        assert!(!out.lines().any(|line| line.trim_start().starts_with("+ -")), "{out}");
        let titles: Vec<&str> = out.lines().filter(|line| is_title(line)).collect();
        let is_named = |title: &str| edit.keys.iter().any(|key| title.starts_with(&format!("1  {key}")));
        match titles.as_slice() {
            [] => silent.push(edit.kind),
            [title] if is_named(title) => told += 1,
            _ => wrong.push(format!("{} {:?}: {titles:?}", edit.kind, edit.keys)),
        }
    }
    assert!(
        wrong.len() * 20 <= count && told * 2 > count,
        "{told} told, without effect: {silent:?}, wrong: {wrong:#?}"
    );
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}
