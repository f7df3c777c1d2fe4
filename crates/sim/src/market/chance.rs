//! The distributions that prices need: bell curves, fat tails and volatility clustering.

use crate::random::Random;

/// Eight 16-bit lanes, each evenly distributed, add up to a bell curve with this deviation.
const LANES_DEVIATION: f64 = 53_509.9;
const LANES_MEAN: f64 = 8.0 * 32_767.5;

/// A number from a bell curve with mean zero and deviation one, never beyond 5. It uses no maths library function, so
/// it is the same on every machine.
pub(super) fn normal(random: &mut Random) -> f64 {
    let mut sum = 0;
    for _ in 0..2 {
        let lanes = random.next();
        sum += (lanes & 0xFFFF) + (lanes >> 16 & 0xFFFF) + (lanes >> 32 & 0xFFFF) + (lanes >> 48);
    }
    (sum as f64 - LANES_MEAN) / LANES_DEVIATION
}

/// Also with mean zero and deviation one, but with the fat tails of daily returns: one day in 33 is wild.
pub(super) fn tailed(random: &mut Random) -> f64 {
    let width = if random.chance(0.03) { 2.6 } else { 0.9066 };
    normal(random) * width
}

/// Volatility that clusters: a large move makes the next ones larger. The mean variance is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct VolatilityRegime {
    variance: f64,
    memory: f64,
    answer: f64,
    /// How much more a fall stirs volatility than a rise does.
    fear: f64,
}

impl VolatilityRegime {
    /// The regime of a whole market: falls stir it more than rises.
    pub(super) const fn of_market() -> Self {
        Self {
            variance: 1.0,
            memory: 0.88,
            answer: 0.04,
            fear: 0.10,
        }
    }

    /// The regime of a single instrument.
    pub(super) const fn of_one() -> Self {
        Self {
            variance: 1.0,
            memory: 0.87,
            answer: 0.09,
            fear: 0.0,
        }
    }

    /// Today's deviation, relative to the usual one.
    pub(super) fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// One day's move, relative to the usual deviation.
    pub(super) fn step(&mut self, random: &mut Random) -> f64 {
        let shock = tailed(random) * self.deviation();
        let answer = self.answer + if shock < 0.0 { self.fear } else { 0.0 };
        let floor = 1.0 - self.memory - self.answer - self.fear / 2.0;
        let next = floor + self.memory * self.variance + answer * shock * shock;
        self.variance = next.clamp(0.2, 9.0);
        shock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> (f64, f64, f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let central = |power: i32| {
            values
                .iter()
                .map(|value| (value - mean).powi(power))
                .sum::<f64>()
                / count
        };
        (mean, central(2), central(4) / central(2).powi(2))
    }

    #[test]
    fn curves_have_the_promised_shape() {
        let mut random = Random::of(&[3]);
        let bell: Vec<f64> = (0..50_000).map(|_| normal(&mut random)).collect();
        let (mean, variance, kurtosis) = moments(&bell);
        assert!(
            mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03,
            "{mean} {variance}"
        );
        assert!((2.6..3.1).contains(&kurtosis), "{kurtosis}");
        let fat: Vec<f64> = (0..50_000).map(|_| tailed(&mut random)).collect();
        let (mean, variance, kurtosis) = moments(&fat);
        assert!(
            mean.abs() < 0.02 && (variance - 1.0).abs() < 0.05,
            "{mean} {variance}"
        );
        assert!(kurtosis > 4.5, "{kurtosis}");
    }

    #[test]
    fn wild_days_come_together() {
        let mut random = Random::of(&[4]);
        let mut regime = VolatilityRegime::of_market();
        let squares: Vec<f64> = (0..20_000)
            .map(|_| regime.step(&mut random).abs())
            .collect();
        let (mean, variance, _) = moments(&squares);
        let together = squares
            .windows(2)
            .map(|pair| (pair[0] - mean) * (pair[1] - mean))
            .sum::<f64>()
            / squares.len() as f64;
        assert!(together / variance > 0.08, "{}", together / variance);
    }
}
