//! The prices of everything, drawn once from the first day to the last session.

use std::collections::BTreeMap;

use super::MarketWorld;
use super::bars::{Bar, Fineness, Level, Move, draw};
use super::chance::{VolatilityRegime, normal};
use super::clock::Clock;
use super::events::{NewsEvent, news};
use super::factors::{Factors, MARKET_YEAR, SESSIONS_A_YEAR, stream};
use super::priced::{PRICED, Priced};
use super::reports::{self, Report};
use super::tables::{Coin, FINANCIALS, Fund, SECTORS, Share, TECHNOLOGY, Tables};
use crate::random::{Random, hash_word};

/// The sectors' sensitivity to the market.
const BETAS: [f64; 11] = [0.85, 1.05, 1.05, 1.15, 0.6, 0.75, 1.1, 1.3, 1.0, 0.55, 0.85];

/// The Nasdaq's sensitivity to the market.
const NASDAQ_MARKET: f64 = 1.1;
/// The Nasdaq's sensitivity to technology, over and above the market.
const NASDAQ_TECHNOLOGY: f64 = 0.65;

/// A price over time.
#[derive(Debug)]
pub(super) struct Line {
    /// For example `stock:AAPL`, `crypto:BTC`, `index:^GSPC`.
    pub(super) key: String,
    pub(super) fineness: Fineness,
    pub(super) stream: u64,
    /// By session; for coins, by UTC day from the first one.
    pub(super) bars: Vec<Bar>,
}

/// Every price, and the events that drive them.
#[derive(Debug)]
pub(super) struct Paths {
    /// In the order of the tables.
    pub(super) shares: Vec<Line>,
    pub(super) funds: Vec<Line>,
    pub(super) coins: Vec<Line>,
    /// In the order of [`PRICED`].
    pub(super) series: Vec<Line>,
    /// By share.
    pub(super) reports: Vec<Vec<Report>>,
    /// By ticker.
    pub(super) news: BTreeMap<String, Vec<NewsEvent>>,
    pub(super) factors: Factors,
}

impl Paths {
    /// Draws everything.
    pub(super) fn draw(seed: u64, clock: &Clock) -> Self {
        let tables = Tables::get();
        let factors = Factors::draw(seed, clock);
        let news = news(seed, clock);
        let mut reports = Vec::new();
        let mut shares = Vec::new();
        for share in &tables.shares {
            let events = news
                .get(share.symbol.as_str())
                .map_or(&[][..], Vec::as_slice);
            let own = reports::of(seed, share, clock);
            shares.push(share_line(seed, share, &factors, events, &own, clock));
            reports.push(own);
        }
        let series: Vec<Line> = PRICED
            .iter()
            .map(|row| series_line(seed, row, &factors, clock))
            .collect();
        let gold: Vec<f64> = series
            .iter()
            .find(|line| line.key == "commodity:gold/futures")
            .map_or_else(Vec::new, |line| {
                line.bars.iter().map(|bar| bar.close.ln()).collect()
            });
        Self {
            shares,
            funds: tables
                .funds
                .iter()
                .map(|fund| fund_line(seed, fund, &factors, &gold, clock))
                .collect(),
            coins: tables
                .coins
                .iter()
                .map(|coin| coin_line(seed, coin, &factors))
                .collect(),
            series,
            reports,
            news,
            factors,
        }
    }
}

fn share_line(
    seed: u64,
    share: &Share,
    factors: &Factors,
    news: &[NewsEvent],
    reports: &[Report],
    clock: &Clock,
) -> Line {
    let mut random = Random::of(&[seed, 21, share.stream]);
    let beta = (BETAS[share.sector] + 0.2 * normal(&mut random)).clamp(0.25, 2.2);
    let billions = share.value_usd / 1e9;
    let year = ((0.27 - 0.03 * (billions / 10.0).ln()).clamp(0.17, 0.42)
        * (0.15 * normal(&mut random)).exp())
    .min(0.55);
    let turnover = 0.004 * (0.4 * normal(&mut random)).exp() * (year / 0.25);
    let usual = year / SESSIONS_A_YEAR.sqrt();
    let deviation = usual.hypot(beta * MARKET_YEAR / SESSIONS_A_YEAR.sqrt());
    let sessions = clock.sessions().len();
    // Overnight and within the session.
    let mut jumps = vec![(0.0, 0.0); sessions];
    for event in news {
        let Some(jump) = event.session.and_then(|place| jumps.get_mut(place)) else {
            continue;
        };
        if event.while_open {
            jump.1 += event.size;
        } else {
            jump.0 += event.size;
        }
    }
    for report in reports {
        if let Some(jump) = report.session.and_then(|place| jumps.get_mut(place)) {
            jump.0 += report.size;
        }
    }
    let mut busy = vec![1.0; sessions];
    for place in reports.iter().filter_map(|report| report.session) {
        if let Some(busy) = busy.get_mut(place) {
            *busy = 2.2;
        }
    }
    let sector = &factors.sectors[share.sector];
    let mut regime = VolatilityRegime::of_one();
    // Deviations from the trend fade slowly; the effect of a story on the price fades within months.
    let (mut strayed, mut risen) = (0.0, 0.0);
    let moves: Vec<Move> = (0..sessions)
        .map(|place| {
            let (overnight, within) = jumps[place];
            let own = usual * regime.step(&mut random) - 0.0012 * strayed;
            strayed += own;
            let fading = -0.008 * risen;
            risen += fading + overnight + within;
            let common = beta * factors.market[place] + sector[place];
            let quiet = common + own + fading;
            let gap = 0.3 * quiet + 0.25 * deviation * normal(&mut random) + overnight;
            Move {
                change: quiet + overnight + within,
                gap,
                deviation: deviation * (0.5 + 0.5 * regime.deviation()),
                activity: busy[place],
            }
        })
        .collect();
    let level = Level {
        price: share.price,
        reference: clock.reference(),
        fineness: Fineness::Cents,
        volume: share.count() * turnover,
    };
    Line {
        key: format!("stock:{}", share.symbol),
        fineness: level.fineness,
        stream: hash_word(share.symbol.as_str()),
        bars: draw(&moves, level, &mut bars_stream(seed, share.stream)),
    }
}

/// Randomness within days: a separate stream, otherwise a bar would depend on how many days are drawn before the first
/// bar.
fn bars_stream(seed: u64, line: u64) -> Random {
    Random::of(&[seed, 22, line])
}

/// A day for something that follows another price.
fn following(change: f64, deviation: f64, random: &mut Random) -> Move {
    Move {
        change,
        gap: 0.35 * change + 0.2 * deviation * normal(random),
        deviation,
        activity: 1.0,
    }
}

fn fund_line(seed: u64, fund: &Fund, factors: &Factors, gold: &[f64], clock: &Clock) -> Line {
    let mut random = stream(seed, fund.symbol.as_str());
    let sector = SECTORS.iter().position(|name| *name == fund.follows);
    let step = |values: &[f64], place: usize| match (place.checked_sub(1), values.get(place)) {
        (Some(before), Some(now)) => now - values[before],
        _ => 0.0,
    };
    let long: Vec<f64> = factors.yields.iter().map(|yields| yields[3]).collect();
    let moves: Vec<Move> = (0..clock.sessions().len())
        .map(|place| {
            let market = factors.market[place];
            let of = |sector: usize| factors.sectors[sector][place];
            let noise = normal(&mut random);
            let (change, deviation) = if let Some(sector) = sector {
                (BETAS[sector] * market + of(sector) + 0.0004 * noise, 0.0105)
            } else {
                match fund.follows {
                    "growth" => (1.1 * market + 0.7 * of(TECHNOLOGY) + 0.001 * noise, 0.0115),
                    "small" => (small(market, place, factors) + 0.0008 * noise, 0.0125),
                    "blue" => (blue(market, place, factors) + 0.0004 * noise, 0.008),
                    "gold" => (step(gold, place), 0.0095),
                    "bonds" => (-0.16 * step(&long, place) + 0.0006 * noise, 0.009),
                    "biotech" => (0.95 * market + 1.4 * of(5) + 0.011 * noise, 0.017),
                    "innovation" => (1.6 * market + 0.9 * of(TECHNOLOGY) + 0.012 * noise, 0.02),
                    _ => (market + 0.0003 * noise, 0.0088),
                }
            };
            following(change, deviation, &mut random)
        })
        .collect();
    let level = Level {
        price: fund.price,
        reference: clock.reference(),
        fineness: Fineness::Cents,
        volume: fund.value_usd / fund.price * 0.03,
    };
    Line {
        key: format!("stock:{}", fund.symbol),
        fineness: level.fineness,
        stream: hash_word(fund.symbol.as_str()),
        bars: draw(
            &moves,
            level,
            &mut bars_stream(seed, hash_word(fund.symbol.as_str())),
        ),
    }
}

fn small(market: f64, place: usize, factors: &Factors) -> f64 {
    1.15 * market + 0.2 * (factors.sectors[FINANCIALS][place] + factors.sectors[5][place])
        - MARKET_YEAR * 0.0001
}

fn blue(market: f64, place: usize, factors: &Factors) -> f64 {
    0.92 * market + 0.15 * (factors.sectors[FINANCIALS][place] + factors.sectors[2][place])
}

fn series_line(
    seed: u64,
    &(key, _, _, price, decimals): &Priced,
    factors: &Factors,
    clock: &Clock,
) -> Line {
    let mut random = stream(seed, key);
    let name = key.split_once(':').map_or(key, |(_, name)| name);
    // Annual deviation, for what moves independently.
    let year = match name {
        "gold/futures" => 0.15,
        "crude/futures" | "coffee/futures" => 0.33,
        "silver/futures" | "wheat/futures" => 0.27,
        "natgas/futures" => 0.5,
        _ if key.starts_with("commodity:") => 0.22,
        _ => 0.075,
    };
    let usual = year / SESSIONS_A_YEAR.sqrt();
    let mut regime = VolatilityRegime::of_one();
    let mut strayed = 0.0;
    let mut fear = 0.0;
    let mut moves = Vec::with_capacity(clock.sessions().len());
    for (place, &market) in factors.market.iter().enumerate() {
        let noise = normal(&mut random);
        let (change, deviation) = match name {
            "^GSPC" => (market + 0.0001 * noise, 0.0088),
            "^DJI" => (blue(market, place, factors) + 0.0003 * noise, 0.008),
            "^IXIC" => (
                NASDAQ_MARKET * market
                    + NASDAQ_TECHNOLOGY * factors.sectors[TECHNOLOGY][place]
                    + 0.0008 * noise,
                0.0115,
            ),
            "^FTSE" => (0.55 * market + 0.0055 * noise, 0.0078),
            "^GDAXI" | "^FCHI" => (0.75 * market + 0.0062 * noise, 0.0098),
            "^STOXX" => (0.68 * market + 0.0048 * noise, 0.0082),
            "^N225" => (0.6 * market + 0.0088 * noise, 0.0115),
            "^RUT" => (small(market, place, factors) + 0.0006 * noise, 0.0125),
            "^VIX" => {
                let expected = factors.market_deviation[place] / MARKET_YEAR;
                let next = 0.8 * expected.ln() - 4.0 * market + 0.02 * noise;
                let change = next - fear;
                fear = next;
                (change, 0.05)
            }
            _ => {
                // Oil and copper move with the economy; the dollar falls a little when risk appetite is high.
                let with_market = match name {
                    "crude/futures" | "copper/futures" => 0.5,
                    "AUDUSD" | "NZDUSD" => 0.25,
                    "USDCAD" | "USDCHF" => -0.12,
                    _ => 0.05,
                };
                let own = usual * regime.step(&mut random) + with_market * (market - 0.0003)
                    - 0.002 * strayed;
                strayed += own;
                (own, usual)
            }
        };
        moves.push(following(change, deviation, &mut random));
    }
    let fineness = Fineness::Decimals(decimals);
    // The fear index is a level of its own and does not grow; its reference is the usual regime.
    let (price, reference) = if name == "^VIX" {
        let at_start = moves.first().map_or(0.0, |day| day.change);
        (17.5 * at_start.exp(), 0)
    } else {
        (price, clock.reference())
    };
    let level = Level {
        price,
        reference,
        fineness,
        volume: 0.0,
    };
    Line {
        key: key.to_owned(),
        fineness,
        stream: hash_word(key),
        bars: draw(&moves, level, &mut bars_stream(seed, hash_word(key))),
    }
}

fn coin_line(seed: u64, coin: &Coin, factors: &Factors) -> Line {
    let mut random = stream(seed, coin.symbol.as_str());
    let is_stable = coin.is_stable();
    let leads = matches!(coin.symbol.as_str(), "BTC");
    let (beta, year) = if leads {
        (0.95, 0.08)
    } else {
        (1.05 + 0.15 * normal(&mut random), 0.4 + 0.2 * random.unit())
    };
    let usual = year / 365.0_f64.sqrt();
    let deviation = if is_stable {
        0.0002
    } else {
        usual.hypot(0.027)
    };
    let mut regime = VolatilityRegime::of_one();
    let mut strayed = 0.0;
    let moves: Vec<Move> = factors
        .coins
        .iter()
        .map(|mood| {
            let own = usual * regime.step(&mut random) - 0.002 * strayed;
            let change = if is_stable {
                // Returns to the dollar at once.
                let next = 0.0002 * own / usual;
                let change = next - strayed;
                strayed = next;
                change
            } else {
                strayed += own;
                beta * mood + own
            };
            Move {
                change,
                gap: 0.0,
                deviation,
                activity: 1.0,
            }
        })
        .collect();
    let reference = MarketWorld::REFERENCE_DAY
        .since(MarketWorld::FIRST_DAY)
        .max(0) as usize;
    let level = Level {
        price: coin.price,
        reference: reference.min(moves.len().saturating_sub(1)),
        fineness: if is_stable {
            Fineness::Decimals(4)
        } else {
            Fineness::Digits(6)
        },
        volume: coin.supply * if is_stable { 0.25 } else { 0.03 },
    };
    Line {
        key: format!("crypto:{}", coin.symbol),
        fineness: level.fineness,
        stream: hash_word(coin.symbol.as_str()),
        bars: draw(
            &moves,
            level,
            &mut bars_stream(seed, hash_word(&format!("coin {}", coin.symbol))),
        ),
    }
}
