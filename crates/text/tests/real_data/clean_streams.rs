//! Real news streams go through cleaning without a sanity bug.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use model::{RawArticle, Timestamp};
use text::clean::{Arrival, clean};

fn streams() -> Option<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(crate::folder()?.join("news"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("stream_")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "the data folder has no stream of news");
    Some(files)
}

fn read(line: &str) -> RawArticle {
    let row: serde_json::Value = serde_json::from_str(line).unwrap();
    let string = |key: &str| row[key].as_str().map(str::to_owned);
    RawArticle {
        url: string("url").unwrap_or_default(),
        title: string("title").unwrap_or_default(),
        description: string("description"),
        body: string("content"),
        outlet: string("outlet"),
        author: string("author"),
        language: string("lang"),
        published_at: string("published_at")
            .and_then(|time| text::date::parse(&time, text::date::Order::Undeclared)),
        first_seen: string("first_seen").and_then(|time| time.parse().ok()),
        ..RawArticle::default()
    }
}

#[test]
fn real_streams_come_out_clean() {
    let Some(files) = streams() else { return };
    let now: Timestamp = "2026-06-01".parse().unwrap();
    let debris = regex::Regex::new(
        r"<[a-zA-Z/!]|&(#\d+|#x[0-9a-fA-F]+|[a-z]{2,8});|\[\+\d+ chars\]|\u{fffd}|â€",
    )
    .unwrap();
    let show = std::env::var("ASSAY_SHOW").is_ok();
    for file in files {
        let lines: Vec<String> =
            BufReader::new(GzDecoder::new(std::fs::File::open(&file).unwrap()))
                .lines()
                .map(Result::unwrap)
                .collect();
        let mut rejected: BTreeMap<String, usize> = BTreeMap::new();
        let (mut kept, mut empty, mut bodies, mut dirty) = (0, 0, 0, 0);
        for (number, line) in lines.iter().enumerate() {
            let raw = read(line);
            match clean(&raw, now, Arrival::Backfill) {
                Ok(article) => {
                    kept += 1;
                    empty += usize::from(article.description.is_empty());
                    bodies += usize::from(!article.body.is_empty());
                    assert!(article.published_at <= article.known_at && article.known_at <= now);
                    for text in [&article.title, &article.description, &article.body] {
                        if debris.is_match(text) {
                            dirty += 1;
                            println!("DEBRIS {text}");
                        }
                    }
                    if show && number.wrapping_mul(2_654_435_761) % 997 < 8 {
                        println!(
                            "{} | {:?} | {}\n   T {}\n   < {}\n   D {}\n   B {}",
                            article.outlet,
                            article.author,
                            article.url,
                            article.title,
                            raw.title,
                            article.description,
                            article.body
                        );
                    }
                }
                Err(reason) => {
                    *rejected.entry(reason.to_string()).or_default() += 1;
                    println!("REFUSED {reason}: {} {}", raw.title, raw.url);
                }
            }
        }
        println!(
            "{}: {kept} of {} kept, {empty} without teaser, {bodies} with body, {dirty} with debris; {rejected:?}",
            file.file_name().unwrap().to_string_lossy(),
            lines.len(),
        );
        assert_eq!(dirty, 0);
        assert!(kept * 100 >= lines.len() * 97, "too many refused");
    }
}
