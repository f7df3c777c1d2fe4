//! The prices that a forecast starts from: of an instrument, or of a commodity, an index or a currency pair.
//!
//! A forecast counts from the newest price. If that is older than the period that is asked about, the forecast would
//! mostly be about what has happened since, so none is made.

use analysis::market::PricedSeries;
use model::{Day, Frequency, Observation};
use query::{Instrument, Kind, Series};
use serde_json::json;
use verify::figures::{Derived, KnownSeries, SeriesKind};

use super::Work;
use crate::figures::{count, day, money, plain, span};
use crate::runs::Run;
use crate::view::View;

/// How many days old the newest daily price may be, even if less time is asked about.
const FRESH: i32 = 30;
/// The same for other frequencies, whose values cover a whole month or more and are published later.
const FRESH_SPAN: i32 = 120;
/// The most values of a series to read: five years of days, thirty years of months.
const DAILY_VALUES: usize = 1_300;
const OTHER_VALUES: usize = 360;

/// What is forecast.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// A share, fund or coin.
    Listed(Instrument),
    /// A commodity, index or pair.
    Quoted(Quoted),
}

/// Something unlisted that has a price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quoted {
    name: String,
    ids: Vec<&'static str>,
    kind: QuotedKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuotedKind {
    Commodity,
    Index,
    Pair,
    /// A pair whose rate is stored the other way round.
    Inverse,
}

impl QuotedKind {
    /// The operation whose scope covers its values.
    const fn operation(self) -> &'static str {
        match self {
            Self::Commodity => "list_commodities",
            Self::Index => "show_market_summary",
            Self::Pair | Self::Inverse => "list_currency_pairs",
        }
    }
}

impl Subject {
    /// The first subject with a price that a topic names.
    pub(super) fn of(reading: &query::Reading) -> Option<Self> {
        if let Some(instrument) = reading.instruments.first() {
            return Some(Self::Listed(instrument.clone()));
        }
        let quoted = reading.series.iter().find_map(|series| quoted(*series));
        quoted.map(Self::Quoted)
    }

    /// The code that predictions use.
    pub(super) fn code(&self) -> &str {
        match self {
            Self::Listed(instrument) => instrument.symbol.as_str(),
            Self::Quoted(quoted) => &quoted.name,
        }
    }

    /// The name that introduces it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Listed(instrument) => format!("{} ({})", instrument.name, instrument.symbol),
            Self::Quoted(quoted) => quoted.name.clone(),
        }
    }

    /// Whether it is a share, which has peers.
    pub(super) fn is_share(&self) -> bool {
        matches!(self, Self::Listed(instrument) if instrument.kind == Kind::Share)
    }
}

fn quoted(series: Series) -> Option<Quoted> {
    match series {
        Series::Known(code) => {
            let known = KnownSeries::find(code).filter(|known| {
                known.kind == SeriesKind::Price && known.derived == Derived::Level
            })?;
            let kind = match known.ids.first()?.split(':').next()? {
                "commodity" => QuotedKind::Commodity,
                "index" => QuotedKind::Index,
                _ => return None,
            };
            let mut letters = known.name.chars();
            let first = letters.next()?.to_uppercase();
            Some(Quoted {
                name: first.chain(letters).collect(),
                ids: known.ids.clone(),
                kind,
            })
        }
        Series::Pair(base, quote) => {
            let name = format!("{base}/{quote}");
            let find = |one: &str, other: &str| {
                PricedSeries::find_currency_pair(&format!("{one}{other}")).ok()
            };
            let (pair, kind) = match find(base, quote) {
                Some(pair) => (pair, QuotedKind::Pair),
                None => (find(quote, base)?, QuotedKind::Inverse),
            };
            Some(Quoted {
                name,
                ids: pair.series.clone(),
                kind,
            })
        }
    }
}

/// The unit of a price.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Measure {
    Money(String),
    /// A unit such as `USD per barrel`.
    Unit(String),
    /// How much of one currency the other costs.
    Rate,
}

/// The prices of a subject.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct History {
    /// Oldest first.
    pub(super) values: Vec<f64>,
    first_date: String,
    last_date: String,
    measure: Measure,
    frequency: Frequency,
    /// Values per year.
    per_year: f64,
}

impl History {
    /// A price in its unit: `$217.11`, `98.87`, `1.0892`.
    pub(super) fn price(&self, value: f64) -> String {
        match &self.measure {
            Measure::Money(currency) => money(value, currency),
            Measure::Rate if (0.1..20.0).contains(&value) => format!("{value:.4}"),
            Measure::Unit(_) | Measure::Rate => plain(value),
        }
    }

    /// The currency it is written in, if there is one.
    pub(super) fn currency(&self) -> Option<&str> {
        match &self.measure {
            Measure::Money(currency) => Some(currency),
            Measure::Unit(unit) => unit.split(' ').next().filter(|code| code.len() == 3),
            Measure::Rate => None,
        }
    }

    /// The newest price, with its full unit: `98.87 USD per barrel`.
    pub(super) fn newest(&self) -> String {
        let price = self.price(self.last());
        match &self.measure {
            Measure::Unit(unit) if !unit.is_empty() => format!("{price} {unit}"),
            _ => price,
        }
    }

    pub(super) fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or_default()
    }

    /// `closed at $217.11 on 20 Nov 2026`, `stood at 4,856.00 USD per troy ounce in March 2026`.
    pub(super) fn stood(&self) -> String {
        let date = self.date(&self.last_date);
        let newest = self.newest();
        match (self.frequency, &self.measure) {
            (Frequency::Daily, Measure::Money(_)) => format!("closed at {newest} on {date}"),
            (Frequency::Daily, _) => format!("stood at {newest} on {date}"),
            (Frequency::Weekly, _) => format!("stood at {newest} in the week of {date}"),
            _ => format!(
                "stood at {newest} in {date}, the newest of its {} prices",
                self.frequency.as_str()
            ),
        }
    }

    fn date(&self, date: &str) -> String {
        match self.frequency {
            Frequency::Daily | Frequency::Weekly => day(date),
            other => span(date, other.as_str()),
        }
    }

    /// The day or month of the newest price.
    pub(super) fn newest_date(&self) -> String {
        self.date(&self.last_date)
    }

    /// The day or month of the first price.
    pub(super) fn first_date(&self) -> String {
        self.date(&self.first_date)
    }

    /// The word for a number of its values.
    pub(super) fn counted(&self, number: usize) -> String {
        let (one, many) = match (self.frequency, &self.measure) {
            (Frequency::Daily, Measure::Money(_)) => ("close", "closes"),
            (Frequency::Daily, _) => ("daily value", "daily values"),
            (Frequency::Weekly, _) => ("weekly value", "weekly values"),
            (Frequency::Monthly, _) => ("monthly value", "monthly values"),
            (Frequency::Quarterly, _) => ("quarterly value", "quarterly values"),
            (Frequency::Annual, _) => ("annual value", "annual values"),
        };
        count(number as u64, one, many)
    }

    /// The time from one value to the next: `session`, `month`.
    pub(super) const fn step(&self) -> &'static str {
        match self.frequency {
            Frequency::Daily => "session",
            Frequency::Weekly => "week",
            Frequency::Monthly => "month",
            Frequency::Quarterly => "quarter",
            Frequency::Annual => "year",
        }
    }

    /// The word for a value: `close`, `value`.
    pub(super) const fn word(&self) -> &'static str {
        match (self.frequency, &self.measure) {
            (Frequency::Daily, Measure::Money(_)) => "close",
            _ => "value",
        }
    }

    /// `daily`, `monthly`.
    pub(super) const fn rhythm(&self) -> &'static str {
        self.frequency.as_str()
    }

    /// Square root of the number of values per year, in percent: what turns the swing of one step into that of a year.
    pub(super) fn yearly(&self) -> f64 {
        self.per_year.sqrt() * 100.0
    }

    /// The days from the newest price to a given day.
    pub(super) fn days_to(&self, day: Day) -> i32 {
        let newest = self.last_date.get(..10).and_then(Day::parse);
        newest.map_or(0, |newest| day.since(newest))
    }

    /// The number of values from the newest one to a given day.
    pub(super) fn steps_to(&self, day: Day) -> usize {
        let steps = f64::from(self.days_to(day)) * self.per_year / 365.25;
        (steps.round() as usize).max(1)
    }

    /// Whether the newest price is too old for a forecast of that many days from today.
    pub(super) fn is_too_old(&self, today: Day, ahead: i32) -> bool {
        let fresh = if self.frequency == Frequency::Daily {
            FRESH
        } else {
            FRESH_SPAN
        };
        self.days_to(today) > fresh.max(ahead)
    }
}

/// Loads the prices of a subject.
pub(super) async fn load(work: &Work<'_>, subject: &Subject) -> Result<History, String> {
    match subject {
        Subject::Listed(instrument) => {
            let listed = Listed {
                symbol: instrument.symbol.as_str(),
                currency: &instrument.currency,
                is_coin: instrument.kind == Kind::Coin,
            };
            of_listed(work.run, listed).await
        }
        Subject::Quoted(quoted) => of_series(work, quoted).await,
    }
}

/// Values per year at exchanges, and for coins.
const SESSIONS: [f64; 2] = [252.0, 365.0];

/// A share, fund or coin, with what is needed to request its prices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'a> {
    pub(crate) symbol: &'a str,
    pub(crate) currency: &'a str,
    pub(crate) is_coin: bool,
}

/// The prices of a listed instrument.
pub(super) async fn of_listed(run: &Run<'_>, listed: Listed<'_>) -> Result<History, String> {
    let symbol = listed.symbol;
    let (operation, arguments, list, field) = if listed.is_coin {
        let arguments = json!({"symbol": symbol, "days": 365});
        ("list_coin_prices", arguments, "prices", "price")
    } else {
        let arguments = json!({"symbol": symbol, "range": "5y"});
        ("list_candles", arguments, "candles", "close")
    };
    let found = run.consult(operation, arguments).await?;
    let rows = View(&found).list(list);
    let values: Vec<f64> = rows.iter().filter_map(|row| row.number(field)).collect();
    let date = |row: Option<&View<'_>>| {
        let date = row.and_then(|row| row.text("date")).map(str::to_owned);
        date.ok_or_else(|| format!("no prices of {symbol} are held"))
    };
    Ok(History {
        first_date: date(rows.first())?,
        last_date: date(rows.last())?,
        values,
        measure: Measure::Money(listed.currency.to_owned()),
        frequency: Frequency::Daily,
        per_year: SESSIONS[usize::from(listed.is_coin)],
    })
}

async fn of_series(work: &Work<'_>, quoted: &Quoted) -> Result<History, String> {
    // Its values are read below; whether the caller may see them is decided here.
    work.run.consult(quoted.kind.operation(), json!({})).await?;
    let context = work.run.context();
    let values = context
        .services
        .series
        .newest_values(&quoted.ids, context.when())
        .await;
    let values = values
        .map_err(|_| "the series cannot be read".to_owned())?
        .ok_or_else(|| format!("no prices of {} are held", quoted.name))?;
    of_observations(quoted, values.series, &values.observations)
}

fn of_observations(
    quoted: &Quoted,
    series: model::Series,
    observations: &[Observation],
) -> Result<History, String> {
    let most = if series.frequency == Frequency::Daily {
        DAILY_VALUES
    } else {
        OTHER_VALUES
    };
    // Forecasts are based on logarithms, which need a price above zero: for crude oil, there was one day when it was
    // not.
    if let Some(newest) = observations.last().filter(|newest| newest.value <= 0.0) {
        return Err(format!(
            "the newest price of {}, of {}, is not above zero; from there changes have no percentage, and no forecast is made",
            quoted.name,
            day(&newest.day.to_string())
        ));
    }
    let observations: Vec<_> = observations.iter().filter(|one| one.value > 0.0).collect();
    let observations = &observations[observations.len().saturating_sub(most)..];
    let (Some(first), Some(last)) = (observations.first(), observations.last()) else {
        return Err(format!("no prices of {} are held", quoted.name));
    };
    Ok(History {
        first_date: first.day.to_string(),
        last_date: last.day.to_string(),
        values: observations
            .iter()
            .map(|one| match quoted.kind {
                QuotedKind::Inverse => 1.0 / one.value,
                _ => one.value,
            })
            .collect(),
        measure: match quoted.kind {
            QuotedKind::Commodity => Measure::Unit(series.unit),
            QuotedKind::Index => Measure::Unit(String::new()),
            QuotedKind::Pair | QuotedKind::Inverse => Measure::Rate,
        },
        frequency: series.frequency,
        per_year: match series.frequency {
            Frequency::Daily => SESSIONS[0],
            Frequency::Weekly => 52.18,
            Frequency::Monthly => 12.0,
            Frequency::Quarterly => 4.0,
            Frequency::Annual => 1.0,
        },
    })
}

#[cfg(test)]
mod tests;
