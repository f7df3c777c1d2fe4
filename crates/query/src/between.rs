//! What a question wants from two prices on one day: how many times one is the other, or how far apart they are.
//!
//! `the gold/silver ratio`, `the spread of Brent over WTI`. Which of the two did better is a comparison of their
//! performance over a period, and is not read here.

use std::ops::Range;

use crate::subjects::{Series, is_commodity, is_index};
use crate::words::Word;

/// What is wanted from two prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// How many times the second price the first one is.
    Ratio,
    /// The first minus the second.
    Difference,
}

/// Two prices for which a single figure is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between {
    /// Which figure.
    pub relation: Relation,
    /// The two series, in the order in which the figure takes them.
    pub of: [Series; 2],
    /// The units in which both are counted, if the question counts: `how many ounces of silver buy an ounce of gold`.
    pub units: [Option<&'static str>; 2],
}

impl Relation {
    /// Its word in sentences.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Difference => "difference",
        }
    }
}

const RATIO: [&str; 3] = ["ratio", "ratios", "divided"];
const DIFFERENCE: [&str; 8] = [
    "spread",
    "spreads",
    "difference",
    "differential",
    "minus",
    "premium",
    "discount",
    "gap",
];

/// The figure of two prices that a question wants; of the names in it, it takes commodities and indices, if there are
/// two.
pub(crate) fn asked(words: &[Word], named: &[(Series, Range<usize>)]) -> Option<Between> {
    let mut named: Vec<&(Series, Range<usize>)> = named.iter().collect();
    named.sort_by_key(|(_, range)| range.start);
    named.dedup_by_key(|(series, _)| *series);
    let [(first, one), (second, other)] = named[..] else {
        // `the Brent-WTI spread` is a single series in claims.
        return match named[..] {
            [(Series::Known("brent_wti"), _)] => Some(Between {
                relation: Relation::Difference,
                of: [Series::Known("brent"), Series::Known("crude")],
                units: [None, None],
            }),
            _ => None,
        };
    };
    let is_priced = |series: Series| is_commodity(series) || is_index(series);
    if !is_priced(*first) || !is_priced(*second) {
        return None;
    }
    let is_name = |at: usize| one.contains(&at) || other.contains(&at);
    let says = |all: &[&str]| (0..words.len()).any(|at| words[at].is_any(all) && !is_name(at));
    let relation = if says(&RATIO) || asks_amount(words, one) {
        Relation::Ratio
    } else if says(&DIFFERENCE) || asks_how_far(words, one, other) {
        Relation::Difference
    } else {
        return None;
    };
    // `how many ounces of silver buy one of gold`: how many times the price of the second.
    let (of, units) = if asks_amount(words, one) {
        let units = [unit_before(words, other), unit_before(words, one)];
        ([*second, *first], units)
    } else {
        ([*first, *second], [None, None])
    };
    Some(Between {
        relation,
        of,
        units,
    })
}

/// The unit before a name, as prices use it: `an ounce of gold`.
fn unit_before(words: &[Word], name: &Range<usize>) -> Option<&'static str> {
    const UNITS: [(&str, &[&str]); 8] = [
        ("ounce", &["ounce", "ounces", "oz"]),
        ("barrel", &["barrel", "barrels"]),
        ("pound", &["pound", "pounds"]),
        ("bushel", &["bushel", "bushels"]),
        ("gallon", &["gallon", "gallons"]),
        (
            "kilogram",
            &["kilogram", "kilograms", "kilo", "kilos", "kg"],
        ),
        ("gram", &["gram", "grams"]),
        ("ton", &["ton", "tons", "tonne", "tonnes"]),
    ];
    let [unit, of] = words.get(name.start.checked_sub(2)?..name.start)? else {
        return None;
    };
    let mut units = UNITS.iter().filter(|_| of.is("of"));
    units.find_map(|(stem, written)| unit.is_any(written).then_some(*stem))
}

/// `how far was WTI below Brent`, `how much cheaper was corn than wheat`, but not how far both rose.
fn asks_how_far(words: &[Word], one: &Range<usize>, other: &Range<usize>) -> bool {
    const APART: [&str; 9] = [
        "above", "below", "over", "under", "than", "cheaper", "dearer", "apart", "pricier",
    ];
    const MOVES: [&str; 14] = [
        "rise", "rose", "fall", "fell", "gain", "gained", "lose", "lost", "drop", "dropped",
        "grow", "grew", "move", "moved",
    ];
    let asks = words
        .windows(2)
        .any(|pair| pair[0].is("how") && pair[1].is_any(&["far", "much"]));
    let says = |all: &[&str]| {
        let mut places = words.iter().enumerate();
        places.any(|(at, word)| word.is_any(all) && !one.contains(&at) && !other.contains(&at))
    };
    asks && says(&APART) && !says(&MOVES)
}

/// `how many ounces of` before the first name.
fn asks_amount(words: &[Word], first: &Range<usize>) -> bool {
    let asks = words
        .windows(2)
        .any(|pair| pair[0].is("how") && pair[1].is("many"));
    asks && unit_before(words, first).is_some()
}

#[cfg(test)]
mod tests {
    use model::Day;

    use super::*;
    use crate::{Names, read};

    #[test]
    fn a_figure_of_two_prices_is_read_with_its_order() {
        use Relation::{Difference, Ratio};

        let check = |question: &str, expected: Option<(Relation, &str, &str)>| {
            let today = Day::parse("2026-11-26").unwrap();
            let found = read(question, today, &Names::new([])).between;
            let found = found.map(|found| {
                let [one, other] = found.of.map(|series| match series {
                    Series::Known(code) => code,
                    Series::Pair(..) => "pair",
                });
                (found.relation, one, other)
            });
            assert_eq!(found, expected, "{question}");
        };
        check(
            "What is the gold/silver ratio?",
            Some((Ratio, "gold", "silver")),
        );
        check(
            "ratio of gold to silver on 2 January 2020",
            Some((Ratio, "gold", "silver")),
        );
        check("silver to gold ratio", Some((Ratio, "silver", "gold")));
        check(
            "How many ounces of silver did it take to buy an ounce of gold on 2 January 2020?",
            Some((Ratio, "gold", "silver")),
        );
        check(
            "How many pounds of copper buy an ounce of gold?",
            Some((Ratio, "gold", "copper")),
        );
        check(
            "difference between wheat and corn in May 2021",
            Some((Difference, "wheat", "corn")),
        );
        check(
            "Brent-WTI spread on 2 January 2020",
            Some((Difference, "brent", "crude")),
        );
        check(
            "How far was WTI below Brent on 2 January 2020?",
            Some((Difference, "crude", "brent")),
        );
        check("how much more did gold gain than silver in 2020", None);
        check("did gold or silver do better in 2020?", None);
        check("What is the 2s10s spread?", None);
        check("gold price", None);
    }
}
