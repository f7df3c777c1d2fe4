//! An operation that behaves as a test wants, under the name of the first tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use operations::{About, Address, Arguments, Context, Keeping, Operation, Parameters, Result};
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::Notify;
use utoipa::ToSchema;

static CALLS: Mutex<BTreeMap<String, Arc<Call>>> = Mutex::new(BTreeMap::new());

/// What becomes of a call that waits for ever.
#[derive(Default)]
pub(crate) struct Call {
    pub(crate) begun: Notify,
    pub(crate) dropped: Notify,
}

/// The call that asks `wait NAME`; names keep tests apart.
pub(crate) fn waiting(name: &str) -> Arc<Call> {
    CALLS.lock().entry(name.to_owned()).or_default().clone()
}

struct Dropped(Arc<Call>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.dropped.notify_one();
    }
}

pub(crate) struct Question(String);

impl Parameters for Question {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self(arguments.required_text("question", 1..=200, "What to ask"))
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct AskBody {
    /// `ok`.
    status: &'static str,
    /// The question again.
    answer: String,
    /// What it rests on.
    evidence: Vec<Evidence>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Evidence {
    /// Number.
    id: u32,
    /// What it says.
    text: String,
}

/// `wait NAME` never ends, `panic` does, `long` answers much, `steps` tells of two; anything else is answered with itself.
pub(crate) struct Ask;

impl Operation for Ask {
    type Input = Question;
    type Output = AskBody;

    const ABOUT: About = About {
        name: "ask",
        address: Address::post("/api/v1/test/ask"),
        subject: "test",
        summary: "Answers a question.",
        answer: "The answer",
        example: r#"{"question": "why"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, Question(question): Question) -> Result<AskBody> {
        if question == "steps"
            && let Some(listener) = &context.limits.listener
        {
            listener.tell("research", "complete", "Three sources.");
            listener.tell("verification", "failed", "");
        }
        if let Some(name) = question.strip_prefix("wait ") {
            let call = waiting(name);
            let _dropped = Dropped(call.clone());
            call.begun.notify_one();
            std::future::pending::<()>().await;
        }
        assert_ne!(question, "panic", "on purpose");
        let many = if question == "long" { 500 } else { 1 };
        Ok(AskBody {
            status: "ok",
            answer: question,
            evidence: (0..many)
                .map(|id| Evidence {
                    id,
                    text: "a sentence that says something. ".repeat(20),
                })
                .collect(),
        })
    }
}
