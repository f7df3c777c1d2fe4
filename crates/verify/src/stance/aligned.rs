//! A claim with its figures and names written as a passage writes them.
//!
//! Figures and names are compared by what they stand for. Who reads the wording of both texts does not know that
//! `nearly $30 million` is `$27 million`, and that `Berkshire` is `Berkshire Hathaway`: it would take the other form
//! for another thing, and what is left of the two texts would not count.

use std::ops::Range;

use text::statement::proposition::Proposition;

use super::figures::Span;
use super::names::Name;
use super::reading::Reading;
use super::turned::place;

impl Reading<'_> {
    /// This claim with the figures and names that a passage has too written as they stand there; `None` if none is
    /// written otherwise.
    pub fn in_words_of(&self, passage: &Reading<'_>) -> Option<String> {
        let claim = self.sentences.first()?;
        let figures = self.figures_in_words_of(passage);
        let names = self.names_in_words_of(passage);
        let mut changes: Vec<(Range<usize>, &str)> = figures.chain(names).collect();
        changes.sort_by_key(|(range, _)| range.start);
        let mut written = String::with_capacity(claim.text.len());
        let mut done = 0;
        for (range, other) in changes {
            if range.start >= done {
                written.push_str(claim.text.get(done..range.start)?);
                written.push_str(other);
                done = range.end;
            }
        }
        (done > 0).then(|| {
            written.push_str(claim.text.get(done..).unwrap_or(""));
            written
        })
    }

    fn figures_in_words_of<'p>(
        &self,
        passage: &'p Reading<'_>,
    ) -> impl Iterator<Item = (Range<usize>, &'p str)> {
        let text = self.sentences.first().map_or("", |claim| claim.text);
        self.figures
            .first()
            .into_iter()
            .flatten()
            .filter_map(move |figure| {
                let mut sentences = passage.sentences.iter().zip(&passage.figures);
                let other = sentences.find_map(|(sentence, figures)| {
                    let other = figures.iter().find(|other| figure.agrees(other))?;
                    sentence.text.get(other.span.start..other.span.end)
                })?;
                let Span { lead, start, end } = figure.span;
                let is_same = lead == start && text.get(start..end)?.eq_ignore_ascii_case(other);
                (!is_same).then_some((lead..end, other))
            })
    }

    fn names_in_words_of<'p>(
        &self,
        passage: &'p Reading<'_>,
    ) -> impl Iterator<Item = (Range<usize>, &'p str)> {
        let names = self
            .of_sentences
            .first()
            .map_or(&[][..], |names| &names.names[..]);
        let claim = self.sentences.first();
        names.iter().filter_map(move |name| {
            let claim = claim?;
            let here = bytes(name, claim)?;
            let own = claim.text.get(here.clone())?;
            if passage
                .sentences
                .iter()
                .any(|sentence| sentence.text.contains(own))
            {
                return None;
            }
            let mut sentences = passage.sentences.iter().zip(&passage.of_sentences);
            sentences.find_map(|(sentence, names)| {
                let other = names.names.iter().find(|other| name.is_form_of(other))?;
                Some((here.clone(), sentence.text.get(bytes(other, sentence)?)?))
            })
        })
    }
}

/// Where a name stands in a sentence.
fn bytes(name: &Name, sentence: &Proposition<'_>) -> Option<Range<usize>> {
    let words = place(name, sentence)?;
    let (first, last) = (
        sentence.words.get(words.start)?,
        sentence.words.get(words.end - 1)?,
    );
    let start = |text: &str| text.as_ptr() as usize - sentence.text.as_ptr() as usize;
    Some(start(first.text)..start(last.text) + last.text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_names_are_written_alike() {
        for (claim, passage, expected) in [
            (
                "Her house is worth nearly $30 million.",
                "A fire broke out at her $27 million house.",
                Some("Her house is worth $27 million."),
            ),
            (
                "Half a dozen managers left Berkshire Hathaway.",
                "Six managers have left Berkshire.",
                Some("Six managers left Berkshire."),
            ),
            (
                "Péter Magyar won more than two thirds of the seats.",
                "Peter Magyar took 69 percent of the seats.",
                Some("Peter Magyar won 69 percent of the seats."),
            ),
            (
                "The Federal Bureau of Investigation arrested 12 people.",
                "The FBI arrested a dozen people.",
                Some("The FBI arrested a dozen people."),
            ),
            ("Siemens sold 40 trains.", "Siemens sold 60 trains.", None),
        ] {
            let passage = Reading::of_passage(passage, "", None);
            let found = Reading::of_claim(claim).in_words_of(&passage);
            assert_eq!(found.as_deref(), expected, "{claim}");
        }
    }
}
