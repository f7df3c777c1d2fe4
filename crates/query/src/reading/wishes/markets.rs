//! What a question that names nothing listed wants to know: about markets, the economy or the news.

use market::filters::{FilterKey, Metric};
use model::AssetType;

use super::Wishes;
use super::instruments::OWNERS;
use crate::cues::Cue;
use crate::intent::Intent;
use crate::ranking::{SHARES, ranks_by_figure, ranks_shares};
use crate::reading::members;
use crate::subjects::{Series, is_commodity, is_index, is_macro, is_pair};

impl Wishes<'_> {
    pub(super) fn without_instruments(&self) -> Vec<Intent> {
        let mut wanted = Vec::new();
        if self.has(Intent::Portfolio)
            && self.says(&["portfolio", "holdings", "positions", "bags"])
            && self.says(&OWNERS)
        {
            return vec![Intent::Portfolio];
        }
        if self.has(Intent::Correlation) && self.found.series.len() >= 2 {
            return vec![Intent::Correlation];
        }
        if self.ranks_by_figure() {
            return vec![Intent::Screener];
        }
        let has_sector = !self.found.sectors.is_empty() || self.has(Intent::Sectors);
        let is_sentiment = |key: FilterKey| matches!(key.metric(), Metric::Sentiment);
        let mut screened = self.screen.filters.iter();
        if self.has(Intent::Sentiment)
            && has_sector
            && !self.has(Intent::Screener)
            && screened.all(|(key, _)| is_sentiment(*key))
        {
            return vec![Intent::Sectors, Intent::Sentiment];
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
        // `insiders who bought more than $1m`: a sum of their trades.
        let is_of_trades = [Intent::Insider, Intent::Congress, Intent::Institutions]
            .into_iter()
            .any(|intent| self.has(intent));
        let is_sum = |key: FilterKey| matches!(key.metric(), Metric::MarketCap | Metric::Price);
        let screens_sums = self.screen.filters.iter().all(|(key, _)| is_sum(*key));
        let is_of_trades = is_of_trades && screens_sums && !self.has(Intent::Screener);
        // `fell more than 20% this year` is also a filter of the screener; nothing else is asked for, so the ranking
        // answers.
        let is_change =
            |key: FilterKey| matches!(key.metric(), Metric::ChangeYtd | Metric::ChangeYear);
        let mut screened = self.screen.filters.iter();
        if self.ranks_by_change() && screened.all(|(key, _)| is_sum(*key) || is_change(*key)) {
            return vec![Intent::Movers];
        }
        // `most heavily traded names`: ranked by volume.
        let is_volume = |key: FilterKey| matches!(key.metric(), Metric::Volume);
        let mut screened = self.screen.filters.iter();
        let by_volume = self.screen.filters.len() == 1 && screened.all(|(key, _)| is_volume(*key));
        if by_volume && self.has(Intent::Movers) {
            return vec![Intent::Movers];
        }
        if !is_of_trades && self.is_screen() && !(is_other && self.screen.filters.is_empty()) {
            return vec![Intent::Screener];
        }
        // `why is the sky blue` is not a question about a price.
        let asks_why = self.has(Intent::WhyMoved) && self.moves();
        for intent in others {
            if self.has(intent) && !self.is_loose(intent) {
                wanted.push(intent);
            }
        }
        // `what did I miss` is not a question about earnings.
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
        if self.has(Intent::Crypto) || self.says(&["coins", "crypto", "cryptos", "altcoins"]) {
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
        // `are investors nervous`: nothing else is named that they could feel something about.
        if wanted.is_empty() && self.has(Intent::Sentiment) && self.feels_about_nothing() {
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

    /// Whether the question contains words about a market.
    pub(in crate::reading) fn asks_of_markets(&self) -> bool {
        const WORDS: [&str; 22] = [
            "stock",
            "stocks",
            "share",
            "shares",
            "market",
            "markets",
            "price",
            "prices",
            "company",
            "companies",
            "sector",
            "industry",
            "economy",
            "trade",
            "trading",
            "invest",
            "investing",
            "investors",
            "etf",
            "etfs",
            "earnings",
            "futures",
        ];
        self.says(&WORDS)
    }

    /// Whether nothing but the people who feel something is left to feel it about.
    pub(in crate::reading) fn feels_about_nothing(&self) -> bool {
        const FEELING: [&str; 14] = [
            "investors",
            "traders",
            "people",
            "everyone",
            "everybody",
            "street",
            "wall",
            "market",
            "folks",
            "right",
            "now",
            "feel",
            "feeling",
            "getting",
        ];
        let is_said = |at: usize| {
            let mut cues = self.cues.iter().filter(|cue| !cue.has_gap);
            cues.any(|cue| cue.words.contains(&at))
        };
        self.words.iter().enumerate().all(|(at, word)| {
            is_said(at)
                || word.is_any(&FEELING)
                || text::token::is_stop_word(&word.lower)
                || word.lower.len() < 3
        })
    }

    /// Whether the words of an intent mean something else when nothing listed is named.
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
            Intent::Analysts => {
                only(&["rating", "ratings", "targets", "consensus"])
                    // `is tech outperforming`.
                    || !self.found.sectors.is_empty()
                        && cues.iter().all(|cue| {
                            let word = &self.words[cue.words.start].lower;
                            word.starts_with("outperform") || word.starts_with("underperform")
                        })
            }
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

    /// Whether shares are asked for by how far their prices moved.
    pub(in crate::reading) fn ranks_by_change(&self) -> bool {
        let is_pool = |(series, range): &(Series, std::ops::Range<usize>)| {
            is_index(*series) && members::are_meant(self.words, range)
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

    /// Whether shares are ranked by one of their figures, which is done by a screen.
    pub(in crate::reading) fn ranks_by_figure(&self) -> bool {
        const OTHERS: [Intent; 10] = [
            Intent::News,
            Intent::Insider,
            Intent::Congress,
            Intent::Institutions,
            Intent::Filings,
            Intent::Analysts,
            Intent::Events,
            Intent::Crypto,
            Intent::WhyMoved,
            Intent::Sentiment,
        ];
        let is_pool = |(series, range): &(Series, std::ops::Range<usize>)| {
            is_index(*series) && members::are_searched(self.words, range)
        };
        let names_kind = self.says(&SHARES)
            || self.says(&["payer", "payers", "yielders"])
            || !self.found.sectors.is_empty()
            || self.screen.sector.is_some()
            || self.screen.industry.is_some();
        let is_of_shares = names_kind
            && self.found.instruments.is_empty()
            && self.found.series.iter().all(is_pool)
            && self.found.unknown.is_empty()
            && self
                .screen
                .asset_type
                .is_none_or(|kind| kind == AssetType::Equity);
        is_of_shares
            && !OTHERS.into_iter().any(|intent| self.has(intent))
            && ranks_by_figure(self.words)
    }

    fn is_screen(&self) -> bool {
        if !self.found.unknown.is_empty() {
            return false;
        }
        let screen = self.screen;
        // `consumer prices over the last 12 months`: an economic figure.
        if self.series(is_macro) && !self.has(Intent::Screener) {
            return false;
        }
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
        let names_field = screen.sector.is_some() || screen.industry.is_some();
        !screen.filters.is_empty() && (names_kind || names_field)
            || self.has(Intent::Screener)
                && (!screen.filters.is_empty()
                    || screen.sort.is_some()
                    || names_field && !self.has(Intent::Sectors))
    }
}
