//! A document as chunks that can be searched: at most 1,000 characters each, the last 200 of one repeated at the beginning of
//! the next, and the headings above each kept beside it.

/// Characters of a chunk, its overlap included.
pub const LENGTH: usize = 1_000;
/// Characters that a chunk repeats of the one before.
pub const OVERLAP: usize = 200;
/// Chunks of one document at most; what follows is left out.
const MOST: usize = 20_000;
/// Levels of headings, and characters of each that are kept.
const LEVELS: usize = 6;
const HEADING: usize = 120;

/// A chunk of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The headings above it, outermost first, apart by ` › `; empty where there are none.
    pub heading: String,
    /// Its text.
    pub content: String,
}

/// Cuts a document. Lines of Markdown that begin with `#` are headings, and a section never shares a chunk with the next.
pub fn cut(document: &str) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut section = String::new();
    let mut fenced = false;
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if let Some((level, title)) = heading(line).filter(|_| !fenced) {
            cut_section(&path(&headings), &section, &mut chunks);
            section.clear();
            headings.retain(|(above, _)| *above < level);
            headings.push((level, title.to_owned()));
        } else {
            section.push_str(line);
            section.push('\n');
        }
    }
    cut_section(&path(&headings), &section, &mut chunks);
    chunks
}

fn path(headings: &[(usize, String)]) -> String {
    let titles: Vec<&str> = headings.iter().map(|(_, title)| title.as_str()).collect();
    titles.join(" › ")
}

/// A heading of Markdown with its level.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let title = rest.strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    let end = title
        .char_indices()
        .nth(HEADING)
        .map_or(title.len(), |(at, _)| at);
    ((1..=LEVELS).contains(&level) && !title.is_empty()).then_some((level, &title[..end]))
}

fn cut_section(heading: &str, section: &str, chunks: &mut Vec<Chunk>) {
    let section = section.trim();
    let mut start = 0;
    while start < section.len() && chunks.len() < MOST {
        let end = end_of_chunk(section, start);
        let content = section[start..end].trim();
        if !content.is_empty() {
            chunks.push(Chunk {
                heading: heading.to_owned(),
                content: content.to_owned(),
            });
        }
        if end == section.len() {
            break;
        }
        start = begin_of_next(section, start, end);
    }
}

/// Where a chunk that begins at `start` ends: behind a paragraph, else a sentence, else a word, else where it is full.
fn end_of_chunk(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let Some((full, _)) = rest.char_indices().nth(LENGTH) else {
        return text.len();
    };
    let half = full / 2;
    let window = &rest[..full];
    for mark in ["\n\n", ". ", "\n", " "] {
        if let Some(at) = window.rfind(mark)
            && at > half
        {
            return start + at + mark.len();
        }
    }
    start + full
}

/// Where the next chunk begins: some 200 characters before the end of this one, at a word.
fn begin_of_next(text: &str, start: usize, end: usize) -> usize {
    let back = text[start..end]
        .char_indices()
        .rev()
        .nth(OVERLAP - 1)
        .map_or(start, |(at, _)| start + at);
    let word = text[back..end]
        .find(char::is_whitespace)
        .map_or(back, |at| back + at + 1);
    // Always onwards, also through a text without spaces.
    let next = if word < end && text.is_char_boundary(word) {
        word
    } else {
        back
    };
    if next > start { next } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_overlap_and_keep_their_headings() {
        let body = "Rates rose again in March. ".repeat(120);
        let chunks = cut(&format!("# Report\n\nIntro.\n\n## Rates\n\n{body}"));
        assert_eq!(chunks[0].heading, "Report");
        assert!(chunks.len() > 3);
        for pair in chunks[1..].windows(2) {
            assert_eq!(pair[0].heading, "Report › Rates");
            assert!(pair[0].content.chars().count() <= LENGTH);
            let tail: String = pair[0].content.chars().rev().take(100).collect();
            let tail: String = tail.chars().rev().collect();
            assert!(pair[1].content.contains(&tail), "{tail}");
        }
    }

    #[test]
    fn any_text_ends() {
        for text in [
            "",
            "\n\n",
            "#",
            "# ",
            &"x".repeat(30_000),
            &"ü".repeat(5_000),
            &" ".repeat(5_000),
            &"a ".repeat(9_000),
        ] {
            let chunks = cut(text);
            assert!(
                chunks
                    .iter()
                    .all(|chunk| chunk.content.chars().count() <= LENGTH)
            );
            let bare = |text: &str| {
                text.chars()
                    .filter(|letter| !letter.is_whitespace())
                    .count()
            };
            let held: usize = chunks.iter().map(|chunk| bare(&chunk.content)).sum();
            assert!(held >= bare(text.trim_start_matches('#')), "{}", text.len());
        }
    }
}
