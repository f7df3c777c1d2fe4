//! One instrument: its description, its candles, its newest price.

use std::sync::Arc;

use market::{CandleColumns, Candles, Day};
use model::{AssetType, Instrument, Quote, Timestamp};

use super::{DataIssue, PointInTime};

/// Days after which a newest candle is called old.
const STALE_DAYS: i32 = 7;

/// An instrument with its candles.
#[derive(Clone, Debug)]
pub struct Listing {
    /// What is known of it.
    pub instrument: Instrument,
    /// Its newest candles, as they stand now.
    pub(super) candles: Arc<CandleColumns>,
    /// Whether the store has older ones.
    pub(super) is_cut: bool,
    /// When the newest correction became known.
    pub(super) last_correction: Option<Timestamp>,
    /// Its newest price.
    pub quote: Option<Quote>,
}

/// The candles of an instrument as known at a point in time.
#[derive(Clone, Debug)]
pub struct HistoryView {
    columns: Arc<CandleColumns>,
    end: usize,
}

impl HistoryView {
    pub(super) fn new(columns: Arc<CandleColumns>, newest: Day) -> Self {
        let end = columns.view().until(newest).len();
        Self { columns, end }
    }

    /// The candles.
    pub fn candles(&self) -> Candles<'_> {
        self.columns.view().bars(0, self.end)
    }
}

/// A price and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PricePoint {
    /// The newest price: a quote between closes, else the newest close.
    pub current: f64,
    /// Against the close before it, in units of price.
    pub change: Option<f64>,
    /// The same in percent.
    pub change_pct: Option<f64>,
    /// Shares or coins of its session.
    pub volume: f64,
    /// When it was paid; a close, when its session ended.
    pub updated_at: Timestamp,
}

impl Listing {
    /// Which kind of thing it is.
    pub fn asset_type(&self) -> AssetType {
        self.instrument.asset_type
    }

    /// Whether any candle of it is held.
    pub fn has_candles(&self) -> bool {
        !self.candles.view().is_empty()
    }

    /// Its symbol.
    pub fn ticker(&self) -> &str {
        self.instrument.symbol.as_str()
    }

    /// Whether what the cache holds is all that was known at a point in time.
    pub(super) fn holds(&self, when: PointInTime) -> bool {
        let Some(as_of) = when.as_of else {
            return true;
        };
        let corrected_later = self.last_correction.is_some_and(|at| at > as_of);
        // Five years and the warm-up before them are asked for at most.
        let reaches_back = !self.is_cut
            || self
                .candles
                .view()
                .days()
                .first()
                .is_none_or(|first| Day::of(as_of).since(*first) > 6 * 365);
        !corrected_later && reaches_back
    }

    /// What the cache holds, cut at a point in time. Only right where [`Self::holds`].
    pub(super) fn cut(&self, when: PointInTime) -> HistoryView {
        HistoryView::new(
            Arc::clone(&self.candles),
            when.newest_day(self.asset_type()),
        )
    }

    /// That the newest candle is older than one would wish: more than a week before the newest session.
    pub fn staleness(
        &self,
        field: &'static str,
        history: Candles<'_>,
        when: PointInTime,
    ) -> Option<DataIssue> {
        let newest = history.last()?.day;
        let kind = self.asset_type();
        let is_quoted = when.as_of.is_none() && self.quote.is_some();
        let is_old = when.newest_day(kind).since(newest) > STALE_DAYS;
        (is_old && !is_quoted).then(|| {
            let known_at = PointInTime::known_at(newest, kind);
            DataIssue {
                newest_available: Some(known_at),
                ..DataIssue::stale(
                    field,
                    format!("the latest candle for this symbol is from {newest}"),
                    known_at,
                )
            }
        })
    }

    /// The newest price at a point in time. Quotes are of now only: the past knows closes.
    pub fn price(&self, history: Candles<'_>, when: PointInTime) -> Option<PricePoint> {
        let closed = history.last().map(|candle| {
            let before = history.len().checked_sub(2).map(|bar| history.close()[bar]);
            point(
                candle.close,
                before,
                candle.volume,
                PointInTime::known_at(candle.day, self.asset_type()),
            )
        });
        let quoted = self
            .quote
            .as_ref()
            .filter(|quote| when.as_of.is_none() && quote.at <= when.end)
            .map(|quote| {
                let before = quote
                    .previous_close
                    .or_else(|| history.last().map(|candle| candle.close));
                point(
                    quote.price,
                    before,
                    quote.volume.unwrap_or_default(),
                    quote.at,
                )
            });
        match (closed, quoted) {
            (Some(closed), Some(quoted)) if quoted.updated_at > closed.updated_at => Some(quoted),
            (Some(closed), _) => Some(closed),
            (None, quoted) => quoted,
        }
    }
}

fn point(current: f64, before: Option<f64>, volume: f64, updated_at: Timestamp) -> PricePoint {
    PricePoint {
        current,
        change: before.map(|before| current - before),
        change_pct: before.map(|before| (current / before - 1.0) * 100.0),
        volume,
        updated_at,
    }
}
