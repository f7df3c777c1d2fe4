//! What a question wants from all values that something had over a period: the highest, the lowest, their mean, or the
//! day on which it rose or fell most.
//!
//! `lowest oil price in 2020` is not answered by any single value. Days on which a level was crossed are look-ups.

use std::ops::Range;

use crate::words::Word;

/// What is wanted from the values of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The highest of them, and when it occurred.
    Highest,
    /// The lowest of them, and when it occurred.
    Lowest,
    /// Their mean.
    Mean,
    /// The day of the largest rise from the previous value.
    BestSession,
    /// The day of the largest fall from the previous value.
    WorstSession,
}

impl Statistic {
    /// The same of a rate that is quoted the other way round.
    pub(crate) const fn turned(self) -> Self {
        match self {
            Self::Highest => Self::Lowest,
            Self::Lowest => Self::Highest,
            Self::Mean => Self::Mean,
            Self::BestSession => Self::WorstSession,
            Self::WorstSession => Self::BestSession,
        }
    }

    /// Its word in sentences.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Highest => "highest",
            Self::Lowest => "lowest",
            Self::Mean => "mean",
            Self::BestSession => "best session",
            Self::WorstSession => "worst session",
        }
    }

    /// Whether it is a change from one value to the next rather than a value.
    pub const fn is_of_sessions(self) -> bool {
        matches!(self, Self::BestSession | Self::WorstSession)
    }
}

/// What a question wants from the values of the things it names. `names` are the words for these, and `has_time` says
/// whether it names a past time.
pub(crate) fn asked(words: &[Word], names: &[Range<usize>], has_time: bool) -> Vec<Statistic> {
    let all = Asked {
        words,
        names,
        has_time,
    };
    if all.looks_ahead() {
        return Vec::new();
    }
    [
        (Statistic::Highest, all.limit(&HIGHEST, &HIGH)),
        (Statistic::Lowest, all.limit(&LOWEST, &LOW)),
        (Statistic::Mean, all.mean()),
        (Statistic::BestSession, all.session(true)),
        (Statistic::WorstSession, all.session(false)),
    ]
    .into_iter()
    .filter_map(|(statistic, is_asked)| is_asked.then_some(statistic))
    .collect()
}

/// Whether the question means the year up to now: `52-week high`, but not `12-month inflation`, `1-year yield`.
pub(crate) fn is_of_last_year(words: &[Word]) -> bool {
    let is_year = |at: usize| {
        let (number, unit) = (&words[at - 1], &words[at]);
        let is_of_figure = words
            .get(at + 1)
            .is_some_and(|next| next.is_any(&OVER_A_YEAR) && !next.is_parted);
        let is_said = number.is_any(&["52", "fifty"]) && unit.is_any(&["week", "weeks", "two"])
            || number.is_any(&["12", "twelve"]) && unit.is_any(&["month", "months"])
            || number.is_any(&["1", "one"]) && unit.is("year");
        is_said && !is_of_figure
    };
    (1..words.len()).any(is_year) && !words.iter().any(|word| word.is("ever"))
}

/// After a year these are figures over a year, or for bonds with that maturity.
const OVER_A_YEAR: [&str; 14] = [
    "rate",
    "rates",
    "yield",
    "yields",
    "inflation",
    "growth",
    "change",
    "changes",
    "treasury",
    "note",
    "bond",
    "bill",
    "cpi",
    "core",
];
/// Figures computed from values that are not values themselves: their highest is a different one.
const MEASURES: [&str; 21] = [
    "drawdown",
    "drawdowns",
    "volatility",
    "volatilities",
    "volume",
    "volumes",
    "loss",
    "losses",
    "gain",
    "gains",
    "return",
    "returns",
    "change",
    "changes",
    "correlation",
    "correlations",
    "drop",
    "decline",
    "rise",
    "swing",
    "swings",
];
/// How many words around one of [`HIGHEST`] to search for one of these measures.
const NEAR: usize = 4;

/// Words that express it on their own.
const HIGHEST: [&str; 6] = ["highest", "peak", "peaked", "maximum", "max", "ath"];
const LOWEST: [&str; 7] = [
    "lowest", "bottom", "bottomed", "minimum", "trough", "troughed", "atl",
];
/// Those among them that are also said of something still in progress: `has gold peaked?`
const TURNS: [&str; 6] = ["peak", "peaked", "bottom", "bottomed", "trough", "troughed"];
/// Words that express it only together with others: `how high is inflation` does not want a highest value.
const HIGH: [&str; 2] = ["high", "highs"];
const LOW: [&str; 2] = ["low", "lows"];
/// Before these words it is the highest or lowest value of a period.
const OF_TIME: [&str; 16] = [
    "time",
    "record",
    "week",
    "month",
    "year",
    "closing",
    "annual",
    "yearly",
    "monthly",
    "decade",
    "multiyear",
    "historic",
    "historical",
    "intraday",
    "day",
    "session",
];

/// Whether a word on its own means the highest or lowest of some values.
pub(crate) fn is_limit(lower: &str) -> bool {
    HIGHEST.contains(&lower) || LOWEST.contains(&lower)
}

struct Asked<'a> {
    words: &'a [Word],
    names: &'a [Range<usize>],
    has_time: bool,
}

impl Asked<'_> {
    fn says(&self, all: &[&str]) -> bool {
        self.words.iter().any(|word| word.is_any(all))
    }

    fn is_name(&self, at: usize) -> bool {
        self.names.iter().any(|range| range.contains(&at))
    }

    /// `will gold reach its highest price`.
    fn looks_ahead(&self) -> bool {
        self.says(&["will", "could", "might", "gonna", "forecast", "predict"])
            || self
                .words
                .windows(2)
                .any(|pair| pair[0].is("going") && pair[1].is("to"))
    }

    /// Whether the highest or lowest at a word is that of a measure: `maximum daily loss`,
    /// `when was volatility highest`.
    fn is_of_measure(&self, at: usize) -> bool {
        const ENDS: [&str; 10] = [
            "of", "in", "on", "for", "since", "and", "or", "at", "during", "over",
        ];
        let is_measure = |place: &usize| {
            let word = &self.words[*place];
            word.is_any(&MEASURES) && !self.is_name(*place)
        };
        let is_joined = |place: &usize| !self.words[*place].is_any(&ENDS);
        let last = self.words.len().min(at + 1 + NEAR);
        let mut behind = (at + 1..last).take_while(is_joined);
        // `the volume of gold peaked`: only another clause separates it from what comes before.
        let is_of_clause = |place: &usize| !self.words[*place].is_any(&["and", "or"]);
        let mut before = (at.saturating_sub(NEAR)..at).rev().take_while(is_of_clause);
        behind.any(|place| is_measure(&place)) || before.any(|place| is_measure(&place))
    }

    fn limit(&self, alone: &[&str], beside: &[&str]) -> bool {
        (0..self.words.len()).any(|at| {
            let word = &self.words[at];
            if self.is_name(at) || self.is_of_measure(at) {
                return false;
            }
            let before = at.checked_sub(1).map(|before| &self.words[before]);
            let next = self.words.get(at + 1);
            // `bottom line`, `peak season`, `max pain`: about something else.
            let is_of_other = next.is_some_and(|next| {
                next.is_any(&["line", "season", "demand", "quality", "court", "pain"])
            });
            let is_open = word.is_any(&TURNS)
                && !self.has_time
                && !self.says(&["when", "was", "were", "ever", "what"]);
            // `the high and low of 2022`.
            let is_of_both = self.has_time
                && next.is_some_and(|next| next.is_any(&["and", "or"]))
                && self
                    .words
                    .get(at + 2)
                    .is_some_and(|other| other.is_any(&HIGH) || other.is_any(&LOW));
            let is_of_time = before.is_some_and(|before| {
                before.is_any(&OF_TIME)
                    || before.lower.len() == 4 && before.is_number()
                    || before.is_any(&["the", "its", "their"]) && self.has_time
            }) || next.is_some_and(|next| next.is("of")) && self.has_time;
            word.is_any(alone) && !is_of_other && !is_open
                || word.is_any(beside)
                    && (is_of_time || is_of_both || self.is_how_far(at) || self.is_of_name(at))
        })
    }

    /// `its worst day`, `the biggest one-day drop`, but not `the biggest losers of the day`.
    fn session(&self, is_best: bool) -> bool {
        const UTMOST: [&str; 8] = [
            "biggest", "largest", "greatest", "steepest", "sharpest", "maximum", "max", "worst",
        ];
        const RISES: [&str; 6] = ["gain", "rise", "jump", "rally", "increase", "advance"];
        const FALLS: [&str; 7] = [
            "drop", "fall", "loss", "decline", "plunge", "decrease", "selloff",
        ];
        const MOVES: [&str; 3] = ["move", "change", "swing"];
        const DAYS: [&str; 3] = ["day", "session", "daily"];
        // `which of them had the biggest drop`, `the biggest drop from its peak`.
        const OTHERS: [&str; 9] = [
            "which", "who", "stocks", "shares", "peak", "top", "high", "highs", "drawdown",
        ];
        let is_of_all = self.says(&["ever", "history", "record", "alltime"]);
        let (own, other) = if is_best {
            ("best", RISES.as_slice())
        } else {
            ("worst", FALLS.as_slice())
        };
        (self.has_time || is_of_all)
            && (0..self.words.len()).any(|at| {
                let word = &self.words[at];
                // `the largest gold gain in a day`.
                let last = self.words.len().min(at + 2 + NEAR);
                let behind = &self.words[at + 1..last];
                let near = |all: &[&str]| behind.iter().any(|word| word.is_any(all));
                // `its best and worst day`.
                let is_joint = |word: &&Word| word.is_any(&["and", "or", "best", "worst"]);
                let next = behind.iter().find(|word| !is_joint(word));
                let is_day = next.is_some_and(|next| next.is_any(&["day", "session"]));
                let is_move = near(&MOVES) && !(is_best && word.is("worst"));
                let is_single = near(other) && !self.says(&OTHERS);
                let is_largest =
                    word.is_any(&UTMOST) && (near(&DAYS) && (near(other) || is_move) || is_single);
                !self.is_name(at) && (word.is(own) && is_day || is_largest)
            })
    }

    /// `GBPUSD low in 2022`, but not `was gold high in 2020`.
    fn is_of_name(&self, at: usize) -> bool {
        const VERBS: [&str; 9] = [
            "is", "was", "were", "are", "did", "does", "has", "why", "how",
        ];
        let is_behind = at.checked_sub(1).is_some_and(|before| self.is_name(before));
        let asks = self.words.first().is_some_and(|first| first.is_any(&VERBS));
        self.has_time && is_behind && !asks
    }

    /// `how high did gold get in 2020`: over a period it is the highest value; `how high is inflation` is the current
    /// one.
    fn is_how_far(&self, at: usize) -> bool {
        let how = at
            .checked_sub(1)
            .is_some_and(|how| self.words[how].is("how"));
        let did = self.words.get(at + 1);
        self.has_time && how && did.is_some_and(|did| did.is("did"))
    }

    /// `average oil price in 2022`, but not `is it above its 50-day average`, `the Dow Jones Industrial Average`.
    fn mean(&self) -> bool {
        const BEFORE: [&str; 12] = [
            "day",
            "week",
            "month",
            "daily",
            "weekly",
            "monthly",
            "moving",
            "industrial",
            "above",
            "below",
            "than",
            "industrials",
        ];
        const OTHERS: [&str; 8] = [
            "moving", "sma", "ema", "analyst", "analysts", "target", "change", "move",
        ];
        let is_said = |at: &usize| {
            let word = &self.words[*at];
            let before = at.checked_sub(1).map(|before| &self.words[before]);
            let next = self.words.get(*at + 1);
            let is_verb = word.is("mean")
                && !next.is_some_and(|next| {
                    next.is_any(&["price", "value", "rate", "level", "of", "close"])
                        || self.is_name(*at + 1)
                });
            word.is_any(&["average", "averaged", "avg", "mean"])
                && !self.is_name(*at)
                && !is_verb
                && !before.is_some_and(|before| before.is_any(&BEFORE))
        };
        // A mean over no period at all means nothing.
        let is_of_all = self.says(&["ever", "historical", "historic", "longterm", "longrun"])
            || self
                .words
                .windows(2)
                .any(|pair| pair[0].is("long") && pair[1].is_any(&["term", "run"]));
        (self.has_time || is_of_all)
            && !self.says(&OTHERS)
            && (0..self.words.len()).any(|at| is_said(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::Statistic::{BestSession, Highest, Lowest, Mean, WorstSession};
    use super::*;
    use crate::words;

    fn read(text: &str, has_time: bool) -> Vec<Statistic> {
        asked(&words::cut(text), &[], has_time)
    }

    #[test]
    fn what_is_wanted_of_many_values() {
        for (text, has_time, expected) in [
            ("lowest WTI oil price in 2020", true, vec![Lowest]),
            ("when was US inflation highest?", false, vec![Highest]),
            ("when did unemployment peak", false, vec![Highest]),
            ("average of the 10-year yield in 2022", true, vec![Mean]),
            ("what did gold average in 2023", true, vec![Mean]),
            (
                "high and low of the euro in 2022",
                true,
                vec![Highest, Lowest],
            ),
            ("gold's all-time high", false, vec![Highest]),
            ("52 week low of copper", false, vec![Lowest]),
            ("the 2020 low in oil", true, vec![Lowest]),
            ("mean price of silver in 2021", true, vec![Mean]),
            ("how high did gold get in 2020", true, vec![Highest]),
            (
                "the biggest one-day drop of the S&P 500 in 2020",
                true,
                vec![WorstSession],
            ),
            ("worst day of oil in 2020", true, vec![WorstSession]),
            (
                "largest gold gain in a day in 2020",
                true,
                vec![BestSession],
            ),
            (
                "the best day and the worst day of the Dow in 2020",
                true,
                vec![BestSession, WorstSession],
            ),
            (
                "best and worst day of the Dow in 2020",
                true,
                vec![BestSession, WorstSession],
            ),
            ("worst day ever for the Dow", false, vec![WorstSession]),
            ("biggest drop of gold in 2020", true, vec![WorstSession]),
            (
                "the steepest rise of unemployment in 2020",
                true,
                vec![BestSession],
            ),
            (
                "how low did the VIX close in March 2020",
                true,
                vec![Lowest],
            ),
        ] {
            assert_eq!(read(text, has_time), expected, "{text}");
        }
    }

    #[test]
    fn what_is_one_value_wants_nothing_of_many() {
        for text in [
            "how high is inflation",
            "why is unemployment so low in 2022",
            "what does a high CPI mean for stocks",
            "is gold above its 50-day average",
            "will gold reach its highest price this year",
            "Dow Jones Industrial Average in 2022",
            "200 day moving average of gold in 2022",
            "average gas price",
            "maximum drawdown of gold in 2022",
            "highest volatility of gold in 2022",
            "highest daily trading volume in 2022",
            "biggest losers of the day in 2022",
            "best days to buy gold in 2022",
            "worst day of the Dow",
            "which sector had the biggest gain in 2022",
            "when was the volume of copper highest in 2022",
        ] {
            let has_time = text.contains("2022");
            assert_eq!(read(text, has_time), [], "{text}");
        }
    }

    #[test]
    fn the_year_up_to_now_is_told_from_figures_over_a_year() {
        for (text, expected) in [
            ("52 week high of gold", true),
            ("12-month low of copper", true),
            ("highest 12-month inflation rate", false),
            ("highest 1-year yield", false),
            ("highest 1-year high of gold ever", false),
        ] {
            assert_eq!(is_of_last_year(&words::cut(text)), expected, "{text}");
        }
    }
}
