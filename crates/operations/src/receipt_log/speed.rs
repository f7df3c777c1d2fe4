//! How fast receipts are appended and proven, on a disk: `cargo test --release -p operations -- --ignored receipts_a_second
//! --nocapture`, and `proof_of_a_million`. Nothing else should run on the machine.

use std::time::{Duration, Instant};

use model::{DataMode, Score, TrustLevel};
use store::Location;
use verify::receipt::{
    Engine, Evidence, FourDecimals, PublicEvidence, PublicSource, ReceiptId, Subject, Version,
};
use verify::verdict::{Position, Verdict};

use super::*;

/// Callers that issue receipts side by side, and how many each issues.
const CALLERS: usize = 64;
const EACH: usize = 300;
/// Receipts a second, and the time of a proof.
const FLOOR: f64 = 2_000.0;
const PROOF: Duration = Duration::from_millis(1);
const LEAVES: u64 = 1_000_000;

fn now() -> Timestamp {
    Timestamp::from_ms(1_772_000_000_000)
}

async fn log(folder: &tempfile::TempDir) -> ReceiptLog {
    let place = Location::Directory(folder.path().to_owned());
    let store = Store::open(&place, DataMode::Real).await.unwrap();
    ReceiptLog::new(store, ReceiptKeys::from_random(&[7; 32]))
}

/// A verdict on a claim with as much evidence as one usually has.
fn draft() -> Draft {
    let evidence = |number: usize| {
        let snippet = format!(
            "Source {number} reports that the central bank raised its key interest rate by a quarter of a percentage point."
        );
        Evidence::Public(PublicEvidence {
            source: PublicSource::Corpus,
            name: format!("Outlet {number}"),
            url: Some(format!("https://outlet{number}.example/news/rates")),
            brief_id: None,
            published: Some(now()),
            position: Position::Supports,
            strength: FourDecimals::from(Score::clamped(0.8)),
            content_hash: Hash::of(snippet.as_bytes()),
            snippet,
        })
    };
    let claim = "The central bank raised its key interest rate.";
    Draft {
        body: Body {
            version: Version::One,
            id: ReceiptId::from_random(rand::random()),
            subject: Subject::Claim(claim.to_owned()),
            verdict: Verdict::Supported,
            reason: None,
            confidence: FourDecimals::from(Score::clamped(0.9)),
            as_of: None,
            evidence: (0..4).map(evidence).collect(),
            created_at: now(),
            engine: Engine {
                name: "assay".to_owned(),
                version: "1.0.0".to_owned(),
            },
        },
        account: None,
        kind: "claim",
        source: None,
        agent: None,
        disclosures: None,
        replay: Some(format!(
            "{{\"claim\":\"{claim}\",\"trust\":\"{:?}\"}}",
            TrustLevel::High
        )),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn receipts_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder).await;
    let started = Instant::now();
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let log = log.clone();
            tokio::spawn(async move {
                for _ in 0..EACH {
                    log.issue(vec![draft()]).await.unwrap();
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    let rate = (CALLERS * EACH) as f64 / started.elapsed().as_secs_f64();
    println!("{rate:.0} receipts a second, {CALLERS} callers side by side");
    assert_eq!(
        log.store().log().size().await.unwrap(),
        (CALLERS * EACH) as u64
    );
    assert!(rate >= FLOOR, "{rate:.0} a second");
}

#[tokio::test]
#[ignore = "a measurement"]
async fn proof_of_a_million() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder).await;
    let (real, leaf) = log.signed(draft()).unwrap();
    log.issue(vec![draft()]).await.unwrap();
    let mut size = 1;
    while size < LEAVES {
        let count = (LEAVES - size).min(20_000);
        let rows: Vec<store::Receipt> = (size..size + count)
            .map(|index| store::Receipt {
                id: format!("vr_{index}"),
                body: String::new(),
                ..real.clone()
            })
            .collect();
        let leaves: Vec<Hash> = (size..size + count)
            .map(|index| tree::node_hash(&leaf, &Hash::of(&index.to_be_bytes())))
            .collect();
        let receipts = log.store().receipts();
        receipts
            .append(&rows, None, move |size, edge| grow(size, edge, leaves))
            .await
            .unwrap();
        size += count;
    }
    let mut times = Vec::new();
    for step in 0..1_000 {
        let index = step * 991 % LEAVES;
        let started = Instant::now();
        let plan = ProofPlan::inclusion(index, LEAVES).unwrap();
        let proof = log.proof(&plan).await.unwrap();
        times.push(started.elapsed());
        assert!(proof.len() <= 20);
    }
    times.sort_unstable();
    let (median, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("inclusion proof at {LEAVES} leaves: p50 {median:?}, p99 {late:?}");
    assert!(median <= PROOF, "{median:?}");
}
