//! Which wishes of a question count.
//!
//! Cues are many and overlap: `is the market up` has a cue of movers and one of the market. Here the kinds of subjects
//! decide between them, from the particular to the general.

use market::filters::{FilterKey, Metric};
use market::screener::natural::Understood;
use model::AssetType;

use crate::cues::Cue;
use crate::intent::Intent;
use crate::names::Kind;
use crate::ranking::{SHARES, ranks_shares};
use crate::reading::Side;
use crate::subjects::{Series, Subjects};
use crate::words::Word;
use verify::figures::{KnownSeries, SeriesKind};

/// What the decision rests on.
pub(super) struct Wishes<'a> {
    pub(super) words: &'a [Word],
    pub(super) cues: &'a [Cue],
    pub(super) found: &'a Subjects,
    pub(super) screen: &'a Understood,
    /// Whether it says how far prices went.
    pub(super) has_bounds: bool,
    /// Whether it is about the economy of another country than the one on record.
    pub(super) is_abroad: bool,
    /// Whether it is written in another language than English.
    pub(super) is_foreign: bool,
}

/// Wishes about something listed that may stand beside each other.
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

/// Words with which a question about everything begins: beside a particular wish they only ask.
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

const MOVING: [&str; 74] = [
    "fall",
    "fell",
    "falling",
    "fallen",
    "falls",
    "drop",
    "drops",
    "dropped",
    "dropping",
    "down",
    "crash",
    "crashed",
    "crashing",
    "tank",
    "tanked",
    "tanking",
    "plunge",
    "plunged",
    "plunging",
    "sink",
    "sank",
    "sinking",
    "slide",
    "slid",
    "sliding",
    "decline",
    "declined",
    "declining",
    "sell",
    "selling",
    "selloff",
    "red",
    "dump",
    "dumped",
    "dumping",
    "rise",
    "rose",
    "rising",
    "risen",
    "up",
    "jump",
    "jumped",
    "jumping",
    "rally",
    "rallied",
    "rallying",
    "surge",
    "surged",
    "surging",
    "soar",
    "soared",
    "soaring",
    "spike",
    "spiked",
    "spiking",
    "climb",
    "climbed",
    "climbing",
    "gain",
    "gained",
    "gaining",
    "green",
    "pop",
    "popped",
    "pump",
    "pumped",
    "pumping",
    "ripping",
    "move",
    "moved",
    "moving",
    "bleeding",
    "lower",
    "higher",
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

const OWNERS: [&str; 12] = [
    "i", "im", "ive", "my", "we", "weve", "our", "id", "ill", "were", "us", "me",
];

impl Wishes<'_> {
    pub(super) fn has(&self, intent: Intent) -> bool {
        self.cues.iter().any(|cue| cue.intent == intent)
            || intent == Intent::Insider && self.executives_trade()
    }

    /// Whether the only word of filings is a number, such as `10k`.
    pub(super) fn filing_is_number(&self) -> bool {
        self.cues
            .iter()
            .filter(|cue| cue.intent == Intent::Filings)
            .all(|cue| cue.words.len() == 1 && self.words[cue.words.start].is_number())
    }

    /// `did any Tesla director sell shares`: people of a company who trade.
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
        let role = self.words.iter().position(|word| word.is_any(&ROLES));
        let trade = self.words.iter().position(|word| word.is_any(&TRADES));
        let of_shares = self.says(&["share", "shares", "stock"]);
        role.zip(trade)
            .is_some_and(|(role, trade)| role < trade && (of_shares || trade - role == 1))
    }

    fn says(&self, words: &[&str]) -> bool {
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

    fn no_question(&self) -> Option<Intent> {
        let names_something = !self.found.instruments.is_empty()
            || !self.found.series.is_empty()
            || !self.found.unknown.is_empty();
        if names_something {
            return None;
        }
        if self.has(Intent::Help)
            && self
                .cues
                .iter()
                .all(|cue| matches!(cue.intent, Intent::Help | Intent::Outlook))
        {
            return Some(Intent::Help);
        }
        let is_greeting = |word: &Word| greetings().any(|known| word.is(known));
        if !self.words.is_empty() && self.words.iter().all(is_greeting) {
            return Some(Intent::Help);
        }
        // Something that can be looked for: a word of some length that is not small change.
        let is_content = |word: &&Word| {
            word.lower.chars().count() >= 3
                && word.lower.chars().any(char::is_alphabetic)
                && !text::token::is_stop_word(&word.lower)
        };
        let has_content = self.words.iter().filter(is_content).count() > 0;
        // Letters that form no word anywhere.
        let is_word =
            |word: &Word| text::embedding::word_pieces(&word.lower).len() == 1 || word.is_number();
        let is_noise = self.cues.is_empty()
            && !self.words.iter().any(is_word)
            && self.words.iter().all(|word| !word.is_capitals);
        (!has_content && self.cues.is_empty() || is_noise).then_some(Intent::Unclear)
    }

    fn moves(&self) -> bool {
        let directed = |word: &Word| verify::stance::direction_of(&word.lower) != 0;
        self.says(&MOVING)
            || self.words.iter().any(directed)
            || self.says(&[
                "happened",
                "happening",
                "driving",
                "drove",
                "behind",
                "doing",
                "wrong",
            ])
    }

    /// `is it up this month`: which way a price went in the time that is running, and not where it goes.
    fn went_since(&self) -> bool {
        let is_running = self.words.windows(2).any(|pair| {
            pair[0].is("this") && pair[1].is_any(&["week", "month", "quarter", "year"])
        });
        let is_ahead = self.says(&["will", "going", "gonna", "could", "would", "should", "may"]);
        let directed = |word: &Word| verify::stance::direction_of(&word.lower) != 0;
        let is_directed = self.says(&["up", "down", "higher", "lower", "green", "red"])
            || self.words.iter().any(directed);
        is_running && !is_ahead && !self.asks_outlook() && is_directed
    }

    fn of_instruments(&self) -> Vec<Intent> {
        let count = self.count();
        let mut wanted = Vec::new();
        // `200 shares of PayPal and 50 of Netflix`.
        let counts_shares = count >= 2
            && self
                .words
                .windows(2)
                .any(|pair| pair[0].is_number() && pair[1].is_any(&["shares", "share"]));
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
        if self.has(Intent::Correlation) && count >= 2 {
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
        // `volatility` without a name is that of the market.
        if wanted.is_empty() && (self.went_since() || self.says(&["volatility"])) {
            wanted.push(Intent::Performance);
        }
        if wanted.is_empty() || self.asks_outlook() && !wanted.contains(&Intent::Outlook) {
            wanted.push(Intent::Outlook);
        }
        let is_coin = |kind: Kind| kind == Kind::Coin;
        if self
            .found
            .instruments
            .iter()
            .any(|(one, _)| is_coin(one.kind))
        {
            wanted.push(Intent::Crypto);
        }
        if self.series(is_commodity) {
            wanted.push(Intent::Commodities);
        }
        if self.series(is_macro) {
            wanted.push(Intent::Macro);
        }
        if self.series(is_pair) {
            wanted.push(Intent::Forex);
        }
        if self.series(is_index) {
            wanted.push(Intent::MarketOverview);
        }
        wanted
    }

    /// Whether an assessment is asked for, in words that do more than ask.
    pub(super) fn asks_outlook(&self) -> bool {
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
                before.is_some_and(|before| {
                    before.is_any(&["should", "if", "could", "would", "who", "whos", "which"])
                })
            })
    }

    /// Distinct things that are named.
    fn count(&self) -> usize {
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

    /// Whether the cues of a wish belong to something else here.
    fn is_only_asking(&self, intent: Intent, count: usize) -> bool {
        let cues = self.cues.iter().filter(|cue| cue.intent == intent);
        let all = |is: &dyn Fn(&Cue) -> bool| cues.clone().all(is);
        let first = |cue: &Cue| self.words[cue.words.start].lower.clone();
        match intent {
            // `outperform`, with two names.
            Intent::Analysts => count >= 2 && all(&|cue| first(cue).starts_with("outperform")),
            // `what is the price target`, `price action`: decided by the longer phrase; `worth buying` is another wish.
            Intent::Price => {
                all(&|cue| first(cue) == "cost" || first(cue) == "costs" || first(cue) == "pricing")
                    && self.cues.len() > 1
            }
            // `in the last 90 days`: a time, beside a wish.
            Intent::Performance => {
                const TIMES: [&str; 9] = [
                    "over", "in", "last", "past", "five", "5", "10", "since", "this",
                ];
                self.cues.len() > 1 && all(&|cue| TIMES.contains(&first(cue).as_str()))
            }
            // `cheap`, `profit` beside a wish for comparison stay.
            _ => false,
        }
    }

    fn without_instruments(&self) -> Vec<Intent> {
        let mut wanted = Vec::new();
        if self.has(Intent::Portfolio)
            && self.says(&["portfolio", "holdings", "positions", "bags"])
            && self.says(&OWNERS)
        {
            return vec![Intent::Portfolio];
        }
        let others = [
            Intent::Insider,
            Intent::Congress,
            Intent::Institutions,
            Intent::Filings,
            Intent::Events,
            Intent::Contradictions,
            Intent::Movers,
            Intent::Calendar,
            Intent::Analysts,
        ];
        let is_other = others.into_iter().any(|intent| self.has(intent));
        // `insiders who bought more than $1m`: a sum of theirs.
        let is_of_trades = [Intent::Insider, Intent::Congress, Intent::Institutions]
            .into_iter()
            .any(|intent| self.has(intent));
        let is_sum = |key: FilterKey| matches!(key.metric(), Metric::MarketCap | Metric::Price);
        let screens_sums = self.screen.filters.iter().all(|(key, _)| is_sum(*key));
        let is_of_trades = is_of_trades && screens_sums && !self.has(Intent::Screener);
        // `fell more than 20% this year` is a filter of the screener too; nothing else is asked for, so the ranking answers.
        let is_change =
            |key: FilterKey| matches!(key.metric(), Metric::ChangeYtd | Metric::ChangeYear);
        let mut screened = self.screen.filters.iter();
        if self.ranks_by_change() && screened.all(|(key, _)| is_sum(*key) || is_change(*key)) {
            return vec![Intent::Movers];
        }
        if !is_of_trades && self.is_screen() && !(is_other && self.screen.filters.is_empty()) {
            return vec![Intent::Screener];
        }
        // `why is the sky blue` is no question about a price.
        let asks_why = self.has(Intent::WhyMoved) && self.moves();
        for intent in others {
            if self.has(intent) && !self.is_loose(intent) {
                wanted.push(intent);
            }
        }
        // `what did I miss` is no question about earnings.
        let says_earnings = self.cues.iter().any(|cue| {
            cue.intent == Intent::Earnings
                && self.words[cue.words.clone()].iter().any(|word| {
                    ["earning", "report", "result", "guidance", "estimate", "eps"]
                        .iter()
                        .any(|beginning| word.lower.starts_with(beginning))
                })
        });
        let earnings_season = says_earnings && self.found.series.is_empty();
        if earnings_season && !wanted.contains(&Intent::Calendar) && wanted.is_empty() {
            wanted.push(Intent::Calendar);
        }
        let has_sector = !self.found.sectors.is_empty() || self.has(Intent::Sectors);
        if has_sector && (wanted.is_empty() || wanted == [Intent::Movers]) {
            wanted.push(Intent::Sectors);
        }
        for (intent, is_named) in [
            (Intent::Commodities, self.series(is_commodity)),
            (Intent::Forex, self.series(is_pair)),
            (Intent::Macro, self.series(is_macro)),
        ] {
            if is_named {
                wanted.push(intent);
            }
        }
        if self.has(Intent::Crypto) {
            wanted.push(Intent::Crypto);
        }
        if self.series(is_index) {
            wanted.push(Intent::MarketOverview);
        }
        if wanted.is_empty() {
            for intent in [Intent::Macro, Intent::Forex, Intent::Commodities] {
                if self.has(intent) && !(self.is_abroad && intent == Intent::Macro) {
                    wanted.push(intent);
                }
            }
        }
        // `Wall Street's session, with the top gainers`.
        let is_overview = self.cues.iter().any(|cue| {
            cue.intent == Intent::MarketOverview
                && (cue.words.len() >= 2
                    && !self.words[cue.words.start].is_any(&["stocks", "stock"])
                    || self.words[cue.words.start].is_any(&["indices", "indexes", "briefing"]))
        });
        if wanted == [Intent::Movers] && is_overview {
            wanted.push(Intent::MarketOverview);
        }
        if wanted.is_empty() && self.has(Intent::MarketOverview) {
            wanted.push(Intent::MarketOverview);
        }
        if asks_why && !wanted.is_empty() {
            wanted.insert(0, Intent::WhyMoved);
        }
        if wanted.contains(&Intent::MarketOverview) && self.has(Intent::Sentiment) {
            wanted.push(Intent::Sentiment);
        }
        let asks_news = self.has(Intent::News) || self.has(Intent::Sentiment);
        let asks_topic = self.has(Intent::Topic);
        if wanted.is_empty()
            || asks_news
                && !wanted.contains(&Intent::MarketOverview)
                && !wanted.contains(&Intent::Contradictions)
                && !wanted.contains(&Intent::Events)
        {
            wanted.push(if asks_topic {
                Intent::Topic
            } else {
                Intent::News
            });
        } else if asks_topic && !wanted.contains(&Intent::Events) {
            wanted.push(Intent::Topic);
        }
        wanted
    }

    /// Whether the words of a wish mean something else where nothing listed is named.
    fn is_loose(&self, intent: Intent) -> bool {
        let cues: Vec<&Cue> = self
            .cues
            .iter()
            .filter(|cue| cue.intent == intent)
            .collect();
        let only = |words: &[&str]| {
            cues.iter()
                .all(|cue| cue.words.len() == 1 && self.words[cue.words.start].is_any(words))
        };
        match intent {
            Intent::Calendar => {
                only(&["tomorrow", "scheduled", "upcoming"])
                    && !self.has(Intent::Earnings)
                    && !self.has(Intent::Macro)
                    || cues.iter().all(|cue| {
                        self.words[cue.words.clone()]
                            .iter()
                            .any(|word| word.is("week"))
                    }) && !self.has(Intent::Earnings)
                        && !self.has(Intent::Macro)
                        && !self.says(&[
                            "calendar",
                            "coming",
                            "ahead",
                            "watch",
                            "report",
                            "reporting",
                            "scheduled",
                            "next",
                        ])
            }
            Intent::Analysts => only(&["rating", "ratings", "targets", "consensus"]),
            Intent::Congress => {
                only(&["representatives", "representative", "senate", "congress"])
                    && !self.says(&[
                        "trade",
                        "trades",
                        "trading",
                        "buy",
                        "bought",
                        "buying",
                        "sell",
                        "sold",
                        "selling",
                        "stock",
                        "stocks",
                        "shares",
                        "purchases",
                        "disclosures",
                        "disclosure",
                        "disclosed",
                    ])
            }
            Intent::Events => {
                only(&[
                    "regulation",
                    "regulations",
                    "regulator",
                    "regulators",
                    "deals",
                    "settlement",
                ]) && self.has(Intent::Topic)
            }
            _ => false,
        }
    }

    /// Whether shares are asked for by how far their prices went.
    fn ranks_by_change(&self) -> bool {
        let is_pool = |(series, range): &(Series, std::ops::Range<usize>)| {
            is_index(*series) && self.is_of_members(range)
        };
        let names_others = !self.found.series.iter().all(is_pool)
            || !self.found.sectors.is_empty()
            || self.has(Intent::Sectors)
            || self.has(Intent::Crypto)
            || self
                .screen
                .asset_type
                .is_some_and(|kind| kind != AssetType::Equity);
        let is_written_of = self.has(Intent::News) || self.has(Intent::Insider);
        !names_others && !is_written_of && (self.has_bounds || ranks_shares(self.words))
    }

    /// Whether the members of an index are meant: `dow stock`, `stocks in the S&P 500`.
    fn is_of_members(&self, index: &std::ops::Range<usize>) -> bool {
        let is_share = |word: &Word| word.is_any(&SHARES) || word.is_any(&["member", "members"]);
        let mut before = self.words[..index.start].iter().rev();
        let joint = before.find(|word| !word.is("the"));
        let is_within = joint.is_some_and(|word| word.is_any(&["in", "of", "on", "from"]))
            && before.next().is_some_and(is_share);
        is_within || self.words.get(index.end).is_some_and(is_share)
    }

    fn is_screen(&self) -> bool {
        if !self.found.unknown.is_empty() {
            return false;
        }
        let screen = self.screen;
        let names_kind = screen.asset_type.is_some()
            || self.says(&[
                "stocks",
                "companies",
                "etfs",
                "coins",
                "names",
                "shares",
                "equities",
                "funds",
                "tickers",
                "tokens",
                "caps",
            ]);
        !screen.filters.is_empty() && (names_kind || screen.sector.is_some())
            || self.has(Intent::Screener)
                && (!screen.filters.is_empty()
                    || screen.sort.is_some()
                    || screen.sector.is_some() && !self.has(Intent::Sectors))
    }

    /// The claim that is to be tested: what follows the words that ask for it.
    pub(super) fn claim(&self, text: &str) -> String {
        let cues = self
            .cues
            .iter()
            .filter(|cue| cue.intent == Intent::Verification);
        let whole = text.trim().trim_end_matches(['?', '!', '.']).trim();
        let mut claim = whole;
        if let Some(cue) = cues.min_by_key(|cue| cue.words.start) {
            if cue.has_gap {
                // `did Apple really buy OpenAI`: without the first word and `really`.
                let rest = &text[self.words[cue.words.start].bytes.end..];
                return rest
                    .trim()
                    .trim_end_matches(['?', '!', '.'])
                    .replace(" really ", " ")
                    .replace(" actually ", " ");
            }
            let end = self.words[cue.words.end - 1].bytes.end;
            let start = self.words[cue.words.start].bytes.start;
            let rest = text[end..].trim_start_matches([' ', ':', ',', '-', '?', '"', '“']);
            let before = text[..start]
                .trim_end_matches([' ', ',', '.', '-', ':'])
                .trim();
            claim = if rest.chars().filter(|one| one.is_alphabetic()).count() >= 8 {
                rest
            } else {
                before
            };
        }
        let claim = claim
            .trim()
            .trim_end_matches(['?', '!', '.', '"', '”'])
            .trim();
        let claim = ["that ", "whether ", "if ", "the claim that ", "this: "]
            .iter()
            .fold(claim, |claim, opening| {
                let is_there = claim
                    .get(..opening.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(opening));
                if is_there {
                    &claim[opening.len()..]
                } else {
                    claim
                }
            });
        let claim = if claim.is_empty() { whole } else { claim };
        claim.to_owned()
    }

    /// Which side of trades is asked for.
    pub(super) fn side(&self) -> Option<Side> {
        let says = |beginnings: &[&str]| {
            let mut words = self.words.iter();
            words.any(|word| beginnings.iter().any(|one| word.lower.starts_with(one)))
        };
        match (
            says(&["buy", "bought", "purchas"]),
            says(&["sell", "sold", "sale", "dump"]),
        ) {
            (true, false) => Some(Side::Buy),
            (false, true) => Some(Side::Sell),
            _ => None,
        }
    }

    /// The kind of event that is named first.
    pub(super) fn event(&self) -> Option<&'static str> {
        const KINDS: [(&str, &[&str]); 8] = [
            (
                "acquisition",
                &["acqui", "takeover", "merge", "buyout", "m&a"],
            ),
            (
                "lawsuit",
                &[
                    "lawsuit",
                    "sued",
                    "suing",
                    "sues",
                    "litigation",
                    "antitrust",
                    "settlement",
                ],
            ),
            ("ipo", &["ipo", "debut", "public"]),
            ("bankruptcy", &["bankrupt", "chapter", "insolven"]),
            ("funding", &["funding", "raised", "venture", "series"]),
            ("partnership", &["partner", "joint"]),
            ("launch", &["launch"]),
            ("regulation", &["regulat", "fined", "fines"]),
        ];
        let cues = self.cues.iter().filter(|cue| cue.intent == Intent::Events);
        let mut words = cues.flat_map(|cue| &self.words[cue.words.clone()]);
        words.find_map(|word| {
            KINDS.iter().find_map(|(kind, beginnings)| {
                let begins = beginnings.iter().any(|one| word.lower.starts_with(one));
                begins.then_some(*kind)
            })
        })
    }
}

fn greetings() -> impl Iterator<Item = &'static str> {
    model::table::lines(include_str!("../../data/greetings.txt"))
}

fn known(series: Series) -> Option<&'static KnownSeries> {
    match series {
        Series::Known(code) => KnownSeries::find(code),
        Series::Pair(..) => None,
    }
}

fn starts(series: Series, prefixes: &[&str]) -> bool {
    known(series).is_some_and(|known| {
        known
            .ids
            .first()
            .is_some_and(|id| prefixes.iter().any(|prefix| id.starts_with(prefix)))
    })
}

/// Whether a series is of this kind.
pub fn is_commodity(series: Series) -> bool {
    starts(series, &["commodity:"])
}

/// Whether a series is of this kind.
pub fn is_index(series: Series) -> bool {
    starts(series, &["index:"])
}

/// Whether a series is of this kind.
pub fn is_pair(series: Series) -> bool {
    matches!(series, Series::Pair(..)) || starts(series, &["fx:"])
}

/// Whether a series is of this kind.
pub fn is_macro(series: Series) -> bool {
    known(series)
        .is_some_and(|known| known.kind != SeriesKind::Price || starts(series, &["macro:"]))
        && !is_commodity(series)
        && !is_index(series)
        && !is_pair(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_are_a_sound_list() {
        let file = include_str!("../../data/greetings.txt");
        assert_eq!(model::table::fault(file, 1, 1), None);
    }

    #[test]
    fn every_series_has_one_kind() {
        for known in KnownSeries::all() {
            let series = Series::Known(known.code);
            let kinds = [is_commodity, is_index, is_pair, is_macro];
            let count = kinds.iter().filter(|is| is(series)).count();
            assert!(count <= 1, "{}", known.code);
        }
    }
}
