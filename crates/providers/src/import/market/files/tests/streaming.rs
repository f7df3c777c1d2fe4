//! Tables of any length, read row by row.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use model::{Day, MarketBatch};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::super::*;
use crate::import::market::{FileSource, MemorySource, Places, ReadError, ReadReport, Source};

const DAYS: u64 = 1_000;

fn first_day() -> Day {
    Day::parse("2020-01-01").unwrap()
}

fn options() -> FileOptions<'static> {
    FileOptions::new(Day::parse("2026-01-31").unwrap())
}

/// A long table that exists only while it is read: every day for every symbol, one day after the other.
#[derive(Clone, Default)]
struct Generated {
    symbols: u64,
    /// Rows that repeat what the first rows said.
    repeated: u64,
    bytes: Arc<AtomicU64>,
}

struct Rows {
    table: Generated,
    row: u64,
    line: io::Cursor<Vec<u8>>,
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.position() as usize == self.line.get_ref().len() {
            let rows = self.table.symbols * DAYS;
            if self.row >= rows + self.table.repeated {
                return Ok(0);
            }
            let row = self.row % rows;
            let day = first_day().plus((row / self.table.symbols) as i32);
            let symbol = row % self.table.symbols;
            let line = format!("S{symbol},{day},1.5,2.5,1.25,2,1000\n");
            self.line = io::Cursor::new(line.into_bytes());
            self.row += 1;
        }
        let count = self.line.read(buffer)?;
        self.table.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Source for Generated {
    fn open(&self) -> io::Result<Box<dyn BufRead + Send + '_>> {
        let rows = Rows {
            table: self.clone(),
            row: 0,
            line: io::Cursor::default(),
        };
        let header = &b"Symbol,Date,Open,High,Low,Close,Volume\n"[..];
        Ok(Box::new(BufReader::new(header.chain(rows))))
    }

    fn at_any_place(&self) -> io::Result<Option<Places>> {
        Ok(None)
    }
}

/// What arrived in pieces of at most this many bars, put together, and how many pieces there were.
fn in_pieces(
    source: &dyn Source,
    piece: usize,
) -> Result<(MarketBatch, ReadReport, u64), ReadError> {
    let mut whole = MarketBatch::default();
    let mut pieces = 0;
    let mut take = |batch: MarketBatch| {
        let bars: usize = batch.candles.iter().map(|(_, bars)| bars.len()).sum();
        assert!(bars <= piece, "{bars} bars are held at once");
        pieces += 1;
        whole.instruments.extend(batch.instruments);
        for (key, bars) in batch.candles {
            match whole.candles.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => known.extend(bars),
                None => whole.candles.push((key, bars)),
            }
        }
        Ok(())
    };
    let report = candles::load_in_pieces("prices.csv", source, &options(), (piece, &mut take))?;
    whole.candles.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok((whole, report.expect("a table"), pieces))
}

#[test]
fn a_long_table_is_held_a_piece_at_a_time() {
    let table = Generated {
        symbols: 60,
        repeated: 60,
        ..Generated::default()
    };
    let (whole, report, pieces) = in_pieces(&table, 1_000).unwrap();
    assert_eq!(report.rows, 60 * DAYS + 60);
    assert_eq!(
        report.refused["the day is repeated"], 60,
        "{:?}",
        report.refused
    );
    assert_eq!(whole.instruments.len(), 60, "each is named once");
    assert!(
        whole
            .candles
            .iter()
            .all(|(_, bars)| bars.len() == DAYS as usize)
    );
    assert_eq!(pieces, 61);
}

#[test]
fn a_table_in_pieces_says_what_it_says_at_once() {
    let text = "Date,Symbol,Open,High,Low,Close,Volume\n\
        2024-01-02,AAPL,1,2,1,2,10\n\
        2024-01-02,MSFT,1,2,1,2,10\n\
        2024-01-03,AAPL,1,2,1,oops,10\n\
        2024-01-03,\"MSFT,1,2,1,2,10\n\
        2024-01-04,AAPL,1,2,1,2,10\n\
        2024-01-02,AAPL,1,2,1,2,10\n\
        2024-01-04,MSFT,1,2,1,2,10\n";
    let at_once = parse(MarketFile::Candles, "x.csv", text.as_bytes(), &options()).unwrap();
    let (whole, report, pieces) = in_pieces(&MemorySource::new(text), 2).unwrap();
    assert_eq!(whole.candles, at_once.batch.candles);
    assert_eq!(whole.instruments, at_once.batch.instruments);
    assert_eq!(report, at_once.report);
    assert_eq!((pieces, report.refused_total()), (3, 3));
}

/// A table with this many rows in groups of a thousand.
fn parquet_of(rows: i32) -> Vec<u8> {
    let schema = "message prices { REQUIRED BYTE_ARRAY symbol (UTF8); REQUIRED INT32 date (DATE); \
                  REQUIRED DOUBLE close; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::default()))
            .unwrap();
    for first in (0..rows).step_by(1_000) {
        let rows = first..rows.min(first + 1_000);
        let mut group = writer.next_row_group().unwrap();
        let symbols: Vec<ByteArray> = rows
            .clone()
            .map(|row| format!("S{}", row / 1_000).as_str().into())
            .collect();
        let days: Vec<i32> = rows.clone().map(|row| 18_000 + row % 1_000).collect();
        let closes: Vec<f64> = rows.map(f64::from).map(|close| close + 1.0).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&symbols, None, None)
            .unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<Int32Type>()
            .write_batch(&days, None, None)
            .unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<DoubleType>()
            .write_batch(&closes, None, None)
            .unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn parquet_is_read_a_piece_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.parquet");
    std::fs::write(&path, parquet_of(40_000)).unwrap();
    let (mut values, mut largest) = (0, 0);
    let mut take = |batch: MarketBatch| {
        let count: usize = batch.series.iter().map(|(_, points)| points.len()).sum();
        values += count;
        largest = largest.max(count);
        Ok(())
    };
    let source = FileSource::new(&path);
    let report =
        candles::load_in_pieces("prices.parquet", &source, &options(), (500, &mut take)).unwrap();
    assert_eq!(report.expect("a table").rows, 40_000);
    assert_eq!((values, largest), (40_000, 500));
}

#[test]
fn a_packed_table_that_breaks_off_is_refused_before_anything_is_taken() {
    use std::io::Write;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.csv.gz");
    let table = Generated {
        symbols: 20,
        ..Generated::default()
    };
    let mut text = Vec::new();
    table.open().unwrap().read_to_end(&mut text).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&text).unwrap();
    let packed = encoder.finish().unwrap();
    std::fs::write(&path, &packed).unwrap();
    let (whole, ..) = in_pieces(&FileSource::new(&path), 1_000).unwrap();
    assert_eq!(whole.candles.len(), 20);
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let mut take = |_| panic!("nothing is taken");
    let source = FileSource::new(&path);
    let result = load_in_pieces(
        MarketFile::Candles,
        "prices.csv",
        &source,
        &options(),
        &mut take,
    );
    assert!(matches!(result, Err(ReadError::File(_))), "{result:?}");
}

#[test]
fn what_was_read_of_a_file_only_grows_while_its_rows_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.csv");
    let table = Generated {
        symbols: 60,
        ..Generated::default()
    };
    let mut text = Vec::new();
    table.open().unwrap().read_to_end(&mut text).unwrap();
    std::fs::write(&path, &text).unwrap();
    let source = FileSource::new(&path);
    let mut read = Vec::new();
    let mut take = |_: MarketBatch| {
        read.push(source.bytes_read());
        Ok(())
    };
    candles::load_in_pieces("prices.csv", &source, &options(), (5_000, &mut take)).unwrap();
    // The table is read twice; a progress bar that started again would be taken for a mistake.
    let length = text.len() as u64;
    assert!(read.is_sorted(), "{read:?}");
    assert!(read[0] < length / 2, "{read:?} of {length}");
    assert_eq!(read.last(), Some(&length));
}

#[test]
fn invented_symbols_do_not_grow_without_end() {
    let options = options();
    let mut bars = bars::Bars::new(&options, model::Market::Stock, false);
    let letters = |mut number: u32| {
        let mut text = String::new();
        for _ in 0..5 {
            text.push(char::from(b'A' + (number % 26) as u8));
            number /= 26;
        }
        text
    };
    let mut refused = 0;
    for number in 0..1_000_000 {
        refused += u32::from(bars.place(&letters(number)).is_err());
    }
    assert_eq!(refused, 800_000);
    assert!(bars.place(&"A".repeat(1 << 20)).is_err());
}

#[test]
fn documents_are_read_whole() {
    let text = r#"{"historical": [{"date": "2024-01-02", "close": 2.5}], "symbol": "XLK"}"#;
    let mut taken = Vec::new();
    let mut take = |batch| {
        taken.push(batch);
        Ok(())
    };
    let source = MemorySource::new(Bytes::from_static(text.as_bytes()));
    let report = load_in_pieces(
        MarketFile::Candles,
        "x.json",
        &source,
        &options(),
        &mut take,
    )
    .unwrap();
    assert_eq!((report.rows, taken.len()), (1, 1));
}
