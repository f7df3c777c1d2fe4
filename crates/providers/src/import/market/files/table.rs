//! Tables: rows of text under a header, whatever separates the columns and however they were stored.
//!
//! Rows are read again on each pass. Those from a [`Source`] and from Parquet are never all in memory, so a table may
//! be of any length.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use csv::StringRecord;
use serde_json::Value;

use super::columnar::Columnar;
use super::dates::Taught;
use super::rows::{Next, Rows};
use super::{columnar, document, rows, unknown};
use crate::charset;
use crate::import::market::{ReadError, ReadReport, Source};

/// With more columns than this it is not a table of prices.
const COLUMNS_MAX: usize = 4096;

/// Bytes used to recognise a source.
const HEAD_BYTES: u64 = 4096;

/// Why a line is rejected before it is even split into cells.
pub(super) const TOO_LONG: &str = "the line is too long";

/// A table.
pub(super) struct Table<'a> {
    header: Vec<String>,
    plain: Vec<String>,
    body: Body<'a>,
}

enum Body<'a> {
    Text {
        text: Cow<'a, str>,
        delimiter: u8,
    },
    Streamed {
        source: &'a dyn Source,
        delimiter: u8,
    },
    Columnar(Columnar),
    Records(Vec<StringRecord>),
}

/// One row.
pub(super) struct Row<'r> {
    /// Its line in the file, or its position in the list.
    pub(super) line: u64,
    record: &'r StringRecord,
}

/// The contents of a line below the header.
pub(super) enum Line<'r> {
    /// A row.
    Row(Row<'r>),
    /// Too much for one row.
    TooLong(u64),
}

impl<'r> Row<'r> {
    /// The cell in a column, trimmed; nothing if there is no such column.
    pub(super) fn get(&self, column: Option<usize>) -> &'r str {
        column
            .and_then(|column| self.record.get(column))
            .map_or("", str::trim)
    }
}

impl<'a> Table<'a> {
    /// Reads the header of a Parquet file or of delimited text.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        if columnar::is_parquet(bytes) {
            return Ok(Self::of_columns(Columnar::in_memory(bytes)?));
        }
        let marked = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = match std::str::from_utf8(marked) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(charset::decode(bytes, None)),
        };
        let (header, delimiter) = header(text.as_bytes())?;
        Ok(Self::new(header, Body::Text { text, delimiter }))
    }

    /// Reads the header of a table that is read row by row; `None` if it can only be read whole: a document, text in
    /// UTF-16, or compressed Parquet.
    pub(super) fn of_source(source: &'a dyn Source) -> Result<Option<Self>, ReadError> {
        let mut head = Vec::new();
        source.open()?.take(HEAD_BYTES).read_to_end(&mut head)?;
        if columnar::is_parquet(&head) {
            return match source.at_any_place()? {
                Some(places) => Ok(Some(Self::of_columns(Columnar::open(places)?))),
                None => Ok(None),
            };
        }
        let is_document = document::is_json(&head) || document::is_xml(&head);
        // In UTF-16 every other byte is a zero; a table in single bytes has none.
        if is_document || head.contains(&0) {
            return Ok(None);
        }
        let (header, delimiter) = header(source.open()?)?;
        let body = Body::Streamed { source, delimiter };
        Ok(Some(Self::new(header, body)))
    }

    fn of_columns(columns: Columnar) -> Self {
        Self::new(columns.header().to_vec(), Body::Columnar(columns))
    }

    /// The table in a list of flat objects: its columns are their keys.
    pub(super) fn of_objects(list: &[Value]) -> Self {
        let mut header: Vec<String> = Vec::new();
        for object in list.iter().filter_map(Value::as_object) {
            for key in object.keys() {
                if header.len() < COLUMNS_MAX && !header.contains(key) {
                    header.push(key.clone());
                }
            }
        }
        let cell = |object: &Value, key: &String| match object.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(flag)) => flag.to_string(),
            _ => String::new(),
        };
        let records = list
            .iter()
            .map(|object| header.iter().map(|key| cell(object, key)).collect())
            .collect();
        Self::new(header, Body::Records(records))
    }

    /// A table whose rows are already split.
    pub(super) fn of_rows(header: Vec<String>, rows: Vec<StringRecord>) -> Self {
        Self::new(header, Body::Records(rows))
    }

    fn new(header: Vec<String>, body: Body<'a>) -> Self {
        let plain = header.iter().map(|name| plain(name)).collect();
        Self {
            header,
            plain,
            body,
        }
    }

    /// The column names as written.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// The column with the first of these names that is present. Names are compared ignoring case, spaces and
    /// punctuation.
    pub(super) fn find(&self, names: &[&str]) -> Option<usize> {
        names
            .iter()
            .find_map(|name| self.plain.iter().position(|plain| plain == name))
    }

    /// Calls `take` with each row below the header that contains anything. The line with which the exchange ends its
    /// lists is not a row.
    pub(super) fn each(&self, mut take: impl FnMut(Row<'_>)) -> Result<(), ReadError> {
        self.try_each(|line| {
            if let Line::Row(row) = line {
                take(row);
            }
            Ok(())
        })
    }

    /// As [`each`](Self::each), including the lines that could not be split into cells; ends with the first error.
    pub(super) fn try_each(
        &self,
        mut take: impl FnMut(Line<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut take_row = |line: u64, record: &StringRecord| {
            if is_row(record) {
                take(Line::Row(Row { line, record }))
            } else {
                Ok(())
            }
        };
        match &self.body {
            Body::Records(records) => {
                for (line, record) in (1..).zip(records) {
                    take_row(line, record)?;
                }
                Ok(())
            }
            Body::Columnar(columns) => columns.each(take_row),
            Body::Text { text, delimiter } => {
                below_header(Rows::new(text.as_bytes(), *delimiter), &mut take)
            }
            Body::Streamed { source, delimiter } => {
                below_header(Rows::new(source.open()?, *delimiter), &mut take)
            }
        }
    }

    /// The pass before the reading: counts the rows and the contents of columns that nobody `used`, and learns how a
    /// column writes its dates.
    pub(super) fn survey(
        &self,
        date: Option<usize>,
        used: &[Option<usize>],
        report: &mut ReadReport,
    ) -> Result<Taught, ReadError> {
        let mut taught = Taught::default();
        let mut filled = vec![0_u64; self.header.len()];
        self.try_each(|line| {
            report.rows += 1;
            if let Line::Row(row) = line {
                taught.learn(row.get(date));
                for (column, count) in filled.iter_mut().enumerate() {
                    *count += u64::from(!row.get(Some(column)).is_empty());
                }
            }
            Ok(())
        })?;
        for (column, count) in filled.into_iter().enumerate() {
            if count > 0 && date != Some(column) && !used.contains(&Some(column)) {
                report.note_unused(&self.header[column], count);
            }
        }
        Ok(taught)
    }
}

fn is_row(record: &StringRecord) -> bool {
    record.iter().any(|cell| !cell.trim().is_empty())
        && !record
            .get(0)
            .is_some_and(|cell| cell.starts_with("File Creation Time"))
}

/// The column names, and their separator.
fn header(reader: impl BufRead) -> Result<(Vec<String>, u8), ReadError> {
    // A character that no text contains, so that the line stays whole.
    let mut lines = Rows::new(reader, 0);
    loop {
        match lines.next_text()? {
            None => return unknown("the file is empty"),
            Some(line) if line.trim().is_empty() => {}
            Some(line) => {
                let delimiter = delimiter_of(&line);
                let mut record = StringRecord::new();
                rows::split(&line, delimiter, &mut record);
                if record.iter().all(|cell| cell.trim().is_empty()) {
                    continue;
                }
                if record.len() >= COLUMNS_MAX {
                    return unknown("the file has too many columns to be a table of market data");
                }
                let names = record.iter().map(|cell| cell.trim().to_owned());
                return Ok((names.collect(), delimiter));
            }
        }
    }
}

/// Hands over every row that contains anything, except the first.
fn below_header(
    mut rows: Rows<impl BufRead>,
    take: &mut impl FnMut(Line<'_>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut record = StringRecord::new();
    let mut below_header = false;
    loop {
        match rows.next(&mut record)? {
            Next::End => return Ok(()),
            Next::TooLong(line) => take(Line::TooLong(line))?,
            Next::Row(_) if !below_header => {
                below_header = record.iter().any(|cell| !cell.trim().is_empty());
            }
            Next::Row(line) if is_row(&record) => {
                take(Line::Row(Row {
                    line,
                    record: &record,
                }))?;
            }
            Next::Row(_) => {}
        }
    }
}

/// The most frequent separator in the header, outside quotes.
fn delimiter_of(header: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut quoted = false;
    for byte in header.bytes() {
        quoted ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += usize::from(!quoted && byte == *delimiter);
        }
    }
    // If several are equal, the first: the comma.
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts
        .iter()
        .find(|(_, count)| *count == most)
        .map_or(b',', |(delimiter, _)| *delimiter)
}

/// A column name without case, spaces, punctuation and the number that some services put before it (`1. open`).
pub(super) fn plain(name: &str) -> String {
    let name = match name.split_once(". ") {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => name,
    };
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
