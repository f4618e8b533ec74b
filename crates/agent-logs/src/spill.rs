//! A temporary file for data exceeding the memory limit.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Byte chunks in an unnamed file. The system removes the file when the process ends.
#[derive(Default)]
pub(super) struct Spill {
    file: Option<BufWriter<File>>,
    end: u64,
}

/// Position of a chunk in the file.
pub(super) struct Extent {
    at: u64,
    length: usize,
}

/// The complete file, for reading.
pub(super) struct Spilled(Option<File>);

impl Spill {
    /// Appends a chunk.
    ///
    /// # Errors
    /// The disk is full, or no temporary file can be created.
    pub(super) fn add_piece(&mut self, piece: &[u8]) -> io::Result<Extent> {
        let file = match &mut self.file {
            Some(file) => file,
            // Created lazily: most logs fit in memory.
            None => self.file.insert(BufWriter::new(tempfile::tempfile().map_err(|error| not_kept(&error))?)),
        };
        file.write_all(piece).map_err(|error| not_kept(&error))?;
        let extent = Extent { at: self.end, length: piece.len() };
        self.end += piece.len() as u64;
        Ok(extent)
    }

    /// Finishes writing.
    ///
    /// # Errors
    /// The disk is full.
    pub(super) fn finish_writing(self) -> io::Result<Spilled> {
        let file = self.file.map(BufWriter::into_inner).transpose();
        Ok(Spilled(file.map_err(|error| not_kept(error.error()))?))
    }
}

impl Spilled {
    /// Reads a chunk.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read_piece(&mut self, extent: &Extent) -> io::Result<Vec<u8>> {
        let file = self.0.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(extent.at))?;
        let mut piece = vec![0; extent.length];
        file.read_exact(&mut piece)?;
        Ok(piece)
    }
}

/// Adds context to the error. Otherwise a missing temporary folder would look like a missing log.
pub(super) fn not_kept(error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot keep its conversations in a temporary file: {error}"))
}
