//! Made-up companies, with figures worked out by hand.

use model::Symbol;

use super::*;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn fact(concept: Concept, start: &str, end: &str, value: f64) -> Fact {
    let unit = match concept {
        Concept::EpsDiluted | Concept::EpsBasic | Concept::DividendsPerShare => "USD/shares",
        Concept::DilutedShares | Concept::SharesOutstanding => "shares",
        _ => "USD",
    };
    Fact {
        concept,
        start: Day::parse(start),
        end: day(end),
        value,
        unit: unit.into(),
    }
}

fn set(form: &str, filed: &str, facts: Vec<Fact>) -> FactSet {
    FactSet {
        symbol: Symbol::parse("ACME").unwrap(),
        cik: None,
        accession: format!("{form}-{filed}"),
        form: form.into(),
        filed: day(filed),
        accepted_at: None,
        facts,
    }
}

/// Revenue 100 in the year 2024: 20, 22, 28 and so 30; then 28.
fn acme() -> Vec<FactSet> {
    use Concept::{
        EpsDiluted, Equity, LongTermDebt, NetIncome, OperatingCashFlow, Revenue, ShortTermDebt,
    };
    vec![
        set(
            "10-Q",
            "2024-05-01",
            vec![
                fact(Revenue, "2024-01-01", "2024-03-31", 20.0),
                fact(NetIncome, "2024-01-01", "2024-03-31", 2.0),
                fact(EpsDiluted, "2024-01-01", "2024-03-31", 0.2),
                fact(OperatingCashFlow, "2024-01-01", "2024-03-31", 3.0),
            ],
        ),
        set(
            "10-Q",
            "2024-08-01",
            vec![
                fact(Revenue, "2024-04-01", "2024-06-30", 22.0),
                fact(Revenue, "2024-01-01", "2024-06-30", 42.0),
                fact(NetIncome, "2024-04-01", "2024-06-30", 2.0),
                fact(EpsDiluted, "2024-04-01", "2024-06-30", 0.2),
                fact(OperatingCashFlow, "2024-01-01", "2024-06-30", 7.0),
            ],
        ),
        set(
            "10-Q",
            "2024-11-01",
            vec![
                fact(Revenue, "2024-07-01", "2024-09-30", 28.0),
                fact(Revenue, "2024-01-01", "2024-09-30", 70.0),
                fact(NetIncome, "2024-07-01", "2024-09-30", 3.0),
                fact(EpsDiluted, "2024-07-01", "2024-09-30", 0.3),
                fact(OperatingCashFlow, "2024-01-01", "2024-09-30", 12.0),
            ],
        ),
        set(
            "10-K",
            "2025-02-10",
            vec![
                fact(Revenue, "2024-01-01", "2024-12-31", 100.0),
                fact(NetIncome, "2024-01-01", "2024-12-31", 10.0),
                fact(EpsDiluted, "2024-01-01", "2024-12-31", 1.0),
                fact(OperatingCashFlow, "2024-01-01", "2024-12-31", 18.0),
                fact(Equity, "", "2024-12-31", 50.0),
                fact(LongTermDebt, "", "2024-12-31", 20.0),
            ],
        ),
        set(
            "10-Q",
            "2025-05-01",
            vec![
                fact(Revenue, "2025-01-01", "2025-03-31", 28.0),
                fact(Revenue, "2024-01-01", "2024-03-31", 20.0),
                fact(NetIncome, "2025-01-01", "2025-03-31", 4.0),
                fact(EpsDiluted, "2025-01-01", "2025-03-31", 0.4),
                fact(OperatingCashFlow, "2025-01-01", "2025-03-31", 5.0),
                fact(Equity, "", "2025-03-31", 60.0),
                fact(LongTermDebt, "", "2025-03-31", 21.0),
                fact(ShortTermDebt, "", "2025-03-31", 9.0),
            ],
        ),
    ]
}

fn at(sets: &[FactSet], as_of: &str) -> Option<Fundamentals> {
    fundamentals(&sets.iter().collect::<Vec<_>>(), day(as_of))
}

fn quarters(sets: &[FactSet]) -> Vec<Statement> {
    let sets: Vec<&FactSet> = sets.iter().collect();
    statements(&sets, StatementPeriod::Quarter).unwrap().1
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn twelve_months_roll_on_with_each_quarter() {
    let sets = acme();
    let newest = at(&sets, "2025-05-01").unwrap();
    close(newest.revenue_ttm, 108.0);
    close(newest.net_income_ttm, 12.0);
    close(newest.eps_ttm, 1.2);
    close(newest.operating_cash_flow_ttm, 20.0);
    close(newest.profit_margin_pct, 100.0 / 9.0);
    close(newest.debt_to_equity, 0.5);
    assert_eq!(
        (newest.period_end, newest.basis),
        (day("2025-03-31"), Basis::Ttm)
    );
    assert_eq!(newest.accession, "10-Q-2025-05-01");
    assert_eq!(newest.gross_margin_pct, None);
}

#[test]
fn growth_counts_from_the_twelve_months_before() {
    use Concept::{EpsDiluted, Revenue};

    let mut sets = acme();
    assert_eq!(at(&sets, "2025-05-01").unwrap().revenue_growth_pct, None);
    sets.push(set(
        "10-K",
        "2024-02-10",
        vec![
            fact(Revenue, "2023-01-01", "2023-12-31", 80.0),
            fact(EpsDiluted, "2023-01-01", "2023-12-31", -0.5),
        ],
    ));
    let year = at(&sets, "2025-04-30").unwrap();
    close(year.revenue_growth_pct, 25.0);
    // Growth from a loss is undefined.
    assert_eq!(year.eps_growth_pct, None);
}

#[test]
fn what_is_filed_later_is_not_seen() {
    let sets = acme();
    let before = at(&sets, "2025-04-30").unwrap();
    close(before.revenue_ttm, 100.0);
    close(before.debt_to_equity, 0.4);
    assert_eq!(
        (before.filed, before.basis),
        (day("2025-02-10"), Basis::Ttm)
    );
    // Three quarters are not twelve months, and there is no year to fall back on.
    assert_eq!(at(&sets, "2024-12-31"), None);
    assert_eq!(at(&sets, "2024-01-01"), None);
}

#[test]
fn restated_numbers_count_from_their_filing_on() {
    let mut sets = acme();
    sets.push(set(
        "10-K/A",
        "2025-03-20",
        vec![fact(Concept::Revenue, "2024-01-01", "2024-12-31", 90.0)],
    ));
    close(at(&sets, "2025-03-19").unwrap().revenue_ttm, 100.0);
    let amended = at(&sets, "2025-03-20").unwrap();
    close(amended.revenue_ttm, 90.0);
    assert_eq!(amended.accession, "10-K/A-2025-03-20");
    // The fourth quarter is 90 - 70 = 20 now.
    close(at(&sets, "2025-05-01").unwrap().revenue_ttm, 98.0);
}

#[test]
fn the_fourth_quarter_is_the_year_less_the_rest() {
    let sets = acme();
    let found = quarters(&sets);
    let revenue: Vec<_> = found
        .iter()
        .map(|quarter| quarter.revenue.unwrap())
        .collect();
    assert_eq!(revenue, [20.0, 22.0, 28.0, 30.0, 28.0]);
    let fourth = &found[3];
    assert_eq!(
        (fourth.start, fourth.end),
        (day("2024-10-01"), day("2024-12-31"))
    );
    assert_eq!(fourth.filed, day("2025-02-10"));
    // Income has no nine-month figure: the year less the three quarters.
    close(fourth.net_income, 3.0);
    close(fourth.eps, 0.3);
    close(fourth.operating_cash_flow, 6.0);
    close(fourth.debt_to_equity(), 0.4);
    close(
        change_since_a_year(&found, &found[4], |one| one.revenue),
        40.0,
    );
    assert_eq!(change_since_a_year(&found, fourth, |one| one.revenue), None);
    assert_eq!(statements(&[], StatementPeriod::Quarter), None);
}

#[test]
fn a_year_is_a_row_of_what_was_reported_of_it() {
    let sets = acme();
    let sets: Vec<&FactSet> = sets.iter().collect();
    let (currency, years) = statements(&sets, StatementPeriod::Year).unwrap();
    assert_eq!(currency, "USD");
    let [year] = &years[..] else {
        panic!("{years:?}")
    };
    assert_eq!(
        (year.start, year.end),
        (day("2024-01-01"), day("2024-12-31"))
    );
    close(year.revenue, 100.0);
    close(year.of_revenue(year.net_income), 10.0);
    close(year.net_income_on(year.equity), 20.0);
    // Nothing was reported of it.
    assert_eq!((year.free_cash_flow(), year.assets), (None, None));
}

#[test]
fn years_of_fifty_three_weeks_are_years() {
    use Concept::Revenue;
    let sets = [
        set(
            "10-K",
            "2023-11-01",
            vec![fact(Revenue, "2022-09-25", "2023-09-30", 371.0)],
        ),
        set(
            "10-Q",
            "2024-02-01",
            vec![
                fact(Revenue, "2023-10-01", "2023-12-30", 91.0),
                fact(Revenue, "2022-09-25", "2022-12-31", 98.0),
            ],
        ),
    ];
    let found = at(&sets, "2024-03-01").unwrap();
    close(found.revenue_ttm, 371.0 - 98.0 + 91.0);
    assert_eq!(found.basis, Basis::Ttm);
}

#[test]
fn who_reports_years_only_has_years() {
    use Concept::{NetIncome, Revenue};
    let sets = [
        set(
            "20-F",
            "2024-04-01",
            vec![
                fact(Revenue, "2023-01-01", "2023-12-31", 10.0),
                fact(NetIncome, "2023-01-01", "2023-12-31", -1.0),
            ],
        ),
        // Half a year is not a year, so the newest year stays.
        set(
            "6-K",
            "2024-09-01",
            vec![fact(Revenue, "2024-01-01", "2024-06-30", 6.0)],
        ),
    ];
    let found = at(&sets, "2024-10-01").unwrap();
    assert_eq!(
        (found.basis, found.period_end),
        (Basis::FiscalYear, day("2023-12-31"))
    );
    close(found.revenue_ttm, 10.0);
    close(found.profit_margin_pct, -10.0);
    assert_eq!(found.accession, "20-F-2024-04-01");
}

#[test]
fn transition_periods_and_losses_of_equity_leave_gaps() {
    use Concept::{Equity, LongTermDebt, Revenue};
    let sets = [
        set(
            "10-K",
            "2023-09-01",
            vec![fact(Revenue, "2022-07-01", "2023-06-30", 40.0)],
        ),
        // Six months between the old fiscal year and the new one, then a quarter.
        set(
            "10-KT",
            "2024-03-01",
            vec![fact(Revenue, "2023-07-01", "2023-12-31", 21.0)],
        ),
        set(
            "10-Q",
            "2024-05-01",
            vec![
                fact(Revenue, "2024-01-01", "2024-03-31", 11.0),
                fact(Equity, "", "2024-03-31", -5.0),
                fact(LongTermDebt, "", "2024-03-31", 5.0),
            ],
        ),
    ];
    let found = at(&sets, "2024-06-01").unwrap();
    assert_eq!(
        (found.basis, found.period_end),
        (Basis::FiscalYear, day("2023-06-30"))
    );
    assert_eq!(found.debt_to_equity, None);
}

#[test]
fn a_split_within_the_year_makes_earnings_per_share_anew() {
    use Concept::DilutedShares;
    let mut sets = acme();
    sets[1]
        .facts
        .push(fact(DilutedShares, "2024-04-01", "2024-06-30", 10.0));
    sets[4]
        .facts
        .push(fact(DilutedShares, "2025-01-01", "2025-03-31", 100.0));
    close(at(&sets, "2025-05-01").unwrap().eps_ttm, 12.0 / 100.0);
    // The annual report's own number makes a sum unnecessary.
    close(at(&sets, "2025-04-30").unwrap().eps_ttm, 1.0);
}

#[test]
fn another_currency_is_left_out() {
    let mut sets = acme();
    let mut foreign = fact(Concept::Revenue, "2025-01-01", "2025-03-31", 4_000.0);
    foreign.unit = "COP".into();
    sets[4].facts.push(foreign);
    close(at(&sets, "2025-05-01").unwrap().revenue_ttm, 108.0);
}

mod odd {
    use proptest::prelude::*;

    use super::*;

    fn any_fact() -> impl Strategy<Value = Fact> {
        let concepts = [
            Concept::Revenue,
            Concept::NetIncome,
            Concept::EpsDiluted,
            Concept::DilutedShares,
            Concept::Equity,
            Concept::LongTermDebt,
            Concept::GrossProfit,
        ];
        let value = prop_oneof![
            -1e3..1e3,
            Just(0.0),
            Just(f64::NAN),
            Just(f64::MAX),
            Just(f64::MIN)
        ];
        let lengths = [-1, 0, 1, 90, 91, 181, 273, 365];
        (0..concepts.len(), 0..lengths.len(), 0..12_i32, value).prop_map(
            move |(concept, length, quarter, value)| {
                let end = Day::new(19_000 + quarter * 91).unwrap();
                let length = lengths[length];
                Fact {
                    concept: concepts[concept],
                    start: (length >= 0).then(|| end.plus(1 - length)),
                    end,
                    value,
                    unit: "USD".into(),
                }
            },
        )
    }

    proptest! {
        #[test]
        fn whatever_is_reported_the_figures_are_finite(
            filings in prop::collection::vec((0..40_i32, prop::collection::vec(any_fact(), 0..12)), 0..8),
            as_of in 0..50_i32,
        ) {
            let sets: Vec<FactSet> = filings
                .into_iter()
                .map(|(filed, facts)| FactSet { filed: Day::new(19_000 + filed * 30).unwrap(), ..set("10-Q", "2020-01-01", facts) })
                .collect();
            let sets: Vec<&FactSet> = sets.iter().collect();
            let as_of = Day::new(19_000 + as_of * 30).unwrap();
            if let Some(found) = fundamentals(&sets, as_of) {
                prop_assert!(found.filed <= as_of);
                let figures = [
                    found.revenue_ttm, found.net_income_ttm, found.eps_ttm, found.profit_margin_pct, found.debt_to_equity,
                    found.gross_margin_pct,
                ];
                prop_assert!(figures.iter().flatten().all(|figure| figure.is_finite()));
                prop_assert!(found.revenue_ttm.is_some() || found.net_income_ttm.is_some());
            }
            for (period, days) in [(StatementPeriod::Quarter, 84..=98), (StatementPeriod::Year, 350..=380)] {
                let (_, rows) = statements(&sets, period).unwrap_or_default();
                prop_assert!(rows.is_sorted_by(|one, next| one.end < next.end));
                for row in &rows {
                    prop_assert!(days.contains(&(row.end.since(row.start) + 1)));
                    let figures = [
                        row.revenue, row.net_income, row.eps, row.free_cash_flow(), row.debt_to_equity(),
                        row.of_revenue(row.gross_profit), row.net_income_on(row.assets),
                        change_since_a_year(&rows, row, |one| one.revenue),
                    ];
                    prop_assert!(figures.iter().flatten().all(|figure| figure.is_finite()));
                }
            }
        }
    }
}
