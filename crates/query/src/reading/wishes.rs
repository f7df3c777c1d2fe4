//! Which intents of a question count.
//!
//! Cues are many and overlap: `is the market up` has a cue for movers and one for the market. Here the kinds of
//! subjects decide between them, from the particular to the general.

mod details;
mod instruments;
mod markets;
mod movement;

use market::screener::natural::Understood;

use crate::cues::Cue;
use crate::intent::Intent;
use crate::subjects::{self, Series, Subjects};
use crate::words::Word;

/// What the decision is based on.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what was found out about a question, each for itself"
)]
#[derive(Clone, Copy)]
pub(super) struct Wishes<'a> {
    pub(super) words: &'a [Word],
    pub(super) cues: &'a [Cue],
    pub(super) found: &'a Subjects,
    pub(super) screen: &'a Understood,
    /// Which words express a time.
    pub(super) is_time: &'a [bool],
    /// Whether it says how far prices went.
    pub(super) has_bounds: bool,
    /// Whether it is about the economy of a country other than the one on record.
    pub(super) is_abroad: bool,
    /// Whether a country other than the United States is named.
    pub(super) is_elsewhere: bool,
    /// Whether it is written in a language other than English.
    pub(super) is_foreign: bool,
    /// Whether it asks what a large holder does with something listed.
    pub(super) asks_holder: bool,
    /// Whether it is about a past period.
    pub(super) is_of_stretch: bool,
    /// Whether it is about everyday life.
    pub(super) is_everyday: bool,
    /// Whether each of its longer words is capitalised.
    pub(super) is_titled: bool,
}

impl Wishes<'_> {
    pub(super) fn has(&self, intent: Intent) -> bool {
        if intent == Intent::Filings && self.has_sum_to_invest() {
            return false;
        }
        self.cues.iter().any(|cue| cue.intent == intent)
            || intent == Intent::Insider && self.executives_trade()
            || intent == Intent::Institutions && self.asks_holder
            || intent == Intent::Verification && self.ends_in_doubt()
    }

    /// `I have 10k to invest`: a sum, not a form of filing.
    pub(super) fn has_sum_to_invest(&self) -> bool {
        const PUTTING: [&str; 6] = ["invest", "investing", "save", "saved", "spend", "spare"];
        self.filing_is_number() && self.says(&PUTTING)
    }

    /// Whether the only word about filings is a number, such as `10k`.
    pub(super) fn filing_is_number(&self) -> bool {
        self.cues
            .iter()
            .filter(|cue| cue.intent == Intent::Filings)
            .all(|cue| cue.words.len() == 1 && self.words[cue.words.start].is_number())
    }

    /// `did any Tesla director sell shares`: people in a company who trade.
    fn executives_trade(&self) -> bool {
        const ROLES: [&str; 12] = [
            "executive",
            "executives",
            "ceo",
            "cfo",
            "coo",
            "director",
            "directors",
            "officer",
            "officers",
            "chairman",
            "founder",
            "management",
        ];
        const TRADES: [&str; 14] = [
            "sell",
            "sells",
            "sold",
            "selling",
            "buy",
            "buys",
            "bought",
            "buying",
            "dump",
            "dumped",
            "unload",
            "unloaded",
            "purchased",
            "sale",
        ];
        let is_person = |pair: &[Word]| {
            let name: Vec<&str> = pair.iter().map(|word| word.lower.as_str()).collect();
            let name = subjects::titled(&name.join(" "));
            matches!(
                text::entities::listed(&name),
                Some((model::EntityKind::Person, _))
            )
        };
        let Some(trade) = self.words.iter().position(|word| word.is_any(&TRADES)) else {
            return false;
        };
        let role = self.words.iter().position(|word| word.is_any(&ROLES));
        let role = role.or_else(|| self.words.windows(2).position(is_person));
        let of_shares = self.says(&["share", "shares", "stock"]);
        // `have executives at Meta been selling`: nothing else is sold.
        let rest = &self.words[trade + 1..];
        let is_last = rest
            .iter()
            .all(|word| word.is_any(&["lately", "recently", "again", "a", "lot", "more", "now"]));
        role.is_some_and(|role| role < trade && (of_shares || trade - role == 1 || is_last))
    }

    /// `Apple bought Perplexity, true?`
    fn ends_in_doubt(&self) -> bool {
        let last = self.words.last().filter(|last| last.is_parted);
        self.words.len() >= 4
            && last.is_some_and(|last| last.is_any(&["true", "real", "fake", "legit"]))
    }

    pub(super) fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| word.is_any(words))
    }

    fn series(&self, kind: impl Fn(Series) -> bool) -> bool {
        self.found.series.iter().any(|(series, _)| kind(*series))
    }

    /// What the question wants; never empty.
    pub(super) fn intents(&self) -> Vec<Intent> {
        if let Some(early) = self.no_question() {
            return vec![early];
        }
        if self.has(Intent::Verification) {
            return vec![Intent::Verification];
        }
        // Names are the same in every language; what is asked about them is not understood.
        if self.is_foreign {
            return vec![if self.found.instruments.is_empty() {
                Intent::Unclear
            } else {
                Intent::Outlook
            }];
        }
        let wanted = if self.found.instruments.is_empty() {
            self.without_instruments()
        } else {
            self.of_instruments()
        };
        if wanted.is_empty() {
            vec![Intent::Unclear]
        } else {
            wanted
        }
    }

    /// Whether it has words of everyday life but none about markets, and names nothing listed.
    pub(super) fn is_of_everyday_only(&self) -> bool {
        self.is_everyday
            && self.found.is_nothing()
            && !self.ends_in_doubt()
            && !self.asks_of_markets()
    }

    /// `Enron?`: a single word that is neither a greeting nor about everyday life.
    pub(super) fn may_be_a_name(&self) -> bool {
        self.words.len() == 1
            && !self.is_everyday
            && !self.says(&INTERJECTIONS)
            && !self.only_greets()
    }

    /// Whether the question is nothing but a name that matches no listing: a few words, none of them about an intent,
    /// markets or asking, and one of them not a word of the language.
    pub(super) fn is_bare_name(&self) -> bool {
        const MOST_WORDS: usize = 3;
        const JOINTS: [&str; 6] = ["of", "the", "and", "r", "us", "&"];
        let is_own = |word: &Word| {
            word.lower.chars().count() >= 3
                && !word.is_number()
                && !text::token::is_stop_word(&word.lower)
                && !text::entities::is_common_word(&word.lower)
        };
        let is_joint = |word: &Word| word.is_any(&JOINTS);
        let is_part = |word: &Word| is_joint(word) || !text::token::is_stop_word(&word.lower);
        (1..=MOST_WORDS).contains(&self.words.len())
            && self.found.is_nothing()
            && self.cues.is_empty()
            && !self.is_everyday
            && !self.says(&INTERJECTIONS)
            && !self.asks_of_markets()
            && self.screen.filters.is_empty()
            && self.screen.sort.is_none()
            && self.words.iter().all(is_part)
            && self.words.iter().any(is_own)
    }

    fn only_greets(&self) -> bool {
        let is_greeting = |word: &Word| greetings().any(|known| word.is(known));
        !self.words.is_empty() && self.words.iter().all(is_greeting)
    }

    /// `how is it going`: small talk, not a question.
    pub(super) fn is_small_talk(&self) -> bool {
        let is_greeting = |word: &Word| greetings().any(|known| word.is(known));
        let words = self.words.iter().map(|word| word.lower.as_str());
        let said: Vec<&str> = words.collect();
        small_talk().any(|phrase| {
            let length = phrase.split(' ').count();
            let found = said
                .windows(length)
                .position(|window| phrase.split(' ').eq(window.iter().copied()));
            found.is_some_and(|at| {
                let mut rest = self.words[..at].iter().chain(&self.words[at + length..]);
                rest.all(is_greeting)
            })
        })
    }

    /// `what did Powell say`: words about the economy are news, not a figure.
    pub(super) fn asks_words(&self) -> bool {
        const SAYING: [&str; 8] = [
            "say",
            "said",
            "says",
            "saying",
            "comment",
            "commented",
            "speech",
            "remarks",
        ];
        self.says(&SAYING)
            && self.says(&["what", "did", "has"])
            && !self.says(&["data", "numbers", "figures"])
    }

    fn no_question(&self) -> Option<Intent> {
        if self.is_small_talk() {
            return Some(Intent::Help);
        }
        let names_something = !self.found.instruments.is_empty()
            || !self.found.series.is_empty()
            || !self.found.unknown.is_empty();
        if names_something {
            return None;
        }
        // `tell me a joke about hedge funds`.
        let entertains = |cue: &Cue| {
            let words = &self.words[cue.words.clone()];
            cue.intent == Intent::Help && words.iter().any(|word| word.is_any(&["joke", "jokes"]))
        };
        if self.cues.iter().any(entertains) {
            return Some(Intent::Help);
        }
        let may_be_everyday = self.cues.iter().all(|cue| {
            matches!(
                cue.intent,
                Intent::Outlook
                    | Intent::News
                    | Intent::Help
                    | Intent::Topic
                    | Intent::WhyMoved
                    | Intent::Analysts
                    | Intent::Comparison
                    | Intent::Screener
                    | Intent::Sentiment
            )
        });
        if may_be_everyday && self.is_of_everyday_only() {
            return Some(Intent::Unclear);
        }
        if self.has(Intent::Help)
            && self
                .cues
                .iter()
                .all(|cue| matches!(cue.intent, Intent::Help | Intent::Outlook))
        {
            return Some(Intent::Help);
        }
        if self.only_greets() {
            return Some(Intent::Help);
        }
        // Something that can be searched for: a longer word that is not a filler.
        let is_content = |word: &&Word| {
            word.lower.chars().count() >= 3
                && word.lower.chars().any(char::is_alphabetic)
                && !text::token::is_stop_word(&word.lower)
        };
        let has_content = self.words.iter().filter(is_content).count() > 0;
        // `hmm and what about that then`.
        let only_asks = self.cues.iter().all(|cue| {
            matches!(
                cue.intent,
                Intent::Outlook | Intent::Comparison | Intent::WhyMoved
            )
        });
        let says_nothing = self
            .words
            .iter()
            .filter(is_content)
            .all(|word| word.is_any(&INTERJECTIONS));
        if says_nothing && only_asks && !self.is_of_stretch {
            return Some(Intent::Unclear);
        }
        // Letters that form no word anywhere.
        let is_word =
            |word: &Word| text::embedding::word_pieces(&word.lower).len() == 1 || word.is_number();
        let is_noise = self.cues.is_empty()
            && !self.words.iter().any(is_word)
            && self.words.iter().all(|word| !word.is_capitals);
        (!has_content && self.cues.is_empty() || is_noise).then_some(Intent::Unclear)
    }
}

const INTERJECTIONS: [&str; 16] = [
    "hmm", "hmmm", "umm", "uhh", "huh", "meh", "nah", "yeah", "yep", "yes", "nope", "well", "okay",
    "right", "sure", "please",
];

fn greetings() -> impl Iterator<Item = &'static str> {
    model::table::lines(include_str!("../../data/greetings.txt"))
}

fn small_talk() -> impl Iterator<Item = &'static str> {
    model::table::lines(include_str!("../../data/small_talk.txt"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn greetings_are_a_sound_list() {
        let file = include_str!("../../data/greetings.txt");
        assert_eq!(model::table::fault(file, 1, 1), None);
        let file = include_str!("../../data/small_talk.txt");
        assert_eq!(model::table::fault(file, 1, 1), None);
    }
}
