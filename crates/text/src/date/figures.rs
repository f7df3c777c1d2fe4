//! `04/05/2025`: a date whose first two figures could change places.

use jiff::civil::Date;
use model::Day;

use super::Order;

/// The figures of a date that ends with its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    pub(super) first: i8,
    pub(super) second: i8,
    pub(super) year: i16,
    /// The separator: a slash, a hyphen or a dot.
    pub(super) separator: char,
}

impl Figures {
    /// Reads `4/5/2025`, `04-05-2025` and `04.05.2025`, with or without a time after it.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, 1..=2, rest) = number(text)? else {
            return None;
        };
        let separator = rest.chars().next().filter(|sign| "/-.".contains(*sign))?;
        let (second, 1..=2, rest) = number(&rest[1..])? else {
            return None;
        };
        let (year, 4, rest) = number(rest.strip_prefix(separator)?)? else {
            return None;
        };
        let ends = rest.is_empty() || rest.starts_with(['T', 't', ' ']);
        ends.then_some(Self {
            first: i8::try_from(first).ok()?,
            second: i8::try_from(second).ok()?,
            year,
            separator,
        })
    }

    /// The order that the figures themselves show, if they can be read in only one way.
    pub fn shown_order(self) -> Option<Order> {
        match (self.first > 12, self.second > 12) {
            (true, false) => Some(Order::DayFirst),
            (false, true) => Some(Order::MonthFirst),
            _ => None,
        }
    }

    /// Whether only a declared order determines which of two days is meant.
    pub fn is_ambiguous(self) -> bool {
        self.first <= 12 && self.second <= 12 && self.first != self.second
    }

    /// The day that the figures name in the order declared by their reader. `None` if that leaves two days, or none.
    pub fn day(self, order: Order) -> Option<Day> {
        let (month, day) = self.month_and_day(order)?;
        let date = Date::new(self.year, month, day).ok()?;
        let day = Day::from_date(date);
        (day.date() == date).then_some(day)
    }

    /// Month and day, by the policy of this module.
    pub(super) fn month_and_day(self, order: Order) -> Option<(i8, i8)> {
        let order = match (self.shown_order(), order, self.separator) {
            (Some(shown), ..) => shown,
            (None, Order::MonthFirst, _) | (None, Order::MonthFirstAtSlashes, '/') => {
                Order::MonthFirst
            }
            (None, Order::Undeclared, '/') if self.is_ambiguous() => return None,
            (None, ..) => Order::DayFirst,
        };
        Some(if order == Order::MonthFirst {
            (self.first, self.second)
        } else {
            (self.second, self.first)
        })
    }
}

/// The number of one to four digits at the start of a text, how many there are, and the rest.
fn number(text: &str) -> Option<(i16, usize, &str)> {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    if !(1..=4).contains(&end) {
        return None;
    }
    Some((text[..end].parse().ok()?, end, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, order: Order) -> Option<String> {
        Figures::parse(text)?.day(order).map(|day| day.to_string())
    }

    #[test]
    fn the_declared_order_decides_and_nothing_else() {
        let (april, may) = (Some("2025-04-05"), Some("2025-05-04"));
        for (text, undeclared, month_first, at_slashes, day_first) in [
            ("04/05/2025", None, april, april, may),
            ("04-05-2025", may, april, may, may),
            ("04.05.2025", may, april, may, may),
            ("4/5/2025 8:15 AM", None, april, april, may),
        ] {
            for (order, expected) in [
                (Order::Undeclared, undeclared),
                (Order::MonthFirst, month_first),
                (Order::MonthFirstAtSlashes, at_slashes),
                (Order::DayFirst, day_first),
            ] {
                assert_eq!(read(text, order).as_deref(), expected, "{text} {order:?}");
            }
            assert!(Figures::parse(text).unwrap().is_ambiguous(), "{text}");
        }
    }

    #[test]
    fn a_figure_above_twelve_is_the_day_in_every_order() {
        for order in [
            Order::Undeclared,
            Order::MonthFirst,
            Order::MonthFirstAtSlashes,
            Order::DayFirst,
        ] {
            for text in ["25/04/2025", "04/25/2025", "25.04.2025", "04-25-2025"] {
                assert_eq!(read(text, order).as_deref(), Some("2025-04-25"), "{text}");
            }
            assert_eq!(read("4/4/2025", order).as_deref(), Some("2025-04-04"));
            assert_eq!(read("13/13/2025", order), None);
            assert_eq!(read("14/13/2025", order), None);
            assert_eq!(read("04/25/1700", order), None);
            assert_eq!(read("31/02/2025", order), None);
        }
    }

    #[test]
    fn what_is_written_otherwise_is_left_to_others() {
        for text in [
            "",
            "2025-04-05",
            "4/5/25",
            "4/5-2025",
            "4/5/2025x",
            "a/b/2025",
            "1234/5/2025",
        ] {
            assert_eq!(Figures::parse(text), None, "{text}");
        }
    }
}
