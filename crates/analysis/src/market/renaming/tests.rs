use model::{Candle, PriceScale};

use super::*;

fn symbol(text: &str) -> Symbol {
    Symbol::parse(text).unwrap()
}

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn change(old: &str, new: &str, on: &str) -> CorporateAction {
    CorporateAction {
        symbol: symbol(old),
        kind: ActionKind::SymbolChange,
        ex_date: day(on),
        ratio: None,
        amount: None,
        currency: None,
        new_symbol: Some(symbol(new)),
        announced: None,
        no_later_than: None,
        source: "actions".to_owned(),
    }
}

fn history(closes: &[(&str, f64)]) -> History<ScaledCandle> {
    let rows = closes.iter().map(|(on, close)| ScaledCandle {
        candle: Candle {
            day: day(on),
            open: *close,
            high: *close,
            low: *close,
            close: *close,
            volume: 1.0,
        },
        scale: PriceScale::Newest,
    });
    History {
        rows: rows.collect(),
        last_correction: None,
        recorded_at: None,
    }
}

fn closes(renamings: &Renamings, of: &str, held: &[(&str, &[(&str, f64)])]) -> Vec<(String, f64)> {
    let joined = joined(&renamings.spans(&symbol(of), |_| true), |wanted| {
        let found = held.iter().find(|(name, _)| symbol(name) == *wanted)?;
        Some(history(found.1))
    });
    let rows = joined.history.rows;
    rows.iter()
        .map(|row| (row.candle.day.to_string(), row.candle.close))
        .collect()
}

fn reused() -> Renamings {
    Renamings::new(
        &[
            change("META", "METV", "2022-01-31"),
            change("FB", "META", "2022-06-09"),
        ],
        Day::MAX,
    )
}

#[test]
fn a_history_goes_on_under_the_new_symbol() {
    let held: &[(&str, &[(&str, f64)])] = &[
        ("META", &[("2021-12-01", 15.0), ("2022-06-09", 184.0)]),
        (
            "FB",
            &[
                ("2021-12-01", 310.6),
                ("2022-06-08", 196.6),
                ("2023-01-03", 9.0),
            ],
        ),
        ("METV", &[("2022-01-31", 11.0)]),
    ];
    let found = |of| closes(&reused(), of, held);
    let row = |on: &str, close: f64| (on.to_owned(), close);
    assert_eq!(
        found("META"),
        [
            row("2021-12-01", 310.6),
            row("2022-06-08", 196.6),
            row("2022-06-09", 184.0)
        ]
    );
    assert_eq!(
        found("METV"),
        [row("2021-12-01", 15.0), row("2022-01-31", 11.0)]
    );
    // What has traded as FB since then is another company.
    assert_eq!(found("FB"), [row("2023-01-03", 9.0)]);
}

#[test]
fn a_history_that_was_restated_under_the_new_symbol_stands_for_itself() {
    let held: &[(&str, &[(&str, f64)])] = &[
        (
            "META",
            &[
                ("2021-12-01", 310.0),
                ("2022-03-01", 203.0),
                ("2022-03-02", 208.0),
                ("2022-03-03", 202.0),
                ("2022-03-04", 200.0),
                ("2022-03-07", 187.0),
                ("2022-06-09", 184.0),
            ],
        ),
        ("FB", &[("2021-11-30", 324.5), ("2021-12-01", 310.6)]),
        ("METV", &[("2022-01-31", 11.0)]),
    ];
    let found = |of| closes(&reused(), of, held);
    let values = |of| {
        found(of)
            .into_iter()
            .map(|(_, close)| close)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        values("META"),
        [324.5, 310.0, 203.0, 208.0, 202.0, 200.0, 187.0, 184.0]
    );
    assert_eq!(values("METV"), [11.0]);
}

#[test]
fn a_symbol_leads_to_what_its_company_became_and_not_to_what_its_name_did_before() {
    let renamings = reused();
    let successors = |renamings: &Renamings, of| {
        let names = renamings.successors(&symbol(of));
        names.into_iter().map(Symbol::to_string).collect::<Vec<_>>()
    };
    assert_eq!(successors(&renamings, "FB"), ["META"]);
    assert_eq!(successors(&renamings, "META"), ["METV"]);
    assert_eq!(successors(&renamings, "METV"), [""; 0]);
    assert_eq!(renamings.given_up(&symbol("FB")), Some(day("2022-06-09")));
    assert_eq!(renamings.given_up(&symbol("META")), None);
    let chain = Renamings::new(
        &[
            change("A", "B", "2020-01-02"),
            change("B", "C", "2021-01-04"),
        ],
        Day::MAX,
    );
    assert_eq!(successors(&chain, "A"), ["B", "C"]);
}

#[test]
fn a_symbol_means_the_company_that_had_it_on_the_day() {
    let renamings = reused();
    let held = |of: &str, on: &str| {
        let holder = renamings.holder(&symbol(of), day(on))?;
        let names = holder.later.into_iter().map(Symbol::to_string);
        Some((names.collect::<Vec<_>>(), holder.is_free, holder.is_taken))
    };
    let metv = |is_free| Some((vec!["METV".to_owned()], is_free, true));
    assert_eq!(held("META", "2021-01-04"), metv(false));
    assert_eq!(held("META", "2022-01-30"), metv(false));
    // Nobody had it in between, so it still leads to the fund.
    assert_eq!(held("META", "2022-01-31"), metv(true));
    assert_eq!(held("META", "2022-06-08"), metv(true));
    assert_eq!(held("META", "2022-06-09"), None);
    let meta = |is_free| Some((vec!["META".to_owned()], is_free, false));
    assert_eq!(held("FB", "2021-01-04"), meta(false));
    assert_eq!(held("FB", "2023-01-03"), meta(true));
    // Nobody is known to have had it earlier.
    assert_eq!(held("METV", "2021-01-04"), None);
    assert_eq!(held("IBM", "2021-01-04"), None);
}

#[test]
fn a_company_that_ended_is_not_the_one_that_took_its_symbol_up() {
    let gone = CorporateAction {
        kind: ActionKind::Delisting,
        new_symbol: None,
        ..change("X", "X", "2018-05-01")
    };
    let changes = [
        change("W", "X", "2015-01-05"),
        gone,
        change("QQ", "X", "2020-01-02"),
    ];
    let renamings = Renamings::new(&changes, Day::MAX);
    let ended = Holder {
        later: Vec::new(),
        is_free: false,
        is_taken: true,
    };
    assert_eq!(
        renamings.holder(&symbol("X"), day("2017-01-03")),
        Some(ended)
    );
    assert_eq!(renamings.holder(&symbol("X"), day("2020-01-02")), None);
    // Nor under the name it had before.
    assert!(renamings.successors(&symbol("W")).is_empty());
    assert_eq!(renamings.successors(&symbol("QQ")), [&symbol("X")]);
}

#[test]
fn a_symbol_stays_where_nothing_is_listed_under_the_new_one() {
    let chain = Renamings::new(
        &[
            change("A", "B", "2020-01-02"),
            change("B", "C", "2021-01-04"),
        ],
        Day::MAX,
    );
    let spans = |of: &str, listed: &'static str| {
        let spans = chain.spans(&symbol(of), |other| *other == symbol(listed));
        let symbols = spans.into_iter().map(|span| span.symbol.to_string());
        symbols.collect::<Vec<_>>()
    };
    assert_eq!(spans("B", "A"), ["B", "A"]);
    assert_eq!(spans("B", "C"), ["B"]);
    assert_eq!(spans("C", "C"), ["C", "B", "A"]);
    assert_eq!(spans("A", "D"), [""; 0]);
}

#[test]
fn names_that_go_round_end() {
    let round = Renamings::new(
        &[
            change("A", "B", "2020-01-02"),
            change("B", "A", "2021-01-04"),
            change("A", "A", "2022-01-03"),
        ],
        Day::MAX,
    );
    assert_eq!(round.successors(&symbol("A")), [&symbol("B")]);
    let of_a: Vec<Symbol> = round
        .spans(&symbol("A"), |_| true)
        .into_iter()
        .map(|span| span.symbol)
        .collect();
    assert_eq!(of_a, [symbol("A"), symbol("B"), symbol("A")]);
}

#[test]
fn what_is_announced_changes_nothing_yet() {
    let announced = [change("FB", "META", "2022-06-09")];
    let before = Renamings::new(&announced, day("2022-06-08"));
    assert_eq!(before.spans(&symbol("META"), |_| true), []);
    assert!(before.successors(&symbol("FB")).is_empty());
    let then = Renamings::new(&announced, day("2022-06-09"));
    assert_eq!(then.spans(&symbol("META"), |_| true).len(), 2);
}

#[test]
fn a_symbol_that_was_delisted_before_is_another_companys() {
    let gone = CorporateAction {
        kind: ActionKind::Delisting,
        new_symbol: None,
        ..change("X", "X", "2018-05-01")
    };
    let renamings = Renamings::new(&[gone, change("QQ", "X", "2020-01-02")], Day::MAX);
    let held: &[(&str, &[(&str, f64)])] = &[
        ("X", &[("2018-05-01", 3.0), ("2020-01-02", 50.0)]),
        ("QQ", &[("2018-05-01", 41.0), ("2019-12-31", 49.0)]),
    ];
    let values: Vec<f64> = closes(&renamings, "X", held)
        .into_iter()
        .map(|(_, close)| close)
        .collect();
    assert_eq!(values, [41.0, 49.0, 50.0]);
}

#[test]
fn a_name_that_another_company_took_up_leads_nowhere() {
    let renamings = Renamings::new(
        &[
            change("A", "B", "2020-01-02"),
            change("B", "C", "2021-01-04"),
            change("X", "B", "2022-01-03"),
        ],
        Day::MAX,
    );
    assert_eq!(renamings.successors(&symbol("A")), [&symbol("C")]);
    // Nothing is listed as C, so A keeps its history.
    let spans = renamings.spans(&symbol("A"), |other| *other == symbol("B"));
    assert_eq!(spans, []);
}
