//! A process that answers lines with lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ptc_lisp::stop;

use crate::processes::{Environment, Pipes, Program, Running};

/// Most bytes of an answer. A program that never ends its line must not fill the memory.
const MOST_BYTES: u64 = 16 << 20;
/// Most lines of standard error that an error shows.
const SHOWN_LINES: usize = 8;
/// Most bytes of such a line.
const SHOWN_BYTES: u64 = 300;
/// Time that a process has to end after it closed its output, and to write the rest of its standard error.
const ENDING_TIME: Duration = Duration::from_secs(1);
/// Time between two looks for a signal to end.
const STEP: Duration = Duration::from_millis(100);

/// A process, ended with all that it started when this value is dropped. A thread writes requests and reads answers, so that waiting for an answer has a limit.
pub struct Process {
    running: Running,
    requests: Sender<Arc<str>>,
    answers: Receiver<io::Result<Vec<u8>>>,
    /// The last lines of standard error.
    stderr_lines: Arc<Mutex<VecDeque<String>>>,
    /// Disconnects at the end of standard error.
    stderr_end: Receiver<()>,
}

impl Process {
    /// Starts a program; relative paths, its own among them, are relative to the folder.
    pub fn start(words: &[String], folder: &Path, environment: &Environment) -> io::Result<Process> {
        let (name, arguments) =
            words.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
        let arguments = arguments.iter().map(String::as_str).collect();
        let (running, pipes) = Program { name, arguments, folder, environment, variables: &[] }.start()?;
        let Pipes { input, output, errors } = pipes;
        let (requests, asked) = channel();
        let (answered, answers) = channel();
        let (end, stderr_end) = channel();
        let process = Process { running, requests, answers, stderr_lines: Arc::default(), stderr_end };
        let stderr_lines = Arc::clone(&process.stderr_lines);
        thread::Builder::new().spawn(move || converse(input, output, &asked, &answered))?;
        thread::Builder::new().spawn(move || keep_last_lines(errors, &stderr_lines, end))?;
        Ok(process)
    }

    /// The line that the process answers to a line.
    pub fn ask(&mut self, request: Arc<str>, limit: Duration) -> Result<Vec<u8>, String> {
        // If the thread has ended, no answer comes, which is an error below.
        let _ = self.requests.send(request);
        match self.answer(limit) {
            Ok(Ok(line)) if line.len() as u64 > MOST_BYTES => {
                Err(format!("its answer has more than {} MiB", MOST_BYTES >> 20))
            }
            Ok(Ok(line)) if !line.is_empty() => Ok(line),
            Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.ending()),
            Ok(Err(error)) => Err(format!("its answer cannot be read: {error}")),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {} s; the option timeout_seconds allows more", limit.as_secs()))
            }
        }
    }

    /// The next answer. A run that shall end waits no longer.
    fn answer(&self, limit: Duration) -> Result<io::Result<Vec<u8>>, RecvTimeoutError> {
        let mut left = limit;
        while left > STEP && !stop::is_asked() {
            match self.answers.recv_timeout(STEP) {
                Err(RecvTimeoutError::Timeout) => left -= STEP,
                answered => return answered,
            }
        }
        self.answers.recv_timeout(left.min(STEP))
    }

    /// Ends the process. Returns the last lines of its standard error.
    pub fn end(mut self) -> Vec<String> {
        self.last_lines()
    }

    /// Ends the process without consuming the value. Returns the last lines of its standard error.
    pub fn last_lines(&mut self) -> Vec<String> {
        self.running.end();
        let _ = self.stderr_end.recv_timeout(ENDING_TIME);
        let mut stderr_lines = self.stderr_lines.lock().unwrap_or_else(PoisonError::into_inner);
        stderr_lines.drain(..).collect()
    }

    /// The error of a process that closed its output: its exit status, if it ends in time.
    fn ending(&self) -> String {
        match self.running.wait(ENDING_TIME) {
            Some(status) => format!("it ended without an answer ({status})"),
            None => "it closed its output without an answer".to_owned(),
        }
    }
}

/// Writes each request and reads its answer, which is empty if the process has ended.
fn converse(
    mut input: ChildStdin,
    output: ChildStdout,
    requests: &Receiver<Arc<str>>,
    answers: &Sender<io::Result<Vec<u8>>>,
) {
    let mut output = BufReader::new(output);
    for request in requests {
        // A process that does not read may have answered all the same.
        let _ = input.write_all(request.as_bytes()).and_then(|()| input.flush());
        let mut line = Vec::new();
        let read = (&mut output).take(MOST_BYTES + 1).read_until(b'\n', &mut line);
        if answers.send(read.map(|_| line)).is_err() {
            return;
        }
    }
}

/// Reads standard error to its end; `_end` is dropped then.
fn keep_last_lines(errors: ChildStderr, kept: &Mutex<VecDeque<String>>, _end: Sender<()>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while (&mut errors).take(SHOWN_BYTES).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
        if kept.len() > SHOWN_LINES {
            kept.pop_front();
        }
        line.clear();
    }
}
