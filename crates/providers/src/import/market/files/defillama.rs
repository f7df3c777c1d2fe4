//! Documents from `DefiLlama`: protocols and chains with their total value locked.
//!
//! Borrowed, staked or pooled value is counted by `DefiLlama` alongside the value of a chain under names of its own
//! (`Ethereum-borrowed`, `staking`, `pool2`); including it would count it twice.

use model::{Chain, Day, Protocol, Timestamp};
use serde_json::Value;
use text::date::{self, Order};

use super::FileOptions;
use super::document::number;
use crate::import::market::Reading;

const SOURCE: &str = "DefiLlama";
const NO_TVL: &str = "the value locked is not a number of at least zero";
const NO_NAME: &str = "the name is missing";
const BESIDE: &str = "counted elsewhere: borrowed, staked or pooled";

/// Reads a document; `None` if it is not from `DefiLlama`.
pub(super) fn parse(document: &Value, options: &FileOptions<'_>) -> Option<Reading> {
    let mut reading = Reading::default();
    let mut line = 0;
    if let Value::Array(list) = document {
        let first = list.first()?;
        first.get("tvl")?;
        for entry in list {
            line += 1;
            if first.get("category").is_some() || first.get("slug").is_some() {
                take_protocol(entry, line, options.at, &mut reading);
            } else {
                take_chain(entry, line, options.at, &mut reading);
            }
        }
        return Some(reading);
    }
    let protocols = document.get("topProtocols")?.as_array()?;
    let own = document
        .get("updated")
        .and_then(Value::as_str)
        .and_then(|text| date::parse(text, Order::Undeclared));
    let at = own
        .filter(|at| Day::of(*at) <= options.today)
        .unwrap_or(options.at);
    for entry in protocols {
        line += 1;
        take_protocol(entry, line, at, &mut reading);
    }
    for entry in document
        .get("topChains")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        line += 1;
        take_chain(entry, line, at, &mut reading);
    }
    if let Some(pools) = document.get("topYields").and_then(Value::as_array) {
        let unused = &mut reading.report.unused;
        unused.insert("topYields".to_owned(), pools.len() as u64);
    }
    Some(reading)
}

/// Whether a chain name stands for value that is counted alongside it.
fn is_beside(chain: &str) -> bool {
    let lower = chain.to_ascii_lowercase();
    let last = lower.rsplit('-').next().unwrap_or_default();
    matches!(last, "borrowed" | "staking" | "pool2" | "vesting")
}

fn value_locked(entry: &Value) -> Option<f64> {
    number(entry.get("tvl")).filter(|tvl| *tvl >= 0.0)
}

fn text<'v>(entry: &'v Value, key: &str) -> Option<&'v str> {
    entry
        .get(key)?
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn take_protocol(entry: &Value, line: u64, at: Timestamp, reading: &mut Reading) {
    reading.report.rows += 1;
    let (Some(name), Some(tvl)) = (text(entry, "name"), value_locked(entry)) else {
        let reason = if text(entry, "name").is_none() {
            NO_NAME
        } else {
            NO_TVL
        };
        return reading.report.refuse(line, reason);
    };
    let listed = entry.get("chains").and_then(Value::as_array);
    let chains = listed
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|chain| !is_beside(chain))
        .map(str::to_owned)
        .collect();
    reading.batch.protocols.push(Protocol {
        slug: text(entry, "slug").map_or_else(|| slug_of(name), str::to_owned),
        name: name.to_owned(),
        category: text(entry, "category").unwrap_or_default().to_owned(),
        tvl,
        change_1d: number(entry.get("change_1d")),
        change_7d: number(entry.get("change_7d")),
        chains,
        at,
        source: SOURCE.to_owned(),
    });
}

fn take_chain(entry: &Value, line: u64, at: Timestamp, reading: &mut Reading) {
    reading.report.rows += 1;
    match (text(entry, "name"), value_locked(entry)) {
        (None, _) => reading.report.refuse(line, NO_NAME),
        (Some(name), _) if is_beside(name) => reading.report.refuse(line, BESIDE),
        (Some(_), None) => reading.report.refuse(line, NO_TVL),
        (Some(name), Some(tvl)) => reading.batch.chains.push(Chain {
            name: name.to_owned(),
            tvl,
            at,
            source: SOURCE.to_owned(),
        }),
    }
}

/// The slug that `DefiLlama` makes from a name: lower case, with dashes for spaces.
fn slug_of(name: &str) -> String {
    let lower = name.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join("-")
}
