//! Verified analysis: five roles work on one question, and each says how sure it is.
//!
//! The planner reads the question and chooses sources, the researcher queries them, and the verifier tests what they
//! state. The critic looks for what is wrong with that and may send the work back once, and the synthesizer writes the
//! result. A vertical gives the planner sources of its own, and the critic questions of its own. All of it is one run
//! ([`crate::runs`]), limited by a budget and concluded by a receipt. Without a language model the synthesis is a
//! template over the same results.

mod claims;
mod critic;
mod matters;
pub(crate) mod operation;
mod relevance;
mod sources;
mod synthesis;
mod vertical;

use model::{Plan as AccountPlan, Timestamp};
use operations::{Context, Error, ErrorCode, Payer, Result};
use serde_json::{Map, Value, json};

use crate::answer;
use crate::ask::{self, MissingBody, Question};
use crate::runs::{Done, Finished, Keeping, NewRun, Run, Verified, mean};
use crate::state::State;
use crate::tested;
use claims::Candidate;
pub(crate) use claims::of_observation;
use critic::Fault;
pub(crate) use relevance::{Words, subject};
pub(crate) use vertical::Vertical;

/// Credits for the smallest analysis; nothing is charged below that.
pub(crate) const LEAST: u64 = 9;
/// Credits for the largest analysis.
pub(crate) const MOST: u64 = 25;
/// Daily runs on the free plan, and for one client address under the demo key.
const FREE_RUNS: u64 = 5;
/// The cost of the roles that do the same work each time; each source and each claim costs one credit.
const PLANNER: u64 = 1;
const CRITIC: u64 = 2;
const SYNTHESIZER: u64 = 2;
/// The number of sources in the first pass.
const SOURCES: u64 = 9;
/// The number of claims tested in the first pass.
const CLAIMS: u64 = 6;
/// The number of sources and of claims in the second pass.
const AGAIN: u64 = 2;
/// Steps below this confidence are flagged, and answers below it are for a person to review.
const DOUBTFUL: f64 = 0.5;

/// The role of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Planner,
    Researcher,
    Verifier,
    Critic,
    Synthesizer,
}

impl Role {
    /// In the order in which they work.
    pub(crate) const ALL: [Self; 5] = [
        Self::Planner,
        Self::Researcher,
        Self::Verifier,
        Self::Critic,
        Self::Synthesizer,
    ];

    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Researcher => "researcher",
            Self::Verifier => "verifier",
            Self::Critic => "critic",
            Self::Synthesizer => "synthesizer",
        }
    }
}

/// The analysis to carry out.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) query: String,
    pub(crate) roles: Vec<Role>,
    pub(crate) budget: u64,
    /// Whether the language model should be skipped.
    pub(crate) is_fast: bool,
    pub(crate) vertical: Option<Vertical>,
}

/// The result of the analysis.
pub(crate) struct Analysis {
    pub(crate) run: Finished,
    pub(crate) session: String,
    pub(crate) synthesis: String,
    /// The synthesis from the template, if a model wrote the other one.
    pub(crate) template: Option<String>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) missing: Vec<MissingBody>,
    pub(crate) avg_confidence: f64,
    pub(crate) is_escalated: bool,
}

/// A claim with the result of its test.
#[derive(Clone, Debug)]
pub(crate) struct Tested {
    pub(crate) candidate: Candidate,
    pub(crate) verified: Verified,
    /// Sources that say the same, other than the one it was taken from.
    pub(crate) confirmed_by: Vec<String>,
    /// Whether it was tested in the second pass.
    pub(crate) is_second: bool,
}

/// The work in progress.
struct Work<'a> {
    context: &'a Context,
    asked: &'a Asked,
    question: Question,
    data: Map<String, Value>,
    missing: Vec<MissingBody>,
    outcomes: Vec<crate::run::Outcome>,
    tested: Vec<Tested>,
    faults: Vec<Fault>,
}

/// Analyses a question. Rejects a budget that is too small for any analysis, and more runs in a day than the free plan
/// allows.
pub(crate) async fn analyze(context: &Context, asked: &Asked) -> Result<Analysis> {
    if asked.budget < LEAST {
        return Err(Error::invalid(format!(
            "budget is {}; the smallest analysis costs {LEAST}",
            asked.budget
        )));
    }
    admit(context).await?;
    let state = State::of(&context.services);
    // Language models have their own queue, and a run that waits for one computes nothing in the meantime.
    let _turn = match context.services.chat {
        Some(_) => None,
        None => state.analyses.acquire().await.ok(),
    };
    let question = Question::read(
        context,
        ask::Asked {
            question: asked.query.clone(),
            ..ask::Asked::default()
        },
    )
    .await?;
    let session = question.session.clone();
    let run = Run::new(
        context,
        NewRun {
            kind: kind(asked),
            subject: asked
                .vertical
                .map_or("general", Vertical::as_str)
                .to_owned(),
            inputs: json!({
                "query": asked.query,
                "vertical": asked.vertical.map(Vertical::as_str),
                "roles": asked.roles.iter().map(|role| role.as_str()).collect::<Vec<_>>(),
                "budget": asked.budget,
                "fast": asked.is_fast,
            }),
            budget: asked.budget,
            keeping: Keeping::AtTheEnd,
        },
        None,
    )
    .in_session(&session);
    let mut work = Work {
        context,
        asked,
        question,
        data: Map::new(),
        missing: Vec::new(),
        outcomes: Vec::new(),
        tested: Vec::new(),
        faults: Vec::new(),
    };
    work.plan(&run).await;
    work.research(&run).await;
    work.verify(&run).await;
    work.criticize(&run).await;
    let (synthesis, template) = work.synthesize(&run).await;
    let steps = run.steps();
    let avg_confidence = mean(steps.iter().filter_map(|step| step.confidence)).unwrap_or(0.0);
    let is_contradicted = work
        .tested
        .iter()
        .any(|one| one.verified.verdict == "contradicted" && one.candidate.is_key);
    let is_escalated = avg_confidence < DOUBTFUL || is_contradicted;
    let status = run.status();
    let output = json!({
        "summary": synthesis,
        "avg_confidence": avg_confidence,
        "escalated": is_escalated,
    });
    let run = run.finish(status, &synthesis, output).await?;
    Ok(Analysis {
        run,
        session,
        synthesis,
        template,
        faults: work.faults,
        missing: work.missing,
        avg_confidence,
        is_escalated,
    })
}

const fn kind(asked: &Asked) -> &'static str {
    if asked.vertical.is_some() {
        "runtime"
    } else {
        "swarm"
    }
}

/// The free plan has a limited number of runs a day (UTC).
async fn admit(context: &Context) -> Result<()> {
    if context.plan() != AccountPlan::Free {
        return Ok(());
    }
    let now = context.services.clock.now();
    let midnight = Timestamp::start_of_day(now.day());
    let begun = match context.payer() {
        Payer::Account(account) => {
            let runs = context.store.runs();
            runs.count_since(account, &["swarm"], midnight).await?
        }
        Payer::Client(_) => 0,
    };
    // Those in progress are not on record yet; those without an account never are.
    let state = State::of(&context.services);
    let counted = state.daily_runs.begin(context.payer(), now, FREE_RUNS);
    if begun < FREE_RUNS && counted {
        return Ok(());
    }
    let seconds = midnight.plus_ms(Timestamp::DAY_MS).since_ms(now) / 1_000;
    Err(Error::retry_later(
        ErrorCode::RunsLimited,
        u64::try_from(seconds).unwrap_or(1).max(1),
        format!("the free plan has {FREE_RUNS} runs a day; the next day begins at midnight UTC"),
    ))
}

impl Work<'_> {
    fn works(&self, role: Role) -> bool {
        self.asked.roles.contains(&role)
    }

    /// The minimum that the roles after the researcher need.
    fn reserve(&self) -> u64 {
        let of = |role, credits| if self.works(role) { credits } else { 0 };
        of(Role::Verifier, 1) + of(Role::Critic, CRITIC) + of(Role::Synthesizer, SYNTHESIZER)
    }

    /// Chooses the sources. Without a planner this is done as well, but not reported.
    async fn plan(&mut self, run: &Run<'_>) {
        sources::add(&mut self.question, self.asked.vertical);
        let spent = if self.works(Role::Planner) {
            PLANNER
        } else {
            0
        };
        let room = run.left().saturating_sub(self.reserve() + spent);
        let room = room.min(SOURCES);
        let all = self.question.plan.steps.len();
        self.question.plan.cut_to_room(room);
        if !self.works(Role::Planner) {
            return;
        }
        let left_out = all - self.question.plan.steps.len();
        let work = async {
            Ok(Done {
                summary: sources::told(&self.question, self.asked.vertical, left_out),
                output: json!({
                    "intents": self.question.intents(),
                    "tickers": self.question.tickers(),
                    "sources": self.question.plan.steps.iter().map(|step| &step.endpoint).collect::<Vec<_>>(),
                    "notes": self.question.plan.notes,
                }),
                confidence: Some(sources::confidence(&self.question)),
                credits: None,
            })
        };
        let inputs = json!({"query": self.asked.query});
        run.step(Role::Planner.as_str(), inputs, PLANNER, work)
            .await;
    }

    /// Queries the sources, all at the same time.
    async fn research(&mut self, run: &Run<'_>) {
        if !self.works(Role::Researcher) {
            return;
        }
        let steps = self.question.plan.steps.clone();
        let inputs =
            json!({"sources": steps.iter().map(|step| &step.endpoint).collect::<Vec<_>>()});
        let price = steps.len() as u64;
        let mut gathered = Vec::new();
        let work = async {
            gathered = crate::run::run(self.context, steps, None).await;
            relevance::keep_relevant(&self.question.reading, &mut gathered);
            let answered = gathered
                .iter()
                .filter(|outcome| outcome.result.is_ok())
                .count() as u64;
            let mut data = ask::collect(&gathered);
            answer::derive(&mut data, &self.question.reading);
            let confidence = sources::found(&gathered);
            Ok(Done {
                summary: sources::findings(&self.question, &gathered),
                output: Value::Object(data),
                confidence: Some(confidence),
                credits: Some(answered),
            })
        };
        let name = Role::Researcher.as_str();
        let result = run.step(name, inputs, price, work).await;
        self.missing = ask::missing(&gathered);
        self.outcomes = gathered;
        if let Some(Value::Object(data)) = result.as_deref() {
            self.data.clone_from(data);
        }
    }

    /// Tests what the sources state.
    async fn verify(&mut self, run: &Run<'_>) {
        let verifies = self.works(Role::Verifier) || self.works(Role::Researcher);
        if !verifies {
            return;
        }
        let mut candidates = claims::of(&self.data, &self.question.reading);
        // On its own it tests what it is given.
        if self.outcomes.is_empty() && candidates.is_empty() {
            candidates.extend(claims::of_query(&self.asked.query));
        }
        let reserve = self.reserve().saturating_sub(1);
        let room = run.left().saturating_sub(reserve).min(CLAIMS);
        self.test(run, Role::Verifier.as_str(), candidates, room, false)
            .await;
    }

    async fn test(
        &mut self,
        run: &Run<'_>,
        name: &str,
        candidates: Vec<Candidate>,
        room: u64,
        is_second: bool,
    ) {
        let all = candidates.len();
        let chosen: Vec<Candidate> = candidates
            .into_iter()
            .take(usize::try_from(room).unwrap_or(usize::MAX))
            .collect();
        let left_out = all - chosen.len();
        let price = chosen.len() as u64;
        let inputs = json!({"claims": chosen.iter().map(|one| &one.claim).collect::<Vec<_>>()});
        let mut tested = Vec::new();
        let work = async {
            let tests = chosen.into_iter().map(|candidate| async move {
                let verified = run.verify(&candidate.claim).await?;
                let confirmed_by = claims::confirming(&verified, candidate.outlet.as_deref());
                Ok::<_, String>(Tested {
                    candidate,
                    verified,
                    confirmed_by,
                    is_second,
                })
            });
            let results = futures::future::join_all(tests).await;
            let (done, refused) = tested::parted(results)?;
            tested = done
                .into_iter()
                .filter(|one| !claims::is_against_itself(one))
                .collect();
            let done = tested.len() as u64;
            Ok(Done {
                summary: claims::told(&tested, left_out) + &tested::refusals(&refused),
                output: json!({"claims": tested.iter().map(claims::shown).collect::<Vec<_>>()}),
                confidence: claims::confidence(&tested),
                credits: Some(done),
            })
        };
        run.step(name, inputs, price, work).await;
        self.tested.extend(tested);
    }

    /// Looks for faults; if more sources could help, they are queried once.
    async fn criticize(&mut self, run: &Run<'_>) {
        if !self.works(Role::Critic) {
            return;
        }
        let mut faults = Vec::new();
        let work = async {
            faults = critic::review(&self.material());
            Ok(Done {
                summary: critic::told(&faults),
                output: json!({"faults": faults}),
                confidence: Some(critic::confidence(&faults)),
                credits: None,
            })
        };
        let inputs = json!({"claims": self.tested.len(), "sources": self.outcomes.len()});
        let reviewed = run
            .step(Role::Critic.as_str(), inputs, CRITIC, work)
            .await
            .is_some();
        self.faults = faults;
        if reviewed && self.works(Role::Researcher) {
            self.send_back(run).await;
        }
    }

    fn material(&self) -> critic::Material<'_> {
        critic::Material {
            reading: &self.question.reading,
            today: self.question.today,
            vertical: self.asked.vertical,
            data: &self.data,
            missing: &self.missing,
            tested: &self.tested,
        }
    }

    /// Queries further sources about the critic's objections, and tests what they state.
    async fn send_back(&mut self, run: &Run<'_>) {
        let reserve = if self.works(Role::Synthesizer) {
            SYNTHESIZER
        } else {
            0
        };
        let room = run.left().saturating_sub(reserve).min(2 * AGAIN);
        let mut steps = sources::again(&self.question, &self.faults, &self.tested);
        steps.truncate(usize::try_from(room.div_ceil(2)).unwrap_or(0));
        if steps.is_empty() {
            return;
        }
        let price = steps.len() as u64;
        let inputs = json!({
            "because": self.faults.iter().filter(|fault| fault.sends_back()).map(|fault| &fault.statement).collect::<Vec<_>>(),
            "sources": steps.iter().map(|step| &step.endpoint).collect::<Vec<_>>(),
        });
        let mut gathered = Vec::new();
        let work = async {
            gathered = crate::run::run(self.context, steps, None).await;
            let answered = gathered
                .iter()
                .filter(|outcome| outcome.result.is_ok())
                .count() as u64;
            Ok(Done {
                summary: sources::findings_again(&gathered),
                output: Value::Object(ask::collect(&gathered)),
                confidence: Some(sources::found(&gathered)),
                credits: Some(answered),
            })
        };
        let result = run.step("researcher again", inputs, price, work).await;
        let Some(Value::Object(found)) = result.as_deref() else {
            return;
        };
        let known: Vec<&str> = self
            .tested
            .iter()
            .map(|one| one.candidate.claim.as_str())
            .collect();
        let mut candidates = claims::of(found, &self.question.reading);
        candidates.retain(|one| !known.contains(&one.claim.as_str()));
        let room = run.left().saturating_sub(reserve).min(AGAIN);
        if !candidates.is_empty() && room > 0 {
            self.test(run, "verifier again", candidates, room, true)
                .await;
        }
        critic::settle(&mut self.faults, &self.tested);
    }

    /// Writes the result: the text, and the text from the template if a model wrote the other one.
    async fn synthesize(&mut self, run: &Run<'_>) -> (String, Option<String>) {
        let answer = answer::write(
            &self.question.reading,
            &self.question.plan,
            &self.data,
            &self.missing,
        );
        let template = synthesis::write(&synthesis::Parts {
            answer: &answer,
            vertical: self.asked.vertical,
            data: &self.data,
            tested: &self.tested,
            faults: &self.faults,
            is_researched: !self.outcomes.is_empty(),
            question: &self.question,
        });
        if !self.works(Role::Synthesizer) {
            return (template, None);
        }
        let mut prose = None;
        let mut remark = None;
        let work = async {
            if !self.asked.is_fast {
                let deadline = self.question.deadline(self.context);
                match self
                    .question
                    .prose(self.context, &self.data, &answer.summary, deadline, None)
                    .await
                {
                    Ok(Some(written)) => {
                        prose = Some(synthesis::with_prose(&written.text, &template, &answer));
                    }
                    Ok(None) => {}
                    Err(reason) => remark = Some(reason),
                }
            }
            let confidence = synthesis::confidence(&run.steps());
            Ok(Done {
                summary: synthesis::told(prose.is_some(), &self.tested, &self.faults),
                output: json!({"source": if prose.is_some() { "llm" } else { "template" }}),
                confidence,
                credits: None,
            })
        };
        let inputs = json!({"claims": self.tested.len(), "faults": self.faults.len()});
        run.step(Role::Synthesizer.as_str(), inputs, SYNTHESIZER, work)
            .await;
        if let Some(reason) = remark {
            self.missing.push(MissingBody {
                field: "synthesis",
                reason,
                source: "chat".to_owned(),
            });
        }
        match prose {
            Some(prose) => (prose, Some(template)),
            None => (template, None),
        }
    }
}
