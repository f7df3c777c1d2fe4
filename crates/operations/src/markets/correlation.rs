//! `/correlation`: how the prices of several symbols move together.

use std::sync::Arc;

use analysis::Permit;
use analysis::market::{DataIssue, HistoryView, Listing, MAX_AGE, PointInTime, left_out};
use market::correlation::{Correlation, CorrelationLabel, TICKERS, correlation};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::checked::{Checked, Faults};
use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::{About, Address, Context, Keeping, Operation, Posted};

pub(crate) const CREDITS: u64 = 3;
const DAYS: i32 = 90;
/// Number of sessions in ten years.
const OLDEST: u32 = 2500;
/// How many days, weekends and holidays included, the latest common day may lag before the response says so.
const USUAL_LAG_DAYS: i32 = 5;

/// The symbols to correlate, and the period.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CorrelationRequest {
    /// Symbols, each listed once.
    #[schema(min_items = 2, max_items = 10)]
    tickers: Vec<String>,
    /// Number of calendar days before the latest day that all symbols have in common, 90 by default.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 1, maximum = 365, default = 90)]
    days: Option<i32>,
    /// Maximum age of a symbol's latest price in sessions before the latest known session, 5 by default. Symbols with
    /// an older price are excluded, so that the days are those that the others have in common.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 0, maximum = 2500)]
    max_age: Option<u32>,
}

impl Checked for CorrelationRequest {
    fn check(&self, faults: &mut Faults) {
        if !TICKERS.contains(&self.tickers.len()) {
            faults.note("tickers must have from 2 to 10 entries");
        }
        if !market::correlation::DAYS.contains(&self.days.unwrap_or(DAYS)) {
            faults.note("days must be an integer from 1 to 365");
        }
        if self.max_age.unwrap_or(0) > OLDEST {
            faults.note(format!("max_age must be an integer from 0 to {OLDEST}"));
        }
    }
}

/// Correlation coefficients of all pairs.
#[derive(Serialize, ToSchema)]
pub(crate) struct CorrelationBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbols in the order of the request.
    tickers: Vec<String>,
    /// Number of calendar days.
    days: i32,
    /// Pearson correlation coefficients of daily log returns, keyed by the first ticker and then by the second; null if
    /// there is no coefficient.
    #[schema(value_type = std::collections::HashMap<String, std::collections::HashMap<String, Option<f64>>>)]
    matrix: Ordered<Ordered<Option<f64>>>,
    /// All pairs, each listed once.
    pairs: Vec<PairBody>,
    /// How recent the prices of each symbol are, in the order of the request.
    symbols: Vec<CorrelatedBody>,
    /// Number of daily returns compared.
    observations: usize,
    /// First day in the window that all symbols have in common, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<String>,
    /// Last day in the window that all symbols have in common, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    to: Option<String>,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A symbol, and how recent its prices are.
#[derive(Serialize, ToSchema)]
#[schema(as = CorrelatedSymbol)]
pub(crate) struct CorrelatedBody {
    /// Symbol.
    ticker: String,
    /// The latest session with a price, YYYY-MM-DD; null if there is none.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the latest session.
    stale: bool,
}

/// A pair of symbols.
#[derive(Serialize, ToSchema)]
#[schema(as = CorrelationPair)]
pub(crate) struct PairBody {
    /// First symbol.
    a: String,
    /// Second symbol.
    b: String,
    /// Correlation coefficient, -1 to 1; null if there is none.
    #[schema(required)]
    correlation: Option<f64>,
    /// `strong_positive`, `positive`, `moderate`, `weak`, `negative` or `strong_negative`; null if there is no
    /// coefficient.
    #[schema(required)]
    label: Option<&'static str>,
}

/// A map in the order of the request.
struct Ordered<V>(Vec<(String, V)>);

impl<V: Serialize> Serialize for Ordered<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// `POST /correlation`.
pub(crate) struct Correlate;

impl Operation for Correlate {
    type Input = Posted<(), CorrelationRequest>;
    type Output = CorrelationBody;

    const ROWS: Option<&'static str> = Some("pairs");
    const ABOUT: About = About {
        name: "correlate_tickers",
        address: Address::post("/api/v1/correlation"),
        subject: "trading",
        summary: "Correlates the daily log returns of 2 to 10 symbols on the days when all of them traded.",
        answer: "The coefficients",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"tickers": ["AAPL", "MSFT"], "days": 90}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(
        context: Context,
        input: Posted<(), CorrelationRequest>,
    ) -> Result<CorrelationBody> {
        let asked = input.body;
        let when = context.when();
        let days = asked.days.unwrap_or(DAYS);
        let listings = find_all(&context, &asked.tickers).await?;
        let permit = context.heavy.correlations.permit(context.payer()).await?;
        let mut histories = Vec::with_capacity(listings.len());
        for (_, listing) in &listings {
            histories.push(context.prices.history(listing, when).await?);
        }
        let max_age = asked.max_age.unwrap_or(MAX_AGE);
        let newest_days = histories
            .iter()
            .filter_map(|history| Some(history.candles().last()?.day));
        let freshness = context
            .prices
            .freshness(max_age, when)
            .await?
            .beside(newest_days);
        // What has no candle at all is named below for that.
        let is_fresh = |place: &usize| {
            let newest = histories[*place].candles().last();
            let kind = listings[*place].1.asset_type();
            newest.is_none_or(|newest| freshness.admits(kind, newest.day))
        };
        let fresh: Vec<usize> = (0..listings.len()).filter(is_fresh).collect();
        let taking_part = fresh.clone();
        let compute = move |_: &Permit| {
            let series: Vec<_> = taking_part
                .iter()
                .map(|place| histories[*place].candles())
                .collect();
            // One alone correlates with nothing.
            let found = if series.len() < *TICKERS.start() {
                Ok(None)
            } else {
                correlation(&series, days).map(Some)
            };
            found.map(|found| (found, histories))
        };
        let (found, histories) = permit.compute(compute).await??;
        let too_old: Vec<String> = (0..listings.len())
            .filter(|place| !fresh.contains(place))
            .map(|place| listings[place].0.clone())
            .collect();
        let mut issues: Vec<DataIssue> = left_out("matrix", &too_old, listings.len())
            .into_iter()
            .collect();
        let found = found.map(|correlation| Among { correlation, fresh });
        issues.extend(found.as_ref().map_or_else(Vec::new, |found| {
            self::issues(found, &listings, &histories, days, when)
        }));
        let symbols = listings.iter().zip(&histories);
        let symbols = symbols
            .map(|((ticker, listing), history)| {
                let newest = history.candles().last().map(|candle| candle.day);
                CorrelatedBody {
                    ticker: ticker.clone(),
                    date: newest.map(|day| day.to_string()),
                    currency: listing.instrument.currency().to_owned(),
                    stale: newest.is_some_and(|day| listing.is_old(day, when)),
                }
            })
            .collect();
        let tickers: Vec<String> = listings.into_iter().map(|(ticker, _)| ticker).collect();
        Ok(body(found.as_ref(), tickers, symbols, days, issues))
    }
}

/// The coefficients of the symbols included, by their positions in the request.
struct Among {
    correlation: Correlation,
    fresh: Vec<usize>,
}

impl Among {
    /// The coefficient for two positions in the request.
    fn get(&self, a: usize, b: usize) -> Option<f64> {
        let place = |asked: usize| self.fresh.iter().position(|one| *one == asked);
        self.correlation.get(place(a)?, place(b)?)
    }
}

fn body(
    found: Option<&Among>,
    tickers: Vec<String>,
    symbols: Vec<CorrelatedBody>,
    days: i32,
    issues: Vec<DataIssue>,
) -> CorrelationBody {
    let get = |a: usize, b: usize| found?.get(a, b);
    let row = |a: usize| {
        let cells = tickers.iter().enumerate();
        Ordered(cells.map(|(b, name)| (name.clone(), get(a, b))).collect())
    };
    let rows = tickers.iter().enumerate();
    let pair = |(a, b): (usize, usize)| {
        let correlation = get(a, b);
        PairBody {
            a: tickers[a].clone(),
            b: tickers[b].clone(),
            correlation,
            label: correlation.map(|coefficient| CorrelationLabel::of(coefficient).as_str()),
        }
    };
    let count = tickers.len();
    let places = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let span = found.and_then(|found| found.correlation.span);
    CorrelationBody {
        status: "ok",
        days,
        matrix: Ordered(rows.map(|(a, name)| (name.clone(), row(a))).collect()),
        pairs: places.map(pair).collect(),
        symbols,
        observations: found.map_or(0, |found| found.correlation.returns),
        from: span.map(|(first, _)| first.to_string()),
        to: span.map(|(_, last)| last.to_string()),
        credits_used: CREDITS,
        data_status: written(issues),
        tickers,
    }
}

/// The instruments under the names used in the response, each once.
async fn find_all(context: &Context, tickers: &[String]) -> Result<Vec<(String, Arc<Listing>)>> {
    let mut found: Vec<(String, Arc<Listing>)> = Vec::with_capacity(tickers.len());
    for asked in tickers {
        let listing = context.listing(asked).await?;
        let key = listing.instrument.key();
        let mut name = listing.ticker().to_owned();
        if found.iter().any(|(_, other)| other.instrument.key() == key) {
            return Err(Error::invalid(format!(
                "tickers must name each symbol once; {name} appears twice"
            )));
        }
        // A share and a coin of the same letters are distinguished by a spelling that names only one of them.
        if found.iter().any(|(other, _)| *other == name) {
            name = if listing.asset_type().never_closes() {
                format!("{name}-USD")
            } else {
                format!("{name}.US")
            };
        }
        found.push((name, listing));
    }
    Ok(found)
}

/// Why there are nulls, and where the window differs from the request.
fn issues(
    found: &Among,
    listings: &[(String, Arc<Listing>)],
    histories: &[HistoryView],
    days: i32,
    when: PointInTime,
) -> Vec<DataIssue> {
    let mut issues = Vec::new();
    let correlation = &found.correlation;
    let taking_part = || found.fresh.iter().map(|place| (*place, &listings[*place]));
    for (place, (ticker, _)) in taking_part() {
        let history = &histories[place];
        if history.candles().is_empty() {
            issues.push(DataIssue::absent(
                "matrix",
                format!("no candles are available for {ticker}"),
            ));
        }
    }
    let Some((first, last)) = correlation.span else {
        if issues.is_empty() {
            issues.push(DataIssue::absent(
                "matrix",
                "there is no day on which all of these have candles",
            ));
        }
        return issues;
    };
    if correlation.returns < 2 {
        issues.push(DataIssue::absent(
            "matrix",
            format!(
                "candles for all of these are available on {} of the window only; a coefficient needs at least 3",
                counted(correlation.returns + 1, "day", "days")
            ),
        ));
    } else {
        for (place, (ticker, _)) in taking_part() {
            if found.get(place, place).is_none() {
                issues.push(DataIssue::absent(
                    "matrix",
                    format!("the returns of {ticker} do not vary in this window, so no correlation can be computed"),
                ));
            }
        }
    }
    let newest = taking_part()
        .map(|(_, (_, listing))| when.newest_day(listing.asset_type()))
        .min();
    if newest.is_some_and(|newest| newest.since(last) > USUAL_LAG_DAYS) {
        issues.push(DataIssue {
            newest_available: Some(last.plus(1).starts_at()),
            stale: true,
            ..DataIssue::absent(
                "to",
                format!("the latest day with candles for all of these is {last}"),
            )
        });
    }
    if last.since(first) + USUAL_LAG_DAYS < days - 1 {
        issues.push(DataIssue::absent(
            "from",
            format!("the first day with candles for all of these is {first}, so the window is shorter than requested"),
        ));
    }
    issues
}
