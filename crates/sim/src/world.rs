//! The tables that the simulated world is made from, read once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::cast::{self, Company};
use super::kind::{self, Kind, Voices};
use super::outlets::{self, OutletProfile};

const POOLS: &str = include_str!("../data/pools.toml");
const COLOUR: &str = include_str!("../data/colour.toml");

/// The built-in tables cannot be read: a mistake in the data files, caught by a test.
#[derive(Debug, thiserror::Error)]
#[error("simulated world: {0}")]
pub(crate) struct DataError(pub(crate) String);

/// Everything that a story can be made from.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) outlets: Vec<OutletProfile>,
    pub(crate) companies: Vec<Company>,
    /// Named lists to choose from. A row may hold fields separated by `;`, each with translations separated by `~`.
    pub(crate) pools: BTreeMap<String, Vec<String>>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) colour: Colour,
}

/// Sentences that fit many stories.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Colour {
    /// General background, by category.
    pub(crate) background: BTreeMap<String, Vec<String>>,
    /// How a voice signs off.
    pub(crate) closing: Voices,
}

impl World {
    /// The world. Its tables are part of the program; a test checks that they can be read.
    pub(crate) fn get() -> &'static Self {
        static WORLD: LazyLock<World> = LazyLock::new(|| World::parse().unwrap_or_default());
        &WORLD
    }

    /// Reads every table.
    pub(crate) fn parse() -> Result<Self, DataError> {
        Ok(Self {
            outlets: outlets::parse()?,
            companies: cast::parse()?,
            pools: toml::from_str(POOLS).map_err(|error| DataError(format!("pools: {error}")))?,
            kinds: kind::parse()?,
            colour: toml::from_str(COLOUR)
                .map_err(|error| DataError(format!("colour: {error}")))?,
        })
    }

    /// The rows of a pool; empty if there is none.
    pub(crate) fn pool(&self, name: &str) -> &[String] {
        self.pools.get(name).map_or(&[], Vec::as_slice)
    }
}
