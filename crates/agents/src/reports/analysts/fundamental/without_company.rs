//! Funds and coins: what there is instead of a company.

use super::place;
use crate::reports::facts::Facts;
use crate::reports::finding::{Draft, Topic};
use crate::reports::words::{amount, pct, signed};

pub(in crate::reports) fn fund(facts: &Facts, draft: &mut Draft) {
    let together = facts.series.together(&facts.market, facts.year());
    let year = facts.series.over(facts.year());
    draft.asks(year.is_some());
    if let Some(year) = year {
        draft.find(
            Topic::Return,
            year.pct / 40.0,
            format!("it returned {} in a year", signed(year.pct)),
        );
        let five = facts
            .series
            .over(facts.year() * 3)
            .map(|three| format!(" and {} over three", signed(three.pct)))
            .unwrap_or_default();
        draft.say(format!(
            "{} returned {} in a year{five}, which is what a fund without earnings of its own is judged by.",
            facts.name,
            signed(year.pct)
        ));
    }
    if let Some(together) = together.filter(|_| facts.ticker != crate::reports::facts::MARKET) {
        draft.asks(true);
        let correlation = together.correlation;
        draft.say(match correlation {
            0.9.. => format!("Holding it is close to holding the market, at {:.2} times its daily moves (correlation {correlation:.2}).", together.beta),
            0.6.. => format!("It shares most of its days with the market and adds a lean of its own (correlation {correlation:.2}, beta {:.2}).", together.beta),
            0.25.. => format!("It diversifies, with a correlation of {correlation:.2} to the market."),
            _ => format!("It moves by other things than the share market (correlation {correlation:.2})."),
        });
    }
    if let Some(fall) = facts.series.deepest_fall(facts.series.len()) {
        draft.asks(true);
        let depth = pct(fall.pct);
        draft.find(
            Topic::Recovery,
            (fall.recovered - 0.6).clamp(-0.4, 0.3),
            if fall.recovered >= 1.0 {
                format!("it has made up its deepest fall on record, {depth}, in full")
            } else {
                format!(
                    "of its deepest fall on record, {depth}, no more than {:.0}% has been made up",
                    fall.recovered * 100.0
                )
            },
        );
    }
}

/// Whether the value of the coin and the value of all coins are from days that can be compared.
fn are_of_one_day(facts: &Facts) -> bool {
    let of = |key: &str| {
        let updated = facts.of(key).text("updated_at")?;
        model::Day::parse(updated.get(..10)?)
    };
    of("coin")
        .zip(of("coins"))
        .is_some_and(|(own, all)| own.since(all).abs() <= 2)
}

pub(in crate::reports) fn coin(facts: &Facts, draft: &mut Draft) {
    let coin = facts.of("coin");
    let cap = coin.number("market_cap");
    if draft.asks(cap.is_some())
        && let Some(cap) = cap
    {
        let total = facts
            .of("coins")
            .number("total_market_cap")
            .filter(|total| *total > 0.0 && are_of_one_day(facts));
        let share = total.map_or_else(String::new, |total| {
            format!(", {} of the value of all coins", pct(cap / total * 100.0))
        });
        let rank = coin
            .whole("market_cap_rank")
            .map_or_else(String::new, |rank| {
                format!("; by value it ranks {}", place(rank as usize))
            });
        draft.say(format!(
            "{} is worth {}{share}{rank}.",
            facts.name,
            amount(cap, "USD")
        ));
    }
    if let (Some(volume), Some(cap)) = (coin.number("volume_24h"), cap) {
        draft.asks(true);
        let turned = volume / cap * 100.0;
        draft.say(match turned {
            10.0.. => format!(
                "{} changes hands in a day, {} of all there is: a market in a hurry.",
                amount(volume, "USD"),
                pct(turned)
            ),
            3.0.. => format!(
                "A day's trading, {}, turns over {} of its value.",
                amount(volume, "USD"),
                pct(turned)
            ),
            _ => format!(
                "Little moves: {} in a day is {} of its value.",
                amount(volume, "USD"),
                pct(turned)
            ),
        });
    }
    if let (Some(peak), Some(gap)) = (coin.number("ath"), coin.number("ath_change_pct")) {
        draft.asks(true);
        draft.find(
            Topic::Record,
            (gap + 35.0) / 90.0,
            format!(
                "it stands {} below its record of {}",
                pct(gap),
                facts.price(peak)
            ),
        );
        draft.say(match gap {
            -5.0.. => format!(
                "It trades at the top of its history, within {} of the record {}.",
                pct(gap),
                facts.price(peak)
            ),
            -30.0.. => format!("The record, {}, is {} away.", facts.price(peak), pct(gap)),
            -60.0.. => format!(
                "It would have to gain {} to see its record of {} again.",
                pct((1.0 / (1.0 + gap / 100.0) - 1.0) * 100.0),
                facts.price(peak)
            ),
            _ => format!(
                "{} of its record price of {} is gone.",
                pct(gap),
                facts.price(peak)
            ),
        });
    }
    if let Some(month) = coin.number("change_30d") {
        draft.find(
            Topic::Return,
            month / 40.0,
            format!("thirty days brought {}", signed(month)),
        );
    }
}
