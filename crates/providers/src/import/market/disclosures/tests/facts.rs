use model::{Concept, Day, Symbol};

use super::super::*;
use crate::import::market::Reading;
use crate::import::market::files::{self, FileOptions};

const ACME: &str = r#"{"cik": 42, "entityName": "Acme Works", "facts": {
  "us-gaap": {
    "Revenues": {"units": {"USD": [
      {"start": "2024-01-01", "end": "2024-12-31", "val": 120, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"}]}},
    "RevenueFromContractWithCustomerExcludingAssessedTax": {"units": {"USD": [
      {"start": "2024-01-01", "end": "2024-12-31", "val": 100, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"},
      {"start": "2024-01-01", "end": "2024-03-31", "val": 20, "accn": "0000000042-24-000001", "form": "10-Q/A", "filed": "2024-05-01"}]}},
    "ShortTermBorrowings": {"units": {"USD": [{"end": "2024-12-31", "val": 3, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"}]}},
    "LongTermDebtCurrent": {"units": {"USD": [{"end": "2024-12-31", "val": 4, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"}]}},
    "LongTermDebt": {"units": {"USD": [{"end": "2024-12-31", "val": 50, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"}]}},
    "Assets": {"units": {"USD": [
      {"end": "2024-12-31", "val": 9, "accn": "0000000042-25-000009", "form": "8-K", "filed": "2025-02-01"},
      {"end": "2024-02-31", "val": 9, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"},
      {"end": "2024-12-31", "val": "much", "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"}]}},
    "Goodwill": {"units": {"USD": [{"end": "2024-12-31", "val": 1, "accn": "0000000042-25-000001", "form": "10-K", "filed": "2025-02-10"}]}}}}}"#;

fn acme() -> Reading {
    let find = |cik| (cik == 42).then(|| Symbol::parse("ACME")).flatten();
    let options = DisclosureOptions {
        symbol_of_cik: Some(&find),
        ..DisclosureOptions::default()
    };
    parse_fundamentals("facts.json", ACME.as_bytes(), &options).unwrap()
}

#[test]
fn each_filing_is_a_set_and_totals_stand_before_their_parts() {
    let reading = acme();
    let year = reading
        .batch
        .facts
        .iter()
        .find(|set| set.form == "10-K")
        .unwrap();
    let value = |concept| {
        let mut found = year.facts.iter().filter(|fact| fact.concept == concept);
        (found.next().map(|fact| fact.value), found.count())
    };
    assert_eq!(value(Concept::Revenue), (Some(120.0), 0));
    assert_eq!(value(Concept::ShortTermDebt), (Some(7.0), 0));
    // The tag includes the amount due within a year, so only the loans come on top.
    assert_eq!(value(Concept::TotalDebt), (Some(53.0), 0));
    let quarter = reading
        .batch
        .facts
        .iter()
        .find(|set| set.form == "10-Q/A")
        .unwrap();
    assert_eq!(quarter.filed, Day::parse("2024-05-01").unwrap());
    assert_eq!(reading.batch.facts.len(), 2);
    assert_eq!(reading.report.refused_total(), 3);
    assert_eq!(reading.report.unused["Goodwill"], 1);
    assert_eq!(
        reading.batch.instruments[0].name.as_deref(),
        Some("Acme Works")
    );
}

#[test]
fn facts_of_nobody_are_refused_with_the_way_out() {
    let options = DisclosureOptions::default();
    let error = parse_fundamentals("facts.json", ACME.as_bytes(), &options).unwrap_err();
    assert!(error.to_string().contains("--symbol"), "{error}");
    for other in ["{}", "{", "[1]", "", "a,b\n1,2\n", "\u{0}"] {
        assert!(
            parse_fundamentals("x", other.as_bytes(), &options).is_err(),
            "{other}"
        );
    }
}

#[test]
fn valuations_have_yields_in_percent_and_gaps() {
    let table = "Symbol,Name,Sector,Price,Price/Earnings,Dividend Yield,Earnings/Share,52 Week Low,52 Week High,Market Cap\n\
                 acm,Acme,Railroads,10,20.5,0.0175,-0.5,8,12,1000\n\
                 BRK.B,Other,Energy,,-3,1.75,,,,7\n\
                 ,Nobody,,,,,,,,\n";
    let reading = parse_fundamentals(
        "members.csv",
        table.as_bytes(),
        &DisclosureOptions::default(),
    )
    .unwrap();
    let [first, second] = &reading.batch.valuations[..] else {
        panic!()
    };
    assert_eq!(
        first
            .dividend_yield_pct
            .map(|yield_pct| (yield_pct * 1e6).round()),
        Some(1.75e6)
    );
    assert_eq!((first.eps, first.source.as_str()), (Some(-0.5), "members"));
    assert_eq!((second.pe_ratio, second.dividend_yield_pct), (None, None));
    let [railroads, energy] = &reading.batch.instruments[..] else {
        panic!()
    };
    assert_eq!(
        (railroads.sector.as_deref(), railroads.industry.as_deref()),
        (None, Some("Railroads"))
    );
    assert_eq!(energy.sector.as_deref(), Some("Energy"));
    assert_eq!((first.price, second.price), (Some(10.0), None));
    assert_eq!(reading.report.refused_total(), 1);

    let options = FileOptions::new(Day::parse("2025-05-30").unwrap());
    let listed = files::parse_listings("members.csv", table.as_bytes(), &options).unwrap();
    assert_eq!(listed.batch, reading.batch);
}
