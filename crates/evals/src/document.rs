//! The blocks of a Markdown file that evaluations write.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

/// Replaces the block of a task; a file without that block is an error, so that no figure is lost in silence.
pub(crate) fn write(file: &Path, task: &str, text: &str) -> anyhow::Result<()> {
    let before =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let Some(after) = replaced(&before, task, text) else {
        bail!("{} has no block `<!-- evals: {task} -->`", file.display());
    };
    if after != before {
        fs::write(file, after).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn replaced(document: &str, task: &str, text: &str) -> Option<String> {
    let opening = format!("<!-- evals: {task} -->\n");
    let start = document.find(&opening)? + opening.len();
    let end = start + document[start..].find("<!-- end -->")?;
    Some(format!(
        "{}\n{}\n{}",
        &document[..start],
        text.trim_end(),
        &document[end..]
    ))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_the_block_of_the_task_changes() {
        let document =
            "a\n<!-- evals: x -->\nold\n<!-- end -->\nb\n<!-- evals: y -->\n<!-- end -->\n";
        let once = replaced(document, "x", "new\n").unwrap();
        assert_eq!(
            once,
            "a\n<!-- evals: x -->\n\nnew\n<!-- end -->\nb\n<!-- evals: y -->\n<!-- end -->\n"
        );
        assert_eq!(replaced(&once, "x", "new\n").unwrap(), once);
        assert!(replaced(document, "z", "new").is_none());
    }
}
