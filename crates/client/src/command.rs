//! The commands, what they have in common, and how one is run.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::agent::Agent;
use crate::ask::Ask;
use crate::backtest::Backtest;
use crate::brief::ShowBrief;
use crate::error::{Error, Result};
use crate::listen::Listen;
use crate::market::Market;
use crate::report::Report;
use crate::screen::Screen;
use crate::search::Search;
use crate::service::{Query, Service};
use crate::terminal::Terminal;
use crate::ticker::Ticker;
use crate::verify::Verify;

/// What a server is asked.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask a question in plain English
    Ask(Ask),
    /// Verify a claim against the news and the market data
    Verify(Verify),
    /// Search the news briefs
    Search(Search),
    /// Show a brief with its sources
    Brief(ShowBrief),
    /// Show what is known about a symbol
    Ticker(Ticker),
    /// Find symbols by a sentence or by filters
    Screen(Screen),
    /// Try a strategy on the past
    Backtest(Backtest),
    /// Show movers, indices, sectors, the economy, currencies, commodities and coins
    Market(Market),
    /// Order a report on a symbol and print it
    Report(Report),
    /// List the agents of the marketplace, and run one
    Agent(Agent),
    /// Print what happens as it happens, and receive messages of webhooks
    Listen(Listen),
}

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Address of the server; without it the data directory answers by itself
    #[arg(long, value_name = "URL", env = "ASSAY_URL")]
    url: Option<String>,
    /// API key; without it the demo key, where the server has one
    #[arg(
        long,
        value_name = "KEY",
        env = "ASSAY_API_KEY",
        hide_env_values = true
    )]
    api_key: Option<String>,
    /// Print the answer of the API as JSON
    #[arg(long)]
    json: bool,
    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Answer from what was known at this time, such as 2026-03-01T12:00:00Z
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    /// Data directory, where there is no URL [default: ./assay-data, else ./assay-demo]
    #[arg(long, value_name = "DIR", env = "ASSAY_DATA")]
    data: Option<PathBuf>,
    /// Configuration file of the data directory [default: assay.toml in it]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Common {
    /// The address of a server, where one is given.
    pub fn url(&self) -> Option<&str> {
        given(self.url.as_deref())
    }

    /// The API key, where one is given.
    pub fn api_key(&self) -> Option<&str> {
        given(self.api_key.as_deref())
    }

    /// The data directory, where one is given.
    pub fn data(&self) -> Option<&Path> {
        self.data
            .as_deref()
            .filter(|path| !path.as_os_str().is_empty())
    }

    /// The configuration file, where one is given.
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    pub(crate) const fn wants_json(&self) -> bool {
        self.json
    }

    pub(crate) const fn wants_csv(&self) -> bool {
        self.csv
    }

    /// The parameters of every operation.
    pub(crate) fn query(&self) -> Vec<(&'static str, String)> {
        let as_of = self.as_of.as_ref().map(|time| ("as_of", time.clone()));
        as_of.into_iter().collect()
    }

    /// An error where CSV is wanted of a command whose answer is no table.
    pub(crate) fn refuse_csv(&self, command: &str) -> Result<()> {
        if self.csv {
            return Err(Error::Usage(format!(
                "{command} is no table, so --csv does not apply; use --json"
            )));
        }
        Ok(())
    }
}

/// An empty variable of the environment counts as none.
fn given(value: Option<&str>) -> Option<&str> {
    value.map(str::trim).filter(|value| !value.is_empty())
}

/// Adds a parameter that was given.
pub(crate) fn add<T: ToString>(
    query: &mut Vec<(&'static str, String)>,
    name: &'static str,
    value: Option<&T>,
) {
    query.extend(value.map(|value| (name, value.to_string())));
}

impl Command {
    /// What it has in common with the others.
    pub const fn common(&self) -> &Common {
        match self {
            Self::Ask(command) => &command.common,
            Self::Verify(command) => &command.common,
            Self::Search(command) => &command.common,
            Self::Brief(command) => &command.common,
            Self::Ticker(command) => &command.common,
            Self::Screen(command) => &command.common,
            Self::Backtest(command) => &command.common,
            Self::Market(command) => &command.common,
            Self::Report(command) => &command.common,
            Self::Agent(command) => command.common(),
            Self::Listen(command) => &command.common,
        }
    }

    /// Finds what is wrong with the command line, before anything is opened or charged.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Ask(command) => command.check(),
            Self::Verify(command) => command.check(),
            Self::Brief(command) => command.check(),
            Self::Ticker(command) => command.check(),
            Self::Screen(command) => command.check(),
            Self::Backtest(command) => command.check(),
            Self::Market(command) => command.check(),
            Self::Report(command) => command.check(),
            Self::Agent(command) => command.check(),
            Self::Listen(command) => command.check(),
            Self::Search(_) => Ok(()),
        }
    }

    /// Asks the server and prints its answer.
    pub async fn run(&self, service: &Service, terminal: &mut Terminal) -> Result<()> {
        self.check()?;
        let query: &Query = &self.common().query();
        match self {
            Self::Ask(command) => command.run(service, terminal, query).await,
            Self::Verify(command) => command.run(service, terminal, query).await,
            Self::Search(command) => command.run(service, terminal, query).await,
            Self::Brief(command) => command.run(service, terminal, query).await,
            Self::Ticker(command) => command.run(service, terminal, query).await,
            Self::Screen(command) => command.run(service, terminal, query).await,
            Self::Backtest(command) => command.run(service, terminal, query).await,
            Self::Market(command) => command.run(service, terminal, query).await,
            Self::Report(command) => command.run(service, terminal, query).await,
            Self::Agent(command) => command.run(service, terminal, query).await,
            Self::Listen(command) => command.run(service, terminal).await,
        }
    }
}
