//! The screener: which symbols satisfy every filter, based on a snapshot that is kept up to date.
//!
//! A [`Snapshot`] contains one row per symbol; new information (a candle, a brief, a filing) replaces the row. A
//! query reads the rows once and sorts only what is shown. Usual orders: RSI (the most oversold), P/E and debt lowest
//! first, all others highest first.
//! Equal values, and rows without a value, which come last, are sorted by ticker. A symbol without a price, or with
//! one from long before the newest known session, is excluded if the query sets a maximum age ([`Screen::max_age`]).

pub mod industry;
pub mod natural;
mod order;
pub mod presets;
mod prices;
pub mod sector;
mod snapshot;

use std::cmp::Ordering;
use std::collections::HashMap;

use model::AssetType;

use crate::Day;
use crate::filters::{FilterKey, Filters, Metric};
use industry::Industry;

pub use order::{Direction, SortBy};
pub use prices::{PriceMetrics, VOLUME_PERIOD};
pub(crate) use prices::{above_low, below_high, change_1y, change_ytd, has_moved};
pub use snapshot::{ScreenerRow, Snapshot, newest_session, sessions_before};

/// A segment of the market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A sector.
    Sector(String),
    /// An industry.
    Industry(&'static Industry),
}

impl Part {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Sector(name) => name,
            Self::Industry(industry) => industry.name,
        }
    }

    /// Whether a symbol belongs to it.
    fn holds(&self, row: &ScreenerRow) -> bool {
        match self {
            Self::Sector(name) => row.sector.eq_ignore_ascii_case(name),
            Self::Industry(industry) => industry.holds(&row.sector, &row.industry),
        }
    }

    /// Whether a symbol is known not to belong to it.
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

/// A query to the screener.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screen {
    /// The filters that must hold.
    pub filters: Filters,
    /// The type of symbols.
    pub asset_type: AssetType,
    /// Only this sector, case-insensitive.
    pub sector: Option<String>,
    /// Only this industry.
    pub industry: Option<&'static Industry>,
    /// None of these; symbols that may belong to one are excluded as well.
    pub without: Vec<Part>,
    /// Only this exchange, case-insensitive.
    pub exchange: Option<String>,
    /// The order.
    pub sort: SortBy,
    /// Which end of the order comes first; `None` is its usual one.
    pub direction: Option<Direction>,
    /// How many matches are shown.
    pub limit: usize,
    /// How many sessions before the newest known one a price may date from; `None` requires no price at all.
    pub max_age: Option<u32>,
    /// The oldest day whose prices are combined with sentiment: sentiment is current, so it means nothing next to a
    /// price from long before. `None` combines them whatever the day.
    pub beside_news: Option<Day>,
    /// The currency in which prices are compared; `None` compares each in its own.
    pub currency: Option<Conversion>,
}

/// A currency, and the value in it of one unit of other currencies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversion {
    /// ISO 4217 code.
    pub to: String,
    /// By ISO 4217 code.
    pub rates: HashMap<String, f64>,
}

impl Conversion {
    /// The value of one unit of a currency; `None` if no rate is known.
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
    /// The snapshot has no symbol of this type and sector.
    NothingScanned,
    /// None of the scanned symbols has a value for this filter.
    NoValues(FilterKey),
    /// There were values, but no symbol satisfies every filter.
    NothingFits,
}

/// A symbol that satisfies every filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Match<'a> {
    /// Its row.
    pub row: &'a ScreenerRow,
    /// The value it is sorted by; `None` if it has no such value, or one that does not count.
    pub sort_value: Option<f64>,
    /// Why it matches, one sentence per filter.
    pub reasons: Vec<String>,
}

/// The screener's response.
#[derive(Clone, Debug, PartialEq)]
pub struct Screened<'a> {
    /// The first matches in the requested order.
    pub matches: Vec<Match<'a>>,
    /// Symbols of this type and sector.
    pub total_scanned: usize,
    /// Of these, symbols excluded because they have no price.
    pub without_price: usize,
    /// Of these, symbols excluded because their price is too old.
    pub too_old: usize,
    /// Of these, symbols included without their sentiment because their price is too old to go with it.
    pub without_sentiment: usize,
    /// Of these, symbols excluded because there is no rate to convert their price.
    pub without_rate: usize,
    /// The newest known session for this type of symbol.
    pub newest: Option<Day>,
    /// Symbols that satisfy every filter.
    pub total_matches: usize,
    /// Why there are no matches, if there are none.
    pub no_match: Option<NoMatch>,
}

/// Answers a query from the snapshot.
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
    let (metric, _) = question.sort.metric();
    let direction = question.direction.unwrap_or(question.sort.usual());
    let highest_first = direction == Direction::Descending;
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
    // The sort value is kept with its row, so that sorting does not go back to the rows.
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
            let key = converted(row, metric).map_or(f64::INFINITY, |value| {
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
            .map(|(_, row)| Match {
                row,
                sort_value: converted(row, metric),
                reasons: question.filters.reasons(|metric| converted(row, metric)),
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
        // One symbol that is delivered early does not make the others old.
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
        // By prices alone they are ranked as before, and sentiment sorts those that have one.
        asked.filters = Filters::parse([("rsi_below", 30.0.into())]).unwrap();
        let found = screen(&snapshot, &asked);
        assert_eq!(found.total_matches, 11);
        assert!(tickers(&found).starts_with("NEWO0O1"));
        // A value that does not count is not used for sorting.
        let values: Vec<Option<f64>> = found.matches.iter().map(|one| one.sort_value).collect();
        assert_eq!(values[..2], [Some(0.7), None]);
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
            .map(|one| one.row.ticker.as_str())
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
        assert_eq!(answer.matches[0].reasons, ["RSI 20.0 below 30"]);
    }

    #[test]
    fn yields_and_changes_are_orders_with_the_highest_first() {
        let paying = |ticker: &str, dividend_yield, change_ytd| ScreenerRow {
            prices: PriceMetrics {
                change_ytd,
                change_1y: change_ytd.map(|change: f64| -change),
                ..PriceMetrics::default()
            },
            dividend_yield,
            ..row(ticker, None, None)
        };
        let snapshot = Snapshot::from_iter([
            paying("A", Some(0.0), Some(-5.0)),
            paying("B", Some(4.5), None),
            paying("C", None, Some(30.0)),
            paying("D", Some(7.1), Some(2.0)),
        ]);
        for (sort, expected) in [
            (SortBy::DividendYield, "DBAC"),
            (SortBy::ChangeYtd, "CDAB"),
            (SortBy::Change1y, "ADCB"),
        ] {
            let answer = screen(&snapshot, &question(&[], sort, 10));
            assert_eq!(tickers(&answer), expected, "{sort:?}");
            assert_eq!(sort.as_str().parse(), Ok(sort));
        }
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
