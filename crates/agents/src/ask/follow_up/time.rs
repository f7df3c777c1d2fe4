//! What a question that only names another time asks: `last friday?`, `and the day before?`.

use model::Day;
use query::When;

/// Words that may accompany a time without asking for anything.
const FILLERS: [&str; 21] = [
    "and", "what", "about", "it", "its", "was", "were", "the", "in", "on", "at", "of", "for",
    "during", "then", "ok", "okay", "so", "or", "that", "this",
];

/// The words of a text other than fillers.
fn content(lower: &str) -> Vec<&str> {
    let lower = lower.strip_prefix("how about ").unwrap_or(lower);
    lower
        .split(|mark: char| !mark.is_alphanumeric() && mark != '\'')
        .filter(|word| !word.is_empty() && !FILLERS.contains(word))
        .collect()
}

/// Whether a question in small letters says nothing apart from the time that was read from it.
pub(super) fn is_all(lower: &str, when: &When) -> bool {
    let said = when.said.to_lowercase();
    if when.is_unsaid() || said.is_empty() {
        return false;
    }
    lower
        .split_once(&said)
        .is_some_and(|(before, after)| content(before).is_empty() && content(after).is_empty())
}

/// The period before the one that was asked about: `the day before`, `and the previous month?`.
pub(super) fn before(lower: &str, last: &When, today: Day) -> Option<When> {
    let words = content(lower);
    let ([unit, "before" | "earlier" | "prior"] | ["previous" | "prior", unit]) = words[..] else {
        return None;
    };
    let then = last.from.or(last.to).filter(|_| !last.is_ahead);
    let then = then.unwrap_or(today);
    let from = match unit {
        "day" => then.plus(-1),
        "week" => then.plus(-7),
        "month" => then.months_before(1),
        "quarter" => then.months_before(3),
        "year" => then.months_before(12),
        _ => return None,
    };
    Some(When {
        from: Some(from),
        to: Some(then.plus(-1)),
        said: format!("the {unit} before"),
        is_ahead: false,
        begins_on_day: false,
        months: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<Day> {
        Day::parse(text)
    }

    fn when(from: &str, to: &str, said: &str) -> When {
        When {
            from: day(from),
            to: day(to),
            said: said.to_owned(),
            is_ahead: false,
            begins_on_day: false,
            months: None,
        }
    }

    #[test]
    fn a_question_may_be_nothing_but_a_time() {
        let friday = when("2026-11-20", "2026-11-20", "last friday");
        for (question, expected) in [
            ("last friday?", true),
            ("and what about last friday?", true),
            ("how about last friday", true),
            ("market last friday", false),
            ("how did gold do last friday", false),
            ("and silver?", false),
        ] {
            assert_eq!(is_all(question, &friday), expected, "{question}");
        }
        assert!(!is_all("and the day?", &When::default()));
    }

    #[test]
    fn the_time_before_ends_where_the_last_one_began() {
        let today = Day::parse("2026-11-26").unwrap();
        let yesterday = when("2026-11-25", "2026-11-25", "yesterday");
        let march = when("2024-03-01", "2024-03-31", "march 2024");
        for (question, last, from, to) in [
            (
                "and the day before?",
                &yesterday,
                "2026-11-24",
                "2026-11-24",
            ),
            ("the previous day", &yesterday, "2026-11-24", "2026-11-24"),
            (
                "and the month before that?",
                &march,
                "2024-02-01",
                "2024-02-29",
            ),
            ("and the year before?", &march, "2023-03-01", "2024-02-29"),
            (
                "the day before?",
                &When::default(),
                "2026-11-25",
                "2026-11-25",
            ),
        ] {
            let found = before(question, last, today).unwrap();
            assert_eq!((found.from, found.to), (day(from), day(to)), "{question}");
        }
        for question in [
            "what happened the day before the crash",
            "before",
            "day trading",
        ] {
            assert_eq!(before(question, &yesterday, today), None, "{question}");
        }
    }
}
