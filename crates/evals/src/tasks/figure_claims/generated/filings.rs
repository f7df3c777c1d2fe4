//! Claims about what filings say: results of companies, trades of insiders and lawmakers.

use std::collections::BTreeMap;

use analysis::market::{CongressQuery, InsiderQuery, MarketServices, PointInTime};
use market::fundamentals::StatementPeriod;
use model::{CongressTrade, Day, InsiderAction, InsiderLine};

use super::names::SHARES;
use super::pick;
use super::wording::{date, grouped, wrong};
use crate::random::Random;

/// Companies whose filings are in the data, by symbol and name.
const COMPANIES: [(&str, &str); 1] = [("SNOW", "Snowflake")];
/// Companies with forms of insiders.
const INSIDERS: [(&str, &str); 3] = [
    ("SNOW", "Snowflake"),
    ("AIR", "AAR"),
    ("TSVT", "2seventy bio"),
];
const QUARTERS: [&str; 4] = ["first", "second", "third", "fourth"];
/// So far beside what is recorded a number is no rounding of it.
const APART: f64 = 0.055;

/// A result of a fiscal year or quarter.
struct Result {
    company: &'static str,
    /// `fiscal 2024`, `the third quarter of fiscal 2024`.
    period: String,
    revenue: f64,
    before: Option<f64>,
    eps: Option<f64>,
    margins: Vec<(&'static str, f64)>,
}

pub(super) struct Filings {
    results: Vec<Result>,
    insiders: Vec<(&'static str, InsiderLine)>,
    lawmakers: Vec<CongressTrade>,
    names: BTreeMap<&'static str, &'static str>,
}

impl Filings {
    pub(super) async fn load(services: &MarketServices, when: PointInTime) -> anyhow::Result<Self> {
        let mut results = Vec::new();
        for (symbol, company) in COMPANIES {
            let Some(listing) = services.instruments.look_up(symbol).await? else {
                continue;
            };
            let Some(symbol) = listing.disclosing_symbol() else {
                continue;
            };
            let mut ends: Vec<Day> = Vec::new();
            for period in [StatementPeriod::Year, StatementPeriod::Quarter] {
                let found = services.fundamentals.statements_of(symbol, period, when);
                let statements = found.await?.map(|(_, rows)| rows).unwrap_or_default();
                if period == StatementPeriod::Year {
                    ends = statements.iter().map(|row| row.end).collect();
                }
                for row in &statements {
                    let Some(revenue) = row.revenue else { continue };
                    let Some(period) = named(row.end, &ends, period) else {
                        continue;
                    };
                    let before = statements
                        .iter()
                        .find(|other| (360..=370).contains(&row.end.since(other.end)));
                    let margins = [
                        ("gross margin", row.gross_profit),
                        ("operating margin", row.operating_income),
                    ];
                    let margins = margins
                        .into_iter()
                        .filter_map(|(name, part)| Some((name, row.of_revenue(part)?)));
                    results.push(Result {
                        company,
                        period,
                        revenue,
                        before: before.and_then(|before| before.revenue),
                        eps: row.eps,
                        margins: margins.collect(),
                    });
                }
            }
        }
        let mut insiders = Vec::new();
        for (symbol, company) in INSIDERS {
            let Some(listing) = services.instruments.look_up(symbol).await? else {
                continue;
            };
            let query = InsiderQuery {
                days: 20_000,
                limit: 0,
            };
            let lines = services
                .disclosures
                .insider_trades_of(&listing, query, when)
                .await?;
            insiders.extend(lines.into_iter().map(|line| (company, line)));
        }
        let lawmakers = services
            .disclosures
            .congress_trades(CongressQuery::default(), when)
            .await?;
        let names: BTreeMap<&str, &str> = SHARES
            .iter()
            .map(|(symbol, names)| (*symbol, names[0]))
            .collect();
        Ok(Self {
            results,
            insiders,
            lawmakers: lawmakers
                .into_iter()
                .filter(|trade| {
                    trade
                        .symbol
                        .as_ref()
                        .is_some_and(|symbol| names.contains_key(symbol.as_str()))
                })
                .filter(|trade| is_plain(&trade.member) && trade.transaction_date.is_some())
                .collect(),
            names,
        })
    }

    pub(super) fn revenue(
        &self,
        random: &mut Random,
        is_true: bool,
    ) -> Option<(&'static str, String)> {
        let of = pick(random, &self.results)?;
        let (company, period) = (of.company, &of.period);
        let growth = of.before.map(|before| (of.revenue / before - 1.0) * 100.0);
        if let Some(growth) = growth.filter(|_| random.below(3) == 0) {
            let shown = if is_true {
                growth
            } else {
                growth + 6.0 + random.below(30) as f64
            };
            return Some((
                "revenue",
                format!("{company}'s revenue grew {shown:.0}% in {period} from a year earlier"),
            ));
        }
        let value = if is_true {
            of.revenue
        } else {
            of.revenue * wrong(random)
        };
        let shown = if value >= 1e9 {
            format!("${:.2} billion", value / 1e9)
        } else {
            format!("${:.0} million", value / 1e6)
        };
        Some((
            "revenue",
            match random.below(3) {
                0 => format!("{company} reported revenue of {shown} for {period}"),
                1 => format!("In {period}, {company} had sales of {shown}."),
                _ => format!("{company}'s revenue was {shown} in {period}"),
            },
        ))
    }

    pub(super) fn eps(&self, random: &mut Random, is_true: bool) -> Option<(&'static str, String)> {
        let of = pick(random, &self.results)?;
        let eps = of.eps.filter(|eps| eps.abs() >= 0.1)?;
        let value = if is_true {
            eps
        } else {
            eps * (1.2 + random.below(60) as f64 / 100.0)
        };
        let (company, period, shown) = (of.company, &of.period, value.abs());
        Some((
            "earnings per share",
            match (random.below(2), value < 0.0) {
                (0, true) => format!("{company} lost ${shown:.2} per share in {period}"),
                (_, true) => {
                    format!("{company} reported a loss of ${shown:.2} a share for {period}")
                }
                (0, false) => format!("{company} earned ${shown:.2} per share in {period}"),
                (_, false) => format!("{company}'s EPS was ${shown:.2} in {period}"),
            },
        ))
    }

    pub(super) fn margin(
        &self,
        random: &mut Random,
        is_true: bool,
    ) -> Option<(&'static str, String)> {
        let of = pick(random, &self.results)?;
        let (name, margin) = *pick(random, &of.margins)?;
        let value = if is_true {
            margin
        } else {
            margin + 4.0 + random.below(150) as f64 / 10.0
        };
        let (company, period) = (of.company, &of.period);
        let decimals = random.below(2);
        Some((
            "margin",
            match random.below(2) {
                0 => format!("{company}'s {name} was {value:.decimals$}% in {period}"),
                _ => format!("{company} had a {name} of {value:.decimals$} percent in {period}"),
            },
        ))
    }

    pub(super) fn insider(
        &self,
        random: &mut Random,
        is_true: bool,
    ) -> Option<(&'static str, String)> {
        let (company, line) = pick(random, &self.insiders)?;
        let action = line.trade.transaction_type;
        let verb = match action {
            InsiderAction::Buy => "bought",
            InsiderAction::Sell => "sold",
            _ => return None,
        };
        let who = Some(&line.name).filter(|name| is_plain(name))?;
        let shares = if is_true {
            line.trade.shares
        } else {
            line.trade.shares * (1.5 + random.below(20) as f64 / 10.0)
        }
        .round();
        let same_day = self.insiders.iter().filter(|(_, other)| {
            other.name == line.name
                && other.trade.transaction_type == action
                && [other.trade.date, other.filed].contains(&line.trade.date)
        });
        let mut fits =
            same_day.filter(|(_, other)| (other.trade.shares / shares - 1.0).abs() < APART);
        if !is_true && fits.next().is_some() {
            return None;
        }
        let when = date(random, line.trade.date);
        Some((
            "insider trade",
            format!(
                "{who} {verb} {} {company} shares {when}",
                grouped(shares, 0)
            ),
        ))
    }

    pub(super) fn lawmaker(
        &self,
        random: &mut Random,
        is_true: bool,
    ) -> Option<(&'static str, String)> {
        let trade = pick(random, &self.lawmakers)?;
        let is_purchase = is_purchase(trade)?;
        let day = trade.transaction_date?;
        let same_day: Vec<&CongressTrade> = self
            .lawmakers
            .iter()
            .filter(|other| other.member == trade.member && other.symbol == trade.symbol)
            .filter(|other| other.transaction_date == Some(day) || other.disclosure_date == day)
            .collect();
        let company = self.names.get(trade.symbol.as_ref()?.as_str())?;
        let (who, when) = (&trade.member, date(random, day));
        let verb = |is_purchase| if is_purchase { "bought" } else { "sold" };
        let (low, high) = trade.amount_low.zip(trade.amount_high)?;
        if random.below(2) == 0 {
            // Who did both on one day makes either true.
            if !is_true
                && same_day
                    .iter()
                    .any(|other| self::is_purchase(other) != Some(is_purchase))
            {
                return None;
            }
            let verb = verb(is_purchase == is_true);
            return Some((
                "trade of a lawmaker",
                format!("{who} {verb} {company} stock {when}"),
            ));
        }
        let (low, high) = if is_true {
            (low, high)
        } else {
            let wrong = (high * 10.0, high * 20.0);
            if same_day
                .iter()
                .any(|other| other.amount_high.is_none_or(|most| most > high))
            {
                return None;
            }
            wrong
        };
        Some((
            "trade of a lawmaker",
            format!(
                "{who} {} between ${} and ${} of {company} shares {when}",
                verb(is_purchase),
                grouped(low, 0),
                grouped(high, 0)
            ),
        ))
    }
}

/// A fiscal period as people call it, by the ends of the fiscal years.
fn named(end: Day, ends: &[Day], period: StatementPeriod) -> Option<String> {
    let year_end = ends.iter().filter(|year| **year >= end).min()?;
    let year = year_end.date().year();
    if period == StatementPeriod::Year {
        return Some(format!("fiscal {year}"));
    }
    let left = usize::try_from((year_end.since(end) + 45) / 91).ok()?;
    let quarter = QUARTERS.get(3_usize.checked_sub(left)?)?;
    Some(format!("the {quarter} quarter of fiscal {year}"))
}

fn is_purchase(trade: &CongressTrade) -> Option<bool> {
    match trade.transaction_type.as_str() {
        "buy" => Some(true),
        "sell" | "sell_full" | "sell_partial" => Some(false),
        _ => None,
    }
}

/// Whether a name is two words without titles.
fn is_plain(name: &str) -> bool {
    name.split(' ').count() == 2 && name.chars().all(|sign| sign.is_alphabetic() || sign == ' ')
}
