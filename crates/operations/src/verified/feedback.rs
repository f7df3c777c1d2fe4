//! `/feedback`: feedback from callers on an answer.

use serde::{Deserialize, Serialize};
use store::FeedbackEntry;
use utoipa::ToSchema;

use crate::attempt::stored_answer;
use crate::checked::{Checked, Faults};
use crate::error::{Error, ErrorCode, Result};
use crate::{About, Address, Context, Effect, Keeping, Operation, Posted};

/// Maximum number of entries per account and day. Callers without an account share one limit.
const MOST_PER_DAY: u64 = 1_000;

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FeedbackKind {
    Incorrect,
    Incomplete,
    Outdated,
    Biased,
    #[default]
    Other,
}

impl FeedbackKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Incorrect => "incorrect",
            Self::Incomplete => "incomplete",
            Self::Outdated => "outdated",
            Self::Biased => "biased",
            Self::Other => "other",
        }
    }
}

/// Feedback on an answer.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct FeedbackRequest {
    /// What is wrong; `other` if only a `reason` is given.
    #[serde(default, rename = "type")]
    kind: Option<FeedbackKind>,
    /// Session of the answer, from `/ask` or `/swarm/run`.
    #[serde(default)]
    #[schema(max_length = 100)]
    session_id: Option<String>,
    /// What is wrong, in plain words.
    #[serde(default)]
    #[schema(max_length = 2000)]
    message: Option<String>,
    /// The claim that the feedback is about.
    #[serde(default)]
    #[schema(max_length = 1000)]
    claim: Option<String>,
    /// Alternative name for `message`.
    #[serde(default)]
    #[schema(max_length = 2000)]
    reason: Option<String>,
}

impl Checked for FeedbackRequest {
    fn check(&self, faults: &mut Faults) {
        let is_given = |text: &String| !text.trim().is_empty();
        if self.kind.is_none() && !self.reason.as_ref().is_some_and(is_given) {
            faults.note(
                "type is required: incorrect, incomplete, outdated, biased or other; or give a reason",
            );
        }
        for (name, text, most) in [
            ("session_id", &self.session_id, 100),
            ("message", &self.message, 2000),
            ("claim", &self.claim, 1000),
            ("reason", &self.reason, 2000),
        ] {
            if let Some(text) = text {
                faults.length(name, text, 0..=most);
            }
        }
    }
}

/// Confirmation.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedbackBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Id of the entry.
    feedback_id: String,
    /// A message for people.
    message: &'static str,
}

/// `POST /feedback`.
pub(crate) struct GiveFeedback;

impl Operation for GiveFeedback {
    type Input = Posted<(), FeedbackRequest>;
    type Output = FeedbackBody;

    const ABOUT: About = About {
        name: "give_feedback",
        address: Address::post("/api/v1/feedback"),
        subject: "verified",
        summary: "Reports what is wrong with an answer.",
        description: "At most 1,000 entries are accepted per day; beyond that, the response is 409 `too_many_entries`.",
        answer: "The feedback is recorded",
        example: r#"{"type": "incorrect", "message": "The figure is of last year.", "claim": "Profit rose by a fifth."}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<FeedbackBody> {
        let body = asked.body;
        let entry = FeedbackEntry {
            id: format!("fb_{}", uuid::Uuid::new_v4().simple()),
            account: context.caller.member.as_ref().map(|member| member.account),
            kind: body.kind.unwrap_or_default().as_str().to_owned(),
            session_id: body.session_id,
            message: body.message.or(body.reason),
            claim: body.claim,
            created_at: context.attempt.now,
        };
        let answer = FeedbackBody {
            status: "ok",
            feedback_id: entry.id.clone(),
            message: "thank you, your feedback was recorded",
        };
        let stored = stored_answer(&answer, &[])?;
        let completion = context.attempt.completion(&stored);
        let kept = context.store.feedback();
        let written = kept.insert(&entry, MOST_PER_DAY, completion).await;
        written.map_err(|error| match error {
            store::Error::Conflict => Error::refused(
                ErrorCode::TooManyEntries,
                "there are 1,000 entries of feedback today already",
            ),
            other => other.into(),
        })?;
        Ok(answer)
    }
}
