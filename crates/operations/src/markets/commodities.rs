//! `/commodities`: commodity prices.

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
    /// Ten commodities; those without a known price are absent and named in `data_status`.
    commodities: Vec<CommodityBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A commodity.
#[derive(Serialize, ToSchema)]
#[schema(as = Commodity)]
pub(crate) struct CommodityBody {
    /// Symbol of the commodity, such as `crude`.
    symbol: &'static str,
    /// Name of the commodity, such as `Crude Oil (WTI)`.
    name: &'static str,
    /// Price as quoted by the market, in `unit`. Absent if no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    price: Option<f64>,
    /// Change from the previous price in the same series, in `unit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change: Option<f64>,
    /// The same change in percent. Absent if either price is not above zero, because a percentage would be meaningless.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_pct: Option<f64>,
    /// Currency of the price: always US dollars, even for commodities that exchanges quote in US cents.
    currency: &'static str,
    /// Unit of the price, such as `USD per barrel` or `USD per bushel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    /// Frequency of the prices: `daily` or `monthly`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    frequency: Option<&'static str>,
    /// Day of the price, or the first day of its month, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    date: Option<String>,
    /// Source that reported the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
    /// Series of the price, such as `commodity:crude/futures`. If there are several, the one with the latest value.
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
    /// Prices over the requested period, oldest first, as described by `history_of` or, if that is absent, in `unit`
    /// and from `series`. Absent if no period is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history: Option<Vec<ObservationBody>>,
    /// Series of `history`; absent if it is the series of the latest price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    history_of: Option<HistoryOfBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The series of past prices.
#[derive(Serialize, ToSchema)]
#[schema(as = CommodityHistoryOf)]
pub(crate) struct HistoryOfBody {
    /// Series, such as `commodity:crude/futures`.
    series: String,
    /// Unit of the prices, such as `USD per barrel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    /// Frequency of the prices: `daily` or `monthly`.
    frequency: &'static str,
    /// Source that reported the prices.
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
        description: "Each price is the more recent of the futures price and the spot price; `frequency` distinguishes daily prices from monthly averages.",
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

/// The kind of commodity price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Traded {
    /// Futures prices.
    Futures,
    /// Spot prices.
    Spot,
}

const TRADED: [(&str, Traded); 2] = [("futures", Traded::Futures), ("spot", Traded::Spot)];

impl Traded {
    /// Whether a series has prices of this kind. The series from FRED are spot prices.
    fn has(self, series: &str) -> bool {
        series.ends_with("/futures") == (self == Self::Futures)
    }
}

/// The request parameters.
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
                "Name of the commodity, in upper or lower case",
            ),
            traded: arguments.word(
                "traded",
                &TRADED,
                "Only futures prices or only spot prices; if omitted, the series with the more recent value",
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
        summary: "Shows the latest price of one commodity and its history.",
        description: "`range`, or `from` and `to`, lists the prices for a period, daily or monthly as stated by `frequency`. With `from` or `to`, the prices are from the series with the most values in the period.",
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

/// The values of the commodity series that covers a period best.
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
