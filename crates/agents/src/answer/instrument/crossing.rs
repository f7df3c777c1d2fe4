//! What is looked up in the history of a price: the day on which it crossed a level, and its mean over a time.

use query::{Crossing, LookUp};

use super::Writer;
use crate::answer::Sheet;
use crate::figures::{change, count, day, money};
use crate::view::View;

impl Writer<'_> {
    /// The day on which the price crossed the level that is asked about; where it never did, since when that is known.
    pub(super) fn crossing(&self, crossing: &Crossing, sheet: &mut Sheet) {
        let Some(candles) = self.get("candles") else {
            // That they could not be had is said with what is missing.
            return;
        };
        let Some(result) = self.get("crossing") else {
            sheet.lead(format!(
                "No price of **{}** of the time that is asked about is on record.",
                self.name()
            ));
            return;
        };
        match result.at("day") {
            Some(found) => self.crossed(crossing, found, result, sheet),
            None => self.never_crossed(crossing, result, sheet),
        }
        if let Some(code) = crossing.currency.filter(|code| *code != self.currency()) {
            sheet.unknown(format!(
                "Prices of {} are in {}; the level is compared as one of that currency and not of {code}.",
                self.name(),
                self.currency()
            ));
        }
        if candles.text("adjust") == Some("splits") {
            sheet.unknown(format!(
                "Prices of {} are adjusted for later splits; what was paid before one was another price.",
                self.name()
            ));
        }
        let of_closes = |one: &View<'_>| one.flag("closes_only");
        if crossing.is_within_day && candles.list("candles").iter().any(of_closes) {
            sheet.unknown(format!(
                "Of {} only closes are held; prices within the day are not known.",
                self.name()
            ));
        }
    }

    fn crossed(&self, crossing: &Crossing, found: View<'_>, result: View<'_>, sheet: &mut Sheet) {
        let (Some(date), Some(close), Some(price)) = (
            found.text("date"),
            found.number("close"),
            found.number("price"),
        ) else {
            return;
        };
        let currency = self.currency();
        let which = if crossing.is_first { "first" } else { "last" };
        let side = if crossing.is_above { "above" } else { "below" };
        let level = money(crossing.level, currency);
        let close = money(close, currency);
        sheet.lead(if crossing.is_within_day {
            let limit = if crossing.is_above { "high" } else { "low" };
            format!(
                "**{}** {which} traded at {level} or {side} on **{}**: the {limit} of that session was **{}**, its close {close}.",
                self.name(),
                day(date),
                money(price, currency)
            )
        } else {
            format!(
                "**{}** {which} closed {side} {level} on **{}**, at **{close}**.",
                self.name(),
                day(date)
            )
        });
        if let Some(next) = found.at("next_session")
            && let (Some(date), Some(close), Some(moved)) = (
                next.text("date"),
                next.number("close"),
                next.number("change_pct"),
            )
        {
            sheet.lead(format!(
                "In the next session, on {}, it closed at {}, {}.",
                day(date),
                money(close, currency),
                change(moved)
            ));
        } else {
            sheet.lead("That is the newest session on record.");
        }
        let sessions = found.whole("sessions").unwrap_or_default();
        if let (false, 2.., Some(since)) = (crossing.is_first, sessions, found.text("since")) {
            sheet.lead(format!(
                "It was the last of {} in a row, the first of them on {}.",
                count(sessions, "such session", "such sessions"),
                day(since)
            ));
        }
        if let Some(from) = result.text("held_from").filter(|_| crossing.is_first) {
            sheet.lead(format!(
                "The candles that were looked through begin on {}.",
                day(from)
            ));
        }
    }

    fn never_crossed(&self, crossing: &Crossing, result: View<'_>, sheet: &mut Sheet) {
        let currency = self.currency();
        let level = money(crossing.level, currency);
        let side = if crossing.is_above { "above" } else { "below" };
        let date = |field: &str| result.text(field).map(day).unwrap_or_default();
        let told = if crossing.is_within_day {
            format!("traded at {level} or {side}")
        } else {
            format!("closed {side} {level}")
        };
        sheet.lead(format!(
            "In the candles on record, from {} to {}, **{}** never {told}.",
            date("held_from"),
            date("held_to"),
            self.name()
        ));
        if let Some(price) = result.number("utmost/price") {
            let word = if crossing.is_above {
                "highest"
            } else {
                "lowest"
            };
            let of = if crossing.is_within_day {
                "price"
            } else {
                "close"
            };
            sheet.lead(format!(
                "The {word} {of} of that time was **{}**, on {}.",
                money(price, currency),
                date("utmost/date")
            ));
        }
        if let Some(close) = result.number("last_close") {
            sheet.lead(format!("The newest close is {}.", money(close, currency)));
        }
    }

    /// The mean close of the time that is asked about.
    pub(super) fn mean(&self, performance: View<'_>, sheet: &mut Sheet) {
        if self.page.reading.look_up != Some(LookUp::Mean) {
            return;
        }
        let mean = performance.at("mean");
        if let Some(mean) = mean
            && let (Some(close), Some(sessions), Some(from), Some(to)) = (
                mean.number("close"),
                mean.whole("sessions"),
                mean.text("from"),
                mean.text("to"),
            )
        {
            sheet.lead(format!(
                "The mean close of **{}** was **{}**, over {} from {} to {}.",
                self.name(),
                money(close, self.currency()),
                count(sessions, "session", "sessions"),
                day(from),
                day(to)
            ));
        }
    }
}
