//! What a page says about itself: JSON-LD, `OpenGraph` and other `meta` tags, `time` elements, microdata.

use model::Timestamp;
use serde_json::Value;

use super::{published, scan};
use crate::address;

/// At most this many elements whose class mentions dates or authors are read. A page with more is a list.
const MOST_MARKED: usize = 200;

/// What the page claims, each field from the most reliable place that has it.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) published_at: Option<Timestamp>,
    pub(super) language: Option<String>,
    pub(super) canonical_url: Option<String>,
    pub(super) site_name: Option<String>,
    pub(super) description: Option<String>,
    /// The text as the publisher provides it to search engines.
    pub(super) article_body: Option<String>,
}

/// The content of the places where a page may make its claims.
#[derive(Default)]
pub(super) struct Found {
    pub(super) linked: Vec<Value>,
    meta: Vec<(String, String)>,
    headings: Vec<String>,
    pub(super) page_title: Option<String>,
    /// Whether it is the time of publication, and what is written.
    pub(super) times: Vec<(bool, String)>,
    bylines: Vec<String>,
    /// How many elements were read because of their class.
    marked: usize,
    pub(super) item_dates: Vec<String>,
    pub(super) labelled_dates: Vec<String>,
    pub(super) language: Option<String>,
    pub(super) canonical: Option<String>,
}

pub(super) fn parse(html: &str, url: Option<&str>) -> Metadata {
    let found = collect(html);
    let article = found.linked.iter().find(|node| is_article(node));
    let publisher = article.and_then(|node| name_of(&node["publisher"]));
    let site_name = found
        .meta(&["og:site_name", "application-name", "al:android:app_name"])
        .or(publisher)
        .or_else(|| {
            found
                .linked
                .iter()
                .find(|node| has_type(node, &["WebSite", "NewsMediaOrganization"]))
                .and_then(name_of)
        });
    Metadata {
        title: title(&found, article),
        author: author(&found, article),
        published_at: published::published(html, &found, article, url),
        language: found
            .language
            .clone()
            .or_else(|| found.meta(&["og:locale", "language", "content-language", "dc.language"])),
        canonical_url: canonical(&found, url),
        site_name,
        description: found
            .meta(&[
                "og:description",
                "description",
                "twitter:description",
                "dc.description",
                "sailthru.description",
            ])
            .or_else(|| article.and_then(|node| text_of(&node["description"]))),
        article_body: article
            .and_then(|node| node["articleBody"].as_str())
            .map(str::to_owned),
    }
}

fn collect(html: &str) -> Found {
    let mut found = Found::default();
    for tag in scan::tags(html) {
        match tag.name.to_ascii_lowercase().as_str() {
            "html" => {
                found.language = tag
                    .attribute("lang")
                    .or_else(|| tag.attribute("xml:lang"))
                    .filter(|code| !code.is_empty());
            }
            "meta" => {
                let key = ["property", "name", "itemprop", "http-equiv"]
                    .iter()
                    .find_map(|key| tag.attribute(key));
                if let (Some(key), Some(content)) = (key, tag.attribute("content"))
                    && !content.is_empty()
                {
                    found.meta.push((key.to_ascii_lowercase(), content));
                }
            }
            "link"
                if tag
                    .attribute("rel")
                    .is_some_and(|relation| relation.eq_ignore_ascii_case("canonical")) =>
            {
                found.canonical = found.canonical.take().or_else(|| tag.attribute("href"));
            }
            "title" if found.page_title.is_none() => {
                found.page_title = Some(scan::plain(tag.content(html)));
            }
            "h1" if found.headings.len() < 8 => {
                let heading = scan::plain(tag.content(html));
                if !heading.is_empty() {
                    found.headings.push(heading);
                }
            }
            "script"
                if tag
                    .attribute("type")
                    .is_some_and(|kind| kind.to_ascii_lowercase().contains("ld+json")) =>
            {
                parse_linked(tag.content(html), &mut found.linked);
            }
            "time" if found.times.len() < 12 => {
                let written = tag.attribute("datetime").filter(|value| !value.is_empty());
                let written = written.unwrap_or_else(|| scan::plain(tag.content(html)));
                let marks = ["class", "itemprop", "pubdate"]
                    .iter()
                    .filter_map(|name| tag.attribute(name))
                    .collect::<String>();
                let is_publication = tag.attribute("pubdate").is_some()
                    || marks.to_ascii_lowercase().contains("publi");
                found.times.push((is_publication, written));
            }
            _ => collect_marked(&tag, html, &mut found),
        }
    }
    found
}

/// Elements identified only by their attributes: bylines and dates.
fn collect_marked(tag: &scan::Tag<'_>, html: &str, found: &mut Found) {
    if let Some(property) = tag.attribute("itemprop") {
        let property = property.to_ascii_lowercase();
        if property.contains("datepublished") && found.item_dates.len() < 4 {
            let value = tag
                .attribute("content")
                .or_else(|| tag.attribute("datetime"))
                .filter(|value| !value.is_empty());
            found
                .item_dates
                .push(value.unwrap_or_else(|| scan::plain(tag.content(html))));
        } else if property == "author" && found.bylines.len() < 4 {
            found.bylines.push(scan::plain(tag.content(html)));
        }
    }
    if tag
        .attribute("rel")
        .is_some_and(|relation| relation == "author")
        && found.bylines.len() < 4
    {
        found.bylines.push(scan::plain(tag.content(html)));
        return;
    }
    if found.marked >= MOST_MARKED
        || !(tag.is("div")
            || tag.is("span")
            || tag.is("p")
            || tag.is("a")
            || tag.is("li")
            || tag.is("small")
            || tag.is("abbr"))
    {
        return;
    }
    let Some(class) = tag.attribute("class").or_else(|| tag.attribute("id")) else {
        return;
    };
    let class = class.to_ascii_lowercase();
    let has = |words: &[&str]| {
        class
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .any(|part| words.contains(&part))
    };
    if found.labelled_dates.len() < 8
        && (has(&[
            "date",
            "time",
            "published",
            "posted",
            "timestamp",
            "pubdate",
            "dateline",
            "fecha",
            "data",
        ]) || class.contains("publish"))
    {
        found.marked += 1;
        let written = scan::plain(tag.content(html));
        if (6..=120).contains(&written.len()) {
            found.labelled_dates.push(written);
        }
    }
    if found.bylines.len() < 4 && has(&["author", "byline", "authors", "autor"]) {
        found.marked += 1;
        let name = scan::plain(tag.content(html));
        if (3..=80).contains(&name.len()) {
            found.bylines.push(name);
        }
    }
}

impl Found {
    pub(super) fn meta(&self, keys: &[&str]) -> Option<String> {
        keys.iter()
            .find_map(|key| self.meta.iter().find(|(name, _)| name == key))
            .map(|(_, content)| content.clone())
    }
}

/// The objects in a JSON-LD block, including those inside `@graph` and lists. Common faults in blocks are repaired.
fn parse_linked(block: &str, nodes: &mut Vec<Value>) {
    let block = block
        .trim()
        .trim_start_matches("<![CDATA[")
        .trim_end_matches("]]>")
        .trim();
    let block = block
        .trim_start_matches("<!--")
        .trim_end_matches("-->")
        .trim()
        .trim_end_matches(';');
    let parsed = serde_json::from_str::<Value>(block).or_else(|_| {
        // Raw line breaks inside strings.
        let repaired: String = block
            .chars()
            .map(|character| {
                if character.is_control() {
                    ' '
                } else {
                    character
                }
            })
            .collect();
        serde_json::from_str(&repaired)
    });
    if let Ok(value) = parsed {
        gather(value, nodes, 0);
    }
}

fn gather(value: Value, nodes: &mut Vec<Value>, depth: u32) {
    match value {
        Value::Array(items) if depth < 4 => items
            .into_iter()
            .for_each(|item| gather(item, nodes, depth + 1)),
        Value::Object(mut object) if depth < 4 && nodes.len() < 200 => {
            let mut inner = Vec::new();
            for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                if object
                    .get(key)
                    .is_some_and(|value| value.is_array() || value.is_object())
                {
                    inner.extend(object.shift_remove(key));
                }
            }
            nodes.push(Value::Object(object));
            for item in inner {
                gather(item, nodes, depth + 1);
            }
        }
        _ => {}
    }
}

fn has_type(node: &Value, wanted: &[&str]) -> bool {
    match &node["@type"] {
        Value::String(kind) => wanted.contains(&kind.as_str()),
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .any(|kind| wanted.contains(&kind)),
        _ => false,
    }
}

fn is_article(node: &Value) -> bool {
    let ends_with = |kind: &str| {
        kind.ends_with("Article")
            || matches!(
                kind,
                "BlogPosting" | "LiveBlogPosting" | "Report" | "Review"
            )
    };
    match &node["@type"] {
        Value::String(kind) => ends_with(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(ends_with),
        _ => false,
    }
}

fn text_of(value: &Value) -> Option<String> {
    value
        .as_str()
        .map(scan::plain)
        .filter(|text| !text.is_empty())
}

/// A name, the names in a list, or the name of an object.
fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::String(_) => text_of(value),
        Value::Array(items) => {
            let mut names: Vec<String> = items.iter().filter_map(name_of).collect();
            names.dedup();
            (!names.is_empty()).then(|| names.join(", "))
        }
        Value::Object(object) => object.get("name").and_then(name_of),
        _ => None,
    }
}

/// The heading that the page also names in its head, or else what the head says.
fn title(found: &Found, article: Option<&Value>) -> Option<String> {
    let claims: Vec<String> = [
        found.meta(&["og:title"]),
        article.and_then(|node| text_of(&node["headline"])),
        found.meta(&[
            "twitter:title",
            "sailthru.title",
            "parsely-title",
            "dc.title",
            "title",
            "headline",
        ]),
        found.page_title.clone(),
    ]
    .into_iter()
    .flatten()
    .filter(|claim| claim.chars().any(char::is_alphanumeric))
    .collect();
    let heading = found
        .headings
        .iter()
        .map(|heading| {
            (
                claims
                    .iter()
                    .map(|claim| likeness(heading, claim))
                    .fold(0.0, f64::max),
                heading,
            )
        })
        .filter(|(likeness, _)| *likeness >= 0.6)
        .max_by(|left, right| left.0.total_cmp(&right.0));
    match heading {
        Some((_, heading)) => Some(heading.clone()),
        None => claims
            .into_iter()
            .next()
            .or_else(|| found.headings.first().cloned()),
    }
}

/// The share of a heading's words that a claim also has, and the reverse for very short headings.
fn likeness(heading: &str, claim: &str) -> f64 {
    let words = |text: &str| {
        crate::token::words(text)
            .map(str::to_lowercase)
            .collect::<Vec<_>>()
    };
    let (heading, claim) = (words(heading), words(claim));
    if heading.is_empty() || claim.is_empty() {
        return 0.0;
    }
    let shared = heading.iter().filter(|word| claim.contains(word)).count() as f64;
    let covered = shared / heading.len() as f64;
    // A heading of one or two words is more likely to be the name of the site or section.
    if heading.len() <= 2 && claim.len() > 4 {
        0.0
    } else {
        covered.min(1.5 * shared / claim.len() as f64)
    }
}

fn author(found: &Found, article: Option<&Value>) -> Option<String> {
    let metas = [
        "author",
        "article:author",
        "parsely-author",
        "sailthru.author",
        "byl",
        "dc.creator",
        "dcterms.creator",
        "cxenseparse:author",
    ];
    let claims = article
        .and_then(|node| name_of(&node["author"]).or_else(|| name_of(&node["creator"])))
        .into_iter()
        .chain(metas.iter().filter_map(|key| found.meta(&[key])))
        .chain(found.bylines.iter().cloned());
    claims.into_iter().find_map(|claim| {
        crate::clean::parse_byline(
            &claim,
            found.meta(&["og:site_name"]).as_deref().unwrap_or_default(),
        )
    })
}

fn canonical(found: &Found, url: Option<&str>) -> Option<String> {
    let claim = found
        .canonical
        .clone()
        .or_else(|| found.meta(&["og:url", "twitter:url"]))?;
    let absolute = match (claim.contains("://"), url) {
        (true, _) => claim,
        (false, Some(url)) => url::Url::parse(url).ok()?.join(&claim).ok()?.to_string(),
        (false, None) => return None,
    };
    let address = address::canonical(&absolute)?;
    // Some pages give their front page as the canonical address.
    let is_front = url::Url::parse(&address.url)
        .is_ok_and(|parsed| parsed.path() == "/" && parsed.query().is_none());
    (!is_front).then_some(address.url)
}
