//! Resources: briefs, tickers and receipts by address.
//!
//! Reading one calls the operation of the same kind, under the same rules and at the same price as its tool. None is
//! listed: there are too many, and listing some would charge clients that merely connect.

use rmcp::model::ResourceTemplate;
use serde_json::{Map, Value};

/// The media type of every resource.
pub(crate) const JSON: &str = "application/json";
const SCHEME: &str = "assay://";
const LONGEST_ID: usize = 200;

struct Kind {
    /// The first part of its address.
    word: &'static str,
    /// The variable of its address, and the argument of the operation.
    argument: &'static str,
    operation: &'static str,
    title: &'static str,
    description: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        word: "brief",
        argument: "id",
        operation: "show_brief",
        title: "A news brief",
        description: "A brief with text, sources, confidence and bias, identified by the id that searches return.",
    },
    Kind {
        word: "ticker",
        argument: "symbol",
        operation: "show_ticker_in_full",
        title: "A ticker",
        description: "Everything on a symbol, such as AAPL: price, indicators, earnings, news, filings, holders.",
    },
    Kind {
        word: "receipt",
        argument: "id",
        operation: "show_verification_receipt",
        title: "A verification receipt",
        description: "The signed receipt of a verification, with the proof that it is in the log.",
    },
];

/// The templates of the addresses.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let kinds = KINDS.iter();
    kinds
        .map(|kind| {
            let template = format!("{SCHEME}{}/{{{}}}", kind.word, kind.argument);
            ResourceTemplate::new(template, kind.word)
                .with_title(kind.title)
                .with_description(kind.description)
                .with_mime_type(JSON)
        })
        .collect()
}

/// The operation that answers for an address, with its arguments; `None` if the address names no resource.
pub(crate) fn resolve(uri: &str) -> Option<(&'static str, Map<String, Value>)> {
    let (word, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let kind = KINDS.iter().find(|kind| kind.word == word)?;
    let id = decoded(id)?;
    if id.is_empty() || id.len() > LONGEST_ID || id.contains('/') {
        return None;
    }
    let mut arguments = Map::new();
    arguments.insert(kind.argument.to_owned(), id.into());
    Some((kind.operation, arguments))
}

/// A part of an address, unescaped: `^GSPC` may come as `%5EGSPC`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let mut byte = [0_u8];
        hex::decode_to_slice(digits, &mut byte).ok()?;
        bytes.push(byte[0]);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_an_operation_and_its_argument() {
        for (uri, expected) in [
            ("assay://brief/PR-1", Some(("show_brief", "id", "PR-1"))),
            (
                "assay://ticker/AAPL",
                Some(("show_ticker_in_full", "symbol", "AAPL")),
            ),
            (
                "assay://ticker/%5EGSPC",
                Some(("show_ticker_in_full", "symbol", "^GSPC")),
            ),
            (
                "assay://receipt/vr_1",
                Some(("show_verification_receipt", "id", "vr_1")),
            ),
            ("assay://brief/", None),
            ("assay://brief/a/b", None),
            ("assay://brief/a%2Fb", None),
            ("assay://brief/%", None),
            ("assay://brief/%ff", None),
            ("assay://key/1", None),
            ("file:///etc/passwd", None),
            ("", None),
        ] {
            let found = resolve(uri);
            let found = found.as_ref().map(|(operation, arguments)| {
                let (name, value) = arguments.iter().next().unwrap();
                (*operation, name.as_str(), value.as_str().unwrap())
            });
            assert_eq!(found, expected, "{uri}");
        }
    }
}
