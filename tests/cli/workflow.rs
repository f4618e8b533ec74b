//! Runs the shell steps of `action.yml` and of the documented workflow in order, in a repository with a remote, with a release
//! in a folder and a stand-in for `gh`. Third-party actions are replaced by their results.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::suite::{SUM, Suite};

/// Knows of a comment once one was made.
const GH: &str = r#"#!/bin/sh
echo "$@" >> $PLACE/said
case "$*" in *--paginate*) cat $PLACE/comment 2>/dev/null || true;; *) echo 41 > $PLACE/comment;; esac
"#;

const RELEASE: &str = "releases/releases/download/v0.1.0";

/// A place with a remote, a clone of it in `work`, a release, and commands that steps call.
struct Place(Suite);

impl Place {
    /// On the branch main are these scenarios, accepted.
    fn with(files: &[(&str, &str)]) -> Place {
        let place = Place(Suite::with(&[]));
        place.0.write("bin/gh", GH);
        let program = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_ptc-eval"));
        place.0.write("made/ptc-eval", &program);
        place.sh(
            ".",
            &format!(
                "mkdir -p temp kept {RELEASE}; chmod +x bin/gh made/ptc-eval; echo $PWD/bin > path
                tar czf {RELEASE}/ptc-eval-x86_64-unknown-linux-musl.tar.gz -C made ./ptc-eval
                (cd {RELEASE} && sha256sum *.tar.gz > SHA256SUMS)
                git init -q --bare -b main remote && git clone -q remote work 2>&1"
            ),
        );
        for (name, text) in files {
            place.0.write(&format!("work/scenarios/{name}"), text);
        }
        place.push("main");
        place
    }

    /// Runs a script as a step does; returns its exit code.
    fn step(&self, folder: &str, script: &str, environment: &[(String, String)]) -> i32 {
        let place = self.0.path().display();
        let script = format!("export PATH=\"$(tr '\\n' : < {place}/path)$PATH\"\n{script}");
        let ran = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", &script])
            .current_dir(self.0.path().join(folder))
            .env("CI", "true")
            .env("PLACE", self.0.path())
            .envs(["path", "step_summary"].map(|name| {
                (format!("GITHUB_{}", name.to_uppercase()), format!("{place}/{}", name.replace("step_", "")))
            }))
            .env("RUNNER_TEMP", format!("{place}/temp"))
            .envs([("GIT_AUTHOR_NAME", "n"), ("GIT_AUTHOR_EMAIL", "e@x")])
            .envs([("GIT_COMMITTER_NAME", "n"), ("GIT_COMMITTER_EMAIL", "e@x")])
            .envs(environment.iter().cloned())
            .output()
            .unwrap();
        let code = ran.status.code().unwrap_or(-1);
        let said = [ran.stdout, ran.stderr].concat();
        assert!((0..126).contains(&code), "{script}\n{}", String::from_utf8_lossy(&said));
        code
    }

    #[track_caller]
    fn sh(&self, folder: &str, script: &str) {
        assert_eq!(self.step(folder, script, &[]), 0, "{script}");
    }

    /// Accepts all snapshots and pushes them to a branch.
    fn push(&self, branch: &str) {
        self.sh("work", "CI= ../made/ptc-eval run --accept --quiet || test $? = 1");
        self.sh("work", &format!("git add -A && git commit -qm change && git push -q origin HEAD:{branch}"));
    }

    /// The exit code of each job of the workflow, on a checkout of this branch.
    fn workflow(&self, branch: &str) -> Vec<i32> {
        let workflow: Value =
            serde_yaml::from_str(&fs::read_to_string("docs/ci/ptc-eval.yml").unwrap()).unwrap();
        let jobs = &workflow["jobs"];
        let shards = jobs["shard"]["strategy"]["matrix"]["shard"].as_array().unwrap();
        let shards = shards.iter().map(|shard| self.job(&jobs["shard"], branch, &shard.to_string()));
        shards.collect::<Vec<_>>().into_iter().chain([self.job(&jobs["report"], branch, "")]).collect()
    }

    fn job(&self, job: &Value, branch: &str, shard: &str) -> i32 {
        self.sh(".", &format!("rm -rf checkout && git clone -q -b {branch} remote checkout"));
        self.steps(job, |step| {
            let with = expanded(&step["with"].to_string(), &[("matrix.shard", shard)]);
            let with: Value = serde_json::from_str(&with).unwrap();
            match step["uses"].as_str().unwrap().split('@').next().unwrap() {
                "OWNER/ptc-eval" => return self.action("checkout", &with),
                "actions/checkout" => {}
                "actions/download-artifact" => {
                    assert_eq!(with["pattern"], "shard-*");
                    let path = with["path"].as_str().unwrap();
                    self.sh("checkout", &format!("mkdir -p {path} && mv ../kept/shard-* {path}/"));
                }
                "mikepenz/action-junit-report" => {
                    let report = self.0.read(&format!("checkout/{}", with["report_paths"].as_str().unwrap()));
                    assert!(report.contains("<testsuites name=\"ptc-eval\""));
                }
                other => panic!("what does {other} leave behind?"),
            }
            0
        })
    }

    /// The exit code of the action on a pull request to main, with these inputs.
    fn action(&self, folder: &str, given: &Value) -> i32 {
        let action: Value = serde_yaml::from_str(&fs::read_to_string("action.yml").unwrap()).unwrap();
        let inputs = action["inputs"].as_object().unwrap().iter().map(|(name, input)| {
            let value = given.get(name).unwrap_or(&input["default"]);
            (format!("inputs.{name}"), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        });
        let inputs: Vec<(String, String)> = inputs.collect();
        let releases = format!("file://{}", self.0.path().display());
        let mut known: Vec<(&str, &str)> = inputs.iter().map(|(name, value)| (&**name, &**value)).collect();
        known.extend([
            ("github.server_url", &*releases),
            ("github.action_repository", "releases"),
            ("github.repository", "o/r"),
            ("github.base_ref", "main"),
            ("github.event.number", "7"),
        ]);
        self.steps(&action["runs"], |step| {
            let condition = step["if"].as_str().unwrap_or_default();
            let is_left_out = condition.contains("inputs.version") && given.get("version").is_none()
                || condition.contains("inputs.comment") && given.get("comment") == Some(&json!(false));
            if is_left_out {
                return 0;
            }
            let Some(script) = step["run"].as_str() else {
                let name = expanded(step["with"]["name"].as_str().unwrap(), &known);
                let path = expanded(step["with"]["path"].as_str().unwrap(), &known);
                self.sh(folder, &format!("rm -rf $PLACE/kept/{name}; cp -r {path} $PLACE/kept/{name}"));
                return 0;
            };
            let environment = step["env"].as_object().unwrap().iter();
            let environment =
                environment.map(|(name, value)| (name.clone(), expanded(value.as_str().unwrap(), &known)));
            self.step(folder, script, &environment.collect::<Vec<_>>())
        })
    }

    /// The exit code of the first step that fails; steps after it are left out unless they clean up.
    fn steps(&self, job: &Value, run: impl Fn(&Value) -> i32) -> i32 {
        job["steps"].as_array().unwrap().iter().fold(0, |code, step| {
            let is_cleanup = step["if"].as_str().is_some_and(|condition| condition.contains("!cancelled()"));
            let ended = if code == 0 || is_cleanup { run(step) } else { 0 };
            if code == 0 { ended } else { code }
        })
    }
}

/// A text with its expressions put in.
fn expanded(text: &str, known: &[(&str, &str)]) -> String {
    let known = known.iter().chain(&[("github.token", "t")]);
    let text =
        known.fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${{{{ {name} }}}}"), value));
    assert!(!text.contains("${{"), "{text}");
    text
}

#[test]
fn the_action_installs_runs_and_comments_once() {
    let place = Place::with(&[("a.yaml", SUM)]);
    assert_eq!(place.action("work", &json!({"version": "0.1.0"})), 0);
    let comment = place.0.read("temp/ptc-eval.md");
    assert!(comment.starts_with("<!-- ptc-eval -->\n# Changes against `origin/main`"), "{comment}");
    assert_eq!(comment, place.0.read("summary"));
    assert!(place.0.exists("kept/ptc-eval/index.html"));
    place.0.write("work/scenarios/a.yaml", &SUM.replace("value: 3", "value: 4"));
    assert_eq!(place.action("work", &json!({})), 1);
    let said = place.0.read("said");
    let calls: Vec<&str> = said.lines().filter(|line| line.contains("-X")).collect();
    assert!(calls[0].contains("-X POST repos/o/r/issues/7/comments -F body=@"), "{said}");
    assert!(calls[1].contains("-X PATCH repos/o/r/issues/comments/41 -F body=@"), "{said}");

    place.0.write("work/logs/x.transcript.json", include_str!("../../src/cli/new/transcript.json"));
    let advise = json!({"command": "advise logs/x.transcript.json", "report-dir": "advice"});
    assert_eq!(place.action("work", &advise), 0);
    assert!(place.0.read("temp/ptc-eval.md").contains("```text\n1 conversation, 6 requests"));
    assert!(place.0.exists("work/advice/index.html"));

    place.0.write(&format!("{RELEASE}/SHA256SUMS"), "0000  ptc-eval-x86_64-unknown-linux-musl.tar.gz\n");
    assert_ne!(place.action("work", &json!({"version": "v0.1.0", "comment": false})), 0);
}

#[test]
fn the_workflow_in_the_documentation_works() {
    let suite = "thresholds: [{strategy: full-history, metric: input_tokens, max_increase: 1%}]\n";
    let names = ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"];
    let files = names.map(|name| (name, SUM)).into_iter().chain([("suite.yaml", suite)]);
    let place = Place::with(&files.collect::<Vec<_>>());
    assert_eq!(place.workflow("main"), [0; 5]);
    let summary = place.0.read("summary");
    assert!(summary.contains("All 5 scenarios are as expected. No number changed."), "{summary}");
    assert_eq!(place.0.read("said").matches("-X").count(), 1, "only the report comments");

    // Reviewed and committed, but it costs more than the threshold allows.
    let dear = SUM.replace("seen", &"seen at length and in detail ".repeat(40));
    place.0.write("work/scenarios/b.yaml", &dear);
    place.push("dear");
    assert_eq!(place.workflow("dear"), [0, 0, 0, 0, 1]);
    let changes = place.0.read("checkout/reports/changes.md");
    let expected = "# Changes against `origin/main`\n\n**1 threshold crossed.** More tokens: ";
    assert!(changes.starts_with(expected), "{changes}");

    // Not reviewed.
    place.0.write("work/scenarios/a.yaml", &SUM.replace("seen", "looked at"));
    place.sh("work", "git commit -qam unreviewed && git push -q origin HEAD:unreviewed");
    assert_eq!(place.workflow("unreviewed"), [1, 0, 0, 0, 1]);
    let changes = place.0.read("checkout/reports/changes.md");
    assert!(changes.contains("changed snapshots, 2 stale reports"), "{changes}");
}
