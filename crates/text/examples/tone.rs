//! Prints the tone of each line of the standard input: 0 to 1, or with `--rules` what the rules alone say, unbounded.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let rules = std::env::args().any(|argument| argument == "--rules");
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let tone = if rules {
            text::sentiment::by_rules(&line)
        } else {
            text::sentiment::sentence(&line).get()
        };
        writeln!(out, "{tone:.4}")?;
    }
    Ok(())
}
