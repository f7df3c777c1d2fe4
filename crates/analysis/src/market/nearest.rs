//! What was perhaps meant by a word that matches nothing.

use super::Unknown;
use super::resolve::distance;

const SUGGESTIONS: usize = 3;

/// The words that resemble the one asked for: first those that begin with it, then those that contain it or are
/// contained in it, then those that differ by a few letters. Among equals the order of `words` is kept.
pub fn nearest<'w>(asked: &str, words: impl IntoIterator<Item = &'w str>) -> Unknown {
    let lower: String = asked.trim().to_lowercase().chars().take(60).collect();
    let mut rated: Vec<(usize, usize, &str)> = Vec::new();
    for (place, word) in words.into_iter().enumerate() {
        if let Some(far) = far(&lower, &word.to_lowercase()) {
            rated.push((far, place, word));
        }
    }
    rated.sort_unstable();
    let mut suggestions: Vec<String> = Vec::new();
    for (_, _, word) in rated {
        if suggestions.len() < SUGGESTIONS && !suggestions.iter().any(|other| other == word) {
            suggestions.push(word.to_owned());
        }
    }
    Unknown {
        asked: asked.chars().take(60).collect(),
        suggestions,
    }
}

fn far(asked: &str, word: &str) -> Option<usize> {
    // One or two letters are part of too many words to mean anything.
    let is_part = |part: &str, whole: &str| part.chars().count() >= 3 && whole.contains(part);
    if asked.is_empty() {
        None
    } else if word.starts_with(asked) {
        Some(0)
    } else if is_part(asked, word) || is_part(word, asked) {
        Some(1)
    } else {
        let (distance, length) = (distance(asked, word), asked.chars().count());
        (distance <= 1 + length / 4 && distance < length).then(|| 1 + distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_is_suggested() {
        let words = ["crude", "copper", "corn", "coffee", "cotton"];
        let found = |asked| nearest(asked, words).suggestions;
        assert_eq!(found("Crud"), ["crude"]);
        assert_eq!(found("co"), ["copper", "corn", "coffee"]);
        assert_eq!(found("coffe beans"), [] as [&str; 0]);
        assert_eq!(found("cofee"), ["coffee"]);
        assert_eq!(found("crude oil"), ["crude"]);
        assert!(found("").is_empty());
        assert!(found("\u{1f4a9}").is_empty());
    }
}
