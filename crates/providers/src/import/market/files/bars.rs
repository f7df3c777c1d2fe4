//! Bars of a table: which columns hold them, and how they become candles or series of closes.
//!
//! An adjusted close is left aside, because it contains dividends: prices here are adjusted for splits only, and the columns
//! of open, high, low and close of the usual sources already are. A file that has no column of volumes at all gives candles
//! with a volume of zero; a single missing volume is dirt.

use model::{AssetType, Candle, Day, Defect, Instrument, Market, VOLUME_MAX};
use rustc_hash::{FxHashMap, FxHashSet};

use super::FileOptions;
use super::dates::Days;
use super::names::{Target, follows_new_york, target_of};
use super::number::{self, Cell};
use super::points::Points;
use super::table::{Row, Table};
use crate::MarketBatch;
use crate::import::market::{ReadReport, Reading};

/// Names of columns, without case, blanks and signs; the first that a table has counts.
pub(super) const DATE: [&str; 13] = [
    "date",
    "observationdate",
    "datetime",
    "timestamp",
    "tradedate",
    "tradingdate",
    "day",
    "time",
    "month",
    "period",
    "t",
    "indexlevel0",
    "d",
];
pub(super) const SYMBOL: [&str; 6] = [
    "symbol",
    "ticker",
    "code",
    "instrument",
    "tickersymbol",
    "s",
];
const OPEN: [&str; 4] = ["open", "openprice", "openingprice", "o"];
const HIGH: [&str; 4] = ["high", "highprice", "dayhigh", "h"];
const LOW: [&str; 4] = ["low", "lowprice", "daylow", "l"];
const CLOSE: [&str; 10] = [
    "close",
    "closelast",
    "closeprice",
    "closingprice",
    "last",
    "lastprice",
    "price",
    "settle",
    "value",
    "c",
];
const VOLUME: [&str; 5] = ["volume", "vol", "totalvolume", "sharestraded", "v"];

/// Why a row is no bar.
pub(super) const NO_SYMBOL: &str = "the symbol is none";
pub(super) const NO_CLOSE: &str = "there is no close";
const NO_PRICE: &str = "a price is missing";
const NO_NUMBER: &str = "a price is not a number";
const NO_VOLUME: &str = "the volume is missing";

/// Where in a table the bars are.
#[derive(Clone, Copy, Debug)]
pub(super) struct BarColumns {
    pub(super) date: Option<usize>,
    open: Option<usize>,
    high: Option<usize>,
    low: Option<usize>,
    close: Option<usize>,
    volume: Option<usize>,
}

impl BarColumns {
    /// The columns of a table; `None` where it has no day or no close.
    pub(super) fn find(table: &Table<'_>) -> Option<Self> {
        let date = table.find(&DATE);
        let close = table.find(&CLOSE);
        (date.is_some() && close.is_some()).then(|| Self {
            date,
            open: table.find(&OPEN),
            high: table.find(&HIGH),
            low: table.find(&LOW),
            close,
            volume: table.find(&VOLUME),
        })
    }

    /// Whether there are whole bars or only closes.
    pub(super) const fn closes_only(&self) -> bool {
        self.open.is_none() || self.high.is_none() || self.low.is_none()
    }

    /// The columns that are read.
    pub(super) fn used(&self) -> Vec<Option<usize>> {
        if self.closes_only() {
            return vec![self.date, self.close];
        }
        vec![
            self.date,
            self.open,
            self.high,
            self.low,
            self.close,
            self.volume,
        ]
    }

    /// The bar of a row; with only closes all four prices are the close.
    pub(super) fn read(&self, row: &Row<'_>, days: Days) -> Result<Candle, String> {
        let day = days.read(row.get(self.date))?;
        let close = price(row.get(self.close), NO_CLOSE)?;
        if self.closes_only() {
            return Ok(flat(day, close));
        }
        let volume = match number::read_volume(row.get(self.volume)) {
            _ if self.volume.is_none() => 0.0,
            Cell::Number(value) => value,
            Cell::Missing => return Err(NO_VOLUME.to_owned()),
            Cell::Bad => return Err(Defect::Volume.to_string()),
        };
        Ok(Candle {
            day,
            open: price(row.get(self.open), NO_PRICE)?,
            high: price(row.get(self.high), NO_PRICE)?,
            low: price(row.get(self.low), NO_PRICE)?,
            close,
            volume,
        })
    }
}

fn price(text: &str, missing: &str) -> Result<f64, String> {
    match number::read(text) {
        Cell::Number(value) => Ok(value),
        Cell::Missing => Err(missing.to_owned()),
        Cell::Bad => Err(NO_NUMBER.to_owned()),
    }
}

/// A bar of which only the close is known.
pub(super) const fn flat(day: Day, close: f64) -> Candle {
    Candle {
        day,
        open: close,
        high: close,
        low: close,
        close,
        volume: 0.0,
    }
}

/// Gathers bars under what they belong to.
pub(super) struct Bars<'o> {
    options: &'o FileOptions<'o>,
    market: Market,
    closes_only: bool,
    places: FxHashMap<String, Option<usize>>,
    targets: FxHashMap<Target, usize>,
    gathered: Vec<(Target, Vec<(Candle, u64)>)>,
}

impl<'o> Bars<'o> {
    /// Nothing yet.
    pub(super) fn new(options: &'o FileOptions<'o>, market: Market, closes_only: bool) -> Self {
        Self {
            options,
            market,
            closes_only,
            places: FxHashMap::default(),
            targets: FxHashMap::default(),
            gathered: Vec::new(),
        }
    }

    /// Where the bars of a written symbol are gathered, if it is one.
    pub(super) fn place(&mut self, symbol: &str) -> Option<usize> {
        if let Some(place) = self.places.get(symbol) {
            return *place;
        }
        let place = target_of(symbol, self.market, self.closes_only).map(|target| self.at(target));
        self.places.insert(symbol.to_owned(), place);
        place
    }

    /// Where the bars of a target are gathered.
    pub(super) fn at(&mut self, target: Target) -> usize {
        let next = self.gathered.len();
        let place = *self.targets.entry(target.clone()).or_insert(next);
        if place == next {
            self.gathered.push((target, Vec::new()));
        }
        place
    }

    /// Adds a bar if it is sound, or says why not.
    pub(super) fn push(&mut self, place: usize, line: u64, candle: Candle) -> Result<(), String> {
        let Some((target, bars)) = self.gathered.get_mut(place) else {
            return Err(NO_SYMBOL.to_owned());
        };
        let mut checked = candle;
        // The volume of an index or a currency is nobody's: it is not kept and cannot be wrong.
        if matches!(target, Target::Series(_)) && !(0.0..=VOLUME_MAX).contains(&checked.volume) {
            checked.volume = 0.0;
        }
        if let Some(defect) = checked.defect() {
            return Err(defect.to_string());
        }
        if follows_new_york(target) && (self.options.closed)(candle.day) {
            return Err(Defect::NoSession.to_string());
        }
        bars.push((checked, line));
        Ok(())
    }

    /// Puts everything into a batch: candles with their bare instruments, closes as series.
    pub(super) fn finish(self, source: &str, report: &mut ReadReport, batch: &mut MarketBatch) {
        let mut points = Points::default();
        let named: FxHashSet<_> = batch.instruments.iter().map(Instrument::key).collect();
        for (target, mut bars) in self.gathered {
            match target {
                Target::Series(id) => {
                    for (bar, line) in bars {
                        points.push(&id, line, bar.day, bar.close);
                    }
                }
                Target::Candles(key) => {
                    // Stable: among equal days the lines keep their order.
                    bars.sort_by_key(|(bar, _)| bar.day);
                    let mut kept: Vec<Candle> = Vec::with_capacity(bars.len());
                    for (bar, line) in bars {
                        if kept.last().is_some_and(|last| last.day == bar.day) {
                            report.refuse(line, Defect::RepeatedDay.to_string());
                        } else {
                            kept.push(bar);
                        }
                    }
                    if kept.is_empty() {
                        continue;
                    }
                    if !named.contains(&key) {
                        let asset_type = match key.market {
                            Market::Stock => AssetType::Equity,
                            Market::Crypto => AssetType::Crypto,
                        };
                        let bare = Instrument::bare(key.symbol.clone(), asset_type);
                        batch.instruments.push(bare);
                    }
                    batch.candles.push((key, kept));
                }
            }
        }
        batch.candles.sort_by(|(one, _), (other, _)| one.cmp(other));
        batch.series.extend(points.finish(source, report));
    }
}

/// Whose the bars of a table are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose<'w> {
    /// The symbol stands in this column.
    Column(usize),
    /// All are of this symbol.
    All(&'w str),
}

/// Reads all bars of a table.
pub(super) fn read_table(
    table: &Table<'_>,
    columns: BarColumns,
    whose: Whose<'_>,
    mut bars: Bars<'_>,
    source: &str,
) -> Reading {
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let mut used = columns.used();
    if let Whose::Column(column) = whose {
        used.push(Some(column));
    }
    let order = table.survey(columns.date, &used, report);
    let days = Days {
        order,
        today: bars.options.today,
    };
    table.each(|row| {
        let symbol = match whose {
            Whose::Column(column) => row.get(Some(column)),
            Whose::All(symbol) => symbol,
        };
        let read = bars
            .place(symbol)
            .ok_or_else(|| NO_SYMBOL.to_owned())
            .and_then(|place| bars.push(place, row.line, columns.read(&row, days)?));
        if let Err(reason) = read {
            report.refuse(row.line, reason);
        }
    });
    bars.finish(source, report, &mut reading.batch);
    reading
}
