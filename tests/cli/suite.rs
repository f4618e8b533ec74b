//! Temporary folders with scenarios, and the program run in them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ptc-eval");

/// A scenario of two turns that meets its expectations.
pub const SUM: &str = "
description: adds two numbers after looking at them
mission: Add the numbers.
data: {numbers: [1, 2]}
responses:
  - program: (println \"seen\" data/numbers)
  - program: (return (reduce + data/numbers))
expect: {value: 3}
";

/// A scenario of eight answers, each using the print of the one before. Some have other names.
pub fn chained(name: &str) -> String {
    let line = |turn: usize| {
        let before = turn.checked_sub(1).map_or(String::new(), |before| format!(" \"{name}_{before}_7\""));
        format!("  - program: (println (str \"{name}_{turn}_7 \"{before}))\n")
    };
    let printed: String = (0..7).map(line).collect();
    let last = format!("  - program: (return \"{name}_6_7\")\n");
    format!("mission: Follow the names.\nmax_turns: 9\nresponses:\n{printed}{last}")
}

/// Runs git in a folder. Returns what it prints.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let name = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let git = Command::new("git").current_dir(folder).args(name).args(arguments).output().unwrap();
    assert!(git.status.success(), "{arguments:?}: {git:?}");
    String::from_utf8(git.stdout).unwrap()
}

/// A temporary folder with scenarios.
pub struct Suite(tempfile::TempDir);

impl Suite {
    /// A folder with these scenarios, by name.
    pub fn with(scenarios: &[(&str, &str)]) -> Suite {
        let suite = Suite(tempfile::tempdir().unwrap());
        for (name, text) in scenarios {
            suite.write(&format!("scenarios/{name}.yaml"), text);
        }
        suite
    }

    /// A folder with two scenarios that are evidence enough for a recommendation.
    pub fn with_evidence() -> Suite {
        let [one, other] = ["one", "other"].map(chained);
        Suite::with(&[("one", &one), ("other", &other)])
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "", &[])
    }

    /// Runs `advise` with everything that it can print.
    pub fn advise(&self, arguments: &[&str]) -> Ran {
        let mut words = vec!["advise"];
        words.extend(arguments);
        words.extend(["--table", "--notes"]);
        self.run(&words)
    }

    pub fn run_with(&self, arguments: &[&str], input: &str, environment: &[(&str, &str)]) -> Ran {
        finish(self.start(arguments, environment), input)
    }

    /// Runs a command that the program printed, as a person types it.
    pub fn run_typed(&self, line: &str) -> Ran {
        let mut shell = Command::new("sh");
        shell.args(["-c", &line.replacen("ptc-eval", PROGRAM, 1)]);
        Ran::from(self.prepared(shell, &[]).output().unwrap())
    }

    /// Runs the program with this many MiB of memory.
    #[cfg(target_os = "linux")]
    pub fn run_within(&self, mib: u32, arguments: &[&str], input: &str) -> Ran {
        finish(self.prepared(limited(mib, arguments), &[]).spawn().unwrap(), input)
    }

    /// As [`Suite::run_within`], with one heap for all threads. Otherwise glibc reserves 64 MiB for each thread, however little it
    /// allocates.
    #[cfg(target_os = "linux")]
    pub fn run_in_one_heap(&self, mib: u32, arguments: &[&str]) -> Ran {
        let one_heap = [("MALLOC_ARENA_MAX", "1")];
        finish(self.prepared(limited(mib, arguments), &one_heap).spawn().unwrap(), "")
    }

    /// Seconds of processor time that the program takes.
    pub fn seconds(&self, arguments: &[&str]) -> f64 {
        let mut shell = Command::new("bash");
        shell.args(["-c", "TIMEFORMAT=%U; time \"$0\" \"$@\" >/dev/null 2>&1", PROGRAM]).args(arguments);
        let ran = finish(self.prepared(shell, &[]).spawn().unwrap(), "");
        ran.err.trim().parse().unwrap_or_else(|_| panic!("{arguments:?}: {}", ran.err))
    }

    /// Starts the program with pipes to and from it.
    pub fn start(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Child {
        self.command(arguments, environment).spawn().unwrap()
    }

    /// The program with pipes to and from it, not yet started.
    pub fn command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments);
        self.prepared(command, environment)
    }

    fn prepared(&self, mut command: Command, environment: &[(&str, &str)]) -> Command {
        command
            .current_dir(self.path())
            .env_remove("CI")
            .env("NO_COLOR", "1")
            .env("PTC_EVAL_TODAY", "2026-11-24");
        command.env("PTC_EVAL_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/token-cache"));
        command.envs(environment.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// The program with this many MiB of address space.
#[cfg(target_os = "linux")]
fn limited(mib: u32, arguments: &[&str]) -> Command {
    let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", mib << 10);
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited, PROGRAM]).args(arguments);
    shell
}

fn finish(mut child: Child, input: &str) -> Ran {
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Ran::from(child.wait_with_output().unwrap())
}

/// Output and exit code of a command.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    #[track_caller]
    pub fn ends(&self, code: i32) -> &Ran {
        assert_eq!(self.code, code, "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    #[track_caller]
    pub fn says(&self, text: &str) -> &Ran {
        assert!(self.out.contains(text), "no {text:?} in\n{}\n--- err\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn complains(&self, text: &str) -> &Ran {
        assert!(self.err.contains(text), "no {text:?} in\n{}", self.err);
        self
    }
}
