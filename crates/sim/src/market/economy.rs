//! Macro indicators and yields, published with the same delay as the real ones.

use std::ops::Range;

use model::{Day, Frequency, MarketBatch, Observation, Series, SeriesId, Timestamp};

use super::chance::normal;
use super::clock::{end_of, month_begin, month_of};
use super::factors::{MATURITIES, stream};
use super::{MarketWorld, SOURCE};

/// The first month of every indicator: January 2015.
pub(super) const FIRST_MONTH: i32 = 2015 * 12;

/// The jobs report appears on the first Friday of the next month; this lag reaches past that date for any month.
const JOBS_LAG: i32 = 38;

/// The policy rate that the Federal Reserve moves around, in percent.
pub(super) const USUAL_POLICY_RATE: f64 = 3.25;

/// Months in which the Federal Reserve meets. It decides towards the end of a month, with effect from the next.
pub(super) const FED_MEETS: [bool; 12] = [
    true, false, true, true, false, true, true, false, true, true, false, true,
];

/// How an indicator moves from one value to the next.
#[derive(Clone, Copy, Debug)]
enum Course {
    /// Grows by that much per year, with that much noise in each step.
    Growth { year: f64, noise: f64 },
    /// Swings around a level.
    Level { usual: f64, noise: f64, pull: f64 },
    /// Adds roughly that much in each step.
    Steps { step: f64, noise: f64 },
    /// Moves in quarter-point steps.
    Policy,
}

/// An indicator: its FRED ID, name, unit, first value, decimal places, lag in days, months between values.
struct Indicator {
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    first: f64,
    decimals: i32,
    lag: i32,
    months: i32,
    course: Course,
}

const fn monthly(
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    (first, decimals): (f64, i32),
    lag: i32,
    course: Course,
) -> Indicator {
    Indicator {
        id,
        name,
        unit,
        first,
        decimals,
        lag,
        months: 1,
        course,
    }
}

const fn growth(year: f64, noise: f64) -> Course {
    Course::Growth { year, noise }
}

const fn level(usual: f64, noise: f64, pull: f64) -> Course {
    Course::Level { usual, noise, pull }
}

const INDICATORS: [Indicator; 9] = [
    Indicator {
        id: "GDP",
        name: "Gross Domestic Product",
        unit: "billions of USD",
        first: 18_063.5,
        decimals: 3,
        // Four weeks after the end of the quarter; the observation is dated on its first day.
        lag: 119,
        months: 3,
        course: growth(0.0465, 0.004),
    },
    monthly(
        "CPIAUCSL",
        "Consumer Price Index for All Urban Consumers",
        "index 1982-1984=100",
        (234.7, 3),
        43,
        growth(0.0285, 0.0014),
    ),
    monthly(
        "CPILFESL",
        "Consumer Price Index without Food and Energy",
        "index 1982-1984=100",
        (239.8, 3),
        43,
        growth(0.0285, 0.0007),
    ),
    monthly(
        "UNRATE",
        "Unemployment Rate",
        "percent",
        (4.6, 1),
        JOBS_LAG,
        level(4.3, 0.1, 0.04),
    ),
    monthly(
        "FEDFUNDS",
        "Federal Funds Effective Rate",
        "percent",
        (3.0, 2),
        32,
        Course::Policy,
    ),
    monthly(
        "RSAFS",
        "Advance Retail Sales",
        "millions of USD",
        (436_500.0, 0),
        46,
        growth(0.0465, 0.007),
    ),
    monthly(
        "PAYEMS",
        "All Employees, Total Nonfarm",
        "thousands of persons",
        (140_560.0, 0),
        JOBS_LAG,
        Course::Steps {
            step: 140.0,
            noise: 75.0,
        },
    ),
    monthly(
        "UMCSENT",
        "Consumer Sentiment",
        "index 1966:Q1=100",
        (76.0, 1),
        28,
        level(70.0, 2.4, 0.08),
    ),
    monthly(
        "HOUST",
        "Housing Starts",
        "thousands of units",
        (1380.0, 0),
        48,
        level(1390.0, 65.0, 0.3),
    ),
];

impl MarketWorld {
    pub(super) fn add_economy(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let last = month_of(Day::of(stretch.end).min(Self::FIRST_DAY.plus(36_500)));
        for indicator in &INDICATORS {
            let observations: Vec<Observation> = values(self.seed, indicator, last)
                .filter(|observation| {
                    stretch.contains(&end_of(observation.day.plus(indicator.lag)))
                })
                .collect();
            if !observations.is_empty() {
                batch.series.push((indicator.series(), observations));
            }
        }
        self.add_yields(stretch, batch);
    }

    fn add_yields(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let yields = &self.paths().factors.yields;
        for (place, years) in MATURITIES.into_iter().enumerate() {
            let observations: Vec<Observation> = self
                .clock
                .sessions()
                .iter()
                .zip(yields)
                .filter(|(session, _)| {
                    session.day >= self.history_from && stretch.contains(&end_of(session.day))
                })
                .map(|(session, values)| Observation {
                    day: session.day,
                    value: values[place],
                })
                .collect();
            if !observations.is_empty() {
                let name = format!("{years}-Year Treasury Constant Maturity Rate");
                let id = format!("macro:DGS{years}");
                batch
                    .series
                    .push((super::prices::daily(&id, &name, "percent"), observations));
            }
        }
    }
}

/// The value of an indicator in a consecutively numbered month.
pub(super) fn american(seed: u64, id: &str, month: i32) -> Option<f64> {
    let indicator = INDICATORS.iter().find(|indicator| indicator.id == id)?;
    let observation = values(seed, indicator, month).last()?;
    (observation.day == month_begin(month)).then_some(observation.value)
}

/// Days from the first day of its period until an indicator is published.
pub(super) fn lag_of(id: &str) -> i32 {
    let indicator = INDICATORS.iter().find(|indicator| indicator.id == id);
    indicator.map_or(0, |indicator| indicator.lag)
}

/// The policy rate in percent, from the first month of all indicators to `last`.
pub(super) fn policy_rates(seed: u64, last: Day) -> Vec<Observation> {
    INDICATORS
        .iter()
        .filter(|indicator| matches!(indicator.course, Course::Policy))
        .flat_map(|indicator| values(seed, indicator, month_of(last)))
        .collect()
}

impl Indicator {
    fn series(&self) -> Series {
        Series {
            id: SeriesId::new("macro", self.id),
            name: self.name.to_owned(),
            unit: self.unit.to_owned(),
            frequency: if self.months == 3 {
                Frequency::Quarterly
            } else {
                Frequency::Monthly
            },
            source: SOURCE.to_owned(),
            publication_lag_days: self.lag,
        }
    }
}

fn values(seed: u64, indicator: &Indicator, last: i32) -> impl Iterator<Item = Observation> {
    let mut random = stream(seed, indicator.id);
    let mut value = indicator.first;
    let scale = 10.0_f64.powi(indicator.decimals);
    let share = f64::from(indicator.months) / 12.0;
    let course = indicator.course;
    (FIRST_MONTH..=last)
        .step_by(indicator.months as usize)
        .map(move |month| {
            let printed = (value * scale).round() / scale;
            let noise_now = normal(&mut random);
            match course {
                Course::Growth { year, noise } => {
                    value *= (year * share + noise * noise_now).exp();
                }
                Course::Level { usual, noise, pull } => {
                    value += noise * noise_now - pull * (value - usual);
                    value = value.max(usual * 0.4);
                }
                Course::Steps { step, noise } => value += step + noise * noise_now,
                Course::Policy => {
                    // A quarter point up or down if there is a meeting, more likely towards the usual level.
                    let bend = 0.075 * (USUAL_POLICY_RATE - value);
                    let lot = random.unit();
                    let meets = FED_MEETS[(month % 12) as usize];
                    if meets && lot < 0.16 + bend && value < 4.25 {
                        value += 0.25;
                    } else if meets && lot > 0.84 + bend && value > 2.25 {
                        value -= 0.25;
                    }
                }
            }
            Observation {
                day: month_begin(month),
                value: printed,
            }
        })
}
