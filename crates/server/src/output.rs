//! What a command prints: results on standard output, everything else on standard error.

use std::io::{self, Write};

use serde::Serialize;

/// A result line.
pub(crate) fn say(line: &str) {
    // Whoever reads through a pipe may have had enough. What was done is done, so this ends without complaint.
    if let Err(error) = writeln!(io::stdout(), "{line}") {
        let is_enough = error.kind() == io::ErrorKind::BrokenPipe;
        std::process::exit(i32::from(!is_enough));
    }
}

/// A remark that is not a result.
pub(crate) fn remark(line: &str) {
    // If nobody reads remarks any more (`2>&1 | head`), the work continues without them.
    drop(writeln!(io::stderr(), "{line}"));
}

/// Why a command failed.
pub(crate) fn complain(message: &str) {
    remark(&format!("assay: {message}"));
}

/// A result as JSON with `--json`, otherwise as lines for people.
pub(crate) fn show<T: Serialize>(
    json: bool,
    value: &T,
    lines: impl FnOnce(&T) -> Vec<String>,
) -> anyhow::Result<()> {
    if json {
        say(&serde_json::to_string_pretty(value)?);
    } else {
        for line in lines(value) {
            say(&line);
        }
    }
    Ok(())
}
