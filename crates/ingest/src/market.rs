//! Market data into the store: from a batch from any source to rows, each with the time at which it became known.
//!
//! Data without a time of its own became known at the end of its day. Amendments replace what they amend.

mod actions;
mod naming;

use std::collections::BTreeMap;

use model::{
    Amendment, Day, Earnings, EarningsStatus, HoldingLine, InsiderForm, InsiderLine, MarketBatch,
    Timestamp,
};
use store::{MarketTransaction, Record, Store, Written};

use crate::error::Result;
pub use actions::{ScaleFinding, ScaleNote};
pub use naming::{NamedDisclosures, name_disclosures};

/// How many days before its report a quarter's estimates count as known, if a source gives both at once.
const ESTIMATED_DAYS_BEFORE: i32 = 80;

/// What a batch did, by the kind of rows it held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarketOutcome {
    /// Rows by name, such as `candles`.
    pub written: BTreeMap<&'static str, Written>,
    /// Candles that are not in the scale of the stored ones, and how they were handled.
    pub scales: Vec<ScaleNote>,
}

impl MarketOutcome {
    /// Counts another outcome as well.
    pub fn add(&mut self, other: &Self) {
        for (name, written) in &other.written {
            self.written.entry(name).or_default().add(*written);
        }
        self.scales.extend(other.scales.iter().cloned());
    }

    fn note(&mut self, name: &'static str, written: Written) {
        if written.total() > 0 {
            self.written.entry(name).or_default().add(written);
        }
    }
}

/// Writes a batch in one transaction. Repeating it changes nothing.
pub async fn write_market(
    store: &Store,
    batch: &MarketBatch,
    recorded_at: Timestamp,
) -> Result<MarketOutcome> {
    let mut transaction = store.market_transaction(recorded_at).await?;
    let mut outcome = MarketOutcome::default();
    outcome.note(
        "instruments",
        transaction.put_instruments(&batch.instruments).await?,
    );
    actions::write_actions(&mut transaction, &mut outcome, &batch.actions, recorded_at).await?;
    for (key, candles) in &batch.candles {
        actions::write_candles(
            &mut transaction,
            &mut outcome,
            (key, candles),
            (batch.scale, &batch.source),
            recorded_at,
        )
        .await?;
    }
    for (series, observations) in &batch.series {
        outcome.note(
            "values",
            transaction.put_values(series, observations).await?,
        );
    }
    for (symbol, days) in &batch.sentiment {
        let written = transaction.put_simulated_sentiment(symbol, days).await?;
        outcome.note("sentiment_days", written);
    }
    let writer = &mut Writer {
        transaction: &mut transaction,
        outcome: &mut outcome,
    };
    writer
        .put("filings_with_facts", &batch.facts, |set| {
            set.accepted_at.unwrap_or_else(|| end_of(set.filed))
        })
        .await?;
    writer
        .put("valuations", &batch.valuations, |table| {
            table.at.map_or(recorded_at, |at| at.min(recorded_at))
        })
        .await?;
    writer
        .put("ratings", &batch.ratings, |rating| end_of(rating.day))
        .await?;
    writer
        .put("filings", &batch.filings, |filing| {
            filing
                .accepted_at
                .unwrap_or_else(|| end_of(filing.filed_date))
        })
        .await?;
    writer
        .put("congress_trades", &batch.congress_trades, |trade| {
            end_of(trade.disclosure_date)
        })
        .await?;
    writer.put("coins", &batch.coins, |coin| coin.at).await?;
    writer
        .put("hours", &batch.hours, model::HourBar::ends_at)
        .await?;
    writer
        .put("crypto_globals", &batch.crypto_globals, |global| global.at)
        .await?;
    writer
        .put("protocols", &batch.protocols, |protocol| protocol.at)
        .await?;
    writer
        .put("chains", &batch.chains, |chain| chain.at)
        .await?;
    writer.earnings(&batch.earnings, recorded_at).await?;
    // An amendment finds what it amends only once that is stored.
    let mut forms: Vec<&InsiderForm> = batch.insider_forms.iter().collect();
    forms.sort_by_key(|form| form.filed);
    for form in forms {
        writer.insider_form(form).await?;
    }
    for report in &batch.holdings_reports {
        writer.holdings(report).await?;
    }
    transaction.commit().await?;
    Ok(outcome)
}

/// The start of the next day.
fn end_of(day: Day) -> Timestamp {
    day.plus(1).starts_at()
}

struct Writer<'a> {
    transaction: &'a mut MarketTransaction,
    outcome: &'a mut MarketOutcome,
}

impl Writer<'_> {
    async fn put<R: Record + Clone>(
        &mut self,
        name: &'static str,
        records: &[R],
        known_at: impl Fn(&R) -> Timestamp,
    ) -> Result<()> {
        let records = records
            .iter()
            .map(|record| (record.clone(), known_at(record)));
        let written = self.transaction.put_records(records).await?;
        self.outcome.note(name, written);
        Ok(())
    }

    /// If a report carries its estimates, they were made before it was reported.
    async fn earnings(&mut self, earnings: &[Earnings], recorded_at: Timestamp) -> Result<()> {
        // What was reported comes first: an estimate for the same quarter must never take its place.
        let is_reported = |one: &&Earnings| one.status == EarningsStatus::Reported;
        let reported = earnings.iter().filter(is_reported);
        let awaited = earnings.iter().filter(|one| !is_reported(one));
        let mut versions = Vec::with_capacity(earnings.len() * 2);
        for one in reported.chain(awaited) {
            let expected_from = one
                .date
                .plus(-ESTIMATED_DAYS_BEFORE)
                .starts_at()
                .min(recorded_at);
            if one.status == EarningsStatus::Reported {
                versions.push((one.clone(), end_of(one.date).min(recorded_at)));
                if one.eps_estimate.is_some() || one.revenue_estimate.is_some() {
                    let expected = Earnings {
                        status: EarningsStatus::Estimated,
                        eps_actual: None,
                        revenue_actual: None,
                        ..one.clone()
                    };
                    versions.push((expected, expected_from));
                }
            } else {
                versions.push((one.clone(), expected_from));
            }
        }
        let written = self.transaction.put_records(versions).await?;
        self.outcome.note("earnings", written);
        Ok(())
    }

    /// An amendment closes the lines of the form whose day it names. If there are several forms of that day, it is the
    /// one that reports a trade on the same day.
    async fn insider_form(&mut self, form: &InsiderForm) -> Result<()> {
        let known_at = form.accepted_at.unwrap_or_else(|| end_of(form.filed));
        if let Some(original_day) = form.amends {
            let bundle = format!("{}|{}|{original_day}", form.symbol, form.owner_cik);
            let standing: Vec<InsiderLine> = self.transaction.bundle(&bundle).await?;
            let amended = standing
                .iter()
                .find(|line| {
                    form.trades
                        .iter()
                        .any(|trade| trade.date == line.trade.date)
                })
                .or(standing.first())
                .map(|line| line.accession.clone());
            let lines = standing
                .iter()
                .filter(|line| Some(&line.accession) == amended.as_ref());
            for line in lines {
                self.transaction
                    .close_record::<InsiderLine>(&line.facets().id, known_at)
                    .await?;
            }
        }
        let lines: Vec<InsiderLine> = form.lines().collect();
        let written = self
            .transaction
            .put_records(lines.into_iter().map(|line| (line, known_at)))
            .await?;
        self.outcome.note("insider_trades", written);
        Ok(())
    }

    /// A restatement closes what the form before it said about other securities; those that it names again are replaced
    /// by their identity. Added holdings add their shares to the existing ones.
    async fn holdings(&mut self, report: &model::HoldingsReport) -> Result<()> {
        let known_at = end_of(report.filed);
        let bundle = format!("{}|{}", report.institution_cik, report.report_date);
        let mut lines: Vec<HoldingLine> = report.lines().collect();
        if let Some(amendment) = report.amendment {
            let standing: Vec<HoldingLine> = self.transaction.bundle(&bundle).await?;
            for before in standing
                .iter()
                .filter(|before| before.accession != report.accession)
            {
                let same = lines
                    .iter_mut()
                    .find(|line| line.holding.cusip == before.holding.cusip);
                match (amendment, same) {
                    (Amendment::Restatement, None) => {
                        let id = before.facets().id;
                        self.transaction
                            .close_record::<HoldingLine>(&id, known_at)
                            .await?;
                    }
                    (Amendment::NewHoldings, Some(line)) => {
                        line.holding.shares += before.holding.shares;
                        line.holding.value += before.holding.value;
                    }
                    _ => {}
                }
            }
        }
        let lines = lines.into_iter().map(|line| (line, known_at));
        let written = self.transaction.put_records(lines).await?;
        self.outcome.note("holdings", written);
        Ok(())
    }
}
