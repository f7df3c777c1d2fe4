//! `assay ask`, `search`, `brief`, `ticker`, `screen`, `backtest` and `market`: finds out who answers, then leaves the
//! rest to `client`.
//!
//! With an address, that server answers. Without one, the data directory does: through the server that has it open, at
//! the address in its configuration, or otherwise on its own for the duration of the command. If there is no data
//! directory either, a server on this machine is tried.

use anyhow::bail;
use client::{Command, Service, Terminal};

use super::Place;
use crate::data::DataDirectory;
use crate::embedded::Embedded;
use crate::lock::ServerLock;
use crate::opened::OpenedFor;

/// Where `assay serve` listens unless configured otherwise.
const USUAL_ADDRESS: &str = "http://127.0.0.1:8080";

pub(super) async fn run(command: &Command) -> anyhow::Result<()> {
    command.check()?;
    let common = command.common();
    if let Some(address) = common.url() {
        return ask(command, address).await;
    }
    let place = Place {
        data: common.data().map(Into::into),
        config: common.config().map(Into::into),
        json: false,
    };
    let data = place.either()?;
    // Opened to see whether it exists: a question must not create a new one.
    match data.open_existing().await {
        Ok(_) => {}
        Err(error) if common.data().is_none() && is_missing(&error) => {
            return ask(command, USUAL_ADDRESS).await;
        }
        Err(error) => return Err(error),
    }
    if ServerLock::try_take(&data.path)?.is_none() {
        return ask_its_server(command, &data).await;
    }
    let whom = match common.api_key() {
        Some(_) => OpenedFor::Member,
        None => OpenedFor::Owner,
    };
    let embedded = Embedded::start(data, whom).await?;
    let outcome = match Service::new(embedded.address(), common.api_key()) {
        Ok(service) => {
            let service = service.with_pass(embedded.pass());
            command.run(&service, &mut Terminal::of_process()).await
        }
        Err(error) => Err(error),
    };
    embedded.stop().await;
    Ok(outcome?)
}

async fn ask(command: &Command, address: &str) -> anyhow::Result<()> {
    let service = Service::new(address, command.common().api_key())?;
    Ok(command.run(&service, &mut Terminal::of_process()).await?)
}

/// Asks the server that has the data directory open. Where it listens is known only from the configuration.
async fn ask_its_server(command: &Command, data: &DataDirectory) -> anyhow::Result<()> {
    let address = format!("http://{}", data.config.server.listen);
    let outcome = ask(command, &address).await;
    if let Err(error) = &outcome
        && let Some(client::Error::Unreachable { .. }) = error.downcast_ref()
    {
        bail!(
            "a server has {} open, but not at {address}: set ASSAY_URL to the address that it printed",
            data.path.display()
        );
    }
    outcome
}

fn is_missing(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<store::Error>(),
        Some(store::Error::Missing(_))
    )
}
