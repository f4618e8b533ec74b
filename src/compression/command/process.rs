//! A child process with a line protocol: a line of output for each line of input.

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

/// The most bytes of an answer, so that a program without line breaks cannot exhaust the memory.
const MOST_BYTES: u64 = 16 << 20;
/// The most lines of standard error in an error message.
const SHOWN_LINES: usize = 8;
/// Most bytes of such a line.
const SHOWN_BYTES: u64 = 300;
/// The time for a process to exit after it closed its output, and to write the rest of its standard error.
const ENDING_TIME: Duration = Duration::from_secs(1);
/// The polling interval for the stop signal.
const STEP: Duration = Duration::from_millis(100);

/// A child process. Dropping it ends the whole process tree. A thread writes requests and reads answers, so that waiting for an answer can
/// time out.
pub struct Process {
    running: Running,
    requests: Sender<Arc<str>>,
    answers: Receiver<io::Result<Vec<u8>>>,
    /// The newest lines of standard error, at most `SHOWN_LINES`.
    stderr_lines: Arc<Mutex<VecDeque<String>>>,
    /// Disconnects at the end of standard error.
    stderr_end: Receiver<()>,
}

impl Process {
    /// Starts a program in a folder. Relative paths, including the program's, are relative to that folder.
    pub fn start_program(words: &[String], folder: &Path, environment: &Environment) -> io::Result<Process> {
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
        thread::Builder::new().spawn(move || exchange_lines(input, output, &asked, &answered))?;
        thread::Builder::new().spawn(move || keep_last_lines(errors, &stderr_lines, end))?;
        Ok(process)
    }

    /// Sends a line and waits for the answer.
    pub fn ask(&mut self, request: Arc<str>, limit: Duration) -> Result<Vec<u8>, String> {
        // If the thread has ended, waiting for the answer fails below.
        let _ = self.requests.send(request);
        match self.await_answer(limit) {
            Ok(Ok(line)) if line.len() as u64 > MOST_BYTES => {
                Err(format!("its answer has more than {} MiB", MOST_BYTES >> 20))
            }
            Ok(Ok(line)) if !line.is_empty() => Ok(line),
            Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.describe_ending()),
            Ok(Err(error)) => Err(format!("its answer cannot be read: {error}")),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {} s; the option timeout_seconds allows more", limit.as_secs()))
            }
        }
    }

    /// Waits for the next answer, but not after a stop signal.
    fn await_answer(&self, limit: Duration) -> Result<io::Result<Vec<u8>>, RecvTimeoutError> {
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

    /// The error message for a process with closed output. Contains the exit status if it exits in time.
    fn describe_ending(&self) -> String {
        match self.running.wait(ENDING_TIME) {
            Some(status) => format!("it ended without an answer ({status})"),
            None => "it closed its output without an answer".to_owned(),
        }
    }
}

/// Writes each request and reads its answer. The answer is empty if the process has ended.
fn exchange_lines(
    mut input: ChildStdin,
    output: ChildStdout,
    requests: &Receiver<Arc<str>>,
    answers: &Sender<io::Result<Vec<u8>>>,
) {
    let mut output = BufReader::new(output);
    for request in requests {
        // Ignore write errors: the process may have answered without reading.
        let _ = input.write_all(request.as_bytes()).and_then(|()| input.flush());
        let mut line = Vec::new();
        let read = (&mut output).take(MOST_BYTES + 1).read_until(b'\n', &mut line);
        if answers.send(read.map(|_| line)).is_err() {
            return;
        }
    }
}

/// Reads standard error to its end. Dropping `_end` then signals the end.
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
