//! Every command in folders as a stranger would ship them, which `make` writes. Nothing of a stranger's may start, no connection may be
//! opened, and nothing may be written outside of the suite and the program's own places. `strace` is the witness.

#![cfg(target_os = "linux")]

mod commands;
mod links;
#[cfg(feature = "live")]
mod live;
mod promises;
mod protections;
mod trace;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use trace::Trace;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ptc-eval");
/// The text of files that belong to the user, and that no command may show or copy.
const CANARY_FILE: &[u8] = b"CANARY-FILE";
/// The kinds of folders of `make`.
const KINDS: &[&str] = &[
    "bare",
    "rooted",
    "archive",
    "promised",
    "links",
    "deep",
    "reports",
    "folder",
    "tree",
    "pipes",
    "private",
    "settings",
    "snapshots",
    "foreign",
    "signed",
];

/// Every command, with the place of a new folder as `NEW`.
const COMMANDS: &[&str] = &[
    // First, while a change still has its cause in the commit.
    "run --against HEAD",
    "run",
    "run scenarios/a.yaml",
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
    "diff a --strategies full-history fold",
    "check",
    "review --print",
    "list scenarios",
    "list strategies",
    "list models",
    "show a",
    "show b --request",
    "show logs/one.jsonl",
    "show a@1 --why",
    "show logs/one.jsonl --why",
    "show a --against fold",
    "run --tune",
    "advise scenarios --report-dir reports",
    "advise logs --report-dir NEW",
    "advise logs --save NEW",
    "import logs/one.jsonl NEW",
    "import logs/one.jsonl --output -",
    "apply fold",
    "new other",
    "new below/other",
    "new --suite",
    "import logs/one.jsonl",
    "lisp -e (+_1_2)",
    "lisp --in a@2 -e data",
    "new --demo",
    "generate schema scenario",
    "generate completions bash",
    "generate man",
];

/// The kinds that the variable names, separated by spaces, or all.
fn kinds() -> Vec<String> {
    let named = std::env::var("PTC_EVAL_HOSTILE").unwrap_or_default();
    let named: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    if named.is_empty() { KINDS.iter().map(|kind| (*kind).to_owned()).collect() } else { named }
}

/// The faults of all kinds, found on all processors.
fn faults_of_kinds(find: impl Fn(&str) -> Vec<String> + Sync) -> Vec<String> {
    let (kinds, next, faults) = (kinds(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(kind) = kinds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = find(kind);
                    faults.lock().unwrap().extend(found);
                }
            });
        }
    });
    faults.into_inner().unwrap()
}

/// A folder of a stranger, and the place of the mark that its programs leave.
struct Stranger {
    place: tempfile::TempDir,
    /// The files to which its links lead, with their texts.
    elsewhere: BTreeMap<PathBuf, String>,
    /// Snapshots and reports of other tools.
    foreign: BTreeMap<PathBuf, String>,
}

/// All files below a folder, with their texts.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

/// A file below a folder that holds these bytes. Links are not followed, and `.git` holds what the stranger brought.
fn file_with(folder: &Path, bytes: &[u8]) -> Option<PathBuf> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let holds = |path: &Path| {
            fs::read(path).is_ok_and(|text| text.windows(bytes.len()).any(|some| some == bytes))
        };
        let found = match kind {
            kind if kind.is_dir() && !path.ends_with(".git") => file_with(&path, bytes),
            kind if kind.is_file() && holds(&path) => Some(path),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

impl Stranger {
    fn new(kind: &str) -> Stranger {
        let mut stranger = Stranger {
            place: tempfile::tempdir().unwrap(),
            elsewhere: BTreeMap::new(),
            foreign: BTreeMap::new(),
        };
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
        if kind == "snapshots" {
            let path = stranger.suite().join("snapshots/foo.snap");
            stranger.foreign.insert(path.clone(), fs::read_to_string(path).unwrap());
        }
        if kind == "foreign" {
            stranger.foreign = files_below(&stranger.suite().join("snapshots"));
            stranger.foreign.extend(files_below(&stranger.suite().join("reports")));
        }
        stranger.elsewhere = files_below(&stranger.place.path().join("mark.elsewhere"));
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
            .env("PATH", format!(".:{}", std::env::var("PATH").unwrap()))
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
        let elsewhere = self.place.path().join("mark.elsewhere");
        assert_eq!(files_below(&elsewhere), self.elsewhere, "{of}: files elsewhere");
        for (path, text) in &self.foreign {
            assert_eq!(fs::read_to_string(path).ok().as_ref(), Some(text), "{of}: {}", path.display());
        }
        for folder in [self.suite(), self.temporary()] {
            if let Some(path) = file_with(&folder, CANARY_FILE) {
                panic!("{of}: a file of the user was copied to {}", path.display());
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
            let is_private = line.contains("root:x:0")
                || line.as_bytes().windows(CANARY_FILE.len()).any(|some| some == CANARY_FILE);
            assert!(!is_private, "{of}: a file of the user: {line}");
            assert!(!is_command, "{of}: a command for the runner: {line}");
            assert!(!line.contains(['\u{1b}', '\u{7}']), "{of}: an escape for a terminal: {line:?}");
        }
    }
}

/// The commands that compare with a commit, without a witness.
#[test]
fn a_pull_request_of_data_runs_no_program() {
    for kind in ["bare", "archive", "promised", "tree", "signed"] {
        let stranger = Stranger::new(kind);
        for line in COMMANDS.iter().take(7).chain(["diff HEAD reports"].iter()) {
            let ran = stranger.prepared(PROGRAM).args(stranger.words(line)).output().unwrap();
            let of = format!("{kind}: {line}");
            assert_harmless(&of, &ran);
            stranger.assert_unmarked(&of);
        }
    }
}

/// What a run of the action leaves.
struct ActionRun {
    output: Output,
    temporary: PathBuf,
}

impl Stranger {
    /// The stranger's files as a checkout of a pull request has them: with a `.git` of the runner's own, and an origin with the base.
    fn check_out(&self) {
        // Changes of a report that the command did not write.
        let script = "rm -rf .git && if [ ! -L reports ] && [ ! -L reports/changes.md ]; then mkdir -p reports && \
                      echo mine > reports/changes.md; fi && git init -q -b main . && git add -f -A . && git commit -qm x && \
                      git clone -q --bare . ../origin.git && git remote add origin \"$PWD/../origin.git\"";
        let identity = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
        let made = self
            .prepared("sh")
            .args(["-c", script])
            .env("HOME", "/nowhere")
            .env("PATH", std::env::var("PATH").unwrap())
            .envs(identity.map(|name| (name, "a")))
            .envs([("GIT_CONFIG_COUNT", "2"), ("GIT_CONFIG_KEY_0", "safe.bareRepository")])
            .envs([
                ("GIT_CONFIG_VALUE_0", "all"),
                ("GIT_CONFIG_KEY_1", "gc.auto"),
                ("GIT_CONFIG_VALUE_1", "0"),
            ])
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let _ = fs::remove_file(self.home().join(".gitconfig"));
    }

    /// The action's step, perhaps traced into a log. The runner's own programs come first in `PATH`.
    fn act(&self, command: &str, log: Option<&Path>) -> ActionRun {
        let bin = self.temporary().join("bin");
        fs::create_dir_all(&bin).unwrap();
        let _ = std::os::unix::fs::symlink(PROGRAM, bin.join("ptc-eval"));
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/action/run");
        let mut prepared = match log {
            Some(log) => {
                let mut strace = self.prepared("strace");
                strace.args(Trace::arguments(log, "bash"));
                strace
            }
            None => self.prepared("bash"),
        };
        let output = prepared
            .arg(script)
            .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()))
            .env("RUNNER_TEMP", self.temporary())
            .env("GITHUB_STEP_SUMMARY", self.temporary().join("summary"))
            .envs([("COMMAND", command), ("BASE", "main"), ("REPORTS", "reports"), ("ID", "")])
            .output()
            .unwrap();
        ActionRun { output, temporary: self.temporary() }
    }
}

impl ActionRun {
    /// No command for the runner, no text that ends its block in the comment, no link among what is uploaded.
    #[track_caller]
    fn assert_harmless(&self, of: &str) {
        let out = String::from_utf8_lossy(&self.output.stdout).into_owned();
        let first = out.lines().next().unwrap_or_default();
        let token = first.strip_prefix("::stop-commands::").unwrap_or_else(|| panic!("{of}: {out}"));
        assert!(token.len() == 64, "{token}");
        assert_eq!(out.lines().last().unwrap(), format!("::{token}::"), "{of}");
        assert!(self.output.stderr.is_empty(), "{of}: the runner reads both outputs in no order");
        let comment = fs::read_to_string(self.temporary.join("ptc-eval.md")).unwrap();
        assert!(!comment.lines().any(|line| ["mine", "elsewhere"].contains(&line)), "{of}: {comment}");
        let fences = comment.lines().filter(|line| line.starts_with("~~~~~~~~~~")).count();
        assert!(fences.is_multiple_of(2) && fences <= 4, "{of}: {comment}");
        for entry in fs::read_dir(self.temporary.join("ptc-eval-reports")).into_iter().flatten() {
            let path = entry.unwrap().path();
            assert!(!path.is_symlink() && !path.ends_with("index.html"), "{of}: {}", path.display());
            let is_elsewhere = path.is_file()
                && fs::read_to_string(&path).is_ok_and(|text| text.lines().any(|line| line == "elsewhere"));
            assert!(!is_elsewhere, "{of}: {}", path.display());
        }
    }
}

/// The action's step of a pull request, which fetches the base and compares with it.
#[test]
fn the_action_on_a_hostile_pull_request_runs_no_program() {
    faults_of_kinds(|kind| {
        let stranger = Stranger::new(kind);
        stranger.check_out();
        // First one that fails: it must not show the report that the checkout brought.
        for command in ["run *.jsonl * --locked", "run --locked", "run *-commands --locked", "advise logs"] {
            let of = format!("action: {kind}: {command}");
            let ran = stranger.act(command, None);
            stranger.assert_unmarked(&of);
            ran.assert_harmless(&of);
        }
        Vec::new()
    });
}

/// A text that ends its block in the comment, whatever prints it.
#[test]
fn nothing_printed_ends_its_block_in_the_comment() {
    let stranger = Stranger::new("foreign");
    stranger.check_out();
    let bin = stranger.temporary().join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("ptc-eval"), "#!/bin/sh\nprintf 'a\\n~~~~~~~~~~\\n# mine\\n'\nexit 1\n").unwrap();
    let made = Command::new("chmod").arg("+x").arg(bin.join("ptc-eval")).status().unwrap();
    assert!(made.success());
    let reports = stranger.temporary().join("ptc-eval-reports");
    fs::create_dir(&reports).unwrap();
    fs::write(reports.join("of-another-use.md"), "").unwrap();
    stranger.act("run --locked", None);
    assert!(!reports.join("of-another-use.md").exists(), "reports of another use of the action");
    let comment = fs::read_to_string(stranger.temporary().join("ptc-eval.md")).unwrap();
    let lines: Vec<&str> = comment.lines().collect();
    let end = lines.iter().position(|line| *line == "~~~~~~~~~~").unwrap();
    assert!(lines.iter().position(|line| *line == "# mine").is_some_and(|mine| mine < end), "{comment}");
}

/// The same with a witness. What a runner has may start; nothing of the checkout may.
#[test]
#[ignore = "needs strace, and a minute"]
fn the_action_starts_and_writes_nothing_foreign() {
    let faults = faults_of_kinds(|kind| {
        let mut faults = Vec::new();
        let stranger = Stranger::new(kind);
        stranger.check_out();
        for command in ["run --locked", "advise logs"] {
            let log = stranger.place.path().join("trace");
            let ran = stranger.act(command, Some(&log));
            let of = format!("action: {kind}: {command}");
            ran.assert_harmless(&of);
            stranger.assert_unmarked(&of);
            let allowed = [stranger.suite(), stranger.temporary(), PathBuf::from("/dev")];
            let bin = stranger.temporary().join("bin/ptc-eval");
            let found = Trace::read(&log).faults_of_action(&bin, stranger.place.path(), &allowed);
            faults.extend(found.into_iter().map(|fault| format!("{of}: {fault}")));
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Who commits in tests.
const IDENTITY: [(&str, &str); 4] = [
    ("GIT_AUTHOR_NAME", "a"),
    ("GIT_AUTHOR_EMAIL", "a"),
    ("GIT_COMMITTER_NAME", "a"),
    ("GIT_COMMITTER_EMAIL", "a"),
];

/// Runs a script of the test's own in a folder, with the user's own programs and without settings.
#[track_caller]
fn script(folder: &Path, script: &str) {
    let made = Command::new("bash")
        .args(["-e", "-c", script])
        .current_dir(folder)
        .envs(IDENTITY)
        .envs([("HOME", "/nowhere"), ("GIT_CONFIG_NOSYSTEM", "1"), ("PROGRAM", PROGRAM)])
        .envs([("PTC_EVAL_CACHE", "off"), ("PTC_EVAL_TODAY", "2026-11-24")])
        .env_remove("CI")
        .output()
        .unwrap();
    assert!(made.status.success(), "{script}: {}", String::from_utf8_lossy(&made.stderr));
}

/// A suite with its reports, without a repository.
fn own_suite() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = "mkdir -p shop/scenarios; cd shop; printf 'strategies: [full-history, fold]\n' > scenarios/suite.yaml
        printf 'mission: m\nresponses: [{program: (return 1)}]\n' > scenarios/a.yaml; \"$PROGRAM\" run --accept";
    script(folder.path(), made);
    folder
}

/// The errors of a comparison with a commit.
fn errors_against(folder: &Path, revision: &str) -> String {
    let ran = Command::new(PROGRAM)
        .args(["diff", revision, "reports"])
        .current_dir(folder)
        .env_remove("CI")
        .env("PTC_EVAL_CACHE", "off")
        .output()
        .unwrap();
    assert!(ran.status.code().is_some_and(|code| code < 100), "{ran:?}");
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

/// A committed report that is larger than any report is not read into the memory. Smaller, it would be an error of its own.
#[test]
fn no_large_report_of_a_commit_is_read() {
    let folder = own_suite();
    let shop = folder.path().join("shop");
    script(
        &shop,
        "git init -q -b main .; head -c 1000000 /dev/zero >> reports/strategies.csv; git add -f .; git commit -qm small",
    );
    assert!(errors_against(&shop, "HEAD").contains("no strategies.csv"));
    script(&shop, "head -c 70000000 /dev/zero >> reports/strategies.csv; git add -f .; git commit -qm large");
    assert!(
        errors_against(&shop, "HEAD").contains("HEAD has no report"),
        "{}",
        errors_against(&shop, "HEAD")
    );
}

/// A git that never ends is ended.
#[test]
#[ignore = "takes 20 seconds"]
fn no_repository_takes_all_time() {
    let folder = own_suite();
    let shop = folder.path().join("shop");
    script(
        &shop,
        "git init -q -b main .; git add -f .; git commit -qm x; rm .git/config; mkfifo .git/config",
    );
    let errors = errors_against(&shop, "HEAD");
    assert!(errors.contains("HEAD"), "{errors}");
    let place = folder.path().display().to_string();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let is_left = String::from_utf8_lossy(&command).contains(&place);
        assert!(!is_left, "{} is still there", entry.path().display());
    }
}

/// A `.git` of a stranger's folder that leads to another repository of the user.
const OTHER_REPOSITORIES: &[&str] = &[
    "printf 'gitdir: ../shop/.git\n' > .git",
    "printf 'gitdir: %s/../shop/.git\n' \"$PWD\" > .git",
    "ln -s ../shop/.git .git",
    "mkdir .git; cp ../shop/.git/HEAD .git/; printf '../../shop/.git\n' > .git/commondir",
    "mkdir .git; cp ../shop/.git/HEAD ../shop/.git/config .git/; ln -s ../../shop/.git/refs ../../shop/.git/objects .git/",
    "git init -q -b main .; rm -r .git/objects .git/refs/heads; ln -s ../../../shop/.git/refs/heads .git/refs/heads
     ln -s ../../shop/.git/objects .git/objects",
    "git init -q -b main .; printf '%s\n' ../../../shop/.git/objects > .git/objects/info/alternates
     ln -s ../../../../shop/.git/refs/heads/main .git/refs/heads/main",
    "mkdir -p own/worktrees/n; cp ../shop/.git/HEAD own/worktrees/n/; printf 'gitdir: own/worktrees/n\n' > .git
     printf '%s/.git\n' \"$PWD\" > own/worktrees/n/gitdir; printf '../../../../shop/.git\n' > own/worktrees/n/commondir",
    "mkdir -p own; cp ../shop/.git/HEAD own/; printf '../../shop/.git\n' > own/commondir; printf 'gitdir: own\n' > .git
     printf '[core]\n\tworktree = ..\n' > own/config",
    "git init -q -b main own; n=own/.git/worktrees/n; mkdir -p $n; printf '%s/../shop/.git/objects\n' \"$PWD\" > own/.git/objects/info/alternates
     ln -s ../../../../../shop/.git/refs/heads/main $n/HEAD; printf '../..\n' > $n/commondir
     printf '%s/.git\n' \"$PWD\" > $n/gitdir; printf 'gitdir: %s\n' $n > .git",
    "git -C ../shop worktree add -q ../kept HEAD; printf 'gitdir: ../shop/.git/worktrees/kept\n' > .git",
];

#[test]
fn a_git_that_leads_to_another_repository_is_not_read() {
    let folder = own_suite();
    script(
        folder.path(),
        "cp -r shop stranger; cd shop; git init -q -b main .; head -c 9 /dev/zero >> reports/strategies.csv
        git add -f .; git commit -qm x",
    );
    assert!(errors_against(&folder.path().join("shop"), "HEAD").contains("no strategies.csv"));
    for (number, made) in OTHER_REPOSITORIES.iter().enumerate() {
        let name = format!("stranger-{number}");
        script(folder.path(), &format!("cp -r stranger {name}; cd {name}; {made}"));
        let errors = errors_against(&folder.path().join(name), "HEAD");
        assert!(errors.contains("its commits are not read"), "{made}: {errors}");
    }
}

/// Git writes no link back for such a repository. The error explains how its owner adds one.
#[test]
fn a_separate_git_dir_is_read_once_it_names_its_folder() {
    let folder = own_suite();
    let shop = folder.path().join("shop");
    script(&shop, "git init -q -b main --separate-git-dir ../elsewhere .; git add -f .; git commit -qm x");
    let errors = errors_against(&shop, "HEAD");
    let root = shop.canonicalize().unwrap().display().to_string();
    let command = format!("git -C {root} config core.worktree {root}");
    assert!(errors.contains(&command) && errors.contains("elsewhere, which does not name"), "{errors}");
    script(&shop, &command);
    assert_eq!(errors_against(&shop, "HEAD"), "");
}

/// A worktree and a submodule have such a `.git` too, and their repositories name them.
#[test]
fn worktrees_and_submodules_are_read() {
    let folder = own_suite();
    script(folder.path(), "cd shop; git init -q -b main .; git add -f .; git commit -qm x; git worktree add -q ../tree HEAD
        cd ..; git init -q -b main above; cd above; git -c protocol.file.allow=always submodule --quiet add ../shop below");
    for name in ["tree", "above/below"] {
        assert_eq!(errors_against(&folder.path().join(name), "HEAD"), "", "{name}");
    }
}

/// The whole matrix. It needs `strace`, so `.ci/run` asks for it.
#[test]
#[ignore = "needs strace, and a minute"]
fn nothing_foreign_starts_connects_or_is_written() {
    let faults = faults_of_kinds(|kind| {
        let mut faults = Vec::new();
        let stranger = Stranger::new(kind);
        for line in COMMANDS {
            let new = stranger.temporary().join("new");
            let _ = fs::remove_dir_all(&new);
            let log = stranger.place.path().join("trace");
            let traced = Trace::arguments(&log, PROGRAM);
            // A command that waits for what never comes is ended.
            let ran = stranger
                .prepared("timeout")
                .args(["-k", "5", "60", "strace"])
                .args(traced)
                .args(stranger.words(line))
                .output();
            let (ran, of) = (ran.unwrap(), format!("{kind}: {line}"));
            assert!(
                ran.status.code().is_some_and(|code| code != 124 && code != 127 && code < 128),
                "{of}: {ran:?}"
            );
            assert_harmless(&of, &ran);
            stranger.assert_unmarked(&of);
            let trace = Trace::read(&log);
            let allowed = [stranger.suite(), stranger.temporary(), PathBuf::from("/dev")];
            faults.extend(
                trace.faults(Path::new(PROGRAM), &allowed).into_iter().map(|fault| format!("{of}: {fault}")),
            );
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
