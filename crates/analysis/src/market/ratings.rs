//! The analyst consensus.
//!
//! The newest rating from each firm in the last twelve months counts. The five ratings count from 1 (strong sell) to 5
//! (strong buy); a mean of at least 4.5 is a strong buy, of at least 3.5 a buy, above 2.5 a hold, above 1.5 a sell,
//! otherwise a strong sell. Example: strong buy, buy and hold give 12 / 3 = 4: a buy.

use std::collections::HashSet;

use model::{AnalystRating, Day, Rating};
use store::RecordQuery;

use super::{Estimates, Listing, PointInTime};
use crate::Result;

/// The number of months for which a rating counts.
const MONTHS: i32 = 12;

/// What analysts say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consensus {
    /// The consensus rating; `None` without ratings.
    pub rating: Option<Rating>,
    /// Mean of the price targets that count.
    pub avg_target: Option<f64>,
    /// The highest of these targets.
    pub high_target: Option<f64>,
    /// The lowest of these targets.
    pub low_target: Option<f64>,
    /// The number of firms whose rating counts.
    pub firms: usize,
    /// Every rating in the twelve months, newest first.
    pub ratings: Vec<AnalystRating>,
}

/// The consensus of ratings, given newest first, at the end of a given day.
pub fn consensus(ratings: Vec<AnalystRating>, today: Day) -> Consensus {
    let first = today.months_before(MONTHS);
    let ratings: Vec<AnalystRating> = ratings
        .into_iter()
        .filter(|rating| rating.day > first && rating.day <= today)
        .collect();
    let mut firms: HashSet<String> = HashSet::new();
    let counting: Vec<&AnalystRating> = ratings
        .iter()
        .filter(|rating| firms.insert(rating.firm.trim().to_lowercase()))
        .collect();
    let targets: Vec<f64> = counting
        .iter()
        .filter_map(|rating| rating.target)
        .filter(|target| target.is_finite() && *target > 0.0)
        .collect();
    let mean = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        mean.is_finite().then_some(mean)
    };
    let grades: Vec<f64> = counting.iter().map(|rating| grade(rating.rating)).collect();
    Consensus {
        rating: mean(&grades).map(rating),
        avg_target: mean(&targets),
        high_target: targets.iter().copied().reduce(f64::max),
        low_target: targets.iter().copied().reduce(f64::min),
        firms: counting.len(),
        ratings,
    }
}

const fn grade(rating: Rating) -> f64 {
    match rating {
        Rating::StrongSell => 1.0,
        Rating::Sell => 2.0,
        Rating::Hold => 3.0,
        Rating::Buy => 4.0,
        Rating::StrongBuy => 5.0,
    }
}

fn rating(mean: f64) -> Rating {
    match mean {
        mean if mean >= 4.5 => Rating::StrongBuy,
        mean if mean >= 3.5 => Rating::Buy,
        mean if mean > 2.5 => Rating::Hold,
        mean if mean > 1.5 => Rating::Sell,
        _ => Rating::StrongSell,
    }
}

impl Estimates {
    /// The analyst consensus on a share as known at a point in time.
    pub async fn consensus_of(&self, listing: &Listing, when: PointInTime) -> Result<Consensus> {
        let today = Day::of(when.end);
        let query = RecordQuery {
            from: Some(today.months_before(MONTHS)),
            to: Some(today),
            ..RecordQuery::default()
        };
        let found = self.records.of::<AnalystRating>(listing, when, query);
        let ratings = found.await?.into_iter().map(|stored| stored.record);
        Ok(consensus(ratings.collect(), today))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Symbol;

    fn reported(firm: &str, day: &str, rating: Rating, target: Option<f64>) -> AnalystRating {
        AnalystRating {
            symbol: Symbol::parse("ACME").unwrap(),
            analyst: None,
            firm: firm.to_owned(),
            rating,
            target,
            day: Day::parse(day).unwrap(),
            source: "table".to_owned(),
        }
    }

    #[test]
    fn of_each_firm_the_newest_rating_of_a_year_counts() {
        let ratings = vec![
            reported("Alder", "2026-03-01", Rating::StrongBuy, Some(120.0)),
            reported("birch ", "2026-02-01", Rating::Buy, None),
            reported("Birch", "2026-01-01", Rating::StrongSell, Some(1.0)),
            reported("Cedar", "2025-03-11", Rating::Hold, Some(100.0)),
            reported("Dogwood", "2025-03-10", Rating::StrongSell, Some(2.0)),
        ];
        let found = consensus(ratings, Day::parse("2026-03-10").unwrap());
        assert_eq!(found.rating, Some(Rating::Buy));
        assert_eq!((found.firms, found.ratings.len()), (3, 4));
        let targets = (found.avg_target, found.high_target, found.low_target);
        assert_eq!(targets, (Some(110.0), Some(120.0), Some(100.0)));
        assert_eq!(consensus(Vec::new(), Day::default()), Consensus::default());
    }

    #[test]
    fn half_way_goes_up_among_buyers_and_down_among_sellers() {
        let words = [4.5, 3.5, 2.5, 1.5, 3.4, 2.6].map(|mean| rating(mean).as_str());
        assert_eq!(
            words,
            ["strong_buy", "buy", "sell", "strong_sell", "hold", "hold"]
        );
    }
}
