//! Files of legally required disclosures: facts from filings, insider trades, filings and holdings, trades of
//! lawmakers.
//!
//! Every reader takes a whole file, already unpacked, and recognises its format from its contents rather than its
//! name. What a file does not say and only the operator knows (whose facts, whose holdings) is passed in as
//! [`DisclosureOptions`].

mod congress;
mod edgar;
mod filings;
mod fundamentals;
mod holdings;
mod insider;
mod issuers;
mod legislators;
mod member;
mod person;
mod statements;
mod submission;
mod tags;
mod xml;

use model::{Day, Symbol, Timestamp};

use super::{ReadError, Reading};

pub use congress::parse_congress;
pub use filings::parse_filings;
pub use fundamentals::parse_fundamentals;
pub use insider::parse_insider;
pub use issuers::{IssuerMatch, IssuerNames};
pub use legislators::{Legislator, parse_legislators};

/// Which symbol an SEC number stands for.
pub type SymbolOfCik<'a> = &'a dyn Fn(u64) -> Option<Symbol>;

/// Which symbol an issuer and a title of class stand for, as written in a Form 13F.
pub type SymbolOfIssuer<'a> = &'a dyn Fn(&str, &str) -> Option<Symbol>;

/// The kind of disclosure that a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DisclosureFile {
    /// `companyfacts` documents, statements as collected by Yahoo Finance, and tables of index members.
    Fundamentals,
    /// Forms 4 and 5.
    Insider,
    /// Lists of filings, and Form 13F.
    Filings,
    /// Trades of lawmakers.
    Congress,
}

/// Information that a file does not itself contain.
#[derive(Clone, Copy, Default)]
pub struct DisclosureOptions<'a> {
    /// Whose facts, forms or filings these are, overriding whatever the file or a table says.
    pub symbol: Option<&'a Symbol>,
    /// Symbols by SEC number.
    pub symbol_of_cik: Option<SymbolOfCik<'a>>,
    /// Symbols by issuer name.
    pub symbol_of_issuer: Option<SymbolOfIssuer<'a>>,
    /// The holder, for a bare information table.
    pub institution: Option<&'a str>,
    /// The holder's SEC number.
    pub institution_cik: Option<u64>,
    /// Last day of the quarter that a bare information table covers.
    pub report_date: Option<Day>,
    /// The day on which a bare document was filed.
    pub filed: Option<Day>,
    /// The sitting members of Congress, for the parties.
    pub legislators: &'a [Legislator],
    /// When the file is read: data without a day of its own is known from then on.
    pub at: Option<Timestamp>,
}

impl DisclosureOptions<'_> {
    /// The symbol for an SEC number.
    fn symbol(&self, cik: u64) -> Option<Symbol> {
        self.symbol
            .cloned()
            .or_else(|| self.symbol_of_cik.and_then(|find| find(cik)))
    }
}

/// Reads a file of the given kind.
pub fn parse(
    kind: DisclosureFile,
    name: &str,
    bytes: &[u8],
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    match kind {
        DisclosureFile::Fundamentals => parse_fundamentals(name, bytes, options),
        DisclosureFile::Insider => parse_insider(name, bytes, options),
        DisclosureFile::Filings => parse_filings(name, bytes, options),
        DisclosureFile::Congress => parse_congress(name, bytes, options),
    }
}

fn unknown(words: impl Into<String>) -> ReadError {
    ReadError::Unknown(words.into())
}

/// A text document; bytes that are not UTF-8 are taken for Windows-1252, which contains ISO-8859-1.
fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
        }
    }
}

/// A number that a document writes either as a number or as text.
fn number_of(value: &serde_json::Value) -> Option<f64> {
    let number = match value {
        serde_json::Value::Number(number) => number.as_f64(),
        serde_json::Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// An SEC number, with or without leading zeros, as a number or as text.
fn cik_of(value: &serde_json::Value) -> Option<u64> {
    match value {
        serde_json::Value::Number(number) => number.as_u64(),
        serde_json::Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
