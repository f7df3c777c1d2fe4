//! The texts of recently shown hits, with their terms: they are read and stemmed once, not for each query.
//!
//! A document never changes, and a segment's identity is never reused, so what is kept stays correct for as long as it
//! is kept.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tantivy::index::SegmentId;
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{DocAddress, DocId};

use crate::analysis::{self, Term};
use crate::view::View;

/// Bytes that the texts may take.
const MOST_BYTES: u64 = 32 << 20;
/// Expected number of texts.
const EXPECTED: usize = 8_000;

/// Texts by document.
pub(crate) struct Texts(Cache<(SegmentId, DocId), Arc<HitText>, ByBytes>);

#[derive(Clone)]
struct ByBytes;

/// What is shown of a hit.
#[derive(Debug, Default)]
pub(crate) struct HitText {
    pub(crate) headline: Lexed,
    pub(crate) summary: Lexed,
    /// Topics that may become a related query, most distinctive first.
    pub(crate) topics: Vec<Lexed>,
}

/// A text and its terms in order.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub(crate) text: String,
    /// All terms, one after the other.
    words: String,
    places: Vec<TermPlace>,
}

/// Where a term ends among the words, and the bytes of the text that it came from.
#[derive(Clone, Copy, Debug)]
struct TermPlace {
    word_end: u32,
    from: u32,
    to: u32,
}

impl Default for Texts {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED, MOST_BYTES, ByBytes))
    }
}

impl Weighter<(SegmentId, DocId), Arc<HitText>> for ByBytes {
    fn weight(&self, _: &(SegmentId, DocId), text: &Arc<HitText>) -> u64 {
        let topics: usize = text.topics.iter().map(Lexed::bytes).sum();
        (128 + text.headline.bytes() + text.summary.bytes() + topics) as u64
    }
}

impl Texts {
    /// The text of a document.
    pub(crate) fn get(
        &self,
        view: &View,
        address: DocAddress,
        analyzer: &mut TextAnalyzer,
    ) -> tantivy::Result<Arc<HitText>> {
        let segment = view.searcher.segment_reader(address.segment_ord);
        let key = (segment.segment_id(), address.doc_id);
        if let Some(text) = self.0.get(&key) {
            return Ok(text);
        }
        let stored = view.stored_text(address)?;
        let topics = stored.topics.into_iter();
        let text = Arc::new(HitText {
            headline: Lexed::new(stored.headline, analyzer),
            summary: Lexed::new(stored.summary, analyzer),
            topics: topics.map(|topic| Lexed::new(topic, analyzer)).collect(),
        });
        self.0.insert(key, Arc::clone(&text));
        Ok(text)
    }
}

impl Lexed {
    pub(crate) fn new(text: String, analyzer: &mut TextAnalyzer) -> Self {
        let mut words = String::new();
        let places = analysis::terms(analyzer, &text)
            .into_iter()
            .map(|Term { text, from, to }| {
                words.push_str(&text);
                TermPlace {
                    word_end: words.len() as u32,
                    from: from as u32,
                    to: to as u32,
                }
            })
            .collect();
        Self {
            text,
            words,
            places,
        }
    }

    /// How many terms there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// A term.
    pub(crate) fn term(&self, number: usize) -> &str {
        let start = match number.checked_sub(1) {
            Some(before) => self.places[before].word_end,
            None => 0,
        };
        let end = self.places[number].word_end;
        self.words
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// All terms, one after the other.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// All terms in order.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.term(number))
    }

    /// The bytes of the text that some terms came from.
    pub(crate) fn span(&self, first: usize, last: usize) -> (usize, usize) {
        (
            self.places[first].from as usize,
            self.places[last].to as usize,
        )
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.text.len()
            + self.words.len()
            + self.places.len() * size_of::<TermPlace>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_those_of_the_analysis() {
        let mut analyzer = analysis::analyzer();
        let text = "Nvidia's \"best\" year — São Paulo, 東京";
        let lexed = Lexed::new(text.to_owned(), &mut analyzer);
        let expected = analysis::terms(&mut analyzer, text);
        assert_eq!(lexed.len(), expected.len());
        for (number, term) in expected.iter().enumerate() {
            assert_eq!(lexed.term(number), term.text);
            assert_eq!(lexed.span(number, number), (term.from, term.to));
        }
        assert_eq!(
            Lexed::new(String::new(), &mut analyzer).terms().next(),
            None
        );
    }

    #[test]
    fn a_million_texts_stay_within_their_bytes() {
        let texts = Texts::default();
        let mut analyzer = analysis::analyzer();
        let text = Arc::new(HitText {
            headline: Lexed::new("Central bank lifts borrowing costs".into(), &mut analyzer),
            ..HitText::default()
        });
        let segment = SegmentId::generate_random();
        for document in 0..1_000_000 {
            texts.0.insert((segment, document), Arc::clone(&text));
        }
        assert!(texts.0.weight() <= MOST_BYTES, "{}", texts.0.weight());
        assert!(texts.0.len() > 1_000);
    }
}
