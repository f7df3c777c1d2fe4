//! The time a question is about.

mod compared;
mod length;
mod named_day;
mod part;
mod range;
mod shifted;

use std::ops::Range;

use market::calendar;
use model::Day;
use verify::figures::{Dated, Length, Mentions, Period, Span, SpanUnit};

use crate::words::Word;

/// A period, both days included; a side that is not given is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// Its first day.
    pub from: Option<Day>,
    /// Its last day.
    pub to: Option<Day>,
    /// As written.
    pub said: String,
    /// Whether it is in the future.
    pub is_ahead: bool,
    /// Whether it is a period that begins with one named day: if so, a change counts from the price on that day, and
    /// otherwise from the price on the day before the period.
    pub begins_on_day: bool,
    /// How many months up to now it covers, if it is said in months, quarters or years: `the last two quarters`.
    pub months: Option<u32>,
}

impl When {
    /// Whether no time is given.
    pub fn is_unsaid(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// The number of days from its first day to `today`, at least one; `None` without a first day.
    pub fn days_back(&self, today: Day) -> Option<i32> {
        let from = self.from?;
        Some(today.since(from).max(1))
    }

    /// The last day if the period is over: an answer about it is as of that day.
    pub fn past_end(&self, today: Day) -> Option<Day> {
        self.to.filter(|to| !self.is_ahead && *to < today)
    }
}

/// Adds the ranges and named days that only questions have; what they contain is no longer a time or an amount of its
/// own.
pub(crate) fn add_spoken(text: &str, words: &[Word], mentions: &mut Mentions, today: Day) {
    let is_ahead = asks_ahead(words);
    for date in in_figures(text) {
        // One that could be two days, or is none, has no year either.
        let is_read =
            |dated: &Dated| dated.bytes.start <= date.start && date.end <= dated.bytes.end;
        if !mentions.times.iter().any(is_read) {
            let is_apart =
                |bytes: &Range<usize>| bytes.end <= date.start || date.end <= bytes.start;
            mentions.times.retain(|dated| is_apart(&dated.bytes));
            mentions.amounts.retain(|(_, bytes)| is_apart(bytes));
        }
    }
    if let Some(found) = range::find(text, words, today, is_ahead) {
        let (from, to) = (found.from, found.to);
        let period = if found.is_of_days && from < to {
            Period::Between(Span::day(from), Span::day(to))
        } else {
            Period::In(Span::new(from, to, SpanUnit::Stretch))
        };
        take(mentions, period, false, found.bytes);
    }
    for named in named_day::find(words, today, is_ahead) {
        let period = Period::In(Span::day(named.day));
        take(mentions, period, named.is_start, named.bytes.clone());
        if named.is_end {
            let taken = mentions.times.iter_mut();
            taken
                .filter(|dated| dated.bytes == named.bytes)
                .for_each(|dated| dated.is_end = true);
        }
    }
    for (day, bytes) in a_year_ago(words, today) {
        take(mentions, Period::In(Span::day(day)), false, bytes);
    }
    if let Some((span, bytes)) = shifted::find(words, &mentions.times, today, is_ahead) {
        take(mentions, Period::In(span), false, bytes);
    }
    if mentions.times.is_empty()
        && let Some((count, unit, bytes)) = length::find(words)
    {
        take(mentions, Period::Past(count, unit), false, bytes);
    }
    for (span, bytes) in part::find(words, &mentions.times) {
        take(mentions, Period::In(span), false, bytes);
    }
    for (span, bytes) in pointed(words, &mentions.times) {
        take(mentions, Period::In(span), false, bytes);
    }
}

/// What `that month` refers to: the time named before it or, for `that day`, a day. `the same month of 2023` is a
/// different one.
fn pointed(words: &[Word], times: &[Dated]) -> Vec<(Span, Range<usize>)> {
    const STRETCHES: [&str; 7] = ["day", "week", "month", "quarter", "year", "time", "period"];
    const OTHERS: [&str; 7] = ["of", "a", "one", "last", "in", "previous", "prior"];
    let is_other = |word: &Word| {
        !word.is_parted
            && (word.is_any(&OTHERS) || word.is_number() || model::cardinal(&word.lower).is_some())
    };
    let pointing = (1..words.len()).filter(|at| {
        let (points, stretch) = (&words[*at - 1], &words[*at]);
        let is_same = points.is("same") && !words.get(*at + 1).is_some_and(is_other);
        (points.is("that") || is_same) && stretch.is_any(&STRETCHES) && !stretch.is_parted
    });
    pointing
        .filter_map(|at| {
            let (points, stretch) = (&words[at - 1], &words[at]);
            let before = times.iter().rev().find_map(|dated| match dated.period {
                Period::In(span) if dated.bytes.end <= points.bytes.start => Some(span),
                _ => None,
            })?;
            let is_one = !stretch.is("day") || before.first == before.last;
            is_one.then_some((before, points.bytes.start..stretch.bytes.end))
        })
        .collect()
}

/// The bytes of the days that a question names by their names, such as Good Friday.
pub(crate) fn named_days(words: &[Word], today: Day) -> Vec<Range<usize>> {
    let found = named_day::find(words, today, asks_ahead(words));
    found.into_iter().map(|named| named.bytes).collect()
}

/// The day a year before today, by other words than its length: `this time last year`, `two years ago today`.
fn a_year_ago(words: &[Word], today: Day) -> Vec<(Day, Range<usize>)> {
    let this_time = words.windows(4).filter_map(|four| {
        let is_said = four[0].is_any(&["this", "same"])
            && four[1].is_any(&["time", "day", "point", "date"])
            && four[2].is_any(&["last", "previous"])
            && four[3].is("year");
        is_said.then(|| {
            (
                today.months_before(12),
                four[0].bytes.start..four[3].bytes.end,
            )
        })
    });
    let to_the_day = ago(words, today).and_then(|(day, range)| {
        let last = words.get(range.end).filter(|word| word.is("today"))?;
        Some((day, words[range.start].bytes.start..last.bytes.end))
    });
    this_time.chain(to_the_day).collect()
}

/// Replaces what was read from its words with a time.
fn take(mentions: &mut Mentions, period: Period, is_start: bool, bytes: Range<usize>) {
    let is_apart = |other: &Range<usize>| other.end <= bytes.start || bytes.end <= other.start;
    mentions.times.retain(|dated| is_apart(&dated.bytes));
    mentions.amounts.retain(|(_, other)| is_apart(other));
    mentions.subjects.retain(|(_, other)| is_apart(other));
    let place = mentions
        .times
        .partition_point(|dated| dated.bytes.start < bytes.start);
    let dated = Dated {
        period,
        is_start,
        is_end: false,
        bytes,
    };
    mentions.times.insert(place, dated);
}

/// The time that a question names; of several, the first that is not the present.
pub(crate) fn find(text: &str, words: &[Word], times: &[Dated], today: Day) -> When {
    if let Some(ahead) = ahead(text, words, today) {
        return ahead;
    }
    let whole = between(text, words, times)
        .or_else(|| over_year(text, words, times, today))
        .or_else(|| compared::find(text, words, times, today));
    let mut when = whole.clone().unwrap_or_default();
    let dated = if whole.is_some() { &[] } else { times };
    let is_alone = dated.len() == 1;
    for dated in dated {
        if !is_alone && is_how_long(text, dated) {
            continue;
        }
        let (from, to) = match dated.period {
            Period::Unsaid | Period::Latest => continue,
            Period::In(span) if dated.is_start => (Some(span.first), None),
            Period::In(span) if dated.is_end => (None, Some(span.last)),
            Period::In(span) => (Some(span.first), Some(span.last)),
            Period::Between(first, last) => (Some(first.first), Some(last.last)),
            Period::Since(span) => (Some(span.first), None),
            Period::Past(count, length) => (Some(back(today, count, length)), None),
        };
        let said = &text[dated.bytes.clone()];
        if when.is_unsaid() {
            when = When {
                from,
                to,
                said: said.to_owned(),
                is_ahead: false,
                begins_on_day: begins_on_day(dated),
                months: match dated.period {
                    Period::Past(count, Length::Months) => Some(count),
                    Period::Past(count, Length::Quarters) => count.checked_mul(3),
                    Period::Past(count, Length::Years) => count.checked_mul(12),
                    _ => None,
                },
            };
        } else if when.to.is_none() && from.is_none() && to.is_some() {
            // `from March until May`: the second half.
            when.to = to;
            when.said = format!("{} {said}", when.said);
        }
    }
    // `will they cut in December`: the next one.
    if let (Some(from), Some(to)) = (when.from, when.to)
        && to < today
        && asks_ahead(words)
        && let Some((first, last)) = a_year_later(from, to, &when.said)
    {
        when.from = Some(first);
        when.to = Some(last);
    }
    if when.from.is_some_and(|from| from > today) {
        when.is_ahead = true;
        return when;
    }
    // Nobody knows anything later than today.
    when.to = when.to.map(|to| to.min(today));
    when.from = when.from.map(|from| from.min(today));
    if let (Some(from), Some(to)) = (when.from, when.to)
        && from > to
    {
        return When::default();
    }
    when
}

/// Whether a time is a period that begins with one day. The first day of a month begins a month:
/// `from 1 January to 31 December`.
fn begins_on_day(dated: &Dated) -> bool {
    let is_day = |span: Span| span.first == span.last && span.first != span.first.first_of_month();
    match dated.period {
        Period::In(span) => dated.is_start && is_day(span),
        Period::Between(first, _) | Period::Since(first) => is_day(first),
        Period::Unsaid | Period::Latest | Period::Past(..) => false,
    }
}

/// Whether a period says how long something took, while another time says when: `fell by 2% in a day in 2022`.
fn is_how_long(text: &str, dated: &Dated) -> bool {
    const JOINTS: [&str; 3] = ["in", "within", "over"];
    const ONE: [&str; 3] = ["a", "one", "single"];
    let said = text[dated.bytes.clone()].to_lowercase();
    let mut words = said.split_whitespace();
    let mut first = words.next();
    if first.is_some_and(|word| JOINTS.contains(&word)) {
        first = words.next();
    }
    matches!(dated.period, Period::Past(1, _)) && first.is_some_and(|word| ONE.contains(&word))
}

/// `between 3 March and 17 April`.
fn between(text: &str, words: &[Word], times: &[Dated]) -> Option<When> {
    let begins = words.iter().find(|word| word.is("between"))?.bytes.end;
    let spans = times.iter().filter_map(|dated| match dated.period {
        Period::In(span) if dated.bytes.end > begins => Some((span, dated)),
        _ => None,
    });
    let [(first, from), (last, to)] = spans.collect::<Vec<_>>()[..] else {
        return None;
    };
    let joint = text.get(from.bytes.end..to.bytes.start)?;
    let is_joined = joint.trim().eq_ignore_ascii_case("and")
        || joint.trim().is_empty() && text[to.bytes.clone()].trim_start().starts_with("and");
    (is_joined && first.first <= last.last).then(|| When {
        from: Some(first.first),
        to: Some(last.last),
        said: text[begins..to.bytes.end].trim().to_owned(),
        is_ahead: false,
        begins_on_day: false,
        months: None,
    })
}

/// The same month of the next year, for a month that is named without a year.
fn a_year_later(from: Day, to: Day, said: &str) -> Option<(Day, Day)> {
    let said = said.to_lowercase();
    let names_month = LATER[..23].iter().any(|month| {
        said.split(|one: char| !one.is_alphabetic())
            .any(|word| word == *month)
    });
    let is_dated = said.contains(|one: char| one.is_ascii_digit());
    if !names_month || is_dated || !from.to_string().ends_with("-01") || to.since(from) > 31 {
        return None;
    }
    let later = |day: Day| {
        let text = day.to_string();
        let (year, rest) = text.split_once('-')?;
        let year: i32 = year.parse().ok()?;
        // February may end a day earlier.
        Day::parse(&format!("{}-{rest}", year + 1))
            .or_else(|| Day::parse(&format!("{}-02-28", year + 1)))
    };
    Some((later(from)?, later(to)?))
}

/// `over 2022`, `its high of 2022`, if nothing else names a time: a year, not a number that a price exceeds.
fn over_year(text: &str, words: &[Word], times: &[Dated], today: Day) -> Option<When> {
    const EXCEEDING: [&str; 16] = [
        "is", "was", "are", "were", "be", "close", "closed", "closes", "trade", "trades", "traded",
        "trading", "priced", "still", "go", "gone",
    ];
    const UNITS: [&str; 7] = [
        "dollars", "dollar", "usd", "euros", "points", "bucks", "percent",
    ];
    const OF_YEAR: [&str; 12] = [
        "high", "highs", "low", "lows", "highest", "lowest", "peak", "top", "bottom", "trough",
        "average", "close",
    ];
    if !times.is_empty() {
        return None;
    }
    let place = (0..words.len().saturating_sub(1)).find(|at| {
        let (over, number) = (&words[*at], &words[*at + 1]);
        let before = at.checked_sub(1).map(|before| &words[before]);
        let is_bare = text[over.bytes.end..number.bytes.start].trim().is_empty();
        let exceeds = before.is_some_and(|before| before.is_any(&EXCEEDING))
            || words
                .get(*at + 2)
                .is_some_and(|next| next.is_any(&UNITS) && !next.is_parted);
        let is_of_year = over.is("of")
            && before.is_some_and(|before| before.is_any(&OF_YEAR))
            && !at
                .checked_sub(2)
                .is_some_and(|place| words[place].is_any(&["a", "new"]));
        (over.is_any(&["over", "throughout", "across"]) || is_of_year)
            && number.lower.len() == 4
            && number.lower.parse::<i32>().is_ok_and(|year| year >= 1950)
            && is_bare
            && !exceeds
    })?;
    let year: i32 = words[place + 1].lower.parse().ok()?;
    let from = Day::parse(&format!("{year}-01-01")).filter(|from| *from <= today)?;
    let to = Day::parse(&format!("{year}-12-31"))?;
    Some(When {
        from: Some(from),
        to: Some(to.min(today)),
        said: year.to_string(),
        is_ahead: false,
        begins_on_day: false,
        months: None,
    })
}

/// Whether a question asks about the future.
pub(crate) fn asks_ahead(words: &[Word]) -> bool {
    words
        .first()
        .is_some_and(|first| first.is_any(&["will", "wont"]))
        || words.iter().any(|word| word.is("gonna"))
        || words
            .windows(2)
            .any(|pair| pair[0].is_any(&["going", "expected"]) && pair[1].is("to"))
        || words.windows(2).any(|pair| {
            pair[0].is_any(&["when", "what", "where", "who", "they"]) && pair[1].is("will")
        })
}

/// What a question says about a time that the answer does not use, in sentences: a second period, and a clause after
/// `when` that names no date.
pub(crate) fn not_taken(text: &str, words: &[Word], times: &[Dated], when: &When) -> Vec<String> {
    let mut notes = Vec::new();
    let spans = times.iter().filter_map(|dated| match dated.period {
        Period::In(span) if !dated.is_start && !dated.is_end => Some((span, dated)),
        _ => None,
    });
    let mut apart = spans.filter(|(span, _)| {
        let taken = when.from.zip(when.to).filter(|_| !when.is_ahead);
        taken.is_some_and(|(from, to)| span.last < from || to < span.first)
    });
    if let Some((_, dated)) = apart.next_back() {
        notes.push(format!(
            "the figures are of {}; ask for {} by itself",
            bare(&when.said),
            bare(&text[dated.bytes.clone()])
        ));
    }
    notes.extend(unread(text, words, when).map(unread_note));
    notes
}

/// The note on a time that names no date.
pub(crate) fn unread_note(said: &str) -> String {
    format!("“{said}” names no date that could be read; the figures are not for that time")
}

/// A date in figures that could be two days, or is none.
pub(crate) fn unread_date<'t>(text: &'t str, when: &When) -> Option<&'t str> {
    let bytes = in_figures(text).next().filter(|_| when.is_unsaid())?;
    text.get(bytes)
}

/// The words of a time that names no date, if no other time is named: `when Obama took office`, `since the election`.
pub(crate) fn unread<'t>(text: &'t str, words: &[Word], when: &When) -> Option<&'t str> {
    /// After these words, and before those, `when` is a question.
    const ASKED_AFTER: [&str; 10] = [
        "and", "or", "know", "tell", "me", "say", "says", "on", "for", "since",
    ];
    const ASKING: [&str; 16] = [
        "is", "are", "does", "do", "did", "will", "was", "were", "should", "would", "can", "could",
        "has", "have", "to", "s",
    ];
    /// `since I retired`, `since then`: said of the person who asks, or of what was said before.
    const OF_WHO_ASKS: [&str; 10] = [
        "i", "im", "ive", "we", "you", "my", "our", "they", "then", "when",
    ];
    /// `during the day`, `during market hours`.
    const OF_SESSIONS: [&str; 9] = [
        "day",
        "days",
        "session",
        "sessions",
        "hours",
        "market",
        "trading",
        "premarket",
        "night",
    ];
    if !when.is_unsaid() {
        return None;
    }
    if let Some(date) = unread_date(text, when) {
        return Some(date);
    }
    // Most lengths before `ago` are read.
    let ago = (1..words.len()).find(|at| {
        let asks = at.checked_sub(2).is_some_and(|many| words[many].is("many"));
        words[*at].is("ago")
            && !words[*at].is_capitals
            && !asks
            && !words[*at - 1].is_any(&["long", "many"])
    });
    if let Some(at) = ago {
        return text.get(words[at.saturating_sub(2)].bytes.start..words[at].bytes.end);
    }
    let found = words.iter().enumerate().find(|(at, word)| {
        let next = words.get(at + 1).filter(|next| !next.is_parted);
        let is_clause = word.is("when")
            && *at > 0
            && words.len() > at + 2
            && !words[at - 1].is_any(&ASKED_AFTER)
            && next.is_some_and(|next| !next.is_any(&ASKING));
        // `since gold is up` gives a reason.
        let is_period = (word.is_any(&["during", "throughout"]) || word.is("since") && *at > 0)
            && next.is_some_and(|next| !next.is_any(&OF_WHO_ASKS))
            && !words[at + 1..]
                .iter()
                .take(2)
                .any(|word| word.is_any(&OF_SESSIONS));
        is_clause || is_period
    });
    let said = |(_, word): (usize, &Word)| {
        let rest = &text[word.bytes.start..];
        let ends = [", ", "; ", "?"].iter().filter_map(|end| rest.find(end));
        let end = ends.min().unwrap_or(rest.len());
        rest[..end].trim_end_matches(['.', '!', ' '])
    };
    found.map(said)
}

/// Where dates are written in figures: `12/11/2026`, `31.02.2025`.
fn in_figures(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_date = |said: &str| {
        let parts: Vec<&str> = said.split(['/', '.', '-']).collect();
        let is_number = |part: &&str| {
            (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if parts.len() != 3 || !parts.iter().all(is_number) {
            return false;
        }
        let small = |part: &&str, most: u32| part.parse().is_ok_and(|one: u32| one <= most);
        let are_days = |one: &&str, other: &&str| small(one, 31) && small(other, 31);
        match (parts[0].len(), parts[2].len()) {
            (4, 1 | 2) => are_days(&parts[1], &parts[2]),
            (1 | 2, 4) => are_days(&parts[0], &parts[1]),
            // `60/30/10` are shares.
            (1 | 2, 2) => {
                said.contains('/')
                    && are_days(&parts[0], &parts[1])
                    && (small(&parts[0], 12) || small(&parts[1], 12))
            }
            _ => false,
        }
    };
    let mut at = 0;
    text.split_inclusive(char::is_whitespace)
        .map(move |said| {
            let start = at;
            at += said.len();
            let bare = said.trim_start_matches(|one: char| !one.is_alphanumeric());
            let start = start + said.len() - bare.len();
            let bare = bare.trim_end_matches(|one: char| !one.is_alphanumeric());
            (start..start + bare.len(), bare)
        })
        .filter(move |(_, bare)| is_date(bare))
        .map(|(bytes, _)| bytes)
}

/// A time without the words that join it to what comes before.
fn bare(said: &str) -> &str {
    const JOINTS: [&str; 15] = [
        "vs", "vs.", "versus", "and", "or", "in", "on", "of", "for", "during", "with", "than",
        "at", "to", "from",
    ];
    let mut rest = said.trim();
    while let Some((first, after)) = rest.split_once(' ')
        && JOINTS.contains(&first.to_lowercase().as_str())
    {
        rest = after.trim_start();
    }
    rest
}

/// The day that long before today.
pub(crate) fn back(today: Day, count: u32, length: Length) -> Day {
    let count = i32::try_from(count).unwrap_or(i32::MAX).min(40_000);
    let days = match length {
        Length::Days => count,
        // Five sessions are a week.
        Length::Sessions => count.saturating_mul(7) / 5,
        Length::Weeks => count.saturating_mul(7),
        Length::Months => count.saturating_mul(61) / 2,
        Length::Quarters => count.saturating_mul(183) / 2,
        Length::Years => count.saturating_mul(1461) / 4,
    };
    today.plus(-days.min(40_000))
}

/// The day of `three years ago`, `a month back`; none if something is compared with it.
pub(crate) fn ago(words: &[Word], today: Day) -> Option<(Day, std::ops::Range<usize>)> {
    const COMPARED: [&str; 6] = ["than", "vs", "versus", "with", "to", "from"];
    let at = words
        .iter()
        .position(|word| word.is_any(&["ago", "back"]))
        .filter(|at| *at >= 2)?;
    let is_traded = at >= 3 && words[at - 2].is_any(&["trading", "business", "market"]);
    let first = at - 2 - usize::from(is_traded);
    let length = match words[at - 1].lower.trim_end_matches('s') {
        "day" if is_traded => Length::Sessions,
        "session" => Length::Sessions,
        _ if is_traded => return None,
        "day" => Length::Days,
        "week" => Length::Weeks,
        "month" => Length::Months,
        "quarter" => Length::Quarters,
        "year" | "decade" => Length::Years,
        _ => return None,
    };
    let tens = if words[at - 1].lower.starts_with("decade") {
        10
    } else {
        1
    };
    let count = &words[first];
    let number = count
        .lower
        .parse::<u32>()
        .ok()
        .or_else(|| model::cardinal(&count.lower).map(|number| number as u32))
        .or_else(|| count.is_any(&["a", "an", "one"]).then_some(1))
        .or_else(|| count.is_any(&["couple", "few"]).then_some(2))
        .filter(|number| (1..=400).contains(number))?;
    let is_compared = first >= 1 && words[first - 1].is_any(&COMPARED);
    let day = match length {
        Length::Sessions => {
            (0..number).try_fold(today, |day, _| calendar::previous_session(day))?
        }
        Length::Months => today.months_before(i32::try_from(number).ok()?),
        Length::Years => today.months_before(i32::try_from(number * tens * 12).ok()?),
        _ => back(today, number, length),
    };
    (!is_compared).then(|| (day, first..at + 1))
}

/// Words after `next` for future periods that are not read otherwise.
const LATER: [&str; 27] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "quarter",
    "year",
    "summer",
    "winter",
];

/// `tomorrow`, `next week`, `the coming month`.
fn ahead(text: &str, words: &[Word], today: Day) -> Option<When> {
    let is_coming = |word: &Word| word.is_any(&["next", "coming", "upcoming"]);
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1);
        let found = if word.is("tomorrow") {
            Some((today.plus(1), today.plus(1), at))
        } else if is_coming(word) && next.is_some_and(|next| next.is_any(&["week", "days"])) {
            let monday = today.monday().plus(7);
            let is_week = next.is_some_and(|next| next.is("week"));
            let (from, to) = if is_week {
                (monday, monday.plus(6))
            } else {
                (today, today.plus(7))
            };
            Some((from, to, at + 1))
        } else if is_coming(word) && next.is_some_and(|next| next.is("month")) {
            Some((today.plus(1), today.plus(31), at + 1))
        } else if is_coming(word) && next.is_some_and(|next| next.is_any(&LATER)) {
            Some((today.plus(1), today.plus(366), at + 1))
        } else if word.is_any(&["week", "days"]) && next.is_some_and(|next| next.is("ahead")) {
            Some((today, today.plus(7), at + 1))
        } else {
            None
        };
        if let Some((from, to, last)) = found {
            return Some(When {
                from: Some(from),
                to: Some(to),
                said: text[word.bytes.start..words[last].bytes.end].to_owned(),
                is_ahead: true,
                begins_on_day: false,
                months: None,
            });
        }
    }
    None
}
