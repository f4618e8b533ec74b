//! The first screen of help, old names of commands, and completions.

use super::suite::{SUM, Suite};

/// Every command in its group fits on a terminal of 24 lines, and old names are left out.
#[test]
fn help_names_every_command_on_one_screen() {
    let suite = Suite::with(&[]);
    for help in ["--help", "-h", "help"] {
        let shown = suite.run(&[help]).ends(0).out.clone();
        assert!(shown.lines().count() <= 24, "{}", shown.lines().count());
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        let mut commands = Vec::new();
        for line in shown.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_headed = !line.starts_with(' ');
            let is_row = !line.starts_with("ptc-eval")
                && !line.starts_with("Usage")
                && line.get(9..10).is_some_and(|c| c != " ")
                && line.get(8..9) == Some(" ");
            if is_row && let Some(name) = words.get(usize::from(is_headed)) {
                commands.push((*name).to_owned());
            }
        }
        assert_eq!(commands.len(), 16, "{commands:?}");
        for command in &commands {
            suite.run(&[command, "--help"]).ends(0);
        }
        for old in ["explain", "tune", "demo", "schema", "completions", "man"] {
            assert!(!commands.iter().any(|command| command == old));
            suite.run(&[old, "--help"]).ends(0);
        }
    }
}

/// The old and the new spelling of a command have the same help.
#[test]
fn old_names_say_the_same() {
    let suite = Suite::with(&[("sum", SUM)]);
    for (old, new) in [
        ("explain sum@1", "show sum@1 --why"),
        ("explain sum --strategy trim", "show sum --why --strategy trim"),
        ("show sum --view compressed --turn 1", "show sum@1 --request"),
        ("diff --strategies full-history trim sum", "show sum --strategy full-history --against trim"),
        ("tune", "run --tune"),
        ("demo", "new --demo"),
        ("schema suite", "generate schema suite"),
        ("completions bash", "generate completions bash"),
        ("man run", "generate man run"),
    ] {
        let [old, new] = [old, new].map(|line| suite.run(&line.split(' ').collect::<Vec<_>>()));
        assert_eq!((old.code, old.out), (new.code, new.out));
    }
    suite.run(&["run", "--write"]).ends(2).complains("--tune");
    suite.run(&["run", "--tune", "--accept"]).ends(2);
}

/// The completions of a shell for an unfinished last word.
fn offered(suite: &Suite, line: &[&str]) -> Vec<String> {
    let index = (line.len() - 1).to_string();
    let variables = [
        ("PTC_EVAL_COMPLETE", "bash"),
        ("_CLAP_COMPLETE_INDEX", index.as_str()),
        ("_CLAP_IFS", "\n"),
        ("_CLAP_COMPLETE_COMP_TYPE", "9"),
        ("_CLAP_COMPLETE_SPACE", "false"),
    ];
    let ran = suite.run_with(&[&["--"], line].concat(), "", &variables);
    ran.ends(0);
    ran.out.lines().map(str::to_owned).collect()
}

/// Scenarios and strategies are completed. A stranger's suite can have names that a shell would take for more than a word.
#[test]
fn scenarios_and_strategies_are_completed() {
    let suite = Suite::with(&[("shop/sum", SUM), ("shop/total", SUM), ("a$(touch x)", SUM), ("b;c", SUM)]);
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, mine]\nvariants:\n  mine: {strategy: trim, keep_recent_turns: 1}\n",
    );
    assert_eq!(offered(&suite, &["ptc-eval", "show", "shop/"]), ["shop/sum", "shop/total"]);
    assert_eq!(offered(&suite, &["ptc-eval", "show", "a"]), [""; 0]);
    assert_eq!(offered(&suite, &["ptc-eval", "show", "b"]), [""; 0]);
    assert_eq!(offered(&suite, &["ptc-eval", "run", "--strategy", "mi"]), ["mine"]);
    assert!(offered(&suite, &["ptc-eval", "rev"]).contains(&"review".to_owned()));
    assert!(!offered(&suite, &["ptc-eval", ""]).contains(&"explain".to_owned()));
}
