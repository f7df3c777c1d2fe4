//! Names of listed instruments: an organisation that is in no built-in table gets its symbol from them.
//!
//! Only a whole name counts. A name of several words is enough on its own. A single-word name may be an ordinary word,
//! so it needs its symbol in brackets or after a dollar sign somewhere in the article.

use std::collections::HashMap;

use model::{Annotations, Article, EntityKind};
use store::Store;
use text::company;

use crate::error::Result;

/// Symbols by name, in step with the store.
#[derive(Debug, Default)]
pub(crate) struct ListingNames {
    version: i64,
    /// `None` if several symbols share the name.
    symbols: HashMap<String, Option<String>>,
}

impl ListingNames {
    /// Reloads the names if the market data changed.
    pub(crate) async fn refresh(&mut self, store: &Store) -> Result<()> {
        let version = store.market().version().await?;
        if version == self.version {
            return Ok(());
        }
        let after = if self.version == 0 { -1 } else { self.version };
        for stored in store.market().instruments_since(after).await? {
            let instrument = stored.instrument;
            let Some(name) = instrument.name.as_deref().map(company::folded) else {
                continue;
            };
            let symbol = instrument.symbol.to_string();
            self.symbols
                .entry(name)
                .and_modify(|known| {
                    if known.as_deref() != Some(&symbol) {
                        *known = None;
                    }
                })
                .or_insert(Some(symbol));
        }
        self.version = version;
        Ok(())
    }

    /// Gives symbols to the organisations in an article that have none.
    pub(crate) fn link(&self, article: &Article, annotations: &mut Annotations) {
        if self.symbols.is_empty() {
            return;
        }
        for entity in &mut annotations.entities {
            if entity.ticker.is_some() || entity.kind != EntityKind::Organization {
                continue;
            }
            let name = company::folded(&entity.name);
            let Some(Some(symbol)) = self.symbols.get(&name) else {
                continue;
            };
            if name.contains(' ') || names_symbol(article, symbol) {
                entity.ticker = Some(symbol.clone());
            }
        }
    }
}

/// Whether an article writes a symbol in the usual form: `(ACME)`, `(NYSE: ACME)`, `$ACME`.
fn names_symbol(article: &Article, symbol: &str) -> bool {
    let forms = [
        format!("({symbol})"),
        format!(": {symbol})"),
        format!(":{symbol})"),
        format!("${symbol}"),
    ];
    [&article.title, &article.description, &article.body]
        .into_iter()
        .any(|text| forms.iter().any(|form| text.contains(form)))
}
