//! Case-insensitive search that returns offsets in the text as written.
//!
//! A letter and its lower case may differ in length (`İ`, `ẞ`), so an offset found in a lower-case copy is meaningless
//! in the original. Only this module may translate one into the other.

/// The offset in `text` at which `needle` first occurs in `text`, ignoring case.
pub(crate) fn find(text: &str, needle: &str) -> Option<usize> {
    let (folded, needle) = (Folded::new(text), fold(needle));
    let found = folded.starts.iter().find(|(lower, _)| {
        folded.lower[*lower..].starts_with(&needle)
            && folded.original(lower + needle.len()).is_some()
    });
    found.map(|(_, original)| *original)
}

/// `text` without `suffix` at its end, ignoring case.
pub(crate) fn strip_suffix<'text>(text: &'text str, suffix: &str) -> Option<&'text str> {
    let folded = Folded::new(text);
    let rest = folded.lower.strip_suffix(&fold(suffix))?;
    text.get(..folded.original(rest.len())?)
}

/// A text in lower case that remembers where each of its letters came from.
struct Folded {
    lower: String,
    /// For each character of the original, its offset in `lower` and in the original. The end offsets of both come
    /// last.
    starts: Vec<(usize, usize)>,
}

impl Folded {
    fn new(text: &str) -> Self {
        let mut lower = String::with_capacity(text.len());
        let mut starts = Vec::with_capacity(text.len() + 1);
        for (at, character) in text.char_indices() {
            starts.push((lower.len(), at));
            lower.extend(character.to_lowercase());
        }
        starts.push((lower.len(), text.len()));
        Self { lower, starts }
    }

    /// The offset in the original, or `None` inside the expansion of a single character.
    fn original(&self, at: usize) -> Option<usize> {
        let found = self.starts.binary_search_by_key(&at, |(lower, _)| *lower);
        found.ok().map(|index| self.starts[index].1)
    }
}

/// Character by character, as [`Folded`] does it: `str::to_lowercase` treats a final sigma differently.
fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn offsets_are_those_of_the_original() {
        assert_eq!(find("İẞ BY X", " by "), Some(5));
        assert_eq!(find("ΟΔΟΣ, Courier", ", COURIER"), Some(8));
        assert_eq!(find("abc", "d"), None);
        assert_eq!(strip_suffix("İẞẞ Title BY ẞ", " by ß"), Some("İẞẞ Title"));
        assert_eq!(strip_suffix("Title", "another"), None);
        // `İ` becomes two characters, and half of it is not part of the original.
        assert_eq!(strip_suffix("xİ", "\u{307}"), None);
        assert_eq!(find("İx", "\u{307}x"), None);
    }

    proptest! {
        #[test]
        fn what_is_found_can_be_cut(before in "\\PC{0,12}|[İẞßΣςK]{0,6}", needle in "\\PC{0,6}|[İẞßΣςK]{0,4}", after in "\\PC{0,12}|[İẞßΣςK]{0,6}") {
            let text = format!("{before}{needle}{after}");
            let at = find(&text, &needle);
            prop_assert!(at.is_some_and(|at| at <= before.len() && text.is_char_boundary(at)), "{at:?}");
            let ended = format!("{before}{needle}");
            prop_assert_eq!(strip_suffix(&ended, &needle).map(str::len), Some(before.len()));
            let _ = (find(&text, &after), strip_suffix(&text, &before), find(&needle, &text));
        }
    }
}
