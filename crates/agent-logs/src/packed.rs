//! Unpacks logs in gzip and zstd while they are read, so that a small file never takes the memory of what it unpacks to.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// Bytes of unpacked text in memory.
const BUFFER: usize = 64 << 10;

/// A source whose text is read as it is or unpacked.
pub(super) struct Unpacked<'r> {
    pub(super) source: Box<dyn BufRead + 'r>,
    pub(super) is_packed: bool,
    /// Becomes true where the packed bytes are damaged or end too early. The text ends there.
    pub(super) is_damaged: Rc<Cell<bool>>,
}

impl<'r> Unpacked<'r> {
    /// Unpacks a source if its first bytes say that it is packed.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(super) fn new(mut source: impl BufRead + 'r) -> io::Result<Unpacked<'r>> {
        let mut first = Vec::new();
        source.by_ref().take(ZSTD.len() as u64).read_to_end(&mut first)?;
        let is_damaged = Rc::new(Cell::new(false));
        let (is_gzip, is_zstd) = (first.starts_with(GZIP), first.starts_with(ZSTD));
        let whole = io::Cursor::new(first).chain(source);
        let source: Box<dyn BufRead + 'r> = if is_gzip {
            Box::new(buffered(MultiGzDecoder::new(whole), &is_damaged))
        } else if is_zstd {
            Box::new(buffered(Frames::new(whole), &is_damaged))
        } else {
            Box::new(whole)
        };
        Ok(Unpacked { source, is_packed: is_gzip || is_zstd, is_damaged })
    }
}

fn buffered<R: Read>(source: R, is_damaged: &Rc<Cell<bool>>) -> BufReader<UpToDamage<R>> {
    BufReader::with_capacity(BUFFER, UpToDamage { source, is_damaged: is_damaged.clone() })
}

/// A source that ends where its packed bytes are damaged.
struct UpToDamage<R> {
    source: R,
    is_damaged: Rc<Cell<bool>>,
}

impl<R: Read> Read for UpToDamage<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        if self.is_damaged.get() {
            return Ok(0);
        }
        match self.source.read(buffer) {
            // Any other kind is an error of the disk.
            Err(error) if matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof) => {
                self.is_damaged.set(true);
                Ok(0)
            }
            result => result,
        }
    }
}

/// The unpacked bytes of all frames of a zstd file, one after the other. A program that adds to a file begins a new frame.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Frames<R> {
        Frames { source, decoder: FrameDecoder::new(), is_in_frame: false }
    }

    /// Begins the next frame. Returns false if there is none.
    fn begin(&mut self) -> io::Result<bool> {
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
                if !self.begin()? {
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
