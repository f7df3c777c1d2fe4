use model::{Concept, Day, InsiderAction, Rating, Symbol, Timestamp};

use super::super::*;
use crate::import::market::{ReadError, Reading};

const SERIES: &str = r#"{"timeseries": {"result": [
  {"meta": {"symbol": ["ACME"], "type": ["annualTotalRevenue"]}, "annualTotalRevenue": [
    {"asOfDate": "2024-09-30", "currencyCode": "EUR", "reportedValue": {"raw": 400}},
    null,
    {"asOfDate": "2023-09-30", "currencyCode": "EUR", "reportedValue": {"raw": "many"}}]},
  {"meta": {"symbol": ["ACME"], "type": ["quarterlyDilutedEPS"]}, "quarterlyDilutedEPS": [
    {"asOfDate": "2024-09-30", "currencyCode": "EUR", "reportedValue": {"raw": 1.25}}]},
  {"meta": {"symbol": ["ACME"], "type": ["quarterlyOperatingIncome"]}, "quarterlyOperatingIncome": [
    {"asOfDate": "2024-09-30", "currencyCode": "EUR", "reportedValue": {"raw": 30}}]},
  {"meta": {"symbol": ["ACME"], "type": ["quarterlyTotalOperatingIncomeAsReported"]},
   "quarterlyTotalOperatingIncomeAsReported": [
    {"asOfDate": "2024-09-30", "currencyCode": "EUR", "reportedValue": {"raw": 28}}]},
  {"meta": {"symbol": ["ACME"], "type": ["quarterlyTaxRateForCalcs"]}, "quarterlyTaxRateForCalcs": [
    {"asOfDate": "2024-09-30", "currencyCode": "EUR", "reportedValue": {"raw": 0.2}}]}]}}"#;

const SUMMARY: &str = r#"{"quoteSummary": {"result": [{
  "price": {"symbol": "ACME", "longName": "Acme Works", "regularMarketTime": 1740409200},
  "financialData": {"financialCurrency": "USD"},
  "incomeStatementHistory": {"incomeStatementHistory": [
    {"endDate": {"fmt": "2024-12-31"}, "totalRevenue": {"raw": 500, "fmt": "500"},
     "netIncome": {"raw": -20, "fmt": "-20"}},
    {"endDate": {"fmt": "2023-12-31"}, "totalRevenue": {"raw": 450, "fmt": "450"},
     "netIncome": {"raw": 0, "fmt": null}}]},
  "upgradeDowngradeHistory": {"history": [
    {"epochGradeDate": 1738352759, "firm": "North Bank", "toGrade": "Overweight"},
    {"epochGradeDate": 1738352759, "firm": "South Bank", "toGrade": "Perplexed"}]},
  "insiderTransactions": {"transactions": [
    {"shares": {"raw": 100}, "value": {"raw": 2500}, "transactionText": "Sale at price 25.00 per share.",
     "filerName": "ROE JANE A", "filerRelation": "Director", "startDate": {"fmt": "2025-02-03"}},
    {"shares": {"raw": 10}, "transactionText": "", "filerName": "ROE JANE A", "startDate": {"fmt": "2025-02-01"}},
    {"shares": {"raw": 10}, "transactionText": "Purchase at price 1.00 per share.", "filerName": "ROE JANE A"}]}}]}}"#;

fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn read(text: &str, options: &DisclosureOptions<'_>) -> Result<Reading, ReadError> {
    parse_fundamentals("statements.json", text.as_bytes(), options)
}

fn imported() -> DisclosureOptions<'static> {
    DisclosureOptions {
        at: Some(now()),
        ..DisclosureOptions::default()
    }
}

#[test]
fn each_period_is_a_set_that_is_known_from_its_import_on() {
    let reading = read(SERIES, &imported()).unwrap();
    let [year, quarter] = &reading.batch.facts[..] else {
        panic!("{:?}", reading.batch.facts)
    };
    assert_eq!(year.symbol, Symbol::parse("ACME").unwrap());
    assert_eq!(year.accepted_at, Some(now()));
    assert!(!year.is_filing());
    let day = |text| Day::parse(text).unwrap();
    let revenue = &year.facts[0];
    assert_eq!(
        (
            revenue.concept,
            revenue.start,
            revenue.end,
            revenue.value,
            revenue.unit.as_str()
        ),
        (
            Concept::Revenue,
            Some(day("2023-10-01")),
            day("2024-09-30"),
            400.0,
            "EUR"
        )
    );
    let value = |concept| {
        quarter
            .facts
            .iter()
            .find(|fact| fact.concept == concept)
            .unwrap()
    };
    assert_eq!(value(Concept::EpsDiluted).unit, "EUR/shares");
    assert_eq!(value(Concept::EpsDiluted).start, Some(day("2024-07-01")));
    // The company's own operating income takes precedence over the provider's version of it.
    assert_eq!(value(Concept::OperatingIncome).value, 28.0);
    assert_eq!(reading.report.refused_total(), 1);
    assert_eq!(reading.report.unused["TaxRateForCalcs"], 1);
}

#[test]
fn the_operator_may_name_the_day_from_which_it_is_known() {
    let options = DisclosureOptions {
        filed: Day::parse("2024-11-01"),
        ..imported()
    };
    let reading = read(SERIES, &options).unwrap();
    assert_eq!(
        reading.batch.facts[0].filed,
        Day::parse("2024-11-01").unwrap()
    );
    assert_eq!(reading.batch.facts[0].accepted_at, None);
    assert!(read(SERIES, &DisclosureOptions::default()).is_err());
}

#[test]
fn a_summary_gives_statements_ratings_and_trades_of_its_own_time() {
    let reading = read(SUMMARY, &imported()).unwrap();
    let batch = &reading.batch;
    let taken: Timestamp = "2025-02-24T15:00:00Z".parse().unwrap();
    assert_eq!(batch.facts.len(), 2);
    assert!(batch.facts.iter().all(|set| set.accepted_at == Some(taken)));
    // A zero without a text is not a figure.
    let figures: usize = batch.facts.iter().map(|set| set.facts.len()).sum();
    assert_eq!(figures, 3);
    let [rating] = &batch.ratings[..] else {
        panic!("{:?}", batch.ratings)
    };
    assert_eq!(
        (rating.firm.as_str(), rating.rating),
        ("North Bank", Rating::Buy)
    );
    let [form] = &batch.insider_forms[..] else {
        panic!("{:?}", batch.insider_forms)
    };
    assert_eq!(form.name, "Jane A Roe");
    assert_eq!(form.trades[0].transaction_type, InsiderAction::Sell);
    assert_eq!(
        (form.trades[0].price, form.trades[0].value),
        (Some(25.0), Some(2500.0))
    );
    // An unknown rating, and a purchase without a day.
    assert_eq!(reading.report.refused_total(), 2);
}

#[test]
fn what_names_nobody_or_nothing_is_refused_or_empty() {
    for empty in [
        r#"{"timeseries": {"result": []}}"#,
        r#"{"quoteSummary": {"result": [{"price": {"symbol": "ACME"}}]}}"#,
    ] {
        let reading = read(empty, &imported()).unwrap();
        assert!(reading.batch.facts.is_empty(), "{empty}");
    }
    for broken in [
        r#"{"timeseries": {"result": 5}}"#,
        r#"{"timeseries": null}"#,
        r#"{"quoteSummary": {"result": null}}"#,
        r#"{"quoteSummary": {"result": [{}]}}"#,
    ] {
        assert!(read(broken, &imported()).is_err(), "{broken}");
    }
}
