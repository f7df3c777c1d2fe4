//! Names and tags ready to complete what a reader begins to type.
//!
//! The store cannot look for a beginning without accents and in the middle of a name, so the names with the most briefs
//! are kept in memory, in the order of their words. They are read again at most once a minute; what became known since
//! is suggested a minute later. What a narrow key or the past may see is asked of the store, not of this.

use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::EntityKind;
use parking_lot::RwLock;
use search::fold_text;
use store::Store;

use crate::error::Result;

/// Entities that are kept.
const MOST_ENTITIES: u64 = 50_000;
/// Tags that are kept.
const MOST_TAGS: u64 = 20_000;
/// How long the names are good where newer data were published.
const REFRESH_AFTER: Duration = Duration::from_mins(1);

/// The names, and of which data they are.
#[derive(Default)]
pub(crate) struct Suggestions {
    names: RwLock<Option<Arc<Names>>>,
    /// Only one reads them again; the others use the old ones, or wait where there are none.
    reading: tokio::sync::Mutex<()>,
}

/// What can be suggested, at one time.
pub(crate) struct Names {
    read_at: Instant,
    revision: i64,
    names: Vec<Name>,
    /// All names and tickers folded, each on a line of its own.
    folded: String,
    /// Where in that text a word begins; sorted by what follows.
    beginnings: Vec<Beginning>,
}

#[derive(Clone, Copy)]
struct Beginning {
    at: u32,
    name: u32,
    place: Place,
}

/// How a name fits, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// It is the ticker.
    Ticker,
    /// The name, or the ticker, begins so.
    First,
    /// A later word of the name begins so.
    Inside,
}

/// A name or tag.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// As written.
    pub(crate) text: String,
    /// What it names.
    pub(crate) kind: NameKind,
    /// How many briefs have it.
    pub(crate) briefs: u64,
}

/// What a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// Somebody or something.
    Entity {
        kind: EntityKind,
        ticker: Option<String>,
    },
    /// A topic.
    Tag,
}

impl Suggestions {
    /// Reads the names again where that is due and somebody has asked for them before.
    pub(crate) async fn refresh(&self, store: &Store, revision: i64) -> Result<()> {
        let is_used = self.names.read().is_some();
        if is_used {
            self.names(store, revision).await?;
        }
        Ok(())
    }

    /// The names, read again where they are old and newer data were published.
    pub(crate) async fn names(&self, store: &Store, revision: i64) -> Result<Arc<Names>> {
        let known = self.names.read().clone();
        let is_good =
            |names: &Names| names.revision == revision || names.read_at.elapsed() < REFRESH_AFTER;
        if let Some(names) = known.as_ref().filter(|names| is_good(names)) {
            return Ok(Arc::clone(names));
        }
        let _turn = match (known, self.reading.try_lock()) {
            (_, Ok(turn)) => turn,
            (Some(names), Err(_)) => return Ok(names),
            (None, Err(_)) => self.reading.lock().await,
        };
        // Somebody may have read them in the meantime.
        if let Some(names) = self.names.read().as_ref().filter(|names| is_good(names)) {
            return Ok(Arc::clone(names));
        }
        let names = Arc::new(Names::read(store, revision).await?);
        *self.names.write() = Some(Arc::clone(&names));
        Ok(names)
    }
}

impl Names {
    async fn read(store: &Store, revision: i64) -> Result<Self> {
        let entities = store.entities().names(MOST_ENTITIES).await?;
        let tags = store.entities().tags(MOST_TAGS).await?;
        let entities = entities.into_iter().map(|row| Name {
            text: row.name,
            kind: NameKind::Entity {
                kind: row.kind,
                ticker: row.ticker,
            },
            briefs: row.brief_count,
        });
        let tags = tags.into_iter().map(|(text, briefs)| Name {
            text,
            kind: NameKind::Tag,
            briefs,
        });
        let names = entities.chain(tags).collect();
        let built = tokio::task::spawn_blocking(move || Self::new(names, revision)).await;
        built.map_err(crate::error::Error::internal)
    }

    fn new(names: Vec<Name>, revision: i64) -> Self {
        let mut folded = String::new();
        let mut beginnings = Vec::with_capacity(names.len() * 2);
        for (number, name) in (0_u32..).zip(&names) {
            let from = folded.len();
            push_line(&mut folded, &name.text);
            let mut is_inside = false;
            for (at, character) in folded[from..].char_indices() {
                if character.is_alphanumeric() && !is_inside {
                    beginnings.push(Beginning {
                        at: (from + at) as u32,
                        name: number,
                        place: if at == 0 { Place::First } else { Place::Inside },
                    });
                }
                is_inside = character.is_alphanumeric();
            }
            if let NameKind::Entity {
                ticker: Some(ticker),
                ..
            } = &name.kind
            {
                beginnings.push(Beginning {
                    at: folded.len() as u32,
                    name: number,
                    place: Place::Ticker,
                });
                push_line(&mut folded, ticker);
            }
        }
        beginnings.sort_unstable_by(|left, right| {
            folded[left.at as usize..].cmp(&folded[right.at as usize..])
        });
        Self {
            read_at: Instant::now(),
            revision,
            names,
            folded,
            beginnings,
        }
    }

    /// Names this reading of them.
    pub(crate) fn label(&self) -> String {
        self.revision.to_string()
    }

    /// The names that begin so or have a word that does, the best fit and then the most briefs first.
    pub(crate) fn find(&self, folded: &str, most: usize) -> Vec<(Place, &Name)> {
        let rest = |beginning: &Beginning| &self.folded[beginning.at as usize..];
        let from = self
            .beginnings
            .partition_point(|beginning| rest(beginning) < folded);
        let mut best: BinaryHeap<(Place, std::cmp::Reverse<u64>, u32)> = BinaryHeap::new();
        for found in self.beginnings[from..]
            .iter()
            .take_while(|beginning| rest(beginning).starts_with(folded))
        {
            let is_whole = rest(found)[folded.len()..].starts_with(LINE_END);
            let place = match found.place {
                // Only the whole ticker is better than the beginning of a name.
                Place::Ticker if !is_whole => Place::First,
                place => place,
            };
            let Some(name) = self.names.get(found.name as usize) else {
                continue;
            };
            let key = (place, std::cmp::Reverse(name.briefs), found.name);
            if best.len() < most {
                best.push(key);
            } else if let Some(mut worst) = best.peek_mut()
                && key < *worst
            {
                *worst = key;
            }
        }
        let mut seen: Vec<u32> = Vec::new();
        best.into_sorted_vec()
            .into_iter()
            .filter(|(_, _, number)| {
                let is_new = !seen.contains(number);
                seen.push(*number);
                is_new
            })
            .filter_map(|(place, _, number)| Some((place, self.names.get(number as usize)?)))
            .collect()
    }
}

/// Ends a name: less than every character in one.
const LINE_END: char = '\n';

fn push_line(folded: &mut String, text: &str) {
    let text = fold_text(text);
    folded.extend(text.chars().map(|character| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    }));
    folded.push(LINE_END);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let entity = |text: &str, ticker: Option<&str>, briefs| Name {
            text: text.to_owned(),
            kind: NameKind::Entity {
                kind: EntityKind::Organization,
                ticker: ticker.map(str::to_owned),
            },
            briefs,
        };
        let tag = |text: &str, briefs| Name {
            text: text.to_owned(),
            kind: NameKind::Tag,
            briefs,
        };
        Names::new(
            vec![
                entity("Bank of São Paulo", Some("SPB"), 3),
                entity("Harbor Bank", None, 9),
                entity("Sparrow Foods", None, 7),
                entity("Żabka", Some("BANK"), 1),
                tag("banking rules", 20),
            ],
            1,
        )
    }

    #[test]
    fn beginnings_are_found_in_any_case_and_without_accents() {
        let names = names();
        let check = |typed: &str, expected: &[&str]| {
            let found: Vec<&str> = names
                .find(&fold_text(typed), 10)
                .iter()
                .map(|(_, name)| name.text.as_str())
                .collect();
            assert_eq!(found, expected, "{typed}");
        };
        check(
            "Bank",
            &["Żabka", "banking rules", "Bank of São Paulo", "Harbor Bank"],
        );
        check("zab", &["Żabka"]);
        check("SAO P", &["Bank of São Paulo"]);
        check("sp", &["Sparrow Foods", "Bank of São Paulo"]);
        check("spb", &["Bank of São Paulo"]);
        check("ank", &[]);
    }

    #[test]
    fn no_more_than_asked_and_the_best() {
        let names = names();
        let found = names.find("ba", 1);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1.text, "banking rules");
    }
}
