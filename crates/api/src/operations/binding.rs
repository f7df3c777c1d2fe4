//! An operation over HTTP: its route, its handler and its entry in the document.

use std::sync::Arc;

use axum::RequestExt;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use http::header;
use http::request::Parts;
use serde_json::{Map, Value};
use utoipa::openapi::path::{
    HttpMethod, Operation as Described, OperationBuilder, ParameterBuilder, ParameterIn,
    ParameterStyle, PathItem, Paths, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{ContentBuilder, KnownFormat, Ref, RefOr, Required};
use utoipa::{PartialSchema, ToSchema};

use super::arguments::Arguments;
use super::context::Context;
use super::field::{Field, Place};
use super::input::{Description, Input};
use super::registry::{Entry, Question};
use super::{Address, Keeping, Operation, Verb};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::extract::AsOf;
use crate::idempotency::Idempotent;
use crate::meter::Charge;
use crate::operation::{Gate, Price};
use crate::pages::Cacheable;
use crate::router::{Line, line_of};
use crate::state::AppState;

/// The line of an operation, with its price and its gate.
pub fn operation<O: Operation>(price: Price, gate: Gate) -> Line {
    let Address { verb, path } = O::ABOUT.address;
    let mut schemas = Vec::new();
    O::Output::schemas(&mut schemas);
    schemas.push((O::Output::name().into_owned(), O::Output::schema()));
    let description = O::Input::describe();
    if let Some(body) = &description.body {
        schemas.extend(body.parts.iter().cloned());
        schemas.push((body.name.clone(), body.schema.clone()));
    }
    let method = match verb {
        Verb::Get => HttpMethod::Get,
        Verb::Post => HttpMethod::Post,
        Verb::Delete => HttpMethod::Delete,
    };
    let item = PathItem::new(method, described::<O>(description));
    let paths: Paths = PathsBuilder::new().path(path, item).build();
    let entry = Arc::new(Entry::new::<O>(price, gate));
    let mut line = line_of(schemas, paths, handler(entry.clone()), price, gate);
    line.entry = Some(entry);
    line
}

fn handler(entry: Arc<Entry>) -> MethodRouter<AppState> {
    let filter = match entry.about.address.verb {
        Verb::Get => MethodFilter::GET,
        Verb::Post => MethodFilter::POST,
        Verb::Delete => MethodFilter::DELETE,
    };
    on(
        filter,
        move |State(state): State<AppState>, request: Request| {
            let entry = entry.clone();
            async move { serve(&entry, state, request).await }
        },
    )
}

async fn serve(entry: &Entry, state: AppState, request: Request) -> Result<Response> {
    match (entry.about.address.verb, entry.about.keeping) {
        (Verb::Get, Keeping::WhileDataStand) => kept(entry, state, request).await,
        (Verb::Get, Keeping::Never) | (Verb::Delete, _) => fresh(entry, state, request).await,
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
        let caller = Caller::from_request_parts(parts, state).await?;
        let path = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::invalid("the path is not valid UTF-8"))?;
        let as_of = if entry.about.takes_as_of {
            AsOf::from_request_parts(parts, state).await?
        } else {
            AsOf::new(None, state)?
        };
        let context = Context {
            state: state.clone(),
            caller,
            as_of,
            price: entry.price,
        };
        Ok(Self {
            context,
            path,
            query: parts.uri.query().unwrap_or_default().to_owned(),
        })
    }

    fn question(&self, entry: &Entry, body: &[u8]) -> Result<Box<dyn Question>> {
        let arguments = Arguments::of_request(self.path.iter(), &self.query);
        (entry.of_request)(arguments, body)
    }
}

/// An answer that may be given again while the data stand still.
async fn kept(entry: &Entry, state: AppState, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let head = Head::of(entry, &mut parts, &state).await?;
    let question = head.question(entry, &[])?;
    let mut page = Cacheable::from_request_parts(&mut parts, &state).await?;
    if let Some(variant) = question.variant(&head.context).await? {
        page = page.varying_by(&variant);
    }
    page.answer(&state, || question.answer(head.context)).await
}

/// An answer that is made for this request only.
async fn fresh(entry: &Entry, state: AppState, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let head = Head::of(entry, &mut parts, &state).await?;
    let question = head.question(entry, &[])?;
    let body = question.answer(head.context).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// An answer to a body; where the request may be repeated, charge and answer are written together.
async fn posted(entry: &Entry, state: AppState, mut request: Request) -> Result<Response> {
    let path = request.uri().path().to_owned();
    let charge: Charge = request.extract_parts().await?;
    let (mut parts, body) = request.into_parts();
    let head = Head::of(entry, &mut parts, &state).await?;
    let request = Request::from_parts(parts, body);
    let (body, repeat) = Idempotent::of_bytes(request, &state).await?.apart();
    let question = head.question(entry, &body)?;
    let caller = head.context.caller.clone();
    // With the variables filled in: the same key may be used for another resource.
    let endpoint = format!("POST {path}");
    let price = (endpoint.as_str(), entry.price.most);
    let make = question.answer(head.context);
    repeat.charged(&state, &caller, charge, price, make).await
}

/// The entry of the document.
fn described<O: Operation>(description: Description) -> Described {
    let about = O::ABOUT;
    let example: Map<String, Value> = serde_json::from_str(about.example).unwrap_or_default();
    let mut operation = OperationBuilder::new()
        .tag(about.subject)
        .summary(Some(about.summary))
        .description(Some(about.description).filter(|text| !text.is_empty()));
    for field in description.fields {
        operation = operation.parameter(parameter(&field, example.get(field.name)));
    }
    if about.takes_as_of {
        operation = operation.parameter(as_of());
    }
    if let Some(body) = description.body {
        operation = operation.parameter(idempotency_key());
        let content = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name(body.name)))
            .build();
        let body = RequestBodyBuilder::new()
            .required(Some(Required::True))
            .content("application/json", content)
            .build();
        operation = operation.request_body(Some(body));
    }
    let schema = Ref::from_schema_name(O::Output::name());
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let success = ResponseBuilder::new()
        .description(about.answer)
        .content("application/json", content);
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

fn as_of() -> ParameterBuilder {
    let schema: Object = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .build();
    ParameterBuilder::new()
        .name("as_of")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(
            "Answers from what was known at this time (ISO 8601), which must not lie in the future",
        ))
        .schema(Some(schema))
}

fn idempotency_key() -> ParameterBuilder {
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("Repeats of the request get the first answer"))
        .schema(Some(crate::openapi::idempotency_key()))
}
