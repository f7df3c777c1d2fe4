//! What a question asks about a price besides its change: how volatile it was, its best and worst session, its highest
//! and lowest price.

use query::Reach;

use super::Writer;
use crate::answer::Sheet;
use crate::figures::{change, day, money, percent};
use crate::view::View;

/// What may be asked about a stretch of prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extreme {
    Volatility,
    BestSession,
    WorstSession,
    Highest,
    Lowest,
    BelowHigh,
    AboveLow,
}

/// What a question asks, in the order in which it is answered.
fn asked(question: &str) -> Vec<Extreme> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|one: char| !one.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let says = |stems: &[&str]| {
        let begins = |word: &&str| stems.iter().any(|stem| word.starts_with(stem));
        words.iter().any(begins)
    };
    // `the best day`, `its biggest one-day loss`: together with a day, not the best of several shares.
    let of_a_day = says(&["day", "session"]);
    let falls = says(&["drop", "fall", "loss", "decline", "plunge", "selloff"]);
    let is_largest = says(&["biggest", "largest", "steepest", "sharpest"]);
    let largest = is_largest && (of_a_day || is_single_move(&words));
    // `how far below its 52-week high`, `off its high`, `above the year's low`.
    let is_far =
        says(&["below", "under", "off", "from", "above", "far", "near"]) || is_near_by(&words);
    // `the 52-week high`, `all-time high`.
    let of_range = says(&[
        "52", "fifty", "week", "year", "all", "ath", "record", "ever", "lifetime", "clos",
    ]);
    let exactly = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let rises = says(&["gain", "rise", "jump", "rally"]);
    [
        (
            Extreme::Volatility,
            says(&["volatil", "swing", "deviation"]),
        ),
        (
            Extreme::BestSession,
            of_a_day && says(&["best"]) || largest && !falls,
        ),
        (
            Extreme::WorstSession,
            of_a_day && says(&["worst"]) || largest && !rises,
        ),
        (
            Extreme::Highest,
            says(&["highest", "peak"]) || of_range && !is_far && exactly(&["high", "highs", "ath"]),
        ),
        (
            Extreme::Lowest,
            says(&["lowest", "bottom"]) || of_range && !is_far && exactly(&["low", "lows"]),
        ),
        (
            Extreme::BelowHigh,
            is_far && exactly(&["high", "highs", "ath", "peak"]),
        ),
        (Extreme::AboveLow, is_far && exactly(&["low", "lows"])),
    ]
    .into_iter()
    .filter_map(|(extreme, is_asked)| is_asked.then_some(extreme))
    .collect()
}

/// `its biggest drop`: one move, not those of several shares, and not the fall from a peak.
fn is_single_move(words: &[&str]) -> bool {
    const MOVES: [&str; 12] = [
        "drop", "fall", "loss", "decline", "plunge", "selloff", "gain", "rise", "jump", "rally",
        "increase", "move",
    ];
    const OF_MORE: [&str; 9] = [
        "which", "who", "stocks", "shares", "peak", "top", "high", "highs", "drawdown",
    ];
    words.iter().any(|word| MOVES.contains(word))
        && !words.iter().any(|word| OF_MORE.contains(word))
}

/// `how close is it to its high`: near, and not the close of a session.
fn is_near_by(words: &[&str]) -> bool {
    let pairs = words.windows(2);
    let mut pairs = pairs.map(|pair| (pair[0], pair[1]));
    pairs.any(|pair| matches!(pair, ("how", "close") | ("close", "to")))
}

/// Whether closes are meant rather than intraday prices: `its highest close`.
fn is_of_closes(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|one: char| !one.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let says = |word: &&str| matches!(*word, "close" | "closed" | "closes" | "closing");
    words.iter().any(says) && !is_near_by(&words)
}

impl Writer<'_> {
    /// Answers what is asked about the stretch; writes nothing if only its change is asked for.
    pub(super) fn extremes(&self, performance: View<'_>, sheet: &mut Sheet) {
        for extreme in asked(&self.page.reading.question) {
            match extreme {
                Extreme::Volatility => self.volatility(performance, sheet),
                Extreme::BestSession => self.session(performance, "best", sheet),
                Extreme::WorstSession => self.session(performance, "worst", sheet),
                Extreme::Highest => self.limit(performance, ("high", "highest"), sheet),
                Extreme::Lowest => self.limit(performance, ("low", "lowest"), sheet),
                Extreme::BelowHigh => {
                    self.distance(performance, ("high", "below", "highest"), sheet);
                }
                Extreme::AboveLow => self.distance(performance, ("low", "above", "lowest"), sheet),
            }
        }
    }

    fn volatility(&self, performance: View<'_>, sheet: &mut Sheet) {
        let name = self.name();
        let daily = performance.number("daily_deviation_pct");
        match daily.zip(performance.number("volatility_pct")) {
            Some((daily, yearly)) => sheet.lead(format!(
                "Daily changes of **{name}** have a standard deviation of {}, which is a volatility of **{}** a year.",
                percent(daily),
                percent(yearly)
            )),
            None => sheet.unknown(format!(
                "Volatility of {name}: the period has fewer than twenty sessions."
            )),
        }
    }

    fn session(&self, performance: View<'_>, word: &str, sheet: &mut Sheet) {
        self.sessions(performance, word, sheet);
        let found = performance.at(&format!("{word}_session"));
        let date = found.and_then(|found| found.text("date"));
        let moved = found.and_then(|found| found.number("change_pct"));
        if let Some((date, moved)) = date.zip(moved) {
            sheet.lead(format!(
                "The {word} session of **{}** was {}: **{}** from close to close.",
                self.name(),
                day(date),
                change(moved)
            ));
        }
    }

    /// The first few of the best or worst sessions, if the question says how many: `the 5 worst days`.
    fn sessions(&self, performance: View<'_>, word: &str, sheet: &mut Sheet) {
        let Some(count) = self.page.reading.at_most.filter(|count| *count > 1) else {
            return;
        };
        let rows: Vec<String> = performance
            .list(&format!("{word}_sessions"))
            .iter()
            .take(count)
            .filter_map(|one| {
                let (date, moved) = (one.text("date")?, one.number("change_pct")?);
                Some(format!("| {} | {} |", day(date), change(moved)))
            })
            .collect();
        if rows.len() > 1 {
            sheet.blocks.push(format!(
                "| {} sessions of {} | Change |\n|---|---:|\n{}",
                crate::figures::sentence(word).trim_end_matches('.'),
                self.symbol,
                rows.join("\n")
            ));
        }
    }

    /// The name of a highest or lowest price or close in the results, and in words.
    fn limit_names(&self, field: &str) -> (String, &'static str) {
        if is_of_closes(&self.page.reading.question) {
            (format!("{field}_close"), "close")
        } else {
            (field.to_owned(), "price")
        }
    }

    /// How far the last close is from the high or low of the period.
    fn distance(
        &self,
        performance: View<'_>,
        (field, side, word): (&str, &str, &str),
        sheet: &mut Sheet,
    ) {
        let (field, what) = self.limit_names(field);
        let far = performance.number(&format!("{side}_{field}_pct"));
        let date = performance.text(&format!("{field}_date"));
        let limit = performance.number(&field);
        if let (Some(far), Some(date), Some(limit)) = (far, date, limit) {
            sheet.lead(format!(
                "**{}** closed **{}** {side} its {word} {what} {}, {} on {}.",
                self.name(),
                percent(far),
                self.of_time(performance),
                money(limit, self.currency()),
                day(date)
            ));
        }
    }

    fn limit(&self, performance: View<'_>, (field, word): (&str, &str), sheet: &mut Sheet) {
        let (field, what) = self.limit_names(field);
        let date = performance.text(&format!("{field}_date"));
        if let Some((price, date)) = performance.number(&field).zip(date) {
            sheet.lead(format!(
                "The {word} {what} of **{}** {} was **{}**, on {}.",
                self.name(),
                self.of_time(performance),
                money(price, self.currency()),
                day(date)
            ));
            self.whether_reached(performance, (what, word), price, date, sheet);
        }
    }

    /// `did it hit a 52-week high today`: whether the newest session did.
    fn whether_reached(
        &self,
        performance: View<'_>,
        (what, word): (&str, &str),
        limit: f64,
        limit_date: &str,
        sheet: &mut Sheet,
    ) {
        let reading = &self.page.reading;
        let question = reading.question.to_lowercase();
        let asks = ["did ", "is ", "has ", "was "]
            .iter()
            .any(|verb| question.starts_with(verb));
        let when = &reading.when;
        let is_of_now = when.is_unsaid() || when.from.is_some() && when.from == when.to;
        // The high of a single day is its own.
        let is_of_range = when.is_unsaid() || reading.reach != Reach::Named;
        let session = performance.at("last_session").filter(|_| is_of_range);
        let reached = session.and_then(|session| {
            let field = match (what, word) {
                ("close", _) => "close",
                (_, "lowest") => "low",
                _ => "high",
            };
            Some((session.text("date")?, session.number(field)?))
        });
        let Some((date, reached)) = reached.filter(|_| asks && is_of_now && limit > 0.0) else {
            return;
        };
        let line = if date == limit_date {
            format!("**Yes**: that was the session of {}.", day(date))
        } else {
            format!(
                "The session of {} did **not** reach it: {}, {} away.",
                day(date),
                money(reached, self.currency()),
                percent(((reached / limit - 1.0) * 100.0).abs())
            )
        };
        sheet.lead(line);
    }

    /// The period to which a highest or lowest price applies: for the whole history on record, no more than that.
    fn of_time(&self, performance: View<'_>) -> String {
        let date = |field: &str| performance.text(field).map(day).unwrap_or_default();
        let (from, to) = (date("limits_from"), date("to"));
        if self.page.reading.reach == Reach::Held {
            format!("in the candles held from {from} to {to}")
        } else {
            format!("from {from} to {to}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Extreme::{
        AboveLow, BelowHigh, BestSession, Highest, Lowest, Volatility, WorstSession,
    };
    use super::*;

    #[test]
    fn what_is_asked_of_a_price() {
        for (question, expected) in [
            ("how did NVDA do in 2021", &[][..]),
            ("is Tesla a volatile stock", &[Volatility]),
            ("worst trading day for Ford in 2020", &[WorstSession]),
            ("largest one-day gain of AMD", &[BestSession]),
            (
                "biggest single day move of AMD",
                &[BestSession, WorstSession],
            ),
            ("what was Tesla's biggest drop in 2022", &[WorstSession]),
            ("sharpest rally of AMD this year", &[BestSession]),
            ("which of them had the biggest drop", &[]),
            ("biggest decline from its peak", &[Highest, BelowHigh]),
            ("the highest NFLX ever traded in 2021", &[Highest]),
            ("how far is Nike below its 52-week high", &[BelowHigh]),
            ("how far above the year's low is it", &[AboveLow]),
            ("52 week high of Meta", &[Highest]),
            ("is AMZN near its all time high", &[BelowHigh]),
            ("what is the 52-week low of Ford", &[Lowest]),
            ("record high of KO", &[Highest]),
            ("closing high of AAPL in 2026", &[Highest]),
            ("how close is AMZN to its 52 week high", &[BelowHigh]),
        ] {
            assert_eq!(asked(question), expected, "{question}");
        }
    }

    #[test]
    fn closes_are_meant_where_they_are_said() {
        for (question, expected) in [
            ("highest close of AAPL in 2026", true),
            ("when did AAPL close at its highest", true),
            ("closing high of Ford this year", true),
            ("how close is AMZN to its 52-week high", false),
            ("is it close to its high", false),
            ("highest price of AAPL in 2026", false),
        ] {
            assert_eq!(is_of_closes(question), expected, "{question}");
        }
    }
}
