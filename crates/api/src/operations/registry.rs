//! All operations, for interfaces that choose one by its name.
//!
//! Whoever calls through the registry is held to the same gate, key scope, rate limit, price and spending cap as over HTTP:
//! they are applied here, and nothing that a caller may not read over HTTP can be read through another interface.

use std::pin::Pin;
use std::sync::Arc;

use http::Method;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::arguments::Arguments;
use super::context::Context;
use super::input::{Description, Input};
use super::{About, Operation, Place};
use crate::caller::Caller;
use crate::error::{Error, ErrorCode, Result};
use crate::extract::AsOf;
use crate::gate;
use crate::operation::{Gate, Operation as Routed, Price};
use crate::router::table;
use crate::state::AppState;

/// Work that an operation does. Boxed, so that what serves an answer is compiled once and not for each operation.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A checked input, ready to be answered with JSON.
pub(super) trait Question: Send {
    /// What the answer also depends on.
    fn variant<'a>(&'a self, context: &'a Context) -> Work<'a, Option<String>>;

    /// The answer.
    fn answer(self: Box<Self>, context: Context) -> Work<'static, Vec<u8>>;
}

/// What reading an input comes to.
type Asking = Result<Box<dyn Question>>;

struct Asked<O: Operation>(O::Input);

impl<O: Operation> Question for Asked<O> {
    fn variant<'a>(&'a self, context: &'a Context) -> Work<'a, Option<String>> {
        Box::pin(O::variant(context, &self.0))
    }

    fn answer(self: Box<Self>, context: Context) -> Work<'static, Vec<u8>> {
        Box::pin(async move {
            let output = O::run(context, self.0).await?;
            serde_json::to_vec(&output).map_err(Error::internal)
        })
    }
}

/// An operation of the registry.
#[derive(Clone)]
pub struct Entry {
    /// What it is.
    pub about: About,
    /// What it costs.
    pub price: Price,
    /// Whom it admits.
    pub gate: Gate,
    /// What it takes.
    pub input: Description,
    pub(super) of_request: fn(Arguments<'_>, &[u8]) -> Asking,
    of_object: fn(&Map<String, Value>) -> Asking,
}

/// What a call may cost, and when it is no longer wanted.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Credits at most. A call whose highest price is above it is refused before any work.
    pub budget: u64,
    /// Ends the work; what was not answered costs nothing.
    pub cancel: CancellationToken,
}

/// An answer and what it cost.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The answer, as JSON.
    pub body: Vec<u8>,
    /// Credits that were charged.
    pub credits: u64,
}

/// The operations by name.
pub struct Registry {
    entries: Vec<(Arc<Entry>, Arc<Routed>)>,
}

impl Entry {
    pub(super) fn new<O: Operation>(price: Price, gate: Gate) -> Self {
        Self {
            about: O::ABOUT,
            price,
            gate,
            input: O::Input::describe(),
            of_request: |arguments, body| {
                Ok(Box::new(Asked::<O>(O::Input::of_request(arguments, body)?)))
            },
            of_object: |object| Ok(Box::new(Asked::<O>(O::Input::of_object(object)?))),
        }
    }

    /// The path with its variables filled in, as key scopes see it.
    fn path(&self, arguments: &Map<String, Value>) -> String {
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
    /// Every operation of the route table that is one.
    pub fn new() -> Self {
        let entries = table()
            .into_iter()
            .enumerate()
            .filter_map(|(index, line)| {
                let entry = line.entry?;
                let method = entry.about.address.verb.method();
                let routed = Routed::new(
                    index,
                    entry.price,
                    entry.gate,
                    method.as_str(),
                    entry.about.address.path,
                );
                Some((entry, Arc::new(routed)))
            })
            .collect();
        Self { entries }
    }

    /// What can be asked.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(|(entry, _)| &**entry)
    }

    /// Asks. The highest price is reserved before the work and what was done is settled after it; a failure costs nothing.
    pub async fn call(
        &self,
        state: &AppState,
        caller: &Caller,
        name: &str,
        mut arguments: Map<String, Value>,
        limits: &Limits,
    ) -> Result<Answered> {
        let found = self
            .entries
            .iter()
            .find(|(entry, _)| entry.about.name == name);
        let Some((entry, routed)) = found else {
            let name: String = name.chars().take(60).collect();
            return Err(Error::not_found(format!("there is no operation {name:?}")));
        };
        let method: Method = entry.about.address.verb.method();
        if caller.is_demo() {
            gate::admit_anonymous(state)?;
        }
        gate::take_turn(state, caller).1?;
        routed.admit(caller, &method, &entry.path(&arguments))?;
        if entry.price.most > limits.budget {
            return Err(Error::refused(
                ErrorCode::BudgetExceeded,
                format!(
                    "{name} costs up to {} credits, {} are left of the budget",
                    entry.price.most, limits.budget
                ),
            ));
        }
        let as_of = take_as_of(entry, &mut arguments, state)?;
        let terms = caller.terms(&state.settings);
        let reservation = state.meter.reserve(caller, terms, routed).await?;
        let context = Context {
            state: state.clone(),
            caller: caller.clone(),
            as_of,
            price: entry.price,
        };
        let question = (entry.of_object)(&arguments)?;
        let work = gate::in_time(state, question.answer(context));
        let body = tokio::select! {
            biased;
            () = limits.cancel.cancelled() => {
                return Err(Error::refused(ErrorCode::Cancelled, "the call was cancelled"));
            }
            body = work => body??,
        };
        let credits = reservation.settle(entry.price.most).await?;
        Ok(Answered { body, credits })
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

fn take_as_of(entry: &Entry, arguments: &mut Map<String, Value>, state: &AppState) -> Result<AsOf> {
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
        Some(_) => return Err(Error::invalid("as_of must be a string")),
    };
    AsOf::new(asked, state)
}
