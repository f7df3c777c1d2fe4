//! The names of what is listed: an organisation that no built-in table knows gets its symbol from them.
//!
//! Only a whole name counts. A name of several words is enough by itself; one of a single word, which may be a word of the
//! language, needs its symbol in brackets or after a dollar sign somewhere in the article.

use std::collections::HashMap;

use model::{Annotations, Article, EntityKind};
use store::Store;

use crate::error::Result;

/// Words that companies end with and reporters leave out.
const FORMS: [&str; 16] = [
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "co",
    "company",
    "ltd",
    "limited",
    "plc",
    "ag",
    "se",
    "sa",
    "nv",
    "group",
    "holdings",
    "holding",
];

/// Symbols by name, in step with the store.
#[derive(Debug, Default)]
pub(crate) struct ListingNames {
    version: i64,
    /// `None` where several symbols bear the name.
    symbols: HashMap<String, Option<String>>,
}

impl ListingNames {
    /// Reads the names anew where the market changed.
    pub(crate) async fn refresh(&mut self, store: &Store) -> Result<()> {
        let version = store.market().version().await?;
        if version == self.version {
            return Ok(());
        }
        let after = if self.version == 0 { -1 } else { self.version };
        for stored in store.market().instruments_since(after).await? {
            let instrument = stored.instrument;
            let Some(name) = instrument.name.as_deref().map(folded) else {
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

    /// Gives symbols to the organisations of an article that have none.
    pub(crate) fn link(&self, article: &Article, annotations: &mut Annotations) {
        if self.symbols.is_empty() {
            return;
        }
        for entity in &mut annotations.entities {
            if entity.ticker.is_some() || entity.kind != EntityKind::Organization {
                continue;
            }
            let name = folded(&entity.name);
            let Some(Some(symbol)) = self.symbols.get(&name) else {
                continue;
            };
            if name.contains(' ') || names_symbol(article, symbol) {
                entity.ticker = Some(symbol.clone());
            }
        }
    }
}

/// Words in lower case without marks and without what companies end with.
fn folded(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut words: Vec<&str> = lower
        .split(|character: char| !character.is_alphanumeric() && character != '&')
        .filter(|word| !word.is_empty())
        .collect();
    while words.len() > 1 && words.last().is_some_and(|last| FORMS.contains(last)) {
        words.pop();
    }
    words.join(" ")
}

/// Whether an article writes a symbol as symbols are written: `(ACME)`, `(NYSE: ACME)`, `$ACME`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded_to_what_reporters_write() {
        assert_eq!(
            folded("Kestrelstone Semiconductor, Inc."),
            "kestrelstone semiconductor"
        );
        assert_eq!(folded("Oxbow & Daughters"), "oxbow & daughters");
        assert_eq!(folded("The Company"), "the");
        assert_eq!(folded("Group"), "group");
    }
}
