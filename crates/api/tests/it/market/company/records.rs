//! What companies of the small market disclosed, and who said what of them.

use model::{
    AnalystRating, Chamber, Concept, CongressTrade, Day, Earnings, EarningsStatus, Fact, FactSet,
    Filing, Holding, HoldingLine, InsiderAction, InsiderLine, InsiderTrade, Rating, ReportTime,
    Valuation,
};

use super::super::fixtures::{self, ACME, BOLT, day, market, symbol, time};
use crate::support::TestServer;

/// A server that holds the small market and these records.
pub(in crate::market) async fn world() -> TestServer {
    let server = market().await;
    let store = &server.state.store;
    let mut transaction = store
        .market_transaction(time(fixtures::RECORDED))
        .await
        .unwrap();
    let evening = |at: Day| at.starts_at().plus_ms(22 * 3_600_000);
    transaction
        .put_records(
            facts()
                .into_iter()
                .map(|one| (time_of(&one), one))
                .map(swap),
        )
        .await
        .unwrap();
    let table = Valuation {
        symbol: symbol(BOLT),
        price: None,
        market_cap_usd: Some(45.6e9),
        pe_ratio: Some(-3.0),
        eps: Some(-1.5),
        dividend_yield_pct: Some(2.5),
        fifty_two_week_high: Some(1e6),
        fifty_two_week_low: Some(1e-6),
        source: "a table of members".to_owned(),
        at: None,
    };
    transaction
        .put_records([(table, time("2026-03-09T22:00:00Z"))])
        .await
        .unwrap();
    transaction
        .put_records(
            earnings()
                .into_iter()
                .map(|one| (one, time("2026-03-01T00:00:00Z"))),
        )
        .await
        .unwrap();
    transaction
        .put_records(
            insiders()
                .into_iter()
                .map(|one| (evening(one.filed), one))
                .map(swap),
        )
        .await
        .unwrap();
    transaction
        .put_records(
            filings()
                .into_iter()
                .map(|one| (evening(one.filed_date), one))
                .map(swap),
        )
        .await
        .unwrap();
    transaction
        .put_records(
            ratings()
                .into_iter()
                .map(|one| (evening(one.day), one))
                .map(swap),
        )
        .await
        .unwrap();
    transaction
        .put_records(
            holdings()
                .into_iter()
                .map(|one| (evening(one.filed), one))
                .map(swap),
        )
        .await
        .unwrap();
    transaction
        .put_records(
            congress()
                .into_iter()
                .map(|one| (evening(one.disclosure_date), one))
                .map(swap),
        )
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    server
}

fn swap<A, B>((left, right): (A, B)) -> (B, A) {
    (right, left)
}

fn time_of(set: &FactSet) -> model::Timestamp {
    set.accepted_at.unwrap()
}

/// Two yearly reports of ACME: revenue of 10 and 12 billion, a loss and then a profit of 6 a share, 200 million shares.
fn facts() -> Vec<FactSet> {
    [
        ("2025-02-10", 2024, 10e9, -1e9, -5.0),
        ("2026-02-10", 2025, 12e9, 1.2e9, 6.0),
    ]
    .into_iter()
    .map(|(filed, year, revenue, income, eps)| annual(ACME, filed, year, revenue, income, eps))
    .collect()
}

pub(in crate::market) fn annual(
    ticker: &str,
    filed: &str,
    year: i32,
    revenue: f64,
    income: f64,
    eps: f64,
) -> FactSet {
    let start = Some(day(&format!("{year}-01-01")));
    let fact = |concept, start, value, unit: &str| Fact {
        concept,
        start,
        end: day(&format!("{year}-12-31")),
        value,
        unit: unit.to_owned(),
    };
    FactSet {
        symbol: symbol(ticker),
        cik: Some(1),
        accession: format!("0000000001-{year}-000001"),
        form: "10-K".to_owned(),
        filed: day(filed),
        accepted_at: Some(time(&format!("{filed}T21:30:00Z"))),
        facts: vec![
            fact(Concept::Revenue, start, revenue, "USD"),
            fact(Concept::NetIncome, start, income, "USD"),
            fact(Concept::EpsDiluted, start, eps, "USD/shares"),
            fact(Concept::DividendsPerShare, start, 1.5, "USD/shares"),
            fact(Concept::SharesOutstanding, None, 2e8, "shares"),
            fact(Concept::Equity, None, 4e9, "USD"),
            fact(Concept::LongTermDebt, None, 1e9, "USD"),
        ],
    }
}

fn earnings() -> Vec<Earnings> {
    use EarningsStatus::{Confirmed, Estimated, Reported};

    let report = |quarter: &str, date, status, estimate, actual, revenue| Earnings {
        symbol: symbol(ACME),
        fiscal_quarter: quarter.to_owned(),
        date: day(date),
        status,
        time: Some(ReportTime::AfterMarket),
        eps_estimate: estimate,
        revenue_estimate: revenue,
        eps_actual: actual,
        revenue_actual: None,
        source: "calendar".to_owned(),
    };
    vec![
        report("Q2 2026", "2026-07-20", Estimated, None, None, None),
        report(
            "Q1 2026",
            "2026-04-20",
            Confirmed,
            Some(1.2),
            None,
            Some(12.34e9),
        ),
        report(
            "Q4 2025",
            "2026-02-05",
            Reported,
            Some(1.0),
            Some(1.1),
            None,
        ),
        report("Q3 2025", "2025-11-05", Reported, None, Some(0.9), None),
    ]
}

fn insiders() -> Vec<InsiderLine> {
    use InsiderAction::{Award, Buy, Sell};

    let line = |ticker, accession: &str, action, shares: f64, price: Option<f64>, done, filed| {
        let trade = InsiderTrade {
            transaction_type: action,
            code: "P".to_owned(),
            shares,
            price,
            value: price.map(|price| price * shares),
            date: day(done),
            derivative: false,
        };
        InsiderLine {
            symbol: symbol(ticker),
            issuer: "Acme".to_owned(),
            owner_cik: 7,
            name: "Maren Oduya".to_owned(),
            title: "Director".to_owned(),
            accession: accession.to_owned(),
            line: 0,
            filed: day(filed),
            filing_url: format!("https://sec.example/{accession}"),
            trade,
        }
    };
    vec![
        line(
            ACME,
            "a",
            Buy,
            10.0,
            Some(100.0),
            "2026-03-02",
            "2026-03-03",
        ),
        line(
            ACME,
            "b",
            Sell,
            500.0,
            Some(100.0),
            "2026-01-15",
            "2026-01-16",
        ),
        line(ACME, "c", Award, 20.0, None, "2025-11-01", "2025-11-02"),
        line(
            BOLT,
            "d",
            Sell,
            100.0,
            Some(80.0),
            "2026-03-05",
            "2026-03-06",
        ),
        // Becomes known this evening.
        line(BOLT, "e", Buy, 1.0, Some(80.0), "2026-03-10", "2026-03-10"),
    ]
}

fn filings() -> Vec<Filing> {
    let filing = |ticker: Option<&str>, name: &str, form: &str, filed, description: &str| Filing {
        accession: format!("{form}-{filed}"),
        symbol: ticker.map(symbol),
        cik: 1,
        company_name: name.to_owned(),
        form_type: form.to_owned(),
        filed_date: day(filed),
        accepted_at: None,
        period_of_report: (form == "10-K").then(|| day("2025-12-31")),
        filing_url: format!("https://sec.example/{form}"),
        description: description.to_owned(),
        other_parties: Vec::new(),
    };
    let acme = Some(ACME);
    vec![
        filing(
            acme,
            "Acme Instruments Inc",
            "10-K",
            "2026-02-10",
            "Annual report",
        ),
        filing(
            acme,
            "Acme Instruments Inc",
            "8-K",
            "2026-03-02",
            "Item 5.02: departure of a director",
        ),
        filing(
            acme,
            "Acme Instruments Inc",
            "10-K/A",
            "2026-03-04",
            "Annual report, amended 100%",
        ),
        filing(
            None,
            "Harbor Trust",
            "S-1",
            "2026-03-05",
            "Registration of a trust",
        ),
    ]
}

fn ratings() -> Vec<AnalystRating> {
    let rating = |firm: &str, date, rating, target| AnalystRating {
        symbol: symbol(ACME),
        analyst: (firm == "Alder").then(|| "J. Reed".to_owned()),
        firm: firm.to_owned(),
        rating,
        target,
        day: day(date),
        source: "derived".to_owned(),
    };
    vec![
        rating("Alder", "2026-03-01", Rating::StrongBuy, Some(200.0)),
        rating("Alder", "2026-01-01", Rating::Sell, Some(90.0)),
        rating("Birch", "2026-02-01", Rating::Hold, Some(150.0)),
        rating("Cedar", "2025-01-01", Rating::StrongSell, Some(1.0)),
    ]
}

fn holdings() -> Vec<HoldingLine> {
    let line = |cik, ticker, quarter, filed, shares: f64| HoldingLine {
        institution: format!("Fund {cik}"),
        institution_cik: cik,
        report_date: day(quarter),
        accession: format!("{cik}-{quarter}"),
        filed: day(filed),
        holding: Holding {
            symbol: Some(symbol(ticker)),
            cusip: ticker.to_owned(),
            issuer: ticker.to_owned(),
            class: String::new(),
            shares,
            value: shares * 100.0,
            portfolio_pct: Some(12.5),
        },
    };
    vec![
        line(1, ACME, "2025-12-31", "2026-02-14", 3e6),
        line(1, ACME, "2025-09-30", "2025-11-14", 2e6),
        line(2, ACME, "2025-12-31", "2026-02-14", 1e6),
        // Has sold it since.
        line(3, ACME, "2025-09-30", "2025-11-14", 9e6),
        line(3, BOLT, "2025-12-31", "2026-02-14", 1e6),
        // Has not reported since.
        line(4, ACME, "2025-09-30", "2025-11-14", 5e5),
    ]
}

fn congress() -> Vec<CongressTrade> {
    let trade = |id: &str, chamber, ticker: Option<&str>, disclosed| CongressTrade {
        id: id.to_owned(),
        member: format!("Member {id}"),
        party: (id == "1").then(|| "Independent".to_owned()),
        chamber,
        symbol: ticker.map(symbol),
        asset: "Acme common".to_owned(),
        transaction_type: "sell_partial".to_owned(),
        amount_range: "$1,001 - $15,000".to_owned(),
        amount_low: Some(1_001.0),
        amount_high: Some(15_000.0),
        transaction_date: None,
        disclosure_date: day(disclosed),
        owner: Some("spouse".to_owned()),
        url: None,
    };
    vec![
        trade("1", Chamber::House, Some(ACME), "2026-03-01"),
        trade("2", Chamber::Senate, Some("GONE"), "2026-03-05"),
        trade("3", Chamber::Senate, None, "2026-02-01"),
    ]
}
