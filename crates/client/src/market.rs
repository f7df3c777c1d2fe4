//! `assay market`: the market as a whole.

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::cell::Kind;
use crate::command::{Common, add};
use crate::error::{Error, Result};
use crate::page::{Page, rows};
use crate::service::{Query, Service};
use crate::session::Sessions;
use crate::table::{self, Column, column};
use crate::terminal::Terminal;
use crate::view::{Rows, View, print_json};

/// `assay market`
#[derive(Debug, Args)]
pub struct Market {
    /// What to show
    #[arg(value_enum, default_value_t = MarketView::Summary)]
    view: MarketView,
    /// Number of coins: crypto
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Days back: sectors
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A part of the market.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MarketView {
    /// Top gainers, top losers and most active shares
    Movers,
    /// The levels of five US indices
    Summary,
    /// Sectors by number of briefs
    Sectors,
    /// Economic indicators
    Economy,
    /// US Treasury yields
    Yields,
    /// Currency pairs
    Forex,
    /// Commodities
    Commodities,
    /// The largest coins
    Crypto,
}

impl MarketView {
    const fn path(self) -> &'static [&'static str] {
        match self {
            Self::Movers => &["market", "movers"],
            Self::Summary => &["market", "summary"],
            Self::Sectors => &["sectors"],
            Self::Economy => &["economy"],
            Self::Yields => &["economy", "yields"],
            Self::Forex => &["forex"],
            Self::Commodities => &["commodities"],
            Self::Crypto => &["crypto", "top"],
        }
    }

    /// How it is printed; movers are three tables and printed on their own.
    const fn layout(self) -> View {
        let (key, columns): (&'static str, &'static [Column]) = match self {
            Self::Movers => ("gainers", &MOVERS),
            Self::Summary => ("indices", &INDICES),
            Self::Sectors => ("sectors", &SECTORS),
            Self::Economy => ("indicators", &ECONOMY),
            Self::Yields => ("yields", &YIELDS),
            Self::Forex => ("pairs", &PAIRS),
            Self::Commodities => ("commodities", &COMMODITIES),
            Self::Crypto => ("tokens", &COINS),
        };
        View {
            facts: match self {
                Self::Yields => &CURVE,
                _ => &[],
            },
            rows: Some(Rows {
                key,
                columns,
                empty: "nothing is known",
            }),
        }
    }
}

const LISTS: [(&str, &str); 3] = [
    ("gainers", "Gainers"),
    ("losers", "Losers"),
    ("most_active", "Most active"),
];

const MOVERS: [Column; 5] = [
    column("symbol", "SYMBOL", Kind::Name),
    column("name", "NAME", Kind::Text),
    column("price", "PRICE", Kind::Price),
    column("change_pct", "CHANGE", Kind::Change),
    column("volume", "VOLUME", Kind::Count),
];

/// The same in a file, where one table holds all lists.
const MOVERS_IN_ONE: [Column; 6] = [
    column("list", "LIST", Kind::Word),
    MOVERS[0],
    MOVERS[1],
    MOVERS[2],
    MOVERS[3],
    MOVERS[4],
];

const INDICES: [Column; 5] = [
    column("symbol", "SYMBOL", Kind::Name),
    column("name", "INDEX", Kind::Text),
    column("price", "LEVEL", Kind::Price),
    column("change_pct", "CHANGE", Kind::Change),
    column("date", "SESSION", Kind::Name).if_room(),
];

const SECTORS: [Column; 5] = [
    column("sector", "SECTOR", Kind::Text),
    column("brief_count", "BRIEFS", Kind::Count),
    column("avg_sentiment", "SENTIMENT", Kind::Number(2)),
    column("signal", "SIGNAL", Kind::Word),
    column("top_ticker", "TOP", Kind::Name),
];

const ECONOMY: [Column; 6] = [
    column("slug", "INDICATOR", Kind::Name),
    column("name", "NAME", Kind::Text),
    column("latest_value", "VALUE", Kind::Price),
    column("unit", "UNIT", Kind::Text).if_room(),
    column("latest_date", "OF", Kind::Name),
    column("series_id", "SERIES", Kind::Name).if_room(),
];

const CURVE: [Column; 2] = [
    column("spread_10y_2y", "10-year less 2-year", Kind::Number(2)),
    column("inverted", "inverted", Kind::Word),
];

const YIELDS: [Column; 4] = [
    column("maturity", "MATURITY", Kind::Name),
    column("name", "NAME", Kind::Text),
    column("yield_pct", "YIELD", Kind::Percent),
    column("date", "OF", Kind::Name),
];

const PAIRS: [Column; 5] = [
    column("pair", "PAIR", Kind::Name),
    column("label", "NAME", Kind::Text),
    column("rate", "RATE", Kind::Number(4)),
    column("change_pct", "CHANGE", Kind::Change),
    column("date", "OF", Kind::Name).if_room(),
];

const COMMODITIES: [Column; 6] = [
    column("symbol", "SYMBOL", Kind::Name),
    column("name", "NAME", Kind::Text),
    column("price", "PRICE", Kind::Price),
    column("unit", "UNIT", Kind::Text),
    column("change_pct", "CHANGE", Kind::Change),
    column("date", "OF", Kind::Name).if_room(),
];

const COINS: [Column; 7] = [
    column("market_cap_rank", "#", Kind::Count),
    column("symbol", "SYMBOL", Kind::Name),
    column("name", "NAME", Kind::Text),
    column("price", "PRICE USD", Kind::Price),
    column("change_24h", "24 H", Kind::Change),
    column("change_7d", "7 D", Kind::Change),
    column("market_cap_formatted", "VALUE", Kind::Name),
];

impl Market {
    pub(crate) fn check(&self) -> Result<()> {
        let misplaced = match self.view {
            MarketView::Crypto => self.days.map(|_| "days"),
            MarketView::Sectors => self.limit.map(|_| "limit"),
            _ => self
                .limit
                .map(|_| "limit")
                .or_else(|| self.days.map(|_| "days")),
        };
        match misplaced {
            Some(option) => Err(Error::Usage(format!("--{option} does not apply here"))),
            None => Ok(()),
        }
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let mut query = query.to_vec();
        add(&mut query, "limit", self.limit.as_ref());
        add(&mut query, "days", self.days.as_ref());
        let path = self.view.path();
        if self.view != MarketView::Movers {
            let to = (service, terminal);
            return self.view.layout().run(to, &self.common, path, &query).await;
        }
        let answer = service.get(path, &query).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        if self.common.wants_csv() {
            let csv = table::csv(&MOVERS_IN_ONE, &in_one(&answer.value))?;
            return Ok(terminal.write(&csv)?);
        }
        let mut page = Page::new(terminal);
        let all = LISTS.iter().flat_map(|(key, _)| rows(&answer.value, key));
        let sessions = Sessions::of(all);
        page.lines(sessions.line().as_deref())?;
        let columns = sessions.columns(&MOVERS);
        for (key, title) in LISTS {
            page.title(title)?;
            page.table(&columns, rows(&answer.value, key), "none")?;
        }
        page.issues(&answer.value);
        Ok(())
    }
}

/// The rows of all lists, each with the name of its list.
fn in_one(answer: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for (key, _) in LISTS {
        for row in rows(answer, key) {
            let mut row = row.clone();
            if let Some(fields) = row.as_object_mut() {
                fields.insert("list".to_owned(), Value::from(key));
            }
            all.push(row);
        }
    }
    all
}
