//! Pages of real outlets against their gold texts.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use text::{page, token};

fn folder(name: &str) -> Option<PathBuf> {
    Some(crate::folder()?.join("wire/html").join(name))
}

fn html(path: &Path) -> String {
    let mut bytes = Vec::new();
    GzDecoder::new(std::fs::File::open(path).unwrap())
        .read_to_end(&mut bytes)
        .unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Precision, recall and F1 of the words of `found`, each counted as often as it occurs.
fn overlap(found: &str, gold: &str) -> (f64, f64, f64) {
    let count = |text: &str| {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for word in token::words(text) {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
        counts
    };
    let (found, gold) = (count(found), count(gold));
    let shared: u32 = found
        .iter()
        .map(|(word, times)| *times.min(gold.get(word).unwrap_or(&0)))
        .sum();
    let share = |counts: &HashMap<String, u32>| {
        f64::from(shared) / f64::from(counts.values().sum::<u32>().max(1))
    };
    let (precision, recall) = (share(&found), share(&gold));
    (
        precision,
        recall,
        if shared == 0 {
            0.0
        } else {
            2.0 * precision * recall / (precision + recall)
        },
    )
}

fn show(name: &str, scores: (f64, f64, f64), text: &str) {
    println!("{:.3} p {:.2} r {:.2} {name}", scores.2, scores.0, scores.1);
    if std::env::var("ASSAY_SHOW").is_ok_and(|part| name.contains(&part)) {
        println!("{text}\n");
    }
}

#[test]
fn main_text_is_near_the_gold_text() {
    let Some(folder) = folder("article_extraction") else {
        return;
    };
    let gold = json(&folder.join("ground-truth.json"));
    let mut total = 0.0;
    let items = gold.as_object().unwrap();
    for (name, item) in items {
        let url = item["url"].as_str().unwrap();
        let found = page::extract(&html(&folder.join(format!("{name}.html.gz"))), Some(url))
            .unwrap_or_default();
        let scores = overlap(&found.text, item["articleBody"].as_str().unwrap());
        total += scores.2;
        show(
            url,
            scores,
            &format!(
                "{}\n{:?}\n{}",
                found.title,
                found.published_at.map(|time| time.to_string()),
                found.text
            ),
        );
    }
    let mean = total / items.len() as f64;
    println!("mean F1 {mean:.4} over {} pages", items.len());
    assert!(mean >= 0.95);
}

#[test]
fn news_pages_tell_headline_and_date() {
    let Some(folder) = folder("news_2023") else {
        return;
    };
    let gold = json(&folder.join("articles.json"));
    let items = gold.as_array().unwrap();
    let plain = |text: &str| {
        text.to_lowercase()
            .chars()
            .filter(|character| character.is_alphanumeric())
            .collect::<String>()
    };
    let (mut total, mut titles, mut dates, mut authors) = (0.0, 0, 0, 0);
    for item in items {
        let field = |key: &str| item[key].as_str().unwrap_or_default();
        let found = page::extract(&html(&folder.join(field("html_file"))), Some(field("link")))
            .unwrap_or_default();
        let scores = overlap(&found.text, field("text"));
        total += scores.2;
        show(field("link"), scores, &found.text);
        let date = found
            .published_at
            .map(model::Timestamp::date)
            .unwrap_or_default();
        let author = found.author.clone().unwrap_or_default();
        titles += usize::from(plain(&found.title) == plain(field("title")));
        // Gold dates are local days.
        let days = |text: &str| {
            text.parse::<model::Timestamp>()
                .map(model::Timestamp::day)
                .unwrap_or_default()
        };
        dates += usize::from((days(&date) - days(field("date"))).abs() <= 1);
        authors += usize::from(plain(&author) == plain(field("authors")));
        println!(
            "   {} | {}\n   {date} {} | {author:?} {:?}",
            found.title,
            field("title"),
            field("date"),
            field("authors")
        );
    }
    let share = |hits: usize| hits as f64 / items.len() as f64;
    println!(
        "mean F1 {:.4}, titles {:.2}, dates {:.2}, authors {:.2}",
        total / items.len() as f64,
        share(titles),
        share(dates),
        share(authors)
    );
    // Two of the gold dates are of the last change, one is of an earlier edition of the page.
    assert!(share(titles) >= 0.95 && share(dates) >= 0.86 && total / items.len() as f64 >= 0.95);
}
