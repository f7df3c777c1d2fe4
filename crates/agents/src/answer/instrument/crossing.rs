//! What is looked up in the history of a price: the day on which it crossed a level, and its mean over a period.

use query::{Crossing, LookUp, Wanted};

use super::Writer;
use crate::answer::Sheet;
use crate::figures::{change, count, day, grouped, money};
use crate::view::View;

impl Writer<'_> {
    /// The day on which the price crossed the level that is asked about; if it never did, the day since which that is
    /// known.
    pub(super) fn crossing(&self, crossing: &Crossing, sheet: &mut Sheet) {
        let Some(candles) = self.get("candles") else {
            // That they were not available is reported with what is missing.
            return;
        };
        let Some(result) = self.get("crossing") else {
            sheet.lead(format!(
                "No price of **{}** from the requested period is on record.",
                self.name()
            ));
            return;
        };
        let found = result.at("day");
        let has_splits = result.whole("splits").is_some_and(|splits| splits > 0);
        let traded = result.at("as_traded");
        // If both scales have the same day and price, there is a single answer.
        let is_same = found.zip(traded).is_some_and(|(found, traded)| {
            let price = traded.number("price").unwrap_or_default();
            let adjusted = traded.number("split_adjusted").unwrap_or_default();
            found.text("date") == traded.text("date") && (price - adjusted).abs() < f64::EPSILON
        });
        let is_adjusted = has_splits && !is_same;
        if crossing.wanted == Wanted::Count {
            self.counted(crossing, result, is_adjusted, sheet);
        }
        if let (None, Some(traded)) = (found, traded) {
            self.crossed_as_traded(crossing, traded, sheet);
        }
        match found {
            Some(found) => self.crossed(crossing, found, result, is_adjusted, sheet),
            None => self.never_crossed(crossing, result, is_adjusted, sheet),
        }
        if let (true, Some(_), Some(traded)) = (is_adjusted, found, traded) {
            self.crossed_as_traded(crossing, traded, sheet);
        }
        if let Some(code) = crossing.currency.filter(|code| *code != self.currency()) {
            sheet.unknown(format!(
                "Prices of {} are in {}; the level is compared as one of that currency and not of {code}.",
                self.name(),
                self.currency()
            ));
        }
        if is_adjusted && !result.flag("is_known_as_traded") {
            sheet.unknown(format!(
                "Prices of {} are adjusted for a split whose day is not known exactly; at which price it traded before is not known.",
                self.name()
            ));
        }
        let of_closes = |one: &View<'_>| one.flag("closes_only");
        if crossing.is_within_day && candles.list("candles").iter().any(of_closes) {
            sheet.unknown(format!(
                "Only closes of {} are on record; prices within the day are not known.",
                self.name()
            ));
        }
    }

    /// On how many days it was beyond the level.
    fn counted(&self, crossing: &Crossing, result: View<'_>, is_adjusted: bool, sheet: &mut Sheet) {
        let (Some(days), Some(sessions)) = (result.whole("days"), result.whole("sessions")) else {
            return;
        };
        let date = |field: &str| result.text(field).map(day).unwrap_or_default();
        let told = told(crossing, self.currency());
        sheet.lead(format!(
            "{}**{}** {told} on **{days}** of {} from {} to {}.",
            scale(is_adjusted),
            self.name(),
            count(sessions, "session", "sessions"),
            date("held_from"),
            date("held_to")
        ));
    }

    /// The day in prices as actually paid, before later splits.
    fn crossed_as_traded(&self, crossing: &Crossing, traded: View<'_>, sheet: &mut Sheet) {
        let (Some(date), Some(price), Some(adjusted)) = (
            traded.text("date"),
            traded.number("price"),
            traded.number("split_adjusted"),
        ) else {
            return;
        };
        let currency = self.currency();
        let (which, told) = (which(crossing), told(crossing, currency));
        let is_split = (price - adjusted).abs() >= f64::EPSILON;
        let adjusted = format!(", {} adjusted for splits since", money(adjusted, currency));
        sheet.lead(format!(
            "In prices as they were traded, **{}** {which} {told} on **{}**, at **{}**{}.",
            self.name(),
            day(date),
            money(price, currency),
            if is_split { &adjusted } else { "" }
        ));
    }

    fn crossed(
        &self,
        crossing: &Crossing,
        found: View<'_>,
        result: View<'_>,
        is_adjusted: bool,
        sheet: &mut Sheet,
    ) {
        let (Some(date), Some(close), Some(price)) = (
            found.text("date"),
            found.number("close"),
            found.number("price"),
        ) else {
            return;
        };
        let currency = self.currency();
        let (which, told) = (which(crossing), told(crossing, currency));
        let close = money(close, currency);
        let scale = scale(is_adjusted);
        sheet.lead(if crossing.is_within_day {
            let limit = if crossing.is_above { "high" } else { "low" };
            format!(
                "{scale}**{}** {which} {told} on **{}**: the {limit} of that session was **{}**, its close {close}.",
                self.name(),
                day(date),
                money(price, currency)
            )
        } else {
            format!(
                "{scale}**{}** {which} {told} on **{}**, at **{close}**.",
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
        if let (false, 2.., Some(since)) = (
            crossing.wanted == Wanted::First,
            sessions,
            found.text("since"),
        ) {
            sheet.lead(format!(
                "It was the last of {} in a row, the first of them on {}.",
                count(sessions, "such session", "such sessions"),
                day(since)
            ));
        }
        if let Some(from) = result
            .text("held_from")
            .filter(|_| crossing.wanted == Wanted::First)
        {
            sheet.lead(format!(
                "The candles that were looked through begin on {}.",
                day(from)
            ));
        }
    }

    fn never_crossed(
        &self,
        crossing: &Crossing,
        result: View<'_>,
        is_adjusted: bool,
        sheet: &mut Sheet,
    ) {
        let currency = self.currency();
        let told = told(crossing, currency);
        let date = |field: &str| result.text(field).map(day).unwrap_or_default();
        let candles = if is_adjusted {
            "split-adjusted candles"
        } else {
            "candles"
        };
        sheet.lead(format!(
            "In the {candles} on record, from {} to {}, **{}** never {told}.",
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
                "Its {word} {of} in that time was **{}**, on {}.",
                money(price, currency),
                date("utmost/date")
            ));
        }
        if let Some(close) = result.number("last_close") {
            sheet.lead(format!("The newest close is {}.", money(close, currency)));
        }
    }

    /// The mean volume per session in the period that is asked about.
    pub(super) fn mean_volume(&self, performance: View<'_>, sheet: &mut Sheet) {
        if self.page.reading.look_up != Some(LookUp::MeanVolume) {
            return;
        }
        let mean = performance.at("mean_volume");
        let told = mean.and_then(|mean| {
            Some(format!(
                "The mean volume of a session of **{}** was **{}**, over {} from {} to {}.",
                self.name(),
                grouped(mean.text("volume")?),
                count(mean.whole("sessions")?, "session", "sessions"),
                day(mean.text("from")?),
                day(mean.text("to")?)
            ))
        });
        sheet.lead(told.unwrap_or_else(|| {
            format!(
                "No volumes of **{}** are on record for that time.",
                self.name()
            )
        }));
    }

    /// The mean close over the period that is asked about.
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

/// Which of the days is reported.
fn which(crossing: &Crossing) -> &'static str {
    if crossing.wanted == Wanted::First {
        "first"
    } else {
        "last"
    }
}

/// What a price did at a level: `closed above $150.00`.
fn told(crossing: &Crossing, currency: &str) -> String {
    let level = money(crossing.level, currency);
    let side = if crossing.is_above { "above" } else { "below" };
    if crossing.is_within_day {
        format!("traded at {level} or {side}")
    } else {
        format!("closed {side} {level}")
    }
}

/// The beginning of a sentence about split-adjusted prices.
fn scale(is_adjusted: bool) -> &'static str {
    if is_adjusted {
        "In split-adjusted prices, "
    } else {
        ""
    }
}
