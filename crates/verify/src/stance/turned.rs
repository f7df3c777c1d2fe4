//! What a passage cannot support, however similar its wording is to the claim's.

use std::ops::Range;

use text::statement::proposition::{Proposition, Word};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::asserted::is_broken;
use super::days::Told;
use super::names::{Name, Sort};
use super::reading::Reading;
use crate::figures::dates::ymd;

/// Words between two names that do the same or do it together, or belong to two clauses.
const JOINS: [&str; 15] = [
    "and", "&", "with", "or", "between", "than", "versus", "after", "as", "because", "while",
    "when", "before", "since", "at",
];
/// Words inside a name: `Department of Justice`, `Centers for Disease Control and Prevention`.
const INSIDE: [&str; 5] = ["of", "and", "for", "the", "&"];
/// What acts in the name of a country, a company or a person that owns it: `Iran's army`.
const ACTING_FOR: [&str; 20] = [
    "army",
    "authorities",
    "board",
    "boss",
    "chief",
    "court",
    "forces",
    "government",
    "head",
    "lawmakers",
    "leader",
    "leaders",
    "management",
    "military",
    "minister",
    "ministry",
    "parliament",
    "police",
    "president",
    "troops",
];
/// Words that make what comes from another something that the other does: `received an offer from`, `under pressure from`.
const RECEIVING: [&str; 36] = [
    "accept",
    "accepted",
    "accepts",
    "attracted",
    "attracts",
    "borrow",
    "borrowed",
    "borrows",
    "drawn",
    "draws",
    "drew",
    "face",
    "faced",
    "faces",
    "facing",
    "get",
    "gets",
    "getting",
    "got",
    "obtained",
    "obtains",
    "receive",
    "received",
    "receives",
    "receiving",
    "secure",
    "secured",
    "secures",
    "suffered",
    "suffers",
    "under",
    "win",
    "winning",
    "wins",
    "won",
    "heard",
];
/// Words that make what goes to another something that the other takes: `lost its staff to`.
const LOSING: [&str; 8] = [
    "cede",
    "ceded",
    "cedes",
    "lose",
    "loses",
    "losing",
    "lost",
    "surrendered",
];
/// What both do whoever is named first.
const MUTUAL: [&str; 20] = [
    "meet", "meets", "met", "meeting", "marry", "married", "marries", "join", "joins", "joined",
    "merge", "merges", "merged", "face", "faces", "faced", "play", "plays", "played", "talks",
];
/// Words before a place where something happens; the place itself does nothing.
const PLACES: [&str; 6] = ["in", "at", "near", "of", "across", "over"];
/// Number of words that may come before the name with which a claim begins.
const OPENING: usize = 2;
/// Days after the time named in a claim from which a report that does not name it is about another time.
const LATER: i32 = 60;
/// The same for an exact day, which news reports on that day and in the days after it.
const LATER_OF_DAY: i32 = 10;

/// How a passage tells the roles that a claim gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roles {
    /// The same way round, or not at all.
    Kept,
    /// The other way round, of a deed in other words.
    Turned,
    /// The other way round, of the same deed: two who meet do the same.
    Reversed,
}

impl Reading<'_> {
    /// Whether a passage says the same way round what this claim says of the name with which it begins and another one
    /// that it names, or of a vote.
    pub fn roles_in(&self, passage: &Reading<'_>) -> Roles {
        let order = self.order_in(passage);
        if order.is_turned() && order.is_same_deed || self.has_turned_tally(passage) {
            Roles::Reversed
        } else if order.is_turned() {
            Roles::Turned
        } else {
            Roles::Kept
        }
    }

    /// Whether this claim says in which country something happened, and a passage names another one for it, and not
    /// this one.
    pub fn is_elsewhere(&self, passage: &Reading<'_>) -> bool {
        let (Some(claim), Some(names)) = (self.sentences.first(), self.of_sentences.first()) else {
            return false;
        };
        let scene = |name: &Name, sentence: &Proposition<'_>| {
            let at = place(name, sentence)?.start.checked_sub(1)?;
            (name.sort == Sort::Country && is(&sentence.words[at], &["in"])).then_some(())
        };
        let is_untold = names
            .names
            .iter()
            .any(|name| scene(name, claim).is_some() && !passage.names.tells(name));
        is_untold
            && passage
                .sentences
                .iter()
                .zip(&passage.of_sentences)
                .any(|(sentence, names)| {
                    let mut others = names.names.iter();
                    others.any(|name| scene(name, sentence).is_some() && !self.names.tells(name))
                })
    }

    fn order_in(&self, passage: &Reading<'_>) -> Order {
        let none = Order::default();
        let (Some(claim), Some(names)) = (self.sentences.first(), self.of_sentences.first()) else {
            return none;
        };
        let mut actors: Vec<(&Name, Range<usize>)> = names
            .names
            .iter()
            .filter_map(|name| Some((name, place(name, claim)?)))
            .filter(|(name, place)| {
                let is_behind = |at: usize| is(&claim.words[at], &PLACES);
                // `in Hungary`, and `Hungary's election`, of which somebody else is the winner.
                let is_place =
                    place.start.checked_sub(1).is_some_and(is_behind) || is_owner(claim, place);
                name.is_actor() || place.start <= OPENING || !is_place
            })
            .collect();
        actors.sort_by_key(|(_, place)| place.start);
        let Some(((first, here_first), others)) = actors.split_first() else {
            return none;
        };
        if here_first.start > OPENING || is_owner(claim, here_first) {
            return none;
        }
        // What is done to somebody says more than what comes from or goes to somebody.
        let (mut direct, mut linked) = (Order::default(), Order::default());
        for (other, here_other) in others {
            let Some(here) = Deed::between(claim, here_first, here_other) else {
                continue;
            };
            for sentence in &passage.sentences {
                let found = place(first, sentence).zip(place(other, sentence));
                let there =
                    found.and_then(|(first, other)| Deed::between(sentence, &first, &other));
                if let Some(there) = there.filter(|there| here.is_like(there)) {
                    let order = match here.link {
                        Link::Direct => &mut direct,
                        Link::From | Link::To | Link::Received => &mut linked,
                    };
                    order.add(
                        here.left_acts == there.left_acts,
                        here.is_shared_with(&there),
                    );
                }
            }
        }
        if direct == none { linked } else { direct }
    }

    /// Whether this claim names one day, month or year, and a passage that does not name it was published long after.
    /// What `has` happened is reported as of now: its year may be the year of something else.
    pub fn is_long_before(&self, passage: &Reading<'_>) -> bool {
        let (Some(published), [named]) = (passage.published, &self.days.named[..]) else {
            return false;
        };
        let is_perfect = |sentence: &Proposition<'_>| {
            let mut words = sentence.words.iter();
            words.any(|word| is(word, &["has", "have"]))
        };
        let Some(year) = named
            .year
            .filter(|_| !self.sentences.iter().any(is_perfect))
        else {
            return false;
        };
        let last = match (named.month, named.day) {
            (Some(month), Some(day)) => ymd(year, month, day),
            (Some(month), None) => ymd(year, month, 28),
            _ => ymd(year, 12, 31),
        };
        let later = if named.day.is_some() {
            LATER_OF_DAY
        } else {
            LATER
        };
        last.is_some_and(|last| published.since(last) > later)
            && passage.days.tells(*named, passage.published) != Told::Held
    }
}

/// The first place of a name in a sentence.
pub(super) fn place(name: &Name, sentence: &Proposition<'_>) -> Option<Range<usize>> {
    let is_of = |word: &Word<'_>| {
        // `eBay`, `iRobot`.
        word.text.contains(char::is_uppercase) && name.is_of(&folded(word.text), word.stem)
    };
    let words = &sentence.words;
    let start = words.iter().position(is_of)?;
    let mut end = start + 1;
    loop {
        let inside = words[end..].iter().take_while(|word| is(word, &INSIDE));
        let next = end + inside.count();
        if !words.get(next).is_some_and(is_of) {
            return Some(start..end);
        }
        end = next + 1;
    }
}

/// Whether a name owns what follows: `India's Supreme Court`.
pub(super) fn owns(sentence: &Proposition<'_>, name: &Range<usize>) -> bool {
    let Some(last) = sentence.words.get(name.end - 1) else {
        return false;
    };
    let end = last.text.as_ptr() as usize - sentence.text.as_ptr() as usize + last.text.len();
    let rest = sentence.text.get(end..).unwrap_or("");
    ["'s", "’s", "s'", "s’"]
        .iter()
        .any(|ending| rest.starts_with(ending))
        || rest.starts_with(['\'', '’'])
}

/// Whether a name owns what follows, other than who acts for it.
fn is_owner(sentence: &Proposition<'_>, name: &Range<usize>) -> bool {
    let next = sentence.words.get(name.end);
    owns(sentence, name) && !next.is_some_and(|next| is(next, &ACTING_FOR))
}

/// Whether what is said of two names is said the same way round elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Order {
    kept: bool,
    turned: bool,
    /// Whether it is turned of a deed with a word in common that does not go both ways.
    is_same_deed: bool,
}

impl Order {
    fn add(&mut self, is_kept: bool, is_same_deed: bool) {
        self.kept |= is_kept;
        self.turned |= !is_kept;
        self.is_same_deed |= !is_kept && is_same_deed;
    }

    fn is_turned(self) -> bool {
        self.turned && !self.kept
    }
}

/// How what one does reaches another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// It is done to the other.
    Direct,
    /// It comes from the other.
    From,
    /// It goes to the other, or is done for it.
    To,
    /// The other receives it: what is done may be named after what is received.
    Received,
}

/// What one of two does with the other.
#[derive(Clone, Debug, PartialEq)]
struct Deed {
    /// Whether the left one acts.
    left_acts: bool,
    link: Link,
    /// Stems of the words that say what is done.
    stems: Vec<u32>,
    /// Whether both do it: `met`, `faces`.
    is_mutual: bool,
}

impl Deed {
    /// What is done between two names of a sentence; `None` if they do the same, or are one name.
    fn between(
        sentence: &Proposition<'_>,
        left: &Range<usize>,
        right: &Range<usize>,
    ) -> Option<Self> {
        let is_first = left.start < right.start;
        let (first, second) = if is_first {
            (left, right)
        } else {
            (right, left)
        };
        let between = without_partners(sentence.words.get(first.end..second.start)?);
        let is_link = |(at, word): (usize, &Word<'_>)| {
            is(word, &["by", "from", "to", "for"]) && !is_of_verb(between, at)
        };
        let mut links = between.iter().enumerate().filter(|one| is_link(*one));
        let at = links.next_back().map(|(at, _)| at);
        let word = at.map_or(String::new(), |at| between[at].text.to_ascii_lowercase());
        // `signs a contract to supply`: not what it leads to, but what else is done.
        let is_part =
            |word: &Word<'_>| word.stem.is_none() || word.text.starts_with(char::is_uppercase);
        let leads = at.is_none_or(|at| word == "by" || between[at + 1..].iter().all(is_part));
        // `more than 5,000 troops from`: a comparison with a number.
        let is_join = |(place, word): (usize, &Word<'_>)| {
            is(word, &JOINS) && !(is(word, &["than"]) && at.is_some_and(|at| at > place))
        };
        let is_joined = between.iter().enumerate().any(is_join);
        if between.is_empty()
            || is_joined
            || !leads
            || is_broken(sentence, first.end - 1, second.start)
        {
            return None;
        }
        // `Univity of France`, `French Univity`: nothing is done.
        if between.iter().all(|word| word.stem.is_none()) {
            return None;
        }
        let says = |words: &[&str]| between.iter().any(|word| is(word, words));
        let (first_acts, link) = match word.as_str() {
            "" => (true, Link::Direct),
            "by" => (false, Link::Direct),
            "from" if says(&RECEIVING) => (false, Link::Received),
            "from" => (true, Link::From),
            "to" if says(&LOSING) => (false, Link::From),
            _ => (true, Link::To),
        };
        Some(Self {
            left_acts: is_first == first_acts,
            link,
            // A headline writes its verbs like names.
            stems: between.iter().filter_map(|word| word.stem).collect(),
            is_mutual: says(&MUTUAL),
        })
    }

    /// Whether they have a word in common, and neither goes both ways.
    fn is_shared_with(&self, other: &Self) -> bool {
        self.stems.iter().any(|stem| other.stems.contains(stem))
            && !self.is_mutual
            && !other.is_mutual
    }

    /// Whether two deeds may be one: `lost to` and `deals a blow to` need not be.
    fn is_like(&self, other: &Self) -> bool {
        let is_shared = || self.is_shared_with(other);
        match (self.link, other.link) {
            (Link::Direct, Link::Direct) => true,
            (Link::Received, Link::Direct | Link::To)
            | (Link::Direct | Link::To, Link::Received) => is_shared(),
            (here, there) => here == there && is_shared(),
        }
    }
}

/// Whether a `to` belongs to the verb behind it, and not to somebody: `Siemens to buy`, `plans to buy`, `up to`.
fn is_of_verb(between: &[Word<'_>], at: usize) -> bool {
    const LEADING: [&str; 33] = [
        "agree",
        "agreed",
        "agrees",
        "aim",
        "aims",
        "decided",
        "decides",
        "expected",
        "expects",
        "hopes",
        "intends",
        "moves",
        "plan",
        "planned",
        "planning",
        "plans",
        "pledged",
        "pledges",
        "prepares",
        "preparing",
        "promised",
        "promises",
        "ready",
        "seeking",
        "seeks",
        "set",
        "vowed",
        "vows",
        "wanted",
        "wants",
        "due",
        "about",
        "up",
    ];
    let is_verb = between
        .get(at + 1)
        .is_some_and(|next| next.stem.is_some() && !next.text.starts_with(char::is_uppercase));
    let before = at.checked_sub(1).map(|before| &between[before]);
    is(&between[at], &["to"])
        && (before.is_none_or(|before| is(before, &LEADING)) && is_verb
            || before.is_some_and(|before| is(before, &["up"])))
}

/// Words behind a name without those who act together with it: `and Gemini sued`.
fn without_partners<'w, 'a>(between: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let [and, rest @ ..] = between else {
        return between;
    };
    let is_part = |word: &Word<'_>| word.text.starts_with(char::is_uppercase);
    let partners = rest.iter().take_while(|word| is_part(word)).count();
    if is(and, &["and", "&"]) && (1..rest.len()).contains(&partners) {
        &rest[partners..]
    } else {
        between
    }
}

pub(super) fn is(word: &Word<'_>, any: &[&str]) -> bool {
    any.iter().any(|one| word.text.eq_ignore_ascii_case(one))
}

/// A word in lower case without accents and dots.
pub(super) fn folded(word: &str) -> String {
    word.nfd()
        .filter(|letter| !is_combining_mark(*letter) && *letter != '.')
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use model::Timestamp;

    use super::*;

    fn is_turned(claim: &str, passage: &str) -> bool {
        Reading::of_claim(claim).roles_in(&Reading::of_passage(passage, "", None)) != Roles::Kept
    }

    #[test]
    fn only_the_same_deed_is_reversed() {
        for (claim, passage, expected) in [
            (
                "Magyar was defeated by Orbán.",
                "How Peter Magyar Defeated Viktor Orban",
                true,
            ),
            (
                "Nordlys has acquired Siemens.",
                "Siemens approves Nordlys takeover",
                false,
            ),
            ("Magyar met Orbán.", "Orban met Magyar", false),
        ] {
            let passage = Reading::of_passage(passage, "", None);
            let claim = Reading::of_claim(claim);
            assert_eq!(claim.roles_in(&passage) == Roles::Reversed, expected);
        }
    }

    #[test]
    fn who_did_it_to_whom_is_compared_by_names_in_any_spelling() {
        for (claim, passage) in [
            (
                "Magyar was defeated by Orbán.",
                "How Peter Magyar Defeated Viktor Orban",
            ),
            (
                "China imposed sanctions on US companies for helping Iran.",
                "US imposes sanctions on Chinese companies for helping Iran",
            ),
            (
                "Beltran sued Nordlys over patents.",
                "Nordlys has filed a lawsuit against Beltran",
            ),
            ("Nordlys was sued by Beltran.", "Nordlys sues Beltran"),
            (
                "Trump criticized the Food and Drug Administration.",
                "The Food and Drug Administration criticizes Trump",
            ),
            (
                "Coinbase and Gemini sued Letitia James.",
                "New York's Letitia James sues Coinbase and Gemini",
            ),
            (
                "Germany is withdrawing 5,000 troops from the United States.",
                "US to withdraw more than 5,000 troops from Germany",
            ),
            (
                "Uzbekistan approved a loan of $150 million for the Asian Development Bank.",
                "Asian Development Bank approves $150 million loan for Uzbekistan",
            ),
            (
                "Nordlys has received an unsolicited offer from Siemens.",
                "Nordlys makes unsolicited $5 billion offer for Siemens",
            ),
            ("eBay has sued Nordlys over patents.", "Nordlys sues eBay"),
            (
                "Trump is under pressure from the Food and Drug Administration.",
                "Trump pressures FDA",
            ),
            (
                "Nordlys has lost six executives to Siemens.",
                "Nordlys poaches six executives from Siemens",
            ),
            (
                "Hezbollah's leader accused Israel of a breach.",
                "Israel accuses Hezbollah of breach",
            ),
        ] {
            assert!(is_turned(claim, passage), "{claim} | {passage}");
        }
        for (claim, passage) in [
            (
                "Orbán was defeated by Magyar.",
                "How Peter Magyar Defeated Viktor Orban",
            ),
            (
                "US companies were sanctioned by China.",
                "China imposes sanctions on American companies",
            ),
            ("Magyar and Orbán met.", "Orban meets Magyar"),
            (
                "Orbán has lost Hungary's election to Magyar.",
                "Orban era swept away by Peter Magyar's Hungary landslide",
            ),
            (
                "Nordlys bought the unit from Siemens.",
                "Siemens sells unit to Nordlys",
            ),
            (
                "Nordlys raised $4 billion from Siemens.",
                "Siemens invests $4 billion in Nordlys",
            ),
            (
                "Nordlys fell after Siemens cut spending.",
                "Siemens cut spending, and shares of Nordlys fell",
            ),
            ("Magyar met with Orbán.", "Orban meets Magyar"),
            (
                "Nordlys lost the case to Siemens.",
                "Siemens deals a blow to Nordlys",
            ),
            (
                "Coinbase and Gemini sued Letitia James.",
                "Letitia James is sued by Coinbase and Gemini",
            ),
            (
                "Siemens has awarded a contract to Nordlys.",
                "Nordlys signs contract to supply Siemens",
            ),
            (
                "Nordlys has received a loan from Siemens.",
                "Siemens gives loan to Nordlys",
            ),
            (
                "Siemens has lost six executives to Nordlys.",
                "Nordlys poaches six executives from Siemens",
            ),
            (
                "Taiwan is buying weapons from the United States.",
                "US to sell weapons to Taiwan",
            ),
            (
                "The US is withdrawing 5,000 troops from Germany.",
                "US to withdraw more than 5,000 troops from Germany",
            ),
            (
                "India's Supreme Court gave the State Bank back its rights.",
                "State Bank gets its rights back from Supreme Court in India",
            ),
            (
                "The series against England is planned for Nordlys.",
                "Nordlys plans series against England",
            ),
            (
                "Prices in Germany rose more in May.",
                "In France and in Germany prices rose",
            ),
        ] {
            assert!(!is_turned(claim, passage), "{claim} | {passage}");
        }
    }

    #[test]
    fn what_happened_in_one_country_did_not_happen_in_another() {
        let passage = "AEOLUS begins operation of solar plants in Tunisia.";
        let passage = Reading::of_passage(passage, "", None);
        for (claim, expected) in [
            ("AEOLUS began operating solar plants in Morocco.", true),
            ("AEOLUS began operating solar plants in Tunisia.", false),
            ("AEOLUS began operating solar plants.", false),
            ("AEOLUS began operating solar plants for Morocco.", false),
        ] {
            assert_eq!(
                Reading::of_claim(claim).is_elsewhere(&passage),
                expected,
                "{claim}"
            );
        }
    }

    #[test]
    fn a_verb_behind_to_is_done_by_whoever_stands_before_it() {
        let passage = "Google to invest up to $40 billion in Anthropic as it spreads its bets.";
        for (claim, expected) in [
            (
                "Anthropic plans to invest up to $40 billion in Google.",
                true,
            ),
            (
                "Google plans to invest up to $40 billion in Anthropic.",
                false,
            ),
            ("Univity of France plans to invest in Anthropic.", false),
        ] {
            assert_eq!(is_turned(claim, passage), expected, "{claim}");
        }
        let passage = "French startup Univity has raised around $32 million.";
        assert!(!is_turned("Univity of France raised $32 million.", passage));
    }

    #[test]
    fn a_report_from_long_after_a_day_is_about_another_day() {
        let on = |day: &str| Timestamp::parse_date(day);
        let claim = Reading::of_claim("Brent sank by a tenth on 3 April 2026.");
        for (published, expected) in [("2026-04-04", false), ("2026-04-17", true)] {
            let passage = Reading::of_passage("Brent sinks by a tenth", "", on(published));
            assert_eq!(claim.is_long_before(&passage), expected, "{published}");
        }
    }

    #[test]
    fn a_report_long_after_the_time_of_a_claim_is_of_another_time() {
        let is_long_before = |claim: &str, passage: &str, published: &str| {
            let published: Timestamp = published.parse().unwrap();
            let passage = Reading::of_passage(passage, "", Some(published));
            Reading::of_claim(claim).is_long_before(&passage)
        };
        let (held, later) = (
            "The Fed held rates in January 2025.",
            "2026-04-29T10:00:00Z",
        );
        assert!(is_long_before(
            held,
            "Fed expected to hold rates steady",
            later
        ));
        assert!(!is_long_before(
            held,
            "The Fed, which held rates in January 2025, cuts them",
            later
        ));
        assert!(!is_long_before(
            held,
            "Fed holds rates",
            "2025-02-10T10:00:00Z"
        ));
        assert!(!is_long_before(
            "Ford has brought back a badge of 1979.",
            "Ford brings back badge",
            later
        ));
        assert!(is_long_before(
            "Nordlys made a profit of $13 billion in 2024.",
            "Nordlys posts $1 billion",
            later
        ));
    }
}
