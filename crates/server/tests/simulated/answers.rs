//! Answers of `/ask` to the questions of development, on the simulated world: every number stands in the data, what is offered
//! next can be asked, and factors sum to their score.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use model::{AccountId, Plan};
use operations::{Caller, ClientAddress, Credential, Limits, Member, Registry, Services};
use serde_json::{Map, Value, json};

use super::world::{Ground, services};

/// Companies that the questions name most, two funds, and coins, which are all there.
const SYMBOLS: [&str; 40] = [
    "AAPL", "MSFT", "NVDA", "TSLA", "KO", "INTC", "AMD", "NFLX", "AMZN", "XOM", "META", "HD",
    "WMT", "GOOGL", "F", "BA", "V", "UBER", "SBUX", "LLY", "DIS", "CVX", "COST", "NKE", "UNH",
    "TGT", "QCOM", "PFE", "PEP", "MRK", "MA", "LOW", "LMT", "JPM", "JNJ", "GM", "CRM", "CAT",
    "QQQ", "GLD",
];
/// Figures of companies begin a year and a half after the history; earnings are those of four quarters.
const MONTHS: i32 = 40;
/// Questions with what they should reach; only the questions are read here.
const QUESTIONS: [&str; 3] = [
    include_str!("../../../evals/labels/questions.tsv"),
    include_str!("../../../evals/labels/questions_more.tsv"),
    include_str!("../../../evals/labels/questions_sums.tsv"),
];

struct World {
    services: Services,
    caller: Caller,
    registry: Arc<Registry>,
    _ground: Ground,
}

impl World {
    async fn new() -> Self {
        let (services, ground) = services(&SYMBOLS, MONTHS).await;
        let member = Member {
            account: AccountId(uuid::Uuid::nil()),
            email: "reader@example.org".into(),
            name: "reader".into(),
            plan: Plan::Unlimited,
            spending_cap: None,
            credential: Credential::Token {
                id: "1".into(),
                expires: services.clock.now().plus_ms(1_000_000_000),
            },
        };
        let caller = Caller {
            member: Some(Arc::new(member)),
            client: ClientAddress::new(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        };
        Self {
            services,
            caller,
            registry: agents::registry(),
            _ground: ground,
        }
    }

    async fn call(&self, name: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else {
            unreachable!("arguments are an object");
        };
        let limits = Limits::default();
        let called = self
            .registry
            .call(&self.services, &self.caller, name, arguments, &limits);
        serde_json::from_slice(&called.await.unwrap().body).unwrap()
    }

    async fn ask(&self, question: &str) -> Value {
        self.call("ask", json!({"question": question})).await
    }
}

fn questions() -> Vec<&'static str> {
    let lines = QUESTIONS.iter().flat_map(|file| file.lines());
    let asked = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    asked.filter_map(|line| line.split('\t').next()).collect()
}

/// The numbers of a text as they are written, each with the decimals it shows and where it begins. Digits of a word, such as an
/// id or a symbol, are none.
fn numbers(text: &str) -> Vec<(f64, usize, usize)> {
    let mut found = Vec::new();
    let marks: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < marks.len() {
        if !marks[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let before = |back: usize| at.checked_sub(back).map(|place| marks[place]);
        let is_part = before(1).is_some_and(char::is_alphabetic)
            || before(1) == Some('-') && before(2).is_some_and(char::is_alphanumeric)
            || before(1) == Some('_');
        let start = at;
        while at < marks.len()
            && (marks[at].is_ascii_digit()
                || matches!(marks[at], '.' | ',')
                    && marks.get(at + 1).is_some_and(char::is_ascii_digit))
        {
            at += 1;
        }
        let written: String = marks[start..at].iter().filter(|one| **one != ',').collect();
        if !is_part && let Ok(value) = written.parse() {
            let decimals = written.split_once('.').map_or(0, |(_, rest)| rest.len());
            found.push((value, decimals, start));
        }
    }
    found
}

/// What the data hold: numbers, those inside of texts, and how many there are of what is listed.
#[derive(Default)]
struct Held {
    values: Vec<f64>,
    counts: BTreeSet<usize>,
}

impl Held {
    fn read(&mut self, data: &Value) {
        match data {
            Value::Number(number) => self.values.extend(number.as_f64()),
            Value::String(text) => {
                // What closes at midnight closes the day before.
                if text.get(10..19) == Some("T00:00:00")
                    && let Some(day) = text.get(..10).and_then(model::Day::parse)
                {
                    self.read(&Value::String(day.plus(-1).to_string()));
                }
                // The parts of a date, a time and an id.
                let apart = text.replace(['-', 'T', ':', '_'], " ");
                self.values
                    .extend(numbers(&apart).iter().map(|(value, ..)| *value));
                self.values
                    .extend(numbers(text).iter().map(|(value, ..)| *value));
            }
            Value::Array(items) => {
                self.counts.insert(items.len());
                self.count_kinds(items);
                for item in items {
                    self.read(item);
                }
            }
            Value::Object(fields) => {
                self.counts.insert(fields.len());
                // Windows are said by the names of fields, such as `change_24h`.
                for name in fields.keys() {
                    let apart: String = name
                        .chars()
                        .map(|mark| if mark.is_ascii_digit() { mark } else { ' ' })
                        .collect();
                    self.values
                        .extend(numbers(&apart).iter().map(|(value, ..)| *value));
                }
                fields.values().for_each(|field| self.read(field));
            }
            _ => {}
        }
    }

    /// How many of what is listed are of each kind: purchases among trades, what rose.
    fn count_kinds(&mut self, items: &[Value]) {
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for (name, value) in items.iter().filter_map(Value::as_object).flatten() {
            let kind = match value {
                Value::String(_) | Value::Bool(_) => value.to_string(),
                Value::Number(number) if name.contains("change") => {
                    let rose = number.as_f64().map(|number| number > 0.0);
                    format!("rose {rose:?}")
                }
                _ => continue,
            };
            *kinds.entry(format!("{name} {kind}")).or_default() += 1;
        }
        self.counts.extend(kinds.into_values());
    }

    fn has(&self, value: f64, decimals: usize) -> bool {
        // Rounded to the places that are shown; in percent, millions, billions, trillions.
        let half = 0.500_001 * 10_f64.powi(-i32::try_from(decimals).unwrap());
        let is_held = |factor: f64| {
            self.values
                .iter()
                .any(|held| (held.abs() * factor - value).abs() <= half)
        };
        [1.0, 100.0, 1e-6, 1e-9, 1e-12].into_iter().any(is_held)
            || decimals == 0 && value >= 0.0 && self.counts.contains(&(value as usize))
    }
}

/// Words around a number that name a rule or a scale and not a fact.
const RULES: [&str; 18] = [
    "RSI(14)",
    "ADX(14)",
    "ATR(14)",
    "(score of 100)",
    "0.5 is neutral",
    "(0.5 neutral)",
    "out of 100",
    "20-day",
    "50-day",
    "200-day",
    "24 hours",
    "seven days",
    "12 months",
    "20 sessions",
    "52-week",
    "of 1 to",
    "252",
    "S&P 500",
];

fn is_rule(text: &str, start: usize, written: &str) -> bool {
    RULES.iter().any(|rule| {
        rule.find(written).is_some_and(|inside| {
            let marks: Vec<char> = text.chars().collect();
            let Some(from) = start.checked_sub(rule[..inside].chars().count()) else {
                return false;
            };
            let said: String = marks[from..].iter().take(rule.chars().count()).collect();
            said == *rule
        })
    })
}

fn written(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// Numbers of a summary that its data do not hold; those of the question itself are said again.
fn ungrounded(question: &str, body: &Value) -> Vec<String> {
    let summary = body["summary"].as_str().unwrap();
    let mut held = Held::default();
    held.read(&body["data"]);
    held.read(&json!(question));
    let numbers = numbers(summary).into_iter();
    numbers
        .filter(|(value, decimals, start)| {
            !held.has(*value, *decimals) && !is_rule(summary, *start, &written(*value, *decimals))
        })
        .map(|(value, decimals, start)| {
            let from = start.saturating_sub(60);
            let around: String = summary.chars().skip(from).take(100).collect();
            format!("{question}\n  {} in …{around:?}", written(value, decimals))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_number_of_two_hundred_answers_stands_in_their_data() {
    let world = World::new().await;
    let questions = questions();
    assert!(questions.len() >= 200, "{}", questions.len());
    let (mut read, mut lost) = (0, Vec::new());
    for question in questions {
        let body = world.ask(question).await;
        // What can be asked is explained with examples.
        if body["intents"] == json!(["help"]) {
            continue;
        }
        read += numbers(body["summary"].as_str().unwrap()).len();
        lost.extend(ungrounded(question, &body));
    }
    assert!(read > 2_000, "answers with {read} numbers are no test");
    assert!(
        lost.is_empty(),
        "{} of {read}\n{}",
        lost.len(),
        lost.join("\n")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follow_ups_can_be_asked_as_they_stand() {
    let world = World::new().await;
    let (mut asked, mut wrong) = (BTreeSet::new(), Vec::new());
    for question in questions().into_iter().step_by(2) {
        let body = world.ask(question).await;
        let tickers: Vec<&str> = body["tickers"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for next in body["follow_ups"].as_array().into_iter().flatten() {
            let next = next.as_str().unwrap();
            if !asked.insert(next.to_owned()) {
                continue;
            }
            let answer = world.ask(next).await;
            let intents = answer["intents"].to_string();
            let named = answer["tickers"].as_array().unwrap();
            // A symbol that the question names is the one that is read.
            let is_named = tickers.iter().filter(|ticker| {
                next.split(|mark: char| !mark.is_alphanumeric() && mark != '.')
                    .any(|word| word.trim_end_matches('.') == **ticker)
            });
            let lost: Vec<&&str> = is_named
                .filter(|ticker| !named.contains(&json!(**ticker)))
                .collect();
            let other = named
                .iter()
                .filter_map(Value::as_str)
                .find(|symbol| !next.contains(symbol));
            if intents.contains("unclear")
                || intents.contains("help")
                || !lost.is_empty()
                || other.is_some()
                || answer["summary"].as_str().unwrap().is_empty()
            {
                wrong.push(format!("{question} → {next}: {intents} {named:?}"));
            }
        }
    }
    assert!(asked.len() >= 60, "{} follow-ups", asked.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the factors of a signal sum to, in tenths.
fn tenths(factors: &Value) -> i64 {
    let lines = factors
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap());
    lines
        .map(|line| {
            let points = line
                .rsplit_once('(')
                .unwrap()
                .1
                .strip_suffix(" points)")
                .unwrap();
            (points.parse::<f64>().unwrap() * 10.0).round() as i64
        })
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn factors_sum_to_their_score() {
    let world = World::new().await;
    let mut components = BTreeSet::new();
    for symbol in SYMBOLS.into_iter().chain(["BTC", "ETH", "SOL", "DOGE"]) {
        let by_symbol = json!({"symbol": symbol});
        let analysis = world.call("analyze_ticker", by_symbol.clone()).await;
        let signal = &analysis["trade_signal"];
        let score = signal["score"].as_i64().unwrap();
        assert_eq!(
            tenths(&signal["factors"]),
            10 * score,
            "{symbol}: {signal:#}"
        );
        let contributions = signal["contributions"].as_array().unwrap();
        let points: f64 = contributions
            .iter()
            .filter_map(|one| one["points"].as_f64())
            .sum();
        assert!(
            (50.0 + points - score as f64).abs() < 1e-6,
            "{symbol}: {signal:#}"
        );
        components.extend(
            contributions
                .iter()
                .map(|one| one["component"].as_str().unwrap().to_owned()),
        );
        let asked = world.ask(&format!("How is ${symbol} doing?")).await;
        assert_eq!(
            asked["trade_signal"]["factors"], signal["factors"],
            "{symbol}"
        );
        assert_eq!(asked["data"]["ticker"]["ticker"], symbol);

        let scored = world.call("score_ticker", by_symbol).await;
        let parts: &Map<String, Value> = scored["components"].as_object().unwrap();
        let sum: f64 = parts
            .values()
            .filter_map(|part| part["contribution"].as_f64())
            .sum();
        let composite = scored["composite_score"].as_f64().unwrap();
        assert!((0.5 + sum - composite).abs() < 1e-9, "{symbol}: {scored:#}");
    }
    for component in [
        "sentiment",
        "momentum",
        "attention",
        "technicals",
        "earnings_yield",
        "profit_margin",
    ] {
        assert!(components.contains(component), "{components:?}");
    }
}
