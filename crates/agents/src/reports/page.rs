//! A report as a page: a single document without scripts or loaded resources.

mod charts;

use std::fmt::Write;

use store::ReportRow;

use super::document::{Block, Document, Section, Sentence};
use super::{markdown, uploaded, words};

/// The style of the page; its digest is in the policy.
pub const STYLE: &str = include_str!("page/style.css");

/// The page of a complete report. `None` if the stored report cannot be read.
pub fn html(row: &ReportRow, is_demo: bool) -> Option<String> {
    match &row.document {
        Some(document) => {
            let document: Document = serde_json::from_str(document).ok()?;
            Some(of_document(row, &document))
        }
        None => Some(of_upload(row, is_demo)),
    }
}

/// The page of a report that is not complete.
pub fn waiting(row: &ReportRow) -> String {
    let said = match &row.reason {
        Some(reason) => format!("<p>This report failed: {}.</p>", escaped(reason)),
        None => format!(
            "<p>This report is {}. Load the page again in a moment.</p>",
            row.status.as_str()
        ),
    };
    let title = format!("{} ({})", row.entity_name, row.ticker);
    framed(&title, "", &format!("<h1>{}</h1>\n{said}", escaped(&title)))
}

/// Text escaped so that a page shows it as nothing but text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

fn framed(title: &str, class: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>{} · Assay report</title>\n<style>{STYLE}</style>\n</head>\n<body class=\"{class}\">\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

fn of_upload(row: &ReportRow, is_demo: bool) -> String {
    let title = format!("{} ({})", row.entity_name, row.ticker);
    let mut body = String::with_capacity(row.markdown.len() * 2);
    let _ = writeln!(
        body,
        "<p class=\"meta\">Uploaded on {} · label {} · written by the account that uploaded it, not by this service</p>",
        words::day(model::Day::of(row.created_at)),
        escaped(&row.tier)
    );
    if is_demo {
        body.push_str("<p class=\"notice\">Simulated: this server runs the demo world; prices and news here are not real.</p>\n");
    }
    let _ = write!(
        body,
        "<article class=\"foreign\">\n{}</article>\n",
        uploaded::html_of(&row.markdown)
    );
    body.push_str(&formats(&row.id));
    framed(&title, "uploaded", &body)
}

fn formats(id: &str) -> String {
    let id = escaped(id);
    format!(
        "<p class=\"formats\"><a href=\"/reports/{id}.md\">Markdown</a> <a href=\"/reports/{id}.json\">JSON</a></p>\n"
    )
}

fn of_document(row: &ReportRow, document: &Document) -> String {
    let mut body = String::with_capacity(64 << 10);
    let _ = write!(
        body,
        "<header>\n<h1>{} <span class=\"symbol\">{}</span></h1>\n<p class=\"meta\">{}</p>\n</header>\n",
        escaped(&document.entity_name),
        escaped(&document.ticker),
        escaped(&markdown::head(document))
    );
    if document.simulated {
        let _ = writeln!(body, "<p class=\"notice\">{}</p>", markdown::SIMULATED);
    }
    body.push_str("<dl class=\"figures\">\n");
    for figure in &document.figures {
        let _ = writeln!(
            body,
            "<div><dt>{}</dt><dd>{}</dd><dd class=\"note\">{}</dd></div>",
            escaped(&figure.label),
            escaped(&figure.value),
            escaped(&figure.note)
        );
    }
    body.push_str("</dl>\n");
    let known = document.sources.len();
    for part in &document.sections {
        section(&mut body, part, known);
    }
    if !document.missing.is_empty() {
        body.push_str("<section>\n<h2>What is missing</h2>\n");
        let rows: Vec<Vec<String>> = document
            .missing
            .iter()
            .map(|one| vec![words::capital(&one.what), one.why.clone()])
            .collect();
        table(&mut body, "", &["What".to_owned(), "Why".to_owned()], &rows);
        body.push_str("</section>\n");
    }
    claims(&mut body, document);
    sources(&mut body, document);
    body.push_str("<footer>\n");
    if let Some(receipt) = &document.receipt {
        let receipt = escaped(receipt);
        let _ = writeln!(
            body,
            "<p>Receipt of this report: <a href=\"/api/v1/verify/receipt/{receipt}\"><code>{receipt}</code></a></p>"
        );
    }
    body.push_str(&formats(&row.id));
    let _ = write!(
        body,
        "<p>{}</p>\n</footer>\n",
        escaped(markdown::DISCLAIMER)
    );
    framed(&document.title, "", &body)
}

fn claims(body: &mut String, document: &Document) {
    if document.claims.is_empty() {
        return;
    }
    body.push_str("<section>\n<h2>Tested claims</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>Claim</th><th>Verdict</th><th>Confidence</th><th>Receipt</th></tr></thead>\n<tbody>\n");
    for one in &document.claims {
        let receipt = escaped(&one.receipt);
        let short: String = receipt.chars().take(11).collect();
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td>{:.2}</td><td><a href=\"/api/v1/verify/receipt/{receipt}\"><code>{short}…</code></a></td></tr>",
            escaped(&one.claim),
            escaped(&one.verdict.replace('_', " ")),
            one.confidence
        );
    }
    body.push_str("</tbody></table></div>\n</section>\n");
}

fn sources(body: &mut String, document: &Document) {
    if document.sources.is_empty() {
        return;
    }
    body.push_str("<section>\n<h2>Sources</h2>\n<ol class=\"sources\">\n");
    for (place, source) in document.sources.iter().enumerate() {
        let title = escaped(&source.title);
        let title = match source.url.as_deref().filter(|url| markdown::is_safe(url)) {
            Some(url) => format!(
                "<a rel=\"nofollow noopener noreferrer\" href=\"{}\">{title}</a>",
                escaped(url)
            ),
            None => title,
        };
        let _ = writeln!(
            body,
            "<li id=\"source-{}\">{title}, {}, {}</li>",
            place + 1,
            escaped(&source.outlet),
            escaped(&words::date(&source.date))
        );
    }
    body.push_str("</ol>\n</section>\n");
}

fn section(body: &mut String, section: &Section, sources: usize) {
    let _ = write!(body, "<section>\n<h2>{}", escaped(&section.title));
    if let Some(verdict) = &section.verdict {
        let word = verdict.stance.as_str();
        let _ = write!(
            body,
            " <span class=\"stance {word}\">{word}, confidence {:.0}%</span>",
            verdict.confidence * 100.0
        );
    }
    body.push_str("</h2>\n");
    for block in &section.blocks {
        match block {
            Block::Paragraph { sentences } => {
                let line: Vec<String> =
                    sentences.iter().map(|one| sentence(one, sources)).collect();
                let _ = writeln!(body, "<p>{}</p>", line.join(" "));
            }
            Block::List { items } => {
                body.push_str("<ul>\n");
                for item in items {
                    let _ = writeln!(body, "<li>{}</li>", sentence(item, sources));
                }
                body.push_str("</ul>\n");
            }
            Block::Table {
                caption,
                head,
                rows,
            } => table(body, caption, head, rows),
            Block::Absent { text } => {
                let _ = writeln!(body, "<p>{}</p>", escaped(text));
            }
            Block::Method { text } => {
                let _ = writeln!(body, "<p class=\"method\">{}</p>", escaped(text));
            }
            Block::Prices { .. }
            | Block::Line { .. }
            | Block::Quarters { .. }
            | Block::Bars { .. } => {
                if let Some((title, svg)) = charts::drawn(block) {
                    // If a chart does not fit on a phone, its end is shown first.
                    let class = match block {
                        Block::Bars { .. } | Block::Quarters { .. } => "",
                        _ => " class=\"course\"",
                    };
                    let _ = writeln!(
                        body,
                        "<figure{class}>{svg}<figcaption>{}</figcaption></figure>",
                        escaped(&title)
                    );
                }
            }
        }
    }
    body.push_str("</section>\n");
}

fn sentence(sentence: &Sentence, sources: usize) -> String {
    let mut text = escaped(&sentence.text);
    for number in sentence
        .cites
        .iter()
        .filter(|number| (1..=sources).contains(*number))
    {
        let _ = write!(
            text,
            " <a class=\"cite\" href=\"#source-{number}\">[{number}]</a>"
        );
    }
    text
}

/// A table in a box of its own, which scrolls if the page is narrow.
fn table(body: &mut String, caption: &str, head: &[String], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    body.push_str("<div class=\"scroll\"><table>\n");
    if !caption.is_empty() {
        let _ = writeln!(body, "<caption>{}</caption>", escaped(caption));
    }
    body.push_str("<thead><tr>");
    for cell in head {
        let _ = write!(body, "<th>{}</th>", escaped(cell));
    }
    body.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        body.push_str("<tr>");
        for cell in row {
            let _ = write!(body, "<td>{}</td>", escaped(cell));
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody></table></div>\n");
}
