//! The payload types of the protocol.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ChatRequest;

#[derive(Serialize)]
struct Sent<'a> {
    model: &'a str,
    messages: [Value; 2],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    /// The newer name of the same limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
}

/// The body of a request, without the parameters that this server rejects.
pub(super) fn request(
    model: &str,
    request: &ChatRequest,
    refused: &BTreeSet<&'static str>,
) -> Vec<u8> {
    let takes = |name: &str| !refused.contains(name);
    let calls = !request.tools.is_empty();
    let tools = request.tools.iter().map(|tool| {
        json!({"type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        }})
    });
    let sent = Sent {
        model,
        messages: [
            json!({"role": "system", "content": request.instructions}),
            json!({"role": "user", "content": request.input}),
        ],
        stream: true,
        stream_options: takes("stream_options").then(|| json!({"include_usage": true})),
        max_tokens: takes("max_tokens").then_some(request.most_tokens),
        max_completion_tokens: (!takes("max_tokens")).then_some(request.most_tokens),
        temperature: takes("temperature").then_some(0.2),
        response_format: (request.is_json && takes("response_format"))
            .then(|| json!({"type": "json_object"})),
        tools: tools.collect(),
        tool_choice: (calls && takes("tool_choice")).then_some("required"),
    };
    // Strings, numbers and JSON values can always be written.
    serde_json::to_vec(&sent).unwrap_or_default()
}

/// The tokens of a request, estimated: four characters each.
pub(super) fn length(request: &ChatRequest) -> u64 {
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.parameters.to_string().len())
        .sum();
    ((request.instructions.len() + request.input.len() + tools) as u64).div_ceil(4)
}

/// A chunk of a streamed reply, or a whole one.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Chunk {
    #[serde(default)]
    pub(super) choices: Vec<Choice>,
    #[serde(default)]
    pub(super) usage: Option<Usage>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    pub(super) delta: Option<Delta>,
    /// In a reply that is not streamed.
    #[serde(default)]
    pub(super) message: Option<Delta>,
    #[serde(default)]
    pub(super) finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Delta {
    #[serde(default)]
    pub(super) content: Option<String>,
    #[serde(default)]
    pub(super) tool_calls: Option<Vec<CallPart>>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct CallPart {
    #[serde(default)]
    pub(super) index: Option<usize>,
    #[serde(default)]
    pub(super) function: FunctionPart,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct FunctionPart {
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) arguments: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Usage {
    #[serde(default)]
    pub(super) prompt_tokens: u64,
    #[serde(default)]
    pub(super) completion_tokens: u64,
}
