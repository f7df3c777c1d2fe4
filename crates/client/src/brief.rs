//! `assay brief`: one brief with what speaks for and against it.

use clap::Args;
use serde_json::Value;

use crate::cell::Kind;
use crate::command::Common;
use crate::error::Result;
use crate::page::{Page, rows, text};
use crate::service::{Query, Service};
use crate::table::{Column, column};
use crate::terminal::Terminal;
use crate::view::print_json;

/// `assay brief`
#[derive(Debug, Args)]
pub struct ShowBrief {
    /// Id of the brief, such as PR-2026-0301-001
    id: String,
    /// Also print the full texts of its sources
    #[arg(long)]
    full_text: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

const FACTS: [Column; 12] = [
    column("id", "id", Kind::Name),
    column("category", "category", Kind::Word),
    column("published_at", "published", Kind::Time),
    column("updated_at", "updated", Kind::Time),
    column("last_updated_label", "last change", Kind::Text),
    column("confidence_score", "confidence", Kind::Number(2)),
    column("sentiment", "sentiment", Kind::Number(2)),
    column("bias_score", "bias", Kind::Number(2)),
    column("bias_analysis/direction", "direction", Kind::Word),
    column("provenance/review_status", "review", Kind::Word),
    column("entities", "about", Kind::Text),
    column("tags", "tags", Kind::Text),
];

const SOURCES: [Column; 4] = [
    column("name", "SOURCE", Kind::Text),
    column("trust_level", "TRUST", Kind::Word),
    column("published_at", "PUBLISHED", Kind::Time).if_room(),
    // Not wrapped: in two pieces it could not be followed.
    column("url", "ADDRESS", Kind::Name),
];

impl ShowBrief {
    pub(crate) fn check(&self) -> Result<()> {
        self.common.refuse_csv("a brief")
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let mut query = query.to_vec();
        if self.full_text {
            query.push(("include_full_text", "true".to_owned()));
        }
        let answer = service.get(&["brief", &self.id], &query).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let brief = answer.value.get("brief").unwrap_or(&answer.value);
        print(&mut Page::new(terminal), brief)
    }
}

fn print(page: &mut Page<'_>, brief: &Value) -> Result<()> {
    page.title(text(brief, "headline"))?;
    page.facts(brief, &FACTS)?;
    page.text(text(brief, "summary"))?;
    let body = text(brief, "body");
    if body != text(brief, "summary") && !body.is_empty() {
        page.text(body)?;
    }
    let doubt = text(brief, "counter_argument");
    if !doubt.is_empty() {
        page.title("On the other hand")?;
        page.text(doubt)?;
    }
    let sources = rows(brief, "sources");
    if !sources.is_empty() {
        page.table(&SOURCES, sources, "")?;
    }
    for source in rows(brief, "full_text") {
        page.title(&format!(
            "{}: {}",
            text(source, "source"),
            text(source, "title")
        ))?;
        page.text(text(source, "text"))?;
    }
    if brief.get("simulated").is_some_and(|is| is == true) {
        page.remark("simulated: this brief is from the demo world");
    }
    Ok(())
}
