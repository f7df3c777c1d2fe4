//! Short reports on a price at a given time: they keep a newswire going between its stories.

use model::Timestamp;

use super::{Givens, Schedule, company, share_price, size};
use crate::agreement::Given;
use crate::assignments::Story;
use crate::facts::Value;
use crate::market::MarketWorld;
use crate::random::Random;

/// The time span that contains at most one.
const STRETCH_MS: i64 = 6 * Timestamp::MINUTE_MS;
/// The share of time spans that contain one, while shares are trading and otherwise.
const BUSY: f64 = 0.8;
const QUIET: f64 = 0.45;
/// The coins covered, with the number of digits in their price.
const COINS: [(&str, &str, usize); 6] = [
    ("BTC", "Bitcoin", 0),
    ("ETH", "Ether", 2),
    ("SOL", "Solana", 2),
    ("XRP", "XRP", 4),
    ("BNB", "BNB", 2),
    ("DOGE", "Dogecoin", 5),
];

/// When there is a short report in `from..until`.
pub(crate) fn snap_times(world: &MarketWorld, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
    let stretches = from.ms().div_euclid(STRETCH_MS)..=until.ms().div_euclid(STRETCH_MS);
    let times = stretches.filter_map(|stretch| {
        let mut random = Random::of(&[world.seed(), 8, stretch as u64]);
        let within = random.range(0, STRETCH_MS / 1000 - 1) * 1000;
        let at = Timestamp::from_ms(stretch * STRETCH_MS + within);
        let share = if world.is_open(at) { BUSY } else { QUIET };
        (random.chance(share) && (from..until).contains(&at)).then_some(at)
    });
    times.collect()
}

/// The short report at a given time: on a share while shares are trading, otherwise on a coin.
pub(crate) fn snap(world: &MarketWorld, at: Timestamp) -> Option<Story> {
    let mut schedule = Schedule {
        world,
        day: at.day(),
        stories: Vec::new(),
    };
    let mut random = Random::of(&[world.seed(), 9, at.ms() as u64]);
    let clock = clock_time(at);
    if world.is_open(at) && random.chance(0.75) {
        let tickers = MarketWorld::largest();
        // The largest are covered more often.
        let rank = (random.unit() * random.unit() * tickers.len() as f64) as usize;
        let ticker = *tickers.get(rank)?;
        let priced = world.priced_at(&format!("stock:{ticker}"), at)?;
        let index = world.priced_at("index:^GSPC", at)?;
        let given: Givens = vec![
            ("co", Given::Value(Value::Company(company(ticker)?))),
            ("price", share_price(ticker, priced.price)),
            ("move", size(priced.change_pct)),
            ("way", Given::way(priced.change_pct)),
            ("index", Given::number(index.price, 2)),
            ("index_move", size(index.change_pct)),
            ("index_way", Given::way(index.change_pct)),
            ("clock", Given::text(&clock)),
        ];
        schedule.add("snap_share", &clock, at, given);
    } else {
        let (symbol, name, decimals) = *random.pick(&COINS)?;
        let other = if symbol == "BTC" { COINS[1] } else { COINS[0] };
        let of = |symbol: &str| world.priced_at(&format!("crypto:{symbol}"), at);
        let (own, beside) = (of(symbol)?, of(other.0)?);
        let given: Givens = vec![
            ("coin", Given::text(&format!("{name};{symbol}"))),
            ("price", Given::number(own.price, decimals)),
            ("move", size(own.change_pct)),
            ("way", Given::way(own.change_pct)),
            ("other", Given::text(&format!("{};{}", other.1, other.0))),
            ("other_price", Given::number(beside.price, other.2)),
            ("other_move", size(beside.change_pct)),
            ("other_way", Given::way(beside.change_pct)),
            ("clock", Given::text(&clock)),
        ];
        schedule.add("snap_coin", &clock, at, given);
    }
    schedule.stories.pop()
}

/// For example `14:05`.
fn clock_time(at: Timestamp) -> String {
    let minutes = at.ms().rem_euclid(Timestamp::DAY_MS) / Timestamp::MINUTE_MS;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}
