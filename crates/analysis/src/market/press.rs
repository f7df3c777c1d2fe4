//! What the press says of one ticker: its opinions, its events, and what the price did after them.

use std::collections::BTreeMap;

use market::Day;
use market::composite::{Composite, composite};
use market::impact::{Impacts, PublishedBrief, Venue, impacts};
use market::sentiment::{self, SentimentDay, SentimentReading, SentimentSignal};
use model::{Category, EventKind, Score, SimulatedSentiment, Timestamp};
use store::{BriefSentiment, BriefSentimentQuery, Store};

use super::{HistoryView, Listing, Moment};
use crate::Result;

/// The most briefs that are read for one answer, the newest.
const MOST: u64 = 2_000;

/// What the press says of a ticker in a window.
#[derive(Clone, Debug, Default)]
pub struct Press {
    /// Newest first.
    pub opinions: Vec<BriefSentiment>,
    /// The simulated days of the window: those before the newswire of the demo world began.
    pub simulated: Vec<SimulatedSentiment>,
    /// The days of the window.
    days: u16,
    end: Timestamp,
}

/// A day of sentiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DayOfPress {
    /// Its figures; of a simulated day the confidence has no meaning.
    pub figures: SentimentDay,
    /// Whether it was simulated.
    pub is_simulated: bool,
}

/// A turn of sentiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn<'a> {
    /// Its figures; the headline is empty where the day was simulated.
    pub figures: SentimentSignal<'a>,
    /// Whether its day was simulated.
    pub is_simulated: bool,
}

impl Press {
    /// Reads the `days` × 24 hours before the end of a moment.
    pub async fn read(
        store: &Store,
        listing: &Listing,
        moment: Moment,
        days: u16,
        categories: &[Category],
    ) -> Result<Self> {
        let start = moment.end.plus_ms(-i64::from(days) * Timestamp::DAY_MS);
        let query = BriefSentimentQuery {
            tickers: vec![listing.ticker().to_owned()],
            categories: categories.to_vec(),
            after: Some(start),
            until: Some(moment.end),
            as_of: moment.as_of,
            limit: MOST,
        };
        let opinions = store.brief_sentiments().list(&query).await?;
        // It says nothing of categories, so a key that sees only some does not see it.
        let simulated = if categories.is_empty() {
            let symbol = &listing.instrument.symbol;
            store.market().simulated_sentiment(symbol).await?
        } else {
            Vec::new()
        };
        let (first, last) = (Day::of(start), Day::of(moment.end));
        Ok(Self {
            opinions,
            simulated: simulated
                .into_iter()
                .filter(|one| one.day > first && one.day <= last)
                .collect(),
            days,
            end: moment.end,
        })
    }

    /// The days with briefs, oldest first.
    pub fn history(&self) -> Vec<DayOfPress> {
        let real = self.real();
        let mut days: BTreeMap<Day, DayOfPress> = self
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
                let day = DayOfPress {
                    figures,
                    is_simulated: true,
                };
                (one.day, day)
            })
            .collect();
        // What was really told on a day takes the place of what was simulated for it.
        for figures in sentiment::history(&real, self.end, self.days) {
            let day = DayOfPress {
                figures,
                is_simulated: false,
            };
            days.insert(figures.day, day);
        }
        days.into_values().collect()
    }

    /// The days on which the mean moved by at least `threshold`, oldest first.
    pub fn signals(&self, threshold: f64) -> Vec<Turn<'_>> {
        let mut all = self.real();
        let told: Vec<Day> = all.iter().map(|one| Day::of(one.published_at)).collect();
        for one in &self.simulated {
            if !told.contains(&one.day) {
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
                Turn {
                    figures,
                    is_simulated: simulated.is_some(),
                }
            })
            .collect()
    }

    /// What the price did after each brief, the newest brief first.
    pub fn impacts(&self, listing: &Listing, history: &HistoryView) -> Impacts<'_> {
        let briefs: Vec<PublishedBrief<'_>> = self
            .opinions
            .iter()
            .map(|opinion| PublishedBrief {
                brief_id: &opinion.brief_id,
                headline: &opinion.headline,
                published_at: opinion.published_at,
                sentiment_score: opinion.sentiment,
            })
            .collect();
        let venue = if listing.asset_type().never_closes() {
            Venue::AroundTheClock
        } else {
            Venue::UsExchange
        };
        impacts(&briefs, history.candles(), venue, self.end)
    }

    /// The composite score, from a window of seven days.
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

/// What happened to a company in the last seven days, as briefs about it first stated it, the newest first.
pub async fn events_of(
    store: &Store,
    listing: &Listing,
    moment: Moment,
    categories: &[Category],
) -> Result<Vec<(EventKind, Timestamp)>> {
    let since = moment.end.plus_ms(-7 * Timestamp::DAY_MS);
    let stated = store
        .findings()
        .events_about(listing.ticker(), since, moment.as_of, categories)
        .await?;
    let mut names = vec![listing.instrument.entity_name().to_lowercase()];
    if let Some(entity) = store.entities().find(listing.ticker()).await? {
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
        .filter(|(_, since)| *since <= moment.end)
        .map(|(event, since)| (event.kind, since))
        .collect())
}
