//! What companies report, as lines: one value for each fiscal year or quarter.
//!
//! A fiscal year is named after the year in which it ends, as companies do; one that ends in the first ten days of
//! January is named after the year before. A claim that says `2023` without `fiscal` may also mean the year that falls
//! mostly in 2023, which is a separate reading if the two differ. If several filings report the same period, the
//! newest counts.

use std::collections::BTreeMap;

use market::fundamentals::fiscal;
use model::{Concept, Day, FactSet, Frequency, Timestamp};
use store::StoredRecord;
use verify::figures::{Measure, Period, Span, SpanUnit};

use super::FigureServices;
use super::line::{Line, Point, Published, Scale};
use crate::Result;
use crate::market::{Listing, PointInTime};

/// A reported value with its period.
#[derive(Clone, Copy, Debug)]
struct Reported {
    start: Option<Day>,
    end: Day,
    value: f64,
    known_at: Timestamp,
}

/// The lines of a measure for the period of a claim; empty if no filing has it.
pub(super) async fn load(
    services: &FigureServices,
    listing: &Listing,
    measure: Measure,
    period: &Period,
    when: PointInTime,
) -> Result<Vec<Line>> {
    let Some(symbol) = listing.disclosing_symbol() else {
        return Ok(Vec::new());
    };
    let filings = |symbol| services.fundamentals.filings_with_facts(symbol, when);
    let mut sets = filings(symbol).await?;
    // A company's figures may be filed under another class of its shares; per-share figures belong to one class.
    let of_class = [
        Measure::Eps,
        Measure::DividendPerShare,
        Measure::SharesOutstanding,
    ];
    if !of_class.contains(&measure) {
        for other in listing.other_classes() {
            if sets.is_empty() {
                sets = filings(other).await?;
            }
        }
    }
    // Filings take precedence over third-party data, whose periods end on different days.
    if sets.iter().any(|set| set.record.is_filing()) {
        sets.retain(|set| set.record.is_filing());
    }
    sets.sort_by_key(|set| set.known_at);
    Ok(lines(&sets, listing, measure, period))
}

fn lines(
    sets: &[StoredRecord<FactSet>],
    listing: &Listing,
    measure: Measure,
    period: &Period,
) -> Vec<Line> {
    let (over, part) = match measure {
        Measure::GrossMargin => (Concept::Revenue, Some(Concept::GrossProfit)),
        Measure::OperatingMargin => (Concept::Revenue, Some(Concept::OperatingIncome)),
        Measure::ProfitMargin => (Concept::Revenue, Some(Concept::NetIncome)),
        other => match concept(other) {
            Some(concept) => (concept, None),
            None => return Vec::new(),
        },
    };
    let records: Vec<&FactSet> = sets.iter().map(|set| &set.record).collect();
    let currency = market::fundamentals::currency(&records).unwrap_or("USD");
    let values = reported(sets, over, currency);
    let ends = fiscal_year_ends(sets);
    let mut lines = keyed(&values, &ends, period);
    if let Some(part) = part {
        let parts = keyed(&reported(sets, part, currency), &ends, period);
        lines = lines
            .iter()
            .zip(&parts)
            .map(|(whole, part)| {
                (
                    whole.0,
                    part.1
                        .iter()
                        .filter_map(|(day, one)| {
                            let of = whole.1.get(day)?;
                            let value = one.value / of.value * 100.0;
                            value
                                .is_finite()
                                .then_some((*day, Reported { value, ..*one }))
                        })
                        .collect(),
                )
            })
            .collect();
    }
    let found = lines.into_iter().filter(|(_, values)| !values.is_empty());
    let source = if records.iter().all(|set| set.is_filing()) {
        "SEC filings"
    } else {
        "statements collected by a data provider"
    };
    found
        .map(|((frequency, reading), values)| Line {
            frequency,
            reading: reading.to_owned(),
            source: source.to_owned(),
            ..line(listing, measure, currency, &values)
        })
        .collect()
}

fn line(
    listing: &Listing,
    measure: Measure,
    currency: &str,
    values: &BTreeMap<Day, Reported>,
) -> Line {
    let scale = match measure {
        Measure::GrossMargin | Measure::OperatingMargin | Measure::ProfitMargin => Scale::Percent,
        Measure::SharesOutstanding => Scale::Plain,
        _ => Scale::Money(currency.to_owned()),
    };
    Line {
        name: listing.ticker().to_owned(),
        measure: word(measure).to_owned(),
        reading: String::new(),
        scale,
        frequency: Frequency::Annual,
        points: values
            .iter()
            .map(|(day, one)| Point::of(*day, one.value))
            .collect(),
        source: String::new(),
        published: Published::At(
            values
                .iter()
                .map(|(day, one)| (*day, one.known_at))
                .collect(),
        ),
        is_price: false,
        is_flow: false,
        raw: 1.0,
        split_words: String::new(),
    }
}

/// A way of naming periods: how often they occur, and in words.
type Naming = (Frequency, &'static str);

/// The values by the first day of the calendar period that stands for their own.
fn keyed(
    values: &[Reported],
    ends: &[Day],
    period: &Period,
) -> Vec<(Naming, BTreeMap<Day, Reported>)> {
    let unit = match period {
        Period::In(span) | Period::Between(_, span) | Period::Since(span) => Some(span.unit),
        _ => None,
    };
    let at_points = values.iter().all(|one| one.start.is_none());
    match unit {
        Some(SpanUnit::Day) => {
            let days = values
                .iter()
                .filter(|one| one.start.is_none())
                .map(|one| (one.end, *one));
            vec![((Frequency::Daily, "balance sheet"), days.collect())]
        }
        Some(SpanUnit::Quarter | SpanUnit::FiscalQuarter(..)) => {
            let quarters = quarters(values);
            let fiscal = quarters.iter().filter_map(|one| {
                let (year, quarter) = fiscal::quarter(one.end, ends)?;
                Some((quarter_start(year, i32::from(quarter))?, *one))
            });
            let is_dated = is_by_end(period);
            let mut found = Vec::new();
            if !is_dated {
                found.push(((Frequency::Quarterly, "fiscal quarter"), fiscal.collect()));
            }
            if matches!(unit, Some(SpanUnit::Quarter)) {
                let calendar = quarters.iter().filter_map(|one| {
                    let middle = one.end.plus(-45).date();
                    Some((
                        quarter_start(
                            i32::from(middle.year()),
                            (i32::from(middle.month()) - 1) / 3 + 1,
                        )?,
                        *one,
                    ))
                });
                found.push((
                    (
                        Frequency::Quarterly,
                        "fiscal quarter that lies mostly in the calendar quarter",
                    ),
                    calendar.collect(),
                ));
            }
            found
        }
        _ => {
            let years = if at_points {
                year_ends(values, ends)
            } else {
                years(values)
            };
            let named = years
                .iter()
                .filter_map(|one| Some((january(fiscal::year(one.end))?, *one)));
            let mut found = vec![(
                (
                    Frequency::Annual,
                    "fiscal year, named by the year in which it ends",
                ),
                named.collect(),
            )];
            if matches!(unit, Some(SpanUnit::Year)) && !at_points {
                let mostly = years.iter().filter_map(|one| {
                    Some((january(i32::from(one.end.plus(-182).date().year()))?, *one))
                });
                found.push((
                    (
                        Frequency::Annual,
                        "fiscal year that lies mostly in the calendar year",
                    ),
                    mostly.collect(),
                ));
            }
            found
        }
    }
}

/// Whether a claim names a quarter by the day on which it ended, if that is not a calendar quarter.
fn is_by_end(period: &Period) -> bool {
    let is_other =
        |span: &Span| span.unit == SpanUnit::Quarter && calendar_span(span).first != span.first;
    match period {
        Period::In(span) => is_other(span),
        _ => false,
    }
}

/// The claim's period, if it names fiscal periods, in the way the lines are keyed.
pub(super) fn calendar_period(period: &Period) -> Period {
    match period {
        Period::In(span) => Period::In(calendar_span(span)),
        Period::Between(first, last) => Period::Between(calendar_span(first), calendar_span(last)),
        Period::Since(span) => Period::Since(calendar_span(span)),
        other => *other,
    }
}

/// The calendar year or quarter that stands for a fiscal one.
pub(super) fn calendar_span(span: &Span) -> Span {
    match span.unit {
        SpanUnit::FiscalYear(year) => Span::year(year).unwrap_or(*span),
        SpanUnit::FiscalQuarter(year, quarter) => {
            Span::quarter(year, i32::from(quarter)).unwrap_or(*span)
        }
        // Three months that are not a calendar quarter: the quarter in which they mostly fall.
        SpanUnit::Quarter => {
            let middle = span.last.plus(-45).date();
            let quarter = (i32::from(middle.month()) - 1) / 3 + 1;
            Span::quarter(i32::from(middle.year()), quarter).unwrap_or(*span)
        }
        _ => *span,
    }
}

/// The values of a concept in the currency that the company reports in.
fn reported(sets: &[StoredRecord<FactSet>], concept: Concept, currency: &str) -> Vec<Reported> {
    let mut newest: BTreeMap<(Day, Option<Day>), Reported> = BTreeMap::new();
    let basic = concept == Concept::EpsDiluted;
    for (wanted, overrides) in [(Concept::EpsBasic, false), (concept, true)] {
        if !overrides && !basic {
            continue;
        }
        for set in sets {
            for fact in set
                .record
                .facts
                .iter()
                .filter(|fact| fact.concept == wanted && fact.value.is_finite())
                .filter(|fact| {
                    let money = fact.unit.split('/').next();
                    fact.unit == "shares" || money == Some(currency)
                })
            {
                let key = (fact.end, fact.start);
                let known = newest
                    .get(&key)
                    .map_or(set.known_at, |before| before.known_at.min(set.known_at));
                newest.insert(
                    key,
                    Reported {
                        start: fact.start,
                        end: fact.end,
                        value: fact.value,
                        known_at: known,
                    },
                );
            }
        }
    }
    newest.into_values().collect()
}

fn days(one: &Reported) -> Option<i32> {
    Some(one.end.since(one.start?) + 1)
}

fn years(values: &[Reported]) -> Vec<Reported> {
    values
        .iter()
        .filter(|one| days(one).is_some_and(|days| (350..=380).contains(&days)))
        .copied()
        .collect()
}

fn year_ends(values: &[Reported], ends: &[Day]) -> Vec<Reported> {
    values
        .iter()
        .filter(|one| ends.iter().any(|end| end.since(one.end).abs() <= 3))
        .copied()
        .collect()
}

/// Reported quarters, and fourth quarters calculated as the year minus the first nine months.
fn quarters(values: &[Reported]) -> Vec<Reported> {
    let is = |one: &Reported, low, high| days(one).is_some_and(|days| (low..=high).contains(&days));
    let mut found: Vec<Reported> = values
        .iter()
        .filter(|one| is(one, 84, 98) || one.start.is_none())
        .copied()
        .collect();
    for year in values.iter().filter(|one| is(one, 350, 380)) {
        let nine = values.iter().find(|one| {
            is(one, 258, 288)
                && one
                    .start
                    .zip(year.start)
                    .is_some_and(|(one, year)| one.since(year).abs() <= 4)
        });
        let known = found.iter().any(|one| one.end == year.end);
        if let Some(nine) = nine.filter(|_| !known) {
            found.push(Reported {
                start: Some(nine.end.plus(1)),
                value: year.value - nine.value,
                ..*year
            });
        }
    }
    found.sort_by_key(|one| one.end);
    found
}

/// The last days of fiscal years, for any concept.
fn fiscal_year_ends(sets: &[StoredRecord<FactSet>]) -> Vec<Day> {
    let facts = sets.iter().flat_map(|set| &set.record.facts);
    let mut ends: Vec<Day> = facts
        .filter(|fact| {
            fact.start
                .is_some_and(|start| (350..=380).contains(&(fact.end.since(start) + 1)))
        })
        .map(|fact| fact.end)
        .collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

fn january(year: i32) -> Option<Day> {
    Span::year(year).map(|span| span.first)
}

fn quarter_start(year: i32, quarter: i32) -> Option<Day> {
    Span::quarter(year, quarter).map(|span| span.first)
}

const fn concept(measure: Measure) -> Option<Concept> {
    Some(match measure {
        Measure::Revenue => Concept::Revenue,
        Measure::NetIncome => Concept::NetIncome,
        Measure::Eps => Concept::EpsDiluted,
        Measure::GrossProfit => Concept::GrossProfit,
        Measure::OperatingIncome => Concept::OperatingIncome,
        Measure::OperatingCashFlow => Concept::OperatingCashFlow,
        Measure::DividendPerShare => Concept::DividendsPerShare,
        Measure::SharesOutstanding => Concept::SharesOutstanding,
        Measure::Assets => Concept::Assets,
        Measure::Liabilities => Concept::Liabilities,
        Measure::Equity => Concept::Equity,
        _ => return None,
    })
}

/// A measure in words.
pub(super) const fn word(measure: Measure) -> &'static str {
    match measure {
        Measure::Revenue => "revenue",
        Measure::NetIncome => "net income",
        Measure::Eps => "earnings per share",
        Measure::GrossProfit => "gross profit",
        Measure::OperatingIncome => "operating income",
        Measure::GrossMargin => "gross margin",
        Measure::OperatingMargin => "operating margin",
        Measure::ProfitMargin => "profit margin",
        Measure::OperatingCashFlow => "operating cash flow",
        Measure::DividendPerShare => "dividend per share",
        Measure::SharesOutstanding => "number of shares outstanding",
        Measure::Assets => "total assets",
        Measure::Liabilities => "total liabilities",
        Measure::Equity => "shareholders' equity",
        Measure::PriceEarnings => "price-to-earnings ratio",
        Measure::DividendYield => "dividend yield",
        Measure::MarketValue => "market value",
        Measure::Beta => "beta",
        Measure::DebtToEquity => "debt-to-equity ratio",
        _ => "figure",
    }
}
