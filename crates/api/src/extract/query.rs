//! Query parameters.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use http::request::Parts;
use model::{Category, Timestamp};

use crate::error::{Error, Result};
use crate::extract::Faults;

/// A checked query. All faults are reported at once.
#[derive(Clone, Debug)]
pub struct ValidQuery<T>(pub T);

/// What can be read from query parameters.
pub trait FromQuery: Sized {
    /// Reads and checks; faults are noted in `params`, and the value is then not used.
    fn read(params: &mut Params<'_>) -> Self;
}

/// The parameters of one query. Where a name is repeated, the first counts.
pub struct Params<'a> {
    pairs: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    faults: Faults,
}

impl<'a> Params<'a> {
    /// The parameters of a raw query.
    pub fn new(query: &'a str) -> Self {
        let (pairs, faults) = match serde_urlencoded::from_str(query) {
            Ok(pairs) => (pairs, Faults::default()),
            Err(_) => (
                Vec::new(),
                Faults::of("the query is not valid: use name=value&name=value in UTF-8"),
            ),
        };
        Self { pairs, faults }
    }

    /// Fails if anything was wrong.
    pub fn finish(self) -> Result<()> {
        self.faults.finish()
    }

    /// Notes a fault that the other methods cannot see.
    pub fn fault(&mut self, message: impl Into<String>) {
        self.faults.note(message);
    }

    /// The parameter as sent, without surrounding blanks; `None` where it is absent or empty.
    pub fn raw(&self, name: &str) -> Option<&str> {
        let (_, value) = self.pairs.iter().find(|(other, _)| other == name)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    /// An integer within bounds.
    pub fn integer(&mut self, name: &str, bounds: RangeInclusive<u64>, default: u64) -> u64 {
        let Some(text) = self.raw(name) else {
            return default;
        };
        match text.parse::<u64>() {
            Ok(number) if bounds.contains(&number) => number,
            _ => {
                let (low, high) = (bounds.start(), bounds.end());
                let message = if *high == u64::MAX {
                    format!("{name} must be an integer from {low}")
                } else {
                    format!("{name} must be an integer from {low} to {high}")
                };
                self.fault(message);
                default
            }
        }
    }

    /// An integer within bounds, where it is there.
    pub fn optional_integer(&mut self, name: &str, bounds: RangeInclusive<u64>) -> Option<u64> {
        self.raw(name)?;
        let least = *bounds.start();
        Some(self.integer(name, bounds, least))
    }

    /// A finite number within bounds.
    pub fn number(&mut self, name: &str, bounds: RangeInclusive<f64>) -> Option<f64> {
        let text = self.raw(name)?;
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

    /// `true` or `false`, also as 1 and 0.
    pub fn flag(&mut self, name: &str, default: bool) -> bool {
        let Some(text) = self.raw(name) else {
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

    /// Text of so many characters.
    pub fn text(&mut self, name: &str, length: RangeInclusive<usize>) -> Option<String> {
        let text = self.raw(name)?.to_owned();
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

    /// As [`text`](Self::text), but it must be there.
    pub fn required_text(&mut self, name: &str, length: RangeInclusive<usize>) -> String {
        if self.raw(name).is_none() {
            self.fault(format!(
                "{name} is required and must have from {} to {} characters",
                length.start(),
                length.end()
            ));
        }
        self.text(name, length).unwrap_or_default()
    }

    /// One of some words, in any case.
    pub fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.raw(name)?;
        let found = words
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(text))
            .map(|(_, value)| *value);
        if found.is_none() {
            let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.fault(format!("{name} must be one of {}", list.join(", ")));
        }
        found
    }

    /// Whatever reads itself from text; its own message says what was expected.
    pub fn parsed<T>(&mut self, name: &str) -> Option<T>
    where
        T: FromStr,
        T::Err: Display,
    {
        match self.raw(name)?.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(format!("{name}: {error}"));
                None
            }
        }
    }

    /// A category slug.
    pub fn category(&mut self, name: &str) -> Option<Category> {
        let slugs = Category::ALL.map(|category| (category.as_str(), category));
        self.word(name, &slugs)
    }

    /// A date `YYYY-MM-DD`: its midnight in UTC.
    pub fn date(&mut self, name: &str) -> Option<Timestamp> {
        let date = Timestamp::parse_date(self.raw(name)?);
        if date.is_none() {
            self.fault(format!("{name} must be a date such as 2026-03-01"));
        }
        date
    }

    /// Words separated by commas, blanks and repetitions removed.
    pub fn list(&mut self, name: &str, most: usize) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        for item in self
            .raw(name)
            .unwrap_or_default()
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            if !items.iter().any(|other| other == item) {
                items.push(item.to_owned());
            }
        }
        if items.len() > most {
            self.fault(format!(
                "{name} must have at most {most} entries separated by commas"
            ));
        }
        items
    }
}

impl<T: FromQuery, S: Sync> FromRequestParts<S> for ValidQuery<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        let mut params = Params::new(parts.uri.query().unwrap_or_default());
        let value = T::read(&mut params);
        params.finish()?;
        Ok(Self(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(query: &str, read: impl FnOnce(&mut Params<'_>)) -> String {
        let mut params = Params::new(query);
        read(&mut params);
        params
            .finish()
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn faults_name_the_parameter_and_its_bounds() {
        let read = |params: &mut Params<'_>| {
            params.integer("page", 1..=500, 1);
            params.number("min_confidence", 0.0..=1.0);
            params.category("category");
            params.flag("updates_only", false);
            params.required_text("q", 2..=500);
            params.date("from");
        };
        assert_eq!(
            faults(
                "q=ab&page=7&min_confidence=0.5&category=AI_ML&updates_only=1&from=2026-01-01",
                read
            ),
            ""
        );
        assert_eq!(
            faults("q=ab&page=abc", read),
            "page must be an integer from 1 to 500"
        );
        assert_eq!(
            faults("q=ab&page=501", read),
            "page must be an integer from 1 to 500"
        );
        assert_eq!(
            faults("q=ab&min_confidence=NaN", read),
            "min_confidence must be a number from 0 to 1"
        );
        assert_eq!(faults("q=a", read), "q must have from 2 to 500 characters");
        assert_eq!(
            faults("", read),
            "q is required and must have from 2 to 500 characters"
        );
        let several = faults("q=ab&page=0&category=nonsense&from=tomorrow", read);
        assert!(
            several.contains("page") && several.contains("category") && several.contains("from"),
            "{several}"
        );
    }

    #[test]
    fn lists_are_trimmed_and_bounded() {
        let mut params = Params::new("tags=a,%20b,,a");
        assert_eq!(params.list("tags", 2), ["a", "b"]);
        params.list("tags", 1);
        assert!(params.finish().is_err());
    }
}
