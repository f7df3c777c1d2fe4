//! What is scheduled: the calendar, and the hours of the exchange.

use query::{Intent, Series};

use crate::answer::disclosures::table;
use crate::answer::{OPEN, Page, Sheet};
use crate::figures::{count, day, quoted};

/// Words that the calendar uses for the release of a series.
const RELEASES: [(&str, &str); 12] = [
    ("unemployment", "unemployment rate"),
    ("payrolls", "payroll"),
    ("cpi", "consumer price"),
    ("inflation", "consumer price"),
    ("core_cpi", "consumer price"),
    ("core_inflation", "consumer price"),
    ("gdp", "gross domestic"),
    ("real_gdp", "gross domestic"),
    ("retail_sales", "retail"),
    ("housing_starts", "housing"),
    ("consumer_sentiment", "sentiment"),
    ("fed_funds", "federal open market"),
];

/// Whether the exchange is trading, and when.
pub(super) fn hours(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(exchange) = page.get("exchange") else {
        return;
    };
    let Some(date) = exchange.text("day") else {
        return;
    };
    let clock = |path: &str| exchange.text(path).and_then(|at| at.get(11..16));
    let state = if exchange.flag("is_open") {
        "The US exchanges are **open** now"
    } else {
        "The US exchanges are **closed** now"
    };
    if named_day(page, sheet) {
        return;
    }
    let times = clock("hours/opens_at").zip(clock("hours/closes_at"));
    sheet.lead(match times {
        Some((opens, closes)) => format!(
            "{state}. On {} they trade from **{opens}** to **{closes} UTC**{}.",
            day(date),
            if exchange.flag("hours/is_half_day") {
                ", a half day"
            } else {
                ""
            }
        ),
        None => format!(
            "{state}. On {} they do not trade{}.",
            day(date),
            exchange
                .text("hours/next_session")
                .map(|next| format!("; the next session is on {}", day(next)))
                .unwrap_or_default()
        ),
    });
}

/// The day that the question names by its name, such as Christmas Eve; returns whether it names one.
fn named_day(page: &Page<'_>, sheet: &mut Sheet) -> bool {
    let Some(calendar) = page.get("calendar") else {
        return false;
    };
    let question = page
        .reading
        .question
        .to_lowercase()
        .replace(['\'', '’'], "");
    let events = calendar.list("events");
    let named = events.iter().find(|event| {
        let title = event.text("title").unwrap_or_default();
        let name = title.split(',').next().unwrap_or(title).to_lowercase();
        let name = name.replace(['\'', '’'], "");
        let is_free = matches!(event.text("type"), Some("holiday" | "half_day"));
        is_free && question.contains(name.trim_end_matches(" day"))
    });
    let told = named.and_then(|event| {
        let state = if event.text("type") == Some("holiday") {
            "**closed**"
        } else {
            "open for a **half day**, until 13:00 in New York"
        };
        Some(format!(
            "On {} ({}) the US exchanges are {state}.",
            day(event.text("date")?),
            quoted(event.text("title")?)
        ))
    });
    let is_named = told.is_some();
    sheet.lead.extend(told);
    is_named
}

/// The next release of the series that the question names, or that it is not on the calendar.
fn release(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(calendar) = page.get("calendar").filter(|_| page.wants(Intent::Macro)) else {
        return;
    };
    let events = calendar.list("events");
    let to = calendar.text("to").map(day).unwrap_or_default();
    for series in &page.reading.series {
        let Series::Known(code) = series else {
            continue;
        };
        let Some((_, words)) = RELEASES.iter().find(|(known, _)| known == code) else {
            continue;
        };
        let next = events.iter().find(|event| {
            let title = event.text("title").unwrap_or_default();
            title.to_lowercase().contains(words)
        });
        let told = next.and_then(|event| {
            let estimated = if event.text("status") == Some("estimated") {
                " (estimated date)"
            } else {
                ""
            };
            Some(format!(
                "The next release is on **{}**{estimated}: {}.",
                day(event.text("date")?),
                quoted(event.text("title")?)
            ))
        });
        if told.is_none() {
            sheet.at_most(OPEN);
        }
        sheet.lead(told.unwrap_or_else(|| {
            format!(
                "No date of the next release of {} is on the calendar up to {to}.",
                series.name()
            )
        }));
    }
}

pub(super) fn calendar(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(calendar) = page.get("calendar") else {
        return;
    };
    let mut events = calendar.list("events");
    // A question about the hours gets closed days, and a question about a release gets releases.
    let asks_hours = page.get("exchange").is_some();
    let asks_release = page.wants(Intent::Macro) && !page.reading.series.is_empty();
    events.retain(|event| {
        let is_economic = event.text("type") == Some("economic");
        !(asks_hours && is_economic || asks_release && !is_economic)
    });
    let from = calendar.text("from").map(day).unwrap_or_default();
    let to = calendar.text("to").map(day).unwrap_or_default();
    release(page, sheet);
    if events.is_empty() && asks_hours {
        return;
    }
    if events.is_empty() {
        // Other kinds of events may well be on the calendar for that time.
        let nothing = nothing(page.reading.asks_earnings, asks_release);
        sheet.lead(format!("{nothing} from {from} to {to}."));
        return;
    }
    let of = |kind: &str| {
        events
            .iter()
            .filter(|event| event.text("type") == Some(kind))
            .count() as u64
    };
    let mut kinds = Vec::new();
    for (kind, one, many) in [
        ("earnings", "earnings report", "earnings reports"),
        ("economic", "economic release", "economic releases"),
        ("holiday", "holiday", "holidays"),
        ("half_day", "half day", "half days"),
    ] {
        if of(kind) > 0 {
            kinds.push(count(of(kind), one, many));
        }
    }
    sheet.lead(format!("From {from} to {to}: **{}**.", kinds.join(", ")));
    let rows: Vec<String> = events
        .iter()
        .take(20)
        .filter_map(|event| {
            let estimated = if event.text("status") == Some("estimated") {
                "estimated"
            } else {
                ""
            };
            Some(format!(
                "| {} | {} | {} | {estimated} |",
                day(event.text("date")?),
                quoted(event.text("title")?),
                event.text("ticker").unwrap_or("")
            ))
        })
        .collect();
    table(
        sheet,
        "| Date | Event | Symbol | |\n|---|---|---|---|",
        &rows,
    );
    if events.len() > 20 {
        sheet.unknown(format!(
            "{} further events stand in the data.",
            events.len() - 20
        ));
    }
}

/// What is missing in a calendar with none of the events that were asked for.
fn nothing(asks_earnings: bool, asks_release: bool) -> &'static str {
    match (asks_earnings, asks_release) {
        (true, false) => "No earnings report is scheduled",
        (false, true) => "No economic release is scheduled",
        _ => "Nothing is on the calendar",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_calendar_names_what_was_looked_for() {
        assert_eq!(nothing(true, false), "No earnings report is scheduled");
        assert_eq!(nothing(false, true), "No economic release is scheduled");
        assert_eq!(nothing(false, false), "Nothing is on the calendar");
    }
}
