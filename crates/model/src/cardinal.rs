//! Numbers as English words.

/// Words for whole numbers up to a hundred.
pub const CARDINALS: [(&str, f64); 30] = [
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("dozen", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("hundred", 100.0),
];

/// The value of a number word in lower case.
#[must_use]
pub fn cardinal(word: &str) -> Option<f64> {
    let found = CARDINALS.iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_values() {
        assert_eq!(cardinal("seventeen"), Some(17.0));
        assert_eq!(cardinal("dozen"), Some(12.0));
        assert_eq!(cardinal("thousand"), None);
    }

    #[test]
    fn the_table_rises() {
        assert!(CARDINALS.is_sorted_by(|(_, low), (_, high)| low <= high));
    }
}
