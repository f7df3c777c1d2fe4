//! When companies report their quarters, what they earned, and what was expected of them.
//!
//! Fiscal years match calendar years. The newswire reports results on the day of the report, with its figures.

use model::{Day, Earnings, EarningsStatus, ReportTime, Symbol, Timestamp};

use super::chance::normal;
use super::clock::{Clock, end_of, month_begin, month_of, working_day};
use super::tables::{FINANCIALS, Share, TECHNOLOGY};
use super::{MarketWorld, SOURCE};
use crate::random::Random;

/// How many days before a report its date is confirmed.
const CONFIRMED_DAYS: i32 = 14;
/// Real companies that are not yet profitable.
const UNPROFITABLE: [&str; 12] = [
    "RIVN", "LCID", "SNAP", "U", "PATH", "AI", "MRNA", "RBLX", "SNOW", "MDB", "TEAM", "NET",
];

/// Price to earnings, by sector.
const MULTIPLES: [f64; 11] = [
    13.0, 17.0, 22.0, 21.0, 21.0, 20.0, 14.0, 29.0, 19.0, 18.0, 30.0,
];
/// Net income as a share of revenue, by sector.
const MARGINS: [f64; 11] = [
    0.09, 0.09, 0.09, 0.07, 0.07, 0.12, 0.22, 0.22, 0.14, 0.13, 0.22,
];
/// Interest-bearing debt as a share of equity, by sector.
const DEBTS: [f64; 11] = [0.55, 0.5, 0.6, 0.65, 0.75, 0.5, 1.1, 0.3, 0.65, 1.45, 1.2];
/// Dividend as a share of the price, by sector.
const YIELDS: [f64; 11] = [
    0.034, 0.02, 0.014, 0.011, 0.026, 0.016, 0.024, 0.006, 0.012, 0.031, 0.039,
];

/// A calendar quarter, numbered consecutively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Quarter(pub(super) i32);

impl Quarter {
    pub(super) const fn of_month(month: i32) -> Self {
        Self(month / 3)
    }

    /// One to four.
    pub(super) const fn number(self) -> i32 {
        self.0 % 4 + 1
    }

    pub(super) const fn year(self) -> i32 {
        self.0 / 4
    }

    pub(super) fn begin(self) -> Day {
        month_begin(self.0 * 3)
    }

    pub(super) fn end(self) -> Day {
        month_begin(self.0 * 3 + 3).plus(-1)
    }

    /// The first quarter of its year.
    pub(super) const fn first(self) -> Self {
        Self(self.year() * 4)
    }

    pub(super) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    fn name(self) -> String {
        format!("Q{} {}", self.number(), self.year())
    }
}

/// How a company earns: what stays the same from quarter to quarter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Business {
    /// Annual earnings per share on the reference day.
    pub(super) eps_year: f64,
    /// Net income as a share of revenue.
    pub(super) margin: f64,
    /// Annual growth.
    pub(super) growth: f64,
    /// Annual dividend as a share of the price on the reference day.
    pub(super) dividend_yield: f64,
    pub(super) count: f64,
    /// Interest-bearing debt as a share of equity.
    pub(super) leverage: f64,
    rhythm: [f64; 4],
    offset: i32,
    before_open: bool,
}

impl Business {
    pub(super) fn of(seed: u64, share: &Share) -> Self {
        let mut random = Random::of(&[seed, 11, share.stream]);
        let sector = share.sector;
        let loses = if share.is_fictional() {
            random.chance(0.14) && sector != FINANCIALS
        } else {
            random.next();
            UNPROFITABLE.contains(&share.symbol.as_str())
        };
        // A separate draw, so that nothing else depends on it.
        let mut borrowing = Random::of(&[seed, 15, share.stream]);
        let leverage = DEBTS[sector] * (0.45 * normal(&mut borrowing)).exp();
        let multiple = MULTIPLES[sector] * (0.25 * normal(&mut random)).exp();
        let margin = MARGINS[sector] * (0.2 * normal(&mut random)).exp();
        let pays = random.chance(if sector == TECHNOLOGY { 0.5 } else { 0.8 });
        Self {
            eps_year: if loses {
                -0.025 * share.price
            } else {
                share.price / multiple
            },
            margin: if loses { -0.15 } else { margin.min(0.45) },
            growth: (0.06 + 0.04 * normal(&mut random)).clamp(-0.02, 0.18),
            dividend_yield: if pays && !loses {
                YIELDS[sector] * (0.3 * normal(&mut random)).exp()
            } else {
                0.0
            },
            count: share.count(),
            leverage: leverage.clamp(0.02, 2.5),
            rhythm: std::array::from_fn(|_| 1.0 + 0.05 * normal(&mut random)),
            offset: if sector == FINANCIALS {
                random.range(12, 26) as i32
            } else {
                random.range(19, 46) as i32
            },
            before_open: random.chance(0.5),
        }
    }

    /// How much larger the company is in a quarter than on the reference day.
    pub(super) fn scale(&self, quarter: Quarter) -> f64 {
        let years = f64::from(quarter.end().since(MarketWorld::REFERENCE_DAY)) / 365.25;
        (self.growth * years).exp()
    }

    fn per_share(&self, quarter: Quarter, luck: f64) -> f64 {
        let season = self.rhythm[(quarter.number() - 1) as usize];
        self.eps_year / 4.0 * self.scale(quarter) * season * luck
    }

    fn revenue(&self, quarter: Quarter, luck: f64) -> f64 {
        million(self.per_share(quarter, luck) * self.shares(quarter) / self.margin)
    }

    /// Cash per share in a quarter, in the currency of its listing; zero for a company that pays none.
    pub(super) fn dividend(&self, share: &Share, quarter: Quarter) -> f64 {
        cents(share.price * self.dividend_yield / 4.0 * self.scale(quarter))
    }

    /// Fewer shares from year to year, because of buybacks.
    pub(super) fn shares(&self, quarter: Quarter) -> f64 {
        let years = f64::from(quarter.end().since(MarketWorld::REFERENCE_DAY)) / 365.25;
        (self.count * (1.0 - 0.008 * years).clamp(0.7, 1.3)).round()
    }
}

/// One company's report for one quarter.
#[derive(Clone, Debug)]
pub(super) struct Report {
    pub(super) quarter: Quarter,
    pub(super) at: Timestamp,
    /// Its day, as the exchange counts it.
    pub(super) day: Day,
    /// The time of day when the company reports, always the same.
    time: ReportTime,
    /// The first session that trades after it.
    pub(super) session: Option<usize>,
    /// Its effect on the price, as a logarithm.
    pub(super) size: f64,
    pub(super) eps: f64,
    pub(super) revenue: f64,
    /// When its date is first projected: after the previous report.
    estimated: Day,
    pub(super) eps_estimate: f64,
    pub(super) revenue_estimate: f64,
}

/// What is drawn at random for a report.
struct Chance {
    delay: i32,
    minutes: i64,
    surprise: f64,
    size: f64,
    luck: f64,
}

impl Chance {
    fn of(seed: u64, share: &Share, quarter: Quarter) -> Self {
        let mut random = Random::of(&[seed, 12, share.stream, quarter.0 as u64]);
        let delay = random.range(-2, 2) as i32;
        let minutes = random.range(5, 55);
        let surprise = (0.015 + 0.045 * normal(&mut random)).clamp(-0.2, 0.25);
        Self {
            delay,
            minutes,
            surprise,
            size: 0.75 * (surprise - 0.015) + 0.013 * normal(&mut random),
            luck: 1.0 + 0.05 * normal(&mut random),
        }
    }
}

/// Every report of a company for a quarter that begins before the last session, in chronological order. The day of a
/// report beyond the last session is a guess, as in real life.
pub(super) fn of(seed: u64, share: &Share, clock: &Clock) -> Vec<Report> {
    let business = Business::of(seed, share);
    let Some(last) = clock.sessions().last() else {
        return Vec::new();
    };
    let first = Quarter::of_month(month_of(MarketWorld::FIRST_DAY)).0;
    let newest = Quarter::of_month(month_of(last.day)).0;
    (first..=newest)
        .map(Quarter)
        .take_while(|quarter| quarter.begin() < last.day)
        .map(|quarter| report(seed, share, &business, quarter, clock))
        .collect()
}

fn report(
    seed: u64,
    share: &Share,
    business: &Business,
    quarter: Quarter,
    clock: &Clock,
) -> Report {
    let chance = Chance::of(seed, share, quarter);
    let end = quarter.end();
    let later = if quarter.number() == 4 { 7 } else { 0 };
    let planned = working_day(end.plus(business.offset + later + chance.delay));
    let minutes = chance.minutes * Timestamp::MINUTE_MS;
    let surprise = chance.surprise;
    let (at, day, session);
    if let Some(place) = clock.next(planned) {
        let known = &clock.sessions()[place];
        day = known.day;
        if business.before_open {
            at = known
                .opens_at
                .plus_ms(-2 * Timestamp::HOUR_MS - minutes / 2);
            session = Some(place);
        } else {
            at = known.closes_at.plus_ms(minutes / 2);
            session = clock.trading_after(at);
        }
    } else {
        at = end_of(planned).plus_ms(-3 * Timestamp::HOUR_MS);
        day = planned;
        session = None;
    }
    let per_share = business.per_share(quarter, chance.luck);
    let eps = cents(per_share);
    let revenue = business.revenue(quarter, chance.luck);
    // A surprise of the same size is also a step up for companies that lose money.
    let eps_estimate = cents(per_share - per_share.abs() * surprise);
    Report {
        quarter,
        at,
        day,
        time: if business.before_open {
            ReportTime::BeforeMarket
        } else {
            ReportTime::AfterMarket
        },
        session,
        size: chance.size,
        eps,
        revenue,
        estimated: quarter.begin().plus(business.offset + 10),
        eps_estimate,
        revenue_estimate: million(revenue * (1.0 - 0.25 * surprise)),
    }
}

impl Report {
    /// What becomes known about this report in a time span, newest last.
    pub(super) fn earnings(
        &self,
        share: &Share,
        plans_from: Day,
        stretch: &std::ops::Range<Timestamp>,
    ) -> Vec<Earnings> {
        let mut steps = vec![(self.at, EarningsStatus::Reported)];
        if self.day >= plans_from {
            let estimated = end_of(self.estimated);
            let confirmed = end_of(self.day.plus(-CONFIRMED_DAYS));
            steps.insert(0, (confirmed, EarningsStatus::Confirmed));
            steps.insert(0, (estimated, EarningsStatus::Estimated));
        }
        steps
            .into_iter()
            .filter(|(known_at, _)| stretch.contains(known_at))
            .map(|(_, status)| self.row(share.symbol.clone(), status))
            .collect()
    }

    fn row(&self, symbol: Symbol, status: EarningsStatus) -> Earnings {
        let is_reported = status == EarningsStatus::Reported;
        Earnings {
            symbol,
            fiscal_quarter: self.quarter.name(),
            date: self.day,
            status,
            time: Some(self.time),
            eps_estimate: Some(self.eps_estimate),
            revenue_estimate: Some(self.revenue_estimate),
            eps_actual: is_reported.then_some(self.eps),
            revenue_actual: is_reported.then_some(self.revenue),
            source: SOURCE.to_owned(),
        }
    }
}

/// Rounded to cents.
pub(super) fn cents(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Rounded to whole millions, or thousands for small amounts.
pub(super) fn million(value: f64) -> f64 {
    let unit = if value.abs() < 5e7 { 1e3 } else { 1e6 };
    (value / unit).round() * unit
}
