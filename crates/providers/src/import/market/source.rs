//! Where market data is read from: something that can be read more than once.
//!
//! A table is read twice: once to learn how its columns write their days and whether it is complete, and once to take
//! its rows. So a file that breaks off in the middle is refused before anything is taken from it.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use parking_lot::Mutex;

use super::ReadError;
use crate::import::file::{self, Progress};

/// Most bytes in a document that is read whole, unpacked: text of forms, XML, tables other than candles. The largest
/// ones published, complete submissions of Form 13F and quarterly indexes of filings, have less than a quarter of it.
pub const DOCUMENT_BYTES: u64 = 256 << 20;

/// Most bytes in a JSON document. The facts of a company or a list of all coins have less than a quarter of it.
pub const JSON_BYTES: u64 = 64 << 20;

/// Most values in a JSON document; each takes some 80 bytes of memory, however short it is written.
const JSON_VALUES: usize = 8_000_000;

/// Something to read, as often as needed.
pub trait Source {
    /// Its contents from the beginning, unpacked.
    fn open(&self) -> io::Result<Box<dyn BufRead + Send + '_>>;

    /// Its contents for random access, if they are stored unpacked.
    fn at_any_place(&self) -> io::Result<Option<Places>>;
}

/// Contents that can be read at any position.
#[derive(Debug)]
pub enum Places {
    /// A file.
    File(File),
    /// Memory.
    Memory(Bytes),
}

/// Bytes in memory.
#[derive(Clone, Debug, Default)]
pub struct MemorySource(Bytes);

impl MemorySource {
    /// The given bytes, already unpacked.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self(bytes.into())
    }
}

impl Source for MemorySource {
    fn open(&self) -> io::Result<Box<dyn BufRead + Send + '_>> {
        Ok(Box::new(Cursor::new(&self.0)))
    }

    fn at_any_place(&self) -> io::Result<Option<Places>> {
        Ok(Some(Places::Memory(self.0.clone())))
    }
}

/// A file, plain or gzip.
#[derive(Debug)]
pub struct FileSource {
    path: PathBuf,
    progress: Mutex<Progress>,
}

impl FileSource {
    /// The file at a path; nothing is opened yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            progress: Mutex::default(),
        }
    }

    /// How many bytes, as stored, have been read since it was last opened.
    pub fn bytes_read(&self) -> u64 {
        self.progress.lock().bytes()
    }
}

impl Source for FileSource {
    fn open(&self) -> io::Result<Box<dyn BufRead + Send + '_>> {
        let input = file::open(&self.path).map_err(|error| error.source)?;
        *self.progress.lock() = input.progress;
        Ok(input.reader)
    }

    fn at_any_place(&self) -> io::Result<Option<Places>> {
        let mut file = File::open(&self.path)?;
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let mut head = [0; 2];
        let packed = file.read_exact(&mut head).is_ok() && head == [0x1f, 0x8b];
        file.seek(SeekFrom::Start(0))?;
        Ok((!packed).then_some(Places::File(file)))
    }
}

/// Reads a document whole, unless it is larger than permitted.
pub fn load_document(source: &dyn Source) -> Result<Vec<u8>, ReadError> {
    let mut reader = source.open()?;
    let is_json = matches!(first_sign(reader.fill_buf()?), Some(b'{' | b'['));
    let most = if is_json { JSON_BYTES } else { DOCUMENT_BYTES };
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge(most));
    }
    // Characters within texts are counted as well, which does not matter at this number.
    let separators = bytes
        .iter()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    if is_json && separators.count() > JSON_VALUES {
        return Err(ReadError::TooManyValues(JSON_VALUES));
    }
    Ok(bytes)
}

/// The first byte that is neither whitespace nor part of a byte order mark.
pub(super) fn first_sign(bytes: &[u8]) -> Option<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes
        .iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Repeats the same bytes without end and counts how many of them were read.
    struct Endless {
        text: &'static [u8],
        read: Arc<AtomicU64>,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(64 << 10);
            for (place, byte) in buffer[..count].iter_mut().enumerate() {
                *byte = self.text[place % self.text.len()];
            }
            self.read.fetch_add(count as u64, Ordering::Relaxed);
            Ok(count)
        }
    }

    impl Source for Endless {
        fn open(&self) -> io::Result<Box<dyn BufRead + Send + '_>> {
            let reader = Self {
                text: self.text,
                read: Arc::clone(&self.read),
            };
            Ok(Box::new(io::BufReader::new(reader)))
        }

        fn at_any_place(&self) -> io::Result<Option<Places>> {
            Ok(None)
        }
    }

    #[test]
    fn a_document_without_end_is_given_up_at_its_limit() {
        for (text, most) in [
            (b"[{\"a\": 1}, ".as_slice(), JSON_BYTES),
            (b"<a>text</a>\n".as_slice(), DOCUMENT_BYTES),
        ] {
            let endless = Endless {
                text,
                read: Arc::default(),
            };
            let error = load_document(&endless).unwrap_err();
            assert!(matches!(error, ReadError::TooLarge(limit) if limit == most));
            assert!(endless.read.load(Ordering::Relaxed) <= most + (1 << 20));
        }
    }

    #[test]
    fn a_document_of_very_many_values_is_not_read() {
        let bytes = format!("[{}0]", "0,".repeat(JSON_VALUES));
        let error = load_document(&MemorySource::new(bytes)).unwrap_err();
        assert!(matches!(error, ReadError::TooManyValues(_)), "{error}");
    }
}
