//! The page about this interface lists the tools as they are.

use std::fmt::Write as _;
use std::path::Path;

use mcp::Effects;

use crate::support::registry;

#[test]
fn the_table_of_tools_is_that_of_the_program() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut table = String::new();
    for tool in mcp::summaries(&registry()) {
        // The operation of the tests stands in for one that has its own price.
        if tool.name == "ask" {
            continue;
        }
        let effects = match tool.effects {
            Effects::Reads => "reads",
            Effects::Acts => "acts",
        };
        writeln!(
            table,
            "| `{}` | `{}` | {} | {} | {effects} |",
            tool.name, tool.endpoint, tool.credits, tool.gate
        )
        .unwrap();
    }
    assert!(page.contains(&table), "docs/mcp.md must contain:\n{table}");
    assert!(page.contains("| `ask` |"));
}
