//! Market data as rows: instruments, candles, series of values and quotes.
//!
//! Candles and values are stored in blocks of one year (see [`block`](crate::market::block)). The time a candle could
//! first be known is not stored: it is the close of its session, which the calendar knows, and readers cut off at their
//! as-of time. What is stored with a time is a correction. If a source reports a day again with other numbers, that is
//! added as a layer, known from then on, and the first report stays. If two sources report a day, the same report
//! stands from the beginning, whichever comes first.

mod block;
mod layers;
mod quotes;
mod transaction;

use std::collections::HashMap;

use model::{
    Candle, Instrument, InstrumentKey, Market, Observation, PriceScale, Series, SeriesId,
    SimulatedSentiment, Symbol, Timestamp,
};
use uuid::Uuid;

use self::block::BlockRow;
use crate::database::{Database, parameters, values};
use crate::{Error, Result};

use layers::Layers;
pub use quotes::QuoteRow;
pub use transaction::{MarketTransaction, Written};

pub(crate) const CANDLE: &str = "candle";
pub(crate) const VALUE: &str = "value";
pub(crate) const SENTIMENT: &str = "tone";

/// How many keys one read of many series covers.
const CHUNK: usize = 64;

/// A series as it was known at a point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct History<T> {
    /// Its rows, ascending by day, including those for days that had not closed at that time.
    pub rows: Vec<T>,
    /// When the newest correction to any of its days became known, whether or not that was before that time. Another
    /// source saying the same is not a correction.
    pub last_correction: Option<Timestamp>,
    /// When its newest row was written here.
    pub recorded_at: Option<Timestamp>,
}

/// A candle, and which splits its prices include.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaledCandle {
    /// The candle as reported.
    pub candle: Candle,
    /// The splits it includes.
    pub scale: PriceScale,
}

/// The state of the market data after its last change. It increases with every change in any process, and outlives the
/// processes. Equal values for one store mean equal data, even if a backup was restored and other data reached the same
/// count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MarketVersions {
    /// Changes to everything but quotes.
    pub market: i64,
    /// Drawn at random with each of these changes.
    pub market_mark: i64,
    /// Changes to quotes.
    pub quotes: i64,
    /// Drawn at random with each of these changes.
    pub quotes_mark: i64,
}

/// Writes a mark: its name and value.
const PUT_MARK: &str = "INSERT INTO counter (name, value) VALUES ($1, $2) \
                        ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// A number that no other history has at the same version.
fn fresh_mark() -> i64 {
    let (high, _) = Uuid::new_v4().as_u64_pair();
    high.cast_signed()
}

/// An instrument, and the version of the market data at which it last changed.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredInstrument {
    /// Its metadata.
    pub instrument: Instrument,
    /// Increases with every change to its profile or candles.
    pub version: i64,
}

/// The market data.
#[derive(Clone, Copy, Debug)]
pub struct MarketData<'a> {
    pub(crate) database: &'a Database,
}

impl MarketData<'_> {
    /// Increases with every change to market data other than quotes, in any process.
    pub async fn version(&self) -> Result<i64> {
        self.database
            .number(
                "SELECT value FROM counter WHERE name = 'market'",
                Vec::new(),
            )
            .await
    }

    /// The versions of the market data and of the quotes.
    pub async fn versions(&self) -> Result<MarketVersions> {
        let sql = "SELECT name, value FROM counter WHERE name IN ('market', 'market_mark', 'quote', 'quote_mark')";
        let mut versions = MarketVersions::default();
        for row in self.database.rows(sql, Vec::new()).await? {
            let value = row.int(1)?;
            match row.text(0)?.as_str() {
                "market" => versions.market = value,
                "market_mark" => versions.market_mark = value,
                "quote" => versions.quotes = value,
                _ => versions.quotes_mark = value,
            }
        }
        Ok(versions)
    }

    /// How many instruments there are.
    pub async fn count(&self) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM instrument";
        Ok(self.database.number(sql, Vec::new()).await?.max(0) as u64)
    }

    /// The instruments that changed after a version; all of them after -1.
    pub async fn instruments_since(&self, version: i64) -> Result<Vec<StoredInstrument>> {
        let sql =
            "SELECT document, version FROM instrument WHERE version > $1 ORDER BY market, symbol";
        let rows = self.database.rows(sql, values![version]).await?;
        rows.iter()
            .map(|row| {
                let document = row.text(0)?;
                Ok(StoredInstrument {
                    instrument: serde_json::from_str(&document)
                        .map_err(|_| Error::corrupt("instrument", document))?,
                    version: row.int(1)?,
                })
            })
            .collect()
    }

    /// The candles of an instrument as reported, whatever their scales.
    pub async fn candles(
        &self,
        key: &InstrumentKey,
        as_of: Option<Timestamp>,
    ) -> Result<History<Candle>> {
        let history = self.history(CANDLE, &key.to_string(), as_of).await?;
        Ok(history.map(candle))
    }

    /// The candles of an instrument with their scales.
    pub async fn scaled_candles(
        &self,
        key: &InstrumentKey,
        as_of: Option<Timestamp>,
    ) -> Result<History<ScaledCandle>> {
        let history = self.history(CANDLE, &key.to_string(), as_of).await?;
        Ok(history.map(scaled))
    }

    /// The candles of many instruments since the first day of a year; instruments without candles are left out.
    pub async fn candles_of(
        &self,
        keys: &[InstrumentKey],
        first_year: i64,
    ) -> Result<Vec<(InstrumentKey, History<ScaledCandle>)>> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(CHUNK) {
            let names: HashMap<String, &InstrumentKey> =
                chunk.iter().map(|key| (key.to_string(), key)).collect();
            let sql = format!(
                "SELECT series, year, layer, known_at, body FROM block WHERE kind = $1 AND year >= $2 \
                 AND series IN ({}) ORDER BY series, year, layer",
                parameters(3, chunk.len())
            );
            let mut values = values![CANDLE, first_year];
            values.extend(chunk.iter().map(|key| key.to_string().into()));
            let mut layers = Layers::new(None);
            let mut current = String::new();
            for row in self.database.rows(sql, values).await? {
                let series = row.text(0)?;
                if series != current {
                    take(&mut found, &names, &current, &mut layers);
                    current.clone_from(&series);
                }
                layers.add(
                    &series,
                    row.int(1)?,
                    row.int(2)?,
                    row.time(3)?,
                    &row.blob(4)?,
                )?;
            }
            take(&mut found, &names, &current, &mut layers);
        }
        Ok(found)
    }

    /// The series of one kind.
    pub async fn series(&self, kind: &str) -> Result<Vec<Series>> {
        let sql = "SELECT document FROM series WHERE id >= $1 AND id < $2 ORDER BY id";
        // A semicolon is the character after the colon.
        let values = values![format!("{kind}:"), format!("{kind};")];
        self.database
            .rows(sql, values)
            .await?
            .iter()
            .map(|row| series_row(&row.text(0)?))
            .collect()
    }

    /// The metadata of a series.
    pub async fn find_series(&self, id: &SeriesId) -> Result<Option<Series>> {
        let sql = "SELECT document FROM series WHERE id = $1";
        let row = self.database.row(sql, values![&id.0]).await?;
        row.map(|row| series_row(&row.text(0)?)).transpose()
    }

    /// The values of a series.
    pub async fn values(
        &self,
        id: &SeriesId,
        as_of: Option<Timestamp>,
    ) -> Result<History<Observation>> {
        let history = self.history(VALUE, &id.0, as_of).await?;
        Ok(history.map(|row| Observation {
            day: row.day,
            value: row.values[0],
        }))
    }

    /// The simulated sentiment for a symbol, on days before there was a newswire.
    pub async fn simulated_sentiment(&self, symbol: &Symbol) -> Result<Vec<SimulatedSentiment>> {
        let history = self.history(SENTIMENT, symbol.as_str(), None).await?;
        Ok(history.map(simulated_sentiment).rows)
    }

    /// The simulated sentiment for every symbol.
    pub async fn all_simulated_sentiment(&self) -> Result<Vec<(Symbol, Vec<SimulatedSentiment>)>> {
        let sql = "SELECT series, year, layer, known_at, body FROM block WHERE kind = $1 \
                   ORDER BY series, year, layer";
        let mut found: Vec<(Symbol, Vec<SimulatedSentiment>)> = Vec::new();
        for row in self.database.rows(sql, values![SENTIMENT]).await? {
            let name = row.text(0)?;
            let mut layers = Layers::new(None);
            layers.add(&name, row.int(1)?, row.int(2)?, row.time(3)?, &row.blob(4)?)?;
            let rows = layers.finish().map(simulated_sentiment).rows;
            match found.last_mut() {
                Some((symbol, days)) if symbol.as_str() == name => days.extend(rows),
                _ => {
                    let symbol =
                        Symbol::parse(&name).ok_or_else(|| Error::corrupt("block", name))?;
                    found.push((symbol, rows));
                }
            }
        }
        Ok(found)
    }

    async fn history(
        &self,
        kind: &str,
        series: &str,
        as_of: Option<Timestamp>,
    ) -> Result<History<BlockRow>> {
        let sql = "SELECT year, layer, known_at, body FROM block WHERE kind = $1 AND series = $2 \
                   ORDER BY year, layer";
        let mut layers = Layers::new(as_of);
        for row in self.database.rows(sql, values![kind, series]).await? {
            layers.add(
                series,
                row.int(0)?,
                row.int(1)?,
                row.time(2)?,
                &row.blob(3)?,
            )?;
        }
        Ok(layers.finish())
    }
}

impl<T> History<T> {
    fn map<U>(self, change: impl Fn(T) -> U) -> History<U> {
        History {
            rows: self.rows.into_iter().map(change).collect(),
            last_correction: self.last_correction,
            recorded_at: self.recorded_at,
        }
    }
}

fn take(
    found: &mut Vec<(InstrumentKey, History<ScaledCandle>)>,
    names: &HashMap<String, &InstrumentKey>,
    series: &str,
    layers: &mut Layers,
) {
    let history = std::mem::replace(layers, Layers::new(None)).finish();
    if let Some(key) = names.get(series)
        && !history.rows.is_empty()
    {
        found.push(((*key).clone(), history.map(scaled)));
    }
}

fn scaled(row: BlockRow) -> ScaledCandle {
    ScaledCandle {
        scale: block::scale_of_rank(row.rank),
        candle: candle(row),
    }
}

fn candle(row: BlockRow) -> Candle {
    let [open, high, low, close, volume] = row.values;
    Candle {
        day: row.day,
        open,
        high,
        low,
        close,
        volume,
    }
}

fn simulated_sentiment(row: BlockRow) -> SimulatedSentiment {
    let [avg_sentiment, min_sentiment, max_sentiment, brief_count, _] = row.values;
    SimulatedSentiment {
        day: row.day,
        avg_sentiment,
        min_sentiment,
        max_sentiment,
        brief_count,
    }
}

fn series_row(document: &str) -> Result<Series> {
    serde_json::from_str(document).map_err(|_| Error::corrupt("series", document))
}

/// The instrument named by a row's market and symbol.
pub(crate) fn instrument_key(market: &str, symbol: &str) -> Option<InstrumentKey> {
    Some(InstrumentKey {
        market: Market::find(market)?,
        symbol: Symbol::parse(symbol)?,
    })
}
