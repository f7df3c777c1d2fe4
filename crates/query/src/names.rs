//! Listed instruments, by the words that people use for them.

use model::Symbol;
use rustc_hash::FxHashMap;
use text::company;

/// The kind of a listed instrument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A share.
    Share,
    /// A fund.
    Fund,
    /// A coin.
    Coin,
}

/// A listed instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its symbol, which finds it and nothing else.
    pub symbol: Symbol,
    /// The name as people write it.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The currency of its prices.
    pub currency: String,
    /// Size in any unit, to choose between instruments with the same name; 0 if unknown.
    pub size: f64,
}

/// Longest name to look for, in words.
pub(crate) const LONGEST: usize = 5;
/// Shorter names are not searched for with letters changed.
const SHORTEST_MISSPELT: usize = 5;

/// This many listings are large: those that people ask about by half a name.
const LARGE: usize = 1_000;

/// The listings, by symbol and by name.
#[derive(Debug, Default)]
pub struct Names {
    listed: Vec<Listed>,
    by_symbol: FxHashMap<String, usize>,
    by_name: FxHashMap<String, usize>,
    /// One-word names by their first letter, to compare misspelt ones with.
    by_letter: FxHashMap<char, Vec<(String, usize)>>,
    /// Names of several words, by the first word.
    by_first_word: FxHashMap<String, Vec<(String, usize)>>,
    /// The size of the smallest large listing.
    large_from: f64,
    are_sizes_unknown: bool,
}

impl Names {
    /// Built from these listings. If two have the same name, the larger one gets it; of equally large ones, the first.
    pub fn new(listings: impl IntoIterator<Item = Listed>) -> Self {
        let mut names = Self::default();
        // The first word of a name belongs to the only company whose name begins with it, unless it is an ordinary
        // word.
        let mut first_words: FxHashMap<String, Option<usize>> = FxHashMap::default();
        for listed in listings {
            let index = names.listed.len();
            let symbol = listed.symbol.as_str().to_lowercase();
            names.by_symbol.entry(symbol).or_insert(index);
            let spellings = spellings(&listed.name);
            names.listed.push(listed);
            for words in spellings {
                let full = words.join(" ");
                if full.is_empty() {
                    continue;
                }
                names.enter(full, index);
                if let Some((first, [_, ..])) = words.split_first()
                    && first.chars().count() >= 4
                {
                    first_words
                        .entry(first.clone())
                        .and_modify(|holder| *holder = holder.filter(|known| *known == index))
                        .or_insert(Some(index));
                }
            }
        }
        for (word, holder) in first_words {
            let is_said_alone = !is_ordinary(&word)
                || word.chars().count() >= 6
                    && !text::token::is_stop_word(&word)
                    && !text::entities::is_common_word(&word);
            if let Some(index) = holder
                && is_said_alone
                && !names.by_name.contains_key(&word)
            {
                names.by_name.insert(word, index);
            }
        }
        for (name, index) in &names.by_name {
            if let Some((first, _)) = name.split_once(' ') {
                let same = names.by_first_word.entry(first.to_owned()).or_default();
                same.push((name.clone(), *index));
            }
            if let Some(first) = name.chars().next()
                && !name.contains(' ')
                && name.chars().count() >= SHORTEST_MISSPELT
            {
                let same = names.by_letter.entry(first).or_default();
                same.push((name.clone(), *index));
            }
        }
        // Names that everybody uses but no listing has: `google`.
        for (name, symbol) in text::entities::single_names() {
            let name = name.to_lowercase();
            if let Some(index) = names.by_symbol.get(&symbol.to_lowercase())
                && let Some(first) = name.chars().next()
                && name.chars().count() >= SHORTEST_MISSPELT
                && !names.by_name.contains_key(&name)
            {
                let same = names.by_letter.entry(first).or_default();
                same.push((name, *index));
            }
        }
        // Nobody may rely on the order of a hash table.
        for same in names.by_letter.values_mut() {
            same.sort_unstable();
        }
        for same in names.by_first_word.values_mut() {
            same.sort_unstable();
        }
        let mut sizes: Vec<f64> = names.listed.iter().map(|listed| listed.size).collect();
        sizes.sort_by(|left, right| right.total_cmp(left));
        names.are_sizes_unknown = sizes.first().is_none_or(|largest| *largest <= 0.0);
        names.large_from = sizes.get(LARGE - 1).copied().unwrap_or_default();
        names
    }

    fn enter(&mut self, name: String, index: usize) {
        let listed = &self.listed;
        self.by_name
            .entry(name)
            .and_modify(|known| {
                if listed[index].size > listed[*known].size {
                    *known = index;
                }
            })
            .or_insert(index);
    }

    /// How many are listed.
    pub fn len(&self) -> usize {
        self.listed.len()
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Whether it is one of the large listings.
    pub(crate) fn is_large(&self, listed: &Listed) -> bool {
        // If no size is known, large and small cannot be told apart.
        listed.size >= self.large_from && (listed.size > 0.0 || self.are_sizes_unknown)
    }

    /// The listing with a symbol, in upper or lower case; `BRK-B` is `BRK.B`.
    pub(crate) fn symbol(&self, text: &str) -> Option<&Listed> {
        let lower = text.to_lowercase().replace('-', ".");
        self.by_symbol.get(&lower).map(|index| &self.listed[*index])
    }

    /// The listing that some lower-case words name.
    pub(crate) fn named(&self, words: &str) -> Option<&Listed> {
        self.by_name.get(words).map(|index| &self.listed[*index])
    }

    /// The listing whose one-word name is nearest to a misspelt one; none if two are equally near, unless one is
    /// larger.
    pub(crate) fn misspelt(&self, word: &str) -> Option<&Listed> {
        let most = if word.chars().count() >= 8 { 2 } else { 1 };
        self.nearest(word, most)
    }

    /// Like [`Names::misspelt`], with at most this many letters changed, or an ending that sounds like another.
    pub(crate) fn nearest(&self, word: &str, most: usize) -> Option<&Listed> {
        let length = word.chars().count();
        if length < SHORTEST_MISSPELT {
            return None;
        }
        // `tesler`: an ending that sounds like another.
        let spoken = ["er", "ar", "or"]
            .iter()
            .find_map(|ending| Some(format!("{}a", word.strip_suffix(ending)?)));
        if let Some(listed) = spoken.and_then(|spoken| self.named(&spoken)) {
            return Some(listed);
        }
        let first = word.chars().next()?;
        let mut best: Option<(usize, &Listed)> = None;
        for (name, index) in self.by_letter.get(&first).into_iter().flatten() {
            if name.chars().count().abs_diff(length) > most {
                continue;
            }
            let distance = strsim::osa_distance(word, name);
            let listed = &self.listed[*index];
            let is_better = best.is_none_or(|(known, holder)| {
                distance < known || distance == known && listed.size > holder.size
            });
            if distance <= most && is_better {
                best = Some((distance, listed));
            }
        }
        best.map(|(_, listed)| listed)
    }

    /// The listing whose name of several words differs from these in one letter, if the first word is right; the
    /// largest of several.
    pub(crate) fn misspelt_words(&self, words: &str) -> Option<&Listed> {
        let (first, rest) = words.split_once(' ')?;
        if rest.chars().count() < SHORTEST_MISSPELT {
            return None;
        }
        let length = words.chars().count();
        let same = self.by_first_word.get(first).into_iter().flatten();
        let near = same.filter(|(name, _)| {
            name.chars().count().abs_diff(length) <= 1 && strsim::osa_distance(words, name) == 1
        });
        let listed = near.map(|(_, index)| &self.listed[*index]);
        listed.max_by(|left, right| left.size.total_cmp(&right.size))
    }

    /// Symbols that a text may have meant, at most this many: those of names and those with one letter different, the
    /// largest first. A word in capitals is a symbol rather than a name.
    pub fn near_symbols(&self, text: &str, most: usize) -> Vec<Symbol> {
        let lower = text.to_lowercase();
        let length = lower.chars().count();
        let is_near = |listed: &&Listed| {
            let symbol = listed.symbol.as_str();
            symbol.len().abs_diff(length) <= 1
                && length >= 2
                && strsim::osa_distance(&lower, &symbol.to_lowercase()) <= 1
        };
        let by_symbol = by_size(self.listed.iter().filter(is_near).collect());
        let by_name = by_size(self.near_names(&lower));
        let is_symbol = !text.chars().any(char::is_lowercase);
        let (first, second) = if is_symbol {
            (by_symbol, by_name)
        } else {
            (by_name, by_symbol)
        };
        let mut symbols: Vec<Symbol> = Vec::new();
        for listed in first.into_iter().chain(second) {
            if !symbols.contains(&listed.symbol) {
                symbols.push(listed.symbol.clone());
            }
        }
        symbols.truncate(most);
        symbols
    }

    /// The listings with a one-word name that differs in one letter, or in two if it is long.
    fn near_names(&self, lower: &str) -> Vec<&Listed> {
        let length = lower.chars().count();
        let most = if length >= 8 { 2 } else { 1 };
        let first = lower.chars().next().filter(|_| length >= 4);
        let same = first.and_then(|first| self.by_letter.get(&first));
        let is_near = |name: &str| {
            name.chars().count().abs_diff(length) <= most
                && strsim::osa_distance(lower, name) <= most
        };
        let same = same.into_iter().flatten();
        same.filter(|(name, _)| is_near(name))
            .map(|(_, index)| &self.listed[*index])
            .collect()
    }
}

/// The largest first.
fn by_size(mut listed: Vec<&Listed>) -> Vec<&Listed> {
    listed.sort_by(|left, right| {
        let size = right.size.total_cmp(&left.size);
        size.then_with(|| left.symbol.cmp(&right.symbol))
    });
    listed
}

/// The words of a name as people write it: `Lowe's` is `lowes`, and `lowe` if `'s` is read as a possessive.
fn spellings(name: &str) -> Vec<Vec<String>> {
    const MARKS: [char; 2] = ['\'', '’'];
    let joined = name_words(&name.replace(MARKS, ""));
    let bare = MARKS.iter().fold(name.to_owned(), |name, mark| {
        name.replace(&format!("{mark}s"), "")
    });
    let bare = name_words(&bare.replace(MARKS, ""));
    if bare == joined {
        vec![joined]
    } else {
        vec![joined, bare]
    }
}

/// The words of a name without what nobody says: legal forms at the end, and share classes.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    const UNSAID: [&str; 9] = [
        "class", "common", "stock", "shares", "ordinary", "adr", "ads", "new", "com",
    ];
    let mut words = company::words(name);
    if words.first().is_some_and(|first| first == "the") && words.len() > 1 {
        words.remove(0);
    }
    while words.len() > 1
        && words.last().is_some_and(|last| {
            company::is_legal_form(last)
                || UNSAID.contains(&last.as_str())
                || last.chars().count() == 1 && words.len() > 2 && last != "&"
        })
    {
        words.pop();
    }
    // `Eli Lilly and Co` and `Eli Lilly & Co`.
    while words.len() > 1
        && words
            .last()
            .is_some_and(|last| matches!(last.as_str(), "&" | "and"))
    {
        words.pop();
    }
    words
}

/// Whether a lower-case word is ordinary English, or at least known to be a word.
pub(crate) fn is_ordinary(word: &str) -> bool {
    text::token::is_stop_word(word)
        || text::entities::is_common_word(word)
        || text::embedding::word_pieces(word).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn listed(symbol: &str, name: &str, size: f64) -> Listed {
        Listed {
            symbol: Symbol::parse(symbol).unwrap(),
            name: name.to_owned(),
            kind: Kind::Share,
            currency: "USD".to_owned(),
            size,
        }
    }

    #[test]
    fn what_people_say_finds_the_listing() {
        let names = Names::new([
            listed("AAPL", "Apple Inc.", 3.0),
            listed("LLY", "Eli Lilly and Co", 2.0),
            listed("NVDA", "NVIDIA Corporation", 4.0),
            listed("BRK.B", "Berkshire Hathaway Inc. Class B", 1.0),
            listed("GS", "The Goldman Sachs Group, Inc.", 1.0),
        ]);
        let symbol = |words: &str| names.named(words).map(|found| found.symbol.as_str());
        assert_eq!(symbol("apple"), Some("AAPL"));
        assert_eq!(symbol("eli lilly"), Some("LLY"));
        assert_eq!(symbol("berkshire hathaway"), Some("BRK.B"));
        assert_eq!(symbol("berkshire"), Some("BRK.B"));
        assert_eq!(symbol("goldman sachs"), Some("GS"));
        assert_eq!(symbol("goldman"), Some("GS"));
        assert_eq!(symbol("eli"), None, "too short to stand alone");
        assert_eq!(names.symbol("brk-b").unwrap().symbol.as_str(), "BRK.B");
        let misspelt = |word: &str| names.misspelt(word).map(|found| found.symbol.as_str());
        assert_eq!(misspelt("nvidea"), Some("NVDA"));
        assert_eq!(misspelt("aple"), None, "too short");
        assert_eq!(misspelt("zzzzzz"), None);
        assert_eq!(names.near_symbols("NVDAA", 3)[0].as_str(), "NVDA");
        assert_eq!(names.near_symbols("Aple", 3)[0].as_str(), "AAPL");
        assert_eq!(names.near_symbols("Goldmann", 3)[0].as_str(), "GS");
        assert!(names.near_symbols("Blorptech", 3).is_empty());
    }
}
