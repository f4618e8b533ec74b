//! A text that is written bit by bit and read back once: in memory, and beyond some megabytes in a file that
//! nobody sees. It knows nothing of what stands in it.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// How many bytes stay in memory.
const IN_MEMORY: usize = 8 << 20;

/// What was written so far.
#[derive(Debug, Default)]
pub struct Spool {
    /// What was written first, if it became too much.
    file: Option<File>,
    end: Vec<u8>,
}

impl Spool {
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.end.is_empty()
    }

    /// All of it, if it is still in memory.
    ///
    /// # Errors
    /// It is in a file.
    pub fn in_memory(self) -> Result<Vec<u8>, Spool> {
        match self.file {
            None => Ok(self.end),
            Some(_) => Err(self),
        }
    }

    /// All of it, from the start.
    ///
    /// # Errors
    /// What the file system says.
    pub fn reader(&mut self) -> io::Result<impl Read + '_> {
        let mut file = self.file.as_mut();
        if let Some(file) = &mut file {
            file.rewind()?;
        }
        let start: Box<dyn Read + '_> = match file {
            Some(file) => Box::new(file),
            None => Box::new(io::empty()),
        };
        Ok(start.chain(self.end.as_slice()))
    }

    /// Copies all of it.
    ///
    /// # Errors
    /// What cannot be read or written.
    pub fn copy_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.rewind()?;
            io::copy(file, out)?;
        }
        out.write_all(&self.end)
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
    fn what_was_written_is_read_from_memory_and_from_files() {
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
