//! The binary as a running service, for examples to be tried on.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A served data directory; ends with the value.
pub(crate) struct Service {
    child: Child,
    output: BufReader<ChildStdout>,
    /// Where it listens: `http://127.0.0.1:…`.
    pub(crate) base: String,
}

impl Service {
    /// Serves in `folder` with these arguments until it listens.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = assay(folder)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let line = line_with(&mut output, "listening on ");
        let base = line
            .trim()
            .trim_start_matches("listening on ")
            .trim_end_matches('/')
            .to_owned();
        Self {
            child,
            output,
            base,
        }
    }

    /// The personal key that a new demo world prints.
    pub(crate) fn printed_key(&mut self) -> String {
        let line = line_with(&mut self.output, "ASSAY_API_KEY=");
        line.trim().rsplit('=').next().unwrap().to_owned()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The binary, run in a folder, without what the environment of the test would set.
pub(crate) fn assay(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.current_dir(folder);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASSAY_") {
            command.env_remove(name);
        }
    }
    command
}

fn line_with(output: &mut BufReader<ChildStdout>, what: &str) -> String {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(
            output.read_line(&mut line).unwrap() > 0,
            "the service ended before it printed {what:?}"
        );
        if line.contains(what) {
            return line;
        }
    }
}
