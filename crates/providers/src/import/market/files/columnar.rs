//! Parquet files, as rows of text: one reading for all forms of a table.
//!
//! Numbers are written in their shortest form, which reads back as the same number. Columns are decoded a batch at a time
//! and a row is gone when the next one comes, so that memory does not grow with their number.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use csv::StringRecord;
use parquet::basic::{LogicalType, TimeUnit};
use parquet::data_type::AsBytes;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::record::Field;

use super::unknown;
use crate::import::market::ReadError;
use crate::import::market::source::Places;

/// Rows that are read at most.
const ROWS_MAX: i64 = 2_000_000_000;

/// Columns that are read at most.
const COLUMNS_MAX: usize = 512;

/// Bytes of one column of one group of rows, unpacked. Writers make groups of some 128 MiB with all their columns.
const COLUMN_BYTES_MAX: i64 = 1 << 30;

/// Characters of a cell that are read; nothing in market data is longer.
const CELL_MAX: usize = 4096;

/// Whether the first bytes are those of Parquet.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// A file with its header, to be read as often as needed.
pub(super) struct Columnar {
    reader: Box<dyn FileReader>,
    header: Vec<String>,
    in_nanoseconds: Vec<bool>,
}

impl Columnar {
    /// Reads the header of a file in memory.
    pub(super) fn in_memory(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::open(Places::Memory(Bytes::copy_from_slice(bytes)))
    }

    /// Reads the header.
    pub(super) fn open(places: Places) -> Result<Self, ReadError> {
        undamaged(|| match places {
            Places::File(file) => Self::load_header(file),
            Places::Memory(bytes) => Self::load_header(bytes),
        })
    }

    fn load_header(places: impl ChunkReader + 'static) -> Result<Self, ReadError> {
        let Ok(reader) = SerializedFileReader::new(places) else {
            return damaged();
        };
        let metadata = reader.metadata().file_metadata();
        if !(0..=ROWS_MAX).contains(&metadata.num_rows()) {
            return unknown("the Parquet file has too many rows");
        }
        let fields = metadata.schema_descr().root_schema().get_fields();
        if fields.len() > COLUMNS_MAX {
            return unknown("the Parquet file has too many columns to be a table of market data");
        }
        let columns = reader.metadata().row_groups().iter();
        let mut columns = columns.flat_map(RowGroupMetaData::columns);
        if columns.any(|column| column.uncompressed_size() > COLUMN_BYTES_MAX) {
            return unknown("the Parquet file has groups of rows that are too large to be read");
        }
        let header = fields.iter().map(|field| field.name().to_owned());
        let header = header.collect::<Vec<_>>();
        let in_nanoseconds = fields
            .iter()
            .map(|field| {
                matches!(
                    field.get_basic_info().logical_type_ref(),
                    Some(LogicalType::Timestamp(timestamp)) if timestamp.unit == TimeUnit::NANOS
                )
            })
            .collect();
        Ok(Self {
            reader: Box::new(reader),
            header,
            in_nanoseconds,
        })
    }

    /// The names of the columns.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Calls `take` with each row and its place, from one.
    pub(super) fn each(
        &self,
        mut take: impl FnMut(u64, &StringRecord) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut rows = undamaged(|| self.reader.get_row_iter(None).or_else(|_| damaged()))?;
        let mut record = StringRecord::new();
        for place in 1.. {
            let row = match undamaged(|| Ok(rows.next()))? {
                None => break,
                Some(Ok(row)) => row,
                Some(Err(_)) => return damaged(),
            };
            if place > ROWS_MAX as u64 {
                return damaged();
            }
            record.clear();
            for ((_, field), nanoseconds) in row.get_column_iter().zip(&self.in_nanoseconds) {
                let cell = cell(field, *nanoseconds);
                let length = cell.floor_char_boundary(CELL_MAX);
                record.push_field(&cell[..length]);
            }
            take(place, &record)?;
        }
        Ok(())
    }
}

/// The decoder promises nothing for damaged pages; what it panics at is a damaged file and no more.
fn undamaged<T>(read: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| damaged())
}

fn damaged<T>() -> Result<T, ReadError> {
    unknown("the Parquet file is damaged")
}

fn cell(field: &Field, nanoseconds: bool) -> String {
    match field {
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
        Field::Byte(value) => value.to_string(),
        Field::Short(value) => value.to_string(),
        Field::Int(value) => value.to_string(),
        Field::Long(value) if nanoseconds => time(value.div_euclid(1_000_000)),
        Field::Long(value) => value.to_string(),
        Field::UByte(value) => value.to_string(),
        Field::UShort(value) => value.to_string(),
        Field::UInt(value) => value.to_string(),
        Field::ULong(value) => value.to_string(),
        Field::Float16(value) => value.to_string(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Bool(value) => value.to_string(),
        Field::Date(days) => model::Day::new(*days).map_or_else(String::new, |day| day.to_string()),
        Field::TimestampMillis(value) => time(*value),
        Field::TimestampMicros(value) => time(value.div_euclid(1000)),
        Field::Decimal(_) => field.to_string(),
        // Times of a day and nested values say nothing about a day.
        _ => String::new(),
    }
}

fn time(ms: i64) -> String {
    model::Day::of(model::Timestamp::from_ms(ms)).to_string()
}
