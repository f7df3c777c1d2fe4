//! `/events/calendar`: earnings, market holidays and economic releases.

use analysis::market::{EventKind, ScheduleQuery, ScheduledEvent};
use model::{Day, ReportTime, Symbol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Default and maximum number of days in a calendar.
const USUAL_DAYS: i32 = 30;
const MOST_DAYS: i32 = 180;
/// Maximum number of symbols.
const MOST_TICKERS: usize = 50;

/// Which events to list.
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
            from: arguments.date("from", "First day, YYYY-MM-DD; by default today, or the day of `as_of`").map(Day::of),
            to: arguments.date("to", "Last day, YYYY-MM-DD, at most 180 days after the first; 30 days after it by default").map(Day::of),
            kind: arguments.word("type", &kinds, "Only events of this kind"),
            tickers: arguments.list("tickers", MOST_TICKERS, "At most 50 symbols separated by commas: earnings are listed for these symbols only; market-wide events are always included"),
            limit: arguments.integer("limit", 1..=500, 100, "Maximum number of entries") as usize,
        };
        arguments.in_order(query.from, query.to);
        query
    }
}

impl CalendarQuery {
    /// The first day of the response.
    fn first(&self, context: &Context) -> Day {
        self.from.unwrap_or(Day::of(context.end()))
    }
}

/// Events in chronological order.
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
    /// Total number of events in the period, including those beyond the limit.
    total: usize,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// An event.
#[derive(Serialize, ToSchema)]
#[schema(as = CalendarEvent)]
pub(crate) struct CalendarEventBody {
    /// Date in New York, YYYY-MM-DD.
    date: String,
    /// `earnings`, `economic`, `holiday` or `half_day`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Title of the event.
    title: String,
    /// Symbol of the company that reports earnings; null for market-wide events.
    #[schema(required)]
    ticker: Option<String>,
    /// Time of the event, if known: 08:30 in New York for a release, the end of trading for a half day.
    #[schema(required)]
    time: Option<String>,
    /// `confirmed`, or `estimated` if the day was projected.
    status: &'static str,
    /// Further details.
    details: EventDetailsBody,
}

/// Details of an event other than its date.
#[derive(Serialize, ToSchema)]
#[schema(as = EventDetails)]
pub(crate) struct EventDetailsBody {
    /// Fiscal quarter, such as `Q3 2026`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fiscal_quarter: Option<String>,
    /// Time of day at which results are published: `before_market`, `during_market` or `after_market`; absent if
    /// neither the source nor the last announcements show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    usual_time: Option<&'static str>,
    /// Estimated earnings per share, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps_estimate: Option<f64>,
    /// Estimated revenue, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_estimate: Option<f64>,
    /// Reported earnings per share, in USD, once available.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps_actual: Option<f64>,
    /// Reported revenue, in USD, once available.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_actual: Option<f64>,
    /// Source of the event, or the rule by which its day was projected.
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
        description: "The dates of economic releases (the employment report and weekly jobless claims) are projected by rule and marked `estimated`. With `tickers`, the same applies to the earnings of a company if no source has its next date; they are projected from when it reported the same quarter before. With `as_of`, earnings are those known at that time.",
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
