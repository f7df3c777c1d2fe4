//! Coverage of one ticker: what briefs say about it, its events, and how the price moved after them.

use std::collections::{BTreeMap, BTreeSet};

use market::Day;
use market::composite::{Composite, composite};
use market::impact::{Impacts, PublishedBrief, Venue, impacts};
use market::sentiment::{self, SentimentDay, SentimentReading, SentimentSignal};
use model::{Category, EventKind, HourBar, Score, SimulatedSentiment, Timestamp};
use store::{BriefSentiment, BriefSentimentQuery, FirstStatement, Store, StoredBrief};

use super::companies::of_class;
use super::{Crypto, HistoryView, Listing, PointInTime};
use crate::Result;

/// The maximum number of briefs read for one answer: the newest.
const MOST: u64 = 2_000;

/// The coverage of a ticker in a window.
#[derive(Clone, Debug, Default)]
pub struct CoverageWindow {
    /// Newest first.
    pub opinions: Vec<BriefSentiment>,
    /// The simulated days in the window: those before the newswire of the demo world began.
    pub simulated: Vec<SimulatedSentiment>,
    /// The number of days in the window.
    days: u16,
    end: Timestamp,
}

/// One day of sentiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverageDay {
    /// Its figures; for a simulated day, the confidence has no meaning.
    pub figures: SentimentDay,
    /// Whether the day was simulated.
    pub is_simulated: bool,
}

/// A shift in sentiment.
#[derive(Clone, Debug, PartialEq)]
pub struct SentimentShift<'a> {
    /// Its figures; the headline is empty if the day was simulated.
    pub figures: SentimentSignal<'a>,
    /// Whether its day was simulated.
    pub is_simulated: bool,
}

/// Reads what briefs say about one symbol, and which briefs concern a portfolio.
#[derive(Clone, Debug)]
pub struct Coverage {
    pub(super) store: Store,
}

/// A brief with what it says about one symbol.
#[derive(Clone, Debug)]
pub struct CoveringBrief {
    /// The brief as known then.
    pub brief: StoredBrief,
    /// What it says about the symbol.
    pub opinion: BriefSentiment,
}

impl Coverage {
    pub(super) fn new(store: Store) -> Self {
        Self { store }
    }

    /// Reads the `days` × 24 hours before a point in time.
    pub async fn of(
        &self,
        listing: &Listing,
        when: PointInTime,
        days: u16,
        categories: &[Category],
    ) -> Result<CoverageWindow> {
        let start = when.end.plus_ms(-i64::from(days) * Timestamp::DAY_MS);
        let query = window(listing, when, days, categories);
        let opinions = self.store.brief_sentiments().list(&query).await?;
        let opinions = of_class(listing, opinions);
        // Simulated sentiment has no categories, so a key limited to some categories does not see it.
        let simulated = if categories.is_empty() {
            let symbol = &listing.instrument.symbol;
            self.store.market().simulated_sentiment(symbol).await?
        } else {
            Vec::new()
        };
        let (first, last) = (Day::of(start), Day::of(when.end));
        Ok(CoverageWindow {
            opinions,
            simulated: simulated
                .into_iter()
                .filter(|one| one.day > first && one.day <= last)
                .collect(),
            days,
            end: when.end,
        })
    }

    /// The briefs from the `days` × 24 hours before a point in time, as they were when they first named a symbol, with
    /// the hourly bars around them for a coin.
    pub async fn statements_of(
        &self,
        (listing, crypto): (&Listing, &Crypto),
        when: PointInTime,
        days: u16,
        categories: &[Category],
    ) -> Result<Statements> {
        let query = window(listing, when, days, categories);
        let sentiments = self.store.brief_sentiments();
        let mut statements = sentiments.first_statements(&query).await?;
        // A brief that names several classes of a company counts as one brief.
        let mut seen = BTreeSet::new();
        statements.retain(|one| seen.insert(one.brief_id.clone()));
        let is_coin = listing.asset_type().never_closes();
        let hours = match statements.last() {
            Some(oldest) if is_coin => {
                let first = Day::of(oldest.published_at).plus(-1);
                let until = Day::of(when.end);
                let symbol = &listing.instrument.symbol;
                crypto.hours(symbol, (first, until), when).await?
            }
            _ => Vec::new(),
        };
        let venue = if is_coin {
            Venue::AroundTheClock
        } else {
            Venue::UsExchange
        };
        Ok(Statements {
            statements,
            hours,
            venue,
            end: when.end,
        })
    }

    /// The briefs that name a symbol, newest first: those from the last `days` × 24 hours, or all of them.
    pub async fn briefs_of(
        &self,
        listing: &Listing,
        days: Option<i64>,
        limit: u64,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<Vec<CoveringBrief>> {
        let query = BriefSentimentQuery {
            tickers: listing.company_tickers(),
            categories: categories.to_vec(),
            after: days.map(|days| when.end.plus_ms(-days * Timestamp::DAY_MS)),
            until: Some(when.end),
            as_of: when.as_of,
            limit,
        };
        let opinions = self.store.brief_sentiments().list(&query).await?;
        let opinions = of_class(listing, opinions);
        let mut found = Vec::with_capacity(opinions.len());
        for opinion in opinions {
            let briefs = self.store.briefs();
            if let Some(brief) = briefs.find(&opinion.brief_id, when.as_of).await? {
                found.push(CoveringBrief { brief, opinion });
            }
        }
        Ok(found)
    }

    /// What happened to a company in the last seven days, as briefs about it first stated it, newest first.
    pub async fn events_of(
        &self,
        listing: &Listing,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<Vec<(EventKind, Timestamp)>> {
        let since = when.end.plus_ms(-7 * Timestamp::DAY_MS);
        let mut stated = Vec::new();
        for ticker in listing.company_tickers() {
            let findings = self.store.findings();
            let found = findings.events_about(&ticker, since, when.as_of, categories);
            for one in found.await? {
                if !stated.contains(&one) {
                    stated.push(one);
                }
            }
        }
        stated.sort_by_key(|(_, since)| std::cmp::Reverse(*since));
        let mut names = vec![listing.instrument.entity_name().to_lowercase()];
        if let Some(entity) = self.store.entities().find(listing.ticker()).await? {
            names.push(entity.name.to_lowercase());
        }
        let is_named = |text: &str| {
            let text = text.to_lowercase();
            names.iter().any(|name| {
                text.contains(name.as_str()) || (text.len() >= 3 && name.starts_with(&text))
            })
        };
        Ok(stated
            .into_iter()
            .filter(|(event, _)| {
                is_named(&event.subject) || event.object.as_deref().is_some_and(is_named)
            })
            .filter(|(_, since)| *since <= when.end)
            .map(|(event, since)| (event.kind, since))
            .collect())
    }
}

/// The briefs that name a symbol in the `days` × 24 hours before a point in time.
fn window(
    listing: &Listing,
    when: PointInTime,
    days: u16,
    categories: &[Category],
) -> BriefSentimentQuery {
    BriefSentimentQuery {
        tickers: listing.company_tickers(),
        categories: categories.to_vec(),
        after: Some(when.end.plus_ms(-i64::from(days) * Timestamp::DAY_MS)),
        until: Some(when.end),
        as_of: when.as_of,
        limit: MOST,
    }
}

/// The briefs in a window as they were published, and the hourly bars of a coin.
#[derive(Clone, Debug)]
pub struct Statements {
    /// Newest brief first.
    statements: Vec<FirstStatement>,
    /// Ascending; empty if there are none on record.
    hours: Vec<HourBar>,
    venue: Venue,
    end: Timestamp,
}

impl Statements {
    /// The symbols that its briefs name.
    pub fn tickers(&self) -> Vec<String> {
        let statements = self.statements.iter();
        statements.map(|stated| stated.ticker.clone()).collect()
    }

    /// How the price moved after each brief, newest brief first.
    pub fn impacts(&self, history: &HistoryView) -> Impacts<'_> {
        let briefs: Vec<PublishedBrief<'_>> = self
            .statements
            .iter()
            .map(|stated| PublishedBrief {
                brief_id: &stated.brief_id,
                headline: &stated.headline,
                published_at: stated.published_at,
                sentiment_score: stated.sentiment,
                price_before: self.price_before(stated.published_at),
            })
            .collect();
        impacts(&briefs, history.candles(), self.venue, self.end)
    }

    /// The close of the newest hour that had ended, unless that was long before.
    fn price_before(&self, at: Timestamp) -> Option<(f64, Timestamp)> {
        let after = self.hours.partition_point(|hour| hour.ends_at() <= at);
        let hour = self.hours.get(after.checked_sub(1)?)?;
        let is_near = at.since_ms(hour.ends_at()) <= 2 * Timestamp::HOUR_MS;
        is_near.then_some((hour.close, hour.ends_at()))
    }
}

impl CoverageWindow {
    /// The symbols that its briefs name.
    pub fn tickers(&self) -> Vec<String> {
        let opinions = self.opinions.iter();
        opinions.map(|opinion| opinion.ticker.clone()).collect()
    }

    /// The days with briefs, oldest first.
    pub fn history(&self) -> Vec<CoverageDay> {
        let real = self.real();
        let mut days: BTreeMap<Day, CoverageDay> = self
            .simulated
            .iter()
            .map(|one| {
                let figures = SentimentDay {
                    day: one.day,
                    avg_sentiment: one.avg_sentiment,
                    min_sentiment: one.min_sentiment,
                    max_sentiment: one.max_sentiment,
                    brief_count: one.brief_count as usize,
                    avg_confidence: 0.0,
                };
                let day = CoverageDay {
                    figures,
                    is_simulated: true,
                };
                (one.day, day)
            })
            .collect();
        // Real coverage on a day replaces what was simulated for it.
        for figures in sentiment::history(&real, self.end, self.days) {
            let day = CoverageDay {
                figures,
                is_simulated: false,
            };
            days.insert(figures.day, day);
        }
        days.into_values().collect()
    }

    /// The days on which the mean moved by at least `threshold`, oldest first.
    pub fn signals(&self, threshold: f64) -> Vec<SentimentShift<'_>> {
        let mut all = self.real();
        let reported: Vec<Day> = all.iter().map(|one| Day::of(one.published_at)).collect();
        for one in &self.simulated {
            if !reported.contains(&one.day) {
                all.push(SentimentReading {
                    published_at: one.day.starts_at(),
                    sentiment: Score::clamped(one.avg_sentiment),
                    confidence: Score::NEUTRAL,
                    headline: "",
                });
            }
        }
        sentiment::signals(&all, self.end, self.days, threshold)
            .into_iter()
            .map(|mut figures| {
                let simulated = self
                    .simulated
                    .iter()
                    .find(|one| one.day == figures.day && figures.trigger_headline.is_empty());
                if let Some(one) = simulated {
                    figures.brief_count = one.brief_count as usize;
                }
                SentimentShift {
                    figures,
                    is_simulated: simulated.is_some(),
                }
            })
            .collect()
    }

    /// The composite score for a window of seven days.
    pub fn composite(&self, history: &HistoryView, events: &[(EventKind, Timestamp)]) -> Composite {
        composite(&self.real(), history.candles(), events, self.end)
    }

    fn real(&self) -> Vec<SentimentReading<'_>> {
        self.opinions
            .iter()
            .map(|opinion| SentimentReading {
                published_at: opinion.published_at,
                sentiment: opinion.sentiment,
                confidence: opinion.confidence,
                headline: &opinion.headline,
            })
            .collect()
    }
}
