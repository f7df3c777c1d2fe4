//! Decentralised finance: protocols and chains with the value locked in them.
//!
//! Some providers' lists of protocols include companies' exchanges and the chains themselves. Neither is a protocol of
//! decentralised finance, so they are left out of rankings and sums.

use std::cmp::Ordering;

use model::{Chain, Observation, Protocol, SeriesId, Timestamp};
use store::RecordQuery;

use super::crypto::stale_since;
use super::time_series::change_pct;
use super::{Crypto, DataIssue, PointInTime, Unknown, nearest};
use crate::Result;

/// Categories that are not decentralised finance.
const NOT_DEFI: [&str; 2] = ["cex", "chain"];

/// Protocols and chains as known at a point in time, largest first in each list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefiOverview {
    /// Value locked in all chains, in USD; in all protocols if no chain is known.
    pub total_tvl: Option<f64>,
    /// Protocols, except those that are not decentralised finance.
    pub protocols: Vec<Protocol>,
    /// Chains.
    pub chains: Vec<Chain>,
    /// What is missing, estimated or old.
    pub issues: Vec<DataIssue>,
}

/// A protocol with its history.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolHistory {
    /// As reported; changes that nobody reports are computed from the history.
    pub protocol: Protocol,
    /// Value locked at the end of each day, in USD, in ascending order by day.
    pub history: Vec<Observation>,
    /// What is missing or old.
    pub issues: Vec<DataIssue>,
}

fn largest_first(left: (f64, &str), right: (f64, &str)) -> Ordering {
    right.0.total_cmp(&left.0).then_with(|| left.1.cmp(right.1))
}

impl Crypto {
    async fn protocols(&self, when: PointInTime) -> Result<Vec<Protocol>> {
        let stored = self.records.held::<Protocol>(when, RecordQuery::default());
        Ok(stored.await?.into_iter().map(|one| one.record).collect())
    }

    /// Decentralised finance as known at a point in time.
    pub async fn defi(&self, when: PointInTime) -> Result<DefiOverview> {
        let mut protocols = self.protocols(when).await?;
        protocols.retain(|one| !NOT_DEFI.contains(&one.category.to_lowercase().as_str()));
        protocols
            .sort_by(|left, right| largest_first((left.tvl, &left.name), (right.tvl, &right.name)));
        let stored = self.records.held::<Chain>(when, RecordQuery::default());
        let mut chains: Vec<Chain> = stored.await?.into_iter().map(|one| one.record).collect();
        chains
            .sort_by(|left, right| largest_first((left.tvl, &left.name), (right.tvl, &right.name)));
        let mut issues = Vec::new();
        if protocols.is_empty() {
            issues.push(DataIssue::absent(
                "top_protocols",
                "no protocols are available",
            ));
        }
        if chains.is_empty() {
            issues.push(DataIssue::absent("chains", "no chains are available"));
        }
        let total_tvl = if !chains.is_empty() {
            Some(chains.iter().map(|one| one.tvl).sum())
        } else if !protocols.is_empty() {
            issues.push(DataIssue::absent(
                "total_tvl_formatted",
                format!(
                    "no chain data is available; this is the sum over {} protocols, so funds that one protocol lends to another are counted twice",
                    protocols.len()
                ),
            ));
            Some(protocols.iter().map(|one| one.tvl).sum())
        } else {
            issues.push(DataIssue::absent(
                "total_tvl_formatted",
                "no total value locked is available",
            ));
            None
        };
        let reported = protocols.iter().map(|one| one.at);
        let newest: Option<Timestamp> = reported.chain(chains.iter().map(|one| one.at)).max();
        issues.extend(
            newest.and_then(|at| stale_since("total_tvl_formatted", "value locked", at, when)),
        );
        Ok(DefiOverview {
            total_tvl,
            protocols,
            chains,
            issues,
        })
    }

    /// The protocol with this slug or name, case-insensitive, with its history.
    pub async fn protocol(
        &self,
        text: &str,
        when: PointInTime,
    ) -> Result<std::result::Result<ProtocolHistory, Unknown>> {
        let known = self.protocols(when).await?;
        let wanted = text.trim();
        let slug = wanted.to_lowercase().replace([' ', '_'], "-");
        let found = known
            .iter()
            .find(|one| one.slug.eq_ignore_ascii_case(&slug))
            .or_else(|| {
                let named = known
                    .iter()
                    .filter(|one| one.name.eq_ignore_ascii_case(wanted));
                named.max_by(|left, right| left.tvl.total_cmp(&right.tvl))
            });
        let Some(found) = found else {
            let mut largest: Vec<&Protocol> = known.iter().collect();
            largest.sort_by(|left, right| {
                largest_first((left.tvl, &left.slug), (right.tvl, &right.slug))
            });
            let slugs = largest.iter().map(|one| one.slug.as_str());
            return Ok(Err(nearest(&slug, slugs)));
        };
        self.with_past(found.clone(), when).await.map(Ok)
    }

    async fn with_past(
        &self,
        mut protocol: Protocol,
        when: PointInTime,
    ) -> Result<ProtocolHistory> {
        let id = SeriesId::new("tvl", &protocol.slug);
        let values = self.series.values(&id, when).await?;
        let history = values.map(|values| values.observations).unwrap_or_default();
        let mut issues = Vec::new();
        if history.is_empty() {
            issues.push(DataIssue::absent(
                "tvl_history",
                "no history is available for this protocol",
            ));
        }
        let change = |days: i32| {
            let newest = history.last()?;
            let day = newest.day.plus(-days);
            let place = history.binary_search_by_key(&day, |one| one.day).ok()?;
            change_pct(newest.value, history[place].value)
        };
        protocol.change_1d = protocol.change_1d.or_else(|| change(1));
        protocol.change_7d = protocol.change_7d.or_else(|| change(7));
        if let Some(issue) = stale_since("tvl", "value locked", protocol.at, when) {
            issues.push(DataIssue {
                source: Some(protocol.source.clone()),
                ..issue
            });
        }
        Ok(ProtocolHistory {
            protocol,
            history,
            issues,
        })
    }
}
