//! Company valuations as of the point in time: ratios, yields, market values. They come from filings and the newest
//! price, or from a third-party table, whose own numbers are a separate reading next to those moved to the newest
//! price.

use model::{AssetType, Day, Frequency};
use verify::figures::{Measure, Period, SpanUnit};

use super::FigureServices;
use super::line::{Line, Point, Published, Scale};
use super::reported::word;
use crate::Result;
use crate::market::{Listing, PointInTime};

/// Whether a measure is a valuation.
pub(super) const fn is_valuation(measure: Measure) -> bool {
    matches!(
        measure,
        Measure::PriceEarnings
            | Measure::DividendYield
            | Measure::MarketValue
            | Measure::Beta
            | Measure::DebtToEquity
            | Measure::Eps
            | Measure::YearHigh
            | Measure::YearLow
    )
}

/// The valuation of a company; only for a claim about now, because no past valuations are on record.
pub(super) async fn load(
    services: &FigureServices,
    listing: &Listing,
    measure: Measure,
    period: &Period,
    when: PointInTime,
) -> Result<Vec<Line>> {
    let today = Day::of(when.end);
    let is_now = match period {
        Period::Unsaid | Period::Latest => true,
        Period::In(span) => span.unit == SpanUnit::Day && span.first == today,
        _ => false,
    };
    if listing.asset_type() != AssetType::Equity || !is_now {
        return Ok(Vec::new());
    }
    let mut lines = Vec::new();
    if let Some(row) = services
        .fundamentals
        .table_row_of(&listing.instrument.symbol, when)
        .await?
    {
        let table = &row.record;
        let value = match measure {
            Measure::PriceEarnings => table.pe_ratio,
            Measure::DividendYield => table.dividend_yield_pct,
            Measure::MarketValue => table.market_cap_usd,
            Measure::Eps => table.eps,
            Measure::YearHigh => table.fifty_two_week_high,
            Measure::YearLow => table.fifty_two_week_low,
            _ => None,
        };
        let reading = format!(
            "table {}, undated, imported {}",
            table.source,
            Day::of(row.known_at)
        );
        lines.extend(value.map(|value| {
            line(
                listing,
                measure,
                value,
                today,
                reading,
                row.known_at,
                &table.source,
            )
        }));
    }
    let found = services.fundamentals.financials_of(listing, when).await?;
    let value = match measure {
        Measure::PriceEarnings => found.pe_ratio,
        Measure::DividendYield => found.dividend_yield,
        Measure::MarketValue => found.market_cap,
        Measure::Eps => found.eps,
        Measure::Beta => found.beta,
        Measure::DebtToEquity => found.debt_to_equity,
        _ => None,
    };
    let reading = "at the newest price that is held".to_owned();
    lines.extend(value.map(|value| {
        line(
            listing,
            measure,
            value,
            today,
            reading,
            when.end,
            "filings and tables",
        )
    }));
    Ok(lines)
}

fn line(
    listing: &Listing,
    measure: Measure,
    value: f64,
    today: Day,
    reading: String,
    known_at: model::Timestamp,
    source: &str,
) -> Line {
    let scale = match measure {
        Measure::DividendYield => Scale::Percent,
        Measure::MarketValue | Measure::Eps | Measure::YearHigh | Measure::YearLow => {
            Scale::Money("USD".to_owned())
        }
        _ => Scale::Plain,
    };
    let name = match measure {
        Measure::YearHigh => "52-week high",
        Measure::YearLow => "52-week low",
        other => word(other),
    };
    Line {
        name: listing.ticker().to_owned(),
        measure: name.to_owned(),
        reading,
        scale,
        frequency: Frequency::Daily,
        points: vec![Point::of(today, value)],
        source: source.to_owned(),
        published: Published::At(vec![(today, known_at)]),
        is_price: false,
        is_flow: false,
        raw: 1.0,
        split_words: String::new(),
    }
}
