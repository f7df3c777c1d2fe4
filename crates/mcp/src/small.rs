//! Small answers: what fits into a model's attention, with a note of what was left out.
//!
//! The reduction knows nothing about the answer except its shape and the line of its tool: it leaves out the fields
//! that the line names, then cuts texts and lists at the first of a few levels that fits the target. Numbers, names and
//! ids are never touched, and `data_status` keeps every entry, because it names the figures that are missing or stale.
//! Anything other than texts and lists stays as it is, so the target is not guaranteed.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::tools::Line;

/// The field that says what was left out.
pub(crate) const LEFT_OUT: &str = "left_out";
/// The list of missing and stale figures.
const DATA_STATUS: &str = "data_status";
/// Target size of a small answer in bytes of JSON, some 1,500 tokens.
const TARGET: usize = 6_000;
/// Most entries of the note.
const MOST_NOTED: usize = 12;
/// A list of bare values counts for less: this many of them count as one entry.
const BARE_VALUES: usize = 4;
/// Shorter lists of bare values, such as points and ranges, belong together and are never cut.
const FEWEST_BARE_VALUES: usize = 12;

/// How far texts and lists are cut: at the top, and within the entries of a list.
struct Level {
    entries: [usize; 2],
    characters: [usize; 2],
}

const fn level(entries: [usize; 2], characters: [usize; 2]) -> Level {
    Level {
        entries,
        characters,
    }
}

const LEVELS: [Level; 9] = [
    level([40, 10], [2_000, 500]),
    level([20, 6], [1_200, 400]),
    level([10, 5], [1_000, 320]),
    level([8, 3], [800, 240]),
    level([5, 3], [600, 200]),
    level([5, 2], [400, 140]),
    level([4, 2], [300, 100]),
    level([3, 1], [240, 80]),
    level([2, 1], [200, 60]),
];

/// The small form of an answer.
pub(crate) fn small(mut answer: Value, line: &Line) -> Value {
    let mut note = Note::default();
    omit(&mut answer, line.omits, &mut note);
    if length(&answer, "", None, 0) > TARGET {
        let fitting = LEVELS
            .iter()
            .find(|level| length(&answer, "", Some(level), 0) <= TARGET);
        let level = fitting.unwrap_or(&LEVELS[LEVELS.len() - 1]);
        cut(&mut answer, level, line.latest, 0, "", &mut note);
    }
    if let (Value::Object(answer), Some(note)) = (&mut answer, note.written()) {
        answer.insert(LEFT_OUT.to_owned(), note);
    }
    answer
}

/// What was left out.
#[derive(Default)]
struct Note {
    /// By path: entries shown, and entries in total.
    lists: BTreeMap<String, (usize, usize)>,
    fields: Vec<String>,
    texts: usize,
}

impl Note {
    fn written(self) -> Option<Value> {
        let mut note = Map::new();
        if !self.lists.is_empty() {
            let lists = self.lists.into_iter().take(MOST_NOTED);
            let lists =
                lists.map(|(list, (shown, of))| json!({"list": list, "shown": shown, "of": of}));
            note.insert("lists".to_owned(), lists.collect());
        }
        if !self.fields.is_empty() {
            note.insert("fields".to_owned(), self.fields.into());
        }
        if self.texts > 0 {
            note.insert("texts".to_owned(), self.texts.into());
        }
        if note.is_empty() {
            return None;
        }
        let hint = "call again with detail=full for everything";
        note.insert("hint".to_owned(), hint.into());
        Some(Value::Object(note))
    }
}

fn omit(value: &mut Value, omits: &[&str], note: &mut Note) {
    match value {
        Value::Object(object) => {
            for name in omits {
                if object.shift_remove(*name).is_some()
                    && !note.fields.iter().any(|noted| noted == name)
                {
                    note.fields.push((*name).to_owned());
                }
            }
            for inner in object.values_mut() {
                omit(inner, omits, note);
            }
        }
        Value::Array(items) => {
            for item in items {
                omit(item, omits, note);
            }
        }
        _ => {}
    }
}

/// How many entries of the list with that name a level keeps.
fn kept(name: &str, items: &[Value], level: &Level, depth: usize) -> usize {
    if name == DATA_STATUS {
        return items.len();
    }
    let entries = level.entries[depth.min(1)];
    let is_bare = |item: &Value| !item.is_object() && !item.is_array();
    if items.iter().all(is_bare) {
        (entries * BARE_VALUES).max(FEWEST_BARE_VALUES)
    } else {
        entries
    }
}

/// The bytes that a value takes as JSON, or would take after a cut; escapes and the note are not counted.
fn length(value: &Value, name: &str, level: Option<&Level>, depth: usize) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(number) => number.to_string().len() + 1,
        Value::String(text) => {
            let most = level
                .filter(|_| is_prose(text))
                .map(|level| level.characters[depth.min(1)]);
            most.map_or(text.len(), |most| text.len().min(most)) + 3
        }
        Value::Array(items) => {
            let most = level.map_or(items.len(), |level| kept(name, items, level, depth));
            let items = items.iter().take(most);
            2 + items
                .map(|item| length(item, "", level, depth + 1))
                .sum::<usize>()
        }
        Value::Object(object) => {
            let fields = object.iter();
            2 + fields
                .map(|(name, inner)| name.len() + 4 + length(inner, name, level, depth))
                .sum::<usize>()
        }
    }
}

/// Whether a text may be cut: part of an address, an id or a signature is worth nothing.
fn is_prose(text: &str) -> bool {
    text.contains(' ')
}

fn cut(
    value: &mut Value,
    level: &Level,
    latest: &[&str],
    depth: usize,
    path: &str,
    note: &mut Note,
) {
    match value {
        Value::String(text) if is_prose(text) => {
            if let Some(shorter) = shortened(text, level.characters[depth.min(1)]) {
                *text = shorter;
                note.texts += 1;
            }
        }
        Value::Array(items) => {
            let name = path.rsplit(['.', ']']).next().unwrap_or_default();
            let most = kept(name, items, level, depth);
            if items.len() > most {
                let counts = note.lists.entry(path.to_owned()).or_default();
                counts.0 += most;
                counts.1 += items.len();
                if latest.contains(&name) {
                    items.drain(..items.len() - most);
                } else {
                    items.truncate(most);
                }
            }
            let path = format!("{path}[]");
            for item in items {
                cut(item, level, latest, depth + 1, &path, note);
            }
        }
        Value::Object(object) => {
            for (name, inner) in object.iter_mut() {
                let path = match path {
                    "" => name.clone(),
                    path => format!("{path}.{name}"),
                };
                cut(inner, level, latest, depth, &path, note);
            }
        }
        _ => {}
    }
}

/// The text up to the end of a word near that many characters, and how much is missing; `None` if it is not longer.
fn shortened(text: &str, most: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(most)?;
    let head = &text[..end];
    // A text of very long words is cut inside a word.
    let end = head
        .rfind(' ')
        .filter(|space| *space * 2 > end)
        .unwrap_or(end);
    let missing = text[end..].chars().count();
    // The mark is longer than the text it would replace.
    if missing < 32 {
        return None;
    }
    Some(format!(
        "{}… [{missing} more characters]",
        text[..end].trim_end()
    ))
}

#[cfg(test)]
mod tests;
