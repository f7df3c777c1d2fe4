//! Marks what each stretch of a claim means: amounts, relations, measures, subjects, periods; and what stays
//! unexplained.

use model::Day;

use super::amount::{Amount, Unit};
use super::claim::{AverageKind, Basis, Measure, PriceField, Subject};
use super::numbers;
use super::period::{self, Period, Role};
use super::phrases::{BASIS, ELSEWHERE, MEASURE, RELATION, is_filler};
use super::subject;
use super::token::{Join, Token};

/// Number of sessions in the usual relative strength index.
const RSI_DAYS: f64 = 14.0;

/// What a stretch of a claim means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Amount(Amount),
    Relation(&'static str),
    /// A measure, by its code in the table.
    Word(&'static str),
    Measure(Measure),
    Subject(Subject),
    Period(Period, Role),
    Basis(Basis),
}

/// A stretch of a claim together with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) what: What,
    pub(super) first: usize,
    pub(super) next: usize,
}

impl Item {
    /// Whether a token belongs to the stretch.
    pub(super) const fn holds(&self, at: usize) -> bool {
        self.first <= at && at < self.next
    }

    /// The stretch as it is written in the text.
    pub(super) fn written<'t>(&self, text: &'t str, tokens: &[Token<'_>]) -> &'t str {
        &text[tokens[self.first].start..tokens[self.next - 1].end]
    }
}

/// A claim with the meaning of its stretches, in order.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) items: Vec<Item>,
    /// Unexplained words.
    pub(super) unexplained: Vec<String>,
    /// Words saying that the figure belongs to another place or kind.
    pub(super) elsewhere: Option<String>,
}

/// Marks the stretches of a claim.
pub(super) fn mark(text: &str, tokens: &[Token<'_>], today: Day) -> Items {
    let mut marks = Items::default();
    let mut taken = vec![false; tokens.len()];
    let put = |marks: &mut Items, taken: &mut [bool], what, first: usize, next: usize| {
        taken[first..next].fill(true);
        marks.items.push(Item { what, first, next });
    };
    for at in 0..tokens.len() {
        if !taken[at]
            && let Some(next) = numbers::ratio(tokens, at)
        {
            taken[at..next].fill(true);
        }
    }
    for at in 0..tokens.len() {
        if taken[at] {
            continue;
        }
        if let Some((code, count, length, next)) = long_extreme(tokens, at) {
            put(&mut marks, &mut taken, What::Relation(code), next - 1, next);
            put(
                &mut marks,
                &mut taken,
                What::Period(Period::Past(count, length), Role::Main),
                at,
                next - 1,
            );
        } else if let Some((measure, next)) = average(tokens, at) {
            put(&mut marks, &mut taken, What::Measure(measure), at, next);
        } else if let Some((code, length)) = BASIS.at(tokens, at) {
            if let Some(basis) = basis(code) {
                put(&mut marks, &mut taken, What::Basis(basis), at, at + length);
            } else {
                taken[at..at + length].fill(true);
            }
        }
    }
    let with_figures: Vec<(usize, usize, &'static str)> = (0..tokens.len())
        .filter(|at| {
            let is_ratio = tokens
                .get(at + 1)
                .is_some_and(|next| next.join == Join::Slash);
            !taken[*at] && (tokens[*at].number.is_some() || is_ratio)
        })
        .filter_map(|at| {
            MEASURE
                .at(tokens, at)
                .map(|(code, length)| (at, at + length, code))
        })
        .collect();
    for (first, next, code) in with_figures {
        put(&mut marks, &mut taken, What::Word(code), first, next);
    }
    for found in period::find(tokens, today) {
        // The words before a period may be taken; those of the period itself must be free.
        let first = (found.first..found.next).find(|place| !taken[*place]);
        let own = found.next - 1;
        if taken[own] {
            continue;
        }
        let first = first.unwrap_or(own);
        put(
            &mut marks,
            &mut taken,
            What::Period(found.period, found.role),
            first,
            found.next,
        );
    }
    for found in subject::find(text, tokens, &taken) {
        put(
            &mut marks,
            &mut taken,
            What::Subject(found.subject),
            found.first,
            found.next,
        );
        if let Some((first, next)) = found.also {
            taken[first..next].fill(true);
        }
    }
    let has_rsi = (0..tokens.len()).any(|at| {
        MEASURE
            .at(tokens, at)
            .is_some_and(|(code, _)| code == "rsi")
    });
    let mut at = 0;
    // Words before a name that describe it: `the energy fund XLE`.
    let mut describing = 0;
    while at < tokens.len() {
        if taken[at] {
            let is_name = marks.items.iter().any(|item| {
                item.first == at && matches!(item.what, What::Subject(Subject::Named { .. }))
            });
            if is_name {
                marks
                    .unexplained
                    .truncate(marks.unexplained.len() - describing);
            }
            describing = 0;
            at += 1;
            continue;
        }
        let most = taken[at..].iter().take_while(|taken| !**taken).count();
        let relation = RELATION.within(tokens, at, most);
        let measure = MEASURE.within(tokens, at, most);
        let number = numbers::at(&tokens[..at + most], at);
        let phrase = relation
            .map_or(0, |(_, length)| length)
            .max(measure.map_or(0, |(_, length)| length));
        let next = if let Some(found) = number.filter(|found| found.next - found.first >= phrase) {
            describing = 0;
            let counts_time = found.amount.unit == Unit::Bare
                && tokens.get(found.next).is_some_and(is_unit_of_time);
            if !counts_time {
                put(
                    &mut marks,
                    &mut taken,
                    What::Amount(found.amount),
                    at,
                    found.next,
                );
            } else if !(has_rsi && found.amount.value == RSI_DAYS) {
                // `twelve months earlier`: a time that was not read, and not a figure.
                let end = tokens[found.next].end;
                marks
                    .unexplained
                    .push(text[tokens[at].start..end].to_owned());
            }
            found.next
        } else if let Some((code, length)) = measure.filter(|(_, length)| *length >= phrase) {
            describing = 0;
            put(&mut marks, &mut taken, What::Word(code), at, at + length);
            at + length
        } else if let Some((code, length)) = relation {
            describing = 0;
            put(
                &mut marks,
                &mut taken,
                What::Relation(code),
                at,
                at + length,
            );
            at + length
        } else {
            // `a 29 % loss`, `with a loss of 15 %`: a loss of price.
            let is_loss = tokens[at].is_any(&["loss", "losses"]) && is_price_loss(tokens, at);
            if is_loss {
                put(&mut marks, &mut taken, What::Relation("down"), at, at + 1);
                describing = 0;
                at += 1;
                continue;
            }
            let is_unit = tokens.get(at + 1).is_some_and(|next| next.is("thermal"));
            if let Some((_, length)) = ELSEWHERE.at(tokens, at).filter(|_| !is_unit) {
                let end = tokens[at + length - 1].end;
                marks.elsewhere = Some(text[tokens[at].start..end].to_owned());
            }
            // `per million BTU`: part of the unit of a price.
            let in_unit = at > 0 && tokens[at - 1].is("per");
            if !in_unit
                && !is_filler(&tokens[at])
                && !text::token::is_stop_word(&tokens[at].lower)
                && !is_sign(&tokens[at])
            {
                marks.unexplained.push(tokens[at].text.to_owned());
                describing = if tokens[at].is_capital() {
                    0
                } else {
                    describing + 1
                };
            } else if text::token::is_stop_word(&tokens[at].lower) {
                describing = 0;
            }
            at + 1
        };
        at = next;
    }
    marks.items.sort_by_key(|item| item.first);
    split_before_amounts(&mut marks.items, tokens);
    marks
}

/// `fell more than` compares with a subject; before a number it is a direction and a bound.
fn split_before_amounts(items: &mut Vec<Item>, tokens: &[Token<'_>]) {
    for place in (0..items.len().saturating_sub(1)).rev() {
        let item = &items[place];
        let compares = matches!(
            item.what,
            What::Relation("beat" | "lag" | "fall_more" | "fall_less")
        );
        if !compares
            || !matches!(items[place + 1].what, What::Amount(_))
            || item.next - item.first < 2
        {
            continue;
        }
        let word = &tokens[item.first..=item.first];
        let direction = RELATION.at(word, 0).map(|(code, _)| code);
        let bound = RELATION.at(tokens, item.first + 1).map(|(code, _)| code);
        if let (Some(direction @ ("up" | "down")), Some(bound)) = (direction, bound) {
            let (first, next) = (item.first, item.next);
            items[place] = Item {
                what: What::Relation(direction),
                first,
                next: first + 1,
            };
            items.insert(
                place + 1,
                Item {
                    what: What::Relation(bound),
                    first: first + 1,
                    next,
                },
            );
        }
    }
}

/// Whether a loss is a fall in price: `a 29 % loss`, `with a loss of 15 %`; not `its loss narrowed 40 %`,
/// `erased a 3 % loss`.
fn is_price_loss(tokens: &[Token<'_>], at: usize) -> bool {
    let is_percent = |token: &Token<'_>| token.is_any(&["%", "percent"]);
    let behind = tokens.get(at + 1);
    let begin = if at
        .checked_sub(1)
        .is_some_and(|before| is_percent(&tokens[before]))
    {
        // `29 % loss of market share`.
        if behind.is_some_and(|behind| behind.is("of")) {
            return false;
        }
        at.saturating_sub(2)
    } else {
        let of = behind.is_some_and(|behind| {
            behind.is_any(&[
                "of",
                "greater",
                "larger",
                "bigger",
                "exceeding",
                "above",
                "below",
            ])
        });
        if !of || !tokens[at..].iter().take(6).any(is_percent) {
            return false;
        }
        at
    };
    // What is done to a loss reverses it.
    let lead = begin.saturating_sub(2);
    let is_open = tokens
        .get(lead..begin)
        .unwrap_or_default()
        .iter()
        .all(|token| {
            token.is_any(&[
                "a", "an", "the", "with", "of", "to", "in", "at", "posted", "for", "by", "about",
                "nearly", "recorded", "suffered", "and", "or", "than", "more",
            ]) || token.number.is_some()
        });
    is_open && !tokens.iter().any(|token| token.is("net"))
}

fn is_unit_of_time(token: &Token<'_>) -> bool {
    token.is_any(&[
        "day", "days", "session", "sessions", "week", "weeks", "month", "months", "quarters",
        "year", "years",
    ])
}

fn is_sign(token: &Token<'_>) -> bool {
    token.is_any(&["$", "&", "^", "€", "£", "¥"])
}

/// `a 40-year high`, `a four-decade low`; `52-week high` is a measure.
fn long_extreme(
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(&'static str, u32, period::Length, usize)> {
    let count = tokens[at]
        .whole()
        .or_else(|| numbers::numeral(&tokens[at].lower).map(|count| count as i32))?;
    let (factor, length) = match tokens.get(at + 1)?.lower.as_str() {
        "year" => (1, period::Length::Years),
        "decade" => (10, period::Length::Years),
        "month" => (1, period::Length::Months),
        _ => return None,
    };
    let code = match tokens.get(at + 2)?.lower.as_str() {
        "high" | "peak" => "highest",
        "low" => "lowest",
        _ => return None,
    };
    let count = u32::try_from(count)
        .ok()
        .filter(|count| (2..=90).contains(count))?;
    Some((code, count * factor, length, at + 3))
}

/// `50-day moving average`, `200-day SMA`, `12-day EMA`, `SMA 50`.
fn average(tokens: &[Token<'_>], at: usize) -> Option<(Measure, usize)> {
    let token = &tokens[at];
    let kind_of = |token: &Token<'_>| match token.lower.as_str() {
        "sma" | "ma" | "dma" => Some(AverageKind::Simple),
        "ema" => Some(AverageKind::Exponential),
        _ => None,
    };
    let period = |token: &Token<'_>| {
        token
            .whole()
            .filter(|days| (2..=400).contains(days))
            .and_then(|days| u16::try_from(days).ok())
    };
    if let Some(kind) = kind_of(token)
        && let Some(days) = tokens.get(at + 1).and_then(period)
    {
        return Some((Measure::Average(days, kind), at + 2));
    }
    let days = period(token).or_else(|| {
        numbers::numeral(&token.lower)
            .map(|days| days as u16)
            .filter(|days| *days > 1)
    })?;
    let mut next = at + 1;
    if tokens
        .get(next)
        .is_some_and(|token| token.is_any(&["day", "d", "session", "period", "days"]))
    {
        next += 1;
    }
    let mut kind = AverageKind::Simple;
    while let Some(word) = tokens.get(next) {
        if word.is_any(&["simple", "exponential", "daily"]) {
            if word.is("exponential") {
                kind = AverageKind::Exponential;
            }
            next += 1;
        } else {
            break;
        }
    }
    let word = tokens.get(next)?;
    // `its 200-day average`, but not the average of its volume.
    let of_price = !tokens.iter().any(|token| token.is("volume"));
    let is_close = tokens
        .get(next + 1)
        .is_some_and(|token| token.is_any(&["close", "price"]));
    let after = tokens.get(next + 1 + usize::from(is_close));
    let is_last = after.is_none_or(|after| {
        matches!(after.join, Join::Break | Join::Stop) || text::token::is_stop_word(&after.lower)
    });
    if word.is("average")
        && next > at + 1
        && days >= 5
        && of_price
        && is_last
        && word.join == Join::Space
    {
        return Some((
            Measure::Average(days, kind),
            next + 1 + usize::from(is_close),
        ));
    }
    if word.is("moving")
        && tokens
            .get(next + 1)
            .is_some_and(|token| token.is("average"))
    {
        return Some((Measure::Average(days, kind), next + 2));
    }
    kind_of(word)
        .filter(|_| word.join != Join::Break)
        .map(|kind| (Measure::Average(days, kind), next + 1))
}

fn basis(code: &str) -> Option<Basis> {
    Some(match code {
        "yoy" => Basis::YearOnYear,
        "mom" => Basis::MonthOnMonth,
        "qoq" => Basis::QuarterOnQuarter,
        "annualised" => Basis::Annualised,
        _ => return None,
    })
}

/// The measure for a code in the table; `None` for the subject's usual one.
pub(super) fn measure(code: &str) -> Option<Measure> {
    Some(match code {
        "close" => Measure::Price(PriceField::Close),
        "open" => Measure::Price(PriceField::Open),
        "high" => Measure::Price(PriceField::High),
        "low" => Measure::Price(PriceField::Low),
        "volume" => Measure::Volume,
        "market_value" => Measure::MarketValue,
        "rank" => Measure::Rank,
        "dominance" => Measure::Dominance,
        "year_high" => Measure::YearHigh,
        "year_low" => Measure::YearLow,
        "record_high" => Measure::RecordHigh,
        "record_low" => Measure::RecordLow,
        "rsi" => Measure::Rsi,
        "macd" => Measure::Macd,
        "macd_signal" => Measure::MacdSignal,
        "revenue" => Measure::Revenue,
        "net_income" | "net_loss" => Measure::NetIncome,
        "eps" => Measure::Eps,
        "gross_profit" => Measure::GrossProfit,
        "operating_income" => Measure::OperatingIncome,
        "gross_margin" => Measure::GrossMargin,
        "operating_margin" => Measure::OperatingMargin,
        "profit_margin" => Measure::ProfitMargin,
        "cash_flow" => Measure::OperatingCashFlow,
        "dividend_yield" => Measure::DividendYield,
        "dividend" => Measure::DividendPerShare,
        "pe" => Measure::PriceEarnings,
        "debt_to_equity" => Measure::DebtToEquity,
        "beta" => Measure::Beta,
        "shares_outstanding" => Measure::SharesOutstanding,
        "assets" => Measure::Assets,
        "liabilities" => Measure::Liabilities,
        "equity" => Measure::Equity,
        "locked" => Measure::LockedValue,
        _ => return None,
    })
}

/// Whether an amount is a share of something: percent, points, a fraction.
pub(super) const fn is_relative(unit: Unit) -> bool {
    matches!(
        unit,
        Unit::Percent | Unit::Points | Unit::BasisPoints | Unit::Fraction | Unit::Times
    )
}
