//! Completions for shells, written from the command line itself.

use std::io::Write;

pub use clap_complete::Shell;

use crate::error::Result;

/// Writes the completions of a command for a shell.
pub fn write_completions(
    shell: Shell,
    command: &mut clap::Command,
    out: &mut dyn Write,
) -> Result<()> {
    let name = command.get_name().to_owned();
    // Into memory first: the generators panic where they cannot write, as into a pipe that was closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, command, name, &mut script);
    out.write_all(&script)?;
    Ok(out.flush()?)
}
