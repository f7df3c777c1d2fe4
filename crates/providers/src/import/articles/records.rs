//! Splitting a file into records: lines, or the elements of an array.

use std::io::{self, BufRead, ErrorKind};

use super::LONGEST_RECORD;

/// One record as bytes.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) line: u64,
    pub(super) bytes: Result<Vec<u8>, RecordFault>,
}

/// Why a record has no bytes.
#[derive(Debug)]
pub(super) enum RecordFault {
    TooLong,
    Broken(io::Error),
}

/// Where in the file the next record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Start,
    Lines,
    Array,
    End,
}

/// Records from a source, one in memory at a time.
#[derive(Debug)]
pub(super) struct Records<Source> {
    source: Source,
    place: Place,
    /// Line of the next byte, counted from one.
    line: u64,
}

/// A record in progress; anything over the limit is counted but not kept.
#[derive(Debug, Default)]
struct Collected {
    bytes: Vec<u8>,
    too_long: bool,
}

impl Collected {
    fn push(&mut self, more: &[u8]) {
        self.too_long |= self.bytes.len() + more.len() > LONGEST_RECORD;
        if self.too_long {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(more);
        }
    }

    fn is_blank(&self) -> bool {
        !self.too_long && self.bytes.trim_ascii().is_empty()
    }

    fn record(self, line: u64) -> Record {
        Record {
            line,
            bytes: if self.too_long {
                Err(RecordFault::TooLong)
            } else {
                Ok(self.bytes)
            },
        }
    }
}

impl<Source: BufRead> Records<Source> {
    pub(super) const fn new(source: Source) -> Self {
        Self {
            source,
            place: Place::Start,
            line: 1,
        }
    }

    fn broken(&mut self, error: io::Error) -> Record {
        self.place = Place::End;
        Record {
            line: self.line,
            bytes: Err(RecordFault::Broken(error)),
        }
    }

    /// Skips the byte order mark and whitespace; an opening bracket makes the file an array.
    fn find_start(&mut self) -> io::Result<()> {
        let mut mark: &[u8] = "\u{feff}".as_bytes();
        while let Some(byte) = self.peek()? {
            match byte {
                byte if mark.first() == Some(&byte) => mark = &mark[1..],
                b'\n' | b'\r' | b'\t' | b' ' => mark = &[],
                b'[' => {
                    self.take(byte);
                    self.place = Place::Array;
                    return Ok(());
                }
                _ => break,
            }
            self.take(byte);
        }
        self.place = Place::Lines;
        Ok(())
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(fill(&mut self.source)?.first().copied())
    }

    fn take(&mut self, byte: u8) {
        self.line += u64::from(byte == b'\n');
        self.source.consume(1);
    }

    fn next_line(&mut self) -> io::Result<Option<Record>> {
        loop {
            let line = self.line;
            let mut collected = Collected::default();
            loop {
                let buffer = fill(&mut self.source)?;
                if buffer.is_empty() {
                    self.place = Place::End;
                    break;
                }
                let end = buffer.iter().position(|byte| *byte == b'\n');
                let length = end.unwrap_or(buffer.len());
                collected.push(&buffer[..length]);
                self.source.consume(length + usize::from(end.is_some()));
                if end.is_some() {
                    self.line += 1;
                    break;
                }
            }
            if !collected.is_blank() {
                return Ok(Some(collected.record(line)));
            }
            if self.place == Place::End {
                return Ok(None);
            }
        }
    }

    fn next_element(&mut self) -> io::Result<Option<Record>> {
        let mut collected = Collected::default();
        let mut line = self.line;
        let mut scanner = Scanner::default();
        loop {
            let buffer = fill(&mut self.source)?;
            if buffer.is_empty() {
                // The closing bracket is missing: an unfinished record is reported, but a clean end is not worth a
                // complaint.
                self.place = Place::End;
                if collected.is_blank() {
                    return Ok(None);
                }
                return Err(io::Error::new(
                    ErrorKind::UnexpectedEof,
                    "the file ends inside an array",
                ));
            }
            let mut begun = !collected.is_blank();
            let mut used = 0;
            let mut finished = None;
            for &byte in buffer {
                used += 1;
                if !begun && !byte.is_ascii_whitespace() {
                    begun = true;
                    line = self.line;
                }
                self.line += u64::from(byte == b'\n');
                finished = scanner.end_of_element(byte);
                if finished.is_some() {
                    break;
                }
            }
            collected.push(&buffer[..used - usize::from(finished.is_some())]);
            self.source.consume(used);
            match finished {
                None => {}
                Some(ElementEnd::Comma) if collected.is_blank() => scanner = Scanner::default(),
                Some(ElementEnd::Comma) => return Ok(Some(collected.record(line))),
                Some(ElementEnd::Bracket) => {
                    // Anything after the array is read as lines.
                    self.place = Place::Lines;
                    return if collected.is_blank() {
                        self.next_line()
                    } else {
                        Ok(Some(collected.record(line)))
                    };
                }
            }
        }
    }
}

impl<Source: BufRead> Iterator for Records<Source> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.place == Place::Start
            && let Err(error) = self.find_start()
        {
            return Some(self.broken(error));
        }
        let record = match self.place {
            Place::Start | Place::End => return None,
            Place::Lines => self.next_line(),
            Place::Array => self.next_element(),
        };
        record.unwrap_or_else(|error| Some(self.broken(error)))
    }
}

/// The buffered bytes, empty at the end. Signals that interrupt a read are not errors.
fn fill(source: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match source.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // Asked a second time because the borrow checker does not allow returning the first answer from a loop.
    source.fill_buf()
}

#[derive(Clone, Copy, Debug)]
enum ElementEnd {
    Comma,
    Bracket,
}

/// Tracks brackets and strings in JSON, so that an element ends where it should.
#[derive(Clone, Copy, Debug, Default)]
struct Scanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    const fn end_of_element(&mut self, byte: u8) -> Option<ElementEnd> {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return None;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b']' if self.depth == 0 => return Some(ElementEnd::Bracket),
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 0 => return Some(ElementEnd::Comma),
            _ => {}
        }
        None
    }
}
