//! A document split into searchable chunks of at most 1,000 characters. Each chunk repeats the last 200 characters of
//! the one before, and keeps the headings above it alongside its text. Headings with nothing below them form chunks of
//! their own, and consecutive ones under the same headings share a chunk.

/// Characters in a chunk, including its overlap.
pub const LENGTH: usize = 1_000;
/// Characters that a chunk repeats from the one before.
pub const OVERLAP: usize = 200;
/// Maximum number of chunks in one document.
pub const MOST: usize = 20_000;
/// Levels of headings, and the number of characters kept of each.
const LEVELS: usize = 6;
const HEADING: usize = 120;

/// A chunk of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The headings above it, outermost first, separated by ` › `. Empty if there are none.
    pub heading: String,
    /// Its text.
    pub content: String,
}

/// Which lines of a document are headings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headings {
    /// Those that begin with `#`.
    Marked,
    /// Also those underlined with `=` or `-`, as in Markdown. Elsewhere such a line separates paragraphs.
    Underlined,
}

/// Splits a document into chunks. A section never shares a chunk with the next. `None` if there would be more than
/// [`MOST`] chunks.
pub fn cut(document: &str, headings: Headings) -> Option<Vec<Chunk>> {
    let mut cutter = Cutter::default();
    let mut fenced = false;
    let front_matter = front_matter(document);
    for (number, line) in document.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced || number < front_matter {
            cutter.add(line);
        } else if let Some((level, title)) = heading(line) {
            cutter.begin(level, title);
        } else if headings == Headings::Underlined
            && let Some(level) = underline(line)
            && let Some(title) = cutter.take_title()
        {
            cutter.begin(level, &title);
        } else {
            cutter.add(line);
        }
    }
    cutter.end_section(0);
    (cutter.chunks.len() <= MOST).then_some(cutter.chunks)
}

/// Counts the opening lines that describe the document, such as `title: Handbook` between two lines of `---`. They are
/// not headings.
fn front_matter(document: &str) -> usize {
    let mut lines = document.lines();
    if lines.next().is_none_or(|line| line.trim_end() != "---") {
        return 0;
    }
    let is_entry = |line: &str| line.contains(':') || line.starts_with([' ', '-', '#']);
    let end = lines
        .by_ref()
        .take_while(|line| line.trim_end() != "---" && is_entry(line))
        .count();
    let closes = document.lines().nth(end + 1);
    if closes.is_some_and(|line| line.trim_end() == "---") {
        end + 2
    } else {
        0
    }
}

/// A document up to the current line.
#[derive(Default)]
struct Cutter {
    chunks: Vec<Chunk>,
    /// The headings above the section, outermost first, with their levels.
    headings: Vec<(usize, String)>,
    section: String,
    /// Whether the last chunk consists of headings with nothing below them.
    ends_bare: bool,
}

impl Cutter {
    fn add(&mut self, line: &str) {
        self.section.push_str(line);
        self.section.push('\n');
    }

    /// Ends the section and begins the next one under this heading.
    fn begin(&mut self, level: usize, title: &str) {
        self.end_section(level);
        self.headings.retain(|(above, _)| *above < level);
        let kept: String = title.chars().take(HEADING).collect();
        if kept.len() < title.len() {
            // Text too long for a heading is kept as body text.
            self.add(title);
        }
        self.headings.push((level, kept));
    }

    /// Ends the section before a heading of this level, or at the end of the document if the level is 0.
    fn end_section(&mut self, next: usize) {
        let is_empty = self.section.trim().is_empty();
        match self.headings.split_last() {
            Some(((level, title), above)) if is_empty && *level >= next => {
                let path = path(above);
                match self.chunks.last_mut() {
                    Some(last)
                        if self.ends_bare && last.heading == path && has_room(last, title) =>
                    {
                        last.content.push('\n');
                        last.content.push_str(title);
                    }
                    _ => cut_section(&path, title, &mut self.chunks),
                }
                self.ends_bare = true;
            }
            _ if is_empty => {}
            _ => {
                cut_section(&path(&self.headings), &self.section, &mut self.chunks);
                self.ends_bare = false;
            }
        }
        self.section.clear();
    }

    /// Takes the last paragraph of the section if an underline can turn it into a heading.
    fn take_title(&mut self) -> Option<String> {
        // Looks no further back than a heading may be long: every line of a document may be followed by what looks like
        // an underline.
        let window = self.section.len().saturating_sub(8 * HEADING);
        let window = &self.section[self.section.floor_char_boundary(window)..];
        let length: usize = window
            .strip_suffix('\n')?
            .rsplit('\n')
            .take_while(|line| !line.trim().is_empty())
            .map(|line| line.len() + 1)
            .sum();
        if length == window.len() && length < self.section.len() {
            return None;
        }
        let start = self.section.len().checked_sub(length)?;
        let paragraph = &self.section[start..];
        let is_other = |line: &str| {
            line.contains('|')
                || ["- ", "* ", "+ ", ">", "```", "==", "--"]
                    .iter()
                    .any(|mark| line.trim_start().starts_with(mark))
        };
        let title = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty()
            || title.chars().count() > HEADING
            || paragraph.starts_with(['\t', ' '])
            || paragraph.lines().any(is_other)
            || is_sentence_or_entry(&title)
        {
            return None;
        }
        self.section.truncate(start);
        Some(title)
    }
}

/// Whether a text ends like a sentence, or begins like an entry of a numbered list.
fn is_sentence_or_entry(title: &str) -> bool {
    const ENDS: [char; 10] = ['.', '!', '?', ':', ';', '。', '！', '？', '：', '；'];
    let behind_number = title.trim_start_matches(|sign: char| sign.is_ascii_digit());
    title.ends_with(ENDS)
        || behind_number.len() < title.len() && behind_number.starts_with(['.', ')'])
}

/// Whether the chunk stays within the limit with one more line.
fn has_room(chunk: &Chunk, line: &str) -> bool {
    chunk.content.chars().count() + 1 + line.chars().count() <= LENGTH
}

fn path(headings: &[(usize, String)]) -> String {
    let titles: Vec<&str> = headings.iter().map(|(_, title)| title.as_str()).collect();
    titles.join(" › ")
}

/// A Markdown heading with its level.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let title = rest.strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    ((1..=LEVELS).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// The level of the heading that a line of `=` or `-` makes of the text above it. A single sign may be an empty list
/// entry.
fn underline(line: &str) -> Option<usize> {
    let line = line.trim_end();
    let is_of = |sign: u8| line.len() > 1 && line.bytes().all(|byte| byte == sign);
    if is_of(b'=') {
        Some(1)
    } else {
        is_of(b'-').then_some(2)
    }
}

fn cut_section(heading: &str, section: &str, chunks: &mut Vec<Chunk>) {
    let section = section.trim();
    let mut start = 0;
    // One more than the maximum is enough to know.
    while start < section.len() && chunks.len() <= MOST {
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

/// Where a chunk that begins at `start` ends: after a paragraph, else a sentence, else a word, else where it is full.
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
    // Always moves forward, even through a text without spaces.
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
        let document = format!("# Report\n\nIntro.\n\n## Rates\n\n{body}");
        let chunks = cut(&document, Headings::Marked).unwrap();
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

    fn check(document: &str, expected: &[(&str, &str)]) {
        let chunks = cut(document, Headings::Underlined).unwrap();
        let found: Vec<(&str, &str)> = chunks
            .iter()
            .map(|chunk| (chunk.heading.as_str(), chunk.content.as_str()))
            .collect();
        assert_eq!(found, expected, "{document}");
    }

    #[test]
    fn an_underlined_line_is_a_heading() {
        check(
            "Handbook\n========\n\nIntro.\n\nParental\nleave\n-----\n16 weeks.\n\n---\n\nMore.",
            &[
                ("Handbook", "Intro."),
                ("Handbook › Parental leave", "16 weeks.\n\n---\n\nMore."),
            ],
        );
        // Tables, list entries, code and metadata of the document itself have none.
        for text in [
            "| a | b |\n------",
            "- entry\n---",
            "```\nTitle\n=====\n```",
            "---\ntitle: x\n---\nText.",
            "Text.\n-\nMore.",
            "Revenue rose 5% to $3.2 billion in 2025.\n-----\nSigned by the CFO.",
            "Is it?\n--\nNo!\n--\nThese:\n--\na;\n--\nb",
            "1. first\n---",
            "12) twelfth\n---",
        ] {
            check(text, &[("", text)]);
        }
        let plain = cut("Handbook\n====\nIntro.", Headings::Marked).unwrap();
        assert_eq!(plain[0].content, "Handbook\n====\nIntro.");
    }

    #[test]
    fn a_heading_with_nothing_below_it_is_text() {
        check(
            "# Plan\n## Costs\n## Risks\nFew.\n# End",
            &[("Plan", "Costs"), ("Plan › Risks", "Few."), ("", "End")],
        );
        let long = format!("# {}", "word ".repeat(60));
        let words: usize = cut(&long, Headings::Marked)
            .unwrap()
            .iter()
            .map(|chunk| chunk.content.split_whitespace().count())
            .sum();
        assert_eq!(words, 60);
    }

    #[test]
    fn bare_headings_that_follow_each_other_share_chunks() {
        check(
            "# Plan\n## Costs\n## Risks\n## Staff\nFew.\n## Dates\n# End",
            &[
                ("Plan", "Costs\nRisks"),
                ("Plan › Staff", "Few."),
                ("Plan", "Dates"),
                ("", "End"),
            ],
        );
        let many = cut(&"# a\n".repeat(500_000), Headings::Marked).unwrap();
        assert_eq!(many.len(), 1_000);
        assert!(many.iter().all(|chunk| chunk.content.len() <= LENGTH));
        // Each with text below it, which is one too many.
        let sections = "# a\nb\n".repeat(MOST);
        assert!(cut(&sections, Headings::Marked).is_some());
        assert_eq!(cut(&format!("{sections}# a\nb"), Headings::Marked), None);
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
            &format!("{}\n{}", "y".repeat(500_000), "--\n".repeat(20_000)),
        ] {
            let chunks = cut(text, Headings::Underlined).unwrap();
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
