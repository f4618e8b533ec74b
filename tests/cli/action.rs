//! Runs the shell steps of `action.yml`, in a repository with a remote, with a release in a folder and a stand-in for `gh`.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::suite::{SUM, Suite};

/// Knows of a comment once one was made.
const GH: &str = r#"#!/bin/sh
echo "$@" >> said
case "$*" in *--paginate*) cat comment 2>/dev/null || true;; *) echo 41 > comment;; esac
"#;

/// A shell in the folder of the suite, with the variables that steps read.
fn shell(suite: &Suite, script: &str) -> Command {
    let mut command = Command::new("bash");
    let home = suite.path().display();
    command.args([
        "-e",
        "-o",
        "pipefail",
        "-c",
        &format!("export PATH=\"$(tr '\\n' : < path)$PATH\"\n{script}"),
    ]);
    command.current_dir(suite.path()).env("CI", "true").env("RUNNER_TEMP", format!("{home}/temp"));
    command.env("GITHUB_PATH", format!("{home}/path")).env("GITHUB_STEP_SUMMARY", format!("{home}/summary"));
    command.envs([("GIT_AUTHOR_NAME", "n"), ("GIT_AUTHOR_EMAIL", "e@x"), ("GIT_COMMITTER_NAME", "n")]);
    command.env("GIT_COMMITTER_EMAIL", "e@x");
    command
}

#[track_caller]
fn sh(suite: &Suite, script: &str) {
    let ran = shell(suite, script).output().unwrap();
    assert!(ran.status.success(), "{script}\n{}", String::from_utf8_lossy(&ran.stderr));
}

/// The exit code of the action on a pull request to main.
fn act(suite: &Suite, given: &[(&str, &str)]) -> i32 {
    let action: Value = serde_yaml::from_str(&fs::read_to_string("action.yml").unwrap()).unwrap();
    let mut code = 0;
    for step in action["runs"]["steps"].as_array().unwrap().iter().filter(|step| step["run"].is_string()) {
        let condition = step["if"].as_str().unwrap_or_default();
        let needs_version =
            condition.contains("inputs.version") && !given.iter().any(|(name, _)| *name == "version");
        if needs_version || code != 0 && !condition.contains("!cancelled()") {
            continue;
        }
        let mut command = shell(suite, step["run"].as_str().unwrap());
        for (name, value) in step["env"].as_object().unwrap() {
            let mut value = value.as_str().unwrap().to_owned();
            for (input, of) in action["inputs"].as_object().unwrap() {
                let given = given.iter().find(|(name, _)| name == input).map(|(_, value)| *value);
                let text = given.or(of["default"].as_str()).unwrap();
                value = value.replace(&format!("${{{{ inputs.{input} }}}}"), text);
            }
            let known = [
                ("server_url", format!("file://{}", suite.path().display())),
                ("action_repository", "remote".into()),
                ("repository", "o/r".into()),
                ("base_ref", "main".into()),
                ("event.number", "7".into()),
                ("token", "t".into()),
            ];
            for (name, text) in known {
                value = value.replace(&format!("${{{{ github.{name} }}}}"), &text);
            }
            assert!(!value.contains("${{"), "{value}");
            command.env(name, value);
        }
        let ran = command.output().unwrap();
        let ended = ran.status.code().unwrap();
        assert!(ended < 126, "{}", String::from_utf8_lossy(&ran.stderr));
        code = if code == 0 { ended } else { code };
    }
    code
}

#[test]
fn the_action_installs_runs_and_comments_once() {
    let suite = Suite::with(&[("a", SUM)]);
    suite.write("path", &format!("{}/bin\n", suite.path().display()));
    suite.write("bin/gh", GH);
    let release = "remote/releases/download/v0.1.0";
    suite.write("made/ptc-eval", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_ptc-eval")));
    sh(
        &suite,
        &format!(
            "chmod +x bin/gh made/ptc-eval; mkdir -p temp {release}
             tar czf {release}/ptc-eval-x86_64-unknown-linux-musl.tar.gz -C made ptc-eval
             (cd {release} && sha256sum *.tar.gz > SHA256SUMS)
             CI= made/ptc-eval run --accept --quiet
             git init -q -b main && git add scenarios snapshots reports && git commit -qm first
             git init -q --bare origin.git && git remote add origin ./origin.git && git push -q origin main"
        ),
    );
    assert_eq!(act(&suite, &[("version", "0.1.0")]), 0);
    assert!(suite.read("temp/ptc-eval.md").starts_with("<!-- ptc-eval -->\n# Changes against `origin/main`"));
    assert_eq!(suite.read("temp/ptc-eval.md"), suite.read("summary"));
    suite.write("scenarios/a.yaml", &SUM.replace("value: 3", "value: 4"));
    assert_eq!(act(&suite, &[]), 1);
    let said = suite.read("said");
    let calls: Vec<&str> = said.lines().filter(|line| line.contains("-X")).collect();
    assert!(calls[0].contains("-X POST repos/o/r/issues/7/comments -F body=@"), "{said}");
    assert!(calls[1].contains("-X PATCH repos/o/r/issues/comments/41 -F body=@"), "{said}");

    let log = "scenarios/logs/x.transcript.json";
    suite.write(log, include_str!("../../src/cli/new/transcript.json"));
    assert_eq!(act(&suite, &[("command", &format!("advise {log}")), ("report-dir", "advice")]), 0);
    assert!(suite.read("temp/ptc-eval.md").contains("```text\n1 conversation, 6 requests"));
    assert!(suite.exists("advice/index.html"));

    suite.write(&format!("{release}/SHA256SUMS"), "0000  ptc-eval-x86_64-unknown-linux-musl.tar.gz\n");
    assert_ne!(act(&suite, &[("version", "v0.1.0")]), 0);
}
