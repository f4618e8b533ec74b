//! Whole runs over suites that anyone can generate again, with their time and the memory that they took:
//! `cargo bench --bench suites`. Cold runs have no counts of earlier runs, warm ones do.

#![allow(clippy::disallowed_methods, reason = "it measures time")]
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use generate::Size;
use ptc_eval::compression::STRATEGIES;

#[path = "suites/generate.rs"]
mod generate;
#[path = "suites/logs.rs"]
mod logs;
#[path = "suites/reading.rs"]
mod reading;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ptc-eval");
/// Of each case; the fastest counts, since nothing makes a run faster than it is.
const RUNS: u32 = 3;

/// A folder with a generated suite and a cache of its own.
struct Bench {
    folder: PathBuf,
}

/// The fastest time and the largest memory of some runs.
struct Measure {
    time: Duration,
    /// 0 where the system does not provide it.
    peak_kib: u64,
}

fn main() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites");
    println!("{:<60} {:>8} {:>8}", "", "s", "MiB");
    let small = Bench::new(&place, "small", Size { scenarios: 3, turns: 10 });
    small.case("--help", &["--help"], true);
    small.case("3 scenarios, all strategies, warm", &["run", "-q"], true);
    let large = Bench::new(&place, "large", Size { scenarios: 1_000, turns: 10 });
    for (how, is_warm) in [("cold", false), ("warm", true)] {
        let one = ["run", "-q", "--strategy", "full-history"];
        large.case(&format!("1,000 scenarios of 10 turns, one strategy, {how}"), &one, is_warm);
        large.case(&format!("1,000 scenarios of 10 turns, all eight, {how}"), &["run", "-q"], is_warm);
    }
    for turns in [50, 500, 5_000] {
        let long = Bench::new(&place, &format!("long-{turns}"), Size { scenarios: 1, turns });
        for strategy in ["full-history", "single-user-coalesced", "turn-log", "trim"] {
            let title = format!("1 scenario of {turns} turns, {strategy}");
            long.case(&title, &["run", "-q", "--strategy", strategy], true);
        }
        report(&format!("1 scenario of {turns} turns, all eight"), &[long.run(&["run", "-q"], None)]);
    }
    let read = Bench::prepare(&place, "reading");
    let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
    let size = Size { scenarios: 8, turns: 60 };
    reading::write_suite(&read.folder.join("scenarios"), size, &names).expect("a suite can be written");
    let accept = [read.run(&["run", "-q", "--accept"], None)];
    report("8 scenarios of 60 turns with long results, all eight, new", &accept);
    read.case("the same, warm", &["run", "-q"], true);
    let advised = Bench::prepare(&place, "logs");
    fs::create_dir_all(&advised.folder).expect("a folder can be made");
    let mut file =
        BufWriter::new(File::create(advised.folder.join("logs.jsonl")).expect("logs can be written"));
    logs::write_logs(&mut file, Size { scenarios: 1_000, turns: 20 }).expect("logs can be written");
    drop(file);
    advised.case("1,000 logs of 20 turns, advice", &["advise", "logs.jsonl"], true);
    for scenarios in [2_000, 20_000] {
        let stream = Bench::new(&place, "stream", Size { scenarios: 1, turns: 3 });
        let lines = stream.folder.join("lines.jsonl");
        let mut file = BufWriter::new(File::create(&lines).expect("lines can be written"));
        generate::write_lines(&mut file, Size { scenarios, turns: 3 }).expect("lines can be written");
        drop(file);
        let arguments = ["run", "-", "-q", "--strategy", "full-history", "--strategy", "trim"];
        let title = format!("{scenarios} scenarios of 3 turns, streamed, two strategies");
        report(&title, &[stream.run(&arguments, Some(&lines))]);
    }
}

impl Bench {
    /// A suite with accepted snapshots.
    fn new(place: &Path, name: &str, size: Size) -> Bench {
        let bench = Bench::prepare(place, name);
        let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        generate::write_suite(&bench.folder.join("scenarios"), size, &names).expect("a suite can be written");
        if size.turns <= 10 {
            bench.run(&["run", "-q", "--accept"], None);
        }
        bench
    }

    /// An empty folder.
    fn prepare(place: &Path, name: &str) -> Bench {
        let folder = place.join(name);
        let _ = fs::remove_dir_all(&folder);
        Bench { folder }
    }

    fn case(&self, title: &str, arguments: &[&str], is_warm: bool) {
        let runs: Vec<Measure> = (0..RUNS)
            .map(|_| {
                if !is_warm {
                    let _ = fs::remove_dir_all(self.folder.join("cache"));
                }
                self.run(arguments, None)
            })
            .collect();
        report(title, &runs);
    }

    fn run(&self, arguments: &[&str], input: Option<&Path>) -> Measure {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&self.folder).args(arguments).env_remove("CI");
        command.env("PTC_EVAL_CACHE", self.folder.join("cache"));
        command.stdin(input.map_or(Stdio::null(), |path| File::open(path).expect("lines are there").into()));
        let started = Instant::now();
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        let peak_kib = watch(child);
        Measure { time: started.elapsed(), peak_kib }
    }
}

/// Waits for the end of a process; gives the most memory that it was seen to have.
fn watch(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a process can be waited for").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0);
        peak = peak.max(kib);
        std::thread::sleep(Duration::from_millis(1));
    }
    peak
}

fn report(title: &str, runs: &[Measure]) {
    let time = runs.iter().map(|run| run.time).min().unwrap_or_default();
    let peak = runs.iter().map(|run| run.peak_kib).max().unwrap_or_default();
    println!("{title:<60} {:>8.3} {:>8}", time.as_secs_f64(), peak / 1024);
}
