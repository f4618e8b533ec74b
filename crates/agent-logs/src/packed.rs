//! Decompresses gzip and zstd logs while reading, so memory use does not depend on the decompressed size.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// Size of the decompression buffer, in bytes.
const BUFFER: usize = 64 << 10;
/// Maximum size of a packed log when unpacked, as a multiple of its own size. Logs that repeat their history in each request reach a few
/// hundred; gzip reaches 1,032 and zstd 30,000, so a megabyte of packed blanks would take minutes to read.
const MAX_TIMES: u64 = 1_000;
/// Unpacked bytes that are read in any case.
const ALWAYS: u64 = 1 << 28;

/// A source, decompressed if necessary.
pub(super) struct Unpacked<'r> {
    pub(super) source: Box<dyn BufRead + 'r>,
    /// Set at damaged or truncated compressed data. The text ends there.
    pub(super) is_damaged: Rc<Cell<bool>>,
}

impl<'r> Unpacked<'r> {
    /// Decompresses a source if it starts with the magic bytes of gzip or zstd.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(super) fn new(mut source: impl BufRead + 'r) -> io::Result<Unpacked<'r>> {
        let mut first = Vec::new();
        source.by_ref().take(ZSTD.len() as u64).read_to_end(&mut first)?;
        let is_damaged = Rc::new(Cell::new(false));
        let (is_gzip, is_zstd) = (first.starts_with(GZIP), first.starts_with(ZSTD));
        let whole = io::Cursor::new(first).chain(source);
        let packed = Rc::new(Cell::new(0));
        let counted = Counted { source: whole, bytes: packed.clone() };
        let source: Box<dyn BufRead + 'r> = if is_gzip {
            Box::new(buffer_until_damage(MultiGzDecoder::new(counted), &is_damaged, packed))
        } else if is_zstd {
            Box::new(buffer_until_damage(Frames::new(counted), &is_damaged, packed))
        } else {
            Box::new(counted)
        };
        Ok(Unpacked { source, is_damaged })
    }
}

fn buffer_until_damage<R: Read>(
    source: R,
    is_damaged: &Rc<Cell<bool>>,
    packed: Rc<Cell<u64>>,
) -> BufReader<UpToDamage<R>> {
    BufReader::with_capacity(
        BUFFER,
        UpToDamage { source, is_damaged: is_damaged.clone(), packed, unpacked: 0 },
    )
}

/// Counts the bytes that are read from a source.
struct Counted<R> {
    source: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.bytes.set(self.bytes.get() + length as u64);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.bytes.set(self.bytes.get() + length as u64);
        self.source.consume(length);
    }
}

/// A source ending at the first damaged byte.
struct UpToDamage<R> {
    source: R,
    is_damaged: Rc<Cell<bool>>,
    /// The packed bytes that were read.
    packed: Rc<Cell<u64>>,
    unpacked: u64,
}

impl<R> UpToDamage<R> {
    /// # Errors
    /// The text is much larger than any log of this packed size.
    fn count(&mut self, length: usize) -> io::Result<usize> {
        self.unpacked += length as u64;
        if self.unpacked > ALWAYS && self.unpacked / MAX_TIMES > self.packed.get() {
            let size = self.unpacked >> 20;
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!(
                    "it unpacks to more than {MAX_TIMES} times its size ({size} MiB up to here); no log does"
                ),
            ));
        }
        Ok(length)
    }
}

impl<R: Read> Read for UpToDamage<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        if self.is_damaged.get() {
            return Ok(0);
        }
        match self.source.read(buffer) {
            // Any other kind is a disk error.
            Err(error) if matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof) => {
                self.is_damaged.set(true);
                Ok(0)
            }
            Ok(length) => self.count(length),
            Err(error) => Err(error),
        }
    }
}

/// Decompresses all frames of a zstd file. Appending to a file starts a new frame.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Frames<R> {
        Frames { source, decoder: FrameDecoder::new(), is_in_frame: false }
    }

    /// Starts the next frame. Returns false at the end.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if !self.begin_frame()? {
                    return Ok(0);
                }
                self.is_in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(io::Error::other)?;
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            self.is_in_frame = false;
        }
    }
}
