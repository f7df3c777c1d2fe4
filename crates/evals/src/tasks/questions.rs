//! What `/ask` makes of questions: the wishes, subjects and operations of its plan beside those that somebody expects who
//! knows only the specification.
//!
//! Eleven sets, each labelled before the program was asked. Of those for development the third is full of idioms and slang, another of
//! sums, positions and rankings, and the fourth to eighth in everyday words. The second halves of the fourth to seventh, the ninth and
//! the held-out set are only counted; their misses are not looked at.
//!
//! In labels `|` stands between what is as right: `macro|news`, `cpi|inflation`, `BRK.A|BRK.B`.

use std::fmt::Write as _;
use std::path::Path;

use agents::plan::{Plan, plan};
use analysis::market::MarketServices;
use anyhow::Context as _;
use market::screener::sector;
use model::{DataMode, Day, Timestamp, table};
use query::{Names, Reading};
use store::{Location, Store};

use crate::data::Data;
use crate::labels;
use crate::market_data;
use crate::table::{Table, figure};

const DEVELOPMENT: &str = include_str!("../../labels/questions.tsv");
const FURTHER: &str = include_str!("../../labels/questions_more.tsv");
const THIRD: &str = include_str!("../../labels/questions_third.tsv");
const SUMS: &str = include_str!("../../labels/questions_sums.tsv");
/// In halves: the first for development, the second only counted.
const FOURTH: &str = include_str!("../../labels/questions_fourth.tsv");
/// In halves, too.
const FIFTH: &str = include_str!("../../labels/questions_fifth.tsv");
/// In halves, too.
const SIXTH: &str = include_str!("../../labels/questions_sixth.tsv");
/// In halves, too.
const SEVENTH: &str = include_str!("../../labels/questions_seventh.tsv");
const NINTH: &str = include_str!("../../labels/questions_ninth.tsv");
/// Questions with their wishes, written to fit the model of wishes.
const WISHES: &str = include_str!("../../labels/wishes.tsv");
const EIGHTH: &str = include_str!("../../labels/questions_eighth.tsv");
const HELD_OUT: &str = include_str!("../../labels/questions_held_out.tsv");
/// The day on which the questions are asked.
const TODAY: &str = "2026-11-23";

/// What was expected of a question.
struct Expected {
    intents: &'static str,
    subjects: &'static str,
    operations: &'static str,
}

/// The market data of the folder.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    runtime()?.block_on(measure(data))
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()
}

/// The names of what the data list, as a server that imported them knows it.
async fn imported_names(data: &Data) -> anyhow::Result<Option<Names>> {
    let now: Timestamp = format!("{TODAY}T12:00:00Z").parse()?;
    let store = Store::open(&Location::Memory, DataMode::Real).await?;
    if market_data::import(data, &store, now).await? == 0 {
        data.note_absent("market data (`market/`, `macro/`, `wire/`)");
        return Ok(None);
    }
    let services = MarketServices::new(store);
    let traded = services.instruments.traded().await?;
    Ok(Some(Names::new(agents::listed(traded))))
}

/// Writes what the questions for fitting and those for development show of their wishes, a line each: the set, the label, what the
/// phrases alone come to, what is seen, and the direction of its words.
pub(crate) fn write_features(data: &Data, file: &Path) -> anyhow::Result<()> {
    let names = runtime()?.block_on(imported_names(data))?;
    let names = names.context("no market data to know names from")?;
    let today = Day::parse(TODAY).context("the day of the questions")?;
    let mut lines = String::new();
    let mut write = |set: &str, question: &str, wishes: &str| {
        let observed = query::observed(question, today, &names);
        let meaning: Vec<String> = observed.meaning.iter().map(ToString::to_string).collect();
        let seen = observed.seen.join("|");
        let ruled: Vec<&str> = observed.ruled.iter().map(|one| one.as_str()).collect();
        let _ = writeln!(
            lines,
            "{set}\t{question}\t{wishes}\t{}\t{seen}\t{}",
            ruled.join(","),
            meaning.join(" ")
        );
    };
    for [question, wishes] in table::rows(WISHES) {
        write("fit", question, wishes);
    }
    let halves = [FOURTH, FIFTH, SIXTH, SEVENTH].map(|file| labels::halves(file).0);
    let sets = [DEVELOPMENT, FURTHER, THIRD, SUMS, EIGHTH]
        .into_iter()
        .chain(halves);
    for (number, set) in sets.enumerate() {
        for [question, wishes, _, _, _] in table::rows(set) {
            write(&format!("set {number}"), question, wishes);
        }
    }
    std::fs::write(file, lines).with_context(|| file.display().to_string())
}

async fn measure(data: &Data) -> anyhow::Result<Vec<Table>> {
    let Some(names) = imported_names(data).await? else {
        return Ok(Vec::new());
    };
    let now: Timestamp = format!("{TODAY}T12:00:00Z").parse()?;
    let mut table = Table::new(
        "Questions to `/ask`, read and planned",
        &[
            "set",
            "questions",
            "all right",
            "intents",
            "subjects",
            "operations",
        ],
    );
    let [fourth, fifth, sixth, seventh] = [FOURTH, FIFTH, SIXTH, SEVENTH].map(labels::halves);
    for (set, file, prints) in [
        ("development", DEVELOPMENT, true),
        ("further", FURTHER, true),
        ("third, in the words of the trade", THIRD, true),
        ("of sums and rankings", SUMS, true),
        ("fourth, in everyday words, first half", fourth.0, true),
        ("fourth, second half", fourth.1, false),
        ("fifth, of traders and newcomers, first half", fifth.0, true),
        ("fifth, second half", fifth.1, false),
        (
            "sixth, of traders, newcomers and agents, first half",
            sixth.0,
            true,
        ),
        ("sixth, second half", sixth.1, false),
        (
            "seventh, of newcomers, analysts and programs, first half",
            seventh.0,
            true,
        ),
        ("seventh, second half", seventh.1, false),
        ("eighth, of investors, journalists and agents", EIGHTH, true),
        ("ninth, only counted", NINTH, false),
        ("held out", HELD_OUT, false),
    ] {
        table.row(of_set(set, file, prints, &names, Day::of(now)));
    }
    table.note(
        "Labels by readers who knew the specification and not the program. Right is a question of which every expected \
         intent, subject and operation is in the plan and no other instrument is.",
    );
    Ok(vec![table])
}

fn of_set(set: &str, file: &'static str, prints: bool, names: &Names, today: Day) -> [String; 6] {
    let (mut asked, mut all) = (0_u32, 0_u32);
    let (mut intents, mut subjects, mut operations) = (0_u32, 0_u32, 0_u32);
    for [question, wishes, about, calls, _] in table::rows(file) {
        let expected = Expected {
            intents: wishes,
            subjects: about,
            operations: calls,
        };
        let reading = query::read(question, today, names);
        let plan = plan(&reading, today);
        let right = [
            expected.intents_are_right(&reading),
            expected.subjects_are_right(&reading, &plan),
            expected.operations_are_right(&plan),
        ];
        asked += 1;
        all += u32::from(right == [true; 3]);
        intents += u32::from(right[0]);
        subjects += u32::from(right[1]);
        operations += u32::from(right[2]);
        if prints && right != [true; 3] {
            print_miss(question, &expected, &reading, &plan, right);
        }
    }
    let share = |count: u32| figure(f64::from(count) / f64::from(asked.max(1)));
    [
        set.to_owned(),
        asked.to_string(),
        share(all),
        share(intents),
        share(subjects),
        share(operations),
    ]
}

#[expect(
    clippy::print_stderr,
    reason = "what is missed is worked on by reading it"
)]
fn print_miss(
    question: &str,
    expected: &Expected,
    reading: &Reading,
    plan: &Plan,
    right: [bool; 3],
) {
    let found: Vec<&str> = reading
        .intents
        .iter()
        .map(|intent| intent.as_str())
        .collect();
    let symbols: Vec<&str> = reading
        .instruments
        .iter()
        .map(|one| one.symbol.as_str())
        .collect();
    let calls: Vec<&str> = plan
        .steps
        .iter()
        .map(|step| step.endpoint.trim_start_matches("/api/v1/"))
        .collect();
    eprintln!(
        "{question}\n  {} intents {} <> {}\n  {} subjects {} <> {} {:?} {:?} topic={:?}\n  {} operations {} <> {}",
        mark(right[0]),
        expected.intents,
        found.join(","),
        mark(right[1]),
        expected.subjects,
        symbols.join(","),
        reading.series,
        reading.sectors,
        reading.topic,
        mark(right[2]),
        expected.operations,
        calls.join(","),
    );
}

fn mark(is_right: bool) -> &'static str {
    if is_right { "+" } else { "-" }
}

impl Expected {
    fn intents_are_right(&self, reading: &Reading) -> bool {
        self.intents.split(',').all(|any| {
            any.split('|')
                .any(|one| reading.intents.iter().any(|intent| intent.as_str() == one))
        })
    }

    fn subjects_are_right(&self, reading: &Reading, plan: &Plan) -> bool {
        let expected = || self.subjects.split(',').filter(|one| *one != "-");
        let is_found = |any: &str| {
            any.split('|')
                .any(|one| is_subject_found(one, reading, plan))
        };
        // A wrong instrument is worse than none.
        let is_wanted =
            |symbol: &str| expected().any(|any| any.split('|').any(|one| one == symbol));
        expected().all(is_found)
            && reading
                .instruments
                .iter()
                .all(|found| is_wanted(found.symbol.as_str()) || reading.claim.is_some())
    }

    fn operations_are_right(&self, plan: &Plan) -> bool {
        let mut expected = self.operations.split(',').filter(|one| *one != "-");
        expected.all(|any| {
            any.split('|')
                .any(|path| plan.steps.iter().any(|step| is_path(&step.endpoint, path)))
        })
    }
}

/// Whether a subject as labels write it is in a plan.
fn is_subject_found(subject: &str, reading: &Reading, plan: &Plan) -> bool {
    if let Some(words) = subject.strip_prefix("topic:") {
        let topic = reading.topic.to_lowercase();
        let claim = reading.claim.clone().unwrap_or_default().to_lowercase();
        return words
            .split(' ')
            .map(str::to_lowercase)
            .all(|word| topic.contains(&word) || claim.contains(&word));
    }
    if let Some(name) = subject.strip_prefix("sector:") {
        let sector = sector::find(name);
        let screened = reading
            .screen
            .as_ref()
            .and_then(|screen| screen.sector.as_deref());
        return reading.sectors.iter().any(|found| Some(*found) == sector) || screened == sector;
    }
    let calls = |part: &str| plan.steps.iter().any(|step| step.endpoint.ends_with(part));
    // Pairs are written in either case.
    let calls_pair = || {
        plan.steps.iter().any(|step| {
            let pair = step.endpoint.rsplit_once("forex/").map(|(_, pair)| pair);
            pair.is_some_and(|pair| pair.eq_ignore_ascii_case(subject))
        })
    };
    reading
        .instruments
        .iter()
        .any(|found| found.symbol.as_str() == subject)
        || subject.starts_with('^') && calls("market/summary")
        || subject == "yields" && calls("economy/yields")
        || calls(&format!("economy/{subject}"))
        || calls(&format!("commodities/{subject}"))
        || calls_pair()
        || reading.claim.is_some()
}

/// Whether an address is one of a path with variables.
fn is_path(endpoint: &str, path: &str) -> bool {
    let endpoint = endpoint.trim_start_matches("/api/v1/");
    // A screen in words and one in filters are one operation with one parser.
    let [endpoint, path] = [endpoint, path].map(|path| match path {
        "screener/natural" => "screener",
        other => other,
    });
    let (mut left, mut right) = (endpoint.split('/'), path.split('/'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(said), Some(wanted)) if wanted == said || wanted.starts_with(':') => {}
            _ => return false,
        }
    }
}
