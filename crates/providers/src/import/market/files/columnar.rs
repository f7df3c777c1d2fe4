//! Parquet files, as rows of text: one reading for all forms of a table.
//!
//! Numbers are written in their shortest form, which reads back as the same number.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use csv::StringRecord;
use parquet::basic::{LogicalType, TimeUnit};
use parquet::data_type::AsBytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::unknown;
use crate::import::market::ReadError;

/// Rows that are read at most.
const ROWS_MAX: i64 = 20_000_000;

/// Columns that are read at most.
const COLUMNS_MAX: usize = 512;

/// Whether the first bytes are those of Parquet.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// The header and the rows.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<String>, Vec<StringRecord>), ReadError> {
    let bytes = Bytes::copy_from_slice(bytes);
    // The decoder promises nothing for damaged pages; what it panics at is a damaged file and no more.
    catch_unwind(AssertUnwindSafe(|| rows(bytes))).unwrap_or_else(|_| damaged())
}

fn damaged<T>() -> Result<T, ReadError> {
    unknown("the Parquet file is damaged")
}

fn rows(bytes: Bytes) -> Result<(Vec<String>, Vec<StringRecord>), ReadError> {
    let Ok(reader) = SerializedFileReader::new(bytes) else {
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
    let header = fields
        .iter()
        .map(|field| field.name().to_owned())
        .collect::<Vec<_>>();
    let in_nanoseconds: Vec<bool> = fields
        .iter()
        .map(|field| {
            matches!(
                field.get_basic_info().logical_type_ref(),
                Some(LogicalType::Timestamp(timestamp)) if timestamp.unit == TimeUnit::NANOS
            )
        })
        .collect();
    let Ok(iterator) = reader.get_row_iter(None) else {
        return damaged();
    };
    let mut records = Vec::new();
    for row in iterator {
        let Ok(row) = row else {
            return damaged();
        };
        if records.len() as i64 >= ROWS_MAX {
            return damaged();
        }
        let cells = row.get_column_iter().zip(&in_nanoseconds);
        records.push(
            cells
                .map(|((_, field), nanoseconds)| cell(field, *nanoseconds))
                .collect(),
        );
    }
    Ok((header, records))
}

fn cell(field: &Field, nanoseconds: bool) -> String {
    match field {
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
        Field::Byte(value) => value.to_string(),
        Field::Short(value) => value.to_string(),
        Field::Int(value) => value.to_string(),
        Field::Long(value) if nanoseconds => moment(value.div_euclid(1_000_000)),
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
        Field::TimestampMillis(value) => moment(*value),
        Field::TimestampMicros(value) => moment(value.div_euclid(1000)),
        Field::Decimal(_) => field.to_string(),
        // Times of a day and nested values say nothing about a day.
        _ => String::new(),
    }
}

fn moment(ms: i64) -> String {
    model::Day::of(model::Timestamp::from_ms(ms)).to_string()
}
