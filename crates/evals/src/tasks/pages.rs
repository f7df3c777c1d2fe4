//! The readable text, headline and date of web pages, against what people took for them.
//!
//! Two layouts are known: folders of `wire/html` with a `ground-truth.json` (text and address by the name of the page), and
//! those with an `articles.json` (text, headline and day as well).

mod likeness;

use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::data::{self, Data};
use crate::score::{interval, ratio};
use crate::seen;
use crate::table::{Table, figure};
use likeness::Likeness;

/// A page and what should be found in it.
struct Item {
    html: String,
    url: String,
    text: String,
    /// Headline and day, where they are known.
    facts: Option<(String, String)>,
}

/// Both layouts.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut tables = Vec::new();
    for (name, items) in folders(data)? {
        tables.extend(measure(&name, &items));
    }
    Ok(tables)
}

/// The addresses of the pages of each folder, for [`seen::lines`].
pub(crate) fn addresses(data: &Data) -> anyhow::Result<Vec<(String, Vec<String>)>> {
    let addresses = |items: Vec<Item>| items.into_iter().map(|item| item.url).collect();
    let folders = folders(data)?.into_iter();
    Ok(folders
        .map(|(name, items)| (name, addresses(items)))
        .collect())
}

/// The folders of pages of either layout.
fn folders(data: &Data) -> anyhow::Result<Vec<(String, Vec<Item>)>> {
    let mut found = Vec::new();
    for (file, what, load) in [
        (
            "ground-truth.json",
            "pages with their text",
            benchmark as Loader,
        ),
        (
            "articles.json",
            "pages with their text, headline and day",
            news,
        ),
    ] {
        for folder in data.folders("wire/html", file, what) {
            let items = load(&folder).with_context(|| folder.display().to_string())?;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            found.push((name.into_owned(), items));
        }
    }
    Ok(found)
}

type Loader = fn(&Path) -> anyhow::Result<Vec<Item>>;

fn benchmark(folder: &Path) -> anyhow::Result<Vec<Item>> {
    let gold: serde_json::Map<String, Value> =
        serde_json::from_str(&data::load(&folder.join("ground-truth.json"))?)?;
    gold.iter()
        .map(|(name, item)| {
            Ok(Item {
                html: page(folder, &format!("{name}.html"))?,
                url: field(item, "url"),
                text: field(item, "articleBody"),
                facts: None,
            })
        })
        .collect()
}

fn news(folder: &Path) -> anyhow::Result<Vec<Item>> {
    let gold: Vec<Value> = serde_json::from_str(&data::load(&folder.join("articles.json"))?)?;
    gold.iter()
        .map(|item| {
            Ok(Item {
                html: page(folder, &field(item, "html_file"))?,
                url: field(item, "link"),
                text: field(item, "text"),
                facts: Some((field(item, "title"), field(item, "date"))),
            })
        })
        .collect()
}

/// A page as it lies there, packed or not.
fn page(folder: &Path, name: &str) -> anyhow::Result<String> {
    let packed = folder.join(format!("{name}.gz"));
    if packed.is_file() {
        return data::load(&packed);
    }
    data::load(&folder.join(name))
}

fn field(item: &Value, key: &str) -> String {
    item[key].as_str().unwrap_or_default().to_owned()
}

/// The text alone, by three methods, and what the page's metadata gave.
fn measure(name: &str, items: &[Item]) -> Vec<Table> {
    let found: Vec<text::page::Page> = items
        .iter()
        .map(|item| text::page::extract(&item.html, Some(&item.url)).unwrap_or_default())
        .collect();
    let seen = seen::mark("pages", items.iter().map(|item| &item.url));
    let mut texts = Table::new(
        &format!("Readable text, {name}"),
        &[
            "method",
            "seen",
            "pages",
            "mean F1 of words",
            "precision of shingles",
            "recall of shingles",
            "F1 of shingles",
        ],
    );
    let methods: [(&str, Vec<String>); 3] = [
        (
            "Assay",
            found.iter().map(|page| page.text.clone()).collect(),
        ),
        (
            "paragraph elements",
            items.iter().map(|item| paragraphs(&item.html)).collect(),
        ),
        (
            "all visible text",
            items
                .iter()
                .map(|item| text::markup::strip(&item.html))
                .collect(),
        ),
    ];
    for (method, answers) in &methods {
        let likeness = Likeness::of(
            answers
                .iter()
                .zip(items)
                .map(|(answer, item)| (answer.as_str(), item.text.as_str())),
        );
        texts.row([
            (*method).to_owned(),
            if *method == "Assay" {
                seen
            } else {
                seen::NO_RULES
            }
            .to_owned(),
            items.len().to_string(),
            figure(likeness.words),
            figure(likeness.precision),
            figure(likeness.recall),
            figure(likeness.f1()),
        ]);
    }
    texts.note("Shingles of four words are the measure of the article-extraction benchmark: its F1 is that of the mean precision and the mean recall.");
    let mut tables = vec![texts];
    tables.extend(facts(name, seen, items, &found));
    tables
}

/// Headlines and dates, where they are known.
fn facts(name: &str, seen: &str, items: &[Item], found: &[text::page::Page]) -> Option<Table> {
    let known: Vec<(&Item, &text::page::Page, &str, &str)> = items
        .iter()
        .zip(found)
        .filter_map(|(item, page)| {
            let (title, day) = item.facts.as_ref()?;
            Some((item, page, title.as_str(), day.as_str()))
        })
        .collect();
    if known.is_empty() {
        return None;
    }
    let mut table = Table::new(
        &format!("Headline and day of publication, {name}"),
        &["method", "seen", "pages", "right", "share", "95 % interval"],
    );
    let mut row = |method: &str, hits: Vec<bool>| {
        let (right, whole) = (
            hits.iter().filter(|hit| **hit).count() as f64,
            hits.len() as f64,
        );
        let (low, high) = interval(right, whole);
        table.row([
            method.to_owned(),
            if method.contains("baseline") {
                seen::NO_RULES
            } else {
                seen
            }
            .to_owned(),
            hits.len().to_string(),
            right.to_string(),
            figure(ratio(right, whole)),
            format!("{low:.3}–{high:.3}"),
        ]);
    };
    row(
        "headline",
        known
            .iter()
            .map(|(_, page, title, _)| letters(&page.title) == letters(title))
            .collect(),
    );
    row(
        "headline, baseline: the `title` element",
        known
            .iter()
            .map(|(item, _, title, _)| letters(&element(&item.html, "title")) == letters(title))
            .collect(),
    );
    let days = |page: &text::page::Page| {
        page.published_at
            .map(model::Timestamp::date)
            .unwrap_or_default()
    };
    row(
        "day",
        known
            .iter()
            .map(|(_, page, _, day)| near(&days(page), day))
            .collect(),
    );
    row(
        "day, baseline: the first date written in the page",
        known
            .iter()
            .map(|(item, _, _, day)| near(&first_day(&item.html), day))
            .collect(),
    );
    row(
        "day, without pages whose given day is only that of their last change",
        known
            .iter()
            .filter(|(item, page, _, day)| {
                near(&days(page), day) || !near(&modified(&item.html), day)
            })
            .map(|(_, page, _, day)| near(&days(page), day))
            .collect(),
    );
    table.note("A headline is right when its letters and figures are; a day may be one off, because the given days are local.");
    Some(table)
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether two days, written `YYYY-MM-DD`, are at most one apart.
fn near(found: &str, day: &str) -> bool {
    let number = |text: &str| {
        text.parse::<model::Timestamp>()
            .ok()
            .map(model::Timestamp::day)
    };
    number(found)
        .zip(number(day))
        .is_some_and(|(found, day)| (found - day).abs() <= 1)
}

/// What stands inside the first element of a name.
fn element(html: &str, name: &str) -> String {
    let inside = html
        .split_once(&format!("<{name}"))
        .and_then(|(_, rest)| rest.split_once('>'));
    let inside = inside.and_then(|(_, rest)| rest.split_once(&format!("</{name}")));
    inside
        .map(|(inside, _)| text::markup::strip(inside))
        .unwrap_or_default()
}

/// The text of all `p` elements.
fn paragraphs(html: &str) -> String {
    let mut texts = Vec::new();
    for piece in html
        .split("<p")
        .skip(1)
        .filter(|piece| piece.starts_with(['>', ' ', '\n', '\t']))
    {
        let end = ["</p>", "</div>", "</P>"]
            .iter()
            .filter_map(|mark| piece.find(mark))
            .min();
        texts.push(text::markup::strip(&format!(
            "<p{}",
            &piece[..end.unwrap_or(piece.len().min(2_000)).min(piece.len())]
        )));
    }
    texts.join("\n\n")
}

/// The first text of the form `2023-12-22`.
fn first_day(html: &str) -> String {
    let is_day = |text: &&[u8]| {
        text.iter().enumerate().all(|(at, byte)| match at {
            0 => *byte == b'2',
            1 => *byte == b'0',
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    html.as_bytes()
        .windows(10)
        .find(is_day)
        .map(|day| String::from_utf8_lossy(day).into_owned())
        .unwrap_or_default()
}

/// When the page says that it was changed last.
fn modified(html: &str) -> String {
    let behind = html
        .split_once("\"dateModified\"")
        .map_or("", |(_, rest)| rest);
    first_day(behind.get(..40).unwrap_or_default())
}
