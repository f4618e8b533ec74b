//! Keeps conversations for later: in memory up to a limit, the others in a temporary file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::spill::not_kept;
use super::transcript::Transcript;

/// Memory for conversations, in bytes of their text. Larger inputs go to a temporary file, so memory does not grow with the logs.
const MEMORY: usize = 32 << 20;

/// Stores conversations. The system removes its file when the process ends.
pub struct Shelf {
    /// Bytes left in memory.
    room: usize,
    /// Created when memory is full: most logs fit.
    file: Option<Arc<Mutex<File>>>,
    /// The length of the file.
    end: u64,
}

/// A conversation on a [`Shelf`]. Copies are cheap, and any thread may open them.
#[derive(Clone, Debug)]
pub struct ShelvedTranscript(Place);

#[derive(Clone, Debug)]
enum Place {
    Memory(Arc<Transcript>),
    File(Arc<Stored>),
}

/// A conversation in the file.
#[derive(Debug)]
struct Stored {
    file: Arc<Mutex<File>>,
    at: u64,
    length: usize,
    /// [`Transcript::system_changes`], which the neutral format lacks.
    system_changes: BTreeMap<usize, String>,
}

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf::within(MEMORY)
    }
}

impl Shelf {
    /// A shelf with a limit (approximate, in bytes) on the conversations in memory.
    pub fn within(memory: usize) -> Shelf {
        Shelf { room: memory, file: None, end: 0 }
    }

    /// Adds a conversation. In the file, it loses the identities of its calls: book it in the [`Ledger`](crate::Ledger) before.
    ///
    /// # Errors
    /// The disk is full, or no temporary file can be created.
    pub fn add(&mut self, mut transcript: Transcript) -> io::Result<ShelvedTranscript> {
        let weight = text_bytes(&transcript);
        // The neutral format cannot hold an evaluation.
        if weight <= self.room || transcript.evaluation.is_some() {
            self.room = self.room.saturating_sub(weight);
            return Ok(transcript.into());
        }
        let text = serde_json::to_vec(&transcript)?;
        let file = match &self.file {
            Some(file) => file,
            None => {
                let file = tempfile::tempfile().map_err(|error| not_kept(&error))?;
                self.file.insert(Arc::new(Mutex::new(file)))
            }
        };
        let mut open = file.lock().unwrap_or_else(PoisonError::into_inner);
        open.seek(SeekFrom::Start(self.end))?;
        open.write_all(&text).map_err(|error| not_kept(&error))?;
        drop(open);
        let stored = Stored {
            file: Arc::clone(file),
            at: self.end,
            length: text.len(),
            system_changes: std::mem::take(&mut transcript.system_changes),
        };
        self.end += text.len() as u64;
        Ok(ShelvedTranscript(Place::File(Arc::new(stored))))
    }
}

impl From<Transcript> for ShelvedTranscript {
    /// A conversation in memory.
    fn from(transcript: Transcript) -> ShelvedTranscript {
        ShelvedTranscript(Place::Memory(Arc::new(transcript)))
    }
}

impl ShelvedTranscript {
    /// The conversation, read from the file if it is there.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(&self) -> io::Result<Arc<Transcript>> {
        match &self.0 {
            Place::Memory(transcript) => Ok(Arc::clone(transcript)),
            Place::File(stored) => stored.read().map(Arc::new),
        }
    }
}

impl Stored {
    fn read(&self) -> io::Result<Transcript> {
        let mut text = vec![0; self.length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        file.read_exact(&mut text)?;
        drop(file);
        let transcript: Transcript = serde_json::from_slice(&text)?;
        Ok(Transcript { system_changes: self.system_changes.clone(), ..transcript })
    }
}

/// Bytes of a conversation's messages, about its memory.
fn text_bytes(transcript: &Transcript) -> usize {
    let mut bytes = transcript.system.as_ref().map_or(0, String::len);
    for message in &transcript.messages {
        bytes += size_of_val(message) + message.content.len();
        for call in &message.tool_calls {
            bytes += size_of_val(call) + call.arguments.get().len();
        }
    }
    bytes
}
