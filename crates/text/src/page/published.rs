//! When a page says its article was published.
//!
//! This is the first publication, not the last change: an article is known from the day on which it could first be
//! read. Machine-readable claims come before displayed text, and the date in the address comes before the first line
//! that merely mentions publication.

use model::Timestamp;
use serde_json::Value;

use super::metadata::Found;
use crate::date::{self, Order};
use crate::{language, markup};

/// Longer lines that mention publication are sentences of the text.
const LONGEST_LINE: usize = 120;

/// Parts of words that appear next to the publication date.
const PUBLISHED: [&str; 12] = [
    "publish",
    "publica",
    "publié",
    "publizi",
    "posted",
    "veröffentlicht",
    "erstellt",
    "gepubliceerd",
    "pubblicat",
    "опубликован",
    "发布",
    "公開",
];

/// The time of publication, from the most reliable place that has it.
pub(super) fn published(
    html: &str,
    found: &Found,
    article: Option<&Value>,
    url: Option<&str>,
) -> Option<Timestamp> {
    const METAS: [&str; 26] = [
        "article:published_time",
        "og:published_time",
        "og:article:published_time",
        "datepublished",
        "parsely-pub-date",
        "sailthru.date",
        "article.published",
        "publication_date",
        "publish_date",
        "published_date",
        "publish-date",
        "published-date",
        "publishdate",
        "pubdate",
        "pub_date",
        "article:published",
        "cxenseparse:recs:publishtime",
        "bt:pubdate",
        "dc.date.issued",
        "dcterms.issued",
        "dcterms.created",
        "dc.date",
        "dc.date.created",
        "ptime",
        "date",
        "rnews:datepublished",
    ];
    let order = order(found);
    let local = |text: &String| date::parse(text, order);
    let linked = |key: &'static str| {
        article
            .and_then(move |node| node[key].as_str())
            .and_then(|value| date::parse(value, order))
    };
    let any_linked = || {
        found
            .linked
            .iter()
            .filter_map(|node| node["datePublished"].as_str())
            .find_map(|value| date::parse(value, order))
    };
    linked("datePublished")
        .or_else(|| {
            METAS
                .iter()
                .filter_map(|key| found.meta(&[key]))
                .find_map(|value| date::parse(&value, order))
        })
        .or_else(|| found.item_dates.iter().find_map(local))
        .or_else(any_linked)
        .or_else(|| linked("dateCreated"))
        .or_else(|| {
            found
                .times
                .iter()
                .filter(|(is_publication, _)| *is_publication)
                .find_map(|(_, value)| local(value))
        })
        .or_else(|| found.labelled_dates.iter().find_map(local))
        .or_else(|| found.times.iter().find_map(|(_, value)| local(value)))
        .or_else(|| date_in_address(url.or(found.canonical.as_deref())?))
        .or_else(|| date_in_text(html, order))
        .or_else(|| linked("dateModified"))
        .or_else(|| {
            found
                .meta(&["article:modified_time", "og:updated_time", "last-modified"])
                .and_then(|value| date::parse(&value, order))
        })
}

/// The order of day and month on a page, judged by the language that it claims, or else by that of its headline.
fn order(found: &Found) -> Order {
    let written = || {
        let title = found.page_title.as_deref().unwrap_or_default();
        language::detect(title).to_owned()
    };
    Order::of_language(&found.language.clone().unwrap_or_else(written))
}

/// `Publicado em 5 de outubro de 2018`: a short line that gives the publication date.
fn date_in_text(html: &str, order: Order) -> Option<Timestamp> {
    let text = markup::strip(html);
    text.lines()
        .filter(|line| line.len() <= LONGEST_LINE)
        .filter(|line| {
            let lower = line.to_lowercase();
            PUBLISHED.iter().any(|word| lower.contains(word))
        })
        .find_map(|line| date::parse(line, order))
}

/// `/2019/11/18/`, `/2019-11-18/` or `/2019/nov/18/` in the path.
fn date_in_address(url: &str) -> Option<Timestamp> {
    let path = url.split("://").nth(1)?.split_once('/')?.1;
    let parts: Vec<&str> = path.split(['/', '-', '_']).collect();
    parts.windows(3).find_map(|window| {
        let [year, month, day] = window else {
            return None;
        };
        let fits =
            year.len() == 4 && (1..=3).contains(&month.len()) && (1..=2).contains(&day.len());
        let named = month.len() == 3;
        let written = if named {
            format!("{day} {month} {year}")
        } else {
            format!("{year}-{month:0>2}-{day:0>2}")
        };
        (fits && year.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| date::parse(&written, Order::Undeclared))?
    })
}
