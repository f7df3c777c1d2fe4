//! An operation over HTTP: its route, its handler and its entry in the document.

use axum::extract::{FromRequestParts, RawPathParams, RawQuery, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Json, RequestExt};
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
use super::registry::Entry;
use super::{Address, Keeping, Operation, Verb};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exchange::Exchange;
use crate::extract::AsOf;
use crate::idempotency::Idempotent;
use crate::meter::Charge;
use crate::operation::{Gate, Price};
use crate::pages::Cacheable;
use crate::router::{Line, line_of};
use crate::state::AppState;

/// The line of an operation, with its price and its gate.
pub(crate) fn operation<O: Operation>(price: Price, gate: Gate) -> Line {
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
    let mut line = line_of(schemas, paths, handler::<O>(), price, gate);
    line.entry = Some(Entry::new::<O>(price, gate));
    line
}

fn handler<O: Operation>() -> MethodRouter<AppState> {
    match (O::ABOUT.address.verb, O::ABOUT.keeping) {
        (Verb::Get, Keeping::WhileDataStand) => get(kept::<O>),
        (Verb::Get, Keeping::Never) => get(fresh::<O>),
        (Verb::Delete, _) => delete(fresh::<O>),
        (Verb::Post, _) => post(posted::<O>),
    }
}

/// What every handler takes from the head of a request.
struct Head {
    context: Context,
    path: RawPathParams,
    query: String,
}

impl Head {
    async fn of<O: Operation>(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let path = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::invalid("the path is not valid UTF-8"))?;
        let as_of = if O::ABOUT.takes_as_of {
            AsOf::from_request_parts(parts, state).await?
        } else {
            AsOf::new(None, state)?
        };
        let RawQuery(query) = RawQuery::from_request_parts(parts, state)
            .await
            .unwrap_or(RawQuery(None));
        let operation = Exchange::of(&parts.extensions)?.operation();
        let price = operation.map_or(Price::FREE, |operation| operation.price);
        Ok(Self {
            context: Context {
                state: state.clone(),
                caller,
                as_of,
                price,
            },
            path,
            query: query.unwrap_or_default(),
        })
    }

    fn input<O: Operation>(&self, body: &[u8]) -> Result<O::Input> {
        let arguments = Arguments::of_request(self.path.iter(), &self.query);
        O::Input::of_request(arguments, body)
    }
}

/// An answer that may be given again while the data stand still.
async fn kept<O: Operation>(State(state): State<AppState>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let head = Head::of::<O>(&mut parts, &state).await?;
    let input = head.input::<O>(&[])?;
    let mut page = Cacheable::from_request_parts(&mut parts, &state).await?;
    if let Some(variant) = O::variant(&head.context, &input).await? {
        page = page.varying_by(&variant);
    }
    page.answer(&state, O::run(head.context, input)).await
}

/// An answer that is made for this request only.
async fn fresh<O: Operation>(State(state): State<AppState>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let head = Head::of::<O>(&mut parts, &state).await?;
    let input = head.input::<O>(&[])?;
    let answer = Box::pin(O::run(head.context, input)).await?;
    Ok(Json(answer).into_response())
}

/// An answer to a body; where the request may be repeated, charge and answer are written together.
async fn posted<O: Operation>(
    State(state): State<AppState>,
    mut request: Request,
) -> Result<Response> {
    let charge: Charge = request.extract_parts().await?;
    let (mut parts, body) = request.into_parts();
    let head = Head::of::<O>(&mut parts, &state).await?;
    let request = Request::from_parts(parts, body);
    let (body, repeat) = Idempotent::of_bytes(request, &state).await?.apart();
    let input = head.input::<O>(&body)?;
    let caller = head.context.caller.clone();
    let credits = head.context.credits();
    let endpoint = format!("POST {}", O::ABOUT.address.path);
    let make = O::run(head.context, input);
    Box::pin(repeat.charged(&state, &caller, charge, (&endpoint, credits), make)).await
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
