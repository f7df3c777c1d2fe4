//! Whether the document lists the words of every argument that accepts no others.
//!
//! A caller who reads the document must not learn from a refusal which words there are. Each text of each request that the
//! document leaves open gets a word that nobody accepts: a refusal that then names the words to be used says that they
//! belong into the document.

use std::collections::HashMap;

use http::Method;
use serde_json::{Map, Value, json};

use crate::support::{Reply, TestServer};

/// A word that no operation knows.
const IMPROBABLE: &str = "zqxjk";
/// What a refusal says that names the words to be used; every refusal of a word says one of these.
const NAMES_WORDS: [&str; 4] = [
    "must be one of ",
    "; one of ",
    "expected one of ",
    "is none of ",
];
/// Arguments whose words are those of the instruments that a server holds.
const OF_THE_DATA: [&str; 2] = ["exchange", "sector"];
/// Objects in objects that are looked into.
const DEEPEST: usize = 4;

/// An operation of the document, with arguments that are valid.
struct Documented<'d> {
    document: &'d Value,
    method: Method,
    path: &'d str,
    operation: &'d Value,
    example: Map<String, Value>,
}

/// A request that holds the improbable word.
struct Attempt {
    /// The argument that is the word, a field in a field after a dot.
    place: String,
    path: String,
    body: Option<Value>,
}

impl Documented<'_> {
    /// One request for every text that the document leaves open.
    fn attempts(&self) -> Vec<Attempt> {
        let schema = &self.operation["requestBody"]["content"]["application/json"]["schema"];
        let has_body = !schema.is_null();
        let body = has_body.then(|| self.filled(schema, &self.body(schema), 0));
        let mut attempts: Vec<Attempt> = Vec::new();
        for parameter in self.parameters() {
            let name = parameter["name"].as_str().unwrap();
            let worded = self.worded(&parameter["schema"], &Value::Null, name, 0);
            attempts.extend(worded.into_iter().map(|(place, value)| Attempt {
                place,
                path: self.address(Some((name, &text(&value)))),
                body: body.clone(),
            }));
        }
        if let Some(body) = &body {
            let worded = self.worded(schema, body, "", 0);
            attempts.extend(worded.into_iter().map(|(place, body)| Attempt {
                place,
                path: self.address(None),
                body: Some(body),
            }));
        }
        attempts
    }

    fn parameters(&self) -> impl Iterator<Item = &Value> {
        let all = self.operation["parameters"].as_array();
        all.into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "query" || parameter["in"] == "path")
    }

    /// The fields of the example that stand in the body.
    fn body(&self, schema: &Value) -> Value {
        let fields = &self.resolved(schema)["properties"];
        let of_body = self.example.iter();
        let of_body = of_body.filter(|(name, _)| !fields[name.as_str()].is_null());
        of_body
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<Map<_, _>>()
            .into()
    }

    /// Path and query of the example, one of their values replaced.
    fn address(&self, replaced: Option<(&str, &str)>) -> String {
        let mut path = self.path.to_owned();
        let mut query: Vec<(&str, String)> = Vec::new();
        for parameter in self.parameters() {
            let name = parameter["name"].as_str().unwrap();
            let replaced = replaced.filter(|(other, _)| *other == name);
            let value = match (replaced, self.example.get(name)) {
                (Some((_, word)), _) => word.to_owned(),
                (None, Some(value)) => text(value),
                (None, None) if parameter["required"] == true => {
                    text(&self.filled(&parameter["schema"], &Value::Null, 0))
                }
                (None, None) => continue,
            };
            if parameter["in"] == "path" {
                let segment = value.replace('/', "%2F").replace(' ', "%20");
                path = path.replace(&format!("{{{name}}}"), &segment);
            } else {
                query.push((name, value));
            }
        }
        let query = serde_urlencoded::to_string(query).unwrap();
        if query.is_empty() {
            path
        } else {
            format!("{path}?{query}")
        }
    }

    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let Some(reference) = schema["$ref"].as_str() else {
            return schema;
        };
        let pointer = reference.strip_prefix('#').unwrap();
        self.resolved(self.document.pointer(pointer).unwrap())
    }

    /// The value with the improbable word in the place of each text that the schema leaves open, and which place that is.
    fn worded(
        &self,
        schema: &Value,
        value: &Value,
        place: &str,
        depth: usize,
    ) -> Vec<(String, Value)> {
        let schema = self.resolved(schema);
        if depth > DEEPEST || !schema["enum"].is_null() || !schema["const"].is_null() {
            return Vec::new();
        }
        let mut worded = Vec::new();
        for branch in branches(schema) {
            worded.extend(self.worded(branch, value, place, depth));
        }
        if is_a(schema, "string") {
            worded.push((place.to_owned(), IMPROBABLE.into()));
        }
        if !schema["items"].is_null() {
            let inner = self.worded(&schema["items"], &value[0], place, depth + 1);
            worded.extend(
                inner
                    .into_iter()
                    .map(|(place, item)| (place, json!([item]))),
            );
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let place = if place.is_empty() {
                name.clone()
            } else {
                format!("{place}.{name}")
            };
            let whole = self.filled(schema, value, depth);
            for (place, inner) in self.worded(property, &whole[name], &place, depth + 1) {
                let mut whole = whole.clone();
                whole[name] = inner;
                worded.push((place, whole));
            }
        }
        worded
    }

    /// The value, or one that the schema allows where there is none, with the fields that must be there.
    fn filled(&self, schema: &Value, value: &Value, depth: usize) -> Value {
        let schema = self.resolved(schema);
        if depth > DEEPEST || !(value.is_null() || value.is_object()) {
            return value.clone();
        }
        if let Some(branch) = branches(schema).find(|branch| !is_a(branch, "null")) {
            return self.filled(branch, value, depth);
        }
        if is_a(schema, "object") || value.is_object() {
            let mut whole = value.as_object().cloned().unwrap_or_default();
            for name in schema["required"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap();
                let given = whole.get(name).cloned().unwrap_or_default();
                let inner = self.filled(&schema["properties"][name], &given, depth + 1);
                whole.insert(name.to_owned(), inner);
            }
            return whole.into();
        }
        let stated = [&schema["example"], &schema["default"], &schema["enum"][0]];
        if let Some(stated) = stated.into_iter().find(|stated| !stated.is_null()) {
            return stated.clone();
        }
        if is_a(schema, "array") {
            json!([self.filled(&schema["items"], &Value::Null, depth + 1)])
        } else if is_a(schema, "string") {
            json!("AAPL")
        } else if is_a(schema, "boolean") {
            json!(false)
        } else {
            match &schema["minimum"] {
                Value::Null => json!(1),
                least => least.clone(),
            }
        }
    }
}

fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    ["oneOf", "anyOf", "allOf"]
        .into_iter()
        .filter_map(move |name| schema[name].as_array())
        .flatten()
}

/// Whether a schema states that type, alone or among others.
fn is_a(schema: &Value, kind: &str) -> bool {
    let stated = &schema["type"];
    stated == kind
        || stated
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == kind))
}

/// A value as a query carries it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// An example whose addresses lead nowhere: no test asks the network.
fn without_addresses(value: Value) -> Value {
    match value {
        Value::String(text) if text.contains("://") => "https://127.0.0.1/".into(),
        Value::Array(items) => items.into_iter().map(without_addresses).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, without_addresses(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => other,
    }
}

/// The valid arguments of each operation, by method and path.
fn examples() -> HashMap<(&'static str, &'static str), Map<String, Value>> {
    let registry = agents::registry();
    let of = registry.entries().iter().map(|entry| {
        let address = entry.about.address;
        let example = serde_json::from_str(entry.about.example).unwrap();
        let Value::Object(example) = without_addresses(example) else {
            panic!("the example of {} is no object", entry.about.name);
        };
        ((address.verb.method(), address.path), example)
    });
    of.collect()
}

async fn send(server: &TestServer, method: &Method, attempt: &Attempt, credential: &str) -> Reply {
    let ask = server.ask(method.clone(), &attempt.path).bearer(credential);
    match &attempt.body {
        Some(body) => ask.json(body).send().await,
        None => ask.send().await,
    }
}

#[tokio::test]
async fn an_argument_that_accepts_only_some_words_lists_them() {
    let server =
        TestServer::start_with(|settings| settings.service.logins_per_minute = 10_000).await;
    let document = server.get("/openapi.json").send().await.json();
    let examples = examples();
    let mut attempted = 0;
    let mut unlisted: Vec<String> = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let example = examples.get(&(method.as_str(), path.as_str())).cloned();
            let documented = Documented {
                document: &document,
                method,
                path,
                operation,
                example: example.unwrap_or_default(),
            };
            let attempts = documented.attempts();
            if attempts.is_empty() {
                continue;
            }
            // What one operation does to its caller does not reach the next.
            let credential = if operation["x-gate"] == "jwt" {
                let address = format!("{}@example.org", uuid::Uuid::new_v4());
                server.register(&address).await
            } else {
                server.unlimited().await.key
            };
            for attempt in attempts {
                attempted += 1;
                let reply = send(&server, &documented.method, &attempt, &credential).await;
                let refused = reply.status == 400;
                if !refused || OF_THE_DATA.contains(&attempt.place.rsplit('.').next().unwrap()) {
                    continue;
                }
                let message = reply.json()["message"].as_str().unwrap().to_owned();
                let field = attempt.place.rsplit('.').next().unwrap();
                let names_words = NAMES_WORDS.iter().any(|words| message.contains(words));
                if names_words && message.contains(field) {
                    unlisted.push(format!("{} {path}: {message}", documented.method));
                }
            }
        }
    }
    assert!(attempted > 200, "{attempted}");
    assert!(unlisted.is_empty(), "{unlisted:#?}");
}
