//! The only door through which this program starts others: an absolute path, an environment by allow-list, and a process group that
//! ends whole. On Windows a job object is the group. On Linux a process that leaves its group ends with the last one.

mod environment;
#[cfg_attr(not(target_os = "linux"), path = "no_strays.rs")]
mod strays;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap};

pub use environment::Environment;

type Child = Arc<Mutex<Box<dyn ChildWrapper>>>;

/// The groups that were started and not yet ended, by the identifier of their first process.
static RUNNING: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());
/// Set if processes that leave their group belong to this process too.
static HOLDS_STRAYS: AtomicBool = AtomicBool::new(false);
/// Set once this process is about to end.
static ENDING: AtomicBool = AtomicBool::new(false);

/// A program to start.
pub struct Program<'a> {
    /// A path relative to the folder, or a name to search in `PATH`.
    pub name: &'a str,
    pub arguments: Vec<&'a str>,
    /// Its working directory.
    pub folder: &'a Path,
    pub environment: &'a Environment,
    /// Variables beside those of the environment.
    pub variables: &'a [(&'a str, &'a str)],
}

/// A process that was started, and all processes that it starts. They end when this value is dropped.
pub struct Running {
    id: u32,
    child: Child,
}

/// The pipes of a process.
pub struct Pipes {
    pub input: ChildStdin,
    pub output: ChildStdout,
    pub errors: ChildStderr,
}

impl Program<'_> {
    /// Starts it.
    ///
    /// # Errors
    /// There is no such program, it cannot be started, or this process is about to end.
    pub fn start(&self) -> io::Result<(Running, Pipes)> {
        if ENDING.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        #[expect(clippy::disallowed_methods, reason = "the one place")]
        let mut command = Command::new(resolve(self.name, self.folder, self.environment)?);
        command.args(&self.arguments).current_dir(self.folder).env_clear();
        for (name, value) in self.environment.iter() {
            command.env(name, value);
        }
        command.envs(self.variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = CommandWrap::from(command);
        #[cfg(unix)]
        group.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        group.wrap(process_wrap::std::JobObject);
        // A child that is not listed yet would be taken for a stray.
        let mut all = lock(&RUNNING);
        let mut child = group.spawn()?;
        let pipes = child.stdin().take().zip(child.stdout().take()).zip(child.stderr().take());
        let running = Running { id: child.id(), child: Arc::new(Mutex::new(child)) };
        all.insert(running.id, Arc::clone(&running.child));
        drop(all);
        let ((input, output), errors) = pipes.ok_or_else(|| io::Error::other("it has no pipes"))?;
        Ok((running, Pipes { input, output, errors }))
    }

    /// Starts it without input. Returns its standard output when it succeeds within the time, with at most so many bytes.
    ///
    /// # Errors
    /// Those of [`Program::start`], or the output cannot be read.
    pub fn output(&self, limit: Duration, most_bytes: u64) -> io::Result<Option<Vec<u8>>> {
        let (running, pipes) = self.start()?;
        let Pipes { input, output, errors } = pipes;
        drop(input);
        let (sender, receiver) = channel();
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let read = output.take(most_bytes + 1).read_to_end(&mut bytes);
            // Nobody waits any more after the time limit.
            let _ = sender.send(read.map(|_| bytes));
        })?;
        // A program that fills the pipe of its errors would wait forever.
        thread::Builder::new().spawn(move || io::copy(&mut { errors }, &mut io::sink()))?;
        let Ok(read) = receiver.recv_timeout(limit) else { return Ok(None) };
        let bytes = read?;
        if bytes.len() as u64 > most_bytes {
            return Ok(None);
        }
        Ok(running.wait(limit).filter(ExitStatus::success).map(|_| bytes))
    }
}

impl Running {
    /// The exit status of the first process, when it ends within the time.
    pub fn wait(&self, limit: Duration) -> Option<ExitStatus> {
        const STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        loop {
            if let Ok(Some(status)) = lock(&self.child).try_wait() {
                return Some(status);
            }
            if waited >= limit {
                return None;
            }
            thread::sleep(STEP);
            waited += STEP;
        }
    }

    /// Kills the whole group, and after the last group what left one. A group that has ended already is no error.
    pub fn end(&self) {
        let is_there = lock(&RUNNING).contains_key(&self.id);
        if !is_there {
            return;
        }
        {
            let mut child = lock(&self.child);
            let _ = child.start_kill();
            let _ = child.wait();
        }
        let mut all = lock(&RUNNING);
        all.remove(&self.id);
        // A process may leave its group and still serve it.
        if all.is_empty() && HOLDS_STRAYS.load(Ordering::Relaxed) {
            strays::end();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Kills all groups and what left one, and lets no other start. For a process that is about to end.
pub fn end_all() {
    ENDING.store(true, Ordering::Relaxed);
    for child in lock(&RUNNING).values() {
        let _ = lock(child).start_kill();
    }
    if HOLDS_STRAYS.load(Ordering::Relaxed) {
        strays::end();
    }
}

/// Makes this process the parent of processes that leave their group, so that they end with the last group. Linux only: elsewhere nothing
/// tells whose they are. For a program whose children are all started here.
pub fn hold_strays() {
    HOLDS_STRAYS.store(strays::adopt(), Ordering::Relaxed);
}

/// The absolute path of a program. Relative folders of `PATH` are left out: they may belong to somebody else.
fn resolve(name: &str, folder: &Path, environment: &Environment) -> io::Result<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return std::path::absolute(folder.join(name));
    }
    let folders = environment.get("PATH").into_iter().flat_map(std::env::split_paths);
    for folder in folders.filter(|folder| folder.is_absolute()) {
        for file in [folder.join(name), folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))] {
            if is_executable(&file) {
                return Ok(file);
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "no absolute folder of PATH holds such a program"))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|about| about.is_file())
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
