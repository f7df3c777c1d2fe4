//! Corrects meanings that depend on context, such as a comparison with itself, a peak or a count.

use super::KnownSeries;
use super::amount::{Amount, Unit};
use super::claim::Subject;
use super::items::{Item, Items, What};
use super::period::{Period, Role, Span, SpanUnit};
use super::token::{Join, Token};

/// `Google parent Alphabet`: the owner is meant, and the thing it owns only describes it.
fn without_owned(marks: &mut Items, tokens: &[Token<'_>]) {
    let is_named = |item: &Item| matches!(item.what, What::Subject(Subject::Named { .. }));
    let owned = marks.items.windows(2).position(|pair| {
        let between = tokens.get(pair[0].next..pair[1].first).unwrap_or_default();
        is_named(&pair[0])
            && is_named(&pair[1])
            && matches!(between, [word] if word.is_any(&["parent", "owner"]) && word.join == Join::Space)
            && tokens[pair[1].first].join == Join::Space
    });
    if let Some(owned) = owned {
        let at = marks.items[owned].next;
        marks.items.remove(owned);
        marks.unexplained.retain(|word| *word != tokens[at].text);
    }
}

/// Corrects meanings that depend on the surrounding stretches.
pub(super) fn reassign(marks: &mut Items, tokens: &[Token<'_>]) {
    let has_rate = marks.items.iter().any(|item| {
        matches!(&item.what, What::Subject(Subject::Series(code)) if KnownSeries::find(code).is_some())
    });
    marks.items.retain(|item| {
        // `Treasury yields`, `the 10-year yielded 4.2 %`: the yield is the subject.
        !(has_rate && item.what == What::Word("dividend_yield"))
    });
    for place in 0..marks.items.len().saturating_sub(1) {
        // `higher than that of a year before`: a change on that basis.
        let [side, basis] = &marks.items[place..place + 2] else {
            continue;
        };
        let direction = match side.what {
            What::Relation("above") => "up",
            What::Relation("below") => "down",
            _ => continue,
        };
        let is_than = tokens[side.next - 1].is("than");
        let between = tokens.get(side.next..basis.first).unwrap_or_default();
        let plain = between.iter().all(|token| {
            token.is_any(&["that", "of", "the", "a", "in", "it", "was", "one", "level"])
        });
        if is_than && plain && matches!(basis.what, What::Basis(_)) {
            marks.items[place].what = What::Relation(direction);
        }
    }
    marks.items = counted(&marks.items, tokens);
    without_owned(marks, tokens);
    compare_with_itself(marks, tokens);
    from_extreme(marks, tokens);
    let superlative = |item: &Item| matches!(item.what, What::Relation("highest" | "lowest"));
    if let Some(from) = marks.items.iter().position(superlative) {
        // `its highest close of 2021 fell on 9 August`: that is when it occurred.
        let first = marks.items[from].next;
        let times: Vec<usize> = marks
            .items
            .iter()
            .filter(|item| matches!(item.what, What::Period(..)))
            .map(|item| item.first)
            .collect();
        marks.items.retain(|item| {
            let is_date = item.first >= first
                && tokens[item.first].is_any(&["fell", "falls", "came"])
                && tokens
                    .get(item.next)
                    .is_some_and(|next| next.is_any(&["on", "in"]))
                && times
                    .iter()
                    .any(|time| (item.next..=item.next + 2).contains(time));
            !(is_date && matches!(item.what, What::Relation("up" | "down")))
        });
    }
    for place in 1..marks.items.len() {
        // `closed above a dollar`.
        let item = &marks.items[place];
        let is_dollar = matches!(
            item.what,
            What::Subject(Subject::Currency {
                base: "USD",
                is_pair: false,
                ..
            })
        );
        let bounds = matches!(
            marks.items[place - 1].what,
            What::Relation(
                "above"
                    | "below"
                    | "reach"
                    | "exceed"
                    | "undercut"
                    | "just_above"
                    | "just_below"
                    | "about"
                    | "at_least"
                    | "at_most"
            )
        );
        let named = marks.items[..place]
            .iter()
            .any(|item| matches!(item.what, What::Subject(Subject::Named { .. })));
        let counts = item.first > 0 && tokens[item.first - 1].is_any(&["a", "one"]);
        if is_dollar && bounds && named && counts {
            let amount = Amount::exact(1.0, Unit::Money("USD"));
            marks.items[place].what = What::Amount(amount);
        }
    }
    // `closed 2022 above its 2021 close`: a change from there.
    for place in 0..marks.items.len().saturating_sub(2) {
        let [side, time, level] = &marks.items[place..place + 3] else {
            continue;
        };
        let direction = match side.what {
            What::Relation("above" | "exceed") => "up",
            What::Relation("below" | "undercut") => "down",
            _ => continue,
        };
        // `FY2023 revenue exceeded its FY2022 revenue`.
        let is_again = matches!(level.what, What::Word(_))
            && marks.items[..place]
                .iter()
                .any(|item| item.what == level.what);
        let is_level = is_again
            || matches!(
                level.what,
                What::Relation("close") | What::Word("close" | "price" | "high" | "low")
            );
        if let What::Period(Period::In(span), Role::Main) = time.what
            && is_level
        {
            marks.items[place].what = What::Relation(direction);
            marks.items[place + 1].what = What::Period(Period::In(span), Role::Base);
        }
    }
    // `the economy added 275,000 jobs`: this means the payrolls.
    let counts_jobs = tokens
        .iter()
        .any(|token| token.is_any(&["jobs", "payrolls", "positions"]));
    for item in &mut marks.items {
        if counts_jobs && item.what == What::Subject(Subject::Series("real_gdp")) {
            item.what = What::Subject(Subject::Series("payrolls"));
        }
    }
}

/// The items, with share counts recognised even if the company's name comes in between: `18,000 Snowflake shares`.
pub(super) fn counted(items: &[Item], tokens: &[Token<'_>]) -> Vec<Item> {
    let mut items = items.to_vec();
    for place in 1..items.len() {
        let [amount, name] = &mut items[place - 1..=place] else {
            continue;
        };
        let is_of_name = amount.next == name.first && matches!(name.what, What::Subject(_));
        let counts = tokens
            .get(name.next)
            .is_some_and(|token| token.is_any(&["shares", "share"]));
        if let What::Amount(amount) = &mut amount.what
            && amount.unit == Unit::Bare
            && is_of_name
            && counts
        {
            amount.unit = Unit::Count;
        }
    }
    items
}

/// `below where it began`, `higher than it had closed 2021`: a change, from the time named there.
fn compare_with_itself(marks: &mut Items, tokens: &[Token<'_>]) {
    const VERBS: [&str; 14] = [
        "began", "begun", "started", "opened", "entered", "ended", "finished", "closed", "stood",
        "was", "were", "left", "traded", "did",
    ];
    for place in 0..marks.items.len() {
        let item = &marks.items[place];
        let direction = match item.what {
            What::Relation("above" | "up") => "up",
            What::Relation("below" | "down") => "down",
            _ => continue,
        };
        let says_than = tokens[item.next - 1].is("than");
        let mut at = item.next;
        let mut is_itself = false;
        while let Some(token) = tokens.get(at) {
            is_itself |= token.is("where")
                || token.is_any(&["it", "they"]) && (says_than || tokens[at - 1].is("than"));
            if !token.is_any(&[
                "than", "where", "it", "they", "had", "have", "has", "the", "level", "at", "which",
            ]) {
                break;
            }
            at += 1;
        }
        // `than they had in December`: the verb is omitted.
        if is_itself
            && at > item.next
            && tokens[at - 1].is_any(&["had", "has", "have"])
            && tokens
                .get(at)
                .is_some_and(|token| token.is_any(&["in", "on", "at", "a", "during"]))
        {
            at -= 1;
        }
        let is_verb =
            |token: &Token<'_>| token.is_any(&VERBS) || token.is_any(&["had", "has", "have"]);
        if !is_itself || !tokens.get(at).is_some_and(is_verb) {
            continue;
        }
        let is_partly = tokens[at..]
            .iter()
            .any(|token| token.is_any(&["most", "much", "part", "for", "average"]));
        if is_partly {
            return;
        }
        marks.items[place].what = What::Relation(direction);
        let verb = at;
        marks
            .items
            .retain(|item| item.first != verb || !matches!(item.what, What::Relation(_)));
        let base = marks
            .items
            .iter()
            .position(|item| item.first > verb && matches!(item.what, What::Period(..)));
        let before = marks.items[..place.min(marks.items.len())]
            .iter()
            .rev()
            .find_map(|item| match item.what {
                What::Period(Period::In(span), _) => Some(span),
                _ => None,
            });
        if let Some(base) = base
            && let What::Period(Period::In(span), role) = marks.items[base].what
        {
            if before == Some(span) {
                // `ended 2021 below where it began 2021`.
                marks.items.remove(base);
            } else {
                let starts =
                    tokens[verb].is_any(&["began", "begun", "started", "opened", "entered"]);
                let starts = starts || role == Role::Start;
                let span = if starts { preceding(span) } else { span };
                marks.items[base].what = What::Period(Period::In(span), Role::Base);
            }
        } else if let Some(time) = before
            && tokens.get(verb + 1).is_some_and(|next| next.is("the"))
            && let Some(unit) = tokens.get(verb + 2)
        {
            // `ended June below where it began the year`.
            let year = i32::from(time.first.date().year());
            let whole = match unit.lower.as_str() {
                "year" => Span::year(year),
                "month" => Span::month(year, i32::from(time.first.date().month())),
                "quarter" => Span::quarter(year, (i32::from(time.first.date().month()) + 2) / 3),
                _ => None,
            };
            let starts = tokens[verb].is_any(&["began", "begun", "started", "opened", "entered"]);
            match whole.filter(|whole| starts && *whole != time) {
                Some(whole) => marks.items.push(Item {
                    what: What::Period(Period::In(preceding(whole)), Role::Base),
                    first: verb + 1,
                    next: verb + 3,
                }),
                None if starts && whole.is_none() => marks.unexplained.push(unit.text.to_owned()),
                None => {}
            }
            marks.items.sort_by_key(|item| item.first);
        }
        return;
    }
}

/// `from its 2021 peak`, `below its high of March 2022`: what a change is measured from.
fn from_extreme(marks: &mut Items, tokens: &[Token<'_>]) {
    const SORTS: [&str; 7] = [
        "closing", "record", "all-time", "intraday", "of", "in", "on",
    ];
    const HIGHS: [&str; 4] = ["peak", "high", "highs", "top"];
    const LOWS: [&str; 5] = ["low", "lows", "trough", "bottom", "nadir"];
    let is_extreme = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.is_any(&HIGHS) || token.is_any(&LOWS))
    };
    let owns = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.is_any(&["its", "their", "the", "a"]))
    };
    for place in 0..marks.items.len() {
        let item = &marks.items[place];
        let What::Period(Period::In(span), Role::Main | Role::From | Role::Base) = item.what else {
            continue;
        };
        // `its 2021 closing peak`.
        let mut word = item.next;
        while tokens
            .get(word)
            .is_some_and(|token| token.is_any(&SORTS[..4]))
        {
            word += 1;
        }
        let begin = (item.first..item.next)
            .find(|at| owns(*at))
            .or_else(|| item.first.checked_sub(1).filter(|at| owns(*at)));
        let behind = is_extreme(word).then_some((word, begin));
        // `its high of March 2022`.
        let found = behind.or_else(|| {
            let mut word = item.first.checked_sub(1)?;
            while tokens[word].is_any(&SORTS) && word > 0 {
                word -= 1;
            }
            let begin = (word.saturating_sub(2)..word).find(|at| owns(*at));
            // `stood 2 % below its record high on 28 March`: the day on which it stood at that level.
            let is_of_all_times = word > 0 && tokens[word - 1].is_any(&["record", "time"]);
            let stands = tokens[..word]
                .iter()
                .any(|token| token.is_any(&["was", "is", "stood", "closed", "traded", "trades"]));
            let is_day = tokens.get(word + 1).is_some_and(|next| next.is("on"));
            if is_of_all_times && stands && is_day {
                return None;
            }
            is_extreme(word).then_some((word, begin))
        });
        let Some((word, Some(begin))) = found else {
            continue;
        };
        let measures = (begin.saturating_sub(1)..begin)
            .chain(item.first..begin.max(item.first))
            .any(|at| {
                tokens[at].is_any(&[
                    "from", "below", "above", "off", "under", "over", "than", "since",
                ])
            });
        if !measures {
            continue;
        }
        let role = if tokens[word].is_any(&HIGHS) {
            Role::Peak
        } else {
            Role::Trough
        };
        marks.items[place].what = What::Period(Period::In(span), role);
        marks.items.retain(|item| {
            !((item.first..item.next).contains(&word)
                && matches!(item.what, What::Word(_) | What::Relation(_)))
        });
        return;
    }
}

/// For a year, the year before; for anything else, the day before.
fn preceding(span: Span) -> Span {
    let year = i32::from(span.first.date().year());
    Some(span)
        .filter(|span| span.unit == SpanUnit::Year)
        .and_then(|_| Span::year(year - 1))
        .unwrap_or_else(|| Span::day(span.first.plus(-1)))
}
