//! A result of a source, read field by field.

use serde_json::Value;

/// The words of a search without their endings: `elections`, `election`.
pub(crate) fn stems(query: &str) -> Vec<String> {
    let words = query.split_whitespace();
    words
        .map(|word| word.to_lowercase().chars().take(6).collect())
        .collect()
}

/// One result, or a part of one. A field that is absent or null does not exist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a>(pub(super) &'a Value);

impl<'a> View<'a> {
    /// A part, given its JSON pointer without the first slash.
    pub(crate) fn at(self, path: &str) -> Option<View<'a>> {
        let value = path
            .split('/')
            .try_fold(self.0, |value, name| value.get(name))?;
        (!value.is_null()).then_some(View(value))
    }

    pub(crate) fn number(self, path: &str) -> Option<f64> {
        self.at(path)?.0.as_f64()
    }

    pub(crate) fn whole(self, path: &str) -> Option<u64> {
        self.at(path)?.0.as_u64()
    }

    /// A text, if it is not empty.
    pub(crate) fn text(self, path: &str) -> Option<&'a str> {
        self.at(path)?.0.as_str().filter(|text| !text.is_empty())
    }

    /// When a brief was last reported: its headline is that of the newest article.
    pub(crate) fn told_at(self) -> Option<&'a str> {
        self.text("updated_at")
            .or_else(|| self.text("published_at"))
    }

    /// How many of these word stems the headline and summary contain.
    pub(crate) fn held(self, stems: &[String]) -> usize {
        let text = |name: &str| self.text(name).unwrap_or_default();
        let said = format!("{} {}", text("headline"), text("summary")).to_lowercase();
        let words: Vec<&str> = said.split(|mark: char| !mark.is_alphanumeric()).collect();
        let has = |stem: &&String| words.iter().any(|word| word.starts_with(stem.as_str()));
        stems.iter().filter(has).count()
    }

    pub(crate) fn flag(self, path: &str) -> bool {
        self.at(path)
            .is_some_and(|view| view.0 == &Value::Bool(true))
    }

    pub(crate) fn list(self, path: &str) -> Vec<View<'a>> {
        let items = self.at(path).and_then(|view| view.0.as_array());
        items.into_iter().flatten().map(View).collect()
    }

    /// Why a source left something out, in its own words.
    pub(crate) fn reasons(self) -> Vec<&'a str> {
        let reasons = self.list("data_status").into_iter();
        reasons.filter_map(|one| one.text("reason")).collect()
    }

    /// Why a list is empty, with the newest item before the period.
    pub(crate) fn why_empty(self) -> Option<String> {
        let status = self.list("data_status").into_iter().next()?;
        let reason = status.text("reason")?;
        let newest = status.text("newest_available");
        Some(match newest {
            Some(at) => format!(
                "{reason}; the newest on record is of {}",
                crate::figures::day(at)
            ),
            None => reason.to_owned(),
        })
    }
}
