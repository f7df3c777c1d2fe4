//! What may happen, divided into cases of which exactly one comes true.

use market::forecast::Outlook;

/// The distance from the middle, in standard deviations, at which the outer cases begin: each then contains about a
/// quarter.
const OUTER: f64 = 0.67;
/// Changes in percent that read well.
const ROUND: [f64; 17] = [
    0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 12.5, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 75.0,
];

/// Three cases: below, between, above. The probabilities add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cases {
    /// Change in percent below which the first case lies; negative.
    pub(crate) low_pct: f64,
    /// Change in percent above which the last case lies.
    pub(crate) high_pct: f64,
    pub(crate) below: f64,
    pub(crate) between: f64,
    pub(crate) above: f64,
}

/// The cases of a price.
pub(crate) fn of(outlook: &Outlook) -> Cases {
    let spread = outlook.deviation * OUTER;
    let high_pct = round((spread.exp() - 1.0) * 100.0);
    let low_pct = -round((1.0 - (-spread).exp()) * 100.0);
    let below = outlook.chance_below(low_pct);
    let above = 1.0 - outlook.chance_below(high_pct);
    Cases {
        low_pct,
        high_pct,
        below,
        between: (1.0 - below - above).max(0.0),
        above,
    }
}

/// The nearest change that reads well.
fn round(change: f64) -> f64 {
    ROUND
        .into_iter()
        .min_by(|one, other| (one - change).abs().total_cmp(&(other - change).abs()))
        .unwrap_or(change)
}

/// Probabilities of cases that were counted, with one added to each (Laplace's rule of succession); they add up to 1.
pub(crate) fn of_counts<const N: usize>(counts: [u64; N]) -> [f64; N] {
    let all: u64 = counts.iter().sum::<u64>() + N as u64;
    counts.map(|count| (count + 1) as f64 / all as f64)
}

/// Probability that something that happened this many times in `past` days happens at least once in `ahead` days, as a
/// Poisson process whose rate has the uncertainty of half an event (Jeffreys' rule).
pub(crate) fn at_least_once(times: u64, past: f64, ahead: f64) -> f64 {
    1.0 - (1.0 + ahead / past).powf(-(times as f64 + 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_add_up_to_one() {
        let closes: Vec<f64> = (0..600)
            .map(|step: i32| {
                100.0 * (f64::from(step % 17) * 0.01 - f64::from(step % 5) * 0.012).exp()
            })
            .collect();
        for sessions in [5, 21, 126, 252] {
            let cases = of(&market::forecast::outlook(&closes, sessions).unwrap());
            assert!((cases.below + cases.between + cases.above - 1.0).abs() < 1e-12);
            assert!(cases.low_pct < 0.0 && cases.high_pct > 0.0);
            assert!(cases.below > 0.05 && cases.above > 0.05, "{cases:?}");
        }
        let counted = of_counts([3, 0, 7]);
        assert!((counted.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(counted[1] > 0.0);
    }

    #[test]
    fn what_came_often_comes_again() {
        assert!(at_least_once(12, 90.0, 90.0) > 0.99);
        let never = at_least_once(0, 90.0, 30.0);
        assert!(never > 0.05 && never < 0.2, "{never}");
        assert!(at_least_once(1, 90.0, 180.0) > at_least_once(1, 90.0, 30.0));
    }
}
