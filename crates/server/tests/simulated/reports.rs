//! Reports on the simulated world: no two of them are one mould with figures swapped.

use std::collections::HashSet;

use model::{AccountId, Plan};
use operations::Services;
use store::{Account, ReportOrigin, ReportRow, ReportScope, ReportStatus};
use tokio_util::sync::CancellationToken;

use super::world::services;

/// Twelve companies of several sectors, three of them next to each other in one, a fund and a coin.
const SYMBOLS: [&str; 14] = [
    "AAPL", "MSFT", "NVDA", "JPM", "XOM", "KO", "NKE", "AMD", "GOOGL", "UNH", "WMT", "TSLA", "GLD",
    "BTC",
];
/// The largest part of its sentences that a report may share with another one.
const MOST_SHARED: f64 = 0.1;
/// Filings, trades and ratings are published in the newest two years of five.
const MONTHS: i32 = 60;

/// Writes reports of a tier on all symbols; their documents.
async fn written(
    services: &Services,
    owner: AccountId,
    tier: &str,
) -> Vec<agents::reports::Document> {
    let store = &services.store;
    let row = |symbol: &str| ReportRow {
        id: format!("RPT-{tier}-{symbol}"),
        account: Some(owner),
        origin: ReportOrigin::Ordered,
        ticker: symbol.to_owned(),
        entity_name: symbol.to_owned(),
        tier: tier.to_owned(),
        status: ReportStatus::Queued,
        is_public: false,
        scope: ReportScope::default(),
        credits: 0,
        created_at: services.clock.now(),
        changed_at: services.clock.now(),
        processing_ms: 0,
        markdown: String::new(),
        document: None,
        receipt: None,
        reason: None,
    };
    for symbol in SYMBOLS {
        store
            .reports()
            .order(&row(symbol), None, (99, 99), None)
            .await
            .unwrap();
    }
    let cancel = CancellationToken::new();
    assert_eq!(
        agents::reports::worker::write_due(services, &cancel)
            .await
            .unwrap(),
        SYMBOLS.len()
    );
    let mut documents = Vec::new();
    for symbol in SYMBOLS {
        let found = store
            .reports()
            .find(&row(symbol).id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            found.status,
            ReportStatus::Complete,
            "{symbol}: {:?}",
            found.reason
        );
        documents.push(serde_json::from_str(&found.document.unwrap()).unwrap());
    }
    documents
}

/// The sentences of a report without figures, names, symbols, days and words of number.
fn skeletons(document: &agents::reports::Document) -> Vec<String> {
    const NUMBERS: [&str; 25] = [
        "no", "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten", "eleven", "twelve", "first", "second", "third", "fourth", "fifth", "sixth",
        "seventh", "eighth", "ninth", "trillion", "billion",
    ];
    let texts = document.sentences().flat_map(|sentence| {
        // A full stop before a capital ends a sentence, and so does a semicolon: two sentences joined by one are still two.
        let mut parts = vec![String::new()];
        let words: Vec<&str> = sentence.text.split_whitespace().collect();
        for (place, word) in words.iter().enumerate() {
            let last = parts.last_mut().unwrap();
            last.push_str(word);
            last.push(' ');
            let is_end = word.ends_with(['.', '!', '?']);
            let next = words.get(place + 1);
            let begins = next.is_some_and(|next| next.starts_with(char::is_uppercase));
            if word.ends_with(';') || is_end && begins {
                parts.push(String::new());
            }
        }
        parts
    });
    texts
        .map(|text| {
            let words = text
                .split_whitespace()
                .enumerate()
                .filter_map(|(place, word)| {
                    let bare: String = word
                        .chars()
                        .filter(|one| one.is_alphabetic() || *one == '-')
                        .collect();
                    let is_name = place > 0 && bare.starts_with(char::is_uppercase)
                        || bare.chars().skip(1).any(char::is_uppercase);
                    let own = document.entity_name.contains(&bare)
                        && bare.starts_with(char::is_uppercase);
                    let lower = bare.to_lowercase();
                    (!bare.is_empty() && !is_name && !own && !NUMBERS.contains(&&*lower))
                        .then_some(lower)
                });
            words.collect::<Vec<_>>().join(" ")
        })
        .filter(|text| !text.is_empty())
        .collect()
}

/// A price as reports write it: `$1,234.50`.
fn price(text: &str) -> Option<f64> {
    text.trim_start_matches('$').replace(',', "").parse().ok()
}

/// Support lies below the close and resistance above it.
fn has_one_price(document: &agents::reports::Document) {
    use agents::reports::Block;
    let close = &document.figures[0];
    assert_eq!(close.label, "Close", "{}", document.ticker);
    let close = price(&close.value).unwrap();
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let mut found = 0;
    for block in blocks {
        let Block::Table { rows, .. } = block else {
            continue;
        };
        for row in rows.iter().filter(|row| row[0] == "Support and resistance") {
            let (support, resistance) = row[1].split_once(" and ").unwrap();
            let ticker = &document.ticker;
            assert!(
                price(support).is_none_or(|level| level < close),
                "{ticker}: {row:?}, {close}"
            );
            assert!(
                price(resistance).is_none_or(|level| level > close),
                "{ticker}: {row:?}, {close}"
            );
            let averages = rows.iter().find(|row| row[0] == "Averages").unwrap();
            let mut averages = averages[1].split(" · ").filter_map(price);
            // None is said of a side only where not even an average lies on it.
            if resistance == "none" {
                assert!(
                    averages.all(|mean| mean <= close),
                    "{ticker}: {row:?}, {close}"
                );
            } else if support == "none" {
                assert!(
                    averages.all(|mean| mean >= close),
                    "{ticker}: {row:?}, {close}"
                );
            }
            found += 1;
        }
    }
    assert_eq!(found, 1, "{}", document.ticker);
}

/// Each analyst has a section with a sentence; what has nothing to read says so there and in what is missing.
fn leaves_nobody_out(document: &agents::reports::Document, tier: &str) {
    use agents::reports::Block;
    let wanted: &[&str] = match tier {
        "quick" => &[],
        "full" => &[
            "Fundamental analysis",
            "Technical analysis",
            "Sentiment",
            "News",
            "Macro environment",
        ],
        _ => &[
            "Fundamental analysis",
            "Technical analysis",
            "Sentiment",
            "News",
            "Macro environment",
            "Scenarios",
            "Bias audit",
        ],
    };
    for title in wanted {
        let section = document.sections.iter().find(|one| one.title == *title);
        let section = section.unwrap_or_else(|| panic!("{} has no {title}", document.ticker));
        assert!(
            section.blocks.iter().any(|block| matches!(
                block,
                Block::Paragraph { .. } | Block::List { .. } | Block::Absent { .. }
            )),
            "{} says nothing under {title}",
            document.ticker
        );
    }
    if tier == "quick" || !document.sources.is_empty() {
        return;
    }
    // Without a story of its own in a month there is nothing to tell; looks at many may still be audited, sentiment may have
    // older days.
    let is_told = |what: &str| document.missing.iter().any(|one| one.what == what);
    assert!(is_told("News"), "{}", document.ticker);
    let audits = || {
        let audit = document.sections.iter();
        audit
            .filter(|section| section.title == "Bias audit")
            .any(|section| {
                let is_table =
                    |block: &Block| matches!(block, Block::Table { rows, .. } if rows.len() > 1);
                section.blocks.iter().any(is_table)
            })
    };
    assert!(
        !wanted.contains(&"Bias audit") || is_told("Bias audit") || audits(),
        "{}: neither an audit nor the reason",
        document.ticker
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_are_no_mould() {
    Box::pin(compare(&[("quick", 8)])).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]

async fn long_reports_are_no_mould() {
    Box::pin(compare(&[("full", 11), ("deep", 17)])).await;
}

/// Writes reports of these tiers, of so many sentences at least, and compares each with each.
async fn compare(tiers: &[(&str, usize)]) {
    let (services, _ground) = services(&SYMBOLS, MONTHS).await;
    let account = Account {
        id: AccountId(uuid::Uuid::new_v4()),
        email: "reader@example.org".into(),
        name: "reader".into(),
        password_hash: "$none".into(),
        plan: Plan::Unlimited,
        spending_cap: None,
        created_at: services.clock.now(),
        standing: store::Standing::default(),
    };
    services.store.accounts().insert(&account).await.unwrap();
    for &(tier, least) in tiers {
        let documents = written(&services, account.id, tier).await;
        let all: Vec<Vec<String>> = documents.iter().map(skeletons).collect();
        for (document, own) in documents.iter().zip(&all) {
            assert!(
                own.len() >= least,
                "{} {tier} has {} sentences",
                document.ticker,
                own.len()
            );
            let texts: Vec<&str> = document
                .sentences()
                .map(|sentence| &*sentence.text)
                .collect();
            let once: HashSet<&&str> = texts.iter().collect();
            assert_eq!(
                once.len(),
                texts.len(),
                "{} {tier} says something twice",
                document.ticker
            );
        }
        for document in &documents {
            has_one_price(document);
            for one in &document.claims {
                // Its own figures are those of the store.
                assert_ne!(one.verdict, "contradicted", "{}: {one:?}", document.ticker);
            }
            assert!(document.claims.len() >= 2, "{}", document.ticker);
            leaves_nobody_out(document, tier);
        }
        // The newswire writes on some of them in a month; a world without it would have less to be told apart by.
        let covered = documents
            .iter()
            .filter(|document| !document.sources.is_empty());
        assert!(covered.count() >= 3, "{tier}: a world without news");
        let mut worst: Vec<String> = Vec::new();
        for (place, one) in all.iter().enumerate() {
            for (further, other) in all.iter().enumerate().skip(place + 1) {
                let (one, other): (HashSet<&String>, HashSet<&String>) =
                    (one.iter().collect(), other.iter().collect());
                let shared: Vec<&&String> = one.intersection(&other).collect();
                let share = shared.len() as f64 / one.len().min(other.len()) as f64;
                if share > MOST_SHARED {
                    worst.push(format!(
                        "{} and {}, {tier}: {share:.2}: {shared:#?}",
                        SYMBOLS[place], SYMBOLS[further]
                    ));
                }
            }
        }
        assert!(worst.is_empty(), "{}", worst.join("\n"));
    }
}
