//! Reported figures of named fiscal periods, from the statements of these periods.

use model::Day;
use query::{Report, ReportPeriod};

use super::Writer;
use super::facts::shown;
use crate::answer::{Page, Sheet};
use crate::figures::{change, day};
use crate::view::View;

/// The figures of a question about the results as such.
const USUAL: [&str; 3] = ["revenue", "net_income", "eps"];
/// Figures whose change since a year before a statement gives, and the field of that change.
const GROWN: [(&str, &str); 3] = [
    ("revenue", "revenue_growth"),
    ("net_income", "net_income_growth"),
    ("eps", "eps_growth"),
];

const QUARTERS: [&str; 4] = ["first", "second", "third", "fourth"];
/// Half the days of a quarter.
const HALF_QUARTER: i32 = 45;
/// How far the end of a quarter of whole weeks is from that of its month.
const NEAR: i32 = 10;

/// The last day of a statement's period.
fn ends(row: View<'_>) -> Option<Day> {
    row.text("period_end").and_then(Day::parse)
}

fn fields(report: &Report) -> &[&'static str] {
    if report.figures.is_empty() {
        &USUAL
    } else {
        &report.figures
    }
}

/// The name of a figure.
fn named(field: &str) -> String {
    match field {
        "eps" => "earnings per share".to_owned(),
        "equity" => "shareholders' equity".to_owned(),
        "assets" | "liabilities" => format!("total {field}"),
        "debt_to_equity" => "debt to equity".to_owned(),
        _ => field.replace('_', " "),
    }
}

/// The statements of a period that a question names, newest first; empty if none is on record.
fn of_period<'a>(statements: &[View<'a>], period: ReportPeriod) -> Vec<View<'a>> {
    let is_year = |one: &View<'_>, year: i32| one.number("fiscal_year") == Some(f64::from(year));
    let found = statements.iter().filter(|one| match period {
        ReportPeriod::Quarter { year, number, .. } => {
            one.number("fiscal_quarter") == Some(f64::from(number))
                && year.is_none_or(|year| is_year(one, year))
        }
        ReportPeriod::QuarterTo(end) => ends(**one).is_some_and(|own| own.since(end).abs() <= NEAR),
        ReportPeriod::Year(year) => is_year(one, year),
        ReportPeriod::YearsSince(year) => one
            .number("fiscal_year")
            .is_some_and(|own| own >= f64::from(year)),
        ReportPeriod::NewestQuarters(_) | ReportPeriod::NewestYears(_) => true,
    });
    let most = match period {
        ReportPeriod::NewestQuarters(count) | ReportPeriod::NewestYears(count) => count,
        ReportPeriod::YearsSince(_) => usize::MAX,
        ReportPeriod::Quarter { .. } | ReportPeriod::QuarterTo(_) | ReportPeriod::Year(_) => 1,
    };
    found.take(most).copied().collect()
}

/// The share of the figures asked for that the statements have.
pub(super) fn share_of(report: &Report, statements: View<'_>) -> f64 {
    let all = statements.list("statements");
    let (mut asked, mut found) = (0.0, 0.0);
    for period in &report.periods {
        let rows = of_period(&all, *period);
        for field in fields(report) {
            asked += 1.0;
            found += f64::from(rows.iter().any(|row| row.number(field).is_some()));
        }
    }
    found / f64::max(asked, 1.0)
}

/// `the third quarter of fiscal 2025 (three months to 28 June 2025)`.
fn called(row: View<'_>) -> String {
    let end = row.text("period_end").map(day).unwrap_or_default();
    let year = row.whole("fiscal_year");
    let quarter = row
        .whole("fiscal_quarter")
        .and_then(|quarter| QUARTERS.get(usize::try_from(quarter).ok()?.checked_sub(1)?));
    match (year, quarter) {
        (Some(year), Some(quarter)) => {
            format!("the {quarter} quarter of fiscal {year} (three months to {end})")
        }
        (Some(year), None) => format!("fiscal {year} (year to {end})"),
        (None, _) => format!("the quarter to {end}"),
    }
}

/// Which of several companies has the highest figure, if one figure of one period is asked for and all report in the same
/// currency.
pub(super) fn compared(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(report) = &page.reading.report else {
        return;
    };
    let ([field], [period]) = (&report.figures[..], &report.periods[..]) else {
        return;
    };
    let mut found: Vec<(&str, f64, &str)> = Vec::new();
    for instrument in &page.reading.instruments {
        let symbol = instrument.symbol.as_str();
        let Some(statements) = page.of("statements", symbol) else {
            return;
        };
        let rows = of_period(&statements.list("statements"), *period);
        let (Some(value), Some(currency)) = (
            rows.first().and_then(|row| row.number(field)),
            statements.text("currency"),
        ) else {
            return;
        };
        found.push((symbol, value, currency));
    }
    found.sort_by(|one, other| other.1.total_cmp(&one.1));
    let is_ratio =
        field.ends_with("margin") || field.starts_with("return_on") || *field == "debt_to_equity";
    let is_same = found.windows(2).all(|pair| pair[0].2 == pair[1].2);
    if let [(first, most, currency), (second, next, _), ..] = found[..]
        && (is_ratio || is_same)
        && *field != "eps"
    {
        sheet.lead(format!(
            "**{first}** has the {} {}: {} against {} of {second}.",
            if found.len() == 2 {
                "higher"
            } else {
                "highest"
            },
            named(field),
            shown(field, most, currency),
            shown(field, next, currency)
        ));
    }
}

/// A period that is not on record, as the question names it.
fn asked_for(period: ReportPeriod) -> String {
    match period {
        ReportPeriod::Quarter {
            year: Some(year),
            number,
            ..
        } => format!("the quarter Q{number} of fiscal {year}"),
        ReportPeriod::Quarter { number, .. } => format!("a quarter Q{number}"),
        ReportPeriod::QuarterTo(end) => format!("a quarter to {}", day(&end.to_string())),
        ReportPeriod::Year(year) => format!("fiscal {year}"),
        ReportPeriod::YearsSince(year) => format!("fiscal years from {year} on"),
        ReportPeriod::NewestQuarters(_) => "a quarter".to_owned(),
        ReportPeriod::NewestYears(_) => "a fiscal year".to_owned(),
    }
}

impl Writer<'_> {
    /// The reported figures that the question asks for.
    pub(super) fn report(&self, sheet: &mut Sheet) {
        let Some((report, statements)) = self
            .page
            .reading
            .report
            .as_ref()
            .zip(self.get("statements"))
        else {
            return;
        };
        let all = statements.list("statements");
        let mut rows: Vec<View<'_>> = Vec::new();
        for period in &report.periods {
            let found = of_period(&all, *period);
            if found.is_empty() {
                self.not_on_record(*period, &all, sheet);
            }
            let asked = match period {
                ReportPeriod::NewestQuarters(count) | ReportPeriod::NewestYears(count) => *count,
                _ => 0,
            };
            if asked > 1 && found.len() < asked {
                let what = if period.is_quarterly() {
                    "quarters"
                } else {
                    "fiscal years"
                };
                sheet.unknown(format!(
                    "{}: statements of {} {what} are on record.",
                    self.symbol,
                    found.len()
                ));
            }
            for row in found {
                let end = row.text("period_end");
                if rows.iter().all(|known| known.text("period_end") != end) {
                    rows.push(row);
                }
            }
        }
        let currency = statements.text("currency").unwrap_or_default();
        let fields = fields(report);
        match &rows[..] {
            [] => {}
            [row] => self.one_period(fields, *row, currency, sheet),
            _ => {
                rows.sort_by(|one, other| other.text("period_end").cmp(&one.text("period_end")));
                self.several_periods(fields, &rows, currency, sheet);
            }
        }
        for period in &report.periods {
            self.by_the_calendar(fields, *period, &all, currency, sheet);
        }
    }

    fn not_on_record(&self, period: ReportPeriod, all: &[View<'_>], sheet: &mut Sheet) {
        let newest = all.first().and_then(|one| one.text("period_end"));
        let reach = newest.map_or_else(String::new, |newest| {
            format!("; the newest one is of the period to {}", day(newest))
        });
        sheet.lead(format!(
            "**{}**: no statement for {} is on record{reach}.",
            self.name(),
            asked_for(period)
        ));
    }

    fn one_period(&self, fields: &[&str], row: View<'_>, currency: &str, sheet: &mut Sheet) {
        let mut told = Vec::new();
        for field in fields {
            match row.number(field) {
                Some(value) => told.push(format!(
                    "{} **{}**{}",
                    named(field),
                    shown(field, value, currency),
                    grown(field, row)
                )),
                None => sheet.unknown(format!(
                    "{}: no {} is on record for {}.",
                    self.symbol,
                    named(field),
                    called(row)
                )),
            }
        }
        if told.is_empty() {
            sheet.lead(format!(
                "**{}**: what is asked for is not on record for {}.",
                self.name(),
                called(row)
            ));
            return;
        }
        let filed = row
            .text("filed_date")
            .map(|date| format!(", first filed on {}", day(date)));
        sheet.lead(format!(
            "**{}** in {}: {}{}.",
            self.name(),
            called(row),
            told.join(", "),
            filed.unwrap_or_default()
        ));
    }

    /// A table, newest first, and the change of each figure from the oldest to the newest.
    fn several_periods(
        &self,
        fields: &[&str],
        rows: &[View<'_>],
        currency: &str,
        sheet: &mut Sheet,
    ) {
        for field in fields {
            let known: Vec<(f64, View<'_>)> = rows
                .iter()
                .filter_map(|row| Some((row.number(field)?, *row)))
                .collect();
            let (Some((last, newest)), Some((first, oldest))) = (known.first(), known.last())
            else {
                sheet.lead(format!(
                    "No {} of **{}** is on record for these periods.",
                    named(field),
                    self.name()
                ));
                continue;
            };
            if known.len() < 2 {
                continue;
            }
            let is_share = field.ends_with("margin") || field.starts_with("return_on");
            let by = if is_share {
                Some(format!("{:+.1} points", last - first))
            } else if *first > 0.0 && *field != "debt_to_equity" {
                Some(change((last / first - 1.0) * 100.0))
            } else {
                None
            };
            let by = by.map_or_else(String::new, |by| format!(" (**{by}**)"));
            sheet.lead(format!(
                "**{}**: {} was {} in {}, after {} in {}{by}.",
                self.name(),
                named(field),
                shown(field, *last, currency),
                called(*newest),
                shown(field, *first, currency),
                called(*oldest)
            ));
        }
        let heads: Vec<String> = fields.iter().map(|field| named(field)).collect();
        let lines: Vec<String> = rows
            .iter()
            .map(|row| {
                let values: Vec<String> = fields
                    .iter()
                    .map(|field| {
                        let value = row.number(field);
                        value.map_or_else(|| "–".to_owned(), |value| shown(field, value, currency))
                    })
                    .collect();
                let end = row.text("period_end").map(day).unwrap_or_default();
                format!("| {end} | {} |", values.join(" | "))
            })
            .collect();
        sheet.blocks.push(format!(
            "| {} to | {} |\n|---|{}\n{}",
            self.symbol,
            heads.join(" | "),
            "---:|".repeat(fields.len()),
            lines.join("\n")
        ));
    }

    /// A quarter that is named without `fiscal` may be meant by the calendar: the one of the company that mostly lies in
    /// it, if that is another one.
    fn by_the_calendar(
        &self,
        fields: &[&str],
        period: ReportPeriod,
        all: &[View<'_>],
        currency: &str,
        sheet: &mut Sheet,
    ) {
        let ReportPeriod::Quarter {
            year: Some(year),
            number,
            is_fiscal: false,
        } = period
        else {
            return;
        };
        let lies_in = |row: &&View<'_>| {
            ends(**row).is_some_and(|end| {
                let middle = end.plus(-HALF_QUARTER).date();
                i32::from(middle.year()) == year
                    && (middle.month() - 1) / 3 + 1 == i8::try_from(number).unwrap_or_default()
            })
        };
        let Some(row) = all.iter().find(lies_in) else {
            return;
        };
        if of_period(all, period)
            .iter()
            .any(|fiscal| fiscal.text("period_end") == row.text("period_end"))
        {
            return;
        }
        let told: Vec<String> = fields
            .iter()
            .filter_map(|field| {
                let value = shown(field, row.number(field)?, currency);
                Some(format!("{} {value}{}", named(field), grown(field, *row)))
            })
            .collect();
        if !told.is_empty() {
            sheet.lead(format!(
                "By the calendar, Q{number} of {year} mostly lies in {} of {}: {}.",
                called(*row),
                self.symbol,
                told.join(", ")
            ));
        }
    }
}

/// The change of a figure since the same period of the year before, in brackets.
fn grown(field: &str, row: View<'_>) -> String {
    let found = GROWN.iter().find(|(known, _)| *known == field);
    let by = found.and_then(|(_, growth)| row.number(growth));
    by.map_or_else(String::new, |by| format!(" ({} on the year)", change(by)))
}
