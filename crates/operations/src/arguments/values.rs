//! The kinds of values that an argument may have, each read, checked and described.

use std::fmt::Display;
use std::ops::RangeInclusive;

use model::{Category, Timestamp};
use serde_json::Value;

use super::{Arguments, Source};
use crate::field::{self, Field, Textual};

impl Arguments<'_> {
    /// A variable of the path, as it was sent.
    pub fn path(&mut self, name: &'static str, meaning: &'static str) -> String {
        let schema = field::text(&(1..=usize::MAX));
        if self.note(|| Field::new(name, meaning, schema).in_path()) {
            return String::new();
        }
        let found = match &self.source {
            Source::Request { path, .. } => path
                .iter()
                .find(|(other, _)| other == name)
                .map(|(_, value)| value.clone()),
            Source::Object(_) | Source::Description(_) => self.find(name),
        };
        let Some(text) = found.filter(|text| !text.is_empty()) else {
            self.fault(format!("{name} is required"));
            return String::new();
        };
        text.into_owned()
    }

    /// A variable of the path that is one of some names in any case; other spellings may be understood by whoever reads
    /// it.
    pub fn path_of_names<'n>(
        &mut self,
        name: &'static str,
        names: impl Iterator<Item = &'n str>,
        meaning: &'static str,
    ) -> String {
        if let Source::Description(fields) = &mut self.source {
            fields.push(Field::new(name, meaning, field::word(names, None)).in_path());
            return String::new();
        }
        self.path(name, meaning)
    }

    /// An integer within bounds.
    pub fn integer(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<u64>,
        default: u64,
        meaning: &'static str,
    ) -> u64 {
        let field = || Field::new(name, meaning, field::integer(&bounds, Some(default)));
        if self.note(field) {
            return default;
        }
        self.checked_integer(name, &bounds).unwrap_or(default)
    }

    /// An integer within bounds, where it is there.
    pub fn optional_integer(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<u64>,
        meaning: &'static str,
    ) -> Option<u64> {
        if self.note(|| Field::new(name, meaning, field::integer(&bounds, None))) {
            return None;
        }
        self.checked_integer(name, &bounds)
    }

    /// One of some integers; `default` where none is given.
    pub fn integer_of(
        &mut self,
        name: &'static str,
        values: &[u64],
        default: u64,
        meaning: &'static str,
    ) -> u64 {
        if self.note(|| Field::new(name, meaning, field::integer_of(values, default))) {
            return default;
        }
        let Some(text) = self.typed(name) else {
            return default;
        };
        let found = text.parse().ok().filter(|value| values.contains(value));
        found.unwrap_or_else(|| {
            let list: Vec<String> = values.iter().map(u64::to_string).collect();
            self.fault(format!("{name} must be one of {}", list.join(", ")));
            default
        })
    }

    /// A finite number within bounds.
    pub fn number(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<f64>,
        meaning: &'static str,
    ) -> Option<f64> {
        if self.note(|| Field::new(name, meaning, field::number(&bounds))) {
            return None;
        }
        let text = self.typed(name)?;
        let number = text
            .parse::<f64>()
            .ok()
            .filter(|number| bounds.contains(number));
        if number.is_none() {
            self.fault(format!(
                "{name} must be a number from {} to {}",
                bounds.start(),
                bounds.end()
            ));
        }
        number
    }

    /// A finite number within bounds; `default` where none is given.
    pub fn number_or(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<f64>,
        default: f64,
        meaning: &'static str,
    ) -> f64 {
        let field = || {
            let mut schema = field::number(&bounds);
            schema.default = Some(Value::from(default));
            Field::new(name, meaning, schema)
        };
        if self.note(field) {
            return default;
        }
        self.number(name, bounds, meaning).unwrap_or(default)
    }

    /// `true` or `false`, also as 1 and 0.
    pub fn flag(&mut self, name: &'static str, default: bool, meaning: &'static str) -> bool {
        if self.note(|| Field::new(name, meaning, field::flag(default))) {
            return default;
        }
        let Some(text) = self.typed(name) else {
            return default;
        };
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => {
                self.fault(format!("{name} must be true or false"));
                default
            }
        }
    }

    /// Text of so many characters, without surrounding blanks.
    pub fn text(
        &mut self,
        name: &'static str,
        length: RangeInclusive<usize>,
        meaning: &'static str,
    ) -> Option<String> {
        let field = || Field::new(name, meaning, field::optional_text(&length));
        if self.note(field) {
            return None;
        }
        let sent = self.find(name)?;
        let text = sent.trim();
        // Blanks alone count as absent, but no more of them than the text may have characters.
        if text.is_empty() && sent.chars().count() <= *length.end() {
            return None;
        }
        self.checked_text(name, text.to_owned(), &length)
    }

    /// As [`text`](Self::text), but it must be there.
    pub fn required_text(
        &mut self,
        name: &'static str,
        length: RangeInclusive<usize>,
        meaning: &'static str,
    ) -> String {
        if self.note(|| Field::new(name, meaning, field::text(&length)).required()) {
            return String::new();
        }
        let Some(text) = self.value(name) else {
            self.fault(format!(
                "{name} is required and must have from {} to {} characters",
                length.start(),
                length.end()
            ));
            return String::new();
        };
        self.checked_text(name, text, &length).unwrap_or_default()
    }

    /// One of some words, in any case.
    pub fn word<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
        meaning: &'static str,
    ) -> Option<T> {
        let listed = || words.iter().map(|(word, _)| *word);
        if self.note(|| Field::new(name, meaning, field::word(listed(), None))) {
            return None;
        }
        self.checked_word(name, words)
    }

    /// One of some words, in any case; `default` where none is given.
    pub fn word_or<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
        default: T,
        meaning: &'static str,
    ) -> T {
        let listed = || words.iter().map(|(word, _)| *word);
        let field = || {
            let usual = words.iter().find(|(_, value)| *value == default);
            Field::new(
                name,
                meaning,
                field::word(listed(), usual.map(|(word, _)| *word)),
            )
        };
        if self.note(field) {
            return default;
        }
        self.checked_word(name, words).unwrap_or(default)
    }

    /// Whatever reads itself from text; its own message says what was expected.
    pub fn parsed<T>(&mut self, name: &'static str, meaning: &'static str) -> Option<T>
    where
        T: Textual,
        T::Err: Display,
    {
        if self.note(|| Field::new(name, meaning, T::schema())) {
            return None;
        }
        match self.typed(name)?.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(format!("{name}: {error}"));
                None
            }
        }
    }

    /// A category slug.
    pub fn category(&mut self, name: &'static str, meaning: &'static str) -> Option<Category> {
        let slugs = Category::ALL.map(|category| (category.as_str(), category));
        self.word(name, &slugs, meaning)
    }

    /// A date `YYYY-MM-DD`: its midnight in UTC.
    pub fn date(&mut self, name: &'static str, meaning: &'static str) -> Option<Timestamp> {
        if self.note(|| Field::new(name, meaning, field::date())) {
            return None;
        }
        let date = Timestamp::parse_date(&self.typed(name)?);
        if date.is_none() {
            self.fault(format!("{name} must be a date such as 2026-03-01"));
        }
        date
    }

    /// Words separated by commas, blanks and repetitions removed.
    pub fn list(&mut self, name: &'static str, most: usize, meaning: &'static str) -> Vec<String> {
        if self.note(|| Field::new(name, meaning, field::list(most)).list()) {
            return Vec::new();
        }
        self.items(name, most)
    }

    /// As [`list`](Self::list), but with an entry at least.
    pub fn required_list(
        &mut self,
        name: &'static str,
        most: usize,
        meaning: &'static str,
    ) -> Vec<String> {
        let field = || {
            Field::new(name, meaning, field::list_of(Some(1), most))
                .list()
                .required()
        };
        if self.note(field) {
            return Vec::new();
        }
        let items = self.items(name, most);
        if items.is_empty() {
            self.fault(format!(
                "{name} is required and must have from 1 to {most} entries separated by commas"
            ));
        }
        items
    }

    fn items(&mut self, name: &'static str, most: usize) -> Vec<String> {
        let text = self.value(name).unwrap_or_default();
        let mut items: Vec<String> = Vec::new();
        let given = text.split(',').map(str::trim);
        let given: Vec<&str> = given.filter(|item| !item.is_empty()).collect();
        for item in given.iter().take(most) {
            if !items.iter().any(|other| other == item) {
                items.push((*item).to_owned());
            }
        }
        if given.len() > most {
            self.fault(format!(
                "{name} must have at most {most} entries separated by commas"
            ));
        }
        items
    }

    fn checked_integer(&mut self, name: &'static str, bounds: &RangeInclusive<u64>) -> Option<u64> {
        let number = self.typed(name)?.parse::<u64>().ok();
        let number = number.filter(|number| bounds.contains(number));
        if number.is_none() {
            let (low, high) = (bounds.start(), bounds.end());
            self.fault(if *high == u64::MAX {
                format!("{name} must be an integer from {low}")
            } else {
                format!("{name} must be an integer from {low} to {high}")
            });
        }
        number
    }

    fn checked_text(
        &mut self,
        name: &'static str,
        text: String,
        length: &RangeInclusive<usize>,
    ) -> Option<String> {
        if length.contains(&text.chars().count()) {
            return Some(text);
        }
        self.fault(format!(
            "{name} must have from {} to {} characters",
            length.start(),
            length.end()
        ));
        None
    }

    fn checked_word<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> Option<T> {
        let text = self.typed(name)?;
        let found = words
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(&text))
            .map(|(_, value)| *value);
        if found.is_none() {
            let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.fault(format!("{name} must be one of {}", list.join(", ")));
        }
        found
    }
}
