//! What is written of the days on which a commodity or an index was beyond a level.

use query::{Crossing, LookUp, Wanted};
use verify::figures::KnownSeries;

use crate::answer::{OPEN, Page, Sheet};
use crate::figures::{self, change, count, day, moved_by, plain, quoted};
use crate::view::View;

/// Whether the days of a series have been told, so that its newest value is none of the question.
pub(super) fn is_told(page: &Page<'_>, code: &str) -> bool {
    let found = page.get("crossings").and_then(|all| all.at(code));
    found.is_some() && page.asked_from().is_some()
}

pub(super) fn write(page: &Page<'_>, sheet: &mut Sheet) {
    let Some(LookUp::Crossing(crossing)) = page.reading.look_up else {
        return;
    };
    if !page.reading.instruments.is_empty() {
        return;
    }
    let all = page.get("crossings").and_then(|all| all.0.as_object());
    let Some(all) = all else {
        let names: Vec<String> = page.reading.series.iter().map(|one| one.name()).collect();
        sheet.lead(format!(
            "No values of {} of the time that is asked about are on record.",
            names.join(", ")
        ));
        sheet.at_most(OPEN);
        return;
    };
    for (code, found) in all {
        let one = page.get("commodities").and_then(|all| all.at(code));
        let text = |field: &str| one.and_then(|one| one.text(field));
        let unit = text("unit").map_or_else(String::new, |unit| format!(" {}", quoted(unit)));
        let name = text("name").map_or_else(|| name_of_index(code), quoted);
        Told {
            name: &name,
            unit: &unit,
            crossing: &crossing,
        }
        .write(View(found), sheet);
    }
}

/// What is told of one series.
struct Told<'a> {
    name: &'a str,
    unit: &'a str,
    crossing: &'a Crossing,
}

impl Told<'_> {
    fn write(&self, result: View<'_>, sheet: &mut Sheet) {
        let Self {
            name,
            unit,
            crossing,
        } = self;
        let date = |field: &str| result.text(field).map(day).unwrap_or_default();
        let level = plain(crossing.level);
        let side = if crossing.is_above { "above" } else { "below" };
        let beyond = format!("closed {side} {level}");
        let time = format!("from {} to {}", date("held_from"), date("held_to"));
        if let (Some(days), Some(sessions)) = (result.whole("days"), result.whole("sessions"))
            && (crossing.wanted == Wanted::Count || days > 1)
        {
            sheet.lead(format!(
                "**{name}** {beyond} on **{days}** of {} {time}.",
                count(sessions, "day with a value", "days with a value")
            ));
        }
        let found = result.at("day");
        let told = found.and_then(|found| Some((found.text("date")?, found.number("close")?)));
        let Some((on, close)) = told else {
            sheet.lead(format!("**{name}** never {beyond} {time}."));
            if let Some(utmost) = result.number("utmost/price") {
                let word = if crossing.is_above {
                    "highest"
                } else {
                    "lowest"
                };
                sheet.lead(format!(
                    "The {word} close of that time was **{}**{unit}, on {}.",
                    plain(utmost),
                    date("utmost/date")
                ));
            }
            return;
        };
        let which = if crossing.wanted == Wanted::First {
            "first"
        } else {
            "last"
        };
        sheet.lead(format!(
            "**{name}** {which} {beyond} on **{}**, at **{}**{unit}.",
            day(on),
            plain(close)
        ));
        let next = found.and_then(|found| found.at("next_session"));
        if let Some((on, close, by)) = next.and_then(|next| {
            Some((
                next.text("date")?,
                next.number("close")?,
                next.number("change")?,
            ))
        }) {
            let moved = next.and_then(|next| next.number("change_pct"));
            sheet.lead(format!(
                "The next value, of {}, was {}: {}.",
                day(on),
                plain(close),
                moved.map_or_else(|| moved_by(by), change)
            ));
            if moved.is_none() {
                sheet.lead(figures::NO_PERCENTAGE);
            }
        }
    }
}

fn name_of_index(symbol: &str) -> String {
    let id = format!("index:{symbol}");
    let mut all = KnownSeries::all().iter();
    let known = all.find(|known| known.ids.iter().any(|one| *one == id));
    known.map_or(symbol, |known| known.name).to_owned()
}
