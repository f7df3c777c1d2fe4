//! A dry run: what an alert would have done in the last 90 days.
//!
//! Prices are represented by the high and low of each day, volumes and the relative strength index by their values at
//! the close, and sentiment by its seven-day mean at the end of each day. Anything else that happened within a day is
//! not known.

use analysis::market::{Listing, SENTIMENT_DAYS};
use market::Day;
use market::alerts::{Met, days_met, is_met};
use model::Timestamp;
use serde::Serialize;
use store::{AlertTerms, BriefSentimentQuery};
use utoipa::ToSchema;

use super::body::AlertAnswer;
use crate::Context;
use crate::error::Result;

/// Number of days to look back.
const DAYS: i64 = 90;

/// What an alert would have done.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AlertPreview)]
pub(crate) struct PreviewBody {
    /// Symbol.
    ticker: String,
    /// Type of the alert.
    alert_type: &'static str,
    /// The threshold value.
    threshold: f64,
    /// The first day that was examined.
    #[schema(format = "date")]
    from: String,
    /// The last day that was examined.
    #[schema(format = "date")]
    to: String,
    /// Number of days with data.
    days_with_data: usize,
    /// Whether the alert would have fired.
    would_fire: bool,
    /// The day on which it would have fired. Null if it would not have.
    #[schema(required, format = "date")]
    date: Option<String>,
    /// The value that would have triggered it. Null if it would not have fired.
    #[schema(required)]
    trigger_value: Option<f64>,
    /// Every day on which the condition was met, oldest first. An alert fires only once, on the first of these days.
    days_met: Vec<DayMet>,
}

/// A day on which a condition was met.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DayMet {
    /// The day.
    #[schema(format = "date")]
    date: String,
    /// The value.
    value: f64,
}

pub(super) async fn preview(
    context: &Context,
    listing: &Listing,
    terms: &AlertTerms,
) -> Result<AlertAnswer> {
    let when = context.when();
    let start = when.end.plus_ms(-DAYS * Timestamp::DAY_MS);
    let first = Day::of(start);
    let (met, days_with_data) = if terms.kind.is_about_sentiment() {
        sentiment(context, listing, terms, first).await?
    } else {
        let history = context.prices.history(listing, when).await?;
        let candles = history.candles();
        let count = candles.days().iter().filter(|day| **day >= first).count();
        (days_met(terms.kind, terms.threshold, candles, first), count)
    };
    let firing = met.first();
    Ok(AlertAnswer::previewed(PreviewBody {
        ticker: terms.ticker.clone(),
        alert_type: terms.kind.as_str(),
        threshold: terms.threshold,
        from: first.to_string(),
        to: Day::of(when.end).to_string(),
        days_with_data,
        would_fire: firing.is_some(),
        date: firing.map(|met| met.day.to_string()),
        trigger_value: firing.map(|met| met.value),
        days_met: met
            .iter()
            .map(|met| DayMet {
                date: met.day.to_string(),
                value: met.value,
            })
            .collect(),
    }))
}

/// The days at the end of which the mean of the previous seven days met the condition, and the number of days that have
/// a mean.
async fn sentiment(
    context: &Context,
    listing: &Listing,
    terms: &AlertTerms,
    first: Day,
) -> Result<(Vec<Met>, usize)> {
    let end = context.when().end;
    let week = SENTIMENT_DAYS * Timestamp::DAY_MS;
    let query = BriefSentimentQuery {
        tickers: vec![listing.ticker().to_owned()],
        after: Some(first.starts_at().plus_ms(-week)),
        until: Some(end),
        ..BriefSentimentQuery::default()
    };
    let opinions = context.store.brief_sentiments().list(&query).await?;
    let (mut met, mut days) = (Vec::new(), 0);
    let mut day = first;
    while day <= Day::of(end) {
        let until = day.plus(1).starts_at().min(end);
        let of_week = opinions.iter().filter(|opinion| {
            opinion.published_at <= until && opinion.published_at > until.plus_ms(-week)
        });
        let scores: Vec<f64> = of_week.map(|opinion| opinion.sentiment.get()).collect();
        if !scores.is_empty() {
            let value = scores.iter().sum::<f64>() / scores.len() as f64;
            days += 1;
            if is_met(terms.kind, terms.threshold, value) {
                met.push(Met { day, value });
            }
        }
        day = day.plus(1);
    }
    Ok((met, days))
}
