//! Companies and people in the simulated world.
//!
//! Real companies carry their real tickers and appear only in harmless news; all people are invented.

use super::random::Random;
use super::world::{DataError, World};

const COMPANIES: &str = include_str!("../data/companies.tsv");

/// A listed company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Company {
    pub(crate) name: String,
    pub(crate) ticker: String,
    /// The key of the pools that say what it makes, such as `chips`.
    pub(crate) sector: String,
    pub(crate) city: String,
    /// Whether it exists outside the demo world.
    pub(crate) real: bool,
}

/// Which companies a slot may choose from.
#[derive(Clone, Debug)]
pub(crate) struct CompanyFilter {
    /// Real or fictional ones only, if it matters.
    pub(crate) real: Option<bool>,
    /// Sectors; empty for all.
    pub(crate) sectors: Vec<String>,
}

impl CompanyFilter {
    /// Picks one of the companies that match.
    pub(crate) fn pick(
        &self,
        world: &'static World,
        random: &mut Random,
    ) -> Option<&'static Company> {
        let passing: Vec<&'static Company> = world
            .companies
            .iter()
            .filter(|company| self.passes(company))
            .collect();
        random.pick(&passing).copied()
    }

    fn passes(&self, company: &Company) -> bool {
        self.real.is_none_or(|real| real == company.real)
            && (self.sectors.is_empty() || self.sectors.contains(&company.sector))
    }
}

/// The name of an invented person.
pub(crate) fn person(world: &World, random: &mut Random) -> String {
    let first = random
        .pick(world.pool("first_name"))
        .map_or("Alex", String::as_str);
    let last = random
        .pick(world.pool("last_name"))
        .map_or("Fennimarch", String::as_str);
    format!("{first} {last}")
}

/// Reads the table of companies.
pub(crate) fn parse() -> Result<Vec<Company>, DataError> {
    COMPANIES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(parse_line)
        .collect()
}

fn parse_line(line: &str) -> Result<Company, DataError> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[kind @ ("real" | "fictional"), name, ticker, sector, city] = cells.as_slice() else {
        return Err(DataError(format!("company line {line:?}")));
    };
    Ok(Company {
        name: name.to_owned(),
        ticker: ticker.to_owned(),
        sector: sector.to_owned(),
        city: city.to_owned(),
        real: kind == "real",
    })
}
