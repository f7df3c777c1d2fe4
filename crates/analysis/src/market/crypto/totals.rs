//! All coins combined.

use model::{CryptoGlobal, Timestamp};
use store::RecordQuery;

use super::snapshot::COMPARABLE_MS;
use super::{Coin, Coins, Crypto, stale_since};
use crate::Result;
use crate::market::time_series::change_pct;
use crate::market::{DataIssue, PointInTime};

/// Market values within this time of each other count as simultaneous.
const SAME_TIME_MS: i64 = Timestamp::HOUR_MS;
/// The share of a reported total that the known coins must make up to count as everything in it.
const NEARLY_ALL: f64 = 0.995;
/// The share they must make up, and how many they must be, to replace a total from another time.
const MOST: f64 = 0.5;
const MANY: usize = 10;

/// All coins combined. Money is in USD, shares and changes are in percent.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct CryptoTotals {
    pub total_market_cap: Option<f64>,
    pub total_volume: Option<f64>,
    pub btc_dominance: Option<f64>,
    pub eth_dominance: Option<f64>,
    pub active_cryptocurrencies: Option<u64>,
    pub market_cap_change_24h: Option<f64>,
    /// When this was reported.
    pub at: Option<Timestamp>,
    /// Who reported it; `None` if it was summed here.
    pub source: Option<String>,
}

impl Crypto {
    /// What a provider reported last. If none did, or if that report is from an earlier time than the coins, it is the
    /// sum over the known coins, and the issues say so. Either way, total, shares and change are from the same time,
    /// which is that of the ranked coins unless too few of them are known to make a sum.
    pub async fn totals(&self, when: PointInTime) -> Result<(CryptoTotals, Vec<DataIssue>)> {
        let held = self
            .records
            .held::<CryptoGlobal>(when, RecordQuery::default());
        let reported = held.await?;
        let newest = reported
            .into_iter()
            .map(|stored| stored.record)
            .max_by_key(|one| one.at);
        let coins = self.coins(when).await?;
        let Some(reported) = newest else {
            let why = "no provider reports totals";
            return Ok(CryptoTotals::summed(&coins, why, when));
        };
        let covers_all = coins.go_on_from(&reported);
        if covers_all || coins.replace(&reported) {
            let why = format!(
                "the prices of the coins are newer than the totals that {} reported for {}",
                reported.source,
                model::Day::of(reported.at)
            );
            let (totals, issues) = CryptoTotals::summed(&coins, &why, when);
            let counted = reported.active_cryptocurrencies.filter(|_| covers_all);
            let totals = CryptoTotals {
                active_cryptocurrencies: counted.or(totals.active_cryptocurrencies),
                ..totals
            };
            return Ok((totals, issues));
        }
        let mut issues = Vec::new();
        if let Some(at) = coins.at().filter(|at| are_apart(*at, reported.at)) {
            let reason = format!(
                "total, dominance and change are those that {} reported for {}; the market values of single coins are of {at}",
                reported.source, reported.at
            );
            issues.push(DataIssue::absent("total_market_cap_formatted", reason));
        }
        if let Some(issue) = stale_since("total_market_cap_formatted", "total", reported.at, when) {
            issues.push(DataIssue {
                source: Some(reported.source.clone()),
                ..issue
            });
        }
        let totals = CryptoTotals {
            total_market_cap: reported.total_market_cap,
            total_volume: reported.total_volume,
            btc_dominance: reported.btc_dominance,
            eth_dominance: reported.eth_dominance,
            active_cryptocurrencies: reported.active_cryptocurrencies,
            market_cap_change_24h: reported.market_cap_change_24h,
            at: Some(reported.at),
            source: Some(reported.source),
        };
        Ok((totals, issues))
    }
}

fn are_apart(one: Timestamp, other: Timestamp) -> bool {
    one.since_ms(other).abs() > SAME_TIME_MS
}

impl Coins {
    /// Whether the known coins are, by market value, everything that a report counted, and their values are newer than
    /// the report.
    fn go_on_from(&self, reported: &CryptoGlobal) -> bool {
        let Some(total) = reported.total_market_cap.filter(|total| *total > 0.0) else {
            return false;
        };
        let counted: f64 = self
            .coins
            .iter()
            .filter_map(Coin::reported_cap)
            .filter(|(_, at)| reported.at.since_ms(*at).abs() <= SAME_TIME_MS)
            .map(|(value, _)| value)
            .sum();
        counted >= NEARLY_ALL * total && self.at.is_some_and(|at| at > reported.at)
    }

    /// Whether a report is older than the compared coins, which are many, and they either make up most of what it
    /// counted or are days newer.
    fn replace(&self, reported: &CryptoGlobal) -> bool {
        let values = self.ranked.iter().filter_map(|coin| coin.market_cap);
        let known: f64 = values.sum();
        let later = self.at.map_or(0, |at| at.since_ms(reported.at));
        let are_most = reported
            .total_market_cap
            .is_some_and(|total| known >= MOST * total);
        let is_before = later > SAME_TIME_MS && (are_most || later > COMPARABLE_MS);
        is_before && self.ranked.len() >= MANY
    }
}

impl CryptoTotals {
    fn summed(coins: &Coins, why: &str, when: PointInTime) -> (Self, Vec<DataIssue>) {
        let ranked = coins.ranked();
        if ranked.is_empty() {
            let reason = "no market totals and no market value of any coin are available";
            let issues = vec![DataIssue::absent("total_market_cap_formatted", reason)];
            return (Self::default(), issues);
        }
        let sum = |value: fn(&Coin) -> Option<f64>| {
            let values: Vec<f64> = ranked.iter().filter_map(value).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>())
        };
        let total = sum(|coin| coin.market_cap);
        let share = |symbol: &str| {
            let coin = ranked.iter().find(|coin| coin.symbol.as_str() == symbol)?;
            Some(coin.market_cap? / total? * 100.0)
        };
        let now = sum(|coin| coin.market_cap_before.and(coin.market_cap));
        let before = sum(|coin| coin.market_cap_before);
        let symbols: Vec<&str> = ranked.iter().map(|coin| coin.symbol.as_str()).collect();
        let named = symbols[..symbols.len().min(10)].join(", ");
        let others = match symbols.len() {
            ..=10 => String::new(),
            count => format!(" and {} more", count - 10),
        };
        let mut issues = vec![DataIssue::absent(
            "total_market_cap_formatted",
            format!(
                "{why}; total, dominance and count cover the {} coins with a known market value: {named}{others}",
                symbols.len()
            ),
        )];
        let times = || ranked.iter().filter_map(|coin| coin.market_cap_at);
        if let (Some(first), Some(last)) = (times().min(), times().max())
            && last.since_ms(first) > SAME_TIME_MS
        {
            issues.push(DataIssue::absent(
                "total_market_cap_formatted",
                format!("the market values are of {first} to {last}"),
            ));
        }
        let total_volume = sum(|coin| coin.volume_24h);
        if total_volume.is_none() {
            let reason = "no volume in USD is available for any of these coins";
            issues.push(DataIssue::absent("total_volume_formatted", reason));
        }
        issues.extend(coins.staleness("total_market_cap_formatted", when));
        let totals = Self {
            total_market_cap: total,
            total_volume,
            btc_dominance: share("BTC"),
            eth_dominance: share("ETH"),
            active_cryptocurrencies: Some(ranked.len() as u64),
            market_cap_change_24h: now
                .zip(before)
                .and_then(|(now, before)| change_pct(now, before)),
            at: coins.at(),
            source: None,
        };
        (totals, issues)
    }
}
