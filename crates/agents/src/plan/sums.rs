//! Steps that value a position or convert a sum.

use model::Day;
use query::{Kind, Position, Reading, Size};
use serde_json::json;

use super::Draft;

/// Pairs whose rates are available.
pub(crate) const PAIRS: [&str; 7] = [
    "EURUSD", "GBPUSD", "USDJPY", "AUDUSD", "USDCAD", "USDCHF", "NZDUSD",
];
/// The currency through which two others are converted.
const ROUTE: &str = "USD";

/// How many days on either side of a purchase to search for a close, if there is none on the day.
const NEAR: i32 = 7;

/// One exchange rate on the way from one currency to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leg {
    /// The pair, such as `EURUSD`.
    pub(crate) pair: &'static str,
    /// Whether it leads from its second currency to its first.
    pub(crate) is_inverse: bool,
}

/// The rates that lead from one currency to another: their direct rate, or one on either side of the dollar. `None` if
/// one of them is not available.
pub(crate) fn route(from: &str, to: &str) -> Option<Vec<Leg>> {
    if let Some(leg) = leg(from, to) {
        return Some(vec![leg]);
    }
    if from == ROUTE || to == ROUTE {
        return None;
    }
    Some(vec![leg(from, ROUTE)?, leg(ROUTE, to)?])
}

fn leg(from: &str, to: &str) -> Option<Leg> {
    PAIRS.into_iter().find_map(|pair| {
        let (base, quote) = pair.split_at(3);
        let is_direct = base == from && quote == to;
        let is_inverse = base == to && quote == from;
        (is_direct || is_inverse).then_some(Leg { pair, is_inverse })
    })
}

/// The currency in which positions are shown besides their own: the one that the question names, or the dollar if they
/// have several; `None` if each stays in its own.
pub(crate) fn shown_in(reading: &Reading) -> Option<&'static str> {
    let held = |symbol| {
        let mut instruments = reading.instruments.iter();
        instruments
            .find(|one| &one.symbol == symbol)
            .map(|one| one.currency.as_str())
    };
    let mut currencies = reading.positions.iter().filter_map(|one| held(&one.symbol));
    let first = currencies.next()?;
    reading
        .currency
        .or_else(|| currencies.any(|other| other != first).then_some(ROUTE))
}

/// The key of the closes for the time at which a position ends.
pub(crate) fn closes_of_end(position: &Position) -> &'static str {
    if position.sold.is_some() {
        "sold"
    } else {
        "valued"
    }
}

impl Draft<'_> {
    /// The rates on the way from one currency to the other; returns whether there is a way.
    pub(super) fn rates(&mut self, from: &str, to: &str) -> bool {
        if from == to {
            return true;
        }
        let Some(legs) = route(from, to) else {
            return false;
        };
        for Leg { pair, .. } in legs {
            for (key, is_before) in [("forex", false), ("forex_before", true)] {
                let arguments = json!({"pair": pair});
                let operation = "show_currency_pair";
                if is_before {
                    self.add_before(key, Some(pair), operation, "forex/{pair}", arguments);
                } else {
                    self.add(key, Some(pair), operation, "forex/{pair}", arguments, true);
                }
            }
        }
        true
    }

    /// What values the positions of the question: the closes at the time, if something was bought or sold at a time,
    /// and the newest price.
    pub(super) fn positions(&mut self) {
        let is_one = self.reading.instruments.len() == 1;
        let to = shown_in(self.reading);
        for position in self.reading.positions.clone() {
            let mut instruments = self.reading.instruments.iter();
            let Some((kind, own)) = instruments
                .find(|one| one.symbol == position.symbol)
                .map(|one| (one.kind, one.currency.clone()))
            else {
                continue;
            };
            let paid_in = match position.size {
                Size::Money(_, currency) => Some(currency),
                _ => None,
            };
            for other in [paid_in, to].into_iter().flatten() {
                if !self.rates(&own, other) {
                    self.note(format!("no rate of {own} in {other} is on record"));
                }
            }
            let symbol = position.symbol.as_str();
            let subject = (!is_one).then_some(symbol);
            if let Some(days) = position.bought {
                self.closes("bought", subject, (symbol, kind), days);
            }
            if let Some(days) = position.end() {
                self.closes(closes_of_end(&position), subject, (symbol, kind), days);
                continue;
            }
            let (key, operation, path) = match kind {
                Kind::Coin => ("coin", "show_coin", "crypto/{symbol}"),
                _ => ("price", "show_price", "ticker/{symbol}/price"),
            };
            self.add(
                key,
                subject,
                operation,
                path,
                json!({"symbol": symbol}),
                true,
            );
        }
    }

    fn closes(
        &mut self,
        key: &'static str,
        subject: Option<&str>,
        (symbol, kind): (&str, Kind),
        (from, to): (Day, Day),
    ) {
        let symbol = match kind {
            Kind::Coin => format!("CRYPTO:{symbol}"),
            _ => symbol.to_owned(),
        };
        let to = to.plus(NEAR).min(self.today);
        let arguments = json!({
            "symbol": symbol,
            "from": from.plus(-NEAR).to_string(),
            "to": to.to_string(),
        });
        let path = "ticker/{symbol}/candles";
        self.add(key, subject, "list_candles", path, arguments, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_currencies_are_converted_directly_or_by_way_of_the_dollar() {
        let pairs = |from: &str, to: &str| {
            let legs = route(from, to)?.into_iter();
            Some(
                legs.map(|leg| (leg.pair, leg.is_inverse))
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(pairs("EUR", "USD"), Some(vec![("EURUSD", false)]));
        assert_eq!(pairs("USD", "EUR"), Some(vec![("EURUSD", true)]));
        assert_eq!(
            pairs("JPY", "CHF"),
            Some(vec![("USDJPY", true), ("USDCHF", false)])
        );
        assert_eq!(pairs("INR", "EUR"), None);
        assert_eq!(pairs("USD", "INR"), None);
    }
}
