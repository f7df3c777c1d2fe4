//! A filing described in words.

use std::sync::LazyLock;

use model::table;

/// The items of Form 8-K since August 2004.
static ITEMS: LazyLock<Vec<[&str; 2]>> = LazyLock::new(|| {
    table::rows(include_str!("../../../../../data/disclosures/items.tsv")).collect()
});

/// The document's own description, and for Form 8-K its items in words. The description is left out if it only
/// repeats the form; if nothing remains, the form itself is used.
pub(super) fn describe(form: &str, description: &str, items: &[&str]) -> String {
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let repeats = [form, &format!("FORM {form}"), "PRIMARY DOCUMENT"]
        .iter()
        .any(|text| text.eq_ignore_ascii_case(&description));
    let own = if repeats { "" } else { description.as_str() };
    let mut parts: Vec<String> = Vec::new();
    if form.starts_with("8-K") {
        parts.extend(
            items
                .iter()
                .flat_map(|items| items.split(','))
                .filter_map(|item| {
                    let item = item.trim();
                    let known = ITEMS.iter().find(|[number, _]| *number == item);
                    match known {
                        Some([number, words]) => Some(format!("Item {number}: {words}")),
                        None if item.is_empty() => None,
                        // Header lines in complete submissions spell the item out; items before 2004 are numbers
                        // only.
                        None if item.contains(|c: char| c.is_ascii_alphabetic()) => {
                            Some(item.to_owned())
                        }
                        None => Some(format!("Item {item}")),
                    }
                }),
        );
    }
    if !own.is_empty() {
        parts.insert(0, own.to_owned());
    }
    if parts.is_empty() {
        return form.to_owned();
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let file = include_str!("../../../../../data/disclosures/items.tsv");
        assert_eq!(table::fault(file, 2, 1), None);
    }

    #[test]
    fn items_are_described_in_words() {
        for (form, description, items, expected) in [
            (
                "8-K",
                "8-K",
                "2.02,9.01",
                "Item 2.02: results of operations; Item 9.01: financial statements and exhibits",
            ),
            (
                "8-K",
                "CURRENT REPORT",
                "8.01",
                "CURRENT REPORT; Item 8.01: other events",
            ),
            ("8-K", "", "5", "Item 5"),
            ("10-K", "FORM 10-K", "", "10-K"),
            ("4", "Form 4", "2.02", "4"),
            ("10-Q", "Quarterly  report", "", "Quarterly report"),
        ] {
            assert_eq!(describe(form, description, &[items]), expected);
        }
    }
}
