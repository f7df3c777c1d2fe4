//! How well the sentiment of sentences agrees with readers of financial news. No weight is fitted on the collection.

use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;

const LABELS: [&str; 3] = ["negative", "neutral", "positive"];

fn label(score: f64) -> usize {
    usize::from(score >= 0.45) + usize::from(score > 0.55)
}

#[test]
fn agrees_with_readers_of_financial_news() {
    let Some(folder) = crate::folder() else {
        return;
    };
    let file = std::fs::File::open(folder.join("sentiment/financial_phrasebank_50agree.jsonl.gz"))
        .unwrap();
    let mut counts = [[0.0_f64; 3]; 3];
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let expected = LABELS
            .iter()
            .position(|label| row["label"] == **label)
            .unwrap();
        let found = label(text::sentiment::sentence(row["text"].as_str().unwrap()).get());
        counts[expected][found] += 1.0;
    }
    let total: f64 = counts.iter().flatten().sum();
    let accuracy = (0..3).map(|at| counts[at][at]).sum::<f64>() / total;
    let f1 = (0..3)
        .map(|at| {
            let expected: f64 = counts[at].iter().sum();
            let found: f64 = counts.iter().map(|row| row[at]).sum();
            2.0 * counts[at][at] / (expected + found)
        })
        .sum::<f64>()
        / 3.0;
    println!("accuracy {accuracy:.4}, macro F1 {f1:.4}, {total} sentences");
    assert!(
        accuracy >= 0.72 && f1 >= 0.62,
        "accuracy {accuracy}, macro F1 {f1}"
    );
}
