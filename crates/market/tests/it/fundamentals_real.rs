//! Snowflake's figures from its own filings, read by path from `ASSAY_TEST_DATA`; nothing is compared without that folder.

use std::collections::BTreeMap;
use std::fs::File;

use market::Day;
use market::fundamentals::{Basis, StatementPeriod, fundamentals, statements};
use model::{Concept, Fact, FactSet, Symbol};

const TAGS: [(&str, Concept); 5] = [
    (
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        Concept::Revenue,
    ),
    ("NetIncomeLoss", Concept::NetIncome),
    ("EarningsPerShareDiluted", Concept::EpsDiluted),
    (
        "NetCashProvidedByUsedInOperatingActivities",
        Concept::OperatingCashFlow,
    ),
    ("GrossProfit", Concept::GrossProfit),
];

fn sets() -> Option<Vec<FactSet>> {
    let file = File::open(crate::golden_real::folder()?.join("wire/sec/companyfacts_snow.json.gz"))
        .unwrap();
    let document: serde_json::Value =
        serde_json::from_reader(flate2::read::GzDecoder::new(file)).unwrap();
    let mut sets: BTreeMap<String, FactSet> = BTreeMap::new();
    for (tag, concept) in TAGS {
        for (unit, entries) in document["facts"]["us-gaap"][tag]["units"]
            .as_object()
            .unwrap()
        {
            for entry in entries.as_array().unwrap() {
                let day = |key: &str| Day::parse(entry[key].as_str().unwrap_or_default());
                let accession = entry["accn"].as_str().unwrap();
                let set = sets.entry(accession.to_owned()).or_insert_with(|| FactSet {
                    symbol: Symbol::parse("SNOW").unwrap(),
                    cik: Some(1_640_147),
                    accession: accession.to_owned(),
                    form: entry["form"].as_str().unwrap().to_owned(),
                    filed: day("filed").unwrap(),
                    accepted_at: None,
                    facts: Vec::new(),
                });
                set.facts.push(Fact {
                    concept,
                    start: day("start"),
                    end: day("end").unwrap(),
                    value: entry["val"].as_f64().unwrap(),
                    unit: unit.clone(),
                });
            }
        }
    }
    Some(sets.into_values().collect())
}

#[test]
fn figures_are_those_of_the_filings() {
    let Some(sets) = sets() else { return };
    let sets: Vec<&FactSet> = sets.iter().collect();
    let day = |text| Day::parse(text).unwrap();

    let year = fundamentals(&sets, day("2025-03-21")).unwrap();
    assert_eq!(year.revenue_ttm, Some(3_626_396_000.0));
    assert_eq!(
        (year.period_end, year.basis),
        (day("2025-01-31"), Basis::Ttm)
    );

    let newest = fundamentals(&sets, day("2025-05-30")).unwrap();
    eprintln!("{newest:#?}");
    // The year, plus the first quarter, less the first quarter a year before.
    assert_eq!(
        newest.revenue_ttm,
        Some(3_626_396_000.0 + 1_042_074_000.0 - 828_709_000.0)
    );
    // The day before, the quarter was not filed.
    assert_eq!(fundamentals(&sets, day("2025-05-29")), Some(year));

    let (currency, quarters) = statements(&sets, StatementPeriod::Quarter).unwrap();
    assert_eq!(currency, "USD");
    for quarter in &quarters {
        eprintln!(
            "{} {:?} {:?} {:?}",
            quarter.end, quarter.revenue, quarter.net_income, quarter.eps
        );
    }
    let fourth = quarters
        .iter()
        .find(|quarter| quarter.end == day("2025-01-31"))
        .unwrap();
    assert_eq!(fourth.revenue, Some(3_626_396_000.0 - 2_639_626_000.0));
    assert_eq!(fourth.filed, day("2025-03-21"));
    let sum: f64 = quarters
        .iter()
        .filter(|quarter| quarter.end > day("2024-04-30"))
        .filter_map(|quarter| quarter.revenue)
        .sum();
    assert_eq!(Some(sum), newest.revenue_ttm);
}
