//! Facts about a company that a question asks for and that are found in one place only, or nowhere here.
//!
//! `when did Apple split` is answered by its corporate actions, `who is the CEO of Nvidia` by the forms of its
//! insiders, `how much cash` by its statements. Figures that no source here has, such as deliveries, are named as well,
//! so that no other figure is given instead.

use std::ops::Range;
use std::sync::LazyLock;

use model::table;

use crate::intent::Intent;
use crate::subjects::Series;
use crate::words::Word;

const FILE: &str = include_str!("../data/facts.tsv");

/// A fact about a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Corporate actions of one type: `split`, `dividend`.
    Action(&'static str),
    /// Who holds an office, such as `Chief Executive Officer`.
    Office(&'static str),
    /// A figure from its statements, by the name of the field.
    Reported(&'static str),
    /// A figure that is not on record here, by its usual name: `deliveries`.
    Elsewhere(&'static str),
}

static PHRASES: LazyLock<Vec<(Vec<&str>, Fact)>> = LazyLock::new(|| {
    table::rows(FILE)
        .filter_map(|[kind, name, phrases]| {
            let fact = match kind {
                "action" => Fact::Action(name),
                "office" => Fact::Office(name),
                "reported" => Fact::Reported(name),
                "elsewhere" => Fact::Elsewhere(name),
                _ => return None,
            };
            Some(
                phrases
                    .split('|')
                    .map(move |one| (one.split(' ').collect(), fact)),
            )
        })
        .flatten()
        .collect()
});

/// The fact that a question asks for; of several phrases the longest, of equally long ones the first. Names say
/// nothing.
pub(crate) fn asked(words: &[Word], is_name: &[bool]) -> Option<Fact> {
    let mut best: Option<(usize, usize, Fact)> = None;
    for (phrase, fact) in &*PHRASES {
        let found = (0..words.len()).find(|at| matches(phrase, words, is_name, *at));
        if let Some(at) = found
            && best.is_none_or(|(length, first, _)| {
                phrase.len() > length || phrase.len() == length && at < first
            })
        {
            best = Some((phrase.len(), at, *fact));
        }
    }
    best.map(|(.., fact)| fact)
        .filter(|fact| !is_spoken_of_otherwise(*fact, words))
}

/// Whether a phrase begins at a word; `_` stands for one or more words of a name.
fn matches(phrase: &[&str], words: &[Word], is_name: &[bool], at: usize) -> bool {
    let mut place = at;
    for piece in phrase {
        if *piece == "_" {
            let name = is_name.get(place..).unwrap_or_default();
            let length = name.iter().take_while(|is_name| **is_name).count();
            if length == 0 {
                return false;
            }
            place += length;
            continue;
        }
        let is_said = words
            .get(place)
            .is_some_and(|word| match piece.strip_suffix('*') {
                Some(beginning) => word.lower.starts_with(beginning),
                None => word.is(piece),
            });
        if !is_said || is_name[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// `did the CEO sell shares` is about trades, `split between Apple and Tesla` about a portfolio, and `dividend stocks`
/// about many companies.
fn is_spoken_of_otherwise(fact: Fact, words: &[Word]) -> bool {
    let says = |beginnings: &[&str]| {
        let begins = |word: &Word| beginnings.iter().any(|one| word.lower.starts_with(one));
        words.iter().any(begins)
    };
    match fact {
        Fact::Office(_) => says(&[
            "sell", "sold", "buy", "bought", "purchas", "trade", "trading", "share", "cash",
            "dump", "say", "said", "step", "resign", "fire", "quit", "leav", "left", "replace",
            "think",
        ]),
        Fact::Action("split") => says(&["between", "evenly", "equally", "fifty", "portfolio"]),
        Fact::Reported("cash") => says(&["cashing", "cash-", "flow", "out"]),
        _ => false,
    }
}

const UNHELD_FILE: &str = include_str!("../data/unheld.tsv");

/// An economic figure that no source here has.
struct Unheld {
    /// Its usual name.
    name: &'static str,
    /// The series on record that comes closest.
    beside: Option<Series>,
    phrases: Vec<Vec<&'static str>>,
}

static UNHELD: LazyLock<Vec<Unheld>> = LazyLock::new(|| {
    table::rows(UNHELD_FILE)
        .map(|[name, beside, phrases]| Unheld {
            name,
            beside: (beside != "-").then_some(Series::Known(beside)),
            phrases: phrases
                .split('|')
                .map(|one| one.split(' ').collect())
                .collect(),
        })
        .collect()
});

/// The economic figure that a question asks for and no source here has, the series on record that stands in for it, and
/// which words name it.
pub(crate) fn of_economy(words: &[Word]) -> Option<(Fact, Option<Series>, Range<usize>)> {
    let is_name = vec![false; words.len()];
    UNHELD.iter().find_map(|one| {
        let place = one.phrases.iter().find_map(|phrase| {
            let at = (0..words.len()).find(|at| matches(phrase, words, &is_name, *at))?;
            Some(at..at + phrase.len())
        })?;
        Some((Fact::Elsewhere(one.name), one.beside, place))
    })
}

/// Upcoming offerings, which no source here schedules.
const OFFERINGS: [&[&str]; 3] = [&["ipo"], &["ipos"], &["initial", "public", "offering*"]];

/// Whether a question asks for the dates of upcoming offerings.
pub(crate) fn unscheduled(words: &[Word]) -> Option<Fact> {
    // Words with them that ask for dates.
    const DATES: [&str; 19] = [
        "upcoming",
        "next",
        "coming",
        "calendar",
        "scheduled",
        "schedule",
        "pipeline",
        "planned",
        "expected",
        "soon",
        "when",
        "date",
        "dates",
        "week",
        "month",
        "tomorrow",
        "ahead",
        "which",
        "any",
    ];
    // The past, reports about it, and rankings of it.
    const OVER: [&str; 25] = [
        "last",
        "past",
        "recent",
        "recently",
        "latest",
        "did",
        "was",
        "were",
        "ago",
        "went",
        "news",
        "headlines",
        "best",
        "worst",
        "performed",
        "performing",
        "returned",
        "raised",
        "priced",
        "gained",
        "fell",
        "rose",
        "doubled",
        "largest",
        "biggest",
    ];
    // `recent IPOs`, with nothing else said.
    const NEW: [&str; 6] = ["recent", "latest", "newest", "new", "last", "the"];
    if let Some((last, before)) = words.split_last()
        && last.is("ipos")
        && !before.is_empty()
        && before.iter().all(|word| word.is_any(&NEW))
    {
        return Some(Fact::Elsewhere("lists of initial public offerings"));
    }
    if words.iter().any(|word| word.is_any(&OVER)) {
        return None;
    }
    let is_name = vec![false; words.len()];
    let is_at = |phrase: &&[&str], at| matches(phrase, words, &is_name, at);
    let said = |phrase| (0..words.len()).any(|at| is_at(phrase, at));
    // `IPOs?`, with nothing else said.
    let is_all = |phrase: &&[&str]| phrase.len() == words.len() && is_at(phrase, 0);
    let is_asked = words.iter().any(|word| word.is_any(&DATES)) || OFFERINGS.iter().any(is_all);
    (is_asked && OFFERINGS.iter().any(said)).then_some(Fact::Elsewhere(
        "dates of upcoming initial public offerings",
    ))
}

impl Fact {
    /// What a question about the fact wants, if its words were read as these intents; `None` if it wants something
    /// else.
    pub(crate) fn wishes(self, intents: &[Intent]) -> Option<Vec<Intent>> {
        // A fact that no source has is never answered by another, unless a cause, a verdict or a list is asked for.
        const STRICT: [Intent; 8] = [
            Intent::Verification,
            Intent::WhyMoved,
            Intent::Portfolio,
            Intent::Correlation,
            Intent::Screener,
            Intent::Movers,
            Intent::Comparison,
            Intent::Unclear,
        ];
        // Intents as which the words for such facts are read when nothing else is asked.
        const LOOSE: [Intent; 10] = [
            Intent::Outlook,
            Intent::Fundamentals,
            Intent::Performance,
            Intent::Price,
            Intent::Earnings,
            Intent::News,
            Intent::Topic,
            Intent::Events,
            Intent::Insider,
            Intent::Technicals,
        ];
        if matches!(self, Self::Elsewhere(_) | Self::Office(_)) {
            let is_strict = intents.iter().any(|intent| STRICT.contains(intent));
            let wish = if matches!(self, Self::Office(_)) {
                Intent::Insider
            } else {
                Intent::News
            };
            return (!is_strict).then(|| vec![wish]);
        }
        let is_loose = intents.iter().all(|intent| LOOSE.contains(intent));
        let is_assessed = intents.contains(&Intent::Outlook) && intents.len() > 1;
        let asks_figures = intents.contains(&Intent::Fundamentals);
        if !is_loose || is_assessed {
            return None;
        }
        match self {
            Self::Action("split") => Some(vec![Intent::Fundamentals]),
            Self::Action(_) => asks_figures.then(|| vec![Intent::Fundamentals]),
            Self::Reported(_) => asks_figures.then(|| intents.to_vec()),
            Self::Office(_) | Self::Elsewhere(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn read(text: &str) -> Option<Fact> {
        let words = words::cut(text);
        let is_name: Vec<bool> = words
            .iter()
            .map(|word| word.is_any(&["apple", "tesla", "netflix"]))
            .collect();
        asked(&words, &is_name)
    }

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 3, 2), None);
        let phrases: usize = table::rows(FILE)
            .map(|[_, _, all]| all.split('|').count())
            .sum();
        assert_eq!(PHRASES.len(), phrases);
        assert_eq!(table::fault(UNHELD_FILE, 3, 1), None);
        for one in &*UNHELD {
            if let Some(Series::Known(code)) = one.beside {
                assert!(verify::figures::KnownSeries::find(code).is_some(), "{code}");
            }
        }
    }

    #[test]
    fn facts_are_found_by_what_is_said_of_them() {
        for (text, expected) in [
            (
                "when was the last split of Apple",
                Some(Fact::Action("split")),
            ),
            (
                "has Apple ever split its stock",
                Some(Fact::Action("split")),
            ),
            ("dividend history of Apple", Some(Fact::Action("dividend"))),
            (
                "who is the CEO of Apple",
                Some(Fact::Office("Chief Executive Officer")),
            ),
            (
                "who runs Apple",
                Some(Fact::Office("Chief Executive Officer")),
            ),
            ("did the CEO of Apple sell shares", None),
            ("a portfolio split between Apple and Tesla", None),
            (
                "how much cash does Apple have",
                Some(Fact::Reported("cash")),
            ),
            (
                "free cash flow of Apple",
                Some(Fact::Reported("free_cash_flow")),
            ),
            (
                "gross margin of Apple",
                Some(Fact::Reported("gross_margin")),
            ),
            ("is Musk cashing out of Tesla", None),
            (
                "how many deliveries did Tesla have",
                Some(Fact::Elsewhere("deliveries")),
            ),
            (
                "how many subscribers does Netflix have",
                Some(Fact::Elsewhere("subscribers")),
            ),
            (
                "where is Apple based",
                Some(Fact::Elsewhere("headquarters")),
            ),
            ("how is Apple doing", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_that_no_source_has_are_found_by_what_is_said_of_them() {
        for (text, is_one) in [
            ("upcoming IPOs", true),
            ("any IPOs this week?", true),
            ("IPO calendar", true),
            ("IPOs", true),
            ("when is the next initial public offering", true),
            ("recent IPOs", true),
            ("latest IPO news", false),
            ("how did IPOs of 2021 do", false),
            ("IPOs of last week", false),
            ("which IPOs performed best this year", false),
            ("any news on IPOs", false),
            ("which IPOs raised the most this month", false),
            ("any of the biggest IPOs this week", false),
            ("upcoming earnings", false),
        ] {
            let found = unscheduled(&words::cut(text));
            assert_eq!(found.is_some(), is_one, "{text}");
        }
    }

    #[test]
    fn a_fact_gives_way_to_what_else_is_asked() {
        let split = Fact::Action("split");
        assert_eq!(
            split.wishes(&[Intent::News]),
            Some(vec![Intent::Fundamentals])
        );
        assert_eq!(split.wishes(&[Intent::WhyMoved]), None);
        let deliveries = Fact::Elsewhere("deliveries");
        assert_eq!(
            deliveries.wishes(&[Intent::Performance]),
            Some(vec![Intent::News])
        );
        assert_eq!(deliveries.wishes(&[Intent::Verification]), None);
    }
}
