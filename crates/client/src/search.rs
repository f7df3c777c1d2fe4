//! `assay search`: briefs that match words.

use clap::Args;
use serde_json::Value;

use crate::cell::Kind;
use crate::command::{Common, add};
use crate::error::Result;
use crate::page::{Page, rows, text};
use crate::service::{Query, Service};
use crate::table::{self, Column, column};
use crate::terminal::Terminal;
use crate::view::print_json;

/// `assay search`
#[derive(Debug, Args)]
pub struct Search {
    /// Words, "phrases", -word, AND, OR and parentheses
    #[arg(required = true, value_name = "QUERY")]
    words: Vec<String>,
    /// Number of results, up to 50
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=50))]
    limit: u32,
    /// Page of results
    #[arg(long, value_name = "N")]
    page: Option<u32>,
    /// Only this category, such as markets or tech
    #[arg(long, value_name = "SLUG")]
    category: Option<String>,
    /// First day of publication, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// Last day of publication, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
    /// Order of the results
    #[arg(long, value_name = "ORDER", value_parser = ["relevance", "newest", "oldest", "confidence", "most_sources"])]
    sort: Option<String>,
    /// How thoroughly to search
    #[arg(long, value_name = "DEPTH", value_parser = ["fast", "standard", "deep"])]
    depth: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What lists of briefs show of each.
pub(crate) const BRIEFS: [Column; 8] = [
    column("id", "ID", Kind::Name),
    column("published_at", "PUBLISHED", Kind::Time),
    column("category", "CATEGORY", Kind::Word).if_room(),
    column("confidence_score", "CONF", Kind::Number(2)),
    column("source_count", "SOURCES", Kind::Count).if_room(),
    column("headline", "HEADLINE", Kind::Text),
    column("summary", "SUMMARY", Kind::Text).in_csv(),
    column("search_score", "SCORE", Kind::Number(2)).in_csv(),
];

impl Search {
    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let mut query = query.to_vec();
        query.push(("q", self.words.join(" ")));
        query.push(("per_page", self.limit.to_string()));
        add(&mut query, "page", self.page.as_ref());
        add(&mut query, "category", self.category.as_ref());
        add(&mut query, "from", self.from.as_ref());
        add(&mut query, "to", self.to.as_ref());
        add(&mut query, "sort", self.sort.as_ref());
        add(&mut query, "depth", self.depth.as_ref());
        let answer = service.get(&["search"], &query).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let briefs = rows(&answer.value, "briefs");
        if self.common.wants_csv() {
            return Ok(terminal.write(&table::csv(&BRIEFS, briefs)?)?);
        }
        print(&mut Page::new(terminal), &answer.value, briefs)
    }
}

fn print(page: &mut Page<'_>, answer: &Value, briefs: &[Value]) -> Result<()> {
    page.table(&BRIEFS, briefs, "nothing found")?;
    if let Some(total) = answer.get("total").filter(|total| total.is_number()) {
        let shown = Kind::Count.shown(total);
        let by_meaning = briefs
            .iter()
            .filter(|brief| brief.get("by_meaning").is_some_and(|is| is == true))
            .count();
        page.remark(&match by_meaning {
            0 => format!("{} of {shown} matches", briefs.len()),
            _ => format!(
                "{} of {shown} matches, and {by_meaning} that are similar in meaning",
                briefs.len() - by_meaning
            ),
        });
    }
    if let Some(newest) = answer.pointer("/meta/newest_available") {
        page.remark(&format!(
            "the newest brief is of {}",
            Kind::Time.shown(newest)
        ));
    }
    let related = rows(answer, "related_queries");
    if !related.is_empty() {
        let related: Vec<String> = related.iter().map(|one| Kind::Text.shown(one)).collect();
        page.remark(&format!("related: {}", related.join(" · ")));
    }
    if text(answer, "query").is_empty() {
        page.issues(answer);
    }
    Ok(())
}
