//! Reads what the tests need of a Markdown page: fenced blocks and spans of code.

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The word behind the fence: `sh`, `json`.
    pub(crate) language: String,
    pub(crate) text: String,
    /// The line of the opening fence, from 1.
    pub(crate) line: usize,
}

/// The fenced blocks of a page, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => {
                open = Some(Block {
                    language: language.trim().to_owned(),
                    text: String::new(),
                    line: number + 1,
                });
            }
            (None, Some(mut block)) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The spans of code outside fenced blocks, each with its line. A span may run over a line's end.
pub(crate) fn spans(page: &str) -> Vec<(usize, String)> {
    let mut prose = String::new();
    let mut is_fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced {
            prose.push_str(line);
        }
        prose.push('\n');
    }
    let mut spans = Vec::new();
    let mut line = 1;
    for (index, piece) in prose.split('`').enumerate() {
        if index % 2 == 1 {
            spans.push((line, piece.replace('\n', " ")));
        }
        line += piece.matches('\n').count();
    }
    spans
}

#[test]
fn blocks_and_spans_are_found() {
    let page = "Say `one\ntwo`:\n\n```sh\nls `x`\n```\n\n```json\n{}\n```\nand `three`.\n";
    let found = blocks(page);
    assert_eq!(found.len(), 2);
    assert_eq!((&*found[0].language, &*found[0].text), ("sh", "ls `x`\n"));
    assert_eq!(found[1].line, 8);
    assert_eq!(
        spans(page),
        [(1, "one two".to_owned()), (11, "three".to_owned())]
    );
}
