//! The one transaction that writes market data.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use model::{
    Candle, Instrument, InstrumentKey, Observation, PriceScale, Series, SeriesId,
    SimulatedSentiment, Symbol, Timestamp,
};

use super::layers::Year;
use super::{CANDLE, PUT_MARK, SENTIMENT, VALUE, fresh_mark, instrument_key};
use crate::database::{Database, Tx, Value, WriteLock, parameters, values};
use crate::market::block::{
    self, BlockRow, TOP, WIDTH, rank_of_scale, rank_of_source, scale_of_rank, year_of,
};
use crate::record::{NewRecord, Record, RecordWriter};
use crate::{Error, Result};

/// The prefix of a coin's series.
const COIN: &str = "crypto:";

/// How many rows may wait before they are written, so that memory stays bounded.
const WAITING: usize = 512;

/// What became of the rows passed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows that did not exist yet.
    pub added: u64,
    /// Rows that already existed with the same content.
    pub known: u64,
    /// Rows that existed with other content: appended as corrections or as newer versions, or put in place of
    /// lower-ranked rows.
    pub corrected: u64,
    /// Rows that differ from the existing ones but have an older scale or come from a lower-ranked source: the existing
    /// ones stay.
    pub superseded: u64,
}

impl Written {
    /// Adds other counts to these.
    pub fn add(&mut self, other: Self) {
        self.added += other.added;
        self.known += other.known;
        self.corrected += other.corrected;
        self.superseded += other.superseded;
    }

    /// How many rows were passed in.
    pub const fn total(self) -> u64 {
        self.added + self.known + self.corrected + self.superseded
    }
}

/// The one transaction that writes market data. Writers in all processes queue for it; dropping it rolls it back.
#[derive(Debug)]
pub struct MarketTransaction {
    tx: Tx,
    recorded_at: Timestamp,
    version: i64,
    /// Whether anything was written.
    changed: bool,
    blocks: Vec<Value>,
    /// By kind: the series written so far, if no block of the kind was stored before; nobody looks up any others.
    fresh: HashMap<&'static str, Option<HashSet<String>>>,
    touched: BTreeSet<InstrumentKey>,
    /// Instruments that were touched and have not been written yet.
    noted: BTreeMap<InstrumentKey, Instrument>,
    records: RecordWriter,
}

impl MarketTransaction {
    pub(crate) async fn begin(database: &Database, recorded_at: Timestamp) -> Result<Self> {
        let mut tx = database.begin_locked(WriteLock::Market).await?;
        // The lock is ours until the commit, so nobody else changes the count in the meantime.
        let sql = "SELECT value FROM counter WHERE name = 'market'";
        let version = tx.number(sql, Vec::new()).await? + 1;
        Ok(Self {
            tx,
            recorded_at,
            version,
            changed: false,
            blocks: Vec::new(),
            fresh: HashMap::new(),
            touched: BTreeSet::new(),
            noted: BTreeMap::new(),
            records: RecordWriter::new(recorded_at),
        })
    }

    /// Adds instruments or completes their metadata.
    pub async fn put_instruments(&mut self, instruments: &[Instrument]) -> Result<Written> {
        self.write_noted().await?;
        let mut written = Written::default();
        let mut wanted: BTreeMap<InstrumentKey, Instrument> = BTreeMap::new();
        for instrument in instruments {
            let key = instrument.key();
            let merged = match wanted.remove(&key) {
                Some(before) => before.merged(instrument.clone()),
                None => instrument.clone(),
            };
            wanted.insert(key, merged);
        }
        let stored = self.stored(wanted.keys()).await?;
        let mut rows = Vec::new();
        for (key, instrument) in wanted {
            let merged = if let Some(before) = stored.get(&key) {
                let merged = before.clone().merged(instrument);
                if merged == *before {
                    written.known += 1;
                    continue;
                }
                written.corrected += 1;
                merged
            } else {
                written.added += 1;
                instrument
            };
            rows.extend(self.instrument_row(&key, &merged)?);
        }
        self.write_instruments(rows).await?;
        Ok(written)
    }

    /// Adds candles for an instrument whose prices are adjusted by whoever supplies them.
    pub async fn put_candles(
        &mut self,
        instrument: &Instrument,
        candles: &[Candle],
    ) -> Result<Written> {
        self.put_scaled_candles(instrument, candles, PriceScale::Newest, "")
            .await
    }

    /// Adds candles for an instrument: ascending by day, sound, all in one scale and supplied by one source. An
    /// instrument that nobody has listed is recorded by its symbol. Of two reports for a day, the one with the newer
    /// scale stands. With equal scales it is always that of the same source, whichever comes first, so the order in
    /// which files are imported does not matter. Between two sources, this holds from the beginning: only a later
    /// report from the same source that says something different is a correction.
    pub async fn put_scaled_candles(
        &mut self,
        instrument: &Instrument,
        candles: &[Candle],
        scale: PriceScale,
        source: &str,
    ) -> Result<Written> {
        let (rank, source) = (rank_of_scale(scale), rank_of_source(source));
        let mut rows = self.candle_rows(candles);
        for row in &mut rows {
            (row.rank, row.source) = (rank, source);
        }
        let series = instrument.key().to_string();
        let had_changed = std::mem::replace(&mut self.changed, false);
        let written = self.put(CANDLE, &series, WIDTH, &rows).await?;
        if self.changed {
            self.touch(instrument);
        }
        self.changed |= had_changed;
        Ok(written)
    }

    /// Writes candles for days that are already stored, with the scale and source of the row in force for each day.
    /// They stand from the beginning: what they replace was never right.
    pub async fn restate_candles(
        &mut self,
        instrument: &Instrument,
        candles: &[Candle],
    ) -> Result<Written> {
        let series = instrument.key().to_string();
        let mut years = self.years(CANDLE, &series, i64::MIN, i64::MAX).await?;
        let mut written = Written::default();
        for mut row in self.candle_rows(candles) {
            let Some(year) = years.get_mut(&year_of(row.day).0) else {
                continue;
            };
            let Some(before) = year.standing(row.day).copied() else {
                continue;
            };
            if before.values == row.values {
                written.known += 1;
                continue;
            }
            (row.rank, row.source) = before.standing();
            year.replace(row);
            written.corrected += 1;
        }
        for (number, year) in years {
            self.push_year((CANDLE, series.as_str(), number), WIDTH, year);
        }
        self.write_many_blocks().await?;
        if written.corrected > 0 {
            self.changed = true;
            self.touch(instrument);
        }
        Ok(written)
    }

    fn candle_rows(&self, candles: &[Candle]) -> Vec<BlockRow> {
        let rows = candles.iter().map(|candle| {
            let prices = [candle.open, candle.high, candle.low, candle.close];
            let [open, high, low, close] = prices;
            (candle.day, [open, high, low, close, candle.volume])
        });
        self.rows(rows)
    }

    /// The candles of an instrument that are in force, with their scales, including those written in this transaction.
    pub async fn standing_candles(
        &mut self,
        key: &InstrumentKey,
    ) -> Result<Vec<(Candle, PriceScale)>> {
        let years = self
            .years(CANDLE, &key.to_string(), i64::MIN, i64::MAX)
            .await?;
        let mut candles: Vec<(Candle, PriceScale)> = years
            .values()
            .flat_map(Year::all_standing)
            .map(|row| (super::candle(*row), scale_of_rank(row.rank)))
            .collect();
        candles.sort_by_key(|(candle, _)| candle.day);
        Ok(candles)
    }

    /// Records that something about an instrument has changed, so that caches read it again.
    pub fn touch(&mut self, instrument: &Instrument) {
        let key = instrument.key();
        if self.touched.insert(key.clone()) {
            self.noted.insert(key, instrument.clone());
        }
    }

    /// Writes the touched instruments: as they are stored, or as they were recorded if nobody has listed them.
    async fn write_noted(&mut self) -> Result<()> {
        if self.noted.is_empty() {
            return Ok(());
        }
        let noted = std::mem::take(&mut self.noted);
        let mut stored = self.stored(noted.keys()).await?;
        let mut rows = Vec::new();
        for (key, instrument) in noted {
            let instrument = stored.remove(&key).unwrap_or(instrument);
            rows.extend(self.instrument_row(&key, &instrument)?);
        }
        self.write_instruments(rows).await
    }

    /// The stored instrument with that key.
    pub async fn find_instrument(&mut self, key: &InstrumentKey) -> Result<Option<Instrument>> {
        self.write_noted().await?;
        Ok(self.stored([key]).await?.remove(key))
    }

    /// Adds values to a series, ascending by day and finite, and stores the metadata of the series.
    pub async fn put_values(
        &mut self,
        series: &Series,
        observations: &[Observation],
    ) -> Result<Written> {
        self.put_series(series).await?;
        let rows = observations
            .iter()
            .map(|one| (one.day, [one.value, 0.0, 0.0, 0.0, 0.0]));
        let mut rows = self.rows(rows);
        let rank = rank_of_source(&series.source);
        for row in &mut rows {
            row.rank = rank;
        }
        self.put(VALUE, &series.id.0, 1, &rows).await
    }

    /// Adds simulated sentiment.
    pub async fn put_simulated_sentiment(
        &mut self,
        symbol: &Symbol,
        days: &[SimulatedSentiment],
    ) -> Result<Written> {
        let rows = days.iter().map(|one| {
            let values = [
                one.avg_sentiment,
                one.min_sentiment,
                one.max_sentiment,
                one.brief_count,
                0.0,
            ];
            (one.day, values)
        });
        let rows = self.rows(rows);
        self.put(SENTIMENT, symbol.as_str(), 4, &rows).await
    }

    /// Adds records, each with the time it became known. If a record's identity is already known with other content,
    /// the earlier version is closed.
    pub async fn put_records<R: Record>(
        &mut self,
        records: impl IntoIterator<Item = (R, Timestamp)>,
    ) -> Result<Written> {
        let mut new = Vec::new();
        for (record, known_at) in records {
            new.push(NewRecord::of(&record, known_at)?);
        }
        let written = self.records.put(&mut self.tx, new).await?;
        self.changed |= written.added + written.corrected > 0 || self.records.has_replaced;
        Ok(written)
    }

    /// The records of a bundle that are in force at the end of time.
    pub async fn bundle<R: Record>(&mut self, bundle: &str) -> Result<Vec<R>> {
        self.records.bundle(&mut self.tx, bundle).await
    }

    /// Gives symbols to records stored without one because no listing named their company yet: `name` returns the
    /// record with its symbol, or nothing. The time from which it is known stays the same. Returns how many got a
    /// symbol.
    pub async fn name_records<R: Record>(
        &mut self,
        name: impl Fn(R) -> Option<R> + Send,
    ) -> Result<u64> {
        /// How many records are looked through at a time.
        const PAGE: u64 = 2_000;
        let mut after = String::new();
        let mut named = 0;
        loop {
            let page = self
                .records
                .without_symbol::<R>(&mut self.tx, &after, PAGE)
                .await?;
            let Some((_, last)) = page.last() else {
                break;
            };
            after = last.facets().id;
            let is_whole = (page.len() as u64) < PAGE;
            for (known_from, record) in page {
                let id = record.facets().id;
                let Some(record) = name(record) else {
                    continue;
                };
                let version = (id.as_str(), known_from);
                let is_new = self.records.restate(&mut self.tx, version, &record).await?;
                named += u64::from(is_new);
            }
            if is_whole {
                break;
            }
        }
        self.changed |= named > 0;
        Ok(named)
    }

    /// Closes the record in force with that identity. `false` if there is none.
    pub async fn close_record<R: Record>(&mut self, id: &str, at: Timestamp) -> Result<bool> {
        let closed = self.records.close(&mut self.tx, R::KIND, id, at).await?;
        self.changed |= closed;
        Ok(closed)
    }

    /// Makes everything visible at once. The version increases if something has changed.
    pub async fn commit(mut self) -> Result<()> {
        self.write_noted().await?;
        self.write_blocks().await?;
        if self.changed {
            let sql = "INSERT INTO counter (name, value) VALUES ('market', $1) \
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            self.tx.queue(sql, values![self.version]).await?;
            self.tx
                .queue(PUT_MARK, values!["market_mark", fresh_mark()])
                .await?;
        }
        self.tx.commit().await
    }

    fn rows(&self, rows: impl Iterator<Item = (model::Day, [f64; WIDTH])>) -> Vec<BlockRow> {
        rows.map(|(day, values)| BlockRow {
            day,
            values,
            recorded_at: self.recorded_at,
            rank: TOP,
            source: 0,
        })
        .collect()
    }

    async fn put_series(&mut self, series: &Series) -> Result<()> {
        let document = serde_json::to_string(series).map_err(|source| Error::Encode {
            table: "series",
            source,
        })?;
        let SeriesId(id) = &series.id;
        let sql = "SELECT document FROM series WHERE id = $1";
        let rows = self.tx.rows(sql, values![id.clone()]).await?;
        let known = rows.first().map(|row| row.text(0)).transpose()?;
        let known: Option<Series> = known.and_then(|known| serde_json::from_str(&known).ok());
        let is_behind =
            |known: &Series| rank_of_source(&known.source) > rank_of_source(&series.source);
        if known.as_ref().is_some_and(is_behind) {
            return Ok(());
        }
        let sql = "INSERT INTO series (id, document) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE \
                   SET document = excluded.document WHERE series.document <> excluded.document";
        let touched = self.tx.execute(sql, values![id, document]).await?;
        self.changed |= touched > 0;
        Ok(())
    }

    async fn put(
        &mut self,
        kind: &'static str,
        series: &str,
        width: usize,
        rows: &[BlockRow],
    ) -> Result<Written> {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(Written::default());
        };
        let (from, to) = (year_of(first.day).0, year_of(last.day).0);
        let mut stored = self.years(kind, series, from, to).await?;
        let mut written = Written::default();
        let mut rest = rows;
        while let Some(first) = rest.first() {
            let (year, begins) = year_of(first.day);
            let next = year_of(begins.plus(366)).1;
            let end = rest.partition_point(|row| row.day < next);
            let (of_year, later) = rest.split_at(end);
            rest = later;
            let year_before = stored.remove(&year).unwrap_or_default();
            written.add(self.put_year(kind, series, year, width, year_before, of_year));
        }
        self.write_many_blocks().await?;
        Ok(written)
    }

    fn put_year(
        &mut self,
        kind: &'static str,
        series: &str,
        year: i64,
        width: usize,
        mut stored: Year,
        rows: &[BlockRow],
    ) -> Written {
        let mut written = Written::default();
        if stored.is_new() && rows.is_sorted_by(|left, right| left.day < right.day) {
            written.added = rows.len() as u64;
            self.changed = true;
            self.push_block((kind, series, year), 0, block::encode(rows, width));
            return written;
        }
        // Rows stored before their source was recorded give way; share prices without a source are of the newest scale.
        let gives_way = kind == VALUE || series.starts_with(COIN);
        let mut corrections = Vec::new();
        for row in rows {
            let Some(standing) = stored.standing(row.day).copied() else {
                stored.replace(*row);
                written.added += 1;
                continue;
            };
            let is_same = standing.values[..width] == row.values[..width];
            let is_passed_by = if is_same {
                // The same numbers from a higher-ranked source: a later report that differs must not bypass it. But
                // merely naming the source of a row stored without one is not worth a layer.
                let is_only_named = row.rank == standing.rank && standing.source == 0;
                row.standing() <= standing.standing() || is_only_named
            } else {
                let gives_way = gives_way && standing.is_unsigned();
                standing.standing() > row.standing() && !gives_way
            };
            match (is_same, is_passed_by) {
                (true, _) => written.known += 1,
                (false, true) => written.superseded += 1,
                (false, false) => written.corrected += 1,
            }
            if is_passed_by {
                continue;
            }
            // Nobody corrects another source's report. Had the row come first, the other would have been passed over.
            if is_of_another(kind, row, &standing) {
                stored.replace(*row);
            } else {
                corrections.push(*row);
            }
        }
        stored.correct(corrections);
        self.push_year((kind, series, year), width, stored);
        written
    }

    /// The changes to a year, to be written.
    fn push_year(
        &mut self,
        (kind, series, number): (&'static str, &str, i64),
        width: usize,
        year: Year,
    ) {
        for (layer, rows) in year.into_changed() {
            self.changed = true;
            let body = block::encode(&rows, width);
            self.push_block((kind, series, number), layer, body);
        }
    }

    /// A layer to be written. The first one contains what every row says itself: when it was recorded. A layer that is
    /// written again stays known from when it was first written.
    fn push_block(
        &mut self,
        (kind, series, year): (&'static str, &str, i64),
        layer: i64,
        body: Vec<u8>,
    ) {
        if let Some(Some(written)) = self.fresh.get_mut(kind) {
            written.insert(series.to_owned());
        }
        let known_at = match layer {
            0 => Timestamp::from_ms(0),
            _ => self.recorded_at,
        };
        self.blocks
            .extend(values![kind, series, year, layer, known_at, body]);
    }

    async fn years(
        &mut self,
        kind: &'static str,
        series: &str,
        from: i64,
        to: i64,
    ) -> Result<HashMap<i64, Year>> {
        if self.is_new_series(kind, series).await? {
            return Ok(HashMap::new());
        }
        // Waiting rows may belong to the same series.
        if !self.blocks.is_empty() && self.waits(series) {
            self.write_blocks().await?;
        }
        let sql = "SELECT year, layer, body FROM block WHERE kind = $1 AND series = $2 AND year >= $3 AND year <= $4 \
                   ORDER BY year, layer";
        let mut years: HashMap<i64, Year> = HashMap::new();
        for row in self.tx.rows(sql, values![kind, series, from, to]).await? {
            let year = row.int(0)?;
            let rows = block::decode(&row.blob(2)?, series, year)?;
            years.entry(year).or_default().add(row.int(1)?, rows);
        }
        Ok(years)
    }

    /// Whether no block of a series is stored or waiting to be stored.
    async fn is_new_series(&mut self, kind: &'static str, series: &str) -> Result<bool> {
        if !self.fresh.contains_key(kind) {
            let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM block WHERE kind = $1 LIMIT 1) AS first";
            let is_fresh = self.tx.number(sql, values![kind]).await? == 0;
            self.fresh.insert(kind, is_fresh.then(HashSet::new));
        }
        let written = self.fresh.get(kind).and_then(Option::as_ref);
        Ok(written.is_some_and(|written| !written.contains(series)))
    }

    fn waits(&self, series: &str) -> bool {
        self.blocks
            .chunks(6)
            .any(|row| matches!(&row[1], Value::Text(Some(waiting)) if waiting == series))
    }

    /// Writes the waiting rows once there are many.
    async fn write_many_blocks(&mut self) -> Result<()> {
        if self.blocks.len() < WAITING {
            return Ok(());
        }
        self.write_blocks().await
    }

    async fn write_blocks(&mut self) -> Result<()> {
        self.tx
            .queue_insert(
                "INSERT INTO block (kind, series, year, layer, known_at, body) VALUES",
                "ON CONFLICT (kind, series, year, layer) DO UPDATE SET body = excluded.body",
                6,
                std::mem::take(&mut self.blocks),
            )
            .await
    }

    async fn stored<'k>(
        &mut self,
        keys: impl IntoIterator<Item = &'k InstrumentKey>,
    ) -> Result<HashMap<InstrumentKey, Instrument>> {
        let keys: Vec<&InstrumentKey> = keys.into_iter().collect();
        let mut found = HashMap::new();
        for chunk in keys.chunks(64) {
            let sql = format!(
                "SELECT market, symbol, document FROM instrument WHERE symbol IN ({})",
                parameters(1, chunk.len())
            );
            let names = chunk.iter().map(|key| key.symbol.as_str().into()).collect();
            for row in self.tx.rows(sql, names).await? {
                let symbol = row.text(1)?;
                let key = instrument_key(&row.text(0)?, &symbol)
                    .ok_or_else(|| Error::corrupt("instrument", symbol.clone()))?;
                let instrument = serde_json::from_str(&row.text(2)?)
                    .map_err(|_| Error::corrupt("instrument", symbol))?;
                found.insert(key, instrument);
            }
        }
        Ok(found)
    }

    fn instrument_row(&self, key: &InstrumentKey, instrument: &Instrument) -> Result<Vec<Value>> {
        let document = serde_json::to_string(instrument).map_err(|source| Error::Encode {
            table: "instrument",
            source,
        })?;
        Ok(values![
            key.market.as_str(),
            key.symbol.as_str(),
            document,
            self.version
        ])
    }

    async fn write_instruments(&mut self, rows: Vec<Value>) -> Result<()> {
        self.changed |= !rows.is_empty();
        self.tx
            .queue_insert(
                "INSERT INTO instrument (market, symbol, document, version) VALUES",
                "ON CONFLICT (market, symbol) DO UPDATE SET document = excluded.document, version = excluded.version",
                4,
                rows,
            )
            .await
    }
}

/// Whether a row is known to come from a different source than the row in force for its day.
fn is_of_another(kind: &'static str, row: &BlockRow, standing: &BlockRow) -> bool {
    // For values the rank says whose they are, for prices their source.
    let (source, other, nobody) = match kind {
        VALUE => (row.rank, standing.rank, TOP),
        _ => (row.source, standing.source, 0),
    };
    source != other && source != nobody && other != nobody
}
