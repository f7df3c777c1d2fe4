//! The yield curve: the newest yield of each maturity, and whether short-term money costs more than long-term money.

use crate::Day;

/// The maturities of the wire contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each maturity names itself")]
pub enum Maturity {
    TwoYears,
    FiveYears,
    TenYears,
    ThirtyYears,
}

impl Maturity {
    /// Every maturity, shortest first.
    pub const ALL: [Self; 4] = [
        Self::TwoYears,
        Self::FiveYears,
        Self::TenYears,
        Self::ThirtyYears,
    ];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TwoYears => "2y",
            Self::FiveYears => "5y",
            Self::TenYears => "10y",
            Self::ThirtyYears => "30y",
        }
    }
}

/// The yield of one maturity on one day, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Yield {
    pub maturity: Maturity,
    pub day: Day,
    pub yield_pct: f64,
}

/// The newest yields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct YieldCurve {
    /// The newest for each maturity, shortest first.
    pub yields: Vec<Yield>,
    /// Ten years minus two years, in percentage points, both from the newest day that has both.
    pub spread_10y_2y: Option<f64>,
    /// Whether that spread is negative.
    pub inverted: Option<bool>,
}

/// The newest curve from observations in any order. Values that are not finite are ignored.
///
/// Worked example: 10y is 4.1 on Monday and Tuesday, 2y is 4.3 on Monday only. The curve shows Tuesday's and Monday's
/// yield, and the spread is Monday's −0.2, inverted.
pub fn yield_curve(observations: &[Yield]) -> YieldCurve {
    let of = |maturity: Maturity| {
        observations
            .iter()
            .filter(move |one| one.maturity == maturity && one.yield_pct.is_finite())
    };
    let newest = |maturity| of(maturity).max_by_key(|one| one.day).copied();
    let spread = of(Maturity::TenYears)
        .filter_map(|ten| {
            let two = of(Maturity::TwoYears).find(|two| two.day == ten.day)?;
            Some((ten.day, ten.yield_pct - two.yield_pct))
        })
        .max_by_key(|(day, _)| *day)
        .map(|(_, spread)| spread);
    YieldCurve {
        yields: Maturity::ALL.into_iter().filter_map(newest).collect(),
        spread_10y_2y: spread,
        inverted: spread.map(|spread| spread < 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_of_yields() {
        let one = |maturity, day, yield_pct| Yield {
            maturity,
            day: Day::new(day).unwrap(),
            yield_pct,
        };
        let found = yield_curve(&[
            one(Maturity::TenYears, 2, 4.1),
            one(Maturity::TwoYears, 1, 4.3),
            one(Maturity::TenYears, 1, 4.1),
            one(Maturity::ThirtyYears, 3, f64::NAN),
        ]);
        assert_eq!(found.yields.len(), 2);
        assert!((found.spread_10y_2y.unwrap() + 0.2).abs() < 1e-12);
        assert_eq!(found.inverted, Some(true));
        assert_eq!(yield_curve(&[]), YieldCurve::default());
    }
}
