//! A report as Markdown: the text that is stored. Nothing that strangers wrote can format, link or open a tag in it.

use std::fmt::Write;

use super::document::{Block, Document, Section, Sentence};
use super::words;
use crate::figures::quoted;

/// The text below every report.
pub(super) const DISCLAIMER: &str = "Written by fixed rules from the data named here; neither advice nor a promise. Figures are rounded in the text.";
/// The text above reports from the demo world.
pub(super) const SIMULATED: &str = "Simulated: this report rests on the demo world, whose news is invented and whose prices are computed.";

/// The whole report.
pub(super) fn write(document: &Document) -> String {
    let mut out = String::with_capacity(8 << 10);
    let _ = writeln!(out, "# {}\n", quoted(&document.title));
    let _ = writeln!(out, "{}\n", head(document));
    if document.simulated {
        let _ = writeln!(out, "> {SIMULATED}\n");
    }
    let figures = document
        .figures
        .iter()
        .filter(|figure| !figure.value.is_empty());
    let rows: Vec<Vec<String>> = figures
        .map(|one| vec![one.label.clone(), one.value.clone(), one.note.clone()])
        .collect();
    table(
        &mut out,
        &["Figure", "Value", "Note"].map(str::to_owned),
        &rows,
    );
    for section in &document.sections {
        write_section(&mut out, section);
    }
    if !document.missing.is_empty() {
        out.push_str("## What is missing\n\n");
        let rows: Vec<Vec<String>> = document
            .missing
            .iter()
            .map(|one| vec![words::capital(&one.what), one.why.clone()])
            .collect();
        table(&mut out, &["What".to_owned(), "Why".to_owned()], &rows);
    }
    if !document.claims.is_empty() {
        out.push_str("## Tested claims\n\n");
        let rows: Vec<Vec<String>> = document
            .claims
            .iter()
            .map(|one| {
                vec![
                    one.claim.clone(),
                    one.verdict.replace('_', " "),
                    format!("{:.2}", one.confidence),
                    one.receipt.clone(),
                ]
            })
            .collect();
        table(
            &mut out,
            &["Claim", "Verdict", "Confidence", "Receipt"].map(str::to_owned),
            &rows,
        );
    }
    if !document.sources.is_empty() {
        out.push_str("## Sources\n\n");
        for (place, source) in document.sources.iter().enumerate() {
            let title = quoted(&source.title);
            let outlet = quoted(&source.outlet);
            let on = words::date(&source.date);
            let _ = match source.url.as_deref().filter(|url| is_safe(url)) {
                Some(url) => writeln!(out, "{}. [{title}](<{url}>), {outlet}, {on}", place + 1),
                None => writeln!(out, "{}. {title}, {outlet}, {on}", place + 1),
            };
        }
        out.push('\n');
    }
    if let Some(receipt) = &document.receipt {
        let _ = writeln!(out, "Receipt of this report: `{receipt}`\n");
    }
    let _ = writeln!(out, "{DISCLAIMER}");
    out
}

/// Tier, day and verdict in one line.
pub(super) fn head(document: &Document) -> String {
    let as_of = document.as_of.as_deref().map_or_else(
        || "no prices".to_owned(),
        |day| format!("as of {}", words::date(day)),
    );
    let signal = document
        .verdict
        .signal
        .as_ref()
        .map_or_else(String::new, |(word, score)| {
            format!(
                " · signal {} ({score} of 100)",
                super::summary::action(word)
            )
        });
    format!(
        "{} report, {as_of} · {}{signal} · confidence {:.0}%",
        words::capital(&document.tier),
        document.verdict.stance.as_str(),
        document.verdict.confidence * 100.0
    )
}

/// Addresses that a page may link to: web addresses, without anything that could break out of the angle brackets.
pub(super) fn is_safe(url: &str) -> bool {
    let of_web = url.starts_with("https://") || url.starts_with("http://");
    of_web
        && url.len() <= 2_000
        && !url.chars().any(|one| {
            one.is_whitespace() || one.is_control() || matches!(one, '<' | '>' | '"' | '\\')
        })
}

fn write_section(out: &mut String, section: &Section) {
    let _ = writeln!(out, "## {}\n", section.title);
    if let Some(verdict) = &section.verdict {
        let _ = writeln!(
            out,
            "*{}, confidence {:.0}%*\n",
            words::capital(verdict.stance.as_str()),
            verdict.confidence * 100.0
        );
    }
    for block in &section.blocks {
        match block {
            Block::Paragraph { sentences } => {
                let line: Vec<String> = sentences.iter().map(sentence).collect();
                let _ = writeln!(out, "{}\n", line.join(" "));
            }
            Block::List { items } => {
                for item in items {
                    let _ = writeln!(out, "- {}", sentence(item));
                }
                out.push('\n');
            }
            Block::Table {
                caption,
                head,
                rows,
            } => {
                let _ = writeln!(out, "**{}**\n", quoted(caption));
                table(out, head, rows);
            }
            Block::Bars { title, bars } => {
                let _ = writeln!(out, "**{}**\n", quoted(title));
                let rows: Vec<Vec<String>> = bars
                    .iter()
                    .map(|bar| vec![bar.0.clone(), bar.2.clone()])
                    .collect();
                table(out, &["Symbol".to_owned(), "Value".to_owned()], &rows);
            }
            Block::Quarters {
                title,
                periods,
                panels,
            } => {
                let _ = writeln!(out, "**{}**\n", quoted(title));
                let head: Vec<String> = std::iter::once("Quarter to".to_owned())
                    .chain(panels.iter().map(|(name, _, _)| name.clone()))
                    .collect();
                let cell = |is_large: bool, value: Option<f64>| match value {
                    Some(value) if is_large => crate::figures::large(value, ""),
                    Some(value) => format!("{value:.2}"),
                    None => "–".to_owned(),
                };
                let rows: Vec<Vec<String>> = periods
                    .iter()
                    .enumerate()
                    .map(|(place, period)| {
                        let cells = panels.iter().map(|(_, is_large, values)| {
                            cell(*is_large, values.get(place).copied().flatten())
                        });
                        std::iter::once(period.clone()).chain(cells).collect()
                    })
                    .collect();
                table(out, &head, &rows);
            }
            Block::Absent { text } => {
                let _ = writeln!(out, "{}\n", quoted(text));
            }
            Block::Method { text } => {
                let _ = writeln!(out, "*{}*\n", quoted(text));
            }
            // A picture has no words.
            Block::Prices { .. } | Block::Line { .. } => {}
        }
    }
}

fn sentence(sentence: &Sentence) -> String {
    let mut text = quoted(&sentence.text);
    for number in &sentence.cites {
        let _ = write!(text, " \\[{number}\\]");
    }
    text
}

fn table(out: &mut String, head: &[String], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out.push_str(&line(head));
    let _ = writeln!(out, "|{}", " --- |".repeat(head.len()));
    for row in rows {
        out.push_str(&line(row));
    }
    out.push('\n');
}
