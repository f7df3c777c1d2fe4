//! Whether answers are what the document says: every answer that a test gets is compared with it.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use http::{Method, StatusCode};
use jsonschema::Validator;
use serde_json::{Value, json};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(api::document()).unwrap());

/// Shapes that were compiled before, by where they stand in the document.
static COMPILED: LazyLock<Mutex<HashMap<String, &'static Validator>>> =
    LazyLock::new(Mutex::default);

/// Panics where an answer of a documented operation has a status that is not documented, or another shape.
pub(crate) fn check(method: &Method, path: &str, status: StatusCode, mode: &str, body: &[u8]) {
    let method = if method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    let Some((route, operation)) = find(method, path) else {
        return;
    };
    // A method that the path does not have, and answers without a body.
    if matches!(status.as_u16(), 304 | 405) {
        return;
    }
    let at = format!("{method} {route} {}", status.as_u16());
    let response = &operation["responses"][status.as_str()];
    assert!(response.is_object(), "{at} is not documented");
    let schema = &response["content"]["application/json"]["schema"];
    if schema.is_null() || body.is_empty() {
        return;
    }
    let value: Value = serde_json::from_slice(body).unwrap();
    // The document is the same in every world.
    if value.is_object() && route != "/openapi.json" {
        assert_eq!(
            value["simulated"] == true,
            mode == "demo",
            "{at} says {} of whether it is simulated, and its data are {mode}",
            value["simulated"]
        );
    }
    let validator = compiled(&at, schema);
    let faults: Vec<String> = validator
        .iter_errors(&value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .take(5)
        .collect();
    assert!(faults.is_empty(), "{at} is not as documented: {faults:#?}");
}

/// A validator of a schema that refers to the components of the document.
pub(crate) fn compiled(at: &str, schema: &Value) -> &'static Validator {
    let mut compiled = COMPILED.lock().unwrap();
    if let Some(validator) = compiled.get(at) {
        return validator;
    }
    let whole = json!({"allOf": [schema], "components": DOCUMENT["components"]});
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&whole)
        .unwrap();
    let validator: &'static Validator = Box::leak(Box::new(validator));
    compiled.insert(at.to_owned(), validator);
    validator
}

/// The documented operation of a path; words are preferred to variables.
fn find(method: &Method, path: &str) -> Option<(&'static str, &'static Value)> {
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let paths = DOCUMENT["paths"].as_object()?;
    let fits = |route: &str| {
        let route: Vec<&str> = route.split('/').collect();
        route.len() == parts.len()
            && route
                .iter()
                .zip(&parts)
                .all(|(word, part)| word.starts_with('{') || word == part)
    };
    let (route, item) = paths
        .iter()
        .filter(|(route, _)| fits(route))
        .min_by_key(|(route, _)| route.matches('{').count())?;
    let operation = item.get(method.as_str().to_lowercase())?;
    Some((route, operation))
}
