//! Figures that can be held against each other.
//!
//! Only figures whose meaning the words around them settle are taken: counts of the dead, hurt, missing, arrested or
//! dismissed, and money and percentages together with the words next to them. Two figures contradict each other only
//! where they mean the same thing; precision matters more here than finding every pair.

use std::sync::LazyLock;

use regex::Regex;

use super::candidate;

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    Killed,
    Injured,
    Missing,
    Arrested,
    JobsCut,
    Money,
    Percent,
}

impl Measure {
    /// What it measures, in a word.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Injured => "injured",
            Self::Missing => "missing",
            Self::Arrested => "arrested",
            Self::JobsCut => "jobs cut",
            Self::Money => "money",
            Self::Percent => "percent",
        }
    }
}

/// One figure of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) measure: Measure,
    pub(crate) value: f64,
    /// As printed, such as `$8.5 billion` or `12`.
    pub(crate) printed: String,
    /// The terms near it, ascending.
    context: Vec<(u32, f32)>,
}

/// Below this an amount of money is taken for a price.
const SMALLEST_AMOUNT: f64 = 10_000.0;

static FIGURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        (?P<currency>US\$|A\$|C\$|HK\$|\$|£|€|¥|₹|(?-u:\b)Rs\.?\s?)?
        (?P<number>\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?|(?-u:\b)(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?-u:\b))
        (?:[\s-]?(?P<scale>trillion|billion|million|thousand|crore|lakh|tn|bn|mn|[mbk])(?-u:\b))?
        (?P<percent>\s?%|\s(?:per\s?cent|percentage\spoints?)(?-u:\b))?
        (?P<money>\s(?:dollars|euros|pounds|yen|rupees|yuan)(?-u:\b))?",
    )
    .ok()
});

const KILLED: &[&str] = &[
    "killed",
    "dead",
    "died",
    "die",
    "dies",
    "kills",
    "killing",
    "deaths",
    "death",
    "fatalities",
];
const INJURED: &[&str] = &[
    "injured", "wounded", "hurt", "injures", "injuring", "wounding", "injuries",
];
const MISSING: &[&str] = &["missing"];
const ARRESTED: &[&str] = &["arrested", "detained", "arrests", "detains"];
const JOBS: &[&str] = &["jobs", "employees", "workers", "staff"];
const CUTS: &[&str] = &[
    "cut",
    "cuts",
    "cutting",
    "lay",
    "lays",
    "laying",
    "laid",
    "layoffs",
    "fire",
    "fires",
    "axe",
    "axes",
    "slash",
    "slashes",
    "shed",
    "sheds",
    "eliminate",
    "eliminates",
];
const PEOPLE: &[&str] = &[
    "people",
    "persons",
    "men",
    "women",
    "children",
    "civilians",
    "soldiers",
    "troops",
    "passengers",
    "others",
    "victims",
    "protesters",
    "students",
    "officers",
    "workers",
    "migrants",
    "were",
    "have",
    "had",
    "are",
    "been",
    "been",
    "reported",
    "confirmed",
    "more",
];

/// The figures of a text.
pub(crate) fn figures(text: &str) -> Vec<Figure> {
    let Some(pattern) = FIGURE.as_ref() else {
        return Vec::new();
    };
    pattern
        .captures_iter(text)
        .filter_map(|found| {
            let whole = found.get(0)?;
            let number = found.name("number")?.as_str();
            let scale = found.name("scale").map_or("", |scale| scale.as_str());
            let value = number_value(number)? * scale_value(scale);
            let before = words_before(&text[..whole.start()]);
            let after = words_after(&text[whole.end()..]);
            let money = found.name("currency").is_some() || found.name("money").is_some();
            let measure = if money {
                Measure::Money
            } else if found.name("percent").is_some() {
                Measure::Percent
            } else {
                counted(&before, &after)?
            };
            let context = match measure {
                Measure::Money | Measure::Percent => {
                    candidate::distinct_terms(&[before.join(" "), after.join(" ")].join(" "))
                }
                _ => Vec::new(),
            };
            Some(Figure {
                measure,
                value,
                printed: whole.as_str().trim().to_owned(),
                context,
            })
        })
        .collect()
}

fn number_value(number: &str) -> Option<f64> {
    const WORDS: [&str; 11] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    let lower = number.to_ascii_lowercase();
    match WORDS.iter().position(|word| *word == lower) {
        Some(index) => Some(index as f64 + 2.0),
        None => lower.replace(',', "").parse().ok(),
    }
}

fn scale_value(scale: &str) -> f64 {
    match scale.to_ascii_lowercase().as_str() {
        "trillion" | "tn" => 1e12,
        "billion" | "bn" | "b" => 1e9,
        "crore" => 1e7,
        "million" | "mn" | "m" => 1e6,
        "lakh" => 1e5,
        "thousand" | "k" => 1e3,
        _ => 1.0,
    }
}

/// The seven words before a figure, nearest last, not past the end of a clause.
fn words_before(text: &str) -> Vec<String> {
    let clause = text
        .rsplit(['.', ';', ':', '!', '?'])
        .next()
        .unwrap_or(text);
    let mut words: Vec<String> = clause.split_whitespace().rev().take(7).map(word).collect();
    words.reverse();
    words
}

fn words_after(text: &str) -> Vec<String> {
    let clause = text.split(['.', ';', ':', '!', '?']).next().unwrap_or(text);
    clause.split_whitespace().take(7).map(word).collect()
}

fn word(text: &str) -> String {
    text.trim_matches(|character: char| !character.is_alphanumeric())
        .to_lowercase()
}

/// What a bare number counts, by the words next to it.
fn counted(before: &[String], after: &[String]) -> Option<Measure> {
    let among = |word: &str, list: &[&str]| list.contains(&word);
    // `12 killed`, `12 people were killed`: nothing but people and helpers may stand between.
    for word in after.iter().take(4) {
        for (list, measure) in [
            (KILLED, Measure::Killed),
            (INJURED, Measure::Injured),
            (MISSING, Measure::Missing),
            (ARRESTED, Measure::Arrested),
        ] {
            if among(word, list) {
                return Some(measure);
            }
        }
        if !among(word, PEOPLE) {
            break;
        }
    }
    // `killing at least 12 people`, `death toll rises to 12`.
    let nearest: Vec<&String> = before.iter().rev().take(4).collect();
    let people = after.first().is_none_or(|word| among(word, PEOPLE));
    let near = |list: &[&str]| nearest.iter().any(|word| among(word, list));
    let toll = before
        .windows(2)
        .any(|pair| pair[0] == "death" && pair[1] == "toll");
    if toll || (people && near(&["kills", "killed", "killing"])) {
        return Some(Measure::Killed);
    }
    if people && near(&["injures", "injured", "injuring", "wounding"]) {
        return Some(Measure::Injured);
    }
    let jobs = after.iter().take(2).any(|word| among(word, JOBS));
    (jobs && near(CUTS)).then_some(Measure::JobsCut)
}

impl Figure {
    /// Whether both figures measure the same thing.
    pub(crate) fn is_comparable(&self, other: &Self) -> bool {
        if self.measure != other.measure {
            return false;
        }
        if !matches!(self.measure, Measure::Money | Measure::Percent) {
            return true;
        }
        let common = self
            .context
            .iter()
            .filter(|(hash, _)| {
                other
                    .context
                    .binary_search_by_key(hash, |term| term.0)
                    .is_ok()
            })
            .count();
        let least = self.context.len().min(other.context.len());
        let (smaller, larger) = (self.value.min(other.value), self.value.max(other.value));
        let alike = if self.measure == Measure::Money {
            // Small amounts are prices, which move; other currencies are other numbers.
            smaller >= SMALLEST_AMOUNT
                && self.currency() == other.currency()
                && larger < 4.0 * smaller
                && common >= 3
        } else {
            larger < 2.0 * smaller && common >= 4
        };
        alike && common * 2 >= least
    }

    /// The sign of the currency as printed.
    fn currency(&self) -> Option<char> {
        self.printed
            .chars()
            .find(|character| "$£€¥₹".contains(*character))
    }

    /// Whether both figures say the same, allowing for rounding.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let tolerance = match self.measure {
            Measure::Money => 0.06,
            Measure::Percent => 0.11,
            _ => 0.0,
        };
        (self.value - other.value).abs() <= tolerance * self.value.abs().max(other.value.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Measure, f64)]) {
        let found: Vec<(Measure, f64)> = figures(text)
            .iter()
            .map(|figure| (figure.measure, figure.value))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn counts_are_told_by_their_words() {
        check(
            "At least 12 people were killed and 30 wounded.",
            &[(Measure::Killed, 12.0), (Measure::Injured, 30.0)],
        );
        check("Blast kills seven people", &[(Measure::Killed, 7.0)]);
        check(
            "The death toll rises to 1,204.",
            &[(Measure::Killed, 1204.0)],
        );
        check(
            "The firm will cut 3,000 jobs",
            &[(Measure::JobsCut, 3000.0)],
        );
        check("It employs 40 people in 3 towns", &[]);
    }

    #[test]
    fn money_and_percentages_have_a_scale() {
        check("a deal worth $8.5 billion", &[(Measure::Money, 8.5e9)]);
        check(
            "rose 2.4% to €3bn",
            &[(Measure::Percent, 2.4), (Measure::Money, 3e9)],
        );
        check("Rs 10.4 crore", &[(Measure::Money, 1.04e8)]);
    }
}
