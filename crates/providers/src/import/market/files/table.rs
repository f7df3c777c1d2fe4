//! Tables: rows of text under a header, whatever separates the columns and whatever they were stored as.

use std::borrow::Cow;

use csv::{ReaderBuilder, StringRecord};
use serde_json::Value;

use super::dates::Order;
use super::{columnar, unknown};
use crate::charset;
use crate::import::market::{ReadError, ReadReport};

/// More columns than this are no table of prices.
const COLUMNS_MAX: usize = 4096;

/// A table. Its rows are read anew on each pass, so that a large file is not held twice.
pub(super) struct Table<'a> {
    header: Vec<String>,
    plain: Vec<String>,
    body: Body<'a>,
}

enum Body<'a> {
    Text { text: Cow<'a, str>, delimiter: u8 },
    Records(Vec<StringRecord>),
}

/// One row.
pub(super) struct Row<'r> {
    /// Its line in the file, or its place in the list.
    pub(super) line: u64,
    record: &'r StringRecord,
}

impl<'r> Row<'r> {
    /// The cell of a column without the blanks around it; nothing where there is no such column.
    pub(super) fn get(&self, column: Option<usize>) -> &'r str {
        column
            .and_then(|column| self.record.get(column))
            .map_or("", str::trim)
    }
}

impl<'a> Table<'a> {
    /// Reads the header of a Parquet file or of separated text.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        if columnar::is_parquet(bytes) {
            let (header, records) = columnar::read(bytes)?;
            return Ok(Self::new(header, Body::Records(records)));
        }
        let marked = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = match std::str::from_utf8(marked) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(charset::decode(bytes, None)),
        };
        let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else {
            return unknown("the file is empty");
        };
        let delimiter = delimiter_of(first);
        let mut reader = reader(&text, delimiter);
        let mut header = StringRecord::new();
        while let Ok(true) = reader.read_record(&mut header) {
            if header.iter().any(|cell| !cell.trim().is_empty()) {
                break;
            }
        }
        if header.len() > COLUMNS_MAX {
            return unknown("the file has too many columns to be a table of market data");
        }
        let header = header.iter().map(|cell| cell.trim().to_owned()).collect();
        drop(reader);
        Ok(Self::new(header, Body::Text { text, delimiter }))
    }

    /// The table of a list of flat objects: its columns are their keys.
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

    /// A table whose rows are already apart.
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

    /// The names of the columns as they are written.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// The column that bears the first of these names that any bears. Names are compared without case, blanks and signs.
    pub(super) fn find(&self, names: &[&str]) -> Option<usize> {
        names
            .iter()
            .find_map(|name| self.plain.iter().position(|plain| plain == name))
    }

    /// Calls `take` with each row below the header that holds anything. The line with which the exchange ends its lists is
    /// no row.
    pub(super) fn each(&self, mut take: impl FnMut(Row<'_>)) {
        let is_row = |record: &StringRecord| {
            record.iter().any(|cell| !cell.trim().is_empty())
                && !record
                    .get(0)
                    .is_some_and(|cell| cell.starts_with("File Creation Time"))
        };
        match &self.body {
            Body::Records(records) => {
                for (place, record) in records.iter().enumerate() {
                    if is_row(record) {
                        let line = place as u64 + 1;
                        take(Row { line, record });
                    }
                }
            }
            Body::Text { text, delimiter } => {
                let mut reader = reader(text, *delimiter);
                let mut record = StringRecord::new();
                let mut below_header = false;
                while let Ok(true) = reader.read_record(&mut record) {
                    if !below_header {
                        below_header = record.iter().any(|cell| !cell.trim().is_empty());
                        continue;
                    }
                    if is_row(&record) {
                        let line = line_of(text, &record);
                        take(Row {
                            line,
                            record: &record,
                        });
                    }
                }
            }
        }
    }

    /// The pass before the reading: counts the rows and what stands in columns that nobody `used`, and learns how a column
    /// writes its dates.
    pub(super) fn survey(
        &self,
        date: Option<usize>,
        used: &[Option<usize>],
        report: &mut ReadReport,
    ) -> Order {
        let mut order = Order::default();
        let mut filled = vec![0_u64; self.header.len()];
        self.each(|row| {
            report.rows += 1;
            order.learn(row.get(date));
            for (column, count) in filled.iter_mut().enumerate() {
                *count += u64::from(!row.get(Some(column)).is_empty());
            }
        });
        for (column, count) in filled.into_iter().enumerate() {
            if count > 0 && date != Some(column) && !used.contains(&Some(column)) {
                *report
                    .unused
                    .entry(self.header[column].clone())
                    .or_default() += count;
            }
        }
        order
    }
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
}

/// The sign that separates most in the header, outside of quotes.
fn delimiter_of(header: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut quoted = false;
    for byte in header.bytes() {
        quoted ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += usize::from(!quoted && byte == *delimiter);
        }
    }
    // Of equals the first: the comma.
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts
        .iter()
        .find(|(_, count)| *count == most)
        .map_or(b',', |(delimiter, _)| *delimiter)
}

/// The line of a record: blank lines before it count as read with it.
fn line_of(text: &str, record: &StringRecord) -> u64 {
    record.position().map_or(0, |position| {
        let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
        let blank = text.as_bytes().get(start..).unwrap_or_default();
        let skipped = blank
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .filter(|byte| **byte == b'\n')
            .count();
        position.line() + skipped as u64
    })
}

/// A name of a column without case, blanks, signs and the number that some services put before it (`1. open`).
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
