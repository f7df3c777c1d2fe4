//! The response of the screener.

use analysis::market::{DataIssue, MAX_AGE, PointInTime};
use market::filters::Filters;
use market::screener::{NoMatch, Screen, Screened, SortBy, screen};
use model::Category;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::CREDITS;
use crate::caller::Payer;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::services::Services;
use crate::ticker::several::of_ticker;

/// Symbols that match every filter.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScreenBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The matches in the requested order.
    matches: Vec<MatchBody>,
    /// The filters applied; a filter set to `false` is not applied.
    #[schema(value_type = Object)]
    filters_applied: Map<String, Value>,
    /// Number of symbols screened: those of the requested kind, exchange, sector and industry.
    total_scanned: usize,
    /// Total number of symbols that match every filter, including those beyond `limit`.
    total_matches: usize,
    /// Credits charged for this response.
    credits_used: u64,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A symbol that matches every filter. A field is `null` if no source reports it.
#[derive(Serialize, ToSchema)]
#[schema(as = ScreenerMatch)]
pub(crate) struct MatchBody {
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// Sector.
    #[schema(required)]
    sector: Option<String>,
    /// The latest close, to which the filters were applied.
    #[schema(required)]
    price: Option<f64>,
    /// Change from the previous close, in percent.
    #[schema(required)]
    change_pct: Option<f64>,
    /// Relative strength index over 14 sessions, 0 to 100.
    #[schema(required)]
    rsi_14: Option<f64>,
    /// Sentiment, 0 to 1, where 0.5 is neutral; null if there were no briefs in the last seven days.
    #[schema(required)]
    sentiment_score: Option<f64>,
    /// Price-to-earnings ratio; null if there is no profit.
    #[schema(required)]
    pe_ratio: Option<f64>,
    /// Market value in billions of USD (10⁹).
    #[schema(required)]
    market_cap_b: Option<f64>,
    /// Value by which the matches are sorted, as set by `sort`: in percent for yields and changes, in billions of USD
    /// (10⁹) for market value. Null if the symbol has no value.
    #[schema(required)]
    sort_value: Option<f64>,
    /// Session of the price, YYYY-MM-DD; null if there is no price.
    #[schema(required)]
    date: Option<String>,
    /// ISO 4217 code of the price: its own currency, or the one requested.
    currency: String,
    /// Whether the price is more than five sessions older than the latest session.
    stale: bool,
    /// Reasons for the match, one for each filter.
    match_reasons: Vec<String>,
}

/// Filters in the form used in a request.
pub(crate) fn given(filters: &Filters) -> Map<String, Value> {
    let conditions = filters.conditions().iter();
    conditions
        .map(|condition| {
            let key = condition.key();
            let value = if key.is_flag() {
                Value::Bool(true)
            } else {
                Value::from(condition.threshold())
            };
            (key.as_str().to_owned(), value)
        })
        .collect()
}

impl ScreenBody {
    /// A response without matches, with the reason.
    pub(crate) fn nothing(filters: Map<String, Value>, reason: String) -> Self {
        Self {
            status: "ok",
            matches: Vec::new(),
            filters_applied: filters,
            total_scanned: 0,
            total_matches: 0,
            credits_used: CREDITS,
            data_status: written(vec![DataIssue::absent("matches", reason)]),
        }
    }

    /// The same response at no charge.
    pub(super) fn at_no_cost(self) -> Self {
        Self {
            credits_used: 0,
            ..self
        }
    }

    /// Whether there are matches but none has a value to sort by.
    pub(super) fn is_without_order(&self) -> bool {
        is_without_order(&self.matches)
    }

    /// Answers a screen.
    pub(crate) async fn answering(
        services: &Services,
        when: PointInTime,
        categories: &[Category],
        question: &Screen,
        payer: Payer,
    ) -> Result<Self> {
        let lane = match when.as_of {
            Some(_) => &services.heavy.screens,
            None => &services.heavy.snapshots,
        };
        let rows = services
            .screener
            .rows(when, services.revision(), categories, (lane, payer))
            .await?;
        let max_age = question.max_age.unwrap_or(MAX_AGE);
        let question = &Screen {
            beside_news: Some(when.signals_from(max_age, question.asset_type)),
            ..question.clone()
        };
        let found = screen(&rows.snapshot, question);
        let without_sentiment = without_sentiment(&found, question);
        let left_out = left_out(&found);
        let mut matches = Vec::with_capacity(found.matches.len());
        let mut inferred = Vec::new();
        for matched in found.matches {
            let row = matched.row;
            let mut one = MatchBody {
                ticker: row.ticker.clone(),
                entity_name: row.entity_name.clone(),
                sector: (!row.sector.is_empty()).then(|| row.sector.clone()),
                price: row.prices.price,
                change_pct: row.prices.change_pct,
                rsi_14: row.prices.rsi_14,
                sentiment_score: row.sentiment_beside(question.beside_news),
                pe_ratio: row.pe_ratio,
                market_cap_b: row.market_cap_b,
                sort_value: matched.sort_value,
                date: row.prices.date.map(|day| day.to_string()),
                currency: row.currency.clone(),
                stale: false,
                match_reasons: matched.reasons,
            };
            let rate = question
                .currency
                .as_ref()
                .map(|to| (to.rate(&row.currency), to));
            if let Some(key) = rows.key(&row.ticker)
                && let Some(listing) = services.instruments.find(key).await?
            {
                // What is shown is what the filters judged: the newest close, also where a price of now is held. Only what
                // has no close shows that.
                if let Some(day) = row.prices.date {
                    one.stale = listing.is_old(day, when);
                } else if let Some(point) = services.prices.newest(&listing, when).await? {
                    one.price = Some(point.current);
                    one.change_pct = point.change_pct;
                    one.date = Some(point.day.to_string());
                    one.stale = listing.is_old(point.day, when);
                }
                let notes = listing.inferred_scale("matches.price", when);
                inferred.extend(of_ticker(&listing, notes));
            }
            if let Some((rate, currency)) = rate {
                one.price = one.price.zip(rate).map(|(price, rate)| price * rate);
                one.currency.clone_from(&currency.to);
            }
            matches.push(one);
        }
        let mut issues: Vec<DataIssue> = without_sentiment.into_iter().collect();
        if let Some(reason) = found.no_match {
            issues.push(DataIssue::absent("matches", no_match(reason, question)));
        }
        issues.extend(left_out);
        issues.extend(missing(&matches, question.sort));
        issues.extend(inferred);
        Ok(Self {
            status: "ok",
            matches,
            filters_applied: given(&question.filters),
            total_scanned: found.total_scanned,
            total_matches: found.total_matches,
            credits_used: CREDITS,
            data_status: written(issues),
        })
    }
}

/// The symbols whose sentiment is not used because their prices are old.
fn without_sentiment(found: &Screened<'_>, question: &Screen) -> Option<DataIssue> {
    let oldest = question
        .beside_news
        .filter(|_| found.without_sentiment > 0)?;
    let reason = format!(
        "the sentiment of {} of {} symbols does not count: their newest price is of before {oldest}, and an old price makes no signal with the news of now (`max_age`)",
        found.without_sentiment, found.total_scanned
    );
    Some(DataIssue {
        stale: true,
        ..DataIssue::absent("matches.sentiment_score", reason)
    })
}

/// Which symbols are excluded.
fn left_out(found: &Screened<'_>) -> Vec<DataIssue> {
    let mut issues = Vec::new();
    if let Some(newest) = found.newest
        && found.too_old > 0
    {
        let reason = format!(
            "{} of {} symbols are excluded: their newest price is too old compared with the session of {newest} (`max_age`)",
            found.too_old, found.total_scanned
        );
        issues.push(DataIssue {
            stale: true,
            ..DataIssue::absent("total_scanned", reason)
        });
    }
    if found.without_rate > 0 {
        let reason = format!(
            "{} of {} symbols are excluded: no rate of their currency is stored",
            found.without_rate, found.total_scanned
        );
        issues.push(DataIssue::absent("total_scanned", reason));
    }
    if found.without_price > 0 {
        let reason = format!(
            "{} of {} symbols are excluded: no price of them is available",
            found.without_price, found.total_scanned
        );
        issues.push(DataIssue::absent("total_scanned", reason));
    }
    issues
}

/// Why there are no matches.
fn no_match(reason: NoMatch, question: &Screen) -> String {
    let kind = question.asset_type.as_str();
    if let (NoMatch::NothingScanned, Some(industry)) = (reason, question.industry) {
        return format!("no {kind} is listed in the industry {:?}", industry.name);
    }
    match (reason, &question.sector) {
        (NoMatch::NothingScanned, Some(sector)) => {
            let sector: String = sector.chars().take(80).collect();
            format!("no {kind} is listed in sector {sector:?}")
        }
        (NoMatch::NothingScanned, None) => format!("no {kind} is listed"),
        (NoMatch::NoValues(key), _) => format!(
            "none of the scanned symbols has the value that {} needs",
            key.as_str()
        ),
        (NoMatch::NothingFits, _) => "no symbol matches every filter".to_owned(),
    }
}

/// Whether no match has a sort value; matches with a value come before those without.
fn is_without_order(matches: &[MatchBody]) -> bool {
    matches.first().is_some_and(|row| row.sort_value.is_none())
}

/// Which columns have missing values, and why.
fn missing(matches: &[MatchBody], sort: SortBy) -> Vec<DataIssue> {
    type Column = (&'static str, &'static str, fn(&MatchBody) -> bool);
    let columns: [Column; 5] = [
        ("matches.price", "no candle is known", |row| {
            row.price.is_none()
        }),
        (
            "matches.rsi_14",
            "the history has fewer than 15 candles",
            |row| row.rsi_14.is_none(),
        ),
        (
            "matches.sentiment_score",
            "no brief in the last seven days mentions the symbol, or its price is too old to stand beside one",
            |row| row.sentiment_score.is_none(),
        ),
        (
            "matches.pe_ratio",
            "no source reports earnings per share of the time of the price, or they are not positive",
            |row| row.pe_ratio.is_none(),
        ),
        (
            "matches.market_cap_b",
            "no source reports the number of shares or the market value of the time of the price",
            |row| row.market_cap_b.is_none(),
        ),
    ];
    // Other orders are by a column of their own.
    let is_without_order = is_without_order(matches);
    let unordered = is_without_order.then(|| {
        let reason = format!(
            "none of the matches has a value of `{}`, so they stand in the order of their symbols",
            sort.as_str()
        );
        DataIssue::absent("matches.sort_value", reason)
    });
    let has_no_column = sort.has_no_field();
    let ordered: Column = (
        "matches.sort_value",
        "no source has the value that the matches are ordered by",
        |row| row.sort_value.is_none(),
    );
    columns
        .into_iter()
        .chain((has_no_column && !is_without_order).then_some(ordered))
        .filter_map(|(field, reason, lacks)| {
            let count = matches.iter().filter(|row| lacks(row)).count();
            let all = matches.len();
            (count > 0).then(|| {
                DataIssue::absent(
                    field,
                    format!("null for {count} of {all} matches: {reason}"),
                )
            })
        })
        .chain(unordered)
        .collect()
}
