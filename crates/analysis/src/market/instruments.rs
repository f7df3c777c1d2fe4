//! The instruments: every listing, and how to find the one that a text names.

use std::sync::Arc;

use model::{Day, InstrumentKey, Symbol};

use super::cache::{MarketCache, Snapshot};
use super::names::{Weighed, is_symbol, meant};
use super::resolve::{SUGGESTIONS, look_up, unknown};
use super::{Listing, NameMatch, PointInTime, Unknown, match_names};
use crate::{Result, light};

/// An instrument as it trades.
#[derive(Clone, Debug)]
pub struct Traded {
    /// The text that names it and nothing else.
    pub symbol: Symbol,
    /// Which instrument.
    pub listing: Arc<Listing>,
    /// Price times usual volume, in the listing's currency.
    pub turnover: f64,
}

/// The instrument that a text names; with a day, the one that it named then.
fn found(snapshot: &Snapshot, text: &str, day: Option<Day>) -> Option<Arc<Listing>> {
    let Snapshot {
        listings,
        large_coins,
        actions,
        ..
    } = snapshot;
    look_up(listings, large_coins, &actions.renamings, text, day)
        .or_else(|| snapshot.indices.get(&Symbol::parse(text)?).cloned())
}

/// The day whose symbols a question uses; now, unless it is about another time.
fn naming_day(when: PointInTime) -> Option<Day> {
    when.as_of.map(|_| when.scale())
}

/// The listing behind a name in the index, and its turnover.
fn weighed(snapshot: &Snapshot, key: &InstrumentKey) -> Option<Weighed> {
    let listed = snapshot.listings.get(key);
    let listing = listed.or_else(|| snapshot.indices.get(&key.symbol))?;
    Some((Arc::clone(listing), turnover(snapshot, listing)))
}

/// What people mean by a text, within a snapshot; see [`meant`].
fn meant_in(snapshot: &Snapshot, text: &str, most: usize) -> Vec<NameMatch> {
    let find = |key: &InstrumentKey| weighed(snapshot, key);
    meant(
        &snapshot.names,
        &find,
        found(snapshot, text, None),
        text,
        most,
    )
}

/// The answer for a text that is not the name of any instrument: symbols that look like it, and names that are similar
/// to it. Text in capitals is taken as a symbol rather than a name.
fn suggested(snapshot: &Snapshot, text: &str) -> Unknown {
    let alike = unknown(&snapshot.ordered, text);
    let named = meant_in(snapshot, text, SUGGESTIONS);
    let named = named.iter().map(|one| one.listing.ticker().to_owned());
    let (first, second): (Vec<String>, Vec<String>) = if is_symbol(text) {
        (alike.suggestions, named.collect())
    } else {
        (named.collect(), alike.suggestions)
    };
    let mut suggestions: Vec<String> = Vec::new();
    for symbol in first.into_iter().chain(second) {
        if suggestions.len() < SUGGESTIONS && !suggestions.contains(&symbol) {
            suggestions.push(symbol);
        }
    }
    Unknown {
        suggestions,
        ..alike
    }
}

/// The turnover of an instrument on a usual day, in the listing's currency; 0 if there is no price.
fn turnover(snapshot: &Snapshot, listing: &Listing) -> f64 {
    let metrics = snapshot.metrics.get(&listing.instrument.key());
    metrics
        .and_then(|metrics| Some(metrics.price? * metrics.volume?))
        .unwrap_or_default()
}

/// Finds instruments by key, symbol or name.
#[derive(Clone, Debug)]
pub struct Instruments {
    cache: Arc<MarketCache>,
}

impl Instruments {
    pub(super) fn new(cache: Arc<MarketCache>) -> Self {
        Self { cache }
    }

    /// The instrument that a text names now, or what was perhaps meant.
    pub async fn resolve(&self, text: &str) -> Result<std::result::Result<Arc<Listing>, Unknown>> {
        self.resolve_on(text, None).await
    }

    /// The instrument that a text named at a point in time: if a symbol has been reused, the instrument of the company
    /// that had it then. Otherwise what was perhaps meant.
    pub async fn resolve_as_of(
        &self,
        text: &str,
        when: PointInTime,
    ) -> Result<std::result::Result<Arc<Listing>, Unknown>> {
        self.resolve_on(text, naming_day(when)).await
    }

    async fn resolve_on(
        &self,
        text: &str,
        day: Option<Day>,
    ) -> Result<std::result::Result<Arc<Listing>, Unknown>> {
        let snapshot = self.cache.snapshot().await?;
        if let Some(listing) = found(&snapshot, text, day) {
            return Ok(Ok(listing));
        }
        // Another company has the symbol now, so it is found under the symbol that it had then.
        if let Some(day) = day
            && let Some(other) = found(&snapshot, text, None)
        {
            let suggestion = other.symbol_on(day).map(Symbol::to_string);
            return Ok(Err(Unknown {
                asked: text.chars().take(60).collect(),
                suggestions: suggestion.into_iter().collect(),
            }));
        }
        // Comparing the text with every symbol and name takes milliseconds.
        let text = text.to_owned();
        Ok(Err(light(move || suggested(&snapshot, &text)).await?))
    }

    /// The instrument that a text names now, without suggestions if it names none.
    pub async fn look_up(&self, text: &str) -> Result<Option<Arc<Listing>>> {
        let snapshot = self.cache.snapshot().await?;
        Ok(found(&snapshot, text, None))
    }

    /// The instrument that a text named at a point in time, without suggestions if it named none.
    pub async fn look_up_as_of(
        &self,
        text: &str,
        when: PointInTime,
    ) -> Result<Option<Arc<Listing>>> {
        let snapshot = self.cache.snapshot().await?;
        Ok(found(&snapshot, text, naming_day(when)))
    }

    /// The instruments whose symbol or name a text may mean, most likely first.
    pub async fn matching(&self, text: &str, most: usize) -> Result<Vec<NameMatch>> {
        let listings = self.all().await?;
        Ok(match_names(&listings, text, most))
    }

    /// The instruments that people mean by a text, which may be a name or a symbol in any spelling, most certain
    /// first; see [`meant`].
    pub async fn meant(&self, text: &str, most: usize) -> Result<Vec<NameMatch>> {
        let snapshot = self.cache.snapshot().await?;
        let text = text.to_owned();
        light(move || meant_in(&snapshot, &text, most)).await
    }

    /// The instrument with this key.
    pub async fn find(&self, key: &InstrumentKey) -> Result<Option<Arc<Listing>>> {
        Ok(self.cache.snapshot().await?.listings.get(key).cloned())
    }

    /// Every instrument, ordered by symbol, with shares before coins.
    pub async fn all(&self) -> Result<Arc<[Arc<Listing>]>> {
        Ok(Arc::clone(&self.cache.snapshot().await?.ordered))
    }

    /// Increases whenever something is newly listed or no longer listed.
    pub async fn edition(&self) -> Result<u64> {
        Ok(self.cache.snapshot().await?.edition)
    }

    /// Every instrument with the text that names it and nothing else, and with its turnover on a usual day, 0 if there
    /// is no price; the order is that of [`Self::all`].
    pub async fn traded(&self) -> Result<Vec<Traded>> {
        let snapshot = self.cache.snapshot().await?;
        let mut traded = Vec::with_capacity(snapshot.ordered.len());
        for listing in &*snapshot.ordered {
            traded.push(Traded {
                symbol: self.spelling(listing).await?,
                listing: Arc::clone(listing),
                turnover: turnover(&snapshot, listing),
            });
        }
        Ok(traded)
    }

    /// The shortest text that names this listing and nothing else: its symbol, or if the same letters name something
    /// more important, the symbol with a marker that distinguishes the two (`CAT-USD` the coin, `SOL.US` the share).
    pub async fn spelling(&self, listing: &Listing) -> Result<Symbol> {
        let symbol = &listing.instrument.symbol;
        let key = listing.instrument.key();
        for text in [format!("{symbol}-USD"), format!("{symbol}.US")] {
            if let Some(bare) = self.look_up(symbol.as_str()).await?
                && bare.instrument.key() == key
            {
                break;
            }
            if let Some(marked) = Symbol::parse(&text)
                && let Some(found) = self.look_up(&text).await?
                && found.instrument.key() == key
            {
                return Ok(marked);
            }
        }
        Ok(symbol.clone())
    }
}
