//! What a question looks up in the history of a price: the day on which it crossed a level, or its mean over a time.
//!
//! `when did it last close above 150` has an answer in the stored candles and in no single price.

use verify::figures::Unit;

use crate::sums::Counted;
use crate::words::Word;

/// What is looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookUp {
    /// The day on which a price crossed a level.
    Crossing(Crossing),
    /// The mean close over a time.
    Mean,
}

/// A level, and which day is wanted on which a price was beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The level, in the currency of the price unless the question names another.
    pub level: f64,
    /// ISO 4217 code of the level, where the question says it.
    pub currency: Option<&'static str>,
    /// Whether prices above it are meant, else those below.
    pub is_above: bool,
    /// Whether the first day is wanted, else the last.
    pub is_first: bool,
    /// Whether prices within the day count, and the level itself; else closes beyond it.
    pub is_within_day: bool,
}

/// Words between a side and its number, at most.
const BEFORE_NUMBER: usize = 3;

/// The look-up that a question asks for; `has_time` says whether it names a past time.
pub(crate) fn asked(words: &[Word], counted: &[Counted], has_time: bool) -> Option<LookUp> {
    let crossing = crossing(words, counted).map(LookUp::Crossing);
    crossing.or_else(|| (has_time && asks_mean(words)).then_some(LookUp::Mean))
}

fn crossing(words: &[Word], counted: &[Counted]) -> Option<Crossing> {
    const AHEAD: [&str; 8] = [
        "will", "would", "could", "should", "can", "might", "gonna", "going",
    ];
    const CLOSING: [&str; 10] = [
        "close", "closed", "closes", "closing", "finish", "finished", "end", "ended", "settle",
        "settled",
    ];
    let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    if !asks_day(words) || says(&AHEAD) {
        return None;
    }
    let (level, currency, side) = counted.iter().find_map(|(amount, range)| {
        let currency = match amount.unit {
            Unit::Money(code) => Some(code),
            Unit::Bare | Unit::IndexPoints => None,
            _ => return None,
        };
        // `above its 200 day average` is no level.
        let behind = words.get(range.end);
        let is_counting = behind.is_some_and(|word| {
            word.is_any(&[
                "day", "days", "week", "weeks", "month", "months", "session", "sessions",
            ])
        });
        let before = &words[range.start.saturating_sub(BEFORE_NUMBER)..range.start];
        let side = before.iter().rev().find_map(side)?;
        (!is_counting).then_some((amount.value, currency, side))
    })?;
    Some(Crossing {
        level,
        currency,
        is_above: side.is_above,
        is_first: says(&["first", "initially"]),
        is_within_day: !says(&CLOSING)
            && (side.is_reached || says(&["trade", "traded", "trading"])),
    })
}

/// Whether a question asks on which day something was: `when did`, `the last time`, `has it ever`.
fn asks_day(words: &[Word]) -> bool {
    const VERBS: [&str; 7] = ["did", "was", "were", "has", "have", "had", "is"];
    let pairs = words.windows(2);
    let mut pairs = pairs.map(|pair| (&pair[0], &pair[1]));
    let is_asked = pairs.any(|(one, other)| {
        one.is("when") && other.is_any(&VERBS)
            || one.is_any(&["last", "first"]) && other.is("time")
            || one.is_any(&["what", "which"]) && other.is_any(&["day", "date"])
    });
    let is_ever = words.first().is_some_and(|first| first.is_any(&VERBS))
        && words.iter().any(|word| word.is("ever"));
    is_asked || is_ever
}

/// Which side of a level a word names, and whether it says that the level is reached.
#[derive(Clone, Copy)]
struct Side {
    is_above: bool,
    is_reached: bool,
}

fn side(word: &Word) -> Option<Side> {
    const ABOVE: [&str; 6] = ["above", "over", "past", "beyond", "exceed", "exceeded"];
    const BELOW: [&str; 4] = ["below", "under", "beneath", "underneath"];
    const REACHED: [&str; 14] = [
        "hit", "hits", "reach", "reached", "top", "topped", "cross", "crossed", "touch", "touched",
        "break", "broke", "pass", "passed",
    ];
    let (is_above, is_reached) = if word.is_any(&ABOVE) {
        (true, false)
    } else if word.is_any(&BELOW) {
        (false, false)
    } else if word.is_any(&REACHED) {
        (true, true)
    } else {
        return None;
    };
    Some(Side {
        is_above,
        is_reached,
    })
}

/// Whether the mean of a price over a time is asked for, and no moving average and no mean of something else.
fn asks_mean(words: &[Word]) -> bool {
    const OTHERS: [&str; 31] = [
        "moving",
        "volume",
        "target",
        "targets",
        "analyst",
        "analysts",
        "rating",
        "cost",
        "basis",
        "my",
        "i",
        "p",
        "pe",
        "return",
        "returns",
        "gain",
        "loss",
        "change",
        "move",
        "moves",
        "volatility",
        "yield",
        "dividend",
        "revenue",
        "eps",
        "earnings",
        "sentiment",
        "inflation",
        "true",
        "range",
        "down",
    ];
    let mean = words
        .iter()
        .position(|word| word.is_any(&["average", "avg", "mean"]));
    let is_mean = mean.is_some_and(|at| {
        let before = at.checked_sub(1).map(|before| &words[before]);
        // `its 50-day average`; `what does that mean`.
        let is_moving = before.is_some_and(|before| before.is_any(&["day", "week", "month"]));
        let next = words.get(at + 1);
        let is_verb = words[at].is("mean")
            && !next.is_some_and(|next| next.is_any(&["price", "close", "closing", "of"]));
        !is_moving && !is_verb
    });
    is_mean && !words.iter().any(|word| word.is_any(&OTHERS))
}

#[cfg(test)]
mod tests {
    use model::Day;

    use super::*;
    use crate::{sums, words};

    fn read(text: &str) -> Option<LookUp> {
        let today = Day::parse("2026-11-23").unwrap();
        let words = words::cut(text);
        let mentions = verify::figures::mentions(text, today);
        let counted = sums::counted(&words, &mentions.amounts);
        asked(&words, &counted, !mentions.times.is_empty())
    }

    #[test]
    fn a_level_is_read_with_its_side_and_which_day() {
        for (text, level, is_above, is_first, is_within_day) in [
            (
                "when did NVDA last close above 150",
                150.0,
                true,
                false,
                false,
            ),
            ("when was AAPL last below $200", 200.0, false, false, false),
            (
                "when did bitcoin first hit 100,000",
                100_000.0,
                true,
                true,
                true,
            ),
            (
                "last time TSLA traded under 180.50",
                180.5,
                false,
                false,
                true,
            ),
            ("has AAPL ever closed above 300", 300.0, true, false, false),
        ] {
            let Some(LookUp::Crossing(found)) = read(text) else {
                panic!("{text}: {:?}", read(text));
            };
            assert!((found.level - level).abs() < 1e-9, "{text}: {found:?}");
            assert_eq!(
                (found.is_above, found.is_first, found.is_within_day),
                (is_above, is_first, is_within_day),
                "{text}"
            );
        }
        for text in [
            "when will NVDA close above 150",
            "when did NVDA fall more than 5%",
            "when did AAPL last cross above its 200 day average",
            "when does AAPL report",
            "is NVDA above 150",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_mean_is_one_of_a_price_over_a_time() {
        for (text, is_one) in [
            ("average closing price of MSFT in October 2026", true),
            ("average of AAPL over the last 50 days", true),
            ("mean price of gold in 2025", true),
            ("average price of AAPL", false),
            ("50 day average of AAPL since March", false),
            ("average volume of AAPL in October 2026", false),
            ("what does the drop in 2025 mean", false),
            (
                "what is my average cost of the shares bought in 2025",
                false,
            ),
        ] {
            assert_eq!(read(text) == Some(LookUp::Mean), is_one, "{text}");
        }
    }
}
