//! Whether the articles of a story report two events.
//!
//! An article that joins shows which members it goes with. If these are not all of them, the members are compared with
//! each other, as they appear among the articles of the days around the newest. Groups are merged until two are left
//! (average linkage). If these two hold together within but not across, they are two events. Articles too far apart in
//! time to be compared contribute nothing.

/// Stories larger than this are not divided: comparing all members with each other takes too long.
pub(super) const LARGEST: usize = 32;

/// The probability of one event for each pair of members of a story, or `None` if unknown.
pub(super) struct Bonds {
    count: usize,
    probabilities: Vec<Option<f64>>,
}

impl Bonds {
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            probabilities: vec![None; count * count],
        }
    }

    pub(super) fn set(&mut self, left: usize, right: usize, probability: Option<f64>) {
        self.probabilities[left * self.count + right] = probability;
        self.probabilities[right * self.count + left] = probability;
    }

    /// Sum and number of the known values between two groups.
    fn between(&self, left: &[usize], right: &[usize]) -> (f64, f64) {
        let mut found = (0.0, 0.0);
        for one in left {
            for other in right.iter().filter(|other| *other != one) {
                if let Some(probability) = self.probabilities[one * self.count + other] {
                    found.0 += probability;
                    found.1 += 1.0;
                }
            }
        }
        found
    }

    /// The mean between two groups, or `unknown` if nothing is known.
    fn mean(&self, left: &[usize], right: &[usize], unknown: f64) -> f64 {
        let (sum, count) = self.between(left, right);
        if count > 0.0 { sum / count } else { unknown }
    }

    /// The smaller of two groups that report two events: one event is less probable than `apart` across them, but not
    /// within either. Ascending. If the groups are of equal size, the later one.
    pub(super) fn divide(&self, apart: f64) -> Option<Vec<usize>> {
        if self.count < 3 || self.count > LARGEST {
            return None;
        }
        let mut groups: Vec<Vec<usize>> = (0..self.count).map(|member| vec![member]).collect();
        while groups.len() > 2 {
            let mut best = (f64::MIN, 0, 1);
            for (right, one) in groups.iter().enumerate() {
                for (left, other) in groups[..right].iter().enumerate() {
                    // Groups that cannot be compared are merged before groups known to be apart.
                    let mean = self.mean(other, one, apart);
                    if mean > best.0 {
                        best = (mean, left, right);
                    }
                }
            }
            let merged = groups.remove(best.2);
            groups[best.1].extend(merged);
        }
        let [left, right] = groups.as_slice() else {
            return None;
        };
        let holds = |group: &[usize]| self.mean(group, group, 1.0) >= apart;
        let is_two = self.mean(left, right, 1.0) < apart && holds(left) && holds(right);
        if !is_two {
            return None;
        }
        let first = |group: &[usize]| group.iter().min().copied();
        let by_size = left.len().cmp(&right.len());
        let smaller = match by_size.then_with(|| first(right).cmp(&first(left))) {
            std::cmp::Ordering::Less => left,
            _ => right,
        };
        let mut smaller = smaller.clone();
        smaller.sort_unstable();
        Some(smaller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stories::Tuning;

    fn bonds(count: usize, of: impl Fn(usize, usize) -> Option<f64>) -> Bonds {
        let mut bonds = Bonds::new(count);
        for right in 1..count {
            for left in 0..right {
                bonds.set(left, right, of(left, right));
            }
        }
        bonds
    }

    #[test]
    fn two_groups_that_hold_within_and_not_across_are_divided() {
        let two = |left: usize, right: usize| Some(if left % 2 == right % 2 { 0.9 } else { 0.02 });
        assert_eq!(bonds(5, two).divide(0.3), Some(vec![1, 3]));
        assert_eq!(bonds(4, two).divide(0.3), Some(vec![1, 3]));
        let one = |_: usize, _: usize| Some(0.9);
        assert_eq!(bonds(5, one).divide(0.3), None);
        let loose =
            |left: usize, right: usize| Some(if left % 2 == right % 2 { 0.2 } else { 0.02 });
        assert_eq!(bonds(5, loose).divide(0.3), None);
        assert_eq!(bonds(2, |_, _| Some(0.0)).divide(0.3), None);
    }

    #[test]
    fn neighbouring_events_are_divided_by_the_usual_numbers() {
        let apart = Tuning::default().apart;
        let across = |probability: f64| {
            let of = |left: usize, right: usize| left % 2 == right % 2;
            bonds(5, |left, right| {
                Some(if of(left, right) { 0.4 } else { probability })
            })
        };
        assert_eq!(across(0.2).divide(apart), Some(vec![1, 3]));
        assert_eq!(across(0.35).divide(apart), None, "they tell one event");
    }

    #[test]
    fn what_cannot_be_compared_divides_nothing() {
        let unknown = |left: usize, right: usize| (left / 2 == right / 2).then_some(0.9);
        assert_eq!(bonds(4, unknown).divide(0.3), None);
    }
}
