//! What a question looks up in the history of a price: the day on which it crossed a level, or its mean over a time.
//!
//! `when did it last close above 150` is answered by the stored candles and not by any single price.

mod whether;

use verify::figures::Unit;

use crate::intent::Intent;
use crate::sums::Counted;
use crate::words::Word;

/// What is looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookUp {
    /// The day on which a price crossed a level.
    Crossing(Crossing),
    /// The mean close over a period.
    Mean,
    /// The mean volume of a session over a period.
    MeanVolume,
}

/// A level, and which of the days on which a price was beyond it is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The level, in the currency of the price unless the question names another.
    pub level: f64,
    /// ISO 4217 code of the level, if the question says it.
    pub currency: Option<&'static str>,
    /// Whether prices above it are meant, or else those below.
    pub is_above: bool,
    /// Which of these days is wanted.
    pub wanted: Wanted,
    /// Whether intraday prices count, and the level itself; otherwise closes beyond it.
    pub is_within_day: bool,
    /// Whether the answer is yes or no: `did gold close above 2000 in August 2020?`.
    pub is_yes_or_no: bool,
}

/// What is wanted of the days on which a price was beyond a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The first one.
    First,
    /// The last one.
    Last,
    /// How many there are.
    Count,
}

impl LookUp {
    /// Intents that mean, if a phrase expresses them, that a figure other than a price is wanted.
    pub(crate) const fn others(self) -> &'static [Intent] {
        match self {
            Self::Crossing(_) => &[
                Intent::Technicals,
                Intent::Fundamentals,
                Intent::Earnings,
                Intent::Analysts,
                Intent::Insider,
                Intent::Congress,
                Intent::Institutions,
                Intent::Filings,
                Intent::Events,
            ],
            Self::Mean | Self::MeanVolume => &[
                Intent::Technicals,
                Intent::Fundamentals,
                Intent::Earnings,
                Intent::Analysts,
            ],
        }
    }
}

/// The candles that are searched for the highest or lowest price of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those of the period that it names; without one, of a year.
    #[default]
    Named,
    /// Those of the year up to the day that it names: `its 52-week high on 7 June 2024`.
    Year,
    /// All that are on record, or were up to the day that it names: `its all-time high`.
    Held,
}

/// How far back to look for the highest or lowest price of a question. `is_stretch` says whether it names a period,
/// which is then the one that is meant.
pub(crate) fn reach(words: &[Word], is_stretch: bool, names_day: bool) -> Reach {
    const LIMITS: [&str; 16] = [
        "high", "highs", "low", "lows", "highest", "lowest", "peak", "record", "top", "bottom",
        "max", "maximum", "min", "minimum", "ath", "atl",
    ];
    let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    let pairs = |first: &[&str], second: &[&str]| {
        words
            .windows(2)
            .any(|pair| pair[0].is_any(first) && pair[1].is_any(second))
    };
    if is_stretch || !says(&LIMITS) {
        return Reach::Named;
    }
    let is_of_all = says(&["ever", "ath", "atl", "lifetime", "alltime"])
        || pairs(&["all"], &["time"])
        || pairs(&["record"], &["high", "low", "close", "closing", "price"])
        || pairs(&["of", "in"], &["history"])
        || pairs(&["on"], &["record"])
        // `when was it at its highest`.
        || pairs(&["its", "their", "the"], &["highest", "lowest", "peak"])
            && says(&["when"])
            && says(&["at"]);
    if is_of_all {
        return Reach::Held;
    }
    let is_of_year = pairs(&["52", "fifty", "two"], &["week", "weeks", "wk", "two"])
        || pairs(&["one", "1", "12"], &["year", "month"])
        || says(&["52week", "52wk", "52w", "yearly"]);
    if names_day && is_of_year {
        Reach::Year
    } else {
        Reach::Named
    }
}

/// Words between a side and its number, at most.
const BEFORE_NUMBER: usize = 3;
/// No price is this high; market values, revenue and numbers of customers are.
const HIGHEST: f64 = 1e7;

/// What distinguishes a price from another figure.
pub(crate) struct Asked<'a> {
    pub(crate) words: &'a [Word],
    /// Which words are part of the name of something traded.
    pub(crate) is_name: &'a [bool],
    /// Which words express a time.
    pub(crate) is_time: &'a [bool],
    pub(crate) counted: &'a [Counted],
}

impl Asked<'_> {
    /// The look-up that a question asks for; `has_time` says whether it names a past time.
    /// `of_commodity` says whether a commodity is named, whose price may be negative.
    pub(crate) fn look_up(&self, has_time: bool, of_commodity: bool) -> Option<LookUp> {
        let crossing = self.crossing(of_commodity).map(LookUp::Crossing);
        crossing
            .or_else(|| (has_time && self.asks_mean()).then_some(LookUp::Mean))
            .or_else(|| self.asks_mean_volume().then_some(LookUp::MeanVolume))
    }

    /// `average volume of NVDA over 20 days`, but not `is its volume above average`.
    fn asks_mean_volume(&self) -> bool {
        let words = self.words;
        (0..words.len()).any(|at| {
            let is_mean = words[at].is_any(&["average", "avg", "mean"]);
            let daily = usize::from(
                words
                    .get(at + 1)
                    .is_some_and(|next| next.is_any(&["daily", "trading", "share"])),
            );
            let is_volume = |word: &Word| word.is_any(&["volume", "volumes"]);
            let before = at.checked_sub(1).map(|before| &words[before]);
            is_mean
                && words.get(at + 1 + daily).is_some_and(is_volume)
                && !before.is_some_and(|before| before.is_any(&["above", "below", "over", "than"]))
        })
    }

    /// What would have to be computed from a price but is not available here, by its usual name. `of_series` says
    /// whether something is named that has no candles here: an index, a commodity, a pair.
    pub(crate) fn unserved(&self, of_series: bool) -> Option<&'static str> {
        let words = self.words;
        let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
        let pairs = |first: &[&str], second: &[&str]| {
            words
                .windows(2)
                .any(|pair| pair[0].is_any(first) && pair[1].is_any(second))
        };
        let is_percent = |(amount, _): &Counted| amount.unit == Unit::Percent;
        let moves = says(&[
            "close", "closed", "higher", "lower", "up", "down", "green", "red", "positive",
            "negative", "fell", "fall", "dropped", "drop", "rose", "rise", "gained", "gain",
            "lost", "lose", "jumped", "jump", "moved", "move", "declined", "decline", "sank",
        ]);
        let counts_moves = asks_number_of_days(words) && moves;
        if ranks_stretches(words) {
            return Some("the best and the worst of several weeks or months");
        }
        let is_median = says(&["median", "medians"]);
        let is_total_return = pairs(&["total"], &["return", "returns"]);
        let is_reaction = says(&["react", "reacts", "reacted", "reaction"])
            || words.iter().enumerate().any(|(at, word)| {
                let mut behind = words[at + 1..].iter().take(3);
                word.is_any(&["after", "since", "following"])
                    && behind.any(|one| one.is_any(&["earnings", "results", "report", "reporting"]))
            });
        if of_series {
            if counts_steps(words) {
                return Some(STEPS);
            }
            let is_level = asks_day(words) && words.iter().any(|word| side(word).is_some());
            let is_reading = says(&["overbought", "oversold", "rsi", "macd", "sma", "ema"]);
            return if is_level {
                Some(LEVELS)
            } else if is_reading {
                Some("technical indicators of indices, commodities and currencies")
            } else if counts_moves {
                Some(NUMBERS)
            } else if says(&["drawdown", "drawdowns"]) {
                Some("drawdowns of indices, commodities and currencies")
            } else if is_median {
                Some(MEDIANS)
            } else {
                is_total_return.then_some(TOTAL_RETURNS)
            };
        }
        if is_reaction {
            Some(REACTIONS)
        } else if is_median {
            Some(MEDIANS)
        } else if is_total_return {
            Some(TOTAL_RETURNS)
        } else if asks_day(words)
            && says(&["average", "sma", "ema", "dma"])
            && words.iter().any(|word| side(word).is_some())
        {
            Some("days on which a price crossed one of its averages")
        } else if asks_day(words)
            && self.counted.iter().any(is_percent)
            && says(&[
                "fell", "fall", "dropped", "drop", "rose", "rise", "gained", "gain", "lost",
                "lose", "jumped", "jump", "moved", "move", "declined", "sank",
            ])
        {
            Some("days on which a price moved by a given percentage")
        } else {
            (counts_days(words) || counts_moves).then_some(NUMBERS)
        }
    }

    fn crossing(&self, of_commodity: bool) -> Option<Crossing> {
        const AHEAD: [&str; 8] = [
            "will", "would", "could", "should", "can", "might", "gonna", "going",
        ];
        const CLOSING: [&str; 10] = [
            "close", "closed", "closes", "closing", "finish", "finished", "end", "ended", "settle",
            "settled",
        ];
        let words = self.words;
        let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
        let is_counted = counts_days(words);
        let is_surely_asked = asks_day(words) || is_counted;
        let is_asked = is_surely_asked || whether::asks(words);
        if !is_asked || says(&AHEAD) || self.names_other_figure() {
            return None;
        }
        let beyond = self.counted.iter().find_map(|(amount, range)| {
            let currency = match amount.unit {
                Unit::Money(code) => Some(code),
                Unit::Bare | Unit::IndexPoints => None,
                _ => return None,
            };
            let nearest = range.start.saturating_sub(BEFORE_NUMBER)..range.start;
            let mut nearest = nearest.rev();
            let (at, side) = nearest.find_map(|at| Some((at, side(&words[at])?)))?;
            // `did gold rise over 50 dollars` asks how far it went, `did it fall below 50` asks about a level.
            if !is_surely_asked && whether::may_be_distance(&words[at]) && self.moves_before(at) {
                return None;
            }
            let is_level = amount.value < HIGHEST && !self.counts_things(range.end);
            is_level.then_some((amount.value, currency, side.is_above, side.is_reached))
        });
        let beyond_zero = || {
            let is_above = whether::beyond_zero(words).filter(|_| of_commodity)?;
            Some((0.0, None, is_above, false))
        };
        let (level, currency, is_above, is_reached) = beyond.or_else(beyond_zero)?;
        Some(Crossing {
            level,
            currency,
            is_above,
            wanted: match is_counted {
                true => Wanted::Count,
                false if says(&["first", "initially"]) => Wanted::First,
                false => Wanted::Last,
            },
            is_within_day: !says(&CLOSING) && (is_reached || says(&["trade", "traded", "trading"])),
            is_yes_or_no: !is_counted && whether::is_answered_by_yes(words, self.is_time),
        })
    }

    /// Whether a word of direction precedes a place: `did gold rise over`.
    fn moves_before(&self, at: usize) -> bool {
        (0..at).any(|at| !self.is_name[at] && crate::ranking::sign(&self.words[at]) != 0)
    }

    /// Whether the word after a number says what it counts: `above its 200 day average`, `over 100,000 cars`.
    fn counts_things(&self, behind: usize) -> bool {
        const OF_PRICES: [&str; 14] = [
            "dollar", "dollars", "usd", "bucks", "cents", "euro", "euros", "pounds", "points",
            "share", "mark", "level", "again", "intraday",
        ];
        let is_apart = |at: usize| self.is_name[at] || self.is_time[at];
        let word = self.words.get(behind).filter(|_| !is_apart(behind));
        word.is_some_and(|word| {
            !word.is_parted && !word.is_any(&OF_PRICES) && !text::token::is_stop_word(&word.lower)
        })
    }

    /// Whether a word names a figure other than the price: the market value, a ratio, what a company sells or pays.
    fn names_other_figure(&self) -> bool {
        const FIGURES: [&str; 56] = [
            "cap",
            "capitalization",
            "capitalisation",
            "value",
            "valuation",
            "valued",
            "worth",
            "pe",
            "ratio",
            "multiple",
            "eps",
            "earnings",
            "earn",
            "earned",
            "ebitda",
            "profit",
            "profits",
            "income",
            "revenue",
            "revenues",
            "sales",
            "sell",
            "sold",
            "cash",
            "debt",
            "margin",
            "margins",
            "dividend",
            "dividends",
            "yield",
            "yields",
            "rsi",
            "macd",
            "sma",
            "ema",
            "dma",
            "beta",
            "volume",
            "volatility",
            "sentiment",
            "score",
            "rating",
            "target",
            "targets",
            "insider",
            "insiders",
            "stake",
            "holdings",
            "subscribers",
            "users",
            "customers",
            "employees",
            "deliveries",
            "dominance",
            "supply",
            "rank",
        ];
        let is_figure = |(at, word): (usize, &Word)| !self.is_name[at] && word.is_any(&FIGURES);
        let mut pairs = self.words.windows(2);
        self.words.iter().enumerate().any(is_figure)
            || pairs.any(|pair| pair[0].is("p") && pair[1].is_any(&["e", "s", "b"]))
    }

    /// Whether the question asks for the mean of a price over a period: only the price, the name and the time follow
    /// the word.
    fn asks_mean(&self) -> bool {
        const PRICE: [&str; 16] = [
            "price", "prices", "close", "closes", "closing", "daily", "of", "for", "a", "the",
            "its", "share", "shares", "stock", "stocks", "and",
        ];
        const JOINTS: [&str; 13] = [
            "in", "over", "during", "since", "from", "between", "through", "within", "on", "last",
            "past", "this", "so",
        ];
        const OTHERS: [&str; 16] = [
            "moving",
            "volum",
            "volatil",
            "target",
            "analyst",
            "rating",
            "cost",
            "basis",
            "return",
            "gain",
            "loss",
            "change",
            "move",
            "sentiment",
            "inflation",
            "range",
        ];
        // `its 50-day average`, `the Dow Jones Industrial Average`.
        const BEFORE: [&str; 8] = [
            "day",
            "week",
            "month",
            "daily",
            "weekly",
            "monthly",
            "industrial",
            "true",
        ];
        let words = self.words;
        let is_said = |word: &Word| word.is_any(&["average", "avg", "mean"]);
        let Some(at) = words.iter().position(is_said) else {
            return false;
        };
        let before = at.checked_sub(1).map(|before| &words[before]);
        let is_other = before.is_some_and(|before| before.is_any(&BEFORE));
        // `what does that mean`.
        let next = words.get(at + 1);
        let is_verb = words[at].is("mean")
            && !next.is_some_and(|next| next.is_any(&["price", "close", "closing", "of"]));
        let names_other = words.iter().enumerate().any(|(at, word)| {
            let is_one = OTHERS.iter().any(|stem| word.lower.starts_with(stem));
            !self.is_name[at] && (is_one || word.is_any(&["my", "i", "we", "our"]))
        });
        if is_other || is_verb || names_other {
            return false;
        }
        let is_of_price =
            |at: usize| self.is_name[at] || self.is_time[at] || words[at].is_any(&PRICE);
        let end = (at + 1..words.len()).find(|at| !is_of_price(*at));
        end.is_none_or(|end| words[end].is_any(&JOINTS))
    }
}

/// Whether a question asks on which day something happened: `when did`, `the last time`, `has it ever`.
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

/// Whether a question asks on how many days something happened.
fn counts_days(words: &[Word]) -> bool {
    asks_number_of_days(words) && words.iter().any(|word| side(word).is_some())
}

/// Whether a question asks how many days, weeks or months of some kind there were.
fn asks_number_of_days(words: &[Word]) -> bool {
    const COUNTED: [&str; 6] = ["days", "sessions", "times", "weeks", "months", "closes"];
    // `how many green days`; `how many of its last days` is a different question.
    const BETWEEN: [&str; 8] = [
        "trading", "up", "down", "green", "red", "positive", "negative", "straight",
    ];
    let is_counted = words
        .windows(3)
        .any(|three| three[0].is("how") && three[1].is("many") && three[2].is_any(&COUNTED))
        || words.windows(4).any(|four| {
            four[0].is("how")
                && four[1].is("many")
                && four[2].is_any(&BETWEEN)
                && four[3].is_any(&COUNTED)
        });
    // `what percentage of days`, `the share of its trading days`.
    let mut shares = words.iter().enumerate().filter(|(_, word)| {
        word.is_any(&[
            "percentage",
            "percent",
            "pct",
            "share",
            "fraction",
            "proportion",
        ])
    });
    let is_share = shares.any(|(at, _)| {
        let mut behind = words[at + 1..].iter().take(4);
        behind.next().is_some_and(|word| word.is("of")) && behind.any(|word| word.is_any(&COUNTED))
    });
    let mut pairs = words.windows(2);
    is_counted || is_share || pairs.any(|pair| pair[0].is("how") && pair[1].is("often"))
}

/// Whether a question asks which of several weeks or months was the best or the worst.
fn ranks_stretches(words: &[Word]) -> bool {
    const UTMOST: [&str; 8] = [
        "best",
        "worst",
        "strongest",
        "weakest",
        "biggest",
        "largest",
        "steepest",
        "top",
    ];
    const STRETCHES: [&str; 6] = ["week", "weeks", "month", "months", "quarter", "quarters"];
    let utmost = words.iter().any(|word| word.is_any(&UTMOST));
    utmost
        && words.windows(2).any(|pair| {
            pair[0].is_any(&UTMOST) && pair[1].is_any(&STRETCHES)
                || pair[0].is_any(&["which", "what"]) && pair[1].is_any(&STRETCHES)
        })
}

/// The name for counted steps of a rate.
pub(crate) const STEPS: &str = "numbers of rate rises and cuts";

/// `how many hikes were there`, `how often did the Fed cut`.
fn counts_steps(words: &[Word]) -> bool {
    const STEPPED: [&str; 4] = ["hik", "rais", "cut", "increas"];
    let is_step = |word: &Word| STEPPED.iter().any(|stem| word.lower.starts_with(stem));
    let asks = words.windows(2).any(|pair| {
        pair[0].is("how") && pair[1].is_any(&["often"]) || pair[0].is("many") && pair[1].is("times")
    });
    let mut triples = words.windows(3);
    let counts =
        triples.any(|three| three[0].is("how") && three[1].is("many") && is_step(&three[2]));
    let mut fours = words.windows(4);
    let counts =
        counts || fours.any(|four| four[0].is("how") && four[1].is("many") && is_step(&four[3]));
    counts || asks && words.iter().any(is_step)
}

/// The name for what prices did after a report.
pub(crate) const REACTIONS: &str = "price moves after a report";

/// The name for medians.
const MEDIANS: &str = "medians of prices";

/// The name for returns with dividends.
const TOTAL_RETURNS: &str = "total returns, with dividends,";

/// The name for counted days.
const NUMBERS: &str = "counts of matching days";

/// The name for a level that something without candles crossed.
pub(crate) const LEVELS: &str = "days on which an index, a commodity or a currency crossed a level";

/// Which side of a level a word names, and whether it means that the level is reached.
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

#[cfg(test)]
mod tests {
    use model::Day;

    use super::*;
    use crate::{subjects, sums, words};

    fn read(text: &str) -> Option<LookUp> {
        let today = Day::parse("2026-11-23").unwrap();
        let words = words::cut(text);
        let mentions = verify::figures::mentions(text, today);
        let mut is_time = vec![false; words.len()];
        for dated in &mentions.times {
            is_time[subjects::covered(&words, &dated.bytes)].fill(true);
        }
        let names = [
            "nvda", "aapl", "msft", "tsla", "apple", "netflix", "bitcoin", "gold", "ma",
        ];
        let is_name: Vec<bool> = words.iter().map(|word| word.is_any(&names)).collect();
        let asked = Asked {
            words: &words,
            is_name: &is_name,
            is_time: &is_time,
            counted: &sums::counted(&words, &mentions.amounts),
        };
        asked.look_up(!mentions.times.is_empty(), false)
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
            (
                "when did MA last close above 500",
                500.0,
                true,
                false,
                false,
            ),
        ] {
            let Some(LookUp::Crossing(found)) = read(text) else {
                panic!("{text}: {:?}", read(text));
            };
            assert!((found.level - level).abs() < 1e-9, "{text}: {found:?}");
            assert_eq!(
                (
                    found.is_above,
                    found.wanted == Wanted::First,
                    found.is_within_day
                ),
                (is_above, is_first, is_within_day),
                "{text}"
            );
        }
        for text in [
            "when will NVDA close above 150",
            "when did NVDA fall more than 5%",
            "when did AAPL last cross above its 200 day average",
            "when did AAPL last close above the 200 DMA",
            "when was AAPL last below its 50 sma",
            "when did TSLA last trade above its 100 moving average",
            "when did Apple first hit a $3 trillion market cap",
            "when did Apple first hit $3 trillion",
            "when was the P/E of AAPL last below 20",
            "when was NVDA's RSI last above 70",
            "when did AAPL first report revenue over $100 billion",
            "when did Netflix reach 200 million subscribers",
            "when did insiders last buy over $1 million of NVDA",
            "when did the yield of AAPL last top 2",
            "when did TSLA first build over 100,000 cars",
            "when does AAPL report",
            "is NVDA above 150",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_limit_is_looked_for_as_far_back_as_is_said() {
        for (text, is_stretch, names_day, expected) in [
            (
                "how far is BA from its all-time high",
                false,
                false,
                Reach::Held,
            ),
            ("when was KO at its highest", false, false, Reach::Held),
            ("lowest price of PFE ever", false, false, Reach::Held),
            ("record high of AAPL", false, false, Reach::Held),
            (
                "the highest NFLX ever traded in 2021",
                true,
                false,
                Reach::Named,
            ),
            ("has AAPL ever paid a dividend", false, false, Reach::Named),
            ("52 week high of Meta", false, false, Reach::Named),
            (
                "NVDA's 52-week high on 7 June 2024",
                false,
                true,
                Reach::Year,
            ),
            ("high of NVDA on 7 June 2024", false, true, Reach::Named),
        ] {
            let words = words::cut(text);
            assert_eq!(reach(&words, is_stretch, names_day), expected, "{text}");
        }
    }

    #[test]
    fn days_are_counted_and_volumes_are_meant() {
        let Some(LookUp::Crossing(found)) =
            read("how many days did NVDA close above 150 this year")
        else {
            panic!("no level");
        };
        assert!(found.wanted == Wanted::Count && found.is_above && !found.is_within_day);
        assert_eq!(
            read("average volume of NVDA over 20 days"),
            Some(LookUp::MeanVolume)
        );
        assert_eq!(read("is the volume of NVDA above average"), None);
    }

    #[test]
    fn a_mean_is_one_of_a_price_over_a_time() {
        for (text, is_one) in [
            ("average closing price of MSFT in October 2026", true),
            ("average of AAPL over the last 50 days", true),
            ("mean price of gold in 2025", true),
            ("average daily close of MSFT in 2025", true),
            ("AAPL's average price since March 2025", true),
            ("average stock price of Apple and Netflix in 2025", true),
            ("average price of AAPL", false),
            ("average volumes of AAPL in October 2026", false),
            ("average margins of AAPL in 2025", false),
            ("average P/E of AAPL in 2025", false),
            ("average price target of AAPL in 2025", false),
            ("average spread of AAPL in 2025", false),
            ("average price earnings ratio of AAPL in 2025", false),
            ("average daily returns of AAPL in 2025", false),
            ("weekly average of AAPL in 2025", false),
            ("50 day average of AAPL since March", false),
            ("average volume of AAPL in October 2026", false),
            ("median close of AAPL in 2025", false),
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
