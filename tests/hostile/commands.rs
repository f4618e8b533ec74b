//! Commands that the suite names and the user allows: they run as they are named, see no key, and end with the run.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ptc_eval::processes::{Environment, Program, Running, end_all, hold_strays};

use super::PROGRAM;
use super::trace::Trace;

/// Answers each request with its own messages.
const ANSWERS: &str = "while read -r line; do id=${line#*:}; id=${id%%,*}; printf '{\"id\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\\n' \"$id\"; done";

/// A suite with a script as its strategy.
fn suite_with(script: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("scenarios");
    fs::create_dir(&suite).unwrap();
    fs::write(
        suite.join("suite.yaml"),
        "strategies: [full-history, mine]\nvariants:\n  mine: {command: [./tool], timeout_seconds: 5}\n",
    )
    .unwrap();
    fs::write(suite.join("a.yaml"), "mission: m\nresponses: [{program: (return 1)}]\n").unwrap();
    let tool = suite.join("tool");
    fs::write(&tool, format!("#!/bin/sh\n{script}\n")).unwrap();
    let made = Command::new("chmod").arg("+x").arg(&tool).status().unwrap();
    assert!(made.success());
    folder
}

fn run(folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(["run", "--allow-commands", "--accept"])
        .current_dir(folder)
        .env_remove("CI")
        .env("PTC_EVAL_CACHE", "off");
    command
}

/// The processes that the script listed.
fn pids(folder: &Path) -> Vec<String> {
    let listed = fs::read_to_string(folder.join("scenarios/pids")).unwrap_or_default();
    listed.lines().map(str::to_owned).collect()
}

/// Returns true for a process that runs. One that has ended stays until its parent asks for its status.
fn is_running(pid: &str) -> bool {
    let about = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    about.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[track_caller]
fn assert_ended(pids: &[String]) {
    for pid in pids {
        assert!(!is_running(pid), "{pid} is still there");
    }
}

/// Set where a test runs itself: what it ends would be processes of other tests too.
const WITHIN: &str = "PTC_EVAL_ENDS_GROUPS";

fn is_within() -> bool {
    std::env::var_os(WITHIN).is_some()
}

/// Starts a shell with a child, and with one that leaves its group if it is a stray.
fn start_shell(child: &str) -> (Running, Vec<String>) {
    let environment = Environment::filter(std::env::vars_os(), &[]);
    // The child is there, and in its group, once it has written.
    let script = format!("{child} sh -c 'echo $$; exec sleep 300 <&- >&- 2>&-' & echo $$; wait");
    let program = Program {
        name: "sh",
        arguments: vec!["-c", &script],
        folder: Path::new("/"),
        environment: &environment,
        variables: &[],
    };
    let (running, pipes) = program.start().unwrap();
    let mut pids = Vec::new();
    for line in BufReader::new(pipes.output).lines().take(2) {
        let pid = line.unwrap();
        let mut out = std::io::stdout();
        writeln!(out, "pid {pid}").unwrap();
        pids.push(pid);
    }
    (running, pids)
}

/// Waits until none of these processes runs.
fn have_ended(pids: &[String]) -> bool {
    let begun = Instant::now();
    while pids.iter().any(|pid| is_running(pid)) {
        if begun.elapsed() > Duration::from_secs(5) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Runs a test of this file in a process of its own. Returns its output and the processes that it started.
#[track_caller]
fn run_within(test: &str) -> (String, Vec<String>) {
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("hostile::commands::{test}"), "--nocapture"])
        .env(WITHIN, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let pids: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("pid ")).map(str::to_owned).collect();
    assert_eq!(pids.len(), 2, "{text}{}", String::from_utf8_lossy(&ran.stderr));
    (text, pids)
}

/// Where nothing hands strays over, as on macOS, a run ends groups all the same.
#[test]
fn groups_end_where_strays_are_unknown() {
    if is_within() {
        let (_running, _) = start_shell("");
        end_all();
        std::process::exit(0);
    }
    let (_, pids) = run_within("groups_end_where_strays_are_unknown");
    assert!(have_ended(&pids), "{pids:?} are still there");
}

/// Unneeded process groups end before the run does, and so do processes that left them.
#[test]
fn a_dropped_group_ends_with_its_strays() {
    if is_within() {
        hold_strays();
        let (running, pids) = start_shell("setsid");
        drop(running);
        let mut out = std::io::stdout();
        writeln!(out, "have ended: {}", have_ended(&pids)).unwrap();
        std::process::exit(0);
    }
    let (text, _) = run_within("a_dropped_group_ends_with_its_strays");
    assert!(text.contains("have ended: true"), "{text}");
}

/// A run that ends has no time to drop anything.
#[test]
fn strays_end_before_the_run() {
    if is_within() {
        hold_strays();
        let (running, pids) = start_shell("setsid");
        std::mem::forget(running);
        end_all();
        let mut out = std::io::stdout();
        writeln!(out, "have ended: {}", have_ended(&pids)).unwrap();
        std::process::exit(0);
    }
    let (text, _) = run_within("strays_end_before_the_run");
    assert!(text.contains("have ended: true"), "{text}");
}

/// Of an output without an end, no more is read than is wanted.
#[test]
fn no_output_fills_the_memory() {
    let environment = Environment::filter(std::env::vars_os(), &[]);
    let begun = Instant::now();
    for script in ["yes", "head -c 2000 /dev/zero"] {
        let program = Program {
            name: "sh",
            arguments: vec!["-c", script],
            folder: Path::new("/"),
            environment: &environment,
            variables: &[],
        };
        let output = program.output(Vec::new(), Duration::from_secs(20), 1_000).unwrap();
        assert_eq!(output, None, "{script}");
    }
    assert!(begun.elapsed() < Duration::from_secs(15));
}

/// A process that leaves its group ends with the run all the same.
#[test]
fn what_leaves_its_group_ends_with_the_run() {
    let folder = suite_with(
        "setsid sleep 300 <&- >&- 2>&- & echo $! >>pids; (setsid sh -c 'sleep 300 & echo $! >>pids; sleep 300' &); sleep 0.3; exit 1",
    );
    let ran = run(folder.path()).output().unwrap();
    let pids = pids(folder.path());
    assert_eq!(pids.len(), 2, "{}", String::from_utf8_lossy(&ran.stderr));
    assert_ended(&pids);
}

/// A command that goes on after its last answer ends with the run.
#[test]
fn a_command_that_goes_on_ends_with_the_run() {
    let folder = suite_with(&format!("echo $$ >>pids; {ANSWERS}; exec sleep 300"));
    let ran = run(folder.path()).output().unwrap();
    let pids = pids(folder.path());
    assert!(ran.status.success() && !pids.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_ended(&pids);
}

/// A command that does not answer in time ends with the run, with what left its group.
#[test]
fn commands_end_with_a_run_that_takes_too_long() {
    let folder = suite_with(ENDLESS);
    let ran = run(folder.path()).args(["--timeout", "5"]).output().unwrap();
    assert!(!ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    let pids = pids(folder.path());
    assert!(pids.len() >= 2);
    assert_ended(&pids);
}

/// Each command sees a few usual variables, and those that the user names.
#[test]
fn commands_see_usual_variables_and_those_that_are_named() {
    let folder = suite_with(&format!("env > seen; {ANSWERS}"));
    let keys = [("SHOP_TOKEN", "named"), ("OTHER_TOKEN", "canary"), ("LANG", "C")];
    let ran = run(folder.path()).args(["--command-env", "SHOP_TOKEN"]).envs(keys).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let seen = fs::read_to_string(folder.path().join("scenarios/seen")).unwrap();
    for line in ["SHOP_TOKEN=named", "LANG=C", "PATH=", "HOME="] {
        assert!(seen.lines().any(|seen| seen.starts_with(line)), "{line}: {seen}");
    }
    assert!(!seen.contains("canary"), "{seen}");
}

/// Leaves a child outside of its group, and never answers.
const ENDLESS: &str = "echo $$ >>pids; (setsid sh -c 'echo $$ >>pids; exec sleep 300' &); exec sleep 300";

/// Ctrl-C and a signal of a server end commands before the run.
#[test]
fn commands_end_with_a_run_that_a_signal_ends() {
    for signal in ["-TERM", "-INT"] {
        ends_commands_at(signal);
    }
}

#[track_caller]
fn ends_commands_at(signal: &str) {
    let folder = suite_with(ENDLESS);
    let mut running = run(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while pids(folder.path()).len() < 2 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pids = pids(folder.path());
    assert!(pids.len() >= 2);
    let sent = Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
    running.wait().unwrap();
    assert_ended(&pids);
}

/// Each command starts by an absolute path, without the keys of the user, as the leader of a group of its own.
#[test]
#[ignore = "needs strace"]
fn commands_start_by_absolute_paths_in_groups_without_keys() {
    let folder = suite_with(ANSWERS);
    let log = folder.path().join("trace");
    let ran = Command::new("strace")
        .args(Trace::arguments(&log, PROGRAM))
        .args(["run", "--allow-commands", "--accept"])
        .current_dir(folder.path())
        .env_remove("CI")
        .envs([("PTC_EVAL_CACHE", "off"), ("CANARY_API_KEY", "canary")])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let faults =
        Trace::read(&log).faults_of_commands(&PathBuf::from(PROGRAM), &folder.path().join("scenarios/tool"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
