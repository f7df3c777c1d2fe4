//! Steps for two prices of which one figure is wanted: their ratio, or how far apart they are.

use query::Series;
use serde_json::{Value, json};
use verify::figures::KnownSeries;

use super::Draft;
use super::markets::COMMODITIES;

/// How many days before the day that is asked about to search for a day with both prices.
const NEAR: i32 = 10;

impl Draft<'_> {
    /// Steps for the prices of both; returns whether they are available. For a commodity those of futures are read in
    /// addition to the newest ones: if the other price is quoted daily, a monthly mean is not compared with it.
    pub(super) fn between(&mut self) -> bool {
        let Some(between) = self.reading.between else {
            return false;
        };
        let steps: Option<Vec<_>> = between.of.iter().map(|one| self.prices_of(*one)).collect();
        let Some(steps) = steps else {
            return false;
        };
        for (code, operation, path, arguments) in steps {
            if operation == "show_commodity" {
                let mut of_futures = arguments.clone();
                of_futures["traded"] = json!("futures");
                let key = "between_futures";
                self.add(key, Some(code), operation, path, of_futures, false);
            }
            self.add("between", Some(code), operation, path, arguments, true);
        }
        true
    }

    fn prices_of(
        &self,
        series: Series,
    ) -> Option<(&'static str, &'static str, &'static str, Value)> {
        let Series::Known(code) = series else {
            return None;
        };
        let (operation, path, symbol) = if COMMODITIES.contains(&code) {
            ("show_commodity", "commodities/{symbol}", code)
        } else {
            let mut ids = KnownSeries::find(code)?.ids.iter();
            let symbol = ids.find_map(|id| id.strip_prefix("index:"))?;
            ("list_candles", "ticker/{symbol}/candles", symbol)
        };
        let when = &self.reading.when;
        let to = when.past_end(self.today);
        let arguments = match (when.from.filter(|_| !when.is_ahead), to) {
            (Some(from), to) => {
                let from = from.plus(-NEAR).to_string();
                json!({"symbol": symbol, "from": from, "to": to.map(|to| to.to_string())})
            }
            (None, _) if !self.reading.statistics.is_empty() => {
                json!({"symbol": symbol, "from": "1900-01-01"})
            }
            (None, _) => json!({"symbol": symbol, "range": "1mo"}),
        };
        Some((code, operation, path, arguments))
    }
}
