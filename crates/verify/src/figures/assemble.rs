//! From a sentence to a claim: its stretches, put together.

use model::Day;

use super::assertions::{self, Said};

use super::amount::{Amount, Unit};
use super::claim::{Assertion, FigureClaim, Measure, Over, PriceField, Reading, Subject, Unclear};

use super::dates::is_ambiguous;

use super::items::{self, Item, Items, What};

use super::period::{Period, Role, Span, SpanUnit};

use super::subject::NOT_HELD;

use super::token::{Join, Token, cut};

use super::parts::Parts;
use super::times::Times;
use super::{KnownSeries, disclosed, events, numbers};

/// Words that begin a clause that gives a reason or a circumstance.
const CLAUSES: [&str; 22] = [
    "amid",
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

/// Words that make a sentence a forecast or a supposition.
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

/// With more words than this that nothing explains, a sentence is about something else.
const UNEXPLAINED: usize = 2;

/// Reads a claim as of a day; `None` where it is not about a figure of markets or the economy.
pub fn read(text: &str, today: Day) -> Option<Reading> {
    let all = cut(text);
    let tokens = &all[..clause_end(&all)];
    if tokens.is_empty() {
        return None;
    }
    let mut marks = items::mark(text, tokens, today);
    if let Some(reading) = disclosed::read(tokens, &marks) {
        return Some(reading);
    }
    reassign(&mut marks, tokens);
    let parts = Parts::of(&marks, tokens);
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
        // A subject without anything said of it is no claim.
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
    if is_ambiguous(tokens) {
        return unclear("a date in figures could be two days".to_owned());
    }
    if let Some(period) = pointed_at(tokens) {
        return unclear(format!("`that {period}` points to a time named elsewhere"));
    }
    if counts_none(&marks.items, tokens) {
        return unclear("it says of how many of several that it holds".to_owned());
    }
    if counts_days(tokens) {
        return unclear("it counts sessions in a row".to_owned());
    }
    if ends_at_extreme(&marks.items, tokens) {
        return unclear("it is measured to or from a high or low whose day is not named".to_owned());
    }
    if let Some(place) = &marks.elsewhere {
        return unclear(format!(
            "it is about figures of another kind or place ({place})"
        ));
    }
    if matches!(subject, Subject::Series(NOT_HELD)) {
        return unclear("no series of this figure is held".to_owned());
    }
    let left_out = all.get(tokens.len()..).unwrap_or_default();
    if has_figures(left_out) {
        return unclear("its last clause has another figure".to_owned());
    }
    if let Some(first) = marks.unexplained.first() {
        return unclear(format!(
            "what `{first}` means for the figure is not understood"
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
        return unclear("a number could be a year".to_owned());
    }
    finish(parts, said, subject, &marks.items, tokens)
}

/// The series that a claim means by a name of several. Growth of the product is that of the real one; what the central bank
/// raises, cuts and sets is its target and not the rate that the market pays.
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

/// Whether a clause has a number other than those of a ratio: `after its 20-for-1 split` has none.
fn has_figures(tokens: &[Token<'_>]) -> bool {
    let mut at = 0;
    while at < tokens.len() {
        match numbers::ratio(tokens, at) {
            Some(next) => at = next,
            None if tokens[at].number.is_some() => return true,
            None => at += 1,
        }
    }
    false
}

/// `nine down days running`, `eleven straight gains`: no size of a move.
fn counts_days(tokens: &[Token<'_>]) -> bool {
    tokens.windows(3).any(|three| {
        let counts = three[0].whole().is_some() || numbers::numeral(&three[0].lower).is_some();
        counts
            && (three[1].is_any(&["up", "down"]) && three[2].is_any(&["day", "days", "session", "sessions"])
                || three[1].is_any(&["straight", "consecutive"])
                    && three[2].is_any(&["gains", "losses", "advances", "declines", "rises", "falls"]))
    })
}

/// Whether a sentence speaks of none or of some of several: `no month of 2022 saw`, `in at least one month`.
fn counts_none(items: &[Item], tokens: &[Token<'_>]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let is_read = items
            .iter()
            .any(|item| item.first <= at && at < item.next && !matches!(item.what, What::Amount(_)));
        let some = token.is("one")
            && at > 1
            && tokens[at - 1].is("least")
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["week", "month", "quarter", "year"]));
        token.is_any(&["no", "nobody"]) && !is_read || some
    })
}

/// Whether a change begins or ends at a high or low: `from its 2021 peak`, `between January and its May closing peak`.
fn ends_at_extreme(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.iter().any(|item| {
        let is_time = matches!(item.what, What::Period(_, role) if !matches!(role, Role::Peak | Role::Trough));
        let owns = item.first > 0 && tokens[item.first - 1].is_any(&["its", "their"])
            || tokens[item.first].is_any(&["its", "their"])
            || (item.first..item.next).any(|at| tokens[at].is_any(&["its", "their"]));
        let behind = tokens.get(item.next..).unwrap_or_default();
        let behind = behind.iter().take(3).take_while(|token| token.join == Join::Space);
        let is_extreme = behind
            .take_while(|token| token.is_any(&["closing", "intraday", "record", "peak", "high", "low", "trough", "bottom", "top"]))
            .any(|token| token.is_any(&["peak", "high", "low", "trough", "bottom", "top"]));
        let moves = items
            .iter()
            .any(|item| matches!(item.what, What::Relation("up" | "down" | "double" | "triple" | "quadruple" | "quintuple" | "halve")));
        is_time && owns && is_extreme && moves
    })
}

/// The period that a claim points to instead of naming it: `the lowest of that year`.
fn pointed_at<'t>(tokens: &'t [Token<'_>]) -> Option<&'t str> {
    tokens.windows(2).find_map(|pair| {
        let is_period = pair[1].is_any(&["year", "month", "quarter", "week", "decade"]);
        (pair[0].is("that") && is_period).then_some(pair[1].lower.as_str())
    })
}

fn finish(
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
    let Some(when) = Times::of(items, &said) else {
        return unclear("it names more than one time");
    };
    let is_short = matches!(when.period, Period::In(span) if matches!(span.unit, SpanUnit::Day | SpanUnit::Month));
    let has = |kind: fn(&Assertion) -> bool| said.assertions.iter().any(kind);
    let equalities = said
        .assertions
        .iter()
        .filter(|one| matches!(one, Assertion::Value(bound) if bound.is_equality()))
        .count();
    let is_dated = has(|one| matches!(one, Assertion::From(_)))
        && has(|one| matches!(one, Assertion::Value(_)))
        && from_is_dated(items, tokens);
    if is_short && when.base.is_none() && (is_dated || equalities > 1) {
        return unclear("it gives two figures and one time");
    }
    let mut measure = said.measure;
    let mut assertions = said.assertions;
    if said.best_of.is_some() && when.on.is_none() {
        return unclear("the best and worst of longer periods are not compared");
    }
    assertions::place_in_time(&mut assertions, &when, said.best_of);
    let mut subject = subject;
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
    if !matches!(subject, Subject::Named { .. }) && measure == Some(Measure::MarketValue) {
        // `gold was worth 1,893 dollars`.
        measure = None;
    }
    let is_worth = tokens.iter().any(|token| token.is("worth"));
    if is_worth && measure == Some(Measure::MarketValue) && assertions::are_small(&assertions) {
        // `a bitcoin was worth less than $4,000`: one of them, not all together.
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
        // `tumbled 26 % in one session in February`, `doubled in a day in May`: the change of at least one session.
        measure = Some(Measure::StepChange);
        over = Over::Any;
    }
    let subject = meant(subject, &assertions, tokens);
    Some(Reading::Claim(Box::new(FigureClaim {
        subject,
        measure,
        period: when.period,
        base: when.base,
        base_over: when.base_over,
        basis: parts.basis,
        over,
        assertions,
        disclosure: None,
        in_a_row: when.in_a_row,
        is_first: is_first_time(items, tokens),
        is_negated: said.is_negated,
        is_certain,
    })))
}

/// Where the sentence stops being read: at a clause behind a comma or a verb that gives a reason.
fn clause_end(tokens: &[Token<'_>]) -> usize {
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
                    "day", "days", "sessions", "week", "weeks", "month", "months", "quarters", "year", "years",
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

fn is_forecast(tokens: &[Token<'_>]) -> bool {
    let is_month = |token: &Token<'_>| token.is("may") && token.is_capital();
    tokens.iter().enumerate().any(|(at, token)| {
        // `going by the fixings` says where the figures are from.
        let is_source =
            token.is("going") && tokens.get(at + 1).is_some_and(|next| next.is("by"));
        token.is_any(&FORECASTS) && !is_month(token) && !is_source
    })
}

/// Whether a move is said to be one of a single session.
fn says_one_session(tokens: &[Token<'_>]) -> bool {
    (0..tokens.len()).any(|at| {
        let counts = tokens[at].is_any(&["single", "one"])
            || tokens[at].is("a") && at > 0 && tokens[at - 1].is_any(&["in", "within"]);
        let is_trading = tokens.get(at + 1).is_some_and(|next| next.is("trading"));
        let unit = tokens.get(at + 1 + usize::from(is_trading));
        counts && unit.is_some_and(|unit| unit.is_any(&["day", "session"]))
    })
}

/// `The US lost 20 million jobs`: the payrolls are meant.
fn counts_jobs(tokens: &[Token<'_>]) -> bool {
    let any = |words: &[&str]| tokens.iter().any(|token| token.is_any(words));
    any(&["jobs", "payrolls"]) && any(&["us", "u.s", "america", "american", "nonfarm"])
}

/// Mends meanings that depend on what stands beside them.
fn reassign(marks: &mut Items, tokens: &[Token<'_>]) {
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
        let plain = between
            .iter()
            .all(|token| token.is_any(&["that", "of", "the", "a", "in", "it", "was", "one", "level"]));
        if is_than && plain && matches!(basis.what, What::Basis(_)) {
            marks.items[place].what = What::Relation(direction);
        }
    }
    compare_with_itself(marks, tokens);
    from_extreme(marks, tokens);
    let superlative = |item: &Item| matches!(item.what, What::Relation("highest" | "lowest"));
    if let Some(from) = marks.items.iter().position(superlative) {
        // `its highest close of 2021 fell on 9 August`: it was then.
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
                && tokens.get(item.next).is_some_and(|next| next.is_any(&["on", "in"]))
                && times.iter().any(|time| (item.next..=item.next + 2).contains(time));
            !(is_date && matches!(item.what, What::Relation("up" | "down")))
        });
    }
    for place in 1..marks.items.len() {
        // `closed above a dollar`.
        let item = &marks.items[place];
        let is_dollar = matches!(item.what, What::Subject(Subject::Currency { base: "USD", is_pair: false, .. }));
        let bounds = matches!(
            marks.items[place - 1].what,
            What::Relation("above" | "below" | "reach" | "exceed" | "undercut" | "just_above" | "just_below" | "about" | "at_least" | "at_most")
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
        let is_level = matches!(
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
    // `the economy added 275,000 jobs`: the payrolls are meant.
    let counts_jobs = tokens
        .iter()
        .any(|token| token.is_any(&["jobs", "payrolls", "positions"]));
    for item in &mut marks.items {
        if counts_jobs && item.what == What::Subject(Subject::Series("real_gdp")) {
            item.what = What::Subject(Subject::Series("payrolls"));
        }
    }
}

/// `below where it began`, `higher than it had closed 2021`: a change, from the time that is named there.
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
            if !token.is_any(&["than", "where", "it", "they", "had", "have", "has", "the", "level", "at", "which"]) {
                break;
            }
            at += 1;
        }
        if !is_itself || !tokens.get(at).is_some_and(|token| token.is_any(&VERBS)) {
            continue;
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
            && let What::Period(Period::In(span), _) = marks.items[base].what
        {
            if before == Some(span) {
                // `ended 2021 below where it began 2021`.
                marks.items.remove(base);
            } else {
                let starts = tokens[verb].is_any(&["began", "begun", "started", "opened", "entered"]);
                let span = if starts { preceding(span) } else { span };
                marks.items[base].what = What::Period(Period::In(span), Role::Base);
            }
        }
        return;
    }
}

/// `from its 2021 peak`, `below its high of March 2022`: what a change is measured from.
fn from_extreme(marks: &mut Items, tokens: &[Token<'_>]) {
    const SORTS: [&str; 7] = ["closing", "record", "all-time", "intraday", "of", "in", "on"];
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
        while tokens.get(word).is_some_and(|token| token.is_any(&SORTS[..4])) {
            word += 1;
        }
        let begin = (item.first..item.next).find(|at| owns(*at)).or_else(|| item.first.checked_sub(1).filter(|at| owns(*at)));
        let behind = is_extreme(word).then_some((word, begin));
        // `its high of March 2022`.
        let found = behind.or_else(|| {
            let mut word = item.first.checked_sub(1)?;
            while tokens[word].is_any(&SORTS) && word > 0 {
                word -= 1;
            }
            let begin = (word.saturating_sub(2)..word).find(|at| owns(*at));
            is_extreme(word).then_some((word, begin))
        });
        let Some((word, Some(begin))) = found else {
            continue;
        };
        let measures = (begin.saturating_sub(1)..begin).chain(item.first..begin.max(item.first)).any(|at| {
            tokens[at].is_any(&["from", "below", "above", "off", "under", "over", "than", "since"])
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
            !((item.first..item.next).contains(&word) && matches!(item.what, What::Word(_) | What::Relation(_)))
        });
        return;
    }
}

/// The year before a year; of anything else the day before it.
fn preceding(span: Span) -> Span {
    let year = i32::from(span.first.date().year());
    Some(span)
        .filter(|span| span.unit == SpanUnit::Year)
        .and_then(|_| Span::year(year - 1))
        .unwrap_or_else(|| Span::day(span.first.plus(-1)))
}

/// Whether the time stands behind the first figure: `from 14.8 % in April`.
fn from_is_dated(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.windows(2).any(|pair| {
        matches!(pair[0].what, What::Amount(_))
            && matches!(pair[1].what, What::Period(..))
            && pair[1].first <= pair[0].next + 1
            && tokens[..pair[0].first].last().is_some_and(|token| token.is("from"))
    })
}

/// Whether it is said to be the first time: `closed above 40,000 for the first time`, `first closed above 250`.
fn is_first_time(items: &[Item], tokens: &[Token<'_>]) -> bool {
    let phrase = tokens
        .windows(3)
        .any(|three| three[0].is("the") && three[1].is("first") && three[2].is("time"));
    let verb = tokens.windows(2).enumerate().any(|(at, pair)| {
        pair[0].is("first")
            && items.iter().any(|item| {
                item.first == at + 1
                    && matches!(item.what, What::Relation("close" | "exceed" | "trade" | "reach" | "undercut"))
            })
    });
    phrase || verb
}

/// The field of a price that a verb means.
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
