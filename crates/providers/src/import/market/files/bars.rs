//! Bars in a table: which columns contain them, and how they become candles or series of closes.
//!
//! An adjusted close is ignored, because it contains dividends: prices here are adjusted for splits only, and the
//! open, high, low and close columns of the usual sources already are. A file without any volume column gives candles
//! with a volume of zero; a single missing volume is an error in its row.
//!
//! A long table is handed over in pieces as it is collected. All that is kept is which days each symbol has, one bit
//! per day, so that a repeated day is found however far apart its rows are.

use model::{
    AssetType, Candle, Day, Defect, Instrument, Market, MarketBatch, PriceScale, VOLUME_MAX,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::FileOptions;
use super::dates::Days;
use super::names::{Target, follows_new_york, target_of};
use super::number::{self, Cell};
use super::points::Points;
use super::settlements;
use super::table::{Line, Row, TOO_LONG, Table};
use crate::import::market::{ReadError, ReadReport, Reading};

/// Column names, ignoring case, spaces and punctuation; the first that a table has is used.
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

/// Why a row is not a bar.
pub(super) const NO_SYMBOL: &str = "the symbol is invalid";
pub(super) const NO_CLOSE: &str = "the close is missing";
const NO_PRICE: &str = "a price is missing";
const NO_NUMBER: &str = "a price is not a number";
const NO_VOLUME: &str = "the volume is missing";
const TOO_MANY: &str = "the file has more symbols than one import takes";

/// Most symbols in one file; there are fewer listed in the whole world.
const SYMBOLS_MAX: usize = 200_000;

/// Longest text that may be a symbol.
const LONGEST_SYMBOL: usize = 64;

/// Bars collected before they are handed over, some 30 MiB.
pub(super) const PIECE: usize = 500_000;

/// The position of the bars in a table.
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
    /// The columns of a table; `None` if it has no day or no close.
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

    /// Whether there are complete bars or only closes.
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

    /// The bar in a row; with only closes, all four prices are the close.
    pub(super) fn parse(&self, row: &Row<'_>, days: Days) -> Result<Candle, String> {
        let day = days.parse(row.get(self.date))?;
        let close = price(row.get(self.close), NO_CLOSE)?;
        if self.closes_only() {
            return Ok(flat(day, close));
        }
        let volume = match number::parse_volume(row.get(self.volume)) {
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
    match number::parse(text) {
        Cell::Number(value) => Ok(value),
        Cell::Missing => Err(missing.to_owned()),
        Cell::Bad => Err(NO_NUMBER.to_owned()),
    }
}

/// A bar for which only the close is known.
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

/// Collects bars under the instrument or series to which they belong.
pub(super) struct Bars<'o> {
    options: &'o FileOptions<'o>,
    market: Market,
    closes_only: bool,
    places: FxHashMap<String, Option<usize>>,
    targets: FxHashMap<Target, usize>,
    gathered: Vec<Gathered>,
    count: usize,
    /// The newest day that the file is known to have.
    newest: Option<Day>,
}

/// The bars of one target.
struct Gathered {
    target: Target,
    bars: Vec<(Candle, u64)>,
    days: DaySet,
    /// Whether its instrument has been handed over.
    is_named: bool,
}

/// Days, one bit for each.
#[derive(Debug, Default)]
struct DaySet(Vec<(i32, [u64; 4])>);

impl DaySet {
    /// Adds a day; returns whether it is new.
    fn insert(&mut self, day: Day) -> bool {
        let number = day.get();
        let (block, bit) = (number.div_euclid(256), number.rem_euclid(256) as usize);
        let place = match self.0.binary_search_by_key(&block, |(block, _)| *block) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, (block, [0; 4]));
                place
            }
        };
        let Some((_, bits)) = self.0.get_mut(place) else {
            return false;
        };
        let mask = 1 << (bit % 64);
        let is_new = bits[bit / 64] & mask == 0;
        bits[bit / 64] |= mask;
        is_new
    }
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
            count: 0,
            newest: None,
        }
    }

    /// Where the bars of a written symbol are collected, or why they are not.
    pub(super) fn place(&mut self, symbol: &str) -> Result<usize, String> {
        let known = match self.places.get(symbol) {
            Some(place) => *place,
            None if symbol.len() > LONGEST_SYMBOL => None,
            None => {
                let target = target_of(symbol, self.market, self.closes_only);
                let place = target.map(|target| self.at(target)).transpose()?;
                if self.places.len() < SYMBOLS_MAX {
                    self.places.insert(symbol.to_owned(), place);
                }
                place
            }
        };
        known.ok_or_else(|| NO_SYMBOL.to_owned())
    }

    /// Where the bars of a target are collected, or why they are not.
    pub(super) fn at(&mut self, target: Target) -> Result<usize, String> {
        if let Some(place) = self.targets.get(&target) {
            return Ok(*place);
        }
        let place = self.gathered.len();
        if place >= SYMBOLS_MAX {
            return Err(TOO_MANY.to_owned());
        }
        self.targets.insert(target.clone(), place);
        self.gathered.push(Gathered {
            target,
            bars: Vec::new(),
            days: DaySet::default(),
            is_named: false,
        });
        Ok(place)
    }

    /// Adds a bar if it is valid, or says why not. If a day is repeated, the first bar is kept.
    pub(super) fn push(&mut self, place: usize, line: u64, candle: Candle) -> Result<(), String> {
        let Some(gathered) = self.gathered.get_mut(place) else {
            return Err(NO_SYMBOL.to_owned());
        };
        let mut checked = candle;
        // The volume of an index or a currency is meaningless: it is not kept and cannot be wrong.
        if matches!(gathered.target, Target::Series(_))
            && !(0.0..=VOLUME_MAX).contains(&checked.volume)
        {
            checked.volume = 0.0;
        }
        let defect = match &gathered.target {
            Target::Series(id) if settlements::are_of(id) && self.closes_only => {
                settlements::defect(checked.close)
            }
            Target::Series(id) if settlements::are_of(id) => settlements::defect_of_bar(&checked),
            _ => checked.defect(),
        };
        if let Some(defect) = defect {
            return Err(defect.to_string());
        }
        if follows_new_york(&gathered.target) && (self.options.closed)(candle.day) {
            return Err(Defect::NoSession.to_string());
        }
        if !gathered.days.insert(candle.day) {
            return Err(Defect::RepeatedDay.to_string());
        }
        gathered.bars.push((checked, line));
        self.newest = self.newest.max(Some(candle.day));
        self.count += 1;
        Ok(())
    }

    /// Records until when the author of the file knew prices: up to then its prices contain the splits.
    pub(super) fn is_through(&mut self, day: Option<Day>) {
        self.newest = self.newest.max(day.map(|day| day.min(self.options.today)));
    }

    /// How many bars have been collected and not handed over.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Puts everything that has been collected into a batch: candles with their bare instruments, closes as series.
    pub(super) fn hand_over(
        &mut self,
        source: &str,
        report: &mut ReadReport,
        batch: &mut MarketBatch,
    ) {
        self.count = 0;
        let through = self.newest.map(PriceScale::Through);
        batch.scale = self.options.scale.or(through).unwrap_or_default();
        source.clone_into(&mut batch.source);
        let mut points = Points::default();
        let named: FxHashSet<_> = batch.instruments.iter().map(Instrument::key).collect();
        for gathered in &mut self.gathered {
            let mut bars = std::mem::take(&mut gathered.bars);
            if bars.is_empty() {
                continue;
            }
            match &gathered.target {
                Target::Series(id) => {
                    for (bar, line) in bars {
                        points.push(id, line, bar.day, bar.close);
                    }
                }
                Target::Candles(key) => {
                    bars.sort_by_key(|(bar, _)| bar.day);
                    if !gathered.is_named && !named.contains(key) {
                        let asset_type = match key.market {
                            Market::Stock => AssetType::Equity,
                            Market::Crypto => AssetType::Crypto,
                        };
                        let bare = Instrument::bare(key.symbol.clone(), asset_type);
                        batch.instruments.push(bare);
                    }
                    gathered.is_named = true;
                    let bars = bars.into_iter().map(|(bar, _)| bar).collect();
                    batch.candles.push((key.clone(), bars));
                }
            }
        }
        batch.candles.sort_by(|(one, _), (other, _)| one.cmp(other));
        batch.series.extend(points.finish(source, report));
    }
}

/// The symbol to which a table's bars belong.
#[derive(Clone, Copy, Debug)]
pub(super) enum BarSymbol<'w> {
    /// The symbol is in this column.
    Column(usize),
    /// All belong to this symbol.
    All(&'w str),
}

/// Receives a piece of a table's contents.
pub(super) type Take<'t> = &'t mut dyn FnMut(MarketBatch) -> Result<(), ReadError>;

/// Reads all bars of a table at once.
pub(super) fn parse_table(
    table: &Table<'_>,
    columns: BarColumns,
    bar_symbol: BarSymbol<'_>,
    bars: Bars<'_>,
    source: &str,
) -> Result<Reading, ReadError> {
    let mut whole = MarketBatch::default();
    let mut take = |batch| {
        whole = batch;
        Ok(())
    };
    let report = load_in_pieces(
        table,
        columns,
        bar_symbol,
        bars,
        source,
        (usize::MAX, &mut take),
    )?;
    Ok(Reading {
        batch: whole,
        report,
    })
}

/// Reads all bars of a table and hands them over in pieces of this size.
pub(super) fn load_in_pieces(
    table: &Table<'_>,
    columns: BarColumns,
    bar_symbol: BarSymbol<'_>,
    mut bars: Bars<'_>,
    source: &str,
    (piece, take): (usize, Take<'_>),
) -> Result<ReadReport, ReadError> {
    let mut report = ReadReport::default();
    let mut used = columns.used();
    if let BarSymbol::Column(column) = bar_symbol {
        used.push(Some(column));
    }
    let taught = table.survey(columns.date, &used, &mut report)?;
    bars.is_through(taught.newest());
    let days = Days {
        taught,
        today: bars.options.today,
    };
    table.try_each(|line| {
        let row = match line {
            Line::Row(row) => row,
            Line::TooLong(line) => {
                report.refuse(line, TOO_LONG);
                return Ok(());
            }
        };
        let symbol = match bar_symbol {
            BarSymbol::Column(column) => row.get(Some(column)),
            BarSymbol::All(symbol) => symbol,
        };
        let read = bars
            .place(symbol)
            .and_then(|place| bars.push(place, row.line, columns.parse(&row, days)?));
        if let Err(reason) = read {
            report.refuse(row.line, reason);
        }
        if bars.count() >= piece {
            let mut batch = MarketBatch::default();
            bars.hand_over(source, &mut report, &mut batch);
            take(batch)?;
        }
        Ok(())
    })?;
    let mut batch = MarketBatch::default();
    bars.hand_over(source, &mut report, &mut batch);
    take(batch)?;
    Ok(report)
}
