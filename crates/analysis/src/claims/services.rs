//! The services that a check of figures needs.

use crate::market::{Disclosures, Fundamentals, Instruments, MarketServices, Prices, TimeSeries};

/// The services against which claims about figures are checked.
#[derive(Clone, Debug)]
pub struct FigureServices {
    pub(super) instruments: Instruments,
    pub(super) prices: Prices,
    pub(super) series: TimeSeries,
    pub(super) fundamentals: Fundamentals,
    pub(super) disclosures: Disclosures,
}

impl FigureServices {
    /// The ones from a store's market services.
    pub fn of(services: &MarketServices) -> Self {
        Self {
            instruments: services.instruments.clone(),
            prices: services.prices.clone(),
            series: services.series.clone(),
            fundamentals: services.fundamentals.clone(),
            disclosures: services.disclosures.clone(),
        }
    }
}
