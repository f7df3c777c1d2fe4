//! Prices in the two scales that people write them in: split-adjusted, as every line is, and as they were traded on
//! the day. A claim that is true of the prices actually paid is supported. One that is true only of the adjusted price
//! is supported if its number is in that scale, and otherwise open. Only what both scales refute is contradicted.
//! Decision 0023 says why.
//!
//! Changes, returns and comparisons across a split stay adjusted: prices on both sides of it have no highest, lowest
//! or mean as traded.

mod stretch;

use market::actions::{Splits, is_split_apart, usual_ratios};
use model::Day;
use verify::figures::{
    Assertion, Bound, Direction, FigureClaim, Measure, Over, Period, PriceField, Undated, Unit,
};

use super::FigureServices;
use super::finding::{FigureFinding, Reason, Verdict};
use super::judge::judge;
use super::line::{Line, Point};
use super::window::window;
use super::wording;
use crate::Result;
use crate::market::{Adjust, Listing, PointInTime};

use stretch::{Stretch, in_adjusted_words, stretches};

/// How far beyond the prices on certain days a number may be and still count as one of them, as a fraction.
const NEAR: f64 = 0.005;
/// The minimum ratio between a number and a price for the number to be a possible price from before a split.
const APART: f64 = 1.8;
/// For a smaller split, how close to its ratio a number must be to be such a price.
const OF_RATIO: f64 = 0.97;
/// The number of recent days in which a split would not be missing from the record.
const RECENT_DAYS: i32 = 30;

/// What the prices of an instrument say about a claim, in both scales if they differ.
pub(super) async fn judged(
    services: &FigureServices,
    listing: &Listing,
    claim: &FigureClaim,
    lines: &[Line],
    when: PointInTime,
    today: Day,
) -> Result<FigureFinding> {
    let found = judge(claim, lines, &[], today);
    if listing.is_never_split() || !is_of_scale(claim) {
        return Ok(found);
    }
    let points = lines.first().and_then(|line| compared(line, claim, today));
    let Some(points) = points else {
        return Ok(found);
    };
    let number = number(claim);
    let (splits, scale) = (listing.splits(), when.scale());
    let mut stretches = stretches(splits, points, scale);
    // The volumes of two days can differ by a split ratio without any split.
    let tells_scale = claim.measure != Some(Measure::Volume);
    let may_be_split = points
        .iter()
        .any(|point| splits.may_have_become(point.day, scale).is_some());
    let is_doubtful = found.verdict == Verdict::Contradicted
        && (may_be_split || tells_scale && is_far(points, number));
    if stretches.is_empty() && !is_doubtful && !may_be_split {
        return Ok(found);
    }
    // Only an instrument that never splits has no other prices than these.
    let history = services.prices.history(listing, when).await?;
    let traded = services
        .prices
        .adjusted(listing, history, when, Adjust::Nothing)
        .await?;
    let known = traded.candles().days();
    let is_known = |point: &Point| known.binary_search(&point.day).is_ok();
    let is_split = may_be_split || !stretches.is_empty();
    stretches.retain(|stretch| {
        let mut within = points.iter().filter(|point| stretch.has(point));
        within.all(is_known)
    });
    let adjusted: Vec<Line> = lines.iter().map(in_adjusted_words).collect();
    let scales = Scales {
        claim,
        lines: if is_split { &adjusted[..] } else { lines },
        points,
        number,
        today,
    };
    let found = match &stretches[..] {
        [] if is_split => judge(claim, &adjusted, &[], today),
        [] => found,
        stretches => scales.judged(stretches),
    };
    if found.verdict != Verdict::Contradicted {
        return Ok(found);
    }
    let unknown: Vec<Point> = points
        .iter()
        .filter(|point| !is_known(point))
        .copied()
        .collect();
    if tells_scale && is_apart(&scales.measured(&unknown), number) {
        let why = "The number of the claim differs from that by about the ratio of a split";
        return Ok(not_known(found, listing, why, "paid"));
    }
    let ratios = possible_ratios(splits, &unknown, (scale, today), tells_scale);
    if scales.may_have_been(&unknown, &ratios) {
        let what = if tells_scale { "paid" } else { "traded" };
        let why = "Before a split the claim may be true of the shares as they were then";
        return Ok(not_known(found, listing, why, what));
    }
    Ok(found)
}

/// How many shares one share may have become since days for which the prices actually paid are unknown: through a
/// split inferred from prices alone or, if nobody reports any, through a usual one.
fn possible_ratios(
    splits: &Splits,
    unknown: &[Point],
    (scale, today): (Day, Day),
    tells_scale: bool,
) -> Vec<f64> {
    let inferred = |point: &Point| splits.may_have_become(point.day, scale);
    let mut found: Vec<f64> = unknown.iter().filter_map(inferred).collect();
    let may_be_missing =
        |point: &Point| inferred(point).is_none() && today.since(point.day) > RECENT_DAYS;
    if tells_scale && !splits.are_reported() && unknown.iter().any(may_be_missing) {
        found.extend(usual_ratios());
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// Whether a claim gives a number that depends on how shares are counted.
fn is_of_scale(claim: &FigureClaim) -> bool {
    let is_measure = matches!(
        claim.measure,
        None | Some(
            Measure::Price(_)
                | Measure::Volume
                | Measure::YearHigh
                | Measure::YearLow
                | Measure::RecordHigh
                | Measure::RecordLow
                | Measure::Average(..)
        )
    );
    let is_scaled = |bound: &Bound| {
        matches!(
            bound.amount().unit,
            Unit::Bare | Unit::Money(_) | Unit::Count
        )
    };
    is_measure
        && claim.assertions.iter().any(|one| match one {
            Assertion::Value(bound)
            | Assertion::From(bound)
            | Assertion::Change {
                size: Some(bound), ..
            } => is_scaled(bound),
            _ => false,
        })
}

/// The number in a claim that a price is compared with; `None` if it gives only the size of a change.
fn number(claim: &FigureClaim) -> Option<f64> {
    let number = claim.assertions.iter().find_map(|one| match one {
        Assertion::Value(bound) | Assertion::From(bound) => Some(bound.amount().value),
        _ => None,
    });
    number.filter(|number| *number > 0.0)
}

/// The points that a claim is about; `None` if there are none.
fn compared<'l>(line: &'l Line, claim: &FigureClaim, today: Day) -> Option<&'l [Point]> {
    let points = match claim.undated {
        Undated::Ever => &line.points[..],
        Undated::Newest => window(line, &claim.period, today).ok()?.points,
    };
    match claim.over {
        Over::Start => points.get(..1),
        Over::End => points.get(points.len().checked_sub(1)?..),
        _ => (!points.is_empty()).then_some(points),
    }
}

/// The price at a point that is nearest to a number.
fn price_at(point: &Point, number: f64) -> f64 {
    number.max(point.low).min(point.high)
}

fn apart(point: &Point, number: f64) -> f64 {
    (price_at(point, number) / number).ln().abs()
}

fn nearest(points: &[Point], number: f64) -> Option<&Point> {
    points
        .iter()
        .min_by(|one, other| apart(one, number).total_cmp(&apart(other, number)))
}

/// How far a number is from the nearest of these prices; zero if there is no number.
fn distance(points: &[Point], number: Option<f64>) -> f64 {
    number.map_or(0.0, |number| {
        nearest(points, number).map_or(f64::INFINITY, |point| apart(point, number))
    })
}

/// Whether a number is as far from the nearest of these prices as a split would put it.
fn is_apart(points: &[Point], number: Option<f64>) -> bool {
    let Some(number) = number else { return false };
    nearest(points, number).is_some_and(|point| {
        let prices = [point.value, price_at(point, number)];
        prices.iter().any(|price| is_split_apart(number, *price))
    })
}

/// Whether a number is further from every price than unsplit shares move.
fn is_far(points: &[Point], number: Option<f64>) -> bool {
    distance(points, number) >= APART.ln()
        || number.is_some_and(|number| {
            nearest(points, number)
                .is_some_and(|point| (point.value / number).ln().abs() >= APART.ln())
        })
}

/// A claim refuted by the adjusted price may still match the price actually paid, which no record gives.
fn not_known(found: FigureFinding, listing: &Listing, why: &str, what: &str) -> FigureFinding {
    FigureFinding {
        verdict: Verdict::Unverifiable(Reason::NoEvidence),
        statement: format!(
            "{} {why}, and the splits of {} on record do not say what was {what} then.",
            found.statement,
            listing.ticker()
        ),
        ..found
    }
}

/// One claim and its prices in both scales.
struct Scales<'a> {
    claim: &'a FigureClaim,
    lines: &'a [Line],
    /// The points that the claim is about.
    points: &'a [Point],
    number: Option<f64>,
    today: Day,
}

impl Scales<'_> {
    fn judged(&self, stretches: &[Stretch]) -> FigureFinding {
        let adjusted = judge(self.claim, self.lines, &[], self.today);
        let is_one_scale = |stretch: &Stretch| self.points.iter().all(|point| stretch.has(point));
        match stretches {
            [stretch] if self.claim.undated == Undated::Newest && is_one_scale(stretch) => {
                // Every day in the scale of the claim's days, so that moves up to them are complete.
                let traded = self.as_traded(stretch, Day::MIN, Day::MAX);
                settled(adjusted, traded, self.is_of(stretch))
            }
            _ if self.is_of_days() => self.by_day(adjusted, stretches),
            _ => self.of_whole(adjusted, stretches),
        }
    }

    /// The values at these points that the claim's number is compared with: their mean, if the number is one.
    fn measured(&self, points: &[Point]) -> Vec<Point> {
        match points.last() {
            Some(last) if self.claim.over == Over::Mean => {
                let sum: f64 = points.iter().map(|point| point.value).sum();
                vec![Point::of(last.day, sum / points.len() as f64)]
            }
            _ => points.to_vec(),
        }
    }

    /// Whether the claim is true of these points, or left open, if each of their shares has become one of these
    /// numbers of shares, and the claim's number is as far off as such a split would put it.
    fn may_have_been(&self, unknown: &[Point], ratios: &[f64]) -> bool {
        let Some(number) = self.number else {
            return false;
        };
        let compared = self.measured(unknown);
        let Some(nearest) = nearest(&compared, number) else {
            return false;
        };
        let over = number / price_at(nearest, number);
        let are_all = unknown.len() == self.points.len();
        let is_unknown = |point: &Point| {
            are_all
                || unknown
                    .binary_search_by_key(&point.day, |one| one.day)
                    .is_ok()
        };
        ratios.iter().any(|shares| {
            let factor = |line: &Line| if line.is_flow { 1.0 / shares } else { *shares };
            let Some(first) = self.lines.first().map(factor) else {
                return false;
            };
            let apart = APART.min(OF_RATIO * first.max(1.0 / first));
            let is_beyond = if first > 1.0 {
                over >= apart
            } else {
                over <= 1.0 / apart
            };
            let then = |line: &Line| {
                let factor = factor(line);
                line.map(|point| {
                    let factor = if is_unknown(point) { factor } else { 1.0 };
                    Point {
                        day: point.day,
                        value: point.value * factor,
                        low: point.low * factor,
                        high: point.high * factor,
                    }
                })
            };
            is_beyond && {
                let lines: Vec<Line> = self.lines.iter().map(then).collect();
                let found = judge(self.claim, &lines, &[], self.today);
                found.verdict != Verdict::Contradicted
            }
        })
    }

    fn as_traded(&self, stretch: &Stretch, first: Day, last: Day) -> FigureFinding {
        let lines = self.lines.iter();
        let lines: Vec<Line> = lines.map(|line| stretch.line(line, first, last)).collect();
        judge(self.claim, &lines, &[], self.today)
    }

    /// The points in a stretch that the claim is about, as they were traded.
    fn traded(&self, stretch: &Stretch) -> Vec<Point> {
        let Some(line) = self.lines.first() else {
            return Vec::new();
        };
        let within = self.points.iter().filter(|point| stretch.has(point));
        within.map(|point| stretch.traded(line, point)).collect()
    }

    fn distance_of(&self, stretch: &Stretch) -> f64 {
        distance(&self.traded(stretch), self.number)
    }

    /// Whether the number in the claim is in the scale of a stretch rather than the adjusted scale.
    fn is_of(&self, stretch: &Stretch) -> bool {
        self.distance_of(stretch) < distance(self.points, self.number)
    }

    /// Whether a single day can show what the claim says about a longer period, so that each is read in its own scale.
    fn is_of_days(&self) -> bool {
        let claim = self.claim;
        let is_value = |one: &Assertion| matches!(one, Assertion::Value(_));
        let is_equality =
            |one: &Assertion| matches!(one, Assertion::Value(bound) if bound.is_equality());
        let are_values = claim.assertions.iter().all(is_value);
        match (claim.undated, claim.over) {
            (Undated::Ever, Over::Highest | Over::Lowest | Over::Every) => false,
            (Undated::Ever, _) | (Undated::Newest, Over::Any | Over::Reached) => are_values,
            (Undated::Newest, Over::Unsaid) => {
                let is_close = claim.measure == Some(Measure::Price(PriceField::Close));
                is_close && claim.assertions.iter().all(is_equality) || self.is_passing()
            }
            _ => false,
        }
    }

    /// `Fell to 95 in March`: a price that was passed on one of the days.
    fn is_passing(&self) -> bool {
        let is_move = |one: &Assertion| {
            matches!(
                one,
                Assertion::Change {
                    direction: Direction::Up | Direction::Down,
                    size: None,
                }
            )
        };
        let is_mark =
            |one: &Assertion| matches!(one, Assertion::Value(Bound::Equal(_) | Bound::About(_)));
        let [one, other] = &self.claim.assertions[..] else {
            return false;
        };
        let is_both = is_mark(one) && is_move(other) || is_move(one) && is_mark(other);
        is_both && self.claim.measure.is_none() && matches!(self.claim.period, Period::In(_))
    }

    /// The finding, across a split, on something that a single day can show.
    fn by_day(&self, adjusted: FigureFinding, stretches: &[Stretch]) -> FigureFinding {
        let begins = self.points.first().map(|point| point.day);
        let is_dated = self.claim.undated == Undated::Newest;
        let mut found: Vec<(&Stretch, FigureFinding)> = stretches
            .iter()
            .map(|stretch| {
                let is_first =
                    begins.is_some_and(|day| (stretch.first..=stretch.last).contains(&day));
                // The prices before a period belong to it, because that is where a price starts from when it passes a
                // number.
                let first = if is_dated && is_first {
                    Day::MIN
                } else {
                    stretch.first
                };
                (stretch, self.as_traded(stretch, first, stretch.last))
            })
            .collect();
        found.sort_by(|(one, _), (other, _)| {
            self.distance_of(one).total_cmp(&self.distance_of(other))
        });
        if self.claim.is_negated {
            // What was true on one day is not denied by another.
            let against = found.into_iter().find(|(stretch, finding)| {
                finding.verdict == Verdict::Contradicted && self.is_of(stretch)
            });
            return match against {
                Some((_, traded)) if adjusted.verdict == Verdict::Supported => {
                    open(traded, &adjusted)
                }
                _ => adjusted,
            };
        }
        let shown = found
            .into_iter()
            .find(|(_, finding)| finding.verdict == Verdict::Supported);
        match shown {
            Some((stretch, traded))
                if adjusted.verdict != Verdict::Supported || self.is_of(stretch) =>
            {
                traded
            }
            _ => self.with_traded(adjusted, stretches),
        }
    }

    /// The finding, across a split, on something that only a whole period can show: that of the adjusted prices,
    /// unless the number is one of the prices actually paid.
    fn of_whole(&self, adjusted: FigureFinding, stretches: &[Stretch]) -> FigureFinding {
        let Some(number) = self.number else {
            return adjusted;
        };
        let is_within = |points: &[Point]| {
            let (low, high) = range(points);
            (low * (1.0 - NEAR)..=high * (1.0 + NEAR)).contains(&number)
        };
        let paid = stretches
            .iter()
            .find(|stretch| is_within(&self.traded(stretch)));
        match paid {
            Some(stretch)
                if adjusted.verdict == Verdict::Contradicted && !is_within(self.points) =>
            {
                FigureFinding {
                    verdict: Verdict::Unverifiable(Reason::Conflicting),
                    statement: format!("{} {}", adjusted.statement, self.lay(stretch)),
                    ..adjusted
                }
            }
            _ => adjusted,
        }
    }

    /// A contradiction that also shows the prices as traded, if the number is in their scale.
    fn with_traded(&self, adjusted: FigureFinding, stretches: &[Stretch]) -> FigureFinding {
        let nearest = stretches
            .iter()
            .filter(|stretch| self.is_of(stretch))
            .min_by(|one, other| self.distance_of(one).total_cmp(&self.distance_of(other)));
        match nearest {
            Some(stretch) if adjusted.verdict == Verdict::Contradicted => FigureFinding {
                statement: format!("{} {}", adjusted.statement, self.lay(stretch)),
                ..adjusted
            },
            _ => adjusted,
        }
    }

    /// The range of a stretch's prices as they were traded.
    fn lay(&self, stretch: &Stretch) -> String {
        let traded = self.traded(stretch);
        let (Some(line), Some(first), Some(last)) =
            (self.lines.first(), traded.first(), traded.last())
        else {
            return String::new();
        };
        let (low, high) = range(&traded);
        format!(
            "As traded then, {}, it lay between {} and {} from {} to {}.",
            stretch.before,
            wording::value(line, low),
            wording::value(line, high),
            wording::day(first.day),
            wording::day(last.day)
        )
    }
}

/// The lowest and the highest of these prices.
fn range(points: &[Point]) -> (f64, f64) {
    let lows = points.iter().map(|point| point.low);
    let highs = points.iter().map(|point| point.high);
    (
        lows.fold(f64::INFINITY, f64::min),
        highs.fold(f64::NEG_INFINITY, f64::max),
    )
}

/// The finding from two scales; `is_of_traded` if the number in the claim is nearer to the prices actually paid.
fn settled(adjusted: FigureFinding, traded: FigureFinding, is_of_traded: bool) -> FigureFinding {
    use Verdict::{Contradicted, Supported, Unverifiable};
    match (adjusted.verdict, traded.verdict) {
        (Supported, Supported)
        | (Contradicted, Contradicted)
        | (Unverifiable(_), Unverifiable(_))
            if !is_of_traded =>
        {
            adjusted
        }
        (Contradicted, Contradicted) | (Unverifiable(_), Unverifiable(_)) | (_, Supported) => {
            traded
        }
        (Supported, Contradicted) if is_of_traded => open(traded, &adjusted),
        (Contradicted, Unverifiable(_)) if is_of_traded => traded,
        _ => adjusted,
    }
}

/// What the scales leave open, with both figures.
fn open(nearer: FigureFinding, other: &FigureFinding) -> FigureFinding {
    FigureFinding {
        verdict: Verdict::Unverifiable(Reason::Conflicting),
        statement: format!("{} {}", nearer.statement, other.statement),
        ..nearer
    }
}
