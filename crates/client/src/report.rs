//! `assay report`: orders a report, shows how far it has come, and prints it.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use crate::command::Common;
use crate::error::{Error, Result};
use crate::markdown::Markdown;
use crate::page::{Page, rows, text};
use crate::plain;
use crate::service::{Query, Service};
use crate::terminal::Terminal;
use crate::view::print_json;

/// How often it is asked for, and how often at most: a deep report takes seconds, a queue may take longer.
const PAUSE: Duration = Duration::from_millis(300);
const MOST_ASKED: u32 = 2_000;

/// `assay report`
#[derive(Debug, Args)]
pub struct Report {
    /// Symbol of a share, fund or coin
    #[arg(value_name = "TICKER")]
    ticker: String,
    /// How deep: quick (10 credits), full (250) or deep (1000)
    #[arg(long, value_name = "TIER", default_value = "quick", value_parser = ["quick", "full", "deep"])]
    tier: String,
    /// Open the page of the report in a browser, and print its address
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Report {
    pub(crate) fn check(&self) -> Result<()> {
        if self.ticker.trim().is_empty() {
            return Err(Error::Usage("the ticker is empty".to_owned()));
        }
        self.common.refuse_csv("a report")
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let body = json!({"ticker": self.ticker.trim(), "tier": self.tier});
        let ordered = service.post(&["reports", "generate"], query, &body).await?;
        let id = text(&ordered.value, "report_id").to_owned();
        if !self.common.wants_json() {
            let credits = ordered
                .value
                .get("credits_charged")
                .and_then(Value::as_u64)
                .unwrap_or_default();
            Page::new(terminal).remark(&format!("{id}: {} report, {credits} credits", self.tier));
        }
        let mut told = 0;
        for _ in 0..MOST_ASKED {
            let answer = service.get(&["reports", &id], query).await?;
            let report = answer.value.get("report").unwrap_or(&Value::Null);
            if !self.common.wants_json() {
                told = progress(terminal, report, told);
            }
            match text(report, "status") {
                "complete" => return self.print(terminal, &answer.text, report),
                "failed" => {
                    let reason = text(report, "reason");
                    return Err(Error::Refused {
                        status: 500,
                        message: format!("the report failed and was refunded: {reason}"),
                        retry_after: None,
                        suggestions: Vec::new(),
                    });
                }
                _ => tokio::time::sleep(PAUSE).await,
            }
        }
        Err(Error::TimedOut(id))
    }

    fn print(&self, terminal: &mut Terminal, whole: &str, report: &Value) -> Result<()> {
        if self.common.wants_json() {
            return print_json(terminal, whole);
        }
        let mut markdown = Markdown::new(terminal.width(), terminal.has_colours());
        let said = report
            .get("markdown")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let shown = markdown.push(said);
        terminal.write(&shown)?;
        let rest = markdown.finish();
        terminal.write(&rest)?;
        if self.open {
            let url = text(report, "url");
            terminal.say("")?;
            terminal.say(&plain::line(url))?;
            open(url);
        }
        Ok(())
    }
}

/// Tells the steps that are done since the last look; how many that makes.
fn progress(terminal: &mut Terminal, report: &Value, told: usize) -> usize {
    let Some(progress) = report.get("progress") else {
        return told;
    };
    let total = progress
        .get("total")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    let done: Vec<&Value> = rows(progress, "steps")
        .iter()
        .filter(|step| text(step, "status") == "complete")
        .collect();
    for (place, step) in done.iter().enumerate().skip(told) {
        let line = format!(
            "{} of {total} {}: {}",
            place + 1,
            text(step, "name").replace('_', " "),
            text(step, "summary")
        );
        Page::new(terminal).remark(line.trim_end_matches([':', ' ']));
    }
    done.len()
}

/// Opens an address of the web in the browser of this desktop, where there is one; whoever has none has the printed address.
fn open(url: &str) {
    if !(url.starts_with("http://") || url.starts_with("https://")) {
        return;
    }
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let _ = std::process::Command::new(opener)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
}
