//! `/screener`: symbols that match every filter, and `/screener/presets`: frequently used filters.

mod answer;
pub(crate) mod natural;

use analysis::market::{MAX_AGE, currencies};
use market::filters::{FilterKey, FilterValue, Filters};
use market::screener::presets::{PRESETS, Preset};
use market::screener::{Conversion, Direction, Screen, SortBy};
use model::AssetType;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Type};
use utoipa::openapi::{Object, ObjectBuilder};

pub(crate) use answer::{ScreenBody, given};

use crate::checked::{Checked, Faults};
use crate::error::Result;
use crate::field;
use crate::markets::listed::{check_exchange, check_sector};
use crate::{About, Address, Context, Keeping, Operation, Posted};

pub(crate) const CREDITS: u64 = 5;
const LIMIT: usize = 20;
const MOST: usize = 50;
/// Number of sessions in ten years.
const OLDEST: usize = 2500;
/// The filters to match, and what to show.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ScreenRequest {
    /// A symbol must match every filter given. Numbers: `rsi_below`, `rsi_above`, `sentiment_above`, `sentiment_below`,
    /// `pe_below`, `pe_above`, `market_cap_above` (in billions of dollars), `volume_above` (daily average). Flags (true
    /// or false): `macd_bullish`, `macd_bearish`, `above_sma_20`, `below_sma_20`, and the same for 50 and 200. In
    /// percent, each also available as `…_below`: `dividend_yield_above`, `from_52w_high_above` (below the 52-week
    /// high), `from_52w_low_above` (above the 52-week low), `change_ytd_above`, `change_1y_above`,
    /// `revenue_growth_above`, `eps_growth_above`, `profit_margin_above`. A ratio: `debt_to_equity_above`.
    #[schema(schema_with = filter_shape)]
    filters: Map<String, Value>,
    /// `equity` (default), `etf` or `crypto`.
    #[serde(default)]
    #[schema(schema_with = asset_types)]
    asset_type: Option<String>,
    /// Restricts the screen to this sector; not case-sensitive, and common short forms such as `tech` are accepted. One
    /// of the eleven sectors of the Global Industry Classification Standard, or one with at least one listing.
    #[serde(default)]
    #[schema(max_length = 80, pattern = r"\S")]
    sector: Option<String>,
    /// Restricts the screen to this exchange, such as `NASDAQ` or `NYSE`; not case-sensitive. It must have at least one
    /// listing.
    #[serde(default)]
    #[schema(max_length = 80, pattern = r"\S")]
    exchange: Option<String>,
    /// Sort order: `sentiment` (default), `rsi`, `pe_ratio`, `market_cap`, `volume`, `dividend_yield`, `change_ytd`,
    /// `change_1y`, `revenue_growth`, `eps_growth`, `profit_margin`, `debt_to_equity` or `price`.
    #[serde(default)]
    #[schema(schema_with = orders)]
    sort: Option<String>,
    /// Which end of the order comes first: `asc` for the lowest value, `desc` for the highest; by default, `asc` for
    /// `rsi`, `pe_ratio` and `debt_to_equity` and `desc` for the others.
    #[serde(default)]
    #[schema(schema_with = directions)]
    order: Option<String>,
    /// Maximum number of matches shown, 20 by default.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 1, maximum = 50, default = 20)]
    limit: Option<usize>,
    /// Maximum age of a price in sessions before the latest known session, 5 by default; symbols with an older price,
    /// or none, are excluded. Sentiment is used only with a price from within this many sessions (at least five) of the
    /// latest closed session.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 0, maximum = 2500)]
    max_age: Option<usize>,
    /// ISO 4217 code of the currency in which prices are compared and shown, at the latest stored rates; symbols whose
    /// currency has no rate are excluded. If omitted, prices are in US dollars if a filter compares them with a number,
    /// and otherwise each in its own currency.
    #[serde(default)]
    #[schema(schema_with = currency_words)]
    currency: Option<String>,
}

/// Which symbols to show, in which order and how many, as requested.
pub(crate) struct Shown<'a> {
    pub(crate) asset_type: Option<&'a str>,
    pub(crate) sector: Option<&'a str>,
    pub(crate) exchange: Option<&'a str>,
    pub(crate) sort: Option<&'a str>,
    pub(crate) order: Option<&'a str>,
    pub(crate) limit: Option<usize>,
    pub(crate) max_age: Option<usize>,
    pub(crate) currency: Option<&'a str>,
}

impl Shown<'_> {
    pub(crate) fn check(&self, faults: &mut Faults) {
        if let Some(Err(error)) = self.asset_type.map(str::parse::<AssetType>) {
            faults.note(format!("asset_type {error}"));
        }
        if let Some(Err(error)) = self.sort.map(str::parse::<SortBy>) {
            faults.note(format!("sort {error}"));
        }
        if let Some(Err(error)) = self.order.map(str::parse::<Direction>) {
            faults.note(format!("order {error}"));
        }
        if let Some(sector) = self.sector {
            faults.length("sector", sector.trim(), 1..=80);
        }
        if let Some(exchange) = self.exchange {
            faults.length("exchange", exchange.trim(), 1..=80);
        }
        let known = currencies();
        if self
            .currency
            .is_some_and(|code| !known.iter().any(|one| one.eq_ignore_ascii_case(code)))
        {
            faults.note(format!("currency must be one of {}", known.join(", ")));
        }
        if !(1..=MOST).contains(&self.limit.unwrap_or(LIMIT)) {
            faults.note(format!("limit must be an integer from 1 to {MOST}"));
        }
        if self.max_age.unwrap_or(0) > OLDEST {
            faults.note(format!("max_age must be an integer from 0 to {OLDEST}"));
        }
    }

    /// Refuses an unknown sector or exchange: an empty response would look like one without matches.
    pub(crate) async fn check_listed(&self, context: &Context) -> Result<()> {
        check_sector(context, "sector", self.sector).await?;
        check_exchange(context, "exchange", self.exchange).await
    }

    /// The currency of the prices, with its rates; `None` if each is in its own currency.
    pub(crate) async fn conversion(&self, context: &Context) -> Result<Option<Conversion>> {
        let Some(code) = self.currency else {
            return Ok(None);
        };
        let code = code.to_ascii_uppercase();
        let found = context.series.conversion(&code, context.when()).await?;
        Ok(Some(found))
    }

    /// The screen requested, with `otherwise` for anything not given.
    pub(crate) fn screen(&self, filters: Filters, otherwise: Screen) -> Screen {
        let sector = self.sector.map(market::screener::sector::canonical);
        let exchange = self.exchange.map(|exchange| exchange.trim().to_owned());
        Screen {
            filters,
            asset_type: read(self.asset_type).unwrap_or(otherwise.asset_type),
            sector: sector.or(otherwise.sector),
            industry: otherwise.industry,
            without: otherwise.without,
            exchange: exchange.or(otherwise.exchange),
            sort: read(self.sort).unwrap_or(otherwise.sort),
            // The direction is that of the order it was said of.
            direction: read(self.order).or(otherwise.direction.filter(|_| self.sort.is_none())),
            limit: self.limit.unwrap_or(match otherwise.limit {
                0 => LIMIT,
                limit => limit.min(MOST),
            }),
            max_age: Some(self.max_age.map_or(MAX_AGE, |age| age as u32)),
            beside_news: otherwise.beside_news,
            currency: otherwise.currency,
        }
    }
}

/// The filters, each a flag or a number within its bounds, and nothing else.
pub(crate) fn filter_shape() -> Object {
    let shape = ObjectBuilder::new()
        .description(Some(
            "All given filters must hold; a flag that is false is not a filter. `market_cap_above` is in billions of \
             dollars, and `volume_above` is a daily average. Distances from the 52-week high and low, changes, \
             growth, margin and yield are in percent; `debt_to_equity` is a ratio.",
        ))
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        .examples([serde_json::json!({"rsi_below": 30, "above_sma_200": true})]);
    FilterKey::ALL
        .into_iter()
        .fold(shape, |shape, key| {
            let (least, most, _) = key.bounds();
            let value = if key.is_flag() {
                ObjectBuilder::new().schema_type(Type::Boolean).build()
            } else {
                field::number(&(least..=most))
            };
            shape.property(key.as_str(), value)
        })
        .build()
}

/// The values of `currency`.
pub(crate) fn currency_words() -> Object {
    field::optional_word(
        "ISO 4217 code of the currency in which prices are compared and shown, at the latest stored rates. If \
         omitted, prices are in US dollars if a filter compares them with a number; otherwise, each price is in its \
         own currency.",
        currencies().into_iter(),
        None,
    )
}

/// The values of `asset_type`.
pub(crate) fn asset_types() -> Object {
    let words = AssetType::ALL.iter().map(|kind| kind.as_str());
    field::optional_word("Kind of instrument.", words, Some("equity"))
}

/// The values of `sort`.
pub(crate) fn orders() -> Object {
    let words = SortBy::ALL.iter().map(|order| order.as_str());
    field::optional_word("Order of the matches.", words, Some("sentiment"))
}

/// The values of `order`.
pub(crate) fn directions() -> Object {
    let words = Direction::ALL.iter().map(|direction| direction.as_str());
    field::optional_word(
        "Which end of the order comes first: `asc` for the lowest value, `desc` for the highest. By default, `asc` for \
         `rsi`, `pe_ratio` and `debt_to_equity` and `desc` for the others.",
        words,
        None,
    )
}

fn read<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

impl ScreenRequest {
    fn shown(&self) -> Shown<'_> {
        Shown {
            asset_type: self.asset_type.as_deref(),
            sector: self.sector.as_deref(),
            exchange: self.exchange.as_deref(),
            sort: self.sort.as_deref(),
            order: self.order.as_deref(),
            limit: self.limit,
            max_age: self.max_age,
            currency: self.currency.as_deref(),
        }
    }
}

impl Checked for ScreenRequest {
    fn check(&self, faults: &mut Faults) {
        self.shown().check(faults);
        if let Err(error) = filters(&self.filters) {
            faults.note(error.to_string());
        }
    }
}

/// The values in a request as the filters read them; null means no value.
pub(crate) fn values(given: &Map<String, Value>) -> impl Iterator<Item = (&str, FilterValue)> {
    given.iter().filter_map(|(key, value)| {
        let value = match value {
            Value::Null => return None,
            Value::Bool(flag) => FilterValue::Flag(*flag),
            Value::Number(number) => number
                .as_f64()
                .map_or(FilterValue::Other, FilterValue::Number),
            _ => FilterValue::Other,
        };
        Some((key.as_str(), value))
    })
}

fn filters(given: &Map<String, Value>) -> Result<Filters, market::Error> {
    Filters::parse(values(given))
}

/// `POST /screener`.
pub(crate) struct ScreenTickers;

impl Operation for ScreenTickers {
    type Input = Posted<(), ScreenRequest>;
    type Output = ScreenBody;

    const ABOUT: About = About {
        name: "screen_tickers",
        address: Address::post("/api/v1/screener"),
        subject: "trading",
        summary: "Finds the symbols that match every filter.",
        description: "Prices and indicators, including those in the rows, are those of the latest close; sentiment is the mean over the briefs of the last seven days. Sorting by `rsi` puts the most oversold first, sorting by `pe_ratio` the cheapest, sorting by `debt_to_equity` the least indebted, and any other order the highest, unless `order` says otherwise; symbols without the value come last.",
        answer: "The matches",
        example: r#"{"filters": {"rsi_below": 40}, "limit": 10}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Posted<(), ScreenRequest>) -> Result<ScreenBody> {
        let asked = input.body;
        let when = context.when();
        let categories = context.categories(None)?;
        let filters = filters(&asked.filters)?;
        let mut shown = asked.shown();
        shown.check_listed(&context).await?;
        if filters.bound_prices() {
            // A number of dollars says nothing of a price in yen.
            shown.currency = shown.currency.or(Some("USD"));
        }
        let otherwise = Screen {
            currency: shown.conversion(&context).await?,
            ..Screen::default()
        };
        let question = shown.screen(filters, otherwise);
        ScreenBody::answering(
            &context.services,
            when,
            &categories,
            &question,
            context.payer(),
        )
        .await
    }
}

/// Preset screens.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The presets.
    presets: Vec<PresetBody>,
}

/// A preset screen: send its filters, `asset_type` and `sort` to `/screener`.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetBody {
    /// ID of the preset.
    id: &'static str,
    /// Name of the preset.
    name: &'static str,
    /// What the preset finds.
    description: &'static str,
    /// Filters that must match.
    #[schema(value_type = Object)]
    filters: Map<String, Value>,
    /// `equity`, `etf` or `crypto`.
    asset_type: &'static str,
    /// Sort order of the matches.
    sort: &'static str,
}

impl From<Preset> for PresetBody {
    fn from(preset: Preset) -> Self {
        let filters = Filters::parse(
            preset
                .filters
                .iter()
                .map(|(key, value)| (key.as_str(), *value)),
        );
        Self {
            id: preset.id,
            name: preset.name,
            description: preset.description,
            filters: given(&filters.unwrap_or_default()),
            asset_type: preset.asset_type.as_str(),
            sort: preset.sort.as_str(),
        }
    }
}

/// `GET /screener/presets`.
pub(crate) struct Presets;

impl Operation for Presets {
    type Input = ();
    type Output = PresetsBody;

    const ABOUT: About = About {
        name: "list_screener_presets",
        address: Address::get("/api/v1/screener/presets"),
        subject: "trading",
        summary: "Lists preset screens.",
        answer: "The screens",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(_: Context, (): ()) -> Result<PresetsBody> {
        Ok(PresetsBody {
            status: "ok",
            presets: PRESETS.into_iter().map(PresetBody::from).collect(),
        })
    }
}
