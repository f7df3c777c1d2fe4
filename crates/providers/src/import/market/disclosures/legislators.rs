//! The members of Congress: the table from which a disclosed trade gets its party.
//!
//! A party is given only if the last name matches and a first name does, in full, as the table's nickname or as a
//! usual short form, and everyone who matches belongs to the same party. Former members are not in such tables, so
//! their trades have no party.

use std::sync::LazyLock;

use model::{Chamber, table};
use serde_json::Value;

use super::super::ReadError;
use super::member::{MemberName, folded};
use super::{text_of, unknown};

/// A member of Congress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legislator {
    /// First name.
    pub first: String,
    /// Last name, one or several words.
    pub last: String,
    /// The full name as officially written.
    pub official: Option<String>,
    /// Nickname.
    pub nickname: Option<String>,
    /// Chamber.
    pub chamber: Chamber,
    /// `Democrat`, `Republican`, `Independent`.
    pub party: String,
}

/// Usual short forms; each name in a row stands for all the others.
static SHORT_FORMS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    table::lines(include_str!("../../../../data/disclosures/short_names.txt"))
        .map(|line| line.split(' ').collect())
        .collect()
});

/// Reads a table of legislators: a list of objects with `first`, `last`, `chamber` and `party`, or the list from the
/// public-domain project that keeps `name` and `terms`.
pub fn parse_legislators(bytes: &[u8]) -> Result<Vec<Legislator>, ReadError> {
    let rows: Option<Vec<Value>> = serde_json::from_str(&text_of(bytes)).ok();
    let found: Vec<Legislator> = rows.iter().flatten().filter_map(legislator).collect();
    if found.is_empty() {
        return Err(unknown(
            "expected a list of legislators with first, last, chamber and party",
        ));
    }
    Ok(found)
}

fn legislator(row: &Value) -> Option<Legislator> {
    let name = row
        .get("name")
        .filter(|name| name.is_object())
        .unwrap_or(row);
    let term = row
        .get("terms")
        .and_then(Value::as_array)
        .and_then(|terms| terms.last());
    let text = |from: &Value, keys: &[&str]| {
        let found = keys.iter().find_map(|key| from.get(key)?.as_str());
        found
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    };
    let seat = term.unwrap_or(row);
    let chamber = match text(seat, &["chamber", "type"])?.to_lowercase().as_str() {
        "house" | "rep" => Chamber::House,
        "senate" | "sen" => Chamber::Senate,
        _ => return None,
    };
    Some(Legislator {
        first: text(name, &["first"])?,
        last: text(name, &["last"])?,
        official: text(name, &["official", "official_full"]),
        nickname: text(name, &["nickname"]),
        chamber,
        party: text(seat, &["party"])?,
    })
}

/// The party for a name: of everyone in that chamber who matches, otherwise in the other one, since some have moved
/// since.
pub(super) fn party(name: &MemberName, chamber: Chamber, table: &[Legislator]) -> Option<String> {
    let of = |same: bool| {
        let mut fitting = table
            .iter()
            .filter(|legislator| (legislator.chamber == chamber) == same && fits(name, legislator))
            .map(|legislator| legislator.party.as_str());
        let first = fitting.next()?;
        fitting
            .all(|party| party == first)
            .then(|| first.to_owned())
    };
    of(true).or_else(|| of(false))
}

fn fits(name: &MemberName, legislator: &Legislator) -> bool {
    let split = |text: &str| -> Vec<String> {
        folded(text)
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '\'')))
            .filter(|word| !word.is_empty())
            .map(ToOwned::to_owned)
            .collect()
    };
    let last = split(&legislator.last);
    let Some(given) = name
        .words
        .strip_suffix(&last[..])
        .filter(|given| !given.is_empty())
    else {
        return false;
    };
    let mut known = split(&legislator.first);
    known.extend(legislator.nickname.iter().flat_map(|name| split(name)));
    let mut official = legislator
        .official
        .as_deref()
        .map(split)
        .unwrap_or_default();
    official.retain(|word| !last.contains(word));
    known.extend(official);
    // An initial says too little.
    let whole = |word: &&String| word.chars().count() > 1;
    given.iter().filter(whole).any(|word| {
        known.iter().filter(whole).any(|other| {
            word == other
                || SHORT_FORMS
                    .iter()
                    .any(|row| row.contains(&word.as_str()) && row.contains(&other.as_str()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let file = include_str!("../../../../data/disclosures/short_names.txt");
        assert_eq!(table::fault(file, 1, 1), None);
        assert!(SHORT_FORMS.iter().all(|names| names.len() > 1));
    }

    #[test]
    fn parties_need_last_and_first_name() {
        let table = parse_legislators(
            br#"[{"first": "Thomas", "last": "Example", "official": "Tom Example", "nickname": null, "chamber": "house", "party": "Democrat"},
                 {"first": "Rick", "last": "Example", "official": null, "nickname": null, "chamber": "senate", "party": "Republican"},
                 {"first": "Jos\u00e9", "last": "De La Prueba", "nickname": "Pepe", "chamber": "house", "party": "Republican"},
                 {"name": {"first": "Ann", "last": "Sample", "official_full": "Ann B. Sample"},
                  "terms": [{"type": "rep", "party": "Democrat"}, {"type": "sen", "party": "Independent"}]}]"#,
        )
        .unwrap();
        for (name, chamber, expected) in [
            ("Example, Thomas R.", Chamber::House, Some("Democrat")),
            ("Hon. Tommy Example", Chamber::House, Some("Democrat")),
            ("T. Example", Chamber::House, None),
            ("Richard Example", Chamber::House, Some("Republican")),
            ("Harriet Example", Chamber::House, None),
            ("Jose de la Prueba", Chamber::House, Some("Republican")),
            ("Ann Sample", Chamber::Senate, Some("Independent")),
        ] {
            let party = party(&MemberName::parse(name).unwrap(), chamber, &table);
            assert_eq!(party.as_deref(), expected, "{name}");
        }
        assert!(parse_legislators(b"[]").is_err());
    }
}
