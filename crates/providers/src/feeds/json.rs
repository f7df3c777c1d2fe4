//! JSON Feed, versions 1 and 1.1, and whatever calls itself that.

use serde::Deserialize;
use serde_json::Value;
use text::date::{self, Order};

use super::DraftFeed;
use super::item::Draft;
use crate::error::ParseError;

#[derive(Deserialize)]
struct Payload {
    #[serde(default)]
    title: Value,
    #[serde(default)]
    language: Value,
    items: Option<Vec<Value>>,
}

/// Reads a feed. Any value of an item may have the wrong type or be absent without affecting the others.
pub(super) fn parse(text: &str) -> Result<DraftFeed, ParseError> {
    let payload: Payload = serde_json::from_str(text)?;
    let items = payload.items.ok_or(ParseError::NotAFeed)?;
    Ok(DraftFeed {
        title: payload.title.as_str().unwrap_or_default().to_owned(),
        language: payload.language.as_str().map(str::to_owned),
        ttl: None,
        items: items.iter().map(draft).collect(),
    })
}

fn draft(item: &Value) -> Draft {
    let text = |name: &str| {
        item.get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let time = |name: &str| text(name).and_then(|text| date::parse(&text, Order::Undeclared));
    let id = item.get("id").and_then(|id| {
        id.as_str()
            .map(str::to_owned)
            .or_else(|| id.as_number().map(ToString::to_string))
    });
    Draft {
        id,
        links: [text("url"), text("external_url")]
            .into_iter()
            .flatten()
            .collect(),
        base: None,
        title: text("title"),
        description: text("summary"),
        content: text("content_html").or_else(|| text("content_text")),
        authors: authors(item),
        language: text("language"),
        published: time("date_published"),
        updated: time("date_modified"),
        categories: strings(item.get("tags")),
    }
}

/// Version 1.1 has a list of authors, version 1 a single one.
fn authors(item: &Value) -> Vec<String> {
    let list = item
        .get("authors")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let names = list
        .chain(item.get("author"))
        .filter_map(|author| author.get("name").unwrap_or(author).as_str());
    names.map(str::to_owned).collect()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}
