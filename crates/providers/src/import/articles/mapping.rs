//! The meaning of the fields in a record.

use std::sync::LazyLock;

use model::{RawArticle, Timestamp, table};
use serde_json::{Map, Value};
use text::date::{self, Order};
use url::Url;

use super::{LineFault, MappingReport};
use crate::headline;

/// Longest address that is accepted.
const LONGEST_ADDRESS: usize = 4096;

/// Most categories taken from one record.
const MAX_CATEGORIES: usize = 50;

/// Field names in lower case without separators, best first for each meaning.
static NAMES: LazyLock<Vec<(Meaning, Vec<&str>)>> = LazyLock::new(|| {
    table::rows(include_str!("../../../data/articles/fields.tsv"))
        .filter_map(|[field, names]| Some((Meaning::parse(field)?, names.split(' ').collect())))
        .collect()
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Address,
    Title,
    Description,
    Body,
    Outlet,
    Author,
    Published,
    FirstSeen,
    Language,
    Categories,
    Simulated,
}

impl Meaning {
    const ALL: [Self; 11] = [
        Self::Address,
        Self::Title,
        Self::Description,
        Self::Body,
        Self::Outlet,
        Self::Author,
        Self::Published,
        Self::FirstSeen,
        Self::Language,
        Self::Categories,
        Self::Simulated,
    ];

    fn parse(field: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|meaning| meaning.as_str() == field)
    }

    /// The name of an article field.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Address => "url",
            Self::Title => "title",
            Self::Description => "description",
            Self::Body => "body",
            Self::Outlet => "outlet",
            Self::Author => "author",
            Self::Published => "published_at",
            Self::FirstSeen => "first_seen",
            Self::Language => "language",
            Self::Categories => "categories",
            Self::Simulated => "simulated",
        }
    }
}

/// A value and the rank of its field name: the smaller rank wins, whatever the order of the fields.
#[derive(Debug)]
struct Best<T>(Option<(usize, T)>);

impl<T> Default for Best<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Best<T> {
    fn offer(&mut self, rank: usize, value: T) {
        if self.0.as_ref().is_none_or(|(held, _)| rank < *held) {
            self.0 = Some((rank, value));
        }
    }

    fn take(self) -> Option<T> {
        self.0.map(|(_, value)| value)
    }
}

#[derive(Debug, Default)]
struct Found {
    address: Best<String>,
    title: Best<String>,
    description: Best<String>,
    body: Best<String>,
    outlet: Best<String>,
    author: Best<String>,
    published: Best<Timestamp>,
    first_seen: Best<Timestamp>,
    language: Best<String>,
    categories: Vec<String>,
    simulated: bool,
}

/// Reads a single record.
pub(super) fn parse_record(
    fields: &Map<String, Value>,
    report: &mut MappingReport,
) -> Result<RawArticle, LineFault> {
    let mut found = Found::default();
    for (field, value) in fields {
        if is_absent(value) {
            continue;
        }
        let Some((meaning, rank)) = meaning_of(field, value) else {
            report.count_unmapped(field);
            continue;
        };
        if found.accept(meaning, rank, value) {
            report.count_mapped(field, meaning.as_str());
        } else {
            report.count_unreadable(field);
        }
    }
    found.article()
}

impl Found {
    /// Takes a value, if it can be read as what its field means.
    fn accept(&mut self, meaning: Meaning, rank: usize, value: &Value) -> bool {
        let slot = match meaning {
            Meaning::Address => &mut self.address,
            Meaning::Title => &mut self.title,
            Meaning::Description => &mut self.description,
            Meaning::Body => &mut self.body,
            Meaning::Language => &mut self.language,
            Meaning::Outlet => {
                return offer(
                    &mut self.outlet,
                    rank,
                    text_of(value).map(|text| outlet_name(&text)),
                );
            }
            Meaning::Author => {
                return offer(
                    &mut self.author,
                    rank,
                    Some(texts_of(value).join(", ")).filter(|names| !names.is_empty()),
                );
            }
            Meaning::Published => return offer(&mut self.published, rank, time_of(value)),
            Meaning::FirstSeen => return offer(&mut self.first_seen, rank, time_of(value)),
            Meaning::Categories => {
                let words = texts_of(value);
                let readable = !words.is_empty();
                for word in words {
                    if self.categories.len() < MAX_CATEGORIES && !self.categories.contains(&word) {
                        self.categories.push(word);
                    }
                }
                return readable;
            }
            Meaning::Simulated => {
                self.simulated |= value == &Value::Bool(true);
                return value.is_boolean();
            }
        };
        offer(slot, rank, text_of(value))
    }

    fn article(self) -> Result<RawArticle, LineFault> {
        let url = checked_address(&self.address.take().ok_or(LineFault::NoAddress)?)?;
        let description = self.description.take();
        let body = self
            .body
            .take()
            .map(without_cut_mark)
            .filter(|body| !body.is_empty());
        let title = self
            .title
            .take()
            .or_else(|| {
                [&description, &body]
                    .into_iter()
                    .flatten()
                    .find_map(|text| headline::from_text(text))
            })
            .ok_or(LineFault::NoTitle)?;
        Ok(RawArticle {
            url,
            title,
            description,
            body,
            outlet: self.outlet.take(),
            author: self.author.take(),
            language: self.language.take(),
            published_at: self.published.take(),
            first_seen: self.first_seen.take(),
            categories: self.categories,
            simulated: self.simulated,
            via: None,
        })
    }
}

fn offer<T>(slot: &mut Best<T>, rank: usize, value: Option<T>) -> bool {
    let readable = value.is_some();
    if let Some(value) = value {
        slot.offer(rank, value);
    }
    readable
}

fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// `publishedAt`, `published_at` and `Published-At` are the same name.
fn meaning_of(field: &str, value: &Value) -> Option<(Meaning, usize)> {
    let name: String = field
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    // The address of a source is the article's in some exports and the outlet's front page in others.
    if name == "sourceurl" && !text_of(value).is_some_and(|text| is_article_address(&text)) {
        return Some((Meaning::Outlet, usize::MAX));
    }
    NAMES.iter().find_map(|(meaning, names)| {
        Some((*meaning, names.iter().position(|known| *known == name)?))
    })
}

/// The text of a value: the value itself, or the naming part of an object such as `{"id": null, "name": "…"}`.
fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Object(fields) => ["name", "title", "rendered", "text", "value", "url"]
            .iter()
            .find_map(|name| fields.get(*name)?.as_str())?
            .trim()
            .to_owned(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// The texts of a value or of the elements of a list.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().filter_map(text_of).collect(),
        value => text_of(value).into_iter().collect(),
    }
}

fn time_of(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(number) => date::from_epoch(number.as_f64()?),
        Value::String(text) => date::parse(text, Order::Undeclared)
            .or_else(|| date::from_epoch(text.trim().parse().ok()?)),
        // MongoDB exports wrap dates in an object.
        Value::Object(fields) => time_of(fields.get("$date")?),
        _ => None,
    }
}

/// An outlet given as an address is named by its host.
fn outlet_name(text: &str) -> String {
    let host = Url::parse(text)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned));
    let name = host.as_deref().unwrap_or(text).trim_end_matches('/');
    name.strip_prefix("www.").unwrap_or(name).to_owned()
}

/// Whether an address points deeper than a front page.
fn is_article_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && (url.path().trim_matches('/').len() > 3 || url.query().is_some())
    })
}

fn checked_address(text: &str) -> Result<String, LineFault> {
    let bad = || LineFault::BadAddress(text.chars().take(120).collect());
    if text.len() > LONGEST_ADDRESS {
        return Err(bad());
    }
    let complete = if let Some(rest) = text.strip_prefix("//") {
        format!("https://{rest}")
    } else if text.starts_with("www.") {
        format!("https://{text}")
    } else {
        text.to_owned()
    };
    match Url::parse(&complete) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(complete),
        _ => Err(bad()),
    }
}

/// News services truncate texts and say so: `… [+3524 chars]`.
fn without_cut_mark(mut body: String) -> String {
    if let Some(start) = body.rfind("[+")
        && let Some(count) = body[start + 2..].trim_end().strip_suffix(" chars]")
        && !count.is_empty()
        && count.bytes().all(|byte| byte.is_ascii_digit())
    {
        body.truncate(start);
        body.truncate(body.trim_end().len());
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_names_and_no_name_means_two() {
        let file = include_str!("../../../data/articles/fields.tsv");
        assert_eq!(table::fault(file, 2, 1), None);
        assert_eq!(NAMES.len(), Meaning::ALL.len());
        let mut seen = std::collections::BTreeSet::new();
        for name in NAMES.iter().flat_map(|(_, names)| names) {
            assert!(seen.insert(name), "{name}");
        }
    }
}
