//! A byte buffer that moves to a temporary file when it outgrows memory.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 8 << 20;

/// A byte buffer, the start of which may be in a temporary file.
#[derive(Debug, Default)]
pub struct Spool {
    /// The bytes before `end`, if they do not fit in memory.
    file: Option<File>,
    end: Vec<u8>,
}

impl Spool {
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.end.is_empty()
    }

    /// All bytes, if no file was needed.
    ///
    /// # Errors
    /// The buffer itself, if it is in a file.
    pub fn in_memory(self) -> Result<Vec<u8>, Spool> {
        match self.file {
            None => Ok(self.end),
            Some(_) => Err(self),
        }
    }

    /// Reads all bytes from the start.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn reader(&mut self) -> io::Result<impl Read + '_> {
        let start: Box<dyn Read + '_> = match &mut self.file {
            Some(file) => {
                file.rewind()?;
                Box::new(file)
            }
            None => Box::new(io::empty()),
        };
        Ok(start.chain(self.end.as_slice()))
    }

    /// Copies all bytes.
    ///
    /// # Errors
    /// The file cannot be read, or `out` cannot be written.
    pub fn copy_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        io::copy(&mut self.reader()?, out).map(drop)
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.end.extend_from_slice(bytes);
        if self.end.len() > IN_MEMORY {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(tempfile::tempfile()?),
            };
            file.write_all(&self.end)?;
            self.end.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_from_memory_and_from_files() {
        let line = [7_u8; 1_000];
        for lines in [0, 1, 20_000] {
            let mut spool = Spool::default();
            (0..lines).for_each(|_| spool.write_all(&line).unwrap());
            let (mut read, mut copied) = (Vec::new(), Vec::new());
            spool.reader().unwrap().read_to_end(&mut read).unwrap();
            spool.copy_to(&mut copied).unwrap();
            assert!(read == line.repeat(lines) && copied == read, "{lines} lines");
            assert_eq!(spool.in_memory().is_ok(), lines < 20_000);
        }
    }
}
