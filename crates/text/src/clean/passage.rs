//! Teasers and bodies.

use std::borrow::Cow;
use std::sync::LazyLock;

use model::RawArticle;
use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::clean::{boilerplate, credit};
use crate::{markup, pattern, references, sentence};

/// A teaser shorter than this says less than the first sentences of the body.
const SHORT_TEASER: usize = 60;
/// A longer one is not a single word, as in scripts without spaces.
const LONGEST_WORD: usize = 24;

/// A body that breaks off and is shorter than this is a teaser.
const SHORT_BODY: usize = 700;

/// Longer bodies are transcripts and live blogs. The rest adds nothing that is read.
const LONGEST_BODY: usize = 200_000;

/// Longer teasers are bodies in the wrong field.
const LONGEST_TEASER: usize = 1_200;

static CUT_MARK: LazyLock<Regex> =
    LazyLock::new(|| pattern::exact(r"\s*(…|\.\.\.)?\s*\[\+[0-9]+ chars\]\s*$"));

static DATELINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?x)^(
            (By\ [\p{L}\ .,'’-]+?\ )?
            (\p{Lu}[\p{Lu}\ .,'’/-]+\p{Lu}\.?)? (,\ [\p{L}\ .]+?)? (,?\ \p{L}{3,9}\.?\ \d{1,2})? \s*
            \((\p{Lu}{2,5}|Reuters|Xinhua|Bloomberg|Kyodo|Dow\ Jones|CNN\ (Business|Politics)|Newser|Gray\ News|NEXSTAR|TheStreet)\)
            \s*[-–—:]*\s*
        )",
    )
});

/// Credits in the middle of a text.
static CREDIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?i) ?\((picture|photo|image|pic|photograph|video|screengrab|file photo|credit)s?( credit| by)?\s?[:/] ?[^()]+\)",
    )
});

/// A full stop whose space was lost: `…of the girl.According to…`
static LOST_SPACE: LazyLock<Regex> =
    LazyLock::new(|| pattern::exact(r"(\p{Ll}{2}[.!?][”’]?)(\p{Lu}\p{Ll}+[ ,’'])"));

/// This many letters of a headline distinguish it from the words of a sentence.
const CITED: usize = 12;

/// The readable text.
pub(super) struct Text {
    pub(super) description: String,
    pub(super) body: String,
}

/// The teaser and body of an item whose headline is `title`.
pub(super) fn parse(raw: &RawArticle, title: &str, outlet: &str, domain: &str) -> Text {
    let mut description = raw
        .description
        .as_deref()
        .map(|teaser| teaser_line(teaser, title, outlet, domain))
        .unwrap_or_default();
    let delivered = raw.body.as_deref().unwrap_or_default();
    let cut = delivered
        .contains("[+")
        .then(|| CUT_MARK.find(delivered))
        .flatten();
    let (mut body, stub) = if let Some(mark) = cut {
        (
            String::new(),
            with_open_end(&format!(
                "{}…",
                paragraphs(&delivered[..mark.start()], title, outlet)
            )),
        )
    } else {
        let body = paragraphs(delivered, title, outlet);
        let says_less =
            !body.contains("\n\n") && body.chars().count() <= description.chars().count();
        let is_stub = says_less || (breaks_off(&body) && body.len() < SHORT_BODY);
        if is_stub {
            (String::new(), with_open_end(&body))
        } else {
            (body, String::new())
        }
    };
    if !is_prose(&body) {
        body.clear();
    }
    let stub = repeated_headline_removed(&stub.replace("\n\n", " "), title, outlet, domain);
    if is_prose(&stub) && is_better(&stub, &description) {
        description = stub;
    }
    if description.chars().count() > LONGEST_TEASER {
        if body.is_empty() {
            body = raw
                .description
                .as_deref()
                .map(|teaser| paragraphs(teaser, title, outlet))
                .unwrap_or_default();
        }
        description = first_sentences(&description, LONGEST_TEASER / 2);
    }
    if same_wording(&body, &description) {
        body = String::new();
    }
    Text { description, body }
}

/// One line of plain text: for headlines and names.
pub(super) fn line(text: &str) -> String {
    let plain = markup::strip(&references::with_apostrophes(text));
    let mut line = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line.nfc()
        .filter(|character| !is_invisible(*character))
        .collect()
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fffd}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}')
        || character.is_control()
}

/// A teaser as one paragraph. Empty if it says no more than the headline.
fn teaser_line(teaser: &str, title: &str, outlet: &str, domain: &str) -> String {
    let whole = if teaser.contains("[+") {
        CUT_MARK.replace(teaser, "…")
    } else {
        Cow::Borrowed(teaser)
    };
    let kept = paragraphs(&whole, "", "");
    let line = with_open_end(&kept).replace("\n\n", " ");
    let line = without_headline(without_citation(&line, title), title, outlet);
    repeated_headline_removed(line, title, outlet, domain)
}

/// The text after the outlet's name and the headline, if it opens with both: `Example News Storm nears coast A storm…`.
fn without_headline<'t>(text: &'t str, title: &str, outlet: &str) -> &'t str {
    if outlet.is_empty() || title.is_empty() {
        return text;
    }
    let opening = squeeze(outlet) + &squeeze(title);
    let mut wanted = opening.chars();
    let mut signs = text.char_indices();
    let mut end = 0;
    while !wanted.as_str().is_empty() {
        let Some((at, sign)) = signs.next() else {
            return text;
        };
        end = at + sign.len_utf8();
        let mut lower = sign.to_lowercase();
        if sign.is_alphanumeric() && !lower.all(|letter| wanted.next() == Some(letter)) {
            return text;
        }
    }
    let rest = &text[end..];
    if rest.starts_with(char::is_alphanumeric) {
        return text;
    }
    rest.trim_start_matches(|sign: char| sign.is_whitespace() || ".,:;!?|-–—’”)".contains(sign))
}

/// The text without a `The post … appeared first` notice about its own headline at its end, wherever that notice breaks
/// off.
fn without_citation<'t>(text: &'t str, title: &str) -> &'t str {
    const MARKS: [&str; 5] = [
        "The post",
        "This post",
        "The article",
        "The story",
        "The entry",
    ];
    let wanted = squeeze(title);
    let is_cited = |rest: &str| {
        let found = squeeze(rest);
        match found.strip_prefix(&wanted) {
            Some(more) => ["appearedfirston", "firstappearedon"]
                .iter()
                .any(|words| words.starts_with(more) || more.starts_with(words)),
            None => {
                wanted.starts_with(&found)
                    && (found.chars().count() >= CITED || !ends_sentence(text))
            }
        }
    };
    let starts = MARKS.into_iter().filter_map(|mark| {
        let at = text.rfind(mark)?;
        is_cited(&text[at + mark.len()..]).then_some(at)
    });
    starts.min().map_or(text, |at| text[..at].trim_end())
}

/// Whether a text consists of words. Some sources lose all non-ASCII characters and keep the commas.
fn is_prose(text: &str) -> bool {
    let (mut letters, mut signs) = (0, 0);
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        if character.is_alphabetic() {
            letters += 1;
        } else {
            signs += 1;
        }
    }
    letters > signs * 2
}

/// Keeps whole words up to where the text breaks off. The unfinished sentence stays, because it may say something that
/// no other sentence does. The mark at its end shows anyone who quotes whole sentences that it is not one.
fn with_open_end(text: &str) -> String {
    if !breaks_off(text) {
        return text.to_owned();
    }
    let end = text.trim_end_matches([']', ')', ' ']);
    let bare = end
        .strip_suffix('…')
        .unwrap_or_else(|| end.trim_end_matches('.'))
        .trim_end_matches(['[', '(']);
    // The text directly before the mark may be part of a word.
    let whole = match bare.rsplit_once(char::is_whitespace) {
        Some((before, last))
            if last.chars().count() <= LONGEST_WORD && last.ends_with(char::is_alphanumeric) =>
        {
            before
        }
        _ => bare,
    };
    let whole = whole.trim_end_matches([' ', ',', ';', ':', '-', '–', '—']);
    if whole.is_empty() {
        String::new()
    } else if ends_sentence(whole) {
        whole.to_owned()
    } else {
        format!("{whole}…")
    }
}

fn repeated_headline_removed(teaser: &str, title: &str, outlet: &str, domain: &str) -> String {
    let text = teaser.trim();
    let (wanted, found) = (squeeze(title), squeeze(text));
    let with_outlet = format!("{wanted}{}", squeeze(outlet));
    let repeats = found == wanted
        || found == with_outlet
        || found == squeeze(outlet)
        || (found.len() < wanted.len() && wanted.starts_with(&found));
    // An aggregator lists other outlets' headlines after that of the article.
    let is_list = domain == "google.com" && found.starts_with(&wanted);
    if repeats || is_list {
        String::new()
    } else {
        text.to_owned()
    }
}

/// Readable paragraphs, separated by a blank line, without page furniture, duplicates, the headline, or the outlet's
/// name above it.
fn paragraphs(text: &str, title: &str, outlet: &str) -> String {
    let mut plain: String = markup::strip(&references::with_apostrophes(text))
        .nfc()
        .filter(|character| !is_invisible(*character) || *character == '\n')
        .collect();
    for (pattern, replacement) in [(&CREDIT, ""), (&LOST_SPACE, "$1 $2")] {
        if let Cow::Owned(mended) = pattern.replace_all(&plain, replacement) {
            plain = mended;
        }
    }
    if boilerplate::is_wall(&plain) {
        return String::new();
    }
    let mut result = String::with_capacity(plain.len());
    let mut seen = rustc_hash::FxHashSet::default();
    let headline = squeeze(title);
    for paragraph in blocks(&plain) {
        let mut paragraph = credit::without_opening(boilerplate::without_tail(&paragraph).trim());
        if result.is_empty() {
            paragraph = without_headline(paragraph, title, outlet);
        }
        if result.is_empty() && paragraph.contains('(') {
            paragraph = DATELINE
                .find(paragraph)
                .filter(|found| !found.is_empty())
                .map_or(paragraph, |found| &paragraph[found.end()..]);
        }
        let key = squeeze(paragraph);
        let repeats_title = !headline.is_empty() && key == headline;
        if key.is_empty()
            || repeats_title
            || boilerplate::is_furniture(paragraph)
            || !seen.insert(key)
        {
            continue;
        }
        let room = LONGEST_BODY.saturating_sub(result.len() + 2);
        let kept = shortened(paragraph, room);
        if !result.is_empty() && !kept.is_empty() {
            result.push_str("\n\n");
        }
        result.push_str(kept);
        if kept.len() < paragraph.len() {
            break;
        }
    }
    result
}

/// As many whole sentences, judged by their full stops, as fit.
fn shortened(paragraph: &str, room: usize) -> &str {
    if paragraph.len() <= room {
        return paragraph;
    }
    let mut end = room;
    while !paragraph.is_char_boundary(end) {
        end -= 1;
    }
    let stop = [". ", "! ", "? ", "。"]
        .iter()
        .filter_map(|mark| {
            paragraph[..end]
                .rfind(mark)
                .map(|at| at + mark.trim_end().len())
        })
        .max();
    &paragraph[..stop.unwrap_or(0)]
}

/// The paragraphs of plain text. A single line break separates them only if the line is complete, or is a credit that
/// no line continues. Other text is wrapped.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for block in text.split("\n\n") {
        let mut open = false;
        let mut lines = block
            .split('\n')
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .peekable();
        while let Some(line) = lines.next() {
            let goes_on = |next: &&str| next.starts_with(char::is_lowercase);
            let is_credit = credit::is_line(line) && !lines.peek().is_some_and(goes_on);
            match blocks.last_mut().filter(|_| open && !is_credit) {
                Some(last) => {
                    last.push(' ');
                    last.push_str(line);
                }
                None => blocks.push(line.to_owned()),
            }
            open =
                !is_credit && !line.ends_with(['.', '!', '?', '"', '”', '’', ':', '…', ')', '»']);
        }
    }
    blocks
}

fn first_sentences(text: &str, most: usize) -> String {
    let mut result = String::new();
    for sentence in sentence::split(text) {
        if !result.is_empty() && result.chars().count() + sentence.chars().count() > most {
            break;
        }
        if !result.is_empty() {
            result.push(' ');
        }
        result.push_str(sentence);
    }
    if result.chars().count() <= LONGEST_TEASER {
        return result;
    }
    let cut: String = result.chars().take(most).collect();
    format!(
        "{}…",
        cut.rsplit_once(' ').map_or(cut.as_str(), |(kept, _)| kept)
    )
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', '\'', ')', '»'])
        .ends_with(['.', '!', '?', '。'])
        && !text.ends_with("..")
}

fn breaks_off(text: &str) -> bool {
    let end = text.trim_end_matches([']', ')', ' ']);
    end.ends_with('…') || end.ends_with("...")
}

/// Whether the beginning of a body says more than the teaser. Truncated bodies have lost characters on the way, so a
/// teaser that is complete in itself is kept.
fn is_better(stub: &str, description: &str) -> bool {
    if stub.is_empty() {
        return false;
    }
    let (long, short) = (stub.chars().count(), description.chars().count());
    short == 0
        || (short < SHORT_TEASER && 2 * long > 3 * short)
        || (breaks_off(description) && !breaks_off(stub) && 2 * long >= short)
}

fn same_wording(body: &str, description: &str) -> bool {
    !body.is_empty() && squeeze(body) == squeeze(description)
}

/// Letters and digits in lower case. These are equal if only spacing, quotes and case differ.
fn squeeze(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&CUT_MARK, &DATELINE, &CREDIT, &LOST_SPACE] {
            LazyLock::force(pattern);
        }
    }
}
