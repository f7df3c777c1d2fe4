//! Cash dividends on shares: one per quarter, announced with the results for the previous quarter.
//!
//! The amounts are those reported in filings, so that dividend yield, corporate actions and total returns agree. Prices
//! do not fall on an ex-date: a quarterly dividend is less than a share's daily move.

use std::ops::Range;

use model::{ActionKind, CorporateAction, MarketBatch, Timestamp};

use super::clock::{end_of, working_day};
use super::reports::Business;
use super::tables::Tables;
use super::{MarketWorld, SOURCE};
use crate::random::Random;

/// The fewest and most days from the announcement to the ex-date; each company sticks to its own number. Even the
/// latest report plus the longest of these still falls within the quarter that is paid for.
const AHEAD_DAYS: [i64; 2] = [8, 18];

impl MarketWorld {
    /// Dividends with an ex-date in the published history, known on the evening of their announcement.
    pub(super) fn add_dividends(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let [fewest, most] = AHEAD_DAYS;
        let reports = &self.paths().reports;
        for (share, reports) in Tables::get().shares.iter().zip(reports) {
            let business = Business::of(self.seed, share);
            let mut random = Random::of(&[self.seed, 13, share.stream]);
            let ahead = random.range(fewest, most) as i32;
            for report in reports {
                if !stretch.contains(&end_of(report.day)) {
                    continue;
                }
                let planned = working_day(report.day.plus(ahead));
                let session = self.clock.next(planned);
                let ex_date = session.map_or(planned, |place| self.clock.sessions()[place].day);
                let amount = business.dividend(share, report.quarter.next());
                if amount <= 0.0 || ex_date < self.history_from {
                    continue;
                }
                batch.actions.push(CorporateAction {
                    symbol: share.symbol.clone(),
                    kind: ActionKind::Dividend,
                    ex_date,
                    ratio: None,
                    amount: Some(amount),
                    currency: Some(share.currency.to_owned()),
                    new_symbol: None,
                    announced: Some(report.day),
                    no_later_than: None,
                    source: SOURCE.to_owned(),
                });
            }
        }
    }
}
