//! An operation over HTTP: its route, its handler and its entry in the OpenAPI document.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::request::Parts;
use operations::{
    Address, Arguments, AsOf, Attempt, Context, Entry, Error, Field, Keeping, Limits, Naming,
    Place, Question, Result, Tariff, Verb, Work,
};
use serde_json::{Map, Value};
use utoipa::openapi::path::{
    HttpMethod, Operation as Described, OperationBuilder, ParameterBuilder, ParameterIn,
    ParameterStyle, PathItem, Paths, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{ContentBuilder, KnownFormat, Ref, RefOr, Required};

use crate::csv::{self, Table, Tables};
use crate::error::Failure;
use crate::extract::{as_of, read_body, require_json};
use crate::idempotency::{Done, Idempotent, Scope, json};
use crate::pages::Cacheable;
use crate::request_context::RequestContext;
use crate::router::{Line, line};
use crate::state::AppState;

/// How many characters of a path variable count when one repeatable request is told from another.
const LONGEST_VARIABLE: usize = 80;

/// The line of an operation.
pub fn bind(entry: &Arc<Entry>) -> Line {
    let Address { verb, path } = entry.about.address;
    let mut schemas = Vec::new();
    for shape in std::iter::once(&entry.output).chain(&entry.input.body) {
        schemas.extend(shape.parts.iter().cloned());
        schemas.push((shape.name.clone(), shape.schema.clone()));
    }
    let method = match verb {
        Verb::Get => HttpMethod::Get,
        Verb::Post => HttpMethod::Post,
        Verb::Put => HttpMethod::Put,
        Verb::Patch => HttpMethod::Patch,
        Verb::Delete => HttpMethod::Delete,
    };
    let item = PathItem::new(method, described(entry));
    let paths: Paths = PathsBuilder::new().path(path, item).build();
    let Tariff { price, gate, .. } = *entry.tariff;
    Line {
        alias: entry.alias,
        ..line((schemas, paths, handler(entry.clone())), price, gate)
    }
}

fn handler(entry: Arc<Entry>) -> MethodRouter<AppState> {
    let tables = Tables::of(&entry);
    let filter = match entry.about.address.verb {
        Verb::Get => MethodFilter::GET,
        Verb::Post => MethodFilter::POST,
        Verb::Put => MethodFilter::PUT,
        Verb::Patch => MethodFilter::PATCH,
        Verb::Delete => MethodFilter::DELETE,
    };
    on(
        filter,
        move |State(state): State<AppState>, request: Request| {
            let entry = entry.clone();
            let asked = csv::asked(request.headers());
            let table = asked.and_then(|asked| tables.find(asked.list.as_deref()));
            async move {
                match table {
                    None => serve(&entry, state, request).await,
                    Some(table) => Box::pin(serve_table(&entry, state, request, &table)).await,
                }
            }
        },
    )
}

/// Answers a request for a table as CSV.
async fn serve_table(
    entry: &Entry,
    state: AppState,
    request: Request,
    table: &Table,
) -> Result<Response, Failure> {
    if (entry.about.address.verb, entry.about.keeping) == (Verb::Get, Keeping::WhileDataStand) {
        return kept(entry, state, request, Some(table)).await;
    }
    let response = serve(entry, state, request).await?;
    Ok(table.rewritten(response).await?)
}

/// Answers a request for an operation.
pub(crate) async fn serve(
    entry: &Entry,
    state: AppState,
    request: Request,
) -> Result<Response, Failure> {
    match (entry.about.address.verb, entry.about.keeping) {
        (Verb::Get, Keeping::WhileDataStand) => kept(entry, state, request, None).await,
        (Verb::Get, Keeping::Never) | (Verb::Delete, _) => fresh(entry, state, request).await,
        (Verb::Put | Verb::Patch, _) => Box::pin(replacing(entry, state, request)).await,
        (Verb::Post, _) => Box::pin(posted(entry, state, request)).await,
    }
}

/// What the head of a request says.
struct Head {
    context: Context,
    path: RawPathParams,
    query: String,
}

impl Head {
    async fn of(entry: &Entry, parts: &mut Parts, state: &AppState) -> Result<Self> {
        let request_context = RequestContext::of(&parts.extensions)?.clone();
        let path = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::invalid("the path is not valid UTF-8"))?;
        let as_of = if entry.about.takes_as_of {
            as_of(parts, state)?
        } else {
            AsOf::new(None, state)?
        };
        let context = Context {
            services: state.services.clone(),
            caller: request_context.known_caller()?.clone(),
            as_of,
            price: entry.tariff.price,
            charge: request_context.charge.clone(),
            attempt: Arc::new(Attempt::new(None, state.clock.now())),
            limits: Limits::default(),
            naming: Naming::default(),
        };
        Ok(Self {
            context,
            path,
            query: parts.uri.query().unwrap_or_default().to_owned(),
        })
    }

    /// Method and path with its variables filled in: the same, however the path was spelled.
    fn route(&self, entry: &Entry) -> String {
        let mut path = entry.about.address.path.to_owned();
        for (name, value) in &self.path {
            let value: String = value.chars().take(LONGEST_VARIABLE).collect();
            path = path.replace(&format!("{{{name}}}"), &value);
        }
        format!("{} {path}", entry.about.address.verb.method())
    }

    fn question(&self, entry: &Entry, body: &[u8]) -> Result<Box<dyn Question>> {
        let arguments = Arguments::of_request(self.path.iter(), &self.query);
        entry.question(arguments, body)
    }
}

/// An answer that may be reused while the data do not change.
async fn kept(
    entry: &Entry,
    state: AppState,
    request: Request,
    table: Option<&Table>,
) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let head = Head::of(entry, &mut parts, &state).await?;
    let question = head.question(entry, &[])?;
    let mut page = Cacheable::from_request_parts(&mut parts, &state).await?;
    if let Some(variant) = question.variant(&head.context).await? {
        page = page.varying_by(&variant);
    }
    let Some(table) = table else {
        return Ok(page
            .answer(&state, || question.answer(head.context))
            .await?);
    };
    let make = || -> Work<'_, Vec<u8>> {
        let answer = question.answer(head.context);
        Box::pin(async move { table.written(&answer.await?) })
    };
    let page = page.varying_by(&table.name()).written_as(csv::MEDIA);
    Ok(page.answer(&state, make).await?)
}

/// An answer that is made for this request only.
async fn fresh(entry: &Entry, state: AppState, request: Request) -> Result<Response, Failure> {
    let (mut parts, _) = request.into_parts();
    let head = Head::of(entry, &mut parts, &state).await?;
    let question = head.question(entry, &[])?;
    Ok(json(question.answer(head.context).await?))
}

/// An answer to a body that may safely be sent twice.
async fn replacing(entry: &Entry, state: AppState, request: Request) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let head = Head::of(entry, &mut parts, &state).await?;
    require_json(&parts.headers)?;
    let body = read_body(Request::from_parts(parts, body), &state.http).await?;
    let question = head.question(entry, &body)?;
    Ok(json(question.answer(head.context).await?))
}

/// An answer to a body, which may be given again when the request is repeated.
async fn posted(entry: &Entry, state: AppState, request: Request) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let mut head = Head::of(entry, &mut parts, &state).await?;
    let route = head.route(entry);
    let request = Request::from_parts(parts, body);
    let request = if entry.input.body.is_some() {
        Idempotent::of_request(request, &state).await?
    } else {
        Idempotent::of_any(request, &state).await?
    };
    // A malformed body never counts as a first request.
    let question = head.question(entry, &request.body)?;
    if entry.about.takes_as_of && entry.input.body.is_some() {
        let as_of = head.context.as_of;
        head.context.as_of = as_of.narrowed_by_body(&request.body, &state)?;
    }
    let scope = Scope::of_caller(&head.context.caller);
    let work = async |_, attempt| {
        head.context.attempt = attempt;
        Ok(Done {
            body: question.answer(head.context).await?,
            stored: None,
        })
    };
    request.once(&state, scope, route, work).await
}

/// The entry in the OpenAPI document.
fn described(entry: &Entry) -> Described {
    let Entry { about, input, .. } = entry;
    let example: Map<String, Value> = serde_json::from_str(about.example).unwrap_or_default();
    let mut operation = OperationBuilder::new()
        .tag(about.subject)
        .summary(Some(about.summary))
        .description(Some(about.description).filter(|text| !text.is_empty()));
    for field in &input.fields {
        operation = operation.parameter(parameter(field, example.get(field.name)));
    }
    if about.takes_as_of {
        operation = operation.parameter(as_of_parameter());
    }
    if about.address.verb == Verb::Post {
        operation = operation.parameter(idempotency_key());
    }
    if let Some(body) = &input.body {
        // What is left of the example once the parameters are taken out.
        let mut fields = example.clone();
        fields.retain(|name, _| input.fields.iter().all(|field| field.name != name));
        let content = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name(&body.name)))
            .example(Some(Value::Object(fields)))
            .build();
        let body = RequestBodyBuilder::new()
            .required(Some(Required::True))
            .content("application/json", content)
            .build();
        operation = operation.request_body(Some(body));
    }
    let schema = Ref::from_schema_name(&entry.output.name);
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let mut success = ResponseBuilder::new()
        .description(about.answer)
        .content("application/json", content);
    if Tables::of(entry).find(None).is_some() {
        let text = ObjectBuilder::new().schema_type(Type::String).build();
        let content = ContentBuilder::new().schema(Some(text)).build();
        success = success.content("text/csv", content);
    }
    operation = operation.response("200", success.build());
    let mut operation = operation.build();
    if let Some(missing) = about.missing {
        let response = crate::openapi::error_response(404, Some(missing));
        operation
            .responses
            .responses
            .insert("404".to_owned(), RefOr::T(response));
    }
    operation
}

fn parameter(field: &Field, example: Option<&Value>) -> ParameterBuilder {
    let (place, required) = match field.place {
        Place::Path => (ParameterIn::Path, Required::True),
        Place::Query if field.is_required => (ParameterIn::Query, Required::True),
        Place::Query => (ParameterIn::Query, Required::False),
    };
    let mut parameter = ParameterBuilder::new()
        .name(field.name)
        .parameter_in(place)
        .required(required)
        .description(Some(field.meaning))
        .schema(Some(field.schema.clone()))
        .example(example.cloned());
    if field.is_list {
        parameter = parameter
            .style(Some(ParameterStyle::Form))
            .explode(Some(false));
    }
    parameter
}

fn as_of_parameter() -> ParameterBuilder {
    let schema: Object = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .build();
    ParameterBuilder::new()
        .name("as_of")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(
            "Respond with what was known at this time (ISO 8601), which must not be in the future",
        ))
        .schema(Some(schema))
}

fn idempotency_key() -> ParameterBuilder {
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Makes the request safe to repeat: requests with the same key get the first response",
        ))
        .schema(Some(crate::openapi::idempotency_key()))
}
