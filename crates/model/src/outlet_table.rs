//! The editable source table: the name of each outlet and how far it is trusted.

use std::collections::HashMap;

use crate::source::{Outlet, TrustLevel};

/// Outlets by registrable domain.
#[derive(Clone, Debug, Default)]
pub struct OutletTable {
    by_domain: HashMap<String, Outlet>,
}

impl OutletTable {
    /// A table made from these rows. If two rows are for the same domain, the later one wins, so an operator's rows
    /// come after the defaults.
    pub fn new(rows: impl IntoIterator<Item = Outlet>) -> Self {
        Self {
            by_domain: rows
                .into_iter()
                .map(|outlet| (outlet.domain.to_ascii_lowercase(), outlet))
                .collect(),
        }
    }

    /// How far the outlet at a domain is trusted; subdomains inherit from the domain above them.
    pub fn trust(&self, domain: &str) -> TrustLevel {
        self.find(domain)
            .map_or(TrustLevel::Unknown, |outlet| outlet.trust)
    }

    /// The name by which readers know the outlet at a domain, if the table has one.
    pub fn name(&self, domain: &str) -> Option<&str> {
        self.find(domain)?.name.as_deref()
    }

    fn find(&self, domain: &str) -> Option<&Outlet> {
        let mut rest = domain;
        loop {
            if let Some(outlet) = self.by_domain.get(rest) {
                return Some(outlet);
            }
            rest = rest.split_once('.')?.1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomains_inherit_and_later_rows_win() {
        let row = |domain: &str, trust| Outlet {
            domain: domain.into(),
            name: None,
            trust,
        };
        let table = OutletTable::new([
            row("paper.example", TrustLevel::High),
            row("paper.example", TrustLevel::Medium),
            row("blog.paper.example", TrustLevel::Low),
        ]);
        assert_eq!(table.trust("paper.example"), TrustLevel::Medium);
        assert_eq!(table.trust("world.paper.example"), TrustLevel::Medium);
        assert_eq!(table.trust("blog.paper.example"), TrustLevel::Low);
        assert_eq!(table.trust("other.example"), TrustLevel::Unknown);
    }
}
