//! Days, weekdays and months as outlets write them.

use model::Timestamp;

use super::outlets::Language;

const WEEKDAYS: [[&str; 7]; 3] = [
    [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ],
    [
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
    ],
    [
        "Montag",
        "Dienstag",
        "Mittwoch",
        "Donnerstag",
        "Freitag",
        "Samstag",
        "Sonntag",
    ],
];

const MONTHS: [[&str; 12]; 3] = [
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
];

const QUARTERS: [[&str; 4]; 3] = [
    ["first", "second", "third", "fourth"],
    ["premier", "deuxième", "troisième", "quatrième"],
    ["ersten", "zweiten", "dritten", "vierten"],
];

/// Year, month (starting at one) and day of the month.
pub(crate) fn civil(day: i64) -> (i64, usize, usize) {
    let date = Timestamp::start_of_day(day).date();
    // Years before zero start with a minus sign, so the parts are read from the end.
    let mut parts = date.rsplitn(3, '-');
    let day_of_month = parts.next().and_then(|part| part.parse().ok()).unwrap_or(1);
    let month = parts.next().and_then(|part| part.parse().ok()).unwrap_or(1);
    let year = parts
        .next()
        .and_then(|part| part.parse().ok())
        .unwrap_or(1970);
    (year, month, day_of_month)
}

/// Monday is zero.
pub(crate) const fn weekday_index(day: i64) -> usize {
    (day + 3).rem_euclid(7) as usize
}

/// The name of the weekday.
pub(crate) fn weekday(day: i64, language: Language) -> &'static str {
    WEEKDAYS[language as usize][weekday_index(day)]
}

/// The name of the month `back` months before the day.
pub(crate) fn month(day: i64, back: usize, language: Language) -> &'static str {
    let (_, month, _) = civil(day);
    MONTHS[language as usize][(month + 11 + 12 - back % 12) % 12]
}

/// For example `14 March`, `14 mars`, `14. März`.
pub(crate) fn day_and_month(day: i64, language: Language) -> String {
    let (_, _, day_of_month) = civil(day);
    let month = month(day, 0, language);
    match language {
        Language::Fr if day_of_month == 1 => format!("1er {month}"),
        Language::En | Language::Fr => format!("{day_of_month} {month}"),
        Language::De => format!("{day_of_month}. {month}"),
    }
}

/// The last completed quarter, such as `second`, and its year.
pub(crate) fn last_quarter(day: i64, language: Language) -> (&'static str, i64) {
    let (year, month, _) = civil(day);
    let current = (month.max(1) - 1) / 3;
    let year = if current == 0 { year - 1 } else { year };
    (QUARTERS[language as usize][(current + 3) % 4], year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_days() {
        let day = Timestamp::parse_date("2026-01-01").unwrap().day();
        assert_eq!(weekday(day, Language::En), "Thursday");
        assert_eq!(day_and_month(day, Language::Fr), "1er janvier");
        assert_eq!(month(day, 1, Language::De), "Dezember");
        assert_eq!(last_quarter(day, Language::En), ("fourth", 2025));
        assert_eq!(weekday(0, Language::En), "Thursday");
    }
}
