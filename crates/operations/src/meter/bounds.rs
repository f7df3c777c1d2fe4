//! However many call, the table of those who called stays within its bound.

use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::client::ClientAddress;

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(1_700_000_000_000)
    }
}

#[test]
fn a_million_addresses_stay_within_the_table() {
    let mut shard = Shard::default();
    let usage = || MonthUsage {
        calls: 1,
        credits: 1,
        overage: MicroUsd(0),
    };
    let payer = |number: u32| {
        let address = IpAddr::V4(Ipv4Addr::from_bits(number));
        Payer::Client(ClientAddress::new(address))
    };
    let terms = crate::settings::Plans::default();
    let open = payer(0);
    shard.insert(open, usage(), Timestamp::from_ms(0), 0);
    let reserved = shard
        .tallies
        .get_mut(&open)
        .map(|tally| tally.reserve(terms.demo(), MicroUsd(0), 1).is_ok());
    assert_eq!(reserved, Some(true));
    for number in 1..1_000_000 {
        let now = Timestamp::from_ms(i64::from(number));
        shard.insert(payer(number), usage(), now, 0);
        assert!(shard.tallies.len() <= SHARD_LIMIT);
    }
    assert!(
        shard.tallies.contains_key(&open),
        "what is reserved is not forgotten"
    );
    assert!(shard.tallies.contains_key(&payer(999_999)));
}

#[tokio::test]
async fn a_million_callers_leave_the_process_as_small_as_before() {
    let store = Store::open(&store::Location::Memory, model::DataMode::Demo)
        .await
        .unwrap();
    let meter = Meter::open(store, Arc::new(Still), None).await.unwrap();
    let limiter = crate::limiter::Limiter::default();
    let usage = MonthUsage {
        calls: 0,
        credits: 0,
        overage: MicroUsd(0),
    };
    let now = Timestamp::from_ms(1_700_000_000_000);
    for number in 0..1_000_000_u32 {
        // Spread over all networks, as a large botnet is.
        let address = IpAddr::V4(Ipv4Addr::from_bits(number.wrapping_mul(0x9e37_79b1)));
        let payer = Payer::Client(ClientAddress::new(address));
        let _ = limiter.take(crate::limiter::Subject::Payer(payer), 10, now);
        meter.shard(payer).lock().insert(payer, usage, now, 0);
    }
    let tallies: usize = meter
        .shards
        .iter()
        .map(|shard| shard.lock().tallies.len())
        .sum();
    assert!(tallies <= SHARDS * SHARD_LIMIT, "{tallies}");
    assert!(limiter.len() <= 32 * 8_192, "{}", limiter.len());
}
