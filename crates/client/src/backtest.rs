//! `assay backtest`: a strategy tried on the past.

use clap::Args;
use serde_json::{Map, Value, json};

use crate::cell::Kind;
use crate::command::Common;
use crate::error::Result;
use crate::filter::{self, Filter};
use crate::page::{Page, rows};
use crate::service::{Query, Service};
use crate::table::{self, Column, column};
use crate::terminal::Terminal;
use crate::view::print_json;

/// Trades that people are shown; files have them all.
const SHOWN: usize = 20;

/// `assay backtest`
#[derive(Debug, Args)]
pub struct Backtest {
    #[arg(
        long,
        value_name = "KEY=VALUE",
        required = true,
        help = "Buy where this holds, such as rsi_below=30; all that are given must"
    )]
    entry: Vec<Filter>,
    #[arg(
        long,
        value_name = "KEY=VALUE",
        required = true,
        help = "Sell where this holds, such as rsi_above=60 or stop_loss_pct=8; one of those given is enough"
    )]
    exit: Vec<Filter>,
    /// The past to try it on
    #[arg(long, value_name = "PERIOD", value_parser = ["6mo", "1y", "2y"])]
    period: Option<String>,
    /// How often entries are judged
    #[arg(long, value_name = "PACE", value_parser = ["weekly", "monthly"])]
    rebalance: Option<String>,
    /// Capital at the start in USD
    #[arg(long, value_name = "USD")]
    capital: Option<f64>,
    /// Most positions at a time
    #[arg(long, value_name = "N")]
    max_positions: Option<u32>,
    /// Fee of each purchase and sale in hundredths of a percent
    #[arg(long, value_name = "BPS")]
    fees_bps: Option<f64>,
    /// Only this sector
    #[arg(long, value_name = "SECTOR")]
    sector: Option<String>,
    /// Kind of instrument
    #[arg(long, value_name = "KIND", value_parser = ["equity", "etf", "crypto"])]
    asset_type: Option<String>,
    /// Print the equity curve as CSV instead of the trades
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    equity_csv: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

const PERFORMANCE: [Column; 13] = [
    column("settings/from", "from", Kind::Name),
    column("settings/to", "to", Kind::Name),
    column("settings/initial_capital", "capital", Kind::Count),
    column("settings/symbols", "symbols", Kind::Count),
    column("performance/total_return_pct", "total return", Kind::Change),
    column(
        "performance/annualized_return_pct",
        "return a year",
        Kind::Change,
    ),
    column("performance/sharpe_ratio", "Sharpe ratio", Kind::Number(2)),
    column(
        "performance/max_drawdown_pct",
        "largest fall",
        Kind::Percent,
    ),
    column("performance/win_rate", "trades that gained", Kind::Percent),
    column(
        "performance/profit_factor",
        "profit factor",
        Kind::Number(2),
    ),
    column("performance/total_trades", "trades", Kind::Count),
    column(
        "performance/avg_holding_days",
        "days held on average",
        Kind::Number(1),
    ),
    column("settings/fees_bps", "fees in bps", Kind::Number(1)),
];

const TRADES: [Column; 8] = [
    column("ticker", "TICKER", Kind::Name),
    column("entry_date", "BOUGHT", Kind::Name),
    column("entry_price", "AT", Kind::Price),
    column("exit_date", "SOLD", Kind::Name),
    column("exit_price", "AT", Kind::Price),
    column("return_pct", "RETURN", Kind::Change),
    column("exit_reason", "REASON", Kind::Word).if_room(),
    column("entry_reason", "BECAUSE", Kind::Text).if_room(),
];

const CURVE: [Column; 2] = [
    column("date", "DATE", Kind::Name),
    column("value", "VALUE", Kind::Price),
];

impl Backtest {
    pub(crate) fn check(&self) -> Result<()> {
        self.body().map(|_| ())
    }

    fn body(&self) -> Result<Value> {
        let mut strategy = Map::new();
        strategy.insert("entry_filters".to_owned(), filter::object(&self.entry)?);
        strategy.insert("exit_filters".to_owned(), filter::object(&self.exit)?);
        let mut put = |name: &str, value: &Option<String>| {
            if let Some(value) = value {
                strategy.insert(name.to_owned(), value.as_str().into());
            }
        };
        put("sector", &self.sector);
        put("asset_type", &self.asset_type);
        let mut body = Map::new();
        body.insert("strategy".to_owned(), Value::Object(strategy));
        let settings = [
            ("period", self.period.as_ref().map(|word| json!(word))),
            ("rebalance", self.rebalance.as_ref().map(|word| json!(word))),
            ("initial_capital", self.capital.map(|usd| json!(usd))),
            ("max_positions", self.max_positions.map(|most| json!(most))),
            ("fees_bps", self.fees_bps.map(|fees| json!(fees))),
        ];
        for (name, value) in settings {
            if let Some(value) = value {
                body.insert(name.to_owned(), value);
            }
        }
        Ok(Value::Object(body))
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let answer = service.post(&["backtest"], query, &self.body()?).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let trades = rows(&answer.value, "trades");
        if self.common.wants_csv() {
            return Ok(terminal.write(&table::csv(&TRADES, trades)?)?);
        }
        if self.equity_csv {
            let curve = rows(&answer.value, "equity_curve");
            return Ok(terminal.write(&table::csv(&CURVE, curve)?)?);
        }
        let mut page = Page::new(terminal);
        page.facts(&answer.value, &PERFORMANCE)?;
        let last = trades.get(trades.len().saturating_sub(SHOWN)..);
        page.table(&TRADES, last.unwrap_or_default(), "no trades")?;
        if trades.len() > SHOWN {
            page.remark(&format!(
                "the last {SHOWN} of {} trades; --csv prints them all, --equity-csv the value of each day",
                trades.len()
            ));
        }
        page.issues(&answer.value);
        Ok(())
    }
}
