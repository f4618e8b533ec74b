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

/// A source, decompressed if necessary.
pub(super) struct Unpacked<'r> {
    pub(super) source: Box<dyn BufRead + 'r>,
    pub(super) is_packed: bool,
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
        let source: Box<dyn BufRead + 'r> = if is_gzip {
            Box::new(buffer_until_damage(MultiGzDecoder::new(whole), &is_damaged))
        } else if is_zstd {
            Box::new(buffer_until_damage(Frames::new(whole), &is_damaged))
        } else {
            Box::new(whole)
        };
        Ok(Unpacked { source, is_packed: is_gzip || is_zstd, is_damaged })
    }
}

fn buffer_until_damage<R: Read>(source: R, is_damaged: &Rc<Cell<bool>>) -> BufReader<UpToDamage<R>> {
    BufReader::with_capacity(BUFFER, UpToDamage { source, is_damaged: is_damaged.clone() })
}

/// A source ending at the first damaged byte.
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
            // Any other kind is a disk error.
            Err(error) if matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof) => {
                self.is_damaged.set(true);
                Ok(0)
            }
            result => result,
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
