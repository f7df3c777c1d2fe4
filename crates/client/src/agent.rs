//! `assay agent`: the agents of the marketplace, and a run with its steps as they are done.

use clap::{Args, Subcommand};
use serde_json::{Map, Value};

use crate::cell::Kind;
use crate::command::{Common, add};
use crate::error::{Error, Result};
use crate::markdown::Markdown;
use crate::page::{Page, rows, text};
use crate::service::{Query, Service};
use crate::table::{self, Column, column};
use crate::terminal::Terminal;
use crate::view::print_json;

/// `assay agent`
#[derive(Debug, Args)]
pub struct Agent {
    #[command(subcommand)]
    work: Work,
}

#[derive(Debug, Subcommand)]
enum Work {
    /// List the agents of the marketplace
    List(List),
    /// Run an agent, with its steps as they are done
    Run(Run),
}

/// `assay agent list`
#[derive(Debug, Args)]
struct List {
    /// Words that an agent must contain
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// Only this category, such as trading or crypto
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,
    /// Order
    #[arg(long, value_name = "ORDER", value_parser = ["runs", "rating", "newest"])]
    sort: Option<String>,
    /// Agents at most
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    #[command(flatten)]
    common: Common,
}

/// `assay agent run`
#[derive(Debug, Args)]
struct Run {
    /// The agent, such as morning-brief
    slug: String,
    #[arg(
        value_name = "KEY=VALUE",
        help = "Inputs, such as ticker=NVDA, days=30 or tickers=NVDA,AAPL"
    )]
    inputs: Vec<String>,
    /// Most credits that the run may cost
    #[arg(long, value_name = "CREDITS")]
    budget: Option<u32>,
    /// Webhook of the account that gets what comes of the run
    #[arg(long, value_name = "ID")]
    deliver_to: Option<String>,
    #[command(flatten)]
    common: Common,
}

const AGENTS: [Column; 6] = [
    column("slug", "AGENT", Kind::Name),
    column("category", "CATEGORY", Kind::Word),
    column("credit_cost", "CREDITS", Kind::Count),
    column("run_count", "RUNS", Kind::Count).if_room(),
    column("avg_rating", "RATING", Kind::Number(1)).if_room(),
    column("description", "WHAT IT DOES", Kind::Text),
];

impl Agent {
    pub(crate) const fn common(&self) -> &Common {
        match &self.work {
            Work::List(list) => &list.common,
            Work::Run(run) => &run.common,
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        match &self.work {
            Work::List(_) => Ok(()),
            Work::Run(run) => {
                run.given()?;
                run.common.refuse_csv("a run")
            }
        }
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        match &self.work {
            Work::List(list) => list.run(service, terminal).await,
            Work::Run(run) => run.run(service, terminal, query).await,
        }
    }
}

impl List {
    async fn run(&self, service: &Service, terminal: &mut Terminal) -> Result<()> {
        let mut query = Vec::new();
        let words = Some(self.words.join(" ")).filter(|words| !words.is_empty());
        add(&mut query, "q", words.as_ref());
        add(&mut query, "category", self.category.as_ref());
        add(&mut query, "sort", self.sort.as_ref());
        add(&mut query, "limit", Some(self.limit.unwrap_or(50)).as_ref());
        let answer = service.get(&["agents"], &query).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let agents = rows(&answer.value, "agents");
        if self.common.wants_csv() {
            terminal.write(&table::csv(&AGENTS, agents)?)?;
            return Ok(());
        }
        Page::new(terminal).table(&AGENTS, agents, "no agent fits")
    }
}

impl Run {
    /// The inputs as words; what they mean is known where the agent is.
    fn given(&self) -> Result<Vec<(&str, &str)>> {
        let pairs = self.inputs.iter().map(|pair| {
            pair.split_once('=')
                .filter(|(name, _)| !name.is_empty())
                .ok_or_else(|| Error::Usage(format!("{pair:?} is no input: write KEY=VALUE")))
        });
        pairs.collect()
    }

    async fn run(&self, service: &Service, terminal: &mut Terminal, query: &Query) -> Result<()> {
        let detail = service.get(&["agents", &self.slug], &[]).await?;
        let properties = detail.value.pointer("/agent/input_schema/properties");
        let mut inputs = Map::new();
        for (name, value) in self.given()? {
            let schema = properties
                .and_then(|all| all.get(name))
                .unwrap_or(&Value::Null);
            inputs.insert(name.to_owned(), typed(schema, value));
        }
        let mut body = Map::new();
        body.insert("inputs".to_owned(), Value::Object(inputs));
        if let Some(budget) = self.budget {
            body.insert("budget".to_owned(), budget.into());
        }
        if let Some(target) = &self.deliver_to {
            body.insert("delivery_target_id".to_owned(), target.as_str().into());
        }
        let (path, body) = (["agents", "run", self.slug.as_str()], Value::Object(body));
        if self.common.wants_json() {
            let answer = service.post_for_json(&path, query, &body).await?;
            return print_json(terminal, &answer.text);
        }
        let mut events = service.post_for_events(&path, query, &body).await?;
        while let Some(event) = events.next().await? {
            let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
            match event.name.as_str() {
                "step" => step(terminal, &data),
                "complete" => return complete(terminal, &data),
                "error" => {
                    return Err(Error::Refused {
                        status: data["code"]
                            .as_u64()
                            .and_then(|code| u16::try_from(code).ok())
                            .unwrap_or(500),
                        message: Kind::Text.shown(&data["message"]),
                        retry_after: None,
                        suggestions: Vec::new(),
                    });
                }
                // Events of a later version.
                _ => {}
            }
        }
        Err(Error::BrokenOff(None))
    }
}

/// A value as the agent takes it; what does not fit is sent as it is, so that the server says what is wrong.
fn typed(schema: &Value, text: &str) -> Value {
    match text_of(schema, "type") {
        "integer" | "number" | "boolean" => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        "array" => text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(|item| typed(&schema["items"], item))
            .collect(),
        _ => text.into(),
    }
}

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or("string")
}

/// `prices: 2 of 3 (2 credits, 12 ms)`.
fn step(terminal: &mut Terminal, data: &Value) {
    let name = Kind::Word.shown(&data["name"]);
    let said = match text(data, "reason") {
        "" => Kind::Text.shown(&data["summary"]),
        _ => format!(
            "{}: {}",
            text(data, "status"),
            Kind::Text.shown(&data["reason"])
        ),
    };
    let said: String = said.chars().take(160).collect();
    let credits = data["credits"].as_u64().filter(|credits| *credits > 0);
    let cost = credits.map_or_else(String::new, |credits| format!(" · credits {credits}"));
    Page::new(terminal).remark(&format!("{name}: {said}{cost}"));
}

fn complete(terminal: &mut Terminal, data: &Value) -> Result<()> {
    let mut markdown = Markdown::new(terminal.width(), terminal.has_colours());
    let summary = data["output"]["summary"].as_str().unwrap_or_default();
    let shown = markdown.push(summary);
    terminal.write(&shown)?;
    let shown = markdown.finish();
    terminal.write(&shown)?;
    let line = format!(
        "{} · {} · credits {} · {} ms",
        Kind::Name.shown(&data["run_id"]),
        Kind::Word.shown(&data["status"]),
        Kind::Count.shown(&data["credits_used"]),
        Kind::Count.shown(&data["duration_ms"]),
    );
    Page::new(terminal).remark(&line);
    if text(data, "status") == "failed" {
        return Err(Error::Refused {
            status: 200,
            message: "the run failed: a step without which it makes no sense gave nothing"
                .to_owned(),
            retry_after: None,
            suggestions: Vec::new(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_become_what_the_agent_takes() {
        let list = json!({"type": "array", "items": {"type": "string"}});
        assert_eq!(typed(&list, "NVDA, AAPL,"), json!(["NVDA", "AAPL"]));
        assert_eq!(typed(&json!({"type": "integer"}), "30"), json!(30));
        assert_eq!(typed(&json!({"type": "integer"}), "many"), json!("many"));
        assert_eq!(typed(&json!({"type": "string"}), "30"), json!("30"));
        assert_eq!(typed(&Value::Null, "x"), json!("x"));
    }
}
