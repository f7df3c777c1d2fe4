//! The known names: companies, institutions, people, places, coins, products and events from the data files.

use std::sync::LazyLock;

use model::EntityKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::lexed::{self, Token, gap, lex, shape};
use crate::annotate::phrases::{PhraseTable, Spelling, rows};
use crate::company::is_written_legal_form;

/// A known entity.
#[derive(Debug)]
pub(crate) struct Known {
    /// Canonical name.
    pub(crate) name: &'static str,
    /// The name that people use, for topic words.
    pub(crate) short: &'static str,
    /// What kind of thing it is.
    pub(crate) kind: EntityKind,
    /// Symbol of listed companies and coins.
    pub(crate) ticker: Option<&'static str>,
    /// Its group within its kind.
    pub(crate) sort: Sort,
    guards: Box<[u64]>,
}

/// Groups of known entities that are treated alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A company, listed or not.
    Company,
    /// A news outlet or agency.
    Media,
    /// A coin or token.
    Coin,
    /// Everything else.
    Other,
}

/// How reliable a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// Nothing else is written like it.
    Sure,
    /// Also an ordinary word.
    Word,
    /// Usually something else.
    Rare,
    /// Usually something described in the same terms as companies, such as an index.
    Shared,
}

/// Whether a name alone identifies what is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distinctness {
    /// Nothing else is written like it.
    Distinct,
    /// It is also an ordinary word.
    Word,
    /// It usually means something else.
    Rare,
}

/// One name of a known entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alias {
    /// Index of the entity.
    pub(crate) known: u32,
    certainty: Certainty,
    possessive: bool,
}

/// All known names.
#[derive(Debug)]
pub(crate) struct Gazetteer {
    /// The entities.
    pub(crate) known: Vec<Known>,
    aliases: PhraseTable<Vec<Alias>>,
    tickers: FxHashMap<&'static str, u32>,
    names: FxHashMap<&'static str, u32>,
    /// One-word names with capitals inside, keyed by their lower-case form.
    spellings: FxHashMap<String, &'static str>,
    /// Unambiguous one-word names, each with its entity.
    single: Vec<(&'static str, u32)>,
    /// First words shared by several companies, such as the members of one group: `Mitsubishi`.
    shared: FxHashSet<u64>,
    /// Words of company names after the first one: `Electric`.
    continuing: FxHashSet<u64>,
}

/// The names from the data files.
pub(crate) static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(Gazetteer::load);

/// What the words around a name say about it.
pub(crate) trait Surroundings {
    /// Whether one of these words occurs anywhere in the text or, on request, in the sentence.
    fn mentions_any(&self, words: &[u64], in_sentence: bool) -> bool;
    /// Whether there is a company cue near the words `start..end`.
    fn company_cue(&self, start: usize, end: usize) -> bool;
    /// Whether capitals mark names at this position, or a company cue follows the words directly.
    fn capitals_or_cue(&self, end: usize) -> bool;
    /// Whether a legal form, an exchange or this symbol follows the words that end at `end`.
    fn named_in_full(&self, end: usize, ticker: Option<&str>) -> bool;
    /// Whether the capital on the words `start..end` marks a name: not at the start of a sentence, not in a headline
    /// that capitalises everything, not inside a longer name.
    fn telling_capital(&self, start: usize, end: usize) -> bool;
}

impl Gazetteer {
    fn load() -> Self {
        let mut gazetteer = Self {
            known: Vec::new(),
            aliases: PhraseTable::new(Spelling::Exact),
            tickers: FxHashMap::default(),
            names: FxHashMap::default(),
            spellings: FxHashMap::default(),
            single: Vec::new(),
            shared: FxHashSet::default(),
            continuing: FxHashSet::default(),
        };
        for mut row in rows(include_str!("../../data/entities/coins.tsv")) {
            let (name, ticker, names, guards) = columns(&mut row);
            gazetteer.add(
                name,
                Some(ticker),
                EntityKind::Product,
                Sort::Coin,
                names,
                guards,
            );
        }
        let companies = include_str!("../../data/entities/companies.tsv");
        gazetteer.add_companies(companies);
        gazetteer.shared = shared_first_words(companies);
        for mut row in rows(include_str!("../../data/entities/organizations.tsv")) {
            let (name, sort, names, guards) = columns(&mut row);
            let sort = if sort == "m" {
                Sort::Media
            } else {
                Sort::Other
            };
            gazetteer.add(name, None, EntityKind::Organization, sort, names, guards);
        }
        for (kind, data) in [
            (
                EntityKind::Person,
                include_str!("../../data/entities/people.tsv"),
            ),
            (
                EntityKind::Location,
                include_str!("../../data/entities/locations.tsv"),
            ),
            (
                EntityKind::Event,
                include_str!("../../data/entities/events.tsv"),
            ),
            (
                EntityKind::Product,
                include_str!("../../data/entities/products.tsv"),
            ),
        ] {
            for mut row in rows(data) {
                let (name, names, guards) = (
                    row.next().unwrap_or(""),
                    row.next().unwrap_or(""),
                    row.next().unwrap_or(""),
                );
                gazetteer.add(name, None, kind, Sort::Other, names, guards);
            }
        }
        // Last, so that entities added by hand come first if a name is shared.
        gazetteer.add_companies(include_str!("../../data/entities/listed.tsv"));
        gazetteer
    }

    fn add_companies(&mut self, data: &'static str) {
        for mut row in rows(data) {
            let (name, ticker, names, guards) = columns(&mut row);
            let ticker = (!ticker.is_empty()).then_some(ticker);
            let behind = name
                .split(' ')
                .skip(1)
                .filter(|word| !is_written_legal_form(word));
            self.continuing
                .extend(behind.map(|word| lexed::lower_hash(word.trim_matches(['.', ',']))));
            let kind = EntityKind::Organization;
            self.add(name, ticker, kind, Sort::Company, names, guards);
        }
    }

    fn add(
        &mut self,
        name: &'static str,
        ticker: Option<&'static str>,
        kind: EntityKind,
        sort: Sort,
        names: &'static str,
        guards: &'static str,
    ) {
        let index = self.known.len() as u32;
        let names: Vec<_> = names
            .split('|')
            .filter(|name| !name.is_empty())
            .map(certainty)
            .collect();
        // An abbreviation that is also the symbol of a coin usually means the coin: `DOGE`.
        let is_of_coin = |alias: &str| {
            let coin = self
                .tickers
                .get(alias)
                .map(|at| self.known[*at as usize].sort);
            sort != Sort::Coin && sort != Sort::Company && coin == Some(Sort::Coin)
        };
        let shared: Vec<bool> = names.iter().map(|(alias, _)| is_of_coin(alias)).collect();
        let is_shared = shared.contains(&true);
        for ((alias, certainty), is_shared) in names.iter().zip(shared) {
            let certainty = if is_shared {
                Certainty::Rare
            } else {
                *certainty
            };
            self.alias(alias, index, certainty);
        }
        let stem = without_legal_form(name);
        if !names.iter().any(|(alias, _)| *alias == name) {
            let marked = names
                .iter()
                .any(|(alias, certainty)| *alias == stem && *certainty != Certainty::Sure);
            if !(marked && stem == name) {
                self.alias(name, index, Certainty::Sure);
            }
        }
        // `NVIDIA` from `NVIDIA Corporation`, which is usually written `Nvidia`.
        let in_other_letters = names
            .iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(stem))
            .map(|(_, certainty)| *certainty);
        let is_free = names.is_empty() || stem.contains(' ');
        if stem != name
            && !names.iter().any(|(alias, _)| *alias == stem)
            && (is_free || in_other_letters.is_some())
        {
            self.alias(stem, index, in_other_letters.unwrap_or(Certainty::Sure));
        }
        if let Some(ticker) = ticker {
            self.tickers.entry(ticker).or_insert(index);
        }
        self.names.entry(name).or_insert(index);
        // Companies go by their first listed name, and institutions by their abbreviation if the name is long.
        let first = names.first().map_or(stem, |(alias, _)| *alias);
        let short = match (kind, sort) {
            (EntityKind::Organization, Sort::Company) if first.len() < stem.len() => first,
            (EntityKind::Organization, Sort::Company) => stem,
            (EntityKind::Organization, _) if name.len() >= 20 => names
                .iter()
                .map(|(alias, _)| *alias)
                .filter(|alias| alias.len() < name.len())
                .min_by_key(|alias| alias.len())
                .unwrap_or(name),
            _ => name,
        };
        let own = if guards.is_empty() && is_shared {
            name
        } else {
            ""
        };
        let own = own.split_whitespace().filter(|word| word.len() > 3);
        let guards = guards.split_whitespace().chain(own);
        let guards = guards.map(lexed::lower_hash).collect();
        self.known.push(Known {
            name,
            short,
            kind,
            ticker,
            sort,
            guards,
        });
    }

    fn alias(&mut self, name: &'static str, known: u32, certainty: Certainty) {
        let possessive = name.ends_with("'s");
        let is_single = name.chars().all(char::is_alphanumeric);
        if is_single && certainty == Certainty::Sure && name.chars().any(char::is_lowercase) {
            self.single.push((name, known));
        }
        let has_inner_capital = name.chars().skip(1).any(char::is_uppercase);
        if has_inner_capital && is_single {
            let lower = name.to_lowercase();
            self.spellings.entry(lower).or_insert(name);
        }
        let alias = Alias {
            known,
            certainty,
            possessive,
        };
        self.aliases
            .insert_with(name, vec![alias], |present, more| {
                if !present.iter().any(|alias| alias.known == known) {
                    present.extend(more);
                }
            });
    }

    /// The known entity named by the words from `at` on, and how many words name it.
    pub(crate) fn at(
        &self,
        tokens: &[Token<'_>],
        at: usize,
        end: usize,
        around: &impl Surroundings,
    ) -> Option<(usize, u32)> {
        let (length, aliases) = self.aliases.longest(&tokens[at..end])?;
        let last = &tokens[at + length - 1];
        aliases
            .iter()
            .find(|alias| {
                if alias.possessive && !last.is(shape::POSSESSIVE) {
                    return false;
                }
                let known = &self.known[alias.known as usize];
                alias.certainty == Certainty::Sure
                    || around.mentions_any(&known.guards, alias.certainty == Certainty::Shared)
                    || known.sort == Sort::Company
                        && (alias.certainty != Certainty::Shared
                            && around.company_cue(at, at + length)
                            && (alias.certainty != Certainty::Rare
                                || around.capitals_or_cue(at + length))
                            || around.named_in_full(at + length, known.ticker))
                    || alias.certainty == Certainty::Word
                        && around.telling_capital(at, at + length)
                        && !(known.sort == Sort::Company && has_article(tokens, at))
            })
            .map(|alias| (length, alias.known))
    }

    /// Whether the words begin with the unambiguous name of a company.
    pub(crate) fn is_company(&self, tokens: &[Token<'_>]) -> bool {
        self.aliases.longest(tokens).is_some_and(|(_, aliases)| {
            aliases.iter().any(|alias| {
                alias.certainty == Certainty::Sure
                    && self.known[alias.known as usize].sort == Sort::Company
            })
        })
    }

    /// Whether several listed companies have a name that begins with this word.
    pub(crate) fn is_shared(&self, word: &Token<'_>) -> bool {
        self.shared.contains(&word.lower)
    }

    /// Whether the name of a company continues with this word.
    pub(crate) fn continues_name(&self, word: &Token<'_>) -> bool {
        self.continuing.contains(&word.lower)
    }

    /// Whether the words as a whole are a name that is also an ordinary word.
    pub(crate) fn is_ambiguous(&self, tokens: &[Token<'_>]) -> bool {
        self.aliases
            .longest(tokens)
            .is_some_and(|(length, aliases)| {
                length == tokens.len()
                    && aliases
                        .iter()
                        .all(|alias| alias.certainty != Certainty::Sure)
            })
    }

    /// The known entity of this kind that the words as a whole name, excluding rare meanings.
    pub(crate) fn likely(&self, tokens: &[Token<'_>], kind: EntityKind) -> Option<u32> {
        let (length, aliases) = self.aliases.longest(tokens)?;
        let alias = aliases.iter().find(|alias| {
            !matches!(alias.certainty, Certainty::Rare | Certainty::Shared)
                && !alias.possessive
                && self.known[alias.known as usize].kind == kind
        })?;
        (length == tokens.len()).then_some(alias.known)
    }

    /// The symbol of what the words as a whole name, and how reliable the name is. If there are several, the most
    /// certain one.
    pub(crate) fn traded(&self, tokens: &[Token<'_>]) -> Option<(&'static str, Distinctness)> {
        let (length, aliases) = self.aliases.longest(tokens)?;
        if length != tokens.len() {
            return None;
        }
        let traded = aliases.iter().filter_map(|alias| {
            let ticker = self.known[alias.known as usize].ticker?;
            let distinctness = match alias.certainty {
                Certainty::Sure => Distinctness::Distinct,
                Certainty::Word => Distinctness::Word,
                Certainty::Rare | Certainty::Shared => Distinctness::Rare,
            };
            Some((ticker, distinctness))
        });
        traded.min_by_key(|(_, distinctness)| *distinctness)
    }

    /// How many words from `at` on form a name in the tables, whatever their context, and a small number for the type
    /// of name.
    pub(crate) fn kind_at(
        &self,
        tokens: &[Token<'_>],
        at: usize,
        end: usize,
    ) -> Option<(usize, u8)> {
        let (length, aliases) = self.aliases.longest(&tokens[at..end])?;
        let alias = aliases.first()?;
        let known = &self.known[alias.known as usize];
        let sort = match (known.kind, known.sort) {
            (_, Sort::Company) => 0,
            (_, Sort::Media) => 1,
            (_, Sort::Coin) => 2,
            (EntityKind::Organization, _) => 3,
            (EntityKind::Person, _) => 4,
            (EntityKind::Location, _) => 5,
            (EntityKind::Product, _) => 6,
            (EntityKind::Event, _) => 7,
        };
        let certainty = match alias.certainty {
            Certainty::Sure => 0,
            Certainty::Word => 1,
            Certainty::Rare | Certainty::Shared => 2,
        };
        Some((length, 1 + sort * 3 + certainty))
    }

    /// The entity with this canonical name.
    pub(crate) fn by_name(&self, name: &str) -> Option<&Known> {
        self.names
            .get(name)
            .map(|&index| &self.known[index as usize])
    }

    /// The unambiguous name of a known entity that these words as a whole name.
    pub(crate) fn whole(&self, tokens: &[Token<'_>]) -> Option<&Known> {
        let (length, aliases) = self.aliases.longest(tokens)?;
        let alias = aliases.iter().find(|_| length == tokens.len())?;
        Some(&self.known[alias.known as usize])
    }

    /// Unambiguous one-word names, with the symbols of what they name.
    pub(crate) fn single_names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.single
            .iter()
            .filter_map(|(name, known)| Some((*name, self.known[*known as usize].ticker?)))
    }

    /// The usual spelling of a one-word name that has capitals inside, looked up by its lower-case form.
    pub(crate) fn spelling(&self, lower: &str) -> Option<&'static str> {
        self.spellings.get(lower).copied()
    }

    /// The entity with this symbol.
    pub(crate) fn ticker(&self, symbol: &str) -> Option<u32> {
        self.tickers.get(symbol).copied()
    }
}

/// `The Amazon` is the river. One-word companies take no article.
pub(crate) fn has_article(tokens: &[Token<'_>], at: usize) -> bool {
    at > 0 && matches!(tokens[at - 1].text, "the" | "The") && !tokens[at].after(gap::BREAK)
}

fn columns(
    row: &mut std::str::Split<'static, char>,
) -> (&'static str, &'static str, &'static str, &'static str) {
    (
        row.next().unwrap_or(""),
        row.next().unwrap_or(""),
        row.next().unwrap_or(""),
        row.next().unwrap_or(""),
    )
}

/// The first words of the names of several listed companies.
fn shared_first_words(data: &'static str) -> FxHashSet<u64> {
    let mut symbols: FxHashMap<u64, FxHashSet<&str>> = FxHashMap::default();
    for mut row in rows(data) {
        let (name, ticker, ..) = columns(&mut row);
        let first = name.split(' ').next().unwrap_or_default();
        if !ticker.is_empty() {
            let first = lexed::lower_hash(first.trim_matches(['.', ',']));
            symbols.entry(first).or_default().insert(ticker);
        }
    }
    let shared = symbols.into_iter().filter(|(_, symbols)| symbols.len() > 1);
    shared.map(|(first, _)| first).collect()
}

fn certainty(name: &'static str) -> (&'static str, Certainty) {
    match name.split_at_checked(1) {
        Some(("?", name)) => (name, Certainty::Word),
        Some(("!", name)) => (name, Certainty::Rare),
        Some(("~", name)) => (name, Certainty::Shared),
        _ => (name, Certainty::Sure),
    }
}

fn without_legal_form(name: &str) -> &str {
    let mut stem = name;
    while let Some((head, tail)) = stem.rsplit_once(' ') {
        if !is_written_legal_form(tail) {
            break;
        }
        stem = head.trim_end_matches(',');
    }
    let mut tokens = Vec::new();
    lex(stem, &mut tokens);
    if tokens.is_empty() { name } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_forms_are_cut() {
        assert_eq!(without_legal_form("NVIDIA Corporation"), "NVIDIA");
        assert_eq!(without_legal_form("Merck & Co., Inc."), "Merck");
        assert_eq!(without_legal_form("Amazon.com, Inc."), "Amazon.com");
    }

    #[test]
    fn every_known_entity_has_a_name_and_no_name_is_listed_twice() {
        let mut seen = FxHashSet::default();
        for known in &GAZETTEER.known {
            assert!(
                !known.name.is_empty() && known.name.trim() == known.name,
                "{known:?}"
            );
            assert!(seen.insert(known.name), "{} is listed twice", known.name);
        }
        assert!(seen.len() > 2_000, "{} names", seen.len());
    }

    #[test]
    fn symbols_find_their_company() {
        let name = |symbol| {
            GAZETTEER
                .ticker(symbol)
                .map(|at| GAZETTEER.known[at as usize].name)
        };
        assert_eq!(name("AAPL"), Some("Apple Inc."));
        assert_eq!(name("BTC"), Some("Bitcoin"));
        assert_eq!(name("NOPE"), None);
    }
}
