//! Prints what reading finds in articles, for people who judge it: `read FILE.jsonl.gz [count] [skip]`.
//!
//! Each line of the file is a JSON object with `title` and, where there are any, `description`, `content` or `text`,
//! `categories` and `published_at`.

use std::io::{BufRead, BufReader, Write};

use flate2::read::GzDecoder;
use model::{RawArticle, Timestamp};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("name a file of articles (JSON lines, gzip)")?;
    let count = arguments.next().map_or(Ok(20), |count| count.parse())?;
    let step: usize = arguments.next().map_or(Ok(1), |step| step.parse())?;
    let mut out = std::io::stdout().lock();
    for line in BufReader::new(GzDecoder::new(std::fs::File::open(path)?))
        .lines()
        .step_by(step.max(1))
        .take(count)
    {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let field = |name: &str| row[name].as_str().unwrap_or("").trim().to_owned();
        let hints: Vec<String> = row["categories"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|hint| hint.as_str().map(str::to_owned))
            .collect();
        let optional = |name: &str| Some(field(name)).filter(|text| !text.is_empty());
        let raw = RawArticle {
            url: field("url"),
            title: field("title"),
            description: optional("description"),
            body: optional("text").or_else(|| optional("content")),
            outlet: optional("outlet"),
            published_at: optional("published_at").and_then(|at| at.parse().ok()),
            ..RawArticle::default()
        };
        let Ok(article) = text::clean::clean(&raw, Timestamp::END, text::clean::Arrival::Live)
        else {
            continue;
        };
        let read = text::annotate::annotate(&article, &hints);
        writeln!(out, "== {}", article.title)?;
        let teaser: String = article
            .description
            .chars()
            .chain(article.body.chars())
            .take(160)
            .collect();
        writeln!(out, "   {}", teaser.replace('\n', " "))?;
        writeln!(
            out,
            "   [{}] {} sentiment {:.2} hints {hints:?} tags {:?}",
            read.language,
            read.category,
            read.sentiment.get(),
            read.tags
        )?;
        for entity in &read.entities {
            let ticker = entity
                .ticker
                .as_deref()
                .map(|ticker| format!(" ({ticker})"))
                .unwrap_or_default();
            write!(
                out,
                "   {}{ticker}:{}:{}x{}:{:.2};",
                entity.name,
                entity.kind,
                entity.role.as_str(),
                entity.mentions,
                entity.sentiment.get()
            )?;
        }
        for event in &read.events {
            write!(
                out,
                "\n   {}: {} -> {} ({:.2})",
                event.kind,
                event.subject,
                event.object.as_deref().unwrap_or("-"),
                event.confidence.get()
            )?;
        }
        let bias = &read.bias;
        writeln!(
            out,
            "\n   bias loaded {:.2} framing {:.2} one-sided {:.2} lean {:+.2} promo {:.2} sens {:.2} {:?}",
            bias.loaded_wording,
            bias.framing,
            bias.one_sidedness,
            bias.lean,
            bias.promotional,
            bias.sensational,
            bias.loaded_terms
        )?;
    }
    Ok(())
}
