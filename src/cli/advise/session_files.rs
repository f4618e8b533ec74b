//! Groups the files of coding agents by session: subagents have files of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::agents::CodingAgent;
use crate::cli::logs::open_log;

/// The folder of a session's subagents in Claude Code.
const SUBAGENTS: &str = "subagents";
/// Most bytes of the first line. In Codex, it contains the system prompt.
const FIRST_LINE: u64 = 1 << 20;

/// A session file with its modification time.
pub(super) struct SessionFile {
    written: SystemTime,
    path: PathBuf,
}

/// The newest sessions.
pub(super) struct NewestSessions {
    /// The files of the sessions and their subagents, newest first.
    pub(super) files: Vec<PathBuf>,
    /// The number of sessions.
    pub(super) number: usize,
}

/// A thread of Codex and the thread that started it.
struct Thread {
    id: String,
    parent: Option<String>,
}

impl SessionFile {
    /// Returns `None` if the file no longer exists.
    pub(super) fn of(path: PathBuf) -> Option<SessionFile> {
        let written = path.metadata().and_then(|file| file.modified()).ok()?;
        Some(SessionFile { written, path })
    }
}

impl NewestSessions {
    /// The files of the `most` newest sessions of an agent.
    pub(super) fn of(agent: CodingAgent, mut files: Vec<SessionFile>, most: usize) -> NewestSessions {
        files.sort_by(|one, other| other.written.cmp(&one.written).then_with(|| one.path.cmp(&other.path)));
        let paths: Vec<PathBuf> = files.into_iter().map(|file| file.path).collect();
        let keys = session_keys(agent, &paths);
        let mut chosen = BTreeSet::new();
        for key in &keys {
            if chosen.len() < most {
                chosen.insert(key.as_str());
            }
        }
        let mut files = Vec::new();
        for (path, key) in paths.into_iter().zip(&keys) {
            if chosen.contains(key.as_str()) {
                files.push(path);
            }
        }
        NewestSessions { files, number: chosen.len() }
    }
}

/// The session of each file, as a unique key.
fn session_keys(agent: CodingAgent, paths: &[PathBuf]) -> Vec<String> {
    match agent {
        CodingAgent::ClaudeCode => paths.iter().map(|path| claude_session(path)).collect(),
        CodingAgent::Codex => codex_sessions(paths),
        _ => paths.iter().map(|path| path.display().to_string()).collect(),
    }
}

/// The session of a file of Claude Code. Subagents are in `SESSION/subagents/`, or in older versions in files beside the session.
fn claude_session(path: &Path) -> String {
    let folder = path.ancestors().find(|folder| folder.ends_with(SUBAGENTS)).and_then(Path::parent);
    if let Some(session) = folder {
        return session.display().to_string();
    }
    let session = match session_of_agent(path) {
        Some(id) => path.with_file_name(id),
        None => path.with_extension(""),
    };
    session.display().to_string()
}

/// The session named in the file of a subagent of an older version. `None` for another file.
fn session_of_agent(path: &Path) -> Option<String> {
    if !path.file_name()?.as_encoded_bytes().starts_with(b"agent-") {
        return None;
    }
    Some(first_line(path)?.get("sessionId")?.as_str()?.to_owned())
}

/// The session of each rollout of Codex: the thread that started all others.
fn codex_sessions(paths: &[PathBuf]) -> Vec<String> {
    let threads: Vec<Option<Thread>> = paths.iter().map(|path| Thread::of_rollout(path)).collect();
    let mut parents: BTreeMap<&str, &str> = BTreeMap::new();
    for thread in threads.iter().flatten() {
        if let Some(parent) = &thread.parent {
            parents.insert(&thread.id, parent);
        }
    }
    let mut keys = Vec::with_capacity(paths.len());
    for (path, thread) in paths.iter().zip(&threads) {
        let Some(thread) = thread else {
            keys.push(path.display().to_string());
            continue;
        };
        let mut root = thread.id.as_str();
        // Broken files could name each other as parents.
        for _ in 0..parents.len() {
            root = parents.get(root).copied().unwrap_or(root);
        }
        keys.push(root.to_owned());
    }
    keys
}

impl Thread {
    fn of_rollout(path: &Path) -> Option<Thread> {
        let line = first_line(path)?;
        let session = line.get("payload")?;
        let parent = session.pointer("/source/subagent/thread_spawn/parent_thread_id");
        let parent = parent.and_then(Value::as_str).map(str::to_owned);
        Some(Thread { id: session.get("id")?.as_str()?.to_owned(), parent })
    }
}

/// The first line of a file of JSON lines. `None` if the file cannot be read: reading it as a log reports that.
fn first_line(path: &Path) -> Option<Value> {
    let mut line = Vec::new();
    BufReader::new(open_log(path).ok()?).take(FIRST_LINE).read_until(b'\n', &mut line).ok()?;
    serde_json::from_slice(&line).ok()
}
