//! The file format of token counts, for a warm start of the next process. Damaged files are ignored. The caller reads
//! and writes the file.

use std::slice::ChunksExact;

use xxhash_rust::xxh3::xxh3_128;

use super::memo::Key;

/// The first line. It changes with the format and with the hash of keys.
const MAGIC: &str = "ptc-eval token counts 1\n";
/// Bytes of an entry: a key and a count.
const ENTRY: usize = 16 + 4;
const CHECKSUM: usize = 16;
/// The most entries of a file, about 10 MB.
pub const MOST: usize = 500_000;

/// Encodes the counts of an encoding, at most [`MOST`] of them.
pub fn write_counts(encoding: &str, entries: impl IntoIterator<Item = (Key, u32)>) -> Vec<u8> {
    let mut bytes = format_head(encoding);
    for (key, number) in entries.into_iter().take(MOST) {
        bytes.extend_from_slice(&key.to_bytes());
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let checksum = xxh3_128(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Decodes the counts of a file; empty if it is damaged, or of another encoding or version.
pub fn read_counts<'b>(encoding: &str, bytes: &'b [u8]) -> impl Iterator<Item = (Key, u32)> + use<'b> {
    split_entries(encoding, bytes).into_iter().flatten().filter_map(parse_entry)
}

fn split_entries<'b>(encoding: &str, bytes: &'b [u8]) -> Option<ChunksExact<'b, u8>> {
    let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    let entries = body.strip_prefix(format_head(encoding).as_slice())?;
    if xxh3_128(body).to_le_bytes() != *checksum || entries.len() % ENTRY != 0 {
        return None;
    }
    Some(entries.chunks_exact(ENTRY))
}

fn parse_entry(bytes: &[u8]) -> Option<(Key, u32)> {
    let (key, number) = bytes.split_first_chunk::<16>()?;
    Some((Key::from_bytes(*key), u32::from_le_bytes(number.try_into().ok()?)))
}

fn format_head(encoding: &str) -> Vec<u8> {
    format!("{MAGIC}{encoding}\n").into_bytes()
}
