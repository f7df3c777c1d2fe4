//! Steps for all values that a series had over a period, to find the highest, the lowest or the mean.

use model::Day;
use query::{LookUp, Series};
use serde_json::json;
use verify::figures::KnownSeries;

use super::Draft;
use super::history::LEAD_IN;
use super::markets::{COMMODITIES, INDICATORS};
use super::sums::{Leg, route};

/// A day before any value on record.
const BEFORE_ANY: &str = "1900-01-01";
/// Days in the year up to now.
const YEAR: i32 = 365;
/// How many days one answer for an indicator covers with the most values it can have: for daily values, and for others.
const DAILY_WINDOW: i32 = 690;
const WINDOW: i32 = 40 * 366;
/// The results for an indicator: for the newest part of the period, and for the parts before it.
const KEYS: [&str; 3] = ["economy", "economy_earlier", "economy_earliest"];

impl Draft<'_> {
    /// Whether the values of a period are wanted rather than the newest one.
    pub(super) fn wants_values(&self) -> bool {
        let when = &self.reading.when;
        let is_one_day = when.from.is_some() && when.from == when.to;
        let is_level = matches!(self.reading.look_up, Some(LookUp::Crossing(_)));
        let is_of_values = is_level || !self.reading.statistics.is_empty() && !is_one_day;
        is_of_values && !when.is_ahead
    }

    /// The values of a series over the period of the question, or all on record; returns whether they are available.
    pub(super) fn values(&mut self, series: Series) -> bool {
        if !self.wants_values() {
            return false;
        }
        // Values published later count, too; the period itself says which values are meant.
        let usual = self.plan.as_of.take();
        let is_had = match series {
            Series::Pair(base, quote) => self.values_of_pair(base, quote),
            Series::Known(code) => self.values_of(code, series),
        };
        self.plan.as_of = usual;
        is_had
    }

    /// First and last day of the values; the value from which the first change counts is before the first session.
    fn span_of_sessions(&self) -> (Option<Day>, Option<Day>) {
        let (from, to) = self.span();
        let mut statistics = self.reading.statistics.iter();
        if statistics.any(|statistic| statistic.is_of_sessions()) {
            (from.map(|from| from.plus(-LEAD_IN)), to)
        } else {
            (from, to)
        }
    }

    /// First and last day of the values.
    fn span(&self) -> (Option<Day>, Option<Day>) {
        let when = &self.reading.when;
        let is_of_year = when.is_unsaid() && self.reading.is_of_last_year;
        let from = when
            .from
            .or_else(|| is_of_year.then(|| self.today.plus(-YEAR)));
        (from, when.past_end(self.today))
    }

    fn values_of_pair(&mut self, base: &str, quote: &str) -> bool {
        // For a conversion through a third currency there are no values of its own.
        let legs = route(base, quote).unwrap_or_default();
        let [Leg { pair, .. }] = legs[..] else {
            return false;
        };
        let (from, to) = self.span_of_sessions();
        let from = from.map_or_else(|| BEFORE_ANY.to_owned(), |from| from.to_string());
        let to = to.map(|to| to.to_string());
        let arguments = json!({"pair": pair, "from": from, "to": to});
        let (operation, path) = ("show_currency_pair", "forex/{pair}");
        self.add("forex", Some(pair), operation, path, arguments, true);
        true
    }

    fn values_of(&mut self, code: &'static str, series: Series) -> bool {
        let (from, to) = self.span_of_sessions();
        let first = from.map_or_else(|| BEFORE_ANY.to_owned(), |from| from.to_string());
        let last = to.map(|to| to.to_string());
        if let Some((_, slug)) = INDICATORS.iter().find(|(known, _)| *known == code) {
            self.values_of_indicator(slug, WINDOW);
            true
        } else if COMMODITIES.contains(&code) {
            let arguments = json!({"symbol": code, "from": first, "to": last});
            let (operation, path) = ("show_commodity", "commodities/{symbol}");
            self.add("commodities", Some(code), operation, path, arguments, true);
            true
        } else if let Some(slug) = super::yields::indicator(&self.reading.question, series) {
            self.values_of_indicator(slug, DAILY_WINDOW);
            true
        } else if let Some(symbol) = index(code) {
            let arguments = json!({"symbol": symbol, "from": first, "to": last});
            let path = "ticker/{symbol}/candles";
            self.add(
                "levels",
                Some(symbol),
                "list_candles",
                path,
                arguments,
                true,
            );
            if to.is_none() {
                let (operation, path) = ("show_market_summary", "market/summary");
                self.add("market", None, operation, path, json!({}), false);
            }
            true
        } else {
            false
        }
    }

    /// The values of an indicator, in parts that each fit into one answer, newest first.
    fn values_of_indicator(&mut self, slug: &'static str, window: i32) {
        let (from, to) = self.span();
        let mut last = to.unwrap_or(self.today);
        for (place, key) in KEYS.into_iter().enumerate() {
            let begin = last.plus(-window);
            // Without a period, two parts reach back further than any monthly value on record.
            let first = from.map_or(begin, |from| from.max(begin));
            let until = (place > 0 || to.is_some()).then(|| last.to_string());
            let arguments = json!({
                "indicator": slug,
                "limit": 500,
                "from": first.to_string(),
                "to": until,
            });
            let (operation, path) = ("show_economic_indicator", "economy/{indicator}");
            self.add(key, Some(slug), operation, path, arguments, place == 0);
            if from.is_some_and(|from| from >= first) {
                return;
            }
            last = first.plus(-1);
            if from.is_none() && window == WINDOW && place == 1 {
                return;
            }
        }
        let begin = crate::figures::day(&last.plus(1).to_string());
        self.note(format!("values before {begin} were not compared"));
        self.plan.is_partial = true;
    }
}

/// The symbol of an index.
fn index(code: &str) -> Option<&'static str> {
    let mut ids = KnownSeries::find(code)?.ids.iter();
    ids.find_map(|id| id.strip_prefix("index:"))
}
