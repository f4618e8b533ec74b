//! Runs the steps of the documented workflow in order, in a repository with a remote. Third-party actions are
//! replaced by their results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::suite::SUM;

/// A place with a remote, a clone of it, and commands that steps call.
struct Place {
    folder: tempfile::TempDir,
    workflow: Value,
}

impl Place {
    fn new() -> Place {
        let text = fs::read_to_string("docs/ci/ptc-eval.yml").unwrap();
        let workflow = serde_yaml::from_str(&text).unwrap();
        let place = Place { folder: tempfile::tempdir().unwrap(), workflow };
        let commands = place.path("bin");
        fs::create_dir(&commands).unwrap();
        place.command("ptc-eval", &format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_ptc-eval")));
        place.command("gh", "echo \"$@\" >> \"$SAID\"");
        place.sh(".", "git init -q --bare -b main remote && git clone -q remote work 2>&1");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a script as a step does; returns its exit code and output.
    fn step(&self, folder: &str, script: &str) -> (i32, String) {
        let script = format!(
            "PATH=\"{}:$PATH\"
{script}",
            self.path("bin").display()
        );
        let ran = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", &script])
            .current_dir(self.path(folder))
            .env("CI", "true")
            .env("GITHUB_STEP_SUMMARY", self.path("summary"))
            .env("SAID", self.path("said"))
            .envs([("GIT_AUTHOR_NAME", "n"), ("GIT_AUTHOR_EMAIL", "e@x")])
            .envs([("GIT_COMMITTER_NAME", "n"), ("GIT_COMMITTER_EMAIL", "e@x")])
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (ran.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
    }

    #[track_caller]
    fn sh(&self, folder: &str, script: &str) {
        let (code, said) = self.step(folder, script);
        assert_eq!(code, 0, "{script}\n{said}");
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path("work").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Accepts all snapshots and pushes them to a branch.
    fn push(&self, branch: &str) {
        self.sh("work", "CI= ptc-eval run --accept --quiet || test $? = 1");
        self.sh("work", &format!("git add -A && git commit -qm change && git push -q origin HEAD:{branch}"));
    }

    /// The exit code of each job of the workflow, on a checkout of this branch.
    fn workflow(&self, branch: &str) -> Vec<(String, i32)> {
        let mut codes = Vec::new();
        for shard in list(&self.workflow["jobs"]["shard"]["strategy"]["matrix"]["shard"]) {
            codes.push((format!("shard {shard}"), self.job("shard", branch, &shard.to_string())));
        }
        codes.push(("report".to_owned(), self.job("report", branch, "")));
        codes
    }

    fn job(&self, job: &str, branch: &str, shard: &str) -> i32 {
        let checkout = format!("checkout-{job}-{shard}");
        self.sh(".", &format!("rm -rf {checkout} && git clone -q -b {branch} remote {checkout}"));
        let mut code = 0;
        for step in list(&self.workflow["jobs"][job]["steps"]) {
            let is_cleanup = step["if"].as_str().is_some_and(|condition| condition.contains("!cancelled()"));
            if code != 0 && !is_cleanup {
                continue;
            }
            if let Some(script) = step["run"].as_str().filter(|script| !script.starts_with("cargo install")) {
                let (ended, said) = self.step(&checkout, &expanded(script, shard));
                assert!(ended < 126, "{script}: {said}");
                code = if code == 0 { ended } else { code };
            } else if let Some(action) = step["uses"].as_str() {
                self.stand_in(action, &step["with"], &checkout);
            }
        }
        code
    }

    /// Makes the files that an action would.
    fn stand_in(&self, action: &str, with: &Value, checkout: &str) {
        let path = with["path"].as_str().unwrap_or_default();
        match action.split('@').next().unwrap() {
            "actions/checkout" => {}
            "actions/upload-artifact" if path.contains('*') => {
                let base = path.split('*').next().unwrap();
                self.sh(
                    checkout,
                    &format!(
                        "mkdir -p ../kept && cd {base} && cp --parents {} ../../kept/",
                        &path[base.len()..]
                    ),
                );
            }
            "actions/upload-artifact" => assert!(self.path(checkout).join(path).is_dir(), "{path}"),
            "actions/download-artifact" => {
                assert_eq!(with["merge-multiple"], true);
                self.sh(checkout, &format!("mkdir -p {path} && cp -r ../kept/* {path}/"));
            }
            "mikepenz/action-junit-report" => {
                let report = with["report_paths"].as_str().unwrap();
                assert!(self.read(checkout, report).contains("<testsuites name=\"ptc-eval\""));
            }
            other => panic!("what does {other} leave behind?"),
        }
    }

    fn read(&self, folder: &str, name: &str) -> String {
        let path = self.path(folder).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// A script with its expressions put in, as for a pull request to main.
fn expanded(script: &str, shard: &str) -> String {
    let known = [
        ("${{ matrix.shard }}", shard),
        ("${{ github.base_ref || 'main' }}", "main"),
        ("${{ github.event.number }}", "7"),
    ];
    let script = known.iter().fold(script.to_owned(), |script, (from, to)| script.replace(from, to));
    assert!(!script.contains("${{"), "{script}");
    script
}

#[test]
fn the_workflow_in_the_documentation_works() {
    let place = Place::new();
    for name in ["a", "b", "c", "d", "e"] {
        place.write(&format!("scenarios/{name}.yaml"), SUM);
    }
    place.write(
        "scenarios/suite.yaml",
        "thresholds: [{strategy: full-history, metric: input_tokens, max_increase: 1%}]\n",
    );
    place.push("main");
    let codes = |expected: [i32; 5]| {
        let names = ["shard 1", "shard 2", "shard 3", "shard 4", "report"];
        names.into_iter().map(str::to_owned).zip(expected).collect::<Vec<_>>()
    };
    assert_eq!(place.workflow("main"), codes([0; 5]));
    assert!(place.read(".", "summary").contains("All 5 scenarios are as expected. No number changed."));
    let said = "pr comment 7 --edit-last --create-if-none --body-file reports/changes.md\n";
    assert_eq!(place.read(".", "said"), said);

    // Reviewed and committed, but it costs more than the threshold allows.
    place.write("scenarios/b.yaml", &SUM.replace("seen", &"seen at length and in detail ".repeat(40)));
    place.push("dear");
    assert_eq!(place.workflow("dear"), codes([0, 0, 0, 0, 1]));
    let changes = place.read("checkout-report-", "reports/changes.md");
    assert!(
        changes.starts_with("# Changes against `origin/main`\n\n**1 threshold crossed.** More tokens: "),
        "{changes}"
    );

    // Not reviewed.
    place.write("scenarios/a.yaml", &SUM.replace("seen", "looked at"));
    place.sh("work", "git commit -qam unreviewed && git push -q origin HEAD:unreviewed");
    assert_eq!(place.workflow("unreviewed"), codes([1, 0, 0, 0, 1]));
    assert!(
        place.read("checkout-report-", "reports/changes.md").contains("changed snapshots, 2 stale reports")
    );
    assert!(Path::new("docs/ci.md").is_file());
}
