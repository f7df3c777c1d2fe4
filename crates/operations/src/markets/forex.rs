//! `/forex`: foreign exchange rates.

use analysis::market::{CURRENCY_PAIRS, DataIssue, PricedSeries, Values};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::markets::past::{ObservationBody, Stretch};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The currency pairs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ForexBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Seven pairs; those without a known rate are absent and named in `data_status`.
    pairs: Vec<PairBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A currency pair.
#[derive(Serialize, ToSchema)]
#[schema(as = CurrencyPair)]
pub(crate) struct PairBody {
    /// Currency pair, such as `EURUSD`.
    pair: &'static str,
    /// Label of the pair, such as `Euro / US Dollar`.
    label: &'static str,
    /// Units of the second currency for one unit of the first; absent if no rate is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rate: Option<f64>,
    /// Change from the previous day's rate, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// Date of the rate, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// Source that reported the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
}

/// A single currency pair.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnePairBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    #[serde(flatten)]
    pair: PairBody,
    /// Daily rates over the requested period, oldest first; absent if no period is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history: Option<Vec<ObservationBody>>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// `GET /forex`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = ForexBody;

    const ABOUT: About = About {
        name: "list_currency_pairs",
        address: Address::get("/api/v1/forex"),
        subject: "markets",
        summary: "Lists seven currency pairs with their latest rates.",
        description: "Each rate is a live quote if there is one, and otherwise the latest daily rate. With `as_of`, the rates are the daily rates known at that time.",
        answer: "The pairs",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<ForexBody> {
        let mut pairs = Vec::new();
        let mut issues = Vec::new();
        for pair in CURRENCY_PAIRS.iter() {
            let (body, issue, _) = read(&context, pair, "pairs").await?;
            issues.extend(issue);
            if body.rate.is_some() {
                pairs.push(body);
            }
        }
        Ok(ForexBody {
            status: "ok",
            pairs,
            data_status: written(issues),
        })
    }
}

/// `GET /forex/{pair}`.
pub(crate) struct Show;

/// Which pair to show.
pub(crate) struct ShowInput {
    pair: String,
    stretch: Stretch,
}

impl Parameters for ShowInput {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            pair: arguments.path_of_names(
                "pair",
                CURRENCY_PAIRS.iter().map(|pair| pair.code),
                "Currency pair, in upper or lower case; `EUR-USD`, `EUR%2FUSD` and `EURUSD=X` also work",
            ),
            stretch: Stretch::read(arguments),
        }
    }
}

impl Operation for Show {
    type Input = ShowInput;
    type Output = OnePairBody;

    const ABOUT: About = About {
        name: "show_currency_pair",
        address: Address::get("/api/v1/forex/{pair}"),
        subject: "markets",
        summary: "Shows the latest rate of one currency pair and its history.",
        description: "The rate is a live quote if there is one, and otherwise the latest daily rate. With `as_of`, it is the daily rate known at that time. `range`, or `from` and `to`, lists the daily rates for a period.",
        answer: "The pair",
        missing: Some("Unknown pair, with suggestions"),
        example: r#"{"pair": "EURUSD"}"#,
        ..About::READS
    };

    async fn run(context: Context, input: ShowInput) -> Result<OnePairBody> {
        let unknown = |unknown| Error::UnknownName("currency pair", unknown);
        let pair = PricedSeries::find_currency_pair(&input.pair).map_err(unknown)?;
        let (pair, issue, values) = read(&context, pair, "rate").await?;
        let (history, nothing) = input.stretch.cut(values.as_ref()).unzip();
        let issues = issue.into_iter().chain(nothing.flatten());
        Ok(OnePairBody {
            status: "ok",
            pair,
            history,
            data_status: written(issues.collect()),
        })
    }
}

async fn read(
    context: &Context,
    pair: &'static PricedSeries,
    field: &'static str,
) -> Result<(PairBody, Option<DataIssue>, Option<Values>)> {
    let when = context.when();
    let found = context
        .series
        .latest(pair, field, ("rate", pair.code), when);
    let (found, issue) = found.await?;
    let level = found.as_ref().map(|(_, level)| *level);
    let body = PairBody {
        pair: pair.code,
        label: pair.name,
        rate: level.map(|level| level.value),
        change_pct: level.and_then(|level| level.change_pct),
        date: level.map(|level| level.day.to_string()),
        source: found
            .as_ref()
            .map(|(values, _)| values.series.source.clone()),
    };
    Ok((body, issue, found.map(|(values, _)| values)))
}
