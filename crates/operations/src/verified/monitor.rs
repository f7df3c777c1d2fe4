//! `/agent/auto-monitor` and `/agent/monitors`: agents whose claims are verified again at regular intervals. Only the
//! owner of a monitor sees it.

mod body;
pub(crate) mod check;
mod message;
mod request;

use model::Plan;
use providers::callbacks::CallbackFault;
use serde::Deserialize;
use store::MonitorState;
use utoipa::ToSchema;
use utoipa::openapi::Object;

pub(crate) use body::{MonitorAnswer, MonitorDetail, MonitorsAnswer, SavedMonitor};
pub(crate) use request::MonitorRequest;

use crate::account::done::Done;
use crate::attempt::stored_answer;
use crate::checked::{Checked, Faults};
use crate::error::{Error, ErrorCode, Result};
use crate::field;
use crate::{About, Address, Arguments, Context, Effect, Keeping, Operation, Parameters, Posted};

/// The smallest plan that may have monitors.
pub(crate) const PLAN: Plan = Plan::Startup;

/// Maximum number of monitors per account.
const MOST_MONITORS: u64 = 20;
/// Maximum number of alerts in the response about one monitor.
const SHOWN_ALERTS: u64 = 20;
/// How often a change is retried if others overtake it.
const TRIES: usize = 5;

/// A key that is restricted to categories cannot use monitors, because checks and alerts draw on all of them.
fn require_every_category(context: &Context) -> Result<()> {
    if context.caller.categories().is_empty() {
        return Ok(());
    }
    Err(Error::refused(
        ErrorCode::CategoryNotAllowed,
        "monitors draw on every category; this key is restricted to some",
    ))
}

fn unknown_monitor() -> Error {
    Error::not_found("this account has no such monitor")
}

fn refused_address(fault: CallbackFault) -> Error {
    Error::invalid(format!("alert_webhook {fault}"))
}

/// `POST /agent/auto-monitor`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<(), MonitorRequest>;
    type Output = SavedMonitor;

    const ABOUT: About = About {
        name: "monitor_agent",
        address: Address::post("/api/v1/agent/auto-monitor"),
        subject: "verified",
        summary: "Verifies the claims of an agent again at regular intervals and sends alerts.",
        description: "An agent has one monitor: a second call changes it, keeps the settings that are absent, and restarts it if it was paused. Each check verifies the newest 50 claims that the agent remembers. Each claim that is contradicted and was not before results in one alert. Alerts are signed according to Standard Webhooks.",
        answer: "The monitor",
        example: r#"{"agent_id": "desk-1", "trust_threshold": 0.75, "check_interval_hours": 12, "escalate_on_low_trust": true}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<SavedMonitor> {
        let asked = asked.body;
        let owner = context.owner()?.account;
        require_every_category(&context)?;
        if let Some(address) = asked.webhook() {
            let checked = context.callbacks.check(address).await;
            checked.map_err(refused_address)?;
        }
        let monitors = context.store.monitors();
        for _ in 0..TRIES {
            let read = monitors.find_by_agent(owner, asked.agent_id.trim()).await?;
            let (monitor, secret) = match &read {
                Some(read) => asked.change(read, context.attempt.now),
                None => asked.create(&context)?,
            };
            let answer = SavedMonitor::new(&monitor, secret.as_ref());
            let stored = stored_answer(&answer, &["secret"])?;
            let completion = context.attempt.completion(&stored);
            let is_written = if let Some(read) = &read {
                monitors.change(read, &monitor, completion).await?
            } else {
                let inserted = monitors.insert(&monitor, MOST_MONITORS, completion);
                inserted.await.map_err(too_many)?
            };
            if is_written {
                return Ok(answer);
            }
        }
        Err(Error::retry_later(
            ErrorCode::Busy,
            1,
            "the monitor of this agent is being changed by other calls, please try again",
        ))
    }
}

fn too_many(error: store::Error) -> Error {
    match error {
        store::Error::Conflict => Error::refused(
            ErrorCode::TooManyEntries,
            format!("an account has at most {MOST_MONITORS} monitors; delete one first"),
        ),
        other => other.into(),
    }
}

/// `GET /agent/monitors`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = MonitorsAnswer;

    const ABOUT: About = About {
        name: "list_monitors",
        address: Address::get("/api/v1/agent/monitors"),
        subject: "verified",
        summary: "Lists the monitors of the account, oldest first.",
        answer: "The monitors",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<MonitorsAnswer> {
        let owner = context.owner()?.account;
        let found = context.store.monitors().list(owner).await?;
        Ok(MonitorsAnswer::new(&found))
    }
}

/// The monitor, by its id.
pub(crate) struct ById {
    id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the monitor"),
        }
    }
}

/// `GET /agent/monitors/{id}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ById;
    type Output = MonitorDetail;

    const ABOUT: About = About {
        name: "show_monitor",
        address: Address::get("/api/v1/agent/monitors/{id}"),
        subject: "verified",
        summary: "Shows a monitor, its last check and its newest alerts.",
        answer: "The monitor",
        missing: Some("The account has no such monitor"),
        example: r#"{"id": "mon_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, ById { id }: ById) -> Result<MonitorDetail> {
        let owner = context.owner()?.account;
        require_every_category(&context)?;
        let monitor = context.store.monitors().find(owner, &id).await?;
        let monitor = monitor.ok_or_else(unknown_monitor)?;
        let alerts = context.store.deliveries();
        let alerts = alerts.list(owner, &id, SHOWN_ALERTS).await?;
        MonitorDetail::new(&monitor, alerts)
    }
}

/// The new state of a monitor.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct MonitorStateRequest {
    /// Whether the monitor is checked from now on.
    #[schema(schema_with = states)]
    state: String,
}

const STATES: [MonitorState; 2] = [MonitorState::Active, MonitorState::Paused];

fn states() -> Object {
    let words = STATES.map(MonitorState::as_str);
    field::said_word("Whether checks run from now on.", words)
}

impl MonitorStateRequest {
    fn state(&self) -> Option<MonitorState> {
        STATES
            .into_iter()
            .find(|state| state.as_str() == self.state)
    }
}

impl Checked for MonitorStateRequest {
    fn check(&self, faults: &mut Faults) {
        if self.state().is_none() {
            faults.note("state must be one of active, paused");
        }
    }
}

/// `PATCH /agent/monitors/{id}`.
pub(crate) struct SetState;

impl Operation for SetState {
    type Input = Posted<ById, MonitorStateRequest>;
    type Output = MonitorAnswer;

    const ABOUT: About = About {
        name: "set_monitor_state",
        address: Address::patch("/api/v1/agent/monitors/{id}"),
        subject: "verified",
        summary: "Pauses or restarts a monitor.",
        description: "If a check was due while the monitor was paused, it runs at once after the restart.",
        answer: "The monitor",
        missing: Some("The account has no such monitor"),
        example: r#"{"id": "mon_0", "state": "paused"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<MonitorAnswer> {
        let Posted {
            parameters: ById { id },
            body,
        } = asked;
        let owner = context.owner()?.account;
        let monitors = context.store.monitors();
        if let Some(state) = body.state()
            && !monitors.set_state(owner, &id, state).await?
        {
            return Err(unknown_monitor());
        }
        let monitor = monitors.find(owner, &id).await?;
        let monitor = monitor.ok_or_else(unknown_monitor)?;
        Ok(MonitorAnswer::new(&monitor))
    }
}

/// `DELETE /agent/monitors/{id}`.
pub(crate) struct Remove;

impl Operation for Remove {
    type Input = ById;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_monitor",
        address: Address::delete("/api/v1/agent/monitors/{id}"),
        subject: "verified",
        summary: "Deletes a monitor; alerts that have not been delivered yet are no longer sent.",
        answer: "The monitor is deleted",
        missing: Some("The account has no such monitor"),
        example: r#"{"id": "mon_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<Done> {
        let owner = context.owner()?.account;
        let monitors = context.store.monitors();
        if monitors
            .set_state(owner, &id, MonitorState::Deleted)
            .await?
        {
            Ok(Done::new("the monitor is deleted"))
        } else {
            Err(unknown_monitor())
        }
    }
}
