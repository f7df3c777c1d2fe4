//! The arguments of an operation: read, checked and described by the same lines.
//!
//! Whoever reads arguments says of each its name, its bounds and its meaning. The same calls answer for a query, for a
//! JSON object, and for nobody, in which case what they ask for is noted and becomes the document. Bounds are therefore
//! stated once. Unknown arguments are ignored; a known one with a wrong type, range or spelling is a fault that names it.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;

use model::{Category, Timestamp};
use serde_json::{Map, Value};

use crate::checked::Faults;
use crate::error::Result;
use crate::field::{self, Field, Textual};

/// The arguments of one call.
pub struct Arguments<'a> {
    source: Source<'a>,
    faults: Faults,
}

enum Source<'a> {
    /// The variables of a path and the parameters of a query.
    Request {
        path: Vec<(Cow<'a, str>, Cow<'a, str>)>,
        query: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    },
    /// The fields of a JSON object.
    Object(&'a Map<String, Value>),
    /// None: what would be read is noted.
    Description(Vec<Field>),
}

impl<'a> Arguments<'a> {
    /// The parameters of a raw query.
    pub fn of_query(query: &'a str) -> Self {
        Self::of_request(std::iter::empty(), query)
    }

    /// The variables of a path, decoded, and a raw query.
    pub fn of_request(path: impl Iterator<Item = (&'a str, &'a str)>, query: &'a str) -> Self {
        let (query, faults) = match serde_urlencoded::from_str(query) {
            Ok(pairs) => (pairs, Faults::default()),
            Err(_) => (
                Vec::new(),
                Faults::of("the query is not valid: use name=value&name=value in UTF-8"),
            ),
        };
        let path = path
            .map(|(name, value)| (Cow::Borrowed(name), Cow::Borrowed(value)))
            .collect();
        Self {
            source: Source::Request { path, query },
            faults,
        }
    }

    /// The fields of an object.
    pub fn of_object(object: &'a Map<String, Value>) -> Self {
        Self {
            source: Source::Object(object),
            faults: Faults::default(),
        }
    }

    /// What `read` asks for.
    pub fn describe<T>(read: impl FnOnce(&mut Arguments<'_>) -> T) -> Vec<Field> {
        let mut arguments = Arguments {
            source: Source::Description(Vec::new()),
            faults: Faults::default(),
        };
        read(&mut arguments);
        match arguments.source {
            Source::Description(fields) => fields,
            Source::Request { .. } | Source::Object(_) => Vec::new(),
        }
    }

    /// Fails if anything was wrong.
    pub fn finish(self) -> Result<()> {
        self.faults.finish()
    }

    /// Notes a fault that the other methods cannot see, such as of two arguments that do not fit together.
    pub fn fault(&mut self, message: impl Into<String>) {
        if !matches!(self.source, Source::Description(_)) {
            self.faults.note(message);
        }
    }

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

    /// A variable of the path that is one of some names in any case; other spellings may be understood by whoever reads it.
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
        // An empty one counts as absent.
        let field = || Field::new(name, meaning, field::text(&(0..=*length.end())));
        if self.note(field) {
            return None;
        }
        let text = self.value(name)?;
        self.checked_text(name, text, &length)
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

    /// Whether an argument was given; for rules about several of them.
    pub fn is_given(&mut self, name: &'static str) -> bool {
        self.value(name).is_some()
    }

    /// Notes the argument where nothing is read; says whether that is so.
    fn note(&mut self, field: impl FnOnce() -> Field) -> bool {
        let Source::Description(fields) = &mut self.source else {
            return false;
        };
        fields.push(field());
        true
    }

    /// The argument without surrounding blanks; `None` where it is absent. An empty one is there, and wrong for whatever is
    /// not plain text: an empty `as_of` must not mean now.
    fn typed(&mut self, name: &'static str) -> Option<String> {
        self.find(name).map(|text| text.trim().to_owned())
    }

    /// The text without surrounding blanks; `None` where it is absent or empty.
    fn value(&mut self, name: &'static str) -> Option<String> {
        let text = self.find(name)?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The argument as sent.
    fn find(&mut self, name: &'static str) -> Option<Cow<'a, str>> {
        let (found, is_repeated) = match &self.source {
            Source::Request { query, .. } => {
                let mut values = query
                    .iter()
                    .filter(|(other, _)| other == name)
                    .map(|(_, value)| value.clone());
                (values.next(), values.next().is_some())
            }
            Source::Object(object) => match object.get(name).map(written) {
                Some(Ok(text)) => (text, false),
                Some(Err(())) => {
                    self.fault(format!("{name} must be a single value"));
                    (None, false)
                }
                None => (None, false),
            },
            Source::Description(_) => (None, false),
        };
        if is_repeated {
            self.fault(format!("{name} must be given once"));
            return None;
        }
        found
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

/// A JSON value as a query would carry it: lists separated by commas.
fn written(value: &Value) -> Result<Option<Cow<'_, str>>, ()> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(Cow::Borrowed(text))),
        Value::Bool(_) | Value::Number(_) => Ok(Some(Cow::Owned(value.to_string()))),
        Value::Array(items) => {
            let mut text = String::new();
            for item in items {
                let Ok(Some(item)) = written(item) else {
                    return Err(());
                };
                if !text.is_empty() {
                    text.push(',');
                }
                text.push_str(&item);
            }
            Ok(Some(Cow::Owned(text)))
        }
        Value::Object(_) => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(query: &str, read: impl FnOnce(&mut Arguments<'_>)) -> String {
        let mut arguments = Arguments::of_query(query);
        read(&mut arguments);
        arguments
            .finish()
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    fn read(arguments: &mut Arguments<'_>) {
        arguments.integer("page", 1..=500, 1, "Page");
        arguments.number("min_confidence", 0.0..=1.0, "Least confidence");
        arguments.category("category", "Category");
        arguments.flag("updates_only", false, "Only updates");
        arguments.required_text("q", 2..=500, "Words");
        arguments.date("from", "First day");
        arguments.list("tags", 2, "Tags");
        arguments.integer_of("days", &[7, 30], 30, "Days");
    }

    #[test]
    fn a_query_does_not_stand_in_for_the_path() {
        let mut arguments = Arguments::of_request(
            [("symbol", "AAPL")].into_iter(),
            "symbol=MSFT&symbol=X&id=7",
        );
        assert_eq!(arguments.path("symbol", "Symbol"), "AAPL");
        assert!(arguments.finish().is_ok());
        let mut arguments = Arguments::of_request(std::iter::empty(), "id=7");
        arguments.path("id", "Id");
        assert_eq!(
            arguments.finish().unwrap_err().to_string(),
            "id is required"
        );
    }

    #[test]
    fn faults_name_the_parameter_and_its_bounds() {
        assert_eq!(
            faults(
                "q=ab&page=7&min_confidence=0.5&category=AI_ML&updates_only=1&from=2026-01-01&other=1&other=2",
                read
            ),
            ""
        );
        for (query, fault) in [
            ("q=ab&page=abc", "page must be an integer from 1 to 500"),
            ("q=ab&page=501", "page must be an integer from 1 to 500"),
            (
                "q=ab&min_confidence=NaN",
                "min_confidence must be a number from 0 to 1",
            ),
            ("q=a", "q must have from 2 to 500 characters"),
            ("", "q is required and must have from 2 to 500 characters"),
            ("q=ab&page=", "page must be an integer from 1 to 500"),
            ("q=ab&from=", "from must be a date such as 2026-03-01"),
            ("q=ab&page=1&page=2", "page must be given once"),
            ("q=ab&days=8", "days must be one of 7, 30"),
        ] {
            assert_eq!(faults(query, read), fault, "{query}");
        }
        let several = faults("q=ab&page=0&category=nonsense&from=tomorrow", read);
        assert!(
            several.contains("page") && several.contains("category") && several.contains("from"),
            "{several}"
        );
    }

    #[test]
    fn lists_are_trimmed_and_bounded() {
        let mut arguments = Arguments::of_query("tags=a,%20b,,a");
        assert_eq!(arguments.list("tags", 3, "Tags"), ["a", "b"]);
        assert!(arguments.finish().is_ok());
        // What stands twice is counted twice, as the document says it.
        let mut arguments = Arguments::of_query("tags=a,%20b,,a");
        arguments.list("tags", 2, "Tags");
        assert!(arguments.finish().is_err());
    }

    #[test]
    fn an_object_is_read_as_a_query_is() {
        let object = serde_json::json!({"q": "ab", "page": 7, "updates_only": true, "tags": ["a", "b"], "from": null});
        let mut arguments = Arguments::of_object(object.as_object().unwrap());
        assert_eq!(arguments.integer("page", 1..=500, 1, "Page"), 7);
        assert!(arguments.flag("updates_only", false, "Only updates"));
        assert_eq!(arguments.list("tags", 2, "Tags"), ["a", "b"]);
        read(&mut arguments);
        assert!(arguments.finish().is_ok());
        let object = serde_json::json!({"q": {"ab": 1}});
        let mut arguments = Arguments::of_object(object.as_object().unwrap());
        read(&mut arguments);
        let fault = arguments.finish().unwrap_err().to_string();
        assert!(fault.starts_with("q must be a single value"), "{fault}");
    }

    #[test]
    fn what_is_read_is_what_is_described() {
        let fields = Arguments::describe(read);
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        assert_eq!(
            names,
            [
                "page",
                "min_confidence",
                "category",
                "updates_only",
                "q",
                "from",
                "tags",
                "days"
            ]
        );
        let page = serde_json::to_value(&fields[0].schema).unwrap();
        assert_eq!(
            page,
            serde_json::json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 1})
        );
        assert!(fields[4].is_required && !fields[0].is_required);
        let category = serde_json::to_value(&fields[2].schema).unwrap();
        assert_eq!(
            category["enum"].as_array().unwrap().len(),
            Category::ALL.len()
        );
    }
}
