//! Shares and sectors by their price moves: how far, in which direction, and whether a question ranks by them.

use verify::figures::Unit;

use crate::sums::Counted;
use crate::words::Word;

/// Limits of a change in percent; a side that is not given is open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// More than this.
    pub above: Option<f64>,
    /// Less than this.
    pub below: Option<f64>,
}

/// Words of direction that compare sizes and mean no move.
const COMPARING: [&str; 21] = [
    "more", "most", "less", "least", "fewer", "fewest", "above", "below", "higher", "highest",
    "lower", "lowest", "bigger", "biggest", "larger", "largest", "smaller", "smallest", "greater",
    "greatest", "record",
];
/// What is ranked.
const RANKED: [&str; 16] = [
    "stock",
    "stocks",
    "share",
    "shares",
    "company",
    "companies",
    "name",
    "names",
    "ticker",
    "tickers",
    "equity",
    "equities",
    "which",
    "what",
    "who",
    "anything",
];
/// What is ranked, in one word that means nothing else.
pub(crate) const SHARES: [&str; 12] = [
    "stock",
    "stocks",
    "share",
    "shares",
    "company",
    "companies",
    "names",
    "tickers",
    "equities",
    "anything",
    "name",
    "ticker",
];
const UTMOST: [&str; 10] = [
    "most",
    "best",
    "worst",
    "biggest",
    "largest",
    "steepest",
    "strongest",
    "weakest",
    "hardest",
    "least",
];
/// The most words between a verb and its size.
const BEFORE_NUMBER: usize = 6;

/// The direction of a word: 1 up, -1 down, 0 neither.
pub(crate) fn sign(word: &Word) -> i8 {
    if word.is_any(&COMPARING) {
        0
    } else {
        verify::stance::direction_of(&word.lower)
    }
}

/// The direction that the question speaks of; `None` if it is neither or both.
pub(crate) fn direction(words: &[Word]) -> Option<bool> {
    let signs = words.iter().map(sign);
    let (mut ups, mut downs) = (false, false);
    for sign in signs {
        ups |= sign > 0;
        downs |= sign < 0;
    }
    let best = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    ups |= best(&["best", "strongest"]);
    downs |= best(&["worst", "weakest"]);
    if names_return(words) {
        ups |= best(&["highest"]);
        downs |= best(&["lowest"]);
        // `top 10 worst stocks by return`: how many, if another word says which.
        if !ups && !downs {
            ups = best(&["top"]);
            downs = best(&["bottom"]);
        }
    }
    (ups != downs).then_some(ups)
}

/// How far the wanted shares moved: `fell more than 20%`, `up at least a third`, `doubled`.
pub(crate) fn bounds(words: &[Word], counted: &[Counted]) -> Option<Bounds> {
    if !words.iter().any(|word| word.is_any(&RANKED)) {
        return None;
    }
    counted
        .iter()
        .find_map(|(amount, range)| {
            if !matches!(amount.unit, Unit::Percent | Unit::Fraction) {
                return None;
            }
            let before = &words[range.start.saturating_sub(BEFORE_NUMBER)..range.start];
            let behind = words.get(range.end..).unwrap_or_default();
            let moved = before.iter().rev().map(sign).find(|sign| *sign != 0);
            // `20% drop`, `down` may come after it.
            let moved =
                moved.or_else(|| behind.iter().take(2).map(sign).find(|sign| *sign != 0))?;
            let is_less = before
                .iter()
                .rev()
                .take(3)
                .any(|word| word.is_any(&["less", "under", "below", "most", "within"]));
            Some(match (moved > 0, is_less) {
                (true, false) => Bounds {
                    above: Some(amount.value),
                    below: None,
                },
                (true, true) => Bounds {
                    above: Some(0.0),
                    below: Some(amount.value),
                },
                (false, false) => Bounds {
                    above: None,
                    below: Some(-amount.value),
                },
                (false, true) => Bounds {
                    above: Some(-amount.value),
                    below: Some(0.0),
                },
            })
        })
        .or_else(|| in_a_word(words))
}

/// `doubled`, `halved`: the size is in the word itself.
fn in_a_word(words: &[Word]) -> Option<Bounds> {
    const WORDS: [(&str, Option<f64>, Option<f64>); 4] = [
        ("doubl", Some(100.0), None),
        ("tripl", Some(200.0), None),
        ("quadrupl", Some(300.0), None),
        ("halv", None, Some(-50.0)),
    ];
    words.iter().find_map(|word| {
        let mut all = WORDS.iter();
        let (_, above, below) = all.find(|(stem, ..)| word.lower.starts_with(stem))?;
        Some(Bounds {
            above: *above,
            below: *below,
        })
    })
}

/// Whether a question ranks shares by their price moves: `which stock rose the most since March`.
pub(crate) fn ranks_shares(words: &[Word]) -> bool {
    let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    let moves = words.iter().any(|word| sign(word) != 0)
        || words.iter().any(|word| word.lower.starts_with("perform"));
    says(&SHARES) && says(&UTMOST) && moves || ranks_by_return(words)
}

/// Whether a question ranks shares by their return, under that name: `top 5 stocks by return in 2021`.
pub(crate) fn ranks_by_return(words: &[Word]) -> bool {
    const ENDS: [&str; 4] = ["top", "bottom", "highest", "lowest"];
    let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    says(&SHARES) && (says(&UTMOST) || says(&ENDS)) && names_return(words)
}

/// Whether the return of a price is named, and not one on equity or to shareholders.
fn names_return(words: &[Word]) -> bool {
    const RETURNS: [&str; 5] = ["return", "returns", "returned", "returning", "appreciation"];
    let is_total = words
        .windows(2)
        .any(|pair| pair[0].is("total") && pair[1].is_any(&RETURNS));
    let is_of_owners = words
        .iter()
        .any(|word| word.is_any(&["cash", "shareholders", "investors", "capital"]));
    let is_of_price = |at: usize| {
        let next = words.get(at + 1);
        words[at].is_any(&RETURNS)
            && !next.is_some_and(|next| next.is_any(&["on", "to", "cash", "capital", "of"]))
    };
    !is_total && !is_of_owners && (0..words.len()).any(is_of_price)
}

/// Whether a question ranks shares by one of their figures: `the lowest P/E`, `the largest oil companies`.
pub(crate) fn ranks_by_figure(words: &[Word]) -> bool {
    const FIGURES: [&[&str]; 19] = [
        &["pe"],
        &["p", "e"],
        &["price", "to", "earnings"],
        &["valuation"],
        &["valuations"],
        &["market", "cap"],
        &["market", "caps"],
        &["market", "value"],
        &["market", "capitalization"],
        &["market", "capitalisation"],
        &["yield"],
        &["yields"],
        &["yielding"],
        &["yielders"],
        &["payers"],
        &["payouts"],
        &["dividend"],
        &["dividends"],
        &["rsi"],
    ];
    /// These compare sizes without a figure.
    const SIZES: [&str; 5] = ["largest", "biggest", "smallest", "cheapest", "priciest"];
    const MOVING: [&str; 6] = ["mov", "gain", "los", "win", "perform", "swing"];
    const PAID: [&str; 7] = [
        "dividend",
        "dividends",
        "yield",
        "yields",
        "yielding",
        "yielders",
        "paying",
    ];
    let begins = |word: &Word| MOVING.iter().any(|stem| word.lower.starts_with(stem));
    if words.iter().any(|word| begins(word) || sign(word) != 0) {
        return false;
    }
    let is_sized = |at: usize| {
        let things = words.iter().skip(at + 1).take(4);
        words[at].is_any(&SIZES) && things.into_iter().any(|word| word.is_any(&SHARES))
    };
    // `best dividend payers`, `top 10 yielders`: it says what is best.
    let is_best_payer = |at: usize| {
        let mut things = words.iter().skip(at + 1).filter(|word| !word.is_number());
        let paid = |word: &Word| word.is_any(&PAID);
        words[at].is_any(&["best", "top", "fattest"]) && things.next().is_some_and(paid)
    };
    // `top 5 stocks by market cap`: it says what they are ranked by.
    let is_top_by = |at: usize| {
        words[at].is_any(&["top", "best"]) && words.iter().skip(at + 1).any(|word| word.is("by"))
    };
    let is_utmost = |at: usize| {
        let next = words.get(at + 1);
        words[at].is_any(&SIZES)
            || is_top_by(at)
            || is_best_payer(at)
            || words[at].is_any(&["highest", "lowest"])
            || words[at].is("most")
                && next.is_some_and(|next| next.is_any(&["expensive", "valuable"]))
    };
    let says = |phrase: &[&str]| {
        let mut windows = words.windows(phrase.len());
        windows.any(|window| window.iter().zip(phrase).all(|(word, said)| word.is(said)))
    };
    let all = || 0..words.len();
    all().any(is_sized) || all().any(is_utmost) && FIGURES.iter().any(|phrase| says(phrase))
}

/// Whether a question ranks anything by its price moves: `the best performing commodity`, `which coin lost the most`,
/// `is the dollar getting stronger`.
pub(crate) fn ranks_prices(words: &[Word]) -> bool {
    const COMPARING: [&str; 12] = [
        "best",
        "worst",
        "top",
        "strongest",
        "weakest",
        "stronger",
        "weaker",
        "gainer",
        "gainers",
        "loser",
        "losers",
        "strengthening",
    ];
    let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    let moves = words.iter().any(|word| sign(word) != 0)
        || words.iter().any(|word| word.lower.starts_with("perform"));
    says(&COMPARING)
        && !says(&["sell", "buy"])
        && (moves || says(&COMPARING[5..]) || says(&["best", "worst"]))
        || says(&["most", "least", "biggest", "largest"]) && moves
}

/// Whether sectors are ranked by their prices and not by their coverage.
pub(crate) fn is_by_price(words: &[Word]) -> bool {
    const WRITTEN: [&str; 9] = [
        "coverage",
        "sentiment",
        "news",
        "brief",
        "mention",
        "headline",
        "press",
        "talk",
        "bullish",
    ];
    const DOING: [&str; 16] = [
        "best",
        "worst",
        "perform",
        "outperform",
        "underperform",
        "return",
        "did",
        "done",
        "doing",
        "do",
        "lead",
        "leader",
        "lag",
        "price",
        "strong",
        "weak",
    ];
    let begins = |all: &[&str]| {
        let begins = |word: &Word| all.iter().any(|one| word.lower.starts_with(one));
        words.iter().any(begins)
    };
    !begins(&WRITTEN) && (begins(&DOING) || words.iter().any(|word| sign(word) != 0))
}

#[cfg(test)]
mod tests {
    use model::Day;

    use super::*;
    use crate::{sums, words};

    fn read(text: &str) -> Option<(Option<f64>, Option<f64>)> {
        let today = Day::parse("2026-11-23").unwrap();
        let words = words::cut(text);
        let amounts = verify::figures::mentions(text, today).amounts;
        let found = bounds(&words, &sums::counted(&words, &amounts))?;
        Some((found.above, found.below))
    }

    #[test]
    fn how_far_is_read_with_its_direction() {
        for (text, expected) in [
            (
                "which stocks fell more than 20% this year",
                Some((None, Some(-20.0))),
            ),
            (
                "shares that gained over 50 percent since January",
                Some((Some(50.0), None)),
            ),
            (
                "companies up at least 10% this month",
                Some((Some(10.0), None)),
            ),
            (
                "stocks that have lost half of their value",
                Some((None, Some(-50.0))),
            ),
            (
                "what stocks rose less than 5% in 2025",
                Some((Some(0.0), Some(5.0))),
            ),
            ("names that doubled this year", Some((Some(100.0), None))),
            ("stocks yielding more than 4%", None),
            ("is inflation above 3%", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn shares_are_ranked_by_a_figure_they_have() {
        let by_figure = |text: &str| ranks_by_figure(&words::cut(text));
        for text in [
            "which tech stock has the lowest PE",
            "the most expensive stock by P/E in healthcare",
            "what are the largest oil companies",
            "highest dividend yield in the utilities sector",
            "biggest companies by market cap",
            "highest dividend stocks",
            "best dividend payers in the S&P 500",
            "top 10 dividend stocks",
            "which companies pay the highest dividends",
            "stocks with the lowest P/E",
            "cheapest stocks by P/E",
        ] {
            assert!(by_figure(text), "{text}");
        }
        for text in [
            "biggest gainers today",
            "biggest stock moves",
            "which stock fell to the lowest valuation",
            "largest insider purchases",
            "highest inflation since 1980",
            "most expensive house",
            "biggest gainers this year",
            "best stock of the year",
        ] {
            assert!(!by_figure(text), "{text}");
        }
    }

    #[test]
    fn sectors_are_ranked_by_price_unless_the_coverage_is_meant() {
        let by_price = |text: &str| is_by_price(&words::cut(text));
        assert!(by_price("which sector did best this year"));
        assert!(by_price("worst performing sectors"));
        assert!(by_price("sectors that fell today"));
        assert!(!by_price("which sectors have the best coverage"));
        assert!(!by_price("most bullish sector in the news"));
    }
}
