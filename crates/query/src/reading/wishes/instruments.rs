//! What a question wants to know about shares, funds and coins that it names.

use super::Wishes;
use crate::cues::Cue;
use crate::intent::Intent;
use crate::names::Kind;
use crate::subjects::{is_commodity, is_index, is_macro, is_pair};

/// Intents about something listed that may be combined.
const PARTICULAR: [Intent; 13] = [
    Intent::Price,
    Intent::Performance,
    Intent::Technicals,
    Intent::Fundamentals,
    Intent::Earnings,
    Intent::Analysts,
    Intent::Insider,
    Intent::Congress,
    Intent::Institutions,
    Intent::Filings,
    Intent::Sentiment,
    Intent::Events,
    Intent::News,
];

/// Intents that follow from the kind of a subject.
const OF_SUBJECTS: [Intent; 5] = [
    Intent::Crypto,
    Intent::Commodities,
    Intent::Macro,
    Intent::Forex,
    Intent::MarketOverview,
];

/// Words that begin questions about everything: together with a particular intent they only ask.
const ASKING: [&str; 16] = [
    "how",
    "hows",
    "what",
    "whats",
    "tell",
    "analysis",
    "analyse",
    "analyze",
    "summary",
    "summarize",
    "summarise",
    "snapshot",
    "overview",
    "score",
    "profile",
    "report",
];

/// Whose holdings may be meant.
const HOLDERS: [&str; 16] = [
    "bags",
    "bag",
    "holder",
    "holders",
    "holding",
    "inherited",
    "position",
    "positions",
    "portfolio",
    "client",
    "clients",
    "account",
    "fund",
    "book",
    "basket",
    "desk",
];

pub(super) const OWNERS: [&str; 12] = [
    "i", "im", "ive", "my", "we", "weve", "our", "id", "ill", "were", "us", "me",
];

impl Wishes<'_> {
    pub(super) fn of_instruments(&self) -> Vec<Intent> {
        let count = self.count();
        let mut wanted = Vec::new();
        // `200 shares of PayPal and 50 of Netflix`, `I have 10 TSLA and 5 AMZN`.
        let is_counted = |range: &std::ops::Range<usize>| {
            range.start >= 1 && self.words[range.start - 1].is_number()
        };
        let mut named = self.found.instruments.iter();
        let counts_shares = count >= 2
            && (named.any(|(_, range)| is_counted(range)) && self.says(&OWNERS)
                || self
                    .words
                    .windows(2)
                    .any(|pair| pair[0].is_number() && pair[1].is_any(&["shares", "share"])));
        let is_owner = self.says(&OWNERS) || self.says(&HOLDERS);
        if (self.has(Intent::Portfolio) && is_owner || counts_shares) && !self.is_hypothetical() {
            wanted.push(Intent::Portfolio);
            if count >= 2 && self.has(Intent::Correlation) {
                wanted.push(Intent::Correlation);
            }
            if count == 1 {
                wanted.push(Intent::Outlook);
            }
            return wanted;
        }
        if self.has(Intent::Correlation) && count + self.found.series.len() >= 2 {
            return vec![Intent::Correlation];
        }
        let compared = count + self.found.series.len();
        let particular: Vec<Intent> = PARTICULAR
            .into_iter()
            .filter(|intent| self.has(*intent) && !self.is_only_asking(*intent, count))
            .collect();
        let asks_why = self.has(Intent::WhyMoved) && (self.moves() || particular.is_empty());
        if asks_why {
            wanted.push(Intent::WhyMoved);
            return wanted;
        }
        let contradicts = self.has(Intent::Contradictions) && particular.is_empty();
        if contradicts {
            return vec![Intent::Contradictions];
        }
        if compared >= 2 && self.has(Intent::Comparison) || count >= 2 && particular.is_empty() {
            wanted.push(Intent::Comparison);
        }
        if count == 1 && self.has(Intent::Competitors) {
            wanted.push(Intent::Competitors);
        }
        wanted.extend(particular);
        if self.has(Intent::Contradictions) {
            wanted.push(Intent::Contradictions);
        }
        if self.has(Intent::Topic) && wanted.is_empty() {
            wanted.push(Intent::News);
        }
        // `is Oracle reporting this week`.
        let says_report = || {
            let mut words = self.words.iter();
            words.any(|word| word.lower.starts_with("report") || word.lower.starts_with("earning"))
        };
        if wanted.is_empty() && self.has(Intent::Calendar) && says_report() {
            wanted.push(Intent::Earnings);
        }
        // `how is it doing since Monday`, `lately`: what the price did in that time.
        let is_lately = self.is_of_stretch || self.says(&["lately", "recently"]);
        if wanted.is_empty() && is_lately && !self.asks_outlook() {
            wanted.push(Intent::Performance);
        }
        // `volatility` without a name is the volatility of the market.
        if wanted.is_empty() && (self.went_since() || self.says(&["volatility"])) {
            wanted.push(Intent::Performance);
        }
        if wanted.is_empty() || self.asks_outlook() && !wanted.contains(&Intent::Outlook) {
            wanted.push(Intent::Outlook);
        }
        self.add_of_subjects(&mut wanted);
        wanted
    }

    /// Adds the intents that follow from the kinds of what is named.
    pub(in crate::reading) fn add_of_subjects(&self, wanted: &mut Vec<Intent>) {
        for intent in OF_SUBJECTS {
            // An index whose members are ranked is not a subject of its own.
            let is_pool = intent == Intent::MarketOverview && wanted[..] == [Intent::Movers];
            if self.goes_with(intent) && !is_pool && !wanted.contains(&intent) {
                wanted.push(intent);
            }
        }
    }

    /// Whether an intent goes with the kind of what is named: a coin, a commodity, an indicator, a pair, an index.
    pub(in crate::reading) fn goes_with(&self, intent: Intent) -> bool {
        match intent {
            Intent::Crypto => {
                let mut named = self.found.instruments.iter();
                named.any(|(one, _)| one.kind == Kind::Coin)
            }
            Intent::Commodities => self.series(is_commodity),
            Intent::Macro => self.series(is_macro),
            Intent::Forex => self.series(is_pair),
            Intent::MarketOverview => self.series(is_index),
            _ => false,
        }
    }

    /// The intent that goes with the kind of what is named.
    pub(in crate::reading) fn of_subjects(&self) -> Option<Intent> {
        OF_SUBJECTS
            .into_iter()
            .find(|intent| self.goes_with(*intent))
    }

    /// Whether an assessment is asked for, in words that do more than ask.
    pub(in crate::reading) fn asks_outlook(&self) -> bool {
        self.cues.iter().any(|cue| {
            cue.intent == Intent::Outlook && !self.words[cue.words.start].is_any(&ASKING)
        })
    }

    /// `should I buy what Berkshire holds`: what somebody might hold is not held.
    fn is_hypothetical(&self) -> bool {
        let mut cues = self
            .cues
            .iter()
            .filter(|cue| cue.intent == Intent::Portfolio)
            .peekable();
        cues.peek().is_some()
            && cues.all(|cue| {
                let before = cue
                    .words
                    .start
                    .checked_sub(1)
                    .map(|before| &self.words[before]);
                let buys = self.words[cue.words.clone()]
                    .iter()
                    .any(|word| word.is_any(&["bought", "buying", "inherited", "invested"]));
                before.is_some_and(|before| {
                    before.is_any(&["should", "could", "would", "who", "whos", "which"])
                        || before.is("if") && buys
                })
            })
    }

    /// How many different things are named.
    pub(in crate::reading) fn count(&self) -> usize {
        let mut symbols: Vec<&str> = self
            .found
            .instruments
            .iter()
            .map(|(one, _)| one.symbol.as_str())
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.len()
    }

    /// Whether the cues of an intent belong to something else here.
    pub(in crate::reading) fn is_only_asking(&self, intent: Intent, count: usize) -> bool {
        let cues = self.cues.iter().filter(|cue| cue.intent == intent);
        let all = |is: &dyn Fn(&Cue) -> bool| cues.clone().all(is);
        let first = |cue: &Cue| self.words[cue.words.start].lower.clone();
        match intent {
            // `outperform`, with two names.
            Intent::Analysts => count >= 2 && all(&|cue| first(cue).starts_with("outperform")),
            // `what is the price target`, `price action`: the longer phrase decides; `worth buying` is another intent.
            Intent::Price => {
                all(&|cue| first(cue) == "cost" || first(cue) == "costs" || first(cue) == "pricing")
                    && self.cues.len() > 1
            }
            // `in the last 90 days`: a time that accompanies an intent.
            Intent::Performance => {
                const TIMES: [&str; 9] = [
                    "over", "in", "last", "past", "five", "5", "10", "since", "this",
                ];
                self.cues.len() > 1 && all(&|cue| TIMES.contains(&first(cue).as_str()))
            }
            // `insider sales`: what somebody sells.
            Intent::Fundamentals => {
                let sells = all(&|cue| first(cue) == "sales");
                sells && (self.has(Intent::Insider) || self.has(Intent::Congress))
            }
            // `cheap`, `profit` stay with an intent to compare.
            _ => false,
        }
    }
}
