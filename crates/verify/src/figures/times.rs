//! The time a claim is about, put together from its times.

use super::assertions::Said;
use super::claim::Over;
use super::items::{Item, What};
use super::period::{Period, Role, Span, SpanUnit};

/// The time the claim is about, put together from its times.
#[derive(Debug, Default)]
pub(super) struct Times {
    pub(super) period: Period,
    pub(super) base: Option<Span>,
    /// Which value at the base counts.
    pub(super) base_over: Over,
    /// What `since` names.
    pub(super) since: Option<Span>,
    /// A day within the period on which its highest or lowest occurred.
    pub(super) on: Option<Span>,
    pub(super) over: Over,
    /// Sessions in a row, within the period or up to its end.
    pub(super) in_a_row: Option<u32>,
}

impl Times {
    /// `None` if the times do not fit together.
    pub(super) fn of(items: &[Item], said: &Said) -> Option<Self> {
        let mut times = Self::default();
        let mut mains: Vec<(Span, Role)> = Vec::new();
        let mut past = None;
        let mut open_from: Option<Span> = None;
        for item in items {
            let What::Period(period, role) = &item.what else {
                continue;
            };
            match (period, role) {
                (Period::In(span), Role::Since) => times.since = Some(*span),
                (Period::In(span), Role::Base) => times.base = Some(*span),
                (Period::In(span), Role::Peak) => {
                    times.base = Some(*span);
                    times.base_over = Over::Highest;
                }
                (Period::In(span), Role::Trough) => {
                    times.base = Some(*span);
                    times.base_over = Over::Lowest;
                }
                (Period::In(span), Role::From) => open_from = Some(*span),
                (Period::In(span), role) => {
                    if let Some(from) = open_from.take() {
                        if matches!(role, Role::To | Role::Main | Role::End) {
                            mains.push((Self::joined(from, *span), Role::Main));
                            times.period = Period::Between(from, *span);
                            continue;
                        }
                        times.base = Some(from);
                    }
                    mains.push((*span, *role));
                }
                (Period::Latest, _) => times.period = Period::Latest,
                (other, _) => past = Some(*other),
            }
        }
        if let Some(from) = open_from {
            if said.has_direction {
                times.base = times.base.or(Some(from));
            } else {
                times.since = times.since.or(Some(from));
            }
        }
        if let Period::Between(..) = times.period {
            return (mains.len() == 1).then_some(times);
        }
        // `between March 2020 and June 2021`, `March to May`.
        if let [(first, from), (second, _), (on, _)] = mains[..]
            && said.is_between_times
            && said.wants_extreme
            && first.first < second.first
        {
            // `the highest between January 1990 and 2025 was in October 2008`.
            times.period = Period::Between(Self::at_edge(first, from), second);
            times.on = Some(on);
            return Some(times);
        }
        if let [(first, from), (second, role)] = mains[..]
            && (said.is_between_times || role == Role::To)
            && Self::year_of(first, second).first < second.first
        {
            // `between the end of 2022 and the end of June 2023`: from one day to the other.
            let first = Self::at_edge(Self::year_of(first, second), from);
            times.period = Period::Between(first, second);
            return Some(times);
        }
        if let [(first, _), (second, _)] = mains[..]
            && said.has_from
            && times.base.is_none()
        {
            // `from 9.1 % in June 2022 to 3 % in June 2023`, `3 % in June 2023, down from 9.1 % in June 2022`.
            let (first, second) = (
                Self::newest_before(first, second),
                if said.begins_with_from {
                    Self::soonest_after(second, first)
                } else {
                    Self::newest_before(second, first)
                },
            );
            let mains = [(first, mains[0].1), (second, mains[1].1)];
            let (base, main) = if first.first <= second.first {
                (first, second)
            } else {
                (second, first)
            };
            let role = mains
                .iter()
                .find(|(span, _)| *span == main)
                .map_or(Role::Main, |(_, role)| *role);
            times.base = Some(base);
            return Some(Self {
                period: Period::In(main),
                over: if main.is_day() {
                    Over::Unsaid
                } else {
                    Self::over(role)
                },
                ..times
            });
        }
        let main = match mains[..] {
            [] => None,
            [(span, role)] => {
                times.over = match role {
                    _ if span.is_day() => Over::Unsaid,
                    // `from 352 at the start of 2022 to 123`: over the whole period.
                    Role::Start if said.has_from => Over::End,
                    role => Self::over(role),
                };
                Some(span)
            }
            [(one, role), (other, _)] => {
                let (outer, inner) = if one.last.since(one.first) >= other.last.since(other.first) {
                    (one, other)
                } else {
                    (other, one)
                };
                let inner = Self::within(inner, outer)?;
                if said.wants_extreme && !outer.is_day() {
                    times.on = Some(inner);
                    times.over = Over::Unsaid;
                    Some(outer)
                } else {
                    times.over = Self::over(role);
                    Some(inner)
                }
            }
            _ => return None,
        };
        match (main, past) {
            (Some(span), None) => times.period = Period::In(span),
            // `rose 5 % in one day on 12 March`; `the highest in 40 years in June 2022`.
            (Some(span), Some(Period::Past(count, length))) => {
                times.period = Period::In(span);
                if said.wants_extreme {
                    let day = super::dates::add_months(span.first, -months(count, length)?);
                    times.since = Some(Span::day(day));
                } else if length == super::Length::Sessions && count > 1 {
                    times.in_a_row = Some(count);
                } else if count > 1 {
                    let back = months(count, length)?;
                    let first = Span::day(super::dates::add_months(span.last, -back));
                    times.period = Period::Between(first, span);
                }
            }
            // `never lost 10 % in one day since 2005`.
            (None, Some(Period::Past(1, super::Length::Days | super::Length::Sessions)))
                if times.since.is_some() && !said.wants_extreme =>
            {
                times.period = times.since.take().map_or(Period::Unsaid, Period::Since);
            }
            (None, Some(past)) => times.period = past,
            (None, None) if times.period == Period::Unsaid => {
                if let Some(since) = times.since.filter(|_| !said.wants_extreme) {
                    times.period = Period::Since(since);
                    times.since = None;
                }
            }
            _ => {}
        }
        times.anchor_base();
        if let (Period::In(_), Some(since), false) = (times.period, times.since, said.wants_extreme)
        {
            // `up 20 % since March on 5 May`: from the first to the second.
            let Period::In(span) = times.period else {
                return None;
            };
            times.period = Period::Between(since, span);
        }
        Some(times)
    }

    /// A base without its own year is the newest one before the period.
    fn anchor_base(&mut self) {
        if let (Period::In(main), Some(base)) = (self.period, self.base) {
            self.base = Some(Self::newest_before(base, main));
        }
    }

    /// For a span without its own year, the newest one before another that has a year.
    fn newest_before(span: Span, other: Span) -> Span {
        if !span.is_assumed || other.is_assumed {
            return span;
        }
        let year = |span: &Span| i32::from(span.first.date().year());
        let mut back = year(&span) - year(&other);
        if super::dates::add_months(span.first, -12 * back) >= other.first {
            back += 1;
        }
        Span {
            first: super::dates::add_months(span.first, -12 * back),
            last: super::dates::add_months(span.last, -12 * back),
            ..span
        }
    }

    /// For a span without its own year, the earliest one after another that has a year.
    fn soonest_after(span: Span, other: Span) -> Span {
        match Self::within_year(span, other) {
            Some(same) if same.first < other.first => Span {
                first: super::dates::add_months(same.first, 12),
                last: super::dates::add_months(same.last, 12),
                ..same
            },
            Some(same) => same,
            None => span,
        }
    }

    /// The only time of a disclosure; `None` if there are several.
    pub(super) fn of_disclosure(items: &[Item]) -> Option<Period> {
        let said = Said::default();
        let times = Self::of(items, &said)?;
        Some(match (times.period, times.since) {
            (Period::Unsaid, Some(since)) => Period::Since(since),
            (period, _) => period,
        })
    }

    const fn over(role: Role) -> Over {
        match role {
            Role::End => Over::End,
            Role::Start => Over::Start,
            _ => Over::Unsaid,
        }
    }

    fn joined(first: Span, last: Span) -> Span {
        Span::new(first.first, last.last, SpanUnit::Stretch)
    }

    /// The day meant by `the end of` or `the start of` a span if something begins there.
    fn at_edge(span: Span, role: Role) -> Span {
        match role {
            Role::End if !span.is_day() => Span::day(span.last),
            Role::Start if !span.is_day() => Span::day(span.first.plus(-1)),
            _ => span,
        }
    }

    /// The first of two times takes the year of the second if it has none of its own.
    fn year_of(first: Span, second: Span) -> Span {
        Self::within_year(first, second).unwrap_or(first)
    }

    fn within_year(span: Span, of: Span) -> Option<Span> {
        if !span.is_assumed || of.is_assumed {
            return None;
        }
        let years = i32::from(of.first.date().year()) - i32::from(span.first.date().year());
        let first = super::dates::add_months(span.first, 12 * years);
        let last = super::dates::add_months(span.last, 12 * years);
        Some(Span {
            first,
            last,
            ..span
        })
    }

    /// A span inside another; it takes the other's year if it has none.
    fn within(inner: Span, outer: Span) -> Option<Span> {
        let inner = Self::within_year(inner, outer).unwrap_or(inner);
        (inner.first >= outer.first && inner.last <= outer.last).then_some(inner)
    }
}

fn months(count: u32, length: super::Length) -> Option<i32> {
    let count = i32::try_from(count).ok()?;
    Some(match length {
        super::Length::Years => 12 * count,
        super::Length::Quarters => 3 * count,
        super::Length::Months => count,
        _ => return None,
    })
}
