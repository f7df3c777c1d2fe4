//! Measures that several tasks share.

use std::collections::BTreeMap;

/// Counts of expected and found classes.
pub(crate) struct Confusion<const N: usize> {
    counts: [[f64; N]; N],
}

impl<const N: usize> Confusion<N> {
    pub(crate) const fn new() -> Self {
        Self {
            counts: [[0.0; N]; N],
        }
    }

    pub(crate) fn note(&mut self, expected: usize, found: usize) {
        self.counts[expected][found] += 1.0;
    }

    pub(crate) fn total(&self) -> f64 {
        self.counts.iter().flatten().sum()
    }

    pub(crate) fn accuracy(&self) -> f64 {
        ratio((0..N).map(|at| self.counts[at][at]).sum(), self.total())
    }

    /// The mean of the classes' F1; a class that is neither expected nor found counts as 0.
    pub(crate) fn macro_f1(&self) -> f64 {
        (0..N).map(|at| self.f1(at)).sum::<f64>() / N as f64
    }

    pub(crate) fn f1(&self, class: usize) -> f64 {
        let expected: f64 = self.counts[class].iter().sum();
        let found: f64 = self.counts.iter().map(|row| row[class]).sum();
        ratio(2.0 * self.counts[class][class], expected + found)
    }

    /// How much of a class was found.
    pub(crate) fn recall(&self, class: usize) -> f64 {
        ratio(self.counts[class][class], self.counts[class].iter().sum())
    }

    /// What always saying the most frequent class would score.
    pub(crate) fn majority(&self) -> Self {
        let sums: Vec<f64> = self.counts.iter().map(|row| row.iter().sum()).collect();
        let most = (0..N)
            .max_by(|left, right| sums[*left].total_cmp(&sums[*right]))
            .unwrap_or(0);
        let mut baseline = Self::new();
        for (class, sum) in sums.into_iter().enumerate() {
            baseline.counts[class][most] = sum;
        }
        baseline
    }
}

/// Counts of expected and found classes by their names, where the data say which classes there are.
#[derive(Default)]
pub(crate) struct Tally {
    counts: BTreeMap<(String, String), f64>,
}

impl Tally {
    pub(crate) fn note(&mut self, expected: &str, found: &str) {
        let key = (expected.to_owned(), found.to_owned());
        *self.counts.entry(key).or_default() += 1.0;
    }

    pub(crate) fn total(&self) -> f64 {
        self.counts.values().sum()
    }

    /// The expected classes with how often they are, in the order of their names.
    pub(crate) fn classes(&self) -> BTreeMap<&str, f64> {
        let mut classes = BTreeMap::new();
        for ((expected, _), count) in &self.counts {
            *classes.entry(expected.as_str()).or_default() += count;
        }
        classes
    }

    pub(crate) fn accuracy(&self) -> f64 {
        let right = self
            .counts
            .iter()
            .filter(|((expected, found), _)| expected == found);
        ratio(right.map(|(_, count)| count).sum(), self.total())
    }

    /// How often a class was found, right or wrong.
    pub(crate) fn share_found(&self, class: &str) -> f64 {
        let of_class = self.counts.iter().filter(|((_, found), _)| found == class);
        ratio(of_class.map(|(_, count)| count).sum(), self.total())
    }

    /// The F1 of a class.
    pub(crate) fn f1(&self, class: &str) -> f64 {
        let (mut both, mut sum) = (0.0, 0.0);
        for ((expected, found), count) in &self.counts {
            let (expected, found) = (expected == class, found == class);
            both += if expected && found { *count } else { 0.0 };
            sum += count * f64::from(u8::from(expected) + u8::from(found));
        }
        ratio(2.0 * both, sum)
    }

    /// The mean of the F1 of the expected classes.
    pub(crate) fn macro_f1(&self) -> f64 {
        let classes = self.classes();
        ratio(
            classes.keys().map(|class| self.f1(class)).sum(),
            classes.len() as f64,
        )
    }

    /// What always saying the most frequent class would score.
    pub(crate) fn majority(&self) -> Self {
        let classes = self.classes();
        let most = classes
            .iter()
            .max_by(|left, right| left.1.total_cmp(right.1));
        let most = most.map_or("", |(class, _)| *class);
        let counts = classes
            .iter()
            .map(|(class, count)| (((*class).to_owned(), most.to_owned()), *count));
        Self {
            counts: counts.collect(),
        }
    }
}

/// Zero where there is nothing to divide by.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// True positives, false positives and false negatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hits {
    pub(crate) right: f64,
    pub(crate) wrong: f64,
    pub(crate) missed: f64,
}

impl Hits {
    pub(crate) fn precision(self) -> f64 {
        ratio(self.right, self.right + self.wrong)
    }

    pub(crate) fn recall(self) -> f64 {
        ratio(self.right, self.right + self.missed)
    }

    pub(crate) fn f1(self) -> f64 {
        ratio(
            2.0 * self.right,
            2.0 * self.right + self.wrong + self.missed,
        )
    }
}

/// Shares of the answers that are kept where the least sure ones are left out, in percent.
pub(crate) const KEPT: [usize; 5] = [100, 80, 60, 40, 20];

/// How much is right of the surest answers, for each share of [`KEPT`]. Each answer is a confidence and whether it is right;
/// of answers of one confidence the part that is kept counts as they all do on average.
pub(crate) fn right_of_surest(answers: &[(f64, bool)]) -> [f64; KEPT.len()] {
    let mut sorted = answers.to_vec();
    sorted.sort_by(|left, right| right.0.total_cmp(&left.0));
    KEPT.map(|percent| {
        let wanted = sorted.len() as f64 * percent as f64 / 100.0;
        let (mut kept, mut right) = (0.0, 0.0);
        for alike in sorted.chunk_by(|left, right| left.0 == right.0) {
            let taken = (wanted - kept).clamp(0.0, alike.len() as f64);
            let share =
                alike.iter().filter(|(_, is_right)| *is_right).count() as f64 / alike.len() as f64;
            kept += taken;
            right += taken * share;
        }
        ratio(right, kept)
    })
}

/// Wilson's 95 % interval of a share.
pub(crate) fn interval(part: f64, whole: f64) -> (f64, f64) {
    if whole <= 0.0 {
        return (0.0, 1.0);
    }
    let (share, z) = (part / whole, 1.96_f64);
    let middle = share + z * z / (2.0 * whole);
    let spread = z * (share * (1.0 - share) / whole + z * z / (4.0 * whole * whole)).sqrt();
    let scale = 1.0 + z * z / whole;
    ((middle - spread) / scale, (middle + spread) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_agree_with_hand_counts() {
        let mut confusion = Confusion::<2>::new();
        for (expected, found) in [(0, 0), (0, 0), (0, 1), (1, 1)] {
            confusion.note(expected, found);
        }
        assert_eq!(confusion.accuracy(), 0.75);
        assert!((confusion.f1(0) - 0.8).abs() < 1e-12);
        assert_eq!(confusion.majority().accuracy(), 0.75);
        let mut tally = Tally::default();
        for (expected, found) in [("a", "a"), ("a", "a"), ("a", "b"), ("b", "c")] {
            tally.note(expected, found);
        }
        assert_eq!((tally.total(), tally.accuracy()), (4.0, 0.5));
        assert_eq!(tally.share_found("c"), 0.25);
        assert!((tally.f1("a") - 0.8).abs() < 1e-12 && tally.f1("b") == 0.0);
        // `c` is found but never expected.
        assert!((tally.macro_f1() - 0.4).abs() < 1e-12);
        assert_eq!(tally.majority().accuracy(), 0.75);
        // Of five answers the two least sure ones are wrong, of which one is as sure as a right one.
        let answers = [
            (0.9, true),
            (0.8, true),
            (0.5, true),
            (0.5, false),
            (0.1, false),
        ];
        assert_eq!(right_of_surest(&answers), [0.6, 0.75, 2.5 / 3.0, 1.0, 1.0]);
        assert_eq!(right_of_surest(&[]), [0.0; 5]);
        let (low, high) = interval(90.0, 100.0);
        assert!((low - 0.8256).abs() < 1e-3 && (high - 0.9448).abs() < 1e-3);
    }
}
