//! Decides what a claim says about lines: levels, changes, extremes, comparisons. Every line is one reading.

mod changes;
mod ever;
mod extremes;
mod levels;
mod passed;
pub(super) mod target;
mod versus;

use model::Day;
use verify::figures::{Assertion, FigureClaim, Measure, Over, PriceField, Undated, Unit};

use super::answer::{self, Answer, Gap, combine};
use super::finding::{FigureFinding, Reason, Verdict};
use super::line::{self, Line};
use super::moves::When;
use super::window::{Window, title, window};
use super::wording;

type Answers = Vec<std::result::Result<Answer, Gap>>;

/// What all lines say about a claim; `others` are the lines it is compared with.
pub(super) fn judge(
    claim: &FigureClaim,
    lines: &[Line],
    others: &[Line],
    today: Day,
) -> FigureFinding {
    let mut findings: Vec<FigureFinding> = claim
        .assertions
        .iter()
        .map(|assertion| {
            let ask = Ask { claim, today };
            let (answers, is_equality) = ask.answers(assertion, lines, others);
            combine(answers, is_equality)
        })
        .collect();
    let of =
        |wanted: fn(&Verdict) -> bool| findings.iter().position(|finding| wanted(&finding.verdict));
    let place = of(|verdict| *verdict == Verdict::Contradicted)
        .or_else(|| of(|verdict| matches!(verdict, Verdict::Unverifiable(_))))
        .unwrap_or(0);
    if findings.is_empty() {
        return FigureFinding::open(
            Reason::NotCheckable,
            "The claim says nothing that a figure could decide.",
        );
    }
    let decisive = findings.swap_remove(place);
    // Anything that was ever true was true for the first time at some point.
    let is_first = claim.is_first && claim.undated == Undated::Newest;
    let decisive = if is_first && decisive.verdict == Verdict::Supported {
        first_time(claim, lines, today, decisive)
    } else {
        decisive
    };
    if claim.is_negated {
        decisive.denied()
    } else {
        decisive
    }
}

/// The finding on a claim about a first time: contradicted if it was true before, and otherwise how far back the data
/// was searched.
fn first_time(
    claim: &FigureClaim,
    lines: &[Line],
    today: Day,
    supported: FigureFinding,
) -> FigureFinding {
    let Some((line, earlier)) = earlier(claim, lines, today) else {
        return FigureFinding::open(
            Reason::NoEvidence,
            "What was so for the first time is not among the figures held.",
        );
    };
    match earlier {
        Earlier::Found(point) => {
            let sentence = format!(
                "{} was {} already {}",
                capital(&title(line)),
                wording::value(line, point.value),
                wording::point_day(line, point.day)
            );
            Answer::of(line, false, sentence, &[point]).finding(Verdict::Contradicted)
        }
        Earlier::Nothing(since) => FigureFinding {
            statement: format!(
                "{} It was so on no day before, as far back as values are held: {}.",
                supported.statement,
                wording::day(since)
            ),
            ..supported
        },
        Earlier::NotHeld => FigureFinding::open(
            Reason::NoEvidence,
            format!("No earlier value of {} is on record.", title(line)),
        ),
    }
}

/// Whether something was true before the time of a claim.
enum Earlier {
    /// It was.
    Found(line::Point),
    /// Not on any day from this one on.
    Nothing(Day),
    /// No earlier values are on record.
    NotHeld,
}

fn earlier<'l>(claim: &FigureClaim, lines: &'l [Line], today: Day) -> Option<(&'l Line, Earlier)> {
    let bound = claim.assertions.iter().find_map(|one| match one {
        Assertion::Value(bound) if !bound.is_equality() || claim.over == Over::Reached => {
            Some(*bound)
        }
        _ => None,
    })?;
    let line = lines.first()?;
    let bound = answer::fitted(bound, line).ok()?;
    let found = window(line, &claim.period, today).ok()?;
    // Closes count: a level that was only touched within a day has not been passed for good.
    let amount = bound.amount().value;
    let rises = line
        .before(found.first)
        .is_none_or(|before| before.value < amount);
    let reaches = |point: &line::Point| {
        if claim.over == Over::Reached {
            (point.value >= amount) == rises
        } else {
            levels::holds_at(point, &bound, false)
        }
    };
    let before = line.within(Day::MIN, found.first.plus(-1));
    let earlier = match (before.iter().find(|point| reaches(point)), before.first()) {
        (Some(point), _) => Earlier::Found(*point),
        (None, Some(first)) => Earlier::Nothing(first.day),
        (None, None) => Earlier::NotHeld,
    };
    Some((line, earlier))
}

struct Ask<'a> {
    claim: &'a FigureClaim,
    today: Day,
}

impl Ask<'_> {
    fn answers(&self, assertion: &Assertion, lines: &[Line], others: &[Line]) -> (Answers, bool) {
        // If several series give the same figure, the first that has an answer is the usual one.
        let each = |ask: &dyn Fn(&Line) -> Answers| {
            let mut found = Answers::new();
            for line in lines {
                let is_first = !found.iter().any(std::result::Result::is_ok);
                found.extend(ask(line).into_iter().map(|answer| {
                    answer.map(|answer| Answer {
                        is_usual: answer.is_usual && is_first,
                        ..answer
                    })
                }));
            }
            found
        };
        match assertion {
            Assertion::Value(bound) => {
                let answers = each(&|line| match self.passing(line) {
                    Some((direction, bound)) => self.passed(line, direction, bound),
                    None => self.value(line, *bound),
                });
                (answers, bound.is_equality())
            }
            Assertion::Change { direction, size } => {
                let is_equality = size.is_some_and(|size| size.is_equality());
                (
                    each(&|line| match self.passing(line) {
                        Some((direction, bound)) => self.passed(line, direction, bound),
                        None => self.change(line, *direction, *size),
                    }),
                    is_equality,
                )
            }
            Assertion::Multiple(bound) => (each(&|line| self.multiple(line, *bound)), false),
            Assertion::From(bound) => (each(&|line| self.from(line, *bound)), bound.is_equality()),
            Assertion::Extreme { highest, since } => (
                each(&|line| vec![self.extreme(line, *highest, since.as_ref())]),
                false,
            ),
            Assertion::ExtremeOn { highest, on } => (
                each(&|line| vec![self.extreme_on(line, *highest, on)]),
                false,
            ),
            Assertion::BestSpan { best, unit, on } => (
                each(&|line| vec![self.best_span(line, *best, *unit, on)]),
                false,
            ),
            Assertion::Versus {
                greater,
                changes,
                by,
                ..
            } => {
                let pairs = lines
                    .iter()
                    .flat_map(|line| others.iter().map(move |other| (line, other)));
                let mut answers: Answers = pairs
                    .map(|(line, other)| {
                        if *changes {
                            self.versus_changes(line, other, *greater, *by)
                        } else {
                            self.versus(line, other, *greater, *by)
                        }
                    })
                    .collect();
                // The first pair of series that both cover the period.
                let place = answers
                    .iter()
                    .position(std::result::Result::is_ok)
                    .unwrap_or(0);
                answers.swap(0, place);
                answers.truncate(1);
                (answers, false)
            }
        }
    }

    /// The values for the whole period of the claim; an error if some of them are missing.
    fn whole<'l>(&self, line: &'l Line) -> std::result::Result<Window<'l>, Gap> {
        let found = window(line, &self.claim.period, self.today)?;
        if found.is_whole {
            return Ok(found);
        }
        Err(Gap::absent(format!(
            "{} is not held for the whole time of the claim.",
            capital(&title(line))
        )))
    }

    fn field(&self) -> PriceField {
        match self.claim.measure {
            Some(Measure::Price(field)) => field,
            _ => PriceField::Close,
        }
    }

    fn when(&self, size: Option<Unit>) -> When<'_> {
        When {
            period: &self.claim.period,
            base: self.claim.base.as_ref(),
            base_over: self.claim.base_over,
            basis: self.claim.basis,
            today: self.today,
            has_size: size.is_some(),
            is_relative: matches!(size, Some(Unit::Percent | Unit::Fraction | Unit::Times)),
            is_end: self.claim.over == Over::End
                || self.claim.measure == Some(Measure::Price(PriceField::Close)),
        }
    }
}

/// The subject that rose or fell: for a price, just the name.
fn subject(line: &Line) -> String {
    if line.measure == "close" {
        line.name.clone()
    } else {
        title(line)
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
