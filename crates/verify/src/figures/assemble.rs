//! From a sentence to a claim: assembling its marked stretches.

use model::Day;

use super::amount::Bound;
use super::assertions::{self, Said};
use super::claim::{
    Assertion, Basis, FigureClaim, Measure, Over, PriceField, Reading, Subject, Unclear, Undated,
};
use super::dates::is_ambiguous;
use super::items::{self, Item, Items, What};
use super::parts::Parts;
use super::period::{Length, Period, Span, SpanUnit};
use super::subject::NOT_HELD;
use super::times::Times;
use super::token::{Join, Token, cut};
use super::{disclosed, doubts, events, listed, mend, plain, undated};

/// Words that begin a clause giving a reason or a circumstance.
const CLAUSES: [&str; 23] = [
    "amid",
    "yet",
    "because",
    "following",
    "after",
    "while",
    "despite",
    "thanks",
    "driven",
    "due",
    "although",
    "though",
    "whereas",
    "as",
    "before",
    "even",
    "helped",
    "fuelled",
    "fueled",
    "boosted",
    "according",
    "making",
    "which",
];

/// Words that turn a sentence into a forecast or a supposition.
const FORECASTS: [&str; 19] = [
    "will",
    "could",
    "should",
    "would",
    "might",
    "may",
    "expects",
    "expected",
    "forecast",
    "forecasts",
    "predicts",
    "predicted",
    "projected",
    "likely",
    "probably",
    "if",
    "going",
    "poised",
    "possibly",
];

/// With more unexplained words than this, a sentence is about something else.
const UNEXPLAINED: usize = 2;

/// Policy rates move by quarters of a point: 3.75 is not 4 percent.
const RATE_STEP: f64 = 0.25;

/// Reads a claim as of a day; `None` if it is not about a market or economic figure.
pub fn read(text: &str, today: Day) -> Option<Reading> {
    let all = cut(text);
    let (tokens, circumstance) = all.split_at(clause_end(&all));
    if tokens.is_empty() {
        return None;
    }
    if doubts::is_another_move(text, circumstance, today) {
        return Some(Reading::Unclear(Unclear {
            why: "it tells of two moves".to_owned(),
            is_uncheckable: false,
            is_certain: false,
        }));
    }
    let mut marks = items::mark(text, tokens, today);
    if let Some(reading) = disclosed::read(tokens, &marks) {
        return Some(reading);
    }
    let is_question = text.trim_end().ends_with('?');
    if let Some(reading) = listed::read(tokens, &marks).filter(|_| !is_question) {
        return Some(reading);
    }
    mend::reassign(&mut marks, tokens);
    read_marked(text, &all, tokens, &marks)
}

/// Reads a claim whose stretches are marked, given all its tokens and those of them that are read.
pub(super) fn read_marked(
    text: &str,
    all: &[Token<'_>],
    tokens: &[Token<'_>],
    marks: &Items,
) -> Option<Reading> {
    let parts = Parts::of(marks, tokens);
    let is_certain = parts.is_certain && marks.unexplained.len() <= UNEXPLAINED;
    let unclear = |why: String| {
        Some(Reading::Unclear(Unclear {
            why,
            is_uncheckable: false,
            is_certain,
        }))
    };
    let mut parts = parts;
    if parts.subjects.is_empty() && counts_jobs(tokens) {
        parts.subjects.push(Subject::Series("payrolls"));
        parts.is_certain = true;
    }
    let parts = parts;
    let is_certain = is_certain || parts.is_certain && marks.unexplained.len() <= UNEXPLAINED;
    let subject = parts.subjects.first()?.clone();
    let said = assertions::of(&marks.items, tokens, &parts);
    let Some(said) = said else {
        // A subject about which nothing is said is not a claim.
        return None;
    };
    if !is_certain && !said.is_figure || events::is_event(&subject, &said, &marks.items, tokens) {
        return None;
    }
    if text.trim_end().ends_with('?') || is_forecast(tokens) {
        return Some(Reading::Unclear(Unclear {
            why: "it is a forecast, a supposition or a question".to_owned(),
            is_uncheckable: true,
            is_certain,
        }));
    }
    if let Some(why) = doubt(marks, tokens) {
        return unclear(why);
    }
    if doubts::tells_two(&marks.items, tokens) {
        return unclear("it tells of two moves".to_owned());
    }
    if doubts::follows_another(&marks.items, tokens) {
        return unclear("it tells of one move after another".to_owned());
    }
    if doubts::begins_and_ends(&marks.items) {
        return unclear("it speaks of both the start and the end of the period".to_owned());
    }
    if doubts::measures_two(&marks.items) {
        return unclear("it gives figures of two kinds".to_owned());
    }
    if parts.subjects.contains(&Subject::Series(NOT_HELD)) {
        return unclear("no series of this figure is held".to_owned());
    }
    let left_out = all.get(tokens.len()..).unwrap_or_default();
    if doubts::has_figures(left_out) {
        return unclear("its last clause has another figure".to_owned());
    }
    if let Some(first) = marks.unexplained.first() {
        return unclear(format!(
            "what `{first}` means for the figure is not understood"
        ));
    }
    finish(parts, said, subject, &marks.items, tokens)
}

/// Whether something is said to have moved by two different amounts of the same kind.
fn has_two_moves(assertions: &[Assertion]) -> bool {
    let sizes: Vec<_> = assertions
        .iter()
        .filter_map(|one| match one {
            Assertion::Change {
                size: Some(bound), ..
            } => Some(bound.amount()),
            _ => None,
        })
        .collect();
    sizes.iter().enumerate().any(|(place, one)| {
        sizes[place + 1..]
            .iter()
            .any(|other| other.unit == one.unit && other.value != one.value)
    })
}

/// What is not understood in a sentence, however it is taken apart.
pub(super) fn doubt(marks: &Items, tokens: &[Token<'_>]) -> Option<String> {
    if is_ambiguous(tokens) {
        return Some("a date in figures could be two days".to_owned());
    }
    if let Some(why) = plain::no_plain_claim(&marks.items, tokens) {
        return Some(why.to_owned());
    }
    if let Some(period) = doubts::pointed_at(tokens) {
        return Some(format!("`that {period}` points to a time named elsewhere"));
    }
    if plain::counts_none(&marks.items, tokens) {
        return Some("it says of how many of several that it holds".to_owned());
    }
    if plain::is_smallest_move(tokens) {
        return Some("the smallest of several moves is not looked for".to_owned());
    }
    if doubts::is_first_since(tokens) {
        return Some("the first time since another is not looked for".to_owned());
    }
    if plain::counts_days(tokens) {
        return Some("it counts sessions in a row".to_owned());
    }
    if doubts::ends_at_extreme(&marks.items, tokens) {
        return Some("it is measured to or from a high or low whose day is not named".to_owned());
    }
    if let Some(why) = doubts::compared_in_passing(&marks.items, tokens) {
        return Some(why.to_owned());
    }
    if let Some(place) = &marks.elsewhere {
        return Some(format!(
            "it is about figures of another kind or place ({place})"
        ));
    }
    let has_time = marks
        .items
        .iter()
        .any(|item| matches!(item.what, What::Period(..)));
    let like_year = |token: &Token<'_>| {
        super::period::year_of(token).is_some_and(|year| (1950..2050).contains(&year))
    };
    if !has_time && tokens.iter().any(like_year) {
        return Some("a number could be a year".to_owned());
    }
    None
}

/// The series that a claim means by a name shared by several. GDP growth means real growth; what the central bank
/// raises, cuts and sets is its target rather than the rate paid in the market.
fn meant(subject: Subject, assertions: &[Assertion], tokens: &[Token<'_>]) -> Subject {
    let any = |words: &[&str]| tokens.iter().any(|token| token.is_any(words));
    match subject {
        Subject::Series("gdp") => {
            let moves =
                |one: &Assertion| matches!(one, Assertion::Change { .. } | Assertion::Multiple(_));
            let is_amount =
                |one: &Assertion| matches!(one, Assertion::Value(_) | Assertion::From(_));
            let grows = assertions.iter().any(moves) && !assertions.iter().any(is_amount);
            Subject::Series(if grows && !any(&["nominal", "current"]) {
                "real_gdp"
            } else {
                "gdp"
            })
        }
        Subject::Series("fed_funds") => {
            let acts = tokens.iter().enumerate().any(|(at, token)| {
                token.is_any(&["fed", "reserve", "fomc"])
                    && !token.possessive
                    && !tokens
                        .get(at + 1)
                        .is_some_and(|next| next.is_any(&["funds", "fund"]))
            });
            let is_target =
                acts || any(&["target", "targets", "range", "policy", "benchmark", "key"]);
            let is_effective = any(&["effective", "averaged", "average", "mean", "traded"]);
            Subject::Series(if is_target && !is_effective {
                "fed_target"
            } else {
                "fed_funds"
            })
        }
        other => other,
    }
}

/// The year up to its end for a price that is compared with a year before: only published figures are compared month by
/// month.
fn over_a_year(basis: &mut Option<Basis>, period: Period) -> Period {
    if *basis != Some(Basis::YearOnYear) {
        return period;
    }
    let of_year = match period {
        Period::Unsaid | Period::Latest => Period::Past(1, Length::Years),
        Period::In(span) if span.is_day() => {
            Period::Between(Span::day(span.last.months_before(12)), span)
        }
        _ => return period,
    };
    *basis = None;
    of_year
}

pub(super) fn finish(
    parts: Parts,
    said: Said,
    subject: Subject,
    items: &[Item],
    tokens: &[Token<'_>],
) -> Option<Reading> {
    let is_certain = parts.is_certain;
    let unclear = |why: &str| {
        Some(Reading::Unclear(Unclear {
            why: why.to_owned(),
            is_uncheckable: false,
            is_certain,
        }))
    };
    if let Some(why) = said.unclear {
        return unclear(why);
    }
    let others = parts.subjects.len() - 1;
    if others > usize::from(said.takes_other) {
        return unclear("it names more than one subject");
    }
    let Some(mut when) = Times::of(items, &said) else {
        return unclear("it names more than one time");
    };
    let mut parts = parts;
    if is_priced(&subject) && matches!(said.measure, None | Some(Measure::Price(_))) {
        when.period = over_a_year(&mut parts.basis, when.period);
    }
    let is_short = matches!(when.period, Period::In(span) if matches!(span.unit, SpanUnit::Day | SpanUnit::Month));
    let has = |kind: fn(&Assertion) -> bool| said.assertions.iter().any(kind);
    let equalities = said
        .assertions
        .iter()
        .filter(|one| {
            matches!(one, Assertion::Value(bound) if bound.is_equality()
                || matches!(bound, Bound::JustAbove(_) | Bound::JustBelow(_)))
        })
        .count();
    let is_dated = has(|one| matches!(one, Assertion::From(_)))
        && has(|one| matches!(one, Assertion::Value(_)))
        && doubts::from_is_dated(items, tokens);
    let gives_two = equalities > 1 || is_short && is_dated;
    if when.base.is_none() && gives_two {
        return unclear("it gives two figures and one time");
    }
    let moves_and_counts = said.measure == Some(Measure::Volume)
        && said
            .assertions
            .iter()
            .any(|one| matches!(one, Assertion::Value(_)))
        && said
            .assertions
            .iter()
            .any(|one| matches!(one, Assertion::Change { size: Some(_), .. }));
    let first_amount = items
        .iter()
        .position(|item| matches!(item.what, What::Amount(_)));
    let named_first = first_amount.is_some_and(|first| {
        items[..first]
            .iter()
            .any(|item| item.what == What::Word("volume"))
    });
    if moves_and_counts && !named_first {
        // `270 million shares traded on the day the stock lost 14 %`.
        return unclear("it gives figures of two kinds");
    }
    let has_size = |one: &Assertion| matches!(one, Assertion::Change { size: Some(_), .. });
    if said.measure == Some(Measure::Price(PriceField::Open))
        && said.assertions.iter().any(has_size)
    {
        return unclear("what it opened that much higher or lower than is not said");
    }
    if doubts::merges_times(items) && when.base.is_none() && when.on.is_none() {
        return unclear("which figure is of which time is not understood");
    }
    let mut measure = said.measure;
    let mut assertions = said.assertions;
    assertions::from_extreme(&mut assertions, &when);
    if is_priced(&subject) && matches!(measure, None | Some(Measure::Price(_))) {
        assertions::signed_moves(&mut assertions);
    }
    if has_two_moves(&assertions) {
        return unclear("it gives two moves and one time");
    }
    if said.best_of.is_some() && when.on.is_none() {
        return unclear("the best and worst of longer periods are not compared");
    }
    assertions::place_in_time(&mut assertions, &when, said.best_of);
    let mut subject = subject;
    let against_itself = |one: &Assertion| matches!(one, Assertion::Versus { other, .. } if matches!(other.subject, Some(Subject::Currency { base, quote, .. }) if base == quote));
    if assertions.iter().any(against_itself) {
        return unclear("what it is compared with is not understood");
    }
    if let Subject::Currency {
        base,
        quote,
        is_pair,
    } = &mut subject
    {
        // `the dollar bought 110 yen`: the unit of the number is the other currency.
        if let Some(code) = assertions::money(&assertions).filter(|code| code != base && !*is_pair)
        {
            *quote = code;
            *is_pair = true;
        }
    }
    if matches!(subject, Subject::Currency { base, quote, .. } if base == quote) {
        return unclear("in which other currency it is measured is not said");
    }
    if !matches!(subject, Subject::Named { .. }) && measure == Some(Measure::MarketValue) {
        // `gold was worth 1,893 dollars`.
        measure = None;
    }
    let is_worth = tokens.iter().any(|token| token.is("worth"));
    if is_worth && measure == Some(Measure::MarketValue) && assertions::are_small(&assertions) {
        // `a bitcoin was worth less than $4,000`: a single one, not all of them together.
        measure = None;
    }
    if measure == Some(Measure::NetIncome) && assertions::is_per_share(&assertions, tokens) {
        measure = Some(Measure::Eps);
    }
    if matches!(subject, Subject::Named { .. }) && measure.is_none() {
        measure = assertions::earnings(&mut assertions, tokens, &when);
    }
    let mut over = said.over;
    if over == Over::Unsaid {
        over = when.over;
    }
    if when.in_a_row.is_some() {
        let is_sole = matches!(assertions[..], [Assertion::Change { size: None, .. }]);
        let of_price = matches!(measure, None | Some(Measure::Price(_)));
        if !is_sole || !of_price || said.is_negated || !doubts::counts_run(tokens) {
            return unclear("the run of sessions that it counts is not understood");
        }
    }
    let is_first = doubts::is_first_time(items, tokens);
    let passes = assertions.iter().any(|one| matches!(one, Assertion::Value(bound) if !bound.is_equality() || over == Over::Reached));
    if is_first && !passes {
        return unclear("what was so for the first time is not understood");
    }
    let is_long = !matches!(when.period, Period::In(span) if span.is_day())
        && !matches!(
            when.period,
            Period::Unsaid | Period::Latest | Period::Past(1, _)
        );
    let of_price = matches!(
        measure,
        None | Some(Measure::MarketValue | Measure::Price(_))
    );
    let moves = |one: &Assertion| {
        matches!(
            one,
            Assertion::Change { size: Some(_), .. } | Assertion::Multiple(_)
        )
    };
    if is_long && of_price && says_one_session(tokens) && assertions.iter().any(moves) {
        if !assertions::as_step(&mut assertions) {
            return unclear("changes within one session are compared in percent only");
        }
        // `tumbled 26 % in one session in February`, `doubled in a day in May`: the change in at least one session.
        measure = Some(Measure::StepChange);
        over = Over::Any;
    }
    let is_one_close = measure == Some(Measure::Price(PriceField::Close))
        && match when.period {
            Period::In(span) => span.is_day(),
            Period::Unsaid | Period::Latest => true,
            _ => false,
        };
    if is_one_close {
        for one in &mut assertions {
            if let Assertion::Value(bound) = one {
                *bound = bound.as_close();
            }
        }
    }
    let undated = undated::read(items, tokens, &when, (measure, over), &assertions);
    if undated == Undated::Ever {
        let Some(of_all) = undated::over(over, measure, items, said.is_negated) else {
            return unclear("which of several records is meant is not said");
        };
        over = of_all;
    }
    let subject = meant(subject, &assertions, tokens);
    if matches!(subject, Subject::Series("fed_funds" | "fed_target")) {
        assertions::in_steps(&mut assertions, RATE_STEP);
    }
    Some(Reading::Claim(Box::new(FigureClaim {
        subject,
        measure,
        period: when.period,
        undated,
        base: when.base,
        base_over: when.base_over,
        basis: parts.basis,
        over,
        assertions,
        disclosure: None,
        in_a_row: when.in_a_row,
        is_first,
        is_negated: said.is_negated,
        is_certain,
    })))
}

/// Whether a subject is something with a price, which a percentage is not.
pub(super) fn is_priced(subject: &Subject) -> bool {
    match subject {
        Subject::Named { .. } | Subject::Currency { .. } => true,
        Subject::Series(code) => super::KnownSeries::find(code)
            .is_some_and(|known| known.kind == super::SeriesKind::Price),
    }
}

/// Where the sentence stops being read: at a clause after a comma or a verb that gives a reason.
pub(super) fn clause_end(tokens: &[Token<'_>]) -> usize {
    let verb = tokens
        .iter()
        .position(|token| token.number.is_some())
        .unwrap_or(3)
        .max(3);
    let mut end = tokens.len();
    for at in verb..tokens.len() {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        let opens = token.is_any(&CLAUSES)
            && !(token.is("as")
                && next
                    .is_some_and(|next| next.is_any(&["of", "much", "many", "high", "low", "at"])))
            && !(token.is("as") && tokens.get(at + 2).is_some_and(|token| token.is("as")))
            && !(token.is("as") && at > 1 && tokens[at - 2].is("as"))
            && !(token.is_any(&["after", "before"])
                && next.is_some_and(|next| next.is_any(&["hours", "that"])))
            && !(token.is_any(&["before"]) && at > 1 && tokens[at - 2].is_any(&["the", "a"]))
            && !(token.is("due") && next.is_some_and(|next| next.is("in")))
            && !(token.is("following") && at > 0 && tokens[at - 1].is("the"));
        if opens {
            // `…, three months after the headline rate did`.
            let is_gap = token.is_any(&["after", "before"])
                && at > verb + 1
                && tokens[at - 1].is_any(&[
                    "day", "days", "sessions", "week", "weeks", "month", "months", "quarters",
                    "year", "years",
                ])
                && tokens[at - 2].join == Join::Break;
            end = if is_gap { at - 2 } else { at };
            break;
        }
        if token.join == Join::Stop && at > 0 {
            end = at;
            break;
        }
    }
    end
}

pub(super) fn is_forecast(tokens: &[Token<'_>]) -> bool {
    let is_month = |token: &Token<'_>| token.is("may") && token.is_capital();
    tokens.iter().enumerate().any(|(at, token)| {
        // `going by the fixings` says where the figures are from.
        let is_source = token.is("going") && tokens.get(at + 1).is_some_and(|next| next.is("by"));
        token.is_any(&FORECASTS) && !is_month(token) && !is_source
    })
}

/// Whether a move is said to have happened in a single session.
fn says_one_session(tokens: &[Token<'_>]) -> bool {
    (0..tokens.len()).any(|at| {
        let counts = tokens[at].is_any(&["single", "one"])
            || tokens[at].is("a") && at > 0 && tokens[at - 1].is_any(&["in", "within"]);
        let is_trading = tokens.get(at + 1).is_some_and(|next| next.is("trading"));
        let unit = tokens.get(at + 1 + usize::from(is_trading));
        counts && unit.is_some_and(|unit| unit.is_any(&["day", "session"]))
    })
}

/// `The US lost 20 million jobs`: this means the payrolls.
fn counts_jobs(tokens: &[Token<'_>]) -> bool {
    let any = |words: &[&str]| tokens.iter().any(|token| token.is_any(words));
    any(&["jobs", "payrolls"]) && any(&["us", "u.s", "america", "american", "nonfarm"])
}

/// The price field that a verb refers to.
pub(super) const fn field_of(code: &str) -> Option<Measure> {
    Some(Measure::Price(match code.as_bytes() {
        b"close" => PriceField::Close,
        b"open" => PriceField::Open,
        b"trade" | b"exceed" | b"undercut" | b"reach" => PriceField::Traded,
        b"peak" => PriceField::High,
        b"trough" => PriceField::Low,
        _ => return None,
    }))
}
