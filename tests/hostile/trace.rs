//! Traces of `strace`: the programs that started, the connections, and the files that were written.

use std::fs;
use std::path::{Path, PathBuf};

/// Calls that are traced. Those after the first three change names of files.
const CALLS: &str = "trace=execve,execveat,connect,open,openat,creat,mkdir,mkdirat,unlink,unlinkat,rmdir,rename,renameat,renameat2,\
                     symlink,symlinkat,link,linkat,truncate,setpgid";
/// Settings without which no git may start.
const GIT_SETTINGS: &[&str] = &[
    "\"--no-pager\"",
    "\"safe.bareRepository=explicit\"",
    "\"protocol.allow=never\"",
    "\"core.fsmonitor=false\"",
    "\"core.hooksPath=/dev/null\"",
    "\"--git-dir\"",
    "\"GIT_NO_LAZY_FETCH=1\"",
    "\"GIT_ALLOW_PROTOCOL=none\"",
    "\"GIT_CONFIG_NOSYSTEM=1\"",
    "\"GIT_CONFIG_GLOBAL=/dev/null\"",
    "\"GIT_TERMINAL_PROMPT=0\"",
    "\"core.attributesFile=/dev/null\"",
    "\"diff.external=\"",
    "\"credential.helper=\"",
    "\"GIT_ATTR_NOSYSTEM=1\"",
    "\"GIT_OPTIONAL_LOCKS=0\"",
    "\"GIT_PAGER=cat\"",
];
/// What each subcommand of git needs too.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("\"rev-parse\"", &["\"--end-of-options\""]),
    ("\"cat-file\", \"blob\"", &[]),
    ("\"cat-file\", \"--batch\"", &[]),
    ("\"ls-tree\"", &["\"-z\""]),
];

/// What the action's fetch needs.
const FETCH_SETTINGS: &[&str] = &[
    "safe.bareRepository=explicit",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "--no-recurse-submodules",
];

/// The lines of a trace.
pub struct Trace {
    lines: Vec<String>,
}

impl Trace {
    /// The arguments of `strace` that trace a program into a file, with the paths of file descriptors and whole environments.
    pub fn arguments(log: &Path, program: &str) -> Vec<String> {
        let log = log.display().to_string();
        // With seccomp, a program stops at these calls only.
        let options =
            ["-f", "--seccomp-bpf", "-qq", "-y", "-v", "-s", "65536", "-e", CALLS, "-e", "signal=none"];
        options.iter().chain(&["-o", &log, program]).map(|word| (*word).to_owned()).collect()
    }

    pub fn read(log: &Path) -> Trace {
        let text = String::from_utf8_lossy(&fs::read(log).unwrap()).into_owned();
        Trace { lines: text.lines().map(str::to_owned).collect() }
    }

    /// The trace without the connections to a port of this machine, and their number.
    #[cfg(feature = "live")]
    pub fn without_connections_to(mut self, port: &str) -> (Trace, usize) {
        let all = self.lines.len();
        let place = format!("sin_port=htons({port}), sin_addr=inet_addr(\"127.0.0.1\")");
        self.lines.retain(|line| !(line.contains(" connect(") && line.contains(&place)));
        let kept = self.lines.len();
        (self, all - kept)
    }

    /// What the promise rules out, as lines.
    pub fn faults(&self, program: &Path, writable: &[PathBuf]) -> Vec<String> {
        self.faults_by(|arguments| start_fault(arguments, program), writable)
    }

    /// What the promise rules out for the action, which is a script and may start what a runner has.
    pub fn faults_of_action(&self, program: &Path, place: &Path, writable: &[PathBuf]) -> Vec<String> {
        self.faults_by(|arguments| start_in_action_fault(arguments, program, place), writable)
    }

    /// What the promise rules out for commands that the user allows.
    pub fn faults_of_commands(&self, program: &Path, tool: &Path) -> Vec<String> {
        let mut faults = Vec::new();
        let mut leads = false;
        let mut starts = 0;
        for line in &self.lines {
            let Some((_, call)) = line.split_once(' ') else { continue };
            let call = call.trim_start();
            leads |= call.starts_with("setpgid(0, 0)");
            let Some(arguments) = call.strip_prefix("execve(") else { continue };
            let path = quoted(arguments).next().map(Path::new);
            if path == Some(program) {
                continue;
            }
            starts += 1;
            let fault = match path {
                path if path != Some(tool) => "not by the path of the command",
                _ if arguments.contains("CANARY_API_KEY") => "it sees a key",
                _ if !leads => "not in a group of its own",
                _ => continue,
            };
            faults.push(format!("{fault}: {}", call.chars().take(400).collect::<String>()));
        }
        if starts == 0 {
            faults.push("no command started".to_owned());
        }
        faults
    }

    fn faults_by(&self, start: impl Fn(&str) -> Option<String>, writable: &[PathBuf]) -> Vec<String> {
        let mut faults = Vec::new();
        for line in &self.lines {
            let Some((_, call)) = line.split_once(' ') else { continue };
            let call = call.trim_start();
            let Some((name, rest)) = call.split_once('(') else { continue };
            let fault = match name {
                "execve" => start(rest),
                // A folder that is there already, and the cache of the system's users.
                "mkdir" if rest.ends_with(" = -1 EEXIST (File exists)") => None,
                "connect" if rest.contains("sun_path=\"/var/run/nscd/socket\"") => None,
                "execveat" | "connect" => Some("may not be called".to_owned()),
                "setpgid" => None,
                _ => file_fault(name, rest, writable),
            };
            if let Some(fault) = fault {
                faults.push(format!("{fault}: {}", call.chars().take(400).collect::<String>()));
            }
        }
        faults
    }
}

/// The reason why a program may not start in the action: it lies in the stranger's place.
fn start_in_action_fault(arguments: &str, program: &Path, place: &Path) -> Option<String> {
    // A name that is searched in PATH is tried in each of its folders.
    if arguments.contains(" = -1 ") {
        return None;
    }
    let path = Path::new(quoted(arguments).next()?);
    let fetches = path.ends_with("git") && quoted(arguments).any(|word| word == "fetch");
    for setting in FETCH_SETTINGS.iter().filter(|_| fetches) {
        if !quoted(arguments).any(|word| word == *setting) {
            return Some(format!("git without {setting}"));
        }
    }
    let is_foreign = path != program && (!path.is_absolute() || path.starts_with(place));
    is_foreign.then(|| "a foreign program".to_owned())
}

/// The reason why a program may not start in this way.
fn start_fault(arguments: &str, program: &Path) -> Option<String> {
    let path = quoted(arguments).next()?;
    if Path::new(path) == program {
        return None;
    }
    let is_git = path.starts_with('/') && path.ends_with("/git") && !path.starts_with("/tmp");
    if !is_git {
        return Some("a foreign program".to_owned());
    }
    if arguments.contains("CANARY_API_KEY") {
        return Some("git sees a key".to_owned());
    }
    // A folder that looks like a bare repository is none.
    let folder = quoted(arguments).skip_while(|word| *word != "--git-dir").nth(1);
    if !folder.is_some_and(|folder| folder.ends_with("/.git")) {
        return Some("git in a folder that is no .git".to_owned());
    }
    let of_subcommand = SUBCOMMANDS.iter().find(|(name, _)| arguments.contains(name));
    let Some((_, needed)) = of_subcommand else { return Some("git with another subcommand".to_owned()) };
    let missing = GIT_SETTINGS.iter().chain(*needed).find(|setting| !arguments.contains(**setting));
    missing.map(|setting| format!("git without {setting}"))
}

/// The reason why a file may not be written, or read, in this way.
fn file_fault(name: &str, arguments: &str, writable: &[PathBuf]) -> Option<String> {
    let opens = matches!(name, "open" | "openat");
    let result = arguments.rsplit_once(" = ").and_then(|(_, result)| decorated(result));
    if opens && result.is_some_and(|path| path.contains(".private/")) {
        return Some("a read of a file of the user".to_owned());
    }
    if opens && !["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| arguments.contains(flag)) {
        return None;
    }
    // A file that was opened is known by its place without links; names are relative to a folder that is.
    let mut paths: Vec<PathBuf> = result.map(PathBuf::from).into_iter().collect();
    if paths.is_empty() {
        let folder = decorated(arguments).unwrap_or_default();
        // The text of a link is no place that is written.
        let texts = usize::from(name.starts_with("symlink"));
        paths.extend(quoted(arguments).skip(texts).map(|path| Path::new(folder).join(path)));
    }
    let is_allowed =
        |path: &PathBuf| writable.iter().any(|folder| path.starts_with(folder)) || !path.is_absolute();
    (!paths.iter().all(is_allowed)).then(|| "a write elsewhere".to_owned())
}

/// The path that `-y` writes behind a file descriptor.
fn decorated(text: &str) -> Option<&str> {
    text.split_once('<')?.1.split_once('>').map(|(path, _)| path)
}

/// The strings of a call.
fn quoted(arguments: &str) -> impl Iterator<Item = &str> {
    arguments.split('"').skip(1).step_by(2)
}
