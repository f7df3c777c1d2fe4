//! `/ticker/resolve`: resolves a name, or any spelling of a symbol, to the symbol.

use analysis::market::{NameMatch, PricedSeries, Unknown};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Maximum number of names in a list; each is searched for among all listings.
const MOST_NAMES: usize = 20;
/// Maximum number of words that can be adjacent names with no word joining them.
const MOST_WORDS: usize = 4;
/// Minimum score of a symbol or a full name.
const SURE: f64 = 0.93;

/// What to resolve.
pub(crate) struct ResolveQuery {
    q: String,
    limit: usize,
}

impl Parameters for ResolveQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let q = arguments.required_text("q", 1..=100, "Name or symbol");
        if parts(&q).len() > MOST_NAMES {
            arguments.fault(format!(
                "q must have at most {MOST_NAMES} names separated by commas"
            ));
        }
        Self {
            q,
            limit: arguments.integer("limit", 1..=20, 5, "Matches") as usize,
        }
    }
}

/// Instruments that match a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResolveBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The text as requested.
    query: String,
    /// Best-matching symbol.
    ticker: String,
    /// Name of the first match.
    entity_name: String,
    /// Whether the first match is only a guess.
    guess: bool,
    /// The matches, best first; for a list, the best match for each name.
    matches: Vec<MatchBody>,
    /// For a list, the result for each of its names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    results: Option<Vec<ResolvedBody>>,
}

/// The result for one name in a list; null if the name matches nothing.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResolvedBody {
    /// The name as requested.
    query: String,
    /// Best-matching symbol.
    #[schema(required)]
    ticker: Option<String>,
    /// Name of the company, fund or coin.
    #[schema(required)]
    entity_name: Option<String>,
    /// Match score, 0 to 1.
    #[schema(required)]
    score: Option<f64>,
    /// Whether the match is only a guess.
    #[schema(required)]
    guess: Option<bool>,
}

/// A possible match.
#[derive(Serialize, ToSchema)]
#[schema(as = TickerMatch)]
pub(crate) struct MatchBody {
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// `equity`, `etf`, `crypto` or `index`.
    asset_type: &'static str,
    /// Exchange of the listing.
    #[schema(required)]
    exchange: Option<String>,
    /// Sector.
    #[schema(required)]
    sector: Option<String>,
    /// Match score, 0 to 1: 1 for the exact symbol, 0.97 for a common name of the company, 0.95 for the exact name, and
    /// less for parts of it or possible misspellings.
    score: f64,
    /// Whether the text only resembles the symbol or one of its names: a misspelling, the beginning of a name, a word
    /// that occurs in many names, or a lower-case word that is also a symbol.
    guess: bool,
}

impl From<&NameMatch> for MatchBody {
    fn from(found: &NameMatch) -> Self {
        let instrument = &found.listing.instrument;
        Self {
            ticker: found.listing.ticker().to_owned(),
            entity_name: instrument.entity_name().to_owned(),
            asset_type: found.listing.kind(),
            exchange: instrument.exchange.clone(),
            sector: instrument.sector.clone(),
            score: found.score,
            guess: found.is_guess,
        }
    }
}

/// The names in a list; a comma before a legal form (`Amazon.com, Inc.`) does not separate names.
fn parts(text: &str) -> Vec<String> {
    let is_form = |part: &str| {
        let word = part.to_lowercase().replace('.', "");
        text::company::is_legal_form(&word)
    };
    let mut parts: Vec<String> = Vec::new();
    let written = text.split(',').map(str::trim);
    for part in written.filter(|part| !part.is_empty()) {
        match parts.last_mut() {
            Some(company) if is_form(part) => {
                company.push_str(", ");
                company.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    if parts.is_empty() {
        parts.push(text.to_owned());
    }
    parts
}

/// How a text without commas can be read as a list: split at the words that join names or, if it has few words, between
/// any two words.
fn divisions(text: &str) -> Vec<Vec<String>> {
    /// Minimum number of letters for a word to be a name of its own with no joining word or comma.
    const SHORTEST: usize = 3;
    const ALTERNATIVES: [&str; 5] = ["or", "vs", "vs.", "versus", "against"];
    const JOINTS: [&str; 7] = ["or", "vs", "vs.", "versus", "against", "and", "&"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let parted = |joints: &[&str]| -> Vec<String> {
        let is_joint = |word: &&str| joints.contains(&word.to_lowercase().as_str());
        let pieces = words.split(is_joint).filter(|piece| !piece.is_empty());
        pieces.map(|piece| piece.join(" ")).collect()
    };
    // `Johnson and Johnson or Pfizer` are two.
    let mut found = vec![parted(&ALTERNATIVES), parted(&JOINTS)];
    // `Google class C` is one of its shares, and not the symbol C beside it.
    let is_part = |word: &&str| word.len() < SHORTEST || word.eq_ignore_ascii_case("class");
    if (2..=MOST_WORDS).contains(&words.len()) && !words.iter().any(is_part) {
        found.push(words.iter().map(|word| (*word).to_owned()).collect());
        found.extend((1..words.len()).map(|at| {
            let (first, second) = words.split_at(at);
            vec![first.join(" "), second.join(" ")]
        }));
    }
    found.retain(|pieces| (2..=MOST_NAMES).contains(&pieces.len()));
    found.dedup();
    found
}

/// The names in a text without commas: the text itself if it is a name, otherwise the names of a list in which each is
/// certain.
async fn names(context: &Context, text: &str) -> Result<Vec<String>> {
    let whole = context.instruments.meant(text, 1).await?;
    if whole.first().is_some_and(|one| !one.is_guess) {
        return Ok(vec![text.to_owned()]);
    }
    for pieces in divisions(text) {
        let mut are_sure = true;
        for piece in &pieces {
            let found = context.instruments.meant(piece, 1).await?;
            let first = found.first();
            are_sure = first.is_some_and(|one| !one.is_guess && one.score >= SURE);
            if !are_sure {
                break;
            }
        }
        if are_sure {
            return Ok(pieces);
        }
    }
    Ok(vec![text.to_owned()])
}

/// The error for the name of a commodity that is not a symbol: it says where to find the commodity.
async fn commodity(context: &Context, text: &str) -> Result<Option<Unknown>> {
    if PricedSeries::find_commodity(text).is_err() {
        return Ok(None);
    }
    let mut unknown = context.instruments.resolve(text).await?.err();
    if let Some(unknown) = &mut unknown {
        unknown.suggestions.clear();
    }
    Ok(unknown)
}

/// `GET /ticker/resolve`.
pub(crate) struct Resolve;

impl Operation for Resolve {
    type Input = ResolveQuery;
    type Output = ResolveBody;

    const ABOUT: About = About {
        name: "resolve_tickers",
        address: Address::get("/api/v1/ticker/resolve"),
        subject: "ticker",
        summary: "Resolves a name or symbol, such as `apple`, `NASDAQ:AAPL`, `BRK-B` or `bitcoin`, or a list of them.",
        answer: "The best match and its alternatives",
        missing: Some("No match, with suggestions"),
        example: r#"{"q": "apple"}"#,
        takes_as_of: false,
        ..About::READS
    };

    async fn run(context: Context, asked: ResolveQuery) -> Result<ResolveBody> {
        let mut parts = parts(&asked.q);
        if let [only] = &parts[..] {
            parts = names(&context, only).await?;
        }
        let is_list = parts.len() > 1;
        let mut results = Vec::new();
        let mut matches: Vec<MatchBody> = Vec::new();
        for part in &parts {
            let named = context.instruments.meant(part, asked.limit).await?;
            let found: Vec<MatchBody> = named.iter().map(MatchBody::from).collect();
            let first = found.first();
            results.push(ResolvedBody {
                query: part.clone(),
                ticker: first.map(|one| one.ticker.clone()),
                entity_name: first.map(|one| one.entity_name.clone()),
                score: first.map(|one| one.score),
                guess: first.map(|one| one.guess),
            });
            // Of a list the best of each, once where two names mean one thing.
            let kept = if is_list { 1 } else { asked.limit };
            for one in found.into_iter().take(kept) {
                let is_same = |other: &MatchBody| {
                    other.ticker == one.ticker && other.asset_type == one.asset_type
                };
                if !matches.iter().any(is_same) {
                    matches.push(one);
                }
            }
        }
        let of_commodity = match &parts[..] {
            [only] => commodity(&context, only).await?,
            _ => None,
        };
        // What a commodity is called is not guessed to be a company that begins with it.
        let first = matches
            .first()
            .filter(|first| !first.guess || of_commodity.is_none());
        let Some(first) = first else {
            if let Some(unknown) = of_commodity {
                return Err(Error::UnknownSymbol(unknown));
            }
            let unknown = context.instruments.resolve(&parts[0]).await?;
            return Err(unknown.err().map_or_else(
                || Error::not_found("no instrument has this name or symbol"),
                Error::UnknownSymbol,
            ));
        };
        Ok(ResolveBody {
            results: is_list.then_some(results),
            status: "ok",
            query: asked.q.clone(),
            ticker: first.ticker.clone(),
            entity_name: first.entity_name.clone(),
            guess: first.guess,
            matches,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_separates_names_and_no_legal_form() {
        for (text, expected) in [
            ("apple", &["apple"][..]),
            ("apple, microsoft,,F,", &["apple", "microsoft", "F"]),
            ("Amazon.com, Inc.", &["Amazon.com, Inc."]),
            (
                "Apple Inc., Tesla, Inc., ford",
                &["Apple Inc.", "Tesla, Inc.", "ford"],
            ),
            (",", &[","]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn joined_names_are_parted_in_few_ways() {
        assert_eq!(divisions("apple and tesla")[0], ["apple", "tesla"]);
        assert_eq!(
            divisions("johnson and johnson vs pfizer")[0],
            ["johnson and johnson", "pfizer"]
        );
        assert_eq!(divisions("apple tesla"), [["apple", "tesla"]]);
        assert!(divisions("apple").is_empty());
        assert!(divisions("google class c").is_empty());
        assert!(divisions("class a alphabet").is_empty());
        assert!(divisions("and").is_empty());
    }
}
