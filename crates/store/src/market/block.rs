//! Blocks: the columns of one series and year as bytes.
//!
//! One row per day would cost a hundred bytes of keys and headers for forty bytes of content, and reading five years
//! would take a thousand rows. A block stores each day as two bytes and each column as it is in memory.

use model::{Day, PriceScale, Timestamp};

use crate::{Error, Result};

/// Runs of rows with the time they were written.
const FORM: u8 = 1;
/// The same with their ranks, if any of them is not [`TOP`].
const RANKED: u8 = 2;
/// The same with who supplied them, if that is known for any of them.
const SOURCED: u8 = 3;

/// The widest row that is stored: open, high, low, close, volume.
pub(crate) const WIDTH: usize = 5;

/// One day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockRow {
    pub(crate) day: Day,
    pub(crate) values: [f64; WIDTH],
    /// When this store wrote it.
    pub(crate) recorded_at: Timestamp,
    /// Of two reports for a day, the one with the higher rank stands. For prices the rank is the scale
    /// ([`rank_of_scale`]), for values the source ([`rank_of_source`]).
    pub(crate) rank: i32,
    /// Of two reports with the same rank, the one with the higher source stands. For prices this is who supplied them
    /// ([`rank_of_source`]); 0 if unknown, and for values.
    pub(crate) source: i32,
}

impl BlockRow {
    /// What decides between two reports for a day.
    pub(crate) const fn standing(&self) -> (i32, i32) {
        (self.rank, self.source)
    }

    /// Whether it was written without recording who supplied it.
    pub(crate) const fn is_unsigned(&self) -> bool {
        self.rank == TOP && self.source == 0
    }
}

/// The rank of prices in the newest scale, and of values whose source was not recorded.
pub(crate) const TOP: i32 = i32::MAX;

/// The rank of prices: the last day whose splits they include, or a number that is not a day.
pub(crate) fn rank_of_scale(scale: PriceScale) -> i32 {
    match scale {
        PriceScale::AsTraded => i32::MIN,
        PriceScale::Through(day) => day.get(),
        PriceScale::Newest => TOP,
    }
}

/// The scale of a rank.
pub(crate) fn scale_of_rank(rank: i32) -> PriceScale {
    match rank {
        i32::MIN => PriceScale::AsTraded,
        TOP => PriceScale::Newest,
        day => Day::new(day).map_or(PriceScale::Newest, PriceScale::Through),
    }
}

/// The rank of whoever supplies values or prices. Original publishers come before those who pass data on, and those
/// come before files that do not say whose they are. Within each group the name decides, so that the result is the same
/// whichever was read first. An empty name has rank 0.
pub(crate) fn rank_of_source(source: &str) -> i32 {
    let authority = match source {
        "US Treasury" | "ECB" | "EIA" => 2,
        "FRED" => 1,
        _ => 0,
    };
    let name = source.bytes().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    (authority << 24) | (name & 0x00ff_ffff).cast_signed()
}

/// The year of a day, and the first day of that year.
pub(crate) fn year_of(day: Day) -> (i64, Day) {
    let date = day.date();
    let first = Day::from_date(date.first_of_year());
    (i64::from(date.year()), first)
}

/// The bytes for the rows of a series in one year, ascending by day; `width` columns of each row are stored.
pub(crate) fn encode(rows: &[BlockRow], width: usize) -> Vec<u8> {
    let Some(first) = rows.first().map(|row| year_of(row.day).1) else {
        return Vec::new();
    };
    let runs = runs(rows);
    let is_sourced = rows.iter().any(|row| row.source != 0);
    let is_ranked = is_sourced || rows.iter().any(|row| row.rank != TOP);
    let mut bytes = Vec::with_capacity(6 + runs.len() * 18 + rows.len() * (2 + 8 * width));
    bytes.push(match (is_sourced, is_ranked) {
        (true, _) => SOURCED,
        (false, true) => RANKED,
        (false, false) => FORM,
    });
    bytes.push(width as u8);
    bytes.extend((rows.len() as u16).to_le_bytes());
    bytes.extend((runs.len() as u16).to_le_bytes());
    for run in runs {
        bytes.extend(run.count.to_le_bytes());
        bytes.extend(run.at.ms().to_le_bytes());
        if is_ranked {
            bytes.extend(run.rank.to_le_bytes());
        }
        if is_sourced {
            bytes.extend(run.source.to_le_bytes());
        }
    }
    for row in rows {
        bytes.extend((row.day.since(first) as u16).to_le_bytes());
    }
    for column in 0..width {
        for row in rows {
            bytes.extend(row.values[column].to_le_bytes());
        }
    }
    bytes
}

/// Neighbouring rows that one source wrote together with one rank.
struct Run {
    count: u16,
    at: Timestamp,
    rank: i32,
    source: i32,
}

fn runs(rows: &[BlockRow]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some(run) if (run.at, (run.rank, run.source)) == (row.recorded_at, row.standing()) => {
                run.count += 1;
            }
            _ => runs.push(Run {
                count: 1,
                at: row.recorded_at,
                rank: row.rank,
                source: row.source,
            }),
        }
    }
    runs
}

/// The rows in bytes made by [`encode`] for a series and year.
pub(crate) fn decode(bytes: &[u8], series: &str, year: i64) -> Result<Vec<BlockRow>> {
    read(bytes, year).ok_or_else(|| Error::corrupt("block", format!("{series} {year}")))
}

fn read(bytes: &[u8], year: i64) -> Option<Vec<BlockRow>> {
    let mut reader = Reader(bytes);
    let [form, width] = reader.take::<2>()?;
    let width = usize::from(width);
    if !matches!(form, FORM | RANKED | SOURCED) || !(1..=WIDTH).contains(&width) {
        return None;
    }
    let rows = usize::from(u16::from_le_bytes(reader.take()?));
    let runs = usize::from(u16::from_le_bytes(reader.take()?));
    let first = jiff::civil::Date::new(i16::try_from(year).ok()?, 1, 1).ok()?;
    let first = Day::from_date(first);
    let mut recorded = Vec::with_capacity(rows);
    for _ in 0..runs {
        let count = u16::from_le_bytes(reader.take()?);
        let at = Timestamp::from_ms(i64::from_le_bytes(reader.take()?));
        let rank = match form {
            FORM => TOP,
            _ => i32::from_le_bytes(reader.take()?),
        };
        let source = match form {
            SOURCED => i32::from_le_bytes(reader.take()?),
            _ => 0,
        };
        recorded.extend(std::iter::repeat_n((at, rank, source), usize::from(count)));
    }
    if recorded.len() != rows || reader.0.len() != rows * (2 + 8 * width) {
        return None;
    }
    let (days, columns) = reader.0.split_at(rows * 2);
    let (days, _) = days.as_chunks::<2>();
    let (values, _) = columns.as_chunks::<8>();
    let rows = days
        .iter()
        .zip(recorded)
        .enumerate()
        .map(|(place, (day, (recorded_at, rank, source)))| {
            let mut row = [0.0; WIDTH];
            for (column, value) in row.iter_mut().enumerate().take(width) {
                *value = f64::from_le_bytes(values[column * rows + place]);
            }
            BlockRow {
                day: first.plus(i32::from(u16::from_le_bytes(*day))),
                values: row,
                recorded_at,
                rank,
                source,
            }
        })
        .collect();
    Some(rows)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(day: &str, value: f64, at: i64) -> BlockRow {
        BlockRow {
            day: Day::parse(day).unwrap(),
            values: [value, value + 1.0, value - 1.0, value, 1e9],
            recorded_at: Timestamp::from_ms(at),
            rank: TOP,
            source: 0,
        }
    }

    #[test]
    fn what_is_written_reads_back_bit_by_bit() {
        let mut rows = vec![
            row("2024-01-01", 0.1 + 0.2, 5),
            row("2024-02-29", 1e-12, 5),
            row("2024-12-31", 1e15, 9),
        ];
        let read = decode(&encode(&rows, WIDTH), "stock:A", 2024).unwrap();
        assert_eq!(read, rows);
        let narrow = decode(&encode(&rows, 1), "macro:GDP", 2024).unwrap();
        assert_eq!(narrow[2].values, [1e15, 0.0, 0.0, 0.0, 0.0]);
        rows[0].rank = rank_of_scale(PriceScale::AsTraded);
        let day = Day::parse("2024-06-09").unwrap();
        rows[1].rank = rank_of_scale(PriceScale::Through(day));
        let scaled = decode(&encode(&rows, WIDTH), "stock:A", 2024).unwrap();
        assert_eq!(scaled, rows);
        rows[2].source = rank_of_source("Yahoo");
        let sourced = decode(&encode(&rows, WIDTH), "stock:A", 2024).unwrap();
        assert_eq!(sourced, rows);
    }

    #[test]
    fn bytes_that_were_cut_are_an_error() {
        let bytes = encode(&[row("2024-01-01", 1.0, 5)], WIDTH);
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length], "x", 2024).is_err());
        }
    }
}
