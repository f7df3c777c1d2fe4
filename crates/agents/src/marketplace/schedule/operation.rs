//! `/agents/schedules`: agents that run at set times. Only the owner of a schedule sees it.

use operations::{
    About, Address, Arguments, Checked, Context, Credential, Done, Effect, Error, Faults,
    Operation, Parameters, Posted, Result,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::AgentSchedule;
use utoipa::ToSchema;

use super::super::operation::{ABOUT, BySlug};
use super::super::run::{AgentRun, RunRequest};
use super::when;
use crate::written::{stored, too_many};

/// Maximum number of schedules per account.
const MOST_SCHEDULES: u64 = 50;

/// When to run an agent automatically, and with which inputs.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewAgentSchedule)]
pub(crate) struct NewSchedule {
    /// The interval between runs, `15m` to `31d`. Give either this or `at`.
    #[serde(default)]
    #[schema(pattern = "^[0-9]+[mhd]$", example = "4h")]
    every: Option<String>,
    /// A time of day, such as `07:30`. Give either this or `every`.
    #[serde(default)]
    #[schema(pattern = "^[0-9]{1,2}:[0-9]{2}$")]
    at: Option<String>,
    /// The time zone of `at`, such as `Europe/Berlin`; UTC by default.
    #[serde(default)]
    #[schema(max_length = 60)]
    time_zone: Option<String>,
    /// The inputs of each run.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    inputs: Option<Map<String, Value>>,
    /// One of the caller's webhooks, which receives the result of each run.
    #[serde(default)]
    #[schema(max_length = 100)]
    delivery_target_id: Option<String>,
    /// Maximum number of credits that one run may cost.
    #[serde(default, deserialize_with = "operations::whole")]
    #[schema(minimum = 1)]
    budget: Option<u64>,
}

impl Checked for NewSchedule {
    fn check(&self, faults: &mut Faults) {
        match (&self.every, &self.at) {
            (Some(_), Some(_)) | (None, None) => faults.note("one of every and at is needed"),
            (Some(every), None) if when::parse_every(every).is_none() => {
                faults.note("every must be a time from 15m to 31d, such as 4h");
            }
            (None, Some(at)) if when::parse_at(at).is_none() => {
                faults.note("at must be a time of the day, such as 07:30");
            }
            _ => {}
        }
        if let Some(zone) = &self.time_zone {
            if self.at.is_none() {
                faults.note("time_zone belongs to at");
            } else if zone.len() > 60 || !when::is_zone(zone) {
                faults.note("time_zone is not known here; use a name such as Europe/Berlin");
            }
        }
        if self.budget == Some(0) {
            faults.note("budget must be at least 1");
        }
        if let Some(target) = &self.delivery_target_id {
            faults.length("delivery_target_id", target, 1..=100);
        }
    }
}

/// A schedule.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentSchedule)]
pub(crate) struct ScheduleBody {
    /// `sch_…`.
    id: String,
    /// The agent.
    agent_slug: String,
    /// The interval between runs. Absent if the agent runs at a time of day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    every: Option<String>,
    /// The time of day. Absent if the agent runs at intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[0-9]{2}:[0-9]{2}$")]
    at: Option<String>,
    /// The time zone of `at`.
    time_zone: String,
    /// The inputs of each run.
    #[schema(value_type = Object)]
    inputs: Value,
    /// The webhook that receives the result of each run.
    delivery_target_id: Option<String>,
    /// Maximum number of credits that one run may cost.
    budget: Option<u64>,
    /// `active`, or `paused` if it cannot continue: its key was revoked or may no longer run the agent.
    state: &'static str,
    /// When the next run is due. Null if the schedule is paused.
    next_run_at: Option<String>,
    /// When a run was last due.
    last_due_at: Option<String>,
    /// Id of the last completed run.
    last_run_id: Option<String>,
    /// Why the last run did not take place. Null if it did.
    note: Option<String>,
    /// When it was created.
    created_at: String,
}

impl ScheduleBody {
    fn new(schedule: AgentSchedule) -> Self {
        Self {
            id: schedule.id,
            agent_slug: schedule.agent,
            every: schedule.every_ms.map(when::written_every),
            at: schedule.minute.map(when::written_at),
            time_zone: schedule.zone,
            inputs: serde_json::from_str(&schedule.inputs).unwrap_or_default(),
            delivery_target_id: schedule.target,
            budget: schedule.budget,
            state: if schedule.next_at.is_some() {
                "active"
            } else {
                "paused"
            },
            next_run_at: schedule.next_at.map(|at| at.to_string()),
            last_due_at: schedule.last_at.map(|at| at.to_string()),
            last_run_id: schedule.last_run,
            note: schedule.note,
            created_at: schedule.created_at.to_string(),
        }
    }
}

/// One schedule.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentScheduleAnswer)]
pub(crate) struct ScheduleAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The schedule.
    schedule: ScheduleBody,
}

/// `POST /agents/{slug}/schedules`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<BySlug, NewSchedule>;
    type Output = ScheduleAnswer;

    const ABOUT: About = About {
        name: "schedule_agent",
        address: Address::post("/api/v1/agents/{slug}/schedules"),
        summary: "Schedules an agent to run at regular intervals or at a time of day.",
        description: "Each run has the scopes of the key that created the schedule and is charged like any other run; if the account cannot pay, it is skipped with a note. A schedule whose key is revoked is paused. Missed runs are not made up for.",
        answer: "The schedule",
        missing: Some("There is no such agent, or the account has no such webhook"),
        example: r#"{"slug": "morning-brief", "at": "07:30", "time_zone": "UTC", "inputs": {}}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<ScheduleAnswer> {
        let mut context = context;
        let NewSchedule {
            every,
            at,
            time_zone,
            inputs,
            delivery_target_id,
            budget,
        } = asked.body;
        let inputs = inputs.unwrap_or_default();
        let request = RunRequest::scheduled(inputs.clone(), delivery_target_id.clone(), budget);
        // What cannot run now would not run later.
        AgentRun::prepare(&mut context, &asked.parameters.slug, request).await?;
        let now = context.attempt.now;
        let zone = time_zone.unwrap_or_else(|| "UTC".to_owned());
        let (every_ms, minute) = (
            every.as_deref().and_then(when::parse_every),
            at.as_deref().and_then(when::parse_at),
        );
        let next_at = match (every_ms, minute) {
            (Some(every), _) => Some(now.plus_ms(every)),
            (None, Some(minute)) => when::at(minute, &zone, now),
            (None, None) => None,
        };
        let next_at = next_at
            .ok_or_else(|| Error::invalid("the next time of this schedule cannot be computed"))?;
        let owner = context.owner()?;
        let schedule = AgentSchedule {
            id: format!("sch_{}", uuid::Uuid::new_v4().simple()),
            account: owner.account,
            key: match &owner.credential {
                Credential::Key { id, .. } => Some(id.0),
                Credential::Token { .. } => None,
            },
            agent: asked.parameters.slug,
            every_ms,
            minute,
            zone,
            inputs: Value::Object(inputs).to_string(),
            target: delivery_target_id,
            budget,
            next_at: Some(next_at),
            created_at: now,
            last_at: None,
            last_run: None,
            note: None,
        };
        let answer = ScheduleAnswer {
            status: "ok",
            schedule: ScheduleBody::new(schedule.clone()),
        };
        let stored = stored(&answer)?;
        let completion = context.attempt.completion(&stored);
        let schedules = context.store.agent_schedules();
        let written = schedules.insert(&schedule, MOST_SCHEDULES, completion);
        written.await.map_err(too_many)?;
        Ok(answer)
    }
}

/// The schedules of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentSchedulesBody)]
pub(crate) struct SchedulesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The schedules, oldest first.
    schedules: Vec<ScheduleBody>,
}

/// `GET /agents/schedules`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = SchedulesBody;

    const ABOUT: About = About {
        name: "list_agent_schedules",
        address: Address::get("/api/v1/agents/schedules"),
        summary: "Lists the schedules of the account and the outcome of their last runs, oldest first.",
        answer: "The schedules",
        ..ABOUT
    };

    async fn run(context: Context, (): ()) -> Result<SchedulesBody> {
        let owner = context.owner()?.account;
        let found = context.store.agent_schedules().list(owner).await?;
        Ok(SchedulesBody {
            status: "ok",
            schedules: found.into_iter().map(ScheduleBody::new).collect(),
        })
    }
}

/// A schedule, identified by its id.
pub(crate) struct BySchedule {
    id: String,
}

impl Parameters for BySchedule {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the schedule"),
        }
    }
}

/// `DELETE /agents/schedules/{id}`.
pub(crate) struct Remove;

impl Operation for Remove {
    type Input = BySchedule;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_agent_schedule",
        address: Address::delete("/api/v1/agents/schedules/{id}"),
        summary: "Deletes a schedule; completed runs stay on record.",
        answer: "The schedule is deleted",
        missing: Some("The account has no such schedule"),
        example: r#"{"id": "sch_0"}"#,
        ..ABOUT
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, BySchedule { id }: BySchedule) -> Result<Done> {
        let owner = context.owner()?.account;
        if context.store.agent_schedules().delete(owner, &id).await? {
            Ok(Done::new("the schedule is deleted"))
        } else {
            Err(Error::not_found("this account has no such schedule"))
        }
    }
}
