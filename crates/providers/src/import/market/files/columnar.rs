//! Parquet files, as rows of text, so that all forms of a table are read in the same way.
//!
//! Numbers are written in their shortest form, which reads back as the same number. Columns are decoded a batch at a
//! time in a thread of their own, and a batch is dropped when the next one comes, so that memory does not grow with
//! their number. A file whose next rows take too long is abandoned.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

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

/// Most rows that are read.
const ROWS_MAX: i64 = 2_000_000_000;

/// Most columns that are read.
const COLUMNS_MAX: usize = 512;

/// Most bytes of one column in one row group, unpacked. Writers make groups of some 128 MiB with all their columns.
const COLUMN_BYTES_MAX: i64 = 1 << 30;

/// Most characters of a cell that are read; nothing in market data is longer.
const CELL_MAX: usize = 4096;

/// Whether the first bytes are those of a Parquet file.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// How long the next rows of a file may take. The decoder skips what it does not know as often as the file says, and
/// a header of a few bytes may say a billion times.
const PATIENCE: Duration = Duration::from_secs(15);

/// Rows that are handed over together, and the number of bytes that triggers it.
const BATCH: usize = 1_000;
const BATCH_BYTES: usize = 1 << 20;

/// A file with its header, to be read as often as needed.
pub(super) struct Columnar {
    reader: Arc<dyn FileReader + Send + Sync>,
    header: Vec<String>,
    in_nanoseconds: Arc<[bool]>,
    patience: Duration,
    /// Whether a read took too long: none is tried again, since each leaves a thread behind.
    is_stalled: AtomicBool,
}

impl Columnar {
    /// Reads the header of a file in memory.
    pub(super) fn in_memory(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::open(Places::Memory(Bytes::copy_from_slice(bytes)))
    }

    /// Reads the header.
    pub(super) fn open(places: Places) -> Result<Self, ReadError> {
        let (send, header) = sync_channel(1);
        std::thread::spawn(move || {
            // If this fails, nobody is waiting any more.
            let _ = send.send(undamaged(|| match places {
                Places::File(file) => Self::load_header(file),
                Places::Memory(bytes) => Self::load_header(bytes),
            }));
        });
        match header.recv_timeout(PATIENCE) {
            Ok(columns) => columns,
            Err(RecvTimeoutError::Disconnected) => damaged(),
            Err(RecvTimeoutError::Timeout) => too_long(),
        }
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
            reader: Arc::new(reader),
            header,
            in_nanoseconds,
            patience: PATIENCE,
            is_stalled: AtomicBool::new(false),
        })
    }

    /// The names of the columns.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Calls `take` with each row and its position, counted from one.
    pub(super) fn each(
        &self,
        mut take: impl FnMut(u64, &StringRecord) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if self.is_stalled.load(Ordering::Relaxed) {
            return too_long();
        }
        let (send, batches) = sync_channel(1);
        let (reader, in_nanoseconds) = (Arc::clone(&self.reader), Arc::clone(&self.in_nanoseconds));
        std::thread::spawn(move || {
            // If nobody takes the rows any more, reading them stops.
            let _ = undamaged(|| read_rows(&*reader, &in_nanoseconds, &send))
                .or_else(|error| send.send(Err(error)));
        });
        let mut place = 0;
        loop {
            let batch = match batches.recv_timeout(self.patience) {
                Ok(batch) => batch?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                // The thread goes on, with nobody listening to it, until the process ends.
                Err(RecvTimeoutError::Timeout) => {
                    self.is_stalled.store(true, Ordering::Relaxed);
                    return too_long();
                }
            };
            for record in batch {
                place += 1;
                take(place, &record)?;
            }
        }
    }
}

/// A batch of rows, or why there are no more.
type Batch = Result<Vec<StringRecord>, ReadError>;

/// Sends all rows, a batch at a time.
fn read_rows(
    reader: &(dyn FileReader + Send + Sync),
    in_nanoseconds: &[bool],
    send: &SyncSender<Batch>,
) -> Result<(), ReadError> {
    let Ok(rows) = reader.get_row_iter(None) else {
        return damaged();
    };
    let (mut batch, mut bytes) = (Vec::with_capacity(BATCH), 0);
    for (place, row) in (1..).zip(rows) {
        let Ok(row) = row else {
            return damaged();
        };
        if place > ROWS_MAX {
            return damaged();
        }
        let mut record = StringRecord::new();
        for ((_, field), nanoseconds) in row.get_column_iter().zip(in_nanoseconds) {
            let cell = cell(field, *nanoseconds);
            let length = cell.floor_char_boundary(CELL_MAX);
            record.push_field(&cell[..length]);
        }
        bytes += record.as_slice().len();
        batch.push(record);
        if batch.len() == BATCH || bytes >= BATCH_BYTES {
            bytes = 0;
            if send.send(Ok(std::mem::take(&mut batch))).is_err() {
                return Ok(());
            }
        }
    }
    let _ = send.send(Ok(batch));
    Ok(())
}

/// The decoder promises nothing for damaged pages; if it panics, that means a damaged file and nothing more.
fn undamaged<T>(read: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| damaged())
}

fn too_long<T>() -> Result<T, ReadError> {
    unknown("reading the Parquet file takes too long")
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
        // Times of day and nested values say nothing about a day.
        _ => String::new(),
    }
}

fn time(ms: i64) -> String {
    model::Day::of(model::Timestamp::from_ms(ms)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_end_is_abandoned() {
        // 910 bytes found by fuzzing: a page header contains a list of some 10^9 elements without a byte.
        let file = Bytes::from_static(include_bytes!("tests/endless_page.parquet"));
        let mut columns = Columnar::open(Places::Memory(file)).unwrap();
        columns.patience = Duration::from_millis(50);
        for _ in 0..2 {
            let read = columns.each(|_, _| Ok(()));
            assert!(read.unwrap_err().to_string().contains("too long"));
            // A caller that asks again need not wait again.
            columns.patience = Duration::MAX;
        }
    }
}
