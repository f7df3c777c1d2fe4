//! What moves many prices at once: the market, its sectors, interest rates, the mood among coins.
//!
//! Each factor has its own stream of chance and is drawn from the first day on, so that a day is the same whatever comes
//! after it.

use super::chance::{Weather, normal};
use super::clock::Clock;
use super::tables::SECTORS;
use crate::sim::random::{Random, hash_word};

/// Usual deviation of the market in a year.
pub(super) const MARKET_YEAR: f64 = 0.145;
/// Sessions in a year.
pub(super) const SESSIONS_A_YEAR: f64 = 252.0;
/// Usual deviations of the sectors in a year, over and above the market's.
const SECTOR_YEAR: [f64; 11] = [
    0.18, 0.12, 0.09, 0.11, 0.11, 0.10, 0.12, 0.13, 0.11, 0.13, 0.12,
];
/// Growth of the market in a year.
const MARKET_GROWTH: f64 = 0.07;
/// How strongly a level is pulled back to its trend each day, so that levels stay plausible for years.
const PULL: f64 = 0.0012;

/// Maturities of the yields, in years.
pub(super) const MATURITIES: [u32; 4] = [2, 5, 10, 30];

/// Daily moves that many prices share. Returns are logarithmic.
#[derive(Debug, Default)]
pub(super) struct Factors {
    /// By session.
    pub(super) market: Vec<f64>,
    /// Deviation of the market that is to be expected after each session, in a year.
    pub(super) market_deviation: Vec<f64>,
    /// By sector and session.
    pub(super) sectors: Vec<Vec<f64>>,
    /// Yields in percent by session, one for each of [`MATURITIES`].
    pub(super) yields: Vec<[f64; 4]>,
    /// By UTC day from the first one.
    pub(super) coins: Vec<f64>,
}

impl Factors {
    /// Draws every factor.
    pub(super) fn draw(seed: u64, clock: &Clock) -> Self {
        let sessions = clock.sessions().len();
        let mut factors = Self {
            sectors: SECTORS
                .iter()
                .zip(SECTOR_YEAR)
                .map(|(sector, year)| sector_moves(&mut stream(seed, sector), year, sessions))
                .collect(),
            yields: draw_yields(&mut stream(seed, "yields"), sessions),
            ..Self::default()
        };
        factors.draw_market(&mut stream(seed, "market"), sessions);
        factors.draw_coins(&mut stream(seed, "coins"), clock);
        factors
    }

    fn draw_market(&mut self, random: &mut Random, sessions: usize) {
        let usual = MARKET_YEAR / SESSIONS_A_YEAR.sqrt();
        let mut weather = Weather::of_market();
        let mut strayed = 0.0;
        for _ in 0..sessions {
            let stray = usual * weather.step(random) - PULL * strayed;
            strayed += stray;
            self.market.push(MARKET_GROWTH / SESSIONS_A_YEAR + stray);
            self.market_deviation
                .push(MARKET_YEAR * weather.deviation());
        }
    }

    fn draw_coins(&mut self, random: &mut Random, clock: &Clock) {
        let usual = 0.52 / 365.0_f64.sqrt();
        let mut weather = Weather::of_one();
        let mut strayed = 0.0;
        let mut session = 0;
        for day in 0..clock.days() {
            // Coins feel the exchanges on the days on which these are open.
            let here = super::MarketWorld::FIRST_DAY.plus(day as i32);
            while clock
                .sessions()
                .get(session)
                .is_some_and(|known| known.day < here)
            {
                session += 1;
            }
            let felt = match clock.sessions().get(session) {
                Some(known) if known.day == here => self.market.get(session).copied(),
                _ => None,
            };
            let stray =
                usual * weather.step(random) + 0.9 * felt.unwrap_or(0.0) - PULL * 1.5 * strayed;
            strayed += stray;
            self.coins.push(stray);
        }
    }
}

/// A stream of chance for something by its name.
pub(super) fn stream(seed: u64, name: &str) -> Random {
    Random::of(&[seed, hash_word("market"), hash_word(name)])
}

fn sector_moves(random: &mut Random, year: f64, sessions: usize) -> Vec<f64> {
    let usual = year / SESSIONS_A_YEAR.sqrt();
    let mut weather = Weather::of_one();
    let mut strayed = 0.0;
    (0..sessions)
        .map(|_| {
            let stray = usual * weather.step(random) - PULL * strayed;
            strayed += stray;
            stray
        })
        .collect()
}

/// Ten years as the level, the others by the slope, each pulled back to what is usual.
fn draw_yields(random: &mut Random, sessions: usize) -> Vec<[f64; 4]> {
    let (mut level, mut slope) = (4.1_f64, 0.5_f64);
    (0..sessions)
        .map(|_| {
            level += 0.055 * normal(random) - 0.003 * (level - 4.1);
            slope += 0.03 * normal(random) - 0.004 * (slope - 0.5);
            level = level.max(0.6);
            slope = slope.clamp(-1.2, 2.2);
            let hundredth = |value: f64| (value.max(0.05) * 100.0).round() / 100.0;
            [
                hundredth(level - slope),
                hundredth(level - 0.62 * slope),
                hundredth(level),
                hundredth(level + 0.45 + 0.25 * slope),
            ]
        })
        .collect()
}
