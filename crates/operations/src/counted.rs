//! Numbers of things in sentences: `1 day`, `2 days`.

/// A number with the word for one of them, or for many.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_one() {
        let days = [0, 1, 2].map(|count| counted(count, "day", "days"));
        assert_eq!(days, ["0 days", "1 day", "2 days"]);
    }
}
