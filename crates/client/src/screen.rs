//! `assay screen`: symbols that satisfy a sentence or filters.

use clap::Args;
use serde_json::{Map, Value};

use crate::cell::Kind;
use crate::command::Common;
use crate::error::{Error, Result};
use crate::filter::{self, Filter};
use crate::page::{Page, rows};
use crate::service::{Query, Service};
use crate::session::Sessions;
use crate::table::{self, Column, column};
use crate::terminal::Terminal;
use crate::view::print_json;

/// `assay screen`
#[derive(Debug, Args)]
pub struct Screen {
    /// What to look for, such as: oversold tech stocks above their 200-day average
    #[arg(value_name = "SENTENCE")]
    words: Vec<String>,
    #[arg(
        long,
        value_name = "KEY=VALUE",
        conflicts_with = "words",
        help = "A filter such as rsi_below=30 or macd_bullish; all that are given must hold"
    )]
    filter: Vec<Filter>,
    /// Order of the matches
    #[arg(long, value_name = "ORDER", value_parser = ["sentiment", "rsi", "pe_ratio", "market_cap", "volume", "dividend_yield", "change_ytd", "change_1y", "revenue_growth", "eps_growth", "profit_margin", "debt_to_equity", "price"])]
    sort: Option<String>,
    /// Which end of the order comes first: asc for the lowest value, desc for the highest
    #[arg(long, value_name = "DIRECTION", value_parser = ["asc", "desc"])]
    order: Option<String>,
    /// Number of matches, up to 50
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    limit: Option<u32>,
    /// Only this sector
    #[arg(long, value_name = "SECTOR")]
    sector: Option<String>,
    /// Kind of instrument
    #[arg(long, value_name = "KIND", value_parser = ["equity", "etf", "crypto"])]
    asset_type: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

const MATCHES: [Column; 11] = [
    column("ticker", "TICKER", Kind::Name),
    column("entity_name", "NAME", Kind::Text),
    column("sector", "SECTOR", Kind::Text).if_room(),
    column("price", "PRICE", Kind::Price),
    column("change_pct", "CHANGE", Kind::Change),
    column("rsi_14", "RSI", Kind::Number(1)),
    column("sentiment_score", "SENTIMENT", Kind::Number(2)),
    column("pe_ratio", "P/E", Kind::Number(1)).if_room(),
    column("market_cap_b", "VALUE BN", Kind::Number(1)).if_room(),
    column("sort_value", "SORTED BY", Kind::Number(2)).in_csv(),
    column("match_reasons", "REASONS", Kind::Text).in_csv(),
];

impl Screen {
    pub(crate) fn check(&self) -> Result<()> {
        if self.sentence().is_empty() && self.filter.is_empty() {
            return Err(Error::Usage(
                "say what to look for, in words or with --filter KEY=VALUE".to_owned(),
            ));
        }
        filter::object(&self.filter).map(|_| ())
    }

    fn sentence(&self) -> String {
        self.words.join(" ").trim().to_owned()
    }

    fn body(&self) -> Result<Value> {
        let mut body = Map::new();
        if self.filter.is_empty() {
            body.insert("query".to_owned(), self.sentence().into());
        } else {
            body.insert("filters".to_owned(), filter::object(&self.filter)?);
        }
        let given = [
            ("sort", &self.sort),
            ("order", &self.order),
            ("sector", &self.sector),
            ("asset_type", &self.asset_type),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                body.insert(name.to_owned(), value.as_str().into());
            }
        }
        if let Some(limit) = self.limit {
            body.insert("limit".to_owned(), limit.into());
        }
        Ok(Value::Object(body))
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let path: &[&str] = if self.filter.is_empty() {
            &["screener", "natural"]
        } else {
            &["screener"]
        };
        let answer = service.post(path, query, &self.body()?).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let matches = rows(&answer.value, "matches");
        if self.common.wants_csv() {
            return Ok(terminal.write(&table::csv(&MATCHES, matches)?)?);
        }
        print(&mut Page::new(terminal), &answer.value, matches)
    }
}

fn print(page: &mut Page<'_>, answer: &Value, matches: &[Value]) -> Result<()> {
    let explanation = rows(answer, "explanation");
    if !explanation.is_empty() {
        page.lines(explanation.iter().filter_map(Value::as_str))?;
    }
    let sessions = Sessions::of(matches);
    page.lines(sessions.line().as_deref())?;
    page.table(&sessions.columns(&MATCHES), matches, "nothing matches")?;
    let unknown: Vec<String> = rows(answer, "not_understood")
        .iter()
        .map(|word| Kind::Text.shown(word))
        .collect();
    if !unknown.is_empty() {
        page.remark(&format!("not understood: {}", unknown.join(", ")));
    }
    if let (Some(total), Some(scanned)) = (answer.get("total_matches"), answer.get("total_scanned"))
    {
        page.remark(&format!(
            "{} of {} matches, {} symbols compared",
            matches.len(),
            Kind::Count.shown(total),
            Kind::Count.shown(scanned)
        ));
    }
    page.issues(answer);
    Ok(())
}
