//! What moves many prices at once: the market, its sectors, interest rates and the mood in crypto.
//!
//! Each factor has its own random stream and is drawn from the first day on, so that a day is the same whatever comes
//! after it.

use super::chance::{VolatilityRegime, normal};
use super::clock::Clock;
use super::economy::policy_rates;
use super::tables::SECTORS;
use crate::random::{Random, hash_word};

/// The market's usual annual deviation.
pub(super) const MARKET_YEAR: f64 = 0.145;
/// Sessions per year.
pub(super) const SESSIONS_A_YEAR: f64 = 252.0;
/// The usual annual deviations of the sectors, over and above the market's.
const SECTOR_YEAR: [f64; 11] = [
    0.18, 0.12, 0.09, 0.11, 0.11, 0.10, 0.12, 0.13, 0.11, 0.13, 0.12,
];
/// Annual growth of the market.
const MARKET_GROWTH: f64 = 0.07;
/// How strongly a level is pulled back to its trend each day, so that levels stay plausible for years.
const PULL: f64 = 0.0012;

/// The policy rate that yields swing around, in percent.
const USUAL_RATE: f64 = super::economy::USUAL_POLICY_RATE;

/// Maturities of the yields, in years.
pub(super) const MATURITIES: [u32; 4] = [2, 5, 10, 30];

/// Daily moves shared by many prices. Returns are logarithmic.
#[derive(Debug, Default)]
pub(super) struct Factors {
    /// By session.
    pub(super) market: Vec<f64>,
    /// The market's expected annual deviation after each session.
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
            yields: draw_yields(seed, clock),
            ..Self::default()
        };
        factors.draw_market(&mut stream(seed, "market"), sessions);
        factors.draw_coins(&mut stream(seed, "coins"), clock);
        factors
    }

    fn draw_market(&mut self, random: &mut Random, sessions: usize) {
        let usual = MARKET_YEAR / SESSIONS_A_YEAR.sqrt();
        let mut regime = VolatilityRegime::of_market();
        let growth = MARKET_GROWTH / SESSIONS_A_YEAR;
        let mut strayed = 0.0;
        for _ in 0..sessions {
            let stray = usual * regime.step(random) - PULL * strayed;
            strayed += stray;
            self.market.push(growth + stray);
            self.market_deviation.push(MARKET_YEAR * regime.deviation());
        }
    }

    fn draw_coins(&mut self, random: &mut Random, clock: &Clock) {
        let usual = 0.52 / 365.0_f64.sqrt();
        let mut regime = VolatilityRegime::of_one();
        let mut strayed = 0.0;
        let mut session = 0;
        for day in 0..clock.days() {
            // Coins are affected by the exchanges on the days on which these are open.
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
                usual * regime.step(random) + 0.9 * felt.unwrap_or(0.0) - PULL * 1.5 * strayed;
            strayed += stray;
            self.coins.push(stray);
        }
    }
}

/// A random stream for something, identified by its name.
pub(super) fn stream(seed: u64, name: &str) -> Random {
    Random::of(&[seed, hash_word("market"), hash_word(name)])
}

fn sector_moves(random: &mut Random, year: f64, sessions: usize) -> Vec<f64> {
    let usual = year / SESSIONS_A_YEAR.sqrt();
    let mut regime = VolatilityRegime::of_one();
    let mut strayed = 0.0;
    (0..sessions)
        .map(|_| {
            let stray = usual * regime.step(random) - PULL * strayed;
            strayed += stray;
            stray
        })
        .collect()
}

/// Two-year yields follow the policy rate; ten-year yields lie above them by the slope, which is flat when the policy
/// rate is high.
fn draw_yields(seed: u64, clock: &Clock) -> Vec<[f64; 4]> {
    let mut random = stream(seed, "yields");
    let Some(last) = clock.sessions().last() else {
        return Vec::new();
    };
    let policy = policy_rates(seed, last.day);
    let (mut over_policy, mut slope) = (0.1_f64, 0.5_f64);
    let mut month = 0;
    let mut two_before = None;
    clock
        .sessions()
        .iter()
        .map(|session| {
            while policy
                .get(month + 1)
                .is_some_and(|next| next.day <= session.day)
            {
                month += 1;
            }
            let rate = policy.get(month).map_or(USUAL_RATE, |known| known.value);
            // The market has anticipated a policy rate step: it does not jump with it.
            let two: f64 = two_before.unwrap_or(rate + over_policy);
            over_policy = two - rate;
            over_policy += 0.045 * normal(&mut random) - 0.03 * (over_policy - 0.1);
            let usual_slope = 0.5 - 0.6 * (rate - USUAL_RATE);
            slope += 0.03 * normal(&mut random) - 0.02 * (slope - usual_slope);
            slope = slope.clamp(-0.75, 1.45);
            let two = rate + over_policy;
            let ten = two + slope;
            // Pulled back hard when it would leave the plausible range, so that it never rests at a limit.
            slope -= 0.25 * ((ten - 4.5).max(0.0) - (2.5 - ten).max(0.0));
            let ten = (two + slope).clamp(2.2, 4.8);
            two_before = Some(two);
            let hundredth = |value: f64| (value.max(0.05) * 100.0).round() / 100.0;
            [
                hundredth(two),
                hundredth(two + 0.38 * (ten - two)),
                hundredth(ten),
                hundredth(ten + 0.35 + 0.15 * slope),
            ]
        })
        .collect()
}
