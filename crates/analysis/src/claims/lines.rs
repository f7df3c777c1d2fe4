//! Loads the figures in a claim as lines: one for each ordinary reading, the usual one first.

use market::beta::LONGEST_GAP;
use market::indicators::{ema::ema, macd::macd, rsi::rsi, sma::sma};
use market::{Candles, SESSIONS_APART, along_runs, change_pct};
use model::{AssetType, Day, Frequency, Observation, SeriesId};
use verify::figures::{AverageKind, Derived, KnownSeries, Measure, PriceField, SeriesKind};

use super::FigureServices;
use super::line::{Line, Point, Published, Scale};
use super::resolve::Target;
use super::seasons;
use crate::Result;
use crate::market::{CURRENCY_PAIRS, Listing, PointInTime, Values};

/// The lines of a figure; empty if none is on record.
pub(super) async fn load(
    services: &FigureServices,
    target: &Target,
    measure: Option<Measure>,
    when: PointInTime,
) -> Result<Vec<Line>> {
    match target {
        Target::Listing(listing) => of_listing(services, listing, measure, when).await,
        Target::Series(known) => {
            let lines = of_series(services, known, when).await?;
            Ok(lines
                .into_iter()
                .filter_map(|line| measured(line, measure))
                .collect())
        }
        Target::Currency { base, quote } => {
            let line = of_currencies(services, base, quote, when).await?;
            Ok(line
                .into_iter()
                .filter_map(|line| measured(line, measure))
                .collect())
        }
    }
}

/// A measure from a line that has only closes.
fn measured(line: Line, measure: Option<Measure>) -> Option<Line> {
    let closes: Vec<f64> = line.points.iter().map(|point| point.value).collect();
    let days: Vec<Day> = line.points.iter().map(|point| point.day).collect();
    match measure {
        None
        | Some(
            Measure::RecordHigh
            | Measure::RecordLow
            | Measure::Price(
                PriceField::Close | PriceField::Traded | PriceField::High | PriceField::Low,
            ),
        ) => Some(line),
        Some(Measure::Average(length, kind)) => {
            let values = average(&days, &closes, length, kind);
            Some(with_values(line, &values, &average_name(length, kind)))
        }
        Some(Measure::Rsi) => {
            let values = along_runs(&days, &closes, rsi);
            Some(Line {
                scale: Scale::Plain,
                is_price: false,
                ..with_values(line, &values, "14-day RSI")
            })
        }
        Some(Measure::StepChange) => Some(step_changes(line)),
        Some(Measure::YearHigh) => Some(year_range(line, true)),
        Some(Measure::YearLow) => Some(year_range(line, false)),
        _ => None,
    }
}

/// Whether a measure is the all-time highest (`true`) or lowest value.
pub(super) const fn record(measure: Measure) -> Option<bool> {
    match measure {
        Measure::RecordHigh => Some(true),
        Measure::RecordLow => Some(false),
        _ => None,
    }
}

/// The highest or lowest value up to each day, or up to the day before.
pub(super) fn to_date(mut line: Line, highest: bool, is_before: bool) -> Line {
    let mut record: Option<f64> = None;
    let mut points = Vec::with_capacity(line.points.len());
    for point in &line.points {
        let reached = if highest { point.high } else { point.low };
        let known = record;
        let now = known.map_or(reached, |known| {
            if highest {
                known.max(reached)
            } else {
                known.min(reached)
            }
        });
        record = Some(now);
        let shown = if is_before { known } else { Some(now) };
        points.extend(shown.map(|value| Point::of(point.day, value)));
    }
    line.points = points;
    let measure = if highest { "record high" } else { "record low" };
    Line {
        measure: measure.to_owned(),
        ..line
    }
}

/// The average of this many closes at each day, as `/technicals` calculates it: starting again after a gap.
fn average(days: &[Day], closes: &[f64], length: u16, kind: AverageKind) -> Vec<Option<f64>> {
    along_runs(days, closes, |closes| match kind {
        AverageKind::Simple => sma(closes, length),
        AverageKind::Exponential => ema(closes, length),
    })
}

fn average_name(days: u16, kind: AverageKind) -> String {
    match kind {
        AverageKind::Simple => format!("{days}-day moving average"),
        AverageKind::Exponential => format!("{days}-day exponential moving average"),
    }
}

fn with_values(line: Line, values: &[Option<f64>], measure: &str) -> Line {
    let points = line.points.iter().zip(values);
    let points = points.filter_map(|(point, value)| Some(Point::of(point.day, (*value)?)));
    Line {
        points: points.collect(),
        measure: measure.to_owned(),
        reading: format!("{measure} of daily closes"),
        ..line
    }
}

/// The change in each value from the previous one: in percent, or in points for a rate.
fn step_changes(line: Line) -> Line {
    let is_rate = line.scale == Scale::Percent;
    let points = line.points.windows(2).filter_map(|pair| {
        let value = if is_rate {
            pair[1].value - pair[0].value
        } else {
            change_pct(pair[0].value, pair[1].value)?
        };
        value.is_finite().then(|| Point::of(pair[1].day, value))
    });
    Line {
        points: points.collect(),
        measure: "change".to_owned(),
        reading: "against the value before".to_owned(),
        scale: Scale::Percent,
        is_price: false,
        raw: 1.0,
        ..line
    }
}

/// The highest or lowest in the year up to each day; none for a year with missing days, when the price may have been
/// anywhere.
fn year_range(line: Line, highest: bool) -> Line {
    let points = &line.points;
    let is_daily = line.frequency == Frequency::Daily;
    let (mut from, mut whole_since) = (0, 0);
    let mut found = Vec::with_capacity(points.len());
    for (at, point) in points.iter().enumerate() {
        let first = point.day.months_before(12);
        while points[from].day < first {
            from += 1;
        }
        let before = at
            .checked_sub(1)
            .map_or(point.day, |before| points[before].day);
        if point.day.since(before) > LONGEST_GAP {
            whole_since = at;
        }
        let is_whole = whole_since <= from && points[from].day <= first.plus(SESSIONS_APART);
        if points[0].day <= first.plus(5) && (is_whole || !is_daily) {
            let year = points[from..=at].iter();
            let value = if highest {
                year.map(|one| one.high).fold(f64::NEG_INFINITY, f64::max)
            } else {
                year.map(|one| one.low).fold(f64::INFINITY, f64::min)
            };
            found.push(Point::of(point.day, value));
        }
    }
    let measure = if highest {
        "52-week high"
    } else {
        "52-week low"
    };
    Line {
        points: found,
        measure: measure.to_owned(),
        reading: "of the twelve months up to the day".to_owned(),
        ..line
    }
}

async fn of_listing(
    services: &FigureServices,
    listing: &Listing,
    measure: Option<Measure>,
    when: PointInTime,
) -> Result<Vec<Line>> {
    if measure.is_some_and(Measure::is_reported) {
        return Ok(Vec::new());
    }
    if measure == Some(Measure::MarketValue) && listing.asset_type() == AssetType::Crypto {
        let name = listing.ticker().to_owned();
        return Ok(market_value_of_coin(services, &name, when)
            .await?
            .into_iter()
            .collect());
    }
    let history = services.prices.whole_history(listing, when).await?;
    let candles = history.candles();
    if candles.is_empty() || listing.is_of_closes() && !listing.is_index() {
        // Funds for which only closes are known: as the bars that the closes stand for, they would have a volume.
        for name in [
            listing.ticker().to_owned(),
            format!("{}-USD", listing.ticker()),
        ] {
            let id = SeriesId::new("close", &name);
            if let Some(values) = services.series.values(&id, when).await? {
                let line = Line {
                    name: listing.ticker().to_owned(),
                    measure: "close".to_owned(),
                    reading: "daily close".to_owned(),
                    scale: Scale::Money("USD".to_owned()),
                    is_price: true,
                    ..of_values(values, "")
                };
                return Ok(measured(line, measure).into_iter().collect());
            }
        }
        return Ok(Vec::new());
    }
    Ok(of_candles(listing, candles, measure))
}

/// The line for a measure of candles, plus a second one if another reading is usual too.
fn of_candles(listing: &Listing, candles: Candles<'_>, measure: Option<Measure>) -> Vec<Line> {
    let adjusted = if listing.asset_type() == AssetType::Crypto {
        "UTC day"
    } else {
        "split-adjusted"
    };
    let base = |values: &[f64], measure: &str, reading: String| Line {
        name: listing.ticker().to_owned(),
        measure: measure.to_owned(),
        reading,
        scale: Scale::Money(listing.instrument.currency().to_owned()),
        frequency: Frequency::Daily,
        points: (0..candles.len())
            .map(|bar| Point {
                day: candles.days()[bar],
                value: values[bar],
                low: candles.low()[bar],
                high: candles.high()[bar],
            })
            .collect(),
        source: "stored daily prices".to_owned(),
        published: Published::AtClose(listing.asset_type()),
        is_price: true,
        is_flow: false,
        raw: 1.0,
        split_words: String::new(),
    };
    let close = || base(candles.close(), "close", format!("daily close, {adjusted}"));
    let field = |values: &[f64], name: &str| {
        let line = base(values, name, format!("{name} of the session, {adjusted}"));
        line.map(|point| Point::of(point.day, point.value))
    };
    match measure {
        Some(Measure::Price(PriceField::Open)) => vec![field(candles.open(), "open")],
        // For an index with only closes, these are not highs and lows.
        Some(Measure::Price(PriceField::High | PriceField::Low)) if listing.is_of_closes() => {
            vec![close().map(|point| Point::of(point.day, point.value))]
        }
        Some(Measure::Price(PriceField::High)) => {
            vec![
                field(candles.high(), "high"),
                close().map(|point| Point::of(point.day, point.value)),
            ]
        }
        Some(Measure::Price(PriceField::Low)) => {
            vec![
                field(candles.low(), "low"),
                close().map(|point| Point::of(point.day, point.value)),
            ]
        }
        Some(Measure::Volume) => {
            let line = field(candles.volume(), "trading volume");
            vec![Line {
                scale: Scale::Plain,
                reading: "shares or coins of the session".to_owned(),
                is_flow: true,
                ..line
            }]
        }
        Some(Measure::Macd | Measure::MacdSignal) => {
            let is_line = measure == Some(Measure::Macd);
            let name = if is_line { "MACD" } else { "MACD signal" };
            let values = along_runs(candles.days(), candles.close(), |closes| {
                let found = macd(closes);
                if is_line { found.macd } else { found.signal }
            });
            vec![Line {
                is_price: false,
                ..with_values(close(), &values, name)
            }]
        }
        Some(Measure::YearHigh | Measure::YearLow) => {
            let closes = close().map(|point| Point::of(point.day, point.value));
            let closing = measured(closes, measure).map(|line| Line {
                reading: "closing prices".to_owned(),
                ..line
            });
            measured(close(), measure)
                .into_iter()
                .chain(closing)
                .collect()
        }
        Some(Measure::RecordHigh) => vec![
            field(candles.high(), "high"),
            close().map(|point| Point::of(point.day, point.value)),
        ],
        Some(Measure::RecordLow) => vec![
            field(candles.low(), "low"),
            close().map(|point| Point::of(point.day, point.value)),
        ],
        other => measured(close(), other).into_iter().collect(),
    }
}

/// The lines of a known series: each alternative on record.
async fn of_series(
    services: &FigureServices,
    known: &'static KnownSeries,
    when: PointInTime,
) -> Result<Vec<Line>> {
    if known.code == "crypto_total" {
        return Ok(Vec::new());
    }
    let mut lines = Vec::new();
    for id in &known.ids {
        let id = SeriesId((*id).to_owned());
        if let Some(values) = services.series.values(&id, when).await? {
            lines.push(described(of_values(values, known.name), known));
        }
    }
    match known.derived {
        Derived::Level => {
            let in_cents: Vec<Line> = lines.iter().filter_map(in_dollars).collect();
            lines.extend(in_cents);
        }
        Derived::YearOnYear => {
            lines = lines
                .iter()
                .map(year_on_year)
                .filter(|line| !line.points.is_empty())
                .collect();
        }
        Derived::Minus => {
            let [first, second] = &lines[..] else {
                return Ok(Vec::new());
            };
            let points = first.join(second, |one, other| ((one - other) * 1e6).round() / 1e6);
            lines = vec![Line {
                points,
                ..first.clone()
            }];
        }
    }
    Ok(lines)
}

fn described(line: Line, known: &'static KnownSeries) -> Line {
    let is_price = known.kind == SeriesKind::Price;
    let is_future = line.source_kind() == Some("futures");
    let mut reading = match line.frequency {
        Frequency::Daily if is_price => "daily close",
        Frequency::Daily => "daily",
        Frequency::Weekly => "weekly",
        Frequency::Monthly => "monthly",
        Frequency::Quarterly => "quarterly",
        Frequency::Annual => "annual",
    }
    .to_owned();
    if is_future {
        "futures, daily close".clone_into(&mut reading);
    }
    if line.source_kind() == Some("spot") {
        reading = format!("spot, {}", line.frequency.as_str());
    }
    if !known.note.is_empty() {
        reading = format!("{reading}, {}", known.note);
    }
    if let Published::AsSeries(series) = &line.published
        && let Some(words) = seasons::words(&series.id.0)
    {
        reading = format!("{reading}, {words}");
    }
    let scale = match known.kind {
        SeriesKind::Rate if known.code != "nfci" => Scale::Percent,
        _ => line.scale.clone(),
    };
    Line {
        reading,
        scale,
        is_price,
        is_flow: known.kind == SeriesKind::Amount,
        ..line
    }
}

/// A price in US cents, converted to dollars.
fn in_dollars(line: &Line) -> Option<Line> {
    line.is_in_cents().then(|| Line {
        scale: Scale::Money("USD".to_owned()),
        ..line.map(|point| Point::of(point.day, point.value / 100.0))
    })
}

/// The change in each value from a year earlier, in percent.
pub(super) fn year_on_year(line: &Line) -> Line {
    let points = line.points.iter().filter_map(|point| {
        let before = point.day.months_before(12);
        let place = line
            .points
            .binary_search_by_key(&before, |one| one.day)
            .ok()?;
        let value = change_pct(line.points[place].value, point.value)?;
        Some(Point::of(point.day, value))
    });
    Line {
        points: points.collect(),
        scale: Scale::Percent,
        is_price: false,
        is_flow: false,
        raw: 1.0,
        ..line.clone()
    }
}

impl Line {
    /// Whether its values are in cents although it does not say so.
    pub(super) fn is_in_cents(&self) -> bool {
        let in_cents = matches!(&self.published, Published::AsSeries(series) if series.unit.starts_with("US cents"));
        in_cents && self.scale == Scale::Plain
    }

    /// `futures` or `spot` for a commodity.
    fn source_kind(&self) -> Option<&str> {
        match &self.published {
            Published::AsSeries(series) if series.id.kind() == "commodity" => {
                series.id.name().split_once('/').map(|(_, market)| market)
            }
            // The energy agency publishes spot prices.
            Published::AsSeries(series)
                if ["DCOILWTICO", "DCOILBRENTEU", "DHHNGSP"].contains(&series.id.name()) =>
            {
                Some("spot")
            }
            _ => None,
        }
    }
}

/// A stored series in whole units.
fn of_values(values: Values, name: &str) -> Line {
    let Values {
        series,
        observations,
        ..
    } = values;
    let (factor, scale) = scale_of(&series.unit);
    let of = |one: &Observation| Point::of(one.day, one.value * factor);
    Line {
        name: if name.is_empty() {
            series.name.clone()
        } else {
            name.to_owned()
        },
        measure: String::new(),
        reading: String::new(),
        scale,
        frequency: series.frequency,
        points: observations.iter().map(of).collect(),
        source: series.source.clone(),
        published: Published::AsSeries(Box::new(series)),
        is_price: false,
        is_flow: false,
        raw: factor,
        split_words: String::new(),
    }
}

/// The factor by which a unit is scaled down, and what the unit is.
fn scale_of(unit: &str) -> (f64, Scale) {
    let (factor, rest) = if let Some(rest) = unit.strip_prefix("billions of ") {
        (1e9, rest)
    } else if let Some(rest) = unit.strip_prefix("millions of ") {
        (1e6, rest)
    } else if let Some(rest) = unit.strip_prefix("thousands") {
        (1e3, rest.trim_start_matches(" of "))
    } else {
        (1.0, unit)
    };
    let scale = if rest.starts_with("percent") {
        Scale::Percent
    } else if rest.ends_with("USD") && rest.len() <= 12
        || rest.starts_with("USD") && !rest.starts_with("USD per EUR")
    {
        Scale::Money("USD".to_owned())
    } else {
        Scale::Plain
    };
    (factor, scale)
}

/// One currency in another, converted through the dollar if no series has both.
async fn of_currencies(
    services: &FigureServices,
    base: &str,
    quote: &str,
    when: PointInTime,
) -> Result<Option<Line>> {
    let of = if base == "USD" { quote } else { base };
    let Some(line) = in_usd(services, of, when).await? else {
        return Ok(None);
    };
    let points = match (base, quote) {
        ("USD", _) => line
            .points
            .iter()
            .map(|point| Point::of(point.day, 1.0 / point.value))
            .collect(),
        (_, "USD") => line.points.clone(),
        _ => {
            let Some(other) = in_usd(services, quote, when).await? else {
                return Ok(None);
            };
            line.join(&other, |one, other| one / other)
        }
    };
    Ok(Some(Line {
        name: format!("{base}/{quote}"),
        scale: Scale::Money(quote.to_owned()),
        reading: "daily reference rate".to_owned(),
        points,
        is_price: true,
        ..line
    }))
}

/// A currency other than the dollar, in dollars.
async fn in_usd(services: &FigureServices, code: &str, when: PointInTime) -> Result<Option<Line>> {
    let (pair, inverse) = match code {
        "EUR" => ("EURUSD", false),
        "GBP" => ("GBPUSD", false),
        "AUD" => ("AUDUSD", false),
        "NZD" => ("NZDUSD", false),
        "JPY" => ("USDJPY", true),
        "CAD" => ("USDCAD", true),
        "CHF" => ("USDCHF", true),
        _ => return by_euro(services, code, when).await,
    };
    let Some(known) = CURRENCY_PAIRS.iter().find(|known| known.code == pair) else {
        return Ok(None);
    };
    for id in &known.series {
        let id = SeriesId((*id).to_owned());
        if let Some(values) = services.series.values(&id, when).await? {
            let line = of_values(values, pair);
            return Ok(Some(line.map(|point| {
                let value = if inverse {
                    1.0 / point.value
                } else {
                    point.value
                };
                Point::of(point.day, value)
            })));
        }
    }
    Ok(None)
}

/// A currency that is published only against the euro, in dollars.
async fn by_euro(services: &FigureServices, code: &str, when: PointInTime) -> Result<Option<Line>> {
    let id = SeriesId::new("fx", &format!("EUR{code}"));
    let Some(values) = services.series.values(&id, when).await? else {
        return Ok(None);
    };
    let of_euro = of_values(values, &format!("EUR{code}"));
    let euro = Box::pin(in_usd(services, "EUR", when)).await?;
    Ok(euro.map(|euro| Line {
        points: euro.join(&of_euro, |euro, rate| euro / rate),
        ..of_euro
    }))
}

async fn market_value_of_coin(
    services: &FigureServices,
    symbol: &str,
    when: PointInTime,
) -> Result<Option<Line>> {
    let id = SeriesId::new("cap", symbol);
    let values = services.series.values(&id, when).await?;
    Ok(values.map(|values| Line {
        name: symbol.to_owned(),
        measure: "market value".to_owned(),
        reading: "market value at the end of the UTC day".to_owned(),
        scale: Scale::Money("USD".to_owned()),
        is_price: true,
        ..of_values(values, symbol)
    }))
}

/// The market values of all coins on one day, the largest first.
pub(super) async fn coin_values(
    services: &FigureServices,
    day: Day,
    when: PointInTime,
) -> Result<Vec<(String, f64)>> {
    let mut found = Vec::new();
    for series in services.series.of_kind("cap").await? {
        let Some(values) = services.series.values(&series.id, when).await? else {
            continue;
        };
        if let Ok(place) = values
            .observations
            .binary_search_by_key(&day, |one| one.day)
        {
            let value = values.observations[place].value;
            if value > 0.0 {
                found.push((series.id.name().to_owned(), value));
            }
        }
    }
    found.sort_by(|left, right| {
        right
            .1
            .total_cmp(&left.1)
            .then_with(|| left.0.cmp(&right.0))
    });
    Ok(found)
}
