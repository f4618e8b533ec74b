//! Sessions of opencode. It stores each message and each part of a message in its own file: `session/PROJECT/SESSION.json`,
//! `message/SESSION/MESSAGE.json` and `part/MESSAGE/PART.json` below its `storage`. They are joined to the format of `opencode export`.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::scenario::files;

/// The folder of sessions below `storage`.
const SESSIONS: &str = "session";
const MESSAGES: &str = "message";

/// A session in the format of `opencode export`.
#[derive(Serialize)]
struct Session {
    info: Box<RawValue>,
    messages: Vec<Message>,
}

#[derive(Serialize)]
struct Message {
    info: Box<RawValue>,
    parts: Vec<Box<RawValue>>,
}

/// The folder of sessions in opencode's storage. `None` for any other folder.
pub(super) fn sessions_in(storage: &Path) -> Option<PathBuf> {
    let folder = storage.join(SESSIONS);
    (folder.is_dir() && storage.join(MESSAGES).is_dir()).then_some(folder)
}

/// The joined session of a file `storage/session/PROJECT/SESSION.json`. `None` for any other file.
pub(super) fn whole_session(file: &Path) -> Option<io::Result<Vec<u8>>> {
    let folder = file.parent()?.parent().filter(|folder| folder.ends_with(SESSIONS))?;
    let storage = folder.parent()?;
    let messages = storage.join(MESSAGES).join(file.file_stem()?);
    sessions_in(storage).map(|_| read(file, storage, &messages))
}

fn read(file: &Path, storage: &Path, messages: &Path) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    for path in json_files(storage, messages)? {
        let folder = storage.join("part").join(path.file_stem().unwrap_or(path.as_os_str()));
        let mut parts = Vec::new();
        for part in json_files(storage, &folder)? {
            parts.push(json_of(&part)?);
        }
        read.push(Message { info: json_of(&path)?, parts });
    }
    Ok(serde_json::to_vec(&Session { info: json_of(file)?, messages: read })?)
}

/// The JSON files of a folder in the order of writing, because names grow with time. Empty if there is no such folder. Skips links out of
/// the storage.
fn json_files(storage: &Path, folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = files::list_within(storage, folder)?.entries;
    found.retain(|path| has_extension(path, "json"));
    Ok(found)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    match path.extension() {
        Some(own) => own == extension,
        None => false,
    }
}

fn json_of(file: &Path) -> io::Result<Box<RawValue>> {
    let text = files::read_to_string(file)?;
    serde_json::from_str(&text)
        .map_err(|error| io::Error::other(format!("{} is no JSON: {error}", file.display())))
}
