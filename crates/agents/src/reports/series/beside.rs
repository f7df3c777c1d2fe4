//! A series beside another: how closely and how far they move together.

use super::Series;

/// How two series move together.
#[derive(Clone, Copy, Debug)]
pub(in crate::reports) struct Together {
    pub(in crate::reports) correlation: f64,
    pub(in crate::reports) beta: f64,
}

impl Series {
    /// Mean moves, in percent, on the days of the last `sessions` on which another series rose, and on those on which it fell,
    /// over those of the other.
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

    /// How it moved together with another series over the last so many days that both have.
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
    fn twins_move_together() {
        let closes: Vec<f64> = (0..100).map(|at| 100.0 + f64::from(at * 37 % 11)).collect();
        let (one, two) = (sample(&closes), sample(&closes));
        let together = one.together(&two, 90).unwrap();
        assert!((together.correlation - 1.0).abs() < 1e-9 && (together.beta - 1.0).abs() < 1e-9);
        assert!(sample(&closes[..20]).together(&two, 90).is_none());
    }
}
