//! A local server with scripted replies and faults.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::suite::{Ran, Suite};

/// The part of a request that the server keeps.
pub struct Request {
    pub head: String,
    pub body: String,
    pub at: Instant,
}

/// A reply of the server, which then closes the connection.
pub enum Reply {
    /// The bytes of a whole response.
    Bytes(Vec<u8>),
    /// The bytes one by one, with so much time before each.
    Slowly(Vec<u8>, Duration),
}

impl Reply {
    pub fn new(status: &str, headers: &str, body: &str) -> Reply {
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n");
        Reply::Bytes((head + body).into_bytes())
    }

    pub fn json(body: &Value) -> Reply {
        Reply::new("200 OK", "Content-Type: application/json\r\n", &body.to_string())
    }

    /// An error as APIs report it.
    pub fn error(status: &str, message: &str) -> Reply {
        Reply::new(status, "", &json!({"error": {"message": message}}).to_string())
    }

    pub fn redirect(status: &str, to: &str) -> Reply {
        Reply::new(status, &format!("Location: {to}\r\n"), "")
    }

    pub fn send(self, stream: &mut TcpStream) {
        // The program may have gone away, which is for the test to judge.
        let _ = match self {
            Reply::Bytes(bytes) => stream.write_all(&bytes),
            Reply::Slowly(bytes, pause) => bytes.chunks(1).try_for_each(|byte| {
                thread::sleep(pause);
                stream.write_all(byte)
            }),
        };
    }
}

/// An answer of OpenAI's API.
pub fn said(text: &str) -> Reply {
    Reply::json(&json!({"choices": [{"message": {"role": "assistant", "content": text}}]}))
}

/// A server that gives these replies, one a connection, and then ends.
pub fn endpoint(replies: Vec<Reply>) -> (String, JoinHandle<Vec<Request>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let serve = move || {
        let answer = |reply: Reply| {
            let (mut stream, _) = listener.accept().unwrap();
            let request = read_request(BufReader::new(&stream));
            reply.send(&mut stream);
            request
        };
        replies.into_iter().map(answer).collect()
    };
    (url, thread::spawn(serve))
}

/// A server that runs until the test ends, and the number of its calls. `reply` gets the number of earlier
/// calls.
pub fn serve(reply: impl Fn(usize, &str) -> Reply + Send + Sync + 'static) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let calls = Arc::new(AtomicUsize::new(0));
    let (counted, reply) = (calls.clone(), Arc::new(reply));
    let answer = move |mut stream: TcpStream| {
        let (calls, reply) = (calls.clone(), reply.clone());
        thread::spawn(move || {
            let request = read_request(BufReader::new(&stream));
            reply(calls.fetch_add(1, Ordering::SeqCst), &request.body).send(&mut stream);
        });
    };
    thread::spawn(move || listener.incoming().for_each(|stream| answer(stream.unwrap())));
    (url, counted)
}

/// Starts the program and sends it a signal as soon as something holds.
#[cfg(unix)]
pub fn interrupted(suite: &Suite, arguments: &[&str], signal: &str, holds: impl Fn() -> bool) -> Ran {
    let child = suite.start(arguments, &[]);
    while !holds() {
        thread::sleep(Duration::from_millis(20));
    }
    let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    Ran::from(child.wait_with_output().unwrap())
}

/// Records a scenario of one turn from an endpoint with these replies, and expects each of them to be used.
pub fn record_from(replies: Vec<Reply>, options: &[&str]) -> (Ran, Vec<Request>) {
    let (url, server) = endpoint(replies);
    let ran = record_at(&url, options, &[]);
    (ran, server.join().unwrap())
}

pub fn record_at(url: &str, options: &[&str], environment: &[(&str, &str)]) -> Ran {
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let record = ["record", "s", "--model", "m", "--url", url, "--output", "out.yaml"];
    let at_once: &[&str] = if options.contains(&"--retry-wait") { &[] } else { &["--retry-wait", "0"] };
    let mut ran = suite.run_with(&[&record[..], at_once, options].concat(), "", environment);
    if suite.exists("out.yaml") {
        ran.out += &suite.read("out.yaml");
    }
    ran
}

pub fn read_request(mut stream: impl BufRead) -> Request {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    Request { head, body: String::from_utf8(body).unwrap(), at: Instant::now() }
}
