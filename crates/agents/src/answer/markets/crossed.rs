//! Writes about the days on which a commodity or an index was beyond a level.

use query::{Crossing, LookUp, Wanted};
use verify::figures::KnownSeries;

use crate::answer::{self, OPEN, Page, Sheet, derived};
use crate::figures::{self, change, count, day, moved_by, plain, quoted};
use crate::view::View;

/// Whether the days of a series have been reported, so that its newest value is not part of the question.
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
    let of_other = in_other_currency(page, &crossing, sheet);
    let all = page.get("crossings").and_then(|all| all.0.as_object());
    let Some(all) = all else {
        if of_other {
            return;
        }
        let names: Vec<String> = page.reading.series.iter().map(|one| one.name()).collect();
        sheet.lead(format!(
            "No values of {} from the requested period are on record.",
            names.join(", ")
        ));
        sheet.at_most(OPEN);
        return;
    };
    for (code, found) in all {
        let one = page.get("commodities").and_then(|all| all.at(code));
        let text = |field: &str| one.and_then(|one| one.text(field));
        let of_history = |field: &str| derived::of_history(one?.0, field);
        let unit = of_history("unit").map_or_else(String::new, |unit| format!(" {}", quoted(unit)));
        let name = text("name").map_or_else(|| name_of_index(code), quoted);
        Told {
            name: &name,
            unit: &unit,
            crossing: &crossing,
            is_whole: of_history("frequency").is_none_or(|frequency| frequency == "daily")
                && is_of_whole_time(page, View(found)),
        }
        .write(View(found), sheet);
        if crossing.is_within_day {
            sheet.unknown(format!(
                "Of {name} closes are compared; prices within the day are not."
            ));
        }
    }
}

/// Says of each series whose prices are in a currency other than that of the level that it was not compared; returns
/// whether there is one.
fn in_other_currency(page: &Page<'_>, crossing: &Crossing, sheet: &mut Sheet) -> bool {
    let Some(asked) = crossing.currency else {
        return false;
    };
    let mut is_any = false;
    for key in ["commodities", "levels"] {
        let all = page.get(key).and_then(|all| all.0.as_object());
        for (code, one) in all.into_iter().flatten() {
            let one = View(one);
            if let Some(own) = derived::other_currency(one, crossing) {
                let name = one.text("name").map_or_else(|| name_of_index(code), quoted);
                sheet.lead(format!(
                    "Values of **{name}** are in {own} and the level is in {asked}: on which days it was crossed is not worked out."
                ));
                sheet.at_most(OPEN);
                is_any = true;
            }
        }
    }
    is_any
}

/// Whether the values cover the whole period that is asked about, so that anything none of them shows did not happen in
/// it.
fn is_of_whole_time(page: &Page<'_>, result: View<'_>) -> bool {
    let day = |field: &str| result.text(field).and_then(model::Day::parse);
    let (Some(first), Some(last)) = (day("held_from"), day("held_to")) else {
        return false;
    };
    let when = &page.reading.when;
    let (Some(from), Some(to)) = (when.from, when.to) else {
        return false;
    };
    first.since(from) <= answer::NEAR && to.since(last) <= answer::NEAR
}

/// What is reported for one series.
struct Told<'a> {
    name: &'a str,
    unit: &'a str,
    crossing: &'a Crossing,
    /// Whether there is a value for each trading day of the period that is asked about.
    is_whole: bool,
}

impl Told<'_> {
    fn write(&self, result: View<'_>, sheet: &mut Sheet) {
        let Self {
            name,
            unit,
            crossing,
            is_whole,
        } = self;
        let date = |field: &str| result.text(field).map(day).unwrap_or_default();
        let level = plain(crossing.level);
        let side = if crossing.is_above { "above" } else { "below" };
        let beyond = format!("closed {side} {level}");
        let time = if date("held_from") == date("held_to") {
            format!("on {}", date("held_from"))
        } else {
            format!("from {} to {}", date("held_from"), date("held_to"))
        };
        let found = result.at("day");
        // An intraday price may have been beyond the level although no close was.
        let is_no = *is_whole && !crossing.is_within_day;
        let mut begin = match found {
            Some(_) if crossing.is_yes_or_no => "Yes: ",
            None if crossing.is_yes_or_no && is_no => "No: ",
            _ => "",
        };
        if let (Some(days), Some(sessions)) = (result.whole("days"), result.whole("sessions"))
            && (crossing.wanted == Wanted::Count || days > 1)
        {
            match (days, sessions) {
                (0, 1) => {}
                (1, 1) => sheet.lead(format!("**{name}** {beyond} on one trading day.")),
                _ => {
                    sheet.lead(format!(
                        "{begin}**{name}** {beyond} on **{days}** of {} {time}.",
                        count(sessions, "day with a value", "days with a value")
                    ));
                    begin = "";
                }
            }
        }
        let told = found.and_then(|found| Some((found.text("date")?, found.number("close")?)));
        let Some((on, close)) = told else {
            sheet.lead(format!("{begin}**{name}** never {beyond} {time}."));
            if let Some(utmost) = result.number("utmost/price") {
                let word = if crossing.is_above {
                    "highest"
                } else {
                    "lowest"
                };
                sheet.lead(format!(
                    "The {word} close over that period was **{}**{unit}, on {}.",
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
            "{begin}**{name}** {which} {beyond} on **{}**, at **{}**{unit}.",
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
