//! `/correlation`: how the prices of a few symbols move together.

use std::sync::Arc;

use analysis::Permit;
use analysis::market::{DataIssue, HistoryView, Listing, PointInTime};
use market::correlation::{Correlation, CorrelationLabel, TICKERS, correlation};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::checked::{Checked, Faults};
use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::services::Services;
use crate::ticker;
use crate::{About, Address, Context, Keeping, Operation, Posted};

pub(crate) const CREDITS: u64 = 3;
const DAYS: i32 = 90;
/// Days by which the newest shared day may lie behind, weekends and holidays included, before the answer says so.
const USUAL_LAG_DAYS: i32 = 5;

/// Which symbols, over how long.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CorrelationRequest {
    /// Symbols, each once.
    #[schema(min_items = 2, max_items = 10)]
    tickers: Vec<String>,
    /// Calendar days before the newest day that all have, 90 by default.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 1, maximum = 365, default = 90)]
    days: Option<i32>,
}

impl Checked for CorrelationRequest {
    fn check(&self, faults: &mut Faults) {
        if !TICKERS.contains(&self.tickers.len()) {
            faults.note("tickers must have from 2 to 10 entries");
        }
        if !market::correlation::DAYS.contains(&self.days.unwrap_or(DAYS)) {
            faults.note("days must be an integer from 1 to 365");
        }
    }
}

/// The coefficients of every pair.
#[derive(Serialize, ToSchema)]
pub(crate) struct CorrelationBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// In the order of the request.
    tickers: Vec<String>,
    /// Calendar days.
    days: i32,
    /// Ticker to ticker to Pearson's coefficient of daily log returns; null where there is none.
    #[schema(value_type = std::collections::HashMap<String, std::collections::HashMap<String, Option<f64>>>)]
    matrix: Ordered<Ordered<Option<f64>>>,
    /// Every pair once.
    pairs: Vec<PairBody>,
    /// How new the prices of each symbol are, in the order of the request.
    symbols: Vec<CorrelatedBody>,
    /// Daily returns that were compared.
    observations: usize,
    /// First day in the window that all symbols have, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    from: Option<String>,
    /// Last day in the window that all symbols have, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    to: Option<String>,
    /// Credits that this answer cost.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A symbol, and how new its prices are.
#[derive(Serialize, ToSchema)]
#[schema(as = CorrelatedSymbol)]
pub(crate) struct CorrelatedBody {
    /// Symbol.
    ticker: String,
    /// The newest session with a price, YYYY-MM-DD; null without one.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the newest session.
    stale: bool,
}

/// Two symbols.
#[derive(Serialize, ToSchema)]
#[schema(as = CorrelationPair)]
pub(crate) struct PairBody {
    /// First symbol.
    a: String,
    /// Second symbol.
    b: String,
    /// -1 to 1; null where there is none.
    #[schema(required)]
    correlation: Option<f64>,
    /// `strong_positive`, `positive`, `moderate`, `weak`, `negative` or `strong_negative`; null without a coefficient.
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

    const ABOUT: About = About {
        name: "correlate_tickers",
        address: Address::post("/api/v1/correlation"),
        subject: "trading",
        summary: "Correlates the daily log returns of 2 to 10 symbols on the days they all traded.",
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
        let listings = find_all(&context.services, &asked.tickers).await?;
        let permit = context.heavy.correlations.permit(context.payer()).await?;
        let mut histories = Vec::with_capacity(listings.len());
        for (_, listing) in &listings {
            histories.push(context.prices.history(listing, when).await?);
        }
        let compute = move |_: &Permit| {
            let series: Vec<_> = histories.iter().map(HistoryView::candles).collect();
            correlation(&series, days).map(|found| (found, histories))
        };
        let (found, histories) = permit.compute(compute).await??;
        let issues = issues(&found, &listings, &histories, days, when);
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
        Ok(body(&found, tickers, symbols, days, issues))
    }
}

fn body(
    found: &Correlation,
    tickers: Vec<String>,
    symbols: Vec<CorrelatedBody>,
    days: i32,
    issues: Vec<DataIssue>,
) -> CorrelationBody {
    let row = |a: usize| {
        let cells = tickers.iter().enumerate();
        Ordered(
            cells
                .map(|(b, name)| (name.clone(), found.get(a, b)))
                .collect(),
        )
    };
    let rows = tickers.iter().enumerate();
    let pair = |(a, b, correlation): (usize, usize, Option<f64>)| PairBody {
        a: tickers[a].clone(),
        b: tickers[b].clone(),
        correlation,
        label: correlation.map(|coefficient| CorrelationLabel::of(coefficient).as_str()),
    };
    CorrelationBody {
        status: "ok",
        days,
        matrix: Ordered(rows.map(|(a, name)| (name.clone(), row(a))).collect()),
        pairs: found.pairs().map(pair).collect(),
        symbols,
        observations: found.returns,
        from: found.span.map(|(first, _)| first.to_string()),
        to: found.span.map(|(_, last)| last.to_string()),
        credits_used: CREDITS,
        data_status: written(issues),
        tickers,
    }
}

/// The instruments under the names that the answer uses, each once.
async fn find_all(services: &Services, tickers: &[String]) -> Result<Vec<(String, Arc<Listing>)>> {
    let mut found: Vec<(String, Arc<Listing>)> = Vec::with_capacity(tickers.len());
    for asked in tickers {
        let listing = ticker::find(services, asked).await?;
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

/// Why there are nulls, and where the window is not what was asked for.
fn issues(
    found: &Correlation,
    listings: &[(String, Arc<Listing>)],
    histories: &[HistoryView],
    days: i32,
    when: PointInTime,
) -> Vec<DataIssue> {
    let mut issues = Vec::new();
    for ((ticker, _), history) in listings.iter().zip(histories) {
        if history.candles().is_empty() {
            issues.push(DataIssue::absent(
                "matrix",
                format!("no candles are available for {ticker}"),
            ));
        }
    }
    let Some((first, last)) = found.span else {
        if issues.is_empty() {
            issues.push(DataIssue::absent(
                "matrix",
                "there is no day on which all of these have candles",
            ));
        }
        return issues;
    };
    if found.returns < 2 {
        issues.push(DataIssue::absent(
            "matrix",
            format!(
                "only {} days in the window have candles for all of these; a coefficient needs at least 3",
                found.returns + 1
            ),
        ));
    } else {
        for (place, (ticker, _)) in listings.iter().enumerate() {
            if found.get(place, place).is_none() {
                issues.push(DataIssue::absent(
                    "matrix",
                    format!("the returns of {ticker} do not vary in this window, so no correlation can be computed"),
                ));
            }
        }
    }
    let newest = listings
        .iter()
        .map(|(_, listing)| when.newest_day(listing.asset_type()))
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
