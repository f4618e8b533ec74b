//! Every command in folders as a stranger would ship them, which `make` writes. Nothing of a stranger's may start, no connection may be
//! opened, and nothing may be written outside of the suite and the program's own places. `strace` is the witness.

#![cfg(target_os = "linux")]

mod trace;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use trace::Trace;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ptc-eval");
/// The kinds of folders that `make` knows.
const KINDS: &[&str] = &["bare", "rooted", "archive", "promised", "links", "foreign"];

/// Every command, with the place of a new folder as `NEW`.
const COMMANDS: &[&str] = &[
    "run",
    "run --locked",
    "run --locked --against HEAD",
    "run --locked --against origin/main",
    "run --against reports",
    "run --accept",
    "run --shard 1/2 --report-dir reports/1",
    "run --format full-records",
    "merge reports --report-dir reports",
    "diff HEAD reports",
    "diff HEAD~1 HEAD",
    "diff a --strategy full-history --strategy fold",
    "check",
    "review --print",
    "list scenarios",
    "list strategies",
    "list models",
    "show a",
    "show logs/one.jsonl",
    "explain a",
    "explain logs/one.jsonl",
    "tune a --strategy fold",
    "advise scenarios --report-dir reports",
    "advise logs --report-dir NEW",
    "advise logs --save NEW",
    "import logs/one.jsonl NEW",
    "apply fold",
    "new other",
    "lisp -e (+_1_2)",
    "demo",
    "schema scenario",
    "completions bash",
    "man",
];

/// A folder of a stranger, and the place of the mark that its programs leave.
struct Stranger {
    place: tempfile::TempDir,
}

impl Stranger {
    fn new(kind: &str) -> Stranger {
        let stranger = Stranger { place: tempfile::tempdir().unwrap() };
        let make = Command::new("bash")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/make"))
            .args([kind.as_ref(), stranger.suite().as_os_str(), stranger.mark().as_os_str()])
            .env("PTC_EVAL", PROGRAM)
            .env_remove("CI")
            .output()
            .unwrap();
        assert!(make.status.success(), "{kind}: {}", String::from_utf8_lossy(&make.stderr));
        fs::create_dir_all(stranger.home()).unwrap();
        fs::create_dir_all(stranger.temporary()).unwrap();
        let evil = format!("{}.evil", stranger.mark().display());
        let settings = format!(
            "[core]\n\tfsmonitor = {evil} home\n\tpager = {evil} home\n\tsshCommand = {evil} home\n[alias]\n\tcat-file = !{evil} \
             home\n\trev-parse = !{evil} home\n[trace2]\n\tnormalTarget = {}\n\teventTarget = {}\n[diff]\n\texternal = {evil}\n",
            stranger.mark().display(),
            stranger.mark().display(),
        );
        fs::write(stranger.home().join(".gitconfig"), settings).unwrap();
        stranger
    }

    fn suite(&self) -> PathBuf {
        self.place.path().join("suite")
    }

    fn mark(&self) -> PathBuf {
        self.place.path().join("mark")
    }

    fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    fn temporary(&self) -> PathBuf {
        self.place.path().join("tmp")
    }

    /// A command in the suite, in the stranger's home, with a key in the environment.
    fn prepared(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.suite())
            .env_remove("CI")
            .env("HOME", self.home())
            .env("TMPDIR", self.temporary())
            .env("PTC_EVAL_CACHE", self.temporary().join("cache"))
            .env("PTC_EVAL_TODAY", "2026-11-24")
            .env("GITHUB_ACTIONS", "true")
            .env("CANARY_API_KEY", "canary");
        command
    }

    /// The words of a command line.
    fn words(&self, line: &str) -> Vec<String> {
        let new = self.temporary().join("new").display().to_string();
        line.split(' ').map(|word| word.replace("NEW", &new).replace('_', " ")).collect()
    }

    #[track_caller]
    fn assert_unmarked(&self, of: &str) {
        if let Ok(marked) = fs::read_to_string(self.mark()) {
            panic!("{of}: a stranger's program ran:\n{marked}");
        }
        for (path, text) in [("reports/strategies.csv", "mine\n"), ("snapshots/a/run.snap", "mine\n")] {
            let path = PathBuf::from(format!("{}.elsewhere", self.mark().display())).join(path);
            if path.exists() {
                assert_eq!(fs::read_to_string(&path).unwrap(), text, "{of}: {}", path.display());
            }
        }
    }
}

/// No line may be taken for a command by GitHub's runner, nor move the cursor of a terminal.
#[track_caller]
fn assert_harmless(of: &str, output: &Output) {
    for text in [&output.stdout, &output.stderr] {
        for line in String::from_utf8_lossy(text).lines() {
            let is_command = line.trim_start().starts_with("::") || line.contains("##[");
            assert!(!is_command, "{of}: a command for the runner: {line}");
            assert!(!line.contains(['\u{1b}', '\u{7}']), "{of}: an escape for a terminal: {line:?}");
        }
    }
}

/// The commands that compare with a commit, without a witness.
#[test]
fn a_pull_request_of_data_runs_no_program() {
    for kind in ["bare", "archive", "promised"] {
        let stranger = Stranger::new(kind);
        for line in COMMANDS.iter().take(6).chain(["diff HEAD reports"].iter()) {
            let ran = stranger.prepared(PROGRAM).args(stranger.words(line)).output().unwrap();
            let of = format!("{kind}: {line}");
            assert_harmless(&of, &ran);
            stranger.assert_unmarked(&of);
        }
    }
}

/// The action's step of a pull request, which fetches the base and compares with it.
#[test]
fn the_action_on_a_hostile_pull_request_runs_no_program() {
    let stranger = Stranger::new("bare");
    let bin = stranger.temporary().join("bin");
    fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(PROGRAM, bin.join("ptc-eval")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let git = "git -c safe.bareRepository=all clone -q --bare . ../origin.git && git remote add origin \"$PWD/../origin.git\"";
    let cloned = stranger.prepared("sh").args(["-c", git]).env("HOME", "/nowhere").output().unwrap();
    assert!(cloned.status.success(), "{}", String::from_utf8_lossy(&cloned.stderr));
    fs::remove_file(stranger.home().join(".gitconfig")).unwrap();
    for command in ["run --locked", "run", "advise logs"] {
        let ran = stranger
            .prepared("bash")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/action/run"))
            .env("PATH", &path)
            .env("RUNNER_TEMP", stranger.temporary())
            .env("GITHUB_STEP_SUMMARY", stranger.temporary().join("summary"))
            .envs([("COMMAND", command), ("BASE", "main"), ("REPORTS", "reports"), ("ID", "")])
            .output()
            .unwrap();
        let of = format!("action: {command}");
        stranger.assert_unmarked(&of);
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        let first = out.lines().next().unwrap_or_default();
        let token = first.strip_prefix("::stop-commands::").unwrap_or_else(|| panic!("{of}: {out}"));
        assert!(token.len() == 64, "{token}");
        assert_eq!(out.lines().last().unwrap(), format!("::{token}::"), "{of}");
    }
}

/// The whole matrix. It needs `strace`, so `.ci/run` asks for it.
#[test]
#[ignore = "needs strace, and a minute"]
fn nothing_foreign_starts_connects_or_is_written() {
    let mut faults = Vec::new();
    for kind in KINDS {
        let stranger = Stranger::new(kind);
        for line in COMMANDS {
            let new = stranger.temporary().join("new");
            let _ = fs::remove_dir_all(&new);
            let log = stranger.place.path().join("trace");
            let traced = Trace::arguments(&log, PROGRAM);
            let ran = stranger.prepared("strace").args(traced).args(stranger.words(line)).output().unwrap();
            let of = format!("{kind}: {line}");
            assert!(ran.status.code().is_some_and(|code| code != 127 && code < 128), "{of}: {ran:?}");
            assert_harmless(&of, &ran);
            stranger.assert_unmarked(&of);
            let trace = Trace::read(&log);
            let allowed = [stranger.suite(), stranger.temporary(), PathBuf::from("/dev")];
            faults.extend(
                trace.faults(Path::new(PROGRAM), &allowed).into_iter().map(|fault| format!("{of}: {fault}")),
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
