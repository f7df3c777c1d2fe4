//! The path of a single claim: read, resolve, load, judge.

use model::{Day, Timestamp};
use verify::figures::{
    self, Assertion, Bound, Disclosure, FigureClaim, Level, Measure, Reading, Subject, Unit,
};

use super::FigureServices;
use super::exact::{by_exact_figures, passed_over};
use super::finding::{FigureFinding, Reason, Verdict};
use super::judge::{judge, target};
use super::line::{Line, Scale};
use super::resolve::{NotFound, Target, resolve, resolve_on};
use super::{beside, disclosed, dominance, lines, listed, reported, scales, seasons, valued};
use crate::Result;
use crate::market::PointInTime;

/// Checks a claim against the stored figures as known at a point in time; `None` if it is not about a market or
/// economic figure. Dates without a year, and words such as `last month`, are read as of `as_of`, or otherwise as of
/// `now`.
pub async fn check_figures(
    services: &FigureServices,
    claim: &str,
    as_of: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<FigureFinding>> {
    let when = PointInTime {
        end: as_of.unwrap_or(now),
        as_of,
    };
    if beside::is_takeover(claim) {
        return Ok(None);
    }
    let unadjusted = seasons::without_unadjusted(claim);
    let asked = unadjusted.as_deref().unwrap_or(claim);
    let respelled = figures::respelled(asked, Day::of(when.end));
    let asked = respelled.as_deref().unwrap_or(asked);
    let found = of_sentence(services, asked, when).await?;
    let found = match (found, beside::without_figure(asked)) {
        (Some(found), Some(rest)) if beside::is_unchecked(&found, claim) => {
            // `closed at a record high of $308.38`: whether it was the record is looked up by itself.
            match of_sentence(services, &rest, when).await? {
                Some(other) if other.verdict == Verdict::Contradicted => Some(other),
                Some(other) if other.verdict == Verdict::Supported => {
                    FigureFinding::of_all(vec![found, other])
                }
                _ => Some(beside::opened(found)),
            }
        }
        (Some(found), None) if beside::is_unchecked(&found, claim) => Some(beside::opened(found)),
        (found, _) => found,
    };
    Ok(found.map(|found| {
        let found = match unadjusted {
            Some(_) => seasons::of_unadjusted(found),
            None => seasons::settled(found, claim),
        };
        let of_spot = found.reading.starts_with("spot");
        if found.verdict == Verdict::Contradicted && of_spot && figures::names_futures(claim) {
            // A spot price is not the price of a future.
            return FigureFinding {
                verdict: Verdict::Unverifiable(Reason::NoEvidence),
                statement: format!(
                    "{} The price of the futures is not on record.",
                    found.statement
                ),
                ..found
            };
        }
        if found.verdict == Verdict::Supported && figures::names_cause(claim) {
            // That it moved does not show why.
            let sentence = format!("{} Figures do not show the cause.", found.statement);
            return FigureFinding {
                verdict: Verdict::Unverifiable(Reason::NoEvidence),
                statement: sentence,
                ..found
            };
        }
        found
    }))
}

async fn of_sentence(
    services: &FigureServices,
    claim: &str,
    when: PointInTime,
) -> Result<Option<FigureFinding>> {
    let today = Day::of(when.end);
    let read = match figures::read(claim, today) {
        Some(Reading::Claim(claim)) => claim,
        Some(Reading::Listed(claim)) => return listed::check(services, &claim).await,
        None => return in_parts(services, claim, when, today).await,
        Some(Reading::Unclear(unclear)) => {
            if !unclear.is_uncheckable
                && let Some(found) = in_parts(services, claim, when, today).await?
            {
                return Ok(Some(found));
            }
            let reason = if unclear.is_uncheckable {
                Reason::NotCheckable
            } else {
                Reason::NoEvidence
            };
            let sentence = format!(
                "The claim cannot be checked against figures: {}.",
                unclear.why
            );
            let level = Level::in_words(claim, today);
            return Ok(unclear.is_certain.then(|| FigureFinding {
                is_undenied: level.is_none(),
                level,
                ..FigureFinding::open(reason, sentence)
            }));
        }
    };
    check_one(services, &read, when, today).await
}

/// Checks a sentence that is not a simple claim by the claims that it contains, or otherwise by its exact figures;
/// `None` if neither decides it.
async fn in_parts(
    services: &FigureServices,
    claim: &str,
    when: PointInTime,
    today: Day,
) -> Result<Option<FigureFinding>> {
    match together(services, claim, when, today).await? {
        Some(found) => Ok(Some(found)),
        None => match by_exact_figures(services, claim, when, today).await? {
            Some(found) => Ok(Some(found)),
            None => passing_over(services, claim, when, today).await,
        },
    }
}

/// Checks a simple sentence while ignoring the words in it that are not understood; `None` if that does not decide it.
async fn passing_over(
    services: &FigureServices,
    claim: &str,
    when: PointInTime,
    today: Day,
) -> Result<Option<FigureFinding>> {
    let Some((read, passed)) = figures::passing(claim, today) else {
        return Ok(None);
    };
    // `About 110` agrees with too much, and next to words that are not understood, it may be meant more loosely than
    // it is measured.
    let is_rough = read.assertions.iter().any(|one| {
        matches!(
            one,
            Assertion::Value(Bound::About(_))
                | Assertion::Change {
                    size: Some(Bound::About(_)),
                    ..
                }
        )
    });
    if is_rough {
        return Ok(None);
    }
    let found = check_one(services, &read, when, today).await?;
    Ok(found
        .filter(|found| !matches!(found.verdict, Verdict::Unverifiable(_)))
        .map(|found| FigureFinding {
            statement: format!("{}{}", found.statement, passed_over(&passed)),
            ..found
        }))
}

/// Checks the simple claims in a sentence together; `None` if it makes none or they are not decided.
async fn together(
    services: &FigureServices,
    claim: &str,
    when: PointInTime,
    today: Day,
) -> Result<Option<FigureFinding>> {
    let Some(claims) = figures::plain_claims(claim, today) else {
        return Ok(None);
    };
    let mut findings = Vec::new();
    for claim in &claims {
        match check_one(services, claim, when, today).await? {
            Some(found) => findings.push(found),
            None => return Ok(None),
        }
    }
    Ok(FigureFinding::of_all(findings))
}

pub(super) async fn check_one(
    services: &FigureServices,
    read: &FigureClaim,
    when: PointInTime,
    today: Day,
) -> Result<Option<FigureFinding>> {
    let day = match &read.period {
        figures::Period::In(span) | figures::Period::Between(_, span) => Some(span.last.min(today)),
        _ => when.as_of.map(Day::of),
    };
    let target = match resolve_on(services, &read.subject, day).await? {
        Ok(target) => target,
        Err(missing) => return Ok(read.is_certain.then(|| not_found(&missing))),
    };
    let so_far = so_far(read, when, today);
    let read = so_far.as_ref().unwrap_or(read);
    let found = of_resolved(services, read, &target, when, today).await?;
    Ok(found.map(|found| found.about(&target)))
}

/// A claim about a period that is not over, said now: nobody knows the rest of it. Said of an earlier time, it may come
/// from somebody who did.
fn so_far(read: &FigureClaim, when: PointInTime, today: Day) -> Option<FigureClaim> {
    let figures::Period::In(mut span) = read.period else {
        return None;
    };
    let is_going_on = when.as_of.is_none() && span.first <= today && today < span.last;
    is_going_on.then(|| {
        span.last = today;
        FigureClaim {
            period: figures::Period::In(span),
            ..read.clone()
        }
    })
}

async fn of_resolved(
    services: &FigureServices,
    read: &FigureClaim,
    target: &Target,
    when: PointInTime,
    today: Day,
) -> Result<Option<FigureFinding>> {
    if let (Some(disclosure), Target::Listing(listing)) = (&read.disclosure, target) {
        if is_by_company(services, disclosure).await? {
            return Ok(None);
        }
        let finding = disclosed::check(services, read, disclosure, listing, when).await?;
        // A takeover is in the news but not in any record of trades.
        let is_open = matches!(finding.verdict, Verdict::Unverifiable(_));
        return Ok((read.is_certain || !is_open).then_some(finding));
    }
    if let (Some(Measure::Dominance), Target::Listing(listing)) = (read.measure, target) {
        return Ok(Some(dominance::check(services, read, listing, when).await?));
    }
    let finding = of_target(services, read, target, when, today).await?;
    Ok(Some(finding))
}

/// Whether the party said to have traded is itself a company: what a company buys, it takes over or invests in.
async fn is_by_company(services: &FigureServices, disclosure: &Disclosure) -> Result<bool> {
    let Disclosure::Congress {
        who: Some(who),
        chamber: None,
        ..
    } = disclosure
    else {
        return Ok(false);
    };
    let subject = Subject::Named {
        text: who.clone(),
        ticker: None,
    };
    Ok(resolve(services, &subject).await?.is_ok())
}

pub(super) fn not_found(missing: &NotFound) -> FigureFinding {
    let sentence = match missing {
        NotFound::Unknown(name) => format!("Nothing on record is called {name}."),
        NotFound::Several(name, symbols) => {
            format!("{name} could be any of {}.", symbols.join(", "))
        }
    };
    FigureFinding::open(Reason::NoEvidence, sentence)
}

async fn of_target(
    services: &FigureServices,
    claim: &FigureClaim,
    target: &Target,
    when: PointInTime,
    today: Day,
) -> Result<FigureFinding> {
    let mut claim = claim.clone();
    let mut loaded = of_company(services, target, claim.measure, &claim.period, when).await?;
    if claim.measure.is_some_and(Measure::is_reported) {
        claim.period = reported::calendar_period(&claim.period);
        claim.base = claim.base.map(|base| reported::calendar_span(&base));
    }
    let only_moves = claim
        .assertions
        .iter()
        .all(|one| matches!(one, Assertion::Change { .. } | Assertion::Multiple(_)));
    if loaded.is_empty() && claim.measure == Some(Measure::MarketValue) && only_moves {
        // Past share counts are seldom on record; over months, a market value moves with the price.
        let by_price = lines::load(services, target, None, when).await?;
        loaded = by_price
            .into_iter()
            .map(|line| Line {
                reading: format!("by the share price, {}", line.reading),
                ..line
            })
            .collect();
        if let Target::Listing(listing) = target
            && listing.asset_type() == model::AssetType::Crypto
        {
            loaded.clear();
        }
    }
    if loaded.is_empty() {
        loaded = lines::load(services, target, claim.measure, when).await?;
    }
    if loaded.is_empty() {
        return Ok(missing(target, claim.measure));
    }
    if let Target::Currency { base, quote } = target {
        quote_as_claimed(&mut claim, &mut loaded, base, quote);
    }
    let other = claim
        .assertions
        .iter()
        .find_map(|assertion| match assertion {
            Assertion::Versus { other, greater, .. } => Some((other.clone(), *greater)),
            _ => None,
        });
    let mut others = Vec::new();
    if let Some((other, greater)) = other {
        let subject = match &other.subject {
            Some(subject) => match resolve(services, subject).await? {
                Ok(target) => target,
                Err(missing) => return Ok(not_found(&missing)),
            },
            None => target.clone(),
        };
        let measure = other.measure.or(claim.measure);
        others = of_company(services, &subject, measure, &claim.period, when).await?;
        if others.is_empty() {
            others = lines::load(services, &subject, measure, when).await?;
        }
        if others.is_empty() {
            return Ok(missing(&subject, other.measure));
        }
        // `39 % below its all-time high`: the highest price up to that day, not the day's high. A price that goes
        // beyond it goes beyond the high of the days before.
        if let Some(highest) = other.measure.and_then(lines::record) {
            let is_beyond = greater == highest;
            others = others
                .into_iter()
                .map(|line| lines::to_date(line, highest, is_beyond))
                .collect();
        }
    }
    if matches!(target, Target::Series(known) if known.code == target::CODE) {
        return Ok(target::judge_target(&claim, &loaded, today));
    }
    let found = match target {
        // A comparison needs two figures on the same scale.
        Target::Listing(listing) if others.is_empty() => {
            scales::judged(services, listing, &claim, &loaded, when, today).await?
        }
        _ => judge(&claim, &loaded, &others, today),
    };
    Ok(FigureFinding {
        is_undenied: claim.is_certain && claim.assertions.iter().all(is_extreme),
        level: Level::of(&claim),
        ..found
    })
}

/// Whether something is said to be the highest or lowest of a time.
const fn is_extreme(assertion: &Assertion) -> bool {
    matches!(
        assertion,
        Assertion::Extreme { .. } | Assertion::ExtremeOn { .. } | Assertion::BestSpan { .. }
    )
}

/// What a company reports and how it is valued, if the measure is one of these.
async fn of_company(
    services: &FigureServices,
    target: &Target,
    measure: Option<Measure>,
    period: &figures::Period,
    when: PointInTime,
) -> Result<Vec<Line>> {
    let (Target::Listing(listing), Some(measure)) = (target, measure) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    if valued::is_valuation(measure) {
        found = valued::load(services, listing, measure, period, when).await?;
    }
    if measure.is_reported() {
        found.extend(reported::load(services, listing, measure, period, when).await?);
    }
    Ok(found)
}

fn missing(target: &Target, measure: Option<Measure>) -> FigureFinding {
    let name = match target {
        Target::Listing(listing) => listing.ticker().to_owned(),
        Target::Series(known) => known.name.to_owned(),
        Target::Currency { base, quote } => format!("{base}/{quote}"),
    };
    let is_price = match target {
        Target::Series(known) => known.kind == figures::SeriesKind::Price,
        Target::Listing(_) | Target::Currency { .. } => true,
    };
    let what = if measure.is_some_and(|measure| !matches!(measure, Measure::Price(_))) {
        "figures of that kind"
    } else if is_price {
        "prices"
    } else {
        "values"
    };
    FigureFinding::open(Reason::NoEvidence, format!("No {what} of {name} are held."))
}

/// A currency pair can be quoted either way: if the claim's number fits only the inverse, levels are compared with
/// that.
fn quote_as_claimed(claim: &mut FigureClaim, loaded: &mut Vec<Line>, base: &str, quote: &str) {
    let is_per_dollar = !["USD", "EUR", "GBP", "AUD", "NZD"].contains(&base);
    let Some(level) = claim
        .assertions
        .iter()
        .find_map(|assertion| match assertion {
            Assertion::Value(bound) | Assertion::From(bound) => Some(*bound),
            _ => None,
        })
    else {
        return;
    };
    let money_of_base = matches!(level.amount().unit, Unit::Money(code) if code == base);
    let size = level.amount().value;
    let Some(line) = loaded.first() else { return };
    let typical = line.points.last().map_or(1.0, |point| point.value);
    let far = |value: f64| (size / value).ln().abs();
    let fits_inverse = is_per_dollar && size > 0.0 && far(1.0 / typical) + 0.2 < far(typical);
    if !(fits_inverse || money_of_base) {
        return;
    }
    let inverse = Line {
        name: format!("{quote}/{base}"),
        scale: Scale::Money(base.to_owned()),
        ..line.map(|point| super::line::Point::of(point.day, 1.0 / point.value))
    };
    // For a currency quoted the other way round, `fell to 150` is a rise in the quote.
    for assertion in &mut claim.assertions {
        if let Assertion::Change { direction, .. } = assertion {
            *direction = match direction {
                figures::Direction::Up => figures::Direction::Down,
                figures::Direction::Down => figures::Direction::Up,
                figures::Direction::Flat => figures::Direction::Flat,
            };
        }
    }
    *loaded = vec![inverse];
}
