//! All operations, for interfaces that list them or choose one by its name.
//!
//! Gate, key scope, rate limit, price and spending cap are applied here, and nothing that a caller may not read through
//! one interface can be read through another.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use futures::FutureExt;
use model::Timestamp;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use model::DataMode;

use crate::admission::{self, Reserving};
use crate::arguments::Arguments;
use crate::as_of::{AsOf, no_time};
use crate::attempt::Attempt;
use crate::caller::Caller;
use crate::context::{Context, Naming, StepListener};
use crate::error::{Error, ErrorCode, Result};
use crate::field::Place;
use crate::input::{Description, Input, Shape};
use crate::kept::{KeptResults, ResultKey};
use crate::meter::Charge;
use crate::operation::{About, Effect, Keeping, Operation};
use crate::price::{Gate, Price, Tariff};
use crate::repeat::{self, RepeatKey};
use crate::services::Services;
use crate::table::table;

/// Work that an operation does. Boxed, so that what serves an answer is compiled once and not for each operation.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A checked input, ready to be answered with JSON.
pub trait Question: Send {
    /// What the answer also depends on.
    fn variant<'a>(&'a self, context: &'a Context) -> Work<'a, Option<String>>;

    /// The answer.
    fn answer(self: Box<Self>, context: Context) -> Work<'static, Vec<u8>>;
}

/// What reading an input comes to.
pub type Asking = Result<Box<dyn Question>>;

struct Asked<O: Operation>(O::Input);

impl<O: Operation> Question for Asked<O> {
    fn variant<'a>(&'a self, context: &'a Context) -> Work<'a, Option<String>> {
        Box::pin(O::variant(context, &self.0))
    }

    fn answer(self: Box<Self>, context: Context) -> Work<'static, Vec<u8>> {
        Box::pin(async move {
            let mode = context.store.mode();
            let output = O::run(context, self.0).await?;
            let body = serde_json::to_vec(&output).map_err(Error::internal)?;
            Ok(say_simulated(mode, body))
        })
    }
}

/// An answer that says so where its data are simulated: `simulated` stands in every object that is answered.
pub fn say_simulated(mode: DataMode, mut body: Vec<u8>) -> Vec<u8> {
    if mode != DataMode::Demo || body.last() != Some(&b'}') || has_mark(&body) {
        return body;
    }
    body.pop();
    if body.len() > 1 {
        body.push(b',');
    }
    body.extend_from_slice(b"\"simulated\":true}");
    body
}

/// Whether an object as this program writes it, without blanks, has a field `simulated` of its own.
fn has_mark(body: &[u8]) -> bool {
    const MARK: &[u8] = b"\"simulated\":";
    let (mut depth, mut in_text, mut escaped) = (0_u32, false, false);
    for (place, byte) in body.iter().enumerate() {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' if depth == 1 && body[place..].starts_with(MARK) => return true,
            b'"' => in_text = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// An operation of the registry.
#[derive(Clone)]
pub struct Entry {
    /// What it is.
    pub about: About,
    /// Whether it only reads.
    pub effect: Effect,
    /// Which list of the answer is its table, where it holds several.
    pub rows: Option<&'static str>,
    /// Price and gate.
    pub tariff: Arc<Tariff>,
    /// What it takes.
    pub input: Description,
    /// What it answers.
    pub output: Shape,
    /// Another spelling of the path, which no document shows.
    pub alias: Option<&'static str>,
    of_request: fn(Arguments<'_>, &[u8]) -> Asking,
    of_object: fn(&Map<String, Value>) -> Asking,
}

/// What a call may cost, and when it is no longer wanted.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Credits at most. A call whose highest price is above it is refused before any work.
    pub budget: u64,
    /// Ends the work; what was not answered costs nothing. With a `repeat_key` it only ends the waiting.
    pub cancel: CancellationToken,
    /// The caller's word for a call that acts: repeated with it, also after it was cancelled, it acts once and is charged
    /// once. Calls that only read ignore it.
    pub repeat_key: Option<RepeatKey>,
    /// Who is told of the steps of a call that works in steps. What such a call asks of other operations tells nothing.
    pub listener: Option<StepListener>,
}

/// An answer and what it cost.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The answer, as JSON.
    pub body: Vec<u8>,
    /// Credits that were charged.
    pub credits: u64,
}

impl Default for Limits {
    /// None: the price is the only bound, and dropping the call ends it.
    fn default() -> Self {
        Self {
            budget: u64::MAX,
            cancel: CancellationToken::new(),
            repeat_key: None,
            listener: None,
        }
    }
}

/// The operations by name.
pub struct Registry {
    entries: Vec<Arc<Entry>>,
}

/// The line of an operation in the table, with its price and its gate.
pub struct Line(Box<dyn FnOnce(usize) -> Entry>);

/// An operation, what it costs and whom it admits.
pub fn operation<O: Operation>(price: Price, gate: Gate) -> Line {
    Line(Box::new(move |index| Entry::new::<O>(index, price, gate)))
}

impl Line {
    /// Answers under another path as well.
    pub(crate) fn also(self, path: &'static str) -> Self {
        Self(Box::new(move |index| Entry {
            alias: Some(path),
            ..(self.0)(index)
        }))
    }
}

impl Entry {
    /// An operation outside of the table.
    pub fn of<O: Operation>(price: Price, gate: Gate) -> Self {
        Self::new::<O>(0, price, gate)
    }

    fn new<O: Operation>(index: usize, price: Price, gate: Gate) -> Self {
        let address = O::ABOUT.address;
        let tariff = Tariff::new(index, price, gate, address.verb.method(), address.path);
        Self {
            about: O::ABOUT,
            effect: O::EFFECT,
            rows: O::ROWS,
            tariff: Arc::new(tariff),
            input: O::Input::describe(),
            output: Shape::of::<O::Output>(),
            alias: None,
            of_request: |arguments, body| {
                Ok(Box::new(Asked::<O>(O::Input::of_request(arguments, body)?)))
            },
            of_object: |object| Ok(Box::new(Asked::<O>(O::Input::of_object(object)?))),
        }
    }

    /// Reads and checks what a request carries. `body` is empty where the operation takes none.
    pub fn question(&self, arguments: Arguments<'_>, body: &[u8]) -> Asking {
        (self.of_request)(arguments, body)
    }

    /// The path with its variables filled in, as key scopes see it.
    pub fn path(&self, arguments: &Map<String, Value>) -> String {
        let mut path = self.about.address.path.to_owned();
        for field in &self.input.fields {
            if field.place == Place::Path
                && let Some(Value::String(value)) = arguments.get(field.name)
            {
                // A value is one segment, whatever it contains.
                let segment = value.replace('/', "%2F");
                path = path.replace(&format!("{{{}}}", field.name), &segment);
            }
        }
        path
    }
}

impl Registry {
    /// Every operation of the table.
    pub fn new() -> Self {
        let entries = table()
            .into_iter()
            .enumerate()
            .map(|(index, Line(entry))| Arc::new(entry(index)))
            .collect();
        Self { entries }
    }

    /// With further operations behind those that are there.
    #[must_use]
    pub fn extended(mut self, lines: Vec<Line>) -> Self {
        for Line(entry) in lines {
            self.entries.push(Arc::new(entry(self.entries.len())));
        }
        self
    }

    /// These operations only.
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self {
            entries: entries.into_iter().map(Arc::new).collect(),
        }
    }

    /// What can be asked, in the order of the table.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// Asks on behalf of an operation that is admitted already: gate and key scope of the one asked apply, while the minute and
    /// the credits are those of the one that asks. `as_of` of the context applies where the arguments name no other time.
    pub async fn consult(
        &self,
        context: &Context,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Vec<u8>> {
        let entry = self.find(name)?;
        let (question, context) = entry.consulted(context, arguments)?;
        entry.answer_consulted(question, context).await
    }

    /// As [`Registry::consult`], where what `read` makes of the answer is kept for others of the same scope, while the data stand
    /// still and for ten seconds at most.
    pub async fn consult_kept<T>(
        &self,
        context: &Context,
        name: &str,
        arguments: Map<String, Value>,
        kept: &KeptResults<T>,
        read: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<Arc<T>> {
        let entry = self.find(name)?;
        let written = Value::Object(arguments.clone()).to_string();
        let symbol = arguments.get("symbol").and_then(Value::as_str);
        let subject = symbol.unwrap_or(entry.about.name).to_owned();
        let (question, own) = entry.consulted(context, arguments)?;
        if entry.about.keeping == Keeping::Never || entry.effect == Effect::Acts {
            let body = entry.answer_consulted(question, own).await?;
            return read(&body).map(Arc::new);
        }
        let services = context.services.clone();
        let variant = question.variant(&own).await?;
        let categories = own.caller.categories().iter();
        let mut categories: Vec<&str> = categories.map(|one| one.as_str()).collect();
        categories.sort_unstable();
        let key = ResultKey::new(
            services.data_revision().await?,
            services.clock.now(),
            entry.about.name,
            &subject,
            format!(
                "{written} {:?} {} {}",
                own.as_of.0.map(Timestamp::ms),
                categories.join(","),
                variant.unwrap_or_default()
            ),
        );
        let make = async {
            let body = entry.answer_consulted(question, own).await?;
            let bytes = body.len() as u64;
            read(&body).map(|value| (value, bytes))
        };
        kept.get(&key, make).await
    }

    /// The operation of a name.
    pub fn find(&self, name: &str) -> Result<&Arc<Entry>> {
        let found = self.entries.iter().find(|entry| entry.about.name == name);
        found.ok_or_else(|| {
            let name: String = name.chars().take(60).collect();
            Error::not_found(format!("there is no operation {name:?}"))
        })
    }

    /// Asks. The highest price is reserved before the work and what was done is settled after it; a failure costs
    /// nothing.
    pub async fn call(
        &self,
        services: &Services,
        caller: &Caller,
        name: &str,
        arguments: Map<String, Value>,
        limits: &Limits,
    ) -> Result<Answered> {
        let entry = self.find(name)?;
        let name = entry.about.name;
        let started = Instant::now();
        let span = tracing::debug_span!("operation", operation.name = name);
        // A fault of one operation must not end whoever asks several.
        let answer = AssertUnwindSafe(entry.ask(services, caller, arguments, limits))
            .catch_unwind()
            .instrument(span)
            .await
            .unwrap_or_else(|_| Err(Error::internal("an operation panicked")));
        let outcome = match &answer {
            Ok(_) => "ok",
            Err(error) => error.code().word(),
        };
        metrics::counter!("assay_operation_calls_total", "operation" => name, "outcome" => outcome)
            .increment(1);
        metrics::histogram!("assay_operation_duration_seconds", "operation" => name)
            .record(started.elapsed().as_secs_f64());
        answer
    }
}

impl Entry {
    /// Checks a call on behalf of another operation: its gate, its arguments, its time.
    fn consulted(
        &self,
        context: &Context,
        mut arguments: Map<String, Value>,
    ) -> Result<(Box<dyn Question>, Context)> {
        let path = self.path(&arguments);
        let method = self.about.address.verb.method();
        self.tariff.admit(&context.caller, method, &path)?;
        let asked = take_as_of(self, &mut arguments, &context.services)?;
        let as_of = match (asked, context.as_of) {
            (AsOf(Some(asked)), AsOf(Some(whole))) => AsOf(Some(asked.min(whole))),
            (AsOf(Some(asked)), AsOf(None)) => AsOf(Some(asked)),
            (AsOf(None), whole) => whole,
        };
        let question = (self.of_object)(&arguments)?;
        let context = Context {
            as_of: if self.about.takes_as_of {
                as_of
            } else {
                AsOf(None)
            },
            price: self.tariff.price,
            // Nothing is set aside here: whoever asks pays.
            charge: Charge::default(),
            attempt: Arc::new(Attempt::new(None, context.services.clock.now())),
            limits: Limits {
                listener: None,
                ..context.limits.clone()
            },
            naming: Naming::Now,
            ..context.clone()
        };
        Ok((question, context))
    }

    async fn answer_consulted(
        &self,
        question: Box<dyn Question>,
        context: Context,
    ) -> Result<Vec<u8>> {
        let span = tracing::debug_span!("operation", operation.name = self.about.name);
        let services = context.services.clone();
        let work = admission::in_time(&services, question.answer(context));
        // A fault of one operation must not end whoever asks several.
        AssertUnwindSafe(work)
            .catch_unwind()
            .instrument(span)
            .await
            .unwrap_or_else(|_| Err(Error::internal("an operation panicked")))?
    }

    async fn ask(
        &self,
        services: &Services,
        caller: &Caller,
        mut arguments: Map<String, Value>,
        limits: &Limits,
    ) -> Result<Answered> {
        if caller.is_demo() {
            admission::admit_anonymous(services)?;
        }
        let price = self.tariff.price;
        let charge = Charge::default();
        let path = self.path(&arguments);
        let address = (self.about.address.verb.method(), &*path);
        let is_acting = self.effect == Effect::Acts;
        let repeat_key = limits.repeat_key.as_ref().filter(|_| is_acting);
        let reserving = match repeat_key {
            Some(_) => Reserving::WhenFirst,
            None => Reserving::Now,
        };
        let admission =
            admission::admit(services, caller, &self.tariff, address, &charge, reserving).await;
        admission.outcome?;
        // A repetition costs nothing: what is left of the budget matters where it turns out to be the first call.
        if repeat_key.is_none() {
            within(limits.budget, self.about.name, price)?;
        }
        let as_of = take_as_of(self, &mut arguments, services)?;
        let context = Context {
            services: services.clone(),
            caller: caller.clone(),
            as_of,
            price,
            charge: charge.clone(),
            attempt: Arc::new(Attempt::new(None, services.clock.now())),
            limits: limits.clone(),
            naming: Naming::default(),
        };
        let question = (self.of_object)(&arguments)?;
        if let Some(key) = repeat_key {
            let call = (format!("{} {path}", address.0), repeat::digest(&arguments));
            let within = within(limits.budget, self.about.name, price);
            return repeat::once(context, key, self.tariff.clone(), call, within, question).await;
        }
        let work = admission::in_time(services, question.answer(context));
        let body = tokio::select! {
            biased;
            () = limits.cancel.cancelled() => {
                charge.release();
                return Err(Error::refused(ErrorCode::Cancelled, "the call was cancelled"));
            }
            body = work => body??,
        };
        charge.settle(price.most).await?;
        Ok(Answered {
            body,
            credits: charge.credits(),
        })
    }
}

/// Whether the highest price of a call is within a budget.
fn within(budget: u64, name: &str, price: Price) -> Result<()> {
    if price.most <= budget {
        return Ok(());
    }
    Err(Error::refused(
        ErrorCode::BudgetExceeded,
        format!(
            "{name} costs up to {} credits; {budget} are left in the budget",
            price.most
        ),
    ))
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

fn take_as_of(
    entry: &Entry,
    arguments: &mut Map<String, Value>,
    services: &Services,
) -> Result<AsOf> {
    let asked = if entry.about.takes_as_of {
        arguments.remove("as_of")
    } else {
        None
    };
    let asked = match asked {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(
            text.trim()
                .parse()
                .map_err(|error| Error::invalid(format!("as_of: {error}")))?,
        ),
        Some(_) => return Err(no_time()),
    };
    AsOf::new(asked, services)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_of_the_simulated_world_says_so_once() {
        for (body, expected) in [
            ("{}", r#"{"simulated":true}"#),
            (r#"{"a":1}"#, r#"{"a":1,"simulated":true}"#),
            (r#"{"simulated":true}"#, r#"{"simulated":true}"#),
            (
                r#"{"rows":[{"simulated":true}],"text":"\"simulated\":"}"#,
                r#"{"rows":[{"simulated":true}],"text":"\"simulated\":","simulated":true}"#,
            ),
            ("[1]", "[1]"),
        ] {
            let found = say_simulated(DataMode::Demo, body.as_bytes().to_vec());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }
}
