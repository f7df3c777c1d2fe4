//! The names of listed instruments, as used to read questions.

use std::sync::Arc;

use analysis::market::Traded;
use model::AssetType;
use operations::{Result, Services};
use parking_lot::RwLock;
use query::{Kind, Listed, Names};

/// Traded instruments, under the names that questions use.
pub fn listed(traded: Vec<Traded>) -> Vec<Listed> {
    let listed = traded.into_iter().map(|traded| {
        let instrument = &traded.listing.instrument;
        Listed {
            symbol: traded.symbol,
            name: instrument.entity_name().to_owned(),
            kind: match instrument.asset_type {
                AssetType::Equity => Kind::Share,
                AssetType::Etf => Kind::Fund,
                AssetType::Crypto => Kind::Coin,
            },
            currency: instrument.currency().to_owned(),
            // Turnover figures in other currencies are not compared.
            size: if instrument.currency() == "USD" {
                traded.turnover
            } else {
                0.0
            },
        }
    });
    listed.collect()
}

/// The names, rebuilt when an instrument is listed or delisted.
#[derive(Default)]
pub(crate) struct ListedNames {
    /// The names, with the version of the listings they were made from.
    names: RwLock<(u64, Arc<Names>)>,
    /// Only one task at a time builds them.
    making: tokio::sync::Mutex<()>,
}

impl ListedNames {
    /// The names of everything that is currently listed.
    pub(crate) async fn get(&self, services: &Services) -> Result<Arc<Names>> {
        if let Some(known) = self.known(services.instruments.edition().await?) {
            return Ok(known);
        }
        let _making = self.making.lock().await;
        let edition = services.instruments.edition().await?;
        if let Some(known) = self.known(edition) {
            return Ok(known);
        }
        let traded = services.instruments.traded().await?;
        let listed = listed(traded);
        let made = tokio::task::spawn_blocking(move || Arc::new(Names::new(listed))).await;
        let made = made.map_err(operations::Error::internal)?;
        *self.names.write() = (edition, Arc::clone(&made));
        Ok(made)
    }

    /// The names for that version, if they have been built and there are any.
    fn known(&self, edition: u64) -> Option<Arc<Names>> {
        let names = self.names.read();
        (names.0 == edition && !names.1.is_empty()).then(|| Arc::clone(&names.1))
    }
}
