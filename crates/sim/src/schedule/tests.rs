use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::{Day, Timestamp};

use super::*;
use crate::facts::Facts;
use crate::newswire::Newswire;
use crate::testing::{SEED, day, markets, sessions, tables};

/// A quarter that includes an earnings season.
fn quarter() -> std::ops::Range<i64> {
    i64::from(day("2026-07-01").get())..i64::from(day("2026-10-01").get())
}

fn stories() -> Vec<Story> {
    let world = markets();
    quarter().flat_map(|day| stories_on(&world, day)).collect()
}

/// The published values of a series up to a day, newest first.
fn series(id: &str, until: i64) -> Vec<f64> {
    let found = tables().series.iter().find(|(series, _)| series.id.0 == id);
    let values = &found.unwrap_or_else(|| panic!("no series {id}")).1;
    let known = values
        .iter()
        .filter(|value| i64::from(value.day.get()) <= until);
    known.rev().map(|value| value.value).collect()
}

/// The published closes of an instrument up to a day, newest first.
fn closes(key: &str, until: i64) -> Vec<f64> {
    let found = tables()
        .candles
        .iter()
        .find(|(known, _)| known.to_string() == key);
    let candles = &found.unwrap_or_else(|| panic!("no candles {key}")).1;
    let known = candles
        .iter()
        .filter(|candle| i64::from(candle.day.get()) <= until);
    known.rev().map(|candle| candle.close).collect()
}

/// A story whose variables are compared with the tables.
struct Told {
    story: Story,
    facts: Facts,
}

impl Told {
    fn text(&self, path: &str) -> String {
        let (slot, field) = path.split_once('.').unwrap_or((path, ""));
        let value = self
            .facts
            .get(slot)
            .and_then(|value| value.text(field, Language::En));
        value.unwrap_or_else(|| panic!("{} has no {path}", self.story.kind.tag))
    }

    fn number(&self, slot: &str) -> f64 {
        let text = self.text(slot).replace([',', '$'], "");
        text.parse().unwrap_or_else(|_| panic!("{slot}: {text}"))
    }

    /// The number in the slot matches the tables, to the precision in which it is written.
    fn same(&self, slot: &str, expected: f64) {
        let written = self.text(slot);
        let decimals = written
            .split_once('.')
            .map_or(0, |(_, digits)| digits.len());
        let half = 0.5000001 * 10.0_f64.powi(-i32::try_from(decimals).unwrap());
        let told = self.number(slot);
        assert!(
            (told - expected).abs() <= half,
            "{} of {} on {:?}: {written} and not {expected}",
            slot,
            self.story.kind.tag,
            self.story.day
        );
    }

    /// The size and direction of a change match the tables; `way` has a word that only rises have.
    fn moved(&self, slot: &str, way: &str, rises: &[&str], change: f64) {
        self.same(slot, change.abs());
        let word = self.text(way);
        assert_eq!(
            rises.contains(&word.as_str()),
            change >= 0.0,
            "{word} {change} in {}",
            self.story.kind.tag
        );
    }
}

fn change(values: &[f64], over: usize) -> f64 {
    100.0 * (values[0] / values[over] - 1.0)
}

const RISES: [&str; 8] = [
    "rises", "climbs", "firms", "rose", "rise", "gained", "up", "higher",
];

#[test]
fn every_figure_of_a_quarter_is_that_of_the_tables() {
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for story in stories() {
        *told.entry(story.kind.tag.as_str()).or_default() += 1;
        let facts = story.facts(None);
        compare(&Told { story, facts });
    }
    let expected = [
        "index_close",
        "currency_move",
        "commodity_move",
        "metal_move",
        "bond_sale",
        "crypto_price",
        "coin_noon",
        "leaders",
        "leaders_week",
        "share_week",
        "share_quarter",
        "share_move",
        "inflation",
        "inflation_rise",
        "inflation_steady",
        "jobs_report",
        "growth_figures",
        "rate_decision",
        "rate_change",
        "earnings_day",
        "earnings_mixed",
        "results_preview",
    ];
    for kind in expected {
        assert!(told.contains_key(kind), "{kind} in {told:?}");
    }
}

fn compare(told: &Told) {
    let today = told.story.day;
    match told.story.kind.tag.as_str() {
        "index_close" => {
            let values = series(&format!("index:{}", told.text("idx.3")), today);
            told.same("level", values[0]);
            told.moved("move", "way", &RISES, change(&values, 1));
            told.same("yield", series("macro:DGS10", today)[0]);
            told.same("fear", series("index:^VIX", today)[0]);
        }
        "currency_move" => {
            let pair = told.text("pair");
            let values = series(&format!("fx:{}", pair.replace('/', "")), today);
            told.same("rate", values[0]);
            let rises = !pair.starts_with("USD");
            let turned: Vec<f64> = values
                .iter()
                .map(|value| if rises { *value } else { 1.0 / value })
                .collect();
            told.moved("move", "way", &RISES, change(&turned, 1));
            told.moved("week_move", "week_way", &RISES, change(&turned, 5));
        }
        "commodity_move" => {
            let values = series("commodity:crude/futures", today);
            told.same("price", values[0]);
            told.moved("move", "way", &RISES, change(&values, 1));
        }
        "metal_move" => {
            let name = told.text("good").to_lowercase();
            let values = series(&format!("commodity:{name}/futures"), today);
            told.same("price", values[0]);
            told.moved("move", "way", &RISES, change(&values, 1));
            told.moved("month_move", "month_way", &RISES, change(&values, 21));
        }
        "bond_sale" => {
            let values = series(&format!("macro:DGS{}", told.text("tenor")), today);
            told.same("yield", values[0]);
            told.same("before", values[20]);
        }
        "crypto_price" => {
            let values = closes(&format!("crypto:{}", told.text("coin.2")), today - 1);
            told.same("price", values[0]);
            told.moved("move", "way", &RISES, change(&values, 1));
            let other = if told.text("other") == "Ether" {
                "ETH"
            } else {
                "BTC"
            };
            let values = closes(&format!("crypto:{other}"), today - 1);
            told.moved("other_move", "other_way", &RISES, change(&values, 1));
        }
        "coin_noon" => {
            let at = told.story.breaks_at();
            let quotes = markets().quotes(at);
            let quote = |key: &str| &quotes.iter().find(|(known, _)| known == key).unwrap().1;
            told.same("price", quote("crypto:BTC").price);
            told.same("ether", quote("crypto:ETH").price);
            let values = closes("crypto:BTC", today - 1);
            let so_far = 100.0 * (quote("crypto:BTC").price / values[0] - 1.0);
            told.moved("move", "way", &RISES, so_far);
        }
        "leaders" | "leaders_week" => leaders(told),
        "share_week" => own_story(told, [5, 21]),
        "share_quarter" => own_story(told, [63, 252]),
        "share_move" => {
            let ticker = told.text("co.ticker");
            let values = closes(&format!("stock:{ticker}"), today);
            told.moved("move", "way", &RISES, change(&values, 1));
            told.moved("month", "month_way", &RISES, change(&values, 21));
            told.moved(
                "index",
                "index_way",
                &RISES,
                change(&series("index:^GSPC", today), 1),
            );
        }
        "earnings_day" | "earnings_mixed" | "earnings_miss" | "results_preview" => results(told),
        _ => economy(told),
    }
}

fn own_story(told: &Told, [brief, long]: [usize; 2]) {
    // It looks at what had ended when its day began.
    let until = told.story.day - 1;
    let values = closes(&format!("stock:{}", told.text("co.ticker")), until);
    priced(told, "price", values[0]);
    told.moved("move", "way", &RISES, change(&values, brief));
    told.moved("long", "long_way", &RISES, change(&values, long));
    let index = change(&series("index:^GSPC", until), brief);
    told.moved("index", "index_way", &RISES, index);
    let is_ahead = told.text("pace") == "ahead of";
    assert_eq!(is_ahead, change(&values, brief) >= index);
}

/// A price matches the tables, whatever its currency.
fn priced(told: &Told, slot: &str, close: f64) {
    let price = told.text(slot);
    let number: String = price
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let written: f64 = number.parse().unwrap();
    assert!((written - close).abs() < 0.51, "{price} and not {close}");
}

fn leaders(told: &Told) {
    // A morning story looks at the previous session.
    let kind = told.story.kind.tag.as_str();
    let is_morning =
        told.story.breaks_at().ms().rem_euclid(Timestamp::DAY_MS) < Timestamp::DAY_MS / 2;
    let until = told.story.day - i64::from(is_morning);
    let over = if kind.ends_with("week") { 5 } else { 1 };
    for place in 1..=4 {
        let ticker = told.text(&format!("c{place}.ticker"));
        let values = closes(&format!("stock:{ticker}"), until);
        priced(told, &format!("p{place}"), values[0]);
        told.moved(
            &format!("m{place}"),
            &format!("w{place}"),
            &RISES,
            change(&values, over),
        );
    }
}

fn results(told: &Told) {
    let ticker = told.text("co.ticker");
    let is_preview = told.story.kind.tag == "results_preview";
    let date = if is_preview {
        let Some(Value::Day(date)) = told.facts.get("date") else {
            panic!("no date");
        };
        *date
    } else {
        told.story.day
    };
    let rows: Vec<_> = tables()
        .earnings
        .iter()
        .filter(|row| row.symbol.as_str() == ticker && i64::from(row.date.get()) == date)
        .collect();
    let row = rows
        .iter()
        .find(|row| row.revenue_actual.is_some())
        .unwrap_or_else(|| panic!("{ticker} does not report on {date}"));
    let amount = |slot: &str, expected: f64| {
        assert_eq!(
            told.text(slot),
            results::amount(expected),
            "{slot} of {ticker}"
        );
    };
    if told.story.kind.tag == "earnings_miss" {
        told.same("revenue", row.revenue_actual.unwrap() / 1e6);
    } else if told.story.kind.tag == "earnings_day" {
        told.same("revenue", row.revenue_actual.unwrap() / 1e9);
        told.same("eps", row.eps_actual.unwrap());
        told.same("expected", row.eps_estimate.unwrap());
    } else {
        told.same("expected", row.eps_estimate.unwrap());
        amount("sales_expected", row.revenue_estimate.unwrap());
        if !is_preview {
            told.same("eps", row.eps_actual.unwrap());
            amount("sales", row.revenue_actual.unwrap());
        }
    }
    if !is_preview {
        assert!(told.story.breaks_at().day() == date);
    }
}

fn economy(told: &Told) {
    let slot = if told.story.kind.tag.starts_with("rate") {
        "bank.4"
    } else {
        "place.2"
    };
    if told.text(slot) != "US" {
        return;
    }
    // Everything that the tables will contain for the period: the announcement is at most hours ahead of them.
    let day = Day::new(i32::try_from(told.story.day).unwrap()).unwrap();
    let first = |months: i32| i64::from(day.first_of_month().months_before(months).get());
    match told.story.kind.tag.as_str() {
        "inflation" | "inflation_rise" | "inflation_steady" => {
            let prices = series("macro:CPIAUCSL", first(1));
            told.same("rate", change(&prices, 12));
            told.same("monthly", change(&prices, 1));
            told.same("core", change(&series("macro:CPILFESL", first(1)), 12));
        }
        "jobs_report" | "jobs_fall" => {
            let payrolls = series("macro:PAYEMS", first(1));
            told.same("jobs", (payrolls[0] - payrolls[1]).abs());
            let rates = series("macro:UNRATE", first(1));
            told.same("rate", rates[0]);
            told.same("rate_before", rates[1]);
        }
        "growth_figures" => {
            let product = series("macro:GDP", first(2));
            told.same("growth", change(&product, 1));
            told.same("annual", change(&product, 4));
        }
        "rate_decision" | "rate_change" => {
            let rates = series("macro:FEDFUNDS", first(0));
            let next = economy_rate(first(-1));
            told.same("rate", next);
            if told.story.kind.tag == "rate_decision" {
                assert_eq!(rates[0], next);
            } else {
                told.same("before", rates[0]);
            }
        }
        other => panic!("{other} is not compared"),
    }
}

/// The published policy rate for a month that begins on a given day.
fn economy_rate(begins: i64) -> f64 {
    series("macro:FEDFUNDS", begins)[0]
}

#[test]
fn everything_that_is_given_is_told() {
    for story in stories() {
        let given = &story.occasion.as_ref().unwrap().given;
        let facts = story.facts(None);
        for (slot, value) in given {
            let is_known = story.kind.slots.iter().any(|known| known.name == *slot);
            let row = |name: &str| {
                (0..6).any(|field| {
                    let text = facts
                        .get(slot)
                        .unwrap()
                        .text(&field.to_string(), Language::En);
                    text.as_deref() == Some(name)
                })
            };
            match value {
                _ if !is_known => {}
                Given::Value(value) => assert_eq!(facts.get(slot), Some(value)),
                Given::Named(name) => assert!(row(name), "{name} in {slot}"),
                Given::Place(_) => {
                    assert_ne!(facts.get(slot).unwrap().text("", Language::En), None);
                }
            }
        }
        // Values that only the markets can supply are supplied.
        for slot in &story.kind.slots {
            let is_open = matches!(slot.recipe, crate::facts::Recipe::Markets);
            assert!(
                !is_open || story.is_given(&slot.name),
                "{} of {}",
                slot.name,
                story.kind.tag
            );
        }
    }
}

#[test]
fn no_outlet_has_figures_of_the_markets_wrong() {
    for story in stories() {
        assert!(
            story
                .assignments()
                .iter()
                .all(|assignment| !assignment.mistaken),
            "{}",
            story.kind.tag
        );
    }
}

#[test]
fn nothing_is_told_before_it_is_known() {
    let world = markets();
    for story in stories() {
        let at = story.breaks_at();
        assert_eq!(at.day(), story.day);
        if ["index_close", "share_move", "leaders", "currency_move"]
            .contains(&story.kind.tag.as_str())
        {
            let place = world.session_on(story.day).unwrap();
            assert!(
                at > world.session(place).unwrap().closes_at,
                "{}",
                story.kind.tag
            );
        }
    }
}

/// When each of these is named in the news, in chronological order.
fn named(marks: &[String], days: std::ops::Range<i64>) -> BTreeMap<String, Vec<Timestamp>> {
    let newswire = Newswire::of(markets());
    let [from, until] = [days.start, days.end].map(Timestamp::start_of_day);
    let mut found: BTreeMap<String, Vec<Timestamp>> = BTreeMap::new();
    for article in newswire.between(from, until) {
        let (Some(seen), Some(body)) = (article.first_seen, &article.body) else {
            continue;
        };
        for mark in marks.iter().filter(|mark| body.contains(mark.as_str())) {
            found.entry(mark.clone()).or_default().push(seen);
        }
    }
    found
}

/// The longest time without one of them, including both ends.
fn longest_silence(times: &[Timestamp], days: &std::ops::Range<i64>) -> i64 {
    let ends = [days.start, days.end].map(Timestamp::start_of_day);
    let mut all: Vec<Timestamp> = times.iter().copied().chain(ends).collect();
    all.sort_unstable();
    let waits = all.windows(2).map(|pair| pair[1].since_ms(pair[0]));
    waits.max().unwrap_or(i64::MAX)
}

#[test]
fn the_leaders_and_bitcoin_are_in_the_news_of_any_24_hours() {
    let marks = ["NVDA", "AAPL", "TSLA", "MSFT", "BTC"].map(|ticker| format!("({ticker})"));
    let times = named(&marks, quarter());
    for mark in marks {
        let silence = longest_silence(&times[&mark], &quarter());
        assert!(silence <= Timestamp::DAY_MS, "{mark}: {silence} ms");
    }
}

/// The fifty largest companies when a day began.
fn largest_on(world: &MarketWorld, day: i64) -> Vec<&'static str> {
    let place = world.newest_closed(Timestamp::start_of_day(day)).unwrap();
    let largest = world.largest_at(place).into_iter();
    largest.map(|(_, ticker)| ticker).collect()
}

/// The only company in a story.
fn only_company(story: &Story) -> Option<&'static str> {
    let facts = story.facts(None);
    let mut companies = facts.companies();
    let first = companies.next()?;
    companies.next().is_none().then_some(first.ticker.as_str())
}

#[test]
fn each_of_the_fifty_largest_has_a_story_of_its_own_every_three_days() {
    let world = markets();
    let mut own: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for day in quarter().start - 2..quarter().end {
        let stories = stories_on(&world, day);
        for ticker in stories.iter().filter_map(only_company) {
            own.entry(ticker).or_default().insert(day);
        }
    }
    for day in quarter() {
        let largest = largest_on(&world, day);
        assert_eq!(largest.len(), 50);
        for ticker in largest {
            let days = own.get(ticker).unwrap_or_else(|| panic!("{ticker}"));
            let newest = days.range(day - 2..=day).next_back();
            assert!(newest.is_some(), "{ticker} on {day}: {days:?}");
        }
    }
}

/// The stories that are told in turns, by company, in chronological order.
fn told_in_turns() -> BTreeMap<&'static str, Vec<Story>> {
    let mut told: BTreeMap<&str, Vec<Story>> = BTreeMap::new();
    for story in stories() {
        if story.occasion.as_ref().unwrap().turn.is_some() {
            let ticker = only_company(&story).unwrap();
            told.entry(ticker).or_default().push(story);
        }
    }
    told
}

#[test]
fn a_story_of_its_own_does_not_join_the_one_before() {
    let (mut pairs, mut near) = (0, 0);
    for stories in told_in_turns().values() {
        for story in stories {
            assert_eq!(story.assignments().len(), 1, "{}", story.kind.tag);
        }
        for pair in stories.windows(2) {
            let [earlier, later] = [&pair[0], &pair[1]].map(Story::breaks_at);
            pairs += 1;
            // An outlet dates its article up to 25 minutes before it is seen.
            let is_near =
                later.since_ms(earlier) <= 72 * Timestamp::HOUR_MS + 25 * Timestamp::MINUTE_MS;
            near += usize::from(is_near);
        }
    }
    assert!(pairs > 1_200, "{pairs}");
    // Only when a company's hours start again, or when it has just become one of the largest.
    assert!(near * 6 < pairs, "{near} of {pairs}");
}

#[test]
fn most_of_the_news_are_no_stories_in_turns() {
    let own: usize = told_in_turns().values().map(Vec::len).sum();
    let days = (quarter().end - quarter().start) as usize;
    assert!(own <= 19 * days, "{own} in {days} days");
    let [from, until] = [quarter().start, quarter().end].map(Timestamp::start_of_day);
    let all = Newswire::of(markets()).between(from, until).len();
    assert!(own * 5 < all * 2, "{own} of {all}");
}

#[test]
fn the_fifty_largest_are_in_the_news_every_few_days() {
    let world = markets();
    let mut marks: Vec<String> = largest_on(&world, quarter().start)
        .into_iter()
        .map(|ticker| format!("({ticker})"))
        .collect();
    // Companies that stay among the largest.
    for day in quarter() {
        let largest = largest_on(&world, day);
        marks.retain(|mark| largest.iter().any(|ticker| *mark == format!("({ticker})")));
    }
    assert!(marks.len() >= 30, "{}", marks.len());
    let times = named(&marks, quarter());
    let mut between = Vec::new();
    for mark in &marks {
        let silence = longest_silence(&times[mark], &quarter());
        assert!(silence <= 4 * Timestamp::DAY_MS, "{mark}: {silence} ms");
        let days = quarter().end - quarter().start;
        between.push(days as f64 / times[mark].len() as f64);
    }
    let usual = between.iter().sum::<f64>() / between.len() as f64;
    assert!(usual < 3.0, "an article every {usual} days");
}

#[test]
fn a_new_demo_has_news_of_each_of_the_fifty_largest() {
    const DAYS: i64 = 5;
    // As many days as the server keeps busy before the day on which a demo begins.
    const BUSY_DAYS: i32 = 7;
    let demos = |last: &str, starts: &[&str]| {
        let started = starts.iter().map(|start| {
            let began = day(start);
            let world = MarketWorld::new(SEED, sessions(day(last)))
                .with_daily_news_from(began.plus(-BUSY_DAYS));
            (began, Arc::new(world))
        });
        started.collect::<Vec<_>>()
    };
    // This also holds long after the day on which prices are those in the tables, and before a morning's first story.
    let worlds = [
        demos("2026-12-31", &["2026-08-03", "2026-11-27", "2026-12-20"]),
        demos("2028-12-31", &["2028-03-05", "2028-11-15"]),
    ];
    for (began, world) in worlds.into_iter().flatten() {
        for hour in [0, 11, 23] {
            let now = began.starts_at().plus_ms(hour * Timestamp::HOUR_MS);
            // A company that became one of the largest in the last session gets its story in the course of the day.
            let yesterday = i64::from(began.get()) - 1;
            let mut silent: BTreeSet<String> = largest_on(&world, yesterday)
                .into_iter()
                .map(|ticker| format!("({ticker})"))
                .collect();
            let newswire = Newswire::of(Arc::clone(&world));
            for article in newswire.between(now.plus_ms(-DAYS * Timestamp::DAY_MS), now) {
                let body = article.body.unwrap_or_default();
                silent.retain(|mark| !body.contains(mark.as_str()));
            }
            assert!(silent.is_empty(), "{began} {hour}: {silent:?}");
        }
    }
}

#[test]
fn of_two_classes_of_a_company_the_first_is_among_the_largest() {
    let day = i64::from(day("2026-11-20").get());
    let largest = largest_on(&markets(), day);
    assert!(!largest.contains(&"GOOG") && largest.contains(&"GOOGL"));
}

#[test]
fn a_company_keeps_its_number() {
    let world = markets();
    let numbers = |date: &str| -> BTreeMap<&'static str, usize> {
        let place = world.newest_closed(day(date).starts_at()).unwrap();
        let largest = world.largest_at(place).into_iter();
        largest.map(|(number, ticker)| (ticker, number)).collect()
    };
    let (earlier, later) = (numbers("2026-02-02"), numbers("2026-11-20"));
    assert_ne!(earlier, later);
    for (ticker, number) in &earlier {
        assert!(later.get(ticker).is_none_or(|same| same == number));
    }
}

#[test]
fn short_reports_keep_coming_and_quote_the_price() {
    let newswire = Newswire::of(markets());
    let from: Timestamp = "2026-09-08T14:00:00Z".parse().unwrap();
    let snaps = newswire.snaps(from, from.plus_ms(4 * Timestamp::HOUR_MS));
    assert!((20..=40).contains(&snaps.len()), "{}", snaps.len());
    for snap in &snaps {
        let words = snap.body.as_deref().unwrap().split_whitespace().count();
        assert!((60..=360).contains(&words), "{words} in {}", snap.title);
        assert_eq!(snap.published_at, snap.first_seen);
    }
    let at = snaps[0].first_seen.unwrap();
    let story = snap(&markets(), at).unwrap();
    let facts = story.facts(None);
    let told = Told { story, facts };
    let quotes = markets().quotes(at);
    let key = if told.story.kind.tag == "snap_share" {
        format!("stock:{}", told.text("co.ticker"))
    } else {
        format!("crypto:{}", told.text("coin.1"))
    };
    let quote = &quotes.iter().find(|(known, _)| *known == key).unwrap().1;
    let so_far = 100.0 * (quote.price / quote.previous_close.unwrap() - 1.0);
    told.moved("move", "way", &RISES, so_far);
    // Nights and weekends are quieter, but not silent.
    let sunday: Timestamp = "2026-09-06T02:00:00Z".parse().unwrap();
    let snaps = newswire.snaps(sunday, sunday.plus_ms(4 * Timestamp::HOUR_MS));
    assert!((8..=30).contains(&snaps.len()), "{}", snaps.len());
}

#[test]
fn whoever_starts_a_demo_gets_a_short_report_at_once() {
    let newswire = Newswire::of(markets());
    // A weekend, and two days on which shares are traded.
    let from: Timestamp = "2026-09-05T00:07:13Z".parse().unwrap();
    for hour in 0..4 * 24 {
        let at = from.plus_ms(hour * Timestamp::HOUR_MS);
        let report = newswire
            .snap(at)
            .unwrap_or_else(|| panic!("nothing at {at}"));
        assert_eq!(
            (report.published_at, report.first_seen),
            (Some(at), Some(at))
        );
    }
}

#[test]
fn stretches_with_markets_can_be_joined() {
    let newswire = Newswire::of(markets());
    let [from, middle, until] = [
        "2026-08-03T05:00:00Z",
        "2026-08-04T20:31:07Z",
        "2026-08-06T11:00:00Z",
    ]
    .map(|text| text.parse::<Timestamp>().unwrap());
    let mut joined = newswire.between(from, middle);
    joined.extend(newswire.between(middle, until));
    assert_eq!(joined, newswire.between(from, until));
    assert!(joined.len() > 60, "{}", joined.len());
}
