//! The arguments of a call, before the operation checks their values.

use rmcp::model::Tool;
use serde_json::{Map, Value};

use crate::refusal::Refusal;
use crate::schema::DETAIL;

/// The most arguments that one call of a tool may have; beyond that, names are no longer compared.
const MOST_NAMED: usize = 20;

/// How much of an answer is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What fits.
    Small,
    /// Everything.
    Full,
}

/// Takes out the arguments for this interface, and rejects those that the tool does not take: operations ignore
/// arguments they do not know, and a model would believe that its filter was applied.
pub(crate) fn take_detail(
    tool: &Tool,
    arguments: &mut Map<String, Value>,
) -> Result<Detail, Refusal> {
    let known = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let unknown: Vec<&str> = arguments
        .keys()
        .map(String::as_str)
        .filter(|name| known.is_none_or(|known| !known.contains_key(*name)))
        .take(MOST_NAMED)
        .collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = known
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect();
        let unknown: Vec<String> = unknown
            .into_iter()
            .map(|name| format!("{:?}", name.chars().take(60).collect::<String>()))
            .collect();
        return Err(Refusal::invalid(format!(
            "{} takes no {}; it takes {}",
            tool.name,
            unknown.join(", "),
            known.join(", ")
        )));
    }
    match arguments.remove(DETAIL) {
        None | Some(Value::Null) => Ok(Detail::Small),
        Some(Value::String(word)) if word == "small" => Ok(Detail::Small),
        Some(Value::String(word)) if word == "full" => Ok(Detail::Full),
        Some(_) => Err(Refusal::invalid("detail must be small or full")),
    }
}
