//! `assay verify`: a claim, with the verdict on it and what it rests on.
//!
//! Whether a claim holds is an answer, not a failure: the exit status says only whether there is an answer.

use clap::Args;
use serde_json::{Map, Value};

use crate::cell::Kind;
use crate::command::Common;
use crate::error::{Error, Result};
use crate::page::{Page, rows, text};
use crate::service::{Query, Service};
use crate::table::{self, Column, column};
use crate::terminal::Terminal;
use crate::view::print_json;

/// `assay verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// The claim, such as: Apple closed above $200 on 14 March
    #[arg(required = true, value_name = "CLAIM")]
    words: Vec<String>,
    /// Only news of this category, such as markets or tech
    #[arg(long, value_name = "SLUG")]
    category: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

const FACTS: [Column; 6] = [
    column("verdict", "verdict", Kind::Word),
    column("reason", "reason", Kind::Word),
    column("confidence", "confidence", Kind::Number(2)),
    column("sources_analyzed", "sources", Kind::Count),
    column("source", "decided by", Kind::Word),
    column("receipt_id", "receipt", Kind::Name),
];

const EVIDENCE: [Column; 8] = [
    column("position", "POSITION", Kind::Word),
    column("strength", "STRENGTH", Kind::Number(2)).if_room(),
    column("source", "SOURCE", Kind::Text),
    column("published", "PUBLISHED", Kind::Time).if_room(),
    column("snippet", "SAYS", Kind::Text),
    column("kind", "KIND", Kind::Word).in_csv(),
    column("brief_id", "BRIEF", Kind::Name).in_csv(),
    column("url", "ADDRESS", Kind::Name).in_csv(),
];

impl Verify {
    pub(crate) fn check(&self) -> Result<()> {
        if self.claim().is_empty() {
            return Err(Error::Usage("the claim is empty".to_owned()));
        }
        Ok(())
    }

    fn claim(&self) -> String {
        self.words.join(" ").trim().to_owned()
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let mut body = Map::new();
        body.insert("claim".to_owned(), self.claim().into());
        if let Some(category) = &self.category {
            body.insert("context".to_owned(), category.as_str().into());
        }
        let answer = service
            .post(&["verify"], query, &Value::Object(body))
            .await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let evidence = rows(&answer.value, "evidence_chain");
        if self.common.wants_csv() {
            return Ok(terminal.write(&table::csv(&EVIDENCE, evidence)?)?);
        }
        print(&mut Page::new(terminal), &answer.value, evidence)
    }
}

fn print(page: &mut Page<'_>, answer: &Value, evidence: &[Value]) -> Result<()> {
    page.title(text(answer, "claim"))?;
    page.facts(answer, &FACTS)?;
    page.lines([text(answer, "summary"), text(answer, "nuances")])?;
    if let Some(ahead) = answer
        .pointer("/look_ahead/message")
        .and_then(Value::as_str)
    {
        page.lines([ahead])?;
    }
    if !evidence.is_empty() {
        page.table(&EVIDENCE, evidence, "")?;
    }
    if let Some(credits) = answer.get("credits_used") {
        page.remark(&format!("credits {}", Kind::Count.shown(credits)));
    }
    Ok(())
}
