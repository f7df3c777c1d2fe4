//! The command line.

mod account;
mod client_command;
mod import;
mod maintenance;
mod receipt;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::data::DataDirectory;

/// Assay: intelligence and market data on your own machine.
#[derive(Debug, Parser)]
#[command(name = "assay", version, about, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// Data directory [default: ./assay-data, with --demo ./assay-demo]
    #[arg(long, value_name = "DIR", env = "ASSAY_DATA", global = true)]
    data: Option<PathBuf>,
    /// Configuration file [default: assay.toml in the data directory]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

impl Place {
    pub(crate) fn directory(&self, default: &str) -> anyhow::Result<DataDirectory> {
        let path = self.data.clone().unwrap_or_else(|| PathBuf::from(default));
        DataDirectory::new(path, self.config.as_deref())
    }

    /// The directory of a command that does not say which world: `./assay-data`, else `./assay-demo` where only that is.
    pub(crate) fn either(&self) -> anyhow::Result<DataDirectory> {
        let real = std::path::Path::new("assay-data");
        let demo = std::path::Path::new("assay-demo");
        self.directory(if !real.exists() && demo.exists() {
            "assay-demo"
        } else {
            "assay-data"
        })
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API
    Serve {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: crate::serve::ServeOptions,
    },
    /// Offer the tools to a model over standard input and output (Model Context Protocol)
    Mcp {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: crate::mcp::McpOptions,
    },
    /// Manage accounts
    User {
        #[command(flatten)]
        place: Place,
        #[command(subcommand)]
        command: account::UserCommand,
    },
    /// Manage API keys
    Key {
        #[command(flatten)]
        place: Place,
        #[command(subcommand)]
        command: account::KeyCommand,
    },
    /// Read files into the store
    Import {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: import::ImportArguments,
    },
    /// Check, export and replay receipts of verification
    Receipt {
        #[command(flatten)]
        place: Place,
        #[command(subcommand)]
        command: receipt::ReceiptCommand,
    },
    /// Rebuild the search index beside the old one, then swap them
    Reindex {
        #[command(flatten)]
        place: Place,
    },
    /// Remove old news and build the search index again
    Prune {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: crate::pruning::PruneOptions,
    },
    /// Write a consistent copy of the store to a file, also while it is served
    Backup {
        #[command(flatten)]
        place: Place,
        /// The file to write; must not exist
        file: PathBuf,
    },
    /// Show what the store holds
    Status {
        #[command(flatten)]
        place: Place,
    },
    /// Check the configuration, the store and the search index
    Doctor {
        #[command(flatten)]
        place: Place,
        /// Also fetch every configured feed once
        #[arg(long)]
        sources: bool,
    },
    /// Read pages from standard input for a server; started by the server itself
    #[command(hide = true)]
    PageWorker(crate::page_worker::PageWorker),
    /// Make the simulated world of a new data directory; started by the server itself
    #[command(hide = true)]
    DemoWorld {
        #[command(flatten)]
        place: Place,
    },
    #[command(flatten)]
    Client(client::Command),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: client::Shell,
    },
    /// Show the configuration in effect, with secrets masked
    Config {
        #[command(flatten)]
        place: Place,
        /// Show the commented defaults instead
        #[arg(long)]
        defaults: bool,
    },
}

impl Cli {
    /// The worker that this process shall be, which needs neither data nor runtime; else the command back.
    pub(crate) fn page_worker(self) -> Result<crate::page_worker::PageWorker, Box<Self>> {
        match self.command {
            Command::PageWorker(worker) => Ok(worker),
            _ => Err(Box::new(self)),
        }
    }

    pub(crate) async fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Serve { place, options } => crate::serve::serve(&place, options).await,
            Command::Mcp { place, options } => Box::pin(crate::mcp::mcp(&place, options)).await,
            Command::User { place, command } => account::user(&place, command).await,
            Command::Key { place, command } => account::key(&place, command).await,
            Command::Import { place, options } => import::run(&place, options).await,
            Command::Receipt { place, command } => receipt::run(&place, command).await,
            Command::Reindex { place } => maintenance::reindex(&place).await,
            Command::Prune { place, options } => crate::pruning::prune(&place, options).await,
            Command::Backup { place, file } => maintenance::backup(&place, &file).await,
            Command::Status { place } => maintenance::status(&place).await,
            Command::Doctor { place, sources } => maintenance::doctor(&place, sources).await,
            Command::Config { place, defaults } => maintenance::config(&place, defaults),
            Command::Client(command) => client_command::run(&command).await,
            Command::Completions { shell } => {
                let mut whole = <Self as clap::CommandFactory>::command();
                let mut out = std::io::stdout();
                Ok(client::write_completions(shell, &mut whole, &mut out)?)
            }
            Command::DemoWorld { place } => {
                let data = place.directory("assay-demo")?;
                crate::process::init_log(&data.config)?;
                crate::demo::make(&data).await
            }
            // Not here: it runs without a runtime.
            Command::PageWorker(_) => Ok(()),
        }
    }
}

impl Place {
    pub(crate) const fn json(&self) -> bool {
        self.json
    }
}
