//! The calendar beside the days on which real shares were traded.

use std::collections::BTreeSet;

use market::{CandleColumns, Day, Defect, calendar};

use crate::golden_real::{data, rows};

/// 2020-07 to 2025-07, by the files of the S&P 500 and of the nasdaq.com download. The first repeats Friday's bar on the
/// two observed Juneteenths, which is what the calendar is there to notice.
#[test]
fn sessions_are_the_days_that_have_candles() {
    if data().is_none() {
        return;
    }
    for (name, filled_in) in [
        (
            "equities_sp500_daily_2020-09_2023-06",
            &["2022-06-20", "2023-06-19"][..],
        ),
        ("equities_nasdaqcom_daily_2020-07_2025-07", &[]),
    ] {
        let (mut traded, mut closed) = (BTreeSet::new(), BTreeSet::new());
        for rows in rows(name, "symbol").values() {
            let (columns, refusals) = CandleColumns::sift_sessions(rows.iter().copied());
            traded.extend(columns.view().days().iter().copied());
            let refused = refusals
                .iter()
                .filter(|refusal| refusal.defect == Defect::NoSession);
            closed.extend(refused.map(|refusal| rows[refusal.row].day.to_string()));
        }
        assert!(closed.iter().eq(filled_in), "{name}: {closed:?}");
        let (first, last) = (*traded.first().unwrap(), *traded.last().unwrap());
        let expected: BTreeSet<Day> = calendar::sessions(first, last).collect();
        let differing: Vec<String> = traded
            .symmetric_difference(&expected)
            .map(Day::to_string)
            .collect();
        assert!(differing.is_empty(), "{name}: {differing:?}");
    }
}
