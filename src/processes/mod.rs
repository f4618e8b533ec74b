//! Starts all other programs. Each gets an absolute path, an allow-list of environment variables, and a process group, so that all its
//! processes can be killed together. On Windows the group is a job object. On Linux, processes that leave their group are killed with the
//! last group.

mod environment;
#[cfg_attr(not(target_os = "linux"), path = "no_strays.rs")]
mod strays;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
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

/// The running groups, by the identifier of their first process.
static RUNNING: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());
/// True if this process adopts processes that leave their group.
static HOLDS_STRAYS: AtomicBool = AtomicBool::new(false);
/// True once this process is about to exit.
static ENDING: AtomicBool = AtomicBool::new(false);

/// A program to start.
pub struct Program<'a> {
    /// A path relative to the folder, or a name to look up in `PATH`.
    pub name: &'a str,
    pub arguments: Vec<&'a str>,
    /// Its working directory.
    pub folder: &'a Path,
    pub environment: &'a Environment,
    /// Additional variables.
    pub variables: &'a [(&'a str, &'a str)],
}

/// A started process and all its descendants. They are killed on drop.
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
    /// Starts the program.
    ///
    /// # Errors
    /// The program does not exist, cannot be started, or this process is about to exit.
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
        // Holds the lock while spawning: a child not in the list would be killed as a stray.
        let mut all = lock(&RUNNING);
        let mut child = group.spawn()?;
        let pipes = child.stdin().take().zip(child.stdout().take()).zip(child.stderr().take());
        let running = Running { id: child.id(), child: Arc::new(Mutex::new(child)) };
        all.insert(running.id, Arc::clone(&running.child));
        drop(all);
        let ((input, output), errors) = pipes.ok_or_else(|| io::Error::other("it has no pipes"))?;
        Ok((running, Pipes { input, output, errors }))
    }

    /// Starts the program with this input. Returns its standard output, or `None` on failure, after the time limit, or if there are more than
    /// `most_bytes`.
    ///
    /// # Errors
    /// Those of [`Program::start`], or the output is unreadable.
    pub fn output(&self, input: Vec<u8>, limit: Duration, most_bytes: u64) -> io::Result<Option<Vec<u8>>> {
        let (running, pipes) = self.start()?;
        let Pipes { input: mut pipe, output, errors } = pipes;
        // A program that reads no further fails by itself.
        thread::Builder::new().spawn(move || pipe.write_all(&input))?;
        let (sender, receiver) = channel();
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let read = output.take(most_bytes + 1).read_to_end(&mut bytes);
            // After the time limit the receiver is gone.
            let _ = sender.send(read.map(|_| bytes));
        })?;
        // Otherwise a program would block once its stderr pipe is full.
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
    /// The exit status of the first process. `None` after the time limit.
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

    /// Kills the whole group, and with the last group all strays. Does nothing if the group has ended already.
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
        // A process may leave its group and still work for it.
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

/// Kills all groups and strays, and prevents new ones. For use just before exit.
pub fn end_all() {
    ENDING.store(true, Ordering::Relaxed);
    for child in lock(&RUNNING).values() {
        let _ = lock(child).start_kill();
    }
    if HOLDS_STRAYS.load(Ordering::Relaxed) {
        strays::end();
    }
}

/// Makes this process the parent of strays (processes that leave their group), so that they are killed with the last group. Linux only:
/// other systems cannot attribute strays. Only for programs that start all their children here.
pub fn hold_strays() {
    HOLDS_STRAYS.store(strays::adopt(), Ordering::Relaxed);
}

/// The absolute path of a program. Relative folders in `PATH` are ignored: their content depends on the working directory and may be
/// untrusted.
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
