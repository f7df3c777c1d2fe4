//! `/forex`: what currencies cost.

use analysis::market::{CURRENCY_PAIRS, DataIssue, PricedSeries, Values};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::markets::past::{ObservationBody, Stretch};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The pairs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ForexBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Seven pairs; those of which no rate is known are absent and named in `data_status`.
    pairs: Vec<PairBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A pair of currencies.
#[derive(Serialize, ToSchema)]
#[schema(as = CurrencyPair)]
pub(crate) struct PairBody {
    /// Such as `EURUSD`.
    pair: &'static str,
    /// Such as `Euro / US Dollar`.
    label: &'static str,
    /// Units of the second currency for one of the first; absent where no rate is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rate: Option<f64>,
    /// Against the rate of the day before, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// The day of the rate, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// Who reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
}

/// One pair.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnePairBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    #[serde(flatten)]
    pair: PairBody,
    /// The daily rates of the period that is asked for, oldest first; absent where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history: Option<Vec<ObservationBody>>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
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
        description: "A live quote where there is one, else the latest daily rate. With `as_of`, the daily rates known then.",
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

/// Which pair.
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
                "Currency pair, in any case; `EUR-USD`, `EUR%2FUSD` and `EURUSD=X` also work",
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
        summary: "Shows the latest rate of one currency pair, and its history.",
        description: "A live quote where there is one, else the latest daily rate. With `as_of`, the daily rate known then. `range`, or `from` and `to`, list the daily rates of a period.",
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
