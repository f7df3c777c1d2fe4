//! `/commodities`: what raw materials cost.

use analysis::market::{
    COMMODITIES, DataIssue, LISTED_COMMODITIES, PointInTime, PricedSeries, Values,
};
use model::{Day, Observation, Series, SeriesId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::markets::past::{ObservationBody, Stretch, fullest};
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

const CURRENCY: &str = "USD";

/// The commodities.
#[derive(Serialize, ToSchema)]
pub(crate) struct CommoditiesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Ten commodities; those of which no price is known are absent and named in `data_status`.
    commodities: Vec<CommodityBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A commodity.
#[derive(Serialize, ToSchema)]
#[schema(as = Commodity)]
pub(crate) struct CommodityBody {
    /// Such as `crude`.
    symbol: &'static str,
    /// Such as `Crude Oil (WTI)`.
    name: &'static str,
    /// As the market quotes it: in `unit`. Absent where no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// Against the price before it in the same series, in `unit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change: Option<f64>,
    /// The same in percent. Absent where one of both prices is not above zero: a percentage has no meaning there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// The money of the price: always US dollars, also of what exchanges quote in US cents.
    currency: &'static str,
    /// Such as `USD per barrel`, `USD per bushel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    /// `daily` or `monthly`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    frequency: Option<&'static str>,
    /// The day of the price, or the first day of its month, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// Who reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
    /// The series that it is from, such as `commodity:crude/futures`: of several that with the newest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    series: Option<String>,
}

/// One commodity.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneCommodityBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    #[serde(flatten)]
    commodity: CommodityBody,
    /// The prices of the period that is asked for, oldest first, as `history_of` says, else in `unit` and from `series`; absent
    /// where no period is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history: Option<Vec<ObservationBody>>,
    /// Where `history` is from; absent where it is from the series of the latest price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history_of: Option<HistoryOfBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The series of past prices.
#[derive(Serialize, ToSchema)]
#[schema(as = CommodityHistoryOf)]
pub(crate) struct HistoryOfBody {
    /// Such as `commodity:crude/futures`.
    series: String,
    /// Such as `USD per barrel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    /// `daily` or `monthly`.
    frequency: &'static str,
    /// Who reported the prices.
    source: String,
}

impl From<&Series> for HistoryOfBody {
    fn from(series: &Series) -> Self {
        Self {
            series: series.id.0.clone(),
            unit: Some(series.unit.clone()).filter(|unit| !unit.is_empty()),
            frequency: series.frequency.as_str(),
            source: series.source.clone(),
        }
    }
}

/// `GET /commodities`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = CommoditiesBody;

    const ABOUT: About = About {
        name: "list_commodities",
        address: Address::get("/api/v1/commodities"),
        subject: "markets",
        summary: "Lists ten commodities with their latest prices.",
        description: "The more recent of futures and spot prices; `frequency` distinguishes daily prices from monthly averages.",
        answer: "The commodities",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<CommoditiesBody> {
        let when = context.when();
        let mut commodities = Vec::new();
        let mut issues = Vec::new();
        for commodity in COMMODITIES.iter().take(LISTED_COMMODITIES) {
            let (body, issue, _) = read(&context.services, commodity, when, "commodities").await?;
            issues.extend(issue);
            if body.price.is_some() {
                commodities.push(body);
            }
        }
        Ok(CommoditiesBody {
            status: "ok",
            commodities,
            data_status: written(issues),
        })
    }
}

/// Which prices of a commodity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Traded {
    /// Those of futures.
    Futures,
    /// Those for delivery at once.
    Spot,
}

const TRADED: [(&str, Traded); 2] = [("futures", Traded::Futures), ("spot", Traded::Spot)];

impl Traded {
    /// Whether a series has these prices. What FRED carries is paid for delivery at once.
    fn has(self, series: &str) -> bool {
        series.ends_with("/futures") == (self == Self::Futures)
    }
}

/// What is asked for.
pub(crate) struct ShowInput {
    symbol: String,
    traded: Option<Traded>,
    stretch: Stretch,
}

impl Parameters for ShowInput {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path_of_names(
                "symbol",
                COMMODITIES.iter().map(|commodity| commodity.code),
                "The commodity, in any case",
            ),
            traded: arguments.word(
                "traded",
                &TRADED,
                "Only prices of futures, or only those for delivery at once; without it those of the more recent value",
            ),
            stretch: Stretch::read(arguments),
        }
    }
}

/// `GET /commodities/{symbol}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ShowInput;
    type Output = OneCommodityBody;

    const ABOUT: About = About {
        name: "show_commodity",
        address: Address::get("/api/v1/commodities/{symbol}"),
        subject: "markets",
        summary: "Shows the latest price of one commodity, and its history.",
        description: "`range`, or `from` and `to`, list the prices of a period, daily or monthly as `frequency` says. With `from` or `to` they are those of the series that has most values in the period.",
        answer: "The commodity",
        missing: Some("Unknown commodity, with suggestions"),
        example: r#"{"symbol": "gold"}"#,
        ..About::READS
    };

    async fn run(context: Context, input: ShowInput) -> Result<OneCommodityBody> {
        let ShowInput {
            symbol,
            traded,
            stretch,
        } = input;
        let when = context.when();
        let unknown = |unknown| Error::UnknownName("commodity", unknown);
        let commodity = PricedSeries::find_commodity(&symbol).map_err(unknown)?;
        let mut wanted = commodity.clone();
        wanted
            .series
            .retain(|series| traded.is_none_or(|traded| traded.has(series)));
        let (commodity, issue, newest) = read(&context.services, &wanted, when, "price").await?;
        let fuller = match stretch.days() {
            Some(days) => fullest_of(&context.services, &wanted, when, days).await?,
            None => None,
        };
        // The latest price is that of all series, whichever tells most of the period.
        let fuller = fuller.filter(|values| commodity.series.as_ref() != Some(&values.series.id.0));
        let (history, nothing) = stretch.cut(fuller.as_ref().or(newest.as_ref())).unzip();
        let issues = issue.into_iter().chain(nothing.flatten());
        Ok(OneCommodityBody {
            status: "ok",
            commodity,
            history,
            history_of: fuller.map(|values| HistoryOfBody::from(&values.series)),
            data_status: written(issues.collect()),
        })
    }
}

/// The values of the series of a commodity that tells most of a period.
async fn fullest_of(
    services: &Services,
    commodity: &PricedSeries,
    when: PointInTime,
    days: (Day, Day),
) -> Result<Option<Values>> {
    let mut all = Vec::with_capacity(commodity.series.len());
    for series in &commodity.series {
        let id = SeriesId((*series).to_owned());
        all.extend(services.series.values(&id, when).await?);
    }
    let histories: Vec<&[Observation]> = all.iter().map(|one| &one.observations[..]).collect();
    let place = fullest(&histories, days);
    Ok(place.map(|place| all.swap_remove(place)))
}

async fn read(
    services: &Services,
    commodity: &PricedSeries,
    when: PointInTime,
    field: &'static str,
) -> Result<(CommodityBody, Option<DataIssue>, Option<Values>)> {
    let name = ("price", commodity.code);
    let (found, issue) = services.series.latest(commodity, field, name, when).await?;
    let level = found.as_ref().map(|(_, level)| *level);
    let series = found.as_ref().map(|(values, _)| &values.series);
    let body = CommodityBody {
        symbol: commodity.code,
        name: commodity.name,
        price: level.map(|level| level.value),
        change: level.and_then(|level| level.change),
        change_pct: level.and_then(|level| level.change_pct),
        currency: CURRENCY,
        unit: series
            .map(|series| series.unit.clone())
            .filter(|unit| !unit.is_empty()),
        frequency: series.map(|series| series.frequency.as_str()),
        date: level.map(|level| level.day.to_string()),
        source: series.map(|series| series.source.clone()),
        series: series.map(|series| series.id.0.clone()),
    };
    Ok((body, issue, found.map(|(values, _)| values)))
}
