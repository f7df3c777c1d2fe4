//! The fiscal periods whose reported figures a question asks for: `Apple's revenue in Q3 2025`, `net income since 2020`.
//!
//! A report is filed weeks after the period that it covers, so such a question is not about what was known at the end of
//! the period: the statements of that period answer it.

use std::sync::LazyLock;

use model::{Day, table};
use verify::figures::{Dated, Length, Period, Span, SpanUnit};

use crate::words::Word;

const FILE: &str = include_str!("../data/reported.tsv");

/// The most periods that are named one by one.
const MOST: usize = 10;

/// A period that a company reports on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPeriod {
    /// A quarter, 1 to 4; of the newest year that has one if none is named.
    Quarter {
        /// The year that is named.
        year: Option<i32>,
        /// Which quarter.
        number: u8,
        /// Whether the question says that it is one of a fiscal year.
        is_fiscal: bool,
    },
    /// The quarter that ends on or near a day.
    QuarterTo(Day),
    /// A year.
    Year(i32),
    /// All years from this one on.
    YearsSince(i32),
    /// The newest quarters, this many.
    NewestQuarters(usize),
    /// The newest years, this many.
    NewestYears(usize),
}

impl ReportPeriod {
    /// Whether it is one or more quarters.
    pub const fn is_quarterly(self) -> bool {
        matches!(
            self,
            Self::Quarter { .. } | Self::QuarterTo(_) | Self::NewestQuarters(_)
        )
    }
}

/// The periods and the figures that are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// In the order of the question, all of them quarters or all of them years; never empty.
    pub periods: Vec<ReportPeriod>,
    /// Fields of a statement; empty if the question asks for the results as such.
    pub figures: Vec<&'static str>,
}

static PHRASES: LazyLock<Vec<(Vec<&str>, &str)>> = LazyLock::new(|| {
    table::rows(FILE)
        .flat_map(|[field, phrases]| {
            let phrases = phrases.split('|');
            phrases.map(move |one| (one.split(' ').collect(), field))
        })
        .collect()
});

/// The reported figures that a question asks for, if it names periods of reports, or by which it compares companies,
/// which it does by their newest fiscal years; names say nothing.
pub(crate) fn asked(
    text: &str,
    words: &[Word],
    is_name: &[bool],
    times: &[Dated],
    today: Day,
    compares: bool,
) -> Option<Report> {
    let figures = figures(words, is_name)?;
    if figures.is_empty() && !says_results(words) || wants_other(words, is_name) {
        return None;
    }
    let is_compared = compares && figures.iter().any(|figure| !OF_RECORD.contains(figure));
    let periods = periods(text, words, times, today).or_else(|| {
        (is_compared && times.is_empty()).then(|| vec![ReportPeriod::NewestYears(1)])
    })?;
    Some(Report { periods, figures })
}

/// The figures, in the order of the question; `None` if one of them is only part of what a statement has, or another
/// figure: `streaming revenue`, `net debt`, `cost of sales`.
fn figures(words: &[Word], is_name: &[bool]) -> Option<Vec<&'static str>> {
    const OTHERS: [&str; 32] = [
        "net",
        "current",
        "term",
        "deferred",
        "pretax",
        "adjusted",
        "financing",
        "investing",
        "noncurrent",
        "streaming",
        "services",
        "service",
        "cloud",
        "product",
        "products",
        "advertising",
        "ad",
        "subscription",
        "recurring",
        "organic",
        "domestic",
        "international",
        "iphone",
        "mac",
        "ipad",
        "hardware",
        "software",
        "segment",
        "deferred",
        "tax",
        "interest",
        "unearned",
    ];
    let mut found: Vec<&'static str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let fits = |phrase: &&(Vec<&str>, &str)| {
            let rest = words.get(at..at + phrase.0.len()).unwrap_or_default();
            let names = is_name.get(at..at + phrase.0.len()).unwrap_or_default();
            rest.len() == phrase.0.len()
                && rest.iter().zip(&phrase.0).all(|(word, one)| word.is(one))
                && !names.contains(&true)
        };
        let longest = PHRASES
            .iter()
            .filter(fits)
            .max_by_key(|(phrase, _)| phrase.len());
        let Some((phrase, field)) = longest else {
            at += 1;
            continue;
        };
        let before = |back: usize| at.checked_sub(back).map(|before| &words[before]);
        let is_part = before(1).is_some_and(|before| before.is_any(&OTHERS));
        let is_cost = before(1).is_some_and(|of| of.is("of"))
            && before(2).is_some_and(|cost| cost.is_any(&["cost", "costs"]));
        if is_part || is_cost {
            return None;
        }
        if !found.contains(field) {
            found.push(field);
        }
        at += phrase.len();
    }
    Some(found)
}

/// Whether it asks for the results as such: `how did Apple do in its third quarter`.
fn says_results(words: &[Word]) -> bool {
    words.iter().any(|word| {
        word.is_any(&[
            "results",
            "earnings",
            "figures",
            "numbers",
            "financials",
            "report",
            "reported",
        ])
    })
}

/// Whether it also asks for something that no statement contains: a ratio to the price, a date, what was expected.
fn wants_other(words: &[Word], is_name: &[bool]) -> bool {
    const OTHERS: [&str; 46] = [
        "should",
        "buy",
        "sell",
        "after",
        "gain",
        "gained",
        "return",
        "returned",
        "when",
        "date",
        "beat",
        "beats",
        "miss",
        "missed",
        "estimate",
        "estimates",
        "expected",
        "expectations",
        "surprise",
        "guidance",
        "forecast",
        "consensus",
        "analysts",
        "dividend",
        "dividends",
        "yield",
        "pe",
        "multiple",
        "price",
        "shares",
        "stock",
        "react",
        "reaction",
        "call",
        "transcript",
        "why",
        "segment",
        "highest",
        "lowest",
        "average",
        "median",
        "market",
        "employees",
        "trailing",
        "ttm",
        "next",
    ];
    let is_other = |(at, word): (usize, &Word)| {
        !is_name.get(at).copied().unwrap_or_default() && word.is_any(&OTHERS)
    };
    let is_ratio =
        |pair: &[Word]| pair[0].is("p") && pair[1].is_any(&["e", "s", "b"]) && !pair[1].is_parted;
    words.iter().enumerate().any(is_other) || words.windows(2).any(is_ratio)
}

/// The periods of reports that are named; `None` if there are none, or others as well.
fn periods(text: &str, words: &[Word], times: &[Dated], today: Day) -> Option<Vec<ReportPeriod>> {
    let mut found: Vec<ReportPeriod> = Vec::new();
    for dated in times {
        found.extend(of_time(&text[dated.bytes.clone()], dated, today)?);
    }
    if found.is_empty() {
        // `quarterly revenue`, `its annual sales`: a few of them.
        let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
        if says(&["quarterly"]) {
            found.push(ReportPeriod::NewestQuarters(FEW));
        } else if says(&["annual", "yearly"]) {
            found.push(ReportPeriod::NewestYears(FEW));
        } else if words.windows(2).any(|pair| {
            pair[0].is_any(&["last", "latest", "recent", "newest"]) && pair[1].is("quarter")
        }) {
            found.push(ReportPeriod::NewestQuarters(1));
        }
    }
    // `from 2020 to 2024`, `between 2020 and 2024`: the years in between as well.
    if let [ReportPeriod::Year(from), ReportPeriod::Year(to)] = found[..]
        && words.iter().any(|word| word.is_any(&["between", "from"]))
        && from < to
    {
        found = (from..=to).map(ReportPeriod::Year).collect();
    }
    let first = found.first()?;
    let is_same = found
        .iter()
        .all(|one| one.is_quarterly() == first.is_quarterly());
    (is_same && found.len() <= MOST).then_some(found)
}

/// Figures that the record of a company has over the last twelve months.
const OF_RECORD: [&str; 3] = ["eps", "profit_margin", "debt_to_equity"];

/// How many periods are shown if a question asks for all of a kind.
const FEW: usize = 5;

/// The periods of reports that a time is; `None` if it is something else, such as a month.
fn of_time(said: &str, dated: &Dated, today: Day) -> Option<Vec<ReportPeriod>> {
    const NEWEST: [&str; 5] = ["last", "latest", "recent", "past", "previous"];
    let said = said.to_lowercase();
    // The one that is not over has no report.
    if said.contains("this ") || said.contains("current ") {
        return None;
    }
    let before = said.strip_suffix(" quarter").unwrap_or_default();
    if NEWEST.iter().any(|newest| before.ends_with(newest)) {
        return Some(vec![ReportPeriod::NewestQuarters(1)]);
    }
    match dated.period {
        // The present adds nothing.
        Period::Unsaid | Period::Latest => Some(Vec::new()),
        Period::In(span) if dated.is_start && span.unit == SpanUnit::Year => since(span, today),
        Period::In(_) if dated.is_start || dated.is_end => None,
        Period::In(span) if span.unit == SpanUnit::Quarter && said.contains("end") => {
            Some(vec![ReportPeriod::QuarterTo(span.last)])
        }
        Period::In(span) => one(span, today).map(|period| vec![period]),
        Period::Between(first, last) => {
            let (first, last) = (year(first)?, year(last)?);
            let count = usize::try_from(last - first).ok()?;
            (count < MOST).then(|| (first..=last).map(ReportPeriod::Year).collect())
        }
        Period::Since(span) => since(span, today),
        Period::Past(count, Length::Years) => Some(vec![ReportPeriod::NewestYears(count as usize)]),
        Period::Past(count, Length::Quarters) => {
            Some(vec![ReportPeriod::NewestQuarters(count as usize)])
        }
        Period::Past(..) => None,
    }
}

fn one(span: Span, today: Day) -> Option<ReportPeriod> {
    let begins = span.first.date();
    let named = i32::from(begins.year());
    match span.unit {
        SpanUnit::FiscalQuarter(year, number) => Some(ReportPeriod::Quarter {
            year: Some(year),
            number,
            is_fiscal: true,
        }),
        SpanUnit::Quarter if begins.day() == 1 && begins.month() % 3 == 1 => {
            let number = u8::try_from((begins.month() - 1) / 3 + 1).ok()?;
            // The current one has no report yet.
            (span.last < today || !span.is_assumed).then_some(ReportPeriod::Quarter {
                year: (!span.is_assumed).then_some(named),
                number,
                is_fiscal: false,
            })
        }
        _ => year(span).map(ReportPeriod::Year),
    }
}

fn since(span: Span, today: Day) -> Option<Vec<ReportPeriod>> {
    let first = year(span)?;
    (first <= i32::from(today.date().year())).then(|| vec![ReportPeriod::YearsSince(first)])
}

fn year(span: Span) -> Option<i32> {
    match span.unit {
        SpanUnit::FiscalYear(year) => Some(year),
        SpanUnit::Year => Some(i32::from(span.first.date().year())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects;
    use crate::words;

    fn read(text: &str) -> Option<(Vec<ReportPeriod>, Vec<&'static str>)> {
        let today = Day::parse("2026-11-23").unwrap();
        let words = words::cut(text);
        let times = subjects::mentions(text, &words, today).times;
        let is_name: Vec<bool> = words.iter().map(|word| word.is("apple")).collect();
        let report = asked(text, &words, &is_name, &times, today, false)?;
        Some((report.periods, report.figures))
    }

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 2, 1), None);
    }

    #[test]
    fn periods_of_reports_are_told_with_the_figures_asked_for() {
        use ReportPeriod::{NewestQuarters, NewestYears, Year};
        let quarter = |year, number, is_fiscal| ReportPeriod::Quarter {
            year,
            number,
            is_fiscal,
        };
        for (text, periods, figures) in [
            (
                "Apple's revenue in Q3 2025",
                vec![quarter(Some(2025), 3, false)],
                vec!["revenue"],
            ),
            (
                "gross profit and operating margin of Apple in the second quarter of fiscal 2024",
                vec![quarter(Some(2024), 2, true)],
                vec!["gross_profit", "operating_margin"],
            ),
            ("Apple's EPS in fiscal 2024", vec![Year(2024)], vec!["eps"]),
            ("Apple revenue in 2023", vec![Year(2023)], vec!["revenue"]),
            (
                "Apple's net income for the quarter ended June 2026",
                vec![ReportPeriod::QuarterTo(Day::parse("2026-06-30").unwrap())],
                vec!["net_income"],
            ),
            (
                "how did Apple's net income change between 2022 and 2024",
                vec![Year(2022), Year(2023), Year(2024)],
                vec!["net_income"],
            ),
            (
                "Apple's free cash flow over the last 3 years",
                vec![NewestYears(3)],
                vec!["free_cash_flow"],
            ),
            (
                "Apple revenue last quarter",
                vec![NewestQuarters(1)],
                vec!["revenue"],
            ),
            (
                "Apple's revenue in Q2 2025 and Q2 2026",
                vec![quarter(Some(2025), 2, false), quarter(Some(2026), 2, false)],
                vec!["revenue"],
            ),
            (
                "Apple's results in Q1 2026",
                vec![quarter(Some(2026), 1, false)],
                vec![],
            ),
            (
                "quarterly revenue of Apple",
                vec![NewestQuarters(FEW)],
                vec!["revenue"],
            ),
            (
                "Apple's net income since 2024",
                vec![ReportPeriod::YearsSince(2024)],
                vec!["net_income"],
            ),
        ] {
            assert_eq!(read(text), Some((periods, figures)), "{text}");
        }
    }

    #[test]
    fn what_no_statement_has_is_no_report() {
        for text in [
            "Apple revenue",
            "Apple revenue this quarter",
            "P/E of Apple in 2023",
            "did Apple beat estimates in Q3 2025",
            "when did Apple report Q3 2025",
            "Apple's price after the Q3 2025 results",
            "Apple's revenue in March 2025",
            "how did Apple do in 2025",
            "dividends of Apple in 2024",
            "Apple's market cap and revenue in 2024",
            "Apple's streaming revenue in fiscal 2025",
            "Apple's cost of sales in 2024",
            "net debt of Apple in 2024",
            "should I buy Apple after its revenue fell last quarter",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
