//! Claims generated from the stored values: half of them true, half made false by another number, direction, name or side.
//!
//! The truth of a claim is worked out here from the raw values, by code that shares nothing with the reading of claims.
//! Numbers of false claims lie well beyond the rounding of the claim.

mod filings;
mod names;
mod wording;

use analysis::market::{MarketServices, PointInTime};
use model::{Observation, SeriesId, Timestamp};

use crate::random::Random;
use filings::Filings;
use names::{COINS, RATES, SERIES, SHARES, YIELDS};
use wording::{MONTHS, capital, date, grouped, last_of, lower_the, month, wrong};

/// A generated claim.
pub(super) struct Generated {
    pub(super) text: String,
    pub(super) is_true: bool,
    /// What kind of claim, for the counts.
    pub(super) kind: &'static str,
}

/// Something with a daily close.
struct Priced {
    /// As claims call it.
    names: Vec<String>,
    days: Vec<Observation>,
    volumes: Vec<f64>,
    unit: &'static str,
    decimals: usize,
}

/// A series with a value for each month.
struct Monthly {
    names: &'static [&'static str],
    rows: Vec<Observation>,
}

/// Generates claims from what the services hold.
pub(super) async fn claims(
    services: &MarketServices,
    now: Timestamp,
    count: usize,
) -> anyhow::Result<Vec<Generated>> {
    let world = World::load(services, now).await?;
    let mut random = Random::seeded(20_260_901);
    let mut claims = Vec::with_capacity(count);
    let mut tries = 0;
    while claims.len() < count && tries < count * 50 {
        tries += 1;
        let is_true = claims.len() % 2 == 0;
        if let Some((kind, text)) = world.claim(&mut random, is_true) {
            claims.push(Generated {
                text,
                is_true,
                kind,
            });
        }
    }
    Ok(claims)
}

struct World {
    priced: Vec<Priced>,
    shares: Vec<Priced>,
    yields: Vec<Priced>,
    rates: Vec<Monthly>,
    cpi: Vec<Observation>,
    core: Vec<Observation>,
    payrolls: Vec<Observation>,
    caps: Vec<Priced>,
    filings: Filings,
}

/// Days after which a smoothed average no longer depends on where it began.
const SETTLED: usize = 150;
const RSI_DAYS: f64 = 14.0;

/// Wilder's index over fourteen days, at the last of these.
fn relative_strength(days: &[Observation]) -> f64 {
    let (mut gain, mut loss) = (0.0, 0.0);
    for (place, pair) in days.windows(2).enumerate() {
        let change = pair[1].value - pair[0].value;
        let (up, down) = (change.max(0.0), (-change).max(0.0));
        // The first fourteen changes count alike.
        let share = 1.0 / (place as f64 + 1.0).min(RSI_DAYS);
        gain += (up - gain) * share;
        loss += (down - loss) * share;
    }
    100.0 * gain / (gain + loss).max(f64::MIN_POSITIVE)
}

fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> Option<&'a T> {
    (!from.is_empty()).then(|| &from[random.below(from.len())])
}

impl World {
    async fn load(services: &MarketServices, now: Timestamp) -> anyhow::Result<Self> {
        let when = PointInTime {
            end: now,
            as_of: None,
        };
        let series = async |id: &str| -> anyhow::Result<Vec<Observation>> {
            let values = services
                .series
                .values(&SeriesId(id.to_owned()), when)
                .await?;
            Ok(values.map(|values| values.observations).unwrap_or_default())
        };
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<String>>()
        };
        let (mut priced, mut shares, mut caps) = (Vec::new(), Vec::new(), Vec::new());
        for (symbol, names) in SHARES.iter().chain(&COINS) {
            let Some(listing) = services.instruments.look_up(symbol).await? else {
                continue;
            };
            let history = services.prices.history(&listing, when).await?;
            let candles = history.candles();
            let days = candles.days().iter().zip(candles.close());
            let found = Priced {
                names: owned(names),
                days: days
                    .map(|(day, value)| Observation {
                        day: *day,
                        value: *value,
                    })
                    .collect(),
                volumes: candles.volume().to_vec(),
                unit: "$",
                decimals: if candles.close().last().is_some_and(|close| *close < 5.0) {
                    4
                } else {
                    2
                },
            };
            if found.days.is_empty() {
                continue;
            }
            if listing.asset_type().never_closes() {
                let rows = series(&format!("cap:{symbol}")).await?;
                caps.push(Priced {
                    names: owned(names),
                    days: rows,
                    volumes: Vec::new(),
                    unit: "$",
                    decimals: 0,
                });
                priced.push(found);
            } else {
                shares.push(found);
            }
        }
        for (id, names, unit, decimals) in SERIES {
            let days = series(id).await?;
            if !days.is_empty() {
                priced.push(Priced {
                    names: owned(names),
                    days,
                    volumes: Vec::new(),
                    unit,
                    decimals,
                });
            }
        }
        let mut yields = Vec::new();
        for (id, names) in YIELDS {
            yields.push(Priced {
                names: owned(names),
                days: series(id).await?,
                volumes: Vec::new(),
                unit: "%",
                decimals: 2,
            });
        }
        let mut rates = Vec::new();
        for (id, names) in RATES {
            rates.push(Monthly {
                names,
                rows: series(id).await?,
            });
        }
        Ok(Self {
            priced,
            shares,
            yields,
            rates,
            cpi: series("macro:CPIAUCNS").await?,
            core: series("macro:CPILFESL").await?,
            payrolls: series("macro:PAYEMS").await?,
            caps,
            filings: Filings::load(services, when).await?,
        })
    }

    fn claim(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        match random.below(20) {
            0 | 1 => self.close(random, is_true),
            2 => self.side(random, is_true),
            3 => self.day_change(random, is_true),
            4 | 5 => self.year_change(random, is_true),
            6 => self.yield_level(random, is_true),
            7 => self.monthly(random, is_true),
            8 => self.prices_of_consumers(random, is_true),
            9 => self.jobs(random, is_true),
            10 => self.volume(random, is_true),
            11 => self.market_value(random, is_true),
            12 => self.outperformed(random, is_true),
            13 => self.filings.revenue(random, is_true),
            14 => self.filings.eps(random, is_true),
            15 => self.filings.margin(random, is_true),
            16 => self.filings.insider(random, is_true),
            17 => self.filings.lawmaker(random, is_true),
            18 => self.strength(random, is_true),
            _ => self.extreme(random, is_true),
        }
    }

    fn any(&self, random: &mut Random) -> Option<&Priced> {
        let all = self.shares.len() + self.priced.len();
        let place = random.below(all.max(1));
        self.shares
            .get(place)
            .or_else(|| self.priced.get(place.checked_sub(self.shares.len())?))
    }

    fn close(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = self.any(random)?;
        let row = of.days[random.below(of.days.len())];
        let decimals = of.decimals.saturating_sub(random.below(2));
        let value = if is_true {
            row.value
        } else {
            row.value * wrong(random)
        };
        let (name, unit, date) = (pick(random, &of.names)?, of.unit, date(random, row.day));
        let number = format!("{unit}{}", grouped(value, decimals));
        let verb = *pick(
            random,
            &["closed at", "settled at", "finished at", "ended the day at"],
        )?;
        Some((
            "close",
            match random.below(4) {
                0 => format!("{name} {verb} {number} {date}"),
                1 => format!("{}, {name} {verb} {number}.", capital(&date)),
                2 => format!(
                    "The closing price of {} was {number} {date}",
                    lower_the(name)
                ),
                _ => format!("{name} {verb} {number} {date}."),
            },
        ))
    }

    fn side(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = self.any(random)?;
        let row = of.days[random.below(of.days.len())];
        let above = random.below(2) == 0;
        let away = 0.02 + random.below(200) as f64 / 1000.0;
        let level = if above == is_true {
            row.value * (1.0 - away)
        } else {
            row.value * (1.0 + away)
        };
        let word = if above {
            *pick(random, &["above", "over", "higher than"])?
        } else {
            *pick(random, &["below", "under", "lower than"])?
        };
        let number = format!("{}{}", of.unit, grouped(level, of.decimals));
        let not = random.below(4) == 0;
        let name = pick(random, &of.names)?;
        let when = date(random, row.day);
        Some((
            "above or below",
            if not {
                let other = if above { "below" } else { "above" };
                format!("{name} did not close {other} {number} {when}")
            } else {
                format!("{name} closed {word} {number} {when}")
            },
        ))
    }

    fn day_change(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = self.any(random)?;
        let place = 1 + random.below(of.days.len().checked_sub(1)?);
        let (before, row) = (of.days[place - 1], of.days[place]);
        let change = (row.value / before.value - 1.0) * 100.0;
        if change.abs() < 0.3 || row.day.since(before.day) > 4 {
            return None;
        }
        let shown = if is_true {
            change.abs()
        } else {
            change.abs() + 0.4 + random.below(40) as f64 / 10.0
        };
        let falls = (change < 0.0) == (is_true || random.below(2) == 0);
        let verb = if falls {
            *pick(random, &["fell", "lost", "dropped", "slid", "was down"])?
        } else {
            *pick(random, &["rose", "gained", "climbed", "advanced", "was up"])?
        };
        let name = pick(random, &of.names)?;
        let percent = *pick(random, &["%", " percent", " per cent"])?;
        let decimals = 1 + random.below(2);
        Some((
            "daily change",
            format!(
                "{name} {verb} {shown:.decimals$}{percent} {}",
                date(random, row.day)
            ),
        ))
    }

    fn year_change(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = self.any(random)?;
        let (first, last) = (
            of.days.first()?.day.date().year(),
            of.days.last()?.day.date().year(),
        );
        let year = first
            + 1
            + random.below(
                usize::try_from(last - first - 1)
                    .ok()
                    .filter(|years| *years > 0)?,
            ) as i16;
        let (start, end) = (last_of(&of.days, year - 1)?, last_of(&of.days, year)?);
        let change = (end / start - 1.0) * 100.0;
        if change.abs() < 2.0 {
            return None;
        }
        let name = pick(random, &of.names)?;
        let falls = change < 0.0;
        if random.below(3) == 0 {
            let said = if falls == is_true {
                *pick(random, &["fell", "declined", "ended lower"])?
            } else {
                *pick(random, &["rose", "gained", "ended higher"])?
            };
            return Some(("yearly direction", format!("{name} {said} in {year}")));
        }
        let shown = if is_true {
            change.abs()
        } else {
            change.abs() * (1.15 + random.below(60) as f64 / 100.0) + 1.0
        };
        let verb = if falls {
            *pick(random, &["fell", "lost", "dropped", "was down"])?
        } else {
            *pick(random, &["rose", "gained", "returned", "climbed"])?
        };
        Some((
            "yearly change",
            match random.below(3) {
                0 => format!("In {year}, {} {verb} {shown:.1}%", lower_the(name)),
                1 => format!("{name} {verb} {shown:.1} percent in {year}."),
                _ => format!("{name} {verb} about {shown:.0}% during {year}"),
            },
        ))
    }

    fn yield_level(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.yields)?;
        let row = *pick(random, &of.days)?;
        let wrong_by = 0.15 + random.below(150) as f64 / 100.0;
        let value = if is_true {
            row.value
        } else {
            row.value + wrong_by
        };
        let name = pick(random, &of.names)?;
        let verb = *pick(random, &["was", "stood at", "closed at"])?;
        Some((
            "yield",
            format!("{name} {verb} {value:.2}% {}", date(random, row.day)),
        ))
    }

    fn monthly(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.rates)?;
        let place = 1 + random.below(of.rows.len().checked_sub(1)?);
        let (before, row) = (of.rows[place - 1], of.rows[place]);
        let name = pick(random, of.names)?;
        let is_rate = name.to_lowercase().contains("rate") || name.contains("unemployment");
        let unit = if is_rate {
            *pick(random, &["%", " percent"])?
        } else {
            ""
        };
        if random.below(3) == 0
            && (row.value - before.value).abs() > 0.05
            && row.day.since(before.day) < 40
        {
            let rises = (row.value > before.value) == is_true;
            let verb = if rises {
                *pick(random, &["rose", "increased", "went up"])?
            } else {
                *pick(random, &["fell", "declined", "went down"])?
            };
            return Some((
                "monthly direction",
                format!("{name} {verb} in {}", month(row.day)),
            ));
        }
        let value = if is_true {
            row.value
        } else {
            row.value * wrong(random) + 0.2
        };
        let decimals = if name.contains("fund") { 2 } else { 1 };
        Some((
            "monthly level",
            format!("{name} was {value:.decimals$}{unit} in {}", month(row.day)),
        ))
    }

    fn prices_of_consumers(
        &self,
        random: &mut Random,
        is_true: bool,
    ) -> Option<(&'static str, String)> {
        let (rows, names): (&[Observation], &[&str]) = if random.below(2) == 0 {
            (
                &self.cpi,
                &[
                    "CPI rose",
                    "Consumer prices rose",
                    "US inflation was",
                    "Annual inflation stood at",
                ],
            )
        } else {
            (
                &self.core,
                &[
                    "Core CPI rose",
                    "Core inflation was",
                    "Core CPI inflation stood at",
                ],
            )
        };
        let place = 12 + random.below(rows.len().checked_sub(12)?);
        let (before, row) = (rows[place - 12], rows[place]);
        if row.day.months_before(12) != before.day || row.day.date().year() < 1950 {
            return None;
        }
        let change = (row.value / before.value - 1.0) * 100.0;
        if change < 0.5 {
            return None;
        }
        let shown = if is_true {
            change
        } else {
            change + 0.7 + random.below(30) as f64 / 10.0
        };
        let name = *pick(random, names)?;
        let basis = if name.ends_with("rose") {
            *pick(
                random,
                &[" year on year", " from a year earlier", " year over year"],
            )?
        } else {
            ""
        };
        Some((
            "inflation",
            format!("{name} {shown:.1}%{basis} in {}", month(row.day)),
        ))
    }

    fn jobs(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let rows = &self.payrolls;
        let place = 1 + random.below(rows.len().checked_sub(1)?);
        let (before, row) = (rows[place - 1], rows[place]);
        let change = ((row.value - before.value) * 1000.0).round();
        if change.abs() < 20_000.0 || row.day.since(before.day) > 40 {
            return None;
        }
        let falls = (change < 0.0) == (is_true || random.below(2) == 0);
        let shown = if is_true {
            change.abs()
        } else {
            change.abs() * (1.3 + random.below(100) as f64 / 100.0)
        };
        let shown = grouped((shown / 1000.0).round() * 1000.0, 0);
        let when = month(row.day);
        Some((
            "payrolls",
            match (random.below(2), falls) {
                (0, true) => format!("Nonfarm payrolls fell by {shown} in {when}"),
                (0, false) => format!("Nonfarm payrolls rose by {shown} in {when}"),
                (_, true) => format!("The US economy lost {shown} jobs in {when}"),
                (_, false) => format!("The US economy added {shown} jobs in {when}"),
            },
        ))
    }

    fn volume(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.shares)?;
        let place = random.below(of.days.len());
        let volume = of
            .volumes
            .get(place)
            .copied()
            .filter(|volume| *volume > 1e6)?;
        let shown = if is_true {
            volume
        } else {
            volume * wrong(random)
        } / 1e6;
        let name = of.names.first()?;
        let when = date(random, of.days[place].day);
        Some((
            "volume",
            match random.below(2) {
                0 => format!("{name}'s trading volume was {shown:.1} million shares {when}"),
                _ => format!("{shown:.1} million {name} shares changed hands {when}"),
            },
        ))
    }

    fn market_value(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.caps)?;
        let row = *pick(random, &of.days)?;
        if row.value < 2e9 {
            return None;
        }
        let shown = if is_true {
            row.value
        } else {
            row.value * wrong(random)
        } / 1e9;
        let name = of.names.first()?;
        let what = *pick(
            random,
            &["market cap", "market value", "market capitalization"],
        )?;
        Some((
            "market value",
            format!(
                "{name}'s {what} was ${shown:.1} billion {}",
                date(random, row.day)
            ),
        ))
    }

    fn outperformed(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let (one, other) = (pick(random, &self.shares)?, pick(random, &self.shares)?);
        let year = 2021 + random.below(2) as i16;
        let change = |of: &Priced| Some(last_of(&of.days, year)? / last_of(&of.days, year - 1)?);
        let (mine, theirs) = (change(one)?, change(other)?);
        if (mine - theirs).abs() < 0.02 {
            return None;
        }
        let (better, worse) = if mine > theirs {
            (one, other)
        } else {
            (other, one)
        };
        let (first, second) = if is_true {
            (better, worse)
        } else {
            (worse, better)
        };
        let (first, second) = (first.names.first()?, second.names.first()?);
        let verb = *pick(random, &["outperformed", "beat", "did better than"])?;
        Some(("comparison", format!("{first} {verb} {second} in {year}")))
    }

    /// The relative strength index, which of a day needs the days before it.
    fn strength(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.shares)?;
        let place = SETTLED + random.below(of.days.len().checked_sub(SETTLED)?);
        let value = relative_strength(&of.days[..=place]);
        let name = of.names.first()?;
        let when = date(random, of.days[place].day);
        let away = 8.0 + random.below(10) as f64;
        if random.below(2) == 0 {
            let level = if value > 50.0 {
                value - away
            } else {
                value + away
            };
            // What lies above the lower and below the higher level is said of the one or of the other.
            let (word, opposite) = if value > level {
                ("above", "below")
            } else {
                ("below", "above")
            };
            let word = if is_true { word } else { opposite };
            return Some(("RSI", format!("{name}'s RSI was {word} {level:.0} {when}")));
        }
        let shown = match (is_true, value > 50.0) {
            (true, _) => value,
            (false, true) => value - away,
            (false, false) => value + away,
        };
        Some((
            "RSI",
            match random.below(2) {
                0 => format!("The 14-day RSI of {name} was {shown:.1} {when}"),
                _ => format!("{name}'s RSI stood at {shown:.0} {when}"),
            },
        ))
    }

    fn extreme(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.shares)?;
        let year = 2021 + random.below(2) as i16;
        let rows: Vec<&Observation> = of
            .days
            .iter()
            .filter(|row| row.day.date().year() == year)
            .collect();
        let high = random.below(2) == 0;
        let best = rows
            .iter()
            .copied()
            .reduce(|a, b| if (b.value > a.value) == high { b } else { a })?;
        let name = of.names.first()?;
        let word = if high { "highest" } else { "lowest" };
        if random.below(2) == 0 {
            let value = if is_true {
                best.value
            } else {
                best.value * wrong(random)
            };
            return Some((
                "extreme",
                format!("{name}'s {word} close of {year} was ${value:.2}"),
            ));
        }
        let day = if is_true {
            best.day
        } else {
            rows.get(random.below(rows.len()))?.day
        };
        if !is_true
            && rows
                .iter()
                .any(|row| row.day == day && row.value == best.value)
        {
            return None;
        }
        let on = day.date();
        Some((
            "extreme",
            format!(
                "{name} closed at its {word} level of {year} on {} {}",
                on.day(),
                MONTHS[usize::try_from(on.month() - 1).ok()?]
            ),
        ))
    }
}
