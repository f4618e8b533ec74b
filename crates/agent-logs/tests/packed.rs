//! Logs in gzip and zstd are read while they are unpacked.

use std::cell::Cell;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;

use agent_logs::{Notes, ReadError, Transcript, read};
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Lines with a conversation each.
fn log(conversations: usize) -> String {
    let line = |number| {
        let question = format!("question {number} {}", "about a city ".repeat(number % 17));
        format!(
            "{{\"messages\":[{{\"role\":\"user\",\"content\":\"{question}\"}},{{\"role\":\"assistant\",\"content\":\"answer {number}\"}}]}}\n"
        )
    };
    (0..conversations).map(line).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

fn read_all(log: &[u8]) -> (usize, Result<Notes, ReadError>) {
    let mut number = 0;
    let notes = read(log, "LOG", None, &mut |_: Transcript| {
        number += 1;
        ControlFlow::Continue(())
    });
    (number, notes)
}

/// A file that a program added to has a frame for each time, and a frame that readers skip.
#[test]
fn all_frames_of_a_packed_log_are_read() {
    let (first, second) = (log(40), log(3));
    let skipped = [b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc".as_slice()].concat();
    for packed in [[gzip(&first), gzip(&second)].concat(), [zstd(&first), skipped, zstd(&second)].concat()] {
        let (number, notes) = read_all(&packed);
        assert_eq!(number, 43);
        assert!(!notes.unwrap().has_losses());
    }
}

/// The text before the damage is read, and the damage is named.
#[test]
fn a_packed_log_that_is_cut_says_so() {
    for packed in [gzip(&log(50_000)), zstd(&log(50_000))] {
        let (number, notes) = read_all(&packed[..packed.len() / 2]);
        let lost: Vec<String> = notes.unwrap().lost_lines().collect();
        assert!(number > 1_000, "{number}");
        assert!(
            lost.iter().any(|line| line.contains("the compressed file is damaged or truncated from here on")),
            "{lost:?}"
        );
        let (number, nothing) = read_all(&packed[..8]);
        assert_eq!(number, 0);
        assert!(nothing.unwrap_err().to_string().contains("damaged at its start"));
    }
}

/// Counts the bytes that are read of a file.
struct Counted<'c> {
    bytes: &'c [u8],
    read: &'c Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.read.set(self.read.get() + length);
        Ok(length)
    }
}

/// A log is not unpacked before it is read: a small file may unpack to more than there is memory.
#[test]
fn a_packed_log_is_read_piece_by_piece() {
    for packed in [gzip(&log(200_000)), zstd(&log(200_000))] {
        let read_bytes = Cell::new(0);
        let source = BufReader::new(Counted { bytes: &packed, read: &read_bytes });
        read(source, "LOG", None, &mut |_| ControlFlow::Break(())).unwrap();
        assert!(read_bytes.get() < packed.len() / 2, "{} of {}", read_bytes.get(), packed.len());
    }
}

/// A block of zstd for 128 KiB of blanks takes four bytes.
#[test]
fn a_packed_log_that_unpacks_to_blanks_ends() {
    let block = [&((128 << 10 << 3) | (1 << 1) as u32).to_le_bytes()[..3], b" "].concat();
    let frame = [b"\x28\xb5\x2f\xfd\x00\x58".as_slice(), &block.repeat(100_000)].concat();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    io::copy(&mut io::repeat(b' ').take(300 << 20), &mut encoder).unwrap();
    for packed in [frame, encoder.finish().unwrap()] {
        let (_, notes) = read_all(&packed);
        let error = notes.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("unpacks to more than 1000 times its size"), "{error}");
    }
}

/// A small file may expand to a value without an end, also in UTF-16.
#[test]
fn a_value_that_fills_the_memory_is_refused() {
    for start in [b"\xff\xfe".as_slice(), b"{\"messages\":\""] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(start).unwrap();
        io::copy(&mut io::repeat(b'x').take(257 << 20), &mut encoder).unwrap();
        let (number, notes) = read_all(&encoder.finish().unwrap());
        let error = notes.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(number == 0 && error.contains("line 1 has more than 256 MiB"), "{start:?}: {error}");
    }
}
