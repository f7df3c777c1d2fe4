//! Which briefs matter to a portfolio, and how.
//!
//! `score = min(1, Σ share · salience · (0.5 + |sentiment − 0.5|)) · 2^(−age / 24 h) · (0.5 + 0.5 · confidence)` over
//! the holdings that the brief names, where `share` is the holding's weight over the sum of all weights. A brief
//! matters more the larger the part of the portfolio that it touches, the more it is about it, the stronger its
//! sentiment, and the fresher and more certain it is. A neutral brief still counts half. `impact` is signed by the
//! holding's direction: `share · (2 · sentiment − 1)`, reversed for short positions.
//!
//! Worked example: a brief published now with confidence 1, entirely about a long holding of 60 %, with sentiment
//! 0.9: score 0.6 · 0.9 = 0.54, impact 0.6 · 0.8 = 0.48.

use model::{Score, Timestamp};

use crate::Error;

/// Whether the holder gains from a rise or from a fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each position names itself")]
pub enum Side {
    #[default]
    Long,
    Short,
}

/// A holding of a portfolio.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// The symbol.
    pub ticker: String,
    /// Its weight in the portfolio, in any unit: only the proportions count.
    pub weight: f64,
    /// Whether the holder gains when it rises.
    pub side: Side,
}

/// A portfolio whose weights are known to be valid.
#[derive(Clone, Debug, PartialEq)]
pub struct Portfolio {
    holdings: Vec<Holding>,
    total: f64,
}

impl Portfolio {
    /// Holdings with weights that are finite and not negative, and not all zero.
    pub fn new(holdings: Vec<Holding>) -> Result<Self, Error> {
        let total: f64 = holdings.iter().map(|holding| holding.weight).sum();
        let sound = holdings.iter().all(|holding| holding.weight >= 0.0);
        if sound && total > 0.0 && total.is_finite() {
            Ok(Self { holdings, total })
        } else {
            Err(Error::Parameter {
                name: "holdings",
                wanted: "at least one holding, with weights of at least 0 that are not all 0",
            })
        }
    }

    /// The same without some holdings, which are excluded although their weight stays in the total.
    #[must_use]
    pub fn without(mut self, tickers: &[String]) -> Self {
        self.holdings
            .retain(|holding| !tickers.contains(&holding.ticker));
        self
    }

    /// The holdings.
    pub fn holdings(&self) -> &[Holding] {
        &self.holdings
    }
}

/// A ticker that a brief names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mention<'a> {
    /// The symbol.
    pub ticker: &'a str,
    /// The brief's sentiment towards it.
    pub sentiment: Score,
    /// How much the brief is about it.
    pub salience: Score,
}

/// A holding that a brief touches.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct MatchedHolding {
    pub ticker: String,
    /// As given by the caller.
    pub weight: f64,
    pub sentiment_score: f64,
    /// −1 to 1: above zero is good for the portfolio.
    pub impact: f64,
}

/// How much a brief matters.
#[derive(Clone, Debug, PartialEq)]
pub struct Relevance {
    /// 0 to 1.
    pub score: f64,
    /// In portfolio order.
    pub matched_holdings: Vec<MatchedHolding>,
}

/// How much a brief matters to a portfolio at `now`; `None` if it names none of the holdings.
pub fn relevance(
    portfolio: &Portfolio,
    mentions: &[Mention<'_>],
    confidence: Score,
    published_at: Timestamp,
    now: Timestamp,
) -> Option<Relevance> {
    let mut sum = 0.0;
    let mut matched = Vec::new();
    for holding in &portfolio.holdings {
        let Some(mention) = mentions.iter().find(|one| one.ticker == holding.ticker) else {
            continue;
        };
        let share = holding.weight / portfolio.total;
        let lean = mention.sentiment.get() - 0.5;
        let sign = match holding.side {
            Side::Long => 1.0,
            Side::Short => -1.0,
        };
        sum += share * mention.salience.get() * (0.5 + lean.abs());
        matched.push(MatchedHolding {
            ticker: holding.ticker.clone(),
            weight: holding.weight,
            sentiment_score: mention.sentiment.get(),
            impact: sign * share * 2.0 * lean,
        });
    }
    if matched.is_empty() {
        return None;
    }
    let age_days = now.since_ms(published_at).max(0) as f64 / Timestamp::DAY_MS as f64;
    Some(Relevance {
        score: sum.min(1.0) * (-age_days).exp2() * (0.5 + 0.5 * confidence.get()),
        matched_holdings: matched,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(ticker: &str, weight: f64, side: Side) -> Holding {
        Holding {
            ticker: ticker.to_owned(),
            weight,
            side,
        }
    }

    fn mention(ticker: &str, sentiment: f64) -> Mention<'_> {
        Mention {
            ticker,
            sentiment: Score::new(sentiment).unwrap(),
            salience: Score::ONE,
        }
    }

    #[test]
    fn the_worked_example() {
        let holdings = vec![
            holding("A", 30.0, Side::Long),
            holding("B", 20.0, Side::Short),
        ];
        let portfolio = Portfolio::new(holdings).unwrap();
        let now = Timestamp::from_ms(1_000 * Timestamp::DAY_MS);
        let found = relevance(&portfolio, &[mention("A", 0.9)], Score::ONE, now, now).unwrap();
        assert!((found.score - 0.54).abs() < 1e-12);
        assert!((found.matched_holdings[0].impact - 0.48).abs() < 1e-12);
        let yesterday = now.plus_ms(-Timestamp::DAY_MS);
        let both = [mention("B", 0.9), mention("A", 0.5)];
        let found = relevance(&portfolio, &both, Score::ZERO, yesterday, now).unwrap();
        assert!((found.score - (0.6 * 0.5 + 0.4 * 0.9) / 4.0).abs() < 1e-12);
        let impacts: Vec<_> = found
            .matched_holdings
            .iter()
            .map(|one| one.impact)
            .collect();
        assert!(impacts[0].abs() < 1e-12 && (impacts[1] + 0.32).abs() < 1e-12);
        assert_eq!(
            relevance(&portfolio, &[mention("C", 1.0)], Score::ONE, now, now),
            None
        );
    }

    #[test]
    fn weights_must_be_sound() {
        for weights in [
            vec![],
            vec![0.0],
            vec![-1.0, 2.0],
            vec![f64::NAN],
            vec![f64::INFINITY],
        ] {
            let holdings = weights
                .into_iter()
                .map(|weight| holding("A", weight, Side::Long))
                .collect();
            assert_eq!(Portfolio::new(holdings).unwrap_err().key(), "holdings");
        }
    }
}
