//! `assay ticker`: one symbol from several sides.

mod views;

use clap::{Args, ValueEnum};

use crate::command::{Common, add};
use crate::error::{Error, Result};
use crate::page::Page;
use crate::service::{Query, Service};
use crate::table;
use crate::terminal::Terminal;
use crate::view::{View, print_json};

/// `assay ticker`
#[derive(Debug, Args)]
pub struct Ticker {
    /// Symbol, such as AAPL, BRK.B or BTC
    symbol: String,
    /// What to show
    #[arg(long, value_enum, default_value_t = TickerView::Overview)]
    view: TickerView,
    /// Number of entries: news, insider, filings, institutions
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Days back: news, insider, history
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    /// How far back: candles, and technicals up to a year
    #[arg(long, value_name = "RANGE", value_parser = ["1mo", "3mo", "6mo", "1y", "2y", "5y"])]
    range: Option<String>,
    /// Sessions, weeks or months: candles
    #[arg(long, value_name = "INTERVAL", value_parser = ["1d", "1wk", "1mo"])]
    interval: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A side of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TickerView {
    /// Name, sector, sentiment and price
    Overview,
    /// The latest price
    Price,
    /// Twenty indicators and what they say together
    Technicals,
    /// The next report and its estimates
    Earnings,
    /// Key figures of the company
    Financials,
    /// Briefs that mention it
    News,
    /// Trades of insiders
    Insider,
    /// Filings
    Filings,
    /// Ratings and price targets
    Analysts,
    /// Institutions that hold it
    Institutions,
    /// Prices by day, week or month
    Candles,
    /// Daily sentiment
    History,
    /// Companies of the same sector
    Competitors,
}

impl TickerView {
    /// What follows the symbol in the path.
    const fn path(self) -> Option<&'static str> {
        Some(match self {
            Self::Overview => return None,
            Self::Price => "price",
            Self::Technicals => "technicals",
            Self::Earnings => "earnings",
            Self::Financials => "financials",
            Self::News => "news",
            Self::Insider => "insider",
            Self::Filings => "filings",
            Self::Analysts => "analysts",
            Self::Institutions => "institutions",
            Self::Candles => "candles",
            Self::History => "history",
            Self::Competitors => "competitors",
        })
    }

    /// The options that mean something to it.
    const fn takes(self) -> &'static [&'static str] {
        match self {
            Self::News | Self::Insider => &["limit", "days"],
            Self::Filings | Self::Institutions => &["limit"],
            Self::History => &["days"],
            Self::Technicals => &["range"],
            Self::Candles => &["range", "interval"],
            Self::Overview
            | Self::Price
            | Self::Earnings
            | Self::Financials
            | Self::Analysts
            | Self::Competitors => &[],
        }
    }

    fn name(self) -> String {
        self.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }
}

impl Ticker {
    pub(crate) fn check(&self) -> Result<()> {
        let name = self.view.name();
        for (option, _) in self.options() {
            if !self.view.takes().contains(&option) {
                return Err(Error::Usage(format!(
                    "--{option} does not apply to --view {name}"
                )));
            }
        }
        let has_rows = self.view == TickerView::Technicals;
        if has_rows {
            return Ok(());
        }
        self.layout().check(&self.common, &format!("--view {name}"))
    }

    /// The options that were given, as parameters.
    fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = Vec::new();
        add(&mut options, "limit", self.limit.as_ref());
        add(&mut options, "days", self.days.as_ref());
        add(&mut options, "range", self.range.as_ref());
        add(&mut options, "interval", self.interval.as_ref());
        options
    }

    const fn layout(&self) -> View {
        views::of(self.view)
    }

    pub(crate) async fn run(
        &self,
        service: &Service,
        terminal: &mut Terminal,
        query: &Query,
    ) -> Result<()> {
        let mut query = query.to_vec();
        query.extend(self.options());
        let mut path = vec!["ticker", self.symbol.trim()];
        path.extend(self.view.path());
        if self.view != TickerView::Technicals {
            let to = (service, terminal);
            return self.layout().run(to, &self.common, &path, &query).await;
        }
        let answer = service.get(&path, &query).await?;
        if self.common.wants_json() {
            return print_json(terminal, &answer.text);
        }
        let indicators = views::indicators(&answer.value);
        if self.common.wants_csv() {
            return Ok(terminal.write(&table::csv(&views::INDICATORS, &indicators)?)?);
        }
        let mut page = Page::new(terminal);
        self.layout().print(&mut page, &answer.value)?;
        page.table(&views::INDICATORS, &indicators, "no indicator has a value")
    }
}
