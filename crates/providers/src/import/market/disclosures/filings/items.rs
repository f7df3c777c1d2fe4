//! What a filing is, in words.

/// The items of Form 8-K since August 2004.
const ITEMS: &[(&str, &str)] = &[
    ("1.01", "entry into a material agreement"),
    ("1.02", "end of a material agreement"),
    ("1.03", "bankruptcy or receivership"),
    ("1.04", "mine safety"),
    ("1.05", "material cybersecurity incident"),
    ("2.01", "completed acquisition or disposal of assets"),
    ("2.02", "results of operations"),
    ("2.03", "new direct financial obligation"),
    ("2.04", "event that accelerates an obligation"),
    ("2.05", "costs of exit or disposal"),
    ("2.06", "material impairment"),
    ("3.01", "notice of delisting or failure of a listing rule"),
    ("3.02", "unregistered sale of equity"),
    ("3.03", "change of the rights of security holders"),
    ("4.01", "change of accountant"),
    (
        "4.02",
        "earlier financial statements no longer to be relied upon",
    ),
    ("5.01", "change of control"),
    ("5.02", "change of directors or officers"),
    ("5.03", "change of articles, bylaws or fiscal year"),
    ("5.04", "trading suspended under employee benefit plans"),
    ("5.05", "change of the code of ethics"),
    ("5.06", "no longer a shell company"),
    ("5.07", "vote of security holders"),
    ("5.08", "nominations of directors by shareholders"),
    ("6.01", "material about asset-backed securities"),
    ("6.02", "change of servicer or trustee"),
    ("6.03", "change of credit enhancement"),
    ("6.04", "failure to make a distribution"),
    ("6.05", "securities act updating"),
    ("7.01", "disclosure under Regulation FD"),
    ("8.01", "other events"),
    ("9.01", "financial statements and exhibits"),
];

/// The document's own description, and for Form 8-K its items in words. The description is left out where it only repeats
/// the form; what remains empty is the form itself.
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
                    let known = ITEMS.iter().find(|(number, _)| *number == item);
                    match known {
                        Some((number, words)) => Some(format!("Item {number}: {words}")),
                        None if item.is_empty() => None,
                        // Header lines of complete submissions spell the item out; items before 2004 are numbers alone.
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
    fn items_are_told_in_words() {
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
