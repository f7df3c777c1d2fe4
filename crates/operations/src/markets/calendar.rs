//! `/events/calendar`: earnings, days without trading and economic releases.

use analysis::market::{EventKind, ScheduleQuery, ScheduledEvent};
use model::{Day, ReportTime, Symbol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Days that a calendar has unless it is said otherwise, and at most.
const USUAL_DAYS: i32 = 30;
const MOST_DAYS: i32 = 180;
/// Symbols at most.
const MOST_TICKERS: usize = 50;

/// Which events.
pub(crate) struct CalendarQuery {
    from: Option<Day>,
    to: Option<Day>,
    kind: Option<EventKind>,
    tickers: Vec<String>,
    limit: usize,
}

impl Parameters for CalendarQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = EventKind::ALL.map(|kind| (kind.as_str(), kind));
        let query = Self {
            from: arguments.date("from", "First day, YYYY-MM-DD; today or the day of `as_of` by default").map(Day::of),
            to: arguments.date("to", "Last day, YYYY-MM-DD, at most 180 days after the first; 30 by default").map(Day::of),
            kind: arguments.word("type", &kinds, "Only events of this kind"),
            tickers: arguments.list("tickers", MOST_TICKERS, "At most 50 symbols separated by commas: only their earnings are listed; market-wide events are always included"),
            limit: arguments.integer("limit", 1..=500, 100, "Entries in the answer") as usize,
        };
        arguments.in_order(query.from, query.to);
        query
    }
}

impl CalendarQuery {
    /// The day that the answer begins with.
    fn first(&self, context: &Context) -> Day {
        self.from.unwrap_or(Day::of(context.end()))
    }
}

/// Events in order of time.
#[derive(Serialize, ToSchema)]
pub(crate) struct CalendarBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The first day, YYYY-MM-DD.
    from: String,
    /// The last day, YYYY-MM-DD.
    to: String,
    /// The events.
    events: Vec<CalendarEventBody>,
    /// Events of the period, also those beyond the limit.
    total: usize,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// An event.
#[derive(Serialize, ToSchema)]
#[schema(as = CalendarEvent)]
pub(crate) struct CalendarEventBody {
    /// Day in New York, YYYY-MM-DD.
    date: String,
    /// `earnings`, `economic`, `holiday` or `half_day`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Title.
    title: String,
    /// Whose earnings; null for what concerns everybody.
    #[schema(required)]
    ticker: Option<String>,
    /// When, where the hour is known: of a release 08:30 in New York, of a half day the end of trading.
    #[schema(required)]
    time: Option<String>,
    /// `confirmed`, or `estimated` where the day was projected.
    status: &'static str,
    /// Further figures.
    details: EventDetailsBody,
}

/// What is known of an event beside its day.
#[derive(Serialize, ToSchema)]
#[schema(as = EventDetails)]
pub(crate) struct EventDetailsBody {
    /// Such as `Q3 2026`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fiscal_quarter: Option<String>,
    /// When in the day results are published: `before_market`, `during_market` or `after_market`; absent where neither the
    /// source nor the last announcements tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    usual_time: Option<&'static str>,
    /// In USD a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps_estimate: Option<f64>,
    /// In USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_estimate: Option<f64>,
    /// In USD a share, once it was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps_actual: Option<f64>,
    /// In USD, once it was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_actual: Option<f64>,
    /// Who reported it, or by which rule the day was projected.
    source: String,
}

impl From<ScheduledEvent> for CalendarEventBody {
    fn from(event: ScheduledEvent) -> Self {
        let details = event.details;
        Self {
            date: event.day.to_string(),
            kind: event.kind.as_str(),
            title: event.title,
            ticker: event.ticker,
            time: event.at.map(|at| at.to_string()),
            status: if event.is_confirmed {
                "confirmed"
            } else {
                "estimated"
            },
            details: EventDetailsBody {
                fiscal_quarter: details.fiscal_quarter,
                usual_time: details.usual_time.map(ReportTime::as_str),
                eps_estimate: details.eps_estimate,
                revenue_estimate: details.revenue_estimate,
                eps_actual: details.eps_actual,
                revenue_actual: details.revenue_actual,
                source: details.source,
            },
        }
    }
}

/// `GET /events/calendar`.
pub(crate) struct Calendar;

impl Operation for Calendar {
    type Input = CalendarQuery;
    type Output = CalendarBody;

    const ABOUT: About = About {
        name: "list_calendar_events",
        address: Address::get("/api/v1/events/calendar"),
        subject: "markets",
        summary: "Lists earnings, exchange holidays and half days, and economic releases in chronological order.",
        description: "Economic releases, the employment report and weekly jobless claims, are projected by rule and marked `estimated`. With `tickers`, so are the earnings of a company whose next date no source has, from when it reported the same quarter before. With `as_of`, earnings as known then.",
        answer: "The events",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"type": "earnings", "limit": 20}"#,
        ..About::READS
    };

    async fn variant(context: &Context, asked: &CalendarQuery) -> Result<Option<String>> {
        // The answer changes with the day that it begins with.
        Ok(Some(asked.first(context).to_string()))
    }

    async fn run(context: Context, asked: CalendarQuery) -> Result<CalendarBody> {
        let when = context.when();
        let from = asked.first(&context);
        let to = asked.to.unwrap_or(from.plus(USUAL_DAYS));
        if to < from {
            return Err(Error::invalid(format!(
                "to must not be before from, which is {from}"
            )));
        }
        if to.since(from) > MOST_DAYS {
            return Err(Error::invalid(format!(
                "to must be at most {MOST_DAYS} days after from, which is {from}"
            )));
        }
        let query = ScheduleQuery {
            from,
            to,
            kinds: asked.kind.into_iter().collect(),
            tickers: tickers(&context, &asked.tickers).await?,
        };
        let (events, issues) = context.calendar.events(&query, when).await?;
        Ok(CalendarBody {
            status: "ok",
            from: from.to_string(),
            to: to.to_string(),
            total: events.len(),
            events: events
                .into_iter()
                .take(asked.limit)
                .map(CalendarEventBody::from)
                .collect(),
            data_status: written(issues),
        })
    }
}

async fn tickers(context: &Context, asked: &[String]) -> Result<Vec<Symbol>> {
    let mut found = Vec::with_capacity(asked.len());
    for text in asked {
        let listing = context.listing(text).await?;
        found.push(listing.instrument.symbol.clone());
    }
    Ok(found)
}
