//! Observations and how they become sentences.
//!
//! An observation has a weight: how far it is from what is ordinary for this subject or among its peers. The heaviest
//! are reported, heaviest first; ordinary ones are left to the tables. Two observations on the same theme, or on
//! neighbouring themes, share a sentence, joined by how they relate to each other. So the choice and the order of
//! observations follow from the data, and the wording of each part follows from its state.

use super::document::Sentence;
use super::words::capital;

/// Below this an observation is ordinary.
const ORDINARY: f64 = 0.3;
/// From this weight on, an observation is worth a sentence of its own.
const ALONE: f64 = 0.45;
/// From this weight on, an observation may complete a sentence on its theme.
const PARTNER: f64 = 0.1;

/// The theme of an observation; those with the same theme may share a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    /// Where the price is and how it got there.
    Path,
    /// The price compared with the market.
    Market,
    /// How much it fluctuates and how much is traded.
    Risk,
    /// Averages, momentum and levels.
    Chart,
    /// The company's earnings and valuation.
    Business,
    /// Its debts and payouts.
    Balance,
    /// Its reports.
    Reports,
    /// The actions of analysts, insiders, institutions and lawmakers.
    Hands,
    /// Rates, prices, jobs and the surrounding market.
    Economy,
    /// Its coverage.
    Coverage,
}

impl Theme {
    /// The closest themes.
    const fn neighbours(self) -> &'static [Self] {
        match self {
            Self::Path => &[Self::Market, Self::Risk],
            Self::Market => &[Self::Path, Self::Risk],
            Self::Risk => &[Self::Market, Self::Path],
            Self::Business => &[Self::Balance, Self::Reports],
            Self::Balance => &[Self::Business],
            Self::Reports => &[Self::Hands, Self::Business, Self::Chart],
            Self::Hands | Self::Chart => &[Self::Reports],
            Self::Economy | Self::Coverage => &[],
        }
    }
}

/// One observation.
#[derive(Clone, Debug)]
pub(super) struct Point {
    theme: Theme,
    /// −1 if it speaks against the subject, 1 if in favour, 0 if neither.
    side: i8,
    weight: f64,
    /// A clause without an initial capital or a full stop.
    clause: String,
    cites: Vec<usize>,
}

impl Point {
    pub(super) fn new(theme: Theme, side: f64, weight: f64, clause: impl Into<String>) -> Self {
        Self {
            theme,
            side: if side > 0.0 {
                1
            } else if side < 0.0 {
                -1
            } else {
                0
            },
            weight,
            clause: clause.into(),
            cites: Vec::new(),
        }
    }
}

/// The heaviest observations in at most the given number of sentences; at least `least` of them, however ordinary, if
/// there are any.
pub(super) fn sentences(points: Vec<Point>, least: usize, most: usize) -> Vec<Sentence> {
    let mut points: Vec<Point> = points
        .into_iter()
        .filter(|point| point.weight.is_finite() && !point.clause.is_empty())
        .collect();
    points.sort_by(|left, right| right.weight.total_cmp(&left.weight));
    let mut told: Vec<Sentence> = Vec::new();
    while told.len() < most && !points.is_empty() {
        let first = points.remove(0);
        if first.weight < ORDINARY && told.len() >= least {
            break;
        }
        let partner = points
            .iter()
            .position(|other| other.theme == first.theme && other.weight >= PARTNER)
            .or_else(|| {
                points.iter().position(|other| {
                    other.weight >= ORDINARY / 2.0
                        && first.theme.neighbours().contains(&other.theme)
                })
            });
        if first.weight < ALONE && partner.is_none() {
            continue;
        }
        let second = partner.map(|place| points.remove(place));
        told.push(joined(first, second));
    }
    told
}

fn joined(first: Point, second: Option<Point>) -> Sentence {
    let mut cites = first.cites;
    let Some(second) = second else {
        return Sentence {
            text: format!("{}.", capital(&first.clause)),
            cites,
        };
    };
    cites.extend(second.cites);
    let word = if first.side * second.side < 0 {
        "but"
    } else {
        "and"
    };
    Sentence {
        text: format!("{}, {word} {}.", capital(&first.clause), second.clause),
        cites,
    }
}

/// Names the subject if a paragraph would otherwise begin with a pronoun.
pub(super) fn named(mut sentences: Vec<Sentence>, name: &str) -> Vec<Sentence> {
    if let Some(first) = sentences.first_mut() {
        if let Some(rest) = first.text.strip_prefix("It ") {
            first.text = format!("{name} {rest}");
        } else if let Some(rest) = first.text.strip_prefix("Its ") {
            first.text = format!("{name}'s {rest}");
        }
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(points: Vec<Point>, least: usize, most: usize) -> Vec<String> {
        let told = sentences(points, least, most);
        told.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn the_heaviest_come_first_and_the_ordinary_are_left_out() {
        let points = || {
            vec![
                Point::new(Theme::Risk, 0.0, 0.2, "swings are usual"),
                Point::new(Theme::Risk, 0.0, 0.15, "turnover is steady"),
                Point::new(Theme::Path, -1.0, 0.5, "the month was poor"),
                Point::new(Theme::Chart, 1.0, 0.9, "the trend is intact"),
                Point::new(Theme::Path, 1.0, 0.4, "the year was good"),
            ]
        };
        assert_eq!(
            texts(points(), 0, 9),
            [
                "The trend is intact.",
                "The month was poor, but the year was good."
            ]
        );
        assert_eq!(
            texts(points(), 3, 9).last().unwrap(),
            "Swings are usual, and turnover is steady.",
            "a quiet subject"
        );
        assert_eq!(texts(points(), 0, 1), ["The trend is intact."]);
        let broken = vec![Point::new(Theme::Risk, 0.0, f64::NAN, "x")];
        assert!(texts(broken, 1, 1).is_empty());
    }

    #[test]
    fn a_paragraph_begins_with_the_name() {
        let told = named(
            vec![
                Sentence::from("It fell.".to_owned()),
                "It rose.".to_owned().into(),
            ],
            "Acme",
        );
        assert_eq!(told[0].text, "Acme fell.");
        assert_eq!(told[1].text, "It rose.");
    }
}
