//! Reads articles from line-delimited JSON, finds their stories and prints the briefs of those with several sources.
//!
//! `cargo run --release -p text --example stories -- FILE.jsonl.gz [LEAST_SOURCES [MOST_BRIEFS]]`
#![expect(clippy::print_stdout, reason = "a command-line tool")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use model::{Annotations, Article, RawArticle, Timestamp, TrustLevel};
use serde_json::Value;
use text::clean::{Arrival, clean};
use text::compose::{Composition, Member, compose};
use text::stories::{Compared, StoryIndex};

/// An article that was read.
struct Judged {
    article: Article,
    annotations: Annotations,
    copy_of: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("first argument: a .jsonl.gz file")?;
    let least: u32 = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let most: usize = arguments
        .next()
        .map_or(Ok(usize::MAX), |text| text.parse())?;
    let mut text = String::new();
    GzDecoder::new(File::open(&path)?).read_to_string(&mut text)?;

    let mut spent = [Duration::ZERO; 4];
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut read: Vec<Judged> = Vec::new();
    let mut raw: Vec<RawArticle> = Vec::new();
    for line in text.lines() {
        raw.push(raw_article(&serde_json::from_str(line)?));
    }
    raw.sort_by_key(|raw| raw.first_seen.or(raw.published_at));
    for raw in raw {
        let start = Instant::now();
        let cleaned = clean(&raw, Timestamp::END, Arrival::Backfill);
        spent[0] += start.elapsed();
        match cleaned {
            Ok(article) => {
                let start = Instant::now();
                let annotations = text::annotate::annotate(&article, &raw.categories);
                spent[1] += start.elapsed();
                read.push(Judged {
                    article,
                    annotations,
                    copy_of: None,
                });
            }
            Err(rejection) => {
                let reason: String = rejection.to_string().chars().take(40).collect();
                *refused.entry(reason).or_default() += 1;
            }
        }
    }

    let mut index = StoryIndex::new();
    let mut stories: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let published: Vec<Timestamp> = read.iter().map(|one| one.article.published_at).collect();
    for (number, judged) in read.iter_mut().enumerate() {
        let time = Some(judged.article.published_at);
        let start = Instant::now();
        let compared = Compared {
            features: &judged.annotations.features,
            domain: &judged.article.domain,
            time,
        };
        let placement = index.place(compared);
        let since = placement
            .story
            .and_then(|story| stories.get(&story))
            .and_then(|members| members.iter().map(|member| published[*member]).min());
        let placement = placement.for_story_since(since, time);
        let story = placement.story.unwrap_or(number as u64);
        index.insert(number as u64, story, compared);
        spent[2] += start.elapsed();
        judged.copy_of = placement.copy_of.map(|original| original as usize);
        stories.entry(story).or_default().push(number);
    }

    let mut printed = 0;
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for members in stories.values() {
        let composed: Vec<Member<'_>> = members
            .iter()
            .map(|number| {
                let one = &read[*number];
                Member {
                    article: &one.article,
                    annotations: &one.annotations,
                    outlet: &one.article.outlet,
                    trust: trust(&one.article.domain),
                    copy_of: one
                        .copy_of
                        .and_then(|original| members.iter().position(|member| *member == original)),
                }
            })
            .collect();
        let start = Instant::now();
        let composition = compose(&composed, None);
        spent[3] += start.elapsed();
        *sizes.entry(composition.source_count).or_default() += 1;
        if composition.source_count >= least && printed < most {
            printed += 1;
            print(&composition, &composed);
        }
    }
    println!(
        "{} articles, {} stories, refused {refused:?}",
        read.len(),
        stories.len()
    );
    println!("stories by independent sources: {sizes:?}");
    for (name, time) in ["clean", "annotate", "place", "compose"].iter().zip(spent) {
        println!(
            "{name}: {:.3} ms an article",
            time.as_secs_f64() * 1000.0 / read.len() as f64
        );
    }
    Ok(())
}

fn print(composition: &Composition, members: &[Member<'_>]) {
    println!("{}", "=".repeat(100));
    println!("# {}", composition.headline);
    println!(
        "[{}] {} sources of {} articles, {}",
        composition.category,
        composition.source_count,
        members.len(),
        composition.language
    );
    println!("SUMMARY {}", composition.summary);
    println!("BODY {}", composition.body);
    println!("COUNTER {}", composition.counter_argument);
    println!("CONFIDENCE {:?}", composition.confidence);
    println!(
        "BIAS {:.2} {} {}",
        composition.bias.score.get(),
        composition.bias.direction.as_str(),
        composition.bias.framing_notes
    );
    let entities: Vec<&str> = composition
        .entities
        .iter()
        .take(8)
        .map(|entity| entity.name.as_str())
        .collect();
    println!("ENTITIES {entities:?} TAGS {:?}", composition.tags);
    for member in members.iter().take(15) {
        let copy = if member.copy_of.is_some() {
            " (copy)"
        } else {
            ""
        };
        println!(
            "  - {} {}: {}{copy}",
            member.article.published_at, member.article.outlet, member.article.title
        );
    }
}

/// A handful of outlets, to see the effect of trust.
fn trust(domain: &str) -> TrustLevel {
    match domain {
        "reuters.com" | "apnews.com" | "bbc.co.uk" | "bbc.com" | "nytimes.com" | "wsj.com"
        | "ft.com" | "bloomberg.com" => TrustLevel::High,
        "cnn.com" | "cnbc.com" | "livemint.com" | "moneycontrol.com" | "foxnews.com"
        | "usatoday.com" => TrustLevel::Medium,
        "dailymail.co.uk" | "breitbart.com" => TrustLevel::Low,
        _ => TrustLevel::Unknown,
    }
}

/// The fields of the streams under one roof.
fn raw_article(record: &Value) -> RawArticle {
    let text = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| record[*name].as_str())
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let time = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| record[*name].as_str()?.parse().ok())
    };
    RawArticle {
        url: text(&["url"]).unwrap_or_default(),
        title: text(&["title"]).unwrap_or_default(),
        description: text(&["description", "summary"]),
        body: text(&["text", "content", "body"]),
        outlet: text(&["outlet", "source"]),
        author: text(&["author", "authors"]),
        language: text(&["lang", "language"]),
        published_at: time(&["published_at", "date", "published"]),
        first_seen: time(&["first_seen"]),
        categories: record["categories"]
            .as_array()
            .map(|words| {
                words
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            })
            .unwrap_or_default(),
        simulated: false,
        via: None,
    }
}
