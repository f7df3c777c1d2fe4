//! Whether a word is in a position where a question names a company.
//!
//! `zoom`, `delta` and `target` are words first. Without a capital they are names if no article precedes them and the
//! context implies a company: `is zoom a buy`, `why did target fall`, `news on snap`, `delta's results`.

use super::reader::{AFTER, Reader};

/// Verbs that ask, before what they ask about; a countable noun without an article is a name there.
const ASKING: [&str; 14] = [
    "does", "do", "did", "has", "have", "had", "will", "would", "can", "could", "should", "hows",
    "wheres", "whens",
];
/// After these, the word joined to a term of the trade makes it one: `is target reached`.
const BEING: [&str; 4] = ["is", "are", "was", "were"];
/// Words that a noun may follow as well: `what target price`.
const OPEN: [&str; 8] = [
    "how", "what", "whats", "why", "made", "makes", "see", "sees",
];
/// What is done with shares.
const TRADING: [&str; 22] = [
    "buy", "buying", "bought", "sell", "selling", "sold", "own", "owns", "owning", "hold", "holds",
    "holding", "short", "shorting", "long", "dump", "trim", "my", "our", "than", "compare", "like",
];
const PREPOSITIONS: [&str; 14] = [
    "on", "of", "for", "about", "at", "in", "against", "from", "with", "behind", "by", "into",
    "to", "around",
];
/// What is said about a company or its shares.
const SAID: [&str; 62] = [
    "doing",
    "trading",
    "trade",
    "trades",
    "traded",
    "worth",
    "going",
    "go",
    "report",
    "reports",
    "reported",
    "reporting",
    "announce",
    "announces",
    "announced",
    "earn",
    "earns",
    "earned",
    "make",
    "makes",
    "made",
    "pay",
    "pays",
    "paid",
    "beat",
    "beats",
    "miss",
    "missed",
    "owe",
    "owes",
    "cheap",
    "expensive",
    "profitable",
    "overvalued",
    "undervalued",
    "growing",
    "grow",
    "compete",
    "competes",
    "stack",
    "compare",
    "compares",
    "still",
    "lately",
    "recently",
    "today",
    "yesterday",
    "now",
    "this",
    "last",
    "rn",
    "or",
    "and",
    "vs",
    "versus",
    "look",
    "looks",
    "looking",
    "perform",
    "performing",
    "have",
    "has",
];
/// Words that form a term of the trade: `gap up`, `block trade`, `target price`, `delta of the option`.
const TECHNICAL: [&str; 20] = [
    "of", "hedging", "neutral", "price", "prices", "range", "date", "zone", "fill", "filled",
    "reached", "met", "hit", "set", "level", "levels", "between", "in", "out", "for",
];
const DETERMINERS: [&str; 17] = [
    "the", "a", "an", "this", "that", "these", "those", "its", "their", "his", "her", "no", "any",
    "each", "every", "price", "some",
];

impl Reader<'_> {
    /// `inflation on target`: not what is written about the company, as in `news on target`.
    pub(super) fn is_on_target(&self, at: usize) -> bool {
        const ABOUT: [&str; 14] = [
            "news",
            "headlines",
            "sentiment",
            "update",
            "updates",
            "latest",
            "stories",
            "take",
            "thoughts",
            "filings",
            "rsi",
            "info",
            "reports",
            "opinion",
        ];
        self.words[at].is("target")
            && at >= 1
            && self.words[at - 1].is_any(&["on", "in", "at"])
            && !(at >= 2
                && (self.words[at - 2].is_any(&ABOUT) || self.words[at - 2].lower.ends_with("ing")))
    }

    /// Whether the word is in the position of a company name.
    pub(super) fn stands_as_subject(&self, at: usize) -> bool {
        let word = &self.words[at];
        let before = at
            .checked_sub(1)
            .filter(|_| !word.is_parted)
            .map(|before| &self.words[before]);
        let after = self.next(at).filter(|after| !after.is_parted);
        // `target price`: a phrase of the trade.
        let is_compound = (self.is_cue)(at) && after.is_some() && (self.is_cue)(at + 1);
        if is_compound || before.is_some_and(|before| before.is_any(&DETERMINERS)) {
            return false;
        }
        let rest = &self.text[word.bytes.end..];
        let is_possessive = ["'s", "’s"].iter().any(|ending| rest.starts_with(ending));
        if is_possessive {
            return true;
        }
        let is_said = after.is_none_or(|after| {
            after.is_any(&SAID)
                || after.is_any(&AFTER)
                || (self.is_cue)(at + 1)
                || verify::stance::direction_of(&after.lower) != 0
        });
        let is_technical = after.is_some_and(|after| after.is_any(&TECHNICAL));
        let Some(before) = before else {
            // `snap lately`, `block earnings`, `delta vs united`, `delta or united`.
            let is_with_another = after.is_some_and(|after| after.is_any(&["or", "and"]))
                && self.words.get(at + 2).is_some_and(|other| {
                    let written = &self.text[other.bytes.clone()];
                    self.known(written, &other.lower).is_some()
                });
            return is_with_another
                || after.is_some_and(|after| {
                    after.is_any(&AFTER)
                        || after.is_any(&["lately", "vs", "versus", "today", "doing"])
                }) && !is_technical;
        };
        if before.is_any(&OPEN) {
            let is_at = after.is_some_and(|after| after.is("at"));
            return is_said && after.is_some() && !is_technical || before.is("whats") && is_at;
        }
        if before.is_any(&BEING) {
            return !is_technical || after.is_some_and(|after| after.is("in"));
        }
        if before.is_any(&ASKING) {
            return after.is_none_or(|after| !after.is_any(&["price", "prices"]));
        }
        if before.is_any(&TRADING) {
            return is_said && !is_technical;
        }
        let is_cue_before = |ahead: usize| {
            let at = at.checked_sub(ahead);
            at.is_some_and(|at| (self.is_cue)(at) || self.words[at].is_any(&AFTER))
        };
        // `what does the momentum look like for block`: at the end, the subject of what was asked before.
        let closes = after.is_none() && before.is_any(&["for", "of", "about"]);
        let is_asked_of = is_cue_before(2) || closes && (2..=at).any(is_cue_before);
        before.is_any(&PREPOSITIONS) && is_asked_of && is_said && !is_technical
    }
}
