//! Who wrote, edited or photographed an article, as outlets print it around the text. This is page furniture, not part
//! of the article's content.
//!
//! A credit is distinguished from a sentence by its form alone: it begins as credits do, contains names and the few
//! words that join them, and has no verb. No list of people or outlets is needed. The speaker of a quotation
//! (`“…” — Jane Roe`) is content.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;

/// A longer line is not a credit.
const LONGEST_LINE: usize = 160;
/// The length of the end of a text that may contain one.
const LONGEST_END: usize = 400;

/// A name of two or more words, which may include words in lower case.
const NAME: &str = r"\p{Lu}[\p{L}.'’-]*(?:\ (?:(?:de|del|della|der|den|di|da|do|dos|du|la|le|van|von|bin|ibn|al|el|of|the|for|to)\ )*\p{Lu}[\p{L}.'’-]*){1,5}";

/// Further names: those of writers, an outlet or a place.
const NAMES: &str = r"\p{Lu}[\p{L}.'’-]*(?:[,;]?\ (?:(?:and|for|in|of|the|at|van|von|der|den|de|del|di|da|la|le|el|al|&|/|\|)\ )*\p{Lu}[\p{L}.'’-]*){0,8}";

/// The job titles of people who write.
const ROLE: &str = r"\b(?:editor|reporter|correspondent|writer|staff|journalist|columnist|contributor|analyst|photographer)s?";

/// Capitalised words that may follow `By` without being names: `By New Year`, `By Friday Night`.
const TIMES: [&str; 12] = [
    "Eve",
    "Year",
    "Night",
    "Week",
    "Weekend",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// A line or paragraph that is a credit as a whole. `Von`, `Par` and `Por` open sentences too, so only names may follow
/// them.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    named(
        r"(?x)^(?:
            (?:By|BY):?\ {name}(?:(?:[,;]|\ ?[/|&]|\ and|\ [-–])\ ?(?:{names}|[^.!?…:]{0,60}{role}))?
          | (?:Von|Par|Por)\ {name}(?:(?:,|\ und|\ et|\ y)\ {name})*
          | (?:Photo|Image|Picture|Video|Illustration|Graphic)s?(?:\ illustration)?(?:\ credit)?
            (?:\ by|:|\ courtesy\ of)\ {name}(?:\ ?[/,|]\ ?[^.!?…:]{1,60})?
          | {name}\ ?/\ ?\p{Lu}[\p{L}\ .'’-]{1,40}
        )$",
    )
});

/// A byline with its date, or with a colon, in front of the text it introduces.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    named(
        r"(?x)^By:?\ {name}(?:
            \ ?[-–|]\ ?\p{Lu}\p{Ll}{2,8}\.?\ \d{1,2},?\ \d{4}
            (?:,?\ \d{1,2}:\d\d(?:\ ?[AaPp]\.?[Mm]\.?)?(?:\ (?:[ECMP][SD]?T|GMT|UTC))?)?\s*
          | :\s+
        )",
    )
});

/// A credit after the last sentence of a text.
static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    named(
        r#"(?x)(?:
            (?:^|[.!?…]["”’)]*\s+)(?<credit>
                \(?(?:Additional\ [Rr]eporting|With\ reporting|Reporting|Report|Reported|Writing|Written|Editing|Edited
                    |Compiled|Translated|Words|Story|Photos?|Video)
                (?:\ and\ (?:editing|writing|reporting))?\ by
                (?:\ (?:\p{Lu}[\p{L}.'’-]*|and|in|at|by|of|the|for|with|from|editing|reporting|writing|additional
                    |translation|de|del|der|di|da|van|von|al|el)[,;.:)]*)+
              | By\ {name}(?:,\ \p{Lu}[\p{L}\ .'’-]{1,30})?\.?
              | {name}(?:(?:,|,?\ and)\ {name})*\ (?:also\ )?contributed
                \ (?:reporting|to\ this\ (?:report|story|article))[^.!?]{0,60}\.?
            )
          | [^"”’][.!?]\)?\s+(?<signature>
                (?:[—–]\ ?|-\ )\p{Lu}\p{Ll}[\p{L}.'’-]*(?:\ \p{Lu}[\p{L}.'’-]*){1,3}(?:,\ {names})?\.?
            )
        )$"#,
    )
});

fn named(pattern: &str) -> Regex {
    let pattern = pattern
        .replace("{names}", NAMES)
        .replace("{name}", NAME)
        .replace("{role}", ROLE);
    pattern::exact(&pattern)
}

/// Whether a line or a paragraph only names who wrote or photographed the article.
pub(super) fn is_line(line: &str) -> bool {
    line.len() <= LONGEST_LINE && LINE.is_match(line) && !names_time(line)
}

/// Whether a byline has a time in place of a person's name.
fn names_time(line: &str) -> bool {
    let opening = line.split([',', ':', '|', '/']).next().unwrap_or_default();
    let mut words = opening.split([' ', '\'', '’']);
    words.any(|word| TIMES.contains(&word))
}

/// The paragraph without its opening byline.
pub(super) fn without_opening(paragraph: &str) -> &str {
    if !paragraph.starts_with("By") {
        return paragraph;
    }
    let text = OPENING
        .find(paragraph)
        .map_or("", |byline| &paragraph[byline.end()..]);
    // `By Friday Night: what to watch` is a heading. A byline comes before sentences.
    if text.starts_with(|first: char| !first.is_lowercase()) && !names_time(paragraph) {
        text
    } else {
        paragraph
    }
}

/// Where the credits at the end of a text begin.
pub(super) fn closing(text: &str) -> Option<usize> {
    let from = text.ceil_char_boundary(text.len().saturating_sub(LONGEST_END));
    let end = &text[from..];
    if !["by ", "By ", "contributed", "- ", "—", "–"]
        .iter()
        .any(|sign| end.contains(sign))
    {
        return None;
    }
    let found = CLOSING.captures(end)?;
    let credit = found.name("credit").or_else(|| found.name("signature"))?;
    let Range { start, .. } = credit.range();
    // The text before the cut may have contained the beginning of a sentence.
    (start > 0 || from == 0).then_some(from + start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&LINE, &OPENING, &CLOSING] {
            LazyLock::force(pattern);
        }
    }

    #[test]
    fn lines_of_names_are_credits() {
        for line in [
            "By Jane Roe",
            "BY JANE ROE",
            "By: Jane Roe",
            "By Jane Roe and John van der Doe, CNN",
            "By Jane Roe, Example lifestyle editor",
            "By Jane Roe | Example Press",
            "By The Example Press",
            "Par Jane Roe et Jean Dupont",
            "Photo by Jane Roe / The Edge",
            "Image: Example Pictures",
            "Jane Roe/Example Images",
        ] {
            assert!(is_line(line), "{line}");
        }
        for line in [
            "By Monday",
            "By the numbers",
            "By John Roe's reckoning the market will fall.",
            "By Friday Night: what to watch",
            "By Labor Day, gas prices could fall below $3 a gallon",
            "By New Year, half of all flats will be empty",
            "By Black Friday, Velden and Acme",
            "Von Daimler Truck bis VW: was Anleger wissen",
            "Photo sales fell by a third",
            "Northwind said on Monday that it bought Velden/Acme",
        ] {
            assert!(!is_line(line), "{line}");
        }
    }

    #[test]
    fn a_byline_above_the_text_goes() {
        let check = |paragraph: &str, expected: &str| {
            assert_eq!(without_opening(paragraph), expected, "{paragraph}");
        };
        check(
            "By Jane Roe - Mar 02, 2022, 1:30 PM CSTThe oil price rose.",
            "The oil price rose.",
        );
        check("By Jane Roe: The oil price rose.", "The oil price rose.");
        for text in [
            "By Friday Night: what to watch",
            "By Monday the oil price had risen.",
            "By New Year's Eve: Oil at $100",
            "Bystanders Saw Smoke: nobody was hurt.",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn credits_at_the_end_go() {
        let check = |text: &str, credit: &str| {
            let whole = format!("{text}{credit}");
            let kept = closing(&whole).map_or(whole.as_str(), |start| &whole[..start]);
            assert_eq!(kept, text, "{credit}");
        };
        let text = "The oil price rose on Monday. ";
        for credit in [
            "Reporting by Jane Roe in London; editing by John Doe",
            "(Reporting by Jane Roe, Max Li and Ana de Roe; Editing by John Doe)",
            "Report by Jane Roe.",
            "Additional reporting by Jane Roe",
            "By Jane Roe",
            "Jane Roe and John Doe contributed reporting to this story.",
            "— Jane Roe, Reuters",
            "- Jane Roe",
        ] {
            check(text, credit);
        }
        // Sentences, and attributions of quotations.
        for said in [
            "Reporting by The Example Post found that the agency ignored warnings.",
            "By Friday Night it had fallen again.",
            "Jane Roe contributed to the fund.",
            "The bank — Northwind Trust — closed.",
            "Northwind makes cars. – Velden Motors, its rival, makes none.",
        ] {
            check(&format!("{text}{said}"), "");
        }
        check("“We shall not wait.” — Jane Roe, Example Press", "");
        check("“We shall not wait”. — Jane Roe", "");
        check("", "Reporting by Jane Roe; editing by John Doe");
    }
}
