//! Steps for price history: for a chart, for a period, for every candle.

use query::{Kind, Reach};
use serde_json::json;

use super::Draft;

/// How many days before a period to search for the close that its change counts from.
pub(super) const LEAD_IN: i32 = 7;

impl Draft<'_> {
    /// The prices of a chart.
    pub(super) fn chart(&mut self) {
        let instruments = self.reading.instruments.clone();
        let is_one = instruments.len() == 1;
        let days = self.days(30, 183, 40_000);
        for instrument in instruments.iter().take(crate::chart::MOST_DRAWN) {
            let symbol = instrument.symbol.as_str();
            let subject = (!is_one).then_some(symbol);
            // Prices that the question asks for anyway are used for the chart.
            let is_there = self.plan.steps.iter().any(|step| {
                matches!(step.key, "candles" | "chart") && step.subject.as_deref() == subject
            });
            if !is_there {
                self.history(symbol, subject, instrument.kind, days, false);
            }
        }
    }

    /// Closes of the given number of days up to the end of the question's time.
    pub(super) fn history(
        &mut self,
        symbol: &str,
        subject: Option<&str>,
        kind: Kind,
        days: i32,
        is_needed: bool,
    ) {
        // A chart of a coin reaches back a year; candles for it, and ranges of five years, reach no further than they
        // do.
        let is_long = days > if kind == Kind::Coin { 365 } else { 1_833 };
        if is_long && let Some(from) = self.reading.when.from {
            let from = from.plus(-LEAD_IN).to_string();
            let arguments = json!({"symbol": candles_of(symbol, kind), "from": from});
            let path = "ticker/{symbol}/candles";
            let key = "candles";
            self.add(key, subject, "list_candles", path, arguments, is_needed);
        } else if kind == Kind::Coin {
            let arguments = json!({"symbol": symbol, "days": chart_days(days)});
            let operation = "list_coin_prices";
            let path = "crypto/{symbol}/chart";
            self.add("chart", subject, operation, path, arguments, is_needed);
        } else {
            let arguments = json!({"symbol": symbol, "range": range(days)});
            let path = "ticker/{symbol}/candles";
            self.add(
                "candles",
                subject,
                "list_candles",
                path,
                arguments,
                is_needed,
            );
        }
    }

    /// The candles of the period that is asked about, otherwise every one on record: a level may have been crossed at
    /// any of them.
    pub(super) fn every_candle(&mut self, symbol: &str, subject: Option<&str>, kind: Kind) {
        const BEFORE_ANY: &str = "1900-01-01";
        let when = &self.reading.when;
        let is_of_time = !when.is_ahead && self.reading.reach != Reach::Held;
        let from = when.from.filter(|_| is_of_time);
        let from = from.map_or_else(|| BEFORE_ANY.to_owned(), |from| from.to_string());
        let arguments = json!({"symbol": candles_of(symbol, kind), "from": from});
        let path = "ticker/{symbol}/candles";
        self.add("candles", subject, "list_candles", path, arguments, true);
    }
}

/// The symbol under which the candles of an instrument are listed.
fn candles_of(symbol: &str, kind: Kind) -> String {
    match kind {
        Kind::Coin => format!("CRYPTO:{symbol}"),
        _ => symbol.to_owned(),
    }
}

/// The smallest range of candles that covers the given number of days.
fn range(days: i32) -> &'static str {
    match days {
        ..=31 => "1mo",
        32..=92 => "3mo",
        93..=184 => "6mo",
        185..=366 => "1y",
        367..=731 => "2y",
        _ => "5y",
    }
}

/// The shortest chart of a coin that covers the given number of days.
fn chart_days(days: i32) -> u32 {
    [7, 14, 30, 90, 180]
        .into_iter()
        .find(|covered| i32::try_from(*covered).is_ok_and(|covered| covered >= days))
        .unwrap_or(365)
}
