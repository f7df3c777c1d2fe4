//! Steps about markets, the economy and the news as a whole.

use model::Category;
use query::{Intent, Series};
use serde_json::json;
use verify::figures::KnownSeries;

use super::Draft;

/// What the interface calls the series of claims: its code there, and the word in its path.
pub(super) const INDICATORS: [(&str, &str); 13] = [
    ("gdp", "gdp"),
    ("real_gdp", "real_gdp"),
    ("cpi", "cpi"),
    ("core_cpi", "core_cpi"),
    ("core_inflation", "core_cpi"),
    ("inflation", "inflation"),
    ("unemployment", "unemployment"),
    ("fed_funds", "fed_funds"),
    ("payrolls", "nonfarm_payroll"),
    ("retail_sales", "retail_sales"),
    ("consumer_sentiment", "consumer_sentiment"),
    ("housing_starts", "housing_starts"),
    ("pce_inflation", "inflation"),
];

pub(super) const COMMODITIES: [&str; 16] = [
    "crude",
    "gold",
    "silver",
    "copper",
    "natgas",
    "wheat",
    "corn",
    "coffee",
    "cotton",
    "sugar",
    "brent",
    "platinum",
    "palladium",
    "soybean",
    "cocoa",
    "heating_oil",
];

/// How many days back news may be shown with what a market is doing now.
const RECENT: i32 = 4;

/// How many days after the end of a month or quarter its figures are published.
const PUBLISHED_WITHIN: i32 = 62;

impl Draft<'_> {
    pub(super) fn of_markets(&mut self) {
        if self.wants(Intent::Screener) {
            // An intent that was taken over from the previous question has no sentence of its own.
            let sentence = match self.reading.screened.as_str() {
                "" => self.reading.question.as_str(),
                screened => screened,
            };
            let sentence: String = sentence.chars().take(300).collect();
            let arguments = json!({"query": sentence});
            self.add(
                "screener",
                None,
                "screen_tickers_in_words",
                "screener/natural",
                arguments,
                true,
            );
        }
        if self.wants(Intent::Movers) && !self.ranks_coins() {
            // It is answered as of the end of the period.
            let bounds = self.reading.bounds.unwrap_or_default();
            let sector = match self.reading.sectors[..] {
                [only] => Some(only),
                [] => None,
                _ => {
                    self.note(
                        "movers are ranked for one sector at a time; these are of all shares",
                    );
                    self.plan.is_partial = true;
                    None
                }
            };
            let arguments = json!({
                "from": self.stretch().map(|(from, _)| from.to_string()),
                "change_above": bounds.above,
                "change_below": bounds.below,
                "sector": sector,
            });
            self.add(
                "movers",
                None,
                "list_market_movers",
                "market/movers",
                arguments,
                true,
            );
        }
        // Coverage of a market as a whole is measured sector by sector.
        let asks_mood = self.wants(Intent::MarketOverview)
            && self.wants(Intent::Sentiment)
            && self.reading.instruments.is_empty();
        if self.wants(Intent::Sectors) || asks_mood {
            let arguments = json!({"days": self.days(1, 7, 90)});
            self.add("sectors", None, "list_sectors", "sectors", arguments, true);
            if self.reading.is_by_price && !asks_mood {
                let from = self.stretch().map(|(from, _)| from.to_string());
                let path = "market/movers";
                let arguments = json!({"from": from});
                self.add("movers", None, "list_market_movers", path, arguments, true);
            }
        }
        // An overview of a day says nothing about the values of a period.
        if self.wants(Intent::MarketOverview) && !self.wants_values() {
            self.add(
                "market",
                None,
                "show_market_summary",
                "market/summary",
                json!({}),
                true,
            );
            self.add_before(
                "market_before",
                None,
                "show_market_summary",
                "market/summary",
                json!({}),
            );
            // The values of its last day say nothing about a period.
            if self.stretch().is_none() {
                self.add(
                    "movers",
                    None,
                    "list_market_movers",
                    "market/movers",
                    json!({}),
                    false,
                );
            }
            // What was published while the exchange was closed is selected from the newest by its time.
            self.plan.is_since_close = super::closed::asks_of_closed(&self.reading.question)
                && self.plan.as_of.is_none()
                && self.reading.instruments.is_empty();
            if self.plan.is_since_close {
                let arguments = json!({"per_page": 50});
                self.add("news", None, "list_briefs", "feed", arguments, true);
            } else if self.reading.when.past_end(self.today).is_none() {
                self.add(
                    "trending",
                    None,
                    "list_trending_briefs",
                    "trending",
                    json!({"limit": 5}),
                    false,
                );
            }
        }
        if self.wants(Intent::Calendar) {
            self.calendar();
        }
        self.series();
        if self.wants(Intent::Crypto) {
            if self.reading.instruments.is_empty() {
                self.coins();
            } else if self.asks_of_all_coins() {
                self.all_coins();
            }
        }
        if self.reading.instruments.is_empty() {
            self.disclosures_of_all();
        }
    }

    pub(super) fn calendar(&mut self) {
        let when = &self.reading.when;
        let is_ahead = when.is_ahead || when.to.is_none_or(|to| to >= self.today);
        // `the next CPI release`: within a quarter, whichever one it is.
        let is_one_release =
            when.is_unsaid() && (self.wants(Intent::Macro) || super::hours::asks(self.reading));
        let (from, to) = match (when.from, when.to) {
            _ if is_one_release => (self.today, self.today.plus(45)),
            (Some(from), Some(to)) if when.is_ahead => (from, to),
            // `this week` is read up to today; a calendar is about the rest of it.
            (Some(_), Some(_)) if is_ahead => (self.today, self.today.monday().plus(6)),
            _ => (self.today, self.today.plus(14)),
        };
        let kind = self.reading.asks_earnings.then_some("earnings");
        let arguments =
            json!({"from": from.to_string(), "to": to.to_string(), "type": kind, "limit": 100});
        self.add(
            "calendar",
            None,
            "list_calendar_events",
            "events/calendar",
            arguments,
            true,
        );
    }

    fn series(&mut self) {
        if self.between() {
            return;
        }
        let mut unheld = Vec::new();
        let mut asks_all = [false; 3];
        for series in self.reading.series.clone() {
            if self.values(series) {
                continue;
            }
            match series {
                Series::Pair(base, quote) => {
                    if !self.rates(base, quote) {
                        asks_all[0] = true;
                        unheld.push(format!("{base}/{quote}"));
                    }
                }
                Series::Known(code) => {
                    if let Some((_, slug)) = INDICATORS.iter().find(|(known, _)| *known == code) {
                        self.indicator(slug, true);
                        // Growth means that of the real economy; the nominal one is shown next to it.
                        if *slug == "real_gdp" {
                            self.indicator("gdp", false);
                        }
                    } else if COMMODITIES.contains(&code) {
                        self.add(
                            "commodities",
                            Some(code),
                            "show_commodity",
                            "commodities/{symbol}",
                            json!({"symbol": code}),
                            true,
                        );
                        self.add_before(
                            "commodities_before",
                            Some(code),
                            "show_commodity",
                            "commodities/{symbol}",
                            json!({"symbol": code}),
                        );
                    } else if is_yield(code) {
                        self.yields_of(series);
                    } else if query::is_index(series)
                        && (self.wants(Intent::Movers) || self.wants(Intent::Screener))
                        && !self.wants(Intent::MarketOverview)
                    {
                        // An exchange named like an index is a filter.
                        let screen = self.reading.screen.as_ref();
                        if screen.is_none_or(|screen| screen.exchange.is_none()) {
                            self.note(format!(
                                "the members of the {} are not on record; all shares are ranked",
                                series.name()
                            ));
                        }
                    } else if query::is_index(series) {
                        self.add(
                            "market",
                            None,
                            "show_market_summary",
                            "market/summary",
                            json!({}),
                            true,
                        );
                        self.add_before(
                            "market_before",
                            None,
                            "show_market_summary",
                            "market/summary",
                            json!({}),
                        );
                    } else if query::is_commodity(series) {
                        asks_all[1] = true;
                        unheld.push(series.name());
                    } else if query::is_macro(series) {
                        asks_all[2] = true;
                        unheld.push(series.name());
                    }
                }
            }
        }
        let wants = |intent| self.reading.wants(intent) && self.reading.instruments.is_empty();
        let has = |draft: &Self, keys: &[&str]| {
            draft.plan.steps.iter().any(|step| keys.contains(&step.key))
        };
        let lists_pairs = asks_all[0] || wants(Intent::Forex) && !has(self, &["forex"]);
        let lists_commodities =
            asks_all[1] || wants(Intent::Commodities) && !has(self, &["commodities"]);
        let lists_economy =
            asks_all[2] || wants(Intent::Macro) && !has(self, &["economy", "yields"]);
        if lists_pairs {
            let (operation, path) = ("list_currency_pairs", "forex");
            self.add("forex", None, operation, path, json!({}), true);
            self.add_list_before("forex_before", operation, path, json!({}));
        }
        if lists_commodities {
            let (operation, path) = ("list_commodities", "commodities");
            self.add("commodities", None, operation, path, json!({}), true);
            self.add_list_before("commodities_before", operation, path, json!({}));
        }
        if lists_economy {
            self.add(
                "economy",
                None,
                "list_economic_indicators",
                "economy",
                json!({}),
                true,
            );
            self.add(
                "yields",
                None,
                "show_treasury_yields",
                "economy/yields",
                json!({}),
                false,
            );
        }
        if !unheld.is_empty() {
            self.note(format!(
                "no series of {} is served; the nearest list is shown",
                unheld.join(", ")
            ));
        }
    }

    /// What the yield curve of a day shows, and the values of one yield where the curve does not: those over a period,
    /// and those of a maturity that is not one of its four.
    fn yields_of(&mut self, series: Series) {
        let question = &self.reading.question;
        let is_on_curve = super::yields::is_on_curve(series);
        let is_of_one = !super::yields::is_of_curve(question);
        let slug = super::yields::indicator(question, series)
            .filter(|_| is_of_one && (self.stretch().is_some() || !is_on_curve));
        if let Some(slug) = slug {
            self.indicator(slug, true);
        }
        if slug.is_none() || is_on_curve {
            self.yields();
        }
    }

    /// The yields of Treasury bonds. Those of a past day are published on the next one; if they were known on the day
    /// itself, the newest of the next day is a different one.
    fn yields(&mut self) {
        let (operation, path) = ("show_treasury_yields", "economy/yields");
        let usual = self.plan.as_of;
        let published = usual.map(|day| day.plus(1));
        self.plan.as_of = published.filter(|day| *day < self.today);
        self.add("yields", None, operation, path, json!({}), true);
        self.plan.as_of = usual;
        if let Some(day) = usual {
            self.add_as_of(day, ("yields_before", None), operation, path, json!({}));
        }
    }

    /// An indicator. Its value at a past time was published later: it is read as known some weeks after.
    fn indicator(&mut self, slug: &str, is_needed: bool) {
        let usual = self.plan.as_of;
        let published = usual.map(|day| day.plus(PUBLISHED_WITHIN));
        self.plan.as_of = published.filter(|day| *day < self.today);
        // A year of daily values is a lot; the value that the first one is compared with is in the quarter before. Of
        // other values, the one of a year before is shown as well.
        let lead = if slug.starts_with("treasury_") {
            100
        } else {
            500
        };
        let from = self.stretch().map(|(from, _)| from.plus(-lead).to_string());
        let limit = match (&from, usual) {
            (Some(_), _) => 500,
            (None, _) if asks_last_step(&self.reading.question).is_some() => 500,
            (None, Some(_)) => 80,
            (None, None) => 13,
        };
        self.add(
            "economy",
            Some(slug),
            "show_economic_indicator",
            "economy/{indicator}",
            json!({"indicator": slug, "limit": limit, "from": from}),
            is_needed,
        );
        self.plan.as_of = usual;
    }

    fn coins(&mut self) {
        let topic = self.reading.topic.to_lowercase();
        let is_defi = ["defi", "tvl", "locked", "decentrali"]
            .iter()
            .any(|word| topic.contains(word));
        if is_defi {
            self.add(
                "defi",
                None,
                "show_defi_market",
                "crypto/defi",
                json!({}),
                true,
            );
            return;
        }
        let (operation, path) = ("list_top_coins", "crypto/top");
        if self.ranks_coins() {
            let arguments = json!({"limit": 50});
            self.add("coins", None, operation, path, arguments.clone(), true);
            self.add_list_before("coins_before", operation, path, arguments);
            return;
        }
        self.all_coins();
        let limit = self.reading.at_most.unwrap_or(10);
        self.add(
            "coins",
            None,
            operation,
            path,
            json!({"limit": limit}),
            false,
        );
    }

    /// `which coin lost the most this week`: coins only, no shares.
    pub(super) fn ranks_coins(&self) -> bool {
        self.wants(Intent::Crypto)
            && self.reading.instruments.is_empty()
            && (self.reading.ranks_prices || self.wants(Intent::Movers))
            && !super::instruments::says_any(
                &self.reading.question,
                &["stock", "share", "compan", "equit"],
            )
    }

    /// The total value of all coins.
    fn all_coins(&mut self) {
        let path = "crypto";
        self.add("crypto", None, "show_crypto_market", path, json!({}), true);
    }

    /// `bitcoin dominance`: one coin compared with all coins.
    fn asks_of_all_coins(&self) -> bool {
        let question = self.reading.question.to_lowercase();
        [
            "dominan",
            "crypto market",
            "total crypto",
            "all coins",
            "all crypto",
        ]
        .iter()
        .any(|words| question.contains(words))
    }

    /// `bitcoin dominance`: its share of all coins and nothing else.
    pub(super) fn asks_dominance(&self) -> bool {
        self.wants(Intent::Crypto) && self.reading.question.to_lowercase().contains("dominan")
    }

    fn disclosures_of_all(&mut self) {
        if self.wants(Intent::Insider) {
            let kind = self.reading.side.map(query::Side::as_str);
            let shown = self.reading.at_most.unwrap_or_default().max(20);
            // Items within the period and with the value asked for are selected from a larger number.
            let is_picked = self.reading.least_value.is_some()
                || self.reading.foremost == Some(query::Foremost::Largest)
                || !self.reading.when.is_unsaid();
            let arguments = json!({
                "type": kind,
                "limit": if is_picked { 100 } else { shown },
                "min_value": self.reading.least_value,
            });
            self.add(
                "insider",
                None,
                "list_recent_insider_trades",
                "insider/recent",
                arguments,
                true,
            );
        }
        if self.wants(Intent::Congress) {
            self.add(
                "congress",
                None,
                "list_congress_trades",
                "congress/trades",
                json!({
                    "limit": 20,
                    "member": self.person(),
                    "chamber": super::instruments::chamber(&self.reading.question),
                }),
                true,
            );
        }
        if self.wants(Intent::Filings) {
            let topic = self.reading.topic.clone();
            if topic.is_empty() {
                self.note("name a company or a word of the filing, such as: latest 8-K of AAPL");
            } else {
                self.add(
                    "filings",
                    None,
                    "search_filings",
                    "filings/search",
                    json!({"q": topic, "limit": 10}),
                    true,
                );
            }
        }
    }

    /// The person whose trades are asked about: what remains of the question, if it consists of names alone.
    pub(super) fn person(&self) -> Option<String> {
        const NO_NAMES: [&str; 20] = [
            "senator",
            "senators",
            "senate",
            "congress",
            "house",
            "representative",
            "representatives",
            "rep",
            "sen",
            "congressman",
            "congresswoman",
            "speaker",
            "member",
            "members",
            "lawmaker",
            "lawmakers",
            "politician",
            "politicians",
            "trades",
            "traded",
        ];
        let is_capital = |word: &str| word.starts_with(char::is_uppercase);
        // People who write without capitals also write names without them.
        let writes_capitals = self
            .reading
            .question
            .split_whitespace()
            .skip(1)
            .any(is_capital);
        let words: Vec<&str> = self
            .reading
            .topic
            .split(|one: char| !one.is_alphanumeric() && one != '-' && one != '\'')
            .map(|word| word.trim_end_matches("'s"))
            .filter(|word| {
                let lower = word.to_lowercase();
                word.len() >= 3
                    && (!writes_capitals || is_capital(word))
                    && !NO_NAMES.contains(&lower.as_str())
                    && !text::entities::is_common_word(&lower)
            })
            .collect();
        (1..=3).contains(&words.len()).then(|| words.join(" "))
    }

    pub(super) fn of_news(&mut self) {
        let named = !self.reading.instruments.is_empty();
        if named || self.plan.is_since_close {
            return;
        }
        // For events of no recorded kind, such as job cuts, reports are searched by their words.
        let is_of_words = self.reading.event.is_none() && !self.reading.topic.is_empty();
        if self.wants(Intent::Events) && !is_of_words {
            self.events(None, None, true);
        }
        if self.wants(Intent::Contradictions) {
            self.add(
                "contradictions",
                None,
                "list_contradictions",
                "contradictions",
                json!({"period": "30d", "limit": 10}),
                true,
            );
        }
        let searches = self.wants(Intent::News)
            || self.wants(Intent::Events) && is_of_words
            || self.wants(Intent::Topic)
            || self.wants(Intent::WhyMoved)
            || self.wants(Intent::Institutions)
            || self.wants(Intent::Analysts);
        if !searches {
            return;
        }
        if self.wants(Intent::Institutions) {
            self.note("holdings are on record by share and not by holder; ask about one, such as: did Berkshire buy AAPL");
        }
        let is_name = |said: &String| {
            said.chars().any(char::is_lowercase) || text::entities::is_company(said)
        };
        if !self.reading.unknown.iter().all(is_name) {
            // A symbol that matches no listing is not a subject for the news; a name is.
            return;
        }
        let topic: String = self.reading.topic.chars().take(200).collect();
        if topic.chars().count() < 2
            && let Some(day) = self.reading.when.past_end(self.today)
        {
            // What had been reported by the end of that time.
            let usual = self.plan.as_of.replace(day);
            let arguments = json!({"per_page": 10});
            self.add("news", None, "list_briefs", "feed", arguments, true);
            self.plan.as_of = usual;
            return;
        }
        if topic.chars().count() < 2 {
            self.add(
                "trending",
                None,
                "list_trending_briefs",
                "trending",
                json!({"limit": 10}),
                true,
            );
            return;
        }
        if self.wants(Intent::Topic) {
            let arguments = json!({"topic": topic, "period": "90d"});
            self.add(
                "context",
                None,
                "show_topic_context",
                "context",
                arguments,
                true,
            );
        }
        let when = &self.reading.when;
        let is_current = when.is_unsaid() || when.from == Some(self.today) && !when.is_ahead;
        if let Some(category) = category(&topic).filter(|_| is_current) {
            let arguments = json!({"category": category.as_str(), "per_page": 10});
            let is_needed = !self.wants(Intent::Topic);
            self.add("news", None, "list_briefs", "feed", arguments, is_needed);
            return;
        }
        let window = (!when.is_ahead).then_some(when);
        // News from months ago does not explain why the market moved.
        let recent = (self.wants(Intent::WhyMoved) && self.wants(Intent::MarketOverview))
            .then(|| self.today.plus(-RECENT));
        // News without a time means current news.
        self.plan.asks_newest = self.reading.foremost == Some(query::Foremost::Newest)
            || self.reading.intents[..] == [Intent::News] && self.reading.when.is_unsaid();
        let arguments = json!({
            "q": topic,
            // The newest of the close matches, and those about what is named, are selected from a larger number.
            "per_page": 20,
            "from": window.and_then(|when| when.from).or(recent).map(|day| day.to_string()),
            "to": window.and_then(|when| when.to).map(|day| day.to_string()),
        });
        let is_needed = !self.wants(Intent::Topic);
        self.add(
            "news",
            None,
            "search_briefs",
            "search",
            arguments,
            is_needed,
        );
    }
}

/// The category that a topic is as a whole: `crypto news`, `anything new in tech`.
fn category(topic: &str) -> Option<Category> {
    Some(match topic.to_lowercase().as_str() {
        "ai" | "artificial intelligence" => Category::AiMl,
        "tech" | "technology" => Category::Tech,
        "crypto" | "cryptocurrency" | "cryptocurrencies" | "digital assets" => Category::Crypto,
        "business" => Category::Business,
        "science" => Category::Science,
        "health" => Category::Health,
        "energy" => Category::Energy,
        "climate" => Category::Climate,
        "cybersecurity" => Category::Security,
        "sport" | "sports" => Category::Sports,
        "culture" => Category::Culture,
        _ => return None,
    })
}

fn is_yield(code: &str) -> bool {
    KnownSeries::find(code)
        .is_some_and(|known| known.ids.iter().any(|id| id.starts_with("macro:DGS")))
}

/// Whether a question asks when a rate was last raised (`true`) or cut: `when did the Fed last cut`.
pub(crate) fn asks_last_step(question: &str) -> Option<bool> {
    let lower = question.to_lowercase();
    let says = |all: &[&str]| {
        let mut words = lower.split(|one: char| !one.is_alphanumeric());
        words.any(|word| all.iter().any(|stem| word.starts_with(stem)))
    };
    let asks = lower.contains("when") || lower.contains("last time");
    if !asks || !says(&["last", "latest", "recent"]) {
        return None;
    }
    if says(&["cut", "lower", "reduc", "eas"]) {
        return Some(false);
    }
    says(&["rais", "hik", "increas", "tighten"]).then_some(true)
}
