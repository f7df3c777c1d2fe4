//! The screener: which symbols satisfy every filter, over a snapshot that is kept up to date.
//!
//! A [`Snapshot`] holds one row per symbol; whoever learns something new (a candle, a brief, a filing) replaces the row. A
//! question reads the rows once and sorts only what is shown. Orders: sentiment highest first, RSI lowest first (the most
//! oversold), P/E lowest first, market value and volume highest first; equal values and rows without a value, which come
//! last, by ticker. What has no price, or only one of long before the newest session that is known, takes no part where the
//! question says from when on ([`Screen::max_age`]).

pub mod industry;
pub mod natural;
pub mod presets;
pub mod sector;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::str::FromStr;

use model::AssetType;

use crate::beta::fifty_two_week;
use crate::filters::{FilterKey, Filters, Metric};
use crate::indicators::macd::macd;
use crate::indicators::rsi::{self, rsi};
use crate::indicators::sma::sma;
use crate::{Candles, Day, Range, UnknownWord, calendar};
use industry::Industry;

/// Symbols with a price of one session from which on it counts as the newest: one that is delivered early does not make all
/// others old.
const SESSION_SYMBOLS: usize = 10;

/// Days before a stretch of time among which the close lies that its change counts from.
const LEAD_IN_DAYS: i32 = 10;

/// Days of the mean volume.
pub const VOLUME_PERIOD: u16 = 20;

/// The order of the matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each order names itself")]
pub enum SortBy {
    #[default]
    Sentiment,
    Rsi,
    PeRatio,
    MarketCap,
    Volume,
}

impl SortBy {
    /// Every order.
    pub const ALL: [Self; 5] = [
        Self::Sentiment,
        Self::Rsi,
        Self::PeRatio,
        Self::MarketCap,
        Self::Volume,
    ];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sentiment => "sentiment",
            Self::Rsi => "rsi",
            Self::PeRatio => "pe_ratio",
            Self::MarketCap => "market_cap",
            Self::Volume => "volume",
        }
    }

    /// The metric, and whether its highest value comes first.
    const fn metric(self) -> (Metric, bool) {
        match self {
            Self::Sentiment => (Metric::Sentiment, true),
            Self::Rsi => (Metric::Rsi, false),
            Self::PeRatio => (Metric::PeRatio, false),
            Self::MarketCap => (Metric::MarketCap, true),
            Self::Volume => (Metric::Volume, true),
        }
    }
}

impl FromStr for SortBy {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|order| order.as_str() == text)
            .ok_or(UnknownWord("sentiment, rsi, pe_ratio, market_cap, volume"))
    }
}

/// What candles alone say of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the filters")]
pub struct PriceMetrics {
    /// The session of the price.
    pub date: Option<Day>,
    pub price: Option<f64>,
    pub change_pct: Option<f64>,
    pub rsi_14: Option<f64>,
    pub macd_histogram: Option<f64>,
    pub sma_20: Option<f64>,
    pub sma_50: Option<f64>,
    pub sma_200: Option<f64>,
    /// Mean daily volume of 20 days; `None` where volumes are not known.
    pub volume: Option<f64>,
    /// How far the price lies below the highest and above the lowest price of 52 weeks, in percent of these.
    pub from_52w_high: Option<f64>,
    pub from_52w_low: Option<f64>,
    /// Since the last close of the year before, in percent.
    pub change_ytd: Option<f64>,
    /// Over twelve months, in percent.
    pub change_1y: Option<f64>,
}

impl PriceMetrics {
    /// The metrics at the newest candle, over the history that `range=5y` returns. Indicators and the mean of volumes count from the
    /// newest hole in it on.
    pub fn newest(history: Candles<'_>) -> Self {
        let candles = history.within(Range::FiveYears);
        let run = candles.newest_run();
        let close = run.close();
        Self {
            date: candles.days().last().copied(),
            price: close.last().copied(),
            change_pct: candles.change_pct(),
            rsi_14: rsi(close).last().filter(|_| has_moved(close)),
            macd_histogram: macd(close).histogram.last(),
            sma_20: sma(close, 20).last(),
            sma_50: sma(close, 50).last(),
            sma_200: sma(close, 200).last(),
            volume: sma(run.volume(), VOLUME_PERIOD)
                .last()
                .filter(|_| candles.measured().has_volumes()),
            from_52w_high: below_high(candles),
            from_52w_low: above_low(candles),
            change_ytd: change_ytd(candles),
            change_1y: change_1y(candles),
        }
    }
}

/// How far the newest close lies below the highest price of the 52 weeks that end with it, in percent of that.
pub(crate) fn below_high(history: Candles<'_>) -> Option<f64> {
    let (high, _) = fifty_two_week(history)?;
    let close = history.close().last()?;
    Some((1.0 - close / high) * 100.0).filter(|percent| percent.is_finite())
}

/// How far the newest close lies above the lowest price of the 52 weeks that end with it, in percent of that.
pub(crate) fn above_low(history: Candles<'_>) -> Option<f64> {
    let (_, low) = fifty_two_week(history)?;
    let close = history.close().last()?;
    Some((close / low - 1.0) * 100.0).filter(|percent| percent.is_finite())
}

/// The change since the last close of the year before, in percent.
pub(crate) fn change_ytd(history: Candles<'_>) -> Option<f64> {
    let newest = history.days().last()?;
    change_since(history, Day::from_date(newest.date().first_of_year()))
}

/// The change over the twelve months that end with the newest close, in percent.
pub(crate) fn change_1y(history: Candles<'_>) -> Option<f64> {
    let newest = history.days().last()?;
    change_since(history, newest.months_before(12).plus(1))
}

/// The change since the last close before a day, which lies at most ten days before it.
fn change_since(history: Candles<'_>, day: Day) -> Option<f64> {
    let after = history.days().partition_point(|other| *other < day);
    let place = after.checked_sub(1)?;
    let is_near = day.since(history.days()[place]) <= LEAD_IN_DAYS;
    let (before, close) = (history.close()[place], history.close().last()?);
    let change = (close / before - 1.0) * 100.0;
    (is_near && change.is_finite()).then_some(change)
}

/// Whether the price moved within the window of the RSI. TA-Lib answers 0 for a price that does not, which is no sign of
/// weakness, so filters take it for no value.
pub(crate) fn has_moved(close: &[f64]) -> bool {
    let window = &close[close.len().saturating_sub(usize::from(rsi::PERIOD) + 1)..];
    window.windows(2).any(|pair| pair[0] != pair[1])
}

/// One symbol of the snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct ScreenerRow {
    pub ticker: String,
    pub entity_name: String,
    pub sector: String,
    pub asset_type: AssetType,
    /// ISO 4217 code of the price.
    pub currency: String,
    pub prices: PriceMetrics,
    /// 0 to 1; `None` without briefs.
    pub sentiment_score: Option<f64>,
    /// Of companies with profit; others have none.
    pub pe_ratio: Option<f64>,
    /// In 10⁹ USD.
    pub market_cap_b: Option<f64>,
    /// Dividends of twelve months over the price, in percent.
    pub dividend_yield: Option<f64>,
    /// Revenue of twelve months against those a year before, in percent.
    pub revenue_growth: Option<f64>,
    /// Earnings per share of twelve months against those a year before, in percent.
    pub eps_growth: Option<f64>,
    /// Net income of revenue, in percent.
    pub profit_margin: Option<f64>,
    /// Interest-bearing debt over equity.
    pub debt_to_equity: Option<f64>,
    /// Such as `NASDAQ`; empty where it is not known.
    pub exchange: String,
    /// Sub-industry; empty where it is not known.
    pub industry: String,
}

impl ScreenerRow {
    /// The value of a metric. Numbers that are not finite, and a P/E that is not positive, count as missing.
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        let prices = &self.prices;
        let value = match metric {
            Metric::Price | Metric::Close => prices.price,
            Metric::Rsi => prices.rsi_14,
            Metric::Sentiment => self.sentiment_score,
            Metric::PeRatio => self.pe_ratio.filter(|ratio| *ratio > 0.0),
            Metric::MarketCap => self.market_cap_b,
            Metric::DividendYield => self.dividend_yield,
            Metric::Volume => prices.volume,
            Metric::MacdHistogram => prices.macd_histogram,
            Metric::Sma20 => prices.sma_20,
            Metric::Sma50 => prices.sma_50,
            Metric::Sma200 => prices.sma_200,
            Metric::BelowHigh => prices.from_52w_high,
            Metric::AboveLow => prices.from_52w_low,
            Metric::ChangeYtd => prices.change_ytd,
            Metric::ChangeYear => prices.change_1y,
            Metric::RevenueGrowth => self.revenue_growth,
            Metric::EpsGrowth => self.eps_growth,
            Metric::ProfitMargin => self.profit_margin,
            Metric::DebtToEquity => self.debt_to_equity,
        };
        value.filter(|value| value.is_finite())
    }

    /// The sentiment, unless the price is of before a day; without a price it stands alone.
    pub fn sentiment_beside(&self, oldest: Option<Day>) -> Option<f64> {
        let is_apart = self.prices.date.zip(oldest);
        let is_apart = is_apart.is_some_and(|(date, oldest)| date < oldest);
        self.sentiment_score.filter(|_| !is_apart)
    }
}

/// One row per symbol, kept up to date.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    rows: Vec<ScreenerRow>,
    place: HashMap<String, usize>,
}

impl Snapshot {
    /// Adds a symbol or replaces its row.
    pub fn upsert(&mut self, row: ScreenerRow) {
        if let Some(place) = self.place.get(&row.ticker) {
            self.rows[*place] = row;
        } else {
            self.place.insert(row.ticker.clone(), self.rows.len());
            self.rows.push(row);
        }
    }

    /// The row of a symbol.
    pub fn find(&self, ticker: &str) -> Option<&ScreenerRow> {
        self.rows.get(*self.place.get(ticker)?)
    }

    /// The newest session in which at least ten symbols of a kind have a price; where none has ten, the newest with any.
    pub fn newest_session(&self, asset_type: AssetType) -> Option<Day> {
        let rows = self.rows.iter().filter(|row| row.asset_type == asset_type);
        newest_session(rows.filter_map(|row| row.prices.date).collect())
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl FromIterator<ScreenerRow> for Snapshot {
    fn from_iter<I: IntoIterator<Item = ScreenerRow>>(rows: I) -> Self {
        let mut snapshot = Self::default();
        for row in rows {
            snapshot.upsert(row);
        }
        snapshot
    }
}

/// The newest of these days that at least ten of them are; where there is none, the newest.
pub fn newest_session(mut days: Vec<Day>) -> Option<Day> {
    days.sort_unstable_by(|one, other| other.cmp(one));
    let newest = days.first().copied();
    let shared = days
        .chunk_by(|one, other| one == other)
        .find(|same| same.len() >= SESSION_SYMBOLS);
    shared.map(|same| same[0]).or(newest)
}

/// The day so many sessions before another; of what never closes so many days.
pub fn sessions_before(day: Day, sessions: u32, asset_type: AssetType) -> Day {
    if asset_type.never_closes() {
        return day.plus(-(sessions as i32));
    }
    let mut found = day;
    for _ in 0..sessions {
        match calendar::previous_session(found) {
            Some(before) => found = before,
            None => break,
        }
    }
    found
}

/// A part of the market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A sector.
    Sector(String),
    /// An industry.
    Industry(&'static Industry),
}

impl Part {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Sector(name) => name,
            Self::Industry(industry) => industry.name,
        }
    }

    /// Whether a symbol is of it.
    fn holds(&self, row: &ScreenerRow) -> bool {
        match self {
            Self::Sector(name) => row.sector.eq_ignore_ascii_case(name),
            Self::Industry(industry) => industry.holds(&row.sector, &row.industry),
        }
    }

    /// Whether a symbol is known not to be of it.
    fn excludes(&self, row: &ScreenerRow) -> bool {
        let is_known = match self {
            Self::Sector(_) => !row.sector.is_empty(),
            Self::Industry(industry) => {
                let may_be = industry.is_in(&row.sector) && row.industry.is_empty();
                !row.sector.is_empty() && !may_be
            }
        };
        is_known && !self.holds(row)
    }
}

/// A question to the screener.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screen {
    /// What must hold.
    pub filters: Filters,
    /// Which kind of symbols.
    pub asset_type: AssetType,
    /// Only this sector, in any case.
    pub sector: Option<String>,
    /// Only this industry.
    pub industry: Option<&'static Industry>,
    /// None of these; what may be of one takes no part either.
    pub without: Vec<Part>,
    /// Only this exchange, in any case.
    pub exchange: Option<String>,
    /// The order.
    pub sort: SortBy,
    /// How many matches are shown.
    pub limit: usize,
    /// How many sessions before the newest that is known a price may be; `None` asks for no price at all.
    pub max_age: Option<u32>,
    /// The oldest day whose prices stand beside sentiment: that is of now, so it says nothing together with a price of long
    /// before. `None` joins them whatever the day.
    pub beside_news: Option<Day>,
    /// The currency in which prices are compared; `None` compares each in its own.
    pub currency: Option<Conversion>,
}

/// One currency, and what one unit of others is worth in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversion {
    /// ISO 4217 code.
    pub to: String,
    /// By ISO 4217 code.
    pub rates: HashMap<String, f64>,
}

impl Conversion {
    /// What one unit of a currency is worth; `None` where no rate is known.
    pub fn rate(&self, from: &str) -> Option<f64> {
        if from == self.to {
            return Some(1.0);
        }
        self.rates.get(from).copied()
    }
}

/// Why nothing matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMatch {
    /// The snapshot has no symbol of this kind and sector.
    NothingScanned,
    /// Not one of the scanned symbols has a value for this filter.
    NoValues(FilterKey),
    /// There were values, but no symbol satisfies every filter.
    NothingFits,
}

/// The answer of the screener.
#[derive(Clone, Debug, PartialEq)]
pub struct Screened<'a> {
    /// The first matches in the order asked for, each with its reasons.
    pub matches: Vec<(&'a ScreenerRow, Vec<String>)>,
    /// Symbols of this kind and sector.
    pub total_scanned: usize,
    /// Symbols of these that take no part because they have no price.
    pub without_price: usize,
    /// Symbols of these that take no part because their price is too old.
    pub too_old: usize,
    /// Symbols of these that take part without their sentiment because their price is too old beside it.
    pub without_sentiment: usize,
    /// Symbols of these that take no part because no rate converts their price.
    pub without_rate: usize,
    /// The newest session that is known of this kind of symbol.
    pub newest: Option<Day>,
    /// Symbols that satisfy every filter.
    pub total_matches: usize,
    /// Why there is none, where there is none.
    pub no_match: Option<NoMatch>,
}

/// Answers a question from the snapshot.
pub fn screen<'a>(snapshot: &'a Snapshot, question: &Screen) -> Screened<'a> {
    let scanned = || {
        snapshot.rows.iter().filter(|row| {
            row.asset_type == question.asset_type
                && question
                    .sector
                    .as_ref()
                    .is_none_or(|sector| row.sector.eq_ignore_ascii_case(sector))
                && question
                    .industry
                    .is_none_or(|industry| industry.holds(&row.sector, &row.industry))
                && question.without.iter().all(|part| part.excludes(row))
                && question
                    .exchange
                    .as_ref()
                    .is_none_or(|exchange| row.exchange.eq_ignore_ascii_case(exchange))
        })
    };
    let (metric, highest_first) = question.sort.metric();
    let newest = snapshot.newest_session(question.asset_type);
    let oldest = question
        .max_age
        .zip(newest)
        .map(|(age, newest)| sessions_before(newest, age, question.asset_type));
    let (mut total_scanned, mut without_price, mut too_old, mut without_rate) = (0, 0, 0, 0);
    let mut without_sentiment = 0;
    let value = |row: &ScreenerRow, metric: Metric| match metric {
        Metric::Sentiment => row
            .sentiment_beside(question.beside_news)
            .filter(|sentiment| sentiment.is_finite()),
        _ => row.metric(metric),
    };
    let rate = |row: &ScreenerRow| match &question.currency {
        None => Some(1.0),
        Some(currency) => currency.rate(&row.currency),
    };
    let converted = |row: &ScreenerRow, metric: Metric| {
        let value = value(row, metric)?;
        if metric.is_price() {
            return Some(value * rate(row)?);
        }
        Some(value)
    };
    // The sort value stands beside its row, so that sorting does not go back to the rows.
    let mut found: Vec<(f64, &ScreenerRow)> = Vec::new();
    for row in scanned() {
        total_scanned += 1;
        match (row.prices.date, oldest) {
            _ if question.max_age.is_none() => {}
            (None, _) => {
                without_price += 1;
                continue;
            }
            (Some(date), Some(oldest)) if date < oldest => {
                too_old += 1;
                continue;
            }
            _ => {}
        }
        if rate(row).is_none() {
            without_rate += 1;
            continue;
        }
        if value(row, Metric::Sentiment).is_none() && row.sentiment_score.is_some() {
            without_sentiment += 1;
        }
        if question
            .filters
            .distance(|metric| converted(row, metric))
            .is_some()
        {
            let key = value(row, metric).map_or(f64::INFINITY, |value| {
                if highest_first { -value } else { value }
            });
            found.push((key, row));
        }
    }
    let total_matches = found.len();
    let order = |a: &(f64, &ScreenerRow), b: &(f64, &ScreenerRow)| -> Ordering {
        a.0.total_cmp(&b.0)
            .then_with(|| a.1.ticker.cmp(&b.1.ticker))
    };
    if question.limit < found.len() {
        found.select_nth_unstable_by(question.limit, order);
        found.truncate(question.limit);
    }
    found.sort_unstable_by(order);
    let no_match = (total_matches == 0).then(|| {
        if total_scanned == 0 {
            return NoMatch::NothingScanned;
        }
        let lacks = |row: &ScreenerRow, key: FilterKey| {
            value(row, key.metric()).is_none()
                || key
                    .reference()
                    .is_some_and(|other| row.metric(other).is_none())
        };
        let without_values = question
            .filters
            .conditions()
            .iter()
            .find(|condition| scanned().all(|row| lacks(row, condition.key())));
        without_values.map_or(NoMatch::NothingFits, |condition| {
            NoMatch::NoValues(condition.key())
        })
    });
    Screened {
        matches: found
            .into_iter()
            .map(|(_, row)| {
                let reasons = question.filters.reasons(|metric| converted(row, metric));
                (row, reasons)
            })
            .collect(),
        total_scanned,
        without_price,
        too_old,
        without_sentiment,
        without_rate,
        newest,
        total_matches,
        no_match,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_changes_count_from_the_newest_close() {
        let day = |text| Day::parse(text).unwrap();
        let price = |on: Day| match on {
            on if on < day("2025-01-01") => 100.0,
            on if on < day("2025-06-02") => 120.0,
            on if on < day("2025-12-30") => 200.0,
            on if on < day("2026-03-02") => 120.0,
            _ => 150.0,
        };
        let days = [
            ("2024-12-30", "2025-05-31"),
            ("2025-06-02", "2025-12-29"),
            ("2025-12-30", "2026-03-01"),
            ("2026-03-02", "2026-03-02"),
        ];
        let days = days.into_iter().flat_map(|(from, to)| {
            let (from, to) = (day(from), day(to));
            (from.get()..=to.get())
                .step_by(13)
                .map(move |at| from.plus(at - from.get()))
        });
        let closes = days.map(|on| (on, price(on)));
        let (candles, _) = crate::CandleColumns::sift(closes.map(|(day, close)| crate::Candle {
            day,
            open: close,
            high: close * 1.25,
            low: close * 0.8,
            close,
            volume: 1.0,
        }));
        let found = PriceMetrics::newest(candles.view());
        let close = |found: Option<f64>, wanted: f64| {
            assert!(
                (found.unwrap() - wanted).abs() < 1e-9,
                "{found:?} is not {wanted}"
            );
        };
        // The high of the year was 250, the low 96; the year before closed at 120.
        close(found.from_52w_high, 40.0);
        close(found.from_52w_low, 56.25);
        close(found.change_ytd, 25.0);
        // Nothing was traded shortly before a year before.
        assert_eq!(found.change_1y, None);
        // Of less than a year nothing is the highest of a year.
        let part = PriceMetrics::newest(candles.view().since(day("2025-06-02")));
        assert_eq!((part.from_52w_high, part.from_52w_low), (None, None));
        let before = PriceMetrics::newest(candles.view().until(day("2025-12-30")));
        close(before.change_ytd, 20.0);
        close(before.change_1y, 20.0);
    }

    fn row(ticker: &str, rsi: Option<f64>, sentiment: Option<f64>) -> ScreenerRow {
        ScreenerRow {
            ticker: ticker.to_owned(),
            sector: "Energy".to_owned(),
            prices: PriceMetrics {
                rsi_14: rsi,
                ..PriceMetrics::default()
            },
            sentiment_score: sentiment,
            ..ScreenerRow::default()
        }
    }

    #[test]
    fn what_has_no_price_or_an_old_one_takes_no_part() {
        let day = |number: i32| Day::parse("2026-03-09").unwrap().plus(number);
        let dated = |ticker: &str, date| ScreenerRow {
            prices: PriceMetrics {
                date,
                ..PriceMetrics::default()
            },
            ..row(ticker, Some(20.0), None)
        };
        let mut rows: Vec<ScreenerRow> = (0..10)
            .map(|number| dated(&format!("N{number}"), Some(day(0))))
            .collect();
        // One that is delivered early does not make the others old.
        rows.push(dated("EARLY", Some(day(1))));
        // Five sessions are a week.
        rows.push(dated("WEEK", Some(day(-7))));
        rows.push(dated("OLD", Some(day(-10))));
        rows.push(dated("NONE", None));
        let snapshot = Snapshot::from_iter(rows);
        let ask = |max_age| {
            let question = Screen {
                limit: 50,
                max_age,
                ..Screen::default()
            };
            let found = screen(&snapshot, &question);
            (found.total_matches, found.too_old, found.without_price)
        };
        assert_eq!(ask(Some(5)), (12, 1, 1));
        assert_eq!(ask(Some(6)), (13, 0, 1));
        assert_eq!(ask(Some(0)), (11, 2, 1));
        assert_eq!(ask(None), (14, 0, 0));
    }

    #[test]
    fn the_sentiment_of_now_does_not_stand_beside_an_old_price() {
        let day = |text| Day::parse(text).unwrap();
        let dated = |ticker: &str, date, sentiment| ScreenerRow {
            prices: PriceMetrics {
                date: Some(day(date)),
                rsi_14: Some(20.0),
                ..PriceMetrics::default()
            },
            ..row(ticker, None, Some(sentiment))
        };
        // Every share ends in 2022, but for one.
        let mut rows: Vec<ScreenerRow> = (0..10)
            .map(|at| dated(&format!("O{at}"), "2022-06-30", 0.9))
            .collect();
        rows.push(dated("NEW", "2026-03-09", 0.7));
        let snapshot = Snapshot::from_iter(rows);
        let mut asked = Screen {
            max_age: Some(5),
            ..question(&[("sentiment_above", 0.5)], SortBy::Sentiment, 20)
        };
        let found = screen(&snapshot, &asked);
        assert_eq!((found.total_matches, found.without_sentiment), (11, 0));
        asked.beside_news = Some(day("2026-03-02"));
        let found = screen(&snapshot, &asked);
        assert_eq!(
            (tickers(&found).as_str(), found.without_sentiment),
            ("NEW", 10)
        );
        // By prices alone they are ranked as before, and sentiment orders what has one.
        asked.filters = Filters::parse([("rsi_below", 30.0.into())]).unwrap();
        let found = screen(&snapshot, &asked);
        assert_eq!(found.total_matches, 11);
        assert!(tickers(&found).starts_with("NEWO0O1"));
    }

    fn snapshot() -> Snapshot {
        Snapshot::from_iter([
            row("D", Some(20.0), None),
            row("C", Some(25.0), Some(0.4)),
            row("B", Some(25.0), Some(0.9)),
            row("A", Some(80.0), Some(0.9)),
            row("E", None, Some(1.0)),
        ])
    }

    fn question(filters: &[(&str, f64)], sort: SortBy, limit: usize) -> Screen {
        Screen {
            filters: Filters::parse(filters.iter().map(|(key, value)| (*key, (*value).into())))
                .unwrap(),
            sort,
            limit,
            ..Screen::default()
        }
    }

    fn tickers(answer: &Screened<'_>) -> String {
        answer
            .matches
            .iter()
            .map(|(row, _)| row.ticker.as_str())
            .collect()
    }

    #[test]
    fn orders_put_missing_values_last_and_break_ties_by_ticker() {
        let snapshot = snapshot();
        for (sort, limit, expected) in [
            (SortBy::Sentiment, 10, "EABCD"),
            (SortBy::Rsi, 10, "DBCAE"),
            (SortBy::Rsi, 2, "DB"),
            (SortBy::MarketCap, 3, "ABC"),
            (SortBy::Rsi, 0, ""),
        ] {
            let answer = screen(&snapshot, &question(&[], sort, limit));
            assert_eq!(tickers(&answer), expected, "{sort:?}");
            assert_eq!((answer.total_scanned, answer.total_matches), (5, 5));
        }
        let answer = screen(
            &snapshot,
            &question(&[("rsi_below", 30.0)], SortBy::Rsi, 10),
        );
        assert_eq!(tickers(&answer), "DBC");
        assert_eq!(answer.matches[0].1, ["RSI 20.0 below 30"]);
    }

    #[test]
    fn an_empty_answer_says_why() {
        let snapshot = snapshot();
        let reason = |question: &Screen| screen(&snapshot, question).no_match;
        let ask = |key, value| question(&[(key, value)], SortBy::Rsi, 5);
        assert_eq!(reason(&ask("rsi_below", 1.0)), Some(NoMatch::NothingFits));
        assert_eq!(
            reason(&ask("pe_below", 10.0)),
            Some(NoMatch::NoValues(FilterKey::PeBelow))
        );
        let elsewhere = Screen {
            sector: Some("Space".to_owned()),
            ..ask("rsi_below", 50.0)
        };
        assert_eq!(reason(&elsewhere), Some(NoMatch::NothingScanned));
        let here = Screen {
            sector: Some("energy".to_owned()),
            ..ask("rsi_below", 50.0)
        };
        assert_eq!(reason(&here), None);
    }

    #[test]
    fn a_loss_has_no_price_earnings_ratio() {
        let mut snapshot = snapshot();
        snapshot.upsert(ScreenerRow {
            pe_ratio: Some(-4.0),
            ..row("D", None, None)
        });
        assert_eq!(snapshot.len(), 5);
        let answer = screen(
            &snapshot,
            &question(&[("pe_below", 10.0)], SortBy::PeRatio, 5),
        );
        assert_eq!(answer.total_matches, 0);
    }
}
