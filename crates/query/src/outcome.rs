//! What a question about the future wants to know the probability of: a direction, a figure, an event.

mod deed;

use model::{Day, EventKind};
use verify::figures::{Amount, Unit};

use crate::horizon;
use crate::subjects;
use crate::words::{self, Word};

/// What is expected, and by when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// `None` if the text says nothing that could come true or not.
    pub outcome: Option<Outcome>,
    /// The last day of the time that it names.
    pub until: Option<Day>,
}

/// Something that comes true or does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It ends higher (`true`) or lower.
    Direction(bool),
    /// It reaches a figure.
    Figure(Figure),
    /// Somebody does something.
    Event(Deed),
}

/// A figure that is reached, passed or missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// In whole units, or in percent if it is a percentage.
    pub amount: f64,
    /// Code of its currency, if it has one.
    pub currency: Option<&'static str>,
    /// Whether it is a percentage.
    pub is_percent: bool,
    /// Whether it is the size of a change rather than a level.
    pub is_size: bool,
    /// Whether it is to be passed upwards; `None` if only the current level can tell.
    pub is_above: Option<bool>,
    /// Whether touching it once within the time is enough, however it ends.
    pub is_touched: bool,
}

/// What somebody does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The kind of event.
    pub kind: EventKind,
    /// The name asked about, as written.
    pub first: String,
    /// With or to whom or, in the passive, by whom.
    pub second: Option<String>,
    /// Whether it is done to the first.
    pub is_passive: bool,
}

/// Reads what a text of at most 500 characters expects. `today` is the day as of which it is read.
pub fn expected(text: &str, today: Day) -> Expected {
    let words = words::cut(text);
    let mentions = subjects::mentions(text, &words, today);
    let until = horizon::until(&words, &mentions.times, today);
    let is_denied = words.iter().any(|word| word.is_any(&DENIALS));
    let outcome = if is_denied {
        // It is not certain whose probability is wanted then.
        None
    } else {
        deed::find(text, &words)
            .map(Outcome::Event)
            .or_else(|| figure(&words, &mentions.amounts).map(Outcome::Figure))
            .or_else(|| direction_asked(&words).map(Outcome::Direction))
    };
    Expected { outcome, until }
}

const DENIALS: [&str; 8] = [
    "not", "never", "wont", "cannot", "cant", "without", "isnt", "doesnt",
];

/// Words that make a statement one about the future or its probability.
const ANCHORS: [&str; 17] = [
    "will",
    "would",
    "could",
    "can",
    "might",
    "shall",
    "should",
    "going",
    "gonna",
    "likely",
    "chance",
    "chances",
    "odds",
    "probability",
    "likelihood",
    "risk",
    "probable",
];

/// The direction that a word expresses.
fn way(word: &Word) -> Option<bool> {
    match word.lower.as_str() {
        "up" | "higher" => Some(true),
        "down" | "lower" => Some(false),
        other => match verify::stance::direction_of(other) {
            0 => None,
            sign => Some(sign > 0),
        },
    }
}

fn anchor(words: &[Word]) -> Option<usize> {
    words.iter().position(|word| word.is_any(&ANCHORS))
}

/// The direction that a question asks about; none if it names both.
fn direction_asked(words: &[Word]) -> Option<bool> {
    let from = anchor(words)?;
    let mut ways = words[from..].iter().filter_map(way);
    let first = ways.next()?;
    ways.all(|other| other == first).then_some(first)
}

/// Sizes that a verb itself expresses, in percent.
const SIZES: [(&str, f64); 6] = [
    ("double", 100.0),
    ("doubles", 100.0),
    ("triple", 200.0),
    ("quadruple", 300.0),
    ("halve", -50.0),
    ("halves", -50.0),
];

fn figure(words: &[Word], amounts: &[(Amount, std::ops::Range<usize>)]) -> Option<Figure> {
    let is_ever = words.windows(2).any(|pair| {
        pair[0].is("any") && pair[1].is_any(&["time", "point"])
            || pair[0].is("some") && pair[1].is("point")
    }) || words.iter().any(|word| word.is("ever"));
    if let Some((_, size)) = SIZES
        .iter()
        .find(|(verb, _)| words.iter().any(|word| word.is(verb)))
        .filter(|_| anchor(words).is_some())
    {
        return Some(Figure {
            amount: size.abs(),
            currency: None,
            is_percent: true,
            is_size: true,
            is_above: Some(*size > 0.0),
            is_touched: is_ever,
        });
    }
    // `Between 200 and 250` is not a single figure.
    if words.iter().any(|word| word.is("between")) {
        return None;
    }
    amounts.iter().find_map(|(amount, bytes)| {
        let at = words.iter().position(|word| word.bytes.end > bytes.start)?;
        let next = words.iter().find(|word| word.bytes.start >= bytes.end);
        // `A 20 % chance` is not a figure of a price.
        if next.is_some_and(|next| next.is_any(&["chance", "probability", "likelihood", "odds"])) {
            return None;
        }
        let is_filler = |word: &Word| {
            word.is_any(&[
                "the", "a", "about", "around", "roughly", "mark", "level", "of", "at",
            ])
        };
        let before: Vec<&Word> = words[..at]
            .iter()
            .rev()
            .filter(|word| !is_filler(word))
            .take(4)
            .collect();
        let verb = before.iter().find_map(|word| way(word));
        bounded(&before, verb, amount).map(|figure| Figure {
            is_touched: figure.is_touched || is_ever,
            ..figure
        })
    })
}

/// What the words before an amount, nearest first, make of it.
fn bounded(before: &[&Word], verb: Option<bool>, amount: &Amount) -> Option<Figure> {
    let nearest = before.first()?;
    let is_percent = matches!(amount.unit, Unit::Percent | Unit::Fraction);
    let is_change = matches!(amount.unit, Unit::Points | Unit::BasisPoints);
    let made = |is_size: bool, is_above: Option<bool>, is_touched: bool| {
        Some(Figure {
            amount: match amount.unit {
                Unit::BasisPoints => amount.value / 100.0,
                _ => amount.value,
            },
            currency: match amount.unit {
                Unit::Money(code) => Some(code),
                _ => None,
            },
            is_percent: is_percent || is_change,
            is_size,
            is_above,
            is_touched,
        })
    };
    // `More than 5 %`, `at least $300`: the comparison precedes them.
    if nearest.is_any(&["than", "least"]) {
        let is_more = nearest.is("least")
            || before
                .get(1)
                .is_some_and(|word| word.is_any(&["more", "higher", "greater"]));
        return match verb {
            Some(way) if (is_percent || is_change) && is_more => made(true, Some(way), false),
            _ => made(false, Some(is_more), false),
        };
    }
    let size = |way: bool| {
        (is_percent || is_change)
            .then(|| made(true, Some(way), false))
            .flatten()
    };
    // The position of a level comes first: `above` is a direction, too.
    match nearest.lower.as_str() {
        "above" | "over" | "beyond" | "past" => {
            let is_crossing = before.get(1).is_some_and(|word| {
                word.is_any(&[
                    "break", "breaks", "go", "get", "move", "cross", "climb", "rise", "push",
                    "jump",
                ])
            });
            made(false, Some(true), is_crossing)
        }
        "below" | "under" | "beneath" => {
            let is_crossing = before.get(1).is_some_and(|word| {
                word.is_any(&[
                    "break", "breaks", "go", "get", "move", "drop", "fall", "slip", "sink", "crash",
                ])
            });
            made(false, Some(false), is_crossing)
        }
        "exceed" | "exceeds" | "top" | "tops" | "surpass" => made(false, Some(true), true),
        "reach" | "reaches" | "reaching" | "hit" | "hits" | "hitting" | "touch" | "cross"
        | "break" | "see" => made(false, verb, true),
        // `To 300`, but not `from 5 to 10`.
        "to" if !before.iter().any(|word| word.is("from")) => made(false, verb, true),
        "by" => size(verb?),
        _ if way(nearest).is_some() => size(verb?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<Outcome> {
        expected(text, Day::parse("2026-11-23").unwrap()).outcome
    }

    #[test]
    fn a_direction_is_read_where_one_is_asked() {
        for (text, is_up) in [
            ("Will NVDA rise by year end?", Some(true)),
            ("will the Fed cut rates in December", Some(false)),
            ("what are the odds that gold goes up next month", Some(true)),
            ("Is Tesla likely to fall this week?", Some(false)),
            ("will it go up or down", None),
            ("will Apple not fall", None),
            ("NVDA", None),
            ("why did NVDA fall", None),
        ] {
            assert_eq!(read(text), is_up.map(Outcome::Direction), "{text}");
        }
    }

    #[test]
    fn a_figure_is_a_level_or_a_size() {
        let level = |amount, is_above, is_touched| Figure {
            amount,
            currency: None,
            is_percent: false,
            is_size: false,
            is_above,
            is_touched,
        };
        let size = |amount, is_up| Figure {
            amount,
            currency: None,
            is_percent: true,
            is_size: true,
            is_above: Some(is_up),
            is_touched: false,
        };
        let percent = |amount, is_above, is_touched| Figure {
            is_percent: true,
            ..level(amount, is_above, is_touched)
        };
        for (text, expected) in [
            (
                "Will NVDA reach $300 by year end?",
                level(300.0, None, true),
            ),
            (
                "Bitcoin above $100k by March",
                level(100_000.0, Some(true), false),
            ),
            (
                "Will Tesla close below 200 this month?",
                level(200.0, Some(false), false),
            ),
            ("Will the S&P 500 hit 7,000?", level(7_000.0, None, true)),
            (
                "will gold fall below $3,000",
                level(3_000.0, Some(false), true),
            ),
            ("AAPL to 250?", level(250.0, None, true)),
            ("could Tesla fall 20% this year", size(20.0, false)),
            ("will oil rise by 10 percent", size(10.0, true)),
            ("chance that Apple gains more than 5%", size(5.0, true)),
            ("Will Nvidia double in 2027?", size(100.0, true)),
            (
                "Will inflation be above 3% in June?",
                percent(3.0, Some(true), false),
            ),
            ("will unemployment reach 5%", percent(5.0, None, true)),
        ] {
            let Some(Outcome::Figure(found)) = read(text) else {
                panic!("{text}");
            };
            assert_eq!(found.currency.is_some(), text.contains('$'), "{text}");
            let found = Figure {
                currency: None,
                ..found
            };
            assert_eq!(found, expected, "{text}");
        }
        for text in [
            "Will NVDA trade between 200 and 250?",
            "a 20% chance of rain",
            "best 5 stocks",
        ] {
            assert!(!matches!(read(text), Some(Outcome::Figure(_))), "{text}");
        }
    }

    #[test]
    fn an_event_has_its_names() {
        for (text, kind, first, second, is_passive) in [
            (
                "Will Microsoft buy OpenAI?",
                EventKind::Acquisition,
                "Microsoft",
                Some("OpenAI"),
                false,
            ),
            (
                "Will OpenAI be acquired by Microsoft by year end",
                EventKind::Acquisition,
                "OpenAI",
                Some("Microsoft"),
                true,
            ),
            (
                "is Apple going to buy Perplexity AI this year?",
                EventKind::Acquisition,
                "Apple",
                Some("Perplexity AI"),
                false,
            ),
            (
                "Will OpenAI go public in 2027?",
                EventKind::Ipo,
                "OpenAI",
                None,
                false,
            ),
            (
                "chance of Spirit Airlines going bankrupt",
                EventKind::Bankruptcy,
                "Spirit Airlines",
                None,
                false,
            ),
            (
                "Will Elon Musk sue Sam Altman again?",
                EventKind::Lawsuit,
                "Elon Musk",
                Some("Sam Altman"),
                false,
            ),
            (
                "will Anthropic raise a new round before June",
                EventKind::Funding,
                "Anthropic",
                None,
                false,
            ),
            (
                "Could TikTok be banned?",
                EventKind::Regulation,
                "TikTok",
                None,
                true,
            ),
            (
                "Will Apple launch a foldable iPhone in 2027?",
                EventKind::Launch,
                "Apple",
                Some("foldable iPhone"),
                false,
            ),
        ] {
            let deed = Deed {
                kind,
                first: first.to_owned(),
                second: second.map(str::to_owned),
                is_passive,
            };
            assert_eq!(read(text), Some(Outcome::Event(deed)), "{text}");
        }
        for text in [
            "will the Fed raise rates",
            "Will Apple buy back shares",
            "should I buy Apple",
            "OpenAI",
        ] {
            assert!(!matches!(read(text), Some(Outcome::Event(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,200}") {
            let _ = read(&text);
        }
    }
}
