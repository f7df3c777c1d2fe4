//! How the interface describes itself: `/openapi.json`, and `/docs` to browse it without a network.

use std::sync::LazyLock;

use axum::Router;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, header};
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterStyle, PathItem};
use utoipa::openapi::response::{Response as ResponseDescription, ResponseBuilder};
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, ContentBuilder, KnownFormat, OpenApi, Ref, RefOr};
use utoipa::{OpenApi as _, PartialSchema, ToSchema};
use utoipa_swagger_ui::{Config, SwaggerUi};

use operations::{Gate, Offer, Payment};

use crate::error::{ErrorBody, answered_codes};
use crate::router::{Line, table};
use crate::state::AppState;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Assay",
        description = "News and market intelligence, self-hosted: briefs from several sources with confidence, bias and provenance.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "news", description = "Briefs, search, entities and streams"),
        (name = "trading", description = "Screener, backtest, correlation, watchlists, portfolio, sectors"),
        (name = "account", description = "Accounts, keys, usage and billing"),
        (name = "operations", description = "Health, metrics and this document")
    )
)]
struct Skeleton;

/// The complete document: every line of the route table, and what they have in common.
pub fn document() -> OpenApi {
    let mut document = Skeleton::openapi();
    env!("CARGO_PKG_VERSION").clone_into(&mut document.info.version);
    for line in table() {
        add(&mut document, line);
    }
    let components = document.components.get_or_insert_default();
    components
        .schemas
        .insert("Error".to_owned(), ErrorBody::schema());
    components
        .schemas
        .insert(Payment::name().into_owned(), Payment::schema());
    components
        .schemas
        .insert(Offer::name().into_owned(), Offer::schema());
    for schema in components.schemas.values_mut() {
        state_times(schema);
    }
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key, or a token from /auth/login"))
        .build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.add_security_scheme(
        "api_key_header",
        SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-API-Key"))),
    );
    components.add_security_scheme(
        "api_key_query",
        SecurityScheme::ApiKey(ApiKey::Query(ApiKeyValue::new("api_key"))),
    );
    document
}

fn add(document: &mut OpenApi, line: Line) {
    let Line {
        schemas,
        paths,
        price,
        gate,
        ..
    } = line;
    for (path, mut item) in paths.paths {
        for (method, operation) in operations(&mut item) {
            operation.operation_id = Some(operation_id(method, &path));
            complete(operation, price.most, price.words, gate);
        }
        match document.paths.paths.get_mut(&path) {
            Some(present) => present.merge_operations(item),
            None => {
                document.paths.paths.insert(path, item);
            }
        }
    }
    document
        .components
        .get_or_insert_default()
        .schemas
        .extend(schemas);
}

/// States the format of properties whose name says that they are a time or a day and whose schema says nothing else
/// about their form. Answers are checked against it in every test.
fn state_times(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else {
        return;
    };
    for (name, property) in &mut object.properties {
        if let RefOr::T(Schema::Object(property)) = property
            && property.format.is_none()
            && property.pattern.is_none()
            && is_text(&property.schema_type)
            && let Some(format) = format_of(name)
        {
            property.format = Some(SchemaFormat::KnownFormat(format));
        }
    }
}

fn is_text(kind: &SchemaType) -> bool {
    match kind {
        SchemaType::Type(kind) => *kind == Type::String,
        SchemaType::Array(kinds) => kinds.contains(&Type::String),
        SchemaType::AnyValue => false,
    }
}

fn format_of(name: &str) -> Option<KnownFormat> {
    match name {
        "at" | "last_seen" | "newest_available" => Some(KnownFormat::DateTime),
        "date" | "period_end" | "period_of_report" => Some(KnownFormat::Date),
        // An address, not a time.
        "verifiable_at" => None,
        _ if name.ends_with("_at") => Some(KnownFormat::DateTime),
        _ if name.ends_with("_date") => Some(KnownFormat::Date),
        _ => None,
    }
}

/// Gives a parameter of a line its schema; the values of a list are separated by commas.
pub(crate) fn with_parameter(mut line: Line, name: &str, schema: RefOr<Schema>) -> Line {
    let is_list = matches!(schema, RefOr::T(Schema::Array(_)));
    for item in line.paths.paths.values_mut() {
        for (_, operation) in operations(item) {
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(parameter) = parameter
                    && parameter.name == name
                {
                    parameter.schema = Some(schema.clone());
                    if is_list {
                        parameter.style = Some(ParameterStyle::Form);
                        parameter.explode = Some(false);
                    }
                }
            }
        }
    }
    line
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("get", &mut item.get),
        ("post", &mut item.post),
        ("put", &mut item.put),
        ("patch", &mut item.patch),
        ("delete", &mut item.delete),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// A name that no other operation has: `get_brief_id` for `GET /api/v1/brief/{id}`.
fn operation_id(method: &str, path: &str) -> String {
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    let words = path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    std::iter::once(method)
        .chain(words)
        .collect::<Vec<_>>()
        .join("_")
}

/// Adds to an operation what its line and the layers know about it.
fn complete(operation: &mut Operation, credits: u64, words: Option<&str>, gate: Gate) {
    let credits = words.map_or_else(|| serde_json::Value::from(credits), serde_json::Value::from);
    let extensions = ExtensionsBuilder::new()
        .add("x-credits", credits)
        .add("x-gate", gate.to_string())
        .build();
    operation
        .extensions
        .get_or_insert_default()
        .merge(extensions);
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.name == "Idempotency-Key"
        {
            parameter.schema = Some(idempotency_key().into());
        }
    }
    let schemes = ["bearer", "api_key_header", "api_key_query"];
    let required: Vec<SecurityRequirement> = match gate {
        Gate::None => vec![SecurityRequirement::default()],
        Gate::Jwt => vec![SecurityRequirement::new::<_, [&str; 0], &str>("bearer", [])],
        Gate::Read => std::iter::once(SecurityRequirement::default())
            .chain(schemes.map(|name| SecurityRequirement::new::<_, [&str; 0], &str>(name, [])))
            .collect(),
        Gate::Key | Gate::Plan(_) | Gate::Paid => schemes
            .map(|name| SecurityRequirement::new::<_, [&str; 0], &str>(name, []))
            .into(),
    };
    operation.security = Some(required);
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response {
            describe_headers(response);
            // A response that was described in words only.
            if response.content.is_empty() && status.starts_with(['4', '5']) {
                let json = "application/json".to_owned();
                response.content.insert(json, RefOr::T(error_content()));
            }
        }
    }
    let mut statuses = vec![400_u16, 403, 414, 421, 429, 431, 500, 503];
    if gate != Gate::None {
        statuses.push(401);
    }
    if gate == Gate::Paid {
        statuses.push(402);
    }
    if operation.request_body.is_some() {
        statuses.extend([408, 409, 413, 415, 422]);
    }
    for status in statuses {
        operation
            .responses
            .responses
            .entry(status.to_string())
            .or_insert_with(|| RefOr::T(error_response(status, None)));
    }
}

pub(crate) fn error_response(status: u16, when: Option<&str>) -> ResponseDescription {
    let words: Vec<&str> = answered_codes()
        .filter(|code| code.status() == status)
        .map(operations::ErrorCode::word)
        .collect();
    let mut response = ResponseBuilder::new()
        .description(match when {
            Some(when) => format!("{when}; `error_code` is one of {}", words.join(", ")),
            None => format!("`error_code` is one of {}", words.join(", ")),
        })
        .content("application/json", error_content())
        .build();
    describe_headers(&mut response);
    response
}

fn error_content() -> Content {
    ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Error")))
        .build()
}

/// What an `Idempotency-Key` may be.
pub(crate) fn idempotency_key() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(255))
        .pattern(Some("^[!-~]+$"))
        .build()
}

/// The headers of every response.
fn describe_headers(response: &mut ResponseDescription) {
    let integer = |words: &str| {
        HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::Integer)))
            .description(Some(words))
            .build()
    };
    let text = |words: &str| {
        HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .description(Some(words))
            .build()
    };
    for (name, header) in [
        (
            "RateLimit-Limit",
            integer("Requests allowed in a one-minute window"),
        ),
        (
            "RateLimit-Remaining",
            integer("Requests left in this window"),
        ),
        ("RateLimit-Reset", integer("Seconds until the window ends")),
        (
            "X-Credits-Charged",
            integer("Credits charged for this call"),
        ),
        (
            "X-Request-Id",
            text("Id of this request, as used in the log"),
        ),
        ("X-Data-Mode", text("`demo` or `real`")),
    ] {
        response
            .headers
            .entry(name.to_owned())
            .or_insert(RefOr::T(header));
    }
}

/// `GET /openapi.json`: this document.
#[utoipa::path(get, path = "/openapi.json", tag = "operations",
    responses((status = 200, description = "The OpenAPI 3.1 document", content_type = "application/json", body = Object)))]
pub(crate) async fn show() -> Response {
    static WRITTEN: LazyLock<Bytes> =
        LazyLock::new(|| document().to_json().map(Bytes::from).unwrap_or_default());
    (
        [(header::CONTENT_TYPE, "application/json")],
        WRITTEN.clone(),
    )
        .into_response()
}

/// The browsable reference; all its files are in the binary.
pub(crate) fn reference() -> Router<AppState> {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'";
    // Otherwise the page would show the badge of an external validator.
    let config = Config::from("/openapi.json")
        .validator_url("none")
        .show_extensions(true);
    Router::from(SwaggerUi::new("/docs").config(config)).layer(axum::middleware::map_response(
        async |mut response: Response| {
            response.headers_mut().insert(
                header::CONTENT_SECURITY_POLICY,
                HeaderValue::from_static(POLICY),
            );
            titled(response).await
        },
    ))
}

/// Gives the page our name in place of its maker's.
async fn titled(response: Response) -> Response {
    const PAGE_BYTES: usize = 64 << 10;
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("text/html"));
    if !is_page {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, PAGE_BYTES).await else {
        return parts.into_response();
    };
    let page = String::from_utf8_lossy(&bytes);
    let page = page.replace(
        "<title>Swagger UI</title>",
        "<title>Assay: reference</title>",
    );
    parts.headers.remove(header::CONTENT_LENGTH);
    (parts, page).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn one_name_means_one_shape() {
        let mut shapes: BTreeMap<String, (String, serde_json::Value)> = BTreeMap::new();
        let mut clashes = Vec::new();
        for line in table() {
            let route = line
                .operations()
                .first()
                .map(|(path, method, _)| format!("{method} {path}"))
                .unwrap_or_default();
            for (name, schema) in line.schemas {
                let schema = serde_json::to_value(&schema).unwrap();
                let (first, known) = shapes
                    .entry(name.clone())
                    .or_insert_with(|| (route.clone(), schema.clone()));
                if *known != schema {
                    clashes.push(format!("{name} of {first} and of {route}"));
                }
            }
        }
        assert!(clashes.is_empty(), "{clashes:#?}");
        assert!(shapes.len() > 100, "{}", shapes.len());
    }
}
