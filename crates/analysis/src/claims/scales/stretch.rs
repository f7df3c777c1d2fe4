//! Days on which an instrument's shares were counted differently from today, and its lines as they were traded on
//! those days.

use market::actions::{Split, Splits};
use model::Day;

use crate::claims::line::{Line, Point};
use crate::claims::wording;

/// What the scale of every line is called.
const ADJUSTED: &str = "split-adjusted";

/// Days whose shares were all split by the same later splits.
pub(super) struct Stretch {
    pub(super) first: Day,
    pub(super) last: Day,
    /// How many shares in the adjusted scale one of these shares has become.
    shares: f64,
    /// `before the 10-for-1 split of 10 June 2024`.
    pub(super) before: String,
}

/// The stretches of days within these points on which shares were counted differently from the day of the scale.
pub(super) fn stretches(splits: &Splits, points: &[Point], scale: Day) -> Vec<Stretch> {
    let Some(first) = points.first() else {
        return Vec::new();
    };
    let later: Vec<&Split> = splits
        .iter()
        .filter(|split| split.ex_date > first.day && split.ex_date <= scale)
        .collect();
    let mut found = Vec::new();
    let mut begins = Day::MIN;
    for (place, split) in later.iter().enumerate() {
        let stretch = Stretch {
            first: begins,
            last: split.ex_date.plus(-1),
            shares: splits.shares(split.ex_date.plus(-1), scale),
            before: before(&later[place..]),
        };
        begins = split.ex_date;
        // A split and a reverse split may cancel each other out.
        let is_same = (stretch.shares - 1.0).abs() < 1e-9;
        if !is_same && points.iter().any(|point| stretch.has(point)) {
            found.push(stretch);
        }
    }
    found
}

impl Stretch {
    pub(super) fn has(&self, point: &Point) -> bool {
        (self.first..=self.last).contains(&point.day)
    }

    fn words(&self) -> String {
        format!("as traded then, {}", self.before)
    }

    /// A point on a line as it was traded. For a volume, there were fewer shares by the same factor by which the price
    /// was higher.
    pub(super) fn traded(&self, line: &Line, point: &Point) -> Point {
        let factor = if line.is_flow {
            1.0 / self.shares
        } else {
            self.shares
        };
        Point {
            day: point.day,
            value: point.value * factor,
            low: point.low * factor,
            high: point.high * factor,
        }
    }

    /// A line in the scale of these days, from one day to another.
    pub(super) fn line(&self, line: &Line, first: Day, last: Day) -> Line {
        let points = line.within(first, last).iter();
        let words = self.words();
        let reading = if line.reading.contains(ADJUSTED) {
            line.reading.replace(ADJUSTED, &words)
        } else {
            format!("{}, {words}", line.reading)
        };
        Line {
            points: points.map(|point| self.traded(line, point)).collect(),
            reading,
            split_words: words,
            ..line.clone()
        }
    }
}

/// A line whose every reading says that it is adjusted.
pub(super) fn in_adjusted_words(line: &Line) -> Line {
    let reading = if line.reading.contains(ADJUSTED) {
        line.reading.clone()
    } else {
        format!("{}, {ADJUSTED}", line.reading)
    };
    Line {
        reading,
        split_words: ADJUSTED.to_owned(),
        ..line.clone()
    }
}

/// Which splits came later, in words.
fn before(later: &[&Split]) -> String {
    let named = |split: &Split| {
        format!(
            "the {} split of {}",
            ratio(split.ratio),
            wording::day(split.ex_date)
        )
    };
    match later {
        [] => String::new(),
        [one] => format!("before {}", named(one)),
        [one, other] => format!("before {} and {}", named(one), named(other)),
        [one, others @ ..] => format!("before {} and {} later ones", named(one), others.len()),
    }
}

/// `10-for-1`, `3-for-2`, `1-for-8`.
fn ratio(ratio: f64) -> String {
    let large = ratio.max(1.0 / ratio);
    let is_whole = |fewer: &u32| {
        let more = large * f64::from(*fewer);
        (more - more.round()).abs() < 1e-3 * more
    };
    match (1..=20).find(is_whole) {
        Some(fewer) => {
            let more = (large * f64::from(fewer)).round();
            if ratio >= 1.0 {
                format!("{more:.0}-for-{fewer}")
            } else {
                format!("{fewer}-for-{more:.0}")
            }
        }
        None => format!("{}-for-1", wording::number(ratio)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_written_as_they_are_announced() {
        for (of, expected) in [
            (10.0, "10-for-1"),
            (1.5, "3-for-2"),
            (4.0 / 3.0, "4-for-3"),
            (0.125, "1-for-8"),
            (0.3333, "1-for-3"),
            (1.0469, "1.0469-for-1"),
        ] {
            assert_eq!(ratio(of), expected);
        }
    }
}
