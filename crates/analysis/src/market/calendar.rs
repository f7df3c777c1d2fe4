//! Upcoming and past events: earnings, days on which the exchange is closed or closes early, economic releases.
//!
//! Releases are listed if their day follows a rule: the employment report and the weekly claims. Consumer prices,
//! output, retail sales, housing starts and rate decisions follow no rule, only a published list, which is not on
//! record here.

mod holidays;
mod releases;

use std::collections::HashMap;

use market::calendar::{self, Session};
use model::{
    AssetType, Day, Earnings, EarningsStatus, InstrumentKey, ReportTime, Symbol, Timestamp,
};
use store::RecordQuery;

use super::records::Records;
use super::{DataIssue, Estimates, Instruments, PointInTime};
use crate::Result;

/// What kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The exchange is closed on a weekday.
    Holiday,
    /// The exchange closes early.
    HalfDay,
    /// Economic figures are published.
    Economic,
    /// A company reports earnings.
    Earnings,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Holiday, Self::HalfDay, Self::Economic, Self::Earnings];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Holiday => "holiday",
            Self::HalfDay => "half_day",
            Self::Economic => "economic",
            Self::Earnings => "earnings",
        }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduledEvent {
    /// Its day, in New York.
    pub day: Day,
    /// What kind of event it is.
    pub kind: EventKind,
    /// A title such as `Thanksgiving Day`.
    pub title: String,
    /// The company reporting earnings.
    pub ticker: Option<String>,
    /// The time, if the hour is known: for a half day, when trading ends.
    pub at: Option<Timestamp>,
    /// Whether the day is confirmed; otherwise it was projected.
    pub is_confirmed: bool,
    /// Further details.
    pub details: EventDetails,
}

/// What is known about an event apart from its day.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct EventDetails {
    pub fiscal_quarter: Option<String>,
    pub usual_time: Option<ReportTime>,
    pub eps_estimate: Option<f64>,
    pub revenue_estimate: Option<f64>,
    pub eps_actual: Option<f64>,
    pub revenue_actual: Option<f64>,
    /// Who reported it, or the rule by which its day was projected.
    pub source: String,
}

/// Which events to list.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduleQuery {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// Only these kinds; empty means all.
    pub kinds: Vec<EventKind>,
    /// Only earnings of these symbols; empty means all. Other events concern everybody.
    pub tickers: Vec<Symbol>,
}

impl ScheduleQuery {
    fn wants(&self, kind: EventKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// Reads the calendar of events.
#[derive(Clone, Debug)]
pub struct EventCalendar {
    records: Records,
    instruments: Instruments,
    estimates: Estimates,
}

impl EventCalendar {
    pub(super) fn new(records: Records, instruments: Instruments) -> Self {
        Self {
            estimates: Estimates::new(records.clone()),
            records,
            instruments,
        }
    }

    /// The events as known at a point in time, in chronological order, and what is left out.
    pub async fn events(
        &self,
        query: &ScheduleQuery,
        when: PointInTime,
    ) -> Result<(Vec<ScheduledEvent>, Vec<DataIssue>)> {
        let mut events = Vec::new();
        let mut issues = Vec::new();
        for day in (query.from.get()..=query.to.get()).filter_map(Day::new) {
            let (kind, at) = match calendar::session(day) {
                Session::Half => (EventKind::HalfDay, calendar::closes_at(day)),
                Session::None => (EventKind::Holiday, None),
                Session::Full => continue,
            };
            if query.wants(kind)
                && let Some(name) = holidays::name(day, kind)
            {
                events.push(ScheduledEvent {
                    day,
                    kind,
                    title: name.to_owned(),
                    ticker: None,
                    at,
                    is_confirmed: true,
                    details: EventDetails {
                        source: "New York Stock Exchange trading calendar".to_owned(),
                        ..EventDetails::default()
                    },
                });
            }
        }
        if query.wants(EventKind::Economic) {
            events.extend(releases::between(query.from, query.to));
            issues.push(DataIssue::absent(
                "events",
                "of the economic releases, only the employment report and weekly jobless claims are projected; the others follow published schedules that are not included here",
            ));
        }
        if query.wants(EventKind::Earnings) {
            let mut found = self.earnings(query, when).await?;
            found.extend(self.projected(query, when).await?);
            if found.is_empty() {
                let reason = "no earnings are scheduled or reported in this period";
                issues.push(DataIssue::absent("events", reason));
            }
            events.extend(found);
        }
        events.sort_by(|left, right| {
            (left.day, left.kind, &left.ticker, left.at).cmp(&(
                right.day,
                right.kind,
                &right.ticker,
                right.at,
            ))
        });
        Ok((events, issues))
    }

    async fn earnings(
        &self,
        query: &ScheduleQuery,
        when: PointInTime,
    ) -> Result<Vec<ScheduledEvent>> {
        let wanted = RecordQuery {
            from: Some(query.from),
            to: Some(query.to),
            ..RecordQuery::default()
        };
        let names: HashMap<InstrumentKey, String> = self
            .instruments
            .all()
            .await?
            .iter()
            .filter(|listing| listing.asset_type() != AssetType::Crypto)
            .map(|listing| {
                let name = listing.instrument.entity_name().to_owned();
                (listing.instrument.key(), name)
            })
            .collect();
        let stored = self.records.held::<Earnings>(when, wanted).await?;
        Ok(stored
            .into_iter()
            .map(|stored| stored.record)
            .filter(|one| query.tickers.is_empty() || query.tickers.contains(&one.symbol))
            .map(|one| {
                let key = InstrumentKey::stock(one.symbol.clone());
                let name = names.get(&key).map_or(one.symbol.as_str(), String::as_str);
                ScheduledEvent {
                    day: one.date,
                    kind: EventKind::Earnings,
                    title: format!("{name} {} earnings", one.fiscal_quarter),
                    ticker: Some(one.symbol.to_string()),
                    at: None,
                    is_confirmed: one.status != EarningsStatus::Estimated,
                    details: EventDetails {
                        fiscal_quarter: Some(one.fiscal_quarter),
                        usual_time: one.time,
                        eps_estimate: one.eps_estimate,
                        revenue_estimate: one.revenue_estimate,
                        eps_actual: one.eps_actual,
                        revenue_actual: one.revenue_actual,
                        source: one.source,
                    },
                }
            })
            .collect())
    }

    /// The next reports of the companies asked about by name, if only their usual rhythm tells when they are due.
    async fn projected(
        &self,
        query: &ScheduleQuery,
        when: PointInTime,
    ) -> Result<Vec<ScheduledEvent>> {
        let mut events = Vec::new();
        for symbol in &query.tickers {
            let key = InstrumentKey::stock(symbol.clone());
            let Some(listing) = self.instruments.find(&key).await? else {
                continue;
            };
            let view = self.estimates.earnings_of(&listing, when).await?;
            let (quarter, usual_time) = (view.next_quarter(), view.usual_time());
            let Some(projection) = view.projection else {
                continue;
            };
            if !(query.from..=query.to).contains(&projection.day) {
                continue;
            }
            let name = listing.instrument.entity_name();
            let title = match &quarter {
                Some(quarter) => format!("{name} {quarter} earnings"),
                None => format!("{name} earnings"),
            };
            events.push(ScheduledEvent {
                day: projection.day,
                kind: EventKind::Earnings,
                title,
                ticker: Some(symbol.to_string()),
                at: None,
                is_confirmed: false,
                details: EventDetails {
                    fiscal_quarter: quarter,
                    usual_time,
                    source: "projected from the dates of the same quarter in earlier years"
                        .to_owned(),
                    ..EventDetails::default()
                },
            });
        }
        Ok(events)
    }
}
