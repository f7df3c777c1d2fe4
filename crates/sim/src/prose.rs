//! Turns a sentence with gaps into a finished one.
//!
//! `{name}` or `{name.field}` is a value from the story (`{^name}` with a capital), `<one|two>` a choice of wording,
//! and `a(n)` the article that fits the next word.

use super::calendar;
use super::facts::Facts;
use super::outlets::Language;
use super::random::Random;

/// What a sentence may refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) facts: &'a Facts,
    /// The day that `{day}` refers to.
    pub(crate) day: i64,
    /// The day on which the story started.
    pub(crate) origin: i64,
    /// Whether `{day}` needs its date because the day is long past.
    pub(crate) dated: bool,
    pub(crate) language: Language,
    pub(crate) outlet: &'a str,
}

impl Scope<'_> {
    /// The finished text of a template, starting with a capital.
    pub(crate) fn render(&self, template: &str, random: &mut Random) -> String {
        let mut text = String::with_capacity(template.len() + 40);
        self.expand(&choose_wording(template, random), &mut text);
        capitalised(&fit_articles(&text))
    }

    fn expand(&self, template: &str, text: &mut String) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((reference, tail)) = after.split_once('}') else {
                rest = after;
                break;
            };
            let (raised, path) = reference
                .strip_prefix('^')
                .map_or((false, reference), |path| (true, path));
            // An unknown reference stays visible, so that a test can find it.
            let value = self.value(path).unwrap_or_else(|| format!("{{{path}}}"));
            text.push_str(&if raised { capitalised(&value) } else { value });
            rest = tail;
            if text.ends_with('s')
                && let Some(tail) = rest.strip_prefix("'s")
            {
                text.push('\'');
                rest = tail;
            }
        }
        text.push_str(rest);
    }

    fn value(&self, path: &str) -> Option<String> {
        let (name, field) = path.split_once('.').unwrap_or((path, ""));
        if let Some(value) = self.facts.get(name) {
            return value.text(field, self.language);
        }
        let weekday = calendar::weekday(self.day, self.language);
        Some(match name {
            "day" if self.dated => format!(
                "{weekday} {}",
                calendar::day_and_month(self.day, self.language)
            ),
            "day" => weekday.to_owned(),
            "date" => calendar::day_and_month(self.day, self.language),
            "origin" if self.day - self.origin > 5 => {
                calendar::day_and_month(self.origin, self.language)
            }
            "origin" => calendar::weekday(self.origin, self.language).to_owned(),
            "month" => calendar::month(self.day, 0, self.language).to_owned(),
            "last_month" => calendar::month(self.day, 1, self.language).to_owned(),
            "month_before" => calendar::month(self.day, 2, self.language).to_owned(),
            "quarter" => calendar::last_quarter(self.day, self.language).0.to_owned(),
            "year" => calendar::civil(self.day).0.to_string(),
            "last_year" => (calendar::civil(self.day).0 - 1).to_string(),
            "next_year" => (calendar::civil(self.day).0 + 1).to_string(),
            "outlet" => self.outlet.to_owned(),
            _ => return None,
        })
    }
}

/// A number with the language's separators.
pub(crate) fn number(value: f64, decimals: usize, language: Language) -> String {
    let plain = format!("{value:.decimals$}");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let (group, point) = match language {
        Language::En => (',', '.'),
        Language::Fr => ('\u{a0}', ','),
        Language::De => ('.', ','),
    };
    let digits = whole.trim_start_matches('-');
    let mut text = String::with_capacity(plain.len() + 4);
    text.push_str(&whole[..whole.len() - digits.len()]);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(group);
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push(point);
        text.push_str(fraction);
    }
    text
}

/// The text with its first letter capitalised, even after an opening quotation mark.
pub(crate) fn capitalised(text: &str) -> String {
    let Some((at, first)) = text
        .char_indices()
        .find(|(_, letter)| letter.is_alphanumeric())
    else {
        return text.to_owned();
    };
    let after = at + first.len_utf8();
    // Names such as iPhone keep their lower-case first letter.
    if text[after..].starts_with(char::is_uppercase) {
        return text.to_owned();
    }
    format!("{}{}{}", &text[..at], first.to_uppercase(), &text[after..])
}

/// A headline with its main words capitalised.
pub(crate) fn title_cased(text: &str) -> String {
    const SMALL: [&str; 22] = [
        "a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "nor", "of", "off",
        "on", "or", "over", "per", "the", "to", "vs", "with",
    ];
    let mut begins = true;
    let words = text.split(' ').map(|word| {
        let word_begins = std::mem::replace(&mut begins, word.ends_with([':', '?', '!', '.']));
        if !word_begins && SMALL.contains(&word) {
            word.to_owned()
        } else {
            capitalised(word)
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn choose_wording(template: &str, random: &mut Random) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let Some((choices, tail)) = after.split_once('>') else {
            rest = after;
            break;
        };
        let choices: Vec<&str> = choices.split('|').collect();
        text.push_str(random.pick(&choices).copied().unwrap_or_default());
        rest = tail;
    }
    text.push_str(rest);
    text
}

fn fit_articles(text: &str) -> String {
    let mut fitted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("(n) ") {
        let (before, after) = (&rest[..at], &rest[at + 4..]);
        fitted.push_str(before);
        if sounds_like_vowel(after) {
            fitted.push('n');
        }
        fitted.push(' ');
        rest = after;
    }
    fitted.push_str(rest);
    fitted
}

fn sounds_like_vowel(text: &str) -> bool {
    let word: String = text
        .chars()
        .take_while(|letter| letter.is_alphanumeric())
        .collect();
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        return word.starts_with('8') || word == "11" || word == "18";
    }
    let is_acronym = word.len() > 1 && word.chars().all(char::is_uppercase);
    if is_acronym && !["NATO", "NASA", "LAN", "RAM"].contains(&word.as_str()) {
        return word.starts_with(['A', 'E', 'F', 'H', 'I', 'L', 'M', 'N', 'O', 'R', 'S', 'X']);
    }
    let lower = word.to_lowercase();
    let starts_with = |parts: &[&str]| parts.iter().any(|part| lower.starts_with(part));
    if starts_with(&["hour", "honest", "heir", "honour"]) {
        return true;
    }
    lower.starts_with(['a', 'e', 'i', 'o', 'u'])
        && !starts_with(&["uni", "use", "euro", "one", "ubi", "usu", "uk", "unan"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        assert_eq!(number(1234567.0, 0, Language::En), "1,234,567");
        assert_eq!(number(-1234.56, 1, Language::De), "-1.234,6");
        assert_eq!(number(1234.0, 0, Language::Fr), "1\u{a0}234");
        assert_eq!(number(999.0, 0, Language::En), "999");
    }

    #[test]
    fn articles_fit_the_next_word() {
        for (written, wanted) in [
            ("a(n) apple", "an apple"),
            ("a(n) unit", "a unit"),
            ("a(n) 8% rise", "an 8% rise"),
            ("a(n) 80-seat", "an 80-seat"),
            ("a(n) 12-month", "a 12-month"),
            ("a(n) MRI", "an MRI"),
            ("a(n) hourly", "an hourly"),
        ] {
            assert_eq!(fit_articles(written), wanted);
        }
    }

    #[test]
    fn sentences_are_filled() {
        let facts = Facts::default();
        let scope = Scope {
            facts: &facts,
            day: 0,
            origin: 0,
            dated: false,
            language: Language::En,
            outlet: "The Harbours",
        };
        let mut random = Random::of(&[1]);
        assert_eq!(
            scope.render("<on|on> {day} {outlet}'s desk", &mut random),
            "On Thursday The Harbours' desk"
        );
        assert_eq!(
            scope.render("“{outlet}” {missing}", &mut random),
            "“The Harbours” {missing}"
        );
        assert_eq!(
            title_cased("rise of the iPhone in “spring”"),
            "Rise of the iPhone in “Spring”"
        );
    }
}
