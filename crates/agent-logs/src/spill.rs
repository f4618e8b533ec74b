//! A temporary file for what does not fit into memory.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Pieces of bytes in a file without a name, which the system removes with the process.
#[derive(Default)]
pub(super) struct Spill {
    file: Option<BufWriter<File>>,
    end: u64,
}

/// Place of a piece in the file.
pub(super) struct Extent {
    at: u64,
    length: usize,
}

/// The file once it is whole.
pub(super) struct Spilled(Option<File>);

impl Spill {
    /// Adds a piece.
    ///
    /// # Errors
    /// There is no room, or no temporary file can be made.
    pub(super) fn add(&mut self, piece: &[u8]) -> io::Result<Extent> {
        let file = match &mut self.file {
            Some(file) => file,
            // Most logs fit into memory and need no file.
            None => self.file.insert(BufWriter::new(tempfile::tempfile().map_err(|error| not_kept(&error))?)),
        };
        file.write_all(piece).map_err(|error| not_kept(&error))?;
        let extent = Extent { at: self.end, length: piece.len() };
        self.end += piece.len() as u64;
        Ok(extent)
    }

    /// Ends the adding of pieces.
    ///
    /// # Errors
    /// There is no room.
    pub(super) fn finish(self) -> io::Result<Spilled> {
        let file = self.file.map(BufWriter::into_inner).transpose();
        Ok(Spilled(file.map_err(|error| not_kept(error.error()))?))
    }
}

impl Spilled {
    /// Reads a piece.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read(&mut self, extent: &Extent) -> io::Result<Vec<u8>> {
        let file = self.0.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(extent.at))?;
        let mut piece = vec![0; extent.length];
        file.read_exact(&mut piece)?;
        Ok(piece)
    }
}

/// The error in words. Without them a missing temporary folder would look like a missing log.
fn not_kept(error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot keep its conversations in a temporary file: {error}"))
}
