//! Prints the sentiment of each line of the standard input: 0 to 1, or with `--rules` what the rules alone say,
//! unbounded.
//!
//! With `--toward` a line is `start`, `end` (bytes of a name) and a sentence, separated by tabs; printed is the
//! sentiment towards the name and what it is read from, separated by tabs.

use std::io::{BufRead, Write};

use text::sentiment;

fn main() -> std::io::Result<()> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match wanted.as_str() {
            "--toward" => {
                let mut columns = line.splitn(3, '\t');
                let mut number = || columns.next().and_then(|column| column.parse().ok());
                let span = number().unwrap_or(0)..number().unwrap_or(0);
                let sentence = columns.next().unwrap_or("");
                let score = sentiment::toward(sentence, span.clone()).get();
                let seen = sentiment::views(sentence, span).join("\t");
                writeln!(out, "{score:.4}\t{seen}")?;
            }
            "--rules" => writeln!(out, "{:.4}", sentiment::by_rules(&line))?,
            _ => writeln!(out, "{:.4}", sentiment::sentence(&line).get())?,
        }
    }
    Ok(())
}
