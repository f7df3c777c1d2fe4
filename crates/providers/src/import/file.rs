//! Opening a file to import: plain or gzip, or standard input.
//!
//! A compressed file may claim to contain any amount of data. Its unpacked size is limited in bytes and in relation
//! to its stored size, so that a small file cannot keep an import busy for days.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// Bytes that are read ahead.
const BUFFER_BYTES: usize = 256 << 10;

/// Most bytes that a compressed file may unpack to: larger than any archive of news or prices published as one file.
pub const UNPACKED_MAX: u64 = 64 << 30;

/// By what factor of its stored size a compressed file may unpack. Text shrinks to a fifth and tables of zeros to a
/// fiftieth; only a file made to be large shrinks to less than this.
pub const RATIO_MAX: u64 = 200;

/// Bytes that are unpacked before the ratio is meaningful.
const RATIO_FROM: u64 = 16 << 20;

/// A compressed file that unpacks to more than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// In bytes.
    #[error("it unpacks to more than {} GiB", UNPACKED_MAX >> 30)]
    TooLarge,
    /// In relation to the stored size.
    #[error("it unpacks to more than {RATIO_MAX} times its size, as no file of data does")]
    TooDense,
}

/// A file that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read", path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// What the system reports.
    #[source]
    pub source: io::Error,
}

/// An open file, unpacked as it is read.
pub struct Input {
    /// Its contents.
    pub reader: Box<dyn BufRead + Send>,
    /// Its size as stored; unknown for standard input.
    pub total_bytes: Option<u64>,
    /// How far it has been read; may be watched from elsewhere.
    pub progress: Progress,
}

/// How many bytes of a file, as stored, have been read.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Opens a file, or standard input for `-`. Gzip is recognised by its first bytes rather than by the name, and may
/// have several members, as appended logs do.
pub fn open(path: &Path) -> Result<Input, OpenError> {
    let fail = |source| OpenError {
        path: path.to_owned(),
        source,
    };
    if path.as_os_str() == "-" {
        return input(io::stdin(), None).map_err(fail);
    }
    let file = File::open(path).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if metadata.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    // A pipe has no meaningful size to show.
    let total_bytes = metadata.is_file().then_some(metadata.len());
    input(file, total_bytes).map_err(fail)
}

/// Unpacks a source if it is compressed.
fn input(source: impl Read + Send + 'static, total_bytes: Option<u64>) -> io::Result<Input> {
    let progress = Progress::default();
    let counted = Counted {
        source,
        progress: progress.clone(),
    };
    let mut stored = BufReader::with_capacity(BUFFER_BYTES, counted);
    let packed = stored.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let reader: Box<dyn BufRead + Send> = if packed {
        let unpacked = Unpacked {
            decoder: MultiGzDecoder::new(stored),
            stored: progress.clone(),
            bytes: 0,
        };
        Box::new(BufReader::with_capacity(BUFFER_BYTES, unpacked))
    } else {
        Box::new(stored)
    };
    Ok(Input {
        reader,
        total_bytes,
        progress,
    })
}

struct Counted<Source> {
    source: Source,
    progress: Progress,
}

impl<Source: Read> Read for Counted<Source> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.progress.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

struct Unpacked<Decoder> {
    decoder: Decoder,
    stored: Progress,
    bytes: u64,
}

impl<Decoder: Read> Read for Unpacked<Decoder> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.bytes += count as u64;
        if self.bytes > UNPACKED_MAX {
            return Err(io::Error::other(UnpackError::TooLarge));
        }
        if self.bytes > RATIO_FROM && self.bytes / RATIO_MAX > self.stored.bytes() {
            return Err(io::Error::other(UnpackError::TooDense));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(stored: &[u8]) -> (String, Input) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("articles.jsonl");
        std::fs::write(&path, stored).unwrap();
        let mut input = open(&path).unwrap();
        let mut text = String::new();
        input.reader.read_to_string(&mut text).unwrap();
        (text, input)
    }

    #[test]
    fn plain_and_packed_files_read_alike() {
        assert_eq!(read(b"one\ntwo\n").0, "one\ntwo\n");
        let members = [gzip(b"one\n"), gzip(b"two\n")].concat();
        let (text, input) = read(&members);
        assert_eq!(text, "one\ntwo\n");
        assert_eq!(input.total_bytes, Some(members.len() as u64));
        assert_eq!(input.progress.bytes(), members.len() as u64);
        assert_eq!(read(b"").0, "");
    }

    #[test]
    fn what_cannot_be_opened_is_named() {
        let error = open(Path::new("no-such-file.jsonl")).err().unwrap();
        assert!(error.to_string().contains("no-such-file.jsonl"));
        assert!(open(tempfile::tempdir().unwrap().path()).is_err());
    }

    #[test]
    fn a_file_that_unpacks_to_zeros_without_end_is_given_up() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        io::copy(&mut io::repeat(0).take(40 << 20), &mut encoder).unwrap();
        let bomb = encoder.finish().unwrap();
        let mut reader = input(io::Cursor::new(bomb), None).unwrap().reader;
        let mut read = 0_u64;
        let error = loop {
            match reader.fill_buf() {
                Ok(buffer) => {
                    assert!(!buffer.is_empty(), "the bomb was read to its end");
                    let count = buffer.len();
                    read += count as u64;
                    reader.consume(count);
                }
                Err(error) => break error,
            }
        };
        assert!(error.to_string().contains("200 times its size"), "{error}");
        assert!(read <= RATIO_FROM + BUFFER_BYTES as u64, "{read}");
    }
}
