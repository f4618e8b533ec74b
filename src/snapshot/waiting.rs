//! Snapshots that wait for earlier ones to be written.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::text::Snapshot;

/// Longer bodies are compressed. The golden files of a run of thousands of turns have tens of megabytes, and all wait until the last is
/// compared.
const LONG: usize = 1 << 18;

/// A snapshot waiting to be written.
pub struct Waiting {
    /// Without its body if that is long.
    snapshot: Snapshot,
    /// The long body compressed with Deflate, and its original length.
    deflated: Option<(Vec<u8>, usize)>,
}

impl Waiting {
    /// Compresses a long body.
    ///
    /// # Errors
    /// Never in practice: the encoder writes to memory.
    pub fn new(mut snapshot: Snapshot) -> io::Result<Waiting> {
        if snapshot.body.len() <= LONG {
            return Ok(Waiting { snapshot, deflated: None });
        }
        let body = std::mem::take(&mut snapshot.body);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body.as_bytes())?;
        Ok(Waiting { snapshot, deflated: Some((encoder.finish()?, body.len())) })
    }

    /// The key of the snapshot.
    pub fn key(&self) -> &str {
        &self.snapshot.key
    }

    /// The snapshot with its body.
    ///
    /// # Errors
    /// Never in practice: the decoder reads data from [`Waiting::new`].
    pub fn snapshot(mut self) -> io::Result<Snapshot> {
        if let Some((deflated, length)) = self.deflated {
            self.snapshot.body.reserve_exact(length);
            DeflateDecoder::new(&*deflated).read_to_string(&mut self.snapshot.body)?;
        }
        Ok(self.snapshot)
    }
}
