//! Runs the shell steps of `action.yml` and of the documented workflow in order, in a repository with a remote, with a release
//! in a folder and a server that plays GitHub's API. Third-party actions are replaced by their results.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::suite::{SUM, Suite};

const RELEASE: &str = "releases/releases/download/v0.1.0";

/// A comment on the pull request 7.
#[derive(Clone, Debug, PartialEq)]
struct Comment {
    is_own: bool,
    body: String,
}

/// A server that plays GitHub's API. Comments have the numbers 0, 1 and so on, and a page has two of them.
struct Api {
    url: String,
    comments: Arc<Mutex<Vec<Comment>>>,
}

impl Api {
    fn start() -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let comments = Arc::new(Mutex::new(Vec::new()));
        let served = Arc::clone(&comments);
        thread::spawn(move || {
            listener.incoming().for_each(|stream| answer(&stream.unwrap(), &mut served.lock().unwrap()));
        });
        Api { url, comments }
    }

    fn comments(&self) -> Vec<Comment> {
        self.comments.lock().unwrap().clone()
    }
}

/// Answers one request; what the API would refuse is 400.
fn answer(mut stream: &TcpStream, comments: &mut Vec<Comment>) {
    let mut reader = BufReader::new(stream);
    let mut lines = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty());
    let request = lines.next().unwrap();
    let headers: Vec<String> = lines.map(|line| line.to_lowercase()).collect();
    let length = headers.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let is_allowed = headers.iter().any(|line| line == "authorization: bearer t");
    let body: Value = serde_json::from_slice(&body).unwrap();
    let text = || body["body"].as_str().unwrap().to_owned();
    let place: Vec<&str> = request.split([' ', '/']).collect();
    let reply = match *place.as_slice() {
        _ if !is_allowed => None,
        ["POST", "", "graphql", ..] => Some(page(&body["variables"], comments)),
        ["POST", "", "repos", "o", "r", "issues", "7", "comments", ..] => {
            comments.push(Comment { is_own: true, body: text() });
            Some(json!({}))
        }
        ["PATCH", "", "repos", "o", "r", "issues", "comments", number, ..] => {
            let comment = &mut comments[number.parse::<usize>().unwrap()];
            comment.is_own.then(|| comment.body = text()).map(|()| json!({}))
        }
        _ => None,
    };
    let status = if reply.is_some() { "200 OK" } else { "400 Bad Request" };
    let reply = reply.unwrap_or_default().to_string();
    let length = reply.len();
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{reply}")
        .unwrap();
}

fn page(variables: &Value, comments: &[Comment]) -> Value {
    assert_eq!(variables["number"], 7);
    assert!(variables["owner"] == "o" && variables["name"] == "r", "{variables}");
    let first = variables["after"].as_str().map_or(0, |after| after.parse().unwrap());
    let node = |(number, Comment { is_own, body }): (usize, &Comment)| json!({"databaseId": number, "viewerDidAuthor": is_own, "body": body});
    let nodes: Vec<Value> = comments.iter().enumerate().skip(first).take(2).map(node).collect();
    let end = first + nodes.len();
    let info = json!({"hasNextPage": end < comments.len(), "endCursor": end.to_string()});
    json!({"data": {"repository": {"pullRequest": {"comments": {"pageInfo": info, "nodes": nodes}}}}})
}

/// A place with a remote, a clone of it in `work`, a release, and the API.
struct Place(Suite, Api);

impl Place {
    /// On the branch main are these scenarios, accepted.
    fn with(files: &[(&str, &str)]) -> Place {
        let place = Place(Suite::with(&[]), Api::start());
        let program = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_ptc-eval"));
        place.0.write("made/ptc-eval", &program);
        place.sh(
            ".",
            &format!(
                "mkdir -p temp kept bin {RELEASE}; chmod +x made/ptc-eval; echo $PWD/bin > path
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
            .env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"))
            .env("GITHUB_REPOSITORY", "o/r")
            .env("GITHUB_API_URL", &self.1.url)
            .env("GITHUB_GRAPHQL_URL", format!("{}/graphql", self.1.url))
            .envs([("GIT_AUTHOR_NAME", "n"), ("GIT_AUTHOR_EMAIL", "e@x")])
            .envs([("GIT_COMMITTER_NAME", "n"), ("GIT_COMMITTER_EMAIL", "e@x")])
            .envs(environment.iter().cloned())
            .output()
            .unwrap();
        let code = ran.status.code().unwrap_or(-1);
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!((0..126).contains(&code), "{script}\n{said}");
        let earlier = if self.0.exists("said") { self.0.read("said") } else { String::new() };
        self.0.write("said", &(earlier + &said));
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
        let temporary = self.0.path().join("temp").display().to_string();
        known.extend([
            ("runner.temp", &*temporary),
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
                self.keep(folder, &name, &path);
                return 0;
            };
            let environment = step["env"].as_object().unwrap().iter();
            let environment =
                environment.map(|(name, value)| (name.clone(), expanded(value.as_str().unwrap(), &known)));
            self.step(folder, script, &environment.collect::<Vec<_>>())
        })
    }

    /// Keeps a folder as an artifact.
    fn keep(&self, folder: &str, name: &str, path: &str) {
        let copy = format!("rm -rf $PLACE/kept/{name}; [ ! -e {path} ] || cp -r {path} $PLACE/kept/{name}");
        self.sh(folder, &copy);
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
    assert!(comment.starts_with("<!-- ptc-eval: reports -->\n# Changes since `origin/main`"), "{comment}");
    assert_eq!(comment, place.0.read("summary"));
    assert!(place.0.exists("kept/ptc-eval/summary.md") && !place.0.exists("kept/ptc-eval/index.html"));
    assert_eq!(place.action("work", &json!({"page": "true"})), 0);
    assert!(place.0.exists("kept/ptc-eval/index.html"));
    place.0.write("work/scenarios/a.yaml", &SUM.replace("value: 3", "value: 4"));
    assert_eq!(place.action("work", &json!({})), 1);
    let comments = place.1.comments();
    assert!(comments.len() == 1 && comments[0].body.contains("1 failed scenario"), "{comments:?}");

    place.0.write(&format!("{RELEASE}/SHA256SUMS"), "0000  ptc-eval-x86_64-unknown-linux-musl.tar.gz\n");
    assert_ne!(place.action("work", &json!({"version": "v0.1.0", "comment": false})), 0);
}

/// Two uses of the action in one pull request have a comment each. Comments of others are left alone, on
/// every page.
#[test]
fn each_use_of_the_action_has_a_comment_of_its_own() {
    let place = Place::with(&[("a.yaml", SUM)]);
    place.sh(".", "echo $PWD/made >> path");
    let foreign = Comment { is_own: false, body: "<!-- ptc-eval: reports -->\nnot ours".to_owned() };
    let other = Comment { is_own: true, body: "<!-- ptc-eval: reports-2 -->\nof another use".to_owned() };
    *place.1.comments.lock().unwrap() = vec![foreign.clone(), other.clone(), foreign.clone()];
    place.0.write("work/logs/x.transcript.json", include_str!("../../src/cli/new/transcript.json"));
    let advise = json!({"command": "advise logs/x.transcript.json", "report-dir": "advice"});
    let named = json!({"command": "run --locked", "id": "nightly --x"});
    for inputs in [&json!({}), &advise, &named, &advise, &json!({}), &named] {
        assert_eq!(place.action("work", inputs), 0, "{inputs}");
    }
    let comments = place.1.comments();
    assert_eq!(comments[..3], [foreign.clone(), other, foreign]);
    let starts = [
        "<!-- ptc-eval: reports -->\n# Changes since `origin/main`",
        "<!-- ptc-eval: advice -->\n`advice`\n\n~~~~~~~~~~text\n1 conversation, 6 requests",
        "<!-- ptc-eval: nightly-x -->\n`nightly --x`\n\n# Changes",
    ];
    assert_eq!(comments.len(), 3 + starts.len(), "{comments:?}");
    for (comment, start) in comments[3..].iter().zip(starts) {
        assert!(comment.body.starts_with(start), "{}", comment.body);
    }
    assert!(place.0.exists("work/advice/index.html"));
}

/// What is posted is of this run: its errors, if it has no report.
#[test]
fn the_errors_of_a_run_are_its_comment() {
    let place = Place::with(&[("a.yaml", SUM)]);
    place.sh(".", "echo $PWD/made >> path");
    let comments_on = |inputs: Value, code: i32| {
        assert_eq!(place.action("work", &inputs), code, "{inputs}");
        place.0.read("temp/ptc-eval.md")
    };
    let says = |comment: &str, words: &str| assert!(comment.contains(words), "{comment}");
    place.0.write("work/reports/changes.md", "stale");
    let comment = comments_on(json!({"command": "run --lokced"}), 2);
    assert!(!comment.contains("stale"), "{comment}");
    says(&comment, "`ptc-eval run --lokced` ended with exit code 2, without a report of changes.\n");
    says(&comment, "~~~~~~~~~~text\nerror: unexpected argument '--lokced'");
    place.0.write("work/empty/README.md", "# No logs\n");
    let comment = comments_on(json!({"command": "advise empty", "report-dir": "advice"}), 4);
    says(&comment, "there is no conversation in these logs");
    // An option that the command has is not given twice.
    place.sh("work", "git fetch -q origin && git branch -q before origin/main");
    says(&comments_on(json!({"command": "run --locked --against=before"}), 0), "# Changes since `before`");
    place.0.write("work/logs/x.transcript.json", include_str!("../../src/cli/new/transcript.json"));
    let advise = "advise logs/x.transcript.json --report-dir=there";
    says(&comments_on(json!({"command": advise, "report-dir": "there"}), 0), "1 conversation");
    // The API refuses this token.
    assert_ne!(place.action("work", &json!({"command": "run --locked", "token": "read-only"})), 0);
    says(&place.0.read("said"), "no comment was written; the job needs `pull-requests: write`");
    place.sh("work", "git remote set-url origin nowhere");
    says(&comments_on(json!({}), 2), "'nowhere' does not appear to be a git repository");
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
    assert_eq!(place.1.comments().len(), 1, "only the report comments");

    // Reviewed and committed, but it costs more than the threshold allows.
    let dear = SUM.replace("seen", &"seen at length and in detail ".repeat(40));
    place.0.write("work/scenarios/b.yaml", &dear);
    place.push("dear");
    assert_eq!(place.workflow("dear"), [0, 0, 0, 0, 1]);
    let changes = place.0.read("checkout/reports/changes.md");
    assert!(changes.contains("- **Edited** since `origin/main`: `b.yaml  responses[0]"), "{changes}");
    assert!(
        changes.contains("- **Also:** **1 threshold crossed**, see *Not as expected* below."),
        "{changes}"
    );
    assert!(
        changes.contains("b.yaml  responses[0]"),
        "shards tell what changed since the base branch: {changes}"
    );

    // Not reviewed.
    place.0.write("work/scenarios/a.yaml", &SUM.replace("seen", "looked at"));
    place.sh("work", "git commit -qam unreviewed && git push -q origin HEAD:unreviewed");
    assert_eq!(place.workflow("unreviewed"), [1, 0, 0, 0, 1]);
    let changes = place.0.read("checkout/reports/changes.md");
    assert!(
        changes.contains(" and 1 more change: ")
            && changes.contains(" 2 committed reports are out of date: "),
        "{changes}"
    );
}
