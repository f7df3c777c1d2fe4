use model::{Chamber, CongressTrade, Day, Symbol};

use super::super::*;
use crate::import::market::Reading;

const HEAD: &str = "disclosure_date,transaction_date,owner,ticker,asset_description,type,amount,representative,ptr_link\n";

fn house(rows: &str) -> Reading {
    parse_congress(
        "x.csv",
        format!("{HEAD}{rows}").as_bytes(),
        &DisclosureOptions::default(),
    )
    .unwrap()
}

fn one(row: &str) -> CongressTrade {
    let reading = house(row);
    assert_eq!(reading.report.refused_total(), 0, "{:?}", reading.report);
    reading.batch.congress_trades.into_iter().next().unwrap()
}

#[test]
fn a_row_becomes_a_trade() {
    let trade = one(
        "10/04/2021,2021-09-27,joint,brk-b,Example plc,sale_partial,\"$1,001 - $15,000\",Hon. Jane Q. Doe,https://example.com/1\n",
    );
    assert_eq!(
        (trade.member.as_str(), trade.chamber),
        ("Jane Q. Doe", Chamber::House)
    );
    assert_eq!(trade.symbol, Symbol::parse("BRK.B"));
    assert_eq!(
        (trade.transaction_type.as_str(), trade.owner.as_deref()),
        ("sell_partial", Some("joint"))
    );
    assert_eq!(
        (trade.amount_low, trade.amount_high),
        (Some(1_001.0), Some(15_000.0))
    );
    assert_eq!(trade.transaction_date, Day::parse("2021-09-27"));
    assert_eq!(trade.disclosure_date, Day::parse("2021-10-04").unwrap());
}

#[test]
fn dirt_becomes_absent_or_is_refused() {
    for date in ["0021-08-02", "10/05/2021", "", "2035-01-01", "2021-02-30"] {
        let trade = one(&format!(
            "10/04/2021,{date},--,--,A bond,purchase,\"$1,001 -\",Jane Doe,\n"
        ));
        assert_eq!(
            (trade.transaction_date, trade.symbol, trade.owner),
            (None, None, None),
            "{date}"
        );
        assert_eq!(
            (trade.amount_low, trade.amount_high),
            (Some(1_001.0), Some(15_000.0))
        );
    }
    for (row, reason) in [
        (
            "03/28/1935,2021-01-01,,AAPL,A,purchase,x,Jane Doe,\n",
            "the day of disclosure is impossible",
        ),
        (
            ",2021-01-01,,AAPL,A,purchase,x,Jane Doe,\n",
            "the row does not say when it was disclosed",
        ),
        (
            "10/04/2021,2021-01-01,,--,,purchase,x,Jane Doe,\n",
            "the row does not name an asset",
        ),
        (
            "10/04/2021,2021-01-01,,AAPL,A,wish,x,Jane Doe,\n",
            "the row does not give the type of trade",
        ),
        (
            "10/04/2021,2021-01-01,,AAPL,A,purchase,x,Former Senator,\n",
            "the row does not name a member",
        ),
    ] {
        assert_eq!(
            house(row).report.refused.keys().next().map(String::as_str),
            Some(reason)
        );
    }
}

#[test]
fn symbols_stand_in_the_text_where_the_column_is_empty() {
    for (ticker, asset, expected) in [
        ("--", "Example Inc. (EXMP) [ST]", Some("EXMP")),
        ("--", "Berkshire (BRK.B)", Some("BRK.B")),
        ("--", "US TREASURY BILL (912797KJ5)", None),
        ("--", "County revenue (MUNI)", None),
        ("BTC-USD", "Bitcoin", None),
        ("AAPl", "Apple", Some("AAPL")),
    ] {
        let trade = one(&format!(
            "10/04/2021,2021-01-01,,{ticker},{asset},exchange,\"Over $50,000,000\",Jane Doe,\n"
        ));
        assert_eq!(
            trade.symbol.as_ref().map(Symbol::as_str),
            expected,
            "{asset}"
        );
        assert_eq!(
            (trade.amount_low, trade.amount_high),
            (Some(50_000_000.0), None)
        );
    }
}

#[test]
fn a_later_disclosure_replaces_and_equal_lines_are_counted_through() {
    let row = |disclosed: &str, amount: &str, url: &str| {
        format!(
            "{disclosed},2021-09-27,,ACM,Acme,purchase,{amount},Jane Doe,https://example.com/{url}\n"
        )
    };
    let first = row("10/04/2021", "$1", "1") + &row("10/04/2021", "$2", "1");
    assert_eq!(house(&first).batch.congress_trades.len(), 2);
    for order in [
        [first.clone(), row("11/04/2021", "$3", "2")],
        [row("11/04/2021", "$3", "2"), first.clone()],
    ] {
        let reading = house(&order.concat());
        let mut amounts: Vec<_> = reading
            .batch
            .congress_trades
            .iter()
            .map(|trade| trade.amount_range.as_str())
            .collect();
        amounts.sort_unstable();
        assert_eq!(amounts, ["$2", "$3"]);
        assert_eq!(reading.report.refused_total(), 1);
    }
}

#[test]
fn senators_come_as_json_with_markup_and_parties() {
    let legislators = parse_legislators(
        br#"[{"first": "Jane", "last": "Doe", "chamber": "senate", "party": "Independent"}]"#,
    )
    .unwrap();
    let options = DisclosureOptions {
        legislators: &legislators,
        ..DisclosureOptions::default()
    };
    let text = r#"[{"transaction_date": "12/13/2024", "owner": "Child", "ticker": null, "asset_type": "Corporate Bond", "type": "Sale (Full)",
        "asset_description": "OWENS &amp; Co (OWE) <div class=\"x\"><em>Matures:</em> 09/15/2021</div>", "amount": "Unknown", "senator": "Doe, Jane Q.", "disclosure_date": "01/02/2025"},
        {"senator": "Doe, Jane", "asset_type": "PDF Disclosed Filing", "disclosure_date": "01/02/2025"}, 7]"#;
    let reading = parse_congress("x.json", text.as_bytes(), &options).unwrap();
    let [trade] = &reading.batch.congress_trades[..] else {
        panic!()
    };
    assert_eq!(
        (trade.asset.as_str(), trade.symbol.as_ref()),
        ("OWENS & Co (OWE) Matures: 09/15/2021", None)
    );
    assert_eq!(
        (trade.party.as_deref(), trade.chamber),
        (Some("Independent"), Chamber::Senate)
    );
    assert_eq!(
        (trade.owner.as_deref(), trade.amount_low),
        (Some("dependent"), None)
    );
    assert_eq!(reading.report.refused_total(), 2);
}

#[test]
fn what_is_no_table_of_trades_is_refused() {
    let table =
        br#"[{"first": "Jane", "last": "Doe", "chamber": "senate", "party": "Independent"}]"#;
    let error = parse_congress("x", table, &DisclosureOptions::default()).unwrap_err();
    assert!(error.to_string().contains("parties"), "{error}");
    for text in ["", "[]", "{}", "a,b\n1,2", "[1"] {
        assert!(
            parse_congress("x", text.as_bytes(), &DisclosureOptions::default()).is_err(),
            "{text}"
        );
    }
}
