//! The errors that JSON-RPC gives for anything that is not a message of the protocol.

use serde_json::{Value, json};

/// The error for a text that the protocol cannot read. `what` names the text: a body, a line.
pub(crate) fn error(text: &[u8], what: &str) -> Value {
    let (code, message, id) = match serde_json::from_slice::<Value>(text) {
        Err(_) => (-32700, format!("the {what} is not valid JSON"), Value::Null),
        Ok(value) => {
            let id = value.get("id").filter(|id| id.is_string() || id.is_i64());
            let is_request =
                id.is_some() && value["jsonrpc"] == "2.0" && value["method"].is_string();
            let (code, message) = if is_request {
                (
                    -32602,
                    "the parameters do not have the form that the protocol gives them".to_owned(),
                )
            } else {
                (
                    -32600,
                    format!("the {what} is not one message of JSON-RPC 2.0"),
                )
            };
            (code, message, id.cloned().unwrap_or_default())
        }
    };
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// The error for a line that is too long to be read.
pub(crate) fn too_long(most: usize) -> Value {
    let message = format!("the line is longer than {most} bytes");
    json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": message}})
}

/// Whether the text is a notification or an answer: neither is ever answered.
pub(crate) fn wants_no_answer(text: &[u8]) -> bool {
    serde_json::from_slice::<Value>(text).is_ok_and(|value| {
        let has = |name: &str| value.get(name).is_some();
        has("result") || has("error") || has("method") && !has("id")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_code_and_an_id() {
        for (text, code, id) in [
            ("{bad json", -32700, json!(null)),
            ("[]", -32600, json!(null)),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
                -32600,
                json!(null),
            ),
            (
                r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#,
                -32600,
                json!(3),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#,
                -32602,
                json!("a"),
            ),
        ] {
            let error = error(text.as_bytes(), "line");
            assert_eq!(error["error"]["code"], code, "{text}");
            assert_eq!(error.get("id"), Some(&id), "{text}");
            assert!(!wants_no_answer(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn notifications_and_answers_are_left_alone() {
        for text in [
            r#"{"jsonrpc":"2.0","method":"textDocument/didOpen"}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] {
            assert!(wants_no_answer(text.as_bytes()), "{text}");
        }
    }
}
