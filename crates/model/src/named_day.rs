//! Days with names: Christmas Day, New Year's Eve, Thanksgiving, Good Friday.

use jiff::civil::{Date, date};

use crate::Day;

/// How the date of a named day is found in a year.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// A month and a day in it.
    Fixed(i8, i8),
    /// A month, the first day in it that counts, and a weekday as days after Monday: the first one of that weekday from
    /// there.
    Weekday(i8, i8, i32),
    /// Days from Easter Sunday.
    Easter(i32),
}

/// A day that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedDay {
    /// The name: words in lower case, without apostrophes.
    pub name: &'static [&'static str],
    /// Whether the name means the day and not a season or a campaign: `Christmas Day`, but not `Christmas`.
    pub is_plain: bool,
    rule: Rule,
}

const fn plain(name: &'static [&'static str], rule: Rule) -> NamedDay {
    NamedDay {
        name,
        is_plain: true,
        rule,
    }
}

const fn loose(name: &'static [&'static str], rule: Rule) -> NamedDay {
    NamedDay {
        name,
        is_plain: false,
        rule,
    }
}

/// Days of which people name prices; of names with a common beginning the longer ones come first.
pub const NAMED_DAYS: [NamedDay; 41] = [
    plain(&["christmas", "eve"], Rule::Fixed(12, 24)),
    plain(&["xmas", "eve"], Rule::Fixed(12, 24)),
    plain(&["christmas", "day"], Rule::Fixed(12, 25)),
    plain(&["xmas", "day"], Rule::Fixed(12, 25)),
    loose(&["christmas"], Rule::Fixed(12, 25)),
    loose(&["xmas"], Rule::Fixed(12, 25)),
    plain(&["boxing", "day"], Rule::Fixed(12, 26)),
    plain(&["new", "year", "eve"], Rule::Fixed(12, 31)),
    plain(&["new", "years", "eve"], Rule::Fixed(12, 31)),
    plain(&["new", "year", "day"], Rule::Fixed(1, 1)),
    plain(&["new", "years", "day"], Rule::Fixed(1, 1)),
    plain(
        &["martin", "luther", "king", "day"],
        Rule::Weekday(1, 15, 0),
    ),
    plain(&["mlk", "day"], Rule::Weekday(1, 15, 0)),
    plain(&["valentine", "day"], Rule::Fixed(2, 14)),
    plain(&["valentines", "day"], Rule::Fixed(2, 14)),
    plain(&["presidents", "day"], Rule::Weekday(2, 15, 0)),
    plain(&["washington", "birthday"], Rule::Weekday(2, 15, 0)),
    plain(&["st", "patricks", "day"], Rule::Fixed(3, 17)),
    plain(&["st", "patrick", "day"], Rule::Fixed(3, 17)),
    plain(&["april", "fools", "day"], Rule::Fixed(4, 1)),
    plain(&["good", "friday"], Rule::Easter(-2)),
    plain(&["easter", "sunday"], Rule::Easter(0)),
    plain(&["easter", "monday"], Rule::Easter(1)),
    loose(&["easter"], Rule::Easter(0)),
    plain(&["may", "day"], Rule::Fixed(5, 1)),
    plain(&["memorial", "day"], Rule::Weekday(5, 25, 0)),
    loose(&["juneteenth"], Rule::Fixed(6, 19)),
    plain(&["independence", "day"], Rule::Fixed(7, 4)),
    plain(&["fourth", "of", "july"], Rule::Fixed(7, 4)),
    plain(&["bastille", "day"], Rule::Fixed(7, 14)),
    plain(&["labor", "day"], Rule::Weekday(9, 1, 0)),
    plain(&["labour", "day"], Rule::Weekday(9, 1, 0)),
    plain(&["columbus", "day"], Rule::Weekday(10, 8, 0)),
    loose(&["halloween"], Rule::Fixed(10, 31)),
    plain(&["veterans", "day"], Rule::Fixed(11, 11)),
    plain(&["armistice", "day"], Rule::Fixed(11, 11)),
    plain(&["thanksgiving", "day"], Rule::Weekday(11, 22, 3)),
    loose(&["thanksgiving"], Rule::Weekday(11, 22, 3)),
    loose(&["black", "friday"], Rule::Weekday(11, 23, 4)),
    loose(&["cyber", "monday"], Rule::Weekday(11, 26, 0)),
    // Of the Congress and of presidents.
    plain(&["election", "day"], Rule::Weekday(11, 2, 1)),
];

impl NamedDay {
    /// The longest of [`NAMED_DAYS`] whose name the words begin with.
    pub fn at_start<'w>(words: impl Iterator<Item = &'w str> + Clone) -> Option<&'static Self> {
        let begins = |day: &&Self| {
            let mut said = words.clone();
            day.name.iter().all(|name| said.next() == Some(*name))
        };
        NAMED_DAYS.iter().find(begins)
    }

    /// Its date in a year.
    pub fn in_year(&self, year: i32) -> Option<Day> {
        let dated = |month, day| {
            let found = Date::new(i16::try_from(year).ok()?, month, day);
            found.ok().map(Day::from_date)
        };
        match self.rule {
            Rule::Fixed(month, day) => dated(month, day),
            Rule::Weekday(month, earliest, weekday) => {
                let earliest = dated(month, earliest)?;
                let found = earliest.monday().plus(weekday);
                Some(if found < earliest {
                    found.plus(7)
                } else {
                    found
                })
            }
            Rule::Easter(days) => Some(easter_sunday(i16::try_from(year).ok()?).plus(days)),
        }
    }

    /// The newest one up to a day.
    pub fn up_to(&self, today: Day) -> Option<Day> {
        let year = i32::from(today.date().year());
        let mut days = [year, year - 1]
            .into_iter()
            .filter_map(|year| self.in_year(year));
        days.find(|day| *day <= today)
    }

    /// The first one after a day.
    pub fn after(&self, today: Day) -> Option<Day> {
        let year = i32::from(today.date().year());
        let mut days = (year..year + 2).filter_map(|year| self.in_year(year));
        days.find(|day| *day > today)
    }
}

/// Easter Sunday of a year: the Gregorian computus in the form of Meeus, Jones and Butcher.
pub fn easter_sunday(year: i16) -> Day {
    let of = i32::from(year);
    let golden = of % 19;
    let (century, of_century) = (of / 100, of % 100);
    let correction = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - correction + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (of_century / 4) - epact - of_century % 4) % 7;
    let late = (golden + 11 * epact + 22 * weekday) / 451;
    let days = epact + weekday - 7 * late + 114;
    Day::from_date(date(year, (days / 31) as i8, (days % 31 + 1) as i8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_published_calendars() {
        for (name, year, expected) in [
            ("easter sunday", 2024, "2024-03-31"),
            ("good friday", 2026, "2026-04-03"),
            ("thanksgiving", 2026, "2026-11-26"),
            ("black friday", 2025, "2025-11-28"),
            ("cyber monday", 2025, "2025-12-01"),
            ("election day", 2024, "2024-11-05"),
            ("mlk day", 2025, "2025-01-20"),
            ("presidents day", 2026, "2026-02-16"),
            ("columbus day", 2025, "2025-10-13"),
            ("memorial day", 2026, "2026-05-25"),
            ("halloween", 2026, "2026-10-31"),
        ] {
            let day = NamedDay::at_start(name.split(' ')).unwrap();
            assert_eq!(day.in_year(year), Day::parse(expected), "{name}");
        }
    }

    #[test]
    fn a_longer_name_comes_before_its_beginning() {
        for (at, one) in NAMED_DAYS.iter().enumerate() {
            let found = NamedDay::at_start(one.name.iter().copied()).unwrap();
            assert_eq!(found.name, NAMED_DAYS[at].name);
        }
    }
}
