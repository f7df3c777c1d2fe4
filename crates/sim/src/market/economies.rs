//! Statistics and policy rates for the simulated economies, and the days on which they are announced.
//!
//! The US figures are those of the published series. Figures for other economies are reported only by the newswire.
//! They are drawn like the US ones, so that each announcement follows from the previous one.

use std::sync::LazyLock;

use model::{Day, table};

use super::chance::normal;
use super::clock::{month_begin, month_of, working_day};
use super::economy::{FED_MEETS, FIRST_MONTH, american, lag_of};
use super::factors::stream;
use super::reports::Quarter;
use crate::random::hash_word;

/// The code of the economy that has published series.
const AMERICA: &str = "US";

/// An announcement about an economy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Statistics {
    pub(crate) code: &'static str,
    pub(crate) release: Release,
}

/// What is announced; rates are in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Release {
    /// Consumer prices for the previous month.
    Prices {
        rate: f64,
        before: f64,
        core: f64,
        /// Compared with the month before that, if it is published.
        monthly: Option<f64>,
    },
    /// The labour market in the previous month.
    Jobs {
        thousands: f64,
        unemployment: f64,
        before: f64,
        wages: f64,
    },
    /// Gross domestic product for the previous quarter, in current prices.
    Growth {
        quarter: f64,
        year: f64,
        before: f64,
    },
}

/// A central bank decision; rates are in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) code: &'static str,
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// The date of the next decision.
    pub(crate) next: Day,
    /// Inflation in its economy, as last announced.
    pub(crate) inflation: f64,
}

/// An economy with statistics that only the newswire reports.
struct Economy {
    code: &'static str,
    inflation: f64,
    core: f64,
    unemployment: f64,
    wages: f64,
    growth: f64,
    jobs: f64,
}

/// A central bank other than the US one.
struct Bank {
    code: &'static str,
    usual: f64,
    away: f64,
    first_month: i32,
    around: i32,
}

static ECONOMIES: LazyLock<Vec<Economy>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/countries.tsv"))
        .filter_map(
            |[code, inflation, core, unemployment, wages, growth, jobs]| {
                Some(Economy {
                    code,
                    inflation: inflation.parse().ok()?,
                    core: core.parse().ok()?,
                    unemployment: unemployment.parse().ok()?,
                    wages: wages.parse().ok()?,
                    growth: growth.parse().ok()?,
                    jobs: jobs.parse().ok()?,
                })
            },
        )
        .collect()
});

static BANKS: LazyLock<Vec<Bank>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/banks.tsv"))
        .filter_map(|[code, usual, away, first_month, around]| {
            Some(Bank {
                code,
                usual: usual.parse().ok()?,
                away: away.parse().ok()?,
                first_month: first_month.parse().ok()?,
                around: around.parse().ok()?,
            })
        })
        .collect()
});

/// What is announced on a given day.
pub(crate) fn released_on(seed: u64, day: Day) -> Vec<Statistics> {
    let month = month_of(day) - 1;
    let quarter = Quarter(Quarter::of_month(month_of(day)).0 - 1);
    if month < FIRST_MONTH + 15 {
        return Vec::new();
    }
    let codes = std::iter::once(AMERICA).chain(ECONOMIES.iter().map(|economy| economy.code));
    let mut released = Vec::new();
    for code in codes {
        let mut add = |release: Option<Release>| {
            released.extend(release.map(|release| Statistics { code, release }));
        };
        if prices_day(code, month) == day {
            add(prices(seed, code, month));
        }
        if jobs_day(code, month) == day {
            add(jobs(seed, code, month));
        }
        if growth_day(code, quarter) == day {
            add(growth(seed, code, quarter));
        }
    }
    released
}

/// What central banks decide on a given day.
pub(crate) fn decided_on(seed: u64, day: Day) -> Vec<Decision> {
    let month = month_of(day);
    let codes = std::iter::once(AMERICA).chain(BANKS.iter().map(|bank| bank.code));
    codes
        .filter(|code| meets_in(code, month) && meeting_day(code, month) == day)
        .filter_map(|code| {
            let next = (month + 1..month + 12).find(|month| meets_in(code, *month))?;
            let known = (FIRST_MONTH + 15..month)
                .rev()
                .find(|month| prices_day(code, *month) < day)?;
            Some(Decision {
                code,
                before: policy_rate(seed, code, month)?,
                after: policy_rate(seed, code, month + 1)?,
                next: meeting_day(code, next),
                inflation: inflation(seed, code, known)?,
            })
        })
        .collect()
}

fn prices_day(code: &str, month: i32) -> Day {
    if code == AMERICA {
        return working_day(month_begin(month).plus(lag_of("CPIAUCSL")));
    }
    working_day(month_begin(month + 1).plus(13 + part_of(code, 0, 12)))
}

fn jobs_day(code: &str, month: i32) -> Day {
    if code == AMERICA {
        return working_day(month_begin(month).plus(lag_of("PAYEMS")));
    }
    working_day(month_begin(month + 1).plus(1 + part_of(code, 8, 11)))
}

fn growth_day(code: &str, quarter: Quarter) -> Day {
    if code == AMERICA {
        return working_day(quarter.begin().plus(lag_of("GDP")));
    }
    working_day(quarter.end().plus(25 + part_of(code, 16, 20)))
}

/// A number below `bound` that is derived from a word.
fn part_of(code: &str, shift: u32, bound: u64) -> i32 {
    ((hash_word(code) >> shift) % bound) as i32
}

fn meets_in(code: &str, month: i32) -> bool {
    if code == AMERICA {
        return FED_MEETS[month.rem_euclid(12) as usize];
    }
    BANKS
        .iter()
        .any(|bank| bank.code == code && (month + 1 - bank.first_month).rem_euclid(3) != 2)
}

/// The Wednesday or Thursday on which a bank decides; in the US, towards the end of the month.
fn meeting_day(code: &str, month: i32) -> Day {
    let bank = BANKS.iter().find(|bank| bank.code == code);
    let (around, weekday) = bank.map_or((22, 2), |bank| (bank.around, 3));
    let earliest = month_begin(month).plus(around - 1);
    earliest.plus((weekday - earliest.since(earliest.monday())).rem_euclid(7))
}

fn policy_rate(seed: u64, code: &str, month: i32) -> Option<f64> {
    if code == AMERICA {
        return american(seed, "FEDFUNDS", month);
    }
    let bank = BANKS.iter().find(|bank| bank.code == code)?;
    let mut random = stream(seed, &format!("policy rate {code}"));
    let mut rate = bank.usual;
    for month in FIRST_MONTH..month {
        let lot = random.unit();
        if !meets_in(code, month) {
            continue;
        }
        let bend = 0.1 * (bank.usual - rate) / bank.away;
        if lot < 0.14 + bend && rate < bank.usual + bank.away {
            rate += 0.25;
        } else if lot > 0.86 + bend && rate > bank.usual - bank.away {
            rate -= 0.25;
        }
    }
    Some(rate)
}

fn prices(seed: u64, code: &str, month: i32) -> Option<Release> {
    let (core, monthly) = if code == AMERICA {
        let now = american(seed, "CPIAUCSL", month)?;
        let before = american(seed, "CPIAUCSL", month - 1)?;
        let monthly = Some(tenth(100.0 * (now / before - 1.0)));
        (in_a_year(seed, "CPILFESL", month)?, monthly)
    } else {
        let economy = economy(code)?;
        (swinging(seed, code, "core", economy.core, 0.1, month), None)
    };
    Some(Release::Prices {
        rate: inflation(seed, code, month)?,
        before: inflation(seed, code, month - 1)?,
        core,
        monthly,
    })
}

fn inflation(seed: u64, code: &str, month: i32) -> Option<f64> {
    if code == AMERICA {
        return in_a_year(seed, "CPIAUCSL", month);
    }
    let usual = economy(code)?.inflation;
    Some(swinging(seed, code, "inflation", usual, 0.16, month))
}

fn jobs(seed: u64, code: &str, month: i32) -> Option<Release> {
    if code == AMERICA {
        let (now, before) = (
            american(seed, "PAYEMS", month)?,
            american(seed, "PAYEMS", month - 1)?,
        );
        return Some(Release::Jobs {
            thousands: now - before,
            unemployment: american(seed, "UNRATE", month)?,
            before: american(seed, "UNRATE", month - 1)?,
            wages: swinging(seed, code, "wages", 3.7, 0.12, month),
        });
    }
    let economy = economy(code)?;
    let unemployment = |month| {
        swinging(
            seed,
            code,
            "unemployment",
            economy.unemployment,
            0.09,
            month,
        )
    };
    let noise = normal(&mut stream(seed, &format!("jobs {code} {month}")));
    Some(Release::Jobs {
        thousands: (economy.jobs * (1.0 + 0.5 * noise)).round(),
        unemployment: unemployment(month),
        before: unemployment(month - 1),
        wages: swinging(seed, code, "wages", economy.wages, 0.12, month),
    })
}

fn growth(seed: u64, code: &str, quarter: Quarter) -> Option<Release> {
    let of = |quarter: Quarter| -> Option<f64> {
        if code == AMERICA {
            let now = american(seed, "GDP", quarter.0 * 3)?;
            let before = american(seed, "GDP", quarter.0 * 3 - 3)?;
            return Some(tenth(100.0 * (now / before - 1.0)));
        }
        let usual = economy(code)?.growth;
        let noise = normal(&mut stream(seed, &format!("growth {code} {}", quarter.0)));
        Some(tenth((usual + 0.3 * noise).max(0.1)))
    };
    let year = if code == AMERICA {
        let now = american(seed, "GDP", quarter.0 * 3)?;
        let before = american(seed, "GDP", quarter.0 * 3 - 12)?;
        tenth(100.0 * (now / before - 1.0))
    } else {
        let quarters: Option<Vec<f64>> = (0..4).map(|back| of(Quarter(quarter.0 - back))).collect();
        let product: f64 = quarters?.iter().map(|rate| 1.0 + rate / 100.0).product();
        tenth(100.0 * (product - 1.0))
    };
    Some(Release::Growth {
        quarter: of(quarter)?,
        year,
        before: of(Quarter(quarter.0 - 1))?,
    })
}

fn economy(code: &str) -> Option<&'static Economy> {
    ECONOMIES.iter().find(|economy| economy.code == code)
}

/// The rise in a published series over a year.
fn in_a_year(seed: u64, id: &str, month: i32) -> Option<f64> {
    let (now, before) = (american(seed, id, month)?, american(seed, id, month - 12)?);
    Some(tenth(100.0 * (now / before - 1.0)))
}

/// A rate that swings around its usual value, for a given month.
fn swinging(seed: u64, code: &str, what: &str, usual: f64, noise: f64, month: i32) -> f64 {
    let mut random = stream(seed, &format!("{what} {code}"));
    let mut value = usual;
    for _ in FIRST_MONTH..month {
        value += noise * normal(&mut random) - 0.06 * (value - usual);
        value = value.max(usual * 0.25);
    }
    tenth(value)
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_tables_are_sound() {
        let economies = include_str!("../../data/countries.tsv");
        assert_eq!(table::fault(economies, 7, 1), None);
        assert_eq!(table::lines(economies).count(), ECONOMIES.len());
        let banks = include_str!("../../data/banks.tsv");
        assert_eq!(table::fault(banks, 5, 1), None);
        assert_eq!(table::lines(banks).count(), BANKS.len());
        assert!(BANKS.iter().all(|bank| economy(bank.code).is_some()));
    }

    #[test]
    fn each_announcement_follows_from_the_one_before() {
        let days = || (20_000..21_500).filter_map(Day::new);
        let mut rates: BTreeMap<&str, (f64, Day)> = BTreeMap::new();
        let (mut steps, mut held) = (0, 0);
        for (day, decision) in days().flat_map(|day| {
            decided_on(42, day)
                .into_iter()
                .map(move |decision| (day, decision))
        }) {
            if let Some((rate, announced)) =
                rates.insert(decision.code, (decision.after, decision.next))
            {
                assert_eq!(rate, decision.before, "{day:?} {decision:?}");
                assert_eq!(announced, day, "{decision:?}");
            }
            let step = (decision.after - decision.before).abs();
            assert!(step == 0.0 || step == 0.25, "{decision:?}");
            assert!((0.0..6.0).contains(&decision.after), "{decision:?}");
            steps += usize::from(step > 0.0);
            held += usize::from(step == 0.0);
        }
        assert!(steps > 30 && held > steps, "{steps} {held}");
        let mut inflation: BTreeMap<&str, f64> = BTreeMap::new();
        let mut released = 0;
        for statistics in days().flat_map(|day| released_on(42, day)) {
            let Release::Prices { rate, before, .. } = statistics.release else {
                continue;
            };
            released += 1;
            let known = inflation.insert(statistics.code, rate);
            assert!(
                known.is_none_or(|known| known == before),
                "{statistics:?} {known:?}"
            );
        }
        assert!(released > 13 * 45, "{released}");
    }
}
