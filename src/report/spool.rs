//! Lists of any length in little memory: what is over some room lies in a temporary file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;
use std::vec;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most items of a list in memory.
const ROOM: usize = 1 << 14;

/// A list that is written once, and read any number of times.
pub(super) struct Spool<T> {
    before: Overflow<T>,
    /// The last items.
    room: Vec<T>,
}

/// Items that are written in any order and read in theirs.
pub(super) struct Sorter<T> {
    overflow: Overflow<T>,
    /// Places of items that are in order, in the overflow.
    runs: Vec<Range<u64>>,
    room: Vec<T>,
}

/// The items of a [`Sorter`] in their order.
pub(super) struct Sorted<T> {
    runs: Vec<Run<T>>,
    /// The next item of each run that has any.
    next: BinaryHeap<Reverse<(T, usize)>>,
}

/// Items that are in order.
enum Run<T> {
    Kept(vec::IntoIter<T>),
    Stored(Stored<T>),
}

/// A temporary file of items, each a line of JSON. It begins with the first item.
struct Overflow<T> {
    file: Option<Rc<File>>,
    length: u64,
    items: PhantomData<T>,
}

/// Items that are read from a temporary file.
struct Stored<T> {
    lines: io::Lines<BufReader<Section>>,
    items: PhantomData<T>,
}

/// A part of a file that other readers read too.
struct Section {
    file: Rc<File>,
    left: Range<u64>,
}

impl<T: Clone + Serialize + DeserializeOwned> Spool<T> {
    pub(super) fn new() -> Spool<T> {
        Spool { before: Overflow::new(), room: Vec::new() }
    }

    /// Adds an item at the end.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(super) fn push(&mut self, item: T) -> io::Result<()> {
        if self.room.len() == ROOM {
            self.before.add(&self.room)?;
            self.room.clear();
        }
        self.room.push(item);
        Ok(())
    }

    /// The items in the order in which they were added.
    pub(super) fn iter(&self) -> impl Iterator<Item = io::Result<T>> + '_ {
        let before = self.before.read(0..self.before.length).into_iter().flatten();
        before.chain(self.room.iter().cloned().map(Ok))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.room.is_empty()
    }
}

impl<T: Ord + Serialize + DeserializeOwned> Sorter<T> {
    pub(super) fn new() -> Sorter<T> {
        Sorter { overflow: Overflow::new(), runs: Vec::new(), room: Vec::new() }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(super) fn push(&mut self, item: T) -> io::Result<()> {
        if self.room.len() == ROOM {
            self.room.sort_unstable();
            self.runs.push(self.overflow.add(&self.room)?);
            self.room.clear();
        }
        self.room.push(item);
        Ok(())
    }

    /// All items in order.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub(super) fn sorted(mut self) -> io::Result<Sorted<T>> {
        self.room.sort_unstable();
        let stored = self.runs.into_iter().filter_map(|run| self.overflow.read(run)).map(Run::Stored);
        let runs = stored.chain([Run::Kept(self.room.into_iter())]).collect();
        let mut sorted = Sorted { runs, next: BinaryHeap::new() };
        (0..sorted.runs.len()).try_for_each(|run| sorted.refill(run))?;
        Ok(sorted)
    }
}

impl<T: Ord + DeserializeOwned> Sorted<T> {
    /// Reads the next item of a run.
    fn refill(&mut self, run: usize) -> io::Result<()> {
        if let Some(item) = self.runs.get_mut(run).and_then(Run::next) {
            self.next.push(Reverse((item?, run)));
        }
        Ok(())
    }
}

impl<T: Ord + DeserializeOwned> Iterator for Sorted<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<io::Result<T>> {
        let Reverse((item, run)) = self.next.pop()?;
        Some(self.refill(run).map(|()| item))
    }
}

impl<T: DeserializeOwned> Run<T> {
    fn next(&mut self) -> Option<io::Result<T>> {
        match self {
            Run::Kept(items) => items.next().map(Ok),
            Run::Stored(items) => items.next(),
        }
    }
}

impl<T> Overflow<T> {
    fn new() -> Overflow<T> {
        Overflow { file: None, length: 0, items: PhantomData }
    }

    /// Writes items, and says where they are.
    fn add(&mut self, items: &[T]) -> io::Result<Range<u64>>
    where
        T: Serialize,
    {
        let file = match &self.file {
            Some(file) => Rc::clone(file),
            None => Rc::clone(self.file.insert(Rc::new(tempfile::tempfile()?))),
        };
        let (mut out, start) = (BufWriter::new(&*file), self.length);
        out.seek(SeekFrom::Start(start))?;
        for item in items {
            serde_json::to_writer(&mut out, item)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
        self.length = out.stream_position()?;
        Ok(start..self.length)
    }

    /// Reads the items of a place; none if nothing was written.
    fn read(&self, place: Range<u64>) -> Option<Stored<T>> {
        let section = Section { file: Rc::clone(self.file.as_ref()?), left: place };
        Some(Stored { lines: BufReader::new(section).lines(), items: PhantomData })
    }
}

impl<T: DeserializeOwned> Iterator for Stored<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<io::Result<T>> {
        let line = self.lines.next()?;
        Some(line.and_then(|line| Ok(serde_json::from_str(&line)?)))
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
        let room = buffer.len().min(left);
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.left.start))?;
        let read = file.read(buffer.get_mut(..room).unwrap_or_default())?;
        if read == 0 && room > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left.start += read as u64;
        Ok(read)
    }
}
