//! The instruments: every listing, and the one that a text names.

use std::sync::Arc;

use model::{Day, InstrumentKey, Symbol};

use super::cache::{MarketCache, Snapshot};
use super::names::{Weighed, is_symbol, meant};
use super::resolve::{SUGGESTIONS, look_up, unknown};
use super::{Listing, NameMatch, PointInTime, Unknown, match_names};
use crate::{Result, light};

/// An instrument as it is traded.
#[derive(Clone, Debug)]
pub struct Traded {
    /// The text that names it and no other.
    pub symbol: Symbol,
    /// Which one.
    pub listing: Arc<Listing>,
    /// Price times usual volume, in the currency of the listing.
    pub turnover: f64,
}

/// The instrument that a text names, on a day the one that it named then.
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

/// The day whose symbols a question uses; now where it is of no other time.
fn naming_day(when: PointInTime) -> Option<Day> {
    when.as_of.map(|_| when.scale())
}

/// What a name of the index is the name of, and its turnover.
fn weighed(snapshot: &Snapshot, key: &InstrumentKey) -> Option<Weighed> {
    let listed = snapshot.listings.get(key);
    let listing = listed.or_else(|| snapshot.indices.get(&key.symbol))?;
    Some((Arc::clone(listing), turnover(snapshot, listing)))
}

/// What people mean by a text in a snapshot; see [`meant`].
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

/// What to say of a text that no instrument is called: symbols that look like it and what it is like as a name. What is written in
/// capitals is a symbol rather than a name.
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

/// What of an instrument changes hands on a usual day, in the currency of its listing; 0 where no price is held.
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

    /// The instrument that a text names now; else what was perhaps meant.
    pub async fn resolve(&self, text: &str) -> Result<std::result::Result<Arc<Listing>, Unknown>> {
        self.resolve_on(text, None).await
    }

    /// The instrument that a text named at a point in time: of symbols that were taken up again that of the company that had
    /// it then. Else what was perhaps meant.
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
        // Another company has the symbol now: it is found under the one that it had then.
        if let Some(day) = day
            && let Some(other) = found(&snapshot, text, None)
        {
            let suggestion = other.symbol_on(day).map(Symbol::to_string);
            return Ok(Err(Unknown {
                asked: text.chars().take(60).collect(),
                suggestions: suggestion.into_iter().collect(),
            }));
        }
        // Comparing with every symbol and name takes milliseconds.
        let text = text.to_owned();
        Ok(Err(light(move || suggested(&snapshot, &text)).await?))
    }

    /// The instrument that a text names now, without suggestions where it names none.
    pub async fn look_up(&self, text: &str) -> Result<Option<Arc<Listing>>> {
        let snapshot = self.cache.snapshot().await?;
        Ok(found(&snapshot, text, None))
    }

    /// The instrument that a text named at a point in time, without suggestions where it named none.
    pub async fn look_up_as_of(
        &self,
        text: &str,
        when: PointInTime,
    ) -> Result<Option<Arc<Listing>>> {
        let snapshot = self.cache.snapshot().await?;
        Ok(found(&snapshot, text, naming_day(when)))
    }

    /// The instruments whose symbol or name a text may mean, the most likely first.
    pub async fn matching(&self, text: &str, most: usize) -> Result<Vec<NameMatch>> {
        let listings = self.all().await?;
        Ok(match_names(&listings, text, most))
    }

    /// The instruments that people mean by a text, a name or a symbol in any spelling, the surest first; see [`meant`].
    pub async fn meant(&self, text: &str, most: usize) -> Result<Vec<NameMatch>> {
        let snapshot = self.cache.snapshot().await?;
        let text = text.to_owned();
        light(move || meant_in(&snapshot, &text, most)).await
    }

    /// The instrument of a key.
    pub async fn find(&self, key: &InstrumentKey) -> Result<Option<Arc<Listing>>> {
        Ok(self.cache.snapshot().await?.listings.get(key).cloned())
    }

    /// Every instrument, ordered by symbol, shares before coins.
    pub async fn all(&self) -> Result<Arc<[Arc<Listing>]>> {
        Ok(Arc::clone(&self.cache.snapshot().await?.ordered))
    }

    /// Rises when something is listed anew or no more.
    pub async fn edition(&self) -> Result<u64> {
        Ok(self.cache.snapshot().await?.edition)
    }

    /// Every instrument with the text that names it and no other, and with its turnover of a usual day, 0 where no price
    /// is held; the order is that of [`Self::all`].
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

    /// The shortest text that names this listing and no other: its symbol, or where the same letters name something more
    /// important, the symbol with a mark that distinguishes the two (`CAT-USD` the coin, `SOL.US` the share).
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
