//! The quarters of a company, one row each.

use std::collections::BTreeMap;

use model::{Concept, Day, FactSet};

use super::periods::Spans;
use super::{counts_differ, currency, known, newest};

/// One fiscal quarter. What cannot be derived is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Quarter {
    /// Its first day.
    pub start: Day,
    /// Its last day.
    pub end: Day,
    /// Revenue.
    pub revenue: Option<f64>,
    /// Net income.
    pub net_income: Option<f64>,
    /// Diluted earnings per share; in a fourth quarter those of the year less those of the nine months or, where these are not
    /// reported, of the three quarters. Absent where the diluted shares change too much within the year for that.
    pub eps: Option<f64>,
    /// The day on which its revenue, income or earnings per share were first filed, be it as part of the year.
    pub filed: Day,
}

/// The quarters of one company from the filings that are given, oldest first.
pub fn quarters(sets: &[&FactSet]) -> Vec<Quarter> {
    let sets = known(sets, Day::MAX);
    let Some(currency) = currency(&sets) else {
        return Vec::new();
    };
    let newest = newest(&sets, currency);
    let concepts = [Concept::Revenue, Concept::NetIncome, Concept::EpsDiluted];
    let mut first_filed: BTreeMap<Day, Day> = BTreeMap::new();
    for set in &sets {
        for fact in set
            .facts
            .iter()
            .filter(|fact| concepts.contains(&fact.concept))
        {
            first_filed.entry(fact.end).or_insert(set.filed);
        }
    }
    let diluted = Spans::of(&newest, Concept::DilutedShares);
    let [revenue, income, eps] = concepts.map(|concept| Spans::of(&newest, concept));
    first_filed
        .into_iter()
        .filter_map(|(end, filed)| {
            let [revenue, net_income, eps] =
                [&revenue, &income, &eps].map(|spans| spans.quarter(end));
            let eps = eps.filter(|(_, _, derived)| !derived || !counts_differ(&diluted, end));
            let (start, ..) = revenue.or(net_income).or(eps)?;
            let value = |found: Option<(Day, f64, bool)>| {
                found
                    .map(|(_, value, _)| value)
                    .filter(|value| value.is_finite())
            };
            Some(Quarter {
                start,
                end,
                revenue: value(revenue),
                net_income: value(net_income),
                eps: value(eps),
                filed,
            })
        })
        .collect()
}
