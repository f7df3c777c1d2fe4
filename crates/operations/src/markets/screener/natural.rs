//! `/screener/natural`: a screen in natural language.

use market::screener::Screen;
use market::screener::natural::{Understood, understand};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{ScreenBody, Shown, asset_types, currency_words, directions, given, orders};
use crate::checked::{Checked, Faults};
use crate::error::Result;
use crate::{About, Address, Context, Keeping, Operation, Posted};

/// Help for callers whose request was not understood.
const HELP: &str = "try RSI, sentiment, P/E, market cap, volume, growth, margin or debt with a number; oversold, overbought, cheap, bullish or large cap; near the 52-week high, or up 20% this year; MACD; 20-, 50- or 200-day averages; a sector or an exchange; stocks, ETFs or coins; or an order, such as the cheapest by P/E, the highest dividend yield or the biggest gainers this year";

/// A sentence, and parameters that it leaves open.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SentenceRequest {
    /// The sentence.
    #[schema(
        min_length = 3,
        max_length = 300,
        example = "oversold tech stocks above their 200-day average"
    )]
    query: String,
    /// `equity`, `etf` or `crypto`; takes precedence over the sentence.
    #[serde(default)]
    #[schema(schema_with = asset_types)]
    asset_type: Option<String>,
    /// Sector; takes precedence over the sentence.
    #[serde(default)]
    #[schema(max_length = 80, pattern = r"\S")]
    sector: Option<String>,
    /// Exchange; takes precedence over the sentence.
    #[serde(default)]
    #[schema(max_length = 80, pattern = r"\S")]
    exchange: Option<String>,
    /// Sort order: `sentiment`, `rsi`, `pe_ratio`, `market_cap`, `volume`, `dividend_yield`, `change_ytd`, `change_1y`,
    /// `revenue_growth`, `eps_growth`, `profit_margin`, `debt_to_equity` or `price`; takes precedence over the sentence.
    #[serde(default)]
    #[schema(schema_with = orders)]
    sort: Option<String>,
    /// Which end of the order comes first: `asc` for the lowest value, `desc` for the highest; takes precedence over
    /// the sentence.
    #[serde(default)]
    #[schema(schema_with = directions)]
    order: Option<String>,
    /// Maximum number of matches, 20 by default; takes precedence over the sentence.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 1, maximum = 50, default = 20)]
    limit: Option<usize>,
    /// Maximum age of a price in sessions before the latest known session, 5 by default. Symbols with an older price,
    /// or none, are excluded.
    #[serde(default, deserialize_with = "crate::checked::whole")]
    #[schema(minimum = 0, maximum = 2500)]
    max_age: Option<usize>,
    /// ISO 4217 code of the currency in which prices are compared and shown, at the latest stored rates; symbols whose
    /// currency has no rate are excluded. If omitted, prices are in US dollars if the sentence gives a price in dollars
    /// (`under $10`), and otherwise each in its own currency.
    #[serde(default)]
    #[schema(schema_with = currency_words)]
    currency: Option<String>,
}

impl SentenceRequest {
    fn shown<'a>(&'a self, said: Option<&'a str>) -> Shown<'a> {
        Shown {
            asset_type: self.asset_type.as_deref(),
            sector: self.sector.as_deref(),
            exchange: self.exchange.as_deref(),
            sort: self.sort.as_deref(),
            order: self.order.as_deref(),
            limit: self.limit,
            max_age: self.max_age,
            currency: self.currency.as_deref().or(said),
        }
    }
}

impl Checked for SentenceRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("query", self.query.trim(), 3..=300);
        self.shown(None).check(faults);
    }
}

/// The matches, and how the sentence was interpreted.
#[derive(Serialize, ToSchema)]
#[schema(as = ScreenInWordsBody)]
pub(crate) struct SentenceBody {
    #[serde(flatten)]
    answer: ScreenBody,
    /// The sentence.
    query: String,
    /// The interpretation of the sentence.
    understood: UnderstoodBody,
    /// How each phrase was interpreted, or why it was left out.
    explanation: Vec<String>,
    /// Words that were not understood.
    not_understood: Vec<String>,
}

/// What was requested: the sentence, overridden by the fields of the request.
#[derive(Serialize, ToSchema)]
#[schema(as = UnderstoodScreen)]
pub(crate) struct UnderstoodBody {
    /// Filters that must match.
    #[schema(value_type = Object)]
    filters: Map<String, Value>,
    /// Kind of instrument.
    asset_type: &'static str,
    /// Sector.
    #[schema(required)]
    sector: Option<String>,
    /// Industry, such as `Banks`; absent if all are included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    industry: Option<&'static str>,
    /// Excluded sectors and industries; symbols that may belong to one are excluded as well. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
    /// Exchange; absent if all are included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    exchange: Option<String>,
    /// Sort order of the matches.
    sort: &'static str,
    /// Which end of the order comes first: `asc` for the lowest value, `desc` for the highest.
    #[schema(value_type = String, example = "desc")]
    order: &'static str,
    /// ISO 4217 code of the currency in which prices are compared and shown; absent if each is in its own currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
}

/// `POST /screener/natural`.
pub(crate) struct ScreenInWords;

impl Operation for ScreenInWords {
    type Input = Posted<(), SentenceRequest>;
    type Output = SentenceBody;

    const ABOUT: About = About {
        name: "screen_tickers_in_words",
        address: Address::post("/api/v1/screener/natural"),
        subject: "trading",
        summary: "Screens symbols by a sentence in plain English.",
        description: "The same sentence always gives the same screen; no language model is involved. Words that are not understood are reported, not guessed at. A sentence has no matches and costs nothing if nothing in it is understood, or if it has a number or a sort order that is not understood.",
        answer: "The matches, and how the sentence was interpreted",
        example: r#"{"query": "oversold tech stocks"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Posted<(), SentenceRequest>) -> Result<SentenceBody> {
        let asked = input.body;
        let when = context.when();
        let categories = context.categories(None)?;
        let mut read = understand(&asked.query);
        let shown = asked.shown(read.currency);
        shown.check_listed(&context).await?;
        let currency = shown.conversion(&context).await?;
        // A price in dollars is not compared with euros.
        let mut without_rate = None;
        if let Some(said) = read.currency
            && let Some(to) = &currency
        {
            if let Some(rate) = to.rate(said) {
                read.convert_prices(rate);
            } else {
                let to = &to.to;
                without_rate = Some(format!(
                    "prices in {said} cannot be compared in {to}: no rate is stored"
                ));
            }
        }
        let filters = read.checked();
        let otherwise = Screen {
            asset_type: read.asset_type.unwrap_or_default(),
            sector: read.sector.clone(),
            industry: read.industry,
            without: read.without.clone(),
            exchange: read.exchange.clone(),
            sort: read.sort.unwrap_or_default(),
            direction: read.direction,
            limit: read.limit.unwrap_or_default(),
            currency,
            ..Screen::default()
        };
        let question = shown.screen(filters.clone().unwrap_or_default(), otherwise);
        let written = written(&read);
        let answer = match filters {
            Err(contradiction) => ScreenBody::nothing(
                written.clone(),
                format!("{contradiction}, so nothing can match"),
            ),
            Ok(_) if without_rate.is_some() => {
                ScreenBody::nothing(written.clone(), without_rate.unwrap_or_default())
            }
            Ok(_) if read.is_beyond => {
                context.charge.claim(0);
                let reason = format!(
                    "the screener does not support a part of the query: \"{}\"",
                    asked.query.trim()
                );
                ScreenBody::nothing(written.clone(), reason).at_no_cost()
            }
            Ok(_) if read.is_nothing() => {
                context.charge.claim(0);
                let reason = format!("nothing in the query was understood; {HELP}");
                ScreenBody::nothing(Map::new(), reason).at_no_cost()
            }
            Ok(_) => {
                let found = ScreenBody::answering(
                    &context.services,
                    when,
                    &categories,
                    &question,
                    context.payer(),
                )
                .await?;
                // Who asks for the most of something is not answered by symbols of which nobody knows it.
                let is_ranking = read.sort == Some(question.sort);
                if is_ranking && found.is_without_order() {
                    context.charge.claim(0);
                    let reason = format!(
                        "none of the symbols has a value of `{}`, which the query ranks them by",
                        question.sort.as_str()
                    );
                    ScreenBody::nothing(written.clone(), reason).at_no_cost()
                } else {
                    found
                }
            }
        };
        Ok(SentenceBody {
            answer,
            query: asked.query.trim().to_owned(),
            understood: UnderstoodBody {
                filters: written,
                asset_type: question.asset_type.as_str(),
                sector: question.sector,
                industry: question.industry.map(|industry| industry.name),
                without: question
                    .without
                    .iter()
                    .map(|part| part.name().to_owned())
                    .collect(),
                exchange: question.exchange,
                sort: question.sort.as_str(),
                order: question.direction.unwrap_or(question.sort.usual()).as_str(),
                currency: question.currency.map(|currency| currency.to),
            },
            explanation: read.explanation,
            not_understood: read.not_understood,
        })
    }
}

/// The filters in the form used in a request, even if they contradict each other.
fn written(read: &Understood) -> Map<String, Value> {
    let each = read
        .filters
        .iter()
        .filter_map(|(key, value)| market::filters::Filters::parse([(key.as_str(), *value)]).ok());
    each.flat_map(|filters| given(&filters)).collect()
}
