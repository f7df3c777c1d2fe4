//! One instrument: its description, its candles, its latest price.

use std::sync::Arc;

use market::actions::{Split, Splits};
use market::screener::sessions_before;
use market::{CandleColumns, Candles, Day, Measured, Range};
use model::{AssetType, Instrument, Quote, Symbol, Timestamp};

use super::renaming::Span;
use super::{DataIssue, PointInTime};

/// How many sessions older than the newest session a price may be before it is called old and is excluded from
/// rankings and signals.
pub const MAX_AGE: u32 = 5;

/// The number of sessions after the last one within which a candle of a delisted share is a late settlement; with a
/// later candle, the share still trades.
const SETTLED: u32 = 5;

/// An instrument with its candles.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Its description.
    pub instrument: Instrument,
    /// Its newest candles in their current state, in the scale of all splits.
    pub(super) candles: Arc<CandleColumns>,
    /// Its splits.
    pub(super) splits: Arc<Splits>,
    /// Whether the store has older candles.
    pub(super) is_cut: bool,
    /// When the newest correction became known.
    pub(super) last_correction: Option<Timestamp>,
    /// When the newest of its candles was written to the store.
    pub(super) recorded_at: Option<Timestamp>,
    /// Its latest quote.
    pub quote: Option<Quote>,
    /// The series that its candles are made from, if only its closes are on record.
    pub(super) closes: Option<String>,
    /// The other symbols of its company.
    pub(super) classes: Arc<[Symbol]>,
    /// The company's former symbols that nobody else uses now, newest first.
    pub(super) former: Arc<[Symbol]>,
    /// The symbols that it has traded under, newest first, each with its days; empty if it has always had the same
    /// one.
    pub(super) spans: Arc<[Span]>,
    /// For each span, the first and last day for which it supplied candles.
    pub(super) given: Arc<[Option<(Day, Day)>]>,
    /// The day from which records under its symbol are its own.
    pub(super) own_from: Day,
}

/// The candles of an instrument as known at a point in time.
#[derive(Clone, Debug, Default)]
pub struct HistoryView {
    columns: Arc<CandleColumns>,
    end: usize,
}

impl HistoryView {
    pub(super) fn new(columns: Arc<CandleColumns>, newest: Day) -> Self {
        let end = columns.view().until(newest).len();
        Self { columns, end }
    }

    /// The candles up to a given day.
    #[must_use]
    pub fn until(mut self, day: Day) -> Self {
        self.end = self.candles().until(day).len();
        self
    }

    /// The candles.
    pub fn candles(&self) -> Candles<'_> {
        self.columns.view().bars(0, self.end)
    }
}

/// A price and how it compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PricePoint {
    /// The latest price: a quote between closes, otherwise the newest close.
    pub current: f64,
    /// The change from the previous close, in units of price.
    pub change: Option<f64>,
    /// The same change in percent.
    pub change_pct: Option<f64>,
    /// Shares or coins traded in its session, if volumes are known.
    pub volume: Option<f64>,
    /// When it was paid; for a close, when its session ended.
    pub updated_at: Timestamp,
    /// The session in which it was paid.
    pub day: Day,
}

impl Listing {
    /// An instrument for which only the description is known.
    #[cfg(test)]
    pub(super) fn bare(instrument: Instrument) -> Self {
        Self {
            instrument,
            candles: Arc::default(),
            splits: Arc::default(),
            is_cut: false,
            last_correction: None,
            recorded_at: None,
            quote: None,
            closes: None,
            classes: Arc::default(),
            former: Arc::default(),
            spans: Arc::default(),
            given: Arc::default(),
            own_from: Day::MIN,
        }
    }

    /// What kind of instrument it is.
    pub fn asset_type(&self) -> AssetType {
        self.instrument.asset_type
    }

    /// Whether it is an index: it has a level and is not an instrument that anybody can hold.
    pub fn is_index(&self) -> bool {
        self.ticker().starts_with('^')
    }

    /// Whether it is never split, so that every price is the one actually paid.
    pub fn is_never_split(&self) -> bool {
        self.is_index() || self.asset_type().never_closes()
    }

    /// The wire word for its kind: `equity`, `etf`, `crypto` or `index`.
    pub fn kind(&self) -> &'static str {
        if self.is_index() {
            "index"
        } else {
            self.asset_type().as_str()
        }
    }

    /// States that only companies have something, if this is not one: `a fund`, `a coin`, `an index`.
    pub fn only_companies(&self, what: &str) -> Option<String> {
        let kind = match self.kind() {
            "equity" => return None,
            "etf" => "a fund",
            "crypto" => "a coin",
            _ => "an index",
        };
        Some(format!(
            "{what} are of companies; {} is {kind}",
            self.ticker()
        ))
    }

    /// Whether its candles are made from a series of closes.
    pub fn is_of_closes(&self) -> bool {
        self.closes.is_some()
    }

    /// The splits contained in its prices from a given day on, as known at a point in time: those after that day,
    /// oldest first.
    pub fn splits_since(&self, day: Day, when: PointInTime) -> Vec<Split> {
        let contained = self.splits.iter().filter(|split| {
            split.no_later_than.unwrap_or(split.ex_date) > day && split.ex_date <= when.scale()
        });
        contained.copied().collect()
    }

    /// Its splits, including future ones.
    pub(crate) fn splits(&self) -> &Splits {
        &self.splits
    }

    /// The first day on record for its company under any of its symbols; `None` if nothing belonged to anybody else.
    pub(super) fn first_day(&self) -> Option<Day> {
        let former = self.spans.iter().skip(1).map(|span| span.from).min();
        Some(former.unwrap_or(Day::MAX).min(self.own_from)).filter(|first| *first > Day::MIN)
    }

    /// Whether it traded under its own symbol on a given day or earlier; if there are no candles nobody can tell, so
    /// it counts as if it had.
    pub(super) fn traded_by(&self, day: Day) -> bool {
        let first = match self.given.first() {
            Some(own) => own.map(|(first, _)| first),
            None => self.candles.view().days().first().copied(),
        };
        first.is_none_or(|first| first <= day)
    }

    /// The symbol that its company had on a given day, if it has had more than one.
    pub(super) fn symbol_on(&self, day: Day) -> Option<&Symbol> {
        let mut spans = self.spans.iter();
        let span = spans.find(|span| span.from <= day && day < span.before);
        span.map(|span| &span.symbol)
    }

    /// The last session in which it can be traded, if that is known and none of these candles is from much later. If
    /// something ended under its symbol before it took the symbol over, that was another company. If a share still
    /// trades, it moved to another exchange, or its symbol was reused.
    pub(super) fn last_session(&self, candles: Candles<'_>) -> Option<Day> {
        let own_from = self.spans.first().map_or(Day::MIN, |own| own.from);
        let newest = candles.days().last().copied();
        let trades_on = |last: Day| {
            let settled = |newest| sessions_before(newest, SETTLED, self.asset_type());
            newest.is_some_and(|newest| last < settled(newest))
        };
        let last = self.instrument.delisted?;
        (last >= own_from && !trades_on(last)).then_some(last)
    }

    /// The last session in which it could be traded, if that had passed at a point in time.
    pub fn delisted(&self, when: PointInTime) -> Option<Day> {
        let newest = when.newest_day(self.asset_type());
        let known = self.candles.view().until(newest);
        self.last_session(known).filter(|last| *last < newest)
    }

    /// Notes that it no longer trades, if so.
    pub fn delisting(&self, field: &'static str, when: PointInTime) -> Option<DataIssue> {
        let last = self.delisted(when)?;
        let reason = format!(
            "{} was delisted; its last session was {last}",
            self.ticker()
        );
        Some(DataIssue::note(field, reason, "actions"))
    }

    /// Whether it has any candles on record.
    pub fn has_candles(&self) -> bool {
        !self.candles.view().is_empty()
    }

    /// Whether it has any price on record.
    pub(super) fn is_priced(&self) -> bool {
        self.has_candles() || self.quote.is_some()
    }

    /// Whether it has a candle on record from a given day or earlier.
    pub(crate) fn has_candles_by(&self, day: Day) -> bool {
        let first = self.candles.view().days().first().copied();
        first.is_some_and(|first| self.is_cut || first <= day)
    }

    /// Whether there are any candles on record that it traded under its own symbol.
    pub(super) fn has_bars(&self) -> bool {
        let own = self.given.first().is_none_or(Option::is_some);
        self.has_candles() && self.closes.is_none() && own
    }

    /// Its symbol.
    pub fn ticker(&self) -> &str {
        self.instrument.symbol.as_str()
    }

    /// Whether the cache has everything that was known at a point in time.
    pub(super) fn holds(&self, when: PointInTime) -> bool {
        let Some(as_of) = when.as_of else {
            return true;
        };
        let corrected_later = self.last_correction.is_some_and(|at| at > as_of);
        // At most, five years and the warm-up before them are requested.
        let reaches_back = !self.is_cut
            || self
                .candles
                .view()
                .days()
                .first()
                .is_none_or(|first| Day::of(as_of).since(*first) > 6 * 365);
        !corrected_later && reaches_back
    }

    /// The cached candles, cut off at a point in time. Only correct if [`Self::holds`].
    pub(super) fn cut(&self, when: PointInTime) -> HistoryView {
        let newest = when.newest_day(self.asset_type());
        if !self.splits_after(when) {
            return HistoryView::new(Arc::clone(&self.candles), newest);
        }
        let known = self.candles.view().until(newest);
        let then = self.splits.rescaled(known, Day::MAX, when.scale());
        HistoryView::new(Arc::new(then), newest)
    }

    /// Whether a split takes effect after a point in time, so that prices from then are in a different scale from the
    /// newest ones.
    pub(super) fn splits_after(&self, when: PointInTime) -> bool {
        self.splits.iter().any(|split| split.ex_date > when.scale())
    }

    /// Whether a price from a given day is older than it should be: more than five sessions before the newest.
    pub fn is_old(&self, day: Day, when: PointInTime) -> bool {
        day < when.signals_from(MAX_AGE, self.asset_type())
    }

    /// Notes that the newest candle is older than it should be: more than five sessions before the newest session.
    pub fn staleness(
        &self,
        field: &'static str,
        history: Candles<'_>,
        when: PointInTime,
    ) -> Option<DataIssue> {
        let newest = history.last()?.day;
        let kind = self.asset_type();
        let is_quoted = when.as_of.is_none() && self.quote.is_some();
        (self.is_old(newest, when) && !is_quoted).then(|| {
            let known_at = PointInTime::known_at(newest, kind);
            let is_newest = self.candles.view().days().last() == Some(&newest);
            DataIssue {
                newest_available: Some(known_at),
                ..DataIssue::stale(
                    field,
                    format!("the latest candle for this symbol is from {newest}"),
                    known_at,
                )
                .fetched(self.recorded_at.filter(|_| is_newest))
            }
        })
    }

    /// Notes that only its closes are on record, or no volumes, and what cannot be stated because of that.
    pub fn unmeasured(&self, field: &'static str, history: Candles<'_>) -> Option<DataIssue> {
        let reason = match history.measured() {
            Measured::Bars => return None,
            _ if history.is_empty() => return None,
            Measured::Prices => format!(
                "no volumes of {} are held; what needs them is absent",
                self.ticker()
            ),
            Measured::Closes => format!(
                "only closes of {} are held; what needs opens, highs, lows or volumes is absent",
                self.ticker()
            ),
        };
        Some(DataIssue::absent(field, reason))
    }

    /// Notes that its candles have a gap within the last year before the newest candle, after which indicators start
    /// again.
    pub fn interrupted(&self, field: &'static str, history: Candles<'_>) -> Option<DataIssue> {
        let run = history.newest_run();
        let (begins, newest) = (*run.days().first()?, *run.days().last()?);
        let before = *history.until(begins.plus(-1)).days().last()?;
        (begins > Range::OneYear.start(newest)).then(|| {
            DataIssue::absent(
                field,
                format!(
                    "no prices of {} are held between {before} and {begins}; indicators begin again after it, and what needs more sessions than there have been since is absent",
                    self.ticker()
                ),
            )
        })
    }

    /// The session of its latest price at a point in time.
    pub fn priced_on(&self, when: PointInTime) -> Option<Day> {
        let known = self
            .candles
            .view()
            .until(when.newest_day(self.asset_type()));
        let quoted = self
            .quote
            .as_ref()
            .filter(|quote| when.as_of.is_none() && quote.at <= when.end)
            .map(|quote| session_of(quote.at, self.asset_type()));
        known.days().last().copied().max(quoted)
    }

    /// The latest price at a point in time. Quotes are only for now; the past knows only closes.
    pub fn price(&self, history: Candles<'_>, when: PointInTime) -> Option<PricePoint> {
        let closed = history.last().map(|candle| {
            let before = history.close_before();
            point(
                candle.close,
                before,
                Some(candle.volume).filter(|_| history.measured().has_volumes()),
                candle.day,
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
                    quote.volume,
                    session_of(quote.at, self.asset_type()),
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

/// New York is at most five hours behind UTC, and nothing trades there between 20:00 and 04:00.
const NEW_YORK_MS: i64 = 5 * Timestamp::HOUR_MS;

/// The session that a quote belongs to.
fn session_of(at: Timestamp, kind: AssetType) -> Day {
    if kind.never_closes() {
        Day::of(at)
    } else {
        Day::of(at.plus_ms(-NEW_YORK_MS))
    }
}

fn point(
    current: f64,
    before: Option<f64>,
    volume: Option<f64>,
    day: Day,
    updated_at: Timestamp,
) -> PricePoint {
    PricePoint {
        current,
        change: before.map(|before| current - before),
        change_pct: before.map(|before| (current / before - 1.0) * 100.0),
        volume,
        day,
        updated_at,
    }
}
