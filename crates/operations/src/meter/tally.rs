//! What one account used this month, in memory.

use model::{MicroUsd, Timestamp};
use store::MonthUsage;

use crate::settings::PlanTerms;

/// The month of one account.
#[derive(Debug)]
pub(super) struct Tally {
    day: i64,
    month: String,
    used: u64,
    /// What calls under way have set aside.
    reserved: u64,
    /// Calls that are reserved and whose charge is neither noted nor written yet: only this tally knows of it.
    open: u32,
    overage: MicroUsd,
    touched: Timestamp,
    /// Number of the newest batch with a charge of it.
    newest: u64,
}

/// Why a call cannot be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    CreditsExhausted,
    SpendingCapReached,
}

impl Tally {
    pub(super) fn new(usage: MonthUsage, now: Timestamp) -> Self {
        Self {
            day: now.day(),
            month: now.month(),
            used: usage.credits,
            reserved: 0,
            open: 0,
            overage: usage.overage,
            touched: now,
            newest: 0,
        }
    }

    /// A new month begins with nothing used. A clock that is set back changes nothing.
    pub(super) fn turn_to(&mut self, now: Timestamp) {
        self.touched = self.touched.max(now);
        if now.day() <= self.day {
            return;
        }
        self.day = now.day();
        let month = now.month();
        if month != self.month {
            self.month = month;
            self.used = 0;
            self.overage = MicroUsd(0);
        }
    }

    /// Opens a call and sets `price` aside for it, if it can be paid.
    pub(super) fn reserve(
        &mut self,
        terms: &PlanTerms,
        cap: MicroUsd,
        price: u64,
    ) -> Result<(), Refusal> {
        self.set_aside(terms, cap, price)?;
        self.open += 1;
        Ok(())
    }

    /// Sets `price` aside for an open call if, with all that is set aside already, it can be paid.
    pub(super) fn set_aside(
        &mut self,
        terms: &PlanTerms,
        cap: MicroUsd,
        price: u64,
    ) -> Result<(), Refusal> {
        let committed = self.committed().saturating_add(price);
        if let Some(included) = terms.credits
            && committed > included
            && price > 0
        {
            let Some(credit) = terms.overage else {
                return Err(Refusal::CreditsExhausted);
            };
            let beyond = committed - self.used.max(included);
            let spend = self.overage.0.saturating_add(money(beyond, credit).0);
            if spend > cap.0 {
                return Err(Refusal::SpendingCapReached);
            }
        }
        self.reserved = self.reserved.saturating_add(price);
        Ok(())
    }

    /// What is used already, and what calls under way may still use.
    pub(super) fn committed(&self) -> u64 {
        self.used.saturating_add(self.reserved)
    }

    /// Turns a reservation of `price` into a charge of `credits`; returns the part beyond the plan, in money. The call
    /// stays open until it is closed.
    pub(super) fn book(
        &mut self,
        price: u64,
        credits: u64,
        included: Option<u64>,
        credit: MicroUsd,
    ) -> MicroUsd {
        let before = self.used;
        self.used = self.used.saturating_add(credits);
        self.reserved = self.reserved.saturating_sub(price);
        let beyond = included.map_or(0, |included| self.used.saturating_sub(before.max(included)));
        let overage = money(beyond, credit);
        self.overage = MicroUsd(self.overage.0.saturating_add(overage.0));
        overage
    }

    /// Ends a call whose charge is noted, or that is not charged. `reserved` is what is still set aside for it.
    pub(super) fn close(&mut self, reserved: u64) {
        self.reserved = self.reserved.saturating_sub(reserved);
        self.open = self.open.saturating_sub(1);
    }

    /// Undoes a charge of this month.
    pub(super) fn take_back(&mut self, credits: u64, overage: MicroUsd, at: Timestamp) {
        if at.month() == self.month {
            self.used = self.used.saturating_sub(credits);
            self.overage = MicroUsd(self.overage.0.saturating_sub(overage.0).max(0));
        }
    }

    /// A charge of it is in the batch of that number.
    pub(super) fn note_batch(&mut self, batch: u64) {
        self.newest = self.newest.max(batch);
    }

    /// Nothing is open, nobody called for a while, and the ledger, which is written up to that batch, knows all of it.
    pub(super) fn is_idle(&self, now: Timestamp, after_ms: i64, written: u64) -> bool {
        self.is_settled(written) && now.since_ms(self.touched) > after_ms
    }

    /// Nothing is open, and the ledger, which is written up to that batch, knows all of it.
    pub(super) fn is_settled(&self, written: u64) -> bool {
        self.open == 0 && self.newest <= written
    }

    /// When it was last called.
    pub(super) const fn touched(&self) -> Timestamp {
        self.touched
    }
}

fn money(credits: u64, each: MicroUsd) -> MicroUsd {
    MicroUsd(
        i64::try_from(credits)
            .unwrap_or(i64::MAX)
            .saturating_mul(each.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Plans;
    use model::Plan;

    fn tally(used: u64) -> Tally {
        Tally::new(
            MonthUsage {
                calls: 0,
                credits: used,
                overage: MicroUsd(0),
            },
            Timestamp::from_ms(0),
        )
    }

    #[test]
    fn free_stops_at_its_credits() {
        let plans = Plans::default();
        let terms = plans.terms(Plan::Free);
        let mut tally = tally(995);
        assert_eq!(
            tally.reserve(terms, terms.default_cap, 6),
            Err(Refusal::CreditsExhausted)
        );
        assert_eq!(tally.reserve(terms, terms.default_cap, 5), Ok(()));
        assert_eq!(
            tally.reserve(terms, terms.default_cap, 1),
            Err(Refusal::CreditsExhausted)
        );
        assert_eq!(
            tally.reserve(terms, terms.default_cap, 0),
            Ok(()),
            "what is free stays open"
        );
        tally.close(5);
        assert_eq!(tally.reserve(terms, terms.default_cap, 1), Ok(()));
    }

    #[test]
    fn paid_plans_go_on_until_the_cap() {
        let plans = Plans::default();
        let terms = plans.terms(Plan::Builder);
        let mut tally = tally(4_999);
        let cap = MicroUsd(16_000);
        assert_eq!(
            tally.reserve(terms, cap, 3),
            Ok(()),
            "one credit is included, two cost 0.016 USD"
        );
        assert_eq!(
            tally.reserve(terms, cap, 1),
            Err(Refusal::SpendingCapReached)
        );
        assert_eq!(
            tally.book(3, 2, terms.credits, MicroUsd(8_000)),
            MicroUsd(8_000)
        );
        assert_eq!(tally.reserve(terms, cap, 1), Ok(()));
        assert_eq!(
            tally.reserve(terms, cap, 1),
            Err(Refusal::SpendingCapReached)
        );
    }

    #[test]
    fn payg_pays_for_every_credit() {
        let plans = Plans::default();
        let terms = plans.terms(Plan::Payg);
        let mut tally = tally(0);
        assert_eq!(tally.reserve(terms, MicroUsd(50_000), 5), Ok(()));
        assert_eq!(
            tally.book(5, 5, terms.credits, MicroUsd(10_000)),
            MicroUsd(50_000)
        );
        assert_eq!(
            tally.reserve(terms, MicroUsd(50_000), 1),
            Err(Refusal::SpendingCapReached)
        );
    }

    #[test]
    fn a_new_month_begins_with_nothing_used() {
        let plans = Plans::default();
        let terms = plans.terms(Plan::Free);
        let mut tally = tally(1_000);
        assert!(tally.reserve(terms, MicroUsd(0), 1).is_err());
        tally.turn_to(Timestamp::start_of_day(30));
        assert!(
            tally.reserve(terms, MicroUsd(0), 1).is_err(),
            "still January"
        );
        tally.turn_to(Timestamp::start_of_day(31));
        assert!(tally.reserve(terms, MicroUsd(0), 1).is_ok());
        tally.turn_to(Timestamp::start_of_day(30));
        assert!(
            tally.reserve(terms, MicroUsd(0), 1_000).is_err(),
            "a clock set back gives nothing away"
        );
    }
}
