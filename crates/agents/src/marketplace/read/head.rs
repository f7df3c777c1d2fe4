//! What comes before the steps: name, description, category, tags.

use std::ops::Range;

use super::super::pipeline::CATEGORIES;
use super::super::source::{Content, Part};
use super::{Lines, Reader};

impl Reader<'_, '_> {
    pub(super) fn required_text(
        &mut self,
        lines: &Lines<'_>,
        name: &str,
        whole: &Range<usize>,
        length: std::ops::RangeInclusive<usize>,
    ) -> String {
        let Some(part) = lines.part(name) else {
            self.faults.at(whole, format!("a pipeline needs a {name}"));
            return String::new();
        };
        match &part.content {
            Content::Text(text) if length.contains(&text.trim().chars().count()) => {
                if text.chars().any(|one| one.is_control() && one != '\n') {
                    self.faults
                        .at(&part.span, format!("{name} holds control characters"));
                }
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            _ => {
                let (least, most) = (length.start(), length.end());
                self.faults.at(
                    &part.span,
                    format!("{name} must be a string of {least} to {most} characters"),
                );
                String::new()
            }
        }
    }

    pub(super) fn category(&mut self, lines: &Lines<'_>, whole: &Range<usize>) -> &'static str {
        let part = lines.part("category");
        let found = part.and_then(|part| match &part.content {
            Content::Text(text) => CATEGORIES.iter().find(|word| **word == text.trim()),
            _ => None,
        });
        found.copied().unwrap_or_else(|| {
            let message = format!("category must be one of {}", CATEGORIES.join(", "));
            self.faults
                .at(part.map_or(whole, |part| &part.span), message);
            CATEGORIES[0]
        })
    }

    pub(super) fn tags(&mut self, part: Option<&Part>) -> Vec<String> {
        let Some(part) = part else {
            return Vec::new();
        };
        let tags = match &part.content {
            Content::List(items) if items.len() <= 10 => items
                .iter()
                .map(|item| match &item.content {
                    Content::Text(text) => Some(text.trim().to_lowercase()),
                    _ => None,
                })
                .collect::<Option<Vec<String>>>(),
            _ => None,
        };
        let is_fine = |tag: &String| {
            (1..=30).contains(&tag.len())
                && tag
                    .chars()
                    .all(|one| one.is_alphanumeric() || matches!(one, '-' | '_' | ' '))
        };
        let tags = tags.filter(|tags| tags.iter().all(is_fine));
        tags.unwrap_or_else(|| {
            self.faults.at(
                &part.span,
                "tags must be at most 10 words of at most 30 letters",
            );
            Vec::new()
        })
    }
}
