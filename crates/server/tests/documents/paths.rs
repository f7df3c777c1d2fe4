//! The paths and parameters that `docs/api.md` names exist in the generated document.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use super::markdown::spans;
use super::service::Service;

#[test]
fn every_path_and_parameter_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path(), &[]);
    let document = openapi(&service.base);
    let (_, page) = crate::pages()
        .into_iter()
        .find(|(name, _)| name == "api.md")
        .unwrap();
    let mut looked_up = 0;
    for (line, span) in spans(&page) {
        let (method, path) = match span.split_once(' ') {
            Some((method @ ("GET" | "POST" | "PUT" | "PATCH" | "DELETE"), rest)) => {
                (Some(method.to_lowercase()), rest)
            }
            _ => (None, &*span),
        };
        // A body may follow the path, parameters may hang on it.
        let path = path.split([' ', ',']).next().unwrap();
        if !path.starts_with('/') || path.len() < 3 || path.contains(['…', '*', '=']) {
            continue;
        }
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let path = path.trim_end_matches('/');
        if path == "/api/v1" {
            continue;
        }
        let served: Vec<_> = document
            .iter()
            .filter(|((_, template), _)| names(path, template))
            .filter(|((served, _), _)| method.as_ref().is_none_or(|method| method == served))
            .collect();
        assert!(
            !served.is_empty() || matches!(path, "/docs" | "/openapi.json" | "/metrics"),
            "docs/api.md:{line}: {span} is not served"
        );
        for name in query.split('&').filter(|name| !name.is_empty()) {
            assert!(
                served
                    .iter()
                    .any(|(_, parameters)| parameters.contains(name)),
                "docs/api.md:{line}: {path} has no parameter {name}"
            );
        }
        looked_up += 1;
    }
    assert!(looked_up >= 40, "only {looked_up} paths were found");
}

/// Whether a path, as a page writes it, is that template or its end: `/economy/inflation` is `/api/v1/economy/{indicator}`.
fn names(path: &str, template: &str) -> bool {
    let path: Vec<&str> = path.split('/').skip(1).collect();
    let template: Vec<&str> = template.split('/').skip(1).collect();
    let Some(end) = template.len().checked_sub(path.len()) else {
        return false;
    };
    let is_same = |(index, (word, part)): (usize, (&&str, &&str))| {
        word == part || (index > 0 && part.starts_with('{'))
    };
    path.iter().zip(&template[end..]).enumerate().all(is_same)
}

#[test]
fn a_path_is_a_template_or_its_end() {
    assert!(names("/score", "/api/v1/ticker/{symbol}/score"));
    assert!(names("/economy/inflation", "/api/v1/economy/{indicator}"));
    assert!(names("/api/v1/usage", "/api/v1/usage"));
    assert!(!names("/nowhere", "/api/v1/brief/{id}"));
    assert!(!names("/feed/x", "/api/v1/feed"));
}

type Operations = BTreeMap<(String, String), BTreeSet<String>>;

/// Method and path of every operation, with the names of its query parameters.
fn openapi(base: &str) -> Operations {
    let text = get(base, "/openapi.json");
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut operations = Operations::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let parameters = operation["parameters"].as_array();
            let names = parameters.into_iter().flatten();
            let names = names.filter_map(|parameter| parameter["name"].as_str());
            operations.insert(
                (method.clone(), path.clone()),
                names.map(str::to_owned).collect(),
            );
        }
    }
    operations
}

/// The body of an answer; one request on a connection of its own needs no client.
fn get(base: &str, path: &str) -> String {
    let address = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nhost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(" 200 "), "{head}");
    body.to_owned()
}
