//! Times that a sentence points to instead of naming them.

use model::Day;

use crate::figures::items::{self, What};
use crate::figures::period::{self, Period, Role, Span, SpanUnit};
use crate::figures::token::cut;

/// Replaces times that are counted from others with their dates: `two days later`, `the following year`.
fn by_date(text: &str, today: Day) -> String {
    let tokens = cut(text);
    let mut dated = text.to_owned();
    for found in period::counted(&tokens, today).into_iter().rev() {
        let Period::In(span) = found.period else {
            continue;
        };
        let date = span.first.date();
        let year = date.year();
        let named = match (span.unit, found.role) {
            (SpanUnit::Year, Role::End) => format!("at the end of {year}"),
            (SpanUnit::Year, Role::Start) => format!("at the start of {year}"),
            (SpanUnit::Year, _) => format!("in {year}"),
            (SpanUnit::Quarter, Role::Main) => {
                format!(
                    "in the {} quarter of {year}",
                    ordinal((date.month() + 2) / 3)
                )
            }
            (SpanUnit::Month, Role::End) => date.strftime("at the end of %B %Y").to_string(),
            (SpanUnit::Month, _) => date.strftime("in %B %Y").to_string(),
            (SpanUnit::Day, _) => date.strftime("on %-d %B %Y").to_string(),
            _ => continue,
        };
        dated.replace_range(
            tokens[found.first].start..tokens[found.next - 1].end,
            &named,
        );
    }
    dated
}

const fn ordinal(quarter: i8) -> &'static str {
    match quarter {
        1 => "first",
        2 => "second",
        3 => "third",
        _ => "fourth",
    }
}

/// Fills in the time that `that year`, `that month` and `that day` point to, if the sentence names only one.
pub(super) fn pointed(text: &str, today: Day) -> String {
    let text = &at_year_end(&by_date(text, today), today);
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        pair[0].is_any(&["that", "the"])
            && (pair[0].is("that") || pair[1].is("same"))
            && pair[1].is_any(&["year", "month", "day", "same"])
    });
    let Some(at) = found else {
        return text.to_owned();
    };
    let is_same = tokens[at + 1].is("same");
    let Some(unit) = tokens.get(at + 1 + usize::from(is_same)) else {
        return text.to_owned();
    };
    let marks = items::mark(text, &tokens, today);
    let spans: Vec<Span> = marks
        .items
        .iter()
        .filter_map(|item| match item.what {
            // `on 27 October of that year` gives no year of its own.
            What::Period(Period::In(span), _) if item.first < at && !span.is_assumed => Some(span),
            _ => None,
        })
        .collect();
    let year = |span: &Span| span.first.date().year();
    let span = match spans[..] {
        [span] => span,
        [span, ..] if unit.is("year") && spans.iter().all(|one| year(one) == year(&span)) => span,
        _ => return text.to_owned(),
    };
    let date = span.first.date();
    let is_within = |unit: SpanUnit| match unit {
        SpanUnit::Day | SpanUnit::Month => true,
        SpanUnit::Quarter
        | SpanUnit::Half
        | SpanUnit::Year
        | SpanUnit::Week
        | SpanUnit::Stretch => span.first.date().year() == span.last.date().year(),
        SpanUnit::FiscalYear(_) | SpanUnit::FiscalQuarter(..) => false,
    };
    if !is_within(span.unit) {
        return text.to_owned();
    }
    let named = match unit.lower.as_str() {
        "year" => format!("{}", date.year()),
        "month" if date.first_of_month() == span.last.date().first_of_month() => {
            date.strftime("%B %Y").to_string()
        }
        "day" if span.is_day() => String::new(),
        _ => return text.to_owned(),
    };
    let needs_in = !named.is_empty()
        && !at.checked_sub(1).is_some_and(|before| {
            tokens[before].is_any(&["of", "in", "during", "for", "started", "began", "closed"])
        });
    let preposition = if needs_in { "in " } else { "" };
    format!(
        "{}{preposition}{named}{}",
        &text[..tokens[at].start],
        &text[unit.end..]
    )
}

/// `by year-end`, `at the end of the year`: adds the year of the only time before it.
fn at_year_end(text: &str, today: Day) -> String {
    const ENDS: [&str; 5] = [
        "by year-end",
        "at year-end",
        "by the end of the year",
        "at the end of the year",
        "by the year's end",
    ];
    let found = ENDS
        .iter()
        .find_map(|end| Some((text.find(end)?, end.len())));
    let Some((at, length)) = found else {
        return text.to_owned();
    };
    let rest = &text[at + length..];
    // `at year-end 2021` already names it.
    if rest
        .trim_start()
        .starts_with(|sign: char| sign.is_ascii_digit())
    {
        return text.to_owned();
    }
    let head = &text[..at];
    let tokens = cut(head);
    let marks = items::mark(head, &tokens, today);
    let years: Vec<i16> = marks
        .items
        .iter()
        .filter_map(|item| match item.what {
            What::Period(Period::In(span), _) if !span.is_assumed => Some(span.first.date().year()),
            _ => None,
        })
        .collect();
    match years[..] {
        [year] => format!("{head}at the end of {year}{rest}"),
        _ => text.to_owned(),
    }
}
