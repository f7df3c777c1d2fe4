//! `/watchlist/{id}/technicals`: indicators for every symbol in a watchlist, most oversold first.

use std::sync::Arc;

use analysis::market::{
    DataIssue, HistoryView, Listing, MAX_AGE, PointInTime, PricePoint, left_out, without_signal,
};
use market::Range;
use market::technicals::{Technicals, technicals};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ById, find};
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::technicals::{BandsBody, MacdBody, SignalSummaryBody};
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

const CREDITS: u64 = 3;
/// Number of sessions in ten years.
const OLDEST: u64 = 2500;

/// The watchlist, and how old prices may be.
pub(crate) struct TechnicalsQuery {
    id: String,
    max_age: u32,
}

impl Parameters for TechnicalsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: ById::read(arguments).id,
            max_age: arguments.integer(
                "max_age",
                0..=OLDEST,
                u64::from(MAX_AGE),
                "Maximum age of a symbol's latest price for it to be ranked and to have a signal, in sessions before the latest known session, 5 by default",
            ) as u32,
        }
    }
}

/// The symbols in a watchlist with their indicators.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchlistTechnicalsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// ID of the watchlist.
    watchlist_id: String,
    /// Name of the watchlist.
    watchlist_name: String,
    /// Number of symbols.
    ticker_count: usize,
    /// Symbols sorted by RSI, most oversold first; those without an RSI or with a price that is too old come last.
    technicals: Vec<ItemTechnicalsBody>,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// One symbol. A value is null if the history is too short.
#[derive(Serialize, ToSchema)]
pub(crate) struct ItemTechnicalsBody {
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// The latest price.
    #[schema(required)]
    price: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Relative strength index over 14 sessions, 0 to 100.
    #[schema(required)]
    rsi_14: Option<f64>,
    /// Moving average convergence/divergence (12, 26, 9).
    #[schema(required)]
    macd: Option<MacdBody>,
    /// Simple moving average of the last 20 closes.
    #[schema(required)]
    sma_20: Option<f64>,
    /// Simple moving average of the last 50 closes.
    #[schema(required)]
    sma_50: Option<f64>,
    /// Simple moving average of the last 200 closes.
    #[schema(required)]
    sma_200: Option<f64>,
    /// Bollinger Bands (20 sessions, 2 standard deviations).
    #[schema(required)]
    bollinger: Option<BandsBody>,
    /// Votes of the indicators; null if the price is too old for a signal (`max_age`).
    #[schema(required)]
    signal_summary: Option<SignalSummaryBody>,
    /// Session of the price, YYYY-MM-DD; null if there is no price.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price.
    currency: String,
    /// Whether the price is more than five sessions older than the latest session.
    stale: bool,
}

impl ItemTechnicalsBody {
    fn new(
        listing: &Listing,
        point: Option<PricePoint>,
        values: Option<&Technicals>,
        when: PointInTime,
    ) -> Self {
        Self {
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            price: point.map(|point| point.current),
            change_pct: point.and_then(|point| point.change_pct),
            rsi_14: values.and_then(|values| values.rsi_14),
            macd: values.and_then(|values| values.macd).map(MacdBody::from),
            sma_20: values.and_then(|values| values.sma_20),
            sma_50: values.and_then(|values| values.sma_50),
            sma_200: values.and_then(|values| values.sma_200),
            bollinger: values
                .and_then(|values| values.bollinger)
                .map(BandsBody::from),
            signal_summary: values
                .map(market::signals::summary)
                .map(SignalSummaryBody::from),
            date: point.map(|point| point.day.to_string()),
            currency: listing.instrument.currency().to_owned(),
            stale: point.is_some_and(|point| listing.is_old(point.day, when)),
        }
    }
}

/// `GET /watchlist/{id}/technicals`.
pub(crate) struct ShowTechnicals;

impl Operation for ShowTechnicals {
    type Input = TechnicalsQuery;
    type Output = WatchlistTechnicalsBody;

    const ABOUT: About = About {
        name: "show_watchlist_technicals",
        address: Address::get("/api/v1/watchlist/{id}/technicals"),
        subject: "trading",
        summary: "Computes the indicators of every symbol in a watchlist, most oversold first.",
        answer: "The indicators",
        missing: Some("The account has no such watchlist"),
        example: r#"{"id": "wl_0"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: TechnicalsQuery) -> Result<WatchlistTechnicalsBody> {
        let owner = context.owner()?;
        let TechnicalsQuery { id, max_age } = input;
        let when = context.when();
        let watchlist = find(&context.services, &owner, &id).await?;
        let mut issues = Vec::new();
        let mut items: Vec<(Arc<Listing>, HistoryView)> = Vec::new();
        for symbol in &watchlist.symbols {
            match context.instruments.resolve(symbol.as_str()).await? {
                Ok(listing) => {
                    let history = context.prices.history(&listing, when).await?;
                    items.push((listing, history));
                }
                Err(_) => issues.push(DataIssue::absent(
                    "technicals",
                    format!("no instrument is listed under {symbol} any more"),
                )),
            }
        }
        for (listing, history) in &items {
            issues.extend(listing.unmeasured("technicals", history.candles()));
            issues.extend(listing.interrupted("technicals", history.candles()));
        }
        let newest_days = items
            .iter()
            .filter_map(|(listing, _)| listing.priced_on(when));
        let freshness = context
            .prices
            .freshness(max_age, when)
            .await?
            .beside(newest_days);
        let compute = move || {
            let (mut too_old, mut silent) = (Vec::new(), Vec::new());
            let mut rows: Vec<ItemTechnicalsBody> = items
                .into_iter()
                .map(|(listing, history)| {
                    let point = listing.price(history.candles(), when);
                    let values = technicals(history.candles(), Range::SixMonths);
                    let mut row = ItemTechnicalsBody::new(&listing, point, values.as_ref(), when);
                    let signals_from = when.signals_from(max_age, listing.asset_type());
                    let is_silent = history.candles().days().last() < Some(&signals_from);
                    if freshness.is_too_old(&listing, when) {
                        row.signal_summary = None;
                        too_old.push(row.ticker.clone());
                    } else if is_silent && row.signal_summary.take().is_some() {
                        silent.push(row.ticker.clone());
                    }
                    row
                })
                .collect();
            let key = |row: &ItemTechnicalsBody| {
                let rsi = row.rsi_14.filter(|_| !too_old.contains(&row.ticker));
                rsi.unwrap_or(f64::INFINITY)
            };
            rows.sort_by(|a, b| {
                let by_rsi = key(a).total_cmp(&key(b));
                by_rsi.then_with(|| a.ticker.cmp(&b.ticker))
            });
            (rows, too_old, silent)
        };
        let (rows, too_old, silent) = analysis::light(compute).await?;
        issues.extend(left_out("technicals", &too_old, rows.len()));
        let silent = without_signal("technicals.signal_summary", &silent, rows.len());
        issues.extend(silent);
        let short: Vec<&str> = rows
            .iter()
            .filter(|row| row.sma_200.is_none())
            .map(|row| row.ticker.as_str())
            .collect();
        if !short.is_empty() {
            issues.push(DataIssue::absent(
                "technicals.sma_200",
                format!(
                    "fewer than 200 candles in a row are available for {}; values that need more are null",
                    short.join(", ")
                ),
            ));
        }
        Ok(WatchlistTechnicalsBody {
            status: "ok",
            watchlist_id: watchlist.id,
            watchlist_name: watchlist.name,
            ticker_count: watchlist.symbols.len(),
            technicals: rows,
            credits_used: CREDITS,
            data_status: written(issues),
        })
    }
}
