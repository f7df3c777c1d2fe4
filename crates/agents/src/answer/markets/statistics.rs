//! Writes about all values of a period: the highest, the lowest, their mean.

use query::Statistic;

use crate::answer::sums::rate;
use crate::answer::{OPEN, Page, Sheet};
use crate::figures::{self, change, count, day, plain, quoted, sentence};
use crate::view::View;

/// How many days values may begin later or end earlier than the period that is asked about before the answer says so.
const SHORT: i32 = 45;
/// Whether the values of a series over a past period have been reported: its newest value is not part of the question.
pub(in crate::answer) fn is_told(page: &Page<'_>, code: &str) -> bool {
    if super::crossed::is_told(page, code) {
        return true;
    }
    let found = page.get("statistics").and_then(|all| all.at(code));
    let mut steps = page.plan.steps.iter();
    found.is_some()
        && steps.any(|step| {
            step.is_needed
                && step.subject.as_deref() == Some(code)
                && step.arguments.contains_key("to")
        })
}

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    if page.reading.statistics.is_empty() || page.reading.between.is_some() {
        return;
    }
    let all = page.get("statistics");
    let found = all.and_then(|all| all.0.as_object());
    let found: Vec<View<'_>> = found
        .into_iter()
        .flatten()
        .map(|(_, one)| View(one))
        .collect();
    for one in &found {
        for statistic in &page.reading.statistics {
            told(*one, *statistic, sheet);
        }
        bounds(page, *one, sheet);
    }
    if found.is_empty() {
        let (sessions, limits): (Vec<Statistic>, Vec<Statistic>) = page
            .reading
            .statistics
            .iter()
            .copied()
            .partition(|one| one.is_of_sessions());
        let limits: Vec<&str> = limits.into_iter().map(Statistic::as_str).collect();
        let mut asked: Vec<String> = Vec::new();
        if !limits.is_empty() {
            asked.push(format!("{} value", limits.join(" and ")));
        }
        asked.extend(sessions.iter().map(|one| one.as_str().to_owned()));
        let names: Vec<String> = page.reading.series.iter().map(|one| one.name()).collect();
        let line = format!(
            "The {} of {} over the requested period could not be determined: no values for it are available.",
            asked.join(" and "),
            names.join(", ")
        );
        sheet.lead(line.clone());
        sheet.unknown(line);
        sheet.at_most(OPEN);
    }
}

fn told(one: View<'_>, statistic: Statistic, sheet: &mut Sheet) {
    let (Some(name), Some(from), Some(to), Some(values)) = (
        one.text("name"),
        one.text("from"),
        one.text("to"),
        one.whole("values"),
    ) else {
        return;
    };
    // Rates of currencies are given to the fourth digit.
    let plain = |value: f64| match one.text("pair") {
        Some(_) => rate(value),
        None => plain(value),
    };
    let frequency = one.text("frequency").unwrap_or("");
    let of = |date: &str| figures::span(date, frequency);
    let unit = one
        .text("unit")
        .map_or_else(String::new, |unit| format!(" ({})", quoted(unit)));
    let time = format!(
        "from {} to {} ({})",
        of(from),
        of(to),
        count(values, "value", "values")
    );
    let name = quoted(name);
    let limit = |field: &str| {
        let limit = one.at(field)?;
        Some((limit.number("value")?, limit.text("date")?))
    };
    let word = statistic.as_str();
    match statistic {
        Statistic::Mean => {
            if let Some(mean) = one.number("mean") {
                sheet.lead(format!(
                    "The {word} of **{name}** {time} was **{}**{unit}.",
                    plain(mean)
                ));
            }
        }
        Statistic::BestSession | Statistic::WorstSession => {
            let found = one.at(&word.replace(' ', "_"));
            let is_told = found.is_some_and(|found| {
                session(
                    found,
                    &format!("The {word} of **{name}** {time}"),
                    &unit,
                    sheet,
                )
            });
            if !is_told {
                sheet.unknown(format!("The {word} of {name}: it has no value a day."));
            }
        }
        Statistic::Highest | Statistic::Lowest => {
            if let Some((value, date)) = limit(word) {
                let at = if matches!(frequency, "monthly" | "quarterly" | "annual") {
                    format!("for {}", of(date))
                } else {
                    format!("on {}", day(date))
                };
                sheet.lead(format!(
                    "The {word} value of **{name}** {time} was **{}**{unit}, {at}.",
                    plain(value)
                ));
            }
        }
    }
}

/// The day of the largest rise or fall; returns whether it is known.
fn session(found: View<'_>, what: &str, unit: &str, sheet: &mut Sheet) -> bool {
    let Some(date) = found.text("date") else {
        return false;
    };
    if let Some(moved) = found.number("change_pct") {
        sheet.lead(format!(
            "{what} was {}: **{}** from the value before.",
            day(date),
            change(moved)
        ));
        return true;
    }
    let (Some(from), Some(to), Some(moved)) = (
        found.number("from"),
        found.number("to"),
        found.number("change"),
    ) else {
        return false;
    };
    sheet.lead(format!(
        "{what} was {}: **{}**{unit} from the value before, from {} to {}.",
        day(date),
        figures::moved_by(moved),
        plain(from),
        plain(to)
    ));
    if let Some(other) = found.at("with_percentage")
        && let (Some(date), Some(moved)) = (other.text("date"), other.number("change_pct"))
    {
        sheet.lead(format!(
            "{} Among the sessions that have one, that of {} comes first with {}.",
            figures::NO_PERCENTAGE,
            day(date),
            change(moved)
        ));
    }
    true
}

/// Says so if the values cover less than the period that is asked about.
fn bounds(page: &Page<'_>, one: View<'_>, sheet: &mut Sheet) {
    let date = |field: &str| one.text(field).and_then(model::Day::parse);
    let (Some(name), Some(first), Some(last)) = (one.text("name"), date("from"), date("to")) else {
        return;
    };
    let when = &page.reading.when;
    // A quarter is dated by its first day.
    let short = match one.text("frequency") {
        Some("quarterly") => SHORT * 3,
        Some("annual") => SHORT * 10,
        _ => SHORT,
    };
    let begins_late = when.from.is_some_and(|from| first.since(from) > short);
    let ends_early = when.to.is_some_and(|to| to.since(last) > short);
    let shown = |date: model::Day| day(&date.to_string());
    if begins_late {
        // The highest of a part is not that of the whole.
        sheet.at_most(OPEN);
        sheet.unknown(sentence(&format!(
            "{name}: no value before {} was compared",
            shown(first)
        )));
    }
    if ends_early {
        sheet.unknown(sentence(&format!(
            "{name}: no value after {} was compared",
            shown(last)
        )));
    }
}
