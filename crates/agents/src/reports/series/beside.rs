//! A series compared with another: how closely and how far they move together.

use model::Day;

use super::Series;

/// How two series move together.
#[derive(Clone, Copy, Debug)]
pub(in crate::reports) struct Together {
    pub(in crate::reports) correlation: f64,
    pub(in crate::reports) beta: f64,
}

impl Series {
    /// How far another series moved, in percent, from a price of this one to its first close after that: from the open
    /// if the price was the open of a day, otherwise from its close to that of the next session. `None` if the price is
    /// neither, or if the other series lacks one of the sessions.
    pub(in crate::reports) fn other_after(
        &self,
        other: &Self,
        day: Day,
        price: f64,
    ) -> Option<f64> {
        let place = self.0.binary_search_by_key(&day, |bar| bar.day).ok()?;
        let bar = self.0.get(place)?;
        let is = |value: f64| (value / price - 1.0).abs() < 1e-6;
        let of = |day: Day| {
            let place = other.0.binary_search_by_key(&day, |bar| bar.day).ok()?;
            other.0.get(place)
        };
        let (from, to) = if is(bar.close) {
            (of(day)?.close, of(self.0.get(place + 1)?.day)?.close)
        } else if is(bar.open) {
            (of(day)?.open, of(day)?.close)
        } else {
            return None;
        };
        Some((to / from - 1.0) * 100.0)
    }

    /// Mean moves, in percent, on those days of the last `sessions` on which another series rose, and on those on which
    /// it fell, divided by the mean moves of the other.
    pub(in crate::reports) fn captures(&self, other: &Self, sessions: usize) -> Option<(f64, f64)> {
        let start = self.len().checked_sub(sessions + 1)?;
        let (mut up, mut down) = ((0.0, 0.0, 0_u32), (0.0, 0.0, 0_u32));
        for pair in self.0[start..].windows(2) {
            let base = other.0.binary_search_by_key(&pair[0].day, |bar| bar.day);
            let next = other.0.binary_search_by_key(&pair[1].day, |bar| bar.day);
            let (Ok(base), Ok(next)) = (base, next) else {
                continue;
            };
            let theirs = other.0[next].close / other.0[base].close - 1.0;
            let side = if theirs > 0.0 { &mut up } else { &mut down };
            *side = (
                side.0 + pair[1].close / pair[0].close - 1.0,
                side.1 + theirs,
                side.2 + 1,
            );
        }
        (up.2 > 30 && down.2 > 30 && up.1.abs() > 1e-6 && down.1.abs() > 1e-6)
            .then(|| (up.0 / up.1, down.0 / down.1))
    }

    /// How it moved together with another series over the given number of last days that both have.
    pub(in crate::reports) fn together(&self, other: &Self, sessions: usize) -> Option<Together> {
        let mut pairs = Vec::new();
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut shared: Vec<(f64, f64)> = Vec::new();
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            match one.day.cmp(&two.day) {
                std::cmp::Ordering::Less => drop(left.next()),
                std::cmp::Ordering::Greater => drop(right.next()),
                std::cmp::Ordering::Equal => {
                    shared.push((one.close, two.close));
                    left.next();
                    right.next();
                }
            }
        }
        for pair in shared.windows(2) {
            pairs.push(((pair[1].0 / pair[0].0).ln(), (pair[1].1 / pair[0].1).ln()));
        }
        let pairs = &pairs[pairs.len().saturating_sub(sessions)..];
        if pairs.len() < 40 {
            return None;
        }
        let count = pairs.len() as f64;
        let (mine, theirs) = pairs
            .iter()
            .fold((0.0, 0.0), |(a, b), (x, y)| (a + x / count, b + y / count));
        let (mut across, mut own, mut foreign) = (0.0, 0.0, 0.0);
        for (x, y) in pairs {
            across += (x - mine) * (y - theirs);
            own += (x - mine).powi(2);
            foreign += (y - theirs).powi(2);
        }
        (own > 0.0 && foreign > 0.0).then(|| Together {
            correlation: across / (own * foreign).sqrt(),
            beta: across / foreign,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn the_other_is_taken_over_the_same_sessions() {
        let one = sample(&[100.0, 110.0, 121.0]);
        let mut two = sample(&[50.0, 51.0, 49.0]);
        two.0[1].open = 50.5;
        let day = |place: usize| one.0[place].day;
        let after = |place, price| one.other_after(&two, day(place), price);
        let near = |found: Option<f64>, pct: f64| (found.unwrap() - pct).abs() < 1e-9;
        assert!(near(after(0, 100.0), 2.0));
        assert!(near(after(1, 110.0), (49.0 / 51.0 - 1.0) * 100.0));
        // The newest close has no session after it, and an intraday price is neither.
        assert_eq!(after(2, 121.0), None);
        assert_eq!(after(1, 107.0), None);
        let mut opened = one.clone();
        opened.0[1].open = 104.0;
        let from_open = opened.other_after(&two, day(1), 104.0);
        assert!(near(from_open, (51.0 / 50.5 - 1.0) * 100.0));
        // A day that the other series lacks is not bridged.
        two.0.remove(1);
        assert_eq!(one.other_after(&two, day(0), 100.0), None);
    }

    #[test]
    fn twins_move_together() {
        let closes: Vec<f64> = (0..100).map(|at| 100.0 + f64::from(at * 37 % 11)).collect();
        let (one, two) = (sample(&closes), sample(&closes));
        let together = one.together(&two, 90).unwrap();
        assert!((together.correlation - 1.0).abs() < 1e-9 && (together.beta - 1.0).abs() < 1e-9);
        assert!(sample(&closes[..20]).together(&two, 90).is_none());
    }
}
