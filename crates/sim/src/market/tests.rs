use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use model::{Candle, CorporateAction, EarningsStatus, InstrumentKey, Observation, ReportTime};

use super::tables::Tables;
use super::*;
use crate::kind::Direction;
use crate::newswire::Newswire;
use crate::outlets::Language;
use crate::schedule;
use crate::testing::sessions;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn new_world() -> MarketWorld {
    MarketWorld::new(42, sessions(day("2026-12-31")))
        .with_history_from(day("2021-11-20"))
        .with_newswire_from(day("2026-08-20"))
        .with_hours_from(day("2026-11-17"))
}

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn now() -> Timestamp {
    at("2026-11-20T15:30:00Z")
}

fn world() -> &'static MarketWorld {
    static WORLD: LazyLock<MarketWorld> = LazyLock::new(new_world);
    &WORLD
}

/// Five years, generated once for all tests.
fn history() -> &'static MarketBatch {
    static HISTORY: LazyLock<MarketBatch> =
        LazyLock::new(|| world().between(Timestamp::from_ms(0), now()));
    &HISTORY
}

fn candles(key: &str) -> &'static [Candle] {
    let found = history()
        .candles
        .iter()
        .find(|(known, _)| known.to_string() == key);
    &found.unwrap().1
}

fn values(id: &str) -> &'static [Observation] {
    let found = history()
        .series
        .iter()
        .find(|(series, _)| series.id.0 == id);
    &found.unwrap().1
}

fn returns(prices: &[f64]) -> Vec<f64> {
    prices
        .windows(2)
        .map(|pair| (pair[1] / pair[0]).ln())
        .collect()
}

fn closes(candles: &[Candle]) -> Vec<f64> {
    candles.iter().map(|candle| candle.close).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn covariance(left: &[f64], right: &[f64]) -> f64 {
    let (left_mean, right_mean) = (mean(left), mean(right));
    let products: Vec<f64> = left
        .iter()
        .zip(right)
        .map(|(left, right)| (left - left_mean) * (right - right_mean))
        .collect();
    mean(&products)
}

fn correlation(left: &[f64], right: &[f64]) -> f64 {
    covariance(left, right) / (covariance(left, left) * covariance(right, right)).sqrt()
}

#[test]
fn every_candle_is_sound() {
    assert_eq!(history().candles.len(), 570);
    for (key, candles) in &history().candles {
        assert!(candles.len() > 1200, "{key}: {}", candles.len());
        assert!(
            candles.windows(2).all(|pair| pair[0].day < pair[1].day),
            "{key}"
        );
        for candle in candles {
            assert_eq!(candle.defect(), None, "{key} {candle:?}");
        }
    }
    for (series, observations) in &history().series {
        assert!(
            observations
                .iter()
                .all(|observation| observation.value.is_finite()),
            "{series:?}"
        );
        assert!(
            observations
                .windows(2)
                .all(|pair| pair[0].day < pair[1].day),
            "{series:?}"
        );
    }
}

#[test]
fn levels_are_plausible() {
    for share in &Tables::get().shares {
        let candles = candles(&InstrumentKey::stock(share.symbol.clone()).to_string());
        let reference = candles
            .iter()
            .find(|candle| candle.day == MarketWorld::REFERENCE_DAY)
            .unwrap();
        assert_eq!(reference.close, share.price, "{}", share.symbol);
        let ratio = candles.last().unwrap().close / share.price;
        assert!((0.4..2.5).contains(&ratio), "{} {ratio}", share.symbol);
        let first = candles[0].close / share.price;
        assert!((0.1..8.0).contains(&first), "{} {first}", share.symbol);
    }
    let expected = [
        ("index:^VIX", 9.0..60.0),
        ("index:^GSPC", 3000.0..10_000.0),
        ("fx:EURUSD", 0.85..1.5),
        ("macro:UNRATE", 2.5..7.5),
        ("macro:FEDFUNDS", 1.9..4.8),
        ("macro:DGS10", 2.2..4.81),
        ("commodity:gold/futures", 1500.0..9000.0),
        ("macro:UMCSENT", 50.0..95.0),
    ];
    for (id, range) in expected {
        for observation in values(id) {
            assert!(range.contains(&observation.value), "{id} {observation:?}");
        }
    }
    let prices = values("macro:CPIAUCSL");
    let newest = prices.last().unwrap().value;
    assert!((300.0..350.0).contains(&newest), "{newest}");
    let product = values("macro:GDP").last().unwrap().value;
    assert!((27_000.0..35_000.0).contains(&product), "{product}");
    assert!(values("macro:GDP").len() >= 24);
}

#[test]
fn sectors_move_together() {
    let mut by_sector: BTreeMap<usize, Vec<Vec<f64>>> = BTreeMap::new();
    let market: Vec<f64> = values("index:^GSPC")
        .iter()
        .map(|observation| observation.value)
        .collect();
    let market = returns(&market);
    let mut betas = Vec::new();
    for share in Tables::get().shares.iter().step_by(7) {
        let own = returns(&closes(candles(&format!("stock:{}", share.symbol))));
        betas.push(covariance(&own, &market) / covariance(&market, &market));
        by_sector.entry(share.sector).or_default().push(own);
    }
    let beta = mean(&betas);
    assert!((0.85..1.1).contains(&beta), "{beta}");
    let (mut within, mut across) = (Vec::new(), Vec::new());
    for (sector, members) in &by_sector {
        for (place, one) in members.iter().enumerate() {
            for other in &members[place + 1..] {
                within.push(correlation(one, other));
            }
            for others in by_sector.range(sector + 1..).map(|(_, others)| others) {
                across.extend(others.iter().take(2).map(|other| correlation(one, other)));
            }
        }
    }
    let (within, across) = (mean(&within), mean(&across));
    assert!(within > across + 0.1, "{within} {across}");
    assert!(across > 0.05, "{across}");
}

#[test]
fn funds_and_fear_follow_the_market() {
    let of = |id: &str| {
        let values: Vec<f64> = values(id).iter().map(|known| known.value).collect();
        returns(&values)
    };
    let market = of("index:^GSPC");
    let fund = returns(&closes(candles("stock:SPY")));
    assert!(correlation(&market, &fund) > 0.98);
    assert!(correlation(&market, &of("index:^VIX")) < -0.4);
    let technology = returns(&closes(candles("stock:XLK")));
    let share = returns(&closes(candles("stock:MSFT")));
    assert!(correlation(&technology, &share) > 0.5);
    let (gold, trust) = (
        of("commodity:gold/futures"),
        returns(&closes(candles("stock:GLD"))),
    );
    assert!(correlation(&gold, &trust) > 0.95);
}

#[test]
fn wild_days_come_together_and_tails_are_fat() {
    let market: Vec<f64> = values("index:^GSPC")
        .iter()
        .map(|known| known.value)
        .collect();
    let market = returns(&market);
    let year = covariance(&market, &market).sqrt() * 252.0_f64.sqrt();
    assert!((0.09..0.24).contains(&year), "{year}");
    let mut tails = Vec::new();
    for share in Tables::get().shares.iter().step_by(25) {
        let own = returns(&closes(candles(&format!("stock:{}", share.symbol))));
        let squares = covariance(&own, &own);
        let fourth = mean(&own.iter().map(|change| change.powi(4)).collect::<Vec<_>>());
        tails.push(fourth / squares.powi(2));
    }
    assert!(mean(&tails) > 4.0, "{}", mean(&tails));
}

#[test]
fn news_moves_prices() {
    let facts = Newswire::without_markets(42).story_facts(
        i64::from(day("2022-01-03").get()),
        i64::from(day("2026-11-10").get()),
    );
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for fact in facts {
        let candles = candles(&format!("stock:{}", fact.ticker));
        // The first session that closes after the story, compared with the previous close.
        let place = candles.partition_point(|candle| {
            candle.day.starts_at().plus_ms(20 * Timestamp::HOUR_MS) <= fact.breaks_at
        });
        let change = (candles[place].close / candles[place - 1].close).ln();
        match fact.direction {
            Direction::Up => up.push(change),
            Direction::Down => down.push(change),
            Direction::Flat => {}
        }
    }
    assert!(up.len() > 1000 && down.len() > 300);
    assert!(mean(&up) > 0.015, "{}", mean(&up));
    assert!(mean(&down) < -0.03, "{}", mean(&down));
}

#[test]
fn results_move_prices() {
    let (mut good, mut bad, mut turnover) = (Vec::new(), Vec::new(), Vec::new());
    let paths = world().paths();
    for (line, reports) in paths.shares.iter().zip(&paths.reports) {
        for report in reports {
            let Some(place) = report.session.filter(|place| *place > 20) else {
                continue;
            };
            let bars = &line.bars;
            let change = (bars[place].close / bars[place - 1].close).ln();
            turnover.push(bars[place].volume / bars[place - 9].volume);
            if report.size > 0.02 {
                good.push(change);
            } else if report.size < -0.02 {
                bad.push(change);
            }
        }
    }
    assert!(mean(&good) > 0.02 && mean(&bad) < -0.02);
    assert!(mean(&turnover) > 1.6, "{}", mean(&turnover));
}

/// One batch, with everything under one key put together and all in a fixed order.
fn joined(parts: Vec<MarketBatch>) -> Vec<String> {
    let mut lines = Vec::new();
    for part in parts {
        for (key, candles) in part.candles {
            lines.extend(candles.iter().map(|candle| format!("{key} {candle:?}")));
        }
        for (series, observations) in part.series {
            lines.extend(
                observations
                    .iter()
                    .map(|value| format!("{series:?} {value:?}")),
            );
        }
        for (symbol, days) in part.sentiment {
            lines.extend(days.iter().map(|day| format!("{symbol} {day:?}")));
        }
        lines.extend(part.instruments.iter().map(|row| format!("{row:?}")));
        lines.extend(part.facts.iter().map(|row| format!("{row:?}")));
        lines.extend(part.actions.iter().map(|row| format!("{row:?}")));
        lines.extend(part.valuations.iter().map(|row| format!("{row:?}")));
        lines.extend(part.earnings.iter().map(|row| format!("{row:?}")));
        lines.extend(part.ratings.iter().map(|row| format!("{row:?}")));
        lines.extend(part.filings.iter().map(|row| format!("{row:?}")));
        lines.extend(part.insider_forms.iter().map(|row| format!("{row:?}")));
        lines.extend(part.holdings_reports.iter().map(|row| format!("{row:?}")));
        lines.extend(part.congress_trades.iter().map(|row| format!("{row:?}")));
        lines.extend(part.coins.iter().map(|row| format!("{row:?}")));
        lines.extend(part.hours.iter().map(|row| format!("{row:?}")));
        lines.extend(part.crypto_globals.iter().map(|row| format!("{row:?}")));
        lines.extend(part.protocols.iter().map(|row| format!("{row:?}")));
        lines.extend(part.chains.iter().map(|row| format!("{row:?}")));
    }
    lines.sort();
    lines
}

#[test]
fn the_hours_of_a_coin_make_its_days() {
    let hours = &history().hours;
    // Three days and fifteen hours for each of the fifty.
    assert_eq!(hours.len(), (3 * 24 + 15) * 50);
    for symbol in ["BTC", "DOGE"] {
        let hours: Vec<_> = hours
            .iter()
            .filter(|hour| hour.symbol.as_str() == symbol)
            .collect();
        for pair in hours.windows(2) {
            assert_eq!(pair[0].close, pair[1].open, "{:?}", pair[1]);
            assert_eq!(pair[0].ends_at(), pair[1].at);
        }
        for text in ["2026-11-17", "2026-11-18", "2026-11-19"] {
            let candles = candles(&format!("crypto:{symbol}"));
            let whole = candles.iter().find(|one| one.day == day(text)).unwrap();
            let of_day = || hours.iter().filter(|hour| Day::of(hour.at) == day(text));
            let (first, last) = (of_day().next().unwrap(), of_day().next_back().unwrap());
            assert_eq!((first.open, last.close), (whole.open, whole.close));
            let high = of_day().map(|hour| hour.high).fold(0.0, f64::max);
            let low = of_day().map(|hour| hour.low).fold(f64::INFINITY, f64::min);
            assert_eq!((high, low), (whole.high, whole.low));
            let volume: f64 = of_day().map(|hour| hour.volume).sum();
            assert!((volume / whole.volume - 1.0).abs() < 1e-3);
        }
    }
}

#[test]
fn stretches_can_be_joined() {
    let cuts = [
        [
            "2026-02-10T20:00:00Z",
            "2026-02-11T00:00:00Z",
            "2026-02-20T20:00:01Z",
        ],
        [
            "2026-07-20T13:00:00Z",
            "2026-08-20T00:00:00Z",
            "2026-09-04T14:00:00Z",
        ],
        [
            "2026-11-02T20:00:00Z",
            "2026-11-02T20:00:05Z",
            "2026-11-15T23:59:59Z",
        ],
    ];
    for [from, middle, until] in cuts {
        let [from, middle, until] = [at(from), at(middle), at(until)];
        let parts = vec![
            world().between(from, middle),
            world().between(middle, until),
        ];
        let whole = joined(vec![world().between(from, until)]);
        assert!(whole.len() > 1000);
        assert!(joined(parts) == whole, "{from} {middle} {until}");
    }
    let parts = vec![
        world().between(Timestamp::from_ms(0), at("2026-11-03T19:59:00Z")),
        world().between(at("2026-11-03T19:59:00Z"), now()),
    ];
    assert!(joined(parts) == joined(vec![history().clone()]));
    assert_eq!(world().between(now(), now()), MarketBatch::default());
}

#[test]
fn later_sessions_change_nothing() {
    let short = MarketWorld::new(42, sessions(day("2026-11-30")))
        .with_history_from(day("2021-11-20"))
        .with_newswire_from(day("2026-08-20"))
        .with_hours_from(day("2026-11-17"));
    let (from, until) = (at("2026-09-01"), now());
    let mut lines =
        [short.between(from, until), world().between(from, until)].map(|batch| joined(vec![batch]));
    // The date of a future report may shift because of holidays that become known.
    for lines in &mut lines {
        lines.retain(|line| !line.contains("Estimated") && !line.contains("Confirmed"));
    }
    let (one, other) = (&lines[0], &lines[1]);
    let differing = one.iter().zip(other).find(|(one, other)| one != other);
    assert_eq!(differing, None);
    assert_eq!(one.len(), other.len());
    assert_eq!(short.quotes(until), world().quotes(until));
}

#[test]
fn another_seed_is_another_world() {
    let other = MarketWorld::new(43, sessions(day("2026-12-31")));
    assert_ne!(other.quotes(now()), world().quotes(now()));
    assert_eq!(new_world().quotes(now()), world().quotes(now()));
}

#[test]
fn quotes_agree_with_candles() {
    let close = at("2026-11-12T20:00:00Z");
    let quotes: BTreeMap<String, Quote> = world().quotes(close).into_iter().collect();
    assert_eq!(quotes.len(), 520 + 50 + 27);
    for (key, quote) in &quotes {
        assert_eq!(quote.at, close, "{key}");
        if key.starts_with("stock:") {
            let candles = candles(key);
            let place = candles
                .iter()
                .position(|candle| candle.day == day("2026-11-12"))
                .unwrap();
            assert_eq!(quote.price, candles[place].close, "{key}");
            assert_eq!(quote.previous_close, Some(candles[place - 1].close));
            assert_eq!(quote.volume, Some(candles[place].volume));
        } else if !key.starts_with("crypto:") {
            let known = values(key);
            let known = known
                .iter()
                .find(|known| known.day == day("2026-11-12"))
                .unwrap();
            assert_eq!(quote.price, known.value, "{key}");
        }
    }
    for (key, quote) in world().quotes(at("2026-11-13T00:00:00Z")) {
        if key.starts_with("crypto:") {
            let candles = candles(&key);
            let last = candles
                .iter()
                .find(|candle| candle.day == day("2026-11-12"))
                .unwrap();
            assert_eq!(quote.price, last.close, "{key}");
            assert_eq!(quote.previous_close, Some(last.close));
        }
    }
}

#[test]
fn quotes_stay_within_their_day() {
    let midnight = at("2026-11-12");
    let on = |wanted: &str| -> BTreeMap<String, Candle> {
        let of = |(key, candles): &(InstrumentKey, Vec<Candle>)| {
            let candle = candles.iter().rfind(|candle| candle.day == day(wanted));
            (key.to_string(), *candle.unwrap())
        };
        history().candles.iter().map(of).collect()
    };
    let (today, yesterday) = (on("2026-11-12"), on("2026-11-11"));
    let mut moved = BTreeSet::new();
    let mut before: BTreeMap<String, f64> = BTreeMap::new();
    for minute in (0..24 * 60).step_by(23) {
        for (key, quote) in world().quotes(midnight.plus_ms(minute * Timestamp::MINUTE_MS + 1)) {
            let trades = key.starts_with("crypto:") || minute >= 810;
            if let (true, Some(candle)) = (trades, today.get(&key)) {
                assert!(
                    (candle.low..=candle.high).contains(&quote.price),
                    "{key} {quote:?} {candle:?}"
                );
            } else if let Some(candle) = yesterday.get(&key) {
                assert_eq!(quote.price, candle.close, "{key}");
            }
            let known = before.insert(key.clone(), quote.price);
            if known.is_some_and(|price| price != quote.price) {
                moved.insert(key);
            }
        }
    }
    assert!(moved.len() > 570, "{}", moved.len());
}

#[test]
fn nothing_is_quoted_before_the_first_session() {
    assert!(world().quotes(at("2020-01-01")).is_empty());
    let empty = MarketWorld::new(1, Vec::new());
    assert!(empty.quotes(now()).is_empty());
    let batch = empty.between(Timestamp::from_ms(i64::MIN), Timestamp::END);
    assert!(batch.candles.iter().all(|(_, candles)| candles.is_empty()));
}

#[test]
fn documents_are_many_but_not_too_many() {
    let batch = history();
    let counts = [
        ("facts", batch.facts.len(), 4_000..7_500),
        ("filings", batch.filings.len(), 4_000..8_000),
        ("earnings", batch.earnings.len(), 3_000..6_000),
        ("ratings", batch.ratings.len(), 1_500..3_000),
        ("insider forms", batch.insider_forms.len(), 800..1_800),
        ("congress", batch.congress_trades.len(), 250..500),
        ("holdings", batch.holdings_reports.len(), 120..160),
        ("coins", batch.coins.len(), 3_000..6_000),
        ("valuations", batch.valuations.len(), 300..700),
        ("dividends", batch.actions.len(), 5_000..9_000),
    ];
    for (what, count, range) in &counts {
        assert!(range.contains(count), "{what}: {count}");
    }
    let documents: usize = counts[..5].iter().map(|(_, count, _)| count).sum();
    assert!(documents <= 20_500, "{documents}");
    let sentiment: usize = batch.sentiment.iter().map(|(_, days)| days.len()).sum();
    assert!(
        batch.sentiment.len() <= 250 && sentiment <= 75_000,
        "{sentiment}"
    );
    let numbers: BTreeSet<&str> = batch
        .filings
        .iter()
        .map(|filing| filing.accession.as_str())
        .collect();
    assert_eq!(numbers.len(), batch.filings.len());
    assert!(batch.insider_forms.iter().any(|form| form.amends.is_some()));
    assert!(batch.filings.iter().any(|filing| filing.form_type == "S-1"));
    for report in &batch.holdings_reports {
        assert!(
            (20..220).contains(&report.holdings.len()),
            "{}",
            report.holdings.len()
        );
    }
}

#[test]
fn filings_agree_with_earnings_and_prices() {
    use model::Concept;
    let (mut multiples, mut losses) = (Vec::new(), 0);
    for share in Tables::get().shares.iter().filter(|share| share.files()) {
        let own: Vec<_> = history()
            .facts
            .iter()
            .filter(|facts| facts.symbol == share.symbol)
            .collect();
        assert!(own.len() >= 8, "{} {}", share.symbol, own.len());
        let yearly = own.iter().rfind(|facts| facts.form == "10-K").unwrap();
        // Only the full year is there; its last quarter has to be computed.
        let eps: Vec<_> = yearly
            .facts
            .iter()
            .filter(|fact| fact.concept == Concept::EpsDiluted)
            .collect();
        assert_eq!(eps.len(), 1);
        assert!(eps[0].end.since(eps[0].start.unwrap()) > 360);
        let quarters: f64 = history()
            .earnings
            .iter()
            .filter(|row| row.symbol == share.symbol && row.fiscal_quarter.ends_with("2025"))
            .filter_map(|row| row.eps_actual)
            .sum();
        assert!((quarters - eps[0].value).abs() < 1e-6, "{}", share.symbol);
        if eps[0].value > 0.0 {
            multiples.push(share.price / eps[0].value);
        } else {
            losses += 1;
        }
        let at = |concept| {
            yearly
                .facts
                .iter()
                .find(|fact| fact.concept == concept)
                .unwrap()
                .value
        };
        let rest = at(Concept::Assets) - at(Concept::Liabilities) - at(Concept::Equity);
        assert!(rest.abs() < 1.0);
        for facts in own {
            assert!(facts.facts.iter().all(|fact| fact.value.is_finite()));
        }
    }
    assert!(
        (14.0..32.0).contains(&mean(&multiples)),
        "{}",
        mean(&multiples)
    );
    assert!((15..80).contains(&losses), "{losses}");
}

#[test]
fn dividends_are_quarterly_and_those_of_the_filings() {
    use model::{ActionKind, Concept};
    let mut yields = Vec::new();
    for share in &Tables::get().shares {
        let of_symbol = |action: &&CorporateAction| action.symbol == share.symbol;
        let mut own: Vec<_> = history().actions.iter().filter(of_symbol).collect();
        own.sort_by_key(|action| action.ex_date);
        for action in &own {
            assert_eq!(action.kind, ActionKind::Dividend);
            assert_eq!(action.currency.as_deref(), Some(share.currency));
            assert!(action.amount.unwrap() > 0.0 && action.announced.unwrap() < action.ex_date);
            assert!(
                !action.ex_date.is_weekend(),
                "{action:?} is not on a session"
            );
        }
        for pair in own.windows(2) {
            let apart = pair[1].ex_date.since(pair[0].ex_date);
            assert!((70..=115).contains(&apart), "{} {apart}", share.symbol);
        }
        let of_2025 = own
            .iter()
            .filter(|action| action.ex_date.to_string().starts_with("2025"));
        let paid: f64 = of_2025.filter_map(|action| action.amount).sum();
        if share.files() {
            let mut filed = history().facts.iter();
            let yearly = filed
                .rfind(|facts| facts.symbol == share.symbol && facts.form == "10-K")
                .unwrap();
            let reported = yearly
                .facts
                .iter()
                .find(|fact| fact.concept == Concept::DividendsPerShare)
                .map_or(0.0, |fact| fact.value);
            assert!(
                (paid - reported).abs() < 1e-6,
                "{} {paid} {reported}",
                share.symbol
            );
        } else {
            // What a table of foreign listings gives is also the dividend for a year.
            let mut tables = history().valuations.iter();
            let newest = tables.rfind(|row| row.symbol == share.symbol).unwrap();
            let shown = newest.dividend_yield_pct.unwrap() * newest.price.unwrap() / 100.0;
            assert!(
                (shown / paid.max(1e-9) - 1.0).abs() < 0.25 || (shown - paid).abs() < 0.05,
                "{} {paid} {shown}",
                share.symbol
            );
        }
        if paid > 0.0 {
            yields.push(paid / share.price);
        }
    }
    assert!(yields.len() > 250, "{}", yields.len());
    let usual = mean(&yields);
    assert!((0.01..0.03).contains(&usual), "{usual}");
}

#[test]
fn the_next_report_is_announced() {
    let next: BTreeSet<&str> = history()
        .earnings
        .iter()
        .filter(|row| row.status != EarningsStatus::Reported && row.date > Day::of(now()))
        .map(|row| row.symbol.as_str())
        .collect();
    assert!(next.len() > 350, "{}", next.len());
    let mut times: BTreeMap<&str, ReportTime> = BTreeMap::new();
    for row in &history().earnings {
        let time = row.time.unwrap();
        assert_eq!(*times.entry(row.symbol.as_str()).or_insert(time), time);
        assert_eq!(
            row.eps_actual.is_some(),
            row.status == EarningsStatus::Reported
        );
        assert!(row.eps_estimate.is_some() && row.revenue_estimate.unwrap() > 0.0);
    }
}

#[test]
fn what_outlets_report_is_in_the_calendar() {
    let days = i64::from(day("2026-01-01").get())..i64::from(day("2026-11-10").get());
    let stories = days.flat_map(|day| schedule::stories_on(world(), day));
    let (mut agreed, mut reported) = (0_u32, 0_u32);
    for story in stories.filter(|story| story.kind.tag.starts_with("earnings_")) {
        let facts = story.facts(None);
        let text = |slot: &str, field: &str| {
            let value = facts
                .get(slot)
                .and_then(|value| value.text(field, Language::En));
            value.unwrap_or_default()
        };
        let (ticker, eps) = (text("co", "ticker"), text("eps", "").replace('$', ""));
        reported += 1;
        agreed += u32::from(history().earnings.iter().any(|row| {
            row.symbol.as_str() == ticker
                && i64::from(row.date.get()) == story.day
                && row.eps_actual.map(|eps| format!("{eps:.2}")) == Some(eps.clone())
        }));
    }
    assert!(reported > 150, "{reported}");
    let share = f64::from(agreed) / f64::from(reported);
    assert!(share >= 0.98, "{share}");
}

#[test]
fn sentiment_is_mildly_in_step_with_prices() {
    let (mut sentiments, mut changes) = (Vec::new(), Vec::new());
    for (symbol, days) in &history().sentiment {
        let key = format!("stock:{symbol}");
        let Some((_, candles)) = history()
            .candles
            .iter()
            .find(|(known, _)| known.to_string() == key)
        else {
            continue;
        };
        for known in days {
            assert!(known.day < day("2026-08-20"));
            assert!(known.min_sentiment <= known.avg_sentiment);
            assert!((0.0..=1.0).contains(&known.max_sentiment) && known.brief_count >= 1.0);
            if let Ok(place) = candles.binary_search_by_key(&known.day, |candle| candle.day) {
                sentiments.push(known.avg_sentiment);
                changes.push((candles[place].close / candles[place - 1].close).ln());
            }
        }
    }
    let link = correlation(&sentiments, &changes);
    assert!((0.2..0.75).contains(&link), "{link}");
}

#[test]
fn institutions_hold_much_but_not_all_of_a_company() {
    let mut held: BTreeMap<(Day, String), f64> = BTreeMap::new();
    for report in &history().holdings_reports {
        for holding in &report.holdings {
            let symbol = holding.symbol.as_ref().unwrap().to_string();
            *held.entry((report.report_date, symbol)).or_default() += holding.shares;
        }
    }
    let mut large = Vec::new();
    for share in &Tables::get().shares {
        let of_share = held
            .iter()
            .filter(|((_, symbol), _)| *symbol == share.symbol.to_string());
        for ((date, _), shares) in of_share {
            let part = shares / share.count();
            assert!(part < 0.8, "{} {part}", share.symbol);
            if share.value_usd > 5e11 && *date < day("2026-09-01") {
                assert!(part > 0.08, "{} {part}", share.symbol);
                large.push(part);
            }
        }
    }
    assert!(large.len() > 30, "{}", large.len());
    assert!((0.15..0.45).contains(&mean(&large)), "{}", mean(&large));
}

#[test]
fn jobs_are_not_known_before_their_first_friday() {
    for id in ["macro:UNRATE", "macro:PAYEMS"] {
        for observation in values(id) {
            let next = observation.day.plus(31).first_of_month();
            let friday = next.plus((4 - next.since(next.monday())).rem_euclid(7));
            let released = friday.starts_at().plus_ms(25 * Timestamp::HOUR_MS / 2);
            let lag = history()
                .series
                .iter()
                .find(|(series, _)| series.id.0 == id)
                .map(|(series, _)| series.publication_lag_days);
            assert!(clock::end_of(observation.day.plus(lag.unwrap())) > released);
        }
    }
}

#[test]
fn yields_follow_the_policy_rate() {
    for seed in [42, 7, 11, 2026] {
        let world = MarketWorld::new(seed, sessions(day("2026-12-31")));
        let yields = &world.paths().factors.yields;
        let policy = economy::policy_rates(seed, day("2026-12-31"));
        let mut steps = Vec::new();
        for (place, session) in world.clock.sessions().iter().enumerate() {
            let [two, _, ten, _] = yields[place];
            let month = policy.partition_point(|known| known.day <= session.day) - 1;
            assert!((2.2..=4.8).contains(&ten), "{seed} {ten}");
            assert!((-0.8..=1.5).contains(&(ten - two)), "{seed} {ten} {two}");
            let apart = two - policy[month].value;
            assert!(apart.abs() < 1.1, "{seed} {:?} {two} {apart}", session.day);
            if let Some(before) = place.checked_sub(1) {
                steps.push(ten - yields[before][2]);
            }
        }
        assert!(steps.iter().all(|step| step.abs() < 0.35), "{seed}");
        let usual = covariance(&steps, &steps).sqrt();
        assert!((0.035..0.075).contains(&usual), "{seed} {usual}");
    }
}

#[test]
fn companies_owe_more_and_less() {
    use super::tables::{SECTORS, Share};
    use model::Concept;

    let ratio = |share: &Share| {
        let mut filed = history().facts.iter();
        let yearly = filed.rfind(|facts| facts.symbol == share.symbol && facts.form == "10-K")?;
        let value = |concept| {
            let mut facts = yearly.facts.iter();
            Some(facts.find(|fact| fact.concept == concept)?.value)
        };
        let debt = value(Concept::LongTermDebt)? + value(Concept::ShortTermDebt)?;
        Some(debt / value(Concept::Equity)?)
    };
    let of_sector = |sector: &str| -> Vec<f64> {
        let shares = Tables::get().shares.iter();
        let shares = shares.filter(|share| SECTORS[share.sector] == sector);
        shares.filter_map(ratio).collect()
    };
    let (utilities, technology) = (of_sector("Utilities"), of_sector("Information Technology"));
    assert!(mean(&utilities) > 2.0 * mean(&technology));
    let low = technology.iter().filter(|ratio| **ratio < 0.5).count();
    assert!(low > 5 && low < technology.len(), "{technology:?}");
}

#[test]
fn tables_of_listings_abroad_are_of_the_time_of_their_prices() {
    let mut newest: BTreeMap<&str, &model::Valuation> = BTreeMap::new();
    for table in &history().valuations {
        let known = newest.entry(table.symbol.as_str()).or_insert(table);
        // Each says when it was made, so whatever the order of loading, they count in this one.
        if table.at.unwrap() >= known.at.unwrap() {
            *known = table;
        }
    }
    let moved = newest.iter().map(|(symbol, table)| {
        let close = candles(&format!("stock:{symbol}")).last().unwrap().close;
        close / table.price.unwrap()
    });
    let near = moved.filter(|moved| (0.8..=1.25).contains(moved)).count();
    assert!(near * 5 >= newest.len() * 4, "{near} of {}", newest.len());
}
