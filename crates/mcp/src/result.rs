//! From an operation's answer to what a tool returns.

use operations::ErrorCode;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Value, json};

use crate::arguments::Detail;
use crate::backend::Answer;
use crate::refusal::Refusal;
use crate::small::small;
use crate::tools::Line;

/// The answer as the result of a tool: once as structured data, and once as the same text for clients that read only
/// text.
pub(crate) fn answered(answer: &Answer, line: &Line, detail: Detail) -> CallToolResult {
    let value: Value = match serde_json::from_slice(&answer.body) {
        Ok(value @ Value::Object(_)) => value,
        _ => {
            return refused(&Refusal {
                code: ErrorCode::Internal,
                message: "the answer cannot be read".into(),
                retry_after: None,
            });
        }
    };
    let value = match detail {
        Detail::Small => small(value, line),
        Detail::Full => value,
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(value.to_string())]);
    result.structured_content = Some(value);
    result.meta = Some(meta([("assay/credits_charged", json!(answer.credits))]));
    result
}

/// A refusal as the result of a tool, so that the model reads it and knows what to do.
pub(crate) fn refused(refusal: &Refusal) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(refusal.text())]);
    let code = ("assay/error_code", json!(refusal.code.word()));
    let retry_after = ("assay/retry_after_seconds", json!(refusal.retry_after));
    result.meta = Some(meta([code, retry_after]));
    result
}

fn meta<const N: usize>(fields: [(&str, Value); N]) -> MetaObject {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    MetaObject(
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}
